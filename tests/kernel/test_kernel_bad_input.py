"""Bad input ends in one sentence, by a count of it and before it is made: what is over-large, over-long or over-deep."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.kernel.check import MAX_BYTES, main
from pomgcheck.kernel.limits import CAPS
from tests.kernel.editing import Certificate, canonical, edited, get, put
from tests.kernel.forged import base


def listed(certificate: Certificate) -> None:
    """Nearly as many points as a file of that size can list."""
    worlds = get(certificate, "model", "worlds")
    del worlds["parameters"]
    worlds["points"] = [{"x": str(n)} for n in range(800_000)]


def far_ahead(certificate: Certificate) -> None:
    """A window of 24 observations in a game of 26 steps, and no bound but the budget."""
    certificate["options"] |= {"kappa": 24, "limits": CAPS}
    certificate["model"]["game"]["horizon"] = 26
    for entry in certificate["claims"]:
        if entry["id"] not in ("weak-revealing", "nonexpansive"):
            entry.update(verdict="unknown", values={}, evidence=None, witness=None)


def factors(certificate: Certificate) -> None:
    """An emission that is a product of 14 factors, squared."""
    worlds = get(certificate, "model", "worlds")
    worlds["parameters"] = {f"x{n}": {"interval": ["0", "1"]} for n in range(14)}
    once = "*".join(f"(1+x{n})" for n in range(14))
    worlds["learner_emission"][0] = [f"({once})*({once})/1000000000", "1"]
    worlds["transition"] = [[[["1/2", "1/2"]]]] * 2


def deep(certificate: Certificate) -> None:
    """A tree of 900 cuts, one in the other."""
    tree: Any = ["test", 0]
    for _ in range(900):
        tree = ["cut", 0, 1, "1/2", tree, ["test", 0]]
    get(certificate, "claims", "weak-revealing", "evidence", "trees")[0]["tree"] = tree


def emission(text: str) -> Callable[[Certificate], None]:
    return put("model", "worlds", "learner_emission", 0, 0, to=text)


BAD: dict[str, tuple[str, Callable[[Certificate], None], str]] = {
    "800,000 points": ("two-observations", listed, "file budget: found 800000 parameter points of worlds: "),
    "10^6 values": (
        "two-observations",
        put("model", "worlds", "parameters", "x", "values", to=[str(n) for n in range(10**6)]),
        "file budget: found 1000000 values of worlds.parameters.x: ",
    ),
    "24 observations ahead": ("two-observations", far_ahead, "file budget: found the law of the next 24 observations: "),
    "14 factors squared": ("interval", factors, "file budget: found a product of polynomials of 16384 and 16384 terms: "),
    "a deep tree": ("two-observations", deep, "weak-revealing read weak-revealing.trees[0]: found ['cut', "),
    "a high power": ("interval", emission("(1+x)^999"), "file read worlds.learner_emission, step 1[0]: found '(1+x)^999'"),
    "many brackets": ("interval", emission("(" * 9000 + "x" + ")" * 9000), "file read worlds.learner_emission, step 1[0]"),
    "many terms": ("interval", emission("+".join(["0*x"] * 40_000)), "file read worlds.learner_emission, step 1[0]"),
    "a million labels": (
        "interval",
        put("model", "game", "states", to=[f"s{n}" for n in range(10**6)]),
        "file read worlds.initial: found 2 entries, required 1000000 entries",
    ),
    "60,000 trees for one problem": (
        "two-observations",
        put("claims", "weak-revealing", "evidence", "trees", to=lambda trees: trees[:1] * 60_000),
        "weak-revealing read weak-revealing.trees[1]: found a second tree",
    ),
}  # fmt: skip


def sentence(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line that the kernel prints; it exits with 1."""
    assert 1 == main([str(path)])
    (line,) = capsys.readouterr().out.splitlines()
    return line


@pytest.mark.parametrize("case", BAD)
def test_bad_certificate(case: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file within the size that is allowed ends in one line, with the place and the count."""
    name, edit, said = BAD[case]
    path = tmp_path / "bad.json"
    path.write_bytes(canonical(edited(json.loads(base(name)), edit)))
    assert MAX_BYTES >= path.stat().st_size
    assert sentence(path, capsys).startswith(f"REJECTED {said}")


@pytest.mark.parametrize("brackets", [("[", "]"), ('{"a":', "}")])
def test_nesting(brackets: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Arrays and objects 200,000 deep are not read."""
    path = tmp_path / "nested.json"
    path.write_text("1".join(bracket * 200_000 for bracket in brackets), encoding="utf-8")
    assert "REJECTED file read file: found nesting too deep to read" in sentence(path, capsys)


def test_twenty_gigabytes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of 20 GB is refused by its size."""
    path = tmp_path / "big.json"
    with path.open("wb") as file:
        os.truncate(file.fileno(), 20 * 10**9)
    assert f"found 20000000000 bytes or more, required at most {MAX_BYTES}" in sentence(path, capsys)
