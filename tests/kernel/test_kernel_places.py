"""Places of Assumption 2.3: which rows of the responses a history of the adversary reads."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.claims.posterior_lipschitz import Compared, Posterior, comparisons, crossed, place_of
from tests.kernel.test_kernel_eval import facts, seeing


def answered(window: int | str, interval: bool) -> Any:
    """Answers that differ by 1 - k/n in row k of n, from 1 on, of every step."""
    document = seeing(window, interval)
    sizes = [2 * 4**h for h in range(4)] if window == "full" else [2, 4, 4, 4]
    table = document["responses"]["table"]
    table["idle"] = {"steps": [[["1/2", "1/2"]] * n for n in sizes]}
    table["watch"] = {"steps": [[[f"{2 * n - k}/{2 * n}", f"{k}/{2 * n}"] for k in range(1, n + 1)] for n in sizes]}
    return document


def norm(k: int, vector: tuple[Any, ...]) -> Any:
    """The l1 norm of a difference of answers."""
    return sum(map(abs, vector))


def gap(window: int | str, eta: tuple[int, ...]) -> Fraction:
    """1 - k/n in the row of these observations and actions: 2 d + d' of the last two observations, or that of all of
    them, digit after digit."""
    seen = eta if window == "full" else eta[::2][-2:]
    row = int("".join(map(str, seen)), 2)
    return 1 - Fraction(row + 1, 2 ** len(seen))


@pytest.mark.parametrize("window", [2, "full"])
def test_the_gap_at_a_place_is_that_of_the_row_which_its_history_reads(window: int | str) -> None:
    """After (.., d, b, d') the answers of a window of two are in row 2 d + d', after (d') in row d', and those of whole
    histories in a row of their own, at every step of a finite class."""
    case = Case(facts(answered(window, False)), "posterior-lipschitz", {})
    place = {"theta": {"x": "1/8"}, "Phi": {}, "pi": "idle", "nu": "watch"}
    for h in range(4):
        for eta in product((0, 1), repeat=2 * h + 1):
            said = [f"{'db'[n % 2]}{x}" for n, x in enumerate(eta)]
            assert gap(window, eta) == place_of(case, place | {"h": h + 1, "tau_B": said}, ())[0]


@pytest.mark.parametrize("window", [2, "full"])
def test_the_gap_of_a_comparison_is_that_of_the_row_which_its_history_reads(window: int | str) -> None:
    """The same on interval axes, where every history of the four steps is compared but those answered alike."""
    found = {each.key[2]: each.gap for each in comparisons(facts(answered(window, True)), norm)}
    every = [eta for h in range(4) for eta in product((0, 1), repeat=2 * h + 1)]
    assert {eta: gap(window, eta) for eta in every if gap(window, eta)} == found


def test_a_gap_is_the_widest_of_all_answers() -> None:
    """Of two responses the first is 1/2 apart and the second 1, where it answers the second policy as the first response
    answers the first."""
    document = seeing(1, True)
    document["responses"]["parameters"] = {"y": {"values": ["0", "1"]}}
    document["responses"]["table"] = {"idle": [["(1-y)/2", "(1+y)/2"]] * 2, "watch": [["(3-y)/4", "(1+y)/4"]] * 2}
    every = comparisons(facts(document), norm)
    assert {Fraction(1)} == {each.gap for each in every}


def test_a_posterior_of_another_history_must_be_possible() -> None:
    """In the policy form, where one of several histories is chosen, its mass is asked to be positive: where it is zero,
    0 >= 0 shows nothing.  In the step form the history compared is the one answered, and is possible."""
    document = seeing(1, True)
    document["game"]["horizon"] = 1
    document["responses"]["table"] = {"idle": [["1", "0"]] * 2, "watch": [["0", "1"]] * 2}
    policy, step = ([*comparisons(facts(document, lipschitz_form=form), norm)] for form in ("policy", "step"))
    assert [(2, True)] == [(len(each.posteriors), each.elsewhere) for each in policy]
    assert [(1, False)] * 2 == [(len(each.posteriors), each.elsewhere) for each in step]
    some, none = Posterior((1, 0), (Fraction(1, 2),) * 2), Posterior((0, 0), (Fraction(1, 2),) * 2)
    key = policy[0].key
    for elsewhere in (False, True):
        chosen = Compared(key, Region({}), Fraction(1), [some, none], elsewhere).goals(
            [1, 1, 1], Region({}), Fraction(9), ""
        )
        assert [(0, False), (0, True)][: 1 + elsewhere] == [(p, strict) for p, strict, _ in chosen]


def test_posteriors_are_compared_over_a_common_mass() -> None:
    """1/4, 3/4 and 1/2, 1/2 are 4/16 apart in either action."""
    assert ([-4, 4], 16) == crossed((1, 3), (2, 2))
