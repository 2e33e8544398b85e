"""Assumption 2.3: responses differ by at most L times reference posteriors."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import comb
from typing import Any

from ..budget import spend
from ..case import Case, Claim, OnIntervals, Outcome, at_points
from ..facts import Facts, l1
from ..game import Row, Table, mapping, sequence, take
from ..operators import Memory, reference_posteriors


def posteriors(facts: Facts) -> list[list[list[dict[Memory, Row]]]]:
    """S^ref[i][p][h]: decision history -> law on A."""
    game = facts.game
    worlds, policies = range(len(game.worlds)), range(len(game.policies))
    return [[reference_posteriors(game, facts.scaled, i, p, facts.mu) for p in policies] for i in worlds]


def answers(facts: Facts) -> dict[tuple[int, ...], list[int]]:
    """For each block, the number k of every response's table: of the first response that has an equal table for
    *this* block.  Numbers of different blocks name different tables and are never compared."""
    found = {}
    for block in facts.game.block_list():
        first: dict[Table, int] = {}
        found[block] = [first.setdefault(tables[block], k) for k, tables in enumerate(facts.game.blocks)]
    return found


def different_answers(facts: Facts, pi: tuple[int, ...], nu: tuple[int, ...]) -> list[int]:
    """One response of each kind that answers the two blocks with a pair of tables of its own."""
    numbers = facts.once(answers)
    return [*{pair: k for k, pair in enumerate(zip(numbers[pi], numbers[nu], strict=True))}.values()]


def response_gap(facts: Facts, h: int, row: int, k: int, pi: tuple[int, ...], nu: tuple[int, ...]) -> Fraction:
    return l1(facts.game.blocks[k][pi][h][row], facts.game.blocks[k][nu][h][row])


def posterior_gap(
    facts: Facts, i: int, h: int, eta: Memory, pi: tuple[int, ...], nu: tuple[int, ...]
) -> Fraction | None:
    """max over the block of ||S(pi^i) - S(nu^i)||_1; ``None`` where the history is impossible for one of them."""
    post = facts.once(posteriors)[i]
    if any(eta not in post[p][h] for p in (*pi, *nu)):
        return None
    if facts.options["lipschitz_form"] == "policy":
        return max(facts.once(policy_gap)[i, p, n] for p, n in zip(pi, nu, strict=True))
    return max(l1(post[p][h][eta], post[n][h][eta]) for p, n in zip(pi, nu, strict=True))


def policy_gap(facts: Facts) -> dict[tuple[int, int, int], Fraction]:
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
        for i, post in enumerate(facts.once(posteriors))
        for p, n in product(range(len(post)), repeat=2)
    }


def outcome(case: Case) -> Outcome:
    """L as a maximum of exact ratios; for latest, mean and fading blocks the constant is that of one policy,
    a block's response being an average of the m single responses (or the last one)."""
    facts = case.facts
    game, best = facts.game, Fraction(0)
    size = len(next(game.block_list()))
    pairs = comb(len(game.policies) ** size, 2)
    histories = sum(len(level) for each in facts.once(posteriors) for level in each[0])
    work = pairs * (20 + 2 * len(game.blocks) + 2 * size * histories)
    spend(work, f"{pairs} pairs of blocks at {histories} histories")
    for pi, nu in combinations(game.block_list(), 2):
        different = different_answers(facts, pi, nu)
        gaps: dict[tuple[int, int], Fraction] = {}
        for i, h in product(range(len(game.worlds)), range(game.H)):
            for eta in facts.once(posteriors)[i][pi[0]][h]:
                place = h, facts.whole.row(eta[:-1], eta[-1], False)
                if place not in gaps:
                    gaps[place] = max(response_gap(facts, *place, k, pi, nu) for k in different)
                posterior = posterior_gap(facts, i, h, eta, pi, nu) if gaps[place] else None
                if posterior == 0:
                    return Outcome("refuted", {})
                if posterior:
                    best = max(best, gaps[place] / posterior)
    return Outcome("proved", {"L_lower": str(best), "L_upper": str(best)})


def place_of(case: Case, place: Any, extra: tuple[str, ...]) -> tuple[Fraction, Fraction]:
    """(response gap, posterior gap) at a place (theta, h, tau_B, pi, nu, Phi) of Assumption 2.3."""
    where = f"{case.id}.place"
    take(place, where, ("theta", "h", "tau_B", "pi", "nu", "Phi", *extra))
    facts = case.facts
    i, k, h = case.world(place["theta"]), case.answer(place["Phi"]), case.step(place["h"], facts.game.H)
    eta = case.history(place["tau_B"], False, "tau_B")
    if facts.game.block_rule == "table":
        pi, nu = (tuple(map(case.policy, sequence(place[x], where, facts.game.m))) for x in ("pi", "nu"))
    else:
        pi, nu = (case.policy(place["pi"]),), (case.policy(place["nu"]),)
    posterior = posterior_gap(facts, i, h, eta, pi, nu) if len(eta) == 2 * h + 1 else None
    if posterior is None:
        raise case.reject("eval", f"the adversary history {place['tau_B']}", "a history of step h possible under both")
    row = facts.whole.row(eta[:-1], eta[-1], False)
    if extra:  # a witness shows the rows themselves
        shown = [[str(x) for x in facts.game.blocks[k][block][h][row]] for block in (pi, nu)]
        seen = [[str(x) for x in facts.once(posteriors)[i][block[0]][h][eta]] for block in (pi, nu)]
        if [place["responses"], place["posteriors"]] != [shown, seen]:
            raise case.reject("eval", "other rows", f"responses {shown}, posteriors {seen}")
    return response_gap(facts, h, row, k, pi, nu), posterior


def on_intervals(case: Case, evidence: Mapping[str, Any]) -> None:
    """Theta and Psi range independently: where responses differ by ``gap`` at most, the posteriors differ by gap/L at
    least, which a choice of signs shows, a sum with signs being at most the l1 norm."""
    from ..continua import Goal
    from ..goals import settle, width

    take(evidence, f"{case.id}.evidence", ("rule", "gaps", "signs", "trees", "attained"))
    continuum = case.facts.continuum
    L, goals = case.number("L_upper"), list[Goal]()
    gaps, signs, trees = (mapping(evidence[key], f"{case.id}.{key}") for key in ("gaps", "signs", "trees"))
    widest = cache(lambda k, vector: width(case, vector, continuum.phis[k].region, gaps, goals))
    for compared in continuum.comparisons(case.facts.mu, case.facts.options["lipschitz_form"]):
        gap, where = max(widest(*answer) for answer in compared.answers), f"{case.id}.signs[{compared.name[:80]}]"
        if gap:
            goals += compared.goals(signs.get(compared.name), compared.region, L, gap, where)
    settle(case, goals, trees)
    found = Fraction(0)
    if evidence["attained"] is not None:
        gap, posterior = place_of(at_points(case, evidence["attained"]), evidence["attained"], ())
        found = gap / posterior if posterior else Fraction(0)
    if found > L:
        raise case.reject("box", f"L_upper = {L}", f"at least the ratio {found} attained")
    if found != case.number("L_lower"):
        raise case.reject("eval", f"the ratio {found} where L_lower is said to be attained", case.number("L_lower"))


def attained(case: Case, evidence: Mapping[str, Any]) -> None:
    """The ratio at the stated place is L."""
    take(evidence, f"{case.id}.evidence", ("rule", "attained"))
    L, found = case.number("L_upper"), Fraction(0)
    if evidence["attained"] is not None:
        gap, posterior = place_of(case, evidence["attained"], ())
        found = gap / posterior if posterior else Fraction(0)
    if found != L:
        raise case.reject("eval", f"the ratio {found} where L is said to be attained", f"{L}")


def witness(case: Case, place: Any) -> None:
    """Responses differ at a place where posteriors do not."""
    gap, posterior = place_of(case, place, ("responses", "posteriors"))
    if not gap or posterior:
        raise case.reject("witness", f"response gap {gap}, posterior gap {posterior}", "positive over zero")


CLAIM = Claim(
    "posterior-lipschitz",
    "Assumption 2.3",
    outcome,
    ("L_lower", "L_upper"),
    attained,
    witness=witness,
    intervals=OnIntervals(("L_lower", "L_upper"), on_intervals),
)
