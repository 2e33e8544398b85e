"""Declares Experiment 1: without the termination test the average regret stays at 1/4 (Proposition D.5)."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from pomgcheck.experiments import nested
from pomgcheck.experiments.bandit import BanditRadius, Instance, PlayedSeed, play
from pomgcheck.experiments.closed_form import ProductBernoulli
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
    table,
    text,
)

TITLE = "Experiment 1: the termination test is necessary"
CLASS = ProductBernoulli(1 / 8, 7 / 8)
HORIZONS = tuple(2**k for k in range(8, 16))
BEST, OTHERS = 3 / 4, 1 / 2
SEEDS, COVERED = 20, 200
RNG = "U = numpy.random.default_rng(seed).random(T), one number per data episode, reward 1[U < mean]"
CONSTANTS = {
    "class": "[1/8, 7/8]^d, range R = 3/4",
    "c": "1",
    "delta": "1/100",
    "B_0": "1",
    "T": "2^8, ..., 2^15",
    "d": "ceil(log2 T) + 1",
    "radius": "beta(N, e) = d ln(2R/eps) + ln(2e^2/delta) + m B_0",
    "threshold": "2 beta(N, e) + 1e-9",
    "cap": "2^e",
    "nested": "a net of [1/8, 7/8] for each T, delta = 1/100, each arm tested by its own data, the last arm first",
}

SHARED = (
    Choice(
        "covering number",
        "log N(eps) = d ln(2R/eps), R = 3/4",
        "an eps-net of an interval of length R, a factor per arm",
    ),
    Choice("B_0", "1", "the paper's normalisation B_0 >= 1, taken as an equality"),
    Choice("delta", "1/100", "not printed; figures move little with it"),
    Choice("scale", "eps = 2^-ceil(log2(N+2)), N the data episodes so far", "Algorithm 1, line 4"),
    Choice("epoch index", "e counts every epoch, terminated ones too; cap 2^e", "Algorithm 1, line 3"),
    Choice(
        "budget of the test",
        "delta_e = delta/(2e^2) without the running 2t(t+1)",
        "with Algorithm 1's own budget slope of S_T and totals over m are not the paper's (see the remarks)",
    ),
    Choice("threshold", "2 beta, no C_0 term", "the paper: threshold 2 beta_e(t) in Experiments 1 and 2"),
    Choice("tolerance", "1e-9 above the threshold", "exact ties occur: promise and evidence come from the same counts"),
    Choice("fresh arms", "the unplayed arm of largest index first, promised 7/8", "the ties of Proposition D.5"),
    Choice("other ties", "the arm of smallest index", "the text is silent; the best arm has index 0"),
    Choice("S_T", "epochs started", "the paper: deployed policies, one per epoch"),
    Choice("seeds", "0, ..., 19, common to every instance", "twenty seeds are printed, not which"),
)
CHOICES = (*SHARED, Choice("instance", "arm 0 has mean 3/4, every other 1/2", "the index decides ties only"))

TARGETS = (
    Target("fixed", "fixed schedule: PR(T)/T, largest and smallest over T", ".250", 0.25),
    Target("test", "with the test: PR(T)/T at T = 2^15", ".100", 0.1, 0.0005),
)


def radius(d: int, c: float = 1.0, running: bool = False) -> BanditRadius:
    """Return the radius of a class of d arms."""
    return BanditRadius(d, 2 * (CLASS.upper - CLASS.lower), 0.01, c, running, 1e-9)


def instance(T: int) -> Instance:
    """Return the hard instance of horizon T; T is a power of two."""
    d = T.bit_length()  # log2(T) + 1
    return Instance(T, (BEST, *[OTHERS] * (d - 1)))


def average(instance: Instance, seeds: Sequence[PlayedSeed]) -> list[float]:
    """Return PR(T)/T of each seed."""
    return [played.regret(instance) / instance.T for played in seeds]


def played(T: int, seeds: Sequence[int], test: bool = True, c: float = 1.0) -> list[PlayedSeed]:
    """Return all seeds on the instance of horizon T."""
    problem = instance(T)
    return play([problem], seeds, radius(len(problem.means), c), CLASS, test)[0]


def measure(seeds: Sequence[int]) -> Measured:
    """Return both algorithms at every horizon."""
    tested = [average(instance(T), played(T, seeds)) for T in HORIZONS]
    fixed = [average(instance(T), played(T, seeds, test=False)) for T in HORIZONS]
    extreme = max((x for column in fixed for x in column), key=lambda x: abs(x - 0.25))
    return Measured({"fixed": extreme, "test": fmean(tested[-1])}, {"tested": tested, "fixed": fixed})


def beside(seeds: Sequence[int], found: Measured) -> Beside:
    """Return ``nested`` and Algorithm 1 with the theorem's c, on the same seeds, and how often ``nested`` kept its
    points."""
    T, d = HORIZONS[-1], len(instance(HORIZONS[-1]).means)
    walked = {T: nested.play(instance(T), seeds, CLASS) for T in HORIZONS}
    averages = [average(instance(T), [each.played for each in walked[T]]) for T in HORIZONS]
    practical, theory = played(T, seeds), played(T, seeds, c=16.0)
    runs = {"nested": [each.played for each in walked[T]], "c = 1": practical, "c = 16": theory}
    rows = [
        ["PR(T)/T", *(text(fmean(average(instance(T), each))) for each in runs.values())],
        ["epochs started", *(text(fmean(one.epochs for one in each)) for each in runs.values())],
        ["runs of one arm", *(text(fmean(one.changes for one in each)) for each in runs.values())],
        [
            "episodes of a bad arm",
            *(text(fmean(n for one in each for n in one.episodes[1:])) for each in runs.values()),
        ],
        ["PR(T)/T at most, by its theorem", text(float(nested.net(d, T, CLASS).numbers.regret(T)) / T), "", ""],
    ]
    shorter = HORIZONS[len(HORIZONS) // 2]
    many = nested.play(instance(shorter), range(COVERED), CLASS)
    held = f"{sum(each.kept for each in many)} of {COVERED} seeds at T = 2^{shorter.bit_length() - 1}"
    caption = f"T = 2^{T.bit_length() - 1}, {d} arms. nested kept the points of all arms' own cells in {held}."
    head = ["Figure", "nested", "Algorithm 1, c = 1", "Algorithm 1, c = 16"]
    return Beside([table(caption, head, rows)], {"nested": averages})


def figures(series: Series) -> list[Series]:
    """Return the paper's figure, and ``nested`` in it."""
    curves = [
        curve("fixed schedule", series["fixed"]),
        curve("with the termination test", series["tested"]),
        curve("nested", series["nested"]),
        reference("1/4", [0.25] * len(HORIZONS)),
    ]
    lines = panel("Average policy regret", HORIZONS, "horizon T", "PR(T)/T", curves, ("log2", "linear"))
    return [
        {
            "name": "regret",
            "panels": [lines],
            "caption": "Average policy regret on the hard instance, d = log₂T + 1 arms; the instance grows with T.",
            "alt": "Over T the fixed schedule stays at 0.25, the one with the test falls to about 0.10, nested far below",
        }
    ]


def remarks(seeds: Sequence[int], found: Measured) -> list[Remark]:
    """Return the remarks that the paper's text does not make, shown on the same seeds."""
    T = HORIZONS[-1]
    tested = fmean(found.series["tested"][-1])
    plays = [n for one in played(T, seeds) for n in one.episodes[1:]]
    theory = {T: played(T, seeds, c=16.0) for T in HORIZONS}
    fired = {T: sum(one.terminations for one in found) for T, found in theory.items()}
    averages = [x for T, found in theory.items() for x in average(instance(T), found)]
    when = ", ".join(f"{count} at T = 2^{T.bit_length() - 1}" for T, count in fired.items() if count) or "none"
    return [
        Remark(
            "“Within a few episodes”: at T = 2^15 a bad arm is played hundreds of times before it is refuted.",
            f"{fmean(plays):.0f} episodes per bad arm (mean over arms and seeds), which is PR(T)/T = {tested:.3f}",
        ),
        Remark(
            "With the theorem's c = 16 the test does not help at these horizons: the average regret stays at 1/4.",
            f"terminations in {len(seeds)} seeds: {when}; PR(T)/T from {min(averages):.4f} to {max(averages):.4f}",
        ),
    ]
