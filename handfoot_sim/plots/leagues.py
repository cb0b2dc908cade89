"""How a league went: ratings and shares of the Nash mix over its generations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from handfoot_sim.plots.panels import (
    NUMBER,
    counted,
    head,
    key_of,
    looks_of,
    panels,
    percent,
    require,
)
from handfoot_sim.plots.style import MUTED, Look, styled

APART = 0.035
"""What the intervals of two members are moved apart by, in generations, so that none hides one."""


@styled
def league_history(frame: pd.DataFrame, *, agents: Iterable[str] | None = None) -> Figure:
    """Ratings of all members after each generation, and their shares of the Nash mix.

    ``frame``: columns ``generation``, ``agent``, ``rating``, ``low``, ``high``, ``share`` and
    ``n`` (pairs a member); ends are NaN where a rating is only a bound, which has a hollow mark.
    Raises ``RunError`` for an empty or another frame.
    """
    wanted = ["generation", "agent", "rating", "low", "high", "share", "n"]
    require(frame, wanted, "a league's history")
    shown = looks_of(frame, agents)
    figure, (rated, mixed) = panels(2, 1, (9.5, 3.2), sharex=True)
    _lines(rated, frame, shown, "rating")
    _lines(mixed, frame, shown, "share")
    rated.axhline(0, color=MUTED, lw=1, ls=(0, (4, 3)), zorder=0)
    rated.yaxis.set_major_formatter(NUMBER)
    rated.set_ylabel("Elo")
    mixed.yaxis.set_major_formatter(percent())
    mixed.set(ylabel="share of the Nash mix", ylim=(-0.03, 1.03), xlabel="after generation")
    mixed.xaxis.set_major_locator(MaxNLocator(integer=True))
    key, wide = key_of(shown)
    head(
        figure,
        "A league over its generations",
        "above: Bradley-Terry ratings with 95 % intervals (bootstrap over cards), hollow where "
        f"only a bound; below: Nash mix; {counted(frame['n'], 'pairs a member')}",
        key,
        wide=wide,
    )
    return figure


def _lines(panel: Axes, frame: pd.DataFrame, shown: Mapping[str, Look], column: str) -> None:
    """A line a member; ratings with their intervals."""
    for number, (agent, look) in enumerate(shown.items()):
        own = frame[frame["agent"].astype(str) == agent].sort_values("generation")
        x = own["generation"].to_numpy(float) + APART * (number - (len(shown) - 1) / 2)
        y = own[column].to_numpy(float)
        panel.plot(x, y, color=look.colour, linestyle=look.line, lw=1.2)
        known = np.isfinite(own["low"].to_numpy(float)) | (column != "rating")
        for part, face in ((known, look.colour), (~known, "white")):
            panel.plot(
                x[part], y[part], marker=look.marker, color=look.colour, markerfacecolor=face, ls=""
            )
        if column == "rating":
            panel.vlines(
                x[known], own["low"].to_numpy(float)[known], own["high"].to_numpy(float)[known],
                color=look.colour, lw=1.8,
            )  # fmt: skip
