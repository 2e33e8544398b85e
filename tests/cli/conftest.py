"""Certificates made once a run, and the command line, in this process and as a user starts it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from tests.conftest import Once

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def pomgcheck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``pomgcheck ARGUMENTS`` in this process, in an empty folder, its output captured (so not a terminal)."""
    from pomgcheck.cli import main

    def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        words, out, err = [*map(str, arguments)], StringIO(), StringIO()
        with monkeypatch.context() as here, redirect_stdout(out), redirect_stderr(err):
            here.chdir(tmp_path)
            for name, value in environment.items():
                here.setenv(name, value)
            with pytest.raises(SystemExit) as end:
                main(words)
        return subprocess.CompletedProcess(words, int(end.value.code or 0), out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def started(tmp_path: Path) -> Run:
    """The same in a process of its own, where that is what is tested: how it starts, and its exit code."""

    def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pomgcheck", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, env=os.environ | environment, capture_output=True, text=True)

    return run


@pytest.fixture(scope="session")
def made(once: Once) -> Path:
    """A folder with the certificates of patrol (certified) and outside-truth (refuted), and a run of patrol."""
    from pomgcheck import certify, load, run

    def make(folder: Path) -> None:
        for name in ("patrol", "outside-truth"):
            certify(load(name)).save(folder / f"{name}.cert.json")
        run(folder / "patrol.cert.json", episodes=60, seeds=2).save(folder / "patrol.run.json")

    return once("made", make)


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """The made files, in the folder commands run in, to spoil."""
    return Path(shutil.copytree(made, tmp_path, dirs_exist_ok=True))
