"""Certifies every class of the gallery anew and writes what has changed: ``python -m certificates.regenerate [STEM…]``.

A file that would differ only in what the tool and its search say of themselves (versions, seconds) is left alone.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from pomgcheck import gallery
from pomgcheck.kernel.reading import canonical_bytes, read_json
from pomgcheck.search.certify import certify

FOLDER = Path(__file__).parent

# the claims of tiger-interval that are decided in seconds: of 2.4 and 3.1(e) nothing is found in minutes
QUICK = (
    *("factorization", "oom-identity", "nonexpansive", "posterior-lipschitz", "well-specified", "covering"),
    *("bounded-increments", "predictive-states", "warmup-stationary", "regret"),
)

# file stem -> (class, options other than the defaults)
CERTIFICATES: dict[str, tuple[str, dict[str, Any]]] = {name: (name, {}) for name in gallery.names()} | {
    "brewing": ("brewing", {"kappa": 2}),
    "digits": ("digits", {"form": "joint", "lipschitz": "policy"}),
    "digits.literal": ("digits", {}),
    "kuhn": ("kuhn", {"lipschitz": "policy"}),
    "kuhn.literal": ("kuhn", {}),
    "labelled": ("labelled", {"T": 16}),
    "labelled.summed": ("labelled", {"T": 16, "operators": "summed"}),
    "opportunist": ("opportunist", {}),
    "tiger-interval": ("tiger-interval", {"only": QUICK}),
}


def documents(stem: str) -> dict[str, Any]:
    """The model and the certificate of one stem, by file name."""
    name, options = CERTIFICATES[stem]
    model = gallery.load(name)
    return {
        f"{name}.model.json": model.document,
        f"{stem}.cert.json": certify(model, cross_check=True, **options).document,
    }


def settled(document: Any) -> Any:
    """A document without what the tool and its search say of themselves, as the digest leaves them out."""
    if "claims" not in document:
        return document
    claims = [{key: value for key, value in claim.items() if key != "search"} for claim in document["claims"]]
    return {key: value for key, value in document.items() if key != "tool"} | {"claims": claims}


def differs(path: Path, document: Any) -> bool:
    """Whether the file on disk is missing, or says something else."""
    return not path.is_file() or settled(read_json(path.read_bytes())) != settled(document)


def main(stems: list[str]) -> None:
    """Write the changed files of these stems, or of all."""
    for stem in stems or CERTIFICATES:
        for name, document in documents(stem).items():
            path = FOLDER / name
            if differs(path, document):
                path.write_bytes(canonical_bytes(document))
                print(f"wrote {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
