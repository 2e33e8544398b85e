"""Draws a run record as SVG: regret, epochs, confidence sets. The same record gives the same bytes.

Lines and letters that should follow the page's ink are ``currentColor``. matplotlib is imported on the first drawing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO, StringIO
from itertools import pairwise
from math import log2
from statistics import fmean, stdev
from typing import Any, NamedTuple

from pomgcheck.learner.record import RecordedAlgorithm, RecordedEpoch, RecordedRun
from pomgcheck.reporting.blocks import Stop
from pomgcheck.reporting.numbers import decimal, fraction, with_spread

INK = "#1d1f24"  # stands for currentColor until the drawing is finished
COLOURS = ("#2a78b8", "#d05a1e", "#2f8f5b", "#a4508b", "#8a7a1f", "#5b5bd6", "#7a7f87")
DASHES = ("-", "--", "-.", ":")
ENDINGS = {"cap": "#2a78b8", "test": "#d05a1e", "horizon": "#7a7f87"}
WIDTH, HEIGHT, LINE = 5.4, 3.5, 0.22  # inches; the last a line of the legend
POINTS = 72  # to the inch: what an SVG is measured in
PRINT = 300  # dots to the inch of what a PDF holds as a picture
MANY = 4  # entries of a legend in the page's own size
LONG = 20  # characters of an entry that shares a line
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")

STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "pomgcheck",
    "font.family": ["serif"],
    "font.size": 11,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": INK,
    "grid.alpha": 0.12,
    "legend.frameon": False,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "lines.linewidth": 1.8,
    "mathtext.fontset": "dejavuserif",
}


class Svg(str):
    """This is the SVG source of a drawing that can also be had as a PDF for print; the same drawing gives the same
    bytes."""

    figure: Any  # matplotlib's

    @classmethod
    def of(cls, figure: Any, name: str, **options: Any) -> Svg:
        """Return a finished figure as SVG whose ink is the page's and whose ids begin with ``name``."""
        from matplotlib import rc_context

        text = StringIO()
        with rc_context(STYLE):
            figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None}, **options)
        made = cls(tidied(text.getvalue().replace(INK, "currentColor"), name))
        made.figure = figure
        return made

    def pdf(self) -> bytes:
        """Return the drawing as a PDF, its letters as text."""
        from matplotlib import rc_context

        data = BytesIO()
        with rc_context(STYLE | {"pdf.fonttype": 42}):
            self.figure.savefig(
                data, format="pdf", dpi=PRINT, metadata={"CreationDate": None, "Creator": None, "Producer": None}
            )
        return data.getvalue()


class Drawing(NamedTuple):
    """A drawing is SVG source, and the places in it that say their values."""

    svg: Svg
    stops: tuple[Stop, ...]


class Spot(NamedTuple):
    """This is what a place of a panel says, in the panel's own coordinates: a point of the x axis with the values of
    the curves there, or a box (left, right, bottom, top)."""

    words: str
    x: float = 0.0
    values: tuple[float, ...] = ()
    box: tuple[float, float, float, float] | None = None


def drawn(
    title: str,
    draw: Callable[[Any], Sequence[Spot]],
    *,
    name: str = "",
    xlabel: str = "data episodes t",
    listed: bool = False,
) -> Drawing:
    """Return one panel, filled in by ``draw``; its ids begin with its ``name``, or else its title.

    The legend stands below it; its entries are long where they are ``listed`` one per line.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, HEIGHT), dpi=POINTS, layout="constrained")
        panel = figure.subplots()
        panel.set_title(title)
        panel.set_xlabel(xlabel)
        spots = draw(panel)
        write_powers(panel)
        handles, labels = panel.get_legend_handles_labels()
        if listed:
            figure.set_figheight(HEIGHT + LINE * len(labels))
        size = 9 if len(labels) > MANY else 11
        figure.legend(handles, labels, loc="outside lower center", ncols=1 if listed else 3, fontsize=size)
    svg = Svg.of(figure, name or title.lower().replace(" ", "-"))
    return Drawing(svg, stops(panel, spots))


def write_powers(panel: Any) -> None:
    """Label logarithmic axes in plain letters, such as 2×10³: matplotlib takes longer to typeset an exponent than to
    draw the rest of a panel."""
    from matplotlib.ticker import LogFormatterSciNotation

    class Plain(LogFormatterSciNotation):
        def __call__(self, x: float, pos: int | None = None) -> str:
            return raised(super().__call__(x, pos))

    for axis in (panel.xaxis, panel.yaxis):
        if axis.get_scale() == "log":
            base = axis.get_transform().base
            axis.set_major_formatter(Plain(base))
            axis.set_minor_formatter(Plain(base))


def raised(formula: str) -> str:
    r"""Return what matplotlib writes as ``$\mathdefault{2\times10^{3}}$`` in plain letters: 2×10³.

    >>> raised(r"$\mathdefault{2\times10^{-13}}$")
    '2×10⁻¹³'
    """
    bare = formula.removeprefix(r"$\mathdefault{").removesuffix("}$").replace(r"\times", "×")
    return re.sub(r"\^\{(-?\d+)\}", lambda found: found[1].translate(RAISED), bare)


def stops(panel: Any, spots: Sequence[Spot]) -> tuple[Stop, ...]:
    """Return where the spots of a panel are in its finished drawing; a point of the x axis is asked anywhere above it."""
    height = panel.figure.get_figheight() * POINTS
    frame = panel.bbox

    def place(x: float, y: float) -> tuple[float, float]:
        right, up = panel.transData.transform((x, y))
        return round(float(right), 1), round(height - float(up), 1)

    def box(left: float, right: float, bottom: float, top: float) -> tuple[float, float, float, float]:
        left, right = max(left, frame.x0), min(right, frame.x1)
        return round(left, 1), round(top, 1), round(max(right - left, 1.0), 1), round(bottom - top, 1)

    columns = [place(spot.x, 1.0)[0] for spot in spots if spot.box is None]
    walls = [frame.x0, *((a + b) / 2 for a, b in pairwise(columns)), frame.x1]
    out, k = [], 0
    for spot in spots:
        if spot.box is None:
            seen = tuple(place(spot.x, value) for value in spot.values)
            area = box(walls[k], walls[k + 1], height - frame.y0, height - frame.y1)
            out.append(Stop(area, spot.words, seen))
            k += 1
        else:
            (left, bottom), (right, top) = (place(spot.box[n], spot.box[n + 2]) for n in (0, 1))
            out.append(Stop(box(left, right, bottom, top), spot.words))
    return tuple(out)


def tidied(svg: str, name: str) -> str:
    """Return one drawing among others on a page: no prologue, metadata or style sheet, and ids of its own."""
    svg = re.sub(r"\s*<metadata>.*?</metadata>|\s*<style.*?</style>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return svg.replace("<svg ", '<svg style="stroke-linejoin: round; stroke-linecap: butt" ', 1).strip()


def floats(texts: Sequence[str | None]) -> list[float]:
    """Return numbers of a record, to draw; a missing spread counts as none."""
    return [0.0 if text is None else float(fraction(text)) for text in texts]


def band(panel: Any, k: int, name: str, t: Sequence[int], mean: Sequence[float], spread: Sequence[float]) -> None:
    """Draw algorithm ``k``'s mean over seeds and two standard errors to either side."""
    low = [m - s for m, s in zip(mean, spread, strict=True)]
    high = [m + s for m, s in zip(mean, spread, strict=True)]
    colour = COLOURS[k % len(COLOURS)]
    panel.plot(t, mean, DASHES[k % len(DASHES)], color=colour, label=name)
    panel.fill_between(t, low, high, color=colour, alpha=0.2, linewidth=0)


def scale(panel: Any, t: Sequence[int], values: Sequence[float]) -> None:
    """Make an axis logarithmic: in t where that spreads the marks, and in the values where they are positive and span
    a decade."""
    if t[-1] >= 32:
        panel.set_xscale("log", base=2)
    if min(values) > 0 and max(values) >= 10 * min(values):
        panel.set_yscale("log")
    else:
        panel.set_ylim(0, None if max(values) > 0 else 1)


def regret(record: RecordedRun, per_episode: bool = False) -> Drawing:
    """Return the cumulative policy regret, or the regret per episode: mean and ±2 standard errors over the seeds."""
    t = record.t

    def draw(panel: Any) -> list[Spot]:
        curves: list[list[float]] = []
        for k, run in enumerate(record.runs):
            by = t if per_episode else [1] * len(t)
            ends = map(floats, zip(*run.summary.regret, strict=True))
            mean, spread = ([x / n for x, n in zip(end, by, strict=True)] for end in ends)
            band(panel, k, run.algorithm, t, mean, spread)
            curves.append(mean)
        scale(panel, t, [value for curve in curves for value in curve])
        return [
            Spot(f"t = {now:,}: {'; '.join(shown)}", now, tuple(curve[k] for curve in curves))
            for k, (now, shown) in enumerate(zip(t, readings(record, per_episode), strict=True))
        ]

    long = any(len(run.algorithm) > LONG for run in record.runs)
    return drawn("Policy regret per episode" if per_episode else "Policy regret", draw, listed=long)


def bounded(record: RecordedRun) -> Drawing:
    """Return the regret of data episodes beside what is proved about it and D t, the most that t of them can lose, on
    logarithmic axes."""
    t = record.t
    proved = [run for run in record.runs if run.bound]
    D = floats([proved[0].proved.parts.D])[0]

    def draw(panel: Any) -> list[Spot]:
        means = [floats([at.mean for at in run.summary.regret]) for run in record.runs]
        limits = [floats(run.proved.data) for run in proved]
        panel.set_xscale("log", base=2)
        panel.set_yscale("log", nonpositive="mask")
        for k, (run, mean) in enumerate(zip(record.runs, means, strict=True)):
            panel.plot(t, mean, DASHES[k % len(DASHES)], color=COLOURS[k % len(COLOURS)], label=run.algorithm)
        for run, limit in zip(proved, limits, strict=True):
            panel.plot(t, limit, color=INK, linewidth=1, label=f"bound of {run.algorithm}")
        panel.plot(t, [D * now for now in t], ":", color=INK, linewidth=1, alpha=0.6, label="D t")
        floor = panel.get_ylim()[0]
        proofs = [
            "; at most " + " and ".join(decimal(fraction(run.proved.data[k]), "up") for run in proved)
            for k in range(len(t))
        ]
        curves = [*means, *limits]
        return [
            Spot(f"t = {now:,}: {'; '.join(shown)}{proofs[k]}", now, tuple(max(curve[k], floor) for curve in curves))
            for k, (now, shown) in enumerate(zip(t, readings(record), strict=True))
        ]

    return drawn("Policy regret and its bound", draw)


def readings(record: RecordedRun, per_episode: bool = False) -> list[list[str]]:
    """Return each algorithm's regret at each recorded t, mean and two standard errors over the seeds, to read."""

    def reading(run: RecordedAlgorithm, k: int, now: int) -> str:
        by = now if per_episode else 1
        mean, two_se = run.summary.regret[k]
        value = fraction(mean) / by
        shown = decimal(value, digits=5) if two_se is None else with_spread(value, fraction(two_se) / by)
        return f"{run.algorithm} {shown}"

    return [[reading(run, k, now) for run in record.runs] for k, now in enumerate(record.t)]


def epochs_started(record: RecordedRun) -> Drawing:
    """Return the epochs started by each t, mean and ±2 standard errors over the seeds, beside log2(2t)."""
    t = record.t

    def draw(panel: Any) -> list[Spot]:
        means = []
        for k, run in enumerate(record.runs):
            counts = [[seed.started[place] for seed in run.seeds] for place in range(len(t))]
            two_se = [2 * stdev(column) / len(column) ** 0.5 if len(column) > 1 else 0.0 for column in counts]
            means.append(list(map(fmean, counts)))
            band(panel, k, run.algorithm, t, means[-1], two_se)
        panel.plot(t, [log2(2 * now) for now in t], color=INK, linewidth=1, alpha=0.6, label="log₂(2t)")
        most = max(max(seed.started) for run in record.runs for seed in run.seeds)
        scale(panel, t, [1.0, float(most)] if most > 20 * log2(2 * t[-1]) else [0.0, 1.0])
        if panel.get_yscale() == "linear":
            panel.locator_params(axis="y", integer=True)
        names = [run.algorithm for run in record.runs]
        return [
            Spot(f"t = {now:,}: {'; '.join(f'{a} {x:.4g}' for a, x in zip(names, here, strict=True))}", now, here)
            for now, here in ((now, tuple(curve[k] for curve in means)) for k, now in enumerate(t))
        ]

    return drawn("Epochs started", draw)


def timeline(record: RecordedRun, played: Sequence[RecordedEpoch]) -> Drawing:
    """Return one bar per epoch, in the row of its policy and coloured by how it ended; a mark stands before it where
    it was warmed up."""
    policies = sorted({epoch.policy for epoch in played}, reverse=True)

    def draw(panel: Any) -> list[Spot]:
        rows = [policies.index(epoch.policy) for epoch in played]
        bars = [(epoch.start + 0.5, epoch.start + epoch.episodes + 0.5) for epoch in played]
        for ending, colour in ENDINGS.items():
            here = [k for k, epoch in enumerate(played) if epoch.ended == ending]
            if here:
                panel.barh(
                    [rows[k] for k in here],
                    [bars[k][1] - bars[k][0] for k in here],
                    left=[bars[k][0] for k in here],
                    label=f"ended by {ending}",
                    height=0.6,
                    color=colour,
                    edgecolor=INK,
                    linewidth=0.4,
                )
        warmed = [k for k, epoch in enumerate(played) if epoch.warmup]
        if warmed:
            panel.plot(
                [bars[k][0] for k in warmed],
                [rows[k] + 0.42 for k in warmed],
                "v",
                color=INK,
                markersize=5,
                linestyle="none",
                label="warm-up",
                clip_on=False,
            )
        scale(panel, record.t, [0.0, 1.0])
        panel.set_yticks(range(len(policies)), policies)
        free = max(0, 4 - len(policies)) / 2  # few rows stand in the middle
        panel.set_ylim(-0.7 - free, len(policies) - 0.3 + free)
        panel.grid(axis="y", visible=False)
        return [
            Spot(told(epoch), box=(*bar, row - 0.3, row + 0.3))
            for epoch, bar, row in zip(played, bars, rows, strict=True)
        ]

    return drawn("Epochs by policy", draw)


def told(epoch: RecordedEpoch) -> str:
    """Return one epoch in words: ``Epoch 3: patrol, episodes 4 to 7, ended by cap, 1 episode of warm-up before it``."""
    first, last = epoch.start + 1, epoch.start + epoch.episodes
    span = f"episode {first:,}" if first == last else f"episodes {first:,} to {last:,}"
    warmup = epoch.warmup
    before = f", {warmup} episode{'s' if warmup > 1 else ''} of warm-up before it" if warmup else ""
    return f"Epoch {epoch.e}: {epoch.policy}, {span}, ended by {epoch.ended}{before}"


def confidence_sets(record: RecordedRun, traces: Mapping[str, Sequence[RecordedEpoch]]) -> Drawing:
    """Return how many models the confidence set held at the start of each epoch, one seed per algorithm."""

    def draw(panel: Any) -> list[Spot]:
        spots: dict[int, list[tuple[str, int, int]]] = {}
        for k, (name, epochs) in enumerate(traces.items()):
            starts, counts = [e.start + 1 for e in epochs], [e.models_inside or 0 for e in epochs]
            panel.plot(
                [*starts, record.episodes],
                [*counts, counts[-1]],
                DASHES[k % len(DASHES)],
                label=name,
                color=COLOURS[k % len(COLOURS)],
                drawstyle="steps-post",
            )
            for epoch, start, count in zip(epochs, starts, counts, strict=True):
                spots.setdefault(start, []).append((name, epoch.e, count))
        scale(panel, record.t, [0.0, 1.0])
        panel.set_ylim(0, None)
        panel.locator_params(axis="y", integer=True)
        return [
            Spot(
                f"Episode {start:,}: "
                + "; ".join(f"{name} epoch {e}, {n} model{'s' if n > 1 else ''}" for name, e, n in here),
                start,
                tuple(float(n) for *_, n in here),
            )
            for start, here in sorted(spots.items())
        ]

    return drawn("Models in the confidence set", draw)
