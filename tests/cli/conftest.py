"""Certificates made once a session, and the command line as a user starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def pomgcheck(tmp_path: Path) -> Run:
    """``pomgcheck ARGUMENTS`` in a process of its own, in an empty folder, its output captured (so not a terminal)."""

    def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pomgcheck", *map(str, arguments)]
        return subprocess.run(command, cwd=tmp_path, env=os.environ | environment, capture_output=True, text=True)

    return run


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the certificates of patrol (certified) and outside-truth (refuted), and a run of patrol."""
    from pomgcheck import certify, load, run

    folder = tmp_path_factory.mktemp("made")
    for name in ("patrol", "outside-truth"):
        certify(load(name)).save(folder / f"{name}.cert.json")
    run(folder / "patrol.cert.json", episodes=60, seeds=2).save(folder / "patrol.run.json")
    return folder
