"""A storm more likely than any the class allows."""

from __future__ import annotations

from typing import Any

SUMMARY = "a truth that is none of the models"
FAILS = "well-specified"
ALSO: tuple[str, ...] = ()
TEACHES = "Every guarantee is for a truth inside the class; 3.1(a) is checked exactly, not to within a neighbour."


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "outside-truth",
        "description": "Tomorrow is stormy with probability x; the class knows 1/4 and 1/2, the truth is 3/4.",
        "game": {
            "horizon": 2,
            "states": ["calm", "storm"],
            "learner_actions": ["sail"],
            "adversary_actions": ["stay"],
            "learner_observations": ["clear", "clouds"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/4", "1/2"]}},
            "initial": ["1/2", "1/2"],
            "transition": [[[["1-x", "x"]]], [[["1-x", "x"]]]],
            "learner_emission": [["3/4", "1/4"], ["1/4", "3/4"]],
            "adversary_emission": [["1"], ["1"]],
        },
        "responses": {"parameters": {}, "memory": 1, "block_rule": "latest", "window": 1, "table": {"sail": [["1"]]}},
        "policies": {"window": 1, "list": {"sail": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "3/4"}, "responses": {}},
    }
