"""``python -m tests.second CERT``: a second checker of small classes, which shares no code with the kernel's claims.

Every claim of a certificate is decided again by plain enumeration (tests/gallery/brute.py, tests/search/truth.py), or, of
a class with interval axes, at sampled models.  Of the kernel only the exact tables of a document are used.  A line is
printed for each claim: *agrees*; *disagrees*, with what was found; *says nothing*, where the certificate does not; or
*too large*, with the count.  The exit code is 0 if no claim is disagreed with, 1 if one is, 2 if the file cannot be read.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any

from pomgcheck.kernel.game import Game
from pomgcheck.kernel.reading import Malformed, long_integers, read_json, sequence, take
from tests.search import truth

MOST = 400_000  # steps of plain enumeration for one claim, some seconds
SAMPLED = 3  # worlds and responses of a finite class sampled from one with interval axes
TESTS = str(Path(__file__).parent)
SHORT = 200  # characters of a value that was found


def verdicts(certificate: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each claim's id and what this checker says of it."""
    game, options = Game(certificate["model"]), certificate["options"]
    for entry in certificate["claims"]:
        if entry["verdict"] == "unknown":
            yield entry["id"], "says nothing"
        elif (count := steps(game, options, entry["id"])) > MOST:
            yield entry["id"], f"too large: {count} steps of enumeration, more than {MOST}"
        else:
            yield entry["id"], decided(game, options, certificate["claims"], entry)


def decided(game: Game, options: Mapping[str, Any], claims: list[Any], entry: Mapping[str, Any]) -> str:
    """Whether the definitions give what the entry says."""
    try:
        if entry["id"] == "constants":
            truth.constants(game, options, claims)
        else:
            truth.check(game, options, entry)
    except AssertionError as error:
        return f"disagrees: {failed(error.__traceback__)}"
    except (Malformed, LookupError, TypeError, ValueError, ArithmeticError, AttributeError) as error:
        return f"disagrees: what it names cannot be found in the class ({type(error).__name__}: {error})"
    return "agrees"


def failed(trace: TracebackType | None) -> str:
    """The comparison that failed, and the values in it."""
    while (
        trace is not None and trace.tb_next is not None and trace.tb_next.tb_frame.f_code.co_filename.startswith(TESTS)
    ):
        trace = trace.tb_next
    assert trace is not None
    frame, lines = trace.tb_frame, linecache.getlines(trace.tb_frame.f_code.co_filename)
    found = (
        node.test
        for node in ast.walk(ast.parse("".join(lines)))
        if isinstance(node, ast.Assert) and node.lineno <= trace.tb_lineno <= (node.end_lineno or node.lineno)
    )
    test = next(found, None)
    if test is None:
        return f"line {trace.tb_lineno} of {Path(frame.f_code.co_filename).name}"
    parts = [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
    return f"not {ast.unparse(test)}" + "".join(f"; {shown(part, frame)}" for part in parts)


def shown(part: ast.expr, frame: FrameType) -> str:
    """A side of a comparison and its value."""
    value = eval(compile(ast.Expression(part), "comparison", "eval"), {**frame.f_globals, **frame.f_locals})
    return f"{ast.unparse(part)} = {value}"[:SHORT]


def steps(game: Game, options: Mapping[str, Any], claim: str) -> int:
    """About how many steps plain enumeration takes for a claim."""
    if game.own or claim in ("factorization", "well-specified", "covering", "warmup-stationary"):
        return 1
    I, K = (len(game.worlds) or SAMPLED, len(game.responses) or SAMPLED)
    P, H, S, O, A, Q, B = len(game.policies), game.H, *map(len, (game.S, game.OA, game.A, game.OB, game.B))
    chosen = [max(sum(map(bool, row)) for table in policy for row in table) for policy in game.policies]
    paths = S * sum((O * acts * Q * B) ** (H - 1) * O * acts for acts in chosen)  # over all policies
    if claim == "posterior-lipschitz":
        blocks = P ** (game.m or 1) if game.block_rule == "table" else P
        return int(I * Q * paths + I * K * blocks**2 * (Q * B) ** (H - 1) * Q)
    if claim == "weak-revealing":
        parts = [memories(game, options, h, False) for h in range(H)]
        pure = [S * part + min(6, S * part) ** 2 // 2 + 1 for part in parts]
        states = [
            n * memories(game, options, h, True) * S * part for h, (n, part) in enumerate(zip(pure, parts, strict=True))
        ]
        asked = I * (I - 1) * K * P * sum(states[: max(H - options["kappa"], 0)])
        return int(asked * (O * A) ** (options["kappa"] + 1))
    if claim.startswith("eluder"):
        return int(I * K * (paths * (I + K) + 4**P * (I if claim == "eluder-world" else K)))
    if claim == "nonexpansive":
        return K * P * sum(memories(game, options, h, False) for h in range(H)) * Q * B
    return int(I * K * paths * (I * K if claim.startswith("kl") else 1))


def memories(game: Game, options: Mapping[str, Any], h: int, learner: bool) -> int:
    """How many memories a side may have before a step."""
    O, A, window = (
        (len(game.OA), len(game.A), game.learner_window)
        if learner
        else (len(game.OB), len(game.B), game.adversary_window)
    )
    return prod([O * A] * h) if options["space"] == "history" or window is None else prod([O] * min(window - 1, h))


def main(arguments: list[str]) -> int:
    """Print a line per claim; the exit code says the same."""
    if len(arguments) != 1 or not __debug__:
        print("usage: python -m tests.second CERT  (without -O, which leaves comparisons out)", file=sys.stderr)
        return 2
    try:
        with long_integers():
            data = Path(arguments[0]).read_bytes()
            certificate = read_json(data)
            for key in ("model", "options", "claims"):
                take(certificate, "certificate", (key,), tuple(certificate))
            sequence(certificate["claims"], "claims")
            found = dict(verdicts(certificate))
    except OSError as error:
        print(f"{error.filename}: {error.strerror}; give the path of a certificate file", file=sys.stderr)
        return 2
    except (Malformed, LookupError, TypeError) as error:
        print(f"{arguments[0]}: no certificate of a class ({error})", file=sys.stderr)
        return 2
    for claim, said in found.items():
        print(f"{claim}: {said}")
    return 1 if any(said.startswith("disagrees") for said in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
