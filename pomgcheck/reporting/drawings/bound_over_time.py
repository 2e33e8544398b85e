"""Draws what is proved about the regret, over T, as SVG: each bound beside D T, the most that any play can lose; both
axes are logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from math import ceil, floor, hypot, log10
from typing import NamedTuple

LEFT, RIGHT, TOP, BOTTOM = 62, 18, 26, 46
WIDTH, HEIGHT = 580, 326
LETTER, ABOVE, BELOW = 7.6, 11, 4  # how wide a letter of a name is, and how far it reaches above and below its line
CLEAR, APART = 5, 16  # how far a name is from its own line, and from other lines and words, where it is clear of them

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, right, top, bottom


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


def along(line: Sequence[Point]) -> list[Point]:
    """Return places along a line, not more than 4 units apart from left to right or from top to bottom."""
    places = list(line[:1])
    for (x, y), (to_x, to_y) in pairwise(line):
        steps = ceil(max(abs(to_x - x), abs(to_y - y), 1) / 4)
        places += [(x + (to_x - x) * k / steps, y + (to_y - y) * k / steps) for k in range(1, steps + 1)]
    return places


def distance(box: Box, places: Sequence[Point]) -> float:
    """Return how far the nearest of the places is from a box."""
    left, right, top, bottom = box
    return min((hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) for x, y in places), default=WIDTH)


def placed(name: str, line: Sequence[Point], occupied: Sequence[Point]) -> tuple[Box, float, float]:
    """Return the box of a line's name, and its left end and baseline.

    It stands above the line on the left of a place, or below it on the right of one, as far to the right as it is clear
    of the line and, so that it is nobody else's name, farther from what is ``occupied``; or else where it is clearest.
    """
    width = LETTER * len(name)
    found: tuple[float, Box, float, float] | None = None
    for x, y in reversed(line):
        for left, down in ((x - 4 - width, -10), (x - 4 - width, -18), (x + 6, 8), (x + 6, 17), (x + 6, 25)):
            box = left, left + width, y + down - ABOVE, y + down + BELOW
            if box[0] < LEFT + 4 or box[1] > WIDTH - RIGHT or box[2] < 2 or box[3] > HEIGHT - BOTTOM - 4:
                continue
            clear = min(distance(box, line) / CLEAR, distance(box, occupied) / APART, 1)
            if found is None or clear > found[0]:
                found = clear, box, left, y + down
    if found is not None:
        return found[1:]
    (x, y), left = line[-1], max(line[-1][0] - 4 - width, 4)  # so short a line that its name stands nowhere beside it
    return (left, left + width, y - 10 - ABOVE, y - 10 + BELOW), left, y - 10


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
    drawn = [along([(x(T), y(value)) for T, value in curve.points]) for curve in curves]
    occupied: list[Point] = []
    for mark in marks:
        at, wide = (x(mark.T), y(mark.regret)), LETTER * len(mark.words)
        anchor = "start" if at[0] < WIDTH * 0.6 else "end"
        left, foot = at[0] + 6 if anchor == "start" else at[0] - 6 - wide, HEIGHT - BOTTOM - 8
        occupied += along([at, (at[0], HEIGHT - BOTTOM)]) + along([(left, foot - 5), (left + wide, foot - 5)])
        parts.append(
            f'<path class="grid mark" d="M{at[0]} {at[1]}V{HEIGHT - BOTTOM}"/><circle class="dot" cx="{at[0]}" cy="{at[1]}" r="4"/>'
        )
        parts.append(
            f'<text class="quiet" x="{at[0] + (6 if anchor == "start" else -6)}" y="{foot}" '
            f'text-anchor="{anchor}">{escape(mark.words)}</text>'
        )
    for curve, line in zip(curves, drawn, strict=True):
        others = [place for other in drawn if other is not line for place in other]
        box, left, baseline = placed(curve.name, line, others + occupied)
        parts.append(
            f'<text class="{curve.kind}" x="{round(box[1], 1)}" y="{round(baseline, 1)}" text-anchor="end">'
            f"{escape(curve.name)}</text>"
        )
        occupied += [place for height in box[2:] for place in along([(left, height), (box[1], height)])]
    return (
        f'<svg role="img" class="tree over" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"<title>{escape(description, quote=False)}</title>{''.join(parts)}</svg>"
    )
