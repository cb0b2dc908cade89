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
    """The log-rank comparison of two waiting times.

    ``excess`` is how much more often it happened in the first sample than if both had the same
    hazard, ``variance`` its variance for independent deals, so that excess squared over variance
    is the usual statistic. ``log_ratio`` is their quotient, Peto's estimate of the logarithm of
    the ratio of hazards, and ``error`` its standard error by the jackknife over groups.
    """

    excess: float
    variance: float
    log_ratio: float
    error: float
    clusters: int


def log_rank(first: np.ndarray, second: np.ndarray) -> Comparison:
    """Compare two waiting times (Mantel 1966; Peto and Peto, J. R. Statist. Soc. A 135, 1972).

    Groups hold the match numbers of both samples, so what agents share by playing the same cards
    and each other is in ``error``, not in ``variance``.
    """
    first, second = first.astype(np.float64), second.astype(np.float64)
    present = (first + second).sum((1, 2)) > 0
    excess, variance = _excess(first.sum(0), second.sum(0))
    ratio = float(excess / variance) if variance > 0 else float("nan")
    error = float("nan")
    if present.sum() > 1 and variance > 0:
        parts = _excess(_deleted(first, present), _deleted(second, present))
        with np.errstate(invalid="ignore", divide="ignore"):
            error = float(_error(parts[0] / parts[1]))
    return Comparison(float(excess), float(variance), ratio, error, int(present.sum()))


def _excess(first: np.ndarray, second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Events of the first sample above what is expected, and their hypergeometric variance."""
    own, other = _at_risk(first.sum(-2)), _at_risk(second.sum(-2))
    events = first[..., 0, :] + second[..., 0, :]
    all_of = own + other
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(all_of > 0, own / all_of, 0.0)
        left = np.where(all_of > 1, (all_of - events) / (all_of - 1), 0.0)
    excess = (first[..., 0, :] - events * share).sum(-1)
    variance = (events * share * (1 - share) * left).sum(-1)
    return excess, variance
