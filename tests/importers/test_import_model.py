"""The public verb: the options of the command line as keywords, refused in the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pomgcheck
from pomgcheck.errors import InputError
from pomgcheck.importers import Choices, imported
from pomgcheck.importers.choices import read_family, read_unknown
from tests.importers.samples import MEETING, ROOMS, write


def test_keywords_are_the_choices(tmp_path: Path) -> None:
    """Texts as on the command line make the class that the choices make."""
    path = write(tmp_path, ROOMS)
    made = pomgcheck.import_model(
        path,
        adversary="jam",
        unknown=["transition:slip=0,1/20"],
        responses="tilt:z=1/4,1/2",
        horizon=2,
        memory=3,
        truth={"slip": "1/20", "z": "0.5"},
        policies="routing",
        labels="numbers",
        name="rooms",
    )
    choices = Choices(
        name="rooms",
        horizon=2,
        adversary="jam",
        unknowns=[read_unknown("transition:slip=0,1/20")],
        policies="routing",
        responses=read_family("tilt:z=1/4,1/2"),
        memory=3,
        truth=made.game.truth[0] | made.game.truth[1],
        numbered=True,
    )
    assert imported(path, choices).sha256 == made.sha256
    assert {"worlds": {"slip": "1/20"}, "responses": {"z": "1/2"}} == made.document["truth"]
    assert {"import_model"} <= set(pomgcheck.__all__)


def test_one_unknown_needs_no_list(tmp_path: Path) -> None:
    """A text alone is one unknown; a path may be a text; the second agent may be the learner."""
    path = write(tmp_path, MEETING, "meeting.dpomdp")
    made = pomgcheck.import_model(str(path), unknown="transition:slip=0,1/2", learner=2)
    assert (2, "meeting") == (made.thetas, made.name)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"adversary": "jammer"}, "adversary: found 'jammer', required one of none, jam, shift, joint"),
        ({"labels": "short"}, "labels: found 'short', required one of names, numbers"),
        ({"memory": 0}, "memory: found 0, required an integer of at least 1"),
        ({"memory": True}, "memory: found True, required an integer of at least 1"),
        ({"repair": "round"}, "repair: found 'round', required normalise or largest"),
        ({"truth": {"q": 1}}, 'truth: found a value of "q", required none, since the class has no unknown'),
        ({"unknown": "deal:x=0"}, "unknown: found deal:x, required emission:NAME=... or transition:NAME=..."),
        ({"horizon": "2"}, "horizon: found '2', required an integer of at least 1"),
        ({"horizon": True}, "horizon: found True, required an integer of at least 1"),
        ({"learner": 2}, "learner: found 2, required 1, the only agent of a .pomdp file"),
        ({"responses": "exploit", "adversary": "jam"}, "responses: found exploit, required openspiel:kuhn_poker with"),
    ],
)
def test_what_is_no_option_is_refused(tmp_path: Path, options: dict[str, Any], sentence: str) -> None:
    """One sentence names the option and what it takes."""
    with pytest.raises(InputError) as refusal:
        pomgcheck.import_model(write(tmp_path, ROOMS), **options)
    assert str(refusal.value).startswith(sentence)
