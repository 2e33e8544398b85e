"""Inequalities proved over their whole range, by machine: polynomials, derivatives, and a decision procedure."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy as sp
import z3

from pomgcheck.kernel.logarithms import log_enclosure


def nonnegative(polynomial: Any, **starts: int) -> bool:
    """Whether a polynomial is at least 0 wherever every variable is at least its start: shifted to there, it has
    no negative coefficient (sufficient, not necessary)."""
    shifted = polynomial.subs({sp.Symbol(name): sp.Symbol(name) + start for name, start in starts.items()})
    coefficients = sp.Poly(sp.expand(shifted), *(sp.Symbol(name) for name in starts)).coeffs()
    return all(c >= 0 for c in coefficients)


def rises_from_zero(f: Any, y: Any, order: int) -> bool:
    """Whether f >= 0 for all y >= 0: f and its derivatives below ``order`` vanish at 0, the next is nowhere negative.

    ``y`` is a symbol that sympy knows to be nonnegative."""
    derivatives = [sp.simplify(sp.diff(f, y, k)) for k in range(order + 1)]
    return all(sp.simplify(d.subs(y, 0)) == 0 for d in derivatives[:-1]) and bool(derivatives[-1].is_nonnegative)


def implied(conclusion: Any, *premises: Any) -> bool:
    """Whether the premises imply the conclusion for all real values: no counterexample exists."""
    solver = z3.Solver()
    solver.add(*premises, z3.Not(conclusion))
    return bool(solver.check() == z3.unsat)


def reals(names: str) -> Any:
    """Real variables of z3."""
    return z3.Reals(names)


def number(x: Fraction | int) -> Any:
    """An exact number as z3 reads it."""
    return z3.RealVal(str(x))


def log_ends(x: Fraction | int) -> tuple[Fraction, Fraction]:
    """Rationals around log x."""
    low, high = log_enclosure(Fraction(x), 128)
    return Fraction(low, 2**128), Fraction(high, 2**128)
