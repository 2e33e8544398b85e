"""The inequalities of a certificate as SMT-LIB 2, each negated, so that any solver may look for a counterexample."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.claims import Facts
from pomgcheck.kernel.continua import Goal
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.intervals import BOX
from pomgcheck.kernel.polynomials import Polynomial, names
from pomgcheck.kernel.rules import Case


def obligations(certificate: Mapping[str, Any]) -> dict[str, list[Goal]]:
    """Claim -> the inequalities that rule ``box`` shows for it, as the kernel states them from the model; the claims of
    a finite class are decided by evaluation and have none.  The kernel checks each claim on the way."""
    game = Game(certificate["model"])
    if game.finite:
        return {}
    facts = Facts(game, read_options(certificate["options"], game))
    found: dict[str, list[Goal]] = {}
    for claim in certificate["claims"]:
        if claim["verdict"] == "proved" and (claim["evidence"] or {}).get("rule") == "box":
            case = Case(facts, claim["id"], claim["values"], goals=[])
            BOX[claim["id"]].check(case, facts.continuum, claim["evidence"])
            found[claim["id"]] = case.goals or []
    return found


def script(goal: Goal, claim: str) -> str:
    """A script that is satisfiable exactly where the goal fails: ``unsat`` is expected."""
    used = sorted({*goal.region.box, *names(goal.polynomial)})
    degree = max((len(key) for key in goal.polynomial), default=0)
    lines = [
        f"; {claim}: {goal.statement()}",
        f"(set-logic {'QF_LRA' if degree <= 1 else 'QF_NRA'})",
        "(set-info :status unsat)",
        *(f"(declare-const {name} Real)" for name in used),
        *(f"(assert (<= {numeral(low)} {name} {numeral(high)}))" for name, (low, high) in goal.region.box.items()),
        *(f"(assert (>= {expression(c)} 0.0))" for c in goal.region.constraints),
        f"(assert ({'<=' if goal.strict else '<'} {expression(goal.polynomial)} 0.0))",
        "(check-sat)",
    ]
    return "\n".join(lines) + "\n"


def expression(p: Polynomial) -> str:
    """A polynomial in prefix form."""
    sized = [(key, numeral(Fraction(p[key]))) for key in sorted(p)]
    terms = [f"(* {size} {' '.join(key)})" if key else size for key, size in sized]
    return f"(+ {' '.join(terms)})" if len(terms) > 1 else "".join(terms) or "0.0"


def numeral(x: Fraction) -> str:
    """An exact number."""
    size = f"{abs(x.numerator)}.0" if x.denominator == 1 else f"(/ {abs(x.numerator)}.0 {x.denominator}.0)"
    return size if x >= 0 else f"(- {size})"
