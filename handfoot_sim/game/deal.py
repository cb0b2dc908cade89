"""Shuffling, dealing, the upcard, and the red threes of the hands [2.2 to 2.6]."""

from __future__ import annotations

from typing import Any

from handfoot_sim.game.cards import BLACK_THREE, JOKER, MAX_SEATS, PLACES, RED_THREE, TWO
from handfoot_sim.game.memory import copy_bytes
from handfoot_sim.game.moves import lay_red_threes, show_pile
from handfoot_sim.game.randomness import DECISIONS, SHUFFLE, below, word
from handfoot_sim.game.state import NOTHING, RULES_OFFSET, RULES_SIZE
from handfoot_sim.game.turn import begin_play
from handfoot_sim.jit import inline

_RULES_OFFSET, _RULES_SIZE = RULES_OFFSET, RULES_SIZE


@inline
def shuffle(deck: Any, order: Any, key: Any) -> None:
    """Fill ``order`` with the cards of ``deck`` in a random order (Fisher and Yates)."""
    for i in range(deck.shape[0]):
        j = below(key, i, i + 1)
        order[i] = order[j]
        order[j] = deck[i]


@inline
def is_buried(r: Any, kind: int) -> Any:
    """Whether a card turned up for the pile is put back into the stock [2.4]."""
    if kind == TWO:
        return r.bury_twos != 0
    return kind == JOKER or kind == RED_THREE or kind == BLACK_THREE


@inline
def turn_upcard(order: Any, start: int, r: Any, key: Any) -> Any:
    """Turn cards from position ``start`` until one may stay [2.4].

    A card that may not is put in at a random place of the stock. Returns False if no card of
    the stock may stay (possible only with very few cards left): the cards are dealt anew.
    """
    cards = order.shape[0]
    found = False
    for position in range(start, cards):
        if not is_buried(r, order[position]):
            found = True
            break
    if not found:
        return False
    counter = cards
    while is_buried(r, order[start]):
        kind = order[start]
        place = start + below(key, counter, cards - start)
        counter += 1
        for position in range(start, place):
            order[position] = order[position + 1]
        order[place] = kind
    return True


@inline
def clear_deal(t: Any) -> None:
    """Make the table ready for the next deal; the score of the match stays."""
    for team in range(MAX_SEATS):
        t.scores[team] = t.totals[team]
        for place in range(PLACES):
            t.naturals[team, place] = 0
            t.twos[team, place] = 0
            t.jokers[team, place] = 0
            t.clean_books[team, place] = 0
            t.dirty_books[team, place] = 0
            t.known[team, place] = 0
            t.discarded[team, place] = 0
            t.hand[team, place] = 0
            t.foot[team, place] = 0
        for counts in (t.clean, t.dirty, t.wild, t.red_threes, t.pile_chances, t.pile_takes):
            counts[team] = 0
        for counts in (t.pile_cards, t.wilds_discarded, t.black3_discarded, t.asked, t.refusals):
            counts[team] = 0
        for turns in (t.opened_turn, t.foot1_turn, t.foot2_turn, t.clean1_turn, t.clean2_turn):
            turns[team] = -1
        for turns in (t.dirty1_turn, t.dirty2_turn, t.wild1_turn, t.ready_turn):
            turns[team] = -1
        t.melded[team] = 0
        t.open_melds[team] = 0
        t.foot_turns[team] = 0
        t.in_foot[team] = 0
        t.opened[team] = 0
        t.opened_points[team] = -1
        t.opened_seat[team] = -1
        t.opened_from_pile[team] = -1
        t.left[team] = 0
        t.foot_red_threes[team] = 0
    for place in range(PLACES):
        t.pile_counts[place] = 0
    t.pile_size = 0
    t.turn = 0
    t.mode = NOTHING
    t.ended = 0
    t.out_team = -1
    t.fault = 0


@inline
def lay_out(t: Any, r: Any, order: Any) -> None:
    """Give out shuffled cards: hands, feet, upcard, stock; one stock stream a seat.

    Seat s has the hand at positions s x hand_size and on, the feet follow all hands, then come
    the upcard and the stock.
    """
    position = 0
    for seat in range(r.players):
        for _ in range(r.hand_size):
            t.hand[seat, order[position]] += 1
            position += 1
    for seat in range(r.players):
        for _ in range(r.foot_size):
            t.foot[seat, order[position]] += 1
            position += 1
    t.pile[0] = order[position]
    start = position + 1
    t.stock_size = order.shape[0] - start
    for i in range(order.shape[0] - start):
        t.stock[i] = order[start + i]
    t.streams = r.players


@inline
def total(cards: Any, seat: int) -> Any:
    """Cards in one row of a count array."""
    count = 0
    for kind in range(PLACES):
        count += cards[seat, kind]
    return count


@inline
def open_deal(t: Any, r: Any, dealer: int, minimum: int) -> None:
    """Start play from cards that lie: seats' sizes, the pile's first card, red threes [2.5].

    Expects hands, feet, stock, ``stock_size``, ``streams`` and ``pile[0]`` to be filled.
    """
    t.dealer = dealer
    t.minimum = minimum
    t.deal_key = word(word(t.match_key, DECISIONS), t.deal)
    t.pile_size = 1
    t.pile_counts[t.pile[0]] = 1
    show_pile(t)
    copy_bytes(t, r, _RULES_OFFSET, _RULES_SIZE)
    t.stock_left = t.stock_size
    for stream in range(t.streams):
        t.stock_next[stream] = stream
    first = dealer
    if not r.dealer_first:
        first = dealer + 1 if dealer + 1 < r.players else 0
    t.first = first
    seat = first
    for _ in range(r.players):
        t.held[seat] = total(t.hand, seat)
        t.foot_left[seat] = total(t.foot, seat)
        seat = seat + 1 if seat + 1 < r.players else 0
    for _ in range(r.players):
        lay_red_threes(t, seat, seat % r.teams)
        seat = seat + 1 if seat + 1 < r.players else 0
    begin_play(t, r)


@inline
def deal_cards(t: Any, r: Any, deck: Any, order: Any, dealer: int, minimum: int) -> None:
    """Shuffle and deal; ``order`` is room for the cards, ``t.deal`` and the keys are set."""
    clear_deal(t)
    key = word(word(t.match_key, SHUFFLE), t.deal)
    shuffle(deck, order, key)
    start = r.players * (r.hand_size + r.foot_size)
    attempt = 0
    while not turn_upcard(order, start, r, key):
        attempt += 1
        key = word(word(word(t.match_key, SHUFFLE), t.deal), 1_000_000 + attempt)
        shuffle(deck, order, key)
    lay_out(t, r, order)
    open_deal(t, r, dealer, minimum)


@inline
def begin_match(t: Any, match: int, mirror: int, key: Any) -> None:
    """A fresh match on this table."""
    t.match = match
    t.mirror = mirror
    t.match_key = key
    t.deal = 0
    for team in range(MAX_SEATS):
        t.totals[team] = 0
