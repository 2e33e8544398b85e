"""Assumption 3.1(e) by the search: through the kernel and against brute.py."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.game import Game
from pomgcheck.search.play import played
from tests.gallery import brute
from tests.kernel.trajectories import is_square_error, trajectories
from tests.search import small
from tests.search.checked import found
from tests.search.classes import documents

GAP = 1 + Fraction(1, 10**6)

PLENTY = 10**6  # prefixes


def constants(entry: dict[str, Any]) -> tuple[Fraction, Fraction]:
    lower, upper = (Fraction(text) for _, text in sorted(entry["values"].items()))
    return lower, upper


@pytest.mark.parametrize("claim", ["kl-joint", "kl-world"])
def test_constant_is_the_one_worked_out(claim: str) -> None:
    """One step, chances of o0 1/2 and 1/4: Delta = 1/16 and the lesser KL is log(27/16)/4, so c = 4 log(27/16)."""
    document = small.gauge([["(-x+2)/4", "(x+2)/4"]], [[["1"]]], horizon=1)
    lower, upper = constants(found(document, claim)[0])
    exact = 4 * flint.arb(flint.fmpq(27, 16)).log()
    assert flint.arb(flint.fmpq(lower.numerator, lower.denominator)) < exact
    assert exact < flint.arb(flint.fmpq(upper.numerator, upper.denominator))
    assert upper <= GAP * lower


def test_a_change_after_the_last_observation_refutes_the_world_clause() -> None:
    """The last transition is never seen: laws of play are equal and the operators differ by 2 x 1/4."""
    document = small.gauge([["3/4", "1/4"], ["1/4", "3/4"]], [[["(-x+3)/4", "(x+1)/4"]]] * 2, horizon=1)
    for entry in found(document, "kl-joint", "kl-world"):
        assert "refuted" == entry["verdict"]
        assert 1 == entry["witness"]["h"]
        assert Fraction(entry["witness"]["difference"]) in (
            Fraction(3, 8),
            Fraction(1, 8),
        )  # Z x 1/2 at either observation


def test_one_model_asks_nothing() -> None:
    """Without two models nothing is asked."""
    document = small.gauge([["3/4", "1/4"], ["1/4", "3/4"]], [[["1/4", "3/4"]]] * 2)
    document["worlds"]["parameters"] = {}
    assert ["vacuous", "vacuous"] == [entry["verdict"] for entry in found(document, "kl-joint", "kl-world")]


@settings(max_examples=40)
@given(documents(full=True), st.sampled_from(["window", "history"]))
def test_any_class(document: Any, space: str) -> None:
    """The bracket holds the constant (truth.py) and is narrower than one in a million; verdicts are brute force's."""
    if "full" in (document["policies"]["window"], document["responses"]["window"]):
        space = "history"
    for entry in found(document, "kl-joint", "kl-world", space=space):
        if entry["verdict"] == "proved":
            lower, upper = constants(entry)
            assert 0 < lower <= upper <= GAP * lower


@settings(max_examples=40)
@given(documents(full=True))
def test_laws_of_play_are_those_of_the_protocol(document: Any) -> None:
    """The operators of the walk give every full trajectory its probability under every model, path by path (brute.py)."""
    game = Game(document)
    for p, play in enumerate(played(game, "history", PLENTY)):
        for xi in brute.models(game):
            walked = {
                tuple(zip(sequence[::2], sequence[1::2], strict=True)): weight * law[play.alike[xi]]
                for sequence, (weight, law) in trajectories(play).items()
                if law[play.alike[xi]]
            }
            assert brute.law(game, xi, p) == walked


@settings(max_examples=15)
@given(documents(), st.sampled_from(["window", "history"]))
def test_operator_differences_are_those_of_the_definition(document: Any, space: str) -> None:
    """Both right sides of 3.1(e), summed over steps and weighted by the law of play, exactly."""
    game = Game(document)
    for p, play in enumerate(played(game, space, PLENTY)):
        for star in brute.models(game):
            for xi, (joint, world) in brute.operator_errors(game, star, p, space).items():
                assert is_square_error(joint, play, star, xi)
                assert is_square_error(world, play, star, xi[0])
