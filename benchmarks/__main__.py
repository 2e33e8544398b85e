"""Everything that is timed: ``python -m benchmarks``."""

from __future__ import annotations

from benchmarks import certify, continua, eluder, experiments, extracted, importing, learner, sweep

for module in (certify, continua, eluder, extracted, importing, learner, experiments, sweep):
    print(f"\n{(module.__doc__ or '').splitlines()[0]}\n")
    module.main()
