"""The report of a run: its table, its drawings, its certificate."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pomgcheck.learner.record import OverSeeds, RecordedRun
from pomgcheck.reporting import digests_in, report
from pomgcheck.reporting.blocks import Listing
from pomgcheck.reporting.drawings import figures
from pomgcheck.reporting.pages import run_epochs, runs
from pomgcheck.reporting.render import html, text
from tests.reporting import samples

RECORD = RecordedRun.of(samples.run_record())
FIRST = RECORD.runs[0].seeds[0].epochs or ()
DRAWINGS = {
    "regret": lambda: figures.regret(RECORD),
    "per episode": lambda: figures.regret(RECORD, per_episode=True),
    "epochs": lambda: figures.epochs_started(RECORD),
    "timeline": lambda: figures.timeline(RECORD, FIRST),
    "confidence sets": lambda: figures.confidence_sets(RECORD, {"epoch-omle": FIRST}),
}


@cache
def drawing(name: str) -> str:
    """One drawing of the record, drawn once."""
    return DRAWINGS[name]().svg


@cache
def page() -> str:
    """The record's HTML page, made once."""
    return html.page(runs.document(RECORD))


def test_results_table() -> None:
    """Each algorithm has its means with two standard errors, its slope and its guarantee."""
    table = runs.results_table(RECORD)
    assert [
        "epoch-omle",
        "2.5 ± 1.0",
        "0.25 ± 0",
        "2.8 ± 1.0",
        "3 ± 0",
        "0.5 ± 1.0",
        "0.797 (t from 1 to 8)",
        "2 of 2 seeds",
        "none (practical constants)",
    ] == [text.plain(cell) for cell in table.rows[0]]


def test_a_summary_names_who_has_a_guarantee() -> None:
    """What was run is told in sentences: regrets in one, then each guarantee, then that others have none."""
    sure, bare = (
        {"algorithm": name, "guarantee": g} for name, g in (("nested", "Theorem N"), ("uniform", "none (uniform play)"))
    )
    one = samples.run_record()["runs"][0]

    def told(*which: dict[str, str]) -> str:
        record = RecordedRun.of(samples.run_record() | {"runs": [one | changed for changed in which]})
        return text.plain(runs.summary(record))

    assert told(sure, bare).endswith("nested has a guarantee: Theorem N. The other has none.")
    assert told(sure).endswith("with nested. nested has a guarantee: Theorem N.")
    assert told(bare).endswith("with uniform. It comes without a guarantee.")
    assert told(bare, bare).endswith("They come without a guarantee.")


def test_one_seed_has_no_spread() -> None:
    """With a single seed the mean stands alone."""
    assert "2.5" == text.plain(runs.spread(OverSeeds("5/2", None)))


def test_epochs_table() -> None:
    """The epochs of the first seed are listed with what they planned with and why they ended."""
    table = run_epochs.epochs(RECORD)[1]
    assert ["2", "idle", "(x=1/20, y=1/10)", "2", "test", "1", "8.2983", "21.566", "∞", "yes", "5", "1"] == [
        text.plain(cell) for cell in table.rows[1]
    ]


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawing_is_deterministic(name: str) -> None:
    """The same record draws the same bytes, with no date and no version of the program that drew it."""
    assert drawing(name) == DRAWINGS[name]().svg
    assert [] == re.findall(r"Matplotlib|<metadata>|\d{4}-\d\d-\d\dT", drawing(name))


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawing_is_xml_with_words(name: str) -> None:
    """A drawing is well-formed, keeps its words as words, and takes the page's ink."""
    svg = drawing(name)
    found = "".join(ElementTree.fromstring(svg).itertext())
    assert "data episodes t" in found
    assert "currentColor" in svg
    assert figures.INK not in svg


def test_curves_are_labelled() -> None:
    """Both algorithms stand in the legend of the regret drawing, and both endings in the timeline's."""
    shown = {name: "".join(ElementTree.fromstring(drawing(name)).itertext()) for name in ("regret", "timeline")}
    assert [True, True] == [name in shown["regret"] for name in ("epoch-omle", "epoch-fixed")]
    assert [True, True, True] == [f"ended by {ending}" in shown["timeline"] for ending in ("cap", "test", "horizon")]


def test_ids_are_apart() -> None:
    """On one page no two drawings share an id, and a reference points inside its own drawing."""
    ids = re.findall(r' id="([^"]+)"', page())
    assert sorted(set(ids)) == sorted(ids)
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', page())) <= set(ids)


def test_page_is_stamped() -> None:
    """A run's report carries the digests of the run, its certificate and its model."""
    assert {"run": RECORD.sha256, "certificate": RECORD.certificate_sha256, "model": RECORD.model_sha256} == digests_in(
        page()
    )


@pytest.mark.parametrize("order", [[samples.patrol(), samples.run_record()], [samples.run_record(), samples.patrol()]])
def test_run_with_its_certificate(order: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run and its certificate, in either order, make one report with the claims in it."""
    monkeypatch.setattr(runs, "drawings", lambda record: [])  # nothing to do with the order
    words = report(order, tmp_path / "both.md").read_text(encoding="utf-8")
    assert words.index("## Regret") < words.index("## The certificate") < words.index("`posterior-lipschitz`")


def test_markdown_draws_beside_itself(tmp_path: Path) -> None:
    """A Markdown report writes the drawings it shows as files beside it, on paper of their own."""
    words = report(samples.run_record(), tmp_path / "watch.md").read_text(encoding="utf-8")
    shown = re.findall(r"\]\(([^)#]+\.svg)\)", words)
    assert [
        "watch.regret.svg",
        "watch.regret-per-episode.svg",
        "watch.epochs.svg",
        "watch.timeline.svg",
        "watch.confidence-sets.svg",
    ] == shown
    for name in shown:
        svg = (tmp_path / name).read_text(encoding="utf-8")
        assert "currentColor" not in svg
        assert "background: #fdfdfb" in svg


def zero(record: dict[str, Any]) -> dict[str, Any]:
    for run in record["runs"]:
        run["summary"]["regret"] = {"mean": ["0"] * 4, "two_se": ["0"] * 4}
        run["summary"]["slope"]["value"] = None
    return record


def test_no_regret_at_all() -> None:
    """A run without regret is drawn and tabulated all the same, its slope left out."""
    record = RecordedRun.of(zero(samples.run_record()))
    assert "<svg" == figures.regret(record).svg[:4]
    assert "–" == text.plain(runs.results_table(record).rows[0][6])


def test_commands_name_both_files() -> None:
    """The commands that re-check a run name its certificate and its record."""
    (listing,) = [part for part in runs.checking(RECORD, "watch.run.json") if isinstance(part, Listing)]
    assert (
        "pomgcheck verify patrol.cert.json watch.run.json",
        "pomgcheck verify patrol.cert.json watch.run.json --replay",
    ) == listing.lines
