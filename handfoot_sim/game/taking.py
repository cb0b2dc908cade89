"""Whether there is any legal way to take the pile: asked once a turn, before the draw.

Where there is none the player draws from the stock without being asked. The count of turns in
which there was one is the ``pile_chances`` of the results.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from handfoot_sim.game.cards import FIRST_RANK, JOKER, N_KINDS, TWO, WILD
from handfoot_sim.game.legality import LEGAL, play_verdict, taking_verdict
from handfoot_sim.game.moves import cards_to_take, clear_play, top_of_pile
from handfoot_sim.jit import inline


@inline
def best_naturals(
    r: Any, have: int, need: int, value: int, wilds_held: int, best: Any, fresh: Any
) -> None:
    """One step of the search in ``best_opening``: let one rank use 0, 1, 2, ... wild cards.

    ``best[w]`` is the highest value of natural cards with w wild cards used (-1: impossible).
    """
    for used in range(wilds_held + 1):
        fresh[used] = best[used] if need == 0 else -1
    for wilds in range(wilds_held + 1):
        naturals = min(have, r.book_size - wilds)
        if naturals < 1 or naturals < need or wilds * r.naturals_per_wild > naturals:
            break
        if naturals + wilds < 3:
            continue
        for used in range(wilds_held + 1 - wilds):
            if best[used] >= 0:
                points = best[used] + naturals * value
                if points > fresh[used + wilds]:
                    fresh[used + wilds] = points
    for used in range(wilds_held + 1):
        best[used] = fresh[used]


@inline
def best_wilds(r: Any, twos: int, jokers: int, count: int) -> Any:
    """Highest value of ``count`` wild cards out of these."""
    two, joker = r.value[TWO], r.value[JOKER]
    if joker >= two:
        dear = min(jokers, count)
        return dear * joker + (count - dear) * two
    dear = min(twos, count)
    return dear * two + (count - dear) * joker


@inline
def add_wild_meld(r: Any, forced: int, wilds_held: int, best: Any, fresh: Any) -> None:
    """Last step of the search: a wild meld of at least three may use wild cards too."""
    for used in range(wilds_held + 1):
        fresh[used] = best[used] if not forced else -1
    if r.wild_melds:
        for wilds in range(3, min(wilds_held, r.book_size) + 1):
            for used in range(wilds_held + 1 - wilds):
                if best[used] > fresh[used + wilds]:
                    fresh[used + wilds] = best[used]


@inline
def best_opening(t: Any, r: Any, seat: int, top: int) -> Any:
    """Most points an opening that takes the pile can lay [4.6, 5.2].

    Exact: for every number of wild cards used, the best natural cards are found rank by rank
    (dynamic programming); which wild cards stand where does not matter, so the dearest are used.
    """
    twos = t.hand[seat, TWO] + (1 if top == TWO else 0)
    jokers = t.hand[seat, JOKER] + (1 if top == JOKER else 0)
    wilds_held = twos + jokers
    best = np.full(wilds_held + 1, -1, np.int64)
    fresh = np.empty(wilds_held + 1, np.int64)
    best[0] = 0
    for rank in range(FIRST_RANK, N_KINDS):
        have = t.hand[seat, rank] + (1 if rank == top else 0)
        if have:
            need = 3 if rank == top else 0
            best_naturals(r, have, need, r.value[rank], wilds_held, best, fresh)
    forced_twos = 3 if top == TWO else 0
    forced_jokers = 3 if top == JOKER else 0
    forced = forced_twos + forced_jokers
    add_wild_meld(r, forced, wilds_held, best, fresh)
    most = -1
    fixed = forced_twos * r.value[TWO] + forced_jokers * r.value[JOKER]
    for used in range(forced, wilds_held + 1):
        if fresh[used] >= 0:
            rest = best_wilds(r, twos - forced_twos, jokers - forced_jokers, used - forced)
            most = max(most, fresh[used] + fixed + rest)
    return most


@inline
def can_open_by_taking(t: Any, r: Any, seat: int, top: int) -> Any:
    """Whether a taking can lay the opening minimum: quick bounds first, the search between."""
    at_most = t.hand[seat, TWO] * r.value[TWO] + t.hand[seat, JOKER] * r.value[JOKER]
    at_least = 0
    for rank in range(FIRST_RANK, N_KINDS):
        have = t.hand[seat, rank] + (1 if rank == top else 0)
        at_most += have * r.value[rank]
        if have >= 3:
            at_least += min(have, r.book_size) * r.value[rank]
    if top < FIRST_RANK:
        at_most += r.value[top]
        at_least += 3 * r.value[top]
    if at_most < t.minimum or at_least >= t.minimum:
        return at_most >= t.minimum
    return best_opening(t, r, seat, top) >= t.minimum


@inline
def set_first_three(play: Any, top: int) -> None:
    """The smallest first play of a taking: the top card with two of its kind."""
    clear_play(play)
    if top == TWO:
        play.twos[WILD] = 3
    elif top == JOKER:
        play.jokers[WILD] = 3
    else:
        play.naturals[top] = 3


@inline
def can_take_and_go_out(t: Any, r: Any, seat: int, team: int, top: int) -> Any:
    """Whether a taking that leaves fewer than two cards is legal: tries every such play.

    With so few cards there are only the three themselves, or these and one card more.
    """
    play = t.pending
    set_first_three(play, top)
    if play_verdict(t, r, seat, team, play, top) <= LEGAL:
        return True
    if t.held[seat] - 2 + cards_to_take(t, r) - 1 != 1:
        return False
    for place in range(N_KINDS):
        if place != WILD and place < FIRST_RANK:
            continue
        for what in range(3):
            set_first_three(play, top)
            if what == 0:
                play.naturals[place] += 1
            elif what == 1:
                play.twos[place] += 1
            else:
                play.jokers[place] += 1
            if play_verdict(t, r, seat, team, play, top) <= LEGAL:
                return True
    return False


@inline
def can_take(t: Any, r: Any, seat: int, team: int) -> Any:
    """Whether some first play takes the pile legally [5.2, 5.3, 4.6, 6.3].

    A player who is in the foot with an unopened team (which takes a hand of nothing but red
    threes) is asked even if the minimum can only be laid with too few cards kept.
    """
    if taking_verdict(t, r, seat, team) != LEGAL:
        return False
    top = top_of_pile(t)
    if t.in_foot[seat] and t.held[seat] - 2 + cards_to_take(t, r) - 1 < 2:
        return can_take_and_go_out(t, r, seat, team, top)
    return t.opened[team] or can_open_by_taking(t, r, seat, top)
