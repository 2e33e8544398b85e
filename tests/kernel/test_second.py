"""The second checker agrees with every accepted file of a small class, and does not with what is false."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.kernel.game import Game
from pomgcheck.modelclass import load
from pomgcheck.search.certify import certify
from tests import second
from tests.kernel.editing import Certificate, canonical, claim, edited, put
from tests.kernel.forged import TESTS, base, evidence, value
from tests.kernel.test_kernel_divisor_signs import turning
from tests.kernel.test_kernel_equal_tables import two_names_one_policy
from tests.search import truth

ACCEPTED = sorted(path.name.removesuffix(".cert.json") for path in (TESTS / "accepted").glob("*.cert.json"))
L, W = "posterior-lipschitz", "weak-revealing"
FALSE: dict[str, tuple[str, str, Any]] = {
    "L is half": ("drift", L, value(L, L_lower="4/13", L_upper="4/13")),
    "L of blocks is less": ("drift-table", L, value(L, L_lower="1/13", L_upper="1/13")),
    "L on intervals is less": ("interval-answers", L, value(L, L_lower="1/7", L_upper="1/7")),
    "alpha is twice": ("split-literal", W, value(W, alpha_lower="12/5", alpha_upper="12/5")),
    "alpha on intervals is twice": ("interval", W, value(W, alpha_lower="4/3", alpha_upper="4/3")),
    "alpha at reachable states is more": ("drift-reachable", W, value(W, alpha_lower="3/5", alpha_upper="3/5")),
    "2.4 is refuted where nothing changes": ("refuted-revealing", W, put("claims", W, "witness", "theta_prime", "x", to="0")),
    "B_0 is less": ("drift", "bounded-increments", put("claims", "bounded-increments", "values", "B0_upper", "log_of", to="78/66")),
    "B_0 on intervals is less": ("interval", "bounded-increments", put("claims", "bounded-increments", "values", "B0_upper", "log_of", to="5/4")),
    "3.1(d) holds": ("refuted-increments", "predictive-states", claim("predictive-states", verdict="proved", witness=None, evidence={"rule": "eval"})),
    "c_KL is more": ("drift", "kl-joint", value("kl-joint", c_KL_joint_lower="2166924426/10000000000")),
    "3.1(e) is refuted at equal operators": ("refuted-conversion", "kl-world", put("claims", "kl-world", "witness", "xi", "theta", "x", to="0")),
    "the dimension is none": ("drift", "eluder-world", value("eluder-world", d_W_upper="0")),
    "a query comes twice": ("drift", "eluder-adversary", evidence("eluder-adversary", "sequence", to=lambda s: s * 2)),
    "less is lost": ("list", "regret", value("regret", gap_upper="1")),
    "it is worth it sooner": ("list", "regret", value("regret", worth_T="9")),
    "the bound is half": ("drift", "constants", value("constants", sharp_regret_upper="43")),
    "T_star is sooner": ("drift", "constants", value("constants", T_star="3183")),
    "fewer models cover": ("drift", "covering", put("claims", "covering", "values", "log_covering_upper", "log_of", to="3")),
    "responses differ by less": ("drift-fading", "warmup-stationary", value("warmup-stationary", L_g="1/8")),
    "the truth is inside": ("refuted-truth", "well-specified", claim("well-specified", verdict="proved")),
    "an expanding G does not expand": ("own-expanding", "nonexpansive", claim("nonexpansive", verdict="proved", witness=None)),
}  # fmt: skip


SLOW = (
    "interval-answers",
    "interval-blocks",
    "interval-fading",
    "interval-bandit",
)  # many models, policies and histories: seconds each


@pytest.mark.parametrize(
    "name", [pytest.param(x, marks=pytest.mark.slow) if x.startswith(SLOW) else x for x in ACCEPTED]
)
def test_accepted(name: str) -> None:
    """Every claim of an accepted file that says something is agreed with; none is too large."""
    assert {"agrees", "says nothing"} >= {said for _, said in second.verdicts(json.loads(base(name)))}


@pytest.mark.parametrize("case", FALSE)
def test_false(case: str) -> None:
    """The false claim is disagreed with, and the values that were found are printed."""
    name, about, edit = FALSE[case]
    certificate = edited(json.loads(base(name)), edit)
    certificate["claims"] = [each for each in certificate["claims"] if each["id"] == about or about == "constants"]
    said = dict(second.verdicts(certificate))
    assert said[about].startswith("disagrees: "), said[about]
    assert " = " in said[about] or "cannot be found" in said[about]


NEAR = tuple(
    (seed, None if far is None else Fraction(1, 10**far), corner)
    for seed, (far, corner) in enumerate(product((None, 3, 9, 12), (True, False)), 3)
)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in ACCEPTED if name.startswith(("interval", "pairs"))])
def test_points_near_each_other_and_at_corners(name: str) -> None:
    """What is proved on interval axes is true of exact pairs down to 10^-12 from each other, and at corners."""
    certificate = json.loads(base(name))
    game = Game(certificate["model"])
    for entry in certificate["claims"]:
        if entry["verdict"] == "proved" and entry["id"] not in (*truth.AS_WRITTEN, "constants"):
            truth.on_intervals(game, certificate["options"], entry, NEAR)


def forged(document: Any, place: Any, constant: str, **others: Any) -> Certificate:
    """A false proof of 2.3, which version 1 of the kernel accepted."""
    honest = certify(load(document), only=["nonexpansive", L]).document
    proof = {"rule": "box", "gaps": {}, "signs": {}, "trees": {}, "attained": place}
    values = {"L_lower": constant, "L_upper": constant}
    return edited(honest, claim(L, verdict="proved", values=values, evidence=proof | others, witness=None))


def test_what_version_1_accepted() -> None:
    """Both false constants that a kernel once accepted are disagreed with: a response left out, and a sign reversed."""
    place = {"theta": {"x": "0"}, "h": 1, "tau_B": ["d"], "pi": "a", "nu": "q", "Phi": {"u": "1"}}
    finite = forged(two_names_one_policy(), place, "1/4")
    place = {"theta": {"x": "1/5"}, "Phi": {}, "h": 2, "tau_B": ["d0", "b0", "d0"], "pi": "pi", "nu": "nu"}
    interval = forged(turning(), place, "5/4")
    for certificate in (finite, interval):
        assert dict(second.verdicts(certificate))[L].startswith("disagrees: not ")


def test_too_large() -> None:
    """A claim beyond the limit is not decided, and the count is named."""
    certificate = json.loads((TESTS.parent / "certificates" / "tiger.cert.json").read_bytes())
    certificate["claims"] = [each for each in certificate["claims"] if each["id"] == "kl-joint"]
    ((_, said),) = second.verdicts(certificate)
    assert said.startswith("too large: ")
    assert int(said.split()[2]) > second.MOST


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line per claim, and exit codes: 0 agreed, 1 disagreed, 2 unreadable or without a file."""
    good, bad, none = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "none.json"
    shutil.copy(TESTS / "accepted" / "factor.cert.json", good)
    bad.write_bytes(canonical(edited(json.loads(base("factor")), value(W, alpha_lower="1", alpha_upper="1"))))
    assert 0 == second.main([str(good)])
    lines = capsys.readouterr().out.splitlines()
    assert len(json.loads(base("factor"))["claims"]) == len(lines)
    assert "weak-revealing: agrees" in lines
    assert 1 == second.main([str(bad)])
    assert "weak-revealing: disagrees: not number(entry, 1) == pair[0] / pair[1]" in capsys.readouterr().out
    for arguments in (
        [],
        [str(none)],
        [str(TESTS / "malformed" / "an-array.json")],
        [str(TESTS / "malformed" / "nan.json")],
    ):
        assert 2 == second.main(arguments)
        assert 1 == len(capsys.readouterr().err.splitlines())


def test_optimised_python_is_refused() -> None:
    """With -O comparisons would be left out, so nothing is decided."""
    run = [sys.executable, "-O", "-m", "tests.second", "x"]
    done = subprocess.run(run, capture_output=True, text=True, cwd=TESTS.parent, check=False)
    assert 2 == done.returncode
    assert "without -O" in done.stderr
