"""The public verbs: what is of another type, or not there, is one sentence that says what would do."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import pomgcheck
from pomgcheck import (
    Certificate,
    certify,
    explain,
    export,
    import_model,
    load,
    policy_regret,
    read,
    repair,
    report,
    run,
    sweep,
    verify,
)
from pomgcheck.errors import InputError, PomgcheckError, Refused
from tests.learner.classes import watch

Verb = Callable[..., Any]


@pytest.fixture(scope="module")
def model() -> Any:
    """A class of the smallest size."""
    return load(watch())


@pytest.fixture(scope="module")
def folder(model: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """watch.cert.json and watch.run.json."""
    folder = tmp_path_factory.mktemp("verbs")
    path = certify(model).save(folder / "watch.cert.json")
    run(path, episodes=20, seeds=2).save(folder / "watch.run.json")
    return folder


CERTIFY = [
    ({"jobs": 0}, "jobs: found 0, required an integer of at least 1"),
    ({"jobs": 1.5}, "jobs: found 1.5, required"),
    ({"tol": 1e-3}, 'tol: found 0.001, required an exact number; write "0.001"'),
    ({"delta": 0.05}, 'delta: found 0.05, required an exact number; write "0.05"'),
    ({"delta": True}, "delta: found True, required an exact number"),
    ({"tol": "x"}, "tol: found 'x', required an exact number such as"),
    ({"kappa": "1"}, "kappa: found '1', required an integer"),
    ({"T": 1e4}, "T: found 10000.0, required an integer"),
    ({"only": ["coverin"]}, 'did you mean "covering"\\?'),
    ({"only": []}, "only: found \\[\\], required claim ids, or None for all"),
    ({"only": 3}, "only: found 3, required claim ids"),
    ({"limits": 5}, "limits: found 5, required counts by name"),
    ({"limits": {"size": 5}}, "limits: found 'size', required one of coordinates, trajectories"),
    ({"space": "windo"}, "space: found 'windo', required one of"),
]


@pytest.mark.parametrize(("options", "sentence"), CERTIFY)
def test_certify(model: Any, options: dict[str, Any], sentence: str) -> None:
    """Floats are no exact numbers, and other types none at all; a mistyped claim is offered the one that is near."""
    with pytest.raises(InputError, match=sentence):
        certify(model, **options)


@pytest.mark.parametrize("subject", [3, None, Path("patrl"), b"patrol"])
def test_what_is_no_class_is_refused_by_every_verb(subject: Any) -> None:
    """What no class can be is refused in one sentence."""
    for verb in (certify, partial(sweep, vary={"noise": ("0", "1", 2)}), repair, partial(export, path="x.pomdp")):
        with pytest.raises(InputError, match="required a .toml or .json document, a gallery name"):
            verb(subject)


def test_every_verb_takes_a_name_a_path_a_document_or_an_object(model: Any, tmp_path: Path) -> None:
    """A class is the same however it is given."""
    path = tmp_path / "watch.json"
    model.to_json(path)
    given = [model, path, str(path), dict(model.document)]
    assert 1 == len({certify(each, only=["covering"]).sha256 for each in given})
    assert 1 == len({export(each, tmp_path / "x.pomdp", against="wait")[0].read_bytes() for each in given})


def test_certificates_are_taken_as_objects_files_and_json(model: Any, folder: Path, tmp_path: Path) -> None:
    """``run``, ``explain``, ``report`` and ``repair`` take a certificate as it comes from ``certify``, or from disk."""
    path = folder / "watch.cert.json"
    certificate = Certificate.load(path)
    assert certificate == read(path) == certify(model)
    assert {certificate} == {read(path)}
    forms: list[Any] = [certificate, path, str(path), certificate.document]
    assert 1 == len({run(each, episodes=8, seeds=1).sha256 for each in forms[:3]})
    assert 1 == len({explain(each, "covering") for each in forms})
    assert 1 == len({report(each, tmp_path / "x.md").read_bytes() for each in forms})
    assert 1 == len({str(repair(each).document) for each in forms})
    assert explain(certificate, "covering") == certificate.explain("covering")
    assert certificate.report(tmp_path / "y.md").read_bytes() == (tmp_path / "x.md").read_bytes()


def test_an_option_beside_a_certificate_is_refused(folder: Path) -> None:
    """A certificate has its options; a target must be above zero."""
    with pytest.raises(InputError, match="kappa: found an option beside a certificate, required the certificate's own"):
        repair(folder / "watch.cert.json", kappa=2)
    with pytest.raises(InputError, match="target: found 0, required a number above 0"):
        repair(folder / "watch.cert.json", target=0)


SUBJECTS: list[tuple[Verb, tuple[Any, ...], dict[str, Any], str]] = [
    (verify, ("none.json",), {}, "none.json: found No such file or directory, required a certificate, a run record"),
    (verify, (".",), {}, "found Is a directory, required a certificate"),
    (verify, (3,), {}, "verify: found 3, required the path of a certificate"),
    (verify, ({},), {}, "verify: found {}, required the path of"),
    (run, (3,), {"episodes": 1}, "run: found 3, required a certificate or its file"),
    (report, ("none.json", "x.html"), {}, "none.json: found No such file"),
    (report, ([], "x.html"), {}, "source: found nothing, required at least one record"),
    (explain, ("patrol",), {}, "give the path of one; pomgcheck certify patrol makes the certificate of a class"),
    (run, ("patrol",), {"episodes": 1}, "give the path of one; pomgcheck certify patrol makes the certificate"),
    (report, (3, "x.html"), {}, "source: found 3, required a certificate, a run or a sweep"),
    (load, (3,), {}, "model: found 3, required a .toml or .json document"),
    (load, ("patrol", 3), {}, "knobs: found 3, required values by name"),
    (load, ("patrl",), {}, 'did you mean "patrol"'),
    (import_model, ("none.pomdp",), {}, "none.pomdp: found No such file"),
    (import_model, (3,), {}, "source: found 3, required the path of a file to import"),
    (import_model, ("none.pomdp",), {"horizon": "3"}, "horizon: found '3', required an integer"),
    (import_model, ("none.pomdp",), {"adversary": "jamm"}, 'did you mean "jam"'),
    (policy_regret, ("patrol", 3), {}, "policies: found 3, required the policy of each episode"),
    (policy_regret, ("patrol", "idle"), {}, "policies: found 'idle', required the policy of each episode"),
    (policy_regret, ("patrol", ["idl"]), {}, 'did you mean "idle"'),
]


@pytest.mark.parametrize(("verb", "given", "options", "sentence"), SUBJECTS)
def test_what_is_not_there_or_of_another_type(
    verb: Verb,
    given: tuple[Any, ...],
    options: dict[str, Any],
    sentence: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One sentence, of the program's own kind of error."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PomgcheckError, match=sentence):
        verb(*given, **options)
    assert [] == list(tmp_path.iterdir())


RUN = [
    ({"episodes": 0}, "episodes: found 0"),
    ({"episodes": 1e3}, "episodes: found 1000.0"),
    ({"seeds": 0}, "seeds: found 0"),
    ({"seeds": "3"}, "seeds: found '3', required a count of seeds, or a list"),
    ({"seeds": 10**9}, "seeds: found 1,000,000,000 seeds, required at most 1,000,000"),
    ({"seeds": []}, "one seed or more"),
    ({"algorithm": "epoch-omel"}, 'did you mean "epoch-omle"'),
    ({"algorithm": 3}, "algorithm: found an object of type int, required a name, file.py:name, or a class"),
    ({"algorithm": [3]}, "algorithm: found an object of type int, required a name, file.py:name, or a class"),
    ({"jobs": 0}, "jobs: found 0"),
    ({"c": 0.5}, 'c: found 0.5, required an exact number; write "0.5"'),
    ({"opponent": 3}, "opponent: found 3, required a function"),
]


@pytest.mark.parametrize(("options", "sentence"), RUN)
def test_run(folder: Path, options: dict[str, Any], sentence: str) -> None:
    """Every argument of another type or out of range is named."""
    with pytest.raises(PomgcheckError, match=sentence):
        run(folder / "watch.cert.json", **{"episodes": 4} | options)


def test_several_algorithms_are_a_list_or_a_text(folder: Path) -> None:
    """Both make one record."""
    one, other = (
        run(folder / "watch.cert.json", episodes=8, seeds=1, algorithm=names)
        for names in (["uniform", "epoch-omle"], "uniform, epoch-omle")
    )
    assert one.sha256 == other.sha256


@pytest.mark.parametrize(
    "vary", [3, {}, {"noise": 3}, {"noise": "0:1:2"}, {"noise": ("0", "1")}, {"noise": (0.1, 1, 2)}]
)
def test_sweep(vary: Any) -> None:
    """A grid is three numbers a knob, its ends exact."""
    with pytest.raises(InputError, match="^vary"):
        sweep(load("patrol"), vary)


def test_verify_takes_every_file_and_a_certificate(model: Any, folder: Path) -> None:
    """A run and a page are checked with what lies beside them; ``model`` is a class, a name or a path."""
    certificate, record = folder / "watch.cert.json", folder / "watch.run.json"
    page = report([certificate, record], folder / "page.html")
    for file in (certificate, record, page):
        assert verify(file).accepted
        assert verify(file, model).accepted
        assert not verify(file, "patrol").accepted
    assert verify(record, replay=True).line.endswith("replayed 2 seeds")
    made = certify(model, only=["covering"])
    assert verify(made).line == verify(made.save(folder / "other.cert.json")).line


def test_files_are_told_by_what_they_say(folder: Path, tmp_path: Path) -> None:
    """A certificate, a run and a page keep their kind under any name."""
    names = {"watch.cert.json": "c.html", "watch.run.json": "r", "page.html": "p.txt"}
    report([folder / "watch.cert.json", folder / "watch.run.json"], folder / "page.html")
    for old, new in names.items():
        (tmp_path / new).write_bytes((folder / old).read_bytes())
    given = [tmp_path / new for new in names.values()]
    assert [True] * 3 == [verify(file, beside=given).accepted for file in given]


def test_what_cannot_be_told_apart_from_a_page_says_so(folder: Path, tmp_path: Path) -> None:
    """A PDF has no digests that can be read back; a document is to be certified first."""
    (tmp_path / "page.pdf").write_bytes(b"%PDF-1.7\n\xe2")
    with pytest.raises(InputError, match="found a PDF, required a certificate"):
        verify(tmp_path / "page.pdf")
    (tmp_path / "my class.toml").write_text('# mine\nformat = "pomgcheck-model-class/1"\n')
    with pytest.raises(InputError, match="found a model document, .* certify it: pomgcheck certify '.*my class.toml'"):
        verify(tmp_path / "my class.toml")


def test_a_spoiled_copy_spoils_nothing(folder: Path, tmp_path: Path) -> None:
    """Beside a sound certificate an altered copy is passed over, whichever is found first."""
    for name in ("watch.cert.json", "watch.run.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    page = report([tmp_path / "watch.cert.json", tmp_path / "watch.run.json"], tmp_path / "page.md")
    altered = json.loads((folder / "watch.cert.json").read_bytes())
    altered["claims"][3]["values"]["L_upper"] = "1/1000"
    for name in ("a.json", "z.json"):
        (tmp_path / name).write_text(json.dumps(altered))
    assert verify(tmp_path / "watch.run.json", beside=[tmp_path / "a.json"]).accepted
    assert verify(page).accepted
    (tmp_path / "watch.cert.json").unlink()
    assert not verify(page).accepted


def test_no_words_are_lent_to_an_altered_certificate(folder: Path, tmp_path: Path) -> None:
    """``report`` of a path refuses, and writes nothing."""
    (tmp_path / "x.cert.json").write_text((folder / "watch.cert.json").read_text().replace('"proved"', '"vacuous"', 1))
    with pytest.raises(Refused, match="certificate digest"):
        report(tmp_path / "x.cert.json", tmp_path / "x.html")
    assert ["x.cert.json"] == [file.name for file in tmp_path.iterdir()]


@pytest.mark.parametrize("place", ["/dev/null", ".", "nowhere/x.json", 3])
def test_output_takes_no_place_but_a_file_s(
    model: Any, folder: Path, place: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device, a folder and a folder that is not there are refused by everything that writes; a device stays one."""
    monkeypatch.chdir(tmp_path)
    made = certify(model, only=["covering"])
    swept = partial(sweep, load("patrol"), {"noise": ("0", "1", 2)})
    for write in (made.save, model.to_json, partial(report, made), swept):
        with pytest.raises(InputError, match="a file to write|a folder that exists"):
            write(place)
    assert not Path("/dev/null").is_file()
    assert [] == list(tmp_path.iterdir())


def test_a_certificate_is_no_model(folder: Path) -> None:
    """``load`` says where the model is."""
    with pytest.raises(InputError, match='required "pomgcheck-model-class/1"; its entry "model" is the class'):
        load(folder / "watch.cert.json")
    assert load(json.loads((folder / "watch.cert.json").read_bytes())["model"]).name == "watch"


def test_what_was_left_out_is_not_called_a_failure(model: Any, tmp_path: Path) -> None:
    """A claim that ``only`` left out is to be certified; nothing says that the class must change."""
    path = certify(model, only=["covering"]).save(tmp_path / "x.cert.json")
    with pytest.raises(Refused, match="14 claims not searched, .*; certify every claim$"):
        run(path, episodes=3)
    assert "certify without --only" in explain(json.loads(path.read_bytes()), "kl-joint").replace("\n", " ")


def test_names_that_numbers_stand_for() -> None:
    """The number of a statement is told the claims of that number."""
    kept = Path(__file__).parents[2] / "certificates" / "patrol.cert.json"
    with pytest.raises(InputError, match="those of 3.1\\(e\\) are called kl-joint or kl-world"):
        explain(kept, "3.1(e)")
    with pytest.raises(InputError, match='did you mean "kl-world"'):
        explain(kept, "klworld")
    assert pomgcheck.verify is verify
