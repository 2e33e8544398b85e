"""Cells, tables and laws of a class with interval axes, beside those of its points."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pomgcheck.kernel.continua import Continuum, cells, goal, varies
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.polynomials import text, value, variable
from pomgcheck.options import Options
from tests.kernel.trajectories import trajectories
from tests.search import small
from tests.search.classes import Shape, Tables, small_class

AT = Fraction(1, 3), Fraction(2, 5)


def on_intervals(windows: tuple[int, int]) -> Any:
    """Two observations of the one and three of the other player; all tables are affine in x or in u."""
    document = small_class(Shape(3, 2, 2, 2, 3, 2, 2, 2, 2, windows), Tables(1, 0.2, 1, 0.5))
    for side, name in (("worlds", "x"), ("responses", "u")):
        document[side]["parameters"] = {name: {"interval": ["0", "1"]}}
    return document


@pytest.mark.parametrize("windows", [(2, 1), (2, 2), (1, 2)])
def test_laws_at_a_point_are_those_of_its_model(windows: tuple[int, int]) -> None:
    """Under every policy the same learner sequences are possible at an inner point, as often chosen and as probable."""
    game = Game(on_intervals(windows))
    x, u = map(str, AT)
    facts = Facts(game.subclass([{"x": x}], [{"u": u}]), Options().document)
    laws = Continuum(game, Space(game, "window")).laws
    for law, play in zip(laws, facts.plays, strict=True):
        there = {"theta.x": AT[0], "Phi.u": AT[1]}
        found = {tau: (weight, value(P[0, 0], there)) for tau, (weight, P) in law.items()}
        assert {tau: (weight, P[0, 0]) for tau, (weight, P) in trajectories(play).items()} == {
            tau: each for tau, each in found.items() if each[1]
        }


def test_a_cell_stays_where_its_own_values_meet_the_constraints() -> None:
    """Of a finite axis those values stay that the constraints without intervals allow, the boundary included; what ties
    an interval is kept as a constraint, be it met at zero or not."""
    axes = {"n": {"values": ["0", "1/2", "1", "5/4"]}, "x": {"interval": ["0", "1"]}}
    kept = cells({"parameters": axes, "constraints": ["1-n >= 0", "x-n+1/2 >= 0"]}, "worlds", "theta")
    assert [Fraction(0), Fraction(1, 2), Fraction(1)] == [cell.fixed["n"] for cell in kept]
    assert ["+1+2*theta.x", "+1*theta.x", "-1+2*theta.x"] == [text(c) for cell in kept for c in cell.region.constraints]


@pytest.mark.parametrize("last", [0, 1, 2])
def test_tables_vary_where_one_of_them_is_another(last: int) -> None:
    """Whichever cell has the other table, and whether its entry is less or more; or where an entry has a parameter."""
    for entry in (Fraction(1, 4), Fraction(3, 4)):
        tables = [((Fraction(1, 2), Fraction(1, 2)),)] * 3
        assert not varies(tables)
        tables[last] = ((entry, 1 - entry),)
        assert varies(tables)
    assert varies([((variable("theta.x"), 1 - variable("theta.x")),)])


def test_a_divisor_of_one_parameter_has_its_sign_beside_another() -> None:
    """Each row names one of two parameters; both divisors have a sign on the cell, which is one of its goals, positive or
    negative as the divisor is written."""
    document = small.document(
        "quotients",
        learner=[["1", "0"], ["0", "1"]],
        moves=[[["1/(1+x)", "x/(1+x)"]], [["(1-z)/(2-z)", "1/(2-z)"]]],
        worlds={},
        responses={"table": {"p": [["1"]]}},
    )
    document["worlds"]["parameters"] = {name: {"interval": ["0", "1"]} for name in ("x", "z")}
    known = Continuum(game := Game(document), Space(game, "window"))
    (cell,) = known.thetas
    assert 2 == len(cell.region.signs)
    for symbol, sign in cell.region.signs.items():
        assert sign * value(symbol.divisor, cell.region.centre()) > 0
        assert goal(symbol.divisor * sign, True, cell.region) in list(known.probabilities())
