"""From process to game: the law of what the learner sees and wins is the file's own, one step later."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from pathlib import Path

import pytest

from pomgcheck.errors import InputError
from pomgcheck.importers import Choices, imported
from pomgcheck.importers.cassandra import process as pomdp
from pomgcheck.importers.choices import Unknown
from pomgcheck.importers.lifting import _text, _without
from pomgcheck.importers.madp import process as dpomdp
from pomgcheck.importers.rows import RowRepair
from pomgcheck.importers.words import decimal
from tests.importers.samples import MEETING, ROOMS, game_play, process_play, value, write


def seen_in_game(process_law: dict, names: tuple[str, ...]) -> dict[tuple[str, ...], F]:  # type: ignore[type-arg]
    """The process's outcomes in the game's labels."""
    return {("start", *(f"{names[o]}({decimal(r)})" for o, r in seen)): p for seen, p in process_law.items()}


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_a_pomdp_is_played_as_in_its_file(tmp_path: Path, moves: int) -> None:
    """Under every sequence of actions the law of (observation, reward) is that of the file's own semantics."""
    path = write(tmp_path, ROOMS)
    process, game = pomdp(path, RowRepair(None)), imported(path, Choices(horizon=moves)).game
    for actions in product(range(2), repeat=moves):
        mine = process_play(process, actions, [0] * moves)
        theirs = game_play(game, game.worlds[0], [*actions, 0], [0] * (moves + 1))
        assert seen_in_game(mine, process.learner_observations) == theirs


@pytest.mark.parametrize("learner", [1, 2])
def test_correlated_observations_are_kept(tmp_path: Path, learner: int) -> None:
    """What two agents see together is split over states, so that emissions are independent and the law is the same."""
    path = write(tmp_path, MEETING, "meeting.dpomdp")
    process = dpomdp(path, RowRepair(None), learner)
    game = imported(path, Choices(horizon=2, learner=learner, policies="routing")).game
    for actions, answers in product(product(range(2), repeat=2), repeat=2):
        mine = process_play(process, actions, answers)
        theirs = game_play(game, game.worlds[0], [*actions, 0], [*answers, 0])
        assert seen_in_game(mine, process.learner_observations) == theirs


def test_the_adversary_hears_what_goes_with_what_the_learner_sees(tmp_path: Path) -> None:
    """The joint law of both observations after a walk together is 0.4, 0.1, 0.1, 0.4 times the chance of that."""
    game = imported(write(tmp_path, MEETING, "m.dpomdp"), Choices(horizon=1, policies="routing")).game
    world, joint = game.worlds[0], dict[tuple[str, str], F]()
    for s, start in enumerate(game.rho0):
        for t, move in enumerate(world.T[0][s][1][1]):
            for o, ob in product(range(len(game.OA)), range(len(game.OB))):
                p = start * move * world.EA[1][t][o] * world.EB[1][t][ob]
                if p:
                    key = game.OA[o].partition("(")[0], game.OB[ob]
                    joint[key] = joint.get(key, F(0)) + p
    together = F(1, 2) * F(3, 4) + F(1, 2) * F(1, 2)
    assert {
        ("alone", "0"): 1 - together + together * F(2, 5),
        ("alone", "1"): together / 10,
        ("met", "0"): together / 10,
        ("met", "1"): together * F(2, 5),
    } == joint


def test_rewards_are_scaled_and_discounted(tmp_path: Path) -> None:
    """The file's discounted value is low·(1+γ+γ²) + (high-low) times the game's, for a policy of the file."""
    path = write(tmp_path, ROOMS)
    model = imported(path, Choices(horizon=3))
    assert "the file's reward is -2+8*r for a reward r here, discounted by 0.5 per move" in str(
        model.document["source"]
    )
    game, process = model.game, pomdp(path, RowRepair(None))
    go = game.policy_names.index("go")
    law = process_play(process, [1, 1, 1], [0, 0, 0])
    mine = sum((p * sum((F(1, 2) ** k * r for k, (_, r) in enumerate(seen)), F(0)) for seen, p in law.items()), F(0))
    theirs = value(game, game.worlds[0], go, game.responses[0][go])
    assert -2 * F(7, 4) + 8 * theirs == mine


def test_one_reward_for_all_is_nothing_to_play_for(tmp_path: Path) -> None:
    """Rewards that never differ are 0 here, and the document says what they were."""
    head, _, _ = ROOMS.partition("R:")
    model = imported(write(tmp_path, head + "R: * : * : * : * 3\n"))
    assert ["0", "0", "0"] == model.document["game"]["reward"]
    assert "the file's reward is always 3, which is 0 here" in str(model.document["source"])


def test_what_is_done_last_has_no_consequence(tmp_path: Path) -> None:
    """At the step after the last move every state stays, in every world: nothing is unknown that is never seen."""
    model = imported(write(tmp_path, ROOMS), Choices(unknowns=[Unknown("transition", "slip", (F(0), F(1, 2)))]))
    game = model.game
    for world in game.worlds:
        for s, rows in enumerate(world.T[-1]):
            assert {tuple(F(int(t == s)) for t in range(len(game.S)))} == {row for each in rows for row in each}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        # after one move "go" from dark or lit (1/4, 3/4): lit with 19/40; bright with 1/5 in the dark and 7/10 in the light
        ("emission", F(1, 2)),
        ("transition", F(1, 2) * F(1, 5) + F(1, 2) * F(7, 10)),
    ],
)
def test_unknowns_mix_with_the_uniform_law(tmp_path: Path, kind: str, expected: F) -> None:
    """K_x = (1-x) K + x uniform: the chance of ``bright`` is affine in x, from the file's to the faulty one's."""
    values = (F(0), F(1, 4), F(1))
    model = imported(write(tmp_path, ROOMS), Choices(horizon=1, unknowns=[Unknown(kind, "x", values)]))
    lit = F(1, 4) * F(9, 10) + F(3, 4) * F(2, 5)
    usual = (1 - lit) * F(1, 5) + lit * F(7, 10)
    for x, world in zip(values, model.game.worlds, strict=True):
        law = game_play(model.game, world, [1, 0], [0, 0])
        bright = sum((p for seen, p in law.items() if seen[1].startswith("bright")), F(0))
        assert (1 - x) * usual + x * expected == bright


def test_two_unknowns_exclude_each_other_and_stay_affine(tmp_path: Path) -> None:
    """At most one fault a move: every entry is affine in both (coordinate structure), on the simplex of both."""
    unknowns = [Unknown("emission", "mix", (F(0), F(1, 2))), Unknown("transition", "slip", (F(0), F(3, 4)))]
    model = imported(write(tmp_path, ROOMS), Choices(horizon=1, unknowns=unknowns))
    assert ["-mix-slip+1 >= 0"] == model.document["worlds"]["constraints"]
    assert 3 == model.thetas
    entries = str(model.document["worlds"]["transition"])
    assert "slip" in entries
    assert "mix*slip" not in entries


@pytest.mark.parametrize(
    ("adversary", "answers", "bright"),
    [
        # lit after "go" with 19/40+... ; jammed half of the time the observation is a coin; shifted half of the time the
        # room is the other one
        ("jam", ("pass", "jam"), lambda p, q: (p, F(1, 2) * p + F(1, 4))),
        ("shift", ("pass", "shift"), lambda p, q: (p, F(1, 2) * p + F(1, 2) * q)),
        (
            "joint",
            ("pass", "jam", "shift", "both"),
            lambda p, q: (
                p,
                F(1, 2) * p + F(1, 4),
                F(1, 2) * p + F(1, 2) * q,
                F(1, 2) * (F(1, 2) * p + F(1, 2) * q) + F(1, 4),
            ),
        ),
    ],
    ids=["jam", "shift", "joint"],
)
def test_what_the_adversary_can_do(tmp_path: Path, adversary: str, answers: tuple[str, ...], bright: object) -> None:
    """Jamming replaces what is seen by a uniform observation, shifting moves the state one on; half of the time."""
    model = imported(write(tmp_path, ROOMS), Choices(horizon=1, adversary=adversary, policies="routing"))
    lit = F(1, 4) * F(9, 10) + F(3, 4) * F(2, 5)
    usual, shifted = ((1 - share) * F(1, 5) + share * F(7, 10) for share in (lit, 1 - lit))
    assert list(answers) == model.document["game"]["adversary_actions"]
    found = []
    for b in range(len(answers)):
        law = game_play(model.game, model.game.worlds[0], [1, 0], [b, 0])
        found.append(sum((p for seen, p in law.items() if seen[1].startswith("bright")), F(0)))
    assert callable(bright)
    assert list(bright(usual, shifted)) == found


def test_a_jammed_reward_is_the_true_one(tmp_path: Path) -> None:
    """Jamming hides the observation; the learner still gets, and sees, what its move brought."""
    model = imported(write(tmp_path, ROOMS), Choices(horizon=1, adversary="jam", policies="routing"))
    rewards = []
    for b in range(2):
        law = game_play(model.game, model.game.worlds[0], [1, 0], [b, 0])
        total: dict[str, F] = {}
        for seen, p in law.items():
            reward = seen[1].partition("(")[2]
            total[reward] = total.get(reward, F(0)) + p
        rewards.append(total)
    assert rewards[0] == rewards[1]


def test_only_what_play_can_reach_is_kept(tmp_path: Path) -> None:
    """States of the file that no move reaches within the horizon are left out; a longer one brings them in."""
    chain = "discount: 1\nvalues: reward\nstates: 6\nactions: 1\nobservations: 1\nstart: 0\nT: 0 : * : * 0\n"
    chain += "".join(f"T: 0 : {k} : {min(k + 1, 5)} 1\n" for k in range(6)) + "O: *\nuniform\n"
    path = write(tmp_path, chain)
    states = [imported(path, Choices(horizon=n, policies="routing")).document["game"]["states"] for n in (1, 3)]
    assert [["0", "1(0)"], ["0", "1(0)", "2(0)", "3(0)"]] == states


def test_terms_that_do_not_matter_are_left_out() -> None:
    """(1-x)·p + x·p is p; what differs is kept."""
    either = ("(1-x)", "x")
    assert {(): F(1, 2)} == _without({("(1-x)",): F(1, 2), ("x",): F(1, 2)}, either)
    assert {("(1-x)",): F(1, 2), ("x",): F(1, 3)} == _without({("(1-x)",): F(1, 2), ("x",): F(1, 3)}, either)
    assert "(1-x)*1/2+x" == _text({("(1-x)",): F(1, 2), ("x",): F(1)}, [either])


def test_horizons_and_names_are_checked(tmp_path: Path) -> None:
    """A horizon of no move, one name for two things, two unknowns of one kind: each is one sentence."""
    path = write(tmp_path, ROOMS)
    twice = [Unknown("emission", "x", (F(0),)), Unknown("emission", "y", (F(0),))]
    for choices, sentence in (
        (Choices(horizon=0), "horizon: found 0, required 1 to 999 moves"),
        (Choices(unknowns=twice), "unknown: found emission twice, required one unknown of each kind"),
        (Choices(adversary="jam", unknowns=[Unknown("emission", "jam", (F(0),))]), 'found the name "jam" twice'),
    ):
        with pytest.raises(InputError, match=sentence):
            imported(path, choices)
