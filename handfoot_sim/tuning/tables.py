"""What a search came to, as tables (pandas), which the plots and the report are drawn from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from handfoot_sim.tally import Estimate
from handfoot_sim.tuning.curves import CurvePoint
from handfoot_sim.tuning.space import Dimension
from handfoot_sim.tuning.tune import Tuned


def history(tuned: Tuned) -> pd.DataFrame:
    """A row a generation: what was seen on its cards, points a match.

    Columns ``generation``, ``matches`` (played until its end), ``start``, ``mean`` (the method's
    centre), ``best`` (the best candidate, which is mostly luck), ``gain`` (mean less start) and
    ``failed`` (candidates at which the agent failed). NaN where a method has no centre.
    """
    rows = [
        (each.number, each.matches, each.start, each.mean, each.best, each.mean - each.start,
         each.failed)
        for each in tuned.searched.generations
    ]  # fmt: skip
    columns = ["generation", "matches", "start", "mean", "best", "gain", "failed"]
    return pd.DataFrame(rows, columns=columns)


def parameters(tuned: Tuned) -> pd.DataFrame:
    """Where the distribution stood: a row a parameter and generation, in the parameter's units.

    Columns ``generation``, ``matches`` (played before it), ``parameter``, ``value`` (the centre; a
    whole number before it is rounded), ``low`` and ``high`` (centre less and plus the standard
    deviation, within the bounds). The last generation is one after those that were played, and
    holds the answer. Methods without a distribution have no other rows than that.
    """
    searched, space = tuned.searched, tuned.prepared.space
    played = [0, *(each.matches for each in searched.generations)]
    steps = [(each.centre, each.spread) for each in searched.generations]
    steps.append((space.point(searched.answer), searched.spread))
    rows = []
    for number, (centre, spread) in enumerate(steps):
        for each, place, width in zip(space.dimensions, centre, spread, strict=True):
            if np.isfinite(place):
                value, low, high = _levels(each, place, width)
                rows.append((number, played[number], each.name, value, low, high))
    columns = ["generation", "matches", "parameter", "value", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _levels(dimension: Dimension, place: float, spread: float) -> tuple[float, float, float]:
    """A place with its spread in a parameter's units; NaN without a spread."""
    level = dimension.level
    if not np.isfinite(spread):
        return level(place), float("nan"), float("nan")
    return level(place), level(place - spread), level(place + spread)


def answer(tuned: Tuned) -> pd.DataFrame:
    """A row a tuned parameter, with all values as numbers (a boolean as 0 or 1).

    Columns ``parameter``, ``type``, ``log`` (whether it is searched in ratios), ``low`` and
    ``high`` (bounds of the search), ``start``, ``tuned``, ``spread_low`` and ``spread_high`` (the
    last distribution, one standard deviation to either side), and ``moved`` (from start to answer,
    as a part of the way between the bounds, in ratios where it is searched so).
    """
    searched, space = tuned.searched, tuned.prepared.space
    rows = []
    for each, width in zip(space.dimensions, searched.spread, strict=True):
        _, low, high = _levels(each, each.place(searched.answer[each.name]), width)
        start, found = space.base[each.name], searched.answer[each.name]
        moved = each.place(found) - each.place(start)
        rows.append(
            (each.name, each.kind.__name__, each.log, each.low, each.high, float(start),
             float(found), low, high, moved)
        )  # fmt: skip
    columns = [
        "parameter", "type", "log", "low", "high", "start", "tuned", "spread_low", "spread_high",
        "moved",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def reevaluation(tuned: Tuned) -> pd.DataFrame:
    """A row an opponent and rules: margins of start and answer on cards that no search has seen.

    Columns ``rules``, ``group``, ``opponent``, ``pairs``, and ``start``, ``answer`` and ``gain`` in
    points a match, each with ``_low`` and ``_high`` of its 95 % interval. The first row is the
    figure that counts.
    """
    rows: list[dict[str, Any]] = [
        {"rules": each.rules, "group": each.group, "opponent": each.opponent, "pairs": each.pairs}
        | _columns("start", each.start)
        | _columns("answer", each.answer)
        | _columns("gain", each.gain)
        for each in tuned.gains
    ]
    return pd.DataFrame(rows)


def _columns(name: str, found: Estimate) -> dict[str, float]:
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def curves(tuned: Tuned) -> pd.DataFrame:
    """Values of one parameter at the answer: a row a value, by parameter, from low to high.

    Columns ``parameter``, ``type``, ``log``, ``value`` (a number, a boolean as 0 or 1), ``gain``
    over the answer in points a match with ``gain_low`` and ``gain_high``, ``pairs``, ``answer``
    (whether it is the answer itself, whose gain is 0 by definition), ``start`` (the parameter's
    value that the search started from) and ``failure``.
    """
    rows = []
    for each in tuned.prepared.space.dimensions:
        own = [point for point in tuned.curves if each.name in point.changed]
        here = tuned.answer[each.name]
        own.append(CurvePoint({each.name: here}, Estimate(0.0, 0.0, 0.0, 0), _pairs(own)))
        for point in sorted(own, key=lambda point: point.changed[each.name]):
            value = point.changed[each.name]
            rows.append(
                {"parameter": each.name, "type": each.kind.__name__, "log": each.log}
                | {"value": float(value)}
                | _columns("gain", point.gain)
                | {"pairs": point.pairs, "answer": value == here}
                | {"start": float(tuned.start[each.name]), "failure": point.failure}
            )
    return pd.DataFrame(rows)


def _pairs(points: list[CurvePoint]) -> int:
    return points[0].pairs if points else 0


def grid(tuned: Tuned) -> pd.DataFrame:
    """The two parameters that matter most, all values of one with all of the other.

    Columns ``params.NAME`` for each of the two, ``gain`` over the answer in points a match with
    ``gain_low`` and ``gain_high``, ``pairs``, ``answer`` (bool) and ``failure``. Empty where fewer
    than two parameters were tuned.
    """
    rows = []
    for point in tuned.grid:
        here = all(tuned.answer[name] == value for name, value in point.changed.items())
        rows.append(
            {f"params.{name}": value for name, value in point.changed.items()}
            | _columns("gain", point.gain)
            | {"pairs": point.pairs, "answer": here, "failure": point.failure}
        )
    return pd.DataFrame(rows)


def tables_of(tuned: Tuned) -> dict[str, pd.DataFrame]:
    """All tables of a search by name, without those that are empty."""
    made = (history, parameters, answer, reevaluation, curves, grid)
    found = {each.__name__: each(tuned) for each in made}
    return {name: frame for name, frame in found.items() if len(frame)}
