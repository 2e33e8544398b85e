"""What the kernel computes of a document, for statements worked out by hand."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.case import Case, Outcome, Rejected
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


def reacts_at_most(known: Facts, L: Fraction | int) -> bool:
    """Whether the kernel shows Assumption 2.3 of a finite class with the constant L."""
    evidence = {"rule": "box", "gaps": {}, "signs": [], "trees": {}, "attained": None}
    claim = BY_ID["posterior-lipschitz"]
    try:
        claim.check(Case(known, claim.id, {"L_lower": "0", "L_upper": str(L)}), evidence)
    except Rejected:
        return False
    return True


def least_constant(known: Facts, L: Fraction | str) -> bool:
    """Whether the kernel shows Assumption 2.3 with the constant L and with none that is less by a trifle."""
    return reacts_at_most(known, Fraction(L)) and not reacts_at_most(known, Fraction(L) - Fraction(1, 10**12))
