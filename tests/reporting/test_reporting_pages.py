"""The pages: well-formed, self-contained, safe with any label, legible, stamped."""

from __future__ import annotations

import hashlib
import json
import re
import shlex
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.learner.record import RecordedRun
from pomgcheck.reporting import digests_in, notebook_html, report
from pomgcheck.reporting.blocks import Document
from pomgcheck.reporting.pages import certificates, runs
from pomgcheck.reporting.render import html, markdown
from tests.reporting import samples

VOID = {"meta", "br", "wbr", "hr", "img", "input", "link"}


class Page(HTMLParser):
    """The elements of a page, and whether each that opens closes in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop(), f"</{tag}> closes another element"

    def handle_data(self, data: str) -> None:
        self.words += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page(cert: dict[str, Any]) -> str:
    """The page of a certificate."""
    return html.page(certificates.document(Certificate(cert), "X.cert.json"))


@pytest.mark.parametrize("cert", [samples.patrol(), samples.opposite_signs(), samples.never_noisy("predictive-states")])
def test_well_formed(cert: dict[str, Any]) -> None:
    """Every element closes in turn, no id occurs twice, and every link inside the page has its target."""
    found = Page(page(cert))
    assert [] == found.open
    ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
    assert sorted(set(ids)) == sorted(ids)
    assert {link["href"] for link in found.all("a")} <= {f"#{name}" for name in ids}


@pytest.mark.parametrize(
    "make",
    [
        lambda: certificates.document(Certificate(samples.patrol())),
        lambda: runs.document(RecordedRun.of(samples.run_record())),
    ],
    ids=["certificate", "run"],
)
def test_whole_without_a_network(make: Callable[[], Document]) -> None:
    """The page names no other resource: no link, no address but the names of SVG's own vocabularies, one script of its
    own; and its policy forbids a browser to load anything or to run another."""
    text = html.page(make())
    found = Page(text)
    assert [] == [tag for tag, attributes in found.elements if tag in ("link", "img") or "src" in attributes]
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    stamp = f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
    (policy,) = [meta["content"] for meta in found.all("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    assert f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src {stamp}" == policy
    assert [] == re.findall(r'(?<!xmlns=")(?<!xmlns:xlink=")https?://|url\((?!#)|@import', text)


def test_readable_by_machines() -> None:
    """The page states its language and character set, and every table its headers."""
    found = Page(page(samples.patrol()))
    assert ["en"] == [attributes["lang"] for attributes in found.all("html")]
    assert {"utf-8"} == {meta["charset"] for meta in found.all("meta") if "charset" in meta}
    assert {"col", "row"} == {head["scope"] for head in found.all("th")}
    assert len(found.all("table")) == len([1 for head in found.all("thead")])


def test_labels_cannot_become_markup() -> None:
    """Labels that look like HTML are shown as they are, on the page and in a notebook's fragment."""
    cert = samples.opposite_signs()
    game, names = cert["model"]["game"], ["<b>calm</b>", "&amp;"]
    game["states"] = names
    next(c for c in cert["claims"] if c["witness"])["witness"]["q"] = [[names[0], [], "1"]]
    cert["model"] |= {"name": '<script>alert("x")</script>', "description": "a < b & c"}
    found = Page(page(cert))
    assert (0, 1) == (len(found.all("b")), len(found.all("script")))
    for shown in (*names, "a < b & c", '<script>alert("x")</script>'):
        assert shown in found.words
    assert [] == Page(notebook_html(Certificate(cert))).all("script")


def contrast(first: str, second: str) -> float:
    """WCAG contrast ratio of two colours #rrggbb or #rgb."""

    def luminance(colour: str) -> float:
        digits = colour[1:] if len(colour) == 7 else "".join(2 * c for c in colour[1:])
        channels = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def schemes() -> list[dict[str, str]]:
    """The colours of the style sheet, in the light scheme and in the dark one."""
    ink = resources.files("pomgcheck.reporting").joinpath("templates/ink.css").read_text()
    light, dark = ink.split("@media screen and (prefers-color-scheme: dark)")
    return [dict(re.findall(r"--([a-z]+): (#[0-9a-f]+);", part.split("@media")[0])) for part in (light, dark)]


@pytest.mark.parametrize("scheme", schemes(), ids=["light", "dark"])
def test_contrast(scheme: dict[str, str]) -> None:
    """Every colour of words has a contrast of at least 4.5 on paper and on shaded paper, by day and by night."""
    words = set(scheme) - {"paper", "shade", "line"}
    assert {"ink", "quiet", "link", "proved", "refuted", "declared", "vacuous", "unknown"} == words
    faint = [(w, p) for w in words for p in ("paper", "shade") if contrast(scheme[w], scheme[p]) < 4.5]
    assert [] == faint


def test_verdict_is_not_told_by_colour_alone() -> None:
    """A verdict is a word with a mark, whatever its colour."""
    found = Page(page(samples.opposite_signs()))
    assert "✗ refuted" in found.words
    assert "? unknown" in found.words


def test_digests_of_both_formats(tmp_path: Path) -> None:
    """The digests of the certificate and the model are found again in either format."""
    cert = samples.patrol()
    stamped = {"certificate": cert["sha256"], "model": cert["model_sha256"]}
    for name in ("X.html", "X.md"):
        assert stamped == digests_in(report(cert, tmp_path / name).read_text(encoding="utf-8"))


def test_no_digest_can_be_slipped_in() -> None:
    """A description that imitates the stamp is not read as one."""
    cert = samples.patrol()
    false = f'<meta name="pomgcheck-certificate" content="{"0" * 64}">\n<!-- pomgcheck-model: {"0" * 64} -->'
    cert["model"]["description"] = f"\n{false}\n"
    document = certificates.document(Certificate(cert))
    assert cert["sha256"] == digests_in(html.page(document))["certificate"]
    assert cert["model_sha256"] == digests_in(markdown.page(document))["model"]


def test_two_digests_of_one_kind() -> None:
    """A page stamped with two certificates is refused."""
    stamps = "".join(f"<!-- pomgcheck-certificate: {digit * 64} -->\n" for digit in "01")
    with pytest.raises(InputError, match="found two certificate digests"):
        digests_in(stamps)


def test_markdown_tables_are_tables() -> None:
    """Read as Markdown, every table has as many cells in a row as it has titles, whatever the labels."""
    from markdown_it import MarkdownIt

    cert = samples.opposite_signs()
    names = ["calm|quiet", "`*alarm*`"]
    cert["model"]["game"]["states"] = names
    next(c for c in cert["claims"] if c["witness"])["witness"]["q"] = [[names[0], [], "1"]]
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown.page(certificates.document(Certificate(cert))))
    rows: list[int] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append(0)
        elif token.type in ("th_open", "td_open"):
            rows[-1] += 1
    tables = len([t for t in tokens if t.type == "table_open"])
    assert 16 == tables
    assert {2, 3, 4, 5, 6} == set(rows)
    words = [child.content for t in tokens if t.type == "inline" for child in t.children or ()]
    assert any("calm|quiet" in w for w in words)
    assert any("`*alarm*`" in w for w in words)


def test_markdown_headings() -> None:
    """The Markdown report has the sections of the page in the same order."""
    text = markdown.page(certificates.document(Certificate(samples.patrol())))
    assert [
        "What was checked",
        "Constants",
        "The model class",
        "Claim by claim",
        "How the paper was read",
        "Options",
        "Checking it",
    ] == re.findall(r"^## (.*)$", text, re.MULTILINE)


def test_command_names_the_file() -> None:
    """The command that re-checks names the certificate's file, and the kernel's own command beside it."""
    text = markdown.page(certificates.document(Certificate(samples.patrol()), "watch.cert.json"))
    assert "pomgcheck verify watch.cert.json\n" in text
    assert "python -I -m pomgcheck.kernel watch.cert.json\n" in text


def test_commands_run_as_they_are_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command of a report names files that are there, quoted where a name has blanks, and ends with 0; the class
    that a page holds is saved under a name that needs no quotes."""
    from pomgcheck.cli import main

    shutil.copy(Path(__file__).parents[2] / "certificates/patrol.cert.json", tmp_path / "the guard's (1).cert.json")
    monkeypatch.chdir(tmp_path)
    for ending in (".md", ".txt", ".html"):
        page = unescape(report("the guard's (1).cert.json", f"page{ending}").read_text(encoding="utf-8"))
        commands = re.findall(r"(?:pomgcheck verify|python -I) .*", re.sub(r"</?(?:pre|code)[^>]*>", "\n", page))
        verify, kernel = map(shlex.split, commands)
        with pytest.raises(SystemExit) as end:
            main(verify[1:])
        assert (0, "python") == (end.value.code, kernel[0])
        assert 0 == subprocess.run([sys.executable, *kernel[1:]], check=False, stdout=subprocess.DEVNULL).returncode
    assert 'data-name="patrol.model.json"' in (tmp_path / "page.html").read_text()


def test_report_of_a_file(tmp_path: Path) -> None:
    """A certificate is reported on from its file, which the report then names."""
    from pomgcheck.kernel.reading import canonical_bytes

    (tmp_path / "watch.cert.json").write_bytes(canonical_bytes(samples.patrol()))
    path = report(tmp_path / "watch.cert.json", tmp_path / "watch.md")
    assert "pomgcheck verify watch.cert.json" in path.read_text(encoding="utf-8")


def test_other_formats_are_refused(tmp_path: Path) -> None:
    """An output of another suffix is refused with the formats there are, and nothing is written."""
    with pytest.raises(InputError, match=r"found the suffix '.docx' of X.docx, required one of .md, .html"):
        report(samples.patrol(), tmp_path / "X.docx")
    assert [] == list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            {"format": "other"},
            "format: found 'other', required the format of a certificate, a run record, a sweep, an experiment",
        ),
        ([samples.patrol(), samples.patrol()], "twice, required different certificates to compare"),
        (
            [samples.patrol(), samples.moves_first(), samples.run_record()],
            "found 2 certificates, 1 run, required "
            "files of one kind to compare (certificates, runs or sweeps), a run with its certificate, or one experiment",
        ),
        (
            [samples.small(), samples.run_record()],
            "format: found 'pomgcheck-model-class/1', required the format of a certificate",
        ),
        ([samples.moves_first(), samples.run_record()], "required the run's own"),
        ("nowhere.json", "nowhere.json: found No such file or directory"),
    ],
)
def test_unusable_input(source: Any, message: str, tmp_path: Path) -> None:
    """What cannot be reported on is refused in a sentence."""
    with pytest.raises(InputError, match=re.escape(message)):
        report(source, tmp_path / "X.md")


def test_class_is_described() -> None:
    """The model class is listed: spaces, parameters, rule, policies, truth."""
    from pomgcheck.reporting.render import text

    rows = {text.plain(row[0]): text.plain(row[1]) for row in certificates.class_table(samples.patrol_model()).rows}
    assert "3 points: x in {1/20, 1/10, 3/20}" == rows["Worlds Θ"]
    assert "mean over a memory of 2 policies" == rows["Reaction rule R"]
    assert "4: idle, on-alarm, on-calm, patrol" == rows["Policies Π"]
    assert "(x=1/10, y=1/5)" == rows["Truth ξ*"]


def test_nothing_heavy_is_imported_early() -> None:
    """Explaining a certificate needs neither jinja2 nor matplotlib nor numpy."""
    code = "import pomgcheck.reporting, sys; print([m for m in ('jinja2', 'matplotlib', 'numpy') if m in sys.modules])"
    assert "[]\n" == subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


SHIPPED = sorted((Path(__file__).parents[2] / "certificates").glob("*.cert.json"))


def test_certificates_are_shipped() -> None:
    """There are certificates to read, patrol's among them."""
    assert "patrol.cert.json" in {path.name for path in SHIPPED}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name.removesuffix(".cert.json"))
def test_shipped_certificate(path: Path, tmp_path: Path) -> None:
    """Every certificate of the gallery makes a well-formed page; each refuted claim says why and what mends it."""
    found = Page(report(path, tmp_path / "X.html").read_text(encoding="utf-8"))
    refuted = [claim for claim in json.loads(path.read_bytes())["claims"] if claim["verdict"] == "refuted"]
    assert [] == found.open
    assert [len(refuted)] * 2 == [found.words.count(head) for head in ("Why. ", "What would repair it.")]
