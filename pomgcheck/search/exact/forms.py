"""Affine enclosures in floats, for many boxes at once: what the kernel will find on a leaf, foreseen.

The kernel repeats them in integers with proved rounding (certificates/FORMAT.md, rule ``pairs``); a float that is off
makes at worst a certificate that does not verify, so what is stated stays a trifle below what is foreseen.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Forms:
    """centre (N,), slopes (N, d), radius (N,) of N boxes: |f(z) - centre - slopes . z| <= radius on [-1,1]^d."""

    __slots__ = ("centre", "radius", "slopes")

    def __init__(self, centre: Floats, slopes: Floats, radius: Floats) -> None:
        self.centre, self.slopes, self.radius = centre, slopes, radius

    @property
    def reach(self) -> Floats:
        out: Floats = np.abs(self.slopes).sum(1) + self.radius
        return out

    @property
    def low(self) -> Floats:
        return self.centre - self.reach

    @property
    def high(self) -> Floats:
        return self.centre + self.reach

    def __add__(self, other: Forms) -> Forms:
        return Forms(self.centre + other.centre, self.slopes + other.slopes, self.radius + other.radius)

    def __sub__(self, other: Forms) -> Forms:
        return Forms(self.centre - other.centre, self.slopes - other.slopes, self.radius + other.radius)

    def __mul__(self, other: Forms) -> Forms:
        c, d = self.centre, other.centre
        s, t = np.abs(self.slopes).sum(1), np.abs(other.slopes).sum(1)
        squares = self.slopes * other.slopes
        radius = s * t + self.radius * (np.abs(d) + t) + other.radius * (np.abs(c) + s + self.radius)
        return Forms(
            c * d + squares.sum(1) / 2,
            c[:, None] * other.slopes + d[:, None] * self.slopes,
            radius - np.abs(squares).sum(1) / 2,
        )

    def times(self, number: float) -> Forms:
        return Forms(self.centre * number, self.slopes * number, self.radius * abs(number))

    def reciprocal(self) -> Forms:
        """nan where it is not bounded."""
        low, m = self.low, self.centre
        with np.errstate(all="ignore"):
            excess = np.where(low > 0, self.reach**2 / (low * m * m), np.nan)
            return Forms(1 / m + excess / 2, -self.slopes / (m * m)[:, None], self.radius / (m * m) + excess / 2)

    def least_reciprocal(self) -> Forms:
        """At most the reciprocal where the form is positive: where it may vanish, that of its largest value."""
        whole = self.reciprocal()
        with np.errstate(all="ignore"):
            return whole.where(self.low > 0, 1 / self.high)

    def where(self, holds: NDArray[np.bool_], number: Floats) -> Forms:
        """The form where something holds, a number elsewhere."""
        return Forms(
            np.where(holds, self.centre, number),
            np.where(holds[:, None], self.slopes, 0.0),
            np.where(holds, self.radius, 0.0),
        )

    def magnitude(self) -> Forms:
        low, high = self.low, self.high
        width = np.where(high > low, high - low, 1.0)
        lean = np.where(low >= 0, 1.0, np.where(high <= 0, -1.0, (high + low) / width))
        gap = np.where((low < 0) & (high > 0), -low * high / width, 0.0)
        return Forms(self.centre * lean + gap, self.slopes * lean[:, None], self.radius * np.abs(lean) + gap)


def constant(number: float, like: tuple[int, int]) -> Forms:
    """A number on each of N boxes of d axes, ``like`` = (N, d)."""
    return Forms(np.full(like[0], float(number)), np.zeros(like), np.zeros(like[0]))


def coordinate(low: Floats, high: Floats, axis: int) -> Forms:
    """The coordinate of one axis; ``low`` and ``high`` are (N, d)."""
    slopes = np.zeros(low.shape)
    slopes[:, axis] = (high[:, axis] - low[:, axis]) / 2
    return Forms((low[:, axis] + high[:, axis]) / 2, slopes, np.zeros(len(low)))


def total(forms: Iterable[Forms], like: tuple[int, int]) -> Forms:
    out = constant(0, like)
    for form in forms:
        out = out + form
    return out


def slack(gap: tuple[Forms, Forms], c: Floats) -> Floats:
    """The least value of left - c right that its enclosure allows, on each box."""
    left, right = gap
    slopes = np.abs(left.slopes - c[:, None] * right.slopes).sum(1)
    value: Floats = left.centre - c * right.centre - slopes - left.radius - c * right.radius
    return np.where(np.isnan(value), -np.inf, value)


def largest(gap: tuple[Forms, Forms], most: float) -> Floats:
    """The largest c <= ``most`` with left - c right nonnegative on each box; -1 if there is none."""
    n = len(gap[0].centre)
    below, above = np.zeros(n), np.full(n, most)
    full, none = slack(gap, above) >= 0, slack(gap, below) < 0
    for _ in range(40):
        middle = (below + above) / 2
        good = slack(gap, middle) >= 0
        below, above = np.where(good, middle, below), np.where(good, above, middle)
    return np.where(full, most, np.where(none, -1.0, below))
