"""Contexts of Assumption 2.4: which of them pose a problem of their own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.claims.weak_revealing import reachable_alpha
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.pairs import charts
from pomgcheck.kernel.polynomials import polynomial, variable
from pomgcheck.kernel.problems import Side, problems, quotients, whole
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


def differing(part: str, tables: list[Any]) -> Any:
    """Worlds x in {0, 1} and one policy, with one kind of table given step by step; nothing else differs."""
    document = remembering()
    document["game"]["horizon"] = len(tables)
    document["policies"] = {"window": 1, "list": {"idle": [["1", "0"]] * 2}}
    document["responses"]["table"] = {"idle": document["responses"]["table"]["idle"]}
    worlds = document["worlds"]
    worlds["parameters"] = {"x": {"values": ["0", "1"]}}
    worlds["transition"] = [[[["1/2", "1/2"]] * 2] * 2, [[["1/4", "3/4"]] * 2] * 2]
    worlds[part] = {"steps": tables}
    return document


def moves(rise: str) -> Any:
    """A transition that differs at the first state alone."""
    return [[[[f"1-({rise})", rise]] * 2] * 2, [[["1/4", "3/4"]] * 2] * 2]


def test_a_table_met_in_another_world_at_another_step_is_compared() -> None:
    """One world moves as A and then as C, the other as B and then as A: both steps pose a problem."""
    document = differing("transition", [moves("(1+2*x)/8"), moves("(7-6*x)/8"), moves("1/2")])
    assert {(1, ()), (2, ())} == asked(document, 1, "simplex")


def test_what_is_seen_next_counts_where_steps_are_told_apart() -> None:
    """The third step alone shows less: what the second foretells is a problem of its own though both begin alike."""
    clear, dim = [["3/4", "1/4"], ["1/4", "3/4"]], [["5/8", "3/8"], ["3/8", "5/8"]]
    document = differing("learner_emission", [clear, clear, dim, clear])
    document["worlds"]["transition"] = moves("(1+2*x)/8")
    assert {1, 2} <= {h for h, _ in asked(document, 1, "simplex")}


@pytest.mark.parametrize(("form", "seen"), [("literal", {"o0"}), ("joint", {"o0", "o1"})])
def test_what_one_world_never_shows_is_asked_in_the_joint_form_alone(form: str, seen: set[str]) -> None:
    """Where o1 is impossible in a world the literal ratio has no conditional law there, and the joint one has all."""
    document = differing("learner_emission", [[["1-x/2", "x/2"]] * 2] * 2)
    reveal = {"form": form, "scope": "simplex", "tol": "1/10"}
    known = Facts(Game(document), QUIET | {"space": "window", "kappa": 1, "weak_revealing": reveal})
    assert seen == {p.place["o"] for p in problems(known)}


def test_cells_with_other_constraints_are_other_cells() -> None:
    """Tables that are the same polynomials of x pose problems for z = 0, where x <= 1/2, for z = 1, where x <= 1, and
    between the two."""
    document = differing("transition", [moves("(1+2*x)/8")] * 2)
    document["worlds"]["parameters"] = {"x": {"interval": ["0", "1"]}, "z": {"values": ["0", "1"]}}
    document["worlds"]["constraints"] = ["1+z-2*x >= 0"]
    found = {(p.place["theta"]["z"], p.place["theta_prime"]["z"]) for p in problems(facts(document, 1, "simplex"))}
    assert {("0", "0"), ("0", "1"), ("1", "1")} == found


def test_a_window_or_coordinate_that_one_side_lacks_is_zero_there() -> None:
    """Whichever side has it, its change is all of it; an entry that is a number on one side and moves on the other is
    taken at the second model."""
    (apart,) = charts(Region({}), Region({}))
    star, here = (Side(Region({}), ((Z, M, D),)) for Z, M, D in ((2, {"w": 3}, {"v": 5}), (7, {"u": 4}, {"z": 6})))
    expected = (2, 5, {"w": 3, "u": 0}, {"w": -3, "u": 4}, {"v": -5, "z": 6})
    assert [expected] == quotients(apart, star, here)
    box, x = Region({"x": (Fraction(0), Fraction(1))}), variable("x")
    (chart,) = charts(box, box)
    (found,) = quotients(chart, Side(box, ((1, {}, {}),)), Side(box, ((x, {}, {}),)))
    assert variable("x'-x") + x - 1 == found[1]


def test_columns_in_integers_are_the_columns_times_their_unit() -> None:
    """Every entry, a number or a polynomial, over the unit of its kind is what it was."""
    x = variable("x")
    column: Any = (x / 7, Fraction(1, 11), {"w": Fraction(1, 3), "u": x / 13}, {"w": x / 2}, {"v": x / 5})
    ((Z, dZ, *tables),), chances, masses = whole([column])
    assert [polynomial(column[0]), polynomial(column[1])] == [polynomial(y) * Fraction(1, chances) for y in (Z, dZ)]
    for before, after in zip(column[2:], tables, strict=True):
        assert {key: polynomial(y) for key, y in before.items()} == {
            key: polynomial(y) * Fraction(1, masses) for key, y in after.items()
        }


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
