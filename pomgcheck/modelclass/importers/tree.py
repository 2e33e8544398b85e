"""From a game tree to a game: a step is a decision, the player who is not asked idles, and payoffs come at the end.

States are the decision nodes (chance moves are drawn in between), the payoffs, and an end that nothing leaves.  Either
player sees its information set when it is asked and ``wait`` when it is not; the learner then sees its payoff.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.modelclass.importers.choices import Choices, check_names
from pomgcheck.modelclass.importers.scene import PASSIVE, Choosing, Scene, Section, distinct, scale
from pomgcheck.modelclass.importers.words import decimal
from pomgcheck.modelclass.sugar import MAX_ENTRIES

CHANCE = 0  # the player of a chance node
WAIT, OVER = "wait", "over"
MAX_WAY = 1000  # moves on the way to a node, chance moves too


@dataclass
class Node:
    """A node: ``player`` 0 for chance, 1 or 2, ``None`` where the game ends; ``paid`` is what either player gets here.

    ``where`` names a player's information set; ``actions`` are labels in the order of ``children``, ``chances`` the
    probabilities of a chance node.
    """

    player: int | None
    where: str = ""
    actions: tuple[str, ...] = ()
    chances: tuple[Fraction, ...] = ()
    paid: tuple[Fraction, ...] = ()
    children: list[Node] = field(default_factory=list)


def scene(root: Node, kind: str, notes: str, choices: Choices, name: str) -> Scene:
    """The game of a tree with two players at most, and its worlds."""
    return _Tree(root, kind, notes, choices, name).scene()


class Place(NamedTuple):
    """Where the game can be: a decision node by its number, or an end by the learner's payoff."""

    node: int | None
    payoff: Fraction | None = None  # kept apart from numbers, to which it may be equal


class _Tree:
    def __init__(self, root: Node, kind: str, notes: str, choices: Choices, name: str) -> None:
        self.kind, self.notes, self.name = kind, notes, name
        if choices.learner not in (1, 2):
            raise InputError("--learner", str(choices.learner), "1 or 2, a player of the file")
        if choices.adversary not in (None, "joint"):
            raise InputError("--adversary", str(choices.adversary), "joint: the other player is the adversary")
        if choices.horizon is not None:
            raise InputError("--horizon", str(choices.horizon), "none, a tree has its own")
        self.me, self.other = choices.learner, 3 - choices.learner
        self.unknowns = tuple(choices.unknowns)
        for unknown in self.unknowns:
            if unknown.kind != "transition":
                raise InputError("--unknown", f"{unknown.kind}:{unknown.name}", "transition:NAME=..., the chance moves",
                                 "what players see of a game tree is exact")  # fmt: skip
        check_names(choices)
        self.decisions: list[Node] = []
        self.labels: list[str] = []
        self.totals: dict[int, Fraction] = {}  # by id of an end: the learner's payoffs on the way to it
        self.numbers: dict[int, int] = {}
        self.depth = 0
        self._walk(root)
        self.root = root
        payoffs = sorted(set(self.totals.values()))
        self.low, self.high = payoffs[0], payoffs[-1]
        self.payoffs = payoffs

    def _walk(self, root: Node) -> None:
        """Number the decision nodes, name them by the moves that lead to them, and add up payoffs."""
        taken: set[str] = {OVER}
        waiting: list[tuple[Node, tuple[str, ...], Fraction, int]] = [(root, (), Fraction(0), 0)]
        while waiting:
            node, way, got, depth = waiting.pop()
            if len(way) > MAX_WAY:
                raise LimitExceeded("", "moves on the way to a node", len(way), MAX_WAY, "import a smaller game")
            got += node.paid[self.me - 1] if node.paid else 0
            if node.player is None:
                self.totals[id(node)] = got
                self.depth = max(self.depth, depth)
                continue
            if node.player != CHANCE:
                self.numbers[id(node)] = len(self.decisions)
                self.decisions.append(node)
                self.labels.append(distinct(".".join(way) or "root", taken))
            for action, child in reversed(list(zip(node.actions, node.children, strict=True))):
                waiting.append((child, (*way, action), got, depth + (node.player != CHANCE)))
        self.taken = taken

    def arrivals(self, node: Node) -> Iterator[tuple[Place, Fraction, Fraction]]:
        """(place, probability as the file has it, probability with uniform chance moves) after entering ``node``."""
        waiting = [(node, Fraction(1), Fraction(1))]
        while waiting:
            node, p, even = waiting.pop()
            if node.player is None:
                yield Place(None, self.totals[id(node)]), p, even
            elif node.player != CHANCE:
                yield Place(self.numbers[id(node)]), p, even
            else:
                share = even / len(node.children)
                for chance, child in reversed(list(zip(node.chances, node.children, strict=True))):
                    waiting.append((child, p * chance, share))

    def scene(self) -> Scene:
        """All tables."""
        mine, others = self._actions(self.me), self._actions(self.other)
        ends = {payoff: distinct(f"end({decimal(payoff)})", self.taken) for payoff in self.payoffs}
        states = [*self.labels, *ends.values(), OVER]
        count = len(states) ** 2 * len(mine) * len(others)
        if count > MAX_ENTRIES:
            what = f"entries of the transition table, of {len(states):,} states"
            raise LimitExceeded("", what, count, MAX_ENTRIES, "import a smaller game")
        seen, choices = self._sights(self.me)
        heard, asked = self._sights(self.other)
        shown = {payoff: distinct(f"end({decimal(payoff)})", {WAIT, OVER, *seen.values()}) for payoff in ends}
        observations = [*choices, WAIT, *shown.values(), OVER]
        heard_all = [*asked, WAIT] if asked else [PASSIVE]
        idle = WAIT if asked else PASSIVE
        span = self.high - self.low
        reward = {shown[payoff]: (payoff - self.low) / span if span else Fraction(0) for payoff in ends}
        emission = {label: {seen.get(k, WAIT): "1"} for k, label in enumerate(self.labels)}
        emission |= {ends[payoff]: {shown[payoff]: "1"} for payoff in ends} | {OVER: {OVER: "1"}}
        hearing = {label: {heard.get(k, idle): "1"} for k, label in enumerate(self.labels)}
        hearing |= {label: {idle: "1"} for label in (*ends.values(), OVER)}
        place = {Place(k): label for k, label in enumerate(self.labels)}
        place |= {Place(None, payoff): label for payoff, label in ends.items()}
        worlds: Section = {
            "initial": self._fixed(self.root, place),
            "learner_emission": emission,
            "adversary_emission": hearing,
            "transition": self._transition(place, mine, others, [*ends.values(), OVER]),
        }
        if self.unknowns:
            worlds["parameters"] = {u.name: {"values": [str(value) for value in u.values]} for u in self.unknowns}
        game = {
            "horizon": self.depth + 1,
            "states": states,
            "learner_actions": mine,
            "adversary_actions": others,
            "learner_observations": observations,
            "adversary_observations": heard_all,
            "reward": [str(reward.get(label, Fraction(0))) for label in observations],
        }
        answers = {label: asked[label][1] if label in asked else (others[0],) for label in heard_all}
        return Scene(self.name, self._source(), {}, game, worlds, choices, answers, len(others) > 1)

    def _actions(self, player: int) -> list[str]:
        """Labels of all actions of a player, in order; an action that a node does not have acts as its first."""
        taken = dict.fromkeys(action for node in self.decisions if node.player == player for action in node.actions)
        return list(taken) or ["pass"]

    def _sights(self, player: int) -> tuple[dict[int, str], Choosing]:
        """(decision number -> information set, information set -> itself as a choice with its actions)."""
        taken = {WAIT, OVER, PASSIVE}
        names: dict[str, str] = {}
        seen: dict[int, str] = {}
        choices: Choosing = {}
        for k, node in enumerate(self.decisions):
            if node.player == player:
                if node.where not in names:
                    names[node.where] = distinct(node.where, taken)
                label = seen[k] = names[node.where]
                choices[label] = ((label,), node.actions)
        return seen, choices

    def _fixed(self, node: Node, place: dict[Place, str]) -> dict[str, str]:
        """The law after entering a node by the file's chance moves: the start, which is known."""
        law: dict[str, Fraction] = {}
        for to, p, _ in self.arrivals(node):
            law[place[to]] = law.get(place[to], Fraction(0)) + p
        return {label: str(p) for label, p in law.items() if p}

    def _entered(self, node: Node, place: dict[Place, str]) -> dict[str, str]:
        """The same after a decision: with probability NAME the chance moves are uniform."""
        if not self.unknowns:
            return self._fixed(node, place)
        name = self.unknowns[0].name
        law: dict[str, tuple[Fraction, Fraction]] = {}
        for to, p, even in self.arrivals(node):
            one, other = law.get(place[to], (Fraction(0), Fraction(0)))
            law[place[to]] = one + p, other + even
        return {
            label: str(p) if p == even else f"(1-{name})*{p}+{name}*{even}" for label, (p, even) in law.items()
        }

    def _transition(self, place: dict[Place, str], mine: list[str], others: list[str], ends: list[str]) -> Section:
        table: Section = {}
        for node, label in zip(self.decisions, self.labels, strict=True):
            for action in mine if node.player == self.me else others:
                k = node.actions.index(action) if action in node.actions else 0
                key = f"{label} {action} *" if node.player == self.me else f"{label} * {action}"
                table[key] = self._entered(node.children[k], place)
        return table | {f"{label} * *": {OVER: "1"} for label in ends}

    def _source(self) -> str:
        return (
            f"{self.kind}, player {self.me} the learner; {scale('payoff', self.low, self.high)}, paid "
            f"at the end; an action that an information set does not have acts as its first{self.notes}"
        )
