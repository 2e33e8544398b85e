"""Log-likelihoods: correctly rounded fixed point, whatever the floats proposed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.game import Game
from pomgcheck.learner import likelihood
from pomgcheck.learner.columns import ClassTables
from pomgcheck.learner.likelihood import IMPOSSIBLE, Likelihood, exact_probability, fixed
from tests.learner import reference
from tests.learner.classes import games, watch


def every_path(game: Game) -> np.ndarray:
    """All learner sequences (k, H, 2)."""
    steps = product(product(range(len(game.OA)), range(len(game.A))), repeat=game.H)
    return np.array(list(steps), dtype=np.int64)


def test_fixed_point_of_a_half() -> None:
    """-log 2 is -2977044471.8 units of 2^-32, hence -2977044472."""
    assert -2977044472 == fixed(Fraction(1, 2))
    assert 0 == fixed(Fraction(1))


@settings(max_examples=20, deadline=None)
@given(games())
def test_every_logarithm_is_the_exact_one(game: Game) -> None:
    """For every policy, sequence and model the entry is the exact probability's logarithm, correctly rounded."""
    tables, paths = ClassTables(game), every_path(game)
    for policy in range(len(game.policies)):
        logs, order = Likelihood(tables, policy).block(paths)
        for k, model in np.ndindex(len(paths), tables.count):
            theta, phi = divmod(model, len(game.responses))
            path = [(int(o), int(a)) for o, a in paths[k]]
            p = reference.probability(game, theta, game.responses[phi][policy], path)
            assert p == exact_probability(game, theta, phi, policy, paths[k])
            assert (fixed(p) if p else IMPOSSIBLE) == logs[order[k], model]


def test_floats_only_propose() -> None:
    """With every entry sent to exact arithmetic the table is the same one."""
    tables, paths = ClassTables(Game(watch())), every_path(Game(watch()))
    quick, careful = Likelihood(tables, 0), Likelihood(tables, 0)
    careful._error = 1.0
    assert quick.block(paths)[0].tolist() == careful.block(paths)[0].tolist()


@pytest.mark.parametrize("sign", [-1, 1])
def test_floats_wrong_within_the_bound_change_nothing(monkeypatch: pytest.MonkeyPatch, sign: int) -> None:
    """Probabilities off by a quarter of a unit, with a bound that says so, still round to the exact logarithms."""
    game = Game(watch(game__horizon=4))
    true, worse = Likelihood(ClassTables(game), 0), Likelihood(ClassTables(game), 0)
    floats, off = Likelihood._probabilities, sign * 2.0**-34
    expected = true.block(every_path(game))[0]
    monkeypatch.setattr(Likelihood, "_probabilities", lambda self, paths: floats(self, paths) * (1 + off))
    worse._error = 2.0**-34 + true._error
    assert expected.tolist() == worse.block(every_path(game))[0].tolist()
    worse._error, worse._known = 0.0, {}
    assert expected.tolist() != worse.block(every_path(game))[0].tolist()


def test_error_bound_covers_the_floats() -> None:
    """The floats are within the bound that decides which entries are settled exactly, and not equal to the truth."""
    game = Game(watch())
    table, paths = Likelihood(ClassTables(game), 1), every_path(game)
    exact = [[exact_probability(game, theta, 0, 1, path) for theta in range(2)] for path in paths]
    relative = [
        abs(Fraction(p) / q - 1)
        for row, truth in zip(table._probabilities(paths).tolist(), exact, strict=True)
        for p, q in zip(row, truth, strict=True)
    ]
    assert 0 < max(relative) <= table._error


def test_block_names_each_episode() -> None:
    """Repeated trajectories share one row, and ``order`` gives every episode its own row back."""
    game = Game(watch())
    table = Likelihood(ClassTables(game), 0)
    paths = every_path(game)
    logs, order = table.block(paths[[3, 5, 3, 3, 0]])
    assert 3 == len(logs)
    alone = [table.block(paths[[k]])[0][0].tolist() for k in (3, 5, 3, 3, 0)]
    assert alone == logs[order].tolist()


def test_forgetting_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache too small for two blocks gives the same logarithms."""
    game = Game(watch())
    paths = every_path(game)
    large = Likelihood(ClassTables(game), 0)
    expected = [large.block(paths[k : k + 3])[0].tolist() for k in range(0, 12, 3)]
    monkeypatch.setattr(likelihood, "KEPT", 6)
    small = Likelihood(ClassTables(game), 0)
    assert expected == [small.block(paths[k : k + 3])[0].tolist() for k in range(0, 12, 3)]


def test_too_improbable_paths_are_refused() -> None:
    """A horizon at which a path may be less probable than 2^-900 is refused before any float could underflow."""
    with pytest.raises(LimitExceeded, match="bits in the probability of one path, required at most 900"):
        Likelihood(ClassTables(Game(watch(game__horizon=200))), 0)


def test_long_horizon_is_accurate() -> None:
    """At H = 60 the logarithm of an all-quiet sequence agrees with a product of matrices in exact arithmetic."""
    game = Game(watch(game__horizon=60))
    path = np.zeros((60, 2), dtype=np.int64)
    p = exact_probability(game, 1, 0, 0, path)
    logs, _ = Likelihood(ClassTables(game), 0).block(path[None])
    assert fixed(p) == logs[0, 1]
    assert abs(log(p) - logs[0, 1] / 2**32) < 1e-9
