"""Certifies model classes of partially observable Markov games, exactly, and runs the learner the theorem is about.

>>> import pomgcheck
>>> model = pomgcheck.load("patrol")  # a document, a name of the gallery, or file.py:function
>>> certificate = pomgcheck.certify(model)  # search for a proof or a refutation of every claim
>>> certificate.certified, certificate.values.alpha_lower
(True, Exact(7, 17))
>>> path = certificate.save("patrol.cert.json")
>>> bool(pomgcheck.verify(path))  # the kernel alone decides
True
>>> record = pomgcheck.run(path, episodes=1000, seeds=2)  # refused unless the kernel accepts the certificate
>>> page = pomgcheck.report(path, "patrol.html")
>>> len(pomgcheck.policy_regret("patrol", ["idle", "patrol"]).costs)  # of policies that somebody played
2
>>> sweep = pomgcheck.sweep(model, {"noise": ("1/20", "3/20", 3)})  # certify over a grid of a class's knobs
>>> len(sweep.points)
3

Names are imported when first used: ``import pomgcheck`` is free, and verifying needs the standard library alone.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pomgcheck import errors as errors
    from pomgcheck.certificate import Certificate as Certificate
    from pomgcheck.checking import verify as verify
    from pomgcheck.experiments.record import ExperimentRecord as ExperimentRecord
    from pomgcheck.experiments.run import experiment as experiment
    from pomgcheck.explaining import explain as explain
    from pomgcheck.exporters import export as export
    from pomgcheck.importers import import_model as import_model
    from pomgcheck.kernel.check import Verdict as Verdict
    from pomgcheck.learner.own import Algorithm as Algorithm
    from pomgcheck.learner.own import Episode as Episode
    from pomgcheck.learner.own import Spec as Spec
    from pomgcheck.learner.record import RunRecord as RunRecord
    from pomgcheck.learner.run import run as run
    from pomgcheck.loading import load as load
    from pomgcheck.modelclass.builder import model_class as model_class
    from pomgcheck.modelclass.model import ModelClass as ModelClass
    from pomgcheck.options import Options as Options
    from pomgcheck.played import PolicyRegret as PolicyRegret
    from pomgcheck.played import policy_regret as policy_regret
    from pomgcheck.records import read as read
    from pomgcheck.remedies import RepairRecord as RepairRecord
    from pomgcheck.repairing import repair as repair
    from pomgcheck.reporting import report as report
    from pomgcheck.search.certify import certify as certify
    from pomgcheck.search.sweep import sweep as sweep
    from pomgcheck.search.sweep_file import Sweep as Sweep
    from pomgcheck.version import __version__ as __version__

_HOMES = {
    "__version__": "version",
    "Algorithm": "learner.own",
    "Certificate": "certificate",
    "Episode": "learner.own",
    "ExperimentRecord": "experiments.record",
    "ModelClass": "modelclass.model",
    "Options": "options",
    "PolicyRegret": "played",
    "RepairRecord": "remedies",
    "RunRecord": "learner.record",
    "Spec": "learner.own",
    "Sweep": "search.sweep_file",
    "Verdict": "kernel.check",
    "certify": "search.certify",
    "experiment": "experiments.run",
    "explain": "explaining",
    "export": "exporters",
    "import_model": "importers",
    "load": "loading",
    "model_class": "modelclass.builder",
    "policy_regret": "played",
    "read": "records",
    "repair": "repairing",
    "report": "reporting",
    "run": "learner.run",
    "sweep": "search.sweep",
    "verify": "checking",
}

__all__ = ["errors", *(name for name in _HOMES if not name.startswith("_"))]


def __getattr__(name: str) -> Any:
    """Import a public name from its home, once."""
    if name == "errors":
        return import_module("pomgcheck.errors")
    if name not in _HOMES:
        raise AttributeError(f"module 'pomgcheck' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"pomgcheck.{_HOMES[name]}"), name)
    if stored := sys.modules.get("pomgcheck.stored"):  # records show themselves by the reports, loaded when asked
        stored.Displayed.presenter = stored.Displayed.presenter or (lambda: import_module("pomgcheck.reporting"))
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
