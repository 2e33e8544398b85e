"""Reads Cassandra's POMDP files (``.pomdp``): the whole grammar, exact decimals, one agent."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from pomgcheck.importers.assignments import TableAxis, kernels
from pomgcheck.importers.process import Process, Seen
from pomgcheck.importers.rows import RowRepair
from pomgcheck.importers.statements import Source
from pomgcheck.importers.words import misread


def process(path: Path, repair: RowRepair) -> Process:
    """Return the process of a ``.pomdp`` file; rows that do not sum to one are repaired, or refused with their line."""
    source = Source(path)
    for statement in source.all:
        if statement.keyword == "agents":
            raise misread(path, statement.line, "", 'the statement "agents:"', "one agent", "is it a .dpomdp file?")
    names = {}
    for keyword in ("states", "actions", "observations"):
        statement = source.one(keyword)
        names[keyword] = source.names(source.words(statement), keyword, statement.line)
    states, actions, observations = names.values()
    source.propositions(observations)
    sign, discount = source.sign(), source.discount()
    start = source.start(states, repair)

    labels = {"action": actions, "state": states, "end state": states, "observation": observations}
    axes = [TableAxis(what, (names,)) for what, names in labels.items()]
    (T, O), rewards = kernels(source, axes, start, repair, inline=True)
    seen: list[list[dict[Seen, Fraction]]] = [
        [{(o, 0): p for o, p in law.items()} for law in by_state] for by_state in O
    ]
    return Process(
        kind="POMDP file",
        states=tuple(states),
        learner_actions=tuple(actions),
        adversary_actions=(),
        learner_observations=tuple(observations),
        adversary_observations=(),
        start=start,
        move=lambda s, a, b: T[a][s],
        see=lambda a, b, t: seen[a][t],
        reward=lambda s, a, b, t, o: sign * rewards.get(a, s, t, o[0]),
        by_state=rewards.depends(1),
        discount=discount,
        notes=source.noted() + repair.settled(),
    )
