"""The manual: every claim and every rule has its page, nothing on it is said twice, and it builds without a warning."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

import pomgcheck
from docs import shown
from pomgcheck import gallery
from pomgcheck.errors import InputError
from pomgcheck.kernel.claims import CLAIMS
from tests.docs.notebook import NOTEBOOK, TRAINING, executed
from tests.repo.source import ROOT
from tests.repo.tour import PAGES, settled

FORMAT = (ROOT / "certificates" / "FORMAT.md").read_text(encoding="utf-8")
NAV = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]


@pytest.mark.parametrize("claim", [claim.id for claim in CLAIMS])
def test_every_claim_has_a_page(claim: str) -> None:
    """It says what the claim is, shows how it is proved, and has the failures of the gallery where there are some."""
    text = (ROOT / "docs" / "claims" / f"{claim}.md").read_text(encoding="utf-8")
    marks = [(mark[1], mark[2].split()[0]) for mark in shown.MARK.finditer(text)]
    fails = [("failures", claim)] if shown.refuted(claim) else []
    assert [("claim", claim), ("proof", claim), *fails] == marks
    assert ["How it is proved", "How it fails", "What to do"] == re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert f"- claims/{claim}.md\n" in NAV


def test_every_rule_has_a_page() -> None:
    """The rules of the format and the pages are the same, and each page has the format's words, white space apart."""
    rules = set(re.findall(r"^\*\*([a-z]+)\.\*\* ", FORMAT, re.MULTILINE))
    said = " ".join(FORMAT.split())
    assert rules == {path.stem for path in (ROOT / "docs" / "rules").glob("*.md")}
    for name in rules:
        text = (ROOT / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")
        assert shown.rule(name) in shown.filled(text)
        assert f"**{name}.** {' '.join(shown.rule(name).split())}" in said
        assert f"- rules/{name}.md\n" in NAV


def test_the_order_of_claims_is_the_certificates() -> None:
    """The pages stand in the order in which a certificate has the claims."""
    assert [claim.id for claim in CLAIMS] == re.findall(r"claims/(.+)\.md", NAV)


def test_every_public_name_is_in_the_reference() -> None:
    """The page of the Python interface has each name that `pomgcheck` exports, once."""
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    named = re.findall(r"^::: pomgcheck\.(\w+)$", text, re.MULTILINE)
    assert sorted(pomgcheck.__all__) == sorted(name for name in named if name != "certificate")


def test_a_counterexample_is_on_its_page() -> None:
    """The page of weak revealing has what silent-action teaches and its never-played action, in the report's words."""
    page = shown.filled((ROOT / "docs" / "claims" / "weak-revealing.md").read_text(encoding="utf-8"))
    assert "### `silent-action`" in page
    assert "Compare the worlds `x=1/2` and `x=3/4` under policy `watch`" in page
    assert "40 distinct cases" in page


@pytest.mark.parametrize(
    "mark",
    [
        "claim: revealing",
        "proof: weak-revealing patrl",
        "rule: evil",
        "report: patrol end",
        "pictures: patrl",
        "gallery: certifed",
        "kernel: line",
    ],
)
def test_a_mark_that_names_nothing_is_an_error(mark: str) -> None:
    """A page cannot lose its words in silence."""
    with pytest.raises((InputError, FileNotFoundError)):
        shown.filled(f"<!-- {mark} -->")


def test_every_class_has_a_card() -> None:
    """The page of the gallery has each class once, with sixteen verdicts, and what a counterexample teaches."""
    page = shown.filled((ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"))
    assert gallery.names() == re.findall(r'<h3 id="([^"]+)">', page)
    cards = page.split('<div class="card">')[1:]
    assert {len(CLAIMS)} == {card.count("<li ") for card in cards}
    assert gallery.entry("outside-truth").teaches in page


def test_a_drawing_is_left_as_it_is() -> None:
    """Nothing inside it is taken for a formula."""
    assert "<svg a><text>x_1 v*</text></svg> x<sub>1</sub>" == shown.formulas("<svg a><text>x_1 v*</text></svg> x_1")


def test_the_tour_gives_what_its_notebook_holds(tmp_path: Path) -> None:
    """Executed again, every cell has the outputs it was committed with, seconds apart."""
    assert settled(nbformat.writes(nbformat.read(NOTEBOOK, 4))) == settled(nbformat.writes(executed(tmp_path)))


def test_a_notebook_trains_compares_and_plots(tmp_path: Path) -> None:
    """Within 30 lines of code; executed again, its table is the one that it was committed with, and it draws a picture."""

    def told(book: Any) -> tuple[list[str], int]:
        outputs = [output for cell in book.cells for output in cell.get("outputs", ())]
        data = [output["data"] for output in outputs if "data" in output]
        return [each["text/plain"] for each in data if "image/png" not in each], sum("image/png" in x for x in data)

    kept = nbformat.read(TRAINING, 4)
    code = [
        line for cell in kept.cells if cell.cell_type == "code" for line in cell.source.splitlines() if line.strip()
    ]
    assert 30 >= len(code)
    assert "own algorithm" in str(told(kept)[0])
    assert 1 == told(kept)[1]
    assert told(kept) == told(executed(tmp_path, TRAINING))


def test_the_manual_builds_without_a_warning(tmp_path: Path) -> None:
    """``mkdocs build --strict`` makes a page of every file."""
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path / "site")]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert (0, []) == (done.returncode, re.findall(r"^(?!INFO).+", done.stderr, re.MULTILINE))  # -q would hide warnings
    for page in (*PAGES, ROOT / "docs" / "tour.md"):
        place = page.relative_to(ROOT / "docs").with_suffix("")
        built = tmp_path / "site" / (place if place.name != "index" else place.parent) / "index.html"
        article = built.read_text(encoding="utf-8").partition("<article")[2].partition("</article>")[0]
        assert article
        assert "<!-- " not in article  # no mark is left


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("r_h(o_h) and C_0B_0", "r<sub>h</sub>(o<sub>h</sub>) and C<sub>0</sub>B<sub>0</sub>"),
        ("v* − V^{π_t}(g^t)", "v&#42; − V<sup>π<sub>t</sub></sup>(g<sup>t</sup>)"),
        ("Σ_{o_{1:h}} P_ξ*", "Σ<sub>o<sub>1:h</sub></sub> P<sub>ξ&#42;</sub>"),
        ("`block_rule = x_1` or", "`block_rule = x_1` or"),
        ("```\na_b\n```\nR_∞", "```\na_b\n```\nR<sub>∞</sub>"),
        (r"[a](b_c.md) d\_e |Π|_(f)", r"[a](b_c.md) d\_e |Π|\_(f)"),
    ],
)
def test_formulas_of_a_page_are_set(written: str, expected: str) -> None:
    """Indices and powers in prose, never in code, links or what is escaped; no underscore is left for emphasis."""
    assert expected == shown.formulas(written)
