"""``pomgcheck certify``: searches for a proof or a refutation of every claim, and writes the certificate."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from pomgcheck import processes
from pomgcheck.cli import files
from pomgcheck.cli.claims_table import print_claims, print_walks
from pomgcheck.cli.ending import told
from pomgcheck.cli.options import Cluster, Jobs, given, to_write, with_options
from pomgcheck.cli.terminal import progress, solvers_quiet
from pomgcheck.cli.watching import saves, watched
from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.options import Options

if TYPE_CHECKING:
    from pomgcheck.certificate import Certificate

ONLY = "Search this claim only (repeat it, or put commas between them); no certificate is written without -o."
TIME_LIMIT = "Stop after this long; what is settled is written."
CLAIM_LIMIT = "Seconds for each claim's search, and again for its check."
RESUME = "Go on from a certificate of this class under the same options."
CROSS_CHECK = "Ask sympy and z3 for a second opinion on Theorem 2.5, and record it."
PROGRESS = "Say on stderr how far the search is, also where stderr is not a terminal."


@with_options()
def command(
    model: Annotated[str, Argument(metavar="MODEL", help="A .toml or .json file, a gallery name, file.py:function.")],
    output: Annotated[Path | None, to_write("NAME.cert.json")] = None,
    only: Annotated[list[str] | None, Option(metavar="ID", help=ONLY)] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    time_limit: Annotated[float | None, Option(metavar="SECONDS", help=TIME_LIMIT)] = None,
    claim_limit: Annotated[float | None, Option(metavar="SECONDS", help=CLAIM_LIMIT)] = None,
    resume: Annotated[Path | None, Option(metavar="CERT", help=RESUME)] = None,
    cross_check: Annotated[bool, Option("--cross-check", help=CROSS_CHECK)] = False,
    log: Annotated[bool, Option("--progress", help=PROGRESS)] = False,
    watch: Annotated[bool, Option("--watch", help="Certify again whenever the file is saved, until Ctrl-C.")] = False,
    as_json: Annotated[bool, Option("--json", help="Print summary and values as JSON, and nothing else.")] = False,
    **typed: Any,
) -> int:
    """Search for a proof or a refutation of every claim a model class owes, and write the certificate."""
    asked = Certifying(
        model=model,
        output=None if output is None else files.record(output, "a certificate", model),
        only=chosen(only),
        options=Options(**given(typed)),
        jobs=jobs,
        limits=(time_limit, claim_limit),
        resume=resume,
        cross_check=cross_check,
        log=log,
        as_json=as_json,
    )
    with processes.cluster(cluster):
        return asked.at_every_save() if watch else asked.once()


@dataclass(frozen=True)
class Certifying:
    """This is what was typed: the class, where its certificate goes, what is searched and how."""

    model: str
    output: Path | None
    only: list[str] | None
    options: Options
    jobs: int
    limits: tuple[float | None, float | None]  # of the whole and of a claim, in seconds
    resume: Path | None
    cross_check: bool
    log: bool
    as_json: bool

    def once(self) -> int:
        """Certify, write and print; return the exit code."""
        from pomgcheck.certificate import Certificate
        from pomgcheck.loading import load

        subject = load(self.model)
        path = self.output or (None if self.only else files.writable(files.named(subject.name, ".cert.json")))
        before, stopped = None if self.resume is None else Certificate.load(self.resume), False
        with progress("reading the model", self.log) as bar, solvers_quiet():
            from pomgcheck.search.certify import Interrupted, certify

            whole, each = self.limits
            try:
                certificate = certify(
                    subject,
                    self.options,
                    only=self.only,
                    jobs=self.jobs,
                    progress=bar,
                    time_limit=whole,
                    claim_limit=each,
                    resume=before,
                    cross_check=self.cross_check,
                )
            except Interrupted as stop:
                certificate, stopped = stop.certificate, True
            if path is not None:
                certificate.save(path)
        if stopped:
            raise KeyboardInterrupt(kept(certificate, path))
        if self.as_json:
            print(json.dumps(facts(certificate, path), indent=1, ensure_ascii=False))
        else:
            shown(certificate, path, self.only)
        return code(certificate, self.only)

    def at_every_save(self) -> int:
        """Do the same again whenever the file of the class is saved; at Ctrl-C, return the exit code of the last time."""
        if self.as_json:
            raise InputError("--watch", "--json beside it", "one of them")
        path, last = watched(self.model), 0
        try:
            for _ in saves(path):
                if sys.stdout.isatty():
                    print("\x1b[2J\x1b[H", end="")
                try:
                    last = self.once()
                except PomgcheckError as error:
                    last = told(error)
                print(f"\nWatching {path}: save it to certify again, Ctrl-C ends.", flush=True)
        except KeyboardInterrupt as stop:
            if str(stop):  # in the middle of a search
                raise
        return last


def kept(certificate: Certificate, path: Path | None) -> str:
    """Return what an interrupted search leaves, for the sentence about the interruption."""
    verdicts = [claim.verdict for claim in certificate.claims.values()]
    settled = len(verdicts) - verdicts.count("unknown")
    if path is None:
        return f"{settled} of {len(verdicts)} claims were settled; nothing was written without -o"
    return f"{settled} of {len(verdicts)} claims are settled in {path}; --resume {shlex.quote(str(path))} goes on"


def chosen(only: list[str] | None) -> list[str] | None:
    """Return the claims of ``--only``; raise ``InputError`` for a name that the kernel does not have."""
    known = [claim.id for claim in CLAIMS]
    names = [name.strip() for text in only or () for name in text.split(",")]
    for name in names:
        if name not in known:
            raise InputError.claim("--only", name, {claim.id: claim.paper for claim in CLAIMS})
    return names or None


def code(certificate: Certificate, only: list[str] | None) -> int:
    """Return the exit code for the claims that were searched: 1 if something is refuted, 3 if something is unknown,
    else 0."""
    verdicts = {claim.verdict for name, claim in certificate.claims.items() if only is None or name in only}
    return 1 if "refuted" in verdicts else 3 if "unknown" in verdicts else 0


def facts(certificate: Certificate, path: Path | None) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    return {
        "model": certificate.name,
        "model_sha256": certificate.model_sha256,
        "sha256": certificate.sha256,
        "path": None if path is None else str(path),
        "summary": certificate.document["summary"],
        "claims": {name: claim.verdict for name, claim in certificate.claims.items()},
        "values": certificate.values.written,
    }


def shown(certificate: Certificate, path: Path | None, only: list[str] | None) -> None:
    """Print the table, the counterexamples, where the certificate is and what to type next."""
    claims = [claim for name, claim in certificate.claims.items() if only is None or name in only]
    print_claims(claims)
    print_walks(certificate, [claim.id for claim in claims if claim.verdict == "refuted"])
    print(conclusion(certificate, only))
    if path is None:
        return
    model = certificate.document["model_sha256"]
    print(f"Certificate: {path} (sha256 of the certificate {certificate.sha256[:16]}…, of its model {model[:16]}…)")
    print("\nNext:")
    name = path.name.removesuffix(".json").removesuffix(".cert")
    print(files.typed("verify", path))
    print(files.typed("report", path, "-o", path.with_name(name + ".html")))
    if (words := run_by(certificate)) is not None:
        print(files.typed("run", path, "--episodes", 10000, *words))


def run_by(certificate: Certificate) -> tuple[str, ...] | None:
    """Return what to run the class with.

    That is ``nested`` where Theorem N is proved by a net, since the net that Algorithm 1 plans with on intervals is
    often refused; else it is the default; it is ``None`` where there is no theorem or no truth.
    """
    listed = certificate.entries["regret"]
    if not certificate.playable or not (certificate.certified or listed["verdict"] == "proved"):
        return None
    if listed["verdict"] == "proved" and listed["evidence"]["rule"] == "net":
        return "--algorithm", "nested"
    return ()


def conclusion(certificate: Certificate, only: list[str] | None) -> str:
    """Return the verdict of the whole, in a sentence."""
    if only is not None:
        searched = f"{len(only)} of {len(certificate.claims)} claims searched"
        return f"{certificate.name}: {searched}; the others are open, so it is not certified."
    counted = ", ".join(f"{count} {verdict}" for verdict, count in certificate.counts.items())
    return f"{certificate.name}: {'certified' if certificate.certified else 'not certified'} ({counted})."
