"""What rule tests asks of vertices whose laws have not the same windows, or none."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from pomgcheck.kernel import simplex
from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.claims import weak_revealing
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.polynomials import divisors, inverse, polynomial, value, variable
from pomgcheck.kernel.problems import problems
from pomgcheck.kernel.reading import Malformed
from pomgcheck.kernel.simplex import Proof, Rules, mixed
from tests.kernel.forged import base

LEFT: Any = (1, 0, {(0,): 1}, {(0,): 1}, {"v": 1})  # Z, dZ, M, dM, dW: the first window alone, and one coordinate of W
RIGHT: Any = (1, 0, {(1,): 1}, {(1,): 1}, {"w": 1})


def proof(form: str, scope: str = "simplex") -> Proof:
    """A proof that alpha = 1, with two windows and two coordinates of W."""
    certificate = json.loads(base("drift"))
    reveal = certificate["options"]["weak_revealing"] | {"form": form, "scope": scope}
    case = Case(
        Facts(Game(certificate["model"]), certificate["options"] | {"weak_revealing": reveal}), "weak-revealing", {}
    )
    found = Proof(Rules(case, Fraction(1), [], []), next(problems(case.facts)))
    windows: list[Any] = [(0,), (1,)]
    channel: list[Any] = ["v", "w"]
    found.windows, found.channel, found.shared = windows, channel, True
    return found


@pytest.mark.parametrize("unit", [1, 2])
def test_a_factor_is_asked_at_windows_that_a_vertex_has_not(unit: int) -> None:
    """dW = dM at both vertices, each with one window of its own: the identity is a factor, of column sums one, over any
    unit; with its columns exchanged, or a third of it, it is none."""
    joint = proof("joint")
    joint.factored((((unit, 0), (0, unit)), unit), {}, [LEFT, RIGHT])
    for rows in (((0, unit), (unit, 0)), ((unit, unit), (0, unit)), ((unit, 0), (unit, unit))):
        with pytest.raises(Rejected, match="a matrix P with P dM unlike dW"):
            joint.factored((rows, unit), {}, [LEFT, RIGHT])
    with pytest.raises(Rejected, match="a matrix P with P dM unlike dW"):
        joint.factored((((unit, 0), (0, unit)), 3), {}, [LEFT, RIGHT])


def test_a_mixture_has_the_windows_of_both() -> None:
    """A third of one and two thirds of the other, where each lacks what the other has."""
    third = Fraction(1, 3)
    windows = {(0,): 2 * third, (1,): third}
    assert (1, 0, windows, windows, {"v": 2 * third, "w": third}) == mixed(LEFT, RIGHT, third)


@pytest.mark.parametrize("form", ["literal", "joint"])
def test_a_vertex_where_w_changes_unseen_is_asked(form: str) -> None:
    """A change of W that no window shows is no ratio above zero, in the joint form even where o is impossible."""
    hidden: Any = (0 if form == "joint" else 1, 0, {}, {}, {"v": 1})
    y = ((1, -1), 1)
    assert proof(form).tested(y, {}, [(1, 0, {}, {}, {})])
    assert not proof(form).tested(y, {}, [hidden])


@pytest.mark.parametrize(
    ("there", "shown"),
    [
        ({"v": 1}, True),
        ({"v": 1, "w": -1}, True),
        ({"v": -1}, False),
        ({"v": 0}, False),
        ({}, False),
        ({"w": 1}, False),
    ],
)
def test_between_signals_of_opposite_sign_w_changes_one_way(
    there: dict[str, int], shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A zero of the signal between two q refutes 2.4 if one coordinate of (W'-W)q has one sign at both, so that it is
    not zero between them: not if it is zero at one, or changes its sign too."""
    case = proof("literal").rules.case
    problem = next(problems(case.facts))._replace(columns=[LEFT, RIGHT])
    ends = iter([({(0,): 1}, {"v": 1}), ({(0,): -1}, there)])
    monkeypatch.setattr(weak_revealing, "read_problem", lambda *_: problem)
    monkeypatch.setattr(weak_revealing, "read_state", lambda *_: next(ends))
    place = {"q": [], "q_other": [], "signal": "1", "signal_other": "-1"}
    if shown:
        weak_revealing.revealing_witness(case, place)
    else:
        with pytest.raises(Rejected, match="no change of sign"):
            weak_revealing.revealing_witness(case, place)


@pytest.mark.parametrize(
    ("form", "scope", "windows", "shown"),
    [
        ("literal", "simplex", 2, True),
        ("joint", "simplex", 2, False),
        ("literal", "reachable", 2, False),
        ("literal", "simplex", 3, False),
    ],
)
def test_a_change_of_sign_is_a_zero_between_with_two_windows_on_the_simplex_alone(
    form: str, scope: str, windows: int, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With three windows one part of the signal may vanish where another does not; in the joint form the signal is not
    what is shown; and no q between two that are reached need be reached."""
    case = proof(form, scope).rules.case
    columns: list[Any] = [LEFT, RIGHT, (1, 0, {(n,): 1 for n in range(windows)}, {}, {})]
    problem = next(problems(case.facts))._replace(columns=columns)
    ends = iter([({(0,): 1}, {"v": 1}), ({(0,): -1}, {"v": 1})])
    monkeypatch.setattr(weak_revealing, "read_problem", lambda *_: problem)
    monkeypatch.setattr(weak_revealing, "read_state", lambda *_: next(ends))
    place = {"q": [], "q_other": [], "signal": "1", "signal_other": "-1"}
    if shown:
        weak_revealing.revealing_witness(case, place)
    else:
        with pytest.raises(Rejected, match="two windows, signals as shown" if windows > 2 else "no change of sign"):
            weak_revealing.revealing_witness(case, place)


@pytest.mark.parametrize(
    ("ratios", "verdict", "alpha"),
    [
        ([(3, 2), (1, 2), (0, 0), None], "proved", "1/2"),
        ([(3, 2), (0, 2)], "refuted", None),
        ([(1, 0), None], "vacuous", None),
    ],
)
def test_at_reached_states_every_ratio_counts_where_w_changes(
    ratios: list[Any], verdict: str, alpha: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal of zero refutes, wherever W changes; where it does not, or no observation is possible, nothing is asked."""
    facts = proof("literal", "reachable").rules.case.facts
    problem = next(problems(facts))
    monkeypatch.setattr(weak_revealing, "problems", lambda _: [problem] * len(ratios))
    monkeypatch.setattr(weak_revealing, "reached", lambda _: {problem.context[4:6]: {()}})
    ends = iter([pair and tuple(map(Fraction, pair)) for pair in ratios])
    monkeypatch.setattr(weak_revealing, "ratio", lambda *_: next(ends))
    found = weak_revealing.reachable_alpha(facts)
    assert (verdict, alpha) == (found.verdict, found.values.get("alpha_lower"))


def test_a_state_has_memories_of_the_step_of_its_place() -> None:
    """Where the adversary remembers all, a q at the first step has no memory, though the place's policy is the second."""
    certificate = json.loads(base("drift-history"))
    case = Case(Facts(Game(certificate["model"]), certificate["options"]), "weak-revealing", {})
    problem = next(each for each in problems(case.facts) if (1, 0) == each.context[3:5])
    assert {()} == {part for _, part in problem.states}
    game = case.facts.game
    with pytest.raises(Malformed, match="a memory of that step"):
        weak_revealing.read_state(case, problem, [[game.S[0], [game.OB[0], game.B[0]], "1"]])


@pytest.mark.parametrize("power", [0, 1, 2])
def test_a_change_of_w_is_bounded_on_both_sides_with_its_divisors(power: int) -> None:
    """With y = x - 1/4 in [0,1], 1/10 - 27 y (1-y)^2 is 1/10 at the ends, -131/40 at the middle and -39/10 at 1/3; over a
    power of x, which is small at one end, its bound is one at every point still."""
    x = variable("x")
    y, over = x - Fraction(1, 4), inverse(x)
    p = (polynomial(Fraction(1, 10)) - y * (1 - y) * (1 - y) * 27) * over**power
    found = proof("joint")
    found.problem = found.problem._replace(signs=dict.fromkeys(divisors([over]), 1))
    bound = polynomial(found.magnitude(p, {"x": (Fraction(1, 4), Fraction(5, 4))}))
    for at in ({"x": Fraction(1, 4) + Fraction(n, 48)} for n in range(49)):
        assert value(bound, at) >= abs(value(p, at))


@pytest.mark.parametrize("power", [1, 2, 3])
def test_a_bound_over_a_power_of_a_divisor_has_that_power(power: int) -> None:
    """3/4 - x in [1/4, 5/4] is 1/2 and -1/2 at the ends; over x^n it is 4^n/2 where x is least, as its bound is there."""
    x = variable("x")
    over = inverse(x)
    found = proof("joint")
    found.problem = found.problem._replace(signs=dict.fromkeys(divisors([over]), 1))
    box = {"x": (Fraction(1, 4), Fraction(5, 4))}
    bound = polynomial(found.magnitude((Fraction(3, 4) - x) * over**power, box))
    assert Fraction(4**power, 2) == value(bound, {"x": Fraction(1, 4)})


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_between_two_cells_the_step_is_the_factor_that_differences_are_over(
    factor: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """t is 1 there, so that over a factor f the chance at the other model is Z + f dZ, with dZ divided by f."""
    found = proof("literal")
    assert found.problem.chart.step is None
    monkeypatch.setattr(simplex, "over", lambda *_: (polynomial(factor), []))
    vertices, _ = found.opened([])
    assert polynomial(factor) == polynomial(found.step)
    assert [column[1] for column in found.problem.columns] == [value(polynomial(v[1] * factor), {}) for v in vertices]
