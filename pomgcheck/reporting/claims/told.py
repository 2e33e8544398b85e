"""Has what a report says about one claim: the record that each claim's file fills."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Inline, Label, Table, Tree, say


class Cause(NamedTuple):
    """This is one reason why a claim fails, and the change that would remove it; ``why`` is empty for a remedy without
    a special reason."""

    why: Inline
    repair: Inline


def nothing(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return no words."""
    return ()


def no_blocks(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return no blocks: nothing is worked out."""
    return []


def no_range(cert: Certificate) -> Inline:
    """Return why there is nothing to ask."""
    return say("The condition ranges over nothing in this class.")


def entries(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return the entries of a witness, one by one, where no story is told of it."""
    named = sorted((key, value) for key, value in w._asdict().items() if value)
    rows = tuple((say("{k}", k=key), say("{v}", v=Label(str(value)))) for key, value in named)
    return [Table("Witness", ("Entry", "Value"), rows)]


def no_causes(cert: Certificate, w: ClaimPlace) -> list[Cause]:
    """Return no causes: none is known."""
    return []


def no_tree(cert: Certificate, w: ClaimPlace) -> Tree | None:
    """Return no tree: none is drawn."""
    return None


class Told(NamedTuple):
    """This is how one claim is put in words.

    ``title`` is its name for a heading, ``gist`` what it says in one plain sentence; ``how`` tells how it was proved,
    ``on_boxes`` what is asked on a class with interval axes, ``attained`` where the constant is attained; ``vacuous``
    and ``left_open`` tell why it ended so; ``worked`` is its proof worked out with numbers (the last argument is the T
    of an explicit bound, or None for the certificate's); ``walk`` tells a counterexample, ``causes`` why it is one,
    and ``tree`` draws it.
    """

    title: str
    gist: str
    how: Callable[[Certificate, RecordedClaim], Inline]
    on_boxes: str = ""
    attained: Callable[[Certificate, RecordedClaim], Inline] = nothing
    vacuous: Callable[[Certificate], Inline] = no_range
    left_open: Callable[[Certificate, RecordedClaim], Inline] = nothing
    worked: Callable[[Certificate, RecordedClaim, int | None], list[Block]] = no_blocks
    walk: Callable[[Certificate, ClaimPlace], list[Block]] = entries
    causes: Callable[[Certificate, ClaimPlace], list[Cause]] = no_causes
    tree: Callable[[Certificate, ClaimPlace], Tree | None] = no_tree
