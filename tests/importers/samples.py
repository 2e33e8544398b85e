"""Small files in every syntax, and a second reading of what they mean: play by plain enumeration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from pomgcheck.importers.process import Process
from pomgcheck.kernel.game import Game, World

# Two rooms, a door and a lamp; the reward depends on all of (s, a, s', o).
ROOMS = """# two rooms
discount: 0.5
values: reward
states: dark lit
actions: stay go
observations: dim bright
start: 0.25 0.75
T: stay
identity
T: go
0.1 0.9
0.6 0.4
O: *
0.8 0.2
0.3 0.7
R: * : * : * : * 0
R: go : dark : lit : * 4
R: go : dark : lit : bright 6
R: stay : lit : lit : bright -2
"""

# The same in other clothes: counts for names, entries and rows, colons before numbers, comments, costs, breaks.
ROOMS_NUMBERED = """discount : .5   values:cost
states: 2 actions: 2 # a comment: T: 0
observations
: 2
start: 0.25
  75e-2
T: * : * : * 0.0
T: 0 : 0 : 0 : 1
T: 0 : 1 : 1 1.0
T: 1 : 0
0.1 +0.9
T: 1
0.5 0.5   # overwritten below, row by row
0.6 0.4
T: 1 : 0 0.1 0.9
O: 0
0.8 0.2
0.3 0.7
O: 1 : 0 : 0 0.8
O: 1 : 0 : 1 : 0.2
O : 1 : 1
0.3 0.7
R: 1 : 0 : 1 -4 -6
R: 0 : 1
0 0
0 2"""

# Two agents; what they see is correlated, so that it is no product.
MEETING = """agents: 2
discount: 1
values: reward
states: apart together
start:
uniform
actions:
wait walk
2
observations:
alone met
2
T: * :
uniform
T: wait 0 :
identity
T: walk 1 : apart : together : 0.75
T: walk 1 : apart : apart : 0.25
O: * : apart : alone 0 : 1
O: * : together :
0.25 0.25 0.25 0.25
O: walk * : together :
0.4 0.1 0.1 0.4
R: * : * : * : * : 0
R: walk * : apart : together : * : 3
R: * 1 : together : * : met * : 1
"""

# Matching pennies of two coins, after a chance move that player 1 sees.
PENNIES = """EFG 2 R "pennies" { "First" "Second" } "a comment"
c "coin" 1 "toss" { "heads" 1/3 "tails" 2/3 } 0
p "" 1 1 "saw heads" { "show" "hide" } 0
p "" 2 1 "asked" { "believe" "doubt" } 0
t "" 1 "yes" { 2, -2 }
t "" 2 "no" { -1 1, }
p "" 2 1 0
t "" 2
t "" 1
p "" 1 2 "saw tails" { "show" "hide" } 3 "fee" { -1/2 1/2 }
p "" 2 1 0
t "" 2
t "" 1
p "" 2 1 0
t "" 1
t "" 2
"""


def write(folder: Path, text: str, name: str = "sample.pomdp") -> Path:
    """The text as a file."""
    path = folder / name
    path.write_bytes(text.encode())
    return path


def process_play(
    process: Process, actions: Sequence[int], answers: Sequence[int]
) -> dict[tuple[tuple[int, Fraction], ...], Fraction]:
    """The law of (observation, reward) of every move under fixed actions of both, from the file's own semantics."""
    law: dict[tuple[int, tuple[tuple[int, Fraction], ...]], Fraction] = {(s, ()): p for s, p in process.start.items()}
    for a, b in zip(actions, answers, strict=True):
        after: dict[tuple[int, tuple[tuple[int, Fraction], ...]], Fraction] = {}
        for (s, seen), p in law.items():
            for t, move in process.move(s, a, b).items():
                for sight, chance in process.see(a, b, t).items():
                    key = t, (*seen, (sight[0], process.reward(s, a, b, t, sight)))
                    after[key] = after.get(key, Fraction(0)) + p * move * chance
        law = after
    total: dict[tuple[tuple[int, Fraction], ...], Fraction] = {}
    for (_, seen), p in law.items():
        total[seen] = total.get(seen, Fraction(0)) + p
    return total


def game_play(
    game: Game, world: World, actions: Sequence[int], answers: Sequence[int]
) -> dict[tuple[str, ...], Fraction]:
    """The law of the learner's observations under fixed actions of both, from the game's tables."""
    law: dict[tuple[int, tuple[str, ...]], Fraction] = {(s, ()): p for s, p in enumerate(game.rho0) if p}
    for h in range(game.H):
        after: dict[tuple[int, tuple[str, ...]], Fraction] = {}
        for (s, seen), p in law.items():
            for o, chance in enumerate(world.EA[h][s]):
                for t, move in enumerate(world.T[h][s][actions[h]][answers[h]]):
                    if chance and move:
                        key = t, (*seen, game.OA[o])
                        after[key] = after.get(key, Fraction(0)) + p * chance * move
        law = after
    total: dict[tuple[str, ...], Fraction] = {}
    for (_, seen), p in law.items():
        total[seen] = total.get(seen, Fraction(0)) + p
    return total


def value(game: Game, world: World, policy: int, response: Any) -> Fraction:
    """The exact value of a policy with window 1 against response tables [h][ob][b]."""
    law = dict(enumerate(game.rho0))
    total = Fraction(0)
    for h in range(game.H):
        after: dict[int, Fraction] = dict.fromkeys(range(len(game.S)), Fraction(0))
        for s, p in law.items():
            for o, seen in enumerate(world.EA[h][s]) if p else ():
                total += p * seen * game.reward[h][o]
                for ob, heard in enumerate(world.EB[h][s]) if seen else ():
                    for a, plays in enumerate(game.policies[policy][h][o]):
                        for b, answers in enumerate(response[h][ob]):
                            weight = p * seen * heard * plays * answers
                            for t, move in enumerate(world.T[h][s][a][b]) if weight else ():
                                after[t] += weight * move
        law = after
    return total


def numbers(table: Mapping[str, str]) -> dict[str, Fraction]:
    """A row of an authoring document as numbers."""
    return {key: Fraction(text) for key, text in table.items()}
