"""Writes one world of a class as a Cassandra POMDP file, exactly; what such a file cannot say is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from pomgcheck.errors import InputError, counted
from pomgcheck.importers.statements import KEYWORDS
from pomgcheck.importers.words import decimal
from pomgcheck.kernel.game import Game, World
from pomgcheck.modelclass.fields import unknown
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.modelclass.parameters import show

RESERVED = {*KEYWORDS, "reward", "cost", "uniform", "identity", "reset", "include", "exclude"}
Table = Sequence[Sequence[Fraction]]
Kept = TypeVar("Kept")


def pomdp_text(model: ModelClass, world: Mapping[str, Fraction] | None = None, against: str | None = None) -> str:
    """Return the world at the parameter point ``world`` (the truth, or the only one, if left out) as ``.pomdp`` text.

    ``against`` is the action that the adversary always plays, where it has several.  A file shows nothing before its
    first move: a first step that shows everybody the same and brings nothing is left out, else a state ``before`` is
    put in front, whose move draws the first state.

    Raises ``InputError`` where the file could not say the same exactly.
    """
    game = model.game
    chosen = _world(game, world)
    return _text(model.name, game, chosen, _only(game, against))


def _world(game: Game, point: Mapping[str, Fraction] | None) -> World:
    if game.thetas is None:
        raise InputError("world", "an interval axis", "a class of finitely many worlds")
    if point is None:
        if game.truth is None and len(game.thetas) > 1:
            raise InputError("world", "no point and no truth", "the point of one world")
        point = game.truth[0] if game.truth is not None else game.thetas[0]
    for theta, found in zip(game.thetas, game.worlds, strict=True):
        if theta == dict(point):
            return found
    raise InputError("world", show(point) or "the empty point", f"a point of the class, such as {show(game.thetas[0])}")


def _only(game: Game, against: str | None) -> int:
    if against is None and len(game.B) > 1:
        raise InputError(
            "against",
            f"none, where the adversary has {len(game.B)} actions",
            f"the one that it always plays: {' or '.join(game.B)}",
        )
    if against is not None and against not in game.B:
        raise unknown(against, game.B, "against", "action")
    return game.B.index(against) if against is not None else 0


def _text(name: str, game: Game, world: World, b: int) -> str:
    silent = _silent_start(game, world)
    first = 1 if silent else 0  # the step whose observation comes first in the file
    if game.H < 2:
        raise InputError("game.horizon", "1", "at least 2 steps: a file shows what comes after a move")
    T = _same([[[row[b] for row in rows] for rows in table] for table in world.T[: game.H - 1]], "transition", 1)
    E = _same(list(world.EA[first:]), "learner_emission", first + 1)
    rewards, gamma = _discounted(game.reward[first:])
    states = [*game.S] if silent else [*game.S, "before"]
    S, A, O = _names(states), _names(game.A), _names(game.OA)
    moves, padding = (game.H - 1, []) if silent else (game.H, [Fraction(0)])
    lines = [f"# {_plain(name)}: one world, as a POMDP of {counted(moves, 'move')}"]
    lines += [
        f"# {written} is {_plain(label)}"
        for kind in ((S, states), (A, game.A), (O, game.OA))
        for written, label in zip(*kind, strict=True)
        if written != label
    ]
    lines += [
        f"discount: {_number(gamma, 'the discount')}",
        "values: reward",
        f"states: {' '.join(S)}",
        f"actions: {' '.join(A)}",
        f"observations: {' '.join(O)}",
    ]
    lines.append(f"start: {_row(game.rho0, 'the start', S)}" if silent else "start: before")
    for a, action in enumerate(A):
        for s, state in enumerate(S[: len(game.S)]):
            lines.append(f"T: {action} : {state}\n{_row([*T[s][a], *padding], f'T({action}, {state})', S)}")
        if not silent:
            lines.append(f"T: {action} : {S[-1]}\n{_row([*game.rho0, Fraction(0)], 'the start', S)}")
    for s, state in enumerate(S[: len(game.S)]):
        lines.append(f"O: * : {state}\n{_row(E[s], f'O({state})', O)}")
    if not silent:
        lines.append(f"O: * : {S[-1]}\nuniform")  # no move leads there
    for o, observation in enumerate(O):
        if rewards[o]:
            lines.append(f"R: * : * : * : {observation} {_number(rewards[o], f'the reward at {observation}')}")
    return "\n".join(lines) + "\n"


def _silent_start(game: Game, world: World) -> bool:
    """Return whether the first step shows the same everywhere and brings nothing."""
    starts = {world.EA[0][s] for s, p in enumerate(game.rho0) if p}
    row = next(iter(starts))
    return len(starts) == 1 and 1 in row and game.reward[0][row.index(Fraction(1))] == 0


def _same(tables: Sequence[Kept], what: str, first: int) -> Kept:
    for k, table in enumerate(tables):
        if table != tables[0]:
            found = f"other numbers at step {first + k} than at step {first}"
            raise InputError(what, found, "the same at every step, as in a POMDP file")
    return tables[0]


def _discounted(rows: Table) -> tuple[Sequence[Fraction], Fraction]:
    """Return the rewards of the first row, and the discount that makes the others of them."""
    ratios = {
        after / before
        for row, later in zip(rows, rows[1:], strict=False)
        for before, after in zip(row, later, strict=True)
        if before
    }
    gamma = next(iter(ratios), Fraction(1))
    for row, later in zip(rows, rows[1:], strict=False):
        if len(ratios) > 1 or gamma > 1 or tuple(gamma * r for r in row) != tuple(later):
            raise InputError(
                "reward", "rewards that change from step to step", "the same rewards at every step, or discounted ones"
            )
    return rows[0], gamma


def _row(row: Sequence[Fraction], where: str, labels: Sequence[str]) -> str:
    return " ".join(_number(value, f"{where}, {label}") for value, label in zip(row, labels, strict=True))


def _number(value: Fraction, where: str) -> str:
    text = decimal(value)
    if "/" in text:
        raise InputError(
            where, text, "a number with a finite decimal, as POMDP files have", "choose another point, or other numbers"
        )
    return text


def _names(labels: Sequence[str]) -> list[str]:
    """Return the names as every reader of such files takes them: a letter, then letters, digits, ``_`` and ``-``."""
    found: list[str] = []
    for label in labels:
        name = re.sub(r"[^A-Za-z0-9_-]+", "_", label).strip("_") or "x"
        name = name if name[0].isalpha() and name not in RESERVED else f"x{name}"
        wanted, k = name, 2
        while name in found:
            name, k = f"{wanted}_{k}", k + 1
        found.append(name)
    return found


def _plain(text: str) -> str:
    """Return a label as it stands in a comment: on one line."""
    return "".join(c if c.isprintable() else "?" for c in text)
