"""Certificates on a continuum against a thousand sampled models and pairs each, computed by other code (`many`); and
against the finite machinery on grids of the class."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, reduce
from itertools import combinations, product
from random import Random
from typing import Any

import numpy as np
import pytest

from pomgcheck.kernel.game import Game
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.gallery.certified import (
    COUNT,
    DISTANCES,
    GALLERY,
    SMALL,
    at_every_distance,
    certificate,
    of,
    of_every_class,
    of_the_gallery,
    proved,
    sampled,
)
from tests.gallery.many import Array, array, conversion, difference, operator_distance, rational, total, zero
from tests.search.sampling import sampled as subclass_of


def exceeds(x: Any, bound: Any) -> bool:
    """Whether any entry is above the bound."""
    return bool(np.any(np.asarray(x - bound, dtype=object) > 0))


def log_bound(name: str) -> Any:
    """What B_0 is the logarithm of."""
    return rational(of(name, "bounded-increments")["B0_upper"]["log_of"])


def test_something_is_checked_of_every_claim() -> None:
    """Each of the tests below has a certificate in which its claim is proved."""
    wanted = {*ENDS, "covering", "predictive-states"}
    assert wanted == {claim for name in (*GALLERY, *SMALL) for claim in proved(name)} & wanted


@of_every_class
def test_no_likelihood_ratio_is_beyond_B0(name: str) -> None:
    """Over all sampled models, numerator and denominator apart: positive laws, ratios between 1/B and B."""
    bound = log_bound(name)
    for p in range(len(sampled(name, 0)[0].policies)):
        laws = [model.law(p) for k in range(len(DISTANCES)) for model in sampled(name, k)[:2]]
        for tau in laws[0]:
            values = [
                np.broadcast_to(np.asarray(law[tau], dtype=object), (1,))
                if not isinstance(law[tau], np.ndarray)
                else law[tau]
                for law in laws
            ]
            low, high = min(x.min() for x in values), max(x.max() for x in values)
            assert 0 < low
            assert high <= bound * low


@at_every_distance
@of_every_class
def test_operators_and_log_likelihoods_are_no_steeper_than_stated(name: str, distance: int) -> None:
    """||J - J'|| is at most covering_lipschitz_upper x the distance of parameters, |log P - log P'| at most
    log_likelihood_lipschitz_upper x ||J - J'||; log r >= 2 (r-1)/(r+1) for r >= 1."""
    x, y, found = sampled(name, distance)
    apart = operator_distance(x, y)
    if "covering" in proved(name) and DISTANCES[distance] is not None:  # finite axes are equal
        assert not exceeds(apart, rational(proved(name)["covering"]["covering_lipschitz_upper"]) * found.apart)
    slope = rational(of(name, "bounded-increments")["log_likelihood_lipschitz_upper"])
    for p in range(len(x.policies)):
        first, second = x.law(p), y.law(p)
        for tau, u in first.items():
            if isinstance(u, np.ndarray) and DISTANCES[distance] is not None:
                r = np.maximum(u / second[tau], second[tau] / u)
                assert not exceeds((r - 1) * 2 / (r + 1), slope * apart)


@at_every_distance
@of_every_class
def test_no_responses_differ_by_more_than_L_times_the_posteriors(name: str, distance: int) -> None:
    """Assumption 2.3 in the step form at every decision history of positive probability, for all blocks of policies
    where the rule is given by a table of blocks: the largest of the policies' distances, place by place."""
    L = rational(of(name, "posterior-lipschitz")["L_upper"])
    assert "step" == certificate(name)["options"]["lipschitz_form"]
    x, y, _ = sampled(name, distance)
    for model, other in ((x, y), (y, x)):  # responses of the one, worlds of the other: Theta x Psi is a product
        S = [model.posteriors(p) for p in range(len(model.policies))]
        apart = cache(lambda p, n, at, S=S: gap(S[p][at], S[n][at]))
        moved = cache(lambda pi, nu, h, row, R=other.blocks: gap(R[pi][h][row], R[nu][h][row]))
        for pi, nu in combinations(other.blocks, 2):
            for past, ob in set.intersection(*(set(S[p]) for p in (*pi, *nu))):
                answers = moved(pi, nu, len(past), other.row_of(past, ob))
                if not zero(answers):
                    pairs = {(min(pair), max(pair)) for pair in zip(pi, nu, strict=True) if len(set(pair)) > 1}
                    distances = [np.asarray(apart(p, n, (past, ob)), dtype=object) for p, n in sorted(pairs)]
                    assert not exceeds(answers, L * reduce(np.maximum, distances))


def gap(u: list[Any], v: list[Any]) -> Any:
    """l1 distance of two rows."""
    return difference(dict(enumerate(u)), dict(enumerate(v)))


@at_every_distance
@of_the_gallery
def test_no_pair_reveals_less_than_alpha(name: str, distance: int) -> None:
    """Assumption 2.4, literal, on the simplex: random states, pure ones among them, in every context."""
    alpha = rational(of(name, "weak-revealing")["alpha_lower"])
    options = certificate(name)["options"]
    assert ("literal", "simplex") == tuple(options["weak_revealing"][key] for key in ("form", "scope"))
    x, y, _ = sampled(name, distance)
    y = y.answered_as(x)  # one Phi
    random, met = Random(distance), 0
    for p, h, o, a in product(range(len(x.policies)), range(x.H - options["kappa"]), range(x.OA), range(x.A)):
        for part in x.parts(h, 0):
            q = {state: weights(random) for state in x.pure_states(h)}
            changed = difference(x.W(h, o, a, q), y.W(h, o, a, q))
            Z = [total(m.EA[h][s][o] * w for (s, _), w in q.items()) for m in (x, y)]
            if zero(changed) or any(zero(z) for z in Z):
                continue
            seen = [m.seen_next(p, h, o, a, part, q, options["kappa"]) for m in (x, y)]
            # ||M q/Z - M' q/Z'|| >= alpha ||(W - W') q|| / |q|, all times Z Z' |q|
            size = total(q.values())
            signal = difference({k: v * Z[1] for k, v in seen[0].items()}, {k: v * Z[0] for k, v in seen[1].items()})
            both = np.asarray(Z[0] * Z[1] * size, dtype=object) + np.asarray(changed * 0, dtype=object)
            assert not exceeds(alpha * changed * Z[0] * Z[1], signal * size)
            met += int(np.count_nonzero(both > 0))
    assert met > 0


def weights(random: Random) -> Array:
    """Unnormalised weights of one coordinate, zero at times, positive at others."""
    return array([Fraction(random.choice([0, 1, random.randrange(1, 50)])) for _ in range(COUNT)])


@at_every_distance
@pytest.mark.parametrize("clause", ["joint", "world"])
@of_the_gallery
def test_no_divergence_is_below_c_KL_times_the_operators(name: str, clause: str, distance: int) -> None:
    """Assumption 3.1(e) for every policy, the divergence an upper end of a ball of 400 bits."""
    c = rational(of(name, f"kl-{clause}")[f"c_KL_{clause}_lower"])
    x, y, _ = sampled(name, distance)
    for p in range(len(x.policies)):
        kl, joint, world = converted(name, distance, p)
        assert not exceeds(c * (joint if clause == "joint" else world), kl)
    assert x is not y


@cache
def converted(name: str, distance: int, p: int) -> tuple[Any, Any, Any]:
    """Both sides of Assumption 3.1(e), for both clauses."""
    x, y, _ = sampled(name, distance)
    return conversion(x, y, p)


def on_a_grid(name: str, points: int) -> dict[str, Any]:
    """The finite class of a grid of the intervals, those inside the constraints."""
    model = certificate(name)["model"]
    game = Game(model)
    sides: dict[str, list[dict[str, str]]] = {}
    for side in ("worlds", "responses"):
        axes = model[side].get("parameters")
        if axes is None:
            sides[side] = model[side]["points"]
            continue
        choices = {}
        for axis, part in axes.items():
            low, high = map(Fraction, part.get("interval", ("0", "0")))
            inner = [low + (high - low) * Fraction(k, points - 1) for k in range(points)]
            choices[axis] = inner if "interval" in part else list(map(Fraction, part["values"]))
        found = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
        inside = [point for point in found if game.contains(side, dict(sorted(point.items())))]
        sides[side] = [{axis: str(x) for axis, x in point.items()} for point in inside][:9]
    return dict(game.subclass(sides["worlds"], sides["responses"]).document)


ENDS = {  # claim -> (value, whether a subclass has no more of it)
    "posterior-lipschitz": ("L", True),
    "bounded-increments": ("B0", True),
    "weak-revealing": ("alpha", False),
    "kl-joint": ("c_KL_joint", False),
    "kl-world": ("c_KL_world", False),
}


@pytest.mark.parametrize("points", ["grid", "random"])
@of_every_class
def test_finite_subclasses_lie_within_the_bounds(name: str, points: str) -> None:
    """A grid of the class, or random points of it, certified by the machinery for finite classes: what is proved of the
    continuum is proved of it or vacuous, and its exact values are enclosed."""
    wanted = [claim for claim in (*ENDS, "predictive-states", "nonexpansive") if claim in proved(name)]
    inside = (
        on_a_grid(name, 2 if name.startswith("bandit") else 3)
        if points == "grid"
        else dict(subclass_of(Game(certificate(name)["model"]), 3, 11).document)
    )
    finite = certify(load(inside), only=tuple(wanted), kappa=certificate(name)["options"]["kappa"]).entries
    for claim in wanted:
        entry = finite[claim]
        assert entry["verdict"] in ("proved", "vacuous")
        if entry["verdict"] == "vacuous" or claim not in ENDS:
            continue
        value, upper = ENDS[claim]
        end = f"{value}_{'upper' if upper else 'lower'}"
        mine, theirs = number(proved(name)[claim][end]), number(entry["values"][f"{value}_upper"])
        assert (theirs <= mine) if upper else (mine <= theirs)


def number(x: Any) -> Fraction:
    """A value, or what it is the logarithm of."""
    return Fraction(x["log_of"] if isinstance(x, dict) else x)
