"""Opponents from outside: what they answer is what is played, paid for, and watched."""

from __future__ import annotations

from fractions import Fraction
from math import exp, fsum, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pomgcheck.arena.outside import OutsideOpponent
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.replay import verify_run
from pomgcheck.learner.run import run
from pomgcheck.learner.stationarity import Watch
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.learner.classes import watch

GAME = Game(watch())
IDLE, PATROL = [[["1/2", "1/2"]]] * 2, [[["1/5", "4/5"]]] * 2


class Honest:
    """The class's own mean rule over two policies, as an outside object."""

    memory = 2

    def react(self, policies: tuple[str, ...]) -> list[Any]:
        """The mean of the two responses."""
        attack = sum(Fraction(1, 2) if name == "idle" else Fraction(4, 5) for name in policies) / 2
        return [[[1 - attack, attack]]] * 2


class Creeping(Honest):
    """Declares a memory of two, and in truth attacks less and less, which patrolling shows."""

    def __init__(self) -> None:
        self.asked = 0

    def react(self, policies: tuple[str, ...]) -> list[Any]:
        """Never the same answer twice."""
        self.asked += 1
        attack = max(0.0, 0.8 - self.asked / 200)
        return [[[1 - attack, attack]]] * 2


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the class in which it stands for the rule R."""
    return certify(load(watch())).save(tmp_path_factory.mktemp("outside") / "watch.cert.json")


def test_the_rule_from_outside_is_the_rule(certificate: Path) -> None:
    """An object that does what the class's rule does gives its run, epoch for epoch and cost for cost."""
    options: dict[str, Any] = {
        "episodes": 150,
        "seeds": 2,
        "constants": "practical",
        "c": "1/50",
        "algorithm": "epoch-omle,uniform,mini-batch",
    }
    inside, outside = run(certificate, **options), run(certificate, **options, opponent=Honest)
    assert ("the class's", "from outside") == (inside.document["opponent"], outside.document["opponent"])
    for name, found in outside.runs.items():
        expected = inside.runs[name]
        assert expected["summary"] == found["summary"]
        for seed, other in zip(expected["seeds"], found["seeds"], strict=True):
            stationarity = other.pop("stationarity", None)
            assert seed == other
            assert (name == "epoch-omle") == (stationarity is not None)
            assert stationarity is None or stationarity["otherwise"] is False


def test_an_opponent_that_is_not_what_it_declares_is_seen(certificate: Path) -> None:
    """The evidence against a creeping opponent passes log(1/delta), and the record says so."""
    record = run(certificate, episodes=800, seeds=1, opponent=Creeping, constants="practical", c="1/50")
    found = record.runs["epoch-omle"]["seeds"][0]["stationarity"]
    assert found["otherwise"] is True
    assert log(20) < float(found["log_evidence"])


def test_evidence_is_that_of_the_predictor() -> None:
    """Two episodes of one observation each: (1/2)/1 x (3/2)/2 over P(o)^2 = 9/16; a thing impossible is proof."""
    watching = Watch(2, Fraction(1, 20))
    for _ in range(2):
        watching.see(0, np.array([[1, 0]]), round(log(3 / 4) * 2**32))
    assert log(1 / 2 * 3 / 4 / (9 / 16)) == pytest.approx(watching.evidence)
    assert not watching.otherwise
    watching.see(0, np.array([[0, 0]]), -(2**62))
    assert watching.otherwise


def test_evidence_seldom_misleads() -> None:
    """Under the declared law the evidence ever passes 1/delta in at most a share delta of 400 runs (and some slack)."""
    rng, misled = np.random.default_rng(1), 0
    for _ in range(400):
        watching = Watch(2, Fraction(1, 10))
        for coin in (rng.random(200) < 0.3).tolist():
            watching.see(0, np.array([[int(coin), 0]]), round(log(0.3 if coin else 0.7) * 2**32))
        misled += watching.otherwise
    assert misled <= 40


def test_it_is_asked_once_an_episode_in_order() -> None:
    """What it is told are the last m policies, oldest first, the first one standing in before the start."""
    told: list[tuple[str, ...]] = []

    class Listening(Honest):
        memory = 3

        def react(self, policies: tuple[str, ...]) -> list[Any]:
            told.append(policies)
            return super().react(policies[-2:])

    opponent = OutsideOpponent(GAME, 0, Listening())
    for policy in (0, 1, 1):
        assert opponent.seen(policy) == opponent.seen(policy)
        opponent.play(policy)
    assert [("idle",) * 3, ("idle", "idle", "patrol"), ("idle", "patrol", "patrol")] == told
    assert opponent.stationary(1) == opponent.seen(1)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([[["1/2", "1/2"]]], "tables of the shapes"),
        ([[["1/2", "1/4"]]] * 2, "a row that sums to 0.75"),
        ([[["3/2", "-1/2"]]] * 2, "probabilities that sum to one"),
        ("nothing", "no table of numbers"),
        ([[[float("nan"), 0.5]]] * 2, "no table of numbers"),
    ],
)
def test_what_is_no_response_is_told(answer: Any, reason: str) -> None:
    """Shapes, sums and signs are checked; the error names ``react``."""

    class Wrong(Honest):
        def react(self, policies: tuple[str, ...]) -> Any:
            return answer

    with pytest.raises(InputError, match=reason):
        OutsideOpponent(GAME, 0, Wrong()).seen(0)


def test_memory_is_declared() -> None:
    """A memory of zero is none."""
    odd = Honest()
    odd.memory = 0
    with pytest.raises(InputError, match="opponent.memory"):
        OutsideOpponent(GAME, 0, odd)


def test_run_with_an_outside_opponent_cannot_be_replayed_without_it(certificate: Path, tmp_path: Path) -> None:
    """The record stands by its digest; a replay says that the object is missing."""
    path = run(certificate, episodes=20, seeds=1, opponent=Honest).save(tmp_path / "x.run.json")
    assert verify_run(path, certificate).accepted
    assert "found one from outside" in verify_run(path, certificate, replay=True).line


def test_the_digits_response_is_the_softmax_of_the_errors() -> None:
    """In step 1 the opponent of Experiment 3 plays b with weight exp(2 x the rule's error on b), to 2^-40."""
    from pomgcheck import gallery

    game = Game(gallery.load("digits").document)
    truth = (game.phis or ()).index({"tilt": Fraction(2)})
    channel = (game.thetas or ()).index({"camera": Fraction(12)})
    seen = game.worlds[channel].EA[1]
    for p in range(len(game.policies)):
        rows = game.policies[p][1]
        errors = [1 - sum(seen[1 + digit][o] * rows[o][digit] for o in range(len(game.OA))) for digit in range(10)]
        weights = [exp(2 * float(error)) for error in errors]
        expected = [weight / fsum(weights) for weight in weights]
        assert expected == pytest.approx([float(x) for x in game.responses[truth][p][0][0]], abs=1e-11)


def test_transient_costs_more_where_it_is_asked_for(certificate: Path) -> None:
    """A penalty of 1/10 is paid in every episode whose response still moves, and in no other."""
    plain = LearningProblem(GAME, 0, 0)
    dear = LearningProblem(GAME, 0, 0, penalty=Fraction(1, 10))
    opponent = plain.opponent()
    settled, moving = opponent.stationary(0), (1, 1)
    assert plain.costs(opponent, 0, [settled]) == dear.costs(opponent, 0, [settled])
    assert [x + Fraction(1, 10) for x in plain.costs(opponent, 0, [moving])] == dear.costs(opponent, 0, [moving])
    record = run(certificate, episodes=60, seeds=1, transient="1/10")
    assert "1/10" == record.document["transient"]
    assert "none (the theorem has no cost of transients)" == record.runs["epoch-omle"]["guarantee"]


def test_a_cost_of_transients_is_not_below_zero() -> None:
    """What an episode costs in addition cannot be a gain."""
    with pytest.raises(InputError, match="transient: found -1, required a number of at least 0"):
        run(Path(__file__).parents[2] / "certificates/patrol.cert.json", episodes=3, transient="-1")
