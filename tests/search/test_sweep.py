"""Sweeps: every point certified as if alone, whatever the number of processes, and never twice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pomgcheck
from pomgcheck import Sweep, certify, load
from pomgcheck.errors import InputError
from pomgcheck.kernel.check import verify
from pomgcheck.kernel.reading import canonical_bytes, digest, read_json
from pomgcheck.search import sweep as module
from pomgcheck.search.grid import Axis, points_of
from pomgcheck.search.sweep import Task, sweep, verify_sweep

NOISE = {"noise": ("1/4", "1/2", 3)}
BOTH = {"noise": ("1/4", "1/2", 2), "deterrence": ("1", "3", 3)}
ALPHA = ["weak-revealing"]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a sweep of patrol over both knobs, one claim only."""
    path = tmp_path_factory.mktemp("sweep") / "patrol.sweep.json"
    sweep(load("patrol"), BOTH, path, only=ALPHA)
    return path


def edited(path: Path, change: Callable[[dict[str, Any]], None], where: Path) -> Path:
    """A copy of a sweep after ``change``, under a digest that fits."""
    document = read_json(path.read_bytes())
    change(document)
    document["sha256"] = digest({key: value for key, value in document.items() if key != "sha256"})
    where.write_bytes(canonical_bytes(document))
    return where


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The points certified in this process, in order."""
    seen: list[dict[str, str]] = []
    whole = Task.certified

    def certified(self: Task, knobs: dict[str, str]) -> dict[str, Any]:
        seen.append(knobs)
        return whole(self, knobs)

    monkeypatch.setattr(Task, "certified", certified)
    return seen


def test_an_axis_is_spaced_exactly() -> None:
    """low + k (high-low)/(n-1), both ends included; of two axes the last is the fastest."""
    axis = Axis("noise", Fraction(1, 20), Fraction(9, 20), 4)
    assert [Fraction(1, 20), Fraction(11, 60), Fraction(19, 60), Fraction(9, 20)] == axis.values()
    two = [axis._replace(points=2), Axis("d", Fraction(0), Fraction(1), 2)]
    assert [("1/20", "0"), ("1/20", "1"), ("9/20", "0"), ("9/20", "1")] == [(*p.values(),) for p in points_of(two)]


def test_each_point_is_what_certify_says_of_it() -> None:
    """Digests of class and certificate, verdicts and values are those of the class loaded with these knobs."""
    found = sweep(load("patrol"), {"noise": ("3/20", "1/2", 2)}).points
    assert [0, 1] == [point.exit for point in found]
    for point, noise in zip(found, ("3/20", "1/2"), strict=True):
        alone = certify(load("patrol", {"noise": noise}))
        assert {"noise": noise} == point.knobs
        assert alone.sha256 == point.sha256
        assert alone.model_sha256 == point.model_sha256
        assert alone.values == point.values
        assert {name: claim["verdict"] for name, claim in alone.entries.items()} == point.verdicts


def test_a_point_that_is_no_class_is_kept_with_its_reason(made: Path) -> None:
    """Beyond the range where entries are probabilities a point is unusable, and the sweep goes on."""
    found = {(*point.knobs.values(),): point for point in Sweep.load(made).points}
    assert {"certified": 2, "refuted": 2, "unusable": 2} == Sweep.load(made).counts()
    point = found["3", "1/4"]  # a file's keys are sorted
    assert (2, None, {}) == (point.exit, point.sha256, dict(point.values))
    assert point.error is not None
    assert "responses.table.patrol, row (dark)" == point.error.where
    assert "an entry in [0,1] on the whole class" == point.error.required


def test_processes_do_not_matter(made: Path, tmp_path: Path) -> None:
    """Two processes write the same bytes as one."""
    sweep(load("patrol"), BOTH, tmp_path / "two.sweep.json", only=ALPHA, jobs=2)
    assert made.read_bytes() == (tmp_path / "two.sweep.json").read_bytes()


def test_an_unfinished_sweep_is_continued(made: Path, tmp_path: Path, counted: list[dict[str, str]]) -> None:
    """Only what is missing is done, and the file ends as if it had been done at once."""

    def cut(document: dict[str, Any]) -> None:
        del document["points"][1], document["points"][2]

    path = edited(made, cut, tmp_path / "part.sweep.json")
    assert "4 of 6 points" in repr(Sweep.load(path))
    steps: list[tuple[int, int]] = []
    sweep(load("patrol"), BOTH, path, only=ALPHA, progress=lambda _, done, total: steps.append((done, total)))
    assert [{"noise": "1/4", "deterrence": "2"}, {"noise": "1/2", "deterrence": "1"}] == counted
    assert [(4, 6), (5, 6), (6, 6)] == steps
    assert made.read_bytes() == path.read_bytes()
    sweep(load("patrol"), BOTH, path, only=ALPHA)
    assert 2 == len(counted)


def test_an_interrupted_sweep_keeps_what_is_done(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done when it was interrupted is in the file, which verifies and can be continued."""
    path = tmp_path / "broken.sweep.json"
    done = iter(range(3))

    def interrupted(*given: Any, **options: Any) -> Any:
        if next(done, None) is None:
            raise KeyboardInterrupt
        return certify(*given, **options)

    monkeypatch.setattr(module, "certify", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep(load("patrol"), BOTH, path, only=ALPHA)
    monkeypatch.undo()
    assert Sweep.load(made).points[:4] == Sweep.load(path).points  # three certified, and one that is no class
    assert verify_sweep(path).line.endswith("4 of 6 points")
    sweep(load("patrol"), BOTH, path, only=ALPHA)
    assert made.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"vary": NOISE}, "vary: found a sweep with noise=1/4:1/2:2, deterrence=1:3:3, required noise=1/4:1/2:3"),
        ({"kappa": 2}, "options: found a sweep with kappa = 1, required kappa = 2"),
        ({"only": None}, "only: found a sweep with ['weak-revealing'], required every claim"),
        ({"knobs": {"noise": "1/5"}}, "model_sha256: found a sweep with 0c42ac0a1faa"),
    ],
)
def test_the_file_of_another_sweep_is_refused(
    made: Path, tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    """Another grid, option, claim or model: refused with what differs, and the file stays as it is."""
    path = tmp_path / "other.sweep.json"
    path.write_bytes(made.read_bytes())
    options = {"vary": BOTH, "only": ALPHA} | change
    with pytest.raises(InputError) as error:
        sweep(load("patrol", options.pop("knobs", None)), options.pop("vary"), path, **options)
    assert f"{path}: {sentence}" in str(error.value)
    assert str(error.value).endswith("; continue it as it was begun, or name another file")
    assert made.read_bytes() == path.read_bytes()


def test_a_spoilt_file_is_refused(made: Path, tmp_path: Path) -> None:
    """A file that is not as it was written is not continued, nor written over."""
    path = tmp_path / "spoilt.sweep.json"
    path.write_bytes(made.read_bytes().replace(b'"1/3"', b'"2/3"'))
    with pytest.raises(InputError, match=r"sha256: found .*; remove it or name another file"):
        sweep(load("patrol"), BOTH, path, only=ALPHA)


def test_certificates_are_kept_by_digest(tmp_path: Path, counted: list[dict[str, str]]) -> None:
    """Each certificate lies under its digest and stands by the kernel alone; one that is gone is made again."""
    path, folder = tmp_path / "x.sweep.json", tmp_path / "certificates"
    for _ in range(2):
        points = sweep(load("patrol"), NOISE, path, only=ALPHA, certificates=folder).points
        files = {sha256: folder / f"{sha256[:16]}.cert.json" for sha256 in (point.sha256 for point in points) if sha256}
        assert set(files.values()) == set(folder.iterdir())
        for sha256, file in files.items():
            verdict = verify(file)
            assert verdict.certificate is not None
            assert sha256 == verdict.certificate["sha256"]
        files[points[1].sha256 or ""].unlink()
    assert [{"noise": x} for x in ("1/4", "3/8", "1/2", "3/8")] == counted


def test_a_sweep_is_verified_without_search(made: Path, counted: list[dict[str, str]]) -> None:
    """Digests, and the class of every point; nothing is certified."""
    verdict = verify_sweep(made)
    assert (True, []) == (verdict.accepted, counted)
    assert f"VERIFIED sweep {Sweep.load(made).sha256} 6 of 6 points" == verdict.line


def test_a_replay_certifies_every_point_again(made: Path, counted: list[dict[str, str]]) -> None:
    """With ``replay`` every point is compared with what the search finds now."""
    assert verify_sweep(made, replay=True).line.endswith("6 of 6 points, replayed")
    assert 6 == len(counted)


def change_alpha(document: dict[str, Any]) -> None:
    document["points"][0]["values"]["alpha_lower"] = "1/2"


def change_exit(document: dict[str, Any]) -> None:
    document["points"][0]["exit"] = 1


def change_class(document: dict[str, Any]) -> None:
    document["points"][0]["model_sha256"] = document["points"][1]["model_sha256"]


def change_home(document: dict[str, Any]) -> None:
    document["knobs"]["noise"] = "1/5"


def change_order(document: dict[str, Any]) -> None:
    document["points"].reverse()


def change_place(document: dict[str, Any]) -> None:
    document["points"][0]["knobs"]["noise"] = "1/7"


def change_source(document: dict[str, Any]) -> None:
    document["source"] = document["source"].replace('"3/20"', '"1/5"')


def change_format(document: dict[str, Any]) -> None:
    document["format"] = "pomgcheck-sweep/0"


@pytest.mark.parametrize(
    ("change", "replay", "line"),
    [
        (change_alpha, True, "REJECTED sweep values at deterrence = 1, noise = 1/4: found "),
        (change_exit, False, "REJECTED sweep points[0].exit: found 1, required 0, by its verdicts"),
        (change_class, False, "REJECTED sweep model_sha256 at deterrence = 1, noise = 1/4: found "),
        (change_home, False, "REJECTED sweep knobs: found "),
        (change_order, False, "REJECTED sweep points[1].knobs: found "),
        (change_place, False, "REJECTED sweep points[0].knobs: found "),
        (change_source, False, "REJECTED sweep source_sha256: found "),
        (change_format, False, "REJECTED sweep format: found 'pomgcheck-sweep/0', required 'pomgcheck-sweep/1'"),
    ],
)
def test_a_changed_sweep_is_rejected(
    made: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], replay: bool, line: str
) -> None:
    """The smallest false statements, each under a digest that fits, are rejected with the reason."""
    path = edited(made, change, tmp_path / "false.sweep.json")
    found = verify_sweep(path, replay)
    assert not found.accepted
    assert found.line.startswith(line)


def test_any_missing_or_foreign_part_is_one_sentence(made: Path, tmp_path: Path) -> None:
    """A key left out, or a value of another kind, anywhere in the file: rejected, and no exception but ours."""
    whole = read_json(made.read_bytes())
    for name in whole:
        for value in (None, [], {}, "x", 7):
            path = edited(made, lambda document, n=name, v=value: document.update({n: v}), tmp_path / "x.sweep.json")
            if name != "sha256" and (name, value) != ("points", []):
                assert "REJECTED sweep" in verify_sweep(path).line, (name, value)
    for name in whole["points"][0]:
        path = edited(made, lambda document, n=name: document["points"][0].pop(n), tmp_path / "x.sweep.json")
        assert f"REJECTED sweep points[0]: found no key '{name}'" in verify_sweep(path).line


def test_knobs_made_of_knobs_survive_the_file(tmp_path: Path) -> None:
    """The order of a document's knobs matters and is kept, though a canonical file sorts its keys."""
    source = dict(load("patrol").authored)
    source["knobs"] = {"zeal": "1/20", "noise": "3*zeal", "deterrence": "1"}
    found = sweep(load(source), {"zeal": ("1/20", "1/12", 2)}, tmp_path / "z.sweep.json", only=ALPHA)
    assert [load("patrol", {"noise": x}).sha256 for x in ("3/20", "1/4")] == [p.model_sha256 for p in found.points]
    assert verify_sweep(tmp_path / "z.sweep.json", replay=True).accepted


@pytest.mark.parametrize(
    ("model", "vary", "sentence"),
    [
        ("tiger", NOISE, "vary: found a document without knobs, required one that holds a table [knobs]"),
        ("patrol", {}, "vary: found 0 knobs, required one or two of noise, deterrence"),
        (
            "patrol",
            {"nois": ("0", "1", 2)},
            'vary: found the unknown knob "nois", required one of noise, deterrence; write "noise"',
        ),
        ("patrol", {"noise": (0.1, 1, 2)}, 'vary.noise: found 0.1, required an exact end such as "1/20"'),
        ("patrol", {"noise": ("1", "1", 2)}, "vary.noise: found from 1 to 1, required the lower end first"),
        (
            "patrol",
            {"noise": ("0", "1", 1)},
            "vary.noise: found 1 as the number of points, required an integer of at least 2",
        ),
        (
            "patrol",
            {"noise": ("0", "1", 10**6)},
            "vary: found 1,000,000 points, required at most 100,000; use a coarser grid",
        ),
    ],
)
def test_a_grid_that_will_not_do_is_refused(model: str, vary: Any, sentence: str) -> None:
    """Unknown knobs, inexact ends, empty and endless grids: one sentence each, before anything is searched."""
    with pytest.raises(ValueError) as error:  # noqa: PT011
        sweep(load(model), vary)
    assert sentence == str(error.value)


def test_options_that_will_not_do_are_refused_at_once(counted: list[dict[str, str]]) -> None:
    """An option that fits no class is not tried at every point."""
    for options, word in (({"kappa": 0}, "kappa"), ({"only": ["alpha"]}, "only"), ({"kapa": 1}, "kapa")):
        with pytest.raises(InputError, match=word):
            sweep(load("patrol"), NOISE, **options)
    assert [] == counted


def test_the_verb_is_public() -> None:
    """``pomgcheck.sweep`` takes a model and shows itself at a prompt."""
    found = pomgcheck.sweep(load("patrol"), {"noise": ("1/4", "1/2", 2)}, only=ALPHA)
    assert "<sweep of patrol over noise: 2 of 2 points; 1 certified, 1 refuted>" == repr(found)
