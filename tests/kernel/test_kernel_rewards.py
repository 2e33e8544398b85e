"""R and R' of a class: the range of all rewards that a policy's value may depend on, and of those after the first step."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.rewards import ranges
from pomgcheck.modelclass.document import load
from tests.search import small

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
PLAIN, MOVED = [["1/2", "1/2", "0"]] * 2, [["1/2+x", "1/2-x", "0"]] * 2


def game(first: Any, second: Any, axis: Any) -> Game:
    """Two steps with rewards 3/4, 1/4 and 0, then 1, 3/4 and 0; the third observation never occurs."""
    document = small.document(
        "rewards", learner=PLAIN, moves=[[["1/2", "1/2"]]] * 2, worlds={}, responses={"table": {"stay": [["1"]]}}
    )
    document["game"]["reward"] = {"steps": [["3/4", "1/4", "0"], ["1", "3/4", "0"]]}
    document["worlds"] |= {"parameters": {"x": axis}, "learner_emission": {"steps": [first, second]}}
    return load(document).game


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (MOVED, PLAIN, (HALF + QUARTER, QUARTER)),  # rewards of the first step count where its law is not known
        (PLAIN, MOVED, (QUARTER, QUARTER)),  # elsewhere its mean is the same in all worlds
    ],
)
def test_ranges_of_a_finite_class(first: Any, second: Any, expected: tuple[Fraction, Fraction]) -> None:
    """What never occurs has no reward, and the first reward counts exactly where worlds differ in it."""
    assert expected == ranges(game(first, second, {"values": ["0", "1/8"]}))


@pytest.mark.parametrize(("first", "second"), [(MOVED, PLAIN), (PLAIN, MOVED)])
def test_ranges_on_intervals_are_those_of_the_tables(first: Any, second: Any) -> None:
    """Whatever occurs, 3/4 and then 1 lie between the least reward of a step and the largest."""
    assert (Fraction(7, 4), Fraction(1)) == ranges(game(first, second, {"interval": ["0", "1/8"]}))
