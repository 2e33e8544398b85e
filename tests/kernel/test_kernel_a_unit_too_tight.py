"""Enclosures decide on both sides of a constant, however near; and what random classes certify is as tight as it is true."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import given, settings

from pomgcheck.errors import InputError
from pomgcheck.kernel import check
from pomgcheck.kernel.game import Game
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.gallery import brute
from tests.kernel.editing import Certificate, Edit, canonical, edited, get, put
from tests.kernel.forged import base, evidence, value
from tests.search import truth
from tests.search.classes import coinciding, documents, model_of
from tests.search.intervals_at_random import Classes

TIGHT = Fraction(1, 10**40)
FINITE = ("posterior-lipschitz", "bounded-increments", "kl-joint", "kl-world", "eluder-world", "eluder-adversary")
NUMBERS = {
    "posterior-lipschitz": ("L_lower", "L_upper"),
    "weak-revealing": ("alpha_lower", "alpha_upper"),
    "kl-joint": ("c_KL_joint_lower", "c_KL_joint_upper"),
    "kl-world": ("c_KL_world_lower", "c_KL_world_upper"),
    "covering": ("covering_lipschitz_upper",),
    "bounded-increments": ("log_likelihood_lipschitz_upper",),
    "eluder-world": ("d_W_lower", "d_W_upper", "p_W"),
    "eluder-adversary": ("d_G_lower", "d_G_upper", "p_G"),
    "warmup-stationary": ("gamma", "L_g"),
}


def accepts(certificate: Certificate, *edits: Edit) -> check.Verdict:
    return check.verify_bytes(canonical(edited(certificate, *edits)))


@pytest.mark.parametrize(("claim", "which"), [("kl-joint", 0), ("kl-world", 1)])
def test_a_divergence(claim: str, which: int) -> None:
    """c_KL a relative 10^-40 below the largest constant there is, is proved, and attained that far above; 10^-40 above
    it is refused by the logarithms, and that far below is not attained."""
    certificate = json.loads(base("drift"))
    exact = truth.conversion(Game(certificate["model"]), "window", "realised")[which]
    assert exact is not None
    name = claim.replace("kl-", "c_KL_")

    def bracket(low: Fraction, high: Fraction) -> Edit:
        return value(claim, **{f"{name}_lower": str(exact * (1 + low)), f"{name}_upper": str(exact * (1 + high))})

    assert accepts(certificate, bracket(-TIGHT, TIGHT))
    assert (claim, "log") == accepts(certificate, bracket(TIGHT, 2 * TIGHT))[4:6]
    assert (claim, "log") == accepts(certificate, bracket(-2 * TIGHT, -TIGHT))[4:6]


def test_a_distance_of_two_laws() -> None:
    """The c of Theorem N is accepted 2^-50 below -log of the affinity, and refused 2^-50 above."""
    certificate = json.loads(base("list"))
    game = Game(certificate["model"])
    with mpmath.workdps(60):
        one, other = (brute.law(game, (i, 0), 1) for i in (0, 1))
        affinity = sum(mpmath.sqrt(truth.real(one[tau] * other[tau])) for tau in one.keys() & other.keys())
        exact = Fraction(int(-mpmath.log(affinity) * 2**120), 2**120)

    def distance(c: Fraction) -> Edit:
        return evidence("regret", "truths", 0, "policies", 0, "c", to=str(c))

    assert accepts(certificate, distance(exact - Fraction(1, 2**50)))
    assert ("regret", "list") == accepts(certificate, distance(exact + Fraction(1, 2**50)))[4:6]


def nudged(certificate: Certificate) -> Iterator[tuple[str, str, Edit]]:
    """Every number of a proved claim a little larger and a little smaller, by 10^-12 and by a tenth."""
    for entry in certificate["claims"]:
        for name in NUMBERS.get(entry["id"], ()) if entry["verdict"] == "proved" else ():
            if name in entry["values"]:
                for share in (Fraction(1, 10**12), Fraction(-1, 10**12), Fraction(1, 10), Fraction(-1, 10)):
                    to = Fraction(entry["values"][name]) * (1 + share)
                    yield entry["id"], name, put("claims", entry["id"], "values", name, to=str(to))


def refused_or_true(document: Any, only: tuple[str, ...], **options: Any) -> int:
    """How many numbers a certificate of the class has that may be nudged; a nudged one is refused, or true by
    enumeration, of models sampled near and far where there is a continuum."""
    model = load(document)
    certificate, count = certify(model, only=only, T=16, **options).document, 0
    for claim, _, edit in nudged(certificate):
        forgery = edited(certificate, edit)
        if check.verify_bytes(canonical(forgery)).accepted:
            truth.check(model.game, certificate["options"], get(forgery, "claims", claim))
        count += 1
    return count


@settings(max_examples=4)
@given(documents())
def test_constants_of_finite_classes(document: Any) -> None:
    """No constant of a random finite class can be nudged into a false one, all models being enumerated."""
    refused_or_true(model_of(document).document, FINITE)


@settings(max_examples=3)
@given(coinciding())
def test_constants_of_classes_with_equal_tables(document: Any) -> None:
    """The same where most tables are equal to others."""
    refused_or_true(model_of(document).document, FINITE)


BOXED = ("nonexpansive", "posterior-lipschitz", "covering", "bounded-increments", "warmup-stationary", "eluder-world")


@pytest.mark.parametrize("seed", [7, 11])
def test_constants_of_intervals(seed: int) -> None:
    """The same of classes with interval axes, at sampled models."""
    with suppress(InputError):
        refused_or_true(Classes(seed).document(), BOXED)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(120))
def test_constants_of_many_intervals(seed: int) -> None:
    """The same of a hundred classes, 2.4 and 3.1(e) included where the class is small."""
    with suppress(InputError):
        pairs = ("weak-revealing", "kl-joint", "kl-world") if seed % 4 == 0 else ()
        refused_or_true(Classes(1000 + seed).document(), (*BOXED, *pairs), time_limit=20)
