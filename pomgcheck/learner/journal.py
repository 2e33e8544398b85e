"""Keeps the journal of an unfinished run: one line per finished seed, so that a kill loses only those in progress.

A line is JSON with a digest of itself; one that was cut off in writing, or that belongs to another run, counts for
nothing. The journal is deleted when the record is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from pomgcheck.errors import InputError
from pomgcheck.kernel.reading import canonical_bytes, digest

Key = tuple[str, int]  # algorithm and seed


class Tally(NamedTuple):
    """This is what the summary needs of a seed, exactly: the regret at the recorded times, and totals."""

    regret: list[Fraction]
    warmup: Fraction
    S_T: int
    terminations: int
    inside: bool | None  # whether xi* was in every confidence set

    def written(self) -> dict[str, Any]:
        """Return the tally as JSON."""
        return self._asdict() | {"regret": list(map(str, self.regret)), "warmup": str(self.warmup)}

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Tally:
        """Return the tally that the JSON holds."""
        return cls(
            list(map(Fraction, value["regret"])),
            Fraction(value["warmup"]),
            value["S_T"],
            value["terminations"],
            value["inside"],
        )


class Seed(NamedTuple):
    """A finished seed has its entry of the record, and its tally."""

    entry: dict[str, Any]
    tally: Tally


class Journal:
    """This is the file ``path`` of the run whose ``identity`` is the digest of everything that its seeds depend on."""

    def __init__(self, path: Path, identity: str) -> None:
        self.path, self.identity = path, identity

    def finished(self) -> dict[Key, Seed]:
        """Return the seeds of this run that the file holds. Raises ``InputError`` where all it holds is of another
        run."""
        found: dict[Key, Seed] = {}
        others = False
        if not self.path.is_file():
            return found
        for line in self.path.read_bytes().splitlines():
            try:
                value = json.loads(line)
                sound = value.pop("sha256") == digest(value)
                own = value["run"] == self.identity
            except (ValueError, KeyError, AttributeError):
                continue
            others = others or (sound and not own)
            if sound and own:
                key = value["algorithm"], value["entry"]["seed"]
                found[key] = Seed(value["entry"], Tally.read(value["tally"]))
        if others and not found:
            raise InputError(
                "resume",
                f"{self.path.name}, of a run with other options",
                "the file of this run",
                "repeat its options, or do not resume it",
            )
        return found

    def begin(self, kept: Mapping[Key, Seed]) -> None:
        """Write the file anew with the seeds that are kept."""
        part = self.path.with_name(self.path.name + ".part")
        part.write_bytes(b"".join(self.line(algorithm, seed) for (algorithm, _), seed in kept.items()))
        part.replace(self.path)

    def add(self, algorithm: str, seed: Seed) -> None:
        """Add a finished seed; it is on disk before this returns."""
        with self.path.open("ab") as file:
            file.write(self.line(algorithm, seed))

    def line(self, algorithm: str, seed: Seed) -> bytes:
        """Return a seed as its line."""
        value = {"run": self.identity, "algorithm": algorithm, "entry": seed.entry, "tally": seed.tally.written()}
        return canonical_bytes(value | {"sha256": digest(value)}) + b"\n"

    def end(self) -> None:
        """Close the file: the run is finished."""
        self.path.unlink(missing_ok=True)
