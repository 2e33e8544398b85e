"""Plays the episodes of `episodes`, one step at a time, for players who choose their actions as they go.

An episode reads the same row of 5H uniforms in the same places: whoever lets it draw the actions of two tables gets
the trajectory that ``Arena`` would have simulated on that row.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from pomgcheck.arena.episodes import kernels, sums
from pomgcheck.arena.windows import following
from pomgcheck.kernel.game import Game, Table

Sums = list[list[list[float]]]  # [h][row], the cumulative sums of a player's table
DRAWS = 5  # uniforms per step; the first of an episode is for s_1, and the last step has none for s_{h+1}


class Seat(NamedTuple):
    """A seat is what a player sees at a step: the observation, and the row of its table that its window selects."""

    observation: int
    row: int


class Stepping:
    """World theta* stands at the 0-based step ``h`` of an episode, with what the two players see there."""

    h: int
    learner: Seat
    adversary: Seat

    def __init__(self, game: Game, theta: int) -> None:
        self.game = game
        self._start = sums(game.rho0)
        self._world = [[table.tolist() for table in step] for step in kernels(game, theta)]
        self._uniforms: Sequence[float] = ()

    def begin(self, uniforms: Sequence[float]) -> None:
        """Set up the first step of the episode of these 5H uniforms."""
        self._uniforms, self.h = uniforms, 0
        self._show(drawn(self._start, uniforms[0]), 0, 0)

    def take(self, a: int, b: int) -> None:
        """Move the world on to the next step, of which there must be one."""
        game, h = self.game, self.h
        _, _, T = self._world[h]
        s = drawn(T[(self._s * len(game.A) + a) * len(game.B) + b], self._uniforms[DRAWS * h + 5])
        self.h += 1
        self._show(
            s,
            following(game.learner_window, h, len(game.OA), len(game.A), self.learner.row, a),
            following(game.adversary_window, h, len(game.OB), len(game.B), self.adversary.row, b),
        )

    def _show(self, s: int, learner: int, adversary: int) -> None:
        """Set what the players see in the state s, given their contexts."""
        EA, EB, _ = self._world[self.h]
        self._s = s
        o, x = (drawn(E[s], self._uniforms[DRAWS * self.h + k]) for E, k in ((EA, 1), (EB, 2)))
        self.learner = Seat(o, learner * len(self.game.OA) + o)
        self.adversary = Seat(x, adversary * len(self.game.OB) + x)

    def episode(self, uniforms: Sequence[float], learner: Sums, adversary: Sums) -> list[tuple[int, int, int]]:
        """Return the whole episode of these uniforms and of two tables: the learner's observation, row and action at
        each step."""
        self.begin(uniforms)
        steps = []
        for h in range(self.game.H):
            seat, other = self.learner, self.adversary
            a = drawn(learner[h][seat.row], uniforms[DRAWS * h + 3])
            steps.append((seat.observation, seat.row, a))
            if h + 1 < self.game.H:
                self.take(a, drawn(adversary[h][other.row], uniforms[DRAWS * h + 4]))
        return steps

    def learner_action(self, table: Table) -> int:
        """Return the action that the learner's table takes here."""
        return drawn(sums(table[self.h][self.learner.row]), self._uniforms[DRAWS * self.h + 3])

    def adversary_action(self, table: Table) -> int:
        """Return the action that the adversary's table takes here."""
        return drawn(sums(table[self.h][self.adversary.row]), self._uniforms[DRAWS * self.h + 4])


def summed(table: Table) -> Sums:
    """Return the cumulative sums of every row of a player's table."""
    return [[sums(row) for row in step] for step in table]


def drawn(row: Sequence[float], uniform: float) -> int:
    """Return the outcome: the number of cumulative sums at or below the uniform."""
    return bisect_right(row, uniform)
