"""Reads what a run needs of a class: exact values, likelihoods of the policies played, the truth, the cost of an
episode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from pomgcheck.arena.episodes import Arena
from pomgcheck.arena.opponent import Opponent, Seen
from pomgcheck.arena.outside import OutsideOpponent, Reacts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.parameters import Point
from pomgcheck.learner.columns import ClassTables
from pomgcheck.learner.oracles import Finite, Listed, ListEntry, Model, Oracle
from pomgcheck.learner.planning import values_against

NONE = Fraction(0)


class LearningProblem:
    """A problem is a finite class and its truth xi* = (theta*, Phi*), given by their indices.

    ``oracle``: what a learner plans with, if that is not the class itself; the class then need hold the truth alone.
    ``listing``: the list that ``nested`` walks down, where the class has interval axes.
    ``outside`` makes an opponent from outside, a new one for each seed, in the place of R; ``penalty`` is what an
    episode costs besides while the response to its policy still moves.
    ``values``: V^pi(xi) of the whole class; ``best``: v* = max_pi V^pi(R_infty(pi)) under xi*.
    """

    def __init__(
        self,
        game: Game,
        theta: int,
        phi: int,
        outside: Callable[[], Reacts] | None = None,
        penalty: Fraction = NONE,
        oracle: Oracle | None = None,
        listing: Listed | None = None,
    ) -> None:
        self.game, self.theta, self.phi, self.outside, self.penalty = game, theta, phi, outside, penalty
        self.m = game.m  # none for fading memory
        self.tables = ClassTables(game)
        self.policies, self.models = len(game.policy_names), self.tables.count
        self.truth = theta * len(game.responses) + phi
        self.finite = Finite(self.tables, self.truth)
        self.oracle: Oracle = self.finite if oracle is None else oracle
        self.listing = listing
        self.values = self.finite.values
        self.best = max(self.values.exact(policy, self.truth) for policy in range(self.policies))
        self._costs: dict[tuple[int, object], Fraction] = {}

    def point(self, model: Model) -> tuple[Point, Point]:
        """Return the parameters of what was deployed: a model of the oracle, or an entry of the list."""
        return self.listing.point(model) if self.listing and isinstance(model, ListEntry) else self.oracle.point(model)

    def promised(self, policy: int, model: Model) -> Fraction | None:
        """Return what the model or entry promises of the policy."""
        if self.listing and isinstance(model, ListEntry):
            return self.listing.value(model)
        return self.oracle.value(policy, model)

    def opponent(self) -> Opponent:
        """Return the opponent before the first episode."""
        if self.outside is None:
            return Opponent(self.game, self.phi)
        return OutsideOpponent(self.game, self.phi, self.outside())

    def arena(self, seed: int) -> Arena:
        """Return the true world and its opponent before the first episode."""
        return Arena(self.game, self.theta, self.opponent(), seed)

    def costs(self, opponent: Opponent, policy: int, seen: Sequence[Seen]) -> list[Fraction]:
        """Return v* - V^pi(g) of an episode of ``policy`` for each thing the opponent has seen, where g is its actual
        response."""
        # What an outside opponent's numbers stand for differs from one to the next; the responses do not.
        names: dict[Seen, object] = {key: key if self.outside is None else opponent.response(key) for key in seen}
        new = [key for key, name in names.items() if (policy, name) not in self._costs]
        if new:
            responses = [opponent.response(key) for key in new]
            table = self.tables.policies[policy]
            for key, value in zip(new, values_against(self.tables, self.theta, table, responses), strict=True):
                self._costs[policy, names[key]] = self.best - value
        settled = opponent.stationary(policy)
        return [self._costs[policy, names[key]] + (self.penalty if key != settled else 0) for key in seen]

    def __getstate__(self) -> dict[str, object]:
        """Leave out what can be computed again at need."""
        return self.__dict__ | {"_costs": {}}
