"""Models that a policy cannot tell apart are one under it: on both sides, and against all models taken one by one."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck.experiments import watch
from pomgcheck.kernel import eluder as kernel
from pomgcheck.kernel.claims.eluder import channels
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.modelclass.document import load
from pomgcheck.options import Options
from pomgcheck.search.certify import certify
from pomgcheck.search.claims import eluder
from pomgcheck.search.exact.tables import Tables
from tests.gallery import brute
from tests.kernel.trajectories import is_square_error, trajectories
from tests.search.checked import found
from tests.search.classes import documents

PLAYED = ("kl-joint", "kl-world", "eluder-world", "eluder-adversary")
LARGE = watch.document("large", worlds=3, responses=3, bands=3)  # 81 models


def shared(document: Any) -> Any:
    """The class, less some of what tells its models apart: the first action moves alike in all worlds, the first policy
    takes no other, and the last policy is answered alike by all responses."""
    game, document = Game(document), deepcopy(document)
    last = game.policy_names[-1]

    def each(table: Any, change: Callable[[int, Any], Any]) -> Any:
        """The table with the change made at every step."""
        if isinstance(table, dict):
            return {"steps": [change(h, rows) for h, rows in enumerate(table["steps"])]}
        return change(0, table)

    def moved(h: int, rows: Any) -> Any:
        first = [[[str(x) for x in row] for row in by_action[0]] for by_action in game.worlds[0].T[h]]
        return [[quiet, *others] for quiet, (_, *others) in zip(first, rows, strict=True)]

    def answered(h: int, rows: Any) -> Any:
        return [[str(x) for x in row] for row in game.responses[0][-1][h]][: len(rows)]

    def idle(h: int, rows: Any) -> Any:
        return [["1", *["0"] * (len(game.A) - 1)]] * len(rows)

    worlds, policies, answers = document["worlds"], document["policies"]["list"], document["responses"]["table"]
    worlds["transition"] = each(worlds["transition"], moved)
    policies[game.policy_names[0]] = each(policies[game.policy_names[0]], idle)
    answers[last] = each(answers[last], answered)
    return document


CLASSES = documents(rules=("latest", "mean", "fading")).map(shared)


def options(T: int = 16384) -> dict[str, Any]:
    return Options(T=T).document


@settings(max_examples=40)
@given(st.one_of(CLASSES, documents()))
def test_laws_and_sums_are_those_of_all_models(document: Any) -> None:
    """The walk, of kinds of models, against brute force of every model: laws of play, both sums of squares."""
    game = Game(document)
    facts = Facts(game, options())
    for p, play in enumerate(facts.plays):
        for star in brute.models(game):
            law = brute.law(game, star, p)
            for sequence, (weight, chances) in trajectories(play).items():
                pairs = tuple(zip(sequence[::2], sequence[1::2], strict=True))
                assert law.get(pairs, 0) == weight * chances[play.alike[star]]
            for xi, (joint, world) in brute.operator_errors(game, star, p).items():
                assert is_square_error(joint, play, star, xi)
                assert is_square_error(world, play, star, xi[0])


@settings(max_examples=40)
@given(CLASSES)
def test_models_of_one_kind_are_the_same_under_the_policy(document: Any) -> None:
    """Of two models of one kind the laws are equal and the operators differ nowhere along them."""
    game = Game(document)
    facts = Facts(game, options())
    for p, play in enumerate(facts.plays):
        for x in brute.models(game):
            errors = brute.operator_errors(game, x, p)
            for y in (y for y in errors if play.alike[x] == play.alike[y]):
                assert brute.law(game, x, p) == brute.law(game, y, p)
                assert (0, 0) == errors[y]


def test_where_nothing_is_shared_every_model_is_its_own() -> None:
    """Of 81 models the policy that never patrols tells none apart, those of one band 9 each."""
    facts = Facts(load(LARGE).game, options())
    assert [1, 9, 9, 9] == [len(play.models) for play in facts.plays]
    assert 81 == len(brute.models(facts.game))


@settings(max_examples=40)
@given(CLASSES, st.sampled_from([1, 20, 16384]))
def test_any_class_that_shares(document: Any, T: int) -> None:
    """Verdicts and brackets of 3.1(e) and Proposition 2.6 are brute force's, and the kernel takes the evidence."""
    found(document, *PLAYED, T=T)


@settings(max_examples=30)
@given(CLASSES, st.sampled_from([1, 2, 20, 16384]))
def test_counts_end_early_without_loss(document: Any, T: int) -> None:
    """Beyond the classes that are enumerated, d_upper of both sides is the least of the sign-witness bound and the
    most functions, or policies, that differ and exceed the scale at one reference model, all models looked at."""
    game = Game(document)
    t, facts = Tables(game, "window"), Facts(game, options(T))
    walks = facts.plays
    for number, claim in enumerate(PLAYED[2:]):
        channel = facts.once(channels)[claim]
        counts = []
        for star in brute.models(game):
            errors = [brute.channel_errors(game, star, p, joint_too=False)[number] for p in range(t.P)]
            rows = {row for row in zip(*errors, strict=True) if max(row) > Fraction(1, 2 * T)}
            columns = {column for column in zip(*rows, strict=True) if max(column) > Fraction(1, 2 * T)}
            counts.append(min(len(rows), len(columns)))
        bound = kernel.sign_witness(channel.rank, channel.D * channel.B2 * 4 * T * T)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(kernel, "ENUMERATED", 0)
            assert min(bound, max(counts)) == channel.upper(T)
            assert channel.upper(T) == eluder.ErrorClass(t, walks, claim == "eluder-world").upper(T)


def test_a_sequence_looked_for_at_some_models_alone_is_one() -> None:
    """Where not all reference models are looked at, the sequence found is shorter perhaps, and holds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(eluder, "VALUES", 1)
        certificate = certify(load(LARGE), only=PLAYED[2:])
    values = certificate.values
    assert 1 <= values.fraction("d_G_lower") <= values.fraction("d_G_upper")
