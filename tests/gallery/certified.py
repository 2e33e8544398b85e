"""The certificates on a continuum that are kept, small ones made now, and sampled models of their classes."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import gallery
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import read_json
from pomgcheck.modelclass.document import load
from pomgcheck.search.certify import certify
from tests.gallery.many import Many, Pairs, pairs
from tests.search import continua

DISTANCES = (None, *(Fraction(1, 10**k) for k in (3, 4, 5, 6, 7, 8, 9)))
CERTIFICATES = Path(__file__).parents[2] / "certificates"
GALLERY = [
    name for name in gallery.playable() if name not in gallery.names("partly") and not gallery.load(name).game.finite
]
QUICK = ("posterior-lipschitz", "covering", "bounded-increments", "predictive-states")
SMALL = ("quotient", "triangle", "mixed")
COUNT = 65  # pairs at each distance: 520 of 1,040 models in all


@cache
def certificate(name: str) -> dict[str, Any]:
    """The committed certificate of a class, or one made now: a small class of other tests without its last claims."""
    if name in SMALL:
        return certify(load(continua.CLASSES[name]()), only=QUICK).document
    return dict(read_json((CERTIFICATES / f"{name}.cert.json").read_bytes()))


@cache
def proved(name: str) -> dict[str, dict[str, Any]]:
    """The values of the claims that are proved."""
    return {claim["id"]: claim["values"] for claim in certificate(name)["claims"] if claim["verdict"] == "proved"}


def of(name: str, claim: str) -> dict[str, Any]:
    """The values of one claim; the test has nothing to check where it is not proved."""
    if claim not in proved(name):
        pytest.skip(f"{claim} of {name} is not proved")
    return proved(name)[claim]


@cache
def sampled(name: str, distance: int) -> tuple[Many, Many, Pairs]:
    """Pairs of models at one of the distances."""
    model = certificate(name)["model"]
    game = Game(model)
    near = DISTANCES[distance]
    found = pairs(model, COUNT, distance, near, lambda side, point: game.contains(side, dict(sorted(point.items()))))
    return Many(model, found.first), Many(model, found.second), found


at_every_distance = pytest.mark.parametrize("distance", range(len(DISTANCES)), ids=lambda k: str(DISTANCES[k]))
of_every_class = pytest.mark.parametrize("name", [*GALLERY, *SMALL])
of_the_gallery = pytest.mark.parametrize("name", GALLERY)  # pairs of models are compared in its certificates
