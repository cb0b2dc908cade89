"""Opening plays."""

from __future__ import annotations

from typing import Any

from handfoot_sim.agent.blocks.reading import NO_TOP, keeps_two, lay_wilds, naturals_held
from handfoot_sim.game.cards import FIRST_RANK, JOKER, LAST_RANK, N_KINDS, TWO, WILD
from handfoot_sim.game.moves import clear_play
from handfoot_sim.jit import inline


@inline
def open_with_naturals(view: Any, play: Any, top: int) -> Any:
    """Lay all ranks of which three or more are held; returns the points."""
    points = 0
    for rank in range(FIRST_RANK, N_KINDS):
        held = naturals_held(view, rank, top)
        if held >= 3:
            play.naturals[rank] = min(held, view.book_size)
            points += play.naturals[rank] * view.value[rank]
    return points


@inline
def open_with_wilds(view: Any, play: Any, top: int, twos: int, jokers: int, points: int) -> Any:
    """Add wild cards to an opening, to pairs first, then to longer melds; returns the points."""
    for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
        if points >= view.minimum or twos + jokers == 0 or view.naturals_per_wild > 2:
            break
        if naturals_held(view, rank, top) == 2:
            play.naturals[rank] = 2
            from_twos, from_jokers, more = lay_wilds(view, play, rank, twos, jokers, 1, True)
            twos -= from_twos
            jokers -= from_jokers
            points += more + 2 * view.value[rank]
    for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
        if points >= view.minimum or twos + jokers == 0:
            break
        naturals = play.naturals[rank]
        if view.naturals_per_wild <= naturals < view.book_size and naturals >= 3:
            from_twos, from_jokers, more = lay_wilds(view, play, rank, twos, jokers, 1, True)
            twos -= from_twos
            jokers -= from_jokers
            points += more
    return points


@inline
def open_with_wild_meld(view: Any, play: Any, twos: int, jokers: int, points: int) -> Any:
    """Start a wild meld, of as few cards as the minimum takes; returns the points."""
    count = 3
    while count < min(twos + jokers, view.book_size):
        dear = min(jokers, count)
        if points + dear * view.value[JOKER] + (count - dear) * view.value[TWO] >= view.minimum:
            break
        count += 1
    _, _, more = lay_wilds(view, play, WILD, twos, jokers, count, True)
    return points + more


@inline
def opening(view: Any, play: Any, top: int) -> Any:
    """Fill ``play`` with an opening that lays the minimum; returns its points, 0 if none is found.

    Lays every rank held three times or more; if that is too little, the fewest wild cards more,
    jokers first: on pairs, then on longer melds, else as a wild meld. With ``top`` (the kind on
    the pile, or ``NO_TOP``) it is the first play of a taking and melds that card with two of its
    kind [5.2].
    """
    clear_play(play)
    twos, jokers = view.cards[TWO], view.cards[JOKER] + 0
    points = open_with_naturals(view, play, top)
    if top == TWO or top == JOKER:
        if not view.wild_melds:
            return 0
        if top == TWO:
            play.twos[WILD] = 3
            twos -= 2
        else:
            play.jokers[WILD] = 3
            jokers -= 2
        points += 3 * view.value[top]
    plain = points
    if points < view.minimum:
        points = open_with_wilds(view, play, top, twos, jokers, points)
    if (points < view.minimum and top > TWO) or (top == NO_TOP and points < view.minimum):
        if view.wild_melds and twos + jokers >= 3:
            clear_play(play)
            open_with_naturals(view, play, top)
            points = open_with_wild_meld(view, play, twos, jokers, plain)
    if points < view.minimum or (view.in_foot[view.seat] and not keeps_two(view, play, top)):
        clear_play(play)
        return 0
    return points


@inline
def natural_opening(view: Any, play: Any) -> Any:
    """Fill ``play`` with an opening of natural cards only, from the hand; points, 0 if none."""
    clear_play(play)
    points = open_with_naturals(view, play, NO_TOP)
    if points < view.minimum or (view.in_foot[view.seat] and not keeps_two(view, play, NO_TOP)):
        clear_play(play)
        return 0
    return points
