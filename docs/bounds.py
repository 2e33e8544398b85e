"""What each step of docs/bound.md takes off the bound of Algorithm 1: ``python -m docs.bounds`` writes docs/bounds.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from pomgcheck.kernel.bound import (
    Premises,
    Radius,
    epochs_at_most,
    freedman,
    interval,
    least,
    log,
    log2,
    root,
    sharp,
    union,
)
from pomgcheck.kernel.claims.eluder import channels
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.paper_bound import binned, theorem
from pomgcheck.reporting.claims.constants import premises
from pomgcheck.reporting.numbers import decimal
from pomgcheck.search.claims.kl import kl_conversion

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "bounds.md"
T = 16_384
BITS = 128  # of a divergence
HEAD = f"""# The bounds, step by step

At T = {T:,} and δ = 1/20, for every certificate here at this T of a finite class whose claims are all proved; rounded up. *Start* is the bound of Algorithm 1 with evidence summed over the epochs of a policy, Freedman's step at η = 1/2, and the horizon as range of the rewards. Each column to its right adds one step of
[docs/bound.md](bound.md): the last epoch of a policy counts for all (|Π|−1 in place of |Π|(1 + log T)); η tuned; ranges R and R′ in place of H; the fill at certified gaps, which is what the claim `constants` states. *By operators* is the paper's route with the bin lemma and the factor 1/p_min, computed and not certified; *summed* is the same with `--operators summed`, without the factor, c_KL and Eluder dimensions being those of sums. *Aggregate* is that with KL ≥ c F² (Remark D.13) for F^W and F^G each, in place of 3.1(e) step by step.
D T is the most that T settled episodes can lose. `nested` is Theorem N's bound of the schedule `nested` (claim `regret`). From T* on Algorithm 1's bound, and from T₀ on that of `nested`, is below D T.

| class | start | last epoch | η | ranges | fill: certified | by operators | summed | aggregate | D T | T* | `nested` | T₀ |
|---|---|---|---|---|---|---|---|---|---|---|---|---|
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
    p = premises(document, T)
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


def page() -> str:
    """The whole page."""
    rows = []
    for path in sorted((ROOT / "certificates").glob("*.cert.json")):
        document = json.loads(path.read_bytes())
        verdicts = {claim["id"]: claim["verdict"] for claim in document["claims"]}
        sides = (document["model"][side].get("parameters", {}) for side in ("worlds", "responses"))
        finite = not any("interval" in axis for side in sides for axis in side.values())
        if (
            finite
            and document["options"]["T"] == T
            and {verdicts["constants"], verdicts["regret"]} == {"proved"}
            and document["model"]["responses"].get("memory")
        ):
            rows.append(row(path.name.removesuffix(".cert.json"), document))
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(page())
