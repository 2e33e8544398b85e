"""Time limits of a search: what is settled when they ring is kept, the rest is unknown.

A clock interrupts the main thread by a timer of the operating system, between two steps of Python; compiled code ends
its call first.  Where there is no such timer (Windows, other threads) a limit is only looked at between two claims.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from threading import current_thread, main_thread
from time import monotonic
from types import FrameType

STOPPED = "stopped at the time limit"  # how a claim's search says so
NOT_SEARCHED, UNDECIDED = "not searched", "not decided on interval axes"  # before it, and before it has an answer
INTERRUPTED = "interrupted before it was settled"  # the same where the user ended it
SHARE = 2 / 3  # of what is left of the whole a claim takes at most while others wait
TIGHT = 1 / 2  # of a claim's seconds are for the best that it can show, the rest for anything at all
AGAIN = 0.02  # seconds until the next look where an import is under way
LEAST = 0.001  # seconds that a timer is set to at least; 0 would switch it off


class OutOfTime(BaseException):
    """This is raised where the clock rang. It is no ``Exception``, so that no search takes it for its own."""


class Clock:
    """A clock counts seconds from its making: ``whole`` for everything, ``each`` for every single claim; ``None`` is no
    limit."""

    def __init__(self, whole: float | None = None, each: float | None = None) -> None:
        self.whole, self.each = whole, each
        self.start = monotonic()
        self._loosely = inf

    def rest(self) -> float | None:
        """Return how many seconds of the whole are left, or ``None`` without a limit."""
        return None if self.whole is None else self.start + self.whole - monotonic()

    def left(self, last: bool = True) -> float | None:
        """Return how many seconds the next claim may take: at most 0 where the whole is over, ``None`` without a
        limit. One that is not the ``last`` leaves a share of the whole to others."""
        rest = self.rest()
        shared = rest if rest is None or last else rest * SHARE
        return min((x for x in (shared, self.each) if x is not None), default=None)

    def late(self) -> bool:
        """Return whether the claim that runs should now show what it can, however loosely."""
        return monotonic() > self._loosely

    @contextmanager
    def running(self, last: bool = True) -> Iterator[None]:
        """Run the block for one claim; raises ``OutOfTime`` in it, or before it, once its seconds are over."""
        left = self.left(last)
        self._loosely = inf if left is None else monotonic() + left * TIGHT
        if left is None:
            yield
            return
        if left <= 0:
            raise OutOfTime
        if current_thread() is not main_thread() or not hasattr(signal, "setitimer"):
            yield
            return
        rung: list[bool] = []
        before = signal.signal(signal.SIGALRM, partial(_ring, rung))
        signal.setitimer(signal.ITIMER_REAL, max(left, LEAST))
        try:
            yield
        except (SystemError, TypeError) as error:
            if rung or rang(error):
                raise OutOfTime from None
            raise
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def rang(error: BaseException | None) -> bool:
    """Return whether the clock's ring caused an error: compiled code that calls Python, as a product of numpy's objects
    does, may go on after the ring and end in an error of its own or of the interpreter."""
    while error is not None and not isinstance(error, OutOfTime):
        error = error.__cause__ or error.__context__
    return error is not None


def _ring(rung: list[bool], number: int, frame: FrameType | None) -> None:
    """Interrupt, but never in an import, which would leave half a module behind: then look again a little later.
    Compiled code may put an error of its own in the place of the ring, without its cause: ``rung`` keeps that it rang.
    """
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            signal.setitimer(signal.ITIMER_REAL, AGAIN)
            return
        frame = frame.f_back
    rung.append(True)
    raise OutOfTime
