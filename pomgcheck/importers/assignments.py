"""Reads tables of POMDP files, given entry by entry, row by row or whole, with wildcards; later entries win."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

from pomgcheck.errors import LimitExceeded, counted
from pomgcheck.importers.rows import LISTED, Law, Row, RowRepair
from pomgcheck.importers.statements import Names, Source, Statement
from pomgcheck.importers.words import Word, misread
from pomgcheck.modelclass.sugar import MAX_ENTRIES

Indices = Sequence[int] | None  # what a selector names; None is all
Pattern = tuple[int | None, ...]
Entry = tuple[int, Fraction, int]  # when it was given, its value, its line
NEVER: Entry = (0, Fraction(0), 0)


class PatternLine:
    """This is what one pattern of selectors gives on the last axis: one entry for all of it, and entries of their own."""

    __slots__ = ("every", "single")

    def __init__(self) -> None:
        self.every = NEVER
        self.single: dict[int, Entry] = {}


class Assignments:
    """This is a table given entry by entry, later entries winning and wildcards kept as such: it is as large as the
    file, and no larger."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self._layers: dict[
            tuple[bool, ...], dict[tuple[int, ...], PatternLine]
        ] = {}  # by which selectors are no wildcards
        self._count = 0

    def put(self, selectors: Sequence[Indices], values: Sequence[Fraction], line: int) -> None:
        """Give the block that the selectors name these values: one for all of it, or one per entry in order."""
        self._count += 1
        rest = self.sizes[len(selectors) :]
        for pattern in _patterns(selectors):
            if len(values) == 1:
                self._one((*pattern, *(None for _ in rest)), values[0], line)
                continue
            for place, value in zip(product(*map(range, rest)), values, strict=True):
                self._one((*pattern, *place), value, line)

    def _one(self, pattern: Pattern, value: Fraction, line: int) -> None:
        *before, last = pattern
        mask = tuple(k is not None for k in before)
        key = tuple(k for k in before if k is not None)
        given = self._layers.setdefault(mask, {}).setdefault(key, PatternLine())
        if last is None:
            given.every = self._count, value, line
        else:
            given.single[last] = self._count, value, line

    def depends(self, axis: int) -> bool:
        """Return whether some entry names a place on this axis, which is not the last."""
        return any(mask[axis] for mask in self._layers)

    def _lines(self, place: Sequence[int]) -> Iterator[PatternLine]:
        for mask, layer in self._layers.items():
            found = layer.get(tuple(k for k, kept in zip(place, mask, strict=True) if kept))
            if found is not None:
                yield found

    def get(self, *place: int) -> Fraction:
        """Return one entry; 0 where nothing gives it."""
        *before, last = place
        best = NEVER
        for line in self._lines(before):
            best = max(best, line.every, line.single.get(last, NEVER))
        return best[1]

    def row(self, *place: int) -> tuple[Row, int]:
        """Return the last axis at a place on the others, and the line of its latest entry (0 where it has none)."""
        lines = list(self._lines(place))
        every = max((line.every for line in lines), default=NEVER)
        single: dict[int, Entry] = {}
        for line in lines:
            for k, entry in line.single.items():
                single[k] = max(entry, single.get(k, every))
        latest = max([every, *single.values()])[2]
        return Row(self.sizes[-1], every[1], {k: entry[1] for k, entry in single.items()}), latest


def _patterns(selectors: Sequence[Indices]) -> Iterator[Pattern]:
    if not selectors:
        yield ()
        return
    first = (None,) if selectors[0] is None else selectors[0]
    for rest in _patterns(selectors[1:]):
        for k in first:
            yield (k, *rest)


class TableAxis(NamedTuple):
    """An axis of a table has single names, or joint ones (one name per agent), numbered with the last agent fastest."""

    what: str
    parts: tuple[Names, ...]

    @property
    def size(self) -> int:
        """Return how many labels there are; joint ones are multiplied out."""
        return prod(map(len, self.parts))

    def labels(self) -> list[str]:
        """Return the labels in order."""
        return [" ".join(names) for names in product(*self.parts)]

    def read(self, source: Source, words: Sequence[Word], where: str, line: int) -> Indices:
        """Return what a selector names: ``*``, one number of a joint label, or one word per agent."""
        if len(words) == 1 and words[0].text == "*":
            return None
        if len(words) == len(self.parts) == 1 and words[0].text in self.parts[0]:  # most of them
            return [self.parts[0][words[0].text]]
        where = f"{where}, {self.what}"
        if len(words) == 1 and len(self.parts) > 1:
            return [source.index(words[0], {str(k): k for k in range(self.size)}, where)]
        if len(words) != len(self.parts):
            wanted = (
                f"{len(self.parts)} names, one per agent, their number, or *" if len(self.parts) > 1 else "one name"
            )
            raise misread(source.path, line, where, f"{len(words)} words", wanted)
        chosen = [
            range(len(names)) if word.text == "*" else [source.index(word, names, where)]
            for word, names in zip(words, self.parts, strict=True)
        ]
        places = []
        for choice in product(*chosen):
            place = 0
            for k, names in zip(choice, self.parts, strict=True):
                place = place * len(names) + k
            places.append(place)
        return places


class StatementForm(NamedTuple):
    """This is what a kind of statement allows: the least number of selectors, words in place of numbers by the number
    of selectors, and whether numbers follow the last selector directly or (in the joint formats) only after a colon."""

    axes: tuple[TableAxis, ...]
    least: int
    words: tuple[tuple[str, ...], ...]
    inline: bool


def filled(source: Source, keyword: str, form: StatementForm, start: Law | None = None) -> Assignments:
    """Return the table that all statements of one keyword give; ``start`` is the row that ``reset`` stands for."""
    table = Assignments([axis.size for axis in form.axes])
    for statement in source.all:
        if statement.keyword == keyword:
            selected, data = _reading(source, statement, form)
            selectors = [
                axis.read(source, words, keyword, statement.line)
                for axis, words in zip(form.axes, selected, strict=False)
            ]
            _give(source, table, selectors, data, statement, start or {})
    return table


def _reading(source: Source, statement: Statement, form: StatementForm) -> tuple[list[list[Word]], list[Word]]:
    """Return the selectors and the data of a statement; a number may follow the last selector, or a colon of its own."""
    *before, last = statement.segments
    cut = 1 if form.inline else len(last) - 1  # of the last segment: selector, data
    inline, apart = ([*before, last[:cut]], last[cut:]), (before, last)
    for selectors, data in (inline, apart) if form.inline else (apart, inline):
        if form.least <= len(selectors) <= len(form.axes) and _fits(form, len(selectors), data):
            if form.inline or (selectors, data) == apart or data[0].text in form.words[len(selectors)]:
                return selectors, data
    selectors, data = inline if form.inline and last else apart
    if not form.least <= len(selectors) <= len(form.axes):
        names = ", ".join(axis.what for axis in form.axes)
        raise misread(
            source.path,
            statement.line,
            statement.keyword,
            counted(len(selectors), "name"),
            f"{form.least} to {len(form.axes)} of {names}, colons between",
        )
    count = prod(axis.size for axis in form.axes[len(selectors) :])
    words = "".join(f", or {word}" for word in form.words[len(selectors)])
    raise misread(
        source.path,
        statement.line,
        statement.keyword,
        f"{counted(len(data), 'word')} after {counted(len(selectors), 'name')}",
        f"{count} number{'s' if count > 1 else ''}{words}",
    )


def _fits(form: StatementForm, selectors: int, data: Sequence[Word]) -> bool:
    if len(data) == 1 and data[0].text in form.words[selectors]:
        return True
    return len(data) == prod(axis.size for axis in form.axes[selectors:])


def _give(
    source: Source, table: Assignments, selectors: list[Indices], data: Sequence[Word], statement: Statement, start: Law
) -> None:
    line = data[0].line
    word = data[0].text if len(data) == 1 else ""
    if word == "uniform":
        table.put(selectors, [Fraction(1, table.sizes[-1])], line)
    elif word == "identity":
        table.put(selectors, [Fraction(0)], line)
        for k in range(table.sizes[-1]):
            table.put([*selectors, [k], [k]], [Fraction(1)], line)
    elif word == "reset":
        every: list[Indices] = [None] * (len(table.sizes) - 1 - len(selectors))
        table.put(selectors, [Fraction(0)], line)
        for k, value in start.items():
            table.put([*selectors, *every, [k]], [value], line)
    else:
        values = [source.number(each, statement.keyword) for each in data]
        table.put(selectors, values, line)


T_WORDS = ((), ("uniform", "identity", "reset"), ("uniform", "reset"), ())  # by the number of selectors
O_WORDS = ((), ("uniform",), ("uniform",), ())


def kernels(
    source: Source, axes: Sequence[TableAxis], start: Law, repair: RowRepair, inline: bool
) -> tuple[Laws, Assignments]:
    """Return the laws of moves and of what they show, and the rewards, that the statements T, O and R give.

    ``axes`` are those of actions, states, end states and observations; ``inline`` is as in ``StatementForm``.
    """
    action, _, after, observation = axes
    moves = filled(source, "T", StatementForm((*axes[:3],), 1, T_WORDS, inline), start)
    sights = filled(source, "O", StatementForm((action, after, observation), 1, O_WORDS, inline))
    rewards = filled(source, "R", StatementForm((*axes,), 2, ((),) * 5, inline))
    return laws(source, moves, sights, axes, start, repair), rewards


class Laws(NamedTuple):
    """These are, for each action and state, the outcomes of positive probability, of moves and of what they show."""

    moves: list[list[Law]]
    sights: list[list[Law]]


def laws(
    source: Source, moves: Assignments, sights: Assignments, axes: Sequence[TableAxis], start: Law, repair: RowRepair
) -> Laws:
    """Return every row of both probability tables, checked; ``axes`` are those of actions, states, end states,
    observations.

    A row of zeros stays empty where play cannot get: a transition of a state, or an observation after an action in an
    end state, that no play from ``start`` reaches.  The source's notes name such rows.
    """
    actions, states, after, observations = axes
    check_size(source.path, "T", moves)
    check_size(source.path, "O", sights)
    reached = set(start)
    waiting = list(start)
    while waiting:
        s = waiting.pop()
        for a in range(actions.size):
            found = set(moves.row(a, s)[0].law()) - reached
            reached |= found
            waiting += found
    empty: list[str] = []
    T = _rows(source, moves, "T", (actions, states, after), repair, lambda a, s: s in reached, empty)
    entered = [{t for s in reached for t in by_state[s]} for by_state in T]
    O = _rows(source, sights, "O", (actions, after, observations), repair, lambda a, t: t in entered[a], empty)
    if empty:
        more = f" and {len(empty) - LISTED} more" if len(empty) > LISTED else ""
        source.notes.append(f"rows of zeros that no play reaches are left out: {', '.join(empty[:LISTED])}{more}")
    return Laws(T, O)


def _rows(
    source: Source,
    table: Assignments,
    keyword: str,
    axes: Sequence[TableAxis],
    repair: RowRepair,
    occurs: Callable[[int, int], bool],
    empty: list[str],
) -> list[list[Law]]:
    actions, states, outcomes = (axis.labels() for axis in axes)
    found = []
    for a, action in enumerate(actions):
        by_state: list[Law] = []
        for s, state in enumerate(states):
            row, line = table.row(a, s)
            where = f"{keyword} ({action}, {state})"
            if not row.law() and not occurs(a, s):
                empty.append(where)
                by_state.append({})
            else:
                by_state.append(repair.row(row, source.path, line, where, outcomes))
        found.append(by_state)
    return found


def check_size(path: Path, keyword: str, table: Assignments) -> None:
    """Refuse a probability table that is over the limit, by its rows or by its entries that are not zero, before a row
    is written out."""
    count, what = prod(table.sizes[:-1]), "rows"
    if count <= MAX_ENTRIES:
        count, what = (
            sum(table.row(*place)[0].occurring() for place in product(*map(range, table.sizes[:-1]))),
            "entries",
        )
    if count > MAX_ENTRIES:
        what += " that are not zero" if what == "entries" else ""
        raise LimitExceeded(keyword, f"{what} of the table", count, MAX_ENTRIES, "import a smaller model").inside(
            str(path)
        )
