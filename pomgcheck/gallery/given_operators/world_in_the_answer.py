"""The gate with the world's parameter kept in the aggregation, where the adversary's answer belongs."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery.given_operators import OPENS, PUSHES, aggregation, channel, gate


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    widest = OPENS | {"push": {"shut": "3/4", "open": "3/4"}}  # the channel of x = 1/4
    kept = "(1/2+x)/(3/4)"  # of the pushes that open the gate there, those that do here
    corrected = {policy: aggregation(p, {"open-push": f"({kept})"}) for policy, p in PUSHES.items()}
    for policy, p in PUSHES.items():
        corrected[policy]["* *"]["shut open-push"] = f"({p})*(1-{kept})"
    return gate(
        "world-in-the-answer",
        "A gate that an intruder may push open. The channel is that of the world most "
        "easily opened, and the aggregation corrects it by the world's own x.",
        {"W": channel(widest), "G": corrected},
    )
