"""The barge of `low-rank` with one factor more unknown: rank two still, and no longer affine in what is unknown.

Where the ebb leaves the barge is unknown too, so that entries hold the product of a weight and a place.  Every claim
of the class holds; what it lacks is the coordinate structure that Proposition 2.6 asks of low-rank classes (Section
2.6 sets bilinear parameterizations apart), and its certificate shows the points that tell.
"""

from __future__ import annotations

from typing import Any

from . import low_rank


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    changed = low_rank.document()
    worlds = {
        "parameters": {"x": {"values": ["1/10", "1/5", "2/5"]}, "y": {"values": ["1/4", "3/4"]}},
        "transition": low_rank.carried(("y", "1-y", "0", "0"), {"drift": "x", "row": "x/2"}),
    }
    return changed | {
        "name": "bilinear",
        "description": "The barge of the class low-rank, carried by the ebb an unknown share x more of the time, and "
        "then left at the north berth with unknown probability y.",
        "source": "low-rank transitions with two unknown factors, which Section 2.6 sets apart",
        "worlds": changed["worlds"] | worlds,
        "truth": {"worlds": {"x": "1/5", "y": "3/4"}, "responses": {"z": "3/10"}},
    }
