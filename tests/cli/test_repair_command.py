"""``pomgcheck repair``: what it prints, writes and ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pomgcheck import repair
from pomgcheck.kernel.reading import canonical_bytes
from pomgcheck.modelclass import load
from pomgcheck.records import read
from pomgcheck.remedies import RepairRecord
from pomgcheck.reporting.pages.repairs import told
from pomgcheck.stored import content_digest
from tests.cli.conftest import Run
from tests.repo.source import ROOT
from tests.search import continua

SILENT = ROOT / "certificates" / "silent-action.cert.json"


def words(text: str) -> set[str]:
    """The words of a text, whatever the widths of lines and columns."""
    return {*text.replace("─", " ").split()}


def test_a_drop_is_told_written_and_holds(pomgcheck: Run, tmp_path: Path) -> None:
    """From a certificate or from the model the advice is the same, and the class it writes is no longer refuted."""
    done = pomgcheck("repair", SILENT, "-o", "less.toml")
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.startswith("Refuted: weak-revealing.\n\nLeave out world x=3/4. ")
    assert done.stdout.endswith("Next:\n  pomgcheck certify less.toml -o less.cert.json\n")
    assert done.stdout.startswith(pomgcheck("repair", "silent-action").stdout)
    assert [{"x": "1/2"}] == load(tmp_path / "less.toml").document["worlds"]["points"]
    assert 0 == pomgcheck("certify", "less.toml", "-o", "less.cert.json").returncode


def test_a_floor_is_told_written_and_holds(pomgcheck: Run, tmp_path: Path) -> None:
    """With --floor the least one is computed for the target; the class with it has that alpha."""
    done = pomgcheck("repair", SILENT, "--floor", "-o", "more.json")
    assert (0, "") == (done.returncode, done.stderr)
    assert "Give every response the floor ε = 77/256" in done.stdout
    assert "At ε = 307/1024 it is at most 307/3072" in " ".join(done.stdout.split())
    facts = json.loads(pomgcheck("certify", "more.json", "--only", "weak-revealing", "--json").stdout)
    assert "77/768" == facts["values"]["alpha_lower"]


def test_none_found_is_three(pomgcheck: Run, tmp_path: Path) -> None:
    """No floor is large enough, or the truth is outside: the reason is printed and nothing is written."""
    weak = pomgcheck("repair", SILENT, "--target", "1/2", "-o", "x.toml")
    assert (3, "") == (weak.returncode, weak.stderr)
    assert "No response floor ε makes α_κ at least 1/2" in weak.stdout
    outside = pomgcheck("repair", "outside-truth", "-o", "x.toml")
    assert (3, "") == (outside.returncode, outside.stderr)
    assert "add the truth (x=3/4) to the class" in " ".join(outside.stdout.split())
    assert [] == list(tmp_path.iterdir())


def test_nothing_refuted_is_zero(pomgcheck: Run) -> None:
    """A class whose claims hold needs no repair; the options of certify choose the claims' forms."""
    done = pomgcheck("repair", "early-mover", "--lipschitz", "policy")
    assert (0, "Nothing is refuted, so there is nothing to leave out.\n") == (done.returncode, done.stdout)


def test_json_is_the_repair_and_nothing_else(pomgcheck: Run) -> None:
    """Exact values, verdicts, what is left out for all claims and for each alone."""
    done = pomgcheck("repair", ROOT / "certificates" / "confounded.cert.json", "--json")
    facts = json.loads(done.stdout)
    assert (0, "confounded", None) == (done.returncode, facts["model"], facts["path"])
    assert {"worlds": [{"x": "1/10"}], "responses": [], "policies": []} == facts["drop"]["together"]["out"]
    assert ["kl-joint", "kl-world"] == sorted(facts["drop"]["alone"])
    assert "vacuous" == facts["drop"]["together"]["claims"]["kl-world"]["verdict"]


@pytest.mark.parametrize(
    ("name", "options"),
    [("silent-action", []), ("silent-action", ["--floor"]), ("confounded", []), ("confounded-curve", [])],
)
def test_a_repair_is_kept_checked_and_put_on_a_page(
    pomgcheck: Run, tmp_path: Path, name: str, options: list[str]
) -> None:
    """Its record says what was printed, stands beside its certificate, is found again, and makes a page that stands."""
    source = ROOT / "certificates" / f"{name}.cert.json"
    done = pomgcheck("repair", source, *options, "--record", "x.repair.json")
    assert "" == done.stderr
    assert done.stdout.endswith("\nRepair: x.repair.json\n")
    record = read(tmp_path / "x.repair.json")
    assert isinstance(record, RepairRecord)
    assert words(told(record.content)) <= words(done.stdout)
    assert (done.returncode == 0) == record.settled
    lone = pomgcheck("verify", "x.repair.json")
    assert (2, 1) == (lone.returncode, lone.stderr.count("\n") + lone.stdout.count("\n"))
    (tmp_path / source.name).write_bytes(source.read_bytes())
    for again in ((), ("--replay",)):
        verified = pomgcheck("verify", "x.repair.json", *again)
        assert (0, True) == (verified.returncode, f"VERIFIED repair {record.sha256}" in verified.stdout)
    assert 0 == pomgcheck("report", "x.repair.json", "-o", "x.html").returncode
    page = pomgcheck("verify", "x.html")
    assert "x.html: VERIFIED report, word for word" in page.stdout


def test_an_altered_repair_does_not_stand(pomgcheck: Run, tmp_path: Path) -> None:
    """Neither one with another class under its digest, nor one that a replay does not find."""
    source = ROOT / "certificates" / "silent-action.cert.json"
    (tmp_path / source.name).write_bytes(source.read_bytes())
    document = repair(source).document
    document["model"]["truth"] = {"worlds": {"x": "1/8"}, "responses": {}}
    document["sha256"] = content_digest(document)
    (tmp_path / "x.json").write_bytes(canonical_bytes(document))
    done = pomgcheck("verify", "x.json")
    assert (1, True) == (done.returncode, "REJECTED repair model: found the class" in done.stdout)
    document = repair(source).document
    document["found"]["together"]["conflicts"] += 1
    document["sha256"] = content_digest(document)
    (tmp_path / "x.json").write_bytes(canonical_bytes(document))
    assert 0 == pomgcheck("verify", "x.json").returncode
    done = pomgcheck("verify", "x.json", "--replay")
    assert (1, True) == (done.returncode, "found another repair, required that of a replay" in done.stdout)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["silent-action", "--target", "0"], "--target: found 0, required a positive number"),
        (["silent-action", "--target", "much"], "--target: found 'much', required an exact number"),
        (["silent-action", "-o", "x.html"], "--output: found x.html, required a model document, X.toml or X.json"),
        (["silent-acton"], 'did you mean "silent-action"?'),
        (
            [SILENT, "--kappa", "1"],
            "--kappa: found an option beside a certificate, required the certificate's own; give the model",
        ),
    ],
)
def test_unusable_input_is_two(pomgcheck: Run, tmp_path: Path, arguments: list[object], sentence: str) -> None:
    """One sentence on stderr, and nothing printed or written."""
    done = pomgcheck("repair", *arguments)
    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert sentence in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_an_altered_certificate_is_refused(pomgcheck: Run, tmp_path: Path) -> None:
    """Nothing is computed from a certificate that is not as it was written."""
    (tmp_path / "x.cert.json").write_text(SILENT.read_text().replace('"signal":"0"', '"signal":"1"'))
    done = pomgcheck("repair", "x.cert.json")
    assert (1, "") == (done.returncode, done.stdout)


def test_a_floor_of_a_class_on_intervals_is_refused_in_one_sentence(pomgcheck: Run) -> None:
    """It is sought in lists of models."""
    done = pomgcheck("repair", ROOT / "certificates" / "confounded-curve.cert.json", "--floor")
    assert (2, "") == (done.returncode, done.stdout)
    assert done.stderr.startswith("pomgcheck: worlds or responses: found an interval axis, required finite axes; ")
    assert 1 == done.stderr.count("\n")


def test_a_box_is_told_written_and_holds(pomgcheck: Run, tmp_path: Path) -> None:
    """Of a class on intervals the largest box around the truth is found, told, written, and certified again."""
    document = continua.touching() | {"truth": {"worlds": {"x": "1/4"}, "responses": {}}}
    load(document).to_json(tmp_path / "touching.json")
    done = pomgcheck("repair", "touching.json", "-o", "narrow.toml")
    assert (0, "") == (done.returncode, done.stderr)
    told = " ".join(done.stdout.split())
    assert told.startswith("Refuted: bounded-increments and predictive-states. Narrow x to 1/128 to 1/2.")
    assert {"interval": ["1/128", "1/2"]} == load(tmp_path / "narrow.toml").document["worlds"]["parameters"]["x"]
    facts = json.loads(pomgcheck("certify", "narrow.toml", "--only", "predictive-states", "--json").stdout)
    assert "proved" == facts["claims"]["predictive-states"]
    box = json.loads(pomgcheck("repair", "touching.json", "--json").stdout)["box"]
    assert {"worlds": {"x": ["1/128", "1/2"]}} == box["box"]
    refused = pomgcheck("repair", "touching.json", "--time-limit", "0")
    assert (2, "") == (refused.returncode, refused.stdout)
    assert "--time-limit: found 0.0, required a positive number of seconds" in refused.stderr
