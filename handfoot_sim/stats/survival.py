"""Waiting times from counts by turn: curves, medians, and the comparison of two agents.

Counts are arrays of shape (groups, 1 + ends, turns): place 0 counts how often it happened in a
turn, the others how often the deal ended with a turn before it did, by kind of end. Groups are
random groups of match numbers; variances come from leaving out one group at a time, so they hold
although deals with the same cards hang together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from handfoot_sim.stats.intervals import Estimates, jackknife_error, share_of, student


@dataclass(frozen=True)
class Curve:
    """What is known of a waiting time by turn; arrays of shape (turns,) unless said otherwise.

    Attributes
    ----------
    n, clusters : deals, and groups of match numbers that hold some
    at_risk : deals that went on in a turn and in which it had not happened before
    happened : deals in which it happened in that turn
    share, low, high : happened by that turn, if deals went on (Kaplan and Meier)
    incidence : of all deals, happened by that turn (Aalen and Johansen), with its interval
    ended : of all deals, ended by that turn without it, shape (ends, turns)
    """

    n: int
    clusters: int
    at_risk: np.ndarray
    happened: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    incidence: Estimates
    ended: np.ndarray


def kaplan_meier(events: np.ndarray, leaving: np.ndarray) -> np.ndarray:
    """Share of deals in which it has not happened by the end of each turn, along the last axis.

    ``events`` counts by turn how often it happened, ``leaving`` how many deals were no longer at
    risk after the turn (those with the event among them). Kaplan and Meier, JASA 53, 1958.
    """
    at_risk = _at_risk(leaving)
    kept = 1.0 - np.divide(events, at_risk, out=np.zeros(events.shape), where=at_risk > 0)
    return np.asarray(np.cumprod(kept, -1))


def _at_risk(leaving: np.ndarray) -> np.ndarray:
    before = np.cumsum(leaving, -1) - leaving
    return np.asarray(leaving.sum(-1)[..., None] - before)


def _deleted(counts: np.ndarray, present: np.ndarray) -> np.ndarray:
    """Counts without one group each, shape (groups present, kinds, turns)."""
    return np.asarray(counts.sum(0) - counts[present])


def curve(counts: np.ndarray) -> Curve:
    """The curve of a waiting time.

    The band of the Kaplan-Meier curve is made on the log-log scale (Kalbfleisch and Prentice, The
    Statistical Analysis of Failure Time Data, 2nd ed. 2002, section 1.4) from the jackknife's
    variance. Every deal ends, so nothing is censored when all kinds of end are told apart, and
    Aalen and Johansen's estimate (Scandinavian Journal of Statistics 5, 1978) is a counted share.
    """
    counts = counts.astype(np.float64)
    present = counts.sum((1, 2)) > 0
    whole = counts.sum(0)
    leaving = whole.sum(0)
    staying = kaplan_meier(whole[0], leaving)
    without = _deleted(counts, present)
    error = _error(kaplan_meier(without[:, 0], without.sum(1)))
    low, high = log_log_band(staying, error, int(present.sum()))
    n = leaving.sum()
    by_group = np.cumsum(counts[:, 0], -1).T  # turns, groups
    of = np.broadcast_to(counts.sum((1, 2)), by_group.shape)
    incidence = share_of(by_group, of, np.broadcast_to(present, by_group.shape))
    ended = np.cumsum(whole[1:], -1) / n if n else np.full(whole[1:].shape, np.nan)
    return Curve(
        n=int(n), clusters=int(present.sum()), at_risk=_at_risk(leaving).astype(np.int64),
        happened=whole[0].astype(np.int64), share=1 - staying, low=1 - high, high=1 - low,
        incidence=incidence, ended=ended,
    )  # fmt: skip


def _error(deleted: np.ndarray) -> np.ndarray:
    return jackknife_error(deleted, np.ones(len(deleted), bool))


def log_log_band(
    staying: np.ndarray, error: np.ndarray, groups: int
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper band of a survival curve; NaN where the curve is 0 or 1."""
    inside = (staying > 0) & (staying < 1)
    curve_inside = np.where(inside, staying, 0.5)
    width = student(np.array(groups - 1)) * error / np.abs(curve_inside * np.log(curve_inside))
    with np.errstate(over="ignore"):
        low = np.where(inside, curve_inside ** np.exp(width), np.nan)
        high = np.where(inside, curve_inside ** np.exp(-width), np.nan)
    return low, high


def median(found: Curve) -> tuple[float, float, float]:
    """The turn by which it has happened in half of the deals, if they went on.

    The interval holds the turns at which the band crosses one half (Brookmeyer and Crowley,
    Biometrics 38, 1982). NaN where a curve does not get there.
    """
    value = _reached(found.share)
    if found.clusters < 2:
        return value, float("nan"), float("nan")
    certain = found.share >= 1
    return (
        value,
        _reached(np.where(certain, 1.0, np.nan_to_num(found.high))),
        _reached(np.where(certain, 1.0, np.nan_to_num(found.low))),
    )


def _reached(share: np.ndarray) -> float:
    reached = np.flatnonzero(share >= 0.5 - 1e-12)
    return float(reached[0]) if len(reached) else float("nan")


@dataclass(frozen=True)
class Comparison:
    """Two waiting times compared.

    Attributes
    ----------
    excess : how much more often it happened in the first sample than with equal hazards
    variance : of ``excess`` for independent deals; its square over this is the usual log-rank
        statistic
    statistic : Student's t of ``excess / variance``, its error by the jackknife over groups
    log_ratio, error : logarithm of the ratio of hazards, first over second, and its standard
        error by the jackknife; infinite and NaN where one sample has no events
    clusters : groups of match numbers
    """

    excess: float
    variance: float
    statistic: float
    log_ratio: float
    error: float
    clusters: int


def log_rank(first: np.ndarray, second: np.ndarray) -> Comparison:
    """Compare two waiting times: the log-rank statistic (Mantel 1966) and the ratio of hazards.

    The ratio maximises Cox's partial likelihood, ties after Breslow (Cox, J. R. Statist. Soc. B
    34, 1972). Groups hold the match numbers of both samples, so what agents share by playing the
    same cards and each other is in the errors.
    """
    first, second = first.astype(np.float64), second.astype(np.float64)
    present = (first + second).sum((1, 2)) > 0
    clusters = int(present.sum())
    whole = first.sum(0), second.sum(0)
    excess, variance = _excess(*whole)
    log_ratio = _log_ratio(*whole)
    statistic = error = float("nan")
    if clusters > 1 and variance > 0:
        parts = _deleted(first, present), _deleted(second, present)
        spread = _error(_quotient(*_excess(*parts)))
        statistic = float(excess / variance / spread) if spread > 0 else float("nan")
        if np.isfinite(log_ratio):
            # From the answer for all groups one step of Newton's leads to that without one.
            error = float(_error(_quotient(*_score(*parts, log_ratio))))
    return Comparison(float(excess), float(variance), statistic, log_ratio, error, clusters)


def _quotient(above: np.ndarray, below: np.ndarray) -> np.ndarray:
    return np.asarray(
        np.divide(above, below, out=np.full(np.shape(above), np.nan), where=below > 0)
    )


def _excess(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Events of the first sample above what is expected, and their hypergeometric variance."""
    own, other = _at_risk(first.sum(-2)), _at_risk(second.sum(-2))
    events = first[..., 0, :] + second[..., 0, :]
    all_of = own + other
    share = np.divide(own, all_of, out=np.zeros(own.shape), where=all_of > 0)
    left = np.divide(all_of - events, all_of - 1, out=np.zeros(own.shape), where=all_of > 1)
    excess = (first[..., 0, :] - events * share).sum(-1)
    variance = (events * share * (1 - share) * left).sum(-1)
    return excess, variance


def _score(
    first: np.ndarray, second: np.ndarray, log_ratio: float
) -> tuple[np.ndarray, np.ndarray]:
    """Slope of the logarithm of Cox's partial likelihood, and less its second derivative."""
    own, other = np.exp(log_ratio) * _at_risk(first.sum(-2)), _at_risk(second.sum(-2))
    events = first[..., 0, :] + second[..., 0, :]
    share = np.divide(own, own + other, out=np.zeros(own.shape), where=own + other > 0)
    slope = (first[..., 0, :] - events * share).sum(-1)
    return slope, (events * share * (1 - share)).sum(-1)


def _log_ratio(first: np.ndarray, second: np.ndarray) -> float:
    """The maximum of the partial likelihood by Newton's method; it is concave."""
    ours, theirs = first[0].sum(), second[0].sum()
    if not ours and not theirs:
        return float("nan")
    if not ours or not theirs:
        return float("inf") if ours else float("-inf")
    found = 0.0
    for _ in range(60):
        slope, curvature = _score(first, second, found)
        step = float(slope / curvature) if curvature > 0 else 0.0
        found += max(-1.0, min(1.0, step))
        if abs(step) < 1e-10:
            break
    return found
