"""Draws phase diagrams of a sweep as SVG: lines over one knob, colours over two; what is not certified is hatched.

The same sweep gives the same bytes.  matplotlib is imported on the first drawing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from pomgcheck.reporting.drawings.figures import COLOURS, INK, Drawing, Spot, drawn
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.quantities import Quantity
from pomgcheck.reporting.spans import Math
from pomgcheck.search.sweep_file import Sweep, Swept

HATCHES = ("////", "\\\\\\\\", "xxxx", "||||", "++++")  # refuted and unknown, by reason
UNUSABLE = "---"
DECADES = 50  # largest over least beyond which a scale is logarithmic
MAP = "cividis"  # even in lightness, and the same to a colour-blind eye

Regions = Sequence[tuple[str, bool, Sequence[Swept]]]  # what to call it, whether no class is there, its points


def edges(values: Sequence[float]) -> list[float]:
    """Return the cell walls, half-way between neighbours and the outer ones as far beyond."""
    step = (values[1] - values[0]) / 2
    return [x - step for x in values] + [values[-1] + step]


def diagram(quantity: Quantity, sweep: Sweep, regions: Regions) -> Drawing:
    """Return one quantity over the one or two knobs that a sweep varies."""
    names = [*sweep.vary]

    def place(point: Mapping[str, str]) -> list[float]:
        return [float(fraction(point[name])) for name in names]

    values = [
        (place(point.knobs), quantity.float(value))
        for point in sweep.certified
        if (value := quantity.of(point)) is not None
    ]
    grid = [list(map(float, axis.values())) for axis in sweep.vary.values()]
    walls = [dict(zip(axis, pairwise(edges(axis)), strict=True)) for axis in grid]

    def cell(point: Swept, words: str, value: float | None = None) -> Spot:
        at, named = place(point.knobs), ", ".join(f"{name} = {point.knobs[name]}" for name in names)
        if len(at) == 1:
            return Spot(f"{named}: {words}", at[0], () if value is None else (value,))
        (left, right), (bottom, top) = (wall[x] for wall, x in zip(walls, at, strict=True))
        return Spot(f"{named}: {words}", box=(left, right, bottom, top))

    told = [
        cell(point, f"{symbol_text(quantity)} = {quantity.decimal(value)}", quantity.float(value))
        for point in sweep.certified
        if (value := quantity.of(point)) is not None
    ] + [cell(point, label) for label, _, points in regions for point in points]
    told.sort(key=lambda spot: spot.box or (spot.x,))
    spots = [(label, empty, [place(point.knobs) for point in points]) for label, empty, points in regions]
    symbol = quantity.symbol
    sign = f"${symbol.source}$" if isinstance(symbol, Math) and " " not in symbol.source else symbol_text(quantity)

    def draw(panel: Any) -> list[Spot]:
        panel.set_xlabel(names[0])
        if len(grid) == 1:
            line(panel, grid[0], {x: v for (x,), v in values})
            panel.set_ylabel(sign)
        else:
            panel.set_ylabel(names[1])
            heat(panel, grid, {(x, y): v for (x, y), v in values})
        hatched(panel, grid, [edges(axis) for axis in grid], spots)
        here = place(sweep.knobs)
        if all(axis[0] <= x <= axis[-1] for axis, x in zip(grid, here, strict=True)):
            mark(panel, here)
        return told

    return drawn(f"{sign}, {quantity.meaning}", draw, name=quantity.name.replace("_", "-"), xlabel="", listed=True)


def symbol_text(quantity: Quantity) -> str:
    """Return the symbol as plain letters."""
    symbol = quantity.symbol
    return symbol.plain() if isinstance(symbol, Math) else symbol.text


def line(panel: Any, xs: Sequence[float], values: Mapping[float, float]) -> None:
    """Draw a line through the certified points, broken where one is not."""
    shown = [values.get(x, float("nan")) for x in xs]
    panel.plot(xs, shown, "o-", color=COLOURS[0], markersize=4, label="certified")
    if logarithmic(list(values.values())):
        panel.set_yscale("log")
    ends = edges(xs)
    panel.set_xlim(ends[0], ends[-1])


def heat(panel: Any, grid: Sequence[Sequence[float]], values: Mapping[tuple[float, float], float]) -> None:
    """Draw one cell per certified point, in the colour of its value, and the bar that says which value that is."""
    from matplotlib.colors import LogNorm, Normalize

    xs, ys = grid
    table = [[values.get((x, y), float("nan")) for x in xs] for y in ys]
    known = list(values.values())
    low, high = min(known), max(known)
    if low == high:  # one colour, in the middle of its bar
        low, high = low - (abs(low) or 1) / 2, high + (abs(high) or 1) / 2
    norm = LogNorm(low, high) if logarithmic(known) else Normalize(low, high)
    mesh = panel.pcolormesh(edges(xs), edges(ys), table, cmap=MAP, norm=norm, edgecolors="face", linewidth=0.8)
    bar = panel.figure.colorbar(mesh, ax=panel)
    bar.outline.set_visible(False)
    bar.solids.set_rasterized(True)
    panel.grid(visible=False)


def logarithmic(values: Sequence[float]) -> bool:
    """Return whether a logarithmic scale shows them better."""
    return bool(values) and 0 < min(values) and min(values) * DECADES <= max(values)


def hatched(
    panel: Any,
    grid: Sequence[Sequence[float]],
    boxes: Sequence[Sequence[float]],
    spots: Sequence[tuple[str, bool, Sequence[Sequence[float]]]],
) -> None:
    """Draw each region's cells under one hatch; over one knob they reach from bottom to top."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    if flat := len(grid) == 1:
        grid, boxes = [grid[0], [0.5]], [boxes[0], [0.0, 1.0]]
        spots = [(label, empty, [[*place, 0.5] for place in places]) for label, empty, places in spots]
    walls = [dict(zip(axis, pairwise(box), strict=True)) for axis, box in zip(grid, boxes, strict=True)]
    marks = iter(HATCHES * (1 + len(spots) // len(HATCHES)))
    for label, empty, places in spots:
        cells = []
        for place in places:
            (left, right), (bottom, top) = (wall[x] for wall, x in zip(walls, place, strict=True))
            corners = [(left, bottom), (right, bottom), (right, top), (left, top), (left, bottom)]
            cells.append(Path(corners, [Path.MOVETO, *[Path.LINETO] * 3, Path.CLOSEPOLY]))
        face, hatch = ((0.5, 0.5, 0.5, 0.22), UNUSABLE) if empty else ("none", next(marks))
        whole = Path.make_compound_path(*cells)
        patch = PathPatch(whole, facecolor=face, edgecolor=INK, linewidth=0, hatch=hatch, label=label)
        if flat:
            patch.set_transform(panel.get_xaxis_transform())
        panel.add_patch(patch)


def mark(panel: Any, here: Sequence[float]) -> None:
    """Mark where the document itself stands."""
    if len(here) == 1:
        panel.axvline(here[0], color=INK, linewidth=1, linestyle=":", label="the document's own")
        return
    panel.plot(*here, "o", markersize=8, markerfacecolor="white", markeredgecolor="black", label="the document's own")
