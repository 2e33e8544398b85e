"""Evaluates a few models of a certificate under one policy exactly, for the calculations a report works out by hand.

Tables come from ``game``; the sums here are a third computation of what search and kernel do, in
Fractions and in the model's own labels. A memory is a tuple of labels: ``(o, b, o, b, …)`` on the history space, the
last ``window - 1`` observations on the window space.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.evidence import Xi
from pomgcheck.kernel.game import Game

Memory = tuple[str, ...]
State = dict[tuple[int, Memory], Fraction]  # (hidden state, adversary memory) -> mass
Channel = dict[tuple[int, Memory, str, int], Fraction]  # (next state, adversary memory, o^B, b) -> mass
PATHS = 4096  # joint memories and states, and learner trajectories, that are summed over


def game_at(document: Mapping[str, Any], thetas: Sequence[Any], phis: Sequence[Any]) -> Game:
    """Return the game of the document with its classes cut down to the given parameter points, in their order."""

    def part(name: str, points: Sequence[Any]) -> dict[str, Any]:
        rest = {key: value for key, value in document[name].items() if key not in ("parameters", "constraints")}
        return {**rest, "points": distinct(points)}

    return Game({**document, "worlds": part("worlds", thetas), "responses": part("responses", phis)})


def distinct(points: Sequence[Any]) -> list[Any]:
    """Return the points in the order of their first occurrence."""
    return [p for k, p in enumerate(points) if p not in points[:k]]


def l1(u: Sequence[Fraction], v: Sequence[Fraction]) -> Fraction:
    """Return the distance of two vectors in l1."""
    return sum((abs(x - y) for x, y in zip(u, v, strict=True)), Fraction(0))


def apart(u: Mapping[Any, Fraction], v: Mapping[Any, Fraction]) -> Fraction:
    """Return the distance of two sparse vectors in l1."""
    return sum((abs(u.get(key, Fraction(0)) - v.get(key, Fraction(0))) for key in {*u, *v}), Fraction(0))


def row_of(game: Game, space: str, memory: Sequence[str], o: str, learner: bool = False) -> int:
    """Return the row of a response's (or a policy's) table after ``memory``, where ``o`` is seen now."""
    seen_labels, acted = (game.OA, game.A) if learner else (game.OB, game.B)
    window, index = (game.learner_window if learner else game.adversary_window), 0
    if window is None:
        for k, label in enumerate((*memory, o)):
            labels = acted if k % 2 else seen_labels
            index = index * len(labels) + labels.index(label)
        return index
    for label in (*(memory[::2] if space == "history" else memory), o)[-window:]:
        index = index * len(seen_labels) + seen_labels.index(label)
    return index


def remembering(game: Game, space: str, memory: Memory, o: str, action: str, learner: bool = False) -> Memory:
    """Return the memory after seeing ``o`` and acting."""
    if space == "history":
        return (*memory, o, action)
    kept = ((game.learner_window if learner else game.adversary_window) or 1) - 1
    return (*memory, o)[len(memory) + 1 - kept :] if len(memory) >= kept else (*memory, o)


class Stage:
    """On a stage some models of a certificate's class are played under one policy; ``q`` vectors are on the
    certificate's space.

    ``operators[x]`` below is model number ``x`` of those given, steps are 0-based.
    """

    def __init__(self, cert: Certificate, models: Sequence[Xi], pi: str) -> None:
        """Read the tables of the models; ``models`` are points of the class, exact texts."""
        thetas, phis = (distinct(points) for points in zip(*models, strict=True))
        self.game = game = game_at(cert.model, thetas, phis)
        self.space: str = cert.options.space
        self.summed = cert.options.operators == "summed"
        self.policy = game.policies[game.policy_names.index(pi)]
        self.worlds = [game.worlds[thetas.index(model.theta)] for model in models]
        self.answers = [game.responses[phis.index(model.Phi)][game.policy_names.index(pi)] for model in models]

    @property
    def small(self) -> bool:
        """Return whether all learner trajectories, and the adversary's memories, are few enough to sum over."""
        game = self.game
        plays = len(game.OA) ** game.H
        memories = len(game.OB) * len(game.B) if self.space == "history" else len(game.OB)
        length = game.H if self.space == "history" else (game.adversary_window or 1) - 1
        return plays <= PATHS and len(game.S) * int(memories**length) <= PATHS

    def start(self) -> State:
        """Return q_0."""
        return {(s, ()): mass for s, mass in enumerate(self.game.rho0) if mass}

    def channel(self, x: int, h: int, o: str, a: str, q: State) -> Channel:
        """Return W_h(o, a) q of model ``x``."""
        game, world, out = self.game, self.worlds[x], dict[tuple[int, Memory, str, int], Fraction]()
        for (s, memory), mass in q.items():
            seen = world.EA[h][s][game.OA.index(o)] * mass
            for label, emission in zip(game.OB, world.EB[h][s], strict=True):
                for b, moves in enumerate(world.T[h][s][game.A.index(a)]):
                    for t, move in enumerate(moves):
                        if weight := seen * emission * move:
                            key = t, memory, label, b
                            out[key] = out.get(key, Fraction(0)) + weight
        return out

    def answered(self, x: int, h: int, u: Channel) -> State:
        """Return G_h u of model ``x``."""
        game, out = self.game, dict[tuple[int, Memory], Fraction]()
        for (t, memory, o, b), mass in u.items():
            weight = mass * self.answers[x][h][row_of(game, self.space, memory, o)][b]
            if weight:
                key = t, remembering(game, self.space, memory, o, game.B[b])
                out[key] = out.get(key, Fraction(0)) + weight
        return out

    def answer(self, h: int, tau: Sequence[str], x: int = 0) -> list[Fraction]:
        """Return the adversary's answer at 0-based step ``h`` to its decision history ``tau = (o, b, …, o)``."""
        return list(self.answers[x][h][row_of(self.game, "history", tau[:-1], tau[-1])])

    def moved(self, x: int, h: int, o: str, a: str, q: State) -> State:
        """Return J_h(o, a) q of model ``x``."""
        return self.answered(x, h, self.channel(x, h, o, a, q))

    def chances(self, h: int, memory: Memory, o: str) -> Iterator[tuple[str, Fraction]]:
        """Return the actions the policy takes on ``o``, with their probabilities; ``memory`` is the learner's."""
        row = self.policy[h][row_of(self.game, self.space, memory, o, learner=True)]
        yield from ((a, chance) for a, chance in zip(self.game.A, row, strict=True) if chance)

    def prefixes(self, x: int) -> Iterator[tuple[Memory, Fraction, State]]:
        """Yield every learner prefix ``(o, a, o, a, …)`` that ends before an observation, the empty one first.

        With it come the chance of its actions and the unnormalised state of model ``x``, whose total is the chance of
        the observations.
        """
        ahead: list[tuple[Memory, Memory, Fraction, State]] = [((), (), Fraction(1), self.start())]
        while ahead:
            prefix, memory, chance, q = ahead.pop(0)
            yield prefix, chance, q
            h = len(prefix) // 2
            for o, a, likely in self.pairs(h, memory):
                longer = remembering(self.game, self.space, memory, o, a, learner=True)
                ahead.append(((*prefix, o, a), longer, chance * likely, self.moved(x, h, o, a, q)))

    def pairs(self, h: int, memory: Memory) -> list[tuple[str, str, Fraction]]:
        """Return what may be seen and played at a step: observation, action, chance of the action; after the last step
        there is nothing."""
        if h == self.game.H:
            return []
        return [(o, a, chance) for o in self.game.OA for a, chance in self.chances(h, memory, o)]

    def law(self, x: int) -> dict[Memory, Fraction]:
        """Return the law of whole learner trajectories under model ``x``."""
        whole = 2 * self.game.H
        return {t: chance * mass(q) for t, chance, q in self.prefixes(x) if len(t) == whole}

    def differences(self, x: int, y: int, world: bool) -> list[tuple[int, Fraction, Fraction]]:
        """Return, at each realised (prefix, o, a) under model ``x``, its 0-based step, its probability, and the l1
        difference of the operators.

        The operators are J (or, with ``world``, W) of ``y`` and ``x`` at the predictive state of ``x``. Where
        operators are summed, the same is returned for each realised prefix: the differences at all (o, a), times the
        chances of a.
        """
        out = []
        for prefix, chance, q in self.prefixes(x):
            h = len(prefix) // 2
            memory: Memory = ()
            for o, a in zip(prefix[::2], prefix[1::2], strict=True):
                memory = remembering(self.game, self.space, memory, o, a, learner=True)
            found = []
            for o, a, likely in self.pairs(h, memory) if q else ():
                u = self.channel(x, h, o, a, q), self.channel(y, h, o, a, q)
                after = self.answered(x, h, u[0])
                gap = apart(*u) if world else apart(after, self.answered(y, h, u[1]))
                found.append((likely, mass(after), gap / mass(q)))
            if self.summed and found:
                out.append((h, chance * mass(q), sum((likely * gap for likely, _, gap in found), Fraction(0))))
            elif found:
                out += [(h, chance * likely * after, gap) for likely, after, gap in found]
        return out

    def window_law(
        self, x: int, h: int, kappa: int, memory: Memory, o: str, a: str, q: State
    ) -> dict[Memory, Fraction]:
        """Return the unnormalised law of the next ``kappa`` learner observations after ``(o, a)`` at step ``h``."""
        out: dict[Memory, Fraction] = {}

        def walk(step: int, memory: Memory, window: Memory, q: State) -> None:
            for o in self.game.OA:
                k = self.game.OA.index(o)
                if len(window) + 1 == kappa:
                    seen = sum((m * self.worlds[x].EA[step][s][k] for (s, _), m in q.items()), Fraction(0))
                    out[(*window, o)] = out.get((*window, o), Fraction(0)) + seen
                    continue
                for a, chance in self.chances(step, memory, o):
                    longer = remembering(self.game, self.space, memory, o, a, learner=True)
                    weighed = {key: m * chance for key, m in self.moved(x, step, o, a, q).items()}
                    walk(step + 1, longer, (*window, o), weighed)

        walk(h + 1, remembering(self.game, self.space, memory, o, a, learner=True), (), self.moved(x, h, o, a, q))
        return {window: out.get(window, Fraction(0)) for window in product(self.game.OA, repeat=kappa)}

    def pure_states(self, h: int) -> list[tuple[int, Memory]]:
        """Return the coordinates of a predictive state at the start of step ``h``, with the learner's memory fixed."""
        game = self.game
        memories = (
            product(*((game.OB, game.B) * h))
            if self.space == "history"
            else product(game.OB, repeat=min((game.adversary_window or 1) - 1, h))
        )
        kept = [tuple(memory) for memory in memories]
        return [(s, memory) for s in range(len(game.S)) for memory in kept]

    def posterior_masses(self, x: int, tau: Sequence[str], reference: Sequence[Fraction]) -> list[Fraction]:
        """Return the masses of the learner's actions at the step whose adversary decision history is ``tau = (o, b, …,
        o)``, where the adversary plays ``reference``.

        They sum to the probability of ``tau`` (Definition 2.2).
        """
        game, world, last = self.game, self.worlds[x], len(tau) // 2
        whole = "history" if game.learner_window is None else "window"
        masses: dict[tuple[int, Memory], Fraction] = self.start()
        for h in range(last + 1):
            acting = [Fraction(0)] * len(game.A)
            after: dict[tuple[int, Memory], Fraction] = {}
            for ((s, memory), mass_), (k, o) in product(masses.items(), enumerate(game.OA)):
                seen = mass_ * world.EA[h][s][k] * world.EB[h][s][game.OB.index(tau[2 * h])]
                for a, chance in enumerate(self.policy[h][row_of(game, whole, memory, o, learner=True)]):
                    acting[a] += seen * chance
                    if h == last or not seen * chance:
                        continue
                    b = game.B.index(tau[2 * h + 1])
                    kept = remembering(game, whole, memory, o, game.A[a], learner=True)
                    for t, move in enumerate(world.T[h][s][a][b]):
                        key = t, kept
                        after[key] = after.get(key, Fraction(0)) + seen * chance * reference[b] * move
            masses = after
        return acting


def mass(q: Mapping[Any, Fraction]) -> Fraction:
    """Return the total of a vector."""
    return sum(q.values(), Fraction(0))
