"""Writes a certificate as Coq files: the class, and one file of theorems per claim that has a checker in ``formal/``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pomgcheck import outputs
from pomgcheck.exporters.coq.intervals import class_on_intervals, statement_on_intervals
from pomgcheck.exporters.coq.stated import Stated, proved
from pomgcheck.exporters.coq.terms import describable
from pomgcheck.exporters.coq.theorems import model_definition, statement
from pomgcheck.kernel.check import read_options
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import long_integers

__all__ = ["Development", "development", "write"]

MODEL = "Model"
OPENED = "Open Scope Q_scope. Open Scope string_scope. Open Scope list_scope. Open Scope nat_scope."


@dataclass(frozen=True)
class Development:
    """This holds the Coq files of a certificate, by name without ending, and every claim with what of it is in them."""

    files: Mapping[str, str]
    claims: tuple[Stated, ...]


def development(certificate: Mapping[str, Any]) -> Development:
    """Return the files of a certificate's document.

    Raises ``InputError`` for a class that no finite document describes, and ``LimitExceeded`` for numbers
    that Coq would read for too long.
    """
    with long_integers():
        game = Game(certificate["model"])
        describable(game)
        facts = Facts(game, read_options(certificate["options"], game))
        settled = {entry["id"]: entry for entry in certificate["claims"]}
        model, stated = model_definition, statement
        if not game.finite:
            model, stated = class_on_intervals, statement_on_intervals
        defined = model(facts)
        claims = tuple(stated(facts, entry, settled) for entry in settled.values())
    head = f"certificate {certificate['sha256']}, model {certificate['model_sha256']}"
    files = {MODEL: model_file(head, game, defined, claims)}
    files |= {claim.module: claim_file(head, claim) for claim in claims if claim.theorems}
    return Development(files, claims)


def model_file(head: str, game: Game, model: str, claims: tuple[Stated, ...]) -> str:
    """Return the class, and what is claimed of it."""
    name = re.sub(r"[^\w .-]", "_", game.name, flags=re.ASCII)
    library = "OrderedField Statements WeakRevealing" + (" IntervalClass" if not game.finite else "")
    rows = "\n".join(f"      {claim.claim}: {claim.verdict}; {told(claim)}" for claim in claims)
    return f"""(** The class {name}: {head}.
    Its claims, each in the file of its name where there is one:
{rows} *)
From Pomgcheck Require Import {library}.
{OPENED}

{model}"""


def told(claim: Stated) -> str:
    """Return where a claim stands in Coq, and what of it does not; the text is safe within a comment."""
    found = [f"{claim.module}.v" if claim.theorems else "not in Coq", *([claim.left] if claim.left else [])]
    return re.sub(r'[*"]', "'", ": ".join(found))


def claim_file(head: str, claim: Stated) -> str:
    """Return the theorems of one claim."""
    left = f"\n    Not in this file: {claim.left}." if claim.left else ""
    definitions = f"{claim.definitions}\n\n" if claim.definitions else ""
    imports = f"\n{claim.imports}" if claim.imports else ""
    requires = " ".join(dict.fromkeys(("OrderedField", "Statements", *claim.requires)))
    return f"""(** {claim.claim} of {head}.{re.sub('[*"]', "'", left)} *)
From Pomgcheck Require Import {requires}.
From Certificate Require Import {MODEL}.{imports}
{OPENED}

{definitions}{proved(*claim.theorems)}"""


def write(found: Development, folder: Path) -> list[Path]:
    """Write the files into a folder, which is made where it does not exist, and return their paths."""
    return outputs.write_all(folder, {f"{name}.v": source for name, source in found.files.items()}, "path")
