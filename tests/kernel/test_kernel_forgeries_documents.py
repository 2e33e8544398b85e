"""Forgeries of a certificate's frame: options and readings after signing, spellings, labels, shapes that every claim
could be given, and classes given by operators."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pomgcheck.kernel import check
from tests.kernel.editing import Certificate, Edit, canonical, claim, drop, edited, get, put, signed
from tests.kernel.forged import Forgery, added, again, base, evidence, exchanged, refuses, witness

NONE: dict[str, Any] = {"values": {}, "evidence": None}
W, L = "weak-revealing", "posterior-lipschitz"


def renamed(old: str, new: str, *path: str | int) -> Edit:
    """A label spelled in another way in one part of the file."""

    def edit(certificate: Certificate) -> None:
        put(*path, to=lambda part: json.loads(json.dumps(part).replace(f'"{old}"', json.dumps(new))))(certificate)

    return edit


FORGERIES = [
    # ---------------------------------------------------------------- readings, options, summary
    Forgery(
        "kappa 2 with the readings of kappa 1",
        "drift",
        (put("options", "kappa", to=2),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "kappa 2 and its reading, with the evidence of kappa 1",
        "drift",
        (put("options", "kappa", to=2), put("readings", to=lambda r: [*r[:4], "2.4:policies=class", *r[4:]])),
        "weak-revealing eval: found proved",
    ),
    Forgery(
        "kappa 1 with the reading of kappa 2",
        "two-observations",
        (put("options", "kappa", to=1),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "all policies of the window",
        "two-observations",
        (put("readings", 4, to="2.4:policies=all"),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "a reading is left out",
        "two-observations",
        (drop("readings", 4),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "every step is asked",
        "drift",
        (put("readings", 3, to="2.4:steps=all"),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "readings in another order",
        "drift",
        (exchanged(("readings", 0), ("readings", 1)),),
        "certificate readings: found ['2.4:form=literal', '2.3:form=step', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "a reading twice",
        "drift",
        (again("readings"),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "readings as one text",
        "drift",
        (put("readings", to=lambda r: ", ".join(r)),),
        "certificate readings: found 2.3:form=step, 2.4:form=literal, 2.4:scope=simplex, 2.4:steps=",
    ),
    Forgery(
        "the literal form said of the joint one",
        "split-joint",
        (put("readings", 1, to="2.4:form=literal"),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "the simplex said of reachable states",
        "drift-reachable",
        (put("readings", 2, to="2.4:scope=simplex"),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "the simplex with the evidence of reachable states",
        "drift-reachable",
        (put("options", "weak_revealing", "scope", to="simplex"), put("readings", 2, to="2.4:scope=simplex")),
        "weak-revealing eval: found this rule",
    ),
    Forgery(
        "the step form said of the policy form",
        "drift-policy-form",
        (put("readings", 0, to="2.3:form=step"),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "the history space said of the window",
        "drift",
        (put("readings", 4, to="2.5:space=history"),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "a settled rule said of a fading one",
        "drift-fading",
        (drop("readings", 6),),
        "certificate readings: found ['2.3:form=step', '2.4:form=literal', '2.4:scope=simplex', '2.",
    ),
    Forgery(
        "a horizon of T beyond its cap",
        "drift",
        (put("options", "T", to=10**19),),
        "file read options.T: found 10000000000000000000",
    ),
    Forgery("T is true", "drift", (put("options", "T", to=True),), "file read options.T: found True"),
    Forgery("kappa is zero", "drift", (put("options", "kappa", to=0),), "file read options.kappa: found 0"),
    Forgery(
        "a text stands for a row of its characters",
        "drift",
        (put("model", "game", "reward", to="10"),),
        "file read game.reward, step 1: found str, required an array",
    ),
    Forgery(
        "a bracket of no width",
        "drift",
        (put("options", "weak_revealing", "tol", to="0"),),
        "file read options.tol: found 0, required a positive number",
    ),
    Forgery("delta of one", "drift", (put("options", "delta", to="1"),), "file read options.delta: found 1"),
    Forgery(
        "a reference law that leaves an action out",
        "drift",
        (put("options", "reference", to=["1", "0"]),),
        "file read options.reference: found ['1', '0']",
    ),
    Forgery(
        "a reference law of another class",
        "drift",
        (put("options", "reference", to=["1/3", "1/3", "1/3"]),),
        "file read options.reference: found 3 entries",
    ),
    Forgery(
        "a reference law of less than one",
        "drift",
        (put("options", "reference", to=["1/2", "1/3"]),),
        "file read options.reference: found ['1/2', '1/3']",
    ),
    Forgery(
        "a reference law of more than one",
        "drift",
        (put("options", "reference", to=["1/2", "2/3"]),),
        "file read options.reference: found ['1/2', '2/3']",
    ),
    Forgery(
        "a limit beyond its cap",
        "drift",
        (put("options", "limits", "trajectories", to=10**9),),
        "file read options.trajectories: found 1000000000",
    ),
    Forgery(
        "certified though Theorem 3.3 is vacuous",
        "list",
        (put("summary", "certified", to=True),),
        "summary owed: found {'2.3': 'proved', '2.4': 'refuted', '2.5': 'proved', '2.6': 'proved', ",
    ),
    Forgery(
        "certified is one",
        "drift",
        (put("summary", "certified", to=1),),
        "summary owed: found {'2.3': 'proved', '2.4': 'proved', '2.5': 'proved', '2.6': 'proved', '",
    ),
    Forgery(
        "a declared claim unsaid",
        "factor",
        (put("summary", "declared", to=[]),),
        "summary owed: found {'2.3': 'proved', '2.4': 'proved', '2.5': 'proved', '2.6': 'proved', '",
    ),
    Forgery(
        "a refuted assumption summed up as proved",
        "refuted-revealing",
        (put("summary", "2.4", to="proved"),),
        "summary owed: found {'2.3': 'proved', '2.4': 'proved', '2.5': 'proved', '2.6': 'proved', '",
    ),
    Forgery(
        "a claim is left out",
        "drift",
        (drop("claims", 3),),
        "certificate owed: found the claims ['factorization', 'oom-identity', 'nonexpansive', 'weak",
    ),
    Forgery(
        "a claim twice, another never",
        "drift",
        (put("claims", 4, to=lambda each: {**each, "id": "posterior-lipschitz"}),),
        "certificate owed: found the claims ['factorization', 'oom-identity', 'nonexpansive', 'post",
    ),
    Forgery(
        "claims in another order",
        "drift",
        (exchanged(("claims", 9), ("claims", 10)),),
        "certificate owed: found the claims ['factorization', 'oom-identity', 'nonexpansive', 'post",
    ),
    Forgery(
        "a claim nobody owes",
        "drift",
        (put("claims", 0, "id", to="soundness"),),
        "certificate owed: found the claims ['soundness', 'oom-identity', 'nonexpansive', 'posterio",
    ),
    Forgery(
        "a claim of another place in the paper",
        "drift",
        (put("claims", L, "paper", to="Assumption 2.4"),),
        "posterior-lipschitz owed: found Assumption 2.4",
    ),
    Forgery(
        "a claim of an earlier place in the paper",
        "drift",
        (put("claims", W, "paper", to="Assumption 2.3"),),
        "weak-revealing owed: found Assumption 2.3",
    ),
    Forgery(
        "a verdict of its own",
        "drift",
        (put("claims", L, "verdict", to="certified"),),
        "file read claims[3].verdict: found 'certified'",
    ),
    # ---------------------------------------------------------------- numbers and labels
    *(
        Forgery(
            f"a number spelled {spelling!r}",
            "drift",
            (put("claims", L, "values", to={"L_lower": spelling, "L_upper": spelling}),),
            "posterior-lipschitz read posterior-lipschitz.values.L_lower: found ",
        )
        for spelling in (
            "16/26",
            "0.6153846153846154",
            " 8/13",
            "+8/13",
            "8/13\n",
            "８/13",
            "8⁄13",
            "8/013",
            "--8/13",
            "8/0",
            "08/13",
            "8e0/13",
            "inf",
            "",
        )
    ),
    Forgery(
        "a number that is a number of JSON",
        "drift",
        (put("claims", L, "values", "L_upper", to=1),),
        "posterior-lipschitz read posterior-lipschitz.values.L_upper: found 1",
    ),
    Forgery(
        "a number that is a list",
        "drift",
        (put("claims", L, "values", "L_upper", to=["8", "13"]),),
        "posterior-lipschitz read posterior-lipschitz.values.L_upper: found ['8', '13']",
    ),
    Forgery(
        "an action spelled with a Cyrillic letter in evidence",
        "drift",
        (renamed("a0", "\u04300", "claims", W, "evidence"),),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/8"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "a policy spelled with a full-width letter",
        "drift",
        (renamed("idle", "\uff49dle", "claims", L, "evidence"),),
        "posterior-lipschitz read posterior-lipschitz.pi: found 'ｉdle'",
    ),
    Forgery(
        "an observation with a mark that is not seen",
        "drift",
        (renamed("o0", "o\u200b0", "claims", W, "evidence"),),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/8"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "a state composed otherwise",
        "drift",
        (renamed("s0", "s\u03010", "claims", W, "evidence", "attained"),),
        "weak-revealing read weak-revealing.q: found 'ś0'",
    ),
    Forgery(
        "a label in capitals",
        "drift",
        (renamed("watch", "Watch", "claims", "eluder-adversary", "evidence"),),
        "eluder-adversary read eluder-adversary.pi: found 'Watch'",
    ),
    Forgery(
        "a parameter spelled in Cyrillic",
        "drift",
        (renamed("x", "\u0445", "claims", W, "evidence"),),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/8"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "two policies in the model that look alike, one of them unanswered",
        "drift",
        (added("model", "policies", "list", by={"\uff49dle": [["1", "0"], ["1", "0"]]}),),
        "file read responses.table: found no key 'ｉdle'",
    ),
    *(
        Forgery(
            f"the step {h!r} of two",
            "drift",
            (evidence(L, "attained", "h", to=h),),
            f"posterior-lipschitz read posterior-lipschitz.h: found {h!r}",
        )
        for h in (0, 3, -1, True, "1")
    ),
    Forgery(
        "an index for a label",
        "drift",
        (evidence(L, "attained", "pi", to=0),),
        "posterior-lipschitz read posterior-lipschitz.pi: found 0",
    ),
    Forgery(
        "a label as a list",
        "drift",
        (evidence(L, "attained", "pi", to=["idle"]),),
        "posterior-lipschitz read posterior-lipschitz.pi: found ['idle']",
    ),
    Forgery(
        "a parameter point with one more coordinate",
        "drift",
        (added("claims", L, "evidence", "attained", "theta", by={"z": "0"}),),
        "posterior-lipschitz read posterior-lipschitz.theta: found {'x': '0', 'z': '0'}",
    ),
    Forgery(
        "a parameter point without coordinates",
        "drift",
        (evidence(L, "attained", "theta", to={}),),
        "posterior-lipschitz read posterior-lipschitz.theta: found {}",
    ),
    # ---------------------------------------------------------------- another model under the same evidence
    Forgery(
        "a world that moves less",
        "drift",
        (put("model", "worlds", "parameters", "x", "values", 1, to="1/16"), drop("model", "truth")),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/8"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "a sensor that says less",
        "factor",
        (put("model", "worlds", "learner_emission", to=[["5/8", "3/8"], ["3/8", "5/8"]]),),
        'weak-revealing tests: found a matrix P with P dM unlike dW at {"Phi": {}, "a": "a0", "char',
    ),
    Forgery(
        "a response that is sharper",
        "drift",
        (
            put("model", "responses", "parameters", "y", "values", 1, to="1/2"),
            put("model", "truth", "responses", "y", to="1/2"),
        ),
        "posterior-lipschitz box: found a response gap of 1 for idle and watch",
    ),
    Forgery(
        "a policy that plays both actions",
        "drift",
        (put("model", "policies", "list", "idle", to=[["1/2", "1/2"], ["1", "0"]]),),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch",
    ),
    Forgery(
        "a longer horizon",
        "drift",
        (put("model", "game", "horizon", to=3),),
        "posterior-lipschitz box: found a response gap of 1/2 for idle and watch in cell 0 of Theta after ['d0', 'b0', 'd0', 'b0', 'd0']",
    ),
    Forgery(
        "a reward for the other observation",
        "list",
        (put("model", "game", "reward", to=["0", "1", "0"]),),
        "regret list: found model, runs, harmful models and their policies [(0, 0), 3, 2, [1, 2]]",
    ),
    Forgery(
        "a longer memory",
        "list",
        (put("model", "responses", "memory", to=5),),
        "regret list: found gap_upper = 843/32 at {'Phi': {}, 'theta': {'mu0': '1/2', 'mu1': '1/4',",
    ),
    Forgery(
        "one response for two",
        "drift",
        (put("model", "responses", "parameters", "y", "values", to=["1/4"]),),
        'weak-revealing tests: found no tree for {"Phi": {"y": "1/4"}, "a": "a0", "chart": null, "h',
    ),
    Forgery(
        "a wider interval",
        "interval",
        (put("model", "worlds", "parameters", "x", "interval", to=["0", "2"]),),
        "covering box: found a column of J that moves by 3/49160 within a square of the grid",
    ),
    Forgery(
        "an interval beyond its probabilities",
        "interval",
        (put("model", "worlds", "parameters", "x", "interval", to=["0", "4"]),),
        "nonexpansive box: found no proof of +3-1*theta.x >= 0",
    ),
    Forgery(
        "a constraint dropped",
        "interval-tied",
        (put("model", "worlds", "constraints", to=[]),),
        "nonexpansive box: found no proof of +1-1*theta.x-1*theta.y >= 0",
    ),
    Forgery(
        "a constraint that no point meets",
        "interval",
        (put("model", "worlds", "constraints", to=["x-2 >= 0"]),),
        "file read worlds: found no parameter point",
    ),
    Forgery(
        "a divisor with a zero inside",
        "interval-quotients",
        (put("model", "worlds", "parameters", "x", "interval", to=["1/2", "7/2"]),),
        "nonexpansive box: found no proof of +3-1*theta.x > 0",
    ),
    Forgery(
        "the truth is another model",
        "drift",
        (put("model", "truth", "worlds", "x", to="1/4"),),
        "well-specified eval: found proved",
    ),
    # ---------------------------------------------------------------- classes given by operators
    Forgery(
        "G W is another J",
        "own-unequal",
        (claim("factorization", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "factorization eval: found proved",
    ),
    Forgery(
        "the world does not enter G",
        "own-world-in-G",
        (claim("factorization", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "factorization eval: found proved",
    ),
    Forgery(
        "the response does not enter W",
        "own-response-in-W",
        (claim("factorization", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "factorization eval: found proved",
    ),
    Forgery(
        "an expanding G does not expand",
        "own-expanding",
        (claim("nonexpansive", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "nonexpansive eval: found proved",
    ),
    Forgery(
        "a negative entry is none",
        "own-negative",
        (claim("nonexpansive", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "nonexpansive eval: found proved",
    ),
    Forgery(
        "a negative mass is none",
        "own-negative-mass",
        (claim("oom-identity", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "oom-identity eval: found proved",
    ),
    Forgery(
        "a start of another mass is a law",
        "own-start",
        (claim("oom-identity", verdict="proved", values={}, evidence={"rule": "eval"}, witness=None),),
        "oom-identity eval: found proved",
    ),
    Forgery(
        "a class given by operators meets 2.3",
        "own",
        (
            claim(
                L,
                verdict="proved",
                values={"L_lower": "0", "L_upper": "0"},
                evidence={"rule": "eval", "attained": None},
            ),
        ),
        "posterior-lipschitz eval: found proved",
    ),
    Forgery(
        "a class given by operators meets 2.4 vacuously",
        "own",
        (claim(W, verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "weak-revealing eval: found vacuous",
    ),
    *(
        Forgery(
            f"{name} is declared",
            "drift",
            (claim(name, verdict="declared", values={}, evidence={"rule": "assume"}),),
            f"{name} eval: found declared, required proved",
        )
        for name in ("posterior-lipschitz", W)
    ),
    *(
        Forgery(
            f"a number of another claim in {name}, which is vacuous",
            base,
            (put("claims", name, "values", to={"B0_upper": {"log_of": "1"}}),),
            f"{name} eval: found values, a witness or other evidence",
        )
        for name, base in ((W, "interval-bandit"), ("regret", "interval"))
    ),
    Forgery(
        "a class given by operators has a bound",
        "own",
        (claim("constants", verdict="vacuous", values={}, evidence={"rule": "eval"}),),
        "constants eval: found vacuous",
    ),
    Forgery(
        "a class given by operators has fewer models",
        "own",
        (put("claims", "covering", "values", "log_covering_upper", "log_of", to="1"),),
        "covering eval: found log_covering_upper = {'log_of': '1'}",
    ),
    Forgery(
        "an entry that is not negative",
        "own-negative",
        (witness("nonexpansive", "entry", to="-1/1000"),),
        "nonexpansive witness: found {'entry': '-3/8'}",
    ),
    Forgery(
        "operators as a game's",
        "own",
        (put("readings", to=["2.5:space=window"]),),
        "certificate readings: found ['2.5:space=window']",
    ),
]

SHAPES: dict[str, Any] = {
    "refuted without a witness": {"verdict": "refuted", "witness": None, **NONE},
    "refuted by a witness of nothing": {"verdict": "refuted", "witness": {}, **NONE},
    "refuted with its proof": {"verdict": "refuted"},
    "vacuous": {"verdict": "vacuous", "values": {}, "evidence": {"rule": "eval"}},
    "declared": {"verdict": "declared", "values": {}, "evidence": {"rule": "assume"}},
    "proved by assumption": {"evidence": {"rule": "assume"}},
    "proved by a rule there is not": {"evidence": {"rule": "trust"}},
    "proved without evidence": {"evidence": None},
    "proved by a word": {"evidence": "eval"},
    "proved and refuted": {"witness": {}},
    "proved with a value more": lambda entry: entry["values"].update(bonus="0"),
    "proved with a field of evidence more": lambda entry: entry["evidence"].update(note="0"),
    "unknown with its proof": {"verdict": "unknown"},
}
READ = {"proved without evidence", "proved by a word", "proved with a field of evidence more"}


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)


SHAPED = [("drift", shape) for shape in SHAPES] + [
    ("interval", x) for x in ("vacuous", "declared", "proved and refuted")
]


@pytest.mark.parametrize(("name", "shape"), SHAPED)
def test_shape(name: str, shape: str) -> None:
    """Every proved claim in a shape that no proof has is refused at that claim."""
    certificate = json.loads(base(name))
    for entry in certificate["claims"]:
        if entry["verdict"] != "proved" or (name == "interval" and entry["id"] == "nonexpansive"):
            continue
        edit, copy = SHAPES[shape], json.loads(json.dumps(certificate))
        there = get(copy, "claims", entry["id"])
        edit(there) if callable(edit) else there.update(edit)
        verdict = check.verify_bytes(canonical(signed(copy)))
        assert (False, entry["id"]) == (verdict.accepted, verdict.claim), verdict.line
        if not shape.startswith("refuted"):  # a witness is read, or the verdict refused before
            assert (verdict.rule.startswith("read ")) == (shape in READ), verdict.line


def test_signature_after_the_edit() -> None:
    """Whatever is changed after signing is seen, but for what the tool and the search say of themselves."""
    certificate = json.loads(base("drift"))
    for path in (("readings", 0), ("options", "delta"), ("claims", 0, "paper"), ("summary", "2.3")):
        verdict = check.verify_bytes(canonical(edited(certificate, put(*path, to="2.3:form=policy"), digests=False)))
        assert ("certificate", "digest") == (verdict.claim, verdict.rule)
    model = check.verify_bytes(canonical(edited(certificate, put("model", "name", to="another"), digests=False)))
    assert ("model", "digest") == (model.claim, model.rule)
    said = edited(certificate, put("tool", "version", to="0"), put("claims", 0, "search", to={}), digests=False)
    assert check.verify_bytes(canonical(said)).accepted


def test_labels_are_different() -> None:
    """No forgery is listed twice."""
    assert len({str(each) for each in FORGERIES}) == len(FORGERIES)
