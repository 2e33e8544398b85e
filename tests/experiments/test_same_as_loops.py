"""The vectorised experiments are the plain loops, draw for draw."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import experiments_reference as reference
from pomgcheck.experiments import corpus, digits, necessity, scaling
from pomgcheck.experiments.bandit import Instance, Played, play

SEEDS = range(3)


@pytest.mark.parametrize(
    ("instance", "test", "c", "running"),
    [
        (necessity.instance(2**11), True, 1.0, False),
        (necessity.instance(2**12), False, 1.0, False),
        (necessity.instance(2**13), True, 1.0, False),
        (scaling.shrinking(4, 2**13), True, 1.0, False),
        (scaling.remembering(16), True, 1.0, False),
        (scaling.remembering(4), True, 1.0, True),
        (Instance(2**13, (0.75, 0.5, 0.5)), True, 0.2, False),
        (Instance(300, (0.65, 0.5, 0.5), 200, 0.3), True, 1.0, False),
    ],
)
def test_bandit(instance: Instance, test: bool, c: float, running: bool) -> None:
    """Epochs, terminations and plays of every arm are equal; so is the regret, to rounding."""
    radius = necessity.radius(len(instance.means), c, running)
    for seed, found in zip(SEEDS, play([instance], SEEDS, radius, necessity.CLASS, test)[0], strict=True):
        epochs, ended, n, warm, regret = reference.bandit(
            instance.T, instance.means, seed, test, instance.memory, instance.transient, c, running
        )
        assert Played(epochs, ended, tuple(n), tuple(warm)) == found
        assert regret == pytest.approx(found.regret(instance), abs=1e-6)


def test_instances_played_together_are_those_played_alone() -> None:
    """A batch of horizons and memories changes nothing."""
    batch = [scaling.shrinking(8, 2**9), scaling.remembering(8), scaling.shrinking(8, 2**12)]
    radius = necessity.radius(8)
    together = play(batch, SEEDS, radius, necessity.CLASS)
    assert together == [play([one], SEEDS, radius, necessity.CLASS)[0] for one in batch]


@pytest.mark.parametrize("draw", [0, 1])
@pytest.mark.parametrize("name", digits.NAMES)
def test_digits(name: str, draw: int) -> None:
    """Cumulative regret of each algorithm is the plain loop's after every one of 2^14 episodes."""
    pytest.importorskip("sklearn")
    accuracy = corpus.game(draw).accuracy.tolist()
    for seed, run in zip(SEEDS, digits.curves(draw, SEEDS)[name], strict=True):
        assert np.allclose(reference.digits(name, digits.T, seed, accuracy)[1], run, rtol=0, atol=1e-6)
