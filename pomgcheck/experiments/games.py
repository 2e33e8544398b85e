"""What the paper could not run: Algorithm 1 with its exact oracles on games of three steps with hidden states.

Each class is certified before it is run, and each run is an ordinary one: the same seeds under the same certificate
give it again by ``pomgcheck run``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pomgcheck import gallery
from pomgcheck.experiments import between, watch
from pomgcheck.experiments.declared import Choice, Remark, Series, curve, panel, text
from pomgcheck.learner.record import RunRecord
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify

TITLE = "Beyond the paper: Algorithm 1 with exact oracles on hidden-state games"
# of the gallery: class -> how it is certified
GALLERY: dict[str, dict[str, Any]] = {"patrol": {}, "tiger": {}, "digits": {"form": "joint", "lipschitz": "policy"}}
# of the watch: class -> what is made large
LARGE: dict[str, dict[str, Any]] = {
    "watch with 96 models": {"worlds": 12, "responses": 8, "memory": 3},
    "watch with 1000 models": {"worlds": 8, "responses": 5, "bands": 3, "memory": 3},
    "watch with 100 policies": {"chances": 10},
    "watch with six steps": {"horizon": 6, "dark": True},
}
CLASSES = (*GALLERY, *LARGE)
T, SEEDS = 2**12, 20
T_COVERED, COVERED = 2**10, 200
T_SWEEP = 2**11
SWEPT = "tiger"
MEMORIES, RATES = (1, 2, 4, 8, 16), ("0", "1/2", "3/4", "7/8")
RNG = "numpy.random.Generator(numpy.random.PCG64(seed)), 5H numbers an episode"
SAYS = "the gallery's patrol; those of the other classes are named in the record"
LEARNERS = (
    ("Algorithm 1, theory", {"algorithm": "epoch-omle", "constants": "theory"}),
    ("Algorithm 1, practical", {"algorithm": "epoch-omle", "constants": "practical"}),
    ("Algorithm 1, eager (c = 1/10)", {"algorithm": "epoch-omle", "constants": "practical", "c": "1/10"}),
    ("flat-batch, practical", {"algorithm": "flat-batch", "constants": "practical"}),
)
CONSTANTS = {
    "classes": ", ".join(GALLERY),
    **{name: ", ".join(f"{key} {value}" for key, value in large.items()) for name, large in LARGE.items()},
    "theory": "c = 16, C_0 = 6(e-2)",
    "practical": "c = 1, threshold 2 beta_e(t)",
    "T": "2^12 (curves), 2^11 (sweeps), 2^10 (coverage)",
    "seeds": "20; 200 for coverage",
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
    """The class of the certificate that stands beside the record."""
    return dict(gallery.load("patrol").document)


class Found(NamedTuple):
    """A certificate's digests, and runs under it by name."""

    stamp: dict[str, str]
    runs: dict[str, RunRecord]


def found(says: str, document: dict[str, Any], runs: dict[str, dict[str, Any]], **options: Any) -> Found:
    """Certify a class and make its runs."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "class.cert.json"
        certificate = certify(load(document), **options)
        certificate.save(path)
        stamp = {"says": says, **{key: certificate.document[key] for key in ("sha256", "model_sha256")}}
        return Found(stamp, {name: run(path, **asked) for name, asked in runs.items()})


def with_memory(memory: int) -> dict[str, Any]:
    """Tiger against a longer or shorter memory."""
    document = dict(gallery.load(SWEPT).document)
    return document | {"responses": document["responses"] | {"memory": memory}}


def with_fading(gamma: str) -> dict[str, Any]:
    """Tiger against a fading memory."""
    document = dict(gallery.load(SWEPT).document)
    responses = {key: value for key, value in document["responses"].items() if key not in ("memory", "block_rule")}
    return document | {"responses": responses | {"block_rule": "fading", "gamma": gamma}}


def regrets(record: RunRecord, key: str = "regret") -> list[list[float]]:
    """By recorded time and seed, or a total by seed."""
    (only,) = record.document["runs"]
    if key == "regret":
        times = range(len(record.document["t"]))
        return [[float(Fraction(seed["regret"][k])) for seed in only["seeds"]] for k in times]
    return [[float(Fraction(seed[key])) for seed in only["seeds"]]]


def switches(record: RunRecord) -> list[list[float]]:
    """Epochs started, by recorded time and seed."""
    (only,) = record.document["runs"]
    return [list(map(float, column)) for column in zip(*(seed["started"] for seed in only["seeds"]), strict=True)]


def curves(name: str) -> Found:
    """One class: every learner's curves, and coverage over many seeds."""
    if name in LARGE:
        says, document = f"the {name}", watch.document(name.replace(" ", "-"), **LARGE[name])
    else:
        says, document = f"the gallery's {name}", dict(gallery.load(name).document)
    runs = {label: {"episodes": T, "seeds": SEEDS} | options for label, options in LEARNERS}
    for label, options in LEARNERS[:3]:
        runs[f"{label}, coverage"] = {"episodes": T_COVERED, "seeds": COVERED} | options
    runs["prefixes"] = {"episodes": T // 8, "seeds": SEEDS} | LEARNERS[1][1]
    return found(says, document, runs, **GALLERY.get(name, {}))


def swept() -> tuple[list[Found], list[Found]]:
    """The memory sweep, and the fading one with both warm-ups."""
    base = {"episodes": T_SWEEP, "seeds": SEEDS, "algorithm": "epoch-omle", "constants": "practical"}
    memory = [found(f"tiger with memory {m}", with_memory(m), {"run": base}) for m in MEMORIES]
    fading = [
        found(
            f"tiger with fading memory, gamma = {gamma}",
            with_fading(gamma),
            {warmup: base | {"warmup": warmup} for warmup in ("horizon", "epoch")}
            | {"theory": base | {"constants": "theory"}},
        )
        for gamma in RATES
    ]
    return memory, fading


def coverage(name: str, label: str, record: RunRecord) -> dict[str, Any]:
    """A row: in how many seeds xi* stayed in every confidence set, beside 1 - delta."""
    (only,) = record.document["runs"]
    delta = Fraction(only["constants"]["delta"])
    share = Fraction(only["summary"]["truth_in_every_set"], len(record.document["seeds"]))
    theory = only["constants"]["kind"] == "theory"
    return {
        "what": f"{name}, {label}: share of {COVERED} seeds with ξ* in every set",
        "paper": f"≥ {text(float(1 - delta))}" if theory else "–",
        "ours": text(float(share)),
        "spread": None,
        "within": share >= 1 - delta if theory else None,
    }


def prefix(classes: dict[str, Found]) -> bool:
    """Whether every seed of the shorter run is the beginning of the longer one (Theorem 5.1)."""
    for each in classes.values():
        short, long = each.runs["prefixes"].document, each.runs[LEARNERS[1][0]].document
        k = len(short["t"])
        if short["t"] == long["t"][:k]:
            for one, other in zip(short["runs"][0]["seeds"], long["runs"][0]["seeds"], strict=True):
                if one["regret"] != other["regret"][:k]:
                    return False
    return True


def results(tell: Callable[[str, int, int], None]) -> dict[str, Any]:
    """Table, remarks, figures and stamps of the whole."""
    classes: dict[str, Found] = {}
    parts = len(CLASSES) + 2
    for k, name in enumerate(CLASSES):
        tell(f"games: {name}", k, parts)
        classes[name] = curves(name)
    tell("games: sweeps", parts - 2, parts)
    memory, fading = swept()
    tell("games: between the bounds", parts - 1, parts)
    bounded = [between.at(T) for T in between.HORIZONS]
    rows = [
        coverage(name, label.removeprefix("Algorithm 1, "), each.runs[f"{label}, coverage"])
        for name, each in classes.items()
        for label, _ in LEARNERS[:3]
    ]
    return {
        "table": rows,
        "figures": [*figures(classes, memory, fading), between.figure(bounded)],
        "remarks": [remark._asdict() for remark in (*remarks(classes, memory, fading), between.remark(bounded))],
        "also": [*(each.stamp for each in (*classes.values(), *memory, *fading)), *(each.stamp for each in bounded)],
    }


def figures(classes: dict[str, Found], memory: Sequence[Found], fading: Sequence[Found]) -> list[Series]:
    """Regret of each class, and the two sweeps."""
    panels, epochs = [], []
    for name, each in classes.items():
        times = each.runs[LEARNERS[0][0]].document["t"]
        started = [curve(label, switches(each.runs[label])) for label, _ in LEARNERS[:3]]
        epochs.append(panel(name, times, "data episodes t", "epochs started", started, ("log2", "linear")))
        lines = [curve(label, regrets(each.runs[label])) for label, _ in LEARNERS]
        if not any(float(x) for line in lines for x in line["mean"]):
            continue  # said in a remark
        panels.append(panel(name, times, "data episodes t", "PR(t)", lines, ("log2", "linear")))
    deployed = [[float(seed["S_T"]) for seed in each.runs["run"].document["runs"][0]["seeds"]] for each in memory]
    total, warm = ([regrets(each.runs["run"], key)[0] for each in memory] for key in ("total_regret", "warmup_regret"))
    by_memory = panel(
        "(a) memory",
        MEMORIES,
        "memory m",
        "regret, epochs",
        [curve("regret with warm-up", total), curve("its part in warm-up", warm), curve("epochs $S_T$", deployed)],
        ("log2", "linear"),
    )
    rates = [1 / float(1 - Fraction(gamma)) for gamma in RATES]
    by_rate = panel(
        "(b) fading memory",
        rates,
        "1/(1 − γ)",
        "regret with warm-up",
        [
            curve(f"warm-up for the {warmup}", [regrets(each.runs[warmup], "total_regret")[0] for each in fading])
            for warmup in ("horizon", "epoch")
        ],
        ("log2", "linear"),
    )
    return [
        {
            "name": "regret",
            "panels": panels,
            "caption": "Policy regret with exact oracles, warm-up apart.",
            "alt": "Regret against data episodes, a panel a class",
        },
        {
            "name": "epochs",
            "panels": epochs,
            "caption": "Epochs started: where no test fires they are those of the schedule, log₂ t.",
            "alt": "Epochs started against data episodes, a panel a class",
        },
        {
            "name": "memory",
            "panels": [by_memory, by_rate],
            "caption": "Tiger against longer memories, and against fading ones with both warm-ups of Theorem 5.2.",
            "alt": "Regret and its part in warm-up against the memory, and against the effective memory of a fading one",
        },
    ]


def remarks(classes: dict[str, Found], memory: Sequence[Found], fading: Sequence[Found]) -> list[Remark]:
    """What the runs show."""
    fired = {
        f"{name}, {label}": sum(seed["terminations"] for seed in each.runs[label].document["runs"][0]["seeds"])
        for name, each in classes.items()
        for label, _ in LEARNERS[:3]
    }
    silent = [label for label, count in fired.items() if not count]
    ends = {
        warmup: [fmean(regrets(each.runs[warmup], "total_regret")[0]) for each in fading]
        for warmup in ("horizon", "epoch")
    }
    guaranteed = {each.runs["theory"].document["runs"][0]["guarantee"] for each in fading}
    covered = [each.runs["theory"].document["runs"][0]["summary"]["truth_in_every_set"] for each in fading]
    free = [
        name
        for name, each in classes.items()
        if not any(regrets(each.runs[label])[-1] != [0.0] * SEEDS for label, _ in LEARNERS)
    ]
    return [
        Remark(
            "Horizon-adaptivity (Theorem 5.1): a run to T/8 is, in every seed and class, the start of that to T.",
            "yes" if prefix(classes) else "no",
        ),
        Remark(
            "Where the test is silent Algorithm 1 is the fixed schedule; on classes of this size that is the rule.",
            f"no termination in {len(silent)} of {len(fired)} settings: {'; '.join(silent) or '–'}",
        ),
        Remark(
            "Where the policy that is optimistic at the start is the best, there is nothing to lose; such a class "
            "is not drawn.",
            f"no regret in any run of {', '.join(free) or 'none'}",
        ),
        Remark(
            "The two warm-ups of Theorem 5.2, the one that knows T and the one that does not.",
            f"regret with warm-up at the slowest fading: {ends['horizon'][-1]:.2f} and {ends['epoch'][-1]:.2f}",
        ),
        Remark(
            "With theory constants, and the radius enlarged by what a fading transient can move, a run that warms "
            "up for its T has a guarantee.",
            f"{'; '.join(sorted(guaranteed))}; ξ* in every set in {min(covered)} of {SEEDS} seeds or more",
        ),
    ]
