"""What the paper could not run: the classes it is run on, and what is read off."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomgcheck.experiments import games
from pomgcheck.experiments.run import certificate_name, experiment, stamp
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load


@pytest.mark.parametrize("memory", [1, 8])
def test_memory_is_all_that_changes(memory: int) -> None:
    """Tiger with another memory is tiger otherwise."""
    tiger, changed = games.gallery.load("tiger").document, load(games.with_memory(memory)).document
    assert memory == changed["responses"]["memory"]
    assert {key: value for key, value in tiger.items() if key != "responses"} == {
        key: value for key, value in changed.items() if key != "responses"
    }


def test_fading_memory_is_all_that_changes() -> None:
    """Tiger with a fading memory has the rate, no m, and the same responses."""
    changed = load(games.with_fading("3/4")).document["responses"]
    assert ("fading", "3/4", False) == (changed["block_rule"], changed["gamma"], "memory" in changed)
    assert games.gallery.load("tiger").document["responses"]["table"] == changed["table"]


def test_runs_are_ordinary_ones(tmp_path: Path) -> None:
    """A run of a class is what ``run`` gives under the same certificate, and the row counts its covered seeds."""
    asked = {"episodes": 64, "seeds": 5, "algorithm": "epoch-omle", "constants": "theory"}
    found = games.found("patrol", games.stamped(), {"short": asked, "long": asked | {"episodes": 256}})
    path = stamp(tmp_path / "patrol.cert.json", "games")
    assert found.runs["short"].runs == run(path, **asked).runs  # type: ignore[arg-type]
    row = games.coverage("patrol", "theory", found.runs["short"])
    assert ("≥ 0.95", "1", True) == (row["paper"], row["ours"], row["within"])
    (totals,) = games.regrets(found.runs["short"], "total_regret")
    assert 5 == len(totals)
    per_time = games.regrets(found.runs["long"])
    assert [len(found.runs["long"].document["t"]), 5] == [len(per_time), len(per_time[0])]


def test_prefixes_are_compared(tmp_path: Path) -> None:
    """A shorter run of the same seeds is the start of the longer one; of other seeds it is not."""
    label, practical = games.LEARNERS[1]
    asked = {"episodes": 256, "seeds": 3} | practical
    short = asked | {"episodes": 32}
    runs = {label: asked, "prefixes": short, "other": short | {"algorithm": "uniform"}}
    found = games.found("tiger", dict(games.gallery.load("tiger").document), runs)
    assert games.prefix({"tiger": found})
    spoilt = found._replace(runs=found.runs | {"prefixes": found.runs["other"]})
    assert not games.prefix({"tiger": spoilt})


def test_stamp_is_of_the_experiments_class(tmp_path: Path) -> None:
    """``games`` stands beside a certificate of patrol, the paper's experiments beside one of the embedded bandit."""
    names = [certificate_name(name) for name in ("games", "scaling")]
    assert ["patrol.cert.json", "embedded-bandit.cert.json"] == names
    from pomgcheck.errors import InputError

    with pytest.raises(InputError, match="one of the class patrol"):
        experiment("games", stamp(tmp_path / "x.cert.json"))
