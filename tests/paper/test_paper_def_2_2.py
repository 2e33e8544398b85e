"""Definition 2.2, the reference posterior S^{ref,theta}_{tau_B,h}(pi)."""

from __future__ import annotations

from fractions import Fraction

from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Row
from tests.kernel.posteriors import reference_posteriors
from tests.paper.facts import facts
from tests.search import small

HALF = Fraction(1, 2)


def posteriors(known: Facts) -> list[list[list[dict[tuple[int, ...], Row]]]]:
    """S^ref[i][p][h]: decision history -> law on A."""
    game, scaled, mu = known.game, known.scaled, known.mu
    policies = range(len(game.policies))
    return [[reference_posteriors(game, scaled, i, p, mu) for p in policies] for i in range(len(game.worlds))]


def test_definition_2_2_by_hand() -> None:
    """Definition 2.2: from s0, s1 with chance 1/2 and noise with chance 1/4, 3/4, a watch patrols at step 1 with
    probability 1/2; after a wait (b0) in world x = 0 the state is s1 with 5/16 and it patrols with 13/32."""
    S = posteriors(facts(small.drift()))
    idle, watch, first, second = 0, 1, (0,), (0, 0, 0)  # tau_B: d0, and d0 b0 d0
    assert (Fraction(1), Fraction(0)) == S[0][idle][0][first] == S[0][idle][1][second]
    assert (HALF, HALF) == S[0][watch][0][first]
    assert (Fraction(19, 32), Fraction(13, 32)) == S[0][watch][1][second]


def test_definition_2_2_decision_history_holds_the_current_observation() -> None:
    """Definition 2.2, tau_B of a decision: an adversary that sees the state expects the learner's action from it."""
    document = small.drift()
    document["game"]["adversary_observations"] = ["d0", "d1"]
    document["worlds"]["adversary_emission"] = [["1", "0"], ["0", "1"]]
    document["responses"]["table"] = {name: rows * 2 for name, rows in document["responses"]["table"].items()}
    S = posteriors(facts(document))[0][1][0]
    assert {(0,): (Fraction(3, 4), Fraction(1, 4)), (1,): (Fraction(1, 4), Fraction(3, 4))} == S


def test_definition_2_2_conditions_on_possible_histories_alone() -> None:
    """Definition 2.2: where the learner's policy rules a history out, there is no posterior."""
    document = small.drift()
    document["worlds"]["adversary_emission"] = [["1", "0"], ["0", "1"]]
    document["game"]["adversary_observations"] = ["d0", "d1"]
    document["worlds"]["initial"] = ["1", "0"]
    document["responses"]["table"] = {name: rows * 2 for name, rows in document["responses"]["table"].items()}
    assert {(0,)} == set(posteriors(facts(document))[0][0][0])


def test_definition_2_2_reference_cancels() -> None:
    """Definition 2.2 fixes mu^ref; one that plays every action independently of the history cancels when conditioning
    on
    tau_B, which contains the actions: any full-support reference gives the same posteriors."""
    uniform, tilted = facts(small.drift()), facts(small.drift(), reference=["1/10", "9/10"])
    assert posteriors(uniform) == posteriors(tilted)
