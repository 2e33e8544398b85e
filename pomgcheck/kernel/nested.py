"""Theorem N: what the schedule ``nested`` loses on a finite class, exactly (docs/bound.md).

``nested`` walks down a fixed list of the models.  ``Ranked`` has the list, the regret of every policy under every
model and how far two laws of play are apart; ``Nested`` makes of them the most that can be lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import groupby, product
from typing import NamedTuple

from .budget import spend
from .case import Case
from .enclosures import Interval, ceiling, log
from .facts import Facts
from .game import Game, World
from .limits import possible
from .logarithms import log_enclosure
from .operators import Model
from .play import Play
from .reading import Object
from .walk import COARSE

BITS = 64  # of a logarithm
PREMISES = ("well-specified", "warmup-stationary")


class Ranked:
    """This ranks the models of a finite class by optimism.

    ``best[xi]`` is v*(xi) = max_pi V^pi(xi) against settled responses, ``policy[xi]`` is the first policy that attains
    it, and ``order`` is the list that ``nested`` walks down: v* descending, then policy, then model.
    """

    def __init__(self, game: Game, plays: Sequence[Play]) -> None:
        self.game, self.plays, P = game, plays, range(len(plays))
        self.models: list[Model] = [*product(range(len(game.worlds)), range(len(game.responses)))]
        self._values = [{x: play.value(x) for x in play.models} for play in plays]
        self._affinities: dict[tuple[int, Model, Model], Fraction] = {}
        self.best = {x: max(self.value(p, x) for p in P) for x in self.models}
        self.policy = {x: next(p for p in P if self.value(p, x) == self.best[x]) for x in self.models}
        self.order = sorted(self.models, key=lambda x: (-self.best[x], self.policy[x], x))
        self.place = {x: k for k, x in enumerate(self.order)}

    def value(self, p: int, x: Model) -> Fraction:
        """Return V^pi(xi)."""
        return self._values[p][self.plays[p].alike[x]]

    def regret(self, p: int, x: Model) -> Fraction:
        """Return r(pi) = v*(xi) - V^pi(xi)."""
        return self.best[x] - self.value(p, x)

    @cached_property
    def D(self) -> Fraction:
        """Return the most that a settled episode can lose, over policies and models."""
        return max(self.regret(p, x) for p in range(len(self.plays)) for x in self.models)

    def runs(self, x: Model) -> int:
        """Return how many runs of one policy the list has down to x."""
        return sum(1 for _ in groupby(self.order[: self.place[x] + 1], key=self.policy.__getitem__))

    def harmful(self, x: Model) -> dict[int, list[Model]]:
        """Return the models before x in the list whose policy has regret under x, by that policy."""
        found: dict[int, list[Model]] = {}
        spend(2 * self.place[x], "models before another in the list")
        for y in self.order[: self.place[x]]:
            if self.regret(self.policy[y], x):
                found.setdefault(self.policy[y], []).append(y)
        return found

    def affinity(self, x: Model, y: Model) -> Fraction:
        """Return at least sum_tau sqrt(P_x P_y) under the policy of y; it is zero only if that sum is."""
        p = self.policy[y]
        play, (left, right) = self.plays[p], sorted(self.plays[p].alike[z] for z in (x, y))
        if (p, left, right) not in self._affinities:
            self._affinities[p, left, right] = play.affinity(left, right)
        return self._affinities[p, left, right]

    def nearest(self, x: Model, others: Sequence[Model]) -> Model:
        """Return the first of ``others``, which deploy one policy, that has the largest affinity with x."""
        play, found = self.plays[self.policy[others[0]]], dict[Model, Fraction]()
        spend(len(others) * (5 + len(play.edges) // 20), "affinities of two models")
        near = {y: play.near(x, y) for y in others}
        for y in sorted(others, key=near.__getitem__, reverse=True):
            if found and near[y] < max(found.values()) * 4**COARSE:
                break
            found[y] = self.affinity(x, y)
        return max((y for y in others if y in found), key=found.__getitem__)


def span(game: Game, worlds: Sequence[World]) -> Fraction:
    """Return R', the most by which the mean rewards of two episodes of one world differ, whoever plays: the range,
    over paths that some world lets happen, of the rewards after the first step, whose observation depends on neither
    player."""
    may = possible(game, worlds)
    most: list[Fraction] = [Fraction(0)] * len(game.S)  # of the steps still to come, by state
    least = most
    for h in range(game.H - 1, 0, -1):
        rows = [[game.reward[h][o] for o in shown] for shown in may.shown[h]]
        if h + 1 < game.H:
            after = [frozenset().union(*moves) for moves in may.moves[h]]
            most = [max(row) + max(most[t] for t in to) for row, to in zip(rows, after, strict=True)]
            least = [min(row) + min(least[t] for t in to) for row, to in zip(rows, after, strict=True)]
        else:
            most, least = [max(row) for row in rows], [min(row) for row in rows]
    start = {t for s, p in enumerate(game.rho0) if p for to in may.moves[0][s] for t in to} if game.H > 1 else {0}
    return max(most[t] for t in start) - min(least[t] for t in start)


def shown(affinity: Fraction, c: Fraction) -> bool:
    """Return whether an enclosure of the logarithm shows that c <= -log(affinity)."""
    return not affinity or c * 2**BITS <= -log_enclosure(affinity, BITS)[1]


@lru_cache(maxsize=1 << 14)
def evidence(models: int, harmful: int, budget: Fraction, rounding: Fraction) -> Interval:
    """Return log(models/budget)/2 + log(harmful/budget): a few numbers of harmful models come up again and again."""
    return (log(models / budget) + rounding) * Fraction(1, 2) + log(harmful / budget)


class Costly(NamedTuple):
    """This is a policy that costs ``regret`` per episode under a truth, with a c such that c <= -log sum sqrt(P P*) for
    every model that may deploy it; c is ``None`` where no trajectory is possible under both."""

    regret: Fraction
    c: Fraction | None


class Truth(NamedTuple):
    """This is what a truth has before it in the list: the number of runs of one policy, that of harmful models, and the
    policies of these."""

    runs: int
    harmful: int
    costly: tuple[Costly, ...]

    @classmethod
    def read(cls, entry: Object) -> Truth:
        """Return the truth in the evidence of the claim ``regret``, which the kernel has checked."""
        costly = (
            Costly(Fraction(each["regret"]), None if each["c"] is None else Fraction(each["c"]))
            for each in entry["policies"]
        )
        return cls(entry["runs"], entry["harmful"], tuple(costly))


class Nested(NamedTuple):
    """Theorem N is made of these. ``models`` is N; ``memory`` is m, or gamma and H L_g of a fading rule."""

    models: int
    delta: Fraction
    span: Fraction
    memory: int | tuple[Fraction, Fraction]
    truths: tuple[Truth, ...]

    @property
    def budget(self) -> Fraction:
        """Return what each of the two events may fail with; a fading rule spends delta/8 on transients."""
        return self.delta if isinstance(self.memory, int) else self.delta * 15 / 16

    @property
    def u(self) -> Interval:
        """Return u = log((N-1)/delta): a model leaves when its log-likelihood is that far below the largest."""
        return log(max(self.models - 1, 1) / self.budget)

    def warmup(self, run: int) -> int:
        """Return the warm-up episodes before the run-th run of one policy, counted from 1: m - 1, or ceil(log(8 H L_g
        (run+1)^2 / (delta (1-gamma))) / (1-gamma)) - 1 against fading memory."""
        if isinstance(self.memory, int):
            return self.memory - 1
        gamma, drift = self.memory
        steps = log(max(8 * drift * (run + 1) ** 2 / (self.delta * (1 - gamma)), Fraction(1))) / (1 - gamma)
        return max(int(ceiling(steps).high) - 1, 0)

    def evidence(self, truth: Truth, rounding: Fraction = Fraction(0)) -> Interval:
        """Return u/2 + log(h/delta), what the data of one policy may hold against a harmful model before it is
        refuted."""
        return evidence(max(self.models - 1, 1), max(truth.harmful, 1), self.budget, rounding)

    def most(self, truth: Truth, each: Costly, rounding: Fraction = Fraction(0)) -> int:
        """Return n, the most data episodes of a policy that costs: 1 + floor((u/2 + log(h/delta)) / c)."""
        return 1 if each.c is None else 1 + int(self.evidence(truth, rounding).high / each.c)

    def lost(self, truth: Truth, T: int | None, rounding: Fraction = Fraction(0)) -> Fraction:
        """Return the most that T data episodes lose under a truth (at any T if none is given): the dearest policies
        first."""
        paid, left = Fraction(0), T
        for each in sorted(truth.costly, key=lambda each: -each.regret):
            n = self.most(truth, each, rounding)
            n = n if left is None else min(n, left)
            paid, left = paid + n * each.regret, None if left is None else left - n
        return paid + self.transients

    @property
    def transients(self) -> Fraction:
        """Return by how much the values of a fading memory's actual responses and of the settled ones differ, all
        together."""
        return Fraction(0) if isinstance(self.memory, int) else self.span * self.delta / 8

    def warmups(self, truth: Truth) -> Fraction:
        """Return the most that warm-up episodes lose under a truth."""
        return self.before(truth.runs)

    def before(self, runs: int) -> Fraction:
        """Return what is lost before so many runs of one policy: R' per episode of warm-up."""
        if isinstance(self.memory, int):
            return (self.memory - 1) * runs * self.span
        return self.span * sum(self.warmup(run) for run in range(1, runs + 1))

    def regret(self, T: int | None, rounding: Fraction = Fraction(0)) -> Fraction:
        """Return the bound of Theorem N at T, or at any T."""
        return max(self.lost(truth, T, rounding) + self.warmups(truth) for truth in self.truths)


# -- what the claim has in common on finite classes and on interval axes


def ranked(facts: Facts) -> Ranked:
    """Return the list of the models."""
    return Ranked(facts.game, facts.plays)


def schedule(case: Case, models: int, truths: tuple[Truth, ...] = ()) -> Nested:
    """Return what the schedule is made of, for a list of so many models."""
    game, delta = case.facts.game, Fraction(case.facts.options["delta"])
    memory: int | tuple[Fraction, Fraction] = game.m or 1
    if game.gamma is not None:
        memory = game.gamma, game.H * Fraction(case.settled["warmup-stationary"]["values"]["L_g"])
    return Nested(models, delta, span(game, case.facts.tables), memory, truths)


def worth(case: Case, rule: str, regret: Callable[[int], Fraction], D: Fraction) -> None:
    """Check that worth_T is the first T at which the bound is below D T."""
    first = case.number("worth_T")
    if first.denominator != 1 or first < 1 or regret(int(first)) >= D * first:
        raise case.reject(rule, f"worth_T = {first}", "a T at which the bound is below D T")
    if first > 1 and regret(int(first) - 1) < D * (first - 1):
        raise case.reject(rule, f"worth_T = {first}", "the first such T")
