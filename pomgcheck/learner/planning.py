"""Computes exact values V^pi(xi), and makes the optimistic choice of policy and model among them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pomgcheck.arena.windows import contexts, following
from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.game import Game, Table
from pomgcheck.learner.columns import ClassTables, Columns, Exact, WorldColumns, columns

Ties = Literal["first", "fresh-first"]
AT_ONCE = 2**20  # entries of the forward law held at a time
MOST = 2**26  # entries of the forward law of one model


class PolicyValues(NamedTuple):
    """These are V^pi(xi) for every policy and model (policies, models), as numerators over one denominator, and their
    order."""

    numerators: Exact
    denominator: int
    rank: NDArray[np.int64]

    def exact(self, policy: int, model: int) -> Fraction:
        """Return V^pi(xi)."""
        return Fraction(int(self.numerators[policy, model]), self.denominator)


def all_values(tables: ClassTables) -> PolicyValues:
    """Return V^pi(xi) of the whole class against the stationary responses."""
    worlds = tables.worlds.models(tables.theta_of)
    rows = [
        forward(tables, worlds, policy, response.models(tables.phi_of))
        for policy, response in zip(tables.policies, tables.responses, strict=True)
    ]
    numerators = np.stack([numerators for numerators, _ in rows])
    rank = np.unique(numerators, return_inverse=True)[1].reshape(numerators.shape)
    return PolicyValues(numerators, rows[0][1], rank)


def values_against(tables: ClassTables, theta: int, policy: Columns, responses: Sequence[Table]) -> list[Fraction]:
    """Return V^pi(g) in the world theta for each of the given responses g; the policy need not be of the class."""
    worlds = tables.worlds.models(np.full(len(responses), theta))
    numerators, denominator = forward(tables, worlds, policy, columns(responses))
    return [Fraction(int(numerator), denominator) for numerator in numerators]


def choose(values: PolicyValues, inside: NDArray[np.bool_], fresh: NDArray[np.bool_], ties: Ties) -> tuple[int, int]:
    """Return the policy and model (pi, xi) of largest value over Pi x {xi inside}.

    Ties: ``first`` takes the lower policy index, then the lower model index; ``fresh-first`` (Proposition D.5) a
    policy that is ``fresh`` (not played yet), then the larger policy index, then the larger model index.
    """
    rank = np.where(inside, values.rank, -1)
    tied = np.argwhere(rank == rank.max())
    if ties == "first":
        policy, model = tied[0]
    else:
        unplayed = tied[fresh[tied[:, 0]]]
        policy, model = (unplayed if len(unplayed) else tied)[-1]
    return int(policy), int(model)


def forward(tables: ClassTables, worlds: WorldColumns, policy: Columns, response: Columns) -> tuple[Exact, int]:
    """Return sum_h E r_h(o^A_h), one column per model, by the exact law of (s, learner's context, adversary's
    context)."""
    game = tables.game
    count = worlds.EA.steps[0].shape[-1]
    size = (
        len(game.S)
        * len(game.A)
        * len(game.B)
        * max(
            contexts(game.learner_window, h, len(game.OA), len(game.A))
            * contexts(game.adversary_window, h, len(game.OB), len(game.B))
            for h in range(game.H)
        )
    )
    if size > MOST:
        raise LimitExceeded(
            "policies.window", "entries in the law of states and windows", size, MOST, "use shorter windows"
        )
    chunk = max(1, AT_ONCE // size)
    parts = [
        _forward(tables, worlds.models(slice(k, k + chunk)), policy, response.models(slice(k, k + chunk)))
        for k in range(0, count, chunk)
    ]
    return np.concatenate([numerators for numerators, _ in parts]), parts[0][1]


def _forward(tables: ClassTables, worlds: WorldColumns, policy: Columns, response: Columns) -> tuple[Exact, int]:
    game = tables.game
    play = worlds.EA.denominator * policy.denominator * worlds.EB.denominator * response.denominator
    scale = play * worlds.T.denominator  # of one step
    last = tables.rho0.denominator * scale ** (game.H - 1) * worlds.EA.denominator * tables.reward.denominator
    # No intermediate entry exceeds H times the final denominator, probabilities and rewards being at most 1.
    kind = np.int64 if game.H * last < 2**62 else object
    x = np.repeat(tables.rho0.steps[0].astype(kind)[:, None, None], worlds.EA.steps[0].shape[-1], axis=3)
    value = np.zeros(x.shape[-1], dtype=kind)
    for h in range(game.H):
        EA = worlds.EA.steps[h].astype(kind)
        reward = (EA * tables.reward.steps[h].astype(kind)).sum(axis=1)
        value = value + (reward * x.sum(axis=(1, 2))).sum(axis=0)
        if h + 1 < game.H:  # the last step's moves are not part of the bound above, nor of the value
            EB, T, g = (part.steps[h].astype(kind) for part in (worlds.EB, worlds.T, response))
            x = _world(T, _adversary(game, h, EB, g, _learner(game, h, EA, policy.steps[h], x)))
            value = value * scale
    return value, last


def _learner(game: Game, h: int, EA: Exact, policy: Exact, x: Exact) -> Exact:
    """Let the learner see and act: (s, cA, cB, models) -> (s, a, next cA, cB, models)."""
    window, OA, A = game.learner_window, len(game.OA), len(game.A)
    y = np.zeros((len(x), A, contexts(window, h + 1, OA, A), *x.shape[2:]), dtype=x.dtype)
    for row, a in np.argwhere(policy[..., 0] != 0).tolist():
        c, o = divmod(row, OA)
        y[:, a, following(window, h, OA, A, row, a)] += x[:, c] * (EA[:, o] * policy[row, a, 0])[:, None]
    return y


def _adversary(game: Game, h: int, EB: Exact, g: Exact, y: Exact) -> Exact:
    """Let the adversary see and act: (s, a, cA, cB, models) -> (s, a, b, cA, next cB, models)."""
    window, OB, B = game.adversary_window, len(game.OB), len(game.B)
    after = contexts(window, h + 1, OB, B)
    z = np.zeros((*y.shape[:2], B, y.shape[2], after, y.shape[4]), dtype=y.dtype)
    for row in range(len(g)):
        c, o = divmod(row, OB)
        seen = y[:, :, :, c] * EB[:, o][:, None, None]
        for b in range(B):
            z[:, :, b, :, following(window, h, OB, B, row, b)] += seen * g[row, b]
    return z


def _world(T: Exact, z: Exact) -> Exact:
    """Let the state move: (s, a, b, cA, cB, models) -> (s', cA, cB, models)."""
    x = np.zeros((len(T), *z.shape[3:]), dtype=z.dtype)
    for a in range(z.shape[1]):
        for b in range(z.shape[2]):
            x += (z[:, a, b, None] * T[:, a, b, :, None, None]).sum(axis=0)
    return x
