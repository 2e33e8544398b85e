"""The program as ``pip install`` gives it, from archives built of this tree: ``python -m tests.repo.installed``.

The wheel is installed with its dependencies and nothing else into a clean environment, where the demo, the kernel and the
README's tour run; what the tour prints must be what the README says.  Of the source archive the tests are collected.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from tempfile import TemporaryDirectory

from pomgcheck import __version__
from tests.repo.source import ROOT

TOUR = f"""
import difflib, sys
from pathlib import Path
import pomgcheck
sys.path.append({str(ROOT)!r})
from tests.repo.tour import README, played, settled
assert not Path(pomgcheck.__file__).is_relative_to({str(ROOT)!r}), pomgcheck.__file__
text = README.read_text(encoding="utf-8")
said, printed = (settled(each).splitlines(True) for each in (text, played(text, Path.cwd())))
sys.exit("".join(difflib.unified_diff(said, printed, "README.md", "the installed program")) or None)
"""


def told(*words: str | Path, cwd: Path = ROOT) -> None:
    """Run a command, said before; end where it fails."""
    print("+", *(word if word != TOUR else "(the tour)" for word in words), flush=True)
    if code := subprocess.run(list(map(str, words)), cwd=cwd).returncode:
        sys.exit(code)


def main() -> None:
    """Build, check, install, run and collect."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        archives = folder / "dist"
        told(sys.executable, "-m", "hatchling", "build", "-d", archives)
        wheel, source = archives / f"pomgcheck-{__version__}-py3-none-any.whl", archives / f"pomgcheck-{__version__}"
        told(sys.executable, "-m", "twine", "check", "--strict", *sorted(archives.iterdir()))
        venv.create(folder / "clean", with_pip=True)
        programs = folder / "clean" / ("Scripts" if sys.platform == "win32" else "bin")
        told(programs / "pip", "install", "-q", wheel)
        told(programs / "pip", "check")
        for words in (("--version",), ("demo",), ("verify", "pomgcheck-demo/tiger.cert.json", "--model", "tiger")):
            told(programs / "pomgcheck", *words, cwd=folder)
        told(programs / "python", "-I", "-m", "pomgcheck.kernel", "pomgcheck-demo/tiger.cert.json", cwd=folder)
        tour = folder / "tour"
        tour.mkdir()
        told(programs / "python", "-I", "-c", TOUR, cwd=tour)
        told(sys.executable, "-m", "tarfile", "-e", f"{source}.tar.gz", folder)
        collected = (sys.executable, "-m", "pytest", "--collect-only", "-qq", "-p", "no:cacheprovider")
        print(f"+ collect the tests of {source.name}.tar.gz", flush=True)
        found = subprocess.run(collected, cwd=folder / source.name, capture_output=True, text=True)
        if found.returncode:
            sys.exit(found.stdout[-4000:] + found.stderr[-4000:])
        print(f"pomgcheck {__version__}: installed from the wheel, it does what the README says")


if __name__ == "__main__":
    main()
