"""The kernel and the search of this checkout beside those of an earlier one, on every certificate that both keep.

    python -m benchmarks.versions [--search] [REVISION [STEM…]]

The revision's files are taken from git.  By default it is the last one of certificate format 1, before the kernel of goals
and rules.  Each time is the least of three, processor time, and of the kernel alone: reading and checking a certificate.
With ``--search`` the whole of ``certify`` is timed too, its own last check included.  What is owed has grown since format 1:
the claim ``regret`` is new.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
FORMAT_1 = "33dfa459^"
KERNEL = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pomgcheck.kernel.check import verify
def once(path):
    start = time.process_time()
    assert verify(path).accepted, path
    return time.process_time() - start
for path in sys.argv[2:]:
    print(min(once(path) for _ in range(3)))
"""
SEARCH = """
import sys, time
sys.path.insert(0, sys.argv[1])
from pomgcheck import certify, load
def once(name):
    start = time.process_time()
    certify(load(name))
    return time.process_time() - start
for name in sys.argv[2:]:
    once(name)
    print(min(once(name) for _ in range(2)))
"""


def seconds(program: str, folder: Path, words: list[str]) -> float:
    """What the program, run with the package in ``folder``, prints."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", program, str(folder), *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout)


def checked_out(revision: str, folder: Path) -> None:
    """The package and the certificates of a revision."""
    archive = ["git", "-C", str(ROOT), "archive", revision, "pomgcheck", "certificates"]
    data = subprocess.run(archive, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(folder)], input=data, check=True)


def main(words: list[str]) -> None:
    """Print the table."""
    search = "--search" in words
    revision, *wanted = [word for word in words if not word.startswith("--")] or [FORMAT_1]
    with TemporaryDirectory() as name:
        before = Path(name)
        checked_out(revision, before)
        kept = sorted(path.name for path in (before / "certificates").glob("*.cert.json"))
        both = [file.removesuffix(".cert.json") for file in kept if (ROOT / "certificates" / file).is_file()]
        for stem in wanted or both:
            path = f"certificates/{stem}.cert.json"
            then, now = (seconds(KERNEL, folder, [str(folder / path)]) for folder in (before, ROOT))
            line = f"{stem:24} kernel {then:8.3f} s, now {now:8.3f} s: {now / then:5.2f}"
            if search and "." not in stem:
                then, now = (seconds(SEARCH, folder, [stem]) for folder in (before, ROOT))
                line += f"    certify {then:8.3f} s, now {now:8.3f} s: {now / then:5.2f}"
            print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
