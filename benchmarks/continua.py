"""Certifying classes on intervals, by processor time: search and kernel apart, brackets, and cost against parameters.

    python -m benchmarks.continua [PARAMETERS…]

Targets: bandit-8 in 5 seconds, bandit-32 in 60, patrol-interval in 60 with brackets of alpha and c_KL within ten
percent; the kernel at most twice the search.  The parameters counted in the table are the free ones of a guard with two
actions in two states, each pair with a drift of its own.  Of each claim the table says what was decided, how wide its
bracket is or which bound is stated, and what that took; all rest on `nonexpansive`, whose cost is told apart.  With
PARAMETERS only those rows are made.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Collection
from fractions import Fraction
from typing import Any

from pomgcheck import gallery
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.search.certify import certify

BRACKETS = {"weak-revealing": "alpha", "kl-joint": "c_KL_joint", "kl-world": "c_KL_world"}
FIRST = "nonexpansive"  # without it no other claim of the table is searched
CLAIMS = (FIRST, "covering", "bounded-increments", "predictive-states", *BRACKETS, "eluder-world")
PARAMETERS = 4


def drifting(parameters: int) -> ModelClass:
    """Two states, two actions, a known sensor; the first ``parameters`` of the four drifts are unknown."""
    drifts = [f"x{k}" if k < parameters else "1/5" for k in range(PARAMETERS)]
    laws = [[f"1-{x}", x] for x in drifts]
    document = gallery.document("patrol")
    document["game"] |= {"horizon": 3, "adversary_actions": ["wait"]}
    document["worlds"] |= {
        "parameters": {f"x{k}": {"interval": ["1/10", "3/10"]} for k in range(parameters)},
        "transition": [[[laws[0]], [laws[1]]], [[laws[2]], [laws[3]]]],
    }
    names = document["policies"]["list"]
    document["responses"] |= {"parameters": {}, "table": {name: [["1"], ["1"]] for name in names}}
    document["worlds"]["adversary_emission"] = [["1", "0"], ["1", "0"]]
    document.pop("truth", None)
    return load(document | {"name": f"{parameters} parameter{'s' * (parameters > 1)}"})


def certified(model: ModelClass, only: Collection[str] | None = None) -> tuple[dict[str, Any], float, float]:
    """The claims, and seconds of the processor in the search and in the kernel."""
    start = time.process_time()
    certificate = certify(model, only=only)
    whole, text = time.process_time() - start, canonical_bytes(certificate.document)
    start = time.process_time()
    assert verify_bytes(text).accepted
    kernel = time.process_time() - start
    return certificate.claims, whole - kernel, kernel  # certify verifies what it returns


def row(name: str, search: float, kernel: float, said: str) -> None:
    """One line of a table."""
    print(f"{name:<24}{search:8.2f} s search {kernel:8.2f} s kernel  {said}", flush=True)


def width(claim: dict[str, Any], name: str) -> str:
    """By how much of the upper end a bracket is wide, or the verdict, the bracket reached and the boxes it took."""
    if not claim["values"]:
        reached = f", {claim['search']['method'].partition(' undecided')[0]}" if claim["verdict"] == "unknown" else ""
        return f"{claim['verdict']}{reached}"
    low, high = (Fraction(claim["values"][f"{name}_{side}"]) for side in ("lower", "upper"))
    return f"{float(high):.4g} less {float(1 - low / high):.2%}"


def decided(claim: dict[str, Any]) -> str:
    """The verdict, and the values that sum a claim up."""
    if claim["id"] in BRACKETS:
        return f"{claim['verdict']}  {BRACKETS[claim['id']]} {width(claim, BRACKETS[claim['id']])}"
    shown = {name: value["log_of"] if isinstance(value, dict) else value for name, value in claim["values"].items()}
    return "  ".join([claim["verdict"], *(f"{name} {float(Fraction(value)):.4g}" for name, value in shown.items())])


def table(parameters: int) -> None:
    """A line per claim, each searched by itself."""
    model, first = drifting(parameters), (0.0, 0.0)
    print(f"\n{model.name}")
    for claim in CLAIMS:
        claims, search, kernel = certified(model, (claim,))
        row(f"  {claim}", max(0.0, search - first[0]), max(0.0, kernel - first[1]), decided(claims[claim]))
        if claim == FIRST:
            first = search, kernel


def main(chosen: list[str]) -> None:
    for name in () if chosen else ("bandit-8", "bandit-32", "patrol-interval"):
        claims, search, kernel = certified(gallery.load(name))
        widths = "  ".join(f"{value} {width(claims[claim], value)}" for claim, value in BRACKETS.items())
        row(name, search, kernel, f"{kernel / search:.2f}  {widths}")
    for parameters in map(int, chosen) if chosen else range(1, PARAMETERS + 1):
        table(parameters)


if __name__ == "__main__":
    main(sys.argv[1:])
