"""What a claim enumerates is counted before it is enumerated."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import sampled_from

from pomgcheck import gallery
from pomgcheck.kernel import check, limits
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.limits import adversary_histories
from pomgcheck.kernel.operators import reference_masses
from pomgcheck.search.certify import certify
from tests.kernel.editing import canonical, edited, put
from tests.kernel.test_kernel_eval import facts
from tests.search.classes import documents


def histories_kept(known: Facts) -> int:
    """The decision histories that reference posteriors are kept for."""
    every = product(range(len(known.game.worlds)), range(len(known.game.policies)))
    return sum(len(level) for i, p in every for level in reference_masses(known.game, known.scaled, i, p, known.mu))


@settings(max_examples=40)
@given(documents(full=True))
def test_no_more_histories_are_kept_than_counted(document: Any) -> None:
    """The reference posteriors' count bounds the decision histories they are kept for."""
    known = facts(document)
    kept = histories_kept(known)
    assert adversary_histories(known.game) >= kept > 0


@settings(max_examples=40)
@given(documents(), sampled_from([0, 1, 1000]))
def test_nor_where_some_are_impossible(document: Any, sets: int) -> None:
    """The same where kernels have zeros, however few sets of possible states are told apart."""
    known = facts(document)
    kept = histories_kept(known)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "MAX_SETS", sets)
        assert adversary_histories(known.game) >= kept > 0


def test_who_moves_in_turn_has_few_histories() -> None:
    """In Kuhn poker the opponent hears one of six things at its only turn and ``wait`` at the other steps: 171
    histories a world and policy, where 14^4 * 7 would fit."""
    game = gallery.load("kuhn").game
    histories = (1, 2, 4 * 6, 8 * 6, 16 * 6)
    assert 171 == sum(histories)
    assert 171 * len(game.policies) * len(game.worlds) + len(game.S) * histories[-1] == adversary_histories(game)


def test_a_certificate_over_a_limit_is_refused_with_the_count() -> None:
    """The kernel names what it would have to enumerate; an unknown claim costs nothing."""
    document = certify(gallery.load("patrol")).document

    def limited(most: int) -> check.Verdict:
        spoiled = edited(document, put("options", "limits", "trajectories", to=most))
        return check.verify_bytes(canonical(spoiled))

    assert ("536 adversary histories", "at most 535") == (limited(535).found, limited(535).required)
    assert limited(536).accepted
