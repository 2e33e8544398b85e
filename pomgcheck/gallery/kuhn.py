"""Kuhn poker against an opponent who may exploit the learner's recent policies, from a deck that may be stacked.

The document is the importer's for ``openspiel:kuhn_poker`` under `CHOICES`, its tree built here.
"""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from pomgcheck.importers import class_of
from pomgcheck.importers.choices import Choices, Unknown, read_family
from pomgcheck.importers.kuhn import BET, CARDS, PASS
from pomgcheck.importers.tree import TreeNode, Turn, scene

CHOICES = Choices(
    name="kuhn",
    unknowns=[Unknown("deal", "x", (F(0), F(1, 10), F(1, 5)))],
    responses=read_family("exploit"),
    truth={"x": F(1, 10), "y": F(1, 2)},
)


def _decides(player: int, situation: str, passed: TreeNode, bet: TreeNode) -> TreeNode:
    node = TreeNode.decision({player: Turn(situation, (PASS, BET))})
    node.children = [passed, bet]
    return node


def _play(mine: str, theirs: str) -> TreeNode:
    """Return the play once both have their cards: the learner bets or checks, then the opponent, and a bet is called
    or not."""
    sign = 1 if CARDS.index(mine) > CARDS.index(theirs) else -1

    def end(paid: int) -> TreeNode:
        return TreeNode(paid=(F(paid), F(-paid)))

    after_bets = _decides(1, f"{mine}pb", end(-1), end(2 * sign))
    checked = _decides(2, f"{theirs}p", end(sign), after_bets)
    return _decides(1, mine, checked, _decides(2, f"{theirs}b", end(1), end(2 * sign)))


def tree() -> TreeNode:
    """Return the game: a card for the learner, one for the opponent, play."""
    root = TreeNode(moves=tuple(CARDS), chances=(F(1, 3),) * 3)
    for mine in CARDS:
        others = tuple(card for card in CARDS if card != mine)
        root.children.append(TreeNode(moves=others, chances=(F(1, 2),) * 2, children=[_play(mine, x) for x in others]))
    return root


def document() -> dict[str, Any]:
    """Return the model class, in authoring form."""
    game = scene(tree(), "OpenSpiel's kuhn_poker", "", CHOICES, "kuhn", ("game", "payoff in chips"))
    return dict(class_of(game, CHOICES).authored) | {
        "description": "Kuhn poker of three cards. The learner moves first and plays an equilibrium alpha, or none. "
        "The opponent plays its own equilibrium, bluffing a third of its jacks and calling a third of its queens, "
        "and moves both rates with the learner's recent policies: towards its best answer where y > 0, away from "
        "it where y < 0. Unknown: y, and the probability x with which the learner is dealt the jack on purpose."
    }
