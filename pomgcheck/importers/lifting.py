"""Makes a game of a decision process: what is seen and won by a move is what the next state shows.

A POMDP file has observation and reward depend on the move that was made; the game's emissions depend on the state
alone.  So the state remembers, of the last move, just the law of what it shows: states of the game are pairs (state of
the file, law of observation and reward), and the learner's observation is a pair (observation, reward).  Nothing is
seen before the first move, so there is one step more than there are moves; what is done at the last step is without
consequence, and nothing moves there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.importers.choices import MAX_HORIZON, Choices, check_names
from pomgcheck.importers.process import Process
from pomgcheck.importers.scene import PASSIVE, Choosing, GameScene, Section, distinct, scale
from pomgcheck.importers.words import decimal
from pomgcheck.modelclass.sugar import MAX_ENTRIES

MOVES = 3  # where no horizon is chosen
BEFORE = "start"  # what either player sees at the first step

Factors = tuple[str, ...]  # a product of parameters, as text
Shown = tuple[int, Fraction]  # learner's observation, reward
Law = tuple[tuple[Shown, Fraction], ...]  # what the learner is shown, in order, with probabilities
Heard = tuple[tuple[int, Fraction], ...]  # what the adversary is shown
Weights = dict[Factors, Fraction]


class Lever(NamedTuple):
    """A lever is an action of an adversary that the file does not have, and how it meddles with a move."""

    name: str
    jam: bool = False
    shift: bool = False


LEVERS = {
    "none": (Lever("pass"),),
    "jam": (Lever("pass"), Lever("jam", jam=True)),
    "shift": (Lever("pass"), Lever("shift", shift=True)),
    "joint": (Lever("pass"), Lever("jam", jam=True), Lever("shift", shift=True), Lever("both", jam=True, shift=True)),
}
STRENGTH = "1/2"  # of a lever: the probability that it works, a knob of the document


class LiftedState(NamedTuple):
    """A place is a state of the game: a state of the file, and what it shows either player, which is ``None`` before
    the first move."""

    state: int
    learner: Law | None
    adversary: Heard | None


def scene(process: Process, choices: Choices, name: str) -> GameScene:
    """Return the game of a process over a number of moves, with its worlds."""
    return _Lifting(process, choices, name).scene()


class _Lifting:
    def __init__(self, process: Process, choices: Choices, name: str) -> None:
        self.process, self.name = process, name
        self.moves = MOVES if choices.horizon is None else choices.horizon
        if not 1 <= self.moves <= MAX_HORIZON:
            raise InputError("horizon", str(self.moves), f"1 to {MAX_HORIZON} moves")
        self.unknowns = tuple(choices.unknowns)
        for unknown in self.unknowns:
            if unknown.kind == "deal":
                raise InputError(
                    "unknown",
                    f"deal:{unknown.name}",
                    "emission:NAME=... or transition:NAME=...",
                    "only a game tree has a deal",
                )
        self.kind = choices.adversary or ("joint" if process.adversary_actions else "none")
        if process.adversary_actions and self.kind != "joint":
            raise InputError("adversary", self.kind, "joint, since the file's second agent is the adversary")
        self.levers = (Lever(""),) if process.adversary_actions else LEVERS[self.kind]
        self.knobs = {
            lever: STRENGTH for lever in ("jam", "shift") if any(getattr(each, lever) for each in self.levers)
        }
        check_names(choices, [*self.knobs])
        self.B = process.adversary_actions or tuple(lever.name for lever in self.levers)
        self._laws: dict[Any, list[tuple[Fraction, Law, Heard]]] = {}

    # ---- a move

    def results(self, s: int, a: int, b: int) -> dict[LiftedState, Weights]:
        """Return the places a move leads to, each with the weights of its faults."""
        found: dict[LiftedState, Weights] = {}
        second, lever = (b, self.levers[0]) if self.process.adversary_actions else (0, self.levers[b])
        for fault, t, p, blurred in self._faults(s, a, second):
            for tricks, t2, jammed in self._tricks(lever, t):
                for part, learner, adversary in self._shown(s, a, second, t2, blurred, jammed):
                    weights = found.setdefault(LiftedState(t2, learner, adversary), {})
                    factors = fault + tricks
                    weights[factors] = weights.get(factors, Fraction(0)) + p * part
        return found

    def _faults(self, s: int, a: int, b: int) -> Iterator[tuple[Factors, int, Fraction, bool]]:
        """Yield (factors, s', probability, whether the observation is uniform).

        At most one thing goes wrong in a move, so that every entry is affine in the unknowns (the paper's coordinate
        structure).
        """
        names = [unknown.name for unknown in self.unknowns]
        right: Factors = (f"(1-{'-'.join(names)})",) if names else ()
        law = self.process.move(s, a, b)
        if not law:
            raise self._unheard(f"T ({self._action(a, b)}, {self.process.states[s]})")
        for t, p in law.items():
            yield right, t, p, False
        for unknown in self.unknowns:
            if unknown.kind == "emission":
                for t, p in law.items():
                    yield (unknown.name,), t, p, True
            else:
                size = len(self.process.states)
                for t in range(size):
                    yield (unknown.name,), t, Fraction(1, size), False

    def _tricks(self, lever: Lever, t: int) -> Iterator[tuple[Factors, int, bool]]:
        """Yield (factors, s', whether the observation is jammed) of the adversary's lever, after s' was drawn."""
        shifted = (t + 1) % len(self.process.states)
        moved = [(("(1-shift)",), t), (("shift",), shifted)] if lever.shift else [((), t)]
        seen = [(("(1-jam)",), False), (("jam",), True)] if lever.jam else [((), False)]
        for (one, t2), (other, jammed) in product(moved, seen):
            yield one + other, t2, jammed

    def _shown(self, s: int, a: int, b: int, t: int, blurred: bool, jammed: bool) -> list[tuple[Fraction, Law, Heard]]:
        """Return what a move shows, as laws that are independent between the players, each with its probability."""
        key = (s if self.process.by_state else 0, a, b, t, blurred, jammed)
        if key not in self._laws:
            self._laws[key] = list(_independent(self._joint(s, a, b, t, blurred, jammed)))
        return self._laws[key]

    def _joint(self, s: int, a: int, b: int, t: int, blurred: bool, jammed: bool) -> dict[tuple[Shown, int], Fraction]:
        """Return the joint law. A blurred observation is uniform, and the reward goes by it; a jammed one is replaced
        by a uniform one after the reward was drawn."""
        size = len(self.process.learner_observations)
        law = self.process.see(a, b, t)
        if not law:
            raise self._unheard(f"O ({self._action(a, b)}, {self.process.states[t]})")
        if blurred:
            others: dict[int, Fraction] = {}
            for (_, ob), p in law.items():
                others[ob] = others.get(ob, Fraction(0)) + p
            law = {(o, ob): p / size for o in range(size) for ob, p in others.items()}
        found: dict[tuple[Shown, int], Fraction] = {}
        for seen, p in law.items():
            reward = self.process.reward(s, a, b, t, seen)
            for o in range(size) if jammed else (seen[0],):
                outcome = ((o, reward), seen[1])
                found[outcome] = found.get(outcome, Fraction(0)) + (p / size if jammed else p)
        return found

    def _action(self, a: int, b: int) -> str:
        others = self.process.adversary_actions
        return self.process.learner_actions[a] + (f" with {others[b]}" if others else "")

    def _unheard(self, where: str) -> InputError:
        """Return the error for a row of zeros that no play of the file reaches, but play of the class does."""
        means = [f'unknown="{u.kind}:{u.name}"' for u in self.unknowns if u.kind == "transition"]
        means += ['adversary="shift"'] * ("shift" in self.knobs)
        fix = f"give the row, or leave out {' and '.join(means)}, which lets play get there"
        return InputError(where, "a row of zeros", "probabilities that sum to 1", fix)

    # ---- the game

    def scene(self) -> GameScene:
        """Return the game: the places that play can reach, their labels, and all tables."""
        A, B = len(self.process.learner_actions), len(self.B)
        leading: dict[int, list[list[dict[LiftedState, Weights]]]] = {}
        places = {LiftedState(s, None, None): None for s in sorted(self.process.start)}
        waiting = list(dict.fromkeys(place.state for place in places))
        entries: dict[int, int] = {}  # of the rows of a place, by its state
        for _ in range(self.moves):
            reached: dict[LiftedState, None] = {}
            for s in waiting:
                leading[s] = [[self.results(s, a, b) for b in range(B)] for a in range(A)]
                laws = [law for row in leading[s] for law in row]
                entries[s] = sum(map(len, laws))
                for law in laws:
                    reached |= dict.fromkeys(law)
                self._check(len(places), sum(entries.values()))
            places |= dict.fromkeys(sorted(reached, key=lambda place: place.state))
            waiting = sorted({place.state for place in reached} - set(leading))
            self._check(len(places), sum(entries.get(place.state, 1) for place in places))
        return self._written(list(places), leading)

    def _check(self, places: int, entries: int) -> None:
        """Refuse a game that is too large as soon as that many places, and entries that are not zero, are found."""
        rows = places * len(self.process.learner_actions) * len(self.B)
        count, what = (rows, "rows") if rows > entries else (entries, "entries that are not zero")
        if count > MAX_ENTRIES:
            what = f"{what} of the transition table of {places:,} states"
            fix = "a shorter horizon may have fewer" if self.moves > 1 else "import a smaller model"
            raise LimitExceeded("", what, count, MAX_ENTRIES, fix)

    def _written(
        self, places: list[LiftedState], leading: dict[int, list[list[dict[LiftedState, Weights]]]]
    ) -> GameScene:
        process = self.process
        states = self._state_labels(places)
        shown = sorted({outcome for place in places for outcome, _ in place.learner or ()})
        taken = {BEFORE}
        seen = {
            (o, reward): distinct(f"{process.learner_observations[o]}({decimal(reward)})", taken) for o, reward in shown
        }
        rewards = [reward for _, reward in shown]
        low, high = min(rewards), max(rewards)
        others = process.adversary_observations
        first, taken = BEFORE if others else PASSIVE, {BEFORE}
        heard: dict[Any, str] = {
            ob: distinct(others[ob], taken) if others else PASSIVE
            for ob in sorted({ob for place in places for ob, _ in place.adversary or ()})
        }
        game = {
            "horizon": self.moves + 1,
            "states": list(states.values()),
            "learner_actions": list(process.learner_actions),
            "adversary_actions": list(self.B),
            "learner_observations": [BEFORE, *seen.values()],
            "adversary_observations": list(dict.fromkeys([first, *heard.values()])),
            "reward": self._rewards([_scaled(reward, low, high) for reward in rewards]),
        }
        worlds: Section = {
            "initial": {states[place]: str(process.start[place.state]) for place in places if place.learner is None},
            "learner_emission": {states[place]: _row(place.learner, seen, BEFORE) for place in places},
            "adversary_emission": {states[place]: _row(place.adversary, heard, first) for place in places}
            if others
            else {"*": {PASSIVE: "1"}},
            "transition": self._transition(states, leading),
        }
        if self.unknowns:
            worlds["parameters"] = {u.name: {"values": [str(value) for value in u.values]} for u in self.unknowns}
        if len(self.unknowns) > 1:
            worlds["constraints"] = [f"{'+'.join(u.name for u in self.unknowns)} <= 1"]
        return GameScene(
            name=self.name,
            source=self._source(low, high),
            knobs=self.knobs,
            game=game,
            worlds=worlds,
            choices=self._choices(seen),
            answers=dict.fromkeys(game["adversary_observations"], self.B),
            adversary_acts=len(self.B) > 1,
        )

    def _choices(self, seen: dict[Shown, str]) -> Choosing:
        """Return the learner's choices: before the first move, and after each observation of the file, whatever the
        reward that came with it."""
        actions = self.process.learner_actions
        choices: Choosing = {BEFORE: ((BEFORE,), actions)}
        for o, name in enumerate(self.process.learner_observations):
            group = tuple(label for (observation, _), label in seen.items() if observation == o)
            if group:
                choices[name if name != BEFORE else f"{name}#2"] = (group, actions)
        return choices

    def _transition(
        self, states: dict[LiftedState, str], leading: dict[int, list[list[dict[LiftedState, Weights]]]]
    ) -> Section:
        """Return one table per step; at the last one every state stays, whatever is done."""
        A, B = self.process.learner_actions, self.B
        names = [unknown.name for unknown in self.unknowns]
        either: list[Factors] = [(f"(1-{knob})", knob) for knob in self.knobs]
        either += [(f"(1-{'-'.join(names)})", *names)] if names else []
        moving: Section = {}
        known: dict[tuple[int, int], list[dict[str, str]]] = {}
        for place, label in states.items():
            if place.state not in leading:  # reached by the last move alone
                moving[f"{label} * *"] = {label: "1"}
                continue
            for a, action in enumerate(A):
                if (place.state, a) not in known:
                    laws = leading[place.state][a]
                    known[place.state, a] = [
                        {states[to]: _text(weights, either) for to, weights in law.items()} for law in laws
                    ]
                rows = known[place.state, a]
                if all(row == rows[0] for row in rows):
                    moving[f"{label} {action} *"] = rows[0]
                else:
                    moving |= {f"{label} {action} {B[b]}": row for b, row in enumerate(rows)}
        staying: Section = {f"{label} * *": {label: "1"} for label in states.values()}
        return {"steps": [*([moving] * self.moves), staying]}

    def _state_labels(self, places: Sequence[LiftedState]) -> dict[LiftedState, str]:
        """Return the labels of states: ``s`` before the first move, then ``s(r)`` where the reward is sure to be r,
        numbered where need be."""
        taken: set[str] = set()
        labels = {}
        for place in places:
            label = self.process.states[place.state]
            rewards = {outcome[1] for outcome, _ in place.learner or ()}
            if len(rewards) == 1:
                label += f"({decimal(rewards.pop())})"
            labels[place] = distinct(label, taken)
        return labels

    def _rewards(self, scaled: list[Fraction]) -> Any:
        """Return rewards by the observation that brings them, 0 before the first move; discounted by step."""
        row = ["0", *map(str, scaled)]
        gamma = self.process.discount
        if gamma == 1 or not any(scaled):
            return row
        later = [["0", *(str(gamma**t * value) for value in scaled)] for t in range(self.moves)]
        return {"steps": [["0"] * len(row), *later]}

    def _source(self, low: Fraction, high: Fraction) -> str:
        process, moves = self.process, f"{self.moves} move{'s' if self.moves > 1 else ''}"
        gamma = "" if process.discount == 1 else f", discounted by {decimal(process.discount)} per move"
        return f"{process.kind}; {moves}; {scale('file', 'reward', low, high)}{gamma}{process.notes}"


def _independent(joint: dict[tuple[Shown, int], Fraction]) -> Iterator[tuple[Fraction, Law, Heard]]:
    """Yield the parts of the joint law as a mixture of products: itself where it is one, else one part per observation
    of the adversary."""
    mine: dict[Shown, Fraction] = {}
    others: dict[int, Fraction] = {}
    for (shown, ob), p in joint.items():
        mine[shown] = mine.get(shown, Fraction(0)) + p
        others[ob] = others.get(ob, Fraction(0)) + p
    if all(joint.get((x, y), 0) == mine[x] * others[y] for x, y in product(mine, others)):
        yield Fraction(1), tuple(sorted(mine.items())), tuple(sorted(others.items()))
        return
    for ob, weight in sorted(others.items()):
        given = {x: p / weight for (x, y), p in joint.items() if y == ob}
        yield weight, tuple(sorted(given.items())), ((ob, Fraction(1)),)


def _row(law: Law | Heard | None, labels: dict[Any, str], before: str) -> dict[str, str]:
    return {before: "1"} if law is None else {labels[outcome]: str(p) for outcome, p in law}


def _text(weights: Weights, either: Sequence[Factors]) -> str:
    """Return the sum as ``(1-slip)*1/2+slip*1/4``; factors of which one or the other happens are left out where they
    do not matter."""
    for factors in either:
        weights = _without(weights, factors)
    terms = []
    for factors, p in weights.items():
        terms.append("*".join([*factors, *([str(p)] if p != 1 or not factors else [])]))
    return "+".join(terms)


def _without(weights: Weights, either: Factors) -> Weights:
    """Return the same sum, in which terms that agree except for a factor of ``either`` (which sum to one) are made
    one."""
    found: Weights = {}
    for factors, p in weights.items():
        at = [k for k, factor in enumerate(factors) if factor in either]
        family = [(*factors[: at[0]], factor, *factors[at[0] + 1 :]) for factor in either] if at else [factors]
        if at and all(weights.get(member) == p for member in family):
            rest = (*factors[: at[0]], *factors[at[0] + 1 :])
            if factors == family[0]:
                found[rest] = found.get(rest, Fraction(0)) + p
        else:
            found[factors] = found.get(factors, Fraction(0)) + p
    return found


def _scaled(reward: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """Return the place of a reward between the least and the largest, or 0 where they are equal."""
    return (reward - low) / (high - low) if high != low else Fraction(0)
