"""Tells a certificate as a report's blocks: verdict, class, claims, constants, each claim in full, options, digests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from shlex import quote
from typing import Any

from pomgcheck import statements
from pomgcheck.certificate import Certificate, RecordedClaim
from pomgcheck.errors import counted
from pomgcheck.kernel.parameters import parameter_points
from pomgcheck.options import Options
from pomgcheck.outline import Outline, SideOutline
from pomgcheck.reporting import claims, kernels, matrices
from pomgcheck.reporting.blocks import Block, Document, Heading, Listing, Paragraph, Table
from pomgcheck.reporting.claims import given_operators
from pomgcheck.reporting.numbers import number, shortened
from pomgcheck.reporting.pages import readings
from pomgcheck.reporting.pages.glance import glance
from pomgcheck.reporting.spans import (
    NOTHING,
    Code,
    Field,
    Inline,
    Label,
    Link,
    Strong,
    Text,
    VerdictMark,
    joined,
    listed,
    say,
)
from pomgcheck.reporting.words import constants, model, statement

ORDER = ("proved", "declared", "vacuous", "refuted", "unknown")
MOST_POLICIES = 12  # that are named in the table of the class


def document(cert: Certificate, file: str = "") -> Document:
    """Return the report of a certificate; ``file`` is its name in the command that re-checks it."""
    name = cert.name
    return Document(
        title=f"{name}: certificate",
        stamp={"certificate": cert.sha256, "model": cert.model_sha256},
        glance=glance(cert),
        blocks=(
            Heading(1, say("{name}: certificate", name=name)),
            verdict(cert, linked=True),
            *described(cert.outline),
            Heading(2, say("What was checked"), "claims"),
            claims_table(cert, linked=True),
            *constants_section(cert),
            Heading(2, say("The model class"), "class"),
            class_table(cert.model),
            *(() if cert.outline.by_operators else kernels.tables(cert.model)),
            *matrices.tables(cert.model, cert.options.space),
            Heading(2, say("Claim by claim"), "claim-by-claim"),
            *(block for claim in cert.claims.values() for block in claim_section(cert, claim)),
            Heading(2, say("How the paper was read"), "readings"),
            readings.table(cert),
            Heading(2, say("Options"), "options"),
            Paragraph.of("These choices are part of what is claimed; another choice is another certificate."),
            options_table(cert.options),
            *checking(cert, file or f"{name}.cert.json"),
        ),
    )


# -------------------------------------------------------------------------------------- in general


def verdict(cert: Certificate, linked: bool = False) -> Paragraph:
    """Return the verdict of the whole, the count of each verdict, and which claims fail or are taken on trust."""
    certified = cert.certified
    by_verdict = {word: [c for c in cert.claims.values() if c.verdict == word] for word in ORDER}

    def names(word: str) -> Inline:
        titles = [(claims.title(c.id), c.id) for c in by_verdict[word]]
        last, comma = ("", "; ") if any("," in title for title, _ in titles) else ("and", ", ")
        return listed((Link(title, id) if linked else Text(title) for title, id in titles), last, comma)

    n, occurring = len(cert.claims.values()), [(len(found), kind) for kind, found in by_verdict.items() if found]
    counts = listed(f"{count} {'is' if count == 1 else 'are'} {kind}" for count, kind in occurring)
    word = "certified" if certified else "not certified"
    tally = (
        say("All {n} claims are {kind}.", n=str(n), kind=occurring[0][1])
        if len(occurring) == 1
        else say("Of {n} claims {counts}.", n=str(n), counts=counts)
    )
    sentences = [say("{v}.", v=VerdictMark(word)), tally]
    for kind, sentence in (
        ("refuted", "Refuted: {names}."),
        ("unknown", "Left open: {names}."),
        ("declared", "Taken on trust: {names}."),
        ("vacuous", "Nothing to ask: {names}."),
    ):
        if by_verdict[kind]:
            sentences.append(say(sentence, names=names(kind)))
    return Paragraph(joined(*sentences), role=word)


def described(outline: Outline) -> list[Block]:
    """Return the class's own description and source."""
    said = (("{text}", outline.description), ("Source: {text}", outline.source))
    return [Paragraph.of(sentence, text=text) for sentence, text in said if text is not None]


def claims_table(cert: Certificate, linked: bool = False) -> Table:
    """Return one row per claim: number and id, what it says, verdict, constants, how it was settled, seconds."""

    def name(claim: RecordedClaim) -> Inline:
        paper = Link(claim.paper, claim.id) if linked else Strong(claim.paper)
        return say("{paper} {id}", paper=paper, id=Code(claim.id))

    rows = (
        (
            name(claim),
            claims.gist(claim.id),
            VerdictMark(claim.verdict),
            listed(c.inline() for c in constants(claim.id, claim.values.written)) or NOTHING,
            claims.in_brief(cert, claim),
            claim.search.get("seconds", NOTHING),
        )
        for claim in cert.claims.values()
    )
    titles = ("Claim", "What it says", "Verdict", "Constants", "How", "Seconds")
    return Table.of("", titles, rows, sortable=linked)


def constants_section(cert: Certificate, level: int = 2) -> list[Block]:
    """Return every constant with its certified ends; the decimal of a lower end is rounded down, of an upper end up."""
    rows = [
        (c.symbol, c.meaning, c.exact or c.lower or NOTHING, c.exact or c.upper or NOTHING, Code(claim.id))
        for claim in cert.claims.values()
        for c in constants(claim.id, claim.values.written)
    ]
    table = Table.of("", ("Constant", "What it is", "At least", "At most", "Claim"), rows)
    return [Heading(level, say("Constants"), "certified-constants"), table] if rows else []


# --------------------------------------------------------------------------------------- the class


def size(document: Mapping[str, Any], side: str) -> int | None:
    """Return the number of points of Theta ("worlds") or Psi ("responses"), or ``None`` when an axis is an interval."""
    part = SideOutline.of(document[side])
    if part.points is None and not part.constraints:
        axes = part.axes.values()
        return None if any(axis.interval for axis in axes) else prod(len(axis.numbers) for axis in axes)
    points = parameter_points(document[side], side)
    return None if points is None else len(points)


def parameters(document: Mapping[str, Any], side: str) -> Inline:
    """Return the axes or points of one side and how many points they make."""
    n, part = size(document, side), SideOutline.of(document[side])
    count = "a continuum" if n is None else counted(n, "point")
    if part.points is not None:
        return say("{count}, listed in the document", count=count)
    axes = [
        say(
            "{name} in {values}",
            name=Label(name),
            values=Label(("[{}]" if axis.interval else "{{{}}}").format(", ".join(map(shortened, axis.numbers)))),
        )
        for name, axis in part.axes.items()
    ]
    where_ = say(" where {c}", c=listed(map(Code, part.constraints))) if part.constraints else ""
    return (
        say("{count}: {axes}{where}", count=count, axes=listed(axes), where=where_)
        if axes
        else say("1 point, no parameters")
    )


def class_table(document: Mapping[str, Any]) -> Table:
    """Return spaces, classes and truth."""
    outline = Outline.of(document)

    def named(labels: Sequence[str]) -> Inline:
        return say("{n}: {x}", n=str(len(labels)), x=Label(", ".join(labels)))

    def reads(window: Any) -> str:
        if window == "full":
            return "the whole history"
        return "the last observation" if window == 1 else f"the last {window} observations"

    over = (
        say(", fading at rate $γ$ = {g}", g=number(outline.gamma))
        if outline.gamma is not None
        else say(" over a memory of {m}", m=counted(outline.memory or 0, "policy", "policies"))
    )
    names = outline.policies
    shown = names if len(names) <= MOST_POLICIES else [*names[: MOST_POLICIES - 1], "…"]
    spaces = (
        ("States $S$", outline.states),
        ("Learner actions $A$", outline.learner_actions),
        ("Adversary actions $B$", outline.adversary_actions),
        ("Learner observations $O_A$", outline.learner_observations),
        ("Adversary observations $O_B$", outline.adversary_observations),
    )
    own = outline.by_operators
    rows: list[tuple[str, Field]] = [
        ("Horizon $H$", str(outline.horizon)),
        *((title, named(labels)) for title, labels in spaces if labels),
        *(given_operators.spaces(document) if own else ()),
        ("Worlds $Θ$", parameters(document, "worlds")),
        ("Responses $Ψ$", parameters(document, "responses")),
        *(() if own else (("The adversary reads", reads(outline.response_window)),)),
        ("Reaction rule $R$", say("{rule}{over}", rule=Label(outline.block_rule), over=over)),
        ("Policies $Π$", say("{n}: {x}", n=str(len(names)), x=Label(", ".join(shown)))),
        ("A policy reads", reads(outline.policy_window)),
        ("Truth $ξ*$", model(outline.truth) if outline.truth else "not stated"),
    ]
    return Table.of("", ("Part", "Value"), ((say(key), value) for key, value in rows))


# --------------------------------------------------------------------------------------- the claims


def claim_section(cert: Certificate, claim: RecordedClaim, level: int = 3, episodes: int | None = None) -> list[Block]:
    """Return one claim: verdict, statement, constants, and how it was settled or how it fails.

    The explicit bound is walked through line by line, at ``episodes`` instead of the certificate's T if that is given.
    """
    stated = statement(statements.of(claim.id, cert.model, cert.options.document))
    verdict_ = joined(say("{v}.", v=VerdictMark(claim.verdict)), say("The claim: {g}", g=claims.gist(claim.id)))
    blocks: list[Block] = [
        Heading(
            level,
            say("{title} ({paper})", title=claims.title(claim.id), paper=claim.paper),
            claim.id,
            "open" if claim.verdict == "refuted" else "closed",
            beside(claim),
        ),
        Paragraph(verdict_, role="claim"),
        Paragraph(say("{head} {s}", head=Strong("Statement."), s=stated), role="claim"),
    ]
    found = listed(c.inline() for c in constants(claim.id, claim.values.written))
    if found:
        blocks.append(Paragraph(say("{head} {c}.", head=Strong("Constants."), c=found), role="claim"))
    if claim.verdict == "refuted":
        blocks.append(Paragraph((Strong("The counterexample."),), role="proof"))
        blocks += claims.counterexample(cert, claim)
    elif words := claims.in_words(cert, claim):
        blocks.append(Paragraph(say("{head} {w}", head=Strong(HEADS[claim.verdict]), w=words), role="proof"))
    if claim.verdict == "proved":
        blocks += claims.worked_out(cert, claim, episodes)
    searched = search_note(claim.search)
    return [*blocks, Paragraph(searched, role="note")] if searched else blocks


def beside(claim: RecordedClaim) -> Inline:
    """Return a claim in a line: its verdict, constants and seconds."""
    seconds = claim.search.get("seconds")
    found = [(VerdictMark(claim.verdict),), *(c.inline() for c in constants(claim.id, claim.values.written))]
    return listed([*found, say("{s} s", s=seconds)] if seconds else found, last="")


HEADS = {
    "proved": "How it was proved.",
    "declared": "Why it is declared.",
    "vacuous": "Why it asks nothing.",
    "unknown": "What is left open.",
}


def search_note(search: Mapping[str, Any]) -> Inline:
    """Return what the search says about itself; the kernel does not read it."""
    parts = [search["method"]] if search.get("method") else []
    if search.get("solvers"):
        parts.append(", ".join(f"{name} {version}" for name, version in sorted(search["solvers"].items())))
    if search.get("seconds"):
        parts.append(f"{search['seconds']} s")
    parts += [
        f"{key.replace('_', ' ')} {value}"
        for key, value in sorted(search.items())
        if key not in ("method", "solvers", "seconds", "structure", "stopped")
    ]
    return say("Search (not part of the proof): {p}.", p=listed(parts, last="")) if parts else ()


# --------------------------------------------------------------------------------- options, digests


def options_table(options: Options) -> Table:
    """Return each option that changes a statement, its value, and what it decides."""
    reference = options.reference if isinstance(options.reference, str) else f"({', '.join(options.reference)})"
    limits = ", ".join(f"{v:,} {k}" for k, v in sorted(options.limits.items()))
    rows: list[tuple[str, Field, str]] = [
        ("--kappa", str(options.kappa), "observations in the learner's window of weak revealing"),
        ("--space", options.space, "what a predictive state keeps: windows, or whole histories"),
        ("--form", options.form, "weak revealing conditions on the current observation, or counts it"),
        ("--scope", options.scope, "weak revealing at every predictive state, or those play reaches"),
        ("--tol", number(str(options.tol)), "relative gap at which the search for α stops"),
        ("--lipschitz", options.lipschitz, "posteriors at the same step, or over all steps"),
        ("--operators", options.operators, "errors of operators summed over all that may follow a prefix"),
        ("reference", reference, "the reference law on the adversary's actions"),
        ("--horizon-episodes", f"{options.T:,}", "T, the episodes the bound is for"),
        ("--delta", number(str(options.delta)), "probability with which the bound may fail"),
        ("--limits", limits, "sizes beyond which a class is refused"),
    ]
    told = ((Code(key), value, meaning) for key, value, meaning in rows if (key, value) != ("--operators", "realised"))
    return Table.of("", ("Option", "Value", "What it decides"), told)


def checking(cert: Certificate, file: str) -> list[Block]:
    """Return the digests and the commands that re-check them."""
    sentence = (
        "This page is a reading of the certificate and proves nothing. The kernel re-derives every statement from the model, "
        "which the certificate holds, and checks every value:"
    )
    commands = f"pomgcheck verify {quote(file)}", f"python -I -m pomgcheck.kernel {quote(file)}"
    return closing(sentence, commands, {"certificate": cert.sha256, "model": cert.model_sha256})


def closing(
    sentence: str, commands: Iterable[str], stamp: Mapping[str, str], kind: str = "Digest", **fields: Field
) -> list[Block]:
    """Return the section that ends every report: a sentence with its fields on how what it tells is checked, the
    commands, and the digests, each a ``kind``."""
    return [
        Heading(2, say("Checking it"), "checking"),
        Paragraph.of(sentence, **fields),
        Listing(tuple(commands)),
        Table.of("", (kind, "SHA-256"), ((name, Code(sha)) for name, sha in stamp.items())),
    ]
