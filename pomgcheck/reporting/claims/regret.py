"""Puts Theorem N in words and numbers: what the schedule ``nested`` may lose, policy by policy (docs/bound.md)."""

from __future__ import annotations

from fractions import Fraction

from pomgcheck.certificate import Certificate, RecordedClaim, Sensitivity
from pomgcheck.errors import counted
from pomgcheck.evidence import EvidenceNet
from pomgcheck.kernel.nested import Nested, Truth
from pomgcheck.kernel.nets import Netted
from pomgcheck.reporting.blocks import Block, Paragraph, Table
from pomgcheck.reporting.claims import sensitivity
from pomgcheck.reporting.claims.told import Told
from pomgcheck.reporting.numbers import decimal, fraction
from pomgcheck.reporting.spans import NOTHING, Inline, Label, Math, Strong, joined, listed, say
from pomgcheck.reporting.words import model, policy


def numbers(cert: Certificate, claim: RecordedClaim) -> Nested:
    """Return what the bound is made of, from the certificate; on interval axes there are no truths."""
    memory: int | tuple[Fraction, Fraction] = cert.outline.memory or 1
    if cert.outline.block_rule == "fading":
        memory = cert.values.fraction("gamma"), cert.outline.horizon * cert.values.fraction("L_g")
    truths = tuple(map(Truth.read, claim.evidence.get("truths", ())))
    delta, span = cert.options.delta, claim.values.fraction("span")
    return Nested(int(claim.values.fraction("N")), delta, span, memory, truths)


def netted(cert: Certificate, claim: RecordedClaim) -> Netted:
    """Return the same on interval axes, where the claim is proved by a net."""
    return Netted.read(numbers(cert, claim), claim.values.fraction("chi_upper"), claim.evidence["list"])


def bound(cert: Certificate, claim: RecordedClaim) -> Nested | Netted:
    """Return the bound of the theorem as a function of T."""
    return netted(cert, claim) if claim.proof.rule == "net" else numbers(cert, claim)


def in_words(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return how the claim was proved."""
    if claim.proof.rule == "net":
        return by_net(claim)
    truths, always = claim.proof.truths, claim.proof.always_best
    harmless = sum(not truth.policies for truth in truths)
    told = [
        say(
            "The models are listed by what their best policy earns. Whatever the truth is, only the policies of models "
            "before it are ever played, and each is played until the data refute its models, which the affinity of the "
            "laws of play limits."
        )
    ]
    if always:
        told.append(
            say(
                "{head} {p} is best in every model{others}, so no data episode after the first warm-up costs anything.",
                head=Strong("There is nothing to learn:"),
                p=policy(always[0]),
                others=" (and it is not the only one)" if len(always) > 1 else "",
            )
        )
    elif harmless:
        told.append(
            say(
                "For {n} of the {N} as the truth, no policy that is played costs anything.",
                n=str(harmless),
                N=counted(len(truths), "model"),
            )
        )
    return joined(*told)


def by_net(claim: RecordedClaim) -> Inline:
    """Return how it was proved on interval axes."""
    deployed, dominated = claim.proof.deployed, claim.proof.dominated
    told = []
    if dominated:
        one = len(dominated) == 1
        told.append(
            say(
                "On the whole class {s} {p} {be} nowhere better than another policy, which stays in the list, by the signs of "
                "the differences of their values.",
                s="policy" if one else "policies",
                p=listed(map(Label, sorted(dominated))),
                be="is" if one else "are",
            )
        )
    if len(deployed) == 1:
        told.append(
            say(
                "{head} policy {p} is best in every model, so no data episode after the first warm-up costs anything.",
                head=Strong("There is nothing to learn:"),
                p=Label(deployed[0]),
            )
        )
        return joined(*told)
    given = net_of(claim)
    axes = ((name.partition(".")[2], len(axis["points"])) for name, axis in sorted(given.axes.items()))
    cells = listed(say("{n} of {x}", n=f"{points:,}", x=Math(name)) for name, points in axes)
    told.append(
        say(
            "Every interval is cut into cells with a point in each, {cells}. From the point of its cell no model is farther "
            "than {chi} in chi square, table by table, so that as many episodes as {T} hardly tell the two apart. {test}",
            cells=cells,
            chi=say("χ ≤ {x}", x=decimal(claim.values.fraction("chi_upper"), "up")),
            T=Math("1/χ"),
            test="Models of the net are listed by what their best policy earns, and one is refuted by all data."
            if given.test == "joint"
            else "Laws of play of each policy are listed by what they earn, and one is refuted by the policy's own data.",
        )
    )
    return joined(*told)


def net_of(claim: RecordedClaim) -> EvidenceNet:
    """Return the net of a claim that is proved by more than one policy of it."""
    assert claim.proof.net is not None
    return claim.proof.net


def worked(cert: Certificate, claim: RecordedClaim, episodes: int | None) -> list[Block]:
    """Return the bound at T worked out, and how it moves with each constant."""
    T = cert.options.T if episodes is None else episodes
    net = claim.proof.rule == "net"
    blocks = worked_net(cert, claim, T) if net else worked_list(cert, claim, T)
    return [*blocks, *sensitivity.told(moving(cert, claim, T), T, "T_0", "U^N_T")]


def moving(cert: Certificate, claim: RecordedClaim, T: int) -> tuple[Sensitivity, ...]:
    """Return how the bound moves with each constant; D is that of the certificate, and on interval axes its lower end."""
    values = claim.values.written
    return sensitivity.of_list(bound(cert, claim), fraction(values["D"] if "D" in values else values["D_lower"]), T)


def harmful(n: int) -> str:
    """Return how many models before the truth are harmful, as the subject of a sentence with its verb."""
    return f"h = {n} {'model' if n == 1 else 'models'} before the truth {'is' if n == 1 else 'are'}"


def warmups(most: Fraction, runs: int, span: Fraction) -> Inline:
    """Return what all warm-ups lose: one stands before each run of one policy, and ``span`` is what an episode loses."""
    if not most:
        return say("There is no warm-up.")
    return say(
        "Warm-up loses at most {w}: there is one before each run of one policy, {n} at most, and each of its episodes "
        "loses at most {R}.",
        w=decimal(most, "up"),
        n=f"{runs:,}",
        R=decimal(span, "up"),
    )


def worked_list(cert: Certificate, claim: RecordedClaim, T: int) -> list[Block]:
    """Return the truth that may cost most, with each policy that may be played before it is reached."""
    nested = numbers(cert, claim)
    lost = [nested._replace(truths=(truth,)).regret(T) for truth in nested.truths]
    place = lost.index(max(lost))
    truth, entry = nested.truths[place], claim.proof.truths[place]
    rows = [
        (
            Label(each.pi),
            decimal(costly.regret, "up"),
            model(each.xi),
            NOTHING if costly.c is None else decimal(costly.c, "down"),
            f"{nested.most(truth, costly):,}",
        )
        for each, costly in zip(entry.policies, truth.costly, strict=True)
    ]
    D = claim.values.fraction("D")
    blocks: list[Block] = []
    if rows:
        caption = say(
            "The truth that may cost most is {xi}. These policies may be played before it is reached. An episode of such "
            "a policy costs {r}, and the policy is played at most {n} times, where {c} is the least distance of a model "
            "that deploys it.",
            xi=model(entry.xi),
            r=Math("r"),
            c=Math("c = −log Σ√(P P*)"),
            n=Math("n = 1 + ⌊(u/2 + log(h/δ))/c⌋"),
        )
        blocks += [
            Paragraph(caption),
            Table.of(
                "What the truth that costs most may cost",
                ("Policy", "r, at most", "Nearest model", "c, at least", "n"),
                rows,
            ),
        ]
    total = say(
        "Here {u} ≤ {x}, and {h} harmful. At T = {T}, data episodes lose at most {d}. {warmup} The sum is {all}. A settled episode loses at most {D}, so that {t} = {trivial} bounds the regret of any data at all: the "
        "bound is below that from {first} on.",
        u=Math("u = log((N−1)/δ)"),
        x=decimal(nested.u.high, "up"),
        h=harmful(truth.harmful),
        T=f"{T:,}",
        d=decimal(nested.lost(truth, T), "up"),
        warmup=warmups(nested.warmups(truth), truth.runs, nested.span),
        all=decimal(lost[place], "up"),
        D=decimal(D, "up"),
        t=Math("D T"),
        trivial=decimal(D * T, "down"),
        first=f"T = {int(claim.values.written['worth_T']):,}",
    )
    return [*blocks, Paragraph(total)]


def worked_net(cert: Certificate, claim: RecordedClaim, T: int) -> list[Block]:
    """Return the parts of the bound of a net."""
    bound, D = netted(cert, claim), claim.values.fraction("D_lower")
    trivial = say(
        "Some settled episode loses {D}, so that {t} = {trivial} bounds what may be lost in that model with any data at "
        "all: the bound is below that from {first} on.",
        D=decimal(D, "down"),
        t=Math("D T"),
        trivial=decimal(D * T, "down"),
        first=f"T = {int(claim.values.written['worth_T']):,}",
    )
    if len(bound.moments) == 1:
        n, w = counted(bound.schedule.warmup(1), "episode"), decimal(bound.regret(T), "up")
        return [Paragraph.of("The first warm-up, {n}, loses at most {w}. {t}", n=n, w=w, t=trivial)]
    moments = net_of(claim).moments.items()
    rows = ((Label(pi), decimal(fraction(each.c), "down"), decimal(fraction(each.M), "up")) for pi, each in moments)
    caption = say(
        "These policies may be played. {M} is at least the mean of {f} in every model, {f1} being the rewards of an episode "
        "whose mean is not the same in all models.",
        M=Math("M"),
        f=Math("(f − c)^2"),
        f1=Math("f"),
    )
    total = say(
        "At T = {T}, the evidence against what is deployed is at most {E} ≤ {e}, and the deployed value falls short by at "
        "most {eps} ≤ {x} per episode. Data episodes lose at most {line} ≤ {d}, where the sum is over all policies but "
        "one. {warmup} The sum is {all}. {t}",
        T=f"{T:,}",
        E=Math("E"),
        e=decimal(bound.evidence(T).high, "up"),
        eps=Math("ε"),
        x=decimal(bound.error.high, "up"),
        line=Math("ε T + √(8 E T Σ M)"),
        d=decimal(bound.data(T).high, "up"),
        warmup=warmups(bound.schedule.before(bound.runs), bound.runs, bound.schedule.span),
        all=decimal(bound.regret(T), "up"),
        t=trivial,
    )
    return [
        Paragraph(caption),
        Table.of("Policies that may be played", ("Policy", "c", "M, at most"), rows),
        Paragraph(total),
    ]


def left_open(cert: Certificate, claim: RecordedClaim) -> Inline:
    """Return why the theorem says nothing of a class with interval axes."""
    tied = cert.outline.worlds.constraints or cert.outline.responses.constraints
    if claim.search.get("method") == "not searched" or not cert.outline.on_intervals or not tied:
        return ()
    return say(
        "The net is for intervals that vary apart from each other, and constraints tie those of this class: list values "
        "to have the theorem."
    )


def vacuous(cert: Certificate) -> Inline:
    """Return why there is nothing to bound."""
    if any(c.verdict == "refuted" and c.id in ("well-specified", "warmup-stationary") for c in cert.claims.values()):
        return say("The theorem asks for 3.1(a) and 3.1(f), and one of them is refuted.")
    return say("Every policy is best in every model, so that a settled episode can lose nothing.")


TOLD = Told(
    title="What can be lost",
    gist="Walking down a list of the models, a learner loses no more than what it takes to refute those before the truth.",
    how=in_words,
    vacuous=vacuous,
    left_open=left_open,
    worked=worked,
)
