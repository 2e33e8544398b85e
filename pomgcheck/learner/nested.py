"""Plays ``nested``: it walks down a fixed list of the models as the data refute them (Theorem N, docs/bound.md).

The list has the models by v* descending, then by their first optimal policy, then by index.  An epoch deploys that
policy of the first model that is left, and ends when the model is refuted: its log-likelihood has fallen more than
u = log((N-1)/delta) below the largest.  A model that is refuted is out for good.

Log-likelihoods are multiples of 2^-32, each off by at most half a unit per episode, so that after t episodes a
difference of two is off by at most t units.  The test allows for that: a model is refuted when the difference exceeds
ceil(u 2^32) + t, so the exact one exceeds u; and while it is not, the exact one is at most u + (1 + 2t) 2^-32.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import ceil

import numpy as np
from numpy.typing import NDArray

from pomgcheck.kernel.nested import Nested
from pomgcheck.learner.epochs import BLOCKS, Deploying, Plan
from pomgcheck.learner.likelihood import IMPOSSIBLE, PRECISION, UNIT, Ints
from pomgcheck.learner.oracles import FiniteEvidence, Learning
from pomgcheck.learner.planning import PolicyValues
from pomgcheck.learner.problem import LearningProblem


def listed(values: PolicyValues) -> tuple[Ints, Ints]:
    """Return the models in the order of the list, and the first optimal policy of every model: two arrays of N
    indices."""
    policy = values.rank.argmax(axis=0)
    best = values.rank.max(axis=0)
    return np.lexsort((policy, -best)), policy


class Walking(Deploying):
    """A schedule walks down a list, without a cap and with a warm-up before every run of one policy.

    ``run`` counts these runs, and ``numbers`` has the warm-up of each.
    """

    def __init__(
        self, problem: LearningProblem, numbers: Nested, seed: int, blocks: tuple[int, int], data: Learning
    ) -> None:
        super().__init__(problem, seed, numbers.delta, blocks, data)
        self.numbers = numbers
        self.deployed: int | None = None
        self.run = 0

    def cap(self) -> int:
        """Return ``None``: an epoch ends when what is deployed is refuted."""
        return 2**62

    def warmup(self, policy: int) -> int:
        """Return m - 1 episodes where the policy changes, and 0 where it stays, since the opponent has seen nothing
        else."""
        if policy == self.deployed:
            return 0
        self.deployed, self.run = policy, self.run + 1
        return self.numbers.warmup(self.run)


def nats(units: int) -> Decimal:
    """Return a number of units of 2^-32 in nats."""
    with localcontext(prec=PRECISION):
        found: Decimal = Decimal(units) / UNIT
        return found


class NestedLearner(Walking):
    """This is the schedule between two epochs: ``left[xi]`` says that a model has been refuted, and ``numbers`` has u.

    The sets lose their last model only if xi* itself has been refuted, which has probability at most delta.  They then
    begin again with the models that pass the test, and xi* counts as lost for the rest of the run.
    """

    def __init__(self, problem: LearningProblem, numbers: Nested, seed: int, blocks: tuple[int, int] = BLOCKS) -> None:
        evidence = problem.oracle.begin()
        assert isinstance(evidence, FiniteEvidence)  # the class is finite
        self.evidence = evidence
        super().__init__(problem, numbers, seed, blocks, evidence)
        self.order, self.policy = listed(problem.values)
        self.units = ceil(numbers.u.high * UNIT)
        self.left: NDArray[np.bool_] = np.zeros(problem.models, dtype=np.bool_)
        self.lost = False

    def plan(self) -> Plan:
        """Return the first model of the list that is left."""
        evidence = self.evidence
        refuted = (evidence.L == IMPOSSIBLE) | (evidence.L.max() - evidence.L > self.units + self.collected)
        self.left |= refuted
        self.lost = self.lost or bool(self.left[self.problem.truth])
        if self.left.all():
            self.left = refuted
        model = int(self.order[np.argmin(self.left[self.order])])
        inside = len(self.left) - int(self.left.sum())
        return Plan(int(self.policy[model]), model, self.threshold(0, self.collected), not self.lost, inside)

    def floors(self, first: int, count: int, start: int) -> Ints:
        """Return ceil(u 2^32) + t, where t counts all data episodes so far."""
        floors: Ints = np.arange(start + first, start + first + count, dtype=np.int64) + self.units
        return floors

    def threshold(self, n: int, start: int) -> Decimal:
        """Return the threshold in nats."""
        return nats(self.units + start + n)
