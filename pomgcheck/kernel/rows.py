"""Rows of a large table, which keep only their entries that are not zero."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any, overload

SPARSE_ABOVE = 20_000  # entries |S||A||B||S| or |S||O| of one step: larger tables are written sparse, others as arrays


class SparseRow(Sequence[Any]):
    """A row of ``length`` entries of which ``entries``, pairs (place, value), are not zero; places ascend.

    Rows are equal if they have the same entries.  It never changes, and reads as the whole row where it is iterated.
    """

    __slots__ = ("_at", "_hash", "entries", "length")

    def __init__(self, length: int, entries: Iterable[tuple[int, Any]]) -> None:
        self.length, self.entries = length, tuple((k, x) for k, x in entries if x)
        self._at = dict(self.entries)
        self._hash: int | None = None

    def __len__(self) -> int:
        return self.length

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, place: int | slice) -> Any:
        return tuple(self)[place] if isinstance(place, slice) else self._at.get(range(self.length)[place], 0)

    def __iter__(self) -> Iterator[Any]:
        return (self._at.get(k, 0) for k in range(self.length))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SparseRow):
            return NotImplemented
        return self is other or (self.length == other.length and self.entries == other.entries)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((self.length, self.entries))
        return self._hash


def numbered(row: Any) -> Iterable[tuple[int, Any]]:
    """Yield (place, entry) of every entry of a row; of a sparse one, of those that are not zero."""
    return row.entries if isinstance(row, SparseRow) else enumerate(row)


def misplaced(places: Sequence[Any], length: int) -> str:
    """Return what is wrong with the places of a sparse row as a document lists them, or "" where nothing is."""
    for k in places:
        if type(k) is not int or not 0 <= k < length:
            return f"the place {k!r}"
    for before, k in pairwise(places):
        if before >= k:
            return f"the place {k} twice" if before == k else f"the place {k} after {before}"
    return ""
