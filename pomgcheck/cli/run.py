"""``pomgcheck run``: runs the learner on a certified class; the kernel checks the certificate first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from pomgcheck import processes
from pomgcheck.cli import files
from pomgcheck.cli.options import Cluster, Jobs, flags_named, to_write
from pomgcheck.cli.terminal import bare_table, print_table, progress
from pomgcheck.errors import counted
from pomgcheck.learner.record import RecordedBound, RecordedRun, RunRecord, spread
from pomgcheck.options import exact
from pomgcheck.sources import named

RIVALS = "Some of nested, epoch-omle, epoch-fixed, flat-batch, mini-batch, posterior-sampling, epsilon-greedy, uniform; or all; or FILE.py:NAME of your own."
CONSTANTS = "The theorem's constants, or smaller ones."
C = "The constant c of the confidence radius (Algorithm 1)."
FACTOR = "The factor of the termination test's threshold (Algorithm 1)."
DELTA = "The probability with which the bound may fail."
TIES = "Which of several equally good policies to play."
WARMUP = "How long to warm up against fading memory: enough for T, or for the epoch, which needs no T."
TRANSIENT = "What an episode costs in addition while the response to its policy still moves."
NET = "On interval axes: plan with a net that moves no log-likelihood by more than this per episode."


def command(
    certificate: Annotated[Path, Argument(metavar="CERT", help="A certificate that the kernel accepts.")],
    episodes: Annotated[int, Option(metavar="T", help="The number of data episodes of each seed.", min=1)],
    seeds: Annotated[int, Option(metavar="N", help="Independent repetitions, seeds 0 to N-1.", min=1)] = 10,
    algorithm: Annotated[
        str | None,
        Option(metavar="NAME,…", help=RIVALS, show_default="epoch-omle, or nested where it is not certified"),
    ] = None,
    constants: Annotated[Literal["theory", "practical"], Option(help=CONSTANTS)] = "theory",
    c: Annotated[str | None, Option("--c", metavar="NUMBER", help=C, show_default="16, or 1 if practical")] = None,
    factor: Annotated[str | None, Option(metavar="NUMBER", help=FACTOR, show_default="2")] = None,
    delta: Annotated[str | None, Option(metavar="NUMBER", help=DELTA, show_default="the certificate's")] = None,
    ties: Annotated[Literal["first", "fresh-first"], Option(help=TIES)] = "first",
    warmup: Annotated[Literal["horizon", "epoch"], Option(help=WARMUP)] = "horizon",
    transient: Annotated[str, Option(metavar="NUMBER", help=TRANSIENT)] = "0",
    net: Annotated[str | None, Option(metavar="ERROR", help=NET, show_default="1/(T+2)")] = None,
    output: Annotated[Path | None, to_write("NAME.run.json")] = None,
    jobs: Jobs = 1,
    cluster: Cluster = None,
    resume: Annotated[bool, Option("--resume", help="Go on with a run that was interrupted.")] = False,
) -> int:
    """Run a learner on a class; refused unless the kernel accepts a certificate of what the learner rests on."""
    from pomgcheck.stored import of_another_kind

    if certificate.is_file() and (refusal := of_another_kind(certificate, certificate.read_bytes())):
        raise refusal
    path = files.record(output or files.named(files.stem(certificate), ".run.json"), "a run record", certificate)
    given = {"c": c, "factor": factor, "delta": delta, "net": net}
    numbers: dict[str, Any] = {name: text and exact(text, f"--{name}") for name, text in given.items()}
    from pomgcheck.learner.run import run

    own = ("episodes", "seeds", "algorithm", "constants", "ties", "warmup", "transient", "c", "factor", "net")

    journal = path.with_name(path.name + ".unfinished")
    with (
        flags_named(*own),
        processes.cluster(cluster),
        progress("verifying the certificate") as bar,
        resumable(journal),
    ):
        record = run(
            certificate,
            episodes=episodes,
            seeds=seeds,
            algorithm=algorithm,
            constants=constants,
            ties=ties,
            jobs=jobs,
            warmup=warmup,
            transient=exact(transient, "--transient"),
            **numbers,
            progress=None if bar is None else lambda done, total: bar("seeds", done, total),
            journal=journal,
            resume=resume,
        )
        record.save(path)
        journal.unlink(missing_ok=True)
    told(record, certificate, path, algorithm)
    return 0


def told(record: RunRecord, certificate: Path, path: Path, algorithm: str | None) -> None:
    """Print what a run gave, where its record is, and what to type next."""
    shown(record.content)
    told_in_units(record.content, certificate)
    print(f"Run record: {path} (sha256 {record.sha256[:16]}…)")
    print("\nNext:")
    print(files.typed("verify", certificate, path, "--replay", *given_again(algorithm)))
    print(files.typed("report", certificate, path, "-o", path.with_name(files.stem(path) + ".run.html")))


def given_again(algorithm: str | None) -> list[str]:
    """Return the arguments that a replay needs: the code of each own algorithm."""
    own = [name.strip() for name in (algorithm or "").split(",") if named(name.strip()) is not None]
    return [word for name in own for word in ("--algorithm", name)]


@contextmanager
def resumable(journal: Path) -> Iterator[None]:
    """Say, where the block is interrupted, that finished seeds are kept."""
    try:
        yield
    except KeyboardInterrupt:
        kept = "finished seeds are kept; the same command with --resume goes on" if journal.is_file() else ""
        raise KeyboardInterrupt(kept) from None


def shown(record: RecordedRun) -> None:
    """Print what was run, with one row per algorithm."""
    truth = ", ".join(f"{name} = {value}" for side in record.truth.values() for name, value in side.items())
    print(
        f"{record.model} at {truth or 'its only point'}: {counted(record.episodes, 'episode')}, "
        f"{counted(len(record.seeds), 'seed')}, memory {record.memory or 'fading'}\n"
    )
    oracle = record.runs[0].constants.get("oracle")
    if oracle is not None:
        print(planned(oracle) + "\n")
    table = bare_table("Algorithm", "Policy regret", "with warm-up", "Epochs", "Guarantee")
    table.columns[0].no_wrap = True
    for run in record.runs:
        total = run.summary
        cells = spread(total.regret[-1]), spread(total.total_regret), spread(total.S_T)
        table.add_row(run.algorithm, *cells, run.guarantee)
    print_table(table)
    for run in record.runs:
        if run.bound:
            print(promised(run.algorithm, run.bound, record.episodes) + "\n")


def promised(algorithm: str, bound: RecordedBound, T: int) -> str:
    """Return what is proved about an algorithm's regret, and whether that says anything."""
    from pomgcheck.reporting.numbers import decimal, fraction

    regret, trivial = fraction(bound.lines["regret"]), fraction(bound.parts.D) * T
    verdict = "below" if regret < trivial else "not below"
    return (
        f"Proved of {algorithm} by {bound.statement}: at most {decimal(regret, 'up')} with warm-up, with probability at "
        f"least {bound.probability}. This is {verdict} D T = {decimal(trivial, 'down')}, the most that settled episodes "
        "can lose."
    )


def told_in_units(record: RecordedRun, certificate: Path) -> None:
    """Print the same regret in the unit of the model's own rewards, such as chips, where its source records what they
    were."""
    from pomgcheck.kernel.reading import read_json
    from pomgcheck.reporting.units import unit

    own = unit(read_json(certificate.read_bytes())["model"])
    if own is None:
        return
    shown = (f"{run.algorithm} {spread(own.of(run.summary.regret[-1]))}" for run in record.runs)
    print(f"In {own.name}: {', '.join(shown)}.\n")


def planned(oracle: Mapping[str, str]) -> str:
    """Return, in words, what was planned with on interval axes."""
    if oracle["kind"] == "closed form":
        return f"Planned in closed form: {oracle['arms']} Bernoulli arms with means in {oracle['interval']}"
    points, error = counted(int(oracle["points"]), "model"), float(Fraction(oracle["error"]))
    return f"Planned with a net of {points}; log-likelihoods are within {error:.3g} per episode, which the radius allows for"
