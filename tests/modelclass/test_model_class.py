"""The model class as an object: sizes, writing, showing, identity."""

from __future__ import annotations

import hashlib
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from small_document import REMOVED, document, edited

import pomgcheck.reporting  # noqa: F401  shows records and classes in notebooks
from pomgcheck.errors import InputError
from pomgcheck.modelclass import load

INTERVAL = ("worlds.parameters.x", {"interval": ["0", "1/4"]})
FADING = [("responses.block_rule", "fading"), ("responses.memory", REMOVED), ("responses.gamma", "1/2")]


def test_sizes() -> None:
    """|Theta|, |Psi|, |Pi|, H and m are those of the document."""
    model = load(document())
    assert (2, 2, ("idle", "patrol"), 2, 2) == (model.thetas, model.phis, model.policies, model.H, model.m)


def test_sizes_of_constrained_and_listed_points() -> None:
    """Constraints and lists of points are counted as the points they leave."""
    axes = {n: {"values": ["0", "1/4", "1/2"]} for n in ("x", "z")}
    tied = [("worlds.parameters", axes), ("worlds.constraints", ["x + z <= 1/2"])]
    assert 6 == load(edited(*tied)).thetas
    assert 6 == len(load(edited(*tied)).game.worlds)
    assert 2 == load(edited(*tied[:1], ("worlds.points", [{"x": 0, "z": 0}, {"x": 0, "z": "1/2"}]))).thetas


def test_sizes_of_intervals_and_fading_memory() -> None:
    """On an interval there is no count; with fading memory there is no m."""
    model = load(edited(INTERVAL, *FADING))
    assert (None, None) == (model.thetas, model.m)
    assert model.game.thetas is None


def test_coordinates() -> None:
    """|S|·(|O_A||A|)^h·(|O_B||B|)^h histories; with windows, |S| times the last (window-1) observations."""
    model = load(document())
    assert [2 * 16**h for h in range(3)] == [model.coordinates("history", h) for h in range(3)]
    assert 2 == model.coordinates("window")
    half = [["1/2", "1/2"]]
    wide = {name: [half * 2, half * 4] for name in ("idle", "patrol")}
    model = load(edited(("policies.window", 2), ("policies.list", wide)))
    assert [2, 4, 4] == [model.coordinates("window", h) for h in range(3)]


def test_full_histories_have_no_window_space() -> None:
    """A class that reads full histories has the history space alone."""
    half = [["1/2", "1/2"]]
    full = {name: {"steps": [half * 2, half * 8]} for name in ("idle", "patrol")}
    model = load(edited(("policies.window", "full"), ("policies.list", full)))
    with pytest.raises(InputError, match='found "window" for a class that reads full histories, required "history"'):
        model.coordinates("window")
    with pytest.raises(InputError, match="space: found 'windows', required"):
        load(document()).coordinates("windows")  # type: ignore[arg-type]


def test_digest_is_of_the_written_file(tmp_path: Path) -> None:
    """The file written is the canonical form: its SHA-256 is the digest, and it loads to the same model class."""
    model = load(document())
    model.to_json(tmp_path / "guard.json")
    assert model.sha256 == hashlib.sha256((tmp_path / "guard.json").read_bytes()).hexdigest()
    assert model == load(tmp_path / "guard.json")


TOML = """\
format = "pomgcheck-model-class/1"
name = "guard"

[game]
horizon = 2
states = ["calm", "alarm"]
learner_actions = ["idle", "patrol"]
adversary_actions = ["wait", "attack"]
learner_observations = ["quiet", "noise"]
adversary_observations = ["dark", "lit"]
reward = ["1", "0"]

[worlds]
initial = ["1/2", "1/2"]
transition = [
  [
    [["-x+1", "x"], ["(-4*x+3)/4", "(4*x+1)/4"]],
"""


def test_toml() -> None:
    """The document as TOML, tables under headings and one row of matrices a line."""
    assert load(document()).to_toml().startswith(TOML)


def test_identity() -> None:
    """Model classes compare and hash by digest, and cannot be changed."""
    one, other = load(document()), load(edited(("game.reward", [1, 0])))
    assert {one} == {one, other}
    assert one != load(edited(("name", "other")))
    with pytest.raises(AttributeError):
        one.thetas = 3  # type: ignore[misc]


def test_pickle() -> None:
    """A model class crosses processes."""
    model = load(document())
    assert model == pickle.loads(pickle.dumps(model))


def test_shown_at_a_prompt() -> None:
    """At a prompt: name, sizes, digest."""
    model = load(edited(INTERVAL, *FADING))
    assert f"<ModelClass 'guard': |Θ|=∞, |Ψ|=2, |Π|=2, H=2, γ=1/2, sha256={model.sha256[:12]}>" == repr(model)


def test_shown_in_a_notebook() -> None:
    """In a notebook: a table, its labels escaped."""
    shown = load(edited(("game.states", ["<calm>", "alarm"]), ("name", "a<b"))).__getattribute__("_repr_html_")()
    assert "<strong>a&lt;b</strong>" in shown
    assert "&lt;calm&gt;, alarm</span>" in shown


def loaded_modules(code: str) -> set[str]:
    """Top-level modules loaded by a fresh interpreter that runs ``code``."""
    script = f"import sys\n{code}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(run.stdout.split())


ROOT = Path(__file__).parents[2]
HEAVY = {"flint", "numpy", "sympy", "z3", "cvxpy", "matplotlib", "scipy"}


def test_importing_needs_the_standard_library_alone() -> None:
    """Importing loads no numerical library."""
    assert set() == HEAVY & loaded_modules("import pomgcheck.modelclass")


def test_constants_need_no_polynomials(tmp_path: Path) -> None:
    """A document without parameters loads without flint; one with them loads flint and nothing else."""
    table = {"idle": "uniform", "patrol": "uniform"}
    constant = [("worlds.parameters", REMOVED), ("responses.parameters", REMOVED), ("responses.table", table)]
    load(edited(*constant, ("worlds.transition", "identity"))).to_json(tmp_path / "constant.json")
    load(document()).to_json(tmp_path / "guard.json")
    code = "from pomgcheck.modelclass import load; load({!r})"
    assert set() == HEAVY & loaded_modules(code.format(str(tmp_path / "constant.json")))
    assert {"flint"} == HEAVY & loaded_modules(code.format(str(tmp_path / "guard.json")))


@pytest.mark.parametrize("edits", [[], [("worlds.transition", "uniform")]])
def test_document_is_not_the_authors(edits: list[tuple[str, Any]]) -> None:
    """Loading changes nothing in the mapping it is given."""
    source = edited(*edits)
    before = json.dumps(source)
    load(source)
    assert before == json.dumps(source)
