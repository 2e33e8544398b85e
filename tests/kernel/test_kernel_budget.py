"""What no certificate may do: run without end, or fill the memory.  What is large is refused by a count, before it is
made."""

from __future__ import annotations

import json
import os
from copy import deepcopy
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.kernel import check
from pomgcheck.kernel.budget import OverBudget, afford, given_back, limited, spend
from pomgcheck.kernel.check import verify, verify_bytes
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.options import Options
from tests.kernel.editing import canonical, edited, put
from tests.search import small

ACCEPTED = Path(__file__).parents[1] / "accepted"
BLANK: dict[str, Any] = {"verdict": "unknown", "values": {}, "evidence": None, "witness": None}


def one_state(horizon: int, policies: int = 1) -> Any:
    """One state, two observations that say nothing else, two worlds; ``policies`` that all do the same."""
    document = small.gauge([["(2*x+1)/4", "(-2*x+3)/4"]], [[["1"]]], horizon=horizon, initial=["1"])
    names = [f"p{n}" for n in range(policies)]
    document["policies"]["list"] = dict.fromkeys(names, [["1"]] * 2)
    document["responses"]["table"] = dict.fromkeys(names, [["1"]])
    return document


def about(document: Any, said: dict[str, dict[str, Any]], like: Any = None, **options: Any) -> check.Verdict:
    """The kernel's answer to a certificate of the class in which only the claims ``said`` are decided.  ``like`` is a
    smaller class of the same readings."""
    certificate = json.loads((ACCEPTED / "drift.cert.json").read_bytes())
    certificate["options"] |= options
    game = Game(like or document)
    claims = [{"paper": each.paper, **BLANK, "id": each.id} | {"search": {}} | said.get(each.id, {}) for each in CLAIMS]
    readings = check.readings(game, certificate["options"])
    changes = put("model", to=document), put("claims", to=claims), put("readings", to=readings)
    return verify_bytes(canonical(edited(certificate, *changes)))


def proved(**evidence: Any) -> dict[str, Any]:
    return {"verdict": "proved", "evidence": {"rule": "eval"} | evidence}


VACUOUS = {"verdict": "vacuous", "evidence": {"rule": "eval"}}


def refused(verdict: check.Verdict, *words: str) -> bool:
    assert ("file", "budget") == (verdict.claim, verdict.rule), verdict.line
    assert all(word in verdict.found for word in words), verdict.found
    return "at most 100000000 units" in verdict.required


def test_windows_of_many_observations() -> None:
    """kappa = 24 with two observations is 2^24 windows for every state, however few coordinates the class has; where
    each observation is certain the same 24 of them are one window, and the class is examined."""
    document = one_state(26)
    assert refused(about(document, {"weak-revealing": VACUOUS}, kappa=24), "the law of the next 24 observations")
    document["worlds"]["learner_emission"] = [["1", "0"]]
    assert "summary" == about(document, {"weak-revealing": VACUOUS}, kappa=24).claim


def test_predictive_states_of_many_trajectories() -> None:
    """Prefixes are counted while they grow: one state has one predictive state after all 2^20 of them, which is
    examined; where they differ each costs some of the budget."""
    limits = {"coordinates": 10**7, "trajectories": 10**8}
    assert "summary" == about(one_state(20), {"predictive-states": proved()}, limits=limits).claim
    document = small.drift()
    document["game"]["horizon"] = 20
    known = Facts(Game(document), Options(limits=limits).document)
    with limited(100_000), pytest.raises(OverBudget, match="predictive states along trajectories"):
        len(known.plays)


def test_parameter_points() -> None:
    """998,001 points in a file of some kilobytes."""
    document = one_state(2)
    values = {"values": [str(n) for n in range(999)]}
    document["worlds"]["parameters"] = {"x": values, "y": values}
    assert refused(about(document, {}, one_state(2)), "998001 parameter points of worlds")


def test_tables_at_many_points() -> None:
    """Fewer points, each with a table of transitions."""
    document = one_state(2)
    document["worlds"]["parameters"] = {"x": {"values": [str(n) for n in range(99_999)]}}
    document["game"]["adversary_actions"] = [f"b{n}" for n in range(199)]
    document["worlds"]["transition"] = [[[["1"]] * 199]]
    document["responses"]["table"] = {"p0": [["1", *["0"] * 198]]}
    assert refused(about(document, {}, one_state(2)), "404 table entries at 99999 points of worlds")


@pytest.mark.parametrize("interval", [False, True])
def test_pairs_of_blocks(interval: bool) -> None:
    """2^11 blocks of two policies are two million pairs: each is compared on interval axes, at every history of every
    world; on a finite class blocks are compared at once."""
    document = one_state(3, policies=2)
    blocks = dict.fromkeys(map(" ".join, product(("p0", "p1"), repeat=11)), [["1"]])
    document["responses"] |= {"block_rule": "table", "memory": 11, "blocks": blocks}
    box: dict[str, Any] = {"rule": "box", "gaps": {}, "signs": [], "trees": {}}
    said = {"posterior-lipschitz": proved(attained=None, **box) | {"values": {"L_lower": "0", "L_upper": "0"}}}
    if interval:
        document["worlds"]["parameters"] = {"x": {"interval": ["0", "1"]}}
        said["nonexpansive"] = proved(rule="box", trees={})
        assert refused(about(document, said), "pairs of blocks")
    else:
        assert "summary" == about(document, said).claim


def test_products_of_polynomials() -> None:
    """Two products of 14 factors 1 + x_i have 16,384 terms each; their product is refused by its 2^28 terms."""
    document, axes = one_state(2), [f"{letter}{n}" for letter in "xy" for n in range(14)]
    left, right = ("*".join(f"(1+{letter}{n})" for n in range(14)) for letter in "xy")
    document["worlds"]["parameters"] = {name: {"interval": ["0", "1"]} for name in [*axes, "x"]}
    like = deepcopy(document)
    document["worlds"]["learner_emission"] = [[f"(({left})*({right}))/1000000000", "1"]]
    said = {"nonexpansive": proved(rule="box", trees={})}
    assert refused(about(document, said, like), "of 16384 and 16384 terms")


def test_work_is_taken_from_one_budget() -> None:
    """A budget ends where its units do, whatever they are for; without one nothing is counted."""
    spend(10**30, "anything")
    with limited(100):
        spend(60, "one thing")
        with pytest.raises(OverBudget, match="another thing: 41 units of work where 40 are left"):
            spend(41, "another thing")
        spend(40, "the rest")
        with pytest.raises(OverBudget):
            spend(1, "more")


def test_what_an_attempt_over_the_budget_spent_is_given_back() -> None:
    """An attempt that was over the budget costs nothing, one that was not what it took; without a budget none ends."""
    with limited(100):
        with given_back():
            spend(30, "what fits")
        with pytest.raises(OverBudget), given_back():
            [spend(60, each) for each in ("a beginning", "what does not fit")]
        afford(70, "all that is left")
        with pytest.raises(OverBudget):
            afford(71, "more")
    with pytest.raises(OverBudget), given_back():
        raise OverBudget("an attempt with a budget of its own")


def test_every_certificate_is_examined_with_a_budget_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget is that of one certificate: many in a row are each accepted, and one over it is refused."""
    path = ACCEPTED / "drift.cert.json"
    assert [True] * 3 == [verify(path).accepted for _ in range(3)]
    monkeypatch.setattr(check, "limited", lambda: limited(1000))
    assert ["budget"] * 2 == [verify(path).rule for _ in range(2)]


@pytest.mark.parametrize("role", ["certificate", "model"])
def test_an_over_large_file_is_refused_by_its_size(tmp_path: Path, role: str) -> None:
    """20 GB, of which not one byte is read or even stored."""
    big, small_ = tmp_path / "big.json", ACCEPTED / "drift.cert.json"
    with big.open("wb") as file:
        os.truncate(file.fileno(), 20 * 10**9)
    verdict = verify(big) if role == "certificate" else verify(small_, big)
    assert (False, "file", "read file") == (verdict.accepted, verdict.claim, verdict.rule)
    assert ["20000000000 bytes or more", "at most 16777216"] == [verdict.found, verdict.required]


def test_a_pipe_is_read_no_further_than_a_file_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What has no size is refused once it has given a byte too many."""
    monkeypatch.setattr(check, "MAX_BYTES", 1000)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    if child := os.fork():
        verdict = verify(pipe)
        os.waitpid(child, 0)
        assert "1001 bytes or more" == verdict.found
    else:
        try:
            pipe.write_bytes(b" " * 5000)
        finally:
            os._exit(0)
