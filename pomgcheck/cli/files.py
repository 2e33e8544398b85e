"""Names the files that the commands write, and the commands that read them next."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from pomgcheck import outputs


def stem(path: Path) -> str:
    """Return the name without its endings: ``patrol`` for ``patrol.cert.json``."""
    return re.sub(r"(\.(cert|run|sweep|experiment|repair))?(\.json)?$", "", path.name)


def named(model: str, ending: str) -> Path:
    """Return the default output of a model's name, in the current folder."""
    return Path(re.sub(r"[^\w.-]+", "-", model).lstrip(".-") + ending)


def typed(*words: object) -> str:
    """Return a command as a user types it, indented; names with spaces are quoted."""
    return f"  {shlex.join(['pomgcheck', *map(str, words)])}"


def writable(path: Path) -> Path:
    """Return ``path``, whose folder must exist; this is said before the work, not after it."""
    return outputs.writable(path, "--output")
