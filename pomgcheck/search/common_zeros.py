"""A rational point of a region at which some polynomials all vanish, found by factors linear in a parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pomgcheck.search.continuum import Cell
from pomgcheck.search.exact.boxes import Point, middle
from pomgcheck.search.exact.polynomials import Poly, Ring

SHARES = [Fraction(k, 8) for k in (4, 0, 8, 2, 6, 1, 3, 5, 7)]  # of an interval, tried where nothing decides
ATTEMPTS = 400  # substitutions for one region


class CommonZeros:
    """This searches one region: parameters are replaced one at a time, by what makes a factor vanish or by a number."""

    def __init__(self, ring: Ring, cell: Cell) -> None:
        self.ring, self.cell, self.left = ring, cell, ATTEMPTS

    def find(self, polynomials: Sequence[Poly]) -> Point | None:
        """Return the values of the parameters at a common zero, or ``None`` if none is found, which does not say that
        there is none."""
        cleared = [self.ring.cleared(p, middle(self.cell.box)) for p in polynomials]
        free = sorted({name for p in cleared for name in self.ring.used(p)})
        return self._solve([p for p in cleared if p != 0], self.cell.tied(free), {})

    def _solve(self, open_: list[Poly], free: Sequence[str], replaced: Mapping[str, Poly]) -> Point | None:
        """Return zeros of ``open_`` in the ``free`` parameters; the others are ``replaced`` by polynomials in these."""
        self.left -= 1
        if self.left < 0 or any(p.is_constant() for p in open_):
            return None
        if not open_ and not free:
            return self._inside(replaced)
        for name, value in self._replacements(open_, free):
            following = {other: self._put(p, name, value) for other, p in replaced.items()} | {name: value}
            rest = [q for p in open_ if (q := self._put(p, name, value)) != 0]
            found = self._solve(rest, [other for other in free if other != name], following)
            if found is not None:
                return found
        return None

    def _replacements(self, open_: list[Poly], free: Sequence[str]) -> list[tuple[str, Poly]]:
        """Return what one parameter may be replaced by."""
        ring = self.ring
        out: list[tuple[str, Poly]] = []
        for factor, _ in open_[0].factor()[1] if open_ else ():
            for name in ring.used(factor):
                slope = factor.derivative(ring.names.index(name))
                if slope.is_constant():
                    out.append((name, ring.generators[name] - factor / slope))
        if out or not free:
            return out
        used = ring.used(open_[0]) if open_ else list(free)
        low, high = self.cell.box[used[0]]
        return [(used[0], ring.constant(low + share * (high - low))) for share in SHARES]

    def _put(self, p: Poly, name: str, value: Poly) -> Poly:
        images: list[Any] = list(self.ring.context.gens())
        images[self.ring.names.index(name)] = value
        return p.compose(*images)

    def _inside(self, replaced: Mapping[str, Poly]) -> Point | None:
        point = {name: self.ring.value(p, {}) for name, p in replaced.items()}
        return point if self.cell.holds(point) else None
