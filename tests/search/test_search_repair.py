"""The smallest repair, against brute force over all sub-classes; and the smallest hitting set, over all subsets."""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.modelclass import load
from pomgcheck.modelclass.derived import without
from pomgcheck.modelclass.model import ModelClass
from pomgcheck.search import repair as module
from pomgcheck.search.certify import certify
from pomgcheck.search.conflicts import DROPPABLE, SIDES, Conflict, Member
from pomgcheck.search.repair import repair, smallest_hitting_set
from tests.search.classes import documents, questions

FAILING = [name for name in gallery.names("counterexamples") if gallery.load(name).game.finite]
ORDER = [Member(side, number) for side, size in zip(SIDES, (3, 2, 3), strict=True) for number in range(size)]


def subsets(items: Any) -> Any:
    """All subsets, the smallest first and lexicographically within a size."""
    every = list(items)
    return chain.from_iterable(combinations(every, size) for size in range(len(every) + 1))


def kept_by(dropped: Any, order: Any, truth: Any) -> bool:
    """Whether a drop leaves every side a member, and the truth."""
    whole = all(any(part.side == side and part not in dropped for part in order) for side in SIDES)
    return whole and not set(dropped) & set(truth)


@settings(max_examples=60)
@given(
    st.sets(st.frozensets(st.sampled_from(ORDER), min_size=1, max_size=4), max_size=8),
    st.sets(st.sampled_from(ORDER[:5]), max_size=2),
)
def test_the_smallest_hitting_set_is_the_first_of_all_subsets(conflicts: set[Conflict], kept: set[Member]) -> None:
    """Of all subsets that meet each conflict, keep the truth and empty no side, z3's is the first of the smallest."""
    conflicts = {each for each in conflicts if not each <= kept}
    fitting = (
        dropped
        for dropped in subsets(ORDER)
        if kept_by(dropped, ORDER, kept) and all(set(dropped) & each for each in conflicts)
    )
    wanted = next(fitting, None)
    if wanted is not None:
        assert wanted == smallest_hitting_set(conflicts, ORDER, kept)


def brute(model: ModelClass, claims: Any, options: dict[str, Any]) -> tuple[Any, ...]:
    """The first of the smallest drops after which certifying refutes no claim: sub-classes are certified in turn."""
    game = model.game
    sides = (
        [{name: str(value) for name, value in point.items()} for point in game.thetas or ()],
        [{name: str(value) for name, value in point.items()} for point in game.phis or ()],
        list(model.policies),
    )
    order = [(side, item) for side, items in enumerate(sides) for item in items]
    truth = [model.document["truth"][side] for side in SIDES[:2]] if "truth" in model.document else ()
    for dropped in subsets(order):
        out = [[item for k, item in dropped if k == side] for side in range(3)]
        if any(len(gone) == len(items) for gone, items in zip(out, sides, strict=True)):
            continue
        if any(point in gone for point, gone in zip(truth, out[:2], strict=False)):
            continue
        left = certify(without(model, *out), only=claims, **options).entries  # type: ignore[arg-type]
        if all(left[claim]["verdict"] != "refuted" for claim in claims):
            return tuple(map(tuple, out))
    raise AssertionError("one world, response and policy are left, and refute a claim")


def refuted(certificate: Certificate) -> list[str]:
    return [claim for claim in DROPPABLE if certificate.entries[claim]["verdict"] == "refuted"]


@pytest.mark.parametrize("name", FAILING)
def test_each_counterexample_is_repaired_by_the_least_that_can(name: str) -> None:
    """On every failing class of the gallery the drop is that of brute force, for all claims and for each alone."""
    model = gallery.load(name)
    certificate = certify(model)
    found, claims = repair(model, certificate), refuted(certificate)
    if not claims:
        assert (None, {}) == (found.together, found.alone)
        return
    assert found.together is not None
    assert brute(model, claims, {}) == found.together.out
    for claim, drop in found.alone.items():
        assert brute(model, [claim], {}) == drop.out
    assert set(claims) == set(found.together.claims)
    assert found.settled


@settings(max_examples=12)
@given(questions(largest=2))
def test_any_small_class_is_repaired_by_the_least_that_can(question: Any) -> None:
    """On random classes, whatever the options, the drop is that of brute force over all sub-classes."""
    document, options = question
    model = load(document)
    certificate = certify(model, only=DROPPABLE, **options)
    claims = refuted(certificate)
    found = repair(model, certificate)
    if claims:
        assert found.together is not None
        assert brute(model, claims, options) == found.together.out


@settings(max_examples=12)
@given(documents(largest=2))
def test_each_conflict_refutes_by_itself(document: Any) -> None:
    """The class of one conflict's worlds, responses and policies alone is refuted: no conflict is made up."""
    model = load(document)
    found = certify(model, only=DROPPABLE)
    claims = refuted(found)
    search = module.DropSearch(model, found.document["options"], claims, 1)
    for claim in claims:
        for conflict in sorted(search.conflicts[claim], key=sorted)[:3]:
            sides = [{part.number for part in conflict if part.side == side} for side in SIDES]
            assert all(sides)
            left = without(model, *search.words([part for part in search.parts if part not in conflict]))
            assert "refuted" == certify(left, only=[claim]).entries[claim]["verdict"]


def test_the_truth_stays() -> None:
    """Where two worlds refute a claim together, the one that is not the truth goes."""
    model = gallery.load("silent-action")
    for x, other in (("1/2", "3/4"), ("3/4", "1/2")):
        document = model.document | {"truth": {"worlds": {"x": x}, "responses": {}}}  # type: ignore[operator]
        named = load(document)
        found = repair(named, certify(named))
        assert found.together is not None
        assert (({"x": other},), (), ()) == found.together.out


def test_a_truth_outside_the_class_is_not_repaired_by_a_drop() -> None:
    """It is named, and the repair does not claim to settle it."""
    model = gallery.load("outside-truth")
    found = repair(model, certify(model))
    assert (("well-specified",), {"worlds": {"x": "3/4"}, "responses": {}}, False) == (
        found.refuted,
        found.outside,
        found.settled,
    )


@pytest.mark.parametrize("name", ["silent-action", "cancelling-states", "relabelled-states"])
def test_conflicts_not_known_beforehand_are_found_by_certifying(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any conflict of weak revealing to begin with, the witnesses of what is left lead to the same drop."""
    model = gallery.load(name)
    certificate = certify(model)
    wanted = repair(model, certificate)
    enumerate_all = module.conflicts

    def forgetful(*arguments: Any) -> dict[str, set[Conflict]]:
        return enumerate_all(*arguments) | {"weak-revealing": set()}

    monkeypatch.setattr(module, "conflicts", forgetful)
    alone = repair(model, certify(model, only=["weak-revealing"]))
    assert wanted.together is not None
    assert alone.together is not None
    assert wanted.together.out == alone.together.out


def test_giving_up_on_what_is_left_is_no_repair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where certifying what is left ends unknown, the drop is reported and not called settled."""
    model = gallery.load("silent-action")
    certificate = certify(model)

    def tired(left: ModelClass, **options: Any) -> Certificate:
        return certify(left, **(options | {"only": ["covering"]}))

    monkeypatch.setattr(module, "certify", tired)
    found = repair(model, certificate)
    assert found.together is not None
    assert ("unknown", False) == (found.together.claims["weak-revealing"].verdict, found.settled)


def test_a_certificate_of_another_model_is_refused() -> None:
    """The advice is about the model that was certified."""
    certificate = certify(gallery.load("patrol"), only=["covering"])
    with pytest.raises(InputError, match="found one of the model 0c42ac0a1faa…, required one of 05b3c3e99"):
        repair(gallery.load("silent-action"), certificate)


def test_parts_are_in_the_order_ties_are_broken() -> None:
    """The parts of a class are its worlds, then its responses, then its policies."""
    model = gallery.load("patrol")
    sizes = model.thetas, model.phis, len(model.policies)
    wanted = [Member(side, number) for side, size in zip(SIDES, sizes, strict=True) for number in range(size or 0)]
    assert wanted == module.parts(model.game)
