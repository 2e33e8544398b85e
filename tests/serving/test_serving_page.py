"""The page in a real browser, acted on as a user does: by keys, by sliders, on a phone, by day and by night."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pomgcheck import verify
from tests.reporting.test_reporting_browser import CHROMIUM, QUIET, violations
from tests.serving.conftest import Served, class_of, lamp

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
DESK, PHONE = 1400, 390
Open = Callable[..., Any]
# every state of the page, in order
PASSED = """addEventListener("DOMContentLoaded", () => {
  window.passed = [];
  const seen = () => window.passed.push(document.body.dataset.state);
  new MutationObserver(seen).observe(document.body, { attributes: true, attributeFilter: ["data-state"] });
});"""
REACHED = """state => {
  const k = window.passed.lastIndexOf(state);
  window.passed.splice(0, k + 1);
  return k >= 0 || document.body.dataset.state === state;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """One headless browser for all tests."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield found
        found.close()


@pytest.fixture
def opened(browser: Any, served: Served) -> Iterator[Open]:
    """Opens a tab at the printed address, at a width and in a colour scheme; what it complains of is in ``complaints``,
    which must be nothing at the end."""
    contexts, pages = [], []
    served.file.write_text(lamp(), encoding="utf-8")

    def opens(width: int = DESK, scheme: str = "light", **options: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        page.add_init_script(PASSED)
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(served.address)
        at(page, "current")
        pages.append(page)
        return page

    yield opens
    for page in pages:
        assert [] == [words for words in page.complaints if "ERR_" not in words and "409" not in words]
    for context in contexts:
        context.close()


def at(page: Any, state: str) -> None:
    """Wait until the page is at a state, or has passed it since the last one that was waited for: a fast machine is at
    work for less time than lies between two looks."""
    last = time.monotonic() + 60
    while not page.evaluate(REACHED, state):
        assert time.monotonic() < last, f"the page is not {state}"
        page.wait_for_timeout(20)


def edited(page: Any, old: str, new: str) -> None:
    """Select a text in the editor and type another over it."""
    page.locator("#text").focus()
    page.evaluate(
        "([old]) => { window.passed.length = 0; const t = document.getElementById('text'); const k = t.value.indexOf(old);"
        " t.setSelectionRange(k, k + old.length); }",
        [old],
    )
    page.keyboard.insert_text(new)


def alpha(page: Any) -> str:
    """The weak-revealing constant on the page."""
    return str(page.locator("[data-base=alpha]").get_attribute("data-exact"))


def test_an_edit_moves_alpha(opened: Open) -> None:
    """A number typed into the document: the constant, its bar and the tick of the one before are there, and the status
    says what was certified."""
    page = opened()
    before, width = alpha(page), page.locator("[data-base=alpha] .solid").bounding_box()["width"]
    edited(page, 'noise = "1/10"', 'noise = "1/5"')
    at(page, "working")
    at(page, "current")
    assert ("1/9", "3/32") == (before, alpha(page))
    assert width > page.locator("[data-base=alpha] .solid").bounding_box()["width"]
    assert page.locator("[data-base=alpha] .before").is_visible()
    assert page.locator("#status").inner_text().startswith("lamp: 16 proved. ")
    assert page.title().startswith("• lamp.toml")  # not saved


def test_a_broken_row_is_told_at_its_line(opened: Open) -> None:
    """A row that is no probability row: the sentence stands at its line, what is on the right is not shown as current,
    no certificate can be saved, and the button goes to the line."""
    page = opened()
    edited(page, 'dark = "1/4"', 'dark = "1/3"')
    at(page, "broken")
    line = lamp().splitlines().index('"* * *" = { lit = "3/4", dark = "1/4" }') + 1
    said = page.locator("#problem span").inner_text()
    assert said.startswith(f"Line {line}: worlds.transition, row (lit, watch, rest): found [3/4, 1/3] of sum 13/12")
    assert page.locator(".gutter b").inner_text() == f"▸{line}"
    assert said == f"Line {line}: {page.locator('.lens').inner_text()}"
    assert page.locator("#old").is_visible()
    assert page.locator("#keep").is_disabled()
    assert "true" == page.locator("#text").get_attribute("aria-invalid")
    page.locator("#go").click()
    chosen = page.evaluate(
        "(() => { const t = document.getElementById('text'); return t.value.slice(t.selectionStart, t.selectionEnd) })()"
    )
    assert '"* * *" = { lit = "3/4", dark = "1/3" }' == chosen
    mark, lens = (page.locator(name).bounding_box() for name in (".mark", ".lens"))
    assert min(abs(mark["y"] + mark["height"] - lens["y"]), abs(lens["y"] + lens["height"] - mark["y"])) < 3
    assert [] == violations(page)
    edited(page, 'dark = "1/3"', 'dark = "1/4"')
    at(page, "current")
    assert page.locator("#old").is_hidden()
    assert "" == page.locator("#problem span").inner_text()


def test_a_knob_writes_its_number_into_the_document(opened: Open) -> None:
    """The slider is moved by keys, many at once: the document has the last number, and the answer is about that one."""
    page = opened()
    slider = page.locator("#knobs input")
    assert "1/10" == slider.get_attribute("aria-valuetext")
    slider.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    assert 'noise = "11/50"' in page.locator("#text").input_value()
    at(page, "current")
    page.wait_for_selector("[data-base=alpha][data-exact='7/78']")
    page.keyboard.press("End")  # noise 1: the emissions are turned round, and it goes on
    at(page, "current")
    assert 'noise = "1"' in page.locator("#text").input_value()
    page.keyboard.press("Home")
    at(page, "current")
    page.wait_for_selector("[data-base=alpha][data-exact='1/8']")
    assert 'noise = "0"' in page.locator("#text").input_value()


def test_a_counterexample_is_there_and_lives(opened: Open) -> None:
    """Where a claim becomes refuted it stands first and open, with its game tree; mended, it is gone; another claim is
    opened by keys and filled."""
    page = opened()
    edited(page, 'noise = "1/10"', 'noise = "1/2"')
    at(page, "current")
    first = page.locator("#claims .claim").first
    assert "refuted" == first.get_attribute("data-verdict")
    tree = page.locator("[data-claim=weak-revealing] svg.tree")
    assert tree.is_visible()
    before = tree.inner_html()
    edited(page, 'values = ["1/8", "1/4"]', 'values = ["1/8", "3/8"]')
    at(page, "working")
    at(page, "current")
    assert before != page.locator("[data-claim=weak-revealing] svg.tree").inner_html()
    edited(page, 'noise = "1/2"', 'noise = "1/10"')
    at(page, "working")
    at(page, "current")
    assert 0 == page.locator("#claims svg.tree").count()
    page.locator("[data-claim=covering] summary").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("[data-claim=covering] .inside p")
    edited(page, 'noise = "1/10"', 'noise = "1/9"')
    at(page, "working")
    at(page, "current")
    assert "How it was proved" in page.locator("[data-claim=covering] .inside").inner_text()


def test_the_certificate_is_saved_and_verified(opened: Open, served: Served) -> None:
    """By keys: the certificate of an edited document is written beside it and the kernel accepts it; the document is
    written only when that is asked for."""
    page = opened()
    edited(page, 'bright = "1", dim = "0"', 'bright = "1", dim = "1/2"')
    at(page, "working")
    at(page, "current")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#notice:has-text('The document in the editor is not saved yet.')")
    path = served.file.with_name("lamp.cert.json")
    assert str(path) in page.locator("#notice span").inner_text()
    assert verify(path).accepted
    assert lamp() == served.file.read_text(encoding="utf-8")
    page.keyboard.press("Control+s")
    page.wait_for_selector("#notice:has-text('The document is saved.')")
    assert 'dim = "1/2"' in served.file.read_text(encoding="utf-8")
    assert page.locator("#save").is_disabled()


def test_a_file_changed_meanwhile_and_two_tabs(opened: Open, served: Served) -> None:
    """Two tabs of one document: what one saves the other is told of, and it overwrites nothing unless it is told to."""
    one, two = opened(), opened()
    edited(one, 'noise = "1/10"', 'noise = "1/7"')
    edited(two, 'noise = "1/10"', 'noise = "1/8"')
    for page in (one, two):
        page.wait_for_selector("body[data-state=current]")
    one.locator("#save").click()
    one.wait_for_selector("#notice:has-text('The document is saved.')")
    two.wait_for_selector("#notice:has-text('The file was changed on disk meanwhile.')")
    two.locator("#save").click()
    two.wait_for_selector("#over:visible")
    assert 'noise = "1/7"' in served.file.read_text(encoding="utf-8")
    two.locator("#over").click()
    two.wait_for_selector("#notice:has-text('The document is saved.')")
    assert 'noise = "1/8"' in served.file.read_text(encoding="utf-8")
    one.wait_for_selector("#notice:has-text('The file was changed on disk meanwhile.')")
    one.locator("#load").click()
    one.wait_for_selector("#notice", state="hidden")  # the text is there before what was said is taken back
    at(one, "current")
    assert 'noise = "1/8"' in one.locator("#text").input_value()


def test_a_reload_keeps_what_was_not_saved(opened: Open) -> None:
    """What a tab has not saved is there again after a reload, and is certified again."""
    page = opened()
    edited(page, 'noise = "1/10"', 'noise = "1/6"')
    at(page, "current")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    page.wait_for_selector("#notice:has-text('What this tab had not saved is back.')")
    at(page, "current")
    assert 'noise = "1/6"' in page.locator("#text").input_value()
    assert "1/10" == alpha(page)


def test_a_program_that_is_away_and_back(opened: Open) -> None:
    """Without a connection nothing is shown as current; once it is back the newest text is answered."""
    page = opened()
    page.context.set_offline(True)
    edited(page, 'noise = "1/10"', 'noise = "1/5"')
    at(page, "away")
    assert page.locator("#old").is_visible()
    assert page.locator("#keep").is_disabled()
    page.context.set_offline(False)
    at(page, "current")
    assert "3/32" == alpha(page)


def test_a_late_answer_is_not_shown(opened: Open) -> None:
    """An answer to an older text that comes after the newer one leaves the page as it is."""
    page = opened()
    held: list[Any] = []
    page.route("**/answer", lambda route: route.continue_() if held else held.append(route))
    edited(page, 'noise = "1/10"', 'noise = "1/5"')
    while not held:
        page.wait_for_timeout(20)
    edited(page, 'noise = "1/5"', 'noise = "1/4"')
    at(page, "current")
    assert "1/12" == alpha(page)
    held[0].continue_()
    page.wait_for_timeout(300)
    assert "1/12" == alpha(page)
    assert page.evaluate("document.body.dataset.state") == "current"


def test_a_class_too_slow_says_so_and_offers_a_button(opened: Open) -> None:
    """On interval axes nothing is certified while one types; the button certifies, and can be stopped."""
    page = opened()
    page.locator("#text").fill(class_of("watch"))
    at(page, "slow")
    assert "too slow to be certified while you type" in page.locator("#slow span").inner_text()
    assert [] == violations(page)
    page.locator("#certify").click()
    at(page, "working")
    page.locator("#stop").click()
    at(page, "slow")
    assert "it was stopped" in page.locator("#slow span").inner_text()
    page.locator("#text").fill(lamp().replace('noise = "1/10"', 'noise = "1/97"'))
    at(page, "working")
    at(page, "slow")
    page.locator("#certify").click()
    at(page, "current")
    edited(page, 'noise = "1/97"', 'noise = "1/96"')
    at(page, "working")
    at(page, "current")  # and it is live again


def test_a_text_too_long_for_a_page(opened: Open) -> None:
    """A text of millions of characters is a sentence, and the page goes on."""
    page = opened()
    page.evaluate(
        "(() => { const t = document.getElementById('text'); t.value += '#'.repeat(3000000);"
        " t.dispatchEvent(new Event('input')); })()"
    )
    at(page, "broken")
    assert "bytes, required at most 2,000,000" in page.locator("#problem span").inner_text()
    page.evaluate("document.getElementById('text').value = ''")
    page.locator("#text").fill(lamp())
    at(page, "current")


@pytest.mark.parametrize(("width", "scheme"), [(DESK, "light"), (DESK, "dark"), (PHONE, "light"), (PHONE, "dark")])
def test_accessible_by_day_and_by_night_on_a_desk_and_a_phone(width: int, scheme: str, opened: Open) -> None:
    """No rule of axe-core is broken with everything unfolded, and nothing scrolls sideways but the editor."""
    page = opened(width, scheme)
    edited(page, 'noise = "1/10"', 'noise = "1/2"')
    at(page, "working")
    at(page, "current")
    page.locator("[data-claim=constants] summary").click()
    page.locator("#options summary").click()
    page.wait_for_selector("[data-claim=constants] .inside p")
    assert [] == violations(page)
    assert 0 == page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if width == PHONE:
        boxes = [page.locator(name).bounding_box() for name in (".editor", "#bars", "#claims")]
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= PHONE for box in boxes)


def test_by_keys_alone(opened: Open) -> None:
    """Tab goes through buttons, editor, knobs and claims in the order in which they stand, and out of the editor."""
    page = opened()
    edited(page, 'noise = "1/10"', 'noise = "1/9"')
    at(page, "current")
    page.locator("h1").click()
    met = []
    for _ in range(8):
        page.keyboard.press("Tab")
        met.append(
            page.evaluate(
                "document.activeElement.id || document.activeElement.closest('[data-claim]')?.dataset.claim || document.activeElement.textContent"
            )
        )
    assert ["save", "keep", "text", "knob-0", "Phase diagram", "factorization", "oom-identity", "nonexpansive"] == met


def test_a_phase_diagram_is_drawn_and_dated(opened: Open) -> None:
    """The button draws the constants over the knob; after an edit the drawing is said to be of an earlier document."""
    page = opened()
    page.locator("#knobs button").click()
    page.wait_for_selector("#diagrams figure", timeout=120_000)
    assert 4 == page.locator("#diagrams figure").count()
    assert "Certified at 13 points" in page.locator("#diagrams .note").inner_text()
    assert [] == violations(page)
    slider = page.locator("#diagrams .reader input").first
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("#diagrams output").first.inner_text().startswith("noise = 1/12: α_κ = ")
    edited(page, 'noise = "1/10"', 'noise = "1/9"')
    at(page, "working")
    at(page, "current")
    assert "Drawn of an earlier document." == page.locator("#diagrams .note").inner_text()
    page.locator("#close-diagrams").click()
    assert page.locator("#diagrams").is_hidden()


def test_printed(opened: Open) -> None:
    """On paper the document and the answer are there, and no button."""
    page = opened()
    page.emulate_media(media="print")
    assert page.locator("#verdict").is_visible()
    assert page.locator("#save").is_hidden()
    assert b"%PDF" == page.pdf(format="A4")[:4]
