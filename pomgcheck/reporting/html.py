"""A report as one HTML page that needs no network, and the fragment a notebook shows."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from pomgcheck.reporting.blocks import NOTHING, Block, Document
from pomgcheck.reporting.markup import html


@cache
def _environment() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined  # imported only when a page is made

    environment = Environment(
        loader=PackageLoader("pomgcheck.reporting"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    from markupsafe import Markup

    environment.filters["inline"] = lambda inline: Markup(html(inline))
    environment.globals["nothing"] = NOTHING
    environment.filters["kind"] = lambda block: type(block).__name__
    environment.filters["svg"] = Markup
    return environment


def page(document: Document) -> str:
    """The whole page: style, digests in ``<meta>``, blocks; drawings stand inside it."""
    text: str = _environment().get_template("report.html").render(document=document)
    return text


def fragment(blocks: Iterable[Block]) -> str:
    """Blocks without a page round them, in their own style (for a notebook's cell)."""
    text: str = _environment().get_template("fragment.html").render(blocks=tuple(blocks))
    return text
