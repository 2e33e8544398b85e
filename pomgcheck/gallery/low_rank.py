"""A barge on two currents: transitions of rank two among four berths, affine in two unknown weights.

T(s'|s,a,b) = w(s,a,b) ebb(s') + (1 - w(s,a,b)) flood(s') with both currents known and the weights unknown: the low-rank
transitions of Proposition 2.6 with the coordinate structure that its count needs (r = 2).  `bilinear` lacks it.
"""

from __future__ import annotations

from typing import Any

BERTHS = ("north", "quay", "bridge", "south")
FLOOD = ("0", "0", "1/4", "3/4")
WEIGHTS = {  # chance of the ebb less the unknown share: berth -> action -> (the pilot waits, the pilot tows)
    "north": {"drift": ("2/5", "1/5"), "row": ("3/10", "1/5")},
    "quay": {"drift": ("3/10", "1/5"), "row": ("2/5", "3/10")},
    "bridge": {"drift": ("1/5", "1/10"), "row": ("3/10", "1/10")},
    "south": {"drift": ("1/10", "1/5"), "row": ("1/5", "1/10")},
}


def carried(ebb: tuple[str, ...], unknown: dict[str, str]) -> list[Any]:
    """Return the transition table: ``ebb`` is its law of the next berth, ``unknown`` the share of it that each action
    adds."""

    def law(weight: str) -> list[str]:
        return [f"({weight})*({to})+(1-({weight}))*{back}" for to, back in zip(ebb, FLOOD, strict=True)]

    return [
        [[law(f"{known}+{unknown[action]}") for known in pair] for action, pair in by_action.items()]
        for by_action in WEIGHTS.values()
    ]


def _tow(weight: str) -> list[list[str]]:
    """Return the law of (wait, tow), the same in calm and in rough water: z weighs how much the policy rows."""
    return [[f"1/2-z*{weight}", f"1/2+z*{weight}"]] * 2


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    row, drift = ["0", "1"], ["1", "0"]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "low-rank",
        "description": "The ebb leaves a barge at the north berth or the quay, the flood at the bridge or the south "
        "berth. How likely the ebb is depends on the berth, on the crew, on the pilot who may tow, and on two unknown "
        "shares: x while the crew lets it drift, y while it rows.",
        "source": "low-rank transitions with known next-state factors, as in Proposition 2.6",
        "game": {
            "horizon": 3,
            "states": list(BERTHS),
            "learner_actions": ["drift", "row"],
            "adversary_actions": ["wait", "tow"],
            "learner_observations": ["gulls", "bells", "horns"],
            "adversary_observations": ["calm", "rough"],
            "reward": ["1", "1/2", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/10", "1/5", "2/5"]}, "y": {"values": ["1/5", "2/5"]}},
            "initial": ["1/4", "1/4", "1/4", "1/4"],
            "transition": carried(("3/4", "1/4", "0", "0"), {"drift": "x", "row": "y"}),
            "learner_emission": [
                ["7/10", "1/5", "1/10"],
                ["1/5", "7/10", "1/10"],
                ["1/5", "1/5", "3/5"],
                ["1/10", "1/10", "4/5"],
            ],
            "adversary_emission": [["3/4", "1/4"], ["1/2", "1/2"], ["1/2", "1/2"], ["1/4", "3/4"]],
        },
        "responses": {
            "parameters": {"z": {"values": ["1/10", "3/10"]}},
            "memory": 2,
            "block_rule": "mean",
            "window": 1,
            "table": {
                "drift": _tow("0"),
                "row": _tow("1"),
                "row-at-bells": _tow("1/4"),
                "row-unless-gulls": _tow("1/2"),
            },
        },
        "policies": {
            "window": 1,
            "list": {
                "drift": [drift] * 3,
                "row": [row] * 3,
                "row-at-bells": [drift, row, drift],
                "row-unless-gulls": [drift, row, row],
            },
        },
        "truth": {"worlds": {"x": "1/5", "y": "2/5"}, "responses": {"z": "3/10"}},
    }
