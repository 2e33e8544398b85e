"""``run`` and its record: only on a certificate the kernel accepts, reproducible, and checkable afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pomgcheck.reporting  # noqa: F401  shows records and classes in notebooks
from pomgcheck.errors import InputError, PomgcheckError, Refused
from pomgcheck.kernel.check import content_digest, summary_of
from pomgcheck.kernel.reading import canonical_bytes, digest
from pomgcheck.learner.record import RunRecord
from pomgcheck.learner.replay import verify_run
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from pomgcheck.stored import content_digest as content_digest_of_record
from tests.learner.classes import watch

Edit = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certified class of two worlds, one response and two policies, its truth x = 0."""
    return certify(load(watch())).save(tmp_path_factory.mktemp("watch") / "watch.cert.json")


@pytest.fixture(scope="module")
def untold(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same class without a truth."""
    return certify(load(watch(truth=False))).save(tmp_path_factory.mktemp("untold") / "untold.cert.json")


@pytest.fixture(scope="module")
def finished(certificate: Path) -> RunRecord:
    """A run of both algorithms on it."""
    return run(certificate, episodes=300, seeds=3, algorithm="epoch-omle, epoch-fixed", constants="practical", c="1/50")


def edited(certificate: Path, target: Path, edit: Edit, sign: bool = True) -> Path:
    """A copy with an edit, with digests that fit it unless ``sign`` is false."""
    document = json.loads(certificate.read_bytes())
    edit(document)
    if sign:
        document["model_sha256"] = digest(document["model"])
        document["summary"] = summary_of(document["claims"])
        document["sha256"] = content_digest(document)
    target.write_bytes(canonical_bytes(document))
    return target


def leave_open(document: dict[str, Any]) -> None:
    """Make one claim unknown, and the bound that rests on it."""
    for claim in document["claims"]:
        if claim["id"] in ("weak-revealing", "constants"):
            claim.update(verdict="unknown", values={}, evidence=None)


# -------------------------------------------------------------------------------------- what is refused


def test_missing_certificate_is_refused(tmp_path: Path) -> None:
    """No file, no run; exit code 1."""
    with pytest.raises(Refused, match=r"none.cert.json: found no file, required a certificate file"):
        run(tmp_path / "none.cert.json", episodes=10)
    assert 1 == Refused.exit_code


def test_altered_certificate_is_refused(certificate: Path, tmp_path: Path) -> None:
    """A constant changed after certification does not fit the digest."""
    target = tmp_path / "altered.cert.json"
    edited(certificate, target, lambda document: document["options"].update(delta="1/2"), sign=False)
    with pytest.raises(Refused, match="certificate digest"):
        run(target, episodes=10)


def test_forged_constant_is_refused(certificate: Path, tmp_path: Path) -> None:
    """A smaller B_0 under a fitting digest is still not what the kernel computes."""

    def forge(document: dict[str, Any]) -> None:
        values = next(c for c in document["claims"] if c["id"] == "bounded-increments")["values"]
        values.update(B0_upper={"log_of": "2"}, B0_lower={"log_of": "2"})

    with pytest.raises(Refused, match="bounded-increments"):
        run(edited(certificate, tmp_path / "forged.cert.json", forge), episodes=10)


def test_uncertified_class_is_refused(certificate: Path, tmp_path: Path) -> None:
    """A verified certificate with an open claim is not a certified class, and the claim is named."""
    opened = edited(certificate, tmp_path / "open.cert.json", leave_open)
    open_ = "found weak-revealing unknown, constants unknown, required none refuted and none unknown"
    with pytest.raises(Refused, match=open_):
        run(opened, episodes=10, algorithm="epoch-omle")


def test_refuted_class_is_refused(tmp_path: Path) -> None:
    """Worlds that no observation tells apart: the refuted claims are named."""
    blind = certify(load(watch(worlds__learner_emission=[["1/2", "1/2"], ["1/2", "1/2"]])))
    with pytest.raises(Refused, match="weak-revealing refuted"):
        run(blind.save(tmp_path / "blind.cert.json"), episodes=10)


def test_other_model_is_refused(certificate: Path, tmp_path: Path) -> None:
    """The model handed in must be the certificate's, digest for digest."""
    other = tmp_path / "other.model.json"
    other.write_bytes(canonical_bytes(load(watch(truth=False)).document))
    with pytest.raises(Refused, match="model digest"):
        run(certificate, episodes=10, model=other)
    same = tmp_path / "same.model.json"
    same.write_bytes(canonical_bytes(load(watch()).document))
    assert 10 == run(certificate, episodes=10, seeds=1, model=same).document["episodes"]


def test_interval_class_with_open_claims_is_refused(tmp_path: Path) -> None:
    """The gate is the same on interval axes: every claim is proved, or those that are not are named."""
    document = watch(truth=False, worlds__parameters={"x": {"interval": ["0", "1/2"]}})
    opened = certify(load(document), only=("bounded-increments",)).save(tmp_path / "interval.cert.json")
    with pytest.raises(Refused, match="claims: found 13 claims not searched, required none refuted and"):
        run(opened, episodes=10)


def test_a_class_given_by_operators_is_not_played() -> None:
    """It is refused in one sentence: an episode is played by kernels."""
    path = Path(__file__).parents[1] / "accepted" / "own.cert.json"
    with pytest.raises(Refused, match="found a class given by operators, required a class given by kernels; an ep"):
        run(path, episodes=10)


@pytest.mark.parametrize("warmup", ["horizon", "epoch"])
def test_fading_memory_is_played_and_replayed(tmp_path: Path, warmup: Any) -> None:
    """The record says how it warmed up and what is guaranteed: Theorem 5.2 at T, with theory constants and the warm-up
    that knows T; and it replays.  L_g is the certificate's."""
    document = watch(responses__block_rule="fading", responses__gamma="1/2")
    del document["responses"]["memory"]
    certificate = certify(load(document)).save(tmp_path / "fading.cert.json")
    record = run(certificate, episodes=100, seeds=2, warmup=warmup)
    assert (None, warmup, "fading") == tuple(record.document[key] for key in ("memory", "warmup", "block_rule"))
    guarantee = {
        "horizon": "Theorem 5.2 at T = 100 with probability at least 1 − 2δ",
        "epoch": "none (Theorem 5.2 is for the warm-up that knows T)",
    }
    assert guarantee[warmup] == record.runs["epoch-omle"]["guarantee"]
    times = "H L_g" if warmup == "horizon" else "e H L_g"
    assert record.runs["epoch-omle"]["constants"]["radius"].endswith(f"s = B_0 ((e-1) {times} + 2 log(8/delta))")
    practical = run(certificate, episodes=100, seeds=1, warmup=warmup, constants="practical")
    assert "none (practical constants)" == practical.runs["epoch-omle"]["guarantee"]
    expected = 11 if warmup == "horizon" else 3  # ceil(2 log 200) and ceil(2 log 4), each less one
    epochs = record.runs["epoch-omle"]["seeds"][0]["epochs"]
    assert (10 if warmup == "horizon" else 2) == epochs[0]["warmup"] == expected - 1
    assert verify_run(record.save(tmp_path / "fading.run.json"), certificate, replay=True).accepted


def test_certificate_comes_before_the_arguments(tmp_path: Path) -> None:
    """With both a bad certificate and a bad argument it is the certificate that is refused."""
    with pytest.raises(Refused):
        run(tmp_path / "none.cert.json", episodes=0)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"episodes": 0}, "episodes: found 0, required an integer from 1"),
        ({"episodes": True}, "episodes: found True, required an integer from 1"),
        ({"seeds": [1, 1]}, "seeds: found .*1, 1.*, required one seed or more, each once"),
        ({"seeds": [-1]}, "seeds.0.: found -1"),
        ({"algorithm": "epoch"}, "algorithm: found 'epoch', required one of nested, epoch-omle, epoch-fixed"),
        ({"constants": "mine"}, "constants: found 'mine'"),
        ({"c": 0.5}, 'c: found 0.5, required an exact number; write "0.5"'),
        ({"c": "1_0"}, "c: found '1_0'"),
        ({"delta": "2"}, "delta: found 2, required a probability below 1"),
        ({"factor": 0}, "factor: found 0, required a number above 0"),
        ({"C_0": "-1"}, "C_0: found -1, required a number of at least 0"),
        ({"ties": "any"}, "ties: found 'any'"),
        ({"jobs": 0}, "jobs: found 0"),
        ({"truth": {"worlds": {}, "responses": {}}}, "truth: found a truth argument"),
    ],
)
def test_unusable_arguments(certificate: Path, arguments: dict[str, Any], reason: str) -> None:
    """Each unusable argument is one sentence: where, found, required."""
    with pytest.raises(InputError, match=reason):
        run(certificate, **({"episodes": 10} | arguments))


# ----------------------------------------------------------------------------------------- the truth


def test_truth_argument_is_needed_and_recorded(untold: Path) -> None:
    """A class without a truth runs once a point of it is named, and the record holds it."""
    with pytest.raises(InputError, match="truth: found none"):
        run(untold, episodes=10)
    found = run(untold, episodes=10, seeds=1, truth={"worlds": {"x": "0.5"}, "responses": {}}).document
    assert ({"worlds": {"x": "1/2"}, "responses": {}}, True) == (found["truth"], found["truth_given"])


def test_truth_must_be_in_the_class(untold: Path) -> None:
    """A point outside the class is refused."""
    with pytest.raises(InputError, match=r"truth.worlds: found \(x = 1/8\), required a point of the class"):
        run(untold, episodes=10, truth={"worlds": {"x": "1/8"}, "responses": {}})


# ---------------------------------------------------------------------------------------- the record


def leaves(value: Any) -> list[Any]:
    """Every scalar of a JSON document."""
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    return [leaf for item in value for leaf in leaves(item)] if isinstance(value, list) else [value]


def test_record_says_what_was_run(certificate: Path, finished: RunRecord) -> None:
    """Certificate, model, algorithms, constants, seeds, generator, versions: all there, and no float anywhere."""
    document, signed = finished.document, json.loads(certificate.read_bytes())
    assert (signed["sha256"], signed["model_sha256"]) == (document["certificate_sha256"], document["model_sha256"])
    assert ("watch.cert.json", "watch", 2, 300, [0, 1, 2]) == tuple(
        document[key] for key in ("certificate_file", "model", "memory", "episodes", "seeds")
    )
    assert ["epoch-omle", "epoch-fixed"] == list(finished.runs)
    constants = finished.runs["epoch-omle"]["constants"]
    assert ("1/50", "0", "2", "1/20", {"log_of": "2"}) == tuple(
        constants[key] for key in ("c", "C_0", "factor", "delta", "log_covering_upper")
    )
    assert {"numpy", "pomgcheck", "python"} == set(document["packages"])
    assert not any(isinstance(leaf, float) for leaf in leaves(document))
    assert not any(isinstance(leaf, str) and leaf.startswith("/") for leaf in leaves(document))


@pytest.mark.parametrize(
    ("arguments", "guarantee"),
    [
        ({}, "Theorem 3.3 with probability at least 1 − 2δ"),
        ({"c": 20, "C_0": "4.31"}, "Theorem 3.3 with probability at least 1 − 2δ"),
        ({"c": 15}, "none (practical constants)"),
        ({"C_0": 4}, "none (practical constants)"),
        ({"factor": "1"}, "none (practical constants)"),
        ({"constants": "practical"}, "none (practical constants)"),
        ({"algorithm": "epoch-fixed"}, "none (no termination test)"),
    ],
)
def test_guarantee(certificate: Path, arguments: dict[str, Any], guarantee: str) -> None:
    """Only Algorithm 1 with constants the theorem allows carries its guarantee."""
    assert guarantee == run(certificate, episodes=4, seeds=1, **arguments).document["runs"][0]["guarantee"]


def test_record_survives_the_disk(finished: RunRecord, tmp_path: Path) -> None:
    """Saved and loaded it is the same record, and the file is canonical."""
    path = finished.save(tmp_path / "watch.run.json")
    assert finished == RunRecord.load(path)
    assert canonical_bytes(finished.document) == path.read_bytes()


def test_any_number_of_workers_gives_the_same_record(certificate: Path, finished: RunRecord) -> None:
    """Two processes write what one does, and progress is told after every seed."""
    told: list[tuple[int, int]] = []
    again = run(
        certificate,
        episodes=300,
        seeds=3,
        algorithm="epoch-omle,epoch-fixed",
        constants="practical",
        c="1/50",
        jobs=2,
        progress=lambda done, total: told.append((done, total)),
    )
    assert finished == again
    assert [(k, 6) for k in range(1, 7)] == told


def test_seeds_stand_alone(certificate: Path, finished: RunRecord) -> None:
    """A seed run by itself is the seed of the larger run."""
    alone = run(certificate, episodes=300, seeds=[2], constants="practical", c="1/50")
    assert finished.runs["epoch-omle"]["seeds"][2] == alone.runs["epoch-omle"]["seeds"][0]


def test_shown_at_a_prompt_and_in_a_notebook(finished: RunRecord) -> None:
    """Both showings name the class, the algorithms and the guarantee."""
    for shown in (repr(finished), finished._repr_html_()):
        for word in ("watch", "epoch-omle", "epoch-fixed", "none (no termination test)", "300"):
            assert word in shown


# ------------------------------------------------------------------------------------------ replaying


def test_replay_confirms_the_record(certificate: Path, finished: RunRecord, tmp_path: Path) -> None:
    """The record verifies alone, with its certificate, and when every seed is run again."""
    path = finished.save(tmp_path / "watch.run.json")
    assert f"VERIFIED run {finished.sha256}" == verify_run(path).line
    assert verify_run(path, certificate).accepted
    assert f"VERIFIED run {finished.sha256} replayed 3 seeds" == verify_run(path, certificate, replay=True).line


def test_replay_of_a_given_truth(untold: Path, tmp_path: Path) -> None:
    """A truth given as an argument is replayed from the record."""
    found = run(untold, episodes=20, seeds=1, truth={"worlds": {"x": 0}, "responses": {}}, ties="fresh-first")
    assert verify_run(found.save(tmp_path / "untold.run.json"), untold, replay=True).accepted


def altered(finished: RunRecord, target: Path, sign: bool) -> Path:
    """The record with one regret improved."""
    document = json.loads(canonical_bytes(finished.document))
    document["runs"][0]["seeds"][0]["total_regret"] = "0"
    if sign:
        document["sha256"] = content_digest_of_record(document)
    target.write_bytes(canonical_bytes(document))
    return target


def test_altered_record_is_rejected(finished: RunRecord, tmp_path: Path) -> None:
    """A better regret written in afterwards does not fit the digest."""
    verdict = verify_run(altered(finished, tmp_path / "better.run.json", sign=False))
    assert not verdict.accepted
    assert verdict.line.startswith("REJECTED run sha256: found ")


def test_forged_record_fails_its_replay(certificate: Path, finished: RunRecord, tmp_path: Path) -> None:
    """Under a fitting digest it passes alone, and a replay finds it out."""
    path = altered(finished, tmp_path / "forged.run.json", sign=True)
    assert verify_run(path, certificate).accepted
    assert (
        "REJECTED run runs: found other results, required those of a replay"
        == verify_run(path, certificate, replay=True).line
    )


def test_record_of_another_certificate_is_rejected(untold: Path, finished: RunRecord, tmp_path: Path) -> None:
    """A sound certificate of another class does not stand behind the record."""
    verdict = verify_run(finished.save(tmp_path / "watch.run.json"), untold)
    assert verdict.line.startswith("REJECTED run certificate_sha256: ")


def test_replay_needs_the_certificate(finished: RunRecord, tmp_path: Path) -> None:
    """Asked to replay without it, the error names the file to give."""
    with pytest.raises(PomgcheckError, match="give watch.cert.json"):
        verify_run(finished.save(tmp_path / "watch.run.json"), replay=True)


def test_missing_record_is_unusable(tmp_path: Path) -> None:
    """No file is unusable input, not a rejection."""
    with pytest.raises(InputError, match="none.run.json: found no file, required a run record"):
        verify_run(tmp_path / "none.run.json")


def test_unreadable_record_is_rejected(tmp_path: Path) -> None:
    """A file that is no record is a rejection, not a crash."""
    path = tmp_path / "odd.run.json"
    path.write_text('{"format": 1.5}')
    assert "REJECTED run file: found the float 1.5" in verify_run(path).line
