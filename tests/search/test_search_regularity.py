"""Assumption 3.1(a)-(d) and (f) by the search: through the kernel and against brute.py."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from tests.search import small
from tests.search.checked import found
from tests.search.classes import documents

CLAIMS = ("well-specified", "covering", "bounded-increments", "predictive-states", "warmup-stationary")
INSIDE = {"worlds": {"x": "1/8"}, "responses": {"y": "1/4"}}
OUTSIDE = {"worlds": {"x": "1/16"}, "responses": {"y": "1/4"}}


@pytest.mark.parametrize(("truth", "verdict"), [(None, "declared"), (INSIDE, "proved"), (OUTSIDE, "refuted")])
def test_the_truth_is_looked_up_in_the_class(truth: Any, verdict: str) -> None:
    """(a) is proved or refuted by a stated truth, and declared without one."""
    document = small.drift(**({} if truth is None else {"truth": truth}))
    assert verdict == found(document, "well-specified")[0]["verdict"]


def test_models_are_counted_once() -> None:
    """(b): a parameter that nothing depends on makes no new model: 2 worlds, 1 response."""
    document = small.drift()
    document["responses"]["table"]["watch"] = [["3/4", "1/4"]]
    assert {"log_of": "2"} == found(document, "covering")[0]["values"]["log_covering_upper"]


def test_largest_ratio_is_the_one_worked_out() -> None:
    """(c): one step from one state, chances of o0 of 1/2 and 1/4 and of o1 of 1/2 and 3/4: the ratio is 2."""
    document = small.gauge([["(-x+2)/4", "(x+2)/4"]], [[["1"]]], horizon=1)
    assert {"log_of": "2"} == found(document, "bounded-increments")[0]["values"]["B0_upper"]


def test_an_impossible_trajectory_refutes() -> None:
    """(c) and (d): a trajectory that only one world allows is shown with its probability."""
    document = small.gauge([["(-x+2)/2", "x/2"]], [[["1"]]], horizon=1)
    bounded, predictive = found(document, "bounded-increments", "predictive-states")
    for entry in (bounded, predictive):
        assert "refuted" == entry["verdict"]
        assert ("1/2", ["o1", "a0"]) == (entry["witness"]["probability"], entry["witness"]["trajectory"])


def test_fading_memory_states_its_constants() -> None:
    """(f): Theorem 5.2's gamma as given and L_g = half the largest l1 distance of responses, 2y/2 = 1/4."""
    document = small.drift()
    document["responses"] = {"block_rule": "fading", "gamma": "9/10"} | {
        key: value for key, value in document["responses"].items() if key not in ("block_rule", "memory")
    }
    assert {"gamma": "9/10", "L_g": "1/4"} == found(document, "warmup-stationary")[0]["values"]


def faded(**responses: Any) -> Any:
    """The class of drift with fading memory and other responses."""
    document = small.drift()
    kept = {key: value for key, value in document["responses"].items() if key not in ("block_rule", "memory")}
    document["responses"] = kept | {"block_rule": "fading", "gamma": "9/10"} | responses
    return document


def test_fading_memory_on_an_interval_is_decided_where_responses_differ_most() -> None:
    """L_g is the largest over all of Psi: at the corner y = z = 1/2, at another one of a square, and at the vertex
    y = 1/2, z = 1/4 that a constraint leaves; no sampled response has more. Responses that differ alike everywhere need no
    bound."""
    axes = {"y": {"interval": ["1/8", "1/2"]}, "z": {"interval": ["0", "1/2"]}}
    table = dict.fromkeys(small.drift()["responses"]["table"], [["1", "0"]])
    last = sorted(table)[-1]
    table[last] = [["1-y*z-y", "y*z+y"]]
    entry = found(faded(parameters=axes, table=table), "warmup-stationary")[0]
    assert {"gamma": "9/10", "L_g": "3/4"} == entry["values"]
    for y, z in ((Fraction(1, 3), Fraction(1, 5)), (Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 8), Fraction(0))):
        assert y * z + y <= Fraction(entry["values"]["L_g"])
    squared = table | {last: [["1-y^2", "y^2"]]}
    under = {"constraints": ["-y-z+3/4 >= 0"]}
    apart = {"table": table | {last: [["0", "1"]]}}
    for L_g, responses in (("1/4", {"table": squared}), ("5/8", {"table": table} | under), ("1", apart)):
        responses = {"parameters": axes} | responses
        assert {"gamma": "9/10", "L_g": L_g} == found(faded(**responses), "warmup-stationary")[0]["values"]


@settings(max_examples=30)
@given(documents(full=True))
def test_any_class(document: Any) -> None:
    """Each clause is decided as brute force decides it (truth.py)."""
    full = "full" in (document["policies"]["window"], document["responses"]["window"])
    entries = found(document, *CLAIMS, space="history" if full else "window")
    assert all(entry["verdict"] in ("proved", "refuted", "declared") for entry in entries)
