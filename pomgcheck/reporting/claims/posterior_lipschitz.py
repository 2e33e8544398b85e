"""Puts Assumption 2.3 in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Branch, Paragraph, Table, Tree, tree
from pomgcheck.reporting.claims import game_tree
from pomgcheck.reporting.claims.told import Cause, Told
from pomgcheck.reporting.evaluation import Stage, game_at, l1
from pomgcheck.reporting.numbers import fraction, number
from pomgcheck.reporting.spans import NOTHING, Field, Inline, Math, joined, listed, say
from pomgcheck.reporting.words import exact, memory, over, policy, row, short, with_response, world


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Assumption 2.3 was shown and where L is attained."""
    every = say(
        "Every two policies are compared at every adversary history that both make possible, in every world "
        "and for every response."
    )
    return joined(every, attained(cert, claim))


def attained(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return where the largest Lipschitz ratio is attained."""
    place = claim.proof.attained
    if place is None:
        return say("The adversary never answers two policies differently, so $L$ = 0.")
    return say(
        "The largest ratio is that of {pi} and {nu} at step {h}, in {theta}{Phi}, the adversary having {tau}.",
        pi=policy(place.pi),
        nu=policy(place.nu),
        h=str(place.h),
        tau=memory(place.tau_B),
        theta=world(place.theta),
        Phi=with_response(place.Phi),
    )


def worked(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return the maximising pair: both answers, both posteriors, and the ratio of their distances."""
    place = claim.proof.attained
    if place is None or not isinstance(place.pi, str) or cert.options.lipschitz != "step":
        return []
    xi = place.models[0]
    pi, nu = (Stage(cert, [xi], name) for name in (place.pi, place.nu))
    game, h, tau = pi.game, place.h - 1, place.tau_B
    if not pi.small:
        return []
    reference = cert.options.reference
    law = [Fraction(1, len(game.B))] * len(game.B) if reference == "uniform" else list(map(fraction, reference))
    masses = [stage.posterior_masses(0, tau, law) for stage in (pi, nu)]
    posteriors = [[x / sum(part) for x in part] for part in masses]
    answers = [stage.answer(h, tau) for stage in (pi, nu)]
    moved, apart = l1(*answers), l1(*posteriors)
    rows: tuple[tuple[Field, ...], ...] = (
        (say("answer over {B}", B=over(game.B)), *map(row, answers), exact(moved)),
        (
            say("mass of {tau} with each of {A}", tau=Math("τ_B"), A=over(game.A)),
            *(listed((exact(x) for x in part), last="") for part in masses),
            NOTHING,
        ),
        (
            say("posterior over {A}", A=over(game.A)),
            *(listed((exact(x) for x in part), last="") for part in posteriors),
            exact(apart),
        ),
    )
    columns = ("At this history", f"Policy {place.pi}", f"Policy {place.nu}", "ℓ₁ distance")
    caption = "The largest ratio: the adversary's answers, and its posteriors of the learner's action"
    return [
        Table.of(caption, columns, rows),
        Paragraph.of(
            "So the answers move ({a}) / ({b}) = {r} times as far as the posteriors.",
            a=short(moved),
            b=short(apart),
            r=number(str(moved / apart)),
        ),
    ]


def walk(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return the counterexample to Assumption 2.3 at one adversary history: equal posteriors, different answers."""
    game = cert.outline
    gap = l1(*(list(map(fraction, answer)) for answer in w.responses))
    posterior = (
        say(
            "Yet in {world} both policies look the same to it: the posterior of the learner's action is {p} over {A}.",
            world=world(w.theta),
            p=row(w.posteriors[0]),
            A=over(game.learner_actions),
        )
        if isinstance(w.pi, str)
        else say("Yet in {world} the reference posteriors of the two are the same.", world=world(w.theta))
    )
    return [
        Paragraph(
            joined(
                say(
                    "At step {h}, having {tau}, the adversary{Phi} answers {pi} with {x} over {B}, and {nu} with {y}.",
                    h=str(w.h),
                    tau=memory(w.tau_B),
                    Phi=with_response(w.Phi),
                    pi=policy(w.pi),
                    nu=policy(w.nu),
                    x=row(w.responses[0]),
                    y=row(w.responses[1]),
                    B=over(game.adversary_actions),
                ),
                posterior,
                say(
                    "The answers differ by {gap} in $ℓ_1$ and the posteriors by 0, so no constant $L$ will do.",
                    gap=short(gap),
                ),
            )
        )
    ]


def causes(cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return why Assumption 2.3 fails: equal posteriors are answered differently."""
    game = game_at(cert.model, [place.theta], [place.Phi])
    pi, nu = ([name] if isinstance(name, str) else name for name in (place.pi, place.nu))
    pairs = [
        (game.policies[game.policy_names.index(p)], game.policies[game.policy_names.index(n)])
        for p, n in zip(pi, nu, strict=True)
    ]
    differing = [h + 1 for h in range(game.H) if any(p[h] != n[h] for p, n in pairs)]
    one_answer = say(
        "Let the adversary give one answer to both at this history: its response may depend on the policies only through "
        "the posterior."
    )
    h, alike = place.h, Cause((), one_answer)
    if cert.options.lipschitz == "policy":
        why = say("No posterior, at any step or history, tells the two apart, so nothing the adversary can know does.")
        return [Cause(why, say("Leave one of the two out of the policy class.")), alike]
    if h in differing:
        why = say(
            "The two play differently at step {h}, but averaged over what the learner may have seen they choose "
            "each action equally often.",
            h=str(h),
        )
    elif min(differing, default=0) > h:
        why = say(
            "The two play alike up to step {h} and first differ at step {k}: the adversary answers a difference "
            "that has not shown yet.",
            h=str(h),
            k=str(min(differing)),
        )
    else:
        why = say("The two play alike at step {h}: the adversary answers a difference at another step.", h=str(h))
    elsewhere = differing != [h]
    other = say(
        "`--lipschitz policy` compares the policies over all steps, and so admits an adversary that answers a "
        "difference at another step."
    )
    return [Cause(why, other if elsewhere else ()), alike]


def drawn(cert: Certificate, w: ClaimPlace) -> Tree | None:
    """Return the tree of Assumption 2.3 at one adversary history: one posterior, two answers."""
    if not (isinstance(w.pi, str) and isinstance(w.posteriors[0][0], str)):
        return None
    game = cert.outline

    def law(mover: str, labels: Sequence[str], rows: Sequence[Sequence[str]]) -> tuple[Branch, ...]:
        who = "learner" if mover == "chance" else mover
        pairs = zip(labels, zip(*(map(fraction, row) for row in rows), strict=True), strict=True)
        return tuple(game_tree.chance(mover, f"{who} plays {label}", values) for label, values in pairs if any(values))

    branches = (
        Branch("", f"What it can infer at step {w.h}", then=law("chance", game.learner_actions, w.posteriors)),
        Branch("", "How it answers", then=law("adversary", game.adversary_actions, w.responses)),
    )
    return tree(
        game_tree.columns(f"policy {w.pi}", f"policy {w.nu}"),
        branches,
        "Game tree of the adversary's step: it infers the same from both policies and answers differently",
    )


TOLD = Told(
    title="Posterior-Lipschitz adversary",
    gist="Between two policies the adversary's answer moves at most $L$ times as far as its posterior of the learner's action.",
    how=how,
    on_boxes="Responses are bounded over $Ψ$ and posteriors over $Θ$, each by itself; where two policies are answered differently, $L$ times a signed sum of the posteriors' differences is at least that.",
    attained=attained,
    worked=worked,
    walk=walk,
    causes=causes,
    tree=drawn,
)
