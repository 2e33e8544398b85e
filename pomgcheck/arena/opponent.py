"""Plays the reaction rule R of one response point, fed the actual last m policies (Section 2.2).

Before the first episode the history is padded with the first policy deployed, as if it had been played for ever; so
the first warm-up sees no transient, and every later one sees the real one. Fading memory holds the weights z_t = gamma
z_{t-1} + (1 - gamma) e_{pi^t} of the policies (Theorem 5.2), and the response is their mixture. The weights are kept
in units of 2^-40, and what is rounded off goes to the policy just played; so a policy that is played on and on has all
the weight after finitely many episodes, and no weight is ever off by more than 2^-40/(1 - gamma) per policy.
"""

from __future__ import annotations

from collections import deque
from fractions import Fraction

from pomgcheck.kernel.game import Game, Row, Table

Seen = tuple[int, ...]  # what of the policies played the rule reads

WHOLE = 2**40  # the units of all fading weights together


class Opponent:
    """The opponent answers a memory of m policies by the rule ``latest``, ``mean`` or ``table``, or by the rule
    ``fading`` (Game.block_rule)."""

    def __init__(self, game: Game, phi: int) -> None:
        self.gamma = game.gamma
        self.m = game.m or 1  # of fading memory the state below holds everything
        self.rule = game.block_rule
        self.policies = len(game.policy_names)
        self._stationary: tuple[Table, ...] = game.responses[phi]
        self._blocks = game.blocks[phi] if self.rule == "table" else {}
        self._history: deque[int] = deque(maxlen=self.m - 1)  # oldest first
        self._counts = [0] * self.policies
        self._weights: Seen = ()

    def seen(self, policy: int) -> Seen:
        """Return what decides the response to the next episode, should the learner play ``policy`` in it."""
        if self.rule == "latest":
            return (policy,)
        if self.gamma is not None:
            return self._faded(policy, self.gamma)
        if self.rule == "mean":
            counts = self._counts.copy()
            counts[policy] += self.m - len(self._history)
            return tuple(counts)
        padding = (policy,) * (self.m - 1 - len(self._history))
        return (*padding, *self._history, policy)

    def _faded(self, policy: int, gamma: Fraction) -> Seen:
        """Return the weights once ``policy`` is played."""
        if not self._weights:
            return self.stationary(policy)
        kept = [weight * gamma.numerator // gamma.denominator for weight in self._weights]
        kept[policy] = 0
        kept[policy] = WHOLE - sum(kept)
        return tuple(kept)

    def play(self, policy: int, n: int = 1) -> None:
        """Take in that n more episodes of ``policy`` are played."""
        if self.gamma is not None:
            while n and self._weights != (after := self._faded(policy, self.gamma)):
                self._weights, n = after, n - 1
            return
        for _ in range(min(n, self.m)):
            self._play(policy)

    def _play(self, policy: int) -> None:
        if not self._history:
            self._history.extend([policy] * (self.m - 1))
            self._counts[policy] = self.m - 1
        if self.m > 1:
            self._counts[self._history[0]] -= 1
            self._counts[policy] += 1
            self._history.append(policy)

    def stationary(self, policy: int) -> Seen:
        """Return what the rule reads once ``policy`` has been played long enough."""
        if self.rule in ("mean", "fading"):
            whole = self.m if self.gamma is None else WHOLE
            return tuple(whole if p == policy else 0 for p in range(self.policies))
        return (policy,) * (1 if self.rule == "latest" else self.m)

    def response(self, seen: Seen) -> Table:
        """Return R at what was seen, exactly; at ``stationary(pi)`` it is R_infty(pi)."""
        if self.rule == "latest":
            return self._stationary[seen[0]]
        if self.rule == "table":
            return self._blocks[seen]
        weights = [(Fraction(count, sum(seen)), self._stationary[p]) for p, count in enumerate(seen) if count]
        if len(weights) == 1:
            return weights[0][1]
        return tuple(
            tuple(average([(w, table[h][row]) for w, table in weights]) for row in range(len(weights[0][1][h])))
            for h in range(len(weights[0][1]))
        )


def average(parts: list[tuple[Fraction, Row]]) -> Row:
    """Return the mixture of rows with the given weights."""
    return tuple(sum((w * row[b] for w, row in parts), Fraction(0)) for b in range(len(parts[0][1])))
