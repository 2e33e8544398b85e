"""Second moments of predictive states, and what they say of sums of squared norms (Assumption 3.1(e)): one number per
model and operator in place of a sum along all trajectories for every pair of models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from itertools import product
from math import isqrt
from operator import mul, sub

from .budget import spend
from .operators import Compared, Model, State, Vector
from .walk import COARSE, Pair, Walk


class SecondMoments:
    """This bounds Delta, the sum of the mean squared norms, from above by second moments of the states of a walk."""

    def __init__(self, walk: Walk) -> None:
        self.walk, self.alike = walk, walk.alike
        self._rows: dict[tuple[Pair, bool], dict[Compared, list[tuple[int, ...]]]] = {}
        self.of, self.form, self.vector = cache(self._of), cache(self._form), cache(self._vector)

    def most(self, x: Model, others: Iterable[Compared]) -> dict[Compared, int]:
        """Return, for models (worlds) y, an upper bound of 2^COARSE times the sum of the squared norms, from the second
        moments M of the states of x, which are the same for every y.

        For a D of K rows ||D q||_1^2 <= K ||D q||_2^2, and with D = Y - X the mean of the right side is K (<Y'Y, M> - 2
        <Y, X M> + <X, X M>), which is one product of a vector of x and one of y.
        """
        entries = {y: self.vector(self.alike[y]) for y in others}
        spend(sum(map(len, entries.values())) // 10, "second moments of differences")
        found = dict[Compared, int]()
        for y, numbers in entries.items():
            world = not isinstance(y, tuple)
            scale = (self.walk.scaled.W if world else self.walk.scaled.J) ** 2
            found[y] = -(-sum(map(mul, self.form(self.alike[x], world), numbers)) // scale)
        return found

    def _form(self, x: Model, world: bool) -> list[int]:
        """Return the vector of x in the product of ``most``. A matrix whose entries are short by less than e is at most
        itself plus e times its size times the unit matrix."""
        found, own, last = list[int](), x[0] if world else x, 0
        for place, states in self.pure.items():
            size, X = range(len(states)), self.columns(place, self.walk.same(place)[own], states)
            moments, K = self.of(x).get(place), len(X[0])
            spend(K * len(size) ** 2, "second moments of differences")
            M = [[0] * len(size)] * len(size)
            if moments:
                more = 2 * moments.terms * len(size)
                M = [[m + more * (s == t) for t, m in enumerate(row)] for s, row in enumerate(moments.matrix)]
            XM = [[sum(map(mul, row, line)) for line in zip(*X, strict=True)] for row in M]
            found += [K * m for row in M for m in row] + [-2 * K * m for row in XM for m in row]
            last += K * sum(sum(map(mul, u, v)) for u, v in zip(X, XM, strict=True))
        return [*found, last]

    def _vector(self, y: Compared) -> list[int]:
        """Return the vector of a model (world) y in the product of ``most``."""
        found = list[int]()
        for place, states in self.pure.items():
            Y = self.columns(place, self.walk.same(place)[y], states)
            found += [sum(map(mul, u, v)) for u in Y for v in Y] + [m for column in Y for m in column]
        return [*found, 1]

    def most_by_rows(self, x: Model, y: Compared) -> int:
        """Return an upper bound of what ``most`` bounds, by Minkowski's inequality for the norm E(.^2)^(1/2): E ||D
        q||^2 is at most the square of the sum over the rows D_k of (E (D_k q)^2)^(1/2)."""
        x, y = self.alike[x], self.alike[y]
        star, found = x if isinstance(y, tuple) else x[0], 0
        for place, moments in self.of(x).items():
            here, there = (self.columns(place, self.walk.same(place)[z], moments.states) for z in (star, y))
            if here != there:
                spend(len(here) * (len(here) + len(here[0])) // 4, "second moments of differences")
                rows = (
                    list(map(sub, *each))
                    for each in zip(zip(*here, strict=True), zip(*there, strict=True), strict=True)
                )
                found += sum(isqrt(moments.mean(row)) + 1 for row in rows if any(row)) ** 2
        return -(-found // (self.walk.scaled.J if isinstance(y, tuple) else self.walk.scaled.W) ** 2)

    def columns(self, place: Pair, y: Compared, states: Sequence[State]) -> list[tuple[int, ...]]:
        """Return J of a model y (W of a world) at (h, o, a) as dense columns at the given pure states, in the unit of J
        (W); all models (worlds) have the same rows."""
        world = not isinstance(y, tuple)
        if (place, world) not in self._rows:
            every = [y for y in dict.fromkeys(self.walk.same(place).values()) if isinstance(y, tuple) != world]
            images = {y: [self.walk.image(*place, y, {s: 1}) for s in states] for y in every}
            keys = sorted({key for found in images.values() for image in found for key in image})
            self._rows[place, world] = {
                y: [tuple(image.get(key, 0) for key in keys) for image in found] for y, found in images.items()
            }
        return self._rows[place, world][y]

    def _of(self, xi: Model) -> dict[Pair, Moments]:
        """Return the second moments of the states of a model, by the first step of equal tables and (o, a)."""
        x = self.walk.number[xi]
        groups: dict[Pair, list[tuple[int, Vector, int]]] = {}
        for mass, (h, node, edge) in zip(self.walk.masses(x, COARSE), self.walk.edges, strict=True):
            group = groups.setdefault((self.walk.kinds[h], edge.o, edge.a), [])
            if edge.after[x]:
                group.append((mass, node.states[x] or {}, node.totals[x]))
        return {key: Moments(self.pure[key], terms) for key, terms in groups.items() if terms}

    @cached_property
    def pure(self) -> dict[Pair, list[State]]:
        """Return the pure states at which predictive states of any model have mass, by the first step of equal tables
        and (o, a)."""
        found: dict[Pair, set[State]] = {}
        for h, node, edge in self.walk.edges:
            found.setdefault((self.walk.kinds[h], edge.o, edge.a), set()).update(s for v in node.states if v for s in v)
        return {key: sorted(states) for key, states in found.items()}


class Moments:
    """These are 2^COARSE times the means of q_s q_t over edges. Each is short by less than two units per edge, since a
    mass is rounded down, and a quotient."""

    def __init__(self, states: list[State], terms: list[tuple[int, Vector, int]]) -> None:
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
