"""``pomgcheck serve``: serves a page on this machine on which a document is edited while its claims are certified."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from typer import Argument, Option

from pomgcheck.cli.options import given, with_options
from pomgcheck.options import Options


@with_options()
def command(
    file: Annotated[Path, Argument(metavar="FILE", help="A model document, .toml or .json.")],
    port: Annotated[
        int, Option(metavar="N", help="The port on 127.0.0.1.", min=0, max=65535, show_default="any that is free")
    ] = 0,
    browser: Annotated[bool, Option("--browser", help="Open the page in the browser.")] = False,
    **typed: Any,
) -> int:
    """Edit a document on a local page that certifies its claims at every change; nothing is written unless you ask."""
    options = Options(**given(typed))
    from secrets import token_urlsafe

    from pomgcheck.serving.session import Session, read

    read(file)  # what is no document of a page is told before a page is opened
    from pomgcheck.serving.app import HOST, listener, serve

    token = token_urlsafe(24)
    with listener(port) as listening:
        address = f"http://{HOST}:{listening.getsockname()[1]}/?token={token}"
        print(f"{file}: {address}\nThe page is for this machine alone; Ctrl-C ends it.", flush=True)
        if browser:
            import webbrowser

            webbrowser.open(address)
        try:
            serve(Session(file, options), listening, token)
        except KeyboardInterrupt:
            print()
    return 0
