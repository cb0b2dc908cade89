"""What a comparison reports, added up shard by shard.

The unit is the set of mirrors of one match (a *pair* with two teams): for each set the figures
of the first line-up, A, are averaged over all its deals, and those of the others, B. Sums and
sums of squares over the sets give means and intervals; only these are kept, whatever the size of
the run. A match that was forfeited counts in the margin and among the matches won and lost;
sets with one are left out of all that tells of play.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import special

from handfoot_sim.engine.forfeits import REASONS
from handfoot_sim.game.state import FORFEIT

FIGURES: Final = (
    "score",
    "went_out",
    "opened",
    "from_pile",
    "clean",
    "dirty",
    "wild",
    "chances",
    "takes",
    "taken_cards",
    "left",
)
"""Figures kept by line-up: means a deal and team (see ``match_figures``)."""

RATIOS: Final = {
    "opened from the pile": ("from_pile", "opened"),
    "taken when it could be": ("takes", "chances"),
    "cards a taking": ("taken_cards", "takes"),
}
"""Ratios of two figures that are reported."""

MOST_TURNS: Final = 8192
BLOCK_SUMS: Final = 5
"""Sums kept of a block of cards: sets won, tied and lost by A, margin, squares of the margin."""
NORMAL: Final = float(special.ndtri(0.975))
"""The normal quantile of a 95 % interval."""


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval and what it counts.

    ``n`` is the number of units (sets of mirrors) the interval is computed from.
    """

    value: float
    low: float
    high: float
    n: int

    @property
    def half_width(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


class Tally:
    """Sums over sets of mirrors. ``a + b`` of two tallies is the tally of both."""

    def __init__(self) -> None:
        self.sets = 0
        self.matches = 0
        self.forfeits = np.zeros((2, len(REASONS)), np.int64)  # matches, by line-up and reason
        self.sets_played = 0  # without a forfeit: these have the figures and counts of play
        self.deals = 0  # of these sets
        self.turns = 0
        self.margin = np.zeros(2)  # sum and sum of squares over sets
        self.sets_won = np.zeros(3, np.int64)  # by A: won, tied, lost
        self.outcomes = np.zeros(5, np.int64)  # of pairs, two teams: A's points doubled, 0 to 4
        self.matches_won = np.zeros(3, np.int64)
        self.won_share = np.zeros(2)  # share of a set's matches won: sum and sum of squares
        self.figures = np.zeros((2, len(FIGURES), 2))  # line-up, figure, sum and sum of squares
        self.counts = np.zeros((2, len(FIGURES)))  # line-up, figure: total over team-deals
        self.products = np.zeros((2, len(RATIOS)))  # line-up, ratio: sum of products over sets
        self.team_deals = np.zeros(2, np.int64)
        self.opened_at = np.zeros((2, MOST_TURNS), np.int64)  # team-deals that opened in a turn
        self.ended_at = np.zeros((2, MOST_TURNS), np.int64)  # team-deals never opened, by end

    def __add__(self, other: Tally) -> Tally:
        total = Tally()
        for name in vars(total):
            setattr(total, name, getattr(self, name) + getattr(other, name))
        return total


def match_figures(rows: np.ndarray) -> np.ndarray:
    """The figures of each team, added up over the deals of a match: whole numbers.

    Float64, shape (figures, matches, teams).
    """
    columns = {
        "score": rows["score"],
        "went_out": rows["went_out"],
        "opened": rows["opened_turn"] >= 0,
        "from_pile": rows["opened_from_pile"] > 0,
        "clean": rows["clean"],
        "dirty": rows["dirty"],
        "wild": rows["wild"],
        "chances": rows["pile_chances"],
        "takes": rows["pile_takes"],
        "taken_cards": rows["pile_cards"],
        "left": rows["left"],
    }
    return np.array([columns[name].sum(1, dtype=np.int64) for name in FIGURES], np.float64)


def tally_rows(rows: np.ndarray, mirrors: int) -> Tally:
    """Tally of rows as the engine writes them, shape (matches, deals, teams).

    Whole sets of mirrors in order; in mirror k line-up A has team k.
    """
    tally = Tally()
    matches, _, teams = rows.shape
    sets = matches // mirrors
    tally.sets, tally.matches = sets, matches
    is_a = np.arange(teams) == (np.arange(matches) % mirrors)[:, None]
    own, others = _totals(rows, is_a)
    margins = (own - others.mean(1)).reshape(sets, mirrors).mean(1)
    tally.margin[:] = margins.sum(), np.square(margins).sum()
    tally.sets_won[:] = (margins > 0).sum(), (margins == 0).sum(), (margins < 0).sum()
    best = others.max(1)
    won = (own > best).reshape(sets, mirrors).mean(1)
    tally.won_share[:] = won.sum(), np.square(won).sum()
    tally.matches_won[:] = (own > best).sum(), (own == best).sum(), (own < best).sum()
    if mirrors == teams == 2:
        points = 1 + np.sign(own - best).astype(np.int64).reshape(sets, 2)
        tally.outcomes[:] = np.bincount(points.sum(1), minlength=5)
    forfeited = rows["end"][:, 0, 0] == FORFEIT
    for lineup, mask in enumerate((is_a, ~is_a)):
        reasons = rows["forfeit"][:, 0][mask]
        tally.forfeits[lineup] = np.bincount(reasons[reasons >= 0], minlength=len(REASONS))
    played = np.repeat(~forfeited.reshape(sets, mirrors).any(1), mirrors)
    _tally_play(tally, rows if played.all() else rows[played], is_a[played], mirrors)
    return tally


def _totals(rows: np.ndarray, is_a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points of A in each match, and of the other teams, shape (matches, teams - 1)."""
    totals = rows["score"].sum(1).astype(np.float64)
    return totals[is_a], totals[~is_a].reshape(len(rows), -1)


def block_sums(
    rows: np.ndarray, mirrors: int, first_set: int, block_sets: int
) -> tuple[int, np.ndarray]:
    """The number of the first block of cards, and the sums of each block that the rows touch.

    Blocks are ``block_sets`` consecutive cards, counted from card number 0, whatever the range of
    the rows; the sums are float64, shape (blocks, BLOCK_SUMS). Sets of the same block share their
    cards with the same block of other pairings, which is what intervals over pairings rest on.
    """
    matches, _, teams = rows.shape
    is_a = np.arange(teams) == (np.arange(matches) % mirrors)[:, None]
    own, others = _totals(rows, is_a)
    margins = (own - others.mean(1)).reshape(-1, mirrors).mean(1)
    first = first_set // block_sets
    block = (first_set + np.arange(len(margins))) // block_sets - first
    each = np.stack([margins > 0, margins == 0, margins < 0, margins, np.square(margins)], axis=1)
    sums = np.zeros((int(block[-1]) + 1 if len(block) else 0, BLOCK_SUMS))
    np.add.at(sums, block, each.astype(np.float64))
    return first, sums


def _tally_play(tally: Tally, rows: np.ndarray, is_a: np.ndarray, mirrors: int) -> None:
    """What tells of play, from sets of mirrors that were played out.

    ``is_a``: bool, shape (matches, teams), where line-up A sits.
    """
    matches, deals, teams = rows.shape
    if not matches:
        return
    sets = matches // mirrors
    tally.sets_played, tally.deals = sets, matches * deals
    tally.turns = int(rows["turns"][:, :, 0].sum())
    figures = match_figures(rows)
    opened, last = (rows[name].transpose(0, 2, 1) for name in ("opened_turn", "turns"))
    own = figures[:, is_a]
    for lineup, totals in enumerate((own, figures.sum(2) - own)):
        seats = 1 if lineup == 0 else teams - 1
        sums = totals.reshape(len(FIGURES), sets, -1).sum(2)
        by_set = sums / (matches // sets * deals * seats)
        tally.figures[lineup, :, 0] = by_set.sum(1)
        tally.figures[lineup, :, 1] = np.square(by_set).sum(1)
        tally.counts[lineup] = sums.sum(1)
        for number, (above, below) in enumerate(RATIOS.values()):
            pair = by_set[FIGURES.index(above)] * by_set[FIGURES.index(below)]
            tally.products[lineup, number] = pair.sum()
        tally.team_deals[lineup] = matches * deals * seats
        mask = is_a if lineup == 0 else ~is_a
        _tally_openings(tally, lineup, opened[mask].ravel(), last[mask].ravel())


def _tally_openings(tally: Tally, lineup: int, opened: np.ndarray, last: np.ndarray) -> None:
    happened = opened >= 0
    limit = MOST_TURNS - 1
    tally.opened_at[lineup] = np.bincount(np.minimum(opened[happened], limit), minlength=MOST_TURNS)
    tally.ended_at[lineup] = np.bincount(np.minimum(last[~happened], limit), minlength=MOST_TURNS)


def student(freedom: int) -> float:
    """Student's quantile of a 95 % interval."""
    return float(special.stdtrit(freedom, 0.975))


def mean_estimate(total: float, squares: float, n: int) -> Estimate:
    """Mean of n units with Student's interval; no interval (NaN) for a single unit."""
    mean = total / n if n else float("nan")
    if n < 2:
        return Estimate(mean, float("nan"), float("nan"), n)
    variance = max(0.0, (squares - n * mean * mean) / (n - 1))
    half = student(n - 1) * float(np.sqrt(variance / n))
    return Estimate(mean, mean - half, mean + half, n)


def share_estimate(successes: float, trials: float) -> Estimate:
    """A proportion with Wilson's interval (Wilson, JASA 22, 1927)."""
    if trials <= 0:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    z = NORMAL
    share = successes / trials
    centre = (share + z * z / (2 * trials)) / (1 + z * z / trials)
    spread = share * (1 - share) / trials + z * z / (4 * trials * trials)
    half = z * float(np.sqrt(spread)) / (1 + z * z / trials)
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half), round(trials))


def clustered_share(total: float, squares: float, sets: int, trials: int) -> Estimate:
    """A proportion whose trials come in sets, its Wilson interval widened for what they share.

    ``total`` and ``squares`` are the sums over sets of a set's own proportion and its square.
    The matches and deals of a set share cards and opponents; the number of trials is divided by
    the design effect, the ratio of the variance between sets to that of independent trials
    (Kish, Survey Sampling, 1965), where that is above 1.
    """
    share = total / sets if sets else float("nan")
    if sets < 2 or trials == 0:
        return share_estimate(share * trials, trials)
    between = max(0.0, (squares - total * total / sets) / (sets - 1))
    alone = share * (1 - share) * sets / trials
    effect = max(1.0, between / alone) if alone > 0 else 1.0
    estimate = share_estimate(share * trials / effect, trials / effect)
    return Estimate(share, estimate.low, estimate.high, trials)


def figure_share(tally: Tally, lineup: int, name: str) -> Estimate:
    """A figure that is a proportion of a line-up's team-deals."""
    total, squares = tally.figures[lineup, FIGURES.index(name)]
    trials = int(tally.team_deals[lineup])
    return clustered_share(float(total), float(squares), tally.sets_played, trials)


def match_share(tally: Tally) -> Estimate:
    """Proportion of matches that A won."""
    total, squares = tally.won_share
    return clustered_share(float(total), float(squares), tally.sets, tally.matches)


def figure_estimate(tally: Tally, lineup: int, name: str) -> Estimate:
    """Mean of a figure a deal and team, with an interval over sets of mirrors."""
    total, squares = tally.figures[lineup, FIGURES.index(name)]
    return mean_estimate(float(total), float(squares), tally.sets_played)


def ratio_estimate(tally: Tally, lineup: int, name: str) -> Estimate:
    """Total of one figure over the total of another, by ``RATIOS``, with a 95 % interval.

    The interval is that of the ratio estimator over sets (Cochran, Sampling Techniques, 1977,
    section 6.4); ``n`` is the total that it is divided by. NaN where that is 0.
    """
    above, below = (FIGURES.index(each) for each in RATIOS[name])
    base = float(tally.counts[lineup, below])
    if not base:
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    value = float(tally.counts[lineup, above]) / base
    if tally.sets_played < 2:
        return Estimate(value, float("nan"), float("nan"), round(base))
    sums, squares = tally.figures[lineup, :, 0], tally.figures[lineup, :, 1]
    cross = tally.products[lineup, list(RATIOS).index(name)]
    deviations = squares[above] - 2 * value * cross + value * value * squares[below]
    variance = max(0.0, deviations) / (tally.sets_played - 1) / tally.sets
    error = float(np.sqrt(variance)) / (sums[below] / tally.sets_played)
    half = student(tally.sets_played - 1) * error
    return Estimate(value, value - half, value + half, round(base))


def ratio_share(tally: Tally, lineup: int, name: str) -> Estimate:
    """A ratio that is a proportion, such as takings a chance, with a Wilson interval.

    The number of trials is divided by the design effect, as in ``clustered_share``: the variance
    of the ratio estimator over that of independent trials, where that is above 1.
    """
    ratio = ratio_estimate(tally, lineup, name)
    alone = ratio.value * (1 - ratio.value) / ratio.n if ratio.n else 0.0
    if tally.sets_played < 2 or not alone > 0:
        return share_estimate(ratio.value * ratio.n, ratio.n) if ratio.n else ratio
    error = ratio.half_width / student(tally.sets_played - 1)
    effect = max(1.0, error * error / alone)
    interval = share_estimate(ratio.value * ratio.n / effect, ratio.n / effect)
    return Estimate(ratio.value, interval.low, interval.high, ratio.n)


def median_opening(tally: Tally, lineup: int) -> Estimate:
    """Median turn of opening, deals that ended first being censored; ``n`` counts team-deals."""
    median = kaplan_meier_median(tally.opened_at[lineup], tally.ended_at[lineup])
    return Estimate(*median, int(tally.team_deals[lineup]))


def kaplan_meier_median(events: np.ndarray, censored: np.ndarray) -> tuple[float, float, float]:
    """Median turn by Kaplan and Meier with its 95 % interval, from counts by turn.

    ``events[t]``: how often it happened in turn t; ``censored[t]``: how often turn t was the last
    one without it. The interval holds the turns at which the log-log band of the curve crosses
    one half (Brookmeyer and Crowley, Biometrics 38, 1982; variance by Greenwood), as if deals
    were independent. NaN where a curve does not come down to one half.
    """
    leaving = events + censored
    at_risk = leaving.sum() - np.concatenate(([0], np.cumsum(leaving)[:-1]))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        survival = np.cumprod(np.where(at_risk > 0, 1 - events / at_risk, 1.0))
        greenwood = np.cumsum(np.where(events > 0, events / (at_risk * (at_risk - events)), 0.0))
        spread = NORMAL * np.sqrt(greenwood) / np.log(survival)
        bands = survival ** np.exp(spread), survival ** np.exp(-spread)
    low, high = (np.minimum(*bands), np.maximum(*bands))
    return _first_at_most_half(survival), _first_at_most_half(low), _first_at_most_half(high)


def _first_at_most_half(curve: np.ndarray) -> float:
    reached = np.flatnonzero(np.nan_to_num(curve, nan=0.0) <= 0.5)
    return float(reached[0]) if len(reached) else float("nan")
