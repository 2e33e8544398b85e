"""What the paper could not run: the classes it is run on, and what is read off."""

from __future__ import annotations

from fractions import Fraction
from itertools import chain
from pathlib import Path

import pytest

from pomgcheck.experiments import between, games, watch
from pomgcheck.experiments.run import certificate_name, experiment, stamp
from pomgcheck.kernel.game import Game
from pomgcheck.learner.problem import Problem
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
    assert ["patrol.cert.json", "bandit.cert.json"] == names
    from pomgcheck.errors import InputError

    with pytest.raises(InputError, match="one of the class patrol"):
        experiment("games", stamp(tmp_path / "x.cert.json"))


@pytest.mark.parametrize(
    ("name", "models", "policies", "horizon"),
    [("96 models", 96, 4, 3), ("1000 models", 1000, 4, 3), ("100 policies", 6, 100, 3), ("six steps", 6, 4, 6)],
)
def test_large_classes_are_as_large_as_they_are_called(name: str, models: int, policies: int, horizon: int) -> None:
    """Models, policies and steps of the watch."""
    game = load(watch.document("watch", **games.LARGE[f"watch with {name}"])).game
    assert (models, policies, horizon) == (len(game.worlds) * len(game.responses), len(game.policies), game.H)


def test_bands_of_the_watch_are_alike_in_size_and_order() -> None:
    """Eight of nine policies patrol: bands are of equal size, and the oftener a policy patrols the higher its band."""
    listed = watch.policies(3)
    for bands in (1, 2, 4):
        less = watch.deterrents(listed, bands)
        shares: dict[str, list[float]] = {}
        for name, share in (text.split("*") for text in less.values()):
            shares.setdefault(name, []).append(float(Fraction(share)))
        patrolling = [sorted(share for share in shares[name] if share) for name in watch.unknowns(bands)]
        assert [8 // bands] * bands == [len(each) for each in patrolling]
        assert sorted(chain(*patrolling)) == list(chain(*patrolling))


def test_what_looks_best_on_the_watch_is_the_worst() -> None:
    """To patrol always is worth most in the best of the models and least in the true one, where to idle is best."""
    game = load(watch.document("watch")).game
    problem = Problem(game, len(game.worlds) - 1, len(game.responses) - 1)
    values = [[problem.values.exact(p, x) for x in range(problem.models)] for p in range(problem.policies)]
    most = max(range(problem.policies), key=lambda p: max(values[p]))
    true = [row[problem.truth] for row in values]
    assert (problem.policies - 1, 0) == (most, true.index(max(true)))
    assert true[most] == min(true)


def test_watch_is_certified_in_the_dark(tmp_path: Path) -> None:
    """A small one, which the kernel admits, so that a run begins."""
    certificate = games.certify(load(watch.document("watch", chances=3, horizon=2, dark=True)))
    record = run(certificate.save(tmp_path / "watch.cert.json"), episodes=16, seeds=1)
    assert (9, 16) == (len(Game(certificate.document["model"]).policies), record.document["episodes"])


@pytest.mark.parametrize("T", between.HORIZONS)
def test_gap_is_that_of_the_lower_line(T: int) -> None:
    """sqrt(d/T)/4 with d = 4."""
    assert (4 / T) ** 0.5 / 4 == float(between.gap(T))


def test_regret_is_between_the_lines() -> None:
    """At T = 64 the regret averaged over the truths is at least sqrt(dT)/20 = .8 and at most either upper line."""
    found = between.at(64)
    assert 0.8 == pytest.approx(between.lower(64))
    for seeds in found.regret.values():
        assert between.SEEDS == len(seeds)
        assert all(0.8 <= regret <= found.sharp for regret in seeds)
