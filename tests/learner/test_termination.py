"""The first firing of the test in a block is that of the plain loop."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.learner.likelihood import IMPOSSIBLE
from pomgcheck.learner.termination import add, exhausted, run_block


def plain(L: list[int], chosen: int, logs: list[list[int]], order: list[int], thresholds: list[int]):  # type: ignore[no-untyped-def]
    """One episode at a time on Python integers; impossible means minus infinity."""
    current: list[float] = [float("-inf") if x == IMPOSSIBLE else x for x in L]
    for t, k in enumerate(order):
        current = [x + (float("-inf") if y == IMPOSSIBLE else y) for x, y in zip(current, logs[k], strict=True)]
        if max(current) - current[chosen] > thresholds[t]:
            return current, t + 1, True
    return current, len(order), False


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_equals_the_plain_loop(data: st.DataObject) -> None:
    """On random log-likelihoods, thresholds and stretches: same episode, same outcome, same sums."""
    M, K, n = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4)), data.draw(st.integers(1, 60))
    entry = st.integers(-12, 0)
    if data.draw(st.booleans()):
        entry = st.one_of(entry, entry, entry, st.just(IMPOSSIBLE))
    logs = [[data.draw(st.integers(-12, 0)), *(data.draw(entry) for _ in range(M - 1))] for _ in range(K)]
    L = [data.draw(st.integers(-30, 0)), *(data.draw(entry) for _ in range(M - 1))]  # model 0 is always possible
    chosen = data.draw(st.sampled_from([x for x in range(M) if L[x] != IMPOSSIBLE]))
    order = data.draw(st.lists(st.integers(0, K - 1), min_size=n, max_size=n))
    thresholds = sorted(data.draw(st.lists(st.integers(-3, 60), min_size=n, max_size=n)))
    expected, episodes, fired = plain(L, chosen, logs, order, thresholds)
    first = data.draw(st.integers(1, 9))
    stretches = first, data.draw(st.integers(first, 9))
    found = run_block(np.array(L), chosen, np.array(logs), np.array(order), np.array(thresholds), stretches)
    assert (episodes, fired) == (found.episodes, found.fired)
    assert [IMPOSSIBLE if x == float("-inf") else x for x in expected] == found.L.tolist()


def test_long_block_skips_and_still_fires() -> None:
    """A gap growing by one per episode passes a threshold of 5000 at episode 5001, in a block of 20,000."""
    found = run_block(np.array([0, 0]), 1, np.array([[0, -1]]), np.zeros(20_000, dtype=np.int64), np.full(20_000, 5000))
    assert (5001, True, [0, -5001]) == (found.episodes, found.fired, found.L.tolist())


def test_sum_of_a_block() -> None:
    """L grows by every episode's logarithm, and an impossible trajectory is never forgiven."""
    logs = np.array([[-1, -2, -3], [-10, -20, IMPOSSIBLE]])
    once = add(np.array([0, 0, 0]), logs, np.array([0, 1, 0]))
    assert [-12, -24, IMPOSSIBLE] == once.tolist()
    assert [-13, -26, IMPOSSIBLE] == add(once, logs, np.array([0])).tolist()


def test_end_of_the_fixed_point_range() -> None:
    """A possible model below -2^61 is the end of the range; an impossible one is not."""
    assert exhausted(np.array([0, -(2**61) - 1]))
    assert not exhausted(np.array([0, -(2**61), IMPOSSIBLE]))
