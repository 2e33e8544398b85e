"""Radius and threshold of Algorithm 1."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_FLOOR
from fractions import Fraction
from math import e as E
from math import log

import pytest

from pomgcheck.kernel.bound import Premises
from pomgcheck.kernel.bound import Radius as Bound
from pomgcheck.learner.confidence import ConfidenceRadius, Fading, theory_C_0, units

THEORY = ConfidenceRadius(Fraction(16), Fraction(6), Fraction(36864, 22661), 2, Fraction(1, 20))
FADING = Fading(Fraction(1, 2), Fraction(3, 10), 100)
PRACTICAL = ConfidenceRadius(Fraction(1), Fraction(6), Fraction(100), 3, Fraction(1, 10), C_0=Fraction(0))


def test_theory_constant() -> None:
    """C_0 = 6(e - 2) = 4.3096909707...."""
    assert 4.309690970754 == pytest.approx(float(theory_C_0()), abs=1e-12)


def test_increment_bound_is_at_least_one() -> None:
    """B_0 = max(1, log of the certificate's ratio)."""
    assert 1 == THEORY.B_0
    assert log(100) == pytest.approx(float(PRACTICAL.B_0), rel=1e-15)


def test_radius_of_line_4() -> None:
    """beta_e = c (log N + log(1/delta_e) + m B_0) with delta_e = delta/(2e^2)."""
    assert 16 * (log(6) + log(2 * 9 * 20) + 2) == pytest.approx(float(THEORY.beta(3)), rel=1e-14)
    assert log(6) + log(2 * 1 * 10) + 3 * log(100) == pytest.approx(float(PRACTICAL.beta(1)), rel=1e-14)


def test_threshold_of_line_9() -> None:
    """tau_e(t) = 2 beta_e(t) + C_0 B_0 log(2t(t+1)/delta_e), beta_e(t) with the budget delta_e/(2t(t+1))."""
    budget = log(2 * 7 * 8 * 2 * 9 * 20)
    expected = 2 * 16 * (log(6) + budget + 2) + 6 * (E - 2) * budget
    assert expected == pytest.approx(float(THEORY.tau(3, 7)), rel=1e-14)
    budget = log(2 * 7 * 8 * 2 * 9 * 10)
    assert 2 * (log(6) + budget + 3 * log(100)) == pytest.approx(float(PRACTICAL.tau(3, 7)), rel=1e-14)


@pytest.mark.parametrize("radius", [THEORY, PRACTICAL])
def test_thresholds_of_a_block_are_the_exact_floors(radius: ConfidenceRadius) -> None:
    """For 3,000 episodes the vectorised floors are those of the exact threshold, and never decrease."""
    exact = [int((radius.tau(5, t) * 2**32).to_integral_value(ROUND_FLOOR)) for t in range(40, 3040)]
    floors = radius.tau_floors(5, 40, 3000).tolist()
    assert exact == floors
    assert sorted(floors) == floors


def test_units_round_down() -> None:
    """A threshold between two units is the lower one, so that L > floor is L > threshold for whole L."""
    tau = THEORY.tau(1, 1)
    assert units(tau) <= tau * 2**32 < units(tau) + 1


def test_warm_up_against_fading_memory() -> None:
    """m = ceil(log(2T)/(1-gamma)): ceil(2 log 200) = 11; without T, in epochs 1, 2, 3: ceil(2 log 4, 8, 16)."""
    assert [11, 11] == [FADING.memory(e) for e in (1, 9)]
    assert [3, 5, 6] == [replace(FADING, T=None).memory(e) for e in (1, 2, 3)]
    assert 1 == Fading(Fraction(0), Fraction(0), None).memory(0)


def test_radius_is_enlarged_by_what_fading_leaves() -> None:
    """Without a guarantee beta_e grows with m = 11 and c B_0 H L_g = c B_0 3/10, and so does the threshold, twice."""
    plain, faded = replace(PRACTICAL, m=11), replace(PRACTICAL, m=FADING, enough=False)
    more = PRACTICAL.c * Fraction(3, 10) * Fraction(PRACTICAL.B_0)
    assert abs(Fraction(faded.beta(3)) - Fraction(plain.beta(3)) - more) < Fraction(1, 10**30)
    assert abs(Fraction(faded.tau(3, 7)) - Fraction(plain.tau(3, 7)) - 2 * more) < Fraction(1, 10**30)
    assert 0 < int((faded.tau_floors(3, 1, 5) - plain.tau_floors(3, 1, 5)).min())


@pytest.mark.parametrize(("T", "epochs"), [(100, 1), (None, 5)])
def test_with_theory_constants_it_is_enlarged_by_2s(T: int | None, epochs: int) -> None:
    """s = B_0 ((e-1) H L_g + 2 log(8/delta)), H L_g counted once where the warm-up knows T and else once an epoch."""
    faded = replace(THEORY, m=replace(FADING, T=T))
    plain = replace(THEORY, m=faded.memory(5))
    s = float(THEORY.B_0) * ((E - 1) * 0.3 * epochs + 2 * log(160))
    assert 2 * s == pytest.approx(float(faded.beta(5) - plain.beta(5)), rel=1e-12)
    assert 4 * s == pytest.approx(float(faded.tau(5, 7) - plain.tau(5, 7)), rel=1e-12)


def test_enlargement_of_a_run_is_that_of_the_bound() -> None:
    """The bound of the claim ``constants`` at T is for a radius enlarged by the s of the run's own radius."""
    T, premises = (
        100,
        Premises(
            H=3,
            actions=2,
            policies=2,
            models=6,
            increments=Fraction(20),
            least=Fraction(1, 5),
            c_J=Fraction(1),
            c_W=Fraction(1),
            d_W=2,
            d_G=2,
            delta=Fraction(1, 20),
            m=None,
            range=Fraction(3),
            later=Fraction(2),
            dearest=Fraction(1),
            gamma=Fraction(1, 2),
            L_g=Fraction(1, 10),
        ),
    )
    run, bound = replace(THEORY, m=FADING, increments=Fraction(20)), Bound(premises, T)
    assert bound.slack.low <= Fraction(run.enlargement(1)) / 2 + Fraction(1, 10**30)
    assert Fraction(run.enlargement(1)) / 2 <= bound.slack.high + Fraction(1, 10**30)
    assert bound.m.low == bound.m.high == run.memory(1)
