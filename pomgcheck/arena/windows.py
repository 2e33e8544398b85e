"""Says how the rows of a player's table are numbered, and what of a row the next step keeps.

The row read at 0-based step h is ``context * observations + observation``; the context is the last (window - 1)
observations, or with ``window`` ``None`` the whole decision history, in the row order of the document.
"""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pomgcheck.kernel.game import Game

Index = TypeVar("Index", int, NDArray[np.int64])


def contexts(window: int | None, h: int, observations: int, actions: int) -> int:
    """Return the number of contexts before the observation of 0-based step ``h``."""
    return Game.row_count(window, h, observations, actions) // observations


def following(window: int | None, h: int, observations: int, actions: int, row: Index, action: Index) -> Index:
    """Return the context of step h + 1 once ``row`` was read at step h and ``action`` taken."""
    if window is None:
        return row * actions + action
    kept: int = observations ** min(window - 1, h + 1)
    return row % kept
