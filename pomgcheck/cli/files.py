"""Names the files that the commands write, and the commands that read them next."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from pomgcheck import outputs
from pomgcheck.errors import InputError

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass

PAGES = (".html", ".md", ".tex", ".pdf", ".txt")


def stem(path: Path) -> str:
    """Return the name without its endings: ``patrol`` for ``patrol.cert.json``."""
    return re.sub(r"(\.(cert|run|sweep|experiment|repair))?(\.json)?$", "", path.name)


def named(model: str, ending: str) -> Path:
    """Return the default output of a model's name, in the current folder."""
    return Path(outputs.file_name(model, ending))


def typed(*words: object) -> str:
    """Return a command as a user types it, indented; names with spaces are quoted."""
    return f"  {shlex.join(['pomgcheck', *map(str, words)])}"


def writable(path: Path, *read: object) -> Path:
    """Return ``path``, whose folder must exist and which is none of the files that are ``read``; this is said before the
    work, not after it."""
    return outputs.writable(path, "--output", read)


def record(path: Path, what: str, *read: object) -> Path:
    """Return ``path``, ``writable``, whose ending must be that of a record; ``what`` it is says an error."""
    if writable(path, *read).suffix.lower() != ".json":
        fix = "pomgcheck report makes pages of it" if path.suffix in PAGES else ""
        raise InputError("--output", path.name, f"{what}, X.json", fix)
    return path


def document(path: Path | None, *read: object) -> None:
    """Refuse an output, where one is named, that a document of a class cannot be written to."""
    if path is not None and writable(path, *read).suffix.lower() not in (".toml", ".json"):
        raise InputError("--output", path.name, "a model document, X.toml or X.json")


def write_document(model: ModelClass, path: Path, toml: str) -> None:
    """Write a class in the form that the suffix says: its text in TOML, or the canonical form."""
    outputs.write(path, toml.encode() if path.suffix.lower() == ".toml" else model.canonical_json())
