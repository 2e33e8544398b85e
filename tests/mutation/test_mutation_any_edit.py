"""Any edit of any accepted certificate is refused, or what it then says is true.

The edits know nothing of what matters: numbers, identifiers, strings, trees, order, entries dropped and repeated, whole
claims taken from another certificate, with digests and summary made good again or not.  Truth is tests/search/truth.py,
which decides every claim again by tests/gallery/brute.py.
"""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pomgcheck.kernel.check import Verdict, verify_bytes
from pomgcheck.kernel.game import Game
from tests.kernel.editing import canonical, claim, edited, get, put, signed
from tests.search import truth

ACCEPTED = sorted((Path(__file__).parents[1] / "accepted").glob("*.cert.json"))
FILES = {path.name.removesuffix(".cert.json"): json.loads(path.read_bytes()) for path in ACCEPTED}
OWED = len(FILES["drift"]["claims"])
GROUPS = {
    "2.3": "Assumption 2.3",
    "2.4": "Assumption 2.4",
    "2.5": "Theorem 2.5",
    "2.6": "Proposition 2.6",
    "3.3": "Theorem 3.3",
    "N": "Theorem N",
} | {f"3.1{letter}": f"Assumption 3.1({letter})" for letter in "abcdef"}
WORST = ["refuted", "unknown", "declared", "vacuous", "proved"]
WORDS = sorted(
    {
        text
        for file in FILES.values()
        for text in json.dumps(file).split('"')
        if len(text) < 24 and not set(text) & set(",:{}[]")
    }
)

# ------------------------------------------------------------------------------------------- truth


@cache
def game_of(model: bytes) -> Game:
    return Game(json.loads(model))


def summary_of(claims: list[Any]) -> dict[str, Any]:
    """The worst verdict of each assumption and theorem; what is declared; whether all that Algorithm 1 rests on is certified."""
    verdicts = {group: [c["verdict"] for c in claims if c["paper"] == paper] for group, paper in GROUPS.items()}
    worst: dict[str, Any] = {group: next(v for v in WORST if v in found) for group, found in verdicts.items() if found}
    worst["certified"] = not any(c["verdict"] in ("refuted", "unknown") for c in claims if c["id"] != "regret")
    worst["declared"] = [c["id"] for c in claims if c["verdict"] == "declared"]
    return worst


@cache
def found_true(model: bytes, options: bytes, entry: bytes) -> None:
    """The claim is true; most edits leave most claims as they were."""
    truth.check(game_of(model), json.loads(options), json.loads(entry))


def holds(certificate: Any) -> None:
    """Every claim of an accepted certificate is true, and its summary is the summary of them."""
    game = game_of(canonical(certificate["model"]))
    assert summary_of(certificate["claims"]) == certificate["summary"]
    assert OWED == len({entry["id"] for entry in certificate["claims"]}) == len(certificate["claims"])
    for entry in certificate["claims"][:-1]:
        found_true(canonical(certificate["model"]), canonical(certificate["options"]), canonical(entry))
    truth.constants(game, certificate["options"], certificate["claims"])


def judged(certificate: Any) -> Verdict:
    """The kernel's answer to a certificate, after what it accepts has been found true; never that it broke down."""
    verdict = verify_bytes(canonical(certificate))
    assert verdict.rule != "limits", verdict.line
    if verdict.accepted:
        holds(certificate)
        assert certificate["summary"]["certified"] == verdict.certified
    return verdict


# ------------------------------------------------------------------------------------------- edits


def rational(text: Any) -> bool:
    return isinstance(text, str) and text.strip("-/0123456789") == "" and any(map(str.isdigit, text))


def other(value: Any) -> st.SearchStrategy[Any]:
    """Something else that might stand where ``value`` does."""
    anything: st.SearchStrategy[Any] = st.sampled_from([None, True, 0, 1, 2, -1, "", "1", [], {}, "proved", "0"])
    if rational(value):
        try:
            x = Fraction(value)
        except (ValueError, ZeroDivisionError):
            return anything
        near = [
            x + Fraction(1, 10**9),
            x - Fraction(1, 10**9),
            -x,
            2 * x,
            x / 2,
            1 - x,
            x + 1,
            Fraction(0),
            Fraction(1),
        ]
        return st.sampled_from(near).map(str) | st.sampled_from(["0/1", "2/2", "x"]) | anything
    if isinstance(value, str):
        return st.sampled_from(WORDS) | st.just(value + " ") | anything
    if isinstance(value, int):
        return st.sampled_from([value + 1, value - 1, -value, 0, 10**6, True, str(value)]) | anything
    if isinstance(value, list):
        if not value:
            return st.sampled_from([[[]], ["0"], None, {}]) | anything
        places = st.integers(0, len(value) - 1)
        return (
            places.map(lambda n: value[:n] + value[n + 1 :])
            | places.map(lambda n: [*value, value[n]])
            | st.permutations(value)
            | st.tuples(places, places).map(
                lambda pair: [value[pair[1]] if n == pair[0] else x for n, x in enumerate(value)]
            )
            | anything
        )
    if isinstance(value, dict) and value:
        keys = st.sampled_from(sorted(value))
        return (
            keys.map(lambda key: {k: v for k, v in value.items() if k != key})
            | st.tuples(keys, keys).map(lambda pair: value | {pair[0]: value[pair[1]]})
            | st.just(value | {"note": "1"})
            | anything
        )
    return anything


def intact(certificate: Any) -> bool:
    """Whether there is still a claim to edit wherever the next edit may look."""
    claims, fields = certificate.get("claims"), {"values", "evidence", "witness", "verdict", "paper"}
    whole = (
        isinstance(claims, list)
        and len(claims) >= OWED
        and all(isinstance(c, dict) and fields <= set(c) for c in claims)
    )
    return whole and {"model", "options"} <= set(certificate)


def somewhere(draw: Any, here: Any, key: Any) -> None:
    """Replace something below ``here[key]``, or that itself."""
    while isinstance(here[key], dict | list) and here[key] and draw(st.integers(0, 8)):
        here = here[key]
        key = draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
    old = here[key]
    here[key] = draw(other(old).filter(lambda new: new != old or type(new) is not type(old)))


@st.composite
def changes(draw: Any) -> tuple[str, Any]:
    """(name, certificate): an accepted file with one or two edits, its digests and summary made good again or not."""
    name = draw(st.sampled_from(sorted(FILES)))
    certificate = deepcopy(FILES[name])
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        if not intact(certificate):
            break
        kind = draw(st.sampled_from(["claims"] * 4 + ["model", "options", "file", "graft", "verdict"]))
        number = draw(st.integers(0, OWED - 1))
        entry = certificate["claims"][number]
        if kind == "claims":
            fields = [field for field in ("values", "evidence", "witness") if entry[field]]
            somewhere(draw, entry, draw(st.sampled_from([*fields * 3, "verdict", "paper"])))
        elif kind == "graft":  # the same claim as another certificate has it
            certificate["claims"][number] = deepcopy(FILES[draw(st.sampled_from(sorted(FILES)))]["claims"][number])
        elif kind == "verdict":
            evidence = draw(st.sampled_from([None, {"rule": "eval"}, {"rule": "assume"}]))
            entry |= {"verdict": draw(st.sampled_from(WORST)), "values": {}, "evidence": evidence, "witness": None}
        else:
            somewhere(draw, certificate, draw(st.sampled_from(sorted(certificate))) if kind == "file" else kind)
    for made_good, chance in ((resummarised, 3), (signed, 9)):
        if intact(certificate) and draw(st.integers(0, chance)):
            certificate = made_good(certificate)
    return name, certificate


def resummarised(certificate: Any) -> Any:
    """The certificate with the summary of its claims, where they have one."""
    try:
        return certificate | {"summary": summary_of(certificate["claims"])}
    except (KeyError, TypeError, StopIteration):
        return certificate


@settings(max_examples=800)
@given(changes())
def test_an_edit_is_refused_or_true(change: tuple[str, Any]) -> None:
    """One or two random edits: the kernel answers, and what it accepts holds."""
    judged(change[1])


@pytest.mark.slow
@settings(max_examples=20_000)
@given(changes())
def test_many_edits_are_refused_or_true(change: tuple[str, Any]) -> None:
    """The same, for longer."""
    judged(change[1])


@settings(max_examples=300)
@given(st.sampled_from(sorted(FILES)), st.integers(0, 10**6), st.integers(0, 255))
def test_one_other_byte(name: str, place: int, byte: int) -> None:
    """A file with one byte changed is refused, unless the byte stands in what the search says of itself."""
    data = bytearray(canonical(FILES[name]))
    data[place % len(data)] = byte
    verdict = verify_bytes(bytes(data))
    if verdict.accepted:
        assert verdict.certificate is not None
        assert signed(FILES[name])["sha256"] == signed(verdict.certificate)["sha256"]


@settings(max_examples=200)
@given(st.binary())
@example(b"\x00" * 100)
@example(b"[" * 10_000)
@example(b'{"a":' * 10_000)
@example(b"0" * 200_000)
@example(b'"\\u0000"')
def test_any_bytes(data: bytes) -> None:
    """Whatever the file holds, the answer is one line of rejection."""
    verdict = verify_bytes(data)
    assert not verdict.accepted
    assert verdict.line.startswith("REJECTED file read ")


# --------------------------------------------------------------------- every number, systematically

STRONGER = {
    "alpha_lower": 1,
    "alpha_upper": -1,
    "c_KL_joint_lower": 1,
    "c_KL_joint_upper": -1,
    "c_KL_world_lower": 1,
    "c_KL_world_upper": -1,
    "gap_upper": -1,
    "nested_regret_upper": -1,
}
VALUES = [
    (name, entry["id"], value) for name, file in FILES.items() for entry in file["claims"] for value in entry["values"]
]


def moved(found: Any, factor: Fraction, step: Fraction) -> Any:
    """A value, or both ends of an enclosure, times a factor; ``step`` where it is zero."""
    if isinstance(found, dict):
        return {key: moved(x, factor, step) for key, x in found.items()}
    x = Fraction(found)
    return str(x * factor if x else step)


@pytest.mark.parametrize(("name", "claim_id", "value"), VALUES)
def test_a_stronger_value_is_refused(name: str, claim_id: str, value: str) -> None:
    """A thousandth nearer the other end of its bracket, or for an exact value either way, no value passes; a weaker end
    of a bracket passes and is true.  On interval axes the least chance of an observation is a lower end.  What the claim
    does not rest on is left open then."""
    file = alone(name, claim_id)
    found = get(file, "claims", claim_id, "values", value)
    bound = claim_id == "constants" and value.endswith("_upper")
    for sign in (1, -1):
        to = moved(found, 1 + sign * Fraction(1, 1000), Fraction(sign, 1000))
        changed = edited(file, put("claims", claim_id, "values", value, to=to), digests=False)
        verdict = judged(resigned(changed))
        slack = value == "L_upper" and get(FILES[name], "claims", claim_id, "evidence", "rule") == "box"
        lower = value == "least_observation" and name.startswith(("interval", "pairs"))
        if STRONGER.get(value, 1 if lower else -1 if bound or slack else sign) == sign:
            assert [False, claim_id] == [verdict.accepted, verdict.claim], to
        elif value != "alpha_upper" and FILES[name]["options"]["weak_revealing"]["scope"] == "simplex":
            assert verdict.accepted, verdict.line


@cache
def alone(name: str, claim_id: str) -> Any:
    """The file with every other claim given up but that entries are probabilities, or where the claim rests on more,
    with the bound alone given up that rests on it; the kernel accepts it."""
    others = [entry["id"] for entry in FILES[name]["claims"] if entry["id"] not in (claim_id, "nonexpansive")]
    fewer = [other for other in others if other == "constants"]
    files = (resigned(edited(FILES[name], *map(given_up, ids), digests=False)) for ids in (others, fewer))
    return next(file for file in files if verify_bytes(canonical(file)).accepted)


def given_up(claim_id: str) -> Any:
    """The edit that leaves a claim open."""
    return claim(claim_id, verdict="unknown", values={}, evidence=None, witness=None)


def resigned(certificate: Any) -> Any:
    """The certificate with the summary of its claims and its digests made good."""
    return signed(certificate | {"summary": summary_of(certificate["claims"])})


# ------------------------------------------------------------------------ edits that must be let pass


@pytest.mark.parametrize("name", sorted(FILES))
def test_an_unknown_claim_is_honest(name: str) -> None:
    """Any claim may be given up, with the bounds that rest on it: the file verifies, says so, and is not certified unless
    the claim is Theorem N on interval axes, of which nothing else makes use; but there the others rest on the entries
    being probabilities."""
    bound = FILES[name]["claims"][-1]["verdict"]
    used = Game(FILES[name]["model"]).finite  # of a finite class Theorem 3.3 takes D from Theorem N
    for entry in FILES[name]["claims"]:
        rests = []
        if (entry["id"] != "regret" or used) and (bound == "proved" or entry["verdict"] == "refuted"):
            rests.append(given_up("constants"))
        if entry["id"] in ("well-specified", "warmup-stationary"):
            rests.append(given_up("regret"))
        verdict = judged(resigned(edited(FILES[name], given_up(entry["id"]), *rests)))
        if entry["id"] == "nonexpansive" and name.startswith(("interval", "pairs")):
            assert [False, "nonexpansive"] == [verdict.accepted, verdict.claim]
        else:
            certified = entry["id"] == "regret" and FILES[name]["summary"]["certified"] and not rests
            assert [True, certified] == [verdict.accepted, verdict.certified], (entry["id"], verdict.line)


@pytest.mark.parametrize(
    "change",
    [
        put("model", "name", to="another"),
        put("model", "description", to="of another class"),
        put("model", "source", to=""),
        put("options", "weak_revealing", "tol", to="1/2"),
        put("options", "limits", "coordinates", to=99_999),
        put("claims", 0, "search", to={"method": "by hand"}),
        put("claims", "weak-revealing", "values", "alpha_lower", to="1/4"),
        put("claims", "weak-revealing", "evidence", "tests", to=lambda tests: [*tests, tests[0]]),
        put("claims", "weak-revealing", "evidence", "attained", "Phi", "y", to="1/4"),
        put("claims", "constants", "values", "sharp_regret_upper", to=str(10**12)),
    ],
    ids=[
        "name",
        "description",
        "source",
        "tol",
        "limit",
        "search",
        "smaller alpha",
        "unused test",
        "another attained",
        "larger bound",
    ],
)
def test_what_changes_nothing_that_is_claimed_passes(change: Any) -> None:
    """Names and texts, options no statement reads, unused evidence, weaker bounds, another place of the same value."""
    verdict = judged(edited(FILES["drift"], change))
    assert [True, True] == [verdict.accepted, verdict.certified], verdict.line
