"""Assumption 2.3: the exact Lipschitz constant of the responses in the reference posteriors, or a witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from pomgcheck.kernel.game import Game, Row
from pomgcheck.search.exact.tables import Memories, Tables, integers
from pomgcheck.search.finding import Finding, Labels, texts
from pomgcheck.search.play import kinds

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
                        after = sum(t.moves.pushed(i, h, a, b, moved[:, :, a]) for a in range(t.A))
                        following[(*tau, oB, b)] = after * draws[b]
        out.append(found)
        level = following
    return out


class Answers(NamedTuple):
    """Two different rows with which responses ``ks`` answer two blocks at one place, and their l1 distance."""

    rows: tuple[Row, Row]
    above: Fraction
    ks: list[int]


class Gap(NamedTuple):
    """Two blocks (of one policy where the rule is not a table) answered differently: in world i, at decision history
    ``eta`` of step h, the answers, the most different first, and the largest l1 gap of the posteriors."""

    pi: tuple[int, ...]
    nu: tuple[int, ...]
    i: int
    h: int
    eta: tuple[int, ...]
    answers: list[Answers]
    posteriors: tuple[Any, Any]
    below: Fraction


def gaps(t: Tables, form: str, mu: list[Fraction]) -> Iterator[Gap]:
    """Every place where some adversary tells two policies apart.

    For ``latest``, ``mean`` and ``fading`` rules the constant over blocks is that of single policies; ``table`` rules
    are enumerated block by block.
    """
    game = t.game
    # codes of every history, possible or not: only where rows are read by whole histories
    whole = Memories(t.H, t.OB, t.B, None, True) if game.adversary_window is None else None
    post = [[posteriors(t, i, p, mu) for p in range(t.P)] for i in range(t.I)]
    pairs = product(range(t.I), product(range(t.P), repeat=2)) if form == "policy" else ()
    largest = {(i, p, n): policy_gap(post[i][p], post[i][n]) for i, (p, n) in pairs}
    step = range(t.H) if game.block_rule == "table" else kinds(table.tolist() for table in t.g)[1]  # equal ones alike
    alike = {block: kinds(answer[block] for answer in game.blocks)[1] for block in game.block_list()}
    for pi, nu in combinations(alike, 2):
        groups: dict[tuple[int, int], list[int]] = {}
        for k, pair in enumerate(zip(alike[pi], alike[nu], strict=True)):
            groups.setdefault(pair, []).append(k)
        known: dict[tuple[int, int], list[Answers]] = {}
        for i, h in product(range(t.I), range(t.H)):
            for eta in post[i][pi[0]][h]:
                if any(eta not in post[i][x][h] for x in (*pi, *nu)):
                    continue
                row = (
                    whole.row[h][whole.codes[h].index(eta[:-1]), eta[-1]]
                    if whole is not None
                    else window_row(eta, game.adversary_window or 1, t.OB)
                )
                answers = known.get((step[h], row))
                if answers is None:
                    answers = known[step[h], row] = different(game, pi, nu, h, row, groups)
                if answers:
                    below = max(
                        largest[i, x, y] if form == "policy" else l1(post[i][x][h][eta], post[i][y][h][eta])
                        for x, y in zip(pi, nu, strict=True)
                    )
                    seen = post[i][pi[0]][h][eta], post[i][nu[0]][h][eta]
                    yield Gap(pi, nu, i, h, eta, answers, seen, below)


def different(
    game: Game, pi: tuple[int, ...], nu: tuple[int, ...], h: int, row: int, groups: Mapping[Any, list[int]]
) -> list[Answers]:
    """The answers that differ in one row of a step, the most different first."""
    out = []
    for ks in groups.values():
        left, right = (game.blocks[ks[0]][block][h][row] for block in (pi, nu))
        if left != right:
            out.append(Answers((left, right), l1(left, right), ks))
    most = max(range(len(out)), key=lambda n: out[n].above, default=0)
    return out[most : most + 1] + out[:most] + out[most + 1 :]


def posterior_lipschitz(t: Tables, form: str, mu: list[Fraction]) -> Finding:
    """Largest ratio of response gap to posterior gap; positive over zero refutes."""
    best, attained = Fraction(0), None
    for gap in gaps(t, form, mu):
        most = gap.answers[0]
        if not gap.below:
            rows = {"responses": list(map(texts, most.rows)), "posteriors": list(map(texts, gap.posteriors))}
            return Finding("refuted", "enumeration", witness=place(t, gap) | rows)
        if most.above > best * gap.below:
            best, attained = most.above / gap.below, gap
    return Finding(
        "proved",
        "enumeration of histories and pairs of policies",
        {"L_lower": str(best), "L_upper": str(best)},
        evidence(attained and place(t, attained)),
    )


def evidence(
    attained: Any,
    gaps: Mapping[str, str] | None = None,
    signs: Sequence[Mapping[str, Any]] = (),
    trees: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """What a certificate says of a constant: where it is attained, and on interval axes bounds of the responses'
    differences, choices of signs and trees of goals.  On a finite class the goals are numbers."""
    return {"rule": "box", "gaps": gaps or {}, "signs": [*signs], "trees": trees or {}, "attained": attained}


def place(t: Tables, gap: Gap) -> dict[str, Any]:
    """Where the adversary tells two policies apart, in labels."""
    labels = Labels(t.game)
    names: list[Any] = [[labels.policy(x) for x in block] for block in (gap.pi, gap.nu)]
    pi, nu = names if t.game.block_rule == "table" else [block[0] for block in names]
    return {
        "theta": labels.theta(gap.i),
        "h": gap.h + 1,
        "tau_B": labels.trajectory(gap.eta, learner=False),
        "pi": pi,
        "nu": nu,
        "Phi": labels.Phi(gap.answers[0].ks[0]),
    }


def reference_law(game: Game, reference: Any) -> list[Fraction]:
    """mu^ref on B, from the option ``reference``."""
    size = len(game.B)
    return [Fraction(1, size)] * size if reference == "uniform" else [Fraction(text) for text in reference]


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
    """l1 distance of two rows of rationals, in integers."""
    unit = lcm(*(x.denominator for x in u), *(y.denominator for y in v))
    left, right = ([x.numerator * (unit // x.denominator) for x in row] for row in (u, v))
    return Fraction(sum(abs(x - y) for x, y in zip(left, right, strict=True)), unit)
