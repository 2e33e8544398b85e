"""The claims that a model class owes, in order. Each is one file here, written once for finite and interval classes."""

from __future__ import annotations

from ..game import Game
from . import (
    bounded_increments,
    constants,
    covering,
    eluder,
    factorization,
    kl,
    nonexpansive,
    oom_identity,
    posterior_lipschitz,
    predictive_states,
    regret,
    warmup_stationary,
    weak_revealing,
    well_specified,
)

CLAIMS = (
    factorization.CLAIM,
    oom_identity.CLAIM,
    nonexpansive.CLAIM,
    posterior_lipschitz.CLAIM,
    weak_revealing.CLAIM,
    well_specified.CLAIM,
    covering.CLAIM,
    bounded_increments.CLAIM,
    predictive_states.CLAIM,
    kl.JOINT,
    kl.WORLD,
    warmup_stationary.CLAIM,
    eluder.WORLD,
    eluder.ADVERSARY,
    regret.CLAIM,
    constants.CLAIM,
)
BY_ID = {claim.id: claim for claim in CLAIMS}
STRUCTURAL = ("factorization", "oom-identity", "well-specified", "warmup-stationary")  # by the same code on intervals
GIVEN = ("factorization", "oom-identity", "nonexpansive")  # Theorem 2.5, by its own code for given operators


def by_boxes(claim: str, game: Game) -> bool:
    """Return whether the claim is about all points of interval axes, L_g of a fading rule among them."""
    settled = claim in STRUCTURAL and (claim != "warmup-stationary" or game.gamma is None)
    return not (game.finite or game.own or settled)
