"""Reads rows as files give them: exact, and summing to one, or repaired, or refused with the deficit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from pomgcheck.errors import InputError
from pomgcheck.importers.words import decimal, misread, shortened

REPAIRABLE = Fraction(1, 100)  # how far a sum may be from one for a repair: beyond that it is no rounding
REPAIRS = ("normalise", "largest")
LISTED = 4  # rows refused, besides the first

Law = dict[int, Fraction]  # outcomes of positive probability


class Row(NamedTuple):
    """A row is kept as a file gives it: one value for all of its entries but the ``single`` ones."""

    size: int
    every: Fraction
    single: Law

    @staticmethod
    def of(values: Sequence[Fraction]) -> Row:
        """Return a row given entry by entry."""
        return Row(len(values), Fraction(0), dict(enumerate(values)))

    def given(self) -> Iterator[tuple[int, Fraction]]:
        """Return the values that occur, each with a place where it does."""
        yield from self.single.items()
        yield from ((k, self.every) for k in range(self.size) if k not in self.single and k <= len(self.single))

    def total(self) -> Fraction:
        """Return the sum."""
        return self.every * (self.size - len(self.single)) + sum(self.single.values(), Fraction(0))

    def occurring(self) -> int:
        """Return how many entries are not zero."""
        others = self.size - len(self.single) if self.every else 0
        return others + sum(map(bool, self.single.values()))

    def law(self) -> Law:
        """Return the entries that are not zero, in order."""
        if self.every:
            return {k: value for k in range(self.size) if (value := self.single.get(k, self.every))}
        return {k: value for k, value in sorted(self.single.items()) if value}


class RowRepair:
    """This makes rows sum to one, or refuses those that do not, all together; it remembers every row that it changed."""

    def __init__(self, how: str | None) -> None:
        self.how = how
        self.changes: list[str] = []
        self.refusal: InputError | None = None  # of the first row that is refused
        self.others: list[str] = []  # where the next ones stand
        self.refused = 0

    def row(self, row: Row, path: Path, line: int, where: str, outcomes: Sequence[str]) -> Law:
        """Return the outcomes of positive probability; they sum to one exactly, before or after a repair, or `settled`
        raises.

        ``line`` is that of the row's latest entry, or 0 where nothing gives it.
        """
        for k, value in row.given():
            if not 0 <= value <= 1:
                raise misread(
                    path, line, where, f"{shortened(decimal(value))} for {outcomes[k]}", "a probability from 0 to 1"
                )
        total = row.total()
        if total == 1:
            return row.law()
        missing = 1 - total
        apart = f"{decimal(abs(missing))} too {'little' if missing > 0 else 'much'}"
        if self.how is None or abs(missing) > REPAIRABLE:
            fix = 'repair="normalise" divides it by its sum, repair="largest" corrects its largest entry'
            if abs(missing) > REPAIRABLE:
                fix = "this is more than rounding, so there is no repair" if line else "no line of the file gives it"
            found = f"a row that sums to {decimal(total)}, {apart}"
            self._refuse(misread(path, line, where, found, "a sum of exactly 1", fix), line)
            return row.law()
        law = row.law()
        if self.how == "normalise":
            self.changes.append(f"{where} of sum {decimal(total)}")
            return {k: value / total for k, value in law.items()}
        largest = max(law, key=lambda k: (law[k], -k))
        sign = "+" if missing > 0 else "-"
        self.changes.append(f"{where}, {outcomes[largest]} {decimal(law[largest])}{sign}{decimal(abs(missing))}")
        return law | {largest: law[largest] + missing}

    def _refuse(self, refusal: InputError, line: int) -> None:
        self.refused += 1
        if self.refusal is None:
            self.refusal = refusal
        elif len(self.others) < LISTED:
            self.others.append(f"{refusal.where} on line {line}" if line else refusal.where)

    def settled(self) -> str:
        """Return what was changed, for a document's ``source``; it is empty where nothing was.

        Raises the refusal of the first row that does not sum to one, which then counts them and names the next.
        """
        if self.refusal is not None:
            raise self.refusal if self.refused == 1 else self._counted(self.refusal)
        if not self.changes:
            return ""
        how = "divided by their sums" if self.how == "normalise" else "corrected in their largest entries"
        return f"; repaired, rows {how}: {'; '.join(self.changes)}"

    def _counted(self, first: InputError) -> InputError:
        more = ", ..." if self.refused > 1 + len(self.others) else ""
        fix = f"{first.fix}; {self.refused} rows do not sum to one, also {', '.join(self.others)}{more}"
        return InputError(first.where, first.found, first.required, fix).inside(first.source)
