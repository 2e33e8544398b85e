"""Two documents that mean one class and differ in spelling have one digest, and the kernel reads what comes out."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_document import REMOVED, document, edited

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import canonical_bytes, digest
from pomgcheck.modelclass import load

HALF = ["1/2", "1/2"]


def test_golden_document() -> None:
    """The canonical form of a small document, byte for byte in its interesting parts."""
    canonical = load(edited(("truth", {"worlds": {"x": 1}, "responses": {"y": "0.10"}}))).document
    assert [["-x+1", "x"], ["(-4*x+3)/4", "(4*x+1)/4"]] == canonical["worlds"]["transition"][0][0]
    assert {"x": {"values": ["1/20", "1/10"]}} == canonical["worlds"]["parameters"]
    assert {"worlds": {"x": "1"}, "responses": {"y": "1/10"}} == canonical["truth"]
    assert ["1", "0"] == canonical["game"]["reward"]
    assert 2 == canonical["game"]["horizon"]
    assert {"format", "name", "game", "worlds", "responses", "policies", "truth"} == set(canonical)


SAME: list[tuple[str, Any, Any]] = [
    ("worlds.transition", document()["worlds"]["transition"], {"steps": [document()["worlds"]["transition"]] * 2}),
    ("game.reward", ["1", "0"], {"steps": [[1, "0.0"], ["2/2", "0"]]}),
    ("policies.list.idle", [["1", "0"]] * 2, {"steps": [[["1", "0"]] * 2] * 2}),
    ("worlds.parameters.x.values", ["1/20", "1/10"], ["0.05", "1/5-1/10"]),
    ("worlds.parameters.x", {"interval": ["0", "1/2"]}, {"interval": [0, "0.5"]}),
    ("worlds.constraints", ["x <= 1/10"], ["10*x <= 1", "0.1 >= x", "x <= x"]),
    ("worlds.constraints", ["x >= 0", "x <= 1"], ["x <= 1", "0 <= x"]),
    ("worlds.constraints", [], REMOVED),
    ("worlds.points", [{"x": "1/10"}], [{"x": "0.1"}]),
    ("responses.table.patrol", [["1/2+y", "1/2-y"], HALF], [["(1+2*y)/2", "1-(1/2+y)"], ["y*0+0.5", "1/2"]]),
]


@pytest.mark.parametrize(("path", "one", "other"), SAME)
def test_spellings_of_one_class(path: str, one: Any, other: Any) -> None:
    """Steps that are equal, decimals, expressions, trivial and repeated constraints change nothing."""
    first, second = (load(edited(("worlds.constraints", []), (path, value))) for value in (one, other))
    assert first.sha256 == second.sha256


DIFFERENT: list[tuple[str, Any]] = [
    ("name", "other"),
    ("worlds.parameters.x.values", ["1/10", "1/20"]),
    ("worlds.initial", ["1/3", "2/3"]),
    ("game.states", ["alarm", "calm"]),
    ("responses.memory", 3),
    ("truth", {"worlds": {"x": "1/20"}, "responses": {"y": "1/10"}}),
]


@pytest.mark.parametrize(("path", "value"), DIFFERENT)
def test_different_classes_differ(path: str, value: Any) -> None:
    """The digest sees every entry."""
    assert load(document()).sha256 != load(edited((path, value))).sha256


def test_points_replace_their_axes() -> None:
    """Points with or without the parameters they lie on are one document, which keeps the points alone."""
    points = [{"x": "1/10"}, {"x": "1/20"}]
    with_axes = load(edited(("worlds.points", points), ("worlds.constraints", ["x <= 1"])))
    without = load(edited(("worlds.points", points), ("worlds.parameters", REMOVED)))
    assert with_axes.sha256 == without.sha256
    assert points == with_axes.document["worlds"]["points"]
    assert "parameters" not in with_axes.document["worlds"]


@pytest.mark.parametrize("key", ["parameters", "points"])
def test_no_parameters(key: str) -> None:
    """A side without parameters has an empty table of them, whether it is left out, empty, or one empty point."""
    table = ("responses.table", {"idle": [HALF] * 2, "patrol": [HALF] * 2})
    left_out = edited(("responses.parameters", REMOVED), table)
    model = load(left_out)
    left_out["responses"][key] = {} if key == "parameters" else [{}]
    assert model.sha256 == load(left_out).sha256
    assert ({}, 1) == (model.document["responses"]["parameters"], model.phis)


def test_constraints_are_primitive() -> None:
    """A constraint is P >= 0 with P of coprime integer coefficients; they are in order of their texts."""
    axes = {"x": {"interval": ["0", "1"]}, "y": {"interval": ["0", "1"]}}
    model = load(
        edited(
            ("worlds.parameters", axes),
            ("worlds.constraints", ["y <= 2*x", "x/2 + y/3 <= 1/2"]),
            ("worlds.transition", "uniform"),
        )
    )
    assert ["-3*x-2*y+3 >= 0", "2*x-y >= 0"] == model.document["worlds"]["constraints"]


# -------------------------------------------------------------------------------------- random classes

UNITS = st.fractions(0, 1, max_denominator=12)


def spelled(value: Fraction, how: int) -> Any:
    """One of several spellings of an exact number."""
    text = str(value)
    decimal = value * 10**6
    return [
        text,
        int(value) if value.denominator == 1 else text,
        f"{value.numerator * 3}/{value.denominator * 3}",
        f"1-(1-{text})",
        f"{int(decimal) / 10**6:.6f}" if decimal.denominator == 1 else text,
        f"{text}+x*0",
    ][how]


AXES = [{"interval": [Fraction(0), Fraction(1)]}, {"values": [Fraction(1)]}]


@st.composite
def rows(draw: st.DrawFn, n: int) -> list[Fraction]:
    """A distribution on n outcomes, possibly with zeros."""
    weights = draw(st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any))
    return [Fraction(w, sum(weights)) for w in weights]


@st.composite
def classes(draw: st.DrawFn) -> dict[str, Any]:
    """A document with numbers as Fractions: spelled in one way or another by ``spell``."""
    H, S, A, B = (draw(st.integers(1, 2)) for _ in range(4))
    names = {"states": "s", "learner_actions": "a", "adversary_actions": "b"}
    sizes = dict(zip(names, (S, A, B), strict=True))
    labels = {key: [f"{letter}{k}" for k in range(sizes[key])] for key, letter in names.items()}
    observations = {f"{who}_observations": ["o", "p"] for who in ("learner", "adversary")}

    def table(*shape: int) -> Any:
        return draw(rows(shape[0])) if len(shape) == 1 else [table(*shape[1:]) for _ in range(shape[0])]

    def windowed(window: Any, outputs: int, inputs: int) -> Any:
        lengths = [2 * (2 * inputs) ** h if window == "full" else 2 ** min(window, h + 1) for h in range(H)]
        return {"steps": [table(n, outputs) for n in lengths]} if window != 1 else table(2, outputs)

    windows = [draw(st.sampled_from([1, 2, "full"])) for _ in range(2)]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "random",
        "game": {"horizon": H, **labels, **observations, "reward": [draw(UNITS), draw(UNITS)]},
        "worlds": {
            "parameters": {"x": {"values": [Fraction(1, 2), Fraction(0)]}},
            "initial": table(S),
            "transition": table(S, A, B, S),
            "learner_emission": {"steps": [table(S, 2) for _ in range(H)]},
            "adversary_emission": table(S, 2),
        },
        "policies": {"window": windows[0], "list": {p: windowed(windows[0], A, A) for p in ("p", "q")}},
        "responses": {
            "parameters": {"x": draw(st.sampled_from(AXES))},
            "memory": 1,
            "block_rule": "latest",
            "window": windows[1],
            "table": {p: windowed(windows[1], B, B) for p in ("p", "q")},
        },
    }


def spell(value: Any, draw: Any, parameters: bool = False) -> Any:
    """The document with every number spelled in some way; ``x`` only where a parameter may stand."""
    if isinstance(value, Fraction):
        return spelled(value, draw(5 if parameters else 4))
    if isinstance(value, list):
        return [spell(entry, draw, parameters) for entry in value]
    if isinstance(value, dict):
        free = ("transition", "learner_emission", "adversary_emission", "table")
        return {key: spell(entry, draw, parameters or key in free) for key, entry in value.items()}
    return value


@settings(deadline=None, max_examples=25)
@given(classes(), st.randoms(use_true_random=False))
def test_spelling_never_changes_the_digest(written: dict[str, Any], random: Any) -> None:
    """Any spelling of the numbers gives the digest of the plain fractions; the canonical form is a fixed point."""
    plain = load(spell(written, lambda _: 0))
    other = load(spell(written, lambda most: random.randint(0, most)))
    assert plain.sha256 == other.sha256
    assert plain.sha256 == load(plain.document).sha256
    assert plain.document == json.loads(plain.canonical_json())


@settings(deadline=None, max_examples=25)
@given(classes())
def test_kernel_reads_every_canonical_document(written: dict[str, Any]) -> None:
    """The kernel's game has the numbers that were written, and the digest is the kernel's."""
    model = load(spell(written, lambda _: 0))
    game = Game(json.loads(model.canonical_json()))
    assert tuple(written["worlds"]["initial"]) == game.rho0
    assert [written["game"]["reward"]] * game.H == [list(row) for row in game.reward]
    expected = written["worlds"]["learner_emission"]["steps"]
    assert [[[list(row) for row in table] for table in world.EA] for world in game.worlds] == [expected] * 2
    assert digest(model.document) == model.sha256
    assert canonical_bytes(model.document) == model.canonical_json()


@pytest.mark.parametrize(
    "edits",
    [
        [("responses.block_rule", "table"), ("responses.blocks", {"idle patrol": "uniform", "patrol idle": "uniform"})],
        [("responses.block_rule", "fading"), ("responses.memory", REMOVED), ("responses.gamma", "1/2")],
        [
            (
                "responses.linear",
                {
                    "matrix": [["1/2", "1"], ["1/2", "-1"]],
                    "features": {"idle": [[1, 0]] * 2, "patrol": [[1, "y"], [1, 0]]},
                },
            )
        ],
        [("worlds.points", [{"x": "1/20"}, {"x": "1/10"}])],
        [("worlds.parameters.x", {"interval": ["1/20", "1/10"]})],
        [("worlds.constraints", ["x <= 1/15"])],
        [("worlds.transition.0.0.0", ["1/(1+x)", "x/(1+x)"])],
        [("truth", {"worlds": {"x": "1/20"}, "responses": {"y": 1}}), ("source", "§ 1"), ("description", "…")],
    ],
)
def test_kernel_reads_every_form(edits: list[tuple[str, Any]]) -> None:
    """Blocks, fading, linear forms, points, intervals, constraints, quotients and optional keys all pass the kernel."""
    model = load(edited(*edits))
    assert model.policies == Game(json.loads(model.canonical_json())).policy_names


def test_kernel_evaluates_the_parameters() -> None:
    """At each point of Theta the kernel's transition is the authored expression's value."""
    game = load(document()).game
    assert [Fraction(7, 10), Fraction(13, 20)] == [world.T[0][0][0][1][0] for world in game.worlds]
