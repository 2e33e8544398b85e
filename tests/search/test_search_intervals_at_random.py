"""Claims of random classes with interval axes against brute force at sampled models, near and far from each other."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import product

import pytest

from pomgcheck.errors import InputError
from pomgcheck.modelclass import ModelClass
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.gallery import brute
from tests.kernel.editing import get
from tests.search import truth
from tests.search.intervals_at_random import Classes
from tests.search.sampling import operator_distance, sampled

BY_BOXES = (
    "oom-identity",
    "nonexpansive",
    "posterior-lipschitz",
    "covering",
    "bounded-increments",
    "predictive-states",
    "warmup-stationary",
    "eluder-world",
    "eluder-adversary",
)
BY_PAIRS = ("nonexpansive", "weak-revealing", "kl-joint", "kl-world")
BESIDES = ("nonexpansive", "posterior-lipschitz", "weak-revealing", "kl-joint", "kl-world")
SPACES = ("window", "history")


def audit(seed: int, claims: tuple[str, ...]) -> None:
    """Certify the class of a seed; the kernel accepts, and what is claimed is true of sampled models."""
    document = Classes(seed).document()
    with suppress(InputError):  # of constraints that leave nothing
        audit_class(load(document), seed, claims)


NEAREST = Fraction(1, 10**12)
BESIDE = tuple(
    (seed, near, corner) for seed, (near, corner) in enumerate(product((NEAREST, NEAREST * 10**6), (False, True)))
)


def test_a_model_that_cannot_show_the_observation_has_no_ratio_to_learn_from() -> None:
    """Where the box that shows least has its middle at such a model, the search of 2.4 ends with a finding."""
    found = certify(load(Classes(1082).document()), only=("nonexpansive", "weak-revealing"), T=16).entries
    assert "unknown" == found["weak-revealing"]["verdict"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1120))
def test_what_pairs_show_is_true_beside_the_diagonal_and_at_corners(seed: int) -> None:
    """Assumptions 2.3, 2.4 and 3.1(e), in exact numbers, at models that are 1e-12 and 1e-6 apart, from corners too."""
    with suppress(InputError):  # of constraints that leave nothing
        model = load(Classes(seed).document())
        certificate = certify(model, only=BESIDES, T=16, form=("literal", "joint")[seed % 2], time_limit=60)
        options = certificate.document["options"]
        for claim in BESIDES:
            if not model.game.finite and "proved" == certificate.entries[claim]["verdict"]:
                truth.on_intervals(model.game, options, certificate.entries[claim], BESIDE)


def audit_class(model: ModelClass, seed: int, claims: tuple[str, ...]) -> None:
    """A class is certified, and its claims decided again."""
    space = SPACES[seed % 2] if model.game.H < 3 else "window"
    certificate = certify(model, only=claims, T=16, space=space, form=("literal", "joint")[seed // 2 % 2])
    for claim in claims:
        truth.check(model.game, certificate.document["options"], certificate.entries[claim])
    if not model.game.finite and "proved" == certificate.entries["bounded-increments"]["verdict"]:
        slope = Fraction(
            get(certificate.document, "claims", "bounded-increments", "values")["log_likelihood_lipschitz_upper"]
        )
        sub = sampled(model.game, 3, seed)
        for x, y in product(brute.models(sub), repeat=2):
            for p in range(len(sub.policies)):
                first, second = brute.law(sub, x, p), brute.law(sub, y, p)
                for tau in first:
                    r = first[tau] / second[tau]
                    assert 2 * (r - 1) / (r + 1) <= slope * operator_distance(sub, x, y)


@pytest.mark.parametrize("seed", [2, 3, 5])
def test_what_boxes_show_is_true_of_sampled_models(seed: int) -> None:
    """Positivity, B_0 and its slope, L, L_g, the covering slope, both Eluder brackets."""
    audit(seed, BY_BOXES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(400))
def test_what_boxes_show_is_true_of_many_classes(seed: int) -> None:
    """The same of some hundreds of classes."""
    audit(seed, BY_BOXES)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_what_pairs_show_is_true_of_sampled_pairs(seed: int) -> None:
    """Assumptions 2.4 and 3.1(e), at sampled pairs of models."""
    audit(seed, BY_PAIRS)
