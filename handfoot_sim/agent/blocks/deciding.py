"""Whole decisions: all that can be laid, a taking, a discard."""

from __future__ import annotations

from typing import Any, Final

from handfoot_sim.agent.blocks.laying import fill_best
from handfoot_sim.agent.blocks.openings import opening
from handfoot_sim.agent.blocks.reading import (
    NO_TOP,
    books_suffice,
    is_open,
    meld_size,
    partners_ready,
)
from handfoot_sim.game.cards import BLACK_THREE, FIRST_RANK, JOKER, N_KINDS, PLACES, TWO, WILD
from handfoot_sim.game.moves import clear_play
from handfoot_sim.jit import inline

NEVER: Final = -1_000_000_000_000


@inline
def lay_all(view: Any, play: Any, wild_start: int, rush: int, book_weight: int) -> Any:
    """Lay all that can be laid: open if the minimum is there, go out if that is allowed.

    Returns whether ``play`` lays anything. A player in the foot keeps two cards, or goes out
    with one [6.3, 6.4].
    """
    if not view.opened[view.team]:
        return opening(view, play, NO_TOP) > 0
    held = view.held[view.seat]
    if not view.in_foot[view.seat]:
        cards, _, _, _ = fill_best(view, play, held, wild_start, rush, book_weight)
        return cards > 0
    if not view.refused and partners_ready(view):
        cards, clean, dirty, wild = fill_best(view, play, held - 1, wild_start, rush, book_weight)
        if held - cards >= 2:
            return cards > 0
        if books_suffice(view, clean, dirty, wild):
            return True
    cards, _, _, _ = fill_best(view, play, held - 2, wild_start, rush, book_weight)
    return cards > 0


@inline
def take(view: Any, play: Any) -> Any:
    """Fill ``play`` with the first play of a taking; returns whether there is one.

    An opened team lays the top card with all it holds of its kind, or with just two where more
    would leave a player in the foot fewer than two cards.
    """
    top = view.top
    if not view.opened[view.team]:
        return opening(view, play, top) > 0
    clear_play(play)
    place = top if top >= FIRST_RANK else WILD
    room = view.book_size - meld_size(view, place)
    count = min(view.cards[top] + 1, room)
    left = view.held[view.seat] + view.take_size
    if view.in_foot[view.seat] and left - count < 2:
        count = 3
    if top == TWO:
        play.twos[WILD] = count
    elif top == JOKER:
        play.jokers[WILD] = count
    else:
        play.naturals[top] = count
    return not view.in_foot[view.seat] or left - count >= 2


@inline
def cheapest_discard(view: Any, open_weight: int) -> Any:
    """The kind that costs least to discard: a black three, then few of a low kind, wilds last.

    A card costs 10 for each one held of its kind and a fifth of its points, ``open_weight`` more
    if the own team's meld of its rank is open. Of equals the lowest kind goes.
    """
    best = NEVER
    for rank in range(FIRST_RANK, N_KINDS):
        held = view.cards[rank]
        worth = -10 * held - view.value[rank] // 5 - open_weight * is_open(view, rank)
        best = max(best, worth * PLACES + PLACES - rank if held else NEVER)
    if view.cards[BLACK_THREE]:
        return BLACK_THREE
    if best > NEVER:
        return PLACES - (best - 1) % PLACES - 1
    if view.cards[TWO] and (not view.cards[JOKER] or view.value[TWO] <= view.value[JOKER]):
        return TWO
    return JOKER
