"""Assumption 3.1(e) of classes whose laws of play do not show what their operators say."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from pomgcheck.kernel import check
from pomgcheck.kernel.claims.kl import dominated, dominates
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.walk import COARSE
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.kernel.editing import canonical, edited, get, put
from tests.kernel.forged import base

AT_REST = [[[["1", "0"], ["1", "0"]]] * 2, [[["0", "1"], ["0", "1"]]] * 2]  # the state stays, whatever is done
LEAVES = [[[["1-x", "x"], ["1-x", "x"]]] * 2, [[["0", "1"], ["0", "1"]]] * 2]
ANSWERED = [[[["1", "0"], ["0", "1"]]] * 2] * 2  # the adversary's action is where it goes


def certified(transition: Any) -> Any:
    """The certificate of ``drift`` with other transitions."""
    document = json.loads(base("drift"))["model"]
    document["worlds"]["transition"] = transition
    return certify(load(document)).document


def verdicts(certificate: Any) -> list[str]:
    assert check.verify_bytes(canonical(certificate)).accepted
    return [get(certificate, "claims", f"kl-{channel}", "verdict") for channel in ("joint", "world")]


def test_an_answer_that_only_the_last_transition_shows_refutes_the_joint_form_alone() -> None:
    """Where the adversary's action matters after the last observation alone, play does not show which response there is:
    J tells responses apart, so the joint form is refuted; worlds differ in nothing, and the world form says nothing."""
    assert ["refuted", "vacuous"] == verdicts(certified({"steps": [AT_REST, ANSWERED]}))


def test_a_transition_after_the_last_observation_is_never_seen() -> None:
    """Worlds that differ in the transition of the last step alone have one law: both forms are refuted, at a prefix of
    two steps, and by no other."""
    certificate = certified({"steps": [AT_REST, LEAVES]})
    assert ["refuted", "refuted"] == verdicts(certificate)
    for claim in ("kl-joint", "kl-world"):
        at = "claims", claim, "witness"
        shown = get(certificate, *at)
        assert (2, 4) == (shown["h"], len(shown["trajectory"]))
        for key, other in (
            ("h", 1),
            ("trajectory", shown["trajectory"][:2]),
            ("difference", "1"),
            ("xi", shown["xi_star"]),
        ):
            verdict = check.verify_bytes(canonical(edited(certificate, put(*at, key, to=other))))
            assert (claim, "witness") == (verdict.claim, verdict.rule), verdict.line


class Enclosed(NamedTuple):
    """A play of which two models' divergence and squared norms are known no better than these ends, at any number of
    bits; where models are many there is a bound by rows too."""

    divergent: tuple[int, int]
    norms: tuple[int, int]
    rows: int = 0
    finest: int = Play.finest

    @property
    def second(self) -> Any:
        return self if self.rows else None

    def divergence(self, x: object, y: object, bits: int) -> tuple[int, ...]:
        return tuple(end << 2 * bits for end in self.divergent)

    def least_divergence(self, x: object, y: object, bits: int) -> int:
        return self.divergence(x, y, bits)[0]

    def squares(self, x: object, y: object, bits: int) -> tuple[int, ...]:
        return tuple(end << bits for end in self.norms)

    def most_by_rows(self, x: object, y: object) -> int:
        return self.rows << COARSE


@pytest.mark.parametrize("play", [Enclosed((2, 4), (1, 3)), Enclosed((2, 4), (1, 10**9), rows=3)])
def test_only_the_worse_end_of_an_enclosure_decides(play: Any) -> None:
    """With KL in [2, 4] and Delta in [1, 3], by rows or itself: KL >= c Delta is shown up to c = 2/3, and KL <= c Delta
    from c = 4 on."""
    least, most, trifle = Fraction(2, 3), Fraction(4), Fraction(1, 10**9)
    star, here = (0, 0), (1, 0)
    for world in (False, True):
        assert dominates(play, star, here, world, least)
        assert not dominates(play, star, here, world, least + trifle)
    assert dominated(play, star, here, here, most)
    assert not dominated(play, star, here, here, most - trifle)
