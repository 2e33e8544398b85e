"""Reads MADP's Dec-POMDP files (``.dpomdp``): two agents, one of them the learner; joint actions and observations."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from pathlib import Path

from pomgcheck.errors import InputError
from pomgcheck.importers.assignments import TableAxis, kernels
from pomgcheck.importers.process import Process, Seen
from pomgcheck.importers.rows import RowRepair
from pomgcheck.importers.statements import ATOM, Names, Source, unknown_statement
from pomgcheck.importers.words import Word, misread


def process(path: Path, repair: RowRepair, learner: int = 1) -> Process:
    """Return the process of a ``.dpomdp`` file; agent ``learner`` (1 or 2) is the learner, the other one the
    adversary."""
    source = Source(path)
    for each in source.all:
        if each.keyword.startswith(ATOM):
            raise unknown_statement(path, Word(ATOM, each.line))
    _two_agents(source)
    if learner not in (1, 2):
        raise InputError("learner", str(learner), "1 or 2, an agent of the file")
    statement = source.one("states")
    states = source.names(source.words(statement), "states", statement.line)
    actions, observations = _by_agent(source, "actions"), _by_agent(source, "observations")
    sign, discount = source.sign(), source.discount()
    start = source.start(states, repair)

    labels = {"joint action": actions, "state": (states,), "end state": (states,), "joint observation": observations}
    axes = [TableAxis(what, names) for what, names in labels.items()]
    (T, O), rewards = kernels(source, axes, start, repair, inline=False)

    mine, other = (0, 1) if learner == 1 else (1, 0)

    def joint(a: int, b: int, parts: tuple[Names, ...]) -> int:
        """Return the number of a joint label, from the learner's part and the adversary's."""
        first, second = (a, b) if mine == 0 else (b, a)
        return first * len(parts[1]) + second

    def apart(k: int) -> Seen:
        both = divmod(k, len(observations[1]))
        return both[mine], both[other]

    seen = [[{apart(k): p for k, p in law.items()} for law in by_state] for by_state in O]

    def reward(s: int, a: int, b: int, t: int, o: Seen) -> Fraction:
        return sign * rewards.get(joint(a, b, actions), s, t, joint(*o, observations))

    return Process(
        kind=f"Dec-POMDP file, agent {learner} the learner",
        states=tuple(states),
        learner_actions=tuple(actions[mine]),
        adversary_actions=tuple(actions[other]),
        learner_observations=tuple(observations[mine]),
        adversary_observations=tuple(observations[other]),
        start=start,
        move=lambda s, a, b: T[joint(a, b, actions)][s],
        see=lambda a, b, t: seen[joint(a, b, actions)][t],
        reward=reward,
        by_state=rewards.depends(1),
        discount=discount,
        notes=source.noted() + repair.settled(),
    )


def _two_agents(source: Source) -> None:
    """Check the statement ``agents``, which gives their count or their names."""
    statement = source.one("agents")
    names = source.names(source.words(statement), "agents", statement.line)
    if len(names) != 2:
        raise misread(source.path, statement.line, "agents", str(len(names)), "2, the learner and the adversary")


def _by_agent(source: Source, keyword: str) -> tuple[Names, Names]:
    """Return one line of names, or a count, per agent; this is the one place where line breaks mean something."""
    statement = source.one(keyword)
    lines = [list(words) for _, words in groupby(source.words(statement, checked=True), key=lambda word: word.line)]
    if len(lines) != 2:
        raise misread(source.path, statement.line, keyword, f"{len(lines)} lines", "2 lines, one per agent")
    first, second = (source.names(words, keyword, words[0].line) for words in lines)
    return first, second
