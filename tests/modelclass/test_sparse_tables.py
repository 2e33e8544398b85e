"""Large tables are written by their entries that are not zero, in one form whatever the spelling."""

from __future__ import annotations

import json
import tomllib
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given, settings

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass import sugar, tables
from pomgcheck.modelclass.document import load
from tests.modelclass.sparse_document import ROOMS, dense, ring
from tests.search.classes import Document, documents

CLASS = load(ring())
TABLE: Any = CLASS.document["worlds"]["transition"]


def with_transition(table: Any) -> dict[str, Any]:
    """The class of the ring with this table of transitions."""
    document: dict[str, Any] = json.loads(CLASS.canonical_json())
    document["worlds"]["transition"] = table
    return document


def test_a_large_table_lists_its_distinct_rows_once() -> None:
    """Rows come in the order in which states first have them; a place that is not named is zero."""
    assert {"sparse", "table"} == set(TABLE)
    assert [[0, "1"]] == TABLE["sparse"][0]
    assert [[0, "x"], [1, "-x+1"]] == TABLE["sparse"][1]
    assert [[0, 0], [1, 1], [2, 2]] == TABLE["table"][0]
    assert 3 * ROOMS == len(TABLE["sparse"])
    assert isinstance(CLASS.document["worlds"]["learner_emission"], list)


def test_a_small_table_is_made_of_arrays() -> None:
    """The size alone decides: the sparse form of a small table is read, and written as arrays."""
    small = {"sparse": [[[1, "1/4"], [0, "3/4"]], [[1, "1"]]], "table": [0, *[1] * (ROOMS - 1)]}
    document = json.loads(CLASS.canonical_json())
    document["worlds"]["learner_emission"] = small
    assert CLASS.sha256 == load(document).sha256


def test_all_spellings_of_a_large_table_are_one_class() -> None:
    """By labels, as arrays, sparse with its rows and places in any order and step by step, as JSON and as TOML."""
    count = len(TABLE["sparse"])
    turned = {
        "sparse": [row[::-1] for row in TABLE["sparse"][::-1]],
        "table": [[[count - 1 - n for n in b] for b in a] for a in TABLE["table"]],
    }
    steps = {"sparse": TABLE["sparse"], "steps": [TABLE["table"]] * 2}
    for spelling in (TABLE, dense(TABLE, ROOMS, 2), turned, steps):
        assert CLASS.sha256 == load(with_transition(spelling)).sha256
    assert CLASS.sha256 == load(tomllib.loads(CLASS.to_toml())).sha256


@settings(max_examples=25, deadline=None)
@given(documents())
def test_dense_and_sparse_spellings_have_one_digest(document: Document) -> None:
    """Where every table is large, a class has one digest from arrays, from its own sparse form and from TOML."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "SPARSE_ABOVE", 0)
        model = load(document)
        worlds: Any = model.document["worlds"]
        assert "sparse" in worlds["transition"]
        assert model.sha256 == load(json.loads(model.canonical_json())).sha256
        assert model.sha256 == load(tomllib.loads(model.to_toml())).sha256


def edited(change: Any) -> dict[str, Any]:
    table = deepcopy(TABLE)
    change(table)
    return with_transition(table)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda t: t["sparse"][1].append([1, "0"]), r"sparse\[1\]: found the place 1 twice, required each place once"),
        (lambda t: t["sparse"][1].append([60, "0"]), r"found the place 60, required a whole number from 0 to 59"),
        (lambda t: t["sparse"][1].append([True, "0"]), r"sparse\[1\]\[2\]\[0\]: found true, required an exact number"),
        (lambda t: t["sparse"][1].append([2]), r"found an array of one entry, required a pair \[place, entry\]"),
        (lambda t: t["sparse"][1].append([2, "1/7"]), r"sparse\[1\]: found .* of sum 8/7, required a sum of 1"),
        (lambda t: t["sparse"].__setitem__(0, []), r"sparse\[0\]: found \[\] of sum 0, required a sum of 1"),
        (
            lambda t: t["table"][0][0].__setitem__(0, 180),
            r"found the row number 180, required a whole number from 0 to",
        ),
        (lambda t: t["table"].pop(), r"table: found an array of 59 entries, required an array of 60"),
        (lambda t: t.update(more=[]), r'transition.sparse: found the unknown label "sparse", required one of room0'),
    ],
)
def test_a_wrong_sparse_table_is_refused_by_its_place(change: Any, sentence: str) -> None:
    """Each with the row or the number that is wrong."""
    with pytest.raises(InputError, match=sentence):
        load(edited(change))


def test_a_large_table_is_refused_by_its_entries_that_are_not_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by |S||A||B||S|: the count is of what is given, and of the rows."""
    monkeypatch.setattr(sugar, "MAX_ENTRIES", 500)
    with pytest.raises(LimitExceeded, match="501 entries that are not zero, required at most 500"):
        load(ring())
