"""A refuted claim as a walk-through of its witness in the model's own labels, one function a kind of witness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pomgcheck.reporting import diagnosis, own_operators, trees, worked
from pomgcheck.reporting.blocks import Block, Inline, Items, Label, Paragraph, Strong, Table, joined, say
from pomgcheck.reporting.diagnosis import Cause, Scene
from pomgcheck.reporting.evaluation import l1
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.words import (
    law,
    memory,
    model,
    over,
    play,
    point,
    policy,
    predictive_state,
    row,
    short,
    steps_of,
    with_response,
    world,
)

Certificate = Mapping[str, Any]
Witness = Mapping[str, Any]


def posterior_lipschitz(cert: Certificate, w: Witness) -> list[Block]:
    """Assumption 2.3 at one adversary history: equal posteriors, different answers."""
    game = cert["model"]["game"]
    gap = l1(*(list(map(fraction, answer)) for answer in w["responses"]))
    posterior = (
        say(
            "Yet in {world} both policies look the same to it: the posterior of the learner's action is {p} over {A}.",
            world=world(w["theta"]),
            p=row(w["posteriors"][0]),
            A=over(game["learner_actions"]),
        )
        if isinstance(w["pi"], str)
        else say("Yet in {world} the reference posteriors of the two are the same.", world=world(w["theta"]))
    )
    return [
        Paragraph(
            joined(
                say(
                    "At step {h}, having {tau}, the adversary{Phi} answers {pi} with {x} over {B}, and {nu} with {y}.",
                    h=str(w["h"]),
                    tau=memory(w["tau_B"]),
                    Phi=with_response(w["Phi"]),
                    pi=policy(w["pi"]),
                    nu=policy(w["nu"]),
                    x=row(w["responses"][0]),
                    y=row(w["responses"][1]),
                    B=over(game["adversary_actions"]),
                ),
                posterior,
                say(
                    "The answers differ by {gap} in $ℓ_1$ and the posteriors by 0, so no constant $L$ will do.",
                    gap=short(str(gap)),
                ),
            )
        )
    ]


def weak_revealing(cert: Certificate, w: Witness) -> list[Block]:
    """Assumption 2.4 at one q: what the world channel tells apart, and what the learner then sees."""
    scene, kappa, game = Scene(cert, w), cert["options"]["kappa"], cert["model"]["game"]
    first, second = (Label(point(w[x])) for x in ("theta", "theta_prime"))
    learner = say("The learner remembers {u}.", u=Label(", ".join(w["learner_part"]))) if w["learner_part"] else ()
    setting = joined(
        say(
            "Compare the worlds {x} and {y} under {pi}{Phi}.",
            x=first,
            y=second,
            pi=policy(w["pi"]),
            Phi=with_response(w["Phi"]),
        ),
        say("At step {h} let the hidden state be {q}.", h=str(w["h"]), q=predictive_state(w["q"])),
        learner,
        say("The learner sees {o} and plays {a}.", o=Label(w["o"]), a=Label(w["a"])),
    )
    if "q_other" in w:
        return [Paragraph(joined(setting, sign_change(w)))]
    S, B = game["states"], game["adversary_actions"]
    rows = [
        (
            say(
                "{b}{after}",
                b=Label(B[reply.b]),
                after=say(" after {t}", t=Label(", ".join(reply.after))) if reply.after else "",
            ),
            *(law(S, masses) for masses in reply.masses),
            say("{d}", d=short(str(reply.difference))),
            say("yes" if reply.played else "never"),
        )
        for reply in scene.by_history()
    ]
    table = Table(
        "What the world channel leads to: masses of the next hidden state for each action of the adversary, and their "
        "ℓ₁ difference",
        ("Adversary plays", f"World {first.text}", f"World {second.text}", "Difference", "Is played"),
        tuple(rows),
    )
    what = "next learner observation has" if kappa == 1 else f"next {kappa} learner observations have"
    seen = say(": {law}", law=law(game["learner_observations"], scene.next_observations(0))) if kappa == 1 else ""
    return [
        Paragraph(setting),
        table,
        Paragraph(
            joined(
                say("Together the channels differ by {d} in $ℓ_1$.", d=short(w["difference"])),
                say("Yet the {what} the same law in both worlds{seen}.", what=what, seen=seen),
                say("The signal is 0, so no $α_κ > 0$ will do."),
            )
        ),
    ]


def sign_change(w: Witness) -> Inline:
    """Two windows are possible, and between two predictive states the difference of their laws changes sign."""
    return say(
        "Two windows are possible then, and the first is likelier in the one world by {up}. Were the hidden state {r} "
        "instead, the difference would be {down}. So it vanishes for some mixture of the two, though perhaps for no "
        "rational one, while the world channels differ there still: no $α_κ > 0$ will do.",
        up=short(w["signal"]),
        down=short(w["signal_other"]),
        r=predictive_state(w["q_other"]),
    )


def well_specified(cert: Certificate, w: Witness) -> list[Block]:
    """Assumption 3.1(a): the truth is outside the class."""
    truth = {"theta": w["truth"]["worlds"], "Phi": w["truth"]["responses"]}
    return [Paragraph(say("The truth {xi} is none of the models of the class.", xi=model(truth)))]


def trajectory(consequence: str) -> Callable[[Certificate, Witness], list[Block]]:
    """Assumption 3.1(c) or (d): possible under one model, impossible under another, and what follows."""

    def walk(cert: Certificate, w: Witness) -> list[Block]:
        return [
            Paragraph(say("Under {pi}, step by step:", pi=policy(w["pi"]))),
            Items(steps_of(w["trajectory"]), numbered=True),
            Paragraph(
                say(
                    "Model {x} gives these observations probability {p}; model {y} gives them 0, so {consequence}.",
                    x=model(w["xi"]),
                    y=model(w["xi_prime"]),
                    p=short(w["probability"]),
                    consequence=consequence,
                )
            ),
            *worked.ruled_out(cert, w),
        ]

    return walk


def conversion(operators: str) -> Callable[[Certificate, Witness], list[Block]]:
    """Assumption 3.1(e) for the joint operators or the world channels: one law of play, two operators."""

    def walk(cert: Certificate, w: Witness) -> list[Block]:
        *before, o, a = w["trajectory"]
        earlier = say(" (after {t})", t=play(before)) if before else ""
        return [
            Paragraph(
                say(
                    "Under {pi}, the models {x} and {y} give the learner the same law of play, yet once it observes {o} and "
                    "plays {a} at step {h}{earlier} the {operators} differ by {d} in $ℓ_1$.",
                    pi=policy(w["pi"]),
                    x=model(w["xi_star"]),
                    y=model(w["xi"]),
                    o=Label(o),
                    a=Label(a),
                    h=str(w["h"]),
                    earlier=earlier,
                    operators=operators,
                    d=short(w["difference"]),
                )
            ),
            *worked.law_of_play(cert, w),
        ]

    return walk


def fields(cert: Certificate, w: Witness) -> list[Block]:
    """A witness of a kind with no story of its own: its entries."""
    rows = tuple((say("{k}", k=key), say("{v}", v=Label(str(value)))) for key, value in sorted(w.items()))
    return [Table("Witness", ("Entry", "Value"), rows)]


WALKS: dict[str, Callable[[Certificate, Witness], list[Block]]] = own_operators.WALKS | {
    "posterior-lipschitz": posterior_lipschitz,
    "weak-revealing": weak_revealing,
    "well-specified": well_specified,
    "bounded-increments": trajectory("their log-likelihood ratio is unbounded"),
    "predictive-states": trajectory("its predictive state is then undefined"),
    "kl-joint": conversion("operators"),
    "kl-world": conversion("world channels"),
}
CAUSES: dict[str, Callable[[Certificate, Witness], list[Cause]]] = dict.fromkeys(
    own_operators.WALKS, own_operators.causes
) | {
    "posterior-lipschitz": diagnosis.posterior_lipschitz,
    "weak-revealing": diagnosis.weak_revealing,
    "well-specified": diagnosis.well_specified,
    "bounded-increments": diagnosis.impossible,
    "predictive-states": diagnosis.impossible,
    "kl-joint": diagnosis.conversion,
    "kl-world": diagnosis.conversion,
}


def walk_through(cert: Certificate, claim: Mapping[str, Any]) -> list[Block]:
    """The counterexample of a refuted claim, why it is one, and what would repair it."""
    witness = claim["witness"]
    blocks = [*WALKS.get(claim["id"], fields)(cert, witness), *trees.drawn(cert, claim)]
    causes = CAUSES[claim["id"]](cert, witness) if claim["id"] in CAUSES else []
    reasons = [cause.why for cause in causes if cause.why]
    repairs = [cause.repair for cause in causes if cause.repair]
    finite = not own_operators.given(cert) and not diagnosis.intervals(cert["model"])
    if claim["id"] != "well-specified" and finite:
        repairs.append(say("To compute the smallest repair: `pomgcheck repair CERT`."))
    if reasons:
        blocks.append(Paragraph(joined(say("{w}", w=Strong("Why.")), *reasons)))
    if repairs:
        blocks += [Paragraph(say("{w}", w=Strong("What would repair it."))), Items(tuple(repairs))]
    return blocks
