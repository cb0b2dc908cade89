"""Ratings against an independent maximum of the likelihood, and at the edges."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import optimize

from handfoot_sim.errors import PlanError
from handfoot_sim.ratings.bradley_terry import (
    ELO,
    PRIOR_PAIRS,
    joined,
    ratings,
    resampled,
    win_matrix,
)


def field(strength: list[float], sets: int, clusters: int, seed: int) -> tuple[np.ndarray, ...]:
    """All pairings of agents of these log-strengths, results by cluster."""
    random = np.random.default_rng(seed)
    pairs = np.array([(i, j) for i in range(len(strength)) for j in range(i + 1, len(strength))])
    gaps = np.array([strength[i] - strength[j] for i, j in pairs])
    won = random.binomial(sets, 1 / (1 + np.exp(-gaps)), (clusters, len(pairs)))
    return pairs, np.stack([won, np.zeros_like(won), sets - won], axis=2)


def test_two_agents_by_hand() -> None:
    """60 won, 10 tied, 29 lost and the added tied pair: 65.5 to 34.5."""
    clusters = np.array([[[60, 10, 29]]])
    found = ratings(np.array([[0, 1]]), clusters, 2)
    assert found.elo == pytest.approx([0, 400 * np.log10(34.5 / 65.5)], abs=1e-6)
    assert np.isnan(found.low[1])  # one cluster gives no interval


def test_ratings_maximise_the_likelihood() -> None:
    pairs, clusters = field([0.0, 0.4, -0.7, 1.1], 20, 50, 1)
    wins = win_matrix(pairs, clusters.sum(0), 4)
    wins += ((wins + wins.T) > 0) * PRIOR_PAIRS / 2

    def loss(strength: np.ndarray) -> float:
        gaps = strength[:, None] - strength[None, :]
        return float(np.sum(wins * np.log1p(np.exp(-gaps))))

    best = optimize.minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-8}).x
    found = ratings(pairs, clusters, 4, anchor=2, anchor_elo=1500)
    assert found.elo == pytest.approx(1500 + ELO * (best - best[2]), abs=1e-2)
    assert found.elo[2] == found.low[2] == found.high[2] == 1500
    assert not found.bounded.any()


def test_intervals_hold_the_truth_about_95_times_in_100() -> None:
    truth = [0.0, 0.3, -0.2]
    held = 0
    for seed in range(60):
        pairs, clusters = field(truth, 10, 60, seed)
        found = ratings(pairs, clusters, 3, seed=seed, replicates=200)
        held += found.low[1] <= ELO * 0.3 <= found.high[1]
    assert held >= 50


def test_clusters_that_share_luck_widen_the_interval() -> None:
    """Ten pairs of a cluster that always end alike are worth one."""
    random = np.random.default_rng(2)
    apart = random.binomial(1, 0.5, 2000).reshape(200, 10).sum(1)
    alike = 10 * random.binomial(1, 0.5, 200)
    widths = []
    for won in (apart, alike):
        clusters = np.stack([won, 0 * won, 10 - won], axis=1)[:, None, :]
        found = ratings(np.array([[0, 1]]), clusters, 2, seed=1)
        widths.append(found.high[1] - found.low[1])
    assert widths[1] / widths[0] == pytest.approx(np.sqrt(10), rel=0.25)


def test_the_same_seed_gives_the_same_intervals() -> None:
    pairs, clusters = field([0.0, 0.4, -0.7], 5, 40, 3)
    one, two, other = (ratings(pairs, clusters, 3, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.low, two.low)
    assert not np.array_equal(one.low, other.low)


def test_who_lost_everything_has_a_bound() -> None:
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    clusters = np.tile([[[5, 0, 5], [10, 0, 0], [10, 0, 0]]], (20, 1, 1))
    found = ratings(pairs, clusters, 3)
    assert list(found.bounded) == [False, False, True]
    assert np.isfinite(found.elo).all()
    assert found.elo[2] < -400


def test_all_ties_are_level() -> None:
    found = ratings(np.array([[0, 1]]), np.tile([[[0, 10, 0]]], (5, 1, 1)), 2)
    assert found.elo == pytest.approx([0, 0], abs=1e-9)
    assert found.low == pytest.approx([0, 0], abs=1e-6)
    assert not found.bounded.any()


def test_one_agent_alone_and_agents_apart() -> None:
    alone = ratings(np.zeros((0, 2), int), np.zeros((0, 0, 3)), 1, anchor_elo=7)
    assert alone.elo[0] == 7
    apart = ratings(np.array([[0, 1], [2, 3]]), np.tile([[[5, 0, 5], [4, 0, 6]]], (9, 1, 1)), 4)
    assert np.isfinite(apart.elo[:2]).all()
    assert np.isnan(apart.elo[2:]).all()


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(PlanError, match="not a number"):
        ratings(np.array([[0, 1]]), np.array([[[np.nan, 0, 1]]]), 2)


def test_joining_and_drawing_keep_the_sums() -> None:
    clusters = np.random.default_rng(0).integers(0, 5, (103, 2, 3))
    assert np.array_equal(joined(clusters, 10).sum(0), clusters.sum(0))
    assert len(joined(clusters, 10)) <= 10
    draws = resampled(clusters, 1, 2000)
    assert draws.mean(0) == pytest.approx(clusters.sum(0), rel=0.02)
    spread = len(clusters) * clusters.var(0)
    assert draws.var(0) == pytest.approx(spread, rel=0.15)
