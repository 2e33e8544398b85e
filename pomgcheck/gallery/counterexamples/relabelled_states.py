"""Two lamps whose names have been exchanged."""

from __future__ import annotations

from typing import Any

SUMMARY = "worlds that are the same up to the names of the latent states"
FAILS = "weak-revealing"
ALSO = ("kl-joint", "kl-world")
TEACHES = (
    "Operators act on named latent states and laws of play do not, so two names for one world differ in "
    "the operators and in nothing else."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "relabelled-states",
        "description": "One of two lamps burns, red with probability x, and red is seen as bright with probability "
        "x, blue with 1-x. Exchanging red and blue turns x = 1/4 into x = 3/4: one world under two "
        "names.",
        "game": {
            "horizon": 2,
            "states": ["red", "blue"],
            "learner_actions": ["look"],
            "adversary_actions": ["stay"],
            "learner_observations": ["bright", "dim"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/4", "3/4"]}},
            "initial": ["1/2", "1/2"],
            "transition": [[[["x", "1-x"]]], [[["x", "1-x"]]]],
            "learner_emission": [["x", "1-x"], ["1-x", "x"]],
            "adversary_emission": [["1"], ["1"]],
        },
        "responses": {"parameters": {}, "memory": 1, "block_rule": "latest", "window": 1, "table": {"look": [["1"]]}},
        "policies": {"window": 1, "list": {"look": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/4"}, "responses": {}},
    }
