"""Policies and responses made for an imported game, against what their definitions say."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.importers import Choices, alike, imported
from pomgcheck.importers.alike import Alike
from pomgcheck.importers.choices import ResponseFamily, Unknown, read_family, read_point, read_unknown
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import Scaled
from pomgcheck.modelclass import ModelClass
from pomgcheck.search.certify import certify
from tests.importers.samples import MEETING, PENNIES, ROOMS, value, write
from tests.kernel.posteriors import reference_posteriors
from tests.search.classes import documents

JAMMED = {"adversary": "jam", "horizon": 2}


def make(folder: Path, **choices: object) -> ModelClass:
    return imported(write(folder, ROOMS), Choices(**choices))  # type: ignore[arg-type]


def test_reactive_policies_react_to_what_the_file_shows(tmp_path: Path) -> None:
    """One policy a map from start and the file's observations to actions, whatever the reward."""
    model = make(tmp_path)
    assert 2**3 == len(model.policies)
    assert {"go", "stay", "start:go,dim:stay,bright:go"} <= set(model.policies)
    rows = model.authored["policies"]["list"]["start:go,dim:stay,bright:go"]
    actions = {label: next(iter(row)) for label, row in rows.items()}
    assert {
        "start": "go",
        "dim(0)": "stay",
        "dim(4)": "stay",
        "bright(-2)": "go",
        "bright(0)": "go",
        "bright(6)": "go",
    } == actions


def test_other_policies(tmp_path: Path) -> None:
    """Constant ones, all deterministic ones, and those of a file, where an observation stands for all its rewards."""
    assert ("go", "stay") == make(tmp_path, policies="routing").policies
    assert 2**6 == len(make(tmp_path, policies="all-deterministic").policies)
    listed = tmp_path / "mine.toml"
    listed.write_text(
        '[policies]\nwindow = 1\n[policies.list]\ncareful = { "*" = "stay", bright = "go" }\n'
        'idle = { "*" = "uniform" }\n'
    )
    model = make(tmp_path, policies=str(listed))
    assert ("careful", "idle") == model.policies
    table = dict(zip(model.game.OA, model.game.policies[0][0], strict=True))
    assert [(0, 1), (1, 0), (0, 1)] == [table["bright(6)"], table["dim(4)"], table["bright(0)"]]
    assert {(F(1, 2), F(1, 2))} == set(model.game.policies[1][0])


def test_of_two_entries_of_a_policy_the_later_wins(tmp_path: Path) -> None:
    """An observation after a wildcard stands, and so does one that was named before it too."""
    listed = tmp_path / "mine.toml"
    listed.write_text('list.p = { "bright(6)" = "stay", "*" = "stay", bright = "go" }\nwindow = 1\n')
    game = make(tmp_path, policies=str(listed)).game
    assert {"bright(6)", "bright(0)", "bright(-2)"} == {
        label for label, row in zip(game.OA, game.policies[0][0], strict=True) if row == (0, 1)
    }


def test_too_many_policies_are_counted_with_what_is_less(tmp_path: Path) -> None:
    """The error names the smaller set that fits."""
    many = ROOMS.replace("stay go", "stay go a2 a3 a4 a5 a6 a7 a8 a9 a10").replace(
        "identity", "identity\nT: *\nidentity"
    )
    path = write(tmp_path, many)
    with pytest.raises(
        LimitExceeded,
        match='policies: found 1,331 reactive policies, required at most 1,024; policies="routing" makes 11',
    ):
        imported(path, Choices(policies="reactive"))
    with pytest.raises(
        LimitExceeded,
        match='policies: found 1,771,561 deterministic policies, required at most 4,096; policies="routing"',
    ):
        imported(path, Choices(policies="all-deterministic"))


def test_constant_policies_where_reactive_ones_are_many(tmp_path: Path) -> None:
    """With nothing chosen and over 64 reactive policies the constant ones are made, and the document says so."""
    model = imported(write(tmp_path, ROOMS.replace("stay go", "stay go a2 a3 a4").replace("T: go", "T: *")))
    assert ("a2", "a3", "a4", "go", "stay") == model.policies
    assert "Policies: routing, since 125 are reactive." == model.document["description"]


# The second player hears a coin that the first one may have shown: two histories end in "asked", and so a response of
# window 1 may tell only policies apart that differ at both.
TOLD = """EFG 2 R "told" { "First" "Second" }
c "" 1 "coin" { "h" 1/2 "t" 1/2 } 0
p "" 1 1 "heads" { "low" "high" } 0
p "" 2 1 "asked" { "yes" "no" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 0 0 }
p "" 2 1 0
t "" 3 "" { -1 1 }
t "" 4 "" { 2 -2 }
p "" 1 2 "tails" { "low" "high" } 0
p "" 2 1 0
t "" 1
t "" 2
p "" 2 1 0
t "" 3
t "" 4
"""


@pytest.mark.parametrize("learner", [1, 2])
@pytest.mark.parametrize("text", [TOLD, PENNIES], ids=["told", "pennies"])
def test_default_responses_satisfy_the_same_step_form(tmp_path: Path, text: str, learner: int) -> None:
    """With nothing chosen, Assumption 2.3 is proved of an imported tree for either player."""
    model = imported(write(tmp_path, text, "tree.efg"), Choices(learner=learner))
    found = certify(model, only=["posterior-lipschitz"]).entries["posterior-lipschitz"]
    assert "proved" == found["verdict"]


def test_default_responses_react_where_they_may(tmp_path: Path) -> None:
    """Of a Dec-POMDP the table differs between policies; L is positive and proved."""
    model = imported(write(tmp_path, MEETING, "meeting.dpomdp"), Choices(horizon=2, policies="routing"))
    found = certify(model, only=["posterior-lipschitz"]).entries["posterior-lipschitz"]
    assert ("proved", True) == (found["verdict"], F(found["values"]["L_lower"]) > 0)


def test_policies_alike_at_one_history_are_answered_alike(tmp_path: Path) -> None:
    """By the definition, from the kernel's own posteriors: same class where some history with that last observation
    has equal laws, and no class is larger than chains of such pairs make it."""
    model = imported(write(tmp_path, MEETING, "meeting.dpomdp"), Choices(horizon=2))
    assert several(model.game)


@settings(max_examples=30)
@given(documents(full=True))
def test_policies_of_any_memory_are_alike_by_the_definition(document: Any) -> None:
    """Those that read all of the past, or the last observations, in any number of worlds."""
    several(Game(document))


def several(game: Game) -> int:
    """At how many steps and observations there is more than one class, each as the definition has it."""
    classes, known = Alike(game), Scaled(game)
    mu = (F(1, len(game.B)),) * len(game.B)
    worlds, found = range(len(game.worlds)), 0
    laws = [[reference_posteriors(game, known, i, p, mu) for p in range(len(game.policies))] for i in worlds]
    for h, ob in product(range(game.H), range(len(game.OB))):
        of = {p: {p} for p in range(len(game.policies))}
        for i, (p, q) in product(worlds, combinations(of, 2)):
            common = [eta for eta in laws[i][p][h].keys() & laws[i][q][h].keys() if eta[-1] == ob]
            if any(laws[i][p][h][eta] == laws[i][q][h][eta] for eta in common):
                whole = of[p] | of[q]
                of |= dict.fromkeys(whole, whole)
        assert [sorted(of[p]) for p in of] == [sorted(group) for group in classes.groups(h, ob)]
        found += len({tuple(sorted(group)) for group in of.values()}) > 1
    return found


def test_histories_too_many_leave_one_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the laws are too many to follow every policy is answered alike, which Assumption 2.3 never forbids."""
    monkeypatch.setattr(alike, "MAX_MASSES", 0)
    model = imported(write(tmp_path, MEETING, "meeting.dpomdp"), Choices(horizon=2, policies="routing"))
    assert all(response[0] == answer for response in model.game.responses for answer in response)
    found = certify(model, only=["posterior-lipschitz"]).entries["posterior-lipschitz"]
    assert ("proved", "0") == (found["verdict"], found["values"]["L_upper"])


def test_deterrence_by_its_definition(tmp_path: Path) -> None:
    """At each step the adversary acts with probability 1/2·(1 - y v), v the chance that the policy does not stay."""
    model = make(tmp_path, responses=ResponseFamily("deterrence", "y", (F(1, 5),)), **JAMMED)
    game = model.game
    p = game.policy_names.index("start:go,dim:stay,bright:go")
    # against a uniform adversary the learner sees "bright" after one "go" jammed half of half of the time
    lit = F(1, 4) * F(9, 10) + F(3, 4) * F(2, 5)
    bright = F(3, 4) * ((1 - lit) * F(1, 5) + lit * F(7, 10)) + F(1, 4) * F(1, 2)
    acts = [game.responses[0][p][h][0][1] for h in range(2)]
    assert [F(1, 2) * (1 - F(1, 5) * v) for v in (F(1), bright)] == acts
    never = game.policy_names.index("stay")
    assert {(F(1, 2), F(1, 2))} == {row for table in game.responses[0][never] for row in table}


def test_tilt_by_its_definition(tmp_path: Path) -> None:
    """At y = 1 the most harmful action at the place where the choice matters most leaves its mark in full; d is the
    difference that the action makes to the learner's value when the adversary otherwise plays uniformly."""
    model = make(
        tmp_path, responses=ResponseFamily("tilt", "y", (F(1),)), adversary="shift", horizon=2, policies="routing"
    )
    game = model.game
    harms: dict[tuple[int, int], F] = {}
    uniform = [[(F(1, 2), F(1, 2))]] * 3
    for p in range(len(game.policies)):
        for h in range(3):
            worth = []
            for b in range(2):
                table = list(uniform)
                table[h] = [(F(int(b == 0)), F(int(b == 1)))]
                worth.append(value(game, game.worlds[0], p, table))
            harms[p, h] = (worth[0] - worth[1]) / 2  # how much less than the mean the shift is worth
    most = max(map(abs, harms.values()))
    assert most > 0
    for (p, h), d in harms.items():
        assert F(1, 2) * (1 + d / most) == game.responses[0][p][h][0][1]


def test_responses_of_a_file(tmp_path: Path) -> None:
    """A section ``responses``, whole or without what the command line says."""
    given = tmp_path / "answers.toml"
    given.write_text(
        '[responses.parameters]\nz = { values = ["1/4", "1/3"] }\n[responses.table]\n"*" = [["1-z", "z"]]\n'
    )
    model = make(tmp_path, responses=ResponseFamily("table", file=str(given)), truth={"z": F(1, 3)}, memory=3, **JAMMED)
    assert (2, 3) == (model.phis, model.m)
    assert {"z": "1/3"} == model.document["truth"]["responses"]
    assert (F(3, 4), F(1, 4)) == model.game.responses[0][0][0][0]


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("mine.txt", "", "policies: found '{path}', required one of routing, reactive, "),
        ("mine.toml", "policies = 3", "{path}: policies: found no table, required a table [policies]"),
        ("mine.toml", "policies = [", "{path}: "),
    ],
)
def test_a_file_that_holds_no_policies_is_refused(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    """The error names the file, and what stands in it in place of a table."""
    listed = tmp_path / name
    listed.write_text(text)
    with pytest.raises(InputError) as refusal:
        make(tmp_path, policies=str(listed))
    assert str(refusal.value).startswith(sentence.format(path=listed))


def test_policies_of_a_file_may_be_generated_or_change_by_the_step(tmp_path: Path) -> None:
    """A file may ask for a family, and give a policy as a word or step by step, as any document."""
    listed = tmp_path / "mine.toml"
    listed.write_text('window = 1\ngenerate = { kind = "routing" }\n')
    assert (
        make(tmp_path, policies="routing", horizon=2).policies
        == make(tmp_path, policies=str(listed), horizon=2).policies
    )
    listed.write_text(
        'window = 1\nlist.even = "uniform"\nlist.late = { steps = [{ "*" = { stay = 1 } }, "uniform"] }\n'
    )
    game = make(tmp_path, policies=str(listed), horizon=1).game
    half, stay = {(F(1, 2), F(1, 2))}, {(F(1), F(0))}
    assert [[half, half], [stay, half]] == [[{*rows} for rows in policy] for policy in game.policies]


def test_few_reactions_to_many_observations(tmp_path: Path) -> None:
    """Rewards are seen and not reacted to: of 13 observations there are 8,192 maps to two actions, of the file's three 8."""
    ends = [(s, t, o) for s in ("dark", "lit") for t in ("dark", "lit") for o in ("dim", "bright")]
    paid = "".join(f"R: go : {s} : {t} : {o} {k}\n" for k, (s, t, o) in enumerate(ends, 10))
    paid += "".join(f"R: stay : {s} : {s} : {o} {k}\n" for k, (s, t, o) in enumerate(ends, 20) if s == t)
    with pytest.raises(LimitExceeded) as refusal:
        imported(write(tmp_path, ROOMS + paid), Choices(policies="all-deterministic"))
    assert ('policies: found 8,192 deterministic policies, required at most 4,096; policies="reactive" makes 8') in str(
        refusal.value
    )


def test_no_adversary_has_no_response(tmp_path: Path) -> None:
    """Where nobody acts, Psi is one point."""
    model = make(tmp_path)
    assert (1, ["pass"]) == (model.phis, model.document["game"]["adversary_actions"])


def test_responses_need_an_adversary_who_acts(tmp_path: Path) -> None:
    """A family chosen for nobody is refused, not forgotten."""
    with pytest.raises(InputError, match="responses: found tilt, required an adversary who acts; choose one"):
        make(tmp_path, responses=ResponseFamily("tilt"))


def test_what_was_chosen_is_recorded(tmp_path: Path) -> None:
    """The document's description says it in words."""
    model = make(tmp_path, unknowns=[Unknown("emission", "mix", (F(0), F(1, 2)))], **JAMMED)
    chosen = "Policies: reactive. Adversary: jam. Responses: deterrence"
    assert f"{chosen}. Unknown: mix, how likely the emission is uniform." == model.document["description"]


def test_the_truth_is_the_first_value_or_the_one_chosen(tmp_path: Path) -> None:
    """It must be a point of the class, of parameters that the class has."""
    unknowns = [Unknown("transition", "slip", (F(1, 10), F(1, 5)))]
    first = make(tmp_path, unknowns=unknowns, **JAMMED).document["truth"]
    assert {"worlds": {"slip": "1/10"}, "responses": {"y": "1/10"}} == first
    chosen = make(tmp_path, unknowns=unknowns, truth={"slip": F(1, 5), "y": F(1, 5)}, **JAMMED).document["truth"]
    assert {"worlds": {"slip": "1/5"}, "responses": {"y": "1/5"}} == chosen
    for truth, sentence in (
        ({"slip": F(1, 7)}, "truth: found slip = 1/7, required a point of the class"),
        ({"y": F(1, 7)}, "truth: found y = 1/7, required one of its values"),
        ({"x": F(1, 7)}, 'truth: found a value of "x", required values of slip, y'),
    ):
        with pytest.raises(InputError, match=sentence):
            make(tmp_path, unknowns=unknowns, truth=truth, **JAMMED)


def test_options_are_read_exactly() -> None:
    """KIND:NAME=VALUE,... in decimals and fractions."""
    assert Unknown("emission", "mix", (F(0), F(1, 20), F(1, 10))) == read_unknown("emission:mix=0,1/20,0.1")
    assert ResponseFamily("tilt", "z", (F(1, 2),)) == read_family("tilt:z=0.5")
    assert (ResponseFamily("deterrence"), ResponseFamily("table", file="a.toml")) == (
        read_family("deterrence"),
        read_family("table:a.toml"),
    )
    assert {"x": F(1, 3), "y": F(1)} == read_point(["x=1/3,y=1"], "--truth")


@pytest.mark.parametrize("values", ["", ":x", ":x=", ":x=a", ":x=1/0", ":x=2", ":x=1,1", ":1x=1", ":x=-1"])
def test_unknowns_that_are_none(values: str) -> None:
    """One sentence that names the option."""
    with pytest.raises(InputError, match="unknown: found .*, required"):
        read_unknown(f"emission{values}")


def test_families_that_are_none() -> None:
    """One sentence that names the option, and the nearest family."""
    for text in ("tilted", "tilt:y", "deterrence:y=2", "table", "table:"):
        with pytest.raises(InputError, match="responses: found .*, required"):
            read_family(text)
