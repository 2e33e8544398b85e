"""Compares families of models along a chart (Assumption 3.1(e) on interval axes), and bounds KL - c Delta on its boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from pomgcheck.search.box_trees import BoxTree
from pomgcheck.search.continuum import Continuum
from pomgcheck.search.exact.forms import Floats, Forms, constant, largest, slack, summed, total
from pomgcheck.search.exact.polynomials import Ring, Terms
from pomgcheck.search.pairs import STEP, Chart, Divisors, Enclosed, Leaves, Places, Polynomials, Region, reduced

ROWS = 20_000  # enclosures held at once
Table = dict[Any, dict[Any, Terms]]
Shear = Mapping[str, Mapping[str, str]]  # x -> {e: c}, as certificates write it


@dataclass
class Family:
    """A family is one cell under one policy: at each step, by (o, a) and pure state, the entries of J and of the
    compared operator."""

    cell: int
    part: Region
    J: list[dict[tuple[int, int], Table]]
    compared: list[dict[tuple[int, int], Table]]


def shears(c: Continuum, p: int, world: bool) -> dict[str, dict[str, str]]:
    """Return coordinates x - sum c_e e in which the tables of a policy leave the axes e out.

    The tables are constant along a direction for each e, found as the null space of all partial derivatives.
    """
    from flint import fmpq, fmpq_mat

    ring = c.ring
    polynomials = {
        str(x): x
        for rows in tables(c, p, world).values()
        for _, _, J, W in rows
        for column in (*J.values(), *W.values())
        for x in column.values()
    }.values()
    names = sorted({name for x in polynomials for name in ring.parameters(x)})
    rows: dict[Any, list[Fraction]] = {}
    for number, x in enumerate(polynomials):
        for k, name in enumerate(names):
            for key, value in ring.terms(ring.derivative(x, name)).items():
                rows.setdefault((number, key), [Fraction(0)] * len(names))[k] = value
    if not rows:
        return {}
    reduced, rank = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in row] for row in rows.values()]).rref()
    pivots = [next(j for j in range(len(names)) if reduced[i, j] != 0) for i in range(rank)]
    out: dict[str, dict[str, str]] = {}
    for i, pivot in enumerate(pivots):
        for j in range(pivot + 1, len(names)):
            if reduced[i, j] != 0:
                out.setdefault(names[pivot], {})[names[j]] = str(Fraction(int(-reduced[i, j].p), int(reduced[i, j].q)))
    return out


def tables(c: Continuum, p: int, world: bool) -> dict[tuple[int, int], list[tuple[int, tuple[int, int], Any, Any]]]:
    """Return (h, (o, a), J, compared operator) of every cell of models, by each pure state that some model can
    reach."""
    game = c.game
    out: dict[tuple[int, int], list[tuple[int, tuple[int, int], Any, Any]]] = {xi: [] for xi in c.models}
    reached = sorted(c.initial())
    for h in range(game.H):
        played = [a for a in range(len(game.A)) if any(row[a] for row in game.policies[p][h])]
        after: set[tuple[int, int]] = set()
        for xi in c.models:
            for o, a in product(range(len(game.OA)), played):
                J, W = {}, {}
                for s, m in reached:
                    J[s, m] = {key: x for key, x in c.step(xi, p, h, o, a, {(s, m): c.ring.one}).items() if x != 0}
                    after |= {*J[s, m]}
                    W[s, m] = c.channel(xi[0], h, o, a, s)
                out[xi].append((h, (o, a), J, W if world else J))
        reached = sorted(after)
    return out


def families(c: Continuum, p: int, world: bool, shear: Shear, divisors: Divisors) -> list[Family]:
    """Return the cells of Xi as far as a policy's play depends on them, equal ones once."""
    values: dict[str, Terms] = {}
    for name, terms in shear.items():
        values[name] = {(other,): Fraction(x) for other, x in terms.items()}
        values[name][(name,)] = Fraction(1)
    found: dict[Any, Family] = {}
    for number, (xi, rows) in enumerate(tables(c, p, world).items()):
        cell = c.cell_of(xi)
        box = dict(cell.box)
        for name, terms in shear.items():
            ends = [sorted(Fraction(x) * end for end in cell.box[other]) for other, x in terms.items()]
            box[name] = box[name][0] - sum(e[1] for e in ends), box[name][1] - sum(e[0] for e in ends)
        J: list[Any] = [{} for _ in range(c.game.H)]
        compared: list[Any] = [{} for _ in range(c.game.H)]
        names: set[str] = set()
        for h, place, forward, channel in rows:
            for out, given in ((J, forward), (compared, channel)):
                out[h][place] = {
                    state: {key: divisors.substituted(c.ring.terms(x), values) for key, x in column.items()}
                    for state, column in given.items()
                }
                names |= {n for col in out[h][place].values() for x in col.values() for n in divisors.names(x)}
        box = {name: box[name] for name in sorted(names)}
        constraints = [divisors.substituted({k: Fraction(v) for k, v in terms}, values) for terms in cell.constraints]
        part = Region(box, [x for x in constraints if divisors.names(x) <= names])
        key = str((list(box.items()), [sorted(x.items()) for x in part.constraints], ordered(J), ordered(compared)))
        found.setdefault(key, Family(number, part, J, compared))
    return list(found.values())


def ordered(tables: list[Any]) -> Any:
    """Return tables as sorted lists, so that equal ones have one text."""
    return [
        [
            (place, [(s, [(k, sorted(x.items())) for k, x in sorted(col.items())]) for s, col in sorted(table.items())])
            for place, table in sorted(step.items())
        ]
        for step in tables
    ]


class Comparison:
    """A comparison is about all pairs of models of two families, in one chart and under one policy: it has both sides
    as polynomials over t^2 f^2.

    ``ends`` has (weight, 1.d_H/f, 2 P* + 4 P) for each trajectory. ``steps`` has, for each prefix and pair (o, a), the
    weight, e_h/f, 1.u before and after the pair, and the columns of the compared operator over f, or None where f does
    not divide them. With ``all_pairs`` there is one step per prefix: its e_h is made of those of all pairs, each times
    the chance of its action, and P* after it is P* before.
    """

    def __init__(self, c: Continuum, p: int, star: Family, here: Family, chart: Chart, all_pairs: bool) -> None:
        self.c, self.p, self.chart, self.all_pairs = c, p, chart, all_pairs
        self.cells = star.cell, here.cell
        self.entries: list[tuple[Terms, Terms, Terms]] = []  # at x, the quotient, and at x'
        self.numbers: dict[str, int] = {}
        self.compared = [self._numbered(x, y) for x, y in zip(star.compared, here.compared, strict=True)]
        self.moves = any(quotient for _, quotient, _ in self.entries)
        self.J = [self._numbered(x, y) for x, y in zip(star.J, here.J, strict=True)]
        self.ends: list[tuple[float, Terms, Terms]] = []
        self.steps: list[tuple[float, list[Terms], Terms, Terms, list[list[Terms]] | None]] = []
        self.factor: Terms = {(): Fraction(1)}
        if self.moves:
            self._play()

    def _numbered(self, star: Any, here: Any) -> Any:
        out: Any = {}
        for place in star:
            out[place] = {}
            for state in star[place]:
                left, right = star[place][state], here[place][state]
                out[place][state] = {
                    key: self._number(left.get(key, {}), right.get(key, {}))
                    for key in [*left, *(k for k in right if k not in left)]
                }
        return out

    def _number(self, star: Terms, here: Terms) -> int:
        key = str((sorted(star.items()), sorted(here.items())))
        if key not in self.numbers:
            self.numbers[key] = len(self.entries)
            moved = self.chart.divisors.substituted(here, self.chart.shift)
            self.entries.append((star, self.chart.quotient(star, here), moved))
        return self.numbers[key]

    def _play(self) -> None:
        """Play every trajectory, in exact polynomials, and fill ``ends`` and ``steps``."""
        names = sorted({STEP, *(name for row in self.entries for p in row for key in p for name in key)})
        ring, c = Ring(names, {}), self.c
        star, quotient, here = ([ring.of_terms(row[k]) for row in self.entries] for k in range(3))
        t = ring.generators[STEP] if self.chart.step else ring.one
        ends: list[Any] = []
        steps: list[Any] = []

        def applied(table: Any, values: list[Any], q: Mapping[Any, Any]) -> dict[Any, Any]:
            out: dict[Any, Any] = {}
            for state, mass in q.items():
                for key, number in table[state].items():
                    out[key] = out.get(key, ring.zero) + values[number] * mass
            return {key: x for key, x in out.items() if x != 0}

        def walk(h: int, uA: int, weight: float, u: dict[Any, Any], d: dict[Any, Any]) -> None:
            mass, change = sum(u.values(), ring.zero), sum(d.values(), ring.zero)
            if h == c.game.H:
                if change != 0:
                    ends.append((weight, change, mass * 6 + t * change * 4))
                return
            every: list[tuple[Fraction, list[Any], list[list[Any]]]] = []  # (chance, e_h, columns)
            for o in range(len(c.game.OA)):
                for a, chance in enumerate(c.game.policies[self.p][h][c.learner.row[h][uA, o]]):
                    if chance:
                        forward, compared = self.J[h][o, a], self.compared[h][o, a]
                        after, longer = applied(forward, star, u), applied(forward, here, d)
                        for key, entry in applied(forward, quotient, u).items():
                            longer[key] = longer.get(key, ring.zero) + entry
                        error, chosen = applied(compared, quotient, u), weight * float(chance)
                        if error and (after or self.all_pairs):
                            columns = [[*applied(compared, quotient, {state: ring.one}).values()] for state in u]
                            if self.all_pairs:
                                every.append((chance, [*error.values()], columns))
                            else:
                                steps.append((chosen, [*error.values()], mass, sum(after.values(), ring.zero), columns))
                        if after or longer:
                            walk(h + 1, int(c.learner.next[h][uA, o, a]), chosen, after, longer)
            if every:
                whole = [x * ring.constant(chance) for chance, error, _ in every for x in error]
                columns = [
                    [x * ring.constant(chance) for chance, _, each in every for x in each[k]] for k in range(len(u))
                ]
                steps.append((weight, whole, mass, mass, columns))

        start = {(s, 0): ring.constant(m) for s, m in enumerate(c.game.rho0) if m}
        walk(0, 0, 1.0, start, {})
        quotients = [d for _, d, _ in ends] + [x for _, error, *_ in steps for x in error]
        self.factor, left = reduced(self.chart, [ring.terms(x) for x in quotients])
        rest = iter(left)
        self.ends = [(weight, next(rest), ring.terms(size)) for weight, _, size in ends]
        whole = ring.of_terms(self.factor)
        for weight, error, before, after, columns in steps:
            even = all(x % whole == 0 for column in columns for x in column)
            over = [[ring.terms(x / whole) for x in column] for column in columns] if even else None
            self.steps.append((weight, [next(rest) for _ in error], ring.terms(before), ring.terms(after), over))

    def sides(self, leaves: Leaves) -> Iterator[tuple[Forms, Forms]]:
        """Yield both sides on boxes: the left from below, in two ways, and the right from above."""
        enclosed = self._polynomials.on(leaves)
        right, count = self._right(leaves, enclosed), len(self.ends)
        d, size = enclosed.stacked(range(count)), enclosed.stacked(range(count, 2 * count))
        for level in (False, True):
            yield summed(tangent(d, size, level), 3 * self._weights[0], leaves.like), right

    @cached_property
    def _polynomials(self) -> Polynomials:
        """Return 1.d_H/f of every end, then 2 P* + 4 P of every end, then for every step P* after it, P* before it, and
        its error."""
        steps = [x for _, error, before, after, _ in self.steps for x in (after, before, *error)]
        return Polynomials([*(d for _, d, _ in self.ends), *(size for _, _, size in self.ends), *steps])

    @cached_property
    def _weights(self) -> tuple[Floats, Floats]:
        return np.array([weight for weight, *_ in self.ends]), np.array([weight for weight, *_ in self.steps])

    @cached_property
    def _alike(self) -> list[tuple[list[int], list[int]]]:
        """Return the steps by their number of errors, and where in the list of polynomials each begins."""
        place, found = 2 * len(self.ends), dict[int, tuple[list[int], list[int]]]()
        for number, (_, error, *_) in enumerate(self.steps):
            numbers, places = found.setdefault(len(error), ([], []))
            numbers.append(number)
            places.append(place)
            place += 2 + len(error)
        return [*found.values()]

    def _right(self, leaves: Leaves, enclosed: Enclosed) -> Forms:
        """Return the sum of the steps' shares."""
        boxes, axes = leaves.like
        whole = constant(0, (len(self.steps) * boxes, axes))
        for numbers, places in self._alike:
            last, mass, *error = (
                enclosed.stacked([place + k for place in places]) for k in range(2 + len(self.steps[numbers[0]][1]))
            )
            part = shares(error, mass, last)
            for k, number in enumerate(numbers):
                mine, rows = slice(k * boxes, (k + 1) * boxes), slice(number * boxes, (number + 1) * boxes)
                form, columns = part.rows(mine), self.steps[number][4]
                sure = mass.rows(mine).low > 0
                if columns is not None and not sure.all():
                    norms = [total((leaves.form(x).magnitude() for x in y), leaves.like).high for y in columns]
                    form = form.where(sure, last.rows(mine).times(np.max(norms, axis=0) ** 2))
                whole.put(rows, form)
        return summed(whole, self._weights[1], leaves.like)

    def evaluate(self, points: Floats) -> Floats:
        """Return the ratio at points. It is infinite where both models rule out what models near them use to tell them
        apart."""
        places, count = Places(self.chart, points), len(self.ends)
        left, right = np.zeros(len(points)), np.zeros(len(points))
        with np.errstate(all="ignore"):
            values = self._polynomials.at(places)
            for (weight, *_), d, size in zip(self.ends, values[:count], values[count : 2 * count], strict=True):
                left += np.where(d == 0, 0.0, 3 * weight * d**2 / np.maximum(size, 0.0))
            for numbers, starts in self._alike:
                for number, place in zip(numbers, starts, strict=True):
                    weight, error, *_, columns = self.steps[number]
                    last, mass = values[place : place + 2]
                    norm = np.abs(values[place + 2 : place + 2 + len(error)]).sum(0)
                    share = last * (norm / mass) ** 2
                    if columns is not None and not (mass > 0).all():
                        norms = [sum((np.abs(places.form(x)) for x in y), np.zeros(len(points))) for y in columns]
                        most = np.max(norms, axis=0)
                        share = np.where(mass > 0, share, last * most**2)
                    right += weight * share
            out = np.where(right > 0, left / right, np.inf)
        return np.where(places.outside, np.inf, out)

    def examine(self, low: Floats, high: Floats, most: float) -> tuple[Floats, Floats]:
        """Return what each box shows, at most ``most``, and the slack there."""
        rows = max(1, ROWS // (1 + len(self.ends) + len(self.steps)))
        parts = [self._examined(low[k : k + rows], high[k : k + rows], most) for k in range(0, len(low), rows)]
        return np.concatenate([value for value, _ in parts]), np.concatenate([slack for _, slack in parts])

    def _examined(self, low: Floats, high: Floats, most: float) -> tuple[Floats, Floats]:
        leaves = Leaves(self.chart, low, high)
        ends = np.full(len(low), most)
        found = [(largest(gap, most), slack(gap, ends)) for gap in self.sides(leaves)]
        value = np.where(leaves.outside, most, np.maximum(found[0][0], found[1][0]))
        return value, np.where(value >= most, 0.0, found[0][1])  # the sloped tangent's slack tells where to split

    def evidence(self, tree: BoxTree) -> Any:
        """Return a tree as certificates write it, below its common factor."""
        return self.chart.over(tree.evidence(), self.factor)


def tangent(d: Forms, size: Forms, level: bool) -> Forms:
    """Return a lower bound of d^2/size, as the kernel's ``tangent``."""
    like = len(d.centre), d.slopes.shape[1]
    none = constant(0, like)
    with np.errstate(all="ignore"):
        largest_size = constant(1, like).times(np.where(size.high > 0, 1 / size.high, 0.0))
    best = d * size.reciprocal().where(size.low > 0, largest_size)
    r = Forms(best.centre, none.slopes if level else best.slopes, none.bends, none.radius)
    return r * (d.times(2) - r * size)


def shares(error: list[Forms], mass: Forms, last: Forms) -> Forms:
    """Return an upper bound of P*(after) (||e||_1/P*(before))^2 for steps with equally many errors, as the kernel's
    ``Step.share``."""
    scale, like = mass.reciprocal(), (len(mass.centre), mass.slopes.shape[1])
    sizes = [np.abs(x.centre) + x.reach / 4 + 1e-28 for x in error]
    whole = np.sum(sizes, axis=0)
    squares = total(((x * x).times(whole / size) for x, size in zip(error, sizes, strict=True)), like)
    return squares * (last * scale * scale)
