"""An experiment's record: its stamp, its digest, its replay, its pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pomgcheck import gallery
from pomgcheck.errors import InputError, MissingDependency, Refused
from pomgcheck.experiments import corpus
from pomgcheck.experiments.record import ExperimentRecord
from pomgcheck.experiments.replay import verify_experiment
from pomgcheck.experiments.run import chosen, experiment, stamp
from pomgcheck.kernel.check import verify
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.reporting import digests_in, report
from pomgcheck.reporting.drawings.panels import pictures


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificate of the bandit with eight arms."""
    return stamp(tmp_path_factory.mktemp("stamp") / "bandit.cert.json")


@pytest.fixture(scope="module")
def record(certificate: Path) -> ExperimentRecord:
    """Experiment 1 with two groups."""
    return experiment("necessity", certificate, groups=2)


def test_the_bandit_is_certified(certificate: Path) -> None:
    """Nothing of it is refuted, unknown or declared."""
    verdict = verify(certificate)
    assert verdict.accepted
    assert verdict.certified
    found = {claim["id"]: claim["verdict"] for claim in (verdict.certificate or {})["claims"]}
    assert {"proved", "vacuous"} == set(found.values())


def test_record_names_its_stamp(record: ExperimentRecord, certificate: Path) -> None:
    """The digest is the certificate's, and the record says that the class has eight arms of any mean in [1/8, 7/8]."""
    stamped = record.document["certificate"]
    assert json.loads(certificate.read_bytes())["sha256"] == stamped["sha256"]
    assert stamped["says"].startswith(
        "Section 4's embedded bandit with 8 arms, each with a mean anywhere in [1/8, 7/8]"
    )
    assert "not of one with another number of arms" in stamped["says"]


def test_record_holds_what_another_needs_to_repeat_it(record: ExperimentRecord) -> None:
    """Seeds, constants, generator, versions, and a reason for each choice; no float anywhere."""
    document = record.document
    assert list(range(20)) == document["seeds"]
    assert "default_rng(seed)" in document["rng"]
    assert {"numpy", "pomgcheck", "python"} == set(document["packages"])
    assert all(choice["reason"] for choice in document["choices"])
    assert ["0.25", True] == [document["table"][0][key] for key in ("ours", "within")]
    canonical_bytes(document)  # a float would be refused


def test_another_class_is_refused(tmp_path: Path) -> None:
    """No experiment runs under a certificate of another class, nor under an altered one."""
    from pomgcheck.search.certify import certify

    other = certify(gallery.load("bandit-2")).save(tmp_path / "other.cert.json")
    with pytest.raises(InputError, match="one of the class bandit "):
        experiment("necessity", other)
    text = other.read_text()
    other.write_text(text.replace('"proved"', '"refuted"', 1))
    with pytest.raises(Refused):
        experiment("necessity", other)


def test_disk_and_digest(record: ExperimentRecord, tmp_path: Path) -> None:
    """Saved and loaded it is the same; a figure improved afterwards does not fit the digest."""
    path = record.save(tmp_path / "necessity.experiment.json")
    assert record == ExperimentRecord.load(path)
    path.write_text(path.read_text().replace('"0.25"', '"0.24"', 1))
    with pytest.raises(InputError, match="sha256"):
        ExperimentRecord.load(path)


def test_replay(record: ExperimentRecord, certificate: Path) -> None:
    """Run again it is the same; a forged figure is found out although its digest fits."""
    assert (True, f"VERIFIED experiment {record.sha256} replayed") == verify_experiment(record, certificate, True)
    document = json.loads(canonical_bytes(record.document))
    del document["sha256"]
    document["table"][1]["ours"] = "0.05"
    forged = ExperimentRecord.signed(document)
    assert verify_experiment(forged, certificate, False)[0]
    expected = "REJECTED experiment table: found other results, required those of a replay"
    assert (False, expected) == verify_experiment(forged, certificate, True)


@pytest.mark.parametrize("jobs", [2, 3])
def test_processes_change_nothing(record: ExperimentRecord, certificate: Path, jobs: int) -> None:
    """The record made by several processes is the same to the byte."""
    assert canonical_bytes(record.document) == canonical_bytes(
        experiment("necessity", certificate, 2, jobs=jobs).document
    )


def test_jobs_are_counted_from_one(certificate: Path) -> None:
    """None at all is a sentence."""
    with pytest.raises(InputError, match="jobs: found 0, required an integer of at least 1"):
        experiment("necessity", certificate, jobs=0)


def test_what_stands_beside_the_papers_algorithms(record: ExperimentRecord, tmp_path: Path) -> None:
    """``nested`` loses less than a third of Algorithm 1 with the paper's constants, less than its theorem allows, and the
    page has its row."""
    (table,) = record.document["tables"]
    rows = {row[0]: [float(x) for x in row[1:] if x] for row in table["rows"]}
    nested, practical, theory = rows["PR(T)/T"]
    assert nested < practical / 3 < theory / 3
    assert nested < rows["PR(T)/T at most, by its theorem"][0]
    assert "200 of 200 seeds" in table["caption"]
    page = report(record.save(tmp_path / "x.experiment.json"), tmp_path / "x.md").read_text()
    assert "| Figure | nested | Algorithm 1, c = 1 | Algorithm 1, c = 16 |" in page


def test_pages_and_pictures(record: ExperimentRecord, tmp_path: Path) -> None:
    """Page, SVG and PNG are written, stamped with the digest; the same record gives the same picture."""
    path = record.save(tmp_path / "necessity.experiment.json")
    page = report(path, tmp_path / "necessity.experiment.md").read_text()
    assert record.sha256 == digests_in(page)["experiment"]
    assert "| .100 | 0.09993 |" in page
    assert (tmp_path / "necessity.experiment.regret.svg").read_text().startswith("<svg")
    (picture,) = pictures(path)
    first = picture.read_bytes()
    assert b"\x89PNG" == first[:4]
    assert first == pictures(path)[0].read_bytes()


def test_names() -> None:
    """``all`` stands for the three; another name is told which there are."""
    assert ("necessity", "scaling", "digits") == tuple(chosen("all"))
    with pytest.raises(InputError, match="one of necessity, scaling, digits, games, all"):
        chosen("nothing")


def test_missing_corpus_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without scikit-learn the digits say what to install."""
    monkeypatch.setitem(__import__("sys").modules, "sklearn.datasets", None)
    corpus.corpus.cache_clear()
    with pytest.raises(MissingDependency, match="pip install"):
        corpus.corpus()
    corpus.corpus.cache_clear()
