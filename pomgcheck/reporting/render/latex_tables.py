"""Says how wide the columns of a table are, measured in digits of Computer Modern, and where a table is divided."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import floor

from pomgcheck.reporting.blocks import Table
from pomgcheck.reporting.render import text as terminal
from pomgcheck.reporting.render.latex_characters import BREAKABLE, spelled
from pomgcheck.reporting.render.markup import SPLIT
from pomgcheck.reporting.spans import Code, Inline, Label, Link, Math, Number, Page, Strong, Text

# size -> digits that a line of a table holds, and digits between two columns
ROOMS = (("small", 91, 1.6), ("footnotesize", 98, 1.75), ("scriptsize", 106, 1.9))
STEP = 2.0  # by which a column is widened
# the widths of characters in digits: those of Computer Modern, which the document is set in
WIDTHS = {
    "ijl.,;:'|!": 0.56,
    "f()[]-r": 0.73,
    "st": 0.79,
    "I": 0.73,
    "cez": 0.9,
    "mw": 1.6,
    "MW": 1.95,
    " ": 0.67,
    "+<>=~±≤≥≈−≠×·": 1.56,
    "0123456789agoJ/$?*": 1.0,
}
WIDTH = {c: width for characters, width in WIDTHS.items() for c in characters}
CAPITAL, LETTER = 1.5, 1.11  # of the others
TYPED, BOLD = 1.06, 1.16  # a typed character; bold letters, in times of those that are not
MINUS = re.compile(r"(?<![\w.,)])-(?=\d)|(?<=\de)-(?=\d)")  # of a number, or of its exponent: no line breaks there


def measured(inline: Inline) -> list[float]:
    """Return the widths of the words of a sentence, roughly, in digits; a line may break between two."""
    widths = [0.0]
    for span in inline:
        pieces, width = [terminal.plain((span,))], wide
        match span:
            case Text(text) | Strong(text) | Link(text):
                pieces = re.split(r"[ \n]+|(?<=[a-z]-)(?=[a-z])", MINUS.sub("−", text))
                width = bold if isinstance(span, Strong) else wide
            case Code(text) | Label(text) | Page(text) if len(shown := spelled(text)) > BREAKABLE:
                pieces = re.split(r"(?<=[_/=.,:)])|(?<=[A-Za-z]-)(?=[A-Za-z])|(?<=>)(?=<)| ", shown)
                width = typed_width
            case Code(text) | Label(text) | Page(text):
                pieces, width = text.split(" "), typed_width
            case Math(source) if len(source) > BREAKABLE:
                pieces = re.split(r"(?<=[+−=·]) ?", pieces[0])
            case Number(exact, relation, decimal):
                fraction, opening, digits = exact.partition(" (")
                parts = re.split(r"(?<=/)", fraction) if len(fraction) > SPLIT else [fraction]
                parts += [opening[1:] + digits] if opening else []
                pieces = [*parts[:-1], f"{parts[-1]} {relation} ", decimal] if relation else parts
        for k, piece in enumerate(pieces):
            if k:
                widths.append(0.0)
            extra = 2 * piece.count("=") if isinstance(span, Label) else 0  # the blanks round the sign of a formula
            widths[-1] += width(piece) + extra
    return widths


def wide(text: str) -> float:
    """Return the width of a word, in digits."""
    return sum(WIDTH.get(c, CAPITAL if c.isupper() else LETTER) for c in spelled(text))


def bold(text: str) -> float:
    """Return the width of a bold word."""
    return BOLD * wide(text)


def typed_width(text: str) -> float:
    """Return the width of what is typed."""
    return TYPED * len(spelled(text))


def natural(inline: Inline) -> float:
    """Return the width of a sentence on one line."""
    words = measured(inline)
    return sum(words) + WIDTH[" "] * (len(words) - 1)


def lines(words: Sequence[float], width: float) -> int:
    """Return how many lines the words take in a column."""
    count, used = 1, 0.0
    for word in words:
        if used and used + word > width:
            count, used = count + 1, 0.0
        used += word + WIDTH[" "]
    return count


def divided(table: Table) -> list[Table]:
    """Return a table too wide for the page as several, each with the first column and some of the others, as evenly as
    they fit.

    The list is empty where one column beside the first is too wide.
    """
    for count in range(2, len(table.columns)):
        share = -(-(len(table.columns) - 1) // count)
        groups = [range(k, min(k + share, len(table.columns))) for k in range(1, len(table.columns), share)]
        parts = [
            replace(
                table,
                columns=tuple(table.columns[k] for k in (0, *group)),
                rows=tuple(tuple(row[k] for k in (0, *group)) for row in table.rows),
                caption=table.caption if group[0] == 1 else "",
            )
            for group in groups
        ]
        if all(fitted(part)[2] is not None for part in parts):
            return parts
    return []


Columns = list[tuple[float, bool]]  # of a table: the width of each, and whether its cells break


def fitted(table: Table) -> tuple[str, float, Columns | None]:
    """Return the largest of the sizes at which the table fits a line, how much that holds, and the columns."""
    columns = [((Strong(name),), *(row[k] for row in table.rows)) for k, name in enumerate(table.columns)]
    wide = [max(map(natural, cells)) for cells in columns]
    least = [max(max(measured(cell)) for cell in cells) for cells in columns]
    for size, room, gap in ROOMS[:2]:  # rather a little smaller than broken cells
        if sum(wide) <= room - gap * (len(columns) - 1):
            return size, room, [(width, False) for width in wide]
    for size, room, gap in ROOMS:
        left = room - gap * (len(columns) - 1)
        if sum(least) <= left:
            sizes = shared(table, least, wide, left)
            return size, room, [(given, given < width) for given, width in zip(sizes, wide, strict=True)]
    return size, room, None


def shared(table: Table, least: Sequence[float], wide: Sequence[float], room: float) -> list[float]:
    """Return the column widths of that sum: each step widens the column that then saves most lines, or that lacks most
    width."""
    cells = [[measured(cell) for cell in row] for row in table.rows]
    sizes = list(least)

    def height(sizes: Sequence[float]) -> int:
        return sum(max(map(lines, row, sizes)) for row in cells)

    def wider(k: int) -> list[float]:
        return [min(wide[j], size + STEP * (j == k)) for j, size in enumerate(sizes)]

    while sum(sizes) + STEP <= room:
        open_ = [k for k, size in enumerate(sizes) if size < wide[k]]
        if not open_:
            break
        k = min(open_, key=lambda k: (height(wider(k)), sizes[k] / wide[k]))
        sizes = wider(k)
    return sizes


def column(width: float, breaks: bool, room: float) -> str:
    """Return a column as wide as its cells, or one whose cells break."""
    share = floor(1000 * width / room) / 1000  # rounded down, so that all together are no wider than a line
    return f">{{\\raggedright\\arraybackslash}}p{{{share:.3f}\\linewidth}}" if breaks else "l"
