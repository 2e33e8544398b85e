"""Rule ``pairs`` refuses every spoiled kind of leaf, and bounds that its trees do not show."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from pomgcheck.kernel import check
from pomgcheck.kernel.game import canonical_bytes
from pomgcheck.modelclass.document import load
from pomgcheck.modelclass.gallery.counterexamples import confounded_curve
from pomgcheck.search.certify import certify

Entry = dict[str, Any]
EVAL = {"rule": "eval"}


@cache
def certificate() -> Any:
    return certify(load(confounded_curve.document()), only=("weak-revealing", "kl-joint")).document


def first_leaf(tree: Any) -> Any:
    while tree[0] == "split":
        tree = tree[3]
    return tree


def verdict(claim: str, edit: Callable[[Entry], object]) -> check.Verdict:
    """The kernel's verdict on the certificate with one claim edited and its digest renewed."""
    document = copy.deepcopy(certificate())
    edit(next(entry for entry in document["claims"] if entry["id"] == claim))
    document["sha256"] = check.content_digest(document)
    return check.verify_bytes(canonical_bytes(document))


def joined(entry: Entry) -> None:
    """One box for each chart."""
    entry["evidence"]["trees"] = {p: [["box"] for _ in trees] for p, trees in entry["evidence"]["trees"].items()}


def uncut(entry: Entry) -> None:
    tree = next(tree for trees in entry["evidence"]["trees"].values() for tree in trees if tree[0] == "split")
    tree[2] = "100"


EDITS: dict[str, tuple[str, Callable[[Entry], object]]] = {
    "c raised": ("kl-joint", lambda e: e["values"].update(c_KL_joint_lower=e["values"]["c_KL_joint_upper"])),
    "c zero": ("kl-joint", lambda e: e["values"].update(c_KL_joint_lower="0")),
    "c_upper lowered": ("kl-joint", lambda e: e["values"].update(c_KL_joint_upper=e["values"]["c_KL_joint_lower"])),
    "trees joined": ("kl-joint", joined),
    "no shears": ("kl-joint", lambda e: e["evidence"].update(shears={})),
    "a shear of no axis": ("kl-joint", lambda e: e["evidence"]["shears"].update(patrol={"theta.x": {"Phi.q": "1"}})),
    "a tree missing": ("kl-joint", lambda e: e["evidence"]["trees"]["patrol"].pop()),
    "a leaf of another kind": ("kl-joint", lambda e: first_leaf(e["evidence"]["trees"]["idle"][0]).append("trust")),
    "a cut outside": ("kl-joint", uncut),
    "a model outside": ("kl-joint", lambda e: e["evidence"]["attained"]["xi"]["theta"].update(x="1")),
    "alpha raised": ("weak-revealing", lambda e: e["values"].update(alpha_lower="1/2", alpha_upper="1/2")),
    "a test beyond one": ("weak-revealing", lambda e: e["evidence"].update(tests=[["-2", "2"]])),
    "a test reversed": ("weak-revealing", lambda e: e["evidence"]["tests"][0].reverse()),
    "no such test": ("weak-revealing", lambda e: first_leaf(e["evidence"]["trees"][0]).__setitem__(1, 99)),
    "problems missing": ("weak-revealing", lambda e: e["evidence"]["trees"].pop()),
    "said to be vacuous": ("weak-revealing", lambda e: e.update(verdict="vacuous", values={}, evidence=EVAL)),
}  # fmt: skip


def test_the_certificate_itself_is_accepted() -> None:
    """An edit that changes nothing leaves it accepted."""
    assert verdict("kl-joint", lambda entry: None).accepted


@pytest.mark.parametrize("name", EDITS)
def test_a_spoiled_proof_is_refused(name: str) -> None:
    """The refusal names the claim."""
    claim, edit = EDITS[name]
    found = verdict(claim, edit)
    assert [False, claim] == [found.accepted, found.claim]
