"""``pomgcheck experiment``, and what the other commands make of its files."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.cli.conftest import Run
from tests.repo.source import ROOT


def test_an_experiment_is_told_written_and_verified(pomgcheck: Run, tmp_path: Path) -> None:
    """The paper's figures beside ours; certificate, record, pages and pictures; all of it verifies and replays."""
    done = pomgcheck("experiment", "necessity", "-o", "out", "--groups", 2, COLUMNS="124")
    assert (0, "") == (done.returncode, done.stderr)
    told = " ".join(done.stdout.split())
    for words in (
        "Experiment 1: the termination test is necessary: 20 seeds, 2 groups for the spread",
        "largest and smallest over T .250 0.25 0.25 (0) yes",
        "at T = 2^15 .100 0.09993",
        "pomgcheck verify out/necessity.experiment.json --replay",
    ):
        assert words in told
    stem = "necessity.experiment"
    names = [f"{stem}.{end}" for end in ("html", "json", "md", "regret.png", "regret.svg")]
    assert ["bandit.cert.json", *names] == sorted(file.name for file in (tmp_path / "out").iterdir())
    verified = pomgcheck("verify", f"out/{stem}.json", f"out/{stem}.html", "--replay")
    lines = verified.stdout.splitlines()
    assert (0, "", 2) == (verified.returncode, verified.stderr, len(lines))
    assert lines[0].endswith(" replayed")
    assert lines[1].endswith(
        "VERIFIED report, word for word what its records make: certificate bandit.cert.json and experiment "
        "necessity.experiment.json; they stand"
    )


def test_a_spoilt_record_is_rejected(pomgcheck: Run, tmp_path: Path) -> None:
    """A figure improved afterwards does not fit the digest, and no report is made of it."""
    for name in ("bandit.cert.json", "necessity.experiment.json"):
        shutil.copy(ROOT / "reports" / "experiments" / name, tmp_path)
    path = tmp_path / "necessity.experiment.json"
    assert 0 == pomgcheck("verify", path.name).returncode
    path.write_text(path.read_text().replace('"0.25"', '"0.24"', 1))
    spoilt = pomgcheck("verify", path.name)
    assert (1, True) == (spoilt.returncode, "REJECTED experiment sha256: found" in spoilt.stdout)
    refused = pomgcheck("report", path.name, "-o", "y.html")
    assert (2, False) == (refused.returncode, (tmp_path / "y.html").exists())


def test_what_cannot_be_run_is_told(pomgcheck: Run, tmp_path: Path) -> None:
    """Another name, or a file where the folder should be: one sentence, exit 2, nothing written."""
    other = pomgcheck("experiment", "nothing")
    assert (2, True) == (other.returncode, "required one of necessity, scaling, digits, games, all" in other.stderr)
    assert [] == list(tmp_path.iterdir())
    (tmp_path / "taken").write_text("")
    taken = pomgcheck("experiment", "necessity", "-o", "taken")
    assert (2, True) == (taken.returncode, "a folder that exists" in taken.stderr or "a folder" in taken.stderr)
