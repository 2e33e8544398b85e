"""Small classes with interval axes, and points of them."""

from __future__ import annotations

from typing import Any

from tests.search import small

Document = dict[str, Any]
IDLE = {"table": {"p": [["1"]]}}


def axes(**intervals: tuple[str, str]) -> Document:
    """Interval axes by name."""
    return {name: {"interval": list(ends)} for name, ends in intervals.items()}


def sensor(**intervals: tuple[str, str]) -> Document:
    """A known sensor over two states that move by two unknown parameters."""
    document = small.document("sensor", learner=[["3/4", "1/4"], ["1/4", "3/4"]], worlds={}, responses=IDLE,
                              moves=[[["1-x", "x"]], [["y", "1-y"]]], initial=["1/2", "1/2"], horizon=3)  # fmt: skip
    document["worlds"]["parameters"] = axes(**(intervals or {"x": ("1/8", "3/8"), "y": ("1/4", "1/2")}))
    return document


def parabola(low: str = "0", high: str = "1") -> Document:
    """One observation's chance has its least value inside the interval: x^2 - x + 1/2, least 1/4 at 1/2."""
    document = small.document("parabola", learner=[["x^2-x+1/2", "1/2+x-x^2"]], worlds={}, responses=IDLE,
                              moves=[[["1"]]])  # fmt: skip
    document["worlds"]["parameters"] = axes(x=(low, high))
    return document


def quotient() -> Document:
    """Entries that are quotients, of divisors of both signs."""
    document = small.document(
        "quotient", learner=[["x/(x+1)", "1/(x+1)"], ["1/(3-x)", "(x-2)/(x-3)"]], worlds={}, responses=IDLE,
        moves=[[["1/2", "1/2"]], [["x/(x+2)", "2/(x+2)"]]], initial=["1/3", "2/3"])  # fmt: skip
    document["worlds"]["parameters"] = axes(x=("1/2", "3/2"))
    return document


def triangle(least: str = "1/8") -> Document:
    """The three chances of the last observation are free but for their sum: a constraint ties the axes."""
    document = small.document("triangle", learner=[["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]], worlds={},
                              responses=IDLE, moves=[[["1/2", "1/2"]]] * 2, initial=["1/3", "2/3"])  # fmt: skip
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
    document = small.document("touching", learner=[["1-x", "x"]], worlds={}, responses=IDLE, moves=[[["1"]]],
                              horizon=1)  # fmt: skip
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
    document = small.document("crossing", learner=[["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"]], worlds={},
                              responses=IDLE, moves=[[["(3-x)/4", "(1+x)/4"]], [["(1+x)/4", "(3-x)/4"]]],
                              initial=["1/2", "1/2"])  # fmt: skip
    bent = [["1/2", "1/4", "1/4"], ["(1+x)/8", "(4-x-x^2)/8", "(3+x^2)/8"]]
    document["worlds"]["learner_emission"] = {"steps": [document["worlds"]["learner_emission"], bent]}
    document["worlds"]["parameters"] = axes(x=("0", "1/2"))
    return document


def fading() -> Document:
    """One state shows nothing at the end x = 0 of the interval, and the other never does."""
    document = small.document("fading", learner=[["1", "0"], ["1-x", "x"]], worlds={}, responses=IDLE,
                              moves=[[["1/2", "1/2"]], [["0", "1"]]], horizon=2)  # fmt: skip
    document["worlds"]["parameters"] = axes(x=("0", "1/2"))
    return document


CLASSES = {f.__name__: f for f in (sensor, parabola, quotient, triangle, mixed)}
