"""Files the commands write: their names, and the commands that read them next."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from pomgcheck import outputs


def stem(path: Path) -> str:
    """``patrol`` of ``patrol.cert.json``."""
    return re.sub(r"(\.(cert|run|sweep|experiment))?(\.json)?$", "", path.name)


def named(model: str, ending: str) -> Path:
    """The default output of a model's name, in the current folder."""
    return Path(re.sub(r"[^\w.-]+", "-", model).lstrip(".-") + ending)


def typed(*words: object) -> str:
    """A command as a user types it, indented; names with spaces are quoted."""
    return f"  {shlex.join(['pomgcheck', *map(str, words)])}"


def writable(path: Path) -> Path:
    """``path``, whose folder exists: said before the work, not after it."""
    return outputs.writable(path, "--output")
