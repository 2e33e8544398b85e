"""Files the commands read and write: certificates with sound digests, what lies beside them, where output goes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError, PomgcheckError, Refused
from pomgcheck.kernel.check import read_certificate
from pomgcheck.kernel.game import Malformed, read_json
from pomgcheck.kernel.rules import Rejected


def certificate(path: Path) -> dict[str, Any]:
    """A certificate whose shape and digests are sound; its claims are not checked here."""
    try:
        return read_certificate(read_json(path.read_bytes()))
    except OSError as error:
        found = error.strerror or "no file"
        raise InputError("", found, "a certificate", "give the path of one").inside(str(path)) from None
    except Malformed as error:
        raise InputError(error.where, error.found, error.required, "give a certificate").inside(str(path)) from None
    except Rejected as error:
        fix = "the file is not as it was written; certify again"
        raise Refused(f"{error.claim} {error.rule}", error.found, error.required, fix).inside(str(path)) from None


def form(data: bytes) -> str:
    """The format a JSON file declares; "" where it declares none (the kernel then says what is wrong with it)."""
    try:
        value = read_json(data)
    except Malformed:
        return ""
    return str(value.get("format", "")) if isinstance(value, dict) else ""


def sound(path: Path) -> None:
    """Refuse a certificate, a run record, a sweep or an experiment that is not as it was written."""
    declared = form(path.read_bytes()) if path.is_file() else ""
    if declared.startswith("pomgcheck-run/"):
        from pomgcheck.learner.record import RunRecord

        RunRecord.load(path)
    elif declared.startswith("pomgcheck-experiment/"):
        from pomgcheck.experiments.record import ExperimentRecord

        ExperimentRecord.load(path)
    elif declared.startswith("pomgcheck-sweep/"):
        from pomgcheck.search.sweep_file import Sweep

        Sweep.load(path)
    else:
        certificate(path)


def named_by(path: Path, kind: str, sha256: str, given: Sequence[Path]) -> Path:
    """The certificate or record of this digest: among the files given, or in the folder of ``path``.

    An altered file still states the digest it had; a sound one is preferred, so that a spoiled copy spoils nothing.
    """
    altered = None
    for candidate in (*given, *sorted(path.parent.glob("*.json"))):
        try:
            value = read_json(candidate.read_bytes())
        except (OSError, Malformed):
            continue
        if isinstance(value, dict) and value.get("sha256") == sha256:
            try:
                sound(candidate)
            except PomgcheckError:
                altered = altered or candidate
            else:
                return candidate
    if altered is not None:
        return altered
    raise InputError("", f"no {kind} {sha256[:16]}… beside it", f"the {kind} it names", "give that file too")


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
    if path.is_dir():
        raise InputError("--output", f"the folder {path}", "a file to write")
    if not path.parent.is_dir():
        fix = f"create it: mkdir -p {path.parent}"
        raise InputError("--output", f"no folder {path.parent}", "an existing one", fix)
    if path.exists() and not path.is_file():  # a device or a pipe: what is written whole would take its place
        raise InputError("--output", f"{path}, which is no ordinary file", "a file to write")
    return path
