"""Forgeries of what the form of a class decides, Theorem 2.5 and Assumptions 3.1(a) and 3.1(f)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pomgcheck.kernel.check import verify_bytes
from tests.kernel.editing import Edit, canonical, claim, drop, edited, put
from tests.kernel.forged import Forgery, added, base, distinct, evidence, refuses, value, witness

N = "nonexpansive"
F = "warmup-stationary"
NONE: dict[str, Any] = {"values": {}, "evidence": None}
SUM = "+1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta.y >= 0"
FADE = "+5-16*Phi.y*Phi.y-4*Phi.z >= 0 where +3-4*Phi.y-4*Phi.z >= 0"
ENTRY = "model", "operators"
STEEP = [["1", *["theta.x"] * 65]]  # of a degree beyond what a monomial may have


def every(entries: Any, form: str) -> Any:
    """Nested texts, each put into a form."""
    return [every(x, form) for x in entries] if isinstance(entries, list) else form.format(entries)


def divided(divisor: str) -> tuple[Edit, ...]:
    """An entry of W (of G, where y divides) times a divisor and over it, which changes it nowhere but where that is
    zero."""
    place = ("W", 0, 0) if "x" in divisor else ("G", "p", 0, 0)
    return (put(*ENTRY, *place, 0, 0, to=lambda entry: f"{divisor}*({entry})/{divisor}"),)


def refuted(name: str, **place: Any) -> Edit:
    """A claim that is said to fail at the point where both parameters are zero."""
    at = {"xi": {"theta": {"x": "0"}, "Phi": {"y": "0"}}, **place}
    return claim(name, verdict="refuted", values={}, evidence=None, witness=at)


FORGERIES = distinct(
    # finite classes
    Forgery(
        "a truth of no class is declared",
        "refuted-truth",
        (claim("well-specified", verdict="declared", values={}, evidence={"rule": "assume"}, witness=None),),
        "well-specified eval: found declared",
    ),
    Forgery(
        "a truth outside is inside",
        "refuted-truth",
        (claim("well-specified", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "well-specified eval: found proved",
    ),
    Forgery(
        "another truth is the one that is outside",
        "refuted-truth",
        (witness("well-specified", "truth", "worlds", "x", to="0"),),
        "well-specified witness: found another truth",
    ),
    Forgery(
        "a truth inside is outside",
        "drift",
        (
            claim(
                "well-specified",
                verdict="refuted",
                witness={"truth": {"responses": {"y": "1/4"}, "worlds": {"x": "1/8"}}},
                **NONE,
            ),
        ),
        "well-specified eval: found refuted",
    ),
    Forgery(
        "no truth is a proof",
        "factor",
        (claim("well-specified", verdict="proved", evidence={"rule": "eval"}),),
        "well-specified eval: found proved",
    ),
    Forgery(
        "no truth is a refutation",
        "factor",
        (
            claim(
                "well-specified", verdict="refuted", witness={"truth": {"worlds": {"x": "2"}, "responses": {}}}, **NONE
            ),
        ),
        "well-specified eval: found refuted",
    ),
    Forgery(
        "nothing is asked of the truth",
        "factor",
        (claim("well-specified", verdict="vacuous", evidence={"rule": "eval"}),),
        "well-specified eval: found vacuous",
    ),
    Forgery(
        "a truth inside is only declared",
        "drift",
        (claim("well-specified", verdict="declared", evidence={"rule": "assume"}),),
        "well-specified eval: found declared",
    ),
    Forgery(
        "a declared truth by evaluation",
        "factor",
        (claim("well-specified", evidence={"rule": "eval"}),),
        "well-specified eval: found this rule",
    ),
    Forgery(
        "the truth of a truth",
        "refuted-truth",
        (witness("well-specified", "truth", to=None),),
        "well-specified witness: found another truth",
    ),
    Forgery(
        "slower forgetting",
        "drift-fading",
        (value("warmup-stationary", gamma="1/10"),),
        "warmup-stationary eval: found gamma = 1/10",
    ),
    Forgery(
        "responses that differ by nothing",
        "drift-fading",
        (value("warmup-stationary", L_g="0"),),
        "warmup-stationary eval: found L_g = 0",
    ),
    Forgery(
        "a settled rule that fades",
        "drift",
        (put("claims", "warmup-stationary", "values", to={"gamma": "1/2", "L_g": "0"}),),
        "warmup-stationary values: found ['L_g', 'gamma']",
    ),
    Forgery(
        "a fading rule that settles",
        "drift-fading",
        (put("claims", "warmup-stationary", "values", to={}),),
        "warmup-stationary values: found []",
    ),
    Forgery(
        "3.1(f) fails",
        "drift",
        (claim("warmup-stationary", verdict="refuted", witness={}, **NONE),),
        "warmup-stationary eval: found refuted",
    ),
    Forgery(
        "3.1(f) asks nothing",
        "drift",
        (claim("warmup-stationary", verdict="vacuous", evidence={"rule": "eval"}),),
        "warmup-stationary eval: found vacuous",
    ),
    Forgery(
        "3.1(f) is assumed",
        "drift",
        (claim("warmup-stationary", verdict="declared", evidence={"rule": "assume"}),),
        "warmup-stationary eval: found declared",
    ),
    Forgery(
        "a larger L_g by a box",
        "drift-fading",
        (evidence("warmup-stationary", "rule", to="box"),),
        "warmup-stationary box: found this rule",
    ),
    Forgery(
        "gaps of a finite class",
        "drift-fading",
        (added("claims", "warmup-stationary", "evidence", by={"gaps": {}}),),
        "warmup-stationary read warmup-stationary.evidence: found the unknown key 'gaps'",
    ),
    Forgery(
        "a larger L_g than there is",
        "drift-fading",
        (value("warmup-stationary", L_g="1"),),
        "warmup-stationary eval: found L_g = 1",
    ),
    Forgery(
        "operators of a game expand",
        "drift",
        (claim("nonexpansive", verdict="refuted", witness={"operator": "G", "entry": "-1"}, **NONE),),
        "nonexpansive eval: found refuted",
    ),
    Forgery(
        "operators of a game are not those of its law",
        "drift",
        (claim("oom-identity", verdict="refuted", witness={"mass": "2"}, **NONE),),
        "oom-identity eval: found refuted",
    ),
    Forgery(
        "given operators are lawful along more sequences than may be played",
        "own-signed",
        (put("options", "limits", "trajectories", to=1),),
        "oom-identity eval: found proved, required unknown",
    ),
    Forgery(
        "given operators fade",
        "own",
        (
            drop("model", "responses", "memory"),
            added("model", "responses", by={"block_rule": "fading", "gamma": "1/2"}),
        ),
        "warmup-stationary eval: found proved, required unknown",
    ),
    Forgery(
        "J is G W where W divides by zero",
        "own",
        (put("model", "operators", "W", 0, 0, 0, 0, to="1/(1-1)"),),
        "factorization read operators: found '1/(1-1)' dividing by zero",
    ),
    Forgery(
        "J of a game is not G W",
        "drift",
        (claim("factorization", verdict="refuted", witness={"J": "1", "GW": "0"}, **NONE),),
        "factorization eval: found refuted",
    ),
    # interval axes
    Forgery(
        "a weight of a constraint is negative",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"0": [["-1/8"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint 0",
    ),
    Forgery(
        "a weight is too large",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"0": [["1"]]}]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "a weight changes its sign in the box",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"0": [["1/8"], ["-1", "theta.x"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint 0",
    ),
    Forgery(
        "a weight of a constraint that is not there",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"1": [["1/8"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint 1",
    ),
    Forgery(
        "a weight of constraint -1",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"-1": [["1/8"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint -1",
    ),
    Forgery(
        "a weight of constraint 0 in other digits",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"٠": [["1/8"]]}]),),
        "nonexpansive read nonexpansive.trees: found the weight of constraint ٠",
    ),
    Forgery(
        "a weight along an axis that is not there",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["weighted", {"0": [["1/8", "theta.z"]]}]),),
        "nonexpansive read nonexpansive.trees: found ['theta.z']",
    ),
    Forgery(
        "no point of the class is in the box",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["outside", 0]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "no point is in half of the box",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["split", "theta.x", "1/2", ["outside", 0], ["weighted", {"0": [["1/8"]]}]]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "outside of constraint true",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["outside", False]),),
        "nonexpansive read nonexpansive.trees: found ['outside', False]",
    ),
    Forgery(
        "a half is left out: the cut is at an end",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["split", "theta.x", "1/8", ["box"], ["weighted", {"0": [["1/8"]]}]]),),
        "nonexpansive read nonexpansive.trees: found a cut of theta.x at 1/8",
    ),
    Forgery(
        "the box alone shows it",
        "interval-tied",
        (evidence(N, "trees", SUM, to=["box"]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "a tree for the goal without its constraint",
        "interval-tied",
        (evidence(N, "trees", to={"+1-1*theta.x-1*theta.y >= 0": ["weighted", {"0": [["1/8"]]}]}),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "entries are probabilities by word",
        "interval-tied",
        (evidence(N, "trees", to={}),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0 where +7-8*theta.x-8*theta",
    ),
    Forgery(
        "entries may be anything",
        "interval",
        (claim(N, verdict="unknown", values={}, evidence=None),),
        "nonexpansive owed: found no proof that entries are probabilities",
    ),
    Forgery(
        "entries are probabilities vacuously",
        "interval",
        (claim(N, verdict="vacuous", evidence={"rule": "eval"}),),
        "nonexpansive owed: found no proof that entries are probabilities",
    ),
    Forgery(
        "the fading response moves by less",
        "interval-fading",
        (evidence(F, "gaps", to=lambda gaps: dict.fromkeys(gaps, "1/2")), value(F, L_g="1/4")),
        "warmup-stationary box: found no proof of +1-4*Phi.y*Phi.y-1*Phi.z >= 0 where +3-4*Phi.y-4*",
    ),
    Forgery(
        "half of what a response moves by",
        "interval-fading",
        (value(F, L_g="5/32"),),
        "warmup-stationary box: found gamma 9/10, L_g 5/32",
    ),
    Forgery(
        "a fading response with a negative weight",
        "interval-fading",
        (evidence(F, "trees", FADE, 1, to={"0": [["-1/3"]]}),),
        "warmup-stationary read warmup-stationary.trees: found the weight of constraint 0",
    ),
    Forgery(
        "a fading response with a weight negative at an end",
        "interval-fading",
        (evidence(F, "trees", FADE, 1, to={"0": [["-1"], ["8/3", "Phi.y"]]}),),
        "warmup-stationary read warmup-stationary.trees: found the weight of constraint 0",
    ),
    Forgery(
        "forgetting at another rate",
        "interval-fading",
        (value(F, gamma="1/2"),),
        "warmup-stationary box: found gamma 1/2, L_g 5/16",
    ),
    Forgery(
        "a sign by a weight of degree 65",
        "interval-tied",
        (
            put(
                "claims",
                "nonexpansive",
                "evidence",
                "trees",
                to=lambda trees: dict.fromkeys(trees, ["weighted", {"0": STEEP}]),
            ),
        ),
        "nonexpansive box: found the goal +1-1*theta.x-1*theta.y >= 0",
    ),
    *(
        Forgery(
            f"J is G W though neither is there where {divisor} is zero",
            "own-interval",
            divided(divisor),
            "factorization eval: found proved, required unknown",
        )
        for divisor in ("x", "(x-1)", "(2*x-1)", "y", "(y-1)", "(2*y-1)")
    ),
    Forgery(
        "J is the opposite of G W",
        "own",
        (put(*ENTRY, "J", "p", to=lambda J: every(J, "-({})")),),
        "factorization eval: found proved, required refuted",
    ),
    *(
        Forgery(
            f"a law that starts with the mass {mass}",
            "own",
            (put(*ENTRY, "initial", to=[mass, "0"]),),
            "oom-identity eval: found proved, required refuted",
        )
        for mass in ("1/2", "3/2")
    ),
    *(
        Forgery(
            f"a law that keeps {factor} times its mass at a step",
            "own",
            (
                put(*ENTRY, "J", "p", to=lambda J, factor=factor: every(J, factor + "*({})")),
                claim("factorization", verdict="unknown", values={}, evidence=None),
            ),
            "oom-identity eval: found proved, required refuted",
        )
        for factor in ("0", "1/2", "2")
    ),
    *(
        Forgery(
            f"no law, since a sequence has the mass {mass}",
            "own-interval",
            (
                put(*ENTRY, "J", "p", 0, 0, to=lambda J, factor=factor: every(J, factor + "*({})")),
                claim("factorization", verdict="unknown", values={}, evidence=None),
                refuted("oom-identity", pi="p", h=len(played) // 2, trajectory=played, mass=mass),
            ),
            f"oom-identity witness: found the mass {mass}, required a negative one",
        )
        for factor, played, mass in (("1", [], "1"), ("1", ["o0", "a"], "3/4"), ("0", ["o0", "a"], "0"))
    ),
    Forgery(
        "no law, since a sequence of mass 3/4 is said to have another",
        "own-interval",
        (refuted("oom-identity", pi="p", h=1, trajectory=["o0", "a"], mass="-3/4"),),
        "oom-identity witness: found the mass 3/4, required a negative one",
    ),
    Forgery(
        "no law, since masses add up to what was there",
        "own-interval",
        (refuted("oom-identity", pi="p", h=1, trajectory=[], a="a", before="1", after="1"),),
        "oom-identity witness: found masses 1 before and 1 after",
    ),
    Forgery(
        "no law, since masses add up to something else than they do",
        "own-interval",
        (refuted("oom-identity", pi="p", h=1, trajectory=[], a="a", before="1", after="2"),),
        "oom-identity witness: found masses 1 before and 1 after",
    ),
    Forgery(
        "an entry of zero is negative",
        "own-interval",
        (refuted(N, operator="G", pi="p", h=1, o="o0", a="a", row="s0", column="v1", entry="0"),),
        "nonexpansive witness: found {'entry': '0'}, required a negative entry",
    ),
    Forgery(
        "a column that sums to one sums to more",
        "own-interval",
        (refuted(N, pi="p", h=1, o="o0", a="a", column="v0", sum="1"),),
        "nonexpansive witness: found {'sum': '1'}, required a column of |G| above 1",
    ),
    Forgery(
        "an entry of J is not that of G W, with which it agrees",
        "own-interval",
        (
            put(*ENTRY, "W", 0, 0, 0, 0, to="x^40"),
            put(*ENTRY, "G", "p", 0, 0, 0, 0, to="y^40"),
            refuted("factorization", pi="p", h=1, o="o0", a="a", row="s1", column="s1", J="1/8", GW="1/8"),
        ),
        "factorization witness: found {'J': '1/8', 'GW': '1/8'}, required different entries",
    ),
    Forgery(
        "J is G W where their product is not formed",
        "own-interval",
        (put(*ENTRY, "W", 0, 0, 0, 0, to="x^40"), put(*ENTRY, "G", "p", 0, 0, 0, 0, to="y^40")),
        "factorization eval: found proved, required unknown",
    ),
    Forgery(
        "J is G W though W is not there at x = 1/2",
        "own-interval",
        (put(*ENTRY, "W", 0, 0, 0, 0, to="1/(2*x-1)"),),
        "factorization eval: found proved, required unknown",
    ),
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)


@pytest.mark.parametrize("divisor", ["(x+1)", "(x-2)", "(y+1)", "(3-y)"])
def test_a_quotient_that_is_there_everywhere_is_multiplied_out(divisor: str) -> None:
    """J = G W stands where an entry is multiplied and divided by what has one sign on the class."""
    assert verify_bytes(canonical(edited(json.loads(base("own-interval")), *divided(divisor)))).accepted
