"""The Gymnasium environment: its API, its law, its memory, its seeds, and its errors."""

from __future__ import annotations

import subprocess
import sys
import warnings
from fractions import Fraction
from math import log, sqrt
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.arena.episodes import Arena
from pomgcheck.arena.opponent import Opponent
from pomgcheck.environments import LearnerSide, identifier
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game
from pomgcheck.setting import setting
from tests.environments.latent import Planned, frozen, paths
from tests.learner import reference
from tests.learner.classes import games, watch
from tests.repo.source import ROOT


def follow(env: LearnerSide, **reset: Any) -> tuple[list[tuple[int, int]], float]:
    """An episode of the policy announced: its trajectory and its return."""
    observation, _ = env.reset(**reset)
    path, total, over = [], 0.0, False
    while not over:
        action = env.announced_action()
        path.append((int(observation), int(action)))
        observation, reward, over, truncated, info = env.step(action)
        total += reward
        assert not truncated
        assert info["as_announced"]
    return path, total


@pytest.mark.parametrize("name", gallery.playable())
def test_every_class_of_the_gallery_passes_gymnasiums_own_checks(name: str) -> None:
    """``check_env`` finds nothing and warns of nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(identifier(name)).unwrapped)


def test_one_name_is_enough() -> None:
    """Gymnasium finds the environment by its module and id, with nothing imported before."""
    made = 'gymnasium.make("pomgcheck.environments:pomgcheck/LowRank-v0")'
    program = f"import gymnasium; print({made}.unwrapped.game.name)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "low-rank" == done.stdout.strip()


def test_a_missing_extra_is_one_sentence(tmp_path: Path) -> None:
    """Without Gymnasium the error names the command that installs it; so it does without PettingZoo."""
    for package, program in (
        ("gymnasium", "import pomgcheck.environments"),
        ("pettingzoo", "from pomgcheck.environments import parallel_env"),
    ):
        hide = f"import sys; sys.modules[{package!r}] = None; "
        done = subprocess.run([sys.executable, "-c", hide + program], capture_output=True, text=True, cwd=ROOT)
        last = done.stderr.strip().splitlines()[-1]
        assert "pip install 'pomgcheck[env]'" in last
        assert f"{package}: found no such package" in last


@pytest.mark.parametrize("policy", ["idle", "on-alarm", "on-calm", "patrol"])
def test_the_law_of_an_episode_is_the_models(policy: str) -> None:
    """Over every latent path, with exact chances: the environment shows its trajectory and pays its rewards, so that
    following pi is worth V^pi(g), g the actual response half-way from idle to pi."""
    env = LearnerSide("patrol")
    game, place = env.game, env.game.policy_names.index(policy)
    g = reference.response(game, 0, [0, place])
    worth = chances = Fraction(0)
    for path in paths(game, 0, game.policies[place], g):
        env.season.restart()
        env.season.begin(np.random.default_rng(0), "idle")
        env.np_random = Planned(path.uniforms)  # type: ignore[assignment]
        trajectory, total = follow(env, options={"policy": policy})
        assert path.learner == trajectory
        assert total == sum(game.reward[h][o] for h, (o, _) in enumerate(trajectory))  # 0 or 1 each
        worth, chances = worth + path.chance * int(total), chances + path.chance
    assert 1 == chances
    assert reference.value(game, 0, g, place) == worth


@settings(max_examples=10, deadline=None)
@given(games().filter(lambda game: game.H < 3), st.data())
def test_the_law_of_any_game_is_the_models(game: Game, data: st.DataObject) -> None:
    """In random games, any rule and window: the paths of the model are those of the environment, step by step."""
    theta = data.draw(st.sampled_from(range(len(game.worlds))))
    phi = data.draw(st.sampled_from(range(len(game.responses))))
    before, policy = (data.draw(st.sampled_from(range(len(game.policies)))) for _ in range(2))
    env = LearnerSide(frozen(game, theta, phi))
    m = game.m or 1
    g = reference.response(game, phi, [*[before] * m, policy][-m:])
    for path in paths(game, theta, game.policies[policy], g):
        env.season.restart()
        env.season.begin(np.random.default_rng(0), before)
        env.np_random = Planned(path.uniforms)  # type: ignore[assignment]
        trajectory, total = follow(env, options={"policy": policy})
        assert path.learner == trajectory
        assert total == pytest.approx(float(sum(game.reward[h][o] for h, (o, _) in enumerate(trajectory))))


def test_sample_means_are_the_exact_value() -> None:
    """Over 20,000 episodes of tiger's `trust` the mean return is V^pi(R_infty(pi)) up to Hoeffding's bound at 10^-6."""
    env, n = LearnerSide("tiger", policy="trust"), 20_000
    game = env.game
    place = game.policy_names.index("trust")
    expected = reference.value(game, 0, game.responses[0][place], place)
    total = follow(env, seed=11)[1] + sum(follow(env)[1] for _ in range(n - 1))
    assert abs(total / n - float(expected)) <= game.H * sqrt(log(2e6) / (2 * n))


@pytest.mark.parametrize("name", ["patrol", "tiger", "digits", "routes"])
def test_the_episodes_of_a_seed_are_the_arenas(name: str) -> None:
    """Following announced policies gives the trajectories that the arena simulates of the same seed, row by row."""
    env, rng = LearnerSide(name), np.random.default_rng(5)
    arena = Arena(env.game, 0, Opponent(env.game, 0), 42)
    for episode in range(200):
        policy = int(rng.integers(len(env.game.policies)))
        found, _ = follow(env, seed=42 if episode == 0 else None, options={"policy": policy})
        expected = arena.peek(policy, 1)[0].tolist()
        arena.commit(policy, 1)
        assert [tuple(step) for step in expected] == found


def test_a_fading_memory_is_the_arenas() -> None:
    """Against weights that fade, a season of changing policies is the arena's, episode for episode."""
    document = watch(responses__block_rule="fading", responses__gamma="1/2")
    del document["responses"]["memory"]
    env = LearnerSide(document)
    arena = Arena(env.game, 0, Opponent(env.game, 0), 6)
    for episode in range(60):
        policy = (episode // 3) % 2
        found, _ = follow(env, seed=6 if episode == 0 else None, options={"policy": policy})
        assert [tuple(step) for step in arena.peek(policy, 1)[0].tolist()] == found
        arena.commit(policy, 1)


def test_a_seed_begins_a_new_season() -> None:
    """The same seed and announcements give the same episodes again; without a seed the season goes on."""
    env = LearnerSide("patrol")
    plan: list[dict[str, Any]] = [{"policy": "patrol"}, {}, {"policy": "idle"}, {}]
    first = [follow(env, seed=3 if k == 0 else None, options=options) for k, options in enumerate(plan)]
    again = [follow(env, seed=3 if k == 0 else None, options=options) for k, options in enumerate(plan)]
    assert first == again
    assert 4 == env.season.episode


def test_an_announced_policy_stands_until_another_is_announced() -> None:
    """The adversary of patrol answers the mean of the last two policies; what is not announced is what was."""
    env = LearnerSide("patrol")
    attacks = []
    for policy in ("idle", None, "patrol", None):
        _, info = env.reset(options={"policy": policy})
        attacks.append(env.season.response[0][0][1])
    assert "patrol" == info["taken_for"]
    assert [Fraction(1, 2), Fraction(1, 2), Fraction(2, 5), Fraction(3, 10)] == attacks


def test_an_episode_begun_is_remembered() -> None:
    """Announcing patrol and leaving the episode counts as having played it."""
    env = LearnerSide("patrol")
    for policy in ("idle", "patrol", "patrol"):
        env.reset(options={"policy": policy})
    assert Fraction(3, 10) == env.season.response[0][0][1]


def test_labels_and_deviations_are_told() -> None:
    """The info names what is seen and done, the row of the policy's table, and whether the policy would do that."""
    env = LearnerSide("patrol", policy="idle")
    observation, info = env.reset(seed=0)
    assert (1, 1, env.game.OA[observation], int(observation), "idle", True) == tuple(
        info[key] for key in ("episode_number", "step", "observation", "row", "taken_for", "as_announced")
    )
    _, _, _, _, info = env.step(1)
    assert (2, "patrol", False) == (info["step"], info["action"], info["as_announced"])
    assert env.step(0)[4]["as_announced"] is False


def test_the_last_step_shows_the_last_observation_again() -> None:
    """An episode has H steps and pays for each of the H observations once."""
    env = LearnerSide("patrol")
    seen, over, rewards = [int(env.reset(seed=9)[0])], False, []
    while not over:
        observation, reward, over, _, _ = env.step(0)
        seen.append(int(observation))
        rewards.append(reward)
    assert (3, seen[-2]) == (len(rewards), seen[-1])
    assert [float(o == 0) for o in seen[:-1]] == rewards


def test_a_certificate_or_a_document_is_a_world() -> None:
    """The generic environment takes a certificate's file, a document, and another truth than the document's."""
    for model in (ROOT / "certificates" / "patrol.cert.json", ROOT / "certificates" / "patrol.model.json", watch()):
        env = gymnasium.make("pomgcheck/Model-v0", model=model, truth=None).unwrapped
        assert isinstance(env, LearnerSide)
        assert env.game.name in ("patrol", "watch")
    other = LearnerSide("patrol", truth={"worlds": {"x": "1/20"}, "responses": {"y": "1/10"}})
    assert other.game.worlds != LearnerSide("patrol").game.worlds


def test_vectors_of_environments_work() -> None:
    """Gymnasium's own vectorisation plays several seasons side by side, each reset when it ends."""
    envs = gymnasium.make_vec("pomgcheck/Patrol-v0", num_envs=3)
    envs.reset(seed=1)
    ended = [envs.step(np.zeros(3, dtype=np.int64))[2].tolist() for _ in range(4)]
    assert [[False] * 3, [False] * 3, [True] * 3, [False] * 3] == ended


class Stubborn:
    """Answers with attack, whatever is played."""

    memory = 1

    def react(self, policies: tuple[str, ...]) -> list[Any]:
        """One table per step."""
        return [[["0", "1"]] * 2] * 3


def test_an_opponent_from_outside_may_stand_for_the_rule() -> None:
    """What the object answers is what is played."""
    env = LearnerSide("patrol", opponent=Stubborn)
    env.reset(seed=0)
    assert setting("patrol").responses[0][0] != env.season.response
    assert all(row == (0, 1) for table in env.season.response for row in table)


@pytest.mark.parametrize(
    ("action", "found"), [(2, "2"), (-1, "-1"), (True, "True"), ("idle", "'idle'"), (0.0, "0.0"), (None, "None")]
)
def test_a_wrong_action_is_named(action: Any, found: str) -> None:
    """The sentence has the action, the range and the labels; the episode goes on as if it had not been tried."""
    env = LearnerSide("patrol")
    env.reset(seed=0)
    with pytest.raises(InputError) as error:
        env.step(action)
    assert f"action: found {found}, required an action from 0 to 1; here 0 = idle, 1 = patrol" == str(error.value)
    assert 2 == env.step(0)[4]["step"]


def test_steps_outside_an_episode_are_refused() -> None:
    """Before the first reset and after the last step the sentence says what to call."""
    env = LearnerSide("silent-action")
    for found in ("no episode", "episode 1, which is over"):
        for play in (lambda: env.step(np.int64(0)), env.announced_action):
            with pytest.raises(InputError, match=f"step: found {found}, required an episode that is being played"):
                play()
        env.reset()
        while not env.step(np.int64(0))[2]:
            pass


def test_unknown_options_are_refused() -> None:
    """A key that is not read is an error rather than silence."""
    with pytest.raises(InputError, match="options: found the key 'polcy', required the key \"policy\""):
        LearnerSide("patrol").reset(options={"polcy": "idle"})


# ------------------------------------------------------------------------------------- wrappers


def test_statistics_of_episodes_are_recorded() -> None:
    """RecordEpisodeStatistics adds its own ``episode`` to the last info, with the return and the H steps."""
    env = gymnasium.wrappers.RecordEpisodeStatistics(gymnasium.make("pomgcheck/Patrol-v0"))
    env.reset(seed=7)
    total, over, info = 0.0, False, {}
    while not over:
        _, reward, over, _, info = env.step(1)
        total += float(reward)
    assert (total, 3, 1) == (info["episode"]["r"], info["episode"]["l"], info["episode_number"])


def test_time_limit_and_flattened_observations() -> None:
    """TimeLimit truncates before the H steps are over, and an observation is flattened to one of |O_A| ones."""
    env = gymnasium.wrappers.TimeLimit(gymnasium.make("pomgcheck/Patrol-v0"), 2)
    env.reset(seed=0)
    assert [(False, False), (False, True)] == [env.step(0)[2:4] for _ in range(2)]
    flat = gymnasium.wrappers.FlattenObservation(gymnasium.make("pomgcheck/Patrol-v0"))
    observation, info = flat.reset(seed=0)
    assert [info["row"]] == np.flatnonzero(observation).tolist()
    assert flat.observation_space.contains(observation)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments(mode: str) -> None:
    """Copies side by side play what each plays alone, by their seeds, and their statistics are recorded."""
    made = gymnasium.make_vec("pomgcheck/Patrol-v0", num_envs=2, vectorization_mode=mode)
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(made)
    try:
        seen = [envs.reset(seed=[3, 5])[0]]
        info: dict[str, Any] = {}
        for _ in range(3):
            observation, _, over, _, info = envs.step(np.array([0, 1]))
            seen.append(observation)
    finally:
        envs.close()
    assert over.all()
    assert [3, 3] == info["episode"]["l"].tolist()
    for k, (seed, action) in enumerate(((3, 0), (5, 1))):
        alone = gymnasium.make("pomgcheck/Patrol-v0")
        path = [alone.reset(seed=seed)[0], *(alone.step(action)[0] for _ in range(3))]
        assert path == [each[k] for each in seen]


def test_an_episode_is_shown_as_a_line() -> None:
    """``render_mode="ansi"`` gives the place in labels; another mode is refused in a sentence."""
    env = gymnasium.make("pomgcheck/Patrol-v0", render_mode="ansi")
    env.reset(seed=7, options={"policy": "on-alarm"})
    expected = "patrol, episode 1, step 1 of 3: policy taken for on-alarm; the learner sees noise, the adversary lit"
    assert expected == env.render()
    assert "patrol: no episode yet" == LearnerSide("patrol", render_mode="ansi").render()
    assert LearnerSide("patrol").render() is None
    with pytest.raises(InputError, match="render_mode: found 'human', required \"ansi\" or None"):
        LearnerSide("patrol", render_mode="human")
