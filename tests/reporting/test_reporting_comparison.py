"""Certificates and runs side by side: what differs is marked, what cannot be compared is refused."""

from __future__ import annotations

import re
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel.reading import canonical_bytes, digest
from pomgcheck.learner.record import RecordedRun, RunRecord
from pomgcheck.reporting import digests_in, report
from pomgcheck.reporting.blocks import Block, Table
from pomgcheck.reporting.given import Given
from pomgcheck.reporting.pages import comparison, run_comparison
from pomgcheck.reporting.render import text
from tests.reporting import samples

PATROL, OTHER = samples.patrol(), samples.opposite_signs()
RECORD = samples.run_record()


def altered(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Another sample: what is given replaces what was there, and the digest is another."""
    other = deepcopy(document) | changes
    return other | {"sha256": digest({key: value for key, value in other.items() if key != "sha256"})}


def weaker() -> dict[str, Any]:
    """Patrol with a smaller alpha, a smaller B_0 and another kappa."""
    other = altered(PATROL)
    values = {name: claim["values"] for claim in other["claims"] for name in claim["values"]}
    values["alpha_lower"]["alpha_lower"] = "1/3"
    values["B0_upper"]["B0_upper"] = {"log_of": "3/2"}
    other["options"]["kappa"] = 2
    return altered(other)


def certs(*documents: dict[str, Any]) -> list[Certificate]:
    """The certificates that are these documents."""
    return [*map(Certificate, documents)]


def rows(table: Table) -> dict[str, list[str]]:
    """The cells of each row by its head."""
    return {text.plain(row[0]): [text.plain(cell) for cell in row[1:]] for row in table.rows}


def tables(blocks: list[Block]) -> dict[str, dict[str, list[str]]]:
    """Tables by caption."""
    return {block.caption: rows(block) for block in blocks if isinstance(block, Table)}


def test_better_and_worse_by_the_end_that_is_used() -> None:
    """A smaller lower end is worse, a smaller upper end better, and what is equal bears no mark."""
    found = rows(comparison.constants_table(certs(PATROL, weaker()), ["a", "b"]))
    assert "1/3 ≈ 0.333333 ▼ worse" == found["α_κ"][2]
    assert "log(3/2) ≈ 0.405466 ▲ better" == found["B₀"][2]
    assert found["L"][1] == found["L"][2]


def test_a_verdict_that_changed() -> None:
    """A claim refuted in the second is worse there; seen from it the first is better."""
    there = rows(comparison.claims_table(certs(PATROL, OTHER), ["a", "b"]))["Weak revealing weak-revealing"]
    back = rows(comparison.claims_table(certs(OTHER, PATROL), ["a", "b"]))["Weak revealing weak-revealing"]
    assert ["✓ proved (1 test function)", "✗ refuted (counterexample) ▼ worse"] == there
    assert ["✗ refuted (counterexample)", "✓ proved (1 test function) ▲ better"] == back


def test_claims_that_end_apart_are_named() -> None:
    """The sentence on top counts what ends alike and names what does not."""
    said = text.plain(comparison.verdicts_in_words(certs(PATROL, OTHER), ["a", "b"]))
    assert re.match(r"\d+ of \d+ claims end alike; these do not: .*Weak revealing", said)
    assert "All 16 claims end alike. ▲ and ▼ compare with a." == text.plain(
        comparison.verdicts_in_words(certs(PATROL, weaker()), ["a", "b"])
    )


def test_only_options_that_differ_are_listed() -> None:
    """One option changed: one row, its second cell marked."""
    found = tables(comparison.of_certificates(certs(PATROL, weaker()), ["a", "b"], ["a.cert.json", "b.cert.json"]))
    assert {"--kappa": ["1", "≠ 2"]} == found["Options"]
    assert "The model classes" not in found


def test_documents_differ_by_path() -> None:
    """The parts of two documents that differ are named three keys deep, and no others."""
    first = {"game": {"horizon": 2, "states": ["a"]}, "worlds": {"steps": {"x": {"deep": 1}}}}
    other = {"game": {"horizon": 3, "states": ["a"]}, "worlds": {"steps": {"x": {"deep": 2}}}}
    assert ["game.horizon", "worlds.steps.x"] == comparison.places(first, other)


def test_documents_that_differ_much_are_told_in_short() -> None:
    """Where more than twelve paths differ, they are named two keys deep, or by their sections alone."""
    first = {"policies": {"list": {f"p{k}": 1 for k in range(20)}}, "game": {"horizon": 2}}
    other = {"policies": {"list": {}}, "game": {"horizon": 3}}
    assert ["game.horizon", "policies.list"] == comparison.places(first, other)


def dearer() -> dict[str, Any]:
    """The run with ten times the regret at the end, no spread, and other seeds."""
    other = deepcopy(RECORD)
    for run in other["runs"]:
        run["summary"]["regret"]["mean"][-1], run["summary"]["regret"]["two_se"][-1] = "25", "0"
    return altered(other, ties="last")


def test_runs_side_by_side() -> None:
    """More regret than the spreads allow for is worse; what is as before bears no mark; the set-up's change is told."""
    found = tables(
        run_comparison.blocks([RunRecord(RECORD), RunRecord(dearer())], ["a", "b"], ["a.run.json", "b.run.json"])
    )
    results = next(table for caption, table in found.items() if caption.startswith("Mean over seeds"))
    assert ["2.5 ± 1.0", "25 ± 0 ▼ worse"] == results["epoch-omle regret"]
    assert ["3 ± 0", "3 ± 0"] == results["epoch-omle epochs"]
    assert {"Ties": [RECORD["ties"], "≠ last"]} == found["Set-up"]


def test_a_difference_within_the_spread() -> None:
    """A gap no wider than the two spreads together is neither better nor worse."""
    near = deepcopy(RECORD)
    near["runs"][0]["summary"]["regret"]["mean"][-1] = "3"
    found = rows(run_comparison.results_table([*map(RecordedRun.of, (RECORD, altered(near)))], ["a", "b"]))
    assert "3.0 ± 1.0 (within the spread)" == found["epoch-omle regret"][1]


def test_written_and_stamped(tmp_path: Path) -> None:
    """Both formats carry the digest of everything that is compared, in order, under the files' names."""
    certs = [PATROL, OTHER]
    for k, cert in enumerate(certs):
        (tmp_path / f"c{k}.cert.json").write_bytes(canonical_bytes(cert))
    for suffix in ("md", "html"):
        page = report([tmp_path / "c0.cert.json", tmp_path / "c1.cert.json"], tmp_path / f"x.{suffix}")
        words = page.read_text(encoding="utf-8")
        assert {"certificate-1": PATROL["sha256"], "certificate-2": OTHER["sha256"]} == digests_in(words)
        assert "pomgcheck verify c0.cert.json c1.cert.json" in words


def test_equal_names_are_numbered() -> None:
    """Two certificates of one class without files are told apart."""
    assert ["patrol (1)", "patrol (2)"] == comparison.names_of(
        [Given(Certificate(PATROL), ""), Given(Certificate(weaker()), "")]
    )
    assert ["one", "patrol"] == comparison.names_of(
        [Given(Certificate(PATROL), "one.cert.json"), Given(Certificate(weaker()), "")]
    )


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ([PATROL, OTHER, RECORD], "found 2 certificates, 1 run, required"),
        ([PATROL, PATROL], "twice, required different certificates"),
        ([RECORD, RECORD], "twice, required different runs"),
    ],
)
def test_what_cannot_be_compared(sources: list[Any], message: str, tmp_path: Path) -> None:
    """Mixed kinds, and one thing twice, are refused in a sentence, and nothing is written."""
    with pytest.raises(InputError, match=message):
        report(sources, tmp_path / "x.md")
    assert [] == list(tmp_path.iterdir())


def test_an_altered_file_is_refused(tmp_path: Path) -> None:
    """A certificate that is not as it was written is not compared."""
    (tmp_path / "a.cert.json").write_bytes(canonical_bytes(PATROL))
    (tmp_path / "b.cert.json").write_bytes(canonical_bytes(OTHER | {"sha256": "0" * 64}))
    with pytest.raises(PomgcheckError, match="0000"):
        report([tmp_path / "a.cert.json", tmp_path / "b.cert.json"], tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()
