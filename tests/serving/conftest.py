"""A page served by the command, as a user starts it."""

from __future__ import annotations

import http.client
import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import gallery

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


@dataclass
class Served:
    """A running page: its process, its document, and how it is asked."""

    process: subprocess.Popen[str]
    file: Path
    address: str

    @property
    def port(self) -> int:
        """The port of the page."""
        return int(re.findall(r":(\d+)/", self.address)[0])

    @property
    def token(self) -> str:
        """The token of the address."""
        return self.address.rpartition("=")[2]

    @property
    def own(self) -> dict[str, str]:
        """The headers of the page's own questions."""
        return {"Cookie": f"pomgcheck-{self.port}={self.token}", "Content-Type": "application/json"}

    def ask(
        self, path: str, given: Any = None, headers: dict[str, str] | None = None, method: str = ""
    ) -> tuple[int, str, dict[str, str]]:
        """Status, body and headers of an answer; a body makes it a POST, and ``headers`` go over the page's own."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        data = given if given is None or isinstance(given, bytes) else json.dumps(given).encode()
        kept = {key: value for key, value in (self.own | (headers or {})).items() if value}
        connection.request(method or ("GET" if given is None else "POST"), path, data, kept)
        response = connection.getresponse()
        found = response.status, response.read().decode(), dict(response.getheaders())
        connection.close()
        return found

    def told(self, path: str, given: Any) -> Any:
        """What is answered in JSON."""
        return json.loads(self.ask(path, given)[1])

    def end(self) -> int:
        """End it as Ctrl-C does; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


def started(file: Path, *options: str) -> Served:
    """The page of a document."""
    command = [sys.executable, "-m", "pomgcheck", "serve", str(file), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    first = process.stdout.readline()
    found = Served(process, file, first.split()[-1])
    for _ in range(200):  # it listens once the program is loaded
        try:
            found.ask("/")
        except ConnectionError:
            import time

            time.sleep(0.05)
        else:
            break
    return found


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page of a small class with a knob and a refuted claim, in a folder of its own."""
    file = tmp_path_factory.mktemp("served") / "lamp.toml"
    file.write_text(lamp(), encoding="utf-8")
    page = started(file)
    yield page
    assert 0 == page.end()


def lamp() -> str:
    """The starter of `pomgcheck new`, whose smallest signal is a knob."""
    from pomgcheck.cli.new import starter

    return starter("lamp")


def class_of(name: str) -> str:
    """The text of a class of the gallery."""
    return gallery.load(name).to_toml()
