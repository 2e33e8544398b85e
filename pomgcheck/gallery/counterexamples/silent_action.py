"""A burglar who never touches a lamp that burns."""

from __future__ import annotations

from typing import Any

SUMMARY = "worlds that differ under an action the opponent never takes in one state"
FAILS = "weak-revealing"
ALSO: tuple[str, ...] = ()
TEACHES = (
    "The world channel keeps every opponent action apart, so a difference under an action the response "
    "never takes counts in full and is never seen."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "silent-action",
        "description": "Tampering leaves the lamp dark with unknown probability x. The burglar sees the lamp and "
        "tampers half the time when it is dark, never when it is lit; the guard sees the lamp through "
        "fog.",
        "game": {
            "horizon": 2,
            "states": ["dark", "lit"],
            "learner_actions": ["guard"],
            "adversary_actions": ["wait", "tamper"],
            "learner_observations": ["dim", "bright"],
            "adversary_observations": ["dark", "lit"],
            "reward": ["0", "1"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/2", "3/4"]}},
            "initial": ["1/2", "1/2"],
            "transition": [  # next dark, next lit; after wait, after tamper
                [[["1/4", "3/4"], ["x", "1-x"]]],  # dark
                [[["1/4", "3/4"], ["x", "1-x"]]],  # lit
            ],
            "learner_emission": [["3/4", "1/4"], ["1/4", "3/4"]],
            "adversary_emission": [["1", "0"], ["0", "1"]],
        },
        "responses": {
            "parameters": {},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {"watch": [["1/2", "1/2"], ["1", "0"]]},  # seeing dark, seeing lit
        },
        "policies": {"window": 1, "list": {"watch": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/2"}, "responses": {}},
    }
