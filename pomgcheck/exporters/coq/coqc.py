"""Asks Coq about exported files: each file goes through ``coqc`` in a folder of its own, and nothing is kept from
before."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from pomgcheck.errors import InputError, MissingDependency
from pomgcheck.exporters.coq import MODEL, Development, write

PLACE = "POMGCHECK_FORMAL"  # the environment's word for where the library is
COMPILED = "compiled.sha256"  # in the library: digests of its sources and of what was compiled from them
PACKAGES = "apt-get install coq libcoq-coquelicot"
ASKED = re.compile(r"^Definition theorems := \((.*)\)\.\nPrint Assumptions theorems\.$", re.M)  # at the end of a file
REALS = {  # what Coq's real numbers are built on; a theorem may rest on these and on nothing else
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}


@dataclass(frozen=True)
class CoqAnswer:
    """This is what Coq said of one file: the axioms that its theorems rest on, or why the file is refused."""

    axioms: frozenset[str] = frozenset()
    refusal: str = ""

    def __bool__(self) -> bool:
        """Return whether every theorem of the file is proved, on no axiom but those of the reals."""
        return not self.refusal

    def __str__(self) -> str:
        if self.refusal:
            return self.refusal
        return "confirmed; the axioms of the reals" if self.axioms else "confirmed; no axioms"


@dataclass(frozen=True)
class Coq:
    """This is a ``coqc`` with a compiled library: it has the version, and the SHA-256 of the library's sources."""

    library: Path
    version: str
    digest: str

    @classmethod
    def found(cls, library: Path | None = None) -> Coq:
        """Return the ``coqc`` on the PATH and the library at ``library``, else where POMGCHECK_FORMAL says, else
        beside the package, as in a checkout.

        Raises ``MissingDependency`` where there is no coqc, and ``InputError`` where the library is not there, or is
        not compiled as it stands.
        """
        if shutil.which("coqc") is None:
            required = "Coq 8.16 with Coquelicot"
            raise MissingDependency("coqc", "no such program on the PATH", required, f"install it: {PACKAGES}")
        folder = library_at(library)
        sources = listed_in(folder)
        if found := uncompiled(folder, sources):
            raise InputError("library", found, "the compiled library", f"compile it: make -C {folder}")
        printed = subprocess.run(["coqc", "--version"], capture_output=True, text=True, check=True).stdout
        version = re.search(r"version (\S+)", printed)
        digest = hashlib.sha256()
        for source in sources:
            digest.update(source.relative_to(folder).as_posix().encode() + b"\0" + source.read_bytes() + b"\0")
        return cls(folder, version[1] if version else "of an unknown version", digest.hexdigest())

    def asked(self, found: Development, only: Collection[str] | None = None) -> dict[str, CoqAnswer]:
        """Return, by name, what Coq says of every file, or of those in ``only``; the class is asked about first, since
        the others are about it."""
        with TemporaryDirectory(prefix="pomgcheck-coq-") as made:
            folder = Path(made)
            write(found, folder)
            answers = {MODEL: self._compiled(folder, MODEL)}
            rest = [name for name in found.files if name != MODEL and (only is None or name in only)]
            if not answers[MODEL]:
                return answers | dict.fromkeys(
                    rest, CoqAnswer(refusal=f"refused with {MODEL}.v, the class that it is about")
                )
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                answers |= zip(rest, pool.map(lambda name: self._compiled(folder, name), rest), strict=True)
            return answers

    def _compiled(self, folder: Path, name: str) -> CoqAnswer:
        command = ["coqc", "-q", "-R", str(self.library.resolve()), "Pomgcheck", "-Q", ".", "Certificate", f"{name}.v"]
        environment = {key: value for key, value in os.environ.items() if not key.startswith("COQ")}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            return CoqAnswer(refusal=refusal(done.stderr, done.returncode))
        source = (folder / f"{name}.v").read_text("utf-8")
        stated, asked = re.findall(r"^Theorem (\w+) :$", source, re.M), ASKED.findall(source)
        printed = assumptions(done.stdout)
        if len(printed) != 1 or asked != [", ".join(stated)]:
            return CoqAnswer(refusal="refused: Coq did not say what every theorem rests on")
        if foreign := sorted(printed[0] - REALS):
            return CoqAnswer(refusal=f"refused: it rests on {', '.join(foreign)}")
        return CoqAnswer(frozenset(printed[0]))


def refusal(said: str, code: int) -> str:
    """Return why coqc failed: the check that a theorem rests on came out false, or its own words."""
    line = re.search(r'^File "[^"]*", line (\d+)', said, re.M)
    where = f"refused at line {line[1]}" if line else f"refused (coqc ended with {code})"
    words = " ".join(said.partition("Error:")[2].split())
    if re.search(r'has type "(true = true|false = false)" while it is expected to have type', words):
        return f"{where}: the check computes to false"
    return f"{where}: {words[:200]}" if words else where


def assumptions(printed: str) -> list[set[str]]:
    """Return the axioms that each answer of ``Print Assumptions`` names, in order; the set is empty where the theorem
    is closed."""
    answers: list[set[str]] = []
    for line in printed.splitlines():
        if line in ("Closed under the global context", "Axioms:"):
            answers.append(set())
        elif answers and (axiom := re.match(r"(\S+)(?: :|$)", line)):
            answers[-1].add(axiom[1])
    return answers


def library_at(given: Path | None) -> Path:
    """Return the folder of the Coq development."""
    folder = Path(given or os.environ.get(PLACE) or Path(__file__).parents[3] / "formal")
    if (folder / "_CoqProject").is_file() and (folder / "Statements.v").is_file():
        return folder
    fix = f"name the folder formal of its sources with --library or {PLACE}"
    raise InputError("library", f"no Coq development in {folder}", "the folder formal of pomgcheck's sources", fix)


def uncompiled(folder: Path, sources: Iterable[Path]) -> str:
    """Return the first source that is not compiled as it stands, and in what way, or "" where all are.

    ``make`` keeps the SHA-256 of every source and of what was compiled from it; dates are not looked at.
    """
    try:
        kept = (folder / COMPILED).read_text(encoding="utf-8").splitlines()
    except OSError:
        return f"no {COMPILED}"
    digests = {name: digest for digest, _, name in (line.partition("  ") for line in kept)}
    for source in sources:
        for file, other in (
            (source, "another one than was compiled"),
            (source.with_suffix(".vo"), "not what was compiled"),
        ):
            name = file.relative_to(folder).as_posix()
            if not file.exists() or name not in digests:
                return f"{source.name} not compiled"
            if hashlib.sha256(file.read_bytes()).hexdigest() != digests[name]:
                return f"{name} {other}"
    return ""


def listed_in(folder: Path) -> list[Path]:
    """Return the sources of the library, in the order of its project file; the examples are not needed."""
    lines = (folder / "_CoqProject").read_text(encoding="utf-8").splitlines()
    return [folder / line for line in lines if line.endswith(".v") and not line.startswith("examples/")]
