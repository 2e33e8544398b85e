"""The patrol of the gallery with transitions that are odds: quotients of an unknown rate on an interval."""

from __future__ import annotations

from typing import Any

from pomgcheck.gallery import patrol

SUMMARY = "a guard in a world whose chances are odds r : n of an unknown rate r on an interval"


# Knobs: as in patrol.


def _odds(against: int) -> list[str]:
    """Law of the next state (calm, alarm), the alarm at odds r to ``against``."""
    return [f"1-r/(r+{against})", f"r/(r+{against})"]


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    document = patrol.document()
    document["worlds"]["parameters"] = {"r": {"interval": ["1", "2"]}}
    document["responses"]["parameters"] = {"y": {"values": ["1/5"]}}
    document["worlds"]["transition"] = [
        [[_odds(5), _odds(3)], [_odds(8), _odds(4)]],  # calm: idle, patrol; wait, attack
        [[_odds(2), _odds(1)], [_odds(3), _odds(2)]],  # alarm
    ]
    return document | {"name": "odds", "truth": {"worlds": {"r": "1"}, "responses": {"y": "1/5"}}}
