"""What plots are put together from: figures with panels, legends, rows of dots with intervals."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from handfoot_sim.errors import RunError
from handfoot_sim.plots.style import MUTED, Look, looks

ALL: Final = "all"
"""The deal that stands for all of them."""

PART: Final = "%"
"""The unit of proportions, which frames hold as numbers from 0 to 1."""

NUMBER: Final = FuncFormatter(lambda value, _: f"{value:,.10g}")


def percent() -> PercentFormatter:
    """Writes proportions as per cent, with as many digits as the axis needs."""
    return PercentFormatter(1.0, symbol=" %")


def require(frame: pd.DataFrame, columns: Sequence[str], name: str, package: str = "stats") -> None:
    """Refuse a frame that lacks columns or rows; ``name`` is what ``package`` calls the frame."""
    missing = [column for column in columns if column not in frame.columns]
    if missing:
        raise RunError(
            f"the frame has no column {missing[0]!r}; draw a frame of handfoot_sim.{package}.{name}"
        )
    if frame.empty:
        raise RunError(f"there is nothing to draw: the frame of {name} is empty")


def looks_of(frame: pd.DataFrame, agents: Iterable[str] | None) -> dict[str, Look]:
    """Looks of the agents of a run, by default those of a frame.

    Give all agents of the run where a frame holds only some, so that each keeps its colour.
    """
    own = [str(agent) for agent in frame["agent"].unique()]
    return looks([*own, *(agents or ())])


def of_deal(frame: pd.DataFrame, deal: str) -> pd.DataFrame:
    """The rows of one deal, or of all together (``"all"``)."""
    return frame[frame["deal"].astype(str) == str(deal)]


def deals_in(frame: pd.DataFrame) -> list[str]:
    """The deals of a frame in order, without the rows of all together."""
    found = {str(deal) for deal in frame["deal"].unique()} - {ALL}
    return sorted(found, key=lambda deal: (len(deal), deal))


def head(
    figure: Figure, text: str, note: str, key: Sequence[Artist] = (), *, wide: float = 3.0
) -> None:
    """Head a figure: what is seen, then units, counts and intervals in smaller type, then a key.

    The figure grows by what these take, so panels keep their size. ``wide`` are inches that an
    entry of the key takes.
    """
    width = figure.get_figwidth()
    said = textwrap.wrap(text, int(width * 10))
    small = textwrap.wrap(note, int(width * 13.2))
    columns = max(1, min(len(key), int((width - 0.2) / wide)))
    rows = -(-len(key) // columns)
    tall = 0.16 + 0.25 * len(said) + 0.18 * len(small) + 0.05 + 0.23 * rows + 0.1
    height = figure.get_figheight() + tall
    figure.set_figheight(height)
    engine = figure.get_layout_engine()
    if isinstance(engine, ConstrainedLayoutEngine):
        engine.set(rect=(0, 0, 1, 1 - tall / height))
    left, y = 0.1 / width, 1 - 0.1 / height
    figure.text(left, y, "\n".join(said), va="top", weight="bold", size=13)
    y -= (0.03 + 0.25 * len(said)) / height
    figure.text(left, y, "\n".join(small), va="top", size=10, color=MUTED, linespacing=1.25)
    y -= (0.05 + 0.18 * len(small)) / height
    if key:
        figure.legend(
            handles=list(key), loc="upper left", bbox_to_anchor=(0.0, y), ncols=columns,
            borderaxespad=0.3, handlelength=2.4,
        )  # fmt: skip


def counted(counts: pd.Series, what: str) -> str:
    """``n = 8,000 deals an agent``, or from the fewest to the most."""
    numbers = counts.dropna()
    if numbers.empty:
        return f"n = 0 {what}"
    low, high = int(numbers.min()), int(numbers.max())
    if low == high:
        return f"n = {low:,} {what}"
    return f"n = {low:,} to {high:,} {what}"


def key_of(shown: Mapping[str, Look]) -> tuple[list[Artist], float]:
    """The key to agents' lines, and the inches that an entry takes."""
    handles: list[Artist] = [
        Line2D([], [], color=look.colour, linestyle=look.line, label=look.name)
        for look in shown.values()
    ]
    widest = max((len(look.name) for look in shown.values()), default=0)
    return handles, 0.75 + 0.085 * widest


def panels(
    count: int, columns: int, size: tuple[float, float], **more: Any
) -> tuple[Figure, list[Axes]]:
    """A figure of ``count`` panels, ``columns`` in a row, each of a size in inches."""
    columns = min(columns, count)
    rows = -(-count // columns)
    figure = Figure(figsize=(columns * size[0], rows * size[1]), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False, **more)
    axes = list(grid.ravel())
    for unused in axes[count:]:
        unused.set_visible(False)
    for lowest in axes[max(0, count - columns) : count]:
        lowest.tick_params(labelbottom=True)
    return figure, axes[:count]


def row_height(count: int) -> float:
    """Inches that rows of agents take: less for each where there are many."""
    return count * (0.42 if count <= 8 else 0.31)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Call the rows of a panel, the first one on top."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)


def dots(
    axes: Axes,
    rows: pd.DataFrame,
    shown: Mapping[str, Look],
    *,
    columns: tuple[str, str, str] = ("value", "low", "high"),
    shift: float = 0.0,
    filled: bool = True,
) -> None:
    """A dot with its interval in each agent's row; rows of ``shown``, in its order.

    ``columns`` are those of the estimate and the ends of its interval; where there is none the dot
    stands alone, and where there is no estimate the row stays empty.
    """
    for place, (agent, look) in enumerate(shown.items()):
        for _, row in rows[rows["agent"].astype(str) == agent].iterrows():
            value, low, high = (float(row[name]) for name in columns)
            if np.isnan(value):
                continue
            y = place + shift
            if not np.isnan(low) and not np.isnan(high):
                axes.plot([low, high], [y, y], color=look.colour, lw=2.2, solid_capstyle="butt")
            face = look.colour if filled else "white"
            axes.plot(
                [value], [y], marker=look.marker, color=look.colour, markerfacecolor=face, ls=""
            )


def units(axes: Axes, unit: str, label: str = "") -> None:
    """Ticks and label of the x axis for a unit of the frames."""
    axes.xaxis.set_major_locator(MaxNLocator(4))
    axes.xaxis.set_major_formatter(percent() if unit == PART else NUMBER)
    axes.set_xlabel(label or ("share" if unit == PART else unit))


def nothing(axes: Axes, text: str) -> None:
    """Say in an empty panel why it is empty."""
    axes.text(
        0.5, 0.5, "\n".join(textwrap.wrap(text, 28)), transform=axes.transAxes, ha="center",
        va="center", color=MUTED,
    )  # fmt: skip
