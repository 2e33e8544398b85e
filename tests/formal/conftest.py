"""The compiled development, or the reason why tests that need it are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomgcheck.errors import PomgcheckError
from pomgcheck.exporters.coq.coqc import Coq

FORMAL = Path(__file__).parents[2] / "formal"


@pytest.fixture(scope="session")
def coq() -> Coq:
    """``coqc`` with the development as it stands, compiled; `make -C formal` does it."""
    try:
        return Coq.found(FORMAL)
    except PomgcheckError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def compiled(coq: Coq) -> Path:
    """The folder of the development, compiled with its examples."""
    for file in sorted(FORMAL.glob("examples/*.v")):
        made = file.with_suffix(".vo")
        if not made.exists() or made.stat().st_mtime < file.stat().st_mtime:
            pytest.skip(f"formal/ is not compiled ({file.name}); `make -C formal` does it")
    return coq.library
