"""Assumptions 2.4 and 3.1(e) on interval axes: brackets that no sampled pair leaves, refutations at points."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from pomgcheck.gallery import bandit
from pomgcheck.gallery import load as gallery_class
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.facts import plays_of
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import canonical_bytes, read_json
from pomgcheck.modelclass.document import load
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.search.box_trees import BoxTree
from pomgcheck.search.certify import certify
from pomgcheck.search.claims import kl_intervals
from pomgcheck.search.claims.kl import kl_conversion
from pomgcheck.search.claims.kl_comparisons import Comparison
from pomgcheck.search.pairs import Divisors, Region, charts
from pomgcheck.search.play import played
from tests.gallery import brute
from tests.repo.source import ROOT
from tests.search import continua
from tests.search.sampling import sampled

KEPT = ("confounded-curve", "odds", "patrol-interval", "relabelled-interval")  # their certificates are committed
OF_TESTS = {"parabola": continua.parabola, "sensor": continua.sensor, "triangle": continua.triangle}
CLAIMS = ("weak-revealing", "kl-joint", "kl-world")
NEAR = (None, Fraction(1, 10**3), Fraction(1, 10**6))


@cache
def certificate(name: str) -> dict[str, Any]:
    """A certificate that the kernel accepts."""
    if name in KEPT:
        return dict(read_json((ROOT / "certificates" / f"{name}.cert.json").read_bytes()))
    made = certify(load(OF_TESTS[name]()) if name in OF_TESTS else gallery_class(name), only=CLAIMS).document
    assert verify_bytes(canonical_bytes(made)).accepted
    return made


def game_of(name: str) -> Game:
    return Game(certificate(name)["model"])


def claims(name: str) -> dict[str, Any]:
    """Its entries by claim."""
    return {claim["id"]: claim for claim in certificate(name)["claims"]}


def test_the_bandit_converts_at_two_and_reveals_nothing() -> None:
    """c_KL = 2 within a thousandth, joint and world; the operators of the first step coincide, so 2.4 is vacuous."""
    found = claims("bandit-3")
    assert ["vacuous", "proved", "proved"] == [found[claim]["verdict"] for claim in CLAIMS]
    for clause in ("joint", "world"):
        low, high = (Fraction(found[f"kl-{clause}"]["values"][f"c_KL_{clause}_{side}"]) for side in ("lower", "upper"))
        assert 2 - Fraction(1, 500) < low <= 2 <= high < 2 + Fraction(1, 500)


@pytest.mark.parametrize(("name", "refuted"), [("confounded-curve", CLAIMS[2:]), ("relabelled-interval", CLAIMS)])
def test_confounded_models_are_found(name: str, refuted: tuple[str, ...]) -> None:
    """On a curve, or by a symmetry, two exact points of the class refute what they should and nothing else."""
    assert {*refuted} == {claim for claim in CLAIMS if claims(name)[claim]["verdict"] == "refuted"}


@pytest.mark.parametrize(("name", "near", "seed"), [*product(("bandit-3", "patrol-interval", "odds"), NEAR, range(2))])
def test_no_sampled_pair_lies_below_the_bounds(name: str, near: Fraction | None, seed: int) -> None:
    """By brute force at random points and at pairs near the diagonal: KL and signal are as large as certified."""
    game, found = sampled(Game(certificate(name)["model"]), 3, seed, near), claims(name)
    if near is None or near > Fraction(1, 10**4):  # floats cannot see smaller divergences
        for clause, (ratio, _) in brute.conversion(game).items():
            entry = found[f"kl-{clause}"]
            if entry["verdict"] == "proved":
                assert float(Fraction(entry["values"][f"c_KL_{clause}_lower"])) <= ratio * (1 + 1e-6)
    if found["weak-revealing"]["verdict"] == "proved":

        def vectors(h: int) -> list[brute.Vector]:
            pure = [{state: Fraction(1)} for state in brute.pure_states(game, h, "window")]
            return [*pure, {state: Fraction(1, len(pure)) for q in pure for state in q}]

        least = brute.revealing_at(game, vectors)
        assert least is None or Fraction(found["weak-revealing"]["values"]["alpha_lower"]) <= least


def second_order(star: dict[Any, Fraction], here: dict[Any, Fraction]) -> Fraction:
    """The rational number that rule ``pairs`` bounds, no larger than KL: sum of 3 (P - P*)^2/(2 P* + 4 P)."""
    keys = [key for key in {*star, *here} if star.get(key, 0) or here.get(key, 0)]
    pairs = [(star.get(key, Fraction(0)), here.get(key, Fraction(0))) for key in keys]
    return sum((3 * (q - p) ** 2 / (2 * p + 4 * q) for p, q in pairs), Fraction(0))


def least_exact_ratio(game: Game) -> dict[str, Fraction]:
    """By brute force over all pairs and policies, for both clauses."""
    least: dict[str, Fraction] = {}
    for p in range(len(game.policies)):
        laws = {xi: brute.law(game, xi, p) for xi in brute.models(game)}
        for star in laws:
            for xi, errors in brute.operator_errors(game, star, p, "window").items():
                for clause, error in zip(("joint", "world"), errors, strict=True):
                    if error > 0:
                        ratio = second_order(laws[star], laws[xi]) / error
                        least[clause] = min(ratio, least.get(clause, ratio))
    return least


LONG = [pytest.param(name, marks=pytest.mark.slow) for name in ("sensor", "triangle")]  # a minute or more to certify


@pytest.mark.parametrize("near", [None, Fraction(1, 10**3), Fraction(1, 10**9)])
@pytest.mark.parametrize("name", ["parabola", *LONG])
def test_no_sampled_pair_lies_below_the_bounds_in_exact_numbers(name: str, near: Fraction | None) -> None:
    """Pairs as near as 1e-9 have no smaller ratio than certified, in rational arithmetic throughout."""
    for seed in range(3):
        game = sampled(game_of(name), 3, seed, near)
        for clause, ratio in least_exact_ratio(game).items():
            assert Fraction(claims(name)[f"kl-{clause}"]["values"][f"c_KL_{clause}_lower"]) <= ratio


@pytest.mark.parametrize("near", [Fraction(1, 10), Fraction(1, 10**5), Fraction(1, 10**9)])
def test_models_with_nearly_equal_tables_far_apart_have_no_smaller_ratio(near: Fraction) -> None:
    """x and 1-x are one model of the parabola: at x and 1-x+near both sides nearly vanish, and both brackets hold."""
    for x in (Fraction(1, 7), Fraction(2, 5), Fraction(3, 4)):
        points = [{"x": str(x)}, {"x": str(1 - x + near)}]
        game = game_of("parabola").subclass(points, [{}])
        for clause, ratio in least_exact_ratio(game).items():
            assert Fraction(claims("parabola")[f"kl-{clause}"]["values"][f"c_KL_{clause}_lower"]) <= ratio
        least = brute.revealing_at(game, lambda h: [{s: Fraction(1)} for s in brute.pure_states(game, h, "window")])  # noqa: B023
        assert least is None or Fraction(claims("parabola")["weak-revealing"]["values"]["alpha_lower"]) <= least


@pytest.mark.parametrize(
    ("name", "width"), [("parabola", Fraction(1, 50)), pytest.param("triangle", Fraction(1, 8), marks=pytest.mark.slow)]
)
def test_what_vanishes_far_from_the_diagonal_is_bracketed(name: str, width: Fraction) -> None:
    """Where different parameters give one model, by a symmetry or along a line of constant x + y, the common factor of
    all differences is divided out."""
    for claim, value in zip(CLAIMS, ("alpha", "c_KL_joint", "c_KL_world"), strict=True):
        entry = claims(name)[claim]
        if entry["verdict"] != "vacuous":
            low, high = (Fraction(entry["values"][f"{value}_{side}"]) for side in ("lower", "upper"))
            assert high * (1 - width) < low <= high
            assert "'over'" in str(entry["evidence"]["trees"])


def test_floats_that_promise_too_much_leave_the_claim_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes said to show everything are refused by the kernel; the bracket and the box are told."""

    def everything(self: Comparison, low: Any, high: Any, most: float) -> Any:
        return np.full(len(low), most), np.zeros(len(low))

    monkeypatch.setattr(Comparison, "examine", everything)
    monkeypatch.setattr(kl_intervals, "EFFORT", ((1 / 100, 40),))
    certificate = certify(gallery_class("drifts"), only=("kl-joint",))
    found = certificate.entries["kl-joint"]
    assert "unknown" == found["verdict"]
    assert "between 0 and c_KL_joint_upper = " in found["search"]["method"]
    assert "theta.x in [1/20, 3/20]" in found["search"]["method"]
    assert "c_KL_joint_upper" in found["search"]
    assert verify_bytes(canonical_bytes(certificate.document)).accepted


def test_floats_a_little_off_cost_a_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value a thousandth above what the boxes show is stated one percent lower, and proved."""
    monkeypatch.setattr(kl_intervals, "STATED", Fraction(-1, 1000))
    found = certify(load(bandit.document(2)), only=("kl-joint",)).entries["kl-joint"]
    assert "proved" == found["verdict"]
    low, high = (Fraction(found["values"][f"c_KL_joint_{side}"]) for side in ("lower", "upper"))
    assert Fraction(98, 100) * high < low < Fraction(995, 1000) * high


# ------------------------------------------------------------------------------------------ where boxes degenerate


def found(document: dict[str, Any], *only: str) -> dict[str, Any]:
    """Claims of a class, in a certificate that the kernel accepts."""
    certificate = certify(load(document), only=only)
    assert verify_bytes(canonical_bytes(certificate.document)).accepted
    return certificate.entries


def test_an_interval_of_one_point_never_moves() -> None:
    """With x fixed by its interval y alone is unknown; with both fixed there is nothing to compare."""
    half = continua.sensor(x=("1/8", "1/8"), y=("1/4", "1/2"))
    assert {"proved"} == {entry["verdict"] for entry in map(found(half, *CLAIMS).get, CLAIMS) if entry}
    none = continua.sensor(x=("1/8", "1/8"), y=("1/4", "1/4"))
    assert {"vacuous"} == {entry["verdict"] for entry in map(found(none, *CLAIMS).get, CLAIMS) if entry}


@pytest.mark.parametrize("document", [continua.touching, continua.fading])
def test_models_that_rule_out_what_others_allow_convert_all_the_same(document: Any) -> None:
    """Where a probability vanishes at an end of the interval c_KL is bracketed within a percent, and no sampled pair
    lies below it."""
    claims = found(document(), "kl-joint", "kl-world")
    games = [sampled(load(document()).game, 3, seed, near) for seed, near in product(range(2), NEAR[:2])]
    for clause in ("joint", "world"):
        low, high = (Fraction(claims[f"kl-{clause}"]["values"][f"c_KL_{clause}_{side}"]) for side in ("lower", "upper"))
        assert Fraction(99, 100) * high < low <= high
        for game in games:
            assert low <= brute.conversion(game)[clause][0] * (1 + 1e-6)


@pytest.mark.parametrize(
    ("document", "node", "upper"),
    [(continua.sensor, "factor", "2/3"), (continua.tied, "factor", "2/3"), (continua.crossing, "cut", "3/10")],
)
def test_mixtures_that_cancel_are_cleared(document: Any, node: str, upper: str) -> None:
    """Where states move in opposite directions, a matrix or cuts of the simplex clear every mixture, and no pair and
    mixture sampled lies below the bracket."""
    entry = found(document(), "weak-revealing")["weak-revealing"]
    assert f"'{node}'" in str(entry["evidence"]["trees"])
    low, high = (Fraction(entry["values"][f"alpha_{side}"]) for side in ("lower", "upper"))
    assert 0 < low <= high <= Fraction(upper)

    def vectors(h: int, game: Game) -> list[brute.Vector]:
        left, right = ({state: Fraction(1)} for state in brute.pure_states(game, h, "window"))
        shares = [Fraction(k, 24) for k in range(25)]
        return [{**dict.fromkeys(left, 1 - t), **dict.fromkeys(right, t)} for t in shares]

    for seed, near in product(range(2), NEAR):
        game = sampled(load(document()).game, 3, seed, near)
        least = brute.revealing_at(game, lambda h, game=game: vectors(h, game))  # type: ignore[misc]
        assert least is None or low <= least


def test_what_brews_takes_two_observations() -> None:
    """With one observation two worlds look alike, with two alpha is bracketed within a millionth, and a finite class
    inside has no smaller one."""
    model = gallery_class("brewing")
    one, two = (certify(model, only=("weak-revealing",), kappa=kappa).entries["weak-revealing"] for kappa in (1, 2))
    assert "refuted" == one["verdict"]
    low, high = (Fraction(two["values"][f"alpha_{side}"]) for side in ("lower", "upper"))
    assert high - Fraction(1, 10**6) < low <= high
    inside = certify(load_points(model, "x", "1/4", "1/3", "1/2"), only=("weak-revealing",), kappa=2)
    assert low <= Fraction(inside.entries["weak-revealing"]["values"]["alpha_upper"])


def load_points(model: ModelClass, name: str, *values: str) -> ModelClass:
    """The finite class of some values of a world's parameter."""
    worlds = {**model.document["worlds"], "parameters": {name: {"values": list(values)}}}
    return load({**model.document, "worlds": worlds})


def test_constraints_that_leave_one_point_end_unknown() -> None:
    """The region is a point although its axes have length; no two models are found, and that is said."""
    document = continua.sensor(x=("1/8", "3/8"), y=("3/8", "1/2"))
    document["worlds"]["constraints"] = ["y - x <= 0"]
    claims = found(document, "weak-revealing", "kl-joint")
    assert "no two worlds found whose ratio is bracketed" == claims["weak-revealing"]["search"]["method"]
    assert "no two models found whose ratio is defined" == claims["kl-joint"]["search"]["method"]


def test_boxes_have_a_least_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no box shows anything the search ends at the smallest, and names it with the bracket."""

    def nothing(self: Comparison, low: Any, high: Any, most: float) -> Any:
        shows = (low > 0).any(1)
        return np.where(shows, most, -1.0), np.where(shows, 0.0, -1.0)

    monkeypatch.setattr(Comparison, "examine", nothing)
    method = found(continua.touching(), "kl-joint")["kl-joint"]["search"]["method"]
    assert "between 0 and 50000000001/25000000000" in method
    assert "theta.x in [0, 4.65661e-10], theta.x' in [0, 4.65661e-10]" in method


def test_a_lower_bound_is_shown_by_a_tree_of_its_own() -> None:
    """Where boxes show one less their width, a tree that was grown for more is replaced by the two halves that show a
    half, and keeps its own boxes."""
    (chart,) = charts(Region({"theta.x": (Fraction(0), Fraction(1))}, []), Region({}, []), Divisors())

    def examine(low: Any, high: Any, most: float) -> Any:
        value = np.minimum(1 - (high - low)[:, 0], most)
        return value, value - most

    tree = BoxTree(chart, lambda points: points[:, 0], examine)
    assert 7 / 8 == tree.grow(7 / 8, 100)
    smaller = tree.smaller(1 / 2)
    assert ["split", "theta.x", "1/2", ["box"], ["box"]] == smaller.evidence()
    assert [2, 8] == [len(smaller.value), len(tree.value)]
    assert tree is tree.smaller(7 / 8)


@pytest.mark.parametrize("claim", ["kl-joint", "kl-world"])
@pytest.mark.parametrize(
    ("document", "options"),
    [(continua.parabola(), {"operators": "summed"}), (continua.cells(), {})],
    ids=["operators summed", "models of two cells"],
)
def test_the_constant_is_that_of_finite_classes(document: Any, options: dict[str, Any], claim: str) -> None:
    """The two models at which the constant is attained have it by themselves, and no finite class of points of the
    class, near one another or not, has less than what is proved; also where operators are summed over all pairs that
    may follow, and where models of two cells are compared."""
    model, name = load(document), f"c_KL_{claim.removeprefix('kl-')}"
    entry = certify(model, only=[claim], **options).entries[claim]
    lower, upper = (Fraction(entry["values"][f"{name}_{end}"]) for end in ("lower", "upper"))
    assert 0 < lower <= upper <= lower * Fraction(11, 10)

    def alone(game: Game) -> Fraction:
        found = kl_conversion(game, played(game, "history", 10**6, plays_of(options)), claim == "kl-world")
        return Fraction(found.values.get(f"{name}_upper", upper))

    xi, star = entry["evidence"]["attained"]["xi"], entry["evidence"]["attained"]["xi_star"]
    assert upper == alone(model.game.subclass([star["theta"], xi["theta"]], [star["Phi"], xi["Phi"]]))
    for seed, near in enumerate([None, None, Fraction(1, 10**3)]):
        assert lower <= alone(sampled(model.game, 2, seed, near))
