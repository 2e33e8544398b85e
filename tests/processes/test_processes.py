"""One seam for shared work: the same results whatever does it, and a worker killed -9 takes nothing with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pomgcheck import load, processes
from pomgcheck.errors import GaveUp, InputError, MissingDependency
from pomgcheck.processes import cluster, clustered, shared
from pomgcheck.search.certify import certify
from pomgcheck.search.sweep import sweep

pytest.importorskip("distributed")


def squared(k: int, folder: str, deaths: int) -> tuple[int, int]:
    """k squared and the process; item 3 kills its worker as often as said, counted in the folder."""
    if k == 3:
        died = len(list(Path(folder).iterdir()))
        if died < deaths:
            (Path(folder) / str(died)).touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return k * k, os.getpid()


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("where", ["serial", "joblib", pytest.param("dask", marks=pytest.mark.slow)])
def test_the_results_are_the_same_wherever_the_work_is_done(tmp_path: Path, where: str, ordered: bool) -> None:
    """In this process, in two of this machine and on a cluster of two; in order where that is asked."""
    items = [(k, str(tmp_path), 0) for k in range(8)]
    with cluster("local:2" if where == "dask" else None):
        found = list(shared(squared, items, 1 if where == "serial" else 2, ordered))
    values = [value for value, _ in found]
    assert [k * k for k in range(8)] == (values if ordered else sorted(values))
    assert (where == "serial") == (os.getpid() in {pid for _, pid in found})
    assert not clustered()


@pytest.mark.parametrize("where", ["joblib", "dask"])
def test_a_worker_killed_takes_nothing_with_it(tmp_path: Path, where: str) -> None:
    """Its work is done again by another, each item comes once, in order; a second death with the same work is told."""
    with cluster("local:2" if where == "dask" else None):
        once = list(shared(squared, [(k, str(tmp_path), 1) for k in range(8)], 2, ordered=True))
        assert [k * k for k in range(8)] == [value for value, _ in once]
        assert 1 == len(list(tmp_path.iterdir()))
        with pytest.raises(GaveUp, match="a worker that was ended from outside, twice at the same work"):
            list(shared(squared, [(k, str(tmp_path), 9) for k in range(8)], 2))


@pytest.mark.slow  # starts a cluster
def test_a_sweep_and_a_certificate_are_the_same_bytes_on_a_cluster(tmp_path: Path) -> None:
    """One worker, two, and none: the file of a sweep byte for byte, a certificate by its digest."""
    model = load("patrol")
    made = []
    for address in (None, "local:1", "local:2"):
        path = tmp_path / f"{address}.sweep.json".replace(":", "-")
        with cluster(address):
            sweep(model, {"noise": ("1/20", "9/20", 2), "deterrence": ("0", "5/2", 2)}, path, only=["covering"])
            made.append((path.read_bytes(), certify(model, only=["covering", "weak-revealing"]).sha256))
    assert 1 == len(set(made))


@pytest.mark.parametrize("address", ["", "local", "local:0", "local:x", "host:8786", "tcp://host", "http://host:1"])
def test_addresses_that_are_none(address: str) -> None:
    """One sentence that says what one is."""
    with pytest.raises(InputError, match="required tcp://HOST:PORT of a scheduler, or local:N"), cluster(address):
        pass


def test_a_cluster_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody answers at the address: a sentence after the time it may take."""
    monkeypatch.setattr(processes, "WAIT", 1)
    with (
        pytest.raises(InputError, match="no scheduler that answers at tcp://127.0.0.1:9 within 1 s"),
        cluster("tcp://127.0.0.1:9"),
    ):
        pass


@pytest.mark.slow  # starts a cluster
def test_workers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the worker has and what is here are both named."""
    here = processes.versions()
    monkeypatch.setattr(processes, "versions", lambda: here)
    real = processes._same_versions

    def older(client: object, address: str) -> None:
        class Client:
            def wait_for_workers(self, count: int, timeout: int) -> None: ...
            def run(self, work: object) -> dict[str, dict[str, str]]:
                return {"tcp://127.0.0.1:1": here | {"pomgcheck": "0.0.1"}}

        real(Client(), address)

    monkeypatch.setattr(processes, "_same_versions", older)
    said = "found python .*, pomgcheck 0.0.1 on the worker tcp://127.0.0.1:1, required"
    with pytest.raises(InputError, match=said), cluster("local:1"):
        pass


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence with what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingDependency, match="pip install 'pomgcheck\\[cluster\\]'"), cluster("local:1"):
        pass


@pytest.mark.slow  # starts a cluster
def test_the_command_line_works_on_a_cluster(tmp_path: Path) -> None:
    """The certificate has the digest of every other; a cluster that is none is exit 2 and one sentence."""
    command = [sys.executable, "-m", "pomgcheck", "certify", "outside-truth", "-o", "x.cert.json"]
    done = subprocess.run([*command, "--cluster", "local:1"], cwd=tmp_path, capture_output=True, text=True)
    assert (1, "") == (done.returncode, done.stderr)
    wrong = subprocess.run([*command, "--cluster", "local"], cwd=tmp_path, capture_output=True, text=True)
    assert (2, 1) == (wrong.returncode, wrong.stderr.count("\n"))
    assert "--cluster: found 'local'" in wrong.stderr
