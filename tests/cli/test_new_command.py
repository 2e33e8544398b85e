"""``pomgcheck new`` and ``certify --watch``: a document to start from, and certificates as one edits it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pomgcheck.cli import watching as watching_module
from tests.cli.conftest import Run


def test_what_new_writes_is_certified(pomgcheck: Run, tmp_path: Path) -> None:
    """The document has the file's name, a comment on every part, and certifies as it stands."""
    assert 0 == pomgcheck("new", "my lamp.toml").returncode
    text = (tmp_path / "my lamp.toml").read_text()
    assert 'name = "my-lamp"' in text
    assert 10 <= sum(line.startswith("#") for line in text.splitlines())
    done = pomgcheck("certify", "my lamp.toml", "--json")
    assert (0, True) == (done.returncode, json.loads(done.stdout)["summary"]["certified"])


def test_new_overwrites_nothing(pomgcheck: Run, tmp_path: Path) -> None:
    """A file that is there stays as it is, and another suffix is refused; game.toml is the name without one."""
    (tmp_path / "game.toml").write_text("mine")
    for words, said in (((), "found a file game.toml"), (("x.json",), "required a TOML document")):
        done = pomgcheck("new", *words)
        assert (2, True) == (done.returncode, said in done.stderr)
    assert ["game.toml"] == [path.name for path in tmp_path.iterdir()]
    assert "mine" == (tmp_path / "game.toml").read_text()


@pytest.fixture
def watching(pomgcheck: Run, tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A document, and a process that certifies it whenever it is saved."""
    assert 0 == pomgcheck("new", "lamp.toml").returncode
    command = [sys.executable, "-m", "pomgcheck", "certify", "lamp.toml", "--watch"]
    environment = os.environ | {"PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        yield tmp_path / "lamp.toml", process
        process.kill()


def until_waiting(process: subprocess.Popen[str]) -> str:
    """What is printed up to the sentence that the file is watched."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith("Watching"):
            break
    return "".join(lines)


def stopped(process: subprocess.Popen[str]) -> int:
    """The exit code after Ctrl-C, pressed again after a while where Python was in the middle of collecting garbage and
    lost it."""
    for _ in range(30):
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=10)
    raise AssertionError("it goes on")


def test_each_save_is_certified_again(watching: tuple[Path, subprocess.Popen[str]]) -> None:
    """Saved well, saved badly, saved well again: a certificate, a sentence, another certificate; Ctrl-C ends with the
    exit code of the last."""
    path, process = watching
    certificate = path.with_name("lamp.cert.json")
    assert "lamp: certified" in until_waiting(process)
    first, text = json.loads(certificate.read_bytes())["sha256"], path.read_text()
    path.write_text(text.replace('noise = "1/10"', 'noise = "1/0"'))
    assert "knobs.noise" in until_waiting(process)
    assert first == json.loads(certificate.read_bytes())["sha256"]
    path.write_text(text.replace('noise = "1/10"', 'noise = "1/5"'))
    assert "lamp: certified" in until_waiting(process)
    assert first != json.loads(certificate.read_bytes())["sha256"]
    assert 0 == stopped(process)


def test_a_file_half_written_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty, then longer at every look, then whole: it is certified once, when two looks find the same."""
    path, looks = tmp_path / "lamp.toml", []
    path.write_text("old")

    def passes(seconds: float) -> None:
        looks.append(path.stat().st_size)
        if len(looks) < 5:
            path.write_text("" if len(looks) == 1 else "new" * len(looks))

    monkeypatch.setattr(watching_module.time, "sleep", passes)
    next(watching_module.saves(path))
    assert 4 * len("new") == path.stat().st_size


def test_what_is_in_no_file_is_not_watched(pomgcheck: Run) -> None:
    """A class of the gallery has no file to save, and JSON for machines is printed once."""
    for words, said in ((("patrol",), "required the path of a document"), (("patrol", "--json"), "--json beside it")):
        done = pomgcheck("certify", *words, "--watch")
        assert (2, True) == (done.returncode, said in done.stderr)
