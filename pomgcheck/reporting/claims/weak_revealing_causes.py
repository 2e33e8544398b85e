"""Says why Assumption 2.4 fails and what would repair it, read off the tables of the model inside the certificate.

A diagnosis explains; it decides nothing.  A sum over a witness's own few states is all the arithmetic there is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from fractions import Fraction
from typing import Any, NamedTuple

from pomgcheck.certificate import Certificate
from pomgcheck.evidence import ClaimPlace
from pomgcheck.kernel.game import Row
from pomgcheck.reporting.blocks import Code, Inline, Label, listed, say
from pomgcheck.reporting.claims.renaming import renamed
from pomgcheck.reporting.claims.told import Cause
from pomgcheck.reporting.evaluation import game_at, l1, row_of
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.words import policy

Weights = dict[tuple[Any, ...], Fraction]


class Reply(NamedTuple):
    """This is an adversary action ``b`` where the channels differ, after what the adversary has seen and done."""

    b: int
    after: tuple[str, ...]
    masses: tuple[list[Fraction], list[Fraction]]  # of the next hidden state, in either world
    difference: Fraction  # l1, of the channels themselves
    played: bool


class Scene:
    """These are the tables at a weak-revealing witness: two worlds, one response, (h, o, a) and q, all by index."""

    def __init__(self, cert: Certificate, place: ClaimPlace) -> None:
        """Read the tables of the certificate's model at the place's parameters."""
        self.game = game = game_at(cert.model, [place.theta, place.theta_prime], [place.Phi])
        self.space: str = cert.options.space
        self.h = place.h - 1
        self.o, self.a = game.OA.index(place.o), game.A.index(place.a)
        self.g: tuple[Row, ...] = game.responses[0][game.policy_names.index(place.pi)][self.h]
        self.q = [(game.S.index(s), tuple(memory), fraction(mass)) for s, memory, mass in place.q]

    def seen(self, x: int) -> Fraction:
        """Return Z, the probability of the learner's current observation under q in world ``x``."""
        return sum((m * self.game.worlds[x].EA[self.h][s][self.o] for s, _, m in self.q), Fraction(0))

    def answer(self, memory: tuple[str, ...], oB: int, b: int) -> Fraction:
        """Return the probability of adversary action ``b`` after its memory and observation."""
        return self.g[row_of(self.game, self.space, memory, self.game.OB[oB])][b]

    def channel(self, x: int) -> Weights:
        """Return W q of Theorem 2.5: (adversary memory, its observation, its action, next state) -> mass."""
        out: Weights = {}
        table = self.game.worlds[x]
        for s, memory, mass in self.q:
            for oB, emission in enumerate(table.EB[self.h][s]):
                for b, row in enumerate(table.T[self.h][s][self.a]):
                    for t, move in enumerate(row):
                        key = memory, oB, b, t
                        weight = mass * table.EA[self.h][s][self.o] * emission * move
                        out[key] = out.get(key, Fraction(0)) + weight
        return out

    def next_states(self, x: int) -> list[Fraction]:
        """Return the law of the next hidden state once the adversary has answered, given the current observation."""
        masses = [Fraction(0)] * len(self.game.S)
        for (memory, oB, b, t), mass in self.channel(x).items():
            masses[t] += mass * self.answer(memory, oB, b)
        return [mass / self.seen(x) for mass in masses] if self.seen(x) else masses

    def moved_from(self) -> list[int]:
        """Return the states of q from which, alone, the next hidden state would differ in law."""

        def differs(s: int) -> bool:
            alone = copy(self)
            alone.q = [entry for entry in self.q if entry[0] == s]
            return alone.next_states(0) != alone.next_states(1)

        return sorted(s for s in {s for s, _, _ in self.q} if differs(s))

    def next_observations(self, x: int) -> list[Fraction]:
        """Return the law of the learner's next observation."""
        states, table = self.next_states(x), self.game.worlds[x].EA[self.h + 1]
        return [sum((p * table[s][o] for s, p in enumerate(states)), Fraction(0)) for o in range(len(self.game.OA))]

    def by_action(self) -> list[Reply]:
        """Return what the channels lead to under each adversary action where they differ."""
        return self._grouped(lambda memory, oB: ())

    def by_history(self) -> list[Reply]:
        """Return the same, told apart by what the adversary has seen and done where sums over that would hide a
        difference."""
        replies = self.by_action()
        if all(l1(*reply.masses) == reply.difference for reply in replies):
            return replies
        return self._grouped(lambda memory, oB: (*memory, self.game.OB[oB]))

    def _grouped(self, after: Callable[[tuple[str, ...], int], tuple[str, ...]]) -> list[Reply]:
        channels = self.channel(0), self.channel(1)
        groups: dict[tuple[int, tuple[str, ...]], list[Any]] = {}
        for memory, oB, b in dict.fromkeys(key[:3] for channel in channels for key in channel):
            groups.setdefault((b, after(memory, oB)), []).append((memory, oB, b))
        replies = [self._reply(b, history, groups[b, history], channels) for b, history in sorted(groups)]
        return [reply for reply in replies if reply.difference]

    def _reply(self, b: int, history: tuple[str, ...], places: list[Any], channels: tuple[Weights, Weights]) -> Reply:
        at = [
            [[channel.get((*place, t), Fraction(0)) for t in range(len(self.game.S))] for channel in channels]
            for place in places
        ]
        gaps = [l1(left, right) for left, right in at]
        return Reply(
            b,
            history,
            masses=(total([left for left, _ in at]), total([right for _, right in at])),
            difference=sum(gaps, Fraction(0)),
            played=any(gap and self.answer(*place) for gap, place in zip(gaps, places, strict=True)),
        )


def total(vectors: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """Return the sum of some vectors of one length."""
    return [sum(column, Fraction(0)) for column in zip(*vectors, strict=True)]


def causes(cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return why Assumption 2.4 fails: what the world channel tells apart and the learner's window does not, and why."""
    scene = Scene(cert, place)
    return (
        renamed(scene.game)
        or _emission(scene, cert, place)
        or _unplayed(scene, place)
        or _cancelled(scene, cert)
        or _hidden(scene, cert, place)
    )


def _emission(scene: Scene, cert: Certificate, place: ClaimPlace) -> list[Cause]:
    left, right = scene.seen(0), scene.seen(1)
    if left == right or cert.options.form == "joint":
        return []
    return [
        Cause(
            say(
                "The worlds differ in how likely {o} is now ({x} against {y}), and the literal form conditions on having "
                "seen it, which cancels exactly that.",
                o=Label(place.o),
                x=Label(str(left)),
                y=Label(str(right)),
            ),
            say(
                "`--form joint` compares the probability of the current observation and the window together; there this "
                "difference counts."
            ),
        )
    ]


def _unplayed(scene: Scene, place: ClaimPlace) -> list[Cause]:
    replies = scene.by_action()
    if any(reply.played for reply in replies):
        return []
    names = listed((Label(scene.game.B[reply.b]) for reply in replies), last="or")
    return [never_played(names, place.pi)]


def never_played(actions: Inline, pi: str) -> Cause:
    """Return the cause that the models differ only where the adversary plays ``actions``, which it never does."""
    return Cause(
        say(
            "The channels differ only where the adversary plays {b}, which against {pi} it never does.",
            b=actions,
            pi=policy(pi),
        ),
        say("Give every response a floor: a probability of at least some $ε$ > 0 for each adversary action."),
    )


def _cancelled(scene: Scene, cert: Certificate) -> list[Cause]:
    """Return the cause that opposite differences meet before the next hidden state is drawn, if that is so."""
    if scene.next_states(0) != scene.next_states(1):
        return []
    actions = [Label(scene.game.B[reply.b]) for reply in scene.by_action() if reply.played]
    states = [Label(scene.game.S[s]) for s in scene.moved_from()]
    if states:
        where = say("from {s}", s=listed(states))
    elif len(actions) > 1:
        where = say("when the adversary plays {b}", b=listed(actions))
    else:
        where = say("at the adversary's different private observations")
    causes = [
        Cause(
            say(
                "The differences {where} have opposite signs and cancel in the mixture, so the next hidden state has the "
                "same law in both worlds.",
                where=where,
            ),
            say(
                "Let the two worlds differ in one direction only, or let the response and the emissions weigh the "
                "opposite differences unequally."
            ),
        )
    ]
    if states and cert.options.scope == "simplex":
        causes.append(
            Cause(
                (),
                say(
                    "If play never reaches this mixture, `--scope reachable` asks the inequality only of predictive states "
                    "that some model and policy of the class reach{on}.",
                    on="; it is decided on axes of values, in place of the intervals"
                    if cert.outline.on_intervals
                    else "",
                ),
            )
        )
    return causes


def _hidden(scene: Scene, cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return the cause that the next hidden state differs in law and the learner's window does not show it, if that is
    so."""
    left, right = scene.next_states(0), scene.next_states(1)
    kappa, H, S = cert.options.kappa, scene.game.H, scene.game.S
    moved = [s for s in range(len(S)) if left[s] != right[s]]
    alike = {scene.game.worlds[0].EA[scene.h + 1][s] for s in moved}
    states = listed(Label(S[s]) for s in moved)
    why = (
        say(
            "The worlds move {s} differently, and at step {h} these states show the learner the same observations.",
            s=states,
            h=str(place.h + 1),
        )
        if kappa == 1 and len(alike) == 1
        else say("The worlds move {s} differently, but the differences cancel in what the learner sees next.", s=states)
    )
    repair = (
        say("A longer window may do it too: {k}.", k=Code(f"--kappa {kappa + 1}"))
        if place.h <= H - kappa - 1
        else say(
            "A longer window does not fit after step {h} of {H}: lengthen the horizon and raise `--kappa`.",
            h=str(place.h),
            H=str(H),
        )
    )
    return [Cause(why, say("Let the learner's emissions tell these states apart. {more}", more=repair))]
