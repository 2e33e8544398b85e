"""What is played: the truth of a model, a certificate or a document, and what is refused."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pomgcheck
from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game
from pomgcheck.setting import setting
from tests.learner.classes import watch
from tests.repo.source import ROOT

CERTIFICATE = ROOT / "certificates" / "patrol.cert.json"


def test_the_game_is_that_of_the_truth_alone() -> None:
    """One world and one response, which are those of xi* in the whole class; all policies."""
    whole, one = pomgcheck.load("patrol").game, setting("patrol")
    assert (1, 1) == (len(one.worlds), len(one.responses))
    assert whole.truth is not None
    assert whole.thetas is not None
    assert whole.phis is not None
    assert whole.worlds[whole.thetas.index(whole.truth[0])] == one.worlds[0]
    assert whole.responses[whole.phis.index(whole.truth[1])] == one.responses[0]
    assert whole.policies == one.policies


def test_every_kind_of_model_gives_the_same_game() -> None:
    """A name, a class, a document, a certificate's file, its document and the object."""
    certificate = json.loads(CERTIFICATE.read_text())
    model = pomgcheck.load("patrol")
    kinds: list[Any] = [model, model.document, CERTIFICATE, str(CERTIFICATE), certificate, Certificate(certificate)]
    for kind in kinds:
        found = setting(kind)
        assert setting("patrol").worlds == found.worlds
        assert setting("patrol").responses == found.responses


def test_classes_on_intervals_have_worlds_too() -> None:
    """The truth of bandit lies on intervals, and the game of it is a finite one."""
    assert Fraction(5, 8) in {x for table in setting("bandit").worlds[0].EA for row in table for x in row}


def test_another_truth_may_be_chosen_even_outside_the_class() -> None:
    """x = 1/4 is on no axis of patrol, and is a world all the same; knobs change the world."""
    x = setting("patrol", {"worlds": {"x": "1/4"}, "responses": {"y": 0}}).worlds[0].T[0][0][0][0][1]
    assert Fraction(1, 10) + Fraction(1, 4) == x
    assert Fraction(0) == setting("patrol", knobs={"noise": "0"}).worlds[0].EA[0][0][1]


@pytest.mark.parametrize(
    ("truth", "sentence"),
    [
        ({"worlds": {"x": "1/10"}}, "truth.responses: found values of nothing, required a value of each of y"),
        ({"worlds": {"x": "1/10", "z": "1"}, "responses": {"y": "1/5"}}, "truth.worlds: found values of x, z"),
        ({"world": {}}, "truth: found the keys world, required the keys worlds and responses"),
        ({"worlds": {"x": 0.1}, "responses": {"y": "1/5"}}, r"x: found the float 0.1, .* write \"0.1\""),
        ({"worlds": {"x": "1"}, "responses": {"y": "1/5"}}, "transition.* required entries in .0,1.; choose another"),
        ("x", "truth: found 'x', required the keys worlds and responses"),
    ],
)
def test_a_truth_that_is_none_is_refused(truth: Any, sentence: str) -> None:
    """The sentence names the place, what was found and what is required."""
    with pytest.raises(InputError, match=sentence):
        setting("patrol", truth)


def test_what_cannot_be_played_is_refused(tmp_path: Path) -> None:
    """No truth, a class given by operators, an altered certificate, knobs for a certificate, no model."""
    with pytest.raises(InputError, match="truth: found none, required xi. in the document"):
        setting(watch(truth=False))
    with pytest.raises(InputError, match="found a class given by operators, required a class given by kernels"):
        setting("patrol-operators")
    altered = tmp_path / "altered.cert.json"
    altered.write_text(CERTIFICATE.read_text().replace('"horizon":3', '"horizon":2', 1))
    with pytest.raises(InputError, match=r"altered.cert.json: model: found another model than its digest says"):
        setting(altered)
    with pytest.raises(InputError, match="knobs: found noise, required none for a certificate"):
        setting(CERTIFICATE, knobs={"noise": "0"})
    with pytest.raises(InputError, match='did you mean "patrol"'):
        setting("patroll")


def test_the_game_is_an_exact_one() -> None:
    """It is the kernel's own reading of the document."""
    assert isinstance(setting("patrol"), Game)
