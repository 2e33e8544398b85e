"""Writes formulas as Presentation MathML, from the one notation that every renderer reads (``spans.Math``).

Browsers break no line inside a ``<math>`` element, so a formula too long for a narrow page becomes several, cut at
blanks outside brackets.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from pomgcheck.reporting.spans import Inline, Math, Span, Text

LONGEST = 24  # characters of a formula that is never cut
CAPITALS = "ΓΔΘΛΞΠΣΦΨΩ"  # upright, as the field prints them
TOKEN = re.compile(
    r"(?P<blank>\s+)|(?P<script>[_^](?:\{[^{}]*\}|.))|(?P<number>\d+(?:[.,]\d+)*)|(?P<word>[A-Za-z]{2,}(?:-[a-z]+)*)"
    r"|(?P<letter>[^\W\d_]|[∞♯])|(?P<raised>′+|\*)|(?P<open>[(\[{⌈])|(?P<close>[)\]}⌉])|(?P<bar>[|‖])|(?P<root>√)|(?P<sign>.)"
)
CONNECTS = re.compile(r"\s*[=≤≥≠−/|…]?\s*")
BOUNDED = re.compile(r"\s*[=≤≥≠>]\s*\d+(?:[/.]\d+)*(?![\d(])")
Token = tuple[str, str]  # kind, text


def tokens(source: str) -> list[Token]:
    """Return the tokens of a formula; a bar with blanks on both sides is a sign between two things."""
    found = [(match.lastgroup or "", match.group()) for match in TOKEN.finditer(source.replace("'", "′"))]
    return [
        ("sign", text)
        if kind == "bar" and 0 < k < len(found) - 1 and found[k - 1][0] == found[k + 1][0] == "blank"
        else (kind, text)
        for k, (kind, text) in enumerate(found)
    ]


def chunks(source: str) -> Iterator[list[Token]]:
    """Yield the formula in pieces that a line may end between, a sign kept with what follows it; a short one stays
    whole.

    It is cut at blanks outside brackets, and what is still long at blanks inside one pair of them.
    """
    for piece in cut(tokens(source), 0) if len(source) > LONGEST else [tokens(source)]:
        pieces = cut(piece, 1) if sum(len(text) for _, text in piece) > LONGEST else [piece]
        yield from ([token for token in part if token[0] != "blank"] for part in pieces)


def cut(found: list[Token], deepest: int) -> Iterator[list[Token]]:
    """Return the tokens in pieces, cut at blanks inside no more than ``deepest`` brackets."""
    piece: list[Token] = []
    depth, inside = 0, 0  # brackets that are open, bars that are
    for kind, text in found:
        depth += {"open": 1, "close": -1}.get(kind, 0)
        inside ^= kind == "bar"
        if kind == "blank" and depth <= deepest and not inside and [k for k, _ in piece] not in ([], ["sign"]):
            yield piece
            piece = []
        else:
            piece.append((kind, text))
    yield piece


def mathml(math: Math) -> str:
    """Return the formula as ``<math>``, or as several in a row where it is long."""
    return " ".join(f"<math>{row(piece)}</math>" for piece in chunks(math.source))


def row(found: list[Token]) -> str:
    """Return tokens side by side, each with its scripts."""
    ahead, out = list(found), []
    while ahead:
        word = ahead[0][0] == "word"
        base, scripts = atom(ahead), {"_": "", "^": ""}
        while ahead and ahead[0][0] in ("script", "raised"):
            kind, text = ahead.pop(0)
            if kind == "raised":
                scripts["^"] += f"<mo>{text}</mo>"
            else:
                scripts[text[0]] += row(tokens(text[1:].strip("{}")))
        out.append(scripted(base, *(f"<mrow>{scripts[place]}</mrow>" if scripts[place] else "" for place in "_^")))
        if word and ahead and ahead[0][0] in ("letter", "number", "word"):
            out.append('<mspace width="0.17em"/>')
    return "".join(out)


def scripted(base: str, below: str, above: str) -> str:
    """Return a base with what stands below and above it."""
    kind = {(True, True): "msubsup", (True, False): "msub", (False, True): "msup"}.get((bool(below), bool(above)))
    return f"<{kind}>{base}{below}{above}</{kind}>" if kind else base


def atom(ahead: list[Token]) -> str:
    """Return the first token as an element; a root takes its operand along: a bracket whole, or one token."""
    kind, text = ahead.pop(0)
    if kind == "root":
        return f"<msqrt>{row(operand(ahead))}</msqrt>"
    if kind == "number":
        return f"<mn>{text}</mn>"
    if kind == "letter" and text in CAPITALS:
        return f'<mi mathvariant="normal">{text}</mi>'
    if kind in ("letter", "word"):
        return f"<mi>{text}</mi>" if "-" not in text else f"<mtext>{text}</mtext>"
    if kind in ("open", "close", "bar"):
        return f'<mo stretchy="false" lspace="0" rspace="0">{text}</mo>'
    if text in ",;:/":
        return f'<mo lspace="0" rspace="{"0.2em" if text in ",;" else "0"}">{text}</mo>'
    return f"<mo>{escape(text.replace('-', '−'))}</mo>"


def operand(ahead: list[Token]) -> list[Token]:
    """Return the tokens under a root, without its bracket."""
    if not ahead or ahead[0][0] != "open":
        return [ahead.pop(0)] if ahead else []
    depth, inner = 0, []
    while ahead:
        token = ahead.pop(0)
        depth += {"open": 1, "close": -1}.get(token[0], 0)
        inner.append(token)
        if not depth:
            break
    return inner[1:-1]


def regrouped(inline: Inline) -> Inline:
    """Return a sentence whose formulas are whole: neighbours with only a sign between them are one, a number that
    bounds one belongs to it, and none ends in the sentence's punctuation."""
    apart: list[Span] = []
    for span in inline:
        end = re.search(r"[,;.]+$", span.source) if isinstance(span, Math) else None
        if isinstance(span, Math) and end:
            apart += [Math(span.source[: end.start()]), Text(end.group())]
        elif apart and isinstance(span, Text) and isinstance(apart[-1], Text):
            apart[-1] = Text(apart[-1].text + span.text)
        elif apart and isinstance(span, Text) and isinstance(apart[-1], Math) and (bound := BOUNDED.match(span.text)):
            apart[-1:] = [Math(apart[-1].source + bound.group()), Text(span.text[bound.end() :])]
        else:
            apart.append(span)
    out: list[Span] = []
    for span in apart:
        *_, before, between = (None, None, *out)
        if isinstance(span, Math) and isinstance(between, Math):
            out[-1:] = [Math(between.source + span.source)]
        elif (
            isinstance(span, Math)
            and isinstance(before, Math)
            and isinstance(between, Text)
            and CONNECTS.fullmatch(between.text)
        ):
            out[-2:] = [Math(before.source + between.text + span.source)]
        else:
            out.append(span)
    return tuple(out)
