"""The patrol of the gallery on intervals, where an attack does more to a calm site than to one in alarm."""

from __future__ import annotations

from typing import Any

from pomgcheck.modelclass.gallery import patrol

SUMMARY = "a guard against an intruder, the world's drift and the intruder's deterrence anywhere in an interval"


# Knobs: as in patrol.


def _alarm(probability: str) -> list[str]:
    """Law of the next state (calm, alarm), the unknown x added to the chance of an alarm."""
    return [f"1-({probability}+x)", f"{probability}+x"]


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = patrol.document()
    document["worlds"]["parameters"] = {"x": {"interval": ["1/20", "3/20"]}}
    document["responses"]["parameters"] = {"y": {"interval": ["1/10", "1/5"]}}
    document["worlds"]["transition"] = [
        #    wait             attack
        [
            [_alarm("1/10"), _alarm("1/2")],  # calm, idle
            [_alarm("1/20"), _alarm("2/5")],  # calm, patrol
        ],
        [
            [_alarm("1/2"), _alarm("3/5")],  # alarm, idle
            [_alarm("2/5"), _alarm("1/2")],  # alarm, patrol
        ],
    ]
    return document | {"name": "watch"}
