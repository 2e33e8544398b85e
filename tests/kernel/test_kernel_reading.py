"""Strict reading: JSON, exact numbers, expressions, parameter sets and tables."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from copy import deepcopy
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.kernel import check, reading
from pomgcheck.kernel.expressions import evaluate
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.limits import CAPS
from pomgcheck.kernel.parameters import parameter_points
from pomgcheck.kernel.polynomials import value as at
from pomgcheck.kernel.polynomials import variable
from pomgcheck.kernel.reading import Malformed, canonical_bytes, rational, read_json
from pomgcheck.options import Options
from tests.kernel.editing import canonical, drop, edited, put
from tests.search import small

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts, lambda x: st.lists(x) | st.dictionaries(texts, x), max_leaves=12
)

# ------------------------------------------------------------------------------------- strict JSON


@given(values)
def test_json_without_floats_is_read_as_written(value: Any) -> None:
    """Canonical bytes and ordinary JSON text of a value both read back as the value."""
    assert value == read_json(canonical_bytes(value))
    assert value == read_json(json.dumps(value, ensure_ascii=False, indent=1).encode())


@given(values, st.floats())
def test_a_float_anywhere_is_refused(value: Any, number: float) -> None:
    """Also NaN and the infinities, and a float that is a whole number."""
    with pytest.raises(Malformed, match="float"):
        read_json(json.dumps([value, {"x": [number]}], ensure_ascii=False).encode())


@given(texts, values, values)
def test_a_key_twice_is_refused(key: str, one: Any, two: Any) -> None:
    """Also where both entries are equal."""
    name, first, second = (json.dumps(x, ensure_ascii=False) for x in (key, one, two))
    with pytest.raises(Malformed, match="twice"):
        read_json(f"[{{{name}:{first},{name}:{second}}}]".encode())


@pytest.mark.parametrize("digits", [4301, reading.MAX_DIGITS])
def test_long_integers_are_read(digits: int) -> None:
    """The interpreter's own limit is lifted up to the stated cap."""
    with_limit = check.verify_bytes(b"[" + b"9" * digits + b"]")
    assert "found list, required an object" in with_limit.line


@pytest.mark.parametrize("text", ["9" * (reading.MAX_DIGITS + 1), "-" + "9" * reading.MAX_DIGITS])
def test_integers_over_the_cap_are_refused(text: str) -> None:
    """One digit, or a sign, more than the cap."""
    with pytest.raises(Malformed, match="at most 100000"):
        read_json(f"[{text}]".encode())


@pytest.mark.parametrize("depth", [500, 900, 990, 1500, 10**5])
@pytest.mark.parametrize("field", ['"name":"drift"', '"kappa":1', '"certified":true'])
def test_deep_nesting_never_escapes(depth: int, field: str) -> None:
    """However deep a file nests, and wherever, the answer is a rejection."""
    data = (Path(__file__).parents[1] / "accepted" / "drift.cert.json").read_text(encoding="utf-8")
    assert field in data
    name = field.split(":")[0]
    verdict = check.verify_bytes(data.replace(field, f"{name}:{'[' * depth}{']' * depth}").encode())
    assert not verdict.accepted
    assert verdict.line.startswith("REJECTED ")


def test_files_over_the_cap_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The size is looked at before the text."""
    monkeypatch.setattr(check, "MAX_BYTES", 10)
    assert "11 bytes" in check.verify_bytes(b"[" + b" " * 9 + b"]").line


# ------------------------------------------------------------------------------------ exact numbers


@given(st.fractions())
def test_exact_numbers_are_read(x: Fraction) -> None:
    """The text of a fraction is the fraction."""
    assert x == rational(str(x), "here")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1/",
        "/2",
        "1/0",
        "1/-2",
        "--1",
        "+1",
        " 1",
        "1 ",
        "1\n",
        "1_0",
        "0.5",
        "1e3",
        "0x1",
        "\uff11",
        "1/\uff12",
        "\u00bd",
        "1//2",
        "1/2/3",
        "inf",
        "nan",
        "\u22121",
        None,
        1,
        True,
        0.5,
        ["1"],
        {"log_of": "2"},
    ],
)
def test_other_texts_are_not_numbers(text: Any) -> None:
    """Signs, blanks, underscores, decimals, other scripts and other types are refused."""
    with pytest.raises(Malformed, match="an exact number"):
        rational(text, "here")


@pytest.mark.parametrize("path", [("options", "delta"), ("model", "worlds", "initial", 0)], ids=["option", "model"])
@pytest.mark.parametrize(
    "text", ["1" * (reading.MAX_DIGITS + 1), "1/" + "1" * (reading.MAX_DIGITS + 1)], ids=["whole", "part"]
)
def test_numbers_over_the_cap_are_refused(path: tuple[str | int, ...], text: str) -> None:
    """A numerator or denominator of more digits ends in a rejection, wherever a number is read."""
    certificate = json.loads((Path(__file__).parents[1] / "accepted" / "drift.cert.json").read_bytes())
    verdict = check.verify_bytes(canonical(edited(certificate, put(*path, to=text))))
    assert [False, "file"] == [verdict.accepted, verdict.claim]


# -------------------------------------------------------------------------------------- expressions

POINT = {"x": Fraction(1, 3), "y": Fraction(-2, 5), "rate_2": Fraction(7)}
atoms = st.sampled_from(["0", "1", "2", "10", "x", "y", "rate_2"])
expressions = st.recursive(
    atoms,
    lambda e: (
        st.tuples(e, st.sampled_from(["+", "-", "*", "/", " + ", " * "]), e).map("".join)
        | e.map(lambda t: f"({t})")
        | e.map(lambda t: f"-{t}")
        | st.tuples(e.map(lambda t: f"({t})"), st.integers(0, 4)).map(lambda pair: f"{pair[0]}^{pair[1]}")
    ),
    max_leaves=8,
)


@given(expressions)
def test_expressions_have_their_usual_value(text: str) -> None:
    """Precedence, signs and powers are those of ordinary arithmetic in exact fractions."""
    numbers = "".join(f"F({part})" if part.isdigit() else part for part in split(text))
    try:
        wanted = eval(numbers.replace("^", "**"), {"F": Fraction}, dict(POINT))
    except ZeroDivisionError:
        with pytest.raises(Malformed, match="nonzero"):
            evaluate(text, POINT, "here")
    else:
        assert wanted == evaluate(text, POINT, "here")


@pytest.mark.parametrize("name", ["lambda", "if", "None", "True", "e", "_", "x1", "import_"])
def test_a_parameter_may_have_any_name(name: str) -> None:
    """Also one that means something to Python."""
    assert Fraction(5, 3) == evaluate(f"2*{name}+1", {name: Fraction(1, 3)}, "here")


def split(text: str) -> list[str]:
    """The text cut between numbers (not exponents, not parts of names) and the rest."""
    return re.split(r"(?<![\w^])([0-9]+)(?!\w)", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1+",
        "*1",
        "1 2",
        "x y",
        "2x",
        "(1",
        "1)",
        "()",
        "1**2",
        "x^y",
        "x^-1",
        "x^1000",
        "x'",
        "0.5",
        "1,0",
        "z",
        "x;y",
        "x=1",
        "f(x)",
        "__import__",
        "\uff11",
        "1/0",
        "x/(x-x)",
        "x\u00b2",
        "True",
        "1//2",
        "x^0.5",
        "x^",
        "^2",
    ],
)
def test_nothing_else_is_an_expression(text: str) -> None:
    """Anything but exact numbers, declared parameters, + - * / ^ and parentheses is refused, with its place."""
    with pytest.raises(Malformed, match=r"^here: found "):
        evaluate(text, POINT, "here")


@pytest.mark.parametrize("text", ["1/x-1/x", "0/x", "(1/x)^0", "1/2+x*(1/x-1/x)", "1/(x+1)-1/(1+x)"])
def test_a_divisor_that_cancels_is_refused(text: str) -> None:
    """Where it is zero the text has no value, so a polynomial without it is another function; at a number it is read as
    it stands."""
    assert evaluate(text, {"x": Fraction(1)}, "here") == evaluate(text, {"x": Fraction(2)}, "here")
    with pytest.raises(Malformed, match="a divisor cancels"):
        evaluate(text, {"x": variable("theta.x")}, "here")


@pytest.mark.parametrize("text", ["x/x", "x*x/x", "(x+1)/(2*x+2)", "1/x+1/(x+1)", "x-x/2", "1/(x-x+2)"])
def test_a_divisor_that_stays_is_read(text: str) -> None:
    """Quotients keep their divisors, lowest terms or not, and numbers are no divisors to lose."""
    value = evaluate(text, {"x": variable("theta.x")}, "here")
    assert evaluate(text, {"x": Fraction(3)}, "here") == at(value, {"theta.x": Fraction(3)})


@pytest.mark.parametrize("text", ["(" * 10**5 + "1" + ")" * 10**5, "-" * 10**5 + "1", "((2^999)^999)^999"])
def test_expressions_that_would_exhaust_the_machine_are_refused(text: str) -> None:
    """Deep parentheses, long signs and towers of powers end in a message."""
    with pytest.raises(Malformed):
        evaluate(text, {}, "here")


# ----------------------------------------------------------------------------------- parameter sets


def test_points_are_the_product_of_the_axes_in_order() -> None:
    """Names sorted, values as given, the last axis fastest."""
    axes = {"y": {"values": ["1", "2"]}, "x": {"values": ["3", "0"]}}
    wanted = [{"x": Fraction(x), "y": Fraction(y)} for x, y in product(("3", "0"), ("1", "2"))]
    assert wanted == list(parameter_points({"parameters": axes}, "worlds") or ())


def test_constraints_leave_points_out() -> None:
    """A point stays where every constraint holds, the boundary included."""
    axes = {name: {"values": ["0", "1", "2"]} for name in ("x", "y")}
    points = parameter_points({"parameters": axes, "constraints": ["-x-y+2 >= 0", "x-y >= 0"]}, "worlds")
    assert ["00", "10", "11", "20"] == [f"{point['x']}{point['y']}" for point in points or ()]


def test_an_interval_is_not_a_finite_set() -> None:
    """One interval axis makes the class infinite."""
    assert parameter_points({"parameters": {"x": {"interval": ["0", "1"]}, "y": {"values": ["0"]}}}, "worlds") is None


def test_no_parameters_are_one_point() -> None:
    """An empty set of axes has one point, the empty one."""
    assert ({},) == parameter_points({"parameters": {}}, "worlds")


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"parameters": {"x": {"values": ["0"], "interval": ["0", "1"]}}}, "either values or interval"),
        ({"parameters": {"2x": {"values": ["0"]}}}, "a name"),
        ({"parameters": {"\u00e9": {"values": ["0"]}}}, "a name"),
        ({"parameters": {"x": {"values": [0]}}}, "an exact number"),
        ({"parameters": {"x": {"values": ["0"]}}, "constraints": ["x-1 >= 0"]}, "at least one"),
        ({"parameters": {"x": {"values": ["0"]}}, "constraints": ["x <= 1"]}, ">= 0"),
        ({"points": [{"x": "0"}, {"y": "0"}]}, "one set"),
        ({"points": [{"x": "0"}, {"x": "0/1"}]}, "distinct"),
        ({"points": []}, "at least one"),
        ({"points": [["x", "0"]]}, "an object"),
        ({"parameters": {f"x{n}": {"values": [str(v) for v in range(10)]} for n in range(7)}}, "at most 1000000"),
    ],
)
def test_parameter_sets_that_are_none(part: Any, message: str) -> None:
    """Each is refused with what was required."""
    with pytest.raises(Malformed, match=message):
        parameter_points(part, "worlds")


# -------------------------------------------------------------------------------------------- tables


def test_a_game_holds_the_tables_of_its_document() -> None:
    """Entries evaluated at every point; policies in sorted order; one table per step."""
    read = Game(small.drift())
    assert ("idle", "watch") == read.policy_names
    assert [{"x": 0}, {"x": Fraction(1, 8)}] == list(read.thetas or ())
    assert (Fraction(3, 4), Fraction(1, 4)) == read.worlds[1].T[0][0][0][0]
    assert (Fraction(7, 8), Fraction(1, 8)) == read.worlds[0].T[1][0][1][0]
    assert (Fraction(3, 4), Fraction(1, 4)) == read.responses[1][1][0][0]
    assert [2, 2, True] == [read.H, len(read.policies[0]), read.finite]


def test_a_row_is_read_at_the_parameters_that_it_names() -> None:
    """Of x and x1, one the beginning of the other, each row takes its own, at all four points and in rows that name both."""
    document = small.drift()
    document.pop("truth", None)
    document["worlds"]["parameters"] = {name: {"values": ["0", "1/8"]} for name in ("x", "x1")}
    named = [["x", "x"], ["x1", "x+x1"]]
    document["worlds"]["transition"] = [[[[f"1-({x})", x]] * 2 for x in actions] for actions in named]
    read = Game(document)
    assert [(0, 0), (0, Fraction(1, 8)), (Fraction(1, 8), 0), (Fraction(1, 8), Fraction(1, 8))] == [
        (point["x"], point["x1"]) for point in read.thetas or ()
    ]
    for point, world in zip(read.thetas or (), read.worlds, strict=True):
        found = [world.T[0][s][a][0][1] for s in range(2) for a in range(2)]
        assert found == [point["x"], point["x"], point["x1"], point["x"] + point["x1"]]


@pytest.mark.parametrize(
    ("window", "rows"), [(1, [2, 2, 2]), (2, [2, 4, 4]), (3, [2, 4, 8]), (None, [2, 12, 72])], ids=str
)
def test_rows_of_a_table(window: int | None, rows: list[int]) -> None:
    """Two observations, three actions: one row per observation window, or one a whole decision history."""
    assert rows == [Game.row_count(window, h, 2, 3) for h in range(3)]


FADES = {"block_rule": "fading", "gamma": "1/2"}
NONE_OF_THE_FORMAT: dict[str, tuple[tuple[Any, ...], str]] = {
    **{
        f"a horizon of {x!r}": ((put("game", "horizon", to=x),), "game.horizon: found")
        for x in (0, 1001, -2, True, "2")
    },
    "a reward beyond one": ((put("game", "reward", to=["2", "0"]),), "required entries in [0,1]"),
    "a reward below zero": ((put("game", "reward", to=["-1/2", "0"]),), "required entries in [0,1]"),
    "a policy of sum two": (
        (put("policies", "list", "idle", 0, to=["1", "1"]),),
        "policies.list.idle, step 1[0]: found a row of sum 2",
    ),
    "a policy of sum one half": (
        (put("policies", "list", "idle", 0, to=["1/2", "0"]),),
        "policies.list.idle, step 1[0]: found a row of sum 1/2",
    ),
    **{
        f"a window of {x!r}": ((put("policies", "window", to=x),), "policies.window: found")
        for x in (0, 1001, -1, True, "all", None)
    },
    **{
        f"{x!r} episodes of memory": ((put("responses", "memory", to=x),), "responses.memory: found")
        for x in (0, 10_001, -1, True, "2")
    },
    **{
        f"a rate of {x}": (
            (drop("responses", "memory"), put("responses", to=lambda r, x=x: r | FADES | {"gamma": x})),
            "responses.gamma: found",
        )
        for x in ("-1/2", "1", "3/2")
    },
    "a fading rule with a memory": ((put("responses", to=lambda r: r | FADES),), "memory unless the rule is fading"),
    "a fading rule without a rate": (
        (drop("responses", "memory"), put("responses", "block_rule", to="fading")),
        "gamma exactly when the rule is fading",
    ),
    "a rate of a rule that does not fade": (
        (put("responses", to=lambda r: r | {"gamma": "1/2"}),),
        "gamma exactly when",
    ),
    "no memory of a rule that does not fade": ((drop("responses", "memory"),), "memory unless the rule is fading"),
    "a rule of no name": ((put("responses", "block_rule", to="median"),), "responses.block_rule: found"),
    "blocks of a rule without a table": ((put("responses", to=lambda r: r | {"blocks": {}}),), "blocks exactly when"),
    "a table rule without blocks": ((put("responses", "block_rule", to="table"),), "blocks exactly when"),
    "points and parameters": ((put("worlds", to=lambda w: w | {"points": [{"x": "0"}]}),), "points or parameters"),
    "neither points nor parameters": ((drop("responses", "parameters"),), "points or parameters"),
    "a truth of other parameters": (
        (put("truth", to={"worlds": {"z": "0"}, "responses": {"y": "1/4"}}),),
        "truth.worlds: found",
    ),
    "a truth of fewer parameters": (
        (put("truth", to={"worlds": {"x": "0"}, "responses": {}}),),
        "truth.responses: found",
    ),
    "a truth of more parameters": (
        (put("truth", to={"worlds": {"x": "0", "z": "0"}, "responses": {"y": "1/4"}}),),
        "truth.worlds: found",
    ),
    "a name of no text": ((put("name", to=3),), "model.name: found"),
    "another format": ((put("format", to="pomgcheck-model-class/0"),), "model.format: found"),
}


@pytest.mark.parametrize("case", NONE_OF_THE_FORMAT)
def test_a_document_that_is_none_is_refused(case: str) -> None:
    """Numbers beyond their ends, keys that go with other rules, truths of other parameters: each is named."""
    edits, said = NONE_OF_THE_FORMAT[case]
    document = small.drift()
    Game(document)
    for edit in edits:
        edit(document)
    with pytest.raises(Malformed, match=re.escape(said)):
        Game(document)


@pytest.mark.parametrize(
    ("name", "to"),
    [
        ("space", "windows"),
        ("lipschitz_form", "steps"),
        ("kappa", 1001),
        ("T", 0),
        ("delta", "0"),
        ("delta", "3/2"),
        ("delta", "-1/2"),
    ]
    + [(name, value) for name in ("form", "scope") for value in ("all", 1, None)]
    + [(name, value) for name in CAPS for value in (0, -1, True, "1", CAPS[name] + 1)],
)
def test_an_option_that_is_none_is_refused(name: str, to: Any) -> None:
    """Words that none of its choices is, numbers beyond either end, other types."""
    game, options = Game(small.drift()), deepcopy(Options().document)
    assert options == check.read_options(options, game)
    place = next(part for part in (options, options["weak_revealing"], options["limits"]) if name in part)
    place[name] = to
    with pytest.raises(Malformed, match=rf"options\.{name}: found"):
        check.read_options(options, game)


def test_a_class_contains_what_its_axes_and_constraints_allow() -> None:
    """The ends of an interval and of a constraint, the values of a finite axis, and nothing beyond them."""
    document = small.drift()
    document["worlds"]["parameters"] = {"x": {"interval": ["0", "1/8"]}, "n": {"values": ["0", "1"]}}
    document["worlds"]["constraints"] = ["8*x-n >= 0"]
    game = Game(document)
    found = {
        (x, n)
        for x in range(-1, 11)
        for n in range(-1, 3)
        if game.contains("worlds", {"x": Fraction(x, 8) / 8, "n": Fraction(n)})
    }
    assert {(x, 0) for x in range(9)} | {(8, 1)} == found
    for names in (["n"], ["x"], ["n", "x", "z"], ["a", "n", "x"], ["n", "z"], ["a", "x"]):
        with pytest.raises(Malformed, match=re.escape(f"found {names}, required the parameters ['n', 'x']")):
            game.contains("worlds", dict.fromkeys(names, Fraction(0)))


TYPES: list[Any] = [None, True, 0, 3, "", "x", [], {}, [[]], {"steps": []}, {"x": None}, [None], "(" * 5000]


@settings(max_examples=300)
@given(st.data())
def test_no_document_escapes_the_reader(data: Any) -> None:
    """Whatever is written anywhere in a document, it reads or is refused with a place."""
    document = deepcopy(small.drift(truth={"worlds": {"x": "0"}, "responses": {"y": "1/4"}}))
    here, key = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(here[key], dict | list) and here[key] and data.draw(st.integers(0, 4)):
        here = here[key]
        key = data.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
    here[key] = deepcopy(data.draw(st.sampled_from(TYPES)))
    with suppress(Malformed):
        Game(document)
