"""Two solvers' answers to scripts, each in a process of its own that is stopped where it does not heed its limit.

``python -m tests.exporters.solvers NAME`` answers a JSON list of scripts, a line each.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

LIMIT = 2000  # milliseconds a script
PATIENCE = 20  # seconds for the process to start, besides twice the limit a script
ROOT = Path(__file__).parents[2]
SOLVERS = ("z3", "cvc5")


def answers(solver: str, texts: list[str]) -> list[str]:
    """Per script sat, unsat or unknown; unknown where the solver had to be stopped."""
    found: list[str] = []
    while len(found) < len(texts):
        rest = texts[len(found) :]
        command = [sys.executable, "-m", "tests.exporters.solvers", solver]
        try:
            done = subprocess.run(
                command,
                input=json.dumps(rest).encode(),
                cwd=ROOT,
                check=True,
                stdout=subprocess.PIPE,
                timeout=PATIENCE + 2 * LIMIT * len(rest) / 1000,
            )
            found += done.stdout.decode().split()
        except subprocess.TimeoutExpired as stopped:
            found += [*(stopped.stdout or b"").decode().split(), "unknown"]
    return found


def by_z3(text: str) -> str:
    """z3's answer."""
    import z3

    solver = z3.Solver()
    solver.set("timeout", LIMIT)
    solver.from_string(text)
    return str(solver.check())


def by_cvc5(text: str) -> str:
    """cvc5's answer, without the reason of one that is unknown."""
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(LIMIT))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "script")
    symbols, answer = parser.getSymbolManager(), ""
    while not (command := parser.nextCommand()).isNull():
        answer += command.invoke(solver, symbols)
    return answer.split()[0]


if __name__ == "__main__":
    for script in json.load(sys.stdin):
        print({"z3": by_z3, "cvc5": by_cvc5}[sys.argv[1]](script), flush=True)
