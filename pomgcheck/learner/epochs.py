"""Algorithm 1, epoch by epoch, and the same schedule without its termination test (``epoch-fixed``)."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np

from pomgcheck.arena.episodes import Arena
from pomgcheck.errors import LimitExceeded
from pomgcheck.learner.confidence import Radius, units
from pomgcheck.learner.likelihood import IMPOSSIBLE
from pomgcheck.learner.planning import Ties, choose
from pomgcheck.learner.problem import Problem
from pomgcheck.learner.termination import add, exhausted, run_block

Ending = Literal["cap", "test", "horizon"]


class Epoch(NamedTuple):
    """One epoch: what was deployed and why it ended.  ``cost`` is that of each data episode, v* - V^pi(g)."""

    policy: int
    model: int  # xi_e
    start: int  # |D_{e-1}|
    episodes: int  # n_e
    ended: Ending
    warmup: int
    warmup_cost: Fraction
    cost: Fraction
    beta: Decimal
    threshold: Decimal | None  # tau_e(n_e); none without a test
    gap: int | None  # max L - L(xi_e) at the end, in units of 2^-32; none if xi_e has become impossible
    covered: bool  # xi* in C_{e-1}


class Learner:
    """Algorithm 1 between two epochs: log-likelihoods ``L`` of the data so far, policies not played yet, the arena.

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
        self.arena = Arena(problem.game, problem.theta, problem.phi, seed)
        self.L = np.zeros(problem.models, dtype=np.int64)
        self.fresh = np.ones(problem.policies, dtype=np.bool_)
        self.e = self.collected = 0

    def epoch(self, left: int) -> Epoch:
        """The next epoch (lines 3-10), ``left`` data episodes before the horizon."""
        problem, arena = self.problem, self.arena
        self.e += 1
        start, cap, beta = self.collected, 2**self.e, self.radius.beta(self.e)
        inside = self.L.max() - self.L <= units(beta)
        policy, model = choose(problem.values, inside, self.fresh, self.ties)
        self.fresh[policy] = False
        transient = problem.costs(policy, arena.skip(policy, problem.m - 1))
        cost = problem.costs(policy, [arena.opponent.seen(policy)])[0]
        n, fired = self.collect(policy, model, min(cap, left))
        return Epoch(
            policy=policy,
            model=model,
            start=start,
            episodes=n,
            ended="test" if fired else "cap" if n == cap else "horizon",
            warmup=problem.m - 1,
            warmup_cost=sum(transient, Fraction(0)),
            cost=cost,
            beta=beta,
            threshold=self.radius.tau(self.e, n) if self.test else None,
            gap=None if self.L[model] == IMPOSSIBLE else int(self.L.max() - self.L[model]),
            covered=bool(inside[problem.truth]),
        )

    def collect(self, policy: int, model: int, most: int) -> tuple[int, bool]:
        """Line 9: up to ``most`` data episodes against the test; how many were played and whether it fired."""
        likelihood, n, fired, block = self.problem.likelihood(policy), 0, False, self.blocks[0]
        while n < most and not fired:
            logs, order = likelihood.block(self.arena.peek(policy, min(block, most - n)))
            if self.test:
                thresholds = self.radius.tau_floors(self.e, n + 1, len(order))
                self.L, used, fired = run_block(self.L, model, logs, order, thresholds)
            else:
                self.L, used = add(self.L, logs, order), len(order)
            self.arena.commit(policy, used)
            self.collected += used
            if exhausted(self.L):
                raise LimitExceeded("episodes", "episodes", self.collected, self.collected - used, "run fewer episodes")
            n, block = n + used, min(2 * block, self.blocks[1])
        return n, fired


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
    """The epochs of the first ``episodes`` data episodes."""
    learner = Learner(problem, radius, seed, test=test, ties=ties, blocks=blocks)
    epochs: list[Epoch] = []
    while learner.collected < episodes:
        epochs.append(learner.epoch(episodes - learner.collected))
    return epochs
