"""Small classes with interval axes, and points of them."""

from __future__ import annotations

from itertools import product
from typing import Any

from tests.search import small

Document = dict[str, Any]
IDLE = {"table": {"p": [["1"]]}}


def axes(**intervals: tuple[str, str]) -> Document:
    """Interval axes by name."""
    return {name: {"interval": list(ends)} for name, ends in intervals.items()}


def sensor(**intervals: tuple[str, str]) -> Document:
    """A known sensor over two states that move by two unknown parameters."""
    document = small.document(
        "sensor",
        learner=[["3/4", "1/4"], ["1/4", "3/4"]],
        worlds={},
        responses=IDLE,
        moves=[[["1-x", "x"]], [["y", "1-y"]]],
        initial=["1/2", "1/2"],
        horizon=3,
    )
    document["worlds"]["parameters"] = axes(**(intervals or {"x": ("1/8", "3/8"), "y": ("1/4", "1/2")}))
    return document


def parabola(low: str = "0", high: str = "1") -> Document:
    """One observation's chance has its least value inside the interval: x^2 - x + 1/2, least 1/4 at 1/2."""
    document = small.document(
        "parabola", learner=[["x^2-x+1/2", "1/2+x-x^2"]], worlds={}, responses=IDLE, moves=[[["1"]]]
    )
    document["worlds"]["parameters"] = axes(x=(low, high))
    return document


def cells() -> Document:
    """One observation's chance lies in either of two intervals, so that models of two cells are never alike."""
    document = small.document("cells", learner=[["1/4+x+z", "3/4-x-z"]], worlds={}, responses=IDLE, moves=[[["1"]]])
    document["worlds"]["parameters"] = axes(x=("0", "1/8")) | {"z": {"values": ["0", "1/4"]}}
    return document


def quotient() -> Document:
    """Entries that are quotients, of divisors of both signs."""
    document = small.document(
        "quotient",
        learner=[["x/(x+1)", "1/(x+1)"], ["1/(3-x)", "(x-2)/(x-3)"]],
        worlds={},
        responses=IDLE,
        moves=[[["1/2", "1/2"]], [["x/(x+2)", "2/(x+2)"]]],
        initial=["1/3", "2/3"],
    )
    document["worlds"]["parameters"] = axes(x=("1/2", "3/2"))
    return document


def triangle(least: str = "1/8") -> Document:
    """The three chances of the last observation are free but for their sum: a constraint ties the axes."""
    document = small.document(
        "triangle",
        learner=[["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]],
        worlds={},
        responses=IDLE,
        moves=[[["1/2", "1/2"]]] * 2,
        initial=["1/3", "2/3"],
    )
    last = [["x", "y", "1-x-y"], ["y", "x", "1-x-y"]]
    document["worlds"]["learner_emission"] = {"steps": [document["worlds"]["learner_emission"], last]}
    document["worlds"]["parameters"] = axes(x=(least, "1"), y=(least, "1"))
    document["worlds"]["constraints"] = [f"x + y <= 1-{least}"]
    return document


def mixed() -> Document:
    """A finite axis beside an interval among the worlds, an interval among the responses, two policies."""
    document = small.drift()
    document["worlds"]["parameters"] = {"x": {"interval": ["1/16", "1/8"]}, "z": {"values": ["1/4", "1/3"]}}
    document["worlds"]["learner_emission"] = [["1-z", "z"], ["1/4", "3/4"]]
    document["responses"]["parameters"] = axes(y=("1/8", "1/4"))
    return document


def touching() -> Document:
    """An observation that is impossible at the end x = 0 of the interval, and nowhere else."""
    document = small.document("touching", learner=[["1-x", "x"]], worlds={}, responses=IDLE, moves=[[["1"]]], horizon=1)
    document["worlds"]["parameters"] = axes(x=("0", "1/2"))
    return document


def tied() -> Document:
    """The sensor with both parameters tied to be equal."""
    document = sensor(x=("1/8", "3/8"), y=("1/8", "3/8"))
    document["worlds"]["constraints"] = ["x - y <= 0", "y - x <= 0"]
    return document


def crossing() -> Document:
    """The two states move in opposite directions and a bend in the second sensor shows both, so that no one matrix
    maps signals to channels."""
    document = small.document(
        "crossing",
        learner=[["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"]],
        worlds={},
        responses=IDLE,
        moves=[[["(3-x)/4", "(1+x)/4"]], [["(1+x)/4", "(3-x)/4"]]],
        initial=["1/2", "1/2"],
    )
    bent = [["1/2", "1/4", "1/4"], ["(1+x)/8", "(4-x-x^2)/8", "(3+x^2)/8"]]
    document["worlds"]["learner_emission"] = {"steps": [document["worlds"]["learner_emission"], bent]}
    document["worlds"]["parameters"] = axes(x=("0", "1/2"))
    return document


def fading() -> Document:
    """One state shows nothing at the end x = 0 of the interval, and the other never does."""
    document = small.document(
        "fading",
        learner=[["1", "0"], ["1-x", "x"]],
        worlds={},
        responses=IDLE,
        moves=[[["1/2", "1/2"]], [["0", "1"]]],
        horizon=2,
    )
    document["worlds"]["parameters"] = axes(x=("0", "1/2"))
    return document


def staircase() -> Document:
    """What one step of a finite axis moves adds up over the steps; the interval matters at the last step alone."""
    document = small.document(
        "staircase",
        learner=[["1", "0"], ["1", "0"]],
        worlds={"z": ["1/16", "17/256"]},
        responses=IDLE,
        moves=[[["1-z", "z"]], [["0", "1"]]],
        horizon=6,
    )
    plain = document["worlds"]["learner_emission"]
    document["worlds"]["learner_emission"] = {"steps": [plain] * 5 + [[["1-x", "x"], ["0", "1"]]]}
    document["worlds"]["parameters"] |= axes(x=("1/1000", "1/500"))
    return document


def mixing() -> Document:
    """The class of `mixed` against an opponent that mixes its answers to the last two policies by an unknown weight."""
    document = mixed()
    responses = document["responses"]
    idle, watch = (responses["table"][name][0] for name in ("idle", "watch"))

    def mix(old: list[str], new: list[str]) -> list[list[str]]:
        return [[f"w*({x})+(1-w)*({y})" for x, y in zip(old, new, strict=True)]]

    responses |= {"block_rule": "table", "memory": 2, "parameters": axes(w=("0", "1/2"), y=("1/8", "1/4"))}
    responses["blocks"] = {"idle watch": mix(idle, watch), "watch idle": mix(watch, idle)}
    return document


POLICIES = {"never": [["1", "0"], ["1", "0"]], "ask": [["1", "0"], ["0", "1"]], "always": [["0", "1"], ["0", "1"]]}


def turns(low: str = "2/5", high: str = "13/20") -> Document:
    """The chance p of o0 tells three policies apart, and an opponent of memory two, whose settled answers are alike,
    counts how far the learner has come up from the policy before."""
    up = {"never ask": "u", "ask always": "u", "never always": "2*u"}
    blocks = {f"{old} {new}": up.get(f"{old} {new}", "0") for old, new in product(POLICIES, repeat=2)}
    responses = {
        "block_rule": "table",
        "memory": 2,
        "table": dict.fromkeys(POLICIES, [["1/2", "1/2"]]),
        "blocks": {block: [[f"1/2+{x}", f"1/2-{x}"]] for block, x in blocks.items()},
    }
    document = small.document(
        "turns",
        learner=[["p", "1-p"]],
        moves=[[["1"], ["1"]]],
        worlds={},
        actions=2,
        policies=POLICIES,
        responses=responses,
    )
    document["worlds"]["parameters"] = axes(p=(low, high))
    document["responses"]["parameters"] = axes(u=("0", "1/8"))
    return document


def meeting(
    chance: str = "x", mix: str = "1/3", constraints: tuple[str, ...] = (), **intervals: tuple[str, str]
) -> Document:
    """One policy asks, another plays the first action with the chance ``mix``: they look alike to the opponent where
    the first observation has that chance."""
    policies = {"ask": POLICIES["ask"], "mix": [[mix, f"1-{mix}"]] * 2}
    answers = {"mix": [["1/2", "1/2"]], "ask": [["1/2+u", "1/2-u"]]}
    document = small.document(
        "meeting",
        learner=[[chance, f"1-({chance})"]],
        moves=[[["1"], ["1"]]],
        worlds={},
        policies=policies,
        actions=2,
        responses={"table": answers},
        horizon=1,
    )
    document["worlds"] |= {"parameters": axes(**intervals), "constraints": list(constraints)}
    document["responses"]["parameters"] = axes(u=("1/8", "1/4"))
    return document


def seldom_heard() -> Document:
    """What gives two policies away is heard with chance x, down to zero; what is left to hear then tells less."""
    policies = {name: POLICIES[name] for name in ("ask", "never")}
    answers = {"ask": [["3/4", "1/4"]] * 2, "never": [["1/2", "1/2"]] * 2}
    stay = [[["1", "0"]] * 2, [["0", "1"]] * 2]
    document = small.document(
        "seldom-heard",
        learner=[["1", "0"], ["0", "1"]],
        moves=stay,
        worlds={},
        actions=2,
        adversary=[["1", "0"], ["1-x", "x"]],
        initial=["1/2", "1/2"],
        policies=policies,
        responses={"table": answers},
        horizon=1,
    )
    document["worlds"]["parameters"] = axes(x=("0", "1/2"))
    return document


def forgetting(entry: str = "y^2+z/4", constraints: tuple[str, ...] = ("y + z <= 3/4",)) -> Document:
    """Fading memory, two parameters of the response tied by a constraint, and an entry of degree two."""
    document = small.drift()
    table = {"idle": [["1", "0"]], "watch": [[f"1-({entry})", entry]]}
    document["responses"] = {
        "block_rule": "fading",
        "gamma": "9/10",
        "window": 1,
        "table": table,
        "parameters": axes(y=("1/8", "1/2"), z=("0", "1/2")),
        "constraints": list(constraints),
    }
    return document


CLASSES = {f.__name__: f for f in (sensor, parabola, quotient, triangle, mixed)}
