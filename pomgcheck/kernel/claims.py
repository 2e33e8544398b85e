"""Which claims a model class owes, the statement of each, and the exact facts that decide them.

The kernel, not the certificate, states the goals.  A fact is recomputed here from the model alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import lcm
from typing import Any, NamedTuple

from .bound import LINES
from .continua import Continuum
from .eluder import Channel, channel_triangle
from .game import Game, Malformed, Point, Row, Table, World
from .nested import Ranked, span
from .operators import (
    G,
    J,
    Memory,
    Scaled,
    Space,
    Vector,
    W,
    free,
    pure_states,
    reference_posteriors,
    total,
    window_law,
)
from .play import Play
from .polynomials import Polynomial

Values = dict[str, Any]


class Claim(NamedTuple):
    """A claim's fixed id, its place in the paper and the names of its values."""

    id: str
    paper: str
    values: tuple[str, ...] = ()


CLAIMS = (
    Claim("factorization", "Theorem 2.5"),
    Claim("oom-identity", "Theorem 2.5"),
    Claim("nonexpansive", "Theorem 2.5"),
    Claim("posterior-lipschitz", "Assumption 2.3", ("L_lower", "L_upper")),
    Claim("weak-revealing", "Assumption 2.4", ("alpha_lower", "alpha_upper")),
    Claim("well-specified", "Assumption 3.1(a)"),
    Claim("covering", "Assumption 3.1(b)", ("log_covering_upper",)),
    Claim("bounded-increments", "Assumption 3.1(c)", ("B0_lower", "B0_upper")),
    Claim("predictive-states", "Assumption 3.1(d)"),
    Claim("kl-joint", "Assumption 3.1(e)", ("c_KL_joint_lower", "c_KL_joint_upper")),
    Claim("kl-world", "Assumption 3.1(e)", ("c_KL_world_lower", "c_KL_world_upper")),
    Claim("warmup-stationary", "Assumption 3.1(f)"),
    Claim("eluder-world", "Proposition 2.6", ("d_W_lower", "d_W_upper", "p_W")),
    Claim("eluder-adversary", "Proposition 2.6", ("d_G_lower", "d_G_upper", "p_G")),
    Claim("regret", "Theorem N", ("N", "span", "D", "gap_upper", "nested_regret_upper", "worth_T")),
    Claim("constants", "Theorem 3.3", ("c", "C_0", "least_observation", "T_star", *(f"{x}_upper" for x in LINES))),
)
STRUCTURAL = ("factorization", "oom-identity", "well-specified", "warmup-stationary")  # by the same code on intervals
OWN = {  # Theorem 2.5 as a class given by operators owes it
    "factorization": "The matrices given satisfy J^{xi,pi}_h(o^A,a) = G^{Phi,pi}_h(o^A,a) W^theta_h(o^A,a) entry by "
    "entry, for every xi, pi, h, o^A, a; W is free of Phi, and G is free of theta.",
    "oom-identity": "The masses 1^T J_h ... J_1 q_0 are a law of observations given actions: 1 before play, never "
    "negative, and after every learner sequence those of the next o^A add up to the mass before, for every a, xi, pi.",
    "nonexpansive": "W and G are entrywise nonnegative and every column of |G| sums to at most 1, so that "
    "||G u||_1 <= ||u||_1 for every signed u.",
}
VERDICTS = ("proved", "vacuous", "declared", "unknown", "refuted")  # from best to worst


def by_boxes(claim: str, game: Game) -> bool:
    """Whether the claim is one about all points of interval axes, L_g of a fading rule among them."""
    settled = claim in STRUCTURAL and (claim != "warmup-stationary" or game.gamma is None)
    return not (game.finite or game.own or settled)


def statement(claim: str, game: Game, options: Mapping[str, Any]) -> str:
    """The claim in one sentence, as this class and these options make it."""
    if game.own and claim in OWN:
        return OWN[claim]
    kappa, reveal = options["kappa"], options["weak_revealing"]
    law = {"literal": "conditional laws of", "joint": "sub-probabilities of o^A and"}[reveal["form"]]
    states = {"simplex": "normalised predictive state q", "reachable": "predictive state q reached in the class"}
    posteriors = {
        "step": "the reference posteriors at the same step and history",
        "policy": "the reference posteriors, maximised over steps and histories",
    }
    T, finite = options["T"], game.finite
    fading, window = game.block_rule == "fading", "observation" if kappa == 1 else f"{kappa} observations"
    return {
        "factorization": "J^{xi,pi}_h(o^A,a) = G^{Phi,pi}_h(o^A,a) W^theta_h(o^A,a) as polynomials in free kernel and "
        "response entries, for every h, o^A, a; W is free of Phi and pi, and G is free of theta.",
        "oom-identity": "1^T J_h ... J_1 q_0 = P(o^A_{1:h} | a_{1:h}) for every learner sequence, xi and pi, the right "
        "side summed over latent paths with whole histories.",
        "nonexpansive": "W and G are entrywise nonnegative and every column of G sums to at most 1, so that "
        "||G u||_1 <= ||u||_1 for every signed u.",
        "posterior-lipschitz": "For every theta, Phi, h, adversary history and pair of policies"
        f"{' (blocks of ' + str(game.m) + ')' if game.block_rule == 'table' else ''}, the responses differ in l1 by at "
        f"most L_upper times {posteriors[options['lipschitz_form']]}.",
        "weak-revealing": f"For every h <= {game.H - kappa}, theta != theta', Phi, pi, (o^A,a) and every "
        f"{states[reveal['scope']]}, the {law} the learner's next {window} differ in l1 between "
        "theta and theta' by at least alpha_lower times ||(W^theta - W^theta') q||_1.",
        "well-specified": "The true parameters xi* lie in Xi.",
        "covering": "For every epsilon > 0 the log covering number of Xi is at most log_covering_upper."
        if finite
        else f"At epsilon = 1/(2T+4) = 1/{2 * T + 4}, in the l1 operator norm of J, the log covering number of Xi is at "
        "most log_covering_upper; J is covering_lipschitz_upper-Lipschitz in the largest change along an interval.",
        "bounded-increments": "For all xi, xi', pi and every trajectory possible under either, "
        "|log P^pi_xi(tau) / P^pi_xi'(tau)| <= B0_upper"
        + (
            "."
            if finite
            else ", and it is at most "
            "log_likelihood_lipschitz_upper times the largest distance of J^{xi,pi}_h and J^{xi',pi}_h in l1 -> l1."
        ),
        "predictive-states": "Every learner prefix possible under some xi is possible under every xi.",
        "kl-joint": "KL(P^pi_xi* || P^pi_xi) >= c_KL_joint_lower sum_h E||(J^{xi,pi}_h - J^{xi*,pi}_h) "
        "q^xi*_{h-1}||_1^2 for all xi*, xi, pi.",
        "kl-world": "KL(P^pi_xi* || P^pi_xi) >= c_KL_world_lower sum_h E||(W^theta_h - W^theta*_h) "
        "q^xi*_{h-1}||_{1,V}^2 for all xi*, xi, pi.",
        "warmup-stationary": "The response converges to R_infty(pi) at rate gamma while pi is played, and g(z) is "
        "L_g-Lipschitz in l1 (Theorem 5.2)."
        if fading
        else f"From episode {game.m} in a row of pi on, m = {game.m} being the memory, the response is exactly R_infty(pi).",
        "eluder-world": error_class(
            "world", "W", "F^W_theta(pi) = sum_h E||(W^theta_h - W^theta*_h) q^xi*_{h-1}||_{1,V}", game, options["T"]
        ),
        "eluder-adversary": error_class(
            "adversary",
            "G",
            "F^G_Phi(pi) = sum_h E||(G^{Phi,pi}_h - G^{Phi*,pi}_h) W^theta*_h q^xi*_{h-1}||_1",
            game,
            options["T"],
        ),
        "regret": "The schedule nested with u = log(max(N-1, 1)/delta) has, with probability at least 1 - 2 delta and at "
        "all T at once: xi* is never refuted, and PR(T) <= gap_upper; at "
        f"T = {T} it has PR(T) <= nested_regret_upper. No settled episode loses more than D, and the bound is below D T "
        "from T_0 on.",
        "constants": "Algorithm 1 with c = 16, C_0 = 6(e-2)"
        f"{' and the radius of Theorem 5.2' if fading else ''} has PR(T) <= "
        "regret_upper with probability at least 1 - 2 delta, and PR(T) <= sharp_regret_upper with probability at least "
        f"1 - 2 delta, at T = {options['T']}; the second bound is below H T "
        f"{'at T*, and not at T* - 1' if fading or not finite else 'at T*, and at no smaller T'}.",
    }[claim]


def error_class(channel: str, letter: str, function: str, game: Game, T: int) -> str:
    """The bracket of one channel's Eluder dimension, in words."""
    most = "" if game.finite else "at most "  # fewer where the constraints leave a cell without inner points
    return (
        f"The largest Eluder dimension over xi* of the {channel} channel's error class, {function}, at scale "
        f"1/{2 * T} is at least d_{letter}_lower and at most d_{letter}_upper; its differences span {most}"
        f"p_{letter} dimensions."
    )


class Outcome(NamedTuple):
    """What the kernel itself found: verdict and exact values."""

    verdict: str
    values: Values


PROVED = Outcome("proved", {})


class Problem(NamedTuple):
    """One weak-revealing problem: per pure state j of ``states``, Z_j, Z'_j, M_j, M'_j and the column (W-W')e_j.

    Z is an integer over ``unit``; M, M' and W-W' are integers over one other unit, which cancels in every ratio.
    """

    h: int
    uA: Memory
    states: list[tuple[int, Memory]]
    columns: list[tuple[Any, Any, dict[Any, Any], dict[Any, Any], dict[Any, Any]]]
    unit: int


class Facts:
    """Exact facts of a class under the options of a certificate; of one with interval axes, those that hold as
    polynomials."""

    def __init__(self, game: Game, options: Mapping[str, Any]) -> None:
        self.game, self.options = game, options
        self.space, self.whole = Space(game, options["space"]), Space(game, "history")
        reference = options["reference"]
        size = len(game.B)
        self.mu: Row = (
            (Fraction(1, size),) * size if reference == "uniform" else tuple(Fraction(text) for text in reference)
        )

    @cached_property
    def scaled(self) -> Any:
        """The tables: integers over common units, or polynomials."""
        return Scaled(self.game) if self.game.finite else self.continuum

    @cached_property
    def continuum(self) -> Continuum:
        return Continuum(self.game, self.space)

    @property
    def tables(self) -> Sequence[World]:
        """The kernels of all worlds, at points or in indeterminates."""
        return self.game.worlds if self.game.finite or self.game.own else self.continuum.worlds

    # -- Theorem 2.5

    def factorization(self) -> Outcome:
        """Compare J with G W, entry by entry, as polynomials in free entries."""
        game, part = self.game, self.game.document
        steps = {
            key: game._steps(part["worlds"][key], key)
            for key in ("learner_emission", "adversary_emission", "transition")
        }
        world = World(
            *(
                tuple(free(t, (name, h)) for h, t in enumerate(tables))
                for name, tables in zip(("EA", "EB", "T"), steps.values(), strict=True)
            )
        )
        rows = [game.row_count(game.adversary_window, h, len(game.OB), len(game.B)) for h in range(game.H)]
        g: Any = tuple(
            tuple(tuple(Polynomial({(("g", h, r, b),): 1}) for b in range(len(game.B))) for r in range(rows[h]))
            for h in range(game.H)
        )
        one = Polynomial({(): 1})
        for h, o, a in product(range(game.H), range(len(game.OA)), range(len(game.A))):
            for state in pure_states(self.space, h):
                channel = W(world, h, o, a, {state: one})
                if J(self.space, world, g, h, o, a, {state: one}) != G(self.space, g, h, channel):
                    return Outcome("refuted", {})
                weights = G(self.space, g, h, dict.fromkeys(channel, one))
                if indeterminates(channel) & {"g"} or indeterminates(weights) - {"g"}:
                    return Outcome("refuted", {})
        return PROVED

    def oom_identity(self) -> Outcome:
        tables = dict.fromkeys(table for response in self.scaled.responses for table in response)
        for world, g in product(dict.fromkeys(self.scaled.worlds), tables):
            start = self.scaled.initial()
            if not self._same_law(world, g, 0, start, start, set()):
                return Outcome("refuted", {})
        return PROVED

    def _same_law(self, world: World, g: Table, h: int, q: Vector, paths: Vector, seen: set[Any]) -> bool:
        """Whether operators, and latent paths told apart by (s, whole adversary history) and played by the protocol,
        give equal masses on every continuation; repeats are played once."""
        game = self.game
        key = h, frozenset(q.items()), frozenset(paths.items())
        if h == game.H or key in seen:
            return True
        seen.add(key)
        in_state: dict[int, int] = {}
        for (s, _), m in paths.items():
            in_state[s] = in_state.get(s, 0) + m
        present = sorted({*in_state, *(s for s, _ in q)})
        actions = {tuple(world.T[h][s][a] for s in present): a for a in range(len(game.A))}  # equal ones act alike
        for o in range(len(game.OA)):
            mass = sum(m * world.EA[h][s][o] for s, m in in_state.items())
            if not any(world.EA[h][s][o] for s in present):
                continue  # both sides vanish
            for a in actions.values():
                after = G(self.space, g, h, W(world, h, o, a, q))
                if total(after) * self.scaled.EA - mass * self.scaled.J:
                    return False
                if mass and h + 1 < game.H:
                    longer = J(self.whole, world, g, h, o, a, paths)
                    if not self._same_law(world, g, h + 1, after, longer, seen):
                        return False
        return True

    def nonexpansive(self) -> Outcome:
        """W is made of products of probabilities, read as such with the document; G's columns are summed."""
        game, space = self.game, self.space
        tables = dict.fromkeys(table for response in game.responses for table in response)
        inputs = [
            (h, uB, oB, b)
            for h in range(game.H)
            for uB in space.memories(h, False)
            for oB, b in product(range(len(game.OB)), range(len(game.B)))
        ]
        columns = (G(space, g, h, {(0, uB, oB, b): 1}) for g in tables for h, uB, oB, b in inputs)
        good = all(min(c.values(), default=0) >= 0 and total(c) <= 1 for c in columns)
        return PROVED if good else Outcome("refuted", {})

    # -- Assumption 2.3

    @cached_property
    def posteriors(self) -> list[list[list[dict[Memory, Row]]]]:
        """S^ref[i][p][h]: decision history -> law on A."""
        game = self.game
        worlds, policies = range(len(game.worlds)), range(len(game.policies))
        return [[reference_posteriors(game, self.scaled, i, p, self.mu) for p in policies] for i in worlds]

    @cached_property
    def _answers(self) -> dict[tuple[int, ...], list[int]]:
        """For each block, the number k of every response's table: of the first response that has an equal table for
        *this* block.  Numbers of different blocks name different tables and are never compared."""
        found = {}
        for block in self.game.block_list():
            first: dict[Table, int] = {}
            found[block] = [first.setdefault(tables[block], k) for k, tables in enumerate(self.game.blocks)]
        return found

    def _different_answers(self, pi: tuple[int, ...], nu: tuple[int, ...]) -> list[int]:
        """One response of each kind that answers the two blocks with a pair of tables of its own."""
        pairs = zip(self._answers[pi], self._answers[nu], strict=True)
        return [*{pair: k for k, pair in enumerate(pairs)}.values()]

    def response_gap(self, h: int, row: int, k: int, pi: tuple[int, ...], nu: tuple[int, ...]) -> Fraction:
        return l1(self.game.blocks[k][pi][h][row], self.game.blocks[k][nu][h][row])

    def posterior_gap(self, i: int, h: int, eta: Memory, pi: tuple[int, ...], nu: tuple[int, ...]) -> Fraction | None:
        """max over the block of ||S(pi^i) - S(nu^i)||_1; ``None`` where the history is impossible for one of them."""
        post = self.posteriors[i]
        if any(eta not in post[p][h] for p in (*pi, *nu)):
            return None
        if self.options["lipschitz_form"] == "policy":
            return max(self.policy_gap[i, p, n] for p, n in zip(pi, nu, strict=True))
        return max(l1(post[p][h][eta], post[n][h][eta]) for p, n in zip(pi, nu, strict=True))

    @cached_property
    def policy_gap(self) -> dict[tuple[int, int, int], Fraction]:
        """max over h and common tau_B of ||S(pi) - S(nu)||_1 (policy form)."""
        return {
            (i, p, n): max(
                (
                    l1(left[eta], right[eta])
                    for left, right in zip(post[p], post[n], strict=True)
                    for eta in left.keys() & right.keys()
                    if left[eta] != right[eta]
                ),
                default=Fraction(0),
            )
            for i, post in enumerate(self.posteriors)
            for p, n in product(range(len(post)), repeat=2)
        }

    def posterior_lipschitz(self) -> Outcome:
        """L as a maximum of exact ratios; for latest, mean and fading blocks the constant is that of one policy,
        a block's response being an average of the m single responses (or the last one)."""
        game, best = self.game, Fraction(0)
        for pi, nu in combinations(game.block_list(), 2):
            different = self._different_answers(pi, nu)
            gaps: dict[tuple[int, int], Fraction] = {}
            for i, h in product(range(len(game.worlds)), range(game.H)):
                for eta in self.posteriors[i][pi[0]][h]:
                    place = h, self.whole.row(eta[:-1], eta[-1], False)
                    if place not in gaps:
                        gaps[place] = max(self.response_gap(*place, k, pi, nu) for k in different)
                    posterior = self.posterior_gap(i, h, eta, pi, nu) if gaps[place] else None
                    if posterior == 0:
                        return Outcome("refuted", {})
                    if posterior:
                        best = max(best, gaps[place] / posterior)
        return Outcome("proved", {"L_lower": str(best), "L_upper": str(best)})

    # -- Assumption 2.4

    def problem(self, i: int, j: int, k: int, p: int, h: int, uA: Memory, o: int, a: int) -> Problem:
        """The data of ratio(q) for worlds i, j, response k, policy p at 0-based step h (checks.md section 3)."""
        scaled, kappa, states = self.scaled, self.options["kappa"], pure_states(self.space, h)
        g, policy, pair = scaled.responses[k][p], scaled.policies[p], (scaled.worlds[i], scaled.worlds[j])
        finer = scaled.J**kappa * scaled.EA * scaled.pi ** (kappa - 1) // scaled.W  # units of M in one unit of W
        columns = []
        for state in states:
            pure = {state: 1}
            M, M_ = (window_law(self.space, world, g, policy, h, kappa, uA, o, a, pure) for world in pair)
            left, right = (W(world, h, o, a, pure) for world in pair)
            gap = {v: d * finer for v in left.keys() | right.keys() if (d := left.get(v, 0) - right.get(v, 0))}
            columns.append((pair[0].EA[h][state[0]][o], pair[1].EA[h][state[0]][o], M, M_, gap))
        return Problem(h, uA, states, columns, scaled.EA)

    def contexts(self) -> Iterator[tuple[int, int, int, int, int, Memory, int, int]]:
        """(i, j, k, p, h, uA, o, a), equal answers to a policy once."""
        game = self.game
        steps, first = range(game.H - self.options["kappa"]), dict[Any, tuple[int, int]]()
        for k, p in product(range(len(game.responses)), range(len(game.policies))):
            first.setdefault((self.scaled.responses[k][p], self.scaled.policies[p]), (k, p))
        for i, j in combinations(range(len(game.worlds)), 2):
            for (k, p), h in product(first.values(), steps):
                for uA in self.space.memories(h, True):
                    for o, a in product(range(len(game.OA)), range(len(game.A))):
                        yield i, j, k, p, h, uA, o, a

    def problems(self) -> Iterator[Problem]:
        """Distinct problems in order of first appearance (certificates/FORMAT.md, "problems").

        Two contexts are one problem when every table they read is the same.  Left out: those where W = W', and,
        in the literal form, those whose observation is impossible in one of the two worlds.
        """
        game, kappa, ids = self.scaled, self.options["kappa"], dict[Any, int]()
        O, A = range(len(self.game.OA)), range(len(self.game.A))

        def name(table: Any) -> int:
            return ids.setdefault(table, len(ids))

        columns = [[[name(tuple(row[o] for row in t)) for o in O] for t in w.EA] for w in game.worlds]
        slices = [[[name(tuple(rows[a] for rows in t)) for a in A] for t in w.T] for w in game.worlds]
        EA, EB, T = ([[name(t) for t in w[part]] for w in game.worlds] for part in range(3))
        g = [[[name(t) for t in table] for table in response] for response in game.responses]
        play = [[name(t) for t in policy] for policy in game.policies]
        literal = self.options["weak_revealing"]["form"] == "literal"
        seen: set[Any] = set()
        for i, j, k, p, h, uA, o, a in self.contexts():
            now = [(columns[x][h][o], EB[x][h], slices[x][h][a]) for x in (i, j)]
            later = range(h + 1, h + kappa)
            worlds = tuple((EA[x][h + kappa], *((EA[x][s], EB[x][s], T[x][s]) for s in later)) for x in (i, j))
            played = (g[k][p][h], *((g[k][p][s], play[p][s]) for s in later))
            place = (h, uA) if self.options["weak_revealing"]["scope"] == "reachable" else self._depth(h)
            key = *now, worlds, played, place, self.space.next(uA, o, a, True) if kappa > 1 else ()
            if now[0] == now[1] or key in seen:
                continue
            seen.add(key)
            problem = self.problem(i, j, k, p, h, uA, o, a)
            possible = all(any(column[x] for column in problem.columns) for x in (0, 1))
            if any(column[4] for column in problem.columns) and (possible or not literal):
                yield problem

    def _depth(self, h: int) -> Any:
        """What the windows' lengths at a step depend on."""
        windows = self.game.adversary_window, self.game.learner_window
        return h if self.space.history else tuple(min(h, (w or 1) - 1) for w in windows)

    def reachable_alpha(self) -> Outcome:
        """The exact minimum of ratio(q) over the predictive states the class reaches (scope reachable)."""
        pairs = [
            pair
            for problem in self.problems()
            for q in self.reached.get((problem.h, problem.uA), ())
            if (pair := self.ratio(problem, dict(q))) and pair[1]
        ]
        if not pairs:
            return Outcome("vacuous", {})
        least: Fraction = min(signal / difference for signal, difference in pairs)
        if not least:
            return Outcome("refuted", {})
        return Outcome("proved", {"alpha_lower": str(least), "alpha_upper": str(least)})

    @cached_property
    def reached(self) -> dict[tuple[int, Memory], set[Any]]:
        """(h, uA) -> the predictive states q^xi_{h-1} of the class there, normalised (scope reachable)."""
        found: dict[tuple[int, Memory], set[Any]] = {}
        for h, uA, q in (state for play in self.plays for state in play.states):
            for vector in filter(None, q.values()):
                state = tuple(sorted((key, Fraction(m, total(vector))) for key, m in vector.items()))
                found.setdefault((h, uA), set()).add(state)
        return found

    def gap(self, problem: Problem, q: Mapping[tuple[int, Memory], Fraction]) -> tuple[Any, Any] | None:
        """(M q/Z - M'q/Z', (W-W')q) in one unit, sparse; no Z in the joint form; ``None`` where a Z is zero."""
        Z, Z_, M, M_, D = mix(problem.columns, [q.get(state, 0) for state in problem.states])
        if self.options["weak_revealing"]["form"] == "joint":
            Z = Z_ = problem.unit
        if not Z or not Z_:
            return None
        unit = Fraction(problem.unit)
        return {w: M.get(w, 0) * unit / Z - M_.get(w, 0) * unit / Z_ for w in M.keys() | M_.keys()}, D

    def ratio(self, problem: Problem, q: Mapping[tuple[int, Memory], Fraction]) -> tuple[Fraction, Fraction] | None:
        """(signal, difference) in one unit: numerator and denominator of ratio(q); ``None`` where a Z is zero."""
        gap = self.gap(problem, q)
        return gap and (norm(gap[0]), norm(gap[1]))

    # -- Assumption 3.1

    def well_specified(self) -> Outcome:
        game = self.game
        if game.truth is None:
            return Outcome("declared", {})
        inside = game.contains("worlds", game.truth[0]) and game.contains("responses", game.truth[1])
        return PROVED if inside else Outcome("refuted", {})

    def covering(self) -> Outcome:
        count = len(set(self.game.worlds)) * len(set(self.game.responses))
        return Outcome("proved", {"log_covering_upper": {"log_of": str(count)}})

    @cached_property
    def plays(self) -> list[Play]:
        return [Play(self.game, self.scaled, self.space, p) for p in range(len(self.game.policies))]

    def bounded_increments(self) -> Outcome:
        ratio = Fraction(1)
        for play in self.plays:
            for _, law in play.laws.values():
                low, high = min(law.values()), max(law.values())
                if not low:
                    return Outcome("refuted", {})
                ratio = max(ratio, Fraction(high, low))
        return Outcome("proved", {"B0_lower": {"log_of": str(ratio)}, "B0_upper": {"log_of": str(ratio)}})

    def predictive_states(self) -> Outcome:
        """A prefix possible under xi and not under xi' extends to such a full trajectory, so those decide."""
        possible = all(all(law.values()) for play in self.plays for _, law in play.laws.values())
        return PROVED if possible else Outcome("refuted", {})

    def conversions(self, world: bool) -> Iterator[tuple[Play, Any, Any, int, int]]:
        """(play, xi*, xi, n, unit): the right sides n/unit of Assumption 3.1(e) that are positive, alike ones once."""
        for play in self.plays:
            for x, y in product(play.models, repeat=2):
                unit, row = play.sums(x, 2)
                if delta := row[y[0] if world else y]:
                    yield play, x, y, delta, unit

    def kl(self, world: bool) -> Outcome:
        finite = False
        for play, x, y, *_ in self.conversions(world):
            if play.masses[x] == play.masses[y]:
                return Outcome("refuted", {})
            finite = finite or not play.divergent(x, y)
        return PROVED if finite else Outcome("vacuous", {})

    def warmup_stationary(self) -> Outcome:
        """For latest, mean and table rules m equal policies give the table's response, which reading the blocks checks;
        for fading g(z) is the z-average of the responses, and half their largest l1 distance bounds L_g."""
        game = self.game
        blocks = game.blocks if game.own or game.phis else self.continuum.blocks
        if game.gamma is None:
            return PROVED
        if not blocks:
            return Outcome("unknown", {})
        L_g = max(
            (
                l1(x, y) / 2
                for tables in blocks
                for left, right in combinations(tables.values(), 2)
                for s, t in zip(left, right, strict=True)
                for x, y in zip(s, t, strict=True)
            ),
            default=Fraction(0),
        )
        return Outcome("proved", {"gamma": str(game.gamma), "L_g": str(L_g)})

    # -- Proposition 2.6

    @cached_property
    def channels(self) -> dict[str, Channel]:
        """The two error classes, by the claims about them."""
        claims = ("eluder-world", "eluder-adversary")
        return {claim: Channel(self.game, self.scaled, self.plays, claim == claims[0]) for claim in claims}

    def eluder(self, claim: str) -> Outcome:
        """The upper bracket and the rank; the lower one is shown by a sequence."""
        channel, letter = self.channels[claim], "W" if claim == "eluder-world" else "G"
        if not channel_triangle(self.plays):
            return Outcome("refuted", {})
        upper = channel.upper(self.options["T"])
        return Outcome("proved", {f"d_{letter}_upper": str(upper), f"p_{letter}": str(channel.rank)})

    # -- Theorem N

    @cached_property
    def ranked(self) -> Ranked:
        return Ranked(self.game, self.plays)

    def regret(self, premises: Collection[str]) -> Outcome:
        """Of 3.1(a) and 3.1(f) alone; nothing is said where a premise fails, nor where no policy is ever worse."""
        if "unknown" in premises:
            return Outcome("unknown", {})
        if "refuted" in premises or not self.ranked.D:
            return Outcome("vacuous", {})
        values = {"N": len(self.ranked.models), "span": span(self.game), "D": self.ranked.D}
        return Outcome("proved", {name: str(value) for name, value in values.items()})

    # -- Theorem 3.3

    def least_observation(self) -> Fraction:
        """The least probability, over policies and models, of a possible observation given what came before it."""
        steps = (step for play in self.plays for models in play.steps.values() for step in models.values())
        return min(Fraction(step.after, step.before * self.scaled.J) for step in steps if step.after)

    def constants(self, verdicts: Collection[str]) -> Outcome:
        """The theorem says nothing where a premise fails, and nothing yet where one is open.  For a fading rule all
        policies must be answered with the same actions, or a transient may show what the settled class excludes."""
        supports = (
            {tuple(tuple(map(bool, row)) for table in tables for row in table) for tables in response}
            for response in self.game.responses
        )
        if "refuted" in verdicts:
            return Outcome("vacuous", {})
        fades = self.game.gamma is not None and any(len(found) > 1 for found in supports)
        return Outcome("unknown", {}) if "unknown" in verdicts or fades else PROVED

    def concluded(self, claim: str, before: Mapping[str, str]) -> Outcome:
        """The finding on a theorem, from the verdicts of the claims before it."""
        if claim == "regret":
            return self.regret([before[name] for name in ("well-specified", "warmup-stationary")])
        return self.constants([verdict for name, verdict in before.items() if name != "regret"])

    def outcome(self, claim: str) -> Outcome | None:
        """The kernel's own finding; ``None`` where evidence decides (weak-revealing on the simplex, unless vacuous)."""
        if claim == "weak-revealing":
            if self.options["weak_revealing"]["scope"] == "reachable":
                return self.reachable_alpha()
            return Outcome("vacuous", {}) if next(self.problems(), None) is None else None
        if claim in ("kl-joint", "kl-world"):
            return self.kl(claim == "kl-world")
        if claim in ("eluder-world", "eluder-adversary"):
            return self.eluder(claim)
        found: Outcome = getattr(self, claim.replace("-", "_"))()
        return found


def indeterminates(vector: Mapping[Any, Polynomial]) -> set[str]:
    """Which tables the coefficients of a vector are made of."""
    return {name[0] for entry in vector.values() for monomial in entry for name in monomial}


def l1(u: Row, v: Row) -> Fraction:
    if u is v:
        return Fraction(0)
    unit = lcm(*(x.denominator for x in (*u, *v)))
    pairs = zip(u, v, strict=True)
    return Fraction(
        sum(abs(x.numerator * (unit // x.denominator) - y.numerator * (unit // y.denominator)) for x, y in pairs), unit
    )


def norm(vector: Mapping[Any, Any]) -> Any:
    return sum(map(abs, vector.values()))


def mix(columns: list[Any], weights: list[Any]) -> tuple[Any, Any, Any, Any, Any]:
    """The same combination of every part of some columns."""
    out: list[Any] = [0, 0, {}, {}, {}]
    for column, weight in zip(columns, weights, strict=True):
        if weight:
            for part in (0, 1):
                out[part] += weight * column[part]
            for part in (2, 3, 4):
                for key, value in column[part].items():
                    out[part][key] = out[part].get(key, 0) + weight * value
    return out[0], out[1], out[2], out[3], out[4]


def name_point(points: tuple[Point, ...] | None, value: Any, where: str) -> int:
    """Index of the parameter point written as an object of exact texts."""
    point = Game.point(value, where)
    for index, known in enumerate(points or ()):
        if known == point:
            return index
    raise Malformed(where, str(value), "a parameter point of the class")
