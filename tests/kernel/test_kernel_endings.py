"""Prefixes with the same last pairs are one class: what is claimed of laws then lies between ends that hold."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from math import inf
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.scale import rows_at_random
from pomgcheck.exporters.coq import theorems
from pomgcheck.kernel import check
from pomgcheck.kernel.budget import OverBudget
from pomgcheck.kernel.endings import EndingPlay
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.play import Play
from pomgcheck.kernel.walk import COARSE
from pomgcheck.modelclass.document import load
from pomgcheck.options import Options
from pomgcheck.search import play as walking
from pomgcheck.search.certify import certify
from tests import second
from tests.kernel.editing import Edit, canonical, drop, edited, put
from tests.search.classes import documents
from tests.search.small import document as small
from tests.search.small import drift

ROOM = Fraction(1, 1 << COARSE - 8)  # what roundings of a root or a logarithm may lose


def pairs_of_plays(document: Any, k: int) -> list[tuple[Play, EndingPlay]]:
    """The walks of every policy, by all that is to come and by endings of k pairs."""
    game = Game(document)
    space = "history" if None in (game.learner_window, game.adversary_window) else "window"
    facts = Facts(game, Options(space=space).document)
    ended = [play for play in facts.by_endings(k).plays if isinstance(play, EndingPlay)]
    return [*zip(facts.plays, ended, strict=True)]


def overlap(exact: tuple[Any, Any], ends: tuple[Any, Any]) -> bool:
    """Whether two enclosures of one number agree."""
    return bool(exact[0] <= ends[1] and ends[0] <= exact[1])


CLASSES = st.one_of(documents(full=True), st.just(rows_at_random(horizon=4)), st.just(drift()))


@settings(max_examples=40)
@given(CLASSES, st.integers(0, 3))
def test_ends_hold_what_whole_prefixes_give(document: Any, k: int) -> None:
    """Ratios, divergences, sums of norms and of their squares, affinities and the least chance are bounded as they are
    said to be; mean rewards, possible trajectories and infinite divergences are exact."""
    for exact, ended in pairs_of_plays(document, k):
        ratio, place = ended.increments
        assert (ratio is None) == (exact.increments[0] is None)
        if ratio is None:
            high, low = (exact.follow(place.trajectory, exact.models[n]) for n in (place.x, place.y))
            assert high is not None
            assert low is not None
            assert high[1][-1] > low[1][-1] == 0
        else:
            assert exact.increments[0] is not None
            assert exact.increments[0] <= ratio
        assert ended.least_observation() <= exact.least_observation()
        for x, y in product(exact.models, repeat=2):
            assert ended.value(x) == exact.value(x)
            assert ended.divergent(x, y) == exact.divergent(x, y)
            assert exact.affinity(x, y) <= ended.affinity(x, y) + ROOM
            assert bool(exact.affinity(x, y)) == bool(ended.affinity(x, y))
            for compared in (y, y[0]):
                assert ended.differs(x, compared) or not exact.differs(x, compared)
                assert overlap(exact.squares(x, compared, COARSE), ended.squares(x, compared, COARSE))
                assert overlap(exact.error_ends(x, compared), ended.error_ends(x, compared))
            if not exact.divergent(x, y):
                known = exact.divergence(x, y, COARSE)
                assert ended.least_divergence(x, y, COARSE) <= known[1]
                try:
                    assert overlap(known, ended.divergence(x, y, COARSE))
                except OverBudget:
                    assert not ended.least_observation()


@given(documents(full=True))
@settings(max_examples=15)
def test_endings_as_long_as_play_are_whole_prefixes(document: Any) -> None:
    """Then both ends are one number, to within rounding."""
    for exact, ended in pairs_of_plays(document, Game(document).H):
        if exact.increments[0] is not None:
            assert 0 <= ended.increments[0] - exact.increments[0] <= ROOM * exact.increments[0]
        for x, y in product(exact.models, repeat=2):
            low, high = ended.error_ends(x, y)
            assert high - low <= ROOM
            assert ended.differs(x, y) == exact.differs(x, y)
            if not exact.divergent(x, y):
                low, high = (Fraction(end, 1 << 2 * COARSE) for end in ended.divergence(x, y, COARSE))
                assert high - low <= ROOM


@pytest.mark.parametrize("k", [2, 3])
def test_the_error_of_endings_is_of_second_order(k: int) -> None:
    """In a class in which nothing merges both ends of c_KL agree to a thousandth at two pairs of five, and the error
    falls a hundredfold with a pair more."""
    for exact, ended in pairs_of_plays(rows_at_random(horizon=5), k)[:1]:
        for x, y in product(exact.models, repeat=2):
            if x != y:
                least = ended.least_divergence(x, y, COARSE)
                assert 0 <= 1 - Fraction(least, exact.divergence(x, y, COARSE)[0]) <= Fraction(1, 10 ** (2 * k))
                most = ended.squares(x, y, COARSE)[1]
                assert 0 <= Fraction(most, exact.squares(x, y, COARSE)[1]) - 1 <= Fraction(1, 10 ** (2 * k - 1))


def test_a_mean_state_at_which_nothing_differs_does_not_stand_for_its_class() -> None:
    """Worlds that hold a state fast, either of them, differ at an observation that tells nothing by |q0 - q1|: zero at
    the mean state of all prefixes, and at none of theirs."""
    held = [[["1/2+x", "1/2-x"]], [["1/2-x", "1/2+x"]]]
    document = two_states([["1/100", "0", "99/100"], ["0", "1/100", "99/100"]], held, {"x": ["1/8", "1/4"]})
    ((exact, ended),) = pairs_of_plays(document, 0)
    assert [0] * 2 == [ended.norm(h, 2, 0, (0, 0), 1, ended.levels[h][0].states[0] or {}) for h in (0, 1)]
    low, high = ended.error_ends((0, 0), 1)
    assert low < exact.error((0, 0), 1) < high


def test_prefixes_that_make_other_states_possible_are_apart() -> None:
    """Where the first state is seen, one world leaves it and the other stays: after either state the same is possible in
    all of them together, and still a trajectory is possible in one world alone."""
    document = two_states([["1", "0"], ["0", "1"]], [[["1-x", "x"]], [["1/2", "1/2"]]], {"x": ["0", "1/2"]})
    ((exact, ended),) = pairs_of_plays(document, 0)
    assert [(1, 2), (1, 2)] == [tuple(map(len, play.levels)) for play in (exact, ended)]
    assert (None, None) == (exact.increments[0], ended.increments[0])
    assert [(False, True), (False, True)] == [
        (play.divergent((0, 0), (1, 0)), play.divergent((1, 0), (0, 0))) for play in (exact, ended)
    ]


def may_vanish() -> Any:
    """An observation that the first state never makes: by endings of no pair its chance may be nothing after any prefix,
    while by whole prefixes it never is, for neither state is ever left for good."""
    moves = [[["3/4-x", "1/4+x"]], [["1/4+x", "3/4-x"]]]
    return two_states([["1/2", "1/2", "0"], ["1/4", "1/4", "1/2"]], moves, {"x": ["0", "1/8"]})


def test_a_chance_that_may_vanish_in_a_class_bounds_nothing() -> None:
    """No ratio and no upper end of a divergence is shown, and no least chance; the lower end of the divergence stands."""
    ((exact, ended),) = pairs_of_plays(may_vanish(), 0)
    assert exact.increments[0] is not None
    assert inf == ended.increments[0]
    assert 0 == ended.least_observation() < exact.least_observation()
    one, two = (0, 0), (1, 0)
    with pytest.raises(OverBudget, match="a divergence by endings of 0 pairs: chances in a class that may vanish"):
        ended.divergence(one, two, COARSE)
    assert ended.least_divergence(one, two, COARSE) <= exact.divergence(one, two, COARSE)[1]


def test_endings_show_no_equality_and_no_exact_sum() -> None:
    """Not even a model's law is shown to be its own; an exact sum of norms, which the mean states do not give, is
    refused."""
    ((exact, ended),) = pairs_of_plays(may_vanish(), 0)
    assert [True, False] == [play.same_law((0, 0), (0, 0)) for play in (exact, ended)]
    assert [] == [*ended.of_one_law()]
    with pytest.raises(OverBudget, match="an exact sum of norms: endings give its ends"):
        ended.error((0, 0), 1)


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("bounded-increments", "bounded-increments eval: found proved, required unknown"),
        ("constants", "constants bound: found no least chance by these endings, required a positive one"),
    ],
)
def test_what_endings_leave_open_is_not_proved_by_them(claim: str, reason: str) -> None:
    """Endings too short to show a ratio, or a least chance, are refused where the right ones are accepted."""
    with few_apart():
        certificate = json.loads(canonical(certify(load(may_vanish())).document))
    assert check.verify_bytes(canonical(certificate)).accepted
    line = check.verify_bytes(canonical(edited(certificate, named(claim, k=0)))).line
    assert line.startswith(f"REJECTED {reason}"), line


def two_states(emission: Any, moves: Any, worlds: Any) -> Any:
    """Two states, one of which play begins in, two steps, one policy and one response."""
    responses = {"table": {"p": [["1"]]}}
    return small("seen", learner=emission, moves=moves, worlds=worlds, responses=responses, initial=["1/2", "1/2"])


# -- certificates


@contextmanager
def few_apart() -> Iterator[None]:
    """As if the prefixes of any class were too many to be told apart by all that is to come."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walking, "APART", 0)
        patch.setattr(walking, "SPREAD", 1)
        yield


@settings(max_examples=20)
@given(documents())
def test_any_class_is_decided_as_by_whole_prefixes(document: Any) -> None:
    """What endings leave open, equal laws among it, is asked of whole prefixes; a second checker agrees with all of it."""
    with few_apart():
        found = json.loads(canonical(certify(load(document)).document))
    exact = json.loads(canonical(certify(load(document)).document))
    assert [entry["verdict"] for entry in exact["claims"]] == [entry["verdict"] for entry in found["claims"]]
    assert not [line for line in second.verdicts(found) if line[1].startswith("disagrees")]


def test_one_model_is_decided_by_endings_of_one_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing is compared endings of one pair do, however much chances differ within a class; every verdict is that
    of whole prefixes, and the kernel accepts it."""
    document = drift(horizon=4)
    document["worlds"]["parameters"] = {"x": {"values": ["1/8"]}}
    document["responses"]["parameters"] = {"y": {"values": ["1/4"]}}
    exact = certify(load(document)).document
    monkeypatch.setattr(walking, "APART", 0)
    monkeypatch.setattr(walking, "SPREAD", 0)
    assert (1, 1) == walking.walked(Game(exact["model"]), exact["options"]).endings
    found = json.loads(canonical(certify(load(document)).document))
    assert [entry["verdict"] for entry in exact["claims"]] == [entry["verdict"] for entry in found["claims"]]
    assert 1 == next(entry["evidence"]["endings"] for entry in found["claims"] if entry["id"] == "bounded-increments")
    assert check.verify_bytes(canonical(found)).accepted


def test_more_prefixes_than_are_told_apart_are_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where endings show nothing and prefixes are too many, the claim is unknown and says so."""
    monkeypatch.setattr(walking, "APART", 0)
    document = drift()
    stays, leaves = [[[[row, row]] * 2, [[["0", "1"]] * 2] * 2] for row in (["1", "0"], ["1-x", "x"])]
    document["worlds"]["transition"] = {"steps": [stays, leaves]}
    model = load(document)
    assert certify(model, only=["kl-joint"]).claims["kl-joint"].verdict == "refuted"
    monkeypatch.setattr(walking, "MOST", 0)
    left = next(entry for entry in certify(model, only=["kl-joint"]).document["claims"] if entry["id"] == "kl-joint")
    assert ("unknown", "endings do not tell the laws of two models apart") == (
        left["verdict"],
        left["search"]["method"],
    )


def certified_by_endings() -> Any:
    """The certificate of a class by endings of one and two pairs, as if its prefixes were too many."""
    with few_apart():
        return json.loads(canonical(certify(load(rows_at_random(horizon=4))).document))


@pytest.fixture(scope="module")
def certificate() -> Any:
    """A certificate by endings."""
    return certified_by_endings()


def test_a_class_is_certified_by_endings(certificate: Any) -> None:
    """Every claim that is decided by play names its endings, the kernel accepts it, and a second checker agrees; Coq's
    checkers leave these claims."""
    assert check.verify_bytes(canonical(certificate)).accepted
    named = {entry["id"] for entry in certificate["claims"] if "endings" in (entry["evidence"] or {})}
    assert check.PLAYED | {"constants"} == named
    assert certificate["summary"]["certified"]
    assert not [line for line in second.verdicts(certificate) if line[1].startswith("disagrees")]
    facts = Facts(Game(certificate["model"]), certificate["options"])
    assert {theorems.ENDINGS} == {
        theorems.statement(facts, entry, {}).left for entry in certificate["claims"] if entry["id"] in named
    }


def test_both_kinds_of_walk_agree(certificate: Any) -> None:
    """The brackets by endings hold what whole prefixes give."""
    exact = json.loads(canonical(certify(load(rows_at_random(horizon=4))).document))
    values = [{entry["id"]: entry["values"] for entry in each["claims"]} for each in (exact, certificate)]
    for side in ("joint", "world"):
        (low, high), (least, most) = (
            [Fraction(each[f"kl-{side}"][f"c_KL_{side}_{end}"]) for end in ("lower", "upper")] for each in values
        )
        assert least <= high
        assert low <= most
    bounds = [each["bounded-increments"] for each in values]
    assert Fraction(bounds[1]["B0_lower"]["log_of"]) <= Fraction(bounds[0]["B0_upper"]["log_of"])
    assert Fraction(bounds[0]["B0_upper"]["log_of"]) <= Fraction(bounds[1]["B0_upper"]["log_of"])
    assert values[0]["regret"]["D"] == values[1]["regret"]["D"]


def bound(claim_id: str, name: str, factor: str) -> Edit:
    """Another value, that many times as large."""

    def edit(certificate: Any) -> None:
        values = next(entry for entry in certificate["claims"] if entry["id"] == claim_id)["values"]
        logarithm = isinstance(values[name], dict)
        moved = str(Fraction(values[name]["log_of"] if logarithm else values[name]) * Fraction(factor))
        values[name] = {"log_of": moved} if logarithm else moved

    return edit


def named(claim_id: str, *path: str, k: Any) -> Edit:
    """Other endings."""
    return put("claims", claim_id, "evidence", *path, "endings", to=k)


FORGERIES: dict[str, tuple[tuple[Edit, ...], str]] = {
    "c_KL a thousandth larger than endings show": (
        (bound("kl-joint", "c_KL_joint_lower", "1001/1000"), bound("kl-joint", "c_KL_joint_upper", "1001/1000")),
        "kl-joint log: found KL < c_KL_joint_lower * Delta",
    ),
    "c_KL attained where endings do not show it": (
        (bound("kl-world", "c_KL_world_upper", "99/100"), bound("kl-world", "c_KL_world_lower", "98/100")),
        "kl-world log: found KL > upper * Delta",
    ),
    "an upper end of c_KL by endings that are too short": (
        (named("kl-joint", "attained", k=0),),
        "kl-joint log: found KL > upper * Delta",
    ),
    "the constant of longer endings": ((named("kl-joint", k=0),), "kl-joint log: found KL < c_KL_joint_lower * Delta"),
    "the constant of whole prefixes": (
        (drop("claims", "bounded-increments", "evidence", "endings"),),
        "bounded-increments eval: found B0_upper",
    ),
    "B_0 below what endings show": (
        (bound("bounded-increments", "B0_upper", "99/100"),),
        "bounded-increments eval: found B0_upper",
    ),
    "B_0 attained where it is not": (
        (bound("bounded-increments", "B0_lower", "101/100"),),
        "bounded-increments eval: found P = ",
    ),
    "B_0 attained at a name": (
        (put("claims", "bounded-increments", "values", "B0_lower", to="2"),),
        "bounded-increments read bounded-increments.values.B0_lower: found str",
    ),
    "a chance that is larger than the least": (
        (bound("constants", "least_observation", "2"),),
        "constants bound: found least_observation = ",
    ),
    "the least chance by endings that are too short": (
        (named("constants", k=0),),
        "constants bound: found least_observation = ",
    ),
    "a sum of norms by other endings": ((named("eluder-world", k=3),), "eluder-world sequence: found other squares"),
    "endings longer than play": ((named("kl-joint", k=5),), "kl-joint read kl-joint.endings: found 5"),
    "endings of less than nothing": ((named("kl-joint", k=-1),), "kl-joint read kl-joint.endings: found -1"),
    "endings that are true": ((named("kl-joint", k=True),), "kl-joint read kl-joint.endings: found True"),
    "endings of text": (
        (named("eluder-adversary", k="2"),),
        "eluder-adversary read eluder-adversary.endings: found '2'",
    ),
    "endings of what is not played": (
        (named("covering", k=1),),
        "covering read covering.evidence: found the unknown key 'endings'",
    ),
    "summed operators by endings": (
        (put("options", "operators", to="summed"), put("readings", 5, to="3.1e:operators=summed")),
        "bounded-increments endings: found endings",
    ),
}


@pytest.mark.parametrize("sells", FORGERIES)
def test_forgeries_are_refused(sells: str, certificate: Any) -> None:
    """What endings do not show is refused, and so are endings that are none, or where they have no meaning."""
    edits, reason = FORGERIES[sells]
    line = check.verify_bytes(canonical(edited(certificate, *edits))).line
    assert line.startswith(f"REJECTED {reason}"), line
