"""Plays a season: episodes of one world against one adversary who remembers the policies announced in them.

It is a function of its seed, of what is announced and of the actions.  Its uniforms are those of ``arena.Arena`` with
the same seed, row by row, so that the episodes of a policy can be played again there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from pomgcheck.arena.announced import Announced, Announcements, place_of
from pomgcheck.arena.opponent import Opponent
from pomgcheck.arena.outside import OutsideOpponent, Reacts
from pomgcheck.arena.stepping import DRAWS, Stepping
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game, Table

REMEMBERED = 1024  # responses kept, of those that come again


class Season:
    """A season is all episodes from the moment when the opponent has seen nothing; ``episode`` counts those begun."""

    policy: Announced
    response: Table  # to the last m policies, this episode's included

    def __init__(self, game: Game, first: object, outside: Callable[[], Reacts] | None) -> None:
        self.game, self.announcements, self.outside = game, Announcements(game), outside
        self.first = self.announcements.read(first)
        self.stepping = Stepping(game, 0)
        self.restart()

    def restart(self) -> None:
        """Begin a new season; its first episode is still to come."""
        game = self.game
        self.opponent = Opponent(game, 0) if self.outside is None else OutsideOpponent(game, 0, self.outside())
        self._respond = lru_cache(REMEMBERED)(self.opponent.response)
        self.recent: deque[str] = deque(maxlen=self.opponent.m)  # the policies answered, the last one last
        self.policy, self.episode, self.over = self.first, 0, True

    def begin(self, generator: np.random.Generator, policy: object | None) -> None:
        """Set up the first step of the next episode, of ``policy`` or else of the policy announced last."""
        if policy is not None:
            self.policy = self.announcements.read(policy)
        self.response = self._respond(self.opponent.seen(self.policy.taken_for))
        self.opponent.play(self.policy.taken_for)
        self.recent.append(self.game.policy_names[self.policy.taken_for])
        self.episode += 1
        self.over, self.as_announced = False, True
        self.stepping.begin(generator.random(DRAWS * self.game.H).tolist())

    def step(self, a: int, b: int) -> float:
        """Play a step; return the reward r_h(o_h) of the observation at which the actions were taken."""
        stepping = self.stepping
        reward = float(self.game.reward[stepping.h][stepping.learner.observation])
        self.as_announced &= self.policy.table[stepping.h][stepping.learner.row][a] > 0
        if stepping.h + 1 < self.game.H:
            stepping.take(a, b)
        else:
            self.over = True
        return reward

    def learner_action(self) -> int:
        """Return the action of the policy announced."""
        self.playing()
        return self.stepping.learner_action(self.policy.table)

    def adversary_action(self) -> int:
        """Return the action of the class's response."""
        self.playing()
        return self.stepping.adversary_action(self.response)

    def playing(self) -> None:
        """Raise ``InputError`` unless an episode is being played."""
        if self.over:
            found = f"episode {self.episode}, which is over" if self.episode else "no episode"
            raise InputError("step", found, "an episode that is being played", "call reset() first")

    # ---- in labels

    def learner_info(self) -> dict[str, Any]:
        """Return what the learner knows besides its observation."""
        game, seat = self.game, self.stepping.learner
        return self._place() | {
            "observation": game.OA[seat.observation],
            "row": seat.row,
            "taken_for": game.policy_names[self.policy.taken_for],
            "as_announced": self.as_announced,
        }

    def adversary_info(self) -> dict[str, Any]:
        """Return what the adversary knows besides its observation: the last m policies too, oldest first."""
        seat = self.stepping.adversary
        return self._place() | {
            "observation": self.game.OB[seat.observation],
            "row": seat.row,
            "policies": tuple(self.recent),
        }

    def _place(self) -> dict[str, Any]:
        return {"episode_number": self.episode, "step": self.stepping.h + 1}  # "episode" is Gymnasium's own

    def told(self) -> str:
        """Return the place in a line, in labels, as a terminal shows it."""
        game = self.game
        if not self.episode:
            return f"{game.name}: no episode yet"
        seat, other = self.stepping.learner, self.stepping.adversary
        return (
            f"{game.name}, episode {self.episode}, step {self.stepping.h + 1} of {game.H}{', over' if self.over else ''}: "
            f"policy taken for {game.policy_names[self.policy.taken_for]}; the learner sees {game.OA[seat.observation]}, "
            f"the adversary {game.OB[other.observation]}"
        )


class Watched:
    """This is what both environments have of the season that they play."""

    season: Season
    render_mode: str | None

    def render(self) -> str | None:
        """Return where the episode is and what both sides see, in labels, or ``None`` without a mode."""
        return None if self.render_mode is None else self.season.told()

    def announced_action(self) -> np.int64:
        """Return the learner's action by the policy announced, drawn by the episode's own uniform."""
        return np.int64(self.season.learner_action())


def legal(action: object, actions: tuple[str, ...], where: str) -> int:
    """Return the index of an action; raise ``InputError`` where it is not one."""
    place = place_of(action)
    if not 0 <= place < len(actions):
        shown = ", ".join(f"{k} = {label}" for k, label in enumerate(actions[:8]))
        raise InputError(where, repr(action), f"an action from 0 to {len(actions) - 1}", f"here {shown}")
    return place


def rendered(mode: object) -> str | None:
    """Return a way to show an episode; raise ``InputError`` where it is not one."""
    if mode is not None and mode != "ansi":
        raise InputError("render_mode", repr(mode), '"ansi" or None')
    return None if mode is None else "ansi"
