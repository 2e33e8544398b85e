"""Hypothesis profiles: the same examples on every run, so that a failure is repeated by running again."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

slow_inputs = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("ci", deadline=None, derandomize=True, suppress_health_check=slow_inputs)
settings.register_profile("sweep", deadline=None, max_examples=2000, suppress_health_check=slow_inputs)
settings.load_profile("ci")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if getattr(config.option, "dist", "no") == "load":  # each process gets neighbours, which share what a module makes
        config.option.dist = "worksteal"
    config.addinivalue_line("markers", "slow: a sweep of some minutes, left out of a quick run by -m 'not slow'")
