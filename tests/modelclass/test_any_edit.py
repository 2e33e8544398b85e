"""Whatever stands in a document, loading it ends in a model class that the kernel reads, or in one sentence."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from small_document import REMOVED, document, edited

from pomgcheck.errors import PomgcheckError
from pomgcheck.kernel.game import Game
from pomgcheck.modelclass import load


def paths(value: Any, path: str = "") -> list[str]:
    """Key paths of everything in a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    below = [place for key, part in items for place in paths(part, f"{path}.{key}" if path else str(key))]
    return [path, *below] if path else below


EXTRA = [
    "worlds.constraints",
    "worlds.points",
    "worlds.parameters.z",
    "responses.linear",
    "responses.blocks",
    "responses.gamma",
    "responses.points",
    "policies.generate",
    "truth",
    "source",
    "game.horizon",
]
WORDS = [
    "x",
    "y",
    "1",
    "0",
    "1/2",
    "1-x",
    "x/x",
    "1/0",
    "*",
    "full",
    "uniform",
    "identity",
    "calm",
    "mean",
    "table",
    "fading",
    "latest",
    "routing",
    "²",
    "\x00",
]
KEYS = [
    "steps",
    "x",
    "y",
    "values",
    "interval",
    "calm",
    "*",
    "idle",
    "patrol",
    "kind",
    "window",
    "matrix",
    "features",
    "worlds",
    "responses",
]
SCALARS = st.one_of(
    st.integers(-1, 3),
    st.sampled_from([*WORDS, "", "a b", "x <= 1/10", "x >= 2", "x = 1"]),
    st.text(max_size=3),
    st.floats(),
    st.booleans(),
    st.none(),
    st.just(REMOVED),
)
VALUES = st.recursive(
    SCALARS.filter(lambda value: value is not REMOVED),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*KEYS, "idle idle", ""]), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(st.sampled_from(paths(document()) + EXTRA), SCALARS | VALUES), min_size=1, max_size=3))
def test_any_edit(edits: list[tuple[str, Any]]) -> None:
    """Edits of any kind at any place are accepted whole, by the kernel too, or refused with a sentence."""
    try:
        changed = edited(*edits)
    except (KeyError, TypeError, IndexError, ValueError):
        return  # an earlier edit took the place of a later one away
    refusal = ""
    try:
        model = load(changed)
    except PomgcheckError as error:
        refusal = str(error)
    if refusal:
        assert re.search("found .*, required .", refusal, re.DOTALL)
    else:
        assert model.policies == Game(json.loads(model.canonical_json())).policy_names
        assert model == load(model.document)
