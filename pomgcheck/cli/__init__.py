"""Holds the command line, with one module per command: what a user types, what is printed, and how it ends."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pomgcheck.cli.ending import ending, told

__all__ = ["app", "main"]

EPILOG = (
    "Exit codes: 0 certified or verified, 1 refuted or rejected, 2 unusable input, 3 gave up, 4 a fault of the program. "
    "MODEL is a .toml or .json document, a name of the gallery, or file.py:function."
)

SHORT = {
    "new": "Write a commented document to start from.",
    "certify": "Prove or refute every claim of a class, with a certificate.",
    "verify": "Check certificates, runs, sweeps and reports.",
    "explain": "Say a claim in words, with its proof or counterexample.",
    "serve": "Edit a document on a local page that certifies as you type.",
    "repair": "Find the least change after which refuted claims hold.",
    "report": "Write a page, a paper's appendix, or a comparison.",
    "run": "Run the learner on a certified class.",
    "experiment": "Run the paper's experiments.",
    "sweep": "Certify a class over a grid of its knobs.",
    "import": "Make a class from a POMDP, Dec-POMDP or game-tree file.",
    "export": "Write a world as a POMDP file, or proofs for SMT solvers or Coq.",
    "gallery": "List or write the classes that come with the program.",
    "demo": "See one class through, end to end, in under a minute.",
}  # a command in a line, where all are listed; its module has its name


class Commands(TyperGroup):
    """These are the commands; the module of one is imported when it is typed, since help and version need none of them."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that was typed, with its parameters."""
        if args and args[0] in SHORT:
            self.commands[args[0]] = loaded(args[0])
        return super().resolve_command(ctx, args)


def loaded(name: str) -> Any:
    """Return a command, made of its module."""
    module = import_module(f"pomgcheck.cli.{'import_' if name == 'import' else name}")  # ``import`` is no module's name
    alone = typer.Typer(**PLAIN)
    alone.command(name, no_args_is_help=name not in ("gallery", "demo", "new"))(ending(module.command))
    return typer.main.get_command(alone)


PLAIN: dict[str, Any] = {"add_completion": False, "pretty_exceptions_enable": False, "rich_markup_mode": None}
app = typer.Typer(
    name="pomgcheck",
    cls=Commands,
    help="Certify a class of partially observable Markov games, check certificates, and run the learner.",
    epilog=EPILOG,
    no_args_is_help=True,
    **PLAIN,
)
for command, line in SHORT.items():
    app.command(command, short_help=line)(lambda: None)  # until it is typed


def show_version(wanted: bool) -> None:
    """Print the version and end."""
    if wanted:
        from pomgcheck.version import __version__

        print(f"pomgcheck {__version__}")
        raise typer.Exit


VERSION = typer.Option("--version", help="Print the version.", callback=show_version, is_eager=True)


@app.callback()
def options(version: Annotated[bool, VERSION] = False) -> None:
    """Take the options of the program as a whole."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; it ends with ``SystemExit``."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Greek letters still gets the rest
    try:
        from pomgcheck.kernel.reading import long_integers

        with long_integers():
            app(arguments, prog_name="pomgcheck")
    except Exception as error:  # a command's own are told by ``ending``
        sys.exit(told(error))
