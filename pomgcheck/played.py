"""Counts the policy regret of policies that somebody played, by whatever algorithm (Definition 2.1)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

from pomgcheck.arena.announced import Announcements
from pomgcheck.arena.opponent import Opponent
from pomgcheck.arena.outside import Reacts
from pomgcheck.errors import InputError
from pomgcheck.kernel.game import Table
from pomgcheck.kernel.reading import long_integers
from pomgcheck.learner.columns import ClassTables, columns
from pomgcheck.learner.planning import values_against
from pomgcheck.learner.problem import LearningProblem
from pomgcheck.setting import Model, Truth, setting

REMEMBERED = 2**14  # values of a policy and a response, of those that come again


class PolicyRegret(NamedTuple):
    """This is what each episode cost, exactly and in expectation, with one entry per episode, warm-up included.

    ``best`` is v* = max over Pi of V^pi(R_infty(pi)). ``costs`` are v* - V^{pi_t}(g^t), where g^t is the actual
    response to the last m policies. ``settled`` says whether g^t was already R_infty(pi_t), and ``warmup`` whether the
    episode was one whose data the player discarded.
    """

    best: Fraction
    costs: tuple[Fraction, ...]
    settled: tuple[bool, ...]
    warmup: tuple[bool, ...]

    @property
    def data(self) -> tuple[Fraction, ...]:
        """Return the costs of the data episodes, which are those that T counts."""
        return tuple(cost for cost, discarded in zip(self.costs, self.warmup, strict=True) if not discarded)

    @property
    def regret(self) -> Fraction:
        """Return the policy regret of the data episodes, in units of reward."""
        return sum(self.data, Fraction(0))

    @property
    def warmup_regret(self) -> Fraction:
        """Return the policy regret of the warm-up episodes, which is kept apart and is added for the total."""
        return sum(self.costs, Fraction(0)) - self.regret

    @property
    def transient_regret(self) -> Fraction:
        """Return the part of both that was paid while the response still moved."""
        return sum((cost for cost, still in zip(self.costs, self.settled, strict=True) if not still), Fraction(0))

    def cumulative(self) -> list[Fraction]:
        """Return the policy regret of the first t data episodes, for t = 1, 2, ..."""
        return list(accumulate(self.data))


@long_integers()
def policy_regret(
    model: Model,
    policies: Iterable[object],
    *,
    warmup: Sequence[bool] | None = None,
    truth: Truth | None = None,
    knobs: Mapping[str, Any] | None = None,
    opponent: Callable[[], Reacts] | None = None,
) -> PolicyRegret:
    """Return the policy regret of the policies played in episodes 1, 2, ... at the truth of a class.

    At the start the adversary has seen nothing, and the first policy stands in for the past. ``policies`` has for each
    episode a name, an index in Pi, or a table ``[h][row][a]`` of probabilities. A table is worth its own value,
    against the response to the policy of Pi nearest to it (`arena.announced`); it may be better than the best of Pi,
    and its cost below zero. ``warmup`` says which episodes were discarded; none are unless it is given. ``model``,
    ``truth`` and ``knobs`` are as in `setting.setting`; ``opponent`` makes the outside opponent that was played
    against.

    Raises ``InputError`` (for a policy, an argument or the model) and ``LimitExceeded`` (for windows too long to
    enumerate).
    """
    game = setting(model, truth, knobs)
    if isinstance(policies, str) or not isinstance(policies, Iterable):
        raise InputError("policies", repr(policies)[:60], "the policy of each episode, in order")
    problem = LearningProblem(game, 0, 0, opponent)
    episodes = list(paid(problem, problem.opponent(), policies))
    costs, settled = tuple(cost for cost, _ in episodes), tuple(still for _, still in episodes)
    discarded = (False,) * len(costs) if warmup is None else tuple(map(bool, warmup))
    if len(discarded) != len(costs):
        raise InputError("warmup", f"{len(discarded)} entries", f"{len(costs)}, one per episode")
    return PolicyRegret(problem.best, costs, settled, discarded)


def paid(problem: LearningProblem, opponent: Opponent, policies: Iterable[object]) -> Iterator[tuple[Fraction, bool]]:
    """Yield the cost of each episode, and whether the response had settled."""
    read, worth = Announcements(problem.game).read, lru_cache(REMEMBERED)(value)
    for policy in policies:
        table, place = read(policy)
        seen = opponent.seen(place)
        yield problem.best - worth(problem.tables, table, opponent.response(seen)), seen == opponent.stationary(place)
        opponent.play(place)


def value(tables: ClassTables, policy: Table, response: Table) -> Fraction:
    """Return V^pi(g) of a policy and a response by their tables."""
    return values_against(tables, 0, columns([policy]), [response])[0]
