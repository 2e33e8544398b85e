"""Puts Assumption 3.1(e) in words, of the joint operators and of the world channels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import product

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.evidence import ClaimPlace
from pomgcheck.kernel.game import Game
from pomgcheck.reporting.blocks import Block, Branch, Paragraph, Table, Tree, tree
from pomgcheck.reporting.claims import game_tree
from pomgcheck.reporting.claims.renaming import renamed
from pomgcheck.reporting.claims.told import Cause, Told
from pomgcheck.reporting.claims.weak_revealing_causes import never_played
from pomgcheck.reporting.evaluation import Memory, Stage, game_at
from pomgcheck.reporting.numbers import Direction, decimal, fraction, log_decimal
from pomgcheck.reporting.rules import pairs
from pomgcheck.reporting.spans import Inline, Label, Math, joined, listed, say
from pomgcheck.reporting.words import exact, model, play, policy, short

MOST_ROWS = 16  # of a law of play
MOST_PLAYS = 512  # that are summed over
DIGITS = 9  # of a term of a sum, so that the sum keeps six
ENCLOSED = 30  # digits of an enclosed logarithm
SUMMED = say(
    "Of each prefix the differences at all observations and actions are summed, weighted by the chance of the action "
    "alone, and the sum is squared."
)


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Assumption 3.1(e) was shown, and its tightest pair of models."""
    place = claim.proof.at
    if claim.proof.rule == "pairs":
        how = joined(
            pairs.covered(claim),
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
    if cert.options.operators == "summed":
        how = joined(how, SUMMED)
    return joined(
        how,
        say(
            "The tightest pair is the truth {x} against {y} under {pi}.",
            x=model(place.xi_star),
            y=model(place.xi),
            pi=policy(place.pi),
        ),
    )


def vacuous(cert: Certificate) -> Inline:
    """Return why there is nothing to ask."""
    return say("No two models of the class have different operators and a finite divergence.")


def worked(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return the minimising pair: both laws of play, the divergence, and the squared differences it is compared with."""
    place, world = claim.proof.at, claim.id == "kl-world"
    stage = Stage(cert, [place.xi_star, place.xi], place.pi)
    laws = [stage.law(x) for x in (0, 1)] if stage.small else []
    if not laws or len(laws[0]) > MOST_PLAYS:
        return []
    star, other = laws
    terms = {t: (p, other[t]) for t, p in star.items() if p}
    low, high = (divergence(terms.values(), end) for end in ("down", "up"))
    found = stage.differences(0, 1, world)
    by_step = [
        (h, sum((chance * gap**2 for step, chance, gap in found if step == h), Fraction(0)))
        for h in range(stage.game.H)
    ]
    total = sum((x for _, x in by_step), Fraction(0))
    operators = "world channels" if world else "operators"
    name, sign = ("c_KL_world", "W") if world else ("c_KL_joint", "J")
    squares = [(str(h + 1), exact(x)) for h, x in by_step]
    lower, upper = (fraction(claim.values.written[f"{name}_{end}"]) for end in ("lower", "upper"))
    constant = Math(f"c^{sign}_{{KL}}")
    return [
        *([laws_table(place, star, other, low)] if len(star) <= MOST_ROWS else []),
        Table.of(
            f"The {operators}: expected squared ℓ₁ difference{' over all that may follow, summed,' * stage.summed} at the "
            "predictive state of ξ*, step by step",
            ("Step", "Squared difference"),
            (*squares, ("sum", exact(total))),
        ),
        Paragraph.of(
            "The divergence lies between {a} and {b}, the sum of squares is {d}, and so their quotient lies between "
            "{x} and {y}; {c} is certified to lie between {l} and {u}.",
            a=decimal(low, "down", DIGITS),
            b=decimal(high, "up", DIGITS),
            d=decimal(total, digits=DIGITS),
            x=decimal(low / total, "down", DIGITS),
            y=decimal(high / total, "up", DIGITS),
            c=constant,
            l=decimal(lower, "down", DIGITS),
            u=decimal(upper, "up", DIGITS),
        ),
    ]


def laws_table(
    place: ClaimPlace, star: Mapping[Memory, Fraction], other: Mapping[Memory, Fraction], low: Fraction
) -> Table:
    """Return both laws of play of the tightest pair, one row per trajectory, and the terms of the divergence, whose sum
    is at least ``low``."""
    laws = ((t, p, other[t]) for t, p in star.items() if p)
    rows = [(play(t), exact(p), exact(r), decimal(divergence([(p, r)], "nearest"), digits=DIGITS)) for t, p, r in laws]
    sums = [exact(sum(law.values(), Fraction(0))) for law in (star, other)]
    return Table.of(
        "The laws of play of the tightest pair",
        ("The learner sees/plays", f"P*: {model(place.xi_star).text}", f"P: {model(place.xi).text}", "P* log(P*/P)"),
        (*rows, ("sum", *sums, decimal(low, digits=DIGITS))),
    )


def divergence(terms: Iterable[tuple[Fraction, Fraction]], direction: Direction) -> Fraction:
    """Return a bound of sum p log(p/r) from that side, or what is nearest."""
    return sum((p * fraction(log_decimal(p / r, direction, ENCLOSED)) for p, r in terms), Fraction(0))


def law_of_play(cert: Certificate, w: ClaimPlace) -> list[Block]:
    """Return one law of play for two models: the probability of every trajectory under both, for a refuted KL
    conversion."""
    stage = Stage(cert, [w.xi_star, w.xi], w.pi)
    laws = [stage.law(x) for x in (0, 1)] if stage.small else []
    if not laws or len(laws[0]) > MOST_ROWS:
        return []
    rows = ((play(t), exact(p), exact(laws[1][t])) for t, p in laws[0].items() if p or laws[1][t])
    columns = ("The learner sees/plays", f"Under {model(w.xi_star).text}", f"Under {model(w.xi).text}")
    return [Table.of("The one law of play", columns, rows)]


def walk(operators: str) -> Callable[[Certificate, ClaimPlace], list[Block]]:
    """Return the counterexample to Assumption 3.1(e) for the joint operators or the world channels: one law of play,
    two operators."""

    def told(cert: Certificate, w: ClaimPlace) -> list[Block]:
        *before, o, a = w.trajectory
        earlier = say(" (after {t})", t=play(before)) if before else ""
        return [
            Paragraph.of(
                "Under {pi}, the models {x} and {y} give the learner the same law of play, yet once it observes {o} and "
                "plays {a} at step {h}{earlier} the {operators} differ by {d} in $ℓ_1$.",
                pi=policy(w.pi),
                x=model(w.xi_star),
                y=model(w.xi),
                o=Label(o),
                a=Label(a),
                h=str(w.h),
                earlier=earlier,
                operators=operators,
                d=short(w.difference),
            ),
            *law_of_play(cert, w),
        ]

    return told


def causes(cert: Certificate, place: ClaimPlace) -> list[Cause]:
    """Return why Assumption 3.1(e) fails: different operators stand behind one law of play."""
    first, second = place.xi_star, place.xi
    game = game_at(cert.model, [first.theta, second.theta], [first.Phi, second.Phi])
    worlds, answers = len(game.worlds) > 1, len(game.responses) > 1
    causes = renamed(game)
    if causes:
        return causes
    if place.h == game.H and not _earlier(game, place.pi):
        last = "Step {h} is the last: nothing is observed after it, so a difference in where it leads is never seen."
        repair = (
            "Give all models the same transition and response at step {h}, or append a step whose observation shows the state "
            "(padding with $κ$ revealing steps, as the paper does)."
        )
        return [Cause(say(last, h=str(game.H)), say(repair, h=str(game.H)))]
    unplayed = _unplayed_everywhere(game, place.pi) if worlds else ()
    if unplayed:
        return [never_played(unplayed, place.pi)]
    if worlds and answers:
        why = say("What changes with the world is made up for by what changes with the response.")
    elif worlds:
        why = say("The two worlds differ only in ways that no later observation of the learner shows.")
    else:
        why = say("The two responses differ only in ways that no later observation of the learner shows.")
    on_intervals = cert.outline.on_intervals
    one = "Fix one of the parameters in which the two models differ" if on_intervals else "Keep one of the two models"
    return [Cause(why, say(f"{one}, or change the emissions or the responses so that play can tell them apart."))]


def _earlier(game: Game, pi: str) -> bool:
    """Return whether the models differ in what they do before the last step, or in what the learner sees there."""
    first, last = game.worlds[0], game.worlds[-1]
    p = game.policy_names.index(pi)
    answers = [response[p][:-1] for response in (game.responses[0], game.responses[-1])]
    return (first.EB[:-1], first.T[:-1], first.EA) != (last.EB[:-1], last.T[:-1], last.EA) or answers[0] != answers[1]


def _unplayed_everywhere(game: Game, pi: str) -> Inline:
    """Return the adversary actions to which all differences of the two worlds are confined, if none is ever played."""
    left, right = game.worlds
    p = game.policy_names.index(pi)
    if (left.EA, left.EB) != (right.EA, right.EB):
        return ()
    moves = product(range(game.H), range(len(game.S)), range(len(game.A)), range(len(game.B)))
    differing = {(h, b) for h, s, a, b in moves if left.T[h][s][a][b] != right.T[h][s][a][b]}
    if any(row[b] for response in game.responses for h, b in differing for row in response[p][h]):
        return ()
    return listed((Label(game.B[b]) for b in sorted({b for _, b in differing})), last="or")


def drawn(cert: Certificate, w: ClaimPlace) -> Tree:
    """Return the tree of Assumption 3.1(e): one law of play, and what differs behind it at the last step of the
    trajectory."""
    both = game_tree.sides(cert, w.pi, w.xi_star, w.xi)
    below = game_tree.path(both, 0, w.trajectory, lambda h, now, pair: game_tree.step(now, h, *pair))
    return tree(
        game_tree.columns(f"model {model(w.xi_star).text}", f"model {model(w.xi).text}"),
        (Branch("", "From step 1 on", then=below),),
        "Game tree of the trajectory: the learner sees everything equally often under both models, and what is "
        "marked differs behind it",
    )


def conversion(which: str, operators: str) -> Told:
    """Return what is told of Assumption 3.1(e) for one kind of operators."""
    return Told(
        title=f"KL conversion, {which}",
        gist=f"Models whose laws of play are close have {operators} that are close.",
        how=how,
        vacuous=vacuous,
        worked=worked,
        walk=walk(operators),
        causes=causes,
        tree=drawn,
    )


JOINT, WORLD = conversion("joint operators", "operators"), conversion("world channel", "world channels")
