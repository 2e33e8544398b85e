"""Says what an experiment declares: choices of reading with their reasons, the paper's figures, and what it draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

Series = dict[str, Any]  # what is drawn and printed, in JSON with decimals as text


class Choice(NamedTuple):
    """This is one place where the paper's text leaves a choice open."""

    what: str
    reading: str
    reason: str


class Target(NamedTuple):
    """This is a figure that the paper prints: ``value`` is its number, ``half`` half a unit of its last digit."""

    key: str
    what: str
    paper: str
    value: float
    half: float = 0.0


class Measured(NamedTuple):
    """This is what one group of seeds gave: the figures by the keys of their targets, and the series behind them."""

    figures: dict[str, float]
    series: Series


class Remark(NamedTuple):
    """This is something to be said beside the paper's text, with the figures of the run that shows it."""

    what: str
    shown: str


def text(value: float) -> str:
    """Return a decimal of ten significant digits, as the record writes numbers that were computed in floats."""
    return f"{value:.10g}"


class Beside(NamedTuple):
    """This is what was measured beside the paper's figures, on the same seeds: tables for the report, and series to be
    drawn."""

    tables: list[Series]
    series: Series


def table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> Series:
    """Return a table of words and decimals; empty cells are not defined."""
    return {"caption": caption, "head": list(head), "rows": [list(row) for row in rows]}


def curve(label: str, columns: Sequence[Sequence[float]]) -> Series:
    """Return the mean and two standard errors over seeds, with one column per point."""
    two_se = [2 * stdev(column) / sqrt(len(column)) if len(column) > 1 else 0.0 for column in columns]
    return {
        "label": label,
        "role": "data",
        "mean": list(map(text, map(fmean, columns))),
        "two_se": list(map(text, two_se)),
    }


def banded(label: str, line: Sequence[float], columns: Sequence[Sequence[float]]) -> Series:
    """Return a line within the band from 5 to 95 % of the columns, one per point."""
    ordered = [sorted(column) for column in columns]
    low, high = ([text(quantile(column, q)) for column in ordered] for q in (0.05, 0.95))
    return {"label": label, "role": "data", "mean": list(map(text, line)), "band": {"low": low, "high": high}}


def reference(label: str, values: Sequence[float]) -> Series:
    """Return a line to compare with."""
    return {"label": label, "role": "reference", "mean": list(map(text, values)), "two_se": None}


def panel(
    title: str,
    x: Sequence[float],
    xlabel: str,
    ylabel: str,
    curves: Sequence[Series],
    scales: tuple[str, str],
    marks: Sequence[Series] = (),
) -> Series:
    """Return one panel; ``scales`` of x and y: linear, log2 or log10. ``marks``: single points, each with ``label``,
    ``x``, ``y``."""
    return {
        "kind": "lines",
        "title": title,
        "x": list(map(text, x)),
        "xlabel": xlabel,
        "ylabel": ylabel,
        "curves": list(curves),
        "scales": list(scales),
        "marks": list(marks),
    }


def slope(x: Sequence[float], y: Sequence[float]) -> float:
    """Return the slope of least squares of log y on log x."""
    u, v = [log(a) for a in x], [log(b) for b in y]
    centre, height = fmean(u), fmean(v)
    rise = sum((a - centre) * (b - height) for a, b in zip(u, v, strict=True))
    return rise / sum((a - centre) ** 2 for a in u)


def row(target: Target, ours: float, groups: Sequence[float], band: bool) -> Mapping[str, Any]:
    """Return the row of a target: the paper's figure, ours, the spread, and whether it is within.

    Over fresh groups the spread is mean and standard deviation, and within means two of them and the paper's rounding;
    as a ``band`` it is the median and the 5-95 % band, and within means inside.
    """
    result: dict[str, Any] = {"what": target.what, "paper": target.paper, "ours": text(ours)}
    if len(groups) < 2:
        return result | {"spread": None, "within": None}
    if band:
        ordered = sorted(groups)
        low, middle, high = (quantile(ordered, q) for q in (0.05, 0.5, 0.95))
        inside = low - target.half <= target.value <= high + target.half
        return result | {"spread": {"median": text(middle), "low": text(low), "high": text(high)}, "within": inside}
    centre, sd = fmean(groups), stdev(groups)
    inside = abs(target.value - centre) <= 2 * sd + target.half
    return result | {"spread": {"mean": text(centre), "sd": text(sd)}, "within": inside}


def quantile(ordered: Sequence[float], q: float) -> float:
    """Return the quantile q, by linear interpolation between order statistics."""
    place = q * (len(ordered) - 1)
    k = min(int(place), len(ordered) - 2)
    return ordered[k] + (place - k) * (ordered[k + 1] - ordered[k])
