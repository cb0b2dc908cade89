"""Empty the hand as fast as possible and help the partner to; the foot is where books are made.

Idea: a foot that is never picked up counts against its team, and nobody goes out without it. In
the hand wild cards go to any meld, pairs with a wild card start melds (all but ``spare`` wild
cards), the discard is the card that fits nowhere, and a pile of more than ``light`` cards is left
lying (none is by default: measured, fat piles feed melds and do not slow the hand). A player in
the foot with a partner still in the hand starts ranks rather than adding to them, so that the
partner's single cards find a meld.

Source: the first tip of a book on the game: reach the foot fast, and help the partner to it.

Known weakness: spends in the hand the wild cards that a wild book needs, and dirties melds that
would have become clean.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import BLACK_THREE, FIRST_RANK, PILE, STOCK, Agent, Param, blocks, inline

ALL_RANKS = -1


@inline
def partner_in_hand(view: Any) -> Any:
    """Whether a partner has not picked up the foot."""
    for seat in range(view.team, view.players, view.teams):
        if seat != view.seat and not view.in_foot[seat]:
            return True
    return False


@inline
def fill_hand(
    view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool
) -> Any:
    """Lay as many cards as possible, wild ones on anything."""
    spare = 0 if blocks.dirty_pays(view) else params.spare
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, 0)
    cards += blocks.lay_pairs(view, play, budget - cards, may_start, ALL_RANKS, spare)
    more, wild = blocks.lay_wild_book(view, play, budget - cards, may_start, may_add, 3, 9)
    cards += more
    if more and not blocks.dirty_pays(view):
        return cards, clean, dirty, wild
    more, closed = blocks.lay_wilds_on(
        view, play, budget - cards, may_start, may_add, ALL_RANKS, spare, False
    )
    return cards + more, clean, dirty + closed, wild


@inline
def fill_foot(
    view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool
) -> Any:
    """Lay all as ``greedy`` does."""
    return blocks.fill(view, play, budget, may_start, may_add, 3, 0)


@inline
def cost(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """In the hand, what fits nowhere goes first; wild cards last."""
    if kind == BLACK_THREE:
        return -100.0
    if kind < FIRST_RANK:
        return 1000.0 + view.value[kind]
    costs = params.pair_cost * (view.cards[kind] - 1) + 0.2 * view.value[kind]
    if blocks.is_open(view, kind):
        costs += params.open_cost
    return costs + 5.0 * blocks.chance_taken(view, kind, hidden) * blocks.pile_brings(view)


class FootRusher(Agent):
    """Empties the hand as fast as possible, and helps the partner to."""

    light = Param(7, 0, 20, "most cards of a pile that is taken while in the hand")
    pile_min = Param(2, 1, 20, "cards a taking must bring in the foot")
    spare = Param(0, 0, 7, "wild cards that a hand keeps for the wild book")
    help_weight = Param(1.0, 0.0, 10.0, "books that a rank opened for the partner counts for")
    pair_cost = Param(12.0, 0.0, 100.0, "cost of a discard for each further card of its rank")
    open_cost = Param(40.0, 0.0, 200.0, "cost of discarding a rank that the own team has open")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """In the hand take only light piles, and those that open."""
        if view.in_foot[view.seat]:
            wanted = view.take_size >= params.pile_min
        else:
            wanted = view.take_size <= params.light or not view.opened[view.team]
        return PILE if wanted and blocks.take(view, play) else STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Open at once; empty the hand; in the foot start ranks while the partner needs them."""
        if not view.opened[view.team]:
            return blocks.opening(view, play, blocks.NO_TOP) > 0
        if not view.in_foot[view.seat]:
            return blocks.lay_by(fill_hand, view, params, play, 0.0, True)
        if partner_in_hand(view) and view.mode == 0:
            budget = view.held[view.seat] - 2
            cards, _, _, _ = blocks.fill_way(fill_foot, view, params, play, budget, True, False)
            if cards and cards >= 3 * params.help_weight:
                return True
        return blocks.lay_by(fill_foot, view, params, play, 1.0, True)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what fits nowhere."""
        return blocks.discard_by(cost, view, params)
