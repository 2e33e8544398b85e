"""The public verb: the options of the command line as keywords, refused in the same words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest

import pomgcheck
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.importers import Choices, imported
from pomgcheck.importers.choices import Unknown, read_family, read_point, read_unknown
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


def test_what_names_no_file_or_no_value_is_refused(tmp_path: Path) -> None:
    """A source that is no path, a file of another kind, a file too large, a parameter without its value."""
    with pytest.raises(InputError, match="source: found 3, required the path of a file to import, or openspiel:NAME"):
        pomgcheck.import_model(cast(Any, 3))
    with pytest.raises(InputError, match="found a file named rooms.txt, required a file to import, .pomdp, "):
        pomgcheck.import_model(tmp_path / "rooms.txt")
    with open(tmp_path / "rooms.pomdp", "wb") as large:
        large.truncate(20_000_001)
    with pytest.raises(LimitExceeded, match="rooms.pomdp: found 20,000,001 bytes, required at most 20,000,000"):
        pomgcheck.import_model(tmp_path / "rooms.pomdp")
    with pytest.raises(InputError, match="truth: found 'slip', required NAME=VALUE, each name once"):
        read_point(["slip"], "truth")
    with pytest.raises(InputError, match="repair: found largest, required none, for a game of OpenSpiel"):
        pomgcheck.import_model("openspiel:kuhn_poker", repair="largest")
    with pytest.raises(InputError, match="unknown: found no values, required at least one"):
        imported(write(tmp_path, ROOMS), Choices(unknowns=[Unknown("transition", "slip", ())]))
