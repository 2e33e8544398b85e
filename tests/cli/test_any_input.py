"""Whatever is given to a command, it ends in a sentence: no traceback, no internal error, nothing written."""

from __future__ import annotations

import copy
import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.cli import main
from pomgcheck.kernel.check import content_digest
from pomgcheck.kernel.reading import digest

Typed = Callable[..., tuple[int, str, str]]
UNUSABLE, REJECTED = 2, 1

ODD: list[Any] = [
    None,
    True,
    -1,
    0,
    10**30,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "1/0",
    "1e999",
    "²",
    "१",
    "(" * 2000,
    "1/" + "9" * 5000,
    "x^99999",
    "2^99999999",
    [],
    {},
    [[[[[]]]]],
    {"": ""},
    ["1", "0"],
    "\x00",
    "*",
    "uniform",
    "\U0001d538",
]


@pytest.fixture
def typed(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """A command in this process, in an empty folder: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([str(argument) for argument in arguments])
        code = end.value.code
        assert isinstance(code, int)
        return code, *capsys.readouterr()

    return run


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value but the whole."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*place, key)
        if isinstance(inner, dict | list):
            yield from places(inner, (*place, key))


def edited(value: Any, data: st.DataObject) -> Any:
    """The value with one entry replaced, left out, nested, repeated, or copied from elsewhere."""
    value = copy.deepcopy(value)
    every = list(places(value))
    *path, last = data.draw(st.sampled_from(every), "place")
    part = value
    for key in path:
        part = part[key]
    how = data.draw(st.sampled_from(["odd", "left out", "nested", "added", "copied"]), "edit")
    if how == "odd":
        part[last] = data.draw(st.sampled_from(ODD))
    elif how == "left out":
        del part[last]
    elif how == "nested":
        part[last] = [part[last]]
    elif how == "added":
        part.append(data.draw(st.sampled_from(ODD))) if isinstance(part, list) else part.update({"more": ODD[3]})
    else:
        other = value
        for key in data.draw(st.sampled_from(every), "source"):
            other = other[key]
        part[last] = copy.deepcopy(other)
    return value


def sealed(value: Any) -> Any:
    """The same under digests that fit, where it can have any."""
    try:
        if value["format"].startswith("pomgcheck-certificate"):
            value["model_sha256"] = digest(value["model"])
            return value | {"sha256": content_digest(value)}
        return value | {"sha256": digest({key: entry for key, entry in value.items() if key != "sha256"})}
    except Exception:  # it is too far from one
        return value


ANY = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def ended_well(found: tuple[int, str, str], *codes: int) -> None:
    """A verdict or a sentence, and no more."""
    code, _, err = found
    assert code in codes, err
    assert "Traceback" not in err
    assert len(err) < 3000
    if code == UNUSABLE and err:
        assert 1 == err.count("\n"), err
        assert err.startswith("pomgcheck: ")


@ANY
@given(st.sampled_from(["patrol", "patrol-operators", "confounded-curve"]), st.data())
def test_an_edited_model(typed: Typed, name: str, data: st.DataObject) -> None:
    """A class with one entry changed is a class, or is refused; nothing is written where it is refused."""
    document = json.loads(gallery.load(name).canonical_json())
    Path("model.json").write_text(json.dumps(edited(document, data)), encoding="utf-8", errors="surrogatepass")
    ended_well(typed("certify", "model.json", "--only", "covering"), 0, 1, 2, 3)
    assert ["model.json"] == os.listdir()


@ANY
@given(st.sampled_from(["patrol.cert.json", "outside-truth.cert.json", "patrol.run.json"]), st.data())
def test_an_edited_record(typed: Typed, made: Path, name: str, data: st.DataObject) -> None:
    """An edited certificate or run, its digests made to fit, is checked and told without an accident."""
    document = json.loads((made / name).read_bytes())
    Path(name).write_text(json.dumps(sealed(edited(document, data))), encoding="utf-8", errors="surrogatepass")
    ended_well(typed("verify", name, made / "patrol.cert.json"), 0, 1, 2)
    ended_well(typed("report", name, "-o", "page.md"), 0, 1, 2)
    if "cert" in name:
        ended_well(typed("explain", name), 0, 1, 2)


@pytest.mark.parametrize("field", ["id", "paper", "verdict", "values", "evidence", "witness", "search"])
def test_a_field_of_a_claim_in_a_list(typed: Typed, made: Path, field: str) -> None:
    """A record that is read as typed is refused in a sentence where a field has another shape, by each reader of it."""
    document = json.loads((made / "outside-truth.cert.json").read_bytes())
    for claim in document["claims"]:
        claim[field] = [claim[field]]
    Path("edited.cert.json").write_text(json.dumps(sealed(document)))
    for command in (["verify"], ["explain"], ["report", "-o", "page.md"], ["export", "--smt2", "goals"]):
        ended_well(typed(command[0], "edited.cert.json", *command[1:]), 0, 1, 2)


BROKEN = {
    "empty": b"",
    "blank": b" \n",
    "null": b"null",
    "number": b"1",
    "text": b'"certificate"',
    "array": b"[]",
    "object": b"{}",
    "float": b'{"format": 1.5}',
    "nan": b'{"format": NaN}',
    "deep": b"[" * 100_000,
    "cut": b'{"format": "pom',
    "byte-order-mark": b'\xef\xbb\xbf{"format": "pomgcheck-certificate/2"}',
    "binary": bytes(range(256)) * 20,
    "utf-16": '{"format": "x"}'.encode("utf-16"),
    "surrogate": b'{"format": "\\ud800"}',
    "twice": b'{"format": 1, "format": 1}',
    "unknown": b'{"format": "pomgcheck-certificate/2"}',
    "run": b'{"format": "pomgcheck-run/1"}',
    "sweep": b'{"format": "pomgcheck-sweep/1"}',
    "experiment": b'{"format": "pomgcheck-experiment/2"}',
    "model": b'{"format": "pomgcheck-model-class/1"}',
    "pdf": b"%PDF-1.5\n\xd0\xd4",
    "huge": b'{"a": ' + b"9" * 100_000 + b"}",
    "list-format": b'{"format": ["pomgcheck-run/1"]}',
    "nul": b"\x00" * 100,
}
READERS = (
    ("verify",),
    ("explain",),
    ("report", "-o", "page.html"),
    ("run", "--episodes", "4"),
    ("repair",),
    ("export", "--smt2", "scripts"),
    ("certify",),
    ("export",),
    ("sweep", "--vary", "noise=0:1:2"),
)


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file(typed: Typed, name: str) -> None:
    """No command reads it; each says why in one sentence, and writes nothing."""
    for file, readers in (("broken.json", READERS), ("broken.toml", READERS[-3:]), ("broken.html", READERS[:1])):
        Path(file).write_bytes(BROKEN[name])
        for command, *options in readers:
            code, out, err = typed(command, file, *options)
            assert code in (UNUSABLE, REJECTED), (command, file, err)
            assert 1 == (out + err).count("\n"), (command, file, out + err)
            assert "internal" not in err
        Path(file).unlink()
    assert [] == os.listdir()


@pytest.mark.parametrize("command", READERS, ids=" ".join)
def test_no_file_at_all(typed: Typed, command: tuple[str, ...]) -> None:
    """A folder, a file that is not there, a text too long to be a name, none."""
    Path("folder.json").mkdir()
    for file in ("folder.json", "none.json", "n" * 5000 + ".json", ""):
        code, out, err = typed(command[0], file, *command[1:])
        assert code in (UNUSABLE, REJECTED), (file, err)
        assert "internal" not in err, (file, err)
        assert 1 == (out + err).count("\n"), (file, out + err)
    assert ["folder.json"] == os.listdir()


@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_file_that_may_not_be_read(typed: Typed) -> None:
    """The system's reason is the sentence."""
    Path("shut.json").write_text("{}")
    Path("shut.json").chmod(0)
    for command, *options in READERS:
        assert typed(command, "shut.json", *options)[0] in (UNUSABLE, REJECTED)


OPTIONS = [
    "certify patrol --kappa 0",
    "certify patrol --kappa -1",
    "certify patrol --kappa 99999999999999999999",
    "certify patrol --kappa 1.5",
    "certify patrol --tol 0",
    "certify patrol --tol nan",
    "certify patrol --tol 1e-99999",
    "certify patrol --delta 1",
    "certify patrol --delta 0",
    "certify patrol --delta inf",
    "certify patrol --delta ½",
    "certify patrol --horizon-episodes 0",
    "certify patrol --horizon-episodes 9e9",
    "certify patrol --only nothing",
    "certify patrol --only ''",
    "certify patrol --limits x",
    "certify patrol --limits coordinates=0",
    "certify patrol --limits coordinates=-1",
    "certify patrol --limits trajectories=1",
    "certify patrol --jobs 0",
    "certify patrol --space other",
    "certify patrol -o nowhere/x.json",
    "certify patrol -o .",
    "certify patrol -o /dev/null",
    "certify none.toml",
    "certify patrl",
    "certify x.py",
    "certify x.py:f",
    "certify ''",
    "certify bandit-0",
    "certify bandit-99999999999",
    "certify patrol patrol",
    "certify --no-such-option patrol",
    "sweep patrol",
    "sweep patrol --vary noise",
    "sweep patrol --vary noise=0:1",
    "sweep patrol --vary noise=1:0:3",
    "sweep patrol --vary noise=0:1:1",
    "sweep patrol --vary noise=0:1:999999",
    "sweep patrol --vary nois=0:1:2",
    "sweep patrol --vary noise=0:1:2 --vary noise=0:1:2",
    "sweep tiger --vary x=0:1:2",
    "sweep patrol --vary noise=0:1:2 -o /dev/null",
    "sweep patrol --vary noise=0:1:2 --certificates file",
    "run patrol.cert.json",
    "run patrol.cert.json --episodes 0",
    "run patrol.cert.json --episodes x",
    "run patrol.cert.json --episodes 99999999999999999999",
    "run patrol.cert.json --episodes 3 --seeds 0",
    "run patrol.cert.json --episodes 3 --seeds 99999999",
    "run patrol.cert.json --episodes 3 --algorithm x",
    "run patrol.cert.json --episodes 3 --algorithm uniform,uniform",
    "run patrol.cert.json --episodes 3 --algorithm ''",
    "run patrol.cert.json --episodes 3 --c 0",
    "run patrol.cert.json --episodes 3 --c -1",
    "run patrol.cert.json --episodes 3 --factor x",
    "run patrol.cert.json --episodes 3 --delta 1",
    "run patrol.cert.json --episodes 3 --net 1",
    "run patrol.cert.json --episodes 3 --net 0",
    "run patrol.cert.json --episodes 3 -o nowhere/x.json",
    "run patrol.cert.json --episodes 3 --transient x",
    "run patrol.cert.json --episodes 3 -o /dev/null",
    "explain patrol.cert.json nothing",
    "explain patrol.cert.json 2.4",
    "explain patrol.cert.json 3.1(e)",
    "explain patrol.cert.json covering --episodes 5",
    "explain patrol.cert.json constants --episodes 0",
    "explain patrol.cert.json constants --episodes 9999999999999999999999",
    "explain patrol",
    "explain patrol.run.json",
    "report patrol.cert.json -o x.docx",
    "report patrol.cert.json -o x",
    "report patrol.cert.json -o nowhere/x.html",
    "report patrol.cert.json patrol.cert.json -o x.html",
    "report patrol.cert.json outside-truth.cert.json patrol.run.json -o x.md",
    "report outside-truth.cert.json patrol.run.json -o x.md",
    "report patrol.cert.json -o /dev/null",
    "report -o x.html",
    "repair patrol.cert.json --kappa 2",
    "repair patrol --target x",
    "repair patrol -o x.yaml",
    "gallery none",
    "gallery patrol -o file",
    "export patrol --world z=1",
    "export patrol --world x",
    "export patrol --against run",
    "export patrol -o x.json",
    "export patrol.cert.json",
    "export patrol.cert.json --smt2 d",
    "export patrol --smt2 d --world x=1",
    "import none.pomdp",
    "import patrol.cert.json",
    "import file",
    "import openspiel:",
    "import openspiel:no_such_game",
    "experiment none",
    "experiment necessity -o file",
    "experiment necessity --groups -1",
    "verify",
    "nothing",
    "",
]


@pytest.mark.parametrize("line", OPTIONS)
def test_an_option_that_cannot_be_meant(typed: Typed, made: Path, line: str) -> None:
    """Unusable, said in a few lines, and nothing is written."""
    for file in made.iterdir():
        shutil.copy(file, ".")
    Path("file").write_text("")
    before = sorted(os.listdir())
    code, _, err = typed(*shlex.split(line))
    assert UNUSABLE == code, err
    assert "internal" not in err
    assert before == sorted(os.listdir())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk(tmp_path: Path) -> None:
    """What cannot be printed is a sentence, and nothing more is said on leaving."""
    for command in (["gallery"], ["gallery", "patrol"]):
        with open("/dev/full", "w") as full:
            program = [sys.executable, "-m", "pomgcheck", *command]
            done = subprocess.run(program, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
        assert (2, "pomgcheck: No space left on device\n") == (done.returncode, done.stderr)


def test_a_reader_that_leaves(tmp_path: Path) -> None:
    """``| head -1`` is no error to speak of, whatever is printed."""
    for command in ("gallery", "gallery patrol", "certify --help", "--help"):
        piped = f"{shlex.quote(sys.executable)} -m pomgcheck {command} | head -1"
        done = subprocess.run(["bash", "-c", piped], cwd=tmp_path, capture_output=True, text=True)
        assert (0, "") == (done.returncode, done.stderr), command
