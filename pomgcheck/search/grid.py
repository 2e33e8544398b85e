"""The points of a sweep: one axis of equally spaced exact values for each knob that varies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NamedTuple

from pomgcheck.errors import InputError, LimitExceeded, counted
from pomgcheck.kernel.reading import rational, require, take
from pomgcheck.modelclass.fields import unknown

MOST_AXES = 2  # what a diagram can show
MOST_POINTS = 100_000

Point = dict[str, str]  # knob -> exact text


class Axis(NamedTuple):
    """An axis has ``points`` values of one knob, from ``low`` to ``high``, both included."""

    knob: str
    low: Fraction
    high: Fraction
    points: int

    def values(self) -> list[Fraction]:
        """Return low + k (high - low)/(points - 1)."""
        step = (self.high - self.low) / (self.points - 1)
        return [self.low + k * step for k in range(self.points)]

    def document(self) -> dict[str, Any]:
        """Return the axis in a sweep's file."""
        return {"knob": self.knob, "low": str(self.low), "high": str(self.high), "points": self.points}


def axes_of(vary: Mapping[str, Sequence[Any]], knobs: Mapping[str, str]) -> list[Axis]:
    """Return the axes that ``vary`` asks for, knob -> (low, high, points); the ends are exact numbers or their text."""
    if not knobs:
        raise InputError("vary", "a document without knobs", "one that holds a table [knobs]")
    if not isinstance(vary, Mapping):
        raise InputError("vary", repr(vary)[:60], 'ranges by knob, such as {"noise": ("1/20", "9/20", 9)}')
    if not 1 <= len(vary) <= MOST_AXES:
        raise InputError("vary", counted(len(vary), "knob"), f"one or two of {', '.join(knobs)}")
    axes = []
    for name, ends in vary.items():
        if name not in knobs:
            raise unknown(str(name), list(knobs), "vary", "knob")
        if isinstance(ends, str) or not isinstance(ends, Sequence) or len(ends) != 3:
            raise InputError(f"vary.{name}", repr(ends)[:60], '(low, high, points), such as ("1/20", "9/20", 9)')
        axes.append(axis_of(name, *ends))
    if (count := prod(axis.points for axis in axes)) > MOST_POINTS:
        raise LimitExceeded("vary", "points", count, MOST_POINTS, "use a coarser grid")
    return axes


def axis_of(knob: str, low: Any, high: Any, points: int) -> Axis:
    """Return one axis, its ends in order."""
    where = f"vary.{knob}"
    ends = []
    for end in (low, high):
        try:
            if isinstance(end, float):
                raise ValueError
            ends.append(Fraction(end))
        except (ValueError, TypeError, ZeroDivisionError):
            raise InputError(where, repr(end), 'an exact end such as "1/20"') from None
    if not isinstance(points, int) or points < 2:
        raise InputError(where, f"{points!r:.60} as the number of points", "an integer of at least 2")
    if ends[0] >= ends[1]:
        raise InputError(where, f"from {ends[0]} to {ends[1]}", "the lower end first")
    return Axis(knob, ends[0], ends[1], points)


def read_axis(value: Any, where: str) -> Axis:
    """Return an axis of a sweep's file; raises ``Malformed``."""
    entry = take(value, where, ("knob", "low", "high", "points"))
    low, high = (rational(entry[end], f"{where}.{end}") for end in ("low", "high"))
    require(isinstance(entry["knob"], str), f"{where}.knob", repr(entry["knob"]), "a name")
    good = type(entry["points"]) is int and 2 <= entry["points"] <= MOST_POINTS and low < high
    require(good, where, f"{entry['points']!r} points from {low} to {high}", "two or more, the lower end first")
    return Axis(entry["knob"], low, high, entry["points"])


def points_of(axes: Sequence[Axis]) -> Iterator[Point]:
    """Return every point of the grid, the last knob fastest."""
    for values in product(*(axis.values() for axis in axes)):
        yield {axis.knob: str(value) for axis, value in zip(axes, values, strict=True)}


def shown(point: Mapping[str, str]) -> str:
    """Return the knobs in words, such as ``noise = 1/20, deterrence = 2``."""
    return ", ".join(f"{knob} = {value}" for knob, value in point.items())
