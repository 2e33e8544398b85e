"""Gives both sides as a PettingZoo parallel environment: whoever plays the adversary may answer otherwise than the
class's rule (docs/environments.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Discrete
from pettingzoo import ParallelEnv

from pomgcheck.environments.season import Season, Watched, legal, rendered
from pomgcheck.errors import InputError
from pomgcheck.setting import Model, Truth, setting

LEARNER, ADVERSARY = "learner", "adversary"
AGENTS = (LEARNER, ADVERSARY)

PerAgent = dict[str, Any]


class BothSides(Watched, ParallelEnv):  # type: ignore[misc]  # PettingZoo has no types
    """The environment plays episodes of H steps at the truth of a class; both agents act at every step.

    ``model``, ``truth``, ``knobs``, ``policy``, ``render_mode`` and ``reset`` are as in ``LearnerSide``. The learner
    is paid r_h(o_h) and the adversary, to whom a model gives no reward, minus that.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "pomgcheck_v0", "render_modes": ["ansi"], "is_parallelizable": True}

    def __init__(
        self,
        model: Model,
        truth: Truth | None = None,
        knobs: Mapping[str, Any] | None = None,
        policy: object = 0,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = rendered(render_mode)
        self.game = setting(model, truth, knobs)
        self.season = Season(self.game, policy, None)
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.observation_spaces = {LEARNER: Discrete(len(self.game.OA)), ADVERSARY: Discrete(len(self.game.OB))}
        self.action_spaces = {LEARNER: Discrete(len(self.game.A)), ADVERSARY: Discrete(len(self.game.B))}
        self._generator = np.random.Generator(np.random.PCG64())

    def observation_space(self, agent: str) -> Discrete[np.int64]:
        """Return what the agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """Return what the agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[PerAgent, PerAgent]:
        """Begin the next episode, of a new season where a ``seed`` is given; ``options["policy"]`` announces its
        policy.

        Other options are not read: PettingZoo asks that they be let pass.
        """
        if seed is not None:
            self._generator = np.random.Generator(np.random.PCG64(seed))
            self.season.restart()
        self.season.begin(self._generator, (options or {}).get("policy"))
        self.agents = list(AGENTS)
        return self._seen()

    def step(self, actions: PerAgent) -> tuple[PerAgent, PerAgent, PerAgent, PerAgent, PerAgent]:
        """Let both agents act."""
        self.season.playing()
        if set(actions) != set(AGENTS):
            raise InputError(
                "actions",
                f"actions of {', '.join(sorted(map(str, actions))) or 'nobody'}",
                f"an action of each of {' and '.join(AGENTS)}",
            )
        a = legal(actions[LEARNER], self.game.A, "actions.learner")
        b = legal(actions[ADVERSARY], self.game.B, "actions.adversary")
        reward = self.season.step(a, b)
        observations, infos = self._seen()
        infos[LEARNER]["action"], infos[ADVERSARY]["action"] = self.game.A[a], self.game.B[b]
        ended = dict.fromkeys(AGENTS, self.season.over)
        if self.season.over:
            self.agents = []
        return observations, {LEARNER: reward, ADVERSARY: 0.0 - reward}, ended, dict.fromkeys(AGENTS, False), infos

    def response_action(self) -> np.int64:
        """Return the adversary's action by the class's rule R, drawn by the episode's own uniform."""
        return np.int64(self.season.adversary_action())

    def _seen(self) -> tuple[PerAgent, PerAgent]:
        stepping = self.season.stepping
        observations = {
            LEARNER: np.int64(stepping.learner.observation),
            ADVERSARY: np.int64(stepping.adversary.observation),
        }
        return observations, {LEARNER: self.season.learner_info(), ADVERSARY: self.season.adversary_info()}


def parallel_env(model: Model, **options: Any) -> BothSides:
    """Return ``BothSides``, by the name that PettingZoo's environments have."""
    return BothSides(model, **options)
