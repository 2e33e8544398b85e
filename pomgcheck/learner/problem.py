"""What a run reads of a class: exact values, likelihoods of the policies played, the truth, the cost of an episode."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pomgcheck.arena.opponent import Opponent, Seen
from pomgcheck.kernel.game import Game
from pomgcheck.learner.columns import Tables
from pomgcheck.learner.likelihood import Likelihood
from pomgcheck.learner.planning import all_values, values_against


class Problem:
    """A finite class and its truth xi* = (theta*, Phi*), given by their indices.

    ``values``: V^pi(xi) of the whole class; ``best``: v* = max_pi V^pi(R_infty(pi)) under xi*."""

    def __init__(self, game: Game, theta: int, phi: int) -> None:
        self.game, self.theta, self.phi = game, theta, phi
        self.opponent = Opponent(game, phi)  # asked for responses only; it plays no episode
        self.m = game.m  # none for fading memory
        self.tables = Tables(game)
        self.policies, self.models = len(game.policy_names), self.tables.count
        self.truth = theta * len(game.responses) + phi
        self.values = all_values(self.tables)
        self.best = max(self.values.exact(policy, self.truth) for policy in range(self.policies))
        self._likelihoods: dict[int, Likelihood] = {}
        self._costs: dict[tuple[int, Seen], Fraction] = {}

    def likelihood(self, policy: int) -> Likelihood:
        """The table of log-likelihoods of ``policy``, built when it is first deployed."""
        if policy not in self._likelihoods:
            self._likelihoods[policy] = Likelihood(self.tables, policy)
        return self._likelihoods[policy]

    def costs(self, policy: int, seen: Sequence[Seen]) -> list[Fraction]:
        """v* - V^pi(g) of an episode of ``policy`` for each thing the opponent has seen, g its actual response."""
        new = [key for key in dict.fromkeys(seen) if (policy, key) not in self._costs]
        if new:
            responses = [self.opponent.response(key) for key in new]
            for key, value in zip(new, values_against(self.tables, self.theta, policy, responses), strict=True):
                self._costs[policy, key] = self.best - value
        return [self._costs[policy, key] for key in seen]

    def __getstate__(self) -> dict[str, object]:
        """Without what can be computed again at need."""
        return self.__dict__ | {"_likelihoods": {}, "_costs": {}}
