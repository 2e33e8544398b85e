"""What one step of play adds to the right side of Assumption 3.1(e) on a box of pairs."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pomgcheck.kernel.boxes import Region
from pomgcheck.kernel.divergence import Step
from pomgcheck.kernel.forms import ONE, Unbounded
from pomgcheck.kernel.pairs import Leaf, charts
from pomgcheck.kernel.polynomials import Polynomial, polynomial, variable


def test_a_step_that_may_be_impossible_is_bounded_by_its_columns_or_not_at_all() -> None:
    """Where the chance x of what came before may vanish, the error over it is a mixture of the columns, here of norms 3
    and 2: at most 9 is added.  With a column that leaves a remainder over the factor there is no bound."""
    (chart,) = charts(Region({"x": (Fraction(0), Fraction(1))}), None)
    leaf, error = Leaf(chart, chart.box), [variable("x") * 2]

    def step(*columns: list[Polynomial | None]) -> Step:
        return Step(Fraction(1), error, variable("x"), polynomial(1), list(columns))

    added = step([polynomial(1), polynomial(-2)], [polynomial(2)]).share(leaf)
    assert 9 * ONE <= added.high <= 9 * ONE + ONE // 10**6
    with pytest.raises(Unbounded):
        step([polynomial(1), polynomial(-2)], [polynomial(2), None]).share(leaf)
