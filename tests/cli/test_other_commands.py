"""``explain``, ``report``, ``run``, ``gallery`` and ``demo``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pomgcheck import certify, gallery, load, report
from pomgcheck.errors import InputError, Refused
from tests.cli.conftest import Run


def test_explain_tells_one_claim_or_all(pomgcheck: Run, folder: Path) -> None:
    """One claim by its id; all of them without; another id is refused with the list of ids."""
    one = pomgcheck("explain", "outside-truth.cert.json", "well-specified")
    assert (0, True) == (one.returncode, "The truth (x=3/4) is none of the models of the class." in one.stdout)
    everything = pomgcheck("explain", "outside-truth.cert.json")
    assert one.stdout.strip() in everything.stdout
    other = pomgcheck("explain", "outside-truth.cert.json", "truth")
    assert (2, "") == (other.returncode, other.stdout)
    assert "one of factorization" in other.stderr


def test_explain_tries_what_would_decide_an_unknown_claim(pomgcheck: Run, tmp_path: Path) -> None:
    """What settles it is printed below; with no time nothing is tried, and a time that is none is refused."""
    certify(load("patrol"), time_limit=1e-9).save(tmp_path / "patrol.cert.json")
    tried = pomgcheck("explain", "patrol.cert.json", "covering")
    assert (0, "") == (tried.returncode, tried.stderr)
    assert "Time alone: certify … --resume CERT --time-limit" in " ".join(tried.stdout.split())
    read = pomgcheck("explain", "patrol.cert.json", "covering", "--time-limit", 0)
    assert (0, True) == (read.returncode, tried.stdout.startswith(read.stdout))
    assert "To see what decides it: pomgcheck explain CERT CLAIM." in " ".join(read.stdout.split())
    refused = pomgcheck("explain", "patrol.cert.json", "covering", "--time-limit", -1)
    assert (2, "") == (refused.returncode, refused.stdout)
    assert "--time-limit: found -1.0, required a number of seconds, 0 for no tries" in refused.stderr


def test_explain_walks_through_the_bound_at_any_horizon(pomgcheck: Run, folder: Path) -> None:
    """A class with a refuted premise has no bound to walk through; a T must be a count of episodes, of that claim."""
    none = pomgcheck("explain", "outside-truth.cert.json", "constants", "--episodes", 5)
    assert (0, True) == (none.returncode, "it says nothing. Refuted: well-specified." in " ".join(none.stdout.split()))
    for arguments in (("constants", "--episodes", 0), ("covering", "--episodes", 5)):
        refused = pomgcheck("explain", "outside-truth.cert.json", *arguments)
        assert (2, "") == (refused.returncode, refused.stdout)
        assert "episodes" in refused.stderr


def test_an_altered_certificate_is_neither_explained_nor_reported(pomgcheck: Run, folder: Path) -> None:
    """Words are only made of what is as it was written: exit 1, nothing printed, nothing written."""
    path = folder / "patrol.cert.json"
    path.write_text(path.read_text().replace('"7/17"', '"8/17"'))
    for arguments in (("explain", path), ("report", path, "-o", "page.html"), ("run", path, "--episodes", 5)):
        done = pomgcheck(*arguments)
        assert (1, "") == (done.returncode, done.stdout)
    assert not (folder / "page.html").exists()


def test_a_report_from_python_is_of_unaltered_files_too(folder: Path) -> None:
    """The public verb checks digests as the command does; nothing is written."""
    path = folder / "patrol.cert.json"
    path.write_text(path.read_text().replace('"7/17"', '"8/17"'))
    with pytest.raises(Refused, match="patrol.cert.json: certificate digest: found"):
        report(path, folder / "page.html")
    record = folder / "patrol.run.json"
    record.write_text(record.read_text().replace('"episodes":60', '"episodes":61'))
    with pytest.raises(InputError, match="patrol.run.json: sha256: found"):
        report(record, folder / "page.html")
    assert not (folder / "page.html").exists()


def test_a_record_is_known_by_its_format(pomgcheck: Run, folder: Path) -> None:
    """Whatever a run record is called, the commands that ``run`` names next take it."""
    done = pomgcheck("run", "patrol.cert.json", "--episodes", 40, "--seeds", 1, "-o", "my run.json")
    assert "  pomgcheck report patrol.cert.json 'my run.json' -o 'my run.run.html'" in done.stdout
    assert 0 == pomgcheck("report", "patrol.cert.json", "my run.json", "-o", "my run.run.html").returncode


def test_a_spoiled_copy_spoils_nothing_else(pomgcheck: Run, folder: Path) -> None:
    """A record is checked against the sound certificate beside it, though an altered copy sorts before it."""
    text = (folder / "patrol.cert.json").read_text()
    (folder / "a.cert.json").write_text(text.replace('"7/17"', '"8/17"'))
    assert 0 == pomgcheck("verify", "patrol.run.json").returncode
    (folder / "patrol.cert.json").unlink()
    assert 1 == pomgcheck("verify", "patrol.run.json").returncode


def test_run_writes_a_record_only_on_a_certificate(pomgcheck: Run, folder: Path) -> None:
    """A certified class runs; a refuted one is refused, and nothing is written."""
    done = pomgcheck("run", "patrol.cert.json", "--episodes", 40, "--seeds", 2, "-o", "mine.run.json")
    assert (0, "") == (done.returncode, done.stderr)
    assert [0, 1] == json.loads((folder / "mine.run.json").read_text())["seeds"]
    refused = pomgcheck("run", "outside-truth.cert.json", "--episodes", 40)
    assert (1, "") == (refused.returncode, refused.stdout)
    assert "well-specified refuted" in refused.stderr
    assert not (folder / "outside-truth.run.json").exists()


def test_practical_constants_carry_no_guarantee(pomgcheck: Run, folder: Path) -> None:
    """The record and the table both say so."""
    done = pomgcheck("run", "patrol.cert.json", "--episodes", 40, "--seeds", 1, "--constants", "practical")
    assert "none (practical constants)" in done.stdout
    assert "none (practical constants)" == json.loads((folder / "patrol.run.json").read_text())["runs"][0]["guarantee"]


def test_the_gallery_lists_every_class_with_what_it_fails(pomgcheck: Run) -> None:
    """One entry per class; a counterexample's names the claim it fails."""
    done = pomgcheck("gallery", COLUMNS="140")
    rows = {line.split()[0]: line for line in done.stdout.splitlines()[1:] if line and not line.startswith(" ")}
    assert set(gallery.names()) <= set(rows)
    assert "kl-joint" in rows["confounded"]


def test_the_gallery_writes_documents_that_load(pomgcheck: Run, tmp_path: Path) -> None:
    """TOML to edit and canonical JSON, of one class or of all; without a folder the TOML goes to stdout."""
    from pomgcheck import load

    assert 0 == pomgcheck("gallery", "tiger", "-o", "here").returncode
    assert ["tiger.model.json", "tiger.toml"] == sorted(path.name for path in (tmp_path / "here").iterdir())
    shown = pomgcheck("gallery", "tiger")
    assert (tmp_path / "here" / "tiger.toml").read_text() == shown.stdout
    assert 1 == len({load(path).sha256 for path in (tmp_path / "here").iterdir()})


def test_the_demo_goes_from_document_to_report(pomgcheck: Run, tmp_path: Path) -> None:
    """It leaves the model, its certificate, a run record and a page, all of which verify."""
    done = pomgcheck("demo", "-o", "shown")
    assert (0, "") == (done.returncode, done.stderr)
    names = sorted(path.name for path in (tmp_path / "shown").iterdir())
    assert ["tiger.cert.json", "tiger.html", "tiger.model.json", "tiger.run.json", "tiger.toml"] == names
    assert 0 == pomgcheck("verify", "shown/tiger.cert.json", "shown/tiger.run.json", "shown/tiger.html").returncode
