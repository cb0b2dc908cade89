"""Statistics of matches: tidy frames from the table ``deals``.

``totals(run)`` adds a run up in one pass; every other function makes a frame from that (or from
whatever ``totals`` takes). docs/statistics.md says what each frame tells and how its intervals
are made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pandas as pd

from handfoot_sim.stats.margins import (
    head_to_head,
    margin_histogram,
    margins,
    running_margin,
    standings,
)
from handfoot_sim.stats.outcomes import go_out_rates, meld_minimums, seats
from handfoot_sim.stats.play import fingerprint, piles, scores
from handfoot_sim.stats.timing import (
    book_curves,
    book_logrank,
    book_timing,
    foot,
    foot_curves,
    go_out_curves,
    opening_curves,
)
from handfoot_sim.stats.totals import Totals, totals

FRAMES: Final[dict[str, Callable[[Any], pd.DataFrame]]] = {
    "standings": standings,
    "head_to_head": head_to_head,
    "margins": margins,
    "margin_histogram": margin_histogram,
    "running_margin": running_margin,
    "scores": scores,
    "book_timing": book_timing,
    "book_curves": book_curves,
    "book_logrank": book_logrank,
    "meld_minimums": meld_minimums,
    "opening_curves": opening_curves,
    "go_out_rates": go_out_rates,
    "go_out_curves": go_out_curves,
    "foot": foot,
    "foot_curves": foot_curves,
    "piles": piles,
    "seats": seats,
    "fingerprint": fingerprint,
}
"""Every frame by name, in the order of a report."""

__all__ = ["FRAMES", "Totals", "totals", *FRAMES]
