"""What a change does, and how a figure answers to a number that is turned: effects and sweeps.

Frames come with columns ``value``, ``low``, ``high`` and ``n``, one row an estimate; what they tell
of is said by the caller in ``text`` and ``note``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handfoot_sim.errors import RunError
from handfoot_sim.plots.panels import (
    NUMBER,
    PART,
    counted,
    head,
    key_of,
    looks_of,
    name_rows,
    panels,
    percent,
    require,
    units,
)
from handfoot_sim.plots.style import FAINT, MUTED, Look, styled

SHOWN: Final = 0.05
"""Corrected p-values below this count as a difference that is shown."""
MOST_TICKS: Final = 10
"""Places of a sweep up to which each has a tick."""
ESTIMATE: Final = ("value", "low", "high", "n")


@styled
def effects(
    frame: pd.DataFrame,
    *,
    rows: str,
    text: str,
    note: str,
    panel: str = "",
    unit: str = "points a match",
    what: str = "match numbers",
    agents: Iterable[str] | None = None,
    columns: int = 3,
) -> Figure:
    """Estimates as dots with intervals: a row for each value of a column, in it a dot an agent.

    Raises ``RunError`` for a frame without rows or with other columns.

    Parameters
    ----------
    frame
        Columns ``agent``, that named by ``rows``, ``value``, ``low``, ``high``, ``n``, and if
        ``panel`` names one, that; a column ``unit`` says the unit of a panel, else it is ``unit``.
    text, note
        What is seen, and units and intervals in smaller type; ``n`` of ``what`` is added.
    """
    require(frame, ["agent", rows, *ESTIMATE, *([panel] if panel else [])], "effects")
    everybody = looks_of(frame, agents)
    shown = {agent: everybody[agent] for agent in sorted(frame["agent"].astype(str).unique())}
    names = list(dict.fromkeys(frame[rows].astype(str)))
    parts = list(frame.groupby(panel, sort=False, observed=True)) if panel else [("", frame)]
    wide = 10.8 / min(columns, len(parts)) if len(parts) > 1 else 9.0
    alone = len(shown) == 1 or rows == "agent"
    tall = 0.9 + len(names) * (0.32 if alone else max(0.34, 0.13 + 0.115 * len(shown)))
    figure, axes = panels(len(parts), columns, (wide, tall), sharey=True)
    for axis, (name, own) in zip(axes, parts, strict=True):
        _effects(axis, own, rows, names, shown)
        units(axis, str(own["unit"].iloc[0]) if "unit" in own else unit)
        axis.set_title(str(name))
    key, width = key_of(shown) if not alone else ([], 3.0)
    head(figure, text, f"{note}; {counted(frame['n'], what)}", key, wide=width)
    return figure


def _effects(
    axis: Axes, own: pd.DataFrame, rows: str, names: Sequence[str], shown: Mapping[str, Look]
) -> None:
    axis.axvline(0, color=MUTED, lw=1, ls=(0, (4, 3)))
    for place in range(1, len(names)):
        axis.axhline(place - 0.5, color=FAINT, lw=0.7)
    apart = len(shown) > 1 and rows != "agent"
    for number, (agent, look) in enumerate(shown.items()):
        spread = min(0.72, 0.24 * (len(shown) - 1))
        shift = spread * (number / (len(shown) - 1) - 0.5) if apart else 0.0
        mine = own[own["agent"].astype(str) == agent]
        for _, row in mine.iterrows():
            y = names.index(str(row[rows])) + shift
            value, low, high = (float(row[name]) for name in ("value", "low", "high"))
            if np.isnan(value):
                continue
            axis.plot([low, high], [y, y], color=look.colour, lw=2.2, solid_capstyle="butt")
            axis.plot([value], [y], marker=look.marker, color=look.colour, ls="", ms=4.5)
    name_rows(axis, names)


@styled
def curve(
    frame: pd.DataFrame,
    *,
    x: str,
    text: str,
    note: str,
    label: str,
    panel: str = "",
    unit: str = "points a match",
    what: str = "match numbers",
    best: Mapping[str, float] | None = None,
    zero: bool = True,
    agents: Iterable[str] | None = None,
    columns: int = 3,
) -> Figure:
    """How a figure answers to a number: a curve an agent with its 95 % band, over column ``x``.

    ``label`` names the x axis; ``best`` marks a place of x by agent; ``zero`` draws the line of no
    difference. Other parameters and errors as ``effects``.
    """
    require(frame, ["agent", x, *ESTIMATE, *([panel] if panel else [])], "curve")
    everybody = looks_of(frame, agents)
    shown = {agent: everybody[agent] for agent in sorted(frame["agent"].astype(str).unique())}
    parts = list(frame.groupby(panel, sort=False, observed=True)) if panel else [("", frame)]
    wide = 10.8 / min(columns, len(parts)) if len(parts) > 1 else 8.5
    figure, axes = panels(len(parts), columns, (wide, 3.4 if len(parts) > 1 else 4.2))
    for number, (axis, (name, own)) in enumerate(zip(axes, parts, strict=True)):
        if zero:
            axis.axhline(0, color=MUTED, lw=1, ls=(0, (4, 3)))
        for agent, look in shown.items():
            _curve(axis, own[own["agent"].astype(str) == agent].sort_values(x), x, look)
            if best and agent in best:
                axis.axvline(best[agent], color=look.colour, lw=1, ls=(0, (2, 2)))
        axis.set_title(str(name))
        axis.set_xlabel(label)
        own_unit = str(own["unit"].iloc[0]) if "unit" in own else unit
        axis.yaxis.set_major_formatter(percent() if own_unit == PART else NUMBER)
        axis.xaxis.set_major_formatter(NUMBER)
        places = sorted(set(own[x]))
        if len(places) <= MOST_TICKS:
            axis.set_xticks(places)
        if number % columns == 0 or "unit" in own:
            axis.set_ylabel("share" if own_unit == PART else own_unit)
    key, width = key_of(shown) if len(shown) > 1 else ([], 3.0)
    head(figure, text, f"{note}; {counted(frame['n'], what)}", key, wide=width)
    return figure


def _curve(axis: Axes, own: pd.DataFrame, x: str, look: Look) -> None:
    place, value, low, high = (own[name].to_numpy(float) for name in (x, "value", "low", "high"))
    axis.plot(place, value, color=look.colour, linestyle=look.line, marker=look.marker, ms=4.5)
    axis.fill_between(place, low, high, color=look.colour, alpha=0.2, lw=0)


@styled
def grid(
    frame: pd.DataFrame,
    *,
    rows: str,
    columns: str,
    text: str,
    note: str,
    panel: str = "",
    what: str = "match numbers",
    digits: int = 0,
) -> Figure:
    """A matrix of estimates by two columns of the frame, as a heatmap with its numbers.

    ``frame``: columns ``rows``, ``columns``, ``value``, ``n`` and ``holm``; numbers in brackets are
    no difference that is shown. With ``panel`` there is a matrix for each of its values. Raises
    ``RunError`` for a frame without rows or with other columns.
    """
    require(frame, [rows, columns, "value", "n", "holm"], "grid")
    down = list(dict.fromkeys(frame[rows].astype(str)))
    across = list(dict.fromkeys(frame[columns].astype(str)))
    across = down if set(across) == set(down) else across
    parts = list(frame.groupby(panel, sort=False, observed=True)) if panel else [("", frame)]
    size = (2.2 + 0.78 * len(across), 1.5 + 0.42 * len(down))
    figure, axes = panels(len(parts), max(1, int(14 / size[0])), size)
    reach = float(max(1e-9, np.nanmax(np.abs(frame["value"]))))
    if not np.isfinite(reach):
        raise RunError("there is nothing to draw: no value of the grid is known")
    for axis, (name, own) in zip(axes, parts, strict=True):
        for _, row in own.iterrows():
            if np.isnan(row["value"]):
                continue
            place = (across.index(str(row[columns])), down.index(str(row[rows])))
            said = f"{row['value']:+,.{digits}f}"
            axis.text(
                *place, said if row["holm"] < SHOWN else f"({said})", ha="center", va="center",
                fontsize=9, color="#ffffff" if abs(row["value"]) > 0.62 * reach else "#111111",
            )  # fmt: skip
        wide = own.assign(**{name: own[name].astype(str) for name in (rows, columns)}).pivot_table(
            index=rows, columns=columns, values="value", observed=True
        )
        values = wide.reindex(index=down, columns=across).to_numpy(float)
        axis.imshow(values, cmap="RdBu", vmin=-reach, vmax=reach, aspect="auto")
        axis.set_xticks(range(len(across)), across, rotation=35, ha="right", rotation_mode="anchor")
        axis.set_yticks(range(len(down)), down)
        axis.grid(visible=False)
        axis.spines[:].set_visible(False)
        axis.tick_params(length=0)
        axis.set_title(str(name))
    head(figure, text, f"{note}; {counted(frame['n'], what)}")
    return figure
