"""Puts classes given by operators in words: what their document holds, and what is told of Theorem 2.5 alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.spans import Inline, Label, Math, say
from pomgcheck.reporting.words import policy

DECIDED = ("factorization", "oom-identity", "nonexpansive", "well-specified", "covering", "warmup-stationary")


def spaces(document: Mapping[str, Any]) -> list[tuple[str, Inline]]:
    """Return the coordinates of the augmented space and of V, as rows of the table of the class."""

    def names(value: Any) -> Inline:
        if isinstance(value, list):
            return say("{n}: {x}", n=str(len(value)), x=Label(", ".join(value)))
        sizes = ", ".join(str(len(step)) for step in value["steps"])
        return say("step by step {n}", n=sizes)

    part = document["operators"]
    return [("Coordinates $S̄^+$", names(part["coordinates"])), ("Channel coordinates $V$", names(part["channel"]))]


def everywhere(cert: Certificate) -> Inline:
    """Return where the matrices of a class given by operators are compared."""
    return (
        say("as rational functions of the parameters, whose divisors have no zero on the class")
        if cert.outline.on_intervals
        else say("at every parameter point of the class")
    )


def left_open(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return why a claim about kernels ends open; the text is empty for a claim that is about something else."""
    fading = claim.id == "warmup-stationary" and cert.outline.block_rule == "fading"
    if claim.id in DECIDED and not fading:
        return ()
    return say(
        "The claim is about kernels, and this class is given by operators: only Theorem 2.5, the truth, the "
        "covering number and a reaction rule of finite memory are decided for it."
    )


def setting(w: ClaimPlace) -> Inline:
    """Return words such as ``At step 1, when the learner sees quiet and plays rest under policy guard``."""
    under = say(" under {pi}", pi=policy(w.pi)) if w.pi else ""
    return say(
        "At step {h}, when the learner sees {o} and plays {a}{under},",
        h=str(w.h),
        o=Label(w.o),
        a=Label(w.a),
        under=under,
    )


def entry(w: ClaimPlace, operator: str) -> Inline:
    """Return words such as ``At step 1, when … plays rest, the entry of J that leads from open to shut``."""
    s, t = Label(w.column), Label(w.row)
    return say("{setting} the entry of {x} that leads from {s} to {t}", setting=setting(w), x=Math(operator), s=s, t=t)
