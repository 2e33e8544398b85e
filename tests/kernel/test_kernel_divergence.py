"""Both sides of Assumption 3.1(e) on boxes of pairs of models: what they are at a pair, and what one step of play adds."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.claims.kl import compares_nothing
from pomgcheck.kernel.continua import Continuum
from pomgcheck.kernel.divergence import Comparison, PairPlay, Step, comparisons, families, sheared, tangent
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.forms import ONE, Form, Unbounded, combination, constant
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.pairs import Chart, Leaf, charts
from pomgcheck.kernel.polynomials import Polynomial, polynomial, value, variable
from tests.kernel.forged import base
from tests.kernel.trajectories import trajectories


def test_a_step_that_may_be_impossible_is_bounded_by_its_columns_or_not_at_all() -> None:
    """Where the chance x of what came before may vanish, the error over it is a mixture of the columns, here of norms 3
    and 2: at most 9 is added.  With a column that leaves a remainder over the factor there is no bound."""
    (chart,) = charts(Region({"x": (Fraction(0), Fraction(1))}), None)
    leaf, error = Leaf(chart, chart.box), [variable("x") * 2]

    def step(*columns: list[Polynomial | None]) -> Step:
        return Step(Fraction(1), error, variable("x"), polynomial(1), list(columns))

    added = step([polynomial(1), polynomial(-2)], [polynomial(2)]).share(leaf)
    assert 9 * ONE <= added.high <= 9 * ONE + ONE // 10**6
    with pytest.raises(Unbounded):
        step([polynomial(1), polynomial(-2)], [polynomial(2), None]).share(leaf)


def mixed() -> tuple[Game, Any]:
    """``interval-answers`` with a policy that mixes, and its options: two cells of Theta with an axis x each, and an
    axis y of Psi."""
    certificate = json.loads(base("interval-answers"))
    model = certificate["model"]
    model["policies"]["list"]["mix"] = [["1/2", "1/2"], ["1/3", "2/3"]]
    model["responses"]["table"]["mix"] = [["y", "1-y"]]
    return Game(model), certificate["options"]


def placed(chart: Chart, star: dict[str, Fraction], here: dict[str, Fraction]) -> dict[str, Fraction]:
    """The coordinates of a pair of models, and t."""
    if chart.step is None:
        return star | {f"{name}'-{name}": here[name] - star[name] for name in chart.shift} | {"t": Fraction(1)}
    k = chart.step[1]
    t = here[k] - star[k]
    slopes = {f"{j}/{k}": (here[j] - star[j]) / t for j in chart.shift if j != k}
    return star | {f"{k}'": here[k], "t": t} | slopes


def compared(continuum: Continuum, p: int, world: bool, cells: tuple[int, int], axis: str) -> Comparison:
    """The comparison of two cells of Theta, or of pairs of one that differ most along an axis."""
    every = families(continuum, p, world, {}, "shears")
    assert 2 == len(every)
    found = [*comparisons(every if cells[0] != cells[1] else [every[cells[0]]])]
    if cells[0] != cells[1]:
        return [each for each in found if each.chart.step is None][cells[0]]
    return next(each for each in found if each.chart.step and each.chart.step[1] == axis)


@pytest.mark.parametrize("summed", [False, True], ids=["realised", "summed"])
@pytest.mark.parametrize("world", [False, True], ids=["joint", "world"])
@pytest.mark.parametrize(
    ("cells", "axis", "moved"),
    [
        ((0, 0), "theta.x", (5, 7, 5, 6)),
        ((1, 1), "theta.x", (7, 4, 5, 6)),
        ((1, 1), "Phi.y", (5, 5, 4, 8)),
        ((0, 1), "", (5, 7, 5, 6)),
        ((1, 0), "", (4, 8, 8, 4)),
    ],
)
def test_both_sides_at_a_pair_are_those_of_its_two_models(
    cells: tuple[int, int], axis: str, moved: tuple[int, int, int, int], world: bool, summed: bool
) -> None:
    """At a pair of models, and times t^2: the ends are 3 (P - P*)^2/(2 P* + 4 P) over all trajectories, the steps the
    squared norms, as two models by themselves have them, each at most its largest column's; what is shown of the box of
    all pairs is on the right sides."""
    game, options = mixed()
    options = options | ({"operators": "summed"} if summed else {})
    both_sides(game, options, cells, axis, moved, world)


@pytest.mark.parametrize("summed", [False, True], ids=["realised", "summed"])
def test_both_sides_read_the_learners_own_window(summed: bool) -> None:
    """Where a policy looks at two observations and the opponent at one, it is the learner's memory that says what comes
    next."""
    game, options = mixed()
    document = json.loads(json.dumps(game.document))
    pair = [["1/2", "1/2"], ["1", "0"], ["1/3", "2/3"], ["1/5", "4/5"]]
    lists = {name: {"steps": [pair[:2], pair, pair]} for name in ("idle", "watch", "mix")}
    document["policies"] = {"window": 2, "list": lists}
    document["game"]["horizon"] = 3
    for moves in document["worlds"]["transition"]:
        moves[1] = [["1/4", "3/4"], ["7/8", "1/8"]]
    options = options | ({"operators": "summed"} if summed else {})
    both_sides(Game(document), options, (0, 0), "theta.x", (5, 7, 5, 6), False)


def both_sides(
    game: Game, options: Any, cells: tuple[int, int], axis: str, moved: tuple[int, int, int, int], world: bool
) -> None:
    """Compare both sides at a pair of models with what the two models have by themselves."""
    summed = options.get("operators") == "summed"
    p, continuum = game.policy_names.index("mix"), Continuum(game, Space(game, options["space"]))
    x, x_, y, y_ = (Fraction(k, n) for k, n in zip(moved, (64, 64, 32, 32), strict=True))
    found = compared(continuum, p, world, cells, axis)
    play = PairPlay(continuum, p, found, polynomial(1), "here", summed)
    point = placed(found.chart, {"theta.x": x, "Phi.y": y}, {"theta.x": x_, "Phi.y": y_})
    z = ["1/4", "1/3"]
    points = [{"x": str(at), "z": z[cell]} for at, cell in zip((x, x_), cells, strict=True)]
    pair = Facts(game.subclass(points, [{"y": str(y)}, {"y": str(y_)}]), options).plays[p]
    star, here = (0, 0), (len(pair.game.worlds) - 1, len(pair.game.responses) - 1)
    left = sum(
        3 * each.weight * (each.law[here] - each.law[star]) ** 2 / (2 * each.law[star] + 4 * each.law[here])
        for each in trajectories(pair).values()
    )
    ends = ((w, value(d, point), value(size, point)) for w, d, size in play.ends)
    assert left == point["t"] ** 2 * sum(3 * w * d**2 / size for w, d, size in ends)
    low, high = (Fraction(end, 2**160) for end in pair.squares(star, here[0] if world else here, 160))
    right = point["t"] ** 2 * sum(
        step.weight
        * value(step.after, point)
        * (sum(abs(value(e, point)) for e in step.error) / value(step.before, point)) ** 2
        for step in play.steps
    )
    assert low <= right <= high
    for step in play.steps:
        norms = [sum(abs(value(entry, point)) for entry in column if entry) for column in step.columns]
        assert sum(abs(value(e, point)) for e in step.error) <= max(norms) * value(step.before, point)
    leaf = Leaf(found.chart, found.chart.box)
    assert play.right(leaf).high * point["t"] ** 2 >= low * ONE
    assert all(form.low * point["t"] ** 2 <= left * ONE for form in play.lefts(leaf))


def test_entries_of_changing_sign_count_with_their_size() -> None:
    """On x in [-1, 1] the norm of (x, 1) is 2 at either end, so that 4 is added there and no less is a bound."""
    (chart,) = charts(Region({"x": (Fraction(-1), Fraction(1))}), None)
    step = Step(Fraction(1), [variable("x"), polynomial(1)], polynomial(1), polynomial(1), [])
    assert step.share(Leaf(chart, chart.box)).high >= 4 * ONE


def test_a_trajectory_that_no_model_of_a_box_has_adds_nothing() -> None:
    """Where both chances are zero the left side has no more than zero."""
    nothing = combination([], 1)
    for level in (0, 1):
        assert tangent(constant(1, 1), nothing, level).low <= 0


def test_a_leaf_shows_what_is_nowhere_below_zero() -> None:
    """Zero is enough, the least unit below it is not, and either way of bounding the left side will do."""
    (chart,) = charts(Region({"x": (Fraction(0), Fraction(1))}), None)
    leaf, zero, below = Leaf(chart, chart.box), Form(0, (0, 0), (0, 0, 0), 0), Form(-1, (0, 0), (0, 0, 0), 0)

    def shown(*lefts: Form) -> bool:
        play = object.__new__(PairPlay)
        play.__dict__.update(right=lambda leaf: zero, lefts=lambda leaf: iter(lefts))
        return play.shown(leaf, Fraction(1))

    assert [True, True, False] == [shown(zero, below), shown(below, zero), shown(below, below)]


def test_nothing_is_shown_where_the_right_side_has_no_bound() -> None:
    """With c = 0 a leaf shows the inequality, and no more once a step that may be impossible has a column without a
    bound: the leaf is to be cut."""
    game, options = mixed()
    p, continuum = game.policy_names.index("mix"), Continuum(game, Space(game, options["space"]))
    found = compared(continuum, p, True, (0, 0), "theta.x")
    play, leaf = PairPlay(continuum, p, found, polynomial(1), "here", False), Leaf(found.chart, found.chart.box)
    assert play.shown(leaf, Fraction(0))
    play.steps.append(Step(Fraction(1), [polynomial(1)], polynomial(0), polynomial(1), [[None]]))
    assert not play.shown(leaf, Fraction(0))


@given(*[st.fractions(0, 1, max_denominator=9)] * 2, st.fractions(-3, 3, max_denominator=4))
def test_other_coordinates_hold_every_point_of_the_region(a: Fraction, b: Fraction, c: Fraction) -> None:
    """With x - c y in place of x: at the new coordinates x is x again, they lie in the new box and meet the constraints
    moved with them; the box reaches no farther than the corners need."""
    region = Region(
        {"x": (Fraction(1), Fraction(3)), "y": (Fraction(-1), Fraction(2))}, (variable("x") + variable("y"),)
    )
    values, other = sheared({"x": {"y": str(c)}}, region, "shears")
    x, y = 1 + 2 * a, 3 * b - 1
    new = {"x": x - c * y, "y": y}
    assert x == value(values["x"], new)
    assert all(low <= new[name] <= high for name, (low, high) in other.box.items())
    assert x + y == value(other.constraints[0], new)
    corners = [u - c * v for u in (1, 3) for v in (-1, 2)]
    assert (min(corners), max(corners)) == other.box["x"]


def test_responses_alone_give_the_world_form_nothing_to_compare() -> None:
    """With one world and an interval of responses W is one operator and J is not."""
    certificate = json.loads(base("interval-answers"))
    certificate["model"]["worlds"]["parameters"] = {"x": {"values": ["1/8"]}, "z": {"values": ["1/4"]}}
    facts = Facts(Game(certificate["model"]), certificate["options"])
    assert [False, True] == [compares_nothing(Case(facts, name, {})) for name in ("kl-joint", "kl-world")]
