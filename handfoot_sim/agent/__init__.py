"""All that an agent's file imports.

The interface (``Agent``, ``BatchAgent``, ``Param``), what decisions answer (``STOCK``, ``PILE``),
names of kinds and melds, the values of a view's ``mode``, building blocks (``blocks`` over one
view, ``batch_blocks`` over arrays of views), and for compiled agents ``below`` (random choices),
``clear_play`` and ``inline`` (for functions of one's own). ``docs/writing-an-agent.md`` shows how.
"""

from __future__ import annotations

from handfoot_sim.agent import batch_blocks, blocks
from handfoot_sim.agent.interface import PILE, STOCK, Agent, BatchAgent, Param
from handfoot_sim.game.cards import (
    BLACK_THREE,
    FIRST_RANK,
    JOKER,
    LAST_RANK,
    N_KINDS,
    RED_THREE,
    TWO,
    WILD,
)
from handfoot_sim.game.moves import clear_play
from handfoot_sim.game.randomness import below
from handfoot_sim.game.state import ADDING, NOTHING, STARTING
from handfoot_sim.jit import inline

__all__ = [
    "ADDING",
    "BLACK_THREE",
    "FIRST_RANK",
    "JOKER",
    "LAST_RANK",
    "NOTHING",
    "N_KINDS",
    "PILE",
    "RED_THREE",
    "STARTING",
    "STOCK",
    "TWO",
    "WILD",
    "Agent",
    "BatchAgent",
    "Param",
    "batch_blocks",
    "below",
    "blocks",
    "clear_play",
    "inline",
]
