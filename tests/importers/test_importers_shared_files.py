"""Public files, where they are at hand: in the folder that POMGCHECK_MODELS names."""

from __future__ import annotations

import os
from fractions import Fraction as F
from pathlib import Path

import pytest

from pomgcheck.errors import InputError
from pomgcheck.importers import Choices, imported

FOLDER = os.environ.get("POMGCHECK_MODELS")
pytestmark = pytest.mark.skipif(FOLDER is None, reason="POMGCHECK_MODELS names no folder of public models")


def public(name: str) -> Path:
    path = Path(FOLDER or "") / name
    if not path.is_file():
        pytest.skip(f"no {name} there")
    return path


@pytest.mark.parametrize(
    ("name", "states", "observations", "policies"),
    [("efg_commas.efg", 10, 7, 2), ("efg_guess_the_ace.efg", 7, 6, 4), ("efg_kuhn_poker.efg", 29, 12, 64)],
)
def test_files_that_load(name: str, states: int, observations: int, policies: int) -> None:
    """Games with exact fractions load as they are."""
    model = imported(public(name))
    game = model.document["game"]
    assert (states, observations, policies) == (
        len(game["states"]),
        len(game["learner_observations"]),
        len(model.policies),
    )


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("zmdp_three_state.pomdp", ":29: start: found a row that sums to 0.99999999996, 4e-11 too little"),
        ("zmdp_term3.pomdp", ":29: start: found a row that sums to 0.99999999996, 4e-11 too little"),
        ("zmdp_term3_strict.pomdp", ":25: start: found a row that sums to 0.99999999996, 4e-11 too little"),
        ("zmdp_test13_extra_obs.pomdp", ":29: start: found a row that sums to 0.99999999996, 4e-11 too little"),
        ("zmdp_test05_crash.pomdp", ":18: T (move, p1r6e0): found a row that sums to 0.999999, 0.000001 too little"),
        (
            "tiger.symbolic.pomdp",
            ":25: O (listen, tiger-left): found a row that sums to 1.00000000000000002, 2e-17 too much",
        ),
        ("tiger.numeric.pomdp", ":20: O (0, 0): found a row that sums to 1.00000000000000002, 2e-17 too much"),
        ("osposg_partition.osposg", ": found a file named osposg_partition.osposg, required a file to import, .pomdp"),
        ("osposg_bad_belief.osposg", ": found a file named"),
        ("osposg_discount_2.osposg", ": found a file named"),
        ("osposg_rewards.osposg", ": found a file named"),
    ],
)
def test_files_that_are_refused(name: str, where: str) -> None:
    """Rows that do not sum to one exactly, by line, labels and deficit; formats that are not read."""
    path = public(name)
    with pytest.raises(InputError) as refusal:
        imported(path)
    assert where in f": {refusal.value}" if name.endswith("osposg") else where in str(refusal.value)
    if not name.endswith("osposg"):
        assert all(imported(path, Choices(repair=how, policies="routing")).name for how in ("normalise", "largest"))


def test_one_model_in_two_forms_is_one_document() -> None:
    """Symbolic and numeric files of one model give the same document, labels numbered."""
    choices = Choices(name="term3", repair="normalise", numbered=True, policies="routing")
    one, other = (imported(public(f"zmdp_{name}.pomdp"), choices) for name in ("term3", "term3_strict"))
    assert (one.document, one.sha256) == (other.document, other.sha256)


def test_names_like_numbers_and_an_observation_that_never_occurs() -> None:
    """``p1r6e0`` is a state, and ``pdone`` no observation of a model that never shows it."""
    crash = imported(public("zmdp_test05_crash.pomdp"), Choices(repair="largest")).document["game"]["states"]
    assert "p1r6e0" in crash
    extra = imported(public("zmdp_test13_extra_obs.pomdp"), Choices(repair="largest")).document["game"]
    assert not any("pdone" in label for label in extra["learner_observations"])


def test_kuhn_poker_is_worth_what_is_known() -> None:
    """Always betting against an opponent who plays evenly, and the value -1/18 of equilibrium play, in chips."""
    from pomgcheck.importers.efg import tree
    from pomgcheck.importers.rows import RowRepair
    from tests.importers.samples import value
    from tests.importers.test_importers_efg import payoff

    path = public("efg_kuhn_poker.efg")
    root, _, _ = tree(path, RowRepair(None))
    game = imported(path).game
    policy = game.policy_names.index("1:p,1pb:b,0:p,0pb:p,2:p,2pb:b")  # equilibrium play with alpha = 0
    best = {"2p": "b", "2b": "b", "1p": "p", "1b": "b", "0p": "b", "0b": "p"}
    response = [[tuple(F(int(b == best.get(ob, "p"))) for b in game.B) for ob in game.OB]] * game.H
    plans = {
        (1, label): dict(zip(game.A, row, strict=True))
        for label, row in zip(game.OA, game.policies[policy][0], strict=True)
    }
    plans |= {(2, label): dict(zip(game.B, row, strict=True)) for label, row in zip(game.OB, response[0], strict=True)}
    assert payoff(root, plans, 1) == -2 + 4 * value(game, game.worlds[0], policy, response)
