"""A bridge that in one of two worlds cannot break."""

from __future__ import annotations

from typing import Any

SUMMARY = "a trajectory possible in one world and impossible in another"
FAILS = "bounded-increments"
ALSO = ("predictive-states",)
TEACHES = (
    "One possible trajectory of probability zero under another model makes log-likelihood ratios "
    "unbounded, and that model's predictive state undefined."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "impossible-trajectory",
        "description": "A bridge in plain sight breaks with unknown probability x on each crossing, and x may be zero.",
        "game": {
            "horizon": 3,
            "states": ["whole", "broken"],
            "learner_actions": ["cross"],
            "adversary_actions": ["stay"],
            "learner_observations": ["whole", "broken"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["0", "1/4"]}},
            "initial": ["1", "0"],
            "transition": [[[["1-x", "x"]]], [[["0", "1"]]]],
            "learner_emission": [["1", "0"], ["0", "1"]],
            "adversary_emission": [["1"], ["1"]],
        },
        "responses": {"parameters": {}, "memory": 1, "block_rule": "latest", "window": 1, "table": {"cross": [["1"]]}},
        "policies": {"window": 1, "list": {"cross": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/4"}, "responses": {}},
    }
