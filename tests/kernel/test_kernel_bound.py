"""Rule bound: intervals that contain what they stand for, the kernel's lines beside two other computations of them,
the first T at which the bound says something, and what of the certificate's other claims they depend on."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import mpmath
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pomgcheck.certificate import Certificate
from pomgcheck.kernel import bound
from pomgcheck.kernel.bound import SHARP, Grid, Premises
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.check import facts_of, verify_bytes
from pomgcheck.kernel.claims import constants
from pomgcheck.kernel.enclosures import Interval, interval, root
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Costly, Nested, Truth
from pomgcheck.kernel.paper_bound import THEOREM, theorem
from pomgcheck.kernel.rewards import Ranges
from pomgcheck.modelclass.document import load
from pomgcheck.reporting.claims.constants import premises
from pomgcheck.search.certify import certify
from pomgcheck.search.claims import constants as search
from pomgcheck.search.exact.enclosures import rational_ends
from tests.kernel.editing import canonical, claim, edited, get, put
from tests.paper import bound_balls
from tests.paper.bound_lines import fill, plain, size

ACCEPTED = Path(__file__).parents[1] / "accepted"
CERTIFICATE = json.loads((ACCEPTED / "drift.cert.json").read_bytes())
VALUES = ("claims", "constants", "values")
UNSHRUNK = (Phase.explicit, Phase.reuse, Phase.generate)  # an example is a page of numbers, and slow to make smaller

fractions = st.fractions(min_value=Fraction(1, 1000), max_value=1, max_denominator=1000)
grids = st.builds(
    Grid,
    cells=st.integers(1, 9),
    counts=st.lists(st.integers(1, 10**5), max_size=3).map(tuple),
    T=st.integers(1, 10**5),
)
costly = st.builds(
    Costly, st.fractions(Fraction(1, 100), 3, max_denominator=100), st.none() | st.fractions(Fraction(1, 1000), 20)
)
truths = st.lists(
    st.builds(Truth, st.integers(1, 5), st.integers(0, 9), st.lists(costly, max_size=3).map(tuple)), max_size=3
).map(tuple)
numbers = st.builds(
    Premises,
    H=st.integers(1, 6),
    actions=st.integers(1, 4),
    policies=st.integers(1, 50),
    models=st.integers(1, 1000),
    increments=st.fractions(min_value=1, max_value=10**6, max_denominator=1000),
    least=fractions,
    c_J=st.fractions(min_value=Fraction(1, 10**6), max_value=3),
    c_W=fractions,
    d_W=st.integers(0, 20),
    d_G=st.integers(0, 20),
    delta=st.fractions(min_value=Fraction(1, 10**6), max_value=Fraction(999, 1000)),
    m=st.none() | st.integers(1, 20),
    range=st.fractions(min_value=0, max_value=6, max_denominator=50),
    later=st.fractions(min_value=0, max_value=6, max_denominator=50),
    dearest=st.fractions(min_value=Fraction(1, 50), max_value=6, max_denominator=50),
    gamma=st.fractions(min_value=0, max_value=Fraction(9, 10), max_denominator=100),
    L_g=st.fractions(min_value=0, max_value=1, max_denominator=100),
    covering=st.none() | grids,
    slope=st.fractions(min_value=0, max_value=100, max_denominator=10),
    truths=st.none() | truths,
)


def said(p: Premises) -> bound_balls.Numbers:
    """The same numbers as the computation in balls takes them."""
    net = bound_balls.Net(*p.covering) if isinstance(p.covering, Grid) else None
    rewards = Ranges(p.range, p.later)
    return bound_balls.Numbers(
        p.H,
        p.policies,
        p.models,
        p.increments,
        p.delta,
        p.m,
        rewards,
        p.dearest,
        p.gamma,
        p.L_g,
        net,
        p.slope,
        p.truths,
    )


@settings(max_examples=40, deadline=None, phases=UNSHRUNK)
@given(numbers, st.integers(1, 10**9))
def test_lines_are_those_of_ball_arithmetic(p: Premises, T: int) -> None:
    """Every line's interval meets the ball, and is narrow."""
    lines = bound.sharp(p, T)
    with flint.ctx.workprec(bound_balls.BITS):
        balls = bound_balls.sharp(said(p), T)
        assert list(SHARP) == list(lines)
        assert set(SHARP) == set(balls)
        for name, x in lines.items():
            low, high = rational_ends(balls[name])
            assert max(x.low, low) <= min(x.high, high), name
            assert x.high - x.low <= Fraction(1, 10**20) * max(1, x.high), name


@settings(max_examples=25, deadline=None, phases=UNSHRUNK)
@given(numbers.filter(lambda p: p.m is not None), st.integers(1, 10**6))
def test_lines_are_those_of_the_specification(p: Premises, T: int) -> None:
    """Each line agrees to 15 digits with a plain computation of its formula."""
    with mpmath.workdps(50):
        for name, value in plain(p, T).items():
            x = (theorem(p, T) | bound.sharp(p, T))[name]
            middle = mpmath.mpf(x.high.numerator) / x.high.denominator
            assert abs(middle - value) <= mpmath.mpf(10) ** -15 * max(1, value), name


@pytest.mark.parametrize("T", [1, 2, 40, 300, 10**6])
def test_what_policies_lose_until_they_are_refuted(T: int) -> None:
    """Under the worse of two truths, the dearest first, each as often as its evidence takes, be there one harmful model,
    none or more; of evidence between two numbers the loss is between what it is at either."""
    delta, tau = Fraction(1, 20), [Fraction(7, 2), Fraction(9)]
    costly = (Costly(Fraction(1, 4), Fraction(1, 3)), Costly(Fraction(2), Fraction(1, 7)), Costly(Fraction(1), None))
    for harmful in (0, 1, 3):
        worse = Truth(1, harmful, costly)
        found = bound.filled((Truth(1, 9, costly[:1]), worse), delta, Interval(*tau), T)
        for end, threshold in zip((found.low, found.high), tau, strict=True):
            with mpmath.workdps(50):
                exact = fill(worse, mpmath.mpf(threshold.numerator) / threshold.denominator, mpmath.mpf(1) / 20, T)
                assert abs(mpmath.mpf(end.numerator) / end.denominator - exact) <= exact * mpmath.mpf(10) ** -30


@pytest.mark.parametrize("T", [1, 2, 3, 4, 1022, 1023, 1024, 2**20 - 1])
def test_levels_of_nets_reach_the_last_episode(T: int) -> None:
    """A class that is covered by nets has one at every level up to ceil(log2(T+2)), of which there is one more from
    T = 2^k - 1 on; its confidence is shared among them."""
    p = Premises(
        *(2, 2, 3, 4, Fraction(3), Fraction(1, 4), Fraction(1), Fraction(1), 1, 1, Fraction(1, 20), 2),
        *(Fraction(2), Fraction(2), Fraction(1)),
        covering=Grid(2, (5, 7), 16),
    )
    level = next(k for k in range(99) if 2**k >= T + 2)
    found = bound.union(p, bound.Radius(p, T), T)
    with flint.ctx.workprec(400):
        least, most = rational_ends(flint.arb(4 * (level + 1) * (level + 2) * 20 * size(p, T)).log())
    assert found.low <= least <= most <= found.high <= most + Fraction(1, 2**100)


def test_certificate_states_the_plain_numbers() -> None:
    """The certificate's values are at least the plain computation from its other claims, and at most 10^-6 above it."""
    values = get(CERTIFICATE, *VALUES)
    known = {name: value for entry in CERTIFICATE["claims"] for name, value in entry["values"].items()}
    p = Premises(
        2,
        2,
        2,
        int(known["log_covering_upper"]["log_of"]),
        Fraction(known["B0_upper"]["log_of"]),
        Fraction(values["least_observation"]),
        Fraction(known["c_KL_joint_lower"]),
        Fraction(known["c_KL_world_lower"]),
        int(known["d_W_upper"]),
        int(known["d_G_upper"]),
        Fraction(CERTIFICATE["options"]["delta"]),
        2,
        Fraction(values["reward_range"]),
        Fraction(values["later_range"]),
        Fraction(known["D"]),
        truths=tuple(map(Truth.read, get(CERTIFICATE, "claims", "regret", "evidence", "truths"))),
    )
    lines = plain(p, CERTIFICATE["options"]["T"])
    assert {*THEOREM, *SHARP} == set(lines)
    for name in SHARP:
        stated = Fraction(values[f"{name}_upper"])
        assert 0 <= float(stated) - float(lines[name]) <= 1e-6 * float(stated), name
    assert not {f"{name}_upper" for name in THEOREM} & set(values)  # what is computed is not stated


@given(st.fractions(min_value=0, max_value=10**30))
def test_square_roots(x: Fraction) -> None:
    """The interval's squares are on both sides."""
    found = root(interval(x))
    assert found.low**2 <= x <= found.high**2
    assert found.high - found.low <= Fraction(1, 2**60)


@given(st.lists(st.fractions(min_value=Fraction(1, 10**6), max_value=10**6), min_size=4, max_size=4))
def test_intervals_contain_every_result(ends: list[Fraction]) -> None:
    """Sums, products and quotients of points of two intervals lie in theirs."""
    a, b, c, d = ends
    x, y = Interval(min(a, b), max(a, b)), Interval(min(c, d), max(c, d))
    for p in (x.low, x.high):
        for q in (y.low, y.high):
            for found, exact in ((x + y, p + q), (x * y, p * q), (x / y, p / q)):
                assert found.low <= exact <= found.high


def test_constant_of_the_test() -> None:
    """C_0 = 6(e-2) = 4.309690970754271412...."""
    low = Fraction(4309690970754271412, 10**18)
    assert low <= bound.C_0.low < bound.C_0.high < low + Fraction(1, 10**18)


def tiny(**changes: Any) -> Premises:
    """Numbers for which the bound says something early: two models, two policies."""
    one = Fraction(1)
    return Premises(1, 1, 2, 2, one, one, one, one, 1, 0, Fraction(999, 1000), 1, one, one, one)._replace(**changes)


COSTLY = (Truth(1, 1, (Costly(Fraction(1, 3), Fraction(1, 2)), Costly(Fraction(1), None))),)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"m": 3},
        {"range": Fraction(3, 2), "m": 2},
        {"delta": Fraction(1, 2)},
        {"models": 1, "m": 4},
        {"m": 2, "dearest": Fraction(1, 3), "later": Fraction(2, 3), "models": 1},
        {"m": 2, "truths": COSTLY},
        {"truths": COSTLY, "dearest": Fraction(1, 3)},
    ],
)
def test_first_T_by_brute_force(changes: dict[str, Any]) -> None:
    """Below D T nowhere before T*, and everywhere for a while after: found by trying every T."""
    p = tiny(**changes)
    first = search.first_below(p)
    assert first is not None
    assert first == next(T for T in range(1, first + 1) if bound.below(p, T))
    assert all(bound.below(p, T) for T in range(first, first + 50))
    tried = [T for T in {1, first - 1, first, first + 1, 2 * first} if T > 0 and bound.first_below(p, T)]
    assert [first] == tried


def test_a_bound_that_is_nothing_is_below_at_once() -> None:
    """One model and no memory: nothing to learn and nothing to wait for, so T* = 1."""
    assert bound.first_below(tiny(models=1), 1)


@pytest.mark.parametrize("name", SHARP)
def test_every_line_may_be_larger_and_not_smaller(name: str) -> None:
    """A larger upper bound is still one; one that is smaller by more than its rounding is refused by name."""
    stated = Fraction(get(CERTIFICATE, *VALUES, f"{name}_upper"))
    smaller = [(stated * (1 - Fraction(1, 10**5)), False)] if stated else []  # no policy of this class is harmful
    for value, accepted in ((stated * 2, True), *smaller):
        verdict = verify_bytes(canonical(edited(CERTIFICATE, put(*VALUES, f"{name}_upper", to=str(value)))))
        assert accepted == verdict.accepted
        assert accepted or ("bound", True) == (verdict.rule, verdict.found.startswith(f"{name}_upper"))


def test_no_line_rests_on_a_conversion_constant() -> None:
    """With c_KL a tenth of what it is every line stays as it is: they enter the computed bound alone, which grows."""
    lower = Fraction(get(CERTIFICATE, "claims", "kl-world", "values", "c_KL_world_lower"))
    looser = edited(CERTIFICATE, put("claims", "kl-world", "values", "c_KL_world_lower", to=str(lower / 10)))
    assert verify_bytes(canonical(looser)).accepted
    before, after = (theorem(premises(Certificate(each), 100), 100) for each in (CERTIFICATE, looser))
    assert before["Q_W"].high < after["Q_W"].low
    assert before["regret"].high < after["regret"].low


def test_an_unknown_premise_leaves_the_bound_open() -> None:
    """With one claim unknown, the bound cannot be proved; it can be unknown."""
    blank = {"verdict": "unknown", "values": {}, "evidence": None}
    summary = put("summary", to=lambda found: found | {"3.1e": "unknown", "certified": False})
    verdict = verify_bytes(canonical(edited(CERTIFICATE, claim("kl-world", **blank), summary)))
    assert ("constants", "eval", "unknown") == (verdict.claim, verdict.rule, verdict.required)
    open_ = edited(
        CERTIFICATE,
        claim("kl-world", **blank),
        claim("constants", **blank),
        summary,
        put("summary", "3.3", to="unknown"),
    )
    assert verify_bytes(canonical(open_)).accepted


@pytest.mark.parametrize("value", ["0", "-5", "1/2", {"lower": "1", "upper": "2"}, {"log_of": "2"}])
def test_first_T_is_a_positive_integer(value: Any) -> None:
    """Nothing else stands for an episode."""
    assert not verify_bytes(canonical(edited(CERTIFICATE, put(*VALUES, "T_star", to=value)))).accepted


@pytest.mark.parametrize("value", ["431/100", {"lower": "5", "upper": "4"}, {"upper": "5"}, {"lower": "0"}, {}])
def test_constant_of_the_test_is_enclosed(value: Any) -> None:
    """C_0 is given by two ends around 6(e-2), in that order."""
    assert not verify_bytes(canonical(edited(CERTIFICATE, put(*VALUES, "C_0", to=value)))).accepted


def test_of_a_fading_rule_answers_must_leave_out_the_same_actions() -> None:
    """Where one of two policies is answered by one action alone the bound is open, whichever it is, and where both are by
    the same action it is proved; a rule of finite memory asks for nothing, and an open premise, but Theorem N, leaves
    the bound open anyway."""
    certificate = json.loads((ACCEPTED / "drift-fading.cert.json").read_bytes())
    sure = [["1", "0"]]

    def outcome(base: Any, table: Any, **verdicts: str) -> str:
        model = edited(base, put("model", "responses", "table", to=lambda old: old | table), digests=False)["model"]
        settled = {entry["id"]: {"verdict": "proved"} | entry for entry in base["claims"][:-1]}
        settled |= {name: {"verdict": verdict} for name, verdict in verdicts.items()}
        facts = facts_of(Game(model), base["options"])
        return str(constants.outcome(Case(facts, "constants", {}, settled)).verdict)

    tables = [{}, {"idle": sure}, {"watch": sure}, {"idle": sure, "watch": sure}]
    assert ["proved", "unknown", "unknown", "proved"] == [outcome(certificate, table) for table in tables]
    assert ["proved"] * 4 == [outcome(CERTIFICATE, table) for table in tables]
    assert ["unknown", "proved", "vacuous"] == [
        outcome(certificate, {}, **{name: verdict})
        for name, verdict in (("covering", "unknown"), ("regret", "unknown"), ("covering", "refuted"))
    ]


def test_where_answers_differ_each_action_is_asked_to_be_possible() -> None:
    """Of a fading rule whose answer to one policy is sure the bound asks what is false: that the other action has a
    chance there too."""
    certificate = json.loads((ACCEPTED / "interval-fading.cert.json").read_bytes())
    known = facts_of(Game(certificate["model"]), certificate["options"])
    under = " where +3-4*Phi.y-4*Phi.z >= 0"
    answers = {f"+4-4*Phi.y*Phi.y-1*Phi.z > 0{under}", f"+4*Phi.y*Phi.y+1*Phi.z > 0{under}"}
    assert {"+1 > 0", "0 > 0", *answers} == {goal.statement() for goal in known.continuum.same_actions()}


def test_a_policy_under_which_two_models_never_look_alike_costs_one_episode() -> None:
    """Where the first play of a policy excludes every model that it was best in, no c is asked for."""
    document = json.loads((ACCEPTED / "two-ways.cert.json").read_bytes())["model"]
    document["worlds"]["learner_emission"] = [["1", "0"], ["0", "1"]]
    document["worlds"]["parameters"] = {"w": {"values": ["0"]}, "x": {"values": ["0", "1"]}}
    certificate = certify(load(document), T=16).document
    truths = get(certificate, "claims", "regret", "evidence", "truths")
    assert [None] == [each["c"] for truth in truths for each in truth["policies"]]
    assert verify_bytes(canonical(certificate)).accepted


def test_a_memory_of_m_episodes_is_warmed_up_for_all_but_one() -> None:
    """Against a memory of four episodes a run begins with three that do not count, whichever run it is."""
    schedule = Nested(2, Fraction(1, 20), Fraction(1), 4, ())
    assert [3, 3] == [schedule.warmup(run) for run in (1, 100)]


def test_a_fading_rule_that_forgets_at_once_has_the_rate_zero() -> None:
    """gamma = 0 is a rate like any other, and no memory in its place."""
    certificate = json.loads((ACCEPTED / "drift-fading.cert.json").read_bytes())
    certificate["model"]["responses"]["gamma"] = "0"
    facts = facts_of(Game(certificate["model"]), certificate["options"])
    settled = {entry["id"]: entry for entry in certificate["claims"]}
    found = constants.premises(Case(facts, "constants", {}, settled), Fraction(1))
    assert (Fraction(0), None) == (found.gamma, found.m)
