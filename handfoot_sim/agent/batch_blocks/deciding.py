"""Whole decisions over arrays of views: all that can be laid, a taking, a discard."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from handfoot_sim.agent.batch_blocks.batch import (
    BITS,
    NEVER,
    NO_TOP,
    RANKS,
    Batch,
    Bools,
    Ints,
    books_suffice,
    nothing_laid,
    partners_ready,
)
from handfoot_sim.agent.batch_blocks.laying import fill_best, may_lay_something
from handfoot_sim.agent.batch_blocks.openings import opening
from handfoot_sim.game.cards import BLACK_THREE, FIRST_RANK, JOKER, N_KINDS, PLACES, TWO, WILD


def lay_all(
    views: np.ndarray, plays: np.ndarray, wild_start: int, rush: int, book_weight: int
) -> Bools:
    """Lay all that can be laid, opening or going out where allowed (see ``blocks.lay_all``).

    Writes the plays and returns, shape (n,), whether each lays anything.
    """
    laid = np.zeros(len(views), bool)
    if not len(views):
        return laid
    b = Batch(views)
    unopened = np.flatnonzero(~b.opened)
    if len(unopened):
        laid[unopened] = opening(b, unopened, plays, np.full(len(unopened), NO_TOP)) > 0
    rows = np.flatnonzero(b.opened & may_lay_something(b))
    if not len(rows):
        return laid
    ways = (wild_start, rush, book_weight)
    may_go_out = b.in_foot & (views["refused"] == 0) & partners_ready(views)
    keep = np.where(b.in_foot, 2, 0) - may_go_out
    lay, books = fill_best(b, rows, b.held[rows] - keep[rows], *ways)
    # Those that would be left with one card but may not go out with it keep two.
    one_left = may_go_out[rows] & (b.held[rows] - books.cards < 2)
    again = np.flatnonzero(one_left & ~books_suffice(b, rows, books))
    if len(again):
        part, figures = fill_best(b, rows[again], b.held[rows[again]] - 2, *ways)
        lay.put(again, part)
        books.put(again, figures)
    lay.write(plays, rows)
    laid[rows] = books.cards > 0
    return laid


def take(views: np.ndarray, plays: np.ndarray) -> Bools:
    """Write the first play of a taking for each view (see ``blocks.take``); which have one."""
    taken = np.zeros(len(views), bool)
    if not len(views):
        return taken
    b = Batch(views)
    top = views["top"].astype(np.int64)
    unopened = np.flatnonzero(~b.opened)
    if len(unopened):
        taken[unopened] = opening(b, unopened, plays, top[unopened]) > 0
    rows = np.flatnonzero(b.opened)
    if len(rows):
        tops = top[rows]
        place = np.where(tops >= FIRST_RANK, tops, WILD)
        count = np.minimum(b.cards[rows, tops] + 1, b.book - b.size[rows, place])
        left = b.held[rows] + views["take_size"][rows]
        count = np.where(b.in_foot[rows] & (left - count < 2), 3, count)
        lay = nothing_laid(len(rows))
        at = np.arange(len(rows))
        lay.naturals[at, place] = np.where(tops >= FIRST_RANK, count, 0)
        lay.twos[at, WILD] = np.where(tops == TWO, count, 0)
        lay.jokers[at, WILD] = np.where(tops == JOKER, count, 0)
        lay.write(plays, rows)
        taken[rows] = ~b.in_foot[rows] | (left - count >= 2)
    return taken


def cheapest_discard(views: np.ndarray, open_weight: int) -> Ints:
    """The kind that costs least to discard, for each view (see ``blocks.cheapest_discard``)."""
    if not len(views):
        return np.zeros(0, np.int64)
    cards: NDArray[Any] = views["cards"].astype(np.int32)
    value = views[0]["value"].astype(np.int32)
    rows = np.arange(len(views))
    open_melds = views["open_melds"][rows, views["team"]].astype(np.int64)[:, None]
    is_open = ((open_melds & BITS[RANKS]) != 0).astype(np.int32)
    held = cards[:, RANKS]
    worth = -10 * held - value[RANKS] // 5 - open_weight * is_open
    places_left = PLACES - np.arange(FIRST_RANK, N_KINDS, dtype=np.int32)
    best = np.where(held > 0, worth * PLACES + places_left, NEVER).max(1)
    cheap_two = (cards[:, TWO] > 0) & ((cards[:, JOKER] == 0) | (value[TWO] <= value[JOKER]))
    natural = PLACES - (best - 1) % PLACES - 1
    wild = np.where(cheap_two, TWO, JOKER)
    kind = np.where(best > NEVER, natural, wild)
    return np.where(cards[:, BLACK_THREE] > 0, BLACK_THREE, kind)
