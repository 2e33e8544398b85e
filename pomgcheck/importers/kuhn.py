"""Makes Kuhn poker's own families: equilibria and other plays of the first player, and an opponent who exploits them.

A deck of three cards, one each and an ante; Pass and Bet are check and bet, or fold and call.  The second player's only
equilibrium bets a third of its jacks after a check and calls with a third of its queens; the first player's are a
family in alpha from 0 to 1/3 (H. W. Kuhn, *A simplified two-person poker*, 1950).  The opponent here moves both rates
from that third towards its best answer to the policy that it faces, or away from it: it plays its equilibrium against
every equilibrium, and is bolder or tamer against the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction as F
from typing import NamedTuple

from pomgcheck.errors import InputError
from pomgcheck.importers.choices import read_axis
from pomgcheck.importers.scene import GameScene, Section
from pomgcheck.kernel.game import Game

CARDS = "JQK"
PASS, BET = "Pass", "Bet"
SITUATIONS = {f"{card}{said}" for card in CARDS for said in ("", "pb")}  # of the first player: its card, what was said
ANSWERS = {f"{card}{said}" for card in CARDS for said in "pb"}  # of the second
ALPHAS = (F(0), F(1, 6), F(1, 3))
THIRD = F(1, 3)


class Rates(NamedTuple):
    """These say how often the first player bets a jack, bets a king, and calls with a queen."""

    bluff: F
    value: F
    call: F


OTHERS = {
    "timid": Rates(F(0), F(1), F(0)),
    "trapping": Rates(F(0), F(0), F(1)),
    "calling": Rates(F(0), F(1), F(1)),
    "bluffing": Rates(F(2, 3), F(1), THIRD),
    "wild": Rates(F(1), F(1), F(1)),
}


def spoken(label: str) -> str:
    """Return OpenSpiel's labels with the cards by name: ``K`` for ``Deal:2``, ``Qpb`` for ``1pb``."""
    return re.sub(r"^(?:Deal:)?([012])", lambda found: CARDS[int(found[1])], label)


def fits(scene: GameScene) -> bool:
    """Return whether the game is Kuhn poker with the first player as the learner."""
    return set(scene.choices) == SITUATIONS and ANSWERS <= set(scene.answers)


def equilibrium(alpha: F) -> Rates:
    """Return the equilibrium alpha, from 0 to 1/3."""
    return Rates(alpha, 3 * alpha, alpha + THIRD)


def policies(scene: GameScene, kind: str) -> Section:
    """Return the section ``policies`` of ``equilibrium`` or ``equilibrium:alpha=0,1/6``: these equilibria, then the
    others."""
    if not fits(scene):
        raise InputError("policies", kind, "openspiel:kuhn_poker with player 1 the learner", 'policies="reactive"')
    _, colon, axis = kind.partition(":")
    name, alphas = read_axis(axis, "policies", kind) if colon else ("alpha", ALPHAS)
    for alpha in alphas:
        if name != "alpha" or not 0 <= alpha <= THIRD:
            raise InputError("policies", repr(kind), "equilibrium:alpha=VALUE,... with values from 0 to 1/3")
    plays = {f"alpha={alpha}": equilibrium(alpha) for alpha in alphas} | OTHERS
    return {"window": 1, "list": {name: _plan(rates) for name, rates in plays.items()}}


def _plan(rates: Rates) -> Section:
    bets = {"J": rates.bluff, "K": rates.value, "Qpb": rates.call, "Kpb": F(1)}
    return {"*": {PASS: "1"}} | {situation: bet(str(p), p) for situation, p in bets.items() if p}


def bet(often: str, value: F | None = None) -> dict[str, str]:
    """Return the row that bets with this probability, an expression; ``value`` is its value, where that is known."""
    if value == 1:
        return {BET: "1"}
    return {PASS: f"1-({often})" if value is None else str(1 - value), BET: often}


def exploiting(game: Game, name: str) -> list[Section]:
    """Return the opponent's rows for each policy: 1/3 + NAME*gain/6 of bluffs with a jack and of calls with a queen.

    A gain is what one more of them wins against the policy, weighed by how often it comes to that: from -2 to 4 chips
    for bluffs, and from -1 to 3 for calls.
    """
    if game.learner_window != 1:
        raise InputError("responses", "exploit", "policies of window 1")
    return [_answer(game, policy, name) for policy in game.policies]


def _answer(game: Game, policy: Sequence[Sequence[Sequence[F]]], name: str) -> Section:
    bets = game.A.index(BET)
    first = game.H - 4  # the first player's turns are this step and the next but one

    def often(situation: str) -> F:
        return policy[first + 2 if situation.endswith("pb") else first][game.OA.index(situation)][bets]

    bluff = sum((1 - often(card)) * (2 - 3 * often(f"{card}pb")) for card in "QK")
    call = 3 * often("J") - often("K")
    certain = {situation: {PASS: "1"} for situation in ("Jb", "Qp")} | {x: {BET: "1"} for x in ("Kp", "Kb")}
    return {"*": {PASS: "1"}} | certain | {"Jp": bet(_moved(F(bluff), name)), "Qb": bet(_moved(call, name))}


def _moved(gain: F, name: str) -> str:
    return f"1/3{'-' if gain < 0 else '+'}{abs(gain) / 6}*{name}" if gain else "1/3"
