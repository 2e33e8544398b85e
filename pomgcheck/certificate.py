"""Reads a certificate and what it says, typed: claims with their verdicts, values and places (certificates/FORMAT.md).

Loading a certificate checks that it is as it was written; `verify` says whether it is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property
from math import log, log2
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pomgcheck import statements
from pomgcheck.errors import InputError, Refused
from pomgcheck.evidence import ClaimPlace, ClaimProof
from pomgcheck.kernel.case import Rejected
from pomgcheck.kernel.check import FORMAT, read_certificate
from pomgcheck.kernel.reading import Malformed, rational, read_json
from pomgcheck.options import Options
from pomgcheck.outline import Outline
from pomgcheck.stored import Stored, entry, presented, read_bytes, told_apart

__all__ = [
    "FORMAT",
    "Certificate",
    "RecordedClaim",
    "Enclosure",
    "Exact",
    "Logarithm",
    "Moved",
    "ClaimPlace",
    "ClaimProof",
    "Sensitivity",
    "Value",
    "Values",
]

VerdictWord = Literal["proved", "refuted", "vacuous", "declared", "unknown"]


class Exact(Fraction):
    """An exact number is a Fraction; ``float()`` gives the nearest float, and so does a format such as ``.3f``."""

    @property
    def exact(self) -> Fraction:
        """Return the number as a plain Fraction."""
        return Fraction(self)

    @property
    def lower(self) -> Fraction:
        """Return the number itself, since nothing about it is left open."""
        return self.exact

    upper = lower

    def __format__(self, spec: str) -> str:
        return formatted(self, spec)


class Logarithm(NamedTuple):
    """This is the natural logarithm of an exact positive number; ``float()`` gives it to about 15 digits."""

    of: Fraction

    def __float__(self) -> float:
        return log(self.of.numerator) - log(self.of.denominator)

    def __str__(self) -> str:
        return f"log({self.of})"

    def __format__(self, spec: str) -> str:
        return formatted(self, spec)


class Enclosure(NamedTuple):
    """This is a number that is known to lie from ``lower`` to ``upper``; ``float()`` gives the middle."""

    lower: Fraction
    upper: Fraction

    def __float__(self) -> float:
        return float((self.lower + self.upper) / 2)

    def __str__(self) -> str:
        return f"[{self.lower}, {self.upper}]"

    def __format__(self, spec: str) -> str:
        return formatted(self, spec)


def formatted(value: Value, spec: str) -> str:
    """Return a value as a format string asks: its text where it asks for nothing or for text, else its float."""
    text = spec[-1:] in ("", "s") or "." not in spec and spec[-1] in "<>^0123456789"  # ".3" cuts no text: it rounds
    return format(str(value), spec) if text else format(float(value), spec)


class Moved(NamedTuple):
    """This is what a bound becomes with one constant halved or doubled.

    ``first`` is the first T at which the bound is below D T, or ``None`` where no such T was found; ``at_T`` is the
    most that it is at the T asked for.
    """

    first: int | None
    at_T: Fraction


class Sensitivity(NamedTuple):
    """This is how one constant moves one bound.

    ``theorem`` is "3.3", "N", or "operators" for the bound by operators, which is computed and not proved and for
    which no first T is given. ``constant`` is its symbol, ``meaning`` what it stands for and ``value`` its value here.
    ``halved`` and ``doubled`` are ``None`` where the constant cannot take that value.
    """

    theorem: str
    constant: str
    meaning: str
    value: str
    here: Moved
    halved: Moved | None
    doubled: Moved | None

    @property
    def weight(self) -> float:
        """Return by how many doublings the first T moves at most; where that is not known, by how many the bound at T
        does."""
        moves = [each for each in (self.halved, self.doubled) if each is not None]
        if self.here.first is None or any(each.first is None for each in moves):
            return max(
                (abs(log2(each.at_T / self.here.at_T)) for each in moves if each.at_T and self.here.at_T), default=0
            )
        return max((abs(log2(each.first / self.here.first)) for each in moves if each.first), default=0)

    @property
    def moves(self) -> bool:
        """Return whether halving or doubling the constant moves the bound at all."""
        return any(each is not None and each != self.here for each in (self.halved, self.doubled))


Value = Exact | Logarithm | Enclosure


def value_of(written: Any, where: str) -> Value:
    """Return a value as a certificate writes it: ``"7/17"``, ``{"log_of": "6"}`` or ``{"lower": …, "upper": …}``.

    Raises ``Malformed`` for anything else."""
    if isinstance(written, Mapping) and set(written) == {"log_of"}:
        return Logarithm(rational(written["log_of"], where))
    if isinstance(written, Mapping) and set(written) == {"lower", "upper"}:
        return Enclosure(rational(written["lower"], where), rational(written["upper"], where))
    return Exact(rational(written, where))


@dataclass(frozen=True)
class Values(Mapping[str, Value]):
    """The constants are found by name, ``values.alpha_lower`` or ``values["alpha_lower"]``; ``written`` is their exact
    text.

    >>> values = pomgcheck.Certificate.load("certificates/patrol.cert.json").values
    >>> values.alpha_lower + 1, float(values.alpha_lower)
    (Fraction(24, 17), 0.4117647058823529)
    >>> values.B0_upper, float(values.B0_upper)
    (Logarithm(of=Fraction(36864, 22661)), 0.4865900798206386)
    """

    written: Mapping[str, Any]

    def __getitem__(self, name: str) -> Value:
        return value_of(self.written[name], name)

    def __getattr__(self, name: str) -> Value:
        if name.startswith("_") or name == "written":
            raise AttributeError(name)
        if name in self.written:
            return self[name]
        near = get_close_matches(name, self.written, 1)
        raise AttributeError(f"no value {name!r}" + (f"; did you mean {near[0]!r}?" if near else ""))

    def fraction(self, name: str, otherwise: int | None = None) -> Fraction:
        """Return the exact number of that name, or ``otherwise`` where there is none.

        Raises ``TypeError`` where the value is a logarithm or an enclosure.
        """
        if otherwise is not None and name not in self.written:
            return Fraction(otherwise)
        value = self[name]
        if not isinstance(value, Exact):
            raise TypeError(f"{name} is {value}, which is not an exact number")
        return value.exact

    def log_of(self, name: str) -> Fraction:
        """Return the number that the value of that name is the logarithm of; raise ``TypeError`` where it is none."""
        value = self[name]
        if not isinstance(value, Logarithm):
            raise TypeError(f"{name} is {value}, which is not a logarithm")
        return value.of

    def __iter__(self) -> Iterator[str]:
        return iter(self.written)

    def __len__(self) -> int:
        return len(self.written)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.written]

    def __repr__(self) -> str:
        return f"Values({', '.join(f'{name}={value}' for name, value in self.items())})"


@dataclass(frozen=True)
class RecordedClaim:
    """A claim of a certificate has what is said, how it ended, and the constants that were found.

    ``id`` is the name of the claim (``weak-revealing``), ``paper`` the statement it belongs to, ``verdict`` one of
    ``proved``, ``refuted``, ``vacuous``, ``declared`` and ``unknown``, ``statement`` its sentence for this class,
    ``values`` its constants, and ``place`` the counterexample's, where it is refuted.
    """

    document: Mapping[str, Any] = field(repr=False)
    id: str
    paper: str
    verdict: VerdictWord
    statement: str = field(repr=False)
    values: Values

    @classmethod
    def of(cls, entry: Mapping[str, Any], certificate: Mapping[str, Any]) -> RecordedClaim:
        """Return the claim in an entry of a certificate's list, with its sentence for this class and these options."""
        return cls(
            entry,
            entry["id"],
            entry["paper"],
            entry["verdict"],
            statements.of(entry["id"], certificate["model"], certificate["options"]),
            Values(entry["values"]),
        )

    @property
    def number(self) -> str:
        """Return the number of the statement in the paper, such as ``3.1(e)``."""
        return self.paper.split()[-1]

    @property
    def evidence(self) -> Mapping[str, Any]:
        """Return what the kernel checks of a proof, by its ``rule``; empty where there is none."""
        return self.document["evidence"] or {}

    @cached_property
    def proof(self) -> ClaimProof:
        """Return the parts of the evidence that are told, typed; raise ``Malformed`` where they have another shape."""
        return ClaimProof.of(self.evidence, f"{self.id}.evidence")

    @cached_property
    def place(self) -> ClaimPlace | None:
        """Return the place of the counterexample, ``None`` where there is none; raise ``Malformed`` where it has another
        shape."""
        return entry(ClaimPlace, self.witness, f"{self.id}.witness") if self.witness else None

    @property
    def witness(self) -> Mapping[str, Any]:
        """Return the whole counterexample; empty where there is none."""
        return self.document["witness"] or {}

    @property
    def search(self) -> Mapping[str, Any]:
        """Return what the search says about itself; no verdict rests on this."""
        found: Mapping[str, Any] = self.document["search"]
        return found

    @property
    def settled(self) -> bool:
        """Return whether nothing is left open: the claim is proved, holds vacuously, or was declared."""
        return self.verdict in ("proved", "vacuous", "declared")

    @property
    def method(self) -> str:
        """Return how the search settled it; no verdict rests on this."""
        return str(self.document["search"].get("method", ""))

    @property
    def seconds(self) -> float:
        """Return how long the search took, in seconds; no verdict rests on this."""
        return float(self.document["search"].get("seconds", "0"))


class Certificate(Stored):
    """A certificate is kept as it was written: ``document`` is its JSON, in which every number is exact text.

    >>> certificate = pomgcheck.Certificate.load("certificates/patrol.cert.json")
    >>> certificate.claims["weak-revealing"].verdict
    'proved'
    >>> certificate.values.alpha_lower
    Exact(7, 17)
    """

    @classmethod
    def load(cls, path: str | Path) -> Certificate:
        """Read a certificate and check its shape and digests; its claims are checked by the kernel (`verify`).

        Raises ``InputError`` for a file that is not a certificate, and ``Refused`` for one that is not as it was
        written.
        """
        data = read_bytes(path, "a certificate")
        try:
            return cls(read_certificate(read_json(data)))
        except Malformed as error:
            told_apart(path, data, "certificate")
            told = InputError(error.where, error.found, error.required, "give a certificate")
            raise told.inside(str(path)) from None
        except Rejected as error:
            fix = "the file is not as it was written; certify again"
            raise Refused(f"{error.claim} {error.rule}", error.found, error.required, fix).inside(str(path)) from None

    @property
    def covered(self) -> dict[str, Any]:
        """Return everything except what the search says about itself, such as the seconds it took."""
        claims = [{key: value for key, value in entry.items() if key != "search"} for entry in self.entries.values()]
        return {key: value for key, value in self.document.items() if key != "tool"} | {"claims": claims}

    @property
    def name(self) -> str:
        """Return the name of the class."""
        return str(self.document["model"]["name"])

    @property
    def model_sha256(self) -> str:
        """Return the SHA-256 of the class, in canonical form."""
        return str(self.document["model_sha256"])

    @property
    def readings(self) -> tuple[str, ...]:
        """Return how the paper was read where it leaves a choice, by id."""
        return tuple(self.document["readings"])

    @cached_property
    def options(self) -> Options:
        """Return the options with which the claims were asked; they are read once, as ``claims`` are."""
        return Options.of(self.document["options"])

    @property
    def certified(self) -> bool:
        """Return whether no claim is refuted or unknown."""
        return bool(self.document["summary"]["certified"])

    @property
    def playable(self) -> bool:
        """Return whether the class says which of its models is true, so that it can be run."""
        return "truth" in self.document["model"]

    @property
    def model(self) -> Mapping[str, Any]:
        """Return the class, as its canonical document."""
        found: Mapping[str, Any] = self.document["model"]
        return found

    @cached_property
    def outline(self) -> Outline:
        """Return the class without its tables, typed."""
        return Outline.of(self.document["model"])

    @cached_property
    def claims(self) -> dict[str, RecordedClaim]:
        """Return the claims by id, in the paper's order, as ``document`` had them when they were first asked for: an
        edited document wants a new ``Certificate``."""
        return {entry["id"]: RecordedClaim.of(entry, self.document) for entry in self.document["claims"]}

    @property
    def entries(self) -> dict[str, dict[str, Any]]:
        """Return the claims by id as the file has them, with evidence and witness."""
        return {entry["id"]: entry for entry in self.document["claims"]}

    @property
    def values(self) -> Values:
        """Return all constants by name."""
        return Values({name: value for entry in self.document["claims"] for name, value in entry["values"].items()})

    @property
    def refuted(self) -> tuple[str, ...]:
        """Return the ids of the claims that are refuted."""
        return tuple(claim.id for claim in self.claims.values() if claim.verdict == "refuted")

    @property
    def counts(self) -> dict[str, int]:
        """Return how many claims ended with each verdict, the verdicts in the order in which they first occur."""
        verdicts = [claim.verdict for claim in self.claims.values()]
        return {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}

    @property
    def exit_code(self) -> int:
        """Return the exit code of ``certify``: 0 certified, 1 something refuted, 3 something unknown; the claim
        ``regret`` is not owed for a certificate."""
        verdicts = {claim.verdict for claim in self.claims.values() if claim.id != "regret"}
        return 1 if "refuted" in verdicts else 3 if "unknown" in verdicts else 0

    def explain(self, claim: str | None = None, *, episodes: int | None = None) -> str:
        """Return the claim with the id ``claim`` in words, or all claims where that is ``None``.

        ``episodes`` is the T at which the bound is walked through, if it is not the certificate's.

        Raises ``InputError`` for an id that is not there.
        """
        return presented().explain(self, claim, episodes=episodes)

    def sensitivity(self, *, episodes: int | None = None) -> tuple[Sensitivity, ...]:
        """Return how the proved bounds on the policy regret move where one constant is halved or doubled.

        The bounds are taken at T = ``episodes``, or at the certificate's T where that is ``None``. For every constant
        the result has its symbol and value, the first T at which the bound says something, and the bound at T: as they
        are, halved and doubled. For each bound the constant that moves it most stands first.
        """
        return presented().sensitivity(self, episodes=episodes)

    def __repr__(self) -> str:
        counted = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items())
        state = "certified" if self.certified else "not certified"
        return f"Certificate({self.name}: {state}; {counted}; sha256 {self.sha256[:12]}…)"
