"""How the bounds move with each constant: the kernel's own formulas with other inputs."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pomgcheck import Certificate, certify, explain, load
from pomgcheck.certificate import Moved, Sensitivity
from pomgcheck.errors import InputError
from pomgcheck.reporting import sensitivity
from pomgcheck.reporting.claims.sensitivity import first_T, whole
from tests.repo.source import ROOT

FIRST = {"3.3": "T_star", "N": "worth_T"}
BOUND = {"3.3": "sharp_regret_upper", "N": "nested_regret_upper"}


def kept(name: str) -> Certificate:
    """A certificate of the gallery."""
    return Certificate.load(ROOT / "certificates" / f"{name}.cert.json")


def by_constant(certificate: Certificate, theorem: str) -> dict[str, Sensitivity]:
    """The rows of one bound."""
    return {each.constant: each for each in certificate.sensitivity() if each.theorem == theorem}


@pytest.mark.parametrize("name", ["tiger", "patrol", "odds", "tiger-interval"])
def test_with_nothing_changed_it_is_what_the_certificate_proves(name: str) -> None:
    """The first T is the certified one, and the bound at T what the certificate rounds up."""
    certificate = kept(name)
    proved = {claim for claim in ("regret", "constants") if certificate.claims[claim].verdict == "proved"}
    rows = certificate.sensitivity()
    assert {"constants": "3.3", "regret": "N"}.keys() >= proved
    assert {"3.3" if claim == "constants" else "N" for claim in proved} == {x.theorem for x in rows} - {"operators"}
    for each in rows:
        if each.theorem in FIRST:
            assert int(certificate.values.written[FIRST[each.theorem]]) == each.here.first
            stated = certificate.values.fraction(BOUND[each.theorem])
            assert each.here.at_T <= stated <= each.here.at_T * (1 + Fraction(1, 1000))


def test_what_a_constant_is_says_what_is_counted_in() -> None:
    """On a net B_0 of the bound is a bound on slopes too, and may be more than B_0 of 3.1(c): its row says so."""
    for name, meaning in (
        ("tiger", "bound on log-likelihood ratios"),
        ("odds", "bound on log-likelihood ratios and on their slope"),
    ):
        assert meaning == by_constant(kept(name), "3.3")["B_0"].meaning


@pytest.mark.parametrize(("side", "factor"), [("halved", Fraction(1, 2)), ("doubled", Fraction(2))])
def test_another_delta_is_what_certifying_with_it_proves(side: str, factor: Fraction) -> None:
    """Halved and doubled, delta moves both bounds as a certificate with that delta has them."""
    model = load("patrol")
    delta = certify(model).options.delta
    other = certify(model, delta=str(Fraction(delta) * factor))
    found = certify(model)
    for theorem, first in FIRST.items():
        moved: Moved = getattr(by_constant(found, theorem)["δ"], side)
        assert int(other.values.written[first]) == moved.first
        stated = other.values.fraction(BOUND[theorem])
        assert moved.at_T <= stated <= moved.at_T * (1 + Fraction(1, 1000))


def test_distances_and_conversion_work_as_their_formulas_say() -> None:
    """Twice the distances halve n and so T*; p_min divides the bound by operators; of a conversion at 1 there is no
    double, of one model no half."""
    tiger = kept("tiger")
    distances = by_constant(tiger, "3.3")["c(π)"]
    assert distances.halved is not None
    assert distances.doubled is not None
    assert (distances.halved.first or 0) > (distances.here.first or 0) > (distances.doubled.first or 0)
    least = by_constant(tiger, "operators")["p_{min}"]
    assert least.doubled is not None
    assert 0.49 < least.doubled.at_T / least.here.at_T < 0.51
    assert by_constant(kept("digits"), "operators")["c^W_{KL}"].doubled is None
    assert (1, 3, None, None) == (
        whole(2, Fraction(1, 2)),
        whole(5, Fraction(1, 2)),
        whole(1, Fraction(1, 2)),
        whole(0, Fraction(2)),
    )


def test_the_heaviest_stands_first_and_is_named() -> None:
    """The words name it with what it does; constants that do nothing here are named as such."""
    rows = [each for each in kept("tiger").sensitivity() if each.theorem == "3.3"]
    assert sorted(rows, key=lambda each: -each.weight) == rows
    assert {"|Π|", "R"} == {each.constant for each in rows if not each.moves}
    told = " ".join(explain(ROOT / "certificates" / "tiger.cert.json", "constants").split())
    assert (
        "Of its constants, c(π) matters most: if it is halved, T* goes from 3,309 to 6,704; if it is doubled, T* goes from "
        "3,309 to 1,749. |Π| and R move nothing here." in told
    )


def test_another_T_may_be_asked_for() -> None:
    """The bound is at that T, the first T is the same; nothing is proved of a refuted class."""
    tiger = kept("tiger")
    there = {each.constant: each for each in tiger.sensitivity(episodes=100) if each.theorem == "N"}
    assert by_constant(tiger, "N")["δ"].here.first == there["δ"].here.first
    assert there["δ"].here.at_T < by_constant(tiger, "N")["δ"].here.at_T
    assert () == kept("relabelled-interval").sensitivity()
    with pytest.raises(InputError, match="episodes: found 0, required an integer from 1"):
        tiger.sensitivity(episodes=0)
    with pytest.raises(InputError, match="sensitivity: found a run, required a certificate"):
        sensitivity(ROOT / "reports" / "tiger.rivals.run.json")


@pytest.mark.parametrize("near", [1, 7, 100, 3000])
def test_a_first_T_is_found_from_anywhere(near: int) -> None:
    """By doubling up or down, then by bisection; one that never comes is none."""
    for least in (1, 2, 100, 101, 2999):

        def good(T: int, least: int = least) -> bool:
            return T >= least

        assert least == first_T(good, near)
    never: Any = first_T(lambda T: False, near)
    assert never is None
