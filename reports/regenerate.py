"""The reports that are kept here, made anew: ``python -m reports.regenerate [NAME…]``.

A page is made from a certificate of the gallery, from a run record kept beside it and its certificate, from a sweep or
an experiment kept beside it.  Of the LaTeX reports the drawings are left out: ``pomgcheck report X -o X.tex`` makes them,
and ``-o X.pdf`` the whole.  ``--play`` first plays runs and experiments again (minutes).

Of every other certificate of the gallery, and of some side by side, ``digests.json`` keeps the digest of the report in
Markdown, so that no sentence of a report changes unseen; all are written without names.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from pomgcheck.certificate import Certificate
from pomgcheck.modelclass.document import load
from pomgcheck.reporting import document_of, read, report
from pomgcheck.reporting.render import latex, markdown
from pomgcheck.search.certify import certify

FOLDER = Path(__file__).parent
CERTIFICATES = FOLDER.parent / "certificates"

# report -> (certificate, options of the run it shows, or None)
REPORTS: dict[str, tuple[str, dict[str, Any] | None]] = {
    "tiger": ("tiger", None),
    "tiger.rivals.run": ("tiger", {"constants": "practical", "algorithm": "all", "episodes": 2**12}),
}
# report -> (experiment, groups for the spread)
EXPERIMENTS = {"experiments/necessity.experiment": ("necessity", 100)}
STAMP = FOLDER / "experiments" / "bandit.cert.json"
COMPARED = (("digits", "digits.literal"), ("tiger", "patrol"), ("silent-action", "unfactored"))
DIGESTS = FOLDER / "digests.json"
RUN = {"episodes": 2**14, "seeds": 10, "algorithm": "epoch-omle,epoch-fixed"}


def play(name: str) -> None:
    """Play the run or the experiment that a report shows, and keep the record."""
    from pomgcheck.learner.run import run

    if name in EXPERIMENTS:
        from pomgcheck.experiments.run import certificate_name, experiment, stamped

        which, groups = EXPERIMENTS[name]
        path, made = STAMP.with_name(certificate_name(which)), certify(load(stamped(which)))
        if not path.is_file() or Certificate.load(path) != made:  # the seconds of its search are no difference
            made.save(path)
        experiment(which, path, groups).save(FOLDER / f"{name}.json")
        return
    stem, options = REPORTS[name]
    if options is not None:
        run(CERTIFICATES / f"{stem}.cert.json", **RUN | options).save(FOLDER / f"{name}.json")


def sources(name: str) -> list[Path]:
    """The files a report is made of: the run record first, where it shows one; an experiment alone."""
    if name in EXPERIMENTS:
        return [FOLDER / f"{name}.json"]
    stem, options = REPORTS[name]
    record = [] if options is None else [FOLDER / f"{name}.json"]
    return [*record, CERTIFICATES / f"{stem}.cert.json"]


def others() -> dict[str, list[Path]]:
    """What digests are kept of: every certificate of the gallery without a report here, and some side by side."""
    paths = {path.name.removesuffix(".cert.json"): path for path in sorted(CERTIFICATES.glob("*.cert.json"))}
    alone = {name: [path] for name, path in paths.items() if name not in REPORTS}
    return alone | {" and ".join(names): [paths[name] for name in names] for names in COMPARED}


def digest_of(paths: list[Path]) -> str:
    """The SHA-256 of the report in Markdown."""
    text = markdown.page(document_of([read(path) for path in paths]))
    return hashlib.sha256(text.encode()).hexdigest()


def typeset(name: str) -> dict[str, str]:
    """The LaTeX report without its drawings: the document, its body and its references, by file name."""
    document = document_of([read(source) for source in sources(name)])
    return latex.texts(document, Path(name).name)


def main(arguments: list[str]) -> None:
    """Make the named reports, or all, as Markdown, HTML and LaTeX."""
    named = [x for x in arguments if x != "--play"]
    for name in named or [*REPORTS, *EXPERIMENTS]:
        if "--play" in arguments:
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
    if not named:
        found = {name: digest_of(paths) for name, paths in others().items()}
        DIGESTS.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        print(DIGESTS)


if __name__ == "__main__":
    main(sys.argv[1:])
