"""A porter whose first glance is through a door pane of unknown clarity."""

from __future__ import annotations

from typing import Any

SUMMARY = "worlds that differ only in what the learner sees now"
FAILS = "weak-revealing"
ALSO: tuple[str, ...] = ()
TEACHES = (
    "The literal form of 2.4 conditions on the current observation and so cancels a change of its "
    "emission; the joint form does not."
)


def document() -> dict[str, Any]:
    """The model class, in authoring form."""
    return {
        "format": "pomgcheck-model-class/1",
        "name": "current-emission",
        "description": "A caller, friend or stranger, is seen first through a pane that misleads with unknown "
        "probability x, then in the open. Two panes change the first glance and nothing after it.",
        "game": {
            "horizon": 2,
            "states": ["friend", "stranger"],
            "learner_actions": ["wait"],
            "adversary_actions": ["stay"],
            "learner_observations": ["smile", "frown"],
            "adversary_observations": ["nothing"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["1/8", "1/4"]}},
            "initial": ["1/2", "1/2"],
            "transition": [[[["1", "0"]]], [[["0", "1"]]]],
            "learner_emission": {"steps": [[["1-x", "x"], ["x", "1-x"]], [["3/4", "1/4"], ["1/4", "3/4"]]]},
            "adversary_emission": [["1"], ["1"]],
        },
        "responses": {"parameters": {}, "memory": 1, "block_rule": "latest", "window": 1, "table": {"watch": [["1"]]}},
        "policies": {"window": 1, "list": {"watch": [["1"], ["1"]]}},
        "truth": {"worlds": {"x": "1/4"}, "responses": {}},
    }
