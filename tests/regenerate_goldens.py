"""Writes tests/accepted, tests/rejected and tests/malformed from the pairs declared here.

    python -m tests.regenerate_goldens

An accepted file is the search's certificate of a small class.  A rejected file is the smallest edit of an accepted one,
its digests recomputed unless the edit is about digests; beside it NAME.reason says which accepted file it comes from,
which claim and rule refuse it, a piece of the message, and what false thing would follow if it were accepted.  A
malformed file is an edit of an accepted file's text that must not even be read; its reason has the same lines.
Run it when certificates change, read the difference, and commit it: the tests read the committed files only.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck.gallery import bandit
from pomgcheck.kernel.check import readings
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.game import Game
from pomgcheck.modelclass import load
from pomgcheck.search.certify import certify
from tests.kernel.editing import Certificate, Edit, canonical, claim, drop, edited, get, put
from tests.learner.classes import bandit as arms
from tests.learner.classes import means
from tests.search import continua, own, small
from tests.search.classes import model_of

HERE = Path(__file__).parent
TOOL = {"name": "pomgcheck", "version": "0.1.0"}  # no digest covers it: a new version changes no file
INSIDE = {"worlds": {"x": "1/8"}, "responses": {"y": "1/4"}}
TILTED = [["3/4", "1/4"], ["1/4", "3/4"]]
DRIFTS = [[["(-x+3)/4", "(x+1)/4"]]] * 2
SPLIT = ("(-x+3)/4", "1/2"), ("(-x+2)/4", "(x+3)/4")


def changed(document: small.Document, *edits: Edit) -> small.Document:
    for edit in edits:
        edit(document)
    return document


def blocks() -> small.Document:
    """The drifting state against an opponent that remembers two policies and answers any block with a watch as a
    watch."""
    document = small.drift(truth=INSIDE)
    responses = document["responses"]
    watch, idle = responses["table"]["watch"], responses["table"]["idle"]
    responses["block_rule"] = "table"
    responses["blocks"] = {
        f"{p} {n}": idle if (p, n) == ("idle", "idle") else watch for p in ("idle", "watch") for n in ("idle", "watch")
    }
    return document


def fading() -> small.Document:
    document = small.drift(truth=INSIDE)
    responses = document["responses"]
    del responses["memory"]
    return changed(document, put("responses", to=responses | {"block_rule": "fading", "gamma": "9/10"}))


def current_emission() -> small.Document:
    """Worlds that differ in the first emission alone."""
    document = small.two(("1/4", "1/4"), ("1/2", "1/2"))
    first = small.two(("(-x+3)/4", "1/4"), ("1/2", "1/2"))
    tables = [side["worlds"]["learner_emission"] for side in (first, document)]
    document["worlds"]["learner_emission"] = {"steps": tables}
    return document


def whole_histories() -> small.Document:
    """Policies and responses that read everything: one observation at step 1, o a o at step 2."""
    document = small.gauge(TILTED, DRIFTS)
    document["policies"] = {"window": "full", "list": {"p": {"steps": [[["1"]] * 2, [["1"]] * 4]}}}
    document["responses"] |= {"window": "full", "table": {"p": {"steps": [[["1"]], [["1"]]]}}}
    return document


def alike(document: small.Document) -> small.Document:
    """Two names for one behaviour, answered differently."""
    return changed(document, put("policies", "list", "watch", to=document["policies"]["list"]["idle"]))


def given(document: small.Document, *edits: Edit) -> small.Document:
    """A class given by operators, in canonical form."""
    return dict(load(changed(document, *edits)).document)


def stepping() -> small.Document:
    """Two steps, and nothing left but the mass after the second."""
    document = own.sound(horizon=2)
    part, end = document["operators"], [["1", "1"]]
    last = [[own.product_of(end, o[0])] for o in part["W"]]
    part |= {
        "coordinates": {"steps": [["s0", "s1"], ["s0", "s1"], ["end"]]},
        "G": {"p": {"steps": [part["G"]["p"], [[end], [end]]]}},
        "J": {"p": {"steps": [part["J"]["p"], last]}},
    }
    return document


def without_worlds(document: small.Document) -> small.Document:
    return changed(document, put("worlds", "parameters", to={}))


def two_ways() -> small.Document:
    """One way moves with chance x, the other with chance w x: no entry of it is affine in (w, x)."""
    ways = {"first": [["1", "0"]] * 2, "second": [["0", "1"]] * 2}
    document = small.document(
        "ways",
        learner=TILTED,
        moves=DRIFTS,
        worlds={"w": ["0", "1/2"], "x": ["0", "1/2"]},
        responses={"table": dict.fromkeys(ways, [["1"]])},
        policies=ways,
        actions=2,
    )
    document["worlds"]["transition"] = [[[["-x+1", "x"]], [["-w*x+1", "w*x"]]]] * 2
    return document


PAIRS = ("weak-revealing", "kl-joint", "kl-world")  # whose trees would make a golden file long
BRIEF = tuple(each.id for each in CLAIMS if each.id not in PAIRS)


NET = ("nonexpansive", "well-specified", "warmup-stationary", "regret")


def two_arms() -> small.Document:
    """Two arms with means on an interval, against an opponent who halves the second over a memory of two."""
    ends = {"interval": ["1/8", "7/8"]}
    return arms({"parameters": {"mu0": ends, "mu1": ends}}, 2, memory=2, reaction="1/4")


def listed(**responses: Any) -> small.Document:
    """Three arms of which each is best in one of three worlds, against an opponent who halves two of them."""
    worlds = [means("1/2", "1/4", "1/4"), means("1/2", "3/4", "1/4"), means("1/2", "3/4", "7/8")]
    document = arms({"points": worlds}, 3, memory=2, reaction="1/4")
    truth = {"truth": {"worlds": worlds[0], "responses": {}}}
    return document | truth | {"responses": document["responses"] | responses}


def forgetful() -> small.Document:
    """The same, the opponent's memory fading."""
    document = listed(block_rule="fading", gamma="1/2")
    del document["responses"]["memory"]
    return document


ACCEPTED: dict[str, tuple[small.Document, dict[str, Any]]] = {
    "list": (listed(), {}),
    "list-fading": (forgetful(), {}),
    "drift": (small.drift(truth=INSIDE), {}),
    "drift-history": (small.drift(truth=INSIDE), {"space": "history"}),
    "drift-policy-form": (small.drift(truth=INSIDE), {"lipschitz": "policy", "reference": ["1/3", "2/3"]}),
    "drift-reachable": (small.drift(truth=INSIDE), {"scope": "reachable"}),
    "drift-summed": (small.drift(truth=INSIDE), {"operators": "summed"}),
    "drift-table": (blocks(), {}),
    "drift-fading": (fading(), {}),
    "two-observations": (small.gauge(TILTED, DRIFTS, horizon=3), {"kappa": 2}),
    "whole-histories": (whole_histories(), {"space": "history"}),
    "split-joint": (small.two(*SPLIT), {"form": "joint"}),
    "split-literal": (small.two(("3/4", "(2*x+1)/4"), ("(x+2)/4", "(-x+1)/4")), {}),
    "factor": (small.gauge(TILTED, [[["(-x+4)/4", "x/4"]], [["x/4", "(-x+4)/4"]]]), {}),
    "two-ways": (two_ways(), {}),
    "vacuous": (without_worlds(small.gauge(TILTED, [[["1/4", "3/4"]]] * 2)), {}),
    "interval": (
        changed(small.gauge(TILTED, DRIFTS), put("worlds", "parameters", "x", to={"interval": ["0", "1"]})),
        {},
    ),
    "interval-splits": (given(continua.parabola()), {"only": BRIEF}),
    "interval-bandit": (given(bandit.document(2)), {}),
    "interval-net": (given(two_arms()), {"only": NET, "T": 100}),
    "interval-net-own": (given(bandit.document(7)), {"only": NET, "T": 100}),
    "interval-tied": (given(continua.triangle()), {"only": BRIEF}),
    "interval-quotients": (given(continua.quotient()), {"only": BRIEF}),
    "interval-answers": (given(continua.mixed()), {"only": BRIEF}),
    "interval-answers-policy-form": (given(continua.mixed()), {"only": BRIEF, "lipschitz": "policy"}),
    "interval-impossible": (given(continua.touching()), {}),
    "interval-blocks": (given(continua.turns()), {"only": BRIEF}),
    "interval-blocks-policy-form": (given(continua.turns()), {"only": BRIEF, "lipschitz": "policy"}),
    "interval-fading": (given(continua.forgetting()), {"only": BRIEF}),
    "interval-meeting": (given(continua.meeting(x=("1/8", "5/8"))), {"only": BRIEF}),
    "pairs-cuts": (given(continua.crossing()), {"only": ("weak-revealing",)}),
    "pairs-factor": (given(continua.sensor()), {"only": ("weak-revealing",)}),
    "pairs-over": (given(continua.parabola("2/5", "3/5")), {"only": ("kl-joint",)}),
    "pairs-summed": (given(continua.parabola("2/5", "3/5")), {"only": ("kl-joint",), "operators": "summed"}),
    "pairs-vanishing": (given(continua.fading()), {"only": ("kl-joint",)}),
    "refuted-lipschitz": (alike(small.drift(truth=INSIDE)), {}),
    "refuted-revealing": (current_emission(), {}),
    "refuted-crossing": (small.two(("(2*x+1)/4", "(-2*x+3)/4"), ("(x+1)/4", "(-x+4)/4")), {}),
    "refuted-truth": (small.drift(truth=INSIDE | {"worlds": {"x": "1/16"}}), {}),
    "refuted-increments": (small.gauge([["(-x+2)/2", "x/2"]], [[["1"]]], horizon=1), {}),
    "own": (given(own.sound(truth={"worlds": {"x": "0"}, "responses": {"y": "1"}})), {}),
    "own-steps": (given(stepping()), {}),
    "own-signed": (given(own.signed(2)), {}),
    "own-interval": (given(own.on_intervals(own.sound())), {}),
    "own-unequal": (given(own.defective("J", 1, 0, 1, "+x*y/9")), {}),
    "own-world-in-G": (given(own.defective("G", 0, 1, 1, "-x/9")), {}),
    "own-response-in-W": (given(own.on_intervals(own.defective("W", 1, 0, 0, "+y/9"))), {}),
    "own-negative": (given(own.defective("W", 0, 1, 1, "-1/2")), {}),
    "own-expanding": (given(own.defective("G", 0, 0, 1, "+1/9")), {}),
    "own-start": (given(own.sound(), put("operators", "initial", to=["2/3", "1/4"])), {}),
    "own-negative-mass": (given(own.sound(), put("operators", "initial", to=["2", "-1"])), {}),
    "refuted-conversion": (
        small.document(
            "gauges",
            learner=[["(-w+3)/4", "(w+1)/4"], ["1/4", "3/4"]],
            moves=DRIFTS,
            worlds={"w": ["0", "1"], "x": ["0", "1"]},
            responses={"table": {"p": [["1"]]}},
            horizon=1,
        ),
        {},
    ),
}


class Pair(NamedTuple):
    """A rejected file: the accepted one, its edits, and the reason."""

    of: str
    edits: tuple[Edit, ...]
    claim: str
    rule: str
    message: str
    consequence: str
    digests: bool = True


def shifted(by: str) -> Callable[[str], str]:
    return lambda text: str(Fraction(text) + Fraction(by))


def moved(*path: str | int, by: str) -> Edit:
    """Add a rational to a value."""
    return put(*path, to=shifted(by))


def cited(certificate: Certificate) -> None:
    """The last claim once more, under a name of its own."""
    certificate["claims"].append(certificate["claims"][-1] | {"id": "eluder-joint"})


def swapped(certificate: Certificate) -> None:
    claims = certificate["claims"]
    claims[0], claims[1] = claims[1], claims[0]


def reread(certificate: Certificate) -> None:
    """List the readings that the edited options make."""
    certificate["readings"] = readings(Game(certificate["model"]), certificate["options"])


REVEALING = ("claims", "weak-revealing")
LIPSCHITZ = ("claims", "posterior-lipschitz")
TREE = (*REVEALING, "evidence", "trees")
Q = (*REVEALING, "evidence", "attained", "q")
EVAL = {"rule": "eval"}
PART = (*LIPSCHITZ, "evidence", "signs", 0, "choice")
FADED = ("claims", "warmup-stationary")
POSITIVE = "claims", "predictive-states", "evidence", "trees"
POSITIVITY = "+1-4*theta.x+8*theta.x*theta.x-8*theta.x*theta.x*theta.x+4*theta.x*theta.x*theta.x*theta.x > 0"
TIED = (*POSITIVE, "+1-1*theta.x-1*theta.y > 0 where +7-8*theta.x-8*theta.y >= 0", 1)
INCREMENTS, COVERING, LIPSCHITZ = (
    ("claims", name) for name in ("bounded-increments", "covering", "posterior-lipschitz")
)


APART = {
    "theta": {"x": "1/8"},
    "h": 1,
    "tau_B": ["d0"],
    "pi": "idle",
    "nu": "watch",
    "Phi": {"y": "1/4"},
    "responses": [["1/2", "1/2"], ["3/4", "1/4"]],
    "posteriors": [["1", "0"], ["1/2", "1/2"]],
}
DOUBLED = {"theta": {"z": "1/4"}, "policies": [["idle", "watch"]], "tau_B": None, "choice": [1, 2, -2]}


def narrower(bounds: dict[str, list[str]]) -> dict[str, list[str]]:
    """Every upper bound lowered to the middle."""
    return {name: [low, str((Fraction(low) + Fraction(high)) / 2)] for name, (low, high) in bounds.items()}


HALVES = [["s0", [], "1/2"], ["s1", [], "1/2"]]
XI = {"theta": {"x": "0"}, "Phi": {"y": "1/8"}}
BOUND = ("claims", "constants", "values")
REGRET = ("claims", "regret")
TRUTH = (*REGRET, "evidence", "truths", 0)
ELUDER = ("claims", "eluder-world")
QUERIES = (*ELUDER, "evidence", "sequence")
STRUCTURE = (*ELUDER, "evidence", "structure")
EXTRA_TREE: Edit = put(*TREE, to=lambda trees: [*trees, trees[0]])


FACTORS = ("claims", "factorization")
MASSES = ("claims", "oom-identity")
EXPANDS = ("claims", "nonexpansive")
PROVED: dict[str, Any] = {"verdict": "proved", "evidence": EVAL, "witness": None}
NEGATIVE = {
    "operator": "W",
    "xi": {"theta": {"x": "0"}, "Phi": {"y": "0"}},
    "h": 1,
    "o": "o0",
    "a": "a",
    "row": "v0",
    "column": "s0",
    "entry": "9/16",
}


CONVERSION = ("claims", "kl-joint")
BOXES = (*CONVERSION, "evidence", "trees", "p")
CUT = (*TREE, 0, "tree")
READ_TREES = "read weak-revealing.trees[0]"
SHORT = "required ratio >="

REJECTED: dict[str, Pair] = {
    # rule pairs
    "pairs-cut-left-out": Pair(
        "pairs-cuts",
        (put(*CUT, to=["test", 2]),),
        "weak-revealing",
        "tests",
        SHORT,
        "a test that clears one piece of the simplex clears it whole",
    ),
    "pairs-cut-elsewhere": Pair(
        "pairs-cuts",
        (put(*CUT, 3, to="19/20"),),
        "weak-revealing",
        "tests",
        SHORT,
        "a piece is cleared that a test does not clear",
    ),
    "pairs-cut-at-one": Pair(
        "pairs-cuts",
        (put(*CUT, 3, to="1"),),
        "weak-revealing",
        READ_TREES,
        "0 < t < 1",
        "one piece is flat: it drops most of the simplex",
    ),
    "pairs-cut-of-one-vertex": Pair(
        "pairs-cuts",
        (put(*CUT, 2, to=0),),
        "weak-revealing",
        "read weak-revealing.trees[0]",
        "two vertices",
        "an edge from a vertex to itself is cut, and most of the simplex dropped",
    ),
    "pairs-cut-of-true": Pair(
        "pairs-cuts",
        (put(*CUT, 2, to=True),),
        "weak-revealing",
        "read weak-revealing.trees[0]",
        "an index below 2",
        "True counts as one",
    ),
    "pairs-cut-of-no-vertex": Pair(
        "pairs-cuts",
        (put(*CUT, 1, to=-1),),
        "weak-revealing",
        "read weak-revealing.trees[0]",
        "an index below 2",
        "vertices counted from behind",
    ),
    "pairs-pieces-exchanged": Pair(
        "pairs-cuts",
        (put(*CUT, to=lambda x: [*x[:4], x[5], x[4]]),),
        "weak-revealing",
        "tests",
        SHORT,
        "a test serves a piece on which it points the other way",
    ),
    "pairs-test-out-of-bounds": Pair(
        "pairs-cuts",
        (put(*REVEALING, "evidence", "tests", 2, to=["2", "-2", "2"]),),
        "weak-revealing",
        "tests",
        "leaves [-1,1]",
        "a larger statistic proves more",
    ),
    "pairs-alpha-raised": Pair(
        "pairs-cuts",
        (moved(*REVEALING, "values", "alpha_lower", by="1/20"),),
        "weak-revealing",
        "tests",
        SHORT,
        "an alpha that no leaf shows",
    ),
    "pairs-split-at-an-end": Pair(
        "pairs-cuts",
        (put(*TREE, 1, "tree", 2, to="0"),),
        "weak-revealing",
        "read weak-revealing.trees[1]",
        "a point between 0 and 1/2",
        "one half is the whole box, and needs no proof",
    ),
    "pairs-tree-missing": Pair(
        "pairs-cuts", (drop(*TREE, 2),), "weak-revealing", "tests", "no tree for", "a situation is left out"
    ),
    "pairs-factor-altered": Pair(
        "pairs-factor",
        (put(*REVEALING, "evidence", "factors", 0, 0, to=["1", "-2"]),),
        "weak-revealing",
        "tests",
        SHORT,
        "a matrix that does not give W - W' bounds it",
    ),
    "pairs-factor-too-large": Pair(
        "pairs-factor",
        (
            put(*REVEALING, "values", "alpha_lower", to="667/1000"),
            put(*REVEALING, "values", "alpha_upper", to="667/1000"),
        ),
        "weak-revealing",
        "tests",
        SHORT,
        "a factor proves more than one over its norm",
    ),
    "pairs-factor-of-another-shape": Pair(
        "pairs-factor",
        (drop(*REVEALING, "evidence", "factors", 0, 0),),
        "weak-revealing",
        "tests",
        "not 2 x 2",
        "a row of W - W' is left out of the bound",
    ),
    "pairs-factor-unlisted": Pair(
        "pairs-factor",
        (put(*TREE, 0, "tree", 1, to=1),),
        "weak-revealing",
        "read weak-revealing.trees[0]",
        "an index below 1",
        "a matrix that is nowhere written down",
    ),
    "pairs-conversion-raised": Pair(
        "pairs-vanishing",
        (put(*CONVERSION, "values", "c_KL_joint_lower", to="13333/5000"),),
        "kl-joint",
        "pairs",
        "no proof of",
        "a constant that no box shows",
    ),
    "pairs-summed-raised": Pair(
        "pairs-summed",
        (put(*CONVERSION, "values", "c_KL_joint_lower", to="3248441829/5000000000"),),
        "kl-joint",
        "pairs",
        "no proof of",
        "a constant that no box shows",
    ),
    "pairs-boxes-joined": Pair(
        "pairs-over",
        (put(*BOXES, 0, 2, 3, 3, 3, 3, to=["box"]),),
        "kl-joint",
        "pairs",
        "no proof of",
        "a box whose enclosures are too wide shows the inequality",
    ),
    "pairs-box-of-another-kind": Pair(
        "pairs-vanishing",
        (put(*BOXES, 0, to=["trust"]),),
        "kl-joint",
        "read kl-joint.trees.p",
        '"box"',
        "a leaf of no kind shows anything",
    ),
    "pairs-over-another-factor": Pair(
        "pairs-over",
        (put(*BOXES, 0, 1, to=[["-2"], ["1", "t"], ["2", "theta.x"]]),),
        "kl-joint",
        "read kl-joint.trees.p",
        "a common factor of all differences",
        "what vanishes together is divided by what does not",
    ),
    "pairs-over-its-square": Pair(
        "pairs-over",
        (
            put(
                *BOXES,
                0,
                1,
                to=[
                    ["1"],
                    ["-2", "t"],
                    ["1", "t", "t"],
                    ["-4", "theta.x"],
                    ["4", "t", "theta.x"],
                    ["4", "theta.x", "theta.x"],
                ],
            ),
        ),
        "kl-joint",
        "read kl-joint.trees.p",
        "a common factor of all differences",
        "a remainder is left out",
    ),
    "pairs-over-nothing": Pair(
        "pairs-over",
        (put(*BOXES, 0, 1, to=[]),),
        "kl-joint",
        "read kl-joint.trees.p",
        "a polynomial that is not zero",
        "both sides are divided by zero",
    ),
    "pairs-over-another-axis": Pair(
        "pairs-over",
        (put(*BOXES, 0, 1, 0, to=["-1", "theta.q"]),),
        "kl-joint",
        "read kl-joint.trees.p",
        "axes of the region",
        "a factor in what no pair has",
    ),
    "pairs-over-one": Pair(
        "pairs-over",
        (put(*BOXES, 0, 1, to=[["1"]]),),
        "kl-joint",
        "pairs",
        "no proof of",
        "boxes about two points that are one model show what they cannot",
    ),
    "pairs-model-outside": Pair(
        "pairs-vanishing",
        (put(*CONVERSION, "evidence", "attained", "xi", "theta", "x", to="2/3"),),
        "kl-joint",
        "read worlds",
        "a point of the class",
        "an upper bound of no model of the class",
    ),
    # classes given by operators
    "own-proved-refuted": Pair(
        "own-unequal",
        (claim("factorization", **PROVED),),
        "factorization",
        "eval",
        "refuted",
        "a joint operator that is no product of channels passes for one",
    ),
    "own-proved-with-the-world-in-G": Pair(
        "own-world-in-G",
        (claim("factorization", **PROVED),),
        "factorization",
        "eval",
        "refuted",
        "the adversary's factor may know the world",
    ),
    "own-proved-negative": Pair(
        "own-negative",
        (claim("nonexpansive", **PROVED),),
        "nonexpansive",
        "eval",
        "refuted",
        "masses of both signs cancel in a norm",
    ),
    "own-proved-lawless": Pair(
        "own-negative-mass",
        (claim("oom-identity", **PROVED),),
        "oom-identity",
        "eval",
        "refuted",
        "a probability is negative",
    ),
    "own-refuted-proved": Pair(
        "own",
        (claim("nonexpansive", verdict="refuted", evidence=None, witness=NEGATIVE),),
        "nonexpansive",
        "eval",
        "proved",
        "channels that are what the theorem wants count against it",
    ),
    "own-proved-without-kernels": Pair(
        "own",
        (claim("predictive-states", **PROVED),),
        "predictive-states",
        "eval",
        "no kernels",
        "a claim about kernels holds of a class that has none",
    ),
    "own-covering-lowered": Pair(
        "own",
        (put("claims", "covering", "values", "log_covering_upper", to={"log_of": "3"}),),
        "covering",
        "eval",
        "log_covering_upper",
        "the net misses a model",
    ),
    "own-interval-altered": Pair(
        "own-interval",
        (put("model", "operators", "J", "p", 1, 0, 0, 0, to="(2*x^3-3*x^2+x*y-3*x-3*y+12)/64"),),
        "factorization",
        "eval",
        "unknown",
        "sides that agree at the ends and between agree everywhere",
    ),
    "own-interval-inequality": Pair(
        "own-interval",
        (claim("nonexpansive", **PROVED),),
        "nonexpansive",
        "eval",
        "unknown",
        "signs at a few points decide those between",
    ),
    "own-witness-misstated": Pair(
        "own-unequal",
        (put(*FACTORS, "witness", "J", to="1/2"),),
        "factorization",
        "witness",
        "as shown",
        "a report shows an entry that no matrix has",
    ),
    "own-witness-of-equal-entries": Pair(
        "own-unequal",
        (
            put(*FACTORS, "witness", "xi", "Phi", to={"y": "0"}),
            put(*FACTORS, "witness", "J", to="3/8"),
            put(*FACTORS, "witness", "GW", to="3/8"),
        ),
        "factorization",
        "witness",
        "different entries of J and G W",
        "equal entries refute",
    ),
    "own-witness-of-two-responses": Pair(
        "own-world-in-G",
        (put(*FACTORS, "witness", "xi_prime", "Phi", to={"y": "1"}),),
        "factorization",
        "witness",
        "two Phi",
        "a channel is blamed for what it may depend on",
    ),
    "own-witness-outside": Pair(
        "own-response-in-W",
        (put(*FACTORS, "witness", "xi_prime", "Phi", to={"y": "2"}),),
        "factorization",
        "read factorization.Phi",
        "a parameter point of the class",
        "a model outside the class refutes",
    ),
    "own-witness-of-another-operator": Pair(
        "own-response-in-W",
        (put(*FACTORS, "witness", "operator", to="J"),),
        "factorization",
        "read factorization.operator",
        "W or G",
        "J may not depend on the response",
    ),
    "own-witness-of-no-coordinate": Pair(
        "own-negative",
        (put(*EXPANDS, "witness", "row", to="s1"),),
        "nonexpansive",
        "read nonexpansive.row",
        "one of ['v0', 'v1']",
        "an entry that is nowhere is negative",
    ),
    "own-witness-of-a-positive-entry": Pair(
        "own-negative",
        (put(*EXPANDS, "witness", "row", to="v0"), put(*EXPANDS, "witness", "entry", to="1/8")),
        "nonexpansive",
        "witness",
        "a negative entry",
        "a positive entry counts as negative",
    ),
    "own-witness-of-a-small-column": Pair(
        "own-expanding",
        (put(*EXPANDS, "witness", "column", to="v0"), put(*EXPANDS, "witness", "sum", to="1")),
        "nonexpansive",
        "witness",
        "above 1",
        "a column of sum 1 expands",
    ),
    "own-witness-of-a-kept-mass": Pair(
        "own-start",
        (
            put(
                *MASSES,
                "witness",
                to={
                    "xi": NEGATIVE["xi"],
                    "pi": "p",
                    "h": 1,
                    "trajectory": [],
                    "a": "a",
                    "before": "11/12",
                    "after": "11/12",
                },
            ),
        ),
        "oom-identity",
        "witness",
        "two that differ",
        "mass that is kept counts as lost",
    ),
    "own-witness-of-another-mass": Pair(
        "own-start",
        (put(*MASSES, "witness", "mass", to="1/2"),),
        "oom-identity",
        "witness",
        "as shown",
        "a report shows a mass that is not there",
    ),
    "own-witness-of-a-positive-mass": Pair(
        "own-negative-mass",
        (put(*MASSES, "witness", "trajectory", to=["o0", "a"]), put(*MASSES, "witness", "mass", to="5/4")),
        "oom-identity",
        "witness",
        "negative",
        "a probability counts against the law",
    ),
    "own-witness-of-another-step": Pair(
        "own-negative-mass",
        (put(*MASSES, "witness", "h", to=0),),
        "oom-identity",
        "read oom-identity.h",
        "the step of the failure",
        "a report names a step at which nothing happens",
    ),
    # digests
    "digest-stale": Pair(
        "drift",
        (moved(*REVEALING, "values", "alpha_upper", by="1"),),
        "certificate",
        "digest",
        "found",
        "a certificate altered after it was made passes for the one that was made",
        digests=False,
    ),
    "digest-of-another-model": Pair(
        "drift",
        (put("model_sha256", to="0" * 64),),
        "model",
        "digest",
        "required 000",
        "a certificate stands for a model it was not made for",
        digests=False,
    ),
    "digest-of-an-edited-model": Pair(
        "drift",
        (put("model", "worlds", "initial", to=["1/4", "3/4"]),),
        "model",
        "digest",
        "found",
        "the model inside the file is not the one the digest names",
        digests=False,
    ),
    # readings and the list of claims
    "reading-dropped": Pair(
        "drift",
        (drop("readings", 1),),
        "certificate",
        "readings",
        "2.3:form=step",
        "the report does not say in which form 2.4 was read",
    ),
    "reading-of-another-option": Pair(
        "drift",
        (put("readings", 1, to="2.4:form=joint"),),
        "certificate",
        "readings",
        "2.4:form=joint",
        "the report says that the stronger form was shown",
    ),
    "paper-renumbered": Pair(
        "drift",
        (claim("oom-identity", paper="Theorem 3.3"),),
        "oom-identity",
        "owed",
        "Theorem 3.3",
        "Theorem 3.3 is proved by the OOM identity",
    ),
    "claim-missing": Pair(
        "drift",
        (drop("claims", "weak-revealing"),),
        "certificate",
        "owed",
        "the claims",
        "a class is certified although nobody looked at Assumption 2.4",
    ),
    "claim-extra": Pair(
        "drift", (cited,), "certificate", "owed", "eluder-joint", "a claim nobody checks is listed as proved"
    ),
    "claim-repeated": Pair(
        "drift",
        (put("claims", to=lambda claims: [*claims, claims[-1]]),),
        "certificate",
        "owed",
        "the claims",
        "two different values stand for one claim",
    ),
    "claims-reordered": Pair(
        "drift", (swapped,), "certificate", "owed", "the claims", "a proof of one claim is read as that of another"
    ),
    # the summary
    "summary-certified": Pair(
        "refuted-truth",
        (put("summary", "certified", to=True),),
        "summary",
        "owed",
        "'certified': True",
        "a refuted class is certified, and the learner runs on it",
    ),
    "summary-declared-hidden": Pair(
        "split-joint",
        (put("summary", "declared", to=[]),),
        "summary",
        "owed",
        "'declared': []",
        "an assumption taken on trust is not shown as one",
    ),
    "summary-verdict": Pair(
        "refuted-truth",
        (put("summary", "3.1a", to="proved"),),
        "summary",
        "owed",
        "'3.1a': 'proved'",
        "the report says that the truth lies in the class",
    ),
    # options that change what is claimed, everything else kept
    "option-kappa": Pair(
        "two-observations",
        (put("options", "kappa", to=1),),
        "certificate",
        "readings",
        "2.4:policies=class",
        "alpha of two observations passes for that of one",
    ),
    "option-kappa-restated": Pair(
        "two-observations",
        (put("options", "kappa", to=1), reread),
        "weak-revealing",
        "read weak-revealing.tests",
        "4 entries",
        "alpha of two observations passes for that of one",
    ),
    "option-form": Pair(
        "drift",
        (put("options", "weak_revealing", "form", to="joint"),),
        "certificate",
        "readings",
        "2.4:form=literal",
        "the literal alpha passes for the joint one, which is smaller",
    ),
    "option-form-restated": Pair(
        "drift",
        (put("options", "weak_revealing", "form", to="joint"), reread),
        "weak-revealing",
        "tests",
        "test function 0 does not show it",
        "the literal alpha 1/3 passes for the joint one, which is 1/4",
    ),
    "option-scope": Pair(
        "drift-reachable",
        (put("options", "weak_revealing", "scope", to="simplex"), reread),
        "weak-revealing",
        "eval",
        "tests",
        "a minimum over finitely many states passes for one over the simplex",
    ),
    "option-lipschitz-form": Pair(
        "drift-policy-form",
        (put("options", "lipschitz_form", to="step"),),
        "certificate",
        "readings",
        "2.3:form=policy",
        "the constant of the weaker form passes for that of the paper's",
    ),
    "option-lipschitz-form-restated": Pair(
        "drift-policy-form",
        (put("options", "lipschitz_form", to="step"), reread),
        "posterior-lipschitz",
        "box",
        "a response gap of 1/2 for idle and watch",
        "the constant of the weaker form passes for that of the paper's",
    ),
    "option-operators": Pair(
        "drift-summed",
        (drop("options", "operators"),),
        "certificate",
        "readings",
        "3.1e:operators=summed",
        "the constants of sums pass for those at the pair that occurs",
    ),
    "option-operators-restated": Pair(
        "drift-summed",
        (drop("options", "operators"), reread),
        "kl-joint",
        "log",
        "attaining",
        "the bracket of the summed c_KL passes for that of the realised one",
    ),
    "option-operators-summed": Pair(
        "drift",
        (put("options", "operators", to="summed"), reread),
        "kl-joint",
        "log",
        "KL <",
        "a c_KL at the pair that occurs, 13/60, passes for one of sums, which is 3/50",
    ),
    "option-operators-summed-dimension": Pair(
        "drift-summed",
        (moved(*QUERIES, 0, "square", by="-3/4"),),
        "eluder-world",
        "sequence",
        "other squares",
        "a query's function is taken at the observation that occurs",
    ),
    "option-operators-of-boxes": Pair(
        "pairs-over",
        (put("options", "operators", to="summed"), reread),
        "kl-joint",
        "pairs",
        "no proof of",
        "boxes that show the inequality at the pair that occurs pass for those of sums",
    ),
    "option-reference-degenerate": Pair(
        "drift-policy-form",
        (put("options", "reference", to=["0", "1"]),),
        "file",
        "read options.reference",
        "full-support",
        "posteriors are compared on histories that never happen",
    ),
    "option-space": Pair(
        "drift",
        (put("options", "space", to="history"), reread),
        "kl-joint",
        "log",
        "KL",
        "c_KL of merged windows passes for that of histories",
    ),
    "option-space-too-small": Pair(
        "whole-histories",
        (put("options", "space", to="window"),),
        "file",
        "read options.space",
        "full",
        "a class that reads whole histories is checked as if it forgot them",
    ),
    "option-limit": Pair(
        "drift-history",
        (put("options", "limits", "coordinates", to=100),),
        "file",
        "read options.space",
        "at most",
        "a limit that was exceeded is shown as kept",
    ),
    # verdicts that are not the kernel's
    "verdict-vacuous": Pair(
        "drift",
        (claim("weak-revealing", verdict="vacuous", values={}, evidence=EVAL), put("summary", "2.4", to="vacuous")),
        "weak-revealing",
        "eval",
        "vacuous",
        "a condition on real worlds is waved through",
    ),
    "verdict-declared": Pair(
        "drift",
        (claim("kl-joint", verdict="declared", values={}, evidence={"rule": "assume"}),),
        "kl-joint",
        "eval",
        "declared",
        "a fact about the model is taken on trust",
    ),
    "verdict-declared-truth": Pair(
        "drift",
        (claim("well-specified", verdict="declared", evidence={"rule": "assume"}),),
        "well-specified",
        "eval",
        "declared",
        "a truth that can be looked up is taken on trust",
    ),
    "verdict-proved-without-truth": Pair(
        "split-joint",
        (claim("well-specified", verdict="proved", evidence=EVAL),),
        "well-specified",
        "eval",
        "declared",
        "the model file proves a fact about the outside world",
    ),
    "verdict-proved-refuted": Pair(
        "refuted-truth",
        (claim("well-specified", verdict="proved", evidence=EVAL, witness=None),),
        "well-specified",
        "eval",
        "refuted",
        "a truth outside the class is inside it",
    ),
    "verdict-proved-interval": Pair(
        "interval",
        (
            claim(
                "covering",
                evidence=EVAL,
                values={"log_covering_upper": {"log_of": "1"}, "covering_lipschitz_upper": "0"},
            ),
        ),
        "covering",
        "eval",
        "this rule",
        "an interval of worlds has covering number one",
    ),
    # box: trees, bounds, grids and points of a class with interval axes
    "box-no-tree": Pair(
        "interval-splits",
        (put(*POSITIVE, to={}),),
        "predictive-states",
        "box",
        "no proof of",
        "a sign that the whole box does not show is taken for shown",
    ),
    "box-tree-cut-short": Pair(
        "interval-splits",
        (put(*POSITIVE, to=dict.fromkeys([POSITIVITY], ["box"])),),
        "predictive-states",
        "box",
        "no proof of",
        "a leaf with a negative coefficient shows a sign",
    ),
    "box-tree-of-another-goal": Pair(
        "interval-splits",
        (put(*POSITIVE, to=lambda trees: {"+1 > 0": trees[POSITIVITY]}),),
        "predictive-states",
        "box",
        "no proof of",
        "a proof of one inequality proves another",
    ),
    "box-cut-outside": Pair(
        "interval-splits",
        (put(*POSITIVE, POSITIVITY, 2, to="2"),),
        "predictive-states",
        f"read {'predictive-states.trees'}",
        "a point between 0 and 1",
        "two halves leave out what is between them",
    ),
    "box-kind-unheard-of": Pair(
        "interval-splits",
        (put(*POSITIVE, POSITIVITY, 3, to=["trust"]),),
        "predictive-states",
        "read predictive-states.trees",
        '"box", "outside"',
        "a leaf of no kind shows anything",
    ),
    "box-weight-negative": Pair(
        "interval-tied",
        (put(*TIED, to={"0": [["-1"]]}),),
        "predictive-states",
        "read predictive-states.trees",
        "nonnegative weight",
        "a constraint turned the wrong way round shows a sign",
    ),
    "box-weight-of-no-constraint": Pair(
        "interval-tied",
        (put(*TIED, to={"1": [["1"]]}),),
        "predictive-states",
        "read predictive-states.trees",
        "nonnegative weight",
        "a constraint the class does not have is used",
    ),
    "box-B0-smaller": Pair(
        "interval-splits",
        (moved(*INCREMENTS, "values", "B0_upper", "log_of", by="-1"),),
        "bounded-increments",
        "box",
        "B0_upper 3",
        "likelihoods differ by more than stated",
    ),
    "box-B0-lower-larger": Pair(
        "interval-splits",
        (moved(*INCREMENTS, "values", "B0_lower", "log_of", by="1"),),
        "bounded-increments",
        "eval",
        "B0_lower",
        "a ratio no model attains is called attained",
    ),
    "box-slope-smaller": Pair(
        "interval-splits",
        (moved(*INCREMENTS, "values", "log_likelihood_lipschitz_upper", by="-1"),),
        "bounded-increments",
        "box",
        "slope 31",
        "log-likelihoods are steeper than stated",
    ),
    "box-bounds-narrower": Pair(
        "interval-splits",
        (put(*INCREMENTS, "evidence", "bounds", to=narrower),),
        "bounded-increments",
        "box",
        "no proof of",
        "a law leaves the bounds stated of it",
    ),
    "box-bounds-missing": Pair(
        "interval-splits",
        (put(*INCREMENTS, "evidence", "bounds", to={}),),
        "bounded-increments",
        "box",
        "no bounds of",
        "a law without bounds is bounded",
    ),
    "box-point-outside": Pair(
        "interval-splits",
        (put(*INCREMENTS, "evidence", "attained", "xi", "theta", "x", to="2"),),
        "bounded-increments",
        "read worlds",
        "a point of the class",
        "no model of the class attains it",
    ),
    "box-grid-coarser": Pair(
        "interval-splits",
        (
            moved(*COVERING, "values", "log_covering_upper", "log_of", by="-16385"),
            put(*COVERING, "evidence", "grid", "theta.x", to=1),
        ),
        "covering",
        "box",
        "a square of the grid",
        "a net leaves models farther than epsilon",
    ),
    "box-grid-miscounted": Pair(
        "interval-splits",
        (moved(*COVERING, "values", "log_covering_upper", "log_of", by="-1"),),
        "covering",
        "box",
        "points",
        "a net has fewer points than its grid",
    ),
    "box-grid-of-no-axis": Pair(
        "interval-splits",
        (put(*COVERING, "evidence", "grid", to={"theta.z": 5}),),
        "covering",
        "box",
        "along theta.z",
        "a net of another class",
    ),
    "box-lipschitz-smaller": Pair(
        "interval-answers",
        (moved(*LIPSCHITZ, "values", "L_upper", by="-1/100"),),
        "posterior-lipschitz",
        "box",
        "no proof of",
        "an adversary reacts more than stated",
    ),
    "box-lipschitz-lower-larger": Pair(
        "interval-answers",
        (moved(*LIPSCHITZ, "values", "L_lower", by="1/100"),),
        "posterior-lipschitz",
        "eval",
        "L_lower",
        "a ratio no model attains is called attained",
    ),
    "box-gap-smaller": Pair(
        "interval-answers",
        (put(*LIPSCHITZ, "evidence", "gaps", to=lambda gaps: dict.fromkeys(gaps, "1/100")),),
        "posterior-lipschitz",
        "box",
        "no proof of",
        "responses differ by more than stated",
    ),
    "box-sign-of-two": Pair(
        "interval-answers-policy-form",
        (put(*LIPSCHITZ, "evidence", "signs", to=[DOUBLED]),),
        "posterior-lipschitz",
        "read posterior-lipschitz.signs[0]",
        "a sign per action",
        "a distance is counted twice",
    ),
    "box-part-left-out": Pair(
        "interval-blocks",
        (drop(*LIPSCHITZ, "evidence", "signs", 0),),
        "posterior-lipschitz",
        "box",
        "no proof of",
        "policies are told apart on all the class as they are in its middle",
    ),
    "box-part-with-the-choice-of-the-other": Pair(
        "interval-blocks",
        (put(*PART, 3, to=[1, 1, -1]),),
        "posterior-lipschitz",
        "box",
        "no proof of",
        "a part where two posteriors are near is where others are far",
    ),
    "box-part-cut-outside": Pair(
        "interval-blocks",
        (put(*PART, 2, to="3/2"),),
        "posterior-lipschitz",
        "read posterior-lipschitz.signs[0]",
        "a point between 2/5 and 13/20",
        "two parts leave out what is between them",
    ),
    "box-part-of-no-axis": Pair(
        "interval-blocks",
        (put(*PART, 1, to="theta.q"),),
        "posterior-lipschitz",
        "read posterior-lipschitz.signs[0]",
        "a sign per action",
        "a cut along no axis is a part",
    ),
    "box-posterior-of-no-number": Pair(
        "interval-blocks",
        (put(*PART, 3, to=[2, 1, -1]),),
        "posterior-lipschitz",
        "read posterior-lipschitz.signs[0]",
        "the number of a comparison",
        "policies that two blocks do not have are compared",
    ),
    "box-posterior-counted-from-behind": Pair(
        "interval-blocks-policy-form",
        (put(*PART, 3, to=[-1, 1, -1]),),
        "posterior-lipschitz",
        "read posterior-lipschitz.signs[0]",
        "the number of a comparison",
        "posteriors are counted from behind",
    ),
    "box-blocks-lipschitz-smaller": Pair(
        "interval-blocks",
        (moved(*LIPSCHITZ, "values", "L_upper", by="-1/1000"), moved(*LIPSCHITZ, "values", "L_lower", by="-1/1000")),
        "posterior-lipschitz",
        "box",
        "no proof of",
        "an adversary reacts to blocks of policies more than stated",
    ),
    "box-blocks-gap-smaller": Pair(
        "interval-blocks",
        (put(*LIPSCHITZ, "evidence", "gaps", to=lambda gaps: dict.fromkeys(gaps, "1/100")),),
        "posterior-lipschitz",
        "box",
        "no proof of",
        "responses to blocks differ by more than stated",
    ),
    "box-choice-twice": Pair(
        "interval-blocks",
        (put(*LIPSCHITZ, "evidence", "signs", 1, "tau_B", to=["d0"]),),
        "posterior-lipschitz",
        "read posterior-lipschitz.signs[1]",
        "a second choice",
        "one comparison is shown in one way and read in another",
    ),
    "box-choice-of-another-history": Pair(
        "interval-blocks",
        (put(*LIPSCHITZ, "evidence", "signs", 1, "tau_B", to=["d0", "b0"]),),
        "posterior-lipschitz",
        "box",
        "a choice for always and ask, ask and never in cell 0 of Theta after ['d0', 'b0']",
        "what is shown of no history is taken for a proof",
    ),
    "box-choice-of-policies-exchanged": Pair(
        "interval-blocks",
        (put(*LIPSCHITZ, "evidence", "signs", 0, "policies", to=[["ask", "always"], ["ask", "never"]]),),
        "posterior-lipschitz",
        "box",
        "a choice for ask and always, ask and never",
        "signs of one difference are read as those of its opposite",
    ),
    "box-choice-of-another-cell": Pair(
        "interval-blocks",
        (put(*LIPSCHITZ, "evidence", "signs", 0, "theta", to={"p": "1/2"}),),
        "posterior-lipschitz",
        "read posterior-lipschitz.signs[0].theta",
        "a parameter point of the class",
        "a choice at one point of an interval is read as one for all of it",
    ),
    "box-block-attained-by-one-policy": Pair(
        "interval-blocks",
        (put(*LIPSCHITZ, "evidence", "attained", "pi", to=["ask"]),),
        "posterior-lipschitz",
        "read posterior-lipschitz.place",
        "2 entries",
        "a block of one policy answers for two",
    ),
    "box-block-beyond-a-probability": Pair(
        "interval-blocks",
        (put("model", "responses", "blocks", "never always", to=[["(10*u+1)/2", "(-10*u+1)/2"]]),),
        "nonexpansive",
        "box",
        "no proof of +1-10*Phi.u >= 0",
        "what answers a block of policies is no law",
    ),
    "box-fading-flatter": Pair(
        "interval-fading",
        (put(*FADED, "values", "L_g", to="1/4"),),
        "warmup-stationary",
        "box",
        "5/16",
        "responses are said to lie closer together than they do",
    ),
    "box-fading-gap-smaller": Pair(
        "interval-fading",
        (
            put(*FADED, "values", "L_g", to="1/4"),
            put(*FADED, "evidence", "gaps", to=lambda gaps: dict.fromkeys(gaps, "1/2")),
        ),
        "warmup-stationary",
        "box",
        "no proof of",
        "responses lie further apart than a bound that is not shown",
    ),
    "box-fading-slower": Pair(
        "interval-fading",
        (put(*FADED, "values", "gamma", to="1/2"),),
        "warmup-stationary",
        "box",
        "gamma 1/2",
        "the opponent forgets faster than it does",
    ),
    "box-fading-gap-left-out": Pair(
        "interval-fading",
        (put(*FADED, "evidence", "gaps", to={}),),
        "warmup-stationary",
        "box",
        "no bound of the difference",
        "a difference without a bound is bounded",
    ),
    "box-fading-by-evaluation": Pair(
        "interval-fading",
        (put(*FADED, "evidence", to=EVAL),),
        "warmup-stationary",
        "eval",
        "this rule",
        "an L_g of a continuum is taken on trust",
    ),
    "box-fading-without-values": Pair(
        "interval-fading",
        (put(*FADED, "values", to={}),),
        "warmup-stationary",
        "values",
        "L_g",
        "an opponent with fading memory is taken for one that forgets at once",
    ),
    "box-fading-without-probabilities": Pair(
        "interval-fading",
        (claim("nonexpansive", verdict="unknown", values={}, evidence=None),),
        "nonexpansive",
        "owed",
        "no proof that entries are probabilities",
        "responses are compared that may be no laws",
    ),
    "box-meeting-elsewhere": Pair(
        "interval-meeting",
        (put(*LIPSCHITZ, "witness", "theta", "x", to="1/4"),),
        "posterior-lipschitz",
        "eval",
        "other rows",
        "policies look alike where they do not",
    ),
    "box-meeting-outside": Pair(
        "interval-meeting",
        (put(*LIPSCHITZ, "witness", "Phi", "u", to="1/2"),),
        "posterior-lipschitz",
        "read responses",
        "a point of the class",
        "a response outside the class refutes it",
    ),
    "box-without-probabilities": Pair(
        "interval-splits",
        (claim("nonexpansive", verdict="unknown", values={}, evidence=None),),
        "nonexpansive",
        "owed",
        "no proof that entries are probabilities",
        "claims about laws are proved of tables that may be negative",
    ),
    "box-divisor-cancelled": Pair(
        "interval",
        (put("model", "worlds", "transition", 0, 0, 0, to=["(-x+3)/4", "(x^2+x)/(4*x)"]),),
        "nonexpansive",
        "box",
        "no proof of +1*theta.x > 0",
        "a class is certified at x = 0, where a row divides by zero",
    ),
    "box-point-of-no-number": Pair(
        "interval",
        (put(*INCREMENTS, "evidence", "attained", "xi", "theta", "x", to=["0"]),),
        "bounded-increments",
        "read worlds.x",
        "an exact number",
        "a list passes for a point",
    ),
    "own-divisor-cancelled": Pair(
        "own-interval",
        (put("model", "operators", "W", 0, 0, 0, 0, to=lambda x: f"{x}+0/x"),),
        "factorization",
        "eval",
        "unknown",
        "matrices that are not there at x = 0 factor there",
    ),
    "box-witness-outside": Pair(
        "interval-impossible",
        (put("claims", "predictive-states", "witness", "xi_prime", "theta", "x", to="-1"),),
        "predictive-states",
        "read worlds",
        "a point of the class",
        "a model outside the class refutes a claim about it",
    ),
    "verdict-refuted": Pair(
        "drift",
        (claim("covering", verdict="refuted", values={}, evidence=None, witness={}),),
        "covering",
        "eval",
        "refuted",
        "a claim that holds is shown as false",
    ),
    "verdict-unknown-with-values": Pair(
        "drift",
        (claim("covering", verdict="unknown", evidence=None),),
        "covering",
        "unknown",
        "values",
        "a value nobody checked is printed",
    ),
    "verdict-refuted-with-values": Pair(
        "refuted-lipschitz",
        (claim("posterior-lipschitz", values={"L_upper": "1", "L_lower": "1"}),),
        "posterior-lipschitz",
        "witness",
        "values",
        "a refuted assumption keeps a constant",
    ),
    "verdict-proved-with-witness": Pair(
        "drift",
        (claim("covering", witness={}),),
        "covering",
        "witness",
        "a witness",
        "one claim is shown both proved and refuted",
    ),
    "rule-assume": Pair(
        "drift",
        (put(*LIPSCHITZ, "evidence", to={"rule": "assume"}),),
        "posterior-lipschitz",
        "assume",
        "box",
        "a constant is assumed where it should be computed",
    ),
    "rule-eval-for-tests": Pair(
        "drift",
        (put(*REVEALING, "evidence", "rule", to="eval"),),
        "weak-revealing",
        "eval",
        "tests",
        "alpha is accepted on the strength of one attained point",
    ),
    # values
    "value-not-lowest-terms": Pair(
        "drift",
        (put(*REVEALING, "values", "alpha_lower", to="2/6"),),
        "weak-revealing",
        "read weak-revealing.values.alpha_lower",
        "1/3",
        "one number has two texts, and equal values compare as different",
    ),
    "value-of-a-logarithm": Pair(
        "drift",
        (put(*REVEALING, "values", "alpha_upper", to={"log_of": "1/3"}),),
        "weak-revealing",
        "read weak-revealing.values.alpha_upper",
        "rational",
        "log(1/3) is printed as alpha",
    ),
    "value-missing": Pair(
        "drift",
        (drop(*LIPSCHITZ, "values", "L_lower"),),
        "posterior-lipschitz",
        "values",
        "L_upper",
        "a bracket has one end",
    ),
    "value-extra": Pair(
        "drift",
        (put(*LIPSCHITZ, "values", "C_0", to="1"),),
        "posterior-lipschitz",
        "values",
        "C_0",
        "a constant nobody checked is printed",
    ),
    # rule eval
    "lipschitz-lowered": Pair(
        "drift",
        (put(*LIPSCHITZ, "values", to={"L_lower": "1/2", "L_upper": "1/2"}),),
        "posterior-lipschitz",
        "box",
        "a response gap of 1/2 for idle and watch",
        "responses that react faster than L are taken to be slow",
    ),
    "lipschitz-bracket-raised": Pair(
        "drift",
        (put(*LIPSCHITZ, "values", "L_lower", to="1"),),
        "posterior-lipschitz",
        "eval",
        "8/13",
        "the lower end of the bracket is above the constant",
    ),
    "lipschitz-attained-elsewhere": Pair(
        "drift",
        (put(*LIPSCHITZ, "evidence", "attained", "tau_B", to=["d0", "b1", "d0"]),),
        "posterior-lipschitz",
        "eval",
        "attained",
        "the report names a history where the constant is not attained",
    ),
    "lipschitz-attained-nowhere": Pair(
        "drift",
        (put(*LIPSCHITZ, "evidence", "attained", to=None),),
        "posterior-lipschitz",
        "eval",
        "the ratio 0",
        "a positive constant is attained nowhere",
    ),
    "lipschitz-attained-late": Pair(
        "drift",
        (put(*LIPSCHITZ, "evidence", "attained", "h", to=1),),
        "posterior-lipschitz",
        "eval",
        "a history of step h",
        "a history of step 2 is read at step 1",
    ),
    "lipschitz-block-too-short": Pair(
        "drift-table",
        (put(*LIPSCHITZ, "evidence", "attained", "pi", to=["idle"]),),
        "posterior-lipschitz",
        "read posterior-lipschitz.place",
        "2 entries",
        "a block of one policy answers for two",
    ),
    "increments-lowered": Pair(
        "drift",
        (put("claims", "bounded-increments", "values", "B0_upper", "log_of", to="78/66"),),
        "bounded-increments",
        "read bounded-increments.values.B0_upper",
        "lowest terms",
        "likelihoods are said to be closer than they are",
    ),
    "increments-lowered-by-a-trifle": Pair(
        "drift",
        (moved("claims", "bounded-increments", "values", "B0_upper", "log_of", by="-1/1000000000"),),
        "bounded-increments",
        "eval",
        "79/66",
        "likelihoods are said to be closer than they are",
    ),
    "increments-attained-elsewhere": Pair(
        "drift",
        (put("claims", "bounded-increments", "evidence", "attained", "xi_prime", to=XI),),
        "bounded-increments",
        "eval",
        "attained",
        "the report names two models that are closer than B_0",
    ),
    "covering-lowered": Pair(
        "drift",
        (put("claims", "covering", "values", "log_covering_upper", "log_of", to="3"),),
        "covering",
        "eval",
        "log_covering_upper",
        "a net of three models covers four",
    ),
    "reachable-raised": Pair(
        "drift-reachable",
        (moved(*REVEALING, "values", "alpha_lower", by="1/1000000000"),),
        "weak-revealing",
        "eval",
        "alpha_lower",
        "alpha is larger than at a state the class reaches",
    ),
    "reachable-state-not-reached": Pair(
        "drift-reachable",
        (put(*Q, to=[["s0", [], "1"]]),),
        "weak-revealing",
        "eval",
        "no model reaches",
        "a state outside the class is shown as attaining alpha",
    ),
    "fading-slower": Pair(
        "drift-fading",
        (put("claims", "warmup-stationary", "values", "gamma", to="1/2"),),
        "warmup-stationary",
        "eval",
        "9/10",
        "the opponent forgets faster than it does",
    ),
    "fading-flatter": Pair(
        "drift-fading",
        (put("claims", "warmup-stationary", "values", "L_g", to="1/8"),),
        "warmup-stationary",
        "eval",
        "1/4",
        "responses are said to lie closer together than they do",
    ),
    # rule tests: test functions, factors, cuts, trees, the attained state
    "alpha-raised": Pair(
        "drift",
        (
            moved(*REVEALING, "values", "alpha_lower", by="1/1000000000"),
            moved(*REVEALING, "values", "alpha_upper", by="1"),
        ),
        "weak-revealing",
        "tests",
        "test function 0 does not show it",
        "worlds are revealed faster than they are",
    ),
    "alpha-above-upper": Pair(
        "factor",
        (put(*REVEALING, "values", "alpha_upper", to="1/2"),),
        "weak-revealing",
        "values",
        "the bracket [2/3, 1/2]",
        "the upper end of the bracket is below the constant",
    ),
    "alpha-zero": Pair(
        "drift",
        (put(*REVEALING, "values", "alpha_lower", to="0"),),
        "weak-revealing",
        "values",
        "0 < lower",
        "a class that reveals nothing is proved to reveal",
    ),
    "test-out-of-bounds": Pair(
        "drift",
        (
            put(*REVEALING, "evidence", "tests", 0, to=["2", "-2"]),
            moved(*REVEALING, "values", "alpha_lower", by="1/3"),
            moved(*REVEALING, "values", "alpha_upper", by="1/3"),
        ),
        "weak-revealing",
        "tests",
        "leaves [-1,1]",
        "a statistic twice as large proves twice the alpha",
    ),
    "test-too-short": Pair(
        "drift",
        (put(*REVEALING, "evidence", "tests", 0, to=["1"]),),
        "weak-revealing",
        "read weak-revealing.tests",
        "1 entries",
        "the values of a statistic on some windows are left to the reader",
    ),
    "test-unlisted": Pair(
        "drift",
        (put(*TREE, 0, "tree", to=["test", 1]),),
        "weak-revealing",
        "read weak-revealing.trees[0]",
        "an index below 1",
        "a leaf is cleared by a test function that is not there",
    ),
    "test-negative-index": Pair(
        "drift",
        (put(*TREE, 0, "tree", to=["test", -1]),),
        "weak-revealing",
        "read weak-revealing.trees[0]",
        "an index below 1",
        "counting from the end hides which test function is meant",
    ),
    "test-for-the-other-side": Pair(
        "split-joint",
        (put(*TREE, 1, "tree", 5, to=["test", 0]),),
        "weak-revealing",
        "tests",
        "does not show it",
        "a statistic that works on one half of the simplex clears the other",
    ),
    "tree-missing": Pair(
        "drift", (drop(*TREE, 0),), "weak-revealing", "tests", "no tree for", "one situation is never looked at"
    ),
    "tree-extra": Pair(
        "drift",
        (EXTRA_TREE,),
        "weak-revealing",
        "read weak-revealing.trees[6]",
        "a second tree",
        "which tree is read depends on the reader",
    ),
    "tree-unknown-node": Pair(
        "drift",
        (put(*TREE, 0, "tree", to=["leaf", 0]),),
        "weak-revealing",
        "read weak-revealing.trees[0]",
        "split",
        "a node without a rule clears a situation",
    ),
    "split-at-zero": Pair(
        "split-joint",
        (put(*TREE, 1, "tree", 3, to="0"),),
        "weak-revealing",
        "read weak-revealing.trees[1]",
        "0 < t < 1",
        "one half is the whole and the other is flat",
    ),
    "split-at-one": Pair(
        "split-joint",
        (put(*TREE, 1, "tree", 3, to="1"),),
        "weak-revealing",
        "read weak-revealing.trees[1]",
        "0 < t < 1",
        "one half is flat: it drops most of the simplex",
    ),
    "split-beyond-one": Pair(
        "split-joint",
        (put(*TREE, 1, "tree", 3, to="4/3"),),
        "weak-revealing",
        "read weak-revealing.trees[1]",
        "0 < t < 1",
        "halves that overlap outside the simplex are said to cover it",
    ),
    "split-of-one-vertex": Pair(
        "split-joint",
        (put(*TREE, 1, "tree", 2, to=1),),
        "weak-revealing",
        "read weak-revealing.trees[1]",
        "two vertices",
        "the halves do not cover the simplex",
    ),
    "split-of-no-vertex": Pair(
        "split-joint",
        (put(*TREE, 1, "tree", 2, to=2),),
        "weak-revealing",
        "read weak-revealing.trees[1]",
        "an index below 2",
        "an edge ends outside the simplex",
    ),
    "split-with-one-half": Pair(
        "split-joint",
        (drop(*TREE, 1, "tree", 5),),
        "weak-revealing",
        "read weak-revealing.trees[1]",
        "split",
        "half of the simplex is never looked at",
    ),
    "split-elsewhere": Pair(
        "split-joint",
        (put(*TREE, 1, "tree", 3, to="1/9"),),
        "weak-revealing",
        "tests",
        "does not show it",
        "a leaf that is too large is cleared",
    ),
    "factor-altered": Pair(
        "factor",
        (put(*REVEALING, "evidence", "factors", 0, 0, to=["0", "-1"]),),
        "weak-revealing",
        "tests",
        "P dM unlike dW",
        "a matrix that does not give W - W' bounds it",
    ),
    "factor-too-large": Pair(
        "factor",
        (
            moved(*REVEALING, "values", "alpha_lower", by="1/1000000000"),
            moved(*REVEALING, "values", "alpha_upper", by="1"),
        ),
        "weak-revealing",
        "tests",
        "alpha N",
        "a factor of norm 2 proves more than one over its norm",
    ),
    "factor-of-another-shape": Pair(
        "factor",
        (drop(*REVEALING, "evidence", "factors", 0, 0),),
        "weak-revealing",
        "tests",
        "not 2 x 2",
        "a row of W - W' is left out of the bound",
    ),
    "factor-where-emissions-differ": Pair(
        "split-literal",
        (put(*REVEALING, "evidence", "factors", to=[[["1", "0"]] * 2]), put(*TREE, 0, "tree", to=["factor", 0])),
        "weak-revealing",
        "tests",
        "emissions differ",
        "a bound on joint laws is used for conditional ones",
    ),
    "attained-not-normalised": Pair(
        "drift",
        (put(*Q, to=[["s0", [], "1/2"]]),),
        "weak-revealing",
        "eval",
        "not normalised",
        "alpha is attained at half a state",
    ),
    "attained-negative": Pair(
        "drift",
        (put(*Q, to=[["s0", [], "3/2"], ["s1", [], "-1/2"]]),),
        "weak-revealing",
        "eval",
        "not normalised",
        "alpha is attained outside the simplex",
    ),
    "attained-twice": Pair(
        "drift",
        (put(*Q, to=[["s0", [], "1/2"], ["s0", [], "1"]]),),
        "weak-revealing",
        "eval",
        "not normalised",
        "a state listed twice hides a mass of 3/2",
    ),
    "attained-elsewhere": Pair(
        "drift",
        (put(*Q, to=HALVES),),
        "weak-revealing",
        "eval",
        "alpha_upper",
        "the report names a state of a larger ratio",
    ),
    "attained-at-the-last-step": Pair(
        "drift",
        (put(*REVEALING, "evidence", "attained", "h", to=2),),
        "weak-revealing",
        "read weak-revealing.h",
        "a step from 1 to 1",
        "the condition is read where it is not imposed",
    ),
    "attained-with-a-memory": Pair(
        "drift",
        (put(*Q, to=[["s0", ["d0"], "1"]]),),
        "weak-revealing",
        "read weak-revealing.memory",
        "a memory",
        "a state with a memory the space does not have",
    ),
    # rule log
    "conversion-raised": Pair(
        "drift",
        (
            put("claims", "kl-joint", "values", "c_KL_joint_lower", to=shifted("1/1000000")),
            put("claims", "kl-joint", "values", "c_KL_joint_upper", to=shifted("1")),
        ),
        "kl-joint",
        "log",
        "KL <",
        "divergence is worth more than it is",
    ),
    "conversion-world-raised": Pair(
        "drift",
        (
            put("claims", "kl-world", "values", "c_KL_world_lower", to=shifted("1/1000000")),
            put("claims", "kl-world", "values", "c_KL_world_upper", to=shifted("1")),
        ),
        "kl-world",
        "log",
        "KL <",
        "divergence is worth more than it is",
    ),
    "conversion-upper-lowered": Pair(
        "drift",
        (put("claims", "kl-joint", "values", to={"c_KL_joint_lower": "1/100", "c_KL_joint_upper": "1/50"}),),
        "kl-joint",
        "log",
        "attaining",
        "the bracket does not hold the constant",
    ),
    "conversion-bracket-reversed": Pair(
        "drift",
        (put("claims", "kl-joint", "values", "c_KL_joint_upper", to="1/100"),),
        "kl-joint",
        "log",
        "bracket",
        "the ends of a bracket are the wrong way round",
    ),
    "conversion-zero": Pair(
        "drift",
        (put("claims", "kl-joint", "values", "c_KL_joint_lower", to="0"),),
        "kl-joint",
        "log",
        "bracket",
        "a constant of zero passes for a conversion",
    ),
    "conversion-attained-elsewhere": Pair(
        "drift",
        (put("claims", "kl-world", "evidence", "attained", "pi", to="idle"),),
        "kl-world",
        "log",
        "attaining",
        "the report names models of a larger ratio",
    ),
    "conversion-attained-by-one-model": Pair(
        "drift",
        (put("claims", "kl-joint", "evidence", "attained", to={"xi": XI, "xi_star": XI, "pi": "idle"}),),
        "kl-joint",
        "log",
        "attaining",
        "zero over zero attains the constant",
    ),
    # the explicit bound
    "bound-lowered-by-a-trifle": Pair(
        "drift",
        (moved(*BOUND, "sharp_regret_upper", by="-1/100"),),
        "constants",
        "bound",
        "sharp_regret_upper",
        "the learner may lose more than the certificate says",
    ),
    "bound-with-what-is-computed": Pair(
        "drift",
        (put(*BOUND, "regret_upper", to="15210703"),),
        "constants",
        "values",
        "regret_upper",
        "the bound along the paper's lemmas, which is computed, passes for proved",
    ),
    "bound-evidence-of-a-model-lowered": Pair(
        "drift",
        (moved(*BOUND, "model_evidence_upper", by="-1/100"),),
        "constants",
        "bound",
        "model_evidence_upper",
        "a false model is refuted later than the report says",
    ),
    "bound-radius-lowered": Pair(
        "drift",
        (moved(*BOUND, "sharp_Lambda_T_upper", by="-1/1000"),),
        "constants",
        "bound",
        "sharp_Lambda_T_upper",
        "a confidence set is larger than the report says",
    ),
    "bound-narrower-rewards": Pair(
        "drift",
        (moved(*BOUND, "reward_range", by="-1/100"),),
        "constants",
        "bound",
        "reward_range",
        "what optimism promises too much is counted too low",
    ),
    "bound-cheaper-warm-up": Pair(
        "drift",
        (moved(*BOUND, "later_range", by="-1/100"),),
        "constants",
        "bound",
        "later_range",
        "warm-up costs more than the report says",
    ),
    "bound-interval-fewer-policies-cost": Pair(
        "interval-bandit",
        (moved(*BOUND, "sharp_statistical_upper", by="-1"),),
        "constants",
        "bound",
        "sharp_statistical_upper",
        "data episodes lose more than the report says",
    ),
    "bound-threshold-lowered": Pair(
        "drift",
        (moved(*BOUND, "sharp_threshold_upper", by="-1/100"),),
        "constants",
        "bound",
        "sharp_threshold_upper",
        "the test keeps a false model for longer",
    ),
    "bound-first-too-early": Pair(
        "drift",
        (moved(*BOUND, "T_star", by="-1"),),
        "constants",
        "bound",
        "T_star",
        "the report promises something at a T where there is nothing yet",
    ),
    "bound-first-too-late": Pair(
        "drift",
        (moved(*BOUND, "T_star", by="1"),),
        "constants",
        "bound",
        "T_star",
        "the bound is said to be empty at a T where it is not",
    ),
    "bound-first-between-integers": Pair(
        "drift", (moved(*BOUND, "T_star", by="1/2"),), "constants", "bound", "T_star", "half an episode is played"
    ),
    "bound-smaller-constant-of-the-test": Pair(
        "drift",
        (put(*BOUND, "C_0", "upper", to="43/10"),),
        "constants",
        "bound",
        "6(e-2)",
        "the test is shown to be right with a constant for which it is not",
    ),
    "bound-smaller-radius": Pair(
        "drift",
        (put(*BOUND, "c", to="15"),),
        "constants",
        "bound",
        "c = 15",
        "the radius is shown to be right with a constant for which it is not",
    ),
    "bound-observation-likelier": Pair(
        "drift",
        (moved(*BOUND, "least_observation", by="1/100"),),
        "constants",
        "bound",
        "least_observation",
        "errors at rare observations are weighed too lightly",
    ),
    "bound-line-missing": Pair(
        "drift",
        (drop(*BOUND, "evidence_upper"),),
        "constants",
        "values",
        "Lambda_T_upper",
        "a step of the walk is not checked",
    ),
    "bound-on-better-premises": Pair(
        "drift",
        (moved(*BOUND, "sharp_switches_upper", by="-1"),),
        "constants",
        "bound",
        "sharp_switches_upper",
        "the bound is computed from a better B_0 than the one proved",
    ),
    "bound-of-a-refuted-class": Pair(
        "refuted-truth",
        (lambda cert: put("claims", "constants", to={**get(cert, "claims", "constants"), "verdict": "proved"})(cert),),
        "constants",
        "eval",
        "vacuous",
        "the theorem is said to hold of a class that fails one of its assumptions",
    ),
    "bound-of-an-open-class": Pair(
        "drift",
        (claim("kl-world", verdict="unknown", values={}, evidence=None),),
        "constants",
        "eval",
        "unknown",
        "the bound rests on a constant that nobody has shown",
    ),
    "bound-passed-over": Pair(
        "drift",
        (claim("constants", verdict="vacuous", values={}, evidence=EVAL),),
        "constants",
        "eval",
        "proved",
        "a class that meets every assumption passes for one of which the theorem says nothing",
    ),
    # Theorem N
    "list-distance-raised": Pair(
        "list",
        (moved(*TRUTH, "policies", 0, "c", by="1/1000"),),
        "regret",
        "list",
        "c = ",
        "a policy is said to be found out sooner than its data show",
    ),
    "list-distance-negative": Pair(
        "list",
        (put(*TRUTH, "policies", 0, "c", to="-1"),),
        "regret",
        "list",
        "c = -1",
        "a policy is played a negative number of times",
    ),
    "list-distance-infinite": Pair(
        "list",
        (put(*TRUTH, "policies", 0, "c", to=None),),
        "regret",
        "read regret.c",
        "found None",
        "laws that overlap are said to be told apart by one episode",
    ),
    "list-farther-model": Pair(
        "list",
        (put(*TRUTH, "policies", 0, "xi", to={"theta": means("1/2", "1/4", "1/4"), "Phi": {}}),),
        "regret",
        "list",
        "largest affinity",
        "the number of plays is that of a model which does not deploy the policy",
    ),
    "list-policy-cheaper": Pair(
        "list",
        (moved(*TRUTH, "policies", 0, "regret", by="-1/100"),),
        "regret",
        "list",
        "regret ",
        "a policy is said to cost less than it does",
    ),
    "list-policy-left-out": Pair(
        "list",
        (put(*TRUTH, "policies", to=lambda each: each[1:]),),
        "regret",
        "list",
        "harmful models and their policies",
        "a policy that is played before the truth is not counted",
    ),
    "list-fewer-harmful": Pair(
        "list",
        (put(*TRUTH, "harmful", to=1),),
        "regret",
        "list",
        "harmful models and their policies",
        "the evidence that a harmful model may collect by luck is understated",
    ),
    "list-true-for-one": Pair(
        "list",
        (put(*REGRET, "evidence", "truths", 1, "harmful", to=True),),
        "regret",
        "list",
        "harmful models and their policies",
        "a truth value passes for a number",
    ),
    "list-fewer-runs": Pair(
        "list", (put(*TRUTH, "runs", to=1),), "regret", "list", "runs, harmful", "warm-ups are left out"
    ),
    "list-truth-left-out": Pair(
        "list",
        (put(*REGRET, "evidence", "truths", to=lambda each: each[1:]),),
        "regret",
        "read regret.evidence",
        "2 entries",
        "the bound holds against the other models only",
    ),
    "list-truths-exchanged": Pair(
        "list",
        (put(*REGRET, "evidence", "truths", to=lambda each: each[::-1]),),
        "regret",
        "list",
        "harmful models and their policies",
        "what one truth may cost is told of another",
    ),
    "list-always-best-invented": Pair(
        "list",
        (put(*REGRET, "evidence", "always_best", to=["a0"]),),
        "regret",
        "list",
        "always best",
        "the report says that there is nothing to learn",
    ),
    "list-gamma-lowered": Pair(
        "list",
        (moved(*REGRET, "values", "gap_upper", by="-1"),),
        "regret",
        "list",
        "gap_upper",
        "the learner may lose more than the certificate says",
    ),
    "list-fill-lowered": Pair(
        "list",
        (moved(*REGRET, "values", "nested_regret_upper", by="-1"),),
        "regret",
        "list",
        "nested_regret_upper",
        "the learner may lose more than the certificate says",
    ),
    "list-attained-elsewhere": Pair(
        "list",
        (put(*REGRET, "evidence", "attained", "gap_upper", to={"theta": means("1/2", "3/4", "7/8"), "Phi": {}}),),
        "regret",
        "list",
        "attained there",
        "the report walks through a truth that is not the dearest",
    ),
    "list-dearest-raised": Pair(
        "list",
        (moved(*REGRET, "values", "D", by="1"),),
        "regret",
        "eval",
        "D = ",
        "the bound is said to be below what play may lose where it is not",
    ),
    "list-dearest-elsewhere": Pair(
        "list",
        (put(*REGRET, "evidence", "attained", "D", "pi", to="a1"),),
        "regret",
        "list",
        "D attained",
        "the report names an episode that loses less",
    ),
    "list-fewer-models": Pair(
        "list",
        (put(*REGRET, "values", "N", to="2"),),
        "regret",
        "eval",
        "N = 2",
        "a run refutes models on less evidence than the theorem asks for",
    ),
    "list-span-narrower": Pair(
        "list",
        (put(*REGRET, "values", "span", to="1/2"),),
        "regret",
        "eval",
        "span = 1/2",
        "a warm-up may cost more than is said",
    ),
    "list-worth-too-early": Pair(
        "list",
        (moved(*REGRET, "values", "worth_T", by="-1"),),
        "regret",
        "list",
        "a T at which the bound is below D T",
        "the report promises something at a T where there is nothing yet",
    ),
    "list-worth-too-late": Pair(
        "list",
        (moved(*REGRET, "values", "worth_T", by="1"),),
        "regret",
        "list",
        "the first such T",
        "the bound is said to be empty at a T where it is not",
    ),
    "list-worth-between-integers": Pair(
        "list",
        (moved(*REGRET, "values", "worth_T", by="1/2"),),
        "regret",
        "list",
        "worth_T",
        "half an episode is played",
    ),
    "list-passed-over": Pair(
        "list",
        (claim("regret", verdict="vacuous", values={}, evidence=EVAL),),
        "regret",
        "eval",
        "proved",
        "a class with something to learn is said to have nothing",
    ),
    "list-of-a-refuted-truth": Pair(
        "refuted-truth",
        (claim("regret", verdict="proved"),),
        "regret",
        "eval",
        "vacuous",
        "the theorem is said to hold of a class that does not hold the truth",
    ),
    "list-fading-slower": Pair(
        "list-fading",
        (moved(*REGRET, "values", "gap_upper", by="-1/1000"),),
        "regret",
        "list",
        "gap_upper",
        "what a fading memory still does to the data is left out",
    ),
    # Eluder dimensions
    "eluder-lower-raised": Pair(
        "two-ways",
        (moved(*ELUDER, "values", "d_W_lower", by="1"),),
        "eluder-world",
        "sequence",
        "d_lower = 3",
        "the report shows a dimension that no sequence has",
    ),
    "eluder-upper-lowered": Pair(
        "two-ways",
        (moved(*ELUDER, "values", "d_W_upper", by="-1"),),
        "eluder-world",
        "eval",
        "d_W_upper",
        "a regret bound is computed from too small a dimension",
    ),
    "eluder-rank-lowered": Pair(
        "two-ways",
        (moved(*ELUDER, "values", "p_W", by="-1"),),
        "eluder-world",
        "eval",
        "p_W",
        "the report shows a span that the class does not keep to",
    ),
    "eluder-scale-too-fine": Pair(
        "two-ways",
        (put(*ELUDER, "evidence", "scale_squared", to="1/1073741825"),),
        "eluder-world",
        "sequence",
        "at least 1/1073741824",
        "a sequence at another scale counts for this one",
    ),
    "eluder-scale-too-coarse": Pair(
        "two-ways",
        (put(*ELUDER, "evidence", "scale_squared", to="1"),),
        "eluder-world",
        "sequence",
        "query 1",
        "a function below the scale shows independence",
    ),
    "eluder-query-repeated": Pair(
        "two-ways",
        (put(*QUERIES, to=lambda found: [found[0], found[0]]),),
        "eluder-world",
        "sequence",
        "query 2",
        "one policy asked twice counts twice",
    ),
    "eluder-query-left-out": Pair(
        "two-ways",
        (put(*QUERIES, to=lambda found: found[:1]),),
        "eluder-world",
        "sequence",
        "a sequence of 1 queries",
        "a dimension is not shown",
    ),
    "eluder-witness-of-the-truth": Pair(
        "two-ways",
        (lambda cert: put(*QUERIES, 0, "theta", to=get(cert, *ELUDER, "evidence", "xi_star", "theta"))(cert),),
        "eluder-world",
        "sequence",
        "square 0",
        "the true world is told apart from itself",
    ),
    "eluder-square-misstated": Pair(
        "two-ways",
        (moved(*QUERIES, 0, "square", by="1"),),
        "eluder-world",
        "sequence",
        "other squares",
        "the report shows a number that is not the class's",
    ),
    "eluder-before-misstated": Pair(
        "two-ways",
        (put(*QUERIES, 0, "before", to="0/1"),),
        "eluder-world",
        "sequence",
        "other squares",
        "the report shows a number that is not the class's",
    ),
    "eluder-query-of-the-other-channel": Pair(
        "drift",
        (put("claims", "eluder-adversary", "evidence", "sequence", 0, "theta", to={"x": "0"}),),
        "eluder-adversary",
        "read eluder-adversary.evidence.sequence",
        "unknown key",
        "a field nobody checks is printed with the sequence",
    ),
    "eluder-policy-unheard-of": Pair(
        "two-ways",
        (put(*QUERIES, 0, "pi", to="third"),),
        "eluder-world",
        "read eluder-world.pi",
        "one of",
        "a policy that does not exist is independent",
    ),
    "eluder-by-eval": Pair(
        "two-ways",
        (put(*ELUDER, "evidence", to=EVAL),),
        "eluder-world",
        "eval",
        "required sequence",
        "a dimension is not shown",
    ),
    "eluder-structure-as-evidence": Pair(
        "two-ways",
        (put(*STRUCTURE, to={"affine": True, "transition_rank": 1}),),
        "eluder-world",
        "read eluder-world.evidence",
        "structure",
        "counts that nobody checked pass for evidence",
    ),
    # the same on interval axes
    "eluder-interval-lower-raised": Pair(
        "interval-bandit",
        (moved(*ELUDER, "values", "d_W_lower", by="1"),),
        "eluder-world",
        "sequence",
        "d_lower = 3",
        "more is said to be learnt than the sequence shows",
    ),
    "eluder-interval-upper-lowered": Pair(
        "interval-bandit",
        (moved(*ELUDER, "values", "d_W_upper", by="-1"),),
        "eluder-world",
        "sequence",
        "d_W_upper 1",
        "a regret bound is computed from too small a dimension",
    ),
    "eluder-interval-rank-lowered": Pair(
        "interval-bandit",
        (moved(*ELUDER, "values", "p_W", by="-1"),),
        "eluder-world",
        "sequence",
        "rank 1",
        "the differences are said to span less than they do",
    ),
    "eluder-interval-point-outside": Pair(
        "interval-bandit",
        (put(*QUERIES, 0, "theta", "mu1", to="1"),),
        "eluder-world",
        "read worlds",
        "a point of the class",
        "no model of the class is the witness",
    ),
    "eluder-interval-scale-too-fine": Pair(
        "interval-bandit",
        (put(*ELUDER, "evidence", "scale_squared", to="1/1073741825"),),
        "eluder-world",
        "sequence",
        "at least 1/1073741824",
        "a sequence at another scale counts for this one",
    ),
    "eluder-interval-bounds-narrower": Pair(
        "interval-bandit",
        (put(*ELUDER, "evidence", "bounds", to=narrower),),
        "eluder-world",
        "box",
        "no proof of",
        "an entry leaves the range stated of it",
    ),
    "eluder-interval-adversary-upper-raised": Pair(
        "interval-bandit",
        (moved("claims", "eluder-adversary", "values", "d_G_upper", by="1"),),
        "eluder-adversary",
        "sequence",
        "d_G_upper 1",
        "a value is shown that nobody computed",
    ),
    "eluder-interval-adversary-sequence": Pair(
        "interval-bandit",
        (
            put(
                "claims",
                "eluder-adversary",
                "evidence",
                "sequence",
                to=[{"pi": "a1", "Phi": {}, "before": "0", "square": "0"}],
            ),
        ),
        "eluder-adversary",
        "sequence",
        "square 0",
        "a channel without unknowns is said to have a dimension",
    ),
    "bound-interval-observation-likelier": Pair(
        "interval-bandit",
        (moved(*BOUND, "least_observation", by="1/100"),),
        "constants",
        "box",
        "no proof of",
        "errors at rare observations are weighed too lightly",
    ),
    "bound-interval-radius-lowered": Pair(
        "interval-bandit",
        (moved(*BOUND, "sharp_Lambda_T_upper", by="-1/100"),),
        "constants",
        "bound",
        "sharp_Lambda_T_upper",
        "the radius of the theorem leaves the truth out",
    ),
    "bound-interval-first-too-early": Pair(
        "interval-bandit",
        (moved(*BOUND, "T_star", by="-1"),),
        "constants",
        "bound",
        "T_star",
        "the bound is said to mean something where it does not",
    ),
    "bound-interval-without-a-net": Pair(
        "interval-bandit",
        (moved(*BOUND, "model_evidence_upper", by="-1/4"),),
        "constants",
        "bound",
        "model_evidence_upper",
        "what lies between the points of the net is not paid for",
    ),
    # witnesses
    "witness-posteriors-differ": Pair(
        "drift",
        (claim("posterior-lipschitz", verdict="refuted", values={}, evidence=None, witness=APART),),
        "posterior-lipschitz",
        "witness",
        "positive over zero",
        "a constant that exists is said not to",
    ),
    "witness-rows-misstated": Pair(
        "refuted-lipschitz",
        (put(*LIPSCHITZ, "witness", "responses", 1, to=["1", "0"]),),
        "posterior-lipschitz",
        "eval",
        "other rows",
        "the report shows rows that are not the model's",
    ),
    "witness-of-equal-responses": Pair(
        "refuted-lipschitz",
        (put(*LIPSCHITZ, "witness", "nu", to="idle"), put(*LIPSCHITZ, "witness", "responses", 1, to=["1/2", "1/2"])),
        "posterior-lipschitz",
        "witness",
        "positive over zero",
        "zero over zero refutes the assumption",
    ),
    "witness-signal": Pair(
        "refuted-revealing",
        (put(*REVEALING, "witness", "signal", to="1/8"),),
        "weak-revealing",
        "witness",
        "signal 0",
        "the report shows a signal where there is none",
    ),
    "witness-difference": Pair(
        "refuted-revealing",
        (put(*REVEALING, "witness", "difference", to="1"),),
        "weak-revealing",
        "witness",
        "difference",
        "the report shows a difference that is not the model's",
    ),
    "witness-seen": Pair(
        "drift",
        (
            claim(
                "weak-revealing",
                verdict="refuted",
                values={},
                evidence=None,
                witness={
                    "theta": {"x": "0"},
                    "theta_prime": {"x": "1/8"},
                    "Phi": {"y": "1/8"},
                    "pi": "idle",
                    "h": 1,
                    "learner_part": [],
                    "o": "o0",
                    "a": "a0",
                    "q": HALVES,
                    "signal": "0",
                    "difference": "1/4",
                },
            ),
        ),
        "weak-revealing",
        "witness",
        "signal",
        "a class that reveals is said not to",
    ),
    "witness-not-normalised": Pair(
        "refuted-revealing",
        (put(*REVEALING, "witness", "q", to=lambda q: [[*q[0][:2], "1/3"], *q[1:]]),),
        "weak-revealing",
        "eval",
        "not normalised",
        "a q off the simplex refutes",
    ),
    "witness-crossing-one-side": Pair(
        "refuted-crossing",
        (
            put(*REVEALING, "witness", "q_other", to=[["s0", [], "1"]]),
            put(*REVEALING, "witness", "signal_other", to="1/8"),
        ),
        "weak-revealing",
        "witness",
        "opposite sign",
        "two signals of one sign refute",
    ),
    "witness-crossing-misstated": Pair(
        "refuted-crossing",
        (put(*REVEALING, "witness", "signal_other", to="-1/8"),),
        "weak-revealing",
        "witness",
        "signals",
        "the report shows a signal that is not the model's",
    ),
    "witness-crossing-with-the-difference": Pair(
        "factor",
        (
            claim(
                "weak-revealing",
                verdict="refuted",
                values={},
                evidence=None,
                witness={
                    "theta": {"x": "0"},
                    "theta_prime": {"x": "1"},
                    "Phi": {},
                    "pi": "p",
                    "h": 1,
                    "learner_part": [],
                    "o": "o0",
                    "a": "a0",
                    "q": [["s0", [], "1"]],
                    "q_other": [["s1", [], "1"]],
                    "signal": "1/8",
                    "signal_other": "-1/8",
                },
            ),
        ),
        "weak-revealing",
        "witness",
        "a coordinate of one sign",
        "where the signal passes zero the difference does too: alpha is 2/3 and said to be 0",
    ),
    "witness-another-truth": Pair(
        "refuted-truth",
        (put("claims", "well-specified", "witness", "truth", "worlds", "x", to="1/3"),),
        "well-specified",
        "witness",
        "another truth",
        "the report shows a truth nobody stated",
    ),
    "witness-probability": Pair(
        "refuted-increments",
        (put("claims", "bounded-increments", "witness", "probability", to="1"),),
        "bounded-increments",
        "witness",
        "positive as shown",
        "the report shows a probability that is not the model's",
    ),
    "witness-possible": Pair(
        "refuted-increments",
        (put("claims", "predictive-states", "witness", "xi_prime", "theta", "x", to="1"),),
        "predictive-states",
        "witness",
        "and zero",
        "a trajectory possible under both refutes",
    ),
    "witness-not-played": Pair(
        "refuted-increments",
        (put("claims", "bounded-increments", "witness", "trajectory", to=["o1"]),),
        "bounded-increments",
        "eval",
        "trajectory",
        "half a step refutes",
    ),
    "witness-laws-differ": Pair(
        "refuted-conversion",
        (put("claims", "kl-joint", "witness", "xi", "theta", "w", to="1"),),
        "kl-joint",
        "witness",
        "different laws",
        "two models that play differently refute the conversion",
    ),
    "witness-of-a-bounded-class": Pair(
        "refuted-conversion",
        (claim("bounded-increments", verdict="refuted", values={}, evidence=None, witness={}),),
        "bounded-increments",
        "eval",
        "proved",
        "a claim that holds is said to fail",
    ),
    "witness-difference-of-operators": Pair(
        "refuted-conversion",
        (put("claims", "kl-world", "witness", "difference", to="1"),),
        "kl-world",
        "witness",
        "difference",
        "the report shows a difference that is not the model's",
    ),
    "witness-same-operators": Pair(
        "refuted-conversion",
        (
            put("claims", "kl-world", "witness", "xi", to={"theta": {"w": "0", "x": "0"}, "Phi": {}}),
            put("claims", "kl-world", "witness", "xi_star", to={"theta": {"w": "0", "x": "0"}, "Phi": {}}),
        ),
        "kl-world",
        "witness",
        "difference",
        "one model compared with itself refutes",
    ),
    "witness-past-the-end": Pair(
        "refuted-conversion",
        (put("claims", "kl-joint", "witness", "h", to=2),),
        "kl-joint",
        "read kl-joint.h",
        "a step from 1 to 1",
        "an operator that does not exist differs",
    ),
    "witness-extra-field": Pair(
        "refuted-conversion",
        (put("claims", "kl-joint", "witness", "note", to="x"),),
        "kl-joint",
        "read kl-joint.witness",
        "unknown key",
        "a field nobody checks is printed with the witness",
    ),
    "witness-of-a-structural-claim": Pair(
        "drift",
        (claim("factorization", verdict="refuted", evidence=None, witness={}),),
        "factorization",
        "eval",
        "proved",
        "Theorem 2.5 is said to fail",
    ),
}


class Malformed(NamedTuple):
    """A file that is not read: the accepted one, what its text becomes, and the reason."""

    of: str
    change: Callable[[bytes], bytes]
    rule: str
    message: str
    consequence: str


def replaced(old: str, new: str) -> Callable[[bytes], bytes]:
    """Replace the first occurrence, which must be there."""

    def change(text: bytes) -> bytes:
        left, found, right = text.partition(old.encode())
        assert found, old
        return left + new.encode() + right

    return change


def made(*edits: Edit) -> Callable[[bytes], bytes]:
    """Edit the object and sign it again."""
    return lambda text: canonical(edited(json.loads(text), *edits))


INEXACT = "a rounded number passes for an exact one"
AMBIGUOUS = "two readers may take it for different things"
MODEL = "a class that is not one is certified"

MALFORMED: dict[str, Malformed] = {
    "list-distance-float": Malformed(
        "list", replaced('"c":"', '"c":0.5,"d":"'), "read file", "the float 0.5", "a number that nobody wrote exactly"
    ),
    "empty": Malformed("drift", lambda text: b"", "read file", "not JSON", AMBIGUOUS),
    "truncated": Malformed("drift", lambda text: text[:-1], "read file", "not JSON", "half a file passes for a file"),
    "trailing-text": Malformed("drift", lambda text: text + b"{}", "read file", "not JSON", AMBIGUOUS),
    "byte-order-mark": Malformed("drift", lambda text: b"\xef\xbb\xbf" + text, "read file", "not JSON", AMBIGUOUS),
    "not-utf-8": Malformed(
        "drift", lambda text: text.replace(b'"drift"', b'"dr\xffft"'), "read file", "UTF-8", AMBIGUOUS
    ),
    "surrogate": Malformed(
        "drift", replaced('"drift"', '"\\ud800"'), "read file", "surrogate", "a text without bytes has a digest"
    ),
    "single-quotes": Malformed("drift", replaced('"drift"', "'drift'"), "read file", "not JSON", AMBIGUOUS),
    "trailing-comma": Malformed(
        "drift", replaced('"sha256":', '"sha256":"",,"x":'), "read file", "not JSON", AMBIGUOUS
    ),
    "comment": Malformed("drift", replaced('"claims"', '/* all */ "claims"'), "read file", "not JSON", AMBIGUOUS),
    "duplicate-key": Malformed(
        "drift", replaced('"kappa":1', '"kappa":1,"kappa":2'), "read file", "'kappa' twice", AMBIGUOUS
    ),
    "duplicate-key-in-the-model": Malformed(
        "drift", replaced('"horizon":2', '"horizon":3,"horizon":2'), "read file", "'horizon' twice", AMBIGUOUS
    ),
    "float": Malformed(
        "drift", replaced('"T":16384', '"T":16384.0'), "read file", "float", "a rounded number passes for an exact one"
    ),
    "exponent": Malformed(
        "drift", replaced('"T":16384', '"T":1e4'), "read file", "float", "a rounded number passes for an exact one"
    ),
    "nan": Malformed(
        "drift", replaced('"T":16384', '"T":NaN'), "read file", "NaN", "every comparison with it fails silently"
    ),
    "infinity": Malformed("drift", replaced('"T":16384', '"T":-Infinity'), "read file", "Infinity", "no number at all"),
    "underscore": Malformed("drift", replaced('"T":16384', '"T":16_384'), "read file", "not JSON", AMBIGUOUS),
    "underscore-in-a-rational": Malformed(
        "drift", made(put("options", "delta", to="1/2_0")), "read options.delta", "1/2_0", AMBIGUOUS
    ),
    "full-width-digits": Malformed(
        "drift", made(put("options", "delta", to="\uff11/20")), "read options.delta", "an exact number", AMBIGUOUS
    ),
    "full-width-digits-in-the-model": Malformed(
        "drift",
        made(put("model", "worlds", "initial", to=["\uff11/2", "1/2"])),
        "read worlds.initial",
        "an expression",
        AMBIGUOUS,
    ),
    "plus-sign": Malformed(
        "drift", made(put("options", "delta", to="+1/20")), "read options.delta", "an exact number", AMBIGUOUS
    ),
    "blank-in-a-rational": Malformed(
        "drift", made(put("options", "delta", to=" 1/20")), "read options.delta", "an exact number", AMBIGUOUS
    ),
    "newline-after-a-rational": Malformed(
        "drift", made(put("options", "delta", to="1/20\n")), "read options.delta", "an exact number", AMBIGUOUS
    ),
    "zero-denominator": Malformed(
        "drift", made(put("options", "delta", to="1/0")), "read options.delta", "an exact number", "no number at all"
    ),
    "decimal-string": Malformed(
        "drift", made(put("options", "delta", to="0.05")), "read options.delta", "an exact number", AMBIGUOUS
    ),
    "true-as-a-number": Malformed(
        "drift", made(put("options", "kappa", to=True)), "read options.kappa", "True", "True counts as one"
    ),
    "true-as-a-step": Malformed(
        "drift", made(put("model", "game", "horizon", to=True)), "read game.horizon", "True", "True counts as one"
    ),
    "number-for-a-string": Malformed(
        "drift", made(put("model", "worlds", "initial", to=[1, 0])), "read worlds.initial", "string", AMBIGUOUS
    ),
    "string-for-a-number": Malformed(
        "drift", made(put("options", "kappa", to="1")), "read options.kappa", "integer", AMBIGUOUS
    ),
    "unknown-field": Malformed(
        "drift",
        made(put("note", to="")),
        "read certificate",
        "unknown key 'note'",
        "a field nobody reads changes the digest",
    ),
    "unknown-field-of-a-claim": Malformed(
        "drift",
        made(put("claims", 0, "note", to="")),
        "read claims[0]",
        "unknown key 'note'",
        "a field nobody reads is printed",
    ),
    "operators-unheard-of": Malformed(
        "drift-summed",
        made(put("options", "operators", to="averaged")),
        "read options.operators",
        "'averaged', required 'summed', or no entry",
        "a reading of which nobody says what it means",
    ),
    "operators-of-no-word": Malformed(
        "drift",
        made(put("options", "operators", to="realised")),
        "read options.operators",
        "'realised', required 'summed', or no entry",
        "one question has two certificates",
    ),
    "unknown-option": Malformed(
        "drift",
        made(put("options", "trust", to="all")),
        "read options",
        "unknown key 'trust'",
        "an option nobody reads seems to matter",
    ),
    "unknown-field-of-the-model": Malformed(
        "drift", made(put("model", "worlds", "noise", to="0")), "read worlds", "unknown key 'noise'", MODEL
    ),
    "missing-field": Malformed(
        "drift", made(drop("options", "T")), "read options", "no key 'T'", "a default nobody chose"
    ),
    "another-format": Malformed(
        "drift",
        made(put("format", to="pomgcheck-certificate/1")),
        "read format",
        "pomgcheck-certificate/1",
        "rules of another version are read by this one's",
    ),
    "another-model-format": Malformed(
        "drift",
        made(put("model", "format", to="pomgcheck-model-class/2")),
        "read model.format",
        "pomgcheck-model-class/1",
        MODEL,
    ),
    "an-array": Malformed("drift", lambda text: b"[" + text + b"]", "read certificate", "list", AMBIGUOUS),
    "verdict-unheard-of": Malformed(
        "drift", made(claim("covering", verdict="obvious")), "read claims[6].verdict", "obvious", "a verdict of no rank"
    ),
    "delta-of-one": Malformed(
        "drift",
        made(put("options", "delta", to="1")),
        "read options.delta",
        "between 0 and 1",
        "a guarantee that never holds",
    ),
    "too-many-digits": Malformed(
        "drift", made(put("options", "T", to=0)), "read options.T", "from 1", "an unbounded option"
    ),
    "limit-above-the-cap": Malformed(
        "drift",
        made(put("options", "limits", "coordinates", to=10**8)),
        "read options.coordinates",
        "10000000",
        "a file that takes all memory",
    ),
    "nested-too-deep": Malformed(
        "drift",
        replaced('"search":{', '"search":{"x":' + "[" * 3000 + "]" * 3000 + ","),
        "read file",
        "nesting",
        "a file that exhausts the reader's stack",
    ),
    "row-of-another-sum": Malformed(
        "drift", made(put("model", "worlds", "initial", to=["1/2", "1/3"])), "read worlds.initial", "sum 5/6", MODEL
    ),
    "negative-probability": Malformed(
        "drift", made(put("model", "worlds", "initial", to=["3/2", "-1/2"])), "read worlds.initial", "[0,1]", MODEL
    ),
    "undeclared-parameter": Malformed(
        "drift", made(put("model", "worlds", "initial", to=["z", "1-z"])), "read worlds.initial", "found 'z'", MODEL
    ),
    "another-shape": Malformed(
        "drift",
        made(drop("model", "worlds", "adversary_emission", 1)),
        "read worlds.adversary_emission, step 1",
        "2 entries",
        MODEL,
    ),
    "float-in-a-scale": Malformed(
        "two-ways", made(put(*ELUDER, "evidence", "scale_squared", to=0.5)), "read file", "the float 0.5", INEXACT
    ),
    "float-in-a-dimension": Malformed(
        "interval-bandit",
        made(put("claims", "eluder-adversary", "values", "d_G_upper", to=0.5)),
        "read file",
        "the float 0.5",
        INEXACT,
    ),
    "float-in-a-query": Malformed(
        "interval-bandit", made(put(*QUERIES, 0, "square", to=0.5)), "read file", "the float 0.5", INEXACT
    ),
    "float-in-the-bound": Malformed(
        "interval-bandit", made(put(*BOUND, "sharp_regret_upper", to=0.5)), "read file", "the float 0.5", INEXACT
    ),
    "no-points": Malformed(
        "drift",
        made(put("model", "worlds", "parameters", "x", "values", to=[])),
        "read worlds.parameters.x",
        "at least one",
        MODEL,
    ),
    "repeated-point": Malformed(
        "drift",
        made(put("model", "worlds", "parameters", "x", "values", to=["0", "0"])),
        "read worlds",
        "repeated",
        "one model counts twice",
    ),
    "repeated-label": Malformed(
        "drift", made(put("model", "game", "states", to=["s0", "s0"])), "read game.states", "repeated", AMBIGUOUS
    ),
    "blank-label": Malformed(
        "drift", made(put("model", "game", "states", to=["s 0", "s1"])), "read game.states", "white space", AMBIGUOUS
    ),
    "response-missing": Malformed(
        "drift", made(drop("model", "responses", "table", "watch")), "read responses.table", "no key 'watch'", MODEL
    ),
    "block-unlike-its-table": Malformed(
        "drift-table",
        made(put("model", "responses", "blocks", "idle idle", to=[["1", "0"]])),
        "read responses.blocks, block of idle alone",
        "another response",
        "m equal policies do not give the stationary response",
    ),
    "interval-block-unlike-its-table": Malformed(
        "interval-blocks",
        made(put("model", "responses", "blocks", "ask ask", to=[["(2*u+1)/2", "(-2*u+1)/2"]])),
        "read responses.blocks, block of ask alone",
        "another response",
        "m equal policies do not give the stationary response",
    ),
    "interval-block-missing": Malformed(
        "interval-blocks",
        made(drop("model", "responses", "blocks", "ask never")),
        "read responses.blocks",
        "no key 'ask never'",
        MODEL,
    ),
    "interval-block-of-three": Malformed(
        "interval-blocks",
        made(put("model", "responses", "blocks", "ask ask never", to=[["1/2", "1/2"]])),
        "read responses.blocks",
        "unknown key 'ask ask never'",
        AMBIGUOUS,
    ),
    "interval-block-of-sum-two": Malformed(
        "interval-blocks",
        made(put("model", "responses", "blocks", "ask never", to=[["u", "1"]])),
        "read responses.blocks.ask never, step 1[0]",
        "sum to one identically",
        MODEL,
    ),
    "float-in-a-part": Malformed(
        "interval-blocks",
        made(put(*PART, 2, to=0.5)),
        "read file",
        "0.5",
        "floats round, so a part may end beside where the other begins",
    ),
    "gamma-of-one": Malformed(
        "drift-fading",
        made(put("model", "responses", "gamma", to="1")),
        "read responses.gamma",
        "gamma < 1",
        "an opponent that never forgets fades",
    ),
    "two-kinds-of-points": Malformed(
        "drift",
        made(put("model", "worlds", "points", to=[{"x": "0"}])),
        "read worlds",
        "points or parameters",
        AMBIGUOUS,
    ),
    "pairs-float-in-a-test": Malformed(
        "pairs-cuts",
        replaced('"-673/807"', "-0.834"),
        "read file",
        "-0.834",
        "floats round, so a test function is not the one that is checked",
    ),
    "interval-reversed": Malformed(
        "interval",
        made(put("model", "worlds", "parameters", "x", "interval", to=["1", "0"])),
        "read worlds.parameters.x",
        "lower end first",
        MODEL,
    ),
    "divisor-cancelled": Malformed(
        "interval",
        made(put("model", "worlds", "transition", 0, 0, 0, to=["(-x+3)/4", "(x+1)/4+1/x-1/x"])),
        "read worlds.transition, step 1[0][0][0]",
        "a divisor cancels",
        MODEL,
    ),
    "own-and-states": Malformed(
        "own", made(put("model", "game", "states", to=["s0"])), "read game", "unknown key 'states'", AMBIGUOUS
    ),
    "own-and-kernels": Malformed(
        "own", made(put("model", "worlds", "initial", to=["1", "0"])), "read worlds", "unknown key 'initial'", AMBIGUOUS
    ),
    "own-table-rule": Malformed(
        "own",
        made(put("model", "responses", "block_rule", to="table")),
        "read responses.block_rule",
        "latest",
        "a rule that lists tables a class does not have",
    ),
    "own-short-matrix": Malformed(
        "own", made(drop("model", "operators", "W", 0, 0, 1)), "read operators.W, step 1[0][0]", "2 entries", MODEL
    ),
    "own-number-in-a-matrix": Malformed(
        "own",
        made(put("model", "operators", "G", "p", 0, 0, 0, 1, to=0)),
        "read operators.G.p, step 1[0][0][0][1]",
        "an exact string",
        AMBIGUOUS,
    ),
    "own-steps-missing": Malformed(
        "own-steps",
        made(drop("model", "operators", "coordinates", "steps", 2)),
        "read operators.coordinates",
        "3 entries",
        MODEL,
    ),
    "own-coordinate-repeated": Malformed(
        "own",
        made(put("model", "operators", "coordinates", to=["s0", "s0"])),
        "read operators.coordinates",
        "repeated",
        AMBIGUOUS,
    ),
    "own-shared-name": Malformed(
        "own",
        made(
            put("model", "responses", "parameters", to={"x": {"values": ["0", "1"]}}),
            put("model", "truth", "responses", to={"x": "1"}),
        ),
        "read operators",
        "['x'] on both sides",
        "one name for the world's parameter and the response's",
    ),
    "own-policy-missing": Malformed(
        "own", made(put("model", "operators", "J", to={})), "read operators.J", "no key 'p'", MODEL
    ),
    "own-reference": Malformed(
        "own",
        made(put("options", "reference", to=[])),
        "read options.reference",
        "full-support",
        "a law on the actions of nobody",
    ),
}


def reason(of: str, claim_: str, rule: str, message: str, consequence: str) -> str:
    return f"accepted: {of}\nclaim: {claim_}\nrule: {rule}\nmessage: {message}\nconsequence: {consequence}\n"


def accepted(name: str) -> Certificate:
    """The search's certificate of a class, what the search says of itself left out."""
    document, options = ACCEPTED[name]
    certificate: Certificate = json.loads(canonical(certify(model_of(document), **options).document))  # type: ignore[arg-type]
    certificate["tool"] = TOOL
    for entry in certificate["claims"]:
        entry["search"] = {"method": entry["search"]["method"]}
    return certificate


def main() -> None:
    for folder in ("accepted", "rejected", "malformed"):
        (HERE / folder).mkdir(exist_ok=True)
        for path in (HERE / folder).iterdir():
            path.unlink()
    originals = {name: accepted(name) for name in ACCEPTED}
    for name, certificate in originals.items():
        (HERE / "accepted" / f"{name}.cert.json").write_bytes(canonical(certificate))
    for name, pair in REJECTED.items():
        certificate = edited(originals[pair.of], *pair.edits, digests=pair.digests)
        (HERE / "rejected" / f"{name}.cert.json").write_bytes(canonical(certificate))
        (HERE / "rejected" / f"{name}.reason").write_text(reason(pair.of, *pair[2:6]))
    for name, file in MALFORMED.items():
        (HERE / "malformed" / f"{name}.json").write_bytes(file.change(canonical(originals[file.of])))
        (HERE / "malformed" / f"{name}.reason").write_text(reason(file.of, "file", *file[2:]))


if __name__ == "__main__":
    main()
