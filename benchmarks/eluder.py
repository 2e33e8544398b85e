"""Eluder dimensions of the growing corridor: 50 worlds and 12 policies searched exactly, and the kernel's part.

    python benchmarks/eluder.py

Target: the exact search over the subsets of 12 policies, for the 50 reference models of the world channel, in 10
seconds, laws of play not counted.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

from benchmarks.growth import corridor
from benchmarks.learner import timed
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.claims import BY_ID
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.modelclass.document import load
from pomgcheck.options import Options
from pomgcheck.search.claims.eluder import eluder
from pomgcheck.search.claims.eluder_sequences import Budget, longest
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.play import played

T = 16384


def of_a_class(worlds: int, policies: int) -> None:
    """A corridor of one response: laws of play, search, kernel."""
    document = corridor(worlds, policies, 3, 3)
    document["responses"]["parameters"] = {"y": {"values": ["1/5"]}}
    game: Game = load(document).game
    t = Tables(game, "window")
    _, walks = timed(f"laws of play, {worlds} worlds, {policies} policies", lambda: played(game, "window", 10**6))
    _, found = timed("    exact search, every reference model", partial(eluder, t, walks, True, T))
    print(f"    {found.values}: {found.method}")
    options = Options(T=T).document
    facts = Facts(game, options)
    timed("    the kernel's laws of play", lambda: facts.plays)
    timed("    the kernel's bracket", lambda: BY_ID["eluder-world"].outcome(Case(facts, "eluder-world", {})))


def of_random_functions(functions: int, policies: int, tables: int) -> None:
    """Independent random functions, where no bound comes near: ``tables`` reference models one after another."""
    draw = Random(0)
    rows = [[[draw.randint(1, 10**6) ** 2 for _ in range(policies)] for _ in range(functions)] for _ in range(tables)]

    def search() -> int:
        best = 0
        for squares in rows:
            chain, certain = longest(squares, Fraction(0), best, Budget(10**12))
            assert certain
            best = max(best, len(chain.queries) if chain else 0)
        return best

    _, best = timed(f"random: {functions} functions, {policies} policies, {tables} reference models", search)
    print(f"    dimension {best}")


def main() -> None:
    """Print the table."""
    of_a_class(50, 12)
    of_random_functions(50, 12, 50)
    of_random_functions(50, 16, 5)


if __name__ == "__main__":
    main()
