"""Reports as LaTeX: ASCII and balanced whatever the labels, what a paper inputs, what TeX makes of it, its errors."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pomgcheck import certify, load
from pomgcheck.certificate import Certificate
from pomgcheck.cli import main
from pomgcheck.errors import InputError, MissingDependency
from pomgcheck.reporting import digests_in, document_of, report
from pomgcheck.reporting.blocks import Block, Document, Heading, Items, Paragraph, Table
from pomgcheck.reporting.given import read
from pomgcheck.reporting.pages import certificates, short
from pomgcheck.reporting.render import latex, latex_blocks, typesetting
from pomgcheck.reporting.render.latex_blocks import Writer
from pomgcheck.reporting.render.latex_characters import formula, label, spelled, written
from pomgcheck.reporting.render.latex_tables import natural, typed_width, wide
from pomgcheck.reporting.render.paper import Typeset
from pomgcheck.reporting.spans import Code, Label, Math, Text, say
from tests.reporting import samples

ROOT = Path(__file__).parents[2]
CERTIFICATES, REPORTS = ROOT / "certificates", ROOT / "reports"
with_tex = pytest.mark.skipif(typesetting.engine() is None, reason="no TeX is installed")
NASTY = [
    "100%",
    "a_b",
    "#1",
    "$x$",
    "{",
    "}",
    "\\end{document}",
    "^",
    "~",
    "&",
    "naïve",
    "Ωμέγα",
    "θ′",
    "北京",
    "🙂",
    "´`'\"",
    "--",
    "<<",
    "?`",
    "|",
    "[x]",
    "Łódź",
    "a\u0304",
    "½",
    "ﬁ",
    "=",
    "\\",
    "%",
    "]",
]
anything = st.text(st.characters(blacklist_categories=("Cs",)), max_size=40)


def balanced(tex: str) -> bool:
    """Whether groups and formulas close in turn and every environment ends where it began."""
    bare = re.sub(r"(?m)(?<!\\)%.*$", "", tex.replace("\\\\", ""))
    marks = re.sub(r"\\[{}$]", "", bare)
    depth = 0
    for c in marks:
        depth += {"{": 1, "}": -1}.get(c, 0)
        if depth < 0:
            return False
    stack: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{([a-z]+)\}", bare):
        if kind == "begin":
            stack.append(name)
        elif not stack or stack.pop() != name:
            return False
    return depth == 0 and marks.count("$") % 2 == 0 and not stack


def files(*names: Path) -> dict[str, str | bytes]:
    """The files of a report by the name ``x``."""
    return dict(latex.files(document_of([read(name) for name in names]), "x"))


def page_of(blocks: list[Block]) -> Document:
    return Document("nasty", {}, tuple(blocks))


@given(anything)
@example("\xa0")  # a blank that is kept, at the end of a formula
def test_any_words_are_ascii_and_balanced(text: str) -> None:
    """Words, labels, names and formulas of any characters are ASCII without a loose brace, dollar or comment."""
    writer = Writer("x", "x")
    for span in (Text(text), Label(text), Code(text), Math(text)):
        tex = writer.span(span)
        assert tex.isascii()
        assert "\n" not in tex
        assert balanced(tex), tex
        assert not re.search(r"(?<!\\)[%#&]", tex.replace("\\\\", ""))


@given(anything, anything)
def test_different_labels_look_different(first: str, second: str) -> None:
    """No two labels are typeset alike, blanks and control characters apart."""
    first, second = (re.sub(r"[\s\W]", "", x) for x in (first, second))
    if unicodedata.normalize("NFC", first) != unicodedata.normalize("NFC", second):
        assert written(first) != written(second)


@pytest.mark.parametrize(
    ("source", "tex"),
    [
        ("B_0", "B_{0}"),
        ("c^J_{KL}", "c^{J}_{\\mathrm{KL}}"),
        ("T*", "T^{*}"),
        ("W^{θ*}", "W^{\\theta^{*}}"),
        ("β′_W", "\\beta^{\\prime}_{W}"),
        ("H √(T E_T/2)", "H\\sqrt{T E_{T}/2}"),
        ("‖u‖", "\\|u\\|"),
        ("√(a(b+c)) + √(d)", "\\sqrt{a(b+c)} +\\sqrt{d}"),
        ("log_2 2T", "\\log_{2} 2T"),
        ("U^♯_T", "U^{\\sharp}_{T}"),
        ("x′^2", "x^{\\prime}{}^{2}"),
    ],
)
def test_formulas(source: str, tex: str) -> None:
    """Letters, sub- and superscripts, roots and names of functions become what TeX calls them."""
    assert tex == formula(Math(source))


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("7/17", "$7/17$"),
        ("(x=1/20, y=1/10)", "$(x = 1/20,\\ \\allowbreak y = 1/10)$"),
        ("calm", "\\texttt{calm}"),
        ("(7/10, 3/10)", "$(7/10,\\ \\allowbreak 3/10)$"),
        ("a_b=1", "$\\mathit{a\\_b} = 1$"),
        ("(wait, attack)", "\\texttt{(wait, attack)}"),
    ],
)
def test_labels(text: str, tex: str) -> None:
    """Numbers, rows and parameter points are formulas; words are typed."""
    assert tex == label(text)


def test_claims_are_statements_with_proofs() -> None:
    """Each claim is one environment with a label of the class's name, followed by its proof or counterexample."""
    body = str(files(CERTIFICATES / "patrol.cert.json")["x.body.tex"])
    assert 16 == body.count("\\begin{proposition}[") == body.count("\\begin{proof}[")
    assert "\\begin{proposition}[{Weak revealing (Assumption 2.4)}]\\label{patrol:weak-revealing}" in body
    assert balanced(body)
    refuted = str(files(CERTIFICATES / "silent-action.cert.json")["x.body.tex"])
    assert "\\begin{refutedclaim}[{Weak revealing (Assumption 2.4)}]\\label{silent-action:weak-revealing}" in refuted
    assert "\\begin{proof}[{The counterexample}]" in refuted
    left_open = str(files(ROOT / "tests/accepted/interval-splits.cert.json")["x.body.tex"])
    opened, boxless = left_open.count("\\begin{openclaim}["), left_open.count("]\\renewcommand{\\qedsymbol}{}")
    assert 0 < opened <= boxless


def test_what_is_taken_on_trust_is_an_assumption() -> None:
    """A declared claim is stated as an assumption."""
    cert = samples.certificate(samples.small(), {"well-specified": ("declared", {}, {"rule": "assume"}, None)})
    body = latex.body(certificates.document(Certificate(cert)), "x")
    assert "\\begin{assumption}[{Well-specified truth (Assumption 3.1(a))}]" in body


def test_the_footnote_says_how_to_check() -> None:
    """Commands and digests stand in one footnote of the opening paragraph, and the body is stamped."""
    cert = json.loads((CERTIFICATES / "patrol.cert.json").read_bytes())
    body = str(files(CERTIFICATES / "patrol.cert.json")["x.body.tex"])
    assert 1 == body.count("\\footnote{")
    note = body[body.index("\\footnote{") :].partition("\n")[0].replace("\\allowbreak{}", "").replace("{}-", "-")
    assert "{pomgcheck verify patrol.cert.json}" in note
    assert cert["sha256"] in note
    assert cert["model_sha256"] in note
    assert "\\cite{arora2026policyregret}" in note
    assert {"certificate": cert["sha256"], "model": cert["model_sha256"]} == digests_in(body)


def test_references_are_those_of_the_citation_file() -> None:
    """Title, authors, version and year agree with CITATION.cff."""
    cff = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    bib = latex.references().replace("{Markov}", "Markov")
    for key in ("title", "year", "version", "name", "family-names", "given-names"):
        for value in re.findall(rf'^\s*-?\s*{key}: "?([^"\n]+)"?$', cff, re.MULTILINE):
            assert value in bib, value


def test_every_block_is_rendered_once() -> None:
    """The words of the Markdown report are all in the LaTeX one: the two are renderings of the same blocks."""
    cert = json.loads((CERTIFICATES / "patrol.cert.json").read_bytes())
    document = certificates.document(Certificate(cert))
    body = latex.body(document, "x")
    for block in document.blocks:
        if isinstance(block, Table) and block.caption:
            assert f"\\textit{{{written(block.caption)}}}" in body
        if isinstance(block, Paragraph) and block.role == "proof":
            assert Writer("patrol", "x").inline(block.text[1:]).strip() in body


# ------------------------------------------------------------------------------------------ with TeX


def pages(files_: dict[str, str | bytes], folder: Path) -> str:
    """The log of a run of TeX on ``x.tex``, whose PDF must come of it."""
    for name, data in files_.items():
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
    command = ["pdflatex", *typesetting.SAFE, "x.tex"]
    for _ in range(2):
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=100, check=False
        )
        assert 0 == done.returncode, done.stdout.decode("utf-8", "replace")[-2000:]
    return (folder / "x.log").read_text(encoding="utf-8", errors="replace")


KEPT = [
    ("patrol.cert",),
    ("tiger.cert",),
    ("silent-action.cert",),
    ("unfactored.cert",),
    ("watch.cert",),
    ("tiger.rivals.run", "tiger.cert"),
    ("experiments/necessity.experiment",),
]


def test_letters_that_tex_lacks_are_measured_as_they_are_printed() -> None:
    """A label in letters for which TeX has no command stands there by their numbers, and is as wide as those."""
    plain, other = "<0442><0438><4E2D>", "\u0442\u0438\u4e2d"
    assert (plain, "\u00e4\u03b1") == (spelled(other), spelled("\u00e4\u03b1"))
    assert typed_width(plain) == typed_width(other)
    assert wide(plain) == wide(other)
    assert natural((Label(2 * plain),)) == natural((Label(2 * other),))


@with_tex
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex is installed")
def test_labels_in_other_letters_stay_on_the_page(tmp_path: Path) -> None:
    """No table of a class with labels in Cyrillic letters runs over the margin."""
    document = json.loads(json.dumps(load("patrol").document))
    document["game"]["states"] = [
        "\u0441\u043f\u043e\u043a\u043e\u0439\u043d\u043e",
        "\u0442\u0440\u0435\u0432\u043e\u0433\u0430",
    ]
    document["game"]["learner_observations"] = ["\u0442\u0438\u0445\u043e", "\u0448\u0443\u043c_%#"]
    path = certify(load(document), only=["covering"]).save(tmp_path / "x.cert.json")
    assert [] == re.findall(r"Overfull \\hbox.*", pages(files(path), tmp_path))


@with_tex
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex is installed")
@pytest.mark.parametrize("names", KEPT, ids=lambda names: names[0])
def test_kept_reports_are_typeset(names: tuple[str, ...], tmp_path: Path) -> None:
    """TeX takes the report without an error, an undefined or doubled label, or a line over the margin."""
    paths = [(CERTIFICATES if name.endswith(".cert") else REPORTS) / f"{name}.json" for name in names]
    log = pages(files(*paths), tmp_path)
    assert [] == re.findall(r"Overfull \\hbox.*", log)
    assert "multiply defined" not in log
    assert not re.search(r"Reference `[^']*' on page", log)


@with_tex
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex is installed")
def test_any_label_is_typeset(tmp_path: Path) -> None:
    """Labels of TeX's own signs, accents, other scripts and pictures stop nothing, wherever they stand."""
    every = [((Label(word),), (Text(f" {word} "),), (Code(word),)) for word in NASTY]
    blocks: list[Block] = [
        Heading(1, say("nasty")),
        Heading(2, every[0][0], "one"),
        *(Paragraph(label + words + code) for label, words, code in every),
        Items(tuple(label for label, *_ in every)),
        *(Heading(3, (Text(word),), f"a{k}") for k, word in enumerate(NASTY)),
        Table("100% of_it & ^", ("#", "_", "%"), tuple(every)),
        Paragraph(say("The end.")),
    ]
    pages(dict(latex.files(page_of(blocks), "x")), tmp_path)


OWN = "\\newtheorem{proposition}{Satz}"
SHARED = "\\newtheorem{theorem}{Theorem}[section]\\newtheorem{proposition}[theorem]{Proposition}"
ALL_SHARED = SHARED + "\\newtheorem{assumption}[theorem]{Assumption}"
FOREIGN = "\\newtheorem{thm}{Theorem}[section]\\newtheorem{proposition}[thm]{Proposition}"
ALONE = "\\newtheorem{theorem}{Theorem}"
PAPERS = [
    ("{article}", "\\usepackage{cleveref}", OWN),
    ("{article}", "\\usepackage{hyperref}\\usepackage{cleveref}", SHARED),
    ("{article}", "", ALL_SHARED),
    ("{article}", "\\usepackage{cleveref}", FOREIGN),
    ("{article}", "", ""),
    ("[twocolumn]{article}", "", ALONE),
    ("[twocolumn]{article}", "\\usepackage{hyperref}\\usepackage{cleveref}", SHARED),
    ("{amsart}", "\\usepackage{hyperref}", OWN),
    ("{amsart}", "\\usepackage{cleveref}", SHARED),
]


@with_tex
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex is installed")
@pytest.mark.parametrize(("kind", "more", "theorems"), PAPERS)
def test_a_paper_inputs_the_body(kind: str, more: str, theorems: str, tmp_path: Path) -> None:
    """A paper of another class, of one column or two, with cleveref and hyperref or without, whose propositions have a
    counter of their own, share that of theorems or of something else, or are not there: it inputs the body, in full and
    in short, and refers to claims of every verdict before it."""
    made = files(CERTIFICATES / "silent-action.cert.json")
    half = reporting_short(CERTIFICATES / "patrol.cert.json")
    packages = "".join(f"\\usepackage{{{name}}}" for name in latex.PACKAGES)
    named, refer = ("\n".join(latex.CREFNAMES), "cref") if "cleveref" in more else ("", "ref")
    made["short.tex"] = half
    made["x.tex"] = (
        f"\\documentclass{kind}\\usepackage[T1]{{fontenc}}{packages}{more}{named}\n"
        f"{theorems}\\begin{{document}}\\section{{One}}\n"
        f"By \\{refer}{{silent-action:covering}}, not \\{refer}{{silent-action:weak-revealing}}.\n"
        "\\input{short.tex}\\input{x.body.tex}\\end{document}\n"
    )
    log = pages(made, tmp_path)
    assert "Reference `silent-action:" not in log
    assert "reference format" not in log
    assert "silent-action:weak-revealing" in (tmp_path / "x.aux").read_text()


def reporting_short(path: Path) -> str:
    """The short body of a certificate."""
    return latex.body(short.document(Certificate.load(path), path.name), "x", Typeset(floats=True))


def running(body: str) -> str:
    """The text of a body without comments and footnotes."""
    bare = re.sub(r"(?m)^%.*$", "", body)
    return re.sub(r"\\footnote\{.*", "", bare)


@pytest.mark.parametrize("name", ["patrol", "silent-action", "brewing", "patrol-operators", "cancelling-states"])
def test_no_machine_speaks_in_the_running_text(name: str) -> None:
    """No seconds, no word of a search or a solver with its version, no command and no flag stand in a body."""
    text = running(str(files(CERTIFICATES / f"{name}.cert.json")["x.body.tex"])).replace("\\allowbreak{}", "")
    for pattern in (
        r"\d~s\b",
        r"Seconds",
        r"Search \(",
        r"sympy|z3|HiGHS|highspy",
        r"pomgcheck [a-z]",
        r"python ",
        r"-\{\}-[a-z]",
    ):
        assert [] == re.findall(pattern, text), pattern


def test_a_counterexample_keeps_its_indentation() -> None:
    """Blanks of the outline are blanks that TeX keeps."""
    body = str(files(CERTIFICATES / "silent-action.cert.json")["x.body.tex"])
    assert "\\texttt{~~~~~~~~adversary~plays~wait~~~~1~~~~1}" in body


def test_sections_stand_at_the_level_that_is_asked(tmp_path: Path) -> None:
    """``section_level`` 2 makes subsections of sections, 3 subsubsections; no other is one."""
    for level, name in {1: "section", 2: "subsection", 3: "subsubsection"}.items():
        report(CERTIFICATES / "patrol.cert.json", tmp_path / "x.tex", section_level=level)
        body = (tmp_path / "x.body.tex").read_text()
        assert f"\\{name}{{The model class}}\\label{{patrol:class}}" in body
    with pytest.raises(InputError, match="section_level: found 4, required 1, 2 or 3"):
        report(CERTIFICATES / "patrol.cert.json", tmp_path / "x.tex", section_level=4)


def test_a_part_may_be_left_out(tmp_path: Path) -> None:
    """A section goes with all below it, a claim alone; what led there is words; another name is a sentence."""
    source = CERTIFICATES / "patrol.cert.json"
    report(source, tmp_path / "x.tex", without=["options", "class", "eluder-world"])
    body = (tmp_path / "x.body.tex").read_text()
    for gone in ("options", "class", "eluder-world"):
        assert f":{gone}}}" not in body
    assert "\\label{patrol:eluder-adversary}" in body
    assert balanced(body)
    with pytest.raises(InputError, match="without: found 'optoins', required one of .*did you mean \"options\""):
        report(source, tmp_path / "x.tex", without=["optoins"])
    with pytest.raises(InputError, match="without: found the output x.html, required X.tex or X.pdf"):
        report(source, tmp_path / "x.html", without=["options"])


def test_half_a_page() -> None:
    """The short body has the class in formulas, a row an assumption with its constant and how it is read, short
    fractions exact, long ones as decimals, no section, and the digests."""
    cert = json.loads((CERTIFICATES / "patrol.cert.json").read_bytes())
    body = reporting_short(CERTIFICATES / "patrol.cert.json")
    assert "\\section" not in body
    assert "\\onecolumn" not in body
    assert "Weak revealing (Assumption 2.4) & $\\alpha_{\\kappa}$ = 7/17 & " in body
    assert "0.0476276 &" in body
    assert "47627628277" not in body
    assert "conditioned on the observation just made, as printed." in body
    assert {"certificate": cert["sha256"], "model": cert["model_sha256"]} == digests_in(body)
    assert 3500 > len(re.sub(r"\\footnote\{.*", "", body).partition("begingroup")[2])
    assert balanced(body)


def test_half_a_page_says_what_is_not_proved() -> None:
    """Each claim that is declared, refuted or open is one sentence."""
    refuted = reporting_short(CERTIFICATES / "silent-action.cert.json")
    assert "Weak revealing (Assumption 2.4) is \\textbf{refuted}: the claim that fails is: Worlds" in refuted
    cert = samples.certificate(samples.small(), {"well-specified": ("declared", {}, {"rule": "assume"}, None)})
    declared = latex.body(short.document(Certificate(cert)), "x", Typeset(floats=True))
    assert "Well-specified truth (Assumption 3.1(a)) is \\textbf{declared}: " in declared


@with_tex
def test_the_same_certificate_gives_the_same_pdf(tmp_path: Path) -> None:
    """Made twice, in different folders, the PDF has the same bytes."""
    first, second = (report(CERTIFICATES / "silent-action.cert.json", tmp_path / name) for name in ("a.pdf", "b.pdf"))
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(b"%PDF-")


@with_tex
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex is installed")
def test_no_heading_is_left_by_its_table(tmp_path: Path) -> None:
    """Wherever on a page a heading comes, the first row of the long table under it stands on the heading's page."""
    blocks: list[Block] = []
    for k in range(30):
        rows = tuple(((Text(f"row {k}.{n}"),), (Text("x"),)) for n in range(latex_blocks.LONG + 6 + k % 7))
        blocks += [Heading(3, (Text(f"part {k}"),), f"part{k}"), Table("", ("a", "b"), rows)]
        blocks += [Paragraph((Text(f"line {n}"),)) for n in range(k % 5)]
    made = latex.files(Document("headings", {}, (Heading(2, (Text("all"),)), *blocks)), "x")
    body = str(made["x.body.tex"])
    for k in range(30):
        body = body.replace(f"row {k}.0 ", f"row {k}.0\\label{{row{k}}} ", 1)
    pages({**made, "x.body.tex": body}, tmp_path)
    found = dict(re.findall(r"newlabel\{(?:\w+:)?(\w+)\}\{\{[^}]*\}\{(\d+)\}", (tmp_path / "x.aux").read_text()))
    assert [found[f"part{k}"] for k in range(30)] == [found[f"row{k}"] for k in range(30)]


@with_tex
def test_what_tex_refuses_is_a_sentence() -> None:
    """A document TeX cannot typeset is an error of one sentence with the first error of TeX's log."""
    with pytest.raises(InputError, match="Undefined control sequence"):
        typesetting.pdf({"x.tex": "\\documentclass{article}\\begin{document}\\nonsense\\end{document}"}, "x")


@with_tex
def test_tex_runs_no_program(tmp_path: Path) -> None:
    """A shell escape in a document does nothing."""
    mark = tmp_path / "mark"
    tex = f"\\documentclass{{article}}\\begin{{document}}\\immediate\\write18{{touch {mark}}}x\\end{{document}}"
    typesetting.pdf({"x.tex": tex}, "x")
    assert not mark.exists()


@with_tex
def test_tex_that_never_ends_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A document that loops is stopped, and the sentence says how long it was waited for."""
    monkeypatch.setattr(typesetting, "SECONDS", 2)
    loop = "\\documentclass{article}\\begin{document}\\def\\x{\\x}\\x\\end{document}"
    with pytest.raises(InputError, match="no PDF after 2 s"):
        typesetting.pdf({"x.tex": loop}, "x")


def test_what_it_started_is_stopped_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that goes beyond its time does not leave its own programs behind."""
    monkeypatch.setattr(typesetting, "SECONDS", 1)
    with pytest.raises(InputError, match="no PDF after 1 s"):
        typesetting.run(["sh", "-c", "(sleep 2; touch mark) & wait"], tmp_path, "x")
    sleep(2)
    assert not (tmp_path / "mark").exists()


# --------------------------------------------------------------------------------------- the command


def command(*words: str) -> int:
    """The exit code of the command line."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    return int(ended.value.code or 0)


def test_the_command_writes_what_a_paper_needs(tmp_path: Path) -> None:
    """X.tex comes with its body, its references and, for a run, its drawings; and the body names them."""
    target = tmp_path / "my run.tex"
    assert 0 == command("report", str(REPORTS / "tiger.rivals.run.json"), "-o", str(target))
    drawn = [
        f"my-run.{name}.pdf"
        for name in ("bound", "confidence-sets", "epochs", "regret-per-episode", "regret", "timeline")
    ]
    assert ["my run.tex", "my-run.bib", "my-run.body.tex", *drawn] == sorted(p.name for p in tmp_path.iterdir())
    assert "\\input{my-run.body.tex}" in target.read_text()
    body = (tmp_path / "my-run.body.tex").read_text()
    assert all(f"{{{name}}}" in body for name in drawn)


TECTONIC = """#!{python}
import pathlib, sys
here = pathlib.Path.cwd()
call = [*sys.argv[1:], *sorted(file.name for file in here.iterdir())]
pathlib.Path({record!r}).write_text("\\n".join(call))
stem = pathlib.Path(sys.argv[-1]).stem
assert "\\\\input{{" + stem + ".body.tex}}" in (here / sys.argv[-1]).read_text()
{end}
"""


@pytest.mark.parametrize(
    ("end", "found"),
    [
        ("(here / f'{stem}.pdf').write_bytes(b'%PDF-1.5 made')", None),
        ("print('error: x.tex:3: Undefined control sequence'); sys.exit(1)", "Undefined control sequence"),
        ("", "no PDF"),
    ],
)
def test_tectonic_alone_makes_the_pdf(
    end: str, found: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where tectonic is the only TeX it is called once, untrusted, in a folder that holds the report's files; its PDF
    is the report, and its first error, or its silence, becomes a sentence.  (A stand-in records the call.)"""
    programs, record = tmp_path / "bin", tmp_path / "call"
    programs.mkdir()
    (programs / "tectonic").write_text(TECTONIC.format(python=sys.executable, record=str(record), end=end))
    (programs / "tectonic").chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    assert "tectonic" == typesetting.engine()
    target = tmp_path / "x.pdf"
    if found is None:
        assert b"%PDF-1.5 made" == report(CERTIFICATES / "silent-action.cert.json", target).read_bytes()
    else:
        with pytest.raises(InputError, match=found):
            report(CERTIFICATES / "silent-action.cert.json", target)
        assert not target.exists()
    called = record.read_text().splitlines()
    assert ["--untrusted", "report.tex", "report.bib", "report.body.tex", "report.tex"] == called


def test_every_sign_is_typeset(tmp_path: Path) -> None:
    """No sign that a report has is shown by its code point, the marks of a comparison among them."""
    names = ("patrol", "silent-action", "brewing", "patrol-operators")
    for sources in ([f"{names[0]}", f"{names[1]}"], [names[0]], [names[2]], [names[3]]):
        path = report([CERTIFICATES / f"{name}.cert.json" for name in sources], tmp_path / "x.tex")
        body = path.with_name("x.body.tex").read_text()
        assert "\\texttt{<" not in body
        assert ("blacktriangledown" in body) == (len(sources) > 1)


def test_a_wide_table_is_divided() -> None:
    """Columns that do not fit side by side stand in two tables, each with the first column and every cell once."""
    columns = ("key", *(f"column{k}" for k in range(14)))
    rows = tuple((say("row{r}", r=str(r)), *(say("{x}", x=f"cell{r}x{k}") for k in range(14))) for r in range(3))
    tex = Writer("x", "x").table(Table("Wide", columns, rows))
    assert 2 == tex.count("\\toprule")
    assert 1 == tex.count("Wide")
    assert [1, 2] == [tex.count("cell2x13"), tex.count("row2")]


def test_without_tex_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    """Where no TeX is installed a PDF is refused with exit code 2 and a sentence that says what to install."""
    monkeypatch.setattr(typesetting.shutil, "which", lambda name: None)
    target = tmp_path / "x.pdf"
    with pytest.raises(MissingDependency, match="install one"):
        report(CERTIFICATES / "patrol.cert.json", target)
    assert 2 == command("report", str(CERTIFICATES / "patrol.cert.json"), "-o", str(target))
    assert "latexmk, pdflatex, tectonic" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
