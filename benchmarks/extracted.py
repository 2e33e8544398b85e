"""The kernel extracted from Coq beside Python's: processor time of each on the same certificate, as a process of its own.

    make -C formal && python -m benchmarks.extracted

Targets: at most 3 times Python's on patrol, tiger and bilinear; kuhn and digits within 60 seconds.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROGRAM = ROOT / "formal" / "extract" / "pomgcheck-kernel"
STEMS = ("patrol", "tiger", "bilinear", "kuhn", "digits")


def seconds(*command: str | Path) -> float:
    """The processor time of a command that succeeds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the table."""
    if not PROGRAM.exists():
        print(f"{PROGRAM.relative_to(ROOT)} is not built; `make -C formal` does it")
        return
    for stem in STEMS:
        path = ROOT / "certificates" / f"{stem}.cert.json"
        python = seconds(sys.executable, "-I", "-m", "pomgcheck.kernel", path)
        extracted = seconds(PROGRAM, path)
        print(f"{stem:9} Python {python:6.2f} s   extracted {extracted:6.2f} s   {extracted / python:5.1f} times")


if __name__ == "__main__":
    main()
