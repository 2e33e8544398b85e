"""Authoring sugar means what its long form says."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_document import REMOVED, document, edited

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass import load
from pomgcheck.modelclass.sugar import axis, plain_table

HALF = ["1/2", "1/2"]
S, A, B = (axis(labels) for labels in (["calm", "alarm"], ["idle", "patrol"], ["wait", "attack"]))


def table(value: Any, *axes: Any, zeros: int = 1) -> list[Any]:
    """``value`` in plain form."""
    return plain_table(value, axes, "w", sugar=True, zeros=zeros)


def test_rows_by_labels() -> None:
    """A row by labels leaves out zeros, in any order."""
    assert [["1/4", "3/4"], [0, 1]] == table({"alarm": {"alarm": 1}, "calm": {"alarm": "3/4", "calm": "1/4"}}, S, S)


def test_later_entries_win() -> None:
    """A wildcard covers all, what comes after it overrides, what comes before it is overridden."""
    rows = {"calm idle": {"calm": 1}, "* idle": "uniform", "*": {"patrol": {"alarm": 1}}, "alarm *": ["1", "0"]}
    assert [[HALF, [0, 1]], [["1", "0"], ["1", "0"]]] == table(rows, S, A, S)


def test_single_entries() -> None:
    """A key of all labels sets one entry and leaves the rest of its row, as in POMDP files."""
    assert [["1/4", "3/4"], ["1/2", "3/4"]] == table({"*": "uniform", "calm calm": "1/4", "* alarm": "3/4"}, S, S)


def test_new_row_replaces_the_whole_row() -> None:
    """A row by labels that comes later puts zeros for what it leaves out."""
    assert [[0, 1], HALF] == table({"*": "uniform", "calm": {"alarm": 1}}, S, S)


def test_identity() -> None:
    """Identity keeps the first label: of transitions, the state, whatever the actions."""
    keep = [[[[1, 0]] * 2] * 2, [[[0, 1]] * 2] * 2]
    assert keep == table("identity", S, A, B, S)
    assert [HALF, [0, 1]] == table({"calm": "uniform", "alarm": "identity"}, S, S)


def test_words_inside_lists() -> None:
    """Words and rows by labels may stand inside a list."""
    assert [HALF, [1, 0]] == table(["uniform", {"calm": 1}], S, S)


def test_window_rows_by_labels() -> None:
    """A row of a window table is named by its observations, oldest first."""
    observations = ["quiet", "noise"]
    rows = {"* *": {"idle": 1}, "quiet noise": {"patrol": 1}, "noise *": "uniform"}
    window = list(product(observations, repeat=2))
    assert [[1, 0], [0, 1], HALF, HALF] == table(rows, window, A)


def test_reward_by_labels() -> None:
    """Rewards may be given by labels, but none may be left out."""
    assert ["0", "1"] == table({"*": "0", "noise": "1"}, axis(["quiet", "noise"]), zeros=0)
    with pytest.raises(InputError, match=r"nothing for row \(quiet\), required an entry for every row"):
        table({"noise": "1"}, axis(["quiet", "noise"]), zeros=0)


SUGAR_MISTAKES = [
    (
        {"calm": "uniform"},
        "w: found nothing for row (alarm), required an entry for every row; give it, or a row "
        "with the "
        'wildcard "*" before the others',
    ),
    ({"calmer": "uniform"}, 'w.calmer: found the unknown label "calmer", required one of calm, alarm; write "calm"'),
    ({"calm": {"noise": 1}}, 'w.calm.noise: found the unknown label "noise", required one of calm, alarm'),
    (
        {"calm alarm calm": 1},
        'w."calm alarm calm": found a key of 1 word too many, required at most 2 labels, one per axis',
    ),
    ({"": 1}, 'w."": found an empty key, required at most 2 labels, one per axis'),
    ("uniformly", 'w: found "uniformly", required "uniform" or "identity", an array of 2 entries or a table by labels'),
    (7, "w: found 7, required an array of 2 entries"),
]


@pytest.mark.parametrize(("value", "message"), SUGAR_MISTAKES)
def test_sugar_mistakes(value: Any, message: str) -> None:
    """What no label matches, and rows that nothing is said about, are refused by their key path."""
    with pytest.raises(InputError) as caught:
        table(value, S, S)
    assert message == str(caught.value)


def test_identity_needs_matching_outputs() -> None:
    """Identity has no meaning for a single row, nor for more rows than outputs."""
    with pytest.raises(InputError, match='found "identity", required a table whose rows have the labels of its'):
        table("identity", S)
    with pytest.raises(InputError, match='found "identity"'):
        table("identity", axis(["a", "b", "c"]), S)


def test_tables_are_counted_first() -> None:
    """A table too large for memory is refused by its count."""
    many = axis([f"s{k}" for k in range(200)])
    with pytest.raises(LimitExceeded, match="w: found 8,000,000 table entries, required at most 2,000,000"):
        table("uniform", many, many, many)


def test_sugar_in_a_document() -> None:
    """A document in sugar and its plain form have one digest."""
    plain = edited(
        ("worlds.initial", HALF),
        ("worlds.transition", [[[["1-x", "x"], ["3/4-x", "1/4+x"]]] * 2, [[["0", "1"]] * 2] * 2]),
    )
    rows = {
        "*": "identity",
        "calm * wait": {"calm": "1-x", "alarm": "x"},
        "calm * attack": {"alarm": "0.25+x", "calm": "0.75-x"},
    }
    responses = {"*": "uniform", "patrol": {"dark": {"wait": "1/2+y", "attack": "1/2-y"}, "lit": "uniform"}}
    policies = {"generate": {"kind": "routing"}}
    sugared = edited(
        ("worlds.initial", "uniform"),
        ("worlds.transition", rows),
        ("responses.table", responses),
        ("policies", policies),
        ("game.reward", {"quiet": 1, "noise": 0}),
    )
    assert load(plain).sha256 == load(sugared).sha256


def test_sugar_by_steps() -> None:
    """Each step may have its own sugar; equal steps are one table."""
    one = load(edited(("worlds.transition", {"steps": ["identity", {"*": "identity"}]})))
    assert load(edited(("worlds.transition", "identity"))).sha256 == one.sha256


BLOCKS = {"* *": "uniform", "idle patrol": [["1", "0"], HALF], "patrol patrol": [["1/2+y", "1/2-y"], HALF]}


def test_blocks_with_wildcards() -> None:
    """A wildcard in a block is every policy, later entries winning."""
    model = load(edited(("responses.block_rule", "table"), ("responses.blocks", BLOCKS)))
    blocks = model.document["responses"]["blocks"]
    assert [["1", "0"], HALF] == blocks["idle patrol"]
    assert [HALF, HALF] == blocks["patrol idle"]


ALL, ANY = ("policies", {"generate": {"kind": "all-deterministic"}}), ("responses.table", {"*": "uniform"})


def test_all_deterministic_policies() -> None:
    """Every map from observations to actions is one policy, named by its labels."""
    changes = [ALL, ("policies.generate.window", 1), ANY]
    names = [f"quiet:{a},noise:{b}" for a in ("idle", "patrol") for b in ("idle", "patrol")]
    tables = load(edited(*changes)).document["policies"]["list"]
    assert sorted(names) == sorted(tables)
    assert [["1", "0"], ["0", "1"]] == tables["quiet:idle,noise:patrol"]


def test_all_deterministic_policies_of_a_window() -> None:
    """With a window of 2 a policy is a map from windows of lengths 1 and 2: 2^(2+4) of them, no two equal."""
    changes = [ALL, ("policies.generate.window", 2), ANY]
    tables = load(edited(*changes)).document["policies"]["list"]
    assert 64 == len(tables) == len({str(table) for table in tables.values()})


def test_too_many_policies() -> None:
    """Generated policies are counted before any is made."""
    policies = {"generate": {"kind": "all-deterministic", "window": 3}}
    with pytest.raises(
        LimitExceeded, match=r"policies.generate: found 16,384 deterministic policies, required at most"
    ):
        load(edited(("policies", policies), ("game.horizon", 3)))


GENERATE_MISTAKES = [
    (
        {"kind": "every"},
        'policies.generate.kind: found the unknown kind "every", required one of routing, all-deterministic',
    ),
    ({}, 'policies.generate: found no key "kind", required the keys kind'),
    (
        {"kind": "routing", "windows": 1},
        'policies.generate: found the unknown key "windows", required one of kind, window; write "window"',
    ),
]


@pytest.mark.parametrize(("value", "message"), GENERATE_MISTAKES)
def test_generate_mistakes(value: Any, message: str) -> None:
    """Unknown kinds and keys are refused."""
    with pytest.raises(InputError) as caught:
        load(edited(("policies", {"generate": value})))
    assert message == str(caught.value)


def test_generated_window_agrees() -> None:
    """A window given twice is given alike."""
    with pytest.raises(InputError, match="policies.window: found 2, required the window of generate, 1"):
        load(edited(("policies", {"window": 2, "generate": {"kind": "routing", "window": 1}})))


def test_generated_names_differ() -> None:
    """Labels whose joined names are alike are refused."""
    edits = [("game.learner_observations", ["a", "a,b:c"]), ("game.learner_actions", ["c", "c,a,b:c:c"])]
    policies = {"generate": {"kind": "all-deterministic"}}
    with pytest.raises(InputError, match="two policies named"):
        load(edited(*edits, ("policies", policies)))


ENTRIES = st.tuples(
    st.sampled_from(["calm", "alarm", "*"]),
    st.sampled_from(["idle", "patrol", "*"]),
    st.sampled_from([{"calm": 1}, {"alarm": 1}, "uniform", "identity"]),
)


@settings(deadline=None)
@given(st.lists(ENTRIES, max_size=6))
def test_wildcards_by_brute_force(entries: list[tuple[str, str, Any]]) -> None:
    """The row of (s, a) is what the last entry matching it says."""
    written: dict[str, Any] = {"* *": "uniform"}
    for s, a, value in entries:
        written.pop(f"{s} {a}", None)
        written[f"{s} {a}"] = value
    expected = []
    for s in ("calm", "alarm"):
        expected.append([])
        for a in ("idle", "patrol"):
            keys = [f"{one} {other}" for one, other in product((s, "*"), (a, "*"))]
            last = [value for key, value in written.items() if key in keys][-1]
            state = s if last == "identity" else next(iter(last)) if isinstance(last, dict) else None
            expected[-1].append(HALF if state is None else [int(t == state) for t in ("calm", "alarm")])
    assert expected == table(written, S, A, S)


def test_plain_tables_stay_as_they_are() -> None:
    """Sugar does nothing to a plain table."""
    transition = document()["worlds"]["transition"]
    assert transition == table(transition, S, A, B, S)


def test_missing_row_in_a_document() -> None:
    """A missing row is named by its labels."""
    rows = {"calm": {"*": "uniform"}, "alarm idle *": "uniform", "alarm patrol wait": "uniform"}
    with pytest.raises(InputError, match=r"worlds.transition: found nothing for row \(alarm, patrol, attack\)"):
        load(edited(("worlds.transition", rows), ("worlds.parameters", REMOVED)))
