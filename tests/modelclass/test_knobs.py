"""Knobs: named constants of an authoring document, gone from the canonical one."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from small_document import document, edited

from pomgcheck import load as load_any
from pomgcheck.errors import PomgcheckError
from pomgcheck.modelclass import load, model_class, varied

BLUR = [["1-blur", "blur"], ["blur", "1-blur"]]


def knobbed(**knobs: Any) -> dict[str, Any]:
    """The small document, its emission blurred by a knob."""
    return edited(("knobs", {"blur": "3/20"} | knobs), ("worlds.learner_emission", BLUR))


def refusal(source: Any, knobs: dict[str, Any] | None = None) -> str:
    """The sentence a document is refused with."""
    with pytest.raises(PomgcheckError) as error:
        load(source, knobs)
    return str(error.value)


def test_a_knob_is_its_value() -> None:
    """A knob spelled in an entry and its value written out are one class, by digest; the canonical form has no knob."""
    model = load(knobbed())
    assert load(document()).sha256 == model.sha256
    assert "knobs" not in model.document
    assert {"blur": "3/20"} == model.knobs


@pytest.mark.parametrize("spelling", ["0.15", "3/20", "6/40", Fraction(3, 20)])
def test_any_exact_spelling_will_do(spelling: Any) -> None:
    """A value given in place of the document's own may be text or an exact Python number."""
    assert load(document()).sha256 == load(knobbed(blur="1/3"), {"blur": spelling}).sha256


def test_a_knob_may_use_the_knobs_before_it() -> None:
    """A derived knob follows the ones it is made of, unless it is given itself."""
    source = edited(("knobs", {"half": "3/40", "blur": "2*half"}), ("worlds.learner_emission", BLUR))
    assert {"half": "3/40", "blur": "3/20"} == load(source).knobs
    assert {"half": "1/10", "blur": "1/5"} == load(source, {"half": "1/10"}).knobs
    assert {"half": "3/40", "blur": "1/4"} == load(source, {"blur": "1/4"}).knobs
    assert 'knobs.blur: found "2*half" with the undeclared name "half", required an expression without parameters' == (
        refusal(edited(("knobs", {"blur": "2*half", "half": "1/10"})))
    )


def test_knobs_stand_wherever_a_number_does() -> None:
    """Axes, constraints, points, intervals, rewards, policies, the fading rate and the truth all read them."""
    used = edited(
        ("knobs", {"k": "1/10", "one": "10*k"}),
        ("game.reward", ["one", "1-one"]),
        ("worlds.parameters", {"x": {"values": ["k/2", "k"]}}),
        ("worlds.constraints", ["x <= k"]),
        ("responses.parameters", {"y": {"interval": ["k", "2*k"]}}),
        ("responses.block_rule", "fading"),
        ("responses.gamma", "5*k"),
        ("policies.list.idle", [["one", "0"], ["1", "1-10*k"]]),
        ("truth", {"worlds": {"x": "k"}, "responses": {"y": "2*k"}}),
    )
    written = edited(
        ("worlds.constraints", ["x <= 1/10"]),
        ("responses.parameters", {"y": {"interval": ["1/10", "1/5"]}}),
        ("responses.block_rule", "fading"),
        ("responses.gamma", "1/2"),
        ("truth", {"worlds": {"x": "1/10"}, "responses": {"y": "1/5"}}),
    )
    del used["responses"]["memory"], written["responses"]["memory"]
    assert load(written).sha256 == load(used).sha256
    for source, point in ((used, "k"), (written, "1/10")):
        del source["worlds"]["parameters"], source["worlds"]["constraints"]
        source["worlds"]["points"] = [{"x": point}]
    assert load(written).sha256 == load(used).sha256


@pytest.mark.parametrize(
    ("source", "knobs", "sentence"),
    [
        (knobbed(), {"blurr": "1"}, 'knobs: found the unknown knob "blurr", required one of blur; write "blur"'),
        (
            document(),
            {"blur": "1/5"},
            'knobs: found a value of "blur" for a document without knobs, required a '
            'document that holds it; declare it: [knobs] blur = "1/2"',
        ),
        (knobbed(), {"blur": 0.2}, 'knobs.blur: found the float 0.2, required an exact number; write "0.2"'),
        (
            knobbed(),
            {"blur": "x"},
            'knobs.blur: found "x" with the undeclared name "x", required an expression '
            "without parameters; x is a parameter of worlds alone",
        ),
        (
            knobbed(),
            {"blur": "2"},
            'worlds.learner_emission, row (calm): found the entry "1-blur" = -1, required an '
            "entry in [0,1] on the whole class",
        ),
        (
            knobbed(x="1"),
            None,
            'knobs: found the knob "x", a parameter of worlds too, required a name of its own; rename one of them',
        ),
        (
            knobbed(**{"a-b": "1"}),
            None,
            'knobs: found the knob name "a-b", required a letter or _, then letters, digits and _',
        ),
        (knobbed(wide=["1"]), None, "knobs.wide: found an array of one entry, required an exact number"),
        (edited(("knobs", ["1"])), None, "knobs: found an array of one entry, required a table of knobs by name"),
        (
            edited(("worlds.initial", ["blur", "1-blur"]), ("knobs", {"dim": "1"})),
            None,
            'worlds.initial, the row: found "blur" with the undeclared name "blur", required only the knobs dim',
        ),
        (
            edited(("worlds.learner_emission.0", ["1-blur", "blur"]), ("knobs", {"dim": "1"})),
            None,
            'worlds.learner_emission, row (calm): found "1-blur" with the undeclared name "blur", required only the '
            "parameters x and the knobs dim",
        ),
        (
            edited(("game.horizon", "two"), ("knobs", {"two": "2"})),
            None,
            'game.horizon: found "two", required an integer from 1 to 1000',
        ),
    ],
)
def test_each_mistake_has_its_sentence(source: Any, knobs: dict[str, Any] | None, sentence: str) -> None:
    """Unknown names, clashes, inexact numbers and values that make no class: where, found, required, and the fix."""
    assert sentence == refusal(source, knobs)


def test_files_hold_knobs(tmp_path: Path) -> None:
    """TOML and JSON alike; what is written as TOML keeps the knobs, at the values they were given."""
    path = tmp_path / "guard.json"
    path.write_text(json.dumps(knobbed()))
    assert load(document()).sha256 == load(path).sha256
    other = load(path, {"blur": "1/4"})
    text = tmp_path / "guard.toml"
    text.write_text(other.to_toml())
    assert ({"blur": "1/4"}, other.sha256) == (load(text).knobs, load(text).sha256)


def test_python_holds_knobs(tmp_path: Path) -> None:
    """The builder takes them; a class at hand can be varied; a file's function may return either."""
    parts = knobbed()
    game = parts.pop("game")
    del parts["format"]
    model = model_class(**parts, **game)
    assert load(document()).sha256 == model.sha256
    assert load(knobbed(blur="1/5")).sha256 == varied(model, {"blur": "1/5"}).sha256
    file = tmp_path / "mine.py"
    file.write_text(
        f"from pomgcheck.modelclass import load\nSOURCE = {knobbed()!r}\n\n"
        "def source():\n    return SOURCE\n\n\ndef built():\n    return load(SOURCE)\n"
    )
    for name in ("source", "built"):
        assert load(knobbed(blur="1/5")).sha256 == load_any(f"{file}:{name}", {"blur": "1/5"}).sha256


def test_the_shipped_class_has_two() -> None:
    """``patrol`` holds the sensor's noise and the deterrence; at its own values it is the published class."""
    model = load_any("patrol")
    assert {"noise": "3/20", "deterrence": "1"} == model.knobs
    assert model.sha256 == load_any("patrol", {"noise": "0.15"}).sha256
    assert model.sha256 != load_any("patrol", {"noise": "0.16"}).sha256
