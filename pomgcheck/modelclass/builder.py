"""Makes a model class from Python: the document's structure, with whatever exact objects are at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pomgcheck.modelclass.document import FORMAT, load
from pomgcheck.modelclass.model import ModelClass


def model_class(
    name: str,
    horizon: int,
    *,
    states: Sequence[str] | None = None,
    learner_actions: Sequence[str],
    adversary_actions: Sequence[str] | None = None,
    learner_observations: Sequence[str],
    adversary_observations: Sequence[str] | None = None,
    reward: Any,
    worlds: Mapping[str, Any],
    responses: Mapping[str, Any],
    policies: Mapping[str, Any],
    operators: Mapping[str, Any] | None = None,
    truth: Mapping[str, Any] | None = None,
    knobs: Mapping[str, Any] | None = None,
    description: str | None = None,
    source: str | None = None,
) -> ModelClass:
    """Return the model class of these parts, each shaped as the document's table of the same name, sugar included.

    ``name`` names the class, and ``horizon`` is H, the number of steps of an episode. ``states``,
    ``learner_actions``, ``adversary_actions``, ``learner_observations`` and ``adversary_observations`` are labels, in
    order. ``reward`` has r_h(o) in [0, 1] for each observation of the learner. ``worlds`` is Theta: initial law,
    emissions and transitions, with the parameters that are unknown; ``responses`` is Psi: the block rule, the memory
    m, and the response to each policy; ``policies`` is Pi. ``operators`` gives W, G and J as matrices in place of
    kernels. ``truth`` is the point xi* at which the class is run, ``knobs`` are named numbers of the document, and
    ``description`` and ``source`` are texts. What is ``None`` is left out. docs/model.md shows every part.

    Numbers may be ``int``, ``Fraction``, ``Decimal``, strings, numpy integer or object arrays, and sympy expressions
    in symbols named like the parameters. Keys of label-keyed rows may be tuples: ``("calm", "*", "attack")``. States
    and the adversary's actions and observations belong to kernels; a class given by ``operators`` has none.

    Raises ``InputError``, which names the key path, for a float and for anything else that the document could not
    hold.
    """
    game = {
        "horizon": horizon,
        "states": states,
        "learner_actions": learner_actions,
        "adversary_actions": adversary_actions,
        "learner_observations": learner_observations,
        "adversary_observations": adversary_observations,
        "reward": reward,
    }
    document: dict[str, Any] = {"format": FORMAT, "name": name}
    document["game"] = {key: value for key, value in game.items() if value is not None}
    document |= {"worlds": worlds, "responses": responses, "policies": policies}
    optional = {"operators": operators, "truth": truth, "knobs": knobs, "description": description, "source": source}
    return load(document | {key: value for key, value in optional.items() if value is not None})
