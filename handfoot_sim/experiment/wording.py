"""Figures with their intervals in the words of an answer."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

import pandas as pd

SURE: Final = 0.05
"""Corrected p-values below this count as a difference that is shown."""


def amount(row: Any, unit: str = "points", decimals: int = 0, *, signed: bool = False) -> str:
    """An estimate: ``1,234 ± 56 points``, or its bounds where these lie unevenly about it."""
    value, low, high = (float(row[name]) for name in ("value", "low", "high"))
    if math.isnan(value):
        return "unknown"
    sign = "+" if signed else ""
    said = f"{round(value, decimals) + 0.0:{sign},.{decimals}f}"  # + 0.0: no negative zero
    if math.isnan(low) or math.isnan(high):
        interval = ""
    elif abs((high - value) - (value - low)) < 1e-6 * max(1.0, abs(high - low)):
        interval = f" ± {(high - low) / 2:,.{decimals}f}"
    else:
        interval = f" ({low:,.{decimals}f} to {high:,.{decimals}f})"
    return f"{said}{interval} {unit}".rstrip()


def change(row: Any, unit: str = "", decimals: int = 0) -> str:
    """A difference, with its sign: ``+1,234 ± 56``."""
    return amount(row, unit, decimals, signed=True)


def share(row: Any, decimals: int = 1) -> str:
    """A proportion: ``53.2 % (52.8 to 53.6)``."""
    value, low, high = (100 * float(row[name]) for name in ("value", "low", "high"))
    if math.isnan(value):
        return "unknown"
    if math.isnan(low) or math.isnan(high):
        return f"{value:.{decimals}f} %"
    return f"{value:.{decimals}f} % ({low:.{decimals}f} to {high:.{decimals}f})"


def points_of_share(row: Any, decimals: int = 1) -> str:
    """A change of a proportion: ``+3.2 ± 0.4 percentage points``."""
    value, low, high = (100 * float(row[name]) for name in ("value", "low", "high"))
    changed = {"value": value, "low": low, "high": high}
    return change(changed, "percentage points", decimals)


def turn(row: Any) -> str:
    """A median turn: ``turn 34 (33 to 35)``; said so where the median is not reached."""
    value, low, high = (float(row[name]) for name in ("median", "median_low", "median_high"))
    if math.isnan(value):
        return "not in half of the deals"
    bounds = [("never" if math.isnan(each) else f"{each:.0f}") for each in (low, high)]
    return f"turn {value:.0f} ({bounds[0]} to {bounds[1]})"


def shown(row: Any) -> bool:
    """Whether a difference is shown: by the corrected p where there is one, else the interval."""
    if "holm" in row:
        return bool(row["holm"] < SURE)
    return bool(row["low"] > 0 or row["high"] < 0)


def listed(words: Iterable[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``; ``none`` of nothing."""
    names = list(words)
    if len(names) < 2:
        return names[0] if names else "none"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def counted(frame: pd.DataFrame, what: str = "match numbers") -> str:
    """``n = 2,000 match numbers``, or from the fewest to the most."""
    low, high = int(frame["n"].min()), int(frame["n"].max())
    return f"n = {low:,} {what}" if low == high else f"n = {low:,} to {high:,} {what}"


def row_of(frame: pd.DataFrame, **keys: Any) -> pd.Series:
    """The only row of a frame with such values; ``KeyError`` if there is not exactly one."""
    found = frame
    for name, value in keys.items():
        found = found[found[name].astype(str) == str(value)]
    if len(found) != 1:
        raise KeyError(f"{len(found)} rows with {keys}")
    return found.iloc[0]


def ranked(frame: pd.DataFrame, column: str = "value", *, ascending: bool = False) -> pd.DataFrame:
    """A frame by a column, the largest first, rows without a value last."""
    return frame.sort_values(column, ascending=ascending, kind="stable", ignore_index=True)


def each_change(rows: pd.DataFrame, name: str, unit: str, decimals: int = 0) -> str:
    """``balanced +1,234 ± 56 and closer -12 ± 3 points``: rows called by the column ``name``."""
    said = [f"{row[name]} {change(row, '', decimals)}" for _, row in rows.iterrows()]
    return f"{listed(said)} {unit}"


def margins_changed(rows: pd.DataFrame) -> str:
    """Whose margins over the field are shown to change, and by how much; says so if nobody's."""
    sure = ranked(sure_of(rows))
    if not len(sure):
        return "no margin over the field is shown to change"
    return f"margins over the field change for {each_change(sure, 'agent', 'points a match')}"


def sure_of(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows in which a difference is shown."""
    return rows[[shown(row) for _, row in rows.iterrows()]]
