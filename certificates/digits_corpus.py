"""Makes the gallery's class ``digits`` from scikit-learn's corpus: handwritten digits against an opponent who chooses the
digit.

The package has what ``build`` makes as a document (pomgcheck/gallery/documents/digits.json).
The channel is that of the paper's third experiment: an image is seen as one of 16 cells, the quartile grid of two
principal components.  Which two is the unknown of the world; how sharply the opponent leans towards the digits a
rule gets wrong is the unknown of the response.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random
from typing import Any

CAMERAS = (12, 13, 23)  # the two components seen: 13 is the first and the third
CLASSES = range(10)
CELLS = range(16)
DIGITS = [str(digit) for digit in CLASSES]
SHOWN = [f"d{digit}" for digit in CLASSES]
STATES = ["start", *SHOWN, "right", "wrong"]
OBSERVATIONS = ["start", *(f"c{cell + 1:02d}" for cell in CELLS), "right", "wrong"]
BITS = 40  # the softmax tilt is rounded to multiples of 2^-40
SEED = 0  # of the worn rules

Grid = list[list[int]]  # images counted by [class][cell]
Rule = list[int]  # the digit named on each cell


def build() -> dict[str, Any]:
    """Return the model class, in authoring form, from ``sklearn.datasets.load_digits``."""
    counts = dict(zip(CAMERAS, _counts(), strict=True))
    channels = {camera: _channel(grid) for camera, grid in counts.items()}
    rules: dict[str, Rule] = {}
    draw = Random(SEED).random
    for camera in CAMERAS:
        rules[f"rule-{camera}"] = _majority(counts[camera])
        rules[f"worn-{camera}"] = [_worn(digit, draw(), draw()) for digit in rules[f"rule-{camera}"]]
    return _document(channels, rules)


def _counts() -> list[Grid]:
    """Return images by class and cell, one grid per camera.

    A component's sign makes its largest loading positive. Its cuts are the 450th, 899th and 1348th of the 1797 sorted
    coordinates (the exact quartiles), and a cut belongs to the bin above it; no other image lies within 1e-4 of a cut,
    so rounding in the linear algebra cannot move one.
    """
    import numpy as np
    from sklearn.datasets import load_digits

    corpus = load_digits()
    pixels = corpus.data.astype(np.int64)
    total = pixels.sum(0)
    scatter = len(pixels) * pixels.T @ pixels - np.outer(total, total)  # n^2 times the covariance, in integers
    axes = np.linalg.eigh(scatter.astype(float))[1][:, :-4:-1]
    axes *= np.sign(axes[np.abs(axes).argmax(0), range(3)])
    coordinates = pixels @ axes
    cuts = np.sort(coordinates, axis=0)[[449, 898, 1347]]
    bins = [np.searchsorted(cuts[:, k], coordinates[:, k], side="right") for k in range(3)]
    grids = []
    for first, second in ((0, 1), (0, 2), (1, 2)):
        grid = np.zeros((10, 16), dtype=int)
        np.add.at(grid, (corpus.target, 4 * bins[first] + bins[second]), 1)
        grids.append(grid.tolist())
    return grids


def _channel(grid: Grid) -> list[list[Fraction]]:
    """Return P(cell | class): counts plus one, so that every cell can show every class."""
    return [[Fraction(count + 1, sum(row) + len(row)) for count in row] for row in grid]


def _majority(grid: Grid) -> Rule:
    """Return the commonest class of each cell, in a tie the smaller one."""
    return [max(CLASSES, key=lambda digit: grid[digit][cell]) for cell in CELLS]


def _worn(digit: int, fate: float, replacement: float) -> int:
    """Return ``digit``, or with probability 1/2 a uniformly random digit in its place; both draws are uniform on [0,
    1)."""
    return int(10 * replacement) if fate < 0.5 else digit


def _tilt(channel: list[list[Fraction]], rule: Rule) -> list[Fraction]:
    """Return the classes weighed by exp(2 error), where error is that of the rule on each class under ``channel``;
    they are rounded to sum to one."""
    errors = [sum(channel[digit][cell] for cell in CELLS if rule[cell] != digit) for digit in CLASSES]
    with localcontext() as context:
        context.prec = 50
        weights = [(2 * Decimal(error.numerator) / error.denominator).exp() for error in errors]
        scaled = [weight / sum(weights) * 2**BITS for weight in weights]
        units = [int(x) for x in scaled]
        largest = sorted(CLASSES, key=lambda digit: units[digit] - scaled[digit])
    for digit in largest[: 2**BITS - sum(units)]:
        units[digit] += 1
    return [Fraction(unit, 2**BITS) for unit in units]


def _through(values: list[Fraction]) -> str:
    """Return Newton's polynomial in ``camera`` through one value per camera."""
    first, second, third = values
    slope = second - first
    bend = (third - first - 11 * slope) / 110
    return f"{first}+({slope})*(camera-12)+({bend})*(camera-12)*(camera-13)"


def _successor(state: str, named: str, chosen: str) -> str:
    """Return what follows: the digit chosen is shown, then the rule's digit is judged, and the verdict stays."""
    if state == "start":
        return f"d{chosen}"
    if state in SHOWN:
        return "right" if state == f"d{named}" else "wrong"
    return state


def _emission(state: str, channels: dict[int, list[list[Fraction]]]) -> list[str]:
    """Return what the learner sees at a state, in ``camera``."""
    if state not in SHOWN:
        return _one(state, OBSERVATIONS)
    digit = SHOWN.index(state)
    seen = [_through([channels[camera][digit][cell] for camera in CAMERAS]) for cell in CELLS]
    return ["0", *seen, "0", "0"]


def _policy(rule: Rule) -> list[list[str]]:
    """Return the policy of a rule: the name "0" stands where nothing hangs on it, before the image and after the
    verdict."""
    return [_one(str(digit), DIGITS) for digit in (0, *rule, 0, 0)]


def _answer(rule: Rule, channel: list[list[Fraction]]) -> dict[str, Any]:
    """Return the opponent's answer to a rule; its only choice that matters is the first, the digit to be shown."""
    tilted = [f"1/10+tilt/2*({p}-1/10)" for p in _tilt(channel, rule)]
    uniform = [["1/10"] * 10]
    return {"steps": [[tilted], uniform, uniform]}


def _document(channels: dict[int, list[list[Fraction]]], rules: dict[str, Rule]) -> dict[str, Any]:
    opened = [_emission(state, channels) for state in STATES]
    blank = _one("start", OBSERVATIONS)  # at the first step the camera is still shut
    shut = [blank if state in SHOWN else row for state, row in zip(STATES, opened, strict=True)]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "digits",
        "description": "The opponent picks a digit; an image of it is seen as one of 16 cells, the quartile grid of "
        "two principal components (camera 13: the first and the third); the learner's rule names a "
        "digit and is paid when right. Unknown: the camera, and how sharply the opponent leans to the "
        "digits the last four rules get wrong (tilt).",
        "source": "scikit-learn load_digits: 1797 images of the UCI optical recognition of handwritten digits test set",
        "game": {
            "horizon": 3,
            "states": STATES,
            "learner_actions": DIGITS,
            "adversary_actions": DIGITS,
            "learner_observations": OBSERVATIONS,
            "adversary_observations": ["blind"],
            "reward": _one("right", OBSERVATIONS),
        },
        "worlds": {
            "parameters": {"camera": {"values": [str(camera) for camera in CAMERAS]}},
            "initial": _one("start", STATES),
            "transition": [[[_one(_successor(s, a, b), STATES) for b in DIGITS] for a in DIGITS] for s in STATES],
            "learner_emission": {"steps": [shut, opened, opened]},
            "adversary_emission": [["1"] for _ in STATES],
        },
        "responses": {
            "parameters": {"tilt": {"values": ["0", "2"]}},
            "memory": 4,
            "block_rule": "mean",
            "window": 1,
            "table": {name: _answer(rule, channels[CAMERAS[0]]) for name, rule in rules.items()},
        },
        "policies": {"window": 1, "list": {name: _policy(rule) for name, rule in rules.items()}},
        "truth": {"worlds": {"camera": "13"}, "responses": {"tilt": "2"}},
    }


def _one(label: str, labels: list[str]) -> list[str]:
    """Return the row that is sure of ``label``."""
    return [str(int(other == label)) for other in labels]
