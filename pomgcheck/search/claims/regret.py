"""Theorem N for a finite class: who comes before whom in the list of ``nested``, and what that can cost.

The kernel computes the same with integers and its own enclosures; here laws of play are those of the walks, affinities
are sums of python-flint's balls, and the first T at which the bound says something is found by doubling and bisection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import flint
import numpy as np

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Costly, Nested, Truth, span
from pomgcheck.search.claims.constants import short_up
from pomgcheck.search.exact.enclosures import arb, rational_ends, round_down
from pomgcheck.search.finding import Finding, Labels
from pomgcheck.search.play import Walk

BITS = 256
DIGITS = 9
Xi = tuple[int, int]


class Order(NamedTuple):
    """The models (i, k) with their values V[p][xi], v*, first optimal policy, and place in the list."""

    models: list[Xi]
    V: list[dict[Xi, Fraction]]
    best: dict[Xi, Fraction]
    policy: dict[Xi, int]
    listed: list[Xi]

    def regret(self, p: int, x: Xi) -> Fraction:
        """v*(xi) - V^pi(xi)."""
        return self.best[x] - self.V[p][x]


def ordered(game: Game, walks: Sequence[Walk]) -> Order:
    """The list of a finite class."""
    models = [*product(range(len(game.worlds)), range(len(game.responses)))]
    V = [by_model(walk, models, values(game, walk)) for walk in walks]
    best = {x: max(row[x] for row in V) for x in models}
    policy = {x: [row[x] for row in V].index(best[x]) for x in models}
    return Order(models, V, best, policy, sorted(models, key=lambda x: (-best[x], policy[x], x)))


def values(game: Game, walk: Walk) -> list[Fraction]:
    """The value of every model that the policy of a walk tells apart."""
    paid = [
        weight * sum((game.reward[h][o] for h, o in enumerate(sequence[::2])), Fraction(0))
        for sequence, weight in zip(walk.played.sequences, walk.played.weights, strict=True)
    ]
    laws = np.array(walk.played.laws, dtype=object)
    return [Fraction(sum(map(Fraction.__mul__, paid, map(Fraction, law)))) / walk.played.scale for law in laws.T]


def by_model(walk: Walk, models: Sequence[Xi], row: Sequence[Fraction]) -> dict[Xi, Fraction]:
    """What is known of the kinds of models under a policy, of all models."""
    return {x: row[walk.models.place(*x)] for x in models}


class Affinities:
    """-log sum sqrt(P P') of two kinds of models under a policy, from below; ``None`` where it is infinite."""

    def __init__(self, walks: Sequence[Walk]) -> None:
        self.walks = walks
        self._roots = [self._of(walk) for walk in walks]
        self._known: dict[tuple[int, int, int], flint.arb] = {}

    @staticmethod
    def _of(walk: Walk) -> list[list[flint.arb]]:
        """The roots of w P by kind of model and trajectory."""
        chances = [arb(weight / walk.played.scale) for weight in walk.played.weights]
        laws = np.array(walk.played.laws, dtype=object).T
        return [[(chance * int(mass)).sqrt() for chance, mass in zip(chances, law, strict=True)] for law in laws]

    def between(self, p: int, x: Xi, y: Xi) -> flint.arb:
        """The affinity of x and y under policy p."""
        left, right = sorted(self.walks[p].models.place(*z) for z in (x, y))
        if (p, left, right) not in self._known:
            inner = map(flint.arb.__mul__, self._roots[p][left], self._roots[p][right])
            self._known[p, left, right] = sum(inner, flint.arb(0))
        return self._known[p, left, right]


def distance(affinity: flint.arb) -> Fraction | None:
    """A short rational c at most -log(affinity)."""
    if affinity == 0:
        return None
    low = rational_ends(-affinity.log())[0]
    if low <= 0:
        raise ArithmeticError(f"an affinity of {affinity} needs more than {BITS} bits")
    return round_down(low, DIGITS)


def truths(order: Order, affinities: Affinities, labels: Labels) -> Iterator[tuple[Truth, dict[str, Any]]]:
    """What every model has before it in the list, and how the certificate says so."""
    for x in order.models:
        place = order.listed.index(x)
        before = [(order.policy[y], y) for y in order.listed[:place]]
        harmful = [(p, y) for p, y in before if order.regret(p, x)]
        down = [order.policy[y] for y in order.listed[: place + 1]]
        runs = 1 + sum(p != q for p, q in zip(down, down[1:], strict=False))
        costly, entries = [], []
        for p in sorted({p for p, _ in harmful}):
            nearest = max((y for q, y in harmful if q == p), key=lambda y: float(affinities.between(p, x, y).mid()))
            c = distance(affinities.between(p, x, nearest))
            costly.append(Costly(order.regret(p, x), c))
            entries.append(
                {
                    "pi": labels.policy(p),
                    "regret": str(order.regret(p, x)),
                    "xi": labels.xi(nearest),
                    "c": None if c is None else str(c),
                }
            )
        entry = {"xi": labels.xi(x), "runs": runs, "harmful": len(harmful), "policies": entries}
        yield Truth(runs, len(harmful), tuple(costly)), entry


def drafted(
    game: Game, options: Mapping[str, Any], walks: Sequence[Walk], specified: Finding, settles: Finding
) -> Finding:
    """The claim, from its two premises: the class is well ``specified``, and the response ``settles``."""
    if "refuted" in (specified.verdict, settles.verdict):
        return Finding("vacuous", "a premise is refuted", evidence={"rule": "eval"})
    order, labels = ordered(game, walks), Labels(game)
    dearest = max((order.regret(p, x), (x, p)) for x in order.models for p in range(len(walks)))
    D, (where, policy) = dearest
    if not D:
        return Finding("vacuous", "every policy is best in every model", evidence={"rule": "eval"})
    with flint.ctx.workprec(BITS):
        found = [*truths(order, Affinities(walks), labels)]
    memory = (game.m or 1) if game.gamma is None else (game.gamma, game.H * Fraction(settles.values["L_g"]))
    nested = Nested(
        len(found), Fraction(options["delta"]), span(game, game.worlds), memory, tuple(truth for truth, _ in found)
    )
    most: dict[str, Fraction] = {}
    attained: dict[str, Any] = {"D": {"xi": labels.xi(where), "pi": labels.policy(policy)}}
    for name, T in (("gap_upper", None), ("nested_regret_upper", options["T"])):
        lost = [nested._replace(truths=(truth,)).regret(T) for truth in nested.truths]
        most[name] = max(lost)
        attained[name] = labels.xi(order.models[lost.index(most[name])])
    always = [p for p in range(len(walks)) if not any(order.regret(p, x) for x in order.models)]
    return Finding(
        "proved",
        "enumeration",
        {"N": str(len(order.models)), "span": str(span(game, game.worlds)), "D": str(D)}
        | {name: short_up(arb(value)) for name, value in most.items()}
        | {"worth_T": str(first(lambda T: nested.regret(T) < D * T))},
        {
            "rule": "list",
            "truths": [entry for _, entry in found],
            "always_best": [labels.policy(p) for p in always],
            "attained": attained,
        },
        solvers={"python-flint": flint.__version__},
    )


def first(good: Callable[[int], bool]) -> int:
    """The least T at which something is so that goes on being so."""
    high = 1
    while not good(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def resting(found: Mapping[str, Finding]) -> Finding:
    """The claim among what was found: unknown where a premise was left out of the search."""
    premises = {found[name].verdict for name in ("well-specified", "warmup-stationary")}
    return Finding("unknown", "a premise is open") if "unknown" in premises else found["regret"]
