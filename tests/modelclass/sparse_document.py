"""A ring of rooms large enough that its transitions are written sparse, and its pieces in the dense spelling."""

from __future__ import annotations

from typing import Any

from pomgcheck.modelclass.document import FORMAT

ROOMS = 60  # 60 * 3 * 2 * 60 = 21,600 entries a step
ACTIONS, ANSWERS = ("stay", "go", "run"), ("pass", "push")

Document = dict[str, Any]


def ring(**changes: Any) -> Document:
    """The learner moves on by none, one or two rooms, which fails with probability x; the first room is told apart."""
    rooms = [f"room{k}" for k in range(ROOMS)]
    transition = {
        f"{room} {action} *": {room: "x", rooms[(k + n) % ROOMS]: "1-x"} if n else {room: "1"}
        for k, room in enumerate(rooms)
        for n, action in enumerate(ACTIONS)
    }
    return {
        "format": FORMAT,
        "name": "ring",
        "game": {
            "horizon": 2,
            "states": rooms,
            "learner_actions": list(ACTIONS),
            "adversary_actions": list(ANSWERS),
            "learner_observations": ["door", "wall"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/4", "1/2"]}},
            "initial": {rooms[0]: "1/2", rooms[-1]: "1/2"},
            "transition": transition,
            "learner_emission": {"*": {"wall": "1"}, rooms[0]: {"door": "3/4", "wall": "1/4"}},
            "adversary_emission": "uniform",
        },
        "policies": {"generate": {"kind": "routing", "window": 1}},
        "responses": {
            "window": 1,
            "memory": 1,
            "block_rule": "latest",
            "parameters": {"y": {"values": ["1/3"]}},
            "table": {action: {"nothing": {"pass": "y", "push": "1-y"}} for action in ACTIONS},
        },
    } | changes


def dense(table: dict[str, Any], width: int, horizon: int) -> Any:
    """A table of the sparse form in arrays."""

    def spread(numbers: Any) -> Any:
        if isinstance(numbers, list):
            return [spread(part) for part in numbers]
        entries = dict(map(tuple, table["sparse"][numbers]))
        return [entries.get(place, "0") for place in range(width)]

    return spread(table["table"]) if "table" in table else {"steps": [spread(step) for step in table["steps"]]}
