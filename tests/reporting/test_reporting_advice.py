"""A computed repair in words."""

from __future__ import annotations

from typing import Any

from pomgcheck.reporting.pages.repairs import told

LEFT = {"worlds": 1, "responses": 2, "policies": 2}
PROVED = {"id": "weak-revealing", "verdict": "proved", "values": {"alpha_lower": "1/6", "alpha_upper": "1/6"}}
OPEN = {"id": "kl-joint", "verdict": "unknown", "values": {}}


def out(worlds: Any = (), responses: Any = (), policies: Any = ()) -> dict[str, Any]:
    """What is left out."""
    return {"worlds": list(worlds), "responses": list(responses), "policies": list(policies)}


def drop(left_out: dict[str, Any], conflicts: int, *claims: dict[str, Any]) -> dict[str, Any]:
    """A drop's JSON."""
    return {"out": left_out, "left": LEFT, "conflicts": conflicts, "claims": {claim["id"]: claim for claim in claims}}


def test_a_drop_for_two_claims() -> None:
    """What to leave out, for all claims and for each alone, why, and what then holds; what is open is said to be."""
    whole = out([{"x": "1/2"}, {"x": "3/4"}], [{"y": "1/8"}], ["idle"])
    alone = {"weak-revealing": drop(out([{"x": "1/2"}]), 1, PROVED), "kl-joint": drop(out((), (), ["idle"]), 2, OPEN)}
    facts = {
        "refuted": ["weak-revealing", "kl-joint"],
        "outside": None,
        "settled": False,
        "together": drop(whole, 3, PROVED, OPEN),
        "alone": alone,
    }
    assert """\
Refuted: weak-revealing and kl-joint.

Leave out worlds x=1/2 and x=3/4, response y=1/8 and policy idle. Each of the 3 combinations of
worlds, responses and policies that refute a claim loses a member by this, and no smaller choice
keeps the truth and does as much. What is left, 1 world, 2 responses and 2 policies, was certified,
but not all decided:

Claim           With this left out  Constants             Alone it takes
──────────────  ──────────────────  ────────────────────  ──────────────
weak-revealing  ✓ proved            α_κ = 1/6 ≈ 0.166667  world x=1/2
kl-joint        ? unknown           –                     policy idle
""" == told(facts)


def test_a_floor_whose_lower_neighbour_is_open() -> None:
    """A bound one step below is stated only where it is known."""
    facts = {
        "target": "1/8",
        "step": "1/1024",
        "epsilon": "1/2",
        "least_answer": "1/4",
        "alpha_below": None,
        "best": None,
        "claims": {"weak-revealing": PROVED},
    }
    assert "so that no action is rarer than 1/4." in " ".join(told(facts).split())
    assert "At ε = 511/1024 that was not shown." in " ".join(told(facts).split())


def test_no_floor_known_and_no_floor_possible_are_told_apart() -> None:
    """A search that left floors open does not say that there is none."""
    facts: dict[str, Any] = {"target": "1/8", "step": "1/4", "epsilon": None, "claims": {}}
    best = {"epsilon": "3/4", "alpha_upper": "1/9"}
    assert "though not all were shown to lack it" in " ".join(told(facts | {"best": None}).split())
    assert "α_κ is nowhere more than 1/9 ≈ 0.111112" in " ".join(told(facts | {"best": best}).split())
