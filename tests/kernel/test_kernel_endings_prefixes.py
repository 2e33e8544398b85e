"""What endings say of a class holds at every prefix of it, to the last bit: prefixes are walked one by one, in fractions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf, isqrt
from typing import Any

import pytest

from pomgcheck.kernel.budget import OverBudget
from pomgcheck.kernel.endings import FINE, ONE, EndingPlay
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.logarithms import log_enclosure
from pomgcheck.kernel.operators import total
from pomgcheck.kernel.play import COARSE, Play
from pomgcheck.options import Options
from tests.search.classes import Shape, Tables, small_class
from tests.search.small import document

ROOM = Fraction(400, 1 << COARSE)  # what roundings of logarithms may lose
STAYS = [[["1", "0"]], [["0", "1"]]]  # for either state and the one answer: the next state


def held(first: Any, second: Any, moves: Any, initial: list[str]) -> Any:
    """Two states that the first step keeps and shows, and whose moves in the second differ between two worlds."""
    emission = {"steps": [first, second]}
    replies = {"table": {"p": [["1"]]}}
    found = document("held", learner=first, moves=STAYS, worlds={"x": ["0", "1"]}, responses=replies, initial=initial)
    found["worlds"]["learner_emission"] = emission
    found["worlds"]["transition"] = {"steps": [[[row] for row in rows] for rows in (STAYS, moves)]}
    return found


# (W - W')q is x (q0 - q1) and x (q0 - 9 q1) at the second step, zero at the mean states (1/2, 1/2) and (9/10, 1/10)
BLIND: Any = [["1/2", "1/2"], ["1/2", "1/2"]]
EVEN = held(
    [["1/50", "1/100", "97/100"], ["1/100", "1/50", "97/100"]],
    [["1/3", "1/3", "1/3"]] * 2,
    [[["(3+x)/8", "(5-x)/8"]], [["(5-x)/8", "(3+x)/8"]]],
    ["1/2", "1/2"],
)
ODD = held(
    [["99/100", "1/100"], ["1/100", "99/100"]],
    BLIND,
    [[["(9+x)/20", "(11-x)/20"]], [["(11-9*x)/20", "(9+9*x)/20"]]],
    ["9/10", "1/10"],
)
SWAP = held([["99/100", "1/100"], ["1/100", "99/100"]], BLIND, [[["1-x", "x"]], [["x", "1-x"]]], ["9/10", "1/10"])
# horizon, states, actions and observations of either side, worlds, responses, policies, windows; seed; chance of a zero
CLASSES = [
    small_class(Shape(3, 2, 2, 1, 2, 1, 2, 1, 1, (2, 1)), Tables(1, 0, 1, 0.5)),
    small_class(Shape(4, 2, 1, 1, 2, 1, 3, 1, 1, (1, 1)), Tables(2, 0.25, 1, 0.5)),
    small_class(Shape(4, 2, 1, 1, 2, 1, 3, 1, 1, (1, 1)), Tables(1, 0.25, 1, 0.5)),
    small_class(Shape(3, 3, 1, 2, 2, 2, 2, 2, 1, (1, 1)), Tables(6, 0.3, 1, 0.5)),
    EVEN,
    ODD,
    SWAP,
]


@cache
def walks(number: int, k: int) -> tuple[Play, EndingPlay]:
    """The walks of a class by all that is to come and by endings of k pairs."""
    facts = Facts(Game(CLASSES[number]), Options().document)
    (exact,), (ended,) = facts.plays, facts.by_endings(k).plays
    assert isinstance(ended, EndingPlay)
    return exact, ended


def prefixes(play: EndingPlay, x: Any) -> Iterator[tuple[int, Any, Any, Any, Fraction]]:
    """Every prefix that a model makes possible before every edge of its class: the step, the class, the edge, the state,
    and the chance that prefix and action occur."""
    here: list[Any] = [(play.levels[0][0], play.scaled.initial(), 1)]
    for h in range(play.game.H):
        after = []
        for node, q, chances in here:
            for edge in node.edges:
                yield h, node, edge, q, Fraction(total(q) * chances * edge.chance, play.unit(h) * play.scaled.pi)
                if moved := play.image(h, edge.o, edge.a, x, q):
                    after.append((edge.child, moved, chances * edge.chance))
        here = after


def trajectories(play: EndingPlay, x: Any) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
    """The edges of every trajectory that a model makes possible, and its chance."""
    here: list[Any] = [((), play.levels[0][0], play.scaled.initial(), 1)]
    for h in range(play.game.H):
        here = [
            ((*edges, (node, edge)), edge.child, moved, chances * edge.chance)
            for edges, node, q, chances in here
            for edge in node.edges
            if (moved := play.image(h, edge.o, edge.a, x, q))
        ]
    return ((edges, Fraction(total(q) * chances, play.unit(play.game.H))) for edges, _, q, chances in here)


def chance(play: EndingPlay, h: int, edge: Any, x: Any, q: Any) -> Fraction:
    """The chance of the observation of an edge at a state."""
    return Fraction(play.mass(h, edge.o, x, q), total(q) * play.scaled.J)


def size(play: EndingPlay, h: int, edge: Any, x: Any, y: Any, q: Any) -> Fraction:
    """The norm of the difference of two models at a state."""
    return Fraction(play.norm(h, edge.o, edge.a, x, y, q), total(q) * play.scaled.J)


CASES = pytest.mark.parametrize(("number", "k"), [*product(range(4), (0, 1)), (4, 0), (5, 0), (6, 0)])


def test_classes_hold_more_than_one_prefix() -> None:
    """All of them do before the last step."""
    for exact, ended in (walks(*case) for case in CASES.args[1]):
        assert len(ended.levels[-1]) < len(exact.levels[-1])


@pytest.mark.parametrize("number", [4, 5])
def test_what_the_mean_state_hides_is_not_taken_for_equal(number: int) -> None:
    """At the second step the norm is zero at the mean state, and at no other; where only that step is asked, the models
    differ."""
    exact, ended = walks(number, 0)
    x, y = ended.models
    last = [(h, node, edge) for h, node, edge in ended.edges if h == 1]
    assert {0} == {ended.norm(h, edge.o, edge.a, x, y, node.states[0] or {}) for h, node, edge in last}
    assert any(exact.norm(h, edge.o, edge.a, x, y, node.states[0] or {}) for h, node, edge in exact.edges if h == 1)
    blind = EndingPlay(ended.game, ended.scaled, ended.space, 0, 10, 0)
    blind.edges = [each for each in blind.edges if each[0] == 1]
    assert blind.differs(x, y)


@CASES
def test_ends_hold_at_every_prefix(number: int, k: int) -> None:
    """The chance of an observation and the norm of a difference are between their ends at every prefix of the class, and
    the mean of the norm is at most that at the mean state and what is added to it."""
    _, ended = walks(number, k)
    edges = {id(edge): n for n, (_, _, edge) in enumerate(ended.edges)}
    for x, y in product(ended.models, [*ended.models, *{y[0] for y in ended.models}]):
        n = ended.number[x]
        means: dict[int, list[Any]] = defaultdict(lambda: [0, 0])
        for h, node, edge, q, mass in prefixes(ended, x):
            low, high = ended.within[n][edges[id(edge)]]
            assert low <= ONE * chance(ended, h, edge, x, q) <= high
            if edge.after[n]:
                least, most, more = ended.norms_within(h, node, edge, x, y)
                assert least <= ONE * size(ended, h, edge, x, y, q) <= most
                whole = size(ended, h, edge, x, y, node.states[n]) * ONE + more
                at = means[id(edge)]
                at[0], at[1] = at[0] + mass * (whole - ONE * size(ended, h, edge, x, y, q)), at[1] + mass
        assert all(left >= 0 < weight for left, weight in means.values())


@CASES
def test_sums_of_norms_and_of_their_squares_are_between_their_ends(number: int, k: int) -> None:
    """Both sums over all prefixes."""
    _, ended = walks(number, k)
    for x, y in product(ended.models, [*ended.models, *{y[0] for y in ended.models}]):
        norms = squares = Fraction(0)
        for h, _, edge, q, mass in prefixes(ended, x):
            norm = size(ended, h, edge, x, y, q)
            norms += mass * chance(ended, h, edge, x, q) * norm
            squares += mass * chance(ended, h, edge, x, q) * norm**2
        low, high = ended.error_ends(x, y)
        assert low <= norms <= high
        for bits in (COARSE, FINE):
            least, most = ended.squares(x, y, bits)
            assert least <= squares * 2**bits <= most
        assert ended.differs(x, y) or not norms


@CASES
def test_means_of_products_are_between_their_ends(number: int, k: int) -> None:
    """With w the ratio of the chances of an edge at the mean states, the mean of its product along a trajectory is between
    the two that are computed, which agree to 2^-64, and no ratio of laws is farther from that product than is said."""
    exact, ended = walks(number, k)
    for x, y in product(ended.models, repeat=2):
        n, m = ended.number[x], ended.number[y]
        laws = dict(trajectories(ended, x))
        mean, strays = Fraction(0), Fraction(0)
        for edges, law in trajectories(ended, y):
            along = Fraction(1)
            for node, edge in edges:
                if edge.after[n] and edge.after[m]:
                    along *= Fraction(edge.after[n] * node.totals[m], edge.after[m] * node.totals[n])
                else:
                    along = Fraction(0)
            mean += law * along
            if edges in laws and along:
                strays = max(strays, laws[edges] / law / along)
        low, high = (ended._tilted(n, m, up) for up in (False, True))
        assert low <= ONE * mean <= high
        assert high - low <= 1 << FINE - COARSE
        assert ended._strays(n, m) == inf or ONE * strays <= ended._strays(n, m)
        if not exact.divergent(x, y):
            known = exact.divergence(x, y, FINE)
            assert ended.least_divergence(x, y, FINE) <= known[1]
            if ended._strays(n, m) != inf != ended._strays(m, n):
                assert known[0] <= ended.divergence(x, y, FINE)[1]


@CASES
def test_affinities_are_bounded(number: int, k: int) -> None:
    """The sum of the roots of products of chances is at most what is said, and that is zero only if it is."""
    _, ended = walks(number, k)
    laws = [dict(trajectories(ended, x)) for x in ended.models]
    fine = 1 << 4 * FINE  # so that a root is rounded to 2^-384
    for x, y in product(ended.models, repeat=2):
        one, two = laws[ended.number[x]], laws[ended.number[y]]
        both = sum(isqrt(p * two[edges] * fine**2 // 1) for edges, p in one.items() if edges in two)
        assert Fraction(both, fine) <= ended.affinity(x, y)
        assert bool(both) == bool(ended.affinity(x, y))


@CASES
def test_divergences_are_those_of_mean_states_and_what_is_added(number: int, k: int) -> None:
    """Below, 1 - E_y prod w is added; above, r^2/8 - log E_y prod w, where r is the length of the interval that the rest of
    log P_x/P_y lies in: all of it to within roundings, and no less."""
    _, ended = walks(number, k)
    more = 40  # bits by which the expected values are finer
    for x, y in product(ended.models, repeat=2):
        if ended.divergent(x, y):
            continue
        n, m = ended.number[x], ended.number[y]
        low, high = (Fraction(end, 4 ** (COARSE + more)) for end in Play.divergence(ended, x, y, COARSE + more))
        one = 1 - Fraction(ended._tilted(n, m, True), ONE)
        assert -ROOM <= Fraction(ended.least_divergence(x, y, COARSE), 4**COARSE) - high - one <= 0
        ratios = ended._strays(n, m), ended._strays(m, n)
        mean = ended._tilted(n, m, False)
        if not mean or inf in ratios:
            with pytest.raises(OverBudget):
                ended.divergence(x, y, COARSE)
            continue
        fine = 1 << COARSE + more
        length = sum(Fraction(log_enclosure(Fraction(ratio, ONE), COARSE + more)[0], fine) for ratio in ratios)
        least = low + length**2 / 8 - Fraction(log_enclosure(Fraction(mean, ONE), COARSE + more)[1], fine)
        assert 0 <= Fraction(ended.divergence(x, y, COARSE)[1], 4**COARSE) - least <= ROOM


@CASES
def test_ratios_of_laws_and_chances_are_bounded(number: int, k: int) -> None:
    """The largest ratio of two laws and the least chance of an observation."""
    exact, ended = walks(number, k)
    laws = [dict(trajectories(ended, x)) for x in ended.models]
    ratio, (x, y, trajectory) = ended.increments
    if all(one.keys() == laws[0].keys() for one in laws):
        assert max(one[edges] / other[edges] for one, other in product(laws, repeat=2) for edges in one) <= ratio
    else:
        assert ratio is None
        named = [edges for edges in laws[x] if trajectory == tuple(n for _, e in edges for n in (e.o, e.a))]
        assert named
        assert named[0] not in laws[y]
    least = min(
        p for x in ended.models for h, _, edge, q, _ in prefixes(ended, x) if (p := chance(ended, h, edge, x, q))
    )
    assert ended.least_observation() <= least == exact.least_observation()
