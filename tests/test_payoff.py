"""Payoff matrix, Nash mix, circles, corrected p-values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from handfoot_sim.ratings.payoff import (
    cycles,
    false_discovery,
    holm,
    mean_p_value,
    nash_mix,
    payoff_matrix,
)

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])


def test_the_matrix_is_antisymmetric() -> None:
    matrix = payoff_matrix(np.array([[0, 1], [2, 0]]), np.array([5.0, 3.0]), 3)
    assert matrix[0, 1] == 5
    assert matrix[0, 2] == -3
    assert np.isnan(matrix[1, 2])
    assert nash_mix(matrix) is None


def test_rock_paper_scissors_is_mixed_evenly() -> None:
    assert nash_mix(250 * ROCK_PAPER_SCISSORS) == pytest.approx([1 / 3] * 3, abs=1e-6)


def test_unequal_stakes_by_hand() -> None:
    """With payoffs a (0 beats 1), b (1 beats 2), c (2 beats 0) the mix is b : c : a."""
    a, b, c = 30.0, 50.0, 20.0
    game = np.array([[0, a, -c], [-a, 0, b], [c, -b, 0]])
    assert nash_mix(game) == pytest.approx([0.5, 0.2, 0.3], abs=1e-6)


def test_one_that_beats_all_is_played_always() -> None:
    game = np.array([[0.0, 10, 1, 4], [-10, 0, 3, 3], [-1, -3, 0, 2], [-4, -3, -2, 0]])
    assert nash_mix(game) == pytest.approx([1, 0, 0, 0], abs=1e-9)


def test_an_agent_entered_twice_shares_its_part() -> None:
    twice = np.zeros((4, 4))
    twice[:3, :3] = ROCK_PAPER_SCISSORS
    twice[3, :3] = ROCK_PAPER_SCISSORS[2]
    twice[:3, 3] = -ROCK_PAPER_SCISSORS[2]
    assert nash_mix(twice) == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6], abs=1e-5)


def test_equals_are_mixed_evenly() -> None:
    assert nash_mix(np.zeros((4, 4))) == pytest.approx([0.25] * 4)
    assert nash_mix(np.zeros((1, 1))) == pytest.approx([1.0])


@pytest.mark.parametrize("seed", range(20))
def test_nothing_beats_the_mix_of_a_random_game(seed: int) -> None:
    size = 2 + seed % 9
    half = np.triu(np.random.default_rng(seed).normal(0, 300, (size, size)), 1)
    game = half - half.T
    mix = nash_mix(game)
    assert mix is not None
    assert mix.sum() == pytest.approx(1)
    assert (mix >= 0).all()
    assert (game @ mix).max() <= 1e-5 * np.abs(game).max()


def test_circles_of_three() -> None:
    beats = ROCK_PAPER_SCISSORS > 0
    assert cycles(beats) == [(0, 2, 1)]
    assert cycles(beats.T) == [(0, 1, 2)]
    assert cycles(np.triu(np.ones((5, 5), bool), 1)) == []


def test_longer_circles() -> None:
    beats = np.zeros((6, 6), bool)
    for winner, loser in ((1, 2), (2, 4), (4, 5), (5, 1), (0, 1), (0, 3)):
        beats[winner, loser] = True
    assert cycles(beats) == [(1, 2, 4, 5)]


def test_p_values_are_students() -> None:
    values = np.random.default_rng(4).normal(20, 100, 60)
    found = mean_p_value(60, values.sum(), np.square(values).sum())
    assert found == pytest.approx(stats.ttest_1samp(values, 0).pvalue)
    assert mean_p_value(1, 5.0, 25.0) == 1.0
    assert mean_p_value(10, 0.0, 0.0) == 1.0
    assert mean_p_value(10, 50.0, 250.0) == 0.0


def test_holm_by_hand() -> None:
    """0.01 x 4, 0.02 x 3, 0.03 x 2 and 0.04 x 1, never falling."""
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06])
    assert holm([0.5, 0.9]) == pytest.approx([1.0, 1.0])
    assert len(holm([])) == 0


def test_false_discovery_by_hand() -> None:
    """p x m / rank, never rising from the largest down (Benjamini and Hochberg, 1995)."""
    found = false_discovery([0.01, 0.02, 0.03, 0.5])
    assert found == pytest.approx([0.04, 0.04, 0.04, 0.5])
    assert len(false_discovery([])) == 0
