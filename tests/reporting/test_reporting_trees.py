"""Counterexamples as game trees: probabilities from the model's tables, what differs marked, legible drawings."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.reporting import claims
from pomgcheck.reporting.blocks import Branch, Document, Tree, walk
from pomgcheck.reporting.blocks import tree as tree_of
from pomgcheck.reporting.drawings import game_trees
from pomgcheck.reporting.render import html, markdown
from tests.reporting import samples

CERTIFICATES = Path(__file__).parents[2] / "certificates"
TOLD = {"posterior-lipschitz", "weak-revealing", "bounded-increments", "predictive-states", "kl-joint", "kl-world"}


def shipped() -> Iterator[tuple[Certificate, RecordedClaim]]:
    """Every refuted claim of the gallery that is told as a tree, with its certificate."""
    for path in sorted(CERTIFICATES.glob("*.cert.json")):
        cert = Certificate.load(path)
        yield from ((cert, c) for c in cert.claims.values() if c.verdict == "refuted" and c.id in TOLD)


SHIPPED = list(shipped())


def of(name: str, claim: str) -> Tree:
    """The tree of a claim of a shipped certificate."""
    cert = Certificate.load(CERTIFICATES / f"{name}.cert.json")
    (found,) = claims.drawn(cert, cert.claims[claim])
    return found


def test_an_action_that_is_never_played() -> None:
    """silent-action in full: what differs is below an action of probability 0, and what is seen next is alike."""
    assert (
        "A: world x=1/2",
        "B: world x=3/4",
        "                                A    B",
        "At step 1",
        "  learner sees dim              1/4  1/4",
        "    learner plays guard",
        "      hidden state lit          1    1",
        "        adversary plays wait    1    1",
        "          next state dark       1/4  1/4",
        "          next state lit        3/4  3/4",
        "        adversary plays tamper  0    0",
        "          next state dark       1/2  3/4  ≠",
        "          next state lit        1/2  1/4  ≠",
        "  learner sees bright           3/4  3/4",
        "Then, at step 2",
        "  learner sees dim              3/8  3/8",
        "  learner sees bright           5/8  5/8",
    ) == of("silent-action", "weak-revealing").lines


@pytest.mark.parametrize(("cert", "claim"), SHIPPED, ids=lambda x: x.name if isinstance(x, Certificate) else x.id)
def test_probabilities_add_up(cert: Certificate, claim: RecordedClaim) -> None:
    """Among branches of one mover below one node, where all are shown exactly, each side's probabilities sum to 1."""
    (tree,) = claims.drawn(cert, claim)
    groups = [branch.then for _, branch in walk(tree.branches)]
    checked = 0
    for group in groups:
        for side in zip(*(branch.chances for branch in group if branch.chances), strict=True):
            if not any(chance.startswith(("≈", "–")) for chance in side):
                assert 1 == sum(map(Fraction, side))
                checked += 1
    assert checked


@pytest.mark.parametrize(("cert", "claim"), SHIPPED, ids=lambda x: x.name if isinstance(x, Certificate) else x.id)
def test_something_differs_and_the_learner_does_not_see_it(cert: Certificate, claim: RecordedClaim) -> None:
    """Every tree marks a difference; for the KL conversion and for weak revealing none of it is the learner's next
    observation."""
    (tree,) = claims.drawn(cert, claim)
    marked = [branch for _, branch in walk(tree.branches) if branch.differs]
    assert marked
    if claim.id.startswith("kl-"):
        assert not [branch for branch in marked if branch.words.startswith("learner")]
    if claim.id == "weak-revealing":
        assert not [branch for branch in tree.branches[-1].then if branch.differs]


@pytest.mark.parametrize("name", samples.REFUTED)
def test_every_sample_has_a_tree_or_needs_none(name: str) -> None:
    """Each way a claim with a tree can fail gives one; a truth outside the class, and blocks of policies, give none."""
    cert = Certificate(samples.REFUTED[name]())
    (claim,) = [c for c in cert.claims.values() if c.verdict == "refuted"]
    found = claims.drawn(cert, claim)
    blocks = claim.id == "posterior-lipschitz" and not isinstance(claim.witness["pi"], str)
    policies = claim.id == "posterior-lipschitz" and not isinstance(claim.witness["posteriors"][0][0], str)
    assert (claim.id in TOLD and not blocks and not policies) == bool(found)


def test_the_drawing_can_be_read() -> None:
    """An SVG image with a title, the outline as its description, every word and number as text, and marks in words."""
    tree = of("confounded", "kl-joint")
    svg = ElementTree.fromstring(game_trees.svg(tree))
    assert ("img", "title", "desc") == (svg.attrib["role"], svg[0].tag, svg[1].tag)
    assert tree.description == svg[0].text
    shown = [element.text for element in svg.iter("text")]
    for _, branch in walk(tree.branches):
        assert branch.words in shown
        assert set(branch.chances) <= set(shown)
    assert sum(branch.differs for _, branch in walk(tree.branches)) == shown.count("≠")


def test_labels_are_no_markup() -> None:
    """A label that looks like markup is shown as it is."""
    branch = Branch("chance", "learner sees <b>&", ("1", "1"))
    tree = tree_of((("A", "x<y"), ("B", "z")), (branch,), "A <tree>")
    svg = ElementTree.fromstring(game_trees.svg(tree))
    assert "learner sees <b>&" in [element.text for element in svg.iter("text")]


def test_the_same_tree_in_markdown() -> None:
    """Markdown has the outline as lines of code, the page as a drawing."""
    tree = of("early-mover", "posterior-lipschitz")
    document = Document("x", {}, (tree,))
    assert "\n".join(("```", *tree.lines, "```")) in markdown.page(document)
    assert '<svg role="img" class="tree"' in html.page(document)
