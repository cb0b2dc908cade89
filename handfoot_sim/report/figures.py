"""Figures of the statistics as a reader sees them: with units, intervals and what is counted."""

from __future__ import annotations

import math
from typing import Final

PART: Final = "%"
"""Unit of proportions, which frames hold as numbers from 0 to 1."""
NONE: Final = "-"
"""What stands where nothing is counted."""


def number(value: float) -> str:
    """A number with as many digits as tell it: ``1,234``, ``12.3``, ``1.23``."""
    if math.isnan(value):
        return NONE
    if math.isinf(value):
        return "∞"
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2
    shown = f"{value:,.{digits}f}"
    return shown if float(shown.replace(",", "")) else shown.lstrip("-")


def signed(value: float) -> str:
    """A number with its sign, plus included."""
    shown = number(value)
    return f"+{shown}" if value > 0 and shown != number(0.0) else shown


def estimate(value: float, low: float, high: float, unit: str, *, sign: bool = False) -> str:
    """A figure with its 95 % interval.

    Proportions as ``53.2 % [52.8, 53.6]``, turns as ``34 [33, 36]``, means as ``1,234 ± 56``.
    """
    if math.isnan(value):
        return NONE
    unknown = math.isnan(low) or math.isnan(high)
    if unit == PART:
        digits = 1 if 0.01 <= value <= 0.99 else 2
        text = f"{100 * value:.{digits}f} %"
        return text if unknown else f"{text} [{100 * low:.{digits}f}, {100 * high:.{digits}f}]"
    if unit == "turn":
        ends = (NONE if math.isnan(end) else f"{end:.0f}" for end in (low, high))
        return f"{value:.0f} [{', '.join(ends)}]"
    text = signed(value) if sign else number(value)
    if unknown:
        return text
    half = (high - low) / 2
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    return f"{text} ± {half:,.{digits}f}" if half < 100 else f"{text} ± {half:,.0f}"


def chance(p: float) -> str:
    """A p-value."""
    if math.isnan(p):
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def count(value: float) -> str:
    """A count."""
    return NONE if math.isnan(value) else f"{int(value):,}"
