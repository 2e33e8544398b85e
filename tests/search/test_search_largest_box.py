"""The largest box of a class's intervals on which what was refuted or left open holds."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import repair
from pomgcheck.errors import InputError
from pomgcheck.modelclass import load
from pomgcheck.modelclass.derived import within
from pomgcheck.remedies import STEPS, LargestBox, RepairRecord
from pomgcheck.reporting.pages.repairs import told
from pomgcheck.search import extremes
from pomgcheck.search.certify import certify
from tests.search import continua
from tests.search.test_search_narrowing import two_valleys

X = ("worlds", "x")
LAWS = ("bounded-increments", "predictive-states")


def truth(**worlds: str) -> dict[str, Any]:
    """A stated truth."""
    return {"truth": {"worlds": worlds, "responses": {}}}


def on_x(low: Fraction, high: Fraction) -> Any:
    """A box of the one parameter x."""
    return {"worlds": {"x": (low, high)}}


def boxed(document: Any, only: Any = LAWS, **options: Any) -> LargestBox:
    """The box for these claims."""
    found = repair(certify(load(document), only=[*only, "well-specified"]), **options).content
    assert isinstance(found, LargestBox)
    return found


def test_the_end_where_a_law_vanishes_is_cut_off() -> None:
    """At x = 0 an observation is impossible: the box goes from one step beside it to the class's own end."""
    found = boxed(continua.touching() | truth(x="1/4"))
    assert on_x(Fraction(1, 4) / STEPS, Fraction(1, 2)) == found.box
    assert ([*LAWS], [], True, True) == (found.refuted, found.unknown, found.settled, found.complete)
    assert [("worlds.x", "low", 0, "refuted")] == [(e.axis, e.end, e.at, e.verdict) for e in found.held]
    assert found.model is not None
    assert {"proved"} == {certify(found.model, only=LAWS).claims[claim].verdict for claim in LAWS}
    assert "x 0 to 1/2 1/128 to 1/2 " in " ".join(told(found).split())


def test_an_open_claim_gets_the_largest_box_that_decides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one box to look at, the box is decided, and one with either end a step further is not."""
    monkeypatch.setattr(extremes, "GOAL", 1)
    model = load(two_valleys() | truth(x="1/2", z="1/3"))
    found = boxed(model.document, ["predictive-states"])
    assert (["predictive-states"], True) == (found.unknown, found.complete)
    assert found.box is not None
    low, high = found.box["worlds"]["x"]
    step, ends = Fraction(1, 2) / STEPS, {each.end: each.at for each in found.held}
    assert {"low": low - step, "high": high + step} == ends
    for box, verdict in (((low, high), "proved"), ((low - step, high), "unknown"), ((low, high + step), "unknown")):
        part = within(model, {X: box})
        assert verdict == certify(part, only=["predictive-states"]).claims["predictive-states"].verdict


def test_a_box_is_around_the_middle_where_no_truth_is_stated() -> None:
    """And says so."""
    found = boxed(continua.touching())
    assert ("middle", on_x(Fraction(1, 4) / STEPS, Fraction(1, 2))) == (found.around, found.box)
    assert "around the middle, no truth being stated" in " ".join(told(found).split())


def test_an_axis_is_fixed_where_no_box_of_both_is_good() -> None:
    """Where x > 0 is refuted beside the truth x = 0, x stays there and the other axis keeps its ends."""
    document = continua.touching() | truth(x="0", y="1/4")
    document["worlds"]["learner_emission"] = [["1-x", "x"]]
    document["worlds"]["parameters"] |= continua.axes(y=("0", "1/2"))
    found = boxed(document)
    assert {"worlds": {"x": (0, 0), "y": (0, Fraction(1, 2))}} == found.box
    assert "Narrow x to 0." in told(found)


def test_what_is_refuted_around_the_truth_has_no_box() -> None:
    """The box of the truth alone is no repair."""
    found = boxed(continua.touching() | truth(x="0"))
    assert (None, None, False) == (found.box, found.model, found.settled)
    assert "No box around the truth was found" in " ".join(told(found).split())


def test_a_truth_outside_is_not_repaired_by_narrowing() -> None:
    """No narrower class has it."""
    found = boxed(continua.touching() | truth(x="3/4"))
    assert (None, False) == (found.box, found.settled)
    assert "No narrower class has the truth (x=3/4)" in " ".join(told(found).split())


def test_where_nothing_is_refuted_nothing_is_narrowed() -> None:
    """Claims that were not searched are no reason either."""
    found = boxed(continua.parabola(), ["covering"])
    assert (True, None) == (found.settled, found.box)
    assert "Nothing is refuted or open, so there is nothing to narrow.\n" == told(found)


def test_time_that_is_over_leaves_the_best_box_so_far() -> None:
    """None in no time, and that is said; what is no time is refused."""
    found = boxed(continua.touching() | truth(x="1/4"), time_limit=0.001)
    assert (None, False, False) == (found.box, found.complete, found.settled)
    assert "and the 0.001 s are over" in " ".join(told(found).split())
    with pytest.raises(InputError, match="time_limit: found -1, required a positive number of seconds"):
        repair(certify(load(continua.parabola()), only=["covering"]), time_limit=-1)


@pytest.mark.parametrize("limit", ["soon", "nan", "inf", "1e9"])
def test_the_seconds_of_a_record_are_an_exact_number(tmp_path: Path, limit: str) -> None:
    """Half a second is kept as 1/2; words and floats in its place are refused where they stand."""
    kept = repair(certify(load(continua.parabola()), only=["covering"]), time_limit=0.5)
    assert "1/2" == kept.document["found"]["limit"]
    document = {key: value for key, value in kept.document.items() if key != "sha256"}
    document["found"] = document["found"] | {"limit": limit}
    path = RepairRecord.signed(document).save(tmp_path / "x.repair.json")
    with pytest.raises(InputError, match=f"found.limit: found '{limit}', required an exact number"):
        RepairRecord.load(path)
