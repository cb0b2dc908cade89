"""What batch blocks read of an array of views, and the plays they build."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from handfoot_sim.game.cards import FIRST_RANK, JOKER, N_KINDS, PLACES, TWO, WILD

Ints = NDArray[np.signedinteger[Any]]
Bools = NDArray[np.bool_]

COUNT: Final = np.int16
"""Type of card counts: narrow, since most of the time goes into moving them through the caches."""

NO_TOP: Final = -1
NEVER: Final = np.int32(-(2**30))
RANKS: Final = slice(FIRST_RANK, N_KINDS)
BITS: Final = 1 << np.arange(PLACES, dtype=np.int64)


class Batch:
    """What the blocks read of n views; rules are the same in all of them.

    Arrays of shape (n, 16): ``cards``, and of the own team's open melds ``naturals``, ``wilds``,
    ``size`` and ``open``; of shape (n,): what the view's fields of that name say, for the own
    seat or team where the field is by seat or team. ``rules`` is one view, for the rules.
    """

    def __init__(self, views: np.ndarray) -> None:
        self.views = views
        self.rules = views[0]
        rows = np.arange(len(views))
        seat, team = views["seat"], views["team"]
        self.cards: Ints = views["cards"].astype(COUNT)
        self.naturals: Ints = views["naturals"][rows, team].astype(COUNT)
        twos, jokers = views["twos"][rows, team], views["jokers"][rows, team]
        self.wilds: Ints = twos.astype(COUNT) + jokers
        self.size: Ints = self.naturals + self.wilds
        self.open: Bools = self.size > 0
        started = views["started"].astype(np.int64)[:, None]
        self.started: Bools = (started & BITS) != 0
        self.wilds_held: Ints = self.cards[:, TWO] + self.cards[:, JOKER]
        self.held: Ints = views["held"][rows, seat].astype(COUNT)
        self.in_foot: Bools = views["in_foot"][rows, seat] != 0
        self.opened: Bools = views["opened"][rows, team] != 0
        self.clean: Ints = views["clean"][rows, team].astype(COUNT)
        self.dirty: Ints = views["dirty"][rows, team].astype(COUNT)
        self.wild: Ints = views["wild"][rows, team].astype(COUNT)
        self.mode: Ints = views["mode"].astype(COUNT)
        self.value: Ints = self.rules["value"].astype(np.int64)
        self.book = int(self.rules["book_size"])
        self.per_wild = int(self.rules["naturals_per_wild"])

    def __len__(self) -> int:
        return len(self.views)


@dataclass
class Laying:
    """A play for each row: cards laid on each meld, shape (n, 16) each."""

    naturals: Ints
    twos: Ints
    jokers: Ints

    def write(self, plays: np.ndarray, rows: Ints) -> None:
        """Write the plays into those of ``rows``."""
        plays["naturals"][rows] = self.naturals
        plays["twos"][rows] = self.twos
        plays["jokers"][rows] = self.jokers

    def put(self, rows: Ints, other: Laying) -> None:
        """Replace the plays of ``rows``."""
        for name in ("naturals", "twos", "jokers"):
            getattr(self, name)[rows] = getattr(other, name)


def nothing_laid(count: int) -> Laying:
    """``count`` empty plays."""
    return Laying(*(np.zeros((count, PLACES), COUNT) for _ in range(3)))


@dataclass
class Books:
    """What plays come to, shape (n,) each: cards laid, and books closed by type."""

    cards: Ints
    clean: Ints
    dirty: Ints
    wild: Ints

    def put(self, rows: Ints, other: Books) -> None:
        """Replace the figures of ``rows``."""
        for name in ("cards", "clean", "dirty", "wild"):
            getattr(self, name)[rows] = getattr(other, name)


def partners_ready(views: np.ndarray) -> Bools:
    """Every partner is in the foot and has ended enough turns there [6.4]."""
    ready = np.ones(len(views), bool)
    rules, rows = views[0], np.arange(len(views))
    players, teams = int(rules["players"]), int(rules["teams"])
    for step in range(teams, players, teams):
        partner = (views["seat"] + step) % players
        ready &= views["in_foot"][rows, partner] != 0
        ready &= views["foot_turns"][rows, partner] >= rules["partner_foot_turns"]
    return ready


def books_suffice(b: Batch, rows: Ints, books: Books) -> Bools:
    """Whether the books of these rows and those closed are enough to go out [6.4]."""
    r = b.rules
    return np.asarray(
        (b.clean[rows] + books.clean >= r["clean_to_go_out"])
        & (b.dirty[rows] + books.dirty >= r["dirty_to_go_out"])
        & (b.wild[rows] + books.wild >= r["wild_to_go_out"])
    )


def wants_wild_meld(b: Batch) -> Bools:
    """Whether wild cards go to the wild meld: one is open, or books of it are missing."""
    if not b.rules["wild_melds"]:
        return np.zeros(len(b), bool)
    return b.open[:, WILD] | (b.wild < max(1, int(b.rules["wild_to_go_out"])))
