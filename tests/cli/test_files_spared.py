"""A command never writes over what it reads, nor over what somebody may have written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run

HERE = Path(__file__).parents[2]
SAME = "required another file than what is read; give another name"


def test_no_output_is_an_input(pomgcheck: Run, tmp_path: Path) -> None:
    """However its path is written, the file that a command reads is left as it is."""
    shutil.copy(HERE / "certificates/patrol.cert.json", tmp_path / "a.json")
    shutil.copy(HERE / "certificates/patrol.model.json", tmp_path / "m.json")
    (tmp_path / "link.json").symlink_to("m.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for arguments in (
        ["certify", "m.json", "-o", "./m.json"],
        ["certify", "m.json", "-o", "link.json"],
        ["run", "a.json", "--episodes", 3, "-o", tmp_path / "a.json"],
        ["sweep", "m.json", "--vary", "noise=0:1/2:2", "-o", "m.json"],
        ["repair", "m.json", "-o", "m.json"],
        ["repair", "a.json", "-o", "a.json"],
    ):
        done = pomgcheck(*arguments)
        assert (2, "") == (done.returncode, done.stdout), arguments
        assert SAME in done.stderr, arguments
    assert before == {path.name: path.read_bytes() for path in tmp_path.iterdir()}


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        (["certify", "tiger.toml", "-o"], "a certificate"),
        (["run", "tiger.cert.json", "--episodes", "3", "-o"], "a run record"),
        (["sweep", "tiger.toml", "--vary", "a=0:1:2", "-o"], "a sweep"),
    ],
)
def test_records_have_the_ending_of_records(pomgcheck: Run, tmp_path: Path, arguments: list[str], kind: str) -> None:
    """A record is not written over a document or a paper, nor under the name of a page."""
    for name, fix in (("tiger.toml", ""), ("x", ""), ("x.html", "; pomgcheck report makes pages of it")):
        done = pomgcheck(*arguments, name)
        assert 2 == done.returncode
        assert f"--output: found {name}, required {kind}, X.json{fix}\n" in done.stderr
    assert [] == list(tmp_path.iterdir())


def test_edited_documents_of_the_gallery_stay(pomgcheck: Run, tmp_path: Path) -> None:
    """What `gallery -o` has written may be edited: it is written again only as it was."""
    assert 0 == pomgcheck("gallery", "patrol", "-o", ".").returncode
    assert 0 == pomgcheck("gallery", "patrol", "-o", ".").returncode
    mine = (tmp_path / "patrol.toml").read_text() + "# mine\n"
    (tmp_path / "patrol.toml").write_text(mine)
    (tmp_path / "patrol.model.json").unlink()
    done = pomgcheck("gallery", "patrol", "-o", ".")
    assert (2, "") == (done.returncode, done.stdout)
    assert "found patrol.toml, which is there already and is another text, required a folder without it" in done.stderr
    assert mine == (tmp_path / "patrol.toml").read_text()
    assert not (tmp_path / "patrol.model.json").exists()


@pytest.mark.parametrize("name", ["x.tex", "x.body.tex", "x.bib"])
def test_a_paper_of_the_same_name_stays(pomgcheck: Run, tmp_path: Path, name: str) -> None:
    """A report in LaTeX takes the place of an earlier report, never of a paper or its bibliography."""
    certificate = HERE / "certificates/final-step.cert.json"
    assert 0 == pomgcheck("report", certificate, "-o", "x.tex").returncode
    assert 0 == pomgcheck("report", certificate, "-o", "x.tex").returncode
    for path in tmp_path.iterdir():
        path.unlink()
    (tmp_path / name).write_text("% my own\n")
    done = pomgcheck("report", certificate, "-o", "x.tex")
    assert (2, "") == (done.returncode, done.stdout)
    assert f"found {name}, which is not pomgcheck's, required a name that no other LaTeX file has" in done.stderr
    assert [name] == [path.name for path in tmp_path.iterdir()]


def test_long_and_odd_names_make_files(tmp_path: Path) -> None:
    """The file of a class is named by its letters and digits, as long as a file may be; nothing is left at the ends."""
    from pomgcheck.outputs import file_name

    assert "Duo-50-of_it.cert.json" == file_name("Duo & 50% of_it ☕", ".cert.json")
    assert "etc-x.toml" == file_name("../../etc/x", ".toml")
    assert "class.toml" == file_name("☕", ".toml")
    (tmp_path / file_name("中" * 400, ".cert.json.part")).touch()


def test_code_of_a_user_does_not_end_the_program(pomgcheck: Run, tmp_path: Path) -> None:
    """`sys.exit` in a file that is executed is an error of that file like any other, told with its line; so are others."""
    certificate = HERE / "certificates/patrol.cert.json"
    (tmp_path / "ends.py").write_text("import sys\nsys.exit(0)\n")
    (tmp_path / "later.py").write_text("import sys\n\n\ndef model():\n    sys.exit(3)\n")
    (tmp_path / "raises.py").write_text("def model():\n    return {}['key']\n")
    (tmp_path / "plays.py").write_text(
        "class Plays:\n    def __init__(self, spec):\n        pass\n\n    def choose(self):\n        raise SystemExit\n\n"
        "    def observe(self, episode):\n        pass\n"
    )
    run = ["run", certificate, "--episodes", 3, "--seeds", 1, "--algorithm"]
    for arguments, found in (
        (["certify", "ends.py:model"], "found SystemExit: 0 (ends.py, line 2)"),
        (["certify", "later.py:model"], "found SystemExit: 3 (later.py, line 5)"),
        (["certify", "raises.py:model"], "found KeyError: 'key' (raises.py, line 2)"),
        (["certify", "raises.py"], "name the function that returns the model, raises.py:FUNCTION"),
        ([*run, "ends.py:Plays"], "found SystemExit: 0 (ends.py, line 2)"),
        ([*run, "plays.py:Plays"], "found SystemExit (plays.py, line 6)"),
    ):
        done = pomgcheck(*arguments)
        assert (2, "") == (done.returncode, done.stdout), arguments
        assert found in done.stderr, arguments


def test_the_body_of_a_paper_is_named_where_it_has_another_name(pomgcheck: Run, tmp_path: Path) -> None:
    """TeX reads no blanks and no other letters in a name; where the files to input are called otherwise, they are told."""
    certificate = HERE / "certificates/final-step.cert.json"
    assert "Report: plain.tex\n" == pomgcheck("report", certificate, "-o", "plain.tex").stdout
    told = pomgcheck("report", certificate, "-o", "my_pâper.tex").stdout
    assert "Report: my_pâper.tex\nBeside it, under a name that TeX reads: my-p-per.body.tex and my-p-per.bib\n" == told
    assert {"my_pâper.tex", "my-p-per.body.tex", "my-p-per.bib"} <= {path.name for path in tmp_path.iterdir()}


def test_the_kernel_names_the_file_that_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of the certificate and the model the kernel says which of them is not there."""
    from pomgcheck.kernel.check import main

    certificate, none = str(HERE / "certificates/final-step.cert.json"), str(tmp_path / "none.json")
    for arguments, what in (([none], "certificate file"), ([certificate, none], "model document")):
        assert 2 == main(arguments)
        assert f"{none}: No such file or directory; give the path of a {what}\n" == capsys.readouterr().err
