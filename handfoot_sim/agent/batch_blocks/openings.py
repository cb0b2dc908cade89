"""Opening plays over arrays of views."""

from __future__ import annotations

import numpy as np

from handfoot_sim.agent.batch_blocks.batch import (
    COUNT,
    NO_TOP,
    RANKS,
    Batch,
    Ints,
    Laying,
    nothing_laid,
)
from handfoot_sim.game.cards import FIRST_RANK, JOKER, LAST_RANK, TWO, WILD


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
    needy = np.flatnonzero((points < minimum) & (twos + jokers > 0))
    if len(needy):
        part = Laying(lay.naturals[needy], lay.twos[needy], lay.jokers[needy])
        points = points.copy()
        points[needy] = _open_with_wilds(
            b, part, held[needy], twos[needy], jokers[needy], points[needy], minimum[needy]
        )
        lay.put(needy, part)
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
