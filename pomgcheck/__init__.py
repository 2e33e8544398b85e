"""Certifies model classes of partially observable Markov games, exactly, and runs the learner the theorem is about.

>>> import pomgcheck
>>> model = pomgcheck.load("patrol")                      # a document, a gallery name, or file.py:function
>>> pomgcheck.certify(model).save("patrol.cert.json")     # search for a proof or a refutation of every claim
>>> pomgcheck.verify("patrol.cert.json")                  # the kernel alone decides
>>> pomgcheck.run("patrol.cert.json", episodes=10_000)    # refused unless the kernel accepts the certificate
>>> pomgcheck.policy_regret("patrol", ["idle", "patrol"]) # of policies that somebody played
>>> pomgcheck.report("patrol.cert.json", "patrol.html")
>>> model = pomgcheck.import_model("guard.pomdp", adversary="jam")  # or a .dpomdp, a .efg, openspiel:kuhn_poker
>>> pomgcheck.sweep(model, {"noise": ("1/20", "1/2", 10)}, "patrol.sweep.json")  # certify over a grid of its knobs

Names are imported when first used: ``import pomgcheck`` is free, and verifying needs the standard library alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pomgcheck import errors
    from pomgcheck.checking import verify
    from pomgcheck.importers import import_model
    from pomgcheck.kernel.check import Verdict
    from pomgcheck.learner.record import RunRecord
    from pomgcheck.learner.run import run
    from pomgcheck.loading import load
    from pomgcheck.modelclass.model import ModelClass
    from pomgcheck.played import PolicyRegret, policy_regret
    from pomgcheck.reporting import report
    from pomgcheck.search.certificate import Certificate
    from pomgcheck.search.certify import certify
    from pomgcheck.search.sweep import sweep
    from pomgcheck.search.sweep_file import Sweep

__all__ = [
    "Certificate",
    "ModelClass",
    "PolicyRegret",
    "RunRecord",
    "Sweep",
    "Verdict",
    "certify",
    "errors",
    "import_model",
    "load",
    "policy_regret",
    "report",
    "run",
    "sweep",
    "verify",
]

_HOMES = {
    "Certificate": "pomgcheck.search.certificate",
    "ModelClass": "pomgcheck.modelclass.model",
    "PolicyRegret": "pomgcheck.played",
    "RunRecord": "pomgcheck.learner.record",
    "Sweep": "pomgcheck.search.sweep_file",
    "Verdict": "pomgcheck.kernel.check",
    "certify": "pomgcheck.search.certify",
    "import_model": "pomgcheck.importers",
    "load": "pomgcheck.loading",
    "policy_regret": "pomgcheck.played",
    "report": "pomgcheck.reporting",
    "run": "pomgcheck.learner.run",
    "sweep": "pomgcheck.search.sweep",
    "verify": "pomgcheck.checking",
}


def __getattr__(name: str) -> Any:
    """Import a public name from its home, once."""
    if name == "errors":
        return import_module("pomgcheck.errors")
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("pomgcheck")
        except PackageNotFoundError:
            return "source"  # run from a source tree, not installed
    if name not in _HOMES:
        raise AttributeError(f"module 'pomgcheck' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})
