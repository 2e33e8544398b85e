"""Assumption 3.1(e) on interval axes, by rule ``pairs``.

With P* = P_xi*(tau) and P = P_xi(tau), KL is the sum of P* log(P*/P) - P* + P, and each term is at least
3 (P - P*)^2 / (2 P* + 4 P): with P* = (1+u) P both sides vanish to second order at u = 0, and their second derivatives
in u are 1/(1+u) and 27/(3+u)^3, of which the first is the larger by the inequality of the means of 1, 1 and 1+u.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from .boxes import Region
from .continua import Continuum
from .forms import ONE, Form, Unbounded, constant, total
from .game import Malformed, mapping, rational
from .operators import J, Memory, W
from .pairs import Chart, Entries, Leaf, charts, used
from .polynomials import Polynomial, polynomial, substituted, variable


class Family(NamedTuple):
    """One cell under one policy: per step, (o, a) -> pure state -> entries of J, and of the operator compared."""

    region: Region
    J: tuple[Any, ...]
    compared: tuple[Any, ...]


class Comparison(NamedTuple):
    """Two families in a chart: the tables in numbers of the entries."""

    chart: Chart
    entries: Entries
    J: list[Any]
    compared: list[Any]


def sheared(given: Any, region: Region, where: str) -> tuple[dict[str, Polynomial], Region]:
    """Other coordinates of a region: x in place of x - sum of c_e e, for each ``{x: {e: c}}``.

    Where the tables are constant along some direction this leaves fewer parameters in them.
    """
    values, box = {}, dict(region.box)
    for name, terms in mapping(given, where).items():
        low, high = region.box.get(name, (None, None))
        value = variable(name)
        for other, text in mapping(terms, where).items():
            c = rational(text, where)
            if low is None or high is None or other not in region.box or other in given:
                raise Malformed(where, f"{name} with {other}", "an axis with axes that keep their place")
            ends = sorted(c * end for end in region.box[other])
            low, high, value = low - ends[1], high - ends[0], value + variable(other) * c
        if low is not None and high is not None:
            values[name], box[name] = value, (low, high)
    return values, Region(box, tuple(substituted(c, values) for c in region.constraints))


def families(continuum: Continuum, p: int, world: bool, shear: Any, where: str) -> list[Family]:
    """The cells of Xi under a policy, as far as its play depends on them: equal ones are listed once.

    Only the states that some model can reach are asked about.
    """
    game, space, policy = continuum.game, continuum.space, continuum.policies[p]
    tables: dict[Any, list[tuple[Any, Any]]] = {xi: [] for xi in continuum.models}
    places = {xi: sheared(shear, continuum.region(*xi), where) for xi in continuum.models}
    reached = sorted(continuum.initial())
    for h in range(game.H):
        played = [a for a in range(len(game.A)) if any(row[a] for row in policy[h])]
        after = set[Any]()
        for (i, k), (values, _) in places.items():
            forward: dict[Any, Any] = {}
            channel: dict[Any, Any] = {}
            for o, a, state in product(range(len(game.OA)), played, reached):
                joint = J(space, continuum.worlds[i], continuum.responses[k][p], h, o, a, {state: 1})
                forward.setdefault((o, a), {})[state] = moved(joint, values)
                own = W(continuum.worlds[i], h, o, a, {state: 1}) if world else joint
                channel.setdefault((o, a), {})[state] = moved(own, values)
                after |= {*forward[o, a][state]}
            tables[i, k].append((forward, channel))
        reached = sorted(after)
    found: dict[Any, Family] = {}
    for xi, (_, region) in places.items():
        forwards, channels = zip(*tables[xi], strict=True)
        names = used([forwards, channels])
        box = {name: region.box[name] for name in names}
        mine = Region(box, tuple(c for c in region.constraints if {*used(c)} <= {*names}))
        key = tuple(box.items()), mine.constraints, tuple(frozen(x) for x in (*forwards, *channels))
        found.setdefault(key, Family(mine, forwards, channels))
    return list(found.values())


def moved(vector: Mapping[Any, Any], values: Mapping[str, Polynomial]) -> dict[Any, Polynomial]:
    """A vector's entries that are not zero, in other coordinates."""
    entries = {key: substituted(polynomial(value), values) for key, value in vector.items()}
    return {key: value for key, value in entries.items() if value}


def frozen(table: Any) -> Any:
    """A nest of entries as something to look up by."""
    if isinstance(table, dict) and not isinstance(table, Polynomial):
        return tuple((key, frozen(entry)) for key, entry in sorted(table.items()))
    return table


def comparisons(every: list[Family]) -> Iterator[Comparison]:
    """The charts of all ordered pairs of models under a policy, less those where the compared operators are equal."""
    for star, here in product(every, repeat=2):
        for chart in charts(star.region, None if star is here else here.region):
            entries = Entries(chart)
            compared = [entries.table(x, y) for x, y in zip(star.compared, here.compared, strict=True)]
            if any(map(entries.moves, compared)):
                forward = [entries.table(x, y) for x, y in zip(star.J, here.J, strict=True)]
                yield Comparison(chart, entries, forward, compared)


class Play:
    """Both sides of the inequality for one policy on one leaf, each divided by t^2.

    ``u`` is the unnormalised predictive state of xi* and ``d`` the quotient of that of xi: d_h = J_h d_{h-1} + e_h with
    e_h = (J_h - J*_h) u_{h-1}/t, whose norm is what the right side is made of.
    """

    def __init__(self, continuum: Continuum, p: int, comparison: Comparison, leaf: Leaf) -> None:
        self.game, self.space, self.policy = continuum.game, continuum.space, continuum.policies[p]
        self.comparison, self.leaf, self.n = comparison, leaf, leaf.dimension
        self.star, self.quotient = comparison.entries.on(leaf)
        self.here = [
            x if d is None else leaf.t * d if x is None else x + leaf.t * d
            for x, d in zip(self.star, self.quotient, strict=True)
        ]
        self.left: list[Form] = []
        self.right: list[Form] = []
        one = leaf.monomials[()]
        self._walk(0, (), Fraction(1), {key: one.times(m) for key, m in continuum.initial().items()}, {})

    def gap(self, c: Fraction) -> Form:
        """left - c right."""
        return total(self.left, self.n) - total(self.right, self.n).times(c)

    def _applied(self, table: Mapping[Any, Any], values: list[Form | None], q: Mapping[Any, Form]) -> dict[Any, Form]:
        out: dict[Any, Form] = {}
        for state, mass in q.items():
            for key, number in table.get(state, {}).items():
                entry = values[number]
                if entry is not None:
                    out[key] = out[key] + entry * mass if key in out else entry * mass
        return out

    def _difference(self, table: Mapping[Any, Any], u: Mapping[Any, Form], mass: Form) -> Form | None:
        """What the norm of e_h is at most, for a normalised u: where its mass may vanish, what it is at pure states."""
        difference = self._applied(table, self.quotient, u)
        if not difference:
            return None
        if mass.low > 0:
            return total((x.magnitude() for x in difference.values()), self.n) * mass.reciprocal()
        one = self.leaf.monomials[()]
        columns = [self._applied(table, self.quotient, {state: one}).values() for state in u]
        most = max(total((x.magnitude() for x in column), self.n).high for column in columns)
        return constant(Fraction(most, ONE), self.n)

    def _walk(self, h: int, uA: Memory, weight: Fraction, u: dict[Any, Form], d: dict[Any, Form]) -> None:
        if h == self.game.H:
            if d:
                change = total(d.values(), self.n)
                size = total(u.values(), self.n).times(6) + (self.leaf.t * change).times(4)
                self.left.append((change * change * size.least_reciprocal()).times(3 * weight))
            return
        mass = total(u.values(), self.n)
        for o in range(len(self.game.OA)):
            for a, chance in enumerate(self.policy[h][self.space.row(uA, o, True)]):
                if chance:
                    forward = self.comparison.J[h][o, a]
                    after = self._applied(forward, self.star, u)
                    longer = self._applied(forward, self.here, d)
                    for key, entry in self._applied(forward, self.quotient, u).items():
                        longer[key] = longer[key] + entry if key in longer else entry
                    norm = self._difference(self.comparison.compared[h][o, a], u, mass)
                    if norm is not None and after:
                        self.right.append((norm * norm * total(after.values(), self.n)).times(weight * chance))
                    if after or longer:
                        self._walk(h + 1, self.space.next(uA, o, a, True), weight * chance, after, longer)


def shown(continuum: Continuum, p: int, comparison: Comparison, c: Fraction, leaf: Leaf) -> bool:
    """Whether left >= c right on the leaf."""
    try:
        return Play(continuum, p, comparison, leaf).gap(c).low >= 0
    except Unbounded:
        return False
