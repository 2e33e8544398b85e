"""``pomgcheck verify`` on certificates, run records and reports, whole and tampered with."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run

HEAVY = {"numpy", "scipy", "sympy", "z3", "cvxpy", "flint", "matplotlib"}


def test_a_certificate_stands_by_the_kernel_alone(pomgcheck: Run, folder: Path) -> None:
    """The line is the kernel's own; a refutation is verified as strictly as a proof, and says not-certified."""
    done = pomgcheck("verify", "patrol.cert.json", "outside-truth.cert.json")
    lines = done.stdout.splitlines()
    assert (0, "", 2) == (done.returncode, done.stderr, len(lines))
    assert lines[0].startswith("patrol.cert.json: VERIFIED model ")
    assert " certified; vacuous: none; declared: none; kappa=1 form=literal " in lines[0]
    assert " not-certified; vacuous: " in lines[1]


def test_a_changed_certificate_is_rejected(started: Run, folder: Path) -> None:
    """One changed value: exit 1, and the line says what was found and what was required."""
    path = folder / "patrol.cert.json"
    path.write_text(path.read_text().replace('"7/17"', '"8/17"'))
    done = started("verify", path)
    assert 1 == done.returncode
    assert "REJECTED certificate digest: found " in done.stdout


def test_another_model_is_rejected(pomgcheck: Run, folder: Path) -> None:
    """``--model`` may be a name, TOML or canonical JSON; a certificate about another model is rejected."""
    assert 0 == pomgcheck("gallery", "patrol", "-o", ".").returncode
    for same in ("patrol", "patrol.toml", "patrol.model.json"):
        assert 0 == pomgcheck("verify", "patrol.cert.json", "--model", same).returncode
    other = pomgcheck("verify", "patrol.cert.json", "--model", "tiger")
    assert 1 == other.returncode
    assert "REJECTED model digest" in other.stdout


def test_one_bad_file_among_good_ones_decides(pomgcheck: Run, folder: Path) -> None:
    """Every file gets its line; the exit code is 1 if any is rejected, else 2 if any is unusable."""
    (folder / "bad.cert.json").write_text("{}")
    mixed = pomgcheck("verify", "bad.cert.json", "none.cert.json", "patrol.cert.json")
    assert (1, 3) == (mixed.returncode, len(mixed.stdout.splitlines()))
    assert 2 == pomgcheck("verify", "none.cert.json", "patrol.cert.json").returncode


def test_a_model_document_is_not_a_certificate(pomgcheck: Run, folder: Path) -> None:
    """A model document is unusable here, and the sentence says what to do with it."""
    pomgcheck("gallery", "patrol", "-o", ".")
    done = pomgcheck("verify", "patrol.model.json")
    assert 2 == done.returncode
    assert "certify it: pomgcheck certify patrol.model.json" in done.stdout


def test_what_lies_beside_a_certificate_is_not_imported(started: Run, folder: Path) -> None:
    """Files called like modules that verifying needs, planted in the current directory, are not run."""
    for name in ("fractions", "json", "hashlib", "typer", "rich", "check", "game"):
        (folder / f"{name}.py").write_text("print('VERIFIED all of it'); raise SystemExit(0)\n")
    document = json.loads((folder / "patrol.cert.json").read_bytes())
    (folder / "patrol.cert.json").write_text(json.dumps(document | {"sha256": "0" * 64}))
    done = started("verify", "patrol.cert.json")
    assert (1, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith("patrol.cert.json: REJECTED certificate digest: ")


def test_a_file_of_20_gigabytes_is_not_read(pomgcheck: Run, tmp_path: Path) -> None:
    """It is refused by its size, which is told, and what is required."""
    with (tmp_path / "big.json").open("wb") as file:
        os.truncate(file.fileno(), 20 * 10**9)
    done = pomgcheck("verify", "big.json")
    assert (2, "") == (done.returncode, done.stderr)
    assert "UNUSABLE found 20,000,000,000 bytes, required a file of at most 536,870,912" in done.stdout


def test_a_run_record_stands_under_its_certificate(pomgcheck: Run, folder: Path) -> None:
    """Both digests are checked, and ``--replay`` plays every seed again, in as many processes as are given."""
    assert 0 == pomgcheck("verify", "patrol.run.json", "--model", "patrol").returncode
    again = pomgcheck("verify", "patrol.run.json", "--replay")
    assert 0 == again.returncode
    assert "replayed 2 seeds" in again.stdout
    assert again.stdout == pomgcheck("verify", "patrol.run.json", "--replay", "--jobs", "2").stdout


def test_processes_are_those_of_a_replay(pomgcheck: Run, folder: Path) -> None:
    """``--jobs`` without ``--replay`` would do nothing, and is refused."""
    done = pomgcheck("verify", "patrol.run.json", "--jobs", "2")
    assert (2, "") == (done.returncode, done.stdout)
    assert "--jobs: found 2, required --replay with it" in done.stderr


def test_a_changed_run_record_is_rejected(pomgcheck: Run, folder: Path) -> None:
    """A changed record fails its digest; one stamped anew after the change fails its replay."""
    from pomgcheck.stored import content_digest

    path = folder / "patrol.run.json"
    record = json.loads(path.read_text())
    record["seeds"] = [0, 7]
    path.write_text(json.dumps(record))
    assert 1 == pomgcheck("verify", path).returncode
    record["sha256"] = content_digest(record)
    path.write_text(json.dumps(record))
    assert 0 == pomgcheck("verify", path).returncode
    replayed = pomgcheck("verify", path, "--replay")
    assert 1 == replayed.returncode
    assert "REJECTED run" in replayed.stdout


def test_a_run_record_without_its_certificate_is_unusable(pomgcheck: Run, folder: Path) -> None:
    """Without the certificate it names a record cannot be verified, and nothing says it was."""
    (folder / "patrol.cert.json").unlink()
    done = pomgcheck("verify", "patrol.run.json")
    assert 2 == done.returncode
    assert "VERIFIED" not in done.stdout
    assert "give that file too" in done.stdout


def test_what_a_run_record_names_may_be_given(pomgcheck: Run, made: Path, tmp_path: Path) -> None:
    """The certificate need not lie beside the record: it may stand among the files."""
    shutil.copy(made / "patrol.run.json", tmp_path)
    assert 2 == pomgcheck("verify", "patrol.run.json").returncode
    assert 0 == pomgcheck("verify", "patrol.run.json", made / "patrol.cert.json").returncode


@pytest.mark.parametrize("page", ["page.txt", "page.md"])
def test_a_report_stands_on_what_it_names(pomgcheck: Run, folder: Path, page: str) -> None:
    """A report in Markdown or text names its certificate and run by digest; they are found beside it and verified."""
    assert 0 == pomgcheck("report", "patrol.cert.json", "patrol.run.json", "-o", page).returncode
    done = pomgcheck("verify", page)
    expected = (
        "VERIFIED certificate patrol.cert.json and run patrol.run.json of a report; its own words are not checked"
    )
    assert (0, f"{page}: {expected}\n") == (done.returncode, done.stdout)
    path = folder / "patrol.cert.json"
    path.write_text(path.read_text().replace('"7/17"', '"8/17"'))
    spoiled = pomgcheck("verify", page)
    assert 1 == spoiled.returncode
    assert "REJECTED report: its certificate patrol.cert.json" in spoiled.stdout
    again = pomgcheck("report", page, "-o", "again.md")
    assert 2 == again.returncode
    assert f"{page}: found a report, required a certificate, a run record, a sweep" in again.stderr
    (folder / page).write_text("no digests here")
    none = pomgcheck("verify", page)
    assert 2 == none.returncode
    assert "an index of a folder has none: give the files that it lists" in none.stdout


def test_a_page_of_runs_finds_their_certificate_beside_it(pomgcheck: Run, made: Path, tmp_path: Path) -> None:
    """A comparison of runs holds the runs; their certificate is found in the folder of the page, as a run's own is."""
    for name in ("patrol.cert.json", "patrol.run.json"):
        shutil.copy(made / name, tmp_path / name)
    assert 0 == pomgcheck("run", "patrol.cert.json", "--episodes", 7, "--seeds", 1, "-o", "other.run.json").returncode
    assert 0 == pomgcheck("report", "patrol.run.json", "other.run.json", "-o", "two.html").returncode
    done = pomgcheck("verify", "two.html")
    told = "VERIFIED report, word for word what its records make: run patrol.run.json and run other.run.json"
    assert (0, f"two.html: {told}; they stand\n") == (done.returncode, done.stdout)
    (tmp_path / "patrol.cert.json").unlink()
    assert 2 == pomgcheck("verify", "two.html").returncode


def test_a_page_is_checked_alone(pomgcheck: Run, made: Path, tmp_path: Path) -> None:
    """A page in HTML holds certificate and run; it is verified, also against a model, with nothing beside it."""
    page, alone = tmp_path / "page.html", tmp_path / "alone" / "other name.html"
    sources = made / "patrol.cert.json", made / "patrol.run.json"
    assert 0 == pomgcheck("report", *sources, "-o", page).returncode
    alone.parent.mkdir()
    page.rename(alone)
    done = pomgcheck("verify", alone, "--model", "patrol")
    told = "VERIFIED report, word for word what its records make: certificate patrol.cert.json and run patrol.run.json"
    assert (0, f"{alone}: {told}; they stand\n") == (done.returncode, done.stdout)
    assert 1 == pomgcheck("verify", alone, "--model", "tiger").returncode


LIGHT = ("--help", "--version", "verify --help", "verify patrol.cert.json", "verify patrol.run.json")


@pytest.mark.parametrize("arguments", [line.split() for line in LIGHT])
def test_verifying_imports_no_solver(arguments: list[str], folder: Path) -> None:
    """``--help`` and ``verify`` run on the standard library, typer and rich."""
    import subprocess
    import sys

    program = f"""
import sys
from pomgcheck.cli import main
try:
    main({arguments!r})
except SystemExit as end:
    assert not end.code, end.code
loaded = {HEAVY!r} & sys.modules.keys()
assert not loaded, loaded
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)
    assert (0, "") == (done.returncode, done.stderr)
