"""What the POMDP formats share: statements of words between colons, tables where later entries win, exact rows.

A file is a list of statements ``KEYWORD : words : words ...``.  A line break means nothing, a comment runs from ``#``
to the end of its line, and a keyword in the place of a name (after a colon) is a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import NamedTuple

from pomgcheck.errors import LimitExceeded
from pomgcheck.modelclass.importers.words import MAX_LABELS, Word, decimal, misread, number, quoted, read_text
from pomgcheck.modelclass.sugar import MAX_ENTRIES

KEYWORDS = ("agents", "discount", "values", "states", "actions", "observations", "start", "T", "O", "R")
PREAMBLE = KEYWORDS[:-4]
REPAIRABLE = Fraction(1, 100)  # how far a sum may be from one for a repair: beyond that it is no rounding
REPAIRS = ("normalise", "largest")

Indices = Sequence[int] | None  # what a selector names; None is all
Pattern = tuple[int | None, ...]
Names = dict[str, int]  # labels in order, each with its place
Law = dict[int, Fraction]  # outcomes of positive probability


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement: its keyword (``start include`` is one), its line, and its place among the words of the file."""

    keyword: str
    line: int
    file: Words
    place: range

    @property
    def words(self) -> list[Word]:
        """All words after the first colon."""
        return [word for segment in self.segments for word in segment]

    @property
    def segments(self) -> list[list[Word]]:
        """The words between the colons."""
        segments: list[list[Word]] = [[]]
        texts, lines = self.file
        for k in self.place:
            if texts[k] == ":":
                segments.append([])
            else:
                segments[-1].append(Word(texts[k], lines[k]))
        return segments


class Words(NamedTuple):
    """All words and colons of a file, without its comments, and the line of each: two flat lists, which is quick."""

    texts: list[str]
    lines: list[int]


def words_of(text: str) -> Words:
    """The words of a text."""
    words = Words([], [])
    for line, content in enumerate(text.split("\n"), 1):
        found = content.partition("#")[0].replace(":", " : ").split()
        words.texts.extend(found)
        words.lines.extend([line] * len(found))
    return words


def statements(path: Path) -> list[Statement]:
    """The statements of a file."""
    words = words_of(read_text(path))
    starts = [(k, length) for k, text in enumerate(words.texts) if text in KEYWORDS and (length := _keyword(words, k))]
    if not words.texts:
        return []
    if not starts or starts[0][0]:
        near = get_close_matches(words.texts[0], KEYWORDS, 1)
        wanted = f"one of {', '.join(PREAMBLE)}, and a colon"
        fix = f"write {near[0]}:" if near else ""
        raise misread(path, words.lines[0], "", quoted(words.texts[0]), wanted, fix)
    ends = [k for k, _ in starts[1:]] + [len(words.texts)]
    return [
        Statement(" ".join(words.texts[k : k + length]), words.lines[k], words, range(k + length + 1, end))
        for (k, length), end in zip(starts, ends, strict=True)
    ]


def _keyword(words: Words, at: int) -> int:
    """How many words the keyword at ``at`` has as the start of a statement; 0 where it starts none."""
    texts = words.texts
    empty = at > 1 and texts[at] in PREAMBLE and texts[at - 2] in (*PREAMBLE, "start", "include", "exclude")
    if at and texts[at - 1] == ":" and not empty:
        return 0  # the place of a name
    following = texts[at + 1 : at + 3]
    length = 2 if texts[at] == "start" and following[:1] in (["include"], ["exclude"]) else 1
    return length if following[length - 1 : length] == [":"] else 0


class Source:
    """The statements of one file, by keyword, and its errors."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.all = statements(path)

    def one(self, keyword: str) -> Statement:
        """The statement that a file must have exactly once."""
        found = self.some(keyword)
        if found is None:
            raise misread(self.path, 0, "", f'no "{keyword}:"', f"one statement {keyword}:")
        return found

    def some(self, keyword: str) -> Statement | None:
        """The statement that a file has once at most."""
        found = [each for each in self.all if each.keyword.split()[0] == keyword]
        if len(found) > 1:
            raise misread(self.path, found[1].line, keyword, "a second one", f"one statement {keyword}:",
                          f"the first is on line {found[0].line}")  # fmt: skip
        return found[0] if found else None

    def number(self, word: Word, where: str) -> Fraction:
        """The exact number that a word is."""
        value = number(word.text)
        if value is None:
            raise misread(self.path, word.line, where, quoted(word.text), "a decimal number such as 0.15, -1 or 1e-3")
        return value

    def discount(self) -> Fraction:
        """``discount``, from 0 to 1."""
        statement = self.one("discount")
        if len(statement.words) != 1:
            raise misread(self.path, statement.line, "discount", f"{len(statement.words)} words", "one number")
        value = self.number(statement.words[0], "discount")
        if not 0 <= value <= 1:
            raise misread(self.path, statement.words[0].line, "discount", decimal(value), "a number from 0 to 1")
        return value

    def sign(self) -> int:
        """``values``: 1 for rewards, -1 for costs."""
        statement = self.one("values")
        text = " ".join(word.text for word in statement.words)
        if text not in ("reward", "cost"):
            raise misread(self.path, statement.line, "values", quoted(text), '"reward" or "cost"')
        return 1 if text == "reward" else -1

    def names(self, words: Sequence[Word], where: str, line: int) -> Names:
        """Labels: a count, which makes them 0, 1, ..., or distinct names that begin with a letter."""
        if len(words) == 1 and re.fullmatch(r"[0-9]{1,9}", words[0].text, re.ASCII):
            count = int(words[0].text)
            if not 1 <= count <= MAX_LABELS:
                raise LimitExceeded(where, where, count, MAX_LABELS).inside(f"{self.path}:{words[0].line}")
            return {str(k): k for k in range(count)}
        if not words:
            raise misread(self.path, line, where, "nothing", "a count of at least 1, or names")
        if len(words) > MAX_LABELS:
            raise LimitExceeded(where, where, len(words), MAX_LABELS).inside(f"{self.path}:{line}")
        seen: Names = {}
        for text, at in words:
            if not (text[0].isalpha() or text[0] == "_") or not text.isprintable():
                raise misread(self.path, at, where, quoted(text), "a count alone, or names that begin with a letter")
            if text in seen:
                raise misread(self.path, at, where, f"{quoted(text)} twice", "distinct names")
            seen[text] = len(seen)
        return seen

    def index(self, word: Word, names: Names, where: str) -> int:
        """The place of a name, or of a number from 0."""
        if word.text in names:
            return names[word.text]
        if word.text.isdecimal() and word.text.isascii() and len(word.text) < 10:
            if int(word.text) < len(names):
                return int(word.text)
            raise misread(self.path, word.line, where, word.text, f"a number from 0 to {len(names) - 1}, or a name")
        near = get_close_matches(word.text, names, 1)
        shown = ", ".join([*names][:8]) + (", ..." if len(names) > 8 else "")
        fix = f"write {near[0]}" if near else ""
        raise misread(self.path, word.line, where, quoted(word.text), f"one of {shown}", fix)

    def start(self, states: Names, repair: Repair) -> Law:
        """The law of the first state, in any of the forms of the format; uniform where the file has none."""
        size = len(states)
        statement = self.some("start")
        if statement is None:
            return dict.fromkeys(range(size), Fraction(1, size))
        words, line = statement.words, statement.line
        if statement.keyword != "start":
            named = {self.index(word, states, statement.keyword) for word in words}
            kept = named if statement.keyword == "start include" else set(range(size)) - named
            if not kept or not named:
                found = "nothing" if not named else "every state"
                raise misread(self.path, line, statement.keyword, found, "some of the states")
            return {s: Fraction(1, len(kept)) for s in sorted(kept)}
        if len(words) == 1 and words[0].text == "uniform":
            return dict.fromkeys(range(size), Fraction(1, size))
        if len(words) == 1 and (size > 1 or words[0].text in states):
            return {self.index(words[0], states, "start"): Fraction(1)}
        if len(words) != size:
            wanted = f"{size} numbers, one a state, or a state, or uniform"
            raise misread(self.path, line, "start", f"{len(words)} words", wanted)
        row = Row.of([self.number(word, "start") for word in words])
        return repair.row(row, self.path, words[0].line, "start", [*states])


class Row(NamedTuple):
    """A row as a file gives it: one value for all of its entries but the ``single`` ones."""

    size: int
    every: Fraction
    single: Law

    @staticmethod
    def of(values: Sequence[Fraction]) -> Row:
        """A row given entry by entry."""
        return Row(len(values), Fraction(0), dict(enumerate(values)))

    def given(self) -> Iterator[tuple[int, Fraction]]:
        """The values that occur, each with a place where it does."""
        yield from self.single.items()
        yield from ((k, self.every) for k in range(self.size) if k not in self.single and k <= len(self.single))

    def total(self) -> Fraction:
        """The sum."""
        return self.every * (self.size - len(self.single)) + sum(self.single.values(), Fraction(0))

    def law(self) -> Law:
        """The entries that are not zero, in order."""
        if self.every:
            return {k: value for k in range(self.size) if (value := self.single.get(k, self.every))}
        return {k: value for k, value in sorted(self.single.items()) if value}


class Repair:
    """Makes rows sum to one, or refuses those that do not; remembers every row it changed."""

    def __init__(self, how: str | None) -> None:
        self.how = how
        self.changes: list[str] = []

    def row(self, row: Row, path: Path, line: int, where: str, outcomes: Sequence[str]) -> Law:
        """The outcomes of positive probability; they sum to one exactly, before or after a repair.

        ``line`` is that of the row's latest entry, 0 where nothing gives it.
        """
        for k, value in row.given():
            if not 0 <= value <= 1:
                raise misread(path, line, where, f"{decimal(value)} for {outcomes[k]}", "a probability from 0 to 1")
        total = row.total()
        if total == 1:
            return row.law()
        missing = 1 - total
        apart = f"{decimal(abs(missing))} too {'little' if missing > 0 else 'much'}"
        if self.how is None or abs(missing) > REPAIRABLE:
            fix = "--repair normalise divides it by its sum, --repair largest corrects its largest entry"
            if abs(missing) > REPAIRABLE:
                fix = "no rounding, so no repair" if line else "no line of the file gives it"
            raise misread(path, line, where, f"a row of sum {decimal(total)}, {apart}", "a sum of 1 exactly", fix)
        law = row.law()
        if self.how == "normalise":
            self.changes.append(f"{where} of sum {decimal(total)}")
            return {k: value / total for k, value in law.items()}
        largest = max(law, key=lambda k: (law[k], -k))
        sign = "+" if missing > 0 else "-"
        self.changes.append(f"{where}, {outcomes[largest]} {decimal(law[largest])}{sign}{decimal(abs(missing))}")
        return law | {largest: law[largest] + missing}

    def told(self) -> str:
        """What was changed, for a document's ``source``; nothing where nothing was."""
        if not self.changes:
            return ""
        how = "divided by their sums" if self.how == "normalise" else "corrected in their largest entries"
        return f"; repaired, rows {how}: {'; '.join(self.changes)}"


Entry = tuple[int, Fraction, int]  # when it was given, its value, its line
NEVER: Entry = (0, Fraction(0), 0)


class Line:
    """What one pattern of selectors gives on the last axis: one entry for all of it, and entries of their own."""

    __slots__ = ("every", "single")

    def __init__(self) -> None:
        self.every = NEVER
        self.single: dict[int, Entry] = {}


class Assignments:
    """A table given entry by entry, later entries winning, wildcards kept as such: as large as the file, no larger."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self._layers: dict[tuple[bool, ...], dict[tuple[int, ...], Line]] = {}  # by which selectors are no wildcards
        self._count = 0

    def put(self, selectors: Sequence[Indices], values: Sequence[Fraction], line: int) -> None:
        """Give the block that the selectors name these values: one for all of it, or one an entry in order."""
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
        given = self._layers.setdefault(mask, {}).setdefault(key, Line())
        if last is None:
            given.every = self._count, value, line
        else:
            given.single[last] = self._count, value, line

    def depends(self, axis: int) -> bool:
        """Whether some entry names a place on this axis, which is not the last."""
        return any(mask[axis] for mask in self._layers)

    def _lines(self, place: Sequence[int]) -> Iterator[Line]:
        for mask, layer in self._layers.items():
            found = layer.get(tuple(k for k, kept in zip(place, mask, strict=True) if kept))
            if found is not None:
                yield found

    def get(self, *place: int) -> Fraction:
        """One entry; 0 where nothing gives it."""
        *before, last = place
        best = NEVER
        for line in self._lines(before):
            best = max(best, line.every, line.single.get(last, NEVER))
        return best[1]

    def row(self, *place: int) -> tuple[Row, int]:
        """The last axis at a place on the others, and the line of its latest entry (0 where it has none)."""
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


class Axis(NamedTuple):
    """One axis of a table: single names, or joint ones (one name an agent), numbered with the last agent fastest."""

    what: str
    parts: tuple[Names, ...]

    @property
    def size(self) -> int:
        """How many labels, joint ones multiplied out."""
        return prod(map(len, self.parts))

    def labels(self) -> list[str]:
        """Labels in order."""
        return [" ".join(names) for names in product(*self.parts)]

    def read(self, source: Source, words: Sequence[Word], where: str, line: int) -> Indices:
        """What a selector names: ``*``, one number of a joint label, or one word an agent."""
        if len(words) == 1 and words[0].text == "*":
            return None
        if len(words) == len(self.parts) == 1 and words[0].text in self.parts[0]:  # most of them
            return [self.parts[0][words[0].text]]
        where = f"{where}, {self.what}"
        if len(words) == 1 and len(self.parts) > 1:
            return [source.index(words[0], {str(k): k for k in range(self.size)}, where)]
        if len(words) != len(self.parts):
            wanted = f"{len(self.parts)} names, one an agent, their number, or *" if len(self.parts) > 1 else "one name"
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


class Form(NamedTuple):
    """What a kind of statement allows: the least number of selectors, words in place of numbers by the number of
    selectors, and whether numbers follow the last selector directly or (the joint formats) only after a colon."""

    axes: tuple[Axis, ...]
    least: int
    words: tuple[tuple[str, ...], ...]
    inline: bool


def filled(source: Source, keyword: str, form: Form, start: Law | None = None) -> Assignments:
    """The table that all statements of one keyword give; ``start`` is the row that ``reset`` stands for."""
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


def _reading(source: Source, statement: Statement, form: Form) -> tuple[list[list[Word]], list[Word]]:
    """(the selectors, the data) of a statement.  A number may follow the last selector, or a colon of its own."""
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
        raise misread(source.path, statement.line, statement.keyword, f"{len(selectors)} names",
                      f"{form.least} to {len(form.axes)} of {names}, colons between")  # fmt: skip
    count = prod(axis.size for axis in form.axes[len(selectors) :])
    words = "".join(f", or {word}" for word in form.words[len(selectors)])
    raise misread(source.path, statement.line, statement.keyword, f"{len(data)} words after {len(selectors)} names",
                  f"{count} number{'s' if count > 1 else ''}{words}")  # fmt: skip


def _fits(form: Form, selectors: int, data: Sequence[Word]) -> bool:
    if len(data) == 1 and data[0].text in form.words[selectors]:
        return True
    return len(data) == prod(axis.size for axis in form.axes[selectors:])


def _give(
    source: Source, table: Assignments, selectors: list[Indices], data: Sequence[Word], statement: Statement,
    start: Law,
) -> None:  # fmt: skip
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


def rows(source: Source, table: Assignments, keyword: str, axes: Sequence[Axis], repair: Repair) -> list[list[Law]]:
    """[action][state] -> the outcomes of positive probability: every row of a probability table, checked."""
    actions, states, outcomes = (axis.labels() for axis in axes)
    found = []
    for a, action in enumerate(actions):
        laws = []
        for s, state in enumerate(states):
            row, line = table.row(a, s)
            laws.append(repair.row(row, source.path, line, f"{keyword} ({action}, {state})", outcomes))
        found.append(laws)
    return found


def check_size(path: Path, states: int, actions: int) -> None:
    """Refuse a file whose transition table alone is over the limit, before it is read."""
    count = prod((states, actions, states))
    if count > MAX_ENTRIES:
        raise LimitExceeded("T", "entries of the transition table", count, MAX_ENTRIES,
                            "import a smaller model").inside(str(path))  # fmt: skip
