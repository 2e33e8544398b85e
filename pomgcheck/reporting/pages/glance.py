"""Shows, before any section of a page on a certificate, which game it is, what holds, and what may be concluded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import NamedTuple

from pomgcheck.certificate import Certificate
from pomgcheck.reporting.blocks import Glance, Picture
from pomgcheck.reporting.claims import constants, regret
from pomgcheck.reporting.claims.sensitivity import regret_at
from pomgcheck.reporting.drawings import bound_over_time, one_step
from pomgcheck.reporting.drawings.bound_over_time import Curve, Mark
from pomgcheck.reporting.numbers import decimal, fraction, number
from pomgcheck.reporting.spans import Inline, Math, Strong, joined, say
from pomgcheck.reporting.words import WORST_FIRST

FARTHEST = 40  # the drawing goes up to two to this power


class DrawnBound(NamedTuple):
    """A bound on the policy regret has its name, how it is drawn, what it is at T, and a T from which it is below D T."""

    name: str
    kind: str
    at: Callable[[int], Fraction]
    worth: int | None = None


def glance(cert: Certificate) -> Glance:
    """Return the verdict of every claim, refuted ones first, and the drawings that the class and its bounds allow."""
    verdicts = sorted(cert.claims.values(), key=lambda claim: WORST_FIRST.index(claim.verdict))
    pictures = [*game(cert), *conclusion(cert)]
    return Glance(tuple((claim.paper.split()[-1], claim.id, claim.verdict) for claim in verdicts), tuple(pictures))


def game(cert: Certificate) -> list[Picture]:
    """Return one step of the game, where the class is given by kernels."""
    outline = cert.outline
    if outline.by_operators:
        return []
    horizon, policies = outline.horizon, len(outline.policies)
    caption = say(
        "{head} An episode has {H}; before it the learner announces {n}.",
        head=Strong("The game."),
        H="one such step" if horizon == 1 else f"{horizon} such steps",
        n="its only policy" if policies == 1 else f"one of {policies} policies",
    )
    return [Picture("The game", one_step.svg(outline), caption)]


def conclusion(cert: Certificate) -> list[Picture]:
    """Return a picture of every proved bound on the policy regret over T, beside D T; there is none where nothing is
    proved."""
    claims = {claim.id: claim for claim in cert.claims.values() if claim.verdict == "proved"}
    bounds: list[DrawnBound] = []
    words: list[Inline] = []
    if "regret" in claims:
        values, made_of = claims["regret"].values.written, regret.bound(cert, claims["regret"])
        at = cache(made_of.regret)
        first = int(values["worth_T"])
        bounds.append(DrawnBound("Theorem N", "bound", at, first))
        words.append(at_most("Theorem N, of the learner nested", cert, values["nested_regret_upper"], first))
    if "constants" in claims:
        p, values = constants.premises(cert, cert.options.T), claims["constants"].values.written
        worth = int(values["T_star"]) if constants.dearest(cert) else None  # elsewhere it is about H T
        bounds.append(DrawnBound("Theorem 3.3", "other", partial(regret_at, p), worth))
        words.append(
            at_most("Theorem 3.3 with its constants, of Algorithm 1", cert, values["sharp_regret_upper"], worth)
        )
    return [drawn(cert, bounds, words)] if bounds else []


def at_most(theorem: str, cert: Certificate, bound: str, first: int | None) -> Inline:
    """Return what a theorem says at the certificate's T, and from which T on that is below D T."""
    return say(
        "{theorem}: at most {x} at T = {T}{worth}.",
        theorem=theorem,
        x=decimal(fraction(bound), "up"),
        T=f"{cert.options.T:,}",
        worth="" if first is None else f", below D T from T = {first:,} on",
    )


def drawn(cert: Certificate, bounds: Sequence[DrawnBound], words: Sequence[Inline]) -> Picture:
    """Return the bounds and D T, or H T where D is not known, up to a T some way beyond where they say something."""
    D, least = constants.dearest(cert), lost_somewhere(cert)
    D = D or least
    most, trivial = (cert.outline.horizon, "H T") if D is None else (D, "D T")
    far = next((k for k in range(FARTHEST) if all(bound.at(2**k) < most * 2**k for bound in bounds)), FARTHEST)
    far = min(FARTHEST, max(far + 2, cert.options.T.bit_length()))
    times = [2**k for k in range(far + 1)]
    curves = [
        Curve(bound.name, bound.kind, points)
        for bound in bounds
        if (points := [(T, float(value)) for T in times if (value := bound.at(T)) > 0])
    ]
    curves.append(Curve(trivial, "trivial", [(T, float(most * T)) for T in times]))
    marks = [Mark(each.worth, float(most * each.worth), f"T = {each.worth:,}") for each in bounds if each.worth]
    told = joined(
        say("{head} {p}.", head=Strong("What may be concluded of the policy regret,"), p=probability(cert)),
        *words,
        say("Some settled episode loses {x} = {D}.", x=Math("D"), D=number(str(least), "down"))
        if least
        else say("No play loses more than {t} in settled episodes, D = {D}.", t=Math("D T"), D=number(str(D)))
        if D
        else (),
    )
    description = "Bounds on the policy regret over T: " + "; ".join(
        f"{curve.name} {curve.points[-1][1]:.4g} at T = {int(curve.points[-1][0]):,}" for curve in curves
    )
    return Picture(
        "What may be concluded", bound_over_time.svg(curves, [mark for mark in marks if mark.T > 1], description), told
    )


def lost_somewhere(cert: Certificate) -> Fraction | None:
    """Return, on interval axes, the regret of a policy at a named model; the largest of the class is no less than
    that."""
    return cert.values.fraction("D_lower") if "D_lower" in cert.values else None


def probability(cert: Certificate) -> Inline:
    """Return the probability with which the bounds hold."""
    return say("with probability at least {p}", p=number(str(1 - 2 * cert.options.delta)))
