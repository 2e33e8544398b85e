"""The gate with every operator a tenth too small: what the learner sees one time in ten was left out."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery.given_operators import OPENS, PUSHES, channel, forward, gate

SUMMARY = "operators that lose a tenth of the mass at every step: an observation was left out"
FAILS = "oom-identity"
ALSO: tuple[str, ...] = ()
TEACHES = (
    "Operators may factorize and never expand and still be no law: the masses of the listed observations must sum to "
    "the mass before."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    operators = {
        "W": channel(OPENS, scale="9/10"),
        "J": {policy: forward(p, OPENS, scale="9/10") for policy, p in PUSHES.items()},
    }
    return gate(
        "forgotten-observation",
        "A gate that an intruder may push open. One time in ten nothing is noted, and "
        "the operators count only what is.",
        operators,
    )
