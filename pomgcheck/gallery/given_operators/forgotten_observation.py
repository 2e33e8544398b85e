"""The gate with every operator a tenth too small: what the learner sees one time in ten was left out."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery.given_operators import OPENS, PUSHES, channel, forward, gate


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
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
