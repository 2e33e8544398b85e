"""Two unknown faults that may change places: the worlds (x, z) and (z, x) have one law."""

from __future__ import annotations

from typing import Any

SUMMARY = "two sites with unknown fault rates on intervals, which exchange without a trace"
FAILS = "kl-joint"
ALSO = ("kl-world", "weak-revealing")
TEACHES = "A symmetry of the parameters makes pairs far from the diagonal alike, though near it all seems well."


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    rate = {"interval": ["1/8", "3/8"]}
    return {
        "format": "pomgcheck-model-class/1",
        "name": "relabelled-interval",
        "description": "The first step leads to either of two sites, each with a fault rate of its own.",
        "game": {
            "horizon": 3,
            "states": ["start", "left", "right"],
            "learner_actions": ["watch"],
            "adversary_actions": ["wait"],
            "learner_observations": ["quiet", "fault"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": rate, "z": rate},
            "initial": ["1", "0", "0"],
            "transition": [[[["0", "1/2", "1/2"]]], [[["0", "1", "0"]]], [[["0", "0", "1"]]]],
            "learner_emission": [["1/2", "1/2"], ["1-x", "x"], ["1-z", "z"]],
            "adversary_emission": [["1"], ["1"], ["1"]],
        },
        "responses": {"parameters": {}, "memory": 1, "block_rule": "latest", "window": 1, "table": {"watch": [["1"]]}},
        "policies": {"window": 1, "list": {"watch": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/8", "z": "3/8"}, "responses": {}},
    }
