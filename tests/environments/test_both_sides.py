"""The PettingZoo environment: its API, and that both sides together are the model."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test
from pettingzoo.test.seed_test import parallel_seed_test

from pomgcheck import gallery
from pomgcheck.environments import BothSides, LearnerSide, parallel_env
from pomgcheck.errors import InputError
from tests.environments.latent import Planned, paths
from tests.learner import reference


@pytest.mark.parametrize("name", gallery.playable())
def test_every_class_of_the_gallery_passes_pettingzoos_own_checks(name: str) -> None:
    """The parallel API test and the seed test find nothing and warn of nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel_api_test(parallel_env(name), num_cycles=50)
        parallel_seed_test(lambda: parallel_env(name), num_cycles=50)


def test_an_adversary_who_keeps_to_the_rule_is_the_one_inside() -> None:
    """Both agents playing what is announced and what R answers give the learner's episodes of the same seed."""
    both, inside = BothSides("tiger"), LearnerSide("tiger")
    for episode in range(100):
        seed, options = 8 if episode == 0 else None, {"policy": episode % 5}
        observations, infos = both.reset(seed, options)
        observation, _ = inside.reset(seed=seed, options=options)
        while both.agents:
            assert observation == observations["learner"]
            action = inside.announced_action()
            assert action == both.announced_action()
            observation, reward, over, _, info = inside.step(action)
            observations, rewards, terminated, truncated, infos = both.step(
                {"learner": action, "adversary": both.response_action()}
            )
            assert {"learner": reward, "adversary": -reward} == rewards
            assert {"learner": over, "adversary": over} == terminated
            assert info == infos["learner"]
            assert not any(truncated.values())


def test_the_law_of_both_sides_is_the_models() -> None:
    """Over every latent path of silent-action, with exact chances: both see and do what the path says, and the
    learner's returns average to V^pi."""
    env = BothSides("silent-action")
    game = env.game
    for place in range(len(game.policies)):
        g, worth = game.responses[0][place], Fraction(0)
        for path in paths(game, 0, game.policies[place], g):
            env._generator = Planned(path.uniforms)  # type: ignore[assignment]
            observations, _ = env.reset(options={"policy": place})
            trajectories: dict[str, list[tuple[int, int]]] = {"learner": [], "adversary": []}
            total = Fraction(0)
            while env.agents:
                actions = {"learner": env.announced_action(), "adversary": env.response_action()}
                for agent, trajectory in trajectories.items():
                    trajectory.append((int(observations[agent]), int(actions[agent])))
                observations, rewards, *_ = env.step(actions)
                total += Fraction(rewards["learner"])
            assert {"learner": path.learner, "adversary": path.adversary} == trajectories
            worth += path.chance * total
        assert reference.value(game, 0, g, place) == worth


def test_another_adversary_may_do_as_it_likes() -> None:
    """Always attacking is possible, whatever R would answer; the sum of rewards is zero."""
    env = BothSides("patrol")
    env.reset(0)
    for _ in range(3):
        _, rewards, _, _, infos = env.step({"learner": 0, "adversary": 1})
        assert 0 == sum(rewards.values())
        assert "attack" == infos["adversary"]["action"]
    assert [] == env.agents


def test_the_adversary_is_told_the_last_policies() -> None:
    """Its info has the last m announcements, oldest first, and its own row and label."""
    env = BothSides("patrol")
    for policy in ("idle", "patrol", "on-calm"):
        observations, infos = env.reset(options={"policy": policy})
    info = infos["adversary"]
    assert ("patrol", "on-calm") == info["policies"]
    assert (env.game.OB[observations["adversary"]], observations["adversary"]) == (info["observation"], info["row"])


def test_wrong_actions_and_steps_are_named() -> None:
    """Both agents must act, in range, while an episode is played."""
    env = BothSides("patrol")
    with pytest.raises(InputError, match="step: found no episode"):
        env.step({"learner": 0, "adversary": 0})
    env.reset(0)
    with pytest.raises(InputError, match="actions: found actions of learner, required an action of each of learner"):
        env.step({"learner": 0})
    with pytest.raises(InputError, match="actions.adversary: found 2, required an action from 0 to 1; here 0 = wait"):
        env.step({"learner": np.int64(0), "adversary": 2})
