"""Certifying classes on intervals, by processor time: search and kernel apart, brackets, and cost against parameters.

    python -m benchmarks.continua

Targets: bandit-8 in 5 seconds, bandit-32 in 60, patrol on intervals in 60 with brackets of alpha and c_KL within ten
percent; the kernel at most twice the search.  The parameters counted in the table are the free ones of a guard with two
actions in two states, each pair with a drift of its own.
"""

from __future__ import annotations

import time
from collections.abc import Collection
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.game import canonical_bytes
from pomgcheck.modelclass import gallery
from pomgcheck.modelclass.document import load
from pomgcheck.modelclass.gallery import patrol
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.search.certify import certify

BRACKETS = {"weak-revealing": "alpha", "kl-joint": "c_KL_joint", "kl-world": "c_KL_world"}
PARAMETERS = 4


def patrol_on_intervals() -> ModelClass:
    """The patrol of the gallery with both unknowns on the intervals that its values span."""
    document = patrol.document()
    document["worlds"]["parameters"] = {"x": {"interval": ["1/20", "3/20"]}}
    document["responses"]["parameters"] = {"y": {"interval": ["1/10", "1/5"]}}
    return load(document | {"name": "patrol on intervals"})


def drifting(parameters: int) -> ModelClass:
    """Two states, two actions, a known sensor; the first ``parameters`` of the four drifts are unknown."""
    drifts = [f"x{k}" if k < parameters else "1/5" for k in range(PARAMETERS)]
    laws = [[f"1-{x}", x] for x in drifts]
    document = patrol.document()
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


def row(model: ModelClass, only: Collection[str] = ()) -> None:
    """One line: seconds of the processor in the search and in the kernel, and the width of every bracket."""
    start = time.process_time()
    certificate = certify(model, only=only or None)
    whole, text = time.process_time() - start, canonical_bytes(certificate.document)
    start = time.process_time()
    assert verify_bytes(text).accepted
    kernel = time.process_time() - start
    widths = "  ".join(f"{name} {width(certificate.claims[claim], name)}" for claim, name in BRACKETS.items())
    search = whole - kernel  # certify verifies what it returns
    print(f"{model.name:<22}{search:8.2f} s search {kernel:8.2f} s kernel {kernel / search:6.2f}  {widths}", flush=True)


def width(claim: dict[str, Any], name: str) -> str:
    """By how much of the upper end a bracket is wide, or the verdict."""
    if not claim["values"]:
        return str(claim["verdict"])
    low, high = (Fraction(claim["values"][f"{name}_{side}"]) for side in ("lower", "upper"))
    return f"{float(1 - low / high):.2%}"


def main() -> None:
    for model in (gallery.load("bandit-8"), gallery.load("bandit-32"), patrol_on_intervals()):
        row(model)
    for parameters in range(1, PARAMETERS + 1):
        row(drifting(parameters), tuple(BRACKETS))


if __name__ == "__main__":
    main()
