"""Assumption 3.1(a)-(d) and (f): well-specification, covering, bounded increments, predictive states, warm-up."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

from pomgcheck.kernel.game import Game
from pomgcheck.search.claims.posterior_lipschitz import l1
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.finding import Finding, Labels
from pomgcheck.search.play import Walk

EVAL = {"rule": "eval"}


def well_specified(game: Game) -> Finding:
    """The stated truth is a point of Xi; without one the assumption is about the outside world."""
    if game.truth is None:
        return Finding("declared", "no truth in the document", evidence={"rule": "assume"})
    if game.contains("worlds", game.truth[0]) and game.contains("responses", game.truth[1]):
        return Finding("proved", "membership", evidence=EVAL)
    return Finding("refuted", "membership", witness={"truth": game.document["truth"]})


def covering(game: Game) -> Finding:
    """The class is its own net: log of the number of distinct models."""
    count = len(set(game.worlds)) * len(set(game.responses))
    return Finding("proved", "distinct models counted", {"log_covering_upper": {"log_of": str(count)}}, EVAL)


def increments(t: Tables, walks: list[Walk]) -> tuple[Finding, Finding]:
    """Claims (c) and (d) together: the largest ratio of trajectory probabilities, or an impossible trajectory."""
    labels = Labels(t.game)
    best, place = Fraction(1), None
    for p, walk in enumerate(walks):
        for sequence, law in zip(walk.played.sequences, walk.played.laws, strict=True):
            values = law.tolist()
            high, low = max(values), min(values)
            x, y = values.index(high), values.index(low)
            if not low:
                witness = {
                    "xi": labels.xi(walk.models.xi(x)),
                    "xi_prime": labels.xi(walk.models.xi(y)),
                    "pi": labels.policy(p),
                    "trajectory": labels.trajectory(sequence),
                    "probability": str(Fraction(high, walk.played.scale)),
                }
                return Finding("refuted", "enumeration", witness=witness), Finding(
                    "refuted", "enumeration", witness=witness
                )
            if place is None or high > best * low:
                best, place = Fraction(high, low), (x, y, p, sequence)
    assert place is not None
    x, y, p, sequence = place
    models = walks[p].models
    attained = {
        "xi": labels.xi(models.xi(x)),
        "xi_prime": labels.xi(models.xi(y)),
        "pi": labels.policy(p),
        "trajectory": labels.trajectory(sequence),
    }
    bound = {"log_of": str(best)}
    count = sum(len(walk.played.laws) for walk in walks)
    return (
        Finding(
            "proved",
            f"{count} trajectories enumerated",
            {"B0_lower": bound, "B0_upper": bound},
            EVAL | {"attained": attained},
        ),
        Finding("proved", f"{count} trajectories enumerated", evidence=EVAL),
    )


def warmup_stationary(game: Game) -> Finding:
    """By construction for latest, mean and table; Theorem 5.2's constants for fading, of a finite class."""
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
