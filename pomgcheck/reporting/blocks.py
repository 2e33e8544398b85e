"""Has what a report is made of: blocks of sentences, written once and rendered as text, Markdown, HTML or LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pomgcheck.reporting.spans import Field, Inline, say, spans


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

    @classmethod
    def of(cls, sentence: str, **fields: Field) -> Paragraph:
        """Return a paragraph of what ``say`` makes of a sentence and its fields."""
        return cls(say(sentence, **fields))


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

    @classmethod
    def of(cls, caption: str, columns: Iterable[str], rows: Iterable[Iterable[Field]], **looks: Any) -> Table:
        """Return a table whose cells are given as the fields of a sentence are; ``looks`` are the entries after the
        rows."""
        return cls(caption, tuple(columns), tuple(tuple(map(spans, row)) for row in rows), **looks)


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
