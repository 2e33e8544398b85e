"""Small sweeps to read, made up so that every number in them can be checked by eye."""

from __future__ import annotations

from itertools import product
from typing import Any

from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.reading import digest
from tests.reporting.samples import OPTIONS

TOO_LARGE = {
    "where": "responses.table.patrol, row (dark)",
    "found": 'the entry "1/2-d"',
    "required": "an entry in [0,1]",
    "fix": "",
}


def point(knobs: dict[str, str], values: dict[str, Any], *failing: str) -> dict[str, Any]:
    """A point whose ``failing`` claims are refuted and whose others are proved."""
    verdicts = {claim.id: "refuted" if claim.id in failing else "proved" for claim in CLAIMS}
    return {
        "knobs": knobs,
        "exit": 1 if failing else 0,
        "error": None,
        "verdicts": verdicts,
        "values": values,
        "model_sha256": "5" * 64,
        "sha256": digest(knobs),
    }


def unusable(knobs: dict[str, str]) -> dict[str, Any]:
    """A point at which the document is no class."""
    return {
        "knobs": knobs,
        "exit": 2,
        "error": TOO_LARGE,
        "verdicts": {},
        "values": {},
        "model_sha256": None,
        "sha256": None,
    }


def sweep(vary: list[dict[str, Any]], points: list[dict[str, Any]], only: list[str] | None = None) -> dict[str, Any]:
    """The file of a sweep of these points."""
    document = {
        "format": "pomgcheck-sweep/1",
        "name": "guard",
        "model_sha256": "4" * 64,
        "source": "{}",
        "source_sha256": digest("{}"),
        "knobs": {"noise": "1/4", "d": "1", "floor": "1/8"},
        "options": OPTIONS,
        "only": only,
        "vary": vary,
        "points": points,
    }
    return document | {"sha256": digest(document)}


NOISE = {"knob": "noise", "low": "0", "high": "1/2", "points": 3}
DETERRENCE = {"knob": "d", "low": "0", "high": "3", "points": 4}


def values(noise: str, d: str) -> dict[str, Any]:
    """Constants that tell the points apart: alpha and B_0 by the noise, L by d, c_KL the same everywhere."""
    alpha = {"0": "1/2", "1/4": "1/3", "1/2": "0"}[noise]
    return {
        "alpha_lower": alpha,
        "alpha_upper": alpha,
        "c_KL_joint_lower": "1/7",
        "c_KL_joint_upper": "1/6",
        "L_lower": d,
        "L_upper": d,
        "B0_lower": {"log_of": {"0": "2", "1/4": "3", "1/2": "4"}[noise]},
        "B0_upper": {"log_of": {"0": "2", "1/4": "3", "1/2": "4"}[noise]},
        "log_covering_upper": {"log_of": "6"},
        "bound": {"upper": {"0": "1000", "1": "10", "2": "1", "3": "1"}[d]},
    }


def two_knobs() -> dict[str, Any]:
    """Certified, but for noise 1/2 (two claims fail), d = 2 (one fails) and d = 3 (no class)."""
    points = []
    for noise, d in product(("0", "1/4", "1/2"), ("0", "1", "2", "3")):
        knobs = {"noise": noise, "d": d}
        failing = ("weak-revealing", "kl-joint") if noise == "1/2" else ("kl-world",) if d == "2" else ()
        points.append(unusable(knobs) if d == "3" else point(knobs, values(noise, d), *failing))
    return sweep([NOISE, DETERRENCE], points)


def one_knob() -> dict[str, Any]:
    """Over d alone: certified, certified, refuted, no class."""
    points = [point({"d": d}, values("1/4", d), *(("kl-world",) if d == "2" else ())) for d in ("0", "1", "2")]
    return sweep([DETERRENCE], [*points, unusable({"d": "3"})])
