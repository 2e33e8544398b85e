"""A computed repair in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pomgcheck import gallery
from pomgcheck.certificate import RecordedClaim, Values
from pomgcheck.remedies import Drop, Floor, LeftOut, Repair, ended
from pomgcheck.reporting.pages.repairs import told

LEFT = gallery.load("silent-action")  # 2 worlds, a response and a policy


def claim(name: str, verdict: Any, values: Any) -> RecordedClaim:
    """A claim that ended so."""
    return RecordedClaim({}, name, "", verdict, "", Values(values))


PROVED = claim("weak-revealing", "proved", {"alpha_lower": "1/6", "alpha_upper": "1/6"})
OPEN = claim("kl-joint", "unknown", {})


def drop(conflicts: int, *claims: RecordedClaim, worlds: Any = (), responses: Any = (), policies: Any = ()) -> Drop:
    """A drop of these."""
    return Drop.leaving(LEFT, LeftOut(worlds, responses, policies), conflicts, {claim.id: claim for claim in claims})


def test_a_drop_for_two_claims() -> None:
    """What to leave out, for all claims and for each alone, why, and what then holds; what is open is said to be."""
    half, eighth = {"x": "1/2"}, {"y": "1/8"}
    whole = drop(3, PROVED, OPEN, worlds=(half, {"x": "3/4"}), responses=(eighth,), policies=("idle",))
    alone = {"weak-revealing": drop(1, PROVED, worlds=(half,)), "kl-joint": drop(2, OPEN, policies=("idle",))}
    found = Repair.by(("weak-revealing", "kl-joint"), None, whole, alone)
    assert """\
Refuted: weak-revealing and kl-joint.

Leave out worlds x=1/2 and x=3/4, response y=1/8 and policy idle. That takes a member away from each
of the 3 combinations of worlds, responses and policies that refute a claim, and no smaller choice
keeps the truth and does as much. What is left, 2 worlds, 1 response and 1 policy, was certified,
though not every claim was decided:

Claim           With this left out  Constants             Alone it takes
──────────────  ──────────────────  ────────────────────  ──────────────
weak-revealing  ✓ proved            α_κ = 1/6 ≈ 0.166667  world x=1/2
kl-joint        ? unknown           –                     policy idle
""" == told(found)


def test_a_floor_whose_lower_neighbour_is_open() -> None:
    """A bound one step below is stated only where it is known."""
    found = Floor.under((None,) * 1025, Fraction(1, 8), Fraction(1, 2), ended({"weak-revealing": PROVED}), LEFT)
    assert "so that no action is rarer than 1/4." in " ".join(told(found).split())
    assert "At ε = 511/1024 that was not shown." in " ".join(told(found).split())


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (None, "though not all were shown to lack it"),
        (Fraction(1, 9), "α_κ is nowhere more than 1/9 ≈ 0.111112, the bound at ε = 3/4."),
    ],
)
def test_no_floor_known_and_no_floor_possible_are_told_apart(known: Fraction | None, said: str) -> None:
    """A search that left floors open does not say that there is none."""
    found = Floor.under((*[Fraction(1, 10)] * 3, known, Fraction(1, 10)), Fraction(1, 8))
    assert said in " ".join(told(found).split())
