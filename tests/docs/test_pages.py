"""The pages of the manual are true: what they show is what is printed today."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.repo.source import ROOT
from tests.repo.tour import BLOCK, PAGES, played, settled

PLAYED = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", PLAYED, ids=[page.relative_to(ROOT).as_posix() for page in PLAYED])
def test_a_page_prints_what_it_says(page: Path, tmp_path: Path) -> None:
    """Every command and prompt of the page, played in order, prints its block, seconds and digests of runs apart."""
    text = page.read_text(encoding="utf-8")
    assert settled(text).splitlines() == settled(played(text, tmp_path)).splitlines()
