"""Draws an experiment's record, as SVG and as PNG: lines with bands, the digits' scatter, a matrix of accuracies.

The panels are described in the record; nothing is computed here.  The same record gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from statistics import median
from typing import Any

from pomgcheck.experiments.record import ExperimentRecord, RecordedCurve, RecordedFigure, RecordedPanel
from pomgcheck.outputs import write
from pomgcheck.reporting.drawings.figures import (
    COLOURS,
    DASHES,
    INK,
    LINE,
    POINTS,
    STYLE,
    Drawing,
    Spot,
    Svg,
    floats,
    stops,
    write_powers,
)
from pomgcheck.reporting.numbers import decimal, fraction, with_spread

TEN = ("#2a78b8", "#d05a1e", "#2f8f5b", "#a4508b", "#8a7a1f", "#5b5bd6", "#c23b4e", "#3f9aa5", "#7a4f2a", "#7a7f87")
ON_BLUE = "#1d1f20"  # not the page's ink: the cells stay blue on a dark page too
PANEL = 4.4, 3.4  # inches
APART = 0.1  # of an inch between panels, on either side
SMALL, ACROSS = 9, 58  # the size of a legend's letters, and how many of them stand side by side below a panel
DOTS = 150  # to the inch: a PNG, and the points of a scatter in an SVG


def svg(figure: RecordedFigure) -> Drawing:
    """Return one figure of the record as SVG whose ink is the page's."""
    drawing, asked = _drawn(figure)
    made = Svg.of(drawing, figure.name, dpi=DOTS)
    return Drawing(made, tuple(stop for place, panel in asked for stop in stops(place, readings(panel))))


def png(figure: RecordedFigure) -> bytes:
    """Return the same as a PNG on white."""
    from matplotlib import rc_context

    data = BytesIO()
    with rc_context(STYLE):
        _drawn(figure)[0].savefig(data, format="png", metadata={"Software": None}, dpi=DOTS, facecolor="white")
    return data.getvalue()


def pictures(record: Path) -> list[Path]:
    """Return the figures of a record's file as PNGs beside it."""
    figures = ExperimentRecord.load(record).content.figures
    targets = [record.with_name(f"{record.stem}.{figure.name}.png") for figure in figures]
    for figure, target in zip(figures, targets, strict=True):
        write(target, png(figure))
    return targets


def _drawn(figure: RecordedFigure) -> tuple[Any, list[tuple[Any, RecordedPanel]]]:
    """Return a figure of matplotlib, and those of its panels that say their values, with what was recorded of them."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    panels = figure.panels
    columns = min(len(panels), 2)
    rows = -(-len(panels) // columns)
    with rc_context(STYLE):
        layout = ConstrainedLayoutEngine(w_pad=APART, h_pad=APART / 2)
        drawing = Figure(figsize=(PANEL[0] * columns, PANEL[1] * rows), dpi=POINTS, layout=layout)
        places = drawing.subplots(rows, columns, squeeze=False)
        for place in places.flat[len(panels) :]:
            place.set_visible(False)
        for place, panel in zip(places.flat, panels, strict=False):
            place.set_title(panel.title)
            place.set_xlabel(panel.xlabel)
            place.set_ylabel(panel.ylabel)
            KINDS[panel.kind](place, panel)
            write_powers(place)
        asked = [(place, panel) for place, panel in zip(places.flat, panels, strict=False) if panel.kind == "lines"]
        legends(drawing, [place for place, _ in asked], rows, columns)
        return drawing, asked


def readings(panel: RecordedPanel) -> list[Spot]:
    """Return what the curves say over each point of the axis: means, and two standard errors where they were measured."""

    def value(curve: RecordedCurve, k: int) -> str:
        mean, spread = fraction(curve.mean[k]), curve.two_se[k] if curve.two_se else None
        if curve.band:
            low, high = (decimal(fraction(end[k]), digits=4) for end in curve.band)
            return f"{plain(curve.label)} {decimal(mean, digits=4)} [{low}, {high}]"
        shown = decimal(mean, digits=4) if spread is None else with_spread(mean, fraction(spread))
        return f"{plain(curve.label)} {shown}"

    return [
        Spot(
            f"{plain(panel.title)}, {plain(panel.xlabel)} = {decimal(fraction(x), digits=5)}: "
            + "; ".join(value(curve, k) for curve in panel.curves),
            float(fraction(x)),
            tuple(float(fraction(curve.mean[k])) for curve in panel.curves),
        )
        for k, x in enumerate(panel.x)
    ]


def plain(label: str) -> str:
    """Return a label without the marks of its formulas."""
    return label.replace("$", "")


def lines(place: Any, panel: RecordedPanel) -> None:
    """Draw curves over one axis, with bands of two standard errors or those that are given; references are thin and
    grey, marks are single points.

    What is zero has no logarithm: a curve comes up from below where it begins to be more.
    """
    x = floats(panel.x)
    for axis, scale in zip("xy", panel.scales, strict=True):
        if scale != "linear":
            getattr(place, f"set_{axis}scale")("log", base=int(scale[3:]))
    k = 0
    for curve in panel.curves:
        mean = floats(curve.mean)
        if curve.role == "reference":
            place.plot(x, mean, DASHES[1 + k % 3], color=INK, linewidth=1, alpha=0.55, label=curve.label)
            k += 1
            continue
        number = sum(other.role == "data" for other in panel.curves[: panel.curves.index(curve)])
        colour = COLOURS[number % len(COLOURS)]
        marker = "o" if len(x) <= 12 else None
        place.plot(
            x,
            mean,
            DASHES[number % 4],
            color=colour,
            label=curve.label,
            marker=marker,
            markersize=4,
            clip_on=marker is None,
        )
        if curve.band:
            low, high = map(floats, curve.band)
        else:
            spread = floats(curve.two_se or ())
            low, high = ([m + sign * s for m, s in zip(mean, spread, strict=True)] for sign in (-1, 1))
        if panel.scales[1] != "linear":
            low = [max(value, 0.5 * m) for value, m in zip(low, mean, strict=True)]
        place.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
    for mark in panel.marks:
        place.plot(floats(mark.x), floats(mark.y), "D", color=INK, markersize=5, label=mark.label, zorder=5)
    if panel.scales[0] == "linear":
        place.locator_params(axis="x", nbins=5)  # so that long numbers keep apart
    if panel.scales[1] == "linear":
        place.set_ylim(0, None)
    else:
        every = [value for curve in panel.curves for value in floats(curve.mean)]
        if min(every) <= 0:
            place.set_ylim(bottom=max(min((value for value in every if value > 0), default=1.0), max(every) / 1e5))


def legends(drawing: Any, places: Sequence[Any], rows: int, columns: int) -> None:
    """Write what the curves are, below the panels, where no curve runs: once if all panels have the same, else for
    each panel.

    The figure grows by the lines that this takes.
    """
    entries = [place.get_legend_handles_labels() for place in places]
    if not entries:
        return
    same = all(labels == entries[0][1] for _, labels in entries)
    if same:
        handles, labels = entries[0]
        beside, deep = arranged(labels, (ACROSS + 4) * columns)
        drawing.legend(handles, labels, loc="outside lower center", ncols=beside, fontsize=SMALL)
        rows = 1
    else:
        deep = 0
        for place, (handles, labels) in zip(places, entries, strict=True):
            beside, lines_ = arranged(labels, ACROSS)
            place.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=beside, fontsize=SMALL)
            deep = max(deep, lines_)
    drawing.set_figheight(drawing.get_figheight() + LINE * deep * rows)


def arranged(labels: Sequence[str], across: int) -> tuple[int, int]:
    """Return how many entries of a legend stand side by side in ``across`` letters, and on how many lines."""
    longest = max(len(plain(label)) for label in labels) + 8  # its piece of line, and the space between two
    beside = max(1, min(len(labels), across // longest))
    return beside, -(-len(labels) // beside)


def scatter(place: Any, panel: RecordedPanel) -> None:
    """Draw the points of ten classes, each class named at its median, and the cuts of the grid."""
    for digit, colour in enumerate(TEN):
        xs, ys = ([float(point[axis]) for point in panel.points if point[2] == digit] for axis in (0, 1))
        place.plot(xs, ys, ".", color=colour, markersize=2.5, alpha=0.6, rasterized=True)
        place.text(median(xs), median(ys), str(digit), ha="center", va="center", fontsize=13, weight="bold")
    for cut in floats(panel.cuts[0]):
        place.axvline(cut, color=INK, linestyle="--", linewidth=0.8, alpha=0.6)
    for cut in floats(panel.cuts[1]):
        place.axhline(cut, color=INK, linestyle="--", linewidth=0.8, alpha=0.6)
    place.grid(visible=False)


def matrix(place: Any, panel: RecordedPanel) -> None:
    """Draw shares as shaded cells, with their values in them and the mean of each row at the right."""
    rows = [floats(row) for row in panel.rows]
    place.imshow(rows, cmap="Blues", vmin=0, vmax=1.25, aspect="auto")
    for k, row in enumerate(rows):
        for s, value in enumerate(row):
            shown = f"{value:.2f}".removeprefix("0")
            place.text(s, k, shown, ha="center", va="center", fontsize=8, color=ON_BLUE)
        place.text(len(row) - 0.3, k, f"{sum(row) / len(row):.2f}", ha="left", va="center", fontsize=9)
    place.set_xticks(range(len(rows[0])))
    place.set_yticks(range(len(rows)), [str(k + 1) for k in range(len(rows))])
    place.grid(visible=False)


KINDS = {"lines": lines, "scatter": scatter, "matrix": matrix}
