"""The exact facts of a class under the options of a certificate, which several claims share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from math import lcm
from typing import TYPE_CHECKING, Any, TypeVar

from .game import Game, Row, World
from .operators import Scaled, Space
from .play import Play
from .reading import Object

if TYPE_CHECKING:
    from .continua import Continuum

Made = TypeVar("Made")


class Facts:
    """These are exact facts of a class under the options of a certificate; of one with interval axes, those that hold
    as polynomials. ``endings`` is how many pairs tell prefixes apart, or ``None`` where all that is to come does."""

    def __init__(self, game: Game, options: Object, endings: int | None = None) -> None:
        self.game, self.options, self.endings = game, options, endings
        self._by_endings: dict[int, Facts] = {}
        self._played: dict[int, Play] = {}
        self._made: dict[Callable[[Any], Any], Any] = {}
        self.space, self.whole = Space(game, options["space"]), Space(game, "history")
        reference = options["reference"]
        size = len(game.B)
        self.mu: Row = (
            (Fraction(1, size),) * size if reference == "uniform" else tuple(Fraction(text) for text in reference)
        )

    def undecided(self, claim: str) -> str:
        """Return why no verdict but unknown can stand for a claim, or "" where one can."""
        return ""

    @cached_property
    def scaled(self) -> Any:
        """Return the tables, as integers over common units or as polynomials."""
        return Scaled(self.game) if self.game.finite else self.continuum

    @cached_property
    def continuum(self) -> Continuum:
        """Return the class with interval axes as polynomials."""
        from .continua import Continuum  # an interval class enters this ring, and no other does

        return Continuum(self.game, self.space)

    @property
    def tables(self) -> Sequence[World]:
        """Return the kernels of all worlds, at points or in indeterminates."""
        return self.game.worlds if self.game.finite or self.game.own else self.continuum.worlds

    @cached_property
    def plays(self) -> list[Play]:
        """Return what each policy sees under every model."""
        return [self.play(p) for p in range(len(self.game.policies))]

    def play(self, p: int) -> Play:
        """Return what one policy sees under every model."""
        if p not in self._played:
            kind: Callable[..., Play] = plays_of(self.options)
            if self.endings is not None:
                from .endings import EndingPlay

                kind = partial(EndingPlay, k=self.endings)
            limit = self.options["limits"]["trajectories"]
            self._played[p] = kind(self.game, self.scaled, self.space, p, limit)
        return self._played[p]

    def by_endings(self, k: int) -> Facts:
        """Return the same facts, of play by endings of ``k`` pairs."""
        if k not in self._by_endings:
            self._by_endings[k] = Facts(self.game, self.options, k)
        return self._by_endings[k]

    @property
    def played(self) -> bool:
        """Return whether ``plays`` are there."""
        return "plays" in self.__dict__

    def once(self, made: Callable[[Facts], Made]) -> Made:
        """Return what ``made`` gives of these facts, computed at the first call."""
        if made not in self._made:
            self._made[made] = made(self)
        found: Made = self._made[made]
        return found


def summed(options: Object) -> bool:
    """Return whether operators are compared at all pairs that may follow, not at the one that occurs (3.1(e), Section
    2.6)."""
    return "operators" in options


def plays_of(options: Object) -> type[Play]:
    """Return the kind of play that a reading of 3.1(e) asks for."""
    if not summed(options):
        return Play
    from .summed import SummedPlay

    return SummedPlay


def l1(u: Row, v: Row) -> Fraction:
    """Return the l1 distance of two rows."""
    if u is v:
        return Fraction(0)
    unit = lcm(*(x.denominator for x in (*u, *v)))
    pairs = zip(u, v, strict=True)
    return Fraction(
        sum(abs(x.numerator * (unit // x.denominator) - y.numerator * (unit // y.denominator)) for x, y in pairs), unit
    )


def norm(vector: Mapping[Any, Any]) -> Any:
    """Return the l1 norm of a sparse vector."""
    return sum(map(abs, vector.values()))
