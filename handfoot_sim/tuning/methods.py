"""What a method of search is, and what the search asks of it.

A method proposes points, is told their values (points a match, the more the better; NaN where the
agent failed) and answers with a point in the end. It draws random numbers from its own generator
only, so with the same values it asks for the same points again.
"""

from __future__ import annotations

from typing import Final, Protocol

import numpy as np

METHODS: Final = ("cma", "spsa", "optuna")


class Method(Protocol):
    """A method of search."""

    @property
    def size(self) -> int:
        """Points asked for in a round."""

    @property
    def centre(self) -> np.ndarray | None:
        """What it takes for the best now, shape (dimensions,), if that is a point of its own."""

    @property
    def spread(self) -> np.ndarray | None:
        """Standard deviation of what it proposes in each dimension, shape (dimensions,)."""

    def ask(self) -> list[np.ndarray]:
        """Points for the next round."""

    def tell(self, values: np.ndarray) -> None:
        """Take in the values of the points asked for last, shape (size,)."""

    def finalists(self) -> list[np.ndarray]:
        """Points between which fresh cards are to choose the answer; empty if it has one."""

    def answer(self) -> np.ndarray:
        """The point to answer with where there are no finalists."""


def with_failures(values: np.ndarray) -> np.ndarray:
    """Values in which a failure counts as the worst of the round; 0 where all have failed."""
    known = values[np.isfinite(values)]
    return np.where(np.isfinite(values), values, known.min() if len(known) else 0.0)
