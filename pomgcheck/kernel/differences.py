"""The channel error classes of a class with interval axes: what their differences span, and which queries can count.

An entry of W or G is a tuple of numbers or polynomials, its value in every cell of Theta (of Psi).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from .continua import Continuum, varies
from .eluder import rank, response_entries, sign_matrices, world_entries
from .operators import common_unit, multiples
from .polynomials import Polynomial, cleared, polynomial
from .rows import Scalar

Entry = tuple[Scalar, ...]
MARK = "~"  # no parameter begins so


def together(functions: Iterable[object]) -> list[dict[Any, Any]]:
    """Return functions on one cell, all multiplied by one product of divisors: monomial -> coefficient of each."""
    found = [polynomial(x) for x in functions]
    marked = Polynomial(
        {
            tuple(sorted((*key, f"{MARK}{k}"))): coefficient
            for k, p in enumerate(found)
            for key, coefficient in p.items()
        }
    )
    out: list[dict[Any, Any]] = [{} for _ in found]
    for key, coefficient in cleared(marked).items():
        mark = next(name for name in key if name.startswith(MARK))
        out[int(mark[len(MARK) :])][tuple(name for name in key if name != mark)] = coefficient
    return out


def span(entries: Iterable[Entry], cells: int) -> int:
    """Return at most the dimension that differences of the vector of entries span: that of 1 and the entries as
    functions on the class, less one.

    It is attained where every cell has inner points.
    """
    functions = [(Fraction(1),) * cells, *entries]
    by_cell = [together(column) for column in zip(*functions, strict=True)]
    columns = [(c, key) for c, found in enumerate(by_cell) for key in {key: None for p in found for key in p}]
    rows = [tuple(Fraction(by_cell[c][f].get(key, 0)) for c, key in columns) for f in range(len(functions))]
    return rank([multiples(row, common_unit(row)) for row in rows], min(len(rows), len(columns))) - 1


class Differences:
    """This is one channel of a class with interval axes: ``entries`` are those that vary, with how often each
    occurs."""

    def __init__(self, continuum: Continuum, world: bool, summed: bool) -> None:
        self.continuum, self.world = continuum, world
        self.cells = continuum.thetas if world else continuum.phis
        self.tables: Sequence[Any] = continuum.worlds if world else continuum.responses
        game, self.entries = continuum.game, Counter[Entry]()
        every: Iterator[tuple[Entry, int]] = world_entries(game, continuum) if world else response_entries(continuum)
        for entry, times in every:
            if varies(entry):
                self.entries[entry] += times
        self.D = sign_matrices(game, world, summed)

    @cached_property
    def rank(self) -> int:
        """Return an upper bound of the dimension that differences span, which stands for p_W or p_G."""
        return span(self.entries, len(self.cells))

    def functions(self) -> int | None:
        """Return the most functions that are not zero for one reference model, or ``None`` where they have no end."""
        return None if any(cell.region.box for cell in self.cells) else len(set(self.tables)) - 1

    def queries(self) -> int:
        """Return how many policies can have a function that is not zero: those that play where a table varies, each
        play once."""
        return len({self._play(p) for p in range(len(self.continuum.policies)) if self._counts(p)})

    def _play(self, p: int) -> Any:
        return self.continuum.policies[p], tuple(response[p] for response in self.continuum.responses)

    def _counts(self, p: int) -> bool:
        if not self.world:
            return varies([response[p] for response in self.tables])
        for h, rows in enumerate(self.continuum.policies[p]):
            played = [a for a in range(len(self.continuum.game.A)) if any(row[a] for row in rows)]
            emitted = [(world.EA[h], world.EB[h]) for world in self.tables]
            moved = [tuple(table[a] for table in world.T[h] for a in played) for world in self.tables]
            if varies(emitted) or varies(moved):
                return True
        return False
