"""Counterexamples as small game trees: what may happen step by step, and how likely it is on either side.

A tree explains; it decides nothing.  Its numbers are computed from the tables of the model inside the certificate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pomgcheck.kernel.game import Game
from pomgcheck.reporting.blocks import Branch, Tree, tree, walk
from pomgcheck.reporting.diagnosis import remembered
from pomgcheck.reporting.evaluation import game_at, row_of
from pomgcheck.reporting.numbers import decimal, fraction
from pomgcheck.reporting.words import model, point

MOST_LINES = 32  # of a tree; what does not fit leaves out who sees what, then the hidden states
SHORT = 12  # characters of a probability written as a fraction
LETTERS = "AB"

Certificate = Mapping[str, Any]
Witness = Mapping[str, Any]
Belief = dict[tuple[int, tuple[str, ...]], Fraction]  # (hidden state, the adversary's memory) -> mass


class Side(NamedTuple):
    """One of the two models that are compared: its tables, and what is known before a step."""

    game: Game
    world: int
    response: int
    policy: int
    belief: Belief

    def shown(self, h: int) -> list[Fraction]:
        """Probability of each learner observation at step ``h`` (from 0), given what came before."""
        table, total = self.game.worlds[self.world].EA[h], sum(self.belief.values())
        return [
            sum((mass * table[s][o] for (s, _), mass in self.belief.items()), Fraction(0)) / total
            for o in range(len(self.game.OA))
        ]

    def moves(self, h: int, o: int, a: int) -> Iterator[Move]:
        """All that may happen at step ``h`` behind the learner's ``o`` and ``a``."""
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

    def after(self, h: int, o: int, a: int) -> Side:
        """What is known once the step is over."""
        belief: Belief = {}
        for move in self.moves(h, o, a):
            if move.mass:
                key = move.t, remembered(self.game, move.memory, move.oB, move.b)
                belief[key] = belief.get(key, Fraction(0)) + move.mass
        return self._replace(belief=belief)


class Move(NamedTuple):
    """What may happen at a step: its mass, and its mass were the adversary sure to play ``b``."""

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
    """A branch with its probability on either side."""
    return Branch(mover, words, tuple(map(text, values)), len(set(values)) > 1, then)


def text(value: Fraction | None) -> str:
    """A probability to read: exact where that is short."""
    return "–" if value is None else str(value) if len(str(value)) <= SHORT else f"≈{decimal(value, digits=4)}"


def step(both: Sequence[Side], h: int, o: int, a: int) -> tuple[Branch, ...]:
    """What may happen behind the learner's ``o`` and ``a`` at step ``h``: as many levels as fit, the last alone where
    nothing differs."""
    moves = [list(side.moves(h, o, a)) for side in both]
    sums = [masses(each) for each in moves]
    found = [grouped(both[0].game, levels, moves, sums) for levels in LEVELS]
    if not any(node.differs for _, node in walk(found[0])):
        return found[-1]
    return next((branches for branches in found if len(list(walk(branches))) <= MOST_LINES), found[-1])


def masses(moves: Sequence[Move]) -> tuple[Fraction, Fraction]:
    """Of all the moves together: were the adversary sure to play so, and as it is."""
    zero = Fraction(0)
    return sum((move.channel for move in moves), zero), sum((move.mass for move in moves), zero)


def grouped(
    game: Game, levels: Sequence[Level], moves: Sequence[Sequence[Move]], above: Sequence[tuple[Fraction, Fraction]]
) -> tuple[Branch, ...]:
    """The moves of both sides by the first level, and below it by the others.

    A probability is that of the move given what is above it; below an action that is never played, what it would be.
    What the adversary sees is left out where that is always the same, and what never happens where it is alike.
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
    """The learner's observations with their probabilities; ``then`` follows the one that is ``kept``."""
    return tuple(
        chance("chance", f"learner sees {label}", [law[o] for law in laws], then if o == kept else ())
        for o, label in enumerate(game.OA)
        if o == kept or any(law[o] for law in laws)
    )


def path(
    both: Sequence[Side],
    h: int,
    trajectory: Sequence[str],
    end: Callable[[int, list[Side], tuple[int, int]], tuple[Branch, ...]],
) -> tuple[Branch, ...]:
    """The learner's steps from ``h`` on one below the other, beside each what else it might have seen.

    ``end(h, sides, (o, a))`` is what stands below the last.
    """
    game = both[0].game
    o, a = game.OA.index(trajectory[0]), game.A.index(trajectory[1])
    laws = [side.shown(h) if side.belief else [None] * len(game.OA) for side in both]
    after = [side.after(h, o, a) for side in both]
    later = path(after, h + 1, trajectory[2:], end) if trajectory[2:] else end(h, list(both), (o, a))
    return observed(game, laws, o, (Branch("learner", f"learner plays {game.A[a]}", then=later),))


def columns(*what: str) -> tuple[tuple[str, str], ...]:
    """What each letter stands for."""
    return tuple(zip(LETTERS, what, strict=True))


# ------------------------------------------------------------------------------------ the witnesses


def weak_revealing(cert: Certificate, w: Witness) -> Tree:
    """Assumption 2.4: one predictive state in two worlds."""
    game = game_at(cert["model"], [w["theta"], w["theta_prime"]], [w["Phi"]])
    observations = cert["options"]["space"] == "history" and game.adversary_window is not None
    belief: Belief = {}
    for s, memory, mass in w["q"]:
        key = game.S.index(s), tuple(memory[::2] if observations else memory)  # as the response table reads it
        belief[key] = belief.get(key, Fraction(0)) + fraction(mass)
    h, p = w["h"] - 1, game.policy_names.index(w["pi"])
    both = [Side(game, min(k, len(game.worlds) - 1), 0, p, belief) for k in range(2)]
    now = path(both, h, (w["o"], w["a"]), lambda h, sides, pair: step(sides, h, *pair))
    o, a = game.OA.index(w["o"]), game.A.index(w["a"])
    laws = [side.after(h, o, a).shown(h + 1) for side in both]
    branches = (
        Branch("", f"At step {w['h']}", then=now),
        Branch("", f"Then, at step {w['h'] + 1}", then=observed(game, laws)),
    )
    return tree(
        columns(f"world {point(w['theta'])}", f"world {point(w['theta_prime'])}"),
        branches,
        "Game tree of the step: what is marked differs between the worlds",
    )


def sides(cert: Certificate, pi: str, *models: Witness) -> list[Side]:
    """Models (``theta``, ``Phi``) under one policy, before the first step."""
    out = []
    for xi in models:
        game = game_at(cert["model"], [xi["theta"]], [xi["Phi"]])
        start: Belief = {(s, ()): mass for s, mass in enumerate(game.rho0) if mass}
        out.append(Side(game, 0, 0, game.policy_names.index(pi), start))
    return out


def trajectory(cert: Certificate, w: Witness) -> Tree:
    """Assumption 3.1(c) or (d): possible under one model, impossible under the other."""
    below = path(sides(cert, w["pi"], w["xi"], w["xi_prime"]), 0, w["trajectory"], lambda *last: ())
    return tree(
        columns(f"model {model(w['xi']).text}", f"model {model(w['xi_prime']).text}"),
        (Branch("", "From step 1 on", then=below),),
        "Game tree of the trajectory: one of its observations has probability 0 under model B alone",
    )


def conversion(cert: Certificate, w: Witness) -> Tree:
    """Assumption 3.1(e): one law of play, and what differs behind it at the last step of the trajectory."""
    both = sides(cert, w["pi"], w["xi_star"], w["xi"])
    below = path(both, 0, w["trajectory"], lambda h, now, pair: step(now, h, *pair))
    return tree(
        columns(f"model {model(w['xi_star']).text}", f"model {model(w['xi']).text}"),
        (Branch("", "From step 1 on", then=below),),
        "Game tree of the trajectory: the learner sees everything equally often under both models, and what is "
        "marked differs behind it",
    )


def posterior_lipschitz(cert: Certificate, w: Witness) -> Tree | None:
    """Assumption 2.3 at one adversary history: one posterior, two answers."""
    if not (isinstance(w["pi"], str) and isinstance(w["posteriors"][0][0], str)):
        return None
    game = cert["model"]["game"]

    def law(mover: str, labels: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[Branch, ...]:
        who = "learner" if mover == "chance" else mover
        pairs = zip(labels, zip(*(map(fraction, row) for row in rows), strict=True), strict=True)
        return tuple(chance(mover, f"{who} plays {label}", values) for label, values in pairs if any(values))

    branches = (
        Branch("", f"What it can infer at step {w['h']}", then=law("chance", game["learner_actions"], w["posteriors"])),
        Branch("", "How it answers", then=law("adversary", game["adversary_actions"], w["responses"])),
    )
    return tree(
        columns(f"policy {w['pi']}", f"policy {w['nu']}"),
        branches,
        "Game tree of the adversary's step: it infers the same from both policies and answers differently",
    )


TREES: dict[str, Callable[[Certificate, Witness], Tree | None]] = {
    "posterior-lipschitz": posterior_lipschitz,
    "weak-revealing": weak_revealing,
    "bounded-increments": trajectory,
    "predictive-states": trajectory,
    "kl-joint": conversion,
    "kl-world": conversion,
}


def drawn(cert: Certificate, claim: Mapping[str, Any]) -> list[Tree]:
    """The tree of a refuted claim's witness, where it has one that can be taken in at a glance."""
    if "operators" in cert["model"] or claim["id"] not in TREES:
        return []
    found = TREES[claim["id"]](cert, claim["witness"])
    return [found] if found is not None and len(found.lines) <= 2 * MOST_LINES else []
