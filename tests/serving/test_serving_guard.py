"""Who is answered: the page itself, by its own address and with its token; and what is said to everybody else."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.serving.conftest import Served

PATHS = ("/", "/style.css", "/page.js", "/document", "/state")
STRANGERS: dict[str, dict[str, str]] = {
    "another host": {"Host": "evil.example"},
    "another port": {"Host": "127.0.0.1:1"},
    "no port": {"Host": "127.0.0.1"},
    "a name that looks alike": {"Host": "localhost.evil.example"},
    "another origin": {"Origin": "http://evil.example"},
    "no origin of any page": {"Origin": "null"},
    "the other scheme": {"Origin": "https://127.0.0.1"},
    "another site": {"Sec-Fetch-Site": "cross-site"},
    "another page of this machine": {"Sec-Fetch-Site": "same-site"},
    "no token": {"Cookie": ""},
    "another token": {"Cookie": "pomgcheck-1=x"},
}


@pytest.mark.parametrize("stranger", STRANGERS)
def test_strangers_are_refused(stranger: str, served: Served) -> None:
    """Whoever is not the page is refused in a sentence, whatever is asked, and nothing of the document is told."""
    headers = STRANGERS[stranger]
    before = served.file.read_bytes()
    for path in (*PATHS, "/nothing"):
        status, told, _ = served.ask(path, headers=headers)
        assert (403, True) == (status, "required" in told)
        assert "horizon" not in told
    for path in ("/answer", "/save", "/certificate", "/stop"):
        assert 403 == served.ask(path, {"tab": "x", "text": "", "known": ""}, headers)[0]
    assert before == served.file.read_bytes()


def test_the_address_that_was_printed_opens_the_page(served: Served) -> None:
    """The token is taken from the address into a cookie that scripts and other sites do not see; another is refused."""
    status, _, headers = served.ask(f"/?token={served.token}", headers={"Cookie": ""})
    assert (303, "/") == (status, headers["location"])
    assert headers["set-cookie"].endswith("; HttpOnly; SameSite=Strict; Path=/")
    assert 403 == served.ask("/?token=x", headers={"Cookie": ""})[0]
    assert 403 == served.ask(f"/?token={served.token}", headers={"Cookie": "", "Host": "evil.example"})[0]
    assert 403 == served.ask(f"/document?token={served.token}", headers={"Cookie": ""})[0]


def test_the_page_keeps_to_itself(served: Served) -> None:
    """Nothing of the page comes from elsewhere, may be framed, or is kept by the browser."""
    for path in PATHS:
        status, text, headers = served.ask(path)
        assert 200 == status
        policy = headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self';" in policy
        assert "frame-ancestors 'none'" in policy
        assert ("nosniff", "no-store") == (headers["x-content-type-options"], headers["cache-control"])
        assert "server" not in headers
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text


@pytest.mark.parametrize(
    "path", ["/lamp.toml", "/../lamp.toml", "/page.css", "/docs", "/%2e%2e/etc/hosts", "//document"]
)
def test_other_paths_are_refused(path: str, served: Served) -> None:
    """There is no path but the page's own; files of the folder are none."""
    status, told, _ = served.ask(path)
    assert 404 == status
    assert "required one of the page's own" in json.loads(told)["sentence"]


def test_other_methods_are_refused(served: Served) -> None:
    """What is asked by POST is not answered to GET, and the other way round."""
    assert 405 == served.ask("/answer")[0]
    assert 405 == served.ask("/document", {})[0]
    assert 405 == served.ask("/document", method="DELETE")[0]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"{", "body: found no JSON, required an object"),
        (b"[]", "body: found list, required an object"),
        (b"[" * 100_000, "body: found no JSON, required an object"),
        ({}, "number: found NoneType, required a int"),
        ({"number": "1"}, "number: found str, required a int"),
        ({"number": True}, "number: found bool, required a int"),
    ],
)
def test_what_is_no_question_is_told(given: Any, said: str, served: Served) -> None:
    """A body that is none of ours is a sentence, not a traceback."""
    given = {"opened": []} | given if isinstance(given, dict) else given
    status, told, _ = served.ask("/answer", given)
    assert (400, said) == (status, json.loads(told)["sentence"])


def test_a_form_of_another_page_is_no_question(served: Served) -> None:
    """What a form can send without asking the browser is not read."""
    status, told, _ = served.ask("/stop", {"tab": "x"}, {"Content-Type": "text/plain"})
    assert (400, "body: found text/plain, required application/json") == (status, json.loads(told)["sentence"])


def test_a_document_of_fifty_megabytes(served: Served, tmp_path: Path) -> None:
    """So long a text is refused with the count: over the wire, as a text, on disk; and the page goes on."""
    status, told, _ = served.ask("/answer", b'"', {"Content-Length": "50000000"})
    assert (400, "body: found 50,000,000 bytes") == (status, json.loads(told)["sentence"][:28])
    status, told, _ = served.ask("/answer", b"b80000\r\n" + b"x" * 0xB80000, {"Transfer-Encoding": "chunked"})
    assert (400, "body: found over 12,010,000 bytes") == (status, json.loads(told)["sentence"][:33])
    long = served.told("/answer", question("long", 1, "#" * 3_000_000))
    assert "found 3,000,000 bytes, required at most 2,000,000" in long["sentence"]
    assert "state" in served.told("/answer", question("long", 2, "x"))
    from pomgcheck.errors import PomgcheckError
    from pomgcheck.serving.session import read

    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * 50_000_000)
    with pytest.raises(PomgcheckError, match="found 50,000,000 bytes, required at most 2,000,000; certify so long"):
        read(large)


def question(tab: str, number: int, text: str) -> dict[str, Any]:
    """What the page asks of a text."""
    return {"tab": tab, "number": number, "text": text, "opened": [], "patient": False, "slow": False}


def test_the_page_is_on_this_machine_alone(served: Served) -> None:
    """The port is open at 127.0.0.1 and at no other address of the machine."""
    others = {entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)} - {"127.0.0.1"}
    for address in (*others, "127.0.0.2"):
        with pytest.raises(OSError, match="refused|unreachable|timed out"):
            socket.create_connection((str(address), served.port), 2).close()


def test_a_port_that_is_taken(served: Served) -> None:
    """Another page on the same port is one sentence."""
    from pomgcheck.errors import InputError
    from pomgcheck.serving.app import listener

    with pytest.raises(InputError, match=f"port: found {served.port}: .*, required a port that is free"):
        listener(served.port)


def test_what_is_no_http_is_let_go() -> None:
    """A web socket is not answered."""
    from pomgcheck.serving.guard import Guard

    async def nothing(*given: Any) -> None:
        raise AssertionError("asked")

    asyncio.run(Guard(nothing, 1, "x")({"type": "websocket"}, nothing, nothing))
