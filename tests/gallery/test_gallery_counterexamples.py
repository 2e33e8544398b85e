"""Each counterexample fails the assumption it is there for and no other, found by plain enumeration."""

import math
from fractions import Fraction as F
from itertools import combinations, product

import pytest

from pomgcheck import gallery
from pomgcheck.kernel.case import named_points
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import read_json
from tests.gallery import brute
from tests.repo.source import ROOT

TWO_OUTCOMES: list[dict[tuple[int, ...], int]] = [{(0,): 1, (1,): -1}]


def game_of(name: str) -> Game:
    """The class; of one with interval axes the finite class of its truth and of the points its certificate names."""
    game = gallery.load(name).game
    if game.finite:
        return game
    certificate = read_json((ROOT / "certificates" / f"{name}.cert.json").read_bytes())
    places = [named_points(claim["witness"]) for claim in certificate["claims"] if claim["verdict"] == "refuted"]
    truth = game.document["truth"]
    points = game.subclass(
        *([truth[side], *(x for place in places for x in place[k])] for k, side in enumerate(("worlds", "responses")))
    )
    return Game(points.document | {"truth": truth})


def pure(game: Game, label: str) -> brute.Vector:
    return brute.mixture({game.S.index(label): F(1)})


def mixtures(game: Game, h: int, space: str) -> list[brute.Vector]:
    """Pure states, and mixtures of two of them in eighths."""
    states = brute.pure_states(game, h, space, ((0, 0),) * h if space == "history" else ())
    pairs: list[brute.Vector] = [
        {first: F(k, 8), second: F(8 - k, 8)} for first, second in combinations(states, 2) for k in range(1, 8)
    ]
    return [{state: F(1)} for state in states] + pairs


def reveals(game: Game, space: str) -> bool:
    """2.4, literal form over the simplex: by a test function that proves it, or refuted at one of the mixtures."""
    if brute.revealing_at(game, lambda h: mixtures(game, h, space), space=space) == 0:
        return False
    parts = [((0, 0),) * h if space == "history" else () for h in range(game.H)]
    bound = brute.revealing_bound(game, TWO_OUTCOMES, space=space, parts=lambda h: [parts[h]])
    assert bound is None or bound > 0, "neither proved nor refuted"
    return True


def prefixes(game: Game, xi: brute.Xi, p: int) -> set[brute.History]:
    """The proper prefixes of the trajectories that can happen."""
    return {tau[:h] for tau in brute.law(game, xi, p) for h in range(game.H)}


def refuted(game: Game, space: str) -> set[str]:
    """The claims of the checks that fail, at the default options."""
    found = set()
    if isinstance(brute.lipschitz(game), tuple):
        found.add("posterior-lipschitz")
    if not reveals(game, space):
        found.add("weak-revealing")
    theta, phi = game.truth or (None, None)
    if theta not in (game.thetas or ()) or phi not in (game.phis or ()):
        found.add("well-specified")
    if isinstance(brute.increments(game), tuple):
        found.add("bounded-increments")
    for p in range(len(game.policies)):
        if len({frozenset(prefixes(game, xi, p)) for xi in brute.models(game)}) > 1:
            found.add("predictive-states")
    found |= {f"kl-{clause}" for clause, (constant, _) in brute.conversion(game, space).items() if constant == 0}
    return found


@pytest.mark.parametrize(
    ("name", "space"),
    [*product(gallery.names("counterexamples"), ("window", "history")), ("patrol-interval", "window")],
)
def test_fails_what_it_says_and_nothing_else(name: str, space: str) -> None:
    """The refuted claims are those that the index names, on the window space and on histories; there the
    joint operators remember the adversary's actions too, which tells apart what the curve confounds."""
    finer = {"kl-joint"} if (name, space) == ("confounded-curve", "history") else set()
    assert set(gallery.entry(name).fails) | finer == refuted(game_of(name), space)


def test_current_emission() -> None:
    """Facing a friend the panes differ by 1/8 in the world channel and not in the next look; the joint form has 1/2."""
    game = game_of("current-emission")
    assert brute.revealing(game, (0, 1), 0, 0, 0, 0, 0, pure(game, "friend")) == (F(0), F(1, 8))
    assert brute.revealing_bound(game, TWO_OUTCOMES, form="joint") == F(1, 2)


def test_silent_action() -> None:
    """With the lamp surely lit nobody tampers: no signal, a difference of 1/8; from the prior alone alpha is 1/8."""
    game = game_of("silent-action")
    dim = game.OA.index("dim")
    assert brute.revealing(game, (0, 1), 0, 0, 0, dim, 0, pure(game, "lit")) == (F(0), F(1, 8))
    assert brute.revealing_at(game, lambda h: [brute.start(game)]) == F(1, 8)


def test_cancelling_actions() -> None:
    """With the river surely low the actions' differences add up to 3/8 in the channel and cancel in what is seen."""
    game = game_of("cancelling-actions")
    assert brute.revealing(game, (0, 1), 0, 0, 0, 0, 0, pure(game, "low")) == (F(0), F(3, 8))
    assert brute.revealing_at(game, lambda h: [brute.start(game)]) == F(1, 16)


def test_cancelling_states() -> None:
    """Low 1/4 and high 3/4 weigh the same on "down": no signal, a difference of 3/32; from the prior alpha is 1/2."""
    game = game_of("cancelling-states")
    q = brute.mixture({0: F(1, 4), 1: F(3, 4)})
    assert brute.revealing(game, (0, 1), 0, 0, 0, 0, 0, q) == (F(0), F(3, 32))
    assert brute.revealing_at(game, lambda h: [brute.start(game)]) == F(1, 2)


def test_relabelled_states() -> None:
    """The two worlds have one law of play, and from the prior their channels differ by 1/2 with no signal."""
    game = game_of("relabelled-states")
    assert brute.law(game, (0, 0), 0) == brute.law(game, (1, 0), 0)
    assert brute.revealing(game, (0, 1), 0, 0, 0, 0, 0, brute.start(game)) == (F(0), F(1, 2))


def test_final_step() -> None:
    """2.4 has nothing to say (its steps do not differ); the laws agree and the operators of the last step do not."""
    game = game_of("final-step")
    assert brute.revealing_bound(game, TWO_OUTCOMES) is None
    assert brute.law(game, (0, 0), 0) == brute.law(game, (1, 0), 0)
    joint, world = brute.operator_errors(game, (0, 0), 0)[1, 0]
    assert joint == world > 0


def test_unequal_responses() -> None:
    """The keeper expects either corner with probability 1/2 from both kickers, and its answers are 1 apart."""
    game = game_of("unequal-responses")
    against, with_coin = (brute.posteriors(game, 0, p)[(), 0] for p in range(2))
    assert against == with_coin == (F(1, 2), F(1, 2))
    assert brute.distance(game.responses[0][0][0][0], game.responses[0][1][0][0]) == 1
    assert isinstance(brute.lipschitz(game, "policy"), tuple)


def test_impossible_trajectory() -> None:
    """whole, broken has probability 1/4 in one world and none in the other; 2.4 holds with alpha = 1 all the same."""
    game = game_of("impossible-trajectory")
    broken_next = ((0, 0), (1, 0))
    assert F(1, 4) == sum(w for tau, w in brute.law(game, (1, 0), 0).items() if tau[:2] == broken_next)
    assert broken_next not in prefixes(game, (0, 0), 0)
    assert brute.revealing_bound(game, TWO_OUTCOMES) == 1


def test_impossible_end() -> None:
    """At the end x = 0 of the interval the bridge cannot break, anywhere else it can."""
    game = gallery.load("impossible-end").game
    points = game.subclass([{"x": "0"}, {"x": "1/1000"}], [{}])
    assert ((0, 0), (1, 0)) not in prefixes(points, (0, 0), 0)
    assert ((0, 0), (1, 0)) in prefixes(points, (1, 0), 0)


def test_confounded() -> None:
    """Under patrol, x=1/20, y=1/10 and x=1/10, y=3/10 give one law of play, yet J and W differ; 2.4 holds with 7/17."""
    game = game_of("confounded")
    idle, patrol = (game.policy_names.index(name) for name in ("idle", "patrol"))
    few, many = (0, 0), (1, 1)
    assert game.thetas is not None
    assert game.phis is not None
    assert [game.thetas[0], game.phis[0]] == [{"x": F(1, 20)}, {"y": F(1, 10)}]
    assert [game.thetas[1], game.phis[1]] == [{"x": F(1, 10)}, {"y": F(3, 10)}]
    assert brute.law(game, few, patrol) == brute.law(game, many, patrol)
    assert brute.law(game, few, idle) != brute.law(game, many, idle)
    assert min(brute.operator_errors(game, few, patrol)[many]) > 0
    assert brute.revealing_bound(game, TWO_OUTCOMES) == F(7, 17)


def test_outside_truth() -> None:
    """Everything but well-specification holds: alpha is at least 2/3 and c_KL is positive."""
    game = game_of("outside-truth")
    assert brute.revealing_bound(game, TWO_OUTCOMES) == F(2, 3)
    assert brute.conversion(game)["world"][0] > 0.2


def test_early_mover() -> None:
    """At step 1 both drivers wait and the answers are 1 apart; the policy form has L = 1/2, and 2.4 holds with 1/6."""
    game = game_of("early-mover")
    pushing, yielding = (brute.posteriors(game, 0, p)[(), 0] for p in range(2))
    assert pushing == yielding == (F(1), F(0))
    assert brute.distance(game.responses[0][0][0][0], game.responses[0][1][0][0]) == 1
    assert brute.lipschitz(game, "policy") == F(1, 2)
    assert brute.revealing_bound(game, TWO_OUTCOMES) == F(1, 6)


@pytest.mark.parametrize("name", gallery.names("counterexamples"))
def test_is_small(name: str) -> None:
    """At most three states, two of anything else and three steps: a counterexample is read at a glance."""
    game = game_of(name)
    assert len(game.S) <= 3
    assert max(map(len, (game.A, game.B, game.OA, game.OB, game.policy_names))) <= 2
    assert game.H <= 3


@pytest.mark.parametrize("name", gallery.names("counterexamples"))
def test_values_stay_within_the_horizon(name: str) -> None:
    """The truth apart, every class is a game: laws sum to one and values lie in [0, H]."""
    game = game_of(name)
    for xi, p in product(brute.models(game), range(len(game.policies))):
        assert math.prod(sum(brute.law(game, xi, k).values()) for k in (p,)) == 1
        assert 0 <= brute.value(game, xi, p) <= game.H
