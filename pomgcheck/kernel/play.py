"""Laws of play, divergences, and differences of operators: what Assumption 3.1 and Section 2.6 are about.

Learner prefixes after which everything still to come is the same are one node (certificates/FORMAT.md, Merged
prefixes), and models that a policy cannot tell apart are one under it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, partial
from itertools import permutations, product
from math import gcd, isqrt, lcm
from operator import mul, sub
from typing import Any, NamedTuple

from .budget import OverBudget, spend
from .game import Game
from .logarithms import log_enclosure
from .operators import Column, G, Memory, Scaled, Space, Vector, distance, total
from .reading import require

STATE = 40  # units of work and memory for each predictive state that is kept
COARSE = 64  # bits of the first enclosures, and of the second moments
ROOT = 128  # bits of a root in an affinity, and of a mass in a sum of norms that is rounded
EXACT = 1 << 26  # the weights of an exact sum of norms have at most so many bits all together

Likelihoods = dict[tuple[int, ...], Memory]


class Edge(NamedTuple):
    """An edge is one step from a node: the pair (o, a), the policy's ``chance`` of a in units of ``pi``, for every
    model the mass ``after`` of its state after the pair, and the ``child`` that is reached, ``None`` after the last
    step."""

    o: int
    a: int
    chance: int
    after: tuple[int, ...]
    child: Node | None


class Node:
    """A node stands for learner prefixes of one length that have the same memory ``uA`` and, in every model, the same
    predictive state up to scale, or none.

    ``states`` are those states as integers without a common divisor, and ``totals`` their masses. ``counts[x]`` times
    the state of model x is the sum over the prefixes of (chance of the actions) x (unnormalised state), in the unit of
    the step. ``likelihoods`` are vectors proportional to (P_x(prefix) / totals[x])_x, each with one prefix that has it:
    all of them, or those that attain the largest ratio of two entries.
    """

    __slots__ = ("counts", "edges", "likelihoods", "states", "totals", "uA")

    def __init__(self, uA: Memory, states: tuple[Vector | None, ...], likelihoods: Likelihoods) -> None:
        self.uA, self.states, self.likelihoods = uA, states, likelihoods
        self.totals = tuple(total(v) if v else 0 for v in states)
        self.counts = [0] * len(states)
        self.edges: list[Edge] = []

    @property
    def prefix(self) -> Memory:
        """Return one of the prefixes of the node."""
        return next(iter(self.likelihoods.values()))


class Place(NamedTuple):
    """A place is a pair of models, by number, and a trajectory."""

    x: int
    y: int
    trajectory: Memory


class Play:
    """A play is what one policy sees under every model: laws of play and differences of operators (Assumption 3.1).

    A model is ``xi = (i, k)``, world ``i`` with response ``k``. ``alike`` takes every world and every model to the
    first that is the same under the policy (as the function ``alike`` says), and ``models`` lists those firsts:
    everything here is a function of the tables that are compared. ``levels[h]`` holds the nodes before step h. Norms
    are those of the pair that occurs; a subclass with ``summed`` sums them over all pairs that may follow.

    Raises ``Malformed`` where a step has more than ``limit`` nodes, and ``OverBudget``.
    """

    summed = False
    finest = 2048  # bits of the enclosures that may decide a comparison

    def __init__(self, game: Game, scaled: Scaled, space: Space, p: int, limit: int) -> None:
        self.game, self.scaled, self.space, self.p = game, scaled, space, p
        self.alike = alike(game, p)
        self.models = list(dict.fromkeys(xi for xi in self.alike.values() if isinstance(xi, tuple)))
        self.number = {xi: n for n, xi in enumerate(self.models)}
        self.kinds = kinds_of_steps(game, p)
        self._columns: dict[Any, Any] = {}
        self._logs: dict[Any, Any] = {}
        self._same: dict[Any, dict[Any, Any]] = {}
        self._norms: dict[Any, list[int]] = {}
        self._rows: dict[Any, Any] = {}
        self._differ: dict[Any, bool] = {}
        self._means: dict[Any, tuple[int, list[int]] | None] = {}
        self.levels: list[list[Node]] = []
        self._walk(limit)
        self.edges = [(h, node, edge) for h, level in enumerate(self.levels) for node in level for edge in node.edges]

    def _walk(self, limit: int) -> None:
        game, n = self.game, len(self.models)
        start = self.scaled.initial()
        unit = gcd(*start.values())
        root = Node((), ({key: m // unit for key, m in start.items()},) * n, {(1,) * n: ()})
        root.counts = [unit] * n
        level: list[Node] = [root]
        for h in range(game.H):
            self.levels.append(level)
            following: dict[Any, Node] = {}
            for node in level:
                node.likelihoods = extremes(node.likelihoods)
                for o, a, chance in self.choices(h, node.uA):
                    spend(STATE * n + 2 * sum(len(v) for v in node.states if v), "predictive states along trajectories")
                    states = [*zip(self.models, node.states, strict=True)]
                    masses = tuple(self.mass(h, o, xi, v) if v else 0 for xi, v in states)
                    if any(masses):
                        child = None
                        if h + 1 < game.H:
                            after = [self.image(h, o, a, xi, v) if v else {} for xi, v in states]
                            child = self._reach(following, node, o, a, chance, after)
                        node.edges.append(Edge(o, a, chance, masses, child))
                        found = f"{len(following)} prefixes apart by step {h + 1}"
                        require(len(following) <= limit, "options.limits", found, f"at most {limit}")
            level = list(following.values())

    def choices(self, h: int, uA: Memory) -> Iterator[tuple[int, int, int]]:
        """Yield (o, a, chance) for every observation and every action that the policy may then choose at a memory; the
        chance is in units of ``pi``."""
        for o in range(len(self.game.OA)):
            row = self.scaled.policies[self.p][h][self.space.row(uA, o, True)]
            yield from ((o, a, chance) for a, chance in enumerate(row) if chance)

    def _reach(
        self, following: dict[Any, Node], node: Node, o: int, a: int, chance: int, after: Sequence[Vector]
    ) -> Node:
        """Return the node after a pair; it is made if no prefix has led to one with the same memory and states
        before."""
        shares = [gcd(*v.values()) for v in after]
        states = tuple(
            {key: m // share for key, m in sorted(v.items())} if v else None
            for v, share in zip(after, shares, strict=True)
        )
        uA = self.space.next(node.uA, o, a, True)
        key = uA, tuple(tuple(v.items()) if v else None for v in states)
        child = following.get(key)
        if child is None:
            child = following[key] = Node(uA, states, {})
        child.counts = [c + d * chance * s for c, d, s in zip(child.counts, node.counts, shares, strict=True)]
        for vector, prefix in node.likelihoods.items():
            spend(len(vector), "likelihoods of prefixes")
            moved = tuple(map(mul, vector, shares))
            unit = gcd(*moved)
            child.likelihoods.setdefault(tuple(x // unit for x in moved), (*prefix, o, a))
        return child

    def image(self, h: int, o: int, a: int, y: Any, q: Vector) -> dict[Any, int]:
        """Return J q for a model y, or W q for a world y, at (o, a); its columns are computed once."""
        i, known = y[0] if isinstance(y, tuple) else y, self._columns.setdefault((self.kinds[h], a, y), {})
        return self._applied(self.scaled.shows(self.kinds[h], o, i), known, partial(self._column, h, a, y), q)

    def _applied(self, shows: dict[int, int], known: dict[Any, Column], made: Any, q: Vector) -> dict[Any, int]:
        """Return the sum of the columns at the states that can show an observation, each with its weight; ``made``
        makes a column that is not known yet."""
        out = dict[Any, int]()
        for state, mass in q.items():
            if seen := shows.get(state[0]):
                if state not in known:
                    known[state] = made(state)
                weight = seen * mass
                for key, entry in zip(*known[state], strict=True):
                    out[key] = out[key] + entry * weight if key in out else entry * weight
        return out

    def mass(self, h: int, o: int, xi: Any, q: Vector) -> int:
        """Return the mass of J q for a model. Without the factor E^A every column of J sums to its unit, so E^A alone
        is read."""
        shows = self.scaled.shows(self.kinds[h], o, xi[0])
        seen: int = sum(shows[s] * mass for (s, _), mass in q.items() if s in shows)
        return seen * (self.scaled.J // self.scaled.EA)

    def _column(self, h: int, a: int, y: Any, state: Any) -> Column:
        """Return the column of J (model y) or of W (world y) at a pure state, without the factor E^A."""
        i, *k = y if isinstance(y, tuple) else (y,)
        column = self.scaled.moves(self.kinds[h], a, i, state)
        if not k:
            return column
        channel = dict(zip(*column, strict=True))
        return self.scaled.compact(G(self.space, self.scaled.responses[k[0]][self.p], h, channel))

    def _gap(self, h: int, a: int, pair: Sequence[Any], state: Any) -> Column:
        """Return the difference of the columns of two models (worlds) at a pure state."""
        one, two = (dict(zip(*self._column(h, a, y, state), strict=True)) for y in pair)
        keys = one.keys() | two.keys()
        return self.scaled.compact({key: gap for key in keys if (gap := one.get(key, 0) - two.get(key, 0))})

    def unit(self, h: int) -> int:
        """Return the unit of the masses of prefixes of ``h`` steps, the chances of their actions included."""
        step: int = (self.scaled.J * self.scaled.pi) ** h
        return int(self.scaled.rho * step)

    def follow(self, trajectory: Memory, xi: Any) -> tuple[list[Vector], list[int]] | None:
        """Return the unnormalised states of a model before each pair of a prefix, and the masses before the pairs and
        after the last, given the actions; return ``None`` where the policy does not choose these actions."""
        q, states = self.scaled.initial(), list[Vector]()
        uA: Memory = ()
        masses = [total(q)]
        for h, (o, a) in enumerate(zip(trajectory[::2], trajectory[1::2], strict=True)):
            if not self.scaled.policies[self.p][h][self.space.row(uA, o, True)][a]:
                return None
            states.append(q)
            q, uA = self.image(h, o, a, self.alike[xi], q), self.space.next(uA, o, a, True)
            masses.append(total(q))
        return states, masses

    # -- laws of play

    @cached_property
    def increments(self) -> tuple[Fraction | None, Place]:
        """Return the largest P_x/P_y of a trajectory and a place where it is attained; where some trajectory has P_x >
        0 = P_y, return ``None`` and such a place."""
        best, at = Fraction(1), Place(0, 0, ())
        for node in self.levels[-1]:
            for edge, (vector, prefix) in product(node.edges, node.likelihoods.items()):
                law = list(map(mul, vector, edge.after))
                high, low = max(law), min(law)
                if not low or at.trajectory == () or high * best.denominator > best.numerator * low:
                    at = Place(law.index(high), law.index(low), (*prefix, edge.o, edge.a))
                    if not low:
                        return None, at
                    best = Fraction(high, low)
        return best, at

    @cached_property
    def conditionals(self) -> list[tuple[Any, ...]]:
        """Return, per model and edge, the chance of the edge's observation as (numerator, denominator) in lowest terms;
        it is zero where the observation is impossible, and ``None`` where the node is."""
        J = self.scaled.J
        return [
            tuple(lowest(edge.after[x], node.totals[x] * J) if node.totals[x] else None for _, node, edge in self.edges)
            for x in range(len(self.models))
        ]

    def same_law(self, x: Any, y: Any) -> bool:
        """Return whether P_x = P_y."""
        first, second = (self.conditionals[self.number[self.alike[xi]]] for xi in (x, y))
        return first == second

    def of_one_law(self) -> Iterator[tuple[Any, Any]]:
        """Return the pairs x, y of different ``models`` with P_x = P_y."""
        groups: dict[Any, list[Any]] = {}
        for x, law in zip(self.models, self.conditionals, strict=True):
            groups.setdefault(law, []).append(x)
        return ((x, y) for x, law in zip(self.models, self.conditionals, strict=True) for y in groups[law] if x != y)

    @cached_property
    def _possible(self) -> list[int]:
        """Return, per model, the edges that are possible, as the bits of a number."""
        return [sum(1 << e for e, (*_, edge) in enumerate(self.edges) if edge.after[x]) for x in self.number.values()]

    def divergent(self, x: Any, y: Any) -> bool:
        """Return whether KL(P_x || P_y) is infinite."""
        first, second = (self._possible[self.number[self.alike[xi]]] for xi in (x, y))
        return bool(first & ~second)

    def divergence(self, x: Any, y: Any, bits: int) -> tuple[int, int]:
        """Return (lo, hi) with lo <= 4^bits KL(P_x || P_y) <= hi, if KL is finite. By the chain rule KL is the sum over
        edges of (mass under x) (log P_x(o) - log P_y(o)), so that one logarithm per model and edge serves all pairs."""
        own, other = (self.logarithms(self.number[self.alike[xi]], bits) for xi in (x, y))
        low, high = (sum(map(mul, own.masses, ends)) for ends in (other.high, other.low))
        return own.low_sum - low - own.slack(other), own.high_sum - high + own.slack(other)

    def least_divergence(self, x: Any, y: Any, bits: int) -> int:
        """Return the lower end of ``divergence``."""
        return self.divergence(x, y, bits)[0]

    def masses(self, x: int, bits: int) -> list[int]:
        """Return 2^bits times the mass of every edge under a model, rounded down."""
        if ("mass", x, bits) not in self._logs:
            units = [self.unit(h + 1) for h in range(self.game.H)]
            self._logs["mass", x, bits] = [
                (node.counts[x] * edge.chance * edge.after[x] << bits) // units[h] for h, node, edge in self.edges
            ]
        found: list[int] = self._logs["mass", x, bits]
        return found

    def logarithms(self, x: int, bits: int) -> Logarithms:
        """Return the enclosures of the logarithms of a model's chances; the logarithm of each number is computed
        once."""
        if (x, bits) not in self._logs:
            spend(len(self.edges) * bits // 16, "logarithms of chances")
            ends = []
            for chance in self.conditionals[x]:
                if not chance or not chance[0]:
                    ends.append((0, 0))
                    continue
                if ("log", chance, bits) not in self._logs:
                    self._logs["log", chance, bits] = log_enclosure(Fraction(*chance), bits)
                ends.append(self._logs["log", chance, bits])
            self._logs[x, bits] = Logarithms(self.masses(x, bits), ends)
        found: Logarithms = self._logs[x, bits]
        return found

    def affinity(self, x: Any, y: Any) -> Fraction:
        """Return an upper bound of sum_tau sqrt(P_x P_y) that is zero only if the sum is; every root is rounded up."""
        one, two = (self._roots(self.number[self.alike[xi]]) for xi in (x, y))
        pi, found, here = self.scaled.pi << 2 * ROOT, 0, {id(self.levels[0][0]): 1 << ROOT}
        places = iter(zip(one, two, strict=True))
        spend(len(self.edges), "affinities of two models")
        for level in self.levels:
            after: dict[int, int] = {}
            for node in level:
                so_far = here.get(id(node), 0)
                for edge, (left, right) in zip(node.edges, places, strict=False):
                    part = -(-so_far * edge.chance * left * right // pi)
                    if edge.child is None:
                        found += part
                    else:
                        after[id(edge.child)] = after.get(id(edge.child), 0) + part
            here = after
        return Fraction(found, 1 << ROOT)

    def near(self, x: Any, y: Any) -> int:
        """Return an upper bound of 4^COARSE times the sum that ``affinity`` bounds, by one product: over the prefixes
        along one last edge, sum w sqrt(P_x P_y) <= sqrt(sum w P_x  sum w P_y)."""
        one, two = (self._ends(self.number[self.alike[xi]]) for xi in (x, y))
        return sum(map(mul, one, two))

    def _ends(self, x: int) -> list[int]:
        """Return, per last edge, 2^COARSE times the root of its mass under a model, rounded up."""
        if ("ends", x) not in self._logs:
            last = self.masses(x, COARSE)[-sum(len(node.edges) for node in self.levels[-1]) :]
            self._logs["ends", x] = [isqrt(mass + 1 << COARSE) + 1 for mass in last]
        found: list[int] = self._logs["ends", x]
        return found

    def _roots(self, x: int) -> list[int]:
        """Return, per edge, 2^ROOT times the root of P_x(o), rounded up."""
        if ("root", x) not in self._logs:
            self._logs["root", x] = [
                isqrt((n << 2 * ROOT) // d) + 1 if (n := (chance or (0, 1))[0]) and (d := chance[1]) else 0
                for chance in self.conditionals[x]
            ]
        found: list[int] = self._logs["root", x]
        return found

    def value(self, x: Any) -> Fraction:
        """Return V^pi under a model, the mean of the rewards of a trajectory."""
        n, seen = self.number[self.alike[x]], dict[tuple[int, int], int]()
        for h, node, edge in self.edges:
            seen[h, edge.o] = seen.get((h, edge.o), 0) + node.counts[n] * edge.chance * edge.after[n]
        paid = (self.game.reward[h][o] * Fraction(mass, self.unit(h + 1)) for (h, o), mass in seen.items())
        return sum(paid, Fraction(0))

    def least_observation(self) -> Fraction:
        """Return the least probability, over models, of a possible observation given what came before it."""
        least, of = 1, 1
        for n, d in {chance for row in self.conditionals for chance in row if chance and chance[0]}:
            if n * of < least * d:
                least, of = n, d
        return Fraction(least, of)

    # -- sums of norms

    @cached_property
    def many(self) -> bool:
        """Return whether there are more models than pure states in any predictive state, so that ``most`` is worth its
        moments."""
        return len(self.models) > max(len(v) for _, node, _ in self.edges for v in node.states if v)

    def norm(self, h: int, o: int, a: int, x: Any, y: Any, q: Vector) -> int:
        """Return ||(J^y_h - J^x_h) q||_1 for a model y, or ||(W^y_h - W^x_h) q||_1 for a world y, at (o, a), in the
        unit of J."""
        kinds, star = self.same((h, o, a)), x if isinstance(y, tuple) else x[0]
        if kinds[star] == kinds[y]:
            return 0
        pair, world = sorted((kinds[star], kinds[y])), not isinstance(y, tuple)
        one, two = (self.scaled.shows(self.kinds[h], o, z if world else z[0]) for z in pair)
        if one is not two or len(self.models) ** 2 > len(self.edges):
            found: int = distance(*(self.image(h, o, a, z, q) for z in pair))
        else:
            known = self._columns.setdefault((self.kinds[h], a, *pair), {})
            found = sum(abs(entry) for entry in self._applied(one, known, partial(self._gap, h, a, pair), q).values())
        return found * self.scaled.g if world else found

    def norms(self, x: Any, y: Any) -> list[int]:
        """Return, per edge, the norm at the state of x, which is one of ``models``; it is zero along edges that x makes
        impossible."""
        if (x, y) not in self._norms:
            spend(5 * len(self.edges), "differences of operators along trajectories")
            n = self.number[x]
            self._norms[x, y] = [
                self.norm(h, edge.o, edge.a, x, y, node.states[n] or {}) if edge.after[n] else 0
                for h, node, edge in self.edges
            ]
        return self._norms[x, y]

    def differs(self, x: Any, y: Any) -> bool:
        """Return whether the operators of a model (world) y differ from those of x anywhere x can be."""
        x, y = self.alike[x], self.alike[y]
        if (x, y) not in self._differ:
            n = self.number[x]
            self._differ[x, y] = any(
                edge.after[n] and self.norm(h, edge.o, edge.a, x, y, node.states[n] or {})
                for h, node, edge in self.edges
            )
        return self._differ[x, y]

    def error(self, x: Any, y: Any) -> Fraction:
        """Return F_xi(pi) of Section 2.6, sum_h E_{xi*} ||(J^xi_h - J^xi*_h) q^{xi*}_{h-1}||_1, for x = xi* and a model
        y = xi; return F^W, with W and the l1 norm of V, for a world y.

        Raises ``OverBudget`` where the terms of the sum have too many denominators for one unit.
        """
        x, y = self.alike[x], self.alike[y]
        known = self._mean(self.number[x])
        if known is None:
            raise OverBudget("sums of norms over one unit: their terms have too many denominators")
        return Fraction(sum(map(mul, known[1], self.norms(x, y))), known[0])

    def error_ends(self, x: Any, y: Any) -> tuple[Fraction, Fraction]:
        """Return (lo, hi) with lo <= F <= hi for the F of ``error``; both are F itself where its terms have one unit of
        a size for exact sums.

        A mass is rounded down by less than one unit, so a term is short by less than its norm, and by one more for its
        own rounding.
        """
        x, y = self.alike[x], self.alike[y]
        n, low, short = self.number[x], 0, 0
        if self._mean(n):
            return (self.error(x, y),) * 2
        for mass, norm, (_, node, _) in zip(self.masses(n, ROOT), self.norms(x, y), self.edges, strict=True):
            if norm:
                whole = node.totals[n] * self.scaled.J
                low, short = low + mass * norm // whole, short - (-norm // whole) + 1
        return Fraction(low, 1 << ROOT), Fraction(low + short, 1 << ROOT)

    def _mean(self, x: int) -> tuple[int, list[int]] | None:
        """Return one unit and, per edge, what a norm there counts over that unit in the sum of norms under model x;
        return ``None`` where all these weights have more than ``EXACT`` bits."""
        if x not in self._means:
            H, step, common, self._means[x] = self.game.H, self.scaled.J * self.scaled.pi, 1, None
            for node in (node for level in self.levels for node in level):
                common = lcm(common, node.totals[x] or 1)
                if common.bit_length() * len(self.edges) > EXACT:
                    return None
            weights = [
                node.counts[x] * edge.chance * edge.after[x] * step ** (H - h - 1) * (common // (node.totals[x] or 1))
                for h, node, edge in self.edges
            ]
            self._means[x] = self.unit(H) * self.scaled.J * common, weights
        return self._means[x]

    def squares(self, x: Any, y: Any, bits: int) -> tuple[int, int]:
        """Return (lo, hi) with lo <= 2^bits Delta <= hi, where Delta is the sum of the mean squared norms (Assumption
        3.1(e)).

        A mass is rounded down by less than one unit, so a term is short by less than its squared norm, and by one more
        for its own rounding.
        """
        x, y = self.alike[x], self.alike[y]
        n, J, low, short = self.number[x], self.scaled.J, 0, 0
        for mass, norm, (_, node, _) in zip(self.masses(n, bits), self.norms(x, y), self.edges, strict=True):
            if norm:
                square, whole = norm * norm, (node.totals[n] * J) ** 2
                low, short = low + mass * square // whole, short - (-square // whole) + 1
        return low, low + short

    def unclear(self, world: bool, c: Fraction) -> Iterator[tuple[Any, Any]]:
        """Yield the pairs of models for which 64 bits and ``most`` do not show that KL is at least c times the sum of
        squared norms. For every other pair it is, or KL is infinite."""
        logs = [self.logarithms(n, COARSE) for n in range(len(self.models))]
        others = [y[0] if world else y for y in self.models]
        for x, own in zip(self.models, logs, strict=True):
            most = self.most(x, others)
            for y, compared, other in zip(self.models, others, logs, strict=True):
                least = own.low_sum - sum(map(mul, own.masses, other.high)) - own.slack(other)
                if least * c.denominator >> COARSE < c.numerator * most[compared]:
                    yield x, y

    def most(self, x: Any, others: Iterable[Any]) -> dict[Any, int]:
        """Return, for models (worlds) y, an upper bound of 2^COARSE times the sum of the squared norms, from the second
        moments M of the states of x, which are the same for every y.

        For a D of K rows ||D q||_1^2 <= K ||D q||_2^2, and with D = Y - X the mean of the right side is K (<Y'Y, M> - 2
        <Y, X M> + <X, X M>), which is one product of a vector of x and one of y.
        """
        entries = {y: self._entries(self.alike[y]) for y in others}
        spend(sum(map(len, entries.values())) // 10, "second moments of differences")
        found = dict[Any, int]()
        for y, numbers in entries.items():
            world = not isinstance(y, tuple)
            scale = (self.scaled.W if world else self.scaled.J) ** 2
            found[y] = -(-sum(map(mul, self._form(self.alike[x], world), numbers)) // scale)
        return found

    def _form(self, x: Any, world: bool) -> list[int]:
        """Return the vector of x in the product of ``most``. A matrix whose entries are short by less than e is at most
        itself plus e times its size times the unit matrix."""
        if ("form", x, world) not in self._logs:
            found, own, last = list[int](), x[0] if world else x, 0
            for place, states in self.pure.items():
                size, X = range(len(states)), self.columns(place, self.same(place)[own], states)
                moments, K = self.moments(x).get(place), len(X[0])
                spend(K * len(size) ** 2, "second moments of differences")
                M = [[0] * len(size)] * len(size)
                if moments:
                    more = 2 * moments.terms * len(size)
                    M = [[m + more * (s == t) for t, m in enumerate(row)] for s, row in enumerate(moments.matrix)]
                XM = [[sum(map(mul, row, line)) for line in zip(*X, strict=True)] for row in M]
                found += [K * m for row in M for m in row] + [-2 * K * m for row in XM for m in row]
                last += K * sum(sum(map(mul, u, v)) for u, v in zip(X, XM, strict=True))
            self._logs["form", x, world] = [*found, last]
        known: list[int] = self._logs["form", x, world]
        return known

    def _entries(self, y: Any) -> list[int]:
        """Return the vector of a model (world) y in the product of ``most``."""
        if ("entries", y) not in self._logs:
            found = list[int]()
            for place, states in self.pure.items():
                Y = self.columns(place, self.same(place)[y], states)
                found += [sum(map(mul, u, v)) for u in Y for v in Y] + [m for column in Y for m in column]
            self._logs["entries", y] = [*found, 1]
        known: list[int] = self._logs["entries", y]
        return known

    def most_by_rows(self, x: Any, y: Any) -> int:
        """Return an upper bound of what ``most`` bounds, by Minkowski's inequality for the norm E(.^2)^(1/2): E ||D
        q||^2 is at most the square of the sum over the rows D_k of (E (D_k q)^2)^(1/2)."""
        x, y = self.alike[x], self.alike[y]
        star, found = x if isinstance(y, tuple) else x[0], 0
        for place, moments in self.moments(x).items():
            here, there = (self.columns(place, self.same(place)[z], moments.states) for z in (star, y))
            if here != there:
                spend(len(here) * (len(here) + len(here[0])) // 4, "second moments of differences")
                rows = (
                    list(map(sub, *each))
                    for each in zip(zip(*here, strict=True), zip(*there, strict=True), strict=True)
                )
                found += sum(isqrt(moments.mean(row)) + 1 for row in rows if any(row)) ** 2
        return -(-found // (self.scaled.J if isinstance(y, tuple) else self.scaled.W) ** 2)

    def columns(self, place: tuple[int, int, int], y: Any, states: Sequence[Any]) -> list[tuple[int, ...]]:
        """Return J of a model y (W of a world) at (h, o, a) as dense columns at the given pure states, in the unit of J
        (W); all models (worlds) have the same rows."""
        world = not isinstance(y, tuple)
        if (place, world) not in self._rows:
            every = [y for y in dict.fromkeys(self.same(place).values()) if isinstance(y, tuple) != world]
            images = {y: [self.image(*place, y, {s: 1}) for s in states] for y in every}
            keys = sorted({key for found in images.values() for image in found for key in image})
            self._rows[place, world] = {
                y: [tuple(image.get(key, 0) for key in keys) for image in found] for y, found in images.items()
            }
        found: list[tuple[int, ...]] = self._rows[place, world][y]
        return found

    def moments(self, xi: Any) -> dict[tuple[int, int, int], Moments]:
        """Return the second moments of the states of a model, by the first step of equal tables and (o, a)."""
        if ("moment", xi) not in self._logs:
            x = self.number[xi]
            groups: dict[tuple[int, int, int], list[tuple[int, Vector, int]]] = {}
            for mass, (h, node, edge) in zip(self.masses(x, COARSE), self.edges, strict=True):
                group = groups.setdefault((self.kinds[h], edge.o, edge.a), [])
                if edge.after[x]:
                    group.append((mass, node.states[x] or {}, node.totals[x]))
            self._logs["moment", xi] = {key: Moments(self.pure[key], terms) for key, terms in groups.items() if terms}
        found: dict[tuple[int, int, int], Moments] = self._logs["moment", xi]
        return found

    @cached_property
    def pure(self) -> dict[tuple[int, int, int], list[Any]]:
        """Return the pure states at which predictive states of any model have mass, by the first step of equal tables
        and (o, a)."""
        found: dict[tuple[int, int, int], set[Any]] = {}
        for h, node, edge in self.edges:
            found.setdefault((self.kinds[h], edge.o, edge.a), set()).update(s for v in node.states if v for s in v)
        return {key: sorted(states) for key, states in found.items()}

    def same(self, place: tuple[int, int, int]) -> dict[Any, Any]:
        """Return a map from every model (world) of ``alike`` to the first whose J (W) is made of the same tables at (h,
        o, a)."""
        h, o, a = place
        if (self.kinds[h], o, a) not in self._same:
            first, kinds = dict[Any, Any](), self._same.setdefault((self.kinds[h], o, a), {})
            for y in dict.fromkeys(self.alike.values()):
                i, *k = y if isinstance(y, tuple) else (y,)
                _, EB, T = (tables[h] for tables in self.scaled.worlds[i])
                tables = tuple(self.scaled.shows(h, o, i).items()), EB, tuple(rows[a] for rows in T)
                kinds[y] = first.setdefault((tables, *(self.scaled.responses[n][self.p][h] for n in k)), y)
        return self._same[self.kinds[h], o, a]


class Logarithms:
    """This holds, per edge, the mass under a model and the ends of 2^bits log P(o), which are 0 where o is impossible;
    also the sums of their products, and the least and the largest end."""

    def __init__(self, masses: list[int], ends: list[tuple[int, int]]) -> None:
        self.masses, self.low, self.high = masses, [lo for lo, _ in ends], [hi for _, hi in ends]
        self.low_sum, self.high_sum = sum(map(mul, masses, self.low)), sum(map(mul, masses, self.high))
        self.least, self.most = min(self.low), max(self.high)

    def slack(self, other: Logarithms) -> int:
        """Return a bound on what masses that are rounded down by less than one unit can change: it is, per edge, the
        most that two logarithms differ by."""
        return len(self.masses) * max(0, other.most - self.least, self.most - other.least)


class Moments:
    """These are 2^COARSE times the means of q_s q_t over edges. Each is short by less than two units per edge, since a
    mass is rounded down, and a quotient."""

    def __init__(self, states: list[Any], terms: list[tuple[int, Vector, int]]) -> None:
        self.states, self.terms = states, len(terms)
        place = {s: n for n, s in enumerate(states)}
        self.matrix = [[0] * len(states) for _ in states]
        for mass, q, whole in terms:
            spend(len(q) ** 2 // 2, "second moments of predictive states")
            for (s, u), (t, v) in product(q.items(), repeat=2):
                self.matrix[place[s]][place[t]] += mass * u * v // whole**2

    def mean(self, d: Sequence[int]) -> int:
        """Return an upper bound of 2^COARSE times the mean of (sum_s d_s q_s)^2."""
        short: int = 2 * self.terms * sum(map(abs, d)) ** 2
        return int(sum(map(mul, d, [sum(map(mul, row, d)) for row in self.matrix]))) + short


def lowest(n: int, d: int) -> tuple[int, int]:
    """Return n/d in lowest terms."""
    common = gcd(n, d)
    return n // common, d // common


def extremes(likelihoods: Likelihoods) -> Likelihoods:
    """Return, for every two models, one of the vectors with the largest ratio of their two entries, where all vectors
    are zero at the same models. One or two vectors are returned as they are."""
    vectors = list(likelihoods)
    if len(vectors) <= 2:
        return likelihoods
    kept: Likelihoods = {}
    support = [x for x, entry in enumerate(vectors[0]) if entry]
    spend(len(support) ** 2 * len(vectors), "likelihoods of prefixes")
    for x, y in permutations(support, 2):
        best = vectors[0]
        for vector in vectors:
            if vector[x] * best[y] > best[x] * vector[y]:
                best = vector
        kept[best] = likelihoods[best]
    return kept or {vectors[0]: likelihoods[vectors[0]]}


def kinds_of_steps(game: Game, p: int) -> list[int]:
    """Return, per step, the first with the same tables in all worlds and responses to the policy; tables are compared
    as they are."""
    first = dict[Any, int]()
    tables = (
        (tuple((w.EA[h], w.EB[h], w.T[h]) for w in game.worlds), tuple(r[p][h] for r in game.responses))
        for h in range(game.H)
    )
    return [first.setdefault(each, h) for h, each in enumerate(tables)]


def alike(game: Game, p: int) -> dict[Any, Any]:
    """Return a map from every world i and model (i, k) to the first that is the same under a policy.

    Worlds are the same if their emissions are, and their transitions under the actions that the policy may choose at a
    step; responses are the same if their answers to the policy are. No law of play depends on more, and no operator at
    a pair that the policy may play does.
    """
    chosen = [sorted({a for row in table for a, chance in enumerate(row) if chance}) for table in game.policies[p]]
    first, worlds = dict[Any, int](), list[int]()
    for i, (EA, EB, T) in enumerate(game.worlds):
        moves = tuple(tuple(rows[a] for a in acts) for acts, table in zip(chosen, T, strict=True) for rows in table)
        worlds.append(first.setdefault((EA, EB, moves), i))
    first = {}
    answers = [first.setdefault(response[p], k) for k, response in enumerate(game.responses)]
    pairs = product(enumerate(worlds), enumerate(answers))
    return dict(enumerate(worlds)) | {(i, k): (i_, k_) for (i, i_), (k, k_) in pairs}
