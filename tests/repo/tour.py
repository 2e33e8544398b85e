"""What the README says that can be made: what its commands print, and the map of files.

``python -m tests.repo.tour`` writes both anew.
"""

from __future__ import annotations

import code
import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from pomgcheck.cli import main
from tests.repo.source import PACKAGE, ROOT, in_order, modules, summary

README = ROOT / "README.md"
MODULES = ROOT / "docs" / "map.md"
PAGES = sorted((ROOT / "docs").glob("**/*.md"))
MAP = re.compile(r"(?<=<!-- map -->\n).*?(?=<!-- end of map -->)", re.DOTALL)
PARTS = (
    "version",
    "errors",
    "outputs",
    "kernel",
    "options",
    "stored",
    "evidence",
    "outline",
    "certificate",
    "processes",
    "modelclass",
    "importers",
    "gallery",
    "sources",
    "loading",
    "remedies",
    "search",
    "arena",
    "learner",
    "setting",
    "played",
    "environments",
    "statements",
    "reporting",
    "records",
    "repairing",
    "explaining",
    "exporters",
    "experiments",
    "serving",
    "checking",
    "cli",
    "__init__",
    "__main__",
)
FILE = re.compile(r'^```\w+ title="(.+?)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)  # what a page tells to write
BLOCK = re.compile(r"(?<=^```)(console|pycon)\n(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)


def played(text: str, folder: Path) -> str:
    """``text`` with the output of every block replaced by what its commands print now, run in ``folder``, where the
    files that the page shows are."""
    for part in ("certificates", "examples"):
        shutil.copytree(ROOT / part, folder / part)
    for file in FILE.finditer(text):
        (folder / file[1]).write_text(file[2], encoding="utf-8")
    names: dict[str, object] = {"__name__": "__console__"}  # all prompts of a page are one session
    players = {"console": lambda block: console(block, folder), "pycon": lambda block: pycon(block, folder, names)}
    return BLOCK.sub(lambda match: f"{match[1]}\n{players[match[1]](match[2])}", text)


def console(block: str, folder: Path) -> str:
    """Lines that start with ``$`` are commands: of pomgcheck, played in this process, or of Python."""
    out = []
    for line in block.splitlines():
        if line.startswith("$ "):
            program, *words = shlex.split(line[2:])
            out.append(f"{line}\n{(scripted if program == 'python' else commanded)(words, folder)}")
    return "\n".join(out)


def commanded(words: list[str], folder: Path) -> str:
    """What a command of pomgcheck prints, on whichever stream, where no terminal is."""
    shown = io.StringIO()
    with patch.dict(os.environ), contextlib.chdir(folder):
        os.environ.pop("COLUMNS", None)
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown), contextlib.suppress(SystemExit):
            main(words)
    return shown.getvalue()


def scripted(words: list[str], folder: Path) -> str:
    """What a script prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.stdout


def pycon(block: str, folder: Path, names: dict[str, object]) -> str:
    """Lines that start with ``>>>`` or ``...`` are typed at a prompt."""
    out: list[str] = []
    prompt = code.InteractiveConsole(names)
    with contextlib.chdir(folder):
        for line in block.splitlines():
            if line.startswith((">>> ", "... ")) or line == "...":
                shown = io.StringIO()
                with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
                    prompt.push(line[4:])
                out.append(f"{line}\n{shown.getvalue()}")
    return "".join(out)


CHANGING = (
    (re.compile(r"(?<= )[0-9]+\.[0-9]{3}$", re.MULTILINE), "#.###"),  # seconds of a claim, last in its row
    (re.compile(r"(?<=<div>)[0-9]+\.[0-9]{3}(?=</div>)"), "#.###"),  # the same in a notebook's table
    (re.compile(r"\b[0-9]+\.[0-9]{3} s\b"), "#.### s"),
    (re.compile(r"(run(?: record: \S+ \(sha256)? )[0-9a-f]{16,64}", re.IGNORECASE), r"\1#"),  # names package versions
    (re.compile(r" +"), " "),  # columns move with the length of the seconds
)


def settled(text: str) -> str:
    """The text without what differs from one machine to the next: seconds, and digests of runs."""
    for pattern, words in CHANGING:
        text = pattern.sub(words, text)
    return text


def commands(text: str) -> Iterator[str]:
    """The set-up commands, in order."""
    for match in re.finditer(r"^```sh\n(.*?)\n```$", text, re.MULTILINE | re.DOTALL):
        yield match[1]


def mapped(whole: bool = True) -> str:
    """The map: a line a file, each after those it uses; or a line per part."""
    paths, lines = modules(), []
    for part in PARTS:
        names = [name for name in paths if name.partition(".")[0] == part]
        for name in in_order(names) if whole else [part]:
            place = paths[name].relative_to(PACKAGE).as_posix().removesuffix("/__init__.py")
            inside = place.partition("/")[2]
            shown = f"  - `{inside}{'' if inside.endswith('.py') else '/'}`" if inside else f"- `{place}`"
            lines.append(f"{shown} {summary(paths[name]).replace('``', '`')}")
    return "\n".join(lines) + "\n"


def modules_page() -> str:
    """The manual's page of all modules, which is made and not written."""
    said = "Every module of the package, in its own words. Each part uses only parts above it: a test walks the imports"
    return f"# Where things are\n\n{said}.\n\n{mapped()}"


def write(page: Path, text: str) -> None:
    """The page with what its blocks print now."""
    with TemporaryDirectory() as folder:
        page.write_text(played(text, Path(folder)), encoding="utf-8")


if __name__ == "__main__":
    MODULES.write_text(modules_page(), encoding="utf-8")
    write(README, MAP.sub(lambda _: mapped(whole=False), README.read_text(encoding="utf-8")))
    for page in PAGES:
        write(page, page.read_text(encoding="utf-8"))
