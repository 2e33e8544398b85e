"""What docstrings show is what happens."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

import pomgcheck
from tests.repo.source import ROOT

SHOWING = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "pomgcheck").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", SHOWING)
def test_examples_of_docstrings_do_what_they_say(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every prompt in a module's docstrings gives what stands below it, in a folder with the certificates."""
    (tmp_path / "certificates").symlink_to(ROOT / "certificates")
    monkeypatch.chdir(tmp_path)
    found = doctest.testmod(importlib.import_module(name), extraglobs={"pomgcheck": pomgcheck})
    assert 0 < found.attempted
    assert 0 == found.failed
