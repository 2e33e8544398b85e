"""What would decide a claim that ended unknown is tried: each piece of advice holds when it is followed."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.kernel.budget import OverBudget
from pomgcheck.modelclass import load
from pomgcheck.modelclass.derived import intervals, within
from pomgcheck.remedies import Narrowing
from pomgcheck.reporting.pages.narrowing import told
from pomgcheck.search import checked, extremes, narrowing
from pomgcheck.search.certify import certify
from pomgcheck.search.claims import weak_revealing_cover
from tests.repo.source import ROOT
from tests.search import continua, small

CLAIM = "predictive-states"


def two_valleys(low: str = "1/3", high: str = "2/3", depth: str = "1/100") -> dict[str, Any]:
    """A chance whose least value, ``depth``, lies at x = ``low`` in one world of a list and at x = ``high`` in another."""
    chance = f"(x-z)^2+{depth}"
    document = small.document(
        "valleys", learner=[[chance, f"1-({chance})"]], worlds={}, responses=continua.IDLE, moves=[[["1"]]], horizon=1
    )
    document["worlds"]["parameters"] = continua.axes(x=("0", "1")) | {"z": {"values": [low, high]}}
    return document


def tried(document: Any, claim: str = CLAIM, **options: Any) -> tuple[Certificate, Narrowing]:
    """The certificate of one claim, which ends unknown, and what decides it."""
    model = load(document)
    certificate = certify(model, only=[claim], **options)
    assert "unknown" == certificate.claims[claim].verdict
    return certificate, narrowing.narrowing(model, certificate, claim, 60)


def words(found: Narrowing) -> str:
    """The advice."""
    return " ".join(told(found).split())


@pytest.fixture
def one_box(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that looks at one box of each goal and no more."""
    monkeypatch.setattr(extremes, "GOAL", 1)


def test_an_axis_to_split_is_found(one_box: None) -> None:
    """The chance x^2 - x + 1/2 is positive on one box of either half and not of the whole: the box on which the search
    ended is kept, and both halves are proved."""
    certificate, found = tried(continua.parabola())
    note = json.loads(certificate.claims[CLAIM].document["search"]["stopped"])
    assert {"theta.x": ["0", "1"]} == note["box"] == (found.stopped or {})["box"]
    assert [("half", "proved")] * 2 == [(each.kind, each.verdict) for each in found.tries]
    assert [{"x": ["0", "1/2"]}, {"x": ["1/2", "1"]}] == [each.document["changed"]["worlds"] for each in found.tries]
    assert "Split x at 1/2: it is proved on both halves" in words(found)


def test_an_axis_to_narrow_is_found(one_box: None) -> None:
    """With its least value at 1/3 the chance is positive on one box of the upper half alone."""
    document = continua.parabola()
    document["worlds"]["learner_emission"] = [["(x-1/3)^2+1/100", "1-((x-1/3)^2+1/100)"]]
    _, found = tried(document)
    assert ["unknown", "proved"] == [each.verdict for each in found.tries]
    assert "Narrow x from 1/2 to 1, half of that axis: there it is proved." in words(found)


def test_a_box_around_the_truth_is_found(one_box: None) -> None:
    """Where no half is enough, the largest of the boxes around the truth that settle is found by bisection."""
    document = two_valleys() | {"truth": {"worlds": {"x": "1/2", "z": "1/3"}, "responses": {}}}
    _, found = tried(document)
    around = {str(each.box["worlds", "x"][0]): each.verdict for each in found.tries if each.kind == "around"}
    assert {"63/128": "proved", "7/16": "proved", "1/4": "unknown", "3/8": "proved"} == around
    assert "Narrow to x from 3/8 to 5/8" in words(found)


def test_width_that_does_not_help_is_said(one_box: None) -> None:
    """Where even the smallest box is undecided no width is advised."""
    _, found = tried(two_valleys("499/1000", "501/1000", "1/1000000000"))
    assert ["half", "half", "around"] == [each.kind for each in found.tries]
    assert "It is not the width of an axis: x from 63/128 to 65/128 was not decided" in words(found)


def test_time_alone_is_found() -> None:
    """A claim that the clock stopped is searched again, and its verdict is that of a search without a limit."""
    _, found = tried(small.drift(), "kl-joint", time_limit=1e-9)
    assert [("again", "proved")] == [(each.kind, each.verdict) for each in found.tries]
    assert found.tries[0].values == certify(load(small.drift()), only=["kl-joint"]).claims["kl-joint"].values
    assert "Time alone: certify … --resume CERT --time-limit" in words(found)


def test_a_tolerance_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the budget of pieces ends the search for alpha, the first tolerance with which it settles is named."""
    document = json.loads((ROOT / "tests" / "accepted" / "factor.cert.json").read_bytes())["model"]
    monkeypatch.setattr(weak_revealing_cover, "WORK", 24)
    _, found = tried(document, "weak-revealing")
    verdicts = {each.tol: each.verdict for each in found.tries}
    settling = next((tol for tol, verdict in verdicts.items() if verdict != "unknown"), None)
    again = {tol: certify(load(document), only=["weak-revealing"], tol=tol) for tol in verdicts}
    assert verdicts == {tol: made.claims["weak-revealing"].verdict for tol, made in again.items()}
    assert (f"--tol {settling} settles it" if settling else "No tolerance that was tried") in words(found)


def test_a_count_that_is_over_the_budget_is_told_with_what_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states along trajectories are counted horizon by horizon, as the kernel counts them."""
    model = load(small.drift())
    whole = narrowing.counts(model)
    assert (whole.horizon, whole.models) == (whole.horizon_that_fits, whole.models_that_fit)
    monkeypatch.setattr(narrowing, "WORK", narrowing.STATE * (whole.found - 1))
    less = narrowing.counts(model)
    assert (whole.found, whole.horizon - 1) == (less.found, less.horizon_that_fits)
    assert less.models > less.models_that_fit >= 1

    def over(*_: Any) -> None:
        raise OverBudget(f"{whole.found} predictive states: 9 units of work where 3 are left")

    monkeypatch.setattr(checked.check, "check_claim", over)
    _, found = tried(small.drift(), "kl-joint")
    monkeypatch.undo()
    assert f"The kernel would have to play {whole.found:,} predictive states along trajectories" in words(found)


def test_what_rests_on_open_claims_names_them() -> None:
    """The bound is made of all claims, and those that are open are to be explained."""
    _, found = tried(small.drift(), "constants")
    assert [] == found.tries
    assert {"kl-joint", "weak-revealing"} < {*found.rests}


def test_a_settled_claim_needs_nothing() -> None:
    """Nothing is tried of it, nor of a certificate of another class."""
    model = load(small.drift())
    certificate = certify(model, only=["covering"])
    with pytest.raises(
        InputError, match="covering: found the verdict proved, required a claim whose verdict is unknown"
    ):
        narrowing.narrowing(model, certificate, "covering")
    with pytest.raises(InputError, match="certificate: found one of the model"):
        narrowing.narrowing(load(continua.parabola()), certificate, "kl-joint")


def test_a_narrowed_class_has_these_axes() -> None:
    """Ends are replaced, an axis of one value is fixed, a truth outside is no longer stated, and other ends are refused."""
    model = load(two_valleys() | {"truth": {"worlds": {"x": "1/2", "z": "1/3"}, "responses": {}}})
    axis = ("worlds", "x")
    assert {axis: (Fraction(0), Fraction(1))} == intervals(model)
    part = within(model, {axis: (Fraction(1, 4), Fraction(3, 4))})
    assert ({axis: (Fraction(1, 4), Fraction(3, 4))}, True) == (intervals(part), "truth" in part.document)
    assert "truth" not in within(model, {axis: (Fraction(0), Fraction(1, 4))}).document
    assert within(model, {axis: (Fraction(1, 2), Fraction(1, 2))}).game.finite
    for box in ({axis: (Fraction(0), Fraction(2))}, {("worlds", "z"): (Fraction(0), Fraction(1))}):
        with pytest.raises(InputError, match="required"):
            within(model, box)
