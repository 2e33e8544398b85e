"""A file that is looked at again whenever it is saved."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from pomgcheck.errors import InputError

PAUSE = 0.2  # seconds between two looks


def watched(model: str) -> Path:
    """The file that a MODEL is read from.  Raises ``InputError`` for what is in no file of its own."""
    path = Path(model.rpartition(":")[0] or model) if ".py:" in model else Path(model)
    if not path.is_file():
        raise InputError(
            "--watch", repr(model), "the path of a document or file.py:function", "write it with pomgcheck new"
        )
    return path


def saves(path: Path) -> Iterator[None]:
    """Once at once, and again each time that the file is another; what is being written, or is gone, is waited for."""
    seen = before = None
    while True:
        now = state(path)
        if now is not None and now != seen and now == before:  # the same at two looks: an editor is done with it
            seen = now
            yield
        else:
            before = now
            time.sleep(PAUSE)


def state(path: Path) -> tuple[int, int] | None:
    """When it was written and how long it is; None while an editor has put nothing in its place yet."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size) if found.st_size else None
