"""Certificates of classes with interval axes in words."""

from __future__ import annotations

from pomgcheck.modelclass.document import load
from pomgcheck.reporting import explain
from pomgcheck.search.certify import certify
from tests.search import continua


def test_a_proof_on_boxes_is_told() -> None:
    """What was asked of the whole class, how it was shown, and where an extreme is attained."""
    document = certify(load(continua.parabola()), only=("bounded-increments", "covering")).document
    told = explain(document, "bounded-increments", width=400)
    assert "a bound below and above on the whole class" in told
    assert "x=1/2" in told
    assert "log(4)" in told
    assert "fine enough for the scale" in explain(document, "covering", width=400)


def test_a_claim_left_open_names_its_cell() -> None:
    """The page says that neither a proof nor a point was found, and the search's line where its budget ended."""
    document = continua.parabola()
    document["worlds"]["learner_emission"] = [["4*x^4-4*x^2+1", "4*x^2-4*x^4"]]  # (2x^2-1)^2: zero at an irrational x
    certificate = certify(load(document), only=("predictive-states",)).document
    told = explain(certificate, "nonexpansive", width=400)
    assert "neither a proof for the whole of it nor a point where the claim fails" in told
    assert "undecided on theta.x in [" in told
    assert "rests on nonexpansive" in explain(certificate, "predictive-states", width=400)


def test_a_point_that_refutes_is_told() -> None:
    """A trajectory impossible at one end of the interval is walked through at exact points."""
    document = certify(load(continua.touching()), only=("predictive-states",)).document
    told = explain(document, "predictive-states", width=400)
    assert "x=0" in told
