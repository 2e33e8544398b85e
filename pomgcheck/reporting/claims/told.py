"""Has what a report says about one claim: the record that each claim's file fills."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Table, Tree
from pomgcheck.reporting.spans import Inline, Label, say


class Cause(NamedTuple):
    """This is one reason why a claim fails, and the change that would remove it; ``why`` is empty for a remedy without
    a special reason."""

    why: Inline
    repair: Inline


def no_range(cert: Certificate) -> Inline:
    """Return why there is nothing to ask."""
    return say("The condition ranges over nothing in this class.")


def entries(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return the entries of a witness, one by one, where no story is told of it."""
    named = sorted((key, value) for key, value in w._asdict().items() if value)
    return [Table.of("Witness", ("Entry", "Value"), ((key, Label(str(value))) for key, value in named))]


class Told(NamedTuple):
    """This is how one claim is put in words.

    ``title`` is its name for a heading, ``gist`` what it says in one plain sentence; ``how`` tells how it was proved,
    ``on_boxes`` what is asked on a class with interval axes, ``attained`` where the constant is attained; ``vacuous``
    and ``left_open`` tell why it ended so; ``worked`` is its proof worked out with numbers (the last argument is the T
    of an explicit bound, or None for the certificate's); ``walk`` tells a counterexample, ``causes`` why it is one,
    and ``tree`` draws it. What a claim does not have says nothing.
    """

    title: str
    gist: str
    how: Callable[[Certificate, RecordedClaim], Inline]
    on_boxes: str = ""
    attained: Callable[[Certificate, RecordedClaim], Inline] = lambda *_: ()
    vacuous: Callable[[Certificate], Inline] = no_range
    left_open: Callable[[Certificate, RecordedClaim], Inline] = lambda *_: ()
    worked: Callable[[Certificate, RecordedClaim, int | None], list[Block]] = lambda *_: []
    walk: Callable[[Certificate, ClaimPlace], list[Block]] = entries
    causes: Callable[[Certificate, ClaimPlace], list[Cause]] = lambda *_: []
    tree: Callable[[Certificate, ClaimPlace], Tree | None] = lambda *_: None
