"""``greedy`` written in plain NumPy: the same policy over arrays of views.

Idea: shows how a batch agent is written, and holds both kinds of agent and both drivers against
each other, since its matches are bit for bit those of ``greedy``.

Source: ``greedy``.

Known weakness: those of ``greedy``, and it decides slower than compiled code.
"""

from __future__ import annotations

import numpy as np

from handfoot_agents.greedy import Greedy
from handfoot_sim.agent import BatchAgent, batch_blocks


class GreedyNumpy(BatchAgent):
    """The policy of greedy as a batch agent."""

    declared = Greedy.declared

    def draw(self, views: np.ndarray, plays: np.ndarray) -> np.ndarray:
        """Take the pile where it brings enough cards."""
        wanted = views["take_size"] >= self.params["pile_min"]
        return wanted & batch_blocks.take(views, plays)

    def meld(self, views: np.ndarray, plays: np.ndarray) -> np.ndarray:
        """Lay all that can be laid."""
        wild_start, rush, weight = (
            int(self.params[name]) for name in ("wild_start", "rush", "book_weight")
        )
        return batch_blocks.lay_all(views, plays, wild_start, rush, weight)

    def discard(self, views: np.ndarray) -> np.ndarray:
        """Discard what costs least."""
        return batch_blocks.cheapest_discard(views, int(self.params["open_weight"]))
