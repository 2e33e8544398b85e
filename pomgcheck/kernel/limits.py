"""How much a claim enumerates, counted from the model before anything is enumerated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

from .game import Game, World, require
from .operators import Space, add
from .play import alike

CAPS = {"coordinates": 10_000_000, "trajectories": 100_000_000}
MAX_SETS = 1000  # of possible states, kept apart by histories; beyond them one set of all is kept


def coordinates(game: Game, space: str) -> int:
    """|S| (|O_A||A|)^H (|O_B||B|)^H on the history space; |S| |O_A|^(w-1) |O_B|^(w-1) on the window space."""
    if space == "history":
        return int(len(game.S) * (len(game.OA) * len(game.A) * len(game.OB) * len(game.B)) ** game.H)
    kept = [min(window or 1, game.H) - 1 for window in (game.learner_window, game.adversary_window)]
    return int(len(game.S) * len(game.OA) ** kept[0] * len(game.OB) ** kept[1])


def sequences(game: Game, worlds: Sequence[World], p: int) -> Iterator[int]:
    """The number of learner sequences of a policy, step by step, at most."""
    learner = Space(game, "history" if game.learner_window is None else "window")
    level: dict[Any, int] = {(): 1}
    for h in range(game.H):
        seen = [o for o in range(len(game.OA)) if any(row[o] for world in worlds for row in world.EA[h])]
        after: dict[Any, int] = {}
        for (uA, count), o in product(level.items(), seen):
            for a, chance in enumerate(game.policies[p][h][learner.row(uA, o, True)]):
                if chance:
                    add(after, learner.next(uA, o, a, True), count)
        level = after
        yield sum(level.values())


def bound_trajectories(game: Game, worlds: Sequence[World], limit: int) -> None:
    """Refuse a class in which one policy has more than ``limit`` learner sequences, counted before any is played."""
    for p in range(len(game.policies)):
        for h, total in enumerate(sequences(game, worlds, p)):
            require(total <= limit, "options.limits", f"{total} trajectories by step {h + 1}", f"at most {limit}")


def comparisons(game: Game) -> int:
    """How many pairs of models are compared along how many trajectories, over all policies; models that are the same
    under a policy count once there."""
    models = [len(set(alike(game, p).values()) - set(range(len(game.worlds)))) for p in range(len(game.policies))]
    return sum(n**2 * max(sequences(game, game.worlds, p)) for p, n in enumerate(models))


def latent_paths(game: Game) -> int:
    """How many masses of latent paths the OOM identity follows, told apart by learner sequence, state and adversary
    history, over all worlds and response tables; at most.  Learner actions that move every state alike count once."""
    tables = len({table for response in game.responses for table in response})
    states, count = range(len(game.S)), 0
    for world in set(game.worlds):
        here, most = {s: 1 for s in states if game.rho0[s]}, 1
        for EA, EB, T in zip(world.EA, world.EB, world.T, strict=True):
            count += tables * sum(here.values())
            after: dict[int, int] = {}
            for a in {tuple(rows[a] for rows in T): a for a in range(len(game.A))}.values():
                for s, b, s_next in product(here, range(len(game.B)), states):
                    if T[s][a][b][s_next]:
                        add(after, s_next, here[s] * sum(map(bool, EA[s])) * sum(map(bool, EB[s])))
            most *= len(game.OA) * len(game.A) * len(game.OB) * len(game.B)
            here = {s: min(paths, most) for s, paths in after.items()}
    return count


def adversary_histories(game: Game) -> int:
    """How many decision histories tau_B the reference posteriors are kept for, over all worlds and policies, and the
    most masses one step of them takes; at most.  Histories are told apart by the states they leave possible."""
    window, rows, masses = game.learner_window, 0, 0
    A, B, O = len(game.A), len(game.B), len(game.OA)
    for world in game.worlds:
        level: dict[frozenset[int], int] = {frozenset(s for s, p in enumerate(game.rho0) if p): 1}
        for h in range(game.H):
            memories = (O * A) ** h if window is None else O ** min(window - 1, h)
            masses = max(masses, len(game.S) * memories * sum(level.values()))
            heard: dict[frozenset[int], int] = {}
            for states, count in level.items():
                for o in range(len(game.OB)):
                    add(heard, frozenset(s for s in states if world.EB[h][s][o]), count)
            heard.pop(frozenset(), None)
            rows += len(game.policies) * sum(heard.values())
            after: dict[frozenset[int], int] = {}
            for states, count in heard.items():
                for b in range(B):
                    reached = (t for s in states for row in world.T[h][s] for t, p in enumerate(row[b]) if p)
                    add(after, frozenset(reached), count)
            level = after if len(after) <= MAX_SETS else {frozenset().union(*after): sum(after.values())}
    return rows + masses


class Enumerated(NamedTuple):
    """What a claim enumerates besides trajectories: how it is counted, its name, how many are let a trajectory."""

    count: Callable[[Game], int]
    what: str
    each: int


PAIRS = Enumerated(comparisons, "comparisons of two models along a trajectory", 10)
HISTORIES = {
    "oom-identity": Enumerated(latent_paths, "latent paths", 10),
    "posterior-lipschitz": Enumerated(adversary_histories, "adversary histories", 1),
    **dict.fromkeys(("kl-joint", "kl-world", "eluder-world", "eluder-adversary"), PAIRS),
}
