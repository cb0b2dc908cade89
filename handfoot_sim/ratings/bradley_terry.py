"""Bradley-Terry ratings of all agents from the pairs they won, tied and lost.

The model says that i wins against j with probability s_i / (s_i + s_j); a tied pair counts as half
a win for each (Bradley and Terry, Biometrika 39, 1952). Strengths are found by ``choix`` and
told as Elo: 400 log10(s_i / s_anchor). Each pairing that was played is given one further, tied,
pair, so that an agent that lost everything has a rating too: one that says how far below the others
it is at least. Intervals come from a bootstrap whose unit is the cluster: the sets of mirrors
played with the same cards in all pairings, or a block of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import choix
import numpy as np
from scipy.sparse import csgraph

from handfoot_sim.errors import PlanError

ELO: Final = 400.0 / np.log(10.0)
"""Elo points of one unit of log-strength."""

PRIOR_PAIRS: Final = 1.0
"""Tied pairs added to each pairing that was played."""

REPLICATES: Final = 1000
MOST_CLUSTERS: Final = 2000
"""More clusters than this are joined, neighbours with each other, before they are drawn."""


@dataclass(frozen=True)
class Ratings:
    """Elo by agent with 95 % intervals; all float64, shape (agents,).

    The anchor has exactly its own rating in every replicate. NaN for agents that no chain of
    pairings ties to the anchor. ``bounded`` marks those that won or lost every pair that ties them
    to the rest: their rating is a bound.
    """

    elo: np.ndarray
    low: np.ndarray
    high: np.ndarray
    bounded: np.ndarray


def win_matrix(pairs: np.ndarray, results: np.ndarray, agents: int) -> np.ndarray:
    """Wins with ties as halves, float64, shape (agents, agents): [i, j] counts i beating j.

    ``pairs``: int, shape (pairings, 2), the two agents of each pairing; ``results``: shape
    (pairings, 3), sets of mirrors that the first of them won, tied and lost.
    """
    wins = np.zeros((agents, agents))
    for (i, j), (won, tied, lost) in zip(pairs, results, strict=True):
        wins[i, j] += won + tied / 2.0
        wins[j, i] += lost + tied / 2.0
    return wins


def _with_prior(wins: np.ndarray) -> np.ndarray:
    met = (wins + wins.T) > 0
    return np.asarray(wins + met * PRIOR_PAIRS / 2.0)


def strengths(wins: np.ndarray, start: np.ndarray | None = None) -> np.ndarray:
    """Maximum-likelihood log-strengths, shape (agents,), with mean 0; all agents connected.

    Raises ``PlanError`` where the iteration does not settle.
    """
    try:
        found = choix.ilsr_pairwise_dense(wins, initial_params=start, max_iter=1000)
    except (RuntimeError, ValueError) as error:
        raise PlanError(f"the ratings can't be computed from these results ({error})") from error
    return np.asarray(found - found.mean())


def ratings(
    pairs: np.ndarray,
    clusters: np.ndarray,
    agents: int,
    *,
    anchor: int = 0,
    anchor_elo: float = 0.0,
    seed: int = 0,
    replicates: int = REPLICATES,
) -> Ratings:
    """Ratings with intervals from results by cluster.

    Parameters
    ----------
    pairs
        The two agents of each pairing, which must differ: int, shape (pairings, 2).
    clusters
        Sets of mirrors that the first agent won, tied and lost, for each block of cards: float,
        shape (clusters, pairings, 3).
    agents
        How many agents there are.
    anchor
        Which of them has the rating ``anchor_elo`` by definition.
    anchor_elo
        That rating.
    seed
        Of the bootstrap; the same seed gives the same intervals.
    replicates
        How often blocks are drawn.
    """
    if np.isnan(clusters).any():
        raise PlanError("results hold a value that is not a number; no ratings can be computed")
    elo, low, high = (np.full(agents, np.nan) for _ in range(3))
    wins = win_matrix(pairs, clusters.sum(0), agents)
    tied = csgraph.connected_components((wins + wins.T) > 0, directed=False)[1]
    reached = np.flatnonzero(tied == tied[anchor])
    elo[anchor] = low[anchor] = high[anchor] = anchor_elo
    bounded = _bounded(wins)
    if len(reached) == 1:
        return Ratings(elo, low, high, bounded)
    inner = np.ix_(reached, reached)
    home = int(np.flatnonzero(reached == anchor)[0])
    centre = strengths(_with_prior(wins[inner]))
    elo[reached] = anchor_elo + ELO * (centre - centre[home])
    drawn = np.empty((replicates, len(reached)))
    for number, results in enumerate(resampled(clusters, seed, replicates)):
        sample = win_matrix(pairs, results, agents)[inner]
        sample = sample + ((wins + wins.T)[inner] > 0) * PRIOR_PAIRS / 2.0
        found = strengths(sample, centre)
        drawn[number] = anchor_elo + ELO * (found - found[home])
    if len(clusters) > 1 and replicates > 1:
        low[reached], high[reached] = np.quantile(drawn, (0.025, 0.975), axis=0)
    else:
        low[reached] = high[reached] = np.nan
        low[anchor] = high[anchor] = anchor_elo
    return Ratings(elo, low, high, bounded)


def _bounded(wins: np.ndarray) -> np.ndarray:
    """Agents outside the largest group whose members have beaten each other in a circle.

    Only within such a group are there finite ratings without the added pairs (Ford, American
    Mathematical Monthly 64, 1957).
    """
    _, group = csgraph.connected_components(wins > 0, directed=True, connection="strong")
    sizes = np.bincount(group)
    if sizes.max() == 1:
        return np.ones(len(wins), bool)
    return np.asarray(group != int(sizes.argmax()))


def joined(clusters: np.ndarray, most: int = MOST_CLUSTERS) -> np.ndarray:
    """The clusters, neighbours added up where there are more than ``most``."""
    if len(clusters) <= most:
        return clusters
    step = -(-len(clusters) // most)
    return np.add.reduceat(clusters, np.arange(0, len(clusters), step), axis=0)


def resampled(clusters: np.ndarray, seed: int, replicates: int) -> np.ndarray:
    """Sums over clusters drawn with replacement, shape (replicates, *clusters.shape[1:])."""
    units = joined(clusters)
    draws = np.random.default_rng(seed).multinomial(
        len(units), np.full(len(units), 1.0 / len(units)), size=replicates
    )
    return np.tensordot(draws.astype(np.float64), units.astype(np.float64), axes=1)
