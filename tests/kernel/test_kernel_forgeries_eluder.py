"""Forgeries of Proposition 2.6: brackets that are too narrow, and sequences that are not independent."""

from __future__ import annotations

import pytest

from tests.kernel.forged import Forgery, again, distinct, evidence, exchanged, refuses, value

E = "eluder-world"
A = "eluder-adversary"


FORGERIES = distinct(
    # finite classes
    Forgery(
        "an entry of the sequence twice",
        "drift",
        (again("claims", E, "evidence", "sequence"), value(E, d_W_lower="2", d_W_upper="2")),
        "eluder-world eval: found d_W_upper = 2",
    ),
    Forgery(
        "a sequence of nothing has length one",
        "drift",
        (evidence(E, "sequence", to=[]),),
        "eluder-world sequence: found a sequence of 0 queries",
    ),
    Forgery(
        "a lower end without its sequence",
        "drift",
        (value(E, d_W_lower="2"),),
        "eluder-world sequence: found a sequence of 1 queries",
    ),
    Forgery(
        "an upper end below the true one",
        "drift",
        (value(E, d_W_lower="0", d_W_upper="0"), evidence(E, "sequence", to=[])),
        "eluder-world eval: found d_W_upper = 0",
    ),
    Forgery(
        "an upper end above the kernel's", "drift", (value(E, d_W_upper="2"),), "eluder-world eval: found d_W_upper = 2"
    ),
    Forgery("a rank of zero", "drift", (value(E, p_W="0"),), "eluder-world eval: found p_W = 0"),
    Forgery(
        "a square that is larger",
        "drift",
        (evidence(E, "sequence", 0, "square", to="1/2"),),
        "eluder-world sequence: found other squares at query 1",
    ),
    Forgery(
        "a query of the reference model itself",
        "drift",
        (evidence(E, "sequence", 0, "theta", "x", to="0"),),
        "eluder-world sequence: found query 1 with square 0 and 0 before it",
    ),
    Forgery(
        "a scale below 1/(2T)",
        "drift",
        (evidence(E, "scale_squared", to="1/1073741825"),),
        "eluder-world sequence: found the squared scale 1/1073741825",
    ),
    Forgery(
        "a scale of zero",
        "drift",
        (evidence(E, "scale_squared", to="0"),),
        "eluder-world sequence: found the squared scale 0",
    ),
    Forgery(
        "a scale above the square",
        "drift",
        (evidence(E, "scale_squared", to="1/2"),),
        "eluder-world sequence: found query 1 with square 68112009/268435456 and 0 before it",
    ),
    Forgery(
        "a query of the other channel",
        "drift",
        (
            evidence(
                E,
                "sequence",
                0,
                to={"Phi": {"y": "1/4"}, "before": "0", "pi": "watch", "square": "173421440721/70368744177664"},
            ),
        ),
        "eluder-world read eluder-world.evidence.sequence: found no key 'theta'",
    ),
    Forgery(
        "a reference model outside the class",
        "drift",
        (evidence(E, "xi_star", "theta", "x", to="1"),),
        "eluder-world read eluder-world.theta: found {'x': '1'}",
    ),
    Forgery(
        "another reference model with the same squares",
        "drift",
        (evidence(E, "xi_star", to={"Phi": {"y": "1/4"}, "theta": {"x": "1/8"}}),),
        "eluder-world sequence: found query 1 with square 0 and 0 before it",
    ),
    Forgery(
        "a square before, of nothing",
        "drift",
        (evidence(A, "sequence", 0, "before", to="1/4"),),
        "eluder-adversary sequence: found other squares at query 1",
    ),
    Forgery(
        "the adversary's sequence under a policy answered alike",
        "drift",
        (evidence(A, "sequence", 0, "pi", to="idle"),),
        "eluder-adversary sequence: found query 1 with square 0 and 0 before it",
    ),
    Forgery(
        "the adversary's dimension is zero",
        "drift",
        (value(A, d_G_lower="0", d_G_upper="0"), evidence(A, "sequence", to=[])),
        "eluder-adversary eval: found d_G_upper = 0",
    ),
    Forgery(
        "the adversary's sequence is of the reference response",
        "drift",
        (evidence(A, "sequence", 0, "Phi", "y", to="1/8"),),
        "eluder-adversary sequence: found query 1 with square 0 and 0 before it",
    ),
    Forgery(
        "the adversary's rank is that of two", "drift", (value(A, p_G="2"),), "eluder-adversary eval: found p_G = 2"
    ),
    Forgery(
        "an entry of the adversary's sequence twice",
        "drift",
        (again("claims", A, "evidence", "sequence"), value(A, d_G_lower="2")),
        "eluder-adversary sequence: found query 2 with square 173421440721/70368744177664 and 17342",
    ),
    Forgery(
        "a finer scale for the adversary",
        "drift",
        (evidence(A, "scale_squared", to="1/10737418240"),),
        "eluder-adversary sequence: found the squared scale 1/10737418240",
    ),
    Forgery(
        "a policy nobody has",
        "drift",
        (evidence(A, "sequence", 0, "pi", to="Watch"),),
        "eluder-adversary read eluder-adversary.pi: found 'Watch'",
    ),
    Forgery(
        "a dimension that is half",
        "drift",
        (value(A, d_G_lower="1/2"),),
        "eluder-adversary sequence: found a sequence of 1 queries",
    ),
    Forgery(
        "a dimension of a negative number of queries",
        "drift",
        (value(A, d_G_lower="-1", d_G_upper="-1"), evidence(A, "sequence", to=[])),
        "eluder-adversary eval: found d_G_upper = -1",
    ),
    # interval axes
    Forgery(
        "an entry of the sequence twice",
        "interval-bandit",
        (again("claims", E, "evidence", "sequence"), value(E, d_W_lower="3", d_W_upper="3")),
        "eluder-world sequence: found d_W_upper 3, rank 2",
    ),
    Forgery(
        "queries in an order that is not independent",
        "interval-answers",
        (exchanged(("claims", E, "evidence", "sequence", 0), ("claims", E, "evidence", "sequence", 1)),),
        "eluder-world sequence: found other squares at query 1",
    ),
    Forgery(
        "a query of a point outside",
        "interval",
        (evidence(E, "sequence", 0, "theta", "x", to="3/2"),),
        "eluder-world read worlds: found {'x': '3/2'}",
    ),
    Forgery(
        "a scale finer than the sequence's",
        "interval-answers",
        (evidence(E, "scale_squared", to="1/1073741824"),),
        "eluder-world sequence: found query 2 with square 33536503327041/72057594037927936 and 8169",
    ),
    Forgery(
        "a square of a nearer point",
        "interval",
        (evidence(E, "sequence", 0, "theta", "x", to="3/4"),),
        "eluder-world sequence: found other squares at query 1",
    ),
    Forgery(
        "an upper end below the lower",
        "interval-answers",
        (value(E, d_W_upper="1"),),
        "eluder-world sequence: found d_W_upper 1, rank 3",
    ),
    Forgery(
        "a rank of constants",
        "interval-bandit",
        (value(E, p_W="1"),),
        "eluder-world sequence: found d_W_upper 2, rank 1",
    ),
    Forgery(
        "entries vary by less",
        "interval",
        (evidence(E, "bounds", "+1+1*theta.x", to=["1", "3/2"]),),
        "eluder-world box: found no proof of +1-2*theta.x >= 0",
    ),
    Forgery(
        "entries do not vary",
        "interval",
        (evidence(E, "bounds", "+1+1*theta.x", to=["1", "1"]),),
        "eluder-world box: found no proof of -1*theta.x >= 0",
    ),
    Forgery(
        "a bound of three ends",
        "interval",
        (evidence(E, "bounds", "+1+1*theta.x", to=["1", "2", "3"]),),
        "eluder-world read eluder-world.bounds[+1+1*theta.x]: found 3 entries",
    ),
    Forgery(
        "a tree for the goal of another polynomial",
        "interval-quotients",
        (evidence(E, "trees", to={}),),
        "eluder-world box: found no proof of +2442-4393*theta.x+1993*theta.x*theta.x >= 0",
    ),
    Forgery(
        "the adversary's sequence of another cell",
        "interval-answers",
        (evidence(A, "xi_star", "theta", "z", to="1/3"),),
        "eluder-adversary sequence: found other squares at query 1",
    ),
    Forgery(
        "the adversary's response differs by less",
        "interval-answers",
        (evidence(A, "bounds", "+1+2*Phi.y", to=["5/4", "4/3"]),),
        "eluder-adversary box: found no proof of +1-6*Phi.y >= 0",
    ),
    Forgery(
        "an adversary that never moves has a query",
        "interval",
        (value(A, d_G_lower="1", d_G_upper="1"),),
        "eluder-adversary sequence: found d_G_upper 1, rank 0",
    ),
)


@pytest.mark.parametrize("forgery", FORGERIES, ids=str)
def test_forgery(forgery: Forgery) -> None:
    """The kernel refuses what the label says, for the reason stated."""
    refuses(forgery)
