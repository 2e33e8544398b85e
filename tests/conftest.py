"""Hypothesis profiles: the same examples on every run, so that a failure is repeated by running again; and what the
processes of a run share."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

slow_inputs = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=slow_inputs)
settings.register_profile("sweep", deadline=None, max_examples=2000, suppress_health_check=slow_inputs)
settings.load_profile("ci")
# A job in the background of a shell is started with Ctrl-C ignored, and so would be every process that a test starts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if getattr(config.option, "dist", "no") == "load":  # each process gets neighbours, which share what a module makes
        config.option.dist = "worksteal"
    config.addinivalue_line("markers", "slow: a sweep of some minutes, left out of a quick run by -m 'not slow'")


Once = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """``once(NAME, FILL)``: a folder that is filled once a run, by the process that needs it first; the others wait."""
    here = tmp_path_factory.getbasetemp()
    shared = here.parent if "PYTEST_XDIST_WORKER" in os.environ else here

    def filled(name: str, fill: Callable[[Path], None]) -> Path:
        folder, begun = shared / f"once-{name}", shared / f"begun-{name}-{os.getpid()}"
        with open(shared / f"lock-{name}", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not folder.exists():
                begun.mkdir()
                fill(begun)
                begun.rename(folder)
        return folder

    return filled
