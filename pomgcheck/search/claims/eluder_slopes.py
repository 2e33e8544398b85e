"""Proposition 2.6 on interval axes, from below: a sequence among rational points near a reference model.

Near a reference model xi* the functions along a line, F at x* + t v, are t times a slope, so whether a query is
independent of others depends on the slopes alone; lengths t are chosen for the sequence found, and all is verified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

import numpy as np

from pomgcheck.kernel.facts import plays_of
from pomgcheck.kernel.operators import Scaled, Space
from pomgcheck.search.claims.eluder_sequences import MOST_QUERIES, Chain, Subsets, chain_at, grown
from pomgcheck.search.continuum import Cell, Continuum
from pomgcheck.search.exact.boxes import Point
from pomgcheck.search.extremes import corners
from pomgcheck.search.intervals import point_on

BASES = 12  # reference models that are tried
MOST_LINES = 40  # along which functions are looked at, besides the axes
ONE = 2**40  # the squared scale in the tables of a search


@dataclass
class SidePoint:
    """A point of one side has its cell, and the values of its interval axes."""

    cell: int
    values: Point


Reference = tuple[SidePoint, SidePoint]  # the places of theta and Phi
SIDES = ("theta", "Phi")


@dataclass
class Ray:
    """A ray has the functions at x* + t v, 0 < t <= 1, by their slopes; where ``moves`` is empty, it has one function
    alone by its values."""

    place: SidePoint
    moves: Point
    slopes: list[Fraction]


@dataclass
class Sequenced:
    """This is an independent sequence: its reference model, its squared scale, and (policy, place, squares before,
    square) for each query."""

    theta: SidePoint
    Phi: SidePoint
    scale: Fraction
    queries: list[tuple[int, SidePoint, Fraction, Fraction]]


class Sequences:
    """This searches for the longest sequence of one channel, over reference models, lines and scales."""

    def __init__(self, c: Continuum, world: bool, options: Mapping[str, Any], most: int) -> None:
        self.c, self.world, self.most, self.least = c, world, most, Fraction(1, 4 * options["T"] ** 2)
        self.options = options
        self.P = len(c.game.policies)
        self.best: Sequenced | None = None

    @property
    def length(self) -> int:
        """Return how many queries the best sequence has."""
        return len(self.best.queries) if self.best else 0

    def run(self) -> Sequenced | None:
        """Return the longest sequence found; the search stops once it is as long as the upper end allows."""
        for reference in references(self.c):
            if self.length >= self.most:
                break
            lines = self.lines(reference)
            for scale in self.scales(lines):
                if self.length < self.most:
                    self.attempt(reference, lines, scale)
        return self.best

    def errors(self, reference: Reference, places: Sequence[SidePoint], ps: Iterable[int]) -> dict[int, list[Fraction]]:
        """Return F(pi) of the channel at each place of its side, by policy: the kernel's own, of the finite class of the
        reference model and these places."""
        c, side = self.c, SIDES[not self.world]
        points = {x: [point_on(c, x, each.cell, each.values)] for x, each in zip(SIDES, reference, strict=True)}
        found = [point_on(c, side, each.cell, each.values) for each in places]
        points[side] += [point for n, point in enumerate(found) if point not in points[side] + found[:n]]
        game = c.game.subclass(points["theta"], points["Phi"])
        kind, scaled, space = plays_of(self.options), Scaled(game), Space(game, c.space)
        plays = {p: kind(game, scaled, space, p, self.options["limits"]["trajectories"]) for p in ps}
        numbers = [points[side].index(point) for point in found]
        return {p: [play.error((0, 0), n if self.world else (0, n)) for n in numbers] for p, play in plays.items()}

    def lines(self, reference: Reference) -> list[Ray]:
        """Return lines through the reference point inside its cell, and points of other cells."""
        side, here, out = SIDES[not self.world], reference[not self.world], list[Ray]()
        cell = self.c.cells[side][here.cell]
        ends = [
            (moves, SidePoint(here.cell, moved(here.values, moves, Fraction(1, 1024))))
            for moves in directions(cell, here.values)
        ]
        far = [
            SidePoint(n, values)
            for n, other in enumerate(self.c.cells[side])
            if n != here.cell
            for values in corners(other, sorted(other.box))[-1:]
        ][:MOST_LINES]
        places = [place for _, place in ends] + far
        table = self.errors(reference, places, range(self.P)).values()
        for n, (moves, _) in enumerate(ends):
            out.append(Ray(here, moves, [row[n] * 1024 for row in table]))
        out += [Ray(place, {}, [row[len(ends) + n] for row in table]) for n, place in enumerate(far)]
        return [line for line in out if any(line.slopes)]

    def scales(self, lines: list[Ray]) -> list[Fraction]:
        """Return the squared scales that are worth a search: just below a value that occurs, or well inside the
        lines."""
        most = max((max(line.slopes) ** 2 for line in lines), default=Fraction(0))
        fixed = {x**2 for line in lines if not line.moves for x in line.slopes if x**2 > self.least}
        found = [most / 2**k for k in (6, 12, 20)] + [x - x / 2**24 for x in sorted(fixed, reverse=True)][:16]
        return [*dict.fromkeys(max(self.least, tidy(x)) for x in found), self.least] if most else []

    def attempt(self, reference: Reference, lines: list[Ray], scale: Fraction) -> None:
        """Keep the longest chain at one squared scale, made exact and verified, if it is longer than the best."""
        rows: list[list[int]] = []
        origin: list[Ray] = []
        for line in lines:
            squares = [x**2 for x in line.slopes]
            targets = [scale] if not line.moves else sorted({x for x in squares if x > scale})
            for target in targets:
                row = [min(2 * ONE, -int(-x * ONE // target)) for x in squares]
                if max(row) >= ONE and row not in rows:
                    rows.append(row)
                    origin.append(line)
        chain = chained(rows, self.P)
        if chain is None or len(chain.queries) <= self.length:
            return
        kept: list[tuple[int, SidePoint, Fraction, Fraction]] = []
        table: dict[int, list[Fraction]] = {}
        for p, witness in zip(chain.queries, chain.witnesses, strict=True):
            line, chosen = origin[witness], [q for q, *_ in kept]
            place = line.place
            if line.moves:
                t = length_between(line.slopes[p] ** 2, sum((line.slopes[q] ** 2 for q in chosen), Fraction(0)), scale)
                place = SidePoint(line.place.cell, moved(line.place.values, line.moves, t))
            table = self.errors(reference, [place], (*chosen, p))
            before = sum((table[q][0] ** 2 for q in chosen), Fraction(0))
            square = table[p][0] ** 2
            if before <= scale < square:
                kept.append((p, place, before, square))
        if len(kept) > self.length:
            self.best = Sequenced(*reference, scale, kept)


def chained(rows: list[list[int]], P: int) -> Chain | None:
    """Return a long chain at the squared scale just below ONE; where there are few queries it is the longest."""
    if not rows:
        return None
    if P <= MOST_QUERIES:
        subsets = Subsets(rows, [ONE])
        open_ = subsets.open_to(0, 0)
        return chain_at(rows, subsets.order(open_, subsets.levels(open_)), ONE)
    return chain_at(rows, grown(np.array(rows, dtype=float) / ONE, 1.0, []), ONE)


def length_between(square: Fraction, before: Fraction, scale: Fraction) -> Fraction:
    """Return a short rational t <= 1 with t^2 square > scale >= t^2 before, as far as the slopes are right."""
    low = root(scale / square)
    high = min(Fraction(1), root(scale / before)) if before else Fraction(1)
    return simplest(low + (high - low) / 16, high - (high - low) / 16) if before else high


def root(x: Fraction) -> Fraction:
    """Return the square root of a number, rounded down to a multiple of 2^-40."""
    return Fraction(isqrt(int(x * 2**80)), 2**40)


def tidy(x: Fraction) -> Fraction:
    """Return a fraction a little under x whose denominator is a power of two."""
    k = max(0, 24 - (int(x).bit_length() if x >= 1 else -int(1 / x).bit_length()))
    return Fraction(int(x * 2**k), 2**k)


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction of least denominator between two positive ones."""
    whole = low.numerator // low.denominator
    if low == whole:
        return low
    if whole + 1 <= high:
        return Fraction(whole + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))


def moved(values: Point, moves: Point, t: Fraction) -> Point:
    """Return the point x + t v."""
    return {name: x + t * moves.get(name, Fraction(0)) for name, x in values.items()}


def directions(cell: Cell, values: Point) -> Iterator[Point]:
    """Return moves from a point of the region that stay in it: along every axis, and along diagonals of a few axes."""
    names = [name for name, (low, high) in sorted(cell.box.items()) if low < high]
    signs: list[dict[str, int]] = [{name: 1} for name in names]
    if 1 < len(names) <= 3:
        sides = (s for s in product((0, 1, -1), repeat=len(names)) if sum(map(abs, s)) > 1)
        every = (dict(zip(names, s, strict=True)) for s in sides)
        signs += list(every)[:MOST_LINES]
    for sign in signs:
        for side in (1, -1):
            moves = {name: room(cell, values, name, s * side) for name, s in sign.items() if s}
            for _ in range(6):
                if all(moves.values()) and cell.admits(moved(values, moves, Fraction(1))):
                    yield moves
                    break
                moves = {name: x / 2 for name, x in moves.items()}
            else:
                continue
            if len(names) > 3:  # one side of each of many axes is enough
                break


def room(cell: Cell, values: Point, name: str, sign: int) -> Fraction:
    """Return how far it is from the value to the end of the interval on that side."""
    low, high = cell.box[name]
    return high - values[name] if sign > 0 else low - values[name]


def references(c: Continuum) -> Iterator[Reference]:
    """Return reference models: the middles of the cells, then a few corners of each."""
    found: list[Reference] = []
    for i, k in c.models[:BASES]:
        sides = [corners(cell, sorted(cell.box)) for cell in (c.cells["theta"][i], c.cells["Phi"][k])]
        middle = tuple(points[-1] for points in sides)
        found.append((SidePoint(i, middle[0]), SidePoint(k, middle[1])))
    for i, k in c.models[:BASES]:
        thetas, phis = (corners(cell, sorted(cell.box))[:3] for cell in (c.cells["theta"][i], c.cells["Phi"][k]))
        found += [(SidePoint(i, x), SidePoint(k, y)) for x, y in product(thetas, phis)]
    yield from found[: 2 * BASES]
