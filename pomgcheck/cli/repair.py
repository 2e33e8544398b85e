"""``pomgcheck repair``: the least that must change for what is refuted or weak to hold."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from pomgcheck.cli import files
from pomgcheck.cli.options import flag, given, with_options
from pomgcheck.cli.terminal import READING, painter, progress, solvers_quiet, width
from pomgcheck.errors import InputError
from pomgcheck.options import exact
from pomgcheck.outputs import write

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass
    from pomgcheck.search.certificate import Certificate

TARGET = "With --floor, the alpha to reach; implies --floor."
OUTPUT = "Write the repaired class, X.toml or X.json."


@with_options(left_out=("T", "delta", "reference"), or_the_certificate_s=True)
def command(
    source: Annotated[str, Argument(metavar="CERT|MODEL", help="A certificate, or a model to certify first.")],
    floor: Annotated[bool, Option("--floor", help="Seek a response floor instead of leaving something out.")] = False,
    target: Annotated[str | None, Option(metavar="NUMBER", help=TARGET, show_default="1/10")] = None,
    output: Annotated[Path | None, Option("--output", "-o", help=OUTPUT)] = None,
    jobs: Annotated[int, Option(metavar="N", help="Processes.", min=1)] = 1,
    as_json: Annotated[bool, Option("--json", help="Print the repair as JSON, and nothing else.")] = False,
    **typed: Any,
) -> int:
    """Compute the least repair of a class: worlds, responses and policies to leave out, or a floor of its responses."""
    chosen = given(typed)
    wanted = exact(target or "1/10", "--target") if floor or target else None
    if wanted is not None and wanted <= 0:
        raise InputError("--target", str(wanted), "a positive number")
    if output is not None and files.writable(output).suffix.lower() not in (".toml", ".json"):
        raise InputError("--output", output.name, "a model document, X.toml or X.json")
    with progress("certifying") as bar, solvers_quiet():
        model, certificate = certified(source, chosen, jobs, wanted is not None)
        if bar is not None:
            bar("repairing", 0, 0)
        facts, repaired, settled = repaired_by(model, certificate, wanted, jobs)
    if output is not None and repaired is not None:
        written(repaired, output)
    shown(model, facts, None if repaired is None else output, as_json)
    return 0 if settled else 3


def certified(source: str, chosen: dict[str, Any], jobs: int, floor: bool) -> tuple[ModelClass, Certificate]:
    """A certificate and its model: read, or made of the claims that matter here."""
    from pomgcheck.checking import form, read_sound
    from pomgcheck.loading import load
    from pomgcheck.search.certificate import Certificate

    path = Path(source)
    if path.is_file() and form(path.read_bytes()).startswith("pomgcheck-certificate/"):
        if chosen:
            fix = "give the model to choose others"
            raise InputError(flag(next(iter(chosen))), "an option", "the certificate's own options", fix)
        document = read_sound(path)
        return load(document["model"]), Certificate(document)
    from pomgcheck.search.certify import certify
    from pomgcheck.search.conflicts import DROPPABLE

    model = load(source)
    return model, certify(model, only=("well-specified", *DROPPABLE), jobs=jobs, **chosen)


def repaired_by(
    model: ModelClass, certificate: Certificate, target: Any, jobs: int
) -> tuple[dict[str, Any], ModelClass | None, bool]:
    """(the repair as JSON, the repaired class if there is one, whether nothing is refuted in it)."""
    if target is not None:
        from pomgcheck.search.floor import smallest_floor

        found = smallest_floor(model, certificate, target, jobs=jobs)
        return found.document, found.model, found.settled
    from pomgcheck.search.repair import repair

    dropped = repair(model, certificate, jobs=jobs)
    return dropped.document, dropped.together.model if dropped.together else None, dropped.settled


def written(model: ModelClass, path: Path) -> None:
    """The document, in the form its suffix says."""
    write(path, model.to_toml().encode() if path.suffix.lower() == ".toml" else model.canonical_json())


def shown(model: ModelClass, facts: dict[str, Any], path: Path | None, as_json: bool) -> None:
    """The advice, where the repaired class is and what to type next."""
    if as_json:
        head = {"model": model.name, "model_sha256": model.sha256, "path": None if path is None else str(path)}
        print(json.dumps(head | {"floor" if "target" in facts else "drop": facts}, indent=1, ensure_ascii=False))
        return
    from pomgcheck.reporting import advice

    print(advice.told(facts, width=min(width(), READING), paint=painter(sys.stdout)), end="")
    if path is not None:
        print(f"\nRepaired class: {path}\n\nNext:")
        print(files.typed("certify", path, "-o", path.with_suffix(".cert.json")))
