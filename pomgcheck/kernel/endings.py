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
from typing import Any, NamedTuple, cast

from .budget import OverBudget, spend
from .game import Game
from .logarithms import log_enclosure
from .operators import Compared, Memory, Model, Scaled, Space, State, Vector, add, total
from .play import Play
from .walk import COARSE, Edge, Node, Pair, Place

FINE = 96  # bits of what is pushed along edges, and of ends within a class
ONE = 1 << FINE


class Hull(NamedTuple):
    """A hull has vectors of which, each divided by its mass, the convex hull holds the predictive states of a class in
    one model; and, by what they are of, images of the vectors, and ends of chances and of norms there."""

    vectors: list[Vector]
    images: dict[tuple[int, int, int, Compared], list[dict[Any, int]]]
    chances: dict[Pair, tuple[int, int]]
    norms: dict[tuple[int, int, int, Model, Compared], tuple[int, int, int]]


class EndingPlay(Play):
    """This is a play whose nodes are classes: the prefixes of a step with the same memory, the same last ``k`` pairs,
    and in every model the same pure states possible. The state of a class is the sum of the unnormalised states of its
    prefixes.

    It refutes nothing, since laws are never shown to be equal.
    """

    second, finest = None, COARSE

    def __init__(self, game: Game, scaled: Scaled, space: Space, p: int, limit: int, k: int) -> None:
        self.k = k
        self._hulls: dict[object, Hull] = {}
        self._sums: dict[tuple[Model, Compared], tuple[int, ...]] = {}
        self._tilts: dict[tuple[int, int, bool], int] = {}
        super().__init__(game, scaled, space, p, limit)

    def _reach(
        self, following: dict[object, Node], node: Node, o: int, a: int, chance: int, after: Sequence[Vector]
    ) -> Node:
        """Return the class after a pair; it is made if no prefix has led to it before."""
        prefix, uA = (*node.prefix, o, a), self.space.next(node.uA, o, a, True)
        key = uA, prefix[max(0, len(prefix) - 2 * self.k) :], tuple(frozenset(v) for v in after)
        if key not in following:
            following[key] = Node(uA, tuple({} for _ in after), {(1,) * len(after): prefix})
            following[key].counts = [1] * len(after)
        child = following[key]
        for state, count, moved in zip(child.states, node.counts, after, strict=True):
            for s, mass in moved.items():
                add(cast(Vector, state), s, count * chance * mass)  # there is one, as it is made above
        child.totals = tuple(total(v) if v else 0 for v in child.states)
        return child

    # -- what holds at all prefixes of a class

    @cached_property
    def met(self) -> list[list[frozenset[State]]]:
        """Return, per step and model, the pure states that some prefix makes possible."""
        models = range(len(self.models))
        return [[frozenset(s for node in level for s in node.states[n] or ()) for n in models] for level in self.levels]

    def hull(self, h: int, node: Node, n: int) -> Hull:
        """Return the hull of a class in model ``n``: its own state where it is one prefix, else the columns of the
        product of the operators along the ending, without those that make possible what the class does not."""
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

    def _along(self, start: int, ending: Sequence[int], x: Model, q: Vector) -> Vector:
        """Return a vector moved by J of a model at the pairs of an ending, of which the first is at step ``start``."""
        for h, (o, a) in enumerate(zip(ending[::2], ending[1::2], strict=True), start):
            q = self.image(h, o, a, x, q)
        return q

    def chances(self, h: int, node: Node, edge: Edge, n: int) -> tuple[int, int]:
        """Return ends of 2^FINE P(o) of an edge over the class in model ``n``; P(o) is linear on the hull, so its
        vectors attain both."""
        hull, key = self.hull(h, node, n), (self.kinds[h], edge.o, edge.a)
        if key not in hull.chances:
            found = [(self.mass(h, edge.o, self.models[n], v) << FINE, total(v) * self.scaled.J) for v in hull.vectors]
            hull.chances[key] = min(m // d for m, d in found), max(-(-m // d) for m, d in found)
        return hull.chances[key]

    def norms_within(self, h: int, node: Node, edge: Edge, x: Model, y: Compared) -> tuple[int, int, int]:
        """Return (least, most, more): at every prefix of the class in model x, 2^FINE ||D q|| is between the first two,
        and its mean is at most the norm at the mean state plus ``more``.

        A norm is convex, so it is largest at a vertex. An entry of D q is between those at the vertices; where it keeps
        its sign, its mean size is that of its mean, and elsewhere at most that plus twice the size of the nearer end.
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

    def _moved(self, hull: Hull, h: int, edge: Edge, y: Compared) -> list[dict[Any, int]]:
        """Return the images of the hull's vectors under the operator of y."""
        key = self.kinds[h], edge.o, edge.a, y
        if key not in hull.images:
            hull.images[key] = [self.image(h, edge.o, edge.a, y, v) for v in hull.vectors]
        return hull.images[key]

    @cached_property
    def within(self) -> list[list[tuple[int, int]]]:
        """Return ``chances`` per model and edge; both ends are zero where the edge is impossible."""
        return [
            [self.chances(h, node, edge, n) if edge.after[n] else (0, 0) for h, node, edge in self.edges]
            for n in range(len(self.models))
        ]

    # -- laws of play

    @cached_property
    def increments(self) -> tuple[Any, Place]:
        """Return an upper bound of the largest P_x/P_y of a trajectory, infinite where the hulls do not bound it, and a
        place where it is nearly attained; where some trajectory has P_x > 0 = P_y, return ``None`` and such a place."""
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
        """Return the largest product of factors of edges along a trajectory, in 2^-FINE and rounded up, and that
        trajectory."""
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

    def same_law(self, x: Model, y: Model) -> bool:
        """Return ``False``, since endings never show that two laws are equal."""
        return False

    def of_one_law(self) -> Iterator[tuple[Model, Model]]:
        """Return no pairs, since endings never show that two laws are equal."""
        return iter(())

    def least_divergence(self, x: Model, y: Model, bits: int) -> int:
        """Return a lower bound of 4^bits KL(P_x || P_y), by Gibbs's inequality: with w the ratio of the chances of an
        edge at the mean states, it is the mean under x of the sum of log w along a trajectory, plus 1, less the mean
        under y of the product of w."""
        one, two = (self.number[self.alike[xi]] for xi in (x, y))
        return super().divergence(x, y, bits)[0] + (ONE - self._tilted(one, two, True) << 2 * bits - FINE)

    def divergence(self, x: Model, y: Model, bits: int) -> tuple[int, int]:
        """Return (lo, hi) with lo <= 4^bits KL(P_x || P_y) <= hi, if KL is finite.

        The upper end is shown by Hoeffding's lemma: log P_x/P_y is the sum of log w plus something in an interval of
        length r, and the mean of that is at most r^2/8 less the logarithm of the mean under y of the product of w.

        Raises ``OverBudget`` where chances in a class may vanish.
        """
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
        """Return, in 2^-FINE, an upper bound of the largest product along a trajectory of (P_x(o) / P_y(o)) over the
        same at mean states; it is infinite where a P_y(o) may vanish."""
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
        """Return, in 2^-FINE, the mean under y of the product of w along a trajectory, rounded up or down."""
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
        """Return the mean under x of the product of weights of edges, all in 2^-FINE, rounded up or down at every step:
        what is pushed along edges is linear in predictive states."""
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

    def affinity(self, x: Model, y: Model) -> Fraction:
        """Return an upper bound of sum_tau sqrt(P_x P_y) that is zero only if the sum is, by Cauchy and Schwarz: it is
        the root of the mean under x of a product along a trajectory times the mean under y of its inverse."""
        one, two = (self.number[self.alike[xi]] for xi in (x, y))
        weights, inverse = list[int](), list[int]()
        for _, node, edge in self.edges:
            n, m = edge.after[two] * node.totals[one], edge.after[one] * node.totals[two]
            weights.append(max(1, isqrt((n << 2 * FINE) // m)) if n and m else 0)
            inverse.append(-(-1 << 2 * FINE) // weights[-1] if weights[-1] else 0)
        product = self._weighted(one, weights, True) * self._weighted(two, inverse, True)
        return Fraction(isqrt(product) + bool(product), ONE)

    def least_observation(self) -> Fraction:
        """Return a lower bound of the least probability of a possible observation given what came before it."""
        low = min(low for ends in self.within for low, high in ends if high)
        return Fraction(low >> FINE - COARSE, 1 << COARSE)

    # -- sums of norms

    def differs(self, x: Model, y: Compared) -> bool:
        """Return whether the operators of a model (world) y may differ from those of x anywhere x can be; where this is
        false, they do not differ."""
        x, y = self.alike[x], self.alike[y]
        if (x, y) not in self._differ:
            n = self.number[x]
            self._differ[x, y] = any(e.after[n] and self.norms_within(h, node, e, x, y)[1] for h, node, e in self.edges)
        return self._differ[x, y]

    def error(self, x: Model, y: Compared) -> Fraction:
        """Raise ``OverBudget``: by endings a sum of norms has two ends (``error_ends``) and no exact value."""
        raise OverBudget("an exact sum of norms: endings give its ends")

    def error_ends(self, x: Model, y: Compared) -> tuple[Fraction, Fraction]:
        """Return (lo, hi) with lo <= F <= hi for the F of ``Play.error``."""
        low, high, *_ = self._ends_of_sums(x, y)
        return Fraction(low, ONE), Fraction(high, ONE)

    def squares(self, x: Model, y: Compared, bits: int) -> tuple[int, int]:
        """Return (lo, hi) with lo <= 2^bits Delta <= hi for the sum Delta of the mean squared norms."""
        *_, low, high = self._ends_of_sums(x, y)
        return low << bits >> FINE, -(-high << bits >> FINE)

    def _ends_of_sums(self, x: Model, y: Compared) -> tuple[int, ...]:
        """Return the ends of the sum of norms and those of the sum of squared norms, in 2^-FINE.

        In a class let P be the chance of the observation and d the norm, which lie in intervals and whose means are
        known. The mean of P d is between the linear bounds of a product of two such numbers, and that of P d^2 is
        between those of d^2 by the tangent at the mean and by the chord.
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
