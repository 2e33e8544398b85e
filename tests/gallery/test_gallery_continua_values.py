"""What the certificates on a continuum say besides their bounds: the ends that models attain, the net, the structure of
Theorem 2.5 and Proposition 2.6, and the least chance of an observation, at exact points and by other code."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import flint
import numpy as np
import pytest

from pomgcheck import gallery
from pomgcheck.kernel.bound import SHARP
from pomgcheck.kernel.case import named_points
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import read_json
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.gallery import brute
from tests.gallery.certified import CERTIFICATES, GALLERY, certificate, of, of_the_gallery, proved, sampled
from tests.gallery.many import Many, Sampled, array, conversion, operator_distance, rational, total, zero
from tests.search.sampling import sampled as subclass_of

FEW = slice(0, 8)  # of the sampled models, where histories are followed one by one


@cache
def game_of(name: str) -> Game:
    """The class."""
    return Game(certificate(name)["model"])


def evidence(name: str, claim: str) -> Any:
    """The evidence of a claim."""
    return next(entry["evidence"] for entry in certificate(name)["claims"] if entry["id"] == claim)


def axes(game: Game) -> list[dict[str, Any]]:
    """The parameters of both sides."""
    return [game.document[side].get("parameters", {}) for side in ("worlds", "responses")]


def at(name: str, points: list[tuple[Any, Any]]) -> Many:
    """The models (theta, Phi) side by side."""
    sides = [{x: array([Fraction(point[k][x]) for point in points]) for x in points[0][k]} for k in (0, 1)]
    return Many(certificate(name)["model"], Sampled(*sides))


def middle(name: str) -> tuple[Many, Many, Many]:
    """Pairs of sampled models anywhere in the class, and the model half way between each two."""
    x, y, found = sampled(name, 0)
    half = flint.fmpq(1, 2)
    sides = [{a: (u[a] + v[a]) * half for a in u} for u, v in zip(found.first, found.second, strict=True)]
    return x, y, Many(certificate(name)["model"], Sampled(*sides))


def few(name: str) -> Many:
    """A few of the sampled models anywhere in the class."""
    sides = [{a: u[a][FEW] for a in u} for u in sampled(name, 0)[2].first]
    return Many(certificate(name)["model"], Sampled(*sides))


def holds(x: Any) -> bool:
    """Whether a comparison holds in every model."""
    return bool(np.all(np.asarray(x, dtype=object)))


# ----------------------------------------------------------------------------------------- attained ends


@of_the_gallery
def test_B0_lower_is_attained_where_it_is_said_to_be(name: str) -> None:
    """The ratio of the two chances of the trajectory, path by path."""
    values, place = of(name, "bounded-increments"), evidence(name, "bounded-increments")["attained"]
    game = game_of(name).subclass(*named_points(place))
    labels = iter(place["trajectory"])
    tau = tuple((game.OA.index(o), game.A.index(a)) for o, a in zip(labels, labels, strict=True))
    p = game.policy_names.index(place["pi"])
    first, second = (brute.law(game, model(game, place[key]), p)[tau] for key in ("xi", "xi_prime"))
    assert Fraction(values["B0_lower"]["log_of"]) == first / second


def model(game: Game, xi: dict[str, dict[str, str]]) -> brute.Xi:
    """The numbers of a model's two points."""
    points = [{x: Fraction(text) for x, text in xi[side].items()} for side in ("theta", "Phi")]
    assert game.thetas is not None
    assert game.phis is not None
    return game.thetas.index(points[0]), game.phis.index(points[1])


@of_the_gallery
def test_L_lower_is_attained_where_it_is_said_to_be(name: str) -> None:
    """The class of the one model named has a constant between the ends."""
    values, place = of(name, "posterior-lipschitz"), evidence(name, "posterior-lipschitz")["attained"]
    if place is None:
        assert Fraction(values["L_lower"]) == 0
        return
    form = certificate(name)["options"]["lipschitz_form"]
    found = brute.lipschitz(game_of(name).subclass(*named_points(place)), form)
    assert isinstance(found, Fraction)
    assert Fraction(values["L_lower"]) <= found <= Fraction(values["L_upper"])


@of_the_gallery
def test_alpha_upper_is_attained_where_it_is_said_to_be(name: str) -> None:
    """The ratio of Assumption 2.4 at the state named, from its definition."""
    values, place = of(name, "weak-revealing"), evidence(name, "weak-revealing")["attained"]
    game = game_of(name).subclass(*named_points(place))
    assert place["learner_part"] == []
    q = {(game.S.index(s), (), tuple(part)): Fraction(w) for s, part, w in place["q"]}
    points = [{x: Fraction(text) for x, text in place[key].items()} for key in ("theta", "theta_prime")]
    assert game.thetas is not None
    found = brute.revealing(
        game,
        (game.thetas.index(points[0]), game.thetas.index(points[1])),
        0,
        game.policy_names.index(place["pi"]),
        place["h"] - 1,
        game.OA.index(place["o"]),
        game.A.index(place["a"]),
        q,
        kappa=certificate(name)["options"]["kappa"],
    )
    assert found is not None
    assert Fraction(values["alpha_upper"]) == found[0] / found[1]


@pytest.mark.parametrize("clause", ["joint", "world"])
@of_the_gallery
def test_c_KL_upper_is_attained_where_it_is_said_to_be(name: str, clause: str) -> None:
    """At the two models named the divergence, to 400 bits, is c_KL_upper times the operators' part but for a millionth,
    and not more."""
    values, place = of(name, f"kl-{clause}"), evidence(name, f"kl-{clause}")["attained"]
    low, high = (rational(values[f"c_KL_{clause}_{side}"]) for side in ("lower", "upper"))
    star, here = (at(name, [(place[key]["theta"], place[key]["Phi"])]) for key in ("xi_star", "xi"))
    kl, *moved = conversion(star, here, sorted(game_of(name).policy_names).index(place["pi"]))
    part = moved[clause == "world"]
    assert holds(low * part <= kl)
    assert holds(kl <= high * part)
    assert holds(high * part * (1 - flint.fmpq(1, 10**6)) <= kl)


# ------------------------------------------------------------------------------------------- Theorem 2.5


@of_the_gallery
def test_tables_and_operators_are_probabilities(name: str) -> None:
    """At every sampled model: rows of sum one without a negative entry; W of a pure state is nonnegative, and G of a
    channel coordinate too, of mass one at most."""
    assert "nonexpansive" in proved(name)
    for found in sampled(name, 0)[:2]:
        for h in range(found.H):
            rows = [*found.EA[h], *found.EB[h], *(row for s in found.T[h] for a in s for row in a)]
            for row in [*rows, *(row for table in found.g for row in table[h])]:
                assert all(holds(x >= 0) for x in row)
                assert holds(total(row) == 1)
            places: dict[Any, None] = {}
            for o, a, state in product(range(found.OA), range(found.A), found.pure_states(h)):
                channel = found.W(h, o, a, {state: flint.fmpq(1)})
                assert all(holds(x >= 0) for x in channel.values())
                places |= dict.fromkeys(channel)
            for p, place in product(range(len(found.policies)), places):
                column = found.G(p, h, {place: flint.fmpq(1)})
                assert all(holds(x >= 0) for x in column.values())
                assert holds(total(column.values()) <= 1)


@of_the_gallery
def test_operators_give_the_chances_of_latent_paths(name: str) -> None:
    """1' J_H ... J_1 q_0 times the policy's chances, against the sum over latent states and whole histories of both."""
    assert {"factorization", "oom-identity"} <= {*proved(name)}
    found = few(name)
    for p in range(len(found.policies)):
        paths: dict[Any, Any] = found.paths(p)
        chances = {past: chance * total(q.values()) for past, chance, q in found.prefixes(p) if len(past) == found.H}
        assert {*paths} == {*chances}
        assert all(holds(paths[tau] == chances[tau]) for tau in paths)


# ------------------------------------------------------------------------------------------ 3.1(b), the bound


@pytest.mark.parametrize("name", [*GALLERY, "quotient", "mixed"])
def test_sampled_models_lie_within_epsilon_of_the_net(name: str) -> None:
    """In the norm of J, from the middle of their square of the grid; its points are those counted."""
    values, grid, game = of(name, "covering"), evidence(name, "covering")["grid"], game_of(name)
    cells = prod(len(axis["values"]) for side in axes(game) for axis in side.values() if "values" in axis)
    assert cells * prod(grid.values()) == Fraction(values["log_covering_upper"]["log_of"])
    found, _, points = sampled(name, 0)
    sides = []
    for parameters, prefix, own in zip(axes(game), ("theta", "Phi"), points.first, strict=True):
        sides.append(
            {
                x: column
                if "values" in parameters[x]
                else centres(column, *parameters[x]["interval"], grid.get(f"{prefix}.{x}", 1))
                for x, column in own.items()
            }
        )
    nearest = Many(certificate(name)["model"], Sampled(*sides))
    epsilon = flint.fmpq(1, 2 * certificate(name)["options"]["T"] + 4)
    assert holds(operator_distance(found, nearest) <= epsilon)


def centres(column: Any, low: str, high: str, count: int) -> Any:
    """The middles of the parts of [low, high], of that number, that points lie in."""
    start, width = Fraction(low), Fraction(high) - Fraction(low)
    shares = [(Fraction(int(x.p), int(x.q)) - start) / width for x in column]
    return array([start + width * Fraction(2 * min(count - 1, int(share * count)) + 1, 2 * count) for share in shares])


@of_the_gallery
def test_no_sampled_observation_is_rarer_than_stated(name: str) -> None:
    """Given what came before, a possible observation has at least the chance least_observation, in every model."""
    least, met = rational(of(name, "constants")["least_observation"]), 0
    for k, p in product(range(2), range(len(sampled(name, 0)[0].policies))):
        before = {}
        for past, _, q in sampled(name, 0)[k].prefixes(p):
            mass = total(q.values())
            if past and not zero(mass):
                assert holds(mass >= least * before[past[:-1]])
                met += 1
            before[past] = mass
    assert met > 0


@pytest.mark.parametrize("name", [name for name in gallery.names("continua") if not gallery.entry(name).fails])
def test_a_finite_class_inside_has_no_larger_bound(name: str) -> None:
    """Three models of it, certified as a finite class at the same T: no line of the bound is larger."""
    options = certificate(name)["options"]
    sub = subclass_of(game_of(name), 3, 7)
    document = sub.document | {"name": "three", "truth": {"worlds": texts(sub.thetas), "responses": texts(sub.phis)}}
    finite = certify(load(dict(document)), T=options["T"], kappa=options["kappa"]).entries["constants"]
    assert "proved" == finite["verdict"]
    mine, theirs = of(name, "constants"), finite["values"]
    assert [] == [x for x in SHARP if Fraction(theirs[f"{x}_upper"]) > Fraction(mine[f"{x}_upper"])]
    assert int(theirs["T_star"]) <= int(mine["T_star"])


def texts(points: Any) -> dict[str, str]:
    """The first of some points, as text."""
    return {x: str(value) for x, value in points[0].items()}


# --------------------------------------------------------------------------------------- Proposition 2.6


def entries(found: Many, world: bool) -> list[Any]:
    """Every entry of W (of G) that some model moves, as a function of the model."""
    out = []
    for h in range(found.H):
        if world:
            out += [
                seen * to * move
                for s in range(found.S)
                for seen in found.EA[h][s]
                for to in found.EB[h][s]
                for a in found.T[h][s]
                for row in a
                for move in row
            ]
        else:
            out += [x for table in found.g for row in table[h] for x in row]
    return [x for x in out if isinstance(x, np.ndarray)]


@pytest.mark.parametrize(("claim", "letter"), [("eluder-world", "W"), ("eluder-adversary", "G")])
@of_the_gallery
def test_differences_of_sampled_models_span_p(name: str, claim: str, letter: str) -> None:
    """The rank of 1 and the entries at 65 sampled models is p + 1: no less than stated, and no more."""
    stated = int(of(name, claim)[f"p_{letter}"])
    rows = {tuple(x) for x in entries(sampled(name, 0)[0], letter == "W")}
    one = (flint.fmpq(1),) * len(next(iter(rows), (1,)))
    assert stated + 1 == flint.fmpq_mat([list(row) for row in (one, *rows)]).rank()


@of_the_gallery
def test_affine_entries_and_the_rank_of_transitions(name: str) -> None:
    """Entries that are called affine have half way between two models their mean there, and others have not; the rows
    of T_h at all sampled models span as many dimensions as stated."""
    of(name, "eluder-world")
    stated = json.loads(
        next(entry for entry in certificate(name)["claims"] if entry["id"] == "eluder-world")["search"]["structure"]
    )
    x, y, half = middle(name)
    ends = [u + v for u, v in zip(entries(x, True), entries(y, True), strict=True)]
    assert stated["affine"] == all(map(holds, (u == 2 * v for u, v in zip(ends, entries(half, True), strict=True))))
    ranks = []
    for h in range(x.H):
        columns = [
            np.broadcast_arrays(*(np.asarray(p, dtype=object) for p in row), np.empty(2))[: x.S]
            if not any(isinstance(p, np.ndarray) for p in row)
            else np.broadcast_arrays(*row)
            for s in x.T[h]
            for a in s
            for row in a
        ]
        rows = {tuple(point) for column in columns for point in zip(*column, strict=True)}
        ranks.append(flint.fmpq_mat([list(row) for row in rows]).rank())
    assert stated["transition_rank"] == max(ranks)


# ------------------------------------------------------------------------------------ the patrol of the gallery


def test_patrol_on_intervals_encloses_the_patrol_of_the_gallery() -> None:
    """L and B_0 are those of the grid exactly; alpha and c_KL (joint) have upper ends that the grid attains and lower
    ends within a millionth and one percent; the world's clause holds on the grid alone."""
    kept = {claim["id"]: claim for claim in read("patrol")}
    mine = {claim["id"]: claim for claim in read("patrol-interval")}
    for claim, value in (("posterior-lipschitz", "L"), ("bounded-increments", "B0")):
        for end in ("lower", "upper"):
            assert kept[claim]["values"][f"{value}_{end}"] == mine[claim]["values"][f"{value}_{end}"]
    for claim, value, slack in (("weak-revealing", "alpha", 10**6), ("kl-joint", "c_KL_joint", 100)):
        inner, outer = (
            [Fraction(found[claim]["values"][f"{value}_{end}"]) for end in ("lower", "upper")] for found in (kept, mine)
        )
        assert outer[0] <= inner[0] <= inner[1] == outer[1]
        assert outer[1] * (1 - Fraction(1, slack)) < outer[0]
    assert ("proved", "refuted") == (kept["kl-world"]["verdict"], mine["kl-world"]["verdict"])


def read(name: str) -> Any:
    """The claims of a committed certificate."""
    return read_json((CERTIFICATES / f"{name}.cert.json").read_bytes())["claims"]
