"""Certifying the gallery: the whole command, search and kernel apart, and the search for alpha against the plain way.

    python benchmarks/certify.py

Targets: patrol in 3 seconds and digits in 30, the command as a user types it; the search for alpha at least 100 times
faster than one cvxpy problem for each (theta, theta', Phi, pi, h, o, a), with the same certified value, on patrol, tiger
and three classes drawn at random.
"""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import cvxpy
import numpy as np

from benchmarks.learner import timed
from certificates.regenerate import CERTIFICATES
from pomgcheck import gallery
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.game import Game, World
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from pomgcheck.search.claims.weak_revealing import weak_revealing
from pomgcheck.search.exact.tables import Tables

TOLERANCE = Fraction(1, 10**6)
LEAST_OF = 5  # runs of some milliseconds, which other processes disturb


def command(stem: str) -> None:
    """``pomgcheck certify`` in a process of its own."""
    name, options = CERTIFICATES[stem]
    words = ["certify", name, *(f"--{key}={value}" for key, value in options.items())]
    with TemporaryDirectory() as folder:
        words += ["-o", str(Path(folder) / "x.cert.json")]
        subprocess.run([sys.executable, "-m", "pomgcheck", *words], check=True, stdout=subprocess.DEVNULL)


def end_to_end(stem: str) -> None:
    """The command; then, in this process, the whole of it and the kernel's part."""
    name, options = CERTIFICATES[stem]
    timed(f"pomgcheck certify {name}, a fresh process", partial(command, stem))
    model = gallery.load(name)
    _, certificate = timed("    in this process, search and kernel", partial(certify, model, **options))
    _, verdict = timed("    of that the kernel", partial(verify_bytes, canonical_bytes(certificate.document)))
    assert verdict.certified


Column = tuple[Fraction, list[Fraction], list[Fraction]]  # of one state: Z, M and W


def column(game: Game, world: World, g: Any, h: int, o: int, a: int, s: int) -> Column:
    """One pure state of a class of windows 1, kappa = 1: its chance of o, then of each next window, and its channel."""
    Z = world.EA[h][s][o]
    W = [Z * emission * move for emission in world.EB[h][s] for moves in world.T[h][s][a] for move in moves]
    answers = [answer for row in g[h] for answer in row for _ in game.S]  # g(b | o^B), once for each s'
    masses = [x * y for x, y in zip(W, answers, strict=True)]
    later = [[world.EA[h + 1][k % len(game.S)][seen] * x for k, x in enumerate(masses)] for seen in range(len(game.OA))]
    return Z, [sum(chances, Fraction(0)) for chances in later], W


def best_alpha(left: list[Column], right: list[Column]) -> Fraction | None:
    """The largest alpha that one test function certifies on the whole simplex, by cvxpy; ``None`` where W = W'."""
    channels = [(one[2], other[2]) for one, other in zip(left, right, strict=True)]
    costs = [sum(abs(x - y) for x, y in zip(W, W_, strict=True)) for W, W_ in channels]
    if not any(costs):
        return None
    largest = max(Z_ for Z_, _, _ in right)
    rows, scales = [], []
    for i, j in combinations_with_replacement(range(len(left)), 2):
        (Zi, Mi, _), (Zj, Mj, _), (Zi_, Mi_, _), (Zj_, Mj_, _) = left[i], left[j], right[i], right[j]
        rows.append([Zi_ * y + Zj_ * x - Zi * y_ - Zj * x_ for x, y, x_, y_ in zip(Mi, Mj, Mi_, Mj_, strict=True)])
        scales.append(largest * (Zi * costs[j] + Zj * costs[i]))
    y, alpha = cvxpy.Variable(len(rows[0])), cvxpy.Variable()
    constraints = [np.array(rows, float) @ y >= alpha * np.array(scales, float), cvxpy.abs(y) <= 1]
    cvxpy.Problem(cvxpy.Maximize(alpha), constraints).solve(solver=cvxpy.HIGHS)
    test = [Fraction(float(x)).limit_denominator(1000) for x in y.value]
    values = [sum((x * t for x, t in zip(row, test, strict=True)), Fraction(0)) for row in rows]
    return min(value / scale for value, scale in zip(values, scales, strict=True) if scale)


def plain_way(game: Game) -> Fraction:
    """alpha_lower of the class, one cvxpy problem for each (theta, theta', Phi, pi, h, o, a)."""
    found = []
    for worlds, response, p in product(combinations(game.worlds, 2), game.responses, range(len(game.policies))):
        for h, o, a in product(range(game.H - 1), range(len(game.OA)), range(len(game.A))):
            left, right = ([column(game, w, response[p], h, o, a, s) for s in range(len(game.S))] for w in worlds)
            if any(Z for Z, _, _ in left) and any(Z for Z, _, _ in right):
                found.append(best_alpha(left, right))
    return min(alpha for alpha in found if alpha is not None)


def drawn(seed: int) -> Game:
    """A class of three states, sights and steps, two actions a side, four worlds and two policies, drawn at random; an
    unknown drift away from the first state is the same everywhere, so that no mixture hides it."""
    draw, states, four = Random(seed), ("s", "t", "u"), ("0", "1/20", "1/10", "3/20")

    def row(n: int, least: int = 0) -> list[str]:
        weights = [draw.randint(1, 6) + least * (k == 0) for k in range(n)]
        return [str(Fraction(x, sum(weights))) for x in weights]

    def moves() -> list[str]:
        first, second, third = row(3, 6)
        return [f"{first}-x", f"{second}+x", third]

    return load(
        {
            "format": "pomgcheck-model-class/1",
            "name": f"drawn-{seed}",
            "game": {
                "horizon": 3,
                "states": list(states),
                "learner_actions": ["left", "right"],
                "adversary_actions": ["stay", "push"],
                "learner_observations": ["red", "green", "blue"],
                "adversary_observations": ["dark", "lit"],
                "reward": ["0", "1/2", "1"],
            },
            "worlds": {
                "parameters": {"x": {"values": list(four)}},
                "initial": row(3),
                "transition": [[[moves() for _ in range(2)] for _ in range(2)] for _ in states],
                "learner_emission": [row(3) for _ in states],
                "adversary_emission": [row(2) for _ in states],
            },
            "responses": {
                "parameters": {},
                "memory": 1,
                "block_rule": "latest",
                "window": 1,
                "table": {"left": [row(2), row(2)], "right": [row(2), row(2)]},
            },
            "policies": {"window": 1, "generate": {"kind": "routing"}},
            "truth": {"worlds": {"x": "0"}, "responses": {}},
        }
    ).game


def against_the_plain_way(game: Game) -> None:
    """The same certified value, two ways."""
    name = game.name
    t = Tables(game, "window")

    def search() -> Any:
        return weak_revealing(t, 1, "literal", "simplex", TOLERANCE)

    search()  # so that neither way pays for imports
    runs = [timed(f"alpha of {name}, our search", search) for _ in range(LEAST_OF)]
    fast, finding = min(runs, key=lambda run: run[0])
    slow, value = timed(f"alpha of {name}, one cvxpy problem a context", lambda: plain_way(game))
    assert finding.values["alpha_lower"] == str(value), (finding.values, value)
    print(f"    both certify {value}; {slow / fast:.0f} times faster")


def main() -> None:
    """Print the table."""
    for game in (*(gallery.load(name).game for name in ("patrol", "tiger")), *map(drawn, (1, 2, 3))):
        against_the_plain_way(game)
    for stem in ("patrol", "tiger", "digits"):
        end_to_end(stem)


if __name__ == "__main__":
    main()
