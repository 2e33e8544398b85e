"""Every record is saved, loaded, compared and shown alike, and refuses JSON of another shape by the place of the fault."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pomgcheck import repair
from pomgcheck.certificate import Certificate
from pomgcheck.errors import InputError
from pomgcheck.experiments.record import ExperimentRecord
from pomgcheck.kernel.check import content_digest as digest_of_certificate
from pomgcheck.learner.record import RunRecord
from pomgcheck.records import Record, read
from pomgcheck.remedies import RepairRecord
from pomgcheck.reporting import report
from pomgcheck.search.sweep_file import Sweep
from pomgcheck.stored import content_digest
from tests.reporting import samples, sweep_samples

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "reports"
DOCUMENTS: dict[str, tuple[type[Record], Callable[[], dict[str, Any]]]] = {
    "certificate": (Certificate, samples.patrol),
    "run": (RunRecord, lambda: json.loads((KEPT / "tiger.rivals.run.json").read_bytes())),
    "sweep": (Sweep, sweep_samples.two_knobs),
    "experiment": (
        ExperimentRecord,
        lambda: json.loads((KEPT / "experiments" / "necessity.experiment.json").read_bytes()),
    ),
    "repair": (RepairRecord, lambda: deepcopy(floor().document)),
}


@cache
def floor() -> RepairRecord:
    """The floor that a silent action needs."""
    return repair(ROOT / "certificates" / "silent-action.cert.json", target="1/10")


def signed(document: dict[str, Any]) -> dict[str, Any]:
    """The same with the digest of what it says now."""
    kind = digest_of_certificate if "claims" in document else content_digest
    return document | {"sha256": kind(document)}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_record_that_is_saved_and_loaded_is_the_same(name: str, tmp_path: Path) -> None:
    """It has its class, its digest and what it said; and the reader of all kinds knows it by what it says."""
    kind, make = DOCUMENTS[name]
    record = kind(make())
    path = record.save(tmp_path / "of-no-telling-name")
    again = kind.load(path)
    assert (record, hash(record), record.sha256) == (again, hash(again), make()["sha256"])
    assert type(read(path)) is kind
    assert read(path) == record


@pytest.mark.parametrize("name", DOCUMENTS)
def test_records_that_say_other_things_are_not_equal(name: str) -> None:
    """Neither is a record equal to one of another kind, or to its own JSON."""
    kind, make = DOCUMENTS[name]
    other = signed(make() | {"sha256": "", "name" if name == "sweep" else "format": "another"})
    assert kind(make()) != kind(other)
    assert kind(make()) != make()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_record_shows_itself_in_a_notebook(name: str) -> None:
    """It is a fragment of HTML with a table, which needs nothing else."""
    shown = DOCUMENTS[name][0](DOCUMENTS[name][1]())._repr_html_()
    assert shown is not None
    assert "<table" in shown
    assert "<script" not in shown


FAULTS: dict[str, tuple[str, Callable[[dict[str, Any]], Any], str]] = {
    "true for a number": (
        "run",
        lambda d: d["runs"][0]["seeds"][0].update(seed=True),
        r"runs\[0\].seeds\[0\].seed: found bool, required an integer",
    ),
    "no panel's kind": (
        "experiment",
        lambda d: d["figures"][0]["panels"][0].pop("kind"),
        r"figures\[0\].panels\[0\]: found no key 'kind'",
    ),
    "a figure in words": (
        "experiment",
        lambda d: d["table"].__setitem__(1, "0.1"),
        r"table\[1\]: found str, required an object",
    ),
    "a number for text": (
        "experiment",
        lambda d: d["table"][1].update(ours=1),
        r"table\[1\].ours: found int, required text",
    ),
    "an unknown key": (
        "experiment",
        lambda d: d["certificate"].update(of="x"),
        "certificate: found the unknown key 'of', required only keys of the format",
    ),
    "text for an array": ("experiment", lambda d: d.update(seeds="0"), "seeds: found str, required an array"),
    "a curve without means": (
        "experiment",
        lambda d: d["figures"][0]["panels"][0]["curves"][0].pop("mean"),
        r"figures\[0\].panels\[0\].curves\[0\]: found no key 'mean'",
    ),
    "a run without a summary": (
        "run",
        lambda d: d["runs"][1].pop("summary"),
        r"runs\[1\]: found no key 'summary', required the keys algorithm",
    ),
    "an epoch without its policy": (
        "run",
        lambda d: d["runs"][0]["seeds"][0]["epochs"][0].pop("policy"),
        r"runs\[0\].seeds\[0\].epochs\[0\]: found no key 'policy'",
    ),
    "a bound in words": (
        "run",
        lambda d: d["runs"][0].update(bound="none"),
        r"runs\[0\].bound: found str, required an object or null",
    ),
    "a mean in an array": (
        "run",
        lambda d: d["runs"][0]["summary"]["S_T"].update(mean=["1"]),
        r"runs\[0\].summary.S_T.mean: found list, required text",
    ),
    "an algorithm's unknown key": (
        "run",
        lambda d: d["runs"][0].update(luck="1"),
        r"runs\[0\]: found the unknown key 'luck', required only keys of the format",
    ),
    "a point without its end": ("sweep", lambda d: d["points"][2].pop("exit"), r"points\[2\]: found no key 'exit'"),
    "an error in words": (
        "sweep",
        lambda d: d["points"][3].update(error="no"),
        r"points\[3\].error: found str, required an object",
    ),
    "a repair's number in words": (
        "repair",
        lambda d: d["found"].update(step="small"),
        "found.step: found 'small', required an exact number",
    ),
    "a repair without a target": ("repair", lambda d: d["found"].pop("target"), "found: found no key 'target'"),
    "a repair of another kind": ("repair", lambda d: d.update(kind="drop"), "found: found no key 'refuted'"),
    "an axis without a knob": ("sweep", lambda d: d["vary"][0].pop("knob"), r"vary\[0\]: found no key 'knob'"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_json_of_another_shape_is_refused_by_the_place_of_the_fault(fault: str, tmp_path: Path) -> None:
    """Its digest being right, it is refused when it is loaded, with its file and the path of keys; and so is its
    report."""
    name, spoil, said = FAULTS[fault]
    document = deepcopy(DOCUMENTS[name][1]())
    spoil(document)
    path = tmp_path / "spoilt.json"
    path.write_bytes(json.dumps(signed(document), ensure_ascii=False).encode())
    for refused in (lambda: DOCUMENTS[name][0].load(path), lambda: report(path, tmp_path / "x.md")):
        with pytest.raises(InputError, match=said) as caught:
            refused()
        assert "spoilt.json" in str(caught.value)
        assert 2 == caught.value.exit_code


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"parts": {"D": "1"}}, r"runs\[0\].bound.parts: found no key 'N'"),
        ({"parts": {"D": "1", "N": "6"}, "policies": {}}, r"runs\[0\].bound.policies: found dict, required an array"),
        ({"parts": {"D": "1", "N": "6"}, "lines": "0"}, r"runs\[0\].bound.lines: found str, required an object"),
    ],
)
def test_a_bound_of_another_shape_is_refused(part: dict[str, Any], said: str, tmp_path: Path) -> None:
    """A report names the algorithm and the keys."""
    document = samples.run_record()
    bound = {"kind": "finite", "statement": "", "probability": "1", "data": [], "lines": {}, **part}
    document["runs"][0]["bound"] = bound
    with pytest.raises(InputError, match=said):
        report(signed(document), tmp_path / "x.md")
