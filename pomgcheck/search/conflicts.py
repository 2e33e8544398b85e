"""Every refuting tuple of a finite class, as the worlds, responses and policies that together break a claim.

Dropping any one of them from the class removes the tuple.  A claim that quantifies over tuples holds on a sub-class
as soon as none is left, since what breaks it on a sub-class breaks it on the whole class as well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pomgcheck.kernel.facts import Facts, plays_of
from pomgcheck.kernel.play import Play
from pomgcheck.search.claims.posterior_lipschitz import told_apart
from pomgcheck.search.claims.weak_revealing import crossing, predictive_states
from pomgcheck.search.claims.weak_revealing_problems import Problem, Problems
from pomgcheck.search.claims.weak_revealing_simplex import SubSimplex
from pomgcheck.search.exact.tables import Tables
from pomgcheck.search.play import played

SIDES = ("worlds", "responses", "policies")
DROPPABLE = ("posterior-lipschitz", "weak-revealing", "bounded-increments", "predictive-states", "kl-joint", "kl-world")
NEAR_ZERO = 1e-9  # float ratios below it are looked at exactly


class Member(NamedTuple):
    """A member is one world, response or policy of the class, by its side and its number there."""

    side: str
    number: int


Conflict = frozenset[Member]


def conflict(worlds: Collection[int] = (), responses: Collection[int] = (), policies: Collection[int] = ()) -> Conflict:
    """Return the parts of these indices."""
    sides = zip(SIDES, (worlds, responses, policies), strict=True)
    return frozenset(Member(side, index) for side, indices in sides for index in indices)


def conflicts(t: Tables, options: Mapping[str, Any], claims: Collection[str]) -> dict[str, set[Conflict]]:
    """Return the conflicts of each of these claims under a certificate's options.

    Complete but for weak revealing on the whole simplex, where a zero signal may hide inside a problem and is then
    found by certifying what is left.
    """
    found: dict[str, set[Conflict]] = {}
    if "posterior-lipschitz" in claims:
        apart = told_apart(Facts(t.game, options))
        found["posterior-lipschitz"] = {conflict({i}, {k}, {*pi, *nu}) for i, pi, nu, k in apart}
    if "weak-revealing" in claims:
        search = silent if options["weak_revealing"]["scope"] == "simplex" else silent_where_reached
        found["weak-revealing"] = set(search(t, options))
    by_play = [claim for claim in DROPPABLE[2:] if claim in claims]
    if by_play:
        walks = played(t.game, options["space"], options["limits"]["trajectories"], plays_of(options))
        for claim in by_play:
            pairs = equal_laws(walks, claim == "kl-world") if claim.startswith("kl") else unequal_supports(walks)
            found[claim] = {conflict({i, j}, {k, n}, {p}) for (i, k), (j, n), p in pairs}
    return found


Model = tuple[int, int]
Pair = tuple[Model, Model, int]  # two models, a policy


def of_these_kinds(play: Play, x: Model, y: Model) -> Iterator[Pair]:
    """Return every pair of models that acts under the policy as two models of the walk do."""
    members: dict[Model, list[Model]] = {}
    for xi, first in play.alike.items():
        if isinstance(xi, tuple):
            members.setdefault(first, []).append(xi)
    yield from ((star, xi, play.p) for star, xi in product(members[x], members[y]))


def unequal_supports(walks: list[Play]) -> Iterator[Pair]:
    """Yield the conflicts of Assumption 3.1(c), (d): two models and a policy under which one allows a trajectory that
    the other does not."""
    for play in walks:
        for x, y in product(play.models, repeat=2):
            if play.divergent(x, y):
                yield from of_these_kinds(play, x, y)


def equal_laws(walks: list[Play], world: bool) -> Iterator[Pair]:
    """Yield the conflicts of Assumption 3.1(e): two models with one law of play under a policy, whose operators differ
    along it."""
    for play in walks:
        for x, y in product(play.models, repeat=2):
            if play.same_law(x, y) and play.differs(x, y[0] if world else y):
                yield from of_these_kinds(play, x, y)


# ---------------------------------------------------------------------------------- weak revealing


def sharing(problems: Problems) -> Iterator[tuple[Problem, set[tuple[int, ...]]]]:
    """Yield the distinct problems, and the (theta, theta', Phi, pi) that share each."""
    groups: dict[Any, tuple[tuple[int, ...], set[tuple[int, ...]]]] = {}
    for context in problems.contexts():
        key = problems.key(context)
        if key is not None:
            groups.setdefault(key, (context, set()))[1].add(context[:4])
    for context, shared in groups.values():
        problem = problems.build(*context)
        if problem.asks:
            yield problem, shared


def silent(t: Tables, options: Mapping[str, Any]) -> Iterator[Conflict]:
    """Yield the conflicts of Assumption 2.4 on the simplex: worlds, a response and a policy with a problem whose alpha
    is seen to be 0."""
    for problem, shared in sharing(
        Problems(t, options["kappa"], options["weak_revealing"]["form"], "simplex", whole=True)
    ):
        if vanishes(problem):
            yield from (conflict({i, j}, {k}, {p}) for i, j, k, p in shared)


def vanishes(problem: Problem) -> bool:
    """Return whether some pure state, point of an edge or change of sign shows alpha = 0."""
    return (
        any(is_silent(problem, q) for q in SubSimplex.whole(problem).below(NEAR_ZERO)) or crossing(problem) is not None
    )


def is_silent(problem: Problem, q: Any) -> bool:
    """Return signal 0 and a positive difference at q, exactly."""
    pair = problem.at(q)
    return pair is not None and not pair[0] and pair[1] > 0


def silent_where_reached(t: Tables, options: Mapping[str, Any]) -> Iterator[Conflict]:
    """Yield the conflicts of Assumption 2.4 at reachable states: the (theta, theta', Phi, pi) asked, and the (theta,
    Phi, pi) that reaches q."""
    kappa = options["kappa"]
    states = predictive_states(t, kappa)
    for problem, shared in sharing(Problems(t, kappa, options["weak_revealing"]["form"], "reachable")):
        for q, origins in states.get((problem.context[4], problem.context[5]), {}).items():
            if is_silent(problem, np.array(q, dtype=object)):
                for (i, j, k, p), (x, y, z) in product(shared, origins):
                    yield conflict({i, j, x}, {k, y}, {p, z})
