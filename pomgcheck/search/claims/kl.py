"""Assumption 3.1(e): the largest c_KL, bracketed, or two models with one law of play and different operators."""

from __future__ import annotations

from fractions import Fraction
from math import log1p

from pomgcheck.search.exact import enclosures
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.finding import Finding, Labels
from pomgcheck.search.play import Walk

SLACK = Fraction(1, 10**9)  # how far below the least ratio c is stated


TINY = 1e-300  # what is smaller is only guessed at; enclosures decide


def divergence(law_x: list[int], law_y: list[int], weights: list[float], scale: int) -> float:
    """KL as sum of P phi(r) plus the mass P misses, r = (Q-P)/P, phi(r) = r - log(1+r) >= 0: no cancellation."""
    value = 0.0
    for x, y, weight in zip(law_x, law_y, weights, strict=True):
        if x == y:
            continue
        if not x:
            value += weight * (y / scale)
        elif not y:
            return float("inf")
        else:
            try:
                r = (y - x) / x
            except OverflowError:  # then log1p(r) is nothing beside r
                value += weight * ((y - x) / scale)
                continue
            value += (
                weight
                * (x / scale)
                * (r - log1p(r) if abs(r) > 1e-3 else r * r * (0.5 - r * (1 / 3 - r * (0.25 - r / 5))))
            )
    return value


def kl_conversion(t: Tables, walks: list[Walk], world: bool) -> Finding:
    """Least KL / Delta over (xi*, xi, pi): floats choose the pair, enclosures bracket it."""
    labels = Labels(t.game)
    name = "c_KL_world" if world else "c_KL_joint"
    best: tuple[float, int, int, int] | None = None
    compared = 0
    for p, walk in enumerate(walks):
        played, n, K = walk.played, walk.t.I * walk.t.K, walk.t.K
        laws = [list(column) for column in zip(*(law.tolist() for law in played.laws), strict=True)]
        weights = [float(w) for w in played.weights]
        for x in range(n):
            for y in range(n):
                delta = played.world[x, y // K] if world else played.joint[x, y]
                if not delta:
                    continue
                compared += 1
                if laws[x] == laws[y]:
                    return Finding("refuted", "equal laws of play", witness=equal_laws(labels, walk, x, y, world))
                ratio = divergence(laws[x], laws[y], weights, played.scale) / max(float(delta), TINY)
                if ratio < float("inf") and (best is None or ratio < best[0]):
                    best = ratio, p, x, y
    if best is None:
        return Finding(
            "vacuous", "no pair of models with different operators and finite divergence", evidence={"rule": "eval"}
        )
    _, p, x, y = best
    played, models = walks[p].played, walks[p].models
    law = [
        (w, Fraction(v[x], played.scale), Fraction(v[y], played.scale))
        for w, v in zip(played.weights, played.laws, strict=True)
        if v[x]
    ]
    low, high = enclosures.kl(law)
    delta = played.world[x, y // walks[p].t.K] if world else played.joint[x, y]
    values = {
        f"{name}_lower": str(enclosures.round_down(low / delta * (1 - SLACK))),
        f"{name}_upper": str(enclosures.round_up(high / delta)),
    }
    attained = {"xi_star": labels.xi(models.xi(x)), "xi": labels.xi(models.xi(y)), "pi": labels.policy(p)}
    return Finding("proved", f"{compared} pairs of models", values, {"rule": "log", "attained": attained})


def equal_laws(labels: Labels, walk: Walk, x: int, y: int, world: bool) -> dict[str, object]:
    """The realised prefix at which the operators of two models with one law of play differ most."""

    def size(prefix: tuple[int, Fraction]) -> Fraction:
        return prefix[1]

    places = []
    for number, prefix in enumerate(walk.prefixes):
        norm = prefix.world[x, y // walk.t.K] if world else prefix.joint[x, y]
        if norm and prefix.mass_after[x]:
            places.append((number, Fraction(norm, prefix.mass_before[x] * walk.t.step)))
    number, difference = max(places, key=size)
    prefix = walk.prefixes[number]
    return {
        "xi_star": labels.xi(walk.models.xi(x)),
        "xi": labels.xi(walk.models.xi(y)),
        "pi": labels.policy(walk.p),
        "h": len(prefix.sequence) // 2,
        "trajectory": labels.trajectory(prefix.sequence),
        "difference": str(difference),
    }
