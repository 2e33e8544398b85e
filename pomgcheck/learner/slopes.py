"""Bounds exactly how fast log-likelihoods move with the parameters of a class, over a whole cell of it.

P_xi(o_{1:H} | a_{1:H}) is a sum over latent paths of products of entries of the tables, so where no entry vanishes
d log P is a mean of the paths' sums of d log entry, at most the sum over steps of the largest d log entry of each
table.  Entries and their derivatives are enclosed by interval arithmetic with rational ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.parameters import Interval, Point
from pomgcheck.kernel.reading import Malformed

Slopes = dict[str, Fraction]  # parameter -> at most |d log P / d parameter|


def hull(ends: Iterable[Fraction]) -> Interval:
    """Return the least interval that holds some numbers."""
    numbers = list(ends)
    return min(numbers), max(numbers)


def plus(x: Interval, y: Interval) -> Interval:
    """Return the interval of sums."""
    return x[0] + y[0], x[1] + y[1]


def times(x: Interval, y: Interval) -> Interval:
    """Return the interval of products."""
    return hull(a * b for a in x for b in y)


@dataclass(frozen=True)
class Sloped:
    """This is an interval that holds every value of an expression, with one for each of its partial derivatives."""

    values: Interval
    slopes: dict[str, Interval]

    def _of(self, other: Any) -> Sloped:
        return other if isinstance(other, Sloped) else Sloped((Fraction(other),) * 2, {})

    def _with(self, other: Sloped, values: Interval, mine: Interval, theirs: Interval) -> Sloped:
        """Return a function of both, given its values and its partial derivatives with respect to each (chain rule)."""
        zero = Fraction(0), Fraction(0)
        slopes = {
            name: plus(times(mine, self.slopes.get(name, zero)), times(theirs, other.slopes.get(name, zero)))
            for name in {**self.slopes, **other.slopes}
        }
        return Sloped(values, slopes)

    def __add__(self, other: Any) -> Sloped:
        y, one = self._of(other), (Fraction(1), Fraction(1))
        return self._with(y, plus(self.values, y.values), one, one)

    def __mul__(self, other: Any) -> Sloped:
        y = self._of(other)
        return self._with(y, times(self.values, y.values), y.values, self.values)

    def __neg__(self) -> Sloped:
        return self * -1

    def __sub__(self, other: Any) -> Sloped:
        return self + -self._of(other)

    def __rsub__(self, other: Any) -> Sloped:
        return self._of(other) - self

    def __truediv__(self, other: Any) -> Sloped:
        return self * self._of(other).inverse()

    def __rtruediv__(self, other: Any) -> Sloped:
        return self.inverse() * self._of(other)

    def __pow__(self, exponent: int) -> Sloped:
        result = self._of(1)
        for _ in range(exponent):
            result = result * self
        return result

    __radd__, __rmul__ = __add__, __mul__

    def inverse(self) -> Sloped:
        """Return the enclosure of 1/x; raise ``ZeroDivisionError`` where it cannot exclude 0."""
        if self.values[0] <= 0 <= self.values[1]:
            raise ZeroDivisionError
        low, high = 1 / self.values[1], 1 / self.values[0]
        steep = -(max(-low, high) ** 2), -(min(abs(low), abs(high)) ** 2)
        return self._with(self._of(0), (low, high), steep, (Fraction(0), Fraction(0)))

    def steepness(self, name: str) -> Fraction:
        """Return at most |d log x / d name|, for x with values[0] > 0."""
        return max(map(abs, self.slopes.get(name, (Fraction(0),)))) / self.values[0]


def texts(table: Any) -> Iterable[str]:
    """Return the entries of nested tables."""
    if isinstance(table, str):
        yield table
    else:
        for entry in table:
            yield from texts(entry)


def steps(table: Any, H: int) -> list[Any]:
    """Return the tables of all steps."""
    return list(table["steps"]) if isinstance(table, dict) else [table] * H


def steepest(entries: Iterable[str], values: Mapping[str, Any], names: Iterable[str]) -> Slopes | None:
    """Return the largest |d log entry| of a table, or ``None`` where an entry that is not always 0 may vanish."""
    most = dict.fromkeys(names, Fraction(0))
    for text in dict.fromkeys(entries):
        try:
            entry = evaluate(text, values, "slopes")
        except Malformed:  # a divisor that the enclosure cannot tell from 0
            return None
        if isinstance(entry, Sloped):
            if entry.values[0] <= 0:
                return None
            most = {name: max(slope, entry.steepness(name)) for name, slope in most.items()}
    return most


def log_slopes(game: Game, side: str, fixed: Point, box: Mapping[str, Interval]) -> Slopes | None:
    """Return at most |d log P / d x| for each interval axis x of ``worlds`` or ``responses``, or ``None`` where some
    entry may vanish.

    The bound holds over the box, at the given values of the finite axes, for all policies and trajectories.
    """
    part, H = game.document[side], game.H
    values = fixed | {name: Sloped(ends, {name: (Fraction(1), Fraction(1))}) for name, ends in box.items()}
    if side == "worlds":
        moves = [game.arrays(key)[:-1] for key in ("adversary_emission", "transition")]  # the last show nothing
        tables = [*game.arrays("learner_emission"), *(table for each in moves for table in each)]
    else:
        tables = list(zip(*(steps(table, H)[:-1] for table in part["table"].values()), strict=True))
    total = dict.fromkeys(box, Fraction(0))
    known: dict[str, Slopes | None] = {}
    for table in tables:
        key = repr(table)
        if key not in known:
            known[key] = steepest(texts(table), values, box)
        found = known[key]
        if found is None:
            return None
        total = {name: slope + found[name] for name, slope in total.items()}
    return total
