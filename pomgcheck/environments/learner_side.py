"""Gives the learner's side as a Gymnasium environment, the adversary inside it (docs/environments.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete

from pomgcheck.arena.outside import Reacts
from pomgcheck.environments.season import Season, Watched, legal, rendered
from pomgcheck.errors import InputError
from pomgcheck.setting import Model, Truth, setting


class LearnerSide(Watched, gymnasium.Env[np.int64, np.int64]):
    """The environment plays episodes of H steps at the truth of a class, against its rule R (Section 2).

    ``model``, ``truth`` and ``knobs`` are as in `pomgcheck.setting.setting`. ``policy`` is announced until ``reset``
    says otherwise. ``opponent`` makes an opponent from outside, with ``memory`` and ``react(policies)``, in the place
    of R; a new one is made for each season. With the ``render_mode`` "ansi", ``render`` gives a line of text.

    Observations are the learner's (0 to |O_A|-1), actions its actions (0 to |A|-1). ``step(a_h)`` pays r_h(o_h) and
    shows o_{h+1}; the H-th step ends the episode and shows o_H again, since there is nothing more to see.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        model: Model,
        truth: Truth | None = None,
        knobs: Mapping[str, Any] | None = None,
        policy: object = 0,
        opponent: Callable[[], Reacts] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = rendered(render_mode)
        self.game = setting(model, truth, knobs)
        self.season = Season(self.game, policy, opponent)
        self.observation_space = Discrete(len(self.game.OA))
        self.action_space = Discrete(len(self.game.A))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.int64, dict[str, Any]]:
        """Begin the next episode and return its first observation.

        ``options["policy"]`` announces its policy: a name, an index in Pi, or a table [h][row][a] of probabilities;
        without it the policy announced last stands. A ``seed`` begins a new season: the generator is that of the seed,
        and the adversary has seen nothing. An episode once begun is one that the adversary remembers, whether or not
        it is played to its end.
        """
        super().reset(seed=seed)
        unknown = set(options or {}) - {"policy"}
        if unknown:
            raise InputError("options", f"the key {min(map(str, unknown))!r}", 'the key "policy"')
        if seed is not None:
            self.season.restart()
        self.season.begin(self.np_random, (options or {}).get("policy"))
        return self._seen()

    def step(self, action: np.int64 | int) -> tuple[np.int64, float, bool, bool, dict[str, Any]]:
        """Take an action; the adversary takes its own by the response to the policies announced."""
        season = self.season
        season.playing()
        a = legal(action, self.game.A, "action")
        reward = season.step(a, season.adversary_action())
        observation, info = self._seen()
        return observation, reward, season.over, False, info | {"action": self.game.A[a]}

    def _seen(self) -> tuple[np.int64, dict[str, Any]]:
        return np.int64(self.season.stepping.learner.observation), self.season.learner_info()
