"""Policy regret of policies that somebody played."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pomgcheck
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game
from pomgcheck.setting import setting
from tests.environments.latent import frozen, paths
from tests.environments.test_learner_side import Stubborn
from tests.learner import reference
from tests.learner.classes import games, watch
from tests.repo.source import ROOT

PATROL = ROOT / "certificates" / "patrol.cert.json"


@settings(max_examples=25, deadline=None)
@given(games(), st.lists(st.integers(0, 2), min_size=1, max_size=6), st.data())
def test_costs_are_those_of_the_actual_responses(game: Game, plan: list[int], data: st.DataObject) -> None:
    """v* - V^{pi_t}(R(pi_{t-m+1}, ..., pi_t)) in random games, against sums over whole trajectories."""
    theta = data.draw(st.sampled_from(range(len(game.worlds))))
    phi = data.draw(st.sampled_from(range(len(game.responses))))
    policies = [p % len(game.policies) for p in plan]
    best = max(reference.value(game, theta, game.responses[phi][p], p) for p in range(len(game.policies)))
    past = [policies[0]] * (game.m or 1)
    expected = []
    for policy in policies:
        past = [*past, policy][1:]
        expected.append(best - reference.value(game, theta, reference.response(game, phi, past), policy))
    found = pomgcheck.policy_regret(frozen(game, theta, phi), policies)
    assert best == found.best
    assert tuple(expected) == found.costs
    assert sum(expected) == found.regret


def test_a_run_record_is_made_of_the_same_numbers(tmp_path: Path) -> None:
    """The policies of a run's epochs, warm-up marked, have the regret that the record says."""
    certificate = pomgcheck.certify(pomgcheck.load(watch())).save(tmp_path / "watch.cert.json")
    record = pomgcheck.run(certificate, episodes=400, seeds=2, constants="practical", c="1/50")
    for seed in record.runs["epoch-omle"]["seeds"]:
        policies = [e["policy"] for e in seed["epochs"] for _ in range(e["warmup"] + e["episodes"])]
        warmup = [k < e["warmup"] for e in seed["epochs"] for k in range(e["warmup"] + e["episodes"])]
        found = pomgcheck.policy_regret(certificate, policies, warmup=warmup)
        assert Fraction(seed["regret"][-1]) == found.regret == found.cumulative()[-1]
        assert Fraction(seed["warmup_regret"]) == found.warmup_regret
        assert len({e["policy"] for e in seed["epochs"]}) > 1


def test_transients_are_told_apart() -> None:
    """patrol at xi*: idle costs 21/125 once settled; in between the response is half-way, and that part is known."""
    found = pomgcheck.policy_regret("patrol", ["idle", "idle", "patrol", "patrol"])
    assert (True, True, False, True) == found.settled
    assert found.costs[2] == found.transient_regret
    assert (Fraction(21, 125), Fraction(0)) == (found.costs[0], found.costs[3])


def test_a_table_outside_the_class_has_its_own_value() -> None:
    """Mostly patrol is answered as patrol, and worth what it does against that answer: between its neighbours."""
    mostly = [[["1/10", "9/10"]] * 2] * 3
    game = setting("patrol")
    table = tuple(((Fraction(1, 10), Fraction(9, 10)),) * 2 for _ in range(3))
    value = sum(
        (
            path.chance * game.reward[h][o]
            for path in paths(game, 0, table, game.responses[0][3])
            for h, (o, _) in enumerate(path.learner)
        ),
        Fraction(0),
    )
    found = pomgcheck.policy_regret("patrol", [mostly])
    assert found.best - value == found.costs[0] > 0


def test_an_outside_opponent_is_paid_for() -> None:
    """Against one who always attacks every policy costs more than it would."""
    found = pomgcheck.policy_regret("patrol", ["patrol"] * 2, opponent=Stubborn)
    assert found.costs[0] == found.costs[1] > pomgcheck.policy_regret("patrol", ["patrol"]).costs[0]


def test_arguments_are_checked() -> None:
    """A policy that is none, and marks of warm-up for another number of episodes."""
    with pytest.raises(InputError, match="policy: found 'sleep'"):
        pomgcheck.policy_regret("patrol", ["idle", "sleep"])
    with pytest.raises(InputError, match="warmup: found 1 entries, required 2, one per episode"):
        pomgcheck.policy_regret("patrol", ["idle", "idle"], warmup=[True])
