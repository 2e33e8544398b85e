"""The reports that are kept here, made anew: ``python -m reports.regenerate [NAME…]``.

A page is made from a certificate of the gallery, from a run record kept beside it and its certificate, from a sweep or
an experiment kept beside it, or from several certificates or runs that it compares.  Of the LaTeX reports the drawings
are left out: ``pomgcheck report X -o X.tex`` makes them, and ``-o X.pdf`` the whole.  ``--play`` first plays runs and
experiments again and continues the sweeps (minutes).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pomgcheck.reporting import document_of, read, report
from pomgcheck.reporting.render import latex

FOLDER = Path(__file__).parent
CERTIFICATES = FOLDER.parent / "certificates"

# report -> (certificate, options of the run it shows, or None)
REPORTS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "tiger": ("tiger", None),
    "tiger.rivals.run": ("tiger", {"constants": "practical", "algorithm": "all", "episodes": 2**12}),
}
# report -> (class, what varies)
SWEEPS: dict[str, tuple[str, Any]] = {}
# report -> (experiment, groups for the spread)
EXPERIMENTS = {"experiments/necessity.experiment": ("necessity", 100)}
STAMP = FOLDER / "experiments" / "bandit.cert.json"
COMPARISONS: dict[str, list[Path]] = {}
RUN = {"episodes": 2**14, "seeds": 10, "algorithm": "epoch-omle,epoch-fixed"}


def play(name: str) -> None:
    """Play the run that a report shows, or what its sweep lacks, and keep the record."""
    from pomgcheck import gallery
    from pomgcheck.learner.run import run
    from pomgcheck.search.sweep import sweep

    if name in EXPERIMENTS:
        from pomgcheck.experiments.run import certificate_name, experiment, stamp

        which, groups = EXPERIMENTS[name]
        STAMP.parent.mkdir(exist_ok=True)
        path = stamp(STAMP.with_name(certificate_name(which)), which)
        experiment(which, path, groups).save(FOLDER / f"{name}.json")
        return
    if name in SWEEPS:
        model, vary = SWEEPS[name]
        sweep(gallery.load(model), vary, FOLDER / f"{name}.json", jobs=2)
        return
    stem, options = REPORTS[name]
    if options is not None:
        run(CERTIFICATES / f"{stem}.cert.json", **RUN | options).save(FOLDER / f"{name}.json")


def sources(name: str) -> list[Path]:
    """The files a report is made of: the run record first, where it shows one; a sweep or an experiment alone."""
    if name in COMPARISONS:
        return COMPARISONS[name]
    if name in SWEEPS or name in EXPERIMENTS:
        return [FOLDER / f"{name}.json"]
    stem, options = REPORTS[name]
    record = [] if options is None else [FOLDER / f"{name}.json"]
    return [*record, CERTIFICATES / f"{stem}.cert.json"]


def typeset(name: str) -> dict[str, str]:
    """The LaTeX report without its drawings: the document, its body and its references, by file name."""
    document = document_of([read(source) for source in sources(name)])
    return latex.texts(document, Path(name).name)


def main(arguments: list[str]) -> None:
    """Make the named reports, or all, as Markdown, HTML and LaTeX."""
    names = [x for x in arguments if x != "--play"] or [*REPORTS, *SWEEPS, *EXPERIMENTS, *COMPARISONS]
    for name in names:
        if "--play" in arguments and name not in COMPARISONS:
            play(name)
        for suffix in ("md", "html"):
            print(report(sources(name), FOLDER / f"{name}.{suffix}"))
        for file, text in typeset(name).items():
            path = (FOLDER / name).with_name(file)
            path.write_text(text, encoding="utf-8")
            print(path)
        if name in EXPERIMENTS:
            from pomgcheck.reporting.drawings.panels import pictures

            for picture in pictures(FOLDER / f"{name}.json"):
                print(picture)


if __name__ == "__main__":
    main(sys.argv[1:])
