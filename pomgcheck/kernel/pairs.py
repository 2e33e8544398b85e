"""Rule ``pairs``: what holds for all pairs of models of a class with interval axes, the diagonal included.

Two models of one cell are x and x' = x + t v.  The *chart* of an axis k holds the pairs whose difference, in lengths of
the axes, is largest along k: its coordinates are x, x'_k and the slopes v_j = (x'_j - x_j)/(x'_k - x_k), v_k = 1 and
t = x'_k - x_k, so that the charts cover all pairs x != x'.  A polynomial's difference p(x') - p(x) is t times a
polynomial, its *quotient*; an inequality homogeneous in the difference is divided by t and asked at t = 0 as well.  Two
models of different cells have t = 1; along an axis that both cells have whole the coordinates are x and x' - x, since
cells that differ little in the rest (two responses) nearly agree wherever x' = x, and boxes are then long along it.
Where all differences have a common factor more, ``over`` divides by it too.  A tree cuts a chart into boxes on which
quadratic enclosures decide.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from .boxes import MAX_DEPTH, Box, Region, halves, of_terms
from .polynomials import Inverse, Polynomial, divided, divisors, parameters, polynomial, substituted, variable, without
from .reading import Malformed, require, sequence
from .rows import SparseRow

if TYPE_CHECKING:
    from .forms import Form

STEP = "t"  # x'_k - x_k; no parameter has this name


class Chart(NamedTuple):
    """A chart has coordinates ``box``; ``shift`` gives x' in these and t, which is the difference of the two
    coordinates ``step``, or 1. ``constraints`` are nonnegative at every pair of the class."""

    box: Box
    shift: Mapping[str, Polynomial]
    step: tuple[str, str] | None
    constraints: tuple[Polynomial, ...]

    def written_out(self, x: object) -> Any:
        """Return a polynomial over the chart with t written as the difference of coordinates that it is."""
        if not isinstance(x, Polynomial) or STEP not in parameters(x):
            return x
        t = variable(self.step[0]) - variable(self.step[1]) if self.step else polynomial(1)
        return substituted(x, {STEP: t})

    def quotient(self, star: Polynomial, here: Polynomial) -> Polynomial:
        """Return (here(x') - star(x))/t."""
        moved = substituted(here, self.shift) - star
        if self.step is None:
            return moved
        whole, symbols = moved, Polynomial({(): 1})
        for symbol in divisors([moved]):
            whole, power = without(whole, symbol)  # what is left may have lost another divisor too
            symbols = symbols * Polynomial({(symbol,) * power: 1})
        return exactly(whole, variable(STEP), "quotient") * symbols


def charts(star: Region, here: Region | None, still: Collection[str] = ()) -> Iterator[Chart]:
    """Yield the charts of all pairs of different points of one region (where ``here`` is ``None``), or the one chart of
    pairs with a point in each of two regions; both models share the axes ``still``."""
    if here is not None:
        moving = {name: ends for name, ends in here.box.items() if name not in still}
        shared = {name: ends for name, ends in here.box.items() if name in still}
        box, shift = dict(star.box | shared), {}
        for name, (low, high) in moving.items():
            same = star.box.get(name) == (low, high)
            own = f"{name}'-{name}" if same else f"{name}'"
            box[own] = (low - high, high - low) if same else (low, high)
            shift[name] = variable(own) + variable(name) * int(same)
        yield limited(Chart(box, shift, None, ()), star, here)
        return
    width = {name: high - low for name, (low, high) in star.box.items() if low < high and name not in still}
    for k in width:
        slopes = {j: f"{j}/{k}" for j in width if j != k}
        shift = {j: variable(j) + variable(STEP) * variable(v) for j, v in slopes.items()}
        ends = {v: (-width[j] / width[k], width[j] / width[k]) for j, v in slopes.items()}
        whole = star.box | {f"{k}'": star.box[k]} | ends
        yield limited(Chart(whole, shift | {k: variable(k) + variable(STEP)}, (f"{k}'", k), ()), star, star)


def limited(chart: Chart, star: Region, here: Region) -> Chart:
    """Return the chart with what is nonnegative at pairs of the class: x' lies in its box, and the class has
    constraints of its own."""
    sides = [p - here.box[j][0] for j, p in chart.shift.items()] + [-p + here.box[j][1] for j, p in chart.shift.items()]
    own = [*star.constraints, *(substituted(c, chart.shift) for c in here.constraints)]
    known = {*chart.box, STEP}
    return chart._replace(constraints=tuple(c for c in [*sides, *own] if {*c.axes} <= known))


@lru_cache(maxsize=1 << 14)
def terms(p: Polynomial) -> list[tuple[tuple[Any, ...], int | Fraction]]:
    """Return the monomials and coefficients of p, sorted; they are kept, since a tree of boxes asks for them on every
    box."""
    return sorted(p.items())


class Leaf:
    """A leaf encloses polynomials on one box of a chart; ``t`` encloses the step."""

    def __init__(self, chart: Chart, box: Box) -> None:
        from .forms import constant, coordinate

        axes = sorted(box)
        self.box, self.dimension = box, len(axes)
        self.values: dict[Any, Form] = {name: coordinate(*box[name], k, self.dimension) for k, name in enumerate(axes)}
        one = constant(1, self.dimension)
        self.t = self.values[chart.step[0]] - self.values[chart.step[1]] if chart.step else one
        self.values[STEP], self.monomials = self.t, {(): one}
        self.forms: dict[Polynomial, Form] = {}
        self.outside = any(self.form(c).high < 0 for c in chart.constraints)

    def __str__(self) -> str:
        return ", ".join(f"{name} in [{low}, {high}]" for name, (low, high) in self.box.items())

    def form(self, p: Polynomial) -> Form:
        """Return the enclosure of a polynomial on the box.

        Raises ``Unbounded`` where a divisor may vanish.
        """
        from .forms import combination

        if p not in self.forms:
            self.forms[p] = combination([(self.monomial(key), c) for key, c in terms(p)], self.dimension)
        return self.forms[p]

    def monomial(self, key: tuple[Any, ...]) -> Form:
        """Return the enclosure of a product of parameters and of inverses of divisors on the box."""
        if key not in self.monomials:
            self.monomials[key] = self.monomial(key[:-1]) * self.value(key[-1])
        return self.monomials[key]

    def value(self, name: object) -> Form:
        """Return the enclosure of a parameter, or of the inverse of a divisor, on the box."""
        if name not in self.values and isinstance(name, Inverse):
            divisor = self.form(name.divisor)
            sign = 1 if divisor.centre > 0 else -1
            self.values[name] = divisor.times(sign).reciprocal().times(sign)
        return self.values[name]


def over(chart: Chart, tree: object, where: str) -> tuple[Polynomial, Any]:
    """Return f and the tree below ``["over", terms of f, tree]``, where both sides are divided by t f in place of t;
    for any other tree f is 1.

    Raises ``Malformed`` where f is zero.
    """
    match sequence(tree, where):
        case ["over", terms, below]:
            factor = of_terms(terms, {*chart.box, STEP}, where)
            require(bool(factor), where, "the factor 0", "a polynomial that is not zero")
            return factor, below
    return polynomial(1), tree


def exactly(p: Polynomial, factor: Polynomial, where: str) -> Polynomial:
    """Return p/factor.

    Raises ``Malformed`` where a remainder is left.
    """
    out = divided(p, factor)
    if out is None:
        raise Malformed(where, "a factor that leaves a remainder", "a common factor of all differences")
    return out


def cover(chart: Chart, tree: object, where: str, check: Callable[[Leaf, list[Any]], None]) -> None:
    """Call ``check`` on every leaf of the tree of boxes, but for those that hold no pair of the class.

    ``["split", axis, "t", below, above]`` cuts the box at axis = t; any other node is a leaf.
    """

    def walk(node: list[Any], box: Box, depth: int) -> None:
        match node:
            case ["split", str(axis), at, below, above] if axis in box and depth < MAX_DEPTH:
                for part, half in zip(halves(box, axis, at, where), (below, above), strict=True):
                    walk(sequence(half, where), part, depth + 1)
            case _:
                leaf = Leaf(chart, box)
                if not leaf.outside:
                    check(leaf, node)

    walk(sequence(tree, where), chart.box, 0)


class Entries:
    """This numbers the entries of two tables over a chart: at each number are the polynomial of the first and the
    quotient."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.numbers: dict[tuple[Polynomial, Polynomial], int] = {}
        self.polynomials: list[tuple[Polynomial, Polynomial]] = []

    def number(self, star: object, here: object) -> int:
        """Return the number of an entry of the first table and one of the second; a new pair gets the next number."""
        pair = polynomial(star), polynomial(here)
        if pair not in self.numbers:
            self.numbers[pair] = len(self.polynomials)
            self.polynomials.append((pair[0], self.chart.quotient(*pair)))
        return self.numbers[pair]

    def table(self, star: Mapping[Any, Any], here: Mapping[Any, Any]) -> dict[Any, Any]:
        """Return nested objects of entries as numbers; an entry that is missing is zero."""
        out: dict[Any, Any] = {}
        for key in [*star, *(key for key in here if key not in star)]:
            left, right = star.get(key, {}), here.get(key, {})
            nested = isinstance(left or right, dict)
            out[key] = self.table(left, right) if nested else self.number(left or 0, right or 0)
        return out

    def moves(self, table: Mapping[Any, Any]) -> bool:
        """Return whether some entry of the table has a quotient that is not zero."""
        return any(self.moves(x) if isinstance(x, dict) else bool(self.polynomials[x][1]) for x in table.values())


def used(table: object) -> list[str]:
    """Return the parameters in a nest of entries."""
    if isinstance(table, Polynomial):
        return parameters(table)
    if isinstance(table, SparseRow):
        return used([x for _, x in table.entries])
    nested = table.values() if isinstance(table, dict) else table if isinstance(table, list | tuple) else ()
    return sorted({name for entry in nested for name in used(entry)})
