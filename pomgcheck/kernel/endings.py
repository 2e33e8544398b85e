"""Laws of play by endings: learner prefixes with the same last k pairs are one class, and sums over them have two ends.

What is linear in predictive states is exact: masses, mean states, values.  Divergences, sums of norms, likelihood
ratios and affinities are bounded (certificates/FORMAT.md, Endings).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import permutations
from math import inf, isqrt
from typing import Any, NamedTuple

from .budget import OverBudget, spend
from .game import Game
from .logarithms import log_enclosure
from .operators import Memory, Scaled, Space, Vector, total
from .play import COARSE, Edge, Node, Place, Play

FINE = 96  # bits of what is pushed along edges, and of ends within a class
ONE = 1 << FINE


class Hull(NamedTuple):
    """Vectors whose hull, each divided by its mass, holds the predictive states of a class in one model; and, by what
    they are of, images, ends of chances and of norms there."""

    vectors: list[Vector]
    images: dict[Any, list[dict[Any, int]]]
    chances: dict[Any, tuple[int, int]]
    norms: dict[Any, tuple[int, int, int]]


class EndingPlay(Play):
    """Play whose nodes are classes: prefixes of a step with the same memory, the same last ``k`` pairs, and in every
    model the same pure states possible.  The state of a class is the sum of the unnormalised states of its prefixes.

    Nothing is refuted by it: laws are never shown to be equal.
    """

    many, finest = False, COARSE

    def __init__(self, game: Game, scaled: Scaled, space: Space, p: int, limit: int, k: int) -> None:
        self.k = k
        self._hulls: dict[Any, Hull] = {}
        self._sums: dict[Any, tuple[int, ...]] = {}
        self._tilts: dict[Any, int] = {}
        super().__init__(game, scaled, space, p, limit)

    def _reach(
        self, following: dict[Any, Node], node: Node, o: int, a: int, chance: int, after: Sequence[Vector]
    ) -> Node:
        """The class after a pair, made where no prefix has led to it before."""
        prefix, uA = (*node.prefix, o, a), self.space.next(node.uA, o, a, True)
        key = uA, prefix[max(0, len(prefix) - 2 * self.k) :], tuple(frozenset(v) for v in after)
        if key not in following:
            following[key] = Node(uA, tuple({} for _ in after), {(1,) * len(after): prefix})
            following[key].counts = [1] * len(after)
        child = following[key]
        for state, count, moved in zip(child.states, node.counts, after, strict=True):
            for s, mass in moved.items():
                state[s] = state.get(s, 0) + count * chance * mass  # type: ignore[index, union-attr]
        child.totals = tuple(total(v) if v else 0 for v in child.states)
        return child

    # -- what holds at all prefixes of a class

    @cached_property
    def met(self) -> list[list[frozenset[Any]]]:
        """By step and model: the pure states that some prefix makes possible."""
        models = range(len(self.models))
        return [[frozenset(s for node in level for s in node.states[n] or ()) for n in models] for level in self.levels]

    def hull(self, h: int, node: Node, n: int) -> Hull:
        """That of a class in model ``n``: its own state where it is one prefix, else the columns of the product of the
        operators along the ending that make nothing possible but what the class does."""
        place = id(node), n
        if place not in self._hulls:
            own, start = node.states[n] or {}, h - self.k
            if start <= 0:
                self._hulls[place] = Hull([own], {}, {}, {})
            else:
                ending, steps = node.prefix[2 * start :], tuple(self.kinds[start:h])
                key = steps, ending, n, self.met[start][n], frozenset(own)
                if key not in self._hulls:
                    spend(10 * (self.k + 1) * len(self.met[start][n]) ** 2, "columns along endings")
                    columns = (self._along(start, ending, self.models[n], {s: 1}) for s in self.met[start][n])
                    self._hulls[key] = Hull([v for v in columns if v and v.keys() <= own.keys()], {}, {}, {})
                self._hulls[place] = self._hulls[key]
        return self._hulls[place]

    def _along(self, start: int, ending: Sequence[int], x: Any, q: Vector) -> Vector:
        """A vector moved by J of a model at the pairs of an ending."""
        for h, (o, a) in enumerate(zip(ending[::2], ending[1::2], strict=True), start):
            q = self.image(h, o, a, x, q)
        return q

    def chances(self, h: int, node: Node, edge: Edge, n: int) -> tuple[int, int]:
        """Ends of 2^FINE P(o) of an edge over the class in model ``n``: P(o) is linear on the hull."""
        hull, key = self.hull(h, node, n), (self.kinds[h], edge.o, edge.a)
        if key not in hull.chances:
            found = [(self.mass(h, edge.o, self.models[n], v) << FINE, total(v) * self.scaled.J) for v in hull.vectors]
            hull.chances[key] = min(m // d for m, d in found), max(-(-m // d) for m, d in found)
        return hull.chances[key]

    def norms_within(self, h: int, node: Node, edge: Edge, x: Any, y: Any) -> tuple[int, int, int]:
        """(least, most, more): 2^FINE ||D q|| is between the first two at every prefix of the class in model x, and its
        mean is at most the norm at the mean state and ``more``.

        A norm is convex, so largest at a vertex; an entry of D q is between those at the vertices, and its mean size is
        that of its mean where it keeps its sign, else at most that and twice the size of the nearer end.
        """
        hull, key = self.hull(h, node, self.number[x]), (self.kinds[h], edge.o, edge.a, x, y)
        if key not in hull.norms and len(hull.vectors) == 1:
            norm, whole = (
                self.norm(h, edge.o, edge.a, x, y, hull.vectors[0]) << FINE,
                total(hull.vectors[0]) * self.scaled.J,
            )
            hull.norms[key] = norm // whole, -(-norm // whole), 0
        elif key not in hull.norms:
            world, same = not isinstance(y, tuple), self.same((h, edge.o, edge.a))
            unit, star = self.scaled.g if world else 1, x[0] if world else x
            entries, most = dict[Any, list[int]](), 0
            for n, v in enumerate(hull.vectors if same[star] != same[y] else ()):
                one, two = (self._moved(hull, h, edge, z)[n] for z in (star, y))
                whole, size = total(v) * self.scaled.J, 0
                for s in one.keys() | two.keys():
                    if gap := one.get(s, 0) - two.get(s, 0):
                        size += abs(gap)
                        entries.setdefault(s, [0] * len(hull.vectors))[n] = (gap * unit << FINE) // whole
                most = max(most, -((-size * unit << FINE) // whole))
            ends = [(min(row), max(row) + 1) for row in entries.values()]
            least = sum(max(low, -high, 0) for low, high in ends)
            hull.norms[key] = least, most, sum(2 * min(-low, high) for low, high in ends if low < 0 < high)
        return hull.norms[key]

    def _moved(self, hull: Hull, h: int, edge: Edge, y: Any) -> list[dict[Any, int]]:
        """The images of its vectors."""
        key = self.kinds[h], edge.o, edge.a, y
        if key not in hull.images:
            hull.images[key] = [self.image(h, edge.o, edge.a, y, v) for v in hull.vectors]
        return hull.images[key]

    @cached_property
    def within(self) -> list[list[tuple[int, int]]]:
        """``chances`` by model and edge, zero where the edge is impossible."""
        return [
            [self.chances(h, node, edge, n) if edge.after[n] else (0, 0) for h, node, edge in self.edges]
            for n in range(len(self.models))
        ]

    # -- laws of play

    @cached_property
    def increments(self) -> tuple[Any, Place]:
        """At least the largest P_x/P_y of a trajectory, infinite where the hulls do not bound it, with one at which it
        is nearly so; ``None`` with a place where P_x > 0 = P_y, if there is one."""
        for node in self.levels[-1]:
            for edge in node.edges:
                at = Place(0, 0, (*node.prefix, edge.o, edge.a))
                if not min(edge.after):
                    return None, at._replace(x=edge.after.index(max(edge.after)), y=edge.after.index(0))
        best: Any = ONE
        for x, y in permutations(range(len(self.models)), 2):
            ends = [*zip(self.within[x], self.within[y], strict=True)]
            if any(not low for (_, high), (low, _) in ends if high):
                return inf, at
            ratio, trajectory = self._largest([high and -(-high << FINE) // low for (_, high), (low, _) in ends])
            if ratio > best:
                best, at = ratio, Place(x, y, trajectory)
        return Fraction(-(-best >> FINE - COARSE), 1 << COARSE), at

    def _largest(self, factors: Sequence[int]) -> tuple[int, Memory]:
        """The largest product of factors of edges along a trajectory, in 2^-FINE and rounded up, and the trajectory."""
        spend(3 * len(self.edges), "products along trajectories")
        here: dict[int, tuple[int, Memory]] = {id(self.levels[0][0]): (ONE, ())}
        by_edge = iter(factors)
        for level in self.levels:
            after: dict[int, tuple[int, Memory]] = {}
            for node in level:
                so_far, prefix = here.get(id(node), (0, ()))
                for edge, factor in zip(node.edges, by_edge, strict=False):
                    moved = -(-so_far * factor >> FINE)
                    if moved > after.get(id(edge.child), (0, ()))[0]:
                        after[id(edge.child)] = moved, (*prefix, edge.o, edge.a)
            here = after
        return max(here.values(), default=(0, ()))

    def same_law(self, x: Any, y: Any) -> bool:
        """Never shown."""
        return False

    def of_one_law(self) -> Iterator[tuple[Any, Any]]:
        """None are shown."""
        return iter(())

    def least_divergence(self, x: Any, y: Any, bits: int) -> int:
        """At most 4^bits KL(P_x || P_y), by Gibbs's inequality: with w the ratio of the chances of an edge at the mean
        states, the mean under x of the sum of log w along a trajectory, and 1, less the mean under y of the product."""
        one, two = (self.number[self.alike[xi]] for xi in (x, y))
        return super().divergence(x, y, bits)[0] + (ONE - self._tilted(one, two, True) << 2 * bits - FINE)

    def divergence(self, x: Any, y: Any, bits: int) -> tuple[int, int]:
        """(lo, hi): 4^bits KL(P_x || P_y), if finite, is between them; from above by Hoeffding's lemma: log P_x/P_y is the
        sum of log w and something in an interval of length r, and the mean of that is at most r^2/8 less the logarithm
        of the mean under y of the product."""
        one, two = (self.number[self.alike[xi]] for xi in (x, y))
        mean, length = self._tilted(one, two, False), 0
        ratios = [self._strays(*pair) for pair in ((one, two), (two, one))]
        if not mean or inf in ratios:
            raise OverBudget(f"a divergence by endings of {self.k} pairs: chances in a class that may vanish")
        for ratio in ratios:
            length += log_enclosure(Fraction(ratio, ONE), bits)[1]
        more = -(-(length**2) // 8) - (log_enclosure(Fraction(mean, ONE), bits)[0] << bits)
        return self.least_divergence(x, y, bits), super().divergence(x, y, bits)[1] + more

    def _strays(self, x: int, y: int) -> Any:
        """In 2^-FINE at least the largest product along a trajectory of (P_x(o) / P_y(o)) over the same at mean states."""
        factors = list[int]()
        for (_, high), (low, _), (_, node, edge) in zip(self.within[x], self.within[y], self.edges, strict=True):
            if edge.after[x] and edge.after[y]:
                if not low:
                    return inf
                above, below = high * node.totals[x] * edge.after[y], low * node.totals[y] * edge.after[x]
                factors.append(-(-above << FINE) // below)
            else:
                factors.append(0)
        return self._largest(factors)[0]

    def _tilted(self, x: int, y: int, up: bool) -> int:
        """In 2^-FINE the mean under y of the product of w along a trajectory, rounded up or down."""
        if (x, y, up) not in self._tilts:
            weights = [
                ((node.totals[y] * edge.after[x] << FINE) - up) // (node.totals[x] * edge.after[y]) + up
                if edge.after[x] and edge.after[y]
                else 0
                for _, node, edge in self.edges
            ]
            self._tilts[x, y, up] = self._weighted(y, weights, up)
        return self._tilts[x, y, up]

    def _weighted(self, x: int, weights: Sequence[int], up: bool) -> int:
        """The mean under x of the product of weights of edges, all in 2^-FINE, every step rounded up or down: what is
        pushed along edges is linear in predictive states."""
        spend(8 * len(self.edges), "means of products along trajectories")
        unit, whole, xi = self.scaled.J * self.scaled.pi << FINE, self.scaled.rho, self.models[x]
        here = {id(self.levels[0][0]): {s: ((m << FINE) - up) // whole + up for s, m in self.scaled.initial().items()}}
        by_edge, found = iter(weights), 0
        for h, level in enumerate(self.levels):
            after: dict[int, Vector] = {}
            for node in level:
                q = here.get(id(node), {})
                for edge, weight in zip(node.edges, by_edge, strict=False):
                    if not q or not weight:
                        continue
                    share = weight * edge.chance
                    if edge.child is None:
                        found += (self.mass(h, edge.o, xi, q) * share - up) // unit + up
                        continue
                    state = after.setdefault(id(edge.child), {})
                    for s, m in self.image(h, edge.o, edge.a, xi, q).items():
                        moved = (m * share - up) // unit + up
                        state[s] = state[s] + moved if s in state else moved
            here = after
        return found

    def affinity(self, x: Any, y: Any) -> Fraction:
        """At least sum_tau sqrt(P_x P_y), zero only if it is, by Cauchy and Schwarz: the root of the mean under x of a
        product along a trajectory and of that under y of its inverse."""
        one, two = (self.number[self.alike[xi]] for xi in (x, y))
        weights, inverse = list[int](), list[int]()
        for _, node, edge in self.edges:
            n, m = edge.after[two] * node.totals[one], edge.after[one] * node.totals[two]
            weights.append(max(1, isqrt((n << 2 * FINE) // m)) if n and m else 0)
            inverse.append(-(-1 << 2 * FINE) // weights[-1] if weights[-1] else 0)
        product = self._weighted(one, weights, True) * self._weighted(two, inverse, True)
        return Fraction(isqrt(product) + bool(product), ONE)

    def least_observation(self) -> Fraction:
        """At most the least probability of a possible observation given what came before it."""
        low = min(low for ends in self.within for low, high in ends if high)
        return Fraction(low >> FINE - COARSE, 1 << COARSE)

    # -- sums of norms

    def differs(self, x: Any, y: Any) -> bool:
        """Whether the operators of a model (world) y may differ from those of x anywhere x can be: they do not, if not."""
        x, y = self.alike[x], self.alike[y]
        if (x, y) not in self._differ:
            n = self.number[x]
            self._differ[x, y] = any(e.after[n] and self.norms_within(h, node, e, x, y)[1] for h, node, e in self.edges)
        return self._differ[x, y]

    def error(self, x: Any, y: Any) -> Fraction:
        raise OverBudget("an exact sum of norms: endings give its ends")

    def error_ends(self, x: Any, y: Any) -> tuple[Fraction, Fraction]:
        """(lo, hi): F is between them."""
        low, high, *_ = self._ends_of_sums(x, y)
        return Fraction(low, ONE), Fraction(high, ONE)

    def squares(self, x: Any, y: Any, bits: int) -> tuple[int, int]:
        """(lo, hi): 2^bits times the sum of the squared norms is between them."""
        *_, low, high = self._ends_of_sums(x, y)
        return low << bits >> FINE, -(-high << bits >> FINE)

    def _ends_of_sums(self, x: Any, y: Any) -> tuple[int, ...]:
        """Ends of the sums of norms and of squared norms, in 2^-FINE.

        In a class let P be the chance of the observation and d the norm, which lie in intervals and whose means are
        known; the mean of P d is between the linear bounds of a product of two such numbers, and that of P d^2 between
        those of d^2 by the tangent at the mean and by the chord.
        """
        x, y = self.alike[x], self.alike[y]
        if (x, y) not in self._sums:
            spend(10 * len(self.edges), "differences of operators along trajectories")
            n, found = self.number[x], [0, 0, 0, 0]
            units = [self.unit(h) * self.scaled.pi for h in range(self.game.H)]
            for (h, node, edge), (p, P) in zip(self.edges, self.within[n], strict=True):
                d, D, more = self.norms_within(h, node, edge, x, y) if P else (0, 0, 0)
                if D:
                    whole = node.totals[n] * self.scaled.J
                    norm = (self.norm(h, edge.o, edge.a, x, y, node.states[n] or {}) << FINE) // whole
                    chance, most = (edge.after[n] << FINE) // whole, min(D, norm + 1 + more)
                    low = max(p * norm + d * chance - p * d, P * norm + D * chance - P * D, 0)
                    high = min(P * most + d * (chance + 1) - P * d, p * most + D * (chance + 1) - p * D)
                    tangent, chord = 2 * norm * low - norm**2 * (chance + 1), (d + D) * high - d * D * chance
                    mass = (node.counts[n] * node.totals[n] * edge.chance << FINE) // units[h]
                    found[0] += mass * low >> 2 * FINE
                    found[1] -= -(mass + 1) * high >> 2 * FINE
                    found[2] += mass * max(0, tangent) >> 3 * FINE
                    found[3] -= -(mass + 1) * chord >> 3 * FINE
            self._sums[x, y] = tuple(found)
        return self._sums[x, y]
