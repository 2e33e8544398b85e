"""Rules of the house that no tool checks: the kernel's size, public names, clean text, and a README that is true."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import pomgcheck
from docs.kernel import code_lines
from tests.repo.source import ROOT, imported, modules

KERNEL_LINES = 5910  # lines of code, without comments, docstrings and blanks


def tracked() -> list[Path]:
    """The files under version control, and those that would be."""
    command = ["git", "-C", str(ROOT), "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [ROOT / name for name in done.stdout.splitlines() if (ROOT / name).is_file()]


def test_the_kernel_stays_small_enough_to_read() -> None:
    """The trusted part keeps to its budget of lines."""
    assert KERNEL_LINES >= sum(map(code_lines, (ROOT / "pomgcheck" / "kernel").rglob("*.py")))


def test_lines_of_code_are_counted_as_a_reader_would(tmp_path: Path) -> None:
    """Comments, docstrings and blank lines do not count; every line of a long expression does."""
    file = tmp_path / "sample.py"
    file.write_text('"""Doc."""\n\n# why\nx = (1,\n     2)  # here\n\n\ndef f():\n    """One.\n\n    Two."""\n    x\n')
    assert 4 == code_lines(file)


def test_public_names_are_those_listed() -> None:
    """``__all__``, the lazy homes and what is there agree; each name is documented."""
    assert {*pomgcheck.__all__, "__version__"} == {*pomgcheck._HOMES, "errors"}
    for name in pomgcheck.__all__:
        assert getattr(pomgcheck, name).__doc__, name
    assert set(pomgcheck.__all__) <= set(dir(pomgcheck))
    with pytest.raises(AttributeError, match="no attribute 'prove'"):
        _ = pomgcheck.prove


def test_a_type_checker_sees_each_public_name_in_its_home() -> None:
    """What is imported for types alone comes from the module that a name is taken from at run time."""
    path = ROOT / "pomgcheck" / "__init__.py"
    seen = {name for name, for_types in imported("__init__", path) if for_types}
    assert {"pomgcheck.errors", *(f"pomgcheck.{home}.{name}" for name, home in pomgcheck._HOMES.items())} == seen


def test_every_parameter_of_a_public_verb_is_explained() -> None:
    """The docstring of each public function, and of ``Options``, names every parameter, since the reference of the
    manual is made of these."""
    for name in pomgcheck.__all__:
        verb = getattr(pomgcheck, name)
        if inspect.isfunction(verb) or verb is pomgcheck.Options:
            said = inspect.getdoc(verb) or ""
            assert [] == [each for each in inspect.signature(verb).parameters if f"``{each}``" not in said], name


def test_every_listed_name_of_every_module_exists() -> None:
    """No ``__all__`` names what is not there."""
    for path in sorted((ROOT / "pomgcheck").rglob("*.py")):
        if path.name == "__main__.py":
            continue
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = importlib.import_module(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
        for name in getattr(module, "__all__", ()):
            assert hasattr(module, name), f"{module.__name__}.{name}"


# class -> the thing of the kernel that the search has worked out by code of its own, under the kernel's name
COUNTERPARTS = {
    "Cell": "one choice of the finite axes of a class with interval axes",
    "Chart": "coordinates of two models in which their difference has a factor",
    "Comparison": "two families of models in a chart, both sides of 3.1(e)",
    "Continuum": "a class with interval axes as polynomials",
    "Differences": "the entries of a channel that vary over a class with interval axes",
    "Family": "a cell under one policy, as far as its play depends on it",
    "Goal": "a polynomial that is nonnegative on a region",
    "Posterior": "two policies' posteriors at one history",
    "Problem": "two worlds in a context, of which Assumption 2.4 asks a ratio",
    "Region": "a box over parameters, cut by affine constraints",
}


def test_a_class_has_a_name_of_its_own() -> None:
    """No two classes of the package have one name for different things; the search names what the kernel has too as the
    kernel does, where it is the same thing, and nothing else."""
    homes: dict[str, list[str]] = {}
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                homes.setdefault(node.name, []).append(name.partition(".")[0])
    several = {name: parts for name, parts in homes.items() if len(parts) > 1}
    assert dict.fromkeys(COUNTERPARTS, ["kernel", "search"]) == several


def test_no_test_hides_another() -> None:
    """No two tests of a file have one name, so that none silently never runs."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        names = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
        assert sorted(set(names)) == sorted(names), path.name


def test_every_test_states_the_fact_it_shows() -> None:
    """Each test has a docstring."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                assert ast.get_docstring(node), f"{path.name}: {node.name}"


FOREIGN = re.compile(rb"(?<=[\s\"'`(=])/(?!usr/bin/env\b|dev/(?:null|full)\b)[A-Za-z][\w.-]*/[\w.-]+|\b[A-Z]:\\Users\b")
UNFINISHED = re.compile(rb"\b(?:TO" + rb"DO|FIX" + rb"ME|XX" + rb"X)\b")
TEXTS = (".py", ".md", ".toml", ".json", ".yaml", ".cff", ".html", "")


@pytest.mark.parametrize("pattern", [FOREIGN, UNFINISHED], ids=["machine paths", "unfinished work"])
def test_the_text_is_clean(pattern: re.Pattern[bytes]) -> None:
    """No path of somebody's machine and no note of unfinished work in any file."""
    found = {path.name: pattern.findall(path.read_bytes()) for path in tracked() if path.suffix in TEXTS}
    assert len(found) > 50
    assert {} == {name: matches for name, matches in found.items() if matches}


FRAGMENTS = sorted((ROOT / "changelog.d").glob("+*.md"))


@pytest.mark.parametrize("path", FRAGMENTS, ids=lambda path: path.name)
def test_a_change_is_told_in_sentences(path: Path) -> None:
    """A fragment of the changelog has a kind that a release prints, and is whole sentences."""
    kinds = [
        kind["directory"] for kind in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["towncrier"]["type"]
    ]
    text = path.read_text(encoding="utf-8").strip()
    assert ["format", "soundness"] == kinds[:2]
    assert path.name.split(".")[-2] in kinds
    assert re.match(r"[A-Z`]|docs/", text)
    assert text.endswith((".", ".)"))
