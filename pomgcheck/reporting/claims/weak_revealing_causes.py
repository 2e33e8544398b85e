"""Says why Assumption 2.4 fails and what would repair it, read off the tables of the model inside the certificate.

A diagnosis explains; it decides nothing.  A sum over a witness's own few states is all the arithmetic there is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from pomgcheck.certificate import Certificate
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.claims.renaming import renamed
from pomgcheck.reporting.claims.told import Cause
from pomgcheck.reporting.evaluation import Memory, Stage, State, l1, mass, row_of
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.spans import Code, Inline, Label, listed, say
from pomgcheck.reporting.words import policy


class Reply(NamedTuple):
    """This is an adversary action ``b`` where the channels differ, after what the adversary has seen and done."""

    b: int
    after: tuple[str, ...]
    masses: tuple[list[Fraction], list[Fraction]]  # of the next hidden state, in either world
    difference: Fraction  # l1, of the channels themselves
    played: bool


class RevealingWitness(Stage):
    """On this stage stands a witness of weak revealing: two worlds and one response, (h, o, a) and q."""

    def __init__(self, cert: Certificate, place: ClaimPlace) -> None:
        """Read the tables of the certificate's model at the place's parameters."""
        super().__init__(cert, place.models, place.pi)
        self.h, self.o, self.a = place.h - 1, place.o, place.a
        self.q: State = {(self.game.S.index(s), tuple(memory)): fraction(m) for s, memory, m in place.q}
        self.channels = [self.channel(x, self.h, self.o, self.a, self.q) for x in (0, 1)]

    def seen(self, x: int) -> Fraction:
        """Return Z, the probability of the learner's current observation under q in world ``x``."""
        return mass(self.answered(x, self.h, self.channels[x]))

    def played(self, memory: Memory, o: str, b: int) -> Fraction:
        """Return the probability of adversary action ``b`` after its memory and observation."""
        return self.answers[0][self.h][row_of(self.game, self.space, memory, o)][b]

    def next_states(self, x: int, q: State) -> list[Fraction]:
        """Return the law of the next hidden state once the adversary has answered, given the current observation."""
        masses = [Fraction(0)] * len(self.game.S)
        for (t, _), weight in self.moved(x, self.h, self.o, self.a, q).items():
            masses[t] += weight
        whole = sum(masses, Fraction(0))
        return [weight / whole for weight in masses] if whole else masses

    def moved_from(self) -> list[int]:
        """Return the states of q from which, alone, the next hidden state would differ in law."""

        def differs(s: int) -> bool:
            alone = {key: weight for key, weight in self.q.items() if key[0] == s}
            return self.next_states(0, alone) != self.next_states(1, alone)

        return sorted(s for s in {s for s, _ in self.q} if differs(s))

    def next_observations(self, x: int) -> list[Fraction]:
        """Return the law of the learner's next observation."""
        states, table = self.next_states(x, self.q), self.worlds[x].EA[self.h + 1]
        return [sum((p * table[s][o] for s, p in enumerate(states)), Fraction(0)) for o in range(len(self.game.OA))]

    def by_action(self) -> list[Reply]:
        """Return what the channels lead to under each adversary action where they differ."""
        return self._grouped(lambda memory, o: ())

    def by_history(self) -> list[Reply]:
        """Return the same, told apart by what the adversary has seen and done where sums over that would hide a
        difference."""
        replies = self.by_action()
        if all(l1(*reply.masses) == reply.difference for reply in replies):
            return replies
        return self._grouped(lambda memory, o: (*memory, o))

    def _grouped(self, after: Callable[[Memory, str], Memory]) -> list[Reply]:
        groups: dict[tuple[int, Memory], list[tuple[Memory, str, int]]] = {}
        for memory, o, b in dict.fromkeys(key[1:] for channel in self.channels for key in channel):
            groups.setdefault((b, after(memory, o)), []).append((memory, o, b))
        replies = [self._reply(b, history, groups[b, history]) for b, history in sorted(groups)]
        return [reply for reply in replies if reply.difference]

    def _reply(self, b: int, history: Memory, places: list[tuple[Memory, str, int]]) -> Reply:
        states = range(len(self.game.S))
        left, right = (
            [[channel.get((t, *place), Fraction(0)) for t in states] for place in places] for channel in self.channels
        )
        gaps = list(map(l1, left, right))
        seen = any(gap and self.played(*place) for gap, place in zip(gaps, places, strict=True))
        return Reply(b, history, (total(left), total(right)), sum(gaps, Fraction(0)), seen)


def total(vectors: Sequence[Sequence[Fraction]]) -> list[Fraction]:
    """Return the sum of some vectors of one length."""
    return [sum(column, Fraction(0)) for column in zip(*vectors, strict=True)]


def causes(cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return why Assumption 2.4 fails: what the world channel tells apart and the learner's window does not, and why."""
    witness = RevealingWitness(cert, place)
    return (
        renamed(witness.game)
        or _emission(witness, cert, place)
        or _unplayed(witness, place)
        or _cancelled(witness, cert)
        or _hidden(witness, cert, place)
    )


def _emission(witness: RevealingWitness, cert: Certificate, place: ClaimPlace) -> list[Cause]:
    left, right = witness.seen(0), witness.seen(1)
    if left == right or cert.options.form == "joint":
        return []
    why = say(
        "The worlds differ in how likely {o} is now ({x} against {y}), and the literal form conditions on having seen it, "
        "which cancels exactly that.",
        o=Label(place.o),
        x=Label(str(left)),
        y=Label(str(right)),
    )
    repair = (
        "`--form joint` compares the probability of the current observation and the window together; there this difference "
        "counts."
    )
    return [Cause(why, say(repair))]


def _unplayed(witness: RevealingWitness, place: ClaimPlace) -> list[Cause]:
    replies = witness.by_action()
    if any(reply.played for reply in replies):
        return []
    names = listed((Label(witness.game.B[reply.b]) for reply in replies), last="or")
    return [never_played(names, place.pi)]


def never_played(actions: Inline, pi: str) -> Cause:
    """Return the cause that the models differ only where the adversary plays ``actions``, which it never does."""
    why = "The channels differ only where the adversary plays {b}, which against {pi} it never does."
    repair = "Give every response a floor: a probability of at least some $ε$ > 0 for each adversary action."
    return Cause(say(why, b=actions, pi=policy(pi)), say(repair))


def _cancelled(witness: RevealingWitness, cert: Certificate) -> list[Cause]:
    """Return the cause that opposite differences meet before the next hidden state is drawn, if that is so."""
    if witness.next_states(0, witness.q) != witness.next_states(1, witness.q):
        return []
    actions = [Label(witness.game.B[reply.b]) for reply in witness.by_action() if reply.played]
    states = [Label(witness.game.S[s]) for s in witness.moved_from()]
    if states:
        where = say("from {s}", s=listed(states))
    elif len(actions) > 1:
        where = say("when the adversary plays {b}", b=listed(actions))
    else:
        where = say("at the adversary's different private observations")
    why = (
        "The differences {where} have opposite signs and cancel in the mixture, so the next hidden state has the same law in "
        "both worlds."
    )
    repair = (
        "Let the two worlds differ in one direction only, or let the response and the emissions weigh the opposite "
        "differences unequally."
    )
    causes = [Cause(say(why, where=where), say(repair))]
    if states and cert.options.scope == "simplex":
        reached = (
            "If play never reaches this mixture, `--scope reachable` asks the inequality only of predictive states that some "
            "model and policy of the class reach{on}."
        )
        on = "; it is decided on axes of values, in place of the intervals" if cert.outline.on_intervals else ""
        causes.append(Cause((), say(reached, on=on)))
    return causes


def _hidden(witness: RevealingWitness, cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return the cause that the next hidden state differs in law and the learner's window does not show it, if that is
    so."""
    left, right = (witness.next_states(x, witness.q) for x in (0, 1))
    kappa, H, S = cert.options.kappa, witness.game.H, witness.game.S
    moved = [s for s in range(len(S)) if left[s] != right[s]]
    alike = {witness.game.worlds[0].EA[witness.h + 1][s] for s in moved}
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
