"""Save every wild card for wild books: 1,500 points for seven cards that others spend singly.

Idea: no natural meld gets a wild card until ``target`` wild books are closed, but for the dirty
books that going out still needs, late in the deal (``last``). The opening uses natural cards only
until turn ``patience``. Of the two ways of rule 4.5 the one that lays wild cards is taken. A pile
topped by a wild card is always taken.

Source: the arithmetic of the score: a wild card in a wild book brings 214 points and more, in a
dirty book 300 at most, and that only if it is the last one missing.

Known weakness: natural melds of six wait for a seventh card that may never come.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent import FIRST_RANK, PILE, STOCK, WILD, Agent, Param, blocks, inline

ALL_RANKS = -1


@inline
def way_of_wilds(view: Any, params: Any) -> Any:
    """Whether wild cards could be laid by starting (1), by adding (2), or not at all (0)."""
    held = blocks.wilds_held(view)
    if held == 0 or not view.wild_melds:
        return 0
    if blocks.is_open(view, WILD):
        return 2
    return 1 if held >= params.start and view.wild[view.team] < params.target else 0


@inline
def fill(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Natural cards, wild ones on the wild meld; a way that leaves these out lays nothing."""
    way = way_of_wilds(view, params)
    if view.mode == 0 and ((way == 1 and not may_start) or (way == 2 and not may_add)):
        return 0, 0, 0, 0
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, 0)
    more, wild = blocks.lay_wild_book(
        view, play, budget - cards, may_start, may_add, params.start, params.target
    )
    cards += more
    done = view.wild[view.team] >= params.target or not view.wild_melds
    done = done or blocks.dirty_pays(view)
    missing = view.dirty[view.team] < view.dirty_to_go_out
    if more == 0 and (done or (missing and view.stock_left <= params.last)):
        least = ALL_RANKS if done else blocks.ranks_to_dirty(view, play, view.book_size - 2)
        more, closed = blocks.lay_wilds_on(
            view, play, budget - cards, may_start, may_add, least, 0, not done
        )
        cards += more
        dirty += closed
    return cards, clean, dirty, wild


class WildSaver(Agent):
    """Saves wild cards for wild books."""

    target = Param(2, 1, 6, "wild books aimed at before wild cards go elsewhere")
    start = Param(3, 3, 7, "wild cards held to start a wild meld")
    patience = Param(30, 0, 150, "turn until which it opens with natural cards only")
    last = Param(50, 0, 180, "cards in the stock at which missing dirty books get wild cards")
    pile_min = Param(2, 1, 20, "cards a taking must bring, unless a wild card is on top")
    open_weight = Param(30, 0, 100, "what keeps back a discard whose rank the own team has open")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take the pile, but don't open by it with wild cards on natural melds."""
        wild_top = view.top < FIRST_RANK
        if view.take_size < params.pile_min and not wild_top:
            return STOCK
        if not blocks.take(view, play):
            return STOCK
        pure = wild_top or blocks.wilds_in(play) == 0 or view.turn >= params.patience
        return PILE if pure else STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Open with natural cards at first; then lay wild cards on wild melds only."""
        if not view.opened[view.team]:
            if view.turn < params.patience:
                return blocks.natural_opening(view, play) > 0
            return blocks.opening(view, play, blocks.NO_TOP) > 0
        return blocks.lay_by(fill, view, params, play, 1.0, True)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what costs least."""
        return blocks.cheapest_discard(view, params.open_weight)
