"""The index of a folder: what it lists, what it passes over, and why."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from pomgcheck import reporting
from pomgcheck.cli import main
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.reporting import index, report
from tests.reporting import sweep_samples

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two certificates, a run, a sweep, an experiment, a model and four files of other kinds."""
    found = tmp_path / "mine"
    (found / "runs").mkdir(parents=True)
    for name in ("patrol.cert.json", "silent-action.cert.json", "patrol.model.json"):
        shutil.copy(ROOT / "certificates" / name, found)
    shutil.copy(ROOT / "reports" / "tiger.rivals.run.json", found / "runs")
    shutil.copy(ROOT / "reports" / "experiments" / "necessity.experiment.json", found)
    (found / "x.sweep.json").write_bytes(canonical_bytes(sweep_samples.two_knobs()))
    (found / "package.json").write_text('{"name": "else"}')
    (found / "broken.json").write_text("{")
    (found / "other.json").write_text('{"format": "other/1"}')
    altered = json.loads((found / "patrol.cert.json").read_bytes())
    altered["model"]["name"] = "petrol"
    (found / "altered.cert.json").write_bytes(canonical_bytes(altered))
    return found


def test_every_record_has_a_row(folder: Path, tmp_path: Path) -> None:
    """Certificates with verdict and what is not proved, runs with regret, sweeps and experiments; below folders too."""
    page = report(folder, tmp_path / "index.md").read_text(encoding="utf-8")
    assert page.lstrip().startswith("# mine: index")
    rows = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    assert [
        "necessity.experiment.json",
        "patrol.cert.json",
        "runs/tiger.rivals.run.json",
        "silent-action.cert.json",
        "x.sweep.json",
    ] == sorted(rows)
    assert "16 of 16 proved" in rows["patrol.cert.json"]
    assert "weak-revealing refuted" in rows["silent-action.cert.json"]
    assert "not certified" in rows["silent-action.cert.json"]
    assert "`uniform`" in rows["runs/tiger.rivals.run.json"]
    assert "1 model document is not listed." in page


def test_a_row_leads_to_its_page(folder: Path, tmp_path: Path) -> None:
    """Where a page of its digest lies beside the file; a page of another certificate is no page of it."""
    report(folder / "patrol.cert.json", folder / "patrol.html")
    report(folder / "patrol.cert.json", folder / "silent-action.html")
    page = report(folder, tmp_path / "index.html").read_text(encoding="utf-8")
    assert ["mine/patrol.html"] == re.findall(r'<a href="([^"#]+html)"><code>', page)
    assert '<a href="mine/patrol.html"><code>patrol.cert.json</code></a>' in page
    words = report(folder, folder / "index.md").read_text(encoding="utf-8")
    assert "[`patrol.cert.json`](patrol.html)" in words


def test_missing_pages_are_written_and_no_other_file(folder: Path, tmp_path: Path) -> None:
    """A page that is missing or of another certificate is made; a file that is no report stays."""
    report(folder / "patrol.cert.json", folder / "silent-action.html")
    (folder / "x.sweep.html").write_text("mine")
    index(folder, folder / "index.html", pages_too=True)
    page = (folder / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a href="([^"#]+html)"><code>', page)
    rows = ["necessity.experiment.html", "patrol.html", "runs/tiger.rivals.run.html", "silent-action.html"]
    assert rows == sorted(links)
    assert "mine" == (folder / "x.sweep.html").read_text()
    digests = [
        json.loads((folder / f"{name}.cert.json").read_bytes())["sha256"] for name in ("patrol", "silent-action")
    ]
    for link, sha256 in zip(("patrol.html", "silent-action.html"), digests, strict=True):
        assert sha256 == reporting.digests_in((folder / link).read_text(encoding="utf-8"))["certificate"]


def test_pages_are_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence where it is none."""
    with pytest.raises(SystemExit) as ended:
        main(["report", str(ROOT / "certificates" / "patrol.cert.json"), "--pages", "-o", str(tmp_path / "x.html")])
    assert 2 == ended.value.code
    assert ", which is not a folder, required a folder" in capsys.readouterr().err


def test_what_is_passed_over_is_named(folder: Path, tmp_path: Path) -> None:
    """Foreign JSON, JSON that is none, and a certificate that was altered: each with its reason, on the page too."""
    skipped = dict(index(folder, tmp_path / "index.html"))
    assert "JSON of no format of pomgcheck" == skipped.pop("package.json")
    assert "JSON of the format 'other/1'" == skipped.pop("other.json")
    assert skipped.pop("broken.json").startswith("text that is not JSON")
    assert "digest" in skipped.pop("altered.cert.json")
    assert {} == skipped
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert 'data-filters="Kind|Class|Verdict|Claims not proved"' in page
    for name in ("package.json", "other.json", "broken.json", "altered.cert.json"):
        assert name in page


def test_the_command_says_what_it_passed_over(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line each, exit code 0."""
    with pytest.raises(SystemExit) as ended:
        main(["report", str(folder), "-o", str(tmp_path / "index.html")])
    assert not ended.value.code
    lines = capsys.readouterr().out.splitlines()
    assert f"Index: {tmp_path / 'index.html'}" == lines[0]
    assert 4 == sum(line.startswith("Passed over: ") for line in lines[1:]) == len(lines) - 1


def test_a_folder_without_records_is_a_sentence(tmp_path: Path) -> None:
    """Nothing is written; nor for a suffix that is no form of a report, nor for too many files."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="found 0 JSON files, none of which can be reported, required a folder with"):
        report(tmp_path / "empty", tmp_path / "index.html")
    with pytest.raises(InputError, match="found the suffix '.docx'"):
        report(tmp_path / "empty", tmp_path / "index.docx")
    assert ["empty"] == [path.name for path in tmp_path.iterdir()]


def test_too_many_files_are_refused_before_they_are_read(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is stated with the count."""
    monkeypatch.setattr(reporting, "MOST_FILES", 3)
    with pytest.raises(LimitExceeded, match="found 4 or more JSON files, required at most 3"):
        index(folder, tmp_path / "index.html")
