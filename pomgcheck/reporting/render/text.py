"""Writes blocks as plain text for a terminal. ``paint(role, text)`` may colour words; it never changes their width."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import zip_longest

from pomgcheck.reporting.blocks import Block, Figure, Heading, Items, Listing, Paragraph, Table, Tree
from pomgcheck.reporting.spans import NOTHING, Code, Inline, Label, Link, Math, Number, Page, Strong, Text, VerdictMark

SHORT = 20  # characters of a label that is not broken over two lines
Paint = Callable[[str, str], str]
Word = list[tuple[str, str]]  # (role, text) pieces without a blank between them
MARKS = {
    "proved": "✓",
    "certified": "✓",
    "refuted": "✗",
    "not certified": "✗",
    "vacuous": "∅",
    "declared": "○",
    "unknown": "?",
}


def unpainted(role: str, text: str) -> str:
    """Return the default ``paint``: words as they are."""
    return text


def runs(inline: Inline) -> list[tuple[str, str]]:
    """Return each span as (role, text); the role of a verdict is its word."""
    out = []
    for span in inline:
        match span:
            case Math():
                out.append(("math", span.plain().replace(" ", "\xa0")))
            case Number(exact, relation, decimal):
                out.append(("number", exact.replace(" ", "\xa0") + (f" {relation}\xa0{decimal}" if relation else "")))
            case VerdictMark(word):
                out.append((word, f"{MARKS[word]}\xa0{word}".replace(" ", "\xa0")))
            case Text(text):
                out.append(("", text))
            case Strong(text):
                out.append(("strong", text))
            case Code(text) | Page(text):
                out.append(("code", text.replace(" ", "\xa0")))
            case Label(text):
                out.append(("label", text.replace(" ", "\xa0") if len(text) <= SHORT else text))
            case Link(text):
                out.append(("", text))
    return out


def plain(inline: Inline) -> str:
    """Return a sentence as one unbroken line without colours."""
    return "".join(text for _, text in runs(inline)).replace("\xa0", " ")


def words(inline: Inline) -> list[Word]:
    """Return words to wrap; a word may join pieces of several spans."""
    out: list[Word] = [[]]
    for role, text in runs(inline):
        for k, piece in enumerate(re.split(r"[ \n]+", text)):
            if k:
                out.append([])
            if piece:
                out[-1].append((role, piece))
    return [word for word in out if word]


def length(word: Word) -> int:
    """Return how many columns a word takes."""
    return sum(len(text) for _, text in word)


def wrapped(inline: Inline, width: int) -> list[list[Word]]:
    """Return lines of words no wider than ``width``, unless one word alone is."""
    lines: list[list[Word]] = [[]]
    used = 0
    for word in words(inline):
        if lines[-1] and used + 1 + length(word) > width:
            lines.append([])
            used = 0
        used += length(word) + (1 if lines[-1] else 0)
        lines[-1].append(word)
    return lines


def painted(line: list[Word], paint: Paint) -> str:
    """Return one line; neighbouring words of one role are painted as they come."""
    return " ".join("".join(paint(role, text) if role else text for role, text in word) for word in line).replace(
        "\xa0", " "
    )


def line_length(line: list[Word]) -> int:
    """Return how many columns a line of words takes."""
    return sum(map(length, line)) + max(len(line) - 1, 0)


def hanging(inline: Inline, first: str, width: int, paint: Paint) -> list[str]:
    """Return a wrapped sentence after a mark, its later lines indented as far."""
    lines = wrapped(inline, width - len(first))
    return [(first if not k else " " * len(first)) + painted(line, paint) for k, line in enumerate(lines)]


def widths(table: Table, room: int) -> list[int] | None:
    """Return the column widths: natural ones where they fit in ``room``, else the widest gives way, down to its longest
    word."""
    columns = [((Text(name),), *(row[k] for row in table.rows)) for k, name in enumerate(table.columns)]
    sizes = [max(line_length(words(cell)) for cell in cells) for cells in columns]
    least = [max((length(word) for cell in cells for word in words(cell)), default=0) for cells in columns]
    if sum(least) > room:
        return None
    while sum(sizes) > room:
        spare = [n if n > m else 0 for n, m in zip(sizes, least, strict=True)]
        sizes[spare.index(max(spare))] -= 1
    return sizes


def table_lines(table: Table, width: int, paint: Paint) -> list[str]:
    """Return a table in columns; where even its longest words do not fit side by side, row by row."""
    caption = hanging((Text(table.caption),), "", width, paint) if table.caption else []
    sizes = widths(table, width - 2 * (len(table.columns) - 1))
    if sizes is None:
        return caption + stacked(table, width, paint)
    head = in_columns([(Strong(name),) for name in table.columns], sizes, paint)
    rows = [in_columns(row, sizes, paint) for row in table.rows]
    apart = [""] if any(len(lines) > 1 for lines in rows) else []
    body = [line for k, lines in enumerate(rows) for line in (apart if k else []) + lines]
    return [*caption, *head, "  ".join("─" * size for size in sizes), *body]


def in_columns(cells: Iterable[Inline], sizes: list[int], paint: Paint) -> list[str]:
    """Return one row, each cell wrapped in its column."""
    columns = [wrapped(cell, size) for cell, size in zip(cells, sizes, strict=True)]
    lines = []
    for pieces in zip_longest(*columns, fillvalue=[]):
        shown = [painted(p, paint) + " " * (size - line_length(p)) for p, size in zip(pieces, sizes, strict=True)]
        lines.append("  ".join(shown).rstrip())
    return lines


def stacked(table: Table, width: int, paint: Paint) -> list[str]:
    """Return the row by row its header, then each other cell that says something, after the title of its column."""
    margin = max(map(len, table.columns)) + 4
    lines: list[str] = []
    for row in table.rows:
        lines += ([""] if lines else []) + hanging(row[0], "", width, paint)
        for name, cell in zip(table.columns[1:], row[1:], strict=True):
            lines += hanging(cell, f"  {name}".ljust(margin), width, paint) if cell != NOTHING else []
    return lines


def lines_of(block: Block, width: int, paint: Paint) -> list[str]:
    """Return the lines of one block."""
    match block:
        case Heading(level, text):
            lines = [painted(line, unpainted) for line in wrapped(text, width)]
            mark = {1: "═", 2: "─"}.get(level, "")
            return [*(paint("heading", line) for line in lines), *([mark * max(map(len, lines))] if mark else [])]
        case Paragraph(text):
            return hanging(text, "", width, paint)
        case Items(items, numbered):
            marks = [f"{k}. " if numbered else "• " for k in range(1, len(items) + 1)]
            return [
                line
                for mark, item in zip(marks, items, strict=True)
                for line in hanging(item, "  " + mark, width, paint)
            ]
        case Table():
            return table_lines(block, width, paint)
        case Listing(lines):
            return [f"  {paint('code', line)}" for line in lines]
        case Figure(caption=caption, description=description):
            return hanging((Text("[figure] "), *caption, Text(f" {description}")), "", width, paint)


def render(blocks: Iterable[Block], width: int = 100, paint: Paint = unpainted) -> str:
    """Return the blocks as text with a blank line between them; lines wrap at ``width`` columns.

    Game trees are for pages: their lines do not wrap, and the sentences beside them tell what fails.
    """
    told = (block for block in blocks if not isinstance(block, Tree))
    return "\n\n".join("\n".join(lines_of(block, width, paint)) for block in told) + "\n"
