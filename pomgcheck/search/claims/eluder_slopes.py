"""Proposition 2.6 on interval axes, from below: a sequence among rational points near a reference model.

Near a reference model xi* the functions along a line, F at x* + t v, are t times a slope, so whether a query is
independent of others depends on the slopes alone; lengths t are chosen for the sequence found, and all is verified.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

import numpy as np

from pomgcheck.kernel.facts import summed
from pomgcheck.search.claims.eluder_sequences import MOST_QUERIES, Chain, Subsets, chain_at, grown
from pomgcheck.search.continuum import Cell, Continuum
from pomgcheck.search.exact.boxes import Point
from pomgcheck.search.exact.polynomials import Poly
from pomgcheck.search.extremes import corners

BASES = 12  # reference models that are tried
MOST_LINES = 40  # along which functions are looked at, besides the axes
ONE = 2**40  # the squared scale in the tables of a search


@dataclass
class Place:
    """A place is a point of one side: its cell, and the values of its interval axes."""

    cell: int
    values: Point
    rows: dict[int, dict[int, Fraction]] = field(default_factory=dict)


class Errors:
    """This is the function F of one channel for one reference model, at places of the channel's side."""

    def __init__(self, c: Continuum, world: bool, theta: Place, Phi: Place, all_pairs: bool) -> None:
        self.c, self.world, self.reference, self.all_pairs = c, world, {"theta": theta, "Phi": Phi}, all_pairs

    def row(self, place: Place, row: Mapping[int, Poly]) -> dict[int, Fraction]:
        """Return a sparse row in numbers."""
        if id(row) not in place.rows:
            numbers = {n: self.c.ring.quotient_value(p, place.values) for n, p in row.items()}
            place.rows[id(row)] = {n: x for n, x in numbers.items() if x}
        return place.rows[id(row)]

    def channel(self, theta: Place, h: int, o: int, a: int, q: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
        """Return W q."""
        EA, EB, T = self.c.worlds[theta.cell]
        out: dict[Any, Fraction] = {}
        for (s, m), mass in q.items():
            seen = self.row(theta, EA[h][s]).get(o, Fraction(0)) * mass
            for oB, emission in self.row(theta, EB[h][s]).items() if seen else ():
                for b, successors in enumerate(T[h][s][a]):
                    for after, move in self.row(theta, successors).items():
                        key = m, oB, b, after
                        out[key] = out.get(key, Fraction(0)) + seen * emission * move
        return out

    def answered(self, Phi: Place, p: int, h: int, u: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
        """Return G u."""
        memories, g = self.c.adversary, self.c.responses[Phi.cell][p][h]
        out: dict[Any, Fraction] = {}
        for (m, oB, b, s), mass in u.items():
            chance = self.row(Phi, g[memories.row[h][m, oB]]).get(b)
            if chance:
                key = s, int(memories.next[h][m, oB, b])
                out[key] = out.get(key, Fraction(0)) + chance * mass
        return out

    def at(self, places: Sequence[Place], p: int) -> list[Fraction]:
        """Return F(pi) at each place."""
        c, game = self.c, self.c.game
        out = [Fraction(0)] * len(places)

        def walk(h: int, uA: int, weight: Fraction, q: dict[Any, Fraction]) -> None:
            theta, Phi = self.reference["theta"], self.reference["Phi"]
            before = sum(q.values())
            shown = {o for s, _ in q for o in self.row(theta, c.worlds[theta.cell][0][h][s])}
            for o in range(len(game.OA)) if self.all_pairs else sorted(shown):
                for a, chance in enumerate(game.policies[p][h][c.learner.row[h][uA, o]]):
                    image = self.channel(theta, h, o, a, q) if chance else {}
                    after = self.answered(Phi, p, h, image)
                    total = sum(after.values())
                    weighed = weight * chance * (1 if self.all_pairs else total / before)
                    for n, place in enumerate(places if weighed else ()):
                        if self.world:
                            gap = apart(self.channel(place, h, o, a, q), image)
                        else:
                            gap = apart(self.answered(place, p, h, image), after)
                        out[n] += weighed * gap
                    if total and h + 1 < game.H:
                        walk(h + 1, int(c.learner.next[h][uA, o, a]), weight * chance, after)

        walk(0, 0, Fraction(1), {(s, 0): mass for s, mass in enumerate(game.rho0) if mass})
        return out


def apart(u: Mapping[Any, Fraction], v: Mapping[Any, Fraction]) -> Fraction:
    """Return the l1 distance of two sparse vectors."""
    zero = Fraction(0)
    return sum((abs(u.get(key, zero) - v.get(key, zero)) for key in u.keys() | v.keys()), zero)


@dataclass
class Line:
    """A line has the functions at x* + t v, 0 < t <= 1, by their slopes; where ``moves`` is empty, it has one function
    alone by its values."""

    place: Place
    moves: Point
    slopes: list[Fraction]


@dataclass
class Sequenced:
    """This is an independent sequence: its reference model, its squared scale, and (policy, place, squares before,
    square) for each query."""

    theta: Place
    Phi: Place
    scale: Fraction
    queries: list[tuple[int, Place, Fraction, Fraction]]


class Sequences:
    """This searches for the longest sequence of one channel, over reference models, lines and scales."""

    def __init__(self, c: Continuum, world: bool, options: Mapping[str, Any], most: int) -> None:
        self.c, self.world, self.most, self.least = c, world, most, Fraction(1, 4 * options["T"] ** 2)
        self.all_pairs = summed(options)
        self.P = len(c.game.policies)
        self.best: Sequenced | None = None

    @property
    def length(self) -> int:
        """Return how many queries the best sequence has."""
        return len(self.best.queries) if self.best else 0

    def run(self) -> Sequenced | None:
        """Return the longest sequence found; the search stops once it is as long as the upper end allows."""
        for theta, Phi in references(self.c):
            if self.length >= self.most:
                break
            errors = Errors(self.c, self.world, theta, Phi, self.all_pairs)
            lines = self.lines(errors)
            for scale in self.scales(lines):
                if self.length < self.most:
                    self.attempt(errors, lines, scale)
        return self.best

    def lines(self, errors: Errors) -> list[Line]:
        """Return lines through the reference point inside its cell, and points of other cells."""
        side = "theta" if self.world else "Phi"
        here, out = errors.reference[side], list[Line]()
        cell = self.c.cells[side][here.cell]
        ends = [
            (moves, Place(here.cell, moved(here.values, moves, Fraction(1, 1024))))
            for moves in directions(cell, here.values)
        ]
        far = [
            Place(n, values)
            for n, other in enumerate(self.c.cells[side])
            if n != here.cell
            for values in corners(other, sorted(other.box))[-1:]
        ][:MOST_LINES]
        places = [place for _, place in ends] + far
        table = [errors.at(places, p) for p in range(self.P)]
        for n, (moves, _) in enumerate(ends):
            out.append(Line(here, moves, [row[n] * 1024 for row in table]))
        out += [Line(place, {}, [row[len(ends) + n] for row in table]) for n, place in enumerate(far)]
        return [line for line in out if any(line.slopes)]

    def scales(self, lines: list[Line]) -> list[Fraction]:
        """Return the squared scales that are worth a search: just below a value that occurs, or well inside the
        lines."""
        most = max((max(line.slopes) ** 2 for line in lines), default=Fraction(0))
        fixed = {x**2 for line in lines if not line.moves for x in line.slopes if x**2 > self.least}
        found = [most / 2**k for k in (6, 12, 20)] + [x - x / 2**24 for x in sorted(fixed, reverse=True)][:16]
        return [*dict.fromkeys(max(self.least, tidy(x)) for x in found), self.least] if most else []

    def attempt(self, errors: Errors, lines: list[Line], scale: Fraction) -> None:
        """Keep the longest chain at one squared scale, made exact and verified, if it is longer than the best."""
        rows: list[list[int]] = []
        origin: list[Line] = []
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
        kept: list[tuple[int, Place, Fraction, Fraction]] = []
        table: dict[int, list[Fraction]] = {}
        for p, witness in zip(chain.queries, chain.witnesses, strict=True):
            line, chosen = origin[witness], [q for q, *_ in kept]
            place = line.place
            if line.moves:
                t = length_between(line.slopes[p] ** 2, sum((line.slopes[q] ** 2 for q in chosen), Fraction(0)), scale)
                place = Place(line.place.cell, moved(line.place.values, line.moves, t))
            table = {q: errors.at([place], q) for q in (*chosen, p)}
            before = sum((table[q][0] ** 2 for q in chosen), Fraction(0))
            square = table[p][0] ** 2
            if before <= scale < square:
                kept.append((p, place, before, square))
        if len(kept) > self.length:
            self.best = Sequenced(errors.reference["theta"], errors.reference["Phi"], scale, kept)


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


def references(c: Continuum) -> Iterator[tuple[Place, Place]]:
    """Return reference models: the middles of the cells, then a few corners of each."""
    found: list[tuple[Place, Place]] = []
    for i, k in c.models[:BASES]:
        sides = [corners(cell, sorted(cell.box)) for cell in (c.cells["theta"][i], c.cells["Phi"][k])]
        middle = tuple(points[-1] for points in sides)
        found.append((Place(i, middle[0]), Place(k, middle[1])))
    for i, k in c.models[:BASES]:
        thetas, phis = (corners(cell, sorted(cell.box))[:3] for cell in (c.cells["theta"][i], c.cells["Phi"][k]))
        found += [(Place(i, x), Place(k, y)) for x, y in product(thetas, phis)]
    yield from found[: 2 * BASES]
