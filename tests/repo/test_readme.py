"""The README is true: its commands print what it says, its map names every file, and CI runs its set-up command."""

from __future__ import annotations

import re
from pathlib import Path

from tests.repo.source import ROOT, modules
from tests.repo.tour import BLOCK, MAP, MODULES, PARTS, README, commands, mapped, modules_page, played, settled

TEXT = README.read_text(encoding="utf-8")


def test_the_tour_prints_what_the_readme_says(tmp_path: Path) -> None:
    """Every command of the tour, played in order, prints its block, seconds and digests of runs apart."""
    assert 7 == sum(line.startswith("$ ") for match in BLOCK.finditer(TEXT) for line in match[2].splitlines())
    assert settled(TEXT).splitlines() == settled(played(TEXT, tmp_path)).splitlines()


def test_the_maps_have_every_part_and_every_file() -> None:
    """One line per part, and on the manual's page one a file, in the order of use, in the file's own words."""
    assert {name.partition(".")[0] for name in modules()} == set(PARTS)
    match = MAP.search(TEXT)
    assert match is not None
    assert mapped(whole=False) == match.group()
    assert modules_page() == MODULES.read_text(encoding="utf-8")


def test_the_readme_is_read_in_a_sitting() -> None:
    """What does not fit is a page of the manual."""
    assert 20_000 > len(TEXT)


def test_set_up_is_two_commands_and_ci_runs_the_second() -> None:
    """The script takes the command from here, so that what is promised is what is tested."""
    first, second = commands(TEXT)
    assert first.endswith("pip install -q -e . && .venv/bin/pomgcheck demo")
    script = (ROOT / ".ci" / "run").read_text()
    found = re.search(r"grep -m1 '(.*?)' README.md", script)
    assert found is not None
    assert [second] == [line for line in TEXT.splitlines() if re.search(found[1], line)]


def test_settling_hides_times_and_nothing_else() -> None:
    """Seconds and run digests are let differ; values, verdicts and digests of certificates are not."""
    assert settled("proved 7/17 ≈ 0.411  0.125") == settled("proved 7/17 ≈ 0.411   1.250")
    assert settled("0.411 proved  0.125") != settled("0.412 proved  0.125")
    assert settled(f"VERIFIED run {'a' * 64} certificate {'b' * 64}") == f"VERIFIED run # certificate {'b' * 64}"
