"""Small model classes in canonical form, written out or drawn at random."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from pomgcheck.kernel.game import Game
from pomgcheck.learner.confidence import ConfidenceRadius
from pomgcheck.learner.epochs import Epoch, Learner, epochs
from pomgcheck.learner.problem import LearningProblem

Draw = Callable[[st.SearchStrategy[Any]], Any]
Document = dict[str, Any]


def bandit(worlds: Document, arms: int, memory: int = 1, reaction: str | None = None) -> Document:
    """An embedded bandit (Section 4): arm i wins with chance ``mu<i>``, and reward 1 is for a win.

    ``worlds``: its ``parameters`` or ``points``.  With a ``reaction`` the opponent halves the chance of winning of any
    arm but a0 with that probability, a mean over its memory."""
    names = [f"a{i}" for i in range(arms)]
    kinds = [("", "1")] if reaction is None else [("+", "1"), ("-", "1/2")]  # whole chance, half chance
    states = ["start", *(f"{name}{kind}" for name in names for kind, _ in kinds)]

    def to(target: str) -> list[str]:
        return ["1" if state == target else "0" for state in states]

    def leads(name: str) -> list[list[str]]:
        return [to(f"{name}{kind}") for kind, _ in kinds]

    wins = [f"mu{i}*{part}" for i in range(arms) for _, part in kinds]
    answer = ["1"] if reaction is None else [f"1-{reaction}", reaction]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "bandit",
        "game": {
            "horizon": 2,
            "states": states,
            "learner_actions": names,
            "adversary_actions": ["spare", "halve"][: len(kinds)],
            "learner_observations": ["go", "lose", "win"],
            "adversary_observations": ["dark"],
            "reward": ["0", "0", "1"],
        },
        "worlds": worlds
        | {
            "initial": to("start"),
            "transition": [[leads(name) for name in names] for _ in states],
            "learner_emission": [["1", "0", "0"], *(["0", f"1-{win}", win] for win in wins)],
            "adversary_emission": [["1"] for _ in states],
        },
        "responses": {
            "memory": memory,
            "block_rule": "mean",
            "window": 1,
            "parameters": {},
            "table": {name: [["1", "0"][: len(kinds)] if name == "a0" else answer] for name in names},
        },
        "policies": {"window": 1, "list": {name: [["1" if a == name else "0" for a in names]] * 3 for name in names}},
    }


def means(*chances: str) -> dict[str, str]:
    """A world of the bandit."""
    return {f"mu{i}": chance for i, chance in enumerate(chances)}


def watch(truth: bool = True, **changes: Any) -> Document:
    """The smallest class that certifies with something to learn: two worlds, one response, two policies, H = 2.

    Idling ends calm with chance 1/4 + x, patrolling with 9/20: at x = 1/2 it is better to idle, in truth x = 0."""
    stay = [[["1/4+x", "3/4-x"], ["1/4+x", "3/4-x"]], [["1/4", "3/4"], ["1/2", "1/2"]]]  # [a][b][s']
    document: Document = {
        "format": "pomgcheck-model-class/1",
        "name": "watch",
        "game": {
            "horizon": 2,
            "states": ["calm", "alarm"],
            "learner_actions": ["idle", "patrol"],
            "adversary_actions": ["wait", "attack"],
            "learner_observations": ["quiet", "noise"],
            "adversary_observations": ["dark"],
            "reward": ["1", "0"],
        },
        "worlds": {
            "parameters": {"x": {"values": ["0", "1/2"]}},
            "initial": ["1/2", "1/2"],
            "transition": [stay, stay],
            "learner_emission": [["9/10", "1/10"], ["1/10", "9/10"]],
            "adversary_emission": [["1"], ["1"]],
        },
        "responses": {
            "memory": 2,
            "block_rule": "mean",
            "window": 1,
            "parameters": {},
            "table": {"idle": [["1/2", "1/2"]], "patrol": [["1/5", "4/5"]]},
        },
        "policies": {"window": 1, "list": {"idle": [["1", "0"], ["1", "0"]], "patrol": [["0", "1"], ["0", "1"]]}},
        "truth": {"worlds": {"x": "0"}, "responses": {}},
    }
    if not truth:
        del document["truth"]
    for path, value in changes.items():
        part, key = path.split("__")
        document[part] = document[part] | {key: value}
    return document


# ------------------------------------------------------------------------------------------ at random

SIZES = st.integers(1, 2)


@st.composite
def rows(draw: Draw, length: int, positive: bool) -> list[Fraction]:
    """A probability vector of small denominators, zeros included unless ``positive``."""
    weights = draw(st.lists(st.integers(int(positive), 4), min_size=length, max_size=length))
    weights = weights if any(weights) else [1, *weights[1:]]
    return [Fraction(w, sum(weights)) for w in weights]


@st.composite
def table(draw: Draw, shape: tuple[int, ...], positive: bool, points: int) -> Any:
    """A nested table whose rows are drawn anew for each of ``points`` one-hot parameters t0, t1, ..."""
    if len(shape) > 1:
        return [draw(table(shape[1:], positive, points)) for _ in range(shape[0])]
    drawn = [draw(rows(shape[0], positive)) for _ in range(points)]
    if points == 0:
        return [str(x) for x in draw(rows(shape[0], positive))]
    return ["+".join(f"t{k}*{row[i]}" for k, row in enumerate(drawn)) for i in range(shape[0])]


@st.composite
def games(draw: Draw, positive: bool | None = None) -> Game:
    """A class of at most nine models: H <= 3, memory <= 3, every block rule, short and full windows."""
    positive = draw(st.booleans()) if positive is None else positive
    H, S, A, B, OA, OB = draw(st.integers(1, 3)), draw(SIZES), 2, draw(SIZES), 2, draw(SIZES)
    worlds, responses = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    names = [f"p{k}" for k in range(draw(st.integers(1, 3)))]
    windows = [draw(st.sampled_from([1, 2, "full"])) for _ in range(2)]
    rule, memory = draw(st.sampled_from(["latest", "mean", "table"])), draw(st.integers(1, 3))

    def steps(window: int | str, observations: int, actions: int, points: int) -> Any:
        size = None if window == "full" else int(window)
        counts = [Game.row_count(size, h, observations, actions) for h in range(H)]
        return {"steps": [draw(table((count, actions), positive, points)) for count in counts]}

    def one_hot(count: int) -> list[dict[str, str]]:
        return [{f"t{j}": str(int(j == k)) for j in range(count)} for k in range(count)]

    response = {name: steps(windows[1], OB, B, responses) for name in names}
    part: Document = {
        "memory": memory,
        "block_rule": rule,
        "window": windows[1],
        "points": one_hot(responses),
        "table": response,
    }
    if rule == "table":
        blocks = [[]]
        for _ in range(memory):
            blocks = [[*block, name] for block in blocks for name in names]
        part["blocks"] = {
            " ".join(block): response[block[0]] if len(set(block)) == 1 else steps(windows[1], OB, B, responses)
            for block in blocks
        }
    return Game(
        {
            "format": "pomgcheck-model-class/1",
            "name": "random",
            "game": {
                "horizon": H,
                "states": [f"s{k}" for k in range(S)],
                "learner_actions": [f"a{k}" for k in range(A)],
                "adversary_actions": [f"b{k}" for k in range(B)],
                "learner_observations": [f"o{k}" for k in range(OA)],
                "adversary_observations": [f"x{k}" for k in range(OB)],
                "reward": {
                    "steps": [
                        draw(st.lists(st.sampled_from(["0", "1/3", "1"]), min_size=OA, max_size=OA)) for _ in range(H)
                    ]
                },
            },
            "worlds": {
                "points": one_hot(worlds),
                "initial": draw(table((S,), positive, 0)),
                "transition": draw(table((S, A, B, S), positive, worlds)),
                "learner_emission": draw(table((S, OA), positive, worlds)),
                "adversary_emission": draw(table((S, OB), positive, worlds)),
            },
            "responses": part,
            "policies": {"window": windows[0], "list": {name: steps(windows[0], OA, A, 0) for name in names}},
        }
    )


def play(problem: LearningProblem, radius: ConfidenceRadius, episodes: int, seed: int, **how: Any) -> list[Epoch]:
    """The epochs of Algorithm 1 in the first ``episodes`` data episodes; without its test those of ``epoch-fixed``."""
    return epochs(Learner(problem, radius, seed, **how), episodes)
