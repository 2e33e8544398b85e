"""The kept reports are what today's code makes of the kept certificates and run records."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomgcheck.learner.replay import verify_run
from pomgcheck.reporting import report
from reports.regenerate import CERTIFICATES, FOLDER, REPORTS, sources

RUNS = [name for name, (_, options) in REPORTS.items() if options is not None]


@pytest.mark.parametrize("name", REPORTS)
def test_made_again_a_report_says_the_same(name: str, tmp_path: Path) -> None:
    """Its Markdown is equal to the letter; pictures may differ by the plotting library's version."""
    made = report(sources(name), tmp_path / f"{name}.md")
    assert (FOLDER / f"{name}.md").read_text(encoding="utf-8") == made.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", RUNS)
def test_each_run_record_stands_under_its_certificate(name: str) -> None:
    """Its digests are its own and its certificate's."""
    stem = REPORTS[name][0]
    assert verify_run(FOLDER / f"{name}.json", CERTIFICATES / f"{stem}.cert.json").accepted
