"""What ``pomgcheck certify`` accepts as a model, prints and writes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pomgcheck import load
from pomgcheck.certificate import Certificate
from pomgcheck.cli.certify import code, run_by
from pomgcheck.cli.options import limits
from pomgcheck.kernel.check import verify
from pomgcheck.kernel.claims import CLAIMS
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]


def test_a_model_has_one_digest_however_it_is_given(pomgcheck: Run, tmp_path: Path) -> None:
    """A gallery name, its TOML, its canonical JSON and a Python function that returns it are the same model."""
    assert 0 == pomgcheck("gallery", "outside-truth", "-o", ".").returncode
    program = "import json\n\ndef model():\n    return json.load(open('outside-truth.model.json'))\n"
    (tmp_path / "mine.py").write_text(program)
    digests = set()
    for source in ("outside-truth", "outside-truth.toml", "outside-truth.model.json", "mine.py:model"):
        done = pomgcheck("certify", source, "--json", "-o", "x.json")
        digests.add(json.loads(done.stdout)["model_sha256"])
    assert 1 == len(digests)


def test_a_python_file_that_fails_is_told_in_a_sentence(pomgcheck: Run, tmp_path: Path) -> None:
    """What a user's function raises, or returns instead of a model, is one sentence and exit 2."""
    (tmp_path / "mine.py").write_text("def broken():\n    return 1 / 0\n\ndef odd():\n    return 3\n")
    for name, words in (
        ("broken", "ZeroDivisionError: division by zero"),
        ("odd", "a int returned"),
        ("none", "no function none"),
    ):
        done = pomgcheck("certify", f"mine.py:{name}")
        assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
        assert words in done.stderr


def test_certify_writes_the_same_bytes_but_for_the_search(pomgcheck: Run, tmp_path: Path) -> None:
    """Two runs agree in everything the digest covers, and so in the digest."""
    for name in ("one.json", "two.json"):
        pomgcheck("certify", "outside-truth", "-o", name)
    one, two = (json.loads((tmp_path / name).read_text()) for name in ("one.json", "two.json"))
    assert one["sha256"] == two["sha256"]
    for document in (one, two):
        for claim in document["claims"]:
            del claim["search"]
    assert one == two


def test_tables_fit_narrow_terminals(pomgcheck: Run) -> None:
    """The table is never wider than the terminal, nor coloured or padded when piped."""
    for columns in ("60", "80", "120"):
        done = pomgcheck("certify", "outside-truth", COLUMNS=columns)
        lines = done.stdout.splitlines()
        table = lines[: lines.index("")]
        assert int(columns) >= max(map(len, table))
        assert "\x1b" not in done.stdout
        assert table == [line.rstrip() for line in table]


def test_a_narrow_terminal_leaves_out_columns_and_breaks_no_word(pomgcheck: Run) -> None:
    """Where there is no room for a column it is not there; no verdict, number or name is cut."""
    for columns, heads in (("40", ["Claim", "Verdict"]), ("52", ["Claim", "Verdict", "Constants"])):
        table = pomgcheck("certify", "outside-truth", COLUMNS=columns).stdout.partition("\n\n")[0]
        assert heads == table.splitlines()[0].split()
        assert "…" not in table


def test_a_row_of_a_usual_terminal_is_a_line(pomgcheck: Run) -> None:
    """On 80 columns no name is broken and no number cut: a long fraction gives way to its decimal."""
    table = pomgcheck("certify", "patrol", COLUMNS="80").stdout.partition("\n\n")[0].splitlines()
    names = [claim.id for claim in CLAIMS]
    assert names == [line.split()[1] for line in table[1:] if line[0] != " "]
    assert "…" not in "".join(table)
    assert 1 + len(names) + 6 == len(table)  # the Eluder claims, constants and regret have several values
    assert any("c^J_KL ≥ 0.728985" in line for line in table)
    assert any("α_κ ≈ 0.411765" in line for line in table)


def test_limits_are_read_by_name() -> None:
    """Several limits stand with commas between."""
    assert {"a": 5, "b": 7} == limits("b=7,a=5", ("a", "b"))


ENDED = {"a": "proved", "b": "refuted", "c": "unknown"}


def test_the_exit_code_is_that_of_the_claims_searched() -> None:
    """With ``--only``, claims left open on purpose do not count; a refuted one that was searched does."""

    class Stub:
        claims = {name: SimpleNamespace(verdict=ended) for name, ended in ENDED.items()}

    stub: Any = Stub()
    assert [1, 0, 1, 3] == [code(stub, only) for only in (None, ["a"], ["a", "b"], ["a", "c"])]


def test_a_run_is_named_next_only_where_it_can_be(pomgcheck: Run, tmp_path: Path) -> None:
    """Without a truth a certified class cannot be run, and ``run`` is not suggested."""
    document = {**load("patrol").document}
    for model, suggested in ((document, True), ({k: v for k, v in document.items() if k != "truth"}, False)):
        (tmp_path / "a.json").write_text(json.dumps(model))
        assert suggested == ("pomgcheck run" in pomgcheck("certify", "a.json").stdout)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tiger", ()),
        ("watch", ("--algorithm", "nested")),
        ("kuhn.literal", ()),
        ("tiger-interval", ("--algorithm", "nested")),
        ("outside-truth", None),
        ("unfactored", None),
    ],
)
def test_the_run_that_is_named_next_is_one_that_a_theorem_covers(name: str, words: tuple[str, ...] | None) -> None:
    """On intervals it is that of Theorem N, whose net is in the certificate; a class that fails an assumption may have
    that theorem too; where none is proved there is nothing to run."""
    assert words == run_by(Certificate.load(ROOT / "certificates" / f"{name}.cert.json"))


def test_a_class_given_by_operators(pomgcheck: Run) -> None:
    """Theorem 2.5 is decided, what needs kernels is said to, and a run is refused in one sentence."""
    done = pomgcheck("certify", "patrol-operators")
    assert (3, 6, 10) == (done.returncode, done.stdout.count("✓ proved"), done.stdout.count("needs kernels"))
    ran = pomgcheck("run", "patrol-operators.cert.json", "--episodes", "5")
    assert 1 == ran.returncode
    assert "found a class given by operators, required a class given by kernels" in ran.stderr


def test_what_is_settled_in_time_is_written_and_gone_on_from(pomgcheck: Run, tmp_path: Path) -> None:
    """Nothing fits into a microsecond: all is unknown, exit 3, and ``--resume`` ends as if nothing had happened."""
    part = pomgcheck("certify", "outside-truth", "-o", "part.json", "--time-limit", "0.000001")
    assert 3 == part.returncode
    again = pomgcheck("certify", "outside-truth", "-o", "again.json", "--resume", "part.json", "--json")
    whole = pomgcheck("certify", "outside-truth", "-o", "whole.json", "--json")
    assert json.loads(whole.stdout)["sha256"] == json.loads(again.stdout)["sha256"]


def test_an_interrupted_search_writes_what_is_settled(tmp_path: Path) -> None:
    """Ctrl-C ends with 130, one sentence and a certificate that verifies; nothing half-written."""
    hook = "import pomgcheck.search.claims.weak_revealing as module\n\ndef stop(*problems):\n    raise KeyboardInterrupt\n\n"
    hook += "module.lowest = stop\nfrom pomgcheck.__main__ import main\nmain()\n"
    command = [sys.executable, "-c", hook, "certify", "patrol", "-o", "part.json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (130, "") == (done.returncode, done.stdout)
    assert "interrupted; 14 of 16 claims are settled in part.json; --resume part.json goes on" in done.stderr
    assert (1, True) == (done.stderr.count("\n"), verify(tmp_path / "part.json").accepted)
    assert ["part.json"] == [path.name for path in tmp_path.iterdir()]


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_a_limit_is_a_positive_number_of_seconds(pomgcheck: Run, seconds: str) -> None:
    """One sentence, exit 2."""
    done = pomgcheck("certify", "outside-truth", "--time-limit", seconds)
    assert (2, 1) == (done.returncode, done.stderr.count("\n"))
    assert "required a positive number of seconds" in done.stderr


def test_progress_is_told_in_lines_where_stderr_is_no_terminal(pomgcheck: Run) -> None:
    """With ``--progress`` each claim has a line; without it nothing is printed there."""
    told = pomgcheck("certify", "outside-truth", "--progress", "--only", "covering").stderr
    assert "covering proved" in told
    assert "" == pomgcheck("certify", "outside-truth", "--only", "covering").stderr


def test_solvers_are_loaded_only_where_they_are_asked(tmp_path: Path) -> None:
    """A certificate of patrol loads neither sympy, z3 nor cvxpy; ``--cross-check`` loads the first two."""
    for more, wanted in (([], set()), (["--cross-check"], {"sympy", "z3"})):
        hook = "import sys\nfrom pomgcheck.cli import main\ntry:\n    main(sys.argv[1:])\nfinally:\n"
        hook += "    print(*({'sympy', 'z3', 'cvxpy', 'scipy'} & set(sys.modules)), file=sys.stderr)\n"
        command = [sys.executable, "-c", hook, "certify", "patrol", "--json", "-o", "patrol.cert.json", *more]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (0, wanted) == (done.returncode, set(done.stderr.split()))


def test_operators_are_summed_by_a_flag(pomgcheck: Run, tmp_path: Path) -> None:
    """``--operators summed`` is stated in the certificate and in the kernel's line, and the default is not; another
    word ends with 2."""
    for flags, said in (((), False), (("--operators", "realised"), False), (("--operators", "summed"), True)):
        done = pomgcheck("certify", "labelled-1", *flags, "-o", "x.json")
        assert 0 == done.returncode, done.stderr
        assert said == ("operators" in json.loads((tmp_path / "x.json").read_text())["options"])
        assert said == ("T=16384 operators=summed;" in pomgcheck("verify", "x.json").stdout)
    assert 2 == pomgcheck("certify", "labelled-1", "--operators", "averaged").returncode
