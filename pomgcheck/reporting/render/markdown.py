"""Writes a report as GitHub-flavoured Markdown; drawings are files beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pomgcheck.reporting.blocks import Block, Document, Figure, Heading, Items, Listing, Paragraph, Table
from pomgcheck.reporting.render.markup import formula
from pomgcheck.reporting.render.text import MARKS
from pomgcheck.reporting.spans import Code, Inline, Label, Link, Math, Number, Page, Strong, Text, VerdictMark


def escaped(text: str) -> str:
    """Return words with every character that Markdown or HTML would read as markup made harmless."""
    safe = re.sub(r"([\\`*_{}\[\]|~#$])", r"\\\1", text)
    return re.sub(r"\s*\n\s*", " ", safe.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def coded(text: str) -> str:
    """Return a code span round any text, backticks and table bars included."""
    fence = "`" * (max((len(run) for run in re.findall(r"`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}".replace("|", r"\|")


def markdown(inline: Inline) -> str:
    """Return a sentence as Markdown."""
    out = []
    for span in inline:
        match span:
            case Math():
                out.append(formula(span).replace("|", r"\|"))
            case Number():
                out.append(escaped(span.plain()))
            case VerdictMark(word):
                out.append(f"{MARKS[word]} **{word}**")
            case Strong(text):
                out.append(f"**{escaped(text)}**")
            case Code(text):
                out.append(coded(text))
            case Label(text):
                out.append(coded(text))
            case Page(text, address):
                out.append(f"[{coded(text)}]({address})")
            case Link(text, anchor):
                out.append(f"[{escaped(text)}](#{anchor})")
            case Text(text):
                out.append(escaped(text))
    return "".join(out)


def block(part: Block, stem: str) -> str:
    """Return one block as Markdown."""
    match part:
        case Heading(level, text, anchor):
            mark = f'<a id="{anchor}"></a>\n\n' if anchor else ""
            return f"{mark}{'#' * level} {markdown(text)}"
        case Paragraph(text, role):
            return f"> {markdown(text)}" if role in MARKS else markdown(text)
        case Items(items, numbered):
            return "\n".join(f"{f'{k}.' if numbered else '-'} {markdown(item)}" for k, item in enumerate(items, 1))
        case Table(caption, columns, rows, folded=folded):
            lines = [f"| {' | '.join(map(escaped, columns))} |", "|" + " --- |" * len(columns)]
            lines += [f"| {' | '.join(markdown(cell) for cell in row)} |" for row in rows]
            if folded:
                return f"<details><summary>{escaped(caption)}</summary>\n\n" + "\n".join(lines) + "\n\n</details>"
            return (f"*{escaped(caption)}*\n\n" if caption else "") + "\n".join(lines)
        case Listing(lines):
            return "\n".join(("```", *lines, "```"))
        case Figure(_, caption, description, name):
            return f"![{escaped(description)}]({stem}.{name}.svg)\n\n*{markdown(caption)}*"


def page(document: Document, stem: str = "report") -> str:
    """Return the report; its drawings are referred to as ``stem.<name>.svg``."""
    stamp = "\n".join(f"<!-- pomgcheck-{name}: {digest} -->" for name, digest in document.stamp.items())
    return "\n\n".join((stamp, *(block(part, stem) for part in document.blocks))) + "\n"


def drawings(document: Document, stem: str = "report") -> Mapping[str, str]:
    """Return file name -> SVG of every drawing the page refers to; each has paper of its own, since a picture does not
    have the page's ink."""
    return {
        f"{stem}.{part.stem}.svg": part.svg.replace("currentColor", "#1d1f23").replace(
            'style="', 'style="background: #fdfdfb; ', 1
        )
        + "\n"
        for part in document.blocks
        if isinstance(part, Figure)
    }
