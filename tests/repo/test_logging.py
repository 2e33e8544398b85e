"""The log of the library: one name, nothing on the terminal unless it is asked for."""

from __future__ import annotations

import logging
import subprocess
import sys
from pathlib import Path

import pytest

import pomgcheck
from pomgcheck.modelclass.document import load
from tests.learner.classes import watch
from tests.repo.source import ROOT


def test_what_is_done_is_logged_under_one_name(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each claim and the whole of a certificate, each seed of a run, each point of a sweep."""
    with caplog.at_level(logging.INFO, logger="pomgcheck"):
        certificate = pomgcheck.certify(load(watch()))
        pomgcheck.run(certificate.save(tmp_path / "watch.cert.json"), episodes=4, seeds=2)
        pomgcheck.sweep("patrol", {"noise": ("1/20", "3/20", 2)}, only=["weak-revealing"])
    assert {"pomgcheck"} == {record.name for record in caplog.records}
    lines = [record.getMessage() for record in caplog.records]
    assert "certify watch: 16 claims to search, 0 settled before" == lines[0]
    for said in (
        "certify watch: weak-revealing proved, ",
        f"certify watch: certified, sha256 {certificate.sha256}",
        "run watch: epoch-omle, 4 episodes, 2 seeds",
        "run: epoch-omle seed 1 finished, 2 of 2",
        "sweep patrol: 2 of 2 points",
    ):
        assert any(line.startswith(said) for line in lines), said


def test_nothing_is_printed_unless_it_is_asked_for() -> None:
    """A program that sets up no logging sees nothing on either stream."""
    program = "import pomgcheck; pomgcheck.certify('patrol', only=['covering'])"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert ("", "") == (done.stdout, done.stderr)
