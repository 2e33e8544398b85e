"""Puts the options of a certificate on the command line: one flag for each field of `pomgcheck.options.Options`, with
its words and default; and holds the options that several commands have.

Errors that name a field of `Options` or an argument of a verb are told with the flag that was typed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, get_origin, get_type_hints

from typer import Option

from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel.limits import CAPS
from pomgcheck.options import Options, meaning

FLAGS = {
    "T": "--horizon-episodes",
    "limits": "--limits",
    "path": "--output",
}  # field -> its flag, where that is not --FIELD
METAVARS = {"tol": "NUMBER", "delta": "NUMBER", "T": "T", "reference": "NUMBER,…", "limits": "NAME=COUNT,…"}
SHOWN = {"tol": "1e-6", "delta": "0.05", "limits": None}  # defaults as one would type them

Command = Callable[..., int]
Jobs = Annotated[int, Option(metavar="N", help="The number of processes.", min=1)]
Cluster = Annotated[
    str | None,
    Option(metavar="ADDRESS", help="A Dask cluster to work on: tcp://HOST:PORT, or local:N (docs/cluster.md)."),
]


def to_write(default: str) -> Any:
    """Return the option of the file that a command writes, whose ``default`` is named after the class."""
    return Option("--output", "-o", help="The file to write.", show_default=default)


def flag(name: str) -> str:
    """Return the flag of a field of Options, or of an argument that has the name of its flag."""
    return FLAGS.get(name, f"--{name.replace('_', '-')}")


def with_options(*, left_out: tuple[str, ...] = (), or_the_certificate_s: bool = False) -> Callable[[Command], Command]:
    """Give a command a flag for each field of Options except those ``left_out``.

    The command receives what was typed as keyword arguments, read by ``given``. With ``or_the_certificate_s`` the
    command may take the options of a certificate instead, and the help says so.
    """

    def decorate(command: Command) -> Command:
        hints = get_type_hints(Options)
        own = [p for p in signature(command, eval_str=True).parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        added = []
        for field, said, _, _ in meaning():
            if field.name in left_out:
                continue
            hint, name = hints[field.name], field.name
            choice = get_origin(hint) is Literal
            kind: Any = hint if choice or hint is int else str
            default = SHOWN.get(name, None if field.default is MISSING else field.default)
            shown = f"the certificate's, or {default}" if or_the_certificate_s and default is not None else default
            metavar = None if choice else METAVARS.get(name)
            option = Option(flag(name), help=said, metavar=metavar, show_default=False if shown is None else str(shown))
            annotation = Annotated[kind | None, option]
            added.append(Parameter(name, Parameter.KEYWORD_ONLY, default=None, annotation=annotation))

        @wraps(command)
        def called(**typed: Any) -> int:
            with flags_named():
                return command(**typed)

        del called.__wrapped__
        called.__signature__ = signature(command).replace(parameters=[*own, *added])  # type: ignore[attr-defined]
        called.__annotations__ = {p.name: p.annotation for p in (*own, *added)} | {"return": int}
        return called

    return decorate


def given(typed: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of Options that were typed, as Options takes them."""
    found = {name: value for name, value in typed.items() if value is not None}
    if "limits" in found:
        found["limits"] = limits(found["limits"], tuple(CAPS))
    if found.get("reference", "uniform") != "uniform":
        found["reference"] = tuple(found["reference"].split(","))
    return found


def limits(text: str, known: tuple[str, ...]) -> dict[str, int]:
    """Return ``coordinates=200000,trajectories=5000000`` as counts by name."""
    pairs = [entry.partition("=") for entry in text.split(",")]
    for name, _, value in pairs:
        if name not in known or not re.fullmatch(r"[0-9]{1,18}", value, re.ASCII):
            raise InputError("--limits", repr(f"{name}={value}"), f"NAME=COUNT with NAME one of {', '.join(known)}")
    return {name: int(value) for name, _, value in pairs}


ARGUMENTS = (
    "only",
    "jobs",
    "cluster",
    "time_limit",
    "claim_limit",
    "resume",
    "vary",
    "certificates",
    "path",
)  # of more than one verb


@contextmanager
def flags_named(*arguments: str) -> Iterator[None]:
    """Tell an error of a field of Options, or of one of these arguments of a verb, with its flag.

    What an error says to give, as in ``adversary="jam"``, is told as it is typed, ``--adversary jam``.
    """
    names = {each.name for each in fields(Options)} | {*ARGUMENTS, *arguments}
    given = re.compile(rf'\b({"|".join(sorted(names))})="([^"]*)"')
    try:
        yield
    except PomgcheckError as error:
        name, dot, rest = error.where.removeprefix("options.").partition(".")
        name = {"lipschitz_form": "lipschitz"}.get(name, name)
        name = name.partition("[")[0]
        if not error.source and name in names:
            error.where = flag(name) + (f" {rest}" if dot else "")
        error.fix = given.sub(lambda found: f"{flag(found[1])} {found[2]}", error.fix)
        raise
