"""Documents that give W, G and J: what loads, its canonical form, and the one sentence for each mistake."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_any_edit import REMOVED, SCALARS, VALUES, paths

import pomgcheck.reporting  # noqa: F401  shows records and classes in notebooks
from pomgcheck import gallery
from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operator_section import OperatorSection
from pomgcheck.kernel.reading import Malformed
from pomgcheck.modelclass import load, model_class
from pomgcheck.modelclass.derived import with_response_floor, without

TOML = """
format = "pomgcheck-model-class/1"
name = "weather"

[game]
horizon = 2
learner_actions = ["stay", "go"]
learner_observations = ["dry", "wet"]
reward = ["1", "0"]

[worlds.parameters]
x = { values = ["0", "1/4"] }

[responses]
memory = 1
block_rule = "latest"
parameters = { y = { values = ["0", "1/4"] } }

[policies]
generate = { kind = "routing" }

[operators]
coordinates = ["fair", "foul"]
channel = ["fair-calm", "fair-storm", "foul-calm", "foul-storm"]
initial = { fair = "1" }

[operators.W]
"dry *" = { "fair-calm fair" = "3/4-x", "foul-storm fair" = "3/4*x", "fair-storm foul" = "1/4" }
"wet *" = { "fair-calm" = { fair = "1/4" }, "foul-storm" = { foul = "3/4" } }
"wet go" = {}

[operators.G."*"]
"* *" = { "fair fair-calm" = 1, "fair fair-storm" = "1-y", "foul fair-storm" = "y", "foul foul-calm" = 1 }

[operators.J."*"]
"* *" = [["1", "0"], ["0", "1"]]
"""


def plain() -> dict[str, Any]:
    """The same class without sugar, 0-based [o][a][row][column]."""
    dry = [["3/4-x", "0"], ["0", "0.25"], ["0", "0"], ["3*x/4", "0"]]
    wet = [["1/4", "0"], ["0", "0"], ["0", "0"], ["0", "3/4"]]
    none = [["0", "0"]] * 4
    g, unit = [["1", "1-y", "0", "0"], ["0", "y", "1", "0"]], [["1", "0"], ["0", "1"]]
    return {
        "format": "pomgcheck-model-class/1",
        "name": "weather",
        "game": {
            "horizon": 2,
            "learner_actions": ["stay", "go"],
            "learner_observations": ["dry", "wet"],
            "reward": ["1", "0"],
        },
        "worlds": {"parameters": {"x": {"values": ["0", "1/4"]}}},
        "responses": {"parameters": {"y": {"values": ["0", "1/4"]}}, "memory": 1, "block_rule": "latest"},
        "policies": {"window": 1, "list": {"stay": [["1", "0"], ["1", "0"]], "go": [["0", "1"], ["0", "1"]]}},
        "operators": {
            "coordinates": {"steps": [["fair", "foul"]] * 3},
            "channel": ["fair-calm", "fair-storm", "foul-calm", "foul-storm"],
            "initial": ["1", "0"],
            "W": {"steps": [[[dry, dry], [wet, none]]] * 2},
            "G": {"stay": [[g, g], [g, g]], "go": {"steps": [[[g, g], [g, g]]] * 2}},
            "J": {"stay": [[unit, unit]] * 2, "go": [[unit, unit]] * 2},
        },
    }


def test_sugar_and_plain_tables_are_one_class(tmp_path: Path) -> None:
    """Sparse entries by label, wildcards, {steps} of equal steps, spellings of numbers: one digest; TOML goes round."""
    path = tmp_path / "weather.toml"
    path.write_text(TOML)
    model = load(path)
    assert load(plain()).sha256 == model.sha256
    again = tmp_path / "again.toml"
    again.write_text(model.to_toml())
    assert model.sha256 == load(again).sha256
    (tmp_path / "weather.json").write_bytes(model.canonical_json())
    assert model.sha256 == load(tmp_path / "weather.json").sha256
    assert model.document == load(model.document).document


def test_canonical_form() -> None:
    """Sorted out once: plain labels, matrices as expressions in lowest terms, nothing of kernels."""
    document = load(plain()).document
    assert ["fair", "foul"] == document["operators"]["coordinates"]
    assert [["(-4*x+3)/4", "0"], ["0", "1/4"], ["0", "0"], ["3*x/4", "0"]] == document["operators"]["W"][0][0]
    assert {"horizon", "learner_actions", "learner_observations", "reward"} == set(document["game"])
    assert {"parameters"} == set(document["worlds"])
    assert {"parameters", "memory", "block_rule"} == set(document["responses"])


def test_the_kernel_reads_what_was_written() -> None:
    """The section at a point, in Fractions; steps 1 and 2 share their tables."""
    section = OperatorSection(load(plain()).game)
    found = section.at({"x": Fraction(1, 4), "y": Fraction(1, 4)})
    F = Fraction
    assert ((F(1, 2), 0), (0, F(1, 4)), (0, 0), (F(3, 16), 0)) == found.W[1][0][1]
    assert ((1, F(3, 4), 0, 0), (0, F(1, 4), 1, 0)) == found.G[0][0][1][0]
    assert 2 * 2 * 2 * (4 * 2 + 2 * 2 * (4 + 2)) == section.entries


def test_coordinates_may_change_between_steps() -> None:
    """One list of labels before each step and one after the last; sizes by step."""
    model = gallery.load("patrol-operators")
    assert [2, 2, 2, 1] == [model.coordinates("window", h) for h in range(4)]
    assert 2 == model.coordinates("history")
    assert [2, 2] == [load(plain()).coordinates("window", h) for h in (0, 2)]


def test_from_python() -> None:
    """The builder takes the section, and then no states, adversary actions or observations."""
    part = plain()
    model = model_class(
        "weather",
        2,
        learner_actions=["stay", "go"],
        learner_observations=["dry", "wet"],
        reward=["1", "0"],
        worlds=part["worlds"],
        responses=part["responses"],
        policies=part["policies"],
        operators=part["operators"],
    )
    assert load(plain()).sha256 == model.sha256
    assert "Learner actions" in model._repr_html_()


def test_knobs_stand_in_matrices() -> None:
    """A knob is a number wherever an expression is."""
    document = plain() | {"knobs": {"k": "1/4"}}
    document["operators"]["W"] = json.loads(json.dumps(document["operators"]["W"]).replace('"0.25"', '"k"'))
    assert load(plain()).sha256 == load(document).sha256
    assert load(plain()).sha256 != load(document, {"k": "1/8"}).sha256


def test_classes_made_from_one() -> None:
    """Points and policies may be left out; a response floor needs responses."""
    less = without(load(plain()), worlds=[{"x": "0"}], policies=["go"])
    assert ["stay"] == sorted(less.document["operators"]["G"])
    assert {"points": [{"x": "1/4"}]} == less.document["worlds"]
    assert (("stay",), 1) == (less.policies, less.thetas)
    with pytest.raises(InputError, match="no response tables beside operators"):
        with_response_floor(load(plain()), Fraction(1, 8))


# ----------------------------------------------------------------------------------------- mistakes


def put(path: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """An edit at a path of keys and indices."""

    def edit(document: dict[str, Any]) -> None:
        *parents, last = (int(key) if key.isdigit() else key for key in path.split("."))
        target: Any = document
        for key in parents:
            target = target[key]
        if value is REMOVED:
            del target[last]
        else:
            target[last] = copy.deepcopy(value)

    return edit


MISTAKES: list[tuple[str, Any, str]] = [
    (
        "game.states",
        ["s"],
        'game: found the key "states" beside operators, required a class given by kernels or by '
        'operators; leave out "states", or the section operators',
    ),
    (
        "worlds.transition",
        [],
        'worlds: found the key "transition" beside operators, required a class given by kernels '
        'or by operators; leave out "transition", or the section operators',
    ),
    (
        "responses.table",
        {},
        'responses: found the key "table" beside operators, required a class given by kernels or '
        'by operators; leave out "table", or the section operators',
    ),
    (
        "responses.block_rule",
        "table",
        'responses.block_rule: found "table" beside operators, required latest, mean or '
        "fading; a rule by table lists responses to blocks, and operators have no responses",
    ),
    (
        "responses.parameters",
        {"x": {"values": ["0"]}},
        'responses: found the parameter "x", which worlds has too, '
        "required different names on both sides beside operators; rename one of them",
    ),
    (
        "operators",
        [],
        "operators: found an empty array, required a table with the keys coordinates, channel, initial, W, G, J",
    ),
    ("operators.J", REMOVED, 'operators: found no key "J", required the keys coordinates, channel, initial, W, G, J'),
    ("operators.K", {}, 'operators: found the unknown key "K", required one of coordinates, channel, initial, W, G, J'),
    (
        "operators.coordinates",
        ["fair"],
        "operators.initial: found an array of 2 entries, required an array of 1 (fair)",
    ),
    (
        "operators.coordinates",
        {"steps": [["fair", "foul"]] * 2},
        "operators.coordinates.steps: found an array of 2 entries, required 3 arrays of labels",
    ),
    (
        "operators.channel",
        ["calm", "calm"],
        'operators.channel[1]: found the label "calm" twice, required distinct labels',
    ),
    ("operators.channel", {"fair": 1}, "operators.channel: found a table, required an array of at least one label"),
    (
        "operators.initial",
        ["x", "1"],
        'operators.initial, the row: found "x" with the undeclared name "x", required an '
        "expression without parameters; x is a parameter of worlds alone",
    ),
    (
        "operators.G.stay",
        REMOVED,
        'operators.G: found nothing for the policy "stay", required an entry for each policy of the class',
    ),
    ("operators.G.left", [], 'operators.G: found the unknown policy "left", required one of go, stay'),
    (
        "operators.G.stay.0.0",
        [["1"] * 4],
        "operators.G.stay[0][0]: found an array of one entry, required an array of 2 (fair, foul)",
    ),
    (
        "operators.G.stay.0.0.1",
        ["1"],
        "operators.G.stay[0][0][1]: found an array of one entry, required an array of 4 "
        "(fair-calm, fair-storm, foul-calm, foul-storm)",
    ),
    (
        "operators.G.stay.0.0.1.2",
        "z",
        'operators.G.stay, row (dry, stay, foul): found "z" with the undeclared name '
        '"z", required only the parameters x, y',
    ),
    (
        "operators.G.stay.0.0.1.2",
        "1/(4*x-1)",
        'operators.G.stay, row (dry, stay, foul): found "1/(4*x-1)", whose '
        "divisor 4*x-1 is zero at x = 1/4, required a divisor that is nonzero on the whole class",
    ),
    (
        "operators.G.stay.0.0.1.2",
        "1/(x-y+1/4)",
        'operators.G.stay, row (dry, stay, foul): found "1/(x-y+1/4)", whose '
        "divisor 4*x-4*y+1 is zero at x = 0, y = 1/4, required a divisor that is nonzero on the whole class",
    ),
    (
        "operators.G.stay.0.0.1.2",
        0.5,
        'operators.G.stay[0][0][1][2]: found the float 0.5, required an exact number; write "0.5"',
    ),
    ("operators.W", {"steps": []}, "operators.W.steps: found an empty array, required 2 tables, one per step"),
    (
        "operators.W",
        {"dry *": {"fair-calm fair": 1}},
        "operators.W: found nothing for matrix (wet, stay), required an "
        'entry for every matrix; give it, or a matrix with the wildcard "*" before the others',
    ),
    (
        "operators.W",
        {"* *": {"fair-calm fire": 1}},
        'operators.W."* *"."fair-calm fire": found the unknown label "fire", required one of fair, foul; write "fair"',
    ),
    ("operators.W", "identity", 'operators.W: found "identity", required an array of 2 entries or a table by labels'),
    (
        "operators.channel",
        {"steps": [["v"], ["v", "w", "x", "y"]]},
        "operators.W, step 1[0][0]: found an array of 4 entries, required an array of 1 (v)",
    ),
    (
        "operators.coordinates",
        {"steps": [["fair", "foul"], ["fair", "foul"], ["end"]]},
        "operators.G.stay: found one "
        "table for all steps, required {steps = [one table per step]}, as the coordinates or the channel differ between "
        "steps",
    ),
]


@pytest.mark.parametrize(("path", "value", "message"), MISTAKES)
def test_mistakes(path: str, value: Any, message: str) -> None:
    """Each is one sentence: where, what was found, what is required."""
    document = plain()
    put(path, value)(document)
    with pytest.raises(PomgcheckError) as caught:
        load(document)
    assert message == str(caught.value)


def test_one_table_needs_one_shape() -> None:
    """Where the spaces differ between steps a table per step is asked for; so it is where only their names do, by
    label."""
    document = plain()
    document["operators"]["channel"] = {"steps": [["a", "b", "c", "d"], ["b", "a", "c", "d"]]}
    document["operators"]["G"]["go"] = document["operators"]["G"]["stay"]
    assert {"steps": [["a", "b", "c", "d"], ["b", "a", "c", "d"]]} == load(document).document["operators"]["channel"]
    document["operators"]["G"]["stay"] = {"* *": {"fair a": 1}}
    with pytest.raises(InputError, match="operators.G.stay: found one table for all steps, required {steps = "):
        load(document)


def test_too_many_entries_are_counted_first() -> None:
    """All matrices and steps together, before any is read."""
    document = plain()
    document["operators"]["channel"] = [f"v{n}" for n in range(5000)]
    document["operators"]["coordinates"] = [f"s{n}" for n in range(3000)]
    with pytest.raises(
        PomgcheckError,
        match="operators: found 504,000,000 entries, all matrices and steps together, required at most 2,000,000",
    ):
        load(document)


def test_json_holds_plain_tables_only(tmp_path: Path) -> None:
    """Sugar is for TOML and Python."""
    path = tmp_path / "w.json"
    document = plain()
    document["operators"]["W"] = {"* *": {}}
    path.write_text(json.dumps(document))
    with pytest.raises(InputError, match="label-keyed rows and words are for TOML and Python"):
        load(path)


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("operators.initial", ["1", "x"], "operators.initial"),
        ("operators.W.0.0.0.0", "x +", "operators"),
        ("operators.W.0.0.0.0", "z", "operators"),
        ("operators.W.0.0.0.0", "1/x", "operators"),
        ("operators.G.stay", [], "operators.G.stay, step 1"),
    ],
)
def test_the_kernel_reads_strictly(path: str, value: Any, where: str) -> None:
    """Its own reading of a canonical document refuses what is no matrix of expressions, by place."""
    document = json.loads(json.dumps(load(plain()).document))
    put(path, value)(document)
    with pytest.raises(Malformed) as caught:
        OperatorSection(Game(document)).at({"x": Fraction(0), "y": Fraction(0)})
    assert where == caught.value.where


@settings(deadline=None, max_examples=200)
@given(
    st.lists(
        st.tuples(st.sampled_from([*paths(plain()), "truth", "worlds.points"]), SCALARS | VALUES),
        min_size=1,
        max_size=2,
    )
)
def test_any_edit_of_operators(edits: list[tuple[str, Any]]) -> None:
    """Edits of any kind at any place are accepted whole, by the kernel too, or refused with a sentence."""
    document, refusal = plain(), ""
    try:
        for path, value in edits:
            put(path, value)(document)
    except (KeyError, TypeError, IndexError, ValueError):
        return  # an earlier edit took the place of a later one away
    try:
        model = load(document)
    except PomgcheckError as error:
        refusal = str(error)
    if refusal:
        assert "found " in refusal
        assert ", required " in refusal
    else:
        if model.game.own:
            assert model.H == len(OperatorSection(Game(json.loads(model.canonical_json()))).channel)
        assert model == load(model.document)
