"""``pomgcheck verify``: certificates by the kernel alone; other files by their digests, and by doing it all again."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck.cli import files
from pomgcheck.cli.terminal import painter, progress
from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel import check
from pomgcheck.kernel.game import digest, read_json

REPORTS = (".html", ".md", ".tex", ".txt")


def command(
    paths: Annotated[list[Path], Argument(metavar="FILE…", help="Certificates, run records, sweeps or reports.")],
    model: Annotated[str | None, Option(metavar="MODEL", help="Also check that they are about this model.")] = None,
    replay: Annotated[bool, Option("--replay", help="Do a run's seeds or a sweep's points again.")] = False,
) -> int:
    """Check files: nothing they say is believed, and no search is done."""
    expected = None if model is None else canonical(model)
    codes = []
    for path in paths:
        try:
            accepted, line = verdict(path, expected, replay, paths)
        except PomgcheckError as error:
            accepted, line = False, f"UNUSABLE {error}"
            codes.append(error.exit_code)
        else:
            codes.append(0 if accepted else 1)
        print(f"{path}: {painter(sys.stdout)('proved' if accepted else 'refuted', line)}")
    return 1 if 1 in codes else max(codes)


def canonical(model: str) -> bytes:
    """The canonical document of MODEL."""
    from pomgcheck.loading import load

    return load(model).canonical_json()


def verdict(path: Path, model: bytes | None, replay: bool, given: Sequence[Path]) -> tuple[bool, str]:
    """Whether the file stands, and the line that says so; what it names is looked for among ``given`` and beside it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError("", error.strerror or "no file", "a certificate, a run record or a report") from None
    if path.suffix in REPORTS:
        return report_verdict(path, data, model, given)
    if files.form(data).startswith("pomgcheck-run/"):
        return run_verdict(path, model, replay, given)
    if files.form(data).startswith("pomgcheck-sweep/"):
        return sweep_verdict(path, model, replay)
    if files.form(data).startswith("pomgcheck-experiment/"):
        return experiment_verdict(path, model, replay, given)
    if files.form(data).startswith("pomgcheck-model-class/"):
        fix = f"certify it: pomgcheck certify {path}"
        raise InputError("", "a model document", "a certificate, a run record or a report", fix)
    found = check.verify_bytes(data, model)
    return found.accepted, found.line


def run_verdict(path: Path, model: bytes | None, replay: bool, given: Sequence[Path]) -> tuple[bool, str]:
    """A run record: its digest, the certificate it ran under, and on demand every seed again."""
    from pomgcheck.learner.replay import verify_run

    alone = verify_run(path)
    if alone.record is None:
        return False, alone.line
    document = alone.record.document
    if model is not None and (found := digest(read_json(model))) != document["model_sha256"]:
        return False, f"REJECTED run model_sha256: found {document['model_sha256']}, required {found}"
    certificate = files.named_by(path, "certificate", document["certificate_sha256"], given)
    whole = verify_run(path, certificate, replay)
    return whole.accepted, whole.line


def sweep_verdict(path: Path, model: bytes | None, replay: bool) -> tuple[bool, str]:
    """A sweep: its digests and the class of each point, and on demand every point certified again."""
    from pomgcheck.search.sweep import verify_sweep

    with progress("replaying the sweep") as bar:
        found = verify_sweep(path, replay, progress=bar)
    if model is not None and found.sweep is not None:
        required, sha256 = digest(read_json(model)), found.sweep.document["model_sha256"]
        if required != sha256:
            return False, f"REJECTED sweep model_sha256: found {sha256}, required {required}"
    return found.accepted, found.line


def experiment_verdict(path: Path, model: bytes | None, replay: bool, given: Sequence[Path]) -> tuple[bool, str]:
    """An experiment: its digest, the certificate it ran under, and on demand all of it again."""
    from pomgcheck.experiments.record import ExperimentRecord, verify_experiment

    try:
        record = ExperimentRecord.load(path)
    except InputError as error:
        return False, f"REJECTED experiment {error.where}: found {error.found}, required {error.required}"
    stamp = record.document["certificate"]
    if model is not None and (found := digest(read_json(model))) != stamp["model_sha256"]:
        return False, f"REJECTED experiment model_sha256: found {stamp['model_sha256']}, required {found}"
    certificate = files.named_by(path, "certificate", stamp["sha256"], given)
    with progress("replaying the experiment") as bar:
        return verify_experiment(record, certificate, replay, bar)


def report_verdict(path: Path, data: bytes, model: bytes | None, given: Sequence[Path]) -> tuple[bool, str]:
    """A report: the files whose digests it prints; its words are not checked."""
    from pomgcheck.reporting import digests_in

    stamps = digests_in(data.decode("utf-8", errors="replace"))
    if not stamps:
        raise InputError("", "no digests", "a report written by pomgcheck report")
    found = [(kind, sha256) for family in ("certificate", "run", "sweep", "experiment")
             for stamped, sha256 in stamps.items() if (kind := stamped.partition("-")[0]) == family]  # fmt: skip
    sources = [(kind, files.named_by(path, kind, sha256, given)) for kind, sha256 in found]
    for kind, source in sources:
        accepted, line = verdict(source, model, False, given)
        if not accepted:
            return False, f"REJECTED report: its {kind} {source.name}: {line}"
    names = " and ".join(f"{kind} {source.name}" for kind, source in sources)
    verb = "stand" if len(sources) > 1 else "stands"
    return True, f"VERIFIED report: its {names} {verb}; its own words are not checked"
