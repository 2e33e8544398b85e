"""Tells a certificate in half a page of a paper: the class in formulas, the constants and how each assumption is read,
what is taken on trust, and the digests."""

from __future__ import annotations

import re

from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.reporting import claims
from pomgcheck.reporting.blocks import Block, Document, Heading, Paragraph, Table
from pomgcheck.reporting.numbers import number
from pomgcheck.reporting.pages.certificates import checking, parameters
from pomgcheck.reporting.pages.readings import SENTENCES
from pomgcheck.reporting.spans import NOTHING, Inline, Label, Math, VerdictMark, joined, listed, say
from pomgcheck.reporting.words import Constant, constants

LONG = 12  # characters of the longest fraction that is printed


def document(cert: Certificate, file: str = "") -> Document:
    """Return the short report of a certificate; ``file`` is its name in the command that re-checks it."""
    name = cert.name
    return Document(
        title=f"{name}: certificate",
        stamp={"certificate": cert.sha256, "model": cert.model_sha256},
        blocks=(
            Heading(1, say("{name}: certificate", name=name)),
            Paragraph(the_class(cert)),
            *settled(cert),
            *checking(cert, file or f"{name}.cert.json"),
        ),
    )


def the_class(cert: Certificate) -> Inline:
    """Return horizon, sizes of the spaces, worlds, responses and policies in one sentence, and the memory in another."""
    outline = cert.outline
    spaces = (
        ("S", outline.states),
        ("A", outline.learner_actions),
        ("B", outline.adversary_actions),
        ("O_A", outline.learner_observations),
        ("O_B", outline.adversary_observations),
    )
    sizes = [say("{s} = {n}", s=Math(f"|{letter}|"), n=str(len(labels))) for letter, labels in spaces if labels]
    memory = (
        say("fades at the rate $γ$ = {g}", g=number(outline.gamma))
        if outline.gamma is not None
        else say("is $m$ = {m}", m=str(outline.memory))
    )
    return joined(
        say(
            "The class {name} has horizon $H$ = {h}, {sizes}; worlds $Θ$: {worlds}; responses $Ψ$: {responses}; and {n}.",
            name=Label(outline.name),
            h=str(outline.horizon),
            sizes=listed(sizes, last=""),
            worlds=parameters(cert.model, "worlds"),
            responses=parameters(cert.model, "responses"),
            n=counted(len(outline.policies), "policy", "policies"),
        ),
        say("The memory of the adversary {memory}, its rule {rule}.", memory=memory, rule=Label(outline.block_rule)),
    )


def settled(cert: Certificate) -> list[Block]:
    """Return the table of constants and readings, then what has no constant, and each claim that is not proved in a
    sentence."""
    proved = [claim for claim in cert.claims.values() if claim.verdict == "proved"]
    shown = [claim for claim in proved if constants(claim.id, claim.values.written)]
    plain = [claim for claim in proved if not constants(claim.id, claim.values.written)]
    others = [claim for claim in cert.claims.values() if claim.verdict != "proved"]
    rows = [
        (named(claim), listed(map(constant, constants(claim.id, claim.values.written)), last=""), read(cert, claim))
        for claim in shown
    ]
    caption = f"What is certified of {cert.name}; exact values are in the certificate"
    out: list[Block] = [Table.of(caption, ("Assumption", "Constant", "How it is read"), rows)] if rows else []
    if plain:
        out.append(Paragraph.of("Proved too: {names}.", names=listed(map(named, plain))))
    return [*out, *(Paragraph(sentence(cert, claim)) for claim in others)]


def constant(found: Constant) -> Inline:
    """Return the end of a constant that the theorem uses; a long fraction is given as its decimal, rounded to the safe
    side."""
    relation, end = found.used
    long = end.decimal and len(end.exact) > LONG
    relation = "≈" if found.exact and long else relation
    return say("{s} {r} {x}", s=found.symbol, r=relation, x=end.decimal if long else end.exact)


def named(claim: RecordedClaim) -> Inline:
    """Return a claim by its title and its place in the paper."""
    return say("{title} ({paper})", title=claims.title(claim.id), paper=claim.paper)


def read(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return the choices made in reading the claim's place in the paper."""
    place = re.sub(r"[()]", "", claim.paper.split()[-1])
    found = [say(SENTENCES[each]) for each in cert.readings if each.partition(":")[0] == place]
    return joined(*found) if found else NOTHING


def sentence(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return a claim that is not proved, in a sentence."""
    head = say("{name} is {v}", name=named(claim), v=VerdictMark(claim.verdict))
    words = claims.in_words(cert, claim) if claim.verdict in ("declared", "vacuous") else ()
    if claim.verdict == "refuted":
        words = say("the claim that fails is: {g}", g=claims.gist(claim.id))
    return say("{head}: {words}", head=head, words=words) if words else say("{head}.", head=head)
