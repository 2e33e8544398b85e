"""Tells counterexamples as small game trees: what may happen step by step, and how likely it is on either side.

A tree explains; it decides nothing.  Its numbers are computed from the tables of the model inside the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from pomgcheck.certificate import Certificate
from pomgcheck.evidence import Xi
from pomgcheck.kernel.game import Game
from pomgcheck.reporting.blocks import Branch, walk
from pomgcheck.reporting.evaluation import game_at, remembering, row_of
from pomgcheck.reporting.numbers import decimal

MOST_LINES = 32  # of a tree; what does not fit leaves out who sees what, then the hidden states
SHORT = 12  # characters of a probability written as a fraction
LETTERS = "AB"

Belief = dict[tuple[int, tuple[str, ...]], Fraction]  # (hidden state, the adversary's memory) -> mass


class ComparedModel(NamedTuple):
    """This is one of the two models that are compared: it has its tables, and what is known before a step."""

    game: Game
    world: int
    response: int
    policy: int
    belief: Belief

    def shown(self, h: int) -> list[Fraction]:
        """Return the probability of each learner observation at step ``h`` (from 0), given what came before."""
        table, total = self.game.worlds[self.world].EA[h], sum(self.belief.values())
        return [
            sum((mass * table[s][o] for (s, _), mass in self.belief.items()), Fraction(0)) / total
            for o in range(len(self.game.OA))
        ]

    def moves(self, h: int, o: int, a: int) -> Iterator[Move]:
        """Return all that may happen at step ``h`` behind the learner's ``o`` and ``a``."""
        game, table = self.game, self.game.worlds[self.world]
        answers = game.responses[self.response][self.policy][h]
        for (s, memory), mass in self.belief.items():
            for oB, emission in enumerate(table.EB[h][s]):
                row = answers[row_of(game, "window", memory, game.OB[oB])]
                for b, answer in enumerate(row):
                    for t, move in enumerate(table.T[h][s][a][b]):
                        channel = mass * table.EA[h][s][o] * emission * move
                        if channel:
                            yield Move(s, memory, oB, b, t, channel, channel * answer)

    def after(self, h: int, o: int, a: int) -> ComparedModel:
        """Return what is known once the step is over."""
        belief: Belief = {}
        game, space = self.game, "history" if self.game.adversary_window is None else "window"  # no more than is read
        for move in self.moves(h, o, a):
            if move.mass:
                key = move.t, remembering(game, space, move.memory, game.OB[move.oB], game.B[move.b])
                belief[key] = belief.get(key, Fraction(0)) + move.mass
        return self._replace(belief=belief)


class Move(NamedTuple):
    """This is what may happen at a step: it has its mass, and its mass were the adversary sure to play ``b``."""

    s: int
    memory: tuple[str, ...]
    oB: int
    b: int
    t: int
    channel: Fraction
    mass: Fraction


Level = tuple[str, Callable[[Game, Move], str]]  # whose move, and what it says
STATE: Level = (
    "chance",
    lambda game, move: (
        f"hidden state {game.S[move.s]}" + (f" (it remembers {', '.join(move.memory)})" if move.memory else "")
    ),
)
SEEN: Level = ("chance", lambda game, move: f"adversary sees {game.OB[move.oB]}")
PLAYED: Level = ("adversary", lambda game, move: f"adversary plays {game.B[move.b]}")
NEXT: Level = ("chance", lambda game, move: f"next state {game.S[move.t]}")
LEVELS = ((STATE, SEEN, PLAYED, NEXT), (STATE, PLAYED, NEXT), (PLAYED, NEXT), (NEXT,))


def chance(mover: str, words: str, values: Sequence[Fraction | None], then: tuple[Branch, ...] = ()) -> Branch:
    """Return a branch with its probability on either side."""
    return Branch(mover, words, tuple(map(text, values)), len(set(values)) > 1, then)


def text(value: Fraction | None) -> str:
    """Return a probability to read: exact where that is short."""
    return "–" if value is None else str(value) if len(str(value)) <= SHORT else f"≈{decimal(value, digits=4)}"


def step(both: Sequence[ComparedModel], h: int, o: int, a: int) -> tuple[Branch, ...]:
    """Return what may happen behind the learner's ``o`` and ``a`` at step ``h``, with as many levels as fit, and with
    the last level alone where nothing differs."""
    moves = [list(side.moves(h, o, a)) for side in both]
    sums = [masses(each) for each in moves]
    found = [grouped(both[0].game, levels, moves, sums) for levels in LEVELS]
    if not any(node.differs for _, node in walk(found[0])):
        return found[-1]
    return next((branches for branches in found if len(list(walk(branches))) <= MOST_LINES), found[-1])


def masses(moves: Sequence[Move]) -> tuple[Fraction, Fraction]:
    """Return the mass of all the moves together: were the adversary sure to play so, and as it is."""
    zero = Fraction(0)
    return sum((move.channel for move in moves), zero), sum((move.mass for move in moves), zero)


def grouped(
    game: Game, levels: Sequence[Level], moves: Sequence[Sequence[Move]], above: Sequence[tuple[Fraction, Fraction]]
) -> tuple[Branch, ...]:
    """Return the moves of both sides by the first level, and below it by the others.

    A probability is that of the move given what is above it; below an action that is never played, it is what it would
    be. What the adversary sees is left out where that is always the same, and what never happens where it is alike.
    """
    if not levels:
        return ()
    (mover, says), *rest = levels
    names = list(dict.fromkeys(says(game, move) for side in moves for move in side))
    if levels[0] is SEEN and len(names) == 1:
        return grouped(game, rest, moves, above)
    happens = any(mass for _, mass in above)
    out = []
    for name in names:
        here = [[move for move in side if says(game, move) == name] for side in moves]
        sums = [masses(side) for side in here]
        given = [
            mass / whole if whole else channel / free if free and not happens else None
            for (channel, mass), (free, whole) in zip(sums, above, strict=True)
        ]
        branch = chance(mover, name, given, grouped(game, rest, here, sums))
        if any(mass for _, mass in sums) or not happens or any(node.differs for _, node in walk([branch])):
            out.append(branch)
    return tuple(out)


def observed(
    game: Game, laws: Sequence[Sequence[Fraction | None]], kept: int | None = None, then: tuple[Branch, ...] = ()
) -> tuple[Branch, ...]:
    """Return the learner's observations with their probabilities; ``then`` follows the one that is ``kept``."""
    return tuple(
        chance("chance", f"learner sees {label}", [law[o] for law in laws], then if o == kept else ())
        for o, label in enumerate(game.OA)
        if o == kept or any(law[o] for law in laws)
    )


def path(
    both: Sequence[ComparedModel],
    h: int,
    trajectory: Sequence[str],
    end: Callable[[int, list[ComparedModel], tuple[int, int]], tuple[Branch, ...]],
) -> tuple[Branch, ...]:
    """Return the learner's steps from ``h`` on one below the other, beside each what else it might have seen.

    ``end(h, sides, (o, a))`` is what stands below the last.
    """
    game = both[0].game
    o, a = game.OA.index(trajectory[0]), game.A.index(trajectory[1])
    laws = [side.shown(h) if side.belief else [None] * len(game.OA) for side in both]
    after = [side.after(h, o, a) for side in both]
    later = path(after, h + 1, trajectory[2:], end) if trajectory[2:] else end(h, list(both), (o, a))
    return observed(game, laws, o, (Branch("learner", f"learner plays {game.A[a]}", then=later),))


def columns(*what: str) -> tuple[tuple[str, str], ...]:
    """Return what each letter stands for."""
    return tuple(zip(LETTERS, what, strict=True))


def sides(cert: Certificate, pi: str, *models: Xi) -> list[ComparedModel]:
    """Return models (``theta``, ``Phi``) under one policy, before the first step."""
    out = []
    for xi in models:
        game = game_at(cert.model, [xi.theta], [xi.Phi])
        start: Belief = {(s, ()): mass for s, mass in enumerate(game.rho0) if mass}
        out.append(ComparedModel(game, 0, 0, game.policy_names.index(pi), start))
    return out
