"""Keeps the part of a report that goes into a paper: no seconds, no word about solvers, no command in the running text,
and no part that its author leaves out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from pomgcheck.errors import InputError
from pomgcheck.reporting.blocks import Block, Document, Figure, Heading, Items, Listing, Paragraph, Table, Tree
from pomgcheck.reporting.spans import Code, Inline, Link, Span, Text

COMMANDS = ("pomgcheck ", "python ")  # how a command begins
MACHINE = ("Seconds",)  # columns that say something of a machine
KEPT = "checking"  # the section that is set as a footnote, and has the commands


class Typeset(NamedTuple):
    r"""This is what is asked of a report in LaTeX: the level of its sections, 1 for ``\section`` to 3 for
    ``\subsubsection``; the parts that are left out, by the anchors of their headings; and whether tables float."""

    level: int = 1
    without: tuple[str, ...] = ()
    floats: bool = False


ANYHOW = Typeset()  # nothing is asked


def for_paper(document: Document, without: Sequence[str] = ()) -> Document:
    """Return the document as a paper has it; each heading whose anchor is in ``without`` is left out with all below
    it.

    Raises ``InputError`` for a part that the document does not have.
    """
    parts = [part.anchor for part in document.blocks if isinstance(part, Heading) and part.anchor]
    for name in without:
        if name not in parts or name == KEPT:
            raise InputError.choice("without", name, [part for part in dict.fromkeys(parts) if part != KEPT])
    kept = list(left(document.blocks, without))
    anchors = {part.anchor for part in kept if isinstance(part, Heading)}
    out: list[Block] = []
    checking = False
    for part in kept:
        if isinstance(part, Heading) and part.level <= 2:
            checking = part.anchor == KEPT
        out += [part] if checking else cleaned(part, anchors)
    return replace(document, blocks=tuple(out))


def left(blocks: Iterable[Block], without: Sequence[str]) -> Iterator[Block]:
    """Return the blocks that do not stand below a heading that is left out."""
    level = None  # of the heading that is left out
    for part in blocks:
        if isinstance(part, Heading):
            if level is not None and part.level <= level:
                level = None
            if level is None and part.anchor in without:
                level = part.level
        if level is None:
            yield part


def cleaned(part: Block, anchors: set[str]) -> list[Block]:
    """Return a block as a paper has it, or none."""

    def words(inline: Inline) -> Inline:
        return tuple(span(each, anchors) for each in inline)

    match part:
        case Paragraph(_, "note"):
            return []
        case Paragraph(text, role):
            return [Paragraph(words(text), role)]
        case Items(items, numbered):
            stay = tuple(words(item) for item in items if not commands(item))
            return [Items(stay, numbered)] if stay else []
        case Table(columns=columns, rows=rows):
            stays = [k for k, name in enumerate(columns) if name not in MACHINE]
            chosen = tuple(tuple(words(row[k]) for k in stays) for row in rows)
            return [replace(part, columns=tuple(columns[k] for k in stays), rows=chosen)]
        case Tree():
            return [part]
        case Listing(lines):
            stay_ = tuple(line for line in lines if not line.startswith(COMMANDS))
            return [Listing(stay_)] if stay_ else []
        case Figure(caption=caption):
            return [replace(part, caption=words(caption))]
        case Heading(text=text):
            return [replace(part, text=words(text))]
    return [part]


def commands(inline: Inline) -> bool:
    """Return whether a sentence tells a command to type."""
    return any(isinstance(each, Code) and each.text.startswith(COMMANDS) for each in inline)


def span(each: Span, anchors: set[str]) -> Span:
    """Return a span whose link leads somewhere, and which names an option, not a flag."""
    if isinstance(each, Link) and each.anchor not in anchors:
        return Text(each.text)
    if isinstance(each, Code) and each.text.startswith("--"):
        return Code(each.text[2:])
    return each
