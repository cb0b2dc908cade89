"""Laying with something kept back: keys of natural ranks, and wild cards for what they are for.

Each function lays within ``budget`` cards on melds that rule 4.5 allows (``may_start``,
``may_add``), adds to what ``play`` already holds, and says what it laid and closed.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent.blocks.reading import (
    is_open,
    lay_wilds,
    meld_size,
    meld_wilds,
)
from handfoot_sim.game.bits import highest_bit
from handfoot_sim.game.cards import FIRST_RANK, JOKER, LAST_RANK, TWO, WILD
from handfoot_sim.jit import inline


@inline
def lay_ranks(view: Any, play: Any, budget: int, ranks: int, keys: int) -> Any:
    """Lay the natural cards of ``ranks`` (bits); of those in ``keys`` a pair is kept back.

    A book is closed all the same. ``ranks`` are some of ``ranks_to_lay(view, may_start, may_add)``,
    dear ones are laid first. Returns (cards, clean books, dirty books).
    """
    team, book = view.team, view.book_size
    cards = clean = dirty = 0
    while ranks:
        rank = highest_bit(ranks)
        ranks ^= 1 << rank
        wilds = meld_wilds(view, rank)
        size = view.naturals[team, rank] + wilds
        room = book - size
        count = min(min(view.cards[rank], room), budget - cards)
        if count < room and (keys >> rank) & 1:
            count = min(count, view.cards[rank] - 2)
        if count <= 0 or size + count < 3:
            continue
        play.naturals[rank] = count
        cards += count
        if count == room:
            if wilds:
                dirty += 1
            else:
                clean += 1
    return cards, clean, dirty


@inline
def wilds_left(view: Any, play: Any) -> Any:
    """Wild cards among the own ones that ``play`` does not lay: (twos, jokers)."""
    twos, jokers = view.cards[TWO] + 0, view.cards[JOKER] + 0
    for place in range(LAST_RANK + 1):
        twos -= play.twos[place]
        jokers -= play.jokers[place]
    return twos, jokers


@inline
def lay_wild_book(
    view: Any, play: Any, budget: int, may_start: bool, may_add: bool, least: int, books: int
) -> Any:
    """Lay wild cards on the wild meld; start one while the team has fewer than ``books`` of them.

    Starting takes ``least`` cards or more. Returns (cards, wild books).
    """
    twos, jokers = wilds_left(view, play)
    held = twos + jokers
    if held == 0 or not view.wild_melds:
        return 0, 0
    size = meld_size(view, WILD)
    if size > 0:
        allowed = may_add or view.started & 1
    else:
        allowed = may_start and held >= least and view.wild[view.team] < books
    count = min(min(held, view.book_size - size), budget)
    if not allowed or count <= 0 or size + count < 3:
        return 0, 0
    lay_wilds(view, play, WILD, twos, jokers, count, False)
    return count, 1 if size + count == view.book_size else 0


@inline
def ranks_to_dirty(view: Any, play: Any, least: int) -> Any:
    """Bits of the ranks whose meld has wild cards already, or ``least`` natural cards or more.

    The naturals that ``play`` lays count.
    """
    ranks = 0
    for rank in range(FIRST_RANK, LAST_RANK + 1):
        naturals = view.naturals[view.team, rank] + play.naturals[rank]
        if naturals >= least or meld_wilds(view, rank):
            ranks |= 1 << rank
    return ranks


@inline
def lay_wilds_on(
    view: Any,
    play: Any,
    budget: int,
    may_start: bool,
    may_add: bool,
    ranks: int,
    spare: int,
    closing: bool,
) -> Any:
    """Lay wild cards on the natural melds of ``ranks`` (bits), all but ``spare`` of them.

    With ``closing`` only where that closes a book. The naturals that ``play`` lays count. Returns
    (cards, dirty books).
    """
    cards = dirty = 0
    twos, jokers = wilds_left(view, play)
    team = view.team
    for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
        free = min(twos + jokers - spare, budget - cards)
        if free <= 0:
            break
        opened, fresh = is_open(view, rank), play.naturals[rank]
        if not (ranks >> rank) & 1 or not (opened or fresh):
            continue
        if opened and not may_add and not (view.started >> rank) & 1:
            continue
        naturals = view.naturals[team, rank] + fresh
        wilds = meld_wilds(view, rank) + play.twos[rank] + play.jokers[rank]
        room = view.book_size - naturals - wilds
        count = min(min(room, naturals // view.naturals_per_wild - wilds), free)
        if count <= 0 or (closing and count < room):
            continue
        from_twos, from_jokers, _ = lay_wilds(view, play, rank, twos, jokers, count, False)
        twos -= from_twos
        jokers -= from_jokers
        cards += count
        if count == room:
            dirty += 1
    return cards, dirty


@inline
def lay_pairs(view: Any, play: Any, budget: int, may_start: bool, ranks: int, spare: int) -> Any:
    """Start melds of two natural cards of ``ranks`` (bits) and a wild one; cards laid.

    ``spare`` wild cards are kept.
    """
    cards = 0
    twos, jokers = wilds_left(view, play)
    if not may_start or view.naturals_per_wild > 2:
        return 0
    for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
        if twos + jokers <= spare or budget - cards < 3:
            break
        if not (ranks >> rank) & 1 or view.cards[rank] != 2 or is_open(view, rank):
            continue
        if play.naturals[rank]:
            continue
        play.naturals[rank] = 2
        from_twos, from_jokers, _ = lay_wilds(view, play, rank, twos, jokers, 1, False)
        twos -= from_twos
        jokers -= from_jokers
        cards += 3
    return cards
