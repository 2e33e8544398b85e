"""Writes the operators W, G and J of a class as tables: those that its document gives, or those that its kernels make.

Tables have a line per entry of the longer side: matrices of different steps, policies and learner pairs stand below each
other, equal ones once, and lines of zeros are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, product
from typing import Any, NamedTuple

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operator_section import OperatorSection
from pomgcheck.kernel.operators import G, J, Space, W, pure_states
from pomgcheck.kernel.parameters import parameter_points
from pomgcheck.kernel.polynomials import TooLarge, polynomial, variable
from pomgcheck.kernel.reading import Malformed
from pomgcheck.outline import SideOutline
from pomgcheck.reporting import kernels
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.evaluation import game_at
from pomgcheck.reporting.spans import Field, Inline, Label, Math

Document = Mapping[str, Any]
MOST_ROWS = 48  # of one table
MOST_COLUMNS = 8
MOST_ENTRIES = 4096  # of all matrices of an operator that are looked at
LONGEST = 40  # characters of an entry
ZERO: Inline = (Math("0"),)
ANY = "any"


class Matrix(NamedTuple):
    """A matrix has the labels of its rows and columns, and the entries to read."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    entries: tuple[tuple[Inline, ...], ...]


class Operator(NamedTuple):
    """An operator has ``tables[policy][h][o][a]``; the policy is "" where the operator does not know it."""

    symbol: str
    what: str
    tables: Mapping[str, Sequence[Sequence[Sequence[Matrix]]]]


WORDS = {"W": "the world channel", "G": "the adversary aggregation", "J": "the forward operator"}


def tables(document: Document, space: str) -> list[Block]:
    """Return W, G and J; for a class too large for that, return how many entries they have."""
    own = "operators" in document
    try:
        game = Game(document) if own else at_a_point(document)
        section = OperatorSection(game) if own else None
        sizes = given_sizes(section) if section else made_sizes(game, Space(game, space))
        if any(sum(size * count for size, count in parts) > MOST_ENTRIES for parts in sizes.values()):
            return [counted(sizes, own)]
        found = list(given(document, section) if section else made(document, game, Space(game, space)))
    except (Malformed, TooLarge, ZeroDivisionError):
        return []
    out: list[Block] = []
    for operator in found:
        out += shown(operator, game)
    return out or [counted(sizes, own)]


def at_a_point(document: Document) -> Game:
    """Return the game with one world and one response, for its spaces and policies."""
    points = []
    for side in ("worlds", "responses"):
        axes = document[side].get("parameters", {})
        every = parameter_points(document[side], side)
        points.append(
            dict(every[0])
            if every
            else {name: axis["interval"][0] if "interval" in axis else axis["values"][0] for name, axis in axes.items()}
        )
    theta, Phi = ({name: str(value) for name, value in point.items()} for point in points)
    return game_at(document, [theta], [Phi])


# -------------------------------------------------------------------------------------- sizes


Sizes = dict[str, list[tuple[int, int]]]  # operator -> (entries of a matrix, how many there are), step by step


def given_sizes(section: OperatorSection) -> Sizes:
    """Return the sizes of a document's own matrices."""
    game = section.game
    pairs, policies = len(game.OA) * len(game.A), len(game.policies)
    steps = list(zip(section.channel, section.coordinates[:-1], section.coordinates[1:], strict=True))
    return {
        "W": [(len(v) * len(s), pairs) for v, s, _ in steps],
        "G": [(len(t) * len(v), pairs * policies) for v, _, t in steps],
        "J": [(len(t) * len(s), pairs * policies) for _, s, t in steps],
    }


def made_sizes(game: Game, space: Space) -> Sizes:
    """Return the sizes of the matrices that kernels make."""
    pairs, policies, decisions = len(game.OA) * len(game.A), len(game.policies), len(game.OB) * len(game.B)
    memories = [memory_count(game, space, h) for h in range(game.H + 1)]
    n = [len(game.S) * count for count in memories]
    return {
        "W": [(n[h] * decisions * n[h], pairs) for h in range(game.H)],
        "G": [(n[h + 1] * n[h] * decisions, policies) for h in range(game.H)],
        "J": [(n[h + 1] * n[h], pairs * policies) for h in range(game.H)],
    }


def memory_count(game: Game, space: Space, h: int) -> int:
    """Return how many memories the adversary may have at a step."""
    if space.history:
        return int((len(game.OB) * len(game.B)) ** h)
    return int(len(game.OB) ** min((game.adversary_window or 1) - 1, h))


def counted(sizes: Sizes, own: bool) -> Block:
    """Return a sentence in place of the matrices."""
    w, g, j = (sum(size * count for size, count in sizes[name]) for name in "WGJ")
    where = "They are in the document." if own else "They follow from the tables of the class by their definitions."
    return Paragraph.of(
        "The operators are too large to be written out: over all steps, learner pairs and policies "
        "$W$ has {w} entries, $G$ {g} and $J$ {j}. {where}",
        w=f"{w:,}",
        g=f"{g:,}",
        j=f"{j:,}",
        where=where,
    )


# ----------------------------------------------------------------------------------- matrices


def given(document: Document, section: OperatorSection) -> Iterator[Operator]:
    """Return the matrices of the document."""
    names = [*SideOutline.of(document["worlds"]).names, *SideOutline.of(document["responses"]).names]
    before, after, channel = section.coordinates[:-1], section.coordinates[1:], section.channel

    def read(texts: Any, rows: Any, columns: Any) -> list[Any]:
        return [
            [
                [Matrix(v, s, tuple(tuple(kernels.entry(x, names) for x in row) for row in table)) for table in tables_]
                for tables_ in step
            ]
            for step, v, s in zip(texts, rows, columns, strict=True)
        ]

    policies = section.game.policy_names
    yield Operator("W", WORDS["W"], {"": read(section.texts.W, channel, before)})
    for symbol, texts, columns in (("G", section.texts.G, channel), ("J", section.texts.J, before)):
        by_policy = {p: read(part, after, columns) for p, part in zip(policies, texts, strict=True)}
        yield Operator(symbol, WORDS[symbol], by_policy)


def made(document: Document, game: Game, space: Space) -> Iterator[Operator]:
    """Return the matrices that the kernels make, in the parameters of the class."""
    shared = {*SideOutline.of(document["worlds"]).names} & {*SideOutline.of(document["responses"]).names}

    def unknown(part: Document, letter: str) -> Any:
        return {name: variable(f"{name}_{letter}" if name in shared else name) for name in SideOutline.of(part).names}

    world = game.world_tables(document["worlds"], unknown(document["worlds"], "θ"))
    answers = game.response_tables(unknown(document["responses"], "Φ"))
    steps, O, A = range(game.H), range(len(game.OA)), range(len(game.A))
    states = [pure_states(space, h) for h in range(game.H + 1)]
    channel = [
        [(s, uB, oB, b) for (s, uB), oB, b in product(states[h], range(len(game.OB)), range(len(game.B)))]
        for h in steps
    ]

    def memory(uB: Sequence[int]) -> str:
        labels = [(game.B if space.history and k % 2 else game.OB)[x] for k, x in enumerate(uB)]
        return f" after {', '.join(labels)}" if labels else ""

    def state(key: Any) -> str:
        return f"{game.S[key[0]]}{memory(key[1])}"

    def decision(key: Any) -> str:
        return f"{state(key)}, {game.OB[key[2]]}/{game.B[key[3]]}"

    def matrix(rows: Sequence[Any], columns: Sequence[Any], image: Any, named: Any) -> Matrix:
        found = [image({key: 1}) for key in columns]
        of_row, of_column = named
        return Matrix(
            tuple(map(of_row, rows)),
            tuple(map(of_column, columns)),
            tuple(tuple(entry(column.get(row, 0)) for column in found) for row in rows),
        )

    def every(rows: Any, image: Any, named: Any, columns: Any) -> list[Any]:
        return [
            [[matrix(rows[h], columns[h], lambda q: image(h, o, a, q), named) for a in A] for o in O]  # noqa: B023
            for h in steps
        ]

    by_policy = list(zip(game.policy_names, answers, strict=True))
    W_ = every(channel, lambda h, o, a, q: W(world, h, o, a, q), (decision, state), states[:-1])
    G_ = {
        pi: every(states[1:], lambda h, o, a, u, g=g: G(space, g, h, u), (state, decision), channel)
        for pi, g in by_policy
    }
    J_ = {
        pi: every(states[1:], lambda h, o, a, q, g=g: J(space, world, g, h, o, a, q), (state, state), states[:-1])
        for pi, g in by_policy
    }
    for symbol, tables in (("W", {"": W_}), ("G", G_), ("J", J_)):
        yield Operator(symbol, WORDS[symbol], tables)


def entry(value: Any) -> Inline:
    """Return a polynomial to read."""
    p = polynomial(value)
    if kernels.divided(p):
        raise ZeroDivisionError  # quotients are shown in the tables of the class as they stand there
    shown = kernels.formula(p)
    return (Math(shown),) if len(shown) <= LONGEST else (Label(f"{len(p)} terms"),)


# ------------------------------------------------------------------------------------- tables


def shown(operator: Operator, game: Game) -> list[Block]:
    """Return one table for all matrices with the same columns, or nothing where it is too long."""
    found: dict[tuple[bool, tuple[str, ...]], list[tuple[tuple[str, str, str], Matrix]]] = {}
    for policy, steps in together(operator.tables).items():
        for when, step in grouped(steps):
            for pair, matrix in pairs(step, game):
                upright = len(matrix.columns) <= len(matrix.rows)
                key = upright, matrix.columns if upright else matrix.rows
                found.setdefault(key, []).append(((policy, when, pair), matrix))
    out: list[Block] = []
    for (upright, across), parts in found.items():
        steps_ = {when for (_, when, _), _ in parts}
        by_policy, by_step = any(policy for (policy, _, _), _ in parts), len(steps_) > 1
        kept = (by_policy, by_step, True, True)  # the columns before the entries
        heads = compress(("Policy", "Step", "Seen/played", "To" if upright else "From"), kept)
        rows = [
            (*compress((place(policy), place(when), place(pair or ANY), place(name)), kept), *cells)
            for (policy, when, pair), matrix in parts
            for name, cells in lines(matrix, upright)
        ]
        (when, *_) = steps_
        what = operator.what + (f", {'steps' if ',' in when else 'step'} {when}" if when and not by_step else "")
        if len(rows) > MOST_ROWS or len(across) > MOST_COLUMNS:
            sentence = "{x}, {what}, takes {n} lines of {m} entries, too many to be written out."
            size = {"n": str(len(rows)), "m": str(len(across))}
            out.append(Paragraph.of(sentence, x=Math(operator.symbol), what=what, **size))
            continue
        columns = (*heads, *(f"{'from' if upright else 'to'} {name}" for name in across))
        out.append(Table.of(f"{operator.symbol}, {what}", columns, rows, folded=True))
    return out


def together(tables_: Mapping[str, Any]) -> dict[str, Any]:
    """Return policies, or steps, with the same matrices as one."""
    found: list[tuple[list[str], Any]] = []
    for name, table in tables_.items():
        same = next((names for names, other in found if other == table), None)
        if same is None:
            found.append(([name], table))
        else:
            same.append(name)
    return {", ".join(names): table for names, table in found}


def place(word: str) -> Field:
    """Return a word of the model, or a word for all of them."""
    return word if word == ANY else Label(word)


def grouped(steps: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return different matrices with the steps they hold at; there are no words where they are the same at all."""
    found = together({str(h): step for h, step in enumerate(steps, 1)})
    return [("" if len(found) == 1 else when, step) for when, step in found.items()]


def pairs(step: Sequence[Sequence[Matrix]], game: Game) -> list[tuple[str, Matrix]]:
    """Return the matrices of a step by what the learner sees and plays, as far as they depend on it."""
    if all(matrix == step[0][0] for row in step for matrix in row):
        return [("", step[0][0])]
    if all(row == step[0] for row in step):
        return [(f"any/{a}", matrix) for a, matrix in zip(game.A, step[0], strict=True)]
    if all(matrix == row[0] for row in step for matrix in row):
        return [(f"{o}/any", row[0]) for o, row in zip(game.OA, step, strict=True)]
    return [
        (f"{o}/{a}", matrix)
        for o, row in zip(game.OA, step, strict=True)
        for a, matrix in zip(game.A, row, strict=True)
    ]


def lines(matrix: Matrix, upright: bool) -> Iterator[tuple[str, tuple[Inline, ...]]]:
    """Yield its rows, or its columns where there are fewer of them, without those that are zero."""
    names = matrix.rows if upright else matrix.columns
    cells = matrix.entries if upright else tuple(zip(*matrix.entries, strict=True))
    yield from ((name, row) for name, row in zip(names, cells, strict=True) if any(cell != ZERO for cell in row))
