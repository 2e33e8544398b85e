"""Runs every obligation a model class owes and writes the certificate."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel import check
from pomgcheck.kernel.claims import CLAIMS, by_boxes
from pomgcheck.kernel.game import Game, Malformed, canonical_bytes
from pomgcheck.kernel.limits import HISTORIES, PAIRS, coordinates
from pomgcheck.options import Options
from pomgcheck.processes import shared

from .certificate import Certificate, assemble
from .finding import Finding

if TYPE_CHECKING:
    from pomgcheck.modelclass.document import ModelClass

    from .continuum import Continuum
    from .exact.tables import Tables

Progress = Callable[[str, int, int], None]
Timed = dict[str, tuple[Finding, float]]  # claim -> what was found, seconds


def certify(
    model: ModelClass,
    options: Options | None = None,
    *,
    only: Collection[str] | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    **given: Any,
) -> Certificate:
    """Search for a proof or a refutation of every claim; the kernel checks the result before it is returned.

    ``options`` are those of :class:`~pomgcheck.options.Options`, and each field of it may be ``given`` by name instead:
    ``certify(model, kappa=2)``.  ``only`` names the claims to search; the others end unknown.  ``jobs`` is the number of
    processes.  ``progress`` is called with (claim, done, total).  Raises :class:`InputError` for options that do not fit
    the class, and :class:`LimitExceeded`, before memory is taken, for a class over a limit.
    """
    check_arguments(model, only, jobs)
    stated = Options.read(options, **given).document
    game = model.game
    wanted = claims_of(only)
    check_options(stated, game)
    check_histories(stated, game, wanted)
    findings = search_all(game, stated, wanted, jobs, progress)
    if progress:
        progress("kernel", 0, 0)
    return accepted(model, game, stated, findings)


def accepted(model: ModelClass, game: Game, options: dict[str, Any], findings: Timed) -> Certificate:
    """The certificate, once the kernel accepts it.

    Trees over pairs of models are grown in floats.  Where the kernel's exact enclosures say less, one percent less is
    stated, and where that is not enough the claim is unknown; any other refusal is an error of the search.
    """
    weakened: set[str] = set()
    while True:
        certificate = Certificate(assemble(model, game, options, findings))
        verdict = check.verify_bytes(canonical_bytes(certificate.document))
        if verdict.accepted:
            return certificate
        if verdict.rule not in ("pairs", "tests"):
            raise AssertionError(f"the kernel refused the search's own certificate: {verdict.line}")
        finding, seconds = findings[verdict.claim]
        less = undecided(finding, verdict.found) if verdict.claim in weakened else weaker(finding)
        findings = findings | {verdict.claim: (less, seconds)}
        weakened.add(verdict.claim)


def weaker(finding: Finding) -> Finding:
    """The same proof of a lower value a hundredth smaller."""
    values = {x: str(Fraction(v) * 99 / 100) if x.endswith("_lower") else v for x, v in finding.values.items()}
    return replace(finding, values=values)


def undecided(finding: Finding, found: str) -> Finding:
    """The bracket that is left, and the box on which the kernel shows nothing."""
    notes = {name: str(value) for name, value in finding.values.items() if name.endswith("_upper")}
    most = ", ".join(f"{name} = {value}" for name, value in notes.items())
    return Finding("unknown", f"between 0 and {most}; what floats foresaw is not exact: {found}", notes=notes)


def check_arguments(model: object, only: object, jobs: object) -> None:
    """Refuse arguments of another type with a sentence."""
    if not isinstance(getattr(model, "game", None), Game):
        name = repr(model) if isinstance(model, str) and len(model) < 60 else "..."
        raise InputError("model", repr(model)[:60], "a ModelClass", f"load it first: pomgcheck.load({name})")
    if only is not None and not (isinstance(only, Collection) and only):
        raise InputError("only", repr(only), "claim ids, or none for all of them")
    if isinstance(jobs, bool) or not isinstance(jobs, int) or jobs < 1:
        raise InputError("jobs", repr(jobs), "an integer from 1 on")


def claims_of(only: Collection[str] | None) -> list[str]:
    """The claims to search, in the order of the certificate."""
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


def check_histories(options: Mapping[str, Any], game: Game, wanted: Collection[str]) -> None:
    """Refuse too many histories of the adversary, or pairs of models, with the count, before any is played."""
    for counted in dict.fromkeys(HISTORIES.values()) if game.finite else ():
        claims = [claim for claim in HISTORIES if HISTORIES[claim] == counted and claim in wanted]
        most = counted.each * options["limits"]["trajectories"]
        if claims and (found := counted.count(game)) > most:
            names, fewer = ", ".join(claims), "list fewer models, " if counted is PAIRS else ""
            fix = f"{fewer}shorten the horizon, raise --limits trajectories, or leave {names} out (--only the others)"
            raise LimitExceeded(claims[0], counted.what, found, most, fix)


def search_all(
    game: Game, options: Mapping[str, Any], wanted: Collection[str], jobs: int, progress: Progress | None
) -> Timed:
    """Every wanted claim's finding: groups that share no work, one after another or in processes of their own."""
    found: Timed = {claim.id: (Finding("unknown", "not searched"), 0.0) for claim in CLAIMS}
    if game.own:
        from . import own_operators

        return found | {claim: timed for claim, timed in own_operators.search(game, options).items() if claim in wanted}
    groups = [group for group in (STRUCTURE, LIPSCHITZ, REVEALING, REGULARITY) if any(x in wanted for x in group)]
    if not game.finite:
        interval = Finding("unknown", "not decided on interval axes"), 0.0
        found |= dict.fromkeys(wanted, interval)
        found |= dict(continuous(game, options, wanted, progress))
        return found | dict([concluded(game, options, found, progress)] if "constants" in wanted else [])
    if jobs == 1 or len(groups) == 1:
        from .exact.tables import Tables

        t = Tables(game, options["space"])
        results = [search_group(t, options, group, wanted, progress) for group in groups]
    else:
        tasks = ((game.document, options, group, wanted) for group in groups)
        results = list(shared(search_document, tasks, jobs, ordered=True))
    for result in results:
        found |= {claim: timed for claim, timed in result.items() if claim in wanted}
    if "constants" in wanted:
        found |= (concluded(game, options, found, progress),)
    return found


def concluded(
    game: Game, options: Mapping[str, Any], found: Timed, progress: Progress | None
) -> tuple[str, tuple[Finding, float]]:
    """Theorem 3.3, from everything found before; the walks' part of it is a draft."""
    from .constants import constants

    if progress:
        progress("constants", 0, 0)
    premises = {claim: finding for claim, (finding, _) in found.items() if claim != "constants"}
    draft = found["constants"][0]
    return timed("constants", lambda: constants(game, options, premises, draft))


STRUCTURE = ("factorization", "oom-identity", "nonexpansive", "well-specified", "covering", "warmup-stationary")
LIPSCHITZ = ("posterior-lipschitz",)
REVEALING = ("weak-revealing",)
REGULARITY = ("bounded-increments", "predictive-states", "kl-joint", "kl-world", "eluder-world", "eluder-adversary")


def search_document(
    document: Any, options: Mapping[str, Any], group: tuple[str, ...], wanted: Collection[str]
) -> Timed:
    """One group in a process of its own."""
    from .exact.tables import Tables

    return search_group(Tables(Game(document), options["space"]), options, group, wanted, None)


def search_group(
    t: Tables, options: Mapping[str, Any], group: tuple[str, ...], wanted: Collection[str], progress: Progress | None
) -> Timed:
    """One group of claims, timed."""
    searches: dict[tuple[str, ...], Callable[..., Searched]] = {
        STRUCTURE: structure,
        LIPSCHITZ: lipschitz_constant,
        REVEALING: revealing,
        REGULARITY: partial(regular, pairs=bool({*wanted} & {*REGULARITY[2:]})),
    }
    if progress:
        progress(group[0], 0, 0)
    return dict(searches[group](t, options, progress))


def timed(claim: str, search: Callable[[], Finding]) -> tuple[str, tuple[Finding, float]]:
    start = time.perf_counter()
    found = search()
    return claim, (found, time.perf_counter() - start)


Searched = Iterator[tuple[str, tuple[Finding, float]]]


def structural(game: Game, options: Mapping[str, Any]) -> Searched:
    """What the form of the model decides, interval axes or not."""
    from . import factorization, regularity

    yield timed("factorization", lambda: factorization.factorization(game, options["space"]))
    if not by_boxes("warmup-stationary", game):
        yield timed("warmup-stationary", lambda: regularity.warmup_stationary(game))


def continuous(game: Game, options: Mapping[str, Any], wanted: Collection[str], progress: Progress | None) -> Searched:
    """A class with interval axes.  Every claim beyond the structural ones rests on ``nonexpansive``, which shows that
    the entries are probabilities on the whole class, so it is searched whatever is wanted."""
    from . import intervals, regularity
    from .continuum import Continuum

    yield from (found for found in structural(game, options) if found[0] in wanted)
    if "well-specified" in wanted:
        yield timed("well-specified", lambda: regularity.well_specified(game))
    if not any(by_boxes(claim, game) for claim in wanted) and "oom-identity" not in wanted:
        return
    from .constants import drafted_on_intervals
    from .interval_divergence import conversion
    from .interval_eluder import eluder
    from .interval_lipschitz import Lipschitz
    from .interval_responses import fading
    from .posterior_lipschitz import reference_law

    c, mu = Continuum(game, options["space"]), reference_law(game, options["reference"])
    c.refuse_too_many(options["limits"]["trajectories"])
    searches: dict[str, Callable[[], Finding]] = {
        "nonexpansive": lambda: intervals.nonexpansive(c),
        "oom-identity": lambda: intervals.oom_identity(c, Continuum(game, "history")),
        "posterior-lipschitz": lambda: Lipschitz(c, options["lipschitz_form"], mu).find(),
        "covering": lambda: intervals.covering(c, options["T"]),
        "bounded-increments": lambda: intervals.bounded_increments(c),
        "predictive-states": lambda: intervals.predictive_states(c),
        **({"warmup-stationary": lambda: fading(c)} if c.game.gamma is not None else {}),
        "weak-revealing": lambda: revealing_on_intervals(c, options),
        "kl-joint": lambda: conversion(c, False),
        "kl-world": lambda: conversion(c, True),
        "eluder-world": lambda: eluder(c, True, options["T"]),
        "eluder-adversary": lambda: eluder(c, False, options["T"]),
        "constants": lambda: drafted_on_intervals(c),
    }
    for claim, search in searches.items():
        if claim in wanted or claim == "nonexpansive":
            if progress:
                progress(claim, 0, 0)
            found = timed(claim, partial(intervals.settled, search))
            yield found
            if claim == "nonexpansive" and found[1][0].verdict != "proved":
                resting = Finding("unknown", "rests on nonexpansive, which is undecided"), 0.0
                yield from ((other, resting) for other in searches if other in wanted and other != claim)
                return


def revealing_on_intervals(c: Continuum, options: Mapping[str, Any]) -> Finding:
    """Assumption 2.4 over pairs of worlds on interval axes."""
    from .interval_revealing import revealing

    reveal = options["weak_revealing"]
    return revealing(c, options["kappa"], reveal["form"], reveal["scope"], Fraction(reveal["tol"]))


def structure(t: Tables, options: Mapping[str, Any], progress: Progress | None) -> Searched:
    """Theorem 2.5, and what is decided by counting or membership."""
    from . import factorization, regularity

    yield from structural(t.game, options)
    yield timed("oom-identity", lambda: factorization.oom_identity(t))
    yield timed("nonexpansive", lambda: factorization.nonexpansive(t))
    yield timed("well-specified", lambda: regularity.well_specified(t.game))
    yield timed("covering", lambda: regularity.covering(t.game))


def lipschitz_constant(t: Tables, options: Mapping[str, Any], progress: Progress | None) -> Searched:
    """Assumption 2.3."""
    from .posterior_lipschitz import posterior_lipschitz, reference_law

    mu = reference_law(t.game, options["reference"])
    yield timed("posterior-lipschitz", lambda: posterior_lipschitz(t, options["lipschitz_form"], mu))


def revealing(t: Tables, options: Mapping[str, Any], progress: Progress | None) -> Searched:
    """Assumption 2.4."""
    from .weak_revealing import weak_revealing

    reveal = options["weak_revealing"]
    count = (lambda done, total: progress("weak-revealing", done, total)) if progress else None
    yield timed(
        "weak-revealing",
        lambda: weak_revealing(t, options["kappa"], reveal["form"], reveal["scope"], Fraction(reveal["tol"]), count),
    )


def regular(t: Tables, options: Mapping[str, Any], progress: Progress | None, pairs: bool = True) -> Searched:
    """Assumption 3.1(c)-(e) and Proposition 2.6, from one walk a policy; and what Theorem 3.3 needs of the walks.
    Without ``pairs`` of models, (c) and (d) alone."""
    from .constants import drafted
    from .eluder import eluder
    from .kl_conversion import kl_conversion
    from .play import Walk, refuse_too_many
    from .regularity import increments

    refuse_too_many(t, options["limits"]["trajectories"])
    start = time.perf_counter()
    walks = [Walk(t, p, operators=pairs) for p in range(t.P)]
    bounded, predictive = increments(t, walks)
    seconds = (time.perf_counter() - start) / 2
    yield "bounded-increments", (bounded, seconds)
    yield "predictive-states", (predictive, seconds)
    if not pairs:
        return
    if progress:
        progress("kl-joint", 0, 0)
    yield timed("kl-joint", lambda: kl_conversion(t, walks, False))
    yield timed("kl-world", lambda: kl_conversion(t, walks, True))
    if progress:
        progress("eluder-world", 0, 0)
    yield timed("eluder-world", lambda: eluder(t, walks, True, options["T"]))
    yield timed("eluder-adversary", lambda: eluder(t, walks, False, options["T"]))
    yield timed("constants", lambda: drafted(walks))
