"""What a claim enumerates is counted before it is enumerated."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings

from pomgcheck.kernel import check
from pomgcheck.kernel.claims import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.limits import adversary_histories, latent_paths
from pomgcheck.modelclass import gallery
from pomgcheck.search.certify import certify
from tests.kernel.editing import canonical, edited, put
from tests.kernel.test_kernel_eval import facts
from tests.search.classes import documents


class Counting(Facts):
    """Facts that count the masses of latent paths they follow."""

    masses = 0

    def _same_law(self, world: Any, g: Any, h: int, q: Any, paths: Any, seen: Any) -> bool:
        self.masses += len(paths)
        return super()._same_law(world, g, h, q, paths, seen)


@settings(max_examples=40)
@given(documents(full=True))
def test_no_more_latent_paths_are_followed_than_counted(document: Any) -> None:
    """The OOM identity's count bounds what its enumeration meets."""
    known = Counting(Game(document), facts(document).options)
    known.oom_identity()
    assert latent_paths(known.game) >= known.masses > 0


@settings(max_examples=40)
@given(documents(full=True))
def test_no_more_histories_are_kept_than_counted(document: Any) -> None:
    """The reference posteriors' count bounds the decision histories they are kept for."""
    known = facts(document)
    kept = sum(len(rows) for policies in known.posteriors for steps in policies for rows in steps)
    assert adversary_histories(known.game) >= kept > 0


def test_a_certificate_over_a_limit_is_refused_with_the_count() -> None:
    """The kernel names what it would have to enumerate; an unknown claim costs nothing."""
    document = certify(gallery.load("patrol")).document

    def limited(most: int) -> check.Verdict:
        spoiled = edited(document, put("options", "limits", "trajectories", to=most))
        return check.verify_bytes(canonical(spoiled))

    assert ("6552 latent paths", "at most 6550") == (limited(655).found, limited(655).required)
    assert limited(656).accepted
