"""The pages in a real browser: no violation of accessibility rules, no error, no sideways scrolling, keys and print.

Skipped where no Chromium is found; the page's own structure is tested without one elsewhere.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pomgcheck.certificate import Certificate
from pomgcheck.reporting import document_of, notebook_html, report
from pomgcheck.reporting.given import read
from pomgcheck.reporting.render import html
from tests.reporting import samples, sweep_samples

ROOT = Path(__file__).parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PHONE, DESK = 375, 1200


def kept(*names: str) -> list[Path]:
    """Files of the repository."""
    return [ROOT / name for name in names]


PAGES: dict[str, Any] = {
    "proved": lambda: [samples.patrol()],
    "refuted": lambda: kept("certificates/silent-action.cert.json"),
    "digits": lambda: kept("certificates/digits.literal.cert.json"),
    "run": lambda: [samples.run_record(), samples.patrol()],
    "rivals": lambda: kept("reports/tiger.rivals.run.json", "certificates/tiger.cert.json"),
    "sweep": lambda: [sweep_samples.two_knobs()],
    "experiment": lambda: kept("reports/experiments/necessity.experiment.json"),
    "comparison": lambda: [samples.patrol(), samples.opposite_signs()],
    "continuum": lambda: kept("certificates/brewing.cert.json"),
    "operators": lambda: kept("certificates/patrol-operators.cert.json"),
    "comparison of sweeps": lambda: [sweep_samples.two_knobs(), sweep_samples.one_knob()],
    "comparison of four": lambda: kept(
        *(f"certificates/{name}.cert.json" for name in ("patrol", "tiger", "silent-action", "bandit"))
    ),
}


@cache
def page_of(name: str) -> str:
    """The page of a sample or of a kept file."""
    return html.page(document_of([read(source) for source in PAGES[name]()]))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One headless browser for all pages."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a page's text from a file, at a width and in a colour scheme; its errors are in ``complaints``."""
    contexts = []

    def opens(text: str, width: int = DESK, scheme: str = "light", **options: Any) -> Any:
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("request", lambda request: page.complaints.extend([request.url] if request.url[:4] == "http" else []))
        page.goto(path.as_uri())
        return page

    yield opens
    for context in contexts:
        context.close()


LOOKS = """() => {
  const seen = new Set();
  for (const each of document.body.querySelectorAll("*")) {
    if (![...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
    const own = getComputedStyle(each), look = [own.color, own.fontSize, own.fontWeight];
    for (let part = each; part; part = part.parentElement) {
      const {backgroundColor, backgroundImage, opacity} = getComputedStyle(part);
      look.push(backgroundColor, backgroundImage, opacity);
    }
    each.toggleAttribute("data-look", !seen.has(look.join()));
    seen.add(look.join());
  }
}"""  # marks one text of each colour, size and ground


def violations(page: Any) -> list[str]:
    """What axe-core objects to; contrast, which takes it longest, is looked at once for texts that look alike."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(LOOKS)
    rules = {"resultTypes": ["violations"], "rules": {"color-contrast": {"enabled": False}}}
    colours = {"resultTypes": ["violations"], "runOnly": ["color-contrast"]}
    found = Axe().run(page, options=rules).response["violations"]
    found += Axe().run(page, {"include": [["[data-look]"]]}, colours).response["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html']}" for v in found]


def test_a_pale_word_is_objected_to(opened: Any) -> None:
    """One word among others of its size and ground is seen, as is a picture without words."""
    grey = '<td style="color: #bbb">pale</td>'
    table = f"<table><tr><th scope='row'>a</th><td>b</td>{grey}</tr></table>"
    text = f'<html lang="en"><title>t</title><main><h1>h</h1>{table}<img src="data:,"></main></html>'
    assert ["image-alt", "color-contrast"] == [each.partition(":")[0] for each in violations(opened(text))]


@pytest.mark.parametrize("name", PAGES)
def test_accessible_on_a_desk_and_on_a_phone(name: str, opened: Any) -> None:
    """By day on a desk, and by night on a phone with everything unfolded, no rule of axe-core is broken, nothing is
    complained of or loaded, and nothing but tables made for it scrolls sideways."""
    for width, scheme in ((DESK, "light"), (PHONE, "dark")):
        page = opened(page_of(name), width, scheme)
        if width == PHONE:
            page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        assert [] == violations(page)
        assert [] == page.complaints
        assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_long_names_do_not_widen_the_page(opened: Any) -> None:
    """With names of 60 to 80 characters, with hyphens and without, nothing scrolls sideways on a phone."""
    cert = samples.opposite_signs()
    names = ["a-very-long-name-of-a-hidden-state-" * 2, "x" * 60]
    cert["model"]["game"] |= {"states": names, "adversary_observations": ["o" * 60, "lit"]}
    next(claim for claim in cert["claims"] if claim["witness"])["witness"]["q"] = [[names[0], [], "1"]]
    page = opened(html.page(document_of([read(cert)])), PHONE)
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_a_column_sorts_by_key(opened: Any) -> None:
    """Enter on a column's head sorts up, then down, then gives the rows back; numbers sort as numbers, the state is
    announced, and what is empty stays last."""
    page = opened(page_of("proved"))
    head = page.locator("table.sortable").first.locator("thead th").nth(5)
    seconds = "[...document.querySelector('table.sortable').tBodies[0].rows].map((row) => row.cells[0].textContent)"
    own = page.evaluate(seconds)
    head.locator("button").focus()
    states, orders = [], []
    for _ in range(3):
        page.keyboard.press("Enter")
        states.append(head.get_attribute("aria-sort"))
        orders.append(page.evaluate(seconds))
    assert ["ascending", "descending", None] == states
    assert own == orders[2]


def test_constants_sort_by_value(opened: Any) -> None:
    """Fractions and logarithms sort by what they are worth, verdicts from the worst to the best."""
    page = opened(page_of("comparison"))
    cells = "(n, k) => [...document.querySelectorAll('table.sortable')[n].tBodies[0].rows].map((r) => r.cells[k])"
    page.locator("table.sortable").nth(1).locator("thead button").nth(2).click()
    shown = page.evaluate(f"({cells})(1, 2).map((cell) => cell.dataset.sort ?? '')")
    values = [float(text) for text in shown if text]
    assert len(values) > 5
    assert sorted(values) == values
    page.locator("table.sortable").nth(0).locator("thead button").nth(2).click()
    assert "refuted" in page.evaluate(f"({cells})(0, 2)[0].textContent")


def test_a_link_opens_its_claim(opened: Any) -> None:
    """A proved claim is folded, the link in the table opens it, and the button opens all."""
    page = opened(page_of("proved"))
    assert 0 == page.locator("details.claim[open]").count()
    page.locator("a[href='#weak-revealing']").first.click()
    assert page.locator("#weak-revealing").is_visible()
    assert 1 == page.locator("details.claim[open]").count()
    page.locator("button.all").click()
    assert page.locator("details.claim").count() == page.locator("details.claim[open]").count()


def test_a_refuted_claim_is_open(opened: Any) -> None:
    """The counterexample is there without a click, its tree in it, its formulas as formulas."""
    page = opened(page_of("refuted"))
    assert page.locator("#weak-revealing svg.tree").is_visible()
    assert "Game tree" in page.locator("#weak-revealing svg.tree > title").text_content()
    assert page.locator("#weak-revealing math").count() > 5


def test_drawings_tell_their_values(opened: Any) -> None:
    """Arrow keys walk along the curve, a pointer asks where it is, and both say the same words."""
    page = opened(page_of("run"))
    figure = page.locator("figure.asked").first
    slider, output = figure.locator("input"), figure.locator("output")
    slider.focus()
    page.keyboard.press("End")
    words = output.text_content()
    assert words == slider.get_attribute("aria-valuetext")
    assert words.startswith("t = 8: epoch-omle 2.5 ± 1.0")
    figure.locator(".stop > rect").first.hover()
    assert output.text_content().startswith("t = 1: epoch-omle")
    assert "0" == slider.input_value()


def test_stops_lie_on_their_curves(opened: Any) -> None:
    """The ring that marks a value stands on the drawn line: at its end for the last value."""
    page = opened(page_of("run"))
    gap = page.evaluate("""() => {
      const svg = document.querySelector("figure.asked svg");
      const ring = [...svg.querySelectorAll(".stop")].at(-1).querySelector("circle");
      const line = [...svg.querySelectorAll("path")].find((path) => path.style.stroke === "rgb(42, 120, 184)");
      const end = line.getPointAtLength(line.getTotalLength());
      return Math.hypot(end.x - ring.cx.baseVal.value, end.y - ring.cy.baseVal.value);
    }""")
    assert gap < 0.2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_print_shows_every_claim(scheme: str, opened: Any) -> None:
    """On paper the folded claims are unfolded, by night too, and what only a screen can do is left out."""
    page = opened(page_of("proved"), scheme=scheme)
    page.emulate_media(media="print", color_scheme=scheme)
    assert page.locator("#weak-revealing").is_visible()
    assert not page.locator("button.all").is_visible()
    tone = "getComputedStyle(document.querySelector('.verdict.proved')).color"
    assert "rgb(28, 107, 60)" == page.evaluate(tone)  # that of the day, on white paper
    assert b"%PDF" == page.pdf(format="A4")[:4]


def test_without_its_script(opened: Any) -> None:
    """With scripts forbidden everything is still there: heads are words, claims unfold, no slider is offered."""
    page = opened(page_of("run"), java_script_enabled=False)
    assert 0 == page.locator("thead button").count()
    assert not page.locator(".reader").first.is_visible()
    assert page.locator("figure.asked .stop title").count() > 4


def test_a_notebooks_cell(opened: Any) -> None:
    """A cell's fragment in a page of another style changes nothing outside itself and breaks no rule."""
    cell = notebook_html(Certificate.load(ROOT / "certificates/patrol.cert.json"))
    around = "<!DOCTYPE html><html lang='en'><title>x</title><main><h1>Cell</h1><table id='own'><tr><td>1</table>"
    page = opened(f"{around}{cell}</main></html>", PHONE, "dark")
    assert [] == violations(page)
    assert "separate" == page.evaluate("getComputedStyle(document.getElementById('own')).borderCollapse")
    assert "collapse" == page.evaluate("getComputedStyle(document.querySelector('.pomgcheck table')).borderCollapse")


def test_the_index_of_a_folder_is_filtered(opened: Any, tmp_path: Path) -> None:
    """Choosing a verdict, a claim or a class leaves the rows that have it, and says how many."""
    report(ROOT / "certificates", tmp_path / "index.html")
    page = opened((tmp_path / "index.html").read_text(encoding="utf-8"))
    rows = page.locator("tbody tr")
    every = rows.count()
    assert f"{every} of {every}" == page.locator(".filters output").inner_text()
    page.get_by_label("Claims not proved").select_option("weak-revealing refuted")
    shown = [row for row in rows.all() if row.is_visible()]
    assert 0 < len(shown) < every
    assert all("weak-revealing refuted" in row.inner_text() for row in shown)
    page.get_by_label("Kind").focus()
    page.keyboard.press("Tab")
    page.keyboard.type("silent-action")  # in the filter of classes, by keys alone
    assert f"1 of {every}" == page.locator(".filters output").inner_text()
    for width, scheme in ((DESK, "light"), (PHONE, "dark")):
        page = opened((tmp_path / "index.html").read_text(encoding="utf-8"), width, scheme)
        assert [] == violations(page) == page.complaints
        assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_what_a_page_holds_can_be_saved(opened: Any, tmp_path: Path) -> None:
    """The buttons give the certificate and its class byte for byte."""
    source = ROOT / "certificates" / "patrol.cert.json"
    page = opened(report(source, tmp_path / "page.html").read_text(encoding="utf-8"))
    for name in ("patrol.cert.json", "patrol.model.json"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Save {name}").click()
        assert name == saved.value.suggested_filename
        assert (ROOT / "certificates" / name).read_bytes() == Path(saved.value.path()).read_bytes()
    assert [] == violations(page) == page.complaints
