"""Writes output: a place that cannot be written is refused before the work begins, and a file is written whole or not
at all."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from pomgcheck.errors import InputError


def writable(path: object, where: str = "path", read: Iterable[object] = ()) -> Path:
    """Return ``path``; raise ``InputError``, which names the argument ``where``, unless a file can be written there.

    Its folder must exist, and what is already at the place must be an ordinary file, and none of those that are ``read``.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(where, repr(path)[:60], "the path of a file to write")
    file = Path(path)
    if file.is_dir():
        raise InputError(where, f"the folder {file}", "a file to write")
    if not file.parent.is_dir():
        fix = f"create it: {shlex.join(['mkdir', '-p', str(file.parent)])}"
        raise InputError(where, f"no folder {file.parent}", "a folder that exists", fix)
    if file.exists() and not file.is_file():  # a device or a pipe: what is written whole would take its place
        raise InputError(where, f"{file}, which is not an ordinary file", "a file to write")
    if any(same(file, source) for source in read):
        raise InputError(where, f"{file}, which is read here", "another file than what is read", "give another name")
    return file


def file_name(title: str, ending: str) -> str:
    """Return the name of a file about the class with this name: its letters and digits, and a hyphen for what is between."""
    return (re.sub(r"[^\w.-]+", "-", title).strip(".-")[:70] or "class") + ending


def same(file: Path, source: object) -> bool:
    """Return whether ``source`` is the path of that file, whatever it is written like."""
    with suppress(OSError, ValueError):
        return isinstance(source, str | os.PathLike) and file.samefile(source)
    return False


def made(folder: Path, where: str) -> Path:
    """Return the folder, which is made where it does not exist; raise ``InputError`` where a file has its name."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise InputError(where, f"the file {folder}", "a folder, or a name not taken") from None
    except OSError as error:
        raise InputError(where, f"{folder}: {error.strerror}", "a folder that can be made") from None
    return folder


def write_all(folder: Path, files: Mapping[str, str], where: str) -> list[Path]:
    """Write files into a folder, which is made where it does not exist, and return their paths."""
    paths = [made(folder, where) / name for name in files]
    for path, text in zip(paths, files.values(), strict=True):
        write(path, text.encode())
    return paths


def write(path: Path, data: bytes) -> None:
    """Write the file whole or not at all: where the disk is full, what was there before stays."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise InputError("", error.strerror or "an error", "a file to write").inside(str(path)) from None
