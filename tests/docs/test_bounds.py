"""docs/bounds.md: what each step takes off the bound of Algorithm 1."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

from docs import bounds
from pomgcheck.certificate import Certificate
from pomgcheck.kernel.paper_bound import theorem
from pomgcheck.reporting.claims.constants import premises

# what was certified before any of the steps: the statement of Algorithm 1 for a finite class as it first stood
FIRST = {"patrol": 35181.41, "tiger": 39689.9}


def test_the_page_is_as_it_would_be_made() -> None:
    """``python -m docs.bounds`` changes nothing: every number follows from the certificates and the kept runs."""
    assert bounds.page() == bounds.PAGE.read_text()


def test_kept_runs_are_of_the_classes_told() -> None:
    """One entry per class, of its model as the certificate has it, three seeds each, none above its bound."""
    kept = json.loads(bounds.RUNS.read_bytes())
    assert [stem for stem, *_ in bounds.chosen()] == list(kept)
    for stem, _, document, finite in bounds.chosen():
        assert kept[stem]["model_sha256"] == document["model_sha256"], stem
        for name in bounds.ALGORITHMS[: 2 if finite or stem in bounds.ARMS else 1]:
            found = kept[stem][name]
            assert 3 == len(found["regret"])
            assert found["bound"] is None or max(map(Fraction, found["regret"])) <= Fraction(found["bound"])


@pytest.mark.slow
def test_kept_runs_are_those_of_today() -> None:
    """Played again under the kept certificates they pay the same."""
    again = {stem: bounds.paid(stem, path, finite) for stem, path, _, finite in bounds.chosen()}
    assert json.loads(bounds.RUNS.read_bytes()) == again


def test_nested_pays_a_tenth_of_algorithm_1() -> None:
    """The aim of the schedule, on the four classes in which there is much to learn."""
    kept = json.loads(bounds.RUNS.read_bytes())
    for stem in ("digits", "kuhn", "routes", "tiger"):
        nested, theory = (sum(map(Fraction, kept[stem][name]["regret"])) for name in bounds.ALGORITHMS)
        assert nested <= theory / 10, stem


@pytest.mark.parametrize("name", ["bilinear", "digits", "kuhn", "linear", "low-rank", "patrol", "routes", "tiger"])
def test_no_step_adds_to_the_bound(name: str) -> None:
    """From left to right the numbers do not rise, the certified one is the least, and the first is what it was."""
    document = json.loads((bounds.ROOT / "certificates" / f"{name}.cert.json").read_bytes())
    found = [*map(float, bounds.steps(premises(Certificate(document), bounds.T)))]
    stated = next(claim["values"] for claim in document["claims"] if claim["id"] == "constants")
    found.append(float(Fraction(stated["sharp_regret_upper"])))
    assert found == sorted(found, reverse=True)
    assert found[0] == pytest.approx(FIRST.get(name, found[0]), rel=1e-6)


@pytest.mark.parametrize("name", ["bilinear", "digits", "kuhn", "linear", "low-rank", "patrol", "routes", "tiger"])
def test_the_paper_s_route_step_by_step(name: str) -> None:
    """Sums need no 1/p_min and bring the route down on every class of the gallery; the aggregate constants are no less
    than what follows from 3.1(e) by Cauchy and Schwarz, so that they never add to it."""
    document = json.loads((bounds.ROOT / "certificates" / f"{name}.cert.json").read_bytes())
    facts, realised = bounds.facts_summed(document), premises(Certificate(document), bounds.T)
    sums, (c_W, c_G) = bounds.summed(realised, facts), bounds.aggregate(facts)
    assert sums.least == 1
    assert c_W is None or c_W >= sums.c_W / sums.H * Fraction(999, 1000)
    assert c_G is None or c_G >= 1 / (2 * sums.H * (1 / sums.c_J + 1 / sums.c_W)) * Fraction(999, 1000)
    routes = [theorem(each, bounds.T)["regret"].high for each in (realised, sums)]
    assert routes[0] > routes[1] > bounds.aggregated(sums, (c_W, c_G))
