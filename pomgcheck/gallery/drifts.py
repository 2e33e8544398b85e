"""The patrol of the gallery with two unknown drifts, one under each action of the guard, and a known sensor."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery import patrol

SUMMARY = "a guard whose two actions each have an unknown drift, anywhere in an interval"


# Knobs: as in patrol.


def _alarm(probability: str) -> list[str]:
    """Law of the next state (calm, alarm)."""
    return [f"1-({probability})", probability]


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = patrol.document()
    document["worlds"]["parameters"] = {"x": {"interval": ["1/20", "3/20"]}, "z": {"interval": ["0", "1/10"]}}
    document["responses"]["parameters"] = {"y": {"values": ["1/5"]}}
    document["worlds"]["transition"] = [
        [[_alarm("1/10+x"), _alarm("1/2+x")], [_alarm("1/20+z"), _alarm("2/5+z")]],  # calm: idle, patrol
        [[_alarm("1/2+x"), _alarm("3/5+x")], [_alarm("2/5+z"), _alarm("1/2+z")]],  # alarm
    ]
    truth = {"worlds": {"x": "1/10", "z": "1/20"}, "responses": {"y": "1/5"}}
    return document | {"name": "drifts", "truth": truth}
