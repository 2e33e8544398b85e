"""Writes the language SMT-LIB 2: terms with arithmetic, and a script that is put together piece by piece."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.polynomials import Inverse, Polynomial, names

WIDTH = 110  # of a comment


class Term(str):
    """This is a term of sort Real; sums and products with numbers and terms are kept unexpanded."""

    def __add__(self, other: Any) -> Any:
        return self if other == 0 else Term(f"(+ {self} {written(other)})")

    def __mul__(self, other: Any) -> Any:
        if other in (0, 1):
            return self if other else Fraction(0)
        return Term(f"(* {written(other)} {self})")

    __radd__, __rmul__ = __add__, __mul__


def written(x: Any) -> str:
    """Return a term or an exact number."""
    return x if isinstance(x, str) else numeral(Fraction(x))


def total(terms: Iterable[Any]) -> Any:
    """Return a sum with its numbers added up; an empty sum is the number 0."""
    found = list(terms)
    number = sum((Fraction(x) for x in found if not isinstance(x, Term)), Fraction(0))
    parts = [x for x in found if isinstance(x, Term)] + ([number] if number else [])
    if len(parts) > 1:
        return Term(f"(+ {' '.join(map(written, parts))})")
    return parts[0] if parts else number


def numeral(x: Fraction) -> str:
    """Return an exact number as SMT-LIB writes it."""
    size = f"{abs(x.numerator)}.0" if x.denominator == 1 else f"(/ {abs(x.numerator)}.0 {x.denominator}.0)"
    return size if x >= 0 else f"(- {size})"


def symbol(name: str) -> Term:
    """Return a name as SMT-LIB writes it."""
    return Term(name if re.fullmatch(r"[A-Za-z_.][A-Za-z0-9_.]*", name) else f"|{name}|")


def expression(p: Polynomial) -> Any:
    """Return a polynomial in prefix form, or the number that it is."""
    return total(
        Term(f"(* {numeral(Fraction(c))} {' '.join(map(symbol, key))})") if key else Fraction(c)
        for key, c in sorted(p.items())
    )


class Script:
    """A script asks for the negation of an obligation: a solver is expected to answer ``unsat``."""

    def __init__(self, logic: str, *sentences: str) -> None:
        """Begin a script; ``sentences`` are the comment at its head, with one paragraph each."""
        comment = [line for text in sentences for line in textwrap.wrap(text, WIDTH, break_long_words=False)]
        self.lines = [*(f"; {line}" for line in comment), f"(set-logic {logic})", "(set-info :status unsat)"]
        self.count = 0

    def real(self, name: str) -> Term:
        """Return an unknown."""
        self.lines.append(f"(declare-const {symbol(name)} Real)")
        return symbol(name)

    def ranges(self, box: Mapping[str, tuple[Fraction, Fraction]]) -> None:
        """Declare unknowns, each between two numbers."""
        for name in sorted(box):
            low, high = map(numeral, box[name])
            self.asserted(f"(<= {low} {self.real(name)} {high})")

    def inverses(self, polynomials: Iterable[Polynomial]) -> None:
        """Declare an unknown for every divisor: its inverse."""
        for name in names(*polynomials):
            if isinstance(name, Inverse):
                self.asserted(f"(= 1.0 (* {self.real(name)} {expression(name.divisor)}))")

    def nonnegative(self, polynomials: Iterable[Polynomial]) -> None:
        """Assert what is known of the unknowns: these polynomials are not negative."""
        for p in polynomials:
            self.asserted(f"(>= {written(expression(p))} 0.0)")

    def named(self, term: Any, name: str = "") -> Any:
        """Return an unknown that equals the term, which is used more than once; a name already is one, and so is a
        number.

        A definition would be put in for its name, and solvers multiply out what they are given.
        """
        if not name:
            if not isinstance(term, Term) or not term.startswith("("):
                return term
            self.count += 1
            name = f"f{self.count}"
        self.asserted(f"(= {self.real(name)} {written(term)})")
        return Term(name)

    def quotient(self, numerator: Any, divisor: Any, positive: bool) -> Any:
        """Return an unknown that equals the quotient.

        Unless the divisor is known to be ``positive``, the unknown is 0 where the divisor is, and then so must be the
        numerator.
        """
        if not isinstance(divisor, Term):
            return numerator * (1 / divisor)
        self.count += 1
        ratio = self.real(f"r{self.count}")
        equal = f"(= (* {ratio} {divisor}) {written(numerator)})"
        if positive:
            self.asserted(f"(> {divisor} 0.0)")
            self.asserted(equal)
        else:
            vanishes = "" if numerator == 1 else f" (= {written(numerator)} 0.0)"
            self.asserted(f"(ite (> {divisor} 0.0) {equal} (and (= {ratio} 0.0){vanishes}))")
        return ratio

    def size(self, term: Any) -> Any:
        """Return |term|."""
        if not isinstance(term, Term):
            return abs(term)
        short = self.named(term)
        return Term(f"(ite (>= {short} 0.0) {short} (- {short}))")

    def asserted(self, formula: str) -> None:
        """Assert a formula."""
        self.lines.append(f"(assert {formula})")

    def __str__(self) -> str:
        return "\n".join([*self.lines, "(check-sat)"]) + "\n"
