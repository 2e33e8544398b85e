"""Who may import whom, found by walking the source; and what a bare import costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter

import pytest

from tests.repo.source import ROOT, imported, modules

# part of the house -> what of ours it may import besides itself ("…" and everything below)
MAY_IMPORT = {
    "kernel": [],
    "version": [],  # which every part but the kernel may name
    "errors": [],
    "outputs": ["errors"],
    "options": ["errors", "kernel.limits"],
    "modelclass": ["errors", "outputs", "stored", "kernel.game", "kernel.reading", "kernel.parameters", "kernel.rows"],
    "importers": ["errors", "kernel.game", "kernel.operators", "kernel.reading", "kernel.rows", "modelclass"],
    "gallery": ["errors", "modelclass", "importers"],
    "sources": ["errors"],
    "loading": ["errors", "sources", "modelclass", "gallery"],
    "stored": ["errors", "outputs", "kernel.reading"],
    "evidence": ["stored", "kernel.reading"],
    "outline": ["evidence"],
    "certificate": [
        "errors",
        "evidence",
        "outline",
        "statements",
        "options",
        "stored",
        "kernel.reading",
        "kernel.check",
        "kernel.case",
    ],
    "records": [
        "errors",
        "stored",
        "certificate",
        "kernel.game",
        "learner.record",
        "search.sweep_file",
        "experiments.record",
        "remedies",
    ],
    "remedies": ["errors", "stored", "certificate", "modelclass"],
    "repairing": ["errors", "options", "stored", "certificate", "loading", "modelclass", "remedies", "search"],
    "processes": ["errors", "kernel.reading"],
    "search": [
        "errors",
        "options",
        "outputs",
        "stored",
        "certificate",
        "loading",
        "processes",
        "remedies",
        "kernel",  # asked claim by claim before a certificate is handed over
        "modelclass",
    ],
    "arena": ["errors", "kernel.game"],
    "learner": [
        "errors",
        "sources",
        "outputs",
        "options",
        "stored",
        "certificate",
        "processes",
        "kernel.game",
        "kernel.reading",
        "kernel.expressions",
        "kernel.parameters",
        "kernel.check",
        "kernel.bound",
        "kernel.enclosures",
        "kernel.nested",
        "kernel.nets",
        "kernel.continua",
        "kernel.operators",
        "kernel.polynomials",
        "modelclass.polytopes",
        "arena",
    ],  # on a continuum, laws of play are polynomials; a run is bounded in the kernel's intervals
    "experiments": [
        "errors",
        "options",
        "stored",
        "certificate",
        "processes",
        "kernel.reading",
        "kernel.check",
        "kernel.nested",
        "kernel.nets",
        "modelclass",
        "gallery",
        "search.certify",
        "arena",
        "learner",
    ],
    "setting": ["errors", "stored", "kernel.game", "kernel.reading", "loading", "modelclass"],
    "played": ["errors", "kernel.game", "kernel.reading", "setting", "arena", "learner"],
    "environments": ["errors", "kernel.game", "setting", "gallery", "arena"],
    "statements": [],
    "reporting": [
        "errors",
        "options",
        "outputs",
        "stored",
        "records",
        "learner.record",
        "search.sweep_file",
        "experiments.record",
        "certificate",
        "evidence",
        "outline",
        "remedies",
        "kernel",
        "statements",
    ],  # shows its charts and lines
    "exporters": [
        "errors",
        "outputs",
        "options",
        "certificate",
        "loading",
        "kernel",
        "modelclass",
        "importers",
        "statements",
    ],  # its scripts state the kernel's own goals
    "serving": [
        "errors",
        "outputs",
        "stored",
        "options",
        "certificate",
        "kernel.reading",
        "kernel.check",
        "modelclass",
        "search",
        "reporting",
    ],
    "explaining": ["errors", "stored", "certificate", "loading", "remedies", "search.narrowing", "reporting"],
    "checking": [
        "errors",
        "stored",
        "records",
        "remedies",
        "repairing",
        "certificate",
        "kernel.reading",
        "kernel.check",
        "kernel.case",
        "loading",
        "modelclass",
        "search",
        "learner",
        "experiments",
        "reporting",
    ],  # each part knows how to check its own file
}
ANYTHING = ("__init__", "__main__", "cli")  # the public verbs and the command line tie the parts together
VERIFYING = {f"pomgcheck{part}" for part in ("", ".checking", ".errors", ".kernel", ".outputs", ".stored")}
EXACT_SOLVERS = {"sympy", "z3", "cvxpy", "highspy"}


def modules_named(names: set[str]) -> set[str]:
    """The modules of ours among absolute names, each the module's own or of something in it."""
    short, paths = [name.removeprefix("pomgcheck.") for name in names], modules()
    return {name if name in paths else name.rpartition(".")[0] for name in short} & {*paths}


def within(name: str, places: list[str]) -> bool:
    """Whether an absolute name lies in one of the places below ``pomgcheck``."""
    return any(f"{name}.".startswith(f"pomgcheck.{place}.") for place in places)


@pytest.mark.parametrize("name", modules())
def test_each_module_imports_only_what_its_part_may(name: str) -> None:
    """The import rule of the house: nothing flows back, and the kernel stands alone."""
    part = name.partition(".")[0]
    if part in ANYTHING:
        return
    allowed = [part, *MAY_IMPORT[part]]
    ours = [each for each, _ in imported(name, modules()[name]) if f"{each}.".startswith("pomgcheck.")]
    assert [] == [each for each in ours if not within(each, allowed) and each != "pomgcheck.version.__version__"]


def test_no_module_is_imported_by_one_that_it_imports() -> None:
    """The package has no circle, not even of imports within a function or for types alone."""
    uses = {name: modules_named({each for each, _ in imported(name, path)}) for name, path in modules().items()}
    order = [*TopologicalSorter({name: used - {name} for name, used in uses.items()}).static_order()]
    assert {*modules()} == {*order}


def test_every_part_has_its_rule() -> None:
    """A new part of the house must say what it may import."""
    assert {name.partition(".")[0] for name in modules()} == {*MAY_IMPORT, *ANYTHING}


def test_the_kernel_imports_the_standard_library_alone() -> None:
    """Nothing installed is trusted."""
    for name, path in modules().items():
        if name.startswith("kernel"):
            roots = {each.partition(".")[0] for each, _ in imported(name, path)}
            assert roots <= sys.stdlib_module_names | {"pomgcheck"}, name


def test_solvers_live_in_search_alone() -> None:
    """No part but search imports a solver; types are no import."""
    for name, path in modules().items():
        if not name.startswith("search"):
            roots = {each.partition(".")[0] for each, for_types in imported(name, path) if not for_types}
            assert set() == roots & EXACT_SOLVERS, name


def test_nothing_but_the_command_line_and_the_kernel_prints_or_exits() -> None:
    """``print``, ``sys.exit`` and ``input`` are for the command line, and for the kernel run by itself."""
    for name, path in modules().items():
        if name.partition(".")[0] in ANYTHING or name in ("kernel.check", "kernel.__main__"):
            continue
        calls = {ast.unparse(node.func) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)}
        assert set() == calls & {"print", "input", "exit", "quit", "sys.exit", "os._exit"}, name


@pytest.mark.parametrize(
    ("program", "kept"),
    [
        ("import pomgcheck", {"pomgcheck"}),
        ("import pomgcheck.kernel.check", {"pomgcheck", "pomgcheck.kernel"}),
        ("import pomgcheck; pomgcheck.errors; pomgcheck.verify", VERIFYING),
    ],
)
def test_imports_are_lazy(program: str, kept: set[str]) -> None:
    """``import pomgcheck`` loads nothing, and the kernel only itself and the standard library."""
    show = "import sys; print(*sorted(m for m in sys.modules if m.partition('.')[0] not in sys.stdlib_module_names))"
    base = loaded(show)
    names = {".".join(name.split(".")[:2]) for name in loaded(f"{program}; {show}") - base}
    assert kept == names


def loaded(program: str) -> set[str]:
    """What a fresh interpreter prints, as words."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=True)
    return set(done.stdout.split())
