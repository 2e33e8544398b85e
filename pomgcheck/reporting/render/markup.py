"""Writes inline spans as HTML, and the formulas that Markdown leaves to HTML."""

from __future__ import annotations

import re
from html import escape

from pomgcheck.reporting.render.mathml import mathml, regrouped
from pomgcheck.reporting.render.text import MARKS, SHORT
from pomgcheck.reporting.spans import Code, Inline, Label, Link, Math, Number, Page, Strong, Text, VerdictMark

# blanks where no line ends: before a unit, in a product of two letters, and round a sign after a letter or in 1 − 2δ
TIED = re.compile(
    r"(?<=\d) (?=s\b)|(?<=\b1) (?=− 2δ)|(?<=\b1 −) (?=2δ)|(?<=\b[A-Z]) (?=T\b)|(?<=\b[A-Z]) (?==)|(?<=\b[A-Z] =) (?=\d)"
)
SPLIT = 16  # characters of a fraction that may break after its stroke


def formula(math: Math) -> str:
    """Return a formula for Markdown, which leaves subscripts to HTML."""
    tags = {"base": ("", ""), "sub": ("<sub>", "</sub>"), "sup": ("<sup>", "</sup>")}
    return "".join(escape(text, quote=False).join(tags[place]) for place, text in math.parts())


def html(inline: Inline) -> str:
    """Return a sentence as HTML."""
    out = []
    for span in regrouped(inline):
        match span:
            case Math():
                out.append(mathml(span))
            case Number(exact, relation, decimal):
                beside = f' <span class="decimal">{relation} {decimal}</span>' if relation else ""
                shown = escape(exact).replace("/", "/<wbr>") if len(exact) > SPLIT else escape(exact)
                out.append(f'<span class="number">{shown}{beside}</span>')
            case VerdictMark(word):
                kind = word.replace(" ", "-")
                out.append(f'<span class="verdict {kind}"><span aria-hidden="true">{MARKS[word]}</span> {word}</span>')
            case Strong(text):
                out.append(f"<strong>{escape(text)}</strong>")
            case Code(text):
                kind = ' class="short"' if len(text) <= SHORT else ""
                out.append(f"<code{kind}>{escape(text)}</code>")
            case Label(text):
                kind = "label short" if len(text) <= SHORT else "label"
                out.append(f'<span class="{kind}">{escape(text)}</span>')
            case Page(text, address):
                out.append(f'<a href="{escape(address)}"><code>{escape(text)}</code></a>')
            case Link(text, anchor):
                out.append(f'<a href="#{escape(anchor)}">{escape(text)}</a>')
            case Text(text):
                mark = re.match(r"[,;.:)]+", text)
                if mark and out and out[-1].endswith("</math>"):  # or a line might end between them
                    before, _, last = out[-1].rpartition("<math>")
                    out[-1] = f'{before}<span class="glued"><math>{last}{mark.group()}</span>'
                    text = text[mark.end() :]
                out.append(escape(TIED.sub("\xa0", text), quote=False))
    return "".join(out)
