"""What is released: a wheel and a source archive that hold what they must and no more, and what each part needs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import __version__
from tests.repo.source import ROOT, imported, modules

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
NAMES = {
    "flint": "python-flint",
    "pyspiel": "open-spiel",
    "sklearn": "scikit-learn",
    "z3": "z3-solver",
    "dask": "distributed",
}
SOURCE = "".join(path.read_text(encoding="utf-8") for path in modules().values())
DEVELOPING = {"docs", "mutation", "test"}
FINITE = {"numpy", "flint", "highspy"}


def distribution(requirement: str) -> str:
    """The name of a requirement, as it is compared."""
    found = re.match(r"[A-Za-z0-9_-]+", requirement)
    assert found is not None
    return found[0].lower().replace("_", "-")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the source archive of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", folder], cwd=ROOT, check=True, capture_output=True
    )
    return folder


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as it is installed, and nothing beside it."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(built / f"pomgcheck-{__version__}-py3-none-any.whl") as wheel:
        wheel.extractall(folder)
    return folder


def tracked() -> set[str]:
    """The files of the repository, those not yet added too."""
    if not (ROOT / ".git").exists():
        pytest.skip("no repository here to compare with")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return set(listed.stdout.splitlines())


def test_the_wheel_holds_the_package_and_nothing_else(built: Path) -> None:
    """Every file of the repository below pomgcheck/: documents, templates, styles, scripts, the marker of types; and the metadata."""
    with zipfile.ZipFile(built / f"pomgcheck-{__version__}-py3-none-any.whl") as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        metadata = wheel.read(f"pomgcheck-{__version__}.dist-info/METADATA").decode()
    assert {name for name in tracked() if name.startswith("pomgcheck/")} == names
    assert {".py", ".typed", ".json", ".toml", ".html", ".css", ".js", ".bib"} == {Path(name).suffix for name in names}
    assert f"\nVersion: {__version__}\n" in metadata
    assert "# pomgcheck" in metadata


def test_the_source_archive_holds_the_whole_repository(built: Path) -> None:
    """Whoever unpacks it has what the tests read, and can build and test as from a clone."""
    with tarfile.open(built / f"pomgcheck-{__version__}.tar.gz") as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked() | {"PKG-INFO"} == names


def alone(folder: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    """``pomgcheck`` of the unpacked wheel, with the standard library only."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, "-S", "-m", "pomgcheck", *map(str, words)]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)


def test_the_wheel_without_dependencies_verifies(unpacked: Path) -> None:
    """As after ``pip install --no-deps``: the kernel answers, about the model too, and refuses what it must."""
    folder = ROOT / "certificates"
    certificate, model = folder / "patrol.cert.json", folder / "patrol.model.json"
    for more in ([], [model], ["--model", model]):
        done = alone(unpacked, "verify", certificate, *more)
        assert (0, "") == (done.returncode, done.stderr)
        assert done.stdout.startswith("VERIFIED model ")
    other = alone(unpacked, "verify", certificate, "--model", folder / "tiger.model.json")
    assert (1, "REJECTED model") == (other.returncode, other.stdout[:14])
    read = f"import pomgcheck; print(bool(pomgcheck.verify({str(certificate)!r})), pomgcheck.__version__)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", read],
        env=os.environ | {"PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
    )
    assert f"True {__version__}\n" == done.stdout


@pytest.mark.parametrize("words", [[], ["--help"], ["certify", "patrol"], ["verify", "--replay", "x.run.json"]])
def test_every_other_command_says_what_to_install(unpacked: Path, words: list[str]) -> None:
    """One sentence and exit code 2, where the wheel stands alone."""
    done = alone(unpacked, *words)
    assert (2, "", 1) == (done.returncode, done.stdout, done.stderr.count("\n"))
    assert done.stderr.startswith("pomgcheck: found no package typer, required it for every command but verify")
    assert done.stderr.endswith("pip install pomgcheck\n")


def without(packages: Iterable[str], program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A program run in ``folder`` as if these packages were not installed."""
    hidden = f"import sys; sys.modules.update(dict.fromkeys({sorted(packages)!r}))\n"
    return subprocess.run([sys.executable, "-c", hidden + program], cwd=folder, capture_output=True, text=True)


def test_a_finite_class_is_certified_with_three_packages(tmp_path: Path) -> None:
    """numpy, python-flint and HiGHS find every proof of patrol, from Python, and the kernel accepts it."""
    packages = {name for name, homes in packages_distributions().items() if {*homes} != {"pomgcheck"}}
    program = "import pomgcheck\ncertificate = pomgcheck.certify('patrol')\nprint(certificate.certified)\n"
    program += "certificate.save('p.cert.json')\nprint(bool(pomgcheck.verify('p.cert.json')))\n"
    done = without(packages - FINITE - sys.stdlib_module_names, program, tmp_path)
    assert ("True\nTrue\n", "") == (done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("package", "words", "extra"),
    [
        ("sympy", ["certify", "patrol", "--cross-check"], "'pomgcheck[cross-check]'"),
        ("z3", ["certify", "patrol", "--cross-check"], "'pomgcheck[cross-check]'"),
        ("z3", ["repair", "silent-action"], "'pomgcheck[repair]'"),
        ("starlette", ["serve", "game.toml"], "'pomgcheck[serve]'"),
        ("distributed", ["certify", "patrol", "--cluster", "local:1"], "'pomgcheck[cluster]'"),
        ("pyspiel", ["import", "openspiel:kuhn_poker"], "'pomgcheck[openspiel]'"),
        ("sklearn", ["experiment", "digits"], "'pomgcheck[digits]'"),
        ("highspy", ["certify", "patrol"], "pomgcheck installs what is missing"),
        ("matplotlib", ["report", "tiger.rivals.run.json", "-o", "x.html"], "pomgcheck installs what is missing"),
    ],
)
def test_a_missing_package_is_one_sentence(package: str, words: list[str], extra: str, tmp_path: Path) -> None:
    """Which package, and what to type to have it; exit code 2, and nothing is written."""
    (tmp_path / "game.toml").write_bytes((ROOT / "pomgcheck" / "modelclass" / "starter.toml").read_bytes())
    for path in (ROOT / "reports" / "tiger.rivals.run.json", ROOT / "certificates" / "tiger.cert.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = sorted(tmp_path.iterdir())
    done = without([package], f"from pomgcheck.cli import main; main({words!r})", tmp_path)
    assert (2, 1) == (done.returncode, done.stderr.count("\n")), done.stderr
    assert f"pip install {extra}\n" == done.stderr[done.stderr.index("pip install") :]
    assert before == sorted(tmp_path.iterdir())


def test_dependencies_are_those_that_are_imported() -> None:
    """What the package imports is installed with it or with an extra that some sentence names; nothing else is."""
    needed = {
        NAMES.get(root, root)
        for name, path in modules().items()
        for each, _ in imported(name, path)
        if (root := each.partition(".")[0]) not in sys.stdlib_module_names | {"pomgcheck"}
    }
    needed |= {NAMES.get(each, each) for each in re.findall(r'optional\(\s*"([a-z0-9]+)"', SOURCE)}
    needed |= {"sympy", "z3-solver"}  # which ``cross_check`` asks for in a loop
    declared = {extra: set(map(distribution, EXTRAS[extra])) for extra in EXTRAS}
    base = set(map(distribution, PROJECT["dependencies"]))
    assert needed == base.union(*(declared[extra] for extra in EXTRAS if extra not in {"all", *DEVELOPING}))
    assert not base & set().union(*(declared[extra] for extra in EXTRAS if extra != "test"))
    named = {*re.findall(r"pomgcheck\[([a-z-]+)\]", SOURCE), *re.findall(r'optional\([^,]+, "([a-z-]+)"', SOURCE)}
    assert set(EXTRAS) == named | {"all", *DEVELOPING}


def test_the_dated_changelog_and_the_citation_name_the_version() -> None:
    """One version, which the package states; both entries of the citation file, and the same day in both."""
    changelog, citation = ((ROOT / name).read_text(encoding="utf-8") for name in ("CHANGELOG.md", "CITATION.cff"))
    released = re.search(rf"^## {re.escape(__version__)} \((\d{{4}}-\d\d-\d\d)\)$", changelog, re.MULTILINE)
    assert released is not None
    assert f"\nversion: {__version__}\ndate-released: {released[1]}\n" in citation
    assert 'title: "pomgcheck: ' in citation
    assert 'value: "arXiv:2606.02363"' in citation


def test_a_page_tells_the_version_that_made_it(tmp_path: Path) -> None:
    """The command, a new certificate and the references of a report say the same."""
    from pomgcheck import certify
    from pomgcheck.reporting.render import latex

    assert {"name": "pomgcheck", "version": __version__} == certify("outside-truth").document["tool"]
    assert f"note    = {{Version {__version__}}}" in latex.references()
