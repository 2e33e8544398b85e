"""Algorithm 1, epoch by epoch, and the same schedule without its termination test (``epoch-fixed``)."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple, Protocol

import numpy as np

from pomgcheck.arena.opponent import Seen
from pomgcheck.learner.confidence import Radius, units
from pomgcheck.learner.oracles import Model
from pomgcheck.learner.planning import Ties
from pomgcheck.learner.problem import Problem
from pomgcheck.learner.stationarity import Watch

Ending = Literal["cap", "test", "horizon", "switch"]


class Epoch(NamedTuple):
    """One epoch: what was deployed and why it ended.  ``cost`` is that of a data episode, v* - V^pi(g), once the
    response is stationary; ``moving`` holds the costs of the data episodes before that, where nothing was warmed up."""

    policy: int
    model: Model | None  # xi_e; none where no model was planned with
    start: int  # |D_{e-1}|
    episodes: int  # n_e
    ended: Ending
    warmup: int
    warmup_cost: Fraction
    cost: Fraction
    beta: Decimal | None
    threshold: Decimal | None  # tau_e(n_e); none without a test
    gap: int | None  # max L - L(xi_e) at the end, in units of 2^-32; none if xi_e has become impossible
    covered: bool | None  # xi* in C_{e-1}
    moving: tuple[Fraction, ...] = ()
    inside: int | None = None  # models of C_{e-1}

    def regret(self, n: int) -> Fraction:
        """Of the first n data episodes of the epoch."""
        return sum(self.moving[:n], Fraction(0)) + max(0, n - len(self.moving)) * self.cost


class Plan(NamedTuple):
    """What an epoch deploys, and for the likelihood's sake which model it was planned with."""

    policy: int
    model: Model
    beta: Decimal | None = None
    covered: bool | None = None
    inside: int | None = None


class Learner:
    """Algorithm 1 between two epochs: the evidence of the data so far, policies not played yet, the arena.

    Rivals change what is planned (``plan``), for how long (``cap``), or whether there is a test.
    ``blocks``: episodes simulated together at the start of an epoch, and at most; no result depends on them."""

    def __init__(
        self,
        problem: Problem,
        radius: Radius,
        seed: int,
        *,
        test: bool = True,
        ties: Ties = "first",
        blocks: tuple[int, int] = (256, 2**14),
    ) -> None:
        self.problem, self.radius, self.test, self.ties, self.blocks = problem, radius, test, ties, blocks
        self.arena = problem.arena(seed)
        self.watch = None if problem.outside is None else Watch(len(problem.game.OA), radius.delta)
        self.evidence = problem.oracle.begin()
        self.fresh = np.ones(problem.policies, dtype=np.bool_)
        self.e = self.collected = 0

    def cap(self) -> int:
        """T_e = 2^e (line 3)."""
        return 1 << self.e

    def plan(self) -> Plan:
        """Optimism over the confidence set (lines 4-7)."""
        beta = self.radius.beta(self.e, self.collected)
        policy, model = self.evidence.best(beta, self.fresh, self.ties)
        gap = self.evidence.truth_gap()
        return Plan(policy, model, beta, gap is not None and gap <= units(beta), self.evidence.inside(beta))

    def epoch(self, left: int) -> Epoch:
        """The next epoch (lines 3-10), ``left`` data episodes before the horizon."""
        problem, arena = self.problem, self.arena
        self.e += 1
        start, cap, plan = self.collected, self.cap(), self.plan()
        self.fresh[plan.policy] = False
        warmup = self.radius.memory(self.e) - 1
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
            threshold=self.radius.tau(self.e, n, start) if self.test else None,
            gap=self.evidence.gap(plan.model),
            covered=plan.covered,
            inside=plan.inside,
            moving=moving_costs(problem.costs(opponent, plan.policy, moving), cost),
        )

    def collect(self, policy: int, model: Model, most: int) -> tuple[int, bool, list[Seen]]:
        """Line 9: up to ``most`` data episodes against the test; how many were played, whether it fired, and what the
        opponent had seen at those whose response still moved (fading memory)."""
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
            count = len(trajectories)
            thresholds = self.radius.tau_floors(self.e, n + 1, count, start) if self.test else None
            used, fired = self.evidence.learn(policy, model, trajectories, thresholds)
            self.arena.commit(policy, used)
            self.collected += used
            n, block = n + used, min(2 * block, self.blocks[1])
        return n, fired, moving


def moving_costs(costs: Sequence[Fraction], cost: Fraction) -> tuple[Fraction, ...]:
    """The costs of the first data episodes, up to the last that is not the stationary one."""
    last = max((k for k, each in enumerate(costs, start=1) if each != cost), default=0)
    return tuple(costs[:last])


class Plays(Protocol):
    """What an algorithm is: epochs one after another."""

    collected: int  # data episodes so far
    watch: Watch | None  # of an outside opponent

    def epoch(self, left: int) -> Epoch:
        """The next epoch, ``left`` data episodes before the horizon."""


def epochs(learner: Plays, episodes: int) -> list[Epoch]:
    """The epochs of the first ``episodes`` data episodes."""
    result: list[Epoch] = []
    while learner.collected < episodes:
        result.append(learner.epoch(episodes - learner.collected))
    return result


def play(
    problem: Problem,
    radius: Radius,
    episodes: int,
    seed: int,
    *,
    test: bool = True,
    ties: Ties = "first",
    blocks: tuple[int, int] = (256, 2**14),
) -> list[Epoch]:
    """Algorithm 1, or without its test ``epoch-fixed``: the epochs of the first ``episodes`` data episodes."""
    return epochs(Learner(problem, radius, seed, test=test, ties=ties, blocks=blocks), episodes)
