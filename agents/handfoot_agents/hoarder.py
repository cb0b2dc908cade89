"""Hold the opening back and keep every natural pair, to take fat piles with them.

Idea: each pair in the hand is a key to the pile. The opening is held back until it lays
``margin`` points more than the minimum, or until turn ``patience``; by then the melds start large.
Pairs that fit on the table are kept, and discards come from what is no pair, until the stock is
down to ``let_go`` or the hand can be played down to ``burst`` cards at once.

Source: the common advice to protect pairs, and the bots of one app that open 10 to 30 points
above the minimum.

Known weakness: slow; where rivals go out early it is caught with a full hand and its foot.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import BLACK_THREE, FIRST_RANK, PILE, STOCK, Agent, Param, blocks, inline

WILD_START = 3


@inline
def fill_all(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay all, as ``greedy`` does."""
    return blocks.fill(view, play, budget, may_start, may_add, WILD_START, params.burst)


@inline
def fill(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay what is no pair, and wild cards on the wild meld or where they close a book."""
    keys = blocks.key_ranks(view, params.keys)
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, keys)
    more, wild = blocks.lay_wild_book(
        view, play, budget - cards, may_start, may_add, WILD_START, max(1, view.wild_to_go_out)
    )
    cards += more
    if not blocks.wants_wild_meld(view):
        more, closed = blocks.lay_wilds_on(
            view, play, budget - cards, may_start, may_add, ~keys, 0, True
        )
        cards += more
        dirty += closed
    return cards, clean, dirty, wild


@inline
def cost(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """Pairs cost most, then what the team collects, then points."""
    if kind == BLACK_THREE:
        return -1.0
    if kind < FIRST_RANK:
        return 1000.0 + view.value[kind]
    held = view.cards[kind]
    costs = view.value[kind] + (params.pair_cost if held == 2 else 5 * held)
    return costs + (params.open_cost if blocks.is_open(view, kind) else 0)


class Hoarder(Agent):
    """Holds the opening back and keeps natural pairs, to take fat piles."""

    margin = Param(70, 0, 300, "points above the minimum for which the opening is held back")
    patience = Param(40, 0, 150, "turn from which it opens as soon as it can")
    pile_min = Param(4, 1, 20, "cards a taking must bring, the top card included")
    keys = Param(11, 0, 11, "ranks of which a pair is kept")
    let_go = Param(70, 0, 180, "cards in the stock at which pairs are laid too")
    burst = Param(5, 0, 13, "cards left over at which a hand is played down at once")
    pair_cost = Param(60.0, 0.0, 200.0, "cost of breaking a pair by the discard")
    open_cost = Param(20.0, 0.0, 200.0, "cost of discarding a rank that the own team has open")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take the pile if it brings enough cards."""
        return PILE if view.take_size >= params.pile_min and blocks.take(view, play) else STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Open late; keep pairs; play a hand down when that leaves little."""
        if not view.opened[view.team]:
            points = blocks.opening(view, play, blocks.NO_TOP)
            ripe = points >= view.minimum + params.margin or view.turn >= params.patience
            return points > 0 and ripe
        if view.stock_left <= params.let_go:
            return blocks.lay_by(fill_all, view, params, play, 1.0, True)
        if not view.in_foot[view.seat]:
            held = view.held[view.seat]
            cards, _, _, _ = blocks.best_way(fill_all, view, params, play, held, 1.0)
            if held - cards <= params.burst:
                return cards > 0
        return blocks.lay_by(fill, view, params, play, 1.0, True)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard anything but a pair."""
        return blocks.discard_by(cost, view, params)
