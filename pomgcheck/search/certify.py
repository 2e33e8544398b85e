"""Runs every obligation a model class owes and writes the certificate."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from math import inf
from typing import TYPE_CHECKING, Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, LimitExceeded
from pomgcheck.kernel import check
from pomgcheck.kernel.claims import CLAIMS
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.limits import coordinates
from pomgcheck.kernel.reading import Malformed, long_integers
from pomgcheck.loading import Source, load
from pomgcheck.options import Options
from pomgcheck.search.checked import Progress, Quest, Timed, checked
from pomgcheck.search.clock import INTERRUPTED, NOT_SEARCHED, UNDECIDED, Clock
from pomgcheck.search.finding import Finding
from pomgcheck.search.groups import conclude, rest_regret, search_all

if TYPE_CHECKING:
    from pomgcheck.modelclass.document import ModelClass

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
    found: Timed = {claim.id: (Finding("unknown", NOT_SEARCHED), 0.0) for claim in CLAIMS}
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
        left_open(quest, found)
        raise Interrupted(checked(subject, game, quest._replace(clock=whole), found)) from None
    return logged(checked(subject, game, quest._replace(clock=whole), found))


def left_open(quest: Quest, found: Timed) -> None:
    """Say of the claims that an interrupted search did not reach that it did not, in ``found``, which is changed."""
    rest_regret(quest, found)
    if found["constants"][0].verdict == "unknown":
        found["constants"] = Finding("unknown", NOT_SEARCHED), 0.0  # in place of a draft
    waiting = [claim for claim in quest.wanted if found[claim][0].method in (NOT_SEARCHED, UNDECIDED)]
    found |= dict.fromkeys(waiting, (Finding("unknown", INTERRUPTED), 0.0))


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
            raise InputError.claim("only", name, {claim.id: claim.paper for claim in CLAIMS})
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
