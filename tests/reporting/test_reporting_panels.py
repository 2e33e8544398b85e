"""Drawings of experiments: what stands where, measured in the finished figure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pomgcheck.experiments.record import ExperimentRecord
from pomgcheck.reporting.drawings import panels

KEPT = Path(__file__).parents[2] / "reports" / "experiments"
FIGURES = {
    f"{path.name.partition('.')[0]} {figure.name}": figure
    for path in sorted(KEPT.glob("*.experiment.json"))
    for figure in ExperimentRecord.load(path).content.figures
}
LINES = [name for name, figure in FIGURES.items() if any(panel.kind == "lines" for panel in figure.panels)]


def legends(figure: Any) -> list[Any]:
    """The figure's own and those of its panels."""
    own = (place.get_legend() for place in figure.axes)
    return [*figure.legends, *(legend for legend in own if legend is not None)]


@pytest.mark.parametrize("name", LINES)
def test_a_legend_lies_over_nothing(name: str) -> None:
    """Each is inside the figure, and outside every panel, every axis with its label, and every other legend."""
    figure = panels.svg(FIGURES[name]).svg.figure
    boxes = [legend.get_window_extent() for legend in legends(figure)]
    assert boxes
    seen = [place for place in figure.axes if place.get_visible()]
    others = [
        x
        for place in seen
        for x in (
            place.get_window_extent(),
            place.xaxis.get_tightbbox(),
            place.yaxis.get_tightbbox(),
            place.title.get_window_extent(),
        )
    ]
    for k, box in enumerate(boxes):  # a layout is exact to some tenths of a point
        assert figure.bbox.x0 - 1 <= box.x0 < box.x1 <= figure.bbox.x1 + 1
        assert figure.bbox.y0 - 1 <= box.y0 < box.y1 <= figure.bbox.y1 + 1
        assert [] == [other for other in (*others, *boxes[:k]) if box.overlaps(other)]


@pytest.mark.parametrize("name", LINES)
def test_a_legend_has_every_curve_and_stands_once_where_panels_agree(name: str) -> None:
    """One for all panels of the same curves; else one a panel."""
    figure = panels.svg(FIGURES[name]).svg.figure
    wanted = [[curve.label for curve in panel.curves] for panel in FIGURES[name].panels]
    found = [[text.get_text() for text in legend.get_texts()] for legend in legends(figure)]
    assert (wanted[:1] if all(labels == wanted[0] for labels in wanted) else wanted) == found
