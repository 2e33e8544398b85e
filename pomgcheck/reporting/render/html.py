"""Writes a report as one HTML page that needs no network, and the fragment that a notebook shows."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Any, NamedTuple

from pomgcheck.reporting.blocks import Block, Document, Figure, Heading, Stop, Table
from pomgcheck.reporting.drawings import game_trees
from pomgcheck.reporting.drawings.figures import Svg
from pomgcheck.reporting.embedded import generator, held
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.render.markup import html
from pomgcheck.reporting.render.text import MARKS, plain
from pomgcheck.reporting.spans import NOTHING, Inline, Math, Number, VerdictMark

VERDICTS = ("refuted", "not certified", "unknown", "declared", "vacuous", "certified", "proved")  # as a column sorts
ONE_PANEL = 480  # points: a drawing no wider has one panel
NUMERAL = re.compile(r"(-?[\d,]+(?:\.\d+)?(?:e-?\d+)?)(?: ± .*)?")


class Fold(NamedTuple):
    """This is a heading that folds, with the blocks under it."""

    heading: Heading
    blocks: tuple[Block, ...]


@cache
def environment(package: str = "pomgcheck.reporting") -> Any:
    """Return the templates of a package, with what they may ask of blocks."""
    from jinja2 import Environment, PackageLoader, StrictUndefined  # imported only when a page is made
    from markupsafe import Markup

    found = Environment(
        loader=PackageLoader(package), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    found.globals["nothing"] = NOTHING
    found.filters |= {
        "inline": lambda inline: Markup(html(inline)),
        "kind": lambda block: type(block).__name__,
        "classes": classes,
        "order": order,
        "pictured": pictured,
        "formula": lambda cell: plain(cell) if all(isinstance(span, Math) for span in cell) else "",
        "drawing": lambda figure: Markup(drawing(figure)),
        "tree": lambda tree: Markup(game_trees.svg(tree)),
        "picture": lambda picture: Markup(picture.svg),
        "glyph": MARKS.__getitem__,
        "sha256": lambda text: f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}",
    }
    return found


def page(document: Document, sources: Sequence[tuple[dict[str, Any], str]] = ()) -> str:
    """Return the whole page: style, script, digests in ``<meta>``, blocks; drawings stand inside it, and so do the
    records that it was made of, each given with the name of its file.

    Its content security policy lets it load nothing, and run no script but its own.
    """
    from markupsafe import Markup

    script = Markup(resources.files("pomgcheck.reporting").joinpath("templates/page.js").read_text(encoding="utf-8"))
    template = environment().get_template("report.html")
    parts = folds(document.blocks)
    first = next((k for k, part in enumerate(parts) if isinstance(part, Heading) and part.level == 2), len(parts))
    drawn = any(isinstance(part, Figure) and isinstance(part.svg, Svg) for part in document.blocks)
    text: str = template.render(
        document=document,
        opening=parts[:first],
        sections=parts[first:],
        script=script,
        generator=generator(drawn),
        held=[(each, Markup(each.element)) for each in held(sources)],
    )
    return text


def fragment(blocks: Iterable[Block]) -> str:
    """Return blocks without a page round them, in their own style and without a script (for a notebook's cell)."""
    text: str = environment().get_template("fragment.html").render(blocks=folds(blocks))
    return text


def inner(blocks: Iterable[Block]) -> str:
    """Return blocks without a page or a style round them, for a page that has ``style``."""
    text: str = environment().get_template("inner.html").render(blocks=folds(blocks))
    return text


def style() -> str:
    """Return the style sheet of a report's page."""
    text: str = environment().get_template("sheet.css").render()
    return text


def folds(blocks: Iterable[Block]) -> list[Block | Fold]:
    """Return the blocks, in which those under a heading that folds are put with it, up to the next heading that is no
    deeper."""
    out: list[Block | Fold] = []
    for block in blocks:
        last = out[-1] if out else None
        if isinstance(block, Heading) and block.folds:
            out.append(Fold(block, ()))
        elif isinstance(last, Fold) and not (isinstance(block, Heading) and block.level <= last.heading.level):
            out[-1] = last._replace(blocks=(*last.blocks, block))
        else:
            out.append(block)
    return out


def classes(table: Table) -> str:
    """Return the names by which the style sheet and the script know a table."""
    whole = table.dense or len(table.columns) == 2  # stays a table on a narrow page
    return " ".join(name for name, holds in (("whole", whole), ("sortable", table.sortable)) if holds)


def pictured(figure: Figure) -> str:
    """Return the names by which the style sheet and the script know a drawing; one of several panels is wide."""
    found = re.search(r'viewBox="0 0 ([\d.]+)', figure.svg)
    wide = found is not None and float(found[1]) > ONE_PANEL
    return " ".join(name for name, holds in (("wide", wide), ("asked", bool(figure.stops))) if holds)


def order(cell: Inline) -> str:
    """Return what a cell sorts by, where that is not its words: a verdict's rank, or the value of the first number in
    it."""
    for span in cell:
        if isinstance(span, VerdictMark):
            return str(VERDICTS.index(span.word))
        if isinstance(span, Number):
            return str(float(fraction(span.decimal or span.exact)))
    numeral = NUMERAL.fullmatch(plain(cell))
    return numeral[1].replace(",", "") if numeral else "Infinity" if plain(cell) == "∞" else ""


def drawing(figure: Figure) -> str:
    """Return the SVG of a figure with its stops laid over it."""
    if not figure.stops:
        return figure.svg
    body, end, rest = figure.svg.rpartition("</svg>")
    return f'{body}<g class="stops">{"".join(map(stop, figure.stops))}</g>{end}{rest}'


def stop(each: Stop) -> str:
    """Return a place that can be pointed at: its words as a title, its spots as rings on a line, or its box as a
    frame."""
    left, top, width, height = each.box
    spots = "".join(f'<circle cx="{x}" cy="{y}" r="4"/>' for x, y in each.spots)
    line = f'<path d="M{each.spots[0][0]} {top}v{height}"/>' if each.spots else ""
    kind = "" if each.spots else ' class="box"'
    return (
        f'<g class="stop"><rect{kind} x="{left}" y="{top}" width="{width}" height="{height}"/>{line}{spots}'
        f"<title>{escape(each.words, quote=False)}</title></g>"
    )
