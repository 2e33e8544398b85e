"""Writes what stands beside the SMT-LIB scripts of a certificate: what to expect of each, and a program that runs a
solver."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from pomgcheck.exporters.obligations import PART

RUNNER = "check.py"
LOGIC = re.compile(r"^\(set-logic (\w+)\)$", re.MULTILINE)
EXPECTED = {  # logic -> how long a solver may need
    "QF_LRA": "unsat at once: linear",
    "QF_NRA": "unsat, mostly within seconds: polynomials",
}
LONG = ("kl-joint", "kl-world")  # quotients over charts of two models
PARTS = {
    "factorization": "J = G W with free entries.",
    "weak-revealing": "What two models show is at least α_κ times what moves, on each part of the pairs.",
    "kl-joint": "The divergence of two laws of play is at least c^J_KL times the squared errors.",
    "kl-world": "The divergence of two laws of play is at least c^W_KL times the squared errors.",
}


def beside(certificate: Mapping[str, Any], scripts: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the files by name: ``README.md``, and the runner."""
    runner = resources.files("pomgcheck.exporters").joinpath("runner.py").read_text(encoding="utf-8")
    return {"README.md": readme(certificate, scripts), RUNNER: runner}


def readme(certificate: Mapping[str, Any], scripts: Mapping[str, Sequence[str]]) -> str:
    """Return what the scripts say, of which certificate, and what a solver should answer on each."""
    rows = []
    for claim, texts in scripts.items():
        logics = sorted({match[1] for text in texts if (match := LOGIC.search(text))})
        expected = "; ".join(EXPECTED.get(logic, f"unsat ({logic})") for logic in logics)
        if claim in LONG:
            expected += "; some may be left undecided after minutes"
        names = f"`{claim}-0001.smt2`" + (f" to `-{len(texts):04}`" if len(texts) > 1 else "")
        said = (PART.get(claim) or PARTS.get(claim, "")).replace("|", "\\|")
        rows.append(f"| {names} | {len(texts):,} | {', '.join(logics)} | {expected} | {said} |")
    stamp = f"sha256 of the certificate: `{certificate['sha256']}`, of its model: `{certificate['model_sha256']}`"
    table = "\n".join(rows)
    return f"""# What the certificate of {certificate["model"]["name"]} shows on intervals, for SMT solvers

{stamp}.

Each script is the negation of one inequality that the certificate rests on: it asks a solver
for a point of the class at which the inequality fails. The right answer on every script is `unsat`.

- `unsat`: the solver has found, by a proof of its own, that the inequality holds everywhere.
- `unknown`, or no answer in time: it says nothing, neither for the certificate nor against it.
- `sat`: the point that the solver gives refutes the certificate (or shows a fault of the solver); please report it.

```sh
python3 {RUNNER} z3
python3 {RUNNER} --seconds 60 cvc5
```

The runner needs Python's standard library alone. It ends with 0 where every answer is `unsat`, with 1 where one is `sat`, and
with 3 where some are left undecided. Each script says in its first lines what it states.

| files | scripts | logic | expect | the inequality |
| --- | --: | --- | --- | --- |
{table}

The scripts cover inequalities on the class's continuum. How the claims follow from them is the kernel's part, and is said in the manual of each claim.
"""
