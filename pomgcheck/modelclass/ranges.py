"""Decides exactly, over a whole class, that a divisor never vanishes and an entry never leaves [0,1].

Finite parameters are enumerated, intervals and their constraints decided by the Bernstein form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from math import prod

from pomgcheck.errors import GaveUp, InputError
from pomgcheck.modelclass.bernstein import MAX_PIECES, Sign, Terms, decide, middle, some_point
from pomgcheck.modelclass.expressions import Expression, Polynomial, Quotient, polynomial_text
from pomgcheck.modelclass.fields import describe
from pomgcheck.modelclass.parameters import ParameterCell, Parameters, show

LONGEST = 60  # letters of an expression that an error quotes whole
HULL_PIECES = 16  # examined before the points and cells of a class are gone through


class RangeChecks:
    """This decides questions over the parameter set ``parameters``; each distinct polynomial is decided once."""

    def __init__(self, parameters: Parameters, pieces: int = MAX_PIECES) -> None:
        self.parameters, self.pieces = parameters, pieces
        self._nonzero: set[str] = set()
        self._nonnegative: set[str] = set()

    def check_divisors(self, expression: Expression, spelled: str, where: str) -> None:
        """Refuse ``expression`` unless all that its spelling divides by is nonzero on the class."""
        for divisor in expression.divisors:
            for factor, _ in divisor.factor()[1]:  # a product is zero where a factor is
                text = polynomial_text(factor)
                if text not in self._nonzero:
                    self._check_nonzero(factor, text, spelled, where)
                    self._nonzero.add(text)

    def _check_nonzero(self, divisor: Polynomial, text: str, spelled: str, where: str) -> None:
        names, terms = _restricted(divisor)
        if self._definite(terms, self.parameters.hull(names)):
            return
        required = "a divisor that is nonzero on the whole class"
        for cell in self.parameters.cells(names):
            start = some_point(cell)
            first = _at(terms, names, start)
            if first == 0:
                raise InputError(where, _vanishing(spelled, text, f"zero at {_show(start, names)}"), required)
            if not cell.polytopes:
                continue
            goal = _scaled(_substituted(terms, names, cell), 1 if first > 0 else -1)
            answer = decide(goal, cell, strict=True, pieces=self.pieces)
            if answer.holds is None:
                raise GaveUp(
                    where,
                    f"no decision whether {text} vanishes near {_near(answer.point, names)}",
                    required,
                    "narrow the intervals or write the divisor in a simpler form",
                )
            if not answer.holds:
                spot = _show(answer.point, names)
                apart = f"zero between {_show(start, names)} and {spot}, where its signs differ"
                zero = apart if answer.value else f"zero at {spot}"
                raise InputError(where, _vanishing(spelled, text, zero), required)

    @staticmethod
    def _definite(terms: Terms, hull: ParameterCell) -> int:
        """Return the strict sign of a polynomial on the hull, or 0 if none is seen at once."""
        for sign in (1, -1):
            if decide(_scaled(terms, sign), hull, strict=True, pieces=HULL_PIECES).holds:
                return sign
        return 0

    def check_nonnegative(self, expression: Expression, spelled: str, where: str) -> None:
        """Refuse ``expression`` (whose divisors are nonzero on the class) if it is negative somewhere on the class."""
        value = expression.value
        required = "an entry in [0,1] on the whole class"
        if isinstance(value, Fraction):
            if value.numerator < 0:
                raise InputError(where, f"the entry {describe(spelled)} = {value}", required)
        elif expression.text not in self._nonnegative:
            names = tuple(sorted(_names(value.num) | _names(value.den)))
            for answer in self._signs(value, names):
                if answer.holds is None:
                    found = f"no decision whether {expression.text} is negative near {_near(answer.point, names)}"
                    raise GaveUp(where, found, required, "narrow the intervals or write the entry in a simpler form")
                if not answer.holds:
                    spot = {name: answer.point[name] for name in names}
                    found = f"the entry {describe(spelled)}, which is {evaluated(value, spot)} at {show(spot)}"
                    raise InputError(where, found, required)
            self._nonnegative.add(expression.text)

    def apart(self, expression: Expression) -> str:
        """Return an expression that is not 1 as an error quotes it: whole, or where it is long by its value at a model at
        which it is not 1, or by its first terms where every model tried makes it 1."""
        value = expression.value
        if len(expression.text) <= LONGEST:
            return expression.text
        if isinstance(value, Fraction):
            return _rounded(value)
        names = tuple(sorted(_names(value.num) | _names(value.den)))
        for cell in islice(self.parameters.cells(names), self.pieces):
            for point in (some_point(cell), middle(cell)):
                at = evaluated(value, point)
                if at != 1:
                    number = str(at) if len(str(at)) <= LONGEST else _rounded(at)
                    return f"{number} at {show({name: point[name] for name in names})}"
        return f"{expression.text[:LONGEST]}..., of degree {value.num.total_degree()}"

    def _signs(self, value: Quotient, names: Sequence[str]) -> Iterator[Sign]:
        """Yield whether N/D >= 0 on each cell, where D has one sign because a cell is connected."""
        num, den, odd = (_restricted(p, names)[1] for p in (value.num, value.den, _odd_part(value.num)))
        hull = self.parameters.hull(names)
        sign = self._definite(den, hull)
        if sign and decide(_scaled(odd, sign), hull, strict=False, pieces=HULL_PIECES).holds:
            return  # clear at once, with no need to go through the points of a finite class
        for cell in self.parameters.cells(names):
            sign = 1 if _at(den, names, some_point(cell)) > 0 else -1
            if not cell.polytopes:
                low = sign * _at(num, names, cell.point)
                yield Sign(low >= 0, cell.point, low)
                continue
            truth, goal = (_scaled(_substituted(terms, names, cell), sign) for terms in (num, odd))
            yield decide(goal, cell, strict=False, pieces=self.pieces, truth=truth)


def _rounded(value: Fraction) -> str:
    """Return a number that is not 1, and too long to read, in six digits, or by how far it is from 1."""
    near = f"{Decimal(value.numerator) / value.denominator:.6g}"
    return f"about {near}" if Decimal(near) != 1 else f"1{Decimal((value - 1).numerator) / value.denominator:+.3g}"


def _vanishing(spelled: str, divisor: str, zero: str) -> str:
    by = "which" if spelled == divisor else f"whose divisor {divisor}"
    return f"{describe(spelled)}, {by} is {zero}"


def _show(point: Mapping[str, Fraction], names: Sequence[str]) -> str:
    return show({name: point[name] for name in names})


def _near(point: Mapping[str, Fraction], names: Sequence[str]) -> str:
    """Return the point in decimals: after many halvings its fractions are too long to read."""
    return ", ".join(f"{name} = {float(point[name]):.6g}" for name in names)


def _odd_part(p: Polynomial) -> Polynomial:
    """Return a polynomial of the sign of ``p`` wherever it is not zero, without the even powers of ``p``.

    A double root inside a cell would never be resolved by halving.
    """
    unit, factors = p.factor_squarefree()
    start = p.context().constant(1 if unit > 0 else -1)
    return prod((factor for factor, power in factors if power % 2), start=start)


# -------------------------------------------------------------------------------------- polynomials


def _names(p: Polynomial) -> set[str]:
    return set(p.context().names()) - set(p.unused_gens())


def _restricted(p: Polynomial, names: Sequence[str] | None = None) -> tuple[tuple[str, ...], Terms]:
    """Return the parameters that occur in ``p`` (or ``names``, which hold them all), and its terms over those."""
    ring = p.context().names()
    used = [k for k, name in enumerate(ring) if name in (_names(p) if names is None else names)]
    return tuple(ring[k] for k in used), {tuple(int(e[k]) for k in used): Fraction(int(c)) for e, c in p.terms()}


def _scaled(terms: Terms, sign: int) -> Terms:
    return terms if sign > 0 else {e: -c for e, c in terms.items()}


def _at(terms: Terms, names: Sequence[str], point: Mapping[str, Fraction]) -> Fraction:
    values = [point[name] for name in names]
    return sum(
        (prod((v**k for v, k in zip(values, e, strict=True) if k), start=c) for e, c in terms.items()), Fraction(0)
    )


def evaluated(value: Quotient, point: Mapping[str, Fraction]) -> Fraction:
    """Return N/D at ``point``."""
    (names, num), (den_names, den) = _restricted(value.num), _restricted(value.den)
    return _at(num, names, point) / _at(den, den_names, point)


def _substituted(terms: Terms, names: Sequence[str], cell: ParameterCell) -> Terms:
    """Return the polynomial over the coordinates of the cell's polytopes, its finite parameters put in."""
    places = {name: k for k, name in enumerate(n for body in cell.polytopes for n in body.names)}
    result: Terms = {}
    for exponents, coefficient in terms.items():
        left = [0] * len(places)
        for name, exponent in zip(names, exponents, strict=True):
            if name in places:
                left[places[name]] = exponent
            else:
                coefficient = coefficient * cell.point[name] ** exponent
        result[tuple(left)] = result.get(tuple(left), Fraction(0)) + coefficient
    return {e: c for e, c in result.items() if c}
