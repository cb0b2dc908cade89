"""How far margins of pairs spread, and the mean margin as pairs come in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from handfoot_sim.plots.panels import (
    NUMBER,
    counted,
    head,
    name_rows,
    panels,
    require,
)
from handfoot_sim.plots.style import MUTED, Look, looks, styled

MEETING: Final = ["pairing", "agent", "opponent"]
"""What tells meetings apart: with three teams or more a pairing has several."""
MOST_VIOLINS: Final = 24
MOST_RUNNING: Final = 12


@dataclass(frozen=True)
class Sprt:
    """A sequential test of a mean paired margin, in points a match.

    It goes on until the data speak for ``margin1`` against ``margin0``, or the other way round;
    ``alpha`` and ``beta`` are the chances of either error.
    """

    margin0: float = 0.0
    margin1: float = 100.0
    alpha: float = 0.05
    beta: float = 0.05

    def bounds(self, pairs: np.ndarray, variance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The margins at which the test ends, below and above, after so many ``pairs``.

        The log-likelihood ratio of two means of a normal with the sample's variance is
        n (m1 - m0) (mean - (m0 + m1) / 2) / variance (the generalized SPRT as in Van den Bergh,
        "A practical introduction to the GSPRT"); Wald's bounds are log(beta / (1 - alpha)) and
        log((1 - beta) / alpha).
        """
        middle = (self.margin0 + self.margin1) / 2
        scale = variance / (pairs * (self.margin1 - self.margin0))
        lower = np.log(self.beta / (1 - self.alpha))
        upper = np.log((1 - self.beta) / self.alpha)
        return middle + lower * scale, middle + upper * scale


@styled
def margins(
    histogram: pd.DataFrame, summary: pd.DataFrame, *, agents: Iterable[str] | None = None
) -> Figure:
    """Violins of the margins of pairs, with quartiles and median: a row a meeting.

    ``histogram``: ``stats.margin_histogram``; ``summary``: ``stats.margins``. With more than 24
    meetings there is a row an agent, over all that it met. Raises ``RunError`` for empty or other
    frames.
    """
    require(histogram, ["pairing", "agent", "opponent", "left", "right", "share"], "margins")
    require(summary, ["pairing", "agent", "opponent", "n"], "margins")
    both = pd.concat([summary["agent"], summary["opponent"]]).astype(str)
    everybody = looks([*both, *(agents or ())])
    if len(summary) > MOST_VIOLINS:
        violins, rows = _violins_by_agent(histogram, everybody), "agent"
    else:
        violins, rows = _violins_by_meeting(histogram, everybody), "meeting"
    height = 1.0 + max(0.42, 0.9 - 0.05 * len(violins)) * len(violins)
    figure, (panel,) = panels(1, 1, (9.5, height))
    panel.axvline(0, color=MUTED, lw=1, ls=(0, (4, 3)))
    for place, violin in enumerate(violins):
        violin.draw(panel, place)
    name_rows(panel, [violin.name for violin in violins])
    panel.xaxis.set_major_formatter(NUMBER)
    panel.set_xlabel("margin of a pair, points a match")
    head(
        figure,
        "How far margins of pairs spread" + (", by agent" if rows == "agent" else ""),
        "same cards played both ways; bar: middle half, dot: median"
        f"; {counted(summary['n'], 'pairs a meeting')}"
        + (", every opponent weighing the same" if rows == "agent" else ""),
    )
    return figure


@dataclass(frozen=True)
class _Violin:
    """A density on bins, with the edges of the bins: shapes (bins,) and (bins + 1,)."""

    name: str
    look: Look
    edges: np.ndarray
    shares: np.ndarray

    def quantiles(self) -> np.ndarray:
        """The quartiles, from the bins."""
        below = np.concatenate([[0.0], np.cumsum(self.shares)])
        return np.asarray(np.interp([0.25, 0.5, 0.75], below / below[-1], self.edges))

    def draw(self, panel: Axes, place: float) -> None:
        """Draw it in a row: its area, the middle half, the median."""
        if not self.shares.sum() > 0:
            return
        density = self.shares / np.diff(self.edges)
        height = np.append(density, density[-1]) / density.max() * 0.43
        panel.fill_between(
            self.edges, place - height, place + height, step="post", color=self.look.colour,
            alpha=0.45, lw=0,
        )  # fmt: skip
        low, middle, high = self.quantiles()
        panel.plot([low, high], [place, place], color=self.look.colour, lw=4.5)
        panel.plot([middle], [place], marker="o", color="white", markeredgecolor=self.look.colour)


def _bins(rows: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Edges and shares of one meeting's histogram; a single value has a bin of some width."""
    own = rows.sort_values("left")
    edges = np.append(own["left"].to_numpy(float), float(own["right"].iloc[-1]))
    if len(edges) == 2 and edges[0] == edges[1]:
        edges = edges + np.array([-0.5, 0.5])
    return edges, own["share"].to_numpy(float)


def _violins_by_meeting(histogram: pd.DataFrame, everybody: dict[str, Look]) -> list[_Violin]:
    found = []
    for (_, a, b), rows in histogram.groupby(MEETING, sort=False, observed=True):
        own, other = everybody[str(a)], everybody[str(b)]
        found.append(_Violin(f"{own.name}\nless {other.name}", own, *_bins(rows)))
    return found


def _violins_by_agent(histogram: pd.DataFrame, everybody: dict[str, Look]) -> list[_Violin]:
    """Each agent's margins over all opponents, on common bins, the best mean on top."""
    edges = np.linspace(
        min(histogram["left"].min(), -histogram["right"].max()),
        max(histogram["right"].max(), -histogram["left"].min()),
        121,
    )
    sums: dict[str, np.ndarray] = {}
    for (_, a, b), rows in histogram.groupby(MEETING, sort=False, observed=True):
        own, shares = _bins(rows)
        below = np.concatenate([[0.0], np.cumsum(shares)])
        spread = np.diff(np.interp(edges, own, below))
        for agent, values in ((str(a), spread), (str(b), spread[::-1])):
            sums[agent] = sums.get(agent, 0) + values
    middles = (edges[1:] + edges[:-1]) / 2
    order = sorted(sums, key=lambda a: (-float(sums[a] @ middles) / float(sums[a].sum()), a))
    return [_Violin(everybody[a].name, everybody[a], edges, sums[a]) for a in order]


@styled
def running_margin(
    frame: pd.DataFrame, *, sprt: Sprt | None = None, agents: Iterable[str] | None = None
) -> Figure:
    """The mean margin as pairs come in, with its narrowing interval: a panel a meeting.

    ``frame``: ``stats.running_margin``; ``sprt`` draws the bounds at which a sequential test would
    have ended. Of more than 12 meetings those are drawn whose last interval is closest to holding
    0. Raises ``RunError`` for an empty or another frame.
    """
    require(frame, ["pairing", "agent", "opponent", "pairs", "margin", "low"], "running_margin")
    chosen = _closest(frame)
    both = pd.concat([frame["agent"], frame["opponent"]]).astype(str)
    everybody = looks([*both, *(agents or ())])
    columns = 1 if len(chosen) == 1 else 2 if len(chosen) <= 4 else 3
    width = 9.0 if columns == 1 else 11.0 / columns
    figure, axes = panels(len(chosen), columns, (width, 3.4 if columns == 1 else 2.5))
    for panel, rows in zip(axes, chosen, strict=True):
        _running(panel, rows, everybody, sprt, int(8 * width))
    for panel in axes[-columns:]:
        panel.set_xlabel("pairs played")
    count = len(frame[MEETING].drop_duplicates())
    some = "" if len(chosen) == count else f", the {len(chosen)} closest of {count} meetings"
    ends = "; dashed: the bounds of the sequential test" if sprt else ""
    head(
        figure,
        f"The margin as pairs come in{some}",
        "points a match, 95 % interval over the pairs up to there (it holds at one moment chosen "
        f"beforehand, not at all of them){ends}",
    )
    return figure


def _closest(frame: pd.DataFrame) -> list[pd.DataFrame]:
    """Rows of the meetings to draw, in the order of the frame."""
    found = [rows for _, rows in frame.groupby(MEETING, sort=False, observed=True)]
    if len(found) <= MOST_RUNNING:
        return found
    last = pd.concat([rows.tail(1) for rows in found], ignore_index=True)
    distance = last["margin"].abs() / (last["high"] - last["low"])
    return [found[place] for place in sorted(distance.nsmallest(MOST_RUNNING).index)]


def _running(
    panel: Axes,
    rows: pd.DataFrame,
    everybody: dict[str, Look],
    sprt: Sprt | None,
    room: int,
) -> None:
    """One meeting; ``room`` are the signs that fit into a line of the title."""
    own = rows.sort_values("pairs")
    a, b = (everybody[str(own[name].iloc[0])] for name in ("agent", "opponent"))
    pairs = own["pairs"].to_numpy(float)
    margin, low, high = (own[name].to_numpy(float) for name in ("margin", "low", "high"))
    panel.axhline(0, color=MUTED, lw=1, ls=(0, (4, 3)))
    panel.fill_between(pairs, low, high, color=a.colour, alpha=0.22, lw=0)
    marker = "o" if len(pairs) == 1 else ""
    panel.plot(pairs, margin, color=a.colour, linestyle=a.line, marker=marker)
    if len(pairs) > 1 and pairs[-1] > 20 * pairs[0]:
        panel.set_xscale("log")
        panel.xaxis.set_major_locator(LogLocator(numticks=6))
        panel.xaxis.set_minor_formatter(NullFormatter())
    late = pairs >= min(pairs[-1], max(5.0, 0.02 * pairs[-1]))
    ends = np.concatenate([low[late], high[late], margin[late], [0.0]])
    ends = ends[~np.isnan(ends)]
    reach = 0.08 * (ends.max() - ends.min()) or 1.0
    panel.set_ylim(ends.min() - reach, ends.max() + reach)
    if sprt is not None:
        variance = (own["squares"].to_numpy(float) / pairs - margin**2) * pairs
        variance = variance / np.maximum(1.0, pairs - 1.0)
        for bound in sprt.bounds(pairs, variance):
            panel.plot(pairs, bound, color=MUTED, lw=1.3, ls=(0, (5, 2)))
    panel.xaxis.set_major_formatter(NUMBER)
    panel.yaxis.set_major_formatter(NUMBER)
    joined = f"{a.name} less {b.name}"
    panel.set_title(joined if len(joined) <= room else f"{a.name}\nless {b.name}")
