"""Works Theorem 3.3 out line by line with numbers, at any T: what it is made of, both routes, and what they are worth."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod

from pomgcheck.certificate import Certificate, Logarithm, RecordedClaim
from pomgcheck.kernel.bound import C_0, Grid, Lines, Premises, Radius
from pomgcheck.kernel.enclosures import Interval, interval, root
from pomgcheck.kernel.nested import Truth
from pomgcheck.kernel.paper_bound import theorem
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.claims import sensitivity
from pomgcheck.reporting.claims.constants_lines import BoundLine, paper_lines, sharp_lines, substituted, told_of
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.numbers import Direction, decimal
from pomgcheck.reporting.spans import Code, Inline, Math, Strong, listed, say

AT_THIS_T = "Each holds with probability at least $1 − 2δ$ at this T, which fixes the warm-up (Theorem 5.2)."
AT_EVERY_T = "Each holds with probability at least $1 − 2δ$, for all T at once (Theorem 5.1)."
TABULAR = (
    "{head} It is about all games of these sizes. With two states and two actions of the adversary, or more, and a step to "
    "spare, that class fails Assumptions 2.4 and 3.1(e) (docs/paper.md), so that the theorem has no number to give."
)
DOUBLINGS = 400  # how far a T is looked for at which the paper's route says something


def premises(cert: Certificate, T: int) -> Premises:
    """Return what the bound at T is made of, as certified; beyond the certificate's own T each Eluder dimension is
    |Π|."""
    outline, options, known = cert.outline, cert.options, cert.values
    policies = len(outline.policies)
    d_W, d_G = (int(known.fraction(f"d_{x}_upper")) if options.T >= T else policies for x in "WG")
    increments, size = known.B0_upper, known.log_covering_upper
    assert isinstance(increments, Logarithm)  # the kernel has it so
    assert isinstance(size, Logarithm)
    return Premises(
        outline.horizon,
        len(outline.adversary_actions),
        policies,
        int(size.of),
        increments.of,
        Fraction(1) if options.operators == "summed" else known.fraction("least_observation"),
        known.fraction("c_KL_joint_lower", 1),
        known.fraction("c_KL_world_lower", 1),
        d_W,
        d_G,
        options.delta,
        outline.memory,
        known.fraction("reward_range"),
        known.fraction("later_range"),
        dearest(cert) or Fraction(outline.horizon),
        known.fraction("gamma", 0),
        known.fraction("L_g", 0),
        net(cert),
        known.fraction("log_likelihood_lipschitz_upper", 0),
        truths(cert),
    )


def truths(cert: Certificate) -> tuple[Truth, ...] | None:
    """Return what the claim ``regret`` says about every model of a finite class.

    The tuple is empty where nothing can be lost; ``None`` stands for a claim that is open.
    """
    claim = cert.claims.get("regret")
    if claim is None or claim.verdict == "unknown" or cert.outline.on_intervals:
        return None
    return tuple(map(Truth.read, claim.evidence["truths"])) if claim.verdict == "proved" else ()


def net(cert: Certificate) -> Grid | None:
    """Return the grids of a class with interval axes, one point along an axis that the certificate's grid leaves out."""
    sides = cert.outline.worlds, cert.outline.responses
    axes = sum(axis.interval for side in sides for axis in side.axes.values())
    claim = cert.claims["covering"]
    if not axes:
        return None
    counts = claim.proof.grid.values()
    cells = int(claim.values.written["log_covering_upper"]["log_of"]) // prod(counts)
    return Grid(cells, (*counts, *[1] * (axes - len(counts))), cert.options.T)


def walk_through(cert: Certificate, T: int | None = None) -> list[Block]:
    """Return both routes at T, by default the certificate's; then what they are worth, and what no learner can beat."""
    T = cert.options.T if T is None else T
    p = premises(cert, T)
    finite, nets = told_of(p, T), p.covering is not None
    paper = finite | theorem(p, T)
    other = "Without operators" if nets else "For a finite class"
    return [
        Table.of("What the bound is made of", ("Sign", "What it is", "Value"), made_of(p, T)),
        *route(f"{other}, at T = {T:,}", sharp_lines(p), finite, p, T),
        *route(f"Computed, not proved: by operators, as in the paper, at T = {T:,}", paper_lines(p), paper, p, T),
        *map(
            Paragraph,
            (
                split(cert, p, T, finite, other, "sharp_regret", "sharp_statistical", "sharp_warmup", "sharp_switches"),
                split(cert, p, T, paper, "Computed by operators", "regret", "statistical", "warmup", "switches"),
                worth(cert, p),
                say(AT_THIS_T if p.m is None else AT_EVERY_T),
                say(TABULAR, head=Strong("Tabular form (Theorem 5.3).")),
                lower(p, T),
            ),
        ),
    ]


def at_most(x: Interval) -> str:
    """Return the upper end of an interval as a decimal, rounded up."""
    return decimal(x.high, "up")


def rounded(x: Fraction, direction: Direction) -> str:
    """Return the safe decimal of a certified end, such as ``≤ 0.486591``."""
    return f"{'≤' if direction == 'up' else '≥'} {decimal(x, direction)}"


def made_of(p: Premises, T: int) -> list[tuple[Math, Inline, str]]:
    """Return the numbers that enter, each from its own claim."""
    r = Radius(p, T)
    rows = [
        ("H", "horizon", str(p.H)),
        ("m", "memory" if p.m else "warm-up of the fading rule, $⌈log(2T)/(1−γ)⌉$", str(r.m.high)),
        ("|Π|", "policies", str(p.policies)),
        ("|B|", "actions of the adversary", str(p.actions)),
        ("N", "distinct models, the class being its own net", str(p.models))
        if p.covering is None
        else ("log N", "log covering number at $1/(2T+4)$", rounded(r.log_N.high, "up")),
        ("B_0", f"{sensitivity.ratios_bounded(p)}, at least 1", rounded(r.B_0.high, "up")),
        ("c^J_{KL}", "conversion, joint operators, at most 1", rounded(min(p.c_J, Fraction(1)), "down")),
        ("c^W_{KL}", "conversion, world channel, at most 1", rounded(min(p.c_W, Fraction(1)), "down")),
        ("d^W", "Eluder dimension of the world channel at scale $1/(2T)$", f"≤ {p.d_W}"),
        ("d^G", "Eluder dimension of the adversary channel at scale $1/(2T)$", f"≤ {p.d_G}"),
        ("R", "by how much optimism may misjudge the rewards of an episode", rounded(p.range, "up")),
        ("R′", "what an episode of warm-up loses at most", rounded(p.later, "up")),
        ("p_{min}", "least probability of a possible observation given what came before", rounded(p.least, "down"))
        if p.least < 1
        else ("p_{min}", "1, since no observation is uncertain or operators are summed", "1"),
        ("δ", "confidence parameter", decimal(p.delta)),
        ("c", "constant of the radius", "16"),
        ("C_0", "constant of the test, $6(e−2)$", rounded(C_0.high, "up")),
    ]
    if p.covering is not None:
        rows.append(("ℓ", "level of the net, $⌈log_2(T+2)⌉$", str((T + 1).bit_length())))
    if p.m is None:
        rows += [
            ("γ", "fading rate", decimal(p.gamma)),
            ("L_g", "Lipschitz constant of the fading response", rounded(p.L_g, "up")),
            ("s", "what the transient moves, $B_0((e−1) H L_g + 2 log(8/δ))$", rounded(r.slack.high, "up")),
        ]
    return [(Math(sign), say(meaning), value) for sign, meaning, value in rows]


def route(caption: str, lines: Sequence[BoundLine], numbers: Lines, p: Premises, T: int) -> list[Block]:
    """Return each line: its formula and its value; then each with the numbers of the lines before it, rounded as
    shown."""
    known = {sign.source: value.removeprefix("≤ ").removeprefix("≥ ") for sign, _, value in made_of(p, T)} | {
        "T": str(T)
    }
    formulas, sums = [], []
    for line in lines:
        value = at_most(numbers[line.name])
        formulas.append((Math(line.sign), Math(line.formula) if line.calculated else say(line.formula), value))
        if line.calculated:
            sums.append((Math(line.sign), Math(substituted(line.formula, known))))
        known[line.sign] = value
    numbered = f"{caption}, each line with the numbers of those before it"
    return [
        Table.of(caption, ("Line", "Formula", "At most"), formulas),
        Table.of(numbered, ("Line", "Calculation"), sums, dense=True),
    ]


def dearest(cert: Certificate) -> Fraction | None:
    """Return D, the most that a settled episode can lose, where the claim ``regret`` has it."""
    return cert.values.fraction("D") if "D" in cert.values else None


def split(cert: Certificate, p: Premises, T: int, lines: Lines, route: str, *names: str) -> Inline:
    """Return the bound, its two parts, the switches it allows, and how it compares with D T, or with H T where D is
    not known."""
    regret, statistical, warmup, switches = (at_most(lines[name]) for name in names)
    D = dearest(cert)
    trivial = (p.H if D is None else D) * T
    verdict = "below" if lines[names[0]].high < trivial else "not below"
    return say(
        "{head} The policy regret is at most {r}: a statistical part of {s} and a warm-up part of {w}, for at most {n} "
        "policies deployed. This is {v} {t}{most}.",
        head=Strong(f"{route}."),
        r=regret,
        s=statistical,
        w=warmup,
        n=switches,
        v=verdict,
        t=say("$H T$ = {t}", t=f"{trivial:,}")
        if D is None
        else say("$D T$ = {t}", t=decimal(Fraction(trivial), "down")),
        most=", what rewards in [0, 1] allow" if D is None else ", the most that settled episodes can lose",
    )


def worth(cert: Certificate, p: Premises) -> Inline:
    """Return from which T on the two bounds say anything at all."""
    first = cert.values.fraction("T_star")
    k, D = power_of_operators(p._replace(d_W=p.policies, d_G=p.policies)), dearest(cert)
    shown_ = "" if k is None else decimal(Fraction(2**k), digits=2)
    paper = (
        say("at no T that was tried")
        if k is None
        else say("only at a T of about {p} ≈ {x}", p=Math(f"2^{{{k}}}"), x=shown_)
    )
    return say(
        "{head} The bound {route} falls below {trivial} at $T*$ = {first}{when}, which is proved. That computed by "
        "operators does so {paper}: {practice}.",
        head=Strong("What they are worth."),
        route="for a finite class" if p.covering is None else "without operators",
        trivial=say("$H T$, what rewards in [0, 1] allow,")
        if D is None
        else say("$D T$, the most that settled episodes can lose,"),
        first=f"{int(first):,}",
        when=say(" for the first time") if p.covering is None else say(", and is not below it at $T* − 1$"),
        paper=paper,
        practice="it says nothing at a T that can be played" if k is None or k > 30 else "before that it says nothing",
    )


@lru_cache(sensitivity.KEPT)
def power_of_operators(p: Premises) -> int | None:
    """Return the least k for which the bound by operators says something at T = 2^k, or ``None`` if none that is tried
    does."""
    return next((k for k in range(DOUBLINGS) if theorem(p, 2**k)["regret"].high < p.dearest * 2**k), None)


def lower(p: Premises, T: int) -> Inline:
    """Return Theorem 4.1 with its constant."""
    d = max(2, p.d_W + p.d_G)
    value = min(root(interval(d * T)).low, Fraction(T)) / 20
    return say(
        "{head} On the bandit family with d ≥ 2 arms and gap {gap} every learner has an expected policy regret of at "
        "least {least} (Auer, Cesa-Bianchi, Freund and Schapire 2002, Theorem 5.1): {x} for d = {d}.",
        head=Strong("What no learner can beat (Theorem 4.1)."),
        gap=Math("min{√(d/T), 1}/4"),
        least=Math("min{√(dT), T}/20"),
        x=decimal(value, "down"),
        d=str(d),
    )


def how(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how Theorem 3.3 was computed, with every constant."""
    return say(
        "Every constant is carried through the lines of the bound, from the values of the other claims, in intervals "
        "with rational ends (docs/bound.md derives each line). The bound by operators and Eluder dimensions, as in the "
        "paper's proof, is computed below and is not among what is proved."
    )


def left_open(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return why the explicit bound is left open."""
    others = [claim for claim in cert.claims.values() if claim.id not in ("regret", "constants")]
    if unknown := [Code(claim.id) for claim in others if claim.verdict == "unknown"]:
        n = "one is open" if len(unknown) == 1 else "some are open"
        return say("The bound is made of the values of all claims before it, and {n}: {p}.", p=listed(unknown), n=n)
    return say(
        "Each response must answer every policy with the same possible actions, or what is seen while a fading "
        "memory settles may be impossible for the settled class."
    )


def vacuous(cert: Certificate) -> Inline:
    """Return why the theorem says nothing."""
    return say(
        "The theorem asks for every claim before it, so of this class it says nothing. Refuted: {p}.",
        p=listed(Code(c.id) for c in cert.claims.values() if c.verdict == "refuted"),
    )


def worked(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return the bound line by line, at the certificate's T or at another, and how it moves with each constant."""
    T = cert.options.T if episodes is None else episodes
    p = premises(cert, T)
    return [
        *walk_through(cert, episodes),
        *sensitivity.told(sensitivity.of_theorem(p, T, dearest(cert) is not None), T, "T*", "U^♯_T"),
        *sensitivity.told(sensitivity.by_operators(p, T), T, "", "U_T"),
    ]


TOLD = Told(
    title="The explicit regret bound",
    gist="The learner's policy regret is at most a number that is worked out here, every constant included.",
    how=how,
    vacuous=vacuous,
    left_open=left_open,
    worked=worked,
)
