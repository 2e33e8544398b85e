"""Assumption 2.4 by the search: every finding through the kernel, and against brute.py and cvxpy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import cvxpy
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.kernel import problems as kernel
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.search.certify import certify
from pomgcheck.search.claims import weak_revealing, weak_revealing_cover
from pomgcheck.search.claims.weak_revealing import named
from pomgcheck.search.claims.weak_revealing_problems import Problems
from pomgcheck.search.exact import tables
from pomgcheck.search.exact.programs import best_test
from tests.gallery import brute
from tests.search import small, truth
from tests.search.checked import found
from tests.search.classes import Shape, Tables, documents, small_class

ACCEPTED = Path(__file__).parents[1] / "accepted"
TOL = Fraction(1, 10**6)
TILTED = [["3/4", "1/4"], ["1/4", "3/4"]]
EXACT = [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]]


def revealing(document: Any, **options: Any) -> dict[str, Any]:
    """The claim, accepted by the kernel and true by brute force."""
    return found(document, "weak-revealing", **options)[0]


def values(entry: dict[str, Any]) -> tuple[Fraction, Fraction]:
    return Fraction(entry["values"]["alpha_lower"]), Fraction(entry["values"]["alpha_upper"])


def kinds(entry: dict[str, Any]) -> set[str]:
    """The kinds of node in all trees."""

    def walk(tree: Any) -> Iterator[str]:
        yield tree[0]
        for branch in tree[4:]:
            yield from walk(branch)

    return {kind for each in entry["evidence"]["trees"] for kind in walk(each["tree"])}


# ------------------------------------------------------------------------------ worked out by hand


@pytest.mark.parametrize(
    ("emission", "moves", "alpha", "kind"),
    [
        # signal 2 x 1/4 x 1/2 over difference 2 x 1/4 x Z, least where Z = 3/4
        (TILTED, [[["(-x+3)/4", "(x+1)/4"]], [["(-x+3)/4", "(x+1)/4"]]], Fraction(2, 3), {"test"}),
        # the two states move opposite ways and cancel in both numerator and denominator: W - W' = P (M - M')
        (TILTED, [[["(-x+4)/4", "x/4"]], [["x/4", "(-x+4)/4"]]], Fraction(2, 3), {"factor"}),
        # states are seen: the window is the successor itself
        (
            EXACT,
            [[["(-x+4)/4", "x/4", "0"]], [["0", "(-x+4)/4", "x/4"]], [["x/4", "0", "(-x+4)/4"]]],
            Fraction(1),
            {"test"},
        ),
    ],
    ids=["one way", "cancelling", "seen"],
)
def test_least_ratio_is_the_one_worked_out(emission: Any, moves: Any, alpha: Fraction, kind: set[str]) -> None:
    """The literal alpha is exact where one leaf a problem is tight, and the expected rule clears it."""
    entry = revealing(small.gauge(emission, moves))
    assert (alpha, alpha) == values(entry)
    assert kind == kinds(entry)


def test_joint_form_scales_by_the_chance_of_the_observation() -> None:
    """With one emission the joint ratio is Z(q) times the literal one: here 2/3 x 3/4, the same at every q."""
    entry = revealing(small.gauge(TILTED, [[["(-x+3)/4", "(x+1)/4"]]] * 2), form="joint")
    assert (Fraction(1, 2), Fraction(1, 2)) == values(entry)


def test_longer_windows_see_more() -> None:
    """Two observations of a state that stays put tell more than one."""
    document = small.gauge(TILTED, [[["(-x+3)/4", "(x+1)/4"]]] * 2, horizon=3)
    assert values(revealing(document, kappa=2))[1] > values(revealing(document))[0]


@pytest.mark.parametrize(
    ("emission", "moves", "form", "alpha", "kind"),
    [
        (("(-x+3)/4", "1/2"), ("(-x+2)/4", "(x+3)/4"), "joint", "3/4", {"test", "cut"}),
        (("(-x+3)/4", "(x+2)/4"), ("1/4", "(-x+1)/4"), "joint", "5/8", {"test", "cut", "factor"}),
        (("3/4", "(2*x+1)/4"), ("(x+2)/4", "(-x+1)/4"), "literal", "6/5", {"test", "cut"}),
    ],
)
def test_a_cancelling_difference_needs_a_split(
    emission: Any, moves: Any, form: str, alpha: str, kind: set[str]
) -> None:
    """Where coordinates of (W-W')q change sign inside the simplex no single test function is tight; a tree of splits
    is.
    The value is the least ratio over all mixtures n/840 of the two states."""
    document = small.two(emission, moves)
    entry = revealing(document, form=form)
    assert kind == kinds(entry)
    assert (Fraction(alpha), Fraction(alpha)) == values(entry)
    game = Game(document)
    options = {"kappa": 1, "space": "window", "weak_revealing": {"form": form, "scope": "simplex"}}
    mixtures: list[brute.Vector] = [
        {(s, (), ()): Fraction(m, 840) for s, m in enumerate((n, 840 - n)) if m} for n in range(841)
    ]
    pairs = [truth.ratio(game, options, context, q) for context in truth.contexts(game, options) for q in mixtures]
    assert Fraction(alpha) == min(pair[0] / pair[1] for pair in pairs if pair and pair[1])


def test_an_interior_minimum_is_bracketed_within_the_tolerance() -> None:
    """The least ratio is irrational here: lower and upper differ, by at most tol."""
    document = small.two(("(x+1)/4", "(2*x+1)/4"), ("(x+2)/4", "(-2*x+3)/4"))
    for tol in (Fraction(1, 100), TOL):
        lower, upper = values(revealing(document, tol=tol))
        assert lower < upper <= (1 + tol) * lower


def steps(now: Any, later: Any, moves: Any) -> Any:
    """The two-state class with emissions of its own at each of two steps."""
    document = small.two(now, moves)
    document["worlds"]["learner_emission"] = {
        "steps": [small.two(side, moves)["worlds"]["learner_emission"] for side in (now, later)]
    }
    return document


@pytest.mark.parametrize(
    ("name", "document"),
    [
        # the opponent never plays b1, under which alone the worlds differ
        ("silent action", small.gauge(TILTED, [[["3/4", "1/4"], ["(-x+3)/4", "(x+1)/4"]]] * 2, ["1", "0"])),
        # b0 moves up, b1 down, played evenly
        (
            "cancelling actions",
            small.gauge(TILTED, [[["(-x+3)/4", "(x+1)/4"], ["(x+2)/4", "(-x+2)/4"]]] * 2, ["1/2", "1/2"]),
        ),
        # emissions differ at the current step alone, and both states move alike
        ("current emission", steps(("(-x+3)/4", "1/4"), ("3/4", "1/4"), ("1/2", "1/2"))),
    ],
)
def test_known_failures_are_found_with_a_witness(name: str, document: Any) -> None:
    """Differences that the windows cannot show are refuted by an exact predictive state."""
    entry = revealing(document)
    assert "refuted" == entry["verdict"], name
    assert "0" == entry["witness"]["signal"]


def test_a_zero_at_an_irrational_mixture_is_found_by_a_change_of_sign() -> None:
    """Conditioned on o0 the signal vanishes where q(s0)^2 = 3/4: two mixtures of opposite sign refute."""
    entry = revealing(small.two(("(2*x+1)/4", "(-2*x+3)/4"), ("(x+1)/4", "(-x+4)/4")))
    assert "refuted" == entry["verdict"]
    assert Fraction(entry["witness"]["signal"]) * Fraction(entry["witness"]["signal_other"]) < 0


def test_one_world_asks_nothing() -> None:
    """Without two worlds the assumption is vacuous."""
    document = small.gauge(TILTED, [[["3/4", "1/4"]]] * 2)
    document["worlds"]["parameters"] = {}
    assert "vacuous" == revealing(document)["verdict"]


def test_a_final_step_is_not_asked_about() -> None:
    """With H = kappa no step is left at which the condition is imposed."""
    assert "vacuous" == revealing(small.gauge(TILTED, [[["(-x+3)/4", "(x+1)/4"]]] * 2), kappa=2)["verdict"]


# ------------------------------------------------------------------------------------- any class


@settings(max_examples=60)
@given(documents(), st.sampled_from(["literal", "joint"]), st.integers(1, 2), st.sampled_from(["window", "history"]))
def test_any_class_on_the_simplex(document: Any, form: str, kappa: int, space: str) -> None:
    """Whatever is found holds, and a proved bracket is as narrow as asked."""
    assume(space == "window" or document["game"]["horizon"] < 3)
    entry = revealing(document, form=form, kappa=kappa, space=space)
    if entry["verdict"] == "proved":
        lower, upper = values(entry)
        assert upper <= (1 + TOL) * lower


@settings(max_examples=30)
@given(documents(full=True), st.sampled_from(["literal", "joint"]), st.integers(1, 2))
def test_any_class_at_its_reachable_states(document: Any, form: str, kappa: int) -> None:
    """The reachable alpha is the exact minimum over the predictive states of the class (truth.py reaches them
    again)."""
    full = "full" in (document["policies"]["window"], document["responses"]["window"])
    entry = revealing(document, form=form, kappa=kappa, scope="reachable", space="history" if full else "window")
    if entry["verdict"] == "proved":
        assert values(entry)[0] == values(entry)[1]


def test_windows_that_grow_over_one_observation_are_told_apart() -> None:
    """An adversary that sees one thing only and remembers it has one memory at each step, of length 0 and then 1: two
    problems, though their tables agree."""
    document = small.gauge(TILTED, [[["(-x+3)/4", "(x+1)/4"]]] * 2, horizon=3)
    document["responses"] |= {"window": 2, "table": {"p": {"steps": [[["1"]]] * 3}}}
    entry = revealing(document)
    assert ("proved", 4) == (entry["verdict"], len(entry["evidence"]["trees"]))  # two steps, two observations


@settings(max_examples=60)
@given(documents(largest=2), st.sampled_from(["literal", "joint"]))
def test_no_point_of_a_grid_is_below(document: Any, form: str) -> None:
    """On two pure states every mixture n/16 has a ratio of at least alpha_lower."""
    game = Game(document)
    entry = revealing(document, form=form)
    if entry["verdict"] != "proved":
        return
    options = {"kappa": 1, "space": "window", "weak_revealing": {"form": form, "scope": "simplex"}}
    for context in truth.contexts(game, options):
        for part_a in truth.learner_parts(game, context[3], "window"):
            pure = brute.pure_states(game, context[3], "window", part_a)[:2]
            for n in range(17) if len(pure) == 2 else ():
                q = {state: Fraction(m, 16) for state, m in zip(pure, (n, 16 - n), strict=True) if m}
                pair = truth.ratio(game, options, context, q)
                assert pair is None or pair[0] >= values(entry)[0] * pair[1]


def random_gauge(states: int, observations: int, seed: int) -> Any:
    """Two worlds with tables of their own, nothing impossible, no choice to make."""
    return small_class(Shape(2, states, 1, 1, observations, 1, 2, 1, 1, (1, 1)), Tables(seed, 0, 0.75, 0.3))


@pytest.mark.parametrize("form", ["literal", "joint"])
@pytest.mark.parametrize(("states", "observations"), [(2, 2), (2, 3), (3, 2), (3, 3)])
def test_small_classes_are_all_decided(states: int, observations: int, form: str) -> None:
    """None of ten random classes where every observation is possible is given up."""
    for seed in range(10):
        entry = revealing(random_gauge(states, observations, seed), form=form)
        assert "unknown" != entry["verdict"], seed


@pytest.mark.slow
@pytest.mark.parametrize("form", ["literal", "joint"])
@pytest.mark.parametrize("states", [2, 3])
def test_more_small_classes_are_nearly_all_decided(states: int, form: str) -> None:
    """Of a hundred, at most two are given up, honestly."""
    verdicts = [revealing(random_gauge(states, 3, seed), form=form)["verdict"] for seed in range(10, 110)]
    assert 2 >= verdicts.count("unknown")


@pytest.mark.parametrize(
    ("name", "kappa"),
    [
        *(("bilinear", 1), ("bilinear", 2), ("kuhn", 1), ("patrol", 1), ("patrol", 2)),
        pytest.param("kuhn", 2, marks=pytest.mark.slow),  # all windows of two observations of many states
    ],
)
@pytest.mark.parametrize("form", ["literal", "joint"])
def test_problems_have_the_names_that_the_kernel_gives_them(name: str, form: str, kappa: int) -> None:
    """The first contexts of equal tables, in the kernel's order, are found without the kernel's problems; of kuhn half
    of the search's problems have the tables of another."""
    game = gallery.load(name).game
    every = Problems(tables.Tables(game, "window"), kappa, form, "simplex")
    problems = list(every)
    found = named(every, problems, {k: ["test", k] for k in range(len(problems))})
    reveal = {"form": form, "scope": "simplex"}
    options = {"space": "window", "kappa": kappa, "weak_revealing": reveal, "reference": "uniform"}
    asked = [problem.place for problem in kernel.problems(Facts(game, options))]
    assert asked == [{key: x for key, x in entry.items() if key != "tree"} for entry in found]
    assert len(problems) == len(found) * (2 if name == "kuhn" else 1)


def test_windows_of_one_observation_number_the_problems_alike() -> None:
    """A window of two over a single observation remembers nothing; the search and the kernel still list the same
    problems."""
    document = small.gauge([["(-3*x+6)/8", "(3*x+2)/8"]], [[["1"]]], horizon=3)
    document["responses"] |= {"window": 2, "table": {"p": {"steps": [[["1"]]] * 3}}}
    assert "proved" == revealing(document)["verdict"]


# --------------------------------------------------------------------- a second linear program


@settings(max_examples=25)
@given(st.integers(1, 4), st.integers(1, 6), st.integers(0, 10**6))
def test_best_test_function_is_cvxpys(windows: int, pairs: int, seed: int) -> None:
    """The largest alpha with rows @ y >= alpha costs, |y| <= 1, as cvxpy computes it."""
    random = np.random.default_rng(seed)
    rows, costs = random.uniform(-1, 1, (pairs, windows)), random.uniform(0.1, 1, pairs)
    y, alpha = cvxpy.Variable(windows), cvxpy.Variable()
    wanted = cvxpy.Problem(cvxpy.Maximize(alpha), [rows @ y >= alpha * costs, cvxpy.abs(y) <= 1]).solve(
        solver="CLARABEL"
    )
    answer = best_test(rows, costs)
    assert answer is not None
    assert wanted == pytest.approx(answer[0], abs=1e-6)


@settings(max_examples=15)
@given(st.integers(0, 10**6))
def test_one_leaf_is_worth_what_duality_says(seed: int) -> None:
    """Where successors differ with one sign and one emission, alpha is the value of a matrix game solved by cvxpy."""
    random = np.random.default_rng(seed)
    E = random.integers(1, 5, (2, 3))
    emission = [[str(Fraction(int(x), int(row.sum()))) for x in row] for row in E]
    up = random.integers(1, 4, 2)
    document = small.gauge(emission, [[[f"(-{n}*x+4)/8", f"({n}*x+4)/8"]] for n in map(int, up)])
    for row in document["worlds"]["transition"]:
        row[0][0] = [text.replace("1*x", "x") for text in row[0][0]]
    entry = revealing(document)
    gap = np.array([float(Fraction(b) - Fraction(a)) for a, b in zip(*emission, strict=True)])
    assume(np.abs(gap).sum() > 0)
    least = np.inf
    for o in range(3):
        Z = np.array([float(Fraction(row[o])) for row in emission])
        v = np.outer(up / 8 * Z, gap)  # (M - M')e_j
        c = 2 * up / 8 * Z
        y, alpha = cvxpy.Variable(3), cvxpy.Variable()
        cases = [(v[i] + v[j]) @ y >= alpha * (Z[i] * c[j] + Z[j] * c[i]) for i, j in product(range(2), repeat=2)]
        least = min(least, cvxpy.Problem(cvxpy.Maximize(alpha), [*cases, cvxpy.abs(y) <= 1]).solve(solver="CLARABEL"))
    lower, upper = values(entry)
    assert least == pytest.approx(float(lower), rel=1e-5)
    assert least == pytest.approx(float(upper), rel=1e-5)


def test_all_problems_share_one_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the pieces of the simplex may cost is bounded for the whole class.  Beyond it what single test functions show is
    kept, and where they show nothing the search ends with how many problems are left and what to ask for."""
    document = json.loads((ACCEPTED / "split-literal.cert.json").read_bytes())["model"]
    monkeypatch.setattr(weak_revealing_cover, "WORK", 400 * 2**2 * (2 + 2))
    enough = values(revealing(document))
    assert enough[0] * (1 + TOL) >= enough[1]
    monkeypatch.setattr(weak_revealing_cover, "WORK", 2 * 2**2 * (2 + 2))
    assert 0 < values(revealing(document))[0] < enough[0]
    cancelling = small.gauge(TILTED, [[["(-x+4)/4", "x/4"]], [["x/4", "(-x+4)/4"]]])
    monkeypatch.setattr(weak_revealing_cover, "WORK", 0)
    entry = revealing(cancelling)
    assert "unknown" == entry["verdict"]
    words = entry["search"]["method"].split()
    assert "gave up on" == " ".join(words[:3])
    assert 0 == int(words[words.index("after") + 1])
    assert "ask for a larger tolerance" in entry["search"]["method"]


@pytest.mark.parametrize("name", ["patrol", "silent-action", "cancelling-states"])
def test_problems_are_looked_at_in_parts(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One problem at a time and all at once end alike; the first of zero signal ends a refutation."""
    whole = certify(name, only=["weak-revealing"])
    monkeypatch.setattr(weak_revealing, "PART", 1)
    assert whole.sha256 == certify(name, only=["weak-revealing"]).sha256
