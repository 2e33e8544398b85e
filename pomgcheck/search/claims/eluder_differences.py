"""Proposition 2.6 on interval axes, from above: the entries of a channel that vary, their span, norms and queries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from pomgcheck.kernel.facts import summed
from pomgcheck.search.continuum import Cell, Continuum, Goal, leaves
from pomgcheck.search.exact.boxes import Point, Shown
from pomgcheck.search.exact.polynomials import Poly
from pomgcheck.search.extremes import PROGRAM, Trees, corners
from pomgcheck.search.intervals import widen

SETTLED = 4  # points of every cell in a row that add nothing to a rank
PRIME = 2**61 - 1
UNIT = (Fraction(0), Fraction(1))
SLACK = (Fraction(0), Fraction(1, 16), Fraction(1, 2))  # of the range of an entry
BOXES = 100  # examined for the range of one entry


def aligned(rows: Sequence[Mapping[int, Poly]], zero: Poly) -> list[tuple[Poly, ...]]:
    """Return the entries of one row in every cell, as one tuple for each place where some cell has an entry."""
    return [tuple(row.get(n, zero) for row in rows) for n in sorted({n for row in rows for n in row})]


def world_entries(c: Continuum) -> Iterator[tuple[tuple[Poly, ...], int]]:
    """Return the entries of W in every cell of Theta, with how often each occurs."""
    for h, s in product(range(c.game.H), range(len(c.game.S))):
        seen, heard = (counted(aligned([world[part][h][s] for world in c.worlds], c.ring.zero)) for part in (0, 1))
        rows = (
            [world[2][h][s][a][b] for world in c.worlds] for a, b in product(range(len(c.game.A)), range(len(c.game.B)))
        )
        moved = counted([entry for row in rows for entry in aligned(row, c.ring.zero)])
        for (e, n), (f, m), (t, k) in product(seen, heard, moved):
            yield tuple(x * y * z for x, y, z in zip(e, f, t, strict=True)), n * m * k


def response_entries(c: Continuum) -> Iterator[tuple[tuple[Poly, ...], int]]:
    """Return the entries of G in every cell of Psi, with how often each occurs."""
    for p, h in product(range(len(c.game.policies)), range(c.game.H)):
        for rows in zip(*(response[p][h] for response in c.responses), strict=True):
            yield from counted(aligned(rows, c.ring.zero))


def counted(entries: Iterable[tuple[Poly, ...]]) -> list[tuple[tuple[Poly, ...], int]]:
    """Return the distinct entries, each with how often it occurs."""
    named = [(str(entry), entry) for entry in entries]
    known = dict(named)
    return [(known[name], n) for name, n in Counter(name for name, _ in named).items()]


def constant(entry: Sequence[Poly]) -> bool:
    """Return whether an entry is one number at every point of every cell."""
    return all(x.is_constant() for x in entry) and all(x == entry[0] for x in entry)


class Differences:
    """This has the entries of one channel that vary, their span by sampling, and how many queries or functions can
    count."""

    def __init__(self, c: Continuum, world: bool, options: Mapping[str, Any]) -> None:
        self.c, self.world, self.side = c, world, "theta" if world else "Phi"
        self.cells = c.cells[self.side]
        found: dict[str, tuple[tuple[Poly, ...], int]] = {}
        for entry, times in world_entries(c) if world else response_entries(c):
            if not constant(entry):
                before = found.get(str(entry), (entry, 0))[1]
                found[str(entry)] = entry, before + times
        self.entries = list(found.values())
        game = c.game
        seen = len(game.OA) if summed(options) else 1
        self.D = game.H * len(game.B) * (len(game.S) * len(game.OB) * seen if world else 1)

    def span(self, functions: Sequence[Sequence[Poly]]) -> int:
        """Return the rank of 1 and the functions at random points of every cell, less one."""
        samples = (
            [Fraction(1), *(self.c.ring.quotient_value(f[n], point) for f in functions)]
            for n, point in points_anywhere(self.c, len(self.cells))
        )
        return settled_rank(([row] for row in samples), len(self.cells), 1 + len(functions)) - 1

    def affine(self) -> bool:
        """Return whether every entry is affine in the parameters."""
        axes = []
        for name in [*self.cells[0].fixed, *(n.partition(".")[2] for n in self.cells[0].box)]:
            axes.append(
                [
                    self.c.ring.constant(cell.fixed[name])
                    if name in cell.fixed
                    else self.c.ring.generators[f"{self.side}.{name}"]
                    for cell in self.cells
                ]
            )
        return self.span(axes) == self.span([*axes, *(entry for entry, _ in self.entries)])

    def functions(self) -> int | None:
        """Return how many functions there can be that are not zero; ``None`` unless the side is finite."""
        if any(cell.box for cell in self.cells):
            return None
        return len({str(table) for table in (self.c.worlds if self.world else self.c.responses)}) - 1

    def queries(self) -> int:
        """Return how many policies meet an entry that varies; policies that play and are answered alike count once."""
        c, kinds = self.c, set()
        for p, policy in enumerate(c.game.policies):
            answers = [response[p] for response in c.responses]
            met = [self._met(h, rows) for h, rows in enumerate(policy)] if self.world else answers
            first, *others = ([step[n] for step in met] for n in range(len(self.cells))) if self.world else met
            if any(str(x) != str(first) for x in others) or not all(x.is_constant() for x in leaves(first)):
                kinds.add((str(policy), str(answers)))
        return len(kinds)

    def _met(self, h: int, rows: Any) -> list[Any]:
        """Return what one step shows of the world under the actions that are played there, one item per cell."""
        played = [a for a in range(len(self.c.game.A)) if any(row[a] for row in rows)]
        return [(EA[h], EB[h], [[acts[a] for a in played] for acts in T[h]]) for EA, EB, T in self.c.worlds]

    def norm(self, trees: Trees) -> tuple[Fraction, dict[str, list[str]]]:
        """Return D B^2 of Lemma C.1 with the squared ranges of the entries, and the bounds on which these rest."""
        bounds: dict[str, list[str]] = {}
        regions = [self.c.cell_of((n, None) if self.world else (None, n)) for n in range(len(self.cells))]
        met = [
            (self.c.ring.split(p)[1], region)
            for entry, _ in self.entries
            for p, region in zip(entry, regions, strict=True)
            if not p.is_constant()
        ]
        for whole, region in met:
            if ends := self._range(whole, region, trees):
                widen(bounds, self.c.ring.text(whole), *ends)
        for whole, region in met:  # those of one region may not be shown on another
            name = self.c.ring.text(whole)
            if name in bounds and not self._shown(trees.stated(whole, region, bounds[name]), region, trees):
                del bounds[name]
        square = Fraction(0)
        for entry, times in self.entries:
            lows, highs = zip(*(self._ends(p, bounds) for p in entry), strict=True)
            square += times * (max(highs) - min(lows)) ** 2
        return self.D * square, bounds

    def _range(self, whole: Poly, region: Cell, trees: Trees) -> tuple[Fraction, Fraction] | None:
        """Return bounds of a polynomial on a region that are near its values at the corners; ``None`` where few boxes
        show none."""
        at, ring = self.c.ring.evaluator(whole), self.c.ring
        values = [at(point) for point in corners(region, ring.parameters(whole))]
        low, high = min(values), max(values)
        for share in SLACK:
            slack = share * (high - low or abs(low))
            if self._shown(trees.stated(whole, region, (low - slack, high + slack)), region, trees):
                return low - slack, high + slack
        return None

    def _shown(self, goals: list[Goal], region: Cell, trees: Trees) -> bool:
        """Return whether few boxes show all the goals."""
        trees.left = BOXES * (PROGRAM if region.constraints else 1)
        return all(isinstance(trees.ask(goal), Shown) for goal in goals)

    def _ends(self, p: Poly, bounds: Mapping[str, list[str]]) -> tuple[Fraction, Fraction]:
        scale, whole = self.c.ring.split(p)
        if whole.is_constant():
            return (self.c.ring.quotient_value(p, {}),) * 2
        name = self.c.ring.text(whole)
        if name not in bounds:
            return UNIT
        low, high = map(Fraction, bounds[name])
        return scale * low, scale * high


def points_anywhere(c: Continuum, cells: int) -> Iterator[tuple[int, Point]]:
    """Yield random values of all parameters, for the cells in turn; the points lie in no region in particular."""
    random = Random(0)
    while True:
        for n in range(cells):
            yield n, {name: Fraction(random.randrange(1, 10**6), 10**6 + 3) for name in c.ring.names}


def settled_rank(batches: Iterator[list[list[Fraction]]], cells: int, width: int) -> int:
    """Return the rank of the rows modulo a prime. Batches are read until a few rounds of all cells add nothing."""
    basis: list[tuple[int, list[int]]] = []  # where a row has its first entry, 1; and the row
    still = 0
    for batch in batches:
        larger = False
        for row in batch:
            rest = [x.numerator * pow(x.denominator, -1, PRIME) % PRIME for x in row]
            for place, known in basis:
                if factor := rest[place]:
                    rest = [(x - factor * y) % PRIME for x, y in zip(rest, known, strict=True)]
            first = next((k for k, x in enumerate(rest) if x), None)
            if first is not None:
                unit = pow(rest[first], -1, PRIME)
                basis.append((first, [x * unit % PRIME for x in rest]))
                larger = True
        still = 0 if larger else still + 1
        if len(basis) == width or still == SETTLED * cells:
            return len(basis)
    raise AssertionError("batches without end")


def transition_span(c: Continuum) -> int:
    """Return the dimension of the span of all rows of T_h over all models, at the step h where it is largest."""
    most, size = 0, len(c.game.S)
    for h in range(c.game.H):
        tables = [{str(row): row for acts in world[2][h] for by_b in acts for row in by_b} for world in c.worlds]
        sampled = (
            [[c.ring.quotient_value(row.get(s, c.ring.zero), point) for s in range(size)] for row in tables[n].values()]
            for n, point in points_anywhere(c, len(tables))
        )
        most = max(most, settled_rank(sampled, len(tables), size))
    return most
