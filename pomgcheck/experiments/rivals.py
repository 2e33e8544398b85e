"""Plays the learners of Experiment 3 against the opponent who tilts the classes: the windows of rules that they play.

A run reads ``rng = default_rng(seed)``: U = rng.random(T), one number per episode, the rule is right if U < its value;
the baselines then read X = rng.random(T) (explore if X < 0.1) and Y = rng.integers(6, size=T), which rule to explore.
``nested`` is not of the paper: it warms up for three episodes before every run of a rule, and does not learn from them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pomgcheck.experiments.bandit import BanditRadius
from pomgcheck.experiments.closed_form import Floats, Ints, ProductBernoulli
from pomgcheck.experiments.corpus import MEMORY, PENALTY, RULES, DigitsGame
from pomgcheck.experiments.nested import ArmNet, ListWalk

STABLE = 4  # episodes of one rule before the test may end an epoch
EXPLORATION = 0.1
UNIT = RULES**3 + RULES**2 + RULES + 1  # the code of the window of rule 1 alone


class Random:
    """These are the random numbers of a seed."""

    def __init__(self, seed: int, T: int) -> None:
        rng = np.random.default_rng(seed)
        self.U, self.X, self.Y = rng.random(T), rng.random(T), rng.integers(RULES, size=T)


def epochs(
    game: DigitsGame, T: int, randoms: Sequence[Random], radius: BanditRadius, arms: ProductBernoulli, test: bool
) -> Ints:
    """Return the window of every episode of the epoch algorithm (seeds, T)."""
    R = len(randoms)
    rewards, starts = settled(game, T, randoms)
    U = np.stack([random.U for random in randoms])
    n, s = np.zeros((R, RULES), dtype=np.int64), np.zeros((R, RULES))
    played = np.empty((R, T), dtype=np.int64)  # codes of the windows
    t, code = np.zeros(R, dtype=np.int64), np.full(R, -1)
    e, active = 0, np.arange(R)
    while len(active):
        e += 1
        arm, promised = arms.choose(n[active], s[active], radius.beta(e, t[active], np.ones(1)), fresh="first")
        most = np.minimum(2**e, T - t[active])
        before = t[active].copy()
        code[active] = np.where(code[active] < 0, UNIT * arm, code[active])
        total, unstable = np.zeros(len(active)), np.zeros(len(active), dtype=np.int64)
        for k in range(1, MEMORY):  # the window still holds other rules
            here = np.flatnonzero(k <= most)
            run = active[here]
            code[run] = code[run] % RULES ** (MEMORY - 1) * RULES + arm[here]
            moving = game.moving[code[run]]
            total[here] += (U[run, t[run]] < game.value[code[run]]) - PENALTY * moving
            unstable[here] = np.where(moving, k, unstable[here])
            played[run, t[run]] = code[run]
            t[run] += 1
        used = np.minimum(most, MEMORY - 1)
        alone = np.minimum(most, unstable + STABLE - 1) - used  # more episodes before the test may end the epoch
        at = starts[active, arm] + before + used
        reward = rewards[at + alone] - rewards[at]
        count, left = used + alone, most - used - alone
        if test:
            stop = np.zeros(len(active), dtype=np.int64)
            run = np.flatnonzero(left > 0)
            base, begun = count[run], before[run]

            def threshold(i: Ints, t: Ints, e: int = e, base: Ints = base, begun: Ints = begun) -> Floats:
                return radius.threshold(e, begun[i], base[i] + t, np.ones(1))

            stop[run] = arms.refuted(
                base, (total + reward)[run], rewards, (at + alone)[run], left[run], promised[run], threshold, below=True
            )
            left = np.where(stop > 0, stop, left)
        whole = count + left
        reward += rewards[at + alone + left] - rewards[at + alone]
        for i, row in enumerate(active.tolist()):
            played[row, before[i] + used[i] : before[i] + whole[i]] = UNIT * arm[i]
        code[active] = np.where(whole >= MEMORY, UNIT * arm, code[active])
        n[active, arm] += whole
        s[active, arm] += total + reward
        t[active] = before + whole
        active = active[t[active] < T]
    return played


def settled(game: DigitsGame, T: int, randoms: Sequence[Random]) -> tuple[Ints, Ints]:
    """Return the cumulative rewards of every rule against its own stationary tilt, and where those of (seed, rule)
    begin."""
    R = len(randoms)
    hits = np.zeros((R, RULES, T + 1), dtype=np.int64)
    for k, random in enumerate(randoms):
        np.cumsum(random.U < game.stationary()[:, None], axis=1, out=hits[k, :, 1:])
    return hits.reshape(-1), (np.arange(R)[:, None] * RULES + np.arange(RULES)) * (T + 1)


def nested(game: DigitsGame, T: int, randoms: Sequence[Random], net: ArmNet) -> tuple[Ints, list[bool]]:
    """Return the window of every episode of ``nested`` (seeds, T), and in which seeds every rule kept the point of its
    cell."""
    R = len(randoms)
    rewards, starts = settled(game, T, randoms)
    walk = ListWalk(net, R, game.stationary().tolist())
    played = np.empty((R, T), dtype=np.int64)
    t, code, runs = np.zeros(R, dtype=np.int64), np.full(R, -1), np.arange(R)
    while len(runs):
        arm, point = walk.plan(runs)
        changed = arm != walk.arm[runs]
        code[runs] = np.where(code[runs] < 0, UNIT * arm, code[runs])
        for _ in range(1, MEMORY):  # the warm-up, after which the window is constant
            here = changed & (t[runs] < T)
            run = runs[here]
            code[run] = code[run] % RULES ** (MEMORY - 1) * RULES + arm[here]
            played[run, t[run]] = code[run]
            t[run] += 1
        at = starts[runs, arm] + t[runs]
        used, _ = walk.refuted(runs, arm, point, rewards, at, T - t[runs])
        walk.learn(runs, arm, used, rewards[at + used] - rewards[at])
        code[runs] = np.where(used > 0, UNIT * arm, code[runs])
        for row, begun, count in zip(runs.tolist(), t[runs].tolist(), used.tolist(), strict=True):
            played[row, begun : begun + count] = code[row]
        t[runs] += used
        runs = runs[t[runs] < T]
    walk.plan(np.arange(R))  # so that the data of the last epochs are heard
    return played, [not lost for lost in walk.lost.tolist()]


def epsilon_greedy(game: DigitsGame, T: int, random: Random) -> Ints:
    """Return the window of every episode (T,): each rule once, then the rule of best empirical mean, or with
    probability 0.1 a uniformly random one.

    The best rule is kept from one exploration to the next unless its own mean falls to another's, so only that mean is
    followed in between; the first of equal means is the best."""
    value, penalty = game.value.tolist(), (PENALTY * game.moving).tolist()
    explored = np.flatnonzero((random.X < EXPLORATION) | (np.arange(T) < RULES)).tolist()
    chosen, U = [*range(RULES), *random.Y[explored[RULES:]].tolist()], random.U.tolist()
    n, s, mean, codes = [0] * RULES, [0.0] * RULES, [0.0] * RULES, [0] * T
    code, cut = 0, RULES ** (MEMORY - 1)  # the window begins with rule 0 alone

    def play(rule: int, t: int, end: int) -> int:
        """Play a rule from t on, until ``end`` or until it is no longer the best, and return the next episode."""
        nonlocal code
        count, total, average = n[rule], s[rule], mean[rule]
        before, after = max(mean[:rule], default=-1.0), max(mean[rule + 1 :], default=-1.0)
        while t < end:
            code = codes[t] = code % cut * RULES + rule
            total += (U[t] < value[code]) - penalty[code]
            count, t = count + 1, t + 1
            average = total / count
            if average < after or average <= before:
                break
        n[rule], s[rule], mean[rule] = count, total, average
        return t

    for t, rule, following in zip(explored, chosen, [*explored[1:], T], strict=True):
        t = play(rule, t, t + 1)
        while t < following:
            t = play(mean.index(max(mean)), t, following)
    return np.array(codes)


def uniform(T: int, random: Random) -> Ints:
    """Return the window of every episode (T,): a uniformly random rule each time."""
    Y = np.concatenate([[random.Y[0]] * (MEMORY - 1), random.Y])
    code: Ints = np.sum([Y[k : k + T] * RULES ** (MEMORY - 1 - k) for k in range(MEMORY)], axis=0)
    return code
