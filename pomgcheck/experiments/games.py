"""Declares what the paper could not run: Algorithm 1 with its exact oracles on games of three steps with hidden states,
``nested`` and six rivals beside it.

Each class is certified before it is run, and each run is an ordinary one: the same seeds under the same certificate
give it again by ``pomgcheck run``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple

from pomgcheck import gallery
from pomgcheck.experiments import between, watch
from pomgcheck.experiments.declared import Choice, Remark, Series, curve, panel, table, text
from pomgcheck.learner.record import RunRecord
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load
from pomgcheck.processes import shared
from pomgcheck.search.certify import certify

TITLE = "Beyond the paper: Algorithm 1 with exact oracles on hidden-state games"
# of the gallery: class -> how it is certified
GALLERY: dict[str, dict[str, Any]] = {
    "patrol": {},
    "tiger": {},
    "routes": {},
    "kuhn": {"lipschitz": "policy"},
    "digits": {"form": "joint", "lipschitz": "policy"},
}
# of the watch: class -> what is made large
LARGE: dict[str, dict[str, Any]] = {
    "watch with 96 models": {"worlds": 12, "responses": 8, "memory": 3},
    "watch with 1000 models": {"worlds": 8, "responses": 5, "bands": 3, "memory": 3},
    "watch with 100 policies": {"chances": 10},
    "watch with six steps": {"horizon": 6, "dark": True},
}
CLASSES = (*GALLERY, *LARGE)
T, SEEDS = 2**13, 20
RIVAL_SEEDS = 5
T_COVERED, COVERED = 2**10, 200
T_SWEEP = 2**11
SWEPT = "tiger"
MEMORIES, RATES = (1, 2, 4, 8, 16), ("0", "1/2", "3/4", "7/8")
RNG = "numpy.random.Generator(numpy.random.PCG64(seed)), 5H numbers per episode"
SAYS = "the gallery's patrol; those of the other classes are named in the record"
THEORY, PRACTICAL, EAGER, NESTED = "Algorithm 1, theory", "Algorithm 1, practical", "Algorithm 1, eager", "nested"
LEARNERS: dict[str, dict[str, Any]] = {
    NESTED: {"algorithm": "nested"},
    THEORY: {"algorithm": "epoch-omle", "constants": "theory"},
    PRACTICAL: {"algorithm": "epoch-omle", "constants": "practical"},
    EAGER: {"algorithm": "epoch-omle", "constants": "practical", "c": "1/10"},
}
RIVALS = ("epoch-fixed", "flat-batch", "mini-batch", "posterior-sampling", "epsilon-greedy", "uniform")
GUARANTEED = (NESTED, THEORY)  # ξ* stays with probability 1 - delta by a theorem
CONSTANTS = {
    "classes": ", ".join(GALLERY),
    **{name: ", ".join(f"{key} {value}" for key, value in large.items()) for name, large in LARGE.items()},
    "theory": "c = 16, C_0 = 6(e-2)",
    "practical": "c = 1, threshold 2 beta_e(t); of the rivals too",
    "eager": "practical, with c = 1/10",
    "nested": "delta of the certificate, 1/20",
    "T": "2^13 (curves), 2^11 (sweeps), 2^10 (coverage)",
    "seeds": "20; 200 for coverage; 5 of the six rivals",
}
CHOICES = (
    Choice("truth", "the class's own", "each class states a true model; the watch's is x = 1/4, y = 1/5"),
    Choice(
        "watch",
        "patrol, where x is what a patrol adds to the chance of an alarm; 3 x 2 models, 4 policies, "
        "3 steps and a memory of 2 but for what is made large",
        "in patrol the policy that looks best at first is the best; here it is the worst",
    ),
    Choice(
        "time", "T counts data episodes; warm-up regret is added in the sweeps", "the paper's remark on time accounting"
    ),
    Choice("sweeps", "tiger with another memory or a fading one, certified anew", "one thing changes at a time"),
)


def stamped() -> dict[str, Any]:
    """Return the class of the certificate that stands beside the record."""
    return dict(gallery.load("patrol").document)


class Found(NamedTuple):
    """This holds a certificate's digests, and the runs under it by name."""

    stamp: dict[str, str]
    runs: dict[str, RunRecord]

    def only(self, name: str) -> Mapping[str, Any]:
        """Return the one algorithm of a run."""
        (found,) = self.runs[name].document["runs"]
        return dict(found)


def found(says: str, document: dict[str, Any], runs: dict[str, dict[str, Any]], **options: Any) -> Found:
    """Certify a class and make its runs."""
    certificate = certify(load(document), **options)
    stamp = {"says": says, "sha256": certificate.sha256, "model_sha256": certificate.model_sha256}
    return Found(stamp, {name: run(certificate, **asked) for name, asked in runs.items()})


def with_memory(memory: int) -> dict[str, Any]:
    """Return Tiger against a longer or shorter memory."""
    document = dict(gallery.load(SWEPT).document)
    return document | {"responses": document["responses"] | {"memory": memory}}


def with_fading(gamma: str) -> dict[str, Any]:
    """Return Tiger against a fading memory."""
    document = dict(gallery.load(SWEPT).document)
    responses = {key: value for key, value in document["responses"].items() if key not in ("memory", "block_rule")}
    return document | {"responses": responses | {"block_rule": "fading", "gamma": gamma}}


def regrets(record: RunRecord, key: str = "regret") -> list[list[float]]:
    """Return regrets by recorded time and seed, or a total by seed."""
    (only,) = record.document["runs"]
    if key == "regret":
        times = range(len(record.document["t"]))
        return [[float(Fraction(seed["regret"][k])) for seed in only["seeds"]] for k in times]
    return [[float(Fraction(seed[key])) for seed in only["seeds"]]]


def curves(name: str) -> Found:
    """Return one class: every learner's curves, coverage over many seeds, and the start of two runs made by itself."""
    if name in LARGE:
        says, document = f"the {name}", watch.document(name.replace(" ", "-"), **LARGE[name])
    else:
        says, document = f"the gallery's {name}", dict(gallery.load(name).document)
    runs = {label: {"episodes": T, "seeds": SEEDS} | options for label, options in LEARNERS.items()}
    for label in RIVALS:
        runs[label] = {"episodes": T, "seeds": RIVAL_SEEDS, "algorithm": label, "constants": "practical"}
    for label, options in LEARNERS.items():
        runs[f"{label}, coverage"] = {"episodes": T_COVERED, "seeds": COVERED} | options
    for label in (NESTED, PRACTICAL):
        runs[f"{label}, prefix"] = {"episodes": T // 8, "seeds": SEEDS} | LEARNERS[label]
    return found(says, document, runs, **GALLERY.get(name, {}))


def remembering(memory: int) -> Found:
    """Return Tiger with another memory: Algorithm 1 and ``nested``."""
    base = {"episodes": T_SWEEP, "seeds": SEEDS}
    runs = {label: base | LEARNERS[label] for label in (PRACTICAL, NESTED)}
    return found(f"tiger with memory {memory}", with_memory(memory), runs)


def fading(gamma: str) -> Found:
    """Return Tiger with a fading memory: Algorithm 1 with both warm-ups of Theorem 5.2, and ``nested`` with its own."""
    base = {"episodes": T_SWEEP, "seeds": SEEDS}
    runs = {warmup: base | LEARNERS[PRACTICAL] | {"warmup": warmup} for warmup in ("horizon", "epoch")}
    runs |= {label: base | LEARNERS[label] for label in (THEORY, NESTED)}
    return found(f"tiger with fading memory, gamma = {gamma}", with_fading(gamma), runs)


def part(kind: str, what: Any) -> Any:
    """Return one part of the whole, which depends on no other."""
    parts: dict[str, Callable[[Any], Any]] = {
        "class": curves,
        "memory": remembering,
        "fading": fading,
        "between": between.at,
    }
    return parts[kind](what)


def results(tell: Callable[[str, int, int], None], jobs: int = 1) -> dict[str, Any]:
    """Return the tables, remarks, figures and stamps of the whole, its parts shared among processes."""
    parts = [
        *(("class", name) for name in CLASSES),
        *(("memory", m) for m in MEMORIES),
        *(("fading", gamma) for gamma in RATES),
        *(("between", T) for T in between.HORIZONS),
    ]
    made: dict[str, dict[Any, Any]] = {}
    tell("games", 0, len(parts))
    for k, (asked, each) in enumerate(zip(parts, shared(part, parts, jobs, ordered=True), strict=True), 1):
        kind, what = asked
        made.setdefault(kind, {})[what] = each
        tell(f"games: {kind} {what}", k, len(parts))
    classes, memory, fading = made["class"], [*made["memory"].values()], [*made["fading"].values()]
    bounded = [*made["between"].values()]
    return {
        "table": promises(classes),
        "tables": [covered(classes), lost(classes), switched(classes)],
        "figures": [*figures(classes, memory, fading), between.figure(bounded)],
        "remarks": [remark._asdict() for remark in (*remarks(classes, memory, fading), between.remark(bounded))],
        "also": [each.stamp for each in (*classes.values(), *memory, *fading, *bounded)],
    }


# -- tables


def share(found: Found, label: str) -> Fraction:
    """Return in what share of the many seeds xi* stayed in every set."""
    record = found.runs[f"{label}, coverage"].document
    return Fraction(found.only(f"{label}, coverage")["summary"]["truth_in_every_set"], len(record["seeds"]))


class Paid(NamedTuple):
    """This compares the seeds of one run with its theorem: the largest share of the bound that a seed with xi* in every
    set lost by the end, and whether no such seed was above the bound at any time."""

    share: Fraction
    within: bool


def paid(found: Found, name: str) -> Paid:
    """Return what the seeds of a run of ``nested`` lost of what Theorem N allows."""
    only = found.only(name)
    allowed, whole = [Fraction(x) for x in only["bound"]["data"]], Fraction(only["bound"]["lines"]["regret"])
    kept = [seed for seed in only["seeds"] if seed["truth_in_every_set"]]
    within = all(Fraction(x) <= most for seed in kept for x, most in zip(seed["regret"], allowed, strict=True))
    totals = [Fraction(seed["total_regret"]) for seed in kept]
    share = max((total / whole for total in totals if whole), default=Fraction(0))
    return Paid(share, within and all(total <= whole for total in totals))


def promises(classes: Mapping[str, Found]) -> list[dict[str, Any]]:
    """Return what theorems promise of these runs, the worst of all classes beside it."""
    rows = []
    for label in GUARANTEED:
        deltas = {Fraction(each.only(f"{label}, coverage")["constants"]["delta"]) for each in classes.values()}
        worst = min(classes, key=lambda name: share(classes[name], label))
        least = share(classes[worst], label)
        rows.append(
            {
                "what": f"{label}: share of {COVERED} seeds with ξ* in every set, least on {worst}",
                "paper": f"≥ {text(float(1 - min(deltas)))}",
                "ours": text(float(least)),
                "spread": None,
                "within": least >= 1 - min(deltas),
            }
        )
    for name, seeds in ((NESTED, SEEDS), (f"{NESTED}, coverage", COVERED)):
        found = {each: paid(classes[each], name) for each in classes}
        worst = max(found, key=lambda each: found[each].share)
        episodes = T if name == NESTED else T_COVERED
        rows.append(
            {
                "what": f"nested, {seeds} seeds: of what Theorem N allows the most that one with ξ* kept lost by "
                f"T = {episodes}, on {worst}; within: at every time, on every class",
                "paper": "≤ 1",
                "ours": text(float(found[worst].share)),
                "spread": None,
                "within": all(each.within for each in found.values()),
            }
        )
    return rows


def covered(classes: Mapping[str, Found]) -> Series:
    """Return one row per class: how often xi* stayed."""
    rows = [[name, *(text(float(share(each, label))) for label in LEARNERS)] for name, each in classes.items()]
    return table(f"Share of {COVERED} seeds with ξ* in every set, T = {T_COVERED}.", ["Class", *LEARNERS], rows)


def lost(classes: Mapping[str, Found]) -> Series:
    """Return one row per class: mean regret with warm-up of every learner, and what Theorem N allows ``nested``."""
    rows = []
    for name, each in classes.items():
        bound = each.only(NESTED)["bound"]
        ends = [fmean(regrets(each.runs[label], "total_regret")[0]) for label in (*LEARNERS, *RIVALS)]
        trivial = float(Fraction(bound["parts"]["D"]) * T)
        rows.append([name, *map(text, ends), text(float(bound["lines"]["regret"])), text(trivial)])
    caption = (
        f"Mean regret with warm-up at T = {T}: {SEEDS} seeds, of the six rivals {RIVAL_SEEDS}; beside it what Theorem N "
        "allows nested under this truth, and the most that any learner can lose."
    )
    return table(caption, ["Class", *LEARNERS, *RIVALS, "bound of nested", "D T"], rows)


def switched(classes: Mapping[str, Found]) -> Series:
    """Return one row per class: epochs started."""
    rows = [
        [name, *(text(fmean(seed["S_T"] for seed in each.only(label)["seeds"])) for label in LEARNERS)]
        for name, each in classes.items()
    ]
    caption = f"Epochs started by T = {T}, mean over {SEEDS} seeds; of nested they are the models deployed."
    return table(caption, ["Class", *LEARNERS], rows)


def prefix(classes: Mapping[str, Found], label: str) -> bool:
    """Return whether every seed of the shorter run is the beginning of the longer one (Theorem 5.1)."""
    for each in classes.values():
        short, long = each.runs[f"{label}, prefix"].document, each.runs[label].document
        k = len(short["t"])
        if short["t"] == long["t"][:k]:
            for one, other in zip(short["runs"][0]["seeds"], long["runs"][0]["seeds"], strict=True):
                if one["regret"] != other["regret"][:k]:
                    return False
    return True


# -- figures


def figures(classes: Mapping[str, Found], memory: Sequence[Found], fading: Sequence[Found]) -> list[Series]:
    """Return the regret of each class, and the two sweeps."""
    panels = []
    for name, each in classes.items():
        times = each.runs[NESTED].document["t"]
        lines = [curve(label, regrets(each.runs[label])) for label in (NESTED, THEORY, PRACTICAL, *RIVALS)]
        if not any(float(x) for line in lines[:3] for x in line["mean"]):
            continue  # said in a remark
        panels.append(panel(name, times, "data episodes t", "PR(t)", lines, ("log2", "log10")))

    def totals(found: Sequence[Found], name: str, key: str = "total_regret") -> list[list[float]]:
        return [regrets(each.runs[name], key)[0] for each in found]

    by_memory = panel(
        "(a) memory",
        MEMORIES,
        "memory m",
        "regret",
        [
            curve("Algorithm 1, with warm-up", totals(memory, PRACTICAL)),
            curve("Algorithm 1, in warm-up", totals(memory, PRACTICAL, "warmup_regret")),
            curve("nested, with warm-up", totals(memory, NESTED)),
            curve("nested, in warm-up", totals(memory, NESTED, "warmup_regret")),
        ],
        ("log2", "linear"),
    )
    rates = [1 / float(1 - Fraction(gamma)) for gamma in RATES]
    by_rate = panel(
        "(b) fading memory",
        rates,
        "1/(1 − γ)",
        "regret with warm-up",
        [
            *(
                curve(f"Algorithm 1, warm-up for the {warmup}", totals(fading, warmup))
                for warmup in ("horizon", "epoch")
            ),
            curve("nested", totals(fading, NESTED)),
        ],
        ("log2", "linear"),
    )
    return [
        {
            "name": "regret",
            "panels": panels,
            "caption": "Policy regret with exact oracles, warm-up apart; where a curve begins late, nothing was lost before.",
            "bands": f"Bands: two standard errors over {SEEDS} seeds, of the six rivals {RIVAL_SEEDS}.",
            "alt": "Regret against data episodes, a panel a class",
        },
        {
            "name": "memory",
            "panels": [by_memory, by_rate],
            "caption": "Tiger against longer memories, and against fading ones: Algorithm 1 with practical constants and "
            "both warm-ups of Theorem 5.2, and nested, which warms up only where the policy changes.",
            "alt": "Regret and its part in warm-up against the memory, and against the effective memory of a fading one",
        },
    ]


def terminations(classes: Mapping[str, Found]) -> dict[str, int]:
    """Return how often the test ended an epoch, over all seeds, by class and constants of Algorithm 1."""
    return {
        f"{name}, {label}": sum(seed["terminations"] for seed in each.only(label)["seeds"])
        for name, each in classes.items()
        for label in (THEORY, PRACTICAL, EAGER)
    }


def remarks(classes: Mapping[str, Found], memory: Sequence[Found], fading: Sequence[Found]) -> list[Remark]:
    """Return what the runs show."""
    fired = terminations(classes)
    silent = [label for label, count in fired.items() if not count]
    ends = {
        name: [fmean(regrets(each.runs[name], "total_regret")[0]) for each in fading]
        for name in ("horizon", "epoch", NESTED)
    }
    guaranteed = {each.only(THEORY)["guarantee"] for each in fading}
    kept = [each.only(THEORY)["summary"]["truth_in_every_set"] for each in fading]
    free = [
        name
        for name, each in classes.items()
        if not any(chain(*(regrets(each.runs[label])[-1] for label in (NESTED, THEORY, PRACTICAL))))
    ]
    ratios = {
        name: fmean(regrets(each.runs[NESTED], "total_regret")[0]) / most
        for name, each in classes.items()
        if (most := fmean(regrets(each.runs[THEORY], "total_regret")[0]))
    }
    longest = [fmean(regrets(memory[-1].runs[label], "total_regret")[0]) for label in (NESTED, PRACTICAL)]
    return [
        Remark(
            "Horizon-adaptivity (Theorem 5.1): a run to T/8 is, in every seed and class, the start of that to T; so it is "
            "of nested on finite classes.",
            f"{'yes' if prefix(classes, PRACTICAL) else 'no'}; {'yes' if prefix(classes, NESTED) else 'no'}",
        ),
        Remark(
            "nested needs no constants of the paper's Assumptions 2.3, 2.4 and 3.1(c)-(e), and ends an epoch as soon as "
            "its model is refuted.",
            "its regret over that of Algorithm 1 with theory constants: "
            + "; ".join(f"{name} {ratio:.4f}" for name, ratio in ratios.items()),
        ),
        Remark(
            "It warms up only where the policy changes.",
            f"tiger with memory {MEMORIES[-1]}, regret with warm-up: nested {longest[0]:.1f}, Algorithm 1 with practical "
            f"constants {longest[1]:.1f}",
        ),
        Remark(
            "Where the test is silent Algorithm 1 is the fixed schedule; on classes of this size that is the rule.",
            f"no termination in {len(silent)} of {len(fired)} settings: {'; '.join(silent) or '–'}",
        ),
        Remark(
            "Where the policy that is optimistic at the start is the best, there is nothing to lose; such a class "
            "is not drawn.",
            f"no regret of nested or Algorithm 1 in any run of {', '.join(free) or 'none'}",
        ),
        Remark(
            "The two warm-ups of Theorem 5.2, the one that knows T and the one that does not, and that of nested.",
            f"regret with warm-up at the slowest fading: {ends['horizon'][-1]:.2f}, {ends['epoch'][-1]:.2f} and "
            f"{ends[NESTED][-1]:.2f}",
        ),
        Remark(
            "With theory constants, and the radius enlarged by what a fading transient can move, a run that warms "
            "up for its T has a guarantee.",
            f"{'; '.join(sorted(guaranteed))}; ξ* in every set in {min(kept)} of {SEEDS} seeds or more",
        ),
    ]
