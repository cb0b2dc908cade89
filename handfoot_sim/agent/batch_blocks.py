"""The building blocks of ``blocks`` over arrays of views, in plain NumPy, for batch agents.

A ``Batch`` holds what the blocks read of n views. Plays are built in a
``Laying``, arrays of shape (n, 16), and written out at the end. Each function does for every row
exactly what its scalar namesake does for one view; rows are chosen by index arrays, so that the
rarer branches cost little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from handfoot_sim.game.cards import (
    BLACK_THREE,
    FIRST_RANK,
    JOKER,
    LAST_RANK,
    N_KINDS,
    PLACES,
    TWO,
    WILD,
)
from handfoot_sim.game.state import NOTHING, STARTING

Ints = NDArray[np.signedinteger[Any]]
Bools = NDArray[np.bool_]

COUNT: Final = np.int16
"""Type of card counts: narrow, since most of the time goes into moving them through the caches."""

NO_TOP: Final = -1
NEVER: Final = -1_000_000_000_000
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
    rules = views[0]
    for seat in range(rules["players"]):
        partner = (views["seat"] != seat) & (views["team"] == seat % rules["teams"])
        fit = (views["in_foot"][:, seat] != 0) & (
            views["foot_turns"][:, seat] >= rules["partner_foot_turns"]
        )
        ready &= ~partner | fit
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
    b: Batch, rows: Ints, lay: Laying, budget: Ints, may_start: Bools, may_add: Bools, least: int
) -> tuple[Ints, Ints]:
    """Lay wild cards on the wild meld, starting one with ``least`` or more; (cards, books)."""
    held, size = b.wilds_held[rows], b.size[rows, WILD]
    allowed = np.where(
        b.open[rows, WILD], may_add | b.started[rows, WILD], may_start & (held >= least)
    )
    count = np.minimum(np.minimum(held, b.book - size), budget)
    count = np.where(allowed & (count > 0) & (size + count >= 3), count, 0)
    twos = np.minimum(b.cards[rows, TWO], count)
    lay.twos[:, WILD] = twos
    lay.jokers[:, WILD] = count - twos
    return count, ((count > 0) & (size + count == b.book)).astype(COUNT)


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
        part = nothing_laid(len(on_wild))
        count, closed = lay_wild_meld(
            b, rows[on_wild], part, (budget - books.cards)[on_wild],
            may_start[on_wild], may_add[on_wild], wild_start,
        )  # fmt: skip
        lay.twos[on_wild, WILD] = part.twos[:, WILD]
        lay.jokers[on_wild, WILD] = part.jokers[:, WILD]
        more[on_wild] = count
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


def lay_all(
    views: np.ndarray, plays: np.ndarray, wild_start: int, rush: int, book_weight: int
) -> Bools:
    """Lay all that can be laid, opening or going out where allowed (see ``blocks.lay_all``).

    Writes the plays and returns, shape (n,), whether each lays anything.
    """
    b = Batch(views)
    laid = np.zeros(len(b), bool)
    unopened = np.flatnonzero(~b.opened)
    if len(unopened):
        laid[unopened] = opening(b, unopened, plays, np.full(len(unopened), NO_TOP)) > 0
    ways = (wild_start, rush, book_weight)
    able = b.opened & may_lay_something(b)
    hand = np.flatnonzero(able & ~b.in_foot)
    if len(hand):
        lay, books = fill_best(b, hand, b.held[hand], *ways)
        lay.write(plays, hand)
        laid[hand] = books.cards > 0
    foot = able & b.in_foot
    out = np.flatnonzero(foot & (views["refused"] == 0) & partners_ready(views))
    if len(out):
        lay, books = fill_best(b, out, b.held[out] - 1, *ways)
        keeps = b.held[out] - books.cards >= 2
        done = keeps | books_suffice(b, out, books)
        lay.write(plays, out)
        laid[out] = np.where(keeps, books.cards > 0, True)
        foot[out[done]] = False
    rest = np.flatnonzero(foot)
    if len(rest):
        lay, books = fill_best(b, rest, b.held[rest] - 2, *ways)
        lay.write(plays, rest)
        laid[rest] = books.cards > 0
    return laid


def _open_with_naturals(b: Batch, lay: Laying, held: Ints) -> Ints:
    """Lay all ranks of which three or more are held; the points."""
    count = np.where(held[:, RANKS] >= 3, np.minimum(held[:, RANKS], b.book), 0)
    lay.naturals[:, RANKS] = count
    return np.asarray(count @ b.value[RANKS])


def _open_with_wilds(
    b: Batch, lay: Laying, held: Ints, twos: Ints, jokers: Ints, points: Ints, minimum: Ints
) -> Ints:
    """Add wild cards to an opening, to pairs first, then to longer melds; the points."""
    twos, jokers, points = twos.copy(), jokers.copy(), points.copy()
    for pairs in (True, False):
        if pairs and b.per_wild > 2:
            continue
        for rank in range(LAST_RANK, FIRST_RANK - 1, -1):
            naturals = lay.naturals[:, rank]
            if pairs:
                fits = held[:, rank] == 2
            else:
                fits = (naturals >= max(3, b.per_wild)) & (naturals < b.book)
            fits &= (points < minimum) & (twos + jokers > 0)
            if pairs:
                lay.naturals[fits, rank] = 2
                points += 2 * b.value[rank] * fits
            joker = fits & (jokers > 0)
            two = fits & ~joker
            lay.jokers[:, rank] += joker
            lay.twos[:, rank] += two
            jokers -= joker
            twos -= two
            points += joker * b.value[JOKER] + two * b.value[TWO]
    return points


def _open_with_wild_meld(
    b: Batch, lay: Laying, twos: Ints, jokers: Ints, points: Ints, minimum: Ints
) -> Ints:
    """Start a wild meld, of as few cards as the minimum takes; the points."""
    most = np.minimum(twos + jokers, b.book)
    count = np.full(len(points), 3, np.int64)
    while True:
        dear = np.minimum(jokers, count)
        total = points + dear * b.value[JOKER] + (count - dear) * b.value[TWO]
        longer = (count < most) & (total < minimum)
        if not longer.any():
            break
        count += longer
    lay.jokers[:, WILD] = dear
    lay.twos[:, WILD] = count - dear
    return np.asarray(total)


def opening(b: Batch, rows: Ints, plays: np.ndarray, top: Ints) -> Ints:
    """Write an opening for each of ``rows`` (see ``blocks.opening``); points, 0 where none.

    ``top``, shape (rows,), is the kind of the pile's top card where the pile is to be taken, or
    ``NO_TOP``.
    """
    lay = nothing_laid(len(rows))
    held = b.cards[rows].copy()
    taking = np.flatnonzero(top >= FIRST_RANK)
    held[taking, top[taking]] += 1
    twos, jokers = b.cards[rows, TWO].copy(), b.cards[rows, JOKER].copy()
    minimum = b.views["minimum"][rows].astype(np.int64)
    points = _open_with_naturals(b, lay, held)
    for kind, own, laid in ((TWO, twos, lay.twos), (JOKER, jokers, lay.jokers)):
        wild_top = top == kind
        laid[wild_top, WILD] = 3
        own -= 2 * wild_top
        points += 3 * b.value[kind] * wild_top
    plain = points
    points = _open_with_wilds(b, lay, held, twos, jokers, points, minimum)
    natural_top = (top > TWO) | (top == NO_TOP)
    short = natural_top & (points < minimum) & (twos + jokers >= 3)
    if b.rules["wild_melds"] and short.any():
        again = np.flatnonzero(short)
        part = nothing_laid(len(again))
        _open_with_naturals(b, part, held[again])
        points[again] = _open_with_wild_meld(
            b, part, twos[again], jokers[again], plain[again], minimum[again]
        )
        lay.put(again, part)
    bad = points < minimum
    bad |= ~natural_top & (not b.rules["wild_melds"])
    joining = np.where(top != NO_TOP, b.views["take_size"][rows], 0)
    cards = (lay.naturals + lay.twos + lay.jokers).sum(1, dtype=COUNT)
    bad |= b.in_foot[rows] & (b.held[rows] - cards + joining < 2)
    lay.put(np.flatnonzero(bad), nothing_laid(int(bad.sum())))
    lay.write(plays, rows)
    return np.where(bad, 0, points)


def take(views: np.ndarray, plays: np.ndarray) -> Bools:
    """Write the first play of a taking for each view (see ``blocks.take``); which have one."""
    b = Batch(views)
    top = views["top"].astype(np.int64)
    taken = np.zeros(len(b), bool)
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
    cards: NDArray[Any] = views["cards"].astype(np.int64)
    value = views[0]["value"].astype(np.int64)
    rows = np.arange(len(views))
    open_melds = views["open_melds"][rows, views["team"]].astype(np.int64)[:, None]
    is_open = (open_melds & BITS[RANKS]) != 0
    held = cards[:, RANKS]
    worth = -10 * held - value[RANKS] // 5 - open_weight * is_open
    ranks = np.arange(FIRST_RANK, N_KINDS)
    best = np.where(held > 0, worth * PLACES + PLACES - ranks, NEVER).max(1)
    cheap_two = (cards[:, TWO] > 0) & ((cards[:, JOKER] == 0) | (value[TWO] <= value[JOKER]))
    natural = PLACES - (best - 1) % PLACES - 1
    wild = np.where(cheap_two, TWO, JOKER)
    kind = np.where(best > NEVER, natural, wild)
    return np.where(cards[:, BLACK_THREE] > 0, BLACK_THREE, kind)
