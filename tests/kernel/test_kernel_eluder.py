"""What bounds an independent sequence: directions of entries, their rank, and the sign-witness inequality."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pomgcheck.kernel.eluder import PRIME, directions, rank, sign_witness
from pomgcheck.kernel.logarithms import log_enclosure


def test_entries_of_one_direction_are_one_with_the_sum_of_their_squares() -> None:
    """Differences (0,2,4), twice (0,3,6) and (0,-2,-4) are 2, 3 and -2 times (0,1,2): 4 + 2 * 9 + 4; an entry that does
    not change has no direction."""
    entries = [((0, 2, 4), 1), ((1, 4, 7), 2), ((4, 2, 0), 1), ((5, 5, 5), 3), ((2, 2, 3), 1)]
    assert {(0, 1, 2): 26, (0, 0, 1): 1} == directions(entries)


@pytest.mark.parametrize(
    ("rows", "most", "expected"),
    [
        ([(0, 1, 2), (0, 1, 3)], 2, 2),
        ([(0, 1, 2), (0, 1, 3), (0, 5, 7)], 3, 2),
        ([(0, 2, 4), (0, 3, 6)], 2, 1),
        ([(PRIME, 0)], 1, 1),
        ([(1, 0), (1, PRIME)], 2, 2),
        ([(0, 0)], 1, 0),
        ([], 0, 0),
    ],
)
def test_ranks_are_exact(rows: list[tuple[int, ...]], most: int, expected: int) -> None:
    """Also where rows depend on each other modulo the prime alone."""
    assert expected == rank(rows, most)


@pytest.mark.parametrize(("p", "C"), [(1, Fraction(5, 4)), (1, Fraction(2)), (3, Fraction(9, 2)), (7, Fraction(1000))])
def test_the_bound_is_the_last_length_that_the_inequality_allows(p: int, C: Fraction) -> None:
    """N log(17/9) <= p log(1 + 8 C N/p) holds at the bound and at no larger N."""
    unit = log_enclosure(Fraction(17, 9), 128)
    found = sign_witness(p, C)
    assert found * unit[0] <= p * log_enclosure(1 + 8 * C * found / p, 128)[1]
    for N in range(found + 1, found + 100):
        assert N * unit[1] > p * log_enclosure(1 + 8 * C * N / p, 128)[0]
    assert 12 * p * log_enclosure(1 + 8 * C, 128)[0] >> 128 >= found


def test_no_function_exceeds_a_scale_that_is_larger_than_all() -> None:
    """At C <= 1, or where nothing differs, no sequence has a member; just above there may be one."""
    assert [0, 0] == [sign_witness(3, Fraction(1)), sign_witness(0, Fraction(9))]
    assert sign_witness(1, Fraction(101, 100)) > 0
