"""Runs every obligation a model class owes and writes the certificate."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import cache, partial
from math import inf
from typing import TYPE_CHECKING, Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel import check
from pomgcheck.kernel.budget import OverBudget, limited
from pomgcheck.kernel.claims import CLAIMS, by_boxes
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.limits import coordinates
from pomgcheck.kernel.reading import Malformed, long_integers
from pomgcheck.loading import Source, load
from pomgcheck.options import Options
from pomgcheck.processes import clustered, shared
from pomgcheck.search.checked import Progress, Quest, Timed, checked
from pomgcheck.search.clock import STOPPED, Clock, OutOfTime
from pomgcheck.search.finding import Finding

if TYPE_CHECKING:
    from pomgcheck.modelclass.document import ModelClass
    from pomgcheck.search.continuum import Continuum
    from pomgcheck.search.exact.tables import Tables

LOG = logging.getLogger("pomgcheck")
SEARCHING = 0.5  # of the time limit is the search's; the kernel has what is left


@long_integers()
def certify(
    model: Source,
    options: Options | None = None,
    *,
    only: Collection[str] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    time_limit: float | None = None,
    claim_limit: float | None = None,
    resume: Certificate | None = None,
    cross_check: bool = False,
    **given: Any,
) -> Certificate:
    """Search for a proof or a refutation of every claim; the kernel checks the result before it is returned.

    ``model`` is whatever `load` takes: a name of the gallery, a path, a document, a ModelClass. ``options`` are those
    of ``Options``, and each field of it may be ``given`` by name instead: ``certify(model, kappa=2)``. ``only`` names
    the claims to search; the others end unknown. ``jobs`` is the number of processes. ``progress`` is called with
    (claim, done, total).

    ``time_limit`` is in seconds for the whole, of which the search takes half at most and the kernel what is left;
    ``claim_limit`` is in seconds for a claim's search, and again for its check. What is settled by then is kept, and
    the rest is unknown. ``resume`` is a certificate of the same class under the same options: its settled claims are
    checked again and not searched. ``cross_check`` asks sympy and z3 for a second opinion on Theorem 2.5 and records
    it.

    Raises ``InputError`` for options that do not fit the class, ``LimitExceeded``, before memory is taken, for a class
    over a limit, and ``Interrupted``, a ``KeyboardInterrupt`` that carries the certificate of what was settled, where
    the user stops the search.
    """
    check_arguments(only, jobs, time_limit=time_limit, claim_limit=claim_limit)
    subject = load(model)
    stated = Options.read(options, **given).document
    game = subject.game
    wanted = claims_of(only)
    check_options(stated, game)
    if cross_check:
        from pomgcheck.search.cross_check import cross_checked, others

        others()  # what is not installed is told before the search
    found: Timed = {claim.id: (Finding("unknown", "not searched"), 0.0) for claim in CLAIMS}
    known = {} if resume is None else settled(resume, subject, stated)
    if "regret" in wanted and "regret" not in known:
        known.pop("constants", None)  # its T* and its fill follow from what is known of D
    found |= known
    LOG.info("certify %s: %d claims to search, %d settled before", subject.name, len({*wanted} - {*known}), len(known))
    quest = Quest(stated, {*wanted} - {*known}, progress, Clock(), frozenset(known))
    whole = Clock(time_limit, claim_limit)
    half = None if time_limit is None else time_limit * SEARCHING
    try:
        search_all(game, quest._replace(clock=Clock(half, claim_limit)), jobs, found)
        conclude(game, quest._replace(clock=whole), found)
        if cross_check:
            found = cross_checked(game, stated["space"], found)
    except KeyboardInterrupt:
        rest_regret(quest, found)
        if found["constants"][0].verdict == "unknown":
            found["constants"] = Finding("unknown", "not searched"), 0.0  # in place of a draft
        raise Interrupted(checked(subject, game, quest._replace(clock=whole), found)) from None
    return logged(checked(subject, game, quest._replace(clock=whole), found))


def logged(certificate: Certificate) -> Certificate:
    """Return the certificate, once the log has a line for each claim and one for the whole."""
    document = certificate.document
    for claim in document["claims"]:
        seconds = claim["search"].get("seconds", "0")
        LOG.info("certify %s: %s %s, %s s", certificate.name, claim["id"], claim["verdict"], seconds)
    certified = "certified" if document["summary"]["certified"] else "not certified"
    LOG.info("certify %s: %s, sha256 %s", certificate.name, certified, certificate.sha256)
    return certificate


class Interrupted(KeyboardInterrupt):
    """This is raised where the user stopped a search; ``certificate`` has what was settled by then, accepted by the
    kernel."""

    def __init__(self, certificate: Certificate) -> None:
        super().__init__()
        self.certificate = certificate


def settled(partial: Certificate, model: ModelClass, options: Mapping[str, Any]) -> Timed:
    """Return what an earlier certificate settled; raise ``InputError`` where it is about another class or asks for
    something else."""
    document = partial.document
    if document["model_sha256"] != model.sha256:
        raise InputError(
            "resume", f"a certificate of the class {document['model_sha256'][:16]}…", f"one of {model.sha256[:16]}…"
        )
    for name, value in options.items():
        if document["options"][name] != value:
            raise InputError("resume", f"{name} = {document['options'][name]}", f"{name} = {value}, as asked for now")
    return findings(document)


def findings(document: Mapping[str, Any]) -> Timed:
    """Return what a certificate settled, as the search would hand it over."""
    return {
        claim["id"]: (
            Finding(
                claim["verdict"],
                claim["search"].get("method", ""),
                claim["values"],
                claim["evidence"],
                claim["witness"],
                claim["search"].get("solvers", {}),
                {key: text for key, text in claim["search"].items() if key not in ("method", "solvers", "seconds")},
            ),
            float(claim["search"].get("seconds", 0)),
        )
        for claim in document["claims"]
        if claim["verdict"] != "unknown"
    }


def check_arguments(only: object, jobs: object, **limits: object) -> None:
    """Refuse arguments of another type with a sentence."""
    if only is not None and not (isinstance(only, Collection) and only):
        raise InputError("only", repr(only), "claim ids, or None for all of them")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise InputError("jobs", repr(jobs), "an integer of at least 1")
    for name, seconds in limits.items():
        good = isinstance(seconds, int | float) and not isinstance(seconds, bool) and 0 < seconds < inf
        if seconds is not None and not good:
            raise InputError(name, repr(seconds), "a positive number of seconds")


def claims_of(only: Collection[str] | None) -> list[str]:
    """Return the claims to search, in the order of the certificate."""
    known = [claim.id for claim in CLAIMS]
    only = [only] if isinstance(only, str) else only
    for name in only or ():
        if name not in known:
            raise InputError.choice("only", name, known)
    return [claim for claim in known if only is None or claim in only]


def check_options(options: Mapping[str, Any], game: Game) -> None:
    """Refuse what does not fit the class, limits with the count, before any array is made."""
    space, limits = options["space"], options["limits"]
    count, limit = coordinates(game, space), limits["coordinates"]
    if count > limit and space == "window":
        raise LimitExceeded("space", "coordinates of the window space", count, limit, "shorten the windows")
    if count > limit:
        raise LimitExceeded.coordinates(count, limit, coordinates(game, "window"))
    try:
        check.read_options(options, game)
    except Malformed as error:
        raise InputError(error.where, error.found, error.required) from None


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
    groups = [group for group in (STRUCTURE, LIPSCHITZ, REGULARITY, REVEALING) if needed(group, quest)]
    if not game.finite:
        interval = Finding("unknown", "not decided on interval axes"), 0.0
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
    from pomgcheck.search.claims.regret import resting

    if "regret" in quest.wanted:
        found["regret"] = resting({claim: finding for claim, (finding, _) in found.items()}), found["regret"][1]


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
    if quest.progress:
        quest.progress("constants", 0, 0)
    premises = {claim: finding for claim, (finding, _) in found.items() if claim not in ("regret", "constants")}
    draft = found["constants"][0]
    if any(finding.method == STOPPED for finding in premises.values()) or draft.method == STOPPED:
        found["constants"] = Finding("unknown", "rests on claims that were stopped at the time limit"), 0.0
        return
    listed = found["regret"][0]
    found |= (timed(quest, "constants", lambda: constants(game, quest.options, premises, draft, listed)),)


STRUCTURE = ("factorization", "oom-identity", "nonexpansive", "well-specified", "covering", "warmup-stationary")
LIPSCHITZ = ("posterior-lipschitz",)
REVEALING = ("weak-revealing",)
REGULARITY = (
    "bounded-increments",
    "predictive-states",
    "regret",
    "kl-joint",
    "kl-world",
    "eluder-world",
    "eluder-adversary",
)


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
    searches: dict[tuple[str, ...], Callable[..., Searched]] = {
        STRUCTURE: structure,
        LIPSCHITZ: lipschitz_constant,
        REVEALING: revealing,
        REGULARITY: regular,
    }
    if quest.progress:
        quest.progress(group[0], 0, 0)
    return searches[group](t, quest, last)


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
    if quest.progress:
        quest.progress(f"{claim} {found.verdict}, {seconds:.1f} s", 0, 0)
    return claim, (found, seconds)


Searched = Iterator[tuple[str, tuple[Finding, float]]]


def in_turn(quest: Quest, searches: Mapping[str, Callable[[], Finding]], last: bool = False) -> Searched:
    """Yield the wanted ones of some searches, none of which takes the time of those that wait."""
    wanted = [claim for claim in searches if claim in quest.wanted]
    for claim in wanted:
        if quest.progress:
            quest.progress(claim, 0, 0)
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
    from pomgcheck.search.claims.posterior_lipschitz import reference_law
    from pomgcheck.search.claims.posterior_lipschitz_intervals import Lipschitz
    from pomgcheck.search.claims.regret_intervals import on_intervals
    from pomgcheck.search.claims.warmup_stationary_intervals import fading

    c, mu = Continuum(game, options["space"]), reference_law(game, options["reference"])
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
        "weak-revealing": lambda: revealing_on_intervals(c, options),
    }
    first, others = "nonexpansive", {claim: partial(intervals.settled, search) for claim, search in searches.items()}
    if quest.progress:
        quest.progress(first, 0, 0)
    found = timed(quest, first, others.pop(first), last=wanted <= {first})
    yield found
    if found[1][0].verdict != "proved":
        resting = Finding("unknown", "rests on nonexpansive, which is undecided"), 0.0
        yield from ((claim, resting) for claim in others if claim in wanted)
    else:
        yield from in_turn(quest, others, last=True)


def revealing_on_intervals(c: Continuum, options: Mapping[str, Any]) -> Finding:
    """Return what is found for Assumption 2.4 over pairs of worlds on interval axes."""
    from pomgcheck.search.claims.weak_revealing_intervals import revealing

    reveal = options["weak_revealing"]
    return revealing(c, options["kappa"], reveal["form"], reveal["scope"], Fraction(reveal["tol"]))


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

    reveal, progress, kappa = quest.options["weak_revealing"], quest.progress, quest.options["kappa"]
    count = (lambda done, total: progress("weak-revealing", done, total)) if progress else None
    form, scope, tol = reveal["form"], reveal["scope"], Fraction(reveal["tol"])
    late = quest.clock.late
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

    known = dict[Any, tuple[Finding, Finding]]()

    def both(walks: Walks) -> tuple[Finding, Finding]:
        if walks.endings not in known:
            known[walks.endings] = increments(t.game, walks.finer)
        return known[walks.endings]

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
