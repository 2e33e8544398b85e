"""Formulas of the pages: well-formed MathML that keeps what the notation says, cut only where a line may end."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck import statements
from pomgcheck.reporting.blocks import Table
from pomgcheck.reporting.render import html, markup
from pomgcheck.reporting.render.mathml import CONNECTS, LONGEST, mathml, regrouped
from pomgcheck.reporting.spans import Inline, Math, Text, say
from pomgcheck.reporting.words import statement

CERTIFICATES = sorted((Path(__file__).parents[2] / "certificates").glob("*.cert.json"))


def read(source: str) -> list[ElementTree.Element]:
    """The ``<math>`` elements of a formula."""
    return list(ElementTree.fromstring(f"<p>{mathml(Math(source))}</p>"))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("B_0", "<msub><mi>B</mi><mrow><mn>0</mn></mrow></msub>"),
        ("c^J_{KL}", "<msubsup><mi>c</mi><mrow><mi>KL</mi></mrow><mrow><mi>J</mi></mrow></msubsup>"),
        ("θ'", "<msup><mi>θ</mi><mrow><mo>′</mo></mrow></msup>"),
        ("T*", "<msup><mi>T</mi><mrow><mo>*</mo></mrow></msup>"),
        ("√(d/T)", '<msqrt><mi>d</mi><mo lspace="0" rspace="0">/</mo><mi>T</mi></msqrt>'),
        ("√2", "<msqrt><mn>2</mn></msqrt>"),
        ("log N", '<mi>log</mi><mspace width="0.17em"/><mi>N</mi>'),
        ("h-1", "<mi>h</mi><mo>−</mo><mn>1</mn>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
    ],
)
def test_each_kind_of_token(source: str, expected: str) -> None:
    """Scripts, primes, stars, roots, words, numbers and signs, each as its own element."""
    assert f"<math>{expected}</math>" == mathml(Math(source))


@given(st.text("abθκ_^{}()[]‖|√*'′=≤−-/,1 ", max_size=40))
def test_any_formula_is_well_formed(source: str) -> None:
    """Whatever the notation holds, finished or not, the elements close in turn."""
    read(source)


def formulas(inline: Inline) -> list[str]:
    """The formulas of a sentence."""
    return [span.source for span in inline if isinstance(span, Math)]


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.name.removesuffix(".cert.json"))
def test_formulas_of_the_gallery_keep_their_letters(path: Path) -> None:
    """In every statement the letters, digits and signs are those of the notation, in an order scripts may change, and
    no piece is longer than a narrow page is wide unless brackets hold it together."""
    cert = json.loads(path.read_bytes())
    for claim in cert["claims"]:
        for source in formulas(regrouped(statement(statements.of(claim["id"], cert["model"], cert["options"])))):
            pieces = read(source)
            kept = sorted("".join("".join(piece.itertext()) for piece in pieces))
            assert sorted(c for c in source.replace("'", "′").replace("-", "−") if c not in "_^{} ") == kept
            assert len(source) <= LONGEST or len(pieces) > 1 or "(" in source


def test_a_sentence_has_whole_formulas() -> None:
    """What the kernel's statement spells word by word is one formula; the sentence's own marks stay outside it."""
    said = "W is such that ||(W^theta - W^theta') q||_1 <= ||u||_1 for h <= 2, all theta."
    found = formulas(regrouped(statement(said)))
    assert ["W", "‖(W^θ − W^{θ'}) q‖_1 ≤ ‖u‖_1", "h ≤ 2", "θ"] == found


@given(st.lists(st.sampled_from([Math("x"), Math("y,"), Text(" = "), Text(" and "), Text(" ≤ 3, "), Text(" ")])))
def test_regrouping_changes_no_word(spans: list[Math | Text]) -> None:
    """Put together again, a sentence reads as before, and no two formulas have but a sign between them."""

    def words(inline: Inline) -> str:
        return "".join(span.source if isinstance(span, Math) else span.text for span in inline)  # type: ignore[union-attr]

    found = regrouped(tuple(spans))
    assert words(tuple(spans)) == words(found)
    for left, between, right in zip(found, found[1:], found[2:], strict=False):
        alone = isinstance(left, Math) and isinstance(right, Math) and isinstance(between, Text)
        assert not (alone and CONNECTS.fullmatch(between.text))  # type: ignore[union-attr]


def test_a_mark_stays_with_its_formula() -> None:
    """A full stop after a formula is not left to begin a line."""
    assert '<span class="glued"><math><mi>L</mi></math>.</span> So' in markup.html(say("It is $L$. So"))


@pytest.mark.parametrize("tied", ["0.042 s", "D T", "T = 16,384", "1 − 2δ"])
def test_no_line_ends_within_a_quantity(tied: str) -> None:
    """A number stays with its unit, a sign with what stands on both sides, on a page however narrow."""
    assert f"is {tied} here".replace(tied, tied.replace(" ", "\xa0")) == markup.html(say(f"is {tied} here"))


def test_row_headers_have_words() -> None:
    """A row whose head is a formula alone is named by words too, for readers that skip formulas."""
    page = html.fragment([Table("", ("Sign", "Is"), (((Math("α_κ"),), say("strength")),))])
    assert '<span class="unseen">α_κ</span><span aria-hidden="true"><math>' in page
