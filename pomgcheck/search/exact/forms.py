"""Quadratic enclosures in floats, for many boxes at once: what the kernel will find on a leaf, foreseen.

The kernel repeats them in integers with proved rounding (certificates/FORMAT.md, rule ``pairs``); a float that is off
makes at worst a certificate that does not verify, so what is stated stays a trifle below what is foreseen.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TRIFLE = 1e-15


@lru_cache
def places(dimension: int) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.bool_]]:
    """Return i and j of the products z_i z_j, i <= j, and which are squares."""
    i, j = np.triu_indices(dimension)
    return i, j, i == j


class Forms:
    """Forms have centre (N,), slopes (N, d), bends (N, d(d+1)/2) and radius (N,) of N boxes: f(z) differs from centre +
    slopes . z + the sum of bends z_i z_j by at most the radius on [-1,1]^d."""

    __slots__ = ("bends", "centre", "radius", "slopes")

    def __init__(self, centre: Floats, slopes: Floats, bends: Floats, radius: Floats) -> None:
        self.centre, self.slopes, self.bends, self.radius = centre, slopes, bends, radius

    @property
    def low(self) -> Floats:
        """Return a lower bound on each box."""
        b, a = np.abs(self.slopes), self.bends[:, places(self.slopes.shape[1])[2]]
        with np.errstate(all="ignore"):
            along = np.where(b < 2 * a, -b * b / (4 * a), a - b).sum(1)
        mixed = np.abs(self.bends).sum(1) - np.abs(a).sum(1)
        out: Floats = self.centre + along - mixed - self.radius
        return out

    @property
    def high(self) -> Floats:
        """Return an upper bound on each box."""
        out: Floats = -self.times(-1).low
        return out

    @property
    def reach(self) -> Floats:
        """Return the largest distance from the centre on each box."""
        return np.maximum(self.high - self.centre, self.centre - self.low)

    def __add__(self, other: Forms) -> Forms:
        return Forms(*(mine + part for mine, part in zip(self.parts, other.parts, strict=True)))

    def __sub__(self, other: Forms) -> Forms:
        return self + other.times(-1)

    def __mul__(self, other: Forms) -> Forms:
        c, b, d, e = self.centre, self.slopes, other.centre, other.slopes
        s, t, p, q = (np.abs(x).sum(1) for x in (b, e, self.bends, other.bends))
        i, j, square = places(b.shape[1])
        crossed = b[:, i] * e[:, j] + np.where(square, 0.0, b[:, j] * e[:, i])
        rest = s * q + p * (t + q) + self.radius * (np.abs(d) + t + q)
        return Forms(
            c * d,
            c[:, None] * e + d[:, None] * b,
            c[:, None] * other.bends + d[:, None] * self.bends + crossed,
            rest + other.radius * (np.abs(c) + s + p + self.radius),
        )

    def times(self, numbers: float | Floats) -> Forms:
        """Return the multiples by a number, or by one for each box."""
        column = numbers[:, None] if isinstance(numbers, np.ndarray) else numbers
        return Forms(self.centre * numbers, self.slopes * column, self.bends * column, self.radius * np.abs(numbers))

    def plus(self, numbers: Floats, radius: Floats) -> Forms:
        """Return the forms plus one number per box, which is known up to a radius."""
        return Forms(self.centre + numbers, self.slopes, self.bends, self.radius + radius)

    def reciprocal(self) -> Forms:
        """Return 1/form; it is nan where the form is not bounded away from 0."""
        low, m = self.low, self.centre
        with np.errstate(all="ignore"):
            x = self.plus(-m, 0 * m)
            rest = np.where(low > 0, self.reach**3 / (low * m**3), np.nan)
            return ((x * x).times(1 / m**3) - x.times(1 / m**2)).plus(1 / m, rest)

    def where(self, holds: NDArray[np.bool_], other: Forms) -> Forms:
        """Return the form where something holds, the other elsewhere."""
        column = holds[:, None]
        return Forms(
            np.where(holds, self.centre, other.centre),
            np.where(column, self.slopes, other.slopes),
            np.where(column, self.bends, other.bends),
            np.where(holds, self.radius, other.radius),
        )

    @property
    def parts(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Return the four arrays."""
        return self.centre, self.slopes, self.bends, self.radius

    def rows(self, boxes: slice) -> Forms:
        """Return the forms of some of the boxes."""
        return Forms(*(part[boxes] for part in self.parts))

    def put(self, boxes: slice, other: Forms) -> None:
        """Put other forms in the place of those on some of the boxes."""
        for mine, part in zip(self.parts, other.parts, strict=True):
            mine[boxes] = part

    def magnitude(self) -> Forms:
        """Return the enclosures of the absolute values."""
        low, high = self.low, self.high
        width = np.where(high > low, high - low, 1.0)
        lean = np.where(low >= 0, 1.0, np.where(high <= 0, -1.0, (high + low) / width))
        gap = np.where((low < 0) & (high > 0), -low * high / width, 0.0)
        return self.times(lean).plus(gap, gap)


def constant(number: float, like: tuple[int, int]) -> Forms:
    """Return a number on each of N boxes of d axes, ``like`` = (N, d)."""
    bends = np.zeros((like[0], len(places(like[1])[0])))
    return Forms(np.full(like[0], float(number)), np.zeros(like), bends, np.zeros(like[0]))


def coordinate(low: Floats, high: Floats, axis: int) -> Forms:
    """Return the coordinate of one axis; ``low`` and ``high`` are (N, d)."""
    slopes = np.zeros(low.shape)
    slopes[:, axis] = (high[:, axis] - low[:, axis]) / 2
    zero = constant(0, (low.shape[0], low.shape[1]))
    return Forms((low[:, axis] + high[:, axis]) / 2, slopes, zero.bends, zero.radius)


def total(forms: Iterable[Forms], like: tuple[int, int]) -> Forms:
    """Return the sum of some forms, all of the shape ``like`` (boxes, axes)."""
    out = constant(0, like)
    for form in forms:
        out = out + form
    return out


def summed(forms: Forms, weights: Floats, like: tuple[int, int]) -> Forms:
    """Return the weighted sum of as many forms as there are weights, one after another over the same boxes."""

    def added(values: Floats) -> Floats:
        if not len(weights):
            return np.zeros((like[0], *values.shape[1:]))
        terms = values.reshape(len(weights), like[0], *values.shape[1:])
        out: Floats = np.cumsum(terms * weights.reshape(-1, *[1] * values.ndim), axis=0)[-1]  # in order, whatever N is
        return out

    return Forms(*map(added, forms.parts))


def slack(gap: tuple[Forms, Forms], c: Floats) -> Floats:
    """Return the least value of left - c right that its enclosure allows, on each box; a trifle less where it is not
    the number zero, as what the kernel rounds must not decide."""
    left, right = gap
    form = left - right.times(c)
    nothing = (form.centre == 0) & (form.radius == 0) & ~form.slopes.any(1) & ~form.bends.any(1)
    value = form.low - np.where(nothing, 0.0, TRIFLE)
    return np.where(np.isnan(value), -np.inf, value)


def largest(gap: tuple[Forms, Forms], most: float) -> Floats:
    """Return the largest c <= ``most`` with left - c right nonnegative on each box; -1 if there is none."""
    n = len(gap[0].centre)
    below, above = np.zeros(n), np.full(n, most)
    full, none = slack(gap, above) >= 0, slack(gap, below) < 0
    for _ in range(40):
        middle = (below + above) / 2
        good = slack(gap, middle) >= 0
        below, above = np.where(good, middle, below), np.where(good, above, middle)
    return np.where(full, most, np.where(none, -1.0, below))
