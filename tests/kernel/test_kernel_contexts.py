"""Contexts of Assumption 2.4: which of them pose a problem of their own."""

from __future__ import annotations

from typing import Any

import pytest

from pomgcheck.kernel.claims.weak_revealing import reachable_alpha
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.problems import problems
from tests.kernel.test_kernel_eval import QUIET
from tests.search import small, truth


def facts(document: Any, kappa: int, scope: str) -> Facts:
    reveal = {"form": "literal", "scope": scope, "tol": "1/10"}
    return Facts(Game(document), QUIET | {"space": "window", "kappa": kappa, "weak_revealing": reveal})


def remembering() -> Any:
    """Four steps in which one policy plays, at the third, what it saw at the first."""
    document = small.drift()
    document["game"]["horizon"] = 4
    for moves in document["worlds"]["transition"]:
        moves[1] = [["1", "0"], ["1", "0"]]  # the second action ends the alarm
    rows = [[["1", "0"]] * 2 ** min(h + 1, 3) for h in range(4)]
    watch = [*rows[:2], [["1", "0"]] * 4 + [["0", "1"]] * 4, rows[3]]
    document["policies"] = {"window": 3, "list": {"idle": {"steps": rows}, "watch": {"steps": watch}}}
    return document


def asked(document: Any, kappa: int, scope: str) -> set[tuple[int, tuple[str, ...]]]:
    """The steps and memories at which there is a problem."""
    return {(p.place["h"], tuple(p.place["learner_part"])) for p in problems(facts(document, kappa, scope))}


def test_two_observations_ahead_what_the_learner_remembers_counts() -> None:
    """With kappa = 2 the law of the observations ahead is that of the action after the next, which this policy takes by
    its memory: each memory of the second step poses its own problem.  With kappa = 1 none depends on the memory."""
    assert {(1, ()), (2, ("o0",)), (2, ("o1",))} == asked(remembering(), 2, "simplex")
    assert {(1, ())} >= {place for place in asked(remembering(), 1, "simplex") if place[0] == 1}
    assert not {place for place in asked(remembering(), 1, "simplex") if "o1" in place[1]}


@pytest.mark.parametrize(
    ("part", "step", "other"),
    [
        ("transition", 2, [[[["1/3", "2/3"]] * 2] * 2, [[["0", "1"]] * 2] * 2]),
        ("learner_emission", 3, [["1", "0"], ["1/4", "3/4"]]),
    ],
)
def test_two_observations_ahead_the_tables_of_later_steps_count(part: str, step: int, other: Any) -> None:
    """Two steps that differ in nothing but how the step after moves, or what the last observation ahead shows, pose problems
    of their own; where no table differs between steps they pose the same, once."""
    document = remembering()
    document["policies"] = {"window": 1, "list": {"idle": [["1", "0"]] * 2, "watch": [["1", "0"]] * 2}}
    worlds = document["worlds"]
    assert {(1, ())} == asked(document, 2, "simplex")
    worlds[part] = {"steps": [other if h == step else worlds[part] for h in range(4)]}
    assert {(1, ()), (2, ())} == asked(document, 2, "simplex")


def test_a_policy_answered_as_another_is_passed_over_and_those_after_it_are_not() -> None:
    """Of three policies, two of which are answered alike, the first and the last pose problems."""
    document = remembering()
    rows = [["1", "0"]] * 2
    document["policies"] = {"window": 1, "list": {"again": rows, "idle": rows, "watch": rows}}
    document["responses"]["table"]["again"] = document["responses"]["table"]["idle"]
    posed = {p.place["pi"] for p in problems(facts(document, 1, "simplex"))}
    assert {"again", "watch"} == posed


def test_at_states_that_are_reached_every_step_and_memory_is_asked() -> None:
    """States are reached step by step and memory by memory: problems with the same laws are asked again at each."""
    assert {(1, ()), (2, ("o0",)), (2, ("o1",))} <= asked(remembering(), 1, "reachable")
    assert {1, 2, 3} == {h for h, _ in asked(remembering(), 1, "reachable")}


@pytest.mark.parametrize("kappa", [1, 2])
def test_a_policy_that_mixes_is_taken_with_its_chances(kappa: int) -> None:
    """The least ratio of a class with policies that mix their actions is that of plain enumeration."""
    document = small.drift()
    document["game"]["horizon"] = 3
    for moves in document["worlds"]["transition"]:
        moves[1] = [["(-x+2)/2", "x/2"]] * 2
    document["policies"]["list"] = {"idle": [["1/3", "2/3"], ["1", "0"]], "watch": [["1/5", "4/5"], ["2/7", "5/7"]]}
    known = facts(document, kappa, "reachable")
    least = min(signal / difference for signal, difference in truth.sampled(known.game, known.options))
    assert {"alpha_lower": str(least), "alpha_upper": str(least)} == reachable_alpha(known).values
