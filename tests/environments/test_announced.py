"""Policies as they are announced: by name, index or table; and which policy of Pi a table is taken for."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.arena.announced import Announcements
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game, Table
from pomgcheck.setting import setting
from tests.learner.classes import games, rows

PATROL = setting("patrol")
READ = Announcements(PATROL).read


def test_a_policy_of_the_class_is_itself_however_it_is_named() -> None:
    """Name, index, numpy index, table of texts, of floats, and as an array."""
    third = [[[0, 1], [1, 0]]] * 3
    for policy in ("on-calm", 2, np.int64(2), PATROL.policies[2], third, np.array(third, dtype=float)):
        assert (PATROL.policies[2], 2) == READ(policy)


def test_a_table_is_taken_for_the_nearest_policy() -> None:
    """Nine times in ten `patrol`, and `patrol` but at one row, are patrol; half-way between all four is the first."""
    mostly = [[["1/10", "9/10"], ["1/10", "9/10"]]] * 3
    assert ("patrol", Fraction(9, 10)) == (PATROL.policy_names[READ(mostly).taken_for], READ(mostly).table[0][0][1])
    but_one = [[[1, 0], [0, 1]], [[0, 1], [0, 1]], [[0, 1], [0, 1]]]
    assert "patrol" == PATROL.policy_names[READ(but_one).taken_for]
    assert 0 == READ([[["1/2", "1/2"]] * 2] * 3).taken_for


def averaged(one: Table, other: Table) -> Fraction:
    """Total variation averaged over rows, then over steps."""
    steps = [
        sum((abs(x - y) / 2 for p, q in zip(rows, others, strict=True) for x, y in zip(p, q, strict=True)), Fraction(0))
        / len(rows)
        for rows, others in zip(one, other, strict=True)
    ]
    return sum(steps, Fraction(0)) / len(steps)


@settings(max_examples=50, deadline=None)
@given(games(), st.data())
def test_nearest_is_least_averaged_total_variation(game: Game, data: st.DataObject) -> None:
    """In random games, windows of any length: the least distance, and of several policies the first."""
    table = tuple(tuple(tuple(data.draw(rows(2, False))) for _ in step) for step in game.policies[0])
    distances = [averaged(table, policy) for policy in game.policies]
    assert distances.index(min(distances)) == Announcements(game).read(table).taken_for


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        ("sleep", "policy: found 'sleep', required one of idle, on-alarm, on-calm, patrol, or a table"),
        (4, "policy: found 4, required a name, an index from 0 to 3, or a table"),
        (-1, "policy: found -1, required a name"),
        (True, "policy: found True, required a name"),
        (1.0, "policy: found 1.0, required a name"),
        ([[["1", "0"]] * 2] * 2, "policy: found tables of the shapes .* required one per step"),
        ([[["1", "1"]] * 2] * 3, "policy: found a row that sums to 2, required probabilities that sum to one"),
        ([[["a", "b"]] * 2] * 3, "policy: found an object that is no table of numbers"),
        ([[[float("nan"), 1]] * 2] * 3, "policy: found an object that is no table of numbers"),
    ],
)
def test_what_is_no_policy_is_refused(policy: Any, sentence: str) -> None:
    """One sentence says what there is and what a policy may be."""
    with pytest.raises(InputError, match=sentence):
        READ(policy)
