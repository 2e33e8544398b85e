"""Which claims a model class owes, in order.  A claim is one file here, written once for finite and interval classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
OWN = {  # Theorem 2.5 as a class given by operators owes it
    "factorization": "The matrices given satisfy J^{xi,pi}_h(o^A,a) = G^{Phi,pi}_h(o^A,a) W^theta_h(o^A,a) entry by "
    "entry, for every xi, pi, h, o^A, a; W is free of Phi, and G is free of theta.",
    "oom-identity": "The masses 1^T J_h ... J_1 q_0 are a law of observations given actions: 1 before play, never "
    "negative, and after every learner sequence those of the next o^A add up to the mass before, for every a, xi, pi.",
    "nonexpansive": "W and G are entrywise nonnegative and every column of |G| sums to at most 1, so that "
    "||G u||_1 <= ||u||_1 for every signed u.",
}


def by_boxes(claim: str, game: Game) -> bool:
    """Whether the claim is one about all points of interval axes, L_g of a fading rule among them."""
    settled = claim in STRUCTURAL and (claim != "warmup-stationary" or game.gamma is None)
    return not (game.finite or game.own or settled)


def statement(claim: str, game: Game, options: Mapping[str, Any]) -> str:
    """The claim in one sentence, as this class and these options make it."""
    return OWN[claim] if game.own and claim in OWN else BY_ID[claim].statement(game, options)
