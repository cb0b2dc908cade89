"""CMA-ES: a normal distribution that moves and stretches towards the better half of its samples.

The algorithm is that of the library ``cmaes`` (Hansen, "The CMA evolution strategy: a tutorial",
arXiv 1604.00772). What is told here are values with much noise, so the population is large and
each of it plays few cards: ranking many shows the direction, though no single value is known. The
answer is the mean of the distribution, never the best sample seen, which is the luckiest one.

The distribution knows no bounds: beyond them the space is its own mirror image. Drawing again
until a sample is within bounds, as the library would, moves the mean of parameters that start at a
bound inwards whatever their values are, which the step size takes for progress: it was seen to
grow tenfold within ten generations.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from cmaes import CMA

from handfoot_sim.tuning.methods import with_failures
from handfoot_sim.tuning.space import Space

SIGMA: Final = 0.05
"""Standard deviation at the start, as a part of the bounds. Tried on synthetic landscapes of 35
parameters with the noise of matches 0.05 and 0.1 did better than 0.15 and 0.2; with parameters
that are good already, wider ones bring mostly worse play."""

STEPS: Final = 0.3
"""Least standard deviation at the start in values of a whole number or boolean: 1 candidate in 10
tries another value."""


class CmaSearch:
    """A search by CMA-ES from the start of a space with so many candidates a generation."""

    def __init__(self, space: Space, seed: int, size: int, sigma: float = SIGMA) -> None:
        spread = np.array([max(sigma, STEPS * each.step) for each in space.dimensions])
        self._size = size
        self._cma = CMA(
            mean=space.start,
            sigma=sigma,
            cov=np.diag((spread / sigma) ** 2),
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
        return [mirrored(each) for each in self._asked]

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
        return mirrored(self._cma.mean)


def mirrored(point: np.ndarray) -> np.ndarray:
    """A point anywhere as one between 0 and 1, by the mirrors at the bounds."""
    inside = np.mod(point, 2.0)
    return np.asarray(np.where(inside > 1.0, 2.0 - inside, inside))
