"""Certificates as typed objects: values that are numbers, claims, places, and the one reader of records."""

from __future__ import annotations

import json
from fractions import Fraction
from math import isclose, log
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck import Certificate, ExperimentRecord, Options, RunRecord, Sweep, read
from pomgcheck.certificate import Enclosure, Exact, Logarithm, Values, value_of
from pomgcheck.errors import InputError, Refused
from pomgcheck.evidence import ClaimProof, Xi
from pomgcheck.kernel.reading import Malformed
from pomgcheck.records import recorded

ROOT = Path(__file__).parents[2]
CERTIFICATES = sorted((ROOT / "certificates").glob("*.cert.json"))


@given(st.fractions())
def test_an_exact_value_is_its_number(x: Fraction) -> None:
    """A value behaves as the Fraction it is."""
    value = value_of(str(x), "x")
    assert isinstance(value, Exact)
    assert (x, x, str(x), hash(x)) == (value, value.exact, str(value), hash(value))
    assert x + 1 == value + 1
    assert float(x) == float(value)


@given(st.fractions(Fraction(1, 10**30), 10**30))
def test_a_logarithm_is_near_its_float(x: Fraction) -> None:
    """``float()`` of a logarithm is that of the number under it, however many digits that has."""
    value = value_of({"log_of": str(x)}, "x")
    assert isinstance(value, Logarithm)
    assert isclose(log(x), float(value), abs_tol=1e-12, rel_tol=1e-12)
    assert isclose(log(10) * 1000, float(Logarithm(Fraction(10) ** 1000)))


@given(st.fractions(), st.fractions(0))
def test_an_enclosure_holds_its_middle(low: Fraction, width: Fraction) -> None:
    """``float()`` of an enclosure lies between its ends."""
    value = value_of({"lower": str(low), "upper": str(low + width)}, "x")
    assert isinstance(value, Enclosure)
    assert float(low) <= float(value) <= float(low + width)


@pytest.mark.parametrize(
    "written", [0.5, None, "0.5", "1/0", {"log": "1"}, {"log_of": 1}, {"lower": "1"}, []], ids=repr
)
def test_what_is_no_value_is_refused(written: Any) -> None:
    """Anything but the three forms of the format is malformed."""
    with pytest.raises(Malformed, match="an exact number"):
        value_of(written, "x")


def test_values_are_read_by_name() -> None:
    """Attribute and key give the same; a name that is none is offered the one that is near."""
    values = Values({"alpha_lower": "7/17", "B0_upper": {"log_of": "2"}})
    assert Fraction(7, 17) == values.alpha_lower == values["alpha_lower"] == values.fraction("alpha_lower")
    assert "alpha_lower" in dir(values)
    assert 3 == values.fraction("c", 3)
    with pytest.raises(AttributeError, match="did you mean 'alpha_lower'"):
        _ = values.alpha_lowr
    with pytest.raises(TypeError, match="B0_upper is log"):
        values.fraction("B0_upper")


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.name.removesuffix(".cert.json"))
def test_every_certificate_of_the_gallery_is_read(path: Path, tmp_path: Path) -> None:
    """What is loaded is what was saved: options, claims, values and places, and the bytes of the file."""
    certificate = Certificate.load(path)
    assert certificate.options.document == certificate.document["options"]
    assert Options.of(certificate.document["options"]) == certificate.options
    for name, claim in certificate.claims.items():
        assert (name, certificate.entries[name]["verdict"]) == (claim.id, claim.verdict)
        assert (claim.verdict == "refuted") == (claim.place is not None)
        assert all(isinstance(float(value), float) for value in claim.values.values())
    assert certificate.exit_code == (0 if certificate.certified else 1 if certificate.refuted else 3)
    assert path.read_bytes() == certificate.save(tmp_path / "again.json").read_bytes()
    assert certificate == read(path) == recorded(path) == recorded(certificate.document)


def test_a_place_names_models_policy_and_step() -> None:
    """A counterexample's models, policy and step are read whether they stand singly or together."""
    silent = Certificate.load(ROOT / "certificates" / "silent-action.cert.json").claims["weak-revealing"].place
    assert silent is not None
    assert ({"x": "1/2"}, {"x": "3/4"}, "watch", 1) == (silent.theta, silent.theta_prime, silent.pi, silent.h)
    assert (Xi({"x": "1/2"}, {}), Xi({"x": "3/4"}, {})) == silent.models
    assert ("", "", ()) == (silent.nu, silent.probability, silent.trajectory)
    confounded = Certificate.load(ROOT / "certificates" / "confounded.cert.json")
    (name,) = {"kl-joint", *confounded.refuted} - {"weak-revealing", "kl-world"}
    place, written = confounded.claims[name].place, confounded.entries[name]["witness"]
    assert place is not None
    assert (Xi(**written["xi_star"]), Xi(**written["xi"])) == place.models
    assert (written["trajectory"], written["difference"]) == (place.trajectory, place.difference)


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.name.removesuffix(".cert.json"))
def test_what_is_told_of_a_proof_is_what_the_evidence_has(path: Path) -> None:
    """Every part has the value that the file has under the part's name, models and places by their own fields."""
    certificate = Certificate.load(path)
    for name, claim in certificate.claims.items():
        evidence = certificate.entries[name]["evidence"] or {}
        assert (claim.proof.rule, claim.proof.net is None) == (evidence.get("rule", ""), evidence.get("list") is None)
        for part in ("endings", "tests", "trees", "bounds", "grid", "always_best", "dominated"):
            if part in evidence:
                assert evidence[part] == getattr(claim.proof, part)
        assert [query["pi"] for query in evidence.get("sequence", [])] == [query.pi for query in claim.proof.sequence]
        truths = [[each["pi"] for each in truth["policies"]] for truth in evidence.get("truths", [])]
        assert truths == [[each.pi for each in truth.policies] for truth in claim.proof.truths]
        if claim.proof.attained is not None:
            attained = evidence["attained"]
            assert {**attained} == {
                part: value._asdict() if isinstance(value, Xi) else value
                for part, value in claim.proof.at._asdict().items()
                if part in attained
            }


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        ([], "of.attained: found list, required an object"),
        ({"xi": "x"}, "of.attained.xi: found str, required an object"),
    ],
)
def test_evidence_of_another_shape_is_refused_by_its_keys(evidence: Any, said: str) -> None:
    """The place of the fault is named, as deep as it lies."""
    with pytest.raises(Malformed, match=said):
        ClaimProof.of({"rule": "log", "attained": evidence}, "of")
    with pytest.raises(Malformed, match=r"of.sequence\[1\]: found str, required an object"):
        ClaimProof.of({"rule": "sequence", "sequence": [{"pi": "a", "before": "0", "square": "1"}, "b"]}, "of")


def test_values_are_formatted_as_the_numbers_they_are() -> None:
    """A format of numbers shows the float of a value, one of text shows its exact text, also where nothing is asked."""
    for value, text in (
        (Exact(7, 17), "7/17"),
        (Logarithm(Fraction(6)), "log(6)"),
        (Enclosure(Fraction(1), Fraction(2)), "[1, 2]"),
    ):
        assert (text, f"{text:>12}", f"{text:s}") == (f"{value}", f"{value:>12}", f"{value:s}")
        assert (f"{float(value):.3f}", f"{float(value):8.2e}") == (f"{value:.3f}", f"{value:8.2e}")
        assert (f"{float(value):.3}", f"{float(value):>9.2}") == (f"{value:.3}", f"{value:>9.2}")


def test_records_of_another_kind_are_told_by_their_kind(tmp_path: Path) -> None:
    """Each record's `load` says what it was given where that is another record, or a document."""
    named = {
        Certificate: "a certificate",
        RunRecord: "a run record",
        Sweep: "a sweep",
        ExperimentRecord: "an experiment",
    }
    files = {
        "a certificate": ROOT / "certificates/patrol.cert.json",
        "a model document": ROOT / "certificates/patrol.model.json",
        "a run record": tmp_path / "a.run.json",
    }
    files["a run record"].write_text('{"format":"pomgcheck-run/1"}')
    for kind, required in named.items():
        for found, path in files.items():
            if found != required:
                with pytest.raises(InputError, match=f"{path.name}: found {found}, required {required}"):
                    kind.load(path)


def test_what_is_no_certificate_is_refused(tmp_path: Path) -> None:
    """A missing, malformed or altered file is refused with what is wrong with it."""
    with pytest.raises(InputError, match="none.json: found No such file"):
        Certificate.load(tmp_path / "none.json")
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(InputError, match="a.json: .*required"):
        Certificate.load(tmp_path / "a.json")
    altered = json.loads((ROOT / "certificates" / "patrol.cert.json").read_text())
    altered["claims"][3]["verdict"] = "vacuous"
    (tmp_path / "b.json").write_text(json.dumps(altered))
    with pytest.raises(Refused, match="certificate digest: .*certify again"):
        Certificate.load(tmp_path / "b.json")
    with pytest.raises(InputError, match="format: found 'x', required the format of a certificate"):
        recorded({"format": "x"})
