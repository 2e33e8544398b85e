"""What each step of docs/bound.md takes off the bound of Algorithm 1, and what runs pay: ``python -m docs.bounds`` writes
docs/bounds.md, with ``--play`` after it has played the runs of docs/bounds.json again (half a minute of processor time)."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import sqrt
from pathlib import Path
from statistics import fmean
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import PomgcheckError
from pomgcheck.kernel.bound import Premises, Radius, epochs_at_most, freedman, sharp, union
from pomgcheck.kernel.claims.eluder import channels
from pomgcheck.kernel.enclosures import interval, least, log, log2, root
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.paper_bound import binned, theorem
from pomgcheck.learner.run import run
from pomgcheck.reporting.claims.constants import premises
from pomgcheck.reporting.numbers import decimal
from pomgcheck.search.claims.kl import kl_conversion

ROOT = Path(__file__).parents[1]
PAGE, RUNS = ROOT / "docs" / "bounds.md", ROOT / "docs" / "bounds.json"
T, PLAYED, SEEDS = 16_384, 8_192, 3
ALGORITHMS = ("nested", "epoch-omle")
ARMS = ("bandit",)  # classes that hold every instance of the family of Theorem 4.1
BITS = 128  # of a divergence
HEAD = f"""# The bounds, step by step

At T = {T:,} and δ = 1/20, for every certificate here at this T of a finite class whose claims are all proved; rounded up. *Start* is the bound of Algorithm 1 with evidence summed over the epochs of a policy, Freedman's step at η = 1/2, and the horizon as range of the rewards. Each column to its right adds one step of
[docs/bound.md](bound.md): the last epoch of a policy counts for all (|Π|−1 in place of |Π|(1 + log T)); η tuned; ranges R and R′ in place of H; the fill at certified gaps, which is what the claim `constants` states. *By operators* is the paper's route with the bin lemma and the factor 1/p_min, computed and not certified; *summed* is the same with `--operators summed`, without the factor, c_KL and Eluder dimensions being those of sums. *Aggregate* is that with KL ≥ c F² (Remark D.13) for F^W and F^G each, in place of 3.1(e) step by step.
D T is the most that T settled episodes can lose. `nested` is Theorem N's bound of the schedule `nested` (claim `regret`). From T* on Algorithm 1's bound, and from T₀ on that of `nested`, is below D T.

| class | start | last epoch | η | ranges | fill: certified | by operators | summed | aggregate | D T | T* | `nested` | T₀ |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
"""
INTERVAL = f"""
## Classes with intervals

At T = {T:,}, where Theorem N is proved. N is how many entries the list of the net has, 1 where one policy is best in every model of the class, so that there is nothing to learn. D is a lower bound on what the costliest settled episode loses in some model. A dash says that Theorem 3.3 is not proved of the class.

| class | N | Algorithm 1: certified | T* | `nested` | T₀ | D T |
|---|---|---|---|---|---|---|
"""
PAID = f"""
## What runs pay

Mean regret of {SEEDS} seeds after {PLAYED:,} data episodes, warm-up included, with theory constants at the class's own true model, and beside it the bounds at the same T for that model and D T. A dash: the algorithm is not admitted or no bound is proved; on intervals Algorithm 1 is run on `bandit` alone, which it plans with in closed form, while the net of another class takes it minutes. The lower line is that of
[Theorem 4.1](bound.md), √(dT)/20: averaged over which arm is the good one no learner is below it. It is about a class that holds its whole family, which of these `bandit` alone does. Where Algorithm 1 loses next to nothing, the policies that it begins with happen to be the best. The runs are kept in `docs/bounds.json`.

| class | `nested` | its bound | Algorithm 1 | its bound | lower line | D T |
|---|---|---|---|---|---|---|
"""


def steps(p: Premises) -> Iterator[Fraction]:
    """The bound as it starts, and after each step but the last."""
    r, H = Radius(p, T), Fraction(p.H)
    lines, u = sharp(p, T), union(p, r, T)
    epochs = least(p.models - 1, p.policies * (1 + log(T)))
    firing = Fraction(7, 12) * 16 * (u + r.m * r.B_0)
    first = freedman(Fraction(1, 2), lines["sharp_threshold"], r.B_0, u, net=False)
    policies = interval(min(p.models, p.policies) - 1)
    for evidence, count, R, later in (
        (first, epochs, H, H),
        (first, policies, H, H),
        (lines["model_evidence"], policies, H, H),
        (lines["model_evidence"], policies, p.range, p.later),
    ):
        switches = log2(T + 2) + evidence * epochs / firing
        yield (R * root(T * evidence * count / 2) + r.warmup * later * switches).high


def facts_summed(document: Mapping[str, Any]) -> Facts:
    """What the kernel knows of the class where operators are summed."""
    return Facts(Game(document["model"]), document["options"] | {"operators": "summed"})


def summed(p: Premises, facts: Facts) -> Premises:
    """What the paper's route is made of where operators are summed."""
    known = facts.once(channels)
    c_J, c_W = (
        Fraction(kl_conversion(facts.game, facts.plays, world).values.get(f"c_KL_{name}_lower", 1))
        for name, world in (("joint", False), ("world", True))
    )
    d_W, d_G = (known[f"eluder-{side}"].upper(T) for side in ("world", "adversary"))
    return p._replace(least=Fraction(1), c_J=c_J, c_W=c_W, d_W=d_W, d_G=d_G)


def aggregate(facts: Facts) -> tuple[Fraction | None, Fraction | None]:
    """The largest c with KL >= c (F^W)^2, and with KL >= c (F^G)^2, over all models and policies; rounded down, and
    ``None`` where the errors are zero."""
    found: list[Fraction | None] = [None, None]
    for play in facts.plays:
        for x, y in product(play.models, repeat=2):
            if x == y or play.divergent(x, y):
                continue
            low = Fraction(play.divergence(x, y, BITS)[0], 1 << 2 * BITS)
            for k, compared in enumerate((y[0], (x[0], y[1]))):
                if error := play.error(x, compared):
                    ratio, known = low / error**2, found[k]
                    found[k] = ratio if known is None else min(ratio, known)
    return found[0], found[1]


def aggregated(p: Premises, c: tuple[Fraction | None, Fraction | None]) -> Fraction:
    """The paper's route with these in place of c_KL and of Cauchy and Schwarz over the steps: Q is Q_T / c."""
    r, evidence = Radius(p, T), sharp(p, T)["model_evidence"]
    error = sum(
        (binned(d, evidence / (ratio or 1), T) for d, ratio in zip((p.d_W, p.d_G), c, strict=True)), interval(0)
    )
    switches = epochs_at_most(p, r, r.B_0 * error, T)
    return (p.range / 2 * error + r.warmup * p.later * switches).high


def row(stem: str, document: Mapping[str, Any]) -> str:
    """One class."""
    values = {claim["id"]: claim["values"] for claim in document["claims"]}
    p = premises(Certificate(dict(document)), T)
    found, listed, facts = values["constants"], values["regret"], facts_summed(document)
    sums = summed(p, facts)
    numbers = [
        *steps(p),
        Fraction(found["sharp_regret_upper"]),
        theorem(p, T)["regret"].high,
        theorem(sums, T)["regret"].high,
        aggregated(sums, aggregate(facts)),
        Fraction(listed["D"]) * T,
    ]
    cells = [decimal(number, "up", digits=4) for number in numbers]
    cells += [f"{int(found['T_star']):,}", decimal(Fraction(listed["nested_regret_upper"]), "up", digits=4)]
    return f"| `{stem}` | {' | '.join(cells)} | {int(listed['worth_T']):,} |\n"


def interval_row(stem: str, document: Mapping[str, Any]) -> str:
    """One class with interval axes."""
    values = {claim["id"]: claim["values"] for claim in document["claims"]}
    found, listed = values["constants"], values["regret"]
    sharp, star = found.get("sharp_regret_upper"), found.get("T_star")
    cells = [
        f"{int(listed['N']):,}",
        "–" if sharp is None else decimal(Fraction(sharp), "up", digits=4),
        "–" if star is None else f"{int(star):,}",
        decimal(Fraction(listed["nested_regret_upper"]), "up", digits=4),
        f"{int(listed['worth_T']):,}",
        decimal(Fraction(listed["D_lower"]) * T, digits=4),
    ]
    return f"| `{stem}` | {' | '.join(cells)} |\n"


def paid_row(stem: str, kept: Mapping[str, Any]) -> str:
    """What the runs of a class paid."""
    cells = []
    for name in ALGORITHMS:
        found = kept[name]
        if found is None:
            cells += ["–", "–"]
            continue
        cells.append(f"{fmean(float(Fraction(x)) for x in found['regret']):.1f}")
        cells.append("–" if found["bound"] is None else decimal(Fraction(found["bound"]), "up", digits=4))
    arms = len(json.loads((ROOT / "certificates" / f"{stem}.cert.json").read_bytes())["model"]["policies"]["list"])
    cells.append(f"{sqrt(arms * PLAYED) / 20:.1f}" if stem in ARMS else "–")
    cells.append("–" if kept["D"] is None else decimal(Fraction(kept["D"]) * PLAYED, digits=4))
    return f"| `{stem}` | {' | '.join(cells)} |\n"


def paid(stem: str, path: Path, finite: bool) -> dict[str, Any]:
    """Three seeds of both algorithms under a certificate, as docs/bounds.json keeps them."""
    found: dict[str, Any] = {"model_sha256": json.loads(path.read_bytes())["model_sha256"], "D": None}
    for name in ALGORITHMS:
        if not finite and name == "epoch-omle" and stem not in ARMS:
            found[name] = None
            continue
        try:
            record = run(path, episodes=PLAYED, seeds=SEEDS, algorithm=name)
        except PomgcheckError:  # not admitted
            found[name] = None
            continue
        (only,) = record.document["runs"]
        bound = only.get("bound")
        found[name] = {
            "regret": [seed["total_regret"] for seed in only["seeds"]],
            "bound": bound and bound["lines"]["regret"],
        }
        found["D"] = found["D"] or (bound and bound["parts"]["D"])
    return found


def chosen() -> Iterator[tuple[str, Path, dict[str, Any], bool]]:
    """Every certificate of a memory that is told here, and whether its class is finite."""
    for path in sorted((ROOT / "certificates").glob("*.cert.json")):
        document = json.loads(path.read_bytes())
        verdicts = {claim["id"]: claim["verdict"] for claim in document["claims"]}
        sides = (document["model"][side].get("parameters", {}) for side in ("worlds", "responses"))
        finite = not any("interval" in axis for side in sides for axis in side.values())
        proved = {verdicts["regret"]} | ({verdicts["constants"]} if finite else set())
        if document["options"]["T"] == T and proved == {"proved"} and document["model"]["responses"].get("memory"):
            yield path.name.removesuffix(".cert.json"), path, document, finite


def page() -> str:
    """The whole page."""
    kept = json.loads(RUNS.read_bytes())
    every = [*chosen()]
    return "".join(
        (
            HEAD,
            *(row(stem, document) for stem, _, document, finite in every if finite),
            INTERVAL,
            *(interval_row(stem, document) for stem, _, document, finite in every if not finite),
            PAID,
            *(paid_row(stem, kept[stem]) for stem, *_ in every),
        )
    )


if __name__ == "__main__":
    if "--play" in sys.argv:
        RUNS.write_text(
            json.dumps({stem: paid(stem, path, finite) for stem, path, _, finite in chosen()}, indent=1) + "\n"
        )
    PAGE.write_text(page())
