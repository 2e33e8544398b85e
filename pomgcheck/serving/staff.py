"""Starts and asks a process that works for the page, from the page's side.

Jobs go to it one after another; it is ended and replaced where it does not drop what nobody waits for.
"""

from __future__ import annotations

import asyncio
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from subprocess import DEVNULL, PIPE, Popen
from threading import Thread
from typing import Any

from pomgcheck.options import Options

GRACE = 1.0  # seconds that a process has to drop a job, between two steps of its search
ENDED = "the search ended unexpectedly, perhaps for want of memory; change the document, or ask again"

Result = dict[str, Any]


class Hand:
    """This is one process and the job that it has."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.turn = asyncio.Lock()
        self.number = 0
        self.owner = ""  # whose job it has
        self.far = ""  # how far that is
        self._result: asyncio.Future[Result] | None = None
        self._process: Popen[bytes] | None = None

    def start(self) -> None:
        """Make the process, where there is none that lives."""
        if self._process is not None and self._process.poll() is None:
            return
        program = f"import sys; sys.path[:] = {sys.path!r}; from pomgcheck.serving.work import main; main()"
        self._process = Popen([sys.executable, "-P", "-c", program], stdin=PIPE, stdout=PIPE, stderr=DEVNULL)
        self._send(self.options)
        Thread(target=self._listen, args=(self._process, asyncio.get_running_loop()), daemon=True).start()

    def end(self) -> None:
        """End the process; whoever waits for its job learns that it was dropped."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        self._settle(self.number, {"state": "dropped"})

    def _send(self, message: object) -> None:
        """Write to the process.  Raises ``OSError`` where it is gone."""
        assert self._process is not None
        assert self._process.stdin is not None
        pickle.dump(message, self._process.stdin)
        self._process.stdin.flush()

    async def do(self, owner: str, kind: str, about: dict[str, Any], wanted: Callable[[], bool]) -> Result:
        """Return the result of a job once those before it are done, or nothing where it is not ``wanted`` by then."""
        async with self.turn:
            if not wanted():
                return {"state": "dropped"}
            self.number += 1
            self.owner, self.far = owner, ""
            self._result = asyncio.get_running_loop().create_future()
            try:
                self.start()
                self._send(("job", (self.number, kind, about)))
                result = await self._result
                if result.pop("ended", False):
                    self.end()
                return result
            except OSError:
                self.end()
                return {"state": "failed", "sentence": ENDED}
            finally:
                self.owner = ""

    def drop(self, owner: str) -> None:
        """Drop the job of ``owner``, for which nobody waits: it is ended soon, with its process if need be."""
        if self.owner != owner or self._process is None:
            return
        with suppress(OSError):
            self._send(("drop", self.number))
        asyncio.get_running_loop().call_later(GRACE, self._insist, self.number)

    def _insist(self, number: int) -> None:
        if self.number == number and self._result is not None and not self._result.done():
            self.end()

    def _listen(self, process: Popen[bytes], loop: asyncio.AbstractEventLoop) -> None:
        """Hand on what a process says, in a thread of its own."""
        assert process.stdout is not None
        with suppress(RuntimeError):  # the page has ended
            try:
                while True:
                    kind, number, value = pickle.load(process.stdout)
                    loop.call_soon_threadsafe(self._progress if kind == "progress" else self._settle, number, value)
            except (EOFError, OSError, pickle.UnpicklingError):
                loop.call_soon_threadsafe(self._lost, process)

    def _progress(self, number: int, far: str) -> None:
        if number == self.number:
            self.far = far

    def _settle(self, number: int, result: Result) -> None:
        if number == self.number and self._result is not None and not self._result.done():
            self._result.set_result(result)

    def _lost(self, process: Popen[bytes]) -> None:
        if process is self._process:
            self._settle(self.number, {"state": "failed", "sentence": ENDED})
            self.end()  # it may not be gone yet
