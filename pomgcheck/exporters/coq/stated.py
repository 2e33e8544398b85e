"""Has what a claim is in Coq: theorems with their proofs, the definitions before them, and what they leave out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.case import Case
from pomgcheck.kernel.facts import Facts

CHECKED = "vm_cast_no_check (eq_refl true)"  # the kernel computes the check once, at Qed
REFUTED = "vm_cast_no_check (eq_refl false)"
Entry = Mapping[str, Any]


@dataclass(frozen=True)
class CoqTheorem:
    """A theorem of a generated file has its name, what it says, and the tactics that prove it."""

    name: str
    statement: str
    proof: str

    def __str__(self) -> str:
        return f"Theorem {self.name} :\n  {self.statement}.\nProof. {self.proof}. Qed.\n"


def proved(*theorems: CoqTheorem) -> str:
    """Return the theorems, and one question what all of them rest on: an answer over the reals takes seconds."""
    names = ", ".join(theorem.name for theorem in theorems)
    return f"{''.join(map(str, theorems))}Definition theorems := ({names}).\nPrint Assumptions theorems.\n"


@dataclass(frozen=True)
class Stated:
    """A claim in Coq is its theorems with the definitions before them and the files of ``formal/`` that they need.

    ``says`` is what they say, for a table; ``left`` is what they leave out of the claim. A claim without theorems is
    left out whole.
    """

    claim: str
    verdict: str
    theorems: tuple[CoqTheorem, ...] = ()
    says: str = ""
    left: str = ""
    requires: tuple[str, ...] = ()
    definitions: str = ""
    imports: str = ""

    @property
    def module(self) -> str:
        """Return the name of its file, without the ending."""
        return self.claim.replace("-", "_")


@dataclass(frozen=True)
class Subject:
    """This is what the statements are made of: the facts of the class, and the claim's entry in the certificate with
    those that it rests on."""

    facts: Facts
    entry: Entry
    settled: Mapping[str, Entry]
    term: str = "model"  # the name of the class in the file

    @property
    def case(self) -> Case:
        """Return the claim as the kernel reads its places."""
        return Case(self.facts, self.entry["id"], self.entry["values"])

    @property
    def some(self) -> bool:
        """Whether these are some models of a class with interval axes, of which only what one of them shows is asked."""
        return self.term != "model"

    @property
    def window(self) -> bool:
        """Return whether the certificate's predictive states are those of Statements.v, over windows."""
        return not self.facts.space.history

    def value(self, name: str) -> Fraction:
        """Return an exact value of the claim, or what it is the logarithm of."""
        value = self.entry["values"][name]
        return Fraction(value["log_of"] if isinstance(value, dict) else value)

    def stated(self, *theorems: CoqTheorem, says: str, **rest: Any) -> Stated:
        """Return the claim with theorems."""
        return Stated(self.entry["id"], self.entry["verdict"], theorems, says, **rest)

    def left(self, why: str) -> Stated:
        """Return the claim without any theorems."""
        return Stated(self.entry["id"], self.entry["verdict"], left=why)


def rounded(x: Fraction, to: str) -> Decimal:
    """Return six digits of a number, rounded to the safe side."""
    return Context(prec=6, rounding=to).divide(Decimal(x.numerator), Decimal(x.denominator))
