"""Imports files of other programs as model-class documents, one module per format.

`import_model` makes a class of a file, or of a game of OpenSpiel, and a user's choices; what was chosen, scaled or
repaired is in its document.  A POMDP file goes by way of a ``Process`` and a game tree by way of a ``TreeNode``;
both become a ``GameScene``, a game and its worlds, for which policies and responses are made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from pomgcheck.errors import InputError, PomgcheckError
from pomgcheck.importers import kuhn
from pomgcheck.importers.choices import (
    ADVERSARIES,
    LABELS,
    RESPONSES,
    Choices,
    ResponseFamily,
    read_family,
    read_point,
    read_unknown,
)
from pomgcheck.importers.families import BOLDNESS, MANY, placeholder, policies, reactions, responses
from pomgcheck.importers.process import Process
from pomgcheck.importers.rows import REPAIRS, RowRepair
from pomgcheck.importers.scene import GameScene
from pomgcheck.kernel.reading import long_integers
from pomgcheck.modelclass.document import FORMAT, load
from pomgcheck.modelclass.files import IMPORTED
from pomgcheck.modelclass.model import ModelClass

__all__ = ["ARGUMENTS", "Choices", "import_model", "imported"]

OPENSPIEL = "openspiel:"
ARGUMENTS = (
    "horizon",
    "learner",
    "adversary",
    "unknown",
    "policies",
    "responses",
    "memory",
    "truth",
    "repair",
    "labels",
    "name",
)


@long_integers()
def import_model(
    source: str | Path,
    *,
    horizon: int | None = None,
    learner: int = 1,
    adversary: str | None = None,
    unknown: str | Sequence[str] = (),
    policies: str | Path | None = None,
    responses: str | None = None,
    memory: int = 2,
    truth: Mapping[str, str | int | Fraction] | None = None,
    repair: str | None = None,
    labels: str = "names",
    name: str | None = None,
) -> ModelClass:
    """Return the model class of a file, or of a game of OpenSpiel.

    ``source`` is a ``.pomdp``, ``.dpomdp`` or ``.efg`` file, or ``openspiel:NAME``. ``horizon`` is the number of moves
    of an episode, 3 unless given; a game tree has its own. ``learner`` is the agent or player (1 or 2) that is the
    learner. ``adversary`` says what the other one can do: ``none``, ``jam``, ``shift`` or ``joint``. ``unknown`` says
    what is not known of the world, as in ``"transition:slip=0,1/20"``. ``policies`` is a family such as ``"reactive"``
    or a file, and ``responses`` a family such as ``"tilt:y=1/10,1/5"`` or ``"table:FILE"``. ``memory`` is m, the number
    of policies that the adversary remembers. ``truth`` has the true values of the unknowns, as in ``{"slip": "1/20"}``;
    unless given, it is the first value of each. ``repair`` says what to do with rows that do not sum to one, which are
    refused unless it is ``normalise`` or ``largest``. ``labels`` takes the ``names`` of the file, or ``numbers`` from
    0. ``name`` is the name of the class, that of the file unless given. The keywords are the options of ``pomgcheck
    import``, and docs/import.md says more of each.

    Raises ``InputError`` or ``LimitExceeded``, which name the file and the line or the option, and
    ``MissingDependency`` for a game of OpenSpiel where that is not installed.
    """
    for option, value, known in (("adversary", adversary, ADVERSARIES), ("labels", labels, LABELS)):
        if value is not None and value not in known:
            raise InputError.choice(option, value, known)
    if isinstance(memory, bool) or not isinstance(memory, int) or memory < 1:
        raise InputError("memory", repr(memory), "an integer of at least 1")
    if not isinstance(source, str | Path):
        raise InputError("source", repr(source)[:60], f"the path of a file to import, or {OPENSPIEL}NAME")
    if horizon is not None and (isinstance(horizon, bool) or not isinstance(horizon, int)):
        raise InputError("horizon", repr(horizon), "an integer of at least 1")
    choices = Choices(
        name=name,
        horizon=horizon,
        learner=learner,
        adversary=adversary,
        unknowns=[read_unknown(text) for text in ([unknown] if isinstance(unknown, str) else unknown)],
        policies=None if policies is None else str(policies),
        responses=None if responses is None else read_family(responses),
        memory=memory,
        truth=read_point([f"{key}={value}" for key, value in (truth or {}).items()], "truth"),
        repair=repair,
        numbered=labels == "numbers",
    )
    return imported(source, choices)


def imported(source: str | Path, choices: Choices | None = None) -> ModelClass:
    """Return the model class of a file or a game under these choices; its ``authored`` document is the one to write
    and edit.

    Raises ``InputError`` or ``LimitExceeded``, which name the file and the line.
    """
    choices = choices or Choices()
    if choices.repair not in (None, *REPAIRS):
        raise InputError("repair", repr(choices.repair), " or ".join(REPAIRS))
    if choices.unknowns and not all(unknown.values for unknown in choices.unknowns):
        raise InputError("unknown", "no values", "at least one")
    try:
        return class_of(read(source, choices), choices)
    except PomgcheckError as error:
        named = error.source or error.where in ARGUMENTS or error.where.startswith(OPENSPIEL)
        raise (error if named else error.inside(str(source))) from None


def read(source: str | Path, choices: Choices) -> GameScene:
    """Return the game of a file, or of OpenSpiel, and its worlds."""
    from pomgcheck.importers import cassandra, efg, lifting, madp, openspiel, tree

    if str(source).startswith(OPENSPIEL):
        if choices.repair:
            raise InputError("repair", choices.repair, "none, for a game of OpenSpiel")
        root, kind, paid = openspiel.tree(str(source), choices.numbered)
        short = re.sub(r"[^\w.-]+", "-", str(source).removeprefix(OPENSPIEL)).strip("-.")
        return tree.scene(root, kind, "", choices, choices.name or short, paid)
    path, repair = Path(source), RowRepair(choices.repair)
    name = choices.name or re.sub(r"[^\w.-]+", "-", path.stem).strip("-.") or "imported"
    suffix = path.suffix.lower()
    if suffix not in IMPORTED:
        formats = ", ".join(IMPORTED)
        raise InputError("", f"a file named {path.name}", f"a file to import, {formats}, or {OPENSPIEL}NAME")
    if suffix == ".efg":
        if choices.numbered:
            raise InputError("labels", "numbers", "names, for a game tree")
        return tree.scene(*efg.tree(path, repair), choices, name)
    if suffix == ".pomdp":
        if choices.learner != 1:
            raise InputError("learner", str(choices.learner), "1, the only agent of a .pomdp file")
        process = cassandra.process(path, repair)
    else:
        process = madp.process(path, repair, choices.learner)
    return lifting.scene(numbered(process) if choices.numbered else process, choices, name)


def numbered(process: Process) -> Process:
    """Return the same process with its labels replaced by their numbers."""

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


def class_of(scene: GameScene, choices: Choices) -> ModelClass:
    """Return the class of a game: with worlds, policies, responses, and a truth."""
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
        "policies": policies(scene, policies_of(scene, choices)),
    }
    theta = {unknown.name: choices.truth.get(unknown.name, unknown.values[0]) for unknown in choices.unknowns}
    empty = {"responses": placeholder(scene, choices.memory), "truth": {"worlds": texts(theta)}}
    game = load(document | empty).game
    thetas = list(game.thetas or ())
    if theta not in thetas:
        shown = ", ".join(f"{name} = {value}" for name, value in theta.items())
        raise InputError("truth", shown, "a point of the class, one of the values of each unknown")
    nominal = game.worlds[thetas.index(theta)]
    document["responses"] = responses(scene, family, choices.memory, game, nominal)
    phi = true_response(family, document["responses"], choices, theta)
    if phi is not None:
        document["truth"] = {"worlds": texts(theta), "responses": texts(phi)}
    return load(document)


def policies_of(scene: GameScene, choices: Choices) -> str:
    """Return the kind of policies chosen, or what suits the game: reactive ones, or constant ones where those are
    many."""
    if choices.policies is not None or kuhn.fits(scene):
        return choices.policies or "equilibrium"
    return "reactive" if reactions(scene) <= MANY else "routing"


def family_of(scene: GameScene, choices: Choices) -> ResponseFamily:
    """Return the response family chosen, or what suits the adversary."""
    if choices.responses is None and kuhn.fits(scene):
        return read_family("exploit")
    if choices.responses is None:
        return ResponseFamily("deterrence")
    if choices.responses.kind == "exploit" and not kuhn.fits(scene):
        raise InputError("responses", "exploit", "openspiel:kuhn_poker with player 1 the learner")
    if choices.responses.kind in RESPONSES and not scene.adversary_acts:
        raise InputError("responses", choices.responses.kind, "an adversary who acts", 'choose one: adversary="jam"')
    return choices.responses


def true_response(
    family: ResponseFamily, made: dict[str, Any], choices: Choices, theta: dict[str, Fraction]
) -> dict[str, Fraction] | None:
    """Return the true parameters of the responses, or ``None`` for the parameters of a file where no truth is chosen."""
    given = {name: value for name, value in choices.truth.items() if name not in theta}
    if family.kind == "table":
        return given if given or "parameters" not in made else None
    phi = {family.name: given.get(family.name, family.values[0])} if "parameters" in made else {}
    for name, value in given.items():
        if name not in phi:
            names = ", ".join((*theta, *phi))
            required = f"values of {names} alone" if names else "none, since the class has no unknown"
            raise InputError("truth", f'a value of "{name}"', required)
        if value not in family.values:
            raise InputError("truth", f"{name} = {value}", "one of its values")
    return phi


def described(scene: GameScene, choices: Choices, family: ResponseFamily) -> str:
    """Return what was chosen, for the document's ``description``; files by their names."""
    chosen = policies_of(scene, choices)
    parts = [f"Policies: {Path(chosen).name if Path(chosen).suffix else chosen}"]
    if choices.policies is None and chosen == "routing":
        parts[0] += f", since {reactions(scene):,} are reactive"
    if scene.adversary_acts:
        kind = choices.adversary if scene.knobs else "the other player"
        answers = f"the table of {Path(family.file).name}" if family.kind == "table" else family.kind
        parts += [f"Adversary: {kind}", f"Responses: {answers}"]
    parts += [f"Unknown: {unknown.name}, how likely {unknown.effect}" for unknown in choices.unknowns]
    return ". ".join(parts) + "."


def texts(point: dict[str, Fraction]) -> dict[str, str]:
    """Return a parameter point as a document spells it."""
    return {name: str(value) for name, value in point.items()}
