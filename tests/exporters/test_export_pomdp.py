"""A world written as a POMDP file: read back, it is the same world, exactly; or it is refused."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from pathlib import Path

import pytest

from pomgcheck import load
from pomgcheck.errors import InputError
from pomgcheck.exporters.pomdp import pomdp_text
from pomgcheck.importers import Choices, imported
from pomgcheck.importers.cassandra import process
from pomgcheck.importers.choices import Unknown
from pomgcheck.importers.rows import RowRepair
from tests.importers.samples import ROOMS, game_play, process_play, write


def test_an_imported_world_round_trips(tmp_path: Path) -> None:
    """Every table of the file is the world's: start, transition, emission, and the rewards with their discount."""
    model = imported(write(tmp_path, ROOMS), Choices(unknowns=[Unknown("transition", "slip", (F(0), F(1, 4)))]))
    game = model.game
    for theta, world in zip(game.thetas or (), game.worlds, strict=True):
        again = process(write(tmp_path, pomdp_text(model, theta), "again.pomdp"), RowRepair(None))
        S, A, O = (range(len(x)) for x in (game.S, game.A, game.OA))
        assert game.rho0 == tuple(again.start.get(s, 0) for s in S)
        for s, a in product(S, A):
            assert world.T[0][s][a][0] == tuple(again.move(s, a, 0).get(t, 0) for t in S)
            assert world.EA[1][s] == tuple(again.see(a, 0, s).get((o, 0), 0) for o in O)
            for h, o in product(range(1, game.H), O):
                assert game.reward[h][o] == again.discount ** (h - 1) * again.reward(s, a, 0, s, (o, 0))


def test_a_world_whose_first_step_shows_something(tmp_path: Path) -> None:
    """A state in front draws the first state, so that the law of play is the class's own, one move later."""
    model = load("patrol")
    game = model.game
    text = pomdp_text(model, {"x": F(1, 20)}, against="attack")
    again = process(write(tmp_path, text), RowRepair(None))
    assert "before" == again.states[-1]
    for actions in product(range(2), repeat=2):
        mine = game_play(game, game.worlds[0], [*actions, 0], [1, 1, 1])
        theirs = process_play(again, [0, *actions], [0, 0, 0])
        assert mine == {tuple(game.OA[o] for o, _ in seen): p for seen, p in theirs.items()}
        assert all(r == game.reward[0][o] for seen in theirs for o, r in seen)


def test_importing_what_was_exported_changes_nothing_but_labels(tmp_path: Path) -> None:
    """File, class, file, class: the laws of play of both classes are the same but for the labels."""
    first = imported(write(tmp_path, ROOMS), Choices(policies="routing"))
    second = imported(write(tmp_path, pomdp_text(first), "b.pomdp"), Choices(policies="routing", horizon=3))
    assert len(first.game.S) == len(second.game.S)
    assert first.document["game"]["reward"] == second.document["game"]["reward"]
    for actions in product(range(2), repeat=3):
        laws = [game_play(m.game, m.game.worlds[0], [*actions, 0], [0] * 4) for m in (first, second)]
        assert sorted(laws[0].values()) == sorted(laws[1].values())


def test_what_a_file_cannot_say_is_refused(tmp_path: Path) -> None:
    """Fractions without a decimal, several adversary actions, a point outside, changing steps: one sentence each."""
    rooms = imported(write(tmp_path, ROOMS), Choices(unknowns=[Unknown("transition", "slip", (F(1, 3),))]))
    with pytest.raises(
        InputError, match=r"T\(stay, dark\), dark_0: found 5/6, required a number with a finite decimal"
    ):
        pomdp_text(rooms)
    several = (
        "against: found none, where the adversary has 2 actions, required the one that it always plays: wait or attack"
    )
    with pytest.raises(InputError, match=several):
        pomdp_text(load("patrol"))
    with pytest.raises(InputError, match='against: found the unknown action "run"'):
        pomdp_text(load("patrol"), against="run")
    with pytest.raises(InputError, match="world: found x = 1/3, required a point of the class, such as x = 1/20"):
        pomdp_text(load("patrol"), {"x": F(1, 3)}, "wait")
    patrol = load("patrol")
    steps = {"steps": [["1", "0"], ["0", "1"], ["1", "0"]]}
    other = load(dict(patrol.document) | {"game": patrol.document["game"] | {"reward": steps}})
    with pytest.raises(InputError, match="reward: found rewards that change from step to step"):
        pomdp_text(other, against="wait")
