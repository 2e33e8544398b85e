"""Holds the model class: one canonical document, its digest, and the sizes that limits are stated in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import canonical_bytes, digest, long_integers
from pomgcheck.modelclass.toml_text import toml_text
from pomgcheck.outputs import writable, write
from pomgcheck.stored import Displayed

Space = Literal["window", "history"]


@dataclass(frozen=True, repr=False)
class ModelClass(Displayed):
    """This is a validated class of games: worlds Theta, responses Psi, policies Pi.

    ``document`` is the canonical document (not to be changed) and ``sha256`` its digest, by which model classes
    compare. ``thetas`` and ``phis`` are |Theta| and |Psi|, or ``None`` on intervals; ``knobs`` are the values that its
    knobs were given, and ``authored`` is the document it was read from.
    """

    document: Mapping[str, Any] = field(compare=False)
    thetas: int | None = field(compare=False)
    phis: int | None = field(compare=False)
    knobs: Mapping[str, str] = field(default_factory=dict, compare=False)
    authored: Mapping[str, Any] = field(default_factory=dict, compare=False)
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sha256", digest(self.document))

    @property
    def name(self) -> str:
        """Return the name of the document."""
        return str(self.document["name"])

    @property
    def H(self) -> int:
        """Return the horizon."""
        return int(self.document["game"]["horizon"])

    @property
    def m(self) -> int | None:
        """Return the adversary's memory in episodes, or ``None`` for fading memory."""
        return self.document["responses"].get("memory")  # type: ignore[no-any-return]

    @property
    def policies(self) -> tuple[str, ...]:
        """Return the names of Pi, in the order of their indices."""
        return tuple(sorted(self.document["policies"]["list"]))

    @cached_property
    @long_integers()
    def game(self) -> Game:
        """Return the exact game, as the kernel reads it from the canonical document."""
        return Game(self.document)

    # ---- sizes

    def coordinates(self, space: Space, h: int | None = None) -> int:
        """Return the number of coordinates of the space after ``h`` steps (default H, where it is largest), counted
        without building it.

        For history it is |S|·(|O_A||A|)^h·(|O_B||B|)^h; for window it is |S| times the number of windows of the last
        (window-1) observations of either side. A class given by operators has its own coordinates, whatever the space.
        """
        game = self.document["game"]
        if "operators" in self.document:
            names = self.document["operators"]["coordinates"]
            own = [len(step) for step in names["steps"]] if isinstance(names, Mapping) else [len(names)] * (self.H + 1)
            return max(own) if h is None else own[h]
        h = self.H if h is None else h
        sizes = {key: len(game[key]) for key in game if isinstance(game[key], list)}
        states, oa, ob = (sizes[k] for k in ("states", "learner_observations", "adversary_observations"))
        if space == "history":
            return int(states * (oa * sizes["learner_actions"]) ** h * (ob * sizes["adversary_actions"]) ** h)
        if space != "window":
            raise InputError("space", repr(space), '"window" or "history"')
        windows = [self.document[side]["window"] for side in ("policies", "responses")]
        if "full" in windows:
            raise InputError("space", '"window" for a class that reads full histories', '"history"')
        return int(states * oa ** min(windows[0] - 1, h) * ob ** min(windows[1] - 1, h))

    # ---- writing

    def canonical_json(self) -> bytes:
        """Return the bytes whose digest is ``sha256``."""
        return canonical_bytes(self.document)

    def to_json(self, path: str | os.PathLike[str]) -> None:
        """Write the canonical document to ``path``."""
        write(writable(path), self.canonical_json())

    def to_toml(self) -> str:
        """Return the document as TOML, for reading and editing; it loads to the same digest.

        That is the canonical document or, where the class has knobs, the author's own, each knob at the value it has
        here.
        """
        return toml_text({**self.authored, "knobs": self.knobs} if self.knobs else self.document)

    # ---- showing

    def _facts(self) -> dict[str, str]:
        sizes = {"|Θ|": self.thetas, "|Ψ|": self.phis, "|Π|": len(self.policies), "H": self.H}
        memory = {"γ": self.document["responses"]["gamma"]} if self.m is None else {"m": str(self.m)}
        return {key: "∞" if size is None else f"{size:,}" for key, size in sizes.items()} | memory

    def __repr__(self) -> str:
        facts = ", ".join(f"{key}={value}" for key, value in self._facts().items())
        return f"<ModelClass {self.name!r}: {facts}, sha256={self.sha256[:12]}>"
