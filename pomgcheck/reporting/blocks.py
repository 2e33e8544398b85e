"""Has what a report is made of: blocks of inline spans, written once and rendered as text, Markdown or HTML.

Standard library only. ``say`` turns a sentence with named fields into spans, so that a sentence is written
in one place and every renderer shows its numbers, labels and formulas in its own way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter

# ------------------------------------------------------------------------------------------ spans


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
class Verdict:
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


Span = Text | Strong | Code | Label | Math | Number | Verdict | Link | Page
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


# ----------------------------------------------------------------------------------------- blocks


@dataclass(frozen=True)
class Heading:
    """A heading has a ``level`` from 1 to 4, and an ``anchor`` that others may link to.

    What stands under a heading that ``folds`` can be opened and closed where the page can do that, and is "open" or
    "closed" at first; ``aside`` is then shown beside it, and says what the blocks under it say too.
    """

    level: int
    text: Inline
    anchor: str = ""
    folds: str = ""
    aside: Inline = ()


@dataclass(frozen=True)
class Paragraph:
    """A paragraph has a ``role``: "", "note" (an aside), "certified" / "not certified" (the verdict of the whole), or
    what is claimed under a claim's heading ("claim") and the beginning of what shows or refutes it ("proof")."""

    text: Inline
    role: str = ""


@dataclass(frozen=True)
class Items:
    """This is a list of sentences, numbered if they are steps."""

    items: tuple[Inline, ...]
    numbered: bool = False


@dataclass(frozen=True)
class Table:
    """A table has column titles and rows of cells, where the first cell of a row is its header.

    A ``dense`` table has many short columns, and a narrow page scrolls it sideways rather than stacking its cells; a
    ``folded`` one is behind its caption until that is opened; the rows of a ``sortable`` one may stand in any order,
    and those of one with ``filters``, names of columns, may be chosen by what stands in them, parts of a cell after
    commas.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Inline, ...], ...]
    dense: bool = False
    folded: bool = False
    sortable: bool = False
    filters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listing:
    """These are lines to type or to read as they are."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Branch:
    """A node of a game tree says whose move it is ("chance", "learner" or "adversary"; "" for a title), what happens,
    its probability in each column given what is above it ("–" where that cannot happen), whether the columns disagree
    on it, and what may follow."""

    mover: str
    words: str
    chances: tuple[str, ...] = ()
    differs: bool = False
    then: tuple[Branch, ...] = ()


@dataclass(frozen=True)
class Tree(Listing):
    """A small game tree has the columns of its probabilities by letter, its branches, and what a reader who cannot see
    it should know; its ``lines`` are the same as an outline."""

    columns: tuple[tuple[str, str], ...]
    branches: tuple[Branch, ...]
    description: str


def tree(columns: tuple[tuple[str, str], ...], branches: tuple[Branch, ...], description: str) -> Tree:
    """Return the tree with its outline: a node per line, indented below what it follows, its probabilities beside it."""
    nodes = list(walk(branches))
    left = max(2 * depth + len(node.words) for depth, node in nodes) + 2
    sizes = [
        max(len(letter), *(len(node.chances[k]) for _, node in nodes if node.chances))
        for k, (letter, _) in enumerate(columns)
    ]

    def line(words: str, chances: Iterable[str], mark: str = "") -> str:
        cells = "  ".join(chance.ljust(size) for chance, size in zip(chances, sizes, strict=False))
        return f"{words.ljust(left)}{cells}{mark}".rstrip()

    lines = (line("  " * depth + node.words, node.chances, "  ≠" * node.differs) for depth, node in nodes)
    heads = tuple(f"{letter}: {what}" for letter, what in columns)
    return Tree((*heads, line("", (letter for letter, _ in columns)), *lines), columns, branches, description)


def walk(branches: Iterable[Branch], depth: int = 0) -> Iterable[tuple[int, Branch]]:
    """Return every node with its depth, each before what follows it."""
    for branch in branches:
        yield depth, branch
        yield from walk(branch.then, depth + 1)


@dataclass(frozen=True)
class Stop:
    """This is a place of a drawing that can be asked for its values: it has the left, top, width and height of where it
    is asked, in the drawing's units, what it says, and the spots that it is about."""

    box: tuple[float, float, float, float]
    words: str
    spots: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True)
class Figure:
    """A drawing has SVG source, a caption, what a reader who cannot see it should know, a file stem, and its stops."""

    svg: str
    caption: Inline
    description: str
    stem: str
    stops: tuple[Stop, ...] = ()


Block = Heading | Paragraph | Items | Table | Listing | Figure


@dataclass(frozen=True)
class Picture:
    """A drawing of a page alone has its name, SVG source that says in its title what it shows, and a caption."""

    name: str
    svg: str
    caption: Inline


@dataclass(frozen=True)
class Glance:
    """This is what a page shows before its sections, and says again in them: the claims (number, id, verdict), and
    pictures."""

    verdicts: tuple[tuple[str, str, str], ...]
    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Document:
    """This is a whole report: it has a title, the digests that it is stamped with, its blocks, and what a page shows
    before the first section of them."""

    title: str
    stamp: Mapping[str, str] = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()
    glance: Glance | None = None
