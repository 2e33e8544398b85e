"""Plays algorithms of a user's own in a run: what such an object is, what it is told, and how it plays
(docs/algorithms.md).

No theorem is claimed of them.  They meet the world's random numbers of the same seed as all others, and draw their own
from the stream that the baselines draw from.
"""

from __future__ import annotations

import contextlib
import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from pomgcheck.arena.announced import Announced, Announcements
from pomgcheck.arena.opponent import Seen
from pomgcheck.arena.stepping import Stepping, Sums, summed
from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.kernel.game import Game, Table
from pomgcheck.learner.algorithms import ALGORITHMS, WITHOUT
from pomgcheck.learner.baselines import Unwarmed, own_draws
from pomgcheck.learner.columns import columns
from pomgcheck.learner.epochs import Epoch
from pomgcheck.learner.planning import values_against
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.sources import Named, digest_of, executed, named, raised

GUARANTEE = "none (own algorithm)"
SCHEDULE = "its own, one policy per episode, no warm-up"
NAME = re.compile(r"[^\W_][\w.-]{0,39}")  # it stands in tables, in --algorithm and in the names of columns
METHODS = ("choose", "observe")
MACHINERY = (__file__, contextlib.__file__)  # files whose lines say nothing of what went wrong in the user's code
PROTOCOL = "a class or function that makes, of a Spec, an object with choose() and observe(episode)"


class EpisodeStep(NamedTuple):
    """This is a step of an episode as the learner saw it: ``observation`` is the index of o_h, ``row`` the row of a
    policy's table that its window selects, ``action`` the index of a_h, and ``reward`` is r_h(o_h)."""

    observation: int
    row: int
    action: int
    reward: float


class Episode(NamedTuple):
    """A finished episode has its number ``t`` from 1, the ``policy`` as it was chosen, the index in Pi of the policy
    that the adversary has ``taken_for`` it, and the H ``steps``."""

    t: int
    policy: Any
    taken_for: int
    steps: tuple[EpisodeStep, ...]

    @property
    def reward(self) -> float:
        """Return the sum of the rewards of the steps."""
        return sum(step.reward for step in self.steps)


@dataclass(frozen=True)
class Spec:
    """This is what an algorithm is told before its first episode.

    ``model`` is the name of the class, ``horizon`` H, ``episodes`` T and ``memory`` m, or ``None`` where the
    adversary's memory fades. ``policies`` are the names of Pi, and ``tables`` their probabilities
    ``[policy][h][row][a]``. ``observations`` and ``actions`` are the learner's, by label; ``rewards`` are r_h(o) as
    ``[h][o]``. ``document`` is the whole class without its truth. ``random`` gives the algorithm's own random numbers;
    it must draw from nothing else for a replay to agree.
    """

    model: str
    horizon: int
    episodes: int
    memory: int | None
    policies: tuple[str, ...]
    tables: tuple[Table, ...]
    observations: tuple[str, ...]
    actions: tuple[str, ...]
    rewards: tuple[tuple[Fraction, ...], ...]
    document: Mapping[str, Any]
    random: np.random.Generator


class Algorithm(Protocol):
    """This is an algorithm of one's own, from its first episode to its last.

    What is given to `run` is a class or function that makes one of a `Spec`; it is called anew for each seed.
    """

    def choose(self) -> Any:
        """Return the policy of the next episode: a name of Pi, its index, or a table ``[h][row][a]`` of probabilities,
        which the adversary answers as the nearest policy of Pi."""

    def observe(self, episode: Episode) -> None:
        """Take in the ``episode`` that the chosen policy played."""


Make = Callable[[Spec], Algorithm]


@dataclass(frozen=True)
class Own:
    """An own algorithm is named in a run by its name, what makes it, and the file that defines it, with the file's
    digest where there is one; ``again`` says whether ``file:name`` names it.

    One that was named as ``file.py:name`` is executed again in every process that plays it.
    """

    name: str
    make: Make | None
    at: Named | None
    file: str | None
    sha256: str | None
    again: bool

    @classmethod
    def read(cls, value: object) -> Own:
        """Return the algorithm that ``value`` is: ``file.py:name``, or what makes one.

        Raises ``InputError`` for anything else."""
        if isinstance(value, Own):
            return value
        if isinstance(value, str):
            place = named(value)
            if place is None:
                raise InputError("algorithm", repr(value), "file.py:name, for one of your own")
            known = digest_of(place.path, "a Python file that defines an algorithm")
            return cls(fit(place.name, value), None, place, place.path.name, known, again=True)
        if not callable(value):
            found = f"an object of type {type(value).__name__}" + ", which is made already" * all(
                hasattr(value, x) for x in METHODS
            )
            fix = "give its class, or a function that makes one anew for each seed"
            raise InputError("algorithm", found, f"a name, file.py:name, or {PROTOCOL}", fix)
        inner: Any = value
        while isinstance(inner, partial):
            inner = inner.func
        called = getattr(value, "name", None)
        name: str = called if isinstance(called, str) else getattr(inner, "__name__", type(inner).__name__)
        file = source_of(inner)
        sha256 = None if file is None else digest_of(file, "the file that defines the algorithm")
        again = file is not None and inner is value and getattr(value, "__qualname__", "") == name
        return cls(fit(name, repr(value)[:60]), value, None, None if file is None else file.name, sha256, again)

    @property
    def key(self) -> str:
        """Return the key under which its seeds are kept until the record is made, so that nothing else goes on with
        them."""
        return f"{self.name}@{self.sha256}"

    def told(self, kind: str, delta: Fraction, oracle: Mapping[str, str] | None) -> dict[str, Any]:
        """Return its entry of a record: where its code is, that it has no constants, and that nothing is proved of it."""
        constants: dict[str, Any] = {"kind": kind, "delta": str(delta), "schedule": SCHEDULE, **WITHOUT}
        constants |= {} if oracle is None else {"oracle": dict(oracle)}
        source = {"file": self.file, "sha256": self.sha256, "name": self.name if self.again else None}
        return {"source": source, "constants": constants, "guarantee": GUARANTEE}

    def made(self, spec: Spec) -> Algorithm:
        """Return an algorithm before its first episode.

        Raises ``InputError`` where it cannot be made or lacks the methods of `Algorithm`.
        """
        with told(self.name, "while it is made"):
            make = self.make or self.loaded()
            player = make(spec)
        for method in METHODS:
            if not callable(getattr(player, method, None)):
                found = f"a {type(player).__name__} without the method {method}"
                raise InputError(f"algorithm {self.name}", found, "choose() and observe(episode)")
        return player

    def loaded(self) -> Make:
        """Return what the file defines under the name; the file must be what it was when the run began."""
        assert self.at is not None  # one of the two is there
        if self.sha256 != (now := digest_of(self.at.path, "the file that defines the algorithm")):
            raise InputError(
                f"algorithm {self.name}", f"a file of SHA-256 {now[:16]}…", f"{self.sha256}, as when the run began"
            )
        try:
            found = executed(self.at.path).get(self.at.name)
        except (Exception, SystemExit) as error:  # the file is the user's, and may raise anything
            said = raised(error, self.at.path)
            raise InputError("", said, "a Python file that defines an algorithm").inside(str(self.at)) from error
        if not callable(found):
            what = f"no {self.at.name}" if found is None else f"a {type(found).__name__}"
            raise InputError("", what, PROTOCOL).inside(str(self.at))
        return found


def fit(name: str, shown: str) -> str:
    """Return a name that an own algorithm may have; raise ``InputError`` for any other."""
    if not NAME.fullmatch(name):
        fix = "give it an attribute ``name``, or name a function"
        raise InputError("algorithm", f"{shown}, called {name!r}", "a name of 1 to 40 letters, digits, . _ or -", fix)
    if name in ALGORITHMS:
        raise InputError(
            "algorithm", f"your own, called {name}", "a name that no algorithm of pomgcheck has", "rename it"
        )
    return name


def source_of(value: object) -> Path | None:
    """Return the file that defines a class or function, or ``None`` where there is none."""
    try:
        file = inspect.getsourcefile(value if inspect.isroutine(value) or inspect.isclass(value) else type(value))
    except (TypeError, OSError):  # of a program that has no file, such as a notebook
        return None
    return Path(file) if file is not None and Path(file).is_file() else None


@contextmanager
def told(name: str, when: str) -> Iterator[None]:
    """Turn an exception of the user's code into one sentence that says where and when it was raised."""
    try:
        yield
    except PomgcheckError:
        raise
    except (Exception, SystemExit) as error:  # none of them may end the program
        frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename not in MACHINERY]
        place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
        found = f"{type(error).__name__}{f': {error}' if str(error) else ''}{place} {when}"
        raise InputError(f"algorithm {name}", found, "code that raises nothing") from error


def spec_of(game: Game, document: Mapping[str, Any], episodes: int, random: np.random.Generator) -> Spec:
    """Return what an algorithm is told about a game and its class."""
    return Spec(
        model=game.name,
        horizon=game.H,
        episodes=episodes,
        memory=game.m,
        policies=tuple(game.policy_names),
        tables=tuple(game.policies),
        observations=tuple(game.OA),
        actions=tuple(game.A),
        rewards=tuple(map(tuple, game.reward)),
        document={key: value for key, value in document.items() if key != "truth"},
        random=random,
    )


class Chosen:
    """A policy that was chosen has its exact table and the policy of Pi that it is taken for, its cumulative sums, and
    what an episode of it costs by what the opponent has seen."""

    def __init__(self, value: Any, announced: Announced, inside: bool) -> None:
        self.value, self.announced, self.inside = value, announced, inside
        self.sums = summed(announced.table)
        self.costs: dict[Seen, Fraction] = {}


class OwnLearner(Unwarmed):
    """Plays an own algorithm, one episode at a time; an epoch is a run of episodes of one policy."""

    def __init__(self, own: Own, problem: LearningProblem, document: Mapping[str, Any], seed: int, T: int) -> None:
        super().__init__(problem, seed)
        self.own, self.seed = own, seed
        self.player = own.made(spec_of(problem.game, document, T, own_draws(seed)))
        self.stepping = Stepping(problem.game, problem.theta)
        self.rewards = [[float(x) for x in row] for row in problem.game.reward]
        self._read = Announcements(problem.game).read
        self._inside: dict[int, Chosen] = {}
        self._responses: dict[Seen, Sums] = {}
        self._next: Chosen | None = None

    def chosen(self) -> Chosen:
        """Return the policy of the next episode; it is asked for once."""
        if self._next is None:
            with self.telling("choose"):
                value = self.player.choose()
            self._next = self.read(value)
        return self._next

    def read(self, value: Any) -> Chosen:
        """Return what was chosen as a `Chosen`; a policy of Pi is one object however it is named."""
        try:
            announced = self._read(value)
        except PomgcheckError as error:
            where = f"algorithm {self.own.name}: choose() in episode {self.collected + 1} of seed {self.seed}"
            raise InputError(where, error.found, error.required, error.fix) from None
        if isinstance(value, list | tuple | np.ndarray):
            return Chosen(value, announced, inside=False)
        if announced.taken_for not in self._inside:
            self._inside[announced.taken_for] = Chosen(value, announced, inside=True)
        return self._inside[announced.taken_for]

    def cost_of(self, chosen: Chosen, seen: Seen) -> Fraction:
        """Return v* - V^pi(g) of an episode, where g is the opponent's answer once it has ``seen`` that."""
        if seen not in chosen.costs:
            problem, opponent, place = self.problem, self.arena.opponent, chosen.announced.taken_for
            if chosen.inside:
                chosen.costs[seen] = problem.costs(opponent, place, [seen])[0]
            else:
                table = columns([chosen.announced.table])
                value = values_against(problem.tables, problem.theta, table, [opponent.response(seen)])[0]
                still = problem.penalty if seen != opponent.stationary(place) else Fraction(0)
                chosen.costs[seen] = problem.best - value + still
        return chosen.costs[seen]

    def epoch(self, left: int) -> Epoch:
        """Play and return the episodes until another policy is chosen."""
        first, opponent, n = self.chosen(), self.arena.opponent, 0
        place = first.announced.taken_for
        costs: list[Fraction] = []
        while n < left and same(self.chosen(), first):
            seen = opponent.seen(place)
            if self.problem.outside is not None or seen != opponent.stationary(place):
                costs.append(self.cost_of(first, seen))
            self.play(self.chosen(), seen)
            n += 1
        return self.made(place, n, costs, n < left, self.cost_of(first, opponent.stationary(place)))

    def play(self, chosen: Chosen, seen: Seen) -> None:
        """Play one episode of the policy and show it to the algorithm."""
        if seen not in self._responses:
            self._responses[seen] = summed(self.arena.opponent.response(seen))
        place = chosen.announced.taken_for
        steps = self.stepping.episode(self.arena.uniforms(), chosen.sums, self._responses[seen])
        self.arena.commit(place, 1)
        self.collected += 1
        told_steps = tuple(EpisodeStep(o, row, a, self.rewards[h][o]) for h, (o, row, a) in enumerate(steps))
        self._next = None
        with self.telling("observe"):
            self.player.observe(Episode(self.collected, chosen.value, place, told_steps))

    @contextmanager
    def telling(self, method: str) -> Iterator[None]:
        """Say in errors of the algorithm's own which episode they met."""
        number = self.collected + (method == "choose")
        with told(self.own.name, f"in {method}(), in episode {number} of seed {self.seed}"):
            yield


def same(one: Chosen, other: Chosen) -> bool:
    """Return whether two choices are of one policy."""
    return one is other or (one.inside == other.inside and one.announced == other.announced)
