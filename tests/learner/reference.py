"""Algorithm 1 as the paper writes it: one episode at a time, plain Python, Fractions and decimals.

Written apart from ``pomgcheck.learner`` and ``pomgcheck.arena`` (it shares no code with them): histories are lists of
labels' indices, probabilities are sums over latent paths, and after every episode everything is compared afresh.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from functools import cache
from math import ceil, log
from typing import Any, NamedTuple

import numpy as np

from pomgcheck.kernel.game import Game, Table

UNIT = 2**32


class Constants(NamedTuple):
    """tau_e(t) = factor beta_e(t) + C_0 B_0 log(2t(t+1)/delta_e)."""

    c: Fraction
    N: int
    ratio: Fraction  # B_0 = max(1, log ratio)
    delta: Fraction
    factor: Fraction
    C_0: Fraction


class Faded(NamedTuple):
    """Fading memory: its rate, H L_g, and ceil(log(2T)/(1-gamma)) or, without T, ceil(log(2^(e+1))/(1-gamma));
    whether the radius grows by 2s, or by c B_0 H L_g."""

    gamma: Fraction
    drift: Fraction
    T: int | None
    enough: bool

    def memory(self, e: int) -> int:
        """m of epoch e."""
        length = log(2 * self.T if self.T is not None else 2 ** (e + 1)) / float(1 - self.gamma)
        return max(1, ceil(length))

    def width(self, k: Constants, e: int) -> Fraction:
        """What stands for m in the radius c (... + m B_0) of epoch e."""
        if not self.enough:
            return self.memory(e) + self.drift
        drift = Decimal(self.drift.numerator) / self.drift.denominator
        epochs, delta = e if self.T is None else 1, Decimal(k.delta.numerator) / k.delta.denominator
        s = (Decimal(1).exp() - 1) * drift * epochs + 2 * (8 / delta).ln()
        return Fraction(self.memory(e) + 2 * s * k.c.denominator / k.c.numerator)


def mixture(z: Sequence[Fraction], tables: Sequence[Table]) -> Table:
    """The z-average of the responses to the policies."""
    return tuple(
        tuple(
            tuple(
                sum((w * x for w, x in zip(z, entries, strict=True)), Fraction(0))
                for entries in zip(*rows, strict=True)
            )
            for rows in zip(*(t[h] for t in tables), strict=True)
        )
        for h in range(len(tables[0]))
    )


class Epoch(NamedTuple):
    """What is compared of an epoch; ``gap`` in units of 2^-32, none if xi_e has become impossible."""

    policy: int
    model: int
    episodes: int
    ended: str
    warmup_cost: Fraction
    cost: Fraction
    gap: int | None
    covered: bool
    inside: int


def row(window: int | None, observations: Sequence[int], actions: Sequence[int], n_o: int, n_a: int) -> int:
    """Row of a table: the last observations, oldest first, or observations and actions in protocol order."""
    if window is not None:
        index = 0
        for o in observations[-window:]:
            index = index * n_o + o
        return index
    index = observations[0]
    for a, o in zip(actions, observations[1:], strict=True):
        index = (index * n_a + a) * n_o + o
    return index


def learner_row(game: Game, os: Sequence[int], actions: Sequence[int]) -> int:
    """The learner's row."""
    return row(game.learner_window, os, actions, len(game.OA), len(game.A))


def adversary_row(game: Game, xs: Sequence[int], bs: Sequence[int]) -> int:
    """The adversary's row."""
    return row(game.adversary_window, xs, bs, len(game.OB), len(game.B))


def probability(game: Game, theta: int, g: Table, trajectory: Sequence[tuple[int, int]]) -> Fraction:
    """P(o_{1:H} | a_{1:H}), summed over latent paths one by one."""
    world = game.worlds[theta]

    def rest(h: int, s: int, xs: list[int], bs: list[int]) -> Fraction:
        o, a = trajectory[h]
        here = world.EA[h][s][o]
        if h + 1 == game.H or not here:
            return here
        total = Fraction(0)
        for x in range(len(game.OB)):
            for b in range(len(game.B)):
                weight = world.EB[h][s][x] * g[h][adversary_row(game, [*xs, x], bs)][b]
                for t, p in enumerate(world.T[h][s][a][b]):
                    if weight and p:
                        total += weight * p * rest(h + 1, t, [*xs, x], [*bs, b])
        return here * total

    return sum((p * rest(0, s, [], []) for s, p in enumerate(game.rho0) if p), Fraction(0))


def trajectories(game: Game, policy: int) -> Iterator[tuple[list[tuple[int, int]], Fraction]]:
    """Every learner trajectory and the product of the policy's action probabilities, where positive."""

    def rest(os: list[int], actions: list[int], weight: Fraction) -> Iterator[tuple[list[tuple[int, int]], Fraction]]:
        h = len(os)
        if h == game.H:
            yield list(zip(os, actions, strict=True)), weight
            return
        for o in range(len(game.OA)):
            for a in range(len(game.A)):
                p = game.policies[policy][h][learner_row(game, [*os, o], actions)][a]
                if p:
                    yield from rest([*os, o], [*actions, a], weight * p)

    yield from rest([], [], Fraction(1))


def value(game: Game, theta: int, g: Table, policy: int) -> Fraction:
    """V^pi(g) as a sum over whole trajectories."""
    return sum(
        (
            weight * probability(game, theta, g, path) * sum(game.reward[h][o] for h, (o, _) in enumerate(path))
            for path, weight in trajectories(game, policy)
        ),
        Fraction(0),
    )


def response(game: Game, phi: int, block: Sequence[int]) -> Table:
    """R at the last m policies, oldest first."""
    if game.block_rule == "latest":
        return game.responses[phi][block[-1]]
    if game.block_rule == "table":
        return game.blocks[phi][tuple(block)]
    tables = [game.responses[phi][p] for p in block]
    return tuple(
        tuple(
            tuple(sum(parts, Fraction(0)) / len(block) for parts in zip(*rows, strict=True))
            for rows in zip(*(t[h] for t in tables), strict=True)
        )
        for h in range(game.H)
    )


def draw(chances: Sequence[Fraction], uniform: float) -> int:
    """First outcome whose cumulative sum, as a float, exceeds the uniform."""
    total = Fraction(0)
    for outcome, p in enumerate(chances[:-1]):
        total += p
        if uniform < float(total):
            return outcome
    return len(chances) - 1


def episode(game: Game, theta: int, g: Table, policy: int, uniforms: Sequence[float]) -> list[tuple[int, int]]:
    """One episode from one row of 5H uniforms."""
    world, u = game.worlds[theta], iter(uniforms)
    os, actions, xs, bs = [], [], [], []
    s = draw(game.rho0, next(u))
    for h in range(game.H):
        os.append(draw(world.EA[h][s], next(u)))
        xs.append(draw(world.EB[h][s], next(u)))
        a = draw(game.policies[policy][h][learner_row(game, os, actions)], next(u))
        b = draw(g[h][adversary_row(game, xs, bs)], next(u))
        actions.append(a)
        bs.append(b)
        if h + 1 < game.H:
            s = draw(world.T[h][s][a][b], next(u))
    return list(zip(os, actions, strict=True))


def log_budget(k: Constants, e: int, t: int) -> Decimal:
    """log(2t(t+1)/delta_e), or log(1/delta_e) at t = 0."""
    x = Fraction(2 * e * e) / k.delta * (2 * t * (t + 1) if t else 1)
    return (Decimal(x.numerator) / x.denominator).ln()


def radius(k: Constants, e: int, t: int, m: Fraction | int) -> Decimal:
    """beta_e (t = 0) or beta_e(t)."""
    c = Decimal(k.c.numerator) / k.c.denominator
    return c * (Decimal(k.N).ln() + log_budget(k, e, t) + Decimal(m.numerator) / m.denominator * increments(k))


def increments(k: Constants) -> Decimal:
    """B_0."""
    return max(Decimal(1), (Decimal(k.ratio.numerator) / k.ratio.denominator).ln())


def threshold(k: Constants, e: int, t: int, m: Fraction | int) -> Decimal:
    """tau_e(t)."""
    factor, C_0 = (Decimal(x.numerator) / x.denominator for x in (k.factor, k.C_0))
    return factor * radius(k, e, t, m) + C_0 * increments(k) * log_budget(k, e, t)


def fixed_log(p: Fraction) -> int | None:
    """log p to the nearest multiple of 2^-32; none for p = 0."""
    if not p:
        return None
    return int(((Decimal(p.numerator) / p.denominator).ln() * UNIT).to_integral_value(ROUND_HALF_EVEN))


def algorithm_1(
    game: Game,
    theta: int,
    phi: int,
    k: Constants,
    T: int,
    seed: int,
    test: bool = True,
    fresh_first: bool = False,
    faded: Faded | None = None,
) -> list[Epoch]:
    """Every epoch of T data episodes; against fading memory with the warm-up and the drift of ``faded``."""
    with localcontext(prec=50):
        return list(_algorithm_1(game, theta, phi, k, T, seed, test, fresh_first, faded))


def _algorithm_1(
    game: Game,
    theta: int,
    phi: int,
    k: Constants,
    T: int,
    seed: int,
    test: bool,
    fresh_first: bool,
    faded: Faded | None,
) -> Iterator[Epoch]:
    generator = np.random.Generator(np.random.PCG64(seed))
    models = [(i, j) for i in range(len(game.worlds)) for j in range(len(game.responses))]
    policies = range(len(game.policies))
    V = {(p, x): value(game, i, game.responses[j][p], p) for p in policies for x, (i, j) in enumerate(models)}
    truth, m, z = models.index((theta, phi)), game.m or 1, (Fraction(0),) * len(game.policies)
    best = max(V[p, truth] for p in policies)
    L: list[int | None] = [0] * len(models)
    history: list[int] = []
    logs: dict[Any, list[int | None]] = {}
    played: set[int] = set()
    collected = e = 0

    def top() -> int:
        return max(x for x in L if x is not None)

    def inside(x: int, width: Decimal) -> bool:
        own = L[x]
        return own is not None and Decimal(top() - own) / UNIT <= width

    @cache
    def against(block: tuple[int, ...]) -> tuple[Table, Fraction]:
        g = response(game, phi, block)
        return g, best - value(game, theta, g, block[-1])

    def play(policy: int) -> tuple[list[tuple[int, int]], Fraction]:
        """One episode against the response to the actual last m policies; its trajectory and its cost."""
        nonlocal z
        one = tuple(Fraction(p == policy) for p in policies)
        if faded is not None:
            z = tuple(faded.gamma * x + (1 - faded.gamma) * y for x, y in zip(z, one, strict=True)) if history else one
            history.append(policy)
            g = mixture(z, game.responses[phi])
            return episode(game, theta, g, policy, generator.random(5 * game.H).tolist()), best - value(
                game, theta, g, policy
            )
        if not history:
            history.extend([policy] * (m - 1))
        history.append(policy)
        g, cost = against(tuple(history[-m:]))
        return episode(game, theta, g, policy, generator.random(5 * game.H).tolist()), cost

    while collected < T:
        e += 1
        if faded is not None:
            m = faded.memory(e)
        width = m if faded is None else faded.width(k, e)
        kept = [x for x in range(len(models)) if inside(x, radius(k, e, 0, width))]
        most = max(V[p, x] for p in policies for x in kept)
        tied = sorted((p, x) for p in policies for x in kept if V[p, x] == most)
        if fresh_first:
            tied = [pair for pair in tied if pair[0] not in played] or tied
            policy, model = tied[-1]
        else:
            policy, model = tied[0]
        played.add(policy)
        covered = truth in kept
        warmup = sum((play(policy)[1] for _ in range(m - 1)), Fraction(0))
        costs, ended, n = [], "horizon", 0
        while collected < T:
            trajectory, cost = play(policy)
            costs.append(cost)
            n, collected = n + 1, collected + 1
            key = policy, tuple(trajectory)
            if key not in logs:
                logs[key] = [fixed_log(probability(game, i, game.responses[j][policy], trajectory)) for i, j in models]
            L = [None if old is None or new is None else old + new for old, new in zip(L, logs[key], strict=True)]
            if test and not inside(model, threshold(k, e, n, width)):
                ended = "test"
                break
            if n == 2**e:
                ended = "cap"
                break
        cost = sum(costs, Fraction(0))
        if faded is None:
            assert len(set(costs)) == 1  # after the warm-up every episode costs the same
            cost = costs[0]
        own = L[model]
        yield Epoch(policy, model, n, ended, warmup, cost, None if own is None else top() - own, covered, len(kept))


def nested(game: Game, theta: int, phi: int, delta: Fraction, T: int, seed: int) -> list[Epoch]:
    """Every epoch of the schedule ``nested`` as docs/bound.md writes it, one episode at a time, for a rule that reads m
    policies; thresholds in units of 2^-32, log-likelihoods rounded to them.  ``cost`` is that of all data episodes."""
    generator = np.random.Generator(np.random.PCG64(seed))
    models = [(i, j) for i in range(len(game.worlds)) for j in range(len(game.responses))]
    policies = range(len(game.policies))
    V = {(p, x): value(game, i, game.responses[j][p], p) for p in policies for x, (i, j) in enumerate(models)}
    best = [max(V[p, x] for p in policies) for x in range(len(models))]
    policy = [min(p for p in policies if V[p, x] == best[x]) for x in range(len(models))]
    order = sorted(range(len(models)), key=lambda x: (-best[x], policy[x], x))
    truth, m = models.index((theta, phi)), game.m or 1
    with localcontext(prec=50):
        units = ceil((max(len(models) - 1, 1) * Decimal(delta.denominator) / delta.numerator).ln() * UNIT)
    L: list[int | None] = [0] * len(models)
    out: set[int] = set()
    history: list[int] = []
    found: list[Epoch] = []
    collected, deployed, lost = 0, None, False

    def refuted(x: int) -> bool:
        own = L[x]
        return own is None or max(each for each in L if each is not None) - own > units + collected

    def play(p: int) -> tuple[list[tuple[int, int]], Fraction]:
        if not history:
            history.extend([p] * (m - 1))
        history.append(p)
        g = response(game, phi, history[-m:])
        path = episode(game, theta, g, p, generator.random(5 * game.H).tolist())
        return path, best[truth] - value(game, theta, g, p)

    while collected < T:
        out |= {x for x in order if refuted(x)}
        lost = lost or truth in out
        if len(out) == len(models):
            out = {x for x in order if refuted(x)}
        model, inside = next(x for x in order if x not in out), len(models) - len(out)
        p = policy[model]
        warmup = sum((play(p)[1] for _ in range(m - 1)), Fraction(0)) if p != deployed else Fraction(0)
        deployed, n, cost, ended = p, 0, Fraction(0), "horizon"
        while collected < T:
            path, paid = play(p)
            n, collected, cost = n + 1, collected + 1, cost + paid
            for x, (i, j) in enumerate(models):
                log, own = fixed_log(probability(game, i, game.responses[j][p], path)), L[x]
                L[x] = None if own is None or log is None else own + log
            if refuted(model):
                ended = "test"
                break
        own = L[model]
        gap = None if own is None else max(each for each in L if each is not None) - own
        found.append(Epoch(p, model, n, ended, warmup, cost, gap, not lost, inside))
    return found
