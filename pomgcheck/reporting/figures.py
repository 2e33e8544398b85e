"""Drawings of a run record as SVG: regret, regret per episode, epochs. The same record gives the same bytes.

Lines and letters that should follow the page's ink are ``currentColor``. matplotlib is imported on the first drawing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from io import BytesIO, StringIO
from math import log2
from statistics import fmean, stdev
from typing import Any

from pomgcheck.reporting.numbers import fraction

INK = "#1d1f24"  # stands for currentColor until the drawing is finished
COLOURS = ("#2a78b8", "#d05a1e", "#2f8f5b", "#a4508b", "#8a7a1f", "#5b5bd6", "#7a7f87")
DASHES = ("-", "--", "-.", ":")
ENDINGS = {"cap": "#2a78b8", "test": "#d05a1e", "horizon": "#7a7f87"}
WIDTH, HEIGHT, LINE = 5.4, 3.5, 0.22  # inches; the last a line of the legend
PRINT = 300  # dots to the inch of what a PDF holds as a picture
MANY = 4  # entries of a legend in the page's own size

STYLE: Any = {
    "svg.fonttype": "none", "svg.hashsalt": "pomgcheck", "font.family": ["serif"], "font.size": 11, "text.color": INK,
    "axes.edgecolor": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "grid.color": INK, "grid.alpha": 0.12, "legend.frameon": False,
    "axes.titlesize": 11, "axes.titlelocation": "left", "lines.linewidth": 1.8, "mathtext.fontset": "dejavuserif",
}  # fmt: skip

Run = Mapping[str, Any]


class Svg(str):
    """SVG source of a drawing that can also be had as a PDF for print; the same drawing gives the same bytes."""

    figure: Any  # matplotlib's

    def pdf(self) -> bytes:
        """The drawing as a PDF, its letters as text."""
        from matplotlib import rc_context

        data = BytesIO()
        with rc_context(STYLE | {"pdf.fonttype": 42}):
            self.figure.savefig(data, format="pdf", dpi=PRINT, metadata={"CreationDate": None, "Creator": None,
                                                                         "Producer": None})  # fmt: skip
        return data.getvalue()


def both(svg: str, figure: Any) -> Svg:
    """A drawing's SVG with what it was drawn from."""
    made = Svg(svg)
    made.figure = figure
    return made


def drawn(title: str, draw: Callable[[Any], None], *, name: str = "", xlabel: str = "data episodes t",
          listed: bool = False) -> Svg:  # fmt: skip
    """The SVG of one panel, filled in by ``draw``; its ids begin with its ``name``, or else its title.

    The legend stands below it; its entries are long where they are ``listed`` one a line.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    text = StringIO()
    with rc_context(STYLE):
        figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
        panel = figure.subplots()
        panel.set_title(title)
        panel.set_xlabel(xlabel)
        draw(panel)
        handles, labels = panel.get_legend_handles_labels()
        if listed:
            figure.set_figheight(HEIGHT + LINE * len(labels))
        size = 9 if len(labels) > MANY else 11
        figure.legend(handles, labels, loc="outside lower center", ncols=1 if listed else 3, fontsize=size)
        figure.savefig(text, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = tidied(text.getvalue().replace(INK, "currentColor"), name or title.lower().replace(" ", "-"))
    return both(svg, figure)


def tidied(svg: str, name: str) -> str:
    """One drawing among others on a page: no prologue, metadata or style sheet, and ids of its own."""
    svg = re.sub(r"\s*<metadata>.*?</metadata>|\s*<style.*?</style>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", svg)
    return svg.replace("<svg ", '<svg style="stroke-linejoin: round; stroke-linecap: butt" ', 1).strip()


def floats(texts: Sequence[str | None]) -> list[float]:
    """Numbers of a record, to draw; a missing spread is none."""
    return [0.0 if text is None else float(fraction(text)) for text in texts]


def band(panel: Any, k: int, name: str, t: Sequence[int], mean: Sequence[float], spread: Sequence[float]) -> None:
    """Algorithm ``k``'s mean over seeds and two standard errors to either side."""
    low = [m - s for m, s in zip(mean, spread, strict=True)]
    high = [m + s for m, s in zip(mean, spread, strict=True)]
    colour = COLOURS[k % len(COLOURS)]
    panel.plot(t, mean, DASHES[k % len(DASHES)], color=colour, label=name)
    panel.fill_between(t, low, high, color=colour, alpha=0.2, linewidth=0)


def scale(panel: Any, t: Sequence[int], values: Sequence[float]) -> None:
    """Logarithmic in t where that spreads the marks, and in the values where they are positive and span a decade."""
    if t[-1] >= 32:
        panel.set_xscale("log", base=2)
    if min(values) > 0 and max(values) >= 10 * min(values):
        panel.set_yscale("log")
    else:
        panel.set_ylim(0, None if max(values) > 0 else 1)


def regret(record: Run, per_episode: bool = False) -> str:
    """Cumulative policy regret, or regret per episode: mean and ±2 standard errors over the seeds."""
    t = record["t"]

    def draw(panel: Any) -> None:
        values: list[float] = []
        for k, run in enumerate(record["runs"]):
            total = run["summary"]["regret"]
            by = t if per_episode else [1] * len(t)
            mean, spread = ([x / n for x, n in zip(floats(total[end]), by, strict=True)] for end in ("mean", "two_se"))
            band(panel, k, run["algorithm"], t, mean, spread)
            values += mean
        scale(panel, t, values)

    return drawn("Policy regret per episode" if per_episode else "Policy regret", draw)


def epochs_started(record: Run) -> str:
    """Epochs started by each t, mean and ±2 standard errors over the seeds, beside log2(2t)."""
    t = record["t"]

    def draw(panel: Any) -> None:
        for k, run in enumerate(record["runs"]):
            counts = [[seed["started"][place] for seed in run["seeds"]] for place in range(len(t))]
            two_se = [2 * stdev(column) / len(column) ** 0.5 if len(column) > 1 else 0.0 for column in counts]
            band(panel, k, run["algorithm"], t, list(map(fmean, counts)), two_se)
        panel.plot(t, [log2(2 * now) for now in t], color=INK, linewidth=1, alpha=0.6, label="log₂(2t)")
        most = max(max(seed["started"]) for run in record["runs"] for seed in run["seeds"])
        scale(panel, t, [1.0, float(most)] if most > 20 * log2(2 * t[-1]) else [0.0, 1.0])
        if panel.get_yscale() == "linear":
            panel.locator_params(axis="y", integer=True)

    return drawn("Epochs started", draw)


def timeline(record: Run, played: Sequence[Mapping[str, Any]]) -> str:
    """One bar an epoch, in the row of its policy, coloured by how it ended."""
    policies = sorted({epoch["policy"] for epoch in played}, reverse=True)

    def draw(panel: Any) -> None:
        for ending, colour in ENDINGS.items():
            here = [epoch for epoch in played if epoch["ended"] == ending]
            if here:
                panel.barh([policies.index(e["policy"]) for e in here], [e["episodes"] for e in here],
                           left=[e["start"] + 0.5 for e in here], label=f"ended by {ending}",
                           height=0.6, color=colour, edgecolor=INK, linewidth=0.4)  # fmt: skip
        scale(panel, record["t"], [0.0, 1.0])
        panel.set_yticks(range(len(policies)), policies)
        panel.set_ylim(-0.7, max(len(policies), 4) - 0.3)
        panel.grid(axis="y", visible=False)

    return drawn("Epochs by policy", draw)
