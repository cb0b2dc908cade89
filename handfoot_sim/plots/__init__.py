"""Plots of the frames of ``handfoot_sim.stats``: a frame in, a matplotlib ``Figure`` out.

Examples
--------
>>> from handfoot_sim import plots, stats  # doctest: +SKIP
>>> plots.save(plots.piles(stats.piles("results/run")), Path("piles.svg"))  # doctest: +SKIP
"""

from __future__ import annotations

from handfoot_sim.plots.curves import book_timing, foot, meld_minimums
from handfoot_sim.plots.leagues import league_history
from handfoot_sim.plots.margins import Sprt, margins, running_margin
from handfoot_sim.plots.play import fingerprint, piles, seats
from handfoot_sim.plots.stacks import go_out_rates, scores
from handfoot_sim.plots.standings import head_to_head, ratings, standings
from handfoot_sim.plots.style import Look, looks, save

__all__ = [
    "Look",
    "Sprt",
    "book_timing",
    "fingerprint",
    "foot",
    "go_out_rates",
    "head_to_head",
    "league_history",
    "looks",
    "margins",
    "meld_minimums",
    "piles",
    "ratings",
    "running_margin",
    "save",
    "scores",
    "seats",
    "standings",
]
