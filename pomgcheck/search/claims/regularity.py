"""Assumption 3.1(a)-(d) and (f): well-specification, covering, bounded increments, predictive states, warm-up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import inf
from typing import Any

from pomgcheck.errors import counted
from pomgcheck.kernel.facts import l1
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.walk import Place
from pomgcheck.search.finding import Finding, Labels

EVAL = {"rule": "eval"}


def well_specified(game: Game) -> Finding:
    """Return whether the stated truth is a point of Xi; without a stated one the assumption is about the outside
    world."""
    if game.truth is None:
        return Finding("declared", "no truth in the document", evidence={"rule": "assume"})
    if game.contains("worlds", game.truth[0]) and game.contains("responses", game.truth[1]):
        return Finding("proved", "membership", evidence=EVAL)
    return Finding("refuted", "membership", witness={"truth": game.document["truth"]})


def covering(game: Game) -> Finding:
    """Return the class as its own net: the logarithm of the number of distinct models."""
    count = len(set(game.worlds)) * len(set(game.responses))
    return Finding("proved", "distinct models counted", {"log_covering_upper": {"log_of": str(count)}}, EVAL)


def increments(game: Game, walks: Sequence[Play]) -> tuple[Finding, Finding]:
    """Return claims (c) and (d) together: the largest ratio of trajectory probabilities, or an impossible trajectory.

    By endings the ratio is an upper end, infinite where they give none, and the lower one that of a trajectory.
    """
    labels = Labels(game)
    best: tuple[Fraction, Play, Place] | None = None
    for play in walks:
        ratio, place = play.increments
        if ratio is None:
            followed = play.follow(place.trajectory, play.models[place.x])
            assert followed is not None
            probability = Fraction(followed[1][-1], play.scaled.rho * play.scaled.J**game.H)
            witness = attained(labels, play, place) | {"probability": str(probability)}
            refuted = Finding("refuted", "enumeration", witness=witness)
            return refuted, refuted
        if best is None or ratio > best[0]:
            best = ratio, play, place
    assert best is not None
    ratio, play, place = best
    if ratio == inf:
        loose = Finding("unknown", "endings do not bound the ratios of trajectories")
        return loose, loose
    ends = [play.follow(place.trajectory, play.models[n]) for n in (place.x, place.y)]
    most, fewest = (masses[-1] for _, masses in filter(None, ends))
    count = sum(len(level) for each in walks for level in each.levels)
    return (
        Finding(
            "proved",
            f"{counted(count, 'learner prefix', 'learner prefixes')}, each told from the others",
            {"B0_lower": {"log_of": str(Fraction(most, fewest))}, "B0_upper": {"log_of": str(ratio)}},
            EVAL | {"attained": attained(labels, play, place)},
        ),
        Finding(
            "proved",
            f"{counted(count, 'learner prefix', 'learner prefixes')}, each told from the others",
            evidence=EVAL,
        ),
    )


def attained(labels: Labels, play: Play, place: Place) -> dict[str, Any]:
    """Return a place in the labels of the class."""
    return {
        "xi": labels.xi(play.models[place.x]),
        "xi_prime": labels.xi(play.models[place.y]),
        "pi": labels.policy(play.p),
        "trajectory": labels.trajectory(place.trajectory),
    }


def warmup_stationary(game: Game) -> Finding:
    """Return that the rules latest, mean and table are stationary by construction, and for a fading rule of a finite
    class Theorem 5.2's constants."""
    if game.gamma is None:
        return Finding("proved", f"block rule {game.block_rule}", evidence=EVAL)
    gaps = [
        l1(x, y) / 2
        for response in game.responses
        for left, right in combinations(response, 2)
        for h in range(game.H)
        for x, y in zip(left[h], right[h], strict=True)
    ]
    values = {"gamma": str(game.gamma), "L_g": str(max(gaps, default=Fraction(0)))}
    return Finding("proved", "block rule fading", values, EVAL)
