"""Classes given by operators: the search's verdicts through the kernel, and against the definitions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.given_operators import GivenFacts
from pomgcheck.kernel.operators import G, J, W, pure_states
from pomgcheck.modelclass import load
from pomgcheck.search.certify import certify
from pomgcheck.search.floor import smallest_floor
from pomgcheck.search.repair import repair
from tests.search import own, truth

THREE = tuple(own.DECIDE)


def verdicts(document: Any, **options: Any) -> dict[str, str]:
    """Of the three claims of Theorem 2.5; the kernel has accepted the certificate."""
    claims = certify(load(document), **options).entries
    return {name: claims[name]["verdict"] for name in THREE}


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6))
def test_verdicts_are_those_of_the_definitions(seed: int) -> None:
    """On random classes, most of them with a defect, each claim is proved where it holds and refuted where not."""
    model = load(own.random_document(seed))
    certificate = certify(model)
    for name in (*THREE, "covering"):
        truth.check(model.game, certificate.document["options"], certificate.entries[name])
        assert certificate.entries[name]["verdict"] != "unknown"
    holds = {name: decide(own.Own(dict(model.document))) for name, decide in own.DECIDE.items()}
    assert holds == {name: certificate.entries[name]["verdict"] == "proved" for name in THREE}


def test_the_random_classes_fail_in_every_way() -> None:
    """Each claim holds on some and fails on some, alone and with others."""
    found: Counter[tuple[bool, ...]] = Counter()
    for seed in range(120):
        read = own.Own(dict(load(own.random_document(seed)).document))
        found[tuple(decide(read) for decide in own.DECIDE.values())] += 1
    assert {(True, True, True), (False, True, True), (True, False, True), (True, True, False)} <= set(found)


def as_operators(name: str) -> dict[str, Any]:
    """A kernel class with tables free of steps and windows 1 as operators: the kernel's own W, G and J, one column a
    coordinate, as expressions that interpolate two points a side."""
    game = gallery.load(name).game
    facts = Facts(game, {"space": "window", "reference": "uniform"})
    space, scaled = facts.space, facts.scaled
    states, V = pure_states(space, 0), list(product(range(len(game.S)), [()], range(len(game.OB)), range(len(game.B))))
    pairs = list(product(range(len(game.OA)), range(len(game.A))))

    def table(column: Any, rows: Any, columns: Any, unit: int) -> list[Any]:
        entries = []
        for o, a in pairs:
            images = [column(o, a, c) for c in columns]
            entries.append([[str(Fraction(image.get(row, 0), unit)) for image in images] for row in rows])
        return [entries[n : n + len(game.A)] for n in range(0, len(entries), len(game.A))]

    def interpolated(tables: list[Any], names: list[tuple[str, list[Fraction]]]) -> Any:
        """Lagrange's polynomial through nested tables at the points of one or two axes."""
        if isinstance(tables[0], list):
            return [interpolated(list(parts), names) for parts in zip(*tables, strict=True)]
        terms = []
        for text, values in zip(tables, product(*(axis for _, axis in names)), strict=True):
            factors = [
                f"(({name})-({other}))/({value - other})"
                for (name, axis), value in zip(names, values, strict=True)
                for other in axis
                if other != value
            ]
            terms.append("*".join([f"({text})", *factors]))
        return "+".join(terms)

    axes = [
        [(key, sorted({point[key] for point in side or ()})) for key in (side or ({},))[0]]
        for side in (game.thetas, game.phis)
    ]
    worlds, answers = scaled.worlds, scaled.responses
    responses = {p: [answers[k][n] for k in range(len(answers))] for n, p in enumerate(game.policy_names)}

    def channel(world: Any) -> list[Any]:
        return table(lambda o, a, s: W(world, 0, o, a, {s: 1}), V, states, scaled.W)

    def forward(world: Any, g: Any) -> list[Any]:
        return table(lambda o, a, s: J(space, world, g, 0, o, a, {s: 1}), states, states, scaled.J)

    original = gallery.load(name).document
    return {
        "format": original["format"],
        "name": f"{name}-copy",
        "game": {
            key: original["game"][key] for key in ("horizon", "learner_actions", "learner_observations", "reward")
        },
        "worlds": {"parameters": original["worlds"]["parameters"]},
        "responses": {key: original["responses"][key] for key in ("parameters", "memory", "block_rule")},
        "policies": original["policies"],
        "operators": {
            "coordinates": list(game.S),
            "channel": [f"{game.S[s]}-{game.OB[o]}-{game.B[b]}" for s, _, o, b in V],
            "initial": original["worlds"]["initial"],
            "W": interpolated([channel(world) for world in worlds], axes[0]),
            "G": {
                p: interpolated(
                    [table(lambda o, a, v, g=g: G(space, g, 0, {v: 1}), states, V, scaled.g) for g in tables], axes[1]
                )
                for p, tables in responses.items()
            },
            "J": {
                p: interpolated([forward(world, g) for world in worlds for g in tables], [*axes[0], *axes[1]])
                for p, tables in responses.items()
            },
        },
    }


@pytest.mark.parametrize("name", ["patrol", "silent-action", "cancelling-states"])
def test_a_copy_of_a_kernel_class_passes(name: str) -> None:
    """A class with the W, G and J of a kernel class for its matrices has all three claims proved, and its covering
    number."""
    copy = load(as_operators(name))
    assert dict.fromkeys(THREE, "proved") == verdicts(copy.document)
    original = certify(gallery.load(name), only=["covering"]).values["log_covering_upper"]
    assert original == certify(copy, only=["covering"]).values["log_covering_upper"]


def test_the_gallerys_operators_play_like_its_kernels() -> None:
    """patrol-operators gives every learner sequence the mass that patrol does, at all models and policies."""
    kernels, given_ = gallery.load("patrol").game, own.Own(dict(gallery.load("patrol-operators").document))
    facts = Facts(kernels, {"space": "window", "reference": "uniform"})
    scaled = facts.scaled
    for (i, theta), (k, phi), (p, name) in product(
        enumerate(kernels.thetas or ()), enumerate(kernels.phis or ()), enumerate(kernels.policy_names)
    ):
        masses = given_.masses(name, {**theta, **phi})
        states = {(): scaled.initial()}
        for h in range(kernels.H):
            states = {
                (*played, o, a): J(facts.space, scaled.worlds[i], scaled.responses[k][p], h, o, a, q)
                for played, q in states.items()
                for o, a in product(range(len(kernels.OA)), range(len(kernels.A)))
            }
            unit = scaled.rho * scaled.J ** (h + 1)
            assert {s: Fraction(sum(q.values()), unit) for s, q in states.items()} == {s: masses[s] for s in states}


# ------------------------------------------------------------------------------------ interval axes


def test_on_intervals_an_identity_is_proved_and_an_inequality_left_open() -> None:
    """J = G W for all real x and y; signs and masses are not decided there."""
    expected = {"factorization": "proved", "oom-identity": "unknown", "nonexpansive": "unknown"}
    assert expected == verdicts(own.on_intervals(own.sound(horizon=2)))


@pytest.mark.parametrize("entry", ["+x*(1-x)*(1-2*x)", "+x", "+y*(1-y)", "+x*y/7"])
def test_on_intervals_a_false_identity_is_never_proved(entry: str) -> None:
    """Not even where both sides agree at the ends and the middle of every axis: then it is left open."""
    document = own.on_intervals(own.sound())
    document["operators"]["J"]["p"][0][0][1][1] += entry
    hidden = entry == "+x*(1-x)*(1-2*x)"
    assert ("unknown" if hidden else "refuted") == verdicts(document)["factorization"]


@pytest.mark.parametrize(("operator", "name"), [("W", "y"), ("G", "x")])
def test_on_intervals_freeness_fails_at_two_points(operator: str, name: str) -> None:
    """A parameter of the other side in a channel is refuted."""
    document = own.on_intervals(own.sound())
    W, g = document["operators"]["W"], document["operators"]["G"]["p"]
    (W if operator == "W" else g)[0][0][1][0] += f"+{name}/9"
    document["operators"]["J"]["p"] = [
        [own.product_of(g_, w) for g_, w in zip(*row, strict=True)] for row in zip(g, W, strict=True)
    ]
    claim = certify(load(document)).entries["factorization"]
    assert ("refuted", operator) == (claim["verdict"], claim["witness"]["operator"])


def test_on_intervals_quotients_are_multiplied_out() -> None:
    """Entries with denominators: W by 1/(1+x), J as the product in another form."""
    document = own.on_intervals(own.sound())
    part = document["operators"]
    part["W"][0][0][0][0] = "1/(x+1)"
    part["J"]["p"][0][0][0][0] = "(4-y)/(4*x+4)"
    part["J"]["p"][0][0][1][0] = f"y/(4*x+4)+{part['W'][0][0][1][0]}"
    assert "proved" == verdicts(document)["factorization"]
    part["J"]["p"][0][0][1][0] += "+x*y*(1-x)*(1-2*x)/(3+x)"
    assert "unknown" == verdicts(document)["factorization"]


def test_on_intervals_points_and_finite_axes_and_constraints_mix() -> None:
    """A side may list its points, an axis its values, and constraints cut the box: the identity is proved in all."""
    document = own.on_intervals(own.sound())
    document["responses"] = {"memory": 1, "block_rule": "latest", "points": [{"y": "1/3"}, {"y": "1"}]}
    assert "proved" == verdicts(document)["factorization"]
    document["worlds"] |= {"constraints": ["x <= 1/2", "x >= 1/3"]}
    assert "proved" == verdicts(document)["factorization"]
    document["worlds"]["parameters"]["z"] = {"values": ["0", "1"]}
    document["operators"]["W"][0][0][0][0] += "+z/8"
    assert "refuted" == verdicts(document)["factorization"]


def test_on_intervals_what_might_meet_a_pole_is_left_open() -> None:
    """Divisors are looked at on the whole box: an identity is left open even where constraints cut off their zeros."""
    document = own.on_intervals(own.sound())
    document["worlds"]["constraints"] = ["x >= 1/3"]
    part = document["operators"]
    part["W"][0][0][0][0] = "x/x"
    assert "1" == load(document).document["operators"]["W"][0][0][0][0]
    part["W"][0][0][0][0] = "1/x"
    part["J"]["p"][0] = [own.product_of(part["G"]["p"][0][0], part["W"][0][0])]
    assert "unknown" == verdicts(document)["factorization"]


def test_on_intervals_a_divisor_with_a_zero_proves_nothing() -> None:
    """Both sides agree wherever they are there, and at x = 1/2 they are not: the kernel leaves the identity open."""
    document = own.on_intervals(own.sound())
    part, found = document["operators"], []
    for divisor in ("2*x-1", "2*x+1"):
        part["W"][0][0][0][0] = f"1/({divisor})"
        part["J"]["p"][0] = [own.product_of(part["G"]["p"][0][0], part["W"][0][0])]
        found.append(GivenFacts(Game(document), {}).factorization().verdict)
    assert ["unknown", "proved"] == found


def test_on_a_thin_class_nothing_is_refuted_by_chance() -> None:
    """Where no end or middle meets the constraints there is no point to refute at; the identity is still decided."""
    document = own.on_intervals(own.sound())
    document["worlds"]["constraints"] = ["3*x <= 1", "3*x >= 1"]
    assert "proved" == verdicts(document)["factorization"]
    document["operators"]["J"]["p"][0][0][0][0] += "+1/9"
    assert "unknown" == verdicts(document)["factorization"]


# ------------------------------------------------------------------------------------------ limits


def test_sequences_are_played_up_to_the_limit() -> None:
    """Masses of signed operators are decided within limits.trajectories and left open beyond."""
    assert "proved" == verdicts(own.signed(4))["oom-identity"]
    assert "unknown" == verdicts(own.signed(4), limits={"trajectories": 3})["oom-identity"]
    assert "proved" == verdicts(own.signed(4), limits={"trajectories": 5})["oom-identity"]


def test_too_many_values_are_counted_first() -> None:
    """Entries times points beyond the limit are refused with the count."""
    document = own.sound(horizon=50)
    for side, name in (("worlds", "x"), ("responses", "y")):
        document[side]["parameters"] = {name: {"values": [f"{n}/1000" for n in range(150)]}}
    with pytest.raises(LimitExceeded, match="found 27,000,000 entries at all points, required at most 5,000,000"):
        certify(load(document))


def test_a_fading_rule_is_left_open() -> None:
    """Its constant is read off responses, which operators do not have."""
    document = own.sound()
    document["responses"] = {"parameters": {"y": {"values": ["0", "1"]}}, "block_rule": "fading", "gamma": "1/2"}
    claim = certify(load(document)).entries["warmup-stationary"]
    assert ("unknown", True) == (claim["verdict"], "needs kernels" in claim["search"]["method"])


def test_what_needs_kernels_says_so() -> None:
    """Repairs and floors are refused in one sentence."""
    model = gallery.load("unfactored")
    certificate = certify(model)
    with pytest.raises(InputError, match="found a class given by operators, required a class given by kernels"):
        repair(model, certificate)
    with pytest.raises(InputError, match="found a class given by operators, required a class given by kernels"):
        smallest_floor(model, certificate, Fraction(1, 10))
    assert "needs kernels" in certificate.entries["kl-joint"]["search"]["method"]
