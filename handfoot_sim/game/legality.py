"""What is allowed: the only place that decides whether a play, a taking or going out is legal.

A verdict is ``LEGAL``, ``GOES_OUT`` (legal, and nobody has to be asked), ``ASKS`` (legal if the
partners permit) or the positive code of a broken rule (``breaches``), whose numbers are then in
the table's ``fault_a`` and ``fault_b``.
"""

from __future__ import annotations

from typing import Any, Final

from handfoot_sim.game import breaches as b
from handfoot_sim.game.bits import lowest_bit, places_of
from handfoot_sim.game.cards import BLACK_THREE, FIRST_RANK, JOKER, N_KINDS, RED_THREE, TWO, WILD
from handfoot_sim.game.moves import cards_to_take, top_of_pile
from handfoot_sim.game.state import ADDING, STARTING
from handfoot_sim.jit import inline

LEGAL: Final = 0
GOES_OUT: Final = -1
ASKS: Final = -2

NO_TOP: Final = -1
"""Given as the pile's top card where the pile is not being taken."""

# Codes used by compiled code are copied here, so that they are constants of this module.
_NEGATIVE, _NOT_HELD, _NO_CARDS = b.NEGATIVE, b.NOT_HELD, b.NO_CARDS
_THREE, _NATURALS, _NO_WILD_MELDS = b.THREE_MELDED, b.NATURALS_ON_WILD, b.WILD_MELD_FORBIDDEN
_TOO_FEW, _TOO_MANY, _NO_NATURALS = b.TOO_FEW_CARDS, b.TOO_MANY_CARDS, b.NO_NATURALS
_WILDS, _START_AND_ADD, _MINIMUM = b.TOO_MANY_WILDS, b.START_AND_ADD, b.MINIMUM
_UNDER, _NO_RIGHT, _NO_DISCARD_LEFT = b.TAKE_UNDER, b.NO_RIGHT_TO_GO_OUT, b.NO_CARD_TO_DISCARD
_AFTER_REFUSAL, _NO_PILE, _TAKE_THREE = b.KEEP_TWO, b.TAKE_NO_PILE, b.TAKE_THREE
_TAKE_NOT_HELD, _TAKE_WILD = b.TAKE_NOT_HELD, b.TAKE_WILD_FORBIDDEN
_NO_ROOM, _NOT_MELDED = b.TAKE_NO_ROOM, b.TAKE_NOT_MELDED


@inline
def broken(t: Any, code: int, a: int, number: int) -> Any:
    """Note the numbers of a broken rule's sentence and return its code."""
    t.fault_a = a
    t.fault_b = number
    return code


@inline
def meld_name(place: int) -> Any:
    """A meld as ``breaches.sentence`` wants it: -1 for the wild meld, whose place is 0."""
    return place if place != WILD else -1


@inline
def held_verdict(t: Any, r: Any, seat: int, kind: int, count: int, top: int) -> Any:
    """Whether the seat may lay ``count`` cards of a kind; the top card taken counts as its own.

    Cards under the top card are not there yet [5.4]; naming that rule tells more than 4.7 where
    they would have been enough.
    """
    own = t.hand[seat, kind] + (1 if kind == top else 0)
    if count <= own:
        return LEGAL
    if top != NO_TOP:
        for depth in range(1, cards_to_take(t, r)):
            if t.pile[t.pile_size - 1 - depth] == kind:
                own += 1
        if count <= own:
            return broken(t, _UNDER, kind, count)
    return broken(t, _NOT_HELD, kind, count)


@inline
def meld_verdict(t: Any, r: Any, team: int, place: int, naturals: int, wilds: int) -> Any:
    """Whether the meld at ``place`` may become what these further cards make of it [4.1, 4.2]."""
    if place == WILD:
        if not r.wild_melds:
            return broken(t, _NO_WILD_MELDS, 0, 0)
        if naturals:
            return broken(t, _NATURALS, 0, 0)
    wild_total = t.twos[team, place] + t.jokers[team, place] + wilds
    natural_total = t.naturals[team, place] + naturals
    size = natural_total + wild_total
    if size < 3:
        return broken(t, _TOO_FEW, meld_name(place), size)
    if size > r.book_size:
        return broken(t, _TOO_MANY, meld_name(place), size)
    if place != WILD:
        if natural_total == 0:
            return broken(t, _NO_NATURALS, place, 0)
        if wild_total * r.naturals_per_wild > natural_total:
            return broken(t, _WILDS, place, wild_total)
    return LEGAL


@inline
def partners_ready(t: Any, r: Any, seat: int) -> Any:
    """Every partner is in the foot and has ended enough turns there [6.4]."""
    partner = seat
    for _ in range(r.players // r.teams - 1):
        partner += r.teams
        if partner >= r.players:
            partner -= r.players
        if not t.in_foot[partner] or t.foot_turns[partner] < r.partner_foot_turns:
            return False
    return True


@inline
def leaving_verdict(t: Any, r: Any, seat: int, left: int, clean: int, dirty: int, wild: int) -> Any:
    """Whether a seat may be left with ``left`` cards, its team with these books [6.2 to 6.6]."""
    if not t.in_foot[seat] or left >= 2:
        return LEGAL
    if (
        clean < r.clean_to_go_out
        or dirty < r.dirty_to_go_out
        or wild < r.wild_to_go_out
        or not partners_ready(t, r, seat)
    ):
        return broken(t, _NO_RIGHT, left, 0)
    if left == 0 and r.discard_to_go_out:
        return broken(t, _NO_DISCARD_LEFT, 0, 0)
    if t.refused:
        return broken(t, _AFTER_REFUSAL, left, 0)
    if r.partner_permission and r.players > r.teams:
        return ASKS
    return GOES_OUT


@inline
def mode_verdict(t: Any, r: Any, starts: int, adds: int) -> Any:
    """Start or add, not both [4.5]; ``adds`` are melds that this turn did not start."""
    if not r.start_or_add:
        return LEGAL
    if starts and (adds or t.mode == ADDING):
        return broken(t, _START_AND_ADD, 0, 0)
    if adds and t.mode == STARTING:
        return broken(t, _START_AND_ADD, 0, 0)
    return LEGAL


@inline
def cards_verdict(t: Any, r: Any, seat: int, team: int, play: Any, top: int) -> Any:
    """Whether the cards of a play may lie as it lays them, and what they come to.

    Returns (verdict, cards, points, melds started, melds added to, clean, dirty and wild books).
    """
    cards = points = twos_laid = jokers_laid = starts = adds = 0
    clean, dirty, wild = t.clean[team], t.dirty[team], t.wild[team]
    verdict = LEGAL
    places = places_of(play)
    while places:
        place = lowest_bit(places)
        places ^= 1 << place
        naturals, twos, jokers = play.naturals[place], play.twos[place], play.jokers[place]
        if naturals < 0 or twos < 0 or jokers < 0:
            verdict = broken(t, _NEGATIVE, meld_name(place), 0)
        elif (place < FIRST_RANK and place != WILD) or place >= N_KINDS:
            verdict = broken(t, _THREE, 0, 0)
        else:
            verdict = held_verdict(t, r, seat, place, naturals, top) if naturals else LEGAL
            if verdict == LEGAL:
                verdict = meld_verdict(t, r, team, place, naturals, twos + jokers)
        if verdict != LEGAL:
            break
        if t.open_melds[team] & (1 << place):
            adds |= 1 << place
        else:
            starts |= 1 << place
        wilds = t.twos[team, place] + t.jokers[team, place] + twos + jokers
        if t.naturals[team, place] + naturals + wilds == r.book_size:
            if place == WILD:
                wild += 1
            elif wilds:
                dirty += 1
            else:
                clean += 1
        cards += naturals + twos + jokers
        twos_laid += twos
        jokers_laid += jokers
        points += naturals * r.value[place] + twos * r.value[TWO] + jokers * r.value[JOKER]
    if verdict == LEGAL and twos_laid:
        verdict = held_verdict(t, r, seat, TWO, twos_laid, top)
    if verdict == LEGAL and jokers_laid:
        verdict = held_verdict(t, r, seat, JOKER, jokers_laid, top)
    if verdict == LEGAL and cards == 0:
        verdict = broken(t, _NO_CARDS, 0, 0)
    return verdict, cards, points, starts, adds, clean, dirty, wild


@inline
def telling_verdict(t: Any, r: Any, team: int, play: Any, verdict: int) -> Any:
    """Which rule to name for a play whose cards can't lie as it lays them.

    That the turn both starts and adds [4.5] tells more than that a meld can't be [4.1, 4.2], and
    this more than that the cards are not held [4.7].
    """
    if verdict in (_NEGATIVE, _THREE, _NO_CARDS):
        return verdict
    starts = adds = 0
    for place in range(N_KINDS):
        if (play.naturals[place] | play.twos[place] | play.jokers[place]) == 0:
            continue
        if t.open_melds[team] & (1 << place):
            adds |= 1 << place
        else:
            starts |= 1 << place
    other = mode_verdict(t, r, starts, adds & ~t.started)
    for place in range(N_KINDS):
        wilds = play.twos[place] + play.jokers[place]
        if other == LEGAL and (play.naturals[place] | wilds) != 0:
            other = meld_verdict(t, r, team, place, play.naturals[place], wilds)
    return verdict if other == LEGAL else other


@inline
def top_verdict(t: Any, r: Any, seat: int, team: int, play: Any, top: int) -> Any:
    """Whether the pile may be taken with this first play, its cards apart [5.2, 5.3]."""
    verdict = taking_verdict(t, r, seat, team)
    if verdict != LEGAL:
        return verdict
    laid = play.naturals[top]
    if top == TWO:
        laid = play.twos[WILD]
    elif top == JOKER:
        laid = play.jokers[WILD]
    if laid < 3:
        return broken(t, _NOT_MELDED, top, 0)
    return LEGAL


@inline
def taking_verdict(t: Any, r: Any, seat: int, team: int) -> Any:
    """Whether the pile may be taken as far as its top card is concerned [5.2, 5.3]."""
    if t.pile_size == 0:
        return broken(t, _NO_PILE, 0, 0)
    top = top_of_pile(t)
    if top == RED_THREE or top == BLACK_THREE:
        return broken(t, _TAKE_THREE, top, 0)
    place = top if top >= FIRST_RANK else WILD
    if place == WILD and not r.wild_melds:
        return broken(t, _TAKE_WILD, 0, 0)
    if t.hand[seat, top] < 2:
        return broken(t, _TAKE_NOT_HELD, top, 0)
    size = t.naturals[team, place] + t.twos[team, place] + t.jokers[team, place]
    if size > r.book_size - 3:
        return broken(t, _NO_ROOM, meld_name(place), 0)
    return LEGAL


@inline
def play_verdict(t: Any, r: Any, seat: int, team: int, play: Any, top: int) -> Any:
    """Whether the seat may make this play now; ``top`` is the pile's top card if it is taken."""
    others = 0
    if top != NO_TOP:
        verdict = top_verdict(t, r, seat, team, play, top)
        if verdict != LEGAL:
            return verdict
        others = cards_to_take(t, r) - 1
    verdict, cards, points, starts, adds, clean, dirty, wild = cards_verdict(
        t, r, seat, team, play, top
    )
    if verdict != LEGAL:
        return telling_verdict(t, r, team, play, verdict)
    verdict = mode_verdict(t, r, starts, adds & ~t.started)
    if verdict != LEGAL:
        return verdict
    if not t.opened[team] and points < t.minimum:
        return broken(t, _MINIMUM, points, t.minimum)
    left = t.held[seat] - cards + others + (1 if top != NO_TOP else 0)
    return leaving_verdict(t, r, seat, left, clean, dirty, wild)
