"""The random classes the tests draw are themselves what they should be."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from pomgcheck.modelclass.document import load
from tests.search import small
from tests.search.classes import documents, model_of


@settings(max_examples=60)
@given(documents(full=True))
def test_drawn_documents_are_canonical(document: Any) -> None:
    """Reading one as a user's document changes nothing, and gives the same digest."""
    model = load(document)
    assert document == model.document
    assert model_of(document).sha256 == model.sha256


def test_hand_written_documents_are_canonical() -> None:
    """So are the classes worked out on paper."""
    for document in (small.drift(), small.two(("(-x+3)/4", "1/2"), ("(-x+2)/4", "(x+3)/4"))):
        assert document == load(document).document
