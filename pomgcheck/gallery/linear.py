"""A boat under two unknown winds: a linear world model, every entry of the world channel affine in the two.

The transition is a mixture of known kernels with unknown weights, the linear world model of Proposition 2.6 with
d_lin = 2: three quarters known steering, one quarter the wind that blows where the boat sails or rides at anchor.
"""

from __future__ import annotations

from typing import Any

WINDS = {"sail": ["0", "1-x", "x"], "anchor": ["y", "1-y", "0"]}  # next west, middle, east
STEERED = {  # the known three quarters: state -> action -> (the rival waits, the rival blocks)
    "west": {"sail": (["1/4", "3/4", "0"], ["3/4", "1/4", "0"]), "anchor": (["1", "0", "0"], ["1", "0", "0"])},
    "middle": {"sail": (["0", "1/4", "3/4"], ["1/4", "1/2", "1/4"]), "anchor": (["0", "1", "0"], ["1/4", "3/4", "0"])},
    "east": {"sail": (["0", "1/4", "3/4"], ["0", "3/4", "1/4"]), "anchor": (["0", "0", "1"], ["0", "1/4", "3/4"])},
}


def _law(steered: list[str], wind: list[str]) -> list[str]:
    """Return the law of the next state: three quarters steering, one quarter wind."""
    return [f"3/4*{known}+1/4*({unknown})" for known, unknown in zip(steered, wind, strict=True)]


def _block(weight: str) -> list[list[str]]:
    """Return the law of (wait, block), the same near and far: z weighs how much the policy sails."""
    return [[f"1/2-z*{weight}", f"1/2+z*{weight}"]] * 2


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    sail, anchor = ["1", "0"], ["0", "1"]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "linear",
        "description": "A boat sails east or rides at anchor, and a rival may block it. Under sail the wind drives it "
        "east with unknown weight x, at anchor west with unknown weight y; the rest of its way is known. Its position "
        "is seen through mist.",
        "source": "a linear mixture of known kernels, as in Proposition 2.6",
        "game": {
            "horizon": 3,
            "states": ["west", "middle", "east"],
            "learner_actions": ["sail", "anchor"],
            "adversary_actions": ["wait", "block"],
            "learner_observations": ["see-west", "see-middle", "see-east"],
            "adversary_observations": ["near", "far"],
            "reward": ["0", "1/2", "1"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/4", "1/2", "3/4"]}, "y": {"values": ["1/4", "3/4"]}},
            "initial": ["1/2", "1/2", "0"],
            "transition": [
                [[_law(known, WINDS[action]) for known in laws] for action, laws in by_action.items()]
                for by_action in STEERED.values()
            ],
            "learner_emission": [["7/10", "1/5", "1/10"], ["3/20", "7/10", "3/20"], ["1/10", "1/5", "7/10"]],
            "adversary_emission": [["1/4", "3/4"], ["1/2", "1/2"], ["3/4", "1/4"]],
        },
        "responses": {
            "parameters": {"z": {"values": ["1/10", "2/5"]}},
            "memory": 2,
            "block_rule": "mean",
            "window": 1,
            "table": {
                "anchor": _block("0"),
                "sail": _block("1"),
                "sail-from-west": _block("1/3"),
                "sail-to-east": _block("2/3"),
            },
        },
        "policies": {
            "window": 1,
            "list": {
                "anchor": [anchor] * 3,
                "sail": [sail] * 3,
                "sail-from-west": [sail, anchor, anchor],
                "sail-to-east": [sail, sail, anchor],
            },
        },
        "truth": {"worlds": {"x": "1/2", "y": "3/4"}, "responses": {"z": "2/5"}},
    }
