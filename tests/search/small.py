"""Hand-written classes whose constants are worked out on paper in the tests that use them."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]
Rows = list[list[str]]


def document(
    name: str,
    *,
    learner: Rows,
    adversary: Rows | None = None,
    moves: Any,
    worlds: Any,
    responses: Document,
    initial: list[str] | None = None,
    policies: Document | None = None,
    actions: int = 1,
    horizon: int = 2,
    **truth: Any,
) -> Document:
    """A class with states named by the rows of ``learner`` (E^A), ``moves`` as [s][b][s'] whatever the learner does.

    ``worlds``: parameter axes, name -> values; ``responses``: the responses section less block rule, memory and window.
    """
    states = len(learner)
    adversary = adversary or [["1"]] * states
    table = next(iter(responses["table"].values()))
    replies = len((table["steps"][0] if isinstance(table, dict) else table)[0])
    lists = dict(policies or {}) or {
        name: [["1", *["0"] * (actions - 1)]] * len(learner[0]) for name in responses["table"]
    }
    return {
        "format": "pomgcheck-model-class/1",
        "name": name,
        "game": {
            "horizon": horizon,
            "states": [f"s{n}" for n in range(states)],
            "learner_actions": [f"a{n}" for n in range(actions)],
            "adversary_actions": [f"b{n}" for n in range(replies)],
            "learner_observations": [f"o{n}" for n in range(len(learner[0]))],
            "adversary_observations": [f"d{n}" for n in range(len(adversary[0]))],
            "reward": ["1", *["0"] * (len(learner[0]) - 1)],
        },
        "worlds": {
            "parameters": {axis: {"values": values} for axis, values in worlds.items()},
            "initial": initial or ["1", *["0"] * (states - 1)],
            "learner_emission": learner,
            "adversary_emission": adversary,
            "transition": [[row] * actions for row in moves],
        },
        "responses": {"block_rule": "latest", "memory": 1, "window": 1, "parameters": {}} | responses,
        "policies": {"window": 1, "list": lists},
    } | truth


def drift(**truth: Any) -> Document:
    """A hidden state that drifts to alarm faster by x; the opponent attacks less by y where the learner may patrol."""
    watch = [["1", "0"], ["0", "1"]]
    return document(
        "drift",
        learner=[["3/4", "1/4"], ["1/4", "3/4"]],
        moves=[
            [["(-8*x+7)/8", "(8*x+1)/8"], ["(-8*x+5)/8", "(8*x+3)/8"]],
            [["(-2*x+1)/2", "(2*x+1)/2"], ["(-8*x+3)/8", "(8*x+5)/8"]],
        ],
        worlds={"x": ["0", "1/8"]},
        initial=["1/2", "1/2"],
        actions=2,
        policies={"idle": [["1", "0"], ["1", "0"]], "watch": watch},
        responses={
            "block_rule": "mean",
            "memory": 2,
            "parameters": {"y": {"values": ["1/8", "1/4"]}},
            "table": {"idle": [["1/2", "1/2"]], "watch": [["(2*y+1)/2", "(-2*y+1)/2"]]},
        },
        **truth,
    )


def two(emission: tuple[str, str], moves: tuple[str, str], **options: Any) -> Document:
    """Two states and two observations: in each state the chances of o0 and of moving to s0, in worlds x = 0 and 1."""
    sides = {
        "x/4": "(-x+4)/4",
        "(x+1)/4": "(-x+3)/4",
        "(x+2)/4": "(-x+2)/4",
        "(x+3)/4": "(-x+1)/4",
        "1/4": "3/4",
        "1/2": "1/2",
        "(2*x+1)/4": "(-2*x+3)/4",
    }
    sides |= {right: left for left, right in sides.items()}
    return gauge([[text, sides[text]] for text in emission], [[[text, sides[text]]] for text in moves], **options)


def gauge(
    up: Rows, moves: Any, response: list[str] | None = None, *, horizon: int = 2, initial: list[str] | None = None
) -> Document:
    """Worlds x = 0, 1 with emissions ``up``, one policy and one response."""
    response = response or ["1"]
    return document(
        "gauge",
        learner=up,
        moves=moves,
        worlds={"x": ["0", "1"]},
        horizon=horizon,
        initial=initial,
        responses={"table": {"p": [response]}},
    )
