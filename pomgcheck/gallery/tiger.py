"""Two doors, a tiger and an opponent that lures it; how strongly the tiger is drawn to the right is unknown."""

from __future__ import annotations

from typing import Any

SIDES = ("left", "right")
GOT = ("", "-gold", "-claws")  # what the learner's last action brought
STATES = tuple(side + got for got in GOT for side in SIDES)
OBSERVATIONS = tuple(f"hear-{side}{got}" for got in GOT for side in SIDES)
ACTIONS = ("listen", "open-left", "open-right")

# P(tiger right next | tiger's side, opponent's action): x draws it the same way everywhere, so no mixture cancels
NEXT_RIGHT = {"left": {"lure": "x", "rest": "x/2"}, "right": {"lure": "1/2+x/2", "rest": "x"}}

# policy: (action on hearing left, action on hearing right), how far it leans to the right-hand door
POLICIES = {
    "wait": ("listen", "listen", "0"),
    "left": ("open-left", "open-left", "-1"),
    "right": ("open-right", "open-right", "1"),
    "trust": ("open-right", "open-left", "0"),
    "shy-left": ("listen", "open-left", "-1/2"),
    "shy-right": ("open-right", "listen", "1/2"),
}


def _outcome(side: str, action: str) -> str:
    if action == "listen":
        return ""
    return "-claws" if action == f"open-{side}" else "-gold"


def _successor(state: str, action: str, opponent: str) -> list[str]:
    """Return the law of the next state: the door opened shows at once what was behind it, and the tiger then moves."""
    side = state.split("-")[0]
    right = NEXT_RIGHT[side][opponent]
    law = {f"left{_outcome(side, action)}": f"1-({right})", f"right{_outcome(side, action)}": right}
    return [law.get(state, "0") for state in STATES]


def _hearing(state: str) -> list[str]:
    """Return the learner's emission: it sees what it got and hears the tiger on the right side with probability 3/5."""
    side, _, got = state.partition("-")
    law = {f"hear-{heard}" + (f"-{got}" if got else ""): "3/5" if heard == side else "2/5" for heard in SIDES}
    return [law.get(observation, "0") for observation in OBSERVATIONS]


def _play(on_left: str, on_right: str) -> list[list[str]]:
    return [[str(int(a == (on_left if "hear-left" in o else on_right))) for a in ACTIONS] for o in OBSERVATIONS]


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "tiger",
        "description": "A tiger stands behind one of two doors. The learner listens, or opens the other door for "
        "gold; the opponent glimpses the tiger and lures it to the right the more the learner favours "
        "the right-hand door. Unknown: the pull x to the right, and the opponent's sensitivity y to "
        "the policy it faces.",
        "game": {
            "horizon": 3,
            "states": list(STATES),
            "learner_actions": list(ACTIONS),
            "adversary_actions": ["lure", "rest"],
            "learner_observations": list(OBSERVATIONS),
            "adversary_observations": ["glimpse-left", "glimpse-right"],
            "reward": ["1/2", "1/2", "1", "1", "0", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/10", "1/2", "9/10"]}},
            "initial": ["1/2", "1/2", "0", "0", "0", "0"],
            "transition": [[[_successor(s, a, b) for b in ("lure", "rest")] for a in ACTIONS] for s in STATES],
            "learner_emission": [_hearing(state) for state in STATES],
            "adversary_emission": [["3/4", "1/4"] if s.startswith("left") else ["1/4", "3/4"] for s in STATES],
        },
        "responses": {
            "parameters": {"y": {"values": ["1/10", "7/20"]}},
            "memory": 2,
            "block_rule": "mean",
            "window": 1,
            "table": {
                name: [[f"{base}+y*({lean})", f"1-{base}-y*({lean})"] for base in ("5/8", "3/8")]
                for name, (_, _, lean) in POLICIES.items()
            },
        },
        "policies": {
            "window": 1,
            "list": {name: _play(on_left, on_right) for name, (on_left, on_right, _) in POLICIES.items()},
        },
        "truth": {"worlds": {"x": "9/10"}, "responses": {"y": "7/20"}},
    }
