"""Ends a command with its exit code, and with one sentence on stderr where something went wrong."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import ParamSpec, TextIO

import typer

from pomgcheck.cli.terminal import painter
from pomgcheck.errors import PomgcheckError

Parameters = ParamSpec("Parameters")

UNUSABLE, INTERNAL, INTERRUPTED, PIPE_CLOSED = 2, 4, 130, 141


def ending(command: Callable[Parameters, int]) -> Callable[Parameters, None]:
    """Return the command, which then ends with the exit code it returns or the one that belongs to what it raises."""

    @wraps(command)
    def ended(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        try:
            code = command(*args, **kwargs)
            sys.stdout.flush()
        except KeyboardInterrupt as stop:
            code = complain(f"interrupted; {stop if str(stop) else 'nothing was written'}", INTERRUPTED)
        except BrokenPipeError:  # the reader of our output has gone
            nowhere(sys.stdout)
            code = PIPE_CLOSED
        except Exception as error:  # everything else a command can raise is told in a sentence
            code = told(error)
        raise typer.Exit(code)

    return ended


def nowhere(stream: TextIO) -> None:
    """Discard what is still to be written to a stream that takes no more, so that leaving adds no complaint."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def told(error: Exception) -> int:
    """Say what went wrong, and return the exit code."""
    if os.environ.get("POMGCHECK_DEBUG") == "1":
        traceback.print_exception(error)
    if isinstance(error, PomgcheckError):
        return complain(str(error), error.exit_code)
    if isinstance(error, OSError):
        if error.filename is None:  # the stream that our output goes to, or a disk that is full
            nowhere(sys.stdout)
        place = "" if error.filename is None else f"{error.filename}: "
        return complain(f"{place}{error.strerror or error}", UNUSABLE)
    if isinstance(error, ModuleNotFoundError):  # of ours; an optional package is a ``MissingDependency``
        installs = f"found no package {error.name}, required it; pip install pomgcheck installs what is missing"
        return complain(installs, UNUSABLE)
    if isinstance(error, MemoryError):
        return complain("this machine has not enough memory for this; use a smaller class, or ask for less", UNUSABLE)
    kind = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    report = f"internal error ({kind}); please report it, with command and model (POMGCHECK_DEBUG=1 shows where)"
    return complain(report, INTERNAL)


def complain(sentence: str, code: int) -> int:
    """Print one sentence on stderr, and return ``code``."""
    print(f"{painter(sys.stderr)('refuted', 'pomgcheck:')} {sentence}", file=sys.stderr)
    return code
