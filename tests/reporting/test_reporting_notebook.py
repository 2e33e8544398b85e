"""What a notebook shows: a table in styles of its own, no script, labels escaped."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pomgcheck import gallery, repair
from pomgcheck.certificate import Certificate
from pomgcheck.experiments.record import ExperimentRecord
from pomgcheck.kernel.check import Verdict
from pomgcheck.learner.record import RunRecord
from pomgcheck.search.sweep_file import Sweep
from tests.reporting import samples, sweep_samples
from tests.reporting.test_reporting_pages import Page

EXPERIMENT = Path(__file__).parents[2] / "reports" / "experiments" / "necessity.experiment.json"
OBJECTS = {
    "certificate": (lambda: Certificate(samples.patrol()), "Posterior-Lipschitz|posterior-lipschitz"),
    "run": (lambda: RunRecord(samples.run_record()), "epoch-omle"),
    "sweep": (lambda: Sweep(sweep_samples.two_knobs()), "noise"),
    "experiment": (lambda: ExperimentRecord(json.loads(EXPERIMENT.read_bytes())), "Paper"),
    "repair": (lambda: repair("silent-action"), "Leave out|weak-revealing"),
    "floor": (lambda: repair("silent-action", target="1/10"), "With this floor"),
    "model class": (lambda: gallery.load("patrol"), "4: .*idle"),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_shown_as_a_table(name: str) -> None:
    """Each object is a table that says what it is, well-formed, with no script and nothing to load."""
    make, word = OBJECTS[name]
    shown = make()._repr_html_()
    found = Page(shown)
    assert [] == found.open
    assert found.all("table")
    assert re.search(word, found.words)
    assert [] == found.all("script") + found.all("link") + found.all("img")


@pytest.mark.parametrize("name", OBJECTS)
def test_styles_stay_inside(name: str) -> None:
    """Every rule of its style sheet stands under one selector, so that no other cell is touched."""
    (style,) = re.findall(r"<style>(.*?)</style>", OBJECTS[name][0]()._repr_html_(), re.DOTALL)
    depth, outside = 0, ""
    for character in style:
        depth += {"{": 1, "}": -1}.get(character, 0)
        outside += character if not depth and character != "}" else ""
    assert (0, ".pomgcheck") == (depth, outside.strip())


def test_a_verdict_is_its_line() -> None:
    """The kernel imports nothing, so its answer is the line it prints, escaped."""
    assert "<code>REJECTED a&lt;b &amp; c</code>" == Verdict(False, "REJECTED a<b & c")._repr_html_()


def test_repairs_are_equal_where_they_say_the_same() -> None:
    """Found twice a repair is one, and a floor is none of these."""
    assert repair("silent-action") == repair("silent-action")
    assert hash(repair("silent-action")) == hash(repair("silent-action"))
    assert repair("silent-action") != repair("silent-action", target="1/10")
