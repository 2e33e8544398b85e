"""Pages that hold what they were made of: they are made again and compared, and a forged one is rejected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pomgcheck
from pomgcheck.errors import InputError
from pomgcheck.kernel.reading import canonical_bytes, digest, read_json
from pomgcheck.reporting import embedded, report
from pomgcheck.reporting.embedded import Held, difference, held_in
from tests.reporting import sweep_samples

ROOT = Path(__file__).parents[2]
CERTIFICATES = ROOT / "certificates"
REPORTS = ROOT / "reports"
PATROL = CERTIFICATES / "patrol.cert.json"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a certificate."""
    return report(PATROL, tmp_path_factory.mktemp("pages") / "patrol.html").read_text(encoding="utf-8")


def line_of(text: str, folder: Path) -> tuple[bool, str]:
    """What `verify` says of a page."""
    path = folder / "page.html"
    path.write_text(text, encoding="utf-8")
    verdict = pomgcheck.verify(path)
    return verdict.accepted, verdict.line


@given(st.text())
def test_what_is_held_comes_back(words: str) -> None:
    """Any text in a record, closing tags and comments among it, comes back as it was, on one line of the page."""
    for text in (words, f"</script><!--{words}", f"<\\/{words}<\\u0021--", f"<!-- <script>{words}</script>"):
        held = Held("run", f'"{words}&'.replace("\n", ""), {"text": text})
        if len(held.name.splitlines()) == 1:
            (found,) = held_in(f"a\n{held.element}\nb")
            assert held == found
        inside = held.element.partition(">")[2].removesuffix("</script>")
        assert "</" not in inside
        assert "<!--" not in inside
        back = inside.replace("<\\u0021--", "<!--").replace("<\\/", "</")  # as the page's own buttons do
        assert canonical_bytes(held.document).decode() == back


def test_a_page_holds_certificate_and_model(page: str) -> None:
    """Both are inside, byte for byte, under the names of their files."""
    found = held_in(page)
    assert [("certificate", "patrol.cert.json"), ("model", "patrol.model.json")] == [each[:2] for each in found]
    assert PATROL.read_bytes() == canonical_bytes(found[0].document)
    assert (CERTIFICATES / "patrol.model.json").read_bytes() == canonical_bytes(found[1].document)


SOURCES: dict[str, Callable[[], Any]] = {
    "certificate": lambda: [CERTIFICATES / "silent-action.cert.json"],
    "object": lambda: [pomgcheck.Certificate.load(PATROL)],
    "operators": lambda: [CERTIFICATES / "patrol-operators.cert.json"],
    "intervals": lambda: [CERTIFICATES / "brewing.cert.json"],
    "run": lambda: [REPORTS / "tiger.rivals.run.json", CERTIFICATES / "tiger.cert.json"],
    "comparison": lambda: [CERTIFICATES / "tiger.cert.json", PATROL],
    "experiment": lambda: [REPORTS / "experiments" / "necessity.experiment.json"],
    "sweep": lambda: [sweep_samples.two_knobs()],
}


@pytest.mark.parametrize("kind", SOURCES)
def test_every_page_is_the_page_that_its_records_make(kind: str, tmp_path: Path) -> None:
    """Of every kind of record, the page is made again, byte for byte, from what it holds."""
    text = report(SOURCES[kind](), tmp_path / "x.html").read_text(encoding="utf-8")
    sources = [(each.document, each.name) for each in held_in(text) if each.kind != "model"]
    assert "" == pomgcheck.reporting.otherwise(text, sources)


def replaced(old: str, new: str) -> Callable[[str], str]:
    """An edit of the first place of some words outside of what the page holds."""

    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return edit


FORGERIES: dict[str, tuple[Callable[[str], str], str]] = {
    "verdict": (replaced("</span> certified</span>", "</span> not certified</span>"), "not certified"),
    "number": (replaced("7/17", "7/16"), "7/16"),
    "sentence": (replaced("<main>", "<main>\n<p>It holds for every class.</p>"), "It holds for every class."),
    "left out": (replaced('<h2 id="readings">How the paper was read</h2>', ""), "found nothing"),
    "style": (replaced("<style>", "<style>.refuted { display: none; }"), "display: none"),
    "another model inside": (
        lambda text: re.sub(r'("name":)"patrol"(?=[^\n]*</script>\n<script>)', r'\1"petrol"', text),
        "petrol",
    ),
}


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forged_page_is_rejected(kind: str, page: str, tmp_path: Path) -> None:
    """A verdict, a number, a sentence, a section, a style, the class inside: the line says what differs."""
    edit, told = FORGERIES[kind]
    forged = edit(page)
    assert forged != page
    accepted, line = line_of(forged, tmp_path)
    assert not accepted
    assert line.startswith("REJECTED report line ")
    assert told in line
    assert line_of(page, tmp_path)[0]


def test_a_forged_certificate_inside_is_the_kernel_s_to_reject(page: str, tmp_path: Path) -> None:
    """A value changed inside the page, and everywhere else too, with digests that fit: the kernel says why not."""
    held = held_in(page)[0]
    text = canonical_bytes(held.document).decode().replace('"7/17"', '"8/17"')
    certificate = read_json(text.encode())
    certificate["sha256"] = digest({k: v for k, v in certificate.items() if k not in ("sha256", "search")})
    accepted, line = line_of(page.replace("7/17", "8/17"), tmp_path)
    assert (False, True) == (accepted, "REJECTED report: its certificate patrol.cert.json: REJECTED" in line)
    forged = report(certificate, tmp_path / "forged.html").read_text(encoding="utf-8")
    accepted, line = line_of(forged, tmp_path)
    assert not accepted
    assert "REJECTED report: its certificate" in line


def test_a_page_of_another_version_is_not_taken_on_trust(page: str, tmp_path: Path) -> None:
    """Its words cannot be compared, and the line says which versions they are."""
    accepted, line = line_of(re.sub(r'content="pomgcheck [^"]*"', 'content="pomgcheck 9.9"', page), tmp_path)
    assert not accepted
    assert "generator: found a page made by pomgcheck 9.9, required one made by pomgcheck " in line


def test_a_page_that_was_emptied_is_rejected(page: str, tmp_path: Path) -> None:
    """Without what it held it cannot be checked alone; with the certificate beside it, it is not the page made of it."""
    emptied = "\n".join(line for line in page.split("\n") if 'class="held"' not in line)
    with pytest.raises(InputError, match="found no certificate .* beside the file"):
        line_of(emptied, tmp_path)
    (tmp_path / "patrol.cert.json").write_bytes(PATROL.read_bytes())
    accepted, line = line_of(emptied.replace("<main>", "<main>\n<p>Believe me.</p>"), tmp_path)
    assert (False, True) == (accepted, "Believe me." in line)


def test_what_a_page_holds_may_be_no_json(page: str, tmp_path: Path) -> None:
    """One sentence, no traceback."""
    with pytest.raises(InputError, match="the certificate inside it"):
        line_of(page.replace('{"claims"', '{"claims', 1), tmp_path)
    with pytest.raises(InputError, match="the model inside it: found list, required a JSON object"):
        line_of(re.sub(r'(data-kind="model"[^>]*>).*(</script>)', r"\1[]\2", page), tmp_path)


def test_what_is_too_large_stays_outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page then names the file and its digest, and is verified with the file beside it."""
    monkeypatch.setattr(embedded, "LARGEST", 1000)
    text = report(PATROL, tmp_path / "page.html").read_text(encoding="utf-8")
    sha256 = json.loads(PATROL.read_bytes())["sha256"]
    assert [("certificate", "patrol.cert.json", None, sha256)] == held_in(text)
    assert "too large to be inside it" in text
    with pytest.raises(InputError, match="give that file too"):
        line_of(text, tmp_path)
    assert pomgcheck.verify(tmp_path / "page.html", beside=[PATROL]).accepted


def test_control_characters_are_not_repeated() -> None:
    """What a terminal would obey is shown as a mark; long lines are cut."""
    line = difference("a\n" + "x" * 100 + "\x1b[2Jevil" + "y" * 100, "a\n" + "x" * 100 + "good")
    assert "\x1b" not in line
    assert line.startswith("line 2: found “…xxx")
    assert len(line) < 250
