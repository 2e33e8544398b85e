"""Has the lines of both routes to the explicit bound: their formulas, their numbers, and formulas with the numbers put
in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from pomgcheck.kernel.bound import SIXTEENTHS, Lines, Premises, Radius, filled, freedman, sharp, union
from pomgcheck.kernel.enclosures import interval, root


class BoundLine(NamedTuple):
    """A line of a route has its sign, its formula, its name among the numbers, and whether it is a sum to be done with
    the numbers of the lines before it; what is not may be in words, with formulas between dollars."""

    sign: str
    formula: str
    name: str
    calculated: bool = True


OPENING, CLOSING, FUNCTIONS = ("(", "{", "√", "⌈"), (")", "}", "⌉"), ("log_2", "log", "max", "min")


def substituted(formula: str, known: Mapping[str, str]) -> str:
    """Return a formula with its signs replaced by their numbers; products of numbers are joined by dots."""
    words = "|".join(map(re.escape, sorted([*known, *FUNCTIONS], key=len, reverse=True)))  # "log N" before "log"
    tokens = re.findall(rf"{words}|\^\d|\d+|\S", formula)
    out, last, run = "", "", list[str]()

    def flushed(out: str, last: str) -> str:
        text = "·".join(run)
        run.clear()
        return out + (f"({text})" if "·" in text and last in ("/", "log", "log_2") else text)

    for token in tokens:
        value = known.get(token, token if token.isdigit() else "")
        if value:
            mantissa, _, power = value.partition("e")
            run.append(f"{mantissa}·10^{{{power}}}" if power else value)
            out += "·" * (len(run) == 1 and last in CLOSING) + " " * (len(run) == 1 and last in FUNCTIONS)
            continue
        if run and token.startswith("^"):
            run[-1] += token
            continue
        if run:
            out, last = flushed(out, last), "value"
        factor = token in OPENING or token in FUNCTIONS
        out += "·" * (factor and (last == "value" or last in CLOSING))
        out += {"+": " + ", "−": " − ", ",": ", "}.get(token, token)
        last = token
    return flushed(out, last)


def paper_lines(p: Premises) -> list[BoundLine]:
    """Return the route of the paper's proof, by operators and Eluder dimensions, with the bin lemma."""
    nets = p.covering is not None
    u = "(log(8/δ) + m B_0)" if nets else "(u + m B_0)"
    return [
        BoundLine("u", "log N + log(4(ℓ+1)(ℓ+2)/δ)" if nets else "log N + log(8/δ)", "u"),
        BoundLine("Q_T", "the evidence against one model, as above", "model_evidence", calculated=False),
        BoundLine("Q_W", "H Q_T/c^W_{KL}", "Q_W"),
        BoundLine("Q_G", "2H Q_T (1/c^J_{KL} + 1/c^W_{KL})", "Q_G"),
        BoundLine("A_W", "2√(d^W Q_W T)" if p.d_W else "1/2", "A_W"),
        BoundLine("A_G", "2√(d^G Q_G T)" if p.d_G else "1/2", "A_G"),
        BoundLine(
            "S_T",
            f"log_2(T+2) + {'2' if nets else '12'}B_0 (A_W + A_G) / ({'' if nets else '7'}c{u} p_{{min}})",
            "switches",
        ),
        BoundLine("statistical", f"R (A_W + A_G) / (2p_{{min}}){' + H^2 L_g/2' * (p.m is None)}", "statistical"),
        BoundLine("warm-up", "(m−1) R′ S_T", "warmup"),
        BoundLine("U_T", "statistical + warm-up", "regret"),
    ]


def told_of(p: Premises, T: int) -> Lines:
    """Return the lines of the route without operators, with what they are made of: u, the best η, the root and the
    fill."""
    r, lines, net = Radius(p, T), sharp(p, T), p.covering is not None
    u, tau, evidence = union(p, r, T), lines["sharp_threshold"], lines["model_evidence"]
    eta = min((Fraction(k, 16) for k in SIXTEENTHS), key=lambda eta: freedman(eta, tau, r.B_0, u, net).high)
    others = p.policies - 1 if net else min(p.models, p.policies) - 1
    made = {"u": u, "eta": interval(eta), "root": p.range * root(evidence * others * T / 2)}
    if p.truths is not None:
        made["fill"] = filled(p.truths, p.delta, tau, T)
    return lines | made


def sharp_lines(p: Premises) -> list[BoundLine]:
    """Return the route without operators, for finite classes and with nets for others."""
    fades, nets = p.m is None, p.covering is not None
    slack, extra = (" + 5s", " + H^2 L_g/2") if fades else ("", "")
    fill = "max Σ r x, x ≤ 1 + (τ_T/2 + log(2h/δ))/c, Σ x ≤ T"
    return [
        BoundLine("Λ_T", "2 log((T+1)(T+2)/2) + log(1/δ)", "sharp_Lambda_T"),
        BoundLine("u", "log N + log(4(ℓ+1)(ℓ+2)/δ)" if nets else "log N + log(8/δ)", "u"),
        BoundLine("τ_T", f"2c(log N + Λ_T + m B_0) + C_0 B_0 Λ_T{slack}", "sharp_threshold"),
        BoundLine("η", "$k/16$ with the $k$ from 1 to 8 that is best for $Q_T$", "eta", calculated=False),
        BoundLine("Q_T", f"(τ_T{' + (2−η)B_0' * nets} + C_0 B_0 u/(2η))/(1−η) + B_0", "model_evidence"),
        BoundLine("E_T", "Q_T |Π|(1 + log T)" if nets else "Q_T min{N−1, |Π|(1 + log T)}", "evidence"),
        BoundLine(
            "S_T",
            "log_2(T+2) + 2E_T / (c(log(8/δ) + m B_0))" if nets else "log_2(T+2) + 12E_T / (7c(u + m B_0))",
            "sharp_switches",
        ),
        BoundLine("root", f"R √(T Q_T {'(|Π|−1)' if nets else 'min{N−1, |Π|−1}'}/2)", "root"),
        *([] if p.truths is None else [BoundLine("fill", f"${fill}$", "fill", calculated=False)]),
        BoundLine("statistical", ("root" if p.truths is None else "min{root, fill}") + extra, "sharp_statistical"),
        BoundLine("warm-up", "(m−1) R′ S_T", "sharp_warmup"),
        BoundLine("U^♯_T", "statistical + warm-up", "sharp_regret"),
    ]
