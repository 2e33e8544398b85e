"""Assumption 2.4 where the predictive states are mixtures of many pure states: corridors, seen modulo a few numbers."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.importers import import_model
from pomgcheck.kernel.game import Game
from pomgcheck.search.claims import weak_revealing_cover, weak_revealing_simplex
from pomgcheck.search.claims.weak_revealing_problems import Problems
from pomgcheck.search.claims.weak_revealing_simplex import SubSimplex
from pomgcheck.search.exact.tables import Tables
from tests.search.checked import found

ACCEPTED = Path(__file__).parents[1] / "accepted"
STATES, SEEN = 14, 4


@pytest.fixture
def corridor(tmp_path: Path) -> Any:
    """A document of a move in a corridor that closes on itself, with an unknown of a kind; rooms show their number
    modulo some, or one more."""

    def made(unknown: str, modulo: int) -> Any:
        lines = ["discount: 1", "values: reward", f"states: {STATES}", "actions: 2", f"observations: {SEEN}"]
        lines += ["start: uniform"]
        for a in range(2):
            for s in range(STATES):
                lines += [f"T: {a} : {s} : {(s + a) % STATES} 0.7", f"T: {a} : {s} : {(s + a + 1) % STATES} 0.3"]
                lines += [f"O: {a} : {s} : {s % modulo} 0.8", f"O: {a} : {s} : {(s % modulo + 1) % SEEN} 0.2"]
        path = tmp_path / "corridor.pomdp"
        path.write_text("\n".join([*lines, "R: 1 : * : * : * 1"]) + "\n")
        model = import_model(path, horizon=1, unknown=f"{unknown}:x=1/10,1/5", policies="routing")
        return model.game.document

    return made


@pytest.mark.parametrize("many", [weak_revealing_cover.MANY, 1000], ids=["first", "last"])
def test_a_mixture_that_shows_nothing_is_found(corridor: Any, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the corridor may slip to anywhere, two worlds show the same from a mixture of more than two rooms, no edge of
    the simplex; a linear program finds it whether it is asked before all else or when a problem is covered."""
    monkeypatch.setattr(weak_revealing_cover, "MANY", many)
    (entry,) = found(corridor("transition", SEEN), "weak-revealing")
    assert "refuted" == entry["verdict"]
    assert "0" == entry["witness"]["signal"]
    assert 2 < len(entry["witness"]["q"])


def test_many_pure_states_are_covered_at_the_least_ratio(corridor: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where what is seen may be blurred, no coordinate of W - W' has two signs, so that one test function a problem shows
    the least ratio, which a mixture attains that no vertex or edge of the simplex tells of."""
    monkeypatch.setattr(weak_revealing_simplex, "EDGES", 0)
    (entry,) = found(corridor("emission", SEEN - 1), "weak-revealing")
    lower, upper = (Fraction(entry["values"][f"alpha_{end}"]) for end in ("lower", "upper"))
    assert 0 < lower <= upper <= lower * (1 + Fraction(1, 10**5))
    assert 2 < len(entry["evidence"]["attained"]["q"])
    assert {"test"} == {each["tree"][0] for each in entry["evidence"]["trees"]}


def test_what_no_effort_reaches_is_shown_by_single_test_functions(
    corridor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A class over the budget keeps the bound that one test function a problem shows."""
    monkeypatch.setattr(weak_revealing_cover, "WORK", 0)
    (entry,) = found(corridor("emission", SEEN - 1), "weak-revealing")
    assert "proved" == entry["verdict"]
    assert 0 < Fraction(entry["values"]["alpha_lower"]) < Fraction(entry["values"]["alpha_upper"])


def test_half_a_simplex_has_the_data_of_one_made_anew() -> None:
    """Cut off the edges of a simplex, and of what is left: exact data, floats and whether both emissions are one are those
    computed from the vertices."""
    document = json.loads((ACCEPTED / "split-literal.cert.json").read_bytes())["model"]
    met = 0
    for form in ("literal", "joint"):
        for problem in Problems(Tables(Game(document), "window"), 1, form, "simplex"):
            whole = SubSimplex.whole(problem)
            halves = whole.halves(0, 1, Fraction(1, 3))
            for node in (*halves, *(part for half in halves for part in half.halves(1, 0, Fraction(2, 7)))):
                parts = (getattr(problem, name) @ node.weights for name in ("Z", "Z_", "M", "M_", "D"))
                anew = SubSimplex(problem, node.weights, *parts)
                for name in ("Z", "Z_", "M", "M_", "D", "c", "fZ", "fZ_", "fM", "fM_", "fD", "fc"):
                    assert getattr(anew, name).tolist() == getattr(node, name).tolist()
                assert anew.shared == node.shared
                met += 1
    assert met
