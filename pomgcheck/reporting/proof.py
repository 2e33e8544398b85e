"""How a claim was settled, in words: from the rule its evidence names and the place where a value is attained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pomgcheck.reporting import eluder, nested, own_operators, pairs
from pomgcheck.reporting.blocks import Code, Inline, Label, joined, listed, say
from pomgcheck.reporting.numbers import fraction, log_decimal
from pomgcheck.reporting.words import counted, memory, model, play, policy, predictive_state, with_response, world

Certificate = Mapping[str, Any]
Claim = Mapping[str, Any]


def in_brief(cert: Certificate, claim: Claim) -> str:
    """How a claim was settled, for a cell of a table."""
    if claim["verdict"] != "proved":
        return {
            "refuted": "counterexample",
            "vacuous": "nothing to ask",
            "declared": "taken on trust",
            "unknown": "left open",
        }[claim["verdict"]]
    evidence = claim["evidence"]
    if pairs.boxed(claim):
        return "boxes of pairs"
    if evidence["rule"] == "tests":
        return counted(len(evidence["tests"]), "test function") + (
            f", {counted(len(evidence['factors']), 'factor')}" if evidence["factors"] else ""
        )
    if evidence["rule"] == "log":
        return "enclosed logarithms"
    if evidence["rule"] == "box":
        return "signs on boxes"
    if evidence["rule"] == "sequence":
        return counted(len(evidence["sequence"]), "independent policy", "independent policies")
    if evidence["rule"] == "bound":
        return "rational intervals"
    if claim["id"] != "factorization":
        return "exact enumeration"
    return "entry by entry" if own_operators.given(cert) else "polynomial identity"


def factorization(cert: Certificate, claim: Claim) -> Inline:
    """Theorem 2.5, J = G W."""
    return say(
        "Both sides are expanded as polynomials in free kernel and response entries and agree entry by entry at "
        "every step, observation and action, so the identity holds whatever the parameters."
    )


def oom_identity(cert: Certificate, claim: Claim) -> Inline:
    """Theorem 2.5, the OOM identity."""
    return say(
        "From every latent state and every memory of the adversary, in every world and against every response, one step "
        "of $G W$ is one step of the game, and its mass is the chance of the observation; the law of whole sequences "
        "follows by induction over the steps."
    )


def nonexpansive(cert: Certificate, claim: Claim) -> Inline:
    """Theorem 2.5, signs and column sums."""
    return say("Every entry of $W$ and $G$ is computed, and every column of $G$ added up.")


def posterior_lipschitz(cert: Certificate, claim: Claim) -> Inline:
    """Assumption 2.3 and where L is attained."""
    every = say(
        "Every two policies are compared at every adversary history that both make possible, in every world "
        "and for every response."
    )
    return joined(every, attained(claim))


def attained(claim: Claim) -> Inline:
    """Where the largest Lipschitz ratio, or the largest likelihood ratio, is attained."""
    place = claim["evidence"].get("attained")
    if claim["id"] == "bounded-increments":
        return say(
            "The largest ratio is that of {x} over {y} under {pi} on {t}.",
            x=model(place["xi"]),
            y=model(place["xi_prime"]),
            pi=policy(place["pi"]),
            t=play(place["trajectory"]),
        )
    if claim["id"] != "posterior-lipschitz":
        return ()
    if place is None:
        return say("The adversary never answers two policies differently, so $L$ = 0.")
    return say(
        "The largest ratio is that of {pi} and {nu} at step {h}, in {theta}{Phi}, the adversary having {tau}.",
        pi=policy(place["pi"]),
        nu=policy(place["nu"]),
        h=str(place["h"]),
        tau=memory(place["tau_B"]),
        theta=world(place["theta"]),
        Phi=with_response(place["Phi"]),
    )


def weak_revealing(cert: Certificate, claim: Claim) -> Inline:
    """Assumption 2.4: the test functions, factors and cuts, and the smallest ratio found."""
    place = claim["evidence"]["attained"]
    kept = place["learner_part"]
    smallest = say(
        "The smallest ratio found is between {theta} and {theta_prime} at step {h}, under {pi}{Phi}, where the learner "
        "sees {o} and plays {a} while the hidden state is {q}{kept}.",
        theta=world(place["theta"]),
        theta_prime=world(place["theta_prime"]),
        h=str(place["h"]),
        pi=policy(place["pi"]),
        Phi=with_response(place["Phi"]),
        o=Label(place["o"]),
        a=Label(place["a"]),
        q=predictive_state(place["q"]),
        kept=say(", the learner remembering {u}", u=Label(", ".join(kept))) if kept else "",
    )
    if claim["evidence"]["rule"] == "tests" and not pairs.boxed(claim):
        return joined(*cover(claim["evidence"], cert["options"]["kappa"]), smallest)
    if pairs.boxed(claim):
        count = len(claim["evidence"]["tests"])
        t = "the one statistic" if count == 1 else f"one of {count} statistics"
        either = "On every box " if not claim["evidence"]["factors"] else "Where no matrix does, " if count else ""
        asked = joined(
            *(
                [
                    say(
                        "A matrix turns differences of the laws of the next learner observations into those of the "
                        "channels, whatever the predictive state."
                    )
                ]
                if claim["evidence"]["factors"]
                else []
            ),
            *(
                [say("{w}{t} of the next learner observations has a large enough expected difference.", w=either, t=t)]
                if count
                else []
            ),
        )
        return joined(on_pairs(claim), asked, smallest)
    every = say(
        "Every predictive state that some model and policy of the class reach is listed, and its ratio computed."
    )
    return joined(every, smallest)


def cover(evidence: Mapping[str, Any], kappa: int) -> list[Inline]:
    """What the trees of the rule ``tests`` say of a finite class: cases, and the pieces that test functions and factors settle."""
    tests, factors = len(evidence["tests"]), len(evidence["factors"])
    kinds = Counter(kind for entry in evidence["trees"] for kind in node_kinds(entry["tree"]))
    window = "next learner observation" if kappa == 1 else f"next {kappa} learner observations"
    sentences = [
        say(
            "{n} cover every pair of worlds, response, policy, step and learner pair.",
            n=counted(len(evidence["trees"]), "distinct case"),
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


def node_kinds(tree: list[Any]) -> Iterator[str]:
    """The kind of every node of a tree of ``test``, ``factor`` and ``cut``."""
    ahead = [tree]
    while ahead:
        node = ahead.pop()
        yield node[0]
        if node[0] == "cut":
            ahead += node[4:]


def on_pairs(claim: Claim) -> Inline:
    """What the trees over pairs of models cover."""
    boxes = sum(1 for tree in pairs.charts(claim) for _ in pairs.leaves(tree))
    return say(
        "The pairs of models, those that approach each other included, are covered by {n}: a model, the "
        "direction of the other, and how far it is; both sides are divided by the distance.",
        n=counted(boxes, "box", "boxes"),
    )


def well_specified(cert: Certificate, claim: Claim) -> Inline:
    """Assumption 3.1(a)."""
    truth = cert["model"]["truth"]
    return say(
        "The truth {xi} is among the points of the class.",
        xi=model({"theta": truth["worlds"], "Phi": truth["responses"]}),
    )


def covering(cert: Certificate, claim: Claim) -> Inline:
    """Assumption 3.1(b)."""
    bound = claim["values"]["log_covering_upper"]
    if isinstance(bound, str):
        return ()
    return say("The class is its own net at every scale: it holds {n} distinct models.", n=bound["log_of"])


def bounded_increments(cert: Certificate, claim: Claim) -> Inline:
    """Assumption 3.1(c) and where B_0 is attained."""
    bound = claim["values"]["B0_upper"]["log_of"]
    below_one = fraction(log_decimal(fraction(bound), "up")) <= 1
    downstream = say("That is below 1, and the theorem takes $B_0$ = 1.") if below_one else ()
    return joined(say("Every trajectory of every model and policy is listed."), attained(claim), downstream)


def predictive_states(cert: Certificate, claim: Claim) -> Inline:
    """Assumption 3.1(d)."""
    return say("Every learner prefix is listed: each is possible under all models or under none.")


def conversion(cert: Certificate, claim: Claim) -> Inline:
    """Assumption 3.1(e) and its tightest pair of models."""
    place = claim["evidence"]["attained"]
    if claim["evidence"]["rule"] == "pairs":
        how = joined(
            on_pairs(claim),
            say(
                "On each, a quotient of polynomials below the divergence is at least the constant times the operators' "
                "squared differences."
            ),
        )
    else:
        how = say(
            "The divergence is compared with the operators' squared differences for every pair of models and "
            "every policy, each logarithm enclosed between rationals."
        )
    return joined(
        how,
        say(
            "The tightest pair is the truth {x} against {y} under {pi}.",
            x=model(place["xi_star"]),
            y=model(place["xi"]),
            pi=policy(place["pi"]),
        ),
    )


def warmup_stationary(cert: Certificate, claim: Claim) -> Inline:
    """Assumption 3.1(f), or Theorem 5.2's form of it."""
    responses = cert["model"]["responses"]
    if responses["block_rule"] == "fading":
        return say(
            "The rule forgets geometrically by its form, and $L_g$ is half the largest $ℓ_1$ distance of two responses."
        )
    return say(
        "By its form the rule {rule} reads no more than the last {m}, and equal ones give the table's response.",
        rule=Label(responses["block_rule"]),
        m="policy" if responses["memory"] == 1 else f"{responses['memory']} policies",
    )


def explicit_bound(cert: Certificate, claim: Claim) -> Inline:
    """Theorem 3.3 with every constant."""
    return say(
        "Every constant is carried through the lines of the bound, from the values of the other claims, in intervals "
        "with rational ends (docs/bound.md derives each line). The bound along the paper's own lemmas is computed below "
        "and is not among what is proved."
    )


HOW: dict[str, Callable[[Certificate, Claim], Inline]] = {
    "factorization": factorization,
    "oom-identity": oom_identity,
    "nonexpansive": nonexpansive,
    "posterior-lipschitz": posterior_lipschitz,
    "weak-revealing": weak_revealing,
    "well-specified": well_specified,
    "covering": covering,
    "bounded-increments": bounded_increments,
    "predictive-states": predictive_states,
    "kl-joint": conversion,
    "kl-world": conversion,
    "warmup-stationary": warmup_stationary,
    "eluder-world": eluder.in_words,
    "eluder-adversary": eluder.in_words,
    "regret": nested.in_words,
    "constants": explicit_bound,
}


def on_boxes(cert: Certificate, claim: Claim) -> Inline:
    """How a claim was proved for a class with interval axes: what is asked, and how many goals needed their box cut."""
    evidence = claim["evidence"]
    trees = evidence["trees"]
    cut = (
        say(
            "The signs are read off Bernstein coefficients, {n} after cutting the box of parameters or using a "
            "constraint.",
            n=counted(len(trees), "of them", "of them"),
        )
        if trees
        else (say("The signs are read off Bernstein coefficients on the whole box of parameters."))
    )
    asked = {
        "nonexpansive": "Every entry is a polynomial or a quotient in the parameters; rows sum to one identically, and "
        "no entry is negative anywhere on the class.",
        "predictive-states": "The probability of every trajectory is positive on the whole class.",
        "bounded-increments": "The probability of every trajectory has a bound below and above on the whole class.",
        "covering": "The derivatives of the columns of $J$ are bounded on the class, and a grid in the parameters is "
        "fine enough for the scale.",
        "posterior-lipschitz": "Responses are bounded over $Ψ$ and posteriors over $Θ$, apart; where two policies are "
        "answered differently, $L$ times a signed sum of the posteriors' differences is at least that.",
        "warmup-stationary": "The rule forgets geometrically by its form, and $L_g$ is half a bound of the $ℓ_1$ "
        "distance of two responses on the whole class.",
    }
    return joined(say(asked[claim["id"]]) if claim["id"] in asked else (), cut, attained(claim))


def in_words(cert: Certificate, claim: Claim) -> Inline:
    """How a claim that is not refuted was settled, in a few sentences."""
    if claim["verdict"] == "proved" and claim["evidence"]["rule"] == "box":
        return on_boxes(cert, claim)
    if claim["verdict"] == "proved" and own_operators.given(cert) and claim["id"] in own_operators.WALKS:
        return own_operators.how(cert, claim)
    if claim["verdict"] == "proved":
        return HOW[claim["id"]](cert, claim) if claim["id"] in HOW else ()
    if claim["verdict"] == "declared":
        return say("No model document can show this: it is taken on trust, and the verdict says so.")
    if claim["verdict"] == "vacuous":
        return vacuous(cert, claim)
    if own_operators.given(cert) and (why := own_operators.left_open(cert, claim)):
        return why
    if claim["id"] == "regret" and (why := nested.left_open(cert, claim)):
        return why
    return waiting(cert) if claim["id"] == "constants" else left_open(cert, claim)


def waiting(cert: Certificate) -> Inline:
    """Why the explicit bound is left open."""
    unknown = [
        Code(c["id"]) for c in cert["claims"] if c["verdict"] == "unknown" and c["id"] not in ("regret", "constants")
    ]
    if unknown:
        return say(
            "The bound is made of the values of all claims before it, and {n}: {p}.",
            p=listed(unknown),
            n="one is open" if len(unknown) == 1 else "some are open",
        )
    return say(
        "Each response must answer every policy with the same possible actions, or what is seen while a fading "
        "memory settles may be impossible for the settled class."
    )


def left_open(cert: Certificate, claim: Claim) -> Inline:
    """Why neither a proof nor a counterexample was found, and what to change."""
    if claim["search"].get("method") == "not searched":
        return say("The claim was left out of the search: certify without `--only`, or name this claim too.")
    axes = [axis for side in ("worlds", "responses") for axis in cert["model"][side].get("parameters", {}).values()]
    if any("interval" in axis for axis in axes):
        return say(
            "An axis of the class is an interval, and the search found neither a proof for the whole of it nor "
            "a point where the claim fails: narrow it, or list the axis's values instead."
        )
    return say(
        "The search gave up before a proof or a counterexample: that is neither a pass nor a refutation. Raise "
        "`--limits`, or loosen `--tol`."
    )


def vacuous(cert: Certificate, claim: Claim) -> Inline:
    """Why there is nothing to ask."""
    horizon, kappa = cert["model"]["game"]["horizon"], cert["options"]["kappa"]
    if claim["id"] == "weak-revealing" and kappa >= horizon:
        return say(
            "With a horizon of {H} and $κ$ = {k} no step $h ≤ H − κ$ is left to ask about. Differences of the "
            "worlds at the last steps are the business of the KL conversion.",
            H=str(horizon),
            k=str(kappa),
        )
    if claim["id"] == "weak-revealing":
        return say("No two worlds of the class have different channels at a step $h ≤ H − κ$.")
    if claim["id"] in ("kl-joint", "kl-world"):
        return say("No two models of the class have different operators and a finite divergence.")
    if claim["id"] == "regret":
        return nested.vacuous(cert)
    if claim["id"] == "constants":
        return say(
            "The theorem asks for every claim before it, so of this class it says nothing. Refuted: {p}.",
            p=listed(Code(c["id"]) for c in cert["claims"] if c["verdict"] == "refuted"),
        )
    return say("The condition ranges over nothing in this class.")
