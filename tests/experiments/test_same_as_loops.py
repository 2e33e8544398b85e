"""The vectorised experiments are the plain loops, draw for draw."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import experiments_reference as reference
from pomgcheck.experiments import corpus, digits, necessity, nested, rivals, scaling
from pomgcheck.experiments.bandit import Instance, PlayedSeed, play
from pomgcheck.experiments.closed_form import ProductBernoulli

SEEDS = range(3)


def listed(net: nested.ArmNet) -> reference.Listed:
    """The list of a net for the plain loops."""
    numbers = net.numbers
    start = float(numbers.start.high) + nested.ROUNDING
    return reference.Listed(
        numbers.tests, net.points.tolist(), start, float(numbers.slope.high), float(numbers.quantum)
    )


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
        epochs, ended, changes, n, warm, regret = reference.bandit(
            instance.T, instance.means, seed, test, instance.memory, instance.transient, c, running
        )
        assert PlayedSeed(epochs, ended, changes, tuple(n), tuple(warm)) == found
        assert regret == pytest.approx(found.regret(instance), abs=1e-6)


@pytest.mark.parametrize(
    ("instance", "class_"),
    [
        (necessity.instance(2**10), necessity.CLASS),
        (scaling.shrinking(4, 2**11), necessity.CLASS),
        (Instance(1500, (0.65, 0.5, 0.5), 4, 0.3), necessity.CLASS),
        (Instance(60, (0.65, 0.5), 200, 0.3), necessity.CLASS),
        (Instance(900, (0.3, 0.28, 0.1), 3, 0.3), ProductBernoulli(0.05, 0.3)),
    ],
)
def test_nested(instance: Instance, class_: ProductBernoulli) -> None:
    """Entries, changes and plays of every arm are those of the plain loop, with and without quanta and warm-up."""
    net = nested.net(len(instance.means), instance.T, class_, instance.memory)
    own = [net.place(mean) for mean in instance.means]
    for seed, found in zip(SEEDS, nested.play(instance, SEEDS, class_), strict=True):
        epochs, ended, changes, n, warm, kept = reference.nested(
            instance.T, instance.means, seed, listed(net), own, instance.memory
        )
        assert nested.Walked(PlayedSeed(epochs, ended, changes, tuple(n), tuple(warm)), kept) == found


def test_instances_played_together_are_those_played_alone() -> None:
    """A batch of horizons and memories changes nothing."""
    batch = [scaling.shrinking(8, 2**9), scaling.remembering(8), scaling.shrinking(8, 2**12)]
    radius = necessity.radius(8)
    together = play(batch, SEEDS, radius, necessity.CLASS)
    assert together == [play([one], SEEDS, radius, necessity.CLASS)[0] for one in batch]


@pytest.mark.parametrize("draw", [0, 1])
@pytest.mark.parametrize("name", [name for name in digits.NAMES if name != "nested"])
def test_digits(name: str, draw: int) -> None:
    """Cumulative regret of each algorithm is the plain loop's after every one of 2^14 episodes."""
    pytest.importorskip("sklearn")
    accuracy = corpus.game(draw).accuracy.tolist()
    for seed, run in zip(SEEDS, digits.curves(draw, SEEDS)[name], strict=True):
        assert np.allclose(reference.digits(name, digits.T, seed, accuracy)[1], run, rtol=0, atol=1e-6)


@pytest.mark.parametrize("draw", [0, 3])
def test_nested_digits(draw: int) -> None:
    """Cumulative regret of ``nested`` over 2^10 episodes, warm-up paid for, and whether its points were kept."""
    pytest.importorskip("sklearn")
    T, game = 2**10, corpus.game(draw)
    net = nested.net(corpus.RULES, T, digits.CLASS, corpus.MEMORY)
    own = [net.place(mean) for mean in game.stationary().tolist()]
    randoms = [rivals.Random(seed, T) for seed in SEEDS]
    codes, kept = rivals.nested(game, T, randoms, net)
    for seed, run, held in zip(SEEDS, np.cumsum(game.cost()[codes], axis=1), kept, strict=True):
        regret, same = reference.nested_digits(T, seed, game.accuracy.tolist(), listed(net), own)
        assert np.allclose(regret, run, rtol=0, atol=1e-6)
        assert same == held
