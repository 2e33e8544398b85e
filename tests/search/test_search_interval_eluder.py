"""Eluder brackets and the explicit bound on interval axes: true at sampled finite classes, and computed otherwise."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from pomgcheck import gallery
from pomgcheck.kernel.bound import SHARP
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.eluder import Channel
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import Scaled, Space
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.reading import canonical_bytes, read_json
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.gallery import brute
from tests.repo.source import ROOT
from tests.search import continua
from tests.search.sampling import sampled

ELUDER = {"eluder-world": "W", "eluder-adversary": "G"}
KEPT = [  # their certificates are committed, those of kind "partly" without these claims
    name for name in gallery.playable() if name not in gallery.names("partly") and not gallery.load(name).game.finite
]
NAMES = [*continua.CLASSES, *KEPT, "bandit-3"]


@cache
def certified(name: str, T: int = 16384) -> Any:
    """The claims of Proposition 2.6, and the class, in a certificate that the kernel accepts."""
    if name in KEPT and T == 16384:
        return read_json((ROOT / "certificates" / f"{name}.cert.json").read_bytes())
    model = load(continua.CLASSES[name]()) if name in continua.CLASSES else gallery.load(name)
    document = certify(model, only=(*ELUDER,), T=T).document
    assert verify_bytes(canonical_bytes(document)).accepted
    return document


def claim_of(name: str, claim: str, T: int = 16384) -> Any:
    """One claim."""
    return next(entry for entry in certified(name, T)["claims"] if entry["id"] == claim)


def game_of(name: str) -> Game:
    """The class."""
    return Game(certified(name)["model"])


@pytest.mark.parametrize("name", NAMES)
def test_brackets_are_proved(name: str) -> None:
    """Both channels end with a bracket, its ends in order."""
    for claim, letter in ELUDER.items():
        entry = claim_of(name, claim)
        assert "proved" == entry["verdict"]
        lower, upper = (int(entry["values"][f"d_{letter}_{end}"]) for end in ("lower", "upper"))
        assert 0 <= lower <= upper <= len(game_of(name).policies)


@pytest.mark.parametrize("claim", ELUDER)
@pytest.mark.parametrize("name", NAMES)
def test_the_sequence_is_independent_by_the_definition(name: str, claim: str) -> None:
    """At the points named, each function is above the scale at its policy and its squares before sum to no more: by
    brute force over trajectories, all at one scale of 1/(2T) or more."""
    game, evidence = game_of(name), claim_of(name, claim)["evidence"]
    side = "theta" if claim == "eluder-world" else "Phi"
    scale = Fraction(evidence["scale_squared"])
    assert Fraction(1, 4 * 16384**2) <= scale
    names: list[int] = []
    for entry in evidence["sequence"]:
        points = [evidence["xi_star"]["theta"]], [evidence["xi_star"]["Phi"]]
        points[side == "Phi"].append(entry[side])
        sub = game.subclass(*points)
        p = game.policy_names.index(entry["pi"])
        squares = [brute.channel_errors(sub, (0, 0), each)[side == "Phi"][-1] ** 2 for each in (*names, p)]
        assert (Fraction(entry["before"]), Fraction(entry["square"])) == (sum(squares[:-1]), squares[-1])
        assert sum(squares[:-1]) <= scale < squares[-1]
        names.append(p)
    assert len(names) == len(set(names))


LIMIT = 10**6  # of nodes a step


@pytest.mark.parametrize("name", [name for name in NAMES if name != "confounded-curve"])  # a part of patrol-interval
def test_no_sampled_class_exceeds_the_bracket(name: str) -> None:
    """Finite classes of random points: their dimension, by its definition and as certified, is at most d_upper, the
    span of their differences at most p, and p is reached."""
    game, ranks = game_of(name), dict.fromkeys(ELUDER.values(), 0)
    for seed, near in enumerate((None, None, Fraction(1, 10**3), Fraction(1, 10**6))):
        sub = sampled(game, 2 if near else 3, seed, near)
        scaled, space = Scaled(sub), Space(sub, "window")
        plays = [Play(sub, scaled, space, p, LIMIT) for p in range(len(sub.policies))]
        for claim, letter in ELUDER.items():
            values = claim_of(name, claim)["values"]
            channel = Channel(sub, scaled, plays, letter == "W")
            ranks[letter] = max(ranks[letter], channel.rank)
            assert channel.rank <= int(values[f"p_{letter}"])
            for xi in brute.models(sub):
                table = [brute.channel_errors(sub, xi, p)[letter == "G"] for p in range(len(plays))]
                rows = [list(row) for row in zip(*table, strict=True)]
                assert brute.eluder_dimension(rows, Fraction(1, 2 * 16384)) <= int(values[f"d_{letter}_upper"])
    bigger = sampled(game, 9, 99)
    plays = [Play(bigger, Scaled(bigger), Space(bigger, "window"), p, LIMIT) for p in range(1)]
    for claim, letter in ELUDER.items():
        rank = Channel(bigger, Scaled(bigger), plays, letter == "W").rank
        assert claim_of(name, claim)["values"][f"p_{letter}"] == str(rank)


def test_the_bandit_has_as_many_dimensions_as_arms() -> None:
    """Section 4: d_E = d^W = d, whatever the interval, and nothing is unknown of the adversary."""
    for arms in (2, 5):
        values = certify(gallery.load(f"bandit-{arms}", {"low": "1/4", "high": "1/2"}), only=(*ELUDER,)).values.written
        world = {"d_W_lower": str(arms), "d_W_upper": str(arms), "p_W": str(arms)}
        assert world | {"d_G_lower": "0", "d_G_upper": "0", "p_G": "0"} == values


def test_patrol_on_intervals_encloses_the_finite_class() -> None:
    """The finite class is part of it, so its dimensions are at most the bracket's upper ends; y alone gives all three
    policies whose answers depend on it."""
    finite = certify(gallery.load("patrol"), only=(*ELUDER,)).values
    for claim, letter in ELUDER.items():
        whole = claim_of("patrol-interval", claim)["values"]
        assert int(finite[f"d_{letter}_upper"]) <= int(whole[f"d_{letter}_upper"])
    assert ("3", "3") == (whole["d_G_lower"], whole["d_G_upper"])


def test_a_coarse_scale_leaves_less_to_learn() -> None:
    """At T = 1 the scale is 1/2, which no function of the class exceeds: nothing is independent."""
    assert "0" == claim_of("patrol-interval", "eluder-adversary", 1)["values"]["d_G_lower"]


def test_entries_that_are_not_affine_are_shown_by_points() -> None:
    """x^2 - x + 1/2 is no affine function: weighted points of the class say so; the moves of a bandit are affine."""
    structure = json.loads(claim_of("parabola", "eluder-world")["search"]["structure"])
    weights = [(Fraction(point["x"]), Fraction(w)) for point, w in structure["weights"]]
    assert not structure["affine"]
    assert (0, 0) == (sum(w for _, w in weights), sum(w * x for x, w in weights))
    assert sum(w * (x * x - x) for x, w in weights)
    assert json.loads(claim_of("bandit-3", "eluder-world")["search"]["structure"])["affine"]


@cache
def whole_bandit() -> Any:
    return certify(gallery.load("bandit-2"), T=64)


def test_the_bandit_is_certified_whole() -> None:
    """Every claim of a class on a continuum is proved, or vacuous (2.4, the routed states being known)."""
    verdicts = {claim: entry["verdict"] for claim, entry in whole_bandit().entries.items()}
    assert {"weak-revealing"} == {claim for claim, verdict in verdicts.items() if verdict != "proved"}
    assert whole_bandit().document["summary"]["certified"]
    assert verify_bytes(canonical_bytes(whole_bandit().document)).certified


def test_no_sampled_observation_is_less_likely_than_stated() -> None:
    """least_observation is at most the least chance in random finite classes; for bandits it is the end 1/8."""
    stated = Fraction(whole_bandit().values["least_observation"])
    assert Fraction(1, 8) == stated
    for seed in range(5):
        sub = sampled(gallery.load("bandit-3").game, 2, seed)
        assert all(stated <= x for world in sub.worlds for row in world.EA[1] for x in row if x)


def test_finite_classes_have_no_larger_bounds() -> None:
    """A finite class inside the continuum, certified at the same T, has no larger line of the bound."""
    points = [{"mu1": a, "mu2": b} for a, b in (("1/8", "1/2"), ("1/2", "7/8"), ("3/8", "3/8"))]
    game = Game(gallery.load("bandit-2").document).subclass(points, [{}])
    finite, whole = certify(load(game.document | {"name": "three"}), T=64).values, whole_bandit().values
    lines = [f"{name}_upper" for name in SHARP]
    assert [] == [x for x in lines if Fraction(finite[x]) > Fraction(whole[x])]
    assert int(finite["T_star"]) <= int(whole["T_star"])
