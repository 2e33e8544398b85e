"""Learner prefixes after which the future is the same are one node, and nothing that is claimed changes by it."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.kernel import check
from pomgcheck.kernel.case import Case
from pomgcheck.kernel.claims import BY_ID
from pomgcheck.kernel.claims.kl import unclear
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.moments import SecondMoments
from pomgcheck.kernel.nested import Ranked
from pomgcheck.kernel.operators import J, W, distance, total
from pomgcheck.kernel.play import ROOT, Play
from pomgcheck.kernel.reading import Malformed
from pomgcheck.kernel.walk import COARSE, extremes
from pomgcheck.modelclass.document import load
from pomgcheck.options import Options
from pomgcheck.search.certify import certify
from pomgcheck.search.exact import enclosures
from tests.kernel.editing import canonical, edited, put
from tests.kernel.trajectories import BITS, Trajectory, trajectories
from tests.search import small
from tests.search.classes import Shape, Tables, documents, model_of, small_class

Trajectories = dict[tuple[int, ...], Trajectory]
PLAYED = ("bounded-increments", "predictive-states", "kl-joint", "kl-world")


def coming_back(seed: int) -> Any:
    """A class whose predictive states come back: tiger with other numbers and one step more."""
    document = gallery.load("tiger").document
    worlds = document["worlds"] | {"parameters": {"x": {"values": [f"{seed % 7 + 1}/10", "9/10"]}}}
    truth = {"worlds": {"x": "9/10"}, "responses": document["truth"]["responses"]}
    return document | {"worlds": worlds, "truth": truth, "game": document["game"] | {"horizon": 4}}


def divergence(law: list[tuple[Fraction, Fraction, Fraction]]) -> tuple[Fraction, Fraction]:
    """The ends of sum w p log(p/q) over (w, p, q)."""
    with flint.ctx.workprec(400):
        value = flint.arb(0)
        for w, p, q in law:
            value += enclosures.arb(w * p) * enclosures.arb(p / q).log()
        return enclosures.rational_ends(value)


def plays(document: Any, space: str = "window") -> list[Play]:
    game = Game(document)
    if None in (game.learner_window, game.adversary_window):
        space = "history"
    return Facts(game, Options(space=space).document).plays


CLASSES = st.one_of(documents(full=True), st.integers(0, 6).map(coming_back))


@settings(max_examples=30)
@given(CLASSES)
def test_masses_and_norms_are_those_of_the_operators(document: Any) -> None:
    """Along every edge the masses that follow and the norms of differences are those of J q and W q, as the formulas of
    the operators give them, whether or not the learner's emissions differ between two worlds."""
    for play in plays(document):
        worlds, responses = play.scaled.worlds, play.scaled.responses
        for h, node, edge in play.edges:
            o, a = edge.o, edge.a
            for x, q, mass in zip(play.models, node.states, edge.after, strict=True):
                seen = {i: W(world, h, o, a, q or {}) for i, world in enumerate(worlds)}
                moved = {
                    (i, k): J(play.space, worlds[i], responses[k][play.p], h, o, a, q or {}) for i, k in play.models
                }
                assert total(moved[x]) == mass
                for y in play.models:
                    assert distance(moved[x], moved[y]) == play.norm(h, o, a, x, y, q or {})
                    assert distance(seen[x[0]], seen[y[0]]) * play.scaled.g == play.norm(h, o, a, x, y[0], q or {})


@settings(max_examples=40)
@given(CLASSES)
def test_what_is_said_of_laws_is_so_of_all_trajectories(document: Any) -> None:
    """B_0, 3.1(d), which laws are equal, which divergences are infinite, their values, mean rewards and affinities:
    of the merged walk as of the laws of play, trajectory by trajectory."""
    for play in plays(document):
        every = trajectories(play)
        laws = [law for _, law in every.values()]
        ratio, place = play.increments
        if ratio is None:
            assert not every[place.trajectory].law[play.models[place.y]]
            assert every[place.trajectory].law[play.models[place.x]]
            assert any(not all(law.values()) for law in laws)
        else:
            assert ratio == max(max(law.values()) / min(law.values()) for law in laws)
            law = every[place.trajectory].law
            assert ratio == law[play.models[place.x]] / law[play.models[place.y]]
        equal = {*play.of_one_law()}
        for x, y in product(play.models, repeat=2):
            assert play.same_law(x, y) == all(law[x] == law[y] for law in laws)
            assert ((x, y) in equal) == (x != y and play.same_law(x, y))
            assert play.divergent(x, y) == any(law[x] and not law[y] for law in laws)
            if not play.divergent(x, y):
                exact = divergence([(w, law[x], law[y]) for w, law in every.values() if law[x]])
                ends = [Fraction(end, 1 << 2 * BITS) for end in play.divergence(x, y, BITS)]
                assert ends[0] <= exact[0] <= exact[1] <= ends[1] < ends[0] + Fraction(1, 1 << BITS // 2)
            least, most = affinity_ends(every, x, y)
            affinity = play.affinity(x, y)
            assert least <= Fraction(play.near(x, y), 1 << 2 * COARSE)
            assert least <= affinity <= most + Fraction(1, 1 << ROOT - 16)
            assert bool(affinity) == any(law[x] and law[y] for law in laws)
        assert all(play.value(x) == value_of(every, play, x) for x in play.models)


def value_of(every: Trajectories, play: Play, x: Any) -> Fraction:
    """The mean of the rewards of a trajectory, trajectory by trajectory."""
    paid = (
        w * law[x] * sum((play.game.reward[h][o] for h, o in enumerate(tau[::2])), Fraction(0))
        for tau, (w, law) in every.items()
    )
    return sum(paid, Fraction(0))


@pytest.mark.parametrize("windows", [(1, 2), (2, 1), (3, 2)])
def test_prefixes_are_merged_by_what_the_learner_reads(windows: tuple[int, int]) -> None:
    """Where the two players read windows of different lengths, and see as many things each, the walk chooses actions by
    the learner's: its mean rewards are those of all trajectories, and these are as often played as policies say."""
    document = small_class(Shape(3, 2, 2, 2, 3, 2, 2, 1, 2, windows), Tables(3, 0.2, 1, 1))
    for play in plays(document):
        every = trajectories(play)
        assert all(play.value(x) == value_of(every, play, x) for x in play.models)
        for tau, (weight, _) in every.items():
            seen = [tau[: 2 * h + 1 : 2][-windows[0] :] for h in range(3)]
            rows = [int("".join(map(str, row)), 3) for row in seen]
            chances = [play.game.policies[play.p][h][row][tau[2 * h + 1]] for h, row in enumerate(rows)]
            assert prod(chances) == weight


def affinity_ends(every: Trajectories, x: Any, y: Any) -> tuple[Fraction, Fraction]:
    """The ends of sum_tau sqrt(P_x P_y), trajectory by trajectory, far finer than the kernel's bounds."""
    with flint.ctx.workprec(400):
        roots = (enclosures.arb(w * w * law[x] * law[y]).sqrt() for w, law in every.values())
        return enclosures.rational_ends(sum(roots, flint.arb(0)))


@pytest.mark.parametrize(
    "chance", ["1/3", "1/10000000000", "1/100000000000000000000", "1/10000000000000000000000000000000", "0"]
)
def test_what_is_rare_counts(chance: str) -> None:
    """Two worlds agree in one observation alone, down to one that is rarer than a unit of any rounding: their affinity is
    its chance, a power of it over two steps, and both bounds hold it; it is zero only where the chance is."""
    rest = f"1-{chance}"
    for horizon in (1, 2):
        document = small.document(
            "rare",
            learner=[[f"x*({rest})", chance, f"(1-x)*({rest})"]],
            moves=[[["1"]]],
            worlds={"x": ["0", "1"]},
            responses={"table": {"p": [["1"]]}},
            horizon=horizon,
        )
        (play,) = plays(load(document).document)
        exact, room = Fraction(chance) ** horizon, Fraction(1, 1 << ROOT - 8)
        affinity = play.affinity((0, 0), (1, 0))
        assert exact <= affinity <= exact + (room if exact else 0)
        assert exact <= Fraction(play.near((0, 0), (1, 0)), 1 << 2 * COARSE)
        assert (Fraction(chance) or 1) == play.least_observation()


@settings(max_examples=40)
@given(CLASSES)
def test_second_moments_bound_the_squares_of_norms(document: Any) -> None:
    """Both bounds of Delta, by Cauchy and Schwarz and by Minkowski's inequality, are no less than Delta, whatever is
    compared."""
    for play in plays(document):
        second = SecondMoments(play)
        most = {x: second.most(x, play.alike) for x in play.models}
        for x, y in product(play.models, play.alike):
            least = play.squares(x, y, BITS)[0] >> BITS - COARSE
            assert least <= most[x][y]
            assert least <= second.most_by_rows(x, y)
            assert play.differs(x, y) or not play.squares(x, y, BITS)[1]


class Columns:
    """J q of a model or W q of a world at a pure state, as the formulas of the operators have it, in the unit of either."""

    def __init__(self, play: Play) -> None:
        self.play, self.of = play, cache(self._of)

    def _of(self, y: Any, h: int, o: int, a: int, state: Any) -> dict[Any, int]:
        play, i = self.play, y[0] if isinstance(y, tuple) else y
        if isinstance(y, tuple):
            return J(play.space, play.scaled.worlds[i], play.scaled.responses[y[1]][play.p], h, o, a, {state: 1})
        return W(play.scaled.worlds[i], h, o, a, {state: 1})


def second_moments(columns: Columns, x: Any, y: Any) -> tuple[Fraction, Fraction, Fraction]:
    """What ``most`` and ``most_by_rows`` bound, edge by edge in fractions: K E||D q||_2^2, and the square of the sum over
    rows of (E (D_k q)^2)^(1/2), a little less; and how much roundings may add to the first, in units of the last bit."""
    play, star = columns.play, x if isinstance(y, tuple) else x[0]
    n, unit = play.number[x], play.scaled.J if isinstance(y, tuple) else play.scaled.W
    every = {z for z in play.alike.values() if isinstance(z, tuple) == isinstance(y, tuple)}
    places: dict[Any, list[tuple[Fraction, Any]]] = {}
    states: dict[Any, set[Any]] = {}
    for h, node, edge in play.edges:
        place = play.kinds[h], edge.o, edge.a
        states.setdefault(place, set()).update(state for q in node.states if q for state in q)
        if edge.after[n]:
            mass = Fraction(node.counts[n] * edge.chance * edge.after[n], play.unit(h + 1))
            places.setdefault(place, []).append((mass, node.states[n]))
    both, by_rows, more = (Fraction(0) for _ in range(3))
    for place, terms in places.items():
        D = {s: difference(columns.of(y, *place, s), columns.of(star, *place, s)) for s in states[place]}
        means, size = [], Fraction(0)
        for k in {k for z in every for s in states[place] for k in columns.of(z, *place, s)}:
            row = {s: Fraction(column.get(k, 0), unit) for s, column in D.items()}
            at = ((mass, sum((row[s] * v for s, v in q.items()), Fraction(0)) / sum(q.values())) for mass, q in terms)
            means.append(sum((mass * value**2 for mass, value in at), Fraction(0)))
            size += sum(entry**2 for entry in row.values())
        both += len(means) * sum(means)
        more += 2 * len(means) * len(terms) * len(states[place]) * size
        with flint.ctx.workprec(400):
            roots = sum((enclosures.arb(mean).sqrt() for mean in means), flint.arb(0))
            by_rows += enclosures.rational_ends(roots * roots)[0]
    return both, by_rows, more


def difference(one: dict[Any, int], other: dict[Any, int]) -> dict[Any, int]:
    return {key: one.get(key, 0) - other.get(key, 0) for key in one.keys() | other.keys()}


@settings(max_examples=12)
@given(CLASSES)
def test_second_moments_are_those_of_all_states(document: Any) -> None:
    """Either bound is at least what it stands for, computed edge by edge in fractions, and more by no more than its
    roundings, of models and of worlds."""
    for play in plays(document):
        second, columns = SecondMoments(play), Columns(play)
        most = {x: second.most(x, play.alike) for x in play.models}
        for x, y in product(play.models, dict.fromkeys(play.alike.values())):
            both, by_rows, more = second_moments(columns, x, y)
            assert both <= Fraction(most[x][y], 1 << COARSE) <= both + (more + 1) / (1 << COARSE)
            found = Fraction(second.most_by_rows(x, y), 1 << COARSE)
            assert by_rows <= found <= by_rows + Fraction(1, 1 << COARSE // 2 - 8)


@settings(max_examples=20)
@given(CLASSES, st.sampled_from([Fraction(1, 100), Fraction(1, 3), Fraction(2)]), st.booleans())
def test_pairs_that_bounds_clear_satisfy_the_inequality(document: Any, c: Fraction, world: bool) -> None:
    """KL >= c Delta at every pair that is not left unclear."""
    for play in plays(document):
        left = {*unclear(play, SecondMoments(play), world, c)}
        for x, y in product(play.models, repeat=2):
            if (x, y) not in left and not play.divergent(x, y):
                least = play.squares(x, y[0] if world else y, BITS)[0]
                assert play.divergence(x, y, BITS)[1] * c.denominator >= c.numerator * least << BITS


@settings(max_examples=20)
@given(CLASSES)
def test_the_nearest_model_is_the_first_of_largest_affinity(document: Any) -> None:
    """What bounds leave out is never nearer than what is found."""
    game, found = Game(document), plays(document)
    order = Ranked(game, found)
    for p in range(len(found)):
        others = [y for y in order.models if order.policy[y] == p]
        for x in order.models if others else ():
            assert max(others, key=lambda y, x=x: order.affinity(x, y)) == order.nearest(x, others)


@settings(max_examples=100)
@given(st.lists(st.tuples(*[st.integers(1, 9)] * 3), min_size=1, max_size=12, unique=True))
def test_vectors_left_out_attain_no_ratio(vectors: list[tuple[int, ...]]) -> None:
    """The largest ratio of any two entries, each multiplied by what is still to come, is that of the vectors kept."""
    kept = extremes({vector: (n,) for n, vector in enumerate(vectors)})
    assert set(kept) <= set(vectors)
    for x, y in product(range(3), repeat=2):
        assert max(Fraction(v[x], v[y]) for v in vectors) == max(Fraction(v[x], v[y]) for v in kept)


def test_prefixes_of_tiger_are_merged() -> None:
    """Six policies at ten steps: 1,454 nodes where there are 4^h prefixes; a node holds all that lead to it."""
    document = gallery.load("tiger").document
    document = document | {"game": document["game"] | {"horizon": 10}}
    every = plays(document)
    assert 1454 == sum(len(level) for play in every for level in play.levels)
    for play in every:
        for x in range(len(play.models)):
            for h, level in enumerate(play.levels):
                assert play.unit(h) == sum(node.counts[x] * node.totals[x] for node in level)


def test_different_states_stay_apart() -> None:
    """Nodes of one step differ in their memory or in the state of some model, compared entry by entry."""
    for play in plays(coming_back(2)):
        for level in play.levels:
            seen = [(node.uA, node.states) for node in level]
            assert all(one != other for n, one in enumerate(seen) for other in seen[:n])


@pytest.mark.parametrize("bits", [1, 2, 8, 64])
def test_squares_on_V_are_enclosed_at_any_bits(bits: int) -> None:
    """With four actions of the adversary, which all move as the world says, W of two worlds differs by 4 in norm at
    either observation of chance 1/2: the sum of squares is 16, more than any norm of a law's difference allows, and
    chances of thirds are rounded."""
    document = small.document(
        "copies",
        learner=[["1/2", "1/2"]] * 2,
        moves=[[["-x+1", "x"]] * 4] * 2,
        worlds={"x": ["0", "1"]},
        responses={"table": {"p": [["1/4"] * 4]}},
        policies={"p": [["1/3", "2/3"]] * 2},
        actions=2,
        horizon=1,
    )
    (play,) = plays(load(document).document)
    low, high = play.squares((0, 0), 1, bits)
    assert low <= 16 << bits <= high


@pytest.mark.parametrize("chance", ["1/1000003", "1/7", "999999999/1000000007"])
def test_masses_that_are_rounded_never_narrow_a_divergence(chance: str) -> None:
    """Between a law that is far from even and another, either way round, the divergence is between its ends at every
    number of bits, whatever is lost of the two masses."""
    p = Fraction(chance)
    document = small.document(
        "uneven",
        learner=[[f"x/3+(1-x)*{p}", f"1-x/3-(1-x)*{p}"]],
        moves=[[["1"]]],
        worlds={"x": ["0", "1"]},
        responses={"table": {"p": [["1"]]}},
        horizon=1,
    )
    (play,) = plays(load(document).document)
    one, other = (p, 1 - p), (Fraction(1, 3), Fraction(2, 3))
    for x, y, laws in (((0, 0), (1, 0), (one, other)), ((1, 0), (0, 0), (other, one))):
        least, most = divergence([(Fraction(1), *pair) for pair in zip(*laws, strict=True)])
        for bits in range(16, 96):
            low, high = (Fraction(end, 4**bits) for end in play.divergence(x, y, bits))
            assert low <= least <= most <= high


@pytest.mark.parametrize("bits", [1, 2, 8, 64])
@pytest.mark.parametrize("chance", [f"{n}/100" for n in range(91, 100)])
def test_what_rounds_is_made_up_for(chance: str, bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Operators differ by 1.98 at a state of that chance, and at no other: of the one term, whose mass and whose quotient
    are rounded down, and of the sum of norms over too many denominators, the ends hold what they stand for."""
    document = small.document(
        "one-term",
        learner=[["1", "0"], ["0", "1"]],
        moves=[[["1-(99/100)*x", "(99/100)*x"]], [["1/2", "1/2"]]],
        worlds={"x": ["0", "1"]},
        responses={"table": {"p": [["1"]]}},
        initial=[chance, str(1 - Fraction(chance))],
        horizon=1,
    )
    monkeypatch.setattr("pomgcheck.kernel.play.EXACT", 0)
    (play,) = plays(load(document).document)
    norm = Fraction(chance) * Fraction(99, 50)
    for compared in ((1, 0), 1):
        low, high = play.squares((0, 0), compared, bits)
        assert low <= Fraction(chance) * norm**2 * 2**bits <= high < low + 8
        least, most = play.error_ends((0, 0), compared)
        assert least <= Fraction(chance) * norm <= most < least + Fraction(8, 1 << ROOT)


@pytest.mark.parametrize("claim", ["kl-joint", "kl-world"])
def test_a_forged_constant_is_refused(claim: str) -> None:
    """c a little above the least KL / Delta, or its upper end a little below, of a class that merges."""
    document = certify(model_of(coming_back(2)), only=PLAYED).document
    number = [each["id"] for each in document["claims"]].index(claim)
    values = document["claims"][number]["values"]
    assert check.verify_bytes(canonical(document))
    for name, factor in ((f"c_KL_{claim[3:]}_lower", "1000001/1000000"), (f"c_KL_{claim[3:]}_upper", "999999/1000000")):
        other = str(Fraction(values[name]) * Fraction(factor))
        forged = edited(document, put("claims", number, "values", name, to=other))
        verdict = check.verify_bytes(canonical(forged))
        assert (False, claim, "log") == (verdict.accepted, verdict.claim, verdict.rule)


def test_a_forged_bound_of_increments_is_refused() -> None:
    """A ratio that some trajectory exceeds, though another attains it."""
    document = certify(model_of(coming_back(2)), only=PLAYED).document
    number = [each["id"] for each in document["claims"]].index("bounded-increments")
    forged = document
    for name in ("B0_lower", "B0_upper"):
        forged = edited(forged, put("claims", number, "values", name, to={"log_of": "2"}))
    verdict = check.verify_bytes(canonical(forged))
    assert (False, "bounded-increments", "eval") == (verdict.accepted, verdict.claim, verdict.rule)


def test_nodes_are_counted_while_they_grow() -> None:
    """A limit is one of nodes of a step: what merges is far below the number of prefixes."""
    game = Game(coming_back(2))
    most = max(len(level) for play in plays(game.document) for level in play.levels)
    for limit, fits in ((most, True), (most - 1, False)):
        facts = Facts(game, Options(limits={"trajectories": limit}).document)
        case = Case(facts, "predictive-states", {})
        if fits:
            assert "proved" == BY_ID["predictive-states"].outcome(case).verdict
        else:
            with pytest.raises(Malformed, match=f"{most} prefixes apart by step"):
                BY_ID["predictive-states"].outcome(case)
