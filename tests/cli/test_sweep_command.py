"""``pomgcheck sweep``, and what the other commands make of its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.cli import main
from tests.cli.conftest import Run

GRID = ("--vary", "noise=1/4:1/2:2", "--vary", "deterrence=1:3:2")
ALPHA = ("--only", "weak-revealing")


def test_a_sweep_is_told_written_and_continued(pomgcheck: Run, tmp_path: Path) -> None:
    """Counts with their reasons, ranges, the file and the next commands; typed again it does nothing anew."""
    done = pomgcheck("sweep", "patrol", *GRID, "--jobs", 2, COLUMNS="124")
    assert (0, "") == (done.returncode, done.stderr)
    told = " ".join(done.stdout.split())  # columns move with what is in them
    for words in (
        "✓ certified 1 –",
        "✗ refuted 1 weak-revealing, kl-joint, kl-world noise = 1/2",
        "– unusable 2 ",
        "patrol: 4 points (1 certified, 1 refuted, 2 unusable).",
        "α_κ 0.333333 noise = 1/4, deterrence = 1",
        "pomgcheck report patrol.sweep.json -o patrol.sweep.html",
    ):
        assert words in told
    path = tmp_path / "patrol.sweep.json"
    stamp = path.read_bytes()
    again = pomgcheck("sweep", "patrol", *GRID, COLUMNS="124")
    assert (done.stdout, stamp) == (again.stdout, path.read_bytes())
    assert ["patrol.sweep.json"] == [file.name for file in tmp_path.iterdir()]


def test_its_report_and_its_file_verify(pomgcheck: Run, tmp_path: Path) -> None:
    """``report`` makes a page, ``verify`` checks file and page, ``--replay`` certifies again, ``--model`` compares."""
    assert 0 == pomgcheck("sweep", "patrol", *GRID, *ALPHA, "-o", "x.sweep.json").returncode
    assert "Report: x.html\n" == pomgcheck("report", "x.sweep.json", "-o", "x.html").stdout
    done = pomgcheck("verify", "x.sweep.json", "x.html", "--replay", "--model", "patrol")
    lines = done.stdout.splitlines()
    assert (0, "", 2) == (done.returncode, done.stderr, len(lines))
    assert lines[0].endswith(" 4 of 4 points, replayed")
    assert "x.html: VERIFIED report, word for word what its records make: sweep x.sweep.json; it stands" == lines[1]
    other = pomgcheck("verify", "x.sweep.json", "--model", "tiger")
    assert (1, True) == (other.returncode, "REJECTED sweep model_sha256: found 0c42" in other.stdout)
    path = tmp_path / "x.sweep.json"
    path.write_text(path.read_text().replace('"1/3"', '"2/3"'))
    spoilt = pomgcheck("verify", "x.sweep.json")
    assert (1, True) == (spoilt.returncode, "REJECTED sweep sha256: found" in spoilt.stdout)
    assert 2 == pomgcheck("report", "x.sweep.json", "-o", "y.html").returncode
    assert not (tmp_path / "y.html").exists()


def test_json_is_alone_on_stdout(pomgcheck: Run, tmp_path: Path) -> None:
    """Counts, exact ranges with their places, and every point; certificates lie where they were asked for."""
    done = pomgcheck("sweep", "patrol", *GRID, *ALPHA, "--json", "--certificates", "kept")
    facts = json.loads(done.stdout)
    assert (0, "") == (done.returncode, done.stderr)
    assert {"certified": 1, "refuted": 1, "unusable": 2} == facts["counts"]
    here = {"value": "1/3", "at": {"noise": "1/4", "deterrence": "1"}}
    assert {"alpha_lower": {"least": here, "most": here}} == facts["ranges"]
    digests = [point["sha256"][:16] for point in facts["points"] if point["sha256"]]
    assert sorted(f"{sha256}.cert.json" for sha256 in digests) == sorted(f.name for f in (tmp_path / "kept").iterdir())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["patrol"],
            "--vary: found nothing to vary, required NAME=lo:hi:n with NAME one of noise (now 3/20), "
            "deterrence (now 1)",
        ),
        (
            ["tiger", "--vary", "x=0:1:2"],
            "--vary: found a model without knobs, required one that holds a table "
            '[knobs]; declare one, as in [knobs] noise = "3/20", and use it in the entries',
        ),
        (["patrol", "--vary", "nois=0:1:2"], '--vary: found the unknown knob "nois", required one of noise (now 3/20)'),
        (["patrol", "--vary", "noise=0:1"], "--vary: found 'noise=0:1', required NAME=lo:hi:n such as noise="),
        (["patrol", "--vary", "noise=0:x:2"], "--vary: found 'x', required an exact number such as"),
        (
            ["patrol", "--vary", "noise=0:1:1"],
            "--vary noise: found 1 as the number of points, required an integer of at least 2",
        ),
        (["patrol", "--vary", "noise=0:1:2", "--vary", "noise=0:1:3"], "--vary: found one knob twice, required each"),
        (["patrol", "--vary", "noise=0:1:2", "--kappa", "0"], "--kappa: found 0"),
        (["patrol", "--vary", "noise=0:1:2", "-o", "no/x.json"], "--output: found no folder no"),
    ],
)
def test_unusable_input_is_two(
    arguments: list[str],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line on stderr; nothing is printed or written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["sweep", *arguments])
    out, err = capsys.readouterr()
    assert (2, "", 1) == (end.value.code, out, err.count("\n"))
    assert sentence in err
    assert [] == list(tmp_path.iterdir())


def test_the_file_of_another_sweep_is_two(pomgcheck: Run, tmp_path: Path) -> None:
    """Options other than the file's are refused with what differs, and the file stays as it is."""
    assert 0 == pomgcheck("sweep", "patrol", "--vary", "noise=1/4:1/2:2", *ALPHA).returncode
    before = (tmp_path / "patrol.sweep.json").read_bytes()
    done = pomgcheck("sweep", "patrol", "--vary", "noise=1/4:1/2:2", *ALPHA, "--kappa", 2)
    assert (2, "") == (done.returncode, done.stdout)
    assert "patrol.sweep.json: options: found a sweep with kappa = 1, required kappa = 2; continue it" in done.stderr
    assert before == (tmp_path / "patrol.sweep.json").read_bytes()


def test_giving_up_on_a_point_is_three(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A point that stays open ends the command with 3; it is neither certified nor refuted."""
    from pomgcheck.errors import GaveUp
    from pomgcheck.search import sweep as module

    def gives_up(*_: object, **__: object) -> None:
        raise GaveUp("worlds", "no proof in the budget", "a decision")

    monkeypatch.setattr(module, "certify", gives_up)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["sweep", "patrol", "--vary", "noise=1/4:1/2:2"])
    assert 3 == end.value.code
    assert "patrol: 2 points (2 unknown)." in capsys.readouterr().out


def test_interrupting_says_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C ends with 130, keeps what is done, and says that the same command continues."""
    from pomgcheck.search import sweep as module

    whole = module.certify

    def second_interrupts(model: Any, *given: Any, **options: Any) -> Any:
        if "1/2" in str(getattr(model, "knobs", "")):
            raise KeyboardInterrupt
        return whole(model, *given, **options)

    monkeypatch.setattr(module, "certify", second_interrupts)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as end:
        main(["sweep", "patrol", "--vary", "noise=1/4:1/2:2", *ALPHA])
    assert 130 == end.value.code
    assert "interrupted; patrol.sweep.json keeps what is done, and the same command continues it" in (
        capsys.readouterr().err
    )
    assert 1 == len(json.loads((tmp_path / "patrol.sweep.json").read_text())["points"])
