"""Brackets the Eluder dimensions of Proposition 2.6 on interval axes: from above by rank, norms and queries, from below
by a sequence among rational points.

Near a reference model xi* the functions along a line, F at x* + t v, are t times a slope. So whether a query is
independent of others depends on the slopes alone. Lengths t are chosen for the sequence that is found, and all of it is
verified.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import isqrt
from random import Random
from typing import Any

import flint
import numpy as np

from pomgcheck.kernel.facts import summed
from pomgcheck.search.claims.eluder import sign_witness
from pomgcheck.search.claims.eluder_sequences import MOST_QUERIES, Chain, Subsets, chain_at, grown
from pomgcheck.search.continuum import Cell, Continuum, Goal
from pomgcheck.search.coordinates import failures, noted, parameters
from pomgcheck.search.exact.boxes import Point, Shown
from pomgcheck.search.exact.polynomials import Poly
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.extremes import PROGRAM, Trees, corners
from pomgcheck.search.finding import Finding, point_text
from pomgcheck.search.intervals import widen

BASES = 12  # reference models that are tried
MOST_LINES = 40  # along which functions are looked at, besides the axes
ONE = 2**40  # the squared scale in the tables of a search
SETTLED = 4  # points of every cell in a row that add nothing to a rank
PRIME = 2**61 - 1
UNIT = (Fraction(0), Fraction(1))
SLACK = (Fraction(0), Fraction(1, 16), Fraction(1, 2))  # of the range of an entry
BOXES = 100  # examined for the range of one entry


# ------------------------------------------------------------------------------------------ entries


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
    return all(x.is_constant() for x in entry) and all(x == entry[0] for x in entry)


class Differences:
    """The entries of one channel that vary, their span by sampling, and how many queries or functions can count."""

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
            if any(str(x) != str(first) for x in others) or not all(x.is_constant() for x in entries_of(first)):
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


def entries_of(tables: Any) -> Iterator[Poly]:
    """Yield the polynomials of nested tables and sparse rows."""
    if isinstance(tables, list | tuple | dict):
        for each in tables.values() if isinstance(tables, dict) else tables:
            yield from entries_of(each)
    else:
        yield tables


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


# ------------------------------------------------------------------------------------------- errors


@dataclass
class Place:
    """A point of one side: its cell, and the values of its interval axes."""

    cell: int
    values: Point
    rows: dict[int, dict[int, Fraction]] = field(default_factory=dict)


class Errors:
    """The function F of one channel for one reference model, at places of the channel's side."""

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
    zero = Fraction(0)
    return sum((abs(u.get(key, zero) - v.get(key, zero)) for key in u.keys() | v.keys()), zero)


# ----------------------------------------------------------------------------------------- sequence


@dataclass
class Line:
    """The functions at x* + t v, 0 < t <= 1, by their slopes; where ``moves`` is empty, one function alone by its
    values."""

    place: Place
    moves: Point
    slopes: list[Fraction]


@dataclass
class Sequenced:
    """An independent sequence: its reference model, its squared scale, and (policy, place, squares before, square) for
    each query."""

    theta: Place
    Phi: Place
    scale: Fraction
    queries: list[tuple[int, Place, Fraction, Fraction]]


class Sequences:
    """The search for the longest sequence of one channel, over reference models, lines and scales."""

    def __init__(self, c: Continuum, world: bool, options: Mapping[str, Any], most: int) -> None:
        self.c, self.world, self.most, self.least = c, world, most, Fraction(1, 4 * options["T"] ** 2)
        self.all_pairs = summed(options)
        self.P = len(c.game.policies)
        self.best: Sequenced | None = None

    @property
    def length(self) -> int:
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


# -------------------------------------------------------------------------------------------- claim


def eluder(c: Continuum, world: bool, options: Mapping[str, Any]) -> Finding:
    """Return the bracket of one channel at scale 1/(2T)."""
    differences, trees, T = Differences(c, world, options), Trees(c), options["T"]
    rank = differences.span([entry for entry, _ in differences.entries])
    norm, bounds = differences.norm(trees)
    limits = (differences.queries(), differences.functions(), sign_witness(rank, 4 * T * T * norm) if rank else 0)
    upper = min(x for x in limits if x is not None)
    best = Sequences(c, world, options, upper).run()
    if best is None:
        theta, Phi = next(references(c))
        best = Sequenced(theta, Phi, Fraction(1, 4 * T * T), [])
    letter, side = ("W", "theta") if world else ("G", "Phi")
    sequence = [
        {"pi": c.game.policy_names[p], side: written(c, side, place), "before": str(before), "square": str(square)}
        for p, place, before, square in best.queries
    ]
    evidence = {
        "rule": "sequence",
        "xi_star": {"theta": written(c, "theta", best.theta), "Phi": written(c, "Phi", best.Phi)},
        "scale_squared": str(best.scale),
        "sequence": sequence,
        "bounds": bounds,
        "trees": trees.trees,
    }
    values = {f"d_{letter}_lower": str(len(sequence)), f"d_{letter}_upper": str(upper), f"p_{letter}": str(rank)}
    return Finding(
        "proved",
        "sequence among points near one another",
        values,
        evidence,
        solvers={"python-flint": flint.__version__},
        notes=noted(structure(c, differences)) if world else {},
    )


def structure(c: Continuum, differences: Differences) -> dict[str, Any] | None:
    """Return the span of the transitions' rows, and whether the entries of W are affine.

    Where they are not, points of the class and weights show it; the result is ``None`` where none of the points tried
    do, on a class without inner points.
    """
    found = {"transition_rank": transition_span(c), "affine": True}
    if differences.affine():
        return found
    _, Phi = next(references(c))
    points: dict[str, dict[str, str]] = {}
    for n, cell in enumerate(c.cells["theta"]):
        inner = corners(cell, sorted(cell.box))[-9:]
        middle = inner[-1]
        shares = Fraction(1, 2), Fraction(1, 3)
        inner += [moved(middle, moves, t) for moves in directions(cell, middle) for t in shares]
        points |= {str(point): point for point in (written(c, "theta", Place(n, values)) for values in inner)}
    t = Tables(c.game.subclass([*points.values()], [written(c, "Phi", Phi)]), c.space)
    shown = next(failures(t, parameters(t)), None)
    if shown is None:
        return None
    weights, entry = shown
    listed = [[point_text((t.game.thetas or ())[i]), str(w)] for i, w in enumerate(weights) if w]
    return found | {"affine": False, "entry": entry, "weights": listed}


def written(c: Continuum, side: str, place: Place) -> dict[str, str]:
    """Return a point of one side in the document's own names."""
    cell = c.cells[side][place.cell]
    point = cell.fixed | {name.partition(".")[2]: x for name, x in place.values.items()}
    return {name: str(x) for name, x in sorted(point.items())}
