"""``nested`` on interval axes: the list of a certificate's net, its runs, and what their records say."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, Refused
from pomgcheck.kernel.game import Game
from pomgcheck.learner.nets import NetList
from pomgcheck.learner.record import RunRecord
from pomgcheck.learner.replay import verify_run
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.learner.classes import bandit
from tests.search import continua

ONLY = ("nonexpansive", "well-specified", "warmup-stationary", "regret")
ENDS = {"interval": ["1/8", "7/8"]}
T = 100  # of the certificates' nets


def arms(count: int, memory: int = 1, **responses: Any) -> dict[str, Any]:
    """Arms with means on an interval; over a memory of two the opponent halves any but the first in part."""
    worlds = {"parameters": {f"mu{k}": ENDS for k in range(count)}}
    document = bandit(worlds, count, memory=memory, reaction="1/4" if memory > 1 else None)
    return document | {"responses": document["responses"] | responses}


def at(*means: str) -> dict[str, Any]:
    """A truth."""
    return {"worlds": {f"mu{k}": mean for k, mean in enumerate(means)}, "responses": {}}


@pytest.fixture(scope="module")
def joint() -> Certificate:
    """Two arms against a memory of two: few enough net points to be listed."""
    return certify(load(arms(2, memory=2)), only=ONLY, T=T)


@pytest.fixture(scope="module")
def own() -> Certificate:
    """Six arms: a net of all means together would have millions of points."""
    return certify(load(arms(6)), only=ONLY, T=T)


def evidence(certificate: Certificate) -> Any:
    """Of the claim."""
    return certificate.entries["regret"]["evidence"]


def listing(certificate: Certificate, *means: str) -> NetList:
    """The list for a truth."""
    game = Game(certificate.document["model"])
    truth = {f"mu{k}": Fraction(mean) for k, mean in enumerate(means)}, {}
    return NetList(game, truth, "window", evidence(certificate), int(certificate.entries["regret"]["values"]["N"]))


def test_few_models_are_tested_together_and_many_by_their_own_policies(joint: Certificate, own: Certificate) -> None:
    """The certificate says which test its list is for, and how many entries it has."""
    assert ["joint", "own"] == [evidence(each)["list"]["test"] for each in (joint, own)]
    counts = [len(axis["points"]) for axis in evidence(joint)["list"]["axes"].values()]
    assert counts[0] * counts[1] == len(listing(joint, "1/2", "1/2").entries)
    counts = [len(axis["points"]) for axis in evidence(own)["list"]["axes"].values()]
    assert sum(counts) == len(listing(own, *["1/2"] * 6).entries)
    assert str(sum(counts)) == own.entries["regret"]["values"]["N"]


def test_the_list_falls_by_quanta_and_turns_between_them(joint: Certificate) -> None:
    """What an entry promises is the value of its point's first best policy, exactly; rounded up to quanta it never
    rises, and among equals the policies run up or down."""
    found = listing(joint, "1/2", "1/2")
    quantum = Fraction(evidence(joint)["list"]["quantum"])
    assert quantum > 0
    values = [found.value(entry) for entry in found.entries]
    for entry, value in zip(found.entries, values, strict=True):
        paid = [found.values[0][p][entry.place] for p in (0, 1)]
        assert value == max(paid) == paid[entry.policy]
    steps = [-(-value // quantum) for value in values if value is not None]
    assert steps == sorted(steps, reverse=True)
    runs = 1 + sum(a.policy != b.policy for a, b in pairwise(found.entries))
    assert runs <= len({*steps}) + 1
    assert found.before()[0] <= runs


@pytest.mark.parametrize("truth", [("1/8", "7/8"), ("7/8", "1/8"), ("1/2", "2/5"), ("5/16", "5/16")])
def test_a_run_stays_below_the_bound_of_its_truth(joint: Certificate, truth: tuple[str, str]) -> None:
    """At ends, inside and where both arms are as good: data regret at every recorded t, and warm-up, stay below their
    lines wherever the truth's point is never refuted, which is so in nearly all runs."""
    record = run(joint, episodes=400, seeds=6, algorithm="nested", truth=at(*truth)).document
    played = record["runs"][0]
    bound = played["bound"]
    kept = [seed for seed in played["seeds"] if seed["truth_in_every_set"]]
    assert len(kept) >= 5
    for seed in kept:
        pairs = zip(seed["regret"], bound["data"], strict=True)
        assert all(Fraction(paid) <= Fraction(most) for paid, most in pairs)
        assert Fraction(seed["warmup_regret"]) <= Fraction(bound["lines"]["warmup"])
    assert "nested on a net" == bound["kind"]
    assert "Theorem N on a net (docs/bound.md) with probability at least 1 − 2δ" == played["guarantee"]
    regrets = {Fraction(each["regret"]) for each in bound["policies"]}
    assert Fraction(0) not in regrets


def test_own_tests_play_a_product_of_arms(own: Certificate) -> None:
    """A good last arm is found: the first arms are refuted one after another, by their own data."""
    means = ["1/8"] * 5 + ["7/8"]
    record = run(own, episodes=600, seeds=2, algorithm="nested", truth=at(*means)).document
    for seed in record["runs"][0]["seeds"]:
        assert "a5" == seed["epochs"][-1]["policy"]
        assert Fraction(seed["regret"][-1]) < 600 * Fraction(3, 4) / 4
        assert seed["truth_in_every_set"]
        assert {"test", "horizon"} >= {epoch["ended"] for epoch in seed["epochs"]}


@pytest.fixture(scope="module")
def saved(joint: Certificate, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate and a run under it, in files."""
    folder = tmp_path_factory.mktemp("nets")
    path = joint.save(folder / "arms.cert.json")
    record = run(path, episodes=150, seeds=2, algorithm="nested", truth=at("1/4", "3/4"))
    return path, record.save(folder / "arms.run.json")


def test_a_record_is_replayed(saved: tuple[Path, Path]) -> None:
    """Byte for byte, from the certificate and what the record says."""
    verdict = verify_run(saved[1], saved[0], replay=True)
    assert verdict.accepted, verdict.line


def test_processes_and_a_journal_change_nothing(saved: tuple[Path, Path], tmp_path: Path) -> None:
    """The record of two processes, and of a run that was resumed from its journal, is the same."""
    record = RunRecord.load(saved[1]).document
    given: dict[str, Any] = {"episodes": 150, "seeds": 2, "algorithm": "nested", "truth": at("1/4", "3/4")}
    journal = tmp_path / "j"
    first = run(saved[0], journal=journal, **given).document
    again = run(saved[0], journal=journal, resume=True, jobs=2, **given).document
    assert record["runs"] == first["runs"] == again["runs"]


def test_a_shorter_run_is_the_beginning_of_a_longer_one(joint: Certificate) -> None:
    """The schedule knows no horizon."""
    short, long = (
        run(joint, episodes=n, seeds=1, algorithm="nested", truth=at("1/4", "3/4")).document for n in (64, 256)
    )
    seeds = [each["runs"][0]["seeds"][0]["regret"] for each in (short, long)]
    assert seeds[0] == seeds[1][: len(seeds[0])]


def test_a_smaller_delta_widens_the_test(joint: Certificate) -> None:
    """Also one that no float holds; the statement is for the run's own delta."""
    lines = [
        run(joint, episodes=20, seeds=1, algorithm="nested", truth=at("1/4", "3/4"), delta=delta).document["runs"][0]
        for delta in ("1/2", "1/20", f"1/{10**400}")
    ]
    starts = [Fraction(each["bound"]["lines"]["start"]) for each in lines]
    assert starts == sorted(starts)
    assert starts[2] > 1800


def test_one_best_policy_is_played_for_ever() -> None:
    """Where the certificate shows that there is nothing to learn: one epoch, no regret, the first warm-up."""
    certificate = certify(load(continua.mixed()), only=ONLY)
    assert evidence(certificate)["list"] is None
    truth = None if "truth" in certificate.document["model"] else TRUTH
    played = run(certificate, episodes=50, seeds=2, algorithm="nested", truth=truth).document["runs"][0]
    assert {1} == {len(seed["epochs"]) for seed in played["seeds"]}
    assert {"0"} == {paid for seed in played["seeds"] for paid in seed["regret"]}
    assert Fraction(played["bound"]["lines"]["data"]) == 0


TRUTH = {"worlds": {"x": "3/31", "z": "1/3"}, "responses": {"y": "5/23"}}


def test_a_net_by_slopes_is_refused_where_nothing_plans_with_one(joint: Certificate) -> None:
    """``--net`` is for Algorithm 1."""
    with pytest.raises(InputError, match="required no net, since none of the algorithms plans with one"):
        run(joint, episodes=10, algorithm="nested", truth=at("1/4", "3/4"), net="1/10")


def test_tied_intervals_are_not_played() -> None:
    """The theorem is for boxes; the refusal says what to do."""
    with pytest.raises(Refused, match="list the models"):
        run(certify(load(continua.triangle()), only=ONLY), episodes=10, algorithm="nested")


def test_every_point_of_the_class_has_a_point_of_the_net(joint: Certificate) -> None:
    """At cell ends too: the truth's place is that of a point whose cell holds it."""
    axes = evidence(joint)["list"]["axes"]
    for k, n in ((0, -1), (1, 2)):
        means = axes["theta.mu0"]["ends"][k], axes["theta.mu1"]["ends"][n]
        found = listing(joint, *means)
        group = found.groups[0]
        theta = (group.tables.game.thetas or ())[group.truth]
        for name, mean in zip(("mu0", "mu1"), means, strict=True):
            ends = [Fraction(x) for x in axes[f"theta.{name}"]["ends"]]
            cell = next(j for j, (low, high) in enumerate(pairwise(ends)) if low <= theta[name] <= high)
            assert ends[cell] <= Fraction(mean) <= ends[cell + 1]
