"""Prints the claims of a certificate in Coq, one row each: whether a claim is stated, what its theorems say, what Coq
answered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pomgcheck.cli.claims_table import MARKS
from pomgcheck.cli.terminal import STYLES, bare_table, print_table

if TYPE_CHECKING:
    from pomgcheck.exporters.coq import Development
    from pomgcheck.exporters.coq.coqc import CoqAnswer


def print_coq(found: Development, answers: Mapping[str, CoqAnswer] | None = None) -> None:
    """Print every claim with its verdict; what Coq says about it, or whether a file asks Coq; and what of it is not in
    Coq."""
    from rich.text import Text

    table = bare_table("Claim", "Verdict", "In Coq" if answers is None else "Coq", "The theorems say", "Not in Coq")
    for column in table.columns[:2]:  # names are whole; sentences wrap
        column.no_wrap = True
    table.columns[0].min_width = max(len(claim.claim) for claim in found.claims)
    table.columns[2].min_width = None if answers is None else len("confirmed; no axioms")
    for column in table.columns[2:]:
        column.overflow = "fold"
    for claim in found.claims:
        verdict = Text(f"{MARKS[claim.verdict]} {claim.verdict}", style=STYLES[claim.verdict])
        if not claim.theorems:
            standing = Text("–")
        elif answers is None:
            standing = Text("stated")
        else:
            answer = answers[claim.module]
            standing = Text(str(answer), style=STYLES["proved" if answer else "refuted"])
        table.add_row(Text(claim.claim), verdict, standing, Text(claim.says), Text(claim.left))
    print_table(table)
