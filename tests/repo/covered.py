"""Branch coverage part by part, as docs/design.md has it (What the tests take).

``python -m tests.repo.covered`` prints the table from what ``pytest --cov`` measured (CONTRIBUTING.md has the commands).
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from coverage import Coverage

from tests.repo.source import PACKAGE
from tests.repo.tour import PARTS

COUNTS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def counted() -> dict[str, Counter[str]]:
    """For each part of the package, and for its modules that are in no part: statements and branches, and those that were taken."""
    measured = Coverage()
    measured.load()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(file), include=[f"{PACKAGE}/*"])
        files = json.loads(file.read_text())["files"]
    parts: dict[str, Counter[str]] = {}
    for name, of_file in files.items():
        first, *rest = Path(name).resolve().relative_to(PACKAGE).parts
        summary = of_file["summary"]
        parts.setdefault(first if rest else "modules beside them", Counter()).update(
            {count: summary[count] for count in COUNTS}
        )
    return parts


def row(name: str, counts: Counter[str]) -> str:
    """A row: statements and branches that there are, the share of branches taken, and that of both together."""
    statements, lines, branches, taken = (counts[count] for count in COUNTS)
    return f"| {name} | {statements:,} | {branches:,} | {share(taken, branches)} | {share(lines + taken, statements + branches)} |"


def share(taken: int, there: int) -> str:
    """A share in per cent, rounded down, so that no share that is missed is shown as reached."""
    return f"{1000 * taken // there / 10:.1f}" if there else "–"


def main() -> None:
    parts = counted()
    print("| part | statements | branches | branches taken, % | both, % |\n|---|---|---|---|---|")
    for name in sorted(parts, key=lambda part: PARTS.index(part) if part in PARTS else len(PARTS)):
        print(row(f"`{name}`" if name in PARTS else name, parts[name]))
    print(row("the package", sum(parts.values(), Counter())))


if __name__ == "__main__":
    main()
