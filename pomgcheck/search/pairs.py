"""Pairs of models of a class with interval axes: charts, quotients, and their enclosures on boxes (FORMAT.md, rule
``pairs``).

The kernel builds the same charts from the model by other code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from pomgcheck.search.exact.boxes import Box
from pomgcheck.search.exact.forms import Floats, Forms, constant, coordinate
from pomgcheck.search.exact.polynomials import Monomial, Ring, Terms, added, multiplied, primitive, spelled

STEP = "t"
BARELY = 1e-12  # negative by less: the kernel may find that a box touches the class


@dataclass
class Divisors:
    """This says what the symbols 1/(D) stand for."""

    terms: dict[str, Terms] = field(default_factory=dict)

    def substituted(self, p: Mapping[Monomial, Fraction], values: Mapping[str, Terms]) -> Terms:
        """Return ``p`` with polynomials in the place of some names, in divisors too."""
        out: Terms = {}
        for key, c in p.items():
            term: Terms = {(): c}
            for name in key:
                if name in self.terms:
                    divisor = self.substituted(self.terms[name], values)
                    whole = primitive(divisor)
                    content = next(x / whole[k] for k, x in divisor.items())
                    symbol = f"1/({spelled(whole)})"
                    self.terms[symbol] = {k: Fraction(x) for k, x in whole.items()}
                    term = multiplied(term, {(symbol,): 1 / content})
                else:
                    term = multiplied(term, values.get(name, {(name,): Fraction(1)}))
            out = added(out, term)
        return out

    def without_step(self, p: Terms) -> Terms:
        """Return p/t for a multiple of t."""
        symbols = sorted({name for key in p for name in key if name in self.terms})
        back: Terms = {(): Fraction(1)}
        for symbol in symbols:
            most = max(key.count(symbol) for key in p)
            out: Terms = {}
            for key, c in p.items():
                rest: Terms = {tuple(name for name in key if name != symbol): c}
                for _ in range(most - key.count(symbol)):
                    rest = multiplied(rest, self.terms[symbol])
                out = added(out, rest)
            p, back = out, multiplied(back, {(symbol,) * most: Fraction(1)})
        stripped = {}
        for key, c in p.items():
            place = key.index(STEP)
            stripped[(*key[:place], *key[place + 1 :])] = c
        return multiplied(stripped, back)

    def names(self, p: Mapping[Monomial, Fraction]) -> set[str]:
        """Return the parameters of p, in its divisors too."""
        found = {name for key in p for name in key}
        inside = [self.names(self.terms[name]) for name in found if name in self.terms]
        return {name for name in found if name not in self.terms}.union(*inside)


@dataclass
class Region:
    """A region is a box over the parameters in use, and affine constraints on them."""

    box: Box
    constraints: list[Terms]


@dataclass
class Chart:
    """A chart is as in the rule: x' = ``shift`` of the coordinates of ``box`` and t, the difference of ``step`` or
    1."""

    box: Box
    shift: dict[str, Terms]
    step: tuple[str, str] | None
    constraints: list[Terms]
    divisors: Divisors

    @property
    def axes(self) -> list[str]:
        """Return the coordinates of the chart, sorted."""
        return sorted(self.box)

    def quotient(self, star: Terms, here: Terms) -> Terms:
        """Return (here(x') - star(x))/t."""
        moved = added(self.divisors.substituted(here, self.shift), star, -1)
        return moved if self.step is None else self.divisors.without_step(moved)

    def over(self, tree: Any, factor: Terms) -> Any:
        """Return the tree, below a common factor if there is one."""
        terms = [[str(c), *key] for key, c in sorted(factor.items())]
        return tree if factor == {(): 1} else ["over", terms, tree]

    def models(self, point: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the coordinates of both models at a point of the chart, in the numbers of the point."""
        t = point[self.step[0]] - point[self.step[1]] if self.step else 1
        star = {name: x for name, x in point.items() if "'" not in name and "/" not in name}
        here = dict(star)
        for name, terms in self.shift.items():
            here[name] = sum(c * prod(t if n == STEP else point[n] for n in key) for key, c in terms.items())
        return star, here


def charts(star: Region, here: Region | None, divisors: Divisors, still: Collection[str] = ()) -> Iterator[Chart]:
    """Return the charts of a region with itself (``here`` is None) or with another."""
    one = Fraction(1)
    if here is not None:
        moving = {name: ends for name, ends in here.box.items() if name not in still}
        shared = {name: ends for name, ends in here.box.items() if name in still}
        box, shift = star.box | shared, dict[str, Terms]()
        for name, (low, high) in moving.items():
            same = star.box.get(name) == (low, high)
            axis = f"{name}'-{name}" if same else f"{name}'"
            box = box | {axis: (low - high, high - low) if same else (low, high)}
            shift[name] = {(axis,): one, (name,): one} if same else {(axis,): one}
        yield _limited(Chart(box, shift, None, [], divisors), star, here)
        return
    width = {name: high - low for name, (low, high) in star.box.items() if low < high and name not in still}
    for k in width:
        slopes = {j: f"{j}/{k}" for j in width if j != k}
        shift = {j: {(j,): one, tuple(sorted((STEP, v))): one} for j, v in slopes.items()}
        ends = {v: (-width[j] / width[k], width[j] / width[k]) for j, v in slopes.items()}
        whole = star.box | {f"{k}'": star.box[k]} | ends
        own: dict[str, Terms] = {k: {(k,): one, (STEP,): one}}
        yield _limited(Chart(whole, shift | own, (f"{k}'", k), [], divisors), star, star)


def _limited(chart: Chart, star: Region, here: Region) -> Chart:
    sides = []
    for name, terms in chart.shift.items():
        low, high = here.box[name]
        sides += [added(terms, {(): low}, -1), added({(): high}, terms, -1)]
    own = [*star.constraints, *(chart.divisors.substituted(c, chart.shift) for c in here.constraints)]
    known = {*chart.box, STEP}
    chart.constraints = [c for c in [*sides, *own] if chart.divisors.names(c) <= known]
    return chart


def reduced(chart: Chart, polynomials: list[Terms]) -> tuple[Terms, list[Terms]]:
    """Return a factor that they have in common and that may vanish on the chart, else 1; and what is left of each."""
    one: Terms = {(): Fraction(1)}
    names = sorted({name for p in polynomials for key in p for name in key})
    if not names:
        return one, polynomials
    ring = Ring(names, {})
    found = [ring.of_terms(p) for p in polynomials]
    common = ring.zero
    for p in found:
        common = common.gcd(p)
    terms = ring.terms(common)
    symbols = {name: min(key.count(name) for key in terms) for name in names if name in chart.divisors.terms}
    common /= ring.of_terms({tuple(name for name, power in symbols.items() for _ in range(power)): 1})
    factor = ring.terms(common)
    if {*symbols} & {name for key in factor for name in key} or not _vanishes(chart, factor):
        return one, polynomials
    return factor, [ring.terms(p / common) for p in found]


def _vanishes(chart: Chart, factor: Terms) -> bool:
    """Return whether a polynomial may be zero somewhere in the chart, as far as its enclosure says."""
    ends = [np.array([[float(chart.box[a][k]) for a in chart.axes]]) for k in (0, 1)]
    form = Leaves(chart, ends[0], ends[1]).form(factor)
    return bool(form.low[0] <= 0 <= form.high[0])


class Evaluated:
    """These are polynomials in numbers of some kind, from those of the axes of a chart and from one."""

    def __init__(self, chart: Chart, axes: dict[str, Any], zero: Any, one: Any) -> None:
        self.divisors, self.values, self.zero = chart.divisors, axes, zero
        self.t = self.values[STEP] = axes[chart.step[0]] - axes[chart.step[1]] if chart.step else one
        self.monomials: dict[Monomial, Any] = {(): one}

    def form(self, p: Mapping[Monomial, Fraction]) -> Any:
        """Return a polynomial in these numbers."""
        out = self.zero
        for key in sorted(p):
            out = out + self.multiple(self.monomial(key), float(p[key]))
        return out

    def monomial(self, key: Monomial) -> Any:
        """Return a monomial in these numbers, its divisors included."""
        if key not in self.monomials:
            name = key[-1]
            if name not in self.values:
                self.values[name] = self.inverse(self.form(self.divisors.terms[name]))
            self.monomials[key] = self.monomial(key[:-1]) * self.values[name]
        return self.monomials[key]

    def multiple(self, x: Any, number: float) -> Any:
        """Return x times a number."""
        return x * number

    def inverse(self, x: Any) -> Any:
        """Return 1/x."""
        return 1 / x


class Leaves(Evaluated):
    """These are enclosures on N boxes of a chart, with ``low`` and ``high`` of shape (N, d)."""

    def __init__(self, chart: Chart, low: Floats, high: Floats) -> None:
        self.like = low.shape[0], low.shape[1]
        axes = {name: coordinate(low, high, k) for k, name in enumerate(chart.axes)}
        super().__init__(chart, axes, constant(0, self.like), constant(1, self.like))
        self.outside = np.zeros(len(low), dtype=bool)
        for c in chart.constraints:
            self.outside |= self.form(c).high < -BARELY

    def multiple(self, x: Forms, number: float) -> Forms:
        """Return x times a number."""
        return x.times(number)

    def inverse(self, x: Forms) -> Forms:
        """Return 1/x."""
        sign = 1.0 if x.centre[0] > 0 else -1.0
        return x.times(sign).reciprocal().times(sign)


class Places(Evaluated):
    """These are values at N points of a chart, (N, d): what ``Leaves`` has for its centres on boxes without extent."""

    def __init__(self, chart: Chart, points: Floats) -> None:
        axes = {name: points[:, k] for k, name in enumerate(chart.axes)}
        super().__init__(chart, axes, np.zeros(len(points)), np.ones(len(points)))
        self.outside = np.zeros(len(points), dtype=bool)
        for c in chart.constraints:
            self.outside |= self.form(c) < -BARELY


class Polynomials:
    """These are many polynomials, enclosed together: every monomial is added to all that have it, in the order of
    ``form``."""

    def __init__(self, given: list[Terms]) -> None:
        self.distinct: dict[str, int] = {}
        self.numbers = [self.distinct.setdefault(str(sorted(p.items())), len(self.distinct)) for p in given]
        found: dict[Monomial, dict[int, float]] = {}
        for p, number in zip(given, self.numbers, strict=True):
            for key, c in p.items():
                found.setdefault(key, {})[number] = float(c)
        self.rows = [(key, np.array([*found[key]]), np.array([*found[key].values()])) for key in sorted(found)]

    def on(self, leaves: Leaves) -> Enclosed:
        """Return the enclosures of all the polynomials, on some leaves."""
        boxes, axes = leaves.like
        zero = constant(0, (len(self.distinct) * boxes, axes))
        parts = [x.reshape(len(self.distinct), boxes, *x.shape[1:]) for x in zero.parts]
        for key, rows, c in self.rows:
            form = leaves.monomial(key)
            for part, values, scale in zip(parts, form.parts, (c, c, c, np.abs(c)), strict=True):
                part[rows] += scale.reshape(-1, *[1] * values.ndim) * values
        return Enclosed(self.numbers, *parts)

    def at(self, places: Places) -> Floats:
        """Return the values of the polynomials given, (M, N)."""
        out = np.zeros((len(self.distinct), len(places.monomials[()])))
        for key, rows, c in self.rows:
            out[rows] += c[:, None] * places.monomial(key)
        values: Floats = out[self.numbers]
        return values


@dataclass
class Enclosed:
    """These are polynomials on N boxes: of the distinct ones ``centre`` (P, N), ``slopes`` (P, N, d), ``bends`` and
    ``radius``."""

    numbers: list[int]
    centres: Floats
    slopes: Floats
    bends: Floats
    radii: Floats

    def stacked(self, chosen: Sequence[int]) -> Forms:
        """Return some of the polynomials one after another, with N boxes each."""
        rows = [self.numbers[k] for k in chosen]
        parts = (x[rows] for x in (self.centres, self.slopes, self.bends, self.radii))
        return Forms(*(x.reshape(len(rows) * x.shape[1], *x.shape[2:]) for x in parts))
