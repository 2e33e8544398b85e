"""Counts the policy regret of a seed's epochs, exactly and in expectation (Definition 2.1), and its aggregate over
seeds.

T counts data episodes; the regret of warm-up episodes is tallied apart and added for the total (Remark "time
accounting").  Text is exact where it is short ("p/q"), and otherwise a decimal of 15 significant digits.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from math import isqrt
from typing import Any

from pomgcheck.learner.confidence import decimal
from pomgcheck.learner.epochs import Epoch
from pomgcheck.learner.journal import Seed, Tally
from pomgcheck.learner.likelihood import PRECISION, UNIT
from pomgcheck.learner.oracles import written
from pomgcheck.learner.problem import LearningProblem

SHORT = 24  # characters of the longest fraction written as such
DIGITS = Context(prec=15)


def text(value: Fraction | Decimal) -> str:
    """Return an exact number as the record writes it."""
    if isinstance(value, Fraction):
        short = value.numerator.bit_length() + value.denominator.bit_length() <= 4 * SHORT
        if short and len(str(value)) <= SHORT:
            return str(value)
        with localcontext(prec=PRECISION):
            value = decimal(value)
    return str(DIGITS.plus(value))


def grid(T: int) -> list[int]:
    """Return the episodes at which regret is recorded: floor(2^(k/4)) up to T, and T."""
    roots = (isqrt(isqrt(2**k)) for k in range(4 * T.bit_length()))
    return sorted({t for t in roots if t <= T} | {T})


def regret(epochs: Sequence[Epoch], times: Sequence[int]) -> list[Fraction]:
    """Return the cumulative regret of the first t data episodes, for increasing times t."""
    result, before, k = [], Fraction(0), 0
    for t in times:
        while epochs[k].start + epochs[k].episodes < t:
            before += epochs[k].regret(epochs[k].episodes)
            k += 1
        result.append(before + epochs[k].regret(t - epochs[k].start))
    return result


def warmup_regret(epochs: Sequence[Epoch]) -> Fraction:
    """Return the regret of all warm-up episodes."""
    return sum((epoch.warmup_cost for epoch in epochs), Fraction(0))


def terminations(epochs: Sequence[Epoch]) -> int:
    """Return how many epochs the test ended."""
    return sum(epoch.ended == "test" for epoch in epochs)


def started(epochs: Sequence[Epoch], times: Sequence[int]) -> list[int]:
    """Return how many epochs were started by each of the increasing times t: those with a data episode among the first
    t."""
    starts = [epoch.start for epoch in epochs]
    return [bisect_left(starts, t) for t in times]


def always(epochs: Sequence[Epoch]) -> bool | None:
    """Return whether xi* was in every confidence set, or ``None`` where the algorithm has no such sets."""
    if any(epoch.covered is None for epoch in epochs):
        return None
    return all(epoch.covered for epoch in epochs)


def described(problem: LearningProblem, e: int, epoch: Epoch) -> dict[str, Any]:
    """Return one epoch of the record."""
    game = problem.game
    planned: dict[str, Any] = {"xi": None, "value": None, "gap": None}
    if epoch.model is not None:
        theta, Phi = problem.point(epoch.model)
        promised = problem.promised(epoch.policy, epoch.model)
        planned = {
            "xi": {"theta": written(theta), "Phi": written(Phi)},
            "value": None if promised is None else text(promised),
            "gap": "infinite" if epoch.gap is None else text(Decimal(epoch.gap) / UNIT),
        }
    return planned | {
        "e": e,
        "policy": game.policy_names[epoch.policy],
        "start": epoch.start,
        "episodes": epoch.episodes,
        "ended": epoch.ended,
        "regret": text(epoch.regret(epoch.episodes)),
        "warmup": epoch.warmup,
        "warmup_regret": text(epoch.warmup_cost),
        "beta": None if epoch.beta is None else text(epoch.beta),
        "threshold": None if epoch.threshold is None else text(epoch.threshold),
        "truth_inside": epoch.covered,
        "models_inside": epoch.inside,
    }


def tally(epochs: Sequence[Epoch], times: Sequence[int]) -> Tally:
    """Return what the summary needs of a seed."""
    return Tally(regret(epochs, times), warmup_regret(epochs), len(epochs), terminations(epochs), always(epochs))


def seed_result(
    problem: LearningProblem, seed: int, epochs: Sequence[Epoch], times: Sequence[int], listed: bool = True
) -> Seed:
    """Return the entry of one seed in the record, with its epochs where they are ``listed``, and its tally."""
    total = tally(epochs, times)
    entry = {
        "seed": seed,
        "regret": [text(value) for value in total.regret],
        "warmup_regret": text(total.warmup),
        "total_regret": text(total.regret[-1] + total.warmup),
        "S_T": total.S_T,
        "terminations": total.terminations,
        "warmup_episodes": sum(epoch.warmup for epoch in epochs),
        "truth_in_every_set": total.inside,
        "started": started(epochs, times),
        "epochs": [described(problem, e, epoch) for e, epoch in enumerate(epochs, start=1)] if listed else None,
    }
    return Seed(entry, total)


def summary(seeds: Sequence[Tally], times: Sequence[int]) -> dict[str, Any]:
    """Return the mean and twice the standard error over seeds, and the log-log slope of the mean regret over a stated
    window."""
    by_time = list(zip(*(seed.regret for seed in seeds), strict=True))
    means = [mean(values) for values in by_time]
    warmup, inside = [seed.warmup for seed in seeds], [seed.inside for seed in seeds]
    totals = {
        "warmup_regret": warmup,
        "total_regret": [data + extra for data, extra in zip(by_time[-1], warmup, strict=True)],
        "S_T": [Fraction(seed.S_T) for seed in seeds],
        "terminations": [Fraction(seed.terminations) for seed in seeds],
    }
    return {
        "regret": {"mean": [text(value) for value in means], "two_se": [two_se(values) for values in by_time]},
        **{name: {"mean": text(mean(values)), "two_se": two_se(values)} for name, values in totals.items()},
        "slope": slope(times, means),
        "truth_in_every_set": None if None in inside else sum(map(bool, inside)),
    }


def mean(values: Sequence[Fraction]) -> Fraction:
    """Return the exact mean."""
    return sum(values, Fraction(0)) / len(values)


def two_se(values: Sequence[Fraction]) -> str | None:
    """Return 2 s / sqrt(n), where s is the sample standard deviation, or ``None`` for a single seed."""
    n, centre = len(values), mean(values)
    if n == 1:
        return None
    variance = sum(((x - centre) ** 2 for x in values), Fraction(0)) / (n - 1)
    with localcontext(prec=PRECISION):
        return text(decimal(4 * variance / n).sqrt())


def slope(times: Sequence[int], means: Sequence[Fraction]) -> dict[str, Any]:
    """Return the slope of least squares of log mean regret on log t over the last factor of 64 of t, or ``None`` where
    the regret is zero."""
    T = times[-1]
    low = max(1, T // 64)
    points = [(t, value) for t, value in zip(times, means, strict=True) if t >= low and value > 0]
    with localcontext(prec=PRECISION):
        x, y = [Decimal(t).ln() for t, _ in points], [decimal(value).ln() for _, value in points]
        if len(points) < 2:
            return {"from": low, "to": T, "value": None}
        zero = Decimal(0)
        centre = sum(x, zero) / len(x)
        covariance = sum(((u - centre) * v for u, v in zip(x, y, strict=True)), zero)
        return {"from": low, "to": T, "value": text(covariance / sum(((u - centre) ** 2 for u in x), zero))}
