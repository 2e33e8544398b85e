"""Checks a run record, and plays it again if asked (``verify_run``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pomgcheck.errors import InputError, PomgcheckError, counted
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.learner.admission import verified
from pomgcheck.learner.record import RunRecord

if TYPE_CHECKING:
    from pomgcheck.learner.own import Own

Progress = Callable[[str, int, int], None]  # what, done, in all


class RunVerdict(NamedTuple):
    """This says whether a run record stands, in a line of text."""

    accepted: bool
    line: str
    record: RunRecord | None = None

    def __bool__(self) -> bool:
        """Return whether the run stands."""
        return self.accepted


def verify_run(
    path: str | Path,
    certificate: str | Path | None = None,
    replay: bool = False,
    algorithms: Sequence[object] = (),
    jobs: int = 1,
    progress: Progress | None = None,
) -> RunVerdict:
    """Check a record's digest, its certificate if that is given, and with ``replay`` every seed, byte for byte.

    A replay compares everything but the package versions. ``algorithms`` are the own ones of the record, as `run` took
    them; no code is executed that is not given there. ``jobs`` is the number of processes of a replay. Raises ``InputError`` when there is no such file, or when a
    replay is asked for without a certificate or without the code of an own algorithm.
    """
    if not Path(path).is_file():
        raise InputError("", "no file", "a run record", "give the path of one").inside(str(path))
    try:
        record = RunRecord.load(path)
    except InputError as error:
        return RunVerdict(False, f"REJECTED run {error.where}: found {error.found}, required {error.required}")
    if certificate is None:
        if replay:
            hint = record.document["certificate_file"]
            raise InputError("certificate", "none", "the certificate the run was made under", f"give {hint}")
        return RunVerdict(True, f"VERIFIED run {record.sha256}", record)
    try:
        signed, _ = verified(certificate, None)
        for name, found in (("certificate_sha256", signed.sha256), ("model_sha256", signed.model_sha256)):
            if found != record.document[name]:
                return RunVerdict(False, f"REJECTED run {name}: found {record.document[name]}, required {found}")
        if replay:
            given = supplied(record, algorithms)
            for entry in record.document["runs"]:
                own, source = given.get(entry["algorithm"]), entry.get("source")
                if own is not None and source["sha256"] is not None and own.sha256 != source["sha256"]:
                    found, required = own.sha256 or "code without a file", f"the code that ran, {source['sha256']}"
                    return RunVerdict(False, f"REJECTED run {own.name}: found {found}, required {required}")
            return replayed(record, certificate, given, jobs, progress)
    except Missing:
        raise
    except PomgcheckError as error:
        return RunVerdict(False, f"REJECTED run {error.where}: found {error.found}, required {error.required}")
    return RunVerdict(True, f"VERIFIED run {record.sha256} certificate {signed.sha256}", record)


class Missing(InputError):
    """The code of an own algorithm is needed and was not given."""


def supplied(record: RunRecord, algorithms: Sequence[object]) -> dict[str, Own]:
    """Return the own algorithms of the record by name.  Raises ``Missing`` where one is not given."""
    from pomgcheck.learner.own import Own

    given = {own.name: own for own in map(Own.read, algorithms)}
    for entry in record.document["runs"]:
        name, source = entry["algorithm"], entry.get("source")
        if source is None or name in given:
            continue
        code = "what made it" if source["sha256"] is None else f"{source['file']} of SHA-256 {source['sha256'][:16]}…"
        fix = f"name {source['file']}:{name} as an algorithm of the replay, which then executes it"
        if source["name"] is None:
            fix = "it was given in Python, where pomgcheck.verify takes it as algorithms=[…]"
        raise Missing(f"algorithm {name}", "no code for it", f"{code}, to play it again", fix)
    return given


def replayed(
    record: RunRecord, certificate: str | Path, owns: Mapping[str, Own], jobs: int, progress: Progress | None
) -> RunVerdict:
    """Run it again from what the record says, and return whether the result is the same."""
    from pomgcheck.learner.run import run  # numpy is loaded only to play

    old = record.document
    if old["opponent"] != "the class's":
        return RunVerdict(False, "REJECTED run opponent: found one from outside, required the class's to be replayed")
    each = [entry["constants"] for entry in old["runs"]]
    constants = next((found for found in each if found["c"] != "none"), each[0])
    given: dict[str, Any] = {
        name: None if constants[name] in ("none", "6(e-2)") else constants[name] for name in ("c", "C_0", "factor")
    }
    again = run(
        certificate,
        episodes=old["episodes"],
        seeds=old["seeds"],
        algorithm=[owns.get(entry["algorithm"], entry["algorithm"]) for entry in old["runs"]],
        constants=constants["kind"],
        delta=constants["delta"],
        **given,
        ties=old["ties"],
        warmup="horizon" if old["warmup"] == "memory" else old["warmup"],
        transient=old["transient"],
        net=constants["oracle"].get("asked") if "oracle" in constants else None,
        truth=old["truth"] if old["truth_given"] else None,
        jobs=jobs,
        progress=None if progress is None else partial(progress, "seeds"),
    ).document
    apart = ("packages", "sha256", "certificate_file")
    for entry, other in zip(old["runs"], again["runs"], strict=True):
        if "source" in entry:
            other["source"] = entry["source"]  # the digests were compared, where the record has one
    for name in old:
        if name not in apart and canonical_bytes(old[name]) != canonical_bytes(again[name]):
            return RunVerdict(False, f"REJECTED run {name}: found other results, required those of a replay")
    return RunVerdict(True, f"VERIFIED run {record.sha256} replayed {counted(len(old['seeds']), 'seed')}", record)
