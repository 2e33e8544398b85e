"""Assumption 2.3: the exact Lipschitz constant of the responses in the reference posteriors, or a witness."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from .exact.tables import Memories, Tables, integers
from .finding import Finding, Labels, texts

Posterior = dict[tuple[int, ...], tuple[Any, ...]]


def posteriors(t: Tables, i: int, p: int, mu: list[Fraction]) -> list[Posterior]:
    """S^{ref,theta}_{tau_B,h}(pi) for every possible decision history, one dict a step (Definition 2.2).

    Masses [s, learner memory] are pushed forward for each adversary history apart, in integers.
    """
    draws, _ = integers(mu)
    learner = Memories(t.H, t.O, t.A, t.game.learner_window, t.game.learner_window is None)
    level: dict[tuple[int, ...], Any] = {(): t.rho[:, None].copy()}
    out: list[Posterior] = []
    for h in range(t.H):
        table, _ = t.pi[p][h]
        acts = table[learner.row[h]]  # [memory, O, A]
        found: Posterior = {}
        following: dict[tuple[int, ...], Any] = {}
        for tau, mass in level.items():
            seen = mass[:, :, None] * t.EA[i, h][:, None, :]  # [S, memory, O]
            for oB in range(t.OB):
                here = seen * t.EB[i, h, :, oB][:, None, None]
                if not here.any():
                    continue
                joint = here[..., None] * acts[None]  # [S, memory, O, A]
                law = joint.sum(axis=(0, 1, 2))
                whole = sum(law.tolist())
                found[(*tau, oB)] = tuple(Fraction(x, whole) for x in law.tolist())
                if h + 1 < t.H:
                    moved = np.zeros((t.S, learner.count(h + 1), t.A), dtype=object)
                    for m, o, a in product(range(learner.count(h)), range(t.O), range(t.A)):
                        moved[:, learner.next[h][m, o, a], a] += joint[:, m, o, a]
                    for b in range(t.B):
                        after = sum(np.dot(t.T[i, h, :, a, b].T, moved[:, :, a]) for a in range(t.A))
                        following[(*tau, oB, b)] = after * draws[b]
        out.append(found)
        level = following
    return out


def posterior_lipschitz(t: Tables, form: str, mu: list[Fraction]) -> Finding:
    """Largest ratio of response gap to posterior gap; positive over zero refutes.

    For ``latest``, ``mean`` and ``fading`` rules the constant over blocks is that of single policies; ``table`` rules
    are enumerated block by block.
    """
    game, labels = t.game, Labels(t.game)
    whole = Memories(t.H, t.OB, t.B, game.adversary_window, True)
    post = [[posteriors(t, i, p, mu) for p in range(t.P)] for i in range(t.I)]
    pairs = product(range(t.I), product(range(t.P), repeat=2)) if form == "policy" else ()
    gaps = {(i, p, n): policy_gap(post[i][p], post[i][n]) for i, (p, n) in pairs}
    table_rule = game.block_rule == "table"
    blocks = list(game.block_list()) if table_rule else [(p,) for p in range(t.P)]
    best, place = Fraction(0), None
    for pi, nu in combinations(blocks, 2):
        for i, h in product(range(t.I), range(t.H)):
            for eta in post[i][pi[0]][h]:
                if any(eta not in post[i][x][h] for x in (*pi, *nu)):
                    continue
                row = (
                    whole.row[h][whole.codes[h].index(eta[:-1]), eta[-1]]
                    if game.adversary_window is None
                    else (window_row(eta, game.adversary_window, t.OB))
                )
                below: Fraction | None = None
                for k in range(t.K):
                    left, right = (response(game, k, block)[h][row] for block in (pi, nu))
                    if left == right:
                        continue
                    if below is None:
                        below = max(
                            gaps[i, x, y] if form == "policy" else l1(post[i][x][h][eta], post[i][y][h][eta])
                            for x, y in zip(pi, nu, strict=True)
                        )
                    above = l1(left, right)
                    if below and above / below <= best:
                        continue
                    names: Any = [[game.policy_names[x] for x in block] for block in (pi, nu)]
                    if not table_rule:
                        names = [block[0] for block in names]
                    place = {
                        "theta": labels.theta(i),
                        "h": h + 1,
                        "tau_B": labels.trajectory(eta, learner=False),
                        "pi": names[0],
                        "nu": names[1],
                        "Phi": labels.Phi(k),
                    }
                    if not below:
                        rows = {
                            "responses": [texts(left), texts(right)],
                            "posteriors": [texts(post[i][x][h][eta]) for x in (pi[0], nu[0])],
                        }
                        return Finding("refuted", "enumeration", witness=place | rows)
                    best = above / below
    return Finding(
        "proved",
        "enumeration of histories and pairs of policies",
        {"L_lower": str(best), "L_upper": str(best)},
        {"rule": "eval", "attained": place},
    )


def response(game: Any, k: int, block: tuple[int, ...]) -> Any:
    return game.responses[k][block[0]] if len(block) == 1 else game.blocks[k][block]


def window_row(eta: tuple[int, ...], window: int, size: int) -> int:
    index = 0
    for o in eta[::2][-window:]:
        index = index * size + o
    return index


def policy_gap(left: list[Posterior], right: list[Posterior]) -> Fraction:
    """max over steps and common histories of the posterior gap (policy form)."""
    differing = (
        l1(x[eta], y[eta]) for x, y in zip(left, right, strict=True) for eta in x.keys() & y.keys() if x[eta] != y[eta]
    )
    return max(differing, default=Fraction(0))


def l1(u: tuple[Any, ...], v: tuple[Any, ...]) -> Fraction:
    return sum((abs(x - y) for x, y in zip(u, v, strict=True)), Fraction(0))
