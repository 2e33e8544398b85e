"""Trees of boxes that show the sign of a polynomial on a region (certificates/FORMAT.md, rule ``box``).

The Bernstein coefficients are kept as one integer array and halved by de Casteljau's scheme, the box with the lowest
coefficient first, until every leaf has the right sign, a corner of the region has the wrong one, or the budget ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from math import comb, gcd, lcm, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pomgcheck.search.exact.polynomials import Monomial, at, multiplied
from pomgcheck.search.exact.programs import highest_floor

Terms = Mapping[Monomial, Fraction]
Box = dict[str, tuple[Fraction, Fraction]]
Point = dict[str, Fraction]

MAX_COEFFICIENTS = 200_000  # of one polynomial on one box
MAX_DEPTH = 100  # of a tree
MAX_PROGRAM = 25  # coefficients of a polynomial for which multipliers of constraints are looked for


def middle(box: Box) -> Point:
    """Return the middle of a box."""
    return {name: (low + high) / 2 for name, (low, high) in box.items()}


@dataclass
class Shown:
    """The sign holds, and ``tree`` is the evidence."""

    tree: list[Any]


@dataclass
class Violated:
    """The sign fails at a point of the region."""

    point: Point


@dataclass
class OutOfBoxes:
    """The budget ended with this box undecided."""

    box: Box


Answer = Shown | Violated | OutOfBoxes


def bernstein(terms: Terms, names: Sequence[str], box: Box) -> NDArray[np.object_]:
    """Return the coefficients on the box, scaled by one positive number, as an integer array with one axis a name."""
    degrees = {name: max((key.count(name) for key in terms), default=0) for name in names}
    return reduced(elevated(terms, degrees, box)[0])


def elevated(terms: Terms, degrees: Mapping[str, int], box: Box) -> tuple[NDArray[np.object_], int]:
    """Return the coefficients in the given degrees as integers, with one axis a name, and the number they are over."""
    unit = lcm(*(c.denominator for c in terms.values())) if terms else 1
    table = np.zeros([d + 1 for d in degrees.values()], dtype=object)
    for key, c in terms.items():
        table[tuple(key.count(name) for name in degrees)] = int(c * unit)
    for axis, (name, d) in enumerate(degrees.items()):
        matrix, scale = raising(d, *box[name])
        table, unit = np.moveaxis(np.tensordot(table, matrix, axes=(axis, 0)), -1, axis), unit * scale
    return table, unit


def coefficients(terms: Terms, degrees: Mapping[str, int], box: Box) -> list[Fraction]:
    """Return the coefficients in the given degrees, exactly, in a row."""
    table, unit = elevated(terms, degrees, box)
    return [Fraction(x, unit) for x in table.ravel().tolist()]


@lru_cache(maxsize=1024)
def raising(d: int, low: Fraction, high: Fraction) -> tuple[NDArray[np.object_], int]:
    """Return the powers of x on [low, high] in Bernstein form of degree d, one a row, and the number they are over."""
    scale, whole = lcm(low.denominator, high.denominator), lcm(*(comb(d, i) for i in range(d + 1)))
    a, b = int(low * scale), int((high - low) * scale)
    # x = (a + b t)/scale; the power form in t, times scale^d, and then the Bernstein form, times lcm of comb(d, i)
    shift, lifted = np.zeros((2, d + 1, d + 1), dtype=object)
    for k in range(d + 1):
        for i in range(k + 1):
            shift[k, i] = comb(k, i) * a ** (k - i) * b**i * scale ** (d - k)
            lifted[i, k] = comb(k, i) * whole // comb(d, i)
    return shift.dot(lifted), scale**d * whole


def reduced(table: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return the same signs in smaller numbers."""
    content = gcd(*(int(x) for x in table.flat))
    return np.asarray(table // content, dtype=object) if content > 1 else table


def halves(table: NDArray[np.object_], axis: int) -> tuple[NDArray[np.object_], NDArray[np.object_]]:
    """Return the coefficients on the lower and the upper half of the box along an axis, all times 2^degree."""
    rows = np.split(table, table.shape[axis], axis)
    d = len(rows) - 1
    lower, upper = [rows[0] * 2**d], [rows[-1] * 2**d]
    for level in range(1, d + 1):
        rows = [x + y for x, y in pairwise(rows)]  # times 2^level
        lower.append(rows[0] * 2 ** (d - level))
        upper.insert(0, rows[-1] * 2 ** (d - level))
    return reduced(np.concatenate(lower, axis)), reduced(np.concatenate(upper, axis))


class SignSearch:
    """This searches for a proof of one goal ``terms`` >= 0 (> 0) on the box cut by affine ``constraints`` >= 0."""

    def __init__(self, terms: Terms, box: Box, constraints: Sequence[Terms], strict: bool, budget: int) -> None:
        self.strict, self.constraints, self.left = strict, constraints, budget
        self.names = sorted({name for key in terms for name in key})
        self.box = {name: box[name] for name in sorted({*self.names, *(n for c in constraints for k in c for n in k)})}
        self.terms = terms

    def run(self) -> Answer:
        """Return the answer for the whole box: ``Shown``, ``Violated`` or ``OutOfBoxes``."""
        size = 1
        for name in self.names:
            size *= 1 + max(key.count(name) for key in self.terms)
        if size > MAX_COEFFICIENTS:
            return OutOfBoxes(self.box)
        return self._at(bernstein(self.terms, self.names, self.box), self.box)

    def _at(self, table: NDArray[np.object_], box: Box, depth: int = 0) -> Answer:
        self.left -= 1
        least = table.min()
        if least > 0 or (least == 0 and not self.strict):
            return Shown(["box"])
        bad = self._bad_corner(table, box)
        if bad is not None:
            return Violated(bad)
        sides = [
            [at(constraint, corner) for corner in self._corners(box, constraint)] for constraint in self.constraints
        ]
        for k, values in enumerate(sides):
            if max(values) < 0:
                return Shown(["outside", k])
        if (not depth and sides) or any(min(values) < 0 for values in sides):  # a program only where it may help
            weights = self._weights(box)
            if weights:
                return Shown(["weighted", weights])
        axis = self._axis(table, box)
        if self.left <= 0 or axis is None or depth == MAX_DEPTH:
            return OutOfBoxes(box)
        name, (low, high) = axis, box[axis]
        cut = (low + high) / 2
        halved = [(low, cut), (cut, high)]
        parts = halves(table, self.names.index(name)) if name in self.names else (table, table)
        trees = []
        for part, side in zip(parts, halved, strict=True):
            answer = self._at(part, box | {name: side}, depth + 1)
            if not isinstance(answer, Shown):
                return answer
            trees.append(answer.tree)
        return Shown(["split", name, str(cut), *trees])

    def _corners(self, box: Box, terms: Terms) -> list[Point]:
        names = sorted({n for key in terms for n in key})
        return [dict(zip(names, corner, strict=True)) for corner in product(*(box[n] for n in names))]

    def _bad_corner(self, table: NDArray[np.object_], box: Box) -> Point | None:
        """Return a corner (a point of the region) where the sign is wrong: there the coefficient is the value."""
        for bits in product((0, -1), repeat=len(self.names)):
            value = table[bits]
            if value < 0 or (value == 0 and self.strict):
                corner = {name: box[name][bit] for name, bit in zip(self.names, bits, strict=True)}
                for rest in product(*(box[n] for n in box if n not in corner)):
                    point = corner | dict(zip((n for n in box if n not in corner), rest, strict=True))
                    if all(at(c, point) >= 0 for c in self.constraints):
                        return point
        return None

    def _axis(self, table: NDArray[np.object_], box: Box) -> str | None:
        """Return the axis along which the coefficients vary most; an axis of a constraint alone when none varies."""
        best, name = 0, None
        for axis, each in enumerate(self.names):
            if box[each][0] < box[each][1] and table.shape[axis] > 1:
                spread = int(np.abs(np.diff(table, axis=axis)).max()) if table.shape[axis] > 1 else 0
                if spread > best:
                    best, name = spread, each
        if self.constraints:  # cut the longest side now and then, so that boxes leave the region
            widest = max(box, key=lambda n: (box[n][1] - box[n][0], n))
            width = box[widest][1] - box[widest][0]
            if width and (name is None or width > 4 * (box[name][1] - box[name][0])):
                return widest
        return name

    def _weights(self, box: Box) -> dict[str, list[list[str]]] | None:
        """Return polynomials w_k, nonnegative on the box, with p - sum w_k c_k of the right sign in Bernstein form
        there: a float program in their Bernstein coefficients, made exact."""
        names = sorted(box)
        most = {n: max((key.count(n) for key in self.terms), default=0) for n in names}
        if prod(d + 1 for d in most.values()) > MAX_PROGRAM:
            return None
        basis: list[tuple[int, Terms]] = []
        for k, constraint in enumerate(self.constraints):
            tied = {n for key in constraint for n in key}
            degrees = {n: max(0, most[n] - (n in tied)) for n in names}
            basis += [(k, terms) for terms in bernstein_basis(degrees, box)]
        degrees = {n: max(1, most[n]) for n in names}
        p = coefficients(self.terms, degrees, box)
        others = [coefficients(multiplied(terms, self.constraints[k]), degrees, box) for k, terms in basis]
        scale = max(map(abs, p)) or Fraction(1)
        most_other = max((abs(x) for row in others for x in row), default=Fraction(0))
        span = most_other if most_other > 2**1000 else Fraction(1)  # numbers that floats do not reach
        A, b = np.array([[float(x / span) for x in row] for row in others]), np.array([float(x / scale) for x in p])
        floats = highest_floor(b, A)
        if floats is None:
            return None
        for size in (12, 1000, 10**6):
            weights = [max(Fraction(0), Fraction(float(x)).limit_denominator(size)) * scale / span for x in floats]
            rows = zip(*others, strict=True)
            least = min(
                x - sum((w * y for w, y in zip(weights, row, strict=True)), Fraction(0))
                for x, row in zip(p, rows, strict=True)
            )
            if least > 0 or (least == 0 and not self.strict):
                return self._written(basis, weights)
        return None

    @staticmethod
    def _written(basis: list[tuple[int, Terms]], weights: list[Fraction]) -> dict[str, list[list[str]]]:
        """Return each multiplier as terms: a coefficient and the names it multiplies."""
        sums: dict[int, dict[tuple[str, ...], Fraction]] = {}
        for (k, terms), weight in zip(basis, weights, strict=True):
            for key, c in terms.items() if weight else ():
                mine = sums.setdefault(k, {})
                mine[key] = mine.get(key, Fraction(0)) + weight * c
        return {str(k): [[str(c), *key] for key, c in sorted(terms.items()) if c] for k, terms in sums.items()}


def bernstein_basis(degrees: Mapping[str, int], box: Box) -> list[Terms]:
    """Return the Bernstein polynomials of the degrees on the box, each up to a positive number."""
    out: list[Terms] = [{(): Fraction(1)}]
    for name, d in degrees.items():
        low, high = box[name]
        factors: list[Terms] = [{(name,): Fraction(1), (): -low}, {(name,): Fraction(-1), (): high}]
        powers: list[Terms] = []
        for i in range(d + 1):
            power: Terms = {(): Fraction(1)}
            for k in range(d):
                power = multiplied(power, factors[0 if k < i else 1])
            powers.append(power)
        out = [multiplied(p, q) for p in out for q in powers]
    return out
