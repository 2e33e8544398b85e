"""Classes with interval axes as a learner meets them, without asking whether the whole class is certified."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

from pomgcheck import gallery
from pomgcheck.certificate import Certificate
from pomgcheck.gallery import bandit
from pomgcheck.kernel.game import Game
from pomgcheck.learner.continuum import Planned
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.run import posed
from pomgcheck.learner.settings import Settings, the_truth
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.search import continua

TRUTHS: dict[str, Any] = {
    "sensor": {"worlds": {"x": "3/17", "y": "10/27"}, "responses": {}},
    "quotient": {"worlds": {"x": "22/17"}, "responses": {}},
    "triangle": {"worlds": {"x": "3/17", "y": "10/27"}, "responses": {}},
    "mixed": {"worlds": {"x": "3/31", "z": "1/3"}, "responses": {"y": "5/23"}},
    "patrol": {"worlds": {"x": "3/31"}, "responses": {"y": "3/23"}},
    "two-arms": {"worlds": {"mu1": "2/7", "mu2": "3/23"}, "responses": {}},
    "sliver": {"worlds": {"x": "3/17", "y": "28/85"}, "responses": {}},
}


def sliver() -> continua.Document:
    """x + y is between 1/2 and 1/2 + 1/100: most squares of a grid have no middle in the class."""
    document = continua.sensor()
    document["worlds"]["constraints"] = ["x + y >= 1/2", "x + y <= 51/100"]
    return document


def untold(document: continua.Document) -> continua.Document:
    """A class that names no truth: a run is told one."""
    return {key: part for key, part in document.items() if key != "truth"}


DOCUMENTS = {name: continua.CLASSES[name] for name in ("sensor", "quotient", "triangle", "mixed")} | {
    "patrol": lambda: untold(gallery.document("patrol-interval")),
    "sliver": sliver,
    "two-arms": lambda: untold(bandit.document(2)),  # its true means are low
    "bandit": lambda: bandit.document(3),
}


@cache
def certificate(name: str) -> Certificate:
    """What bounds log-likelihoods, certified; the other assumptions are taken as certified too."""
    document = certify(load(DOCUMENTS[name]()), only=("covering", "bounded-increments")).document
    return Certificate(document | {"summary": document["summary"] | {"certified": True}})


def game(name: str) -> Game:
    """The class."""
    return Game(certificate(name).model)


@cache
def problem(name: str, error: str | None, T: int = 1000) -> tuple[LearningProblem, Planned]:
    """The problem and what it is planned with."""
    points, text = the_truth(game(name), TRUTHS.get(name))
    found, planned = posed(
        game(name), points, text, certificate(name).values, error and Fraction(error), T, None, Fraction(0)
    )
    assert planned is not None
    return found, planned


def settings(name: str, planned: Planned, kind: Any = "practical", c: str | None = None) -> Settings:
    """The constants of a run."""
    return Settings.read(certificate(name), game(name).m or 1, kind, None, c, None, None, planned)
