"""Says what a certificate is about besides its class: every option with its range, default, meaning and unit, in one
place.

`certify`, `sweep`, `repair`, the command line and the manual read the options here. ``exact`` is the only reader of
numbers that a user gives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from fractions import Fraction
from numbers import Rational
from typing import Any, Literal, get_args

from pomgcheck.errors import InputError
from pomgcheck.kernel.limits import CAPS

__all__ = ["Limits", "Number", "Options", "exact", "integer", "meaning", "positive"]

Number = int | str | Fraction
Space = Literal["window", "history"]
Form = Literal["literal", "joint"]
Scope = Literal["simplex", "reachable"]
Lipschitz = Literal["step", "policy"]
Operators = Literal["realised", "summed"]
Limits = Mapping[str, int]

LIMITS = {"coordinates": 100_000, "trajectories": 1_000_000}
MOST_KAPPA = 1000
MOST_EPISODES = 10**18

DECIMAL = r"-?([0-9]{1,1000}(\.[0-9]{1,1000})?|\.[0-9]{1,1000})(e[+-]?[0-9]{1,3})?"
QUOTIENT = r"-?[0-9]{1,1000}/0*[1-9][0-9]{0,999}"
WRITTEN = re.compile(f"{DECIMAL}|{QUOTIENT}", re.ASCII | re.IGNORECASE)


def exact(value: Number, where: str) -> Fraction:
    """Return the number that ``value`` says: an integer, a Fraction, or text such as ``1/20``, ``0.05``, ``.05`` or
    ``5e-2``.

    Floats are refused, since the number they hold is seldom the one that was meant. Raises ``InputError``, which names
    the argument ``where``.
    """
    if isinstance(value, str) and WRITTEN.fullmatch(value):
        return Fraction(value)
    if isinstance(value, Rational) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, float):
        raise InputError(where, repr(value), "an exact number", f'write "{value}"')
    raise InputError(where, repr(value)[:60], "an exact number such as 1/20, 0.05 or 1e-6")


def positive(value: Number, where: str) -> Fraction:
    """Return the number that ``value`` says; raise ``InputError`` unless it is above zero."""
    number = exact(value, where)
    if number <= 0:
        raise InputError(where, str(number), "a number above 0")
    return number


def integer(value: object, where: str, least: int, most: int) -> int:
    """Return ``value``; raise ``InputError`` unless it is an integer from ``least`` to ``most``."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(where, repr(value)[:60], f"an integer from {least} to {most}")
    return value


def option(default: Any, meaning: str, unit: str, values: str) -> Any:
    """Return a field of ``Options`` with what the manual and the command line say about it."""
    said = {"meaning": meaning, "unit": unit, "values": values}
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=said)
    return field(default=default, metadata=said)


@dataclass(frozen=True, kw_only=True)
class Options:
    """These are the options that the claims of a certificate are asked with; two certificates with equal options and
    models state the same.

    ``kappa``, 1 unless given, is how many observations of the learner must tell worlds apart (Assumption 2.4).
    ``space`` is what a predictive state keeps, ``window`` (the default) or ``history`` (Definition 2.2). ``form`` asks
    weak revealing given the learner's observation, ``literal`` (the default), or jointly with it, ``joint``; ``scope``
    asks it at every predictive state, ``simplex`` (the default), or only at those that play reaches, ``reachable``.
    ``lipschitz`` compares posteriors at the same ``step`` (the default), or over all steps of a ``policy`` (Assumption
    2.3). ``operators`` takes errors of operators at what occurs, ``realised`` (the default), or ``summed`` over all
    that may (Assumption 3.1(e), Section 2.6). ``tol``, 1/1000000 unless given, is the relative gap at which the search
    for alpha stops. ``delta``, 1/20 unless given, is the probability with which the regret bound may fail, and ``T``,
    16384 unless given, the number of episodes that it is for (Theorem 3.3). ``reference`` is the law of the
    adversary's actions behind the reference posteriors (Assumption 2.3): ``uniform`` (the default), or one probability
    per action. ``limits`` says how many ``coordinates`` and ``trajectories`` a class may have before it is refused.

    Numbers are exact, as everywhere; a value out of range raises ``InputError`` with the name of the field.

    >>> options = pomgcheck.Options(kappa=2, scope="reachable")
    >>> options.document["weak_revealing"]  # as the JSON of a certificate holds it
    {'form': 'literal', 'scope': 'reachable', 'tol': '1/1000000'}
    """

    kappa: int = option(
        1,
        "How many observations of the learner must tell worlds apart (Assumption 2.4).",
        "steps",
        f"an integer from 1 to {MOST_KAPPA}",
    )
    space: Space = option(
        "window",
        "What a predictive state keeps: the observations in the players' windows, or the whole history (Definition 2.2).",
        "",
        "window or history",
    )
    form: Form = option(
        "literal",
        "Whether weak revealing is asked given the learner's observation, or jointly with it (Assumption 2.4).",
        "",
        "literal or joint",
    )
    scope: Scope = option(
        "simplex",
        "Whether weak revealing is asked at every predictive state, or only at those that play reaches (Assumption 2.4).",
        "",
        "simplex or reachable",
    )
    lipschitz: Lipschitz = option(
        "step",
        "Whether posteriors are compared at the same step, or over all steps of a policy (Assumption 2.3).",
        "",
        "step or policy",
    )
    operators: Operators = option(
        "realised",
        "Whether errors of operators are taken at the observation and action that occur, or summed over all that may "
        "(Assumption 3.1(e), Section 2.6).",
        "",
        "realised or summed",
    )
    tol: Fraction = option(
        Fraction(1, 10**6), "The relative gap at which the search for alpha stops.", "ratio", "a number above 0"
    )
    delta: Fraction = option(
        Fraction(1, 20),
        "The probability with which the regret bound may fail (Theorem 3.3).",
        "probability",
        "a number between 0 and 1",
    )
    T: int = option(
        16384,
        "The number of episodes that the regret bound is for (Theorem 3.3).",
        "episodes",
        f"an integer from 1 to {MOST_EPISODES}",
    )
    reference: Literal["uniform"] | tuple[str, ...] = option(
        "uniform",
        "The law of the adversary's actions behind the reference posteriors (Assumption 2.3).",
        "probabilities, one per action",
        "uniform, or positive numbers that sum to 1",
    )
    limits: Limits = option(
        LIMITS,
        "How large a class may be before it is refused; NAME is coordinates (of its space) or trajectories.",
        "counts",
        ", ".join(f"{name} up to {most:,}" for name, most in CAPS.items()),
    )

    def __post_init__(self) -> None:
        """Refuse options under which no class could be certified, and spell equal options equally."""
        integer(self.kappa, "kappa", 1, MOST_KAPPA)
        integer(self.T, "T", 1, MOST_EPISODES)
        words = {"space": Space, "form": Form, "scope": Scope, "lipschitz": Lipschitz, "operators": Operators}
        for name, known in words.items():
            if getattr(self, name) not in get_args(known):
                raise InputError.choice(name, getattr(self, name), get_args(known))
        self._set("tol", positive(self.tol, "tol"))
        self._set("delta", exact(self.delta, "delta"))
        if not 0 < self.delta < 1:
            raise InputError("delta", str(self.delta), "a probability between 0 and 1")
        self._set("reference", law(self.reference))
        if not isinstance(self.limits, Mapping):
            raise InputError("limits", repr(self.limits)[:60], 'counts by name, such as {"trajectories": 5000000}')
        for name, count in self.limits.items():
            if name not in CAPS:
                raise InputError.choice("limits", name, CAPS)
            integer(count, f"limits.{name}", 1, CAPS[name])
        self._set("limits", {**LIMITS, **self.limits})

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    @classmethod
    def read(cls, options: Options | None = None, **given: Any) -> Options:
        """Return ``options``, or the defaults, with what was ``given`` by name in their place."""
        known = [each.name for each in fields(cls)]
        for name in given:
            if name not in known:
                raise InputError.choice("options", name, known)
        if options is None:
            return cls(**given)
        if not isinstance(options, Options):
            raise InputError("options", repr(options)[:60], "pomgcheck.Options(...)")
        return cls(**{name: getattr(options, name) for name in known} | given)

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> Options:
        """Return the options that the part ``options`` of a certificate states."""
        reveal = document["weak_revealing"]
        return cls(
            **{name: document[name] for name in ("kappa", "space", "T", "delta", "limits")},
            **{name: reveal[name] for name in ("form", "scope", "tol")},
            lipschitz=document["lipschitz_form"],
            operators=document.get("operators", "realised"),
            reference=law(document["reference"]),
        )

    @property
    def document(self) -> dict[str, Any]:
        """Return the options as a certificate states them, with exact numbers as text; ``operators`` is named where it
        is summed."""
        return {
            "kappa": self.kappa,
            "space": self.space,
            "weak_revealing": {"form": self.form, "scope": self.scope, "tol": str(self.tol)},
            "lipschitz_form": self.lipschitz,
            **({} if self.operators == "realised" else {"operators": self.operators}),
            "T": self.T,
            "delta": str(self.delta),
            "reference": self.reference if isinstance(self.reference, str) else list(self.reference),
            "limits": dict(self.limits),
        }


def law(reference: object) -> Literal["uniform"] | tuple[str, ...]:
    """Return the word ``uniform``, or the probabilities of a law in canonical text; whether the law fits the class is
    tested later."""
    if reference == "uniform":
        return "uniform"
    if isinstance(reference, str) or not isinstance(reference, Sequence) or not reference:
        raise InputError("reference", repr(reference)[:60], '"uniform", or the probability of each adversary action')
    row = [exact(value, f"reference[{k}]") for k, value in enumerate(reference)]
    if min(row) <= 0 or sum(row) != 1:
        raise InputError("reference", str([str(p) for p in row])[:60], "positive numbers of sum 1")
    return tuple(map(str, row))


def meaning() -> Iterator[tuple[Field[Any], str, str, str]]:
    """Yield (field, meaning, unit, range in words) of each option, in order."""
    for each in fields(Options):
        yield each, each.metadata["meaning"], each.metadata["unit"], each.metadata["values"]
