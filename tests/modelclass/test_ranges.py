"""Whether an entry stays in [0,1], and a divisor away from zero, on a whole class."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.errors import GaveUp, InputError
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.modelclass.expressions import ExpressionRing
from pomgcheck.modelclass.parameters import read_parameters
from pomgcheck.modelclass.ranges import RangeChecks


def interval(low: str, high: str) -> dict[str, list[str]]:
    """A closed interval axis."""
    return {"interval": [low, high]}


UNIT = interval("0", "1")


def check(text: str, axes: dict[str, Any], *constraints: str, pieces: int = 200) -> None:
    """Check the divisors and the sign of ``text`` on the class."""
    ring = ExpressionRing(axes)
    ranges = RangeChecks(
        read_parameters({"parameters": axes, "constraints": list(constraints)}, "worlds", ring), pieces
    )
    expression = ring.read(text, "w")
    ranges.check_divisors(expression, text, "w")
    ranges.check_nonnegative(expression, text, "w")


STAYS = [
    ("1-x", {"x": UNIT}, ()),
    ("1-x-y", {"x": UNIT, "y": UNIT}, ("x + y <= 1",)),
    ("1-x*z-y*z", {"x": UNIT, "y": UNIT, "z": UNIT}, ("x+y<=1",)),
    ("(x-1/3)^2", {"x": UNIT}, ()),
    ("(x-1/3)^2+1/1000000", {"x": UNIT}, ()),
    ("x^2-2*x*y+y^2", {"x": UNIT, "y": UNIT}, ()),
    ("x/(8*x)", {"x": interval("1/8", "1")}, ()),
    ("1/(x^2+y^2-x+1)", {"x": UNIT, "y": UNIT}, ()),
    ("(x+1)/(x+2)-y/3", {"x": UNIT, "y": UNIT}, ()),
    ("x-y", {"x": {"values": ["1/4", "1/2"]}, "y": UNIT}, ("2*y <= x",)),
    ("x*y", {"x": UNIT, "y": UNIT}, ("x+y<=1", "x+y>=1")),
    ("x-1/3", {"x": interval("1/3", "1/3")}, ()),
    ("(x-1/3)^2*(x-1)", {"x": interval("1/3", "1/3")}, ()),
    ("1-" + "*".join(f"x{k}" for k in range(8)), {f"x{k}": UNIT for k in range(8)}, ()),
    ("1-a*b-c*d", dict.fromkeys("abcd", UNIT), ("a+b+c+d <= 2",)),
    ("1/(x-1/2)^2", {"x": {"values": ["0", "1"]}}, ()),
]


@pytest.mark.parametrize(("text", "axes", "constraints"), STAYS)
def test_stays_in_range(text: str, axes: dict[str, Any], constraints: tuple[str, ...]) -> None:
    """A true statement is proved, where an equality is attained too."""
    check(text, axes, *constraints)


RANGE = "required an entry in [0,1] on the whole class"
DIVISOR = "required a divisor that is nonzero on the whole class"
LEAVES = [
    ("1/2-x", {"x": UNIT}, (), f'w: found the entry "1/2-x", which is -1/2 at x = 1, {RANGE}'),
    (
        "1-x-y",
        {"x": UNIT, "y": UNIT},
        ("x+y<=3/2",),
        f'w: found the entry "1-x-y", which is -1/2 at x = 1/2, y = 1, {RANGE}',
    ),
    (
        "x-1/8",
        {"x": {"values": ["1/4", "1/10"]}},
        (),
        f'w: found the entry "x-1/8", which is -1/40 at x = 1/10, {RANGE}',
    ),
    (
        "x*y-1/4",
        {"x": UNIT, "y": UNIT},
        ("x+y<=1", "x+y>=1"),
        f'w: found the entry "x*y-1/4", which is -1/4 at x = 0, y = 1, {RANGE}',
    ),
    (
        "(x-1/2)/(y+1)",
        {"x": UNIT, "y": {"values": ["1"]}},
        (),
        f'w: found the entry "(x-1/2)/(y+1)", which is -1/4 at x = 0, y = 1, {RANGE}',
    ),
    ("x/x", {"x": UNIT}, (), f'w: found "x/x", whose divisor x is zero at x = 0, {DIVISOR}'),
    (
        "1/(x-1/3)",
        {"x": UNIT},
        (),
        f'w: found "1/(x-1/3)", whose divisor 3*x-1 is zero between x = 0 and x = 1, where its signs differ, {DIVISOR}',
    ),
    (
        "1/(x^2-1/2)",
        {"x": UNIT},
        (),
        f'w: found "1/(x^2-1/2)", whose divisor 2*x^2-1 is zero between x = 0 and x = 1, where its signs differ, '
        f"{DIVISOR}",
    ),
    (
        "1/(x-y)",
        {"x": {"values": ["1/4", "1/2"]}, "y": {"values": ["1/8", "1/2"]}},
        (),
        f'w: found "1/(x-y)", whose divisor x-y is zero at x = 1/2, y = 1/2, {DIVISOR}',
    ),
]


@pytest.mark.parametrize(("text", "axes", "constraints", "message"), LEAVES)
def test_leaves_the_range(text: str, axes: dict[str, Any], constraints: tuple[str, ...], message: str) -> None:
    """A false statement is refuted at an exact point of the class."""
    with pytest.raises(InputError) as caught:
        check(text, axes, *constraints)
    assert message == str(caught.value)


def test_negative_between_the_vertices() -> None:
    """A dip that no vertex shows is found by halving."""
    with pytest.raises(InputError, match=r"which is -\d+/\d+ at x = \d+/\d+, "):
        check("(x-1/3)^2-1/10000", {"x": UNIT})


def test_undecided_is_not_refuted() -> None:
    """A zero that touches the range inside the box ends the budget: the program gives up and says where."""
    with pytest.raises(GaveUp, match="near x = 0.333333, y = 0.333333") as caught:
        check("(x-1/3)^2+(y-1/3)^2", {"x": UNIT, "y": UNIT})
    assert 3 == caught.value.exit_code


def test_listed_points_are_the_class() -> None:
    """With points listed, only they are looked at."""
    part = {"points": [{"x": "0", "y": "1"}, {"x": "1", "y": "0"}]}
    ring = ExpressionRing(["x", "y"])
    ranges = RangeChecks(read_parameters(part, "worlds", ring))
    ranges.check_nonnegative(ring.read("1-x-y", "w"), "1-x-y", "w")
    with pytest.raises(InputError, match="which is -1 at x = 1, y = 0"):
        ranges.check_nonnegative(ring.read("y-x", "w"), "y-x", "w")


MONOMIALS = [(i, j) for i in range(4) for j in range(4) if i + j <= 4]


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(-4, 6), min_size=len(MONOMIALS), max_size=len(MONOMIALS)), st.booleans())
def test_decisions_agree_with_a_grid(coefficients: list[int], tied: bool) -> None:
    """A polynomial called nonnegative is so at every grid point; one refuted is negative where it says."""
    text = "+".join(f"({c})*x^{i}*y^{j}" for c, (i, j) in zip(coefficients, MONOMIALS, strict=True))
    steps = [(i, j) for i, j in product(range(7), repeat=2) if not tied or i + j <= 6]
    grid = [{"x": Fraction(i, 6), "y": Fraction(j, 6)} for i, j in steps]
    lowest = min(evaluate(text, point, "w") for point in grid)
    try:
        check(text, {"x": UNIT, "y": UNIT}, *(["x+y<=1"] if tied else []))
    except InputError as refuted:
        point = {"x": Fraction(0), "y": Fraction(0)} | {
            name: Fraction(value) for name, value in re.findall(r"\b([xy]) = (-?\d+(?:/\d+)?)", str(refuted))
        }
        assert evaluate(text, point, "w") < 0
        assert not tied or sum(point.values()) <= 1
    except GaveUp:
        return
    else:
        assert lowest >= 0
