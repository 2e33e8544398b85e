"""The inequalities of a certificate as SMT-LIB 2, each negated, so that any solver may look for a counterexample."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.claims import Facts
from pomgcheck.kernel.continua import Goal
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.intervals import BOX
from pomgcheck.kernel.polynomials import Inverse, Polynomial, names
from pomgcheck.kernel.revealing import Question, questions
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


def scripts(certificate: Mapping[str, Any]) -> dict[str, list[str]]:
    """Claim -> its scripts: the inequalities of rule ``box``, and Assumption 2.4 itself where ``pairs`` shows it."""
    found = {claim: [script(goal, claim) for goal in goals] for claim, goals in obligations(certificate).items()}
    game = Game(certificate["model"])
    for claim in certificate["claims"] if found else ():
        if claim["id"] == "weak-revealing" and claim["verdict"] == "proved":
            options = read_options(certificate["options"], game)
            joint, continuum = options["weak_revealing"]["form"] == "joint", Facts(game, options).continuum
            asked = questions(continuum, options["kappa"], not joint)
            alpha = Fraction(claim["values"]["alpha_lower"])
            found[claim["id"]] = [revealing(question, alpha, joint) for question in asked]
    return found


def revealing(question: Question, alpha: Fraction, joint: bool) -> str:
    """A script that is satisfiable exactly where two models of a chart and a state q have a ratio below alpha; both
    sides are divided by the difference of the models, so that the diagonal is asked about as well."""
    chart, entries, columns = question.chart, question.entries.polynomials, question.columns
    symbols = sorted({x for pair in entries for p in pair for x in names(p) if isinstance(x, Inverse)})
    terms: list[str] = []

    def defined(text: str) -> str:
        terms.append(f"(define-fun f{len(terms)} () Real {text})")
        return f"f{len(terms) - 1}"

    def at_q(numbers: list[int | None], side: int) -> str:
        """sum_j q_j x_j for the entries of those numbers, the tables' own (0) or their quotients (1)."""
        parts = [f"(* q{j} {expression(entries[k][side])})" for j, k in enumerate(numbers) if k is not None]
        return defined(f"(+ 0.0 {' '.join(parts)})")

    def size(text: str) -> str:
        return f"(ite (>= {text} 0.0) {text} (- {text}))"

    Z, dZ = (at_q([Z for Z, _, _ in columns], side) for side in (0, 1))
    later = defined(f"(+ {Z} (* t {dZ}))")
    signal, changed = [], []
    for window in sorted({w for _, M, _ in columns for w in M}):
        M, dM = (at_q([column[1].get(window) for column in columns], side) for side in (0, 1))
        signal.append(size(dM if joint else defined(f"(- (* {M} {dZ}) (* {dM} {Z}))")))
    for place in sorted({v for _, _, W in columns for v in W}):
        changed.append(size(at_q([column[2].get(place) for column in columns], 1)))
    bound = f"(* {numeral(alpha)} {'1.0 1.0' if joint else f'{Z} {later}'} (+ 0.0 {' '.join(changed)}))"
    step = "1.0" if chart.step is None else f"(- {symbol(chart.step[0])} {symbol(chart.step[1])})"
    q = [f"q{j}" for j in range(len(columns))]
    lines = [
        "; weak-revealing: the ratio of Assumption 2.4 is below alpha_lower",
        "(set-logic QF_NRA)",
        "(set-info :status unsat)",
        *(f"(declare-const {symbol(name)} Real)" for name in [*sorted(chart.box), *symbols]),
        *(f"(declare-const {name} Real)" for name in q),
        f"(define-fun t () Real {step})",
        *(f"(assert (= 1.0 (* {symbol(x)} {expression(x.divisor)})))" for x in symbols),
        *(f"(assert (<= {numeral(low)} {symbol(name)} {numeral(high)}))" for name, (low, high) in chart.box.items()),
        *(f"(assert (>= {expression(c)} 0.0))" for c in chart.constraints),
        *(f"(assert (>= {name} 0.0))" for name in q),
        f"(assert (= 1.0 (+ 0.0 {' '.join(q)})))",
        *terms,
        *([] if joint else [f"(assert (> {Z} 0.0))", f"(assert (> {later} 0.0))"]),
        f"(assert (< (+ 0.0 {' '.join(signal)}) {bound}))",
        "(check-sat)",
    ]
    return "\n".join(lines) + "\n"


def symbol(name: str) -> str:
    """A name as SMT-LIB writes it."""
    return name if re.fullmatch(r"[A-Za-z_.][A-Za-z0-9_.]*", name) else f"|{name}|"


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
    terms = [f"(* {size} {' '.join(map(symbol, key))})" if key else size for key, size in sized]
    return f"(+ {' '.join(terms)})" if len(terms) > 1 else "".join(terms) or "0.0"


def numeral(x: Fraction) -> str:
    """An exact number."""
    size = f"{abs(x.numerator)}.0" if x.denominator == 1 else f"(/ {abs(x.numerator)}.0 {x.denominator}.0)"
    return size if x >= 0 else f"(- {size})"
