"""Puts Assumption 3.1(a) in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace, Xi
from pomgcheck.kernel.parameters import parameter_points
from pomgcheck.reporting.blocks import Block, Paragraph
from pomgcheck.reporting.claims import given_operators
from pomgcheck.reporting.claims.told import Cause, Told
from pomgcheck.reporting.numbers import fraction, shortened
from pomgcheck.reporting.spans import Code, Inline, Label, say
from pomgcheck.reporting.words import model, point


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Assumption 3.1(a) was shown."""
    truth = cert.outline.truth
    return say("The truth {xi} is among the points of the class.", xi=model(truth)) if truth else ()


def walk(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return the counterexample to Assumption 3.1(a): the truth is outside the class."""
    return [Paragraph(say("The truth {xi} is none of the models of the class.", xi=model(Xi.stated(w.truth))))]


def causes(cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return why Assumption 3.1(a) fails: the sides of the truth that lie outside, and on which axis."""
    return [
        cause
        for side in ("worlds", "responses")
        for cause in _off_axis(cert.model[side], place.truth[side], side)
        or _excluded(cert.model[side], place.truth[side], side)
    ]


def _off_axis(part: Mapping[str, Any], truth: Mapping[str, str], side: str) -> list[Cause]:
    """Return the causes that parameters of the truth lie outside the values or the interval of their axis."""
    causes = []
    for name, axis in part.get("parameters", {}).items():
        kind, ends = next(iter(axis.items()))
        value, numbers = fraction(truth[name]) if name in truth else None, list(map(fraction, ends))
        if value is not None and not (value in numbers if kind == "values" else numbers[0] <= value <= numbers[1]):
            x, whole = Label(point({name: truth[name]})), Label(", ".join(map(shortened, ends)))
            v, axis_ = Label(truth[name]), Code(f"{side}.parameters.{name}")
            why = say("{x} is outside its {kind} {ends}.", x=x, kind=kind, ends=whole)
            causes.append(Cause(why, say("Add {v} to {axis}, or move the truth.", v=v, axis=axis_)))
    return causes


def _excluded(part: Mapping[str, Any], truth: Mapping[str, str], side: str) -> list[Cause]:
    """Return the cause that a truth on every axis is nevertheless not one of the points."""
    points = parameter_points(part, side)
    if points is None or {name: fraction(text) for name, text in truth.items()} in points:
        return []
    why = say("{p} is none of the points of {side}.", p=Label(point(truth) or "()"), side=Code(side))
    return [Cause(why, say("Add the point to {side}, loosen what excludes it, or move the truth.", side=Code(side)))]


TOLD = Told(
    title="Well-specified truth",
    gist="The true model is one of the class.",
    how=how,
    left_open=given_operators.left_open,
    walk=walk,
    causes=causes,
)
