"""The one schema: structured dtypes of a table, a play, the rules, and a row of results.

A *table* is one match in play. Its record begins with the *view* of the seat that decides: the
*public* fields, which everybody at the table may see, the *private* ones, what that seat alone
knows and is asked, and the rules. After it come statistics and the *hidden* fields: cards in
hands, feet and stock. So the view of a decision lies ready in the table, and is shown without
copying (to agents of this distribution) or copied out in one piece (``observation``). Only the
stock and the pile have an order, all other cards are counts over kinds (``cards``).

Shapes: S = 6 seats and T = 6 teams are room for the largest form of the game; how many are used
is in the rules record. K = 16 places: by kind in counts, by meld in melds (``cards``).
Turns count from 0 over the deal; -1 stands for "has not happened".
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import from_dtype

from handfoot_sim.game.cards import (
    BLACK_THREE,
    FIRST_RANK,
    JOKER,
    LAST_RANK,
    MAX_CARDS,
    MAX_SEATS,
    MAX_TEAMS,
    PER_PACK,
    PLACES,
    TWO,
)
from handfoot_sim.rules import Rules

S, T, K = (MAX_SEATS,), (MAX_TEAMS,), (PLACES,)
SK, TK = (MAX_SEATS, PLACES), (MAX_TEAMS, PLACES)

# Phases of a table: which decision it waits for, if any.
DRAW: Final = 0
MELD: Final = 1
PERMIT: Final = 2
DISCARD: Final = 3
OVER: Final = 4
"""The deal is over and scored."""
FAULT: Final = 5
"""A decision was illegal: see ``fault``."""
CRASH: Final = 6
"""An agent did not decide: it raised an exception, or wrote into its view (see ``fault_b``)."""
RAISED: Final = 0
WROTE: Final = 1
PHASES: Final = ("draw", "meld", "permit", "discard", "over", "fault", "crash")

# What a turn has become by rule 4.5.
NOTHING: Final = 0
STARTING: Final = 1
ADDING: Final = 2

# How a deal ended.
OUT: Final = 1
STOCK: Final = 2
FORFEIT: Final = 3
"""Not played out: see ``engine.forfeits``."""
END_NAMES: Final = ("", "out", "stock", "forfeit")

VIEW_PILE: Final = 64
"""How many cards of the pile are shown in order; ``pile_counts`` has all of them."""

PLAY_FIELDS: Final = [
    # Cards laid on each meld, by its place: naturals of its own rank, twos, jokers.
    ("naturals", "i1", K),
    ("twos", "i1", K),
    ("jokers", "i1", K),
]

PLAY: Final = np.dtype(PLAY_FIELDS, align=True)

PUBLIC_FIELDS: Final = [
    # By team: the melds that lie open ...
    ("naturals", "i1", TK),  # natural cards in the open meld of each rank
    ("twos", "i1", TK),  # twos in it (and in the wild meld, place 0)
    ("jokers", "i1", TK),  # jokers in it
    # ... and the books that are closed, by rank (place 0: wild books, in clean_books).
    ("clean_books", "i1", TK),
    ("dirty_books", "i1", TK),
    # By seat: what it is publicly known to hold, having taken it from the pile and not laid or
    # discarded since; and what it has discarded in this deal (counted up to 127).
    ("known", "i1", SK),
    ("discarded", "i1", SK),
    ("pile_counts", "i1", K),  # all cards in the pile
    ("pile_from_top", "u1", (VIEW_PILE,)),  # the pile from the top down, as far as it reaches
    ("scores", "i4", T),  # points in the match before this deal
    ("melded", "i4", T),  # value of the cards melded in this deal
    ("minimum", "i4"),  # opening minimum of this deal
    ("open_melds", "u2", T),  # bit m: the meld at place m is open
    ("started", "u2"),  # bit m: a meld at place m was started in this turn (it may be a book now)
    ("clean", "i2", T),  # books by type
    ("dirty", "i2", T),
    ("wild", "i2", T),
    ("red_threes", "i2", T),  # on the table
    ("held", "i2", S),  # cards each seat has in play (its hand, later its foot)
    ("foot_left", "i2", S),  # cards in a foot not yet picked up; 0 afterwards
    ("foot_turns", "i2", S),  # turns ended by discarding a card of the foot [6.4]
    ("in_foot", "i1", S),  # whether the seat has picked up its foot
    ("opened", "i1", T),  # whether the team has opened
    ("stock_left", "i2"),
    ("pile_size", "i2"),
    ("deal", "i2"),
    ("turn", "i2"),
    ("plays", "i2"),  # plays made in this turn
    ("turn_seat", "i1"),  # whose turn it is
    ("dealer", "i1"),
    ("first", "i1"),  # seat that had the first turn of the deal
    ("mode", "i1"),  # 0 nothing yet, 1 a starting turn, 2 an adding turn [4.5]
    ("took", "i1"),  # whether the pile was taken in this turn
    ("refused", "i1"),  # whether permission was refused in this turn [6.5]
    ("going_out", "i1"),  # whether the discard to come goes out
]

PRIVATE_FIELDS: Final = [
    ("cards", "i1", K),  # own cards in play, by kind
    ("random", "u8"),  # a random word for this decision alone
    ("seat", "i2"),  # own seat
    ("team", "i2"),  # own team
    ("top", "i2"),  # kind of the top card of the pile, -1 if there is none
    ("take_size", "i2"),  # cards a taking would bring, the top card included [5.1]
    ("decision", "i1"),  # 0 draw, 1 meld, 2 permit, 3 discard
]

STAT_FIELDS: Final = [
    # By team, what the results table records; -1 where it has not happened.
    ("opened_turn", "i2", T),
    ("opened_points", "i4", T),
    ("opened_seat", "i1", T),
    ("opened_from_pile", "i1", T),
    ("foot1_turn", "i2", T),
    ("foot2_turn", "i2", T),
    ("clean1_turn", "i2", T),
    ("clean2_turn", "i2", T),
    ("dirty1_turn", "i2", T),
    ("dirty2_turn", "i2", T),
    ("wild1_turn", "i2", T),
    ("ready_turn", "i2", T),
    ("pile_chances", "i2", T),
    ("pile_takes", "i2", T),
    ("pile_cards", "i2", T),
    ("wilds_discarded", "i2", T),
    ("black3_discarded", "i2", T),
    ("asked", "i2", T),
    ("refusals", "i2", T),
]

HIDDEN_FIELDS: Final = [
    ("hand", "i1", SK),  # cards in play of each seat (the hand, later the foot)
    ("foot", "i1", SK),  # the foot while it is not picked up
    ("stock", "u1", (MAX_CARDS,)),  # as it lay when the upcard was turned
    ("drawn", "u1", (MAX_CARDS,)),  # the cards drawn so far, in the order in which they were
    ("stock_next", "i2", S),  # next position of each stream
    ("stock_size", "i2"),  # cards in the stock when the upcard was turned
    ("streams", "i1"),  # seats with a stream of their own, or 1 for one common stock
    ("pile", "u1", (MAX_CARDS,)),  # from the bottom up
    ("pending", PLAY),  # a play that waits for permission
    ("pending_take", "i1"),  # whether it takes the pile
    ("asking", "i1"),  # the partner asked at present
    ("can_take", "i1"),  # whether the pile can be taken in this turn
    ("phase", "i1"),
    ("ended", "i1"),  # 0, OUT or STOCK
    ("out_team", "i1"),  # team that went out, or -1
    ("match", "i8"),
    ("mirror", "i8"),
    ("match_key", "u8"),  # of the counter-based random numbers
    ("deal_key", "u8"),
    ("turn_key", "u8"),
    ("fault", "i4"),  # code of the rule broken (``breaches``), 0 if none
    ("fault_a", "i4"),  # numbers for its sentence
    ("fault_b", "i4"),
    ("left", "i4", T),  # value of the cards left, filled when the deal is over
    ("foot_red_threes", "i2", T),  # red threes in feet not picked up, likewise
    ("totals", "i4", T),  # points in the match, this deal included once it is over
]

RULES_FIELDS: Final = [
    ("players", "i2"),
    ("teams", "i2"),
    ("decks", "i2"),
    ("hand_size", "i2"),
    ("foot_size", "i2"),
    ("deals", "i2"),
    ("draw_count", "i2"),
    ("pile_take", "i2"),
    ("book_size", "i2"),
    ("naturals_per_wild", "i2"),
    ("clean_to_go_out", "i2"),
    ("dirty_to_go_out", "i2"),
    ("wild_to_go_out", "i2"),
    ("partner_foot_turns", "i2"),
    ("wild_melds", "i1"),
    ("start_or_add", "i1"),
    ("partner_permission", "i1"),
    ("discard_to_go_out", "i1"),
    ("bury_twos", "i1"),
    ("dealer_first", "i1"),
    ("value", "i4", K),  # points of each kind; 0 for the red three, which counts by 7.2
    ("bonus_clean", "i4"),
    ("bonus_dirty", "i4"),
    ("bonus_wild", "i4"),
    ("bonus_out", "i4"),
    ("bonus_red_three", "i4"),
]


def _joined(*parts: np.dtype[Any]) -> np.dtype[Any]:
    """One dtype with the fields of all parts, each part laid out as it is by itself."""
    names: list[str] = []
    formats: list[Any] = []
    offsets: list[int] = []
    start = 0
    for part in parts:
        for name, (form, offset, *_) in (part.fields or {}).items():
            names.append(name)
            formats.append(form)
            offsets.append(start + offset)
        start += -(-part.itemsize // 8) * 8
    layout: Any = {
        "names": names,
        "formats": formats,
        "offsets": offsets,
        "itemsize": start,
        "aligned": True,
    }
    joined: np.dtype[Any] = np.dtype(layout)
    return joined


RULES: Final = np.dtype(RULES_FIELDS, align=True)
VIEW: Final = _joined(
    np.dtype(PUBLIC_FIELDS, align=True), np.dtype(PRIVATE_FIELDS, align=True), RULES
)
TABLE: Final = _joined(VIEW, np.dtype([*STAT_FIELDS, *HIDDEN_FIELDS], align=True))

VIEW_SIZE: Final = VIEW.itemsize
RULES_OFFSET: Final = VIEW_SIZE - -(-RULES.itemsize // 8) * 8
RULES_SIZE: Final = RULES.itemsize

ViewRecord: Final = from_dtype(VIEW)
PlayRecord: Final = from_dtype(PLAY)


def kind_values(rules: Rules) -> np.ndarray:
    """Points of each kind [1.3], shape (16,), int32; 0 for the red three."""
    value = np.zeros(PLACES, np.int32)
    value[JOKER], value[TWO], value[BLACK_THREE] = (
        rules.value_joker,
        rules.value_two,
        rules.value_black_three,
    )
    value[FIRST_RANK:8] = rules.value_low
    value[8:LAST_RANK] = rules.value_high
    value[LAST_RANK] = rules.value_ace
    return value


def rules_record(rules: Rules) -> np.ndarray:
    """The rules as compiled code reads them: one record of dtype ``RULES``, shape (1,)."""
    record = np.zeros(1, RULES)
    for name in RULES.names or ():
        if hasattr(rules, name):
            record[name] = getattr(rules, name)
    record["dealer_first"] = rules.first_player == "dealer"
    record["value"] = kind_values(rules)
    return record


def meld_minimums(rules: Rules) -> np.ndarray:
    """Opening minimum of each deal of a match [4.6], shape (deals,), int32."""
    return np.array([rules.minimum(deal) for deal in range(rules.deals)], np.int32)


def full_deck(rules: Rules) -> np.ndarray:
    """All cards in play in order of kind, shape (54 x decks,), uint8 [1.1]."""
    kinds = np.arange(len(PER_PACK), dtype=np.uint8)
    return np.repeat(kinds, np.array(PER_PACK) * rules.decks)
