"""Reference implementation of the checks for any small game: plain enumeration in exact fractions.

Written from the definitions alone and sharing nothing with the kernel or the search but the tables of a ``Game``,
so that agreement with it means something.  Only KL divergences are floats (they are logarithms), and
`revealing_bound` proves a lower bound rather than the best one.

Steps count from 0.  ``xi = (theta, phi)``, policies ``p`` and all labels are indices.  A history is a tuple of
(observation, action) pairs.  A state of a space is ``(s, part_A, part_B)``: on the ``history`` space the parts are
the histories; on the ``window`` space they are what the tables still read of them, without the actions.
A coordinate of V is ``(s', part_A, part_B, o^B, b)``; the learner's pair (o, a) is fixed wherever V is used.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import lcm

from pomgcheck.kernel.game import Game, Row

Xi = tuple[int, int]
Pair = tuple[int, int]
History = tuple[Pair, ...]
State = tuple[int, History, History]
Coordinate = tuple[int, History, History, int, int]
Vector = Mapping[State, Fraction]
Answer = Callable[[int, History, int], Row]  # (h, tau_B, o^B) -> law of b


def positive(row: Row) -> Iterator[tuple[int, Fraction]]:
    """The entries of a probability row that can happen."""
    return ((k, weight) for k, weight in enumerate(row) if weight)


def l1(row: Iterable[Fraction]) -> Fraction:
    return sum((abs(x) for x in row), Fraction(0))


def distance(first: Row, second: Row) -> Fraction:
    return l1(x - y for x, y in zip(first, second, strict=True))


# ------------------------------------------------------------------------------ reading the tables


def row_index(window: int | None, past: History, observation: int, observations: int, actions: int) -> int:
    """Row of a table at the decision history (past, observation): lexicographic, oldest entry first."""
    seen = [o for o, _ in past] + [observation]
    if window is not None:
        digits = [(o, observations) for o in seen[-window:]]
    else:
        digits = [d for o, a in past for d in ((o, observations), (a, actions))] + [(observation, observations)]
    index = 0
    for digit, base in digits:
        index = index * base + digit
    return index


def learner(game: Game, p: int, h: int, past: History, o: int) -> Row:
    """pi_h(. | past, o)."""
    return game.policies[p][h][row_index(game.learner_window, past, o, len(game.OA), len(game.A))]


def reading(game: Game, table: Sequence[Sequence[Row]]) -> Answer:
    """A response table as the function g_h(. | tau_B, o^B)."""
    return lambda h, past, ob: table[h][row_index(game.adversary_window, past, ob, len(game.OB), len(game.B))]


def response(game: Game, phi: int, p: int) -> Answer:
    """g^Phi(. | ., pi), the stationary response to policy p."""
    return reading(game, game.responses[phi][p])


# ------------------------------------------------------------------------ the protocol, path by path


def play(game: Game, theta: int, p: int, answer: Answer) -> Iterator[dict[State, Fraction]]:
    """Laws of (s, tau_A, tau_B) before steps 1, …, H: the protocol of Section 2.1, path by path."""
    EA, EB, T = game.worlds[theta]
    law: dict[State, Fraction] = {(s, (), ()): weight for s, weight in positive(game.rho0)}
    for h in range(game.H):
        yield law
        after: dict[State, Fraction] = defaultdict(Fraction)
        for (s, past_a, past_b), weight in law.items() if h + 1 < game.H else ():
            for (o, seen_a), (ob, seen_b) in product(positive(EA[h][s]), positive(EB[h][s])):
                seen = weight * seen_a * seen_b
                for a, chosen_a in positive(learner(game, p, h, past_a, o)):
                    chosen = seen * chosen_a
                    for b, chosen_b in positive(answer(h, past_b, ob)):
                        mass = chosen * chosen_b
                        for t, moved in positive(T[h][s][a][b]):
                            after[t, (*past_a, (o, a)), (*past_b, (ob, b))] += mass * moved
        law = dict(after)


@cache
def law(game: Game, xi: Xi, p: int) -> dict[History, Fraction]:
    """P^pi_xi, the law of the learner's trajectory; trajectories of probability zero are absent."""
    h = game.H - 1
    total: dict[History, Fraction] = defaultdict(Fraction)
    *_, last = play(game, xi[0], p, response(game, xi[1], p))
    for (s, past, _), weight in last.items():
        for o, seen in positive(game.worlds[xi[0]].EA[h][s]):
            reached = weight * seen
            for a, chosen in positive(learner(game, p, h, past, o)):
                total[*past, (o, a)] += reached * chosen
    return dict(total)


def value(game: Game, xi: Xi, p: int) -> Fraction:
    """V^pi(xi): expected sum of r_h(o^A_h)."""
    return sum(
        (w * sum(game.reward[h][o] for h, (o, _) in enumerate(tau)) for tau, w in law(game, xi, p).items()), Fraction(0)
    )


def models(game: Game) -> list[Xi]:
    """All of Xi."""
    return list(product(range(len(game.worlds)), range(len(game.responses))))


def increments(game: Game) -> Fraction | tuple[Xi, Xi, int, History]:
    """The largest P_xi(tau)/P_xi'(tau), B_0 its log; or, refuting 3.1(c), (xi, xi', p, tau) with P_xi'(tau) = 0."""
    largest = Fraction(1)
    for p in range(len(game.policies)):
        laws = {xi: law(game, xi, p) for xi in models(game)}
        for xi, other in product(laws, repeat=2):
            for tau, weight in laws[xi].items():
                if tau not in laws[other]:
                    return xi, other, p, tau
                largest = max(largest, weight / laws[other][tau])
    return largest


# ---------------------------------------------------------- Definition 2.2 and Assumption 2.3


def posteriors(game: Game, theta: int, p: int, reference: Row | None = None) -> dict[tuple[History, int], Row]:
    """S^{ref,theta}_{tau_B,h}(pi) at every decision history (tau_B, o^B) of positive probability; h = len(tau_B)."""
    EA, EB, _ = game.worlds[theta]
    mu = reference or (Fraction(1, len(game.B)),) * len(game.B)
    masses: dict[tuple[History, int], list[Fraction]] = defaultdict(lambda: [Fraction(0)] * len(game.A))
    for h, joint in enumerate(play(game, theta, p, lambda h, past, ob: mu)):
        for (s, past_a, past_b), weight in joint.items():
            for (o, seen_a), (ob, seen_b) in product(positive(EA[h][s]), positive(EB[h][s])):
                seen = weight * seen_a * seen_b
                for a, chosen in positive(learner(game, p, h, past_a, o)):
                    masses[past_b, ob][a] += seen * chosen
    totals = {at: sum(row) for at, row in masses.items()}
    return {at: tuple(mass / totals[at] for mass in row) for at, row in masses.items()}


def lipschitz(game: Game, form: str = "step", reference: Row | None = None) -> Fraction | tuple[int, int, int, object]:
    """The least L of Assumption 2.3, step or policy form; or, refuting it, (theta, p, nu, (tau_B, o^B)).

    Single policies suffice for the rules latest, mean and fading; a table of blocks is enumerated.
    """
    largest = Fraction(0)
    for theta in range(len(game.worlds)):
        S = [posteriors(game, theta, p, reference) for p in range(len(game.policies))]
        gaps: dict[tuple[int, int], dict[tuple[History, int], Fraction]] = {}
        for p, nu in combinations_with_replacement(range(len(S)), 2):
            gap = {at: distance(S[p][at], S[nu][at]) for at in S[p] if at in S[nu]}
            gaps[p, nu] = gaps[nu, p] = gap if form == "step" else dict.fromkeys(gap, max(gap.values()))
        for phi in range(len(game.responses)):
            blocks = game.blocks[phi] if game.blocks else {(p,): table for p, table in enumerate(game.responses[phi])}
            for (first, one), (second, two) in combinations(blocks.items(), 2):
                pairs = list(zip(first, second, strict=True))
                for past, ob in set.intersection(*(set(gaps[pair]) for pair in pairs)):
                    h = len(past)
                    moved = distance(reading(game, one)(h, past, ob), reading(game, two)(h, past, ob))
                    gap_here = max(gaps[pair][past, ob] for pair in pairs)
                    if moved > 0 and gap_here == 0:
                        return theta, first[0], second[0], (past, ob)
                    if moved > 0:
                        largest = max(largest, moved / gap_here)
    return largest


# ------------------------------------------------------------------------- Theorem 2.5: operators


def keep(past: History, window: int | None, space: str) -> History:
    """What a part of the space retains of a history."""
    if space == "history":
        return past
    if window is None:
        raise ValueError("a table that reads the full history lives on the history space only")
    return tuple((o, 0) for o, _ in past[len(past) - min(window - 1, len(past)) :])


def W(game: Game, theta: int, h: int, o: int, a: int, q: Vector) -> dict[Coordinate, Fraction]:
    """World channel, eq. (9): V coordinate -> E^A(o|s) E^B(o^B|s) T(s'|s,a,b) q, summed over s."""
    EA, EB, T = game.worlds[theta]
    out: dict[Coordinate, Fraction] = defaultdict(Fraction)
    for (s, part_a, part_b), weight in q.items():
        shown = EA[h][s][o] * weight
        for ob, seen in positive(EB[h][s]):
            both = shown * seen
            for b in range(len(game.B)):
                for t, moved in positive(T[h][s][a][b]):
                    out[t, part_a, part_b, ob, b] += both * moved
    return out


def G(
    game: Game, phi: int, p: int, h: int, o: int, a: int, u: Mapping[Coordinate, Fraction], space: str
) -> dict[State, Fraction]:
    """Adversary aggregation, eq. (10): weigh by g(b | part_B, o^B), then keep what the next step needs."""
    answer = response(game, phi, p)
    out: dict[State, Fraction] = defaultdict(Fraction)
    for (t, part_a, part_b, ob, b), weight in u.items():
        state = (
            t,
            keep((*part_a, (o, a)), game.learner_window, space),
            keep((*part_b, (ob, b)), game.adversary_window, space),
        )
        out[state] += answer(h, part_b, ob)[b] * weight
    return out


def J(game: Game, xi: Xi, p: int, h: int, o: int, a: int, q: Vector, space: str) -> dict[State, Fraction]:
    """Observable operator G after W, applied to q."""
    return G(game, xi[1], p, h, o, a, W(game, xi[0], h, o, a, q), space)


def start(game: Game) -> dict[State, Fraction]:
    """q_0: rho_0 on empty histories."""
    return {(s, (), ()): weight for s, weight in positive(game.rho0)}


def mixture(weights: Mapping[int, Fraction]) -> dict[State, Fraction]:
    """Latent states by their weights, nothing retained of either history: a q of the first step, or of windows 1."""
    return {(s, (), ()): weight for s, weight in weights.items()}


def difference(first: Mapping, second: Mapping) -> Fraction:  # type: ignore[type-arg]
    """l1 distance of two sparse vectors."""
    zero = Fraction(0)
    pairs = ((first.get(k, zero), second.get(k, zero)) for k in {*first, *second})
    return l1(x - y for x, y in pairs if x != y)


# ------------------------------------------------------------------------------- Assumption 2.4


def pure_states(game: Game, h: int, space: str, part_a: History = ()) -> list[State]:
    """Pure states before step h whose learner part is ``part_a``."""
    pasts = product(product(range(len(game.OB)), range(len(game.B))), repeat=h)
    parts = sorted({keep(past, game.adversary_window, space) for past in pasts})
    return [(s, part_a, part_b) for s in range(len(game.S)) for part_b in parts]


def seen_next(
    game: Game, xi: Xi, p: int, h: int, o: int, a: int, q: Vector, kappa: int, space: str
) -> dict[tuple[int, ...], Fraction]:
    """M q: unnormalised law of the kappa learner observations that follow (o, a) at step h, started from q."""
    out: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)

    def walk(step: int, window: tuple[int, ...], vector: Vector) -> None:
        for nxt in range(len(game.OA)):
            mass = sum((w * game.worlds[xi[0]].EA[step][s][nxt] for (s, _, _), w in vector.items()), Fraction(0))
            if len(window) + 1 == kappa:
                out[*window, nxt] += mass
            elif mass:
                for part_a in {part_a for _, part_a, _ in vector}:
                    rest = {state: w for state, w in vector.items() if state[1] == part_a}
                    for act, chosen in positive(learner(game, p, step, part_a, nxt)):
                        after = J(game, xi, p, step, nxt, act, rest, space)
                        walk(step + 1, (*window, nxt), {state: chosen * w for state, w in after.items()})

    walk(h + 1, (), J(game, xi, p, h, o, a, q, space))
    return out


def revealing(
    game: Game,
    worlds: Pair,
    phi: int,
    p: int,
    h: int,
    o: int,
    a: int,
    q: Vector,
    *,
    kappa: int = 1,
    form: str = "literal",
    space: str = "window",
) -> tuple[Fraction, Fraction] | None:
    """(signal, difference) of Assumption 2.4 at q, their quotient being the ratio alpha must not exceed.

    ``None`` where the literal form conditions on an observation that one of the two worlds cannot emit from q.
    """
    theta, other = worlds
    Z, Z_other = (sum((game.worlds[k].EA[h][state[0]][o] * w for state, w in q.items()), Fraction(0)) for k in worlds)
    seen = seen_next(game, (theta, phi), p, h, o, a, q, kappa, space)
    seen_other = seen_next(game, (other, phi), p, h, o, a, q, kappa, space)
    changed = difference(W(game, theta, h, o, a, q), W(game, other, h, o, a, q))
    if form == "joint":
        return difference(seen, seen_other), changed
    if Z == 0 or Z_other == 0:
        return None
    signal = difference({k: v / Z for k, v in seen.items()}, {k: v / Z_other for k, v in seen_other.items()})
    return signal, changed


def contexts(game: Game, kappa: int = 1) -> Iterator[tuple[int, int, int, int, int]]:
    """What Assumption 2.4 ranges over besides the two worlds and q: (phi, p, h, o, a)."""
    return product(
        range(len(game.responses)),
        range(len(game.policies)),
        range(game.H - kappa),
        range(len(game.OA)),
        range(len(game.A)),
    )


def revealing_at(
    game: Game,
    vectors: Callable[[int], Iterable[Vector]],
    *,
    kappa: int = 1,
    form: str = "literal",
    space: str = "window",
) -> Fraction | None:
    """Least ratio over the q's that ``vectors(h)`` offers: alpha is no larger; ``None`` if nothing differs there."""
    least: Fraction | None = None
    for phi, p, h, o, a in contexts(game, kappa):
        for q, worlds in product(vectors(h), combinations(range(len(game.worlds)), 2)):
            found = revealing(game, worlds, phi, p, h, o, a, q, kappa=kappa, form=form, space=space)
            if found is not None and found[1] > 0:
                ratio = found[0] / found[1]
                least = ratio if least is None else min(least, ratio)
    return least


def revealing_bound(
    game: Game,
    tests: Sequence[Mapping[tuple[int, ...], int]],
    *,
    kappa: int = 1,
    form: str = "literal",
    space: str = "window",
    parts: Callable[[int], Iterable[History]] = lambda h: [()],
) -> Fraction | None:
    """A proved lower bound of alpha over the simplex: in every situation the best of ``tests`` and their negatives.

    A test y in [-1,1]^K gives ratio >= alpha where v_i + v_j >= alpha (Z_i c_j + Z_j c_i) for all pure states i, j,
    v = (M - M')^T y: multiply by q_i q_j and sum, as ||(W - W')q|| <= c.q.  In the joint form Z is 1; the literal
    form needs a current emission that both worlds share.
    ``parts(h)`` lists the learner parts; ``None`` when the worlds differ nowhere.
    """
    bounds: list[Fraction] = []
    for phi, p, h, o, a in contexts(game, kappa):
        for part_a in parts(h):
            pure = [{state: Fraction(1)} for state in pure_states(game, h, space, part_a)]
            Z = [[world.EA[h][s][o] for q in pure for s, _, _ in q] for world in game.worlds]
            M = [
                [seen_next(game, (k, phi), p, h, o, a, q, kappa, space) for q in pure] for k in range(len(game.worlds))
            ]
            moved = [[W(game, k, h, o, a, q) for q in pure] for k in range(len(game.worlds))]
            for k, other in combinations(range(len(game.worlds)), 2):
                if form == "literal" and Z[k] != Z[other]:
                    raise ValueError("the worlds differ in the current emission: no bound of the literal form")
                weights = [Fraction(1)] * len(pure) if form == "joint" else Z[k]
                c = [difference(first, second) for first, second in zip(moved[k], moved[other], strict=True)]
                v = [
                    [sum((y[w] * (mine[w] - yours[w]) for w in y), Fraction(0)) for y in tests]
                    for mine, yours in zip(M[k], M[other], strict=True)
                ]
                if any(c):
                    bounds.append(
                        max(
                            pairwise([sign * x[n] for x in v], weights, c)
                            for n in range(len(tests))
                            for sign in (1, -1)
                        )
                    )
    return min(bounds, default=None)


def pairwise(v: Sequence[Fraction], Z: Sequence[Fraction], c: Sequence[Fraction]) -> Fraction:
    """The largest alpha with v_i + v_j >= alpha (Z_i c_j + Z_j c_i) for all i, j; 0 when there is no positive one."""
    ratios = []
    for i, j in combinations_with_replacement(range(len(v)), 2):
        weight = Z[i] * c[j] + Z[j] * c[i]
        if weight > 0:
            ratios.append((v[i] + v[j]) / weight)
        elif v[i] + v[j] < 0:
            return Fraction(0)
    return max(Fraction(0), min(ratios, default=Fraction(0)))


# ----------------------------------------------------------------------------- Assumption 3.1(e)


def divergence(first: Mapping[History, Fraction], second: Mapping[History, Fraction]) -> float:
    """KL(first || second): exactly 0.0 for equal laws, infinite where the second misses a trajectory."""
    if any(tau not in second for tau in first):
        return math.inf
    return math.fsum(float(w) * math.log(w / second[tau]) for tau, w in first.items())


def operator_errors(
    game: Game, xi_star: Xi, p: int, space: str = "window", operators: str = "realised"
) -> dict[Xi, tuple[Fraction, Fraction]]:
    """For every xi, (joint, world): the sums over h of E ||(J_h - J*_h) q*_{h-1}||^2 and E ||(W_h - W*_h) q*_{h-1}||^2.

    The expectation is over P^pi_xi*, the operators are taken at its (o_h, a_h), q* is the predictive state of xi*.
    Where ``operators`` are summed, E (sum_{o,a} pi(a) ||(J_h - J*_h)(o,a) q*_{h-1}||)^2, and so for W.
    """
    joint: dict[Xi, Fraction] = dict.fromkeys(models(game), Fraction(0))
    world = dict(joint)

    def walk(h: int, past: History, probability: Fraction, q: Vector) -> None:
        """``probability`` of the prefix ``past`` under xi*, ``q`` the predictive state it leads to."""
        if h == game.H:
            return
        if operators == "summed":
            sums = dict.fromkeys(joint, (Fraction(0), Fraction(0)))
            for o in range(len(game.OA)):
                for a, chosen in positive(learner(game, p, h, past, o)):
                    u = [W(game, theta, h, o, a, q) for theta in range(len(game.worlds))]
                    v = {xi: G(game, xi[1], p, h, o, a, u[xi[0]], space) for xi in joint}
                    for xi in joint:
                        gaps = difference(v[xi], v[xi_star]), difference(u[xi[0]], u[xi_star[0]])
                        sums[xi] = sums[xi][0] + chosen * gaps[0], sums[xi][1] + chosen * gaps[1]
            for xi in joint:
                joint[xi] += probability * sums[xi][0] ** 2
                world[xi] += probability * sums[xi][1] ** 2
        for o in range(len(game.OA)):
            for a, chosen in positive(learner(game, p, h, past, o)):
                u = [W(game, theta, h, o, a, q) for theta in range(len(game.worlds))]
                v = {xi: G(game, xi[1], p, h, o, a, u[xi[0]], space) for xi in joint}
                seen = sum(v[xi_star].values(), Fraction(0))  # P(o | past)
                if seen == 0:
                    continue
                reached = probability * seen * chosen
                changed = [difference(u_theta, u[xi_star[0]]) ** 2 for u_theta in u]
                for xi in joint if operators == "realised" else ():
                    joint[xi] += reached * difference(v[xi], v[xi_star]) ** 2
                    world[xi] += reached * changed[xi[0]]
                walk(h + 1, (*past, (o, a)), reached, {state: w / seen for state, w in v[xi_star].items()})

    walk(0, (), Fraction(1), start(game))
    return {xi: (joint[xi], world[xi]) for xi in joint}


# --------------------------------------------------------------------------------- Proposition 2.6


@cache
def channel_errors(
    game: Game, xi_star: Xi, p: int, space: str = "window", joint_too: bool = True, operators: str = "realised"
) -> tuple[list[Fraction], list[Fraction], dict[Xi, Fraction]]:
    """F^W_theta(pi), F^G_Phi(pi) and F_xi(pi) of Section 2.6 for every theta, Phi and xi, term by term: trajectory by
    trajectory, the difference of the aggregations applied to W^theta* q* for the second.
    The third is empty without ``joint_too``.  Where ``operators`` are summed, an error at (o, a) counts with the chance
    of a, whether o is possible or not; else with that of both."""
    world = [Fraction(0)] * len(game.worlds)
    adversary = [Fraction(0)] * len(game.responses)
    joint: dict[Xi, Fraction] = dict.fromkeys(models(game) if joint_too else (), Fraction(0))

    def walk(h: int, past: History, probability: Fraction, q: Vector) -> None:
        if h == game.H:
            return
        for o in range(len(game.OA)):
            for a, chosen in positive(learner(game, p, h, past, o)):
                u = [W(game, theta, h, o, a, q) for theta in range(len(world))]
                true = u[xi_star[0]]
                after = G(game, xi_star[1], p, h, o, a, true, space)
                seen = sum(after.values(), Fraction(0))
                weight = probability * chosen * (1 if operators == "summed" else seen)
                for theta in range(len(world)):
                    world[theta] += weight * difference(u[theta], true)
                for phi in range(len(adversary)):
                    adversary[phi] += weight * difference(G(game, phi, p, h, o, a, true, space), after)
                for xi in joint:
                    joint[xi] += weight * difference(G(game, xi[1], p, h, o, a, u[xi[0]], space), after)
                if seen:
                    reached = {state: w / seen for state, w in after.items()}
                    walk(h + 1, (*past, (o, a)), probability * seen * chosen, reached)

    walk(0, (), Fraction(1), start(game))
    return world, adversary, joint


def eluder_dimension(functions: Sequence[Sequence[Fraction]], scale: Fraction) -> int:
    """dim_E of Section 2.6 by its definition: the longest ordered sequence of queries, each independent of those before
    it at one scale above ``scale`` or equal to it.

    ``functions[f][x]`` >= 0.  The squared scales tried: that of ``scale``, and every sum of squares over a set of
    queries above it, since between two of these no comparison changes but those with the values, which only get worse.
    How far a sequence goes on is the same for all orders of what it holds.  Numbers are integers over one denominator.
    """
    queries = range(len(functions[0])) if functions else range(0)
    unit = lcm(scale.denominator, *(x.denominator for row in functions for x in row))
    squares = {tuple(int(x * unit) ** 2 for x in row) for row in functions}
    sets = [c for n in range(len(queries) + 1) for c in combinations(queries, n)]
    least = int(scale * unit) ** 2
    sums = {sum(row[x] for x in c) for row in squares for c in sets}

    def dimension(level: int) -> int:
        @cache
        def extended(chosen: frozenset[int]) -> int:
            low = [row for row in squares if sum(row[z] for z in chosen) <= level]
            after = (x for x in queries if any(level < row[x] for row in low))
            return max((extended(chosen | {x}) for x in after), default=len(chosen))

        return extended(frozenset())

    return max(dimension(level) for level in {least, *(s for s in sums if s > least)})


def conversion(
    game: Game, space: str = "window", operators: str = "realised"
) -> dict[str, tuple[float, tuple[Xi, Xi, int] | None]]:
    """For ``joint`` and ``world``: the largest c_KL and the (xi*, xi, p) attaining it; (inf, None) if any will do."""
    least: dict[str, tuple[float, tuple[Xi, Xi, int] | None]] = {"joint": (math.inf, None), "world": (math.inf, None)}
    for p in range(len(game.policies)):
        laws = {xi: law(game, xi, p) for xi in models(game)}
        for xi_star in laws:
            for xi, errors in operator_errors(game, xi_star, p, space, operators).items():
                kl = 0.0 if laws[xi_star] == laws[xi] else divergence(laws[xi_star], laws[xi])
                for clause, error in zip(("joint", "world"), errors, strict=True):
                    if error > 0 and kl / error < least[clause][0]:
                        least[clause] = kl / float(error), (xi_star, xi, p)
    return least
