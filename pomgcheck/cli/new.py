"""``pomgcheck new``: writes a commented document to start from."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import Annotated

from typer import Argument

from pomgcheck import outputs
from pomgcheck.cli import files
from pomgcheck.errors import InputError


def command(
    path: Annotated[Path, Argument(metavar="[FILE]", help="The file, X.toml; it must not exist.")] = Path("game.toml"),
) -> int:
    """Write a small class as a commented TOML document, which certifies as it stands, to change step by step."""
    outputs.writable(path, "FILE")
    if path.suffix != ".toml":
        raise InputError("FILE", path.name, "a TOML document, X.toml")
    if path.exists():
        raise InputError("FILE", f"a file {path}", "one that is not there yet", "name another, or remove it")
    outputs.write(path, starter(path.stem).encode())
    print(f"Model class: {path}\n\nNext:")
    print(files.typed("certify", path))
    print(files.typed("certify", path, "--watch"))
    return 0


def starter(name: str) -> str:
    """Return the document, its class called ``name``."""
    text = resources.files("pomgcheck.modelclass").joinpath("starter.toml").read_text(encoding="utf-8")
    return text.replace('"NAME"', f'"{re.sub(r"[^A-Za-z0-9_.-]+", "-", name).strip("-") or "game"}"')
