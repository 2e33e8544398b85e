"""Reads the constants of a sweep: the end of each that the theorem uses, as a number to print, to compare and to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from pomgcheck.certificate import Values
from pomgcheck.kernel.bound import SHARP
from pomgcheck.reporting.numbers import Direction, decimal, fraction, log_decimal, number
from pomgcheck.reporting.spans import Code, Math, Number
from pomgcheck.reporting.words import CONSTANTS, ends
from pomgcheck.search.sweep_file import Swept

# base of a value's name -> the end that the theorem uses; always shown, in this order, where a sweep has them
USED = {
    "alpha": "lower",
    "c_KL_joint": "lower",
    "c_KL_world": "lower",
    "B0": "upper",
    "L": "upper",
    "d_W": "upper",
    "d_G": "upper",
}
MIDWAY = {*SHARP, "least_observation", "reward_range", "later_range"} - {
    "sharp_regret"
}  # on the way to a bound: never shown

Value = Any  # "p/q" or {"log_of": "p/q"}


class WithConstants(Protocol):
    """This is anything with constants: a point of a sweep, or a certificate."""

    @property
    def values(self) -> Values:
        """Return the constants."""


@dataclass(frozen=True)
class Quantity:
    """This is one end of one constant: ``alpha_lower`` has the base "alpha" and the end "lower"."""

    base: str
    end: str

    @property
    def name(self) -> str:
        """Return the value's name in a certificate."""
        return f"{self.base}_{self.end}" if self.end else self.base

    @property
    def symbol(self) -> Math | Code:
        """Return the constant's sign in the paper; a value without one is named as it is."""
        return Math(CONSTANTS[self.base][0]) if self.base in CONSTANTS else Code(self.name)

    @property
    def meaning(self) -> str:
        """Return what the constant is, in a few words."""
        return CONSTANTS[self.base][1] if self.base in CONSTANTS else self.name.replace("_", " ")

    @property
    def direction(self) -> Direction:
        """Return how its decimals are rounded, so that they are bounds themselves."""
        return "down" if self.end == "lower" else "up" if self.end == "upper" else "nearest"

    def of(self, point: WithConstants) -> Value | None:
        """Return its value at a point, or ``None`` where there is none."""
        return ends(point.values.written).get(self.base, {}).get(self.end)

    def number(self, value: Value) -> Number:
        """Return the exact value and its decimal."""
        return number(value, self.direction)

    def decimal(self, value: Value) -> str:
        """Return the decimal alone."""
        if isinstance(value, str):
            return decimal(fraction(value), self.direction)
        return log_decimal(fraction(value["log_of"]), self.direction)

    def float(self, value: Value) -> float:
        """Return the value to draw."""
        return float(self.decimal(value))


def order(value: Value) -> Fraction:
    """Return a number that grows with the value: itself, or what the logarithm is of."""
    return fraction(value if isinstance(value, str) else value["log_of"])


def quantities(points: Sequence[WithConstants]) -> list[Quantity]:
    """Return what to show of these points: the five constants, then whatever else is not the same everywhere."""
    found: dict[str, set[str]] = {}
    for point in points:
        for base, values in ends(point.values.written).items():
            found.setdefault(base, set()).update(values)
    known = [Quantity(base, end) for base, end in USED.items() if end in found.get(base, ())]
    others = [
        Quantity(base, max(names))
        for base, names in sorted(found.items())  # upper before lower
        if base not in USED and base not in MIDWAY
    ]
    return known + [q for q in others if len({str(q.of(point)) for point in points}) > 1]


class ValueRange(NamedTuple):
    """This is the range of a quantity over points: the least and the most, each with the knobs where it is attained
    first."""

    quantity: Quantity
    least: tuple[Value, Mapping[str, str]]
    most: tuple[Value, Mapping[str, str]]


def span(quantity: Quantity, points: Sequence[Swept]) -> ValueRange:
    """Return the range of ``quantity`` over those points that have it."""
    values = [(value, point.knobs) for point in points if (value := quantity.of(point)) is not None]
    return ValueRange(quantity, min(values, key=lambda v: order(v[0])), max(values, key=lambda v: order(v[0])))
