"""What the kernel computes of a document, for statements worked out by hand."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from pomgcheck.kernel.case import Case, Outcome
from pomgcheck.kernel.claims import BY_ID
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game

DEFAULTS = {
    "kappa": 1,
    "space": "window",
    "lipschitz_form": "step",
    "reference": "uniform",
    "T": 1,
    "delta": "1/2",
    "limits": {"coordinates": 10**7, "trajectories": 10**7},
}


def facts(document: Any, *, form: str = "literal", scope: str = "simplex", **options: Any) -> Facts:
    return Facts(Game(document), DEFAULTS | {"weak_revealing": {"form": form, "scope": scope, "tol": "1/10"}} | options)


def found(known: Facts, claim: str, verdicts: Collection[str] = ()) -> Outcome | None:
    """The kernel's own finding on a claim, those settled before having these verdicts."""
    settled = {str(n): {"verdict": verdict} for n, verdict in enumerate(verdicts)}
    return BY_ID[claim].outcome(Case(known, claim, {}, settled))
