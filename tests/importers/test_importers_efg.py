"""Extensive games: the tree as the file gives it, and the same payoffs from the game made of it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.importers import Choices, efg, imported
from pomgcheck.importers import tree as tree_module
from pomgcheck.importers.choices import ResponseFamily, Unknown
from pomgcheck.importers.efg import tree
from pomgcheck.importers.rows import RowRepair
from pomgcheck.importers.tree import TreeNode
from pomgcheck.search.certify import certify
from tests.importers.samples import PENNIES, value, write

NAME = "sample.efg"


def payoff(node: TreeNode, plans: Mapping[tuple[int, str], Mapping[str, F]], player: int) -> F:
    """What ``player`` gets in expectation when information sets play these laws, by walking the tree."""
    got = node.paid[player - 1] if node.paid else F(0)
    laws = node.chances or [
        plans[asked, turn.where].get(action, F(0)) for asked, turn in node.asked.items() for action in turn.actions
    ]
    return got + sum((p * payoff(child, plans, player) for p, child in zip(laws, node.children, strict=True)), F(0))


def test_the_tree_of_a_file(tmp_path: Path) -> None:
    """Exact fractions, commas, payoffs at inner nodes, and declarations left out where they are repeated."""
    root, kind, notes = tree(write(tmp_path, PENNIES, NAME), RowRepair(None))
    assert ("extensive game", "", {}, (F(1, 3), F(2, 3))) == (kind, notes, root.asked, root.chances)
    heads, tails = root.children
    assert [(1, "saw_heads"), (1, "saw_tails")] == [
        (player, where) for node in (heads, tails) for player, (where, _) in node.asked.items()
    ]
    assert ((), (F(-1, 2), F(1, 2))) == (heads.paid, tails.paid)
    assert ("believe", "doubt") == heads.children[1].moves
    assert [(2, -2), (-1, 1), (-1, 1), (2, -2)] == [end.paid for node in heads.children for end in node.children]


@pytest.mark.parametrize("learner", [1, 2])
def test_every_pair_of_plans_is_worth_what_the_tree_says(tmp_path: Path, learner: int) -> None:
    """The game's value, scaled back, is the tree's expected payoff, for each policy against each response."""
    path = write(tmp_path, PENNIES, NAME)
    root, _, _ = tree(path, RowRepair(None))
    model = imported(path, Choices(learner=learner, responses=ResponseFamily("tilt", "y", (F(0), F(1, 2), F(1)))))
    game = model.game
    low = F(-3, 2) if learner == 1 else F(-2)
    assert f"payoff is {float(low):g}+3.5*r" in str(model.document["source"])
    for policy in range(len(game.policies)):
        for k, response in enumerate(game.responses):
            plans = {}
            for o, label in enumerate(game.OA):
                plans[learner, label] = dict(zip(game.A, game.policies[policy][0][o], strict=True))
            for ob, label in enumerate(game.OB):
                steps = [dict(zip(game.B, table[ob], strict=True)) for table in response[policy]]
                plans[3 - learner, label] = steps[1 if learner == 1 else 0]  # the step at which they are asked
            found = value(game, game.worlds[0], policy, response[policy])
            assert low + F(7, 2) * found == payoff(root, plans, learner), (policy, k)


def test_who_is_not_asked_waits(tmp_path: Path) -> None:
    """Either player sees its information set or ``wait``; the learner then its payoff, once."""
    game = imported(write(tmp_path, PENNIES, NAME)).document["game"]
    assert ["saw_heads", "saw_tails", "wait", "end(-1.5)", "end(-1)", "end(1.5)", "end(2)", "over"] == game[
        "learner_observations"
    ]
    assert ["asked", "wait"] == game["adversary_observations"]
    assert 3 == game["horizon"]
    assert ["0", "0", "0", "0", "1/7", "6/7", "1", "0"] == game["reward"]


def test_unknown_chance_moves(tmp_path: Path) -> None:
    """With probability x a chance move after a decision is uniform; the first one is the known start."""
    text = PENNIES.replace(
        't "" 1 "yes" { 2, -2 }',
        'c "" 2 "late" { "up" 1/4 "down" 3/4 } 0\nt "" 1 "yes" { 2, -2 }\nt "" 2 "no" { -1 1 }',
    )
    choices = Choices(unknowns=[Unknown("transition", "x", (F(0), F(1, 5)))])
    model = imported(write(tmp_path, text, NAME), choices)
    assert {"heads": "1/3", "tails": "2/3"} == model.authored["worlds"]["initial"]
    row = model.authored["worlds"]["transition"]["heads.show * believe"]
    assert {"end(2)": "(1-x)*1/4+x*1/2", "end(-1)": "(1-x)*3/4+x*1/2"} == row
    with pytest.raises(InputError, match="found emission:z, required transition:NAME=..., the chance moves"):
        imported(write(tmp_path, text, NAME), Choices(unknowns=[Unknown("emission", "z", (F(0),))]))


def test_a_deal_that_may_be_stacked(tmp_path: Path) -> None:
    """With probability x the first chance move is its first outcome: a step of its own, in which both wait."""
    path = write(tmp_path, PENNIES, NAME)
    stacked = [Unknown("deal", "x", (F(0), F(1, 4)))]
    model = imported(path, Choices(unknowns=stacked))
    known = imported(path)
    assert (known.H + 1, {"deck": "1"}) == (model.H, model.authored["worlds"]["initial"])
    row = model.authored["worlds"]["transition"]["deck * *"]
    assert {"heads": "(1-x)*1/3+x*1", "tails": "(1-x)*2/3+x*0"} == row
    assert "x, how likely the deal begins with its first outcome" in str(model.document["description"])
    for side in ("learner", "adversary"):
        assert {"wait": "1"} == model.authored["worlds"][f"{side}_emission"]["deck"]
    game, plain = model.game, known.game
    even = [[tuple(F(1, len(game.B)) for _ in game.B) for _ in game.OB]] * game.H
    for policy in range(len(game.policies)):
        assert value(plain, plain.worlds[0], policy, even) == value(game, game.worlds[0], policy, even)
    with pytest.raises(InputError, match="found deal:x, required a game that begins with a chance move"):
        imported(write(tmp_path, 'EFG 2 R "" { "A" } t "" 1 { 3 }', NAME), Choices(unknowns=stacked))


def test_trees_of_one_player_or_none(tmp_path: Path) -> None:
    """Where a player is never asked it has one action; a game that is over at once has one step."""
    alone = 'EFG 2 R "" { "Me" } p "" 1 1 { "" "" } 0 t "" 1 { 1 } t "" 2 { 0 }'
    model = imported(write(tmp_path, alone, NAME))
    game = model.document["game"]
    assert (["action1", "action2"], ["pass"], ["nothing"]) == (
        game["learner_actions"],
        game["adversary_actions"],
        game["adversary_observations"],
    )
    other = 'EFG 2 R "" { "Other" "Me" } p "" 1 1 { "" "" } 0 t "" 1 { 1 1 } t "" 2 { 0 0 }'
    watched = imported(write(tmp_path, other, NAME), Choices(learner=2))
    assert (("pass",), ["wait", "end(0)", "end(1)", "over"]) == (
        watched.policies,
        watched.document["game"]["learner_observations"],
    )
    over = imported(write(tmp_path, 'EFG 2 R "" { "A" "B" } t "" 1 { 3 4 }', NAME))
    assert (1, {"end(3)": "1"}) == (over.document["game"]["horizon"], over.authored["worlds"]["initial"])


def test_labels_that_join_to_one_name_stay_apart(tmp_path: Path) -> None:
    """No policy is lost where the names of two plans would be the same."""
    text = 'EFG 2 R "" { "A" } p "" 1 1 "x" { "a" "a,y:a" } 0 t "" 1 { 1 } p "" 1 2 "y" { "a" "b" } 0 t "" 1 t "" 1'
    assert 4 == len(imported(write(tmp_path, text, NAME)).policies)


def test_a_tree_too_deep_is_refused(tmp_path: Path) -> None:
    """Ways are counted before they are named."""
    text = 'EFG 2 R "" { "A" } p "" 1 1 { "a" } 0 ' + 'p "" 1 1 0 ' * 3000 + 't "" 0'
    with pytest.raises(LimitExceeded, match="found 1,001 moves on the way to a node, required at most 1,000"):
        imported(write(tmp_path, text, NAME))


REFUSED = {
    "": "sample.efg: found the end of the file, required EFG",
    PENNIES.replace("EFG 2", "EFG 3"): 'sample.efg:1: found "3", required 2',
    PENNIES.replace('"Second"', '"Second" "Third"'): (
        "sample.efg:1: found 3 players, required 1 or 2, the learner and the adversary"
    ),
    PENNIES.replace("1/3", "1/4"): (
        "sample.efg:2: chance event 1: found a row that sums to 11/12, 1/12 too little, required a sum of "
        "exactly 1; this is more than rounding, so there is no repair"
    ),
    PENNIES.replace("1/3", "1/0"): (
        'sample.efg:2: found "1/0", required its probability, an exact number such as 1/3 or 0.5'
    ),
    PENNIES.replace("2, -2", "2"): "sample.efg:5: outcome 1: found 1 payoffs, required 2, one per player",
    PENNIES.replace('p "" 2 1 0', 'p "" 2 2 0', 1): (
        'sample.efg:7: found "0", required the actions of the information set 2 in braces, where it first appears'
    ),
    PENNIES.replace('t "" 2\n', 't "" 7\n', 1): (
        'sample.efg:9: found "t", required the payoffs of outcome 7 in braces, where it first appears'
    ),
    PENNIES + 't "" 1\n': 'sample.efg:17: found "t", required the end of the file, since the tree is complete',
    PENNIES[:-7]: "sample.efg:15: found the end of the file, required c or p or t",
    PENNIES.replace('"no"', '"no'): "sample.efg:",
    PENNIES + 'p "': 'sample.efg:17: found "\\"", required a text closed by "',
    PENNIES.replace('p "" 1 2 "saw tails"', 'p "" 3 2 "saw tails"'): (
        'sample.efg:10: found "3", required a player from 1 to 2'
    ),
    PENNIES.replace('{ "show" "hide" } 3', '{ "show" "run" } 3').replace('1 2 "saw tails"', '1 1 "saw tails"'): (
        "sample.efg:10: information set 1 of player 1: found other actions, required show, hide, as declared before"
    ),
    PENNIES.replace('{ "show" "hide" }', "{ }", 1): (
        "sample.efg:3: information set 1 of player 1: found no actions, required at least one"
    ),
    PENNIES.replace('"asked" { "believe" "doubt" } 0', '"asked" { "believe" "doubt" } 0 { 1 1 }'): (
        "sample.efg:4: outcome 0: found payoffs, required none, since outcome 0 has no payoffs"
    ),
    PENNIES.replace('t "" 2\n', 't "" 2 { -1 2 }\n', 1): (
        "sample.efg:8: outcome 2: found -1 2, required -1 1, as before"
    ),
}


@pytest.mark.parametrize(("text", "sentence"), REFUSED.items(), ids=[str(k) for k in range(len(REFUSED))])
def test_each_malformation_has_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    """One sentence: the file and line, what was found and what is required."""
    with pytest.raises(InputError) as refusal:
        tree(write(tmp_path, text, NAME), RowRepair(None))
    assert str(refusal.value).replace(f"{tmp_path}/", "").startswith(sentence.replace('\\"', '"'))


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        ({"learner": 3}, "learner: found 3, required 1 or 2, a player of the file"),
        ({"adversary": "jam"}, "adversary: found jam, required joint: the other player is the adversary"),
        ({"horizon": 2}, "horizon: found 2, required none, since a tree has its own"),
        ({"numbered": True}, "labels: found numbers, required names, for a game tree"),
    ],
)
def test_what_a_tree_has_of_its_own_is_not_chosen(tmp_path: Path, choices: Any, sentence: str) -> None:
    """Who plays, for how many steps and under which names stands in the file."""
    with pytest.raises(InputError) as refusal:
        imported(write(tmp_path, PENNIES, NAME), Choices(**choices))
    assert sentence == str(refusal.value)


def test_a_tree_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes are counted as they are read, rows of the transition table before any is made."""
    path = write(tmp_path, PENNIES, NAME)
    monkeypatch.setattr(tree_module, "MAX_ENTRIES", 43)  # 6 decisions, 4 payoffs and the end, 2 actions each
    with pytest.raises(LimitExceeded) as refusal:
        imported(path)
    assert str(refusal.value) == (
        f"{path}: found 44 rows of the transition table, of 11 states, required at most 43; import a smaller game"
    )
    monkeypatch.setattr(efg, "MAX_NODES", 14)
    with pytest.raises(LimitExceeded, match="sample.efg: found 15 nodes, required at most 14; import a smaller game$"):
        imported(path)


def test_a_chance_law_is_repaired_like_a_row(tmp_path: Path) -> None:
    """Rounded probabilities sum to one after a repair, which the document records."""
    path = write(tmp_path, PENNIES.replace("1/3", "0.333").replace("2/3", "0.666"), NAME)
    model = imported(path, Choices(repair="largest"))
    assert {"heads": "333/1000", "tails": "667/1000"} == model.authored["worlds"]["initial"]
    assert "largest entries: chance event 1, tails 0.666+0.001" in str(model.document["source"])


def test_limits_count_what_the_tree_reaches(tmp_path: Path) -> None:
    """A thin tree of eleven decisions has twelve plays, though words of its observations are many."""
    asked = "".join(f'p "" {1 + k % 2} {1 + k // 2} "" {{ "go" "stop" }} 0\n' for k in range(11))
    ends = "".join(f't "" {k} "" {{ {k * k % 7} {k * k % 5} }}\n' for k in range(1, 13))
    path = write(tmp_path, f'EFG 2 R "thin" {{ "A" "B" }}\n{asked}{ends}', NAME)
    model = imported(path, Choices(policies="routing"))
    assert len(model.document["game"]["learner_observations"]) ** model.H > 10**12
    certificate = certify(model, only=["predictive-states"], limits={"trajectories": 12})
    assert "proved" == certificate.entries["predictive-states"]["verdict"]
