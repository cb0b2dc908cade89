"""Laying cards once the team has opened, over arrays of views."""

from __future__ import annotations

import numpy as np

from handfoot_sim.agent.batch_blocks.batch import (
    COUNT,
    RANKS,
    Batch,
    Books,
    Bools,
    Ints,
    Laying,
    nothing_laid,
    wants_wild_meld,
)
from handfoot_sim.game.cards import FIRST_RANK, LAST_RANK, TWO, WILD
from handfoot_sim.game.state import NOTHING, STARTING


def lay_naturals(
    b: Batch, rows: Ints, lay: Laying, budget: Ints, may_start: Bools, may_add: Bools
) -> Books:
    """Lay natural cards on melds, dear ranks first."""
    size, held = b.size[rows, RANKS], b.cards[rows, RANKS]
    allowed = np.where(
        b.open[rows, RANKS],
        may_add[:, None] | b.started[rows, RANKS],
        may_start[:, None],
    )
    count = np.minimum(held, b.book - size)
    count[~allowed | (size + count < 3)] = 0
    tight = np.flatnonzero(count.sum(1, dtype=COUNT) > budget)
    if len(tight):
        count[tight] = _trimmed(count[tight], size[tight], budget[tight])
    lay.naturals[:, RANKS] = count
    closed = (count > 0) & (size + count == b.book)
    dirty = closed & (b.wilds[rows, RANKS] > 0)
    none = np.zeros(len(rows), COUNT)
    return Books(
        count.sum(1, dtype=COUNT),
        (closed & ~dirty).sum(1, dtype=COUNT),
        dirty.sum(1, dtype=COUNT),
        none,
    )


def _trimmed(count: Ints, size: Ints, budget: Ints) -> Ints:
    """``count`` cut down to the budget, dear ranks first; no meld is left with fewer than three."""
    left = budget.copy()
    for k in range(count.shape[1] - 1, -1, -1):
        fits = np.minimum(count[:, k], left)
        fits[size[:, k] + fits < 3] = 0
        count[:, k] = fits
        left -= fits
    return count


def lay_wild_meld(
    b: Batch, rows: Ints, budget: Ints, may_start: Bools, may_add: Bools, least: int
) -> tuple[Ints, Ints, Ints]:
    """Wild cards to lay on the wild meld, starting one with ``least``; (twos, jokers, books)."""
    held, size = b.wilds_held[rows], b.size[rows, WILD]
    allowed = np.where(
        b.open[rows, WILD], may_add | b.started[rows, WILD], may_start & (held >= least)
    )
    count = np.minimum(np.minimum(held, b.book - size), budget)
    count = np.where(allowed & (count > 0) & (size + count >= 3), count, 0)
    twos = np.minimum(b.cards[rows, TWO], count)
    return twos, count - twos, ((count > 0) & (size + count == b.book)).astype(COUNT)


def lay_dirty(
    b: Batch, rows: Ints, lay: Laying, budget: Ints, may_start: Bools, may_add: Bools
) -> tuple[Ints, Ints]:
    """Lay wild cards on natural melds: on those that may or should be dirty, and on pairs.

    ``lay`` holds the naturals already laid by the rows. Returns (cards, dirty books).
    """
    r = b.rules
    down = slice(LAST_RANK, FIRST_RANK - 1, -1)
    opened, fresh = b.open[rows, down], lay.naturals[:, down]
    naturals, wilds = b.naturals[rows, down] + fresh, b.wilds[rows, down]
    on_meld = opened | (fresh > 0)
    free = (b.dirty[rows] < r["dirty_to_go_out"]) | (b.clean[rows] >= r["clean_to_go_out"])
    fit = on_meld & (~opened | may_add[:, None] | b.started[rows, down])
    fit &= (wilds > 0) | free[:, None]
    room = np.minimum(b.book - naturals - wilds, naturals // b.per_wild - wilds)
    most = np.where(fit, np.maximum(room, 0), 0)
    pair = ~on_meld & may_start[:, None] & (b.cards[rows, down] == 2) & (b.per_wild <= 2)
    most[pair] = 1
    held = b.wilds_held[rows]
    count = np.clip(held[:, None] - _before(most), 0, most)
    tight = np.flatnonzero(
        count.sum(1, dtype=COUNT) + 2 * (pair & (count > 0)).sum(1, dtype=COUNT) > budget
    )
    for row in tight:
        count[row] = _wilds_within(most[row], pair[row], int(held[row]), int(budget[row]))
    pair &= count > 0
    lay.naturals[:, down][pair] = 2
    from_twos = np.clip(b.cards[rows, TWO][:, None] - _before(count), 0, count)
    lay.twos[:, down] += from_twos
    lay.jokers[:, down] += count - from_twos
    dirty = on_meld & (count > 0) & (naturals + wilds + count == b.book)
    return (count + 2 * pair).sum(1, dtype=COUNT), dirty.sum(1, dtype=COUNT)


def _before(counts: Ints) -> Ints:
    """What the columns before each one hold together."""
    return np.asarray(np.cumsum(counts, 1, dtype=COUNT) - counts)


def _wilds_within(most: Ints, pair: Bools, held: int, budget: int) -> list[int]:
    """Wild cards laid on each meld, in order, of ``held`` and within ``budget`` cards."""
    counts = []
    for room, is_pair in zip(most.tolist(), pair.tolist(), strict=True):
        if is_pair:
            count = 1 if held > 0 and budget >= 3 else 0
            budget -= 2 * count
        else:
            count = max(0, min(room, held, budget))
        held -= count
        budget -= count
        counts.append(count)
    return counts


def fill(
    b: Batch,
    rows: Ints,
    budget: Ints,
    may_start: Bools,
    may_add: Bools,
    wild_start: int,
    rush: int,
) -> tuple[Laying, Books]:
    """Lay all that can be laid within ``budget`` cards in one play a row (see ``blocks.fill``)."""
    lay = nothing_laid(len(rows))
    books = lay_naturals(b, rows, lay, budget, may_start, may_add)
    wanted = wants_wild_meld(b)[rows]
    some = b.wilds_held[rows] > 0
    on_wild = np.flatnonzero(wanted & some)
    more = np.zeros(len(rows), COUNT)
    if len(on_wild):
        twos, jokers, closed = lay_wild_meld(
            b, rows[on_wild], (budget - books.cards)[on_wild], may_start[on_wild],
            may_add[on_wild], wild_start,
        )  # fmt: skip
        lay.twos[on_wild, WILD] = twos
        lay.jokers[on_wild, WILD] = jokers
        more[on_wild] = twos + jokers
        books.wild[on_wild] += closed
        books.cards += more
    hurry = ~b.in_foot[rows] & (b.held[rows] - books.cards <= rush)
    on_dirty = np.flatnonzero(some & (more == 0) & (~wanted | hurry))
    if len(on_dirty):
        part = Laying(lay.naturals[on_dirty], lay.twos[on_dirty], lay.jokers[on_dirty])
        count, dirtied = lay_dirty(
            b, rows[on_dirty], part, (budget - books.cards)[on_dirty],
            may_start[on_dirty], may_add[on_dirty],
        )  # fmt: skip
        lay.put(on_dirty, part)
        books.cards[on_dirty] += count
        books.dirty[on_dirty] += dirtied
    return lay, books


def worth_of_ways(b: Batch, rows: Ints, wild_start: int, book_weight: int) -> tuple[Ints, Ints]:
    """What the two ways of rule 4.5 lay: (cards by starting, cards by adding)."""
    size, held = b.size[rows, RANKS], b.cards[rows, RANKS]
    count = np.minimum(held, b.book - size)
    worth = count + book_weight * (count == b.book - size)
    adding = (worth * (size > 0)).sum(1, dtype=COUNT)
    starting = (worth * ((size == 0) & (held >= 3))).sum(1, dtype=COUNT)
    size, held = b.size[rows, WILD], b.wilds_held[rows]
    count = np.minimum(held, b.book - size)
    worth = (count + book_weight * (count == b.book - size)) * (
        (held > 0) & wants_wild_meld(b)[rows]
    )
    adding += worth * (size > 0)
    starting += worth * ((size == 0) & (held >= wild_start))
    return starting, adding


def fill_best(
    b: Batch, rows: Ints, budget: Ints, wild_start: int, rush: int, book_weight: int
) -> tuple[Laying, Books]:
    """``fill`` in the better of the two ways that rule 4.5 leaves (see ``blocks.fill_best``)."""
    both = np.ones(len(rows), bool)
    if not b.rules["start_or_add"]:
        return fill(b, rows, budget, both, both, wild_start, rush)
    mode = b.mode[rows]
    start_first = mode == STARTING
    free = np.flatnonzero(mode == NOTHING)
    starting, adding = worth_of_ways(b, rows[free], wild_start, book_weight)
    start_first[free] = starting > adding
    lay, books = fill(b, rows, budget, start_first, ~start_first, wild_start, rush)
    again = np.flatnonzero((books.cards == 0) & (mode == NOTHING))
    if len(again):
        part, figures = fill(
            b, rows[again], budget[again], ~start_first[again], start_first[again],
            wild_start, rush,
        )  # fmt: skip
        lay.put(again, part)
        books.put(again, figures)
    return lay, books


def may_lay_something(b: Batch) -> Bools:
    """Whether there is any card that could be laid, whatever it would leave: a quick look."""
    held, opened = b.cards[:, RANKS], b.open[:, RANKS]
    adds = (opened & (held > 0)).any(1)
    starts = (~opened & (held >= 3)).any(1)
    wild = b.wilds_held > 0
    if not b.rules["start_or_add"]:
        return adds | starts | wild
    again = (opened & b.started[:, RANKS] & (held > 0)).any(1)
    by_mode = [adds | starts, starts | again, adds]
    return wild | np.choose(b.mode, by_mode)
