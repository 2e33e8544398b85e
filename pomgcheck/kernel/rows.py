"""Rows of a large table, which keep only their entries that are not zero, and the form in which documents write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

from .reading import require, sequence

Scalar = Any  # an entry: an integer, a fraction, a polynomial on interval axes, a text as a document writes it
SPARSE_ABOVE = 20_000  # entries |S||A||B||S| or |S||O| of one step: larger tables are written sparse, others as arrays


class SparseRow(Sequence[Scalar]):
    """This is a row of ``length`` entries of which ``entries``, pairs (place, value), are not zero; places ascend.

    Rows are equal if they have the same entries. It never changes, and reads as the whole row where it is iterated.
    """

    __slots__ = ("_at", "_hash", "entries", "length")

    def __init__(self, length: int, entries: Iterable[tuple[int, Scalar]]) -> None:
        self.length, self.entries = length, tuple((k, x) for k, x in entries if x)
        self._at = dict(self.entries)
        self._hash: int | None = None

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, place: int) -> Scalar: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Scalar, ...]: ...
    def __getitem__(self, place: int | slice) -> Scalar | tuple[Scalar, ...]:
        return tuple(self)[place] if isinstance(place, slice) else self._at.get(range(self.length)[place], 0)

    def __iter__(self) -> Iterator[Scalar]:
        return (self._at.get(k, 0) for k in range(self.length))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SparseRow):
            return NotImplemented
        return self is other or (self.length == other.length and self.entries == other.entries)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.length, self.entries))
        return self._hash


def numbered(row: Any) -> Iterable[tuple[int, Scalar]]:
    """Yield (place, entry) of every entry of a row; of a sparse one, of those that are not zero."""
    return row.entries if isinstance(row, SparseRow) else enumerate(row)


def transposed(rows: Sequence[Any]) -> list[tuple[tuple[int, Scalar], ...]]:
    """Return the columns of a table by their entries that are not zero, as pairs (row, entry); equal columns are equal
    tuples."""
    columns: list[list[tuple[int, Scalar]]] = [[] for _ in rows[0]]
    for s, row in enumerate(rows):
        for o, entry in numbered(row):
            if entry:
                columns[o].append((s, entry))
    return list(map(tuple, columns))


def misplaced(places: Sequence[Any], length: int) -> str:
    """Return what is wrong with the places of a sparse row as a document lists them, or "" where nothing is."""
    for k in places:
        if type(k) is not int or not 0 <= k < length:
            return f"the place {k!r}"
    for before, k in pairwise(places):
        if before >= k:
            return f"the place {k} twice" if before == k else f"the place {k} after {before}"
    return ""


# -- the sparse form of a table, as documents write it


def leaves_of(table: object) -> int:
    """Return how many leaves nested arrays have."""
    return sum(map(leaves_of, table)) if isinstance(table, list) else 1


def entries_of(table: object, horizon: int) -> int:
    """Return how many entries a table, or an object of tables, has over all steps."""
    if not isinstance(table, dict):
        return horizon * leaves_of(table)
    if is_sparse(table):
        return sum(map(leaves_of, table.values()))
    if "steps" in table:
        return leaves_of(table["steps"])
    return sum(entries_of(each, horizon) for each in table.values())


def is_sparse(table: object) -> bool:
    """Return whether a table is given as its distinct rows, by the entries that are not zero, and the number of every
    row."""
    return isinstance(table, dict) and len(table) == 2 and "sparse" in table and ("table" in table or "steps" in table)


def in_arrays(table: Any, length: int) -> Any:
    """Return a sparse table as arrays of texts, in which equal rows are one list, and any other table as it is."""
    if not is_sparse(table):
        return table
    listed = [dict(row) for row in table["sparse"]]
    rows = [[row.get(k, "0") for k in range(length)] for row in listed]

    def spread(numbers: Any) -> Any:
        return [spread(part) for part in numbers] if isinstance(numbers, list) else rows[numbers]

    return spread(table["table"]) if "table" in table else {"steps": spread(table["steps"])}


def row_of_texts(length: int, pairs: Any, where: str) -> SparseRow:
    """Return a row of a sparse form as the document writes it; what checks it tells ``where`` it stands."""
    return SparseRow(length, pairs)


def placed(numbers: Any, rows: Sequence[Any], where: str, shape: Sequence[int], met: list[int]) -> Any:
    """Return nested row numbers as the rows themselves; ``met`` holds one number, how many rows came up so far."""
    if not shape:
        good = type(numbers) is int and 0 <= numbers <= met[0] and numbers < len(rows)
        required = f"a number below {len(rows)}, rows numbered in the order in which they first come up"
        require(good, where, f"the row number {numbers!r}", required)
        met[0] = max(met[0], numbers + 1)
        return rows[numbers]
    parts = sequence(numbers, where, shape[0])
    return tuple(placed(part, rows, f"{where}[{k}]", shape[1:], met) for k, part in enumerate(parts))
