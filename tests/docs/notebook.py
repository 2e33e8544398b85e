"""The tour's notebook, executed in a folder of its own; ``python -m tests.docs.notebook`` writes it anew."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.repo.source import ROOT

NOTEBOOK = ROOT / "docs" / "tour.ipynb"


def executed(folder: Path) -> Any:
    """The notebook with what its cells give now, without what differs from one machine to the next."""
    shutil.copytree(ROOT / "certificates", folder / "certificates")
    book = nbformat.read(NOTEBOOK, as_version=4)
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1"}
    place = {"metadata": {"path": str(folder)}}
    client = NotebookClient(book, timeout=300, kernel_name="python3", coalesce_streams=True, resources=place)
    client.execute(env=environment)
    for cell in book.cells:
        cell.metadata.clear()
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return book


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        nbformat.write(executed(Path(place)), NOTEBOOK)
