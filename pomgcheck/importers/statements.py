"""What the POMDP formats share: statements of words between colons, and the preamble.

A file is a list of statements ``KEYWORD : words : words ...``.  A line break means nothing, a comment runs from ``#``
to the end of its line, and a keyword in the place of a name (after a colon) is a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from pomgcheck.errors import LimitExceeded
from pomgcheck.importers.rows import Law, Repair, Row
from pomgcheck.importers.words import MAX_LABELS, Word, decimal, misread, number, quoted, read_text

KEYWORDS = ("agents", "discount", "values", "states", "actions", "observations", "start", "T", "O", "R")
PREAMBLE = KEYWORDS[:-4]

Names = dict[str, int]  # labels in order, each with its place


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
            raise misread(
                self.path,
                found[1].line,
                keyword,
                "a second one",
                f"one statement {keyword}:",
                f"the first is on line {found[0].line}",
            )
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
            if count == 0:
                raise misread(self.path, words[0].line, where, "0", "a count of at least 1, or names")
            if count > MAX_LABELS:
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
