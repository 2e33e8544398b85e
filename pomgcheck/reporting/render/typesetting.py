"""Makes a LaTeX report a PDF: TeX is run in a folder of its own, without a shell, without questions, and within a time
limit."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from pomgcheck.errors import InputError, MissingDependency

SECONDS = 120  # for one run of a program
ENGINES = ("latexmk", "pdflatex", "tectonic")  # in this order; latexmk needs pdflatex
SAFE = ("-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape")
EPOCH = "0"  # SOURCE_DATE_EPOCH where none is given: the same files give the same PDF
FIRST = re.compile(r"^(?:! .*|error: .*)$", re.MULTILINE)


def engine() -> str | None:
    """Return the first TeX program on this machine, or ``None`` without one."""
    found = [name for name in ENGINES if shutil.which(name)]
    return next((name for name in found if name != "latexmk" or shutil.which("pdflatex")), None)


def commands(program: str, stem: str) -> list[list[str]]:
    """Return what to run, in order, for ``stem.tex``."""
    if program == "latexmk":
        return [["latexmk", "-norc", "-pdf", *SAFE, f"{stem}.tex"]]
    if program == "tectonic":
        return [["tectonic", "--untrusted", f"{stem}.tex"]]
    run = ["pdflatex", *SAFE, f"{stem}.tex"]
    return [run, *([["bibtex", stem]] if shutil.which("bibtex") else []), run, run]


def pdf(files: Mapping[str, str | bytes], stem: str) -> bytes:
    """Return the PDF of ``stem.tex`` among ``files``.

    Raises ``MissingDependency`` where there is no TeX, and ``InputError`` where it refuses, with the first error of
    its log, or takes more than two minutes.
    """
    program = engine()
    if program is None:
        raise MissingDependency(
            "report",
            f"none of {', '.join(ENGINES)} on this machine",
            "a TeX to make a PDF with",
            "install one (Debian: texlive-latex-extra latexmk), or write X.tex",
        )
    with TemporaryDirectory() as name:
        folder = Path(name)
        for file, content in files.items():
            (folder / file).write_bytes(content if isinstance(content, bytes) else content.encode())
        for command in commands(program, stem):
            run(command, folder, stem)
        made = folder / f"{stem}.pdf"
        if not made.is_file():
            raise refused(program, folder, stem, "")
        return made.read_bytes()


def run(command: list[str], folder: Path, stem: str) -> None:
    """Run one program in the folder; bibtex may complain, TeX may not."""
    environment = (
        {"SOURCE_DATE_EPOCH": EPOCH}
        | dict(os.environ)
        | {"FORCE_SOURCE_DATE": "1", "openout_any": "p", "openin_any": "p", "max_print_line": "1000"}
    )
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            fix = "write X.tex and run TeX on it by hand"
            raise InputError(command[0], f"no PDF after {SECONDS} s", "one within that time", fix) from None
        finally:
            ended(process)
    if process.returncode and command[0] != "bibtex":
        raise refused(command[0], folder, stem, said.decode("utf-8", "replace"))


def ended(process: subprocess.Popen[bytes]) -> None:
    """Stop what still runs of a program, including the programs it started: latexmk leaves its pdflatex behind."""
    if process.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()


def refused(program: str, folder: Path, stem: str, said: str) -> InputError:
    """Return TeX's first error in a sentence."""
    log = folder / f"{stem}.log"
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else said
    first = FIRST.search(text) or FIRST.search(said)
    found = first.group().removeprefix("! ") if first else (said.strip().splitlines() or ["no PDF"])[-1]
    return InputError(program, found[:200], "a TeX that typesets the report", "write X.tex and look at what TeX says")
