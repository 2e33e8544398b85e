"""Every way a command can end, by its exit code and what it prints where."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pomgcheck.cli.ending import told
from pomgcheck.errors import GaveUp
from tests.cli.conftest import Run


def test_certified_is_zero(started: Run, tmp_path: Path) -> None:
    """A class whose claims all hold ends with 0, and its certificate is NAME.cert.json."""
    done = started("certify", "patrol")
    assert (0, "") == (done.returncode, done.stderr)
    assert "patrol: certified (16 proved)." in done.stdout
    assert ["patrol.cert.json"] == [path.name for path in tmp_path.iterdir()]


def test_refuted_is_one(started: Run, tmp_path: Path) -> None:
    """A refuted class ends with 1; its certificate is written, and the counterexample and its repair are printed."""
    done = started("certify", "outside-truth", "-o", "x.json")
    assert (1, "") == (done.returncode, done.stderr)
    assert "outside-truth: not certified (13 proved, 1 refuted, 2 vacuous)." in done.stdout
    assert "What would repair it." in done.stdout
    assert (tmp_path / "x.json").is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["certify", "patrl"], 'did you mean "patrol"?'),
        (["certify", "none.toml"], "none.toml: found No such file or directory"),
        (["certify", "patrol", "--tol", "small"], "--tol: found 'small', required an exact number"),
        (["certify", "patrol", "--tol", "0"], "tol"),
        (["certify", "patrol", "--delta", "1"], "--delta: found 1, required a probability between 0 and 1"),
        (
            ["certify", "patrol", "--only", "2.4"],
            "--only: found '2.4', required the id of a claim; that of 2.4 is called",
        ),
        (["sweep", "patrol", "--vary", "noise=0:1:2", "--only", "2.6"], "called eluder-world or eluder-adversary"),
        (["certify", "patrol", "--only", "alpha"], "--only: found 'alpha', required one of factorization, "),
        (["certify", "patrol", "--limits", "cells=3"], "--limits: found 'cells=3', required NAME=COUNT"),
        (["certify", "patrol", "-o", "no/where.json"], "--output: found no folder no, required a folder that exists"),
        (["certify", "patrol", "--space", "history", "--limits", "coordinates=9"], "use the space"),
        (["certify", "model.py"], "name the function that returns the model, model.py:FUNCTION"),
        (["explain", "none.json"], "none.json: found No such file or directory"),
        (["report", "none.json", "-o", "x.html"], "none.json: found No such file or directory"),
        (["sweep", "patrol", "--vary", "noise=0:1:1"], "--vary noise: found 1 as the number of points"),
        (["gallery", "patrl"], "found 'patrl', required one of bilinear, digits"),
    ],
)
def test_unusable_input_is_two(pomgcheck: Run, tmp_path: Path, arguments: list[str], sentence: str) -> None:
    """Input that cannot be used ends with 2 and one line on stderr; nothing is printed or written."""
    done = pomgcheck(*arguments)
    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert sentence in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_what_is_no_file_is_not_replaced(pomgcheck: Run, tmp_path: Path) -> None:
    """A file written whole would take the place of a pipe or a device (for root, of /dev/null): refused, left alone."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    done = pomgcheck("certify", "patrol", "-o", "pipe")
    assert (2, "") == (done.returncode, done.stdout)
    assert "--output: found pipe, which is not an ordinary file, required a file to write" in done.stderr
    assert pipe.is_fifo()


def test_usage_errors_are_two(pomgcheck: Run) -> None:
    """An unknown option, a missing argument and an impossible choice end with 2, and say which."""
    for arguments, word in (
        (["certify"], "MODEL"),
        (["certify", "patrol", "--kapa", "2"], "--kapa"),
        (["certify", "patrol", "--space", "both"], "both"),
        (["prove"], "prove"),
    ):
        done = pomgcheck(*arguments)
        assert 2 == done.returncode
        assert word in done.stdout + done.stderr


def test_giving_up_is_three(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A question left undecided ends with 3: neither a pass nor a refutation."""
    assert 3 == code_of(GaveUp("worlds", "no proof in the budget", "a decision"), monkeypatch)
    assert "found no proof in the budget" in capsys.readouterr().err


def test_errors_of_our_own_are_four(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """An exception nobody foresaw ends with 4 and one sentence with its type; the traceback waits for the variable."""
    monkeypatch.delenv("POMGCHECK_DEBUG", raising=False)
    assert 4 == code_of(ZeroDivisionError("oops"), monkeypatch)
    first = capsys.readouterr()
    assert "internal error (ZeroDivisionError: oops); please report it" in first.err
    assert ("", 1) == (first.out, first.err.count("\n"))
    monkeypatch.setenv("POMGCHECK_DEBUG", "1")
    assert 4 == code_of(ZeroDivisionError("oops"), monkeypatch)
    assert "Traceback" in capsys.readouterr().err


def test_interrupting_writes_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ctrl-C ends with 130, as shells expect, and leaves no file behind."""
    monkeypatch.chdir(tmp_path)
    assert 130 == code_of(KeyboardInterrupt(), monkeypatch)
    assert [] == list(tmp_path.iterdir())


def code_of(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of ``certify patrol`` if the search raises ``error``."""
    from pomgcheck.cli import main
    from pomgcheck.search import certify

    def search(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(certify, "certify", search)
    with pytest.raises(SystemExit) as end:
        main(["certify", "patrol"])
    return int(end.value.code or 0)


def test_a_closed_pipe_is_quiet(made: Path) -> None:
    """``pomgcheck … | head -1`` prints no traceback."""
    import subprocess
    import sys

    words = [sys.executable, "-m", "pomgcheck", "explain", str(made / "patrol.cert.json")]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert "" == process.stderr.read()
    assert 141 == process.wait()


def test_json_is_alone_on_stdout(started: Run) -> None:
    """With ``--json`` stdout is one JSON document: exact values, verdicts, the path and both digests."""
    done = started("certify", "patrol", "--json")
    facts = json.loads(done.stdout)
    assert (0, "") == (done.returncode, done.stderr)
    assert ["claims", "model", "model_sha256", "path", "sha256", "summary", "values"] == sorted(facts)
    assert ("7/17", "2444/4947") == (facts["values"]["alpha_lower"], facts["values"]["L_upper"])
    assert (True, "patrol.cert.json", 64) == (facts["summary"]["certified"], facts["path"], len(facts["sha256"]))


def test_want_of_memory_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """A class too large for the machine is unusable input, not an error of the program."""
    assert 2 == told(MemoryError())
    assert "use a smaller class, or ask for less" in capsys.readouterr().err
