"""What an agent's file imports: the interface, names of kinds and melds, building blocks."""

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
from handfoot_sim.jit import inline

__all__ = [
    "BLACK_THREE",
    "FIRST_RANK",
    "JOKER",
    "LAST_RANK",
    "N_KINDS",
    "PILE",
    "RED_THREE",
    "STOCK",
    "TWO",
    "WILD",
    "Agent",
    "BatchAgent",
    "Param",
    "batch_blocks",
    "blocks",
    "inline",
]
