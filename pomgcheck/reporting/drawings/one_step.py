"""Draws one step of a game as SVG: who sees what, who moves, and what the next hidden state follows from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from pomgcheck.outline import Outline

LETTERS = 24  # of a list of labels, before the rest of it is counted
RULES = {
    "latest": "the latest policy",
    "mean": "the average of the last {m} policies",
    "table": "the last {m} policies, in order",
    "fading": "all past policies, the older the less",
}
# arrows: from, to, and where the words beside them stand
ARROWS = (
    "M206 136 L268 73",  # state -> what the learner sees
    "M206 164 L268 227",  # state -> what the adversary sees
    "M214 150 H602",  # state -> next state
    "M302 62 H464",  # seen -> learner's action
    "M302 238 H463",  # seen -> adversary's action
    "M496 70 L603 140",  # learner's action -> next state
    "M496 230 L603 160",  # adversary's action -> next state
)


def names(labels: Sequence[str]) -> str:
    """Return ``listen, open-left, …`` up to a length, and how many there are where some are left out."""
    whole = ", ".join(labels)
    if len(whole) <= LETTERS:
        return whole
    kept: list[str] = []
    for label in labels:
        if len(", ".join([*kept, label])) > LETTERS - 4:
            break
        kept.append(label)
    return f"{', '.join(kept)}, … ({len(labels)})" if kept else f"{len(labels)} labels"


def remembers(outline: Outline) -> str:
    """Return what the adversary answers."""
    return RULES["latest" if outline.memory == 1 else outline.block_rule].format(m=outline.memory)


def description(outline: Outline) -> str:
    """Return the drawing in words, for those who cannot see it."""
    return (
        f"One step of {outline.name}: the hidden state is one of {names(outline.states)}. "
        f"The learner sees {names(outline.learner_observations)} and plays {names(outline.learner_actions)} by its policy. "
        f"The adversary sees {names(outline.adversary_observations)} and plays {names(outline.adversary_actions)}, "
        f"answering {remembers(outline)}. The next hidden state follows from the state and both actions."
    )


def svg(outline: Outline) -> str:
    """Return the drawing: circles are chance, squares the learner, diamonds the adversary, as in game trees."""
    tip = f"tip-{re.sub('[^a-z0-9]', '-', outline.name.lower())}"  # several drawings may stand on one page

    def text(x: float, y: float, words: str, kind: str = "quiet", anchor: str = "middle") -> str:
        return f'<text class="{kind}" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'

    def lane(title: str, y: float, to: float, labels: Sequence[str], x: float) -> str:
        """Return what stands above or below a node: who does it, and with which labels."""
        return text(x, y, title, "head") + text(x, to, names(labels))

    parts = [
        *(f'<path class="arrow" marker-end="url(#{tip})" d="{path}"/>' for path in ARROWS),
        '<circle cx="196" cy="150" r="17"/><circle cx="622" cy="150" r="17"/>',
        '<circle cx="284" cy="62" r="15"/><circle cx="284" cy="238" r="15"/>',
        '<path d="M466 48h28v28h-28z"/><path d="M464 238l16 -16l16 16l-16 16z"/>',
        *(
            text(x, y, sign, "sign")
            for x, y, sign in ((196, 155, "s"), (622, 155, "s′"), (284, 67, "o"), (284, 243, "o"))
        ),
        *(text(480, y, sign, "sign") for y, sign in ((67, "a"), (243, "b"))),
        text(170, 147, "hidden state", "head", "end"),
        text(170, 164, names(outline.states), "quiet", "end"),
        text(622, 188, "next state", "head"),
        lane("learner sees", 36, 18, outline.learner_observations, 284),
        lane("learner plays", 36, 18, outline.learner_actions, 480),
        lane("adversary sees", 273, 290, outline.adversary_observations, 284),
        lane("adversary plays", 273, 290, outline.adversary_actions, 480),
        text(382, 55, "policy π"),
        text(382, 231, "response Φ"),
        text(382, 143, "world θ"),
        text(382, 316, f"It answers {remembers(outline)}."),
    ]
    words = escape(description(outline), quote=False)
    return (
        '<svg role="img" class="tree step" viewBox="0 0 672 326" width="672" height="326">'
        f"<title>{words}</title>"
        f'<defs><marker id="{tip}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path class="tip" d="M0 0L8 4L0 8z"/></marker></defs>'
        f"{''.join(parts)}</svg>"
    )
