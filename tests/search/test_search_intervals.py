"""Certificates of classes with interval axes: accepted by the kernel, true at sampled points, equal to finite ones."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.errors import InputError
from pomgcheck.gallery import bandit
from pomgcheck.kernel.check import verify_bytes
from pomgcheck.kernel.continua import Continuum as Kernel
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import Space
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from pomgcheck.search.continuum import Continuum
from pomgcheck.search.play import played
from tests.gallery import brute
from tests.kernel.editing import edited, put
from tests.kernel.trajectories import trajectories
from tests.search import continua, truth
from tests.search.classes import model_of, questions
from tests.search.sampling import operator_distance, sampled, some_points

Entries = dict[str, Any]
SAMPLES = 1000

PLENTY = 10**6  # prefixes


DOCUMENTS = continua.CLASSES | {
    "bandit": lambda: bandit.document(3),
    "patrol": lambda: gallery.document("patrol-interval"),
}


BY_BOXES = (
    "factorization",
    "oom-identity",
    "nonexpansive",
    "posterior-lipschitz",
    "covering",
    "bounded-increments",
    "predictive-states",
    "warmup-stationary",
)


@cache
def claims(name: str, **options: Any) -> Entries:
    """The entries of a class's certificate, which the kernel accepts; those that pairs of models decide are left out,
    and test_search_pairs has them."""
    certificate = certify(load(DOCUMENTS[name]()), **{"only": BY_BOXES} | options)
    assert verify_bytes(canonical_bytes(certificate.document)).accepted
    return certificate.entries


@cache
def game_of(name: str) -> Game:
    return load(DOCUMENTS[name]()).game


def log_of(value: dict[str, str]) -> Fraction:
    return Fraction(value["log_of"])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_what_is_decided_is_proved(name: str) -> None:
    """Every claim of Theorem 2.5, 2.3, 3.1(b)-(d) and (f) is proved on these classes."""
    assert dict.fromkeys(BY_BOXES, "proved") == {claim: claims(name)[claim]["verdict"] for claim in BY_BOXES}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_sampled_pair_of_models_exceeds_B0(name: str) -> None:
    """At a thousand random points every law of play is positive and its ratio to every other within B0_upper."""
    bound = log_of(claims(name)["bounded-increments"]["values"]["B0_upper"])
    assert log_of(claims(name)["bounded-increments"]["values"]["B0_lower"]) <= bound
    most: dict[Any, Fraction] = defaultdict(Fraction)
    least: dict[Any, Fraction] = {}
    models = 0
    while models < SAMPLES:
        sub = sampled(game_of(name), 6, models)
        models += len(sub.worlds) * len(sub.responses)
        for p, play in enumerate(played(sub, "window", PLENTY)):
            for tau, (_, law) in trajectories(play).items():
                low, high = min(law.values()), max(law.values())
                assert 0 < low
                most[p, tau] = max(most[p, tau], high)
                least[p, tau] = min(least.get((p, tau), low), low)
    assert 1 < max(most[tau] / least[tau] for tau in least) <= bound


@pytest.mark.parametrize("near", ["1/1000", "1/1000000", "1/1000000000"])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_log_likelihoods_are_as_steep_as_stated_at_most(name: str, near: str) -> None:
    """For pairs of models near one another |log P - log P'| is within the stated multiple of the distance of their
    operators; log r >= 2 (r-1)/(r+1) for r >= 1 keeps the comparison exact."""
    slope = Fraction(claims(name)["bounded-increments"]["values"]["log_likelihood_lipschitz_upper"])
    for seed in range(5):
        sub = sampled(game_of(name), 2, seed, Fraction(near))
        x, y = (0, 0), (len(sub.worlds) - 1, len(sub.responses) - 1)
        apart = operator_distance(sub, x, y)
        for p in range(len(sub.policies)):
            first, second = brute.law(sub, x, p), brute.law(sub, y, p)
            for tau in first:
                r = max(first[tau] / second[tau], second[tau] / first[tau])
                assert 2 * (r - 1) / (r + 1) <= slope * apart


def test_log_likelihoods_are_as_steep_as_stated_between_cells() -> None:
    """The bound is about all pairs of models: steps at which tables depend on a finite axis alone count too.  With the
    steps at which an interval occurs, the kernel's figure is refused, and false at two models."""
    certificate = certify(load(continua.staircase()), only=("nonexpansive", "bounded-increments"))
    values = certificate.entries["bounded-increments"]["values"]
    slope = Fraction(values["log_likelihood_lipschitz_upper"])
    sub = Game(certificate.document["model"]).subclass([{"x": "1/500", "z": z} for z in ("1/16", "17/256")], [{}])
    first, second = (brute.law(sub, (i, 0), 0) for i in (0, 1))
    apart = operator_distance(sub, (0, 0), (1, 0))
    r = max(second[tau] / first[tau] for tau in first)
    assert slope / 6 * apart < 2 * (r - 1) / (r + 1) <= slope * apart
    lowered = put("claims", "bounded-increments", "values", "log_likelihood_lipschitz_upper", to=str(slope / 6))
    verdict = verify_bytes(canonical_bytes(edited(certificate.document, lowered)))
    assert (False, "bounded-increments", "box") == (verdict.accepted, verdict.claim, verdict.rule)


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "triangle"])
def test_the_stated_grid_is_a_net(name: str) -> None:
    """Random models lie within 1/(2T+4) of the middle of their square, and no closer grid is claimed than counted."""
    entry, game, T = claims(name, T=20)["covering"], game_of(name), 20
    grid = entry["evidence"]["grid"]
    size = 1
    for count in grid.values():
        size *= count
    cells = len({tuple(p.items()) for p in game.thetas or finite_parts(game, "worlds")}) * len(
        {tuple(p.items()) for p in game.phis or finite_parts(game, "responses")}
    )
    assert size * cells == log_of(entry["values"]["log_covering_upper"])
    random = Random(1)
    for _ in range(10):
        theta, Phi = (some_points(game, side, random, 1)[0] for side in ("worlds", "responses"))
        centre = [nearest(game, side, point, grid) for side, point in (("worlds", theta), ("responses", Phi))]
        sub = game.subclass([theta, centre[0]], [Phi, centre[1]])
        y = (len(sub.worlds) - 1, len(sub.responses) - 1)
        assert operator_distance(sub, (0, 0), y) <= Fraction(1, 2 * T + 4)


def finite_parts(game: Game, side: str) -> list[dict[str, str]]:
    """All choices of a side's finite axes."""
    axes = {n: a["values"] for n, a in game.document[side]["parameters"].items() if "values" in a}
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def nearest(game: Game, side: str, point: dict[str, str], grid: dict[str, int]) -> dict[str, str]:
    """The middle of the square of the grid that a point lies in."""
    out = dict(point)
    for name, axis in game.document[side].get("parameters", {}).items():
        prefix = "theta" if side == "worlds" else "Phi"
        if "interval" in axis:
            low, high = map(Fraction, axis["interval"])
            count = grid.get(f"{prefix}.{name}", 1)
            square = min(count - 1, int((Fraction(point[name]) - low) / (high - low) * count))
            out[name] = str(low + (high - low) * Fraction(2 * square + 1, 2 * count))
    return out


@pytest.mark.parametrize("form", ["step", "policy"])
@pytest.mark.parametrize("name", ["patrol", "mixed"])
def test_no_sampled_class_has_a_larger_lipschitz_constant(name: str, form: str) -> None:
    """The exact constant of random finite subclasses stays within L_upper, and L_lower within the bracket."""
    values = claims(name, lipschitz=form, only=("posterior-lipschitz",))["posterior-lipschitz"]["values"]
    assert Fraction(values["L_lower"]) <= Fraction(values["L_upper"])
    for seed, near in enumerate((None, None, None, Fraction(1, 10**3), Fraction(1, 10**9))):
        assert brute.lipschitz(sampled(game_of(name), 2, seed, near), form) <= Fraction(values["L_upper"])


def test_the_interval_class_agrees_with_the_finite_one_at_its_ends() -> None:
    """On patrol every extreme is at a corner, so the constants are those of the finite class, exactly."""
    finite = certify(gallery.load("patrol"), only=("posterior-lipschitz", "bounded-increments")).values.written
    mine = {
        name: x
        for claim in ("posterior-lipschitz", "bounded-increments")
        for name, x in claims("patrol")[claim]["values"].items()
        if name in finite
    }
    assert finite == mine


def test_B0_of_the_bandit_is_log_seven() -> None:
    """On [1/8, 7/8] the likelihoods mu and 1-mu have ratios up to 7; no policy is answered differently; J moves as
    mu."""
    for arms in (2, 8):
        entries = certify(gallery.load(f"bandit-{arms}")).entries
        increments = {"B0_lower": {"log_of": "7"}, "B0_upper": {"log_of": "7"}, "log_likelihood_lipschitz_upper": "8"}
        assert increments == entries["bounded-increments"]["values"]
        assert {"L_lower": "0", "L_upper": "0"} == entries["posterior-lipschitz"]["values"]
        assert "1" == entries["covering"]["values"]["covering_lipschitz_upper"]
        # an axis of length 3/4 at 1/(2 T + 4) with T = 16384: 3/4 * 32772 / 2, rounded up
        assert str(12290**arms) == entries["covering"]["values"]["log_covering_upper"]["log_of"]


def test_the_bandit_takes_other_intervals() -> None:
    """On [1/10, 1/2] the least likelihood is 1/10 and the greatest of the same trajectory 1/2, or 1/2 and 9/10."""
    values = certify(gallery.load("bandit-2", {"low": "1/10", "high": "1/2"}), only=("bounded-increments",)).values
    assert {"log_of": "5"} == values.written["B0_upper"]


def test_an_extreme_inside_the_interval_is_found_exactly() -> None:
    """x^2 - x + 1/2 has its least value 1/4 at 1/2 and its greatest 1/2 at the ends: two steps give a ratio of 4."""
    assert "4" == claims("parabola")["bounded-increments"]["values"]["B0_upper"]["log_of"]
    attained = claims("parabola")["bounded-increments"]["evidence"]["attained"]
    assert {"x": "1/2"} in (attained["xi"]["theta"], attained["xi_prime"]["theta"])


def test_a_box_that_touches_zero_refutes_positivity() -> None:
    """With x from 0 an observation is impossible there, and possible elsewhere: the witness is an exact point."""
    document = continua.sensor(x=("0", "1/4"), y=("0", "1/2"))
    document["worlds"] |= {"learner_emission": [["1-x", "x"], ["1/4", "3/4"]], "initial": ["1", "0"]}
    refuted = ("bounded-increments", "predictive-states")
    certificate = certify(load(document), only=refuted)
    assert verify_bytes(canonical_bytes(certificate.document)).accepted
    for claim in refuted:
        entry = certificate.entries[claim]
        assert ("refuted", "0") == (entry["verdict"], entry["witness"]["xi_prime"]["theta"]["x"])
        assert 0 < Fraction(entry["witness"]["probability"])


def test_a_zero_inside_the_interval_is_found() -> None:
    """(2x-1)^2 vanishes at 1/2 alone."""
    document = continua.parabola()
    document["worlds"]["learner_emission"] = [["4*x^2-4*x+1", "4*x-4*x^2"]]
    entry = certify(load(document), only=("predictive-states",)).entries["predictive-states"]
    assert "refuted" == entry["verdict"]


def test_equal_posteriors_answered_differently_refute_on_an_interval() -> None:
    """An adversary that moves before the policies differ: the witness is one point of the class."""
    document = gallery.document("early-mover")
    name = next(iter(document["worlds"]["parameters"]))
    values = sorted(map(Fraction, document["worlds"]["parameters"][name]["values"]))
    document["worlds"]["parameters"][name] = {"interval": [str(values[0]), str(values[-1])]}
    entry = certify(load(document), only=("posterior-lipschitz",)).entries["posterior-lipschitz"]
    assert "refuted" == entry["verdict"]
    assert {"theta", "h", "tau_B", "pi", "nu", "Phi", "responses", "posteriors"} == set(entry["witness"])


def test_a_divisor_of_the_last_quotient_is_asked_about_too() -> None:
    """A row's last quotient is one minus the rest, where its own divisor (x+1)(x+2) does not occur; nonexpansive asks
    that it keep its sign all the same, in the kernel and in the search."""
    document = continua.triangle()
    row = ["1/(2*x+2)", "1/(2*x+4)", "1-1/(2*x+2)-1/(2*x+4)"]
    document["worlds"] |= {"learner_emission": [row, ["1/4", "1/4", "1/2"]], "constraints": []}
    model = load(document | {"worlds": document["worlds"] | {"parameters": continua.axes(x=("0", "1"))}})
    asked = {goal.statement for goal in Continuum(model.game, "window").probabilities()}
    assert asked == {goal.statement() for goal in Kernel(model.game, Space(model.game, "window")).probabilities()}
    assert "+2+3*theta.x+1*theta.x*theta.x > 0" in asked
    assert "proved" == certify(model, only=("nonexpansive",)).entries["nonexpansive"]["verdict"]


def test_constraints_on_one_axis_move_its_ends() -> None:
    """x <= 1/4 is the interval cut at 1/4: the same bounds, and points of the class attain them."""
    cut, tied = continua.sensor(x=("1/8", "1/4")), continua.sensor()
    cut["worlds"]["parameters"]["y"], tied["worlds"]["constraints"] = tied["worlds"]["parameters"]["y"], ["x <= 1/4"]
    found = [certify(load(document), only=("nonexpansive", "bounded-increments")).values for document in (cut, tied)]
    assert found[0] == found[1]


def test_bounds_that_another_cell_widened_are_shown_again() -> None:
    """Two cells of different reach share a polynomial: the bounds stated of it hold on both, each with its own tree."""
    document = continua.parabola()
    document["worlds"]["parameters"]["z"] = {"values": ["0", "1"]}
    document["worlds"] |= {"constraints": ["2*x+z <= 5/4"], "learner_emission": [["1/2+x/4-x^2/2", "1/2-x/4+x^2/2"]]}
    decided = ("nonexpansive", "covering", "bounded-increments", "eluder-world")
    certificate = certify(load(document), only=decided)
    assert dict.fromkeys(decided, "proved") == {name: certificate.entries[name]["verdict"] for name in decided}


def test_entries_that_are_affine_on_the_class_alone_have_no_structure() -> None:
    """x^2 - y^2 is no affine polynomial, and zero where x = y: no points of the class show either, so nothing is noted;
    the dimension, which does not rest on it, is proved."""
    document = continua.tied()
    document["worlds"]["transition"] = [[[["3/4-x^2+y^2", "1/4+x^2-y^2"]]], [[["y", "1-y"]]]]
    entry = certify(load(document), only=("nonexpansive", "eluder-world")).entries["eluder-world"]
    assert ("proved", False) == (entry["verdict"], "structure" in entry["search"])


def test_an_interval_of_one_point_is_a_value() -> None:
    """[1/4, 1/4] and the one value 1/4 are the same class."""
    ends, value = continua.sensor(), continua.sensor()
    ends["worlds"]["parameters"]["x"] = {"interval": ["1/4", "1/4"]}
    value["worlds"]["parameters"]["x"] = {"values": ["1/4"]}
    assert load(value).sha256 == load(ends).sha256


def test_a_value_that_leaves_the_intervals_no_point_is_named() -> None:
    """Where a constraint empties a cell, that is said in a sentence."""
    document = continua.mixed()
    document["worlds"]["constraints"] = ["x <= z-1/5"]
    with pytest.raises(InputError, match="leave no point of theta.x"):
        certify(load(document), only=("nonexpansive", "covering", "bounded-increments"))


def test_a_truth_outside_the_interval_refutes() -> None:
    """(a) is membership, intervals and constraints included."""
    for x, verdict in (("1/2", "proved"), ("3/2", "refuted")):
        document = continua.quotient()
        document["worlds"]["parameters"] = continua.axes(x=("1/2", "1"))
        canonical = load(document).document | {"truth": {"worlds": {"x": x}, "responses": {}}}
        assert (verdict == "proved") == Game(canonical).contains("worlds", {"x": Fraction(x)})


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_random_classes_hold_at_random_points(data: st.DataObject) -> None:
    """Random affine and quadratic entries in two parameters: what is proved holds at random points; the kernel accepts
    each certificate."""
    number = st.integers(0, 4).map(lambda n: f"{n}/16")

    def row() -> list[str]:
        a, b, c = data.draw(number), data.draw(number), data.draw(number)
        first = f"1/8+{a}*x+{b}*x*y+{c}*y^2"
        return [first, f"1-({first})"]

    document = continua.sensor(x=("0", "1"), y=("0", "1"))
    document["worlds"]["learner_emission"] = [row(), row()]
    document["worlds"]["transition"] = [[[row()]], [[row()]]]
    document["game"]["horizon"] = 2
    model = load(document)
    certificate = certify(model, only=("bounded-increments", "predictive-states", "covering"))
    entries = certificate.entries
    random = Random(data.draw(st.integers(0, 10**6)))
    sub = model.game.subclass(some_points(model.game, "worlds", random, 12), [{}])
    laws = [brute.law(sub, xi, 0) for xi in brute.models(sub)]
    if entries["predictive-states"]["verdict"] == "proved":
        assert 1 == len({frozenset(law) for law in laws})
    if entries["bounded-increments"]["verdict"] == "proved":
        bound = log_of(entries["bounded-increments"]["values"]["B0_upper"])
        assert all(u[tau] <= bound * v[tau] for u, v in product(laws, repeat=2) for tau in u)


DECIDED = ("posterior-lipschitz", "bounded-increments", "predictive-states", "covering", "warmup-stationary")


def widened(document: continua.Document, sides: tuple[str, ...]) -> continua.Document:
    """A random finite class whose points on those sides are corners of a simplex, with the whole simplex instead."""
    wide = {**document}
    for side in sides:
        part = document[side]
        names = sorted(part["parameters"] if "parameters" in part else part["points"][0])
        rest = {key: entry for key, entry in part.items() if key not in ("parameters", "points")}
        constraints = [f"{'-'.join(['', *names])}+1 >= 0"] if len(names) > 1 else []
        axes = continua.axes(**dict.fromkeys(names, ("0", "1")))
        wide[side] = rest | {"parameters": axes} | ({"constraints": constraints} if constraints else {})
    return wide


@settings(max_examples=25, deadline=None)
@given(questions(), st.sampled_from([("worlds",), ("responses",), ("worlds", "responses")]))
def test_a_class_agrees_with_its_corners_and_with_points_inside(
    question: tuple[continua.Document, dict[str, Any]], sides: tuple[str, ...]
) -> None:
    """What is proved of a simplex of models holds at its corners and at random points, what is refuted fails at its
    witness, and the kernel accepts it."""
    document, options = question
    options = {name: options[name] for name in ("space", "lipschitz", "reference")}
    if not any(document[side].get("points") or document[side].get("parameters") for side in sides):
        return
    wide = model_of(widened(document, sides))
    if wide.game.finite:
        return
    certificate = certify(wide, only=DECIDED, **options)  # type: ignore[arg-type]
    for claim in DECIDED:
        truth.check(wide.game, certificate.document["options"], certificate.entries[claim])
    corners = certify(model_of(document), only=DECIDED, **options)  # type: ignore[arg-type]
    for claim in DECIDED[:3]:
        mine, theirs = certificate.entries[claim], corners.entries[claim]
        assert (mine["verdict"], theirs["verdict"]) != ("proved", "refuted")
        if (mine["verdict"], theirs["verdict"], claim) == ("proved", "proved", "posterior-lipschitz"):
            assert Fraction(theirs["values"]["L_upper"]) <= Fraction(mine["values"]["L_upper"])
        if (mine["verdict"], theirs["verdict"], claim) == ("proved", "proved", "bounded-increments"):
            assert log_of(theirs["values"]["B0_upper"]) <= log_of(mine["values"]["B0_upper"])


def test_an_axis_cut_by_itself_is_the_narrower_axis() -> None:
    """A constraint on one axis alone leaves the constants of the interval that it leaves, attained at points of it."""
    found = []
    for high, constraints in (("1/3", ["x <= 1/4"]), ("1/4", [])):
        document = continua.sensor(x=("1/8", high), y=("1/4", "1/2"))
        document["worlds"]["constraints"] = constraints
        certificate = certify(load(document), only=("posterior-lipschitz", "bounded-increments", "predictive-states"))
        assert verify_bytes(canonical_bytes(certificate.document)).accepted
        found.append({name: value for name, value in certificate.values.items() if name.startswith(("L_", "B0_"))})
    assert found[1] == found[0]
    assert {"B0_lower", "B0_upper"} <= set(found[0])
