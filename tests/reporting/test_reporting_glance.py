"""What a page on a certificate shows first: every verdict, the game, and what is proved of the regret over T."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pomgcheck import gallery
from pomgcheck.certificate import Certificate
from pomgcheck.reporting.drawings import bound_over_time, one_step
from pomgcheck.reporting.drawings.bound_over_time import ABOVE, BELOW, LETTER, Curve, Mark, along, distance
from pomgcheck.reporting.pages import certificates
from pomgcheck.reporting.pages.glance import glance
from pomgcheck.reporting.render import html, markdown, text

CERTIFICATES = Path(__file__).parents[2] / "certificates"
WORTH = (("regret", "worth_T"), ("constants", "T_star"))
SVG = "{http://www.w3.org/2000/svg}"


@cache
def certificate(name: str) -> Certificate:
    """A committed certificate."""
    return Certificate.load(CERTIFICATES / f"{name}.cert.json")


def words(svg: str) -> list[str]:
    """The texts of a drawing, in order."""
    root = ElementTree.fromstring(svg.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1))
    return ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]


def test_refuted_claims_stand_first() -> None:
    """Of silent-action the one refuted claim comes before the vacuous ones, and all sixteen are there."""
    shown = glance(certificate("silent-action")).verdicts
    assert ("2.4", "weak-revealing", "refuted") == shown[0]
    assert ["vacuous", "vacuous"] == [verdict for *_, verdict in shown[1:3]]
    assert {*certificate("silent-action").claims} == {id for _, id, _ in shown}


def test_every_verdict_leads_to_its_section() -> None:
    """The anchors of the first screen are anchors of the page."""
    page = html.page(certificates.document(certificate("tiger")))
    first = page[page.index('<ul class="verdicts"') : page.index("</ul>")]
    wanted = re.findall(r'href="#([a-z-]+)"', first)
    assert 16 == len(wanted)
    assert [] == [anchor for anchor in wanted if f'id="{anchor}"' not in page]


def test_the_game_is_drawn_in_the_words_of_the_class() -> None:
    """Patrol's labels and rule stand in the drawing, and long lists are counted."""
    said = words(one_step.svg(certificate("patrol").outline))
    game = certificate("patrol").model["game"]
    assert ", ".join(game["learner_actions"]) in said
    assert "It answers the average of the last 2 policies." in said
    assert "J, Jpb, Q, Qpb, K, … (12)" in words(one_step.svg(certificate("kuhn").outline))


def test_the_drawing_says_that_a_fading_rule_answers_all_past_policies() -> None:
    """It has no memory in episodes, and is not told as the rule of memory 1."""
    fading = Certificate.load(CERTIFICATES.parent / "tests" / "accepted" / "drift-fading.cert.json")
    assert "It answers all past policies, the older the less." in words(one_step.svg(fading.outline))


@pytest.mark.parametrize(
    ("labels", "shown"),
    [(["a", "b"], "a, b"), (["x" * 30, "y"], "2 labels"), ([f"state{k}" for k in range(9)], "state0, state1, … (9)")],
)
def test_a_list_of_labels_is_counted_where_it_is_long(labels: list[str], shown: str) -> None:
    """As many as there is room for, whole, and how many there are."""
    assert shown == one_step.names(labels)


def test_a_class_of_operators_has_no_game_to_draw() -> None:
    """It has no kernels: nobody is said to see or move anything."""
    assert () == glance(certificate("patrol-operators")).pictures


def test_nothing_is_concluded_from_a_refuted_class() -> None:
    """Silent-action has its game and no bound."""
    assert ["The game"] == [picture.name for picture in glance(certificate("silent-action")).pictures]


def test_the_bound_is_drawn_beside_what_no_play_exceeds() -> None:
    """Tiger's picture has both theorems, D T, and for each the T from which it is below that."""
    svg = glance(certificate("tiger")).pictures[1].svg
    values = {claim.id: claim.values.written for claim in certificate("tiger").claims.values()}
    first, later = (f"T = {int(values[claim][name]):,}" for claim, name in WORTH)
    said = words(svg)
    assert [first, later, "Theorem N", "Theorem 3.3", "D T"] == [each for each in said if each[0] in "TD"]
    assert 3 == svg.count("<polyline")


@pytest.mark.parametrize("name", ["watch", "patrol", "odds", "tiger", "kuhn", "bandit", "linear", "drifts"])
def test_the_name_of_a_line_touches_no_line(name: str) -> None:
    """The box of each name is clear of every line of the drawing, its own too, and nearest to its own."""
    svg = glance(certificate(name)).pictures[1].svg
    found = re.findall(r'<polyline class="curve (\w+)" points="([^"]+)"', svg)
    lines = {kind: along([(float(x), float(y)) for x, y in (p.split(",") for p in ps.split())]) for kind, ps in found}
    for kind, right, baseline, word in re.findall(
        r'<text class="(bound|other|trivial)" x="(\S+)" y="(\S+)"[^>]*>([^<]+)', svg
    ):
        box = float(right) - LETTER * len(word), float(right), float(baseline) - ABOVE, float(baseline) + BELOW
        near = {each: distance(box, line) for each, line in lines.items()}
        assert 4 < min(near.values())
        assert near[kind] == min(near.values())


def test_curves_are_where_their_numbers_are() -> None:
    """On logarithmic axes a point a decade further right or up is moved by the same length, whatever the decade."""
    svg = bound_over_time.svg([Curve("c", "bound", [(1, 1.0), (10, 10.0), (100, 100.0)])], [], "a line")
    points = re.findall(r'points="([^"]+)"', svg)[0].split()
    (x0, y0), (x1, y1), (x2, y2) = (tuple(map(float, point.split(","))) for point in points)
    assert pytest.approx(x1 - x0, abs=0.2) == x2 - x1
    assert pytest.approx(y1 - y0, abs=0.2) == y2 - y1


def test_the_mark_stands_on_the_axis_at_its_T() -> None:
    """A mark at T = 10 stands below the point of the curve at 10."""
    svg = bound_over_time.svg([Curve("c", "bound", [(1, 1.0), (10, 5.0), (100, 9.0)])], [Mark(10, 5.0, "here")], "")
    x, y = re.findall(r'points="\S+ (\S+),(\S+) ', svg)[0]
    assert f'cx="{x}" cy="{y}"' in svg


def test_other_forms_of_a_report_do_not_have_it() -> None:
    """Text and Markdown say the same in their tables."""
    report = certificates.document(certificate("tiger"))
    assert report.glance is not None
    assert "<svg" not in markdown.page(report)
    assert "The game. An episode has" not in text.render(report.blocks)


@pytest.mark.parametrize("name", gallery.names())
def test_every_class_of_the_gallery_has_a_first_screen(name: str) -> None:
    """Its drawings are well-formed and say in a title what they show."""
    if not (CERTIFICATES / f"{name}.cert.json").is_file():
        pytest.skip(f"{name} has no certificate that is kept")
    for picture in glance(certificate(name)).pictures:
        root = ElementTree.fromstring(picture.svg)
        assert root.find("title") is not None
