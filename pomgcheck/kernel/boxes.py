"""Rule ``box``: the sign of a polynomial on a box cut by affine constraints, shown by a tree of splits.

A polynomial lies between the least and the greatest of its Bernstein coefficients on a box, so a box where all of them
are nonnegative (positive) is one where the polynomial is.  A tree cuts the box at rational points until that is so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, lcm, prod
from types import MappingProxyType
from typing import NamedTuple

from .budget import spend
from .polynomials import Inverse, Polynomial, TooLarge, primitive
from .reading import Malformed, Object, mapping, rational, require, sequence

MAX_DEPTH = 200  # of a tree
MAX_COEFFICIENTS = 500_000  # of one polynomial on one box
MAX_SIDES = 20_000  # inequalities of a region while its axes are eliminated

Box = dict[str, tuple[Fraction, Fraction]]


def halves(box: Box, axis: str, t: object, where: str) -> tuple[Box, Box]:
    """Return the boxes below and above axis = t, which lies strictly inside."""
    (low, high), cut = box[axis], rational(t, where)
    require(low < cut < high, where, f"a cut of {axis} at {cut}", f"a point between {low} and {high}")
    return box | {axis: (low, cut)}, box | {axis: (cut, high)}


class Region(NamedTuple):
    """A region has the points of a box at which every one of some affine polynomials is nonnegative; ``cut`` are the
    axes along which it is a part of the class. ``signs`` gives every divisor of the class's tables its sign on the
    *whole* region of the class, which the claim ``nonexpansive`` shows; a part of the region keeps it, whatever lies in
    its middle."""

    box: Box
    constraints: tuple[Polynomial, ...] = ()
    cut: frozenset[str] = frozenset()
    signs: Mapping[Inverse, int] = MappingProxyType({})

    def centre(self) -> dict[str, Fraction]:
        """Return the middle of the box."""
        return {name: (low + high) / 2 for name, (low, high) in self.box.items()}

    def halves(self, axis: str, t: object, where: str) -> list[Region]:
        """Return the parts below and above axis = t."""
        return [self._replace(box=box, cut=self.cut | {axis}) for box in halves(self.box, axis, t, where)]


def inhabited(region: Region) -> bool:
    """Return whether some point of the box satisfies every constraint, by Fourier-Motzkin elimination: a + c x >= 0
    and b - d x >= 0 (c, d > 0) have a solution x exactly where d a + c b >= 0. Raises TooLarge beyond MAX_SIDES."""
    sides = list(region.constraints)
    for name, (low, high) in region.box.items():
        sides += [Polynomial({(name,): 1}) - low, Polynomial({(name,): -1}) + high]
    for name in region.box:
        place = (name,)
        above, below = ([p for p in sides if p.get(place, 0) * sign > 0] for sign in (1, -1))
        kept = [p for p in sides if not p.get(place, 0)]
        if len(kept) + len(above) * len(below) > MAX_SIDES:
            raise TooLarge
        met = (primitive(p * -q.get(place) + q * p.get(place))[1] for p in above for q in below)
        sides = [*dict.fromkeys([*kept, *met])]
    return all(p.get((), 0) >= 0 for p in sides)


@lru_cache(maxsize=4096)
def powers(degree: int, low: Fraction, high: Fraction) -> tuple[tuple[int, ...], ...]:
    """Return row i: the i-th coefficients of 1, x, .. x^degree on [low, high] in Bernstein form of that degree, times
    C(degree, i) and all times one positive number.

    With x = low u + high v and u + v = 1, that is the coefficient of v^i in x^k (u+v)^(degree-k).
    """
    unit = lcm(low.denominator, high.denominator)
    left, right = int(low * unit), int(high * unit)
    return tuple(
        tuple(
            unit ** (degree - k)
            * sum(comb(k, j) * right**j * left ** (k - j) * comb(degree - k, i - j) for j in range(min(i, k) + 1))
            for k in range(degree + 1)
        )
        for i in range(degree + 1)
    )


def coefficients(p: Polynomial, box: Box) -> list[int]:
    """Return the Bernstein coefficients of ``p`` on the box, each times a positive number."""
    for name in p.axes:
        if name not in box:
            raise Malformed("box", repr(name), f"an axis of the region, {sorted(box)}")
    degrees = [max(column) for column in zip(*p.exponents(), strict=True)]
    size = prod(d + 1 for d in degrees)
    if size > MAX_COEFFICIENTS:
        raise TooLarge
    spend(len(p) + size * sum(degrees), f"{size} Bernstein coefficients")
    table, strides = [0] * size, [prod(d + 1 for d in degrees[k + 1 :]) for k in range(len(degrees))]
    for c, at in zip(p.coefficients.values(), p.exponents(), strict=True):
        table[sum(map(int.__mul__, at, strides))] = c
    for name, degree in zip(p.axes, degrees, strict=True):  # the first axis of the table becomes the last
        rest = size // (degree + 1)
        columns = zip(*(table[k * rest : (k + 1) * rest] for k in range(degree + 1)), strict=True)
        rows = powers(degree, *box[name])
        table = [sum(map(int.__mul__, column, row)) for column in columns for row in rows]
    return table


def right_sign(p: Polynomial, box: Box, strict: bool) -> bool:
    """Return whether all Bernstein coefficients on the box are nonnegative (positive)."""
    least = min(coefficients(p, box))
    return least > 0 or (least == 0 and not strict)


def holds(p: Polynomial, strict: bool, region: Region, tree: object, where: str, depth: int = 0) -> bool:
    """Return whether the tree shows p >= 0 (p > 0 if ``strict``) at every point of the region.

    ``["box"]``: the coefficients of ``p`` have the right sign.  ``["outside", k]``: those of constraint k are negative,
    so no point of the region lies in this box.  ``["weighted", {"k": terms of w_k}]``: those of p - sum w_k c_k have
    the right sign, and those of every w_k are nonnegative.  ``["split", axis, "t", below, above]``: cut at axis = t.
    """
    node = sequence(tree, where)
    match node:
        case ["box"]:
            return right_sign(p, region.box, strict)
        case ["outside", int(k)] if not isinstance(k, bool) and 0 <= k < len(region.constraints):
            return right_sign(-region.constraints[k], region.box, True)
        case ["weighted", dict(weights)]:
            return right_sign(p - weighted(weights, region, where), region.box, strict)
        case ["split", str(axis), t, below, above] if axis in region.box and depth < MAX_DEPTH:
            parts = zip(region.halves(axis, t, where), (below, above), strict=True)
            return all(holds(p, strict, part, half, where, depth + 1) for part, half in parts)
    raise Malformed(where, str(node)[:60], '"box", "outside", "weighted" or "split"')


def weighted(weights: Object, region: Region, where: str) -> Polynomial:
    """Return sum w_k c_k for polynomials w_k whose coefficients on the box are nonnegative: it is so on the region
    there."""
    total = Polynomial()
    for key, terms in mapping(weights, where).items():
        w = of_terms(terms, region.box, where)
        known = key.isdecimal() and key.isascii() and int(key) < len(region.constraints)
        good = known and right_sign(w, region.box, False)
        require(good, where, f"the weight of constraint {key}", "a nonnegative weight of a constraint")
        total = total + region.constraints[int(key)] * w
    return total


def of_terms(terms: object, axes: Collection[str], where: str) -> Polynomial:
    """Return the polynomial given by ``[["c", axis, ...], ...]``."""
    out = Polynomial()
    for term in sequence(terms, where):
        number, *used = sequence(term, where) or [None]
        known = all(isinstance(axis, str) and axis in axes for axis in used)
        require(known, where, used, f"axes of the region, {sorted(axes)}")
        out = out + Polynomial({tuple(sorted(used)): c for c in [rational(number, where)] if c})
    return out
