"""Importers: files of other programs as model-class documents, one module a format.

`imported` makes a class of a file and a user's choices; what was chosen, scaled or repaired is in its document.  A
POMDP file goes by way of a ``Process`` and a game tree by way of a ``Node``; both become a ``Scene``, a game and its
worlds, for which policies and responses are made.
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
from pomgcheck.modelclass.importers.rows import REPAIRS, Repair
from pomgcheck.modelclass.importers.scene import Scene
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
        raise placed(error, path) from None


def placed(error: PomgcheckError, path: Path) -> PomgcheckError:
    """The error, which names the file unless it is an option's."""
    return error if error.source or error.where.startswith("--") else error.inside(str(path))


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
        raise placed(error, path) from None


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
    family = family_of(scene, choices)
    knobs = {**scene.knobs, **({BOLDNESS: "1/2"} if family.kind == "deterrence" and scene.adversary_acts else {})}
    document: dict[str, Any] = {
        "format": FORMAT,
        "name": scene.name,
        "description": described(scene, choices, family),
        "source": scene.source,
        **({"knobs": knobs} if knobs else {}),
        "game": scene.game,
        "worlds": scene.worlds,
        "policies": policies(scene, choices.policies),
    }
    theta = {unknown.name: choices.truth.get(unknown.name, unknown.values[0]) for unknown in choices.unknowns}
    empty = {"responses": placeholder(scene, choices.memory), "truth": {"worlds": texts(theta)}}
    game = load(document | empty).game
    thetas = list(game.thetas or ())
    if theta not in thetas:
        shown = ", ".join(f"{name} = {value}" for name, value in theta.items())
        raise InputError("--truth", shown, "a point of the class, one of the values of each unknown")
    nominal = game.worlds[thetas.index(theta)]
    document["responses"] = responses(scene, family, choices.memory, game, nominal)
    phi = true_response(family, document["responses"], choices, theta)
    if phi is not None:
        document["truth"] = {"worlds": texts(theta), "responses": texts(phi)}
    return load(document)


def family_of(scene: Scene, choices: Choices) -> Family:
    """The response family chosen, or what suits the adversary."""
    if choices.responses is None:
        return Family("deterrence" if scene.knobs else "tilt")
    if choices.responses.kind in RESPONSES and not scene.adversary_acts:
        raise InputError("--responses", choices.responses.kind, "an adversary who acts", "choose one: --adversary jam")
    return choices.responses


def true_response(
    family: Family, made: dict[str, Any], choices: Choices, theta: dict[str, Fraction]
) -> dict[str, Fraction] | None:
    """The true parameters of the responses; ``None`` for the parameters of a file where no truth is chosen."""
    given = {name: value for name, value in choices.truth.items() if name not in theta}
    if family.kind == "table":
        return given if given or "parameters" not in made else None
    phi = {family.name: given.get(family.name, family.values[0])} if "parameters" in made else {}
    for name, value in given.items():
        if name not in phi:
            names = ", ".join((*theta, *phi)) or "nothing, the class has no unknown"
            raise InputError("--truth", f'a value of "{name}"', f"values of {names}")
        if value not in family.values:
            raise InputError("--truth", f"{name} = {value}", "one of its values")
    return phi


def described(scene: Scene, choices: Choices, family: Family) -> str:
    """What was chosen, for the document's ``description``; files by their names."""
    parts = [f"Policies: {Path(choices.policies).name}"]
    if scene.adversary_acts:
        kind = choices.adversary if scene.knobs else "the file's own"
        answers = f"the table of {Path(family.file).name}" if family.kind == "table" else family.kind
        parts += [f"Adversary: {kind}", f"Responses: {answers}"]
    parts += [f"Unknown: {unknown.name}, how likely the {unknown.kind} is uniform" for unknown in choices.unknowns]
    return ". ".join(parts) + "."


def texts(point: dict[str, Fraction]) -> dict[str, str]:
    """A parameter point as a document spells it."""
    return {name: str(value) for name, value in point.items()}
