"""Puts tables of a document in canonical form: every row checked, every entry in one spelling, equal steps written
once.

A transition of |S| states, |A| and |B| actions has |S||A||B||S| entries at a step, of which few are not zero.  Above
``SPARSE_ABOVE`` entries at a step a document's canonical form lists its distinct rows once, each as pairs
``[place, entry]``, and gives every row by its number in that list; up to there it is made of arrays.  The size alone
decides, so that one meaning has one form and one digest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, Literal

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.rows import SPARSE_ABOVE, SparseRow
from pomgcheck.modelclass.expressions import Expression, ExpressionRing
from pomgcheck.modelclass.fields import Window, describe
from pomgcheck.modelclass.parameters import Parameters
from pomgcheck.modelclass.ranges import LONGEST, RangeChecks
from pomgcheck.modelclass.sugar import MAX_ENTRIES, ZEROS, Axis, Cells, Filled, plain_table, row_name

Kind = Literal["probability", "reward", "free", "operator"]
Row = tuple[Expression, ...]
Table = list[Any]  # nested lists, one level per axis but the last, of rows


class Reader:
    """This reads the tables of one part of a document, whose entries are expressions of ``ring`` over ``parameters``."""

    def __init__(self, parameters: Parameters, ring: ExpressionRing, horizon: int, sugar: bool) -> None:
        self.parameters, self.ring, self.horizon, self.sugar = parameters, ring, horizon, sugar
        self._ranges = RangeChecks(parameters)
        self._rows: dict[tuple[Kind, tuple[str, ...]], Row] = {}
        self._sparse: dict[Any, SparseRow] = {}

    # ---- rows

    def row(self, entries: Sequence[Any], where: str, kind: Kind) -> Row:
        """Return the expressions of one row, checked as its kind requires; each distinct row is checked once."""
        for k, entry in enumerate(entries):
            if not isinstance(entry, str | int):
                raise InputError(where, f"{describe(entry)} as entry {k + 1}", "an exact number or an expression")
        texts = tuple(map(str, entries))
        known = self._rows.get((kind, texts))
        if known is None:
            row = tuple(self.ring.read(text, where) for text in texts)
            for text, entry in zip(texts, row, strict=True):
                self._ranges.check_divisors(entry, text, where)
            self.check(row, texts, where, kind)
            known = self._rows[kind, texts] = row
        return known

    def cells(self, entries: Cells, where: str) -> SparseRow:
        """Return one row of a large table, checked as a law; equal rows are one object."""
        found = [(place, entry) for place, entry in sorted(entries.places.items()) if entry not in ZEROS]
        row = self.row([entry for _, entry in found], where, "probability")
        kept = [(place, entry) for (place, _), entry in zip(found, row, strict=True) if entry.text != "0"]
        key = entries.width, tuple((place, entry.text) for place, entry in kept)
        return self._sparse.setdefault(key, SparseRow(entries.width, kept))

    def check(self, row: Row, texts: Sequence[str], where: str, kind: Kind) -> None:
        """Refuse a row that is not what its kind says; that its divisors never vanish has been checked already.

        ``probability`` sums to one identically in the parameters and never leaves [0,1]. ``reward`` is constant and in
        [0,1]. ``free`` and ``operator`` may be anything.
        """
        if kind in ("free", "operator"):
            return
        if kind == "probability":
            self._check_sum(row, texts, where)
        for text, entry in zip(texts, row, strict=True):
            self._ranges.check_nonnegative(entry, text, where)
            if kind == "reward" and isinstance(entry.value, Fraction) and entry.value > 1:
                raise InputError(where, f"the entry {describe(text)} = {entry.value}", "an entry in [0,1]")

    def _check_sum(self, row: Row, texts: Sequence[str], where: str) -> None:
        total = self.ring.total(row, where)
        if total.text != "1":
            rest = self.ring.total(row[:-1], where, complement=True).text
            entries = [text if len(text) <= LONGEST else f"{text[:LONGEST]}..." for text in texts[:8]]
            found = f"[{', '.join(entries)}{', ...' if len(texts) > 8 else ''}] of sum {self._ranges.apart(total)}"
            required = "a sum of 1" + (" identically in the parameters" if self.ring.names else "")
            fix = f'its last entry would be "{rest}"' if len(rest) <= LONGEST else "its last entry is 1 less the others"
            raise InputError(where, found, required, fix)

    # ---- tables

    def table(
        self, value: Any, axes: Sequence[Axis], where: str, kind: Kind = "probability", sparse: bool = False
    ) -> Table:
        """Return one table of the shape of ``axes``."""
        zeros = {"probability": 1, "operator": 2}.get(kind, 0)
        raw = plain_table(value, axes, where, sugar=self.sugar, zeros=zeros, sparse=sparse)
        return self._rows_of([raw], [[()], *axes], where, kind, ())[0]  # type: ignore[no-any-return]

    def _rows_of(self, raw: list[Any], axes: Sequence[Axis], where: str, kind: Kind, path: tuple[str, ...]) -> Table:
        if len(axes) == 2:
            named = zip(axes[0], raw, strict=True)
            if raw and isinstance(raw[0], Cells):
                return [self.cells(row, f"{where}, {row_name((*path, *label))}") for label, row in named]
            return [self.row(row, f"{where}, {row_name((*path, *label))}", kind) for label, row in named]
        parts = zip(axes[0], raw, strict=True)
        return [self._rows_of(part, axes[1:], where, kind, (*path, *label)) for label, part in parts]

    def steps(self, value: Any, axes: Sequence[Axis], where: str, kind: Kind = "probability") -> list[Table]:
        """Return a table for every step, or one that is the same at all of them."""
        return [self.table(part, axes, spot, kind) for spot, part in self.per_step(value, where)]

    def kernel(self, value: Any, axes: Sequence[Axis], where: str) -> list[Table]:
        """Return a table of the worlds for every step, or one for all; the rows of a large table are sparse.

        Besides arrays, labels and words it may be given in the sparse form, whatever its size.
        """
        sizes = [*map(len, axes)]
        if not is_sparse(value):
            return [self.table(part, axes, spot, sparse=large(sizes)) for spot, part in self.per_step(value, where)]
        rows = [
            self._listed(pairs, sizes, f"{where}.sparse[{k}]")
            for k, pairs in enumerate(listed(value, sizes[-1], where))
        ]
        if "table" in value:
            return [placed(value["table"], rows, sizes[:-1], f"{where}.table")]
        return list(placed(value["steps"], rows, (self.horizon, *sizes[:-1]), f"{where}.steps"))

    def _listed(self, pairs: list[tuple[int, Any]], sizes: Sequence[int], where: str) -> Row | SparseRow:
        if large(sizes):
            cells = Cells(sizes[-1], Filled(where))
            cells.clear()
            for place, entry in pairs:
                cells[place] = entry
            return self.cells(cells, where)
        dense: list[Any] = [0] * sizes[-1]
        for place, entry in pairs:
            dense[place] = entry
        return self.row(dense, where, "probability")

    def per_step(self, value: Any, where: str) -> list[tuple[str, Any]]:
        """Return the key path and the table of every step, or of all of them at once."""
        if not is_steps(value):
            return [(where, value)]
        tables = value["steps"]
        if len(tables) != self.horizon:
            raise InputError(f"{where}.steps", describe(tables), f"{self.horizon} tables, one per step")
        return [(f"{where}, step {h + 1}", part) for h, part in enumerate(tables)]

    def windowed(
        self,
        value: Any,
        window: Window,
        history: tuple[Sequence[str], Sequence[str]],
        outputs: Axis,
        where: str,
        kind: Kind = "probability",
    ) -> list[Table]:
        """Return the tables [window row][output], one per step, or one for all steps when the window is 1.

        ``history`` holds the observations and the actions that windows are made of.  Besides ``{steps}``, longer
        windows accept a list of one table for every effective length.
        """
        observations, actions = history
        check_windows(window, self.horizon, len(observations), len(actions), where)
        spots = self.per_step(value, where)
        if is_steps(value) or window == 1:
            return [
                self._window_table(part, window, h, history, outputs, spot, kind)
                for h, (spot, part) in enumerate(spots)
            ]
        if window != "full" and isinstance(value, list):
            lengths = min(window, self.horizon)
            if len(value) != lengths:
                raise InputError(
                    where, describe(value), f"{lengths} tables, one per window length, or {{steps = [...]}}"
                )
            tables = [
                self._window_table(part, window, h, history, outputs, f"{where}, window length {h + 1}", kind)
                for h, part in enumerate(value)
            ]
            return [tables[min(h, lengths - 1)] for h in range(self.horizon)]
        if isinstance(value, str):  # a word means the same at every length
            steps = range(self.horizon)
            return [self._window_table(value, window, h, history, outputs, where, kind) for h in steps]
        lengths_too = "" if window == "full" else ", or a list of one table per window length"
        fix = "" if window == "full" else 'for the window 2 write [{ "*" = … }, { "* *" = … }]'
        raise InputError(where, describe(value), f"{{steps = [one table per step]}}{lengths_too}", fix)

    def _window_table(
        self,
        value: Any,
        window: Window,
        h: int,
        history: tuple[Sequence[str], Sequence[str]],
        outputs: Axis,
        where: str,
        kind: Kind,
    ) -> Table:
        return self.table(value, [window_rows(window, h, *history), outputs], where, kind)


def is_steps(value: Any) -> bool:
    """Return whether a table is given as ``{steps = [...]}``; a lone label "steps" therefore cannot key a row."""
    return isinstance(value, dict) and list(value) == ["steps"] and isinstance(value["steps"], list)


def check_windows(window: Window, horizon: int, observations: int, actions: int, where: str) -> None:
    """Refuse windows with more rows, in all steps together, than a table may have entries; they are counted, not
    built."""
    if window == "full":
        count = sum(observations * (actions * observations) ** h for h in range(horizon))
    else:
        count = sum(observations ** min(window, h + 1) for h in range(horizon if window > 1 else 1))
    if count > MAX_ENTRIES:
        raise LimitExceeded(where, "window rows, all steps together", count, MAX_ENTRIES, "use a shorter window")


def window_rows(window: Window, h: int, observations: Sequence[str], actions: Sequence[str]) -> Axis:
    """Return the row labels of a window table at 0-based step ``h``, oldest first.

    They are observations; with ``"full"`` they are the whole decision history o, a, o, …, o.
    """
    parts = [observations] * min(window, h + 1) if window != "full" else [observations, actions] * h + [observations]
    return list(product(*parts))


def texts(table: Any) -> Any:
    """Return a table of expressions as nested lists of canonical text."""
    return [texts(part) for part in table] if not isinstance(table, Expression) else table.text


def canonical_steps(tables: Sequence[Table], window: Window = 1) -> Any:
    """Return one table when all steps have the same and windows do not grow, else ``{"steps": [...]}``."""
    first = tables[0]
    while isinstance(first, list):
        first = first[0]
    if isinstance(first, SparseRow):
        return sparse_form(tables)
    written = [texts(table) for table in tables]
    same = all(table == written[0] for table in written)
    return written[0] if same and window == 1 else {"steps": written}


# --------------------------------------------------------------------------------------- the sparse form


def large(sizes: Sequence[int]) -> bool:
    """Return whether a table of these sizes at one step is written sparse."""
    return prod(sizes) > SPARSE_ABOVE


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
