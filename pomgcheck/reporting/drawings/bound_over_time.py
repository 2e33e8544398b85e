"""What is proved about the regret, over T, as SVG: each bound beside D T, the most that any play can lose; both axes
are logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import NamedTuple

LEFT, RIGHT, TOP, BOTTOM = 62, 18, 26, 46
WIDTH, HEIGHT = 580, 326
CLOSE = 45  # a line no farther above another than this would run through its name, which then stands below


class Curve(NamedTuple):
    """A line of the drawing has its name, how it is drawn ("bound", "other" or "trivial"), and its points (T, regret)."""

    name: str
    kind: str
    points: Sequence[tuple[float, float]]


class Mark(NamedTuple):
    """This marks a T from which a bound says something, with the regret there, and the words beside it."""

    T: float
    regret: float
    words: str


def decades(low: float, high: float, most: int) -> list[int]:
    """Return powers of ten from ``low`` to ``high``, every second or third one where there are more than ``most``."""
    first, last = ceil(low), floor(high)
    step = max(1, ceil((last - first + 1) / most))
    return list(range(first, last + 1, step))


def svg(curves: Sequence[Curve], marks: Sequence[Mark], description: str) -> str:
    """Return the drawing; a curve says its name and its last value when it is pointed at."""
    points = [point for curve in curves for point in curve.points]
    right = log10(max(T for T, _ in points))
    low, high = log10(min(y for _, y in points)), log10(max(y for _, y in points))
    low, high = floor(low), max(ceil(high), floor(low) + 1)

    def x(T: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * log10(T) / right, 1)

    def y(regret: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - log10(regret)) / (high - low), 1)

    def power(k: int) -> str:
        """Return a power of ten, in digits where it is short."""
        return str(10**k) if 0 <= k <= 3 else f'10<tspan dy="-5" font-size="10">{f"{k}".replace("-", "−")}</tspan>'

    parts = [f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>']
    for k in decades(0, right, 8):
        parts.append(f'<path class="grid" d="M{x(10**k)} {TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x(10**k)}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{power(k)}</text>')
    for k in decades(low, high, 7):
        parts.append(f'<path class="grid" d="M{LEFT} {y(10.0**k)}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y(10.0**k) + 5}" text-anchor="end">{power(k)}</text>')
    parts.append(
        f'<text class="quiet" x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">data episodes T</text>'
    )
    for curve in curves:
        path = " ".join(f"{x(T)},{y(value)}" for T, value in curve.points)
        parts.append(
            f'<polyline class="curve {curve.kind}" points="{path}"><title>{escape(curve.name)}</title></polyline>'
        )
    for curve in curves:
        (T, value), place = curve.points[-1], "end"
        above = [y(value) - y(other.points[-1][1]) for other in curves if other is not curve]
        across, up = x(T) - 4, y(value) + (38 if any(0 < gap < CLOSE for gap in above) else -8)
        if curve.kind == "trivial":  # below the line, before it meets the others
            (T, value), place = curve.points[len(curve.points) // 8], "start"
            across, up = x(T) + 10, y(value) + 8
        parts.append(
            f'<text class="{curve.kind}" x="{across}" y="{up}" text-anchor="{place}">{escape(curve.name)}</text>'
        )
    for mark in marks:
        at = x(mark.T), y(mark.regret)
        anchor = "start" if at[0] < WIDTH * 0.6 else "end"
        parts.append(
            f'<path class="grid mark" d="M{at[0]} {at[1]}V{HEIGHT - BOTTOM}"/><circle class="dot" cx="{at[0]}" cy="{at[1]}" r="4"/>'
        )
        parts.append(
            f'<text class="quiet" x="{at[0] + (6 if anchor == "start" else -6)}" y="{HEIGHT - BOTTOM - 8}" '
            f'text-anchor="{anchor}">{escape(mark.words)}</text>'
        )
    return (
        f'<svg role="img" class="tree over" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<title>{escape(description, quote=False)}</title>{''.join(parts)}</svg>"
    )
