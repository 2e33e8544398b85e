"""Runs algorithms on a certified class: takes a certificate and gives a run record (``run``).

The kernel verifies the certificate before anything else happens, and there is no way round it.
"""

from __future__ import annotations

import logging
import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, get_args

import numpy

from pomgcheck.arena.episodes import RNG
from pomgcheck.arena.outside import Reacts
from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError, Refused
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.nested import Nested, Truth
from pomgcheck.kernel.nets import Netted
from pomgcheck.kernel.parameters import Point
from pomgcheck.kernel.reading import digest, long_integers
from pomgcheck.learner.admission import admit, named, permitted, usual, verified
from pomgcheck.learner.algorithms import ALGORITHMS, ASSUMING, UNLISTED
from pomgcheck.learner.baselines import learner, own_draws
from pomgcheck.learner.bound import AlgorithmBound, ListBound, NetBound
from pomgcheck.learner.continuum import Planned, planned
from pomgcheck.learner.epochs import Plays, epochs
from pomgcheck.learner.journal import Journal, Key, Seed
from pomgcheck.learner.nets import NetList
from pomgcheck.learner.own import Make, Own, OwnLearner, spec_of
from pomgcheck.learner.planning import Ties
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.learner.record import FORMAT, RunRecord
from pomgcheck.learner.regret import grid, seed_result, summary
from pomgcheck.learner.settings import Constants, Settings, Warmup, chosen_algorithms, chosen_seeds, the_truth, whole
from pomgcheck.options import Number, Options, exact, positive
from pomgcheck.processes import clustered, shared
from pomgcheck.version import __version__

Progress = Callable[[int, int], None]  # seeds finished, seeds in all

LOG = logging.getLogger("pomgcheck")
BEFORE_START = "the first policy, for ever"


@long_integers()
def run(
    cert_path: str | Path | Certificate,
    *,
    episodes: int,
    seeds: int | Sequence[int] = 10,
    algorithm: str | Make | Sequence[str | Make] | None = None,
    constants: Constants = "theory",
    delta: Number | None = None,
    c: Number | None = None,
    C_0: Number | None = None,
    factor: Number | None = None,
    ties: Ties = "first",
    warmup: Warmup = "horizon",
    opponent: Callable[[], Reacts] | None = None,
    transient: Number = 0,
    truth: Mapping[str, Mapping[str, Number]] | None = None,
    net: Number | None = None,
    model: str | Path | None = None,
    jobs: int = 1,
    progress: Progress | None = None,
    journal: Path | None = None,
    resume: bool = False,
) -> RunRecord:
    """Run algorithms on a certified class, ``episodes`` data episodes per seed, and return the record.

    ``cert_path`` is a certificate or the path of one, and ``model`` the canonical model that it must be about.
    ``seeds`` is a count (0, 1, ...) or the seeds themselves; they are the same for every algorithm, so that all meet
    the same random numbers. ``algorithm`` is one or several: each a name of ours, ``all`` that the certificate admits,
    or one of your own (docs/algorithms.md), as ``file.py:name`` or as a class or function that makes an `Algorithm` of
    a `Spec`. Unless given it is ``epoch-omle`` where Assumptions 2.2-3.1 are certified, else ``nested`` where the
    claim ``regret`` is proved.

    ``constants`` is ``theory`` (c = 16, C_0 = 6(e-2), threshold 2 beta_e(t) + C_0 B_0 log(2t(t+1)/delta_e)) or
    ``practical`` (c = 1, threshold 2 beta_e(t)); ``c``, ``C_0`` and ``factor`` (the 2) change either, and the record
    then says what guarantee is left. ``delta`` is the failure probability, that of the certificate unless given.
    ``ties`` says which of equally good policies is played: ``first``, or ``fresh-first``. ``warmup`` against fading
    memory is ceil(log(2T)/(1 - gamma)) - 1 episodes, or with ``epoch`` ceil(log(2^(e+1))/(1 - gamma)) - 1, which needs
    no horizon (Theorem 5.2).

    ``opponent`` makes an opponent from outside, with ``memory`` and ``react(policies)``, in the place of the class's
    rule, a new one for each seed; its stationarity is declared, and each seed says what evidence was seen against it.
    ``transient`` is what an episode costs in addition, in units of reward, while the response moves. ``truth`` is
    ``{"worlds": {...}, "responses": {...}}``, a point of the class, when the document has none. ``net``, on interval
    axes, is by how much log-likelihoods of a model and of the nearest point of the finite net that is planned with may
    differ per episode, and the radius is widened by that; it is 1/(T+2) unless given, and there is no net at all where
    the class is Bernoulli arms (docs/net.md).

    ``jobs`` is the number of processes, on which the record does not depend, and ``progress`` is called with (done,
    total) seeds. ``journal`` is a file that keeps every finished seed until the record is made, and is then the
    caller's to delete; with ``resume`` the seeds that it holds under the same certificate and constants are not played
    again.

    Raises ``Refused`` for a certificate that is missing, altered, without what the algorithm rests on, for another
    model, or of a class that cannot be run yet, ``InputError`` for an argument, and ``LimitExceeded`` for a net or a
    class over a limit.
    """
    certificate, game = verified(cert_path, model)
    chosen = admitted(certificate, cert_path, algorithm)
    T, numbers = whole(episodes, "episodes", 1), chosen_seeds(seeds)
    check_choices(ties, warmup, opponent)
    m = game.m if opponent is None else opponent().memory
    memory = m or (game.gamma or Fraction(0), game.H, T if warmup == "horizon" else None)
    place, given = the_truth(game, truth)
    asked = RunRequest(T, numbers, ties, warmup, opponent is not None, m, not_negative(transient, "transient"), given)
    found = None if net is None else positive(net, "net")
    plans = any(name in ASSUMING for name in chosen)
    values = certificate.values
    problem, described = posed(game, place, given, values, found, T, opponent, asked.transient, plans)
    if "nested" in chosen and not game.finite:
        evidence = certificate.claims["regret"].evidence
        problem.listing = NetList(game, place, certificate.options.space, evidence, int(values.fraction("N")))
    settings = Settings.read(certificate, memory, constants, delta, c, C_0, factor, described)
    value_error = Fraction(0 if described is None else described.described["value_error"])
    bounds = ProvedBounds(settings, problem, certificate, value_error, ties)
    processes = whole(jobs, "jobs", 1)
    owns = [own for own in chosen.values() if own is not None]
    for own in owns:
        own.made(spec_of(game, certificate.model, T, own_draws(numbers[0])))  # so that a bad one is told first
    if processes > 1 or clustered():
        sendable(owns)
    tasks = [
        SeedTask(problem, settings, name, seed, T, ties, own, {} if own is None else certificate.model)
        for name, own in chosen.items()
        for seed in numbers
    ]
    kept = Journal(journal, asked.identity(certificate, settings)) if journal is not None else None
    LOG.info("run %s: %s, %d episodes, %d seeds", game.name, ", ".join(chosen), T, len(numbers))
    results = finished(tasks, processes, progress, kept, resume)
    runs = [asked.told(name, own, bounds, results) for name, own in chosen.items()]
    return RunRecord.signed(asked.document(certificate, file_name(cert_path), game, runs))


def not_negative(value: Number, where: str) -> Fraction:
    """Return an exact number; raise ``InputError`` for one below zero."""
    if (found := exact(value, where)) < 0:
        raise InputError(where, str(found), "a number of at least 0")
    return found


def check_choices(ties: object, warmup: object, opponent: object) -> None:
    """Refuse arguments of ``run`` that are none of those there are."""
    for word, said, known in (("ties", ties, Ties), ("warmup", warmup, Warmup)):
        if said not in get_args(known):
            raise InputError.choice(word, said, get_args(known))
    if opponent is not None and not callable(opponent):
        raise InputError("opponent", repr(opponent)[:60], "a function without arguments that makes one")


def admitted(
    certificate: Certificate, cert_path: str | Path | Certificate, algorithm: str | Make | Sequence[str | Make] | None
) -> dict[str, Own | None]:
    """Return the algorithms that were asked for, or the usual one, each of which the certificate admits."""
    usual_one = usual(certificate)
    chosen = chosen_algorithms(usual_one if algorithm is None else algorithm, permitted(certificate) or [usual_one])
    try:
        admit(list(chosen), certificate)
    except Refused as refusal:
        raise refusal.inside(named(cert_path)) from None
    return chosen


class RunRequest(NamedTuple):
    """This is what is asked of all algorithms of a run; ``truth`` is written as a document writes points, and
    ``memory`` is that of the opponent, who may be from ``outside``."""

    episodes: int
    seeds: list[int]
    ties: Ties
    warmup: Warmup
    outside: bool
    memory: int | None
    transient: Fraction
    truth: Mapping[str, Mapping[str, str]]

    def identity(self, certificate: Certificate, settings: Settings) -> str:
        """Return the digest of what a seed's result depends on, its algorithm and its number apart."""
        return digest(
            {
                "certificate": certificate.sha256,
                "truth": self.truth,
                "episodes": self.episodes,
                "ties": self.ties,
                "rng": RNG,
                "constants": {name: settings.described(name) for name in ALGORITHMS},  # a resumed run may play others
                "packages": packages(),
                "transient": str(self.transient),
                "warmup": self.warmup,
                "outside": self.outside,
            }
        )

    def told(self, name: str, own: Own | None, bounds: ProvedBounds, results: Mapping[Key, Seed]) -> dict[str, Any]:
        """Return what the record says of one algorithm."""
        times, settings = grid(self.episodes), bounds.settings
        if own is None:
            said = bounds.told(name, self.transient, times)
        else:
            said = own.told(settings.kind, settings.delta, settings.oracle)
        played = [results[key(name, own), seed] for seed in self.seeds]
        seeds = {"seeds": [seed.entry for seed in played], "summary": summary([seed.tally for seed in played], times)}
        return {"algorithm": name, **said, **seeds}

    def document(self, certificate: Certificate, file: str, game: Game, runs: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the record of all runs, without its digest."""
        return {
            "format": FORMAT,
            "certificate_file": file,
            "certificate_sha256": certificate.sha256,
            "model": game.name,
            "model_sha256": certificate.model_sha256,
            "readings": readings(certificate.options),
            "truth": self.truth,
            "truth_given": game.truth is None,
            "memory": self.memory,
            "warmup": "memory" if self.memory else self.warmup,
            "opponent": "from outside" if self.outside else "the class's",
            "transient": str(self.transient),
            "block_rule": game.block_rule,
            "before_start": BEFORE_START,
            "episodes": self.episodes,
            "seeds": self.seeds,
            "rng": RNG,
            "packages": packages(),
            "ties": self.ties,
            "t": grid(self.episodes),
            "runs": runs,
        }


def file_name(certificate: str | Path | Certificate) -> str:
    """Return the name of a certificate's file, or the one that it would be saved under."""
    return f"{certificate.name}.cert.json" if isinstance(certificate, Certificate) else Path(certificate).name


def posed(
    game: Game,
    truth: tuple[Point, Point],
    text: Mapping[str, Mapping[str, str]],
    values: Mapping[str, Any],
    error: Fraction | None,
    T: int,
    opponent: Callable[[], Reacts] | None,
    penalty: Fraction,
    plans: bool = True,
) -> tuple[LearningProblem, Planned | None]:
    """Return the problem of a finite class, or of one with interval axes together with what it is planned with, if any
    algorithm plans with log-likelihoods of the class."""
    if game.thetas is not None and game.phis is not None:
        if error is not None:
            raise InputError("net", str(error), "no net, since the class is finite")
        return LearningProblem(game, game.thetas.index(truth[0]), game.phis.index(truth[1]), opponent, penalty), None
    true = game.subclass([text["worlds"]], [text["responses"]])
    if not plans:
        if error is not None:
            raise InputError("net", str(error), "no net, since none of the algorithms plans with one")
        return LearningProblem(true, 0, 0, opponent, penalty), None
    plan = planned(game, true, truth, values, error or Fraction(1, T + 2), error is None)
    return LearningProblem(true, 0, 0, opponent, penalty, plan.oracle), plan


def readings(options: Options) -> dict[str, Any]:
    """Return how the certificate reads the paper's assumptions where the text leaves a choice."""
    found = {name: getattr(options, name) for name in ("kappa", "space", "form", "scope", "lipschitz")}
    return found if options.operators == "realised" else found | {"operators": options.operators}


class ProvedBounds(NamedTuple):
    """These are what is proved of each algorithm that has a theorem."""

    settings: Settings
    problem: LearningProblem
    certificate: Certificate
    value_error: Fraction
    ties: Ties

    def told(self, algorithm: str, penalty: Fraction, times: Sequence[int]) -> dict[str, Any]:
        """Return the constants of an algorithm, its guarantee, and its bound where a theorem has one."""
        settings = self.settings
        entry = {"constants": settings.described(algorithm), "guarantee": settings.guarantee(algorithm, penalty)}
        return entry if settings.unproved(algorithm, penalty) else entry | {"bound": self.described(algorithm, times)}

    def described(self, algorithm: str, times: Sequence[int]) -> dict[str, Any] | None:
        """Return the bound of an algorithm as the record tells it."""
        settings, problem, statement = self.settings, self.problem, self.settings.statement(algorithm)
        dearest = problem.best - min(problem.values.exact(p, problem.truth) for p in range(problem.policies))
        claims = self.certificate.claims
        if isinstance(settings.nested, Netted) and algorithm == "nested":
            assert isinstance(problem.listing, NetList)
            runs, down = problem.listing.before()
            moments = dict(zip(problem.listing.deployed, settings.nested.moments, strict=True))
            costs = [(problem.best - problem.values.exact(p, problem.truth), moments[p]) for p in down]
            costly = tuple((regret, M) for regret, M in costs if regret)
            return NetBound(settings.nested, runs, costly, dearest).described(statement, times)
        truth = None
        if isinstance(settings.nested, Nested):
            truth = Truth.read(claims["regret"].evidence["truths"][problem.truth])
        if algorithm == "nested":
            assert isinstance(settings.nested, Nested)  # it was admitted
            assert truth is not None
            return ListBound(settings.nested, truth, dearest).described(statement, times)
        found, listed = claims["constants"].values, truth if self.ties == "first" else None
        R, later = (found.fraction(name, problem.game.H) for name in ("reward_range", "later_range"))
        bound = AlgorithmBound(
            settings.assumed, problem.game.H, problem.policies, R, later, self.value_error, dearest, listed
        )
        return bound.described(statement, times)


class SeedTask(NamedTuple):
    """A task is one seed of one algorithm; it depends on nothing else."""

    problem: LearningProblem
    settings: Settings
    algorithm: str
    seed: int
    episodes: int
    ties: Ties
    own: Own | None = None
    document: Mapping[str, Any] = {}  # of the class, for an own algorithm

    @property
    def key(self) -> Key:
        """Return the key under which its result is kept."""
        return key(self.algorithm, self.own), self.seed


def key(name: str, own: Own | None) -> str:
    """Return what the seeds of an algorithm are kept under."""
    return name if own is None else own.key


def sendable(owns: Iterable[Own]) -> None:
    """Raise ``InputError`` for an own algorithm that cannot be sent to another process."""
    from joblib.externals.loky.backend.reduction import dumps

    for own in owns:
        try:
            dumps(own)
        except Exception as error:  # whatever the user's object raises
            found = f"an object that cannot be sent to another process ({type(error).__name__})"
            fix = "run it with jobs=1, or name it as file.py:name"
            raise InputError(
                f"algorithm {own.name}", found, "one that can be sent, for more than one job", fix
            ) from error


def perform(task: SeedTask) -> tuple[Key, Seed]:
    """Play one seed of one algorithm."""
    settings = task.settings
    plays: Plays
    if task.own is not None:
        plays = OwnLearner(task.own, task.problem, task.document, task.seed, task.episodes)
    else:
        plays = learner(
            task.algorithm, task.problem, settings.radius, task.seed, task.episodes, task.ties, settings.nested
        )
    listed = task.own is None and task.algorithm not in UNLISTED
    seed = seed_result(task.problem, task.seed, epochs(plays, task.episodes), grid(task.episodes), listed)
    if plays.watch is not None:
        seed.entry["stationarity"] = {"log_evidence": f"{plays.watch.most:.6g}", "otherwise": plays.watch.otherwise}
    return task.key, seed


def finished(
    tasks: Sequence[SeedTask], jobs: int, progress: Progress | None, journal: Journal | None, resume: bool
) -> dict[Key, Seed]:
    """Return the results, computed in this process or in ``jobs`` of them; each goes into the journal as soon as it is
    there."""
    wanted = {task.key for task in tasks if task.own is None or task.own.sha256 is not None}  # whose code is known
    results: dict[Key, Seed] = {}
    if journal is not None:
        if resume:
            results = {key: seed for key, seed in journal.finished().items() if key in wanted}
        journal.begin(results)
    left = [task for task in tasks if task.key not in results]
    for done, seed in shared(perform, ((task,) for task in left), jobs):
        results[done] = seed
        LOG.info("run: %s seed %d finished, %d of %d", done[0].partition("@")[0], done[1], len(results), len(tasks))
        if journal is not None:
            journal.add(done[0], seed)
        if progress is not None:
            progress(len(results), len(tasks))
    return results


def packages() -> dict[str, str]:
    """Return the versions of the packages that a run depends on."""
    return {"numpy": numpy.__version__, "pomgcheck": __version__, "python": platform.python_version()}
