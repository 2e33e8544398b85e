"""Makes the sentence of each claim, from the class and the options of a certificate.

A certificate names its claims by id, and the kernel states each of them as goals; only this module has their
sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Certificate = Mapping[str, Any]

GIVEN_OPERATORS = {  # Theorem 2.5 as a class given by operators owes it
    "factorization": "The matrices given satisfy J^{xi,pi}_h(o^A,a) = G^{Phi,pi}_h(o^A,a) W^theta_h(o^A,a) entry by "
    "entry, for every xi, pi, h, o^A, a; W is free of Phi, and G is free of theta.",
    "oom-identity": "The masses 1^T J_h ... J_1 q_0 are a law of observations given actions: 1 before play, never "
    "negative, and after every learner sequence those of the next o^A add up to the mass before, for every a, xi, pi.",
    "nonexpansive": "W and G are entrywise nonnegative and every column of |G| sums to at most 1, so that "
    "||G u||_1 <= ||u||_1 for every signed u.",
}
FIXED = {
    "factorization": "J^{xi,pi}_h(o^A,a) = G^{Phi,pi}_h(o^A,a) W^theta_h(o^A,a) as polynomials in free kernel and "
    "response entries, for every h, o^A, a; W is free of Phi and pi, and G is free of theta.",
    "oom-identity": "1^T J_h ... J_1 q_0 = P(o^A_{1:h} | a_{1:h}) for every learner sequence, xi and pi, the right "
    "side summed over latent paths with whole histories.",
    "nonexpansive": "W and G are entrywise nonnegative and every column of G sums to at most 1, so that "
    "||G u||_1 <= ||u||_1 for every signed u.",
    "well-specified": "The true parameters xi* lie in Xi.",
    "predictive-states": "Every learner prefix possible under some xi is possible under every xi.",
    "kl-joint": "KL(P^pi_xi* || P^pi_xi) >= c_KL_joint_lower sum_h E||(J^{xi,pi}_h - J^{xi*,pi}_h) "
    "q^xi*_{h-1}||_1^2 for all xi*, xi, pi.",
    "kl-world": "KL(P^pi_xi* || P^pi_xi) >= c_KL_world_lower sum_h E||(W^theta_h - W^theta*_h) "
    "q^xi*_{h-1}||_{1,V}^2 for all xi*, xi, pi.",
}
SUMMED = {  # in place of FIXED where operators are summed
    "kl-joint": "KL(P^pi_xi* || P^pi_xi) >= c_KL_joint_lower sum_h E(sum_{o,a} pi(a|tau_{h-1},o) ||(J^{xi,pi}_h - "
    "J^{xi*,pi}_h)(o,a) q^xi*_{h-1}||_1)^2 for all xi*, xi, pi.",
    "kl-world": "KL(P^pi_xi* || P^pi_xi) >= c_KL_world_lower sum_h E(sum_{o,a} pi(a|tau_{h-1},o) ||(W^theta_h - "
    "W^theta*_h)(o,a) q^xi*_{h-1}||_{1,V})^2 for all xi*, xi, pi.",
}
ERROR_CLASSES = {
    "eluder-world": ("world", "W", "F^W_theta(pi) = sum_h E||(W^theta_h - W^theta*_h) q^xi*_{h-1}||_{1,V}"),
    "eluder-adversary": (
        "adversary",
        "G",
        "F^G_Phi(pi) = sum_h E||(G^{Phi,pi}_h - G^{Phi*,pi}_h) W^theta*_h q^xi*_{h-1}||_1",
    ),
}


def of(claim: str, model: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    """Return the claim ``claim`` of a canonical model document in one sentence, under the options of a certificate."""
    if "operators" in model and claim in GIVEN_OPERATORS:
        return GIVEN_OPERATORS[claim]
    summed = "operators" in options
    if claim in FIXED:
        return SUMMED[claim] if summed and claim in SUMMED else FIXED[claim]
    if claim in ERROR_CLASSES:
        channel, letter, function = ERROR_CLASSES[claim]
        if summed:
            function = function.replace("E||(", "E sum_{o,a} pi(a|tau_{h-1},o) ||(")
        return error_class(channel, letter, function, finite(model), options["T"])
    return {
        "posterior-lipschitz": posterior_lipschitz,
        "weak-revealing": weak_revealing,
        "covering": covering,
        "bounded-increments": bounded_increments,
        "warmup-stationary": warmup_stationary,
        "regret": regret,
        "constants": constants,
    }[claim](model, options)


def finite(model: Mapping[str, Any]) -> bool:
    """Return whether no parameter ranges over an interval."""
    axes = (axis for side in ("worlds", "responses") for axis in model[side].get("parameters", {}).values())
    return not any("interval" in axis for axis in axes)


def posterior_lipschitz(model: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    responses = model["responses"]
    posteriors = {
        "step": "the reference posteriors at the same step and history",
        "policy": "the reference posteriors, maximised over steps and histories",
    }
    return (
        "For every theta, Phi, h, adversary history and pair of policies"
        f"{' (blocks of ' + str(responses['memory']) + ')' if responses['block_rule'] == 'table' else ''}, the "
        f"responses differ in l1 by at most L_upper times {posteriors[options['lipschitz_form']]}."
    )


def weak_revealing(model: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    kappa, reveal = options["kappa"], options["weak_revealing"]
    law = {"literal": "conditional laws of", "joint": "sub-probabilities of o^A and"}[reveal["form"]]
    states = {"simplex": "normalised predictive state q", "reachable": "predictive state q reached in the class"}
    window = "observation" if kappa == 1 else f"{kappa} observations"
    return (
        f"For every h <= {model['game']['horizon'] - kappa}, theta != theta', Phi, pi, (o^A,a) and every "
        f"{states[reveal['scope']]}, the {law} the learner's next {window} differ in l1 between "
        "theta and theta' by at least alpha_lower times ||(W^theta - W^theta') q||_1."
        f"{' Between these observations the learner plays pi, and pi runs over Pi alone.' if kappa > 1 else ''}"
    )


def covering(model: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    if finite(model):
        return "For every epsilon > 0 the log covering number of Xi is at most log_covering_upper."
    T = options["T"]
    return (
        f"At epsilon = 1/(2T+4) = 1/{2 * T + 4}, in the l1 operator norm of J, the log covering number of Xi is at "
        "most log_covering_upper; J is covering_lipschitz_upper-Lipschitz in the largest change along an interval."
    )


def bounded_increments(model: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    slope = (
        ""
        if finite(model)
        else ", and it is at most "
        "log_likelihood_lipschitz_upper times the largest distance of J^{xi,pi}_h and J^{xi',pi}_h in l1 -> l1"
    )
    return (
        "For all xi, xi', pi and every trajectory possible under either, "
        f"|log P^pi_xi(tau) / P^pi_xi'(tau)| <= B0_upper{slope}."
    )


def warmup_stationary(model: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    if model["responses"]["block_rule"] == "fading":
        return (
            "The response converges to R_infty(pi) at rate gamma while pi is played, and g(z) is "
            "L_g-Lipschitz in l1 (Theorem 5.2)."
        )
    m = model["responses"].get("memory", 1)
    return f"From the episode in which pi is played for the m-th time in a row, m = {m} being the memory, the response is exactly R_infty(pi)."


def error_class(channel: str, letter: str, function: str, is_finite: bool, T: int) -> str:
    """Return the bracket of one channel's Eluder dimension; on intervals constraints may leave a cell without inner
    points."""
    return (
        f"The largest Eluder dimension over xi* of the {channel} channel's error class, {function}, at scale "
        f"1/{2 * T} is at least d_{letter}_lower and at most d_{letter}_upper; its differences span "
        f"{'' if is_finite else 'at most '}p_{letter} dimensions."
    )


def constants(model: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    fading = model["responses"]["block_rule"] == "fading"
    most = "D T (H T if D is not known)" if finite(model) else "H T"
    return (
        "Algorithm 1 with c = 16, C_0 = 6(e-2)"
        f"{' and the radius of Theorem 5.2' if fading else ''} has PR(T) <= "
        f"sharp_regret_upper with probability at least 1 - 2 delta, at T = {options['T']}; the bound is below {most} "
        f"{'at T*, and not at T* - 1' if fading or not finite(model) else 'at T*, and at no smaller T'}."
    )


def regret(model: Mapping[str, Any], options: Mapping[str, Any]) -> str:
    if not finite(model):
        return (
            "The schedule nested on a net of N models or laws of play, from which no model of the class is farther than "
            "chi_upper in chi square, has, with probability at least 1 - 2 delta and at all T at once: the net's point "
            f"next to xi* is never refuted; at T = {options['T']} it has PR(T) <= nested_regret_upper. Some settled "
            "episode of some model loses D_lower, and the bound is below D_lower T from T_0 on."
        )
    return (
        "The schedule nested with u = log(max(N-1, 1)/delta) has, with probability at least 1 - 2 delta and at all T at "
        f"once: xi* is never refuted, and PR(T) <= gap_upper; at T = {options['T']} it has PR(T) <= "
        "nested_regret_upper. No settled episode loses more than D, and the bound is below D T from T_0 on."
    )
