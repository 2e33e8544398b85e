"""The error classes of an interval class: the ranges of their entries, and what a sequence of queries may count."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from pomgcheck.kernel.case import Case, Rejected
from pomgcheck.kernel.claims.eluder import on_intervals, squared_norm
from pomgcheck.kernel.differences import Differences
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.goals import Bounds
from pomgcheck.modelclass.document import load
from pomgcheck.options import Options
from tests.kernel.forged import base
from tests.search.small import document as small


def test_the_norm_of_differences_is_made_of_the_ranges_of_the_entries() -> None:
    """On x in [0,1] the entries are (3-x)/4 and (1+x)/4 times the chances 3/4 and 1/4, at two steps and states each, and
    D = 4: D B^2 = 4 * 4 * (9/16 + 1/16) * 2/16 = 5/4.  Where no ranges are stated each of the 16 entries has [0,1]."""
    certificate = json.loads(base("interval"))
    case = Case(Facts(Game(certificate["model"]), certificate["options"]), "eluder-world", {})
    goals: list[Any] = []
    differences = Differences(case.facts.continuum, True, False)
    (stated,) = (claim["evidence"]["bounds"] for claim in certificate["claims"] if claim["id"] == case.id)
    assert Fraction(5, 4) == squared_norm(differences, Bounds(case, stated, goals))
    assert goals
    assert 4 * 16 == squared_norm(differences, Bounds(case, {}, goals))


def test_the_upper_bracket_is_the_sign_witness_bound_where_that_is_least() -> None:
    """Of x in [0, 1/8] the ranges are an eighth, so that D B^2 = 5/256: with 4 T^2 D B^2 <= 1 no function exceeds the
    scale 1/(2T), which is so up to T = 3; at T = 4 the one policy may be a query, and 0 is refused."""
    certificate = json.loads(base("interval"))
    certificate["model"]["worlds"]["parameters"]["x"] = {"interval": ["0", "1/8"]}
    bounds = {"+1+1*theta.x": ["1", "9/8"], "+3-1*theta.x": ["23/8", "3"]}
    here = {"theta": {"x": "0"}, "Phi": {}}
    evidence = {
        "rule": "sequence",
        "xi_star": here,
        "scale_squared": "1",
        "sequence": [],
        "bounds": bounds,
        "trees": {},
    }

    def upper(T: int, stated: int) -> None:
        facts = Facts(Game(certificate["model"]), certificate["options"] | {"T": T})
        on_intervals(Case(facts, "eluder-world", {"d_W_lower": "0", "d_W_upper": str(stated), "p_W": "1"}), evidence)

    upper(3, 0)
    upper(4, 1)
    for T, stated in ((3, 1), (4, 0), (4, 2)):
        with pytest.raises(Rejected, match=f"found d_W_upper {stated}, rank 1"):
            upper(T, stated)


def test_a_policy_that_never_plays_where_worlds_differ_is_no_query() -> None:
    """Worlds whose moves differ under one action alone give the policy that never plays it no function, in W."""
    document = small(
        "asked",
        learner=[["3/4", "1/4"], ["1/4", "3/4"]],
        moves=[[["1/2", "1/2"]], [["1/2", "1/2"]]],
        worlds={},
        responses={"table": {"asks": [["1"]], "never": [["1"]]}},
        policies={"asks": [["1/2", "1/2"]] * 2, "never": [["0", "1"]] * 2},
        actions=2,
    )
    document["worlds"]["parameters"] = {"x": {"interval": ["0", "1/4"]}}
    for moves in document["worlds"]["transition"]:
        moves[0] = [["1/2-x", "1/2+x"]]
    facts = Facts(Game(load(document).document), Options().document)
    assert 1 == Differences(facts.continuum, True, False).queries()
