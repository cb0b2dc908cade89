"""Who beats whom by how much: margins over sets of mirrors (pairs, with two teams)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pandas as pd
from scipy import special, stats

from handfoot_sim.ratings.payoff import holm
from handfoot_sim.stats.intervals import mean_of, share_of, student
from handfoot_sim.stats.measures import as_frame
from handfoot_sim.stats.meetings import Bins, Meeting
from handfoot_sim.stats.totals import Totals, totals

POWER: Final = 0.8
"""Chance with which ``pairs_needed`` pairs would show a margin that is what was seen."""
SHOWN_BINS: Final = 80
"""Bins of a histogram of margins, at most about."""


def moments(meeting: Meeting) -> tuple[int, float, float]:
    """Number of pairs, their mean margin and its standard deviation (NaN of a single one)."""
    n, total = int(meeting.sums[:, 0].sum()), float(meeting.sums[:, 1].sum())
    mean = total / n
    if n < 2:
        return n, mean, float("nan")
    return n, mean, math.sqrt(max(0.0, (meeting.squares - n * mean * mean) / (n - 1)))


def mean_interval(n: int, mean: float, deviation: float) -> tuple[float, float]:
    """Student's 95 % interval of a mean of independent pairs."""
    half = float(student(np.array(n - 1))) * deviation / math.sqrt(n)
    return mean - half, mean + half


def p_value(n: int, mean: float, deviation: float) -> float:
    """Student's two-sided p of a mean of 0; NaN where there is no deviation to compare with."""
    if n < 2 or not deviation > 0:
        return float("nan")
    return 2 * float(special.stdtr(n - 1, -abs(mean) / deviation * math.sqrt(n)))


def pairs_needed(mean: float, deviation: float) -> float:
    """Pairs that would show a margin of this size at 5 % (two-sided) with 80 % power.

    Usual formula for a mean, ((z(.975) + z(.8)) sd / margin)^2; infinite for a margin of 0.
    """
    if math.isnan(deviation):
        return float("nan")
    if mean == 0:
        return float("inf")
    z = float(special.ndtri(0.975) + special.ndtri(POWER))
    return max(2.0, math.ceil((z * deviation / mean) ** 2))


def head_to_head(source: Any) -> pd.DataFrame:
    """Results of every two line-ups that met, from the side of each: one row an ordered pair.

    Columns: ``pairing``, ``agent``, ``opponent``, ``mirrors`` (times the same cards are played;
    such a set is a pair), ``pairs``, ``won``, ``tied``, ``lost`` (pairs), ``share`` with
    ``share_low`` and ``share_high`` (of pairs, ties as halves), ``matches``, ``matches_won``,
    ``matches_tied``, ``matches_lost``, ``match_share`` with bounds, ``forfeits`` and
    ``opponent_forfeits`` (matches), ``margin`` with ``low`` and ``high`` (points a match, mean
    over pairs, Student's interval), ``sd`` (of a pair), ``pairs_needed`` (see there), ``p`` (of
    margin 0) and ``holm`` (corrected over the meetings), ``n`` (pairs). Forfeited matches count.
    ``source``: see ``totals``.
    """
    found = totals(source)
    met = list(found.meetings.values())
    corrected = holm(np.array([p_value(*moments(each)) for each in met]))
    rows: list[dict[str, Any]] = []
    for meeting, adjusted in zip(met, corrected, strict=True):
        row = _side(meeting) | {"holm": float(adjusted)}
        rows.append(row)
        if meeting.agent != meeting.opponent:
            rows.append(_turned(row))
    frame = as_frame([list(row.values()) for row in rows], list(rows[0]), found)
    return frame.sort_values("pairing", kind="stable", ignore_index=True)


def _side(meeting: Meeting) -> dict[str, Any]:
    """A meeting from the side of its first line-up."""
    n, mean, deviation = moments(meeting)
    low, high = mean_interval(n, mean, deviation)
    present = meeting.sums[:, 0] > 0
    pairs = share_of(meeting.sums[:, 2], meeting.sums[:, 0], present)
    matches = share_of(meeting.matches_won, meeting.sums[:, 0] * meeting.mirrors, present)
    return {
        "pairing": meeting.pairing, "agent": meeting.agent, "opponent": meeting.opponent,
        "mirrors": meeting.mirrors, "pairs": n,
        **dict(zip(("won", "tied", "lost"), meeting.pairs.tolist(), strict=True)),
        "share": float(pairs.value), "share_low": float(pairs.low),
        "share_high": float(pairs.high), "matches": int(meeting.matches.sum()),
        **dict(zip(("matches_won", "matches_tied", "matches_lost"), meeting.matches.tolist(),
                   strict=True)),
        "match_share": float(matches.value), "match_share_low": float(matches.low),
        "match_share_high": float(matches.high), "forfeits": int(meeting.forfeits[0]),
        "opponent_forfeits": int(meeting.forfeits[1]), "margin": mean, "low": low, "high": high,
        "sd": deviation, "pairs_needed": pairs_needed(mean, deviation),
        "p": p_value(n, mean, deviation), "holm": float("nan"), "n": n,
    }  # fmt: skip


_SWAPPED: Final = (
    ("agent", "opponent"), ("won", "lost"), ("matches_won", "matches_lost"),
    ("forfeits", "opponent_forfeits"),
)  # fmt: skip


def _turned(row: dict[str, Any]) -> dict[str, Any]:
    """A row of ``head_to_head`` from the other side."""
    turned = dict(row)
    for a, b in _SWAPPED:
        turned[a], turned[b] = row[b], row[a]
    for name in ("share", "match_share"):
        turned[name] = 1 - row[name]
        turned[f"{name}_low"] = 1 - row[f"{name}_high"]
        turned[f"{name}_high"] = 1 - row[f"{name}_low"]
    turned |= {"margin": -row["margin"] + 0.0, "low": -row["high"], "high": -row["low"]}
    return turned


def standings(source: Any) -> pd.DataFrame:
    """Agents against all they met, best margin first: one row an agent.

    Columns: ``agent``, ``opponents``, ``pairs``, ``matches``, ``margin`` with ``low`` and ``high``
    (mean over its opponents of the mean margin over each, points a match), ``share`` with
    ``share_low`` and ``share_high`` (of all its pairs, ties as halves), ``clusters``, ``n``
    (pairs). Pairings share cards, so intervals are over buckets of match numbers (Liang and Zeger,
    Biometrika 73, 1986); that of a single opponent is over pairs, as in ``head_to_head``. Who
    met only itself has margin 0, share 1/2 and no interval. ``source``: see ``totals``.
    """
    found = totals(source)
    rows = [_standing(found, agent) for agent in found.agents]
    columns = (
        "agent", "opponents", "pairs", "matches", "margin", "low", "high", "share", "share_low",
        "share_high", "clusters", "n",
    )  # fmt: skip
    frame = as_frame(rows, columns, found)
    return frame.sort_values("margin", ascending=False, kind="stable", ignore_index=True)


def _standing(found: Totals, agent: str) -> tuple[Any, ...]:
    nothing = float("nan")
    by_opponent: dict[str, np.ndarray] = {}
    matches = 0
    single: list[Meeting] = []
    for opponent, meeting, sums in _own_meetings(found, agent):
        by_opponent[opponent] = by_opponent.get(opponent, 0) + sums
        matches += int(meeting.matches.sum())
        single.append(meeting)
    if not by_opponent:
        alone = [each for each in found.meetings.values() if each.agent == agent]
        pairs = int(sum(each.sums[:, 0].sum() for each in alone))
        matches = int(sum(each.matches.sum() for each in alone))
        return (agent, 0, pairs, matches, 0.0, nothing, nothing, 0.5, nothing, nothing, 0, pairs)
    sums = np.array(list(by_opponent.values()))  # opponents, buckets, 3
    present = sums[..., 0].sum(0) > 0
    share = share_of(sums[..., 2].sum(0), sums[..., 0].sum(0), present)
    margin, low, high = _field_margin(sums, present)
    if len(single) == 1:
        low, high = mean_interval(*moments(single[0]))
        if single[0].agent != agent:
            low, high = -high, -low
    pairs = int(sums[..., 0].sum())
    bounds = (float(share.value), float(share.low), float(share.high))
    return (
        agent, len(sums), pairs, matches, margin, low, high, *bounds, int(present.sum()), pairs,
    )  # fmt: skip


def _own_meetings(found: Totals, agent: str) -> Iterator[tuple[str, Meeting, np.ndarray]]:
    """An agent's opponents, meetings, and their sums by bucket from its own side."""
    for meeting in found.meetings.values():
        if meeting.agent == meeting.opponent:
            continue
        if meeting.agent == agent:
            yield meeting.opponent, meeting, meeting.sums
        elif meeting.opponent == agent:
            n, margin, won = meeting.sums.T
            yield meeting.agent, meeting, np.column_stack([n, -margin, n - won])


def _field_margin(sums: np.ndarray, present: np.ndarray) -> tuple[float, float, float]:
    """Mean over opponents of the mean margin over each, with its interval over buckets."""
    counts, margins = sums[..., 0], sums[..., 1]
    totals_of = counts.sum(1)
    means = margins.sum(1) / totals_of
    value = float(means.mean())
    # What each bucket adds to the mean, less what it would add if it were like all others.
    influence = ((margins - counts * means[:, None]) / totals_of[:, None]).mean(0)
    around = mean_of(influence * len(influence), np.ones(len(influence)) * present, present)
    scale = present.sum() / len(influence)
    half = float(around.high - around.low) / 2 * scale
    return value, value - half, value + half


def margins(source: Any) -> pd.DataFrame:
    """How margins of pairs are spread: one row a meeting, in the order of its line-ups.

    Columns: ``pairing``, ``agent``, ``opponent``, ``n`` (pairs), ``mean`` with ``low`` and
    ``high``, ``sd``, ``minimum``, ``q05``, ``q25``, ``median`` with ``median_low`` and
    ``median_high``, ``q75``, ``q95``, ``maximum``, all in points a match. Quantiles are exact to
    2.5 points (or to 1/16,384 of the range, where that is wider); the median's interval is that
    of the order statistics, which needs 6 pairs. ``source``: see ``totals``.
    """
    found = totals(source)
    rows = []
    for meeting in found.meetings.values():
        n, mean, deviation = moments(meeting)
        quantile = meeting.bins.quantile
        rank = int(stats.binom.ppf(0.025, n, 0.5))
        between = (float("nan"), float("nan"))
        if rank >= 1:
            between = quantile(rank / n), quantile((n + 1 - rank) / n)
        rows.append((
            meeting.pairing, meeting.agent, meeting.opponent, n, mean,
            *mean_interval(n, mean, deviation), deviation, meeting.extremes[0], quantile(0.05),
            quantile(0.25), quantile(0.5), *between, quantile(0.75), quantile(0.95),
            meeting.extremes[1],
        ))  # fmt: skip
    columns = (
        "pairing", "agent", "opponent", "n", "mean", "low", "high", "sd", "lowest", "q05", "q25",
        "median", "median_low", "median_high", "q75", "q95", "highest",
    )  # fmt: skip
    return as_frame(rows, columns, found)


def margin_histogram(source: Any) -> pd.DataFrame:
    """Histograms of the margins of pairs, as violins are drawn from: one row a meeting and bin.

    Columns: ``pairing``, ``agent``, ``opponent``, ``left``, ``right`` (points, edges of the bin),
    ``n`` (pairs), ``share`` (of pairs), ``density`` (share a point). The width is that of Freedman
    and Diaconis (Z. Wahrscheinlichkeitstheorie 57, 1981), rounded up to a doubling of 2.5 points.
    ``source``: see ``totals``.
    """
    found = totals(source)
    rows = []
    for meeting in found.meetings.values():
        first, width, counts = _shown_bins(meeting.bins)
        n = counts.sum()
        for place, count in enumerate(counts):
            left = (first + place) * width
            share = count / n
            rows.append((
                meeting.pairing, meeting.agent, meeting.opponent, left, left + width, count,
                share, share / width,
            ))  # fmt: skip
    columns = ("pairing", "agent", "opponent", "left", "right", "n", "share", "density")
    return as_frame(rows, columns, found)


def _shown_bins(bins: Bins) -> tuple[int, float, np.ndarray]:
    """First bin, width and counts of a histogram to be shown."""
    between = bins.quantile(0.75) - bins.quantile(0.25)
    wanted = 2 * between / np.cbrt(bins.counts.sum())
    first, width, counts = bins.first, bins.width, bins.counts
    while width < wanted or len(counts) > SHOWN_BINS:
        places = (first + np.arange(len(counts))) // 2
        first, width = int(places[0]), 2 * width
        counts = np.bincount(places - first, counts).astype(np.int64)
    return first, width, counts


def running_margin(source: Any) -> pd.DataFrame:
    """The margin as it settles, in the order of the match numbers: one row a meeting and stretch.

    Columns: ``pairing``, ``agent``, ``opponent``, ``pairs`` (up to here), ``margin`` with ``low``
    and ``high`` (over the pairs up to here, points a match), ``squares`` (sum of their squared
    margins), ``n`` (pairs). An interval that is looked at again and again leaves out the truth
    more often than one in twenty times. ``source``: see ``totals``.
    """
    found = totals(source)
    rows = []
    for meeting in found.meetings.values():
        running = np.cumsum(meeting.stretches[meeting.stretches[:, 0] > 0], 0)
        for n, total, squares in running:
            mean = total / n
            variance = max(0.0, (squares - n * mean * mean) / (n - 1)) if n > 1 else float("nan")
            bounds = mean_interval(int(n), mean, math.sqrt(variance))
            rows.append((
                meeting.pairing, meeting.agent, meeting.opponent, n, mean, *bounds, squares, n,
            ))  # fmt: skip
    columns = ("pairing", "agent", "opponent", "pairs", "margin", "low", "high", "squares", "n")
    return as_frame(rows, columns, found)
