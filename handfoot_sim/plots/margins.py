"""Who beats whom: forest plots, matrices, the spread of margins, and margins as pairs come in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from handfoot_sim.errors import RunError
from handfoot_sim.plots.panels import (
    NUMBER,
    counted,
    dots,
    head,
    looks_of,
    name_rows,
    panels,
    percent,
    require,
    row_height,
)
from handfoot_sim.plots.style import MUTED, Look, looks, styled

SHOWN: Final = 0.05
"""Corrected p-values below this count as a difference that is shown."""
FULL: Final = 0.9
"""Share of a matrix's cells within the scale of its colours, so that one outlier can't fade all
others; the numbers tell the rest."""
MOST_VIOLINS: Final = 24
MOST_RUNNING: Final = 12


@dataclass(frozen=True)
class Sprt:
    """A sequential test of a mean paired margin, in points a match.

    It goes on until the data speak for ``margin1`` against ``margin0``, or the other way round;
    ``alpha`` and ``beta`` are the chances of either error.
    """

    margin0: float
    margin1: float
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
def ratings(
    frame: pd.DataFrame, *, agents: Iterable[str] | None = None, unit: str = "Elo", note: str = ""
) -> Figure:
    """A forest plot of ratings: a row an agent, the best on top, with its interval.

    ``frame``: columns ``agent``, ``rating``, ``low``, ``high``. ``unit`` names the scale, ``note``
    how the intervals are made. Raises ``RunError`` for an empty or another frame.
    """
    require(frame, ["agent", "rating", "low", "high"], "standings")
    columns = ("rating", "low", "high")
    return _forest(frame, columns, agents, "Ratings", unit, note or "95 % intervals")


@styled
def standings(frame: pd.DataFrame, *, agents: Iterable[str] | None = None) -> Figure:
    """A forest plot of mean margins against the field, from the frame ``stats.standings``."""
    require(frame, ["agent", "margin", "low", "high", "n"], "standings")
    note = (
        "mean paired margin over all opponents met, with 95 % intervals; "
        f"{counted(frame['n'], 'pairs an agent')}"
    )
    columns = ("margin", "low", "high")
    return _forest(frame, columns, agents, "Margin against the field", "points a match", note)


def _forest(
    frame: pd.DataFrame,
    columns: tuple[str, str, str],
    agents: Iterable[str] | None,
    text: str,
    unit: str,
    note: str,
) -> Figure:
    everybody = looks_of(frame, agents)
    ordered = frame.sort_values(columns[0], ascending=False, kind="stable", na_position="last")
    shown = {agent: everybody[agent] for agent in ordered["agent"].astype(str)}
    figure, (panel,) = panels(1, 1, (8.5, 0.9 + row_height(len(shown))))
    panel.axvline(0, color=MUTED, lw=1, ls=(0, (4, 3)))
    dots(panel, ordered, shown, columns=columns)
    name_rows(panel, [look.name for look in shown.values()])
    panel.xaxis.set_major_formatter(NUMBER)
    panel.set_xlabel(unit)
    head(figure, text, note)
    return figure


@styled
def head_to_head(frame: pd.DataFrame, *, what: str = "margin") -> Figure:
    """A matrix of the row's agent against the column's: a heatmap with its numbers.

    ``frame``: ``stats.head_to_head``; ``what``: "margin" (points a match) or "share" (of pairs won,
    ties as halves). Numbers in brackets are of pairings in which no difference is shown. Agents
    stand in the order of their mean margin. Raises ``RunError`` for an empty or another frame.
    """
    require(frame, ["agent", "opponent", "margin", "share", "holm"], "head_to_head")
    if what not in ("margin", "share"):
        raise RunError(f"what = {what!r} must be margin or share")
    rows = frame[frame["agent"].astype(str) != frame["opponent"].astype(str)]
    if rows.empty:
        raise RunError("there is nothing to draw: no two different line-ups have met")
    means = rows.groupby("agent", observed=True)["margin"].mean()
    order = sorted(means.index, key=lambda agent: (-means[agent], agent))
    names = {agent: look.name for agent, look in looks(map(str, order)).items()}
    size = min(0.95, 9.0 / len(order))
    figure, (panel,) = panels(
        1, 1, (3.0 + 1.25 * size * len(order), 0.9 + 0.75 * size * len(order))
    )
    values = _matrix(rows, order, what)
    centre = 0.0 if what == "margin" else 0.5
    distance = np.abs(values - centre)
    reach = float(max(1e-9, np.nanquantile(distance, FULL)))
    image = panel.imshow(
        values, cmap="RdBu", vmin=centre - reach, vmax=centre + reach, aspect="auto"
    )
    _write_cells(panel, values, _matrix(rows, order, "holm"), what, (values - centre) / reach)
    called = [names[str(agent)] for agent in order]
    panel.set_xticks(range(len(order)), called, rotation=40, ha="right", rotation_mode="anchor")
    panel.set_yticks(range(len(order)), called)
    panel.grid(visible=False)
    panel.spines[:].set_visible(False)
    panel.tick_params(length=0)
    beyond = "both" if np.nanmax(distance) > reach * 1.001 else "neither"
    bar = figure.colorbar(image, ax=panel, shrink=0.9, pad=0.02, extend=beyond)
    bar.outline.set_visible(False)
    bar.ax.yaxis.set_major_formatter(NUMBER if what == "margin" else percent())
    said = "points a match" if what == "margin" else "% of pairs won, ties as halves"
    text = "Margin of the row over the column" if what == "margin" else "Pairs won by the row"
    head(
        figure,
        text,
        f"{said}; in brackets: no difference is shown (Holm over all pairings, 5 %); "
        f"{counted(rows['n'], 'pairs a pairing')}",
    )
    return figure


def _matrix(rows: pd.DataFrame, order: list[str], column: str) -> np.ndarray:
    wide = rows.pivot_table(index="agent", columns="opponent", values=column, observed=True)
    cells = np.empty((len(order), len(order)))
    cells[:] = wide.reindex(index=order, columns=order)
    return cells


def _write_cells(
    panel: Axes, values: np.ndarray, holm: np.ndarray, what: str, strength: np.ndarray
) -> None:
    size = float(np.clip(11.5 - 0.25 * len(values), 6.5, 11))
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            continue
        text = f"{value:+,.0f}" if what == "margin" else f"{100 * value:.0f}"
        sure = holm[row, column] < SHOWN
        panel.text(
            column, row, text if sure else f"({text})", ha="center", va="center", fontsize=size,
            color="#ffffff" if abs(strength[row, column]) > 0.62 else "#111111",
        )  # fmt: skip


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
        violins, rows = _violins_by_agent(histogram, summary, everybody), "agent"
    else:
        violins, rows = _violins_by_meeting(histogram, summary, everybody), "meeting"
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
        return np.interp([0.25, 0.5, 0.75], below / below[-1], self.edges)

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


def _violins_by_meeting(
    histogram: pd.DataFrame, summary: pd.DataFrame, everybody: dict[str, Look]
) -> list[_Violin]:
    found = []
    for pairing, rows in histogram.groupby("pairing", sort=False):
        meeting = summary[summary["pairing"] == pairing].iloc[0]
        a, b = str(meeting["agent"]), str(meeting["opponent"])
        name = f"{everybody[a].name}\nless {everybody[b].name}"
        found.append(_Violin(name, everybody[a], *_bins(rows)))
    return found


def _violins_by_agent(
    histogram: pd.DataFrame, summary: pd.DataFrame, everybody: dict[str, Look]
) -> list[_Violin]:
    """Each agent's margins over all opponents, on common bins, the best mean on top."""
    edges = np.linspace(
        min(histogram["left"].min(), -histogram["right"].max()),
        max(histogram["right"].max(), -histogram["left"].min()),
        121,
    )
    sums: dict[str, np.ndarray] = {}
    for pairing, rows in histogram.groupby("pairing", sort=False):
        meeting = summary[summary["pairing"] == pairing].iloc[0]
        own, shares = _bins(rows)
        below = np.concatenate([[0.0], np.cumsum(shares)])
        spread = np.diff(np.interp(edges, own, below))
        for agent, values in ((meeting["agent"], spread), (meeting["opponent"], spread[::-1])):
            sums[str(agent)] = sums.get(str(agent), 0) + values
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
    for panel, pairing in zip(axes, chosen, strict=True):
        _running(panel, frame[frame["pairing"] == pairing], everybody, sprt, int(8 * width))
    for panel in axes[-columns:]:
        panel.set_xlabel("pairs played")
    some = "" if len(chosen) == frame["pairing"].nunique() else (
        f", the {len(chosen)} closest of {frame['pairing'].nunique()} meetings"
    )  # fmt: skip
    ends = "; dashed: the bounds of the sequential test" if sprt else ""
    head(
        figure,
        f"The margin as pairs come in{some}",
        "points a match, 95 % interval over the pairs up to there (it holds at one moment chosen "
        f"beforehand, not at all of them){ends}",
    )
    return figure


def _closest(frame: pd.DataFrame) -> list[int]:
    """The meetings to draw, in the order of the frame."""
    last = frame.groupby("pairing", sort=False).tail(1).set_index("pairing")
    if len(last) <= MOST_RUNNING:
        return [int(pairing) for pairing in last.index]
    distance = last["margin"].abs() / (last["high"] - last["low"])
    return sorted(int(pairing) for pairing in distance.nsmallest(MOST_RUNNING).index)


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
    late = pairs >= max(pairs[0], 0.01 * pairs[-1])
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
