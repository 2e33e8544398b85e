"""The program extracted from Coq agrees with the Python kernel on the committed certificates of finite classes.

``make -C formal`` builds it where there is an OCaml with Zarith; without it these tests are skipped.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.exporters.coq import development
from tests.formal.lines import certificate_on_a_line

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "formal" / "extract" / "pomgcheck-kernel"
CONFIRMED, REFUSED, NO_CHECKER = "confirmed", "refused", "no checker"


def goldens(kind: str) -> list[Path]:
    """The committed certificates of finite classes with windows of a stated length; a class of operators or an
    interval is outside what the program reads."""
    return [
        path for path in sorted((ROOT / "tests" / kind).glob("*.cert.json")) if finite(json.loads(path.read_bytes()))
    ]


def finite(certificate: dict[str, Any]) -> bool:
    model = certificate["model"]
    sides = "worlds", "responses"
    axes = [axis for side in sides for axis in model.get(side, {}).get("parameters", {}).values()]
    windows = [model[side].get("window") for side in ("policies", "responses")]
    return "operators" not in model and not any("interval" in axis for axis in axes) and "full" not in windows


def run(*arguments: Path | str) -> subprocess.CompletedProcess[str]:
    """The program with these arguments; the test is skipped where it is not built."""
    if not PROGRAM.exists():
        pytest.skip(
            "formal/extract/pomgcheck-kernel is not built; `make -C formal` does it where there is OCaml with Zarith"
        )
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False, timeout=60)


def answers(path: Path) -> dict[str, str]:
    """What the program says of each claim, or of the model."""
    done = run(path)
    assert not done.stderr, done.stderr
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert any(answer.startswith(REFUSED) for answer in said.values()) == (done.returncode == 1)
    return said


def first(answer: str) -> str:
    """Confirmed, refused or no checker."""
    return answer.partition(":")[0].partition(";")[0]


@pytest.mark.parametrize(
    "path",
    [
        *goldens("accepted"),
        ROOT / "certificates" / "patrol.cert.json",
        pytest.param(ROOT / "certificates" / "kuhn.cert.json", marks=pytest.mark.slow),
    ],
    ids=lambda path: path.name,
)
def test_what_the_kernel_accepts_is_confirmed(path: Path) -> None:
    """Every claim that ``export --coq`` writes as theorems is confirmed, and no other."""
    claims = development(json.loads(path.read_bytes())).claims
    expected = {claim.claim: CONFIRMED if claim.theorems else NO_CHECKER for claim in claims}
    assert expected == {claim: first(answer) for claim, answer in answers(path).items()}


@pytest.mark.parametrize("of_world", [True, False])
def test_an_upper_end_through_signs_is_confirmed(tmp_path: Path, of_world: bool) -> None:
    """Lemma C.1 is tried where counting is not enough; one less than it gives is refused."""
    claim, letter, end = ("eluder-world", "W", 11) if of_world else ("eluder-adversary", "G", 15)
    path = certificate_on_a_line(of_world, tmp_path)
    assert CONFIRMED == first(answers(path)[claim])
    document = json.loads(path.read_bytes())
    (entry,) = (entry for entry in document["claims"] if entry["id"] == claim)
    assert str(end) == entry["values"][f"d_{letter}_upper"]
    entry["values"][f"d_{letter}_upper"] = str(end - 1)
    path.write_text(json.dumps(document), encoding="utf-8")
    assert REFUSED == first(answers(path)[claim])


UNSAID = {  # what is wrong is none of what the theorems say: numbers shown beside them, names, and places of no use
    "bound-evidence-of-a-model-lowered",
    "bound-line-missing",
    "bound-observation-likelier",
    "bound-of-an-open-class",
    "bound-on-better-premises",
    "bound-radius-lowered",
    "bound-smaller-constant-of-the-test",
    "bound-threshold-lowered",
    "bound-with-what-is-computed",
    "eluder-before-misstated",
    "eluder-query-of-the-other-channel",
    "eluder-square-misstated",
    "eluder-structure-as-evidence",
    "lipschitz-attained-nowhere",
    "list-always-best-invented",
    "list-attained-elsewhere",
    "list-dearest-elsewhere",
    "list-farther-model",
    "list-fewer-models",
    "list-fewer-runs",
    "list-policy-cheaper",
    "paper-renumbered",
    "rule-eval-for-tests",
    "value-extra",
    "witness-another-truth",
    "witness-crossing-misstated",
    "witness-difference",
    "witness-difference-of-operators",
    "witness-extra-field",
    "witness-past-the-end",
    "witness-probability",
    "witness-rows-misstated",
    "witness-signal",
}
AT_THE_FORM = {  # the entry cannot be read as a statement, or contradicts itself
    "bound-first-between-integers",
    "eluder-by-eval",
    "eluder-policy-unheard-of",
    "fading-slower",
    "increments-lowered",
    "list-of-a-refuted-truth",
    "list-true-for-one",
    "list-worth-between-integers",
    "option-scope",
    "rule-assume",
    "split-with-one-half",
    "test-negative-index",
    "tree-extra",
    "tree-unknown-node",
    "value-missing",
    "value-not-lowest-terms",
    "value-of-a-logarithm",
    "verdict-proved-with-witness",
    "verdict-proved-without-truth",
    "verdict-refuted",
    "verdict-refuted-with-values",
    "witness-not-played",
    "witness-of-a-bounded-class",
    "witness-of-a-structural-claim",
}
OPEN = re.compile("vacuous|not proved|declares it|does not decide|fading|too many|histories|are summed")
OTHERWISE = {  # the kernel's reason is none of a claim
    "certificate",
    "file",
    "model",
    "summary",
}


def rejected() -> list[tuple[Path, str]]:
    """The rejected goldens with the claim that the kernel names."""
    found = []
    for path in goldens("rejected"):
        reason = path.with_name(path.name.replace(".cert.json", ".reason")).read_text(encoding="utf-8")
        claim = next(line.partition(": ")[2] for line in reason.splitlines() if line.startswith("claim: "))
        if claim not in OTHERWISE:
            found.append((path, claim))
    return found


@pytest.mark.parametrize(("path", "claim"), rejected(), ids=lambda value: getattr(value, "name", value))
def test_what_the_kernel_rejects_is_not_confirmed(path: Path, claim: str) -> None:
    """A claim with a checker is refused, at the check unless the entry is no statement at all."""
    name = path.name.removesuffix(".cert.json")
    answer = answers(path)[claim]
    if answer.startswith(NO_CHECKER):
        assert OPEN.search(answer)
    elif name in UNSAID:
        assert answer.startswith(CONFIRMED)
    else:
        assert answer.startswith(REFUSED)
        assert (name in AT_THE_FORM) != answer.endswith("computes to false")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text[:-20], "no '}'"),
        (lambda text: text.replace('"17/20"', "0.85", 1), "a float"),
        (lambda text: text.replace('"17/20"', '"z"', 1), 'the name "z"'),
        (lambda text: text.replace('"17/20"', '"1/(x-x)"', 1), "division by zero"),
        (lambda text: text.replace('"17/20"', '"1/1' + "0" * 3100 + '"', 1), "more than 3000 digits"),
        (lambda text: text.replace('"horizon":3', '"horizon":0', 1), "an integer from 1 to 1000"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, change: Any, told: str) -> None:
    """One sentence, exit code 2, and nothing is said of any claim."""
    text = (ROOT / "certificates" / "patrol.cert.json").read_text(encoding="utf-8")
    assert text != change(text)
    path = tmp_path / "altered.cert.json"
    path.write_text(change(text), encoding="utf-8")
    done = run(path)
    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert told in done.stderr


def test_a_class_that_is_none_is_refused(tmp_path: Path) -> None:
    """A row that does not sum to one: the model is refused, and with it whatever is said of it."""
    text = (ROOT / "certificates" / "patrol.cert.json").read_text(encoding="utf-8").replace('"17/20"', '"16/20"', 1)
    path = tmp_path / "altered.cert.json"
    path.write_text(text, encoding="utf-8")
    assert {"model": "refused: a row that is no distribution"} == answers(path)
