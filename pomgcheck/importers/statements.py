"""Reads what the POMDP formats share: statements of words between colons, and the preamble.

A file is a list of statements ``KEYWORD : words : words ...``, and a comment runs from ``#`` to the end of its line.  A
keyword in the place of a name (after a colon) is a name.  A line break means nothing between most words, but it tells
where a statement begins: a line with a colon of its own begins with a keyword, and names go on only to lines that
continue their list.  What is not a keyword there is refused by its own name, and never becomes a name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.importers.rows import Law, Row, RowRepair
from pomgcheck.importers.words import MAX_LABELS, Word, decimal, misread, number, quoted, read_text

KEYWORDS = ("agents", "discount", "values", "states", "actions", "observations", "start", "T", "O", "R")
PREAMBLE = KEYWORDS[:-4]
ATOM = "atom"  # ``atom 0: names``: where a proposition of the pomdps-reveal dialect holds
LIKE = 0.75  # from which similarity on a word is taken for a mistyped keyword

Names = dict[str, int]  # labels in order, each with its place


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement has its keyword (``start include`` is one), its line, and its place among the words of the file."""

    keyword: str
    line: int
    file: FileWords
    place: range

    @property
    def segments(self) -> list[list[Word]]:
        """Return the words between the colons."""
        segments: list[list[Word]] = [[]]
        texts, lines, _ = self.file
        for k in self.place:
            if texts[k] == ":":
                segments.append([])
            else:
                segments[-1].append(Word(texts[k], lines[k]))
        return segments


class FileWords(NamedTuple):
    """These are all words and colons of a file, without its comments, and the line of each, as two flat lists, which is
    quick.

    ``margins`` gives the blanks before the first word of each line that has words.
    """

    texts: list[str]
    lines: list[int]
    margins: dict[int, int]


def words_of(text: str) -> FileWords:
    """Return the words of a text."""
    words = FileWords([], [], {})
    for line, content in enumerate(text.split("\n"), 1):
        content = content.partition("#")[0]
        found = content.replace(":", " : ").split()
        if found:
            words.texts.extend(found)
            words.lines.extend([line] * len(found))
            words.margins[line] = len(content) - len(content.lstrip())
    return words


def statements(path: Path) -> list[Statement]:
    """Return the statements of a file; raise ``InputError`` at a line that begins with a word that is not a keyword."""
    words = words_of(read_text(path))
    starts = {k: length for k in range(len(words.texts)) if (length := _keyword(words, k))}
    if not words.texts:
        return []
    if 0 not in starts:
        wanted = f"one of {', '.join(PREAMBLE)}, and a colon"
        raise misread(path, words.lines[0], "", quoted(words.texts[0]), wanted, _corrected(words.texts[0]))
    for k, line in enumerate(words.lines):
        if k and line != words.lines[k - 1] and k not in starts and _stray(words, k, starts):
            raise unknown_statement(path, Word(words.texts[k], line))
    ends = [*[*starts][1:], len(words.texts)]
    return [
        Statement(" ".join(words.texts[k : k + length]), words.lines[k], words, range(k + length + 1, end))
        for (k, length), end in zip(starts.items(), ends, strict=True)
    ]


def _keyword(words: FileWords, at: int) -> int:
    """Return how many words the keyword at ``at`` has as the start of a statement, or 0 where it starts none."""
    texts = words.texts
    if texts[at] not in KEYWORDS and texts[at] != ATOM:
        return 0
    empty = at > 1 and texts[at] in PREAMBLE and texts[at - 2] in (*PREAMBLE, "start", "include", "exclude")
    if at and texts[at - 1] == ":" and not empty:
        return 0  # the place of a name
    following = texts[at + 1 : at + 3]
    if texts[at] == ATOM:
        return 2 if following[:1] != [":"] and following[1:] == [":"] and following[0].isdecimal() else 0
    length = 2 if texts[at] == "start" and following[:1] in (["include"], ["exclude"]) else 1
    return length if following[length - 1 : length] == [":"] else 0


def _stray(words: FileWords, first: int, starts: Collection[int]) -> bool:
    """Return whether the word that begins a line stands where a keyword must: its line has a colon of its own, which
    is neither that of a keyword nor between selectors that go on from the line before."""
    texts, lines = words.texts, words.lines
    if texts[first] == ":" or texts[first - 1] == ":":
        return False
    at = first
    while at < len(texts) and lines[at] == lines[first] and texts[at] != ":":
        if at in starts:
            return False
        at += 1
    return at < len(texts) and lines[at] == lines[first] and number(texts[first]) is None


def unknown_statement(path: Path, word: Word) -> InputError:
    """Return the error for a word that begins a line and is not a keyword, or for a keyword without its colon."""
    if word.text in KEYWORDS:
        return misread(path, word.line, "", f"{quoted(word.text)} without a colon", f"{word.text}: for a statement")
    known = f"a statement of {', '.join(KEYWORDS)}"
    return misread(path, word.line, "", f"the unknown statement {quoted(word.text)}", known, _corrected(word.text))


def _corrected(text: str) -> str:
    """Return the keyword to write in place of a word that is like one, or nothing where it is like none."""
    near = _like(text, KEYWORDS)
    return f"write {near}:" if near else ""


def _like(text: str, keywords: Sequence[str]) -> str:
    """Return the keyword that a word is in other letters, or misspells; ``""`` where there is none."""
    for keyword in keywords:
        if keyword.casefold() == text.casefold():
            return keyword
    return next(iter(get_close_matches(text.casefold(), [each for each in keywords if len(each) > 1], 1, LIKE)), "")


class Source:
    """This holds the statements of one file, by keyword, and makes the errors about them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.all = statements(path)
        self.notes: list[str] = []  # what the file leaves open, for a document's ``source``

    def one(self, keyword: str) -> Statement:
        """Return the statement of a keyword that a file must have exactly once."""
        found = self.some(keyword)
        if found is None:
            raise misread(self.path, 0, "", f'no "{keyword}:"', f"one statement {keyword}:")
        return found

    def some(self, keyword: str) -> Statement | None:
        """Return the statement of a keyword that a file may have once, or ``None``."""
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
        """Return the exact number that a word is."""
        value = number(word.text)
        if value is None:
            raise misread(self.path, word.line, where, quoted(word.text), "a decimal number such as 0.15, -1 or 1e-3")
        return value

    def discount(self) -> Fraction:
        """Return ``discount``, from 0 to 1; it is 1 where a file of one agent has none, and that is then noted."""
        if self.some("discount") is None and (self.reveals or self.some("agents") is None):
            if not self.reveals:
                self.notes.append("the file has no discount, so that rewards are undiscounted")
            return Fraction(1)
        statement = self.one("discount")
        words = self.words(statement)
        if len(words) != 1:
            raise misread(self.path, statement.line, "discount", f"{len(words)} words", "one number")
        value = self.number(words[0], "discount")
        if not 0 <= value <= 1:
            raise misread(self.path, words[0].line, "discount", decimal(value), "a number from 0 to 1")
        return value

    def sign(self) -> int:
        """Return 1 for rewards and -1 for costs, as ``values`` says."""
        if self.reveals and self.some("values") is None:
            return 1
        statement = self.one("values")
        text = " ".join(word.text for word in self.words(statement))
        if text.removesuffix("s") not in ("reward", "cost"):
            raise misread(self.path, statement.line, "values", quoted(text), '"reward" or "cost"')
        return 1 if text.startswith("reward") else -1

    def propositions(self, observations: Names) -> None:
        """Check that ``atom`` lines name observations; they say where a proposition holds, which no game here reads."""
        found = [statement for statement in self.all if statement.keyword.startswith(ATOM)]
        for statement in found:
            for word in self.words(statement, checked=True):
                self.index(word, observations, statement.keyword)
        if found:
            named = ", ".join(statement.keyword for statement in found)
            self.notes.append(f"its propositions ({named}) are left out")
            left = [keyword for keyword in ("discount", "values") if self.some(keyword) is None]
            if left:
                self.notes.append(f"it has no {' and no '.join(left)}, as its dialect allows: rewards, undiscounted")

    def noted(self) -> str:
        """Return what the file leaves open, for a document's ``source``."""
        return "".join(f"; {note}" for note in self.notes)

    @property
    def reveals(self) -> bool:
        """Return whether the file is of the pomdps-reveal dialect, which has propositions in place of rewards."""
        return any(statement.keyword.startswith(ATOM) for statement in self.all)

    def words(self, statement: Statement, checked: bool = False) -> list[Word]:
        """Return the words of a statement of the preamble, which has no colon but its first; later lines may continue
        it.

        Raises ``InputError`` for a later line that begins with what is, or is like, a keyword; and, unless the
        words are ``checked`` against labels, for one that follows words on the colon's own line and is not indented.
        """
        head, *more = statement.segments
        opens = statement.file.lines[statement.place[0] - 1] if statement.place else statement.line
        if more:
            stray = next((word for word in head if word.line == head[-1].line), None)
            if stray is None or stray.line == opens:
                raise misread(self.path, opens, statement.keyword, "a second colon", "words after one colon")
            raise unknown_statement(self.path, stray)
        margins = statement.file.margins
        for before, word in pairwise(head):
            if word.line == before.line:
                continue
            outdented = not checked and head[0].line == opens and margins[word.line] <= margins[opens]
            if outdented or word.text in KEYWORDS or self._mistyped(word, head):
                raise unknown_statement(self.path, word)
        return head

    def _mistyped(self, word: Word, words: Sequence[Word]) -> bool:
        """Return whether a line of names reads as a statement: its first word is like a keyword that the file does not
        have, and more stands after it."""
        missing = [keyword for keyword in (*PREAMBLE, "start") if self.some(keyword) is None]
        return bool(_like(word.text, missing)) and sum(each.line == word.line for each in words) > 1

    def names(self, words: Sequence[Word], where: str, line: int) -> Names:
        """Return the labels: a count, which makes them 0, 1, ..., or distinct names that begin with a letter."""
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
        """Return the place of a name, or of a number from 0."""
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

    def start(self, states: Names, repair: RowRepair) -> Law:
        """Return the law of the first state, in any of the forms of the format; uniform where the file has none."""
        size = len(states)
        statement = self.some("start")
        if statement is None:
            self.notes.append("the file has no start, which is uniform here")
            return dict.fromkeys(range(size), Fraction(1, size))
        words, line = self.words(statement, checked=True), statement.line
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
            wanted = f"{size} numbers, one per state, or a state, or uniform"
            several = len(words) > 1 and all(word.text in states for word in words)
            fix = "start include: is uniform on several states" if several else ""
            raise misread(self.path, line, "start", f"{len(words)} words", wanted, fix)
        row = Row.of([self.number(word, "start") for word in words])
        return repair.row(row, self.path, words[0].line, "start", [*states])
