"""Trees of boxes over the pairs of models of a chart (FORMAT.md, rule ``pairs``), split where they show least.

The kernel's trees are matched with these by their order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pomgcheck.search.exact.boxes import Box
from pomgcheck.search.exact.forms import Floats
from pomgcheck.search.pairs import Chart

BATCH = 200  # boxes split at once
SAMPLES = 400  # points at which a chart is looked at first
FINEST = 2.0**-30  # of its axes, the size of a box that is not split further

Evaluate = Callable[[Floats], Floats]  # points -> the ratio there, or a lower bound of it
Examine = Callable[[Floats, Floats, float], tuple[Floats, Floats]]  # ends of boxes, most -> what each shows, at most
# that and -1 for nothing; and the slack at ``most``, negative as far as it is not shown


class BoxTree:
    """A tree has boxes of one chart, split until each shows ``target`` or the budget of leaves ends."""

    def __init__(self, chart: Chart, evaluate: Evaluate, examine: Examine) -> None:
        self.chart, self.evaluate, self.examine = chart, evaluate, examine
        self.axes = chart.axes
        self.low = np.array([[float(chart.box[a][0]) for a in self.axes]])
        self.high = np.array([[float(chart.box[a][1]) for a in self.axes]])
        self.whole = np.array([float(chart.box[a][1] - chart.box[a][0]) or 1.0 for a in self.axes])
        self.nodes: list[Any] = [None]  # (axis, below, above) or None
        self.leaf = [0]  # node of each open box
        self.value = self.slack = np.full(1, -1.0)

    @np.errstate(all="ignore")  # what is not a number is not shown
    def lowest(self, rng: np.random.Generator) -> list[tuple[float, Floats]]:
        """Return low values met at points of the chart, least first: one anywhere and one of equal models, each looked
        for at random places, ends of axes among them, and then nearer and nearer."""
        d, span = len(self.axes), self.high - self.low
        kinds = rng.integers(0, 4, (SAMPLES, d))
        places = np.where(kinds == 0, 0.0, np.where(kinds == 1, 1.0, rng.random((SAMPLES, d))))
        found = []
        for among in (lambda x: x, self._diagonal):
            best, where = np.inf, self.low[0]
            for scale in (1.0, 0.3, 0.1, 0.03, 0.01, 0.003):
                near = where + scale * span * rng.uniform(-1, 1, (200, d))
                points = among(self.low + places * span if scale == 1 else np.clip(near, self.low, self.high))
                if len(points):
                    values = self.evaluate(points)
                    n = int(np.argmin(np.where(np.isfinite(values), values, np.inf)))
                    if values[n] < best:
                        best, where = float(values[n]), points[n]
            found.append((best, where))
        return sorted(found, key=lambda x: x[0])

    def _diagonal(self, points: Floats) -> Floats:
        """Return the same points with equal models."""
        if self.chart.step is None:
            return points[:0]
        out = points.copy()
        out[:, self.axes.index(self.chart.step[0])] = out[:, self.axes.index(self.chart.step[1])]
        return out

    @np.errstate(all="ignore")
    def grow(self, target: float, leaves: int) -> float:
        """Split boxes, the worst first, until every leaf shows the target, there are so many leaves, or one is as small
        as boxes get and still shows less; return what the worst one shows."""
        self.value, self.slack = self.examine(self.low, self.high, target)
        while True:
            short = np.flatnonzero(self.value < target)
            chosen = short[np.lexsort((self.slack[short], self.value[short]))[:BATCH]]
            finest = ((self.high - self.low)[short] <= FINEST * self.whole).all(1)
            if not len(short) or finest.any() or len(self.value) + len(chosen) > leaves:
                return float(self.value.min())
            self._split(chosen, target)

    def smaller(self, target: float) -> BoxTree:
        """Return a tree for a target that this one shows, grown for that target alone where this takes fewer leaves:
        what was split on the way to more than the target is not needed."""
        other = BoxTree(self.chart, self.evaluate, self.examine)
        return other if other.grow(target, len(self.value) - 1) >= target else self

    def _split(self, chosen: Any, target: float) -> None:
        self.nodes = [*self.nodes]  # a copy of the tree keeps its own
        low, high = self.low[chosen], self.high[chosen]
        n, lower, upper = len(chosen), [], []
        for axis in range(len(self.axes)):
            middle = (low[:, axis] + high[:, axis]) / 2
            below, above = high.copy(), low.copy()
            below[:, axis], above[:, axis] = middle, middle
            lower += [low, above]
            upper += [below, high]
        values, slack = self.examine(np.vstack(lower), np.vstack(upper), target)
        options = [
            (values[k : k + 2 * n], slack[k : k + 2 * n], upper[k // n], lower[k // n + 1])
            for k in range(0, len(values), 2 * n)
        ]
        missing = np.stack([np.minimum(x, 0).reshape(2, n).sum(0) for _, x, _, _ in options])
        missing = np.where(np.isfinite(missing), missing, -1e300)
        relative = ((high - low) / self.whole).T
        missing = np.where(relative > FINEST, missing, -np.inf)
        best = np.lexsort((relative, missing), axis=0)[-1]
        kept = np.ones(len(self.value), dtype=bool)
        kept[chosen] = False
        lows, highs, shown, slacks = [self.low[kept]], [self.high[kept]], [self.value[kept]], [self.slack[kept]]
        nodes: list[int] = []
        for k, axis in enumerate(best):
            values, slack, below, above = options[axis]
            left, right = len(self.nodes), len(self.nodes) + 1
            self.nodes[self.leaf[chosen[k]]] = (self.axes[axis], left, right)
            self.nodes += [None, None]
            nodes += [left, right]
            lows += [low[k : k + 1], above[k : k + 1]]
            highs += [below[k : k + 1], high[k : k + 1]]
            shown.append(values[[k, n + k]])
            slacks.append(slack[[k, n + k]])
        self.leaf = [x for x, keep in zip(self.leaf, kept, strict=True) if keep] + nodes
        self.low, self.high = np.vstack(lows), np.vstack(highs)
        self.value, self.slack = np.concatenate(shown), np.concatenate(slacks)

    def evidence(self, leaf: Callable[[int], Any] = lambda _: ["box"]) -> Any:
        """Return the tree with exact cuts; ``leaf`` writes the leaf with a place in the arrays."""
        places = {node: n for n, node in enumerate(self.leaf)}

        def written(node: int, box: Box) -> Any:
            if self.nodes[node] is None:
                return leaf(places[node])
            axis, left, right = self.nodes[node]
            low, high = box[axis]
            cut = (low + high) / 2
            return [
                "split",
                axis,
                str(cut),
                written(left, box | {axis: (low, cut)}),
                written(right, box | {axis: (cut, high)}),
            ]

        return written(0, self.chart.box)

    def worst(self) -> dict[str, tuple[float, float]]:
        """Return the box that shows least."""
        n = int(np.lexsort((self.slack, self.value))[0])
        return {a: (float(self.low[n, k]), float(self.high[n, k])) for k, a in enumerate(self.axes)}
