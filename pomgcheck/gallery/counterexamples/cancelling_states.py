"""A market that drifts back to the middle at an unknown speed."""

from __future__ import annotations

from typing import Any

SUMMARY = "worlds that differ oppositely in two states, which a mixture of the states hides"
FAILS = "weak-revealing"
ALSO: tuple[str, ...] = ()
TEACHES = (
    "2.4 ranges over all predictive states, so one mixture in which opposite differences cancel refutes "
    "it even if play never comes near."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "cancelling-states",
        "description": "A price rises from low and falls from high with the same unknown pull x. The insider sees "
        "the price, the learner a noisy report of it; if low and high are equally likely given the "
        "report, x leaves no trace.",
        "game": {
            "horizon": 2,
            "states": ["low", "high"],
            "learner_actions": ["hold"],
            "adversary_actions": ["watch"],
            "learner_observations": ["down", "up"],
            "adversary_observations": ["low", "high"],
            "reward": ["0", "1"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/8", "1/4"]}},
            "initial": ["1/2", "1/2"],
            "transition": [  # next low, next high
                [[["1/2-x", "1/2+x"]]],  # low
                [[["1/2+x", "1/2-x"]]],  # high
            ],
            "learner_emission": [["3/4", "1/4"], ["1/4", "3/4"]],
            "adversary_emission": [["1", "0"], ["0", "1"]],
        },
        "responses": {
            "parameters": {},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {"hold": [["1"], ["1"]]},
        },
        "policies": {"window": 1, "list": {"hold": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/4"}, "responses": {}},
    }
