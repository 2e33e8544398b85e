"""Proofs of a small class worked out with numbers, to be checked by hand: one function a claim.

Each calculation starts from the place that the certificate names and from the tables of its model, so that a reader
can do the same sums; where a class is too large for that, there is nothing here and the certificate is the proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

from pomgcheck.kernel.game import parameter_points
from pomgcheck.reporting import boxes, own_operators, pairs, revealing
from pomgcheck.reporting.blocks import NOTHING, Block, Inline, Label, Math, Paragraph, Table, listed, say
from pomgcheck.reporting.evaluation import Stage, l1, mass
from pomgcheck.reporting.numbers import LONGEST, Direction, decimal, fraction, log_decimal, number
from pomgcheck.reporting.words import counted, exact, model, over, play, row, short

Certificate = Mapping[str, Any]
Claim = Mapping[str, Any]
MOST_ROWS = 16  # of a law of play
MOST_PLAYS = 512  # that are summed over
MOST_QUERIES = 6  # of a sequence of policies
DIGITS = 9  # of a term of a sum, so that the sum keeps six


def vector(xs: Sequence[Fraction]) -> Label:
    """A row of exact numbers."""
    return row(list(map(str, xs)))


# ------------------------------------------------------------------------------- Assumption 2.3: L


def posterior_lipschitz(cert: Certificate, claim: Claim) -> list[Block]:
    """The maximising pair: both answers, both posteriors, and the ratio of their distances."""
    place = claim["evidence"].get("attained")
    if place is None or not isinstance(place["pi"], str) or cert["options"]["lipschitz_form"] != "step":
        return []
    xi = {"theta": place["theta"], "Phi": place["Phi"]}
    pi, nu = (Stage(cert, [xi], place[key]) for key in ("pi", "nu"))
    game, h, tau = pi.game, place["h"] - 1, place["tau_B"]
    if not pi.small:
        return []
    reference = cert["options"]["reference"]
    law = [Fraction(1, len(game.B))] * len(game.B) if reference == "uniform" else list(map(fraction, reference))
    masses = [stage.posterior_masses(0, tau, law) for stage in (pi, nu)]
    posteriors = [[x / sum(part) for x in part] for part in masses]
    answers = [stage.answer(h, tau) for stage in (pi, nu)]
    moved, apart = l1(*answers), l1(*posteriors)
    rows = (
        (say("answer over {B}", B=over(game.B)), *((vector(x),) for x in answers), exact(moved)),
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
    columns = ("At this history", f"Policy {place['pi']}", f"Policy {place['nu']}", "ℓ₁ distance")
    caption = "The largest ratio: the adversary's answers, and its posteriors of the learner's action"
    return [
        Table(caption, columns, rows),
        Paragraph(
            say(
                "So the answers move ({a}) / ({b}) = {r} times as far as the posteriors.",
                a=short(str(moved)),
                b=short(str(apart)),
                r=number(str(moved / apart)),
            )
        ),
    ]


# ------------------------------------------------------------------------ Assumption 3.1(b) and (c)


def covering(cert: Certificate, claim: Claim) -> list[Block]:
    """The count of the class's models."""
    bound, sides = claim["values"]["log_covering_upper"], ("worlds", "responses")
    points = [parameter_points(cert["model"][side], side) for side in sides]
    if isinstance(bound, str) or None in points:
        return []
    sizes = [len(part or ()) for part in points]
    left = prod(sizes) - int(bound["log_of"])
    merged = say(", of which {n} are others again", n=str(left)) if left else ""
    return [
        Paragraph(
            say(
                "They are {a} × {b} = {n}: {worlds} and {answers}{merged}.",
                a=str(sizes[0]),
                b=str(sizes[1]),
                n=str(prod(sizes)),
                worlds=counted(sizes[0], "world"),
                answers=counted(sizes[1], "response"),
                merged=merged,
            )
        )
    ]


def bounded_increments(cert: Certificate, claim: Claim) -> list[Block]:
    """The extremal trajectory, observation by observation under both models."""
    place = claim["evidence"]["attained"]
    stage = Stage(cert, [place["xi"], place["xi_prime"]], place["pi"])
    return [stepwise(stage, place["trajectory"], (place["xi"], place["xi_prime"]))] if stage.small else []


def stepwise(stage: Stage, trajectory: Sequence[str], models: Sequence[Any]) -> Table:
    """The probability of each observation given what came before, under two models, and the products."""
    q, rows = [stage.start(), stage.start()], []
    total = [Fraction(1), Fraction(1)]
    for h, (o, a) in enumerate(zip(trajectory[::2], trajectory[1::2], strict=True)):
        before = [mass(x) for x in q]
        q = [stage.moved(x, h, o, a, q[x]) for x in (0, 1)]
        total = [mass(x) for x in q]
        ratios = [a / b if b else Fraction(0) for a, b in zip(total, before, strict=True)]
        rows.append((say("{h}", h=str(h + 1)), (Label(o),), (Label(a),), *map(exact, ratios), quotient(*ratios)))
    rows.append((say("product"), NOTHING, NOTHING, *map(exact, total), quotient(*total)))
    return Table(
        "The probability of each observation, given what came before it",
        ("Step", "Seen", "Played", f"Under {model(models[0]).text}", f"Under {model(models[1]).text}", "Ratio"),
        tuple(rows),
    )


def quotient(x: Fraction, y: Fraction) -> Inline:
    return exact(x / y) if y else NOTHING


# ----------------------------------------------------------------------------- Assumption 3.1(e): KL


def conversion(cert: Certificate, claim: Claim) -> list[Block]:
    """The minimising pair: both laws of play, the divergence, and the squared differences it is compared with."""
    place, world = claim["evidence"]["attained"], claim["id"] == "kl-world"
    stage = Stage(cert, [place["xi_star"], place["xi"]], place["pi"])
    laws = [stage.law(x) for x in (0, 1)] if stage.small else []
    if not laws or len(laws[0]) > MOST_PLAYS:
        return []
    star, other = laws
    terms = {t: (p, other[t]) for t, p in star.items() if p}
    rows = [(play(t), exact(p), exact(r), say("{x}", x=log_term(p, r, "nearest"))) for t, (p, r) in terms.items()]
    low, high = (divergence(terms.values(), end) for end in ("down", "up"))
    rows.append(
        (
            say("sum"),
            exact(sum(star.values(), Fraction(0))),
            exact(sum(other.values(), Fraction(0))),
            say("{x}", x=decimal(low, "nearest", DIGITS)),
        )
    )
    found = stage.differences(0, 1, world)
    by_step = [
        (h, sum((chance * gap**2 for step, chance, gap in found if step == h), Fraction(0)))
        for h in range(stage.game.H)
    ]
    total = sum((x for _, x in by_step), Fraction(0))
    operators = "world channels" if world else "operators"
    name, sign = ("c_KL_world", "W") if world else ("c_KL_joint", "J")
    squares = [(say("{h}", h=str(h + 1)), exact(x)) for h, x in by_step]
    lower, upper = (fraction(claim["values"][f"{name}_{end}"]) for end in ("lower", "upper"))
    constant = Math(f"c^{sign}_{{KL}}")
    law = Table(
        "The laws of play of the tightest pair",
        (
            "The learner sees/plays",
            f"P*: {model(place['xi_star']).text}",
            f"P: {model(place['xi']).text}",
            "P* log(P*/P)",
        ),
        tuple(rows),
    )
    return [
        *([law] if len(star) <= MOST_ROWS else []),
        Table(
            f"The {operators}: expected squared ℓ₁ difference at the predictive state of ξ*, step by step",
            ("Step", "Squared difference"),
            (*squares, (say("sum"), exact(total))),
        ),
        Paragraph(
            say(
                "The divergence lies between {a} and {b}, the sum of squares is {d}, and so their quotient lies between "
                "{x} and {y}; certified is {c} between {l} and {u}.",
                a=decimal(low, "down", DIGITS),
                b=decimal(high, "up", DIGITS),
                d=decimal(total, digits=DIGITS),
                x=decimal(low / total, "down", DIGITS),
                y=decimal(high / total, "up", DIGITS),
                c=constant,
                l=decimal(lower, "down", DIGITS),
                u=decimal(upper, "up", DIGITS),
            )
        ),
    ]


ENCLOSED = 30  # digits of an enclosed logarithm


def log_term(p: Fraction, r: Fraction, direction: Direction) -> str:
    """``p log(p/r)`` as a decimal to read."""
    return decimal(p * fraction(log_decimal(p / r, direction, ENCLOSED)), digits=DIGITS)


def divergence(terms: Any, direction: Direction) -> Fraction:
    """A bound of sum p log(p/r) from that side."""
    return sum((p * fraction(log_decimal(p / r, direction, ENCLOSED)) for p, r in terms), Fraction(0))


# -------------------------------------------------------------------------- Proposition 2.6: Eluder


def eluder(cert: Certificate, claim: Claim) -> list[Block]:
    """Each query of the sequence: what its function is at every policy so far, as a sum over steps."""
    evidence, world = claim["evidence"], claim["id"] == "eluder-world"
    sequence = evidence["sequence"]
    if not 0 < len(sequence) <= MOST_QUERIES:
        return []
    star, rows = evidence["xi_star"], []
    for number_, query in enumerate(sequence, 1):
        other = star | ({"theta": query["theta"]} if world else {"Phi": query["Phi"]})
        for before in sequence[:number_]:
            stage = Stage(cert, [star, other], before["pi"])
            if not stage.small:
                return []
            found = stage.differences(0, 1, world)
            steps = [sum((c * gap for h, c, gap in found if h == k), Fraction(0)) for k in range(stage.game.H)]
            value = sum(steps, Fraction(0))
            rows.append(
                (
                    say("{n}", n=str(number_)),
                    (Label(before["pi"]),),
                    say("{s}", s=" + ".join(decimal(x) for x in steps)),
                    exact(value) if len(str(value)) <= LONGEST else say("{x}", x=decimal(value)),
                    say("{x}", x=decimal(value**2)),
                )
            )
    channel = "world" if world else "adversary"
    caption = f"The error of the {channel} channel that each witness makes at its own policy and at those before it"
    return [Table(caption, ("Query", "Policy", "Step by step", "Error", "Its square"), tuple(rows))]


WORKED: dict[str, Callable[[Certificate, Claim], list[Block]]] = {
    "posterior-lipschitz": posterior_lipschitz,
    "weak-revealing": revealing.worked_out,
    "covering": covering,
    "bounded-increments": bounded_increments,
    "kl-joint": conversion,
    "kl-world": conversion,
    "eluder-world": eluder,
    "eluder-adversary": eluder,
}


def out(cert: Certificate, claim: Claim) -> list[Block]:
    """The calculation of a proved claim, where the class is small enough for one."""
    if own_operators.given(cert):
        return []
    rule = claim["evidence"]["rule"]
    covered = boxes.summary(cert, claim) if rule == "box" else pairs.summary(cert, claim) if pairs.boxed(claim) else []
    return [*covered, *(WORKED[claim["id"]](cert, claim) if claim["id"] in WORKED else [])]


def law_of_play(cert: Certificate, w: Mapping[str, Any]) -> list[Block]:
    """One law of play, two models: the probability of every trajectory under both, for a refuted KL conversion."""
    stage = Stage(cert, [w["xi_star"], w["xi"]], w["pi"])
    laws = [stage.law(x) for x in (0, 1)] if stage.small else []
    if not laws or len(laws[0]) > MOST_ROWS:
        return []
    rows = tuple((play(t), exact(p), exact(laws[1][t])) for t, p in laws[0].items() if p or laws[1][t])
    columns = ("The learner sees/plays", f"Under {model(w['xi_star']).text}", f"Under {model(w['xi']).text}")
    return [Table("The one law of play", columns, rows)]


def ruled_out(cert: Certificate, w: Mapping[str, Any]) -> list[Block]:
    """A trajectory that one model rules out: the probability of each observation under both."""
    stage = Stage(cert, [w["xi"], w["xi_prime"]], w["pi"])
    return [stepwise(stage, w["trajectory"], (w["xi"], w["xi_prime"]))] if stage.small else []
