"""Places of Assumption 2.3: which rows of the responses a history of the adversary reads."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from pomgcheck.kernel.case import Case
from pomgcheck.kernel.claims.posterior_lipschitz import comparisons, place_of
from tests.kernel.test_kernel_eval import facts, seeing


def answered(interval: bool) -> Any:
    """Answers that differ by 1 - k/5 in row k = 1, 2, .. of every step, the rows being those of a window of two."""
    document, sizes = seeing(2, interval), [2, 4, 4, 4]
    table = document["responses"]["table"]
    table["idle"] = {"steps": [[["1/2", "1/2"]] * n for n in sizes]}
    table["watch"] = {"steps": [[[f"{10 - k}/10", f"{k}/10"] for k in range(1, n + 1)] for n in sizes]}
    return document


def read(seen: tuple[int, ...]) -> int:
    """The row after these observations: 2 d + d' of the last two."""
    return 2 * seen[-2] + seen[-1] if len(seen) > 1 else seen[-1]


def test_the_gap_at_a_place_is_that_of_the_row_which_its_history_reads() -> None:
    """After (.., d, b, d') the answers are in row 2 d + d', after (d') in row d', at every step of a finite class."""
    case = Case(facts(answered(False)), "posterior-lipschitz", {})
    place = {"theta": {"x": "1/8"}, "Phi": {}, "pi": "idle", "nu": "watch"}
    for h in range(4):
        for seen, done in product(product((0, 1), repeat=h + 1), product((0, 1), repeat=h)):
            eta = [label for d, b in zip(seen, (*done, 0), strict=True) for label in (f"d{d}", f"b{b}")][:-1]
            assert Fraction(4 - read(seen), 5) == place_of(case, place | {"h": h + 1, "tau_B": eta}, ())[0]


def test_the_gap_of_a_comparison_is_that_of_the_row_which_its_history_reads() -> None:
    """The same on interval axes, where every history of the four steps is compared."""
    found = {
        each.key[2]: each.gap for each in comparisons(facts(answered(True)), lambda k, vector: sum(map(abs, vector)))
    }
    assert sum(2 ** (h + 1) * 2**h for h in range(4)) == len(found)
    for eta, gap in found.items():
        assert eta is not None
        assert Fraction(4 - read(eta[::2]), 5) == gap
