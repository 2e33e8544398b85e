"""What the paper could not run: the classes it is run on, and what is read off."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from pomgcheck.experiments import between, games, watch
from pomgcheck.experiments.run import certificate_name, experiment, stamp
from pomgcheck.kernel.game import Game
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.record import RunRecord
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load

CERTIFICATES = Path(__file__).parents[2] / "certificates"


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
    """A run of a class is what ``run`` gives under the same certificate, and the share counts its covered seeds."""
    asked: dict[str, Any] = {"episodes": 64, "seeds": 5, "algorithm": "epoch-omle", "constants": "theory"}
    runs = {f"{games.THEORY}, coverage": asked, "long": asked | {"episodes": 256}}
    found = games.found("patrol", games.stamped(), runs)
    path = stamp(tmp_path / "patrol.cert.json", "games")
    assert found.runs[f"{games.THEORY}, coverage"].runs == run(path, **asked).runs
    assert games.share(found, games.THEORY) == 1
    (totals,) = games.regrets(found.runs["long"], "total_regret")
    assert 5 == len(totals)
    per_time = games.regrets(found.runs["long"])
    assert [len(found.runs["long"].document["t"]), 5] == [len(per_time), len(per_time[0])]


@pytest.fixture(scope="module")
def tiger() -> games.Found:
    """Few seeds of tiger, under the names of the experiment."""
    runs = {label: {"episodes": 256, "seeds": 3} | options for label, options in games.LEARNERS.items()}
    for label in games.RIVALS:
        runs[label] = {"episodes": 256, "seeds": 2, "algorithm": label, "constants": "practical"}
    for label, options in games.LEARNERS.items():
        runs[f"{label}, coverage"] = {"episodes": 64, "seeds": 4} | options
    for label in (games.NESTED, games.PRACTICAL):
        runs[f"{label}, prefix"] = {"episodes": 32, "seeds": 3} | games.LEARNERS[label]
    runs["other"] = {"episodes": 32, "seeds": 3, "algorithm": "uniform", "constants": "practical"}
    return games.found("tiger", dict(games.gallery.load("tiger").document), runs)


def test_prefixes_are_compared(tiger: games.Found) -> None:
    """A shorter run of the same seeds is the start of the longer one, of Algorithm 1 and of ``nested``; of another
    algorithm it is not."""
    for label in (games.PRACTICAL, games.NESTED):
        assert games.prefix({"tiger": tiger}, label)
        spoilt = tiger._replace(runs=tiger.runs | {f"{label}, prefix": tiger.runs["other"]})
        assert not games.prefix({"tiger": spoilt}, label)


def test_tables_have_every_learner_and_what_theorems_promise(tiger: games.Found) -> None:
    """A row per class: shares of seeds, regret beside its bound and D T, epochs; the promises are kept, and one that is
    not is told."""
    classes = {"tiger": tiger}
    covered, lost, switched = games.covered(classes), games.lost(classes), games.switched(classes)
    assert ["tiger", "1", "1", "1", "0"] == covered["rows"][0]  # the eager radius is too small for its first four seeds
    assert ["Class", *games.LEARNERS, *games.RIVALS, "bound of nested", "D T"] == lost["head"]
    numbers = dict(zip(lost["head"][1:], map(float, lost["rows"][0][1:]), strict=True))
    means = games.regrets(tiger.runs["uniform"], "total_regret")[0]
    assert numbers["uniform"] == pytest.approx(sum(means) / 2)
    assert numbers["nested"] <= numbers["bound of nested"]
    assert 8 == float(switched["rows"][0][2])  # 2^1 + ... + 2^7 < 256: the test is silent with theory constants
    assert [True] * 4 == [row["within"] for row in games.promises(classes)]
    document = deepcopy(tiger.runs[games.NESTED].document)
    document["runs"][0]["seeds"][0]["regret"][-1] = "1000"
    above = tiger._replace(runs=tiger.runs | {games.NESTED: RunRecord(document)})
    assert [True, True, False, True] == [row["within"] for row in games.promises({"tiger": above})]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiger", "kuhn", "routes", "digits"])
def test_nested_keeps_the_truth_and_loses_a_tenth_of_algorithm_1(name: str) -> None:
    """In 190 of 200 seeds or more xi* stays in every set, and then regret is never above the fill; it is at most a tenth
    of what Algorithm 1 pays with theory constants."""
    path = CERTIFICATES / f"{name}.cert.json"
    runs = {games.NESTED: run(path, episodes=2**13, seeds=200, algorithm="nested")}
    runs[games.THEORY] = run(path, episodes=2**13, seeds=10, algorithm="epoch-omle")
    found = games.Found({}, runs)
    assert 190 <= found.only(games.NESTED)["summary"]["truth_in_every_set"]
    assert games.paid(found, games.NESTED).within
    nested, theory = (fmean(games.regrets(runs[label], "total_regret")[0]) for label in runs)
    assert nested <= theory / 10


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
    problem = LearningProblem(game, len(game.worlds) - 1, len(game.responses) - 1)
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
    """At T = 64 the regret averaged over the truths is at least sqrt(dT)/20 = .8 and at most its own upper line."""
    found = between.at(64)
    assert 0.8 == pytest.approx(between.lower(64))
    for kind, seeds in found.regret.items():
        assert between.SEEDS == len(seeds)
        most = found.listed if kind == between.NESTED else found.sharp
        assert all(0.8 <= regret <= most for regret in seeds)
