"""Assumption 2.4 where the predictive states are mixtures of many pure states: corridors, seen modulo a few numbers."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.importers import import_model
from pomgcheck.search.claims import weak_revealing_cover
from tests.search.checked import found

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
    monkeypatch.setattr(weak_revealing_cover, "EDGES", 0)
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
