"""Assumption 2.3 by the search: exact constants, through the kernel and against brute.py."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.search import small
from tests.search.checked import found
from tests.search.classes import documents


def lipschitz(document: Any, **options: Any) -> dict[str, Any]:
    return found(document, "posterior-lipschitz", **options)[0]


@pytest.mark.parametrize(("form", "L"), [("step", "8/13"), ("policy", "1/2")])
def test_constant_is_the_one_worked_out(form: str, L: str) -> None:
    """The responses differ by 2y = 1/2.  Patrols come with the noise: at step 2 after a wait its chance is least, 13/32
    in world x = 0, so the posteriors differ by 13/16; the largest difference over all histories of that world is 1."""
    entry = lipschitz(small.drift(), lipschitz=form)
    assert {"L_lower": L, "L_upper": L} == entry["values"]


def test_a_constant_of_zero_is_attained_nowhere() -> None:
    """Responses that ignore the policy need no Lipschitz constant."""
    document = small.drift()
    document["responses"]["table"] = {name: [["1/2", "1/2"]] for name in ("idle", "watch")}
    document["responses"]["parameters"] = {}
    entry = lipschitz(document)
    assert ("0", None) == (entry["values"]["L_upper"], entry["evidence"]["attained"])


@pytest.mark.parametrize(("reply", "verdict"), [("1/2", "proved"), ("1/4", "unknown")])
def test_many_actions_take_no_memory(reply: str, verdict: str) -> None:
    """Of 22 actions there are two million choices of signs: none is asked for where responses do not differ, and where
    they do the claim is left open before they are formed."""
    document = small.drift()
    game = document["game"] | {"learner_actions": [f"a{n}" for n in range(22)]}
    plays = {name: [[*row, *["0"] * 20] for row in rows] for name, rows in document["policies"]["list"].items()}
    moves = [[*rows, *rows[:1] * 20] for rows in document["worlds"]["transition"]]
    document |= {"game": game, "policies": document["policies"] | {"list": plays}}
    document["worlds"] |= {"transition": moves}
    table = {"idle": [["1/2", "1/2"]], "watch": [[reply, f"1-{reply}"]]}
    document["responses"] |= {"table": table, "parameters": {}}
    tracemalloc.start()
    entry = certify(load(document), only=["posterior-lipschitz"]).claims["posterior-lipschitz"]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert verdict == entry.verdict
    assert peak < 50_000_000


@pytest.mark.parametrize("form", ["step", "policy"])
def test_answering_alike_policies_differently_is_refuted(form: str) -> None:
    """Two names for one behaviour have equal posteriors: any difference of responses refutes, in both forms."""
    document = small.drift()
    document["policies"]["list"]["watch"] = document["policies"]["list"]["idle"]
    witness = lipschitz(document, lipschitz=form)["witness"]
    assert [["1", "0"], ["1", "0"]] == witness["posteriors"]
    assert witness["responses"][0] != witness["responses"][1]


@pytest.mark.parametrize(("form", "verdict"), [("step", "refuted"), ("policy", "proved")])
def test_an_opponent_that_moves_early_fails_the_step_form_alone(form: str, verdict: str) -> None:
    """The policies part at step 2; a response that differs at step 1 has no posterior difference of its own step."""
    document = small.drift()
    tables = document["policies"]["list"]
    tables["watch"] = {"steps": [tables["idle"], tables["watch"]]}
    assert verdict == lipschitz(document, lipschitz=form)["verdict"]


@settings(max_examples=60)
@given(documents(full=True), st.sampled_from(["step", "policy"]), st.sampled_from([None, ["1/3", "2/3"]]))
def test_any_class(document: Any, form: str, reference: Any) -> None:
    """The constant is exact, or the witness shows one policy's posterior answered in two ways (truth.py decides)."""
    if reference is None or len(document["game"]["adversary_actions"]) != len(reference):
        reference = "uniform"
    full = "full" in (document["policies"]["window"], document["responses"]["window"])
    entry = lipschitz(document, lipschitz=form, reference=reference, space="history" if full else "window")
    if entry["verdict"] == "proved":
        assert entry["values"]["L_lower"] == entry["values"]["L_upper"]
