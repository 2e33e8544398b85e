"""``run`` on interval axes: its record, its replay, its report, its refusals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.cli.run import shown
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.check import verify
from pomgcheck.kernel.game import Game
from pomgcheck.learner import replay, run
from pomgcheck.learner.record import RecordedRun, RunRecord
from pomgcheck.modelclass.document import load
from pomgcheck.reporting.pages import runs
from pomgcheck.reporting.render import text
from pomgcheck.search.certify import certify
from tests.learner import continua


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The embedded bandit with two arms of any mean in [1/8, 7/8], as far as runs need it."""
    found: Certificate = certify(load(continua.DOCUMENTS["two-arms"]()), only=("covering", "bounded-increments"))
    return found.save(tmp_path_factory.mktemp("arms") / "arms.cert.json")


@pytest.fixture(autouse=True)
def _the_gate_is_tested_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel accepts the certificate; that its other claims are proved as well is taken for granted here."""

    def verified(path: Any, model: Any) -> tuple[Certificate, Game]:
        verdict = verify(path, model)
        assert verdict.accepted
        assert verdict.certificate is not None
        summary = verdict.certificate["summary"] | {"certified": True}
        return Certificate(verdict.certificate | {"summary": summary}), Game(verdict.certificate["model"])

    for module in (run, replay):
        monkeypatch.setattr(module, "verified", verified)


def played(certificate: Path, **arguments: Any) -> RunRecord:
    """A short run at a truth that is no grid point."""
    given: dict[str, Any] = {"episodes": 60, "seeds": 2, "truth": continua.TRUTHS["two-arms"]} | arguments
    return run.run(certificate, **given)


def test_the_record_says_how_it_was_planned_and_replays(certificate: Path, tmp_path: Path) -> None:
    """Closed form by default, a net if asked for, its points and errors; both replay byte for byte."""
    closed, net = played(certificate, algorithm="all"), played(certificate, net="1", constants="practical")
    found = [record.document["runs"][0]["constants"] for record in (closed, net)]
    arms = {"kind": "closed form", "arms": "2", "interval": "[1/8, 7/8]", "value_error": "1/4294967296"}
    assert arms == found[0]["oracle"]
    assert {"kind": "net", "points": "36", "error": "1", "value_error": "1", "asked": "1"} == found[1]["oracle"]
    assert found[1]["radius"].endswith("; plus n error after n data episodes")
    assert "2 log ceil(3/eps), eps = 2^-ceil(log2(n+2)) at n data episodes" == found[0]["log_covering_upper"]
    for name, record in (("closed", closed), ("net", net)):
        path = record.save(tmp_path / f"{name}.run.json")
        assert replay.verify_run(path, certificate, replay=True).line.endswith("replayed 2 seeds")


@pytest.mark.parametrize(
    ("arguments", "guarantee"),
    [
        ({}, "Theorem 3.3 with probability at least 1 − 2δ"),
        ({"net": "1"}, "Theorem 3.3 on a net (docs/net.md) with probability at least 1 − 2δ"),
        ({"net": "1", "constants": "practical"}, "none (practical constants)"),
        ({"net": "1", "algorithm": "epoch-fixed"}, "none (no termination test)"),
    ],
)
def test_the_record_says_whether_the_guarantee_holds(
    certificate: Path, arguments: dict[str, Any], guarantee: str
) -> None:
    """The theorem's constants on a net have the guarantee of docs/net.md; in closed form the theorem's own."""
    assert guarantee == played(certificate, **arguments).document["runs"][0]["guarantee"]


def test_a_shorter_run_is_a_prefix_under_the_same_net(certificate: Path) -> None:
    """Theorem 5.1: with a net that was asked for, the shorter run's epochs are the longer one's first."""
    short, long = (
        played(certificate, net="1", episodes=T, constants="practical").document["runs"][0]["seeds"][0]["epochs"]
        for T in (40, 90)
    )
    whole = [epoch for epoch in short if epoch["ended"] != "horizon"]
    assert whole == long[: len(whole)]
    assert len(whole) > 2


def test_a_net_too_fine_is_refused_with_one_that_fits(certificate: Path) -> None:
    """The count before any memory is taken, and what to ask for instead."""
    with pytest.raises(LimitExceeded, match=r'net: found 144,000,000 squares .* use a coarser net, "1/16", whose'):
        played(certificate, net="1/2000")


def test_a_truth_outside_the_class_is_refused(certificate: Path) -> None:
    """Any rational point of the box, and no other."""
    with pytest.raises(InputError, match=r"truth.worlds: found \(mu1 = 1, mu2 = 1/2\), required a point of the class"):
        played(certificate, truth={"worlds": {"mu1": "1", "mu2": "1/2"}, "responses": {}})
    with pytest.raises(InputError, match="required a point of the class"):
        played(certificate, truth={"worlds": {"mu1": "1/2"}, "responses": {}})


def test_the_report_says_what_was_planned_with(certificate: Path) -> None:
    """A row of the set-up, in words; the constants' table leaves it out."""
    for net, words in ((None, "2 Bernoulli arms with means in [1/8, 7/8], in closed form"), ("1", "a net of ")):
        record = RecordedRun.of(played(certificate, net=net, constants="practical").document)
        rows = {text.plain(key): text.plain(value) for key, value in runs.setup_table(record).rows}
        assert words in rows["Planned with"]
        assert "oracle" not in {text.plain(row[0]) for row in runs.constants_table(record).rows}


def test_the_command_says_what_was_planned_with(certificate: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line above the table of results."""
    for net, words in (
        (None, "Planned in closed form: 2 Bernoulli arms with means in [1/8, 7/8]"),
        ("1", "Planned with a net of 36 models; log-likelihoods are within 1 per episode"),
    ):
        shown(RecordedRun.of(played(certificate, net=net).document))
        assert words in capsys.readouterr().out
