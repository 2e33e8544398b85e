"""Calculations worked out in a report: a third computation of what search found and the kernel checks."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.certificate import Certificate
from pomgcheck.evidence import Xi
from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import window_law
from pomgcheck.reporting import claims, explain, kernels
from pomgcheck.reporting.blocks import Table
from pomgcheck.reporting.evaluation import Stage, mass
from pomgcheck.reporting.pages import certificates
from pomgcheck.reporting.pages.readings import table
from pomgcheck.reporting.render import text
from pomgcheck.reporting.rules import box as boxes
from pomgcheck.reporting.spans import Math
from tests.kernel.posteriors import reference_posteriors
from tests.kernel.trajectories import is_square_error, trajectories

ROOT = Path(__file__).parents[2]
CLASSES = [
    "certificates/patrol",
    "certificates/confounded",
    "certificates/early-mover",
    "tests/accepted/two-observations",
    "tests/accepted/whole-histories",
    "tests/accepted/drift-history",
    "tests/accepted/split-joint",
    "tests/accepted/drift-summed",
]


def read(name: str) -> dict[str, Any]:
    """A certificate of the gallery or of the goldens."""
    found: dict[str, Any] = json.loads((ROOT / f"{name}.cert.json").read_bytes())
    return found


def words(cert: dict[str, Any], claim: str) -> str:
    """The explanation of a claim on one line."""
    return " ".join(explain(cert, claim, width=400).split())


def exact(point: Any) -> dict[str, str]:
    """A parameter point of a game as the certificate writes it."""
    return {name: str(value) for name, value in point.items()}


@pytest.mark.parametrize("name", CLASSES)
def test_laws_and_differences_are_the_kernels(name: str) -> None:
    """For every policy and two models, the law of play and the sums of operator differences equal the kernel's own."""
    cert = read(name)
    game = Game(cert["model"])
    facts = Facts(game, read_options(cert["options"], game))
    assert game.thetas is not None
    assert game.phis is not None
    last = len(game.worlds) - 1, len(game.responses) - 1
    models = [Xi(exact(game.thetas[i]), exact(game.phis[k])) for i, k in ((0, 0), last)]
    for p, pi in enumerate(game.policy_names):
        stage, play = Stage(Certificate(cert), models, pi), facts.plays[p]
        assert stage.small
        for x, xi in enumerate(((0, 0), last)):
            kernel = {
                sequence: weight * law[play.alike[xi]]
                for sequence, (weight, law) in trajectories(play).items()
                if law[play.alike[xi]]
            }
            ours = {
                tuple((game.A if k % 2 else game.OA).index(label) for k, label in enumerate(t)): chance
                for t, chance in stage.law(x).items()
                if chance
            }
            assert kernel == ours
        for world in (False, True):
            other = last[0] if world else last
            found = stage.differences(0, 1, world)
            assert is_square_error(sum(chance * gap**2 for _, chance, gap in found), play, (0, 0), other)
            assert play.error((0, 0), other) == sum(chance * gap for _, chance, gap in found)


@pytest.mark.parametrize("name", [name for name in CLASSES if "accepted/two" not in name and "split" not in name])
def test_posteriors_are_the_kernels(name: str) -> None:
    """At every adversary history of positive probability the posterior of the learner's action equals the kernel's."""
    cert = read(name)
    game = Game(cert["model"])
    facts = Facts(game, read_options(cert["options"], game))
    assert game.thetas is not None
    assert game.phis is not None
    xi = Xi(exact(game.thetas[0]), exact(game.phis[0]))
    for p, pi in enumerate(game.policy_names):
        stage = Stage(Certificate(cert), [xi], pi)
        for level in reference_posteriors(game, facts.scaled, 0, p, facts.mu):
            for eta, posterior in level.items():
                tau = [(game.B if k % 2 else game.OB)[x] for k, x in enumerate(eta)]
                masses = stage.posterior_masses(0, tau, facts.mu)
                assert list(posterior) == [x / sum(masses) for x in masses]


@pytest.mark.parametrize("name", ["certificates/patrol", "tests/accepted/two-observations"])
def test_window_laws_are_the_kernels(name: str) -> None:
    """From every pure state the law of the window equals the kernel's, of one observation and of two."""
    cert = read(name)
    game = Game(cert["model"])
    facts = Facts(game, read_options(cert["options"], game))
    assert game.thetas is not None
    assert game.phis is not None
    kappa, scaled = cert["options"]["kappa"], facts.scaled
    xi = Xi(exact(game.thetas[-1]), exact(game.phis[0]))
    for p, pi in enumerate(game.policy_names):
        stage = Stage(Certificate(cert), [xi], pi)
        for s, memory in stage.pure_states(0):
            q = {(s, tuple(map(game.OB.index, memory))): 1}
            kernel = window_law(
                facts.space, scaled.worlds[-1], scaled.responses[0][p], scaled.policies[p], 0, kappa, (), 0, 0, q
            )
            ours = stage.window_law(0, 0, kappa, (), game.OA[0], game.A[0], {(s, memory): Fraction(1)})
            seen = {tuple(map(game.OA.index, window)): chance for window, chance in ours.items() if chance}
            total = sum(kernel.values())
            assert {window: Fraction(n, total) for window, n in kernel.items()} == {
                window: chance / mass(seen) for window, chance in seen.items()
            }


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("posterior-lipschitz", "So the answers move (1/5) / (4947/12220) = 2444/4947 ≈ 0.494037 times as far"),
        ("posterior-lipschitz", "posterior over (idle, patrol) 4947/24440 ≈ 0.202414, 19493/24440 ≈ 0.797586 0, 1"),
        ("weak-revealing", "calm and calm 119/1000 289/1000 119/1000 0"),
        ("weak-revealing", "They differ by 7/100 in ℓ₁, and (W^θ − W^θ′) q has the norm 17/100, so that the ratio"),
        ("covering", "They are 3 × 2 = 6: 3 worlds and 2 responses."),
        ("bounded-increments", "product – – 72/625 22661/320000 ≈ 0.0708156 36864/22661 ≈ 1.62676"),
        ("kl-joint", "so their quotient lies between 0.728985869 and 0.728985870; c^J_KL is certified"),
        ("kl-world", "sum 30615158895357/899578900000000 ≈ 0.0340328"),
        ("eluder-world", "2 idle 0.1 + 0.103964 + 0.104235 0.308199 0.0949865"),
    ],
)
def test_patrol_worked_out(claim: str, sentence: str) -> None:
    """The value of each claim follows from the numbers written under it."""
    assert sentence in words(read("certificates/patrol"), claim)


@pytest.mark.parametrize("path", sorted(ROOT.glob("certificates/*.cert.json")), ids=lambda path: path.name[:-10])
def test_every_calculation_ends_at_the_certified_value(path: Path) -> None:
    """Over the gallery: no slack is negative, L and the smallest ratio are attained exactly, and B_0 is the product."""
    cert = Certificate.load(path)
    for claim in cert.claims.values():
        if claim.verdict != "proved":
            continue
        blocks = claims.worked_out(cert, claim)
        shown = text.render(blocks, width=10_000)
        tables = {block.caption: block for block in blocks if isinstance(block, Table)}
        if claim.id == "posterior-lipschitz" and blocks:
            assert claim.values.written["L_upper"] in shown
        if claim.id == "weak-revealing" and "so that the ratio is" in shown:
            assert claim.values.written["alpha_upper"] in shown
        if claim.id == "bounded-increments" and claim.evidence["rule"] == "eval" and tables:
            last = text.plain(next(iter(tables.values())).rows[-1][-1])
            assert claim.values.written["B0_upper"]["log_of"] == last.split()[0]
        for row in next((t.rows for name, t in tables.items() if name.startswith("Its inequalities")), ()):
            assert not text.plain(row[-1]).startswith("-")


def test_a_large_class_is_left_to_its_certificate() -> None:
    """The digits have too many observations to sum by hand: no law of play is written out."""
    digits = Certificate(read("certificates/digits"))
    shown = text.render(
        [b for c in digits.claims.values() if c.verdict == "proved" for b in claims.worked_out(digits, c)]
    )
    assert "The laws of play" not in shown


def test_counterexamples_show_both_laws() -> None:
    """A refuted conversion writes out the one law of play; an impossible trajectory the chance of each observation."""
    shown = words(read("certificates/final-step"), "kl-joint")
    assert "The one law of play" in shown
    shown = words(read("certificates/impossible-trajectory"), "predictive-states")
    assert "The probability of each observation, given what came before it" in shown


coefficients = st.fractions(min_value=-4, max_value=4, max_denominator=6)
monomials = st.lists(st.sampled_from(["theta.x", "Phi.y"]), max_size=4).map(lambda names: tuple(sorted(names)))
sides = st.fractions(min_value=-2, max_value=2, max_denominator=8)
ends = st.lists(sides, min_size=2, max_size=2, unique=True).map(sorted)


@given(st.dictionaries(monomials, coefficients, min_size=1, max_size=5), ends, ends, st.data())
def test_bernstein_coefficients_enclose(terms: boxes.Terms, x: list[Fraction], y: list[Fraction], data: Any) -> None:
    """On its box a polynomial lies between its least and greatest Bernstein coefficients; corners are among them."""
    box = {"theta.x": (x[0], x[1]), "Phi.y": (y[0], y[1])}
    found = boxes.bernstein(terms, box)
    t, u = (data.draw(st.fractions(min_value=0, max_value=1, max_denominator=8)) for _ in range(2))

    def value(t: Fraction, u: Fraction) -> Fraction:
        at = {"theta.x": x[0] + t * (x[1] - x[0]), "Phi.y": y[0] + u * (y[1] - y[0])}
        total = Fraction(0)
        for key, size in terms.items():
            for name in key:
                size *= at[name]
            total += size
        return total

    assert min(found) <= value(t, u) <= max(found)
    assert {value(Fraction(0), Fraction(0)), value(Fraction(1), Fraction(1))} <= set(found)


def test_the_tree_of_a_goal_is_summarised() -> None:
    """Leaves by kind, the goal with most of them, and its tightest leaf with its Bernstein coefficients."""
    shown = words(read("tests/accepted/interval-splits"), "predictive-states")
    assert "1 goal with a tree, 2 leaves, at most 1 cut deep" in shown
    assert "has 2 leaves. The tightest leaf is x in [0, 1/2]: its Bernstein coefficients run from 1/4 = 0.25" in shown
    assert "to 1. The goal is 1 − 4x + 8x² − 8x³ + 4x⁴ > 0." in shown


@given(st.lists(st.tuples(coefficients, st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=4))
def test_entries_of_kernels_keep_their_value(parts: list[tuple[Fraction, int, int]]) -> None:
    """An entry written in order is the same polynomial as in the document."""
    source = "+".join(f"({size.numerator})/{size.denominator}*x^{m}*y^{n}" for size, m, n in parts)
    (shown,) = kernels.entry(source, ["x", "y"])
    if not isinstance(shown, Math):
        return  # cut short
    readable = shown.source.replace("−", "-").replace("{", "").replace("}", "")
    again = "".join(
        "*" if k and c == " " and readable[k - 1] not in "+-" and readable[k + 1] not in "+-" else c
        for k, c in enumerate(readable)
    )
    again = again.replace(" ", "")
    for digit in "0123456789":
        again = again.replace(f"{digit}x", f"{digit}*x").replace(f"{digit}y", f"{digit}*y")
    point = {"x": Fraction(3, 7), "y": Fraction(-2, 5)}
    assert evaluate(source, point, "") == evaluate(again, point, "")


def test_the_class_is_typeset() -> None:
    """The report shows kernels with their parameters, and says of a long table that it is in the document."""
    blocks = certificates.document(Certificate(read("certificates/patrol"))).blocks
    shown = text.render(blocks, width=200)
    assert "calm   idle     wait       9/10 − x   1/10 + x" in shown
    assert "on-alarm  anything     1/2 + y/2  1/2 − y/2" in shown
    long = text.render(certificates.document(Certificate(read("certificates/tiger"))).blocks, width=200)
    assert "36 rows of 6 entries, in the document" in long


def test_summed_operators_are_told_of() -> None:
    """A certificate with sums says so wherever it tells what operators are compared at, and needs no p_min; one without
    says nothing of them."""
    summed, realised = read("tests/accepted/drift-summed"), read("tests/accepted/drift")
    for claim, told in (
        ("kl-joint", "differences at all observations and actions are summed"),
        ("eluder-world", "Errors are summed over all observations"),
    ):
        assert told in words(summed, claim)
        assert "summed" not in words(realised, claim)
    assert "3.1e:operators=summed" in str(table(Certificate(summed)))
    assert "p_min 1, since no observation is uncertain or operators are summed 1" in words(summed, "constants")
    assert "least probability of a possible observation" in words(realised, "constants")
