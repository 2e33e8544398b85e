"""The error classes of an interval class: the ranges of their entries, and what a sequence of queries may count."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.case import Case
from pomgcheck.kernel.claims.eluder import squared_norm
from pomgcheck.kernel.differences import Differences
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.goals import Bounds
from tests.kernel.forged import base


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
