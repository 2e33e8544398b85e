"""The report of a sweep: what ended how and why, its diagrams, its points."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pomgcheck.errors import InputError
from pomgcheck.reporting import digests_in, report
from pomgcheck.reporting.blocks import Figure, Listing, Paragraph, Table
from pomgcheck.reporting.drawings import diagrams, figures
from pomgcheck.reporting.pages import sweeps
from pomgcheck.reporting.quantities import Quantity, quantities
from pomgcheck.reporting.render import html, text
from pomgcheck.search.sweep_file import Sweep
from tests.reporting import samples, sweep_samples

ONE, TWO = sweep_samples.one_knob(), sweep_samples.two_knobs()
SWEEPS = {"one knob": ONE, "two knobs": TWO}


@cache
def drawn(name: str) -> dict[str, Figure]:
    """The diagrams of a sample by their stems, drawn once."""
    return {part.stem: part for part in sweeps.drawings(Sweep(SWEEPS[name])) if isinstance(part, Figure)}


def words_of(figure: Figure) -> str:
    """What can be read in a drawing."""
    return "".join(ElementTree.fromstring(figure.svg).itertext())


def rows(table: Table) -> list[list[str]]:
    """A table in plain words."""
    return [[text.plain(cell) for cell in row] for row in table.rows]


def test_points_are_grouped_by_how_they_end_and_why() -> None:
    """Certified first, then each set of refuted claims, then what is no class; with where they lie."""
    assert [
        ["✓ certified", "4", "–", "noise 0 to 1/4, d 0 to 1"],
        ["✗ refuted", "3", "weak-revealing and kl-joint", "noise = 1/2, d 0 to 2"],
        ["✗ refuted", "2", "kl-world", "noise 0 to 1/4, d = 2"],
        ["no class", "3", "responses.table.patrol, row (dark): required an entry in [0,1]", "noise 0 to 1/2, d = 3"],
    ] == rows(sweeps.ends_table(Sweep(TWO)))


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_where_points_lie_is_true(inside: set[tuple[int, int]]) -> None:
    """The boxes of a group hold every point of it and no other point of the grid."""
    covered = [(i, j) for (a, b), (c, d) in sweeps.boxes(inside) for i in range(a, b + 1) for j in range(c, d + 1)]
    assert sorted(inside) == sorted(covered)


def test_points_with_a_gap_between_are_told_apart() -> None:
    """What lies between the least and the greatest value of a group is not said to be of it; where a group takes many
    boxes, the points are counted."""

    def placed(*where: tuple[str, str]) -> str:
        made = Sweep(TWO)
        points = [point for point in made.points if (point.knobs["noise"], point.knobs["d"]) in where]
        assert len(where) == len(points)
        return sweeps.place(made, points)

    assert "noise = 0, d = 0; noise = 1/2, d = 0" == placed(("0", "0"), ("1/2", "0"))
    assert "noise 0 to 1/4, d = 0; noise 0 to 1/4, d 2 to 3" == placed(
        *((noise, d) for noise in ("0", "1/4") for d in ("0", "2", "3"))
    )
    many = (("0", "0"), ("0", "2"), ("1/4", "1"), ("1/4", "3"), ("1/2", "0"))
    assert "5 of the 12 points in noise 0 to 1/2, d 0 to 3" == placed(*many)


def test_the_summary_counts() -> None:
    """How many points, how many ended how, how many are still to do, and which claims were searched."""
    assert "12 points: 4 certified, 5 refuted and 3 unusable." == text.plain(sweeps.summary(Sweep(TWO)))
    part = TWO | {"points": TWO["points"][:3], "only": ["kl-world"]}
    assert "12 points: 2 proved and 1 refuted. 9 of them are not done yet. Only kl-world was searched." == (
        text.plain(sweeps.summary(Sweep(part)))
    )


def test_every_knob_is_told() -> None:
    """Those that vary with their ranges, and the rest at the document's own values."""
    assert [
        ["noise", "0", "1/2 = 0.5", "3", "1/4 = 0.25"],
        ["d", "0", "3", "4", "1"],
        ["floor", "–", "–", "–", "1/8 = 0.125"],
    ] == rows(sweeps.axes_table(Sweep(TWO)))


def test_the_constants_that_matter_are_shown() -> None:
    """The five of the theorem where a sweep has them, the end it uses; others only where they differ."""
    assert ["alpha_lower", "c_KL_joint_lower", "B0_upper", "L_upper", "bound_upper"] == [
        quantity.name for quantity in quantities(Sweep(TWO).certified)
    ]


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("alpha_lower", ("1/3", {"noise": "1/4", "d": "0"}), ("1/2", {"noise": "0", "d": "0"})),
        ("B0_upper", ({"log_of": "2"}, {"noise": "0", "d": "0"}), ({"log_of": "3"}, {"noise": "1/4", "d": "0"})),
        ("L_upper", ("0", {"noise": "0", "d": "0"}), ("1", {"noise": "0", "d": "1"})),
        ("bound_upper", ("10", {"noise": "0", "d": "1"}), ("1000", {"noise": "0", "d": "0"})),
    ],
)
def test_ranges_are_over_certified_points(name: str, least: Any, most: Any) -> None:
    """Least and greatest exact value, and where each is attained first; refuted points count for nothing."""
    (found,) = [span for span in sweeps.spans(Sweep(TWO)) if span.quantity.name == name]
    assert (least, most) == (found.least, found.most)


def test_decimals_are_rounded_to_the_safe_side() -> None:
    """A lower end down, an upper end up, a logarithm too."""
    assert "0.333333" == Quantity("alpha", "lower").decimal("1/3")
    assert "0.333334" == Quantity("L", "upper").decimal("1/3")
    assert "0.693148" == Quantity("B0", "upper").decimal({"log_of": "2"})


@pytest.mark.parametrize("name", SWEEPS)
def test_diagrams_are_deterministic_and_well_formed(name: str) -> None:
    """The same sweep draws the same bytes; a drawing is XML without metadata, in the page's ink."""
    again = {part.stem: part.svg for part in sweeps.drawings(Sweep(SWEEPS[name])) if isinstance(part, Figure)}
    assert again == {stem: figure.svg for stem, figure in drawn(name).items()}
    for svg in again.values():
        ElementTree.fromstring(svg)
        assert [] == re.findall(r"Matplotlib|<metadata>|\d{4}-\d\d-\d\dT", svg)
        assert "currentColor" in svg
        assert figures.INK not in svg


@pytest.mark.parametrize("name", SWEEPS)
def test_diagrams_say_what_they_show(name: str) -> None:
    """Axes carry the knobs' names, and the legend every reason for which a region is hatched."""
    reasons = ["refuted: kl-world", "no class: responses.table.patrol"]
    if name == "two knobs":
        reasons.append("refuted: weak-revealing, kl-joint")
    for figure in drawn(name).values():
        shown = words_of(figure)
        assert {axis["knob"] for axis in SWEEPS[name]["vary"]} <= set(re.findall(r"\w+", shown))
        assert [] == [reason for reason in reasons if reason not in shown]
        assert [] == [reason for reason in reasons if reason not in figure.description]
        assert len(reasons) == figure.svg.count("<pattern ")


def test_only_certified_points_have_a_colour() -> None:
    """Four of twelve cells are filled; the others are hatched."""
    mesh = re.search(r'<g id="alpha-lower-QuadMesh_1">(.*?)</g>', drawn("two knobs")["alpha-lower"].svg, re.DOTALL)
    assert mesh is not None
    assert (12, 4) == (mesh[1].count("<path "), mesh[1].count("fill: #"))


def test_a_line_is_broken_where_nothing_is_certified() -> None:
    """Two marks for the two certified points."""
    line = re.search(r'<g id="L-upper-line2d_\d+">\s*<path d="([^"]*)" clip-path', drawn("one knob")["L-upper"].svg)
    assert line is not None
    assert (1, 1) == (line[1].count("M "), line[1].count("L "))


def test_the_documents_own_point_is_marked_where_it_lies_inside() -> None:
    """A ring at the knobs of the document, if the grid reaches there."""
    assert "the document's own" in words_of(drawn("two knobs")["alpha-lower"])
    far = TWO | {"knobs": TWO["knobs"] | {"noise": "3/4"}}
    (first, *_) = sweeps.drawings(Sweep(far))
    assert isinstance(first, Figure)
    assert "the document's own" not in words_of(first)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [([1.0, 50.0], True), ([1.0, 49.0], False), ([0.0, 100.0], False), ([-1.0, 99.0], False), ([], False)],
)
def test_a_scale_is_logarithmic_over_decades(values: list[float], wanted: bool) -> None:
    """Positive values of a ratio of fifty or more; never where one is zero."""
    assert wanted == diagrams.logarithmic(values)


def test_cells_meet_half_way() -> None:
    """A cell reaches half-way to its neighbours, and as far beyond at the ends."""
    assert [-0.5, 0.5, 1.5, 2.5, 3.5] == diagrams.edges([0, 1, 2, 3])


def test_nothing_certified_is_said_in_words() -> None:
    """Without a certified point there is nothing to draw, and the report says so."""
    bare = TWO | {"points": TWO["points"][8:]}
    (part,) = sweeps.drawings(Sweep(bare))
    assert isinstance(part, Paragraph)
    assert "No point is certified, so there is nothing to draw." == text.plain(part.text)
    assert "<svg" not in html.page(sweeps.document(Sweep(bare)))


def test_every_point_has_its_row() -> None:
    """Knobs, end, constants, what fails, and the digest of its certificate."""
    (table,) = sweeps.points_section(Sweep(ONE))
    assert isinstance(table, Table)
    shown = rows(table)
    assert ["d = 0", "✓ certified", "0.333333", "0.142857", "1.09862", "0", "1000"] == (
        [*shown[0][:4], shown[0][4][:7], *shown[0][5:7]]
    )
    assert ["d = 2", "✗ refuted", "kl-world"] == [*shown[2][:2], shown[2][-2]]
    assert [
        "d = 3",
        "no class",
        'responses.table.patrol, row (dark): found the entry "1/2-d", required an entry in [0,1]',
        "–",
    ] == [*shown[3][:2], *shown[3][-2:]]


def test_a_long_table_is_folded(tmp_path: Path) -> None:
    """Above thirty points the table is behind its caption, in HTML and in Markdown."""
    points = [sweep_samples.point({"d": f"{k}/10"}, {}, "kl-world") for k in range(31)]
    long = sweep_samples.sweep([{"knob": "d", "low": "0", "high": "3", "points": 31}], points)
    for name, source, folded in (("a.html", long, True), ("a.md", long, True), ("b.html", ONE, False)):
        words = report(source, tmp_path / name).read_text(encoding="utf-8")
        assert folded == (bool(re.search("<details[^>]*><summary>31 points; decimals", words))), name


def test_a_report_is_stamped_and_says_how_to_check_it() -> None:
    """It carries the digests of the sweep and of the model, and the two commands."""
    page = sweeps.document(Sweep(TWO), "mine.sweep.json")
    assert {"sweep": TWO["sha256"], "model": TWO["model_sha256"]} == digests_in(html.page(page))
    (listing,) = [part for part in page.blocks if isinstance(part, Listing)]
    assert ("pomgcheck verify mine.sweep.json", "pomgcheck verify mine.sweep.json --replay") == listing.lines


def test_ids_are_apart() -> None:
    """On one page no two drawings share an id, and a reference points inside its own drawing."""
    page = html.page(sweeps.document(Sweep(TWO)))
    ids = re.findall(r' id="([^"]+)"', page)
    assert sorted(set(ids)) == sorted(ids)
    assert set(re.findall(r'(?:href="#|url\(#)([^")]+)', page)) <= set(ids)


def test_a_sweep_beside_a_certificate(tmp_path: Path) -> None:
    """It is refused, and the sentence says what can stand together."""
    with pytest.raises(InputError, match="found 1 certificate, 1 sweep, required files of one kind to compare"):
        report([TWO, samples.patrol()], tmp_path / "x.html")
    assert [] == list(tmp_path.iterdir())
