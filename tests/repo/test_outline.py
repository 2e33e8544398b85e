"""The outline of a class has what its document says, for classes of every kind."""

from __future__ import annotations

from pathlib import Path

import pytest

from pomgcheck import Certificate, gallery
from pomgcheck.evidence import Xi
from pomgcheck.kernel.game import Game
from pomgcheck.outline import AxisOutline, Outline, SideOutline

ROOT = Path(__file__).parents[2]
CERTIFICATES = sorted([*ROOT.glob("certificates/*.cert.json"), *ROOT.glob("tests/accepted/*.cert.json")])


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.name.removesuffix(".cert.json"))
def test_an_outline_agrees_with_the_kernels_reading_of_the_document(path: Path) -> None:
    """Horizon, labels, policies, memory and interval axes are those of the kernel's game."""
    certificate = Certificate.load(path)
    outline, document = certificate.outline, certificate.model
    assert (document["name"], "operators" in document) == (outline.name, outline.by_operators)
    assert outline == Outline.of(document)
    if outline.by_operators:
        assert ((), (), ()) == (outline.states, outline.adversary_actions, outline.adversary_observations)
        return
    game = Game(document)
    assert (game.H, [*game.policy_names]) == (outline.horizon, [*outline.policies])
    assert [*map(list, (game.S, game.A, game.B, game.OA, game.OB))] == [
        *map(
            list,
            (
                outline.states,
                outline.learner_actions,
                outline.adversary_actions,
                outline.learner_observations,
                outline.adversary_observations,
            ),
        )
    ]
    assert (game.finite, outline.memory is None) == (not outline.on_intervals, outline.block_rule == "fading")
    if game.truth is not None:
        assert outline.truth == Xi.stated(document["truth"])
        assert {*outline.truth.theta} == {*outline.worlds.names}


def test_parameters_are_axes_or_points() -> None:
    """Values, ends of an interval, constraints and listed points are told apart."""
    axes = {"y": {"interval": ["0", "1"]}, "x": {"values": ["1/2", "3/4"]}}
    side = SideOutline.of({"parameters": axes, "constraints": ["x + y <= 1"]})
    assert {"x": AxisOutline(False, ["1/2", "3/4"]), "y": AxisOutline(True, ["0", "1"])} == side.axes
    assert (["x", "y"], ["x + y <= 1"], None) == (side.names, side.constraints, side.points)
    listed = SideOutline.of({"points": [{"z": "0", "x": "1"}]})
    assert (["x", "z"], {}) == (listed.names, listed.axes)


def test_what_a_document_does_not_say_is_empty() -> None:
    """A class without a truth, a description or a linear response has none."""
    document = dict(gallery.load("patrol").document)
    for key in ("truth", "description", "source"):
        document.pop(key, None)
    outline = Outline.of(document)
    assert (None, None, None, None) == (outline.truth, outline.description, outline.source, outline.features)
