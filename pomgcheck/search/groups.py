"""Searches the claims of a class: says which are searched together, in which order, and in which process."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.budget import OverBudget, limited
from pomgcheck.kernel.claims import by_boxes
from pomgcheck.kernel.facts import Facts
from pomgcheck.kernel.game import Game
from pomgcheck.processes import clustered, shared
from pomgcheck.search.checked import Quest, Timed
from pomgcheck.search.clock import STOPPED, UNDECIDED, Clock, OutOfTime
from pomgcheck.search.finding import Finding

if TYPE_CHECKING:
    from pomgcheck.search.exact.tables import Tables

LOG = logging.getLogger("pomgcheck")
REGULARITY = (
    "bounded-increments",
    "predictive-states",
    "regret",
    "kl-joint",
    "kl-world",
    "eluder-world",
    "eluder-adversary",
)

Searched = Iterator[tuple[str, tuple[Finding, float]]]


def search_all(game: Game, quest: Quest, jobs: int, found: Timed) -> None:
    """Put every wanted claim's finding into ``found`` as it comes.

    Groups of claims share no work; they are searched one after another, or in processes of their own.
    """
    wanted = quest.wanted
    if game.own:
        from pomgcheck.search.claims import given_operators

        with_seconds = given_operators.search(game, quest.options) if wanted else {}
        found |= {claim: timed for claim, timed in with_seconds.items() if claim in wanted}
        return
    groups = [group for group in GROUPS if needed(group, quest)]
    if not game.finite:
        interval = Finding("unknown", UNDECIDED), 0.0
        found |= dict.fromkeys(wanted, interval)
        for claim, timed_finding in continuous(game, quest):
            found[claim] = timed_finding
    elif len(groups) == 1 or jobs == 1 and not clustered():
        from pomgcheck.search.exact.tables import Tables

        t = Tables(game, quest.options["space"])
        for group in groups:
            for claim, timed_finding in search_group(t, quest, group, group == groups[-1]):
                found[claim] = timed_finding
    else:
        clock = quest.clock
        tasks = ((game.document, quest.options, group, wanted, clock.rest(), clock.each) for group in groups)
        for result in shared(search_document, tasks, jobs, ordered=True):
            found |= result
    rest_regret(quest, found)


def rest_regret(quest: Quest, found: Timed) -> None:
    """Leave Theorem N open with its premises; it is searched in any case, for what it has of every truth."""
    premises = {found[name][0].verdict for name in ("well-specified", "warmup-stationary")}
    if "regret" in quest.wanted and "unknown" in premises:
        found["regret"] = Finding("unknown", "a premise is open"), found["regret"][1]


def needed(group: tuple[str, ...], quest: Quest) -> bool:
    """Return whether something in a group is searched: a wanted claim, or the walks, of which Theorem 3.3 needs a
    number."""
    return any(claim in quest.wanted for claim in group) or (group == REGULARITY and "constants" in quest.wanted)


def conclude(game: Game, quest: Quest, found: Timed) -> None:
    """Put what is found for Theorem 3.3, from everything found before, in the place of the draft that the walks have
    left of their part.

    Its clock may be another than that of the search: a claim that has used up all of that leaves nothing to it.
    """
    from pomgcheck.search.claims.constants import constants

    if game.own or "constants" not in quest.wanted:
        return
    quest.tell("constants")
    premises = {claim: finding for claim, (finding, _) in found.items() if claim not in ("regret", "constants")}
    draft = found["constants"][0]
    if any(finding.method == STOPPED for finding in premises.values()) or draft.method == STOPPED:
        found["constants"] = Finding("unknown", "rests on claims that were stopped at the time limit"), 0.0
        return
    listed = found["regret"][0]
    found |= (timed(quest, "constants", lambda: constants(game, quest.options, premises, draft, listed)),)


def search_document(
    document: Any,
    options: dict[str, Any],
    group: tuple[str, ...],
    wanted: set[str],
    whole: float | None,
    each: float | None,
) -> Timed:
    """Return one group in a process of its own, in the seconds that are left when it begins."""
    from pomgcheck.search.exact.tables import Tables

    quest = Quest(options, wanted, None, Clock(whole, each))
    return dict(search_group(Tables(Game(document), options["space"]), quest, group))


def search_group(t: Tables, quest: Quest, group: tuple[str, ...], last: bool = True) -> Searched:
    """Return one group of claims, timed; no other waits where it is the ``last``."""
    quest.tell(group[0])
    return GROUPS[group](t, quest, last)


def timed(
    quest: Quest, claim: str, search: Callable[[], Finding], last: bool = True
) -> tuple[str, tuple[Finding, float]]:
    """Return one search with its seconds; the finding is unknown where the clock rings first, which leaves some of the
    whole to others where this is not the last."""
    start = time.perf_counter()
    try:
        with quest.clock.running(last):
            found = search()
    except OutOfTime:
        found = Finding("unknown", STOPPED)
    seconds = time.perf_counter() - start
    LOG.debug("%s: %s by %s, %.3f s", claim, found.verdict, found.method, seconds)
    quest.tell(f"{claim} {found.verdict}, {seconds:.1f} s")
    return claim, (found, seconds)


def in_turn(quest: Quest, searches: Mapping[str, Callable[[], Finding]], last: bool = False) -> Searched:
    """Yield the wanted ones of some searches, none of which takes the time of those that wait."""
    wanted = [claim for claim in searches if claim in quest.wanted]
    for claim in wanted:
        quest.tell(claim)
        yield timed(quest, claim, searches[claim], last and claim == wanted[-1])


def structural(game: Game, quest: Quest) -> Searched:
    """Yield what the form of the model decides, on interval axes or not."""
    from pomgcheck.search.claims import factorization, regularity

    space = quest.options["space"]
    searches: dict[str, Callable[[], Finding]] = {
        "factorization": lambda: factorization.factorization(game, space),
        "oom-identity": lambda: factorization.oom_identity(game, space),
    }
    if not by_boxes("warmup-stationary", game):
        searches["warmup-stationary"] = lambda: regularity.warmup_stationary(game)
    yield from in_turn(quest, searches)


def continuous(game: Game, quest: Quest) -> Searched:
    """Yield the findings for a class with interval axes.

    Every claim beyond the structural ones rests on ``nonexpansive``, which shows that the entries are probabilities on
    the whole class, so it is searched whatever is wanted.
    """
    from pomgcheck.search import intervals
    from pomgcheck.search.claims import regularity
    from pomgcheck.search.continuum import Continuum

    options, wanted = quest.options, quest.wanted
    yield from structural(game, quest)
    if "well-specified" in wanted:
        yield timed(quest, "well-specified", lambda: regularity.well_specified(game))
    if not any(by_boxes(claim, game) for claim in wanted):
        return
    from pomgcheck.search.claims.constants import drafted_on_intervals
    from pomgcheck.search.claims.eluder_intervals import eluder
    from pomgcheck.search.claims.kl_intervals import conversion
    from pomgcheck.search.claims.posterior_lipschitz_intervals import Lipschitz
    from pomgcheck.search.claims.regret_intervals import on_intervals
    from pomgcheck.search.claims.warmup_stationary_intervals import fading
    from pomgcheck.search.claims.weak_revealing_intervals import revealing as revealing_on_intervals

    reveal = options["weak_revealing"]
    c, mu = Continuum(game, options["space"]), Facts(game, options).mu
    c.refuse_too_many(options["limits"]["trajectories"])
    searches: dict[str, Callable[[], Finding]] = {
        "nonexpansive": lambda: intervals.nonexpansive(c),
        "posterior-lipschitz": lambda: Lipschitz(c, options["lipschitz_form"], mu).find(),
        "covering": lambda: intervals.covering(c, options["T"]),
        "bounded-increments": lambda: intervals.bounded_increments(c),
        "predictive-states": lambda: intervals.predictive_states(c),
        **({"warmup-stationary": lambda: fading(c)} if c.game.gamma is not None else {}),
        "regret": lambda: on_intervals(
            c,
            options,
            regularity.well_specified(game),
            regularity.warmup_stationary(game) if game.gamma is None else fading(c),
        ),
        "kl-joint": lambda: conversion(c, False, options),
        "kl-world": lambda: conversion(c, True, options),
        "eluder-world": lambda: eluder(c, True, options),
        "eluder-adversary": lambda: eluder(c, False, options),
        "constants": lambda: drafted_on_intervals(c),
        "weak-revealing": lambda: revealing_on_intervals(
            c, options["kappa"], reveal["form"], reveal["scope"], Fraction(reveal["tol"])
        ),
    }
    first, others = "nonexpansive", {claim: partial(intervals.settled, search) for claim, search in searches.items()}
    quest.tell(first)
    found = timed(quest, first, others.pop(first), last=wanted <= {first})
    yield found
    if found[1][0].verdict != "proved":
        resting = Finding("unknown", "rests on nonexpansive, which is undecided"), 0.0
        yield from ((claim, resting) for claim in others if claim in wanted)
    else:
        yield from in_turn(quest, others, last=True)


def structure(t: Tables, quest: Quest, last: bool) -> Searched:
    """Yield Theorem 2.5, and what is decided by counting or membership."""
    from pomgcheck.search.claims import factorization, regularity

    yield from structural(t.game, quest)
    searches: dict[str, Callable[[], Finding]] = {
        "nonexpansive": lambda: factorization.nonexpansive(t),
        "well-specified": lambda: regularity.well_specified(t.game),
        "covering": lambda: regularity.covering(t.game),
    }
    yield from in_turn(quest, searches, last)


def lipschitz_constant(t: Tables, quest: Quest, last: bool) -> Searched:
    """Yield Assumption 2.3."""
    from pomgcheck.search.claims.posterior_lipschitz import posterior_lipschitz

    yield timed(quest, "posterior-lipschitz", lambda: posterior_lipschitz(t.game, quest.options), last)


def revealing(t: Tables, quest: Quest, last: bool) -> Searched:
    """Yield Assumption 2.4."""
    from pomgcheck.search.claims.weak_revealing import weak_revealing

    reveal, kappa = quest.options["weak_revealing"], quest.options["kappa"]
    form, scope, tol = reveal["form"], reveal["scope"], Fraction(reveal["tol"])
    count, late = partial(quest.tell, "weak-revealing"), quest.clock.late
    yield timed(quest, "weak-revealing", lambda: weak_revealing(t, kappa, form, scope, tol, count, late), last)


def regular(t: Tables, quest: Quest, last: bool) -> Searched:
    """Yield Assumption 3.1(c)-(e), Theorem N and Proposition 2.6, from one walk for each policy, and what Theorem 3.3
    needs of the walks."""
    from pomgcheck.search.claims.constants import drafted
    from pomgcheck.search.claims.eluder import eluder
    from pomgcheck.search.claims.kl import converted
    from pomgcheck.search.claims.regret import drafted as listed
    from pomgcheck.search.claims.regularity import increments, warmup_stationary, well_specified
    from pomgcheck.search.play import MOST, Walks, walked, whole

    options, wanted = quest.options, quest.wanted

    @cache
    def exact() -> Walks | None:
        try:
            return whole(t.game, options, MOST)
        except (LimitExceeded, OverBudget):
            return None

    @cache
    def both(walks: Walks) -> tuple[Finding, Finding]:
        return increments(t.game, walks.finer)

    searches: dict[str, Callable[[Walks], Finding]] = {
        "bounded-increments": lambda walks: walks.named(both(walks)[0], finer=True),
        "predictive-states": lambda walks: walks.named(both(walks)[1], finer=True),
        "regret": lambda walks: walks.named(
            listed(t.game, options, walks.plays, well_specified(t.game), warmup_stationary(t.game))
        ),
        "kl-joint": lambda walks: walks.named(converted(t.game, walks, False)),
        "kl-world": lambda walks: walks.named(converted(t.game, walks, True)),
        "eluder-world": lambda walks: walks.named(eluder(t, walks.plays, True, options["T"])),
        "eluder-adversary": lambda walks: walks.named(eluder(t, walks.plays, False, options["T"])),
        "constants": lambda walks: walks.named(drafted(walks.finer), finer=True),
    }
    start = time.perf_counter()
    try:
        with quest.clock.running(last=False):
            walks = walked(t.game, options)
            both(walks)
    except (OutOfTime, OverBudget) as stop:
        why = STOPPED if isinstance(stop, OutOfTime) else f"more than the kernel plays, {stop}"
        stopped = Finding("unknown", why), time.perf_counter() - start
        yield from ((claim, stopped) for claim in searches if claim in wanted)
        return

    def searched(claim: str) -> Finding:
        found = within_budget(lambda: searches[claim](walks))
        left_open = found.verdict == "unknown" and not (claim == "constants" and found.values)
        others = exact() if left_open and walks.endings else None
        return within_budget(lambda: searches[claim](others)) if others else found

    yield from in_turn(quest, {claim: partial(searched, claim) for claim in searches}, last)


def within_budget(search: Callable[[], Finding]) -> Finding:
    """Return what the search finds, or unknown where it asks more of the kernel's own functions than a certificate
    may."""
    try:
        with limited():
            return search()
    except OverBudget as stop:
        return Finding("unknown", f"more than the kernel plays, {stop}")


# what is searched together, in the order in which it is searched
GROUPS: dict[tuple[str, ...], Callable[[Tables, Quest, bool], Searched]] = {
    ("factorization", "oom-identity", "nonexpansive", "well-specified", "covering", "warmup-stationary"): structure,
    ("posterior-lipschitz",): lipschitz_constant,
    REGULARITY: regular,
    ("weak-revealing",): revealing,
}
