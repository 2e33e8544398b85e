"""Puts the model's own words in a sentence: parameter points, histories, probability rows, and the constants' names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from pomgcheck.evidence import Xi
from pomgcheck.reporting.numbers import number, shortened
from pomgcheck.reporting.spans import Code, Inline, Label, Math, Number, Text, listed, say

WORST_FIRST = ("refuted", "unknown", "declared", "vacuous", "proved")
# base of a value's name -> (symbol, what it is)
CONSTANTS = {
    "L": ("L", "posterior-Lipschitz constant"),
    "alpha": ("α_κ", "weak-revealing strength"),
    "log_covering": ("log N", "log covering number"),
    "covering_lipschitz": ("L_J", "Lipschitz constant of the operators in the parameters"),
    "B0": ("B_0", "bound on log-likelihood ratios"),
    "log_likelihood_lipschitz": ("L_{lik}", "Lipschitz constant of log-likelihoods in the operators"),
    "c_KL_joint": ("c^J_{KL}", "KL conversion, joint operators"),
    "c_KL_world": ("c^W_{KL}", "KL conversion, world channel"),
    "d_W": ("d^W", "Eluder dimension, world channel"),
    "d_G": ("d^G", "Eluder dimension, adversary channel"),
    "p_W": ("p_W", "span of the world channel's differences"),
    "p_G": ("p_G", "span of the responses' differences"),
    "gamma": ("γ", "fading rate of the adversary's memory"),
    "L_g": ("L_g", "Lipschitz constant of the fading response"),
    "C_0": ("C_0", "constant of the test, 6(e−2)"),
    "sharp_regret": ("U^♯_T", "bound on the policy regret of Algorithm 1"),
    "N": ("N", "models of the class"),
    "span": ("R′", "range of the rewards after the first step"),
    "chi": ("χ", "chi square of a model from the nearest point of the net"),
    "D": ("D", "the most that a settled episode can lose"),
    "gap": ("Γ", "bound on the policy regret of the schedule nested, at any T"),
    "nested_regret": ("U^N_T", "bound on the policy regret of the schedule nested"),
    "worth_T": ("T_0", "first T at which the bound of nested is below D T"),
    "T_star": ("T*", "first T at which the bound of Algorithm 1 is below D T"),
}


class Constant:
    """This is one constant of a claim: it has the certified ``lower`` and ``upper`` ends there are, ``exact`` when they
    agree."""

    def __init__(self, name: str, ends: Mapping[str, Any]) -> None:
        """Take the value of each end of ``ends``: "lower" and "upper", or "" for a value without a direction."""
        symbol, self.meaning = CONSTANTS.get(name, (name, ""))
        self.symbol = Math(symbol) if name in CONSTANTS else Code(name)
        self.used_above = name in ("d_W", "d_G")  # the end that the theorem uses, of a bracket that is open
        same = len({str(end) for end in ends.values()}) == 1
        bracket = same and {"lower", "upper"} <= ends.keys()
        self.exact: Number | None = number(ends["lower"]) if bracket else number(ends[""]) if "" in ends else None
        self.lower: Number | None = number(ends["lower"], "down") if "lower" in ends and not bracket else None
        self.upper: Number | None = number(ends["upper"], "up") if "upper" in ends and not bracket else None

    @property
    def used(self) -> tuple[str, Number]:
        """Return the end that the theorem uses, after "=", "≥" or "≤"."""
        if self.exact:
            return "=", self.exact
        if self.upper and (self.used_above or not self.lower):
            return "≤", self.upper
        assert self.lower is not None  # one of the three is there
        return "≥", self.lower

    def inline(self) -> Inline:
        """Return words such as ``L = 1/2``, ``log N ≤ log(6) ≈ 1.79176`` or ``α_κ between 1/3 and 2/5``."""
        if self.exact:
            return say("{s} = {x}", s=self.symbol, x=self.exact)
        if self.lower and self.upper:
            return say("{s} between {a} and {b}", a=self.lower, s=self.symbol, b=self.upper)
        if self.lower:
            return say("{s} ≥ {a}", s=self.symbol, a=self.lower)
        return say("{s} ≤ {b}", s=self.symbol, b=self.upper or "")


def constants(claim: str, values: Mapping[str, Any]) -> list[Constant]:
    """Return the constants among the values of a claim, with ``X_lower`` and ``X_upper`` taken together; of a bound that
    goes through many lines, only those it ends with."""
    found = ends(values)
    return [Constant(name, found[name]) for name in HEADLINES.get(claim, found) if name in found]


HEADLINES = {"regret": ("nested_regret", "gap", "worth_T", "D"), "constants": ("T_star", "sharp_regret")}


def ends(values: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the values by the base of their names, then by end: "lower", "upper", or "" for a value without a
    direction."""
    found: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        if isinstance(value, Mapping) and "log_of" not in value:
            found[name] = dict(value)
            continue
        base, _, end = name.rpartition("_")
        if end in ("lower", "upper"):
            found.setdefault(base, {})[end] = value
        else:
            found[name] = {"": value}
    return found


def short(number: str | Fraction) -> Label:
    """Return an exact number of a witness, without its decimal."""
    return Label(shortened(str(number)))


def exact(x: Fraction) -> Inline:
    """Return a number of a calculation: exact, and its decimal where it is a long fraction."""
    return (number(str(x)) if len(str(x)) > 9 else short(x),)


def powers(text: str) -> Inline:
    """Return words in which a power, ``2^12`` or ``T^(2/3)``, is a formula."""
    pieces = re.split(r"(\b[A-Za-z0-9]+\^(?:\d+|\([^()]*\)))", text)
    return tuple(
        Math(re.sub(r"\^\(?(.*?)\)?$", r"^{\1}", piece)) if k % 2 else Text(piece)
        for k, piece in enumerate(pieces)
        if piece
    )


def point(values: Mapping[str, str]) -> str:
    """Return a point as ``x=1/20, y=1/10``."""
    return ", ".join(f"{name}={shortened(value)}" for name, value in sorted(values.items()))


def world(theta: Mapping[str, str]) -> Inline:
    """Return words such as ``world x=1/20``."""
    return say("world {p}", p=Label(point(theta))) if theta else say("the only world")


def with_response(Phi: Mapping[str, str]) -> Inline:
    """Return words such as `` with response y=1/10``, or nothing where there is only one response."""
    return say(" with response {p}", p=Label(point(Phi))) if Phi else ()


def model(xi: Xi) -> Label:
    """Return a model as ``(x=1/20, y=1/10)``; the sides are named where they share a parameter."""
    theta, Phi = xi
    if theta.keys() & Phi.keys():
        return Label(f"(world {point(theta)}; response {point(Phi)})")
    return Label(f"({point({**theta, **Phi})})")


def policy(name: str | Sequence[str]) -> Inline:
    """Return words such as ``policy patrol``, or ``the block (idle, patrol)``."""
    if isinstance(name, str):
        return say("policy {p}", p=Label(name))
    return say("the block {p}", p=Label(f"({', '.join(name)})"))


def row(numbers: Sequence[str] | Sequence[Fraction]) -> Label:
    """Return a row of numbers as ``(7/10, 3/10)``."""
    return Label(f"({', '.join(shortened(str(x)) for x in numbers)})")


def over(labels: Sequence[str]) -> Label:
    """Return what the entries of a row stand for, such as ``(wait, attack)``."""
    return Label(f"({', '.join(labels)})")


def memory(history: Sequence[str]) -> Inline:
    """Return a decision history ``o, b, …, o`` as what was seen and played: ``seen dark, played wait, seen lit``."""
    verbs = ("seen", "played")
    return listed((say("{v} {x}", v=verbs[k % 2], x=Label(x)) for k, x in enumerate(history)))


def predictive_state(q: Sequence[Any]) -> Inline:
    """Return words such as ``calm with probability 1/3 and alarm with probability 2/3``; what the adversary remembers
    is in brackets."""
    return listed(
        say(
            "{s} with probability {p}{m}",
            s=Label(state),
            p=short(mass),
            m=say(" (the adversary remembering {m})", m=Label(", ".join(kept))) if kept else "",
        )
        for state, kept, mass in q
    )


def steps_of(trajectory: Sequence[str]) -> tuple[Inline, ...]:
    """Return a learner trajectory ``o, a, o, a, …`` as one sentence per step."""
    pairs = zip(trajectory[::2], trajectory[1::2], strict=True)
    return tuple(say("The learner sees {o} and plays {a}.", o=Label(o), a=Label(a)) for o, a in pairs)


def play(trajectory: Sequence[str]) -> Inline:
    """Return a learner trajectory in short: ``quiet/patrol, noise/patrol``."""
    pairs = zip(trajectory[::2], trajectory[1::2], strict=True)
    return listed((Label(f"{o}/{a}") for o, a in pairs), last="")


def law(labels: Sequence[str], masses: Sequence[Any]) -> Inline:
    """Return words such as ``calm 3/5, alarm 2/5``; labels of mass zero are left out."""
    pairs = zip(labels, masses, strict=True)
    return listed((Label(f"{x} {shortened(str(p))}") for x, p in pairs if p), last="")


NAMES = "theta Theta xi Xi Phi Psi pi Pi alpha delta kappa epsilon gamma tau eta nu infty sum"
GREEK = dict(zip(NAMES.split(), "θΘξΞΦΨπΠαδκεγτην∞Σ", strict=True))


def statement(text: str) -> Inline:
    """Return a claim's statement, as the kernel writes it in ASCII, with its formulas set as formulas."""
    text = re.sub(r"is at least (\w+)_lower and at most \1_upper", r"lies between the ends of \1_lower", text)
    bound = r"\b\w+_(?:lower|upper)\b"
    out: list[Any] = []
    for k, piece in enumerate(re.split(f"({bound}|1 - 2 delta)", text)):
        if piece == "1 - 2 delta":
            out.append(Math("1 − 2δ"))
            continue
        if k % 2:
            out.append(Constant(piece.rpartition("_")[0], {"": "0"}).symbol)
            continue
        piece = re.sub(r"(?<![A-Za-z])(" + "|".join(GREEK) + r")(?![A-Za-z])", lambda m: GREEK[m.group()], piece)
        for old, new in (("||", "‖"), (">=", "≥"), ("<=", "≤"), ("!=", "≠"), ("->", "→"), ("...", "…"), (" - ", " − ")):
            piece = piece.replace(old, new)
        piece = re.sub(r"\b([Ne])-(?=\d)", r"\1−", piece)
        piece = re.sub(r"([_^])([Α-Ωα-ω][*'])", r"\1{\2}", re.sub(r"\bl1\b", "ℓ_1", piece))
        for word in re.split(r"(\s+)", piece):
            formula = re.search(r"[_^‖Α-Ωα-ωℓ]|^[b-zB-Z]\*?[,;.]?$|^a[,;]$|^PR\(T\)$|^\d\(e−\d\)$", word) is not None
            out.append(Math(word) if formula else Text(word))
    merged: list[Any] = []
    for span in out:
        if merged and isinstance(span, Text) and isinstance(merged[-1], Text):
            merged[-1] = Text(merged[-1].text + span.text)
        elif not (isinstance(span, Text) and not span.text):
            merged.append(span)
    return tuple(merged)
