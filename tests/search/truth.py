"""What a claim of a certificate says, decided again by tests/gallery/brute.py: one function a claim, each asserting.

Nothing of the kernel or the search is used but the exact tables of ``Game`` and the names of a bound's premises.
Logarithms are compared as floats, with a relative tolerance far below what a certificate states; everything else is
exact.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import prod
from random import Random
from typing import Any

import flint
import mpmath

from pomgcheck.kernel.bound import SHARP, Premises
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Truth
from tests.gallery import brute
from tests.paper.bound_lines import plain
from tests.search import own, sampling

Entry = Mapping[str, Any]
Options = Mapping[str, Any]
Context = tuple[tuple[int, int], int, int, int, int, int]  # worlds, phi, p, h, o, a

VALUES = {
    "posterior-lipschitz": ("L_lower", "L_upper"),
    "weak-revealing": ("alpha_lower", "alpha_upper"),
    "kl-joint": ("c_KL_joint_lower", "c_KL_joint_upper"),
    "kl-world": ("c_KL_world_lower", "c_KL_world_upper"),
}


def check(game: Game, options: Options, entry: Entry) -> None:
    """Assert that the entry is true of the game; an unknown one says nothing."""
    if entry["verdict"] == "unknown":
        assert ({}, None, None) == (entry["values"], entry["evidence"], entry["witness"])
        return
    if game.own and entry["id"] in own.DECIDE:
        own.check(dict(game.document), entry)
        return
    if game.own and entry["id"] == "covering":
        assert ({"log_of": str(own.Own(dict(game.document)).covering())}) == entry["values"]["log_covering_upper"]
        return
    if game.finite or entry["id"] in AS_WRITTEN:
        CHECKS[entry["id"]](game, options, entry)
    elif entry["verdict"] == "refuted":
        CHECKS[entry["id"]](named(game, entry["witness"]), options, entry)
    else:
        on_intervals(game, options, entry)


MODELS = ("xi", "xi_prime", "xi_star")
AS_WRITTEN = ("factorization", "well-specified", "warmup-stationary")  # of any class


def named(game: Game, witness: Mapping[str, Any]) -> Game:
    """The finite class of the points a witness names."""
    models = [witness[key] for key in MODELS if key in witness] or [witness]
    thetas = [xi[key] for xi in models for key in ("theta", "theta_prime") if key in xi]
    return game.subclass(thetas, [xi["Phi"] for xi in models])


Sample = tuple[int, Fraction | None, bool]  # seed, how near the points are, whether the first is a corner
SAMPLES: tuple[Sample, ...] = ((0, None, False), (1, None, False), (2, Fraction(1, 10**6), False))


def on_intervals(game: Game, options: Options, entry: Entry, samples: tuple[Sample, ...] = SAMPLES) -> None:
    """A proof on interval axes: what it says is true of some sampled points, near and far, and of its own attaining
    place."""
    values, claim = entry["values"], entry["id"]
    for seed, near, corner in samples:
        sub = with_places(game, sampling.sampled(game, 3, seed, near, corner), entry["evidence"])
        if claim == "posterior-lipschitz":
            mu = None if options["reference"] == "uniform" else tuple(map(Fraction, options["reference"]))
            exact = lipschitz(sub, options["lipschitz_form"], mu)
            assert isinstance(exact, Fraction)
            assert exact <= Fraction(values["L_upper"]) >= Fraction(values["L_lower"])
        elif claim == "bounded-increments":
            exact = increments(sub)
            upper, lower = (Fraction(values[name]["log_of"]) for name in ("B0_upper", "B0_lower"))
            assert isinstance(exact, Fraction)
            assert exact <= upper >= lower
        elif claim == "covering":
            x, y = (0, 0), (len(sub.worlds) - 1, len(sub.responses) - 1)
            apart = max(far(sub.thetas, x[0], y[0]), far(sub.phis, x[1], y[1]))
            if options["space"] == "window" and same_cell(game, sub, x, y):
                assert sampling.operator_distance(sub, x, y) <= apart * Fraction(values["covering_lipschitz_upper"])
        elif claim == "regret":
            regret_net(game, sub, options, entry)
        elif claim.startswith("eluder"):
            eluder(sub, options, entry, whole=False)
        else:
            CHECKS[claim](sub, options, entry)


def with_places(game: Game, sub: Game, evidence: Any) -> Game:
    """The finite class with the points besides that the evidence attains values at."""
    thetas, phis = ([text(point) for point in points or ()] for points in (sub.thetas, sub.phis))

    def visit(part: Any) -> None:
        for key, value in part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ():
            if key in ("theta", "theta_prime", "Phi"):
                (phis if key == "Phi" else thetas).append(dict(value))
            elif key in (*MODELS, "attained", "sequence") or isinstance(key, int):
                visit(value)

    visit(evidence)
    return game.subclass(once(thetas), once(phis))


def text(point: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in point.items()}


def once(points: list[dict[str, str]]) -> list[dict[str, str]]:
    return [point for k, point in enumerate(points) if point not in points[:k]]


def far(points: Any, i: int, j: int) -> Fraction:
    """The largest difference of two parameter points along an axis."""
    return max((abs(points[i][name] - points[j][name]) for name in points[i]), default=Fraction(0))


def same_cell(game: Game, sub: Game, x: brute.Xi, y: brute.Xi) -> bool:
    """Whether two models agree on the finite axes."""
    sides = (("worlds", sub.thetas, x[0], y[0]), ("responses", sub.phis, x[1], y[1]))
    return all(
        points[i][name] == points[j][name]
        for side, points, i, j in sides
        for name in points[i]
        if "interval" not in game.document[side].get("parameters", {}).get(name, {})
    )


def number(entry: Entry, which: int) -> Fraction:
    return Fraction(entry["values"][VALUES[entry["id"]][which]])


# ------------------------------------------------------------------------- places written in labels


def point(points: tuple[Any, ...] | None, value: Mapping[str, str]) -> int:
    return [{k: str(v) for k, v in p.items()} for p in points or ()].index(dict(value))


def model(game: Game, xi: Mapping[str, Any]) -> brute.Xi:
    return point(game.thetas, xi["theta"]), point(game.phis, xi["Phi"])


def history(game: Game, labels: list[str]) -> brute.History:
    pairs = zip(labels[::2], labels[1::2], strict=True)
    return tuple((game.OA.index(o), game.A.index(a)) for o, a in pairs)


def part(game: Game, labels: list[str], learner: bool, space: str) -> brute.History:
    """A memory as brute keeps it: pairs, with action 0 where the window drops actions."""
    observations, actions = (game.OA, game.A) if learner else (game.OB, game.B)
    if space == "window":
        return tuple((observations.index(o), 0) for o in labels)
    return tuple((observations.index(o), actions.index(a)) for o, a in zip(labels[::2], labels[1::2], strict=True))


# ------------------------------------------------------------------------------------- Theorem 2.5


def oom(game: Game, options: Options, entry: Entry) -> None:
    """Products of operators are the probabilities of learner sequences, path by path."""
    assert entry["verdict"] == "proved"
    for xi, p in product(brute.models(game), range(len(game.policies))):
        played: dict[brute.History, Fraction] = {}
        stack: list[tuple[int, brute.History, Fraction, brute.Vector]] = [(0, (), Fraction(1), brute.start(game))]
        while stack:
            h, past, chosen, q = stack.pop()
            if h == game.H:
                played[past] = chosen * sum(q.values(), Fraction(0))
                continue
            for o in range(len(game.OA)):
                for a, weight in brute.positive(brute.learner(game, p, h, past, o)):
                    after = brute.J(game, xi, p, h, o, a, q, options["space"])
                    stack.append((h + 1, (*past, (o, a)), chosen * weight, after))
        assert brute.law(game, xi, p) == {past: mass for past, mass in played.items() if mass}


def nonexpansive(game: Game, options: Options, entry: Entry) -> None:
    """W and G are nonnegative and the columns of G, learner part empty, sum to at most one."""
    assert entry["verdict"] == "proved"
    space = options["space"]
    for phi, p, h in product(range(len(game.responses)), range(len(game.policies)), range(game.H)):
        for _, _, part_b in brute.pure_states(game, h, space)[: len(brute.pure_states(game, h, space)) // len(game.S)]:
            for ob, b in product(range(len(game.OB)), range(len(game.B))):
                column = brute.G(game, phi, p, h, 0, 0, {(0, (), part_b, ob, b): Fraction(1)}, space)
                assert min(column.values()) >= 0
                assert sum(column.values()) <= 1


# --------------------------------------------------------------------------------- Assumption 2.3


@cache
def lipschitz(game: Game, form: str, reference: tuple[Fraction, ...] | None) -> Any:
    return brute.lipschitz(game, form, reference)


def posterior_lipschitz(game: Game, options: Options, entry: Entry) -> None:
    """The constant lies in the bracket; a refutation shows equal posteriors answered differently."""
    mu = None if options["reference"] == "uniform" else tuple(map(Fraction, options["reference"]))
    exact = lipschitz(game, options["lipschitz_form"], mu)
    if entry["verdict"] == "proved":
        assert isinstance(exact, Fraction)
        assert number(entry, 0) <= exact <= number(entry, 1)
        return
    assert (True, "refuted") == (isinstance(exact, tuple), entry["verdict"])
    place = entry["witness"]
    theta, phi = point(game.thetas, place["theta"]), point(game.phis, place["Phi"])
    labels = place["tau_B"]
    past = tuple((game.OB.index(o), game.B.index(b)) for o, b in zip(labels[:-1:2], labels[1::2], strict=True))
    at = past, game.OB.index(labels[-1])
    table_rule = game.block_rule == "table"
    blocks = [tuple(game.policy_names.index(n) for n in (place[x] if table_rule else [place[x]])) for x in ("pi", "nu")]
    tables = [game.blocks[phi][block] if table_rule else game.responses[phi][block[0]] for block in blocks]
    rows = [brute.reading(game, table)(len(past), *at) for table in tables]
    S = [[brute.posteriors(game, theta, p, mu) for p in block] for block in blocks]
    assert rows[0] != rows[1]
    assert place["h"] == len(past) + 1
    for left, right in zip(*S, strict=True):
        assert left[at] == right[at]
        if options["lipschitz_form"] == "policy":
            assert all(left[eta] == right[eta] for eta in left.keys() & right.keys())
    assert place["responses"] == [list(map(str, row)) for row in rows]
    assert place["posteriors"] == [[str(x) for x in posteriors[0][at]] for posteriors in S]


# --------------------------------------------------------------------------------- Assumption 2.4


def ratio(game: Game, options: Options, context: Context, q: brute.Vector) -> tuple[Fraction, Fraction] | None:
    """(signal, difference) at q."""
    reveal = options["weak_revealing"]
    worlds, phi, p, h, o, a = context
    return brute.revealing(
        game, worlds, phi, p, h, o, a, q, kappa=options["kappa"], form=reveal["form"], space=options["space"]
    )


def contexts(game: Game, options: Options) -> Iterator[Context]:
    for worlds in combinations(range(len(game.worlds)), 2):
        for context in brute.contexts(game, options["kappa"]):
            yield worlds, *context


def learner_parts(game: Game, h: int, space: str) -> list[brute.History]:
    pasts = product(product(range(len(game.OA)), range(len(game.A))), repeat=h)
    return sorted({brute.keep(past, game.learner_window, space) for past in pasts})


def states_at(game: Game, options: Options, h: int) -> Iterator[brute.Vector]:
    """Predictive states the class reaches before step ``h`` (scope reachable), or a sample of the simplex: pure states,
    even mixtures of two and a random one, for every learner part."""
    space = options["space"]
    if options["weak_revealing"]["scope"] == "reachable":
        yield from reached(game, space)[h]
        return
    random = Random(h)
    for part_a in learner_parts(game, h, space):
        pure = brute.pure_states(game, h, space, part_a)
        yield from ({state: Fraction(1)} for state in pure)
        yield from ({i: Fraction(1, 2), j: Fraction(1, 2)} for i, j in combinations(pure[:6], 2))
        masses = [random.randint(1, 9) for _ in pure]
        yield {state: Fraction(mass, sum(masses)) for state, mass in zip(pure, masses, strict=True)}


@cache
def reached(game: Game, space: str) -> list[list[brute.Vector]]:
    """Every distinct q^xi_h of the class, one list per step."""
    found: list[dict[Any, brute.Vector]] = [{} for _ in range(game.H)]
    for xi, p in product(brute.models(game), range(len(game.policies))):
        stack: list[tuple[int, brute.History, brute.Vector]] = [(0, (), brute.start(game))]
        while stack:
            h, past, q = stack.pop()
            found[h][tuple(sorted(q.items()))] = q
            for o in range(len(game.OA)) if h + 1 < game.H else ():
                for a, _ in brute.positive(brute.learner(game, p, h, past, o)):
                    after = brute.J(game, xi, p, h, o, a, q, space)
                    mass = sum(after.values(), Fraction(0))
                    if mass:
                        normal = {state: w / mass for state, w in after.items() if w}
                        stack.append((h + 1, (*past, (o, a)), normal))
    return [list(level.values()) for level in found]


def sampled(game: Game, options: Options) -> Iterator[tuple[Fraction, Fraction]]:
    """(signal, difference) with a positive difference, at every q of ``states_at`` in every situation."""
    vectors = {h: list(states_at(game, options, h)) for h in range(game.H - options["kappa"])}
    for context in contexts(game, options):
        for q in vectors[context[3]]:
            pair = ratio(game, options, context, q)
            if pair is not None and pair[1]:
                yield pair


def situation(game: Game, kappa: int, place: Mapping[str, Any]) -> Context:
    """The two worlds and where they are compared, read from labels."""
    worlds = point(game.thetas, place["theta"]), point(game.thetas, place["theta_prime"])
    context = (
        worlds,
        point(game.phis, place["Phi"]),
        game.policy_names.index(place["pi"]),
        place["h"] - 1,
        game.OA.index(place["o"]),
        game.A.index(place["a"]),
    )
    assert context[3] < game.H - kappa
    return context


def predictive(game: Game, space: str, place: Mapping[str, Any], key: str) -> brute.Vector:
    """A normalised predictive state written in labels."""
    part_a = part(game, place["learner_part"], True, space)
    q = {(game.S.index(s), part_a, part(game, memory, False, space)): Fraction(mass) for s, memory, mass in place[key]}
    assert (sum(q.values()), len(place[key])) == (1, len(q))
    assert min(q.values()) > 0
    return q


def weak_revealing(game: Game, options: Options, entry: Entry) -> None:
    """No q goes below alpha_lower, the attained one has alpha_upper (equal to the least, scope reachable); a witness
    has
    signal zero and a difference; a vacuous claim has no difference anywhere it is imposed."""
    if entry["verdict"] == "vacuous":
        if options["weak_revealing"]["scope"] == "simplex":
            assert not any(differs(game, options, context) for context in contexts(game, options))
        else:
            assert not list(sampled(game, options))
        return
    place = entry["witness"] if entry["verdict"] == "refuted" else entry["evidence"]["attained"]
    context = situation(game, options["kappa"], place)
    if "q_other" in place:
        crossing(game, options, context, place)
        return
    q = predictive(game, options["space"], place, "q")
    if options["weak_revealing"]["scope"] == "reachable":
        assert tuple(sorted(q.items())) in {
            tuple(sorted(v.items())) for v in reached(game, options["space"])[context[3]]
        }
    pair = ratio(game, options, context, q)
    assert pair is not None
    if entry["verdict"] == "refuted":
        assert (Fraction(0), Fraction(place["difference"])) == pair
        assert pair[1] > 0
        return
    assert number(entry, 1) == pair[0] / pair[1]
    assert 0 < number(entry, 0) <= number(entry, 1)
    least = min(signal / difference for signal, difference in sampled(game, options))
    assert number(entry, 0) <= least
    if options["weak_revealing"]["scope"] == "reachable":
        assert number(entry, 1) == least


def crossing(game: Game, options: Options, context: Context, place: Mapping[str, Any]) -> None:
    """Between two q the literal signal passes through zero while (W-W')q does not."""
    assert ("literal", "simplex") == (options["weak_revealing"]["form"], options["weak_revealing"]["scope"])
    worlds, phi, p, h, o, a = context
    signals, changes, possible = [], [], set()
    for key in ("q", "q_other"):
        q = predictive(game, options["space"], place, key)
        laws = []
        for theta in worlds:
            seen = brute.seen_next(game, (theta, phi), p, h, o, a, q, options["kappa"], options["space"])
            mass = sum((game.worlds[theta].EA[h][s][o] * w for (s, _, _), w in q.items()), Fraction(0))
            laws.append({window: w / mass for window, w in seen.items()})
            possible |= {window for window, w in seen.items() if w}
        signals.append({w: laws[0].get(w, Fraction(0)) - laws[1].get(w, Fraction(0)) for w in {*laws[0], *laws[1]}})
        images = [brute.W(game, theta, h, o, a, q) for theta in worlds]
        changes.append(
            {v: images[0].get(v, Fraction(0)) - images[1].get(v, Fraction(0)) for v in {*images[0], *images[1]}}
        )
    assert 2 == len(possible)  # two probabilities of sum one: one number decides, of one sign here and the other there
    shown = [Fraction(place["signal"]), Fraction(place["signal_other"])]
    assert shown == [signal[min(possible)] for signal in signals]
    assert shown[0] * shown[1] < 0
    assert any(x * changes[1].get(v, 0) > 0 for v, x in changes[0].items())


def differs(game: Game, options: Options, context: Context) -> bool:
    """Whether the condition is imposed somewhere on the simplex: W != W' there and, in the literal form, the
    observation
    possible in both worlds."""
    worlds, _, _, h, o, a = context
    pure = [{state: Fraction(1)} for state in brute.pure_states(game, h, options["space"])]
    moved = any(brute.difference(*(brute.W(game, theta, h, o, a, q) for theta in worlds)) for q in pure)
    possible = all(any(row[o] for row in game.worlds[theta].EA[h]) for theta in worlds)
    return moved and (possible or options["weak_revealing"]["form"] == "joint")


# --------------------------------------------------------------------------------- Assumption 3.1


def well_specified(game: Game, options: Options, entry: Entry) -> None:
    """(a): the truth is a point of the class; declared without one."""
    inside = None if game.truth is None else all(map(game.contains, ("worlds", "responses"), game.truth))
    assert {None: "declared", True: "proved", False: "refuted"}[inside] == entry["verdict"]


def covering(game: Game, options: Options, entry: Entry) -> None:
    """(b): a net of every different model."""
    different = {(game.worlds[i], game.responses[k]) for i, k in brute.models(game)}
    assert Fraction(entry["values"]["log_covering_upper"]["log_of"]) >= len(different)


def bounded_increments(game: Game, options: Options, entry: Entry) -> None:
    """(c): the largest ratio of trajectory probabilities lies in the bracket, or some trajectory is impossible."""
    exact = increments(game)
    if entry["verdict"] == "proved":
        assert isinstance(exact, Fraction)
        low, high = (Fraction(entry["values"][name]["log_of"]) for name in ("B0_lower", "B0_upper"))
        assert low <= exact <= high
        return
    assert (True, "refuted") == (isinstance(exact, tuple), entry["verdict"])
    impossible(game, entry["witness"])
    assert game.H == len(entry["witness"]["trajectory"]) // 2


increments = cache(brute.increments)


def impossible(game: Game, place: Mapping[str, Any]) -> None:
    """A prefix the policy can play, of the shown probability under xi and impossible under xi'."""
    prefix, p = history(game, place["trajectory"]), game.policy_names.index(place["pi"])
    chosen = Fraction(1)
    for h, (o, a) in enumerate(prefix):
        chosen *= brute.learner(game, p, h, prefix[:h], o)[a]
    assert chosen > 0
    masses = [prefix_mass(game, model(game, place[xi]), p, prefix) for xi in ("xi", "xi_prime")]
    assert [Fraction(place["probability"]) * chosen, 0] == masses
    assert masses[0] > 0


def prefix_mass(game: Game, xi: brute.Xi, p: int, prefix: brute.History) -> Fraction:
    law = brute.law(game, xi, p)
    return sum((w for tau, w in law.items() if tau[: len(prefix)] == prefix), Fraction(0))


def predictive_states(game: Game, options: Options, entry: Entry) -> None:
    """(d): the same learner prefixes are possible under every model."""
    same = all(
        len({frozenset(tau[:h] for tau in brute.law(game, xi, p)) for xi in brute.models(game)}) == 1
        for p, h in product(range(len(game.policies)), range(1, game.H + 1))
    )
    assert ("proved" if same else "refuted") == entry["verdict"]
    if not same:
        impossible(game, entry["witness"])


def divergence(first: Mapping[Any, Fraction], second: Mapping[Any, Fraction]) -> flint.arb | None:
    """KL(first || second) as a ball of 200 bits; ``None`` if infinite."""
    with flint.ctx.workprec(200):
        ratios = [(w, w / second[tau]) for tau, w in first.items() if tau in second]
        terms = (flint.arb(ball(w)) * flint.arb(ball(ratio)).log() for w, ratio in ratios)
        return sum(terms, flint.arb(0)) if len(ratios) == len(first) else None


def middle(x: flint.arb) -> Fraction:
    """The middle of a ball to 190 bits after the point; a product outside of such a context would have 53 bits."""
    with flint.ctx.workprec(400):
        whole = (x.mid() * 2**190).floor().unique_fmpz()
    assert whole is not None
    return Fraction(int(whole), 2**190)


def ball(x: Fraction) -> flint.fmpq:
    return flint.fmpq(x.numerator, x.denominator)


@cache
def conversion(game: Game, space: str, operators: str) -> tuple[Fraction | None, Fraction | None]:
    """The largest c_KL of the joint and of the world clause, to 50 digits; 0 where two laws are equal and the operators
    are not, ``None`` where nothing is asked.  (brute.conversion is the same in floats, which cancel for near
    models.)"""
    least: list[Fraction | None] = [None, None]
    for p, star in product(range(len(game.policies)), brute.models(game)):
        law = brute.law(game, star, p)
        for xi, errors in brute.operator_errors(game, star, p, space, operators).items():
            kl = divergence(law, brute.law(game, xi, p)) if any(errors) else None
            for clause, error in enumerate(errors):
                if error and kl is not None:
                    equal = law == brute.law(game, xi, p)
                    ratio = Fraction(0) if equal else middle(kl) / error
                    known = least[clause]
                    least[clause] = ratio if known is None else min(ratio, known)
    return least[0], least[1]


def kl(game: Game, options: Options, entry: Entry) -> None:
    """(e): c lies in the bracket; a refutation has equal laws and different operators."""
    world = entry["id"] == "kl-world"
    operators = options.get("operators", "realised")
    least = conversion(game, options["space"], operators)[world]
    if entry["verdict"] == "refuted":
        place = entry["witness"]
        star, xi, p = model(game, place["xi_star"]), model(game, place["xi"]), game.policy_names.index(place["pi"])
        assert brute.law(game, star, p) == brute.law(game, xi, p)
        assert Fraction(place["difference"]) == operator_gap(game, options["space"], world, star, xi, p, place) > 0
        return
    assert ("vacuous" if least is None else "proved" if least else "refuted") == entry["verdict"]
    if least is not None:
        assert number(entry, 0) <= least * (1 + Fraction(1, 10**30))
        assert number(entry, 1) >= least * (1 - Fraction(1, 10**30))


def operator_gap(
    game: Game, space: str, world: bool, star: brute.Xi, xi: brute.Xi, p: int, place: Mapping[str, Any]
) -> Fraction:
    """l1 distance of the operators of two models at the last (o, a) of a prefix, from the predictive state of the
    first."""
    prefix = history(game, place["trajectory"])
    assert place["h"] == len(prefix)
    q: brute.Vector = brute.start(game)
    for h, (o, a) in enumerate(prefix[:-1]):
        q = brute.J(game, star, p, h, o, a, q, space)
    h, (o, a) = len(prefix) - 1, prefix[-1]
    assert prefix_mass(game, star, p, prefix) > 0
    if world:
        gap = brute.difference(*(brute.W(game, x[0], h, o, a, q) for x in (star, xi)))
    else:
        gap = brute.difference(*(brute.J(game, x, p, h, o, a, q, space) for x in (star, xi)))
    return gap / sum(q.values(), Fraction(0))


def warmup_stationary(game: Game, options: Options, entry: Entry) -> None:
    """(f): by construction; for fading, gamma as given and a Lipschitz constant of the mixture that is the diameter of
    the responses in total variation; on interval axes no sampled ones are farther apart."""
    assert entry["verdict"] == "proved"
    if game.gamma is None:
        assert {} == entry["values"]
        return
    if not game.responses:
        for seed in range(10):
            assert diameter(sampling.sampled(game, 8, seed)) <= Fraction(entry["values"]["L_g"])
        return
    assert [game.gamma, diameter(game)] == [Fraction(entry["values"][name]) for name in ("gamma", "L_g")]


def diameter(game: Game) -> Fraction:
    """The largest distance of two responses of one model, in total variation."""
    rows = [
        brute.distance(x, y)
        for response in game.responses
        for one, two in product(response, repeat=2)
        for left, right in zip(one, two, strict=True)
        for x, y in zip(left, right, strict=True)
    ]
    return max(rows) / 2


def eluder(game: Game, options: Options, entry: Entry, whole: bool = True) -> None:
    """Proposition 2.6: the dimension is the lower end, which the sequence shows, the squares are those of the
    functions, and the rank is that of the differences; where the class is not ``whole`` but some of its points, the
    bracket and the rank bound what they have."""
    assert entry["verdict"] == "proved"
    world, scale = entry["id"] == "eluder-world", Fraction(1, 2 * options["T"])
    side, letter = ("theta", "W") if world else ("Phi", "G")
    points = game.thetas if world else game.phis

    def table(star: brute.Xi) -> list[list[Fraction]]:
        columns = [
            brute.channel_errors(game, star, p, options["space"], False, options.get("operators", "realised"))[
                not world
            ]
            for p in range(len(game.policies))
        ]
        return [list(row) for row in zip(*columns, strict=True)]

    low, high = (int(entry["values"][f"d_{letter}_{end}"]) for end in ("lower", "upper"))
    exact = max(brute.eluder_dimension(table(star), scale) for star in brute.models(game))
    assert low <= exact <= high
    evidence, chosen = entry["evidence"], list[int]()
    assert low == exact or not whole or "endings" in evidence  # so few policies are searched exactly
    functions, level = table(model(game, evidence["xi_star"])), Fraction(evidence["scale_squared"])
    assert scale**2 <= level
    for query in evidence["sequence"]:
        row, p = functions[point(points, query[side])], game.policy_names.index(query["pi"])
        before, square = sum(row[z] ** 2 for z in chosen), row[p] ** 2
        stated = Fraction(query["before"]), Fraction(query["square"])
        assert stated == (before, square) or ("endings" in evidence and stated[0] >= before and stated[1] <= square)
        assert before <= level < square
        chosen.append(p)
    assert low == len(chosen)
    count = len(game.worlds if world else game.responses)
    vectors = [channel_entries(game, i) if world else list(flat(game.responses[i])) for i in range(count)]
    moved = [[ball(x - y) for x, y in zip(row, vectors[0], strict=True)] for row in vectors]
    rank, stated = flint.fmpq_mat(moved).rank(), int(entry["values"][f"p_{letter}"])
    assert rank == stated if whole else rank <= stated
    if world and whole and "structure" in entry["search"]:
        structure(game, vectors, json.loads(entry["search"]["structure"]))


def flat(nested: Any) -> Iterator[Fraction]:
    for entry in nested:
        yield from flat(entry) if isinstance(entry, tuple) else (entry,)


def channel_entries(game: Game, theta: int) -> list[Fraction]:
    """Every entry of W_h(o, a), by its definition."""
    EA, EB, T = game.worlds[theta]
    sizes = map(len, (game.S, game.OA, game.OB, game.A, game.B, game.S))
    places = product(range(game.H), *map(range, sizes))
    return [EA[h][s][o] * EB[h][s][ob] * T[h][s][a][b][t] for h, s, o, ob, a, b, t in places]


def structure(game: Game, vectors: list[list[Fraction]], shown: Mapping[str, Any]) -> None:
    """Whether the entries are affine in the parameters, by exact ranks; and the failure, if one is shown."""
    rank = max(
        int(flint.fmpq_mat([[ball(x) for x in row] for rows in T for by_a in rows for row in by_a]).rank())
        for world in game.worlds
        for T in world.T
    )
    assert rank == shown["transition_rank"]
    design = [[ball(Fraction(1)), *(ball(x) for x in theta.values())] for theta in game.thetas or ()]
    both = [[*row, *map(ball, entries)] for row, entries in zip(design, vectors, strict=True)]
    assert shown["affine"] == (flint.fmpq_mat(both).rank() == flint.fmpq_mat(design).rank())
    if not shown["affine"]:
        entry = shown["entry"]
        h, o, a, s, ob, b, t = (
            entry["h"] - 1,
            game.OA.index(entry["o"]),
            game.A.index(entry["a"]),
            game.S.index(entry["s"]),
            game.OB.index(entry["o_B"]),
            game.B.index(entry["b"]),
            game.S.index(entry["s_next"]),
        )
        weights = {point(game.thetas, theta): Fraction(weight) for theta, weight in shown["weights"]}
        worlds = {i: game.worlds[i] for i in weights}
        values = {i: w.EA[h][s][o] * w.EB[h][s][ob] * w.T[h][s][a][b][t] for i, w in worlds.items()}
        assert 0 == sum(weights.values())
        names = (game.thetas or ({},))[0]
        assert all(0 == sum(w * (game.thetas or ())[i][name] for i, w in weights.items()) for name in names)
        assert 0 != sum(w * values[i] for i, w in weights.items())


def by_construction(game: Game, options: Options, entry: Entry) -> None:
    """J is G after W for every class; brute has no other J."""
    assert entry["verdict"] == "proved"


def regret(game: Game, options: Options, entry: Entry) -> None:
    """Theorem N: the exact values, and that no stated bound is below the plain computation (docs/bound.md)."""
    models = brute.models(game)
    policies = range(len(game.policies))
    V = {xi: [brute.value(game, xi, p) for p in policies] for xi in models}
    best = {xi: max(values) for xi, values in V.items()}
    D = max(best[xi] - min(V[xi]) for xi in models)
    if entry["verdict"] != "proved":
        assert "vacuous" == entry["verdict"]
        assert not D or not (game.contains("worlds", game.truth[0]) and game.contains("responses", game.truth[1]))
        return
    values = {name: Fraction(text) for name, text in entry["values"].items()}
    assert [len(models), D] == [values["N"], values["D"]]
    if game.m is None:
        return
    delta, first = Fraction(options["delta"]), {xi: V[xi].index(best[xi]) for xi in models}
    order = sorted(models, key=lambda xi: (-best[xi], first[xi], xi))
    losses: list[tuple[list[tuple[Fraction, int]], Fraction]] = []
    for place, truth in enumerate(order):
        before = [xi for xi in order[:place] if V[truth][first[xi]] < best[truth]]
        least: dict[int, mpmath.mpf] = {}
        for xi in before:
            p = first[xi]
            mine, yours = (brute.law(game, x, p) for x in (truth, xi))
            root = sum(mpmath.sqrt(real(mine[tau]) * real(yours[tau])) for tau in mine.keys() & yours.keys())
            c = -mpmath.log(root) if root else mpmath.inf
            least[p] = min(least.get(p, mpmath.inf), c)
        evidence = mpmath.log(max(len(models) - 1, 1) / real(delta)) / 2 + mpmath.log(max(len(before), 1) / real(delta))
        fill = [
            (best[truth] - V[truth][p], 1 + int(mpmath.floor(evidence / c * (1 - mpmath.mpf(10) ** -9))))
            for p, c in least.items()
        ]
        runs = sum(1 for k in range(place + 1) if not k or first[order[k]] != first[order[k - 1]])
        losses.append((sorted(fill, reverse=True), (game.m - 1) * runs * values["span"]))

    def bound(T: int | None) -> Fraction:
        worst = Fraction(0)
        for fill, warm in losses:
            left, paid = T, Fraction(0)
            for r, n in fill:
                n = n if left is None else min(n, left)
                paid, left = paid + n * r, None if left is None else left - n
            worst = max(worst, paid + warm)
        return worst

    assert bound(None) <= values["gap_upper"]
    assert bound(options["T"]) <= values["nested_regret_upper"]
    assert bound(int(values["worth_T"])) < D * values["worth_T"]


def regret_net(game: Game, sub: Game, options: Options, entry: Entry) -> None:
    """The same on interval axes, at sampled models and at the points of their cells: which policies are enough, chi
    square of exact laws, moments, the range of values, and the bound by the plain formula."""
    policies, models = range(len(game.policies)), brute.models(sub)
    V = {xi: [brute.value(sub, xi, p) for p in policies] for xi in models}
    if entry["verdict"] == "vacuous":
        outside = game.truth and not (
            game.contains("worlds", game.truth[0]) and game.contains("responses", game.truth[1])
        )
        assert outside or all(1 == len({*values}) for values in V.values())
        return
    evidence, values = entry["evidence"], {name: Fraction(text) for name, text in entry["values"].items()}
    deployed = [game.policy_names.index(name) for name in evidence["deployed"]]
    assert all(max(row) == max(row[p] for p in deployed) for row in V.values())
    for below, over in evidence["dominated"].items():
        assert all(row[game.policy_names.index(below)] <= row[game.policy_names.index(over)] for row in V.values())
    place = evidence["attained"]["D"]
    one = game.subclass([place["xi"]["theta"]], [place["xi"]["Phi"]])
    earned = [brute.value(one, (0, 0), p) for p in policies]
    assert values["D_lower"] == max(earned) - earned[game.policy_names.index(place["pi"])] > 0
    given = evidence["list"]
    if given is None:
        assert (1, 1, 0) == (len(deployed), values["N"], values["chi_upper"])
        assert game.m is None or values["nested_regret_upper"] >= (game.m - 1) * values["span"]
        return
    for xi in models:
        sides = [(sub.thetas or ())[xi[0]], (sub.phis or ())[xi[1]]]
        near = [
            {x: str(net_point(given["axes"], f"{side}.{x}", v)) for x, v in point.items()}
            for side, point in zip(("theta", "Phi"), sides, strict=True)
        ]
        both = game.subclass(*(once([text(point), other]) for point, other in zip(sides, near, strict=True)))
        last = len(both.worlds) - 1, len(both.responses) - 1
        for p in deployed:
            true, net = (brute.law(both, x, p) for x in ((0, 0), last))
            assert sum(mass**2 / net[tau] for tau, mass in true.items()) <= 1 + values["chi_upper"]
    for p in deployed:
        c, M = (Fraction(given["moments"][game.policy_names[p]][key]) for key in ("c", "M"))
        laws = {xi: brute.law(sub, xi, p) for xi in models}
        starts = {sum(mass * sub.reward[0][tau[0][0]] for tau, mass in law.items()) for law in laws.values()}
        skipped = 1 if len(starts) == 1 else 0
        for law in laws.values():
            paid = {tau: sum(sub.reward[h][o] for h, (o, _) in enumerate(tau) if h >= skipped) for tau in law}
            assert sum(mass * (paid[tau] - c) ** 2 for tau, mass in law.items()) <= M
    low, high = (Fraction(given["range"][end]) for end in ("low", "high"))
    assert all(row[game.policy_names.index(given["range"]["pi"])] >= low for row in V.values())
    assert all(row[p] <= high for row in V.values() for p in deployed)
    if game.m is None:
        return
    counts = [len(axis["points"]) for axis in given["axes"].values()]
    finite = [
        len(axis["values"])
        for side in ("worlds", "responses")
        for axis in game.document[side].get("parameters", {}).values()
        if "values" in axis
    ]
    assert given["test"] == "own" or values["N"] == prod(counts) * prod(finite)
    e, n = 2 * real(Fraction(options["delta"])) / 3, 1 if given["test"] == "joint" else len(deployed)
    moments = sorted(real(Fraction(each["M"])) for each in given["moments"].values())
    quantum = Fraction(given["quantum"])
    runs = (len(deployed) - 1) * (-((low - high) // quantum) + 1) + 1 if quantum else values["N"]
    warm = (game.m - 1) * values["span"] * min(runs, values["N"])

    def bound(T: int) -> mpmath.mpf:
        E = 1.5 * mpmath.log(real(values["N"]) / e) + mpmath.log(n / e) + T * mpmath.log(1 + real(values["chi_upper"]))
        error = mpmath.sqrt(real(values["chi_upper"]) * moments[-1]) + real(quantum)
        return T * error + mpmath.sqrt(8 * max(E, 2) * T * sum(moments[1:])) + real(warm)

    assert bound(options["T"]) <= real(values["nested_regret_upper"])
    assert bound(int(values["worth_T"])) < real(values["D_lower"] * values["worth_T"])


def net_point(axes: Mapping[str, Any], name: str, x: Fraction) -> Fraction:
    """The point of the cell of an axis that holds x; x itself where the axis is finite."""
    if name not in axes:
        return x
    ends = [Fraction(end) for end in axes[name]["ends"]]
    return next(
        Fraction(point)
        for point, low, high in zip(axes[name]["points"], ends[:-1], ends[1:], strict=True)
        if low <= x <= high
    )


def real(x: Fraction) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator


CHECKS = {
    "regret": regret,
    "factorization": by_construction,
    "oom-identity": oom,
    "nonexpansive": nonexpansive,
    "posterior-lipschitz": posterior_lipschitz,
    "weak-revealing": weak_revealing,
    "well-specified": well_specified,
    "covering": covering,
    "bounded-increments": bounded_increments,
    "predictive-states": predictive_states,
    "kl-joint": kl,
    "kl-world": kl,
    "warmup-stationary": warmup_stationary,
    "eluder-world": eluder,
    "eluder-adversary": eluder,
}


def constants(game: Game, options: Options, claims: Sequence[Entry]) -> None:
    """Theorem 3.3: every line is at least the plain computation from the other claims, and the bound for a finite
    class says something at T_star and not at T_star - 1.  (A rule of fading memory has no plain computation.)"""
    *others, entry = claims
    premises = [each for each in others if each["id"] != "regret"]
    known_regret = next(each for each in others if each["id"] == "regret")
    verdicts = {each["verdict"] for each in premises}
    if entry["verdict"] != "proved":
        assert entry["verdict"] in ("unknown", "vacuous")
        assert entry["verdict"] == "unknown" or "refuted" in verdicts
        return
    assert not verdicts & {"refuted", "unknown"}
    values = entry["values"]
    if not game.finite:
        for seed in range(3):
            assert Fraction(values["least_observation"]) <= least_observation(sampling.sampled(game, 3, seed))
        return  # the lines on nets are compared in test_search_interval_eluder
    least = Fraction(values["least_observation"])
    assert least == least_observation(game) or ("endings" in entry["evidence"] and 0 < least < least_observation(game))
    assert [*reward_ranges(game)] == [Fraction(values[name]) for name in ("reward_range", "later_range")]
    if game.m is None:
        return
    known = {name: value for each in premises for name, value in each["values"].items()}
    given = Premises(
        game.H,
        len(game.B),
        len(game.policies),
        int(known["log_covering_upper"]["log_of"]),
        Fraction(known["B0_upper"]["log_of"]),
        least_observation(game),
        Fraction(known.get("c_KL_joint_lower", 1)),
        Fraction(known.get("c_KL_world_lower", 1)),
        int(known["d_W_upper"]),
        int(known["d_G_upper"]),
        Fraction(options["delta"]),
        game.m,
        *reward_ranges(game),
        Fraction(known_regret["values"].get("D", game.H)),
        truths=None
        if known_regret["verdict"] == "unknown"
        else tuple(map(Truth.read, (known_regret["evidence"] or {}).get("truths", ()))),
    )
    first = int(values["T_star"])
    with mpmath.workdps(50):
        lines = plain(given, options["T"])
        for name in SHARP:
            value = lines[name]
            stated = Fraction(values[f"{name}_upper"])
            assert mpmath.mpf(stated.numerator) / stated.denominator >= value * (1 - mpmath.mpf(10) ** -30), name
        assert plain(given, first)["sharp_regret"] < real(given.dearest) * first
        assert first == 1 or plain(given, first - 1)["sharp_regret"] >= real(given.dearest) * (first - 1) * (
            1 - mpmath.mpf(10) ** -30
        )


@cache
def reward_ranges(game: Game) -> tuple[Fraction, Fraction]:
    """R and R', from every path of hidden states that some world lets happen at each of its steps."""
    paths: list[tuple[int, list[Fraction]]] = [(s, []) for s, chance in enumerate(game.rho0) if chance]
    for h in range(game.H):
        longer: set[tuple[int, tuple[Fraction, ...]]] = set()
        for s, paid in paths:
            seen = {o for world in game.worlds for o, chance in enumerate(world.EA[h][s]) if chance}
            after = {
                t
                for world in game.worlds
                for rows in (world.T[h][s] if h + 1 < game.H else [])
                for row in rows
                for t, chance in enumerate(row)
                if chance
            }
            longer |= {(t, (*paid, game.reward[h][o])) for o in seen for t in after or {s}}
        paths = [(s, [*paid]) for s, paid in longer]
    later = [sum(paid[1:], Fraction(0)) for _, paid in paths]
    first = [paid[0] for _, paid in paths]
    starts = {
        tuple(sum(game.rho0[s] * world.EA[0][s][o] for s in range(len(game.S))) for o in range(len(game.OA)))
        for world in game.worlds
    }
    R = max(later) - min(later)
    return R + (max(first) - min(first) if len(starts) > 1 else 0), R


@cache
def least_observation(game: Game) -> Fraction:
    """The least conditional probability of a possible observation, from whole laws of play."""
    least = Fraction(1)
    for xi, p in product(brute.models(game), range(len(game.policies))):
        masses: dict[Any, Fraction] = {}
        for trajectory, mass in brute.law(game, xi, p).items():
            pairs = list(trajectory)
            for h, (o, _) in enumerate(pairs):
                for prefix in (tuple(pairs[:h]), (*pairs[:h], o)):
                    masses[prefix] = masses.get(prefix, Fraction(0)) + mass
        seen = {prefix: mass for prefix, mass in masses.items() if prefix and isinstance(prefix[-1], int)}
        least = min(least, *(mass / masses[prefix[:-1]] for prefix, mass in seen.items()))
    return least
