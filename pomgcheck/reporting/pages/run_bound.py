"""Says what a run's regret is proved to be at most, in words, lines and a drawing: the numbers of docs/bound.md and
docs/net.md."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pomgcheck.errors import counted
from pomgcheck.learner.record import RecordedAlgorithm, RecordedBound, RecordedRun
from pomgcheck.reporting.blocks import Block, Figure, Heading, Paragraph, Table
from pomgcheck.reporting.drawings import figures
from pomgcheck.reporting.numbers import decimal, fraction, shortened
from pomgcheck.reporting.spans import NOTHING, Code, Field, Inline, Math, joined, say

Run = RecordedAlgorithm
ROUNDING = f"1/{2**32}"
WHERE = {
    "finite": "docs/bound.md, For a finite class",
    "net": "docs/net.md, A finite net",
    "closed form": "docs/net.md, Bernoulli arms in closed form",
    "nested": "docs/bound.md, Theorem N",
    "nested on a net": "docs/bound.md, On interval axes",
}


def bounded(record: RecordedRun) -> list[Run]:
    """Return the algorithms of a run for which a bound on the regret is proved in numbers."""
    return [run for run in record.runs if run.bound]


def at_most(run: Run | None) -> Field:
    """Return the cell of a table: the bound, or nothing where none is proved."""
    return decimal(fraction(run.bound.lines["regret"]), "up") if run and run.bound else NOTHING


def section(record: RecordedRun) -> list[Block]:
    """Return, for each algorithm with a bound, the bound in words, what it is made of and its lines; then the regret
    beside it."""
    runs = bounded(record)
    if not runs:
        return []
    T, outside = record.episodes, record.opponent != "the class's"
    told = [(Paragraph(sentence(run, T, outside)), made_of(run, T), lines(run)) for run in runs]
    caption = say(
        "Data episodes alone, beside the data part of the bound and $D t$, $D$ being the most that one can lose; both "
        "axes are logarithmic."
    )
    drawing = figures.bounded(record)
    ends = "; ".join(f"{run.algorithm} at most {decimal(fraction(run.proved.data[-1]), 'up')}" for run in runs)
    description = f"Policy regret below what is proved of it; after {record.episodes:,}: {ends}"
    return [
        Heading(2, say("What is proved of it"), "proved"),
        *(block for blocks in told for block in blocks),
        Figure(drawing.svg, caption, description, "bound", drawing.stops),
    ]


def sentence(run: Run, T: int, outside: bool = False) -> Inline:
    """Return the bound, its parts, its probability, where it is from, whether it says anything, and what it assumes
    about an opponent from ``outside``."""
    bound, listed = run.proved, run.proved.kind.startswith("nested")
    shown = {name: decimal(fraction(value), "up") for name, value in bound.lines.items()}
    parts = (
        say(
            "{s} for data and {w} for warm-up, of which there is one before each of at most {n}.",
            s=shown["data"],
            w=shown["warmup"],
            n=counted(bound.parts.runs, "run of one policy", "runs of one policy"),
        )
        if listed
        else say(
            "a statistical part of {s} and a warm-up part of {w}, for at most {n}.",
            s=shown["statistical"],
            w=shown["warmup"],
            n=counted(int(fraction(bound.lines["S_T"])), "epoch"),
        )
    )
    return joined(
        say(
            "By {statement} the policy regret of {a}, warm-up included, is at most {r} with probability at least {p}:",
            statement=bound.statement,
            a=Code(run.algorithm),
            r=shown["regret"],
            p=bound.probability,
        ),
        parts,
        against(run, T),
        say("It is so if the opponent settles as it has declared.") if outside else (),
        say("Measured, on average: {m}.", m=decimal(fraction(run.summary.total_regret.mean), digits=5)),
        say("Each line is derived in {where}.", where=WHERE[bound.kind]),
    )


def against(run: Run, T: int) -> Inline:
    """Return whether the bound says anything when it is compared with D T, the most that any T data episodes lose."""
    trivial = fraction(run.proved.parts.D) * T
    return say(
        "This is {v} $D T$ = {t}, which no play exceeds in settled episodes, as none of them loses more than $D$ = {D}.",
        t=decimal(trivial, "down"),
        v="below" if fraction(run.proved.lines["regret"]) < trivial else "not below",
        D=decimal(fraction(run.proved.parts.D), "up"),
    )


def made_of(run: Run, T: int) -> Table:
    """Return what the lines are made of, beside the constants of the radius."""
    bound, constants = run.proved, run.constants
    made, kind = bound.parts, bound.kind
    if kind == "nested":
        return listed_parts(bound, constants)
    if kind == "nested on a net":
        return net_parts(bound, constants)
    models = {"finite": "models", "net": "points of the net", "closed form": "points of the net at the last scale"}
    rows: list[tuple[str, str, str]] = [
        ("H", "horizon", str(made.H)),
        ("m", "episodes of a policy until the response has settled", str(made.m)),
        ("|Π|", "policies", str(made.policies)),
        ("R", "by how much optimism may misjudge the rewards of an episode", near(made.range)),
        ("R′", "what an episode of warm-up loses at most", near(made.later_range)),
        ("η", "the best sixteenth for $Q_T$", decimal(fraction(made.eta))),
        ("N", models[kind], shortened(made.N)),
        ("δ", "confidence parameter", constants["delta"]),
    ]
    if fraction(made.s):
        rows.append(("s", "how far log-likelihoods are from those of the net, per episode", near(made.s)))
    if fraction(made.value_error):
        rows.append(("η_V", "how far the values are from those planned with", near(made.value_error)))
    rows.append(("ρ", "what rounding of log-likelihoods adds, per episode", near(ROUNDING)))
    if kind == "closed form":
        rows.append(("ℓ", "number of the last scale, $⌈log_2(T+2)⌉$", str((T + 1).bit_length())))
    if fraction(made.slack):
        rows.append(("L_g", "Lipschitz constant of the fading response", near(made.L_g)))
        rows.append(("σ", "what the transient moves, $B_0((e−1) H L_g + 2 log(8/δ))$", near(made.slack)))
    if made.harmful is not None:
        rows += [("h", "models before the truth whose policy costs", str(made.harmful)), *costly(bound)]
    return parts_table("What the bound is made of, beside the constants below", rows)


def listed_parts(bound: RecordedBound, constants: Mapping[str, Any]) -> Table:
    """Return what the bound of ``nested`` is made of: the place of the truth in the list, then each policy that may
    cost."""
    made = bound.parts
    rows = [
        ("N", "models", made.N),
        ("δ", "confidence parameter", constants["delta"]),
        ("R′", "range of the rewards after the first step", near(made.span)),
        ("h", "models before the truth whose policy costs", str(made.harmful)),
        ("ρ", "runs of one policy down to the truth", str(made.runs)),
    ]
    return parts_table("What the bound is made of", [*rows, *costly(bound)])


def costly(bound: RecordedBound) -> list[tuple[str, str, str]]:
    """Return each policy that may cost: its regret, how far its nearest model is, how often it is played."""
    rows = []
    for k, each in enumerate(bound.policies, start=1):
        rows.append((f"r_{k}", "what an episode of a policy before the truth costs", near(each.regret)))
        least = "infinite" if each.c is None else decimal(fraction(each.c), "down", digits=4)
        rows.append((f"c_{k}", "$−log Σ√(P P*)$ of its nearest model, at least", least))
        often = f"{each.n:,}" if isinstance(each.n, int) else near(each.n)
        rows.append((f"n_{k}", "how often it is played at most", often))
    return rows


def net_parts(bound: RecordedBound, constants: Mapping[str, Any]) -> Table:
    """Return the same on interval axes."""
    made = bound.parts
    rows = [
        ("N", "models of the net, or laws of play of all policies on it", made.N),
        ("n", "tests: one, or one for each policy that may be played", str(made.tests)),
        ("e", "what each of three events may fail with", near(made.share)),
        ("χ", "chi square of the truth from its point of the net", near(made.chi)),
        ("q", "quantum of the list", near(made.quantum)),
        ("R′", "range of the rewards after the first step", near(made.span)),
        ("ρ", "runs of one policy down to the truth's point", str(made.runs)),
    ]
    for k, each in enumerate(bound.policies, start=1):
        rows.append((f"r_{k}", "what an episode of a policy before the truth's point costs", near(each.regret)))
        rows.append((f"M_{k}", "mean of $(f − c)^2$ under it, at most", near(each.M)))
        rows.append((f"n_{k}", "how often it is played at most", f"{each.n:,}"))
    return parts_table("What the bound is made of", rows)


def parts_table(caption: str, rows: Iterable[tuple[str, str, str]]) -> Table:
    """Return what a bound is made of: sign, meaning and value of each number."""
    cells = ((Math(sign), say(meaning), value) for sign, meaning, value in rows)
    return Table.of(caption, ("Sign", "What it is", "Value"), cells)


def near(text: str) -> str:
    """Return a number rounded up, in few digits."""
    return decimal(fraction(text), "up", digits=4)


def lines(run: Run) -> Table:
    """Return each line: its formula and its value."""
    values = run.proved.lines
    rows = ((Math(sign), Math(formula), decimal(fraction(values[name]), "up")) for sign, formula, name in formulas(run))
    return Table.of(f"The bound of {run.algorithm}, line by line", ("Line", "Formula", "At most"), rows)


def formulas(run: Run) -> list[tuple[str, str, str]]:
    """Return sign, formula and name of each line."""
    made, kind = run.proved.parts, run.proved.kind
    if kind == "nested":
        return [
            ("u", "log((N−1)/δ)", "u"),
            ("E", "u/2 + log(h/δ)", "evidence"),
            ("data", "max Σ r_k x_k, x_k ≤ n_k = 1 + ⌊E/c_k⌋, Σ x_k ≤ T", "data"),
            ("warm-up", "(m−1) R′ ρ", "warmup"),
            ("PR(T)", "data + warm-up", "regret"),
        ]
    if kind == "nested on a net":
        return [
            ("w", "log(N/e) + log(n/e)", "start"),
            ("λ", "log(1 + χ)", "slope"),
            ("E", "(3/2) log(N/e) + log(n/e) + T λ", "evidence"),
            ("ε", "√(χ M) + q", "error"),
            ("data", "min{ε T + √(8 E T Σ M), max Σ r_k x_k}, x_k ≤ n_k = 8 M_k E/(r_k − ε)^2, Σ x_k ≤ T", "data"),
            ("warm-up", "(m−1) R′ ρ", "warmup"),
            ("PR(T)", "data + warm-up", "regret"),
        ]
    nets, fades = kind == "closed form", fraction(made.slack) > 0
    error = " + 3T s" * bool(fraction(made.s)) + " + 5σ" * fades
    models, between = "N" if kind == "net" else "N−1", "(2−η)B_0 + " * nets
    extra = " + H^2 L_g/2" * fades + " + T η_V" * bool(fraction(made.value_error))
    # a run may be given a larger C_0 than the 6(e−2) of Freedman's step
    step = "C_0" if run.constants["C_0"] == "6(e-2)" else "6(e−2)"
    fill = [("fill", "max Σ r_k x_k, x_k ≤ n_k = 1 + (τ_T/2 + log(2h/δ))/c_k, Σ x_k ≤ T", "fill")]
    listed = made.harmful is not None
    return [
        ("Λ_T", "2 log((T+1)(T+2)/2) + log(1/δ)", "Lambda_T"),
        ("u", "log N + log(4(ℓ+1)(ℓ+2)/δ)" if nets else "log N + log(8/δ)", "u"),
        ("τ_T", f"2c(log N + Λ_T + m B_0) + C_0 B_0 Λ_T{error} + T ρ", "tau_T"),
        ("Q_T", f"(τ_T + {between}{step} B_0 u/(2η))/(1−η) + B_0", "Q_T"),
        ("E_T", "Q_T |Π|(1 + log T)" if nets else f"Q_T min{{{models}, |Π|(1 + log T)}}", "E_T"),
        ("S_T", "log_2(T+2) + 2E_T/(c(log(8/δ) + m B_0))" if nets else "log_2(T+2) + 12E_T/(7c(u + m B_0))", "S_T"),
        ("root", f"R √(T Q_T {'(|Π|−1)' if nets else f'min{{{models}, |Π|−1}}'}/2)", "root"),
        *(fill if listed else []),
        ("statistical", ("min{root, fill}" if listed else "root") + extra, "statistical"),
        ("warm-up", "(m−1) R′ S_T", "warmup"),
        ("PR(T)", "statistical + warm-up", "regret"),
    ]
