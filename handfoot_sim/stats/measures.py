"""Tidy frames of measures that are ratios of two sums, by agent and deal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from handfoot_sim.stats.counting import PLACE
from handfoot_sim.stats.intervals import Estimates, mean_of, share_of
from handfoot_sim.stats.survival import curve, median
from handfoot_sim.stats.totals import Totals

ALL: Final = "all"
SHARE: Final = "%"
COLUMNS: Final = (
    "agent", "deal", "figure", "unit", "value", "low", "high", "n", "clusters",
)  # fmt: skip
"""Columns of a frame of measures: of what, the estimate with its 95 % interval, what is counted,
and how many independent groups of match numbers the interval is made from."""


@dataclass(frozen=True)
class Measure:
    """A figure that is the total of ``above`` over the total of ``below``, names of sums.

    ``unit`` is "%" for a proportion of what is counted below; values are then from 0 to 1.
    """

    figure: str
    above: str
    below: str
    unit: str


@dataclass(frozen=True)
class Waiting:
    """A figure that is the median turn of an event, deals that end first being censored."""

    figure: str
    event: str


def deal_names(totals: Totals) -> list[str]:
    """``all``, then the numbers of the deals."""
    return [ALL, *(str(deal) for deal in range(totals.deals))]


def with_all(by_deal: np.ndarray) -> np.ndarray:
    """Sums of all deals together, then those of each, along the first axis."""
    return np.concatenate([by_deal.sum(0, keepdims=True), by_deal])


def measured(totals: Totals, agent: str, measure: Measure) -> Estimates:
    """A measure of an agent for all deals together and for each, shape (1 + deals,)."""
    sums = with_all(totals.sums(agent))
    above, below = sums[..., PLACE[measure.above]], sums[..., PLACE[measure.below]]
    present = sums[..., PLACE["deals"]] > 0
    estimate = share_of if measure.unit == SHARE else mean_of
    return estimate(above, below, present)


def waited(totals: Totals, agent: str, event: str) -> Estimates:
    """Median turns of an event of an agent, for all deals together and for each."""
    rows = []
    for counts in with_all(totals.waits(agent, event)):
        found = curve(counts)
        rows.append((*median(found), found.n, found.clusters))
    value, low, high, n, clusters = (np.array(column) for column in zip(*rows, strict=True))
    return Estimates(value, low, high, n, clusters)


def rows_of(
    totals: Totals, agent: str, figure: str, unit: str, found: Estimates
) -> list[tuple[Any, ...]]:
    """Rows of a frame of measures from estimates for all deals together and for each."""
    return [
        (agent, deal, figure, unit, *values)
        for deal, *values in zip(deal_names(totals), *found, strict=True)
    ]


def measures_frame(totals: Totals, measures: Sequence[Measure | Waiting]) -> pd.DataFrame:
    """One row an agent, deal and measure; see ``COLUMNS``."""
    rows = []
    for agent in totals.agents:
        for measure in measures:
            if isinstance(measure, Waiting):
                found, unit = waited(totals, agent, measure.event), "turn"
            else:
                found, unit = measured(totals, agent, measure), measure.unit
            rows += rows_of(totals, agent, measure.figure, unit, found)
    return as_frame(rows, COLUMNS, totals)


def as_frame(rows: Iterable[Any], columns: Sequence[str], totals: Totals) -> pd.DataFrame:
    """A frame with settled types, by agent and deal where it has these columns."""
    frame = pd.DataFrame(list(rows), columns=list(columns))
    for name in frame.columns:
        if name in WHOLE:
            frame[name] = frame[name].astype(np.int64)
        elif name in WORDS:
            frame[name] = frame[name].astype("str")
        elif name == "deal":
            frame[name] = pd.Categorical(frame[name], deal_names(totals), ordered=True)
        elif name == "minimum":
            frame[name] = frame[name].astype("Int64")
        elif name not in ("book", "event"):
            frame[name] = frame[name].astype(np.float64)
    if {"agent", "deal", "figure"} <= set(frame.columns):
        frame = frame.sort_values(["agent", "deal"], kind="stable", ignore_index=True)
    return frame


WHOLE: Final = frozenset({
    "n", "clusters", "pairing", "pairs", "won", "tied", "lost", "matches", "matches_won",
    "matches_tied", "matches_lost", "forfeits", "opponent_forfeits", "opponents", "mirrors",
    "closed", "turn", "at_risk", "happened",
})  # fmt: skip
"""Columns of whole numbers."""
WORDS: Final = frozenset({"agent", "opponent", "figure", "unit", "factor", "level"})
"""Columns of words."""


def minimums(totals: Totals, agent: str) -> list[int | None]:
    """Opening minimums of an agent's deals; for all of them together None, unless they agree."""
    sums = with_all(totals.sums(agent)).sum(1)
    deals = sums[:, PLACE["deals"]]
    mean = np.divide(sums[:, PLACE["minimum"]], deals, out=np.full(len(deals), -1.0),
                     where=deals > 0)  # fmt: skip
    single = [int(value) if value >= 0 else None for value in mean[1:]]
    different = {value for value in single if value is not None}
    return [different.pop() if len(different) == 1 else None, *single]
