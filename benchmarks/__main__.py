"""Everything that is timed: ``python -m benchmarks``."""

from __future__ import annotations

from benchmarks import certify, importing, learner, sweep

for module in (certify, learner, sweep, importing):
    print(f"\n{(module.__doc__ or '').splitlines()[0]}\n")
    module.main()
