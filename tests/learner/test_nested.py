"""``nested``: the learner of Theorem N, its runs, and what they rest on."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, Refused
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Nested, Truth
from pomgcheck.learner.epochs import Epoch, epochs
from pomgcheck.learner.nested import NestedLearner, listed
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.record import RunRecord
from pomgcheck.learner.regret import regret, warmup_regret
from pomgcheck.learner.replay import verify_run
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.learner import reference
from tests.learner.classes import bandit, games, means, watch

WORLDS = {"points": [means("1/2", "1/4", "1/4"), means("1/2", "3/4", "1/4"), means("1/2", "3/4", "7/8")]}


def class_of_three(**responses: Any) -> dict[str, Any]:
    """Three arms, each best in one world; the opponent halves two of them, over a memory of two."""
    document = bandit(WORLDS, 3, memory=2, reaction="1/4")
    truth = {"truth": {"worlds": WORLDS["points"][0], "responses": {}}}
    return document | truth | {"responses": document["responses"] | responses}


def fading(gamma: str) -> dict[str, Any]:
    """The same, its memory fading."""
    document = class_of_three(block_rule="fading", gamma=gamma)
    del document["responses"]["memory"]
    return document


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of three arms; 2.4 is refuted, Theorem N proved."""
    return certify(load(class_of_three())).save(tmp_path_factory.mktemp("three") / "three.cert.json")


@pytest.fixture(scope="module")
def played(certificate: Path) -> RunRecord:
    """Two hundred episodes of the schedule, three seeds."""
    return run(certificate, episodes=200, seeds=3)


def as_reference(epoch: Epoch) -> reference.Epoch:
    """What the plain loop says of an epoch."""
    assert epoch.model is not None
    return reference.Epoch(
        epoch.policy,
        epoch.model,
        epoch.episodes,
        epoch.ended,
        epoch.warmup_cost,
        epoch.regret(epoch.episodes),
        epoch.gap,
        bool(epoch.covered),
        epoch.inside or 0,
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(st.data())
def test_equals_the_plain_loop(data: st.DataObject) -> None:
    """On random classes, rules, truths, seeds and probabilities the epochs are those of the definition, however many
    episodes are simulated together; sets that lose their last model begin again."""
    game: Game = data.draw(games())
    theta = data.draw(st.sampled_from(range(len(game.worlds))))
    phi = data.draw(st.sampled_from(range(len(game.responses))))
    delta = data.draw(st.sampled_from([Fraction(1, 20), Fraction(1, 2), Fraction(99, 100)]))
    T, seed = data.draw(st.integers(1, 60)), data.draw(st.integers(0, 2**32))
    problem = LearningProblem(game, theta, phi)
    numbers = Nested(problem.models, delta, Fraction(1), game.m or 1, ())
    expected = reference.nested(game, theta, phi, delta, T, seed)
    for blocks in ((1, 1), (7, 31), (256, 2**14)):
        found = epochs(NestedLearner(problem, numbers, seed, blocks), T)
        assert expected == [as_reference(epoch) for epoch in found]


def test_a_shorter_run_is_the_beginning_of_a_longer_one() -> None:
    """The schedule knows no horizon."""
    problem = LearningProblem(Game(class_of_three()), 0, 0)
    numbers = Nested(3, Fraction(1, 20), Fraction(1), 2, ())

    def costs(T: int) -> list[tuple[int, Fraction]]:
        found = epochs(NestedLearner(problem, numbers, 5), T)
        return [(e.policy, e.regret(k + 1) - e.regret(k)) for e in found for k in range(e.episodes)]

    assert costs(90) == costs(400)[:90]


def test_the_list_is_that_of_the_certificate(certificate: Path) -> None:
    """v* 7/8, 3/4, 1/2 (a halved arm in a fourth of the episodes keeps 7/8 of it): the third world first."""
    problem = LearningProblem(Game(class_of_three()), 0, 0)
    order, policy = listed(problem.values)
    assert [2, 1, 0] == order.tolist()
    assert [0, 1, 2] == policy.tolist()


def test_regret_stays_below_the_certified_bound_of_its_truth(certificate: Path) -> None:
    """Against every truth and over forty seeds each: wherever the truth is never refuted, data episodes and warm-up
    each stay below their part, and it is refuted in at most a tenth of the runs (expected: a twentieth)."""
    document = json.loads(certificate.read_bytes())
    claim = next(claim for claim in document["claims"] if claim["id"] == "regret")
    entries, lost, T = claim["evidence"]["truths"], 0, 500
    assert "proved" == claim["verdict"]
    for theta, entry in enumerate(entries):
        truth = Truth.read(entry)
        numbers = Nested(3, Fraction(1, 20), Fraction(claim["values"]["span"]), 2, (truth,))
        problem = LearningProblem(Game(class_of_three()), theta, 0)
        for seed in range(40):
            found = epochs(NestedLearner(problem, numbers, seed), T)
            if not all(epoch.covered for epoch in found):
                lost += 1
                continue
            for t, paid in zip((50, 200, T), regret(found, [50, 200, T]), strict=True):
                assert paid <= numbers.lost(truth, t, Fraction(2 * T + 1, 2**32))
            assert warmup_regret(found) <= numbers.warmups(truth)
            assert len({epoch.model for epoch in found}) == len(found) <= 3
    assert 12 >= lost


# ------------------------------------------------------------------------------------------- its runs


def test_a_class_that_fails_other_assumptions_is_run(certificate: Path, played: RunRecord) -> None:
    """``nested`` is what runs where only Theorem N is proved; the record names the theorem and how the paper was read."""
    (entry,) = played.document["runs"]
    assert "nested" == entry["algorithm"]
    assert "Theorem N (docs/bound.md) with probability at least 1 − 2δ" == entry["guarantee"]
    bound = entry["bound"]
    assert ("nested", "9/10", "3", "1") == (
        bound["kind"],
        bound["probability"],
        bound["parts"]["N"],
        bound["parts"]["span"],
    )
    assert Fraction(9, 32) == Fraction(bound["parts"]["D"])
    assert {"kappa": 1, "space": "window", "form": "literal", "scope": "simplex", "lipschitz": "step"} == (
        played.document["readings"]
    )
    assert Fraction(bound["lines"]["regret"]) >= max(Fraction(seed["total_regret"]) for seed in entry["seeds"])
    assert "none" == entry["constants"]["B0_upper"]


@pytest.mark.parametrize("name", ["epoch-omle", "epoch-fixed", "flat-batch", "posterior-sampling"])
def test_algorithms_of_the_paper_still_ask_for_its_assumptions(certificate: Path, name: str) -> None:
    """Their constants are of claims that this class fails; the refusal says what may run instead."""
    with pytest.raises(Refused, match="weak-revealing refuted.*run nested, which its Theorem N admits"):
        run(certificate, episodes=10, algorithm=f"nested,{name}")


def test_all_are_those_that_the_certificate_admits(certificate: Path) -> None:
    """On such a class ``all`` leaves out what it does not admit; those that assume nothing run beside."""
    found = run(certificate, episodes=40, seeds=1, algorithm="all")
    assert ["nested", "mini-batch", "epsilon-greedy", "uniform"] == list(found.runs)


def test_the_papers_algorithm_stays_the_default_where_it_is_certified(tmp_path: Path) -> None:
    """Of a certified class ``run`` plays epoch-omle unless asked; nested may be asked for, and all has both."""
    path = certify(load(watch())).save(tmp_path / "watch.cert.json")
    assert ["epoch-omle"] == list(run(path, episodes=10, seeds=1).runs)
    assert {"nested", "epoch-omle"} <= set(run(path, episodes=10, seeds=1, algorithm="all").runs)


def test_a_run_is_replayed_and_resumed(certificate: Path, played: RunRecord, tmp_path: Path) -> None:
    """Byte for byte; of a journal only what is missing is played again."""
    path = played.save(tmp_path / "three.run.json")
    assert verify_run(path, certificate, replay=True).line.endswith("replayed 3 seeds")
    journal = tmp_path / "three.unfinished"
    run(certificate, episodes=200, seeds=2, journal=journal)
    told: list[int] = []
    again = run(
        certificate, episodes=200, seeds=3, journal=journal, resume=True, progress=lambda done, total: told.append(done)
    )
    assert ([3], played) == (told, again)


def test_mixed_with_other_constants_a_run_is_replayed(tmp_path: Path) -> None:
    """The constants of Algorithm 1 are read from the entry that has them, wherever ``nested`` stands."""
    path = certify(load(watch())).save(tmp_path / "watch.cert.json")
    for names in ("nested,epoch-omle", "epoch-omle,nested"):
        record = run(path, episodes=60, seeds=2, algorithm=names, constants="practical", c="1/50", delta="1/10")
        saved = record.save(tmp_path / "mixed.run.json")
        assert verify_run(saved, path, replay=True).accepted


@pytest.mark.parametrize("gamma", ["0", "1/2", "9/10"])
def test_against_fading_memory(tmp_path: Path, gamma: str) -> None:
    """Each run of one policy is warmed up longer than the last, without a horizon; the bound is at 1 - 2 delta."""
    path = certify(load(fading(gamma))).save(tmp_path / "fading.cert.json")
    record = run(path, episodes=300, seeds=4)
    (entry,) = record.document["runs"]
    assert "9/10" == entry["bound"]["probability"]
    bound = Fraction(entry["bound"]["lines"]["regret"])
    for seed in entry["seeds"]:
        warmups = [epoch["warmup"] for epoch in seed["epochs"] if epoch["warmup"]]
        assert sorted(warmups) == warmups
        assert not seed["truth_in_every_set"] or Fraction(seed["total_regret"]) <= bound
    assert verify_run(record.save(tmp_path / "fading.run.json"), path, replay=True).accepted


class Restless:
    """Declares a memory of two and never settles: it halves every arm, but for one episode in eight."""

    memory = 2

    def __init__(self) -> None:
        self.asked = 0

    def react(self, policies: tuple[str, ...]) -> list[Any]:
        """An answer that depends on how often it was asked."""
        self.asked += 1
        halve = int(self.asked % 8 > 0)
        return [[[1 - halve, halve]]] * 2


def test_an_outside_opponent_that_never_settles_is_seen(certificate: Path) -> None:
    """Theorem N rests on its declaration, and the record says that it was seen to be otherwise: the arm that the list ends
    with wins about a quarter of its plays where the true response, which spares it, would let it win half."""
    record = run(certificate, episodes=400, seeds=1, algorithm="nested", opponent=Restless)
    (seed,) = record.document["runs"][0]["seeds"]
    assert 400 == sum(epoch["episodes"] for epoch in seed["epochs"])
    assert float(seed["stationarity"]["log_evidence"]) > 0
    assert seed["stationarity"]["otherwise"]


# ------------------------------------------------------------------------------------- classes at the edge


def verdict(document: dict[str, Any], **options: Any) -> tuple[str, Certificate]:
    """Of the claim on a class, with its certificate, which the kernel has accepted."""
    found = certify(load(document), only=["regret", "well-specified", "warmup-stationary"], **options)
    return next(claim["verdict"] for claim in found.document["claims"] if claim["id"] == "regret"), found


def test_one_model_has_nothing_before_it(tmp_path: Path) -> None:
    """N = 1: u = log(1/delta), nobody is harmful, and the bound is the first warm-up."""
    document = bandit({"points": [means("1/2", "1/4")]}, 2, memory=3, reaction="1/4")
    found, certificate = verdict(document)
    assert "proved" == found
    assert ("1", "2", "2") == tuple(
        certificate.values.written[name] for name in ("N", "gap_upper", "nested_regret_upper")
    )
    path = certificate.save(tmp_path / "one.cert.json")
    truth: Any = {"worlds": means("1/2", "1/4"), "responses": {}}
    record = run(path, episodes=30, seeds=2, truth=truth)
    assert all(["0"] * len(record.document["t"]) == seed["regret"] for seed in record.runs["nested"]["seeds"])


@pytest.mark.parametrize("arms", [1, 3])
def test_where_every_policy_is_best_nothing_can_be_lost(tmp_path: Path, arms: int) -> None:
    """|Pi| = 1, or equal arms: D = 0, the claim is vacuous, and nested is refused with a sentence."""
    worlds = {"points": [means(*["1/2"] * arms), means(*["1/4"] * arms)]}
    found, certificate = verdict(bandit(worlds, arms))
    assert "vacuous" == found
    truth: Any = {"worlds": means(*["1/2"] * arms), "responses": {}}
    with pytest.raises(Refused, match="regret, which is vacuous, required regret proved"):
        run(certificate.save(tmp_path / "equal.cert.json"), episodes=5, algorithm="nested", truth=truth)


def test_without_a_truth_in_the_document_one_is_given(tmp_path: Path) -> None:
    """3.1(a) is declared, Theorem N proved; the run asks for the truth."""
    found, certificate = verdict(watch(truth=False))
    assert "proved" == found
    path = certificate.save(tmp_path / "untold.cert.json")
    with pytest.raises(InputError, match="truth"):
        run(path, episodes=5, algorithm="nested")
    truth: Any = {"worlds": {"x": "1/2"}, "responses": {}}
    assert 5 == run(path, episodes=5, seeds=1, algorithm="nested", truth=truth).document["episodes"]


def test_a_truth_outside_the_class_leaves_nothing_to_say() -> None:
    """3.1(a) refuted: vacuous."""
    document = class_of_three()
    document["truth"]["worlds"] = means("1/8", "1/8", "1/8")
    assert "vacuous" == verdict(document)[0]


def test_a_tiny_delta_costs_its_logarithm() -> None:
    """delta = 10^-200: exact, u about 461; the bound grows by that and no more."""
    ordinary, tiny = (
        Fraction(verdict(class_of_three(), delta=delta)[1].values["gap_upper"])
        for delta in (Fraction(1, 20), Fraction(1, 10**200))
    )
    assert 60 < tiny / ordinary < 200


def test_models_of_disjoint_laws_are_told_apart_by_one_episode() -> None:
    """Arms that win always or never: c is infinite, so that a wrong policy is played once."""
    sure = {"points": [means("1", "0"), means("0", "1")]}
    found, certificate = verdict(bandit(sure, 2))
    assert "proved" == found
    claim = next(claim for claim in certificate.document["claims"] if claim["id"] == "regret")
    entries = [each for entry in claim["evidence"]["truths"] for each in entry["policies"]]
    assert entries
    assert {each["c"] is None for each in entries} == {True}


def test_every_model_of_the_gallery_is_in_its_evidence() -> None:
    """Of tiger: one entry per model, in the order of the document, and no policy that costs nothing."""
    path = Path(__file__).parents[2] / "certificates" / "tiger.cert.json"
    document = json.loads(path.read_bytes())
    game = Game(document["model"])
    claim = next(claim for claim in document["claims"] if claim["id"] == "regret")
    entries = claim["evidence"]["truths"]
    assert len(entries) == len(list(product(game.worlds, game.responses)))
    assert all(Fraction(each["regret"]) > 0 for entry in entries for each in entry["policies"])
