"""`patrol-interval` where an attack does more to a calm site than to one in alarm, so that both unknowns show."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery import patrol_interval
from pomgcheck.gallery.patrol import alarm

SUMMARY = "a guard against an intruder, the world's drift and the intruder's deterrence anywhere in an interval"


# Knobs: as in patrol.


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = patrol_interval.document()
    del document["description"]
    document["worlds"]["transition"] = [
        #    wait             attack
        [
            [alarm("1/10"), alarm("1/2")],  # calm, idle
            [alarm("1/20"), alarm("2/5")],  # calm, patrol
        ],
        [
            [alarm("1/2"), alarm("3/5")],  # alarm, idle
            [alarm("2/5"), alarm("1/2")],  # alarm, patrol
        ],
    ]
    return document | {"name": "watch"}
