"""``pomgcheck import`` and ``pomgcheck export``, from a file to a certified class, a run, and back."""

from __future__ import annotations

import json
from pathlib import Path

from pomgcheck import load
from tests.cli.conftest import Run

TIGER = """discount: 0.95
values: reward
states: left right
actions: listen open-left open-right
observations: hear-left hear-right
start: uniform
T: listen
identity
T: open-left
uniform
T: open-right
uniform
O: listen
0.85 0.15
0.15 0.85
O: open-left
uniform
O: open-right
uniform
R: listen : * : * : * -1
R: open-left : left : * : * -100
R: open-left : right : * : * 10
R: open-right : left : * : * 10
R: open-right : right : * : * -100
"""


def test_a_file_becomes_a_class_that_certifies_and_runs(pomgcheck: Run, tmp_path: Path) -> None:
    """A tiger that slips and an adversary who jams: imported, certified by the command it names, verified, run."""
    (tmp_path / "tiger.pomdp").write_text(TIGER)
    done = pomgcheck(
        "import", "tiger.pomdp", "--adversary", "jam", "--unknown", "transition:slip=1/20,1/5", "--policies", "routing"
    )
    assert (0, "") == (done.returncode, done.stderr)
    assert "worlds                  2     slip in 1/20, 1/5\n" in done.stdout
    told = " ".join(done.stdout.split())
    assert "tiger: POMDP file; 3 moves; the file's reward is -100+110*r for a reward r here, discounted by 0.95" in told
    last = done.stdout.splitlines()[-1]
    assert "  pomgcheck certify tiger.toml -o tiger.cert.json" == last
    certified = pomgcheck(*last.split()[1:])
    assert (0, "") == (certified.returncode, certified.stderr)
    assert "tiger: certified (16 proved)." in certified.stdout
    assert 0 == pomgcheck("verify", "tiger.cert.json", "--model", "tiger.toml").returncode
    assert (
        0 == pomgcheck("run", "tiger.cert.json", "--episodes", 50, "--seeds", 1, "--constants", "practical").returncode
    )
    back = pomgcheck("export", "tiger.toml", "--against", "pass", "--world", "slip=1/5")
    assert (0, "") == (back.returncode, back.stderr)
    assert 0 == pomgcheck("import", "tiger.pomdp", "--policies", "routing", "-o", "again.toml").returncode


def test_both_forms_of_the_document_are_the_same_class(pomgcheck: Run, tmp_path: Path) -> None:
    """TOML to edit, with its knobs, and canonical JSON load to one digest, which ``--json`` names."""
    (tmp_path / "tiger.pomdp").write_text(TIGER)
    common = ("import", "tiger.pomdp", "--adversary", "joint", "--responses", "tilt:z=1/4,1/2", "--truth", "z=1/2")
    done = pomgcheck(*common, "--horizon", 1, "--json")
    facts = json.loads(done.stdout)
    assert (0, "tiger", 2, 27, {"worlds": {}, "responses": {"z": "1/2"}}) == (
        done.returncode,
        facts["model"],
        facts["horizon"],
        facts["policies"],
        facts["truth"],
    )
    assert 0 == pomgcheck(*common, "--horizon", 1, "-o", "tiger.json").returncode
    assert {facts["model_sha256"]} == {load(tmp_path / f"tiger.{kind}").sha256 for kind in ("toml", "json")}
    assert {"jam": "1/2", "shift": "1/2"} == dict(load(tmp_path / "tiger.toml").knobs)


def test_unusable_files_and_options_end_with_2_and_one_sentence(pomgcheck: Run, tmp_path: Path) -> None:
    """Nothing is printed on stdout and nothing written."""
    (tmp_path / "tiger.pomdp").write_text(TIGER.replace("0.85 0.15", "0.85 0.1499"))
    (tmp_path / "tiger.osposg").write_text("1 1")
    for arguments, sentence in (
        (("tiger.pomdp",), "tiger.pomdp:14: O (listen, left): found a row that sums to 0.9999, 0.0001 too little"),
        (("tiger.osposg",), "required a file to import, .pomdp, .dpomdp, .efg"),
        (("lion.pomdp",), "lion.pomdp: found No such file or directory"),
        (("tiger.pomdp", "--unknown", "reward:x=1"), "--unknown: found 'reward:x=1'"),
        (("tiger.pomdp", "--repair", "largest", "--policies", "some"), "--policies: found 'some'"),
        (("tiger.pomdp", "--repair", "largest", "--learner", "2"), "--learner: found 2, required 1"),
        (("tiger.pomdp", "-o", "tiger.txt"), "--output: found tiger.txt, required a model document"),
    ):
        done = pomgcheck("import", *arguments)
        assert (2, "") == (done.returncode, done.stdout), arguments
        assert sentence in done.stderr
        assert 1 == len(done.stderr.splitlines())
    refused = pomgcheck("export", "patrol")
    assert (2, "") == (refused.returncode, refused.stdout)
    assert ["tiger.osposg", "tiger.pomdp"] == sorted(path.name for path in tmp_path.iterdir())
