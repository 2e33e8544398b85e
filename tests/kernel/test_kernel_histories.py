"""Assumption 2.3 on a finite class: histories merged, compared by how they end, and blocks compared by dilations, against
histories and blocks one by one."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pomgcheck import gallery
from pomgcheck.importers import import_model
from pomgcheck.kernel import check
from pomgcheck.kernel.budget import limited
from pomgcheck.kernel.facts import Facts, l1
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.histories import (
    Answers,
    Apart,
    Endings,
    MergedPosteriors,
    References,
    apart,
    dilated,
    posterior_distance,
    separated,
)
from pomgcheck.kernel.operators import reference_masses
from pomgcheck.kernel.reading import Malformed
from pomgcheck.modelclass.document import load
from pomgcheck.options import Options
from pomgcheck.search.certify import certify
from tests.kernel.editing import canonical, edited, put
from tests.kernel.posteriors import reference_posteriors
from tests.kernel.test_kernel_merged_prefixes import coming_back
from tests.search.classes import Shape, Tables, documents, model_of, small_class
from tests.search.small import document as small_document
from tests.search.small import drift

FORMS = st.sampled_from(["step", "policy"])
CLASSES = st.one_of(documents(full=True), documents(), documents(rules=("table",)))


def facts(document: Any, form: str = "step", **options: Any) -> Facts:
    game = Game(document)
    space = "history" if None in (game.learner_window, game.adversary_window) else "window"
    return Facts(game, Options(lipschitz=form, space=space, **options).document)


def quotient(gap: Fraction, distance: Fraction) -> Fraction | None:
    """``None`` for a gap over no distance, which no constant bounds."""
    return gap / distance if distance else None


def one_by_one(known: Facts) -> Fraction | None:
    """The constant by every world, history and pair of blocks, ``None`` if there is none."""
    game, P = known.game, range(len(known.game.policies))
    best = Fraction(0)
    for i in range(len(game.worlds)):
        laws = [reference_posteriors(game, known.scaled, i, p, known.mu) for p in P]
        overall = {
            (p, n): max(
                (l1(x[eta], y[eta]) for x, y in zip(laws[p], laws[n], strict=True) for eta in x.keys() & y.keys())
            )
            for p, n in product(P, repeat=2)
        }
        for h, pair in product(range(game.H), combinations(game.block_list(), 2)):
            for eta in laws[0][h].keys() | laws[-1][h].keys() | laws[pair[0][0]][h].keys():
                if all(eta in laws[p][h] for block in pair for p in block):
                    row = known.whole.row(eta[:-1], eta[-1], False)
                    gap = max(l1(blocks[pair[0]][h][row], blocks[pair[1]][h][row]) for blocks in game.blocks)
                    there = {(p, n): l1(laws[p][h][eta], laws[n][h][eta]) for p, n in zip(*pair, strict=True)}
                    far = max(
                        (overall if known.options["lipschitz_form"] == "policy" else there)[each] for each in there
                    )
                    if gap:
                        if not far:
                            return None
                        best = max(best, gap / far)
    return best


def largest(known: Facts) -> Fraction:
    """The constant where there is one, less and less being left open."""
    best = Fraction(0)

    def enough(gap: Fraction, distance: Fraction) -> bool:
        return gap <= best * distance

    for each in apart(known, enough):
        best = each.gap / each.distance
    return best


@settings(max_examples=60)
@given(CLASSES, FORMS)
def test_the_constant_is_that_of_histories_and_blocks_one_by_one(document: Any, form: str) -> None:
    """With nothing enough all that is yielded are true quotients, and the largest of them is L; with L enough nothing is
    left, with a little less something."""
    known = facts(document, form)
    L = one_by_one(known)
    every = list(apart(known, lambda gap, distance: False))
    found = [quotient(each.gap, each.distance) for each in every if each.gap]
    if L is None:
        assert None in found
        return
    assert L == max((x or Fraction(0) for x in found), default=0)
    assert None not in found
    assert not list(apart(known, lambda gap, distance: gap <= L * distance))
    if L:
        assert list(apart(known, lambda gap, distance: gap <= L * distance * Fraction(999, 1000)))


@settings(max_examples=40)
@given(CLASSES, FORMS)
def test_places_have_what_is_said_of_them(document: Any, form: str) -> None:
    """The largest quotient is attained by the blocks and the response that are found, at a history possible under all of
    their policies."""
    known = facts(document, form)
    every = [each for each in apart(known, lambda gap, distance: False) if each.gap and each.distance]
    if every:
        each: Apart = max(every, key=lambda each: each.gap / each.distance)
        pi, nu, k = each.find()
        heard = each.heard
        rows = [known.game.blocks[k][block][heard.h][heard.row] for block in (pi, nu)]
        between = known.once(MergedPosteriors).between(each.i, pi, nu, heard.eta)
        assert (each.gap, each.distance) == (l1(*rows), between)


def of_windows(learner: int | str, adversary: int | str) -> Any:
    """Three steps with tables of their own, and more to see for the learner than for the adversary."""
    return small_class(Shape(3, 2, 2, 2, 3, 2, 2, 1, 2, (learner, adversary)), Tables(4, 0.2, 1, 1))


@settings(max_examples=40)
@example(of_windows("full", 1))
@example(of_windows(1, "full"))
@example(of_windows(2, 1))
@example(of_windows(1, 2))
@given(documents(full=True))
def test_merged_histories_have_the_posteriors_of_all(document: Any) -> None:
    """Every decision history has the row and the posteriors of one that is kept, and those that are kept differ."""
    known = facts(document)
    game, P = known.game, range(len(known.game.policies))
    for i in range(len(game.worlds)):
        masses = [reference_masses(game, known.scaled, i, p, known.mu) for p in P]
        kept = known.once(MergedPosteriors).heard(i)
        kinds = [(each.h, each.row, each.masses) for each in kept]
        assert all(one != other for one, other in combinations(kinds, 2))
        for h in range(game.H):
            for eta in {eta for levels in masses for eta in levels[h]}:
                row = known.whole.row(eta[:-1], eta[-1], False)
                laws = [
                    tuple(Fraction(x, sum(m)) for x in m) if (m := levels[h].get(eta)) else None for levels in masses
                ]
                same = [
                    [tuple(Fraction(x, sum(m)) for x in m) if m else None for m in each.masses] == laws
                    for each in kept
                    if (each.h, each.row) == (h, row)
                ]
                assert 1 == sum(same)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_history_is_followed_to_its_last_observation(seed: int) -> None:
    """Over three steps, each with tables of its own, under every policy and in every world: the masses of the learner's
    actions at a decision history are multiples of those of the definition, or there are none."""
    shape = Shape(3, 3, 2, 2, 2, 3, 2, 1, 2, (2, 1))
    known = facts(small_class(shape, Tables(seed, 0.5, 1, 1)))
    game = known.game
    for i, p in product(range(len(game.worlds)), range(len(game.policies))):
        masses = reference_masses(game, known.scaled, i, p, known.mu)
        references = References(known, i)
        for h in range(game.H):
            sides = [range(len(game.OB)), range(len(game.B))] * h + [range(len(game.OB))]
            for eta in product(*sides):
                found, exact = references.follow(p, eta), masses[h].get(eta)
                assert bool(exact) == bool(found)
                assert not exact or not posterior_distance(tuple(exact), found or ())


@pytest.mark.parametrize("window", [1, 2, "full"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_may_be_met_before_a_step(seed: int, window: int | str) -> None:
    """Every state with what the learner remembers there, whatever the adversary hears and does, and nothing else; no two
    steps have the same tables, and most entries are zero."""
    document = small_class(Shape(3, 3, 2, 2, 2, 2, 2, 1, 2, (window, 1)), Tables(seed, 0.6, 1, 1))
    known = facts(document)
    game = known.game
    for i, p in product(range(len(game.worlds)), range(len(game.policies))):
        endings, world = Endings(known, i, Answers(known)), game.worlds[i]
        met = {(s, ()) for s, mass in enumerate(game.rho0) if mass}
        for h in range(game.H):
            assert met == set(endings.reached(p, h))
            steps = product(met, *map(range, (len(game.OA), len(game.A), len(game.B), len(game.S))))
            met = {
                (t, (*past, o, a) if window == "full" else (*past, o)[len(past) + 2 - int(window) :])
                for (s, past), o, a, b, t in steps
                if world.EA[h][s][o]
                and game.policies[p][h][known.whole.row(past, o, True) if window == "full" else number((*past, o))][a]
                and world.T[h][s][a][b][t]
            }


def number(digits: tuple[int, ...]) -> int:
    return int("".join(map(str, digits)), 2)


def test_a_row_is_read_where_its_whole_window_is_known() -> None:
    """An adversary that answers the two policies alike after the first of its observations, and differently after the
    second, whatever it hears then: the last observation alone does not say that answers agree."""
    document = drift()
    document["game"] |= {"horizon": 3, "adversary_observations": ["d0", "d1"]}
    document["worlds"]["adversary_emission"] = [["3/4", "1/4"], ["1/3", "2/3"]]
    alike, apart_ = [["1/2", "1/2"]] * 2, [["1", "0"]] * 2
    tables = {"idle": [alike, alike * 2, alike * 2], "watch": [alike, alike + apart_, alike + apart_]}
    document["responses"] = {"block_rule": "latest", "memory": 1, "window": 2, "parameters": {}} | {
        "table": {name: {"steps": steps} for name, steps in tables.items()}
    }
    known = facts(load(document).document)
    assert 0 < (one_by_one(known) or 0) == largest(known)


@pytest.mark.parametrize("form", ["step", "policy"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_blocks_are_answered_with_three_actions(seed: int, form: str) -> None:
    """The constant of a table rule of two places is that of histories and blocks one by one, where answers have three
    actions and are told apart by more than one choice of signs."""
    shape = Shape(2, 2, 2, 3, 2, 2, 1, 2, 2, (1, 1), "table", 2)
    known = facts(small_class(shape, Tables(seed, 0.2, 1, 0.5)), form)
    L = one_by_one(known)
    assert L
    assert L == max(each.gap / each.distance for each in apart(known, lambda gap, distance: not distance))
    assert not list(apart(known, lambda gap, distance: gap <= (L or 0) * distance))


@pytest.mark.parametrize("window", [1, 2])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_gap_at_every_distance_is_found(seed: int, window: int) -> None:
    """Where nothing is enough, what is yielded in the step form are the pairs of gap and distance of all histories of
    three steps one by one, each with a history, a row and a response that have them."""
    known = facts(small_class(Shape(3, 2, 2, 2, 2, 2, 2, 2, 3, (1, window)), Tables(seed, 0.2, 1, 1)))
    game, every = known.game, set()

    def gap(h: int, eta: tuple[int, ...], p: int, n: int, k: int) -> Fraction:
        row = number(eta[::2][-window:])
        return l1(*(game.responses[k][policy][h][row] for policy in (p, n)))

    for i in range(len(game.worlds)):
        masses = [reference_masses(game, known.scaled, i, p, known.mu) for p in range(3)]
        for (p, n), h in product(combinations(range(3), 2), range(game.H)):
            for eta in masses[p][h].keys() & masses[n][h].keys():
                most = max(gap(h, eta, p, n, k) for k in range(len(game.responses)))
                if most:
                    every.add((most, posterior_distance(tuple(masses[p][h][eta]), tuple(masses[n][h][eta]))))
    found = set()
    for each in apart(known, lambda gap, distance: False):
        ((p,), (n,), k), (h, row, _, eta) = each.find(), each.heard
        masses = [reference_masses(game, known.scaled, each.i, policy, known.mu)[h][eta] for policy in (p, n)]
        assert number(eta[::2][-window:]) == row
        assert (gap(h, eta, p, n, k), posterior_distance(*map(tuple, masses))) == (each.gap, each.distance)
        found.add((each.gap, each.distance))
    assert every == found


@settings(max_examples=100)
@given(st.integers(1, 3), st.integers(1, 3), st.data())
def test_dilations_are_maxima_over_neighbours(n: int, size: int, data: st.DataObject) -> None:
    """One place after another gives the maximum over the product of what is near at each place."""
    near = [sorted({p, *data.draw(st.sets(st.integers(0, n - 1)))}) for p in range(n)]
    blocks = [*product(range(n), repeat=size)]
    values = data.draw(st.lists(st.integers(-9, 9), min_size=len(blocks), max_size=len(blocks)))
    value = dict(zip(blocks, values, strict=True))
    assert [max(value[x] for x in product(*(near[p] for p in block))) for block in blocks] == dilated(
        values, near, size
    )


def test_neighbouring_blocks_alone_are_not_enough() -> None:
    """Rule mean over two places: two policies as far apart as 1/2, answered by the mean of the places; both places
    changed the response moves by twice what one does, at the same distance."""
    value = {block: sum(block) for block in product(range(2), repeat=2)}
    near = [[0, 1], [0, 1]]
    gaps = [x - value[block] for block, x in zip(value, dilated([*value.values()], near, 2), strict=True)]
    assert 2 == max(gaps)
    assert 1 == max(abs(value[x] - value[y]) for x, y in combinations(value, 2) if sum(map(int.__ne__, x, y)) == 1)


@cache
def of_tiger() -> Endings:
    known = facts(gallery.load("tiger").document)
    return Endings(known, 0, Answers(known))


LAWS = st.lists(st.tuples(*[st.integers(0, 5)] * 3).filter(any), min_size=1, max_size=4)


@settings(max_examples=150)
@given(LAWS, LAWS, st.lists(st.integers(1, 5), min_size=8, max_size=8))
def test_hulls_that_signs_separate_are_as_far_apart(left: Any, right: Any, weights: list[int]) -> None:
    """Of laws mixed from the one and from the other side the l1 distance is no less than what is said."""
    endings = of_tiger()
    sides = [dict(enumerate(laws)) for laws in (left, right)]
    one, other = (endings._ends(side) for side in sides)
    least = separated(one, other)
    mixed = [
        tuple(sum(w * x for w, x in zip(weights, column, strict=False)) for column in zip(*laws, strict=True))
        for laws in (left, right)
    ]
    assert least <= posterior_distance(*mixed)


def test_ten_steps_of_tiger_are_compared_by_how_they_end() -> None:
    """2 * 4^9 histories of the last step alone; L is that of nine steps and a little more."""
    document = gallery.load("tiger").document
    values = []
    for horizon in (3, 10):
        values.append(largest(facts(document | {"game": document["game"] | {"horizon": horizon}})))
    assert one_by_one(facts(document)) == values[0] < values[1] < values[0] * Fraction(101, 100)


@pytest.mark.parametrize("form", ["step", "policy"])
def test_a_forged_constant_is_refused(form: str) -> None:
    """L a little below, stated at both ends or at the upper one alone."""
    document = certify(model_of(coming_back(2)), only=["posterior-lipschitz"], lipschitz=form).document
    number = [each["id"] for each in document["claims"]].index("posterior-lipschitz")
    values = document["claims"][number]["values"]
    assert check.verify_bytes(canonical(document))
    less = str(Fraction(values["L_upper"]) * Fraction(999999, 1000000))
    for names in (["L_upper"], ["L_lower", "L_upper"]):
        forged = document
        for name in names:
            forged = edited(forged, put("claims", number, "values", name, to=less))
        verdict = check.verify_bytes(canonical(forged))
        assert (False, "posterior-lipschitz", "box") == (verdict.accepted, verdict.claim, verdict.rule)


def test_histories_are_counted_while_they_grow() -> None:
    """In the policy form, where they are merged from the start, at most so many may be apart at one step."""
    known = facts(coming_back(2), "policy", limits={"trajectories": 5})
    with pytest.raises(Malformed, match="adversary histories apart by step 2"):
        next(apart(known, lambda gap, distance: False))


def test_reference_posteriors_cost_what_states_show(tmp_path: Path) -> None:
    """Of 300 states that each show themselves all histories are followed for a unit or so for every state and step, not
    for every state and observation."""
    lines = ["discount: 1", "values: reward", "states: 300", "actions: 2", "observations: 300", "start: uniform"]
    lines += [f"T: * : {s} : {(s + 1) % 300} 1\nO: * : {s} : {s} 1" for s in range(300)]
    (tmp_path / "ring.pomdp").write_text("\n".join([*lines, "R: 0 : * : * : * 1"]))
    known = facts(import_model(tmp_path / "ring.pomdp", horizon=1, policies="routing").game.document)
    with limited(50_000):
        assert [0, 1] == [each.h for each in References(known, 0).heard(10)]


@pytest.mark.parametrize("form", ["step", "policy"])
def test_policies_that_play_alike_are_answered_alike(form: str) -> None:
    """Of one action there is one law, so posteriors are never apart: answers that differ in the last step alone leave no
    constant, whichever way they are compared."""
    answers = {
        name: {"steps": [[["1/2", "1/2"]]] * 2 + [[row]]} for name, row in (("p", ["1", "0"]), ("q", ["0", "1"]))
    }
    document = small_document(
        "alike",
        learner=[["3/4", "1/4"], ["1/4", "3/4"]],
        moves=[[["1/2", "1/2"]] * 2] * 2,
        worlds={"x": ["0", "1"]},
        responses={"table": answers},
        horizon=3,
    )
    known = facts(load(document).document, form)
    found = list(apart(known, lambda gap, distance: gap <= 1000 * distance))
    assert {(Fraction(2), Fraction(0), 2)} == {(each.gap, each.distance, each.heard.h) for each in found}


def test_a_history_that_a_policy_makes_impossible_shows_nothing() -> None:
    """L is attained at a history of the right length that both policies make possible, or not at all: an adversary who
    sees the state sees no alarm before the first step."""
    document = drift()
    document["worlds"] |= {"initial": ["1", "0"], "adversary_emission": [["1", "0"], ["0", "1"]]}
    document["game"]["adversary_observations"] = ["calm", "alarm"]
    table = {"idle": [["1/2", "1/2"]] * 2, "watch": [["(2*y+1)/2", "(-2*y+1)/2"]] * 2}
    document["responses"]["table"] = table
    found = certify(load(document), only=["posterior-lipschitz"]).document
    assert check.verify_bytes(canonical(found)).accepted
    attained = "claims", "posterior-lipschitz", "evidence", "attained"
    for history in (["alarm"], ["alarm", "b0", "calm"]):
        edits = put(*attained, "tau_B", to=history), put(*attained, "h", to=len(history) // 2 + 1)
        assert check.verify_bytes(canonical(edited(found, *edits))).line.startswith(
            f"REJECTED posterior-lipschitz eval: found the adversary history {history}, "
            "required a history of step h possible under both"
        )
