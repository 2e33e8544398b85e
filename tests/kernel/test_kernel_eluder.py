"""What bounds an independent sequence: directions of entries, their rank, and the sign-witness inequality."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from types import SimpleNamespace
from typing import Any

import pytest

from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.claims.eluder import independent
from pomgcheck.kernel.eluder import PRIME, Brackets, Channel, dimension, directions, rank, sign_witness, told_apart
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.logarithms import log_enclosure
from pomgcheck.options import Options
from tests.search.small import document as small
from tests.search.small import drift


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


def brackets(*rows: list[tuple[int, int]]) -> list[Brackets]:
    return [tuple((Fraction(low), Fraction(high)) for low, high in row) for row in rows]


def test_a_query_is_independent_by_any_function_and_by_any_value_in_its_bracket() -> None:
    """With squares (4, 5) and (0, 5), at scales just below 4 the first query is one by the first function, and the
    second by the other, in this order alone.  Known only to be in [0, 4], the squares (4, ?) and (?, 4) may both be
    zero where they are unknown, and so the two queries a sequence."""
    assert 2 == dimension(brackets([(4, 4), (5, 5)], [(0, 0), (5, 5)]), Fraction(0))
    assert 2 == dimension(brackets([(4, 4), (0, 4)], [(0, 4), (4, 4)]), Fraction(0))
    assert 1 == dimension(brackets([(4, 4), (4, 4)], [(4, 4), (4, 4)]), Fraction(0))
    assert [1, 0] == [dimension(brackets([(4, 4), (5, 5)]), Fraction(least)) for least in (4, 5)]


def test_functions_are_one_where_all_values_are_known() -> None:
    """Equal brackets may hold different numbers, so that two such functions count as two."""
    known, open_ = brackets([(1, 1), (2, 2)]), brackets([(1, 1), (2, 3)])
    assert [known, open_ * 2, known * 2 + open_] == [told_apart(x) for x in (known * 2, open_ * 2, known * 2 + open_)]


def channel(every: list[list[Brackets]], alike: list[int]) -> Channel:
    """A channel with given squares for every reference model, of which some play alike under the one policy there is."""
    found: Any = object.__new__(Channel)
    points = range(len(every))
    found.game = SimpleNamespace(policies=["p", "q"], worlds=every, responses=[["p", "q"]])
    plays: Any = [SimpleNamespace(alike={(i, 0): (alike[i], 0) for i in points})] * 2
    found.plays, found.points, found.rank, found.D, found.B2 = plays, points, 2, 1, Fraction(1)
    found.rows = lambda x: every[x[0]]
    return found


def test_the_bracket_is_that_of_the_reference_model_with_the_longest_sequence() -> None:
    """The first model has a sequence of one query, the second plays as the first does, and the third has one of two; so
    in any order, and where policies and functions are counted instead."""
    few = brackets([(1, 1), (0, 0)], [(0, 0), (0, 0)], [(1, 1), (0, 0)])
    many = brackets([(1, 1), (0, 0)], [(0, 0), (1, 1)], [(0, 0), (0, 0)])
    for every, alike in (([few, few, many], [0, 0, 2]), ([many, few, few], [0, 1, 1]), ([few, many, few], [0, 1, 0])):
        assert 2 == channel(every, alike).upper(1)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("pomgcheck.kernel.eluder.ENUMERATED", 0)
            assert 2 == channel(every, alike).upper(1)


def test_a_query_counts_from_half_an_episodes_share_on() -> None:
    """At T = 1 the scale is 1/2: a square of 1/4 does not exceed it and one of 3/10 does, where the inequality of sign
    matrices with D B^2 = 3/10 allows it and that with 1/4 does not."""
    for square, norm, upper in (("1/4", "1", 0), ("3/10", "1", 1), ("3/10", "3/10", 1), ("3/10", "1/4", 0)):
        x = Fraction(square)
        found = channel([[((x, x), (x, x))]] * 2, [0, 1])
        found.B2 = Fraction(norm)
        assert upper == found.upper(1)


@pytest.mark.parametrize("operators", ["realised", "summed"])
def test_norms_are_those_of_the_tables(operators: str) -> None:
    """B^2 is the largest squared distance of two worlds' entries E^A E^B T, or of two answers over all policies; D counts
    steps and adversary's actions, in the world's class states and his observations too, and the learner's where sums
    are compared."""
    document = small(
        "norms",
        learner=[["3/4-x", "1/8+x", "1/8"], ["1/4", "1/4", "1/2"]],
        adversary=[["1-x", "x"], ["1/3", "2/3"]],
        moves=[[["1/2+x", "1/2-x"], ["1/5", "4/5"], ["1", "0"]], [["1/2", "1/2"]] * 3],
        worlds={"x": ["0", "1/4", "1/8"]},
        responses={
            "parameters": {"y": {"values": ["1/8", "1/2", "1/4"]}},
            "table": {"p": [["y", "1/2-y", "1/2"], ["1/4", "1/4", "1/2"]], "q": [["1-y", "y", "0"], ["1", "0", "0"]]},
        },
        horizon=3,
    )
    facts = Facts(Game(document), Options(operators=operators).document)
    game = facts.game

    def entries(world: Any) -> list[Fraction]:
        tables = (zip(EA, EB, T, strict=True) for EA, EB, T in zip(*world, strict=True))
        return [
            x * y * z
            for step in tables
            for seen, heard, acts in step
            for x, y, z in product(seen, heard, [z for table in acts for row in table for z in row])
        ]

    answers = [[x for tables in each for rows in tables for row in rows for x in row] for each in game.responses]
    for world, vectors, D in ((True, [*map(entries, game.worlds)], 3 * 3 * 2 * 2), (False, answers, 3 * 3)):
        found = Channel(game, facts.scaled, facts.plays, world)
        largest = max(sum((x - y) ** 2 for x, y in zip(*pair, strict=True)) for pair in combinations(vectors, 2))
        assert (largest, D * (3 if world and operators == "summed" else 1)) == (found.B2, found.D)


@pytest.mark.parametrize(
    ("first", "before", "second", "refused"),
    [
        ((2, 3), (1, 1), (2, 3), ""),
        ((1, 2), (1, 1), (2, 3), "query 1 with square 1 and 0 before it"),
        ((2, 3), (1, 2), (2, 3), "query 2 with square 4 and 4 before it"),
        ((2, 3), (1, 1), (1, 2), "query 2 with square 1 and 1 before it"),
    ],
)
def test_the_lower_end_counts_at_a_query_and_the_upper_end_before_it(
    first: tuple[int, int], before: tuple[int, int], second: tuple[int, int], refused: str
) -> None:
    """At the scale 1 the first world's function is above it at idle, and the second's at watch and not before, where F
    lies between two ends."""
    ends = {(0, 0): first, (1, 0): before, (1, 1): second}  # by world and policy
    facts = Facts(Game(drift()), Options().document)
    told = [("idle", "0", 0, first), ("watch", "1/8", before[1] ** 2, second)]
    evidence = {
        "xi_star": {"theta": {"x": "0"}, "Phi": {"y": "1/8"}},
        "scale_squared": "1",
        "sequence": [
            {"pi": pi, "theta": {"x": x}, "before": str(past), "square": str(F[0] ** 2)} for pi, x, past, F in told
        ],
    }
    case = Case(facts, "eluder-world", {"d_W_lower": "2"})

    def function(xi: Any, n: int, p: int) -> tuple[Fraction, Fraction]:
        low, high = ends[n, p]
        return Fraction(low), Fraction(high)

    if not refused:
        independent(case, evidence, function)
        return
    with pytest.raises(Rejected, match=refused):
        independent(case, evidence, function)
