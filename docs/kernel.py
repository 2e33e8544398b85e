"""How many lines of code the kernel has, by ring and by what they are for: ``python -m docs.kernel`` prints the table that
docs/design.md shows when the manual is built."""

from __future__ import annotations

import ast
import io
import tokenize
from functools import cache
from pathlib import Path

KERNEL = Path(__file__).parents[1] / "pomgcheck" / "kernel"
RINGS = ("finite", "interval", "given operators", "computed")
INTERVAL = {
    "continua.py",
    "differences.py",
    "divergence.py",
    "forms.py",
    "goals.py",
    "nets.py",
}  # what interval axes need more
GIVEN = {"operator_section.py", "given_operators.py"}  # classes given by operators
COMPUTED = {"paper_bound.py"}  # entered by no certificate: reports compute it

# what the lines are for -> files; every file of the kernel stands once
PARTS: dict[str, tuple[str, ...]] = {
    "Documents, strictly read": (
        "reading.py",
        "expressions.py",
        "parameters.py",
        "rows.py",
        "game.py",
        "operator_section.py",
    ),
    "Certificates: options, claims owed, verdict line, budget": (
        "__init__.py",
        "__main__.py",
        "check.py",
        "case.py",
        "facts.py",
        "budget.py",
        "limits.py",
        "claims/__init__.py",
    ),
    "Polynomials, cells and goals, rule `box`": ("polynomials.py", "boxes.py", "continua.py", "goals.py"),
    "Charts of pairs and enclosures, rule `pairs`": ("pairs.py", "forms.py"),
    "Theorem 2.5: W, G, J and its three claims": (
        "operators.py",
        "given_operators.py",
        "claims/factorization.py",
        "claims/oom_identity.py",
        "claims/nonexpansive.py",
    ),
    "Assumption 2.3": ("claims/posterior_lipschitz.py", "histories.py"),
    "Assumption 2.4, rule `tests`": ("claims/weak_revealing.py", "problems.py", "simplex.py"),
    "Laws of play by merged prefixes, for 3.1(c)–(e), 2.6 and Theorem N": (
        "walk.py",
        "play.py",
        "moments.py",
        "endings.py",
        "summed.py",
    ),
    "Assumption 3.1(a)–(d) and (f)": (
        "claims/well_specified.py",
        "claims/covering.py",
        "claims/bounded_increments.py",
        "claims/predictive_states.py",
        "claims/warmup_stationary.py",
    ),
    "Assumption 3.1(e), rules `log` and `pairs`": ("claims/kl.py", "logarithms.py", "divergence.py"),
    "Proposition 2.6, rule `sequence`": ("claims/eluder.py", "eluder.py", "differences.py"),
    "Theorem 3.3's constants and bound": (
        "claims/constants.py",
        "bound.py",
        "enclosures.py",
        "rewards.py",
        "paper_bound.py",
    ),
    "Theorem N, rules `list` and `net`": ("claims/regret.py", "nested.py", "nets.py"),
}


@cache
def code_lines(path: Path) -> int:
    """Lines that hold code: no comment, no docstring, no blank."""
    text = path.read_text(encoding="utf-8")
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            first = node.body[0]
            docstrings |= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    skipped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped:
            lines |= set(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def ring(name: str) -> str:
    """The ring of a file, named from the kernel's folder."""
    others = zip(RINGS[1:], (INTERVAL, GIVEN, COMPUTED), strict=True)
    return next((ring for ring, files in others if name in files), RINGS[0])


def count(files: tuple[str, ...] | set[str], of: str) -> int:
    """Lines of code of those of the files that are in a ring."""
    return sum(code_lines(KERNEL / name) for name in files if ring(name) == of)


def table() -> str:
    """Lines of code by what they are for and by ring, the most first, and their sums, in Markdown."""
    rows = {what: [count(files, of) for of in RINGS] for what, files in PARTS.items()}
    rows = dict(sorted(rows.items(), key=lambda row: -sum(row[1])))
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    head = ["what the lines are for", *RINGS, "all"]
    body = [[what, *(str(n) if n else "" for n in row), str(sum(row))] for what, row in rows.items()]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *body))


if __name__ == "__main__":
    print(table())
