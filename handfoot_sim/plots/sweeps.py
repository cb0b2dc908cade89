"""What other values of one parameter do, or of two: curves with intervals, and heatmaps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

from handfoot_sim.errors import RunError
from handfoot_sim.plots.panels import NUMBER, counted, head, panels, require
from handfoot_sim.plots.standings import FULL
from handfoot_sim.plots.style import COLOURS, INK, MUTED, styled

VALUE, REFERENCE, ANSWER = COLOURS[0], MUTED, COLOURS[1]
"""Colours of curves, of where a search started or what is compared with, and of its answer."""

SIGNED: Final = FuncFormatter(lambda value, _: f"{value:+,.0f}" if abs(value) >= 0.5 else "0")
FRAME: Final = "#111111"
"""Frames around cells; on a dark page, where the cells stay as they are, they stay too."""
_EDGE: Final = [withStroke(linewidth=4.2, foreground="#ffffff")]
MOST_WRITTEN: Final = 150
"""Cells of a heatmap that are told in numbers too."""


@dataclass(frozen=True)
class Scale:
    """An axis of values: numbers at their places, words and booleans side by side.

    ``names`` are the labels of values that stand side by side; empty for numbers.
    """

    places: dict[Any, float]
    names: tuple[str, ...]

    def of(self, values: Sequence[Any]) -> np.ndarray:
        """Places of values, float64, shape (values,)."""
        return np.array([self.places[value] for value in values])


def scale_of(values: Sequence[Any], *, side_by_side: bool = False) -> Scale:
    """The scale on which values stand; ``side_by_side`` for the cells of a heatmap."""
    plain = [value.item() if hasattr(value, "item") else value for value in values]
    distinct = list(dict.fromkeys(plain))
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in distinct)
    if numbers:
        distinct.sort()
        if not side_by_side:
            return Scale({value: float(value) for value in distinct}, ())
    places = {value: float(number) for number, value in enumerate(distinct)}
    return Scale(places, tuple(value_text(value) for value in distinct))


def value_text(value: Any) -> str:
    """A value in few signs."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def draw_curve(
    panel: Axes,
    scale: Scale,
    values: Sequence[Any],
    figures: np.ndarray,
    *,
    log: bool = False,
) -> None:
    """A curve with intervals: ``figures`` are estimate, low and high, shape (3, values).

    Words stand apart, without a line between them. Points without an estimate are left out.
    ``log``: values stand in ratios.
    """
    colour = VALUE
    x = scale.of(values)
    order = np.argsort(x, kind="stable")
    x, (estimate, low, high) = x[order], figures[:, order]
    known = np.isfinite(estimate)
    if not scale.names:
        panel.plot(x[known], estimate[known], color=colour, lw=1.2, alpha=0.7)
    panel.vlines(x[known], low[known], high[known], color=colour, lw=2)
    panel.plot(x[known], estimate[known], ls="", marker="o", ms=4.5, color=colour)
    if scale.names:
        panel.set_xticks(range(len(scale.names)), scale.names)
        panel.set_xlim(-0.5, len(scale.names) - 0.5)
        panel.grid(visible=False, axis="x")
    elif log:
        panel.set_xscale("log")
        panel.xaxis.set_major_formatter(NUMBER)
        panel.xaxis.set_minor_formatter(NullFormatter())
    else:
        whole = all(float(place).is_integer() for place in x)
        panel.xaxis.set_major_locator(MaxNLocator(4 if len(x) > 2 else 2, integer=whole))
        panel.xaxis.set_major_formatter(NUMBER)


def draw_heatmap(
    panel: Axes, frame: pd.DataFrame, columns: tuple[str, str], figure: str, *, centred: bool
) -> tuple[Scale, Scale]:
    """A heatmap of a figure by two columns of a frame, the first one across; its scales.

    Each cell says the figure and half of its interval's width. ``centred``: colours turn at 0.
    """
    across, up = (scale_of(frame[name].tolist(), side_by_side=True) for name in columns)
    shape = len(up.names), len(across.names)
    values, halves = np.full(shape, np.nan), np.full(shape, np.nan)
    row, column = (
        s.of(_own(frame[n])).astype(int) for s, n in ((up, columns[1]), (across, columns[0]))
    )
    values[row, column] = frame[figure].to_numpy(float)
    halves[row, column] = (frame[f"{figure}_high"] - frame[f"{figure}_low"]).to_numpy(float) / 2
    known = values[np.isfinite(values)]
    if centred:
        reach = max(1e-9, float(np.quantile(np.abs(known), FULL))) if len(known) else 1.0
        low, high, colours = -reach, reach, "RdBu"
    else:
        low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)
        colours = "cividis"
    image = panel.imshow(values, cmap=colours, vmin=low, vmax=high, aspect="auto", origin="lower")
    panel.set_xticks(range(shape[1]), across.names)
    panel.set_yticks(range(shape[0]), up.names)
    panel.grid(visible=False)
    panel.spines[:].set_visible(False)
    panel.tick_params(length=0)
    panel.set(xlabel=columns[0].partition(".")[2] or columns[0])
    panel.set(ylabel=columns[1].partition(".")[2] or columns[1])
    if values.size <= MOST_WRITTEN:
        _write_cells(panel, values, halves, image, centred)
    bar = panel.figure.colorbar(image, ax=panel, shrink=0.9, pad=0.02)
    bar.outline.set_visible(False)
    bar.ax.yaxis.set_major_formatter(SIGNED)
    return across, up


def _own(column: pd.Series) -> list[Any]:
    return [value.item() if hasattr(value, "item") else value for value in column]


def _write_cells(
    panel: Axes, values: np.ndarray, halves: np.ndarray, image: Any, centred: bool
) -> None:
    size = float(np.clip(11.0 - 0.35 * max(values.shape), 6.0, 9.5))
    for (row, column), value in np.ndenumerate(values):
        if np.isnan(value):
            panel.text(column, row, "failed", ha="center", va="center", fontsize=size, color=INK)
            continue
        red, green, blue, _ = image.cmap(image.norm(value))
        bright = 0.299 * red + 0.587 * green + 0.114 * blue > 0.55
        half = halves[row, column]
        below = f"\n± {half:,.0f}" if half > 0 else ""  # none for what is compared with itself
        panel.text(
            column, row, f"{SIGNED(value)}{below}", ha="center", va="center", fontsize=size,
            color="#111111" if bright else "#ffffff", linespacing=1.1,
        )  # fmt: skip


def mark_cell(panel: Axes, column: float, row: float, colour: str, line: Any = "-") -> None:
    """A frame around a cell of a heatmap."""
    x, y = column + 0.46 * np.array([-1, 1, 1, -1, -1]), row + 0.46 * np.array([-1, -1, 1, 1, -1])
    panel.plot(x, y, color=colour, lw=2.4, ls=line, solid_joinstyle="miter", path_effects=_EDGE)


def frame_key(colour: str, label: str, line: Any = "-") -> Artist:
    """An entry of a key for a frame around a cell."""
    return Line2D([], [], color=colour, lw=2.4, linestyle=line, label=label, path_effects=_EDGE)


@styled
def sweep(frame: pd.DataFrame, *, agent: str = "", against: str = "", log: bool = False) -> Figure:
    """A sweep: a curve with intervals, or a heatmap where two are swept.

    ``frame``: that of a ``tuning.Swept``; ``agent`` and ``against`` are named in the title; with
    ``log`` the values of a curve stand in ratios.
    A curve shows the margin against the pool; points that may be the best are filled. A heatmap
    shows the gain over the reference, or the margin where both axes are rules. Raises ``RunError``
    for an empty or another frame.
    """
    require(frame, ["reference", "margin", "gain", "maybe_best", "pairs"], "sweep", "tuning")
    axes = [name for name in frame.columns if name.startswith(("params.", "rules."))]
    if len(axes) not in (1, 2):
        raise RunError("the frame has no column of one or two swept parameters; give a sweep's")
    who = f" of {agent}" if agent else ""
    met = f" against {against}" if against else ""
    if len(axes) == 1:
        return _sweep_curve(frame, axes[0], who + met, log)
    return _sweep_heatmap(frame, (axes[0], axes[1]), who, met)


def _sweep_curve(frame: pd.DataFrame, axis: str, who: str, log: bool) -> Figure:
    figure, (panel,) = panels(1, 1, (8.0, 3.9))
    values = _own(frame[axis])
    scale = scale_of(values)
    figures = frame[["margin", "margin_low", "margin_high"]].to_numpy(float).T
    draw_curve(panel, scale, values, figures, log=log)
    x = scale.of(values)
    others = ~frame["maybe_best"].to_numpy(bool)
    panel.plot(
        x[others], figures[0][others], ls="", marker="o", ms=4.5, color=VALUE,
        markerfacecolor="white",
    )  # fmt: skip
    key: list[Artist] = [
        Line2D([], [], ls="", marker="o", color=VALUE, label="may be the best"),
        Line2D(
            [], [], ls="", marker="o", color=VALUE, markerfacecolor="white", label="shown not to be"
        ),
    ]
    own = frame[frame["reference"]]
    if len(own):
        panel.axvline(float(scale.of(_own(own[axis]))[0]), color=REFERENCE, lw=1, ls=(0, (4, 3)))
        key.append(Line2D([], [], color=REFERENCE, lw=1, ls=(0, (4, 3)), label="as it is"))
    failed = frame[frame["failure"] != ""]
    for place in scale.of(_own(failed[axis])):
        panel.annotate(
            "failed", (place, 0.02), xycoords=panel.get_xaxis_transform(), rotation=90, ha="center",
            va="bottom", color=MUTED,
        )  # fmt: skip
    panel.yaxis.set_major_formatter(SIGNED)
    panel.set(xlabel=axis.partition(".")[2], ylabel="margin, points a match")
    head(
        figure, f"Margin{who} by {axis.partition('.')[2]}",
        "points a match over pairs of duplicate matches, with 95 % intervals over blocks of cards; "
        "all values play the same cards, so they differ by less than the intervals say; "
        f"{counted(frame['pairs'], 'pairs a value')}",
        key, wide=2.2,
    )  # fmt: skip
    return figure


def _sweep_heatmap(frame: pd.DataFrame, axes: tuple[str, str], who: str, met: str) -> Figure:
    gained = any(name.startswith("params.") for name in axes)
    shown = frame[frame["asked"]]
    across, up = (len(set(_own(shown[name]))) for name in axes)
    size = min(1.0, 11.0 / across), min(0.75, 8.0 / up)
    figure, (panel,) = panels(1, 1, (2.4 + size[0] * across, 1.1 + size[1] * up))
    scales = draw_heatmap(panel, shown, axes, "gain" if gained else "margin", centred=gained)
    key: list[Artist] = []
    for _, row in shown[shown["reference"]].iterrows():
        x, y = (s.of(_own(row[[name]]))[0] for s, name in zip(scales, axes, strict=True))
        mark_cell(panel, x, y, FRAME)
        key = [frame_key(FRAME, "as it is")]
    names = " and ".join(name.partition(".")[2] for name in axes)
    what = "Gain over its own values" if gained else "Margin"
    note = (
        f"paired gain over the agent as it is ({_as_it_is(frame, axes)})"
        if gained
        else ("mean paired margin")
    )
    head(
        figure, f"{what}{who}{met} by {names}",
        f"points a match: {note}, ± half of the 95 % interval over blocks of cards; "
        f"{counted(shown['pairs'], 'pairs a cell')}",
        key,
    )  # fmt: skip
    return figure


def _as_it_is(frame: pd.DataFrame, axes: tuple[str, str]) -> str:
    """The reference of a sweep in words: the values that are the same in all of its rows."""
    own = frame[frame["reference"]]
    values = [
        f"{name.partition('.')[2]} = {value_text(_own(own[name])[0])}"
        for name in axes
        if name.startswith("params.")
    ]
    return ", ".join(values) + (", under the same rules" if len(values) < len(axes) else "")
