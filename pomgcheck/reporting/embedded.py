"""Reads what a page in HTML holds inside: the records that it was made of, and whether it is what they make.

A record stands in the page as JSON that no browser executes.  Two sequences could end or confuse the element round it,
``</`` and ``<!--``; both are written with an escape of JSON that canonical JSON never has, so that the reader gets back
the same bytes and the page's own buttons do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape, unescape
from importlib.metadata import version
from itertools import zip_longest
from typing import Any, NamedTuple

from pomgcheck.errors import InputError
from pomgcheck.kernel.reading import Malformed, canonical_bytes, read_json
from pomgcheck.outputs import file_name
from pomgcheck.stored import kind_of
from pomgcheck.version import __version__

ESCAPES = (("</", "<\\/"), ("<!--", "<\\u0021--"))
LARGEST = 16 * 2**20  # bytes of a record that is put inside a page
HELD = re.compile(
    r'^<script type="application/json" class="held" data-kind="(\w+)" data-name="([^"]*)"'
    r'(?: data-outside="([0-9a-f]{64})")?>(.*)</script>$'
)
GENERATOR = re.compile(r'^<meta name="generator" content="([^"]*)">$', re.MULTILINE)
AROUND = 24  # characters shown before a difference, and twice as many after it


class Held(NamedTuple):
    """This is a record that a page was made of: it has its kind ("model" for the class of a certificate), the name of
    its file ("" where it was given as an object), and the object, or the digest of one that is too large to stand in
    the page."""

    kind: str
    name: str
    document: dict[str, Any] | None
    outside: str = ""

    @property
    def element(self) -> str:
        """Return the record as it stands in the page."""
        text = "" if self.document is None else canonical_bytes(self.document).decode()
        for plain, written in ESCAPES:
            text = text.replace(plain, written)
        outside = f' data-outside="{self.outside}"' if self.outside else ""
        names = f'data-kind="{self.kind}" data-name="{escape(self.name)}"{outside}'
        return f'<script type="application/json" class="held" {names}>{text}</script>'


def held(sources: Sequence[tuple[dict[str, Any], str]]) -> list[Held]:
    """Return what a page about these records, each with the name of its file, holds: each record, and after a
    certificate its class; of a record over ``LARGEST`` it holds the digest."""
    found = []
    for document, name in sources:
        kind = kind_of(document["format"]) or ""
        if len(canonical_bytes(document)) > LARGEST:
            found.append(Held(kind, name, None, str(document["sha256"])))
            continue
        found.append(Held(kind, name, document))
        if kind == "certificate":
            found.append(Held("model", file_name(document["model"]["name"], ".model.json"), document["model"]))
    return found


def held_in(page: str) -> list[Held]:
    """Return what a page holds, in order; raise ``InputError`` where it is not a JSON object."""
    found = []
    for line in page.split("\n"):
        if (match := HELD.match(line)) is None:
            continue
        kind, name, outside, text = match.groups()
        if outside:
            found.append(Held(kind, unescape(name), None, outside))
            continue
        try:
            document = read_json(text.encode())
        except Malformed as error:
            raise InputError(f"the {kind} inside it", error.found, error.required) from None
        if not isinstance(document, dict):
            raise InputError(f"the {kind} inside it", type(document).__name__, "a JSON object")
        found.append(Held(kind, unescape(name), document))
    return found


def generator(drawn: bool) -> str:
    """Return what made a page: this program, and matplotlib where it was ``drawn`` by that, with their versions."""
    return f"pomgcheck {__version__}" + (f", matplotlib {version('matplotlib')}" if drawn else "")


def difference(found: str, required: str) -> str:
    """Return what differs between a page and the page that its records make, or "" where nothing does.

    That is the versions that made them, or else the first place with a few words round it and the number of lines that
    differ.
    """
    if found == required:
        return ""
    makers = [match[1] if (match := GENERATOR.search(page)) else "nothing named" for page in (found, required)]
    if makers[0] != makers[1]:
        return f"generator: found a page made by {makers[0]}, required one made by {makers[1]}, to be compared with"
    pairs = list(zip_longest(found.split("\n"), required.split("\n"), fillvalue=""))
    places = [k for k, (one, other) in enumerate(pairs) if one != other]
    one, other = pairs[places[0]]
    first = next((k for k, (x, y) in enumerate(zip(one, other, strict=False)) if x != y), min(len(one), len(other)))
    count = len(places)
    more = f"; {count:,} lines differ" if count > 1 else ""
    return f"line {places[0] + 1}: found {excerpt(one, first)}, required {excerpt(other, first)}{more}"


def excerpt(line: str, place: int) -> str:
    """Return a few characters of a line round a place, on one line and without what a terminal would obey."""
    start, end = max(0, place - AROUND), place + 2 * AROUND
    shown = "".join(character if character.isprintable() else "�" for character in line[start:end])
    return f"“{'…' * (start > 0)}{shown}{'…' * (end < len(line))}”" if shown else "nothing"
