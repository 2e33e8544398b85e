"""Lets opponents from outside play: any object that answers the learner's last policies with a response.

Its memory is declared, and so is that it becomes stationary; what it really answers is asked for once per episode, in
order, and never ahead of time, so that it may keep a state of its own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Protocol

from pomgcheck.arena.opponent import Opponent, Seen
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Game, Row, Table

ROUNDING = Fraction(1, 10**9)  # by how much the floats of a row may miss their sum


class Reacts(Protocol):
    """An outside opponent is any object that declares its ``memory`` m and answers policies by ``react``."""

    memory: int

    def react(self, policies: tuple[str, ...]) -> Sequence[Any]:
        """Return the response to the last m policies by name, oldest first: for each step its rows,
        ``[h][window][b]``, as the document's ``{ steps = ... }``; numbers of any kind. Before the start the first
        policy stands in."""


class OutsideOpponent(Opponent):
    """An outside object plays in the place of the rule R. What was seen is the number of a distinct response that it
    has given; what it should settle at is the true model's R_infty(pi), numbered -1 - pi."""

    def __init__(self, game: Game, phi: int, outside: Reacts) -> None:
        super().__init__(game, phi)
        self.m, self.outside = outside.memory, outside
        if isinstance(self.m, bool) or not isinstance(self.m, int) or self.m < 1:
            raise InputError("opponent.memory", repr(self.m), "an integer of at least 1")
        self._names = tuple(game.policy_names)
        self._shape = [(len(table), len(game.B)) for table in game.responses[phi][0]]
        self._last: deque[int] = deque(maxlen=self.m - 1)
        self._given: dict[Table, int] = {}
        self._tables: list[Table] = []
        self._next: tuple[int, Seen] | None = None  # what was answered to the policy of the episode to come

    def seen(self, policy: int) -> Seen:
        """Return the response to the next episode; it is asked for once."""
        if self._next is None:
            padding = (policy,) * (self.m - 1 - len(self._last))
            block = tuple(self._names[p] for p in (*padding, *self._last, policy))
            table = checked(self.outside.react(block), self._shape, "opponent.react")
            for p in range(self.policies):
                if table == self._stationary[p]:
                    self._next = policy, (-1 - p,)
                    break
            else:
                if table not in self._given:
                    self._given[table] = len(self._tables)
                    self._tables.append(table)
                self._next = policy, (self._given[table],)
        asked, seen = self._next
        if asked != policy:
            raise InputError("opponent", "two policies for one episode", "one policy per episode")
        return seen

    def play(self, policy: int, n: int = 1) -> None:
        """Take in that the episode that was asked about is played."""
        for _ in range(n):
            self.seen(policy)
            self._next = None
            if not self._last:
                self._last.extend([policy] * (self.m - 1))
            self._last.append(policy)

    def stationary(self, policy: int) -> Seen:
        """Return what it declares to settle at: the true model's response."""
        return (-1 - policy,)

    def response(self, seen: Seen) -> Table:
        """Return the response of that number."""
        (number,) = seen
        return self._stationary[-1 - number] if number < 0 else self._tables[number]


def checked(table: Sequence[Any], shape: Sequence[tuple[int, int]], where: str) -> Table:
    """Return a table of a player in exact numbers, each row divided by its sum; raise ``InputError`` where it is not
    one.

    ``shape`` has the number of rows and of actions of each step.
    """
    try:
        tables = [[[Fraction(x) for x in row] for row in step] for step in table]
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            where, "an object that is no table of numbers", "probabilities as a table [h][window][action]"
        ) from None
    found = [(len(step), {len(row) for row in step}) for step in tables]
    if found != [(rows, {actions}) for rows, actions in shape]:
        raise InputError(where, f"tables of the shapes {found}", f"one per step, of the (rows, actions) {list(shape)}")

    def whole(row: list[Fraction]) -> Row:
        total = sum(row, Fraction(0))
        if min(row) < 0 or abs(total - 1) > ROUNDING:
            raise InputError(where, f"a row that sums to {float(total):.12g}", "probabilities that sum to one")
        return tuple(x / total for x in row)

    return tuple(tuple(whole(row) for row in step) for step in tables)
