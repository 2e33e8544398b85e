"""A class that was edited, certified again: what is carried over is what would be found anew."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from pomgcheck import Certificate, Options, certify, load, verify
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.search.again import certify_again
from pomgcheck.search.inputs import READS, SPACES, part, unchanged

OPTIONS = Options()
ALL = {claim.id for claim in CLAIMS}
PLAYED = ALL - {"regret", "constants", "well-specified", "factorization", "warmup-stationary"}


def document(name: str) -> dict[str, Any]:
    """A class of the gallery, to be edited."""
    return json.loads(json.dumps(load(name).document))


def reversed_rows(value: Any) -> Any:
    """A table with every probability row turned round."""
    if isinstance(value, dict):
        return {key: reversed_rows(entry) for key, entry in value.items()}
    if all(isinstance(entry, str) for entry in value):
        return value[::-1]
    return [reversed_rows(entry) for entry in value]


def reward(d: Any) -> None:
    d["game"]["reward"] = reversed_rows(d["game"]["reward"])


def truth(d: Any) -> None:
    d.pop("truth")


def initial(d: Any) -> None:
    d["worlds"]["initial"] = ["1/3", "2/3"]


def transition(d: Any) -> None:
    d["worlds"]["transition"] = reversed_rows(d["worlds"]["transition"])


def emission(d: Any) -> None:
    d["worlds"]["learner_emission"] = reversed_rows(d["worlds"]["learner_emission"])


def seen(d: Any) -> None:
    d["worlds"]["adversary_emission"] = reversed_rows(d["worlds"]["adversary_emission"])


def responses(d: Any) -> None:
    d["responses"]["table"] = reversed_rows(d["responses"]["table"])


def memory(d: Any) -> None:
    d["responses"]["memory"] = 3


def rule(d: Any) -> None:
    d["responses"]["block_rule"] = "latest"


def policies(d: Any) -> None:
    d["policies"]["list"] = reversed_rows(d["policies"]["list"])


def horizon(d: Any) -> None:
    d["game"]["horizon"] = 1


def label(d: Any) -> None:
    d["game"]["learner_observations"][0] = "another"


def words(d: Any) -> None:
    d |= {"name": "another", "description": "In other words"}


EDITS = (reward, truth, initial, transition, emission, seen, responses, memory, rule, policies, horizon, label, words)
CLASSES = ("silent-action", "relabelled-states", "impossible-trajectory", "early-mover")


@pytest.fixture(scope="module")
def before() -> dict[str, Certificate]:
    """The certificates of the classes as they are."""
    return {name: certify(name) for name in (*CLASSES, "patrol")}


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.__name__)
def test_what_is_carried_over_is_what_would_be_found(edit: Any, before: dict[str, Certificate]) -> None:
    """After an edit of any part the certificate is the one that is found without the one before it."""
    done = 0
    for name in CLASSES:
        edited = document(name)
        if edit is truth and "truth" not in edited:
            continue
        edit(edited)
        if edit is horizon and name == "early-mover":
            continue  # its tables are given step by step
        model = load(edited)
        assert certify(model) == certify_again(model, OPTIONS, before[name]).certificate, name
        done += 1
    assert done


@pytest.mark.parametrize("edit", [reward, initial], ids=lambda edit: edit.__name__)
def test_the_kernel_accepts_what_was_carried_over(edit: Any, before: dict[str, Certificate], tmp_path: Any) -> None:
    """A certificate with claims of an earlier one is verified whole like any other."""
    edited = document("patrol")
    edit(edited)
    found, carried = certify_again(load(edited), OPTIONS, before["patrol"])
    assert carried
    assert verify(found.save(tmp_path / "again.cert.json")).accepted


@pytest.mark.parametrize(
    ("edit", "carried"),
    [
        (words, ALL),
        (reward, ALL - {"regret", "constants"}),
        (truth, ALL - {"regret", "constants", "well-specified"}),
        (initial, {"factorization", "well-specified", "warmup-stationary"}),
        (transition, {"well-specified", "warmup-stationary"}),
        (responses, {"factorization", "well-specified"}),
        (
            policies,
            {"factorization", "oom-identity", "nonexpansive", "well-specified", "covering", "warmup-stationary"},
        ),
        (label, {"well-specified"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_which_claims_an_edit_leaves_alone(edit: Any, carried: set[str]) -> None:
    """Of a finite class, claims that read nothing that was changed stand; all others are certified again."""
    old, new = document("patrol"), document("patrol")
    edit(new)
    assert carried == unchanged(old, new)


@pytest.mark.parametrize("name", ["patrol-interval", "patrol-operators"])
def test_other_classes_are_certified_again_whole(name: str) -> None:
    """On interval axes, and where operators are given, any change but one of words counts for every claim."""
    old, new, renamed = document(name), document(name), document(name)
    reward(new)
    words(renamed)
    assert frozenset() == unchanged(old, new)
    assert ALL == unchanged(old, renamed)


def test_other_options_carry_nothing_over(before: dict[str, Certificate]) -> None:
    """What was found under other options says nothing now."""
    found, carried = certify_again(load("silent-action"), Options(kappa=2), before["silent-action"])
    assert frozenset() == carried
    assert certify("silent-action", kappa=2) == found


def test_every_part_of_a_document_is_read_by_some_claim() -> None:
    """The regret bounds read all of a document but its words, so that no new part is forgotten."""
    for name in ("patrol", *CLASSES):
        found = document(name)
        covered = {path.partition(".")[0] for path in READS["constants"]}
        assert set(found) - {"format", "name", "description", "source"} <= covered
        assert set(found["game"]) == {path.partition(".")[2] for path in READS["constants"] if path[:5] == "game."}
    assert "operators" not in covered
    assert len(SPACES) == 5


def test_what_is_not_read_is_not_touched() -> None:
    """With a reward and a truth that cannot be read at all, claims that are said not to read them are searched and
    checked as ever."""

    class Unreadable:
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(f"read: {name}")

        def __iter__(self) -> Any:
            raise AssertionError("read")

        def __getitem__(self, key: object) -> Any:
            raise AssertionError("read")

    from pomgcheck.kernel import check
    from pomgcheck.search.checked import Quest, entry_of, made
    from pomgcheck.search.clock import Clock
    from pomgcheck.search.finding import Finding
    from pomgcheck.search.groups import search_all

    for name in CLASSES:
        game = deepcopy(load(name).game)
        game.reward = game.truth = Unreadable()  # type: ignore[assignment]
        game.document = {key: value for key, value in game.document.items() if key != "truth"}
        game.document["game"] = {key: value for key, value in game.document["game"].items() if key != "reward"}
        wanted = {claim for claim, paths in READS.items() if not {"truth", "game.reward"} & set(paths)}
        assert wanted == PLAYED | {"factorization", "warmup-stationary"}
        found: Any = {claim: (Finding("unknown", ""), 0.0) for claim in ALL}
        search_all(game, Quest(OPTIONS.document, wanted, None, Clock()), 1, found)
        facts, settled = made(game, OPTIONS.document), {}
        for claim in CLAIMS:
            if claim.id in wanted:
                settled[claim.id] = entry_of(claim, found[claim.id][0])
                check.check_claim(facts, claim, settled[claim.id], settled)
                assert settled[claim.id]["verdict"] != "unknown"
    assert part({}, "a.b") == part({"a": "b"}, "a.b")  # nothing is there
