"""States the version of this package, which certificates, records and pages name."""

__version__ = "0.2.0"
