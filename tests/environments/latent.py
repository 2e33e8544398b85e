"""The law of an episode, path by path: every choice of state, observations and actions, with its exact chance and a
row of uniforms that leads to it.  Shares no code with `pomgcheck.arena`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from pomgcheck.kernel.game import Game, Table
from tests.learner.reference import adversary_row, learner_row


class Path(NamedTuple):
    """One latent path, and what each player sees and does on it."""

    chance: Fraction
    uniforms: list[float]
    learner: list[tuple[int, int]]
    adversary: list[tuple[int, int]]


def outcomes(row: Sequence[Fraction]) -> Iterator[tuple[int, Fraction, float]]:
    """Each possible outcome, its chance, and the uniform in the middle of its interval."""
    below = Fraction(0)
    for k, p in enumerate(row):
        if p:
            yield k, p, float(below + p / 2)
        below += p


def paths(game: Game, theta: int, policy: Table, response: Table) -> Iterator[Path]:
    """All latent paths of positive chance."""
    world = game.worlds[theta]

    def step(
        h: int, s: int, chance: Fraction, us: list[float], os: list[int], xs: list[int], a_: list[int], b_: list[int]
    ) -> Iterator[Path]:
        for o, p, u in outcomes(world.EA[h][s]):
            for x, q, v in outcomes(world.EB[h][s]):
                seen, read = [*os, o], [*xs, x]
                for a, r, w in outcomes(policy[h][learner_row(game, seen, a_)]):
                    for b, t, y in outcomes(response[h][adversary_row(game, read, b_)]):
                        here, row = chance * p * q * r * t, [*us, u, v, w, y]
                        acts, answers = [*a_, a], [*b_, b]
                        if h + 1 == game.H:
                            yield Path(
                                here, row, list(zip(seen, acts, strict=True)), list(zip(read, answers, strict=True))
                            )
                        else:
                            for after, z, i in outcomes(world.T[h][s][a][b]):
                                yield from step(h + 1, after, here * z, [*row, i], seen, read, acts, answers)

    for s, p, u in outcomes(game.rho0):
        yield from step(0, s, p, [u], [], [], [], [])


def frozen(game: Game, theta: int, phi: int) -> dict[str, Any]:
    """The document of one world and one response point, without parameters."""

    def texts(table: Any) -> Any:
        return str(table) if isinstance(table, Fraction) else [texts(entry) for entry in table]

    world, document = game.worlds[theta], game.document
    kernels = zip(("learner_emission", "adversary_emission", "transition"), world, strict=True)
    responses = {key: value for key, value in document["responses"].items() if key != "points"} | {
        "parameters": {},
        "table": {p: {"steps": texts(g)} for p, g in zip(game.policy_names, game.responses[phi], strict=True)},
    }
    if "blocks" in responses:
        responses["blocks"] = {
            " ".join(game.policy_names[p] for p in block): {"steps": texts(g)} for block, g in game.blocks[phi].items()
        }
    out: dict[str, Any] = document | {
        "worlds": {"parameters": {}, "initial": texts(game.rho0)} | {key: {"steps": texts(K)} for key, K in kernels},
        "responses": responses,
        "truth": {"worlds": {}, "responses": {}},
    }
    return out


class Planned:
    """A generator that gives the row it was given."""

    def __init__(self, row: Sequence[float]) -> None:
        self.row = np.array(row)

    def random(self, n: int) -> np.ndarray:
        """The row, which has the length asked for."""
        assert len(self.row) == n
        return self.row
