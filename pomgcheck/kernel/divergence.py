"""Assumption 3.1(e) on interval axes, by rule ``pairs``.

With P* = P_xi*(tau) and P = P_xi(tau), KL is the sum of P* log(P*/P) - P* + P, and each term is at least
3 (P - P*)^2 / (2 P* + 4 P): with P* = (1+u) P both sides vanish to second order at u = 0, and their second derivatives
in u are 1/(1+u) and 27/(3+u)^3, of which the first is the larger by the inequality of the means of 1, 1 and 1+u.
That is bounded by ``tangent``, and squared l1 norms by weighted squares, so that an inequality of quadratics is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from .boxes import Region
from .continua import Continuum
from .forms import ONE, Form, Unbounded, combination, constant
from .operators import J, Memory, W
from .pairs import STEP, Chart, Entries, Leaf, charts, exactly, used
from .polynomials import Polynomial, divided, polynomial, primitive, substituted, total, variable
from .reading import Malformed, mapping, rational, require


class Family(NamedTuple):
    """A family is one cell under one policy: per step, a map (o, a) -> pure state -> entries of J, and one of the
    operator that is compared."""

    region: Region
    J: tuple[Any, ...]
    compared: tuple[Any, ...]


class Comparison(NamedTuple):
    """A comparison is two families in a chart; their tables hold the numbers of the entries."""

    chart: Chart
    entries: Entries
    J: list[Any]
    compared: list[Any]


def sheared(given: Any, region: Region, where: str) -> tuple[dict[str, Polynomial], Region]:
    """Return the axes of a region in other coordinates, and the region in these: for each ``{x: {e: c}}`` the new x is
    x - sum of c_e e.

    Where the tables are constant along some direction, this leaves fewer parameters in them.

    Raises ``Malformed`` where x or e is not an axis of the region, or e has coordinates of its own.
    """
    values, box = {}, dict(region.box)
    for name, terms in mapping(given, where).items():
        require(name in region.box, where, name, "an axis of the class")
        (low, high), value = region.box[name], variable(name)
        for other, text in mapping(terms, where).items():
            c = rational(text, where)
            if other not in region.box or other in given:
                raise Malformed(where, f"{name} with {other}", "an axis with axes that keep their place")
            ends = sorted(c * end for end in region.box[other])
            low, high, value = low - ends[1], high - ends[0], value + variable(other) * c
        values[name], box[name] = value, (low, high)
    return values, Region(box, tuple(substituted(c, values) for c in region.constraints))


def families(continuum: Continuum, p: int, world: bool, shear: object, where: str) -> list[Family]:
    """Return the cells of Xi under a policy, as far as its play depends on them; equal ones are listed once.

    Only the states that some model can reach are asked about.
    """
    game, space, policy = continuum.game, continuum.space, continuum.policies[p]
    tables: dict[Any, list[tuple[Any, Any]]] = {xi: [] for xi in continuum.models}
    places = {xi: sheared(shear, continuum.region(*xi), where) for xi in continuum.models}
    reached = sorted(continuum.initial())
    for h in range(game.H):
        played = [a for a in range(len(game.A)) if any(row[a] for row in policy[h])]
        after = set[tuple[int, Memory]]()
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
    """Return a vector's entries that are not zero, in other coordinates."""
    entries = {key: substituted(polynomial(value), values) for key, value in vector.items()}
    return {key: value for key, value in entries.items() if value}


def frozen(table: object) -> Any:
    """Return a nest of entries as something that can be looked up by."""
    if isinstance(table, dict):
        return tuple((key, frozen(entry)) for key, entry in sorted(table.items()))
    return table


def comparisons(every: list[Family]) -> Iterator[Comparison]:
    """Yield the charts of all ordered pairs of models under a policy, but for those where the compared operators are
    equal."""
    for star, here in product(every, repeat=2):
        for chart in charts(star.region, None if star is here else here.region):
            entries = Entries(chart)
            compared = [entries.table(x, y) for x, y in zip(star.compared, here.compared, strict=True)]
            if any(map(entries.moves, compared)):
                forward = [entries.table(x, y) for x, y in zip(star.J, here.J, strict=True)]
                yield Comparison(chart, entries, forward, compared)


class PairPlay:
    """This has both sides of the inequality for one policy in a chart, each divided by t^2 f^2, as polynomials.

    ``u`` is the unnormalised predictive state of xi*, and ``d`` is the quotient of that of xi: d_h = J_h d_{h-1} + e_h
    with e_h = (J_h - J*_h) u_{h-1}/t, whose norms make up the right side; f divides every e_h and so 1.d_H. With
    ``summed`` the norms at all pairs count after every prefix, those of one action with its chance, as one vector.
    """

    def __init__(
        self, continuum: Continuum, p: int, comparison: Comparison, factor: Polynomial, where: str, summed: bool
    ) -> None:
        self.game, self.space, self.policy = continuum.game, continuum.space, continuum.policies[p]
        self.comparison, self.factor, self.where, self.summed = comparison, factor, where, summed
        pairs, t = comparison.entries.polynomials, variable(STEP) if comparison.chart.step else polynomial(1)
        self.star, self.quotient = [star for star, _ in pairs], [quotient for _, quotient in pairs]
        self.over = [divided(quotient, factor) for quotient in self.quotient]
        self.here = [substituted(here, comparison.chart.shift) for _, here in comparison.entries.numbers]
        self.ends: list[tuple[Fraction, Polynomial, Polynomial]] = []  # weight, 1.d_H/f, 2 P* + 4 P
        self.steps: list[Step] = []
        self._walk(0, (), Fraction(1), {key: polynomial(m) for key, m in continuum.initial().items()}, {}, t)

    def shown(self, leaf: Leaf, c: Fraction) -> bool:
        """Return whether the enclosures show left >= c right on the leaf."""
        try:
            right = self.right(leaf).times(c)
            return any((left - right).low >= 0 for left in self.lefts(leaf))
        except Unbounded:
            return False

    def lefts(self, leaf: Leaf) -> Iterator[Form]:
        """Yield functions that the left side is at least, the sharper one first."""
        ends = [(leaf.form(d), leaf.form(size), 3 * weight) for weight, d, size in self.ends]
        for level in (0, 1):
            yield combination([(tangent(d, s, level), w) for d, s, w in ends], leaf.dimension)

    def right(self, leaf: Leaf) -> Form:
        """Return a function that the right side without its factor c is at most."""
        return combination([(step.share(leaf), 1) for step in self.steps], leaf.dimension)

    def _applied(self, table: Mapping[Any, Any], values: list[Polynomial], q: Mapping[Any, Polynomial]) -> Any:
        out: dict[Any, list[Polynomial]] = {}
        for state, mass in q.items():
            for key, number in table.get(state, {}).items():
                if values[number]:
                    out.setdefault(key, []).append(values[number] * mass)
        return {key: x for key, parts in out.items() if (x := total(parts))}

    def _walk(
        self, h: int, uA: Memory, weight: Fraction, u: dict[Any, Polynomial], d: dict[Any, Polynomial], t: Polynomial
    ) -> None:
        mass, change = total(u.values()), total(d.values())
        if h == self.game.H:
            if change:
                self.ends.append((weight, exactly(change, self.factor, self.where), mass * 6 + t * change * 4))
            return
        every = list[tuple[Fraction, Any, Any]]()  # (chance, e_h/f, columns over f)
        for o in range(len(self.game.OA)):
            for a, chance in enumerate(self.policy[h][self.space.row(uA, o, True)]):
                if chance:
                    forward, compared = self.comparison.J[h][o, a], self.comparison.compared[h][o, a]
                    after, longer = self._applied(forward, self.star, u), self._applied(forward, self.here, d)
                    for key, entry in self._applied(forward, self.quotient, u).items():
                        longer[key] = longer[key] + entry if key in longer else entry
                    error = self._applied(compared, self.quotient, u).values()
                    if error and (after or self.summed):
                        vector = [exactly(x, self.factor, self.where) for x in error]
                        over = [[self.over[number] for number in compared.get(state, {}).values()] for state in u]
                        if self.summed:
                            every.append((chance, vector, over))
                        else:
                            self.steps.append(Step(weight * chance, merged(vector), mass, total(after.values()), over))
                    if after or longer:
                        self._walk(h + 1, self.space.next(uA, o, a, True), weight * chance, after, longer, t)
        if every:
            vector = [x * chance for chance, error, _ in every for x in error]
            over = [
                [x and x * chance for chance, _, columns in every for x in columns[k]] for k in range(len(every[0][2]))
            ]
            self.steps.append(Step(weight, merged(vector), mass, mass, over))


def merged(vector: list[Polynomial]) -> list[Polynomial]:
    """Return fewer entries with the same l1 norm everywhere: those that are multiples c p of one p become (the sum of
    |c|) p."""
    found: dict[Polynomial, Fraction] = {}
    for entry in vector:
        size, whole = primitive(entry)
        key = -whole if -whole in found else whole
        found[key] = found.get(key, Fraction(0)) + size
    return [whole * size for whole, size in found.items()]


class Step(NamedTuple):
    """This is what one step of play adds to the right side: e_h/f with its ``weight``, 1.u before and after, and the
    columns of its operator over f."""

    weight: Fraction
    error: list[Polynomial]
    before: Polynomial
    after: Polynomial
    columns: list[list[Polynomial | None]]

    def share(self, leaf: Leaf) -> Form:
        """Return an upper bound of w P*(after) (||e||_1/P*(before))^2.

        By Cauchy and Schwarz ||e||_1^2 <= sum e_i^2/l_i for positive l_i of sum 1; where P*(before) may vanish, e/P* is
        a mixture of columns and no larger than the largest.

        Raises ``Unbounded`` where a column that is needed has no quotient by f.
        """
        mass, after = leaf.form(self.before), leaf.form(self.after).times(self.weight)
        if mass.low > 0:
            error, scale = [leaf.form(x) for x in self.error], mass.reciprocal()
            sizes = [abs(x.centre) + x.reach // 4 + 1 for x in error]
            squares = [(x * x, Fraction(sum(sizes), size)) for x, size in zip(error, sizes, strict=True)]
            return combination(squares, leaf.dimension) * (after * scale * scale)
        if any(x is None for column in self.columns for x in column):
            raise Unbounded
        norms = (sum(leaf.form(x).magnitude().high for x in column if x) for column in self.columns)
        return after.times(Fraction(max(norms), ONE) ** 2)


def tangent(d: Form, size: Form, level: int) -> Form:
    """Return r (2d - r size), which d^2/size is at least for every r: (d - r size)^2 >= 0, and where size = 0 so is d,
    at a pair of models. Here r is the linear part of d/size, or of d over the largest size where size may vanish; with
    ``level`` it is the centre of that part."""
    if size.high <= 0:
        return constant(0, len(d.slopes))
    best = d * (size.reciprocal() if size.low > 0 else constant(Fraction(ONE, size.high), len(d.slopes)))
    none = constant(0, len(d.slopes))
    r = Form(best.centre, none.slopes if level else best.slopes, none.bends, 0)
    return r * (d.times(2) - r * size)
