"""Puts Assumption 2.4 in words."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from pomgcheck.certificate import Certificate, ClaimProof, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.evidence import ClaimPlace
from pomgcheck.reporting.blocks import Block, Branch, Paragraph, Table, Tree, tree
from pomgcheck.reporting.claims import game_tree, weak_revealing_causes, weak_revealing_proof
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.evaluation import game_at
from pomgcheck.reporting.numbers import fraction
from pomgcheck.reporting.rules import pairs
from pomgcheck.reporting.spans import Inline, Label, joined, say
from pomgcheck.reporting.words import law, point, policy, predictive_state, short, with_response, world


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Assumption 2.4 was shown: the test functions, factors and cuts, and the smallest ratio found."""
    place = claim.proof.at
    kept = place.learner_part
    smallest = say(
        "The smallest ratio found is between {theta} and {theta_prime} at step {h}, under {pi}{Phi}, where the learner "
        "sees {o} and plays {a} while the hidden state is {q}{kept}.",
        theta=world(place.theta),
        theta_prime=world(place.theta_prime),
        h=str(place.h),
        pi=policy(place.pi),
        Phi=with_response(place.Phi),
        o=Label(place.o),
        a=Label(place.a),
        q=predictive_state(place.q),
        kept=say(", the learner remembering {u}", u=Label(", ".join(kept))) if kept else "",
    )
    if claim.proof.rule == "tests" and not pairs.boxed(claim):
        return joined(*cover(claim.proof, cert.options.kappa), smallest)
    if pairs.boxed(claim):
        count = len(claim.proof.tests)
        t = "one statistic" if count == 1 else f"one of {count} statistics"
        either = "On every box " if not claim.proof.factors else "Where no matrix does, " if count else ""
        by_matrix = say(
            "A matrix turns differences of the laws of the next learner observations into those of the channels, whatever "
            "the predictive state."
        )
        by_test = say("{w}{t} of the next learner observations has a large enough expected difference.", w=either, t=t)
        asked = joined(by_matrix if claim.proof.factors else (), by_test if count else ())
        return joined(pairs.covered(claim), asked, smallest)
    every = say(
        "Every predictive state that some model and policy of the class reach is listed, and its ratio computed."
    )
    return joined(every, smallest)


def cover(evidence: ClaimProof, kappa: int) -> list[Inline]:
    """Return what the trees of the rule ``tests`` say about a finite class: cases, and the pieces that test functions
    and factors settle."""
    tests, factors = len(evidence.tests), len(evidence.factors)
    kinds = Counter(kind for entry in evidence.trees for kind in pairs.kinds(entry["tree"]))
    window = "next learner observation" if kappa == 1 else f"next {kappa} learner observations"
    sentences = [
        say(
            "{n} cover every pair of worlds, response, policy, step and learner pair.",
            n=counted(len(evidence.trees), "distinct case"),
        )
    ]
    if kinds["test"]:
        sentences.append(
            say(
                "{n} settled by {t}, a statistic of the {window} with values in [−1, 1] whose expected difference between "
                "the two worlds is at least $α_κ$ times that of their channels, at all vertices and so everywhere between.",
                n=counted(kinds["test"], "piece is", "pieces are"),
                t="the one test function" if tests == 1 else f"one of {counted(tests, 'test function')}",
                window=window,
            )
        )
    if kinds["factor"]:
        sentences.append(
            say(
                "{n} settled by {p} that recovers the channels' difference from the difference of the observation laws.",
                n=counted(kinds["factor"], "piece is", "pieces are"),
                p="a matrix" if factors == 1 else f"one of {factors:,} matrices",
            )
        )
    if kinds["cut"]:
        sentences.append(say("The simplex of predictive states was cut {n}.", n=counted(kinds["cut"], "time")))
    return sentences


def vacuous(cert: Certificate) -> Inline:
    """Return why there is nothing to ask."""
    horizon, kappa = cert.outline.horizon, cert.options.kappa
    if kappa < horizon:
        return say("No two worlds of the class have different channels at a step $h ≤ H − κ$.")
    return say(
        "With a horizon of {H} and $κ$ = {k} no step $h ≤ H − κ$ is left to ask about. Differences of the "
        "worlds at the last steps are the business of the KL conversion.",
        H=str(horizon),
        k=str(kappa),
    )


def walk(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return the counterexample to Assumption 2.4 at one q: what the world channel tells apart, and what the learner
    then sees."""
    witness, kappa, game = weak_revealing_causes.RevealingWitness(cert, w), cert.options.kappa, cert.outline
    first, second = (Label(point(theta)) for theta, _ in w.models)
    learner = say("The learner remembers {u}.", u=Label(", ".join(w.learner_part))) if w.learner_part else ()
    setting = joined(
        say(
            "Compare the worlds {x} and {y} under {pi}{Phi}.",
            x=first,
            y=second,
            pi=policy(w.pi),
            Phi=with_response(w.Phi),
        ),
        say("At step {h} let the hidden state be {q}.", h=str(w.h), q=predictive_state(w.q)),
        learner,
        say("The learner sees {o} and plays {a}.", o=Label(w.o), a=Label(w.a)),
    )
    if w.q_other:
        return [Paragraph(joined(setting, sign_change(w)))]
    S, B = game.states, game.adversary_actions
    rows = [
        (
            say("{b} after {t}", b=Label(B[reply.b]), t=Label(", ".join(reply.after)))
            if reply.after
            else Label(B[reply.b]),
            *(law(S, masses) for masses in reply.masses),
            short(reply.difference),
            "yes" if reply.played else "never",
        )
        for reply in witness.by_history()
    ]
    table = Table.of(
        "What the world channel leads to: masses of the next hidden state for each action of the adversary, and their "
        "ℓ₁ difference",
        ("Adversary plays", f"World {first.text}", f"World {second.text}", "Difference", "Is played"),
        rows,
    )
    what = "next learner observation has" if kappa == 1 else f"next {kappa} learner observations have"
    seen = say(": {law}", law=law(game.learner_observations, witness.next_observations(0))) if kappa == 1 else ""
    return [
        Paragraph(setting),
        table,
        Paragraph(
            joined(
                say("Together the channels differ by {d} in $ℓ_1$.", d=short(w.difference)),
                say("Yet the {what} the same law in both worlds{seen}.", what=what, seen=seen),
                say("The signal is 0, so no $α_κ > 0$ will do."),
            )
        ),
    ]


def sign_change(w: ClaimPlace) -> Inline:
    """Return the sentence about two possible windows: between two predictive states the difference of their laws
    changes sign."""
    return say(
        "Two windows are possible then, and the first is likelier in the one world by {up}. Were the hidden state {r} "
        "instead, the difference would be {down}. So it vanishes for some mixture of the two, though perhaps for no "
        "rational one, while the world channels differ there still: no $α_κ > 0$ will do.",
        up=short(w.signal),
        down=short(w.signal_other),
        r=predictive_state(w.q_other),
    )


def drawn(cert: Certificate, w: ClaimPlace) -> Tree:
    """Return the tree of Assumption 2.4: one predictive state in two worlds."""
    game = game_at(cert.model, [w.theta, w.theta_prime], [w.Phi])
    observations = cert.options.space == "history" and game.adversary_window is not None
    belief: game_tree.Belief = {}
    for s, memory, mass in w.q:
        key = game.S.index(s), tuple(memory[::2] if observations else memory)  # as the response table reads it
        belief[key] = belief.get(key, Fraction(0)) + fraction(mass)
    h, p = w.h - 1, game.policy_names.index(w.pi)
    both = [game_tree.ComparedModel(game, min(k, len(game.worlds) - 1), 0, p, belief) for k in range(2)]
    now = game_tree.path(both, h, (w.o, w.a), lambda h, sides, pair: game_tree.step(sides, h, *pair))
    o, a = game.OA.index(w.o), game.A.index(w.a)
    laws = [side.after(h, o, a).shown(h + 1) for side in both]
    branches = (
        Branch("", f"At step {w.h}", then=now),
        Branch("", f"Then, at step {w.h + 1}", then=game_tree.observed(game, laws)),
    )
    return tree(
        game_tree.columns(f"world {point(w.theta)}", f"world {point(w.theta_prime)}"),
        branches,
        "Game tree of the step: what is marked differs between the worlds",
    )


TOLD = Told(
    title="Weak revealing",
    gist="Worlds whose channels differ show it, $α_κ$ times as strongly, in the next $κ$ learner observations.",
    how=how,
    vacuous=vacuous,
    worked=weak_revealing_proof.worked,
    walk=walk,
    causes=weak_revealing_causes.causes,
    tree=drawn,
)
