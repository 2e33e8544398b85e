"""Nets of models: cells that cover their axes, which tables move and by how much, and means of squared rewards."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.continua import Continuum
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nets import KINDS, Cut, begins, earned, nothing, read_axes, rows, spread, squares, within
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.polynomials import value, variable
from pomgcheck.kernel.reading import Malformed
from tests.kernel.forged import base
from tests.kernel.trajectories import trajectories

HALF, BOX = Fraction(1, 2), {"x": (Fraction(0), Fraction(1)), "one": (Fraction(2), Fraction(2))}
ONE = {"ends": ["2", "2"], "points": ["2"]}


def continuum(edit: Any) -> Continuum:
    """``interval-answers`` with rewards that differ from step to step, edited; policy 0 is idle, 1 watches."""
    model = json.loads(base("interval-answers"))["model"]
    model["game"]["reward"] = {"steps": [["1/4", "1/2"], ["0", "1"]]}
    edit(model)
    game = Game(model)
    return Continuum(game, Space(game, "window"))


def test_cells_cover_their_axis_with_a_point_in_each() -> None:
    """From end to end and in order; an axis of one point has one cell."""
    found = read_axes({"x": {"ends": ["0", "1/2", "1"], "points": ["1/2", "1/2"]}, "one": ONE}, BOX, "axes")
    assert [Cut(Fraction(0), HALF, HALF), Cut(HALF, HALF, Fraction(1))] == found["x"]
    assert [Cut(*[Fraction(2)] * 3)] == found["one"]


@pytest.mark.parametrize(
    ("name", "ends", "points"),
    [
        ("x", ["0", "1/2"], ["1/4"]),
        ("x", ["1/2", "1"], ["3/4"]),
        ("x", ["-1", "1"], ["0"]),
        ("x", ["0", "2"], ["1"]),
        ("x", ["0", "1", "1/2", "1"], ["1/2", "1/2", "1/2"]),
        ("x", ["0", "1/2", "1"], ["3/4", "3/4"]),
        ("x", ["0", "1"], []),
        ("one", ["2"], []),
        ("one", [], []),
    ],
)
def test_cells_that_leave_a_part_of_their_axis_out_are_refused(name: str, ends: list[str], points: list[str]) -> None:
    """At either end, by an end or a point out of order, or without any cell."""
    whole = {"x": {"ends": ["0", "1"], "points": ["0"]}, "one": ONE}
    with pytest.raises(Malformed, match="found other cells"):
        read_axes(whole | {name: {"ends": ends, "points": points}}, BOX, "axes")


def test_a_row_is_within_rho_where_its_corners_are() -> None:
    """(x, 1-x) on [1/4, 3/4] against its middle: 2 (x^2 + (1-x)^2) is 5/4 at the ends, and no less is enough; a point at
    which an entry is zero bounds nothing."""
    x = variable("x")
    row, region = (x, 1 - x), Region({"x": (Fraction(1, 4), Fraction(3, 4))})
    axes = {"x": [Cut(Fraction(1, 4), HALF, Fraction(3, 4))]}
    assert within(row, region, axes, Fraction(1, 4))
    assert not within(row, region, axes, Fraction(1, 4) - Fraction(1, 10**9))
    assert not within(row, region, {"x": [Cut(Fraction(0), Fraction(0), Fraction(1))]}, Fraction(10**9))


def test_chi_counts_every_kind_of_table_at_every_step_before_the_last() -> None:
    """Transitions, what the adversary sees and responses move at the first step, what the learner sees at both: chi is
    the product of 1 + rho of each, less one."""

    def all_move(model: Any) -> None:
        worlds, responses = model["worlds"], model["responses"]
        model["game"]["adversary_observations"] = ["d0", "d1"]
        worlds["learner_emission"] = [["1-x", "x"], ["1/4", "3/4"]]
        worlds["adversary_emission"] = [["1/2", "1/2"], ["x", "1-x"]]
        responses["table"] = {"idle": [["1/2", "1/2"]] * 2, "watch": [["1/2", "1/2"], ["y", "1-y"]]}

    known = continuum(all_move)
    found: dict[str, set[int]] = {kind: set() for kind in KINDS}
    tables: dict[str, set[Any]] = {kind: set() for kind in KINDS}
    for kind, h, row, _ in rows(known, [0, 1]):
        found[kind].add(h)
        tables[kind].add(row)
    assert dict(zip(KINDS, ({0, 1}, {0}, {0}, {0}), strict=True)) == found
    x, y = variable("theta.x"), variable("Phi.y")
    assert {(1 - x, x)} == tables[KINDS[0]]
    assert {(x, 1 - x)} == tables[KINDS[1]]
    assert {(y, 1 - y)} == tables[KINDS[3]]
    axes = {name: [Cut(low, (low + high) / 2, high)] for name, (low, high) in known.region(0, 0).box.items()}
    rho = dict(zip(KINDS, (Fraction(1), Fraction(2), Fraction(4), Fraction(6)), strict=True))
    assert 2**2 * 3 * 5 * 7 - 1 == spread(known, [0, 1], axes, rho)
    assert 2**2 * 3 * 5 - 1 == spread(known, [0], axes, rho)
    for kind in KINDS:
        assert spread(known, [0, 1], axes, rho | {kind: Fraction(0)}) is None


def test_a_trajectory_earns_what_every_step_pays() -> None:
    """Of rewards 1/4 and 1/2, then 0 and 1, a trajectory that shows o1 and o1 earns 3/2, and from the second step on 1."""
    game = continuum(lambda model: None).game
    assert [Fraction(3, 2), 1, Fraction(1, 4)] == [
        earned(game, (1, 0, 1, 0)),
        earned(game, (1, 0, 1, 0), 1),
        earned(game, (0, 1, 0, 1)),
    ]


def emission(*rows: list[str]) -> Any:
    """Another emission to the learner."""

    def edit(model: Any) -> None:
        model["worlds"]["learner_emission"] = [*rows]

    return edit


FIXED = emission(["1/4", "3/4"], ["3/4", "1/4"])
BY_CELL = emission(["1-z", "z"], ["1/4", "3/4"])
BY_AXIS = emission(["1-x", "x"], ["1/4", "3/4"])


def paying(*rewards: list[str]) -> Any:
    """Other rewards, step by step, where what the learner sees moves along an axis."""

    def edit(model: Any) -> None:
        BY_AXIS(model)
        model["game"]["reward"] = {"steps": [*rewards]}

    return edit


FIRST_ALIKE = paying(["1/4", "1/4"], ["0", "1"])
LAST_ALIKE = paying(["1/4", "1/2"], ["1", "1"])


@pytest.mark.parametrize(
    ("edit", "first"),
    [(FIXED, 1), (BY_CELL, 0), (BY_AXIS, 0), (FIRST_ALIKE, 1), (LAST_ALIKE, 0)],
    ids=["fixed", "cell", "axis", "first alike", "last alike"],
)
def test_squares_are_those_of_the_rewards_that_models_differ_in(edit: Any, first: int) -> None:
    """The first reward drops out where its mean is one number for all models, whatever later steps pay, and neither
    where two cells have two nor where it moves along an axis; E (f - c)^2 at a point is the sum over its trajectories."""
    known, c = continuum(edit), Fraction(1, 3)
    x, y = Fraction(3, 32), Fraction(3, 16)
    options = {"space": "window", "reference": "uniform", "limits": {"trajectories": 10**6}}
    for p in (0, 1):
        assert first == begins(known, p)
        for (square, _), cell in zip(squares(known, p, c), known.thetas, strict=True):
            point = {"x": str(x), "z": str(cell.fixed["z"])}
            play = Facts(known.game.subclass([point], [{"y": str(y)}]), options).plays[p]
            exact = sum(
                each.weight
                * each.law[0, 0]
                * (sum(known.game.reward[h][o] for h, o in enumerate(tau[::2]) if h >= first) - c) ** 2
                for tau, each in trajectories(play).items()
            )
            assert exact == value(square, {"theta.x": x, "Phi.y": y})


@pytest.mark.parametrize(("verdict", "said"), [("proved", False), ("unknown", False), ("refuted", True)])
@pytest.mark.parametrize("name", ["well-specified", "warmup-stationary"])
def test_nothing_is_said_only_where_a_premise_is_refuted_or_nothing_can_be_lost(
    name: str, verdict: str, said: bool
) -> None:
    """An open premise leaves the theorem open; where every reward is the same no policy is ever worse."""
    certificate = json.loads(base("interval-answers"))
    settled: dict[str, Any] = {x: {"verdict": "proved"} for x in ("well-specified", "warmup-stationary")}
    settled[name] = {"verdict": verdict}
    facts = Facts(Game(certificate["model"]), certificate["options"])
    assert said == nothing(Case(facts, "regret", {}, settled))
    certificate["model"]["game"]["reward"] = ["1/2", "1/2"]
    assert nothing(Case(Facts(Game(certificate["model"]), certificate["options"]), "regret", {}, settled))
