"""Answers exactly what Algorithm 1 asks of a class: the finite oracle is here, product Bernoulli in ``bernoulli``."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.parameters import Point
from pomgcheck.learner.columns import ClassTables
from pomgcheck.learner.confidence import units
from pomgcheck.learner.likelihood import IMPOSSIBLE, UNIT, Ints, Likelihood
from pomgcheck.learner.planning import PolicyValues, Ties, all_values, choose
from pomgcheck.learner.termination import add, exhausted, run_block

Model = Any  # how an oracle names a model: its index, or its parameters
Chosen = tuple[int, Model]  # a policy, and the model it is deployed for


class Learned(NamedTuple):
    """This says how many episodes of a block were played, and whether the test fired at the last of them."""

    episodes: int
    fired: bool


class Learning(Protocol):
    """This is what every algorithm with epochs asks of the data of one seed. All log-likelihoods are in units of 2^-32."""

    def learn(self, policy: int, model: Model, trajectories: Ints, thresholds: Ints | None) -> Learned:
        """Take in episodes until max L - L(model) exceeds its threshold, if there are thresholds (line 9)."""

    def gap(self, model: Model) -> int | None:
        """Return max L - L(model), or ``None`` where the model has become impossible."""


class Evidence(Learning, Protocol):
    """This is what Algorithm 1 asks in addition."""

    def best(self, beta: Decimal, fresh: NDArray[np.bool_], ties: Ties) -> Chosen:
        """Return the optimistic policy and model of the confidence set of radius beta (line 6)."""

    def inside(self, beta: Decimal) -> int | None:
        """Return how many models that confidence set holds, or ``None`` on a continuum."""

    def sampled(self, random: np.random.Generator, fresh: NDArray[np.bool_], ties: Ties) -> Chosen:
        """Return a model drawn from the posterior under a uniform prior, and its best policy."""

    def truth_gap(self) -> int | None:
        """Return max L - L(xi*), where the maximum is over what the learner plans with; xi* may lie beside it."""


class Oracle(Protocol):
    """An oracle is a class as a learner plans with it."""

    def begin(self) -> Evidence:
        """Return the evidence before any data."""

    def value(self, policy: int, model: Model) -> Fraction:
        """Return V^pi(xi)."""

    def point(self, model: Model) -> tuple[Point, Point]:
        """Return the parameters (theta, Phi)."""


class ListEntry(NamedTuple):
    """An entry of a list that ``nested`` walks down on interval axes says what it deploys, and its place among the
    points that the same data test."""

    group: int
    policy: int
    place: int


class Listed(Protocol):
    """This is the list itself."""

    def value(self, entry: ListEntry) -> Fraction | None:
        """Return what an entry promises, or ``None`` where it deploys the best policy of every model."""

    def point(self, entry: ListEntry) -> tuple[Point, Point]:
        """Return the parameters (theta, Phi) of its point."""


def written(point: Point) -> dict[str, str]:
    """Return a point in exact text."""
    return {name: str(x) for name, x in point.items()}


def drawn(weights: NDArray[np.float64], uniform: float) -> int:
    """Return an index with probability proportional to its weight."""
    sums = np.cumsum(weights)
    return int(min(np.searchsorted(sums, uniform * sums[-1], side="right"), len(sums) - 1))


class Finite:
    """This plans with finitely many models, by tables of all of them.

    ``truth``: the index of xi* among them, or the tables of the class of xi* alone if it may lie beside them.
    """

    def __init__(self, tables: ClassTables, truth: int | ClassTables) -> None:
        self.tables, self.truth, self.values = tables, truth, all_values(tables)
        self._likelihoods: dict[tuple[bool, int], Likelihood] = {}

    def likelihood(self, policy: int, true: bool = False) -> Likelihood:
        """Return the table of log-likelihoods of ``policy`` (with ``true``, of xi* beside the models); it is built
        when first asked for."""
        if (true, policy) not in self._likelihoods:
            tables = self.truth if true and isinstance(self.truth, ClassTables) else self.tables
            self._likelihoods[true, policy] = Likelihood(tables, policy)
        return self._likelihoods[true, policy]

    def begin(self) -> FiniteEvidence:
        """Return the evidence before any data."""
        return FiniteEvidence(self)

    def value(self, policy: int, model: Model) -> Fraction:
        """Return V^pi(xi)."""
        return self.values.exact(policy, model)

    def point(self, model: Model) -> tuple[Point, Point]:
        """Return the parameters (theta, Phi)."""
        game = self.tables.game
        theta, phi = divmod(model, len(game.responses))
        assert game.thetas is not None  # the class is finite
        assert game.phis is not None
        return game.thetas[theta], game.phis[phi]

    def __getstate__(self) -> dict[str, object]:
        """Leave out what can be computed again at need."""
        return self.__dict__ | {"_likelihoods": {}}


class FiniteEvidence:
    """These are the log-likelihoods ``L`` of all models, and of xi* where it lies beside them."""

    def __init__(self, oracle: Finite) -> None:
        self.oracle, self.episodes = oracle, 0
        self.L: Ints = np.zeros(oracle.tables.count, dtype=np.int64)
        self._beside: Ints = np.zeros(1, dtype=np.int64)

    @property
    def values(self) -> PolicyValues:
        """Return V^pi(xi) of all models."""
        return self.oracle.values

    def best(self, beta: Decimal, fresh: NDArray[np.bool_], ties: Ties) -> Chosen:
        """Return the optimistic policy and model of the confidence set."""
        return choose(self.values, self._confident(beta), fresh, ties)

    def inside(self, beta: Decimal) -> int | None:
        """Return how many models the confidence set holds."""
        return int(self._confident(beta).sum())

    def _confident(self, beta: Decimal) -> NDArray[np.bool_]:
        near: NDArray[np.bool_] = self.L.max() - self.L <= units(beta)
        return near

    def sampled(self, random: np.random.Generator, fresh: NDArray[np.bool_], ties: Ties) -> Chosen:
        """Return a model with probability proportional to its likelihood."""
        weights = np.where(self.L <= IMPOSSIBLE, 0.0, np.exp((self.L - self.L.max()) / UNIT))
        only = np.zeros(len(self.L), dtype=np.bool_)
        only[drawn(weights, float(random.random()))] = True
        return choose(self.values, only, fresh, ties)

    def learn(self, policy: int, model: Model, trajectories: Ints, thresholds: Ints | None) -> Learned:
        """Take in episodes until the test fires, if there is one."""
        logs, order = self.oracle.likelihood(policy).block(trajectories)
        if thresholds is None:
            self.L, used, fired = add(self.L, logs, order), len(order), False
        else:
            self.L, used, fired = run_block(self.L, model, logs, order, thresholds)
        if isinstance(self.oracle.truth, ClassTables):
            true = self.oracle.likelihood(policy, true=True)
            self._beside = add(self._beside, *true.block(trajectories[:used]))
        self.episodes += used
        if exhausted(self.L):
            raise LimitExceeded("episodes", "episodes", self.episodes, self.episodes - used, "run fewer episodes")
        return Learned(used, fired)

    def gap(self, model: Model) -> int | None:
        """Return max L - L(model)."""
        return None if self.L[model] == IMPOSSIBLE else int(self.L.max() - self.L[model])

    def truth_gap(self) -> int | None:
        """Return max L - L(xi*)."""
        if not isinstance(self.oracle.truth, ClassTables):
            return self.gap(self.oracle.truth)
        return None if self._beside[0] == IMPOSSIBLE else int(self.L.max() - self._beside[0])
