"""Building blocks for compiled agents: small decisions that most strategies share.

Every function reads a view and, where it makes a play, fills ``play`` (which it clears first).
``handfoot_sim.agent.batch_blocks`` has the same functions over arrays of views.
"""

from __future__ import annotations

from handfoot_sim.agent.blocks.deciding import cheapest_discard, lay_all, take
from handfoot_sim.agent.blocks.laying import (
    fill,
    fill_best,
    lay_dirty,
    lay_naturals,
    lay_wild_meld,
    ranks_to_lay,
    worth_of_ways,
)
from handfoot_sim.agent.blocks.openings import (
    open_with_naturals,
    open_with_wild_meld,
    open_with_wilds,
    opening,
)
from handfoot_sim.agent.blocks.reading import (
    NO_TOP,
    books_suffice,
    cards_in,
    is_open,
    keeps_two,
    lay_wilds,
    meld_size,
    meld_wilds,
    naturals_held,
    partners_ready,
    ranks_held,
    wants_wild_meld,
    wilds_held,
)

__all__ = [
    "NO_TOP",
    "books_suffice",
    "cards_in",
    "cheapest_discard",
    "fill",
    "fill_best",
    "is_open",
    "keeps_two",
    "lay_all",
    "lay_dirty",
    "lay_naturals",
    "lay_wild_meld",
    "lay_wilds",
    "meld_size",
    "meld_wilds",
    "naturals_held",
    "open_with_naturals",
    "open_with_wild_meld",
    "open_with_wilds",
    "opening",
    "partners_ready",
    "ranks_held",
    "ranks_to_lay",
    "take",
    "wants_wild_meld",
    "wilds_held",
    "worth_of_ways",
]
