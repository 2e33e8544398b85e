"""Runs an experiment: certifies the class, has the kernel verify the certificate, and only then plays anything
(``experiment``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.experiments import digits, games, necessity, scaling
from pomgcheck.experiments.declared import Beside, Measured, row
from pomgcheck.experiments.record import FORMAT, ExperimentRecord
from pomgcheck.gallery import bandit
from pomgcheck.learner.admission import admitted
from pomgcheck.learner.run import file_name, packages
from pomgcheck.modelclass.document import load
from pomgcheck.processes import shared
from pomgcheck.search.certify import certify

PAPERS: dict[str, ModuleType] = {"necessity": necessity, "scaling": scaling, "digits": digits}
EXPERIMENTS = PAPERS | {"games": games}
GROUPS = 20
Progress = Callable[[str, int, int], None]  # what, done, in all


def stamped(name: str) -> dict[str, Any]:
    """Return the class an experiment is stamped with: Section 4's bandit on intervals, of eight arms, for the paper's."""
    return games.stamped() if name == "games" else bandit.document()


def says(model: Mapping[str, Any]) -> str:
    """Return what a record says of the class of its stamp, from the canonical document of a bandit."""
    axes = model["worlds"]["parameters"].values()
    low, high = next(iter(axes))["interval"]
    return (
        f"Section 4's embedded bandit with {len(axes)} arms, each with a mean anywhere in [{low}, {high}], and not of "
        "one with another number of arms or an opponent with a memory"
    )


def certificate_name(name: str) -> str:
    """Return the name of the file of its certificate."""
    return f"{stamped(name)['name']}.cert.json"


def stamp(path: str | Path, name: str = "necessity") -> Path:
    """Certify the class of an experiment and write its certificate to ``path``."""
    return certify(load(stamped(name))).save(path)


def experiment(
    name: str,
    certificate: str | Path | Certificate | None = None,
    groups: int = GROUPS,
    progress: Progress | None = None,
    jobs: int = 1,
) -> ExperimentRecord:
    """Run one experiment under a certificate of its class.

    ``name`` is ``necessity``, ``scaling`` or ``digits`` of the paper, or ``games``. ``certificate`` is that of its
    class, or the path of one; it is made unless it is given. ``groups`` is the number of fresh groups of seeds (in
    ``digits``, draws of the rules) over which the spread of a figure is taken; 0 or 1 stand for none. ``progress`` is
    called with (what, done, total). ``jobs`` is the number of processes, on which the record does not depend.

    Raises ``Refused`` where the kernel does not accept the certificate, ``InputError`` for another name or count, and
    ``MissingDependency`` where ``digits`` lacks its corpus.
    """
    if name not in EXPERIMENTS:
        raise InputError.choice("experiment", name, EXPERIMENTS)
    if groups < 0:
        raise InputError("groups", str(groups), "a count of 0 or more")
    if jobs < 1:
        raise InputError("jobs", str(jobs), "an integer of at least 1")
    if certificate is None:
        certificate = certify(stamped(name))
    signed, _ = admitted(certificate, None)
    if signed.model_sha256 != (required := load(stamped(name)).sha256):
        needed = f"one of the class {stamped(name)['name']} {required[:16]}…"
        raise InputError(
            "certificate", f"one of the class {signed.model_sha256[:16]}…", needed, "leave it out, and one is made"
        )
    module = EXPERIMENTS[name]
    tell = progress or (lambda what, done, total: None)
    stands = {"file": file_name(certificate), "sha256": signed.sha256, "model_sha256": signed.model_sha256}
    if module is games:
        results = games.results(tell, jobs)
        stands |= {"says": games.SAYS, "also": results.pop("also")}
        return ExperimentRecord.signed(head(name, module, range(module.SEEDS), 0) | results | {"certificate": stands})
    seeds, every = range(module.SEEDS), list[Measured]()
    for each in shared(group, [(name, g) for g in range(groups + 1)], jobs, ordered=True):
        tell(name, len(every), groups + 2)
        every.append(each)
    tell(name, groups + 1, groups + 2)
    found: Measured = digits.median(every) if module is digits else every[0]
    spread = [each.figures for each in (every if module is digits else every[1:])]
    beside: Beside = module.beside(seeds, found)
    record = head(name, module, seeds, groups) | {
        "certificate": stands | {"says": says(signed.model)},
        "table": [
            row(target, found.figures[target.key], [each[target.key] for each in spread], module is digits)
            for target in module.TARGETS
        ],
        "tables": beside.tables,
        "remarks": [remark._asdict() for remark in module.remarks(seeds, found)],
        "figures": module.figures(found.series | beside.series),
    }
    tell(name, groups + 2, groups + 2)
    return ExperimentRecord.signed(record)


def head(name: str, module: ModuleType, seeds: Sequence[int], groups: int) -> dict[str, Any]:
    """Return what a record says of how it was made."""
    return {
        "format": FORMAT,
        "experiment": name,
        "title": module.TITLE,
        "seeds": list(seeds),
        "groups": groups,
        "rng": module.RNG,
        "packages": packages() | corpus_packages(module),
        "constants": module.CONSTANTS,
        "choices": [choice._asdict() for choice in module.CHOICES],
    }


def group(name: str, g: int) -> Measured:
    """Return a group, of which the first is the one that is shown: the next seeds, or in ``digits`` another draw of
    the rules."""
    found: Measured
    module = EXPERIMENTS[name]
    if module is digits:
        found = digits.measure(range(module.SEEDS), draw=g)
    else:
        found = module.measure(range(g * module.SEEDS, (g + 1) * module.SEEDS))
    return found


def corpus_packages(module: ModuleType) -> dict[str, str]:
    """Return scikit-learn's version where it took part in the experiment."""
    if module is not digits:
        return {}
    import sklearn

    return {"scikit-learn": sklearn.__version__}


def chosen(name: str) -> Sequence[str]:
    """Return the experiments meant by a name; ``all`` stands for the paper's three."""
    if name == "all":
        return tuple(PAPERS)
    if name not in EXPERIMENTS:
        raise InputError.choice("experiment", name, [*EXPERIMENTS, "all"])
    return (name,)
