"""``pomgcheck import``: makes a POMDP, a Dec-POMDP or a game tree a model class, to certify and to edit."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from pomgcheck.cli import files
from pomgcheck.cli.options import flags_named
from pomgcheck.cli.terminal import READING, bare_table, print_table, width
from pomgcheck.errors import InputError

if TYPE_CHECKING:
    from pomgcheck.modelclass.model import ModelClass

ADVERSARY = (
    "What the adversary can do to a .pomdp: nothing, jam what the learner sees, shift the state to the next one, or "
    "both (joint). In other files the second agent is the adversary (joint)."
)
UNKNOWN = (
    "An unknown probability of the worlds, and its values. KIND is what it is the probability of. emission: a move "
    "shows an observation drawn uniformly. transition: it leads to a state drawn uniformly. deal: the first chance "
    "move has its first outcome. Repeat it for other kinds."
)
POLICIES = (
    "The learner's policies. routing: constant ones. reactive: maps from the file's observations to actions. "
    "all-deterministic: maps from all that is seen, rewards too. equilibrium[:alpha=VALUE,…]: Kuhn poker's equilibria, "
    "and some policies that are none. FILE: those of a .toml or .json file."
)
RESPONSES = (
    "How the adversary answers the last policies. deterrence: it acts less the more they act. tilt: it leans to what "
    "costs them. exploit: it leaves Kuhn poker's equilibrium for what beats them. table:FILE: as a file says. "
    "After any of the others, :y=VALUE,… sets the values of its sensitivity."
)
REPAIR = "What to do with rows that do not sum to one: divide them by their sums, or correct their largest entries."
TRUTH = "The true values of unknowns, for runs; by default the first of each."


def command(
    file: Annotated[
        str, Argument(metavar="FILE|openspiel:NAME", help="A .pomdp, .dpomdp or .efg file, or a game of OpenSpiel.")
    ],
    output: Annotated[Path | None, Option("--output", "-o", help="X.toml or X.json.", show_default="NAME.toml")] = None,
    horizon: Annotated[
        int | None,
        Option(metavar="N", help="The number of moves of an episode; a game tree has its own.", show_default="3"),
    ] = None,
    learner: Annotated[int, Option(metavar="K", help="Which agent or player is the learner.")] = 1,
    adversary: Annotated[
        Literal["none", "jam", "shift", "joint"] | None,
        Option(help=ADVERSARY, show_default="none, or joint where there is one"),
    ] = None,
    unknown: Annotated[list[str] | None, Option(metavar="KIND:NAME=VALUE,…", help=UNKNOWN)] = None,
    policies: Annotated[
        str | None,
        Option(
            metavar="KIND|FILE",
            help=POLICIES,
            show_default="reactive up to 64, else routing; equilibrium for Kuhn poker",
        ),
    ] = None,
    responses: Annotated[
        str | None, Option(metavar="FAMILY", help=RESPONSES, show_default="deterrence; exploit for Kuhn poker")
    ] = None,
    memory: Annotated[int, Option(metavar="M", help="How many policies the adversary remembers.", min=1)] = 2,
    truth: Annotated[list[str] | None, Option(metavar="NAME=VALUE,…", help=TRUTH)] = None,
    repair: Annotated[Literal["normalise", "largest"] | None, Option(help=REPAIR, show_default="refuse them")] = None,
    labels: Annotated[
        Literal["names", "numbers"], Option(help="Take labels from the file, or number them from 0.")
    ] = "names",
    name: Annotated[
        str | None, Option(metavar="NAME", help="The name of the class.", show_default="the file's")
    ] = None,
    as_json: Annotated[bool, Option("--json", help="Print what was made as JSON, and nothing else.")] = False,
) -> int:
    """Read a model of another program, exactly, and make it a class: with unknowns, policies and an adversary.

    Everything chosen, scaled or repaired is recorded in the document, which is yours to edit.
    """
    from pomgcheck.importers import ARGUMENTS, import_model
    from pomgcheck.importers.choices import read_point

    files.document(output, file)
    with flags_named(*ARGUMENTS):
        model = import_model(
            file,
            horizon=horizon,
            learner=learner,
            adversary=adversary,
            unknown=unknown or (),
            policies=policies,
            responses=responses,
            memory=memory,
            truth=read_point(truth or (), "truth"),
            repair=repair,
            labels=labels,
            name=name,
        )
    path = output or files.writable(files.named(model.name, ".toml"))
    if output is None and path.exists():  # it may have been edited since
        fix = f"-o {shlex.quote(str(path))} replaces it"
        raise InputError("--output", f"{path}, which is there already", "a new name", fix)
    from pomgcheck.modelclass.toml_text import toml_text

    files.write_document(model, path, toml_text(model.authored))  # as it was made, to read and edit
    shown(model, path, as_json)
    return 0


def shown(model: ModelClass, path: Path, as_json: bool) -> None:
    """Print what was made, where it is and what to type next."""
    from textwrap import fill

    from rich.text import Text

    game = model.document["game"]
    sizes = {key: len(value) for key, value in game.items() if isinstance(value, list) and key != "reward"}
    if as_json:
        facts: dict[str, Any] = {
            "model": model.name,
            "model_sha256": model.sha256,
            "path": str(path),
            "horizon": model.H,
            "sizes": sizes,
            "worlds": model.thetas,
            "responses": model.phis,
            "policies": len(model.policies),
            "memory": model.m,
            "truth": model.document.get("truth"),
            "source": model.document["source"],
        }
        print(json.dumps(facts, indent=1, ensure_ascii=False))
        return
    table = bare_table("Part", "Size", "Of")
    for title, size, what in parts(model, sizes):
        table.add_row(title, f"{size:,}", Text(what, overflow="ellipsis", no_wrap=True))
    print_table(table)
    source = f"{model.name}: {model.document['source']}."
    print(fill(source, min(width(), READING), break_long_words=False, break_on_hyphens=False))
    print(f"\nModel class: {path} (sha256 {model.sha256[:16]}…)\n\nNext:")
    print(files.typed("certify", path, "-o", path.with_suffix(".cert.json")))


def parts(model: ModelClass, sizes: dict[str, int]) -> list[tuple[str, int, str]]:
    """Return the rows of the table: what, how many, which."""
    game = model.document["game"]
    rows = [("steps", model.H, "")]
    rows += [(key.replace("_", " "), size, ", ".join(game[key])) for key, size in sizes.items()]
    for side, count in (("worlds", model.thetas), ("responses", model.phis)):
        axes = model.document[side].get("parameters", {})
        values = ", ".join(f"{name} in {', '.join(axis['values'])}" for name, axis in axes.items() if "values" in axis)
        rows.append((side, count or 0, values))
    return [*rows, ("policies", len(model.policies), ", ".join(model.policies))]
