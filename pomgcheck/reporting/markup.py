"""Inline spans as HTML, for the page and for what Markdown leaves to HTML (subscripts)."""

from __future__ import annotations

import re
from html import escape

from pomgcheck.reporting.blocks import Code, Inline, Label, Link, Math, Number, Strong, Text, Verdict
from pomgcheck.reporting.text import MARKS, SHORT


def formula(math: Math) -> str:
    """A formula with its letters in italics (words and capitals of names stay upright)."""
    out = []
    for place, text in math.parts():
        letters = re.sub(r"[A-Za-zΑ-Ωα-ωℓ]+", lambda m: f"<var>{m.group()}</var>" if len(m.group()) == 1 else m.group(),
                         escape(text, quote=False))  # fmt: skip
        out.append(letters if place == "base" else f"<{place}>{letters}</{place}>")
    return "".join(out)


def html(inline: Inline) -> str:
    """A sentence as HTML."""
    out = []
    for span in inline:
        match span:
            case Math():
                out.append(f'<span class="math">{formula(span)}</span>')
            case Number(exact, relation, decimal):
                beside = f' <span class="decimal">{relation} {decimal}</span>' if relation else ""
                out.append(f'<span class="number">{escape(exact)}{beside}</span>')
            case Verdict(word):
                kind = word.replace(" ", "-")
                out.append(f'<span class="verdict {kind}"><span aria-hidden="true">{MARKS[word]}</span> {word}</span>')
            case Strong(text):
                out.append(f"<strong>{escape(text)}</strong>")
            case Code(text):
                out.append(f"<code>{escape(text)}</code>")
            case Label(text):
                kind = "label short" if len(text) <= SHORT else "label"
                out.append(f'<span class="{kind}">{escape(text)}</span>')
            case Link(text, anchor):
                out.append(f'<a href="#{escape(anchor)}">{escape(text)}</a>')
            case Text(text):
                out.append(escape(text, quote=False))
    return "".join(out)
