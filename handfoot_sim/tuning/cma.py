"""CMA-ES: a normal distribution that moves and stretches towards the better half of its samples.

The algorithm is that of the library ``cmaes`` (Hansen, "The CMA evolution strategy: a tutorial",
arXiv 1604.00772). What is told here are values with much noise, so the population is large and
each of it plays few cards: ranking many shows the direction, though no single value is known. The
answer is the mean of the distribution, never the best sample seen, which is the luckiest one.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from cmaes import CMA

from handfoot_sim.tuning.methods import with_failures
from handfoot_sim.tuning.space import Space

SIGMA: Final = 0.1
"""Standard deviation at the start, as a part of the bounds. Tried on synthetic landscapes of 35
parameters with the noise of matches: 0.05 and 0.1 did better than 0.15 and 0.2."""

STEPS: Final = 0.6
"""Least standard deviation at the start in values of a whole number or boolean, so that other
values are tried at all."""


class CmaSearch:
    """A search by CMA-ES from the start of a space with so many candidates a generation."""

    def __init__(self, space: Space, seed: int, size: int, sigma: float = SIGMA) -> None:
        dimensions = len(space)
        spread = np.array([max(sigma, STEPS * each.step) for each in space.dimensions])
        self._size = size
        self._cma = CMA(
            mean=space.start,
            sigma=sigma,
            cov=np.diag((spread / sigma) ** 2),
            bounds=np.tile([0.0, 1.0], (dimensions, 1)),
            seed=seed % 2**32,
            population_size=size,
        )
        self._asked: list[np.ndarray] = []

    @property
    def size(self) -> int:
        """Candidates of a generation."""
        return self._size

    @property
    def centre(self) -> np.ndarray | None:
        """The mean of the distribution, shape (dimensions,)."""
        return self.answer()

    @property
    def spread(self) -> np.ndarray | None:
        """Standard deviation of the distribution in each dimension, shape (dimensions,)."""
        return np.asarray(self._cma._sigma * np.sqrt(np.diag(self._cma._C)))

    def ask(self) -> list[np.ndarray]:
        """A generation drawn from the distribution."""
        self._asked = [self._cma.ask() for _ in range(self._size)]
        return self._asked

    def tell(self, values: np.ndarray) -> None:
        """Move the distribution; a failed candidate ranks last."""
        if not np.isfinite(values).any():
            return
        losses = -with_failures(values)
        self._cma.tell(list(zip(self._asked, losses.tolist(), strict=True)))

    def finalists(self) -> list[np.ndarray]:
        """None: the mean is the answer."""
        return []

    def answer(self) -> np.ndarray:
        """The mean of the distribution."""
        return np.asarray(np.clip(self._cma.mean, 0.0, 1.0))
