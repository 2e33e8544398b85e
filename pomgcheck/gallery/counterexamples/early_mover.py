"""A rival who parks in the road before the driver shows whether it yields."""

from __future__ import annotations

from typing import Any

SUMMARY = "an opponent that moves before the step at which the policies it answers first differ"
FAILS = "posterior-lipschitz"
ALSO: tuple[str, ...] = ()
TEACHES = (
    "The step form of 2.3 compares a response with the posterior of the same step and so refutes any "
    "opponent that moves early; the policy form admits it."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "early-mover",
        "description": "The rival knows the driver's policy and blocks the road at step 1, with effect x, the more "
        "often the driver would push through at step 2; at step 1 both policies only wait.",
        "game": {
            "horizon": 2,
            "states": ["free", "blocked"],
            "learner_actions": ["wait", "push"],
            "adversary_actions": ["leave", "block"],
            "learner_observations": ["clear", "jam"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/2", "3/4"]}},
            "initial": ["1", "0"],
            "transition": [  # next free, next blocked; after leave, after block
                [[["3/4", "1/4"], ["1-x", "x"]]] * 2,
                [[["3/4", "1/4"], ["1-x", "x"]]] * 2,
            ],
            "learner_emission": [["3/4", "1/4"], ["1/4", "3/4"]],
            "adversary_emission": [["1"], ["1"]],
        },
        "responses": {
            "parameters": {},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {
                "pushing": {"steps": [[["1/4", "3/4"]], [["1/2", "1/2"]]]},
                "yielding": {"steps": [[["3/4", "1/4"]], [["1/2", "1/2"]]]},
            },
        },
        "policies": {
            "window": 1,
            "list": {
                "pushing": {"steps": [[["1", "0"], ["1", "0"]], [["0", "1"], ["0", "1"]]]},
                "yielding": {"steps": [[["1", "0"], ["1", "0"]], [["1", "0"], ["1", "0"]]]},
            },
        },
        "truth": {"worlds": {"x": "1/2"}, "responses": {}},
    }
