"""The certificate as a whole: what is written, what is refused, and that the kernel has the last word."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pomgcheck
from pomgcheck import gallery
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel.check import verify
from pomgcheck.search import certify as certification
from pomgcheck.search.certify import certify
from pomgcheck.search.finding import Finding
from tests.search import small
from tests.search.classes import model_of

MODEL: Any = model_of(small.drift())


def test_a_saved_certificate_verifies(tmp_path: Path) -> None:
    """The file is the document, in canonical form, and nothing else is left in the folder."""
    path = certify(MODEL).save(tmp_path / "drift.cert.json")
    assert [path] == list(tmp_path.iterdir())
    assert verify(path).certified
    assert json.loads(path.read_bytes()) == verify(path).certificate


@pytest.mark.parametrize(
    ("document", "only", "code"),
    [
        (small.drift(), None, 0),
        (dict(gallery.load("bandit-2").document), None, 0),
        (small.drift(truth={"worlds": {"x": "1"}, "responses": {"y": "1/4"}}), None, 1),
        (small.drift(), ("covering",), 3),
    ],
    ids=["certified", "certified on an interval", "refuted", "unknown"],
)
def test_exit_codes_follow_the_verdicts(document: Any, only: Any, code: int) -> None:
    """0 certified, 1 something refuted, 3 something given up."""
    certificate = certify(model_of(document), only=only)  # type: ignore[arg-type]
    assert (code, code == 0) == (certificate.exit_code, certificate.certified)


def test_only_what_is_asked_is_searched() -> None:
    """The other claims end unknown, which is honest and not certified."""
    certificate = certify(MODEL, only=["covering"])
    assert {"covering"} == {name for name, entry in certificate.entries.items() if entry["verdict"] != "unknown"}
    assert not certificate.certified


def test_processes_find_the_same() -> None:
    """Two jobs give the same certificate as one."""
    assert certify(MODEL).document["sha256"] == certify(MODEL, jobs=2).document["sha256"]


@pytest.mark.parametrize(
    "options",
    [
        {"kappa": 0},
        {"kappa": True},
        {"space": "square"},
        {"form": "loose"},
        {"scope": "some"},
        {"lipschitz": "none"},
        {"tol": Fraction(0)},
        {"delta": Fraction(1)},
        {"T": 0},
        {"reference": ["1", "0"]},
        {"reference": ["1"]},
        {"limits": {"trajectories": 0}},
        {"only": ["alpha"]},
        {"only": 3},
        {"jobs": 0},
        {"model": "drft"},
    ],
    ids=str,
)
def test_options_that_do_not_fit_are_refused(options: Any) -> None:
    """Each with a sentence that says where, what was found and what was required."""
    with pytest.raises(InputError, match="found .* required"):
        certify(**{"model": MODEL, **options})


@pytest.mark.parametrize(
    "action",
    [lambda: pomgcheck.load(3), lambda: pomgcheck.report(3, "x.html")],  # type: ignore[arg-type]
    ids=["load", "report"],
)
def test_what_is_of_no_known_kind_is_refused(action: Any) -> None:
    """The other verbs say it with the same kind of sentence."""
    with pytest.raises(InputError, match="found 3, required a"):
        action()


def test_a_class_over_a_limit_is_refused_with_the_count() -> None:
    """Before any array is made; the message names the smaller space."""
    with pytest.raises(LimitExceeded, match="window"):
        certify(MODEL, space="history", limits={"coordinates": 100})


def test_prefixes_of_a_long_horizon_are_counted_while_they_grow() -> None:
    """Over the limit of those that differ the claims that play are refused; the others are decided."""
    document = small.drift()
    document["game"]["horizon"] = 60
    for claim, form in (("kl-joint", "step"), ("posterior-lipschitz", "policy")):
        with pytest.raises(LimitExceeded, match=r"found 101 (learner prefixes apart|distinct adversary histories)"):
            certify(model_of(document), only=[claim], lipschitz=form, limits={"trajectories": 100})
    assert "proved" == certify(model_of(document), only=["covering"]).entries["covering"]["verdict"]


def test_progress_is_told() -> None:
    """Every group of claims announces itself."""
    told: list[str] = []
    certify(MODEL, progress=lambda claim, done, total: told.append(claim))
    assert {"factorization", "posterior-lipschitz", "weak-revealing"} <= set(told)


def test_the_kernel_has_the_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong finding ends in an error, not in a certificate."""
    wrong = Finding("proved", "by hand", {"log_covering_upper": {"log_of": "1"}}, {"rule": "eval"})
    monkeypatch.setattr("pomgcheck.search.claims.regularity.covering", lambda game: wrong)
    with pytest.raises(AssertionError, match="REJECTED covering eval"):
        certification.certify(MODEL)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"tol": 0.1}, 'tol: found 0.1, required an exact number; write "0.1"'),
        ({"delta": "abc"}, "delta: found 'abc', required an exact number such as"),
        ({"only": "weak-reveling"}, 'did you mean "weak-revealing"'),
    ],
)
def test_arguments_are_exact_and_known(arguments: Any, sentence: str) -> None:
    """The verb refuses floats, words that are no number, and claims that are none, each in a sentence."""
    with pytest.raises(InputError) as caught:
        certify(MODEL, **arguments)
    assert sentence in str(caught.value)
