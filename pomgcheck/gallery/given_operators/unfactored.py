"""The gate with forward operators that were fitted in one world and kept for all of them."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery.given_operators import OPENS, PUSHES, forward, gate


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    fitted = OPENS | {"push": {"shut": "5/8", "open": "5/8"}}
    operators = {"J": {policy: forward(p, fitted) for policy, p in PUSHES.items()}}
    return gate(
        "unfactored", "A gate that an intruder may push open. The forward operators were fitted at x = 1/8.", operators
    )
