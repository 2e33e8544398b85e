"""The gate with its world channel in halves of the usual unit, and an aggregation that doubles it back."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery.given_operators import OPENS, PUSHES, aggregation, channel, gate


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    operators = {
        "W": channel(OPENS, scale="1/2"),
        "G": {policy: aggregation(p, scale="2") for policy, p in PUSHES.items()},
    }
    return gate(
        "doubled-channel",
        "A gate that an intruder may push open, its world channel halved and its aggregation doubled.",
        operators,
    )
