"""Makes a game of a game tree: a step is a decision, a player who is not asked idles, and payoffs come at the end.

States are the decision nodes (chance moves are drawn in between), the payoffs, and an end that nothing leaves.  Either
player sees its information set when it is asked and ``wait`` when it is not; the learner then sees its payoff.  A deal
that is unknown is a step of its own, from the state ``deck``, in which both wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.importers.choices import Choices, Unknown, check_names
from pomgcheck.importers.scene import PASSIVE, Choosing, GameScene, Section, distinct, scale
from pomgcheck.importers.words import decimal
from pomgcheck.modelclass.sugar import MAX_ENTRIES

WAIT, OVER, DECK = "wait", "over", "deck"
PAYOFF = "file", "payoff"
MAX_WAY = 1000  # moves on the way to a node, chance moves too


class Turn(NamedTuple):
    """This is what a player is asked: its information set, and the labels of the actions that it has there."""

    where: str
    actions: tuple[str, ...]


@dataclass
class TreeNode:
    """A node says who decides there, player 1 or 2 or both at once; nobody does at a chance move, nor where the game
    ends.

    ``moves`` are labels in the order of ``children``: the actions of who decides (row by row those of both), or what
    chance draws with the probabilities ``chances``. ``paid`` is what either player gets here.
    """

    asked: dict[int, Turn] = field(default_factory=dict)
    moves: tuple[str, ...] = ()
    chances: tuple[Fraction, ...] = ()
    paid: tuple[Fraction, ...] = ()
    children: list[TreeNode] = field(default_factory=list)

    @staticmethod
    def decision(asked: dict[int, Turn], paid: tuple[Fraction, ...] = ()) -> TreeNode:
        """Return a node where these players decide; its children are to come, row by row."""
        turns = (asked[player].actions for player in sorted(asked))
        return TreeNode(asked, tuple("/".join(choice) for choice in product(*turns)), (), paid)


def scene(
    root: TreeNode, kind: str, notes: str, choices: Choices, name: str, paid: tuple[str, str] = PAYOFF
) -> GameScene:
    """Return the game of a tree with two players at most, and its worlds; ``paid`` says whose its payoffs are, and
    their name."""
    return _Tree(root, kind, notes, choices, name, paid).scene()


class TreePlace(NamedTuple):
    """This is where the game can be: a decision node by its number, or an end by the learner's payoff."""

    node: int | None
    payoff: Fraction | None = None  # kept apart from numbers, to which it may be equal


class _Tree:
    def __init__(
        self, root: TreeNode, kind: str, notes: str, choices: Choices, name: str, paid: tuple[str, str]
    ) -> None:
        self.kind, self.notes, self.name, self.paid = kind, notes, name, paid
        if choices.learner not in (1, 2):
            raise InputError("learner", str(choices.learner), "1 or 2, a player of the file")
        if choices.adversary not in (None, "joint"):
            raise InputError("adversary", str(choices.adversary), "joint: the other player is the adversary")
        if choices.horizon is not None:
            raise InputError("horizon", str(choices.horizon), "none, since a tree has its own")
        self.me, self.other = choices.learner, 3 - choices.learner
        self.unknowns: dict[str, Unknown] = {unknown.kind: unknown for unknown in choices.unknowns}
        check_names(choices)
        if emission := self.unknowns.get("emission"):
            raise InputError(
                "unknown",
                f"emission:{emission.name}",
                "transition:NAME=..., the chance moves, or deal:NAME=...",
                "what players see of a game tree is exact",
            )
        if "deal" in self.unknowns and not root.chances:
            raise InputError("unknown", f"deal:{self.unknowns['deal'].name}", "a game that begins with a chance move")
        self.decisions: list[TreeNode] = []
        self.labels: list[str] = []
        self.totals: dict[int, Fraction] = {}  # by id of an end: the learner's payoffs on the way to it
        self.numbers: dict[int, int] = {}
        self.depth = 0
        self._walk(root)
        self.root = root
        payoffs = sorted(set(self.totals.values()))
        self.low, self.high = payoffs[0], payoffs[-1]
        self.payoffs = payoffs

    def _walk(self, root: TreeNode) -> None:
        """Number the decision nodes, name them by the moves that lead to them, and add up payoffs."""
        taken: set[str] = {OVER, DECK}
        waiting: list[tuple[TreeNode, tuple[str, ...], Fraction, int]] = [(root, (), Fraction(0), 0)]
        while waiting:
            node, way, got, depth = waiting.pop()
            if len(way) > MAX_WAY:
                raise LimitExceeded("", "moves on the way to a node", len(way), MAX_WAY, "import a smaller game")
            got += node.paid[self.me - 1] if node.paid else 0
            if not node.moves:
                self.totals[id(node)] = got
                self.depth = max(self.depth, depth)
                continue
            if node.asked:
                self.numbers[id(node)] = len(self.decisions)
                self.decisions.append(node)
                self.labels.append(distinct(".".join(way) or "root", taken))
            for move, child in reversed(list(zip(node.moves, node.children, strict=True))):
                waiting.append((child, (*way, move), got, depth + bool(node.asked)))
        self.taken = taken

    def arrivals(self, node: TreeNode) -> Iterator[tuple[TreePlace, Fraction, Fraction]]:
        """Yield (place, probability as the file has it, probability with uniform chance moves) after entering
        ``node``."""
        waiting = [(node, Fraction(1), Fraction(1))]
        while waiting:
            node, p, even = waiting.pop()
            if not node.moves:
                yield TreePlace(None, self.totals[id(node)]), p, even
            elif node.asked:
                yield TreePlace(self.numbers[id(node)]), p, even
            else:
                share = even / len(node.children)
                for chance, child in reversed(list(zip(node.chances, node.children, strict=True))):
                    waiting.append((child, p * chance, share))

    def scene(self) -> GameScene:
        """Return the game with all tables."""
        mine, others = self._actions(self.me), self._actions(self.other)
        ends = {payoff: distinct(f"end({decimal(payoff)})", self.taken) for payoff in self.payoffs}
        deck = [DECK] if "deal" in self.unknowns else []
        states = [*deck, *self.labels, *ends.values(), OVER]
        count = len(states) * len(mine) * len(others)
        if count > MAX_ENTRIES:
            what = f"rows of the transition table, of {len(states):,} states"
            raise LimitExceeded("", what, count, MAX_ENTRIES, "import a smaller game")
        seen, choices = self._sights(self.me)
        heard, asked = self._sights(self.other)
        shown = {payoff: distinct(f"end({decimal(payoff)})", {WAIT, OVER, *seen.values()}) for payoff in ends}
        observations = [*choices, WAIT, *shown.values(), OVER]
        heard_all = [*asked, WAIT] if asked else [PASSIVE]
        idle = WAIT if asked else PASSIVE
        span = self.high - self.low
        reward = {shown[payoff]: (payoff - self.low) / span if span else Fraction(0) for payoff in ends}
        emission = {label: {WAIT: "1"} for label in deck}
        emission |= {label: {seen.get(k, WAIT): "1"} for k, label in enumerate(self.labels)}
        emission |= {ends[payoff]: {shown[payoff]: "1"} for payoff in ends} | {OVER: {OVER: "1"}}
        hearing = {label: {heard.get(k, idle): "1"} for k, label in enumerate(self.labels)}
        hearing |= {label: {idle: "1"} for label in (*deck, *ends.values(), OVER)}
        place = {TreePlace(k): label for k, label in enumerate(self.labels)}
        place |= {TreePlace(None, payoff): label for payoff, label in ends.items()}
        worlds: Section = {
            "initial": {DECK: "1"} if deck else self._fixed(self.root, place),
            "learner_emission": emission,
            "adversary_emission": hearing,
            "transition": {f"{DECK} * *": self._dealt(place) for _ in deck}
            | self._transition(place, mine, others, [*ends.values(), OVER]),
        }
        if self.unknowns:
            axes = self.unknowns.values()
            worlds["parameters"] = {u.name: {"values": [str(value) for value in u.values]} for u in axes}
        game = {
            "horizon": len(deck) + self.depth + 1,
            "states": states,
            "learner_actions": mine,
            "adversary_actions": others,
            "learner_observations": observations,
            "adversary_observations": heard_all,
            "reward": [str(reward.get(label, Fraction(0))) for label in observations],
        }
        answers = {label: asked[label][1] if label in asked else (others[0],) for label in heard_all}
        return GameScene(self.name, self._source(), {}, game, worlds, choices, answers, len(others) > 1)

    def _actions(self, player: int) -> list[str]:
        """Return the labels of all actions of a player, in order; an action that a node does not have acts as its
        first."""
        turns = [node.asked[player] for node in self.decisions if player in node.asked]
        taken = dict.fromkeys(action for turn in turns for action in turn.actions)
        return list(taken) or ["pass"]

    def _sights(self, player: int) -> tuple[dict[int, str], Choosing]:
        """Return the information set of each decision number, and each information set as a choice with its actions."""
        taken = {WAIT, OVER, PASSIVE}
        names: dict[str, str] = {}
        seen: dict[int, str] = {}
        choices: Choosing = {}
        for k, node in enumerate(self.decisions):
            if player in node.asked:
                where, actions = node.asked[player]
                if where not in names:
                    names[where] = distinct(where, taken)
                label = seen[k] = names[where]
                choices[label] = ((label,), actions)
        return seen, choices

    def _fixed(self, node: TreeNode, place: dict[TreePlace, str]) -> dict[str, str]:
        """Return the law after entering a node by the file's own chance moves: the start, where it is known."""
        law: dict[str, Fraction] = {}
        for to, p, _ in self.arrivals(node):
            law[place[to]] = law.get(place[to], Fraction(0)) + p
        return {label: str(p) for label, p in law.items() if p}

    def _entered(self, node: TreeNode, place: dict[TreePlace, str]) -> dict[str, str]:
        """Return the same after a decision: with probability NAME the chance moves are uniform."""
        if "transition" not in self.unknowns:
            return self._fixed(node, place)
        law = [(place[to], p, even) for to, p, even in self.arrivals(node)]
        return _mixed(law, self.unknowns["transition"].name)

    def _dealt(self, place: dict[TreePlace, str]) -> dict[str, str]:
        """Return the law after the deck: with probability NAME the first chance move falls on its first outcome."""
        law = [(place[to], p, Fraction(0)) for to, p, _ in self.arrivals(self.root)]
        law += [(place[to], Fraction(0), p) for to, p, _ in self.arrivals(self.root.children[0])]
        return _mixed(law, self.unknowns["deal"].name)

    def _transition(self, place: dict[TreePlace, str], mine: list[str], others: list[str], ends: list[str]) -> Section:
        table: Section = {}
        for node, label in zip(self.decisions, self.labels, strict=True):
            for a, b in product(mine if self.me in node.asked else "*", others if self.other in node.asked else "*"):
                child = node.children[_place(node, {self.me: a, self.other: b})]
                table[f"{label} {a} {b}"] = self._entered(child, place)
        return table | {f"{label} * *": {OVER: "1"} for label in ends}

    def _source(self) -> str:
        return (
            f"{self.kind}, player {self.me} the learner; {scale(*self.paid, self.low, self.high)}, paid "
            f"at the end; an action that an information set does not have acts as its first{self.notes}"
        )


def _place(node: TreeNode, chosen: dict[int, str]) -> int:
    """Return which child the actions of both players lead to; an action that a node does not have acts as its first."""
    place = 0
    for player, (_, actions) in sorted(node.asked.items()):
        action = chosen[player]
        place = place * len(actions) + (actions.index(action) if action in actions else 0)
    return place


def _mixed(law: list[tuple[str, Fraction, Fraction]], name: str) -> dict[str, str]:
    """Return (1-NAME)*p + NAME*q for each label, from parts (label, p, q)."""
    total: dict[str, tuple[Fraction, Fraction]] = {}
    for label, p, q in law:
        one, other = total.get(label, (Fraction(0), Fraction(0)))
        total[label] = one + p, other + q
    return {label: str(p) if p == q else f"(1-{name})*{p}+{name}*{q}" for label, (p, q) in total.items()}
