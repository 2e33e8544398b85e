"""Has every error a user can meet; each says where it is, what was found, what is required, and how to put it right.

The tree is small on purpose.  ``exit_code`` is what the command line ends with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import Any, ClassVar, Self

__all__ = [
    "GaveUp",
    "InputError",
    "LimitExceeded",
    "MissingDependency",
    "PomgcheckError",
    "Refused",
    "counted",
    "optional",
]


class PomgcheckError(Exception):
    """This is the base of all errors; its text is one sentence, ``where: found …, required …; fix``."""

    exit_code: ClassVar[int] = 2

    def __init__(self, where: str, found: str, required: str, fix: str = "") -> None:
        super().__init__(where, found, required, fix)
        self.where, self.found, self.required, self.fix = where, found, required, fix
        self.source = ""  # the file it was met in, when there is one

    def __str__(self) -> str:
        place = "".join(f"{part}: " for part in (self.source, self.where) if part)
        remedy = f"; {self.fix}" if self.fix else ""
        return f"{place}found {self.found}, required {self.required}{remedy}"

    def inside(self, source: str) -> Self:
        """Return the same error, which names the file ``source``."""
        self.source = source
        return self


class InputError(PomgcheckError, ValueError):
    """A document, file or argument cannot be used as it is."""

    @classmethod
    def choice(cls, where: str, found: object, known: Iterable[str], required: str = "") -> Self:
        """Return the error that ``found`` is not one of the ``known`` names; the nearest of them is offered where one
        is near."""
        from difflib import get_close_matches

        names = list(known)
        near = get_close_matches(str(found), names, 1)
        fix = f'did you mean "{near[0]}"?' if near else ""
        return cls(where, repr(found), required or f"one of {', '.join(names)}", fix)

    @classmethod
    def claim(cls, where: str, found: object, papers: Mapping[str, str]) -> Self:
        """Return the error that ``found`` is not the id of a claim; ``papers`` has the statement of the paper that each
        is about, and for the number of one, such as "2.4", the error names the ids that belong to it."""
        ids = [claim for claim, paper in papers.items() if paper.partition(" ")[2] == found]
        if not ids:
            return cls.choice(where, found, papers)
        those = f"those of {found} are" if len(ids) > 1 else f"that of {found} is"
        return cls(where, repr(found), "the id of a claim", f"{those} called {' or '.join(ids)}")


class LimitExceeded(PomgcheckError, ValueError):
    """Something is over a stated limit and is refused before memory is taken; ``fix`` names the smaller thing to use."""

    def __init__(self, where: str, what: str, count: int, limit: int, fix: str = "") -> None:
        digits = round((count.bit_length() - 0.5) * 0.30103)  # a count may be too long to print
        shown = f"{count:,}" if digits < 15 else f"about 10^{digits}"
        super().__init__(where, f"{shown} {what}", f"at most {limit:,}", fix)
        self.args = (where, what, count, limit, fix)  # what unpickling calls
        self.what, self.count, self.limit = what, count, limit

    @classmethod
    def coordinates(cls, count: int, limit: int, window: int) -> Self:
        """Return the error that the history space of a class is over the limit; its window space has ``window``
        coordinates."""
        fix = f'use the space "window", which has {window:,}'
        return cls("space", "coordinates of the history space", count, limit, fix)


class MissingDependency(PomgcheckError, ImportError):
    """An optional package that this action needs is not installed; ``fix`` is the command that installs it."""


class Refused(PomgcheckError):
    """A certificate is missing, altered, refuted or for another model; nothing is done on its strength."""

    exit_code = 1


class GaveUp(PomgcheckError):
    """A question was left undecided when its budget ended: this is neither a pass nor a refutation."""

    exit_code = 3


def counted(n: int, noun: str, plural: str = "") -> str:
    """Return words such as ``1 factor`` or ``2 factors``; ``plural`` is for a noun that does not just add an s."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def optional(package: str, extra: str, where: str) -> Any:
    """Return an optional package, imported.

    Raises ``MissingDependency``, which names the ``extra`` to install, where the package is not there.
    """
    try:
        return import_module(package)
    except ImportError:
        raise MissingDependency(where, f"no package {package}", "it", f"pip install 'pomgcheck[{extra}]'") from None
