"""Never nothing: what is settled when the time is over, or the user stops, is kept, checked and can be gone on from."""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import explain
from pomgcheck.errors import InputError
from pomgcheck.kernel import check, facts
from pomgcheck.kernel.budget import OverBudget, limited
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.search import clock, groups
from pomgcheck.search.certify import Interrupted, certify
from pomgcheck.search.claims import weak_revealing
from pomgcheck.search.clock import INTERRUPTED, NOT_SEARCHED, STOPPED, Clock, OutOfTime
from tests.search import small
from tests.search.classes import model_of

ACCEPTED = Path(__file__).parents[1] / "accepted"
MODEL: Any = model_of(small.drift())


@pytest.fixture(scope="module")
def whole() -> Any:
    return certify(MODEL)


def forever(*_: Any) -> Any:
    while True:
        pass


def interrupt(*_: Any) -> Any:
    raise KeyboardInterrupt


def accepted(certificate: Any) -> bool:
    return verify_bytes(canonical_bytes(certificate.document)).accepted


def test_a_clock_rings_in_the_middle() -> None:
    """The whole and each single limit end a block; a whole that is over lets none begin; without limits nothing ends."""
    for each in (Clock(whole=0.05), Clock(each=0.05), Clock(60, 0.05)):
        with pytest.raises(OutOfTime), each.running():
            forever()
    begun = []
    with pytest.raises(OutOfTime), Clock(whole=-1.0).running():
        begun.append(1)
    assert [] == begun
    with Clock().running():
        begun.append(1)
    assert [1] == begun


def test_a_claim_leaves_time_to_those_that_wait() -> None:
    """It may take two thirds of what is left of the whole, the last one all of it, and none more than a single limit; with
    a limit it is told when to settle for less."""
    for limits, share, last in ((Clock(60), 40, 60), (Clock(60, 50), 40, 50), (Clock(60, 10), 10, 10)):
        assert share - 1 < (limits.left(last=False) or 0) <= share
        assert last - 1 < (limits.left() or 0) <= last
    assert Clock().left(last=False) is None
    late = []
    for limits in (Clock(), Clock(600), Clock(each=0.2)):
        with suppress(OutOfTime), limits.running():
            late.append(limits.late())
            while limits.each and not late[-1]:
                late[-1] = limits.late()
    assert [False, False, True] == late


def test_weak_revealing_that_takes_all_the_time_leaves_the_others(monkeypatch: pytest.MonkeyPatch, whole: Any) -> None:
    """It is searched last: where it uses up the search's half of the limit, everything that does not rest on it is
    settled, and the certificate is accepted."""
    over = [0.0]

    def ring(*_: Any) -> Any:
        over[0] = 700.0
        raise OutOfTime

    monkeypatch.setattr(clock, "monotonic", lambda: time.monotonic() + over[0])
    monkeypatch.setattr(weak_revealing, "lowest", ring)
    part = certify(MODEL, time_limit=1200)
    verdicts = {name: claim["verdict"] for name, claim in part.entries.items()}
    left = dict.fromkeys(("weak-revealing", "constants"), "unknown")
    assert {name: claim["verdict"] for name, claim in whole.entries.items()} | left == verdicts
    assert accepted(part)


def test_what_is_late_is_shown_loosely(monkeypatch: pytest.MonkeyPatch) -> None:
    """From half of its time on weak revealing splits no simplex, and keeps the bound that one test function a problem
    shows; where the clock rings in that too, the upper end is kept."""
    model = model_of(json.loads((ACCEPTED / "split-literal.cert.json").read_bytes())["model"])
    tight = certify(model, only=["weak-revealing"]).entries["weak-revealing"]
    monkeypatch.setattr(Clock, "late", lambda self: True)
    loose = certify(model, only=["weak-revealing"], time_limit=600)
    values = loose.entries["weak-revealing"]["values"]
    assert 0 < Fraction(values["alpha_lower"]) < Fraction(tight["values"]["alpha_lower"])
    assert tight["values"]["alpha_upper"] == values["alpha_upper"]
    assert {"test"} == {each["tree"][0] for each in loose.entries["weak-revealing"]["evidence"]["trees"]}
    assert accepted(loose)

    def ring(*_: Any) -> Any:
        raise OutOfTime

    monkeypatch.setattr(weak_revealing, "alone", ring)
    search = certify(model, only=["weak-revealing"], time_limit=600).entries["weak-revealing"]["search"]
    assert search["method"].startswith("stopped at the time limit, 0 of ")
    assert tight["values"]["alpha_upper"] == search["alpha_upper"]


def test_a_clock_does_not_ring_in_an_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module is imported whole, and the clock rings then."""
    (tmp_path / "slow_to_import.py").write_text(
        "from time import monotonic\nend = monotonic() + 0.3\nwhile monotonic() < end: pass\nwhole = True\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))

    def slow() -> None:
        import slow_to_import  # type: ignore[import-not-found] # noqa: F401

        forever()

    with pytest.raises(OutOfTime), Clock(each=0.05).running():
        slow()
    assert sys.modules.pop("slow_to_import").whole


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_search_that_does_not_end_leaves_the_others(monkeypatch: pytest.MonkeyPatch, whole: Any, jobs: int) -> None:
    """It is unknown, and so is what rests on it; the rest is proved, and going on ends where no limit would have."""
    monkeypatch.setattr(weak_revealing, "lowest" if jobs == 1 else "Problems", forever)
    if jobs == 2:
        monkeypatch.setattr(
            "pomgcheck.search.groups.shared", lambda work, items, jobs, ordered: (work(*x) for x in items)
        )
    part = certify(MODEL, claim_limit=2, jobs=jobs)
    verdicts = {name: claim["verdict"] for name, claim in part.entries.items()}
    assert ("unknown", "unknown", "proved") == (verdicts["weak-revealing"], verdicts["constants"], verdicts["covering"])
    assert "stopped at the time limit" == part.entries["weak-revealing"]["search"]["method"]
    assert accepted(part)
    monkeypatch.undo()
    assert whole.sha256 == certify(MODEL, resume=part).sha256


def test_a_check_that_does_not_end_leaves_the_others(monkeypatch: pytest.MonkeyPatch, whole: Any) -> None:
    """The kernel's own time is limited claim by claim."""
    real = check.check_claim

    def slow(facts: Any, claim: Any, entry: Any, settled: Any) -> None:
        if claim.id == "kl-joint" and entry["verdict"] != "unknown":
            forever()
        real(facts, claim, entry, settled)

    monkeypatch.setattr(check, "check_claim", slow)
    part = certify(MODEL, claim_limit=2)
    assert (
        "proved by the search; the kernel's check was stopped at the time limit"
        == part.entries["kl-joint"]["search"]["method"]
    )
    assert "unknown" == part.entries["constants"]["verdict"]
    monkeypatch.undo()
    assert accepted(part)
    assert whole.sha256 == certify(MODEL, resume=part).sha256


def test_what_is_known_of_D_is_not_carried_past_theorem_n(whole: Any) -> None:
    """A bound of Theorem 3.3 found before Theorem N has a T* about H T; going on searches it again with D, and where the
    two are settled it takes D from what was settled."""
    claims = [claim.id for claim in check.CLAIMS]
    without = certify(MODEL, only=[claim for claim in claims if claim != "regret"])
    assert "proved" == without.entries["constants"]["verdict"]
    assert whole.sha256 == certify(MODEL, resume=without).sha256
    before = certify(MODEL, only=[claim for claim in claims if claim != "constants"])
    assert whole.sha256 == certify(MODEL, resume=before).sha256


def test_an_interrupted_search_carries_what_is_settled(monkeypatch: pytest.MonkeyPatch, whole: Any) -> None:
    """The exception is a ``KeyboardInterrupt`` with a certificate that the kernel accepts and that can be resumed."""
    monkeypatch.setattr(weak_revealing, "lowest", interrupt)
    with pytest.raises(Interrupted) as stop:
        certify(MODEL)
    part = stop.value.certificate
    assert {"factorization", "posterior-lipschitz"} <= {n for n, c in part.entries.items() if c["verdict"] == "proved"}
    assert "unknown" == part.entries["weak-revealing"]["verdict"]
    assert accepted(part)
    monkeypatch.undo()
    searched: list[str] = []
    again = certify(MODEL, resume=part, progress=lambda what, done, total: searched.append(what))
    assert whole.sha256 == again.sha256
    assert not any(what.startswith("oom-identity") for what in searched)


@pytest.mark.parametrize(("model", "place"), [(MODEL, "search_group"), ("tiger-interval", "continuous")])
def test_what_was_not_reached_says_that_it_was_interrupted(
    model: Any, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim that the search had not come to is not said to have been searched without an answer, nor to have been left
    out; `explain` says how to go on. What was left out stays so."""
    monkeypatch.setattr(groups, place, interrupt)
    with pytest.raises(Interrupted) as stop:
        certify(model, only=["weak-revealing", "constants"])
    part = stop.value.certificate
    asked = [part.entries[claim]["search"]["method"] for claim in ("weak-revealing", "constants", "covering")]
    assert [INTERRUPTED, INTERRUPTED, NOT_SEARCHED] == asked
    told = " ".join(explain(part, "weak-revealing").split())
    assert "The search was interrupted before this claim was settled. To go on: pomgcheck certify … --resume" in told
    assert "narrow it" not in told


def test_resuming_is_refused_where_something_else_is_asked(whole: Any) -> None:
    """Another class, or another option, is named; a claim that does not hold is refused by the kernel."""
    other: Any = model_of(small.drift(truth={"worlds": {"x": "0"}, "responses": {"y": "1/4"}}))
    with pytest.raises(InputError, match="resume: found a certificate of the class"):
        certify(other, resume=whole)
    with pytest.raises(InputError, match="resume: found T = 16384, required T = 7, as asked for now"):
        certify(MODEL, resume=whole, T=7)
    forged = {**whole.document, "claims": [dict(claim) for claim in whole.document["claims"]]}
    (claim,) = (claim for claim in forged["claims"] if claim["id"] == "posterior-lipschitz")
    claim["values"] = {"L_lower": "0", "L_upper": "0"}
    with pytest.raises(
        InputError, match="resume: found .*posterior-lipschitz.*, required a certificate whose claims hold"
    ):
        certify(MODEL, resume=type(whole)(forged))


@pytest.mark.parametrize(
    "limits", [{"time_limit": 0}, {"claim_limit": -1.0}, {"time_limit": True}, {"claim_limit": "1"}]
)
def test_limits_are_seconds(limits: Any) -> None:
    """Positive numbers, nothing else."""
    with pytest.raises(InputError, match="required a positive number of seconds"):
        certify(MODEL, **limits)


def test_unknown_by_time_never_reaches_the_constants() -> None:
    """All of it in no time: nothing is claimed, and the kernel agrees."""
    part = certify(MODEL, time_limit=1e-9)
    assert {"unknown"} == {claim["verdict"] for claim in part.entries.values()}
    assert accepted(part)
    assert STOPPED in part.entries["covering"]["search"]["method"]


def test_what_is_over_the_kernel_s_budget_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not an error of the search: the claim says why, what rests on it is open, and the kernel accepts the rest."""
    real = check.check_claim

    def large(facts: Any, claim: Any, entry: Any, settled: Any) -> None:
        if claim.id == "oom-identity":
            raise OverBudget("latent paths: 7 units of work where 3 are left")
        real(facts, claim, entry, settled)

    monkeypatch.setattr(check, "check_claim", large)
    part = certify(MODEL)
    said = (
        "proved by the search; the kernel's check was over its budget, latent paths: 7 units of work where 3 are left"
    )
    assert said == part.entries["oom-identity"]["search"]["method"]
    assert "unknown" == part.entries["constants"]["verdict"]
    monkeypatch.undo()
    assert accepted(part)


def test_plays_over_the_kernel_s_budget_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted while they are walked, once for all claims that play."""
    walks = []

    def walk(*_: Any) -> None:
        walks.append(None)
        raise OverBudget("9 predictive states")

    monkeypatch.setattr(facts, "Play", walk)
    part = certify(MODEL)
    opened = {name for name, claim in part.entries.items() if claim["verdict"] == "unknown"}
    assert {*check.PLAYED, "constants"} == opened
    assert "more than the kernel plays, 9 predictive states" == part.entries["kl-joint"]["search"]["method"]
    assert 1 == len(walks)
    assert accepted(part)


def test_sums_over_the_kernel_s_budget_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim whose search asks more of the kernel's functions than a certificate may is unknown, and says of what."""
    monkeypatch.setattr("pomgcheck.search.groups.limited", partial(limited, 20))
    part = certify(MODEL)
    assert "unknown" == part.entries["eluder-world"]["verdict"]
    assert part.entries["eluder-world"]["search"]["method"].startswith("more than the kernel plays, ")
    assert accepted(part)


def test_a_ring_inside_compiled_code_is_out_of_time() -> None:
    """A ring that compiled code turns into an error of the interpreter is still the clock's; any other error is not."""

    def inside(cause: BaseException | None) -> None:
        with Clock(whole=60).running():
            raise SystemError("a result with an exception set") from cause

    with pytest.raises(OutOfTime):
        inside(OutOfTime())
    nested = SystemError()
    nested.__cause__ = OutOfTime()
    with pytest.raises(OutOfTime):
        inside(nested)

    def compared() -> None:
        with Clock(whole=0.05).running():
            with suppress(OutOfTime):
                forever()
            raise TypeError("no common dtype")  # as numpy says, without a cause, where a comparison is interrupted

    with pytest.raises(OutOfTime):
        compared()
    with pytest.raises(SystemError, match="exception set"):
        inside(ValueError())
