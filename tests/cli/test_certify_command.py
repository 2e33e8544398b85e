"""What ``pomgcheck certify`` accepts as a model, prints and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pomgcheck import load
from pomgcheck.cli.certify import code
from pomgcheck.cli.options import limits
from pomgcheck.kernel.claims import CLAIMS
from tests.cli.conftest import Run


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


def test_a_row_of_a_usual_terminal_is_a_line(pomgcheck: Run) -> None:
    """On 80 columns no name is broken and no number cut: a long fraction gives way to its decimal."""
    table = pomgcheck("certify", "patrol", COLUMNS="80").stdout.partition("\n\n")[0].splitlines()
    names = [claim.id for claim in CLAIMS]
    assert names == [line.split()[1] for line in table[1:] if line[0] != " "]
    assert "…" not in "".join(table)
    assert 1 + len(names) + 4 == len(table)  # eluder-world, eluder-adversary and constants have several values
    assert any("c^J_KL ≥ 0.728985" in line for line in table)
    assert any("α_κ ≈ 0.411765" in line for line in table)


def test_limits_are_read_by_name() -> None:
    """Several limits stand with commas between."""
    assert {"a": 5, "b": 7} == limits("b=7,a=5", ("a", "b"))


def test_the_exit_code_is_that_of_the_claims_searched() -> None:
    """With ``--only``, claims left open on purpose do not count; a refuted one that was searched does."""

    class Stub:
        claims = {"a": {"verdict": "proved"}, "b": {"verdict": "refuted"}, "c": {"verdict": "unknown"}}

    stub: Any = Stub()
    assert [1, 0, 1, 3] == [code(stub, only) for only in (None, ["a"], ["a", "b"], ["a", "c"])]


def test_a_run_is_named_next_only_where_it_can_be(pomgcheck: Run, tmp_path: Path) -> None:
    """Without a truth a certified class cannot be run, and ``run`` is not suggested."""
    document = {**load("patrol").document}
    for model, suggested in ((document, True), ({k: v for k, v in document.items() if k != "truth"}, False)):
        (tmp_path / "a.json").write_text(json.dumps(model))
        assert suggested == ("pomgcheck run" in pomgcheck("certify", "a.json").stdout)


def test_a_class_given_by_operators(pomgcheck: Run) -> None:
    """Theorem 2.5 is decided, what needs kernels is said to, and a run is refused in one sentence."""
    done = pomgcheck("certify", "patrol-operators")
    assert (3, 6, 9) == (done.returncode, done.stdout.count("✓ proved"), done.stdout.count("needs kernels"))
    ran = pomgcheck("run", "patrol-operators.cert.json", "--episodes", "5")
    assert 1 == ran.returncode
    assert "found a class given by operators, required a class given by kernels" in ran.stderr
