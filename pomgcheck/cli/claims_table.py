"""Prints the table of claims, one row each, as wide as the terminal allows; and refuted claims step by step."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.cli.terminal import READING, STYLES, bare_table, painter, print_table, width

SAYS = {
    "factorization": "J = G W",
    "oom-identity": "1ᵀJ…Jq = P(o|a)",
    "nonexpansive": "‖Gu‖ ≤ ‖u‖",
    "posterior-lipschitz": "‖Δg‖ ≤ L‖ΔS‖",
    "weak-revealing": "‖ΔP‖ ≥ α‖ΔWq‖",
    "well-specified": "ξ* ∈ Ξ",
    "covering": "N(ε) ≤ N",
    "bounded-increments": "|log P/P'| ≤ B₀",
    "predictive-states": "q^ξ all defined",
    "kl-joint": "KL ≥ c Σ‖ΔJq‖²",
    "kl-world": "KL ≥ c Σ‖ΔWq‖²",
    "warmup-stationary": "R reaches R_∞",
    "eluder-world": "dim_E{F^W}",
    "eluder-adversary": "dim_E{F^G}",
    "regret": "PR(T) ≤ …",
    "constants": "PR(T) ≤ …",
}  # a claim in as few signs as it takes

MARKS = {"proved": "✓", "refuted": "✗", "vacuous": "∅", "declared": "○", "unknown": "?"}
OTHERS = 60  # columns of the table that all but the constants take on a narrow terminal
HOW = {"log": "logarithms", "sequence": "sequence", "list": "a list", "bound": "intervals"}  # by rule
UNPROVED = {"refuted": "witness", "vacuous": "no case", "declared": "on trust", "unknown": "gave up"}


def print_claims(claims: Sequence[RecordedClaim]) -> None:
    """Print one row per claim: number, id, what it says, verdict, constants, how it was settled, seconds."""
    from rich.text import Text

    room = width()
    table = bare_table()
    table.add_column("Claim", no_wrap=True)
    if room >= 110:
        table.add_column("It says", no_wrap=True)
    table.add_column("Verdict", no_wrap=True)
    if room >= 50:
        table.add_column("Constants")
    if room >= 70:
        table.add_column("How")
    if room >= 60:
        table.add_column("s", justify="right", no_wrap=True)
    for claim in claims:
        verdict = Text(f"{MARKS[claim.verdict]} {claim.verdict}", style=STYLES[claim.verdict])
        cells: list[tuple[int, str | Text]] = [
            (0, f"{claim.number} {claim.id}"),
            (110, SAYS[claim.id]),
            (0, verdict),
            (50, constants(claim, room)),
        ]
        cells += [(70, how(claim)), (60, str(claim.document["search"]["seconds"]))]
        table.add_row(*(cell for least, cell in cells if room >= least))
    print_table(table)


def constants(claim: RecordedClaim, room: int) -> str:
    """Return the end of each constant that the theorem uses, exactly and as a decimal rounded to the safe side.

    Where the columns beside it leave too little ``room``, in characters, only the decimal is returned.
    """
    from pomgcheck.reporting import words
    from pomgcheck.reporting.render.text import plain

    lines = []
    for constant in words.constants(claim.id, claim.values.written):
        relation, end = constant.used
        symbol = plain((constant.symbol,))
        line = f"{symbol} {relation} {end.plain()}"
        if end.decimal and len(line) > room - OTHERS:
            line = f"{symbol} {end.relation if constant.exact else relation} {end.decimal}"
        lines.append(line)
    return "\n".join(lines)


def how(claim: RecordedClaim) -> str:
    """Return how the claim was settled, in a word or two."""
    if claim.verdict == "unknown" and claim.method.startswith("needs kernels"):
        return "needs kernels"
    if claim.verdict != "proved":
        return UNPROVED[claim.verdict]
    proof = claim.proof
    if proof.rule == "pairs" or proof.rule == "tests" and any(x["chart"] for x in proof.trees):
        return "boxes of pairs"
    if proof.rule == "tests":
        kinds = ((len(proof.tests), "test"), (len(proof.factors), "factor"))
        return ", ".join(f"{count} {noun}{'s' * (count > 1)}" for count, noun in kinds if count)
    return HOW.get(proof.rule, "identity" if claim.id == "factorization" else "enumeration")


def print_walks(certificate: Certificate, claims: Sequence[str]) -> None:
    """Print the counterexample of each refuted claim in the model's own labels, and what would repair it."""
    from pomgcheck.reporting import explain

    for claim in claims:
        print(explain(certificate, claim, width=min(width(), READING), paint=painter(sys.stdout)))
