"""Estimates with 95 % intervals from sums by bucket of match numbers.

Buckets are random groups of match numbers, hence independent of each other and alike. Every
function takes sums whose last axis is the bucket, and works on any number of cells at once.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from scipy import special

NORMAL: Final = float(special.ndtri(0.975))
"""The normal quantile of a 95 % interval."""


class Estimates(NamedTuple):
    """Estimates of many cells, arrays of one shape, NaN where there is none.

    ``n`` is what is counted (int64), ``clusters`` how many buckets the interval is made from.
    """

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    n: np.ndarray
    clusters: np.ndarray


def student(freedom: np.ndarray) -> np.ndarray:
    """Student's quantile of a 95 % interval; NaN where ``freedom`` is below 1."""
    enough = np.asarray(freedom) >= 1
    return np.where(enough, special.stdtrit(np.where(enough, freedom, 1), 0.975), np.nan)


def _ratio(
    above: np.ndarray, below: np.ndarray, present: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Ratio of totals, its standard error, the total below, and the number of buckets."""
    total = below.sum(-1)
    clusters = present.sum(-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = above.sum(-1) / total
        deviations = np.where(present, above - value[..., None] * below, 0.0)
        spread = np.square(deviations).sum(-1) * clusters / (clusters - 1)
        error = np.where(clusters > 1, np.sqrt(spread) / total, np.nan)
    return np.where(total > 0, value, np.nan), error, total, clusters


def mean_of(above: np.ndarray, below: np.ndarray, present: np.ndarray) -> Estimates:
    """Total of ``above`` over the total of ``below``, such as points a deal.

    The interval is that of the ratio estimator over buckets, with Student's quantile for one
    degree of freedom less than there are buckets (Cochran, Sampling Techniques, 3rd ed. 1977,
    section 6.4; Wolter 2007, section 2.4). ``present``: bool, which buckets hold matches.
    """
    value, error, total, clusters = _ratio(above, below, present)
    half = student(clusters - 1) * error
    n = np.round(total).astype(np.int64)
    return Estimates(value, value - half, value + half, n, clusters)


def share_of(above: np.ndarray, below: np.ndarray, present: np.ndarray) -> Estimates:
    """A proportion: how many ``above`` of those ``below``, with Wilson's interval, widened.

    The number of trials is divided by the design effect, the variance of the ratio estimator over
    that of independent trials, where that is above 1 (Kish, Survey Sampling, 1965), and by the
    square of Student's over the normal quantile, since the effect is itself estimated (Korn and
    Graubard, Survey Methodology 24, 1998); then the interval is Wilson's (JASA 22, 1927).
    """
    value, error, total, clusters = _ratio(above, below, present)
    with np.errstate(invalid="ignore", divide="ignore"):
        alone = value * (1 - value) / total
        effect = np.where(alone > 0, np.maximum(1.0, np.square(error) / alone), 1.0)
        trials = total / effect * np.square(NORMAL / student(clusters - 1))
        low, high = wilson(value, trials)
    n = np.round(total).astype(np.int64)
    return Estimates(value, low, high, n, clusters)


def wilson(share: np.ndarray, trials: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's 95 % interval of a proportion of so many trials, which need be no whole number."""
    z = NORMAL
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = share * (1 - share) / trials + z * z / (4 * trials * trials)
    half = z * np.sqrt(spread) / (1 + z * z / trials)
    return np.clip(centre - half, 0.0, share), np.clip(centre + half, share, 1.0)


def jackknife_error(deleted: np.ndarray, present: np.ndarray, axis: int = 0) -> np.ndarray:
    """Standard error from estimates made without one bucket each, along ``axis``.

    The delete-a-group jackknife (Wolter 2007, section 4.5; Shao and Tu, The Jackknife and
    Bootstrap, 1995): root of (G - 1)/G times the sum of squares about their mean.
    ``present``: bool, shape (buckets,): buckets without matches are passed over.
    """
    kept = np.compress(present, deleted, axis)
    groups = kept.shape[axis]
    if groups < 2:
        return np.full(np.delete(np.array(deleted.shape), axis), np.nan)
    return np.asarray(kept.std(axis) * np.sqrt(groups - 1))


def contrast(
    levels: tuple[np.ndarray, np.ndarray], others: tuple[np.ndarray, np.ndarray]
) -> tuple[float, float, float]:
    """Difference of two means within strata, with its interval.

    Each of ``levels`` and ``others`` are counts and sums by stratum and bucket, shape
    (strata, buckets). A stratum's difference has the weight n1 n0 / (n1 + n0), which makes the
    whole the least-squares coefficient of the level with one constant a stratum; the interval is
    that of the jackknife over buckets. NaN where no stratum has both.
    """
    (n1, s1), (n0, s0) = levels, others
    value = float(_within(n1.sum(1), s1.sum(1), n0.sum(1), s0.sum(1)))
    present = (n1 + n0).sum(0) > 0
    groups = int(present.sum())
    if groups < 2:
        return value, float("nan"), float("nan")
    rest = [each.sum(1)[:, None] - each[:, present] for each in (n1, s1, n0, s0)]
    deleted = _within(*rest)
    error = float(jackknife_error(deleted, np.ones(groups, bool)))
    half = float(student(np.array(groups - 1))) * error
    return value, value - half, value + half


def _within(n1: np.ndarray, s1: np.ndarray, n0: np.ndarray, s0: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        both = (n1 > 0) & (n0 > 0)
        weight = np.where(both, n1 * n0 / (n1 + n0), 0.0)
        gap = np.where(both, s1 / n1 - s0 / n0, 0.0)
        return np.asarray((weight * gap).sum(0) / weight.sum(0))
