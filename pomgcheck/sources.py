"""Executes Python files of a user, named as ``file.py:name``, and tells them apart by the digest of their text."""

from __future__ import annotations

import sys
import traceback
from hashlib import sha256
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import NamedTuple

from pomgcheck.errors import InputError


class Named(NamedTuple):
    """This is ``name`` in the Python file ``path``."""

    path: Path
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.name}"


def named(text: str) -> Named | None:
    """Return what ``file.py:name`` names, or ``None`` where the text has another form."""
    file, colon, name = text.rpartition(":")
    return Named(Path(file), name) if colon and file.endswith(".py") else None


def executed(path: Path) -> dict[str, object]:
    """Return the names that a Python file defines; it may import its neighbours."""
    spec = spec_from_file_location(f"model_file_{path.stem}", path)
    assert spec is not None  # the suffix is .py
    assert spec.loader is not None
    module = sys.modules[spec.name] = module_from_spec(spec)
    sys.path.insert(0, str(path.parent.resolve()))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return vars(module)


def raised(error: BaseException, path: Path) -> str:
    """Return what the code of a user's file raised, and on which line of that file."""
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if Path(each.filename).name == path.name]
    place = f" ({path.name}, line {lines[-1]})" if lines else ""
    return f"{type(error).__name__}{f': {error}' if str(error) else ''}{place}"


def digest_of(path: Path, what: str) -> str:
    """Return the SHA-256 of a file's bytes; raise ``InputError``, which says ``what`` was required, where it cannot be
    read."""
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError("", error.strerror or "no file", what, "give the path of one").inside(str(path)) from None
