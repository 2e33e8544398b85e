"""Forgeries of Assumption 3.1(b): nets that are too small."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.editing import claim, drop, put
from tests.kernel.forged import Forgery, added, distinct, evidence, refuses, value

C = "covering"
NONE: dict[str, Any] = {"values": {}, "evidence": None}


FORGERIES = distinct(
    # finite classes
    Forgery(
        "fewer models in the cover",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", "log_of", to="3"),),
        "covering eval: found log_covering_upper = {'log_of': '3'}",
    ),
    Forgery(
        "more models in the cover",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", "log_of", to="5"),),
        "covering eval: found log_covering_upper = {'log_of': '5'}",
    ),
    Forgery(
        "the covering number for its logarithm",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", to="4"),),
        "covering eval: found log_covering_upper = 4",
    ),
    Forgery(
        "one model covers",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", "log_of", to="1"),),
        "covering eval: found log_covering_upper = {'log_of': '1'}",
    ),
    Forgery(
        "no cover is needed",
        "drift",
        (claim("covering", verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "covering eval: found vacuous",
    ),
    Forgery(
        "a Lipschitz constant of a finite class",
        "drift",
        (added("claims", "covering", "values", by={"covering_lipschitz_upper": "0"}),),
        "covering values: found ['covering_lipschitz_upper', 'log_covering_upper']",
    ),
    Forgery(
        "a grid of a finite class",
        "drift",
        (added("claims", "covering", "evidence", by={"grid": {}}),),
        "covering read covering.evidence: found the unknown key 'grid'",
    ),
    Forgery(
        "the class has no finite cover",
        "drift",
        (claim("covering", verdict="refuted", witness={}, **NONE),),
        "covering eval: found refuted",
    ),
    Forgery(
        "the cover is assumed",
        "drift",
        (evidence("covering", "rule", to="assume"),),
        "covering assume: found this rule",
    ),
    Forgery(
        "a cover with a lower end",
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", to={"lower": "1", "upper": "4"}),),
        "covering eval: found log_covering_upper = {'lower': '1', 'upper': '4'}",
    ),
    # interval axes
    Forgery(
        "a grid of a point less",
        "interval",
        (
            evidence(C, "grid", "theta.x", to=6144),
            put("claims", C, "values", "log_covering_upper", "log_of", to="6144"),
        ),
        "covering box: found a column of J that moves by 1/32768 within a square of the grid",
    ),
    Forgery(
        "a grid smaller than it says",
        "interval",
        (put("claims", C, "values", "log_covering_upper", "log_of", to="6144"),),
        "covering box: found 6144 points and a slope of 3/8",
    ),
    Forgery(
        "a grid without an axis",
        "interval-bandit",
        (
            drop("claims", C, "evidence", "grid", "theta.mu2"),
            put("claims", C, "values", "log_covering_upper", "log_of", to="12290"),
        ),
        "covering box: found a column of J that moves by 3/8 within a square of the grid",
    ),
    Forgery(
        "a grid along an axis that is not there",
        "interval",
        (added("claims", C, "evidence", "grid", by={"theta.y": 1}),),
        "covering box: found 1 points along theta.y",
    ),
    Forgery(
        "a grid of true points",
        "interval",
        (evidence(C, "grid", "theta.x", to=True),),
        "covering box: found True points along theta.x",
    ),
    Forgery(
        "a grid of no points",
        "interval",
        (evidence(C, "grid", "theta.x", to=0),),
        "covering box: found 0 points along theta.x",
    ),
    Forgery(
        "a grid of a negative number of points",
        "interval",
        (evidence(C, "grid", "theta.x", to=-6145),),
        "covering box: found -6145 points along theta.x",
    ),
    Forgery(
        "columns of J are flatter",
        "interval",
        (value(C, covering_lipschitz_upper="1/8"),),
        "covering box: found 6145 points and a slope of 1/8",
    ),
    Forgery(
        "the grid of an episode less",
        "interval",
        (put("options", "T", to=16385),),
        "covering box: found a column of J that moves by 3/98320 within a square of the grid, required 1/32774",
    ),
    Forgery(
        "columns of J are flatter, and the net is larger",
        "interval",
        (value(C, log_covering_upper={"log_of": "6146"}, covering_lipschitz_upper="1/8"),),
        "covering box: found 6146 points and a slope of 1/8",
    ),
    Forgery(
        "a slope a unit too flat",
        "interval-splits",
        (evidence(C, "bounds", "+1-2*theta.x", to=["-1", "999999/1000000"]),),
        "covering box: found no proof of -1+2000000*theta.x >= 0",
    ),
    Forgery(
        "a grid of half squares where a constraint takes whole ones",
        "interval-tied",
        (
            evidence(C, "grid", to={"theta.x": 28676, "theta.y": 28676}),
            put("claims", C, "values", "log_covering_upper", "log_of", to="822312976"),
        ),
        "covering box: found a column of J that moves by 7/114704 within a square of the grid",
    ),
    Forgery(
        "one cell where there are two",
        "interval-answers",
        (put("claims", C, "values", "log_covering_upper", "log_of", to="4723201"),),
        "covering box: found 4723201 points and a slope of 15/8",
    ),
    Forgery(
        "a number of models in a class without kernels",
        "own-interval",
        (claim(C, verdict="proved", values={"log_covering_upper": {"log_of": "2"}}, evidence={"rule": "eval"}),),
        "covering eval: found proved, required unknown, since an axis is an interval",
    ),
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)
