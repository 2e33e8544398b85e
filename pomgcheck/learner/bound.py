"""Says what the policy regret of a run is at most, in exact numbers rounded up.

docs/bound.md derives the lines for a finite class, docs/net.md for one on interval axes. The claims ``constants`` and
``regret`` of a certificate are about the certificate's T and delta. Here are the same lines for a run: for its own T,
delta, c and C_0, for what it plans with, for its true model, and with what rounding its log-likelihoods adds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from pomgcheck.kernel.bound import C_0, SIXTEENTHS, filled, freedman
from pomgcheck.kernel.enclosures import Interval, interval, least, log, log2, most, root
from pomgcheck.kernel.nested import Costly, Nested, Truth
from pomgcheck.kernel.nets import Netted
from pomgcheck.learner.confidence import ConfidenceRadius, Scales
from pomgcheck.learner.likelihood import UNIT

# ``fill`` is there where the true model is one of a list
LINES = ("Lambda_T", "u", "tau_T", "Q_T", "E_T", "S_T", "root", "fill", "statistical", "warmup", "regret")
EPISODES = UNIT  # up to which the rounding of log-likelihoods is less than what the lines have to spare
UP = Context(prec=7, rounding=ROUND_CEILING)


class AlgorithmBound(NamedTuple):
    """This is what the lines are made of: the constants of Algorithm 1, H, |Pi|, the ranges R and R' of rewards, by how
    much the value of a model may exceed the optimistic one's (``value_error``), and D = ``dearest``, the most that a
    settled episode can lose, to compare with. The lines hold for c >= 16, C_0 >= 6(e-2) and the factor 2. ``truth`` is
    what the claim ``regret`` has of the true model, where ties of optimism go to the lower policy, then to the lower
    model.

    A radius of ``Scales`` has a net at every scale, another a finite one, whose models are within ``radius.error``.
    """

    radius: ConfidenceRadius
    H: int
    policies: int
    range: Fraction
    later: Fraction
    value_error: Fraction = Fraction(0)
    dearest: Fraction = Fraction(0)
    truth: Truth | None = None

    @property
    def kind(self) -> str:
        """Return which lines the bound has: those of a finite class, of a net, or of a closed form."""
        return "closed form" if isinstance(self.radius.covering, Scales) else "net" if self.radius.error else "finite"

    @property
    def B_0(self) -> Interval:
        """Return max{1, B0_upper}."""
        return most(1, log(self.radius.increments))

    @property
    def slack(self) -> Interval:
        """Return by how much fading memory can move a difference of log-likelihoods: B_0 ((e-1) H L_g + 2
        log(8/delta))."""
        m = self.radius.m
        if isinstance(m, int):
            return interval(0)
        return self.B_0 * ((C_0 / 6 + 1) * m.drift + 2 * log(8 / self.radius.delta))

    def points(self, T: int) -> int:
        """Return N, the number of models, or of points of the net at the last scale."""
        covering = self.radius.covering
        return covering.points((T + 1).bit_length()) if isinstance(covering, Scales) else int(covering)

    def at(self, T: int) -> dict[str, Interval]:
        """Return the lines for the first T data episodes; against a fading rule, with the warm-up for a horizon of T
        or more."""
        r, B_0, slack = self.radius, self.B_0, self.slack
        m, scales = r.memory(1), self.kind == "closed form"
        N, level = self.points(T), (T + 1).bit_length()
        log_N, epochs = log(N), self.policies * (1 + log(T))
        Lambda = 2 * log(Fraction((T + 1) * (T + 2), 2)) + log(1 / r.delta)
        u = log_N + log((4 * (level + 1) * (level + 2) if scales else 8) / r.delta)
        test = C_0 if r.C_0 is None else interval(r.C_0)
        threshold = 2 * r.c * (log_N + Lambda + m * B_0) + test * B_0 * Lambda + 5 * slack
        threshold += 3 * T * r.error + Fraction(T, UNIT)
        evidence = self.against(threshold, u)[1]
        others, models = self.policies - 1, N if r.error else N - 1
        total = evidence * (epochs if scales else least(models, epochs))
        firing = (log(8 / r.delta) + m * B_0) / 2 if scales else Fraction(7, 12) * (u + m * B_0)
        switches = log2(T + 2) + total / (r.c * firing)
        root_ = self.range * root(evidence * (others if scales else min(models, others)) * T / 2)
        fill = {} if self.truth is None else {"fill": filled((self.truth,), r.delta, threshold, T)}
        statistical = least(root_, *fill.values())
        statistical += (Fraction(0) if isinstance(r.m, int) else self.H * r.m.drift / 2) + T * self.value_error
        warmup = (m - 1) * self.later * switches
        found = {
            "Lambda_T": Lambda,
            "u": u,
            "tau_T": threshold,
            "Q_T": evidence,
            "E_T": total,
            "S_T": switches,
            "root": root_,
            "statistical": statistical,
            "warmup": warmup,
            "regret": statistical + warmup,
        }
        return {name: (found | fill)[name] for name in LINES if name in found | fill}

    def against(self, threshold: Interval, u: Interval) -> tuple[Fraction, Interval]:
        """Return the eta of Freedman's step, among sixteenths, that bounds the evidence against one model best, and
        that bound."""
        scales = self.kind == "closed form"
        found = {eta: freedman(eta, threshold, self.B_0, u, scales) for eta in (Fraction(k, 16) for k in SIXTEENTHS)}
        eta = min(found, key=lambda eta: found[eta].high)
        return eta, least(*found.values())

    def described(self, statement: str, times: Sequence[int]) -> dict[str, Any] | None:
        """Return the bound as the record states it, or ``None`` beyond ``EPISODES``.

        ``data`` is the statistical part at each of the ``times``, the last of which is T; it bounds the regret of data
        episodes alone.
        """
        T, m = times[-1], self.radius.m
        if T > EPISODES:
            return None
        L_g, lines = Fraction(0) if isinstance(m, int) else m.drift / self.H, self.at(T)
        return {
            "statement": statement,
            "kind": self.kind,
            "probability": str(1 - 2 * self.radius.delta),
            "parts": {
                "H": self.H,
                "D": str(self.dearest),
                "policies": self.policies,
                "range": str(self.range),
                "later_range": str(self.later),
                "eta": str(self.against(lines["tau_T"], lines["u"])[0]),
                "m": self.radius.memory(1),
                "N": str(self.points(T)),
                "s": str(self.radius.error),
                "value_error": str(self.value_error),
                "L_g": str(L_g),
                "slack": up(self.slack),
                "harmful": None if self.truth is None else self.truth.harmful,
            },
            "policies": [] if self.truth is None else self.costly(self.truth, lines["tau_T"]),
            "lines": {name: up(line) for name, line in lines.items()},
            "data": [up(self.at(t)["statistical"]) for t in times],
        }

    def costly(self, truth: Truth, threshold: Interval) -> list[dict[str, str | None]]:
        """Return the policies that may cost something: their regret per episode, the certified c, and how often they
        are played at most."""
        evidence = threshold / 2 + log(2 * max(truth.harmful, 1) / self.radius.delta)
        return told(truth, lambda each: up(interval(1) if each.c is None else 1 + evidence / each.c))


class ListBound(NamedTuple):
    """This is what is proved of ``nested`` against one true model: it has the ``numbers`` of the schedule, and the
    ``truth`` among what the claim ``regret`` says of every model; ``dearest`` is D as before."""

    numbers: Nested
    truth: Truth
    dearest: Fraction

    def described(self, statement: str, times: Sequence[int]) -> dict[str, Any]:
        """Return the bound as the record states it.

        ``policies`` are those that may cost something, with their regret per episode, the certified c, and the most
        episodes n; ``data`` is the most that data episodes lose by each of the ``times``.
        """
        T, numbers = times[-1], self.numbers
        rounding = Fraction(2 * T + 1, UNIT)
        data, warmup = numbers.lost(self.truth, T, rounding), numbers.warmups(self.truth)
        evidence = numbers.evidence(self.truth, rounding)
        found: dict[str, Interval | Fraction] = {"u": numbers.u, "evidence": evidence, "data": data}
        found |= {"warmup": warmup, "regret": data + warmup}
        return {
            "statement": statement,
            "kind": "nested",
            "probability": str(1 - 2 * numbers.delta),
            "parts": {
                "N": str(numbers.models),
                "D": str(self.dearest),
                "span": str(numbers.span),
                "runs": self.truth.runs,
                "harmful": self.truth.harmful,
            },
            "policies": told(self.truth, lambda each: numbers.most(self.truth, each, rounding)),
            "lines": {name: up(interval(line)) for name, line in found.items()},
            "data": [up(interval(numbers.lost(self.truth, t, rounding))) for t in times],
        }


class NetBound(NamedTuple):
    """This is what is proved of ``nested`` on interval axes against one true model: it has the ``numbers`` of the net,
    how many ``runs`` of one policy its list has down to the truth's point, and, for each policy that it has down to
    there, what an episode costs, with M; ``dearest`` is D as before."""

    numbers: Netted
    runs: int
    costly: tuple[tuple[Fraction, Fraction], ...]
    dearest: Fraction

    def most(self, T: int, regret: Fraction, M: Fraction) -> int:
        """Return n, the most data episodes of a policy: 8 M E / (r - eps)^2 where an episode costs more than eps."""
        over = regret - self.numbers.error.high
        evidence = self.numbers.evidence(T, Fraction(2 * T + 1, UNIT)).high
        return min(T, int(8 * M * evidence / over**2)) if over > 0 else T

    def lost(self, T: int) -> Fraction:
        """Return the most that T data episodes lose, by the bound for the whole class or by playing the dearest
        policies first."""
        paid, left = self.numbers.schedule.transients, T
        for regret, M in sorted(self.costly, reverse=True):
            n = min(left, self.most(T, regret, M))
            paid, left = paid + n * regret, left - n
        return min(paid, self.numbers.data(T, Fraction(2 * T + 1, UNIT)).high)

    def described(self, statement: str, times: Sequence[int]) -> dict[str, Any]:
        """Return the bound as the record states it."""
        T, numbers = times[-1], self.numbers
        schedule, rounding = numbers.schedule, Fraction(2 * T + 1, UNIT)
        data, warmup = self.lost(T), schedule.before(self.runs)
        found: dict[str, Interval | Fraction] = {
            "start": numbers.start,
            "slope": numbers.slope,
            "evidence": numbers.evidence(T, rounding),
            "error": numbers.error,
            "data": data,
            "warmup": warmup,
            "regret": data + warmup,
        }
        return {
            "statement": statement,
            "kind": "nested on a net",
            "probability": str(1 - 2 * schedule.delta),
            "parts": {
                "N": str(schedule.models),
                "D": str(self.dearest),
                "span": str(schedule.span),
                "runs": self.runs,
                "tests": numbers.tests,
                "share": str(numbers.share),
                "chi": str(numbers.chi),
                "quantum": str(numbers.quantum),
            },
            "policies": [
                {"regret": str(regret), "M": str(M), "n": self.most(T, regret, M)} for regret, M in self.costly
            ],
            "lines": {name: up(interval(line)) for name, line in found.items()},
            "data": [up(interval(self.lost(t))) for t in times],
        }


def told(truth: Truth, episodes: Callable[[Costly], Any]) -> list[dict[str, Any]]:
    """Return the policies that may cost something: their regret per episode, the certified c, and the most episodes."""
    return [
        {"regret": str(each.regret), "c": None if each.c is None else str(each.c), "n": episodes(each)}
        for each in truth.costly
    ]


def up(x: Interval) -> str:
    """Return the upper end in seven digits, rounded up."""
    high = x.high
    return f"{UP.divide(Decimal(high.numerator), Decimal(high.denominator)):f}"
