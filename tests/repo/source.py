"""The package's source as the repository's own tests read it: its modules, and what each imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "pomgcheck"


def modules() -> dict[str, Path]:
    """Every module by its name below ``pomgcheck``; a package by its own name, the root as ``__init__``."""
    names = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        names[".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)] = path
    return names


def imported(name: str, path: Path) -> Iterator[tuple[str, bool]]:
    """Absolute names of everything a module imports, at its top or inside a function; and whether for types alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    guards = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for_types = {id(inner) for guard in guards for statement in guard.body for inner in ast.walk(statement)}
    package = ["pomgcheck", *name.split(".")][: None if path.name == "__init__.py" else -1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            names = [f"{source}.{alias.name}" for alias in node.names]
        else:
            continue
        for each in names:
            yield each, id(node) in for_types


def in_order(names: list[str]) -> list[str]:
    """Modules after those they import, alphabetically where that leaves a choice; a package before its modules."""
    paths = modules()
    order: list[str] = []

    def place(name: str, above: tuple[str, ...]) -> None:
        if name in order or name in above:
            return
        for each, _ in sorted(imported(name, paths[name])):
            needed = each.removeprefix("pomgcheck.")
            for other in (needed, needed.rpartition(".")[0]):
                if other in names and paths[name].name != "__init__.py":
                    place(other, (*above, name))
        order.append(name)

    for name in sorted(names, key=lambda name: (paths[name].name != "__init__.py", name)):
        place(name, ())
    return order


def summary(path: Path) -> str:
    """The first paragraph of a module's docstring, on one line."""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())
