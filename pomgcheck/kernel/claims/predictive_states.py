"""Assumption 3.1(d): what one model can show, all can."""

from __future__ import annotations

from ..case import PROVED, Case, Claim, OnIntervals, Outcome, impossible_elsewhere
from ..reading import Object, mapping, take


def outcome(case: Case) -> Outcome:
    """Return whether every full trajectory possible under one model is possible under all: a prefix possible under xi
    and not under xi' extends to such a trajectory, so these decide."""
    possible = all(play.increments[0] is not None for play in case.facts.plays)
    return PROVED if possible else Outcome("refuted", {})


def on_intervals(case: Case, evidence: Object) -> None:
    """Check that every trajectory is impossible in all models or has positive probability on the whole class."""
    from ..goals import settle

    take(evidence, f"{case.id}.evidence", ("rule", "trees"))
    settle(case, case.facts.continuum.positive(), mapping(evidence["trees"], f"{case.id}.trees"))


INTERVALS = OnIntervals((), on_intervals)
CLAIM = Claim("predictive-states", "Assumption 3.1(d)", outcome, witness=impossible_elsewhere, intervals=INTERVALS)
