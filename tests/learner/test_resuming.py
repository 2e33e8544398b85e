"""A run that was interrupted goes on, loses only the seed in progress, and ends with the same record."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.errors import InputError
from pomgcheck.learner import run as runs
from pomgcheck.learner.journal import Journal, Seed, Tally
from pomgcheck.learner.record import RunRecord
from pomgcheck.learner.run import run
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.learner.classes import watch

OPTIONS: dict[str, Any] = {
    "episodes": 120,
    "seeds": 4,
    "algorithm": "epoch-omle,uniform,posterior-sampling",
    "constants": "practical",
    "c": "1/50",
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the smallest class with something to learn."""
    return certify(load(watch())).save(tmp_path_factory.mktemp("resuming") / "watch.cert.json")


@pytest.fixture(scope="module")
def whole(certificate: Path) -> RunRecord:
    """The run, uninterrupted."""
    return run(certificate, **OPTIONS)


def stopped(certificate: Path, journal: Path, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run, interrupted while seed ``after`` + 1 is played."""
    perform, done = runs.perform, []

    def interrupted(task: runs.SeedTask) -> Any:
        if len(done) == after:
            raise KeyboardInterrupt
        done.append(task)
        return perform(task)

    with monkeypatch.context() as patch:
        patch.setattr(runs, "perform", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run(certificate, **OPTIONS, journal=journal)


@pytest.mark.parametrize("after", [0, 1, 5, 11])
def test_resumed_run_is_the_whole_run(
    certificate: Path, whole: RunRecord, tmp_path: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it was interrupted, the seeds before are not played again and the record is the same, byte for byte."""
    journal = tmp_path / "x.unfinished"
    stopped(certificate, journal, after, monkeypatch)
    assert after == len(journal.read_bytes().splitlines())
    told: list[int] = []
    again = run(certificate, **OPTIONS, journal=journal, resume=True, progress=lambda done, total: told.append(done))
    assert whole == again
    assert list(range(after + 1, 13)) == told


def test_line_cut_off_in_writing_is_played_again(
    certificate: Path, whole: RunRecord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill in the middle of a line loses that seed alone; a spoilt line is no seed either."""
    journal = tmp_path / "x.unfinished"
    stopped(certificate, journal, 3, monkeypatch)
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(lines[0] + lines[1].replace(b'"episodes"', b'"episodex"', 1) + lines[2][:-40])
    told: list[int] = []
    again = run(certificate, **OPTIONS, journal=journal, resume=True, progress=lambda done, total: told.append(done))
    assert whole == again
    assert 2 == told[0]


def test_seeds_of_another_run_count_for_nothing(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With other constants it is not resumed, and is kept; without --resume everything is played."""
    journal = tmp_path / "x.unfinished"
    stopped(certificate, journal, 6, monkeypatch)
    told: list[int] = []

    def tell(done: int, total: int) -> None:
        told.append(done)

    before = journal.read_bytes()
    with pytest.raises(InputError, match="x.unfinished, of a run with other options, required the file of this run"):
        run(certificate, **OPTIONS | {"c": "1/40"}, journal=journal, resume=True, progress=tell)
    assert ([], before) == (told, journal.read_bytes())
    run(certificate, **OPTIONS, journal=journal, progress=tell)
    assert [*range(1, 13)] == told


def test_more_seeds_and_algorithms_go_on_from_the_journal(
    certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The journal of four seeds serves a run of six, in two processes."""
    journal = tmp_path / "x.unfinished"
    stopped(certificate, journal, 11, monkeypatch)
    wider = OPTIONS | {"seeds": 6, "algorithm": "epoch-omle,epsilon-greedy,uniform,posterior-sampling"}
    told: list[int] = []
    again = run(
        certificate, **wider, journal=journal, resume=True, jobs=2, progress=lambda done, total: told.append(done)
    )
    assert 12 == told[0]
    assert run(certificate, **wider) == again


def test_tally_survives_the_disk_exactly(tmp_path: Path) -> None:
    """Fractions come back as they were."""
    from fractions import Fraction

    seed = Seed({"seed": 3}, Tally([Fraction(1, 3), Fraction(10**40, 7)], Fraction(2, 9), 4, 1, None))
    journal = Journal(tmp_path / "x", "identity")
    journal.add("uniform", seed)
    assert {("uniform", 3): seed} == journal.finished()
    with pytest.raises(InputError, match="a run with other options"):
        Journal(tmp_path / "x", "another").finished()
    assert {} == Journal(tmp_path / "y", "another").finished()


def test_killed_command_goes_on(certificate: Path, tmp_path: Path) -> None:
    """Killed outright, the command leaves its finished seeds; with --resume it ends as if nothing had happened."""
    command = [
        sys.executable,
        "-m",
        "pomgcheck",
        "run",
        str(certificate),
        "--seeds",
        "40",
        "--episodes",
        "3000",
        "--constants",
        "practical",
        "--algorithm",
        "uniform,epoch-omle",
    ]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    broken = subprocess.Popen([*command, "-o", "a.run.json"], cwd=tmp_path, env=environment)
    journal, deadline = tmp_path / "a.run.json.unfinished", time.monotonic() + 120
    while not (journal.is_file() and journal.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.01)
    broken.send_signal(signal.SIGKILL)
    broken.wait()
    assert not (tmp_path / "a.run.json").exists()
    for output in ("a.run.json", "b.run.json"):
        done = subprocess.run([*command, "-o", output, "--resume"], cwd=tmp_path, env=environment, capture_output=True)
        assert 0 == done.returncode
    assert (tmp_path / "a.run.json").read_bytes() == (tmp_path / "b.run.json").read_bytes()
    assert ["a.run.json", "b.run.json"] == sorted(path.name for path in tmp_path.iterdir())


WORKERS = """
import os, sys, time
from pathlib import Path
from pomgcheck.processes import shared

def work(k):
    Path(sys.argv[1], f"{os.getpid()}.pid").touch()
    time.sleep(600 * (k > 1))

for _ in shared(work, ((k,) for k in range(4)), 2):
    pass
"""


def gone(pid: int) -> bool:
    """Whether no process of that number runs; one that has ended and waits to be read does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    state = Path(f"/proc/{pid}/stat")
    return state.is_file() and state.read_text().rpartition(")")[2].split()[0] == "Z"


@pytest.mark.skipif(os.name != "posix", reason="an orphan is seen by its new parent")
def test_workers_end_with_the_command_that_was_killed(tmp_path: Path) -> None:
    """In the middle of a task that would last ten minutes, and without a word from the one that was killed."""
    (tmp_path / "pids").mkdir()
    (tmp_path / "many.py").write_text(WORKERS)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "many.py", "pids"]
    killed = subprocess.Popen(command, cwd=tmp_path, env=environment, start_new_session=True)
    deadline = time.monotonic() + 300
    while len(list((tmp_path / "pids").iterdir())) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    workers = [int(path.stem) for path in (tmp_path / "pids").iterdir()]
    assert 2 == len(workers)
    while not all(map(gone, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert [True, True] == list(map(gone, workers))
