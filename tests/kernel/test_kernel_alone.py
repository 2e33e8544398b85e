"""The kernel runs by itself: its own folder, the standard library and nothing else."""

from __future__ import annotations

import io
import json
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pomgcheck.kernel
from pomgcheck.kernel import check
from pomgcheck.kernel.claims import CLAIMS, STRUCTURAL
from pomgcheck.learner.replay import RunVerdict
from pomgcheck.search.sweep import SweepVerdict

TESTS = Path(__file__).parents[1]
KERNEL = Path(pomgcheck.kernel.__file__).parent
ALONE = """
import runpy, sys
folder, *sys.argv[1:] = sys.argv[1:]
sys.path = [folder, *(p for p in sys.path if "site-packages" not in p)]
try:
    runpy.run_module("kernel", run_name="__main__", alter_sys=False)
finally:
    ours = {name for name in sys.modules if name.split(".")[0] not in sys.stdlib_module_names}
    assert all(name.split(".")[0] in ("kernel", "__main__") for name in ours), ours
"""


def alone(tmp_path: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run a copy of the kernel's folder in an isolated interpreter without site packages."""
    shutil.copytree(KERNEL, tmp_path / "kernel", ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    command = [sys.executable, "-I", "-S", "-B", "-c", ALONE, str(tmp_path), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)


READ = "declared: none; kappa=1 form=literal scope=simplex lipschitz=step space=window T=16384; rings: core\n"


@pytest.mark.parametrize(
    ("file", "code", "line"),
    [
        ("accepted/drift.cert.json", 0, "VERIFIED model {model} certificate {own} certified; vacuous: none; " + READ),
        (
            "accepted/refuted-truth.cert.json",
            0,
            "VERIFIED model {model} certificate {own} not-certified; vacuous: regret, constants; " + READ,
        ),
        (
            "rejected/covering-lowered.cert.json",
            1,
            "REJECTED covering eval: found log_covering_upper = {{'log_of': '3'}}, required {{'log_of': '4'}}\n",
        ),
        (
            "malformed/nan.json",
            1,
            'REJECTED file read file: found the float NaN, required an exact number: write "NaN"\n',
        ),
    ],
)
def test_exit_code_and_the_one_line(tmp_path: Path, file: str, code: int, line: str) -> None:
    """0 for a certificate that verifies, refuted or not; 1 for one that does not; one line on stdout, none on
    stderr."""
    path = TESTS / file
    certificate = json.loads(path.read_bytes()) if code == 0 else {}
    done = alone(tmp_path, path)
    said = line.format(model=certificate.get("model_sha256"), own=certificate.get("sha256"))
    assert (code, said, "") == (done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    "arguments", [(), ("missing.cert.json",), (".",), ("a", "b", "c")], ids=["none", "missing", "folder", "three"]
)
def test_unusable_arguments(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    """2, a sentence on stderr, nothing on stdout and no traceback."""
    done = alone(tmp_path, *arguments)
    assert (2, "") == (done.returncode, done.stdout)
    assert 1 == len(done.stderr.strip().splitlines())


def test_the_users_model_beside_it(tmp_path: Path) -> None:
    """With another model file the certificate is rejected, with a missing one the input is unusable."""
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    path = TESTS / "accepted" / "drift.cert.json"
    assert [1, 2] == [alone(tmp_path, path, model).returncode for model in (other, tmp_path / "missing.json")]


@pytest.mark.parametrize("isolated", [True, False])
def test_what_lies_beside_a_certificate_is_not_imported(tmp_path: Path, isolated: bool) -> None:
    """Files called like modules of the standard library or the kernel, planted in the current directory, are not run,
    by the documented command and also where -I is forgotten."""
    spoiled = TESTS / "rejected" / "covering-lowered.cert.json"
    shutil.copy(spoiled, tmp_path / "x.cert.json")
    names = {path.stem for path in KERNEL.glob("*.py")} - {"__init__", "__main__"}
    for name in ("fractions", "json", "hashlib", "numbers", "decimal", "ast", "contextvars", "dataclasses", *names):
        (tmp_path / f"{name}.py").write_text("print('VERIFIED all of it certified'); raise SystemExit(0)\n")
    command = [sys.executable, *(["-I"] if isolated else []), "-m", "pomgcheck.kernel", "x.cert.json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (1, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith("REJECTED covering eval: ")


def test_it_is_also_a_module_of_the_package() -> None:
    """``python -m pomgcheck.kernel`` is the same program."""
    path = TESTS / "accepted" / "drift.cert.json"
    done = subprocess.run(
        [sys.executable, "-m", "pomgcheck.kernel", str(path)], capture_output=True, text=True, cwd=KERNEL.parents[1]
    )
    assert (0, "certified") == (done.returncode, done.stdout.split(";")[0].split(" ")[-1])


@pytest.mark.parametrize(("file", "stands"), [("accepted/drift", True), ("rejected/covering-lowered", False)])
def test_a_verdict_is_true_where_the_certificate_is_accepted(file: str, stands: bool) -> None:
    """``if verify(path)`` asks whether it stands, of whatever kind the file is."""
    assert [stands] * 2 == [bool(verdict := check.verify(TESTS / f"{file}.cert.json")), verdict.accepted]
    for kind in (RunVerdict, SweepVerdict):
        assert stands == bool(kind(stands, "a line"))


@pytest.mark.parametrize(
    ("names", "code", "printed"),
    [
        (["accepted/drift.cert.json"], 0, "VERIFIED model "),
        (["rejected/covering-lowered.cert.json"], 1, "REJECTED covering eval: "),
        (["accepted/missing.cert.json"], 2, ""),
        ([], 2, ""),
    ],
)
def test_the_program_says_the_same_in_a_process_of_another(
    names: list[str], code: int, printed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line and the exit code: 0 for what verifies, 1 for what does not, 2 and a sentence for what cannot be read."""
    monkeypatch.setattr(sys, "argv", ["pomgcheck.kernel", *(str(TESTS / name) for name in names)])
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(SystemExit) as ended:
        runpy.run_module("pomgcheck.kernel", run_name="__main__")
    out, err = capsys.readouterr()
    assert (code, True, code == 2) == (ended.value.code, out.startswith(printed), bool(err))
    assert (code != 2) == bool(out)


def test_a_verdict_shows_itself_in_a_notebook() -> None:
    """It is printed as its line, which HTML does not read as marks."""
    verdict = check.Verdict(False, "REJECTED <claim> & rule")
    assert ("<REJECTED <claim> & rule>", "<code>REJECTED &lt;claim> &amp; rule</code>") == (
        repr(verdict),
        verdict._repr_html_(),
    )


def test_the_line_is_printed_to_what_is_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that has no encoding to be set receives the line too."""
    printed = io.StringIO()
    monkeypatch.setattr(sys, "stdout", printed)
    assert 1 == check.main([str(TESTS / "rejected" / "covering-lowered.cert.json")])
    assert printed.getvalue().startswith("REJECTED covering eval: ")


def test_every_claim_says_how_it_is_decided_on_intervals() -> None:
    """A claim is decided by the same code there or has another proof, so that none is read of a class without points."""
    assert all(claim.intervals or claim.id in STRUCTURAL for claim in CLAIMS)
    assert "warmup-stationary" in {claim.id for claim in CLAIMS if claim.intervals}  # of a fading rule
