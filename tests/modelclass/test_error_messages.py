"""The errors a user can meet: one sentence, an exit code, and a family to catch."""

from __future__ import annotations

import pickle

import pytest

from pomgcheck.errors import GaveUp, InputError, LimitExceeded, MissingDependency, PomgcheckError, Refused, counted

ERRORS = [
    (InputError("game", "0", "1", "write 1"), 2, "game: found 0, required 1; write 1"),
    (InputError("game", "0", "1").inside("a.toml"), 2, "a.toml: game: found 0, required 1"),
    (InputError("", "0", "1").inside("a.toml"), 2, "a.toml: found 0, required 1"),
    (
        LimitExceeded("space", "coordinates", 12345, 1000, "use less"),
        2,
        "space: found 12,345 coordinates, required at most 1,000; use less",
    ),
    (LimitExceeded("space", "coordinates", 10**80, 10), 2, "space: found about 10^80 coordinates, required at most 10"),
    (
        LimitExceeded.coordinates(8192, 1000, 2),
        2,
        "space: found 8,192 coordinates of the history space, "
        "required at most "
        '1,000; use the space "window", which has 2',
    ),
    (
        MissingDependency("digits", "no scikit-learn", "it", "pip install pomgcheck[digits]"),
        2,
        "digits: found no scikit-learn, required it; pip install pomgcheck[digits]",
    ),
    (
        Refused("a.cert.json", "verdict refuted", "a certified class"),
        1,
        "a.cert.json: found verdict refuted, required a certified class",
    ),
    (GaveUp("row", "no decision", "one"), 3, "row: found no decision, required one"),
]


@pytest.mark.parametrize(("error", "code", "sentence"), ERRORS)
def test_sentence_and_exit_code(error: PomgcheckError, code: int, sentence: str) -> None:
    """Place, found, required and remedy make one sentence; the class decides the exit code."""
    assert (code, sentence) == (error.exit_code, str(error))


@pytest.mark.parametrize(("error", "code", "sentence"), ERRORS)
def test_errors_cross_processes(error: PomgcheckError, code: int, sentence: str) -> None:
    """An error raised in a worker process arrives whole."""
    copy = pickle.loads(pickle.dumps(error))
    assert (type(error), code, sentence) == (type(copy), copy.exit_code, str(copy))


@pytest.mark.parametrize(
    ("kind", "builtin"), [(InputError, ValueError), (LimitExceeded, ValueError), (MissingDependency, ImportError)]
)
def test_builtin_families(kind: type[PomgcheckError], builtin: type[Exception]) -> None:
    """Python callers may catch what they catch already."""
    assert issubclass(kind, builtin)
    assert issubclass(kind, PomgcheckError)


@pytest.mark.parametrize(
    ("n", "words", "said"),
    [
        (0, ("factor",), "0 factors"),
        (1, ("factor",), "1 factor"),
        (1, ("leaf", "leaves"), "1 leaf"),
        (2340, ("entry", "entries"), "2,340 entries"),
    ],
)
def test_a_count_agrees_with_its_noun(n: int, words: tuple[str, ...], said: str) -> None:
    """One is singular, anything else plural, and long counts have commas."""
    assert said == counted(n, *words)
