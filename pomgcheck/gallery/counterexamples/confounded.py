"""The patrol of the gallery with two causes of an alarm: a raid by the intruder, or a fault of its own."""

from __future__ import annotations

from typing import Any

SUMMARY = "a more faulty world and a less aggressive opponent that look exactly alike"
FAILS = "kl-joint"
ALSO = ("kl-world",)
TEACHES = (
    "2.4 compares worlds under one response; a change of world that a change of response makes good "
    "passes it, and only 3.1(e) catches it."
)


def _next(alarm: str, raid: str) -> list[str]:
    """Law of the next state (calm, fault, raid) where a fault has probability alarm + x."""
    return [f"1-({alarm}+x)-{raid}", f"{alarm}+x", raid]


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "confounded",
        "description": "An alarm sounds the same whether by a fault, of unknown probability x, or by a raid, a "
        "quarter of all attacks; the intruder attacks a patrolling guard with probability 1/2-y. "
        "Under patrol x + (1/2-y)/4 is all that shows.",
        "game": {
            "horizon": 2,
            "states": ["calm", "fault", "raid"],
            "learner_actions": ["idle", "patrol"],
            "adversary_actions": ["wait", "attack"],
            "learner_observations": ["quiet", "noise"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/20", "1/10"]}},
            "initial": ["1", "0", "0"],
            "transition": [
                #    wait                  attack
                [
                    [_next("1/10", "0"), _next("1/10", "1/4")],  # calm, idle
                    [_next("1/20", "0"), _next("1/20", "1/4")],  # calm, patrol
                ],
                *[
                    [
                        [_next("1/2", "0"), _next("1/2", "1/4")],  # fault or raid, idle
                        [_next("9/20", "0"), _next("9/20", "1/4")],  # fault or raid, patrol
                    ]
                ]
                * 2,
            ],
            "learner_emission": [["17/20", "3/20"], ["3/20", "17/20"], ["3/20", "17/20"]],
            "adversary_emission": [["1"], ["1"], ["1"]],
        },
        "responses": {
            "parameters": {"y": {"values": ["1/10", "3/10"]}},
            "memory": 1,
            "block_rule": "latest",
            "window": 1,
            "table": {"idle": [["1/2", "1/2"]], "patrol": [["1/2+y", "1/2-y"]]},
        },
        "policies": {"window": 1, "list": {"idle": [["1", "0"], ["1", "0"]], "patrol": [["0", "1"], ["0", "1"]]}},
        "truth": {"worlds": {"x": "1/20"}, "responses": {"y": "1/10"}},
    }
