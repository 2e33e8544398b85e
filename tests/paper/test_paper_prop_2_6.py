"""Proposition 2.6, its lemma C.1 and the channel-triangle inequalities of Section 2.6, on random families."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.eluder import Coordinate, rank, sign_witness
from pomgcheck.kernel.game import Game
from tests.gallery import brute
from tests.search.classes import documents

ENTRY = st.integers(-4, 4)


def vectors(count: int, width: int) -> st.SearchStrategy[list[list[int]]]:
    return st.lists(st.lists(ENTRY, min_size=width, max_size=width), min_size=1, max_size=count)


@settings(max_examples=120)
@given(st.integers(1, 3), st.integers(1, 3), st.data(), st.sampled_from([Fraction(1, 2), Fraction(3), Fraction(20)]))
def test_no_family_exceeds_the_sign_witness_bound(out: int, width: int, data: st.DataObject, scale: Fraction) -> None:
    """Lemma C.1(a): functions ||A v_x||_1 of matrices in a space of dimension p, D_out B_v^2 B_A^2 / eps^2 exact."""
    matrices = data.draw(vectors(4, out * width))
    queries = data.draw(vectors(5, width))
    functions = [
        [Fraction(sum(abs(sum(A[r * width + k] * v[k] for k in range(width))) for r in range(out))) for v in queries]
        for A in matrices
    ]
    p = flint.fmpz_mat(matrices).rank()
    B_A, B_v = (max(sum(x * x for x in row) for row in rows) for rows in (matrices, queries))
    found = brute.eluder_dimension(functions, scale)
    C = out * B_v * B_A / scale**2
    assert found <= (sign_witness(p, C) if p else 0)
    assert sign_witness(p, C) <= 12 * p * log(1 + 8 * C) + 1e-6


def test_the_bound_is_sharper_than_the_lemma() -> None:
    """At C = 10^10 and p = 1 the lemma says 301 and the same argument at lambda = eps^2/(8 B^2) says 45."""
    assert [301, 45] == [floor(12 * log(1 + 8 * 10**10)), sign_witness(1, Fraction(10**10))]


@pytest.mark.parametrize("p", [1, 3, 40])
@pytest.mark.parametrize("C", [Fraction(101, 100), Fraction(2), Fraction(50), Fraction(10**6), Fraction(10**12)])
def test_the_sign_witness_bound_is_the_last_length_that_the_argument_leaves(p: int, C: Fraction) -> None:
    """N log(17/9) <= p log(1 + 8 C N/p) holds at the bound and at no larger N, up to the lemma's 12 p log(1 + 8 C)."""

    def left(N: int) -> bool:
        return N * log(17 / 9) <= p * log(1 + 8 * float(C) * N / p)

    every = range(1, floor(12 * p * log(1 + 8 * float(C))) + 1)
    assert max(filter(left, every)) == sign_witness(p, C)


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_rank_is_exact(height: int, width: int, data: st.DataObject) -> None:
    """Elimination without fractions, with its shortcut modulo a prime, against flint; multiples of the prime too."""
    rows: list[list[int]] = data.draw(
        st.lists(
            st.lists(st.one_of(ENTRY, st.sampled_from([2**61 - 1, 1 - 2**61])), min_size=width, max_size=width),
            min_size=height,
            max_size=height,
        )
    )
    columns: list[Coordinate] = [tuple(row) for row in rows]
    assert int(flint.fmpz_mat(rows).rank()) == rank(columns, min(height, width))


@settings(max_examples=25)
@given(documents())
def test_channel_triangle(document: Any) -> None:
    """F_xi <= F^W + F^G and F^G <= F_xi + F^W at every (xi*, xi, pi)."""
    game = Game(document)
    for p in range(len(game.policies)):
        for star in brute.models(game):
            world, adversary, joint = brute.channel_errors(game, star, p)
            for (theta, phi), whole in joint.items():
                assert whole <= world[theta] + adversary[phi]
                assert adversary[phi] <= whole + world[theta]


@settings(max_examples=25)
@given(documents(), st.sampled_from(["window", "history"]))
def test_the_adversary_channel_is_the_composed_one_at_the_true_world(document: Any, space: str) -> None:
    """(G^Phi - G^Phi*) W^theta* = J^(theta*, Phi) - J^xi*, so that F^G_Phi = F_(theta*, Phi)."""
    game = Game(document)
    if "full" in (document["policies"]["window"], document["responses"]["window"]):
        space = "history"
    for p in range(len(game.policies)):
        for star in brute.models(game):
            _, adversary, joint = brute.channel_errors(game, star, p, space)
            assert adversary == [joint[star[0], phi] for phi in range(len(adversary))]
