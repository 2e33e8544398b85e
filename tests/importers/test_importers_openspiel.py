"""Games of OpenSpiel: every pair of a policy and a response is worth exactly what OpenSpiel's own game pays."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction as F
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import pomgcheck
from pomgcheck import gallery
from pomgcheck.errors import InputError, LimitExceeded, MissingDependency
from pomgcheck.importers import openspiel
from pomgcheck.importers.kuhn import CARDS
from pomgcheck.kernel.game import Game
from pomgcheck.modelclass.model import ModelClass
from tests.importers.samples import value

spiel = pytest.mark.skipif(importlib.util.find_spec("pyspiel") is None, reason="OpenSpiel is an extra")

Law = Mapping[int, F]  # OpenSpiel's action -> probability
Play = Callable[[Any, int], Law]  # (state, OpenSpiel's player, from 0) -> what it plays there
GOOFSPIEL = "goofspiel(num_cards=3,imp_info=true,points_order=descending)"
OSHI_ZUMO = "oshi_zumo(coins=2,size=1,horizon=2)"


def label(text: str) -> str:
    return "_".join(text.split())


def kuhn_label(text: str) -> str:
    """The first digit is the card."""
    digits = text.removeprefix("Deal:")
    return CARDS[int(digits[0])] + digits[1:] if digits[:1].isdigit() else text


def paid(state: Any, player: int, play: Play, deal: Callable[[Any, list[tuple[int, F]]], list[tuple[int, F]]]) -> F:
    """What a player gets in expectation, by OpenSpiel's states; chance as ``deal`` makes it of its fractions."""
    if state.is_terminal():
        return F(state.returns()[player])
    if state.is_chance_node():
        law = deal(state, [(move, F(p).limit_denominator(1000)) for move, p in state.chance_outcomes()])
        assert sum(p for _, p in law) == 1
        return sum((p * paid(state.child(move), player, play, deal) for move, p in law if p), F(0))
    if not state.is_simultaneous_node():
        law = play(state, state.current_player()).items()
        return sum((p * paid(state.child(move), player, play, deal) for move, p in law if p), F(0))
    total = F(0)
    for (a, p), (b, q) in product(play(state, 0).items(), play(state, 1).items()):
        if p * q:
            after = state.clone()
            after.apply_actions([a, b])
            total += p * q * paid(after, player, play, deal)
    return total


def plays(game: Game, learner: int, policy: int, response: Any, spoken: Callable[[str], str], first: int) -> Play:
    """Both players' tables as laws of OpenSpiel's moves, looked up by the labels of what they know and do.

    ``first`` is the step of the first decision; a state's own step is found by the decisions before it.
    """

    def play(state: Any, player: int) -> Law:
        history = [x for x in state.full_history() if x.player >= 0]
        step = first + (len(history) // 2 if state.is_simultaneous_node() else len(history))
        where = (
            "move"
            if state.get_game().get_type().information.name == "ONE_SHOT"
            else label(spoken(state.information_state_string(player)))
        )
        where = where or "start"
        mine = player + 1 == learner
        row = (
            game.policies[policy][step][game.OA.index(where)] if mine else response[policy][step][game.OB.index(where)]
        )
        actions = game.A if mine else game.B
        found: dict[int, F] = {}
        legal = state.legal_actions(player)
        for k, p in enumerate(row):
            named = {label(state.action_to_string(player, m).removeprefix(f"[P{player}]")): m for m in legal}
            move = named.get(actions[k], legal[0])  # an action that is not there acts as the first
            found[move] = found.get(move, F(0)) + p
        return found

    return play


def returns(model: ModelClass, name: str, learner: int, spoken: Callable[[str], str]) -> Iterator[tuple[F, F]]:
    """(OpenSpiel's return, the game's value scaled back) of every world, policy and response."""
    import pyspiel

    game = model.game
    start = pyspiel.load_game(name).new_initial_state()
    source = str(model.document["source"])
    scale = source.split(" is ")[1].split("*r for")[0]
    low, span = map(F, scale.split("+")) if "+" in scale else (F(0), F(scale))
    stacked = "deck" in game.S
    thetas = game.thetas or [{}]
    for (i, theta), policy, response in product(enumerate(thetas), range(len(game.policies)), game.responses):
        x = next(iter(theta.values()), F(0))

        def deal(state: Any, law: list[tuple[int, F]], x: F = x) -> list[tuple[int, F]]:
            if state.full_history():
                return law
            return [(move, (1 - x) * p + x * (k == 0)) for k, (move, p) in enumerate(law)]

        play = plays(game, learner, policy, response, spoken, int(stacked))
        yield paid(start, learner - 1, play, deal), low + span * value(game, game.worlds[i], policy, response[policy])


@spiel
def test_every_pair_of_kuhn_poker() -> None:
    """In every world of the gallery's class, stacked decks too, each policy earns against each answer what
    OpenSpiel pays, exactly."""
    pairs = list(returns(gallery.load("kuhn"), "kuhn_poker", 1, kuhn_label))
    assert 3 * 8 * 2 == len(pairs)
    for expected, found in pairs:
        assert expected == found
    assert F(-1, 18) == pairs[0][0]  # of an equilibrium, with a fair deck


@spiel
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kuhn_poker", {"learner": 2, "responses": "tilt:y=0,1"}),
        ("kuhn_poker", {"policies": "reactive", "responses": "tilt:y=1/3", "unknown": "deal:x=0,1/7"}),
        ("matrix_rps", {"responses": "tilt:y=0,1/2"}),
        ("matrix_pd", {"learner": 2}),
        (GOOFSPIEL, {"responses": "tilt:y=1/2"}),
        (OSHI_ZUMO, {"policies": "routing", "responses": "tilt:y=0,1"}),
        ("tiny_hanabi", {}),
    ],
)
def test_every_pair_of_other_games(name: str, options: dict[str, Any]) -> None:
    """Either player as the learner, simultaneous moves, and actions that are not there at every state."""
    model = pomgcheck.import_model(f"openspiel:{name}", **options)
    spoken = kuhn_label if name == "kuhn_poker" else str
    pairs = list(returns(model, name, options.get("learner", 1), spoken))
    assert len({expected for expected, _ in pairs}) > 1
    for expected, found in pairs:
        assert expected == found


@spiel
def test_openspiels_own_floats_agree() -> None:
    """Its evaluation of two tabular policies is ours to 1e-12, for every pair with a fair deck."""
    import pyspiel
    from open_spiel.python import policy as tabular
    from open_spiel.python.algorithms.expected_game_score import policy_value

    game = gallery.load("kuhn").game
    theirs = pyspiel.load_game("kuhn_poker")
    for policy, response in product(range(len(game.policies)), game.responses):
        play = plays(game, 1, policy, response, kuhn_label, 1)
        both = tabular.TabularPolicy(theirs)
        for state in both.states:
            law = play(state, state.current_player())
            both.policy_for_key(state.information_state_string())[:] = [float(law.get(k, 0)) for k in range(2)]
        found = -2 + 4 * value(game, game.worlds[0], policy, response[policy])
        assert pytest.approx(float(found), abs=1e-12) == policy_value(theirs.new_initial_state(), [both, both])[0]


@spiel
def test_the_gallery_has_what_the_importer_makes() -> None:
    """The class built without OpenSpiel is the imported one, but for the words of its description."""
    made = pomgcheck.import_model(
        "openspiel:kuhn_poker", unknown="deal:x=0,1/10,1/5", name="kuhn", truth={"x": "1/10", "y": "1/2"}
    )
    built = gallery.load("kuhn")
    assert made.document | {"description": ""} == built.document | {"description": ""}
    for part in ("worlds", "policies", "responses"):
        assert made.authored[part] == built.authored[part]


@spiel
def test_both_move_at_once_in_one_step() -> None:
    """Rock, paper, scissors is a step of play and one of payoffs; nobody waits."""
    model = pomgcheck.import_model("openspiel:matrix_rps")
    assert (2, 3) == (model.H, len(model.policies))
    assert {"end(0)": "1"} == model.authored["worlds"]["transition"]["root Rock Rock"]
    assert {"end(1)": "1"} == model.authored["worlds"]["transition"]["root Paper Rock"]
    assert "the game's payoff is -1+2*r for a reward r here" in str(model.document["source"])


@spiel
def test_information_states_by_numbers() -> None:
    """Long ones may be numbered, in the order of the tree; the game stays the same."""
    long, short = (
        pomgcheck.import_model(f"openspiel:{GOOFSPIEL}", labels=labels, policies="routing")
        for labels in ("names", "numbers")
    )
    assert [f"state{k}" for k in range(1, 9)] == short.document["game"]["learner_observations"][:8]
    assert long.document["worlds"]["transition"] == short.document["worlds"]["transition"]
    assert long.document["worlds"]["learner_emission"] == short.document["worlds"]["learner_emission"]


@spiel
@pytest.mark.parametrize(
    ("name", "options", "sentence"),
    [
        ("no_such", {}, "openspiel:no_such: found no such game, required a game of OpenSpiel, such as kuhn_poker"),
        ("kuhn_poker(players=3)", {}, "found 3 players, required 1 or 2, the learner and the adversary"),
        ("kuhn_poker(cards=3)", {}, "found the parameter cards, required one of the game's: players"),
        ("catch", {}, "found a game without information states"),
        ("kuhn_poker", {"horizon": 3}, "horizon: found 3, required none, since a tree has its own"),
        ("kuhn_poker", {"repair": "largest"}, "repair: found largest, required none, for a game of OpenSpiel"),
        ("kuhn_poker", {"unknown": "emission:z=0"}, "unknown: found emission:z, required transition:NAME"),
        (
            "matrix_rps",
            {"unknown": "deal:z=0"},
            "unknown: found deal:z, required a game that begins with a chance move",
        ),
        ("matrix_rps", {"policies": "equilibrium"}, "policies: found equilibrium, required openspiel:kuhn_poker with"),
        (
            "kuhn_poker",
            {"learner": 2, "responses": "exploit"},
            "responses: found exploit, required openspiel:kuhn_poker",
        ),
        ("kuhn_poker", {"responses": "exploit:y=-1"}, "responses: found y = -1, required a sensitivity from -1/2 to 1"),
        ("kuhn_poker", {"policies": "equilibrium:alpha=1/2"}, "policies: found 'equilibrium:alpha=1/2', required"),
    ],
)
def test_what_is_refused(name: str, options: dict[str, Any], sentence: str) -> None:
    """One sentence: games too large with their counts, games of other kinds, options that do not fit."""
    with pytest.raises((InputError, LimitExceeded)) as refusal:
        pomgcheck.import_model(f"openspiel:{name}", **options)
    assert sentence in str(refusal.value)


@spiel
def test_nodes_are_counted_on_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree of more nodes than the limit is refused when it has been walked that far."""
    monkeypatch.setattr(openspiel, "MAX_NODES", 57)
    with pytest.raises(LimitExceeded) as refusal:
        pomgcheck.import_model("openspiel:kuhn_poker")
    expected = "openspiel:kuhn_poker: found 58 nodes, required at most 57; give the game smaller parameters"
    assert expected == str(refusal.value)


def test_without_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence names the command that installs it."""
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingDependency) as refusal:
        pomgcheck.import_model("openspiel:kuhn_poker")
    expected = "openspiel:kuhn_poker: found no package pyspiel, required it; pip install 'pomgcheck[openspiel]'"
    assert expected == str(refusal.value)


@spiel
def test_policies_of_a_file_are_exploited_too(tmp_path: Path) -> None:
    """The gains are those of any policy: against one that checks every card and folds, a bluff wins 4 chips more."""
    file = tmp_path / "plans.toml"
    file.write_text('window = 1\n[list]\nmeek = { "*" = "Pass" }\nbold = { "*" = "Bet" }\n')
    model = pomgcheck.import_model("openspiel:kuhn_poker", policies=file, responses="exploit:y=1/2,1")
    tables = model.authored["responses"]["table"]
    assert {"Pass": "1-(1/3+2/3*y)", "Bet": "1/3+2/3*y"} == tables["meek"]["Jp"]
    assert {"Pass": "1-(1/3)", "Bet": "1/3"} == tables["meek"]["Qb"]
    assert {"Pass": "1-(1/3)", "Bet": "1/3"} == tables["bold"]["Jp"]
    assert {"Pass": "1-(1/3+1/3*y)", "Bet": "1/3+1/3*y"} == tables["bold"]["Qb"]
