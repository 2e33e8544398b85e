"""A gate that may be left open after the last look at it."""

from __future__ import annotations

from typing import Any

SUMMARY = "worlds that differ only after the learner's last observation"
FAILS = "kl-world"
ALSO = ("kl-joint",)
TEACHES = (
    "2.4 says nothing about the last kappa steps; a difference there is in the operators and in no "
    "observation, and only 3.1(e) catches it."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    fixed = [[[["3/4", "1/4"]]], [[["1/4", "3/4"]]]]
    unknown = [[[["1-x", "x"]]], [[["1-x", "x"]]]]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "final-step",
        "description": "A gate is looked at twice. How often it is left open after the second look, x, is unknown "
        "and nobody is there to see.",
        "game": {
            "horizon": 2,
            "states": ["shut", "open"],
            "learner_actions": ["look"],
            "adversary_actions": ["stay"],
            "learner_observations": ["quiet", "draught"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/4", "1/2"]}},
            "initial": ["1/2", "1/2"],
            "transition": {"steps": [fixed, unknown]},
            "learner_emission": [["3/4", "1/4"], ["1/4", "3/4"]],
            "adversary_emission": [["1"], ["1"]],
        },
        "responses": {"parameters": {}, "memory": 1, "block_rule": "latest", "window": 1, "table": {"look": [["1"]]}},
        "policies": {"window": 1, "list": {"look": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/4"}, "responses": {}},
    }
