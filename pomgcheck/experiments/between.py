"""Measures regret between the lower line of Theorem 4.1 and the explicit upper line of Theorem 3.3.

Both apply to one class: four routes, one of which pays more often by the gap min{sqrt(d/T), 1}/4.  The lower line is
about the average over which route that is, so every one of them is the truth in turn.  The class changes with T and is
certified anew for each.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import sqrt
from statistics import fmean
from typing import Any, NamedTuple

from pomgcheck.experiments.declared import Remark, Series, curve, panel, reference
from pomgcheck.gallery import routes
from pomgcheck.learner.run import run
from pomgcheck.learner.settings import Constants
from pomgcheck.modelclass.document import load
from pomgcheck.options import Number
from pomgcheck.search.certify import certify

HORIZONS = tuple(4**k for k in range(3, 9))  # powers of four, so that the gap is rational
SEEDS = 5  # for each truth
KINDS: tuple[Constants, ...] = ("theory", "practical")
NESTED = "nested"
D = len(routes.ROUTES)


class At(NamedTuple):
    """This is what was measured at one horizon: the certificate's digests, the explicit bounds of Algorithm 1 and of
    ``nested``, and the regret by kind of constants and of ``nested``, with one value per seed that averages over the
    truths."""

    stamp: dict[str, str]
    sharp: float
    listed: float
    regret: dict[str, list[float]]


def gap(T: int) -> Fraction:
    """Return min{sqrt(d/T), 1}/4 for d = 4 and T a power of four, at least four."""
    return Fraction(1, 2 ** (T.bit_length() // 2 + 1))


def document(T: int) -> dict[str, Any]:
    """Return the class of routes with the gap of horizon T, and no truth of its own."""
    whole = routes.document()
    return {key: value for key, value in whole.items() if key != "truth"} | {"knobs": {"gap": str(gap(T))}}


def lower(T: int) -> float:
    """Return the bound of Theorem 4.1 with its constant."""
    return min(sqrt(D * T), T) / 20


def at(T: int) -> At:
    """Certify the class of horizon T and run it under each of its d truths."""
    certificate, regret = certify(load(document(T)), T=T), dict[str, list[float]]()
    runs: dict[str, dict[str, Any]] = {kind: {"algorithm": "epoch-omle", "constants": kind} for kind in KINDS}
    for kind, asked in (runs | {NESTED: {"algorithm": NESTED}}).items():
        by_truth = []
        for best in routes.ROUTES:
            corner: dict[str, Number] = {route: int(route == best) for route in routes.ROUTES}
            truth: dict[str, dict[str, Number]] = {"worlds": corner, "responses": {}}
            record = run(certificate, episodes=T, seeds=SEEDS, truth=truth, **asked)
            by_truth.append([float(Fraction(seed["total_regret"])) for seed in record.document["runs"][0]["seeds"]])
        regret[kind] = [fmean(seeds) for seeds in zip(*by_truth, strict=True)]
    digests = {"sha256": certificate.sha256, "model_sha256": certificate.model_sha256}
    sharp, listed = (float(certificate.values[name]) for name in ("sharp_regret_upper", "nested_regret_upper"))
    return At({"says": f"routes with gap {gap(T)}, T = {T}", **digests}, sharp, listed, regret)


def figure(found: Sequence[At]) -> Series:
    """Return the regret over T, with every line that is proved."""
    curves = [curve(f"Algorithm 1, {kind}", [each.regret[kind] for each in found]) for kind in KINDS]
    curves.append(curve(NESTED, [each.regret[NESTED] for each in found]))
    proved = [
        reference("Theorem 4.1", [lower(T) for T in HORIZONS]),
        reference("bound of Algorithm 1", [each.sharp for each in found]),
        reference("bound of nested", [each.listed for each in found]),
        reference("gap times T", [float(gap(T) * T) for T in HORIZONS]),
    ]
    lines = panel("Between the bounds", HORIZONS, "horizon T", "PR(T)", [*curves, *proved], ("log2", "log10"))
    return {
        "name": "between",
        "panels": [lines],
        "caption": "Four routes, one better by min{√(d/T), 1}/4, averaged over which; the class changes with T. No "
        "learner is below the line of Theorem 4.1, none above the gap times T; the bounds are those for a finite class.",
        "alt": "Measured regret lies between the lower line and the explicit upper one",
    }


def remark(found: Sequence[At]) -> Remark:
    """Return a remark with both ends in figures."""
    last, T = found[-1], HORIZONS[-1]
    shown = ", ".join(f"{kind} {fmean(last.regret[kind]):.0f}" for kind in KINDS)
    first = next(
        (f"from T = {T} on" for T, each in zip(HORIZONS, found, strict=True) if each.sharp < gap(T) * T), "nowhere"
    )
    return Remark(
        "On the family of Theorem 4.1 all T episodes tell less than half a nat about a route, so no test fires and one "
        "route is played throughout; the lower line holds there for every learner.",
        f"at T = {T} every learner loses {lower(T):.1f} or more on average over the truths, Algorithm 1 {shown}, at most "
        f"{last.sharp:.3g} by the bound for a finite class (below the gap times T = {gap(T) * T} {first}), nested "
        f"{fmean(last.regret[NESTED]):.0f}, at most {last.listed:.3g}",
    )
