"""Makes the cells that comparisons of every kind are made of: what differs from the first file, and whether it is
better or worse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from pomgcheck.errors import counted
from pomgcheck.reporting.blocks import Block, Heading, Paragraph, Table
from pomgcheck.reporting.pages.certificates import closing
from pomgcheck.reporting.quantities import Quantity
from pomgcheck.reporting.render.text import plain
from pomgcheck.reporting.spans import NOTHING, Inline, Strong, joined, say
from pomgcheck.stored import Stored

SMALLER = ("T_star",)  # values without a direction of which less is better
SIDE_BY_SIDE = 4  # columns of a comparison that a page holds; more of them scroll
BETTER, WORSE = Strong("▲\xa0better"), Strong("▼\xa0worse")


def introduced(names: Sequence[str], summaries: Iterable[Inline]) -> list[Block]:
    """Return what each of the compared says in short, a paragraph after its name."""
    return [
        Paragraph(joined(say("{n}:", n=Strong(name)), summary)) for name, summary in zip(names, summaries, strict=True)
    ]


def marked(cell: Inline, better: bool | None) -> Inline:
    """Return a cell with the mark of what is better or worse than in the first column; with ``None`` there is no mark,
    since neither can be said."""
    return cell if better is None else joined(cell, (BETTER if better else WORSE,))


def improves(quantity: Quantity, value: Fraction, first: Fraction) -> bool | None:
    """Return whether a value is better than the first: a lower end that is larger, an upper end that is smaller."""
    if quantity.end == "lower":
        return value > first
    return value < first if quantity.end == "upper" or quantity.base in SMALLER else None


def differing(tables: Sequence[Table], names: Sequence[str], caption: str) -> list[Block]:
    """Return the rows of tables of one kind that are not the same in all, side by side."""
    found = [{plain(row[0]): row for row in table.rows} for table in tables]
    keys = list(dict.fromkeys(key for rows in found for key in rows))
    rows = []
    for key in keys:
        cells = [each[key][1] if key in each else NOTHING for each in found]
        if any(cell != cells[0] for cell in cells):
            head = next(each[key][0] for each in found if key in each)
            rows.append((head, *(cell if cell == cells[0] else joined((Strong("≠"),), cell) for cell in cells)))
    if not rows:
        return [Paragraph.of("{what}: {n}, all the same.", what=caption, n=counted(len(keys), "row"))]
    return [Table.of(caption, ("Part", *names), rows, dense=len(names) > SIDE_BY_SIDE)]


def asked(
    tables: Iterable[Block], sentence: str, commands: Iterable[str], found: Sequence[Stored], names: Sequence[str]
) -> list[Block]:
    """Return what was not asked alike of the files of these names, and how they are checked."""
    stamp = {name: each.sha256 for name, each in zip(names, found, strict=True)}
    return [
        Heading(2, say("What was asked"), "asked"),
        Paragraph.of("Only what is not the same in all is listed."),
        *tables,
        *closing(sentence, commands, stamp, "Compared"),
    ]
