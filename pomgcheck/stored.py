"""Keeps documents as canonical JSON under a digest: they are written whole or not at all, and read back only as they
were written."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from types import UnionType
from typing import Any, Protocol, Self, TypeVar, get_args, get_origin, get_type_hints

from pomgcheck.errors import InputError
from pomgcheck.kernel.reading import (
    Malformed,
    canonical_bytes,
    digest,
    mapping,
    rational,
    read_json,
    require,
    sequence,
    take,
)
from pomgcheck.outputs import writable, write

NAMES = ("certificate", "run", "sweep", "experiment", "repair")  # of the kinds of record, as their formats have them
NAMED = {name: {"run": "a run record", "experiment": "an experiment"}.get(name, f"a {name}") for name in NAMES}
NO_REPORT = "a certificate, a run record, a sweep, an experiment or a repair"
INDEX = "an index of a folder has none: give the files that it lists"
TOLD = "a certificate, a run record, a sweep, an experiment, a repair or a report"
REPORTS = (".html", ".md", ".tex", ".txt")
MAX_BYTES = 512 * 1024 * 1024  # of any file; the kernel asks for less of a certificate
MODEL = "pomgcheck-model-class/"
SORTS: dict[Any, tuple[type, str]] = {  # of an annotation -> what JSON has there
    str: (str, "text"),
    int: (int, "an integer"),
    bool: (bool, "true or false"),
    Sequence: (list, "an array"),
    tuple: (list, "an array"),
    Mapping: (dict, "an object"),
    type(None): (type(None), "null"),
}
LOOSE: set[Any] = set()  # records whose objects may have other keys
STAMPED = re.compile(rb'pomgcheck-[a-z]+(?:-[0-9]+)?(?:" content="|: )[0-9a-f]{64}')  # as reports are
AUTHORED = re.compile(rf'^\s*format\s*=\s*"{MODEL}'.encode(), re.MULTILINE)  # a model document in TOML


Kind = TypeVar("Kind")  # of record
Reader = Callable[[Any, str], Any]  # of a value at its place


class Presenter(Protocol):
    """This puts documents in words and drawings; it is `pomgcheck.reporting`, which sets itself in ``Displayed``."""

    def notebook_html(self, shown: Any) -> str:
        """Return what a notebook's cell shows of a record or a model class, as HTML."""

    def report(self, source: Any, path: str | Path) -> Path:
        """Write the report of a record."""

    def explain(self, cert: Any, claim: str | None = None, *, episodes: int | None = None) -> str:
        """Return a claim in words."""

    def sensitivity(self, source: Any, *, episodes: int | None = None) -> tuple[Any, ...]:
        """Return how the bounds of a certificate move with each constant."""


class Displayed:
    """This shows itself in a notebook as the reports do, as soon as these are loaded."""

    presenter: Callable[[], Presenter] | None = None

    def _repr_html_(self) -> str | None:
        return None if Displayed.presenter is None else Displayed.presenter().notebook_html(self)


@dataclass(frozen=True, eq=False)
class Stored(Displayed):
    """A stored object is its ``document``, a JSON object with its own digest under ``sha256``.

    Two objects of one kind are equal where the contents that their digests cover are equal.
    """

    document: dict[str, Any]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.covered == other.covered

    def __hash__(self) -> int:
        return hash(self.sha256)

    @classmethod
    def signed(cls, document: dict[str, Any]) -> Self:
        """Return the record of a document without its digest, under it."""
        return cls(document | {"sha256": content_digest(document)})

    @property
    def covered(self) -> dict[str, Any]:
        """Return the part of the document that its digest covers, and the digest."""
        return self.document

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of everything else in the file."""
        return str(self.document["sha256"])

    @property
    def content(self) -> Any:
        """Return the entries, typed; or the document itself where a record has attributes of its own."""
        return self.document

    def shaped(self, path: str | Path) -> Self:
        """Return the record; raise ``InputError`` where its entries have another shape than the format says."""
        try:
            _ = self.content
        except Malformed as error:
            raise InputError(error.where, error.found, error.required, "make it again").inside(str(path)) from None
        return self

    def save(self, path: str | Path) -> Path:
        """Write the file whole or not at all, and return its path; raise ``InputError`` for a place that cannot be
        written."""
        target = writable(path)
        write(target, canonical_bytes(self.document))
        return target

    def report(self, path: str | Path) -> Path:
        """Write the report to ``path`` (.html, .md, .tex, .pdf or .txt) and return the path."""
        return presented().report(self, path)


def presented() -> Presenter:
    """Return the reports, as the public package or whoever imports them has set them."""
    if Displayed.presenter is None:
        raise InputError("report", "no module that writes reports", "pomgcheck.reporting", "import it first")
    return Displayed.presenter()


def read_bytes(path: str | Path, what: str) -> bytes:
    """Return the bytes of a file.

    Raises ``InputError``, which says ``what`` was required, where there is no such file, or where it has over
    ``MAX_BYTES``; its size is looked at before it is read.
    """
    try:
        size = Path(path).stat().st_size
        data = Path(path).read_bytes() if size <= MAX_BYTES else b""
    except OSError as error:
        found = error.strerror or "no file"
        raise InputError("", found, what, to_give(path, what)).inside(str(path)) from None
    except ValueError:  # a path that no file can have
        raise InputError("", "a path that no file can have", what).inside(repr(str(path))[:60]) from None
    if size > MAX_BYTES:
        fix = "pomgcheck writes nothing so large; give another file"
        raise InputError("", f"{size:,} bytes", f"a file of at most {MAX_BYTES:,}", fix).inside(str(path))
    return data


def to_give(path: str | Path, what: str) -> str:
    """Return what to give in place of a ``path`` where no file is; a name of the gallery may have been meant."""
    bare = "a certificate" in what and Path(path).name == str(path) and not Path(path).suffix
    made = f"; pomgcheck certify {shlex.quote(str(path))} makes the certificate of a class" if bare else ""
    return f"give the path of one{made}"


def read_record(path: str | Path, what: str, form: str, keys: Sequence[str]) -> dict[str, Any]:
    """Return the document in a file of format ``form``; raise ``InputError`` where it is not a sound one."""
    data = read_bytes(path, what)
    try:
        document = dict(take(read_json(data), "record", keys))
    except Malformed as error:
        told_apart(path, data, str(kind_of(form)))
        raise InputError(error.where, error.found, error.required).inside(str(path)) from None
    expected = (("format", document["format"], form), ("sha256", content_digest(document), document["sha256"]))
    for name, found, required in expected:
        if found != required:
            raise InputError(name, str(found), str(required), "use the record as it was written").inside(str(path))
    return document


def loose(kind: type[Kind]) -> type[Kind]:
    """Say of a record that its JSON object may have other keys, which are passed over."""
    LOOSE.add(kind)
    return kind


def entry(kind: Callable[..., Kind], value: Any, where: str, **read: Any) -> Kind:
    """Return the record, a named tuple, that a JSON object holds: its keys are the fields, each read as its annotation
    says, records within records too. What is ``read`` already takes the place of what the object has, and fields with
    a default may be missing.

    Raises ``Malformed``, which names the place, for other keys, unless the record is ``loose``, and for a field that
    holds another sort of value than its annotation says.
    """
    readers, needed, optional = shape(kind)
    others = tuple(mapping(value, where)) if kind in LOOSE else ()
    owed = [name for name in needed if name not in read]
    for name, each in take(value, where, owed, (*optional, *read, *others)).items():
        if name in readers and name not in read:
            read[name] = readers[name](each, f"{where}.{name}".lstrip("."))
    return kind(**read)


@cache
def shape(kind: Any) -> tuple[Mapping[str, Reader], Sequence[str], Sequence[str]]:
    """Return what reads each field of a named tuple, the fields that it needs, and those that have a default."""
    readers = {name: reader(hint) for name, hint in get_type_hints(kind).items()}
    return readers, [name for name in readers if name not in kind._field_defaults], [*kind._field_defaults]


def reader(hint: Any) -> Reader:
    """Return what reads a JSON value as an annotation says; it passes every value where that leaves it open."""
    known: dict[type, tuple[str, Reader]] = {}
    for option in get_args(hint) if isinstance(hint, UnionType) else (hint,):
        inner = [each for each in get_args(option) if each is not Ellipsis]
        if hasattr(option, "_fields"):
            known[dict] = "an object", getattr(option, "of", None) or partial(entry, option)
        elif option is Fraction:
            known[str] = "an exact number as text", rational
        elif (sort := get_origin(option) or option) in SORTS:
            json, words = SORTS[sort]
            several = each_of if json is list else by_key
            known[json] = words, as_it_is if all(map(plain, inner)) else partial(several, reader(inner[-1]))
        else:
            return as_it_is
    required = " or ".join(words for words, _ in known.values())

    def read(value: Any, where: str) -> Any:
        require(type(value) in known, where, type(value).__name__, required)
        return known[type(value)][1](value, where)

    return read


def plain(hint: Any) -> bool:
    """Return whether what an annotation says is kept as JSON has it: it names no record and no exact number."""
    return hint in SORTS or hint in (Any, Ellipsis) or (bool(inner := get_args(hint)) and all(map(plain, inner)))


def as_it_is(value: Any, where: str) -> Any:
    """Return the value."""
    return value


def written(value: Any) -> Any:
    """Return a record as the JSON that `entry` reads; fields that are their default are left out."""
    if hasattr(value, "_fields"):
        told = {name: each for name, each in value._asdict().items() if each != value._field_defaults.get(name, ...)}
        return {name: written(each) for name, each in told.items()}
    if isinstance(value, Mapping):
        return {key: written(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [written(each) for each in value]
    return str(value) if isinstance(value, Fraction) else value


def by_key(of: Reader, value: Any, where: str) -> dict[str, Any]:
    """Return the records that a JSON object holds by key, each read by ``of`` at its place."""
    return {key: of(each, f"{where}.{key}") for key, each in mapping(value, where).items()}


def each_of(of: Callable[[Any, str], Kind], value: Any, where: str) -> tuple[Kind, ...]:
    """Return the records that a JSON array holds, each read by ``of`` at its place."""
    return tuple(of(each, f"{where}[{k}]") for k, each in enumerate(sequence(value, where)))


def content_digest(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of everything but the digest itself."""
    return digest({key: value for key, value in document.items() if key != "sha256"})


def told_apart(path: str | Path, data: bytes, kind: str) -> None:
    """Raise ``InputError`` where a file is plainly not a record of this ``kind``: it is one of another, or a document."""
    declared = form(data)
    if (other := kind_of(declared)) not in (None, kind):
        raise InputError("", NAMED[str(other)], NAMED[kind]).inside(str(path))
    if refusal := of_another_kind(Path(path), data, declared):
        refusal.required = NAMED[kind]
        raise refusal


def form(data: bytes) -> str:
    """Return the format that a JSON file declares, or "" where it declares none."""
    try:
        value = read_json(data)
    except Malformed:
        return ""
    return str(value.get("format", "")) if isinstance(value, dict) else ""


def kind_of(declared: str) -> str | None:
    """Return the kind of record that a format names, whatever its version, or ``None``."""
    name = declared.removeprefix("pomgcheck-").partition("/")[0]
    return name if declared.startswith("pomgcheck-") and name in NAMES else None


def of_another_kind(path: Path, data: bytes, declared: str = "") -> InputError | None:
    """Return the refusal of a file that is plainly not a record: it says what the file is, and what to do with it."""
    if declared.startswith(MODEL) or (not declared and AUTHORED.search(data)):
        fix = f"certify it: {shlex.join(['pomgcheck', 'certify', str(path)])}"
        return InputError("", "a model document", TOLD, fix).inside(str(path))
    if data.startswith(b"%PDF-"):
        return InputError("", "a PDF", TOLD, "check its page in HTML, Markdown or LaTeX").inside(str(path))
    if path.suffix in REPORTS and not declared:
        if STAMPED.search(data):
            return InputError("", "a report", NO_REPORT, "give what it was made of").inside(str(path))
        return InputError("", "no digests", "a report of a record, written by pomgcheck report", INDEX).inside(
            str(path)
        )
    return None
