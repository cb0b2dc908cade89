"""Margins of line-ups that met: sums over sets of mirrors that do not grow with their number."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from handfoot_sim.game.state import FORFEIT
from handfoot_sim.stats.blocks import Block
from handfoot_sim.stats.counting import BUCKETS

NARROWEST: Final = 2.5
"""Points of a bin of margins, unless they are spread too wide. Scores are multiples of 5, so with
two mirrors of two teams every margin of a pair has a bin of its own."""
MOST_BINS: Final = 16_384
MOST_STRETCHES: Final = 512
"""Stretches of match numbers by which the running margin is kept."""


class Bins:
    """Counts of numbers in bins [k w, (k + 1) w); w doubles where there would be too many bins.

    What comes of it does not depend on the order in which numbers are added.
    """

    def __init__(self) -> None:
        self.width = NARROWEST
        self.first = 0
        self.counts = np.zeros(0, np.int64)

    def add(self, values: np.ndarray) -> None:
        """Add numbers."""
        if not len(values):
            return
        places = np.floor(values / self.width).astype(np.int64)
        low, high = int(places.min()), int(places.max())
        if len(self.counts):
            low, high = min(low, self.first), max(high, self.first + len(self.counts) - 1)
        if high - low >= MOST_BINS:
            self._double()
            self.add(values)
            return
        grown = np.zeros(high - low + 1, np.int64)
        start = self.first - low if len(self.counts) else 0
        grown[start : start + len(self.counts)] = self.counts
        grown += np.bincount(places - low, minlength=len(grown))
        self.first, self.counts = low, grown

    def _double(self) -> None:
        places = (self.first + np.arange(len(self.counts))) // 2
        self.width *= 2
        self.first = int(places[0]) if len(places) else 0
        self.counts = np.bincount(places - self.first, self.counts).astype(np.int64)

    def quantile(self, share: float) -> float:
        """The lower edge of the bin that holds the smallest value of such a rank; NaN of none."""
        if not len(self.counts):
            return float("nan")
        rank = max(1.0, np.ceil(share * self.counts.sum() - 1e-9))
        place = int(np.searchsorted(np.cumsum(self.counts), rank))
        return (self.first + place) * self.width


class Meeting:
    """Two line-ups that met in a pairing; margins are of the first over the second.

    Attributes
    ----------
    pairing, agent, opponent : number of the pairing and the two labels
    mirrors : times the same cards are played
    sums : float64, shape (BUCKETS, 3): sets, sum of their margins, sum of their outcomes (1 for a
        set won, 1/2 tied)
    squares : sum of the squared margins of sets
    pairs, matches : int64, shape (3,): won, tied, lost by the first
    matches_won : float64, shape (BUCKETS,): matches won, ties as halves
    forfeits : int64, shape (2,): matches forfeited by each
    bins : of the margins of sets
    extremes : smallest and largest of them
    stretches : float64, shape (MOST_STRETCHES, 3): sets, margins and squared margins by stretch
        of ``stretch`` match numbers
    """

    def __init__(self, pairing: int, agent: str, opponent: str, mirrors: int) -> None:
        self.pairing, self.agent, self.opponent = pairing, agent, opponent
        self.mirrors = mirrors
        self.sums = np.zeros((BUCKETS, 3))
        self.squares = 0.0
        self.pairs = np.zeros(3, np.int64)
        self.matches = np.zeros(3, np.int64)
        self.matches_won = np.zeros(BUCKETS)
        self.forfeits = np.zeros(2, np.int64)
        self.bins = Bins()
        self.extremes = (np.inf, -np.inf)
        self.stretch = 1
        self.stretches = np.zeros((MOST_STRETCHES, 3))

    def add(self, match: np.ndarray, margins: np.ndarray, won: np.ndarray) -> None:
        """Add sets: ``margins`` float64, ``won`` -1, 0 or 1, both of shape (sets, mirrors)."""
        margin = margins.mean(1)
        bucket = match % BUCKETS
        self.pairs += [(margin > 0).sum(), (margin == 0).sum(), (margin < 0).sum()]
        self.matches += [(won > 0).sum(), (won == 0).sum(), (won < 0).sum()]
        values = (np.ones(len(margin)), margin, (np.sign(margin) + 1) / 2)
        for place, value in enumerate(values):
            self.sums[:, place] += np.bincount(bucket, value, BUCKETS)
        self.matches_won += np.bincount(bucket, ((won + 1) / 2).sum(1), BUCKETS)
        self.squares += float(np.square(margin).sum())
        self.bins.add(margin)
        self.extremes = (
            min(self.extremes[0], float(margin.min())),
            max(self.extremes[1], float(margin.max())),
        )
        while match.max() // self.stretch >= MOST_STRETCHES:
            halves = self.stretches.reshape(-1, 2, 3).sum(1)
            self.stretches = np.concatenate([halves, np.zeros_like(halves)])
            self.stretch *= 2
        for place, value in enumerate((values[0], margin, np.square(margin))):
            self.stretches[:, place] += np.bincount(match // self.stretch, value, MOST_STRETCHES)


def encounters(
    block: Block,
) -> Iterator[tuple[str, str, np.ndarray, np.ndarray, tuple[int, int]]]:
    """Every two labels that met in a block, in the order of its line-ups.

    With each the margins of the first over the second and who won (-1, 0, 1), both of shape
    (sets, mirrors), and how many matches each of them forfeited. Where one agent has several
    teams, margins are between means, and its best team counts for who won, as in ``tally``. An
    agent that plays itself only meets itself: its first line-up against the others.
    """
    totals = block.columns["score"].sum(2, dtype=np.int64)  # sets, mirrors, teams
    lost = (block.columns["end"][:, :, 0] == FORFEIT) & (totals < 0)
    _, mirrors, _, teams = block.shape
    places = (np.arange(teams) + np.arange(mirrors)[:, None]) % teams
    totals = np.take_along_axis(totals, places[None], 2)  # by line-up
    lost = np.take_along_axis(lost, places[None], 2)
    sides = {label: np.array(block.labels) == label for label in block.labels}
    names = list(sides)
    if len(names) == 1:
        first = np.arange(teams) == 0
        pairs = [(names[0], names[0], first, ~first)]
    else:
        pairs = [(a, b, sides[a], sides[b]) for n, a in enumerate(names) for b in names[n + 1 :]]
    for a, b, own, other in pairs:
        ours, theirs = totals[:, :, own], totals[:, :, other]
        margins = ours.mean(2) - theirs.mean(2)
        won = np.sign(ours.max(2) - theirs.max(2))
        yield a, b, margins, won, (int(lost[:, :, own].sum()), int(lost[:, :, other].sum()))
