"""The building blocks of ``blocks`` over arrays of views, in plain NumPy, for batch agents.

A ``Batch`` holds what the blocks read of n views. Plays are built in a ``Laying``, arrays of
shape (n, 16), and written out at the end. Each function does for every row exactly what its
scalar namesake does for one view; rows are chosen by index arrays, so that the rarer branches
cost little.
"""

from __future__ import annotations

from handfoot_sim.agent.batch_blocks.batch import Batch, Books, Laying
from handfoot_sim.agent.batch_blocks.deciding import cheapest_discard, lay_all, take
from handfoot_sim.agent.batch_blocks.laying import fill, fill_best
from handfoot_sim.agent.batch_blocks.openings import opening

__all__ = [
    "Batch",
    "Books",
    "Laying",
    "cheapest_discard",
    "fill",
    "fill_best",
    "lay_all",
    "opening",
    "take",
]
