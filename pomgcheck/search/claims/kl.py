"""Brackets the largest c_KL of Assumption 3.1(e), or finds two models with one law of play and different operators."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

import numpy as np

from pomgcheck.errors import counted
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.moments import SecondMoments
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.walk import COARSE
from pomgcheck.search.exact.enclosures import TooCoarse, round_down, round_up
from pomgcheck.search.finding import Finding, Labels
from pomgcheck.search.play import Walks

SLACK = Fraction(1, 10**9)  # how far below the least ratio c is stated
MARGIN = 1 + 1e-6  # of floats
ROUNDED = 1e-12  # more than floats lose of a divergence
TINY = 1e-25  # of Delta: whether operators differ is then asked exactly
SHARP = 10**15  # a quotient is bracketed until its ends differ by less than so small a part


def quotient(play: Play, x: Any, y: Any, compared: Any) -> tuple[Fraction, Fraction]:
    """Return the ends of a bracket of KL / Delta. Raises ``TooCoarse`` where no precision that a certificate may use is
    enough."""
    bits = COARSE
    while bits <= play.finest:
        (lo, hi), (least, most) = play.divergence(x, y, bits), play.squares(x, compared, bits)
        if 0 < lo and 0 < least and (hi - lo) * SHARP < lo and (most - least) * SHARP < least:
            return Fraction(lo, most << bits), Fraction(hi, least << bits)
        bits *= 2
    raise TooCoarse


def asked(play: Play, x: Any, y: Any, world: bool) -> bool:
    """Return whether the right side of the inequality is positive, and the left side finite."""
    return play.differs(x, y[0] if world else y) and not play.divergent(x, y)


def quotients(play: Play, world: bool) -> Any:
    """Return, for every two models in the order of ``product``, a number that is at most KL / Delta; it is infinite
    where operators do not differ. Where models are many the numbers are floats with margins, and zero where floats do
    not tell."""
    second = play.second
    if not second:
        pairs = product(play.models, repeat=2)
        return np.array([0.0 if asked(play, x, y, world) else np.inf for x, y in pairs])
    unit, spread = 1 << COARSE, bounds(play, second, world)
    found = [play.logarithms(play.number[x], COARSE) for x in play.models]
    logs = np.array([[end / unit for end in each.low] for each in found])
    place = {x: k for k, x in enumerate(dict.fromkeys(x[0] for x in play.models) if world else play.models)}
    columns, rows = [place[x[0] if world else x] for x in play.models], list[Any]()
    for own, each, bound in zip(logs, found, spread, strict=True):
        most, masses = bound[columns], np.array([mass / unit for mass in each.masses])
        rows.append(np.maximum((own - logs) @ masses - ROUNDED, 0.0) / np.maximum(most, TINY))
        x = play.models[len(rows) - 1]
        for k in np.flatnonzero(most <= TINY).tolist():
            rows[-1][k] = 0.0 if asked(play, x, play.models[k], world) else np.inf
    return np.concatenate(rows)


def bounds(play: Play, second: SecondMoments, world: bool) -> Iterator[Any]:
    """Yield, for every model xi*, upper bounds of Delta by model (or world). They come from second moments and
    Minkowski's inequality, as in the kernel (``most_by_rows``), in floats with a margin."""
    others: list[Any] = list(dict.fromkeys(x[0] for x in play.models)) if world else play.models
    unit = play.scaled.W if world else play.scaled.J
    rows = {
        place: np.array(
            [
                [[e / unit for e in column] for column in second.columns(place, play.same(place)[y], states)]
                for y in others
            ]
        )
        for place, states in second.pure.items()
    }
    for x in play.models:
        whole, own = np.zeros(len(others)), others.index(x[0] if world else x)
        for place, moments in second.of(x).items():
            matrix = np.array([[m / (1 << COARSE) for m in row] for row in moments.matrix])
            moved = rows[place] - rows[place][own]  # [others, states, rows]
            means = (moved * np.matmul(matrix, moved)).sum(axis=1)
            whole += np.sqrt(np.maximum(means, 0.0)).sum(axis=1) ** 2
        yield whole * MARGIN


def converted(game: Game, walks: Walks, world: bool) -> Finding:
    """Return the finding of Assumption 3.1(e) from walks of either kind."""
    return kl_conversion(game, walks.plays, world) if walks.endings is None else by_endings(game, walks, world)


def kl_conversion(game: Game, walks: Sequence[Play], world: bool) -> Finding:
    """Return the least KL / Delta over (xi*, xi, pi), bracketed. Where models are many, only those pairs are bracketed
    for which second moments do not show that another pair has less."""
    labels = Labels(game)
    for play in walks:
        for x, y in play.of_one_law():
            if play.differs(x, y[0] if world else y):
                return Finding("refuted", "equal laws of play", witness=equal_laws(labels, play, x, y, world))
    least = [quotients(play, world) for play in walks]
    every, starts = np.concatenate(least), [0, *accumulate(map(len, least))]
    count = int(np.isfinite(every).sum())
    best: tuple[Fraction, Fraction, Play, Any, Any] | None = None
    try:
        for place in np.argsort(every, kind="stable")[:count].tolist():
            if best and every[place] >= best[0]:
                break
            p = bisect(starts, place) - 1
            play = walks[p]
            x, y = (play.models[k] for k in divmod(place - starts[p], len(play.models)))
            if asked(play, x, y, world):
                low, high = quotient(play, x, y, y[0] if world else y)
                if best is None or low < best[0]:
                    best = low, high, play, x, y
    except TooCoarse:
        return Finding("unknown", f"a divergence too small for enclosures of {Play.finest} bits")
    if best is None:
        return Finding(
            "vacuous", "no pair of models with different operators and finite divergence", evidence={"rule": "eval"}
        )
    low, high, play, x, y = best
    attained = {"xi_star": labels.xi(x), "xi": labels.xi(y), "pi": labels.policy(play.p)}
    return bracketed(low, high, attained, world, f"{counted(count, 'pair')} of models")


def by_endings(game: Game, walks: Walks, world: bool) -> Finding:
    """Return the finding of Assumption 3.1(e) by endings: the least lower end of KL / Delta, and the upper end by the
    finer endings at the pair of models that has it."""
    labels, count = Labels(game), 0
    best: tuple[Fraction, Play, Any, Any] | None = None
    for play in walks.plays:
        for x, y in product(play.models, repeat=2):
            if asked(play, x, y, world):
                count, most = count + 1, play.squares(x, y[0] if world else y, COARSE)[1]
                low = Fraction(play.least_divergence(x, y, COARSE), most << COARSE)
                if best is None or low < best[0]:
                    best = low, play, x, y
    if best is None:
        return Finding("vacuous", "no pair of models with different operators", evidence={"rule": "eval"})
    low, play, x, y = best
    finer = walks.finer[play.p]
    least = finer.squares(x, y[0] if world else y, COARSE)[0]
    if low <= 0 or not least:
        return Finding("unknown", "endings do not tell the laws of two models apart")
    high = Fraction(finer.divergence(x, y, COARSE)[1], least << COARSE)
    ends = {"endings": walks.endings[1] if walks.endings else 0}
    attained = {"xi_star": labels.xi(x), "xi": labels.xi(y), "pi": labels.policy(play.p)} | ends
    return bracketed(low, high, attained, world, f"{counted(count, 'pair')} of models, by endings")


def bracketed(low: Fraction, high: Fraction, attained: dict[str, Any], world: bool, method: str) -> Finding:
    """Return the proof of a bracket of the least KL / Delta, its lower end a trifle lower, and where it is attained."""
    name = "c_KL_world" if world else "c_KL_joint"
    values = {f"{name}_lower": str(round_down(low * (1 - SLACK))), f"{name}_upper": str(round_up(high))}
    return Finding("proved", method, values, {"rule": "log", "attained": attained})


def equal_laws(labels: Labels, play: Play, x: Any, y: Any, world: bool) -> dict[str, object]:
    """Return the realised prefix at which the operators of two models with one law of play differ most. Where they
    differ at no realised one, they differ at no pair that may follow one either (certificates/FORMAT.md, Summed
    operators)."""
    number, star, other = play.number[x], play.alike[x], play.alike[y[0] if world else y]
    places = []
    for h, node, edge in play.edges:
        state = node.states[number] if edge.after[number] else None
        if state and (norm := play.norm(h, edge.o, edge.a, star, other, state)):
            size = Fraction(norm, node.totals[number] * play.scaled.J)
            places.append((size, h, (*node.prefix, edge.o, edge.a)))
    difference, h, sequence = max(places, key=lambda place: place[0])
    return {
        "xi_star": labels.xi(x),
        "xi": labels.xi(y),
        "pi": labels.policy(play.p),
        "h": h + 1,
        "trajectory": labels.trajectory(sequence),
        "difference": str(difference),
    }
