"""Theorem 2.5, the OOM identity: operators give the law of observations given actions, shown one step at a time.

On every pure state (s, memory) that play can reach, G W is the protocol's own step, and its total mass is the chance of
the observation.  Both sides of the identity start at rho_0, so by induction over the steps G W ... G W q_0 is the mass
of latent paths, collected by state and memory, after every learner sequence (formal/Memory.v proves this induction).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..budget import spend
from ..case import PROVED, Case, Claim, Outcome
from ..game import Game, Row, World
from ..operators import G, Memory, Vector, W, add, total
from ..rows import numbered

# What a history of the adversary leaves to its later answers (the last window-1 observations, or all of it), and the
# memory that the operators keep of the same history -> the states it can end in.
Reached = dict[tuple[Memory, Memory], set[int]]


def outcome(case: Case) -> Outcome:
    """Compare one step of the operators with one step of the protocol, from every pure state, for every a.

    Both are E^A(o|s) times what does not depend on o, so they are compared at one o that s can show.
    """
    game, space, tables = case.facts.game, case.facts.space, case.facts.scaled
    reached: Reached = {((), ()): {s for s, _ in tables.initial()}}
    for h in range(game.H):
        worlds = [{(w.EA[h][s], w.EB[h][s], w.T[h][s]): w for w in tables.worlds} for s in range(len(game.S))]
        after: Reached = {}
        for (past, memory), states in reached.items():
            rows = [row(game, (*past, oB)) for oB in range(len(game.OB))]
            if rows != [space.row(memory, oB, False) for oB in range(len(game.OB))]:
                return Outcome("refuted", {})  # G would read another row than the history has
            answers = {tuple(g[h][r] for r in rows): g for response in tables.responses for g in response}
            places = ((s, a, world) for s in states for world in worlds[s].values() for a in range(len(game.A)))
            for s, a, world in places:
                o = next(o for o, seen in numbered(world.EA[h][s]) if seen)
                channel = W(world, h, o, a, {(s, memory): 1})
                for answer, g in answers.items():
                    played: Vector = {}
                    for oB, b, s_next, mass in step(world, h, s, o, a, answer):
                        kept = space.next(memory, oB, b, False)
                        add(played, (s_next, kept), mass)
                        after.setdefault((onward(game, past, oB, b), kept), set()).add(s_next)
                    found = G(space, g, h, channel)
                    spend(20 + 6 * len(found), "steps of the OOM identity")
                    if found != played or total(found) * tables.EA - world.EA[h][s][o] * tables.J:
                        return Outcome("refuted", {})
        reached = after
    return PROVED


def step(world: World, h: int, s: int, o: int, a: int, answer: tuple[Row, ...]) -> Iterator[tuple[int, int, int, Any]]:
    """Yield one step of the game from state ``s`` in which the learner sees ``o`` and plays ``a``, as (o^B, b, s',
    mass).

    The adversary sees o^B, ``answer[o^B]`` is the law of its action b, and the state moves.
    """
    for oB, emission in numbered(world.EB[h][s]) if world.EA[h][s][o] else ():
        for b, response in enumerate(answer[oB]) if emission else ():
            for s_next, move in numbered(world.T[h][s][a][b]):
                if mass := world.EA[h][s][o] * emission * response * move:
                    yield oB, b, s_next, mass


def row(game: Game, read: Memory) -> int:
    """Return the row of a response table for what is read of the history and the observation now, with the oldest
    digit first."""
    index = 0
    for k, digit in enumerate(read):
        index = index * (len(game.B) if game.adversary_window is None and k % 2 else len(game.OB)) + digit
    return index


def onward(game: Game, past: Memory, oB: int, b: int) -> Memory:
    """Return what later answers can read of the history after one more step."""
    window = game.adversary_window
    return (*past, oB, b) if window is None else (*past, oB)[max(0, len(past) + 2 - window) :]


CLAIM = Claim("oom-identity", "Theorem 2.5", outcome)
