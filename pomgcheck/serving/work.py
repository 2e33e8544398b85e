"""Does the work of a process of the page: one job after another, each a document certified, put in words, or swept.

It is told about a newer document while it works, and then drops what it has at the next step of the search.
"""

from __future__ import annotations

import os
import pickle
import queue
import sys
import time
from collections import OrderedDict
from collections.abc import Callable
from signal import SIG_IGN, SIGINT, SIGTERM, signal
from threading import Lock, Thread
from typing import Any, BinaryIO, NamedTuple

from pomgcheck.certificate import Certificate
from pomgcheck.errors import PomgcheckError
from pomgcheck.kernel.reading import canonical_bytes, long_integers, read_json
from pomgcheck.modelclass.document import loads
from pomgcheck.modelclass.files import parsed
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.modelclass.places import line_of
from pomgcheck.options import Options
from pomgcheck.serving.knobs import sliders

KEPT = 16  # certificates, so that what is undone need not be certified again
OFTEN = 0.2  # seconds between two words on how far a job is
GRACE = 1.0  # seconds that a job has to end by itself
IMPORTS = 5.0  # seconds more for the first answer of a process, which loads the search
POINTS = 13  # of a phase diagram
SLOW = "its last certificate took longer than live work allows"
LONG = "it takes longer than live work allows"
INTERVALS = "an axis of the class is an interval, and whole intervals take seconds to hours"


class Job(NamedTuple):
    """A job has its number, its kind, and what it is about."""

    number: int
    kind: str
    about: dict[str, Any]


class Dropped(BaseException):
    """Nobody waits for this job any more.  It is not an ``Exception``, so that no search takes it for its own."""


class TooSlow(BaseException):
    """The job takes longer than a live answer may."""


class Worker:
    """This is one process: its jobs come through ``source``, and what came of each goes back through ``sink``."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self.source, self.sink = source, sink
        self.options: Options = pickle.load(source)
        self.jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.dropped = -1  # jobs up to this number are not waited for
        self.kept: OrderedDict[str, Certificate] = OrderedDict()
        self.current, self.until, self.told = -1, float("inf"), 0.0
        self.speaking = Lock()

    def listen(self) -> None:
        """Take jobs, and requests to drop some of them, as they come; at the end of the page end the process."""
        try:
            while True:
                kind, value = pickle.load(self.source)
                if kind == "drop":
                    self.dropped = max(self.dropped, value)
                else:
                    self.jobs.put(Job(*value))
        except (EOFError, OSError):
            os.kill(os.getpid(), SIGTERM)  # whatever the search is at

    def work(self) -> None:
        """Do the jobs one after another, without an end."""
        kinds: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "answer": self.answer,
            "section": self.section,
            "diagram": self.diagram,
            "verify": self.verify,
            "ready": self.ready,
        }
        while job := self.jobs.get():
            self.current, self.told = job.number, 0.0
            limit = job.about.get("limit")  # of processor time, so that a machine with other work is no slow class
            self.until = float("inf") if limit is None else time.process_time() + limit + (0 if self.kept else IMPORTS)
            try:
                result = {"state": "dropped"} if job.number <= self.dropped else kinds[job.kind](job.about)
            except Dropped:
                result = {"state": "dropped"}
            except TooSlow:
                result = {"state": "slow", "why": LONG}
            except Exception as error:  # the page says it in a sentence, and goes on
                result = {"state": "failed", "sentence": sentence(error)}
            self.until = float("inf")
            self.tell("done", result)

    def watch(self) -> None:
        """End the process where a job does not end by itself once its time is over."""
        while True:
            time.sleep(OFTEN)
            if time.process_time() > self.until + GRACE:
                self.tell("done", {"state": "slow", "why": LONG, "ended": True})
                os.kill(os.getpid(), SIGTERM)

    def progress(self, what: str, done: int, total: int) -> None:
        """Between two steps of a search, end it where nobody waits or its time is over, and say how far it is."""
        now = time.monotonic()
        if self.current <= self.dropped:
            raise Dropped
        if time.process_time() > self.until:
            raise TooSlow
        if now - self.told > OFTEN:
            self.told = now
            self.tell("progress", f"{what} {done:,} of {total:,}" if total else what)

    def tell(self, kind: str, value: Any) -> None:
        """Send a message about the job in hand."""
        with self.speaking:
            pickle.dump((kind, self.current, value), self.sink)
            self.sink.flush()

    # -- the kinds of job

    def ready(self, about: dict[str, Any]) -> dict[str, Any]:
        """Import what an answer needs before the first is asked for."""
        from pomgcheck.search import again
        from pomgcheck.serving import view

        return {"state": "ready", "loaded": [again.__name__, view.__name__]}

    def answer(self, about: dict[str, Any]) -> dict[str, Any]:
        """Return the claims of a document, or the sentence that says what is wrong with it and the line.

        Claims that read nothing that changed are carried over.
        """
        text, suffix = about["text"], about["suffix"]
        knobs = sliders(text, suffix)
        start, busy, first = time.perf_counter(), time.process_time(), not self.kept
        try:
            model = loads(text, suffix)
            why = "" if about["patient"] else SLOW if about["slow"] else INTERVALS if boxed(model) else ""
            found, carried = self.certified(model, not why)
        except PomgcheckError as error:
            error.source = ""
            return {"state": "unusable", "sentence": str(error), "line": line_of(text, suffix, error), "knobs": knobs}
        if found is None:
            return {"state": "slow", "why": why, "knobs": knobs}
        seconds = time.perf_counter() - start
        from pomgcheck.serving.view import shown

        return {
            "state": "settled",
            "knobs": knobs,
            "seconds": f"{seconds:.2f}",
            "quick": time.process_time() - busy < about["live"] + (IMPORTS if first else 0),
            "carried": len(carried),
            "certificate": canonical_bytes(found.document),
            **shown(found, about["opened"]),
        }

    def certified(self, model: ModelClass, searched: bool) -> tuple[Certificate | None, frozenset[str]]:
        """Return the certificate of a class and the claims that are not new in it; ``None`` where none is known and
        none is to be ``searched``."""
        from pomgcheck.search.again import certify_again

        known = self.kept.get(model.sha256)
        if known is not None and known.document["model"] == model.document:
            self.kept.move_to_end(model.sha256)
            return known, frozenset(known.claims)
        if not searched:
            return None, frozenset()
        before = next(reversed(self.kept.values()), None)
        found, carried = certify_again(model, self.options, before, self.progress)
        self.kept[model.sha256] = found
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return found, carried

    def section(self, about: dict[str, Any]) -> dict[str, Any]:
        """Return one claim of a certificate in full."""
        from pomgcheck.serving.view import section

        return {"state": "settled", "section": section(Certificate(read_json(about["certificate"])), about["claim"])}

    def diagram(self, about: dict[str, Any]) -> dict[str, Any]:
        """Return the class certified over the range of a knob, as drawings."""
        from pomgcheck.search.sweep import sweep
        from pomgcheck.serving.view import diagram

        text, suffix, name = about["text"], about["suffix"], about["knob"]
        knob = next((knob for knob in sliders(text, suffix) if knob["name"] == name and knob["values"]), None)
        if knob is None:
            return {"state": "failed", "sentence": f"knobs: found no knob {name} that is a number, required one"}
        span = (knob["values"][0], knob["values"][-1], POINTS)
        try:
            document = parsed(text, suffix)
            found = sweep(document, {name: span}, options=self.options, progress=self.progress)
        except PomgcheckError as error:
            return {"state": "failed", "sentence": str(error)}
        return {"state": "settled", "diagram": diagram(found)}

    def verify(self, about: dict[str, Any]) -> dict[str, Any]:
        """Return the kernel's verdict on all of a certificate, as `pomgcheck verify` gives it."""
        from pomgcheck.kernel.check import verify_bytes

        verdict = verify_bytes(about["certificate"])
        if not verdict.accepted:
            self.kept.clear()  # whatever was carried over is certified again
        return {"state": "settled", "accepted": verdict.accepted, "line": verdict.line}


def boxed(model: ModelClass) -> bool:
    """Return whether an axis of the class is an interval."""
    return model.thetas is None or model.phis is None


def sentence(error: Exception) -> str:
    """Return what went wrong where the document is not at fault."""
    if isinstance(error, PomgcheckError):
        return str(error)
    if isinstance(error, MemoryError):
        return "the memory of this machine is not enough for this class; make it smaller"
    return f"internal error ({type(error).__name__}: {error}); please report it with the document"


def main() -> None:
    """Work in a process of its own, for the one that writes to its standard input and reads its standard output; what
    compiled code prints is discarded."""
    signal(SIGINT, SIG_IGN)  # Ctrl-C is the page's to answer
    sink = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    worker = Worker(sys.stdin.buffer, sink)
    for task in (worker.listen, worker.watch):
        Thread(target=task, daemon=True).start()
    with long_integers():
        worker.work()
