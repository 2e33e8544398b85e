"""Plays what Algorithm 1 is compared with, each from its own source's statement; and names every algorithm.

All of them meet the same random numbers of the world: an algorithm's own draws come from a stream apart, PCG64 of the
seed and 1.  None of those in this module carries a guarantee of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, e, isqrt, log, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pomgcheck.kernel.nested import Nested
from pomgcheck.kernel.nets import Netted
from pomgcheck.learner.confidence import ConfidenceRadius
from pomgcheck.learner.epochs import Ending, Epoch, Learner, Plan, Plays, moving_costs
from pomgcheck.learner.nested import NestedLearner
from pomgcheck.learner.nets import NetLearner
from pomgcheck.learner.oracles import drawn
from pomgcheck.learner.planning import Ties
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.stationarity import Watch

EXPLORATION = 0.1  # of epsilon-greedy
AHEAD = 2**12  # episodes looked at together at most


def own_draws(seed: int) -> np.random.Generator:
    """Return the algorithm's own random numbers."""
    return np.random.Generator(np.random.PCG64([seed, 1]))


class FlatBatch(Learner):
    """Plays K = ceil(sqrt(d T)) equal batches, planned as in Algorithm 1 (Sang et al. 2025, as the paper's comparison
    states it).

    Here d = |Pi|: a repeated query is dependent at every scale, so the Eluder dimension is no larger.
    """

    def __init__(self, problem: LearningProblem, radius: ConfidenceRadius, seed: int, T: int, ties: Ties) -> None:
        super().__init__(problem, radius, seed, test=False, ties=ties)
        self.length = batch_length(problem.policies, T)

    def cap(self) -> int:
        """Return the number of data episodes of a batch; every batch is equally long."""
        return self.length


def batch_length(d: int, T: int) -> int:
    """Return ceil(T/K), where K is ceil(sqrt(d T)) or, if that is more, the number of episodes."""
    K = min(T, isqrt(d * T - 1) + 1)
    return -(-T // K)


class PosteriorSampling(Learner):
    """Plays a whole epoch with the best policy of one model, drawn from the posterior under a uniform prior on Xi.

    The epochs are those of Algorithm 1 without its test (after Osband, Russo and Van Roy 2013).
    """

    def __init__(self, problem: LearningProblem, radius: ConfidenceRadius, seed: int, ties: Ties) -> None:
        super().__init__(problem, radius, seed, test=False, ties=ties)
        self.random = own_draws(seed)

    def plan(self) -> Plan:
        """Return the best policy of a sampled model."""
        return Plan(*self.evidence.sampled(self.random, self.fresh, self.ties))


class Unwarmed:
    """Plays without warm-up: what the opponent still does in answer to an earlier policy is part of the data and of
    their cost."""

    def __init__(self, problem: LearningProblem, seed: int) -> None:
        self.problem, self.random, self.collected = problem, own_draws(seed), 0
        self.arena = problem.arena(seed)
        self.watch: Watch | None = None
        self._rewards: list[NDArray[Any]] = [table[:, 0] for table in problem.tables.reward.steps]
        self._unit = problem.tables.reward.denominator * problem.game.H  # so that an episode earns at most 1

    def earned(self, trajectories: NDArray[np.int64]) -> list[int]:
        """Return rewards of episodes (n, H, 2), in units of 1/(H x the rewards' common denominator)."""
        columns = [table[trajectories[:, h, 0]] for h, table in enumerate(self._rewards)]
        return [int(total) for total in np.sum(columns, axis=0)]

    def ahead(self, left: int) -> int:
        """Return how many episodes may be looked at together: an outside opponent is asked about one at a time."""
        return min(left, AHEAD) if self.problem.outside is None else 1

    def cost(self, policy: int) -> Fraction:
        """Return the cost of an episode of ``policy`` against its stationary response."""
        return self.problem.costs(self.arena.opponent, policy, [self.arena.opponent.stationary(policy)])[0]

    def moving(self, policy: int) -> tuple[Fraction, ...]:
        """Return the cost of the next episode of ``policy``, if the response to it still moves."""
        seen = self.arena.opponent.seen(policy)
        if self.problem.outside is None and seen == self.arena.opponent.stationary(policy):
            return ()
        return tuple(self.problem.costs(self.arena.opponent, policy, [seen]))

    def made(self, policy: int, episodes: int, moving: Sequence[Fraction], full: bool, cost: Fraction) -> Epoch:
        """Return an epoch of ``episodes`` episodes that are already counted; one with a settled response has that
        cost."""
        ended: Ending = "switch" if full else "horizon"
        start, still = self.collected - episodes, moving_costs(moving, cost)
        return Epoch(policy, None, start, episodes, ended, 0, Fraction(0), cost, moving=still)


class MiniBatch(Unwarmed):
    """Plays Exp3 over Pi, fed with the mean reward of batches: its policy regret is ~T^(2/3) in expectation against any
    bounded memory, which it need not know (Arora, Dekel and Tewari 2012).

    A batch sees at most m episodes of an answer to other policies, so that batches of length tau lose at most
    tau R(T/tau) + m T/tau + tau if the bandit loses at most R(J) in J rounds.  Exp3 loses at most (e-1) gamma J +
    K ln K/gamma (Auer, Cesa-Bianchi, Freund and Schapire 2002), which is 2 sqrt((e-1) J K ln K) <= sqrt(7 J K ln K) at
    the gamma below; tau = (7 K ln K)^(-1/3) T^(1/3) then makes both parts (7 K ln K)^(1/3) T^(2/3), but for m.
    """

    def __init__(self, problem: LearningProblem, seed: int, T: int) -> None:
        super().__init__(problem, seed)
        K = problem.policies
        self.length = mini_batch_length(K, T)
        self.mixing = exp3_mixing(K, -(-T // self.length))
        self.logs = np.zeros(K)  # of the weights

    def probabilities(self) -> NDArray[np.float64]:
        """Return Exp3's law of the next policy."""
        weights = np.exp(self.logs - self.logs.max())
        result: NDArray[np.float64] = (1 - self.mixing) * weights / weights.sum() + self.mixing / len(weights)
        return result

    def epoch(self, left: int) -> Epoch:
        """Return one batch."""
        p = self.probabilities()
        policy = drawn(p, float(self.random.random()))
        most = min(self.length, left)
        n, total = 0, 0
        moving: list[Fraction] = []
        while n < most:
            moving += self.moving(policy)
            seen = self.arena.peek(policy, self.ahead(most - n))
            total += sum(self.earned(seen))
            self.arena.commit(policy, len(seen))
            n += len(seen)
        self.logs[policy] += self.mixing * (total / (n * self._unit)) / (p[policy] * len(p))
        self.collected += n
        return self.made(policy, n, moving, n == self.length, self.cost(policy))


def mini_batch_length(K: int, T: int) -> int:
    """Return (7 K ln K)^(-1/3) T^(1/3), rounded up; where there is one policy it is T."""
    return T if K == 1 else min(T, ceil((T / (7 * K * log(K))) ** (1 / 3)))


def exp3_mixing(K: int, J: int) -> float:
    """Return Exp3's gamma for J rounds: min{1, sqrt(K ln K / ((e-1) J))}."""
    return min(1.0, sqrt(K * log(K) / ((e - 1) * J)))


class EpsilonGreedy(Unwarmed):
    """Plays each policy once, then in every episode the policy of best empirical mean, or with probability 1/10 a
    uniformly random one (Sutton and Barto 2018, Section 2.2; the paper's Experiment 3)."""

    def __init__(self, problem: LearningProblem, seed: int) -> None:
        super().__init__(problem, seed)
        self.n, self.s = [0] * problem.policies, [0] * problem.policies
        self.draws = self.random.random((AHEAD, 2))  # explore?, which policy; one row per episode

    def row(self, t: int) -> NDArray[np.float64]:
        """Return the draws of data episode t."""
        while t >= len(self.draws):
            self.draws = np.concatenate([self.draws, self.random.random((AHEAD, 2))])
        result: NDArray[np.float64] = self.draws[t]
        return result

    def greedy(self) -> int:
        """Return the policy of the best empirical mean, the first of equally good ones."""
        means = [s / n for s, n in zip(self.s, self.n, strict=True)]
        return means.index(max(means))

    def forced(self, t: int) -> int | None:
        """Return the policy that episode t plays whatever was seen."""
        if t < self.problem.policies:
            return t
        explore, which = self.row(t)
        return int(which * self.problem.policies) if explore < EXPLORATION else None

    def next(self) -> int:
        """Return the policy of the next episode."""
        forced = self.forced(self.collected)
        return self.greedy() if forced is None else forced

    def epoch(self, left: int) -> Epoch:
        """Return the episodes until the policy changes."""
        policy, n = self.next(), 0
        moving: list[Fraction] = []
        while n < left and self.next() == policy:
            moving += self.moving(policy)
            most = 1
            if self.forced(self.collected) is None:
                while most < self.ahead(left - n) and self.forced(self.collected + most) is None:
                    most += 1
            seen = self.arena.peek(policy, most)
            used = self.learn(policy, self.earned(seen))
            self.arena.commit(policy, used)
            self.collected += used
            n += used
        return self.made(policy, n, moving, n < left, self.cost(policy))

    def learn(self, policy: int, rewards: list[int]) -> int:
        """Take in rewards until the policy is no longer the best; return how many were taken in."""
        used = 0
        for reward in rewards:
            self.n[policy] += 1
            self.s[policy] += reward
            used += 1
            if used < len(rewards) and self.greedy() != policy:
                break
        return used


class Uniform(Unwarmed):
    """Plays a uniformly random policy in every episode, whatever has been seen."""

    def __init__(self, problem: LearningProblem, seed: int) -> None:
        super().__init__(problem, seed)
        self.drawn: list[int] = []

    def chosen(self, t: int) -> int:
        """Return the policy of data episode t."""
        while t >= len(self.drawn):
            self.drawn += self.random.integers(self.problem.policies, size=AHEAD).tolist()
        return self.drawn[t]

    def epoch(self, left: int) -> Epoch:
        """Return the episodes until another policy is drawn."""
        policy, n = self.chosen(self.collected), 0
        moving: list[Fraction] = []
        while n < left and self.chosen(self.collected) == policy:
            moving += self.moving(policy)
            self.arena.skip(policy, 1)
            self.collected += 1
            n += 1
        return self.made(policy, n, moving, n < left, self.cost(policy))


def learner(
    name: str,
    problem: LearningProblem,
    radius: ConfidenceRadius | None,
    seed: int,
    T: int,
    ties: Ties,
    nested: Nested | Netted | None = None,
) -> Plays:
    """Return the algorithm of that name before its first episode.

    ``T`` is for the algorithms that must know the horizon. ``radius`` is that of a class whose assumptions are
    certified, ``nested`` the schedule of a class whose claim ``regret`` is proved.
    """
    makers: dict[str, Callable[[], Plays]] = {
        "mini-batch": lambda: MiniBatch(problem, seed, T),
        "epsilon-greedy": lambda: EpsilonGreedy(problem, seed),
        "uniform": lambda: Uniform(problem, seed),
    }
    if radius is not None:
        makers |= {
            "epoch-omle": lambda: Learner(problem, radius, seed, ties=ties),
            "epoch-fixed": lambda: Learner(problem, radius, seed, test=False, ties=ties),
            "flat-batch": lambda: FlatBatch(problem, radius, seed, T, ties),
            "posterior-sampling": lambda: PosteriorSampling(problem, radius, seed, ties),
        }
    if isinstance(nested, Netted):
        makers["nested"] = lambda: NetLearner(problem, nested, seed)
    elif nested is not None:
        makers["nested"] = lambda: NestedLearner(problem, nested, seed)
    return makers[name]()
