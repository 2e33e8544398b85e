"""What Theorem N is worth on the classes with interval axes that come with the program, as their certificates say."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import gallery

CERTIFICATES = Path(__file__).parents[2] / "certificates"
LEARNED = {"bandit": "542", "tiger-interval": "1356"}  # docs/bound.md names these
SETTLED = ("drifts", "odds", "opportunist", "patrol-interval", "watch")


def regret(name: str) -> Any:
    """The claim of a class."""
    found = json.loads((CERTIFICATES / f"{name}.cert.json").read_bytes())["claims"]
    return next(claim for claim in found if claim["id"] == "regret")


@pytest.mark.parametrize("name", SETTLED)
def test_one_policy_is_best_on_the_whole_class(name: str) -> None:
    """There is nothing to learn, no list, and the bound says something within dozens of episodes."""
    claim = regret(name)
    assert ["patrol"] == claim["evidence"]["deployed"]
    assert claim["evidence"]["list"] is None
    assert int(claim["values"]["worth_T"]) <= 12


@pytest.mark.parametrize("name", LEARNED)
def test_a_net_says_something_soon(name: str) -> None:
    """Several policies may be best, and the bound is below D T from a T on that docs/bound.md states."""
    claim = regret(name)
    assert len(claim["evidence"]["deployed"]) > 1
    assert LEARNED[name] == claim["values"]["worth_T"]


def test_every_class_with_intervals_has_the_theorem_or_nothing_to_lose() -> None:
    """Proved, with worth_T far below 20,000; vacuous where every policy is best."""
    verdicts = {name: regret(name)["verdict"] for name in gallery.names("continua", "partly")}
    assert {"proved", "vacuous"} == {*verdicts.values()}
    assert ["brewing"] == [name for name, verdict in verdicts.items() if verdict == "vacuous"]


def test_the_tiger_on_intervals_can_lose_what_the_listed_one_can() -> None:
    """The six listed models lie in the class: D is no less, and the policies that may be best are among those kept."""
    wide, listed = regret("tiger-interval"), regret("tiger")
    assert Fraction(wide["values"]["D_lower"]) >= Fraction(listed["values"]["D"])
    played = {each["pi"] for entry in listed["evidence"]["truths"] for each in entry["policies"]}
    assert played <= {*wide["evidence"]["deployed"]}
