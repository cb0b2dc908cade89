"""What adds up: how deals ended, and the parts of a score, as stacked bars."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from handfoot_sim.plots.panels import (
    ALL,
    NUMBER,
    counted,
    deals_in,
    head,
    looks_of,
    name_rows,
    of_deal,
    panels,
    percent,
    require,
    row_height,
)
from handfoot_sim.plots.style import MUTED, Look, styled

ENDS: Final = {"went out": "#44bb99", "another went out": "#ee8866", "stock ran out": "#c3c7cc"}
PARTS: Final = {
    "melded": "#77aadd",
    "books": "#44bb99",
    "red_threes": "#ee8866",
    "going_out": "#eedd88",
    "left": "#b9bec4",
}
"""Colours of areas that carry dark text, from Tol's light scheme."""

TEXT: Final = "#111111"
"""Text within an area, which stays dark on a dark page too."""


@styled
def go_out_rates(frame: pd.DataFrame, *, agents: Iterable[str] | None = None) -> Figure:
    """How deals ended for each agent: a stacked bar a row, a panel for all deals and for each.

    ``frame``: ``stats.go_out_rates``. Raises ``RunError`` for an empty or another frame.
    """
    require(frame, ["agent", "deal", "figure", "value"], "go_out_rates")
    rows = frame[frame["figure"].isin(list(ENDS))]
    shown = _shown(rows, agents)
    deals = deals_in(rows)
    wanted = [ALL, *deals] if len(deals) > 1 else [ALL]
    columns = 1 if len(wanted) == 1 else (3 if len(shown) <= 8 else 5)
    width = 8.5 if len(wanted) == 1 else 11.5 / columns
    figure, axes = panels(
        len(wanted), columns, (width, 0.75 + row_height(len(shown))), sharex=True, sharey=True
    )
    for panel, deal in zip(axes, wanted, strict=True):
        own = of_deal(rows, deal)
        _stack(panel, own, shown, ENDS, enough=0.12, text=lambda value: f"{100 * value:.0f}")
        panel.set_title("all deals" if deal == ALL else f"deal {deal}")
        panel.set_xlim(0, 1)
        panel.xaxis.set_major_formatter(percent())
        panel.set_xticks([0, 0.5, 1])
        for label in panel.get_xticklabels()[:1]:
            label.set_horizontalalignment("left")
        for label in panel.get_xticklabels()[-1:]:
            label.set_horizontalalignment("right")
    counts = of_deal(rows, ALL)["n"]
    head(
        figure,
        "How deals end: by going out, by another's going out, or with the stock",
        f"share of an agent's deals in %; {counted(counts, 'deals an agent')}; the intervals are "
        "in the table",
        _key(ENDS),
        wide=1.7,
    )
    return figure


@styled
def scores(frame: pd.DataFrame, *, deal: str = ALL, agents: Iterable[str] | None = None) -> Figure:
    """What a deal's score is made of, stacked by agent, with the sum as a dot and its interval.

    ``frame``: ``stats.scores``. Raises ``RunError`` for an empty or another frame.
    """
    require(frame, ["agent", "deal", "figure", "value", "low", "high"], "scores")
    rows = of_deal(frame, deal)
    shown = _shown(rows, agents)
    figure, (panel,) = panels(1, 1, (10.0, 1.0 + 1.25 * row_height(len(shown))))
    parts = rows[rows["figure"].isin(list(PARTS))]
    spread = parts["value"].abs().sum() / max(1, len(shown))
    _stack(panel, parts, shown, PARTS, enough=0.075 * spread, text=lambda value: f"{value:,.0f}")
    totals = rows[rows["figure"] == "score"]
    for place, agent in enumerate(shown):
        for _, row in totals[totals["agent"].astype(str) == agent].iterrows():
            value, low, high = (float(row[name]) for name in ("value", "low", "high"))
            panel.plot([low, high], [place, place], color=TEXT, lw=2)
            panel.plot([value], [place], marker="D", color="white", markeredgecolor=TEXT, ms=7)
    panel.axvline(0, color=MUTED, lw=1)
    panel.xaxis.set_major_formatter(NUMBER)
    panel.set_xlabel("points a deal and team")
    where = "all deals" if deal == ALL else f"deal {deal}"
    head(
        figure,
        f"What scores are made of, {where}",
        "mean points a deal and team by part; diamond: the sum with its 95 % interval; cards left "
        f"count against; {counted(totals['n'], 'deals an agent')}",
        _key(PARTS),
        wide=1.6,
    )
    return figure


def _shown(rows: pd.DataFrame, agents: Iterable[str] | None) -> dict[str, Look]:
    everybody = looks_of(rows, agents)
    return {agent: everybody[agent] for agent in sorted(rows["agent"].astype(str).unique())}


def _stack(
    panel: Axes,
    rows: pd.DataFrame,
    shown: Mapping[str, Look],
    colours: Mapping[str, str],
    enough: float,
    text: Callable[[float], str],
) -> None:
    """Bars of parts in each agent's row, negative parts to the left of 0.

    A part of at least ``enough`` is written out by ``text``.
    """
    wide = rows.assign(agent=rows["agent"].astype(str)).pivot_table(
        index="agent", columns="figure", values="value", observed=True, dropna=False
    )
    wide = wide.reindex(index=list(shown), columns=list(colours))
    ends = np.zeros((2, len(shown)))  # of the bars so far: to the right and to the left
    places = np.arange(len(shown))
    for part, colour in colours.items():
        values = wide[part].fillna(0).to_numpy(float)
        side = (values < 0).astype(int)
        start = ends[side, places]
        panel.barh(places, values, left=start, color=colour, height=0.74)
        for place in np.flatnonzero(np.abs(values) >= enough).tolist():
            panel.text(
                start[place] + values[place] / 2, place, text(float(values[place])),
                ha="center", va="center", fontsize=9 if len(shown) <= 8 else 8, color=TEXT,
            )  # fmt: skip
        ends[side, places] += values
    name_rows(panel, [look.name for look in shown.values()])


def _key(colours: Mapping[str, str]) -> list[Patch]:
    return [Patch(color=colour, label=part.replace("_", " ")) for part, colour in colours.items()]
