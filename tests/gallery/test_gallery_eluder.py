"""The classes of Proposition 2.6 and of Section 4 have the constants they are there for, found by plain enumeration."""

import json
from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import gallery
from pomgcheck.kernel.reading import read_json
from tests.gallery import brute

CERTIFICATES = Path(__file__).parents[2] / "certificates"
SCALE = F(1, 2 * 16384)
ELUDER = ("eluder-world", "eluder-adversary")

EXPECTED = {  # d_W, p_W, d_G, p_G, transition rank, affine
    "bilinear": ("3", "3", "1", "1", 2, False),
    "digits": ("2", "2", "1", "1", 12, False),
    "kuhn": ("1", "1", "1", "1", 24, True),
    "labelled": ("0", "1", "0", "0", 2, True),
    "linear": ("4", "2", "1", "1", 3, True),
    "low-rank": ("4", "2", "1", "1", 2, True),
    "patrol": ("2", "1", "1", "1", 2, True),
    "routes": ("4", "4", "0", "0", 4, True),
    "tiger": ("2", "1", "1", "1", 6, True),
}


@pytest.fixture(scope="module", params=EXPECTED)
def searched(request: pytest.FixtureRequest) -> tuple[str, dict[str, Any]]:
    """A class and its two claims, of the kept certificate: test_certificates shows that it is made again the same."""
    name = request.param
    claims = {claim["id"]: claim for claim in read_json((CERTIFICATES / f"{name}.cert.json").read_bytes())["claims"]}
    return name, {claim: claims[claim] for claim in ELUDER}


def test_every_certified_class_has_its_constants() -> None:
    """None is left out."""
    assert set(gallery.names("certified")) == set(EXPECTED)


def test_constants(searched: tuple[str, dict[str, Any]]) -> None:
    """Brackets are closed and as expected; so are ranks and coordinate structure."""
    name, claims = searched
    world, adversary = (claims[claim]["values"] for claim in ELUDER)
    assert (world["d_W_lower"], adversary["d_G_lower"]) == (world["d_W_upper"], adversary["d_G_upper"])
    shown = json.loads(claims["eluder-world"]["search"]["structure"])
    found = (
        world["d_W_upper"],
        world["p_W"],
        adversary["d_G_upper"],
        adversary["p_G"],
        shown["transition_rank"],
        shown["affine"],
    )
    assert EXPECTED[name] == found


@pytest.mark.parametrize("name", ["bilinear", "linear", "low-rank", "patrol", "routes"])
def test_dimensions_by_their_definition(name: str) -> None:
    """Every ordered sequence of policies, at every scale, for every true model: the suprema of Section 2.6."""
    game = gallery.load(name).game
    found = [0, 0]
    for star in brute.models(game):
        errors = [brute.channel_errors(game, star, p, joint_too=False) for p in range(len(game.policies))]
        for channel in (0, 1):
            table = list(zip(*(by_policy[channel] for by_policy in errors), strict=True))
            found[channel] = max(found[channel], brute.eluder_dimension(table, SCALE))
    assert [int(EXPECTED[name][0]), int(EXPECTED[name][2])] == found


def test_routes_err_where_they_are_taken() -> None:
    """Section 4: the witness of a route errs by exactly the gap under its policy and nowhere else."""
    game = gallery.load("routes").game
    assert game.thetas is not None
    names = list(game.thetas[0])
    plain = next(i for i, theta in enumerate(game.thetas) if not any(theta.values()))
    for i, theta in enumerate(game.thetas):
        for p, policy in enumerate(game.policy_names):
            world, _, _ = brute.channel_errors(game, (plain, 0), p, joint_too=False)
            assert F(1, 4) * theta[policy] == world[i]
    assert sorted(names) == sorted(game.policy_names)


def test_a_product_of_unknowns_spans_more_than_its_parameters() -> None:
    """The bilinear class has two parameters and differences that span three dimensions; its sister's span two."""
    spans = {
        name: (EXPECTED[name][1], len(gallery.document(name)["worlds"]["parameters"]))
        for name in ("bilinear", "low-rank")
    }
    assert {"bilinear": ("3", 2), "low-rank": ("2", 2)} == spans


@pytest.mark.parametrize("name", ["bilinear", "linear", "low-rank", "routes"])
def test_other_assumptions(name: str) -> None:
    """No response moves where posteriors agree, no trajectory is impossible in one model only, and KL converts."""
    game = gallery.load(name).game
    assert isinstance(brute.lipschitz(game), F)
    assert isinstance(brute.increments(game), F)
    assert all(constant > 0 for constant, _ in brute.conversion(game).values())
