"""How a search went: its parameters, its objective, and what lies around its answer.

The frames are those of ``handfoot_sim.tuning.tables``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import EngFormatter, MaxNLocator, NullFormatter

from handfoot_sim.errors import RunError
from handfoot_sim.plots.panels import NUMBER, counted, head, nothing, panels, require
from handfoot_sim.plots.style import COLOURS, MUTED, styled
from handfoot_sim.plots.sweeps import (
    ANSWER,
    FRAME,
    REFERENCE,
    SIGNED,
    VALUE,
    Scale,
    draw_curve,
    draw_heatmap,
    frame_key,
    mark_cell,
    scale_of,
    value_text,
)

DASHED: Final = (0, (4, 3))
WINDOW: Final = 0.1
"""Part of all generations that a running mean is over."""
NARROW: Final = 12
"""Panels up to which they are wide."""
MOST_STEPS: Final = 80
"""Generations that a narrow panel shows."""
_MATCHES: Final = EngFormatter(sep="")
START: Final = COLOURS[4]
"""Colour of the starting parameters where they have a curve of their own."""


@styled
def parameter_histories(parameters: pd.DataFrame, answer: pd.DataFrame) -> Figure:
    """Where each parameter stood while the search went on, with the distribution's spread.

    A panel a parameter, those that moved most first; its height are the bounds of the search.
    Frames: ``tables.parameters`` and ``tables.answer``. Raises ``RunError`` for empty or other
    frames, and where the method has no distribution.
    """
    require(parameters, ["parameter", "matches", "value", "low", "high"], "parameters", "tuning")
    require(answer, ["parameter", "start", "tuned", "low", "high", "moved"], "answer", "tuning")
    if parameters["generation"].nunique() < 2:
        raise RunError("there is nothing to draw: this method of search has no distribution")
    ordered = answer.iloc[np.argsort(-np.abs(answer["moved"].to_numpy(float)), kind="stable")]
    wide = len(ordered) <= NARROW
    figure, axes = panels(len(ordered), 3 if wide else 5, (3.4, 2.0) if wide else (2.3, 1.55))
    for panel, (_, about) in zip(axes, ordered.iterrows(), strict=True):
        own = parameters[parameters["parameter"] == about["parameter"]]
        _history(panel, own if wide else _thinned(own), about)
    key = [
        Line2D([], [], color=VALUE, label="centre"),
        Patch(color=VALUE, alpha=0.25, label="± standard deviation"),
        Line2D([], [], color=REFERENCE, lw=1, ls=DASHED, label="start"),
        Line2D([], [], ls="", marker="D", ms=5, color=ANSWER, label="answer"),
    ]
    head(
        figure, "Parameters while the search went on, those that moved most first",
        "the method's distribution in the parameter's own units, from bound to bound; after the "
        "name start and answer; x: matches of the search",
        key, wide=2.1,
    )  # fmt: skip
    return figure


def _thinned(own: pd.DataFrame) -> pd.DataFrame:
    """Some of a parameter's generations, evenly placed, the first and the last among them."""
    if len(own) <= MOST_STEPS:
        return own
    return own.iloc[np.unique(np.linspace(0, len(own) - 1, MOST_STEPS).round().astype(int))]


def _history(panel: Axes, own: pd.DataFrame, about: pd.Series) -> None:
    x = own["matches"].to_numpy(float)
    panel.fill_between(x, own["low"].to_numpy(float), own["high"].to_numpy(float), color=VALUE,
                       alpha=0.25, lw=0)  # fmt: skip
    panel.plot(x, own["value"].to_numpy(float), color=VALUE, lw=1.5)
    panel.axhline(float(about["start"]), color=REFERENCE, lw=1, ls=DASHED)
    panel.plot(x[-1:], [float(about["tuned"])], ls="", marker="D", ms=5, color=ANSWER,
               clip_on=False, zorder=5)  # fmt: skip
    low, high = float(about["low"]), float(about["high"])
    if about["log"]:
        panel.set_yscale("log")
        panel.yaxis.set_minor_formatter(NullFormatter())
        panel.set_ylim(low, high)
        panel.set_yticks([low, high])
    else:
        panel.set_ylim(low - 0.04 * (high - low), high + 0.04 * (high - low))
        panel.yaxis.set_major_locator(MaxNLocator(3, integer=about["type"] != "float"))
    panel.yaxis.set_major_formatter(NUMBER)
    if about["type"] == "bool":
        panel.set_yticks([0, 1], ["no", "yes"])
    panel.xaxis.set_major_locator(MaxNLocator(2))
    panel.xaxis.set_major_formatter(_MATCHES)
    start, tuned = (_value(float(about[name]), str(about["type"])) for name in ("start", "tuned"))
    panel.set_title(f"{about['parameter']}\n{start} → {tuned}", fontsize=9)
    panel.tick_params(labelsize=8)


def _value(value: float, kind: str) -> str:
    """A number as the value of a type of parameters."""
    return value_text(bool(value) if kind == "bool" else value)


@styled
def objective(
    history: pd.DataFrame, reevaluation: pd.DataFrame, *, accepted: bool | None = None
) -> Figure:
    """What the search saw, generation by generation, and what re-evaluation found.

    Above the margins against the pool, below the gain over the start on the same cards; at the
    right what start and answer come to on cards that no search has seen. Frames:
    ``tables.history``, ``tables.reevaluation``. Raises ``RunError`` for empty or other frames.
    """
    require(history, ["matches", "start", "mean", "best", "gain"], "history", "tuning")
    require(reevaluation, ["start", "answer", "gain", "pairs"], "reevaluation", "tuning")
    figure = Figure(figsize=(10.0, 6.4), layout="constrained")
    grid = figure.subplots(2, 2, sharey="row", width_ratios=(6, 1))
    counts = reevaluation.iloc[0]
    x = history["matches"].to_numpy(float)
    _seen(grid[0, 0], x, history["start"], START)
    _seen(grid[0, 0], x, history["mean"], VALUE)
    _seen(grid[1, 0], x, history["gain"], VALUE)
    best = history["best"].to_numpy(float)
    grid[0, 0].plot(x, best, color=MUTED, lw=0.8, alpha=0.8)
    grid[1, 0].plot(x, best - history["start"].to_numpy(float), color=MUTED, lw=0.8, alpha=0.8)
    _again(grid[0, 1], counts, [("start", START), ("answer", ANSWER)])
    _again(grid[1, 1], counts, [("gain", ANSWER)])
    grid[1, 0].axhline(0, color=MUTED, lw=1, ls=DASHED)
    grid[1, 1].axhline(0, color=MUTED, lw=1, ls=DASHED)
    for row, name in enumerate(("margin, points a match", "gain, points a match")):
        grid[row, 0].set_ylabel(name)
        _points(grid[row, 0])
        grid[row, 0].xaxis.set_major_formatter(_MATCHES)
        grid[row, 1].tick_params(length=0, labelleft=False)
    grid[1, 0].set_xlabel("matches of the search")
    _head_objective(figure, history, counts, accepted)
    return figure


def _head_objective(
    figure: Figure, history: pd.DataFrame, counts: pd.Series, accepted: bool | None
) -> None:
    key = [
        Line2D([], [], color=START, label="start"),
        *([Line2D([], [], color=VALUE, label="centre of the search")]
          if history["mean"].notna().any() else []),
        Line2D([], [], color=MUTED, lw=0.8, label="best candidate (luck)"),
        Line2D([], [], ls="-", marker="D", ms=6, color=ANSWER, label="answer, re-evaluated"),
    ]  # fmt: skip
    head(
        figure,
        _gain_said(counts, accepted),
        "dots: on each generation's own cards; lines: running means over "
        f"{_window(len(history))} generations; right: on unseen cards, n = {int(counts['pairs']):,}"
        " pairs, with 95 % intervals; the best candidate is chosen for its luck on few cards",
        key, wide=2.3,
    )  # fmt: skip


def _gain_said(counts: pd.Series, accepted: bool | None) -> str:
    """The re-evaluated gain, and what the test said."""
    word = {None: "", True: ", accepted", False: ", not shown"}[accepted]
    gain = float(counts["gain"])
    if np.isnan(gain):
        return f"No gain can be told: the agent failed{word}"
    half = (float(counts["gain_high"]) - float(counts["gain_low"])) / 2
    return f"Re-evaluated gain {SIGNED(gain)} ± {half:,.0f} points a match{word}"


def _window(generations: int) -> int:
    return max(1, min(generations, max(3, round(WINDOW * generations))))


def _seen(panel: Axes, x: np.ndarray, values: pd.Series, colour: str) -> None:
    """What each generation saw as faint dots, and the running mean over them."""
    found = values.to_numpy(float)
    panel.plot(x, found, ls="", marker="o", ms=2.5, color=colour, alpha=0.4)
    running = values.rolling(_window(len(values)), min_periods=1).mean().to_numpy(float)
    panel.plot(x, running, color=colour)


def _points(panel: Axes) -> None:
    """A y axis of points, which a flat line does not stretch beyond a point either way."""
    low, high = panel.get_ylim()
    if high - low < 2.0:
        panel.set_ylim((low + high) / 2 - 1.0, (low + high) / 2 + 1.0)
    panel.yaxis.set_major_formatter(SIGNED)


def _again(panel: Axes, counts: pd.Series, shown: Sequence[tuple[str, str]]) -> None:
    """Re-evaluated figures with their intervals, side by side."""
    for place, (name, colour) in enumerate(shown):
        low, value, high = (float(counts[f"{name}{end}"]) for end in ("_low", "", "_high"))
        panel.plot([place, place], [low, high], color=colour, lw=2.4)
        panel.plot([place], [value], marker="D", color=colour, ls="")
    panel.set_xticks(range(len(shown)), [name for name, _ in shown])
    panel.set_xlim(-0.6, len(shown) - 0.4)
    panel.grid(visible=False, axis="x")


@styled
def sensitivity(curves: pd.DataFrame) -> Figure:
    """What each parameter does at the answer, one at a time: curves with intervals.

    A panel a parameter, the one that matters most first (see ``tuning.curves.importance``); the
    panels of a row have one scale. Frame: ``tables.curves``. Raises ``RunError`` for an empty or
    another frame.
    """
    require(curves, ["parameter", "value", "gain", "answer", "start", "log"], "curves", "tuning")
    losses = -curves["gain_high"].where(~curves["answer"])
    weights = losses.groupby(curves["parameter"], sort=False).max().clip(lower=0.0).fillna(0.0)
    ordered = list(weights.sort_values(ascending=False, kind="stable").index)
    wide = len(ordered) <= NARROW
    figure, axes = panels(
        len(ordered), 3 if wide else 5, (3.4, 2.1) if wide else (2.3, 1.6), sharey="row"
    )
    for panel, name in zip(axes, ordered, strict=True):
        _sensitive(panel, curves[curves["parameter"] == name])
        panel.set_title(str(name), fontsize=9)
        panel.tick_params(labelsize=8)
        _points(panel)
        panel.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    played = curves.loc[~curves["answer"], "pairs"]
    head(
        figure, "What other values of one parameter would gain over the answer",
        "points a match, paired, with 95 % intervals over blocks of cards; the parameter that "
        f"matters most first, one scale a row; {counted(played, 'pairs a value')}",
        [
            Line2D([], [], ls="", marker="D", ms=6, color=ANSWER, label="answer"),
            Line2D([], [], color=REFERENCE, lw=1, ls=DASHED, label="start"),
            Line2D([], [], ls="-", marker="o", ms=4.5, color=VALUE, label="other values"),
        ],
        wide=2.0,
    )  # fmt: skip
    return figure


def _sensitive(panel: Axes, own: pd.DataFrame) -> None:
    boolean = bool((own["type"] == "bool").all())
    values = [bool(v) if boolean else float(v) for v in own["value"]]
    scale = scale_of(values)
    figures = own[["gain", "gain_low", "gain_high"]].to_numpy(float).T
    draw_curve(panel, scale, values, figures, log=bool(own["log"].all()))
    panel.axhline(0, color=MUTED, lw=0.8)
    places = scale.of(values)
    here = own["answer"].to_numpy(bool)
    panel.plot(places[here], [0.0], ls="", marker="D", ms=6, color=ANSWER, zorder=5)
    panel.axvline(float(own["start"].iloc[0]), color=REFERENCE, lw=1, ls=DASHED)
    failed = places[own["failure"].to_numpy(str) != ""]
    if len(failed):
        low = np.full(len(failed), 0.03)
        panel.plot(
            failed, low, ls="", marker="x", color=MUTED, transform=panel.get_xaxis_transform()
        )
    if len(own) == 1:
        nothing(panel, "no other value was played")


@styled
def parameter_pair(grid: pd.DataFrame, answer: pd.DataFrame) -> Figure:
    """The two parameters that matter most: a heatmap of the gain over the answer.

    Frames: ``tables.grid`` and ``tables.answer``. Raises ``RunError`` for an empty or another
    frame.
    """
    require(grid, ["gain", "gain_low", "gain_high", "answer", "pairs"], "grid", "tuning")
    across, up = (name for name in grid.columns if name.startswith("params."))
    columns, rows = grid[across].nunique(), grid[up].nunique()
    figure, (panel,) = panels(1, 1, (2.6 + 1.0 * columns, 1.2 + 0.75 * rows))
    scales = draw_heatmap(panel, grid, (across, up), "gain", centred=True)
    names = [name.removeprefix("params.") for name in (across, up)]
    known = answer.set_index("parameter")
    x, y = (_between(s, float(known["tuned"][name])) for s, name in zip(scales, names, strict=True))
    mark_cell(panel, x, y, FRAME)
    key: list[Artist] = [frame_key(FRAME, "answer")]
    x, y = (_between(s, float(known["start"][name])) for s, name in zip(scales, names, strict=True))
    style: dict[str, Any] = {
        "ls": "",
        "marker": "X",
        "ms": 11,
        "color": START,
        "markeredgecolor": FRAME,
    }
    inside = all(abs(place - round(place)) < 0.1 for place in (x, y))
    aside = 0.3 if inside else 0.0  # of the numbers in its cell
    panel.plot([x - aside], [y + aside], **style)
    key.append(Line2D([], [], label="values of the start", **style))
    head(
        figure, f"{names[0]} and {names[1]} matter most: gain over the answer",
        "points a match, paired, ± half of the 95 % interval over blocks of cards; all other "
        f"parameters as in the answer; {counted(grid['pairs'], 'pairs a cell')}",
        key, wide=2.2,
    )  # fmt: skip
    return figure


def _between(scale: Scale, value: float) -> float:
    """The place of a value among cells, between two where it has none of its own."""
    known = sorted((float(number), place) for number, place in scale.places.items())
    values, places = np.array(known).T
    return float(np.interp(value, values, places))
