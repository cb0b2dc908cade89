"""Building blocks for compiled agents: small decisions that most strategies share.

Every function reads a view; ``lay_all``, ``take`` and ``opening`` decide whole plays. To build a
play otherwise, write how it is filled (``planning``) from ``ranks_to_lay``, ``lay_ranks``,
``lay_wild_book`` and the like. ``handfoot_sim.agent.batch_blocks`` has the older of them over
arrays of views.
"""

from __future__ import annotations

from handfoot_sim.agent.blocks.counting import (
    can_lay_three,
    cards_of_rivals,
    cards_of_team,
    chance_of,
    chance_taken,
    copies,
    dirty_pays,
    hidden_places,
    points_held,
    team_suffices,
    unknown_cards,
    unseen,
)
from handfoot_sim.agent.blocks.deciding import cheapest_discard, lay_all, take
from handfoot_sim.agent.blocks.keeping import key_ranks, pile_brings, rivals_near_out
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
    natural_opening,
    open_with_naturals,
    open_with_wild_meld,
    open_with_wilds,
    opening,
)
from handfoot_sim.agent.blocks.planning import best_way, discard_by, fill_way, lay_by
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
    wilds_in,
)
from handfoot_sim.agent.blocks.spending import (
    lay_pairs,
    lay_ranks,
    lay_wild_book,
    lay_wilds_on,
    ranks_to_dirty,
    wilds_left,
)

__all__ = [
    "NO_TOP",
    "best_way",
    "books_suffice",
    "can_lay_three",
    "cards_in",
    "cards_of_rivals",
    "cards_of_team",
    "chance_of",
    "chance_taken",
    "cheapest_discard",
    "copies",
    "dirty_pays",
    "discard_by",
    "fill",
    "fill_best",
    "fill_way",
    "hidden_places",
    "is_open",
    "keeps_two",
    "key_ranks",
    "lay_all",
    "lay_by",
    "lay_dirty",
    "lay_naturals",
    "lay_pairs",
    "lay_ranks",
    "lay_wild_book",
    "lay_wild_meld",
    "lay_wilds",
    "lay_wilds_on",
    "meld_size",
    "meld_wilds",
    "natural_opening",
    "naturals_held",
    "open_with_naturals",
    "open_with_wild_meld",
    "open_with_wilds",
    "opening",
    "partners_ready",
    "pile_brings",
    "points_held",
    "ranks_held",
    "ranks_to_dirty",
    "ranks_to_lay",
    "rivals_near_out",
    "take",
    "team_suffices",
    "unknown_cards",
    "unseen",
    "wants_wild_meld",
    "wilds_held",
    "wilds_in",
    "wilds_left",
    "worth_of_ways",
]
