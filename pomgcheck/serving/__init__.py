"""Serves a local page on which a document is edited while its claims are certified: `pomgcheck serve` (docs/serve.md)."""

from __future__ import annotations
