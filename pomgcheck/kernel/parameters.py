"""The parameter set of one side of a class (Theta or Psi): its axes, constraints and points."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import prod

from .budget import spend
from .expressions import evaluate
from .reading import Object, mapping, rational, require, sequence, take

MAX_POINTS = 1_000_000  # most parameter points of one side

Point = dict[str, Fraction]
Interval = tuple[Fraction, Fraction]


def read_axes(part: Object, where: str) -> tuple[dict[str, list[Fraction]], dict[str, Interval]]:
    """Return the finite axes and the intervals of Theta or Psi, names sorted."""
    finite: dict[str, list[Fraction]] = {}
    intervals: dict[str, Interval] = {}
    for name, axis in sorted(mapping(part["parameters"], f"{where}.parameters").items()):
        spot = f"{where}.parameters.{name}"
        require(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII) is not None, spot, repr(name), "a name")
        take(axis, spot, [], ("values", "interval"))
        require(len(axis) == 1, spot, f"{len(axis)} keys", "either values or interval")
        if "interval" in axis:
            low, high = (rational(t, spot) for t in sequence(axis["interval"], spot, 2))
            require(low <= high, spot, f"[{low}, {high}]", "an interval with its lower end first")
            intervals[name] = low, high
        else:
            values = sequence(axis["values"], spot)
            spend(100 * len(values), f"{len(values)} values of {spot}")
            finite[name] = [rational(t, spot) for t in values]
            require(bool(finite[name]), spot, "no values", "at least one value")
    return finite, intervals


def afford_points(count: int, axes: int, where: str) -> None:
    """Spend what so many parameter points take, before one is made."""
    require(count <= MAX_POINTS, where, f"{count} parameter points", f"at most {MAX_POINTS}")
    spend(count * (100 + 50 * axes), f"{count} parameter points of {where}")


def grid(axes: Mapping[str, list[Fraction]], where: str) -> list[Point]:
    """Return the product of finite axes, the last one fastest."""
    afford_points(prod(map(len, axes.values())), len(axes), where)
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def constraints_of(part: Object, where: str) -> list[str]:
    """Return the left sides of the constraints ``... >= 0``."""
    texts = sequence(part.get("constraints", []), f"{where}.constraints")
    for text in texts:
        require(isinstance(text, str) and text.endswith(" >= 0"), f"{where}.constraints", repr(text), '"… >= 0"')
    return [text[:-5] for text in texts]


def parameter_points(part: Object, where: str) -> tuple[Point, ...] | None:
    """Return all points of Theta or Psi, in order, or ``None`` if an axis is an interval.

    They are the listed points, or the product of the axes (names sorted, last axis fastest) without those that break a
    constraint.
    """
    if "points" in part:
        listed = [mapping(entry, where) for entry in sequence(part["points"], f"{where}.points")]
        afford_points(len(listed), max(map(len, listed), default=0), where)
        points = [
            {name: rational(text, f"{where}.points.{name}") for name, text in sorted(entry.items())} for entry in listed
        ]
        names = set(points[0]) if points else set()
        require(all(set(p) == names for p in points), f"{where}.points", "points of different parameters", "one set")
    else:
        finite, intervals = read_axes(part, where)
        if intervals:
            return None
        points = grid(finite, where)
    for text in constraints_of(part, where):
        spend(len(points) * (10 + 3 * len(text)), f"a constraint at {len(points)} parameter points of {where}")
        points = [p for p in points if evaluate(text, p, f"{where}.constraints") >= 0]
    require(bool(points), where, "no parameter point", "at least one")
    require(len({tuple(p.items()) for p in points}) == len(points), where, "a repeated point", "distinct points")
    return tuple(points)
