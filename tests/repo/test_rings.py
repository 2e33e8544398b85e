"""The rings of the kernel: what checks a finite certificate, and what is entered by other certificates alone."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs.kernel import COMPUTED, GIVEN, INTERVAL, KERNEL, PARTS, RINGS, count, ring

GOLDENS = Path(__file__).parents[1]
FILES = {path.relative_to(KERNEL).as_posix() for path in KERNEL.rglob("*.py")}
# lines of code, without comments, docstrings and blanks
BUDGETS = {"finite": 4845, "interval": 759, "given operators": 296, "computed": 17}

# verifies every file named on standard input and prints its line, or for a malformed one its refusal
VERIFY = """
import json, sys
sys.path.insert(0, sys.argv[1])
from pomgcheck.kernel.check import verify
import pomgcheck.kernel
assert pomgcheck.kernel.__file__.startswith(sys.argv[1])
json.dump([verify(path).line for path in json.load(sys.stdin)], sys.stdout)
"""


@pytest.mark.parametrize("name", BUDGETS)
def test_each_ring_keeps_to_its_lines(name: str) -> None:
    """A reviewer reads the finite ring first, and the others where a certificate enters them."""
    assert 0 < count(FILES, name) <= BUDGETS[name]


def test_the_table_of_costs_has_every_file_once() -> None:
    """What is counted by purpose in docs/design.md is the kernel, and its rings are those that have budgets."""
    assert sorted(FILES) == sorted(name for files in PARTS.values() for name in files)
    assert [*RINGS] == [*BUDGETS]
    assert {*RINGS} == {ring(name) for name in FILES}


def finite(path: Path) -> bool:
    """Whether a golden is about a class whose axes are finite and that is given by kernels."""
    model = json.loads(path.read_bytes())["model"]
    sides = [model[side] for side in ("worlds", "responses")]
    axes = [axis for side in sides for axis in side.get("parameters", {}).values()]
    return "operators" not in model and not any("interval" in axis for axis in axes)


def lines(folder: Path, paths: list[Path]) -> list[str]:
    """The verdict lines that the kernel in ``folder`` prints, in a process of its own."""
    command = [sys.executable, "-I", "-c", VERIFY, str(folder)]
    given = json.dumps(list(map(str, paths)))
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=600, check=False)
    assert not done.returncode, done.stderr
    return list(json.loads(done.stdout))


def alone(folder: Path, without: set[str]) -> Path:
    """A copy of the kernel in ``folder`` that lacks some files."""
    target = folder / "pomgcheck" / "kernel"
    shutil.copytree(KERNEL, target, ignore=shutil.ignore_patterns("__pycache__", *without))
    (folder / "pomgcheck" / "__init__.py").write_text("")
    return folder


def test_finite_goldens_are_decided_by_the_finite_ring_alone(tmp_path: Path) -> None:
    """With every file of the other rings deleted, each finite golden, accepted or rejected, has the same line."""
    folders = [GOLDENS / name for name in ("accepted", "rejected")]
    paths = [path for folder in folders for path in sorted(folder.glob("*.cert.json")) if finite(path)]
    assert len(paths) > 100
    bare = lines(alone(tmp_path / "bare", INTERVAL | GIVEN | COMPUTED), paths)
    assert lines(alone(tmp_path / "whole", set()), paths) == bare
    assert {"VERIFIED", "REJECTED"} == {line.split()[0] for line in bare}


@pytest.mark.parametrize("left_out", [COMPUTED | GIVEN, COMPUTED | INTERVAL], ids=["intervals", "given operators"])
def test_other_goldens_need_their_own_ring(tmp_path: Path, left_out: set[str]) -> None:
    """An interval class is verified without the ring of given operators and the computed bound, which no certificate
    enters; without its own ring none of it is accepted."""
    paths = sorted((GOLDENS / "accepted").glob("interval-*.cert.json"))
    found = lines(alone(tmp_path, left_out), paths)
    assert {"VERIFIED" if INTERVAL.isdisjoint(left_out) else "REJECTED"} == {line.split()[0] for line in found}
