"""Numbers as options give them: exact, whatever their spelling."""

from __future__ import annotations

import re
from fractions import Fraction

from pomgcheck.errors import InputError

DECIMAL = r"-?[0-9]{1,1000}(\.[0-9]{1,1000})?(e-?[0-9]{1,3})?"
QUOTIENT = r"-?[0-9]{1,1000}/0*[1-9][0-9]{0,999}"
EXACT = re.compile(f"{DECIMAL}|{QUOTIENT}", re.ASCII | re.IGNORECASE)


def exact(text: str, option: str) -> Fraction:
    """``0.05``, ``1e-6`` or ``1/20`` as the number it says."""
    if not EXACT.fullmatch(text):
        raise InputError(option, repr(text), "an exact number such as 0.05, 1e-6 or 1/20")
    return Fraction(text)


def limits(text: str, known: tuple[str, ...]) -> dict[str, int]:
    """``coordinates=200000,trajectories=5000000``."""
    pairs = [entry.partition("=") for entry in text.split(",")]
    for name, _, value in pairs:
        if name not in known or not re.fullmatch(r"[0-9]{1,18}", value, re.ASCII):
            raise InputError("--limits", repr(f"{name}={value}"), f"NAME=COUNT with NAME one of {', '.join(known)}")
    return {name: int(value) for name, _, value in pairs}
