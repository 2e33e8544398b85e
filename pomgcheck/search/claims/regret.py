"""Theorem N for a finite class: who comes before whom in the list of ``nested``, and what that can cost.

The list and the affinities are the kernel's own; what is stated of a logarithm comes from python-flint's balls, and the
first T at which the bound says something is found by doubling and bisection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Nested, Ranked, Truth, span
from pomgcheck.kernel.play import Play
from pomgcheck.search.claims.constants import least, short_up
from pomgcheck.search.exact.enclosures import TooCoarse, arb, rational_ends, round_down
from pomgcheck.search.finding import Finding, Labels

BITS = 256
DIGITS = 9


def distance(affinity: Fraction) -> Fraction | None:
    """Return a short rational c at most -log(affinity), ``None`` for 0. Raises ``TooCoarse`` where none is positive:
    the kernel's roots do not tell the affinity of two laws of play from 1."""
    if not affinity:
        return None
    low = rational_ends(-arb(affinity).log())[0]
    if low <= 0:
        raise TooCoarse
    return round_down(low, DIGITS)


def truths(order: Ranked, labels: Labels) -> Iterator[dict[str, Any]]:
    """Return what every model has before it in the list, as the certificate says it."""
    for x in order.models:
        entries, harmful = [], order.harmful(x)
        for p, others in sorted(harmful.items()):
            nearest = order.nearest(x, others)
            c = distance(order.affinity(x, nearest))
            entries.append(
                {
                    "pi": labels.policy(p),
                    "regret": str(order.regret(p, x)),
                    "xi": labels.xi(nearest),
                    "c": None if c is None else str(c),
                }
            )
        count = sum(map(len, harmful.values()))
        yield {"xi": labels.xi(x), "runs": order.runs(x), "harmful": count, "policies": entries}


def drafted(
    game: Game, options: Mapping[str, Any], walks: Sequence[Play], specified: Finding, settles: Finding
) -> Finding:
    """Return the claim, from its two premises: the class is well ``specified``, and the response ``settles``."""
    if "refuted" in (specified.verdict, settles.verdict):
        return Finding("vacuous", "a premise is refuted", evidence={"rule": "eval"})
    order, labels = Ranked(game, walks), Labels(game)
    dearest = max((order.regret(p, x), (x, p)) for x in order.models for p in range(len(walks)))
    D, (where, policy) = dearest
    if not D:
        return Finding("vacuous", "every policy is best in every model", evidence={"rule": "eval"})
    try:
        with flint.ctx.workprec(BITS):
            found = [*truths(order, labels)]
    except TooCoarse:
        return Finding("unknown", "two laws of play are too near to tell their affinity from 1")
    memory = (game.m or 1) if game.gamma is None else (game.gamma, game.H * Fraction(settles.values["L_g"]))
    listed = tuple(map(Truth.read, found))
    nested = Nested(len(found), Fraction(options["delta"]), span(game, game.worlds), memory, listed)
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
        | {name: short_up(value) for name, value in most.items()}
        | {"worth_T": str(first(lambda T: nested.regret(T) < D * T))},
        {"rule": "list", "truths": found, "always_best": [labels.policy(p) for p in always], "attained": attained},
        solvers={"python-flint": flint.__version__},
    )


def first(good: Callable[[int], bool]) -> int:
    """Return the least T at which something is so that goes on being so."""
    high = 1
    while not good(high):
        high *= 2
    return least(good, high // 2, high)
