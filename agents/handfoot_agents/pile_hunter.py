"""Take the pile at every chance, and arrange the table and the discards for the next chance.

Idea: a taking brings up to seven cards where the stock brings two. So the pile is taken whenever
it has ``k`` cards; the own open melds are left at four cards at most, unless they can be closed,
so that a taking's three still fit; pairs of ranks that the player before has discarded are kept,
for that player's next discard lies on top. The own discard is one that the next player can
hardly take; discards from a triple (``bait``) invite more of the rank.

Source: "discard from a triple so that the opponent feeds you the fourth", and the advice of
guides that the pile decides the deal.

Known weakness: leaves melds short of books until late, and does not ask what the pile holds.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import (
    BLACK_THREE,
    FIRST_RANK,
    N_KINDS,
    PILE,
    STOCK,
    Agent,
    Param,
    blocks,
    inline,
)


@inline
def before(view: Any) -> Any:
    """Seat of the player whose discard lies on top in the own turn."""
    return (view.seat + view.players - 1) % view.players


@inline
def hunted(view: Any, least: int) -> Any:
    """Bits of the ranks of which the player before has discarded ``least`` cards or more."""
    ranks = 0
    for rank in range(FIRST_RANK, N_KINDS):
        if view.discarded[before(view), rank] >= least:
            ranks |= 1 << rank
    return ranks


@inline
def fitting(view: Any, ranks: int) -> Any:
    """Those of ``ranks`` that, laid, close a book or leave room for the three of a taking."""
    kept = 0
    for rank in range(FIRST_RANK, N_KINDS):
        size = blocks.meld_size(view, rank) + view.cards[rank]
        if (ranks >> rank) & 1 and (size <= view.book_size - 3 or size >= view.book_size):
            kept |= 1 << rank
    return kept


@inline
def fill(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay what leaves the melds fit for a taking; all of it once the stock runs short."""
    if view.stock_left <= params.let_go:
        return blocks.fill(view, play, budget, may_start, may_add, 3, 3)
    keys = blocks.key_ranks(view, N_KINDS) & hunted(view, params.trail)
    ranks = fitting(view, blocks.ranks_to_lay(view, may_start, may_add))
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, keys)
    more, wild = blocks.lay_wild_book(view, play, budget - cards, may_start, may_add, 3, 1)
    cards += more
    if blocks.dirty_pays(view):
        more, closed = blocks.lay_wilds_on(
            view, play, budget - cards, may_start, may_add, -1, 0, False
        )
        cards += more
        dirty += closed
    return cards, clean, dirty, wild


@inline
def cost(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """What the next player would get by it, and the keys it would cost."""
    if kind == BLACK_THREE:
        return 0.0
    if kind < FIRST_RANK:
        return 1000.0 + view.value[kind]
    held = view.cards[kind]
    costs = params.danger * blocks.chance_taken(view, kind, hidden) * blocks.pile_brings(view)
    if held >= 3:
        costs -= params.bait
    elif held == 2:
        costs += params.key_cost
    return costs + 10 * held + (15.0 if blocks.is_open(view, kind) else 0.0)


class PileHunter(Agent):
    """Takes the pile at every chance and discards so that it comes back."""

    k = Param(4, 1, 20, "cards a taking must bring, the top card included")
    trail = Param(1, 0, 5, "discards of the player before that make a rank worth a pair")
    let_go = Param(104, 0, 180, "cards in the stock at which all is laid")
    bait = Param(5.0, 0.0, 100.0, "what makes a discard from a triple cheaper")
    key_cost = Param(5.0, 0.0, 200.0, "cost of breaking a pair by the discard")
    danger = Param(80.0, 0.0, 200.0, "cost for each card that the next player would take by it")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take whenever k cards are to be had."""
        return PILE if view.take_size >= params.k and blocks.take(view, play) else STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Open at once, then lay what leaves the melds fit for a taking."""
        if not view.opened[view.team]:
            return blocks.opening(view, play, blocks.NO_TOP) > 0
        return blocks.lay_by(fill, view, params, play, 1.0, True)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what the next player can't take."""
        return blocks.discard_by(cost, view, params)
