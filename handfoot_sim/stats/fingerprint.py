"""How an agent plays, in figures: what tells one strategy from another.

Shares and means are ratios of two totals over all deals an agent played; the unit of their
intervals is the match number, since everything that is played with the same cards hangs
together, whatever the mirror and the opponent. Turns are medians by Kaplan and Meier.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from handfoot_sim.errors import RunError
from handfoot_sim.tally import MOST_TURNS, kaplan_meier_median, student

ONE: Final = "deals"


@dataclass(frozen=True)
class Figure:
    """A figure that is the total of ``above`` over the total of ``below``, both columns or made.

    ``unit`` is "%" for a proportion of what is counted below.
    """

    name: str
    above: str
    below: str
    unit: str = ""


FIGURES: Final = (
    Figure("points", "score", ONE, "points a deal"),
    Figure("went out", "went_out", ONE, "%"),
    Figure("opened from the pile", "opened_from_pile", "opened", "%"),
    Figure("points opened over the minimum", "surplus", "opened", "points"),
    Figure("pile taken when it could be", "pile_takes", "pile_chances", "%"),
    Figure("chances at the pile", "pile_chances", ONE, "a deal"),
    Figure("cards a taking", "pile_cards", "pile_takes", "cards"),
    Figure("clean books", "clean", ONE, "a deal"),
    Figure("dirty books", "dirty", ONE, "a deal"),
    Figure("wild books", "wild", ONE, "a deal"),
    Figure("all feet picked up", "both_feet", ONE, "%"),
    Figure("points left", "left", ONE, "points a deal"),
    Figure("requests refused", "refused", "asked", "%"),
    Figure("black threes discarded", "black3_discarded", ONE, "a deal"),
    Figure("wild cards discarded", "wilds_discarded", ONE, "a deal"),
)

TURNS: Final = {
    "turn of opening, median": "opened_turn",
    "turn of the first foot, median": "foot1_turn",
    "turn of the first clean book, median": "clean1_turn",
    "turn of the first wild book, median": "wild1_turn",
}
"""Waiting times, in turns of the deal; a deal that ends first censors them."""

_PARTS: Final = tuple(dict.fromkeys(p for f in FIGURES for p in (f.above, f.below)))


class Fingerprint:
    """Adds up frames of the table ``deals``, such as shards, for the fingerprint of each agent.

    ``foot_column`` is the column that says when the last player of a team picked up the foot:
    ``foot2_turn`` in teams of two, ``foot1_turn`` for players who play alone.
    """

    def __init__(self, foot_column: str = "foot2_turn") -> None:
        self.foot_column = foot_column
        self.sums: list[pd.DataFrame] = []
        self.counts: dict[tuple[str, str], np.ndarray] = {}

    def add(self, deals: pd.DataFrame) -> None:
        """Add rows of the table ``deals``; deals of forfeited matches are left out."""
        played = deals[deals["end"].isin(["out", "stock"])]
        parts = pd.DataFrame(
            {name: self._part(played, name) for name in _PARTS}, index=played.index
        )
        keys = [played["agent"].astype(str), played["match"]]
        self.sums.append(parts.groupby(keys, observed=True, sort=True).sum())
        for agent, own in played.groupby("agent", observed=True):
            for name, column in TURNS.items():
                self._add_turns(str(agent), name, own[column], own["turns"])

    def _part(self, deals: pd.DataFrame, name: str) -> np.ndarray:
        if name == ONE:
            return np.ones(len(deals))
        if name == "opened":
            return deals["opened_turn"].notna().to_numpy(np.float64)
        if name == "surplus":
            surplus = deals["opened_points"] - deals["minimum"]
            return surplus.fillna(0).to_numpy(np.float64)
        if name == "both_feet":
            return deals[self.foot_column].notna().to_numpy(np.float64)
        column = deals[name]
        return column.fillna(False).to_numpy(np.float64)

    def _add_turns(self, agent: str, name: str, turn: pd.Series, last: pd.Series) -> None:
        counts = self.counts.setdefault((agent, name), np.zeros((2, MOST_TURNS), np.int64))
        happened = turn.notna().to_numpy()
        limit = MOST_TURNS - 1
        events = turn.to_numpy(np.float64, na_value=np.nan)[happened].astype(np.int64)
        waits = last.to_numpy(np.int64)[~happened]
        counts[0] += np.bincount(np.minimum(events, limit), minlength=MOST_TURNS)
        counts[1] += np.bincount(np.minimum(waits, limit), minlength=MOST_TURNS)

    def frame(self) -> pd.DataFrame:
        """One row an agent and figure.

        Columns: ``agent``, ``figure``, ``unit``, ``value``, ``low``, ``high`` (95 %), ``n`` (what
        the figure is counted of: deals, openings, chances, takings or requests) and ``clusters``
        (match numbers). NaN where nothing is counted, or where an interval can't be had.
        """
        if not self.sums:
            raise RunError("there are no deals to take a fingerprint of")
        sums = pd.concat(self.sums).groupby(level=[0, 1]).sum()
        rows: list[tuple[object, ...]] = []
        for agent in sums.index.get_level_values(0).unique():
            own = sums.loc[agent]
            rows += [(agent, f.name, f.unit, *ratio(own, f), len(own)) for f in FIGURES]
            for name in TURNS:
                events, censored = self.counts[agent, name]
                median = kaplan_meier_median(events, censored)
                n = int(events.sum() + censored.sum())
                rows.append((agent, name, "turn", *median, n, len(own)))
        columns = ["agent", "figure", "unit", "value", "low", "high", "n", "clusters"]
        return pd.DataFrame(rows, columns=columns)


def ratio(sums: pd.DataFrame, figure: Figure) -> tuple[float, float, float, int]:
    """A figure with its 95 % interval and what it is counted of.

    The interval is that of the ratio estimator over clusters (Cochran, Sampling Techniques, 1977,
    section 6.4).
    """
    above, below = sums[figure.above].to_numpy(), sums[figure.below].to_numpy()
    total = below.sum()
    nothing = float("nan")
    if total == 0:
        return nothing, nothing, nothing, 0
    value = above.sum() / total
    clusters = len(sums)
    if clusters < 2:
        return value, nothing, nothing, round(total)
    deviations = above - value * below
    error = np.sqrt(np.square(deviations).sum() / (clusters - 1) * clusters) / total
    half = student(clusters - 1) * error
    low, high = value - half, value + half
    if figure.unit == "%":
        low, high = max(0.0, low), min(1.0, high)
    return value, low, high, round(total)


def fingerprint(
    deals: pd.DataFrame | Iterable[pd.DataFrame], foot_column: str = "foot2_turn"
) -> pd.DataFrame:
    """Behavioural figures of every agent in a ``deals`` frame, or in an iterable of such frames.

    See ``Fingerprint.frame`` for the columns. Raises ``RunError`` if there are no deals.
    """
    adding = Fingerprint(foot_column)
    for each in [deals] if isinstance(deals, pd.DataFrame) else deals:
        adding.add(each)
    return adding.frame()
