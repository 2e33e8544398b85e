"""Has what a sentence of a report is made of: inline spans, which every renderer shows in its own way.

``say`` turns a sentence with named fields into spans, so that numbers, labels and formulas are written once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from string import Formatter


@dataclass(frozen=True)
class Text:
    """These are plain words."""

    text: str


@dataclass(frozen=True)
class Strong:
    """These are words that carry the weight of the sentence."""

    text: str


@dataclass(frozen=True)
class Code:
    """This is something to type, or an identifier."""

    text: str


@dataclass(frozen=True)
class Label:
    """This is a word of the model class: a state, an action, a policy, a parameter point."""

    text: str


@dataclass(frozen=True)
class Math:
    """This is a formula in unicode letters, with ``_x``/``_{xy}`` for subscripts and ``^x``/``^{xy}`` for superscripts."""

    source: str

    def parts(self) -> list[tuple[str, str]]:
        """Return pieces ``(place, text)`` in order, ``place`` one of "base", "sub", "sup"."""
        pieces: list[tuple[str, str]] = []
        for match in re.finditer(r"([_^])(?:\{([^{}]*)\}|(.))|([^_^]+)", self.source.replace("'", "′")):
            mark, braced, single, base = match.groups()
            place = {"_": "sub", "^": "sup", None: "base"}[mark]
            pieces.append((place, base or braced or single or ""))
        return pieces

    def plain(self) -> str:
        """Return the formula in one line of unicode: ``B₀``, ``c_KL``, ``W^θ``, ``J^{ξ,π}_h``."""
        digits = {"sub": str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"), "sup": str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")}
        shown = ""
        for place, text in self.parts():
            if place == "base":
                shown += text
            elif text.isdigit():
                shown += text.translate(digits[place])
            else:
                shown += "_^"[place == "sup"] + (text if re.fullmatch(r".|\w+[*′]?", text) else f"{{{text}}}")
        return shown


@dataclass(frozen=True)
class Number:
    """This is an exact number and its decimal: ``exact`` is the number as shown, ``relation`` is "=" or "≈" (empty: no
    decimal)."""

    exact: str
    relation: str = ""
    decimal: str = ""

    def plain(self) -> str:
        """Return the number in text, such as ``7/17 ≈ 0.411764``."""
        return f"{self.exact} {self.relation} {self.decimal}" if self.relation else self.exact


@dataclass(frozen=True)
class VerdictMark:
    """This is one of proved, refuted, vacuous, declared, unknown; or certified, not certified."""

    word: str


@dataclass(frozen=True)
class Link:
    """These words lead to a heading's anchor, where the page can do that."""

    text: str
    anchor: str


@dataclass(frozen=True)
class Page:
    """This is the name of a file that has a page of its own, and where that is, as a link from this page writes it."""

    text: str
    address: str


Span = Text | Strong | Code | Label | Math | Number | VerdictMark | Link | Page
Inline = tuple[Span, ...]
Field = str | Span | Inline
NOTHING: Inline = (Text("–"),)  # a cell with nothing to say


def spans(value: Field) -> Inline:
    """Return a field of a sentence as spans; a string is plain words."""
    if isinstance(value, str):
        return (Text(value),)
    return value if isinstance(value, tuple) else (value,)


def say(sentence: str, **fields: Field) -> Inline:
    """Return the spans of ``sentence``: ``{name}`` is a field, ``$…$`` a formula, a pair of backticks holds code."""
    out: list[Span] = []
    for words, name, _, _ in Formatter().parse(sentence):
        for piece in re.split(r"(\$[^$]+\$|`[^`]+`)", words):
            if piece.startswith("$"):
                out.append(Math(piece[1:-1]))
            elif piece.startswith("`"):
                out.append(Code(piece[1:-1]))
            elif piece:
                out.append(Text(piece))
        if name is not None:
            out.extend(spans(fields[name]))
    return tuple(out)


def listed(items: Iterable[Field], last: str = "and", comma: str = ", ") -> Inline:
    """Return ``a``, ``a and b`` or ``a, b and c``; with ``last`` empty there are commas throughout.

    Items that have commas of their own are told apart by another ``comma``.
    """
    parts = [spans(item) for item in items]
    out: list[Span] = []
    for k, part in enumerate(parts):
        if k:
            out.append(Text(f" {last} " if last and k == len(parts) - 1 else comma))
        out.extend(part)
    return tuple(out)


def joined(*sentences: Inline) -> Inline:
    """Return sentences in a row with a blank between them; empty ones are left out."""
    out: list[Span] = []
    for sentence in filter(None, sentences):
        out.extend(((Text(" "),) if out else ()) + sentence)
    return tuple(out)
