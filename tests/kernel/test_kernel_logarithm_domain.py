"""A logarithm is taken of positive numbers alone."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pomgcheck.kernel.logarithms import log_enclosure


@pytest.mark.parametrize("x", [Fraction(0), Fraction(-1, 3)])
def test_no_other_number_has_one(x: Fraction) -> None:
    """It is refused, where the series would never end."""
    with pytest.raises(ValueError, match="not positive"):
        log_enclosure(x, 64)
