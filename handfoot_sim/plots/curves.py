"""When something happens: step curves over the turns of a deal, with bands and numbers at risk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from handfoot_sim.errors import RunError
from handfoot_sim.plots.panels import (
    ALL,
    counted,
    deals_in,
    head,
    key_of,
    looks_of,
    nothing,
    of_deal,
    panels,
    percent,
    require,
)
from handfoot_sim.plots.style import MUTED, Look, styled

MEASURES: Final = {
    "incidence": ("incidence", "incidence_low", "incidence_high"),
    "share": ("share", "low", "high"),
}
"""Columns drawn: of all deals, happened by a turn (Aalen-Johansen), or Kaplan-Meier's share, which
says what it would be if deals did not end."""

SAID: Final = {
    "incidence": "share of all deals (Aalen-Johansen)",
    "share": "Kaplan-Meier, the end of a deal censors",
}
MOST_AT_RISK: Final = 4
"""Agents up to which each has its own line of numbers at risk."""
MOST_BANDS: Final = 8
"""Agents up to which bands are drawn; more of them would hide each other."""

Curves = Sequence[tuple[str, pd.DataFrame]]


@styled
def book_timing(
    curves: pd.DataFrame,
    *,
    deal: str = ALL,
    agents: Iterable[str] | None = None,
    measure: str = "incidence",
) -> Figure:
    """When books are closed: a panel a book, a curve an agent.

    ``curves``: the frame ``stats.book_curves``; ``measure``: "incidence" or "share" (see
    ``MEASURES``). Raises ``RunError`` for a frame that has no rows or other columns.
    """
    require(curves, ["agent", "deal", "event", "turn"], "book_curves")
    own = of_deal(curves, deal)
    books = [(_called(str(e)), rows) for e, rows in own.groupby("event", sort=False, observed=True)]
    where = "" if deal == ALL else f" in deal {deal}"
    return _figure(own, books, agents, measure, f"When books are closed{where}")


@styled
def foot(
    curves: pd.DataFrame,
    *,
    deal: str = ALL,
    agents: Iterable[str] | None = None,
    measure: str = "incidence",
) -> Figure:
    """When the partners of a team pick up the foot, from the frame ``stats.foot_curves``."""
    require(curves, ["agent", "deal", "event", "turn"], "foot_curves")
    own = of_deal(curves, deal)
    feet = [(str(event), rows) for event, rows in own.groupby("event", sort=False, observed=True)]
    return _figure(own, feet, agents, measure, "When feet are picked up")


@styled
def meld_minimums(
    curves: pd.DataFrame, *, agents: Iterable[str] | None = None, measure: str = "incidence"
) -> Figure:
    """When teams open: a panel a deal with its minimum, from the frame ``stats.opening_curves``."""
    require(curves, ["agent", "deal", "minimum", "turn"], "opening_curves")
    deals = []
    for deal in deals_in(curves):
        rows = of_deal(curves, deal)
        minimum = rows["minimum"].dropna()
        needed = f", minimum {int(minimum.iloc[0])}" if len(minimum) else ""
        deals.append((f"deal {deal}{needed}", rows))
    shown = curves[curves["deal"].astype(str) != ALL]
    return _figure(shown, deals, agents, measure, "When teams open, by the minimum of the deal")


def _called(book: str) -> str:
    return "all books needed" if book == "all needed" else f"{book} book"


def _figure(
    rows: pd.DataFrame, parts: Curves, agents: Iterable[str] | None, measure: str, text: str
) -> Figure:
    if measure not in MEASURES:
        raise RunError(f"measure = {measure!r} must be one of {', '.join(MEASURES)}")
    if not parts:
        raise RunError("there is nothing to draw: the frame has no rows of this deal")
    everybody = looks_of(rows, agents)
    shown = {agent: everybody[agent] for agent in sorted(rows["agent"].astype(str).unique())}
    columns = 3 if len(parts) in (3, 5, 6, 9) or len(parts) > 6 else 2
    own_lines = len(shown) <= MOST_AT_RISK
    tall = 2.9 + 0.19 * (len(shown) if own_lines else 1)
    figure, axes = panels(len(parts), columns, (10.2 / max(2, min(columns, len(parts))), tall))
    last = _last_turn(rows, measure)
    for number, (panel, (name, own)) in enumerate(zip(axes, parts, strict=True)):
        _curves(panel, own, shown, measure)
        panel.set_title(name)
        panel.set(xlim=(0, last), ylim=(0, 1.015))
        panel.xaxis.set_major_locator(MaxNLocator(4, integer=True))
        panel.yaxis.set_major_formatter(percent())
        _at_risk(panel, own, shown if own_lines else {}, number % columns == 0)
    key, wide = key_of(shown)
    few = len(shown) <= MOST_BANDS
    bands = " with 95 % bands" if few else "; bands are left out for so many agents"
    of = "" if own_lines else ", of all agents together"
    head(
        figure,
        text,
        f"{SAID[measure]}{bands}; {counted(rows['n'], 'deals an agent')}; x: turn of the deal, all "
        f"seats together, from 0; below it the deals in which it could still happen{of}",
        key,
        wide=wide,
    )
    return figure


def _last_turn(rows: pd.DataFrame, measure: str) -> float:
    """The turn up to which curves are worth showing: where the last has all but ended."""
    column = MEASURES[measure][0]
    ends = [1.0]
    for _, own in rows.groupby(["agent", "deal", "event"], observed=True, sort=False):
        share, turn = own[column].to_numpy(float), own["turn"].to_numpy(float)
        top = np.nanmax(share, initial=0.0)
        if top > 0:
            ends.append(turn[np.argmax(share >= 0.98 * top)])
    return float(max(ends)) * 1.04


def _curves(panel: Axes, rows: pd.DataFrame, shown: Mapping[str, Look], measure: str) -> None:
    value, low, high = MEASURES[measure]
    never = True
    for agent, look in shown.items():
        own = rows[rows["agent"].astype(str) == agent].sort_values("turn")
        if own.empty:
            continue
        turn = own["turn"].to_numpy(float)
        share = own[value].to_numpy(float)
        never &= not np.nanmax(share, initial=0.0) > 0
        panel.step(turn, share, where="post", color=look.colour, linestyle=look.line)
        if len(shown) <= MOST_BANDS:
            ends = own[low].to_numpy(float), own[high].to_numpy(float)
            panel.fill_between(turn, *ends, step="post", color=look.colour, alpha=0.22, lw=0)
    if never:
        nothing(panel, "it never happened")


def _at_risk(panel: Axes, rows: pd.DataFrame, shown: Mapping[str, Look], named: bool) -> None:
    """Lines of numbers below the x axis: deals in which it could still happen at a tick's turn.

    With no ``shown`` there is one line for all agents together.
    """
    ticks = [tick for tick in panel.get_xticks() if 0 <= tick <= panel.get_xlim()[1]]
    lines = [(look.colour, rows[rows["agent"].astype(str) == a]) for a, look in shown.items()]
    below = "\n" * max(1, len(lines))
    panel.set_xticks(ticks, [f"{tick:.0f}{below}" for tick in ticks])
    for line, (colour, own) in enumerate(lines or [(MUTED, rows)]):
        for tick in ticks:
            panel.annotate(
                f"{_waiting(own, tick):,}", (tick, 0), xycoords=panel.get_xaxis_transform(),
                xytext=(0, -24 - 12.5 * line), textcoords="offset points", ha="center", va="center",
                fontsize=8.5, color=colour, annotation_clip=False,
            )  # fmt: skip
    if named:
        panel.set_ylabel("happened by then")


def _waiting(rows: pd.DataFrame, turn: float) -> int:
    """How many deals have neither ended nor had the event before ``turn``."""
    total = 0
    for _, own in rows.groupby("agent", observed=True, sort=False):
        later = own[own["turn"] >= turn]
        total += int(later["at_risk"].iloc[0]) if len(later) else 0
    return total
