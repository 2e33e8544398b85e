"""Assumptions 2.3 and 3.1(f) on interval axes for any reaction rule: tables of blocks, fading memory, constraints."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest

from pomgcheck import gallery
from pomgcheck.certificate import Certificate
from pomgcheck.kernel.check import content_digest, verify_bytes
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.gallery import brute
from tests.search import continua, small
from tests.search.sampling import sampled

CLAIM = "posterior-lipschitz"
FORMS = ("step", "policy")


def constrained(document: continua.Document) -> continua.Document:
    """With a second parameter of the responses tied to the first."""
    document["responses"]["constraints"] = ["w + y <= 1/2"]
    return document


def heard() -> continua.Document:
    """The opponent hears one thing in one state and another in the other, the second state first being more likely."""
    document = continua.mixing()
    document["game"]["adversary_observations"] = ["d0", "d1"]
    document["worlds"]["adversary_emission"] = [["0", "1"], ["1-x", "x"]]
    document["worlds"]["initial"] = ["3/4", "1/4"]
    for tables in (document["responses"]["table"], document["responses"]["blocks"]):
        for rows in tables.values():
            rows.append(rows[0])
    return document


def tied_worlds() -> continua.Document:
    """Two parameters of the world tied by a constraint, both of which move what the opponent hears."""
    document = heard()
    document["worlds"]["parameters"]["v"] = {"interval": ["0", "1/4"]}
    document["worlds"]["constraints"] = ["v + x <= 1/4"]
    document["worlds"]["adversary_emission"] = [["1/2+v", "1/2-v"], ["1/2-x", "1/2+x"]]
    return document


CLASSES = {
    "mixing": continua.mixing,
    "constrained": lambda: constrained(continua.mixing()),
    "heard": heard,
    "tied worlds": tied_worlds,
    "turns": continua.turns,
    "memory three": lambda: longer(continua.turns()),
    "triangle": lambda: with_policies(continua.triangle()),
}


def longer(document: continua.Document) -> continua.Document:
    """The same answers to the last two of three policies, two of the policies left out of the class."""
    responses, names = document["responses"], ("ask", "never")
    document["policies"]["list"] = {name: continua.POLICIES[name] for name in names}
    blocks = {
        f"{first} {block}": rows
        for first in names
        for block, rows in responses["blocks"].items()
        if set(block.split(" ")) <= {*names}
    }
    responses |= {"memory": 3, "blocks": blocks, "table": {name: responses["table"][name] for name in names}}
    return document


def with_policies(document: continua.Document) -> continua.Document:
    """Two policies, answered apart by an unknown amount, in a class whose worlds are constrained."""
    document["game"] |= {"learner_actions": ["a0", "a1"], "adversary_actions": ["b0", "b1"]}
    moves = document["worlds"]["transition"]
    document["worlds"]["transition"] = [
        [[*by_action, *by_action] for _ in range(2) for by_action in state] for state in moves
    ]
    rows = {"first": [["1", "0"]] * 3, "by-sight": [["1", "0"], ["0", "1"], ["1/2", "1/2"]]}
    document["policies"]["list"] = rows
    document["responses"] = {
        "block_rule": "mean",
        "memory": 2,
        "window": 1,
        "parameters": continua.axes(u=("0", "1/8")),
        "table": {"first": [["1/2", "1/2"]], "by-sight": [["1/2-u", "1/2+u"]]},
    }
    return document


def decided(document: Any, form: str, *others: str, **options: Any) -> Certificate:
    """The certificate of the claim, which the kernel accepts."""
    certificate = certify(load(document), only=(CLAIM, *others), lipschitz=form, **options)
    assert verify_bytes(canonical_bytes(certificate.document)).accepted
    return certificate


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", CLASSES)
def test_the_bracket_holds_what_other_code_finds_at_points(name: str, form: str) -> None:
    """L is proved within 10^-9; the finite class of the attaining model has at least L_lower by another computation,
    and no finite class of random points, near one another or not, has more than L_upper."""
    model = load(CLASSES[name]())
    claims = decided(model.authored, form, "warmup-stationary").entries
    entry = claims[CLAIM]
    low, high = Fraction(entry["values"]["L_lower"]), Fraction(entry["values"]["L_upper"])
    assert ("proved", "proved") == (entry["verdict"], claims["warmup-stationary"]["verdict"])
    assert 0 < low <= high <= low * (1 + Fraction(1, 10**9))
    place = entry["evidence"]["attained"]
    assert low <= brute.lipschitz(model.game.subclass([place["theta"]], [place["Phi"]]), form) <= high  # type: ignore[operator]
    for seed, near in enumerate([None] * 4 + [Fraction(1, 10**3), Fraction(1, 10**9)]):
        assert brute.lipschitz(sampled(model.game, 2, seed, near), form) <= high  # type: ignore[operator]


def test_posteriors_may_take_turns() -> None:
    """After "ask ask" against "never always" the learner's first actions differ by 2 p and by 2 (1 - p), the answers
    by 4 u = 1/2: the larger is least at p = 1/2, so L = 1/2.  Blocks one policy apart ask for 1/4 over 7/10, 4/5 or
    more, and one posterior alone would ask for 1/2 over 4/5 or 7/10."""
    for form in FORMS:
        entry = decided(continua.turns(), form).entries[CLAIM]
        assert {"L_lower": "1/2", "L_upper": "1/2"} == entry["values"]
        assert {"p": "1/2"} == entry["evidence"]["attained"]["theta"]
        assert {"split"} == {each["choice"][0] for each in entry["evidence"]["signs"]}


def test_the_kernel_asks_for_the_choices() -> None:
    """Without its parts the same certificate is refused: the choice at the middle does not show L everywhere."""
    document = deepcopy(decided(continua.turns(), "step").document)
    entry = next(claim for claim in document["claims"] if claim["id"] == CLAIM)
    entry["evidence"]["signs"] = []
    document["sha256"] = content_digest(document)
    verdict = verify_bytes(canonical_bytes(document))
    assert (False, CLAIM, "box") == (verdict.accepted, verdict.claim, verdict.rule)


def test_a_posterior_of_another_history_must_be_possible() -> None:
    """In the policy form d1, heard with chance x in one state, tells "ask" and "never" apart by 2; at x = 0 it is never
    heard, d0 tells them apart by 1 and the answers differ by 1/2: L = 1/2.  Half of that, by d1 on the whole class, is
    refused, although multiplied by the chance of d1 the inequality holds everywhere."""
    document = deepcopy(decided(continua.seldom_heard(), "policy").document)
    entry = next(claim for claim in document["claims"] if claim["id"] == CLAIM)
    assert ("1/2", {"x": "0"}) == (entry["values"]["L_lower"], entry["evidence"]["attained"]["theta"])
    assert Fraction(1, 2) <= Fraction(entry["values"]["L_upper"]) <= Fraction(1, 2) + Fraction(1, 10**9)
    entry["evidence"] |= {"signs": [], "trees": {}}
    entry["evidence"]["attained"] |= {"theta": {"x": "1/2"}, "tau_B": ["d1"]}
    entry["values"] = dict.fromkeys(entry["values"], "1/4")
    document["sha256"] = content_digest(document)
    verdict = verify_bytes(canonical_bytes(document))
    assert (False, CLAIM, "box") == (verdict.accepted, verdict.claim, verdict.rule)
    assert "no proof of +1*theta.x*theta.x > 0" in verdict.line


@pytest.mark.parametrize("form", FORMS)
def test_a_constant_of_corners_is_that_of_the_finite_class(form: str) -> None:
    """On `mixing` every extreme is at a corner, so that the finite class of its corners, by search and kernel, has the
    same constant exactly."""
    document = continua.mixing()
    mine = decided(document, form).entries[CLAIM]["values"]
    for side in ("worlds", "responses"):
        parameters = document[side]["parameters"]
        document[side]["parameters"] = {
            name: {"values": axis.get("interval") or axis["values"]} for name, axis in parameters.items()
        }
    assert decided(document, form).entries[CLAIM]["values"] == mine


MEETING = {
    "a point": (continua.meeting(x=("1/8", "5/8")), lambda x: x == Fraction(1, 3)),
    "a square": (continua.meeting("x^2", "1/9", x=("1/8", "5/8")), lambda x: x == Fraction(1, 3)),
    "a curve": (continua.meeting("x*y", x=("1/2", "7/8"), y=("1/3", "4/5")), lambda x, y: x * y == Fraction(1, 3)),
    "a line": (continua.meeting("(x+y)/2", x=("1/8", "5/8"), y=("1/7", "1/2")), lambda x, y: x + y == Fraction(2, 3)),
    "a quotient": (continua.meeting("x/(1+y)", x=("1/8", "5/8"), y=("1/7", "1/2")), lambda x, y: 3 * x == 1 + y),
    "a constraint": (
        continua.meeting("(x+y)/2", "1/3", ("x <= y",), x=("1/8", "5/8"), y=("1/7", "1/2")),
        lambda x, y: x + y == Fraction(2, 3) and x <= y,
    ),
    "a double zero": (
        continua.meeting("(x-1/7)^2+(y-2/7)^2+1/3", x=("0", "1/3"), y=("1/5", "1/2")),
        lambda x, y: (x, y) == (Fraction(1, 7), Fraction(2, 7)),
    ),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("where", MEETING)
def test_posteriors_that_meet_inside_refute_at_an_exact_point(where: str, form: str) -> None:
    """Where the two policies look alike at a point, on a line, a curve or at an isolated zero, the witness is a
    rational point of the class at which they do."""
    document, alike = MEETING[where]
    entry = decided(document, form).entries[CLAIM]
    assert "refuted" == entry["verdict"]
    assert alike(**{name: Fraction(x) for name, x in entry["witness"]["theta"].items()})


def test_blocks_that_meet_inside_refute_at_an_exact_point() -> None:
    """With p up to one, "ask" plays like "never" there, and blocks that differ in it alone are answered apart; with
    other policies in the middle they meet at p = 1/2."""
    entry = decided(continua.turns(high="1"), "step").entries[CLAIM]
    assert ("refuted", {"p": "1"}) == (entry["verdict"], entry["witness"]["theta"])
    document = continua.turns()
    document["policies"]["list"]["never"] = [["4/9", "5/9"]] * 2
    entry = decided(document, "step").entries[CLAIM]
    assert ("refuted", {"p": "4/9"}) == (entry["verdict"], entry["witness"]["theta"])
    assert {2} == {len(entry["witness"][name]) for name in ("pi", "nu")}


def test_posteriors_that_meet_at_an_irrational_point_stay_open() -> None:
    """x^2 = 1/2 has no rational root: no witness can be written, and nothing is proved."""
    document = continua.meeting("x^2", "1/2", x=("1/2", "7/8"))
    assert "unknown" == decided(document, "step").entries[CLAIM]["verdict"]


def test_a_larger_table_of_blocks() -> None:
    """The gallery's `opportunist`: L is attained by two blocks that are not settled, at a corner; the policy form asks
    for less, and the rule `latest` with the same settled answers for less than the table."""
    document = gallery.document("opportunist")
    found = {form: decided(document, form).entries[CLAIM] for form in FORMS}
    assert {"proved"} == {entry["verdict"] for entry in found.values()}
    for entry in found.values():
        assert {"w": "1/10", "y": "1/5"} == entry["evidence"]["attained"]["Phi"]
        assert any(len(set(entry["evidence"]["attained"][name])) > 1 for name in ("pi", "nu"))
        assert entry["values"]["L_lower"] == entry["values"]["L_upper"]
    L = {form: Fraction(entry["values"]["L_upper"]) for form, entry in found.items()}
    settled = decided(gallery.document("watch"), "step").entries[CLAIM]["values"]["L_upper"]
    assert L["policy"] < L["step"]
    assert Fraction(settled) < L["step"]


@pytest.mark.parametrize(
    ("document", "L_g"),
    [
        (continua.forgetting(), "5/16"),
        (continua.forgetting("y^2+z/4", ()), "3/8"),
        (continua.forgetting("y-y^2", ()), "1/4"),
        (continua.forgetting("z/(1+y)"), "4/9"),
        (continua.forgetting("y*z+y", ()), "3/4"),
    ],
)
def test_L_g_of_fading_memory_is_exact(document: continua.Document, L_g: str) -> None:
    """Half the largest l1 distance of two responses, here the second chance itself: at a corner, at a vertex that a
    constraint makes, on an edge or inside; no sampled response has more."""
    model = load(document)
    entry = decided(document, "policy", "warmup-stationary").entries["warmup-stationary"]
    assert {"gamma": "9/10", "L_g": L_g} == entry["values"]
    for seed in range(20):
        sub = sampled(model.game, 3, seed)
        assert max(abs(g[1][0][0][1] - g[0][0][0][1]) for g in sub.responses) <= Fraction(L_g)


def test_L_g_of_finitely_many_responses_on_an_interval_of_worlds() -> None:
    """Psi finite, Theta not: L_g is that of the finite class."""
    document = continua.forgetting(constraints=())
    document["responses"]["parameters"] = {"y": {"values": ["1/8", "1/2"]}, "z": {"values": ["0", "1/4"]}}
    finite = decided(document, "policy", "warmup-stationary").entries["warmup-stationary"]["values"]
    document["worlds"]["parameters"] = {"x": {"interval": ["0", "1/8"]}}
    assert {"gamma": "9/10", "L_g": "5/16"} == finite
    assert decided(document, "policy", "warmup-stationary").entries["warmup-stationary"]["values"] == finite


def test_two_responses_that_never_differ_have_L_g_zero() -> None:
    """Nothing to bound, nothing stated."""
    document = continua.forgetting(constraints=())
    document["responses"]["table"] = dict.fromkeys(small.drift()["responses"]["table"], [["1-y", "y"]])
    entry = decided(document, "step", "warmup-stationary").entries["warmup-stationary"]
    assert ("0", {}) == (entry["values"]["L_g"], entry["evidence"]["gaps"])
