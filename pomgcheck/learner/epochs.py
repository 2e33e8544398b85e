"""Plays Algorithm 1, epoch by epoch, and the same schedule without its termination test (``epoch-fixed``); and has what
every algorithm that deploys a policy for an epoch, after a warm-up, has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

import numpy as np

from pomgcheck.arena.opponent import Seen
from pomgcheck.learner.confidence import ConfidenceRadius, units
from pomgcheck.learner.likelihood import Ints
from pomgcheck.learner.oracles import Learning, Model
from pomgcheck.learner.planning import Ties
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.stationarity import Watch

Ending = Literal["cap", "test", "horizon", "switch"]
BLOCKS = 256, 2**14  # episodes simulated together at the start of an epoch, and at most


class Epoch(NamedTuple):
    """An epoch tells what was deployed and why it ended. ``cost`` is that of a data episode, v* - V^pi(g), once the
    response is stationary; ``moving`` holds the costs of the data episodes before that, where nothing was warmed up."""

    policy: int
    model: Model | None  # xi_e; none where no model was planned with
    start: int  # |D_{e-1}|
    episodes: int  # n_e
    ended: Ending
    warmup: int
    warmup_cost: Fraction
    cost: Fraction
    beta: Decimal | None = None
    threshold: Decimal | None = None  # tau_e(n_e); none without a test
    gap: int | None = None  # max L - L(xi_e) at the end, in units of 2^-32; none if xi_e has become impossible
    covered: bool | None = None  # xi* in C_{e-1}
    moving: tuple[Fraction, ...] = ()
    inside: int | None = None  # models of C_{e-1}

    def regret(self, n: int) -> Fraction:
        """Return the regret of the first n data episodes of the epoch."""
        return sum(self.moving[:n], Fraction(0)) + max(0, n - len(self.moving)) * self.cost


class Plan(NamedTuple):
    """A plan is what an epoch deploys, and the model that it was planned with, which the likelihood needs."""

    policy: int
    model: Model
    beta: Decimal | None = None
    covered: bool | None = None
    inside: int | None = None


class Deploying(ABC):
    """This is an algorithm between two epochs, with what the ``data`` so far say, and the arena. An epoch warms up,
    then plays one policy until its test fires, or for ``cap`` episodes.

    ``delta`` is what an outside opponent is watched at.  ``blocks``: episodes simulated together at the start of an
    epoch, and at most; no result depends on them.
    """

    def __init__(
        self, problem: LearningProblem, seed: int, delta: Fraction, blocks: tuple[int, int], data: Learning
    ) -> None:
        self.problem, self.blocks, self.data = problem, blocks, data
        self.arena = problem.arena(seed)
        self.watch = None if problem.outside is None else Watch(len(problem.game.OA), delta)
        self.e = self.collected = 0

    @abstractmethod
    def cap(self) -> int:
        """Return how many data episodes the epoch has at most."""

    @abstractmethod
    def plan(self) -> Plan:
        """Return what the epoch deploys."""

    @abstractmethod
    def warmup(self, policy: int) -> int:
        """Return how many episodes it warms up for."""

    @abstractmethod
    def floors(self, first: int, count: int, start: int) -> Ints | None:
        """Return the thresholds of max L - L(xi_e) after ``first``, ..., ``first + count - 1`` episodes of an epoch
        that began with ``start`` data episodes, in units of 2^-32, or ``None`` without a test."""

    @abstractmethod
    def threshold(self, n: int, start: int) -> Decimal | None:
        """Return the last of them in nats, n being the episodes of the epoch."""

    def epoch(self, left: int) -> Epoch:
        """Play and return the next epoch, ``left`` data episodes before the horizon."""
        problem, arena = self.problem, self.arena
        self.e += 1
        start, cap, plan = self.collected, self.cap(), self.plan()
        warmup = self.warmup(plan.policy)
        opponent = arena.opponent
        transient = problem.costs(opponent, plan.policy, arena.skip(plan.policy, warmup))
        cost = problem.costs(opponent, plan.policy, [opponent.stationary(plan.policy)])[0]
        n, fired, moving = self.collect(plan.policy, plan.model, min(cap, left))
        return Epoch(
            policy=plan.policy,
            model=plan.model,
            start=start,
            episodes=n,
            ended="test" if fired else "cap" if n == cap else "horizon",
            warmup=warmup,
            warmup_cost=sum(transient, Fraction(0)),
            cost=cost,
            beta=plan.beta,
            threshold=self.threshold(n, start),
            gap=self.data.gap(plan.model),
            covered=plan.covered,
            inside=plan.inside,
            moving=moving_costs(problem.costs(opponent, plan.policy, moving), cost),
        )

    def collect(self, policy: int, model: Model, most: int) -> tuple[int, bool, list[Seen]]:
        """Play up to ``most`` data episodes against the test.

        Returns how many were played, whether the test fired, and what the opponent had seen at those whose response
        still moved (fading memory).
        """
        moving: list[Seen] = []
        n, fired, block, start = 0, False, self.blocks[0], self.collected
        while n < most and not fired:
            seen = self.arena.opponent.seen(policy)
            if self.watch or seen != self.arena.opponent.stationary(policy):
                moving.append(seen)
            trajectories = self.arena.peek(policy, 1 if self.watch else min(block, most - n))
            if self.watch:
                logs, _ = self.problem.finite.likelihood(policy).block(trajectories)
                self.watch.see(policy, trajectories[0], int(logs[0, self.problem.truth]))
            thresholds = self.floors(n + 1, len(trajectories), start)
            used, fired = self.data.learn(policy, model, trajectories, thresholds)
            self.arena.commit(policy, used)
            self.collected += used
            n, block = n + used, min(2 * block, self.blocks[1])
        return n, fired, moving


class Learner(Deploying):
    """Plays Algorithm 1. Rivals change what is planned (``plan``), for how long (``cap``), or whether there is a test.

    ``fresh`` are the policies not played yet.
    """

    def __init__(
        self,
        problem: LearningProblem,
        radius: ConfidenceRadius,
        seed: int,
        *,
        test: bool = True,
        ties: Ties = "first",
        blocks: tuple[int, int] = BLOCKS,
    ) -> None:
        self.evidence = problem.oracle.begin()
        super().__init__(problem, seed, radius.delta, blocks, self.evidence)
        self.radius, self.test, self.ties = radius, test, ties
        self.fresh = np.ones(problem.policies, dtype=np.bool_)

    def cap(self) -> int:
        """Return T_e = 2^e (line 3)."""
        return 1 << self.e

    def plan(self) -> Plan:
        """Return the optimistic choice over the confidence set (lines 4-7)."""
        beta = self.radius.beta(self.e, self.collected)
        policy, model = self.evidence.best(beta, self.fresh, self.ties)
        gap = self.evidence.truth_gap()
        return Plan(policy, model, beta, gap is not None and gap <= units(beta), self.evidence.inside(beta))

    def warmup(self, policy: int) -> int:
        """Return m - 1 (line 8); from then on the policy is no longer fresh."""
        self.fresh[policy] = False
        return self.radius.memory(self.e) - 1

    def floors(self, first: int, count: int, start: int) -> Ints | None:
        """Return floor(tau_e(t) 2^32) (line 9)."""
        return self.radius.tau_floors(self.e, first, count, start) if self.test else None

    def threshold(self, n: int, start: int) -> Decimal | None:
        """Return tau_e(n)."""
        return self.radius.tau(self.e, n, start) if self.test else None


def moving_costs(costs: Sequence[Fraction], cost: Fraction) -> tuple[Fraction, ...]:
    """Return the costs of the first data episodes, up to the last that is not the stationary one."""
    last = max((k for k, each in enumerate(costs, start=1) if each != cost), default=0)
    return tuple(costs[:last])


class Plays(Protocol):
    """An algorithm plays epochs one after another."""

    collected: int  # data episodes so far
    watch: Watch | None  # of an outside opponent

    def epoch(self, left: int) -> Epoch:
        """Play and return the next epoch, ``left`` data episodes before the horizon."""


def epochs(learner: Plays, episodes: int) -> list[Epoch]:
    """Play and return the epochs of the first ``episodes`` data episodes."""
    result: list[Epoch] = []
    while learner.collected < episodes:
        result.append(learner.epoch(episodes - learner.collected))
    return result
