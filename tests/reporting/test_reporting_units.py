"""Regrets in the unit of a model's own rewards, read off the sentence that an importer writes."""

from __future__ import annotations

from fractions import Fraction as F

import pytest

from pomgcheck import gallery
from pomgcheck.certificate import Certificate
from pomgcheck.importers.scene import scale
from pomgcheck.learner.record import RecordedRun
from pomgcheck.reporting.pages import runs
from pomgcheck.reporting.render import text
from pomgcheck.reporting.units import Unit, unit
from tests.reporting import samples


@pytest.mark.parametrize(
    ("owner", "what", "low", "high", "expected"),
    [
        ("game", "payoff in chips", F(-2), F(2), Unit("chips", F(4))),
        ("file", "reward", F(0), F(1, 3), Unit("the file's units", F(1, 3))),
        ("file", "payoff", F(-1, 10**12), F(9, 10**12), Unit("the file's units", F(1, 10**11))),
        ("file", "reward", F(-7, 3), F(-4, 3), Unit("the file's units", F(1))),
        ("game", "payoff", F(5), F(5), None),
        ("game", "payoff", F(0), F(1), None),
    ],
)
def test_every_scale_that_is_written_is_read(owner: str, what: str, low: F, high: F, expected: Unit | None) -> None:
    """How many of the unit a reward of 1 is; nothing where there is no scale."""
    assert expected == unit({"source": f"some file; {scale(owner, what, low, high)}, paid at the end"})


def test_a_class_of_its_own_has_none() -> None:
    """Classes without a source keep to rewards; Kuhn poker's are chips."""
    assert unit(dict(gallery.load("patrol").document)) is None
    assert Unit("chips", F(4)) == unit(dict(gallery.load("kuhn").document))


def test_the_report_of_a_run_says_chips() -> None:
    """Mean and spread are scaled, for every algorithm."""
    record = RecordedRun.of(samples.run_record())
    (paragraph,) = runs.own_unit(record, Certificate({"model": dict(gallery.load("kuhn").document)}))
    told = text.plain(paragraph.text).replace("\xa0", " ")
    assert "Regret in chips, 4 for a reward of 1: epoch-omle 10.0 ± 4.0, epoch-fixed 10.0 ± 4.0." == told
    assert [] == runs.own_unit(record, Certificate({"model": dict(gallery.load("patrol").document)}))
    assert [] == runs.own_unit(record, None)
