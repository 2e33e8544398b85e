"""The committed certificates are those the program makes."""

from __future__ import annotations

import pytest

from certificates.regenerate import CERTIFICATES, FOLDER, differs, documents
from pomgcheck import gallery
from pomgcheck.kernel.check import verify
from pomgcheck.kernel.reading import canonical_bytes, read_json


def test_the_folder_holds_the_gallery_and_nothing_else() -> None:
    """A model a class, a certificate a stem."""
    models = {f"{name}.model.json" for name in gallery.names()}
    certificates = {f"{stem}.cert.json" for stem in CERTIFICATES}
    assert models | certificates == {path.name for path in FOLDER.glob("*.json")}


LONG = ("odds", "watch")  # most of a minute each


@pytest.mark.parametrize(
    "stem", [pytest.param(stem, marks=pytest.mark.slow) if stem in LONG else stem for stem in CERTIFICATES]
)
def test_made_again_a_certificate_is_the_same(stem: str) -> None:
    """Every byte but what the tool and its search say of themselves: values, evidence, witnesses, digests."""
    for name, document in documents(stem).items():
        assert not differs(FOLDER / name, document), name


@pytest.mark.parametrize("stem", CERTIFICATES)
def test_each_certificate_verifies(stem: str) -> None:
    """The kernel accepts it, about the model beside it; what is meant to be certified is, counterexamples are not."""
    name, options = CERTIFICATES[stem]
    path = FOLDER / f"{stem}.cert.json"
    verdict = verify(path, FOLDER / f"{name}.model.json")
    assert verdict.accepted, verdict.line
    meant = name in gallery.names("certified", "continua") and not gallery.entry(name).fails
    assert verdict.certified == (meant and stem in (name, f"{name}.summed"))


@pytest.mark.parametrize("stem", CERTIFICATES)
def test_files_are_canonical(stem: str) -> None:
    """They are stored in canonical form, so that equal documents are equal files."""
    for path in (FOLDER / f"{stem}.cert.json", FOLDER / f"{CERTIFICATES[stem][0]}.model.json"):
        assert canonical_bytes(read_json(path.read_bytes())) == path.read_bytes()


@pytest.mark.parametrize("name", [name for name in gallery.playable() if gallery.entry(name).fails])
def test_a_counterexample_fails_what_it_says(name: str) -> None:
    """Exactly the claims that the index names are refuted; nothing is left unknown."""
    certificate = read_json((FOLDER / f"{name}.cert.json").read_bytes())
    claims = certificate["claims"]
    assert set(gallery.entry(name).fails) == {claim["id"] for claim in claims if claim["verdict"] == "refuted"}
    assert [] == [claim["id"] for claim in claims if claim["verdict"] == "unknown"]


@pytest.mark.parametrize("name", gallery.names("given-operators"))
def test_operators_fail_what_they_say(name: str) -> None:
    """Of Theorem 2.5's claims exactly the one its module names is refuted and the others are proved; what is left
    unknown is about kernels."""
    claims = read_json((FOLDER / f"{name}.cert.json").read_bytes())["claims"]
    verdicts = {claim["id"]: claim["verdict"] for claim in claims}
    fails = gallery.entry(name).fails
    three = ("factorization", "oom-identity", "nonexpansive")
    assert {claim: "refuted" if claim in fails else "proved" for claim in three} == {c: verdicts[c] for c in three}
    assert {"proved", "unknown"} == set(verdicts.values()) - {"refuted"}
    assert "unknown" == verdicts["weak-revealing"]
