"""Large tables of the worlds: rows that keep their entries that are not zero, and the canonical form made of them.

A transition of |S| states, |A| and |B| actions has |S||A||B||S| entries at a step, of which few are not zero.  Above
``SPARSE_ABOVE`` entries at a step a document's canonical form lists its distinct rows once, each as pairs
``[place, entry]``, and gives every row by its number in that list; up to there it is made of arrays.  The size alone
decides, so that one meaning has one form and one digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.rows import SPARSE_ABOVE, SparseRow
from pomgcheck.modelclass.values import describe

MAX_ENTRIES = 2_000_000  # of one table: all of arrays, those that are not zero and the rows of a sparse one
ZEROS = (0, "0")


def large(sizes: Sequence[int]) -> bool:
    """Return whether a table of these sizes at one step is written sparse."""
    return prod(sizes) > SPARSE_ABOVE


class Filled:
    """How many entries of one table are not zero so far, over all its rows."""

    def __init__(self, where: str) -> None:
        self.where, self.count = where, 0

    def add(self, more: int) -> None:
        """Count entries; raise ``LimitExceeded`` where they are too many."""
        self.count += more
        if self.count > MAX_ENTRIES:
            fix = "use fewer labels, or rows with fewer entries"
            raise LimitExceeded(self.where, "entries that are not zero", self.count, MAX_ENTRIES, fix)


class Cells:
    """A row of a large table while it is written: its entries by place, without zeros; ``given`` says whether anything
    was said about it."""

    __slots__ = ("_filled", "given", "places", "width")

    def __init__(self, width: int, filled: Filled) -> None:
        self.width, self.given, self._filled = width, False, filled
        self.places: dict[int, Any] = {}

    def __len__(self) -> int:
        return self.width

    def __setitem__(self, place: int, entry: Any) -> None:
        self.given = True
        if place not in self.places:
            self._filled.add(1)
        self.places[place] = entry

    def write(self, entries: Sequence[Any]) -> None:
        """Take the whole row, zeros included."""
        self.clear()
        for place, entry in enumerate(entries):
            if entry not in ZEROS:
                self[place] = entry

    def clear(self) -> None:
        """Make it a row of zeros."""
        self._filled.add(-len(self.places))
        self.given, self.places = True, {}


def is_sparse(value: Any) -> bool:
    """Return whether a table is given as ``{sparse = rows, table = numbers}`` or ``{sparse = rows, steps = numbers}``."""
    if not isinstance(value, dict) or set(value) not in ({"sparse", "table"}, {"sparse", "steps"}):
        return False
    return all(isinstance(part, list) for part in value.values())


def listed(value: Any, width: int, where: str) -> Iterator[list[tuple[int, Any]]]:
    """Yield the rows that a sparse form lists, each as pairs (place, entry) with ascending places."""
    for k, pairs in enumerate(value["sparse"]):
        spot = f"{where}.sparse[{k}]"
        if not isinstance(pairs, list):
            raise InputError(spot, describe(pairs), "an array of pairs [place, entry]")
        row: dict[int, Any] = {}
        for pair in pairs:
            if not isinstance(pair, list) or len(pair) != 2:
                raise InputError(spot, describe(pair), "a pair [place, entry]")
            place, entry = pair
            if type(place) is not int or not 0 <= place < width:
                raise InputError(spot, f"the place {describe(place)}", f"a whole number from 0 to {width - 1}")
            if place in row:
                raise InputError(spot, f"the place {place} twice", "each place once")
            row[place] = entry
        yield sorted(row.items())


def placed(numbers: Any, rows: Sequence[Any], sizes: Sequence[int], where: str) -> Any:
    """Return nested row numbers as nested lists of the rows themselves."""
    if not sizes:
        if type(numbers) is not int or not 0 <= numbers < len(rows):
            raise InputError(where, f"the row number {describe(numbers)}", f"a whole number from 0 to {len(rows) - 1}")
        return rows[numbers]
    if not isinstance(numbers, list) or len(numbers) != sizes[0]:
        raise InputError(where, describe(numbers), f"an array of {sizes[0]}")
    return [placed(part, rows, sizes[1:], f"{where}[{k}]") for k, part in enumerate(numbers)]


def sparse_form(tables: Sequence[Any]) -> dict[str, Any]:
    """Return the canonical form of one large table per step (one in all, if they are the same).

    It has the distinct rows as texts, in the order in which they first occur, and the number of every row.
    """
    number: dict[tuple[tuple[int, str], ...], int] = {}
    known: dict[int, int] = {}  # rows that are one object, as equal rows of a reader are

    def numbered(table: Any) -> Any:
        if not isinstance(table, SparseRow):
            return [numbered(part) for part in table]
        if id(table) not in known:
            texts = tuple((place, entry.text) for place, entry in table.entries)
            known[id(table)] = number.setdefault(texts, len(number))
        return known[id(table)]

    found = [numbered(table) for table in tables]
    same = all(numbers == found[0] for numbers in found)
    rows = [[[place, text] for place, text in row] for row in number]
    return {"sparse": rows} | ({"table": found[0]} if same else {"steps": found})
