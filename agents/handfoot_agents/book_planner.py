"""Count which books are missing and make those, one rank at a time.

Idea: going out needs two clean, two dirty and one wild book, so a fifth clean one helps less than
the first dirty one. While books are missing no more than ``max_open`` natural melds are open, the
ones with most cards seen or held first, so that cards gather on few ranks. Wild cards
go to the wild meld; what finds no place there, while dirty books are missing and the clean ones
are assured (closed, or open with ``assured`` cards or more), makes the open meld dirty that is
least likely to become a clean book.

Source: "dirty one on purpose" and "about four open melds at a time", advice of experienced
players.

Known weakness: keeps cards in the hand for ranks it does not open.
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
def clean_assured(view: Any, params: Any) -> Any:
    """Clean books, closed or about to be: open melds without wild cards of ``assured`` cards."""
    books = view.clean[view.team] + 0
    for rank in range(FIRST_RANK, N_KINDS):
        if view.naturals[view.team, rank] >= params.assured and not blocks.meld_wilds(view, rank):
            books += 1
    return books


@inline
def dirty_under_way(view: Any) -> Any:
    """Dirty books, closed or open with a wild card."""
    books = view.dirty[view.team] + 0
    for rank in range(FIRST_RANK, N_KINDS):
        books += 1 if blocks.meld_wilds(view, rank) else 0
    return books


@inline
def best_starts(view: Any, ranks: int, most: int) -> Any:
    """Bits of up to ``most`` of ``ranks``, those with most cards held first."""
    chosen = 0
    for _ in range(most):
        best, cards = -1, 2
        for rank in range(FIRST_RANK, N_KINDS):
            if (ranks >> rank) & 1 and not (chosen >> rank) & 1 and view.cards[rank] > cards:
                best, cards = rank, view.cards[rank] + 0
        if best < 0:
            break
        chosen |= 1 << best
    return chosen


@inline
def rank_to_dirty(view: Any) -> Any:
    """Bit of the clean open meld that is least likely to become a clean book; 0 without one."""
    chosen, least = 0, 99
    for rank in range(FIRST_RANK, N_KINDS):
        naturals = view.naturals[view.team, rank]
        if naturals < 3 or blocks.meld_wilds(view, rank):
            continue
        hope = blocks.unseen(view, rank) - 2 * (view.book_size - naturals)
        if hope < least:
            chosen, least = 1 << rank, hope
    return chosen


@inline
def ranks_wanted(view: Any, params: Any, may_start: bool, may_add: bool) -> Any:
    """Bits of the ranks to lay: all open ones, and as many new ones as the plan leaves room for."""
    ranks = blocks.ranks_to_lay(view, may_start, may_add)
    opened = view.open_melds[view.team]
    if not may_start or blocks.team_suffices(view, view.team):
        return ranks
    room = params.max_open
    for rank in range(FIRST_RANK, N_KINDS):
        room -= (opened >> rank) & 1
    return (ranks & opened) | best_starts(view, ranks & ~opened, room)


@inline
def fill(view: Any, params: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay the ranks of the plan, and wild cards on the books that are missing."""
    ranks = ranks_wanted(view, params, may_start, may_add)
    cards, clean, dirty = blocks.lay_ranks(view, play, budget, ranks, 0)
    if blocks.wilds_held(view) == 0:
        return cards, clean, dirty, 0
    more, wild = blocks.lay_wild_book(
        view, play, budget - cards, may_start, may_add, 3, params.wild_books
    )
    cards += more
    missing = view.dirty_to_go_out - dirty_under_way(view)
    saving = view.wild_melds and view.wild[view.team] < params.wild_books
    pays = blocks.dirty_pays(view)
    if more or (saving and missing <= 0 and not pays):
        return cards, clean, dirty, wild
    dirtying = blocks.ranks_to_dirty(view, play, 99)
    if clean_assured(view, params) >= view.clean_to_go_out:
        dirtying |= rank_to_dirty(view)
    hurry = not view.in_foot[view.seat] and view.held[view.seat] - cards <= params.rush
    if hurry or pays or (missing <= 0 and not saving):
        dirtying = blocks.ranks_to_dirty(view, play, 3)
    more, closed = blocks.lay_wilds_on(
        view, play, budget - cards, may_start, may_add, dirtying, 0, False
    )
    return cards + more, clean, dirty + closed, wild


@inline
def cost(view: Any, params: Any, kind: int, hidden: int) -> Any:
    """Cards of ranks near a book are kept, and what the next player could take."""
    if kind == BLACK_THREE:
        return -1.0
    if kind < FIRST_RANK:
        return 1000.0 + view.value[kind]
    danger = blocks.chance_taken(view, kind, hidden) * blocks.pile_brings(view)
    together = blocks.meld_size(view, kind) + view.cards[kind]
    return params.near_cost * together + params.danger * danger + 0.2 * view.value[kind]


class BookPlanner(Agent):
    """Tracks which books are missing and makes those, on few ranks at a time."""

    max_open = Param(8, 1, 11, "natural melds open at a time while books are missing")
    assured = Param(7, 3, 7, "cards of an open clean meld that is counted on")
    wild_books = Param(2, 0, 6, "wild books aimed at before other melds get wild cards")
    rush = Param(2, 0, 13, "cards left in the hand at which wild cards go anywhere")
    pile_min = Param(2, 1, 20, "cards a taking must bring, the top card included")
    book_weight = Param(1.0, 0.0, 20.0, "cards a closed book counts for in starting or adding")
    near_cost = Param(
        6.0, 0.0, 50.0, "cost of a discard for each card of its rank, melded ones too"
    )
    danger = Param(20.0, 0.0, 100.0, "cost for each card that the next player would take by it")

    @staticmethod
    def draw(view: Any, params: Any, play: Any) -> Any:
        """Take the pile if it brings enough cards."""
        return PILE if view.take_size >= params.pile_min and blocks.take(view, play) else STOCK

    @staticmethod
    def meld(view: Any, params: Any, play: Any) -> Any:
        """Lay by the plan."""
        if not view.opened[view.team]:
            return blocks.opening(view, play, blocks.NO_TOP) > 0
        return blocks.lay_by(fill, view, params, play, params.book_weight, True)

    @staticmethod
    def discard(view: Any, params: Any) -> Any:
        """Discard what is far from a book."""
        return blocks.discard_by(cost, view, params)
