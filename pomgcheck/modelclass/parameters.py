"""Reads the parameter set of one side of a class (Theta or Psi): axes, affine constraints, or listed points.

A set falls into *components*, groups of parameters that constraints tie together.  A component is a union of
*cells*: a choice of its finite axes, and the polytope that is left of its intervals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple, cast

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass.expressions import ExpressionRing, polynomial_text
from pomgcheck.modelclass.fields import at, describe
from pomgcheck.modelclass.polytopes import Halfspace, Polytope, polytope

MAX_POINTS = 1_000_000

Point = dict[str, Fraction]


class AxisInterval(NamedTuple):
    """This is a closed interval of one parameter."""

    low: Fraction
    high: Fraction


class Constraint(NamedTuple):
    """This is the constraint ``sum of slopes[name]·name + offset >= 0``, with its canonical text."""

    text: str
    slopes: dict[str, Fraction]
    offset: Fraction

    def value(self, point: Mapping[str, Fraction]) -> Fraction:
        """Return the left side at ``point``."""
        return sum((slope * point[name] for name, slope in self.slopes.items()), self.offset)


class ParameterCell(NamedTuple):
    """A cell has values of the finite parameters of some components, and the polytopes of their intervals."""

    point: Point
    polytopes: tuple[Polytope, ...] = ()


@dataclass(frozen=True)
class Parameters:
    """This is a nonempty parameter set; ``points``, when given, are all of it, and ``axes`` then only holds the names."""

    side: str
    axes: Mapping[str, tuple[Fraction, ...] | AxisInterval]
    constraints: tuple[Constraint, ...] = ()
    points: tuple[Point, ...] | None = None

    @property
    def finite(self) -> bool:
        """Return whether the set is a list of points."""
        return not any(isinstance(axis, AxisInterval) for axis in self.axes.values())

    def document(self) -> dict[str, Any]:
        """Return the canonical entries: ``points``, or ``parameters`` with its constraints."""
        if self.points is not None and self.axes:
            return {"points": [{name: str(value) for name, value in p.items()} for p in self.points]}
        axes = {
            name: {"interval" if isinstance(axis, AxisInterval) else "values": [str(value) for value in axis]}
            for name, axis in self.axes.items()
        }
        constraints = {"constraints": [c.text for c in self.constraints]} if self.constraints else {}
        return {"parameters": axes} | constraints

    @cached_property
    def _components(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups of names that constraints tie together; where the points are listed all names are one
        group."""
        if self.points is not None:
            return (tuple(self.axes),) if self.axes else ()
        group = {name: {name} for name in self.axes}
        for constraint in self.constraints:
            joined = set().union(*(group[name] for name in constraint.slopes))
            group.update(dict.fromkeys(joined, joined))
        return tuple(sorted({tuple(sorted(names)) for names in group.values()}))

    @cached_property
    def _cells_of(self) -> dict[tuple[str, ...], list[ParameterCell]]:
        return {names: list(self._component_cells(names)) for names in self._components}

    def _component_cells(self, names: tuple[str, ...]) -> Iterator[ParameterCell]:
        if self.points is not None:
            yield from map(ParameterCell, self.points)
            return
        choices = {n: axis for n in names if not isinstance(axis := self.axes[n], AxisInterval)}
        count = prod(len(values) for values in choices.values())
        if count > MAX_POINTS:
            raise LimitExceeded(self.side, "parameter points", count, MAX_POINTS, "list fewer values on an axis")
        intervals = {n: axis for n in names if isinstance(axis := self.axes[n], AxisInterval)}
        ties = [c for c in self.constraints if not c.slopes.keys().isdisjoint(names)]
        for values in product(*choices.values()):
            point = dict(zip(choices, values, strict=True))
            if intervals:
                body = self._slice(point, intervals, ties)
                if body.vertices:
                    yield ParameterCell(point, (body,))
            elif all(c.value(point) >= 0 for c in ties):
                yield ParameterCell(point)

    def _slice(self, point: Point, intervals: Mapping[str, AxisInterval], ties: Sequence[Constraint]) -> Polytope:
        """Return what the intervals and the constraints leave when the finite parameters are at ``point``."""
        names = tuple(intervals)
        sides = []
        for k, interval in enumerate(intervals.values()):
            unit = tuple(Fraction(int(k == j)) for j in range(len(names)))
            sides += [Halfspace(unit, -interval.low), Halfspace(tuple(-u for u in unit), interval.high)]
        for c in ties:
            fixed = sum((c.slopes[n] * value for n, value in point.items() if n in c.slopes), c.offset)
            sides.append(Halfspace(tuple(c.slopes.get(n, Fraction(0)) for n in names), fixed))
        return polytope(names, sides, self.side)

    def cells(self, names: Iterable[str]) -> Iterator[ParameterCell]:
        """Yield cells that cover the set, in the components of ``names`` alone (the others are never empty)."""
        wanted = set(names)
        touched = [cells for group, cells in self._cells_of.items() if not wanted.isdisjoint(group)]
        count = prod(map(len, touched))
        if count > MAX_POINTS:
            raise LimitExceeded(self.side, "parameter points", count, MAX_POINTS, "list fewer values on an axis")
        for parts in product(*touched):
            point = {name: value for part in parts for name, value in part.point.items()}
            yield ParameterCell(point, tuple(body for part in parts for body in part.polytopes))

    def hull(self, names: Sequence[str]) -> ParameterCell:
        """Return the smallest box around the set in the coordinates ``names``, as one cell."""
        sides = []
        for name in names:
            axis = [p[name] for p in self.points] if self.points is not None else self.axes[name]
            ends = sorted({min(axis), max(axis)})
            facets = tuple(frozenset({k}) for k in range(len(ends)))
            sides.append(Polytope((name,), tuple((end,) for end in ends), facets))
        return ParameterCell({}, tuple(sides))

    def count(self) -> int | None:
        """Return |Theta| or |Psi|, or ``None`` when the set is not finite."""
        return prod(map(len, self._cells_of.values())) if self.finite else None

    def check_nonempty(self) -> None:
        """Refuse a set without a point."""
        for names, cells in self._cells_of.items():
            if not cells:
                raise InputError(
                    f"{self.side}.constraints",
                    f"no point of {', '.join(names)} that meets them",
                    "a class with at least one point",
                    "loosen a constraint or widen an axis",
                )


# ------------------------------------------------------------------------------------------- reading

NUMBERS = ExpressionRing()  # expressions without parameters


def number(value: Any, where: str, ring: ExpressionRing = NUMBERS) -> Fraction:
    """Return the exact constant that a document's entry spells, in the knobs of ``ring``."""
    if not isinstance(value, str | int):
        raise InputError(where, describe(value), "an exact number")
    return cast(Fraction, ring.constants.read(str(value), where).value)  # a ring without names makes nothing else


def parameter_names(part: Mapping[str, Any], side: str) -> tuple[str, ...]:
    """Return the names declared by ``parameters``, or else by the first of ``points``, sorted."""
    declared = part.get("parameters")
    points = part.get("points")
    where = f"{side}.parameters"
    if declared is None and points is not None:
        where = f"{side}.points"
        if not isinstance(points, list) or not points:
            raise InputError(where, describe(points), "an array of at least one point")
        declared, where = points[0], f"{where}[0]"
    if declared is None:
        return ()
    if not isinstance(declared, dict):
        raise InputError(where, describe(declared), "a table of parameters by name")
    for name in declared:
        check_name(name, where, "parameter")
    return tuple(sorted(declared))


def check_name(name: str, where: str, what: str) -> None:
    """Refuse a name that expressions could not use."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII) is None:
        raise InputError(where, f'the {what} name "{name}"', "a letter or _, then letters, digits and _")


def read_parameters(part: Mapping[str, Any], side: str, ring: ExpressionRing) -> Parameters:
    """Return the parameter set that ``parameters``, ``constraints`` and ``points`` of one side describe."""
    declared = part.get("parameters", {})
    axes = {name: _axis(declared[name], at(f"{side}.parameters", name), ring) for name in sorted(declared)}
    constraints = _constraints(part.get("constraints", []), f"{side}.constraints", ring)
    if "points" in part:
        points = _points(part["points"], f"{side}.points", ring, axes, constraints)
        return Parameters(side, dict.fromkeys(ring.names, ()), (), points)
    parameters = Parameters(side, axes, constraints)
    parameters.check_nonempty()
    return parameters


def _axis(axis: Any, where: str, ring: ExpressionRing) -> tuple[Fraction, ...] | AxisInterval:
    if not isinstance(axis, dict) or len(axis) != 1 or next(iter(axis)) not in ("values", "interval"):
        found = f"the keys {', '.join(axis)}" if isinstance(axis, dict) and axis else describe(axis)
        listed = axis if isinstance(axis, list) else [axis]
        plain = 0 < len(listed) < 9 and all(isinstance(entry, str | int) for entry in listed)
        fix = f"write {{ values = {json.dumps(listed, ensure_ascii=False)} }}" if plain else ""
        raise InputError(where, found, "either values = [...] or interval = [low, high]", fix)
    ((kind, entries),) = axis.items()
    where = f"{where}.{kind}"
    if not isinstance(entries, list) or not entries or (kind == "interval" and len(entries) != 2):
        raise InputError(where, describe(entries), "[low, high]" if kind == "interval" else "at least one value")
    values = tuple(number(entry, f"{where}[{k}]", ring) for k, entry in enumerate(entries))
    if kind == "interval":
        if values[0] > values[1]:
            raise InputError(where, f"[{values[0]}, {values[1]}]", "the lower end first")
        return AxisInterval(*values) if values[0] < values[1] else values[:1]
    for k, value in enumerate(values):
        if value in values[:k]:
            raise InputError(f"{where}[{k}]", f"the value {value} twice", "distinct values")
    return values


def _constraints(entries: Any, where: str, ring: ExpressionRing) -> tuple[Constraint, ...]:
    """Return the distinct canonical constraints in the order of their texts; those that always hold are left out."""
    if not isinstance(entries, list):
        raise InputError(where, describe(entries), 'an array of constraints such as "x + y <= 1"')
    read = [_constraint(entry, f"{where}[{k}]", ring) for k, entry in enumerate(entries)]
    kept = {constraint.text: constraint for constraint in read if constraint.slopes}
    return tuple(kept[text] for text in sorted(kept))


def _constraint(entry: Any, where: str, ring: ExpressionRing) -> Constraint:
    sides = re.split(r"(<=|>=)", entry) if isinstance(entry, str) else []
    if len(sides) != 3 or re.search(r"[<>=]", sides[0] + sides[2]):
        fix = "split an equality or a chain into two constraints; a strict one has no closed set of points"
        raise InputError(where, describe(entry), 'one closed inequality such as "x + y <= 1" or "x >= y"', fix)
    left, right = (ring.read(side, where) for side in (sides[0], sides[2]))
    difference = left.value - right.value if sides[1] == ">=" else right.value - left.value
    if isinstance(difference, Fraction):
        if difference < 0:
            raise InputError(where, f"{describe(entry)}, which never holds", "a constraint that some point meets")
        return Constraint("", {}, difference)
    divided = left.divisors or right.divisors
    if divided or not difference.den.is_constant() or difference.num.total_degree() > 1:
        raise InputError(where, describe(entry), "a constraint that is affine in the parameters")
    _, primitive = difference.num.primitive()
    terms = {tuple(map(int, e)): Fraction(int(c)) for e, c in primitive.terms()}
    offset = terms.pop((0,) * len(ring.names), Fraction(0))
    slopes = {ring.names[e.index(1)]: slope for e, slope in terms.items()}
    return Constraint(f"{polynomial_text(primitive)} >= 0", slopes, offset)


def _points(
    entries: Any,
    where: str,
    ring: ExpressionRing,
    axes: Mapping[str, tuple[Fraction, ...] | AxisInterval],
    constraints: Sequence[Constraint],
) -> tuple[Point, ...]:
    """Return the listed points, distinct, each on the declared axes (if any) and within the constraints."""
    if not isinstance(entries, list) or not entries:
        raise InputError(where, describe(entries), "an array of at least one point")
    if len(entries) > MAX_POINTS:
        raise LimitExceeded(where, "parameter points", len(entries), MAX_POINTS, "list fewer points")
    seen: dict[tuple[Fraction, ...], int] = {}
    for k, entry in enumerate(entries):
        spot = f"{where}[{k}]"
        point = read_point(entry, spot, ring.names, ring)
        for name, axis in axes.items():
            inside = axis.low <= point[name] <= axis.high if isinstance(axis, AxisInterval) else point[name] in axis
            if not inside:
                raise InputError(spot, f"{name} = {point[name]}", "a point on the declared axes")
        for constraint in constraints:
            if constraint.value(point) < 0:
                raise InputError(spot, show(point), f"a point with {constraint.text}")
        if seen.setdefault(tuple(point.values()), k) != k:
            raise InputError(spot, f"{show(point)} twice", "distinct points")
    return tuple(dict(zip(ring.names, values, strict=True)) for values in seen)


def read_point(entry: Any, where: str, names: Sequence[str], ring: ExpressionRing = NUMBERS) -> Point:
    """Return exact values of exactly the parameters ``names``."""
    if not isinstance(entry, dict) or set(entry) != set(names):
        found = f"values of {', '.join(sorted(entry)) or 'nothing'}" if isinstance(entry, dict) else describe(entry)
        wanted = f"a value of each of {', '.join(names)}" if names else "an empty table (there are no parameters)"
        raise InputError(where, found, wanted)
    return {name: number(entry[name], at(where, name), ring) for name in names}


def show(point: Mapping[str, Fraction]) -> str:
    """Return a point as ``x = 1/20, y = 1/5``."""
    return ", ".join(f"{name} = {value}" for name, value in point.items())
