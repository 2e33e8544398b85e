"""Where a key path stands in a document's text."""

from __future__ import annotations

import json
import tomllib
from importlib import resources
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.errors import InputError
from pomgcheck.modelclass.document import loads
from pomgcheck.modelclass.places import TextNode, along, line_of, outline
from pomgcheck.modelclass.toml_text import toml_text

STARTER = resources.files("pomgcheck.modelclass").joinpath("starter.toml").read_text(encoding="utf-8")


def told(node: TextNode, text: str, read: Any) -> Any:
    """The value that an outline has found, each of its ends read by itself."""
    if node.table:
        return {key: told(entry, text, read) for key, entry in node.table.items()}
    if node.array:
        return [told(entry, text, read) for entry in node.array]
    return read(text[node.value : node.end])


def toml_value(text: str) -> Any:
    return tomllib.loads(f"key = {text}")["key"]


@pytest.mark.parametrize("name", ["patrol", "tiger", "early-mover", "patrol-operators", "bandit"])
def test_every_value_of_a_document_is_found(name: str) -> None:
    """What stands between the ends of each place is the value itself, in TOML and in JSON."""
    model = gallery.load(name)
    text = model.to_toml()
    assert tomllib.loads(text) == told(outline(text, ".toml"), text, toml_value)
    text = json.dumps(model.document, indent=1)
    assert model.document == told(outline(text, ".json"), text, json.loads)


def test_comments_headings_and_all_kinds_of_strings() -> None:
    """Signs in strings and comments do not lead astray; arrays of tables, dotted and quoted keys are followed."""
    text = (
        "a.b = '#'  # ] = \"\n"
        '"c d" = """x\n"y" ] }\n"""\n'
        "[t.u]\nv = [ 1, # one\n  { w = '''#''' } ]\n"
        "[[r]]\ns = 1979-05-27T07:32:00Z\n[[r]]\ns = -1.5e3\n"
    )
    assert tomllib.loads(text) == told(outline(text, ".toml"), text, toml_value)
    places = {where: text.count("\n", 0, [*along(outline(text, ".toml"), where)][-1].start) + 1 for where in PATHS}
    assert PATHS == places


PATHS = {"a.b": 1, '"c d"': 2, "t.u": 5, "t.u.v[1].w": 7, "r[0].s": 9, "r[1].s": 11, "r[1].nothing": 10, "a.b.c[3]": 1}

KEYS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=6)
VALUES = st.recursive(
    st.integers(-(10**9), 10**9) | st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12),
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(KEYS, inner, min_size=1, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(KEYS, VALUES, min_size=1, max_size=4))
def test_any_document_is_read_as_its_parser_reads_it(document: dict[str, Any]) -> None:
    """Whatever keys and strings hold, an outline has the entries that the parser has."""
    text = toml_text(document)
    assert tomllib.loads(text) == told(outline(text, ".toml"), text, toml_value)
    text = json.dumps(document, indent=2, ensure_ascii=False)
    assert document == told(outline(text, ".json"), text, json.loads)


@given(st.text(max_size=60), st.sampled_from([".toml", ".json"]))
def test_no_text_breaks_the_outline(text: str, suffix: str) -> None:
    """What is no document has an outline too, if an empty one."""
    assert isinstance(outline(text, suffix), TextNode)


EDITS = (
    ("1-noise", "2-noise", "learner_emission"),  # a row in an inline table
    ('lit = "3/4"', 'lit = "3/5"', '"* * *"'),  # the row with a wildcard that holds for what is named
    ('tamper" = { lit = "1-x"', 'tamper" = { lit = "1-q"', '"lit guard tamper"'),
    ('lit = "1/2-x"', "lit = 1/2", '"* * tamper"'),  # no TOML
    ('rest = "1-y"', 'rest = "1-z"', "watch = { nothing"),
    ('noise = "1/10"', "noise = 0.1", "noise = 0.1"),
    ("[truth]", "[truht]", "[truht]"),
    ("horizon = 2", "horizon = 0", "horizon"),
    ("horizon = 2", "horizn = 2", "horizn"),
    ("window = 1\n", "", "[responses]"),  # the table in which something is missing
)


@pytest.mark.parametrize(("old", "new", "shown"), EDITS)
def test_an_error_has_the_line_of_what_is_wrong(old: str, new: str, shown: str) -> None:
    """One fault in the starter, and the line is that of the entry at fault."""
    text = STARTER.replace(old, new, 1)
    with pytest.raises(InputError) as caught:
        loads(text, ".toml")
    line = line_of(text, ".toml", caught.value)
    assert line is not None
    assert text.splitlines()[line - 1].startswith(shown)


def test_an_error_of_json_has_its_line() -> None:
    """In JSON too: what does not parse, and a value at its key."""
    text = json.dumps(gallery.load("silent-action").document, indent=1)
    for new, shown in (('"horizon": 0', '  "horizon": 0'), ('"horizon" 2', '  "horizon" 2')):
        broken = text.replace('"horizon": 2', new)
        with pytest.raises(InputError) as caught:
            loads(broken, ".json")
        line = line_of(broken, ".json", caught.value)
        assert line is not None
        assert broken.splitlines()[line - 1].startswith(shown)


def test_what_names_no_place_has_no_line() -> None:
    """An error about the whole of a document is shown without a line."""
    assert line_of("a = 1\n", ".toml", InputError("", "nothing", "something")) is None
    assert line_of("a = 1\n", ".toml", InputError("nowhere", "nothing", "something")) is None
    with pytest.raises(InputError) as caught:
        loads("a = 1\nb = [\n\n", ".toml")
    assert 2 == line_of("a = 1\nb = [\n\n", ".toml", caught.value)
