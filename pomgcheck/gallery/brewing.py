"""A trouble that shows one step late: what brews looks calm, and only the step after tells it apart."""

from __future__ import annotations

from typing import Any

SUMMARY = "an alarm that brews unseen for a step, at an unknown rate anywhere in an interval: it takes two observations"


# With two observations (kappa = 2) Assumption 2.4 holds; with one it is refuted.


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "brewing",
        "description": "A calm site starts to brew with unknown probability x, looks calm still, and is then in alarm.",
        "game": {
            "horizon": 3,
            "states": ["calm", "brewing", "alarm"],
            "learner_actions": ["watch"],
            "adversary_actions": ["wait"],
            "learner_observations": ["quiet", "noise"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"interval": ["1/4", "1/2"]}},
            "initial": ["1", "0", "0"],
            "transition": [[[["1-x", "x", "0"]]], [[["1/4", "0", "3/4"]]], [[["1/2", "0", "1/2"]]]],
            "learner_emission": [["7/8", "1/8"], ["7/8", "1/8"], ["1/4", "3/4"]],
            "adversary_emission": [["1"], ["1"], ["1"]],
        },
        "responses": {"parameters": {}, "memory": 1, "block_rule": "latest", "window": 1, "table": {"watch": [["1"]]}},
        "policies": {"window": 1, "list": {"watch": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/4"}, "responses": {}},
    }
