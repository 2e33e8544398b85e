"""Proofs over all pairs of models told box by box: what is shown holds at pairs of models of the boxes."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.errors import Refused
from pomgcheck.evidence import Xi
from pomgcheck.reporting import explain
from pomgcheck.reporting.blocks import Table
from pomgcheck.reporting.claims import weak_revealing_proof as revealing
from pomgcheck.reporting.evaluation import Stage
from pomgcheck.reporting.render import text
from pomgcheck.reporting.rules import pairs

ROOT = Path(__file__).parents[2]


def read(name: str) -> dict[str, Any]:
    """A certificate of the gallery or of the goldens."""
    found: dict[str, Any] = json.loads((ROOT / f"{name}.cert.json").read_bytes())
    return found


def claim_of(cert: dict[str, Any], claim: str) -> dict[str, Any]:
    """One of its claims."""
    return next(entry for entry in cert["claims"] if entry["id"] == claim)


def words(cert: dict[str, Any], claim: str) -> str:
    """The explanation of a claim on one line."""
    return " ".join(explain(cert, claim, width=400).split())


def models(cell: pairs.EnclosedBox) -> list[tuple[dict[str, Any], dict[str, Any], Fraction]]:
    """Pairs of models of a box with one axis, and their distance; the corners and points between."""
    ((low, high), (low_, high_)) = (cell.box[name] for name in sorted(cell.box))
    shares = [Fraction(k, 3) for k in range(4)]
    found = []
    for s, t in product(shares, shares):
        x, y = low + s * (high - low), low_ + t * (high_ - low_)
        name = min(cell.box).partition(".")[2]
        if x != y:
            found.append(({name: str(x)}, {name: str(y)}, y - x))
    return found


@pytest.mark.parametrize("name", ["certificates/brewing", "tests/accepted/interval"])
@pytest.mark.parametrize("claim", ["kl-joint", "kl-world"])
def test_both_sides_are_bounded_on_every_box(name: str, claim: str) -> None:
    """At pairs of models of each box the quotient below the divergence, the constant times the squares and their
    difference lie on the right side of the numbers shown; the divergence is above the quotient."""
    cert = read(name)
    found, seen = list(pairs.conversion(Certificate(cert), Certificate(cert).claims[claim])), 0
    constant = Fraction(claim_of(cert, claim)["values"][f"c_KL_{claim[3:]}_lower"])
    for cell in found:
        for x, y, t in models(cell):
            star, here = (Xi(point, {}) for point in (x, y))
            stage = Stage(Certificate(cert), [star, here], text.plain(cell.where))
            laws = stage.law(0), stage.law(1)
            left = (
                sum(
                    (3 * (p - r) ** 2 / (2 * p + 4 * r) for p, r in zip(*map(dict.values, laws), strict=True) if p),
                    Fraction(0),
                )
                / t**2
            )
            right = constant * sum(w * gap**2 for _, w, gap in stage.differences(0, 1, claim == "kl-world")) / t**2
            assert cell.sides is not None
            assert cell.sides[0] <= left
            assert cell.sides[1] >= right
            assert 0 <= cell.slack <= left - right
            seen += 1
    assert seen > 8 * len(found) > 0


@pytest.mark.parametrize("name", ["certificates/brewing", "tests/accepted/interval", "certificates/impossible-end"])
def test_the_slack_of_a_box_is_a_bound(name: str) -> None:
    """The inequalities of the case of the smallest ratio, worked out at pairs of models of its box, hold at alpha and what
    the boxes are said to show beyond it."""
    cert = read(name)
    claim = claim_of(cert, "weak-revealing")
    told = Certificate(cert).claims["weak-revealing"]
    cells, place = list(pairs.weak_revealing(Certificate(cert), told)), told.proof.at
    alpha, y = Fraction(claim["values"]["alpha_lower"]), [Fraction(x) for x in claim["evidence"]["tests"][0]]
    least = min(cell.slack for cell in cells)
    assert least >= 0
    for x, x_, t in models(cells[0]):
        stage = Stage(Certificate(cert), [Xi(point, {}) for point in (x, x_)], place.pi)
        states = stage.pure_states(place.h - 1)
        problem = revealing.RevealingCase(stage, place, cert["options"]["kappa"], states, literal=True)
        # the second world less the first, over their distance
        signed = [-z if t > 0 else z for z in y]
        for _, left, right in problem.sides(signed, problem.pure):
            assert left >= (alpha + least) * right


@pytest.mark.parametrize(
    "path",
    sorted([*ROOT.glob("certificates/*.cert.json"), *ROOT.glob("tests/accepted/*.json")]),
    ids=lambda path: path.name[:-10],
)
def test_every_box_leaves_room(path: Path) -> None:
    """Wherever a claim is proved on boxes of pairs, the leaves counted are the certificate's and no box has slack below 0."""
    cert = Certificate.load(path)
    for claim in cert.claims.values():
        if claim.verdict != "proved" or not pairs.boxed(claim):
            continue
        count, *others = pairs.summary(cert, claim)
        assert isinstance(count, Table)
        charts, boxes = (int(text.plain(row[1])) for row in count.rows[:2])
        leaves = json.dumps(claim.evidence["trees"]).count
        settled = sum(leaves(f'["{kind}"') for kind in ("box", "test", "factor"))
        assert charts <= boxes <= settled
        assert settled == sum(
            int(text.plain(row[1])) for row in count.rows if text.plain(row[0]).startswith("Settled by")
        )
        cells = list(pairs.QUESTIONS[claim.id](cert, claim))
        assert min(cell.slack for cell in cells) >= 0
        assert len(cells) <= boxes
        assert others


@pytest.mark.parametrize(
    ("name", "claim", "sentence"),
    [
        ("certificates/brewing", "weak-revealing", "calm 7/8 105/128 7/4"),
        ("certificates/brewing", "weak-revealing", "They differ by 15/128 in ℓ₁"),
        ("certificates/brewing", "kl-joint", "watch x in [1/4, 1/2] and x′ in [1/4, 3/8] 0.497532 0.504399 0.0390796"),
        ("certificates/brewing", "kl-joint", "so their quotient lies between 0.0993045972 and 0.0993045973"),
        ("certificates/bandit", "kl-world", "the sum of squares is 5.625e-11"),
        ("tests/accepted/pairs-cuts", "weak-revealing", "The tightest of 26 boxes"),
        ("tests/accepted/pairs-cuts", "weak-revealing", "3 1/3 of s0 with 2/3 of s1 to s1 y3 101/120000"),
        ("tests/accepted/pairs-factor", "weak-revealing", "s0, d0/b0 0 -2"),
        ("tests/accepted/pairs-factor", "weak-revealing", "so the ratio is at least 2/3"),
        ("tests/accepted/pairs-factor", "weak-revealing", "y in [1/4, 1/2] and Δy/Δx in [-1, 1]"),
        ("tests/accepted/factor", "weak-revealing", "s1, d0/b0 -2 0"),
        ("tests/accepted/split-literal", "weak-revealing", "1 s0 to 3/4 of s0 with 1/4 of s1 y1 27/160"),
    ],
)
def test_proofs_are_worked_out(name: str, claim: str, sentence: str) -> None:
    """Boxes, factors and cut simplices are told with their numbers."""
    assert sentence in words(read(name), claim)


def test_of_many_boxes_the_finest_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit nothing is computed: the cuts of the deepest box are read off the tree."""
    monkeypatch.setattr(pairs, "MOST_CELLS", 4)
    shown = words(read("tests/accepted/pairs-over"), "kl-joint")
    assert "The finest box, 7 cuts deep, has x ≤ 33/80 and x′ ≤ 17/40." in shown
    assert "Left side" not in shown


@pytest.mark.parametrize(("claim", "path"), [("kl-joint", ("watch",)), ("weak-revealing", ())])
def test_trees_that_do_not_fit_are_refused(claim: str, path: tuple[str, ...]) -> None:
    """A certificate with a tree too many is not explained: the refusal is the kernel's."""
    cert = deepcopy(read("certificates/brewing"))
    trees = claim_of(cert, claim)["evidence"]["trees"]
    for place in path:
        trees = trees[place]
    trees.append(trees[0])
    with pytest.raises(Refused):
        words(cert, claim)
