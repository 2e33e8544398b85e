"""One budget of work for a certificate, so that none runs without end or fills the memory.

A unit is about a microsecond of this kernel's work, or some ten bytes that it keeps.  What is enumerated is counted
before it starts, products of polynomials before they are formed, and inner loops count as they go: what is over the
budget, or does not fit in what is left of it, is refused with the count.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

WORK = 100_000_000  # units for one certificate: some minutes, where gallery classes take up to ten seconds


class OverBudget(Exception):
    """This is raised where some work does not fit in what is left of the budget: ``found`` says what it is and how
    much."""

    def __init__(self, found: str) -> None:
        self.found = found
        super().__init__(found)


_left: ContextVar[list[int] | None] = ContextVar("left", default=None)


@contextmanager
def limited(work: int = WORK) -> Iterator[None]:
    """Let at most ``work`` units be spent within this context; outside of any such context nothing is counted."""
    token = _left.set([work])
    try:
        yield
    finally:
        _left.reset(token)


@contextmanager
def given_back() -> Iterator[None]:
    """Give back what is spent within this context, where it is not enough."""
    left = _left.get()
    before = left[0] if left else 0
    try:
        yield
    except OverBudget:
        if left:
            left[0] = before
        raise


def afford(units: int, what: str) -> None:
    """Raise ``OverBudget``, which names ``what`` the units are for, unless so many are left; none is taken."""
    left = _left.get()
    if left is not None and units > left[0]:
        raise OverBudget(f"{what}: {units} units of work where {left[0]} are left")


def spend(units: int, what: str) -> None:
    """Raise ``OverBudget`` unless so many units are left, and take them."""
    afford(units, what)
    left = _left.get()
    if left is not None:
        left[0] -= units
