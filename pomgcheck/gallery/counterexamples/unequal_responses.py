"""A keeper who tells two penalty takers apart although their kicks look the same."""

from __future__ import annotations

from typing import Any

SUMMARY = "responses that differ between policies the opponent cannot tell apart"
FAILS = "posterior-lipschitz"
ALSO: tuple[str, ...] = ()
TEACHES = (
    "2.3 lets a response depend on a policy only through the action law the opponent expects; equal "
    "expectations with unequal responses refute it."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "unequal-responses",
        "description": "A fair coin only the kicker sees decides the corner; one kicker follows it, the other goes "
        "against it. Either way the keeper expects both corners equally, and still leans left against "
        "the first and right against the second.",
        "game": {
            "horizon": 1,
            "states": ["heads", "tails"],
            "learner_actions": ["left", "right"],
            "adversary_actions": ["left", "right"],
            "learner_observations": ["heads", "tails"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {},
            "initial": ["1/2", "1/2"],
            "transition": [[[["1", "0"]] * 2] * 2, [[["0", "1"]] * 2] * 2],
            "learner_emission": [["1", "0"], ["0", "1"]],
            "adversary_emission": [["1"], ["1"]],
        },
        "responses": {
            "parameters": {},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {"against-coin": [["1/4", "3/4"]], "with-coin": [["3/4", "1/4"]]},
        },
        "policies": {
            "window": 1,
            "list": {
                "against-coin": [["0", "1"], ["1", "0"]],  # seeing heads, seeing tails
                "with-coin": [["1", "0"], ["0", "1"]],
            },
        },
        "truth": {"worlds": {}, "responses": {}},
    }
