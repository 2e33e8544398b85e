"""The compiled development, or the reason why tests that need it are skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomgcheck.errors import PomgcheckError
from pomgcheck.exporters.coq.coqc import Coq, uncompiled

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
    if found := uncompiled(FORMAL, sorted(FORMAL.glob("examples/*.v"))):
        pytest.skip(f"formal/ is not compiled ({found}); `make -C formal` does it")
    return coq.library
