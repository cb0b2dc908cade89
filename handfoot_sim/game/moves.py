"""How cards move: the parts of a transition that never ask whether they are allowed.

All functions change one table record in place. ``t`` is a ``TABLE`` record, ``r`` a ``RULES``
record, ``play`` a ``PLAY`` record throughout the package.
"""

from __future__ import annotations

from typing import Any

from handfoot_sim.game.bits import lowest_bit, places_of
from handfoot_sim.game.cards import (
    JOKER,
    N_KINDS,
    PLACES,
    RED_THREE,
    TWO,
    WILD,
)
from handfoot_sim.game.memory import push_front
from handfoot_sim.game.state import VIEW_PILE
from handfoot_sim.jit import inline

MOST_COUNTED = 127
"""Where the count of a seat's discards of one kind stops, as it must fit in a byte."""


@inline
def next_card(t: Any, seat: int) -> Any:
    """Take the next card of the stock for ``seat``; -1 if the stock is empty.

    With streams, seat s reads positions s, s + n, ... and, its own used up, those of the next
    seat's stream; a common stock is read from the top.
    """
    if t.stock_left == 0:
        return -1
    stream = seat if t.streams > 1 else 0
    while t.stock_next[stream] >= t.stock_size:
        stream += 1
        if stream == t.streams:
            stream = 0
    position = t.stock_next[stream]
    t.stock_next[stream] = position + t.streams
    kind = t.stock[position]
    t.drawn[t.stock_size - t.stock_left] = kind
    t.stock_left -= 1
    return kind


@inline
def draw_cards(t: Any, seat: int, team: int, count: int) -> Any:
    """Draw ``count`` cards, laying and replacing red threes [3.2, 7.1]; cards that stayed."""
    got = 0
    while got < count:
        kind = next_card(t, seat)
        if kind < 0:
            break
        if kind == RED_THREE:
            t.red_threes[team] += 1
        else:
            t.hand[seat, kind] += 1
            got += 1
    t.held[seat] += got
    return got


@inline
def lay_red_threes(t: Any, seat: int, team: int) -> None:
    """Lay the red threes among the seat's cards and draw as many replacements [7.1]."""
    count = t.hand[seat, RED_THREE]
    if count:
        t.hand[seat, RED_THREE] = 0
        t.held[seat] -= count
        t.red_threes[team] += count
        draw_cards(t, seat, team, count)


@inline
def pick_up_foot(t: Any, seat: int, team: int) -> None:
    """The foot becomes the seat's cards; its red threes are laid and replaced [6.1]."""
    for kind in range(PLACES):
        t.hand[seat, kind] = t.foot[seat, kind]
        t.foot[seat, kind] = 0
    t.held[seat] = t.foot_left[seat]
    t.foot_left[seat] = 0
    t.in_foot[seat] = 1
    if t.foot1_turn[team] < 0:
        t.foot1_turn[team] = t.turn
    elif t.foot2_turn[team] < 0:
        t.foot2_turn[team] = t.turn
    lay_red_threes(t, seat, team)


@inline
def remove_card(t: Any, seat: int, kind: int, count: int) -> None:
    """``count`` cards of a kind leave the seat's cards, and what is known of them."""
    t.hand[seat, kind] -= count
    known = t.known[seat, kind] - count
    t.known[seat, kind] = known if known > 0 else 0


@inline
def top_of_pile(t: Any) -> Any:
    """Kind of the top card of the pile; the pile must not be empty."""
    return t.pile[t.pile_size - 1]


@inline
def cards_to_take(t: Any, r: Any) -> Any:
    """How many cards a taking brings, the top card included [5.1]."""
    if r.pile_take == 0 or r.pile_take > t.pile_size:
        return t.pile_size
    return r.pile_take


@inline
def lift_top_card(t: Any, seat: int) -> None:
    """The top card of the pile joins the seat's cards, to be laid at once [5.2]."""
    t.pile_size -= 1
    kind = t.pile[t.pile_size]
    t.pile_counts[kind] -= 1
    t.hand[seat, kind] += 1
    t.known[seat, kind] += 1
    t.held[seat] += 1


@inline
def show_pile(t: Any) -> None:
    """Write down anew what is shown of the pile, from the top down."""
    size = t.pile_size
    for depth in range(VIEW_PILE):
        t.pile_from_top[depth] = t.pile[size - 1 - depth] if depth < size else 0


@inline
def lift_from_pile(t: Any, seat: int, count: int) -> None:
    """The next ``count`` cards of the pile join the seat's cards [5.4]."""
    for _ in range(count):
        lift_top_card(t, seat)
    show_pile(t)


@inline
def put_on_pile(t: Any, seat: int, kind: int) -> None:
    """Discard one card [3.3]."""
    remove_card(t, seat, kind, 1)
    t.held[seat] -= 1
    if t.discarded[seat, kind] < MOST_COUNTED:
        t.discarded[seat, kind] += 1
    t.pile[t.pile_size] = kind
    t.pile_size += 1
    t.pile_counts[kind] += 1
    push_front(t.pile_from_top, kind)


@inline
def note_ready(t: Any, r: Any, team: int) -> None:
    """Note the turn in which all books needed to go out are first there [6.4]."""
    if (
        t.ready_turn[team] < 0
        and t.clean[team] >= r.clean_to_go_out
        and t.dirty[team] >= r.dirty_to_go_out
        and t.wild[team] >= r.wild_to_go_out
    ):
        t.ready_turn[team] = t.turn


@inline
def close_book(t: Any, r: Any, team: int, place: int) -> None:
    """A meld has become a book [4.3]: note its type and the turn, and free its place."""
    if place == WILD:
        t.wild[team] += 1
        t.clean_books[team, WILD] += 1
        if t.wild1_turn[team] < 0:
            t.wild1_turn[team] = t.turn
    elif t.twos[team, place] + t.jokers[team, place] > 0:
        t.dirty[team] += 1
        t.dirty_books[team, place] += 1
        if t.dirty1_turn[team] < 0:
            t.dirty1_turn[team] = t.turn
        elif t.dirty2_turn[team] < 0:
            t.dirty2_turn[team] = t.turn
    else:
        t.clean[team] += 1
        t.clean_books[team, place] += 1
        if t.clean1_turn[team] < 0:
            t.clean1_turn[team] = t.turn
        elif t.clean2_turn[team] < 0:
            t.clean2_turn[team] = t.turn
    t.naturals[team, place] = 0
    t.twos[team, place] = 0
    t.jokers[team, place] = 0
    t.open_melds[team] &= ~(1 << place)
    note_ready(t, r, team)


@inline
def lay_on_meld(
    t: Any, r: Any, seat: int, team: int, place: int, naturals: int, twos: int, jokers: int
) -> Any:
    """Lay own cards on one meld, starting it if it is not open; returns their points."""
    if not t.open_melds[team] & (1 << place):
        t.open_melds[team] |= 1 << place
        t.started |= 1 << place
    points = 0
    if naturals:
        remove_card(t, seat, place, naturals)
        t.naturals[team, place] += naturals
        points += naturals * r.value[place]
    if twos:
        remove_card(t, seat, TWO, twos)
        t.twos[team, place] += twos
        points += twos * r.value[TWO]
    if jokers:
        remove_card(t, seat, JOKER, jokers)
        t.jokers[team, place] += jokers
        points += jokers * r.value[JOKER]
    t.held[seat] -= naturals + twos + jokers
    size = t.naturals[team, place] + t.twos[team, place] + t.jokers[team, place]
    if size == r.book_size:
        close_book(t, r, team, place)
    return points


@inline
def lay_play(t: Any, r: Any, seat: int, team: int, play: Any) -> Any:
    """Lay all cards of a play; returns their points [4.7]."""
    points = 0
    places = places_of(play)
    while places:
        place = lowest_bit(places)
        places ^= 1 << place
        naturals, twos, jokers = play.naturals[place], play.twos[place], play.jokers[place]
        points += lay_on_meld(t, r, seat, team, place, naturals, twos, jokers)
    t.melded[team] += points
    return points


@inline
def clear_play(play: Any) -> None:
    """Make a play empty."""
    for place in range(PLACES):
        play.naturals[place] = 0
        play.twos[place] = 0
        play.jokers[place] = 0


@inline
def copy_play(source: Any, target: Any) -> None:
    """Copy a play."""
    for place in range(PLACES):
        target.naturals[place] = source.naturals[place]
        target.twos[place] = source.twos[place]
        target.jokers[place] = source.jokers[place]


@inline
def value_of(cards: Any, row: Any, r: Any) -> Any:
    """Points of one row of a count array; red threes count by 7.2, not here [8.2]."""
    points = 0
    for kind in range(N_KINDS):
        points += cards[row, kind] * r.value[kind]
    return points
