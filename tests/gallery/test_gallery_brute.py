"""The reference implementation agrees with hand computations and with the known constants of the patrol class."""

import math
from copy import deepcopy
from fractions import Fraction as F
from itertools import product
from random import Random
from typing import Any

import pytest

from pomgcheck import gallery
from pomgcheck.kernel.game import Game
from tests.gallery import brute
from tests.gallery.brute import History

TWO_OUTCOMES: list[dict[tuple[int, ...], int]] = [{(0,): 1, (1,): -1}]


@pytest.fixture(scope="module")
def patrol() -> Game:
    return gallery.load("patrol").game


def random_class(seed: int, learner_window: int | str, adversary_window: int | str) -> Game:
    """Two worlds, one response and two policies of random fractions; two of everything, three steps."""
    draw = Random(seed)

    def rows(count: int) -> list[list[str]]:
        parts = [draw.randint(1, 6) for _ in range(2 * count)]
        return [[f"{x}/{x + y}", f"{y}/{x + y}"] for x, y in zip(parts[::2], parts[1::2], strict=True)]

    def table(window: int | str) -> dict[str, Any]:
        return {"steps": [rows(2 * 4**h if window == "full" else 2 ** min(int(window), h + 1)) for h in range(3)]}

    def transition() -> list[Any]:
        return [[rows(2) for _ in range(2)] for _ in range(2)]

    first, second = transition(), transition()
    mixed = [
        [
            [[f"x*{p}+(1-x)*{q}" for p, q in zip(*pair, strict=True)] for pair in zip(*block, strict=True)]
            for block in zip(*blocks, strict=True)
        ]
        for blocks in zip(first, second, strict=True)
    ]
    return Game(
        {
            "format": "pomgcheck-model-class/1",
            "name": "random",
            "game": {
                "horizon": 3,
                "states": ["s0", "s1"],
                "learner_actions": ["a0", "a1"],
                "adversary_actions": ["b0", "b1"],
                "learner_observations": ["o0", "o1"],
                "adversary_observations": ["v0", "v1"],
                "reward": ["1", "0"],
            },
            "worlds": {
                "parameters": {"x": {"values": ["1/3", "2/3"]}},
                "initial": rows(1)[0],
                "transition": mixed,
                "learner_emission": rows(2),
                "adversary_emission": rows(2),
            },
            "responses": {
                "parameters": {},
                "memory": 1,
                "block_rule": "latest",
                "window": adversary_window,
                "table": {"p": table(adversary_window), "q": table(adversary_window)},
            },
            "policies": {"window": learner_window, "list": {"p": table(learner_window), "q": table(learner_window)}},
        }
    )


def by_operators(game: Game, xi: brute.Xi, p: int, space: str) -> dict[brute.History, F]:
    """The law of play as 1^T J_H … J_1 q_0 times the policy's action probabilities."""
    law: dict[brute.History, F] = {}

    def walk(h: int, past: brute.History, chosen: F, q: brute.Vector) -> None:
        if h == game.H:
            law[past] = chosen * sum(q.values(), F(0))
            return
        for o, a in product(range(len(game.OA)), range(len(game.A))):
            probability = brute.learner(game, p, h, past, o)[a]
            walk(h + 1, (*past, (o, a)), chosen * probability, brute.J(game, xi, p, h, o, a, q, space))

    walk(0, (), F(1), brute.start(game))
    return {tau: weight for tau, weight in law.items() if weight}


@pytest.mark.parametrize(
    ("windows", "space"),
    [((1, 1), "window"), ((2, 1), "window"), ((1, 2), "window"), ((2, 3), "window")]
    + [((1, 1), "history"), ((2, 2), "history"), (("full", "full"), "history")],
)
def test_products_of_operators_give_the_law_of_play(windows: tuple[Any, Any], space: str) -> None:
    """P(o_1:H | a_1:H) = 1^T J_H … J_1 q_0 on either space, for tables that read one observation or all of them."""
    game = random_class(7, *windows)
    for xi, p in (((0, 0), 1), ((1, 0), 0)):
        assert brute.law(game, xi, p) == by_operators(game, xi, p, space)
        assert sum(brute.law(game, xi, p).values()) == 1


def test_the_two_spaces_agree_where_both_apply() -> None:
    """The world-channel error of 3.1(e) is the same number on the window space and on histories."""
    game = random_class(3, 1, 1)
    window, history = (brute.operator_errors(game, (0, 0), 0, space)[1, 0] for space in ("window", "history"))
    assert window[1] == history[1] > 0
    assert window[0] <= history[0]


def test_rows_are_lexicographic_oldest_first() -> None:
    """A window-2 row is 2·older + newer at most two observations back; a full row mixes actions in protocol order."""
    past = ((1, 2), (0, 1))
    assert brute.row_index(1, past, 1, 2, 3) == 1
    assert brute.row_index(2, past, 1, 2, 3) == 2 * 0 + 1
    assert brute.row_index(3, past, 1, 2, 3) == 4 * 1 + 2 * 0 + 1
    assert brute.row_index(2, (), 1, 2, 3) == 1
    assert brute.row_index(None, past, 1, 2, 3) == (((1 * 3 + 2) * 2 + 0) * 3 + 1) * 2 + 1


def test_divergence_of_two_coins() -> None:
    """KL((1/2, 1/2) || (1/4, 3/4)) = (log 2 + log 2/3) / 2, and it is infinite where an outcome is missing."""
    heads: History = ((0, 0),)
    tails: History = ((1, 0),)
    fair, bent = {heads: F(1, 2), tails: F(1, 2)}, {heads: F(1, 4), tails: F(3, 4)}
    assert math.isclose((math.log(2) + math.log(2 / 3)) / 2, brute.divergence(fair, bent), rel_tol=1e-14)
    assert brute.divergence(fair, fair) == 0.0
    assert brute.divergence(fair, {heads: F(1)}) == math.inf


def test_the_reference_posterior_by_hand(patrol: Game) -> None:
    """In the dark, calm has probability 7/10: on-alarm hears noise and patrols with 7/10·3/20 + 3/10·17/20 = 9/25."""
    on_alarm = patrol.policy_names.index("on-alarm")
    assert brute.posteriors(patrol, 0, on_alarm)[(), 0] == (F(16, 25), F(9, 25))


def test_patrol_posterior_lipschitz(patrol: Game) -> None:
    """The least L of patrol is 2444/4947, and the same when the block rule is written out as a table."""
    assert brute.lipschitz(patrol) == F(2444, 4947)
    document = deepcopy(dict(gallery.load("patrol").document))
    table = document["responses"]["table"]
    document["responses"] |= {
        "block_rule": "table",
        "blocks": {
            f"{first} {second}": [
                [f"({x})/2+({y})/2" for x, y in zip(*rows, strict=True)]
                for rows in zip(table[first], table[second], strict=True)
            ]
            for first, second in product(table, repeat=2)
        },
    }
    assert brute.lipschitz(Game(document)) == F(2444, 4947)


def test_patrol_increments_and_values(patrol: Game) -> None:
    """B_0 is the logarithm of 36864/22661; values range over [687/500, 171/100]."""
    assert brute.increments(patrol) == F(36864, 22661)
    values = [brute.value(patrol, xi, p) for xi, p in product(brute.models(patrol), range(4))]
    assert (min(values), max(values)) == (F(687, 500), F(171, 100))


@pytest.mark.parametrize(("form", "alpha"), [("literal", F(7, 17)), ("joint", F(7, 20))])
@pytest.mark.parametrize("space", ["window", "history"])
def test_patrol_weak_revealing(patrol: Game, form: str, alpha: F, space: str) -> None:
    """Patrol has alpha exactly 7/17 (literal), 7/20 (joint): one test function proves it, pure states attain it."""
    # one learner part a step: the next observation depends on no other
    parts: list[History] = [((0, 0),) * h if space == "history" else () for h in range(2)]

    pure = [brute.mixture({s: F(1)}) for s in range(2)]
    bound = brute.revealing_bound(patrol, TWO_OUTCOMES, form=form, space=space, parts=lambda h: [parts[h]])
    assert bound == alpha
    assert brute.revealing_at(patrol, lambda h: pure, form=form) == alpha


@pytest.mark.parametrize(("form", "alpha"), [("literal", F(1911, 3400)), ("joint", F(1911, 4000))])
def test_patrol_weak_revealing_two_steps_ahead(patrol: Game, form: str, alpha: F) -> None:
    """With kappa = 2 the least ratio over pure states is 1911/3400 = 0.56205882… (literal), 0.47775 (joint)."""
    pure = [brute.mixture({s: F(1)}) for s in range(2)]
    assert brute.revealing_at(patrol, lambda h: pure, kappa=2, form=form) == alpha


def test_patrol_conversion(patrol: Game) -> None:
    """c_KL of patrol on the window space: 0.72898587 (joint) and 0.04762763 (world), with their models."""
    found = brute.conversion(patrol)
    constant, attained = found["joint"]
    assert math.isclose(0.72898587, constant, abs_tol=5e-9)
    assert attained == ((0, 1), (2, 0), 3)
    constant, attained = found["world"]
    assert math.isclose(0.04762763, constant, abs_tol=5e-9)
    assert attained == ((0, 0), (1, 1), 3)


def test_patrol_conversion_on_histories(patrol: Game) -> None:
    """Histories keep the opponent's action, so the joint constant falls to 0.04724287; the world constant stays."""
    patrolling = patrol.policy_names.index("patrol")

    def constant(clause: int, xi_star: brute.Xi, xi: brute.Xi) -> float:
        kl = brute.divergence(brute.law(patrol, xi_star, patrolling), brute.law(patrol, xi, patrolling))
        return kl / float(brute.operator_errors(patrol, xi_star, patrolling, "history")[xi][clause])

    assert math.isclose(0.04724287, constant(0, (0, 1), (0, 0)), abs_tol=5e-9)
    assert math.isclose(0.04762763, constant(1, (0, 0), (1, 1)), abs_tol=5e-9)


def test_a_bound_holds_on_random_mixtures() -> None:
    """The proved lower bound of alpha is below the ratio at every mixture tried, for responses that read a window."""
    game = random_class(11, 1, 2)
    bound = brute.revealing_bound(game, TWO_OUTCOMES, form="joint")
    assert bound is not None
    draw = Random(5)

    def mixtures(h: int) -> list[brute.Vector]:
        pure = brute.pure_states(game, h, "window")
        raw = [[draw.randint(0, 5) + (k == n) for k in range(len(pure))] for n in range(len(pure))]
        return [{state: F(x, sum(row)) for state, x in zip(pure, row, strict=True)} for row in raw]

    least = brute.revealing_at(game, mixtures, form="joint")
    assert least is not None
    assert bound <= least
