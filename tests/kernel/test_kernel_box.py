"""Rule ``box``: Bernstein coefficients bracket a polynomial, and a tree shows only what is so."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.boxes import MAX_DEPTH, Region, coefficients, holds, right_sign
from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.continua import Goal
from pomgcheck.kernel.goals import Bounds, settle, width
from pomgcheck.kernel.polynomials import Polynomial, TooLarge, value, variable
from pomgcheck.kernel.reading import Malformed
from pomgcheck.search.exact.boxes import OutOfBoxes, Shown, SignSearch, Violated

X, Y = variable("x"), variable("y")
UNIT = {"x": (Fraction(0), Fraction(1)), "y": (Fraction(0), Fraction(1))}
small = st.fractions(-2, 2, max_denominator=4)
monomials = st.lists(st.sampled_from(["x", "y"]), max_size=4).map(lambda key: tuple(sorted(key)))
polynomials = st.dictionaries(monomials, small.filter(bool), max_size=6).map(Polynomial)
ends = st.tuples(small, small).map(sorted).map(tuple)
boxes = st.fixed_dictionaries({"x": ends, "y": ends})
HALF = [["box"], ["box"]]


def grid(box: Any, n: int = 6) -> list[dict[str, Fraction]]:
    """Points of a box, corners included."""
    sides = [[(low + (high - low) * Fraction(k, n)) for k in range(n + 1)] for low, high in box.values()]
    return [dict(zip(box, x, strict=True)) for x in product(*sides)]


@given(polynomials, boxes)
def test_coefficients_of_one_sign_bound_the_polynomial(p: Polynomial, box: Any) -> None:
    """Where all coefficients are nonnegative (positive) so is the polynomial everywhere on the box."""
    values = [value(p, point) for point in grid(box)]
    if right_sign(p, box, False):
        assert min(values) >= 0
    if right_sign(p, box, True):
        assert min(values) > 0


@given(polynomials, boxes)
def test_the_search_and_the_kernel_agree(p: Polynomial, box: Any) -> None:
    """A tree of the search is accepted; a violated sign is violated at its point."""
    terms = {key: Fraction(c) for key, c in p.items()}
    for strict in (False, True):
        answer = SignSearch(terms, box, [], strict, 60).run()
        if isinstance(answer, Shown):
            assert holds(p, strict, Region(box), answer.tree, "tree")
        elif isinstance(answer, Violated):
            found = value(p, {**{name: low for name, (low, _) in box.items()}, **answer.point})
            assert found < 0 or (strict and found == 0)
            assert all(box[name][0] <= x <= box[name][1] for name, x in answer.point.items())


@settings(max_examples=40, deadline=None)
@given(polynomials, polynomials)
def test_constraints_are_used_soundly(p: Polynomial, q: Polynomial) -> None:
    """Where an affine constraint holds in the unit square, trees are accepted and true, and points lie there."""
    constraint = Polynomial({key: c for key, c in q.items() if len(key) <= 1})
    assume(any(key for key in constraint))
    inside = [point for point in grid(UNIT) if value(constraint, point) >= 0]
    assume(inside)
    terms, side = ({key: Fraction(c) for key, c in each.items()} for each in (p, constraint))
    answer = SignSearch(terms, UNIT, [side], False, 12).run()
    if isinstance(answer, Shown):
        assert holds(p, False, Region(UNIT, (constraint,)), answer.tree, "tree")
        assert min(value(p, point) for point in inside) >= 0
    elif isinstance(answer, Violated):
        assert value(p, answer.point) < 0 <= value(constraint, answer.point)


def test_the_bernstein_form_is_sharp_at_corners() -> None:
    """Corner coefficients have the sign of the values there: one negative corner is seen."""
    assert -1 == min(coefficients(1 - 2 * X * Y, UNIT))
    assert not right_sign(X * Y - Fraction(1, 100), UNIT, False)


def test_splitting_shows_what_the_whole_box_does_not() -> None:
    """x^2 - x + 1/4 >= 0 needs the cut at its double root; strictly it is false."""
    p = X * X - X + Fraction(1, 4)
    region = Region({"x": UNIT["x"]})
    assert not holds(p, False, region, ["box"], "tree")
    assert holds(p, False, region, ["split", "x", "1/2", *HALF], "tree")
    assert not holds(p, False, region, ["split", "x", "1/3", *HALF], "tree")
    assert not holds(p, True, region, ["split", "x", "1/2", *HALF], "tree")


def test_constraints_may_take_part() -> None:
    """1-x-y >= 0 on the triangle by weight 1; x(1-x-y) by weight x; outside it nothing is asked."""
    region = Region(UNIT, (1 - X - Y,))
    assert not holds(1 - X - Y, False, region, ["box"], "tree")
    assert holds(1 - X - Y, False, region, ["weighted", {"0": [["1"]]}], "tree")
    assert holds(X * (1 - X - Y), False, region, ["weighted", {"0": [["1", "x"]]}], "tree")
    assert not holds(X * (1 - X - Y), False, region, ["weighted", {"0": [["1", "y"]]}], "tree")
    cut = ["split", "x", "1/2", ["box"], ["split", "y", "1/2", ["box"], ["outside", 0]]]
    assert not holds(1 - X * Y * 2, False, region, cut, "tree")
    smaller = Region(UNIT, (Fraction(3, 4) - X - Y,))
    assert holds(Fraction(7, 8) - Y, False, smaller, ["split", "y", "7/8", ["box"], ["outside", 0]], "tree")
    assert not holds(Fraction(7, 8) - Y, False, smaller, ["split", "y", "3/4", ["box"], ["outside", 0]], "tree")


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([], '"box", "outside"'),
        (["ball"], '"box", "outside"'),
        (["box", 1], '"box", "outside"'),
        (["outside", 1], '"box", "outside"'),
        (["outside", True], '"box", "outside"'),
        (["outside", -1], '"box", "outside"'),
        (["split", "z", "1/2", *HALF], '"box", "outside"'),
        (["split", "x", "0", *HALF], "a point between 0 and 1"),
        (["split", "x", "2", *HALF], "a point between 0 and 1"),
        (["split", "x", "half", *HALF], "exact number"),
        (["weighted", {"1": [["1"]]}], "nonnegative weight"),
        (["weighted", {"0": [["-1"]]}], "nonnegative weight"),
        (["weighted", {"0": [["1"], ["-2", "x"]]}], "nonnegative weight"),
        (["weighted", {"0": [["1", "z"]]}], "axes of the region"),
        ("box", "str"),
    ],
)
def test_malformed_trees(tree: Any, message: str) -> None:
    """Anything but the four kinds of node, with their parts in range, is refused by name."""
    with pytest.raises(Malformed, match=message):
        holds(X - Y, False, Region(UNIT, (1 - X - Y,)), tree, "tree")


def test_depth_and_size_are_bounded() -> None:
    """A tree deeper than allowed is malformed; a form of too many coefficients is refused before it is made."""
    tree: Any = ["box"]
    for k in range(1, MAX_DEPTH + 2):
        tree = ["split", "x", str(1 - Fraction(1, 2) ** (MAX_DEPTH + 2 - k)), ["box"], tree]
    with pytest.raises(Malformed):
        holds(-X, False, Region({"x": (Fraction(0), Fraction(1))}), tree, "tree") or holds(
            X, False, Region({"x": (Fraction(0), Fraction(1))}), tree, "tree"
        )
    wide = Polynomial({tuple(f"v{n:02}" for n in range(25)): 1})
    with pytest.raises(TooLarge):
        coefficients(wide, {f"v{n:02}": (Fraction(0), Fraction(1)) for n in range(25)})


def test_an_unknown_axis_is_refused() -> None:
    """A polynomial in what is no axis of the box has no sign there."""
    with pytest.raises(Malformed, match="an axis of the region"):
        coefficients(variable("z"), UNIT)


def test_the_budget_ends_with_the_box_reached() -> None:
    """A touching of zero at an irrational point is never decided; the search says where it stopped."""
    terms = {("x",) * 4: Fraction(4), ("x", "x"): Fraction(-4), (): Fraction(1)}  # (2x^2-1)^2
    answer = SignSearch(terms, {"x": (Fraction(0), Fraction(1))}, [], False, 40).run()
    assert isinstance(answer, OutOfBoxes)
    low, high = answer.box["x"]
    assert 2 * low**2 <= 1 <= 2 * high**2


def test_bounds_that_are_not_stated_are_those_known_or_refused() -> None:
    """Of a polynomial without stated bounds what is known of it stands, no goal with it, and a number is its own
    bounds; where nothing is known it is refused."""
    facts: Any = None  # not asked for
    bounds = Bounds(Case(facts, "claim", {}), {"+1*x": ["0", "1"]}, [])
    region, known = Region(UNIT), (Fraction(0), Fraction(2))
    assert known == bounds.of(Y * 2, region, known)
    for number in (Fraction(-3, 2), Fraction(0), Fraction(3)):
        assert (number, number) == bounds.of(X * 0 + number, region)
    assert [] == bounds.goals
    assert known == bounds.of(X * 2, region)
    assert ["+1*x >= 0", "+1-1*x >= 0"] == [goal.statement() for goal in bounds.goals]
    with pytest.raises(Rejected, match="no bounds of"):
        bounds.of(Y, region)


def test_the_norm_of_numbers_is_exact_and_that_of_polynomials_a_goal_for_each_choice_of_signs() -> None:
    """0, -3/2 and 1/3 have the norm 11/6, with nothing to show; |x - 1/2| twice is at most what is stated, by four
    goals."""
    facts: Any = None  # not asked for
    case, region, goals = Case(facts, "claim", {}), Region(UNIT), list[Goal]()
    assert Fraction(11, 6) == width(case, (X * 0, Fraction(-3, 2), Fraction(1, 3)), region, {}, goals)
    assert [] == goals
    apart = (X - Fraction(1, 2), Fraction(1, 2) - X)
    name = "1/2*(-1+2*x), 1/2*(+1-2*x)"
    assert Fraction(1) == width(case, apart, region, {name: "1"}, goals)
    assert {"+1 >= 0", "+1-1*x >= 0", "+1*x >= 0"} == {goal.statement() for goal in goals}
    with pytest.raises(Rejected, match="no bound of the difference"):
        width(case, apart, region, {}, goals)


def test_a_goal_of_too_many_coefficients_is_refused_whatever_was_shown_before() -> None:
    """The goal x >= 0 holds; one in 25 parameters is too large to be shown, though a tree is there."""
    facts: Any = None  # not asked for
    box = {"x": (Fraction(0), Fraction(1))} | {f"v{n:02}": (Fraction(-1), Fraction(1)) for n in range(25)}
    wide = Goal(Polynomial({tuple(f"v{n:02}" for n in range(25)): 1}), False, Region(box))
    shown, seen = Goal(X, False, Region(box)), list[Any]()
    settle(Case(facts, "claim", {}, goals=seen), [shown], {})
    assert [shown] == seen
    with pytest.raises(Rejected, match="a polynomial of moderate degree"):
        settle(Case(facts, "claim", {}), [shown, wide], {wide.statement(): ["box"]})
