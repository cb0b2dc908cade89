"""Who beats whom: forest plots of ratings and margins, and matrices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

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
from handfoot_sim.plots.style import MUTED, looks, styled

SHOWN: Final = 0.05
"""Corrected p-values below this count as a difference that is shown."""
FULL: Final = 0.9
"""Share of a matrix's cells within the scale of its colours, so that one outlier can't fade all
others; the numbers tell the rest."""


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
    return wide.reindex(index=order, columns=order).to_numpy(float)


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
