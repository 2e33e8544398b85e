"""Proposition 2.6 by the search: through the kernel and against brute force."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel import eluder as kernel
from pomgcheck.kernel import play
from pomgcheck.kernel.budget import OverBudget
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.claims.eluder import channels
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.options import Options
from pomgcheck.search.certify import certify
from pomgcheck.search.claims import eluder
from pomgcheck.search.claims.eluder_sequences import Budget, Chain, greedy, longest
from pomgcheck.search.exact.tables import Tables
from tests.gallery import brute
from tests.regenerate_goldens import two_ways
from tests.search import small
from tests.search.checked import found
from tests.search.classes import documents

CLAIMS = ("eluder-world", "eluder-adversary")
EPISODES = st.sampled_from([1, 2, 20, 16384])
PLENTY = 10**9


def options(space: str, T: int) -> dict[str, Any]:
    return Options(space=space, T=T).document  # type: ignore[arg-type]


def space_of(document: Any, space: str) -> str:
    return "history" if "full" in (document["policies"]["window"], document["responses"]["window"]) else space


@settings(max_examples=40)
@given(documents(full=True), st.sampled_from(["window", "history"]), EPISODES)
def test_any_class(document: Any, space: str, T: int) -> None:
    """The lower end is the dimension by its definition, the bracket holds it, the structure is as shown (truth.py)."""
    found(document, *CLAIMS, space=space_of(document, space), T=T)


@settings(max_examples=25)
@given(documents(full=True), st.sampled_from(["window", "history"]))
def test_functions_are_those_of_the_definition(document: Any, space: str) -> None:
    """F^W, F^G and F_xi are those of trajectories enumerated term by term, and obey eq. (channel-triangle)."""
    game, space = Game(document), space_of(document, space)
    facts = Facts(game, options(space, 4))
    for p, seen in enumerate(facts.plays):
        for star in brute.models(game):
            world, adversary, joint = brute.channel_errors(game, star, p, space)
            assert world == [seen.error(star, i) for i in range(len(game.worlds))]
            assert list(joint.values()) == [seen.error(star, y) for y in joint]
            for w, g, whole in ((world[i], adversary[k], F) for (i, k), F in joint.items()):
                assert whole <= w + g
                assert g <= whole + w
            for claim, functions in zip(CLAIMS, (world, adversary), strict=True):
                ends = [facts.once(channels)[claim].function(star, n, p) for n in range(len(functions))]
                assert [(F, F) for F in functions] == ends


@settings(max_examples=25)
@given(documents(full=True), st.sampled_from(["window", "history"]))
def test_sums_that_are_not_exact_are_enclosed(document: Any, space: str) -> None:
    """Where one unit for all terms is too large, F is between two ends that are near, and exact beyond is refused."""
    game, given = Game(document), options(space_of(document, space), 4)
    exact = [{(x, y): one.error(x, y) for x, y in product(one.models, one.alike)} for one in Facts(game, given).plays]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "EXACT", 0)
        for errors, rounded in zip(exact, Facts(game, given).plays, strict=True):
            for (x, y), error in errors.items():
                low, high = rounded.error_ends(x, y)
                assert low <= error <= high <= low + Fraction(1, 1 << 100)
                with pytest.raises(OverBudget, match="sums of norms over one unit"):
                    rounded.error(x, y)


@pytest.mark.parametrize("name", ["patrol", "tiger"])
def test_enclosed_sums_decide_as_exact_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The brackets of both channels hold those of exact sums, with sequences as long; a file that states other squares
    is refused."""
    exact = certify(name, only=CLAIMS)
    monkeypatch.setattr(play, "EXACT", 0)
    rounded = certify(name, only=CLAIMS)
    for claim in CLAIMS:
        mine, other = (next(x for x in c.document["claims"] if x["id"] == claim)["values"] for c in (exact, rounded))
        letter = "W" if claim == "eluder-world" else "G"
        lower, upper = f"d_{letter}_lower", f"d_{letter}_upper"
        assert (mine[lower], mine[f"p_{letter}"]) == (other[lower], other[f"p_{letter}"])
        assert int(mine[upper]) <= int(other[upper])
    assert verify_bytes(canonical_bytes(rounded.document))
    assert "other squares at query 1" in verify_bytes(canonical_bytes(exact.document)).line


@settings(max_examples=40)
@given(documents(), EPISODES, st.sampled_from([0, kernel.ENUMERATED]))
def test_both_sides_bracket_alike_at_any_scale(document: Any, T: int, enumerated: int) -> None:
    """d_upper(T), rank and norms by the search are the kernel's, for small classes and (limit 0) for large ones;
    d_upper is no less than the dimension at 1/(2T)."""
    game = Game(document)
    t, facts = Tables(game, "window"), Facts(game, options("window", 4))
    walks = facts.plays
    for channel, claim in enumerate(CLAIMS):
        ours, theirs = eluder.ErrorClass(t, walks, claim == "eluder-world"), facts.once(channels)[claim]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "ENUMERATED", enumerated)
            assert (theirs.rank, theirs.B2, theirs.upper(T)) == (ours.rank, ours.B2, ours.upper(T))
            exact = 0
            for star in brute.models(game):
                errors = [brute.channel_errors(game, star, p, joint_too=False)[channel] for p in range(t.P)]
                functions = [list(row) for row in zip(*errors, strict=True)]
                exact = max(exact, brute.eluder_dimension(functions, Fraction(1, 2 * T)))
            assert exact <= theirs.upper(T)


def length_of(rows: list[list[int]], least: Fraction, chain: Chain | None) -> int:
    """The length of a chain, its every condition checked."""
    if chain is None:
        return 0
    chosen: list[int] = []
    for x, f in zip(chain.queries, chain.witnesses, strict=True):
        assert sum(rows[f][z] for z in chosen) <= chain.largest < chain.value <= rows[f][x]
        chosen.append(x)
    assert chain.value > least
    return len(chosen)


SMALL = st.integers(0, 6)
HUGE = st.builds(lambda base, more: base * 10**40 + more, st.integers(0, 6), st.integers(0, 2))


@settings(max_examples=150)
@given(st.data(), st.sampled_from([SMALL, HUGE]), st.integers(1, 5), st.integers(1, 5), st.integers(0, 9))
def test_longest_sequences_are_the_longest(
    data: st.DataObject, values: st.SearchStrategy[int], width: int, height: int, least: int
) -> None:
    """Subsets against every ordered sequence at every scale, with ties and with integers beyond a machine word; the
    greedy one is a sequence, and no longer."""
    roots = data.draw(st.lists(st.lists(values, min_size=width, max_size=width), min_size=1, max_size=height))
    squares = [[x * x for x in row] for row in roots]
    exact = brute.eluder_dimension([[Fraction(x) for x in row] for row in roots], Fraction(least))
    chain, certain = longest(squares, Fraction(least**2), 0, Budget(PLENTY))
    assert (exact, True) == (length_of(squares, Fraction(least**2), chain), certain)
    assert length_of(squares, Fraction(least**2), greedy(squares, Fraction(least**2))) <= exact
    assert (None, True) == longest(squares, Fraction(least**2), exact, Budget(PLENTY))
    assert exact == kernel.dimension([tuple((x, x) for x in row) for row in squares], Fraction(least**2))
    wider = [tuple((x - (x > 0), x + 1) for x in row) for row in squares]
    assert exact <= kernel.dimension(wider, Fraction(least**2))


def test_a_search_without_means_says_so() -> None:
    """A spent budget gives no sequence and no certainty."""
    assert (None, False) == longest([[1, 4], [4, 1]], Fraction(0), 0, Budget(0))


def test_doubling_values_are_each_independent_of_the_smaller() -> None:
    """One direction, F = |theta| c(pi) with c = 1, 2, 4, ..., 64: each query exceeds all before it together, so the
    dimension is 7 though the rank is one."""
    squares = [
        [(k * c) ** 2 * 64**2 // k**2 if k == 1 else (64 * c // k) ** 2 for c in (1, 2, 4, 8, 16, 32, 64)]
        for k in (1, 2, 4, 8, 16, 32, 64)
    ]
    chain, certain = longest(squares, Fraction(1), 0, Budget(PLENTY))
    assert (7, True) == (length_of(squares, Fraction(1), chain), certain)


def test_a_product_of_parameters_is_shown_by_four_corners() -> None:
    """No entry with w x is affine: the corners of the square with signs + - - + show it, and nothing smaller can."""
    (world,) = found(two_ways(), "eluder-world")
    shown = json.loads(world["search"]["structure"])
    assert (False, 2) == (shown["affine"], shown["transition_rank"])
    corners = [
        ({"w": w, "x": x}, weight)
        for (w, x), weight in zip(product(("0", "1/2"), repeat=2), ("1", "-1", "-1", "1"), strict=True)
    ]
    assert corners == [tuple(pair) for pair in shown["weights"]]


def test_one_response_leaves_nothing_to_learn() -> None:
    """With a single Phi the adversary's class has no function but zero: dimension and rank are zero."""
    _, adversary = found(two_ways(), *CLAIMS)
    assert {"d_G_lower": "0", "d_G_upper": "0", "p_G": "0"} == adversary["values"]
    assert [] == adversary["evidence"]["sequence"]


def test_a_coarse_scale_sees_nothing() -> None:
    """At T = 1 the scale is 1/2: worlds that differ by less at every policy are never told apart."""
    (world,) = found(
        small.gauge([["3/4", "1/4"], ["1/4", "3/4"]], [[["(-x+40)/80", "(x+40)/80"]]] * 2), "eluder-world", T=1
    )
    assert {"d_W_lower": "0", "d_W_upper": "0", "p_W": "1"} == world["values"]
