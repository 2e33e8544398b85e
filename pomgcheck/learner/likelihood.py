"""Computes log P^pi_xi(tau) for every model at once, in fixed point: the multiple of 2^-32 nearest to the true
logarithm.

Sums of fixed-point logarithms are exact, so a log-likelihood does not depend on the order or grouping of episodes; and
since every entry is the *correctly rounded* one, it does not depend on the machine's floating point either.  Floats
only propose: their error is bounded, and an entry too near a rounding boundary is settled by exact arithmetic.

Rounding moves the log-likelihood of N episodes by at most N 2^-33, which is 10^-5 nat at N = 10^5.

The factors pi_h(a_h | ...) are the same under every model and cancel from every comparison, so they are left out: what
is tabulated is log P_xi(o_{1:H} | a_{1:H}) against the stationary response to pi.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from math import frexp

import numpy as np
from numpy.typing import NDArray

from pomgcheck.arena.windows import contexts, following
from pomgcheck.errors import LimitExceeded
from pomgcheck.kernel.game import Game
from pomgcheck.kernel.operators import J, Space, Vector
from pomgcheck.learner.columns import ClassTables, Floats

Ints = NDArray[np.int64]

BITS = 32
UNIT = 2**BITS  # one nat
IMPOSSIBLE = -(2**62)  # log 0; ordinary log-likelihoods stay above LOWEST
LOWEST = -(2**61)
PRECISION = 40  # decimal digits of exact logarithms
SMALLEST = 900  # no path of an episode may be less probable than 2^-900, so that floats never underflow
ENTRIES = 2**22  # floats of a forward pass held at a time
OPERATORS = 2**27  # floats of one policy's operators
KEPT = 2**24  # logarithms of one policy kept between blocks


def fixed(probability: Fraction) -> int:
    """Return the logarithm of an exact positive probability, rounded correctly to a multiple of 2^-32."""
    with localcontext(prec=PRECISION):
        log = (Decimal(probability.numerator) / Decimal(probability.denominator)).ln()
        return int((log * UNIT).to_integral_value(ROUND_HALF_EVEN))


def exact_probability(game: Game, theta: int, phi: int, policy: int, trajectory: Ints) -> Fraction:
    """Return P_xi(o_{1:H} | a_{1:H}) of one trajectory (H, 2) against the stationary response to ``policy``."""
    space = Space(game, "window" if game.adversary_window else "history")
    law: Vector = {(s, ()): p for s, p in enumerate(game.rho0) if p}
    for h, (o, a) in enumerate(trajectory.tolist()):
        law = J(space, game.worlds[theta], game.responses[phi][policy], h, o, a, law)
    return sum(law.values(), Fraction(0))


class Likelihood:
    """These are the logarithms of one policy's trajectories, computed as they are first observed."""

    def __init__(self, tables: ClassTables, policy: int) -> None:
        self.tables, self.policy, game = tables, policy, tables.game
        self._symbols = len(game.OA) * len(game.A)
        self._emissions: list[Floats] = []  # [h] (o, s and context, models)
        self._moves: list[Floats] = []  # [h] (a, s and context, next s and context, models)
        self._build(game, tables, policy)
        self._known: dict[bytes, Ints] = {}

    def block(self, trajectories: Ints) -> tuple[Ints, Ints]:
        """Return, for trajectories (n, H, 2), the logarithms (k, models) of the distinct ones, and which of them each
        episode had (n,)."""
        symbols = trajectories[:, :, 0] * len(self.tables.game.A) + trajectories[:, :, 1]
        order = np.zeros(len(symbols), dtype=np.int64)
        for h in range(symbols.shape[1]):  # prefix by prefix, so that codes never grow beyond n |O_A| |A|
            order = np.unique(order * self._symbols + symbols[:, h], return_inverse=True)[1]
        first = np.unique(order, return_index=True)[1]
        names = [symbols[k].tobytes() for k in first]
        if (len(self._known) + len(names)) * self.tables.count > KEPT:
            self._known.clear()
        new = [k for k, name in zip(first, names, strict=True) if name not in self._known]
        for k, logs in zip(new, self._logs(trajectories[new]), strict=True):
            self._known[symbols[k].tobytes()] = logs
        return np.stack([self._known[name] for name in names]), order

    def _build(self, game: Game, tables: ClassTables, policy: int) -> None:
        """Make emissions and moves as floats; ``_error`` bounds the relative error of any probability made of them."""
        H, S, A, B, OB = game.H, len(game.S), len(game.A), len(game.B), len(game.OB)
        window, M = game.adversary_window, tables.count
        sizes = [contexts(window, h, OB, B) for h in range(H)]
        count = M * A * S * S * sum(sizes[h] * sizes[h + 1] for h in range(H - 1))
        if count > OPERATORS:
            raise LimitExceeded(
                "responses.window",
                "entries in the operators of one policy",
                count,
                OPERATORS,
                "use fewer models or a shorter adversary window",
            )
        EA, EB, T = (part.floats() for part in tables.worlds)
        g = tables.responses[policy].floats()
        start = tables.rho0.floats()[0]
        self._start = np.repeat(start, M, axis=1)  # (s, models)
        least = sum(smallest(table) for table in (start, *EA, *EB[:-1], *T[:-1], *g[:-1]))
        if least > SMALLEST:
            raise LimitExceeded(
                "worlds",
                "bits in the probability of one path",
                least,
                SMALLEST,
                "use a shorter horizon or larger smallest probabilities",
            )
        rounds = 2
        for h in range(H):
            self._emissions.append(np.repeat(np.swapaxes(EA[h][..., tables.theta_of], 0, 1), sizes[h], axis=1))
            rounds += OB * B + S * sizes[h] + 8  # a product of five rounded entries and two sums, with room to spare
            if h + 1 == H:
                break
            moves = np.zeros((A, S, sizes[h], S, sizes[h + 1], M))
            for row in range(sizes[h] * OB):
                c, x = divmod(row, OB)
                for b in range(B):
                    weight = EB[h][:, x][:, tables.theta_of] * g[h][row, b, tables.phi_of]  # (s, models)
                    step = T[h][:, :, b][..., tables.theta_of].swapaxes(0, 1)  # (a, s, s', models)
                    moves[:, :, c, :, following(window, h, OB, B, row, b)] += weight[:, None] * step
            self._moves.append(moves.reshape(A, S * sizes[h], S * sizes[h + 1], M))
        self._error = 1.01 * rounds * 2.0**-53

    def _logs(self, trajectories: Ints) -> Ints:
        """Return the logarithms (k, models) of distinct trajectories (k, H, 2)."""
        widest = max(emission.shape[1] for emission in self._emissions)
        chunk = max(1, ENTRIES // (widest * self.tables.count))
        parts = [self._rounded(trajectories[k : k + chunk]) for k in range(0, len(trajectories), chunk)]
        return np.concatenate(parts) if parts else np.empty((0, self.tables.count), dtype=np.int64)

    def _probabilities(self, trajectories: Ints) -> Floats:
        """Return P_xi(o_{1:H} | a_{1:H}) in floats (k, models), by a forward pass over the tree of prefixes."""
        A, node = len(self.tables.game.A), np.zeros(len(trajectories), dtype=np.int64)
        law = self._start[None]  # (nodes, s and context, models)
        for h, emission in enumerate(self._emissions):
            symbol = trajectories[:, h, 0] * A + trajectories[:, h, 1]
            nodes, node = np.unique(node * self._symbols + symbol, return_inverse=True)
            parent, (o, a) = nodes // self._symbols, np.divmod(nodes % self._symbols, A)
            seen = law[parent] * emission[o]
            if h == len(self._moves):
                break
            law = np.empty((len(nodes), self._moves[h].shape[2], seen.shape[2]))
            for action in np.unique(a):
                law[a == action] = np.einsum("psm,stm->ptm", seen[a == action], self._moves[h][action])
        return np.asarray(seen.sum(axis=1)[node])

    def _rounded(self, trajectories: Ints) -> Ints:
        """Return fixed-point logarithms (k, models), computed exactly where the floats cannot tell."""
        p = self._probabilities(trajectories)
        possible = p > 0
        logs = np.log(p, where=possible, out=np.zeros_like(p))
        scaled = logs * UNIT
        result: Ints = np.rint(scaled).astype(np.int64)
        # The second term allows a library's log to be wrong by 4 units in the last place.
        error = (self._error + 2.0**-49 * np.abs(logs)) * UNIT
        unsure = possible & (np.abs(np.abs(scaled - result) - 0.5) <= error)
        for k, model in np.argwhere(unsure).tolist():
            result[k, model] = fixed(self._exact(model, trajectories[k]))
        result[~possible] = IMPOSSIBLE
        return result

    def _exact(self, model: int, trajectory: Ints) -> Fraction:
        theta, phi = int(self.tables.theta_of[model]), int(self.tables.phi_of[model])
        return exact_probability(self.tables.game, theta, phi, self.policy, trajectory)


def smallest(table: Floats) -> int:
    """Return the number of bits of the least positive entry: it is 2^-bits or more."""
    return 1 - frexp(float(table[table > 0].min()))[1]
