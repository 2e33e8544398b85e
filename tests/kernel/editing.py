"""Edits of a certificate: where things are, and digests made good again so that an edit is judged for what it says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

Certificate = dict[str, Any]
Edit = Callable[[Certificate], None]
Path = tuple[str | int, ...]


def canonical(value: Any) -> bytes:
    """RFC 8785 for objects, arrays, strings and integers."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def sha256(value: Any) -> str:
    return hashlib.sha256(canonical(value)).hexdigest()


def signed(certificate: Certificate) -> Certificate:
    """The same certificate with both digests recomputed."""
    unsigned = {key: value for key, value in certificate.items() if key not in ("sha256", "tool")}
    unsigned["model_sha256"] = sha256(unsigned["model"])
    claims = [{key: value for key, value in claim.items() if key != "search"} for claim in unsigned["claims"]]
    tool = {"tool": certificate["tool"]} if "tool" in certificate else {}
    return unsigned | tool | {"sha256": sha256(unsigned | {"claims": claims})}


def edited(certificate: Certificate, *edits: Edit, digests: bool = True) -> Certificate:
    """A copy with the edits made, signed again unless ``digests`` is false."""
    copy = deepcopy(certificate)
    for edit in edits:
        edit(copy)
    return signed(copy) if digests else copy


def place(certificate: Certificate, path: Path) -> tuple[Any, Any]:
    """The container and key of a path; in ``claims`` a claim is found by its id."""
    here: Any = certificate
    for n, key in enumerate(path[:-1]):
        if n and path[n - 1] == "claims" and isinstance(key, str):
            key = [claim["id"] for claim in here].index(key)
        here = here[key]
    key = path[-1]
    if len(path) > 1 and path[-2] == "claims" and isinstance(key, str):
        key = [claim["id"] for claim in here].index(key)
    return here, key


def get(certificate: Certificate, *path: str | int) -> Any:
    here, key = place(certificate, path)
    return here[key]


def put(*path: str | int, to: Any) -> Edit:
    """Write ``to`` at a path; a function there is applied to what was found."""

    def edit(certificate: Certificate) -> None:
        here, key = place(certificate, path)
        here[key] = to(here[key]) if callable(to) else to

    return edit


def drop(*path: str | int) -> Edit:
    """Remove what is at a path."""

    def edit(certificate: Certificate) -> None:
        here, key = place(certificate, path)
        del here[key]

    return edit


def claim(name: str, **fields: Any) -> Edit:
    """Overwrite fields of one claim."""

    def edit(certificate: Certificate) -> None:
        get(certificate, "claims", name).update(fields)

    return edit
