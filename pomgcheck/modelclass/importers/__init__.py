"""Importers: files of other programs as model-class documents, one module a format.

`document` turns a file and a user's choices into a document; what was chosen, scaled or repaired is recorded in it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.modelclass.document import FORMAT, load
from pomgcheck.modelclass.files import IMPORTED
from pomgcheck.modelclass.importers.choices import RESPONSES, Choices, Family
from pomgcheck.modelclass.importers.families import BOLDNESS, placeholder, policies, responses
from pomgcheck.modelclass.importers.process import Process
from pomgcheck.modelclass.importers.scene import Scene
from pomgcheck.modelclass.importers.statements import REPAIRS, Repair
from pomgcheck.modelclass.model import ModelClass

__all__ = ["Choices", "imported"]


def imported(path: Path, choices: Choices | None = None) -> ModelClass:
    """The model class of a file under these choices; its ``authored`` document is the one to write and edit.

    Raises :class:`InputError` or :class:`LimitExceeded`, which name the file and the line.
    """
    choices = choices or Choices()
    if choices.repair not in (None, *REPAIRS):
        raise InputError("--repair", repr(choices.repair), " or ".join(REPAIRS))
    if choices.unknowns and not all(unknown.values for unknown in choices.unknowns):
        raise InputError("--unknown", "no values", "at least one")
    scene = read(path, choices)
    try:
        return class_of(scene, choices)
    except PomgcheckError as error:
        raise error if error.source else error.inside(str(path)) from None


def read(path: Path, choices: Choices) -> Scene:
    """The game of a file and its worlds."""
    from pomgcheck.modelclass.importers import cassandra, efg, lifting, madp, tree

    repair = Repair(choices.repair)
    name = choices.name or re.sub(r"[^\w.-]+", "-", path.stem).strip("-.") or "imported"
    if path.suffix not in IMPORTED:
        raise InputError("", f"a file named {path.name}", f"a file to import, {', '.join(IMPORTED)}")
    try:
        if path.suffix == ".efg":
            if choices.numbered:
                raise InputError("--labels", "numbers", "names, for a game tree")
            return tree.scene(*efg.tree(path, repair), choices, name)
        if path.suffix == ".pomdp":
            if choices.learner != 1:
                raise InputError("--learner", str(choices.learner), "1, the only agent of a .pomdp file")
            process = cassandra.process(path, repair)
        else:
            process = madp.process(path, repair, choices.learner)
        return lifting.scene(numbered(process) if choices.numbered else process, choices, name)
    except PomgcheckError as error:
        raise error if error.source or error.where.startswith("--") else error.inside(str(path)) from None


def numbered(process: Process) -> Process:
    """The same process, its labels replaced by their numbers."""

    def numbers(labels: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(map(str, range(len(labels))))

    return replace(
        process,
        states=numbers(process.states),
        learner_actions=numbers(process.learner_actions),
        adversary_actions=numbers(process.adversary_actions),
        learner_observations=numbers(process.learner_observations),
        adversary_observations=numbers(process.adversary_observations),
    )


def class_of(scene: Scene, choices: Choices) -> ModelClass:
    """From one game to a class: with worlds, policies, responses, and a truth."""
    family = choices.responses or Family("deterrence" if scene.knobs else "tilt")
    if choices.responses is not None and not scene.adversary_acts and family.kind != "table":
        raise InputError("--responses", family.kind, "an adversary who acts", "choose one: --adversary jam")
    made_of = described(scene, choices, family)
    document: dict[str, Any] = {"format": FORMAT, "name": scene.name, "description": made_of, "source": scene.source}
    if scene.knobs:
        document["knobs"] = scene.knobs
    document |= {"game": scene.game, "worlds": scene.worlds, "policies": policies(scene, choices.policies)}
    known = {unknown.name: unknown.values[0] for unknown in choices.unknowns}
    worlds = {name: choices.truth.get(name, value) for name, value in known.items()}
    first = load(document | {"responses": placeholder(scene, choices.memory), "truth": {"worlds": texts(worlds)}})
    game = first.game
    thetas = game.thetas or ()
    if worlds not in thetas:
        shown = ", ".join(f"{name} = {value}" for name, value in worlds.items())
        raise InputError("--truth", shown, "a point of the class, one of the values of each unknown")
    made = responses(scene, family, choices.memory, game, game.worlds[list(thetas).index(worlds)])
    if BOLDNESS in str(made["table"]):
        document["knobs"] = {**scene.knobs, BOLDNESS: "1/2"}
    sensitivity: dict[str, Fraction] = {}
    if family.kind in RESPONSES and "parameters" in made:
        sensitivity = {family.name: choices.truth.get(family.name, family.values[0])}
        if sensitivity[family.name] not in family.values:
            raise InputError("--truth", f"{family.name} = {sensitivity[family.name]}", "one of its values")
    elif family.kind == "table":
        sensitivity = {name: value for name, value in choices.truth.items() if name not in known}
    for name in choices.truth:
        if name not in (*worlds, *sensitivity):
            names = ", ".join((*worlds, *sensitivity)) or "nothing, the class has no unknown"
            raise InputError("--truth", f'a value of "{name}"', f"values of {names}")
    truth = {"worlds": texts(worlds), "responses": texts(sensitivity)}
    document |= {"responses": made}
    if family.kind != "table" or sensitivity or "parameters" not in made:
        document["truth"] = truth
    return load(document)


def described(scene: Scene, choices: Choices, family: Family) -> str:
    """What was chosen, for the document's ``description``; files by their names."""
    parts = [f"policies: {Path(choices.policies).name}"]
    if scene.adversary_acts:
        kind = choices.adversary if scene.knobs else "the file's own"
        answers = f"the table of {Path(family.file).name}" if family.kind == "table" else family.kind
        parts += [f"adversary: {kind}", f"responses: {answers}"]
    parts += [f"unknown: {unknown.name}, how likely the {unknown.kind} is uniform" for unknown in choices.unknowns]
    return "; ".join(parts)


def texts(point: dict[str, Fraction]) -> dict[str, str]:
    """A parameter point as a document spells it."""
    return {name: str(value) for name, value in point.items()}
