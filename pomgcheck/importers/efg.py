"""Reads Gambit's extensive games (``.efg``): trees of two players, exact fractions, repeated declarations checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.importers.rows import Row, RowRepair
from pomgcheck.importers.scene import distinct
from pomgcheck.importers.tree import TreeNode, Turn
from pomgcheck.importers.words import Word, decimal, misread, quoted, rational, read_text

MAX_NODES = 100_000
CHANCE = 0  # the player of a chance node
TOKEN = re.compile(r'\s+|,|("(?:[^"\\]|\\.)*")|([{}])|([^\s{}",]+)', re.DOTALL)
PLAYERS = 2


def tree(path: Path, repair: RowRepair) -> tuple[TreeNode, str, str]:
    """Return the tree, what kind of file it is, and what was repaired; laws that do not sum to one are repaired, or
    refused."""
    reader = _TreeFile(path, repair)
    root = reader.read()
    return root, "extensive game", repair.settled()


class _TreeFile:
    def __init__(self, path: Path, repair: RowRepair) -> None:
        self.path, self.repair = path, repair
        self.tokens = self._tokens(read_text(path))
        self.at = 0
        self.players = 0
        self.written: dict[tuple[int, int], tuple[tuple[str, ...], tuple[Fraction, ...]]] = {}  # as declared
        self.sets: dict[tuple[int, int], tuple[tuple[str, ...], tuple[Fraction, ...], str]] = {}  # and its label
        self.outcomes: dict[int, tuple[Fraction, ...]] = {}
        self.names: dict[tuple[int, str], int] = {}  # (player, label of a set) -> the number that has it

    def _tokens(self, text: str) -> list[Word]:
        """Return the words: strings with their quotes, braces and words; commas are white space."""
        found, place, line = [], 0, 1
        while place < len(text):
            match = TOKEN.match(text, place)
            if match is None:
                raise misread(self.path, line, "", quoted(text[place : place + 20]), 'a text closed by "')
            if match.lastindex:
                found.append(Word(match.group(), line))
            line += match.group().count("\n")
            place = match.end()
        return found

    # ---- words

    def peek(self) -> str:
        return self.tokens[self.at].text if self.at < len(self.tokens) else ""

    @property
    def line(self) -> int:
        return self.tokens[min(self.at, len(self.tokens) - 1)].line if self.tokens else 0

    def misread(self, required: str) -> InputError:
        """Return the error about the next word."""
        found = quoted(self.peek()) if self.at < len(self.tokens) else "the end of the file"
        return misread(self.path, self.line, "", found, required)

    def word(self, *wanted: str) -> str:
        if self.peek() not in wanted or self.at >= len(self.tokens):
            raise self.misread(f"{' or '.join(wanted)}")
        self.at += 1
        return self.tokens[self.at - 1].text

    def text(self, what: str) -> str:
        if not self.peek().startswith('"'):
            raise self.misread(f"{what} in quotes")
        self.at += 1
        return re.sub(r"\\(.)", r"\1", self.tokens[self.at - 1].text[1:-1], flags=re.DOTALL)

    def integer(self, what: str, least: int = 1) -> int:
        if re.fullmatch(r"[0-9]{1,9}", self.peek(), re.ASCII) is None or int(self.peek()) < least:
            raise self.misread(f"{what}, an integer of at least {least}")
        self.at += 1
        return int(self.tokens[self.at - 1].text)

    def rational(self, what: str) -> Fraction:
        value = rational(self.peek())
        if value is None:
            raise self.misread(f"{what}, an exact number such as 1/3 or 0.5")
        self.at += 1
        return value

    # ---- the file

    def read(self) -> TreeNode:
        """Read the prologue, then the nodes in prefix order, and return the tree."""
        self.word("EFG")
        self.word("2")
        self.word("R", "D")
        self.text("the title")
        self.word("{")
        while self.peek() != "}":
            self.text("a player's name, or }")
            self.players += 1
        self.word("}")
        if not 1 <= self.players <= PLAYERS:
            raise misread(self.path, self.line, "", f"{self.players} players", "1 or 2, the learner and the adversary")
        if self.peek().startswith('"'):
            self.text("a comment")
        return self.nodes()

    def nodes(self) -> TreeNode:
        """Return the tree: a node, then the subtrees of its actions in order."""
        root: TreeNode | None = None
        open_nodes: list[TreeNode] = []
        count = 0
        while root is None or open_nodes:
            count += 1
            if count > MAX_NODES:
                raise LimitExceeded("", "nodes", count, MAX_NODES, "import a smaller game").inside(str(self.path))
            node = self.node()
            if root is None:
                root = node
            else:
                open_nodes[-1].children.append(node)
            if node.moves:
                open_nodes.append(node)
            while open_nodes and len(open_nodes[-1].children) == len(open_nodes[-1].moves):
                open_nodes.pop()
        if self.at < len(self.tokens):
            raise self.misread("the end of the file, since the tree is complete")
        return root

    def node(self) -> TreeNode:
        kind = self.word("c", "p", "t")
        self.text("the node's name")
        if kind == "t":
            return TreeNode(paid=self.outcome())
        player = CHANCE
        if kind == "p":
            player = self.integer("the player")
            if player > self.players:
                self.at -= 1
                raise self.misread(f"a player from 1 to {self.players}")
        actions, chances, label = self.declared(player)
        if player == CHANCE:
            return TreeNode({}, actions, chances, self.outcome())
        return TreeNode.decision({player: Turn(label, actions)}, self.outcome())

    def declared(self, player: int) -> tuple[tuple[str, ...], tuple[Fraction, ...], str]:
        """Return (actions, probabilities, label) of an information set or a chance event; later nodes may leave them
        out."""
        line = self.line
        what = "information set" if player else "chance event"
        key = player, self.integer(f"the number of the {what}")
        name = self.text("its name") if self.peek().startswith('"') else ""
        if self.peek() != "{":
            if key not in self.sets:
                raise self.misread(f"the actions of the {what} {key[1]} in braces, where it first appears")
            return self.sets[key]
        self.word("{")
        actions: list[str] = []
        chances: list[Fraction] = []
        while self.peek() != "}":
            actions.append("_".join(self.text("an action's name, or }").split()))
            if player == CHANCE:
                chances.append(self.rational("its probability"))
        self.word("}")
        where = f"{what} {key[1]}" + (f" of player {player}" if player else "")
        if not actions:
            raise misread(self.path, line, where, "no actions", "at least one")
        labels = self.labelled(actions)
        declared = (tuple(labels), tuple(chances))
        if self.written.setdefault(key, declared) != declared:
            before = ", ".join(self.written[key][0])
            raise misread(self.path, line, where, "other actions", f"{before}, as declared before")
        if key not in self.sets:
            law = self.repair.row(Row.of(chances), self.path, line, where, labels) if player == CHANCE else {}
            shares = tuple(law.get(k, Fraction(0)) for k in range(len(chances)))
            self.sets[key] = (tuple(labels), shares, self.named(player, key[1], name))
        return self.sets[key]

    @staticmethod
    def labelled(actions: Sequence[str]) -> list[str]:
        """Return distinct labels of actions, numbered where the file has none."""
        taken: set[str] = set()
        return [
            distinct(action if action and action != "*" and action.isprintable() else f"action{k}", taken)
            for k, action in enumerate(actions, 1)
        ]

    def named(self, player: int, key: int, name: str) -> str:
        """Return a label of an information set that no other set of the player has."""
        label = "_".join(name.split()) if name.strip() and name.isprintable() else f"set{key}"
        owner = self.names.setdefault((player, label), key)
        return label if owner == key else f"{label}#{key}"

    def outcome(self) -> tuple[Fraction, ...]:
        """Return what the players get at a node; the outcome 0 is nothing, and a repeated one may leave its payoffs
        out."""
        line = self.line
        key = self.integer("the outcome's number", 0)
        if self.peek().startswith('"'):
            self.text("the outcome's name")
        if self.peek() != "{":
            if key and key not in self.outcomes:
                raise self.misread(f"the payoffs of outcome {key} in braces, where it first appears")
            return self.outcomes.get(key, ())
        self.word("{")
        paid: list[Fraction] = []
        while self.peek() != "}":
            paid.append(self.rational("a payoff, or }"))
        self.word("}")
        where = f"outcome {key}"
        if key == 0:
            raise misread(self.path, line, where, "payoffs", "none, since outcome 0 has no payoffs")
        if len(paid) != self.players:
            raise misread(self.path, line, where, f"{len(paid)} payoffs", f"{self.players}, one per player")
        if self.outcomes.setdefault(key, tuple(paid)) != tuple(paid):
            before = " ".join(map(decimal, self.outcomes[key]))
            raise misread(self.path, line, where, " ".join(map(decimal, paid)), f"{before}, as before")
        return tuple(paid)
