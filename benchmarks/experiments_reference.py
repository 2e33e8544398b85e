"""The paper's experiments as plain loops, one episode at a time: what the vectorised ones must equal draw for draw.

Written apart from ``pomgcheck.experiments`` and ``pomgcheck.experiments.closed_form``; only numpy's generators are shared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, exp, log, log2

import numpy as np

LOWER, UPPER, STEPS = 1 / 8, 7 / 8, 1 << 40


def divergence(p: float, q: float) -> float:
    """KL of two coins."""
    return p * log(p / q) + (1 - p) * log((1 - p) / (1 - q))


def clipped(total: float, count: int) -> float:
    """The estimate of a mean."""
    return min(max(total / count, LOWER), UPPER)


def confidence_value(total: float, count: int, beta: float) -> float:
    """The KL upper confidence value of an arm that was played, by bisection on a grid of 2^40 steps."""
    p = clipped(total, count)
    low, high = 0, STEPS + 1
    while high - low > 1:
        middle = (low + high) // 2
        q = LOWER + (UPPER - LOWER) * (middle / STEPS)
        if q <= p or count * divergence(p, q) <= beta:
            low = middle
        else:
            high = middle
    return LOWER + (UPPER - LOWER) * (low / STEPS)


def bandit(
    T: int,
    means: Sequence[float],
    seed: int,
    test: bool = True,
    m: int = 1,
    transient: float = 0.0,
    c: float = 1.0,
    running: bool = False,
) -> tuple[int, int, int, list[int], list[int], float]:
    """Experiments 1 and 2: epochs, terminations, changes of the arm, data and warm-up episodes of each arm, regret of all
    episodes."""
    d, delta = len(means), 0.01
    uniforms = np.random.default_rng(seed).random(T)
    counts, totals, warm, regret = [0] * d, [0] * d, [0] * d, 0.0
    played = collected = epochs = terminations = changes = 0
    deployed = -1

    def radius(e: int, collected: int, t: int) -> float:
        eps: float = 2.0 ** -ceil(log2(collected + 2))
        budget = 2 * e * e / delta * (2 * t * (t + 1) if running and t else 1)
        return c * (d * log(2 * (UPPER - LOWER) / eps) + log(budget) + m)

    while played < T:
        epochs += 1
        unplayed = [arm for arm in range(d) if counts[arm] == 0]
        if unplayed:
            arm, promised = unplayed[-1], UPPER
        else:
            beta = radius(epochs, collected, 0)
            values = [confidence_value(totals[arm], counts[arm], beta) for arm in range(d)]
            arm = values.index(max(values))
            promised = values[arm]
        changes, deployed = changes + (arm != deployed), arm
        for _ in range(min(m - 1, T - played)):
            warm[arm] += 1
            played += 1
            regret += max(means) - means[arm] + transient
        t = 0
        while played < T and t < 2**epochs:
            reward = uniforms[collected] < means[arm]
            counts[arm] += 1
            totals[arm] += int(reward)
            collected, played, t = collected + 1, played + 1, t + 1
            regret += max(means) - means[arm]
            evidence = counts[arm] * divergence(clipped(totals[arm], counts[arm]), promised)
            if test and evidence > 2 * radius(epochs, collected, t) + 1e-9:
                terminations += 1
                break
    return epochs, terminations, changes, counts, warm, regret


class Listed:
    """``nested`` on arms, one at a time: points, what an entry may lag behind, the list of (arm, point)."""

    def __init__(self, arms: int, points: Sequence[float], start: float, slope: float, quantum: float) -> None:
        self.points, self.start, self.slope = points, start, slope
        self.counts, self.totals = [0] * arms, [0] * arms
        self.left: list[set[int]] = [set() for _ in range(arms)]

        def key(entry: tuple[int, int]) -> tuple[float, int, int]:
            arm, place = entry
            if not quantum:
                return -points[place], -arm, 0
            bucket = ceil(points[place] / quantum)
            return -bucket, arm if bucket % 2 else -arm, place

        self.entries = sorted(((arm, place) for arm in range(arms) for place in range(len(points))), key=key)
        self.deployed, self.kept = -1, True

    def lags(self, arm: int) -> list[float]:
        """How far each point of an arm lags behind the best."""
        lost = self.counts[arm] - self.totals[arm]
        L = [self.totals[arm] * log(q) + lost * log(1 - q) for q in self.points]
        return [max(L) - x for x in L]

    def refuted(self, arm: int) -> set[int]:
        """The points of an arm that lag too far behind."""
        allowed = self.start + self.slope * self.counts[arm]
        return {place for place, lag in enumerate(self.lags(arm)) if lag > allowed}

    def next(self, own: Sequence[int]) -> tuple[int, int]:
        """The first entry that is left; ``own`` are the points of the arms' cells."""
        arm = self.deployed
        if arm >= 0:
            self.left[arm] |= self.refuted(arm)
            self.kept = self.kept and own[arm] not in self.left[arm]
            if len(self.left[arm]) == len(self.points):
                self.left[arm] = self.refuted(arm)
        return next(entry for entry in self.entries if entry[1] not in self.left[entry[0]])


def nested(
    T: int, means: Sequence[float], seed: int, listed: Listed, own: Sequence[int], m: int = 1
) -> tuple[int, int, int, list[int], list[int], bool]:
    """``nested`` on the bandit of Experiments 1 and 2: entries deployed and refuted, changes of the arm, data and warm-up
    episodes of each arm, whether all their points were kept."""
    uniforms = np.random.default_rng(seed).random(T)
    warm = [0] * len(means)
    played = collected = epochs = refuted = changes = 0
    while played < T:
        arm, place = listed.next(own)
        epochs += 1
        if arm != listed.deployed:
            changes += 1
            skipped = min(m - 1, T - played)
            warm[arm], played = warm[arm] + skipped, played + skipped
        listed.deployed = arm
        while played < T:
            listed.counts[arm] += 1
            listed.totals[arm] += int(uniforms[collected] < means[arm])
            collected, played = collected + 1, played + 1
            if place in listed.refuted(arm):
                refuted += 1
                break
    listed.next(own)
    return epochs, refuted, changes, listed.counts, warm, listed.kept


def tilted(accuracy: Sequence[Sequence[float]]) -> Callable[[tuple[int, ...]], float]:
    """The value of the last rule of a window of four in Experiment 3, given acc(k, s) of the rules."""
    known: dict[tuple[int, ...], float] = {}

    def value(window: tuple[int, ...]) -> float:
        if window not in known:
            weights = [exp(2 * sum(1 - accuracy[k][s] for k in window) / 4) for s in range(len(accuracy[0]))]
            known[window] = sum(w * a for w, a in zip(weights, accuracy[window[-1]], strict=True)) / sum(weights)
        return known[window]

    return value


def nested_digits(
    T: int, seed: int, accuracy: Sequence[Sequence[float]], listed: Listed, own: Sequence[int]
) -> tuple[list[float], bool]:
    """``nested`` on Experiment 3: cumulative regret after every episode, and whether all points were kept."""
    uniforms, value = np.random.default_rng(seed).random(T), tilted(accuracy)
    best = max(value((k,) * 4) for k in range(len(accuracy)))
    window: tuple[int, ...] = ()
    regret: list[float] = []
    rule, place, warmup, refuted = -1, -1, 0, True
    for t in range(T):
        if not warmup and refuted:
            rule, place = listed.next(own)
            warmup, refuted = (3 if rule != listed.deployed else 0), False
            listed.deployed = rule
        window = (*window[1:], rule) if window else (rule,) * 4
        moving = len(set(window)) > 1
        regret.append((regret[-1] if regret else 0.0) + best - (value(window) - 0.15 * moving))
        if warmup:
            warmup -= 1
            continue
        listed.counts[rule] += 1
        listed.totals[rule] += int(uniforms[t] < value(window))
        refuted = place in listed.refuted(rule)
    listed.next(own)
    return regret, listed.kept


def digits(algorithm: str, T: int, seed: int, accuracy: Sequence[Sequence[float]]) -> tuple[list[int], list[float]]:
    """Experiment 3: the rule of every episode, and cumulative regret after it, given acc(k, s) of the rules."""
    K = len(accuracy)
    rng = np.random.default_rng(seed)
    uniforms, explore, drawn = rng.random(T), rng.random(T), rng.integers(K, size=T)
    value = tilted(accuracy)
    best = max(value((k,) * 4) for k in range(K))
    window: tuple[int, ...] = ()
    counts, totals, chosen, regret, sum_regret = [0] * K, [0.0] * K, [], [], 0.0
    e = left = epoch_count = stable = 0
    rule, promised, epoch_total = 0, UPPER, 0.0

    def radius(e: int, collected: int) -> float:
        return 0.5 * (ceil(log2(collected + 2)) * log(2) + log(2 * e * e / 0.01) + 1)

    for t in range(T):
        if algorithm == "uniform":
            rule = int(drawn[t])
        elif algorithm == "epsilon-greedy":
            if 0 in counts:
                rule = counts.index(0)
            elif explore[t] < 0.1:
                rule = int(drawn[t])
            else:
                means = [total / count for total, count in zip(totals, counts, strict=True)]
                rule = means.index(max(means))
        elif left == 0:
            e += 1
            beta = radius(e, t)
            if 0 in counts:
                rule, promised = counts.index(0), UPPER
            else:
                values = [confidence_value(totals[k], counts[k], beta) for k in range(K)]
                rule = values.index(max(values))
                promised = values[rule]
            left, epoch_count, epoch_total, stable = 2**e, 0, 0.0, 0
        window = (*window[1:], rule) if window else (rule,) * 4
        moving = len(set(window)) > 1
        reward = (uniforms[t] < value(window)) - 0.15 * moving
        counts[rule] += 1
        totals[rule] += reward
        sum_regret += best - (value(window) - 0.15 * moving)
        chosen.append(rule)
        regret.append(sum_regret)
        if algorithm.startswith("epoch"):
            left, epoch_count, epoch_total = left - 1, epoch_count + 1, epoch_total + reward
            stable = 0 if moving else stable + 1
            if algorithm == "epoch-omle" and stable >= 4:
                mean = clipped(epoch_total, epoch_count)
                if mean < promised and epoch_count * divergence(mean, promised) > 2 * radius(e, t + 1) + 1e-9:
                    left = 0
    return chosen, regret
