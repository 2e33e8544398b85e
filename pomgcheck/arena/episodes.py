"""Plays episodes of the true world against the opponent, by inverse transform of one row of uniforms per episode.

An episode reads exactly 5H uniforms, in the order s_1, then o^A_h, o^B_h, a_h, b_h, s_{h+1} at each step (no
transition after the last). Rows are buffered: a block of episodes may be looked at and only its first ones played, so
a run is the same whether it is simulated one by one or in blocks, and a shorter run is a prefix of a longer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pomgcheck.arena.opponent import Opponent, Seen
from pomgcheck.arena.windows import following
from pomgcheck.kernel.game import Game, Row, Table

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RNG = "numpy.random.Generator(numpy.random.PCG64(seed)).random"


def sums(row: Row) -> list[float]:
    """Return the exact cumulative sums of a row without the last, each rounded to a float once.

    An outcome of probability zero repeats the sum before it, or follows a sum of exactly 1, so it is never drawn.
    """
    return [float(c) for c in accumulate(row[:-1])]


def cumulative(rows: Sequence[Row]) -> Floats:
    """Return the cumulative sums of each row: (rows, outcomes - 1)."""
    return np.array([sums(row) for row in rows], dtype=np.float64).reshape(len(rows), len(rows[0]) - 1)


def drawn(tables: Floats, rows: Ints, uniforms: Floats) -> Ints:
    """Return one outcome per episode: the number of cumulative sums at or below its uniform."""
    return np.asarray(np.count_nonzero(uniforms[:, None] >= tables[rows], axis=1), dtype=np.int64)


class Kernels(NamedTuple):
    """These are the cumulative tables of the world at one step; a transition's row is (s |A| + a) |B| + b."""

    EA: Floats
    EB: Floats
    T: Floats


def kernels(game: Game, theta: int) -> list[Kernels]:
    """Return the cumulative tables of the world theta, one per step."""
    return [
        Kernels(cumulative(EA), cumulative(EB), cumulative(list(chain.from_iterable(chain.from_iterable(T)))))
        for EA, EB, T in zip(*game.worlds[theta], strict=True)
    ]


class Arena:
    """An arena is a world theta* with an opponent and the generator PCG64(seed); ``episode`` counts the episodes
    played."""

    def __init__(self, game: Game, theta: int, opponent: Opponent, seed: int) -> None:
        self.game, self.opponent, self.episode = game, opponent, 0
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._rows: Floats = np.empty((0, 5 * game.H))
        self._start = cumulative([game.rho0])
        self._world = kernels(game, theta)
        self._policies: dict[int, list[Floats]] = {}
        self._responses: dict[Seen, list[Floats]] = {}

    def skip(self, policy: int, n: int) -> list[Seen]:
        """Play n episodes that nobody watches; return what the opponent had seen at each of them."""
        seen = []
        for _ in range(n):
            seen.append(self.opponent.seen(policy))
            self.opponent.play(policy)
        self._drop(n)
        return seen

    def peek(self, policy: int, n: int) -> Ints:
        """Return the learner's trajectories [[o_1, a_1], ..., [o_H, a_H]] of the next n episodes, which are not played
        yet: (k, H, 2).

        k = n once the response is stationary; while it still moves, k = 1.
        """
        seen = self.opponent.seen(policy)
        k = n if seen == self.opponent.stationary(policy) else min(n, 1)
        if policy not in self._policies:
            self._policies[policy] = self._tables(self.game.policies[policy])
        if seen not in self._responses:
            self._responses[seen] = self._tables(self.opponent.response(seen))
        return self._simulate(self._policies[policy], self._responses[seen], self._ahead(k))

    def uniforms(self) -> list[float]:
        """Return the 5H uniforms of the next episode, not played yet."""
        row: list[float] = self._ahead(1)[0].tolist()
        return row

    def commit(self, policy: int, n: int) -> None:
        """Play the first n episodes of the last look."""
        self.opponent.play(policy, n)
        self._drop(n)

    @staticmethod
    def _tables(table: Table) -> list[Floats]:
        return [cumulative(rows) for rows in table]

    def _ahead(self, n: int) -> Floats:
        """Return the uniforms of the next n episodes: (n, 5H)."""
        if n > len(self._rows):
            more = self._generator.random((n - len(self._rows), 5 * self.game.H))
            self._rows = np.concatenate([self._rows, more])
        return self._rows[:n]

    def _drop(self, n: int) -> None:
        self._ahead(n)
        self._rows = self._rows[n:]
        self.episode += n

    def _simulate(self, policy: list[Floats], response: list[Floats], uniforms: Floats) -> Ints:
        game = self.game
        H, A, B, OA, OB = game.H, len(game.A), len(game.B), len(game.OA), len(game.OB)
        trajectories = np.empty((len(uniforms), H, 2), dtype=np.int64)
        column = iter(uniforms.T)
        learner = adversary = np.zeros(len(uniforms), dtype=np.int64)  # contexts
        s = drawn(self._start, learner, next(column))
        for h, (EA, EB, T) in enumerate(self._world):
            o = drawn(EA, s, next(column))
            rows = learner * OA + o, adversary * OB + drawn(EB, s, next(column))
            a = drawn(policy[h], rows[0], next(column))
            b = drawn(response[h], rows[1], next(column))
            trajectories[:, h, 0], trajectories[:, h, 1] = o, a
            if h + 1 < H:
                s = drawn(T, (s * A + a) * B + b, next(column))
                learner = following(game.learner_window, h, OA, A, rows[0], a)
                adversary = following(game.adversary_window, h, OB, B, rows[1], b)
        return trajectories
