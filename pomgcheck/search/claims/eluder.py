"""Brackets the Eluder dimensions of the two channel error classes (Proposition 2.6), with a sequence that attains the
lower end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from pomgcheck.kernel import eluder as kernel
from pomgcheck.kernel.play import Play
from pomgcheck.search.claims.eluder_sequences import MOST_QUERIES, Budget, Chain, greedy, longest
from pomgcheck.search.coordinates import noted, structure
from pomgcheck.search.exact.tables import Integers, Tables
from pomgcheck.search.finding import Finding, Labels

COMPARISONS = 20_000_000_000  # of sums of squares, by one search for a longest sequence
VALUES = 200_000  # of functions: a sequence is looked for at as many reference models, spread over the class


Entries = tuple[Integers, NDArray[np.int64]]  # columns [size, n], and how often each of them counts


def world_entries(t: Tables) -> Iterator[Entries]:
    """Yield, for each (h, s), the entries of W at every theta as integers over dA dB dT; columns of zeros may be left
    out."""
    for h, s in product(range(t.H), range(t.S)):
        shown = t.EA[:, h, s].any(axis=0), t.EB[:, h, s].any(axis=0)
        both = t.EA[:, h, s][:, shown[0], None] * t.EB[:, h, s][:, None, shown[1]]  # [I, O, OB]
        moved, times = t.moves.varying(h, s)
        if (moved != moved[:1]).any() or (both != both[:1]).any():
            yield (both[..., None] * moved[:, None, None]).reshape(t.I, -1), np.tile(times, both[0].size)


def response_entries(t: Tables) -> Iterator[Entries]:
    """Yield, for each h, the entries of G at every Phi as integers over dg."""
    for table in t.g:
        columns = table.reshape(t.K, -1)
        yield columns, np.ones(columns.shape[1], dtype=np.int64)


@dataclass
class FunctionTable:
    """This has the functions of one reference model. ``squares`` has their squared values over ``unit``, ``points`` the
    point to which each function belongs, and ``least`` the squared scale over that unit. Equal functions stand once,
    and those that are nowhere above the scale are left out."""

    x: int
    squares: list[tuple[int, ...]]
    points: list[int]
    unit: int
    least: Fraction

    @cached_property
    def count(self) -> int:
        """Return how many functions, or queries if they are fewer, differ from one another and exceed the scale."""
        queries = {column for column in zip(*self.squares, strict=True) if max(column) > self.least}
        return min(len(self.squares), len(queries))


class ErrorClass:
    """This is the error class of one channel, F^W over Theta or F^G over Psi, for every reference model."""

    def __init__(self, t: Tables, walks: Sequence[Play], world: bool) -> None:
        self.t, self.walks, self.world = t, walks, world
        self.size = t.I if world else t.K
        self._tables: dict[int, FunctionTable] = {}
        self.sharp = True  # whether all values that came up are exact
        self.gram = np.zeros((self.size, self.size), dtype=object)  # of the differences to the first point
        for entries, times in world_entries(t) if world else response_entries(t):
            moved = entries - entries[:1]
            kept = moved.any(axis=0)
            self.gram = self.gram + (moved[:, kept] * times[kept]).dot(moved[:, kept].T)
        self.unit = (t.dA * t.dB * t.dT if world else t.dg) ** 2

    @cached_property
    def rank(self) -> int:
        """Return the dimension of the span of the differences, which is the rank of their Gram matrix."""
        return int(flint.fmpz_mat(self.gram.tolist()).rank())

    @cached_property
    def B2(self) -> Fraction:
        """Return the largest squared Frobenius norm of a difference."""
        norms = self.gram.diagonal()
        return Fraction(int((norms[:, None] + norms - 2 * self.gram).max()), self.unit)

    @cached_property
    def references(self) -> list[int]:
        """Return the reference models, only the first of those that act alike under every policy."""
        first: dict[Any, int] = {}
        for x in range(self.t.I * self.t.K):
            first.setdefault(tuple(play.alike[divmod(x, self.t.K)] for play in self.walks), x)
        return list(first.values())

    @property
    def stride(self) -> int:
        """Return the step at which reference models are taken when a sequence is looked for; at 1 all of them are."""
        return 1 if self.enumerated() else -(-len(self.references) * self.size * self.t.P // VALUES)

    def tables(self, least: Fraction) -> list[FunctionTable]:
        """Return the different tables of functions, the one of highest count first. Only some reference models are
        taken where all together have over ``VALUES`` values and the kernel does not enumerate."""
        found: dict[Any, FunctionTable] = {}
        for x in self.references[:: self.stride]:
            table = self.table(x, least)
            if table.squares:
                found.setdefault((frozenset(table.squares), table.unit), table)
        return sorted(found.values(), key=lambda table: -table.count)

    def table(self, x: int, least: Fraction) -> FunctionTable:
        """Return the functions of the reference model ``x``; F^G is F_xi at xi = (theta*, Phi)."""
        if x in self._tables:
            return self._tables[x]
        i, k = divmod(x, self.t.K)
        points = [n if self.world else (i, n) for n in range(self.size)]
        ends = [[play.error_ends((i, k), y) for y in points] for play in self.walks]
        self.sharp = self.sharp and all(low == high for each in ends for low, high in each)
        squares = [[high**2 for _, high in each] for each in ends]
        unit = lcm(*(value.denominator for values in squares for value in values))
        whole = [[value.numerator * (unit // value.denominator) for value in values] for values in squares]
        rows: dict[tuple[int, ...], int] = {}
        for n, row in enumerate(zip(*whole, strict=True)):
            if max(row) > least * unit:
                rows.setdefault(row, n)
        self._tables[x] = FunctionTable(x, list(rows), list(rows.values()), unit, least * unit)
        return self._tables[x]

    # -- from above

    def counted(self, least: Fraction, most: int) -> tuple[int, FunctionTable | None]:
        """Return the highest count of any table, and that table; the search stops at the first table that reaches
        ``most``, since none exceeds it."""
        highest: FunctionTable | None = None
        # models of different worlds first, since responses that differ in one number often have much in common
        for x in sorted(self.references, key=lambda x: x % self.t.K) if most else ():
            table = self.table(x, least)
            if highest is None or table.count > highest.count:
                highest = table
            if highest.count >= most:
                break
        return (highest.count if highest else 0), highest

    def plays(self) -> int:
        """Return how many policies there are that differ or are answered differently."""
        game = self.t.game
        return len({(game.policies[p], tuple(response[p] for response in game.responses)) for p in range(self.t.P)})

    def enumerated(self) -> bool:
        """Return whether the kernel enumerates sequences for this class."""
        t = self.t
        return t.I * t.K * self.size**2 * (t.P << t.P) <= kernel.ENUMERATED

    def upper(self, T: int) -> int:
        """Return the upper end at scale 1/(2T) (certificates/FORMAT.md, rule sequence)."""
        return self.bracket(T)[1]

    # -- from below

    def bracket(self, T: int) -> tuple[tuple[FunctionTable, Chain] | None, int, bool]:
        """Return a longest sequence found (``None`` where its length is zero), the upper end, and whether the search
        was exact."""
        least, D = Fraction(1, 4 * T * T), kernel.sign_matrices(self.t.game, self.world, self.walks[0].summed)
        bound = kernel.sign_witness(self.rank, D * self.B2 / least)
        count, highest = self.counted(least, min(bound, self.size - 1, self.plays()))
        most = min(bound, count)
        if not self.sharp:  # ends of values may count for more than the values
            most = kernel.Channel(self.t.game, self.walks[0].scaled, list(self.walks), self.world).upper(T)
        best: tuple[FunctionTable, Chain] | None = None
        budget, exact = Budget(COMPARISONS), self.t.P <= MOST_QUERIES and self.stride == 1
        chain = greedy(highest.squares, highest.least) if highest and highest.squares else None
        if highest and chain and len(chain.queries) == most:
            return (highest, chain), most, True
        for table in self.tables(least):
            length = len(best[1].queries) if best else 0
            if length >= most or table.count <= length:
                break
            chain = greedy(table.squares, table.least)
            if chain and len(chain.queries) > length:
                best, length = (table, chain), len(chain.queries)
            if self.t.P <= MOST_QUERIES:
                longer, certain = longest(table.squares, table.least, length, budget)
                exact = exact and certain
                if longer:
                    best = table, longer
        length = len(best[1].queries) if best else 0
        return best, length if self.enumerated() and self.sharp else most, exact or length == most


def eluder(t: Tables, walks: Sequence[Play], world: bool, T: int) -> Finding:
    """Return the bracket of one channel at scale 1/(2T), with a sequence whose length is the lower end."""
    found = ErrorClass(t, walks, world)
    best, upper, exact = found.bracket(T)
    labels, least = Labels(t.game), Fraction(1, 4 * T * T)
    x, scale = 0, least
    sequence: list[dict[str, Any]] = []
    if best:
        table, chain = best
        x = table.x
        star, side, named = divmod(x, t.K), "theta" if world else "Phi", labels.theta if world else labels.Phi
        chosen = list[tuple[Fraction, Fraction]]()  # sums of squares before, from above, and own ones, from below
        for k, (p, f) in enumerate(zip(chain.queries, chain.witnesses, strict=True)):
            n = table.points[f]
            ends = [walks[z].error_ends(star, n if world else (star[0], n)) for z in (*chain.queries[:k], p)]
            before, square = sum((high**2 for _, high in ends[:-1]), Fraction(0)), ends[-1][0] ** 2
            chosen.append((before, square))
            sequence.append({"pi": labels.policy(p), side: named(n), "before": str(before), "square": str(square)})
        scale = max([least, *(before for before, _ in chosen)])
        if not all(scale < square for _, square in chosen):  # values so near that their ends do not tell them apart
            sequence, scale = [], least
    evidence = {
        "rule": "sequence",
        "xi_star": labels.xi(divmod(x, t.K)),
        "scale_squared": str(scale),
        "sequence": sequence,
    }
    method = "longest sequence, over subsets of the policies" if exact else "longest sequence found"
    notes = noted(structure(t, found.gram)) if world else {}
    return bracketed(world, upper, found.rank, evidence, method, notes)


def bracketed(
    world: bool, upper: int, rank: int, evidence: dict[str, Any], method: str, notes: dict[str, str]
) -> Finding:
    """Return the proof of a bracket whose lower end is the length of the evidence's sequence."""
    letter, lower = "W" if world else "G", len(evidence["sequence"])
    values = {f"d_{letter}_lower": str(lower), f"d_{letter}_upper": str(upper), f"p_{letter}": str(rank)}
    return Finding("proved", method, values, evidence, solvers={"python-flint": flint.__version__}, notes=notes)
