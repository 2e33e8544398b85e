"""TOML text reads back to the document it was made of, whatever its labels and however its tables nest."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.modelclass.toml_text import toml_text

KEYS = st.sampled_from(
    ["a", "b c", "", "*", 'quo"te', "back\\slash", "dot.ted", "é", "steps", "\x7f", "#", "[x]"]
) | st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
SCALARS = st.integers(-(2**60), 2**60) | st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=20
)


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_a_document_reads_back(document: dict[str, Any]) -> None:
    """Strings, integers, arrays and tables, in place and under headings."""
    assert document == tomllib.loads(toml_text(document))


def test_tables_of_steps_have_headings(tmp_path: object) -> None:
    """An array of tables that hold tables is written one heading a table, its rows a line each."""
    text = toml_text({"worlds": {"transition": {"steps": [{"s a *": {"s": "1"}}, {"s a *": {"t": "1"}}]}}})
    rows = [
        "[[worlds.transition.steps]]",
        '"s a *" = { s = "1" }',
        "",
        "[[worlds.transition.steps]]",
        '"s a *" = { t = "1" }',
    ]
    assert rows == text.splitlines()
