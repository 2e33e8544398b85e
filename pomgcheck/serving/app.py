"""Has the routes of the page, and serves it on 127.0.0.1 alone, to the one who has its token."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib import resources
from typing import Any

from pomgcheck.errors import InputError, MissingDependency, PomgcheckError
from pomgcheck.serving.guard import App, Guard
from pomgcheck.serving.session import MOST_BYTES, Conflict, Session

EXTRA = "pip install 'pomgcheck[serve]'"
try:
    import uvicorn
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.requests import ClientDisconnect, Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route
except ImportError:
    raise MissingDependency("serve", "no Starlette or no uvicorn", "both, for the page", EXTRA) from None

HOST = "127.0.0.1"
MOST_BODY = 6 * MOST_BYTES + 10_000  # every character of a text may be written as six
NAME = 80  # characters of a tab's name, and of a claim's or a knob's

Body = dict[str, Any]
Answered = Callable[[Body], Awaitable[Body]]


def listener(port: int) -> socket.socket:
    """Return a socket of this machine alone, on the given port or, for port 0, on any that is free; raise
    ``InputError`` for one that is taken."""
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
    except OSError as error:
        found.close()
        raise InputError("port", f"{port}: {error.strerror}", "a port that is free", "leave --port out") from None
    return found


def serve(session: Session, listening: socket.socket, token: str) -> None:
    """Serve until Ctrl-C."""
    app = application(session, listening.getsockname()[1], token)
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        ws="none",
        http="h11",
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[listening])


def application(session: Session, port: int, token: str) -> App:
    """Return the page as an ASGI application, behind its guard."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        ready = asyncio.create_task(session.live.do("", "ready", {}, lambda: True))  # imports, before they are needed
        try:
            yield
        finally:
            session.end()
            await ready

    routes = [
        *(Route(f"/{path}", answer) for path, answer in reads(session).items()),
        *(Route(f"/{name}", posted(answered), methods=["POST"]) for name, answered in posts(session).items()),
    ]
    handlers: Any = {HTTPException: unknown}
    app = Starlette(routes=routes, exception_handlers=handlers, lifespan=lifespan)
    return Guard(app, port, token)


# -- what is read


def reads(session: Session) -> dict[str, Callable[[Request], Awaitable[Response]]]:
    """Return what answers a look at the page, at its parts, at the file and at the work, by path."""

    async def page(request: Request) -> Response:
        """Return the page, without anything of the document."""
        from pomgcheck.serving import view

        options, path = view.options(session.options), session.path
        text = view.page(file=path.name, folder=str(path.resolve().parent), options=options)
        return Response(text, media_type="text/html")

    async def style(request: Request) -> Response:
        """Return the reports' style sheet and what the page adds to it."""
        from pomgcheck.reporting.render import html

        return Response(f"{html.style()}\n{template('page.css')}", media_type="text/css")

    async def script(request: Request) -> Response:
        return Response(template("page.js"), media_type="text/javascript")

    async def document(request: Request) -> Response:
        """Return the file as it is on disk."""
        try:
            text, digest = session.read()
        except PomgcheckError as error:
            return JSONResponse({"sentence": str(error)}, 409)
        return JSONResponse({"text": text, "sha256": digest, "most": MOST_BYTES})

    async def state(request: Request) -> Response:
        """Return whether the file has changed, and how far the work of a tab is."""
        tab = request.query_params.get("tab", "")[:NAME]
        far = {"far": session.far(tab), "diagram": session.far(f"{tab} diagram")}
        return JSONResponse({"sha256": session.digest(), **far})

    return {"": page, "style.css": style, "page.js": script, "document": document, "state": state}


async def unknown(request: Request, error: HTTPException) -> Response:
    """Return the answer for a path or a method that the page does not have."""
    sentence = f"path: found {request.method} {request.url.path[:NAME]}, required one of the page's own"
    return JSONResponse({"sentence": sentence}, error.status_code)


def template(name: str) -> str:
    """Return a file of the page."""
    return resources.files("pomgcheck.serving").joinpath(f"templates/{name}").read_text(encoding="utf-8")


# -- what is asked


def posts(session: Session) -> dict[str, Answered]:
    """Return what answers each request of the page, by path."""

    async def answer(body: Body) -> Body:
        opened = [str(name)[:NAME] for name in field(body, "opened", list)][:NAME]
        number, text = field(body, "number", int), field(body, "text", str)
        patient, slow = field(body, "patient", bool), field(body, "slow", bool)
        return await session.answer(tab(body), number, text, opened, patient=patient, slow=slow)

    async def stop(body: Body) -> Body:
        session.stop(tab(body))
        session.patient.drop(f"{tab(body)} diagram")
        return {"state": "settled"}

    async def section(body: Body) -> Body:
        return await session.section(tab(body), field(body, "number", int), field(body, "claim", str)[:NAME])

    async def diagram(body: Body) -> Body:
        return await session.diagram(tab(body), field(body, "text", str), field(body, "knob", str)[:NAME])

    async def save(body: Body) -> Body:
        return {"state": "settled", "sha256": session.save(field(body, "text", str), field(body, "known", str))}

    async def certificate(body: Body) -> Body:
        return await session.keep(tab(body), field(body, "number", int))

    return {each.__name__: each for each in (answer, stop, section, diagram, save, certificate)}


def field(body: Body, name: str, kind: type[Any]) -> Any:
    """Return an entry of a request; raise ``InputError`` where it is of another kind."""
    if type(body.get(name)) is not kind:
        raise InputError(name, type(body.get(name)).__name__, f"a {kind.__name__}")
    return body[name]


def tab(body: Body) -> str:
    """Return the name that a tab gives itself."""
    return str(field(body, "tab", str))[:NAME]


def posted(answered: Answered) -> Callable[[Request], Awaitable[Response]]:
    """Return a route for what is asked in JSON: every answer is JSON, and every error is a sentence in it."""

    async def route(request: Request) -> Response:
        try:
            return JSONResponse(await answered(await body_of(request)))
        except Conflict as error:
            return JSONResponse({"sentence": str(error), "sha256": error.sha256}, 409)
        except PomgcheckError as error:
            return JSONResponse({"sentence": str(error)}, 400)
        except ClientDisconnect:
            return Response(status_code=400)

    return route


async def body_of(request: Request) -> Body:
    """Return the object that a request carries; raise ``InputError`` for one that is too long or is not an object."""
    kind = request.headers.get("content-type", "").partition(";")[0]
    if kind != "application/json":
        raise InputError("body", kind or "no type", "application/json")
    data, stated = bytearray(), request.headers.get("content-length", "")
    if stated.isdecimal() and len(stated) < 20 and int(stated) > MOST_BODY:
        raise InputError("body", f"{int(stated):,} bytes", f"a document of at most {MOST_BYTES:,}")
    async for chunk in request.stream():
        data += chunk
        if len(data) > MOST_BODY:
            raise InputError("body", f"over {MOST_BODY:,} bytes", f"a document of at most {MOST_BYTES:,}")
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        raise InputError("body", "no JSON", "an object") from None
    if not isinstance(value, dict):
        raise InputError("body", type(value).__name__, "an object")
    return value
