"""The kernel reads sparse tables strictly, and finds of a class what it finds of the same class in arrays."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from pomgcheck.kernel import game as reading
from pomgcheck.kernel.continua import leaves
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.problems import problems
from pomgcheck.kernel.reading import Malformed
from pomgcheck.kernel.rows import SparseRow, in_arrays
from pomgcheck.modelclass import tables
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.modelclass.sparse_document import ROOMS, dense, ring
from tests.search.classes import Document, questions
from tests.search.small import drift

DOCUMENT: Any = load(ring()).document


def forged(change: Any) -> dict[str, Any]:
    """The document of the ring with its transitions changed."""
    document: dict[str, Any] = json.loads(json.dumps(DOCUMENT))
    document["worlds"]["transition"] = change(document["worlds"]["transition"])
    return document


def row(number: int, *pairs: Any) -> Any:
    """A change of one listed row."""

    def change(table: Any) -> Any:
        table["sparse"][number] = [list(pair) for pair in pairs]
        return table

    return change


def numbers(change: Any) -> Any:
    """A change of the row numbers."""

    def changed(table: Any) -> Any:
        change(table["table"])
        return table

    return changed


def test_rows_are_read_where_they_are_not_zero() -> None:
    """A row is as long as there are states; at x = 1/2 both moves are as likely, and tables in arrays say the same."""
    game = Game(DOCUMENT)
    found = game.worlds[1].T[1][0][1][0]
    assert isinstance(found, SparseRow)
    assert ((0, Fraction(1, 2)), (1, Fraction(1, 2))) == found.entries
    assert ROOMS == len(found) == len(list(found))
    arrays = Game(forged(lambda table: dense(table, ROOMS, 2)))
    for sparse_world, world in zip(game.worlds, arrays.worlds, strict=True):
        assert world.T == tuple(
            tuple(tuple(tuple(tuple(r) for r in b) for b in a) for a in step) for step in sparse_world.T
        )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (row(1, (0, "x"), (0, "-x+1")), r"sparse\[1\]: found the place 0 twice, required each place once"),
        (row(1, (1, "-x+1"), (0, "x")), r"sparse\[1\]: found the place 0 after 1, required each place once"),
        (row(1, (0, "x"), (1, "-x+1"), (2, "0")), r"sparse\[1\]: found an entry that is zero, required only"),
        (row(1, (0, "x"), (1, "-x+1"), (2, "-0/3")), r"sparse\[1\]: found an entry that is zero, required only"),
        (row(1, (0, "x"), (1, "1")), r"sparse\[1\]: found a row of sum 5/4, required sum 1"),
        (row(1, (0, "x+1"), (1, "-x")), r"sparse\[1\]: found the row .*, required entries in \[0,1\]"),
        (row(1, (0, "x"), (60, "-x+1")), r"sparse\[1\]: found the place 60, required each place once, whole numbers"),
        (row(1, (0, "x"), (-1, "-x+1")), r"sparse\[1\]: found the place -1, required"),
        (row(1, (0, "x"), (True, "-x+1")), r"sparse\[1\]: found the place True, required"),
        (row(1, (0, "x"), ("1", "-x+1")), r"sparse\[1\]: found the place '1', required"),
        (row(1, (0, "x"), (1, 1)), r"sparse\[1\]: found an entry that is not a string, required exact strings"),
        (row(1, (0, "x"), (1, "-x+1", "0")), r"sparse\[1\]: found 3 entries, required 2 entries"),
        (row(1), r"sparse\[1\]: found a row of sum 0, required sum 1"),
        (row(0, (0, "x"), (1, "-x+1")), r"sparse: found a row twice, required distinct rows"),
        (numbers(lambda t: t[0].__setitem__(1, [0, 0])), r"found the row number 2, required a number below 180, rows"),
        (numbers(lambda t: t[-1].__setitem__(2, [0, 0])), r"sparse\[179\]: found a row that no state has"),
        (numbers(lambda t: t[0][0].__setitem__(0, True)), r"found the row number True, required a number"),
        (numbers(lambda t: t[0][0].__setitem__(0, -1)), r"found the row number -1, required a number"),
        (numbers(lambda t: t[0][0].append(0)), r"table\[0\]\[0\]: found 3 entries, required 2 entries"),
        (numbers(lambda t: t.pop()), r"table: found 59 entries, required 60 entries"),
        (
            lambda t: {**t, "steps": [t["table"]] * 2},
            r"found the keys sparse, steps, table, required sparse, and one of",
        ),
        (lambda t: {"sparse": t["sparse"]}, r"found the keys sparse, required sparse, and one of table and steps"),
        (lambda t: {"sparse": t["sparse"], "steps": [t["table"]]}, r"steps: found 1 entries, required 2 entries"),
        (lambda t: {**t, "more": []}, r"found the unknown key 'more', required only keys of the format"),
    ],
)
def test_a_forged_sparse_table_is_refused(change: Any, reason: str) -> None:
    """Each document is one edit from one that is read; the reason names what is wrong and where."""
    with pytest.raises(Malformed, match=reason):
        Game(forged(change))


def test_a_small_table_is_no_sparse_one() -> None:
    """Up to 20,000 entries the form is arrays, so that a class has one digest."""
    document = json.loads(json.dumps(DOCUMENT))
    document["worlds"]["learner_emission"] = {"sparse": [[[0, "1"]]], "table": [0] * ROOMS}
    with pytest.raises(Malformed, match="found a sparse table of 120 entries, required arrays up to 20000 entries"):
        Game(document)


@settings(max_examples=12, deadline=None)
@given(questions())
def test_a_class_is_decided_alike_in_arrays_and_sparse(asked: tuple[Document, dict[str, Any]]) -> None:
    """Every verdict and every value of a certificate is the same where the tables are read sparse."""
    document, options = asked
    found = certify(load(deepcopy(document)), **options)
    with pytest.MonkeyPatch.context() as patch:
        for module in (reading, tables):
            patch.setattr(module, "SPARSE_ABOVE", 0)
        again = certify(load(deepcopy(document)), **options)
        assert "sparse" in again.document["model"]["worlds"]["transition"]
    for claim, other in zip(found.document["claims"], again.document["claims"], strict=True):
        assert (claim["id"], claim["verdict"], claim["values"]) == (other["id"], other["verdict"], other["values"])


def test_worlds_that_vary_within_a_cell_are_asked_for_in_sparse_tables_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a class with an interval of worlds Assumption 2.4 poses the same problems, and alpha is the same."""
    document = drift()
    document["worlds"]["parameters"] = {"x": {"interval": ["0", "1/8"]}}
    found = certify(load(deepcopy(document)), only=["weak-revealing"]).claims["weak-revealing"]
    for module in (reading, tables):
        monkeypatch.setattr(module, "SPARSE_ABOVE", 0)
    again = certify(load(document), only=["weak-revealing"])
    facts = Facts(Game(again.document["model"]), again.document["options"])
    assert isinstance(facts.continuum.worlds[0].T[0][0][0][0], SparseRow)
    assert len(found.evidence["trees"]) == len([*problems(facts)]) > 0
    assert (found.verdict, found.values) == (
        again.claims["weak-revealing"].verdict,
        again.claims["weak-revealing"].values,
    )


def test_a_sparse_table_in_arrays_is_the_table() -> None:
    """Rows written by the entries that are not zero are, as arrays, those of the document they were made of, at every
    step alike; a table of arrays stays as it is."""
    arrays = [["0", "1/2", "1/2"], ["1", "0", "0"]]
    form = {"sparse": [[[1, "1/2"], [2, "1/2"]], [[0, "1"]]], "table": [0, 1]}
    assert arrays == in_arrays(form, 3) == in_arrays(arrays, 3)
    steps = {"sparse": form["sparse"], "steps": [[0, 1], [1, 1]]}
    assert {"steps": [arrays, [arrays[1]] * 2]} == in_arrays(steps, 3)


def test_a_sparse_row_is_equal_to_sparse_rows_alone() -> None:
    """Equal entries are equal rows, of one length; a tuple of the same numbers is another thing."""
    row = SparseRow(3, [(1, 2)])
    assert row == SparseRow(3, [(0, 0), (1, 2)]) != SparseRow(4, [(1, 2)])
    assert (0, 2, 0) == tuple(row) != row
    others = [SparseRow(length, [(1, entry)]) for length, entry in ((2, 2), (4, 2), (3, 1), (3, 3))]
    assert all(row != other and other != row for other in others)


def test_a_sparse_row_reads_as_the_whole_row() -> None:
    """In order, place by place, from its end and in parts; beyond it there is nothing."""
    row, whole = SparseRow(4, [(1, 2), (3, 5)]), (0, 2, 0, 5)
    assert whole == tuple(row) == row[:]
    assert [*whole, *whole] == [row[k] for k in range(-4, 4)]
    assert ((2, 0), (5, 0, 2, 0)) == (row[1:3], row[::-1])
    for place in (4, -5):
        with pytest.raises(IndexError):
            row[place]


def test_the_entries_of_a_sparse_row_are_those_that_are_not_zero() -> None:
    """What is asked of every entry of a table is asked of those of a sparse row that are not zero."""
    assert [1, 2, 3] == list(leaves((1, SparseRow(4, [(1, 2), (3, 3)]))))
