"""Floats in, exact evidence out: enclosures, roundings and factors."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pomgcheck.search.exact import enclosures, programs

positive = st.fractions(min_value=Fraction(1, 10**9), max_value=10**9).filter(bool)
small = st.fractions(min_value=-2, max_value=2, max_denominator=6)


@given(positive)
def test_short_rationals_lie_on_their_side(x: Fraction) -> None:
    """Rounding down never exceeds, rounding up never falls short, and both stay within 1e-10."""
    low, high = enclosures.round_down(x), enclosures.round_up(x)
    assert low <= x <= high
    assert high - low <= x / 10**10


@given(st.lists(st.floats(-1.000001, 1.000001), min_size=1, max_size=4))
def test_roundings_stay_in_the_unit_interval(y: list[float]) -> None:
    """Every proposal is rational, in [-1,1], and the last is close."""
    import numpy as np

    proposals = programs.roundings(np.array(y))
    assert all(-1 <= x <= 1 for proposal in proposals for x in proposal)
    assert all(abs(float(x) - value) < 2e-6 for x, value in zip(proposals[-1], y, strict=True))


@settings(max_examples=40)
@given(
    st.lists(st.lists(small, min_size=3, max_size=3), min_size=2, max_size=2),
    st.lists(st.lists(small, min_size=2, max_size=2), min_size=3, max_size=3),
)
def test_a_factor_that_exists_is_found_exactly(signal: list[list[Fraction]], P: list[list[Fraction]]) -> None:
    """With difference = P signal some P' is returned with P' signal = difference, its column sums no larger than
    P's."""
    assume(any(any(row) for row in signal))
    difference = [
        [sum((p * s for p, s in zip(row, column, strict=True)), Fraction(0)) for column in zip(*signal, strict=True)]
        for row in P
    ]
    found = programs.least_factor(signal, difference)
    assert found is not None
    again = [
        [sum((p * s for p, s in zip(row, column, strict=True)), Fraction(0)) for column in zip(*signal, strict=True)]
        for row in found
    ]
    assert difference == again
    largest = [max(sum((abs(row[w]) for row in matrix), Fraction(0)) for w in range(2)) for matrix in (found, P)]
    assert float(largest[0]) <= float(largest[1]) * (1 + 1e-6) + 1e-6


def test_no_factor_where_a_difference_is_unseen() -> None:
    """A difference outside the span of the signal has no factor."""
    one, zero = Fraction(1), Fraction(0)
    assert programs.least_factor([[one, zero]], [[zero, one]]) is None
