"""Tells a run record as a report's blocks: what was run, what came of it, the epochs of one seed, constants, digests."""

from __future__ import annotations

from collections.abc import Mapping
from shlex import quote
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import counted
from pomgcheck.evidence import Xi
from pomgcheck.learner.record import OverSeeds, RecordedAlgorithm, RecordedRun
from pomgcheck.reporting.blocks import Block, Document, Heading, Paragraph, Table
from pomgcheck.reporting.drawings import figures
from pomgcheck.reporting.numbers import decimal, fraction, number, with_spread
from pomgcheck.reporting.pages import certificates, run_bound
from pomgcheck.reporting.pages.run_epochs import confidence_sets, drawing, epochs, timelines
from pomgcheck.reporting.spans import NOTHING, Code, Field, Inline, Label, joined, listed, say
from pomgcheck.reporting.units import unit
from pomgcheck.reporting.words import model, powers


def document(record: RecordedRun, file: str = "", cert: Certificate | None = None) -> Document:
    """Return the report of a run, with its certificate's claims where that is given."""
    name = record.model
    return Document(
        title=f"{name}: run",
        stamp={"run": record.sha256, "certificate": record.certificate_sha256, "model": record.model_sha256},
        blocks=(
            Heading(1, say("{name}: run", name=name)),
            Paragraph(summary(record)),
            Heading(2, say("Regret"), "regret"),
            results_table(record),
            *own_unit(record, cert),
            *drawings(record),
            *run_bound.section(record),
            Heading(2, say("Epochs"), "epochs"),
            *epochs(record),
            Heading(2, say("Constants"), "constants"),
            constants_table(record),
            Heading(2, say("Set-up"), "set-up"),
            setup_table(record),
            *(certificate(cert) if cert is not None else ()),
            *checking(record, file or f"{name}.run.json"),
        ),
    )


def spread(value: OverSeeds) -> Inline:
    """Return ``mean ± two standard errors``; one seed alone has no spread."""
    mean, two_se = fraction(value.mean), value.two_se
    shown = decimal(mean, digits=5) if two_se is None else with_spread(mean, fraction(two_se))
    return say("{m}", m=shown.replace(" ", "\xa0"))


def last(run: RecordedAlgorithm) -> OverSeeds:
    """Return the regret at the last episode: mean and two standard errors."""
    return run.summary.regret[-1]


def summary(record: RecordedRun) -> Inline:
    """Return what was run, how large the regret came out, and for whom that was guaranteed."""
    seeds = counted(len(record.seeds), "seed")
    return joined(
        say(
            "{T} data episodes were played against the true model {xi}, with {seeds}.",
            T=f"{record.episodes:,}",
            xi=truth(record),
            seeds=seeds,
        ),
        say(
            "The policy regret came to {each}.",
            each=listed(say("{r} with {a}", r=spread(last(run)), a=Code(run.algorithm)) for run in record.runs),
        ),
        guaranteed(record),
    )


def guaranteed(record: RecordedRun) -> Inline:
    """Return the guarantee of every algorithm that has one."""
    sure = [run for run in record.runs if run.guarantee and not run.guarantee.startswith("none")]
    few = len(record.runs) - len(sure)
    if not sure:
        return say("It comes without a guarantee." if few == 1 else "They come without a guarantee.")
    return joined(
        *(say("{a} has a guarantee: {g}.", a=Code(run.algorithm), g=powers(run.guarantee)) for run in sure),
        say("The other has none." if few == 1 else "The others have none.") if few else (),
    )


def truth(record: RecordedRun) -> Label:
    """Return the model that the world and the opponent follow."""
    return model(Xi.stated(record.truth))


def results_table(record: RecordedRun) -> Table:
    """Return one row per algorithm, means over seeds with two standard errors."""
    n = len(record.seeds)
    proved = bool(run_bound.bounded(record))

    def slope(run: RecordedAlgorithm) -> Field:
        found = run.summary
        if found.slope is None:
            return NOTHING
        value, (first, final) = decimal(fraction(found.slope), digits=3), found.slope_ends
        return f"{value} (t from {first:,} to {final:,})"

    def inside(run: RecordedAlgorithm) -> Field:
        held = run.summary.truth_in_every_set
        return NOTHING if held is None else f"{held} of {counted(n, 'seed')}"

    return Table.of(
        "Mean over seeds ± two standard errors",
        (
            "Algorithm",
            "Regret",
            "Warm-up",
            "With warm-up",
            *(["Proved to be at most"] * proved),
            "Epochs",
            "Ended by the test",
            "Log-log slope",
            "Truth in every set",
            "Guarantee",
        ),
        (
            (
                Code(run.algorithm),
                spread(last(run)),
                spread(run.summary.warmup_regret),
                spread(run.summary.total_regret),
                *([run_bound.at_most(run)] * proved),
                spread(run.summary.S_T),
                spread(run.summary.terminations),
                slope(run),
                inside(run),
                powers(run.guarantee),
            )
            for run in record.runs
        ),
        sortable=len(record.runs) > 2,
    )


def own_unit(record: RecordedRun, cert: Certificate | None) -> list[Block]:
    """Return the regret in the unit of the model's own rewards, such as chips, where its source records their scale."""
    own = None if cert is None else unit(cert.model)
    if own is None:
        return []
    *before, final = record.runs
    told = [
        say("{a} {r}{end}", a=Code(run.algorithm), r=spread(own.of(last(run))), end=end)
        for run, end in (*((run, ",") for run in before), (final, "."))
    ]
    scale = say("Regret in {unit}, {k} for a reward of 1:", unit=own.name, k=decimal(own.factor, digits=5))
    return [Paragraph(joined(scale, *told))]


def drawings(record: RecordedRun) -> list[Block]:
    """Return the regret, regret per episode, epochs started, and the epochs of the first seed."""
    over = say("Mean over {n}; the band is two standard errors to either side.", n=counted(len(record.seeds), "seed"))
    T = f"{record.episodes:,}"
    finals = ", ".join(f"{r.algorithm} {decimal(fraction(last(r).mean), digits=4)}" for r in record.runs)
    counts = ", ".join(f"{r.algorithm} {decimal(fraction(r.summary.S_T.mean), digits=4)}" for r in record.runs)
    return [
        drawing(figures.regret(record), over, f"Policy regret against data episodes; after {T}: {finals}", "regret"),
        drawing(
            figures.regret(record, per_episode=True),
            say("The same, per episode."),
            f"Policy regret per episode against data episodes, up to {T}",
            "regret-per-episode",
        ),
        drawing(
            figures.epochs_started(record),
            joined(say("With $log_2(2t)$ to compare."), over),
            f"Epochs started against data episodes; after {T}: {counts}",
            "epochs",
        ),
        *timelines(record),
        *confidence_sets(record),
        values_table(record),
    ]


def values_table(record: RecordedRun) -> Table:
    """Return the regret that is drawn, in numbers."""
    rows = (
        (f"{now:,}", *(reading.partition(" ")[2].replace(" ", "\xa0") for reading in here))
        for now, here in zip(record.t, figures.readings(record), strict=True)
    )
    names = (run.algorithm for run in record.runs)
    return Table.of("Policy regret in numbers", ("Data episodes t", *names), rows, dense=True, folded=True)


def constants_table(record: RecordedRun) -> Table:
    """Return every constant of each algorithm and the formulas they enter."""

    def value(x: Any) -> Field:
        return number(x, "up") if isinstance(x, Mapping) else x

    runs = record.runs
    keys = (key for key in runs[0].constants if key != "oracle")
    rows = ((Code(key), *(value(run.constants[key]) for run in runs)) for key in keys)
    return Table.of("", ("Constant", *(run.algorithm for run in runs)), rows, dense=len(runs) > 3)


def setup_table(record: RecordedRun) -> Table:
    """Return what the run was: truth, opponent, seeds, generator, versions."""
    seeds = record.seeds
    consecutive = seeds == list(range(seeds[0], seeds[0] + len(seeds))) and len(seeds) > 2
    oracle = record.runs[0].constants.get("oracle")
    memory = (
        say(", warmed up as {w}", w=Code(record.warmup))
        if record.memory is None
        else f" over a memory of {counted(record.memory, 'policy', 'policies')}"
    )
    rows: list[tuple[str, Field]] = [
        ("Model", record.model),
        ("Truth $ξ*$", say("{xi}{g}", xi=truth(record), g=" (given to the run)" if record.truth_given else "")),
        ("Adversary", say("{rule}{memory}", rule=Label(record.block_rule), memory=memory)),
        ("Opponent", record.opponent),
        *own_sources(record),
        ("Cost of a transient", record.transient),
        ("Before the first episode", record.before_start),
        ("Data episodes", f"{record.episodes:,}"),
        ("Seeds", f"{seeds[0]} to {seeds[-1]}" if consecutive else ", ".join(map(str, seeds))),
        ("Random numbers", record.rng),
        ("Ties", record.ties),
        *([] if oracle is None else [("Planned with", planned(oracle))]),
        ("Packages", ", ".join(map(" ".join, sorted(record.packages.items())))),
    ]
    return Table.of("", ("Part", "Value"), ((say(key), value) for key, value in rows))


def own_sources(record: RecordedRun) -> list[tuple[str, Inline]]:
    """Return where the code of each own algorithm is, and whether the record can be played again without the user's
    object."""
    return [
        (
            f"Algorithm {run.algorithm}",
            say("an own one, in {f}, SHA-256 {d}", f=Code(source["file"]), d=Code(source["sha256"]))
            if source["sha256"]
            else say("an own one, in no file; the run cannot be played again without it"),
        )
        for run in record.runs
        if (source := run.source) is not None
    ]


def planned(oracle: Mapping[str, str]) -> Inline:
    """Return what a class with interval axes was planned with, and by how much a promised value may be exceeded."""
    error = decimal(fraction(oracle["value_error"]), digits=3)
    if oracle["kind"] == "closed form":
        return say(
            "{n} Bernoulli arms with means in {i}, in closed form; values within {v}",
            n=oracle["arms"],
            i=oracle["interval"],
            v=error,
        )
    return say(
        "a net of {n} models: log-likelihoods of any model are within {s} per episode of those of one of them, which the "
        "radius is widened by, and values within {v}",
        n=f"{int(oracle['points']):,}",
        s=decimal(fraction(oracle["error"]), digits=3),
        v=error,
    )


def certificate(cert: Certificate) -> tuple[Block, ...]:
    """Return the certificate the run was made under: verdict and claims."""
    return (
        Heading(2, say("The certificate"), "certificate"),
        certificates.verdict(cert),
        certificates.claims_table(cert),
        *certificates.constants_section(cert, level=3),
    )


def checking(record: RecordedRun, file: str) -> list[Block]:
    """Return the digests and the commands that re-check them."""
    command = f"pomgcheck verify {quote(record.certificate_file)} {quote(file)}"
    own = [(run.algorithm, run.source) for run in record.runs if run.source is not None]
    unnamed = [name for name, source in own if source["name"] is None]
    given = "".join(" --algorithm " + quote(f"{source['file']}:{name}") for name, source in own)
    again = "the second plays every seed again and compares."
    if own:
        again = "the second plays every seed again with the code that it names, and compares."
    if unnamed:
        again = "a replay needs what made {names}, as algorithms of pomgcheck.verify in Python."
    sentence = f"The first command checks the record's digest and its certificate; {again}"
    commands = (command, *([f"{command} --replay{given}"] if not unnamed else []))
    stamp = {"run": record.sha256, "certificate": record.certificate_sha256, "model": record.model_sha256}
    return certificates.closing(sentence, commands, stamp, names=listed(map(Code, unnamed)))
