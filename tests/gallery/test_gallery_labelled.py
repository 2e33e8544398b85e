"""labelled: with operators at the realised pair the conclusion of Theorem 3.3's proof is false; with sums it is not."""

from __future__ import annotations

from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import gallery
from pomgcheck.certificate import Certificate
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.paper_bound import theorem
from pomgcheck.kernel.reading import read_json
from pomgcheck.learner.run import run
from pomgcheck.options import Operators, Options
from pomgcheck.reporting.claims.constants import premises
from pomgcheck.search.certify import certify
from tests.gallery import brute
from tests.search import small

CERTIFICATES = Path(__file__).parents[2] / "certificates"
T, LABELS = 16, 24
REALISED, SUMMED = (
    read_json((CERTIFICATES / f"{stem}.cert.json").read_bytes()) for stem in ("labelled", "labelled.summed")
)


def values(certificate: Any, claim: str) -> dict[str, str]:
    found: dict[str, str] = next(entry["values"] for entry in certificate["claims"] if entry["id"] == claim)
    return found


def refined(document: Any, labels: int) -> Any:
    """A class of tests.search.small with a uniform label on every observation of the learner."""
    game, worlds, policies = document["game"], document["worlds"], document["policies"]
    names = [f"{o}-{n}" for o in game["learner_observations"] for n in range(labels)]
    reward = [x for x in game["reward"] for _ in range(labels)]
    emission = [[f"({x})/{labels}" for x in row for _ in range(labels)] for row in worlds["learner_emission"]]
    lists = {name: [row for row in table for _ in range(labels)] for name, table in policies["list"].items()}
    return document | {
        "game": game | {"learner_observations": names, "reward": reward},
        "worlds": worlds | {"learner_emission": emission},
        "policies": policies | {"list": lists},
    }


def test_the_realised_reading_lets_a_learner_lose_one_half() -> None:
    """Both Eluder dimensions are proved to be 0 at scale 1/(2T), so that by Section 2.6 no data episode errs by more
    than 1/(2T), and m = 1 warms up nothing: without the factor 1/p_min the proof of Theorem 3.3 ends at 1/2."""
    assert ["0", "0"] == [
        values(REALISED, f"eluder-{side}")[f"d_{x}_upper"] for side, x in (("world", "W"), ("adversary", "G"))
    ]
    given = premises(Certificate(REALISED), T)
    assert F(1, 8 * LABELS) == given.least
    literal = theorem(given._replace(least=F(1)), T)
    assert F(1, 2) == literal["regret"].high == literal["statistical"].low
    assert F(1, 2) / given.least == theorem(given, T)["regret"].high == 96  # with it nothing false is said


def test_any_learner_loses_three_quarters_in_one_world() -> None:
    """The doors' values are 7/8 and 1/8, exchanged between the worlds, and policies show nothing before they are played:
    the first that is deployed is the wrong one of some world with probability 1/2 at least, and costs 3/4 > 1/2."""
    game = gallery.load("labelled").game
    table = [[brute.value(game, (i, 0), p) for p in range(2)] for i in range(2)]
    assert [[F(7, 8), F(1, 8)], [F(1, 8), F(7, 8)]] == table
    for n in range(11):
        first = [F(n, 10), 1 - F(n, 10)]  # its chances to begin with either door
        wrong = max(first[p] for i in range(2) for p in range(2) if table[i][p] < max(table[i]))
        assert 2 * F(REALISED["options"]["delta"]) < F(1, 2) <= wrong  # so "at most 1/2 with 1 - 2 delta" is false


@pytest.mark.parametrize("algorithm", ["nested", "epoch-omle"])
def test_learners_with_a_guarantee_pay_more(algorithm: str) -> None:
    """In the world of the document's truth each opens the left door first, which is the wrong one: its policy regret
    over T episodes is 3/4 at least under either seed."""
    record = run(CERTIFICATES / "labelled.cert.json", episodes=T, seeds=2, algorithm=algorithm).document
    paid = [F(seed["regret"][-1]) for seed in record["runs"][0]["seeds"]]
    assert min(paid) >= F(3, 4) > F(1, 2)


def test_the_simulation_lemma_fails_and_holds() -> None:
    """|V - V*| = 3/4; H times the error at the realised pair is 1/16, half the span times the summed error 3/4."""
    game = gallery.load("labelled").game
    errors: dict[Operators, F] = {"realised": F(3, 4 * LABELS), "summed": F(3, 2)}
    for operators, error in errors.items():
        facts = Facts(game, Options(operators=operators).document)
        assert {error} == {play.error((0, 0), (1, 0)) for play in facts.plays}
    assert 2 * F(3, 4 * LABELS) == F(1, 16) < F(3, 4) == F(1, 2) * F(3, 2)


@pytest.mark.parametrize(
    ("plain", "labelled"),
    [
        (small.drift(), refined(small.drift(), 3)),
        (gallery.load("labelled-1").document, gallery.load("labelled-3").document),
    ],
    ids=["drift", "doors"],
)
def test_labels_change_the_realised_reading_alone(plain: Any, labelled: Any) -> None:
    """A uniform label of three values divides every error at the realised pair by three; sums are what they were."""
    pair = Game(plain), Game(labelled)
    factors: dict[Operators, int] = {"realised": 3, "summed": 1}
    for operators, factor in factors.items():
        bare, refined_ = (Facts(game, Options(operators=operators).document).plays for game in pair)
        for one, other in zip(bare, refined_, strict=True):
            for x in one.models:
                for y in one.models:
                    assert one.error(x, y) == factor * other.error(x, y)


def test_everything_else_is_as_without_labels() -> None:
    """c_KL and d of sums, B_0, Theorem N and the certified bound of Algorithm 1 are those of the class of one label."""
    asked = ("kl-joint", "kl-world", "eluder-world", "bounded-increments", "regret", "constants")
    plain = gallery.load("labelled-1")
    bare = certify(plain, T=T, operators="summed").document
    for claim in asked:
        ours, theirs = (dict(values(each, claim)) for each in (SUMMED, bare))
        ours.pop("least_observation", None)
        theirs.pop("least_observation", None)
        assert ours == theirs, claim
    assert F(values(REALISED, "kl-joint")["c_KL_joint_lower"]) > 500 * F(values(SUMMED, "kl-joint")["c_KL_joint_upper"])
