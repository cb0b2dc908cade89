"""SPSA: all parameters are moved at once, one way and the other, and the difference says where to.

Spall, "Multivariate stochastic approximation using a simultaneous perturbation gradient
approximation" (IEEE Transactions on Automatic Control 37, 1992), with the gain sequences of his
"Implementation of the simultaneous perturbation algorithm" (IEEE TAES 34, 1998), scaled by where
they end, as is usual for chess engines: after the last round a step is ``RATE`` times the
perturbation for each pair that the better side is one standard deviation ahead.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from handfoot_sim.tuning.space import Space

PERTURBATION: Final = 0.15
"""How far each parameter is moved in the end, as a part of its bounds."""

RATE: Final = 0.002
"""Size of the last step: values from 0.001 to 0.02 did well elsewhere, 0.5 diverged."""

ALPHA: Final = 0.602
GAMMA: Final = 0.101
"""Exponents by which steps and perturbations get smaller (Spall, 1998)."""

STABILITY: Final = 0.1
"""Part of all rounds by which the first steps are kept small."""


class SpsaSearch:
    """A search by SPSA from the start of a space.

    In each of ``rounds``, ``size / 2`` perturbations are tried from the same point, each by two
    candidates of which each plays ``pairs`` pairs; ``noise`` is the standard deviation of a pair.
    """

    def __init__(
        self, space: Space, seed: int, size: int, *, rounds: int, pairs: int, noise: float
    ) -> None:
        self._space, self._size = space, size
        self._pairs, self._noise = pairs, max(noise, 1e-9)
        self._random = np.random.default_rng(seed)
        self._point = space.start
        self._round = 0
        self._rounds = max(1, rounds)
        self._stability = STABILITY * self._rounds
        self._signs = np.zeros((0, len(space)))
        self._reach = np.array([max(PERTURBATION, each.step) for each in space.dimensions])

    @property
    def size(self) -> int:
        """Candidates of a round, two for each perturbation."""
        return self._size

    @property
    def centre(self) -> np.ndarray | None:
        """The point that is perturbed, shape (dimensions,)."""
        return self._point.copy()

    @property
    def spread(self) -> np.ndarray | None:
        """How far each parameter is moved in this round, shape (dimensions,)."""
        return np.asarray(self._reach * self._widened())

    def _widened(self) -> float:
        return float((self._rounds / (self._round + 1.0)) ** GAMMA)

    def _rate(self) -> float:
        """Step over perturbation squared, in this round."""
        end = self._stability + self._rounds
        larger = (end / (self._stability + self._round + 1.0)) ** ALPHA
        return float(RATE * larger / self._widened() ** 2)

    def ask(self) -> list[np.ndarray]:
        """Two points for each perturbation: plus, minus, plus, minus, ..."""
        self._signs = self._random.choice([-1.0, 1.0], (self._size // 2, len(self._space)))
        moved = self._reach * self._widened() * self._signs
        points = [self._point + way * each for each in moved for way in (1.0, -1.0)]
        return [np.clip(point, 0.0, 1.0) for point in points]

    def tell(self, values: np.ndarray) -> None:
        """Step towards the better sides; a perturbation of which one side failed says nothing."""
        plus, minus = values[::2], values[1::2]
        ahead = np.where(np.isfinite(plus - minus), plus - minus, 0.0) * self._pairs / self._noise
        reach = self._reach * self._widened()
        step = self._rate() * reach * (ahead[:, None] * self._signs).sum(0)
        # No round moves farther than it has looked, however lucky it was.
        self._point = np.clip(self._point + np.clip(step, -reach, reach), 0.0, 1.0)
        self._round += 1

    def finalists(self) -> list[np.ndarray]:
        """None: the point is the answer."""
        return []

    def answer(self) -> np.ndarray:
        """The point that has been arrived at."""
        return self._point.copy()
