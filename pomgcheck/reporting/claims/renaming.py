"""Tells two worlds that are one with its hidden states renamed."""

from __future__ import annotations

from itertools import permutations, product

from pomgcheck.kernel.game import Game, World
from pomgcheck.reporting.claims.told import Cause
from pomgcheck.reporting.spans import Label, listed, say

MOST_STATES = 6  # renamings are looked for up to this many states


def renaming(game: Game, left: World, right: World) -> tuple[int, ...] | None:
    """Return a renaming of the states, not the identity, that turns ``left`` into ``right`` and keeps rho_0."""
    S, A, B, H = range(len(game.S)), range(len(game.A)), range(len(game.B)), range(game.H)
    if len(S) > MOST_STATES or left == right:
        return None

    def same(new: tuple[int, ...]) -> bool:
        return (
            all(game.rho0[s] == game.rho0[new[s]] for s in S)
            and all(left.EA[h][s] == right.EA[h][new[s]] and left.EB[h][s] == right.EB[h][new[s]] for h in H for s in S)
            and all(
                left.T[h][s][a][b][t] == right.T[h][new[s]][a][b][new[t]] for h, s, a, b, t in product(H, S, A, B, S)
            )
        )

    return next(filter(same, permutations(S)), None)


def renamed(game: Game) -> list[Cause]:
    """Return the cause that two worlds are one up to the names of the hidden states, if that is so."""
    if len(game.worlds) < 2:
        return []
    new = renaming(game, *game.worlds)
    if new is None:
        return []
    pairs = [
        say("{s} in the first is {t} in the second", s=Label(game.S[s]), t=Label(game.S[new[s]]))
        for s in range(len(new))
        if s != new[s]
    ]
    why = "The two worlds are one with its hidden states renamed: {pairs}. No observation can tell them apart."
    repair = "Keep one of the two parameter points: they describe the same game."
    return [Cause(say(why, pairs=listed(pairs)), say(repair))]
