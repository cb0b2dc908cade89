"""Cards as counts over kinds [1.1].

Suits matter only to tell red threes from black threes, so a card is one of 15 *kinds*. A kind's
number is its index everywhere in the library: joker 0, two 1, red three 2, black three 3, and the
natural ranks 4 to 14 (jack 11, queen 12, king 13, ace 14).

Count arrays have 16 places, so that one array is one machine vector; place 15 is always 0.
Melds are named by the same numbers: the meld of rank k stands at place k, the wild meld at
``WILD`` (0).
"""

from __future__ import annotations

from typing import Final

KINDS: Final = ("JK", "2", "3R", "3B", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
KIND_NUMBER: Final = {name: number for number, name in enumerate(KINDS)}

JOKER: Final = 0
TWO: Final = 1
RED_THREE: Final = 2
BLACK_THREE: Final = 3
FIRST_RANK: Final = 4
LAST_RANK: Final = 14
N_KINDS: Final = 15
PLACES: Final = 16
"""Length of every count array; the last place is padding and always 0."""

WILD: Final = 0
"""The place of the wild meld in arrays indexed by meld."""

MELD_NAMES: Final = ("wild", None, None, None, *KINDS[FIRST_RANK:])
MELD_NUMBER: Final = {name: number for number, name in enumerate(MELD_NAMES) if name is not None}

PER_PACK: Final = (2, 4, 2, 2, *([4] * 11))
"""Cards of each kind in one pack of 54 [1.1]."""

PACK_SIZE: Final = sum(PER_PACK)
MAX_DECKS: Final = 30
"""Packs the engine can hold: the count of a kind must fit in one signed byte."""

MAX_CARDS: Final = MAX_DECKS * PACK_SIZE
MAX_SEATS: Final = 6
MAX_TEAMS: Final = 6
