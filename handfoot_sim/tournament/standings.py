"""Standings of a tournament from the ledgers of its pairings.

Pairings share cards: block number k of every pairing is played with the same cards. All that is
said of several pairings together has an interval over these blocks, which are independent of each
other; what is said of one pairing has one over its sets of mirrors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from handfoot_sim.ratings.bradley_terry import Ratings, joined, ratings
from handfoot_sim.ratings.payoff import (
    cycles,
    false_discovery,
    holm,
    mean_p_value,
    nash_mix,
    payoff_matrix,
)
from handfoot_sim.runs.ledger import Ledger
from handfoot_sim.tally import Estimate, Tally, mean_estimate, share_estimate, student

SURE = 0.05
"""Corrected p-values below this count as shown."""


@dataclass(frozen=True)
class Encounter:
    """A pairing of two entrants (by number) with its results; ``number`` is the pairing's."""

    number: int
    a: int
    b: int
    ledger: Ledger

    @property
    def tally(self) -> Tally:
        """Its figures."""
        return self.ledger.tally

    @property
    def margin(self) -> Estimate:
        """Mean paired margin of a over b, points a match."""
        total, squares = (float(x) for x in self.tally.margin)
        return mean_estimate(total, squares, self.tally.sets)


@dataclass(frozen=True)
class Standing:
    """An entrant's place: against the whole field it met.

    ``margin``: mean over its opponents of its mean paired margin, points a match; ``share``:
    proportion of sets of mirrors won, ties as halves; ``bounded``: its rating is only a bound.
    """

    entrant: int
    label: str
    elo: float
    low: float
    high: float
    bounded: bool
    margin: Estimate
    share: Estimate
    sets: int
    matches: int


@dataclass(frozen=True)
class Comparison:
    """A pairing with its p-value (margin 0), and those corrected for all pairings."""

    encounter: Encounter
    p: float
    holm: float
    fdr: float


@dataclass(frozen=True)
class Field:
    """All that is told of the pairings played by the same rules.

    ``standings`` from the best rating down; ``payoffs``: shape (entrants, entrants), NaN where two
    have not met; ``nash``: shape (entrants,), or None with pairings missing; ``circles``: entrants
    that beat each other in a circle, by Holm's p-values.
    """

    labels: tuple[str, ...]
    standings: list[Standing]
    comparisons: list[Comparison]
    payoffs: np.ndarray
    nash: np.ndarray | None
    circles: list[tuple[int, ...]]


def clusters_of(encounters: Sequence[Encounter], columns: slice) -> np.ndarray:
    """Sums by block of cards, shape (blocks, encounters, columns); 0 where nothing was played."""
    blocks = [each.ledger.blocks for each in encounters]
    longest = max((len(each) for each in blocks), default=0)
    width = len(range(*columns.indices(5)))
    clusters = np.zeros((longest, len(blocks), width))
    for place, each in enumerate(blocks):
        clusters[: len(each), place] = each[:, columns]
    return clusters


def clustered_mean(sums: np.ndarray, counts: np.ndarray, weights: np.ndarray) -> Estimate:
    """Weighted sum over pairings of their own means, with an interval over blocks of cards.

    ``sums``, ``counts``: float64, shape (blocks, pairings): sums of a figure over sets of mirrors,
    and how many sets; ``weights``: shape (pairings,). The variance is that of the sum over blocks
    of their influence, so what pairings with the same cards share is in it (Liang and Zeger,
    Biometrika 73, 1986). NaN without results; no interval from a single block.
    """
    sums, counts = joined(sums), joined(counts)
    totals = counts.sum(0)
    if not len(sums) or not totals.all():
        return Estimate(float("nan"), float("nan"), float("nan"), int(totals.sum()))
    means = sums.sum(0) / totals
    value = float(means @ weights)
    if len(sums) < 2:
        return Estimate(value, float("nan"), float("nan"), int(totals.sum()))
    influence = ((sums - counts * means) / totals) @ weights
    blocks = len(sums)
    error = float(np.sqrt(np.square(influence).sum() * blocks / (blocks - 1)))
    half = student(blocks - 1) * error
    return Estimate(value, value - half, value + half, int(totals.sum()))


def clustered_proportion(sums: np.ndarray, counts: np.ndarray) -> Estimate:
    """A proportion over all sets of mirrors, Wilson's interval widened for what blocks share.

    As ``tally.clustered_share``, with the design effect of blocks of cards over all pairings.
    """
    sums, counts = joined(sums).sum(1), joined(counts).sum(1)
    trials = float(counts.sum())
    if not trials:
        return share_estimate(0.0, 0.0)
    share = float(sums.sum()) / trials
    alone = share * (1.0 - share) / trials
    effect = 1.0
    if len(sums) > 1 and alone > 0.0:
        spread = np.square((sums - counts * share) / trials).sum() * len(sums) / (len(sums) - 1)
        effect = max(1.0, float(spread) / alone)
    estimate = share_estimate(share * trials / effect, trials / effect)
    return Estimate(share, estimate.low, estimate.high, round(trials))


def field_of(
    labels: Sequence[str], encounters: Sequence[Encounter], anchor: int = 0, seed: int = 0
) -> Field:
    """Standings, payoffs and comparisons of entrants that met by the same rules.

    Encounters without a result yet are left out. ``anchor`` has the rating 0.
    """
    met = [each for each in encounters if each.tally.sets]
    apart = [each for each in met if each.a != each.b]
    pairs = np.array([(each.a, each.b) for each in apart], np.int64).reshape(-1, 2)
    results = clusters_of(apart, slice(0, 3))
    rated = ratings(pairs, results, len(labels), anchor=anchor, seed=seed)
    compared = comparisons_of(met)
    beats = np.zeros((len(labels), len(labels)), bool)
    for each in compared:
        if each.holm < SURE:
            a, b = each.encounter.a, each.encounter.b
            winner, loser = (a, b) if each.encounter.margin.value > 0 else (b, a)
            beats[winner, loser] = True
    payoffs = payoff_matrix(pairs, np.array([each.margin.value for each in apart]), len(labels))
    standings = [standing_of(n, label, met, rated) for n, label in enumerate(labels)]
    standings.sort(key=lambda each: (np.isnan(each.elo), -each.elo, each.entrant))
    return Field(tuple(labels), standings, compared, payoffs, nash_mix(payoffs), cycles(beats))


def comparisons_of(met: Sequence[Encounter]) -> list[Comparison]:
    """Every pairing with its p-value, and those corrected over all of them."""
    p_values = [
        mean_p_value(each.tally.sets, float(each.tally.margin[0]), float(each.tally.margin[1]))
        for each in met
    ]
    corrected = zip(met, p_values, holm(p_values), false_discovery(p_values), strict=True)
    return [Comparison(each, p, float(h), float(f)) for each, p, h, f in corrected]


def standing_of(number: int, label: str, met: Sequence[Encounter], rated: Ratings) -> Standing:
    """An entrant's standing from the encounters it took part in."""
    own = [each for each in met if number in (each.a, each.b)]
    signs = np.array([1.0 if each.a == number else -1.0 for each in own])
    sums = clusters_of(own, slice(0, 5))
    counts = sums[:, :, :3].sum(2)
    won = np.where(signs > 0, sums[:, :, 0], sums[:, :, 2]) + sums[:, :, 1] / 2.0
    return Standing(
        entrant=number,
        label=label,
        elo=float(rated.elo[number]),
        low=float(rated.low[number]),
        high=float(rated.high[number]),
        bounded=bool(rated.bounded[number]),
        margin=field_margin(own, signs, sums, counts),
        share=clustered_proportion(won, counts),
        sets=int(counts.sum()),
        matches=sum(each.tally.matches for each in own),
    )


def field_margin(
    own: Sequence[Encounter], signs: np.ndarray, sums: np.ndarray, counts: np.ndarray
) -> Estimate:
    """Mean margin against the field; a single opponent's has the interval of its own sets."""
    if len(own) == 1:
        margin = own[0].margin
        if signs[0] > 0:
            return margin
        return Estimate(-margin.value, -margin.high, -margin.low, margin.n)
    return clustered_mean(sums[:, :, 3], counts, signs / max(1, len(signs)))
