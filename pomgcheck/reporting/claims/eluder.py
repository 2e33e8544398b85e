"""Tells Proposition 2.6 claim by claim: the sequence below the bracket, and the paper's counts beside what is exact."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from pomgcheck.certificate import Certificate, ClaimProof, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.evaluation import Stage
from pomgcheck.reporting.numbers import LONGEST, decimal, fraction
from pomgcheck.reporting.spans import NOTHING, Field, Inline, Label, Math, joined, listed, say
from pomgcheck.reporting.words import exact, model, point, short

MOST_QUERIES = 6  # of a sequence of policies
LETTERS = {"eluder-world": "W", "eluder-adversary": "G"}  # and the letter of the channel


def in_words(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return where the two ends of the bracket come from."""
    letter, values = LETTERS[claim.id], claim.values.written
    length = int(values[f"d_{letter}_lower"])
    if not length:
        return say("No function of the class exceeds the scale at any policy, so there is nothing to learn about.")
    below = say(
        "A sequence of {n} of the class, the truth being {x}, is found, and its functions are computed again: at each "
        "policy some function exceeds the scale, and its squares at the policies before it sum to no more than the "
        "squared scale.",
        n=counted(length, "policy", "policies"),
        x=model(claim.proof.xi_star),
    )
    if cert.options.operators == "summed":
        below = joined(below, say("Errors are summed over all observations, and over actions with their chances."))
    if claim.proof.bounds is not None:
        above = say(
            "No sequence has more policies than there are under which some entry of the channel varies, nor "
            "more than the sign-witness bound of Lemma C.1 at the rank {p}, which the entries have as functions of "
            "the parameters, with their ranges over the class.",
            p=values[f"p_{letter}"],
        )
        return joined(below, above)
    above = say(
        "No sequence has more policies than there are policies, or functions, that exceed the scale, nor more than the "
        "sign-witness bound of Lemma C.1 at the exact rank {p}; in a small class all sequences are enumerated.",
        p=values[f"p_{letter}"],
    )
    return joined(below, above)


def walk_through(cert: Certificate, claim: RecordedClaim) -> list[Block]:
    """Return the sequence with its numbers, and the counts of Proposition 2.6."""
    evidence = claim.proof
    blocks: list[Block] = [queries(evidence)] if evidence.sequence else []
    blocks.append(counts(cert, claim))
    if (structure := computed(claim)) and structure.entry:
        blocks.append(Paragraph(not_affine(structure.entry, structure.weights)))
    return blocks


class ChannelEntry(NamedTuple):
    """This is an entry of W that is not affine in the parameters: at step ``h``, from the state ``s`` to ``s_next``."""

    o: str
    a: str
    s: str
    o_B: str
    b: str
    s_next: str
    h: int


class Structure(NamedTuple):
    """This is the coordinate structure of a world channel: the rank of its transitions, and whether its entries are affine in
    the parameters; if not, ``entry`` is not, as the ``weights`` of points of the class show."""

    transition_rank: int
    affine: bool
    entry: ChannelEntry | None
    weights: Sequence[tuple[Mapping[str, str], str]]


def computed(claim: RecordedClaim) -> Structure | None:
    """Return the coordinate structure that the search noted beside the claim, or ``None`` if there is none that can be
    read.

    No digest covers it, and the kernel does not look at it.
    """
    try:
        noted = json.loads(claim.search["structure"])
        entry = None if noted["affine"] is True else ChannelEntry(**noted["entry"])
        found = Structure(noted["transition_rank"], noted["affine"], entry, noted.get("weights", []))
        for theta, weight in found.weights:
            _ = fraction(weight), [fraction(x) for x in theta.values()]
        good = type(found.transition_rank) is int and type(found.affine) is bool
        told = entry is None or (all(isinstance(text, str) for text in entry[:-1]) and type(entry.h) is int)
        return found if good and told and (found.weights or found.affine) else None
    except (ArithmeticError, AttributeError, KeyError, TypeError, ValueError):
        return None


def queries(evidence: ClaimProof) -> Table:
    """Return one row per query of the sequence: the policy, its witness, and the squares on both sides of the scale."""
    scale = decimal(fraction(evidence.scale_squared))
    caption = f"Each policy is independent of those before it at the squared scale {scale}"
    rows = []
    for number, entry in enumerate(evidence.sequence, 1):
        witness = Label(point(entry.theta or entry.Phi) or "–")
        before, here = (decimal(fraction(square)) for square in (entry.before, entry.square))
        rows.append((str(number), Label(entry.pi), witness, before, here))
    return Table.of(caption, ("Query", "Policy", "Witness", "Its squares before", "Its square here"), rows)


def counts(cert: Certificate, claim: RecordedClaim) -> Table:
    """Return the exact rank beside the dimensions that Proposition 2.6 counts."""
    letter = LETTERS[claim.id]
    found = claim.values.written[f"p_{letter}"]
    rank = say("exact rank {p}", p=Math(f"p_{letter}")), found, "dimension that the differences of the class span"
    rows = adversary_counts(cert) if letter == "G" else world_counts(cert, computed(claim))
    title = "What exactness buys: the span of the class, and the paper's count of it"
    return Table.of(title, ("Span", "Dimensions", "What is counted"), (rank, *rows))


Row = tuple[Field, Field, Field]


def adversary_counts(cert: Certificate) -> list[Row]:
    """Return H d_adv |B|, where d_adv counts the features of a linear response, or else the response parameters."""
    outline = cert.outline
    linear = outline.features is not None
    features = outline.features if outline.features is not None else len(outline.responses.names)
    value = outline.horizon * features * len(outline.adversary_actions)
    what = "features of the linear response" if linear else "response parameters; no linear form is given"
    return [
        (
            Math("H d_{adv} |B|"),
            f"{value:,}",
            say("{s} = {d}, the {what}", s=Math("d_{adv}"), d=str(features), what=what),
        )
    ]


def world_counts(cert: Certificate, structure: Structure | None) -> list[Row]:
    """Return the tabular, linear and low-rank counts; the last two need the coordinate structure, which is computed."""
    outline = cert.outline
    S, A, B = map(len, (outline.states, outline.learner_actions, outline.adversary_actions))
    windows = window_contexts(cert)
    d, H = len(outline.worlds.names), outline.horizon
    r, affine = (structure.transition_rank, structure.affine) if structure else (0, False)
    rows = (
        ("tabular", "H |S|^2 |A| |B| |O_A|^k |O_B|^k", S**2 * A * B, "every entry free", True),
        ("linear", "H d_{lin} |O_A|^k |O_B|^k", d, f"{counted(d, 'world parameter')}; computed", affine),
        (
            "low-rank",
            "H r^2 (|A|+|B|) |O_A|^k |O_B|^k",
            r**2 * (A + B),
            f"transitions of rank r = {r}; computed",
            affine,
        ),
    )
    out: list[Row] = []
    for name, formula, per_context, what, applies in rows:
        value = f"{H * per_context * windows:,}" if windows and applies else NOTHING
        missing = "does not apply: an entry of the world channel is not affine" if structure else "not computed"
        why = what if applies else missing
        why = why if windows else "does not apply: tables read whole histories"
        out.append((say("{name} {formula}", name=name, formula=Math(formula)), value, why))
    return out


def window_contexts(cert: Certificate) -> int | None:
    """Return |O_A|^k |O_B|^k, where k is on each side the longer of kappa and its window, or ``None`` for whole
    histories."""
    total, outline = 1, cert.outline
    for window, labels in (
        (outline.policy_window, outline.learner_observations),
        (outline.response_window, outline.adversary_observations),
    ):
        if window == "full":
            return None
        total *= len(labels) ** max(window, cert.options.kappa)
    return total


def not_affine(entry: ChannelEntry, weighted: Sequence[tuple[Mapping[str, str], str]]) -> Inline:
    """Return the entry of W that is not affine in the parameters, and the points that show it."""
    weights = listed(say("{w} at {x}", w=short(weight), x=Label(point(theta))) for theta, weight in weighted)
    return say(
        "Computed, and no part of any bound: the parameters are no coordinates of the world channel (Section 2.6). Weighted by {w}, one and all parameters "
        "sum to zero, and the entry of {W} that leads from {s} to {t} at step {h}, the learner seeing {o} and playing "
        "{a} while the adversary sees {o_B} and plays {b}, does not. The linear and low-rank counts need coordinates.",
        w=weights,
        W=(Math("W"),),
        s=Label(entry.s),
        t=Label(entry.s_next),
        h=str(entry.h),
        o=Label(entry.o),
        a=Label(entry.a),
        o_B=Label(entry.o_B),
        b=Label(entry.b),
    )


def errors(cert: Certificate, claim: RecordedClaim) -> list[Block]:
    """Return each query of the sequence: what its function is at every policy so far, as a sum over steps."""
    evidence, world = claim.proof, claim.id == "eluder-world"
    sequence = evidence.sequence
    if not 0 < len(sequence) <= MOST_QUERIES:
        return []
    star, rows = evidence.xi_star, []
    for number_, query in enumerate(sequence, 1):
        other = star._replace(theta=query.theta) if world else star._replace(Phi=query.Phi)
        for before in sequence[:number_]:
            stage = Stage(cert, [star, other], before.pi)
            if not stage.small:
                return []
            found = stage.differences(0, 1, world)
            steps = [sum((c * gap for h, c, gap in found if h == k), Fraction(0)) for k in range(stage.game.H)]
            value = sum(steps, Fraction(0))
            shown = exact(value) if len(str(value)) <= LONGEST else decimal(value)
            rows.append((str(number_), Label(before.pi), " + ".join(map(decimal, steps)), shown, decimal(value**2)))
    channel = "world" if world else "adversary"
    caption = f"The error of the {channel} channel that each witness makes at its own policy and at those before it"
    return [Table.of(caption, ("Query", "Policy", "Step by step", "Error", "Its square"), rows)]


def worked(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return the errors along the sequence, the sequence with its squares, and the counts of Proposition 2.6."""
    return [*errors(cert, claim), *walk_through(cert, claim)]


WORLD = Told(
    title="Eluder dimension, world channel",
    gist="Only so many policies in a row can each show an error of the world channel that those before it did not.",
    how=in_words,
    worked=worked,
)
ADVERSARY = Told(
    title="Eluder dimension, adversary channel",
    gist="Only so many policies in a row can each show an error of the response that those before it did not.",
    how=in_words,
    worked=worked,
)
