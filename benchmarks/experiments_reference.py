"""The paper's experiments as plain loops, one episode at a time: what the vectorised ones must equal draw for draw.

Written apart from ``pomgcheck.experiments`` and ``pomgcheck.experiments.closed_form``; only numpy's generators are shared.
"""

from __future__ import annotations

from collections.abc import Sequence
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
) -> tuple[int, int, list[int], list[int], float]:
    """Experiments 1 and 2: epochs, terminations, data and warm-up episodes of each arm, regret of all episodes."""
    d, delta = len(means), 0.01
    uniforms = np.random.default_rng(seed).random(T)
    counts, totals, warm, regret = [0] * d, [0] * d, [0] * d, 0.0
    played = collected = epochs = terminations = 0

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
    return epochs, terminations, counts, warm, regret


def digits(algorithm: str, T: int, seed: int, accuracy: Sequence[Sequence[float]]) -> tuple[list[int], list[float]]:
    """Experiment 3: the rule of every episode, and cumulative regret after it, given acc(k, s) of the rules."""
    K, classes = len(accuracy), len(accuracy[0])
    rng = np.random.default_rng(seed)
    uniforms, explore, drawn = rng.random(T), rng.random(T), rng.integers(K, size=T)
    known: dict[tuple[int, ...], float] = {}

    def value(window: tuple[int, ...]) -> float:
        if window not in known:
            weights = [exp(2 * sum(1 - accuracy[k][s] for k in window) / 4) for s in range(classes)]
            known[window] = sum(w * a for w, a in zip(weights, accuracy[window[-1]], strict=True)) / sum(weights)
        return known[window]

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
