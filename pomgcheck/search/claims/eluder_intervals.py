"""Proposition 2.6 on interval axes: rank, norms and queries from above, a sequence from below, and the structure of W."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.eluder import sign_witness
from pomgcheck.search.claims.eluder import bracketed
from pomgcheck.search.claims.eluder_differences import Differences, transition_span
from pomgcheck.search.claims.eluder_slopes import Sequenced, Sequences, directions, moved, references
from pomgcheck.search.continuum import Continuum
from pomgcheck.search.coordinates import failure, noted
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.extremes import Trees, corners
from pomgcheck.search.finding import Finding
from pomgcheck.search.intervals import point_of, point_on


def eluder(c: Continuum, world: bool, options: Mapping[str, Any]) -> Finding:
    """Return the bracket of one channel at scale 1/(2T)."""
    differences, trees, T = Differences(c, world, options), Trees(c), options["T"]
    rank = differences.span([entry for entry, _ in differences.entries])
    norm, bounds = differences.norm(trees)
    limits = (differences.queries(), differences.functions(), sign_witness(rank, 4 * T * T * norm))
    upper = min(x for x in limits if x is not None)
    best = Sequences(c, world, options, upper).run()
    if best is None:
        theta, Phi = next(references(c))
        best = Sequenced(theta, Phi, Fraction(1, 4 * T * T), [])
    side = "theta" if world else "Phi"
    sequence = [
        {
            "pi": c.game.policy_names[p],
            side: point_on(c, side, place.cell, place.values),
            "before": str(before),
            "square": str(square),
        }
        for p, place, before, square in best.queries
    ]
    evidence = {
        "rule": "sequence",
        "xi_star": point_of(c, (best.theta.cell, best.Phi.cell), best.theta.values | best.Phi.values),
        "scale_squared": str(best.scale),
        "sequence": sequence,
        "bounds": bounds,
        "trees": trees.trees,
    }
    notes = noted(structure(c, differences)) if world else {}
    return bracketed(world, upper, rank, evidence, "sequence among points near one another", notes)


def structure(c: Continuum, differences: Differences) -> dict[str, Any] | None:
    """Return the span of the transitions' rows, and whether the entries of W are affine.

    Where they are not, points of the class and weights show it; the result is ``None`` where none of the points tried
    do, on a class without inner points.
    """
    found = {"transition_rank": transition_span(c), "affine": True}
    if differences.affine():
        return found
    _, Phi = next(references(c))
    points: dict[str, dict[str, str]] = {}
    for n, cell in enumerate(c.cells["theta"]):
        inner = corners(cell, sorted(cell.box))[-9:]
        middle = inner[-1]
        shares = Fraction(1, 2), Fraction(1, 3)
        inner += [moved(middle, moves, t) for moves in directions(cell, middle) for t in shares]
        points |= {str(point): point for point in (point_on(c, "theta", n, values) for values in inner)}
    t = Tables(c.game.subclass([*points.values()], [point_on(c, "Phi", Phi.cell, Phi.values)]), c.space)
    shown = failure(t)
    return shown and found | shown
