"""Run an SMT solver on every script beside this file, and say what it answers claim by claim.

    python3 check.py z3
    python3 check.py --seconds 60 cvc5 --nl-cov

The standard library is enough.  Exit code 0: unsat on every script; 1: sat on one, which is a point where the
certificate is wrong; 3: some are left undecided, which says nothing; 2: no solver, or no scripts.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ANSWERS = ("unsat", "undecided", "sat")


def answer(solver: Sequence[str], script: Path, seconds: float) -> str:
    """Return the solver's answer on a script; "undecided" where it gives none in time or any other."""
    try:
        done = subprocess.run([*solver, str(script)], capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "undecided"
    said = done.stdout.split()
    return said[0] if said and said[0] in ("unsat", "sat") else "undecided"


def main(arguments: Sequence[str], folder: Path) -> int:
    """Run the solver, write the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each script (10)")
    parser.add_argument("solver", nargs=argparse.REMAINDER, help="a solver and its options; the script comes last")
    asked = parser.parse_args(arguments)
    scripts = sorted(folder.glob("*.smt2"))
    if not asked.solver or shutil.which(asked.solver[0]) is None or not scripts:
        found = "no scripts beside this file" if not scripts else f"no solver {' '.join(asked.solver[:1])}".rstrip()
        sys.stderr.write(f"check.py: {found}; give one that is installed: python3 check.py z3\n")
        return 2
    found_of: dict[str, Counter[str]] = {}
    named: dict[str, list[str]] = {name: [] for name in ANSWERS}
    for script in scripts:
        found = answer(asked.solver, script, asked.seconds)
        found_of.setdefault(script.stem.rpartition("-")[0], Counter())[found] += 1
        named[found].append(script.name)
    width = max(map(len, found_of))
    lines = [f"{'claim':{width}}  {'  '.join(f'{name:>9}' for name in ANSWERS)}"]
    lines += [
        f"{claim:{width}}  {'  '.join(f'{counts[name]:9}' for name in ANSWERS)}" for claim, counts in found_of.items()
    ]
    lines += [f"{name}: {' '.join(named[name])}" for name in ("sat", "undecided") if named[name]]
    sys.stdout.write("\n".join(lines) + "\n")
    return 1 if named["sat"] else 3 if named["undecided"] else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:], Path(__file__).resolve().parent))
