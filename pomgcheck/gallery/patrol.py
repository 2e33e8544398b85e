"""A guard who may patrol, against an intruder who knows how often it does: the smallest class with all parts alive."""

from __future__ import annotations

from typing import Any

SUMMARY = "a guard patrols or idles, an intruder attacks the less the more it expects a patrol"


# Knobs: the chance that the guard's sensor errs, and how much a vigilant policy deters.  Entries stay in [0,1] for
# noise in [0,1] and deterrence in [-5/2,5/2]; at 5/2 the intruder never attacks a policy that always patrols.


def alarm(probability: str) -> list[str]:
    """Law of the next state (calm, alarm), the unknown x added to the chance of an alarm."""
    return [f"1-({probability}+x)", f"{probability}+x"]


def _attack(vigilance: str) -> list[list[str]]:
    """Law of (wait, attack), the same in the dark and in the light: y weighs how vigilant the policy is."""
    return [[f"1/2+y*deterrence*{vigilance}", f"1/2-y*deterrence*{vigilance}"]] * 2


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "patrol",
        "knobs": {"noise": "3/20", "deterrence": "1"},
        "game": {
            "horizon": 3,
            "states": ["calm", "alarm"],
            "learner_actions": ["idle", "patrol"],
            "adversary_actions": ["wait", "attack"],
            "learner_observations": ["quiet", "noise"],
            "adversary_observations": ["dark", "lit"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/20", "1/10", "3/20"]}},
            "initial": ["1/2", "1/2"],
            "transition": [
                #    wait             attack
                [
                    [alarm("1/10"), alarm("7/20")],  # calm, idle
                    [alarm("1/20"), alarm("3/10")],  # calm, patrol
                ],
                [
                    [alarm("1/2"), alarm("3/4")],  # alarm, idle
                    [alarm("9/20"), alarm("7/10")],  # alarm, patrol
                ],
            ],
            "learner_emission": [["1-noise", "noise"], ["noise", "1-noise"]],
            "adversary_emission": [["7/10", "3/10"], ["3/10", "7/10"]],
        },
        "responses": {
            "parameters": {"y": {"values": ["1/10", "1/5"]}},
            "memory": 2,
            "block_rule": "mean",
            "window": 1,
            "table": {
                "idle": _attack("0"),
                "on-alarm": _attack("1/2"),
                "on-calm": _attack("1/2"),
                "patrol": _attack("1"),
            },
        },
        "policies": {
            "window": 1,
            "list": {
                "idle": [["1", "0"], ["1", "0"]],
                "on-alarm": [["1", "0"], ["0", "1"]],
                "on-calm": [["0", "1"], ["1", "0"]],
                "patrol": [["0", "1"], ["0", "1"]],
            },
        },
        "truth": {"worlds": {"x": "1/10"}, "responses": {"y": "1/5"}},
    }
