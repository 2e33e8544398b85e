"""Says who may talk to the page: this machine, by the page's own address, from the page itself, with the token it was
opened with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from secrets import compare_digest
from typing import Any
from urllib.parse import parse_qs

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}
FIRST = "open the address that pomgcheck serve printed"


class Guard:
    """This refuses, in a sentence, whatever does not come from the page that was opened with the token."""

    def __init__(self, app: App, port: int, token: str) -> None:
        self.app, self.token, self.cookie = app, token, f"pomgcheck-{port}"
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        if self.opening(scope):
            location = [
                ("location", "/"),
                ("set-cookie", f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/"),
            ]
            await reply(send, 303, "", location)
        elif why := self.refusal(scope):
            await reply(send, 403, why)
        else:
            await self.app(scope, receive, with_headers(send))

    def opening(self, scope: Scope) -> bool:
        """Return whether this is the address that was printed."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        good = compare_digest(given.encode(), self.token.encode())
        return scope["path"] == "/" and scope["method"] == "GET" and good and header(scope, "host") in self.hosts

    def refusal(self, scope: Scope) -> str:
        """Return why a request is not answered, or "" where it is."""
        host, origin = header(scope, "host"), header(scope, "origin")
        site = header(scope, "sec-fetch-site")
        if host not in self.hosts:
            return f"host: found {host[:80]!r}, required this page's own address; {FIRST}"
        if origin and origin not in {f"http://{each}" for each in self.hosts}:
            return f"origin: found {origin[:80]!r}, required this page itself; {FIRST}"
        if site not in ("", "same-origin", "none"):
            return f"site: found a request of another site, required one of this page itself; {FIRST}"
        if not compare_digest(self.given(scope).encode(), self.token.encode()):
            return f"token: found none or another, required the one of this page; {FIRST}"
        return ""

    def given(self, scope: Scope) -> str:
        """Return the token of a request's cookie."""
        try:
            found = SimpleCookie(header(scope, "cookie")).get(self.cookie)
        except CookieError:
            return ""
        return "" if found is None else found.value


def header(scope: Scope, name: str) -> str:
    """Return the value of a header that is given once; a header given twice has no value."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key.decode("latin-1").lower() == name]
    return values[0] if len(values) == 1 else ", ".join(values)


async def reply(send: Send, status: int, sentence: str, headers: list[tuple[str, str]] | None = None) -> None:
    """Send an answer in plain text."""
    given = [("content-type", "text/plain; charset=utf-8"), *HEADERS.items(), *(headers or ())]
    raw = [(key.encode(), value.encode("latin-1")) for key, value in given]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": sentence.encode()})


def with_headers(send: Send) -> Send:
    """Return a sender that adds the headers which keep the page to itself."""

    async def sent(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = [(key.encode(), value.encode()) for key, value in HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *own]}
        await send(message)

    return sent
