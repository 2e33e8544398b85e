"""``export``: the scripts say what the kernel checked, and solvers agree that no goal can fail."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.exporters.obligations import goals, read, script, scripts
from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.continua import goal
from pomgcheck.kernel.polynomials import Polynomial, value
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.cli.conftest import Run
from tests.exporters.solvers import SOLVERS, answers, by_z3
from tests.repo.source import ROOT
from tests.search import continua

QUICK = ("posterior-lipschitz", "covering", "bounded-increments", "predictive-states")
monomials = st.lists(st.sampled_from(["theta.x", "theta.y"]), max_size=2).map(lambda key: tuple(sorted(key)))
numbers = st.fractions(-2, 2, max_denominator=3)


@pytest.mark.parametrize("name", continua.CLASSES)
def test_two_solvers_find_no_goal_that_fails(name: str) -> None:
    """Every negated goal of a certificate is unsatisfiable, or not decided within the limit; most are decided."""
    certificate = certify(load(continua.CLASSES[name]()), only=QUICK).document
    stated = read(certificate)
    assert stated is not None
    facts, claims = stated
    found = [str(script(claims[name], "", each)) for name in claims for each in goals(facts, claims, name)]
    for solver in SOLVERS:
        told = answers(solver, found)
        assert "sat" not in told
        assert told.count("unsat") > 3 * len(told) / 4


@pytest.mark.parametrize(("factor", "answer"), [("1", "unsat"), ("11/10", "sat")])
def test_two_solvers_agree_on_assumption_2_4_between_pairs_of_models(factor: str, answer: str) -> None:
    """The committed certificate of a curve of confounded worlds: with alpha_lower no state and no two models, the
    diagonal included, fall below it; with a tenth more than alpha_upper both find some."""
    path = Path(__file__).parents[2] / "certificates" / "confounded-curve.cert.json"
    certificate = json.loads(path.read_bytes())
    values = next(claim["values"] for claim in certificate["claims"] if claim["id"] == "weak-revealing")
    if factor != "1":
        values["alpha_lower"] = str(Fraction(factor) * Fraction(values["alpha_upper"]))
    found = [text for text in scripts(certificate)["weak-revealing"] if "One leaf" not in text]
    assert len(found) > 1
    for solver in SOLVERS:
        told = answers(solver, [text.replace(":status unsat", ":status unknown") for text in found])
        assert {answer, "unknown"} >= {*told}
        assert answer in told


@given(st.dictionaries(monomials, numbers.filter(bool), max_size=4).map(Polynomial), st.booleans())
def test_a_goal_that_fails_at_a_corner_is_satisfiable(p: Polynomial, strict: bool) -> None:
    """The script says the negation: where the polynomial has the wrong sign at a corner a solver finds a point."""
    box = {"theta.x": (Fraction(-1), Fraction(1)), "theta.y": (Fraction(0), Fraction(2))}
    corners = [{"theta.x": x, "theta.y": y} for x in box["theta.x"] for y in box["theta.y"]]
    low = min(value(p, corner) for corner in corners)
    if low < 0 or (low == 0 and strict):
        claim = {"id": "covering", "paper": "", "values": {}}
        text = str(script(claim, "", goal(p, strict, Region(box))))
        assert "sat" == by_z3(text.replace(":status unsat", ":status sat"))


def test_the_command_writes_a_script_a_goal(pomgcheck: Run, tmp_path: Path) -> None:
    """One file per goal, named by its claim; each states its logic, its box and that unsat is expected."""
    certify(load(continua.triangle()), only=QUICK).save(tmp_path / "triangle.cert.json")
    done = pomgcheck("export", "triangle.cert.json", "--smt2", "scripts")
    assert 0 == done.returncode, done.stderr
    files = sorted((tmp_path / "scripts").glob("*.smt2"))
    assert ["README.md", "check.py"] == sorted(x.name for x in (tmp_path / "scripts").iterdir() if x not in files)
    assert f"{len(files)} scripts" in done.stdout
    readme = (tmp_path / "scripts" / "README.md").read_text(encoding="utf-8")
    for name in {re.sub(r"-\d+$", "", file.stem) for file in files}:
        assert f"| `{name}-0001.smt2`" in readme
    assert str(json.loads((tmp_path / "triangle.cert.json").read_bytes())["sha256"]) in readme
    assert {"bounded-increments", "covering", "nonexpansive", "predictive-states"} == {
        re.sub(r"-\d+$", "", file.stem) for file in files
    }
    text = next(file for file in files if file.stem == "bounded-increments-0001").read_text()
    for piece in ("(set-logic QF_LRA)", "(set-info :status unsat)", "(declare-const theta.x Real)", "(check-sat)"):
        assert piece in text


SOLVER = """import sys
text = open(sys.argv[-1]).read()
print({"a": "unsat", "b": "(error)", "c": "sat"}[text.strip()])
"""


@pytest.mark.parametrize(
    ("texts", "code", "row"),
    [("aa", 0, "x  2  0  0"), ("ab", 3, "x  1  1  0"), ("abc", 1, "x  1  1  1"), ("", 2, "")],
    ids=["unsat", "undecided", "sat", "none"],
)
def test_the_runner_says_what_a_solver_answers(texts: str, code: int, row: str, tmp_path: Path) -> None:
    """It needs the standard library alone; every answer but unsat changes the exit code, and the scripts are named."""
    shutil.copy(ROOT / "pomgcheck" / "exporters" / "runner.py", tmp_path / "check.py")
    (tmp_path / "solver.py").write_text(SOLVER)
    for k, text in enumerate(texts, 1):
        (tmp_path / f"x-{k:04}.smt2").write_text(text)
    command = [sys.executable, "-I", "-S", str(tmp_path / "check.py"), sys.executable, str(tmp_path / "solver.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert code == done.returncode, done.stderr
    assert row in re.sub(r" +", "  ", done.stdout)
    assert ("x-0003.smt2" in done.stdout) == ("c" in texts)
    none = subprocess.run([*command[:4], "no-such-solver"], capture_output=True, text=True, check=False)
    assert 2 == none.returncode
    assert "give one that is installed" in none.stderr


def test_what_cannot_be_exported_is_said(pomgcheck: Run, made: Path, tmp_path: Path) -> None:
    """A finite class has nothing to export, a missing certificate neither: exit 2, and nothing is written."""
    for path, words in ((made / "patrol.cert.json", "decided by evaluation"), ("none.json", "give the path of one")):
        done = pomgcheck("export", path, "--smt2", "scripts")
        assert (2, "") == (done.returncode, done.stdout)
        assert words in done.stderr
    assert "scripts" not in os.listdir(tmp_path)
