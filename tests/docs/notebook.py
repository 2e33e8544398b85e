"""The manual's notebooks, executed in a folder of their own; ``python -m tests.docs.notebook`` writes them anew."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient

from tests.repo.source import ROOT

NOTEBOOK, TRAINING = (ROOT / "docs" / f"{name}.ipynb" for name in ("tour", "training"))


def executed(folder: Path, notebook: Path = NOTEBOOK) -> Any:
    """The notebook with what its cells give now, without what differs from one machine to the next."""
    shutil.copytree(ROOT / "certificates", folder / "certificates")
    book = nbformat.read(notebook, as_version=4)
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
    for each in (NOTEBOOK, TRAINING):
        with TemporaryDirectory() as place:
            nbformat.write(executed(Path(place), each), each)
