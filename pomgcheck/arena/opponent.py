"""The reaction rule R of one response point, fed the actual last m policies (Section 2.2).

Before the first episode the history is padded with the first policy deployed, as if it had been played m - 1 times
already; so the first warm-up sees no transient, and every later one sees the real one.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction

from pomgcheck.errors import Refused
from pomgcheck.kernel.game import Game, Row, Table

Seen = tuple[int, ...]  # what of the last m policies the rule reads


def memory(game: Game) -> int:
    """The opponent's memory m.  Raises ``Refused`` for fading memory, which every policy so far leaves a trace in."""
    if game.m is None:
        raise Refused("responses.block_rule", f"{game.block_rule!r}", "'latest', 'mean' or 'table'",
                      "an opponent of fading memory can be certified but not played yet")  # fmt: skip
    return game.m


class Opponent:
    """m-memory opponent: ``latest``, ``mean`` or ``table`` (Game.block_rule); ``m`` is its memory."""

    def __init__(self, game: Game, phi: int) -> None:
        self.m = memory(game)
        self.rule = game.block_rule
        self.policies = len(game.policy_names)
        self._stationary: tuple[Table, ...] = game.responses[phi]
        self._blocks = game.blocks[phi] if self.rule == "table" else {}
        self._history: deque[int] = deque(maxlen=self.m - 1)  # oldest first
        self._counts = [0] * self.policies

    def seen(self, policy: int) -> Seen:
        """What decides the response to the next episode, should the learner play ``policy`` in it."""
        if self.rule == "latest":
            return (policy,)
        if self.rule == "mean":
            counts = self._counts.copy()
            counts[policy] += self.m - len(self._history)
            return tuple(counts)
        padding = (policy,) * (self.m - 1 - len(self._history))
        return (*padding, *self._history, policy)

    def play(self, policy: int) -> None:
        """One more episode of ``policy``."""
        if not self._history:
            self._history.extend([policy] * (self.m - 1))
            self._counts[policy] = self.m - 1
        if self.m > 1:
            self._counts[self._history[0]] -= 1
            self._counts[policy] += 1
            self._history.append(policy)

    def stationary(self, policy: int) -> Seen:
        """What the rule reads once ``policy`` has been played m times in a row."""
        if self.rule == "mean":
            return tuple(self.m if p == policy else 0 for p in range(self.policies))
        return (policy,) * (1 if self.rule == "latest" else self.m)

    def response(self, seen: Seen) -> Table:
        """R at what was seen, exactly; R_infty(pi) at ``stationary(pi)``."""
        if self.rule == "latest":
            return self._stationary[seen[0]]
        if self.rule == "table":
            return self._blocks[seen]
        weights = [(Fraction(count, self.m), self._stationary[p]) for p, count in enumerate(seen) if count]
        if len(weights) == 1:
            return weights[0][1]
        return tuple(
            tuple(average([(w, table[h][row]) for w, table in weights]) for row in range(len(weights[0][1][h])))
            for h in range(len(weights[0][1]))
        )


def average(parts: list[tuple[Fraction, Row]]) -> Row:
    """The mixture of rows with the given weights."""
    return tuple(sum((w * row[b] for w, row in parts), Fraction(0)) for b in range(len(parts[0][1])))
