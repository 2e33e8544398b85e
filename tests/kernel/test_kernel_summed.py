"""Operators summed over all pairs that may follow: the kernel's sums are those of the definitions, and what rests on them."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.kernel.check import read_options, verify_bytes
from pomgcheck.kernel.claims.eluder import channels
from pomgcheck.kernel.eluder import sign_matrices
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.reading import Malformed
from pomgcheck.kernel.summed import SummedPlay
from pomgcheck.options import Options
from pomgcheck.search.certify import certify
from tests import second
from tests.gallery import brute
from tests.kernel.editing import canonical
from tests.kernel.trajectories import is_square_error, trajectories
from tests.search import small
from tests.search.classes import documents, model_of

ASKED = ("kl-joint", "kl-world", "eluder-world", "eluder-adversary")


def read(document: Any, operators: Any = "summed") -> Facts:
    """The kernel's facts of a class under a reading."""
    game = Game(document)
    full = None in (game.learner_window, game.adversary_window)
    return Facts(game, Options(space="history" if full else "window", operators=operators).document)


@settings(max_examples=25, deadline=None)
@given(documents(full=True))
def test_sums_are_those_of_the_definition(document: Any) -> None:
    """F, F^W, F^G and the sums of squares, as prefix by prefix and pair by pair, impossible pairs included."""
    facts = read(document)
    game, space = facts.game, facts.options["space"]
    for p, play in enumerate(facts.plays):
        assert isinstance(play, SummedPlay)
        for x in play.models:
            errors = brute.operator_errors(game, x, p, space, "summed")
            world, adversary, joint = brute.channel_errors(game, x, p, space, operators="summed")
            for y, (J, W) in errors.items():
                assert play.error(x, y) == joint[y]
                assert is_square_error(J, play, x, y)
                assert is_square_error(W, play, x, y[0])
            assert world == [play.error(x, i) for i in range(len(world))]
            assert adversary == [play.error(x, (x[0], k)) for k in range(len(adversary))]


@settings(max_examples=40, deadline=None)
@given(documents(full=True))
def test_the_simulation_lemma_needs_no_premise(document: Any) -> None:
    """||P_xi - P_xi*||_1 <= F_xi for all models of any class, where a trajectory may be possible under one alone; and
    F <= F^W + F^G, F^G <= F + F^W."""
    for play in read(document).plays:
        laws = trajectories(play).values()
        for x, y in product(play.models, repeat=2):
            assert sum(w * abs(law[x] - law[y]) for w, law in laws) <= play.error(x, y)
            F, F_W, F_G = play.error(x, y), play.error(x, y[0]), play.error(x, (x[0], y[1]))
            assert F <= F_W + F_G
            assert F_G <= F + F_W


@settings(max_examples=40, deadline=None)
@given(documents(full=True))
def test_both_readings_refute_the_same_classes(document: Any) -> None:
    """The sums are zero exactly where no operator differs at a pair that occurs, and at least the means over these."""
    for summed, realised in zip(read(document).plays, read(document, "realised").plays, strict=True):
        assert (SummedPlay, Play) == (type(summed), type(realised))
        for x, y in product(summed.models, repeat=2):
            for compared in (y, y[0]):
                assert summed.differs(x, compared) == realised.differs(x, compared)
                assert summed.error(x, compared) >= realised.error(x, compared)


@settings(max_examples=15, deadline=None)
@given(documents())
def test_a_summed_certificate_is_right(document: Any) -> None:
    """What is certified agrees with plain enumeration of the definitions, whatever the class."""
    found = certify(model_of(document), operators="summed", only=(*ASKED, "nonexpansive"))
    assert verify_bytes(canonical(found.document)).accepted
    said = dict(second.verdicts(found.document))
    assert {said[claim] for claim in ASKED if not said[claim].startswith("too large")} <= {"agrees"}


@settings(max_examples=25, deadline=None)
@given(documents())
def test_sign_witnesses_have_norms_below_D(document: Any) -> None:
    """||X||^2 <= D: of the world's matrix with all entries of one sign, E pi(a) q(s) at (h, o, a, s) for every (o^B, b,
    s'); of the adversary's, the mass that reaches a row, summed over (o, a) with the chances of the actions."""
    facts = read(document)
    game = facts.game
    for p, (i, k) in product(range(len(game.policies)), brute.models(game)):
        world: dict[Any, Fraction] = {}
        rows: dict[Any, Fraction] = {}
        for h, past, mass, q in prefixes(game, (i, k), p):
            for o in range(len(game.OA)):
                for a, chance in brute.positive(brute.learner(game, p, h, past, o)):
                    for (s, *_), m in q.items():
                        world[h, o, a, s] = world.get((h, o, a, s), Fraction(0)) + mass * chance * m
                    for (_, _, memory, oB, b), m in brute.W(game, i, h, o, a, q).items():
                        rows[h, memory, oB, b] = rows.get((h, memory, oB, b), Fraction(0)) + mass * chance * m
        entries = len(game.OB) * len(game.B) * len(game.S)
        assert sum(m**2 for m in world.values()) * entries <= sign_matrices(game, True, True)
        assert sum(m**2 for m in rows.values()) <= sign_matrices(game, False, True)


@pytest.mark.parametrize("operators", ["realised", "summed"])
def test_D_is_that_of_the_reading(operators: str) -> None:
    """Where the operators are summed the world's matrix has an entry for each of the two observations, else one."""
    world, adversary = channels(read(small.drift(), operators)).values()
    steps, adversarys, states, heard = 2, 2, 2, 1
    summands = 2 if operators == "summed" else 1
    assert steps * adversarys * states * heard * summands == world.D
    assert steps * adversarys == adversary.D


def prefixes(game: Game, xi: Any, p: int) -> Any:
    """(step, prefix, its probability, predictive state) of every learner prefix that is possible."""
    ahead: list[Any] = [(0, (), Fraction(1), brute.start(game))]
    for h, past, mass, q in ahead:
        yield h, past, mass, q
        if h + 1 == game.H:
            continue
        for o in range(len(game.OA)):
            for a, chance in brute.positive(brute.learner(game, p, h, past, o)):
                after = brute.J(game, xi, p, h, o, a, q, "window")
                if seen := sum(after.values(), Fraction(0)):
                    state = {key: m / seen for key, m in after.items()}
                    ahead.append((h + 1, (*past, (o, a)), mass * chance * seen, state))


@pytest.mark.parametrize("name", ["patrol", "tiger"])
def test_the_reading_changes_dimensions_and_constants(name: str) -> None:
    """Where observations are uncertain the sums are larger than the means, and so c_KL is smaller; and of two policies
    that see an error at observations of different chances the second is no news: d^W is 1 where it was 2."""
    by_reading = {}
    for operators in ("realised", "summed"):
        found = certify(gallery.load(name), operators=operators, only=(*ASKED, "nonexpansive"))
        values = {key: Fraction(x) for claim in ASKED for key, x in found.entries[claim]["values"].items()}
        by_reading[operators] = values
    assert [2, 1] == [by_reading[operators]["d_W_upper"] for operators in by_reading]
    for constant in ("c_KL_joint", "c_KL_world"):
        realised, summed = (by_reading[operators] for operators in by_reading)
        assert 0 < summed[f"{constant}_upper"] < realised[f"{constant}_lower"]


def test_the_reading_is_an_option_that_only_one_word_names() -> None:
    """`summed` is written, `realised` is not, and the kernel takes no other word."""
    game = Game(small.drift())
    assert "operators" not in Options().document
    stated = Options(operators="summed").document
    assert "summed" == read_options(stated, game)["operators"]
    for word in ("realised", "averaged", None, 1):
        with pytest.raises(Malformed, match="'summed', or no entry"):
            read_options(stated | {"operators": word}, game)


@settings(max_examples=10, deadline=None)
@given(documents(), st.integers(1, 5))
def test_the_rank_does_not_depend_on_the_reading(document: Any, T: int) -> None:
    """Differences of the class span what they span; the bracket of either reading holds at every T."""
    by_reading = [read(document, operators).once(channels) for operators in ("realised", "summed")]
    for claim in ("eluder-world", "eluder-adversary"):
        realised, summed = (each[claim] for each in by_reading)
        assert (realised.rank, realised.B2) == (summed.rank, summed.B2)
        assert realised.D <= summed.D
        assert summed.upper(T) <= len(summed.game.policies)
