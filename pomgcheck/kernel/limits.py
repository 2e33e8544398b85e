"""How much a claim enumerates, counted from the model before anything is enumerated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from .budget import afford, spend
from .game import Game, Row, World
from .operators import MAX_SETS, Memory, Space, add
from .reading import require
from .rows import numbered
from .walk import STATE, alike

CAPS = {"coordinates": 10_000_000, "trajectories": 100_000_000}


def coordinates(game: Game, space: str) -> int:
    """Return |S| (|O_A||A|)^H (|O_B||B|)^H on the history space; |S| |O_A|^(w-1) |O_B|^(w-1) on the window space."""
    if space == "history":
        return int(len(game.S) * (len(game.OA) * len(game.A) * len(game.OB) * len(game.B)) ** game.H)
    kept = [min(window or 1, game.H) - 1 for window in (game.learner_window, game.adversary_window)]
    return int(len(game.S) * len(game.OA) ** kept[0] * len(game.OB) ** kept[1])


class Possible(NamedTuple):
    """This is what some of several worlds lets happen, against any adversary: ``shown[h][s]`` are observations of the
    learner, ``moves[h][s][a]`` next states."""

    shown: list[list[frozenset[int]]]
    moves: list[list[list[frozenset[int]]]]


def possible(game: Game, worlds: Sequence[World]) -> Possible:
    """Return what the worlds let happen, by step and state, over the different worlds."""
    shown, moves = [], []
    for h in range(game.H):
        emitted = {world.EA[h] for world in worlds}
        moved = {world.T[h] for world in worlds}
        shown.append([support(EA[s] for EA in emitted) for s in range(len(game.S))])
        moves.append(
            [[support(row for T in moved for row in T[s][a]) for a in range(len(game.A))] for s in range(len(game.S))]
        )
    return Possible(shown, moves)


def support(rows: Iterable[Row]) -> frozenset[int]:
    """Return the places at which some of the rows is not zero."""
    return frozenset(k for row in rows for k, chance in numbered(row) if chance)


def sequences(game: Game, may: Possible, p: int) -> Iterator[int]:
    """Yield the number of learner sequences of a policy, step by step, at most.

    They are told apart by the learner's memory and the states that they leave possible.
    """
    learner = Space(game, "history" if game.learner_window is None else "window")
    level: dict[tuple[Memory, frozenset[int]], int] = {((), support([game.rho0])): 1}
    for h in range(game.H):
        after: dict[tuple[Memory, frozenset[int]], int] = {}
        spend(10 * len(level) * len(game.OA), "the count of trajectories")
        for ((uA, states), count), o in product(level.items(), range(len(game.OA))):
            here = [s for s in states if o in may.shown[h][s]]
            for a, chance in enumerate(game.policies[p][h][learner.row(uA, o, True)]):
                if chance and here:
                    reached = frozenset().union(*(may.moves[h][s][a] for s in here))
                    add(after, (learner.next(uA, o, a, True), reached), count)
        if len(after) > MAX_SETS:
            every, level = frozenset().union(*(states for _, states in after)), {}
            for (uA, _), count in after.items():
                add(level, (uA, every), count)
        else:
            level = after
        yield sum(level.values())


def bound_trajectories(game: Game, worlds: Sequence[World], answers: int, limit: int) -> None:
    """Refuse a class in which one policy has more than ``limit`` learner sequences, or whose predictive states along
    all of them, for every world and each of ``answers`` responses, are over the budget, counted before any is played.
    """
    may, states = possible(game, worlds), 0
    for p in range(len(game.policies)):
        models = sum(isinstance(xi, tuple) for xi in set(alike(game, p).values())) or len(worlds) * answers
        for h, total in enumerate(sequences(game, may, p)):
            require(total <= limit, "options.limits", f"{total} trajectories by step {h + 1}", f"at most {limit}")
            states += total * models
            afford(STATE * states, f"{states} predictive states along trajectories")
