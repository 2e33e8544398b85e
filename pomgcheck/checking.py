"""Checks whether a file stands: certificates by the kernel alone, others by their digests, and on demand by doing
everything again.

What a file is, its own words say (the format that JSON declares, the digests that a report is stamped with), not its
name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel import check
from pomgcheck.kernel.check import Verdict
from pomgcheck.kernel.reading import Malformed, canonical_bytes, digest, read_json
from pomgcheck.stored import NAMES, TOLD, form, kind_of, of_another_kind, read_bytes

if TYPE_CHECKING:
    from pomgcheck.certificate import Certificate
    from pomgcheck.modelclass.model import ModelClass

HTML = re.compile(r"\s*<(!doctype )?html\b", re.IGNORECASE)  # how a page begins


def verify(
    source: str | Path | Certificate,
    model: str | Path | ModelClass | None = None,
    *,
    replay: bool = False,
    beside: Sequence[str | Path] = (),
    algorithms: Sequence[object] = (),
    progress: Callable[[str], Any] | None = None,
    jobs: int = 1,
) -> Verdict:
    """Check a certificate, a run record, a sweep, an experiment, a repair or a report; nothing that it says is
    believed.

    ``source`` is its path, or a ``Certificate``. ``model`` is what it must be about: a ``ModelClass`` or what `load`
    takes. With ``replay`` a run's seeds, a sweep's points, an experiment or a repair are also done again. What a run or a
    report names is looked for among the files ``beside`` it, then in its folder. ``algorithms`` are the own ones of a run
    that is replayed, as `run` took them; their code is executed, and no other. ``progress`` makes, of a title, a
    context that shows how far a replay is; ``jobs`` is the number of processes of a replay.

    Returns a `Verdict`, which is true where the file stands. Raises ``InputError`` for a file of none of these kinds,
    or one that names a file that is not there.
    """
    expected = None if model is None else canonical(model)
    if isinstance(document := getattr(source, "document", None), dict):
        if document.get("format") != check.FORMAT:
            raise InputError("verify", repr(source)[:60], "a certificate, or a path", "save it, and give the path")
        return check.verify_bytes(canonical_bytes(document), expected)
    if not isinstance(source, str | Path):
        raise InputError("verify", repr(source)[:60], f"the path of {TOLD}")
    return Checked(expected, replay, [Path(each) for each in beside], progress, algorithms, jobs).verdict(Path(source))


def canonical(model: str | Path | ModelClass) -> bytes:
    """Return the canonical document of a model."""
    if hasattr(model, "canonical_json"):
        return model.canonical_json()
    from pomgcheck.loading import load

    return load(model).canonical_json()


@dataclass(frozen=True)
class Checked:
    """This checks files with the same demands; each file is told from the others by what it says it is."""

    model: bytes | None
    replay: bool
    given: Sequence[Path]
    progress: Callable[[str], Any] | None = None
    algorithms: Sequence[object] = ()
    jobs: int = 1

    def verdict(self, path: Path) -> Verdict:
        """Return whether the file stands, and the line that says so."""
        data = read_bytes(path, TOLD)
        declared = form(data)
        answers = {
            "run": self.of_run,
            "sweep": self.of_sweep,
            "experiment": self.of_experiment,
            "repair": self.of_repair,
        }
        if answer := answers.get(kind_of(declared) or ""):
            return answer(path)
        if not declared and (stamps := stamps_in(data)):
            return self.of_report(path, stamps, data)
        if refusal := of_another_kind(path, data, declared):
            raise refusal
        return check.verify_bytes(data, self.model)

    def about(self, kind: str, found: str) -> Verdict | None:
        """Return the rejection of a file that is about another model than was demanded, or ``None``."""
        if self.model is None or (required := digest(read_json(self.model))) == found:
            return None
        return rejected(kind, "model_sha256", found, required)

    def of_run(self, path: Path) -> Verdict:
        """Check a run record: its digest, the certificate it ran under, and on demand every seed again."""
        from pomgcheck.learner.replay import verify_run

        alone = verify_run(path)
        if alone.record is None:
            return Verdict(False, alone.line)
        document = alone.record.document
        if (other := self.about("run", document["model_sha256"])) is not None:
            return other
        certificate = named_by(path, "certificate", document["certificate_sha256"], self.given)
        with self.shown("replaying the run") as bar:
            found = verify_run(path, certificate, self.replay, self.algorithms, self.jobs, bar)
        return Verdict(*found[:2])

    def of_sweep(self, path: Path) -> Verdict:
        """Check a sweep: its digests and the class of each point, and on demand certify every point again."""
        from pomgcheck.search.sweep import verify_sweep

        with self.shown("replaying the sweep") as bar:
            found = verify_sweep(path, self.replay, self.jobs, bar)
        other = self.about("sweep", found.sweep.document["model_sha256"]) if found.sweep is not None else None
        return Verdict(*found[:2]) if other is None else other

    def of_experiment(self, path: Path) -> Verdict:
        """Check an experiment: its digest, the certificate it ran under, and on demand do all of it again."""
        from pomgcheck.experiments.record import ExperimentRecord
        from pomgcheck.experiments.replay import verify_experiment

        try:
            record = ExperimentRecord.load(path)
        except InputError as error:
            return rejected("experiment", error.where, error.found, error.required)
        stamp = record.content.certificate
        if (other := self.about("experiment", stamp.model_sha256)) is not None:
            return other
        certificate = named_by(path, "certificate", stamp.sha256, self.given)
        with self.shown("replaying the experiment") as bar:
            return Verdict(*verify_experiment(record, certificate, self.replay, bar, self.jobs))

    def of_repair(self, path: Path) -> Verdict:
        """Check a repair: its digests, the certificate that it is for, and on demand seek it again."""
        from pomgcheck.remedies import Floor, LargestBox, RepairRecord

        try:
            record = RepairRecord.load(path)
        except InputError as error:
            return rejected("repair", error.where, error.found, error.required)
        if (other := self.about("repair", record.model_sha256)) is not None:
            return other
        rest, stated = record.model, record.content.model_sha256
        if stated != (rest and rest.sha256):
            return rejected("repair", "model", f"the class {rest and rest.sha256}", f"{stated}, as it says")
        source = named_by(path, "certificate", record.certificate_sha256, self.given)
        judged = check.verify_bytes(source.read_bytes())
        if judged.certificate is None or judged.certificate["model_sha256"] != record.model_sha256:
            return rejected("repair", "certificate", judged.line, "one of the class that is repaired")
        stands = f"VERIFIED repair {record.sha256} certificate {record.certificate_sha256}"
        if not self.replay:
            return Verdict(True, stands)
        from pomgcheck.certificate import Certificate
        from pomgcheck.loading import load
        from pomgcheck.repairing import TIME, repaired

        found, certificate = record.content, Certificate(judged.certificate)
        wanted = found.target if isinstance(found, Floor) else None
        seconds = float(min(found.limit, Fraction(10**9))) if isinstance(found, LargestBox) else TIME
        with self.shown("seeking the repair again") as bar:
            again = repaired(load(certificate.model), certificate, wanted, self.jobs, seconds, bar)
        if again != record:
            return rejected("repair", "found", "another repair", "that of a replay")
        return Verdict(True, f"{stands} replayed")

    def of_report(self, path: Path, stamps: dict[str, str], data: bytes) -> Verdict:
        """Check a report by the records whose digests it prints.

        A page in HTML holds these records; it is made again from them and compared. Of other forms the words are not
        checked.
        """
        from pomgcheck.reporting import otherwise

        page = data.decode("utf-8", errors="replace")
        with TemporaryDirectory() as folder:
            inside = unpacked(page, Path(folder)) if HTML.match(page) else {}
            known = [*inside, *self.given]
            sources = [
                (kind, named_by(path, kind, sha256, known))
                for family in NAMES
                for stamped, sha256 in stamps.items()
                if (kind := stamped.partition("-")[0]) == family
            ]
            around = sorted(path.parent.glob("*.json"))  # where a record that the page holds names another
            each = Checked(self.model, False, [*known, *(source for _, source in sources), *around], self.progress)
            names = [(kind, source, inside.get(source, source.name) or "inside it") for kind, source in sources]
            for kind, source, name in names:
                verdict = each.verdict(source)
                if not verdict.accepted:
                    return Verdict(False, f"REJECTED report: its {kind} {name}: {verdict.line}")
            told = " and ".join(f"{kind} {name}" for kind, _, name in names)
            if not HTML.match(page):
                return Verdict(True, f"VERIFIED {told} of a report; its own words are not checked")
            differs = otherwise(page, made_of(page, path, known) or [record_in(source) for _, source in sources])
        if differs:
            return Verdict(False, f"REJECTED report {differs}")
        stand = "they stand" if len(names) > 1 else "it stands"
        return Verdict(True, f"VERIFIED report, word for word what its records make: {told}; {stand}")

    def shown(self, title: str) -> Any:
        """Return a context that shows the progress of a replay."""
        from contextlib import nullcontext

        return nullcontext() if self.progress is None or not self.replay else self.progress(title)


def rejected(kind: str, where: str, found: str, required: str) -> Verdict:
    """Return the verdict on a file that is not as it should be."""
    return Verdict(False, f"REJECTED {kind} {where}: found {found}, required {required}")


def stamps_in(data: bytes) -> dict[str, str]:
    """Return the digests that a report is stamped with; the mapping is empty where the file is not a report."""
    if b"pomgcheck-" not in data:
        return {}
    from pomgcheck.reporting import digests_in

    return digests_in(data.decode("utf-8", errors="replace"))


def unpacked(page: str, folder: Path) -> dict[Path, str]:
    """Return the records that a page in HTML holds, as files in a folder, each with the name that it has in the page."""
    from pomgcheck.reporting.embedded import held_in

    found = {}
    for k, held in enumerate(held_in(page)):
        if held.kind != "model" and held.document is not None:
            path = folder / f"{k}.json"
            path.write_bytes(canonical_bytes(held.document))
            found[path] = held.name
    return found


def made_of(page: str, path: Path, known: Sequence[Path]) -> list[tuple[dict[str, Any], str]]:
    """Return the records that a page says it was made of, in order, with the names of their files; those that it does
    not hold are looked for."""
    from pomgcheck.reporting.embedded import held_in

    records = []
    for held in held_in(page):
        document = held.document
        if document is None:
            document, _ = record_in(named_by(path, held.kind, held.outside, known))
        if held.kind != "model":  # the class of a certificate, which comes again with it
            records.append((document, held.name))
    return records


def record_in(source: Path) -> tuple[dict[str, Any], str]:
    """Return a record that has been checked, with the name of its file."""
    document: dict[str, Any] = read_json(source.read_bytes())
    return document, source.name


def named_by(path: Path, kind: str, sha256: str, given: Sequence[Path]) -> Path:
    """Return the path of the certificate or record of this digest, among the files given or in the folder of ``path``.

    An altered file still states the digest it had; a sound one is preferred, so that a spoiled copy does no harm.
    """
    from pomgcheck.records import read

    altered = None
    for candidate in (*given, *sorted(path.parent.glob("*.json"))):
        try:
            value = read_json(candidate.read_bytes())
        except (OSError, Malformed):
            continue
        if isinstance(value, dict) and value.get("sha256") == sha256:
            try:
                read(candidate)
            except PomgcheckError:
                altered = altered or candidate
            else:
                return candidate
    if altered is not None:
        return altered
    found, required = f"no {kind} {sha256[:16]}… beside the file", f"the {kind} that it names"
    raise InputError("", found, required, "give that file too").inside(str(path))
