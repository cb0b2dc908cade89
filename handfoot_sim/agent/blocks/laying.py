"""Laying cards once the team has opened."""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent.blocks.reading import (
    is_open,
    lay_wilds,
    meld_size,
    meld_wilds,
    ranks_held,
    wants_wild_meld,
    wilds_held,
)
from handfoot_sim.game.bits import highest_bit
from handfoot_sim.game.cards import FIRST_RANK, JOKER, LAST_RANK, TWO, WILD
from handfoot_sim.game.moves import clear_play
from handfoot_sim.game.state import NOTHING, STARTING
from handfoot_sim.jit import inline


@inline
def ranks_to_lay(view: Any, may_start: bool, may_add: bool) -> Any:
    """Bits of the ranks on whose melds natural cards can be laid."""
    opened = view.open_melds[view.team]
    ranks = 0
    if may_start:
        ranks |= ranks_held(view, 3) & ~opened
    open_now = opened if may_add else opened & view.started
    if open_now:
        ranks |= ranks_held(view, 1) & open_now
    return ranks


@inline
def lay_naturals(view: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay natural cards on melds, dear ranks first; returns (cards, clean books, dirty books)."""
    team, book = view.team, view.book_size
    cards = clean = dirty = 0
    ranks = ranks_to_lay(view, may_start, may_add)
    while ranks:
        rank = highest_bit(ranks)
        ranks ^= 1 << rank
        wilds = meld_wilds(view, rank)
        size = view.naturals[team, rank] + wilds
        count = min(min(view.cards[rank], book - size), budget - cards)
        if count <= 0 or size + count < 3:
            continue
        play.naturals[rank] = count
        cards += count
        if size + count == book:
            if wilds:
                dirty += 1
            else:
                clean += 1
    return cards, clean, dirty


@inline
def lay_wild_meld(
    view: Any, play: Any, budget: int, may_start: bool, may_add: bool, least: int
) -> Any:
    """Lay wild cards on the wild meld, starting one with ``least`` or more.

    Returns (cards, wild books).
    """
    held = wilds_held(view)
    size = meld_size(view, WILD)
    opened = is_open(view, WILD)
    if opened and not may_add and not view.started & 1:
        return 0, 0
    if not opened and (not may_start or held < least):
        return 0, 0
    count = min(min(held, view.book_size - size), budget)
    if count <= 0 or size + count < 3:
        return 0, 0
    lay_wilds(view, play, WILD, view.cards[TWO], view.cards[JOKER], count, False)
    return count, 1 if size + count == view.book_size else 0


@inline
def lay_dirty(view: Any, play: Any, budget: int, may_start: bool, may_add: bool) -> Any:
    """Lay wild cards on natural melds: on those that may or should be dirty, and on pairs.

    A meld that is still clean gets a wild card only while dirty books are missing or the clean
    ones suffice. The naturals that ``play`` already lays count. Returns (cards, dirty books).
    """
    cards = dirty = 0
    twos, jokers = view.cards[TWO], view.cards[JOKER] + 0
    team = view.team
    free = view.dirty[team] < view.dirty_to_go_out or view.clean[team] >= view.clean_to_go_out
    for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
        if twos + jokers == 0 or budget - cards <= 0:
            break
        opened = is_open(view, rank)
        fresh = play.naturals[rank]
        naturals = view.naturals[team, rank] + fresh
        wilds = meld_wilds(view, rank)
        count = 0
        if opened or fresh:
            if opened and not may_add and not (view.started >> rank) & 1:
                continue
            if wilds == 0 and not free:
                continue
            room = view.book_size - naturals - wilds
            allowed = naturals // view.naturals_per_wild - wilds
            count = min(min(room, allowed), min(twos + jokers, budget - cards))
        elif (
            may_start
            and view.cards[rank] == 2
            and view.naturals_per_wild <= 2
            and budget - cards >= 3
        ):
            play.naturals[rank] = 2
            cards += 2
            count = 1
        if count <= 0:
            continue
        from_twos, from_jokers, _ = lay_wilds(view, play, rank, twos, jokers, count, False)
        twos -= from_twos
        jokers -= from_jokers
        cards += count
        if (opened or fresh) and naturals + wilds + count == view.book_size:
            dirty += 1
    return cards, dirty


@inline
def fill(
    view: Any, play: Any, budget: int, may_start: bool, may_add: bool, wild_start: int, rush: int
) -> Any:
    """Lay all that can be laid within ``budget`` cards in one play.

    Wild cards go to the wild meld until the wild books needed (at least one) are there, and to
    dirty melds afterwards, or as soon as no more than ``rush`` cards would be left in the hand.
    Returns (cards, clean books, dirty books, wild books).
    """
    clear_play(play)
    cards, clean, dirty = lay_naturals(view, play, budget, may_start, may_add)
    wild = 0
    if wilds_held(view) == 0:
        return cards, clean, dirty, wild
    wanted = wants_wild_meld(view)
    more = 0
    if wanted:
        more, wild = lay_wild_meld(view, play, budget - cards, may_start, may_add, wild_start)
        cards += more
    hurry = not view.in_foot[view.seat] and view.held[view.seat] - cards <= rush
    if more == 0 and (not wanted or hurry):
        more, dirtied = lay_dirty(view, play, budget - cards, may_start, may_add)
        cards += more
        dirty += dirtied
    return cards, clean, dirty, wild


@inline
def worth_of_ways(view: Any, wild_start: int, book_weight: int) -> Any:
    """What the two ways of rule 4.5 lay: (cards by starting, cards by adding).

    Natural cards and the wild meld are counted, a closed book as ``book_weight`` cards more.
    """
    book = view.book_size
    starting = adding = 0
    opened = view.open_melds[view.team]
    ranks = ranks_held(view, 1) & opened
    while ranks:
        rank = highest_bit(ranks)
        ranks ^= 1 << rank
        room = book - meld_size(view, rank)
        adding += min(view.cards[rank], room) + (book_weight if view.cards[rank] >= room else 0)
    ranks = ranks_held(view, 3) & ~opened
    while ranks:
        rank = highest_bit(ranks)
        ranks ^= 1 << rank
        starting += min(view.cards[rank], book) + (book_weight if view.cards[rank] >= book else 0)
    wilds = wilds_held(view)
    if wilds and wants_wild_meld(view):
        size = meld_size(view, WILD)
        count = min(wilds, book - size)
        worth = count + (book_weight if count == book - size else 0)
        if size > 0:
            adding += worth
        elif wilds >= wild_start:
            starting += worth
    return starting, adding


@inline
def fill_best(
    view: Any, play: Any, budget: int, wild_start: int, rush: int, book_weight: int
) -> Any:
    """``fill`` in the better of the two ways that rule 4.5 leaves, where it leaves a choice.

    Adding is chosen unless starting lays more by ``worth_of_ways``, and the other way is tried
    if the chosen one lays nothing.
    """
    if not view.start_or_add:
        return fill(view, play, budget, True, True, wild_start, rush)
    if view.mode == NOTHING:
        starting, adding = worth_of_ways(view, wild_start, book_weight)
        if starting + adding + wilds_held(view) == 0:
            return 0, 0, 0, 0
        start_first = starting > adding
    else:
        start_first = view.mode == STARTING
    cards, clean, dirty, wild = fill(
        view, play, budget, start_first, not start_first, wild_start, rush
    )
    if cards == 0 and view.mode == NOTHING:
        return fill(view, play, budget, not start_first, start_first, wild_start, rush)
    return cards, clean, dirty, wild
