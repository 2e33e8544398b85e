"""One small model-class document, and the smallest edits of it."""

from __future__ import annotations

import copy
from typing import Any

REMOVED = object()


def document() -> dict[str, Any]:
    """Two of everything, H = 2, one parameter a side; plain tables only."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "guard",
        "game": {
            "horizon": 2,
            "states": ["calm", "alarm"],
            "learner_actions": ["idle", "patrol"],
            "adversary_actions": ["wait", "attack"],
            "learner_observations": ["quiet", "noise"],
            "adversary_observations": ["dark", "lit"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/20", "1/10"]}},
            "initial": ["1/2", "1/2"],
            "transition": [
                [[["1-x", "x"], ["3/4-x", "1/4+x"]], [["1-x", "x"], ["1/2", "1/2"]]],
                [[["0", "1"], ["0", "1"]], [["x", "1-x"], ["x", "1-x"]]],
            ],
            "learner_emission": [["17/20", "3/20"], ["3/20", "17/20"]],
            "adversary_emission": [["7/10", "3/10"], ["3/10", "7/10"]],
        },
        "responses": {
            "parameters": {"y": {"values": ["1/10", "1/5"]}},
            "memory": 2,
            "block_rule": "mean",
            "window": 1,
            "table": {"idle": [["1/2", "1/2"], ["1/2", "1/2"]], "patrol": [["1/2+y", "1/2-y"], ["1/2", "1/2"]]},
        },
        "policies": {"window": 1, "list": {"idle": [["1", "0"], ["1", "0"]], "patrol": [["0", "1"], ["0", "1"]]}},
    }


def edited(*edits: tuple[str, Any]) -> dict[str, Any]:
    """The document after edits ``("worlds.initial", value)``; a number is an index, REMOVED takes the key out."""
    result = copy.deepcopy(document())
    for path, value in edits:
        *parents, last = (int(key) if key.isdigit() else key for key in path.split("."))
        target: Any = result
        for key in parents:
            target = target[key]
        if value is REMOVED:
            del target[last]
        else:
            target[last] = copy.deepcopy(value)
    return result
