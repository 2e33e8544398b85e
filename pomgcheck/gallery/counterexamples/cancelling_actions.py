"""A lock keeper who opens and shuts the sluice equally often when the river is low."""

from __future__ import annotations

from typing import Any

SUMMARY = "worlds that differ oppositely under two opponent actions, which the response mixes away"
FAILS = "weak-revealing"
ALSO: tuple[str, ...] = ()
TEACHES = (
    "Differences of opposite sign under two opponent actions add up in the world channel and cancel in "
    "what the learner sees."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "cancelling-actions",
        "description": "An open sluice raises the river and a shut one lowers it, both by the unknown x. The keeper "
        "sees the river; when it is low the sluice is open half the time, so that x leaves no trace.",
        "game": {
            "horizon": 2,
            "states": ["low", "high"],
            "learner_actions": ["sail"],
            "adversary_actions": ["open", "shut"],
            "learner_observations": ["calm", "rough"],
            "adversary_observations": ["low", "high"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/8", "1/4"]}},
            "initial": ["1/2", "1/2"],
            "transition": [  # next low, next high; after open, after shut
                [[["1/2-x", "1/2+x"], ["1/2+x", "1/2-x"]]],  # low
                [[["1/2-x", "1/2+x"], ["1/2+x", "1/2-x"]]],  # high
            ],
            "learner_emission": [["3/4", "1/4"], ["1/4", "3/4"]],
            "adversary_emission": [["1", "0"], ["0", "1"]],
        },
        "responses": {
            "parameters": {},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {"watch": [["1/2", "1/2"], ["3/4", "1/4"]]},  # seeing low, seeing high
        },
        "policies": {"window": 1, "list": {"watch": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/8"}, "responses": {}},
    }
