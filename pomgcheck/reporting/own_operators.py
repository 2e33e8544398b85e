"""Classes given by operators, in words: what their document holds, and how Theorem 2.5 holds or fails for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pomgcheck.reporting.blocks import Block, Inline, Label, Math, Paragraph, joined, say
from pomgcheck.reporting.diagnosis import Cause
from pomgcheck.reporting.words import model, play, policy, short

Certificate = Mapping[str, Any]
Claim = Mapping[str, Any]
Witness = Mapping[str, Any]

DECIDED = ("factorization", "oom-identity", "nonexpansive", "well-specified", "covering", "warmup-stationary")


def given(cert: Certificate) -> bool:
    """Whether the class is given by operators."""
    return "operators" in cert["model"]


def spaces(document: Mapping[str, Any]) -> list[tuple[str, Inline]]:
    """The coordinates of the augmented space and of V, as rows of the table of the class."""

    def names(value: Any) -> Inline:
        if isinstance(value, list):
            return say("{n}: {x}", n=str(len(value)), x=Label(", ".join(value)))
        sizes = ", ".join(str(len(step)) for step in value["steps"])
        return say("step by step {n}", n=sizes)

    part = document["operators"]
    return [("Coordinates $S̄^+$", names(part["coordinates"])), ("Channel coordinates $V$", names(part["channel"]))]


# --------------------------------------------------------------------------------- how it holds


def how(cert: Certificate, claim: Claim) -> Inline:
    """How one of the three claims was proved."""
    model_class = cert["model"]
    axes = [axis for side in ("worlds", "responses") for axis in model_class[side].get("parameters", {}).values()]
    everywhere = (
        say("as rational functions of the parameters, whose divisors have no zero on the class")
        if any("interval" in axis for axis in axes)
        else say("at every parameter point of the class")
    )
    words = {
        "factorization": "The matrices given are multiplied out and compared entry by entry {everywhere}, $G$ between "
        "worlds and $W$ between responses too.",
        "oom-identity": "The mass of $q_0$ is 1, and after every learner sequence the masses of the next observation "
        "are computed and added up, {everywhere}.",
        "nonexpansive": "Every entry of $W$ and $G$ is looked at, and every column of $G$ added up, {everywhere}.",
    }
    return say(words[claim["id"]], everywhere=everywhere)


def left_open(cert: Certificate, claim: Claim) -> Inline:
    """Why a claim about kernels ends open; nothing for a claim that is about something else."""
    fading = claim["id"] == "warmup-stationary" and cert["model"]["responses"]["block_rule"] == "fading"
    if claim["id"] in DECIDED and not fading:
        return ()
    return say(
        "The claim is about kernels, and this class is given by operators: only Theorem 2.5, the truth, the "
        "covering number and a reaction rule of finite memory are decided for it."
    )


# --------------------------------------------------------------------------------- how it fails


def setting(w: Witness) -> Inline:
    """``At step 1, when the learner sees quiet and plays rest under policy guard``."""
    under = say(" under {pi}", pi=policy(w["pi"])) if "pi" in w else ""
    return say(
        "At step {h}, when the learner sees {o} and plays {a}{under},",
        h=str(w["h"]),
        o=Label(w["o"]),
        a=Label(w["a"]),
        under=under,
    )


def entry(w: Witness, operator: str) -> Inline:
    """``the entry of J from open to shut``."""
    return say("the entry of {x} that leads from {s} to {t}", x=Math(operator), s=Label(w["column"]), t=Label(w["row"]))


def factorization(cert: Certificate, w: Witness) -> list[Block]:
    """Two entries that should be one: of J and G W, or of one channel at two points it should not tell apart."""
    if "operator" not in w:
        return [
            Paragraph(
                joined(
                    setting(w),
                    say(
                        "{entry} is {x} at {xi}; that of $G W$ is {y}.",
                        entry=entry(w, "J"),
                        x=short(w["J"]),
                        xi=model(w["xi"]),
                        y=short(w["GW"]),
                    ),
                )
            )
        ]
    what, free = ("world", "adversary's") if w["operator"] == "G" else ("response", "world's")
    return [
        Paragraph(
            joined(
                setting(w),
                say(
                    "{entry} is {x} at {xi} and {y} at {other}: it changes with the {what}, which the {free} factor must not.",
                    entry=entry(w, w["operator"]),
                    x=short(w["entry"]),
                    xi=model(w["xi"]),
                    y=short(w["entry_prime"]),
                    other=model(w["xi_prime"]),
                    what=what,
                    free=free,
                ),
            )
        )
    ]


def nonexpansive(cert: Certificate, w: Witness) -> list[Block]:
    """A negative entry, or a column of G whose absolute values sum to more than 1."""
    if "sum" in w:
        return [
            Paragraph(
                joined(
                    setting(w),
                    say(
                        "the entries of $G$ in the column {v} have absolute values of sum {x} at {xi}: a difference of 1 there "
                        "becomes one of {x}.",
                        v=Label(w["column"]),
                        x=short(w["sum"]),
                        xi=model(w["xi"]),
                    ),
                )
            )
        ]
    return [
        Paragraph(
            joined(
                setting(w),
                say(
                    "{entry} is {x} at {xi}, below 0.",
                    entry=entry(w, w["operator"]),
                    x=short(w["entry"]),
                    xi=model(w["xi"]),
                ),
            )
        )
    ]


def oom_identity(cert: Certificate, w: Witness) -> list[Block]:
    """Mass that is lost, gained or negative."""
    after = say("after {t}", t=play(w["trajectory"])) if w["trajectory"] else say("before play")
    where = say("Under {pi} at {xi},", pi=policy(w["pi"]), xi=model(w["xi"]))
    if "mass" in w:
        needed = say("and no mass may be negative") if w["trajectory"] else say("and it must be 1")
        return [
            Paragraph(
                joined(where, say("{after} the mass is {m}, {needed}.", after=after, m=short(w["mass"]), needed=needed))
            )
        ]
    return [
        Paragraph(
            joined(
                where,
                say(
                    "{after} the mass is {m}. If the learner then plays {a} at step {h}, the masses of what it may see sum to "
                    "{n}, so the operators give no law of observations.",
                    after=after,
                    m=short(w["before"]),
                    a=Label(w["a"]),
                    h=str(w["h"]),
                    n=short(w["after"]),
                ),
            )
        )
    ]


WALKS: dict[str, Callable[[Certificate, Witness], list[Block]]] = {
    "factorization": factorization,
    "oom-identity": oom_identity,
    "nonexpansive": nonexpansive,
}


def causes(cert: Certificate, w: Witness) -> list[Cause]:
    """What the failure costs, and what would repair it."""
    if "GW" in w:
        why = "Without $J = G W$ a difference of two models does not split into a world's and an adversary's part."
        repair = "Give $J$ as the product $G W$, or correct the entry of the channels."
    elif "entry_prime" in w and w["operator"] == "G":
        why = "What is learned of the adversary then changes with the world, and the two cannot be bounded apart."
        repair = "Move what depends on the world into $W$: $V$ may have as many coordinates as that takes."
    elif "entry_prime" in w:
        why = "What is learned of the world then changes with the adversary, and the two cannot be bounded apart."
        repair = "Move what depends on the response into $G$: let $V$ keep what the adversary's answer reads."
    elif "sum" in w:
        why = "A difference of two world channels may then be worth more in play than its norm in $V$."
        repair = "Measure $V$ in a larger unit: divide the column of $G$, and multiply the row of $W$."
    elif "entry" in w:
        why = "The norms of the theorem add up masses, and masses of both signs cancel."
        repair = "Choose coordinates in which both channels are nonnegative, such as states and histories."
    elif "mass" in w:
        why = "The probability of what was seen, given what was played, begins at 1 and is never negative."
        repair = "Correct $q_0$ or the operators of the steps played."
    else:
        why = "Whatever is played, something is seen next, so the probabilities of that add up to the mass before."
        repair = "List every observation, and make the columns of the sum of $J$ over observations add up to 1."
    return [Cause(say(why), say(repair))]
