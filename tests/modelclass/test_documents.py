"""Documents: what loads, and the one sentence that each mistake is answered with."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from small_document import REMOVED, document, edited

from pomgcheck.errors import PomgcheckError
from pomgcheck.modelclass import load

HALF = ["1/2", "1/2"]
LIST = {"idle": [["1", "0"], ["1", "0"]], "patrol": [["0", "1"], ["0", "1"]]}

MISTAKES: list[tuple[str, Any, str]] = [
    # keys and shapes
    (
        "format",
        "pomgcheck-model-class/2",
        'format: found "pomgcheck-model-class/2", required "pomgcheck-model-class/1"',
    ),
    ("name", REMOVED, 'found no key "name", required the keys format, name, game, worlds, responses, policies'),
    ("name", "  ", 'name: found "  ", required a string that is not empty'),
    (
        "nam",
        "guard",
        'found the unknown key "nam", required one of format, name, game, worlds, responses, policies, '
        'description, source, truth, knobs, operators; write "name"',
    ),
    (
        "worlds.transitions",
        [],
        'worlds: found the unknown key "transitions", required one of initial, transition, '
        'learner_emission, adversary_emission, parameters, constraints, points; write "transition"',
    ),
    ("worlds", [], "worlds: found an empty array, required a table"),
    ("game.horizon", "2", 'game.horizon: found "2", required an integer from 1 to 1000'),
    ("game.horizon", 0, "game.horizon: found 0, required an integer from 1 to 1000"),
    ("game.states", [], "game.states: found an empty array, required an array of at least one label"),
    ("game.states", ["calm", "calm"], 'game.states[1]: found the label "calm" twice, required distinct labels'),
    (
        "game.states",
        ["calm", "on alarm"],
        'game.states[1]: found "on alarm", required a name without white space that is not "*"',
    ),
    ("game.states", ["calm", "*"], 'game.states[1]: found "*", required a name without white space that is not "*"'),
    ("game.states", ["calm", ""], 'game.states[1]: found "", required a name without white space that is not "*"'),
    ("game.states", ["calm", 1], 'game.states[1]: found 1, required a name without white space that is not "*"'),
    (
        "worlds.learner_emission",
        [HALF],
        "worlds.learner_emission: found an array of one entry, required an array of 2 (calm, alarm)",
    ),
    (
        "worlds.transition.1.0",
        [HALF, HALF, HALF],
        "worlds.transition[1][0]: found an array of 3 entries, required an array of 2 (wait, attack)",
    ),
    (
        "worlds.transition.1.0.1",
        ["1"],
        "worlds.transition[1][0][1]: found an array of one entry, required an array of 2 (calm, alarm)",
    ),
    (
        "worlds.transition",
        {"steps": [document()["worlds"]["transition"]]},
        "worlds.transition.steps: found an array of one entry, required 2 tables, one per step",
    ),
    (
        "game.reward",
        {"steps": [["1", "0"], ["1"]]},
        "game.reward, step 2: found an array of one entry, required an array of 2 (quiet, noise)",
    ),
    (
        "game.states",
        ["calm", "al\U0001f6a8rm"],
        'game.states[1]: found "al\U0001f6a8rm", required a name of characters up to U+FFFF, as certificates ask',
    ),
    ("worlds.points", [], "worlds.points: found an empty array, required an array of at least one point"),
    (
        "responses.table",
        [["1/2", "1/2"]],
        "responses.table: found an array of one entry, required a table with one entry per policy",
    ),
    (
        "worlds.transition.0.0.0",
        ["x^(2", "1-x"],
        'worlds.transition, row (calm, idle, wait): found "x^(2" with its end too early, required a closing parenthesis',
    ),
    # numbers
    ("worlds.initial", [0.5, 0.5], 'worlds.initial[0]: found the float 0.5, required an exact number; write "0.5"'),
    (
        "worlds.initial",
        [1e-3, "1"],
        'worlds.initial[0]: found the float 0.001, required an exact number; write "0.001"',
    ),
    ("worlds.initial", [True, False], 'worlds.initial[0]: found true, required an exact number; write "1" or "0"'),
    (
        "worlds.initial",
        [None, "1"],
        "worlds.initial[0]: found null, required a string, an integer, an array or a table; leave the key out, or fill it "
        "in",
    ),
    (
        "worlds.initial",
        [["1"], "0"],
        "worlds.initial, the row: found an array of one entry as entry 1, required an exact number or an expression",
    ),
    (
        "worlds.initial",
        ["x", "1-x"],
        'worlds.initial, the row: found "x" with the undeclared name "x", '
        "required an expression without parameters; x is a parameter of worlds alone",
    ),
    (
        "responses.table.idle.0",
        ["x", "1-x"],
        'responses.table.idle, row (dark): found "x" with the undeclared '
        'name "x", '
        "required only the parameters y; x is a parameter of worlds alone",
    ),
    (
        "worlds.transition.0.0.1",
        ["1/2+", "1/2"],
        'worlds.transition, row (calm, idle, attack): found "1/2+" with its '
        "end too early, required an expression of exact numbers, parameters, + - * / ^ and ( )",
    ),
    # rows
    (
        "worlds.transition.0.0.1",
        ["3/4-x", "1/4"],
        "worlds.transition, row (calm, idle, attack): found [3/4-x, 1/4] of "
        'sum -x+1, required a sum of 1 identically in the parameters; its last entry would be "(4*x+1)/4"',
    ),
    (
        "worlds.transition.0.0.1",
        ["(1-x)^40", "x^7"],
        "worlds.transition, row (calm, idle, attack): found [(1-x)^40, x^7] of sum about 0.128512 at x = 1/20, required a sum of "
        "1 identically in the parameters; its last entry is 1 less the others",
    ),
    (
        "worlds.transition.0.0.1",
        ["1/2" + "0" * 60, "1"],
        f"worlds.transition, row (calm, idle, attack): found [1/2{'0' * 57}..., 1] of sum 1+5e-61, required a sum of 1 "
        "identically in the parameters; its last entry is 1 less the others",
    ),
    (
        "worlds.initial",
        ["1/2", "1/3"],
        'worlds.initial, the row: found [1/2, 1/3] of sum 5/6, required a sum of 1; its last entry would be "1/2"',
    ),
    (
        "worlds.transition.0.0.1",
        ["1-11*x", "11*x"],
        "worlds.transition, row (calm, idle, attack): found the entry "
        '"1-11*x", which is -1/10 at x = 1/10, required an entry in [0,1] on the whole class',
    ),
    (
        "worlds.transition",
        {"steps": [document()["worlds"]["transition"], [[[HALF, ["3/2", "-1/2"]], [HALF, HALF]]] * 2]},
        'worlds.transition, step 2, row (calm, idle, attack): found the entry "-1/2" = -1/2, '
        "required an entry in [0,1] on the whole class",
    ),
    (
        "worlds.transition.0.0.1",
        ["x/(x-1/20)", "1-x/(x-1/20)"],
        "worlds.transition, row (calm, idle, attack): found "
        '"x/(x-1/20)", whose divisor 20*x-1 is zero at x = 1/20, required a divisor that is nonzero on the whole class',
    ),
    ("game.reward", ["3/2", "0"], 'game.reward, the row: found the entry "3/2" = 3/2, required an entry in [0,1]'),
    (
        "game.reward",
        ["x", "0"],
        'game.reward, the row: found "x" with the undeclared name "x", '
        "required an expression without parameters; x is a parameter of worlds alone",
    ),
    # parameters
    ("worlds.parameters", [], "worlds.parameters: found an empty array, required a table of parameters by name"),
    (
        "worlds.parameters",
        {"2x": {"values": [1]}},
        'worlds.parameters: found the parameter name "2x", required a letter or _, then letters, digits and _',
    ),
    (
        "worlds.parameters.x",
        {},
        "worlds.parameters.x: found an empty table, required either values = [...] or interval = [low, high]",
    ),
    (
        "worlds.parameters.x",
        {"values": ["0"], "interval": ["0", "1"]},
        "worlds.parameters.x: found the keys values, "
        "interval, required either values = [...] or interval = [low, high]",
    ),
    (
        "worlds.parameters.x",
        {"values": []},
        "worlds.parameters.x.values: found an empty array, required at least one value",
    ),
    (
        "worlds.parameters.x",
        ["1/20", "1/10"],
        "worlds.parameters.x: found an array of 2 entries, required either values = [...] or interval = [low, high]; "
        'write { values = ["1/20", "1/10"] }',
    ),
    (
        "worlds.parameters.x",
        {"values": ["1/20", "0.05"]},
        "worlds.parameters.x.values[1]: found the value 1/20 twice, required distinct values",
    ),
    (
        "worlds.parameters.x",
        {"interval": ["1/10", "1/20"]},
        "worlds.parameters.x.interval: found [1/10, 1/20], required the lower end first",
    ),
    (
        "worlds.parameters.x",
        {"interval": ["1/10"]},
        "worlds.parameters.x.interval: found an array of one entry, required [low, high]",
    ),
    (
        "worlds.constraints",
        "x <= 1",
        'worlds.constraints: found "x <= 1", required an array of constraints such as "x + y <= 1"',
    ),
    (
        "worlds.constraints",
        ["x < 1"],
        'worlds.constraints[0]: found "x < 1", required one closed inequality such as '
        '"x + y <= 1" or "x >= y"; split an equality or a chain into two constraints; a strict one has no closed set of '
        "points",
    ),
    (
        "worlds.constraints",
        ["0 <= x <= 1"],
        'worlds.constraints[0]: found "0 <= x <= 1", required one closed '
        "inequality "
        'such as "x + y <= 1" or "x >= y"; split an equality or a chain into two constraints; a strict one has no closed '
        "set of points",
    ),
    (
        "worlds.constraints",
        ["x^2 <= 1"],
        'worlds.constraints[0]: found "x^2 <= 1", required a constraint that is affine in the parameters',
    ),
    (
        "worlds.constraints",
        ["1 <= 0"],
        'worlds.constraints[0]: found "1 <= 0", which never holds, required a constraint that some point meets',
    ),
    (
        "worlds.constraints",
        ["x >= 1"],
        "worlds.constraints: found no point of x that meets them, required a class with "
        "at least one point; loosen a constraint or widen an axis",
    ),
    ("worlds.points", [], "worlds.points: found an empty array, required an array of at least one point"),
    ("worlds.points", [{"x": "1/5"}], "worlds.points[0]: found x = 1/5, required a point on the declared axes"),
    (
        "worlds.points",
        [{"x": "1/20"}, {"x": "0.05"}],
        "worlds.points[1]: found x = 1/20 twice, required distinct points",
    ),
    ("worlds.points", [{"z": "1/20"}], "worlds.points[0]: found values of z, required a value of each of x"),
    # policies and responses
    ("policies.list", {}, "policies.list: found an empty table, required a table that names at least one policy"),
    (
        "policies.list",
        {"on alarm": LIST["idle"]},
        'policies.list: found "on alarm", required a name without white space that is not "*"',
    ),
    ("policies.window", 0, 'policies.window: found 0, required an integer from 1 to 1000, or "full"'),
    ("policies.generate", {"kind": "routing"}, "policies: found both list and generate, required one of them"),
    ("policies", {"window": 1}, "policies: found neither list nor generate, required one of them"),
    (
        "policies.window",
        3,
        'policies.list.idle, window length 1[0]: found "1", required "uniform" or "identity", '
        "an array of 2 entries or a table by labels",
    ),
    (
        "responses.table.wait",
        LIST["idle"],
        'responses.table: found the unknown policy "wait", required one of idle, patrol',
    ),
    (
        "responses.table.patrol",
        REMOVED,
        'responses.table: found nothing for the policy "patrol", required an entry for each policy of the class',
    ),
    ("responses.table", REMOVED, "responses: found neither table nor linear, required the response to each policy"),
    ("responses.window", "all", 'responses.window: found "all", required an integer from 1 to 1000, or "full"'),
    (
        "responses.block_rule",
        "means",
        'responses.block_rule: found the unknown rule "means", '
        'required one of latest, mean, fading, table; write "mean"',
    ),
    (
        "responses.memory",
        REMOVED,
        'responses: found no key "memory" beside the rule "mean", required it with this rule',
    ),
    ("responses.memory", 0, "responses.memory: found 0, required an integer from 1 to 10000"),
    (
        "responses.gamma",
        "1/2",
        'responses: found the key "gamma" beside the rule "mean", required no such key with this rule; leave "gamma" out',
    ),
    (
        "responses.blocks",
        {},
        'responses: found the key "blocks" beside the rule "mean", required no such key with this rule; leave "blocks" out',
    ),
    # truth
    ("truth", {"worlds": {"x": "1"}}, 'truth: found no key "responses", required the keys worlds, responses'),
    (
        "truth",
        {"worlds": {"x": "1"}, "responses": {"z": 1}},
        "truth.responses: found values of z, required a value of each of y",
    ),
]


def message_of(source: Any) -> str:
    """The sentence that loading ``source`` ends in."""
    with pytest.raises(PomgcheckError) as caught:
        load(source)
    assert 2 == caught.value.exit_code
    return str(caught.value)


@pytest.mark.parametrize(("path", "value", "message"), MISTAKES)
def test_mistakes(path: str, value: Any, message: str) -> None:
    """One wrong entry is one error, which names the place, what was found, and what is required."""
    assert message == message_of(edited((path, value)))


def test_neighbour_of_the_mistakes() -> None:
    """The document that all of them are edits of is accepted."""
    assert "guard" == load(document()).name


def test_identity_of_a_sum_is_in_the_parameters() -> None:
    """A row that sums to one at every point of the class, but not identically, is refused."""
    row = ["20*x*(20*x-1)/2", "1-400*x^2+30*x-1"]
    assert "required a sum of 1 identically in the parameters" in message_of(edited(("worlds.transition.0.0.1", row)))


def test_truth_outside_the_class_is_no_mistake() -> None:
    """A truth outside the class is a refuted assumption, not a malformed document."""
    model = load(edited(("truth", {"worlds": {"x": "1"}, "responses": {"y": "0.5"}})))
    assert {"worlds": {"x": "1"}, "responses": {"y": "1/2"}} == model.document["truth"]


def test_points_lie_where_the_constraints_hold() -> None:
    """A listed point that a constraint of its side leaves out is refused, by its number."""
    found = message_of(edited(("worlds.points", [{"x": "1/20"}, {"x": "1/10"}]), ("worlds.constraints", ["x <= 1/20"])))
    assert "worlds.points[1]: found x = 1/10, required a point with -20*x+1 >= 0" == found


def test_a_word_stands_for_a_table_at_every_step() -> None:
    """A policy that is ``uniform`` plays so from the first step to the last."""
    game = load(edited(("policies.list.idle", "uniform"))).game
    assert {Fraction(1, 2)} == {x for step in game.policies[0] for row in step for x in row}


BLOCKS = {"idle patrol": [HALF, HALF], "patrol idle": [HALF, HALF]}
TABLE_RULE = [("responses.block_rule", "table"), ("responses.blocks", BLOCKS)]


def test_constant_blocks_are_filled_in() -> None:
    """Blocks of m equal policies may be left out: they are the stationary response."""
    blocks = load(edited(*TABLE_RULE)).document["responses"]["blocks"]
    assert {"idle idle", "idle patrol", "patrol idle", "patrol patrol"} == set(blocks)
    assert [["(2*y+1)/2", "(-2*y+1)/2"], HALF] == blocks["patrol patrol"]


BLOCK_MISTAKES = [
    (
        "idle idle",
        [HALF, ["1", "0"]],
        'responses.blocks."idle idle", step 1, row (lit): found [1, 0], '
        "required [1/2, 1/2], as in responses.table.idle",
    ),
    (
        "patrol idle",
        REMOVED,
        'responses.blocks: found nothing for the block "patrol idle", required each of the 4 blocks',
    ),
    (
        "idle",
        [HALF, HALF],
        'responses.blocks: found the key "idle", required 2 policies, oldest first, one blank between',
    ),
    (
        "idle wait",
        [HALF, HALF],
        'responses.blocks."idle wait": found the unknown label "wait", required one of idle, patrol',
    ),
]


@pytest.mark.parametrize(("block", "table", "message"), BLOCK_MISTAKES)
def test_block_mistakes(block: str, table: Any, message: str) -> None:
    """Blocks must be complete, of m known policies, and constant ones must be the stationary response."""
    assert message == message_of(edited(*TABLE_RULE, (f"responses.blocks.{block}", table)))


def test_too_many_blocks() -> None:
    """The blocks are counted before any is built."""
    found = message_of(edited(*TABLE_RULE, ("responses.memory", 20)))
    assert (
        "responses.blocks: found 1,048,576 blocks of 20 policies, required at most 100,000; use a shorter memory"
    ) == found


def test_gamma() -> None:
    """Fading memory has gamma in [0,1) and no memory."""
    fading = [("responses.block_rule", "fading"), ("responses.memory", REMOVED)]
    assert "3/4" == load(edited(*fading, ("responses.gamma", "0.75"))).document["responses"]["gamma"]
    found = message_of(edited(*fading, ("responses.gamma", 1)))
    assert "responses.gamma: found 1, required a number with 0 <= gamma < 1" == found


LINEAR = {
    "matrix": [["1/2", "1"], ["1/2", "-1"]],
    "features": {"idle": [["1", "0"], ["1", "0"]], "patrol": [["1", "y"], ["1", "0"]]},
}


def test_linear_responses_give_the_table() -> None:
    """With a linear form the table may be left out, or must agree with it; both are stored."""
    alone = load(edited(("responses.linear", LINEAR), ("responses.table", REMOVED)))
    both = load(edited(("responses.linear", LINEAR)))
    assert alone.sha256 == both.sha256
    assert load(document()).document["responses"]["table"] == alone.document["responses"]["table"]
    assert LINEAR == alone.document["responses"]["linear"]


LINEAR_MISTAKES = [
    (
        "matrix.0.1",
        "2",
        "responses.linear.features.patrol, step 1, row (dark): found [(4*y+1)/2, (-2*y+1)/2] of "
        "sum y+1, "
        'required a sum of 1 identically in the parameters; its last entry would be "(-4*y+1)/2"',
    ),
    (
        "matrix.1",
        ["1/2"],
        "responses.linear.matrix[1]: found an array of one entry, required an array of 2 (weight-1, weight-2)",
    ),
    ("matrix", [], "responses.linear.matrix: found an empty array, required an array of 2 rows of at least one entry"),
    (
        "features.patrol.0.1",
        "2*y",
        "responses.table.patrol, step 1, row (dark): found [(2*y+1)/2, (-2*y+1)/2], "
        "required [(4*y+1)/2, (-4*y+1)/2], as in matrix times features",
    ),
    (
        "features.patrol",
        REMOVED,
        'responses.linear.features: found nothing for the policy "patrol", '
        "required an entry for each policy of the class",
    ),
]


@pytest.mark.parametrize(("path", "value", "message"), LINEAR_MISTAKES)
def test_linear_mistakes(path: str, value: Any, message: str) -> None:
    """A linear form has one shape, gives probability rows, and is the table where there is one."""
    found = message_of(edited(("responses.linear", LINEAR), (f"responses.linear.{path}", value)))
    assert message == found


def test_smallest_class() -> None:
    """One state, one action each, one observation each, one policy, one step, no parameters: legal."""
    one = {
        "format": "pomgcheck-model-class/1",
        "name": "one",
        "game": {
            "horizon": 1,
            "states": ["s"],
            "learner_actions": ["a"],
            "adversary_actions": ["b"],
            "learner_observations": ["o"],
            "adversary_observations": ["o"],
            "reward": [1],
        },
        "worlds": {"initial": [1], "transition": [[[[1]]]], "learner_emission": [[1]], "adversary_emission": [[1]]},
        "responses": {"memory": 1, "block_rule": "latest", "window": 1, "table": {"p": [[1]]}},
        "policies": {"window": 1, "list": {"p": [[1]]}},
        "truth": {},
    }
    model = load(one)
    assert (1, 1, 1) == (model.thetas, model.phis, len(model.policies))
    assert {"worlds": {}, "responses": {}} == model.document["truth"]
    assert (1,) == model.game.rho0


# -------------------------------------------------------------------------------------------- windows

ROWS = {1: [HALF] * 2, 2: [["1", "0"]] * 4}


def test_one_table_a_window_length() -> None:
    """A window of 2 takes one table per length, or one per step; both are one document, written by steps."""
    lengths = {name: [ROWS[1], ROWS[2]] for name in LIST}
    steps = {name: {"steps": [ROWS[1], ROWS[2]]} for name in LIST}
    one, other = (load(edited(("policies.window", 2), ("policies.list", tables))) for tables in (lengths, steps))
    assert one.sha256 == other.sha256
    assert steps["idle"] == one.document["policies"]["list"]["idle"]


def test_full_history_rows() -> None:
    """With the full history the rows of step 2 are o, a, o in protocol order: 2·2·2 of them."""
    full = {"steps": [ROWS[1], [HALF] * 8]}
    model = load(edited(("responses.window", "full"), ("responses.table", {"idle": full, "patrol": full})))
    assert 8 == len(model.game.responses[0][0][1])
    found = message_of(edited(("responses.window", "full"), ("responses.table.idle", [HALF, HALF])))
    assert "responses.table.idle: found an array of 2 entries, required {steps = [one table per step]}" == found


@pytest.mark.parametrize(("window", "rows"), [(30, "2,147,483,646"), ("full", "about 10^18")])
def test_window_rows_are_counted_first(window: Any, rows: str) -> None:
    """A window too long for memory is refused by its count."""
    found = message_of(edited(("game.horizon", 30), ("policies.window", window)))
    assert (
        f"policies.list.idle: found {rows} window rows, all steps together, required at most 2,000,000; "
        "use a shorter window"
    ) == found


# ---------------------------------------------------------------------------------------------- files


def written(path: Path, text: str) -> Path:
    """The path, after writing ``text`` there."""
    path.write_text(text, encoding="utf-8")
    return path


def test_json_file(tmp_path: Path) -> None:
    """A JSON file is the same document as the mapping."""
    path = written(tmp_path / "guard.json", json.dumps(document(), indent=1))
    assert load(document()).sha256 == load(path).sha256 == load(str(path)).sha256


def test_toml_file(tmp_path: Path) -> None:
    """A model class written as TOML loads to the same digest."""
    model = load(edited(("responses.linear", LINEAR), ("description", 'a "guard" \\ \x7f\n and an intruder: é, 😀')))
    assert model.sha256 == load(written(tmp_path / "guard.toml", model.to_toml())).sha256


FILES = [
    ("guard.yaml", "", "found a file named guard.yaml, required a model document, .toml or .json"),
    (
        "guard.json",
        "{",
        "found text that is not JSON (Expecting property name enclosed in double quotes: line 1 "
        "column 2 "
        "(char 1)), required a JSON document",
    ),
    ("guard.json", "[" * 100_000, "found arrays nested too deep to read, required a document of ordinary depth"),
    (
        "guard.json",
        "[" * 40 + "]" * 40,
        f"{'[0]' * 31}: found arrays nested more than 30 deep, required a document of ordinary depth",
    ),
    (
        "guard.json",
        '{"game": {"horizon": 1, "horizon": 2}}',
        'game: found the key "horizon" twice, required each key once',
    ),
    (
        "guard.json",
        '{"game": {"reward": [0, 0.10]}}',
        'game.reward[1]: found the float 0.10, required an exact number; write "0.10"',
    ),
    (
        "guard.json",
        '{"game": {"reward": [1E-3]}}',
        'game.reward[0]: found the float 1E-3, required an exact number; write "1/1000"',
    ),
    ("guard.json", '{"game": {"reward": [NaN]}}', "game.reward[0]: found the float NaN, required an exact number"),
    (
        "guard.json",
        '{"name": "\\ud800"}',
        "name: found half of a surrogate pair, required text that can be written in UTF-8",
    ),
    ("guard.json", f'{{"name": {"1" * 5000}}}', "found an integer of 5000 digits, required at most 4000 digits"),
    (
        "guard.json",
        "[]",
        "found an empty array, required a table with the keys format, name, game, worlds, responses, "
        "policies, description, source, truth, knobs, operators",
    ),
    (
        "guard.toml",
        'name = "a"\nname = "b"\n',
        "found text that is not TOML (Cannot overwrite a value (at line 2, column 11)), required a TOML document; "
        "it gives one key twice; rename or remove one",
    ),
    (
        "guard.toml",
        '[worlds]\ninitial = { calm = 1-noise, alarm = "noise" }\n',
        "found text that is not TOML (Unclosed inline table (at line 2, column 21)), required a TOML document; "
        'write the formula in quotes, "1-noise"',
    ),
    (
        "guard.toml",
        '[worlds]\ninitial = { ruhig_ä = "1/2" }\n',
        "found text that is not TOML (Expected '=' after a key in a key/value pair (at line 2, column 19)), required a TOML document; "
        'write a name of other letters than A to Z in quotes, "ruhig_ä"',
    ),
    ("guard.toml", "[game]\nhorizon = 2.0\n", "game.horizon: found the float 2.0, required an exact number; write 2"),
    (
        "guard.json",
        '{"game": {"horizon": 1e3}}',
        "game.horizon: found the float 1e3, required an exact number; write 1000",
    ),
    (
        "guard.toml",
        "name = \n",
        "found text that is not TOML (Invalid value (at line 1, column 8)), required a TOML document",
    ),
    (
        "guard.toml",
        '[worlds]\ninitial = { calm = 1/2, alarm = "1/2" }\n',
        "found text that is not TOML (Unclosed inline table (at line 2, column 21)), required a TOML document; "
        'write the fraction in quotes, "1/2"',
    ),
    (
        "guard.toml",
        f"name = {'1' * 300}/2\n",  # a line in which no slip is looked for
        "found text that is not TOML (Expected newline or end of document after a statement (at line 1, column 308)), required a TOML document",
    ),
    (
        "guard.toml",
        "[game]\nreward = [1, -3/4]\n",
        "found text that is not TOML (Unclosed array (at line 2, column 16)), required a TOML document; "
        'write the fraction in quotes, "-3/4"',
    ),
    (
        "guard.toml",
        "[game]\nreward = [1, 0.15]\n",
        'game.reward[1]: found the float 0.15, required an exact number; write "0.15"',
    ),
    ("guard.toml", "[game]\nreward = [-inf]\n", "game.reward[0]: found the float -inf, required an exact number"),
    (
        "guard.toml",
        "name = 2026-01-01\n",
        "name: found the date 2026-01-01, required a string, an integer, an array or a table",
    ),
]


@pytest.mark.parametrize(("name", "text", "message"), FILES)
def test_unreadable_files(tmp_path: Path, name: str, text: str, message: str) -> None:
    """A file that does not read is one sentence, which begins with the file."""
    path = written(tmp_path / name, text)
    assert f"{path}: {message}" == message_of(path)


def test_missing_file(tmp_path: Path) -> None:
    """A file that is not there is said so."""
    path = tmp_path / "nothing.toml"
    assert f"{path}: found No such file or directory, required a model document, .toml or .json" == message_of(path)


def test_file_that_is_not_text(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are refused."""
    path = tmp_path / "guard.toml"
    path.write_bytes(b'name = "\xff"')
    assert (
        f"{path}: found a byte that is not UTF-8 at offset 8, required text in UTF-8; save it as UTF-8"
        == message_of(path)
    )


def test_file_of_another_encoding(tmp_path: Path) -> None:
    """A file that an editor saved in UTF-16 is refused by that name."""
    path = tmp_path / "guard.toml"
    for encoding in ("utf-16-le", "utf-16-be"):
        path.write_bytes('\ufeffname = "guard"\n'.encode(encoding))
        assert f"{path}: found text in UTF-16, required text in UTF-8; save it as UTF-8" == message_of(path)


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_marks_and_line_ends_of_editors_change_nothing(tmp_path: Path, suffix: str) -> None:
    """A byte-order mark before the text, and line ends of Windows, leave the class what it is."""
    model = load(edited())
    text = model.to_toml() if suffix == ".toml" else model.canonical_json().decode()
    path = tmp_path / f"guard{suffix}"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert model.sha256 == load(path).sha256


def test_names_can_be_printed() -> None:
    """Characters that a terminal obeys, or that nobody sees, are refused in labels and in the name of the class."""
    for character in ("\x07", "\x1b", "\u200b", "\u202e"):
        shown = json.dumps(f"a{character}b")
        said = message_of(edited(("game.states", ["calm", f"a{character}b"])))
        assert f"game.states[1]: found {shown}, required a name of characters that can be printed" == said
        said = message_of(edited(("name", f"a{character}b")))
        assert f"name: found {shown}, required a name on one line, of characters that can be printed" == said


def test_errors_inside_a_file_name_it(tmp_path: Path) -> None:
    """A mistake in a file's content begins with the file as well."""
    path = written(tmp_path / "guard.json", json.dumps(edited(("game.horizon", 0))))
    assert f"{path}: game.horizon: found 0, required an integer from 1 to 1000" == message_of(path)


SUGAR = [
    ("worlds.initial", "uniform", 'worlds.initial: found "uniform", required an array of 2 entries'),
    ("worlds.initial", {"calm": "1"}, "worlds.initial: found a table, required an array of 2 entries"),
    (
        "responses.table",
        {"*": [HALF, HALF]},
        'responses.table: found the unknown policy "*", required one of idle, patrol',
    ),
]


@pytest.mark.parametrize(("path", "value", "message"), SUGAR)
def test_json_holds_no_sugar(tmp_path: Path, path: str, value: Any, message: str) -> None:
    """What TOML and Python accept as sugar is refused in JSON."""
    load(edited((path, value)))
    file = written(tmp_path / "guard.json", json.dumps(edited((path, value))))
    assert message_of(file).startswith(f"{file}: {message}")


def test_json_lists_its_policies(tmp_path: Path) -> None:
    """Generated policies are for TOML and Python."""
    routing = {"generate": {"kind": "routing"}}
    rows = {"idle": [HALF, HALF], "patrol": [HALF, HALF]}
    load(edited(("policies", routing), ("responses.table", rows)))
    path = written(tmp_path / "guard.json", json.dumps(edited(("policies", routing))))
    found = message_of(path)
    assert (
        f'{path}: policies: found the key "generate" in JSON, required the policies as a list; '
        "generate is for TOML and Python"
    ) == found
