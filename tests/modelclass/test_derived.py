"""Classes made from another: points and policies left out, responses mixed with the uniform one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from small_document import document, edited

from pomgcheck.errors import InputError
from pomgcheck.modelclass import load
from pomgcheck.modelclass.derived import with_response_floor, without

ALONE = {"idle": [["1/2", "1/2"]] * 2, "patrol": [["1/2+y", "1/2-y"], ["1/2", "1/2"]]}
BLOCKS = ALONE | {"idle patrol": [["1/3", "2/3"]] * 2, "patrol idle": [["1/4", "3/4"]] * 2}
TABLE_RULE = (
    ("responses.block_rule", "table"),
    ("responses.blocks", {name if " " in name else f"{name} {name}": rows for name, rows in BLOCKS.items()}),
)
LINEAR = {
    "matrix": [["1/2+y", "1/2"], ["1/2-y", "1/2"]],
    "features": {"idle": [["0", "1"]] * 2, "patrol": [["1", "0"], ["0", "1"]]},
}


def test_what_is_left_out_is_gone_and_the_rest_is_as_it_was() -> None:
    """Worlds, responses and policies of the smaller class are those of the larger, less the ones named."""
    model = load(document())
    smaller = without(model, [{"x": "0.05"}], [{"y": "1/5"}], ["idle"])
    assert (1, 1, ("patrol",)) == (smaller.thetas, smaller.phis, smaller.policies)
    assert model.game.worlds[1:] == smaller.game.worlds
    assert [model.game.responses[0][1:]] == list(smaller.game.responses)
    assert [{"x": "1/10"}] == smaller.document["worlds"]["points"]


def test_nothing_left_out_is_the_same_class() -> None:
    """Without anything to leave out the digest stays."""
    model = load(document())
    assert model.sha256 == without(model).sha256


def test_blocks_and_features_of_a_policy_go_with_it() -> None:
    """A rule by table keeps the blocks of the other policies, a linear form their features."""
    model = load(edited(*TABLE_RULE, ("responses.linear", LINEAR)))
    smaller = without(model, policies=["patrol"])
    assert ["idle idle"] == list(smaller.document["responses"]["blocks"])
    assert ["idle"] == list(smaller.document["responses"]["linear"]["features"])


@pytest.mark.parametrize(
    ("edits", "dropped", "sentence"),
    [
        ((), {"worlds": [{"x": "1/4"}]}, "worlds: found x = 1/4, required one that the class has"),
        ((), {"worlds": [{"z": "1/4"}]}, "worlds: found values of z, required a value of each of x"),
        ((), {"policies": ["sleep"]}, "policies: found sleep, required one that the class has"),
        (
            (),
            {"policies": ["idle", "patrol"]},
            "policies: found all of them left out, required at least one that stays",
        ),
        (
            (("worlds.parameters", {"x": {"interval": ["0", "1/4"]}}),),
            {"worlds": [{"x": "0"}]},
            "worlds: found an interval axis, required a finite list of points to leave some out of",
        ),
    ],
)
def test_what_cannot_be_left_out_is_refused(edits: Any, dropped: Any, sentence: str) -> None:
    """The error says which side, what was asked and what is required."""
    with pytest.raises(InputError) as error:
        without(load(edited(*edits)), **dropped)
    assert sentence == str(error.value)


@pytest.mark.parametrize("rule", [(), TABLE_RULE], ids=["mean", "table"])
@pytest.mark.parametrize("epsilon", [Fraction(0), Fraction(3, 8), Fraction(1)])
def test_a_floor_mixes_every_row_with_the_uniform_one(rule: Any, epsilon: Fraction) -> None:
    """Every probability p of every response and block becomes (1-ε) p + ε/|B|, exactly."""
    model = load(edited(*rule))
    floored = with_response_floor(model, epsilon)

    def mixed(rows: Any) -> Any:
        return (1 - epsilon) * rows + epsilon / 2 if isinstance(rows, Fraction) else tuple(map(mixed, rows))

    assert mixed(model.game.responses) == floored.game.responses
    blocks = [{block: mixed(rows) for block, rows in k.items()} for k in model.game.blocks]
    assert blocks == list(floored.game.blocks)


def test_a_floor_is_an_exact_expression_in_the_parameters() -> None:
    """The floor of an interval class is one too, a floor of 0 is the class itself, and a linear form is dropped."""
    interval = ("responses.parameters", {"y": {"interval": ["0", "1/2"]}})
    floored = with_response_floor(load(edited(interval)), Fraction(1, 2))
    assert [["(y+1)/2", "(-y+1)/2"], ["1/2", "1/2"]] == floored.document["responses"]["table"]["patrol"]
    model = load(document())
    assert model.sha256 == with_response_floor(model, Fraction(0)).sha256
    assert model.sha256 == with_response_floor(load(edited(("responses.linear", LINEAR))), Fraction(0)).sha256


def test_a_floor_lies_between_zero_and_one() -> None:
    """Any other is refused."""
    with pytest.raises(InputError, match="epsilon: found 9/8, required a number from 0 to 1"):
        with_response_floor(load(document()), Fraction(9, 8))
