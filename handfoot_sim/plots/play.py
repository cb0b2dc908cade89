"""How agents play: seats, the pile, and the fingerprint of all figures together."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from handfoot_sim.errors import RunError
from handfoot_sim.plots.panels import (
    ALL,
    PART,
    counted,
    dots,
    head,
    key_of,
    looks_of,
    name_rows,
    nothing,
    of_deal,
    panels,
    require,
    row_height,
    units,
)
from handfoot_sim.plots.style import FAINT, MUTED, Look, styled

EVERYBODY: Final = "(all)"
"""The row of the frame ``seats`` in which all agents are pooled."""

PILE_FIGURES: Final = (
    "turns with a chance",
    "taken when it could be",
    "cards a taking",
    "cards taken",
    "black threes discarded",
    "wild cards discarded",
)
WIDEST: Final = 5.0
"""A scale of the fingerprint is at least so many times as wide as its widest interval."""


@styled
def piles(frame: pd.DataFrame, *, deal: str = ALL, agents: Iterable[str] | None = None) -> Figure:
    """What agents do at the pile: a panel a figure, a row an agent.

    ``frame``: ``stats.piles``. Raises ``RunError`` for an empty or another frame.
    """
    require(frame, ["agent", "deal", "figure", "unit", "value", "low", "high"], "piles")
    rows = of_deal(frame, deal)
    everybody = looks_of(rows, agents)
    shown = {agent: everybody[agent] for agent in sorted(rows["agent"].astype(str).unique())}
    height = 0.85 + row_height(len(shown))
    figure, axes = panels(len(PILE_FIGURES), 3, (3.7, height), sharey=True)
    for panel, name in zip(axes, PILE_FIGURES, strict=True):
        own = rows[rows["figure"] == name]
        panel.set_title(name)
        name_rows(panel, [look.name for look in shown.values()])
        if own["value"].notna().any():
            dots(panel, own, shown)
            units(panel, str(own["unit"].iloc[0]), _PILE_UNITS.get(name, ""))
        else:
            nothing(panel, "nothing is counted")
    head(
        figure,
        "What agents do at the pile",
        f"95 % intervals; {counted(rows['n'][rows['figure'] == 'chances'], 'deals an agent')}; "
        "what shares and means are counted of is in the table",
    )
    return figure


_PILE_UNITS: Final = {
    "turns with a chance": "share of own turns",
    "taken when it could be": "share of chances",
    "cards a taking": "cards",
}


@styled
def seats(frame: pd.DataFrame, *, deal: str = ALL, agents: Iterable[str] | None = None) -> Figure:
    """What the first turn, the deal and the seat are worth: a panel a factor, a row an agent.

    ``frame``: ``stats.seats``. A factor with two levels is drawn once, as the other level is the
    same with the other sign. Raises ``RunError`` for an empty or another frame.
    """
    require(frame, ["agent", "deal", "factor", "level", "effect", "effect_low"], "seats")
    rows = of_deal(frame, deal)
    single = rows[rows["agent"].astype(str) != EVERYBODY]
    everybody = looks_of(single, agents)
    shown = {agent: everybody[agent] for agent in sorted(single["agent"].astype(str).unique())}
    if len(shown) > 1 and (rows["agent"].astype(str) == EVERYBODY).any():
        shown[EVERYBODY] = Look(MUTED, "-", "D", "", "all agents")
    factors = list(dict.fromkeys(rows["factor"].astype(str)))
    levels = int(rows.groupby("factor", observed=True)["level"].nunique().max())
    tall = row_height(len(shown)) * (1.0 if levels < 3 else 0.5 + 0.25 * levels)
    figure, axes = panels(len(factors), 3, (11.0 / min(3, len(factors)), 1.0 + tall), sharey=True)
    for panel, factor in zip(axes, factors, strict=True):
        _factor(panel, rows[rows["factor"].astype(str) == factor], shown, factor)
    head(
        figure,
        "What seat, dealer and first turn are worth",
        "points a deal against the other places, compared within a pairing and deal, with 95 % "
        f"intervals; {counted(single['n'], 'deals a place and agent')}",
    )
    return figure


def _factor(panel: Axes, rows: pd.DataFrame, shown: dict[str, Look], factor: str) -> None:
    levels = list(dict.fromkeys(rows["level"].astype(str)))
    drawn = levels[:1] if len(levels) == 2 else levels
    columns = ("effect", "effect_low", "effect_high")
    panel.axvline(0, color=MUTED, lw=1, ls=(0, (4, 3)))
    for number, level in enumerate(drawn):
        shift = 0.0 if len(drawn) == 1 else 0.56 * (number / (len(drawn) - 1) - 0.5)
        own = rows[rows["level"].astype(str) == level]
        dots(panel, own, shown, columns=columns, shift=shift, filled=number % 2 == 0)
    name_rows(panel, [look.name for look in shown.values()])
    units(panel, "points a deal")
    if factor == "seat":
        said = [f"team {level}" for level in drawn]
    else:
        said = [f"{factor}: {level}" if factor == "first turn" else level for level in drawn]
    many = " (from top to bottom)" if len(drawn) > 1 else ""
    panel.set_title(", ".join(said) + many if len(drawn) < 3 else f"{said[0]} to {drawn[-1]}{many}")


@styled
def fingerprint(frame: pd.DataFrame, *, agents: Iterable[str] | None = None) -> Figure:
    """How agents play, all figures on parallel scales: a row a figure, a line an agent.

    Each figure has a scale of its own, from the lowest to the highest agent, whose values stand at
    its ends; it is wider where intervals are wide, so that noise does not look like a difference.
    ``frame``: ``stats.fingerprint``. Raises ``RunError`` for an empty or another frame.
    """
    require(frame, ["agent", "figure", "unit", "value", "low", "high"], "fingerprint")
    everybody = looks_of(frame, agents)
    shown = {agent: everybody[agent] for agent in sorted(frame["agent"].astype(str).unique())}
    names = [str(n) for n in dict.fromkeys(frame["figure"]) if _known(frame, str(n))]
    figure, (panel,) = panels(1, 1, (9.5, 1.2 + 0.46 * len(names)))
    if not names:
        raise RunError("there is nothing to draw: no figure of the fingerprint is counted")
    places: dict[str, list[float]] = {agent: [] for agent in shown}
    for row, name in enumerate(names):
        own = frame[frame["figure"] == name]
        low, high = _scale(own)
        unit = str(own["unit"].iloc[0])
        panel.plot([0, 1], [row, row], color=FAINT, lw=1)
        for end, value, side in ((0, low, "right"), (1, high, "left")):
            place = end + (0.025 if end else -0.025)
            panel.text(place, row, _written(value, unit), ha=side, va="center", fontsize=9.5)
        for agent, look in shown.items():
            places[agent].append(_mark(panel, own, agent, look, row, (low, high)))
    few = len(shown) <= 8
    for agent, look in shown.items():
        panel.plot(
            places[agent], range(len(names)), color=look.colour, linestyle=look.line,
            marker=look.marker, lw=1.5 if few else 0.9, ms=6 if few else 4.5,
        )  # fmt: skip
    name_rows(panel, names)
    panel.set_xlim(-0.13, 1.17)
    panel.set_xticks([])
    panel.spines[:].set_visible(False)
    panel.tick_params(axis="y", pad=2)
    key, wide = key_of(shown)
    deals = frame["n"][frame["figure"] == "points"]  # a frame of chosen figures may lack them
    count = f"; {counted(deals, 'deals an agent')}" if len(deals) else ""
    head(
        figure,
        "How agents play",
        f"every row has its own scale, its ends written out; bars are 95 % intervals{count}",
        key,
        wide=wide,
    )
    return figure


def _known(frame: pd.DataFrame, name: str) -> bool:
    return bool(frame.loc[frame["figure"] == name, "value"].notna().any())


def _scale(own: pd.DataFrame) -> tuple[float, float]:
    """Ends of a figure's scale: the agents' lowest and highest value, widened about the middle."""
    low, high = float(own["value"].min()), float(own["value"].max())
    widest = float((own["high"] - own["low"]).max())
    least = max(0.0 if np.isnan(widest) else WIDEST * widest, 0.02 * max(abs(low), abs(high)), 1e-9)
    room = max(0.0, least - (high - low)) / 2
    start, end = low - room, high + room
    if low >= 0:
        start = max(0.0, start)
    if str(own["unit"].iloc[0]) == PART:
        end = min(1.0, end)
    return start, max(end, start + 1e-9)


def _mark(
    panel: Axes, own: pd.DataFrame, agent: str, look: Look, row: int, ends: tuple[float, float]
) -> float:
    """Draw the interval of an agent's figure; where on the scale its value is."""
    found = own[own["agent"].astype(str) == agent]
    if found.empty:
        return float("nan")
    value, low, high = (float(found[n].iloc[0]) for n in ("value", "low", "high"))
    start, width = ends[0], ends[1] - ends[0]
    if not np.isnan(low) and not np.isnan(high):
        bar = np.clip([(low - start) / width, (high - start) / width], -0.02, 1.02)
        panel.plot(bar, [row, row], color=look.colour, lw=4, alpha=0.4, solid_capstyle="butt")
    return (value - start) / width


def _written(value: float, unit: str) -> str:
    """A value at the end of a scale, as short as tells it."""
    if unit == PART:
        return f"{100 * value:.1f} %"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
