"""Finds where the key paths of a document stand in its text, so that an error is shown at its line."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

from pomgcheck.errors import PomgcheckError

SPACE = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
TEXTS = re.compile(
    r'"""(?:[^\\]|\\.)*?"""(?:"{1,2}(?!"))?' r"|'''.*?'''(?:'{1,2}(?!'))?" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
PLAIN = re.compile(r"[^,\]}#\n]*")  # a number, a date or a word
STEP = re.compile(r'\.?"([^"]*)"|\.?([^.\[\]", :]+)|\[(\d+)\]')
ROW = re.compile(r", row \(([^)]*)\)")
UNKNOWN = re.compile(r'the unknown [\w ]+ "([^"]*)"')
SYNTAX = re.compile(r"\(at line (\d+), column \d+\)|: line (\d+) column \d+ \(char \d+\)")
AT_THE_END = "(at end of document)"


@dataclass
class TextNode:
    """A node is a key or an entry: it says where it begins, where its value begins and ends, and what stands in it."""

    start: int
    value: int
    end: int = 0
    table: dict[str, TextNode] = field(default_factory=dict)
    array: list[TextNode] = field(default_factory=list)


def line_of(text: str, suffix: str, error: PomgcheckError) -> int | None:
    """Return the line, from 1 on, at which ``error`` was met in a document's text, or ``None`` where the error names
    none.

    It is the line of the key or row that the error names, or of the nearest one above it that is there.
    """
    if found := SYNTAX.search(error.found):
        return int(found[1] or found[2])
    if AT_THE_END in error.found:
        return text.count("\n", 0, len(text.rstrip())) + 1
    root = outline(text, suffix)
    node = root
    for deeper in along(root, error.where):
        node = deeper
    if row := ROW.search(error.where):
        node = row_of(node, row[1].split(", "))
    if key := UNKNOWN.match(error.found):
        node = node.table.get(key[1], node)
    return None if node is root else text.count("\n", 0, node.start) + 1


def row_of(table: TextNode, labels: list[str]) -> TextNode:
    """Return the row of a table by labels that holds for ``labels``: of those that match, the one with the fewest
    stars.

    It is the table itself where its rows go by number.
    """
    matching = [
        (key.split().count("*"), node, labels[len(key.split()) :])
        for key, node in table.table.items()
        if all(pattern in ("*", label) for pattern, label in zip_longest(key.split(), labels[: len(key.split())]))
    ]
    if not labels or not matching:
        return table
    _, node, rest = min(matching, key=lambda found: found[0])
    return row_of(node, rest)


def outline(text: str, suffix: str) -> TextNode:
    """Return the keys and entries of a text; where the text does not parse, those before the fault."""
    scan = Scan(text, suffix == ".json")
    try:
        if scan.json:
            return scan.inline()
        scan.toml()
    except (ValueError, RecursionError):
        pass
    return scan.root


def along(node: TextNode, where: str) -> Iterator[TextNode]:
    """Return the nodes on a key path such as ``worlds.transition."lit guard"[0]``, as far as they are there."""
    place = 0
    while found := STEP.match(where, place):
        place = found.end()
        quoted, bare, index = found.groups()
        if index is not None:
            following = node.array[int(index)] if int(index) < len(node.array) else None
        else:
            following = node.table.get(bare if quoted is None else quoted)
        if following is None:
            return
        node = following
        yield node


class Scan:
    """This reads a text from front to back; what it does not understand ends it by ``ValueError``."""

    def __init__(self, text: str, json: bool) -> None:
        self.text, self.json, self.at = text, json, 0
        self.root = TextNode(0, 0, len(text))

    def skip(self) -> str:
        """Go on to what is neither space nor comment, and return it; "" at the end."""
        found = SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return self.text[self.at : self.at + 1]

    def expect(self, sign: str) -> None:
        """Pass over a sign that must follow."""
        if self.skip() != sign:
            raise ValueError(sign)
        self.at += 1

    # -- TOML

    def toml(self) -> None:
        """Read a document: tables under headings, and keys with their values."""
        table = self.root
        while sign := self.skip():
            if sign == "[":
                table = self.heading()
            else:
                self.pair(table)

    def heading(self) -> TextNode:
        """Return the table that what follows ``[a.b]`` or ``[[a.b]]`` belongs to."""
        start, twice = self.at, self.text.startswith("[[", self.at)
        self.at += 2 if twice else 1
        names = self.names()
        for _ in range(2 if twice else 1):
            self.expect("]")
        if twice:
            every = self.descend(self.root, names[:-1], start).table.setdefault(
                names[-1], TextNode(start, start, start)
            )
            every.array.append(TextNode(start, start, self.at))
            return every.array[-1]
        table = self.descend(self.root, names, start)
        table.start = start
        return table

    def names(self) -> list[str]:
        """Return a key, dotted or not."""
        found = [self.name()]
        while self.skip() == ".":
            self.at += 1
            found.append(self.name())
        return found

    def name(self) -> str:
        """Return one part of a key, unquoted."""
        quoted = self.skip() in "\"'" and self.skip() != ""
        match = (TEXTS if quoted else BARE_KEY).match(self.text, self.at)
        if match is None:
            raise ValueError("a key")
        self.at = match.end()
        if self.json:
            return str(json.loads(match[0]))
        return str(tomllib.loads(f"key = {match[0]}")["key"]) if quoted else match[0]

    def descend(self, table: TextNode, names: list[str], start: int) -> TextNode:
        """Return the table of that name; of an array of tables, the last one."""
        for name in names:
            table = table.table.setdefault(name, TextNode(start, start, start))
            table = table.array[-1] if table.array else table
        return table

    def pair(self, table: TextNode) -> None:
        """Read a key and its value: ``key = value``, or ``"key": value`` in JSON."""
        self.skip()
        start, names = self.at, [self.name()] if self.json else self.names()
        self.expect(":" if self.json else "=")
        node = self.inline()
        node.start = start
        self.descend(table, names[:-1], start).table[names[-1]] = node

    # -- values, of TOML and of JSON

    def inline(self) -> TextNode:
        """Return a text, a number, an array or a table in braces."""
        sign = self.skip()
        node = TextNode(self.at, self.at)
        if sign and sign in "[{":
            self.at += 1
            self.members(node, sign)
        else:
            match = (TEXTS if sign and sign in "\"'" else PLAIN).match(self.text, self.at)
            if match is None or not match[0].strip():
                raise ValueError("a value")
            self.at += len(match[0].rstrip())
        node.end = self.at
        return node

    def members(self, node: TextNode, opened: str) -> None:
        """Read what stands in brackets or braces, and the sign that closes them."""
        close = "]" if opened == "[" else "}"
        while self.skip() != close:
            if opened == "[":
                node.array.append(self.inline())
            else:
                self.pair(node)
            if self.skip() == ",":
                self.at += 1
            elif self.skip() != close:
                raise ValueError(close)
        self.at += 1
