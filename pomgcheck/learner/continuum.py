"""Says what a learner plans with on a class with interval axes: Bernoulli arms in closed form, or a finite net."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.parameters import Point
from pomgcheck.learner.bernoulli import Bernoulli, arms_of
from pomgcheck.learner.columns import ClassTables
from pomgcheck.learner.confidence import Scales
from pomgcheck.learner.likelihood import UNIT
from pomgcheck.learner.net import net
from pomgcheck.learner.oracles import Finite, Oracle


class Planned(NamedTuple):
    """This has an oracle, what the radius needs of it, and what the record says of it."""

    oracle: Oracle
    covering: Fraction | Scales
    error: Fraction
    described: dict[str, str]


def planned(
    game: Game, true: Game, truth: tuple[Point, Point], values: Mapping[str, Any], error: Fraction, closed: bool
) -> Planned:
    """Return the oracle of a class with interval axes.

    ``true`` is the class of xi* alone, ``values`` what the certificate proves, ``error`` that of a net, and ``closed``
    says whether a closed form may be used.
    """
    arms = arms_of(game) if closed else None
    if arms is not None:
        assert game.phis is not None  # arms_of has seen one response
        return Planned(
            Bernoulli(arms, game.phis[0], truth[0]),
            arms.scales,
            Fraction(0),
            {
                "kind": "closed form",
                "arms": str(len(arms.names)),
                "interval": f"[{arms.low}, {arms.high}]",
                "value_error": str(arms.gain / UNIT),
            },
        )
    slope = Fraction(values["covering_lipschitz_upper"]) * Fraction(values["log_likelihood_lipschitz_upper"])
    found = net(game, slope, error)
    tables = ClassTables(found.subclass(game))
    return Planned(
        Finite(tables, ClassTables(true)),
        Fraction(found.points),
        found.error,
        {
            "kind": "net",
            "points": str(found.points),
            "error": str(found.error),
            "value_error": str(game.H * found.error / 2),
            **({} if closed else {"asked": str(error)}),
        },
    )
