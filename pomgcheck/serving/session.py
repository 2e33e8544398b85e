"""Keeps one document on a page: its file, the answers that its tabs were given, and what is saved of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck.errors import InputError, LimitExceeded, PomgcheckError
from pomgcheck.modelclass.files import decoded
from pomgcheck.options import Options
from pomgcheck.outputs import file_name, writable, write
from pomgcheck.serving.staff import Hand, Result
from pomgcheck.stored import NAMED, form, kind_of

MOST_BYTES = 2_000_000  # of a document that is edited on a page
MOST_TABS = 16
LIVE = 3.0  # seconds of processor time that an answer may take while one types
SUFFIXES = (".toml", ".json")


class DocumentText(NamedTuple):
    """This is a file as it was read: its text with plain line ends, and the digest of its bytes."""

    text: str
    sha256: str


@dataclass
class Tab:
    """This is what a tab of the browser asked last, and the certificate that it shows."""

    asked: int = 0
    answered: int = 0
    certificate: bytes = b""
    sha256: str = ""
    name: str = ""
    text: str = ""


class Conflict(InputError):
    """The file is not as it was read; ``sha256`` is what it is now."""

    def __init__(self, path: Path, now: str) -> None:
        fix = "load it, or save over it if that is meant"
        super().__init__("", "a file that was changed on disk meanwhile", "the file as it was read", fix)
        self.inside(path.name)
        self.sha256 = now


class Session:
    """This is the document in one file, for one user; tabs are told apart by names that they give themselves."""

    def __init__(self, path: Path, options: Options) -> None:
        self.path, self.suffix, self.options = path, path.suffix.lower(), options
        self.tabs: OrderedDict[str, Tab] = OrderedDict()
        self.live, self.patient = Hand(options), Hand(options)
        self._seen: tuple[int, int] | None = None
        self._sha256 = ""

    def end(self) -> None:
        """End the processes."""
        self.live.end()
        self.patient.end()

    def tab(self, name: str) -> Tab:
        """Return the tab of that name; the one that was quiet longest is forgotten where there are too many."""
        tab = self.tabs.setdefault(name, Tab())
        self.tabs.move_to_end(name)
        while len(self.tabs) > MOST_TABS:
            self.tabs.popitem(last=False)
        return tab

    # -- the file

    def read(self) -> DocumentText:
        """Return the document on disk."""
        return read(self.path)

    def digest(self) -> str:
        """Return the digest of the file now, or "" where it is gone; the file is read again only where its time or its
        size has changed."""
        try:
            found = self.path.stat()
            seen = found.st_mtime_ns, found.st_size
            if seen != self._seen:
                self._sha256 = sha256(self.path.read_bytes()).hexdigest() if found.st_size <= MOST_BYTES else "large"
                self._seen = seen
        except OSError:
            self._seen, self._sha256 = None, ""
        return self._sha256

    def save(self, text: str, known: str) -> str:
        """Write the document whole or not at all, provided that the file's digest is the ``known`` one, and return the
        new digest.

        Raises ``Conflict`` where it is not, and ``InputError`` for what is too large or cannot be written.
        """
        self._seen = None  # what was written within one tick of the clock counts too
        now = self.digest()
        if now != known:
            raise Conflict(self.path, now)
        ends = b"\r\n" if now and b"\r\n" in self.path.read_bytes() else b"\n"
        data = text.encode().replace(b"\n", ends)
        fitting(len(data))
        write(writable(self.path), data)
        self._seen = None
        return self.digest()

    # -- answers

    async def answer(
        self, name: str, number: int, text: str, opened: Collection[str], *, patient: bool = False, slow: bool = False
    ) -> Result:
        """Return what is found about a text; the answer is ``dropped`` where the tab has asked for something newer
        meanwhile.

        A ``patient`` question may take as long as it takes; about a class that is known to be ``slow`` another
        question is answered with the errors of its document alone.
        """
        tab = self.tab(name)
        if number <= tab.asked:
            return {"state": "dropped"}
        tab.asked = number
        self.stop(name)
        about: dict[str, Any] = {"text": text, "suffix": self.suffix, "opened": list(opened), "live": LIVE}
        about |= {"patient": patient, "slow": slow}
        hand = self.patient if patient else self.live
        limit = {} if patient else {"limit": LIVE}
        try:
            fitting(len(text.encode()))
        except (PomgcheckError, UnicodeEncodeError) as error:
            return {"state": "unusable", "sentence": str(error), "line": None, "knobs": []}
        result = await hand.do(name, "answer", about | limit, lambda: tab.asked == number)
        if tab.asked != number:
            return {"state": "dropped"}
        if result["state"] == "settled":
            tab.answered, tab.certificate = number, result.pop("certificate")
            tab.name, tab.sha256, tab.text = result["name"], result["sha256"], text
        return result

    def stop(self, name: str) -> None:
        """Drop what a tab has asked for."""
        for hand in (self.live, self.patient):
            hand.drop(name)

    def far(self, name: str) -> str:
        """Return how far the job of a tab is, or "" where it has none."""
        return next((hand.far for hand in (self.live, self.patient) if hand.owner == name), "")

    async def section(self, name: str, number: int, claim: str) -> Result:
        """Return one claim of the answer of that number, in full."""
        tab = self.tab(name)
        if tab.answered != number:
            return {"state": "dropped"}
        about = {"certificate": tab.certificate, "claim": claim}
        return await self.live.do(f"{name} section", "section", about, lambda: tab.answered == number)

    async def diagram(self, name: str, text: str, knob: str) -> Result:
        """Return the phase diagrams of a text over a knob."""
        self.patient.drop(f"{name} diagram")
        about = {"text": text, "suffix": self.suffix, "knob": knob}
        return await self.patient.do(f"{name} diagram", "diagram", about, lambda: True)

    async def keep(self, name: str, number: int) -> Result:
        """Write the certificate of the answer of that number beside the document, once the kernel has accepted all of
        it.

        Raises ``InputError`` where there is no such answer, or no place to write.
        """
        tab, refused = self.tab(name), partial(InputError, "certificate")
        if not tab.certificate or tab.answered != number or tab.asked != number:
            raise refused("a document that has changed since", "an answer to it as it is now", "wait for the answer")
        certificate, digest, words, text = tab.certificate, tab.sha256, tab.name, tab.text
        path = writable(self.path.parent / file_name(words, ".cert.json"))
        about = {"certificate": certificate}
        found = await self.patient.do(f"{name} certificate", "verify", about, lambda: True)
        if found["state"] != "settled":
            raise refused(found.get("sentence", "no verdict"), "the kernel's verdict", "save it again")
        if not found["accepted"]:
            self.live.end()  # with all that it would carry over
            raise refused(found["line"], "one that the kernel accepts", "change the document, then change it back")
        write(path, certificate)
        try:
            saved = self.read().text == text
        except PomgcheckError:
            saved = False
        return {"state": "settled", "path": str(path), "sha256": digest, "document_saved": saved}


def read(path: Path) -> DocumentText:
    """Return a document on disk; raise ``InputError`` where there is none, or none that can be edited on a page."""
    if path.suffix.lower() not in SUFFIXES:
        fix = "make one of it by pomgcheck import, or write a gallery's by pomgcheck gallery NAME -o DIR"
        raise InputError("FILE", path.name, "a model document, .toml or .json", fix)
    try:
        fitting(path.stat().st_size)
        data = path.read_bytes()
        text = decoded(data)
    except OSError as error:
        fix = "write one to start from: pomgcheck new FILE"
        raise InputError("", error.strerror or "no file", "a model document", fix).inside(str(path)) from None
    except PomgcheckError as error:
        raise error.inside(str(path)) from None
    if path.suffix.lower() == ".json" and (kind := kind_of(form(data))):
        raise InputError("", NAMED[kind], "a model document").inside(str(path))
    return DocumentText(text.replace("\r\n", "\n"), sha256(data).hexdigest())


def fitting(size: int) -> None:
    """Refuse a document that is too long for a page."""
    if size > MOST_BYTES:
        raise LimitExceeded("", "bytes", size, MOST_BYTES, "certify so long a document by pomgcheck certify")
