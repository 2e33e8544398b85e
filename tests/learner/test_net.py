"""Planning with a finite net: docs/net.md, line by line."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import pytest

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.game import Game
from pomgcheck.learner.columns import ClassTables
from pomgcheck.learner.confidence import ConfidenceRadius, decimal, units
from pomgcheck.learner.epochs import Learner, epochs
from pomgcheck.learner.net import ModelNet, net
from pomgcheck.learner.oracles import Finite, FiniteEvidence
from pomgcheck.learner.problem import LearningProblem
from tests.gallery import brute
from tests.learner import continua
from tests.search.sampling import some_points

ERROR = {"sensor": "1/12", "quotient": "1/50", "triangle": "3/2", "mixed": "1/40", "patrol": "1/30", "sliver": "1/10"}


@cache
def built(name: str) -> tuple[Game, ModelNet]:
    """A class and a net of it."""
    game, values = continua.game(name), continua.certificate(name).values
    slope = Fraction(values["covering_lipschitz_upper"]) * Fraction(values["log_likelihood_lipschitz_upper"])
    return game, net(game, slope, Fraction(ERROR[name]))


def apart(u: brute.Law, v: brute.Law) -> Fraction:
    """The largest ratio of two laws of play that are positive together."""
    assert set(u) == set(v)
    return max(max(u[tau] / v[tau], v[tau] / u[tau]) for tau in u)


@pytest.mark.parametrize("name", ERROR)
def test_every_model_has_a_net_point_within_the_error(name: str) -> None:
    """At random models of the class, on no policy and trajectory do log-likelihoods differ by more than the error from
    those of one of the nearest net points."""
    game, found = built(name)
    assert 0 < found.error <= Fraction(ERROR[name])
    random = Random(3)
    for _ in range(8):
        theta, Phi = (game.point(some_points(game, side, random, 1)[0], "a point") for side in ("worlds", "responses"))
        near = [
            sorted(points, key=lambda p, x=point: sum((p[a] - x[a]) ** 2 for a in x))[:4]  # type: ignore[misc]
            for points, point in ((found.thetas, theta), (found.phis, Phi))
        ]
        candidates = list(product(*near))
        sub = found._replace(thetas=[theta, *near[0]], phis=[Phi, *near[1]]).subclass(game)
        index = [((sub.thetas or ()).index(t), (sub.phis or ()).index(p)) for t, p in [(theta, Phi), *candidates]]
        laws = [[brute.law(sub, xi, p) for p in range(len(game.policies))] for xi in index]
        best = min(max(apart(u, v) for u, v in zip(laws[0], other, strict=True)) for other in laws[1:])
        with localcontext(prec=40):
            assert decimal(best).ln() <= decimal(found.error)


@pytest.mark.parametrize("name", ERROR)
def test_net_points_are_rational_points_of_the_class(name: str) -> None:
    """All of them satisfy the constraints, lie on the axes, and differ from one another."""
    game, found = built(name)
    for side, points in (("worlds", found.thetas), ("responses", found.phis)):
        assert all(game.contains(side, point) for point in points)
        assert len(points) == len({tuple(point.items()) for point in points})
    assert found.points == len(found.thetas) * len(found.phis)


def test_a_sliver_without_a_middle_has_its_points() -> None:
    """Where the constraints leave a strip thinner than the squares, points of it are found that no grid has."""
    _, found = built("sliver")
    assert found.thetas
    assert all(Fraction(1, 2) <= p["x"] + p["y"] <= Fraction(51, 100) for p in found.thetas)


def test_more_points_than_the_limit_are_refused_before_they_are_made() -> None:
    """The count, the limit, and a net that fits; that net is then made, and one twice as fine is not."""
    game = continua.game("sensor")
    words = 'net: found 80,000,000,000 squares .*, required at most 16,384; use a coarser net, "1/32", whose error'
    with pytest.raises(LimitExceeded, match=words) as refused:
        net(game, Fraction(10**6), Fraction(1, 100_000))
    assert 80_000_000_000 == refused.value.count
    assert net(game, Fraction(10**6), Fraction(1, 32)).points <= 16_384
    with pytest.raises(LimitExceeded):
        net(game, Fraction(10**6), Fraction(1, 64))


def test_the_slope_of_the_certificate_is_used_where_it_is_the_lesser() -> None:
    """triangle's last row may vanish on its box, so the entries bound nothing there, and a smaller certified slope
    makes a smaller net."""
    game = continua.game("triangle")
    coarse, fine = (net(game, Fraction(slope), Fraction(3, 2)) for slope in (16, 64))
    assert coarse.points < fine.points


# ------------------------------------------------------------------------------ what Algorithm 1 becomes


def test_radius_widens_by_the_error_of_every_episode() -> None:
    """beta_e + n s, and tau_e(t) + 2 (n+t) s, floors included."""
    plain = ConfidenceRadius(Fraction(16), Fraction(100), Fraction(7), 2, Fraction(1, 20))
    wide = ConfidenceRadius(Fraction(16), Fraction(100), Fraction(7), 2, Fraction(1, 20), error=Fraction(1, 7))
    for n, t in ((0, 1), (10, 5), (1000, 77)):
        assert abs(Fraction(wide.beta(3, n)) - Fraction(plain.beta(3, n)) - Fraction(n, 7)) < Fraction(1, 10**30)
        more = Fraction(wide.tau(3, t, n)) - Fraction(plain.tau(3, t, n)) - Fraction(2 * (n + t), 7)
        assert abs(more) < Fraction(1, 10**30)
        floors = wide.tau_floors(3, t, 50, n)
        assert [units(wide.tau(3, t + k, n)) for k in range(50)] == floors.tolist()


@pytest.mark.parametrize(("name", "c"), [("sensor", "1/4"), ("patrol", "1/10"), ("mixed", "1/10")])
def test_value_of_the_nearest_point_covers_the_best_value(name: str, c: str) -> None:
    """Optimism: whenever xi* is inside, the promise plus H s / 2 is at least v*; the record's value_error says it."""
    problem, planned = continua.problem(name, ERROR[name], 300)
    error = Fraction(planned.described["value_error"])
    assert problem.game.H * planned.error / 2 == error
    for epoch in epochs(Learner(problem, continua.settings(name, planned, c=c).radius, 1), 300):
        assert epoch.covered
        assert problem.best <= problem.oracle.value(epoch.policy, epoch.model) + error


def test_the_values_of_near_models_differ_by_half_the_error_a_step() -> None:
    """|V(xi) - V(xi')| <= H s / 2 where no log-likelihood differs by more than s."""
    game = continua.game("patrol")
    for seed in range(6):
        random = Random(seed)
        near = Fraction(1, 10 ** (seed // 2 + 1))
        sub = game.subclass(*(some_points(game, side, random, 2, near) for side in ("worlds", "responses")))
        values = Finite(ClassTables(sub), 0)
        for p in range(len(game.policies)):
            models = brute.models(sub)
            ends = models[0], models[-1]
            s = apart(*(brute.law(sub, xi, p) for xi in ends))
            gap = abs(values.value(p, 0) - values.value(p, len(models) - 1))
            with localcontext(prec=40):
                assert decimal(gap) <= Decimal(game.H) * decimal(s).ln() / 2


def test_the_truth_beside_the_net_is_followed_exactly() -> None:
    """xi* is no net point; max L - L(xi*) is that of its own law of play, and no model the learner plans with."""
    problem, planned = continua.problem("patrol", "1/30", 300)
    oracle = planned.oracle
    assert isinstance(oracle, Finite)
    game = oracle.tables.game
    assert continua.game("patrol").point(continua.TRUTHS["patrol"]["worlds"], "x") not in (game.thetas or ())
    both = LearningProblem(beside(game), len(game.thetas or ()), len(game.phis or ()))
    mine, whole = oracle.begin(), both.oracle.begin()
    assert isinstance(mine, FiniteEvidence)
    assert isinstance(whole, FiniteEvidence)
    arena = problem.arena(0)
    for policy in (0, 1, 0):
        seen = arena.peek(policy, 60)
        arena.commit(policy, len(seen))
        mine.learn(policy, 0, seen, None)
        whole.learn(policy, 0, seen, None)
    columns = [
        i * (len(game.phis or ()) + 1) + k for i in range(len(game.thetas or ())) for k in range(len(game.phis or ()))
    ]
    assert whole.L[columns].tolist() == mine.L.tolist()
    assert mine.truth_gap() == int(mine.L.max() - whole.L[both.truth])


def beside(game: Game) -> Game:
    """A finite class with the truth of patrol put last on either side."""
    points = [[{k: str(v) for k, v in p.items()} for p in side or ()] for side in (game.thetas, game.phis)]
    truth = continua.TRUTHS["patrol"]
    return continua.game("patrol").subclass([*points[0], truth["worlds"]], [*points[1], truth["responses"]])


@pytest.mark.parametrize("seed", range(4))
def test_lines_of_the_derivation_hold_on_runs(seed: int) -> None:
    """With eager constants, epoch by epoch: L(nearest) >= L(xi*) - n s; the test fires where L(xi_e) < max L - tau, and
    then the gap to the maximum has grown in the epoch by tau_e(t) - beta_e, which is 2ts and more."""
    problem, planned = continua.problem("two-arms", "1/8", 400)
    radius = continua.settings("two-arms", planned, c="1/100").radius
    player = Learner(problem, radius, seed)
    oracle = planned.oracle
    assert isinstance(oracle, Finite)
    evidence = player.evidence
    assert isinstance(evidence, FiniteEvidence)
    endings = set()
    nearest = close(oracle.tables.game, continua.TRUTHS["two-arms"]["worlds"])
    while player.collected < 400:
        n, before = player.collected, evidence.L.copy()
        epoch = player.epoch(400 - player.collected)
        after, t = evidence.L, epoch.episodes
        truth = int(after.max()) - (evidence.truth_gap() or 0)
        slack = player.collected  # rounding: half a unit of 2^-32 an episode and model
        assert int(after[nearest]) >= truth - units(decimal(player.collected * planned.error)) - slack
        fired = int(after.max() - after[epoch.model]) > units(radius.tau(player.e, t, n))
        endings.add(epoch.ended)
        assert (epoch.ended == "test") == fired
        if fired:
            lost = int(before[epoch.model] - before.max()) - int(after[epoch.model] - after.max())
            least = radius.tau(player.e, t, n) - radius.beta(player.e, n)
            assert lost >= units(least)
            assert least >= decimal(2 * t * planned.error)
    assert "test" in endings


def close(game: Game, truth: dict[str, str]) -> int:
    """The nearest net point."""
    target = Game.point(truth, "truth")
    distances = [sum((p[a] - x) ** 2 for a, x in target.items()) for p in game.thetas or ()]
    return distances.index(min(distances))
