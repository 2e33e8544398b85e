"""Declares Experiment 2: regret and deployed policies against horizon, arms and memory."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2, sqrt
from statistics import fmean

from pomgcheck.experiments import necessity, nested
from pomgcheck.experiments.bandit import Instance, PlayedSeed, play
from pomgcheck.experiments.declared import (
    Beside,
    Choice,
    Measured,
    Remark,
    Series,
    Target,
    curve,
    panel,
    reference,
    slope,
    table,
    text,
)
from pomgcheck.experiments.necessity import CLASS, OTHERS, radius

TITLE = "Experiment 2: how regret and switches scale"
SEEDS, RNG = necessity.SEEDS, necessity.RNG
HORIZONS = tuple(2**k for k in range(8, 18))
ARMS, MEMORIES = (2, 4, 8, 16, 32), (1, 2, 4, 8, 16)
D, T_FIXED, GAP, TRANSIENT, SHRINKING = 8, 2**14, 0.15, 0.3, 0.6
CONSTANTS = necessity.CONSTANTS | {
    "T": "2^8, ..., 2^17 (a, b); 2^14 (c, d)",
    "d": "8 (a, b, d); 2, 4, 8, 16, 32 (c)",
    "gap": "0.6 sqrt(d/T) (a, b, c); 0.15 (d)",
    "m": "1 (a, b, c); 1, 2, 4, 8, 16 (d)",
}
CHOICES = (
    *necessity.SHARED,
    Choice("instance", "arm 0 has mean 1/2 + gap, every other 1/2", "the paper gives the gap only"),
    Choice(
        "warm-up",
        "min(m-1, T-t) episodes at the start of every epoch, counted in T, their data discarded",
        "panel (d) fixes T = 2^14 for every m; the total is flat only so",
    ),
    Choice("transient", "a warm-up episode costs the arm's gap and 0.3", "the paper's fixed reduction by 0.3"),
    Choice("slopes", "least squares on the logarithms of seed means, all points", "the paper: over the full range"),
)
TARGETS = (
    Target("a", "(a) slope of PR(T) in T", ".53", 0.53, 0.005),
    Target("b", "(b) slope of S_T in T", ".35", 0.35, 0.005),
    Target("above", "(b) S_T exceeds log2(2T) from T = 2^k on, k", "11", 11),
    Target("c", "(c) slope of PR(T) in d", ".78", 0.78, 0.005),
    Target("share", "(d) warm-up share of the total at m = 16", "about 14 %", 0.14, 0.005),
    Target("flat", "(d) largest over smallest total over m", "“flat”", 1.0, 0.1),
)


def shrinking(d: int, T: int) -> Instance:
    """Return the instance with gap 0.6 sqrt(d/T)."""
    return Instance(T, (OTHERS + SHRINKING * sqrt(d / T), *[OTHERS] * (d - 1)))


def remembering(m: int) -> Instance:
    """Return the instance of panel (d): an opponent of memory m, and warm-up episodes that cost 0.3 more."""
    return Instance(T_FIXED, (OTHERS + GAP, *[OTHERS] * (D - 1)), m, TRANSIENT)


def horizons(seeds: Sequence[int], running: bool = False, c: float = 1.0) -> list[list[PlayedSeed]]:
    """Return the runs of panels (a) and (b)."""
    return play([shrinking(D, T) for T in HORIZONS], seeds, radius(D, c, running), CLASS)


def memories(seeds: Sequence[int], running: bool = False, c: float = 1.0) -> list[list[PlayedSeed]]:
    """Return the runs of panel (d)."""
    return play([remembering(m) for m in MEMORIES], seeds, radius(D, c, running), CLASS)


def arms(seeds: Sequence[int], c: float = 1.0) -> list[list[PlayedSeed]]:
    """Return the runs of panel (c)."""
    return [play([shrinking(d, T_FIXED)], seeds, radius(d, c), CLASS)[0] for d in ARMS]


def regrets(instances: Sequence[Instance], found: Sequence[Sequence[PlayedSeed]]) -> list[list[float]]:
    """Return the regret by instance and seed."""
    return [[one.regret(problem) for one in seeds] for problem, seeds in zip(instances, found, strict=True)]


def measure(seeds: Sequence[int]) -> Measured:
    """Return the figures of all four panels."""
    by_T, by_m = horizons(seeds), memories(seeds)
    long = regrets([shrinking(D, T) for T in HORIZONS], by_T)
    switches = [[float(one.epochs) for one in found] for found in by_T]
    wide = regrets([shrinking(d, T_FIXED) for d in ARMS], arms(seeds))
    total = regrets([remembering(m) for m in MEMORIES], by_m)
    warmup = [[one.warmup_regret(remembering(m)) for one in found] for m, found in zip(MEMORIES, by_m, strict=True)]
    totals = list(map(fmean, total))
    figures = {
        "a": slope(HORIZONS, list(map(fmean, long))),
        "b": slope(HORIZONS, list(map(fmean, switches))),
        "above": float(exceeds(list(map(fmean, switches)))),
        "c": slope(ARMS, list(map(fmean, wide))),
        "share": fmean(warmup[-1]) / totals[-1],
        "flat": max(totals) / min(totals),
    }
    return Measured(figures, {"long": long, "switches": switches, "wide": wide, "total": total, "warmup": warmup})


def beside(seeds: Sequence[int], found: Measured) -> Beside:
    """Return ``nested`` and Algorithm 1 with the theorem's c, on the same instances and seeds."""
    long, wide, kept = [shrinking(D, T) for T in HORIZONS], [shrinking(d, T_FIXED) for d in ARMS], remembering(16)
    listed = [
        [[each.played for each in nested.play(problem, seeds, CLASS)] for problem in problems]
        for problems in (long, wide, [remembering(m) for m in MEMORIES])
    ]
    runs = {
        "nested": listed,
        "c = 1": [horizons(seeds), arms(seeds), memories(seeds)],
        "c = 16": [horizons(seeds, c=16.0), arms(seeds, c=16.0), memories(seeds, c=16.0)],
    }
    most = text(float(nested.net(D, HORIZONS[-1], CLASS).numbers.regret(HORIZONS[-1])))
    rows: list[list[str]] = [
        [name]
        for name in (
            "(a) slope of PR(T) in T",
            "(a) PR(T) at T = 2^17",
            "(a) over uniform play at T = 2^17",
            "(b) epochs started at T = 2^17",
            "(b) runs of one arm at T = 2^17",
            "(c) slope of PR(T) in d",
            "(d) PR(T) at m = 16",
            "(d) of it in warm-up",
            "(d) runs of one arm at m = 16",
        )
    ]
    for by_T, by_d, by_m in runs.values():
        means, across = ([fmean(x) for x in regrets(*pair)] for pair in ((long, by_T), (wide, by_d)))
        ends = (
            slope(HORIZONS, means),
            means[-1],
            means[-1] / uniform_regret(HORIZONS[-1]),
            fmean(one.epochs for one in by_T[-1]),
            fmean(one.changes for one in by_T[-1]),
            slope(ARMS, across),
            fmean(one.regret(kept) for one in by_m[-1]),
            fmean(one.warmup_regret(kept) for one in by_m[-1]),
            fmean(one.changes for one in by_m[-1]),
        )
        for row, end in zip(rows, ends, strict=True):
            row.append(text(end))
    rows.insert(2, ["(a) PR(T) at most, by its theorem", most, "", ""])
    head = ["Figure", "nested", "Algorithm 1, c = 1", "Algorithm 1, c = 16"]
    series = {
        "nested long": regrets(long, listed[0]),
        "nested switches": [[float(one.changes) for one in each] for each in listed[0]],
        "nested wide": regrets(wide, listed[1]),
        "nested total": regrets([remembering(m) for m in MEMORIES], listed[2]),
    }
    return Beside([table("On the same instances and seeds.", head, rows)], series)


def exceeds(switches: Sequence[float]) -> int:
    """Return the least k from which on the mean S_T is above log2(2T), where T = 2^k; it is one past the last where
    there is none."""
    first: int = HORIZONS[-1].bit_length()
    for T, mean in reversed(list(zip(HORIZONS, switches, strict=True))):
        if mean <= log2(2 * T):
            break
        first = T.bit_length() - 1
    return first


def through(x: Sequence[float], power: float, value: float) -> list[float]:
    """Return the power law through ``value`` at the first x."""
    return [value * (u / x[0]) ** power for u in x]


def uniform_regret(T: int) -> float:
    """Return the expected regret of uniform play on the shrinking instance, whose slope in T is exactly 1/2."""
    problem = shrinking(D, T)
    return T * float(problem.gaps().mean())


def figures(series: Series) -> list[Series]:
    """Return the paper's four panels, and the ratio to uniform play."""
    means = {name: list(map(fmean, columns)) for name, columns in series.items()}
    logarithmic, by_T = ("log2", "log2"), "horizon T"

    def algorithms(name: str, beside: str = "nested") -> list[Series]:
        return [curve("epoch-omle", series[name]), curve(beside, series[f"nested {name}"])]

    def power(label: str, x: Sequence[int], exponent: float, name: str) -> Series:
        return reference(label, through(x, exponent, means[name][0]))

    growth = [reference("log₂(2T)", [log2(2 * T) for T in HORIZONS])]
    growth += [power("√T through the first point", HORIZONS, 0.5, "switches")]
    slopes = [power("slope 1/2", ARMS, 0.5, "wide"), power("slope 1", ARMS, 1, "wide")]
    totals = [curve("total", series["total"]), curve("nested, total", series["nested total"])]
    runs = algorithms("switches", "nested, runs of one arm")
    root = power("slope 1/2", HORIZONS, 0.5, "long")
    panels = [
        panel("(a) horizon", HORIZONS, by_T, "PR(T)", [*algorithms("long"), root], logarithmic),
        panel("(b) deployed policies", HORIZONS, by_T, "$S_T$", [*runs, *growth], logarithmic),
        panel("(c) arms", ARMS, "arms d", "PR(T)", [*algorithms("wide"), *slopes], logarithmic),
        panel(
            "(d) memory",
            MEMORIES,
            "memory m",
            "PR(T)",
            [*totals, curve("in warm-up", series["warmup"])],
            ("log2", "linear"),
        ),
    ]
    ratio, listed = (
        [[x / uniform_regret(T) for x in column] for T, column in zip(HORIZONS, series[name], strict=True)]
        for name in ("long", "nested long")
    )
    uniform = reference("uniform play", [1.0] * len(HORIZONS))
    curves = [curve("epoch-omle", ratio), curve("nested", listed), uniform]
    e = panel("Regret over that of uniform play", HORIZONS, by_T, "ratio", curves, ("log2", "linear"))
    return [
        {
            "name": "scaling",
            "panels": panels,
            "caption": "Policy regret against horizon, arms and memory, and epochs started.",
            "alt": "Four panels: regret and epochs grow with T, regret with the arms; the total is flat in the memory",
        },
        {
            "name": "ratio",
            "panels": [e],
            "caption": "The gap shrinks like 1/√T, so uniform play has slope exactly 1/2; what the algorithm gains on "
            "it is the ratio.",
            "alt": "The ratio to uniform play against T",
        },
    ]


def remarks(seeds: Sequence[int], found: Measured) -> list[Remark]:
    """Return the remarks that the paper's text does not make, shown on the same seeds."""
    running = [fmean(one.epochs for one in found) for found in horizons(seeds, running=True)]
    totals = [fmean(column) for column in regrets([remembering(m) for m in MEMORIES], memories(seeds, running=True))]
    by_T = [fmean(x) for x in found.series["long"]]
    ratios = [x / uniform_regret(T) for T, x in zip(HORIZONS, by_T, strict=True)]
    return [
        Remark(
            "Algorithm 1's own running budget δ_e/(2t(t+1)) does not give the paper's figures: the slope of S_T is "
            "smaller and the total is not flat in m.",
            f"slope of S_T {slope(HORIZONS, running):.3f}; totals over m from {min(totals):.0f} to "
            f"{max(totals):.0f}, {100 * (max(totals) / min(totals) - 1):.0f} % apart",
        ),
        Remark(
            "The slope .53 in T is nearly automatic: the gap shrinks like 1/√T, and uniform play has slope "
            f"exactly {slope(HORIZONS, [uniform_regret(T) for T in HORIZONS]):.2f}.",
            f"regret over that of uniform play: {ratios[0]:.3f} at T = 2^8, {ratios[-1]:.3f} at T = 2^17",
        ),
    ]
