"""``pomgcheck gallery``: lists the model classes that come with the program, or writes them out."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from pomgcheck import outputs
from pomgcheck.cli.terminal import bare_table, print_table
from pomgcheck.errors import InputError

OUTPUT = "Write NAME.toml, to read and edit, and NAME.model.json, the canonical form, into this folder."


def command(
    name: Annotated[
        str | None, Argument(metavar="NAME", help="A class of the gallery; all of them if left out.")
    ] = None,
    output: Annotated[Path | None, Option("--output", "-o", metavar="DIR", help=OUTPUT)] = None,
) -> int:
    """List the model classes that come with the program, or write them as documents to start from."""
    from pomgcheck import gallery

    if output is not None:
        for each in [name] if name else gallery.names():
            written(each, output)
    elif name is not None:
        sys.stdout.write(gallery.text(name))
    else:
        listed()
    return 0


def written(name: str, folder: Path) -> None:
    """Write both documents of a class."""
    from pomgcheck import gallery

    model = gallery.load(name)
    outputs.made(folder, "--output")
    documents = {
        folder / f"{name}.toml": gallery.text(name).encode(),
        folder / f"{name}.model.json": model.canonical_json(),
    }
    for path, data in documents.items():
        if path.exists() and path.read_bytes() != data:  # it may have been edited since
            found = f"{path}, which is there already and is another text"
            raise InputError("--output", found, "a folder without it", "name another folder, or remove the file")
    for path, data in documents.items():
        outputs.write(path, data)
        print(path)


def listed() -> None:
    """Print one line per class: its name, the claims that a counterexample fails, and what it is."""
    from pomgcheck import gallery

    table = bare_table("Name", "Fails", "What it is")
    for name in gallery.names():
        entry = gallery.entry(name)
        table.add_row(name, ", ".join(entry.fails) or "–", entry.summary)
    print_table(table)
    print("Write one with `pomgcheck gallery NAME -o DIR`, or certify it by name: `pomgcheck certify NAME`.")
