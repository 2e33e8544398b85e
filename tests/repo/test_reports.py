"""The kept reports, and those of which a digest is kept, are what today's code makes of the kept certificates and records."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pomgcheck.experiments.record import ExperimentRecord
from pomgcheck.experiments.replay import verify_experiment
from pomgcheck.experiments.run import experiment, stamp
from pomgcheck.learner.replay import verify_run
from pomgcheck.reporting import report
from reports.regenerate import (
    CERTIFICATES,
    DIGESTS,
    EXPERIMENTS,
    FOLDER,
    REPORTS,
    STAMP,
    digest_of,
    others,
    sources,
    typeset,
)

RUNS = [name for name, (_, options) in REPORTS.items() if options is not None]


@pytest.mark.parametrize("name", [*REPORTS, *EXPERIMENTS])
def test_made_again_a_report_says_the_same(name: str, tmp_path: Path) -> None:
    """Its Markdown and its LaTeX are equal to the letter, and so is its page but for the drawings, which may differ by
    the plotting library's version."""
    for suffix in (".md", ".html"):
        made = report(sources(name), tmp_path / f"{Path(name).name}{suffix}")
        kept = (FOLDER / f"{name}{suffix}").read_text(encoding="utf-8")
        assert undrawn(kept) == undrawn(made.read_text(encoding="utf-8"))
    for file, text in typeset(name).items():
        assert (FOLDER / name).with_name(file).read_text(encoding="utf-8") == text, file


@pytest.mark.parametrize("name", others())
def test_no_sentence_of_a_report_changes_unseen(name: str) -> None:
    """The report of each certificate of the gallery, in Markdown, has the digest that is kept."""
    assert json.loads(DIGESTS.read_bytes())[name] == digest_of(others()[name])


def undrawn(page: str) -> str:
    """A page without the SVG of its plots."""
    return re.sub(r'<div role="img".*?</div>', "", page, flags=re.DOTALL)


@pytest.mark.parametrize("name", RUNS)
def test_each_run_record_stands_under_its_certificate(name: str) -> None:
    """Its digests are its own and its certificate's."""
    stem = REPORTS[name][0]
    assert verify_run(FOLDER / f"{name}.json", CERTIFICATES / f"{stem}.cert.json").accepted


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_each_experiment_stands_under_its_certificate(name: str) -> None:
    """Its digests are its own and its certificate's, and no figure of the paper lies outside its spread."""
    record = ExperimentRecord.load(FOLDER / f"{name}.json")
    assert verify_experiment(record, STAMP.with_name(record.document["certificate"]["file"]), replay=False)[0]
    assert False not in [row["within"] for row in record.document["table"]]


def test_experiments_are_of_today(tmp_path: Path) -> None:
    """Without its spread the first experiment, run again under the stamp made again, gives the kept figures."""
    again = experiment("necessity", stamp(tmp_path / STAMP.name), groups=0).document
    kept = ExperimentRecord.load(FOLDER / "experiments" / "necessity.experiment.json").document
    assert kept["certificate"] == again["certificate"]
    assert [row["ours"] for row in kept["table"]] == [row["ours"] for row in again["table"]]
    assert kept["figures"] == again["figures"]
