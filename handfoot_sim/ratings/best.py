"""Which of several alternatives may be the best, after all of them played the same cards."""

from __future__ import annotations

import numpy as np
from scipy import stats

from handfoot_sim.ratings.payoff import holm


def chance_of_best(blocks: np.ndarray) -> np.ndarray:
    """p-values of the claims that an alternative is not the best, float64, shape (alternatives,).

    ``blocks``: what each came to in independent blocks of cards that all share, shape
    (alternatives, blocks); one with a NaN is left out, and its p-value is NaN. An alternative is
    tested against each other one by Student's one-sided test of their paired differences,
    corrected over all of these by Holm's method. Those with p-values of 5 % or more hold the best
    with a probability of at least 95 %, whichever it is (subset selection, Gupta, Technometrics 7,
    1965, here with Bonferroni's bound in place of equal variances).
    """
    found = np.full(len(blocks), np.nan)
    known = np.flatnonzero(np.isfinite(blocks).all(1))
    played = blocks[known]
    for place, number in enumerate(known):
        others = np.delete(played, place, axis=0) - played[place]
        found[number] = holm(_worse(others)).min() if len(others) else 1.0
    return found


def _worse(ahead: np.ndarray) -> np.ndarray:
    """One-sided p-values against means above 0, shape (others,), of blocks (others, blocks)."""
    n = ahead.shape[1]
    mean = ahead.mean(1)
    if n < 2:
        return np.ones(len(ahead))
    spread = ahead.std(1, ddof=1)
    alike = spread <= 1e-12 * np.abs(ahead).max(1)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = stats.t.sf(mean / (spread / np.sqrt(n)), n - 1)
    return np.asarray(np.where(alike, np.where(mean > 0, 0.0, 1.0), p))
