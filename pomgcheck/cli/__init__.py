"""The command line, one module a command: what a user types, what is printed, and how it ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated

import typer

from pomgcheck.cli import (
    certify,
    demo,
    experiment,
    explain,
    export,
    gallery,
    import_,
    repair,
    report,
    run,
    sweep,
    verify,
)  # fmt: skip
from pomgcheck.cli.ending import ending, told

__all__ = ["app", "main"]

EPILOG = (
    "Exit codes: 0 certified or verified, 1 refuted or rejected, 2 unusable input, 3 gave up, 4 an error of our own. "
    "MODEL is a .toml or .json document, a name of the gallery, or file.py:function."
)

app = typer.Typer(
    name="pomgcheck",
    help="Certify a class of partially observable Markov games, check certificates, and run the learner.",
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for module in (certify, verify, explain, repair, report, run, experiment, sweep, import_, export, gallery, demo):
    name = module.__name__.rpartition(".")[2].rstrip("_")  # ``import`` is no name for a module
    app.command(name, no_args_is_help=name not in ("gallery", "demo"))(ending(module.command))


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from pomgcheck import __version__

        print(f"pomgcheck {__version__}")
        raise typer.Exit


VERSION = typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)


@app.callback()
def options(version: Annotated[bool, VERSION] = False) -> None:
    """Options of the program as a whole."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; it ends by :class:`SystemExit`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Greek letters still gets the rest
    try:
        app(arguments, prog_name="pomgcheck")
    except Exception as error:  # a command's own are told by ``ending``
        sys.exit(told(error))
