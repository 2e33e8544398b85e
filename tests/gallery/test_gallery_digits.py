"""The digits class: what the shipped file says, that the corpus gives it again, and which assumptions it meets."""

import math
from fractions import Fraction as F
from itertools import combinations, product

import pytest

from certificates.digits_corpus import build
from pomgcheck import gallery
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.modelclass.model import ModelClass
from tests.gallery import brute


@pytest.fixture(scope="module")
def shipped() -> ModelClass:
    return gallery.load("digits")


@pytest.fixture(scope="module")
def game(shipped: ModelClass) -> Game:
    return shipped.game


def named(game: Game, p: int) -> list[int]:
    """The digit a rule names on each cell."""
    return [row.index(1) for row in game.policies[p][1][1:17]]


def test_the_shipped_file_is_canonical(shipped: ModelClass) -> None:
    """Loading the shipped document changes nothing in it."""
    assert canonical_bytes(gallery.document("digits")) == canonical_bytes(shipped.document)


def test_the_corpus_gives_the_shipped_file(shipped: ModelClass) -> None:
    """Principal components, quartiles, counts, rules and tilts come out of scikit-learn's corpus as shipped."""
    pytest.importorskip("sklearn")
    assert shipped.sha256 == load(build()).sha256


def test_emissions_are_counts_plus_one(game: Game) -> None:
    """A class of n images has emissions k/(n+16), k >= 1, under every camera: every cell can show every class."""
    sizes = [178, 182, 177, 183, 181, 182, 181, 179, 174, 180]
    for world in game.worlds:
        for digit, size in enumerate(sizes):
            row = world.EA[1][1 + digit]
            counts = [p * (size + 16) for p in row[1:17]]
            assert all(count.denominator == 1 and count >= 1 for count in counts)
            assert sum(counts) == size + 16


def test_the_tilt_is_softmax_of_the_errors_rounded_to_40_bits(game: Game) -> None:
    """At tilt 2 the opponent picks a digit with probability exp(2 error)/sum within 2^-40; at tilt 0 uniformly."""
    first_channel = game.worlds[0].EA[1]
    for p in range(len(game.policies)):
        rule = named(game, p)
        errors = [1 - sum(first_channel[1 + s][1 + o] for o in range(16) if rule[o] == s) for s in range(10)]
        weights = [math.exp(2 * float(error)) for error in errors]
        assert game.responses[0][p][0][0] == (F(1, 10),) * 10
        for weight, probability in zip(weights, game.responses[1][p][0][0], strict=True):
            assert abs(weight / sum(weights) - float(probability)) <= 2**-40
            assert (probability * 2**40).denominator == 1


def test_every_camera_has_its_own_best_rule(game: Game) -> None:
    """The best rule is the one made for the camera, for either opponent; a rule's value is its tilted mean accuracy."""
    best = {}
    assert game.thetas is not None
    assert game.phis is not None
    for theta, phi in brute.models(game):
        values = {}
        for p, name in enumerate(game.policy_names):
            rule, rho, channel = named(game, p), game.responses[phi][p][0][0], game.worlds[theta].EA[1]
            values[name] = sum(rho[rule[o]] * channel[1 + rule[o]][1 + o] for o in range(16))
        best[str(game.thetas[theta]["camera"]), str(game.phis[phi]["tilt"])] = max(values, key=values.__getitem__)
        if (theta, phi) == (1, 1):
            assert values["rule-13"] == brute.value(game, (1, 1), game.policy_names.index("rule-13"))
    assert best == {(camera, tilt): f"rule-{camera}" for camera in ("12", "13", "23") for tilt in ("0", "2")}


def test_the_rules_differ(game: Game) -> None:
    """No two of the six rules have the same table."""
    assert len({tuple(named(game, p)) for p in range(6)}) == 6


def test_the_step_form_of_2_3_is_refuted_and_the_policy_form_holds(game: Game) -> None:
    """The opponent picks the digit before any rule speaks, when all posteriors agree; the policy form has L = 0.368."""
    assert brute.lipschitz(game) == (0, 0, 1, ((), 0))
    assert brute.lipschitz(game, "policy") == F(26513599390485, 72018011619328)


def test_the_literal_form_of_2_4_is_refuted(game: Game) -> None:
    """Cameras differ in the current emission alone: at a known digit the verdict is the same under both."""
    q = brute.mixture({1 + 3: F(1)})
    found = brute.revealing(game, (0, 1), 0, 0, 1, 1, 3, q)
    assert found is not None
    signal, changed = found
    assert signal == 0
    assert changed > 0


def test_the_joint_form_of_2_4_is_one_tenth(game: Game) -> None:
    """A change counts once for each of ten opponent actions in W and once in what is seen: the ratio is always 1/10."""
    weights = [{4: F(1)}, {1 + s: F(1, 10) for s in range(10)}, {1: F(1, 7), 2: F(2, 7), 9: F(4, 7)}]
    mixtures = [brute.mixture(q) for q in weights]
    changes = 0
    for q, worlds, (o, a) in product(mixtures, combinations(range(3), 2), ((1, 0), (7, 8), (16, 4))):
        found = brute.revealing(game, worlds, 1, 0, 1, o, a, q, form="joint")
        assert found is not None
        assert found[0] == found[1] / 10
        changes += found[1] > 0
    assert changes >= 20


def test_models_are_told_apart_under_every_rule(game: Game) -> None:
    """Any two models give different laws of play under each rule, of the same support; B_0 is the log of 351.16."""
    for p in range(6):
        laws = [brute.law(game, xi, p) for xi in brute.models(game)]
        assert all(first != second for first, second in combinations(laws, 2))
    assert brute.increments(game) == F(6047313952768, 17221088749)


def test_kl_conversion_at_its_worst_models(game: Game) -> None:
    """Quotients of 3.1(e): 0.117924 for two tilts under rule-23 (joint), 1.133888 for two cameras under worn-13."""

    def quotient(clause: int, xi_star: brute.Xi, xi: brute.Xi, p: int) -> float:
        kl = brute.divergence(brute.law(game, xi_star, p), brute.law(game, xi, p))
        return kl / float(brute.operator_errors(game, xi_star, p)[xi][clause])

    assert math.isclose(0.117924021, quotient(0, (0, 1), (0, 0), 2), rel_tol=1e-8)
    assert math.isclose(1.133888157, quotient(1, (1, 1), (2, 0), 4), rel_tol=1e-8)
